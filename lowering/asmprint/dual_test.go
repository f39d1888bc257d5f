package asmprint

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/ir"
)

var dualCodes = []ir.Code{amdgpu.VMulF32, amdgpu.VAddF32, amdgpu.VSubF32, amdgpu.VSubrevF32, amdgpu.VMovB32, amdgpu.VCndmaskB32,
	amdgpu.VMaxF32, amdgpu.VMinF32, amdgpu.VFmaF32, amdgpu.VAddNcU32, amdgpu.VLshlrevB32, amdgpu.VAndB32}

// TestDualAgreesWithAssembler makes random pairs that fit the halves' encodings
// and holds CanDual to whether llvm-mc takes them.
func TestDualAgreesWithAssembler(t *testing.T) {
	mc := "/usr/lib/llvm-19/bin/llvm-mc"
	if _, err := os.Stat(mc); err != nil {
		t.Skip("LLVM 19 is not there")
	}
	tt := target.ByName("gfx1100")
	m := ir.NewModule(dialects.All(), nil)
	f := m.NewFunc("k", ir.FuncKernel)
	b := f.NewBlock()
	var bl ir.Builder
	bl.AtEnd(b)
	r := rand.New(rand.NewPCG(3, 9))
	vgpr := func() *ir.Value {
		v := bl.Value(amdgpu.PUndef, 0, ir.Regs(ir.VGPR, 1))
		v.Reg = ir.VReg(r.IntN(12))
		return v
	}
	scalar := func(reg ir.Reg) *ir.Value {
		v := bl.Value(amdgpu.PUndef, 0, ir.Regs(ir.SGPR, 1))
		v.Reg = reg
		return v
	}
	source := func() *ir.Value {
		switch r.IntN(8) {
		case 0:
			return scalar(ir.SReg(r.IntN(4)))
		case 1:
			return builtin.ConstInt(&bl, ir.B32, 0x12345600+uint64(r.IntN(2)))
		case 2:
			return builtin.ConstInt(&bl, ir.B32, uint64(r.IntN(64)))
		}
		return vgpr()
	}
	half := func() *ir.Op {
		code := dualCodes[r.IntN(len(dualCodes))]
		dst := ir.VReg(r.IntN(12))
		var args []*ir.Value
		switch code {
		case amdgpu.VMovB32:
			args = []*ir.Value{source()}
		case amdgpu.VCndmaskB32:
			args = []*ir.Value{source(), vgpr(), scalar(ir.RegVCC)}
		case amdgpu.VFmaF32:
			acc := vgpr()
			acc.Reg = dst
			args = []*ir.Value{source(), vgpr(), acc}
		default:
			args = []*ir.Value{source(), vgpr()}
		}
		v := bl.Value(code, 0, ir.Regs(ir.VGPR, 1), args...)
		v.Reg = dst
		return v.Op()
	}
	var can []bool
	var texts []string
	for range 3000 {
		x, y := half(), half()
		_, okX := amdgpu.DualName(x)
		_, okY := amdgpu.DualName(y)
		dependent := false
		for i := range y.NumPlainOperands() {
			dependent = dependent || y.Operand(i).Reg == x.Result(0).Reg
		}
		if !okX && !okY || dependent {
			require.False(t, amdgpu.CanDual(tt, x, y))
			continue // the assembler does not see this
		}
		can = append(can, amdgpu.CanDual(tt, x, y))
		texts = append(texts, string(appendDual(nil, tt, x, y)))
	}
	cmd := exec.Command(mc, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx1100", "-filetype=null")
	cmd.Stdin = strings.NewReader(strings.Join(texts, "\n") + "\n")
	out, _ := cmd.CombinedOutput()
	bad := map[int]string{}
	for _, g := range regexp.MustCompile(`<stdin>:(\d+):\d+: error: (.*)`).FindAllStringSubmatch(string(out), -1) {
		n, _ := strconv.Atoi(g[1])
		bad[n-1] = g[2]
	}
	yes := 0
	for i, text := range texts {
		require.Equal(t, bad[i] == "", can[i], fmt.Sprint(text, ": ", bad[i]))
		if can[i] {
			yes++
		}
	}
	require.Greater(t, yes, 100)
}
