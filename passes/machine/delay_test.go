package machine

import (
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
)

var delayRounds = flag.Int("delay-rounds", 6, "random blocks whose delays are compared with LLVM's")

var delayTemplates = []hazardTemplate{
	{"%R = amdgpu.v_add_nc_u32 V, V : v1@V", "V = V_ADD_U32_e32 V, V, implicit $exec"},
	{"%R = amdgpu.v_add_nc_u32 S, V : v1@V", "V = V_ADD_U32_e32 S, V, implicit $exec"},
	{"%R = amdgpu.v_rcp_f32 V : v1@V", "V = V_RCP_F32_e32 V, implicit $mode, implicit $exec"},
	{"%R = amdgpu.v_mul_f32 V, V : v1@V", "V = V_MUL_F32_e32 V, V, implicit $mode, implicit $exec"},
	{"%R = amdgpu.v_fma_f32 V, V, V : v1@V", "V = V_FMA_F32_e64 0, V, 0, V, 0, V, 0, 0, implicit $mode, implicit $exec"},
	{"%R = amdgpu.v_mul_lo_u32 V, V : v1@V", "V = V_MUL_LO_U32_e64 V, V, implicit $exec"},
	{"%R = amdgpu.v_readfirstlane_b32 V : s1@S", "S = V_READFIRSTLANE_B32 V, implicit $exec"},
	{"%R = amdgpu.s_mov_b32 S : s1@S", "S = S_MOV_B32 S"},
	{"%R = amdgpu.s_mul_i32 S, S : s1@S", "S = S_MUL_I32 S, S"},
	{"%R = amdgpu.ds_load_b32 V : v1@V", "V = DS_READ_B32_gfx9 V, 0, 0, implicit $exec"},
}

// TestDelayAgreesWithLLVM compares the s_delay_alu of random blocks with those
// of LLVM's pass.
func TestDelayAgreesWithLLVM(t *testing.T) {
	llc := "/usr/lib/llvm-19/bin/llc"
	if _, err := os.Stat(llc); err != nil {
		t.Skip("LLVM 19 is not there")
	}
	r := rand.New(rand.NewPCG(11, 3))
	for round := range *delayRounds {
		var pir, mir strings.Builder
		pir.WriteString("^bb0:\n" + hazardPreamble())
		mir.WriteString("---\nname: k\ntracksRegLiveness: false\nmachineFunctionInfo:\n  isEntryFunction: true\nbody: |\n  bb.0:\n")
		for n := range 60 {
			k := r.IntN(len(delayTemplates))
			if k == len(delayTemplates)-1 && r.IntN(3) > 0 {
				k = 0
			}
			p, m := delayTemplates[k].fill(r, n)
			pir.WriteString("  " + p + "\n")
			mir.WriteString("    " + m + "\n")
		}
		pir.WriteString("  amdgpu.s_endpgm\n")
		mir.WriteString("    S_ENDPGM 0\n...\n")
		c, f := parseBody(t, "gfx1100", pir.String())
		Delay(c, f)
		cmd := exec.Command(llc, "-mtriple=amdgcn-amd-amdhsa", "-mcpu=gfx1100", "-run-pass=amdgpu-insert-delay-alu", "-x", "mir", "-o", "-", "-")
		cmd.Stdin = strings.NewReader(mir.String())
		out, err := cmd.Output()
		require.NoError(t, err, mir.String())
		var want, got []int
		_, text, _ := strings.Cut(string(out), "body:")
		for _, l := range strings.Split(text, "\n")[1:] {
			if _, spec, ok := strings.Cut(l, "S_DELAY_ALU ."); ok {
				want = append(want, delayImm(spec))
			} else if strings.Contains(l, "V_") || strings.Contains(l, "S_") || strings.Contains(l, "DS_") {
				want = append(want, 0)
			}
		}
		for op := f.Entry().First(); op != nil; op = op.Next() {
			if op.Code == amdgpu.SDelayAlu {
				got = append(got, int(amdgpu.FImm.Get(op.Props)))
			} else if amdgpu.Encoded(op) {
				got = append(got, 0)
			}
		}
		require.Equal(t, want, got, "round %d\n%s", round, text)
	}
}

// delayImm reads the immediate as LLVM's machine IR spells it.
func delayImm(spec string) (imm int) {
	ids := []string{"", "VALU_DEP_1", "VALU_DEP_2", "VALU_DEP_3", "VALU_DEP_4", "TRANS32_DEP_1", "TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1", "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3"}
	skips := []string{"SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"}
	first, second, _ := strings.Cut(strings.TrimPrefix(spec, "id0_"), "_skip_")
	skip, id1, _ := strings.Cut(second, "_id1_")
	imm = slices.Index(ids, first)
	if second != "" {
		imm |= slices.Index(skips, skip)<<4 | slices.Index(ids, id1)<<7
	}
	return imm
}
