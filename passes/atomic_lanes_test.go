package passes

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/host"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
)

// lanesKernel does `op` (iatom or fatom with everything behind the address)
// per active lane, with operands of a buffer or of a parameter.
func lanesKernel(code, op string, bits int, uniform, used bool) string {
	src, load, use := ", %x", fmt.Sprintf("ld.global.weak.%db %%x, [%%pin];", bits), fmt.Sprintf("st.global.weak.%db [%%pout], %%r;", bits)
	if uniform {
		load = fmt.Sprintf("ld.param.%db %%x, [%%value];", bits)
	}
	if strings.HasPrefix(op, "inc.") || strings.HasPrefix(op, "dec.") {
		src = ""
	}
	if !used {
		use = ""
	}
	return fmt.Sprintf(`.version 1.0; .target 100;
.kernel @k(.param[8] .addrspace(global) .ptr_align(8) %%ctr, .param[8] .addrspace(global) .ptr_align(8) %%in, .param[8] .addrspace(global) .ptr_align(8) %%out, .param[8] %%value, .param[4] %%mask) {
  .reg .32b %%lid, %%bits, %%b; .reg .64b %%pc, %%pin, %%pout, %%off; .reg .%[1]db %%x, %%r; .pred %%p;
  ld.param.64b %%pc, [%%ctr]; ld.param.64b %%pin, [%%in]; ld.param.64b %%pout, [%%out]; ld.param.32b %%bits, [%%mask];
  mov.32b %%lid, %%localid.x;
  zext.64b.32b %%off, %%lid; shl.64b %%off, %%off, 3; iadd.64b %%pin, %%pin, %%off; iadd.64b %%pout, %%pout, %%off;
  shr.32b %%b, %%bits, %%lid; and.32b %%b, %%b, 1; ucmp.ne.32b %%p, %%b, 0;
  %[2]s
  goto.cond !%%p, DONE;
  %[3]s.global.relaxed.%[4]s %%r, [%%pc]%[5]s;
  %[6]s
DONE:
  return;
}
`, bits, load, code, op, src, use)
}

// lanesValues are operands: any integers; floats that add exactly, or that
// order strangely.
func lanesValues(r *rand.Rand, op, typ string, bits int) func() uint64 {
	sums := op == "add" || op == "sub"
	encode := func(x float64) uint64 {
		switch typ {
		case "df":
			return math.Float64bits(x)
		case "f":
			return uint64(math.Float32bits(float32(x)))
		case "bf":
			return uint64(math.Float32bits(float32(x))) >> 16
		}
		b := math.Float64bits(x) // hf: the value is in its range
		if x == 0 {
			return b >> 48
		}
		return b>>48&0x8000 | (b>>52&2047-1023+15)<<10 | b>>42&1023
	}
	switch {
	case typ[0] >= '0' && typ[0] <= '9':
		return func() uint64 {
			v := r.Uint64()
			switch r.IntN(6) {
			case 0:
				v = 1 << (bits - 1)
			case 1:
				v = ^uint64(0)
			case 2:
				v &= 0xffffffff
			case 3:
				v |= 0xffffffff << 32
			}
			return v & (1<<(bits-1)<<1 - 1)
		}
	case sums:
		return func() uint64 { return encode(float64(1 + r.IntN(3))) }
	}
	odd := []float64{0, math.Copysign(0, -1), 1, -1, 2.5, -2.5}
	nan := map[string]uint64{"hf": 0x7e00, "bf": 0x7fc0, "f": 0x7fc00000, "df": 0x7ff8000000000000}[typ]
	return func() uint64 {
		switch r.IntN(6) {
		case 0:
			return nan
		case 1:
			return uint64(1 + r.IntN(3)) // denormal
		}
		return encode(odd[r.IntN(len(odd))])
	}
}

// TestAggregationTypes runs operations of every type, with operands that differ
// and that do not, whose results are used or not, before and after the pass.
func TestAggregationTypes(t *testing.T) {
	masks := []uint32{0xffffffff, 0, 1 << 31, 0x80000001, 0xaaaaaaaa, 0x00ff0f30}
	ints := []string{"add", "sub", "inc", "dec", "and", "or", "xor", "umin", "umax", "smin", "smax"}
	r := rand.New(rand.NewPCG(7, 8))
	for _, ty := range []struct {
		code, typ string
		bits      int
		ops       []string
	}{
		{"iatom", "16b", 16, ints}, {"iatom", "32b", 32, ints}, {"iatom", "64b", 64, ints},
		{"fatom", "hf", 16, []string{"add", "sub", "min", "max"}}, {"fatom", "bf", 16, []string{"add", "sub", "min", "max"}},
		{"fatom", "f", 32, []string{"add", "sub", "min", "max"}}, {"fatom", "df", 64, []string{"add", "sub"}},
	} {
		for _, op := range ty.ops {
			for kind := range 4 {
				uniform, used := kind&1 != 0, kind&2 != 0
				sum := ty.code == "fatom" && (op == "add" || op == "sub")
				text := lanesKernel(ty.code, op+"."+ty.typ, ty.bits, uniform, used)
				before, m := buildPISA(t, text), buildPISA(t, text)
				for _, fast := range []bool{false, true} {
					run := Runner{VerifyEach: true, Target: target.Default(), Workers: 1, FastFPAtomics: fast}
					require.NoError(t, run.Run(m, pipeline(t, "canonicalize,atomic-coalesce")))
					done := ty.code == "iatom" && !fast || ty.code == "fatom" && fast && !(sum && used)
					require.Equal(t, done, run.Stats[1][atomicsAggregated] == 1, "%s kind %d fast %t\n%s", op, kind, fast, ir.AppendText(nil, m))
				}
				next := lanesValues(r, op, ty.typ, ty.bits)
				for i, mask := range masks {
					size := []uint64{32, 27, 32}[i%3]
					in := make([]byte, 256)
					for l := range 32 {
						binary.LittleEndian.PutUint64(in[8*l:], next())
					}
					memory := binary.LittleEndian.AppendUint64(nil, next())
					value := binary.LittleEndian.AppendUint64(nil, next())
					result := func(m *ir.Module) (mem, out []byte, atomics uint64) {
						l := &interp.Launch{Global: [3]uint64{size, 1, 1}, Local: [3]uint64{size, 1, 1}, Args: []host.Arg{
							{Kind: host.ArgBuffer, Data: append([]byte{}, memory...)},
							{Kind: host.ArgBuffer, Data: append([]byte{}, in...)},
							{Kind: host.ArgBuffer, Data: make([]byte, 256)},
							{Kind: host.ArgScalar, Data: value},
							{Kind: host.ArgScalar, Data: binary.LittleEndian.AppendUint32(nil, mask)}}}
						var ds ir.Diags
						st := interp.Run(m, l, &ds)
						require.False(t, ds.HasErrors(), "%v\n%s", ds.List, ir.AppendText(nil, m))
						for _, a := range st.Atomics {
							atomics += a
						}
						return l.Args[0].Data, l.Args[2].Data, atomics
					}
					mem, out, _ := result(before)
					gotMem, gotOut, n := result(m)
					what := fmt.Sprintf("%s.%s kind %d mask %x\n%s", op, ty.typ, kind, mask, ir.AppendText(nil, m))
					sameWords(t, ty.code, ty.bits, mem, gotMem, what)
					sameWords(t, ty.code, ty.bits, out, gotOut, what)
					if !(sum && used) {
						require.LessOrEqual(t, n, uint64(1), what)
					}
				}
			}
		}
	}
}

// sameWords compares words of 8 bytes that hold values of bits each; NaNs are alike.
func sameWords(t *testing.T, code string, bits int, want, got []byte, what string) {
	mask := uint64(1)<<(bits-1)<<1 - 1
	for i := 0; i < len(want); i += 8 {
		a, b := binary.LittleEndian.Uint64(want[i:])&mask, binary.LittleEndian.Uint64(got[i:])&mask
		if code == "fatom" && isNaNBits(what, a, bits) && isNaNBits(what, b, bits) {
			continue
		}
		require.Equal(t, a, b, "%d: %s", i/8, what)
	}
}

func isNaNBits(what string, v uint64, bits int) bool {
	d := map[int]pisa.DType{16: pisa.HF, 32: pisa.F, 64: pisa.DF}[bits]
	if strings.Contains(what[:8], ".bf") {
		d = pisa.BF
	}
	return d.Format().IsNaN(v)
}

// TestAtomicResultsDropped: results that only dead code uses, cycles of block
// arguments included, are dropped, and what lanes do needs no scan then.
func TestAtomicResultsDropped(t *testing.T) {
	const text = `kernel @k(param %p size 8 align 8 space global) {
^bb0:
  %q = pisa.ld.param.64b %p : 64b
  %l = pisa.sreg.laneid : 32b
  %old = pisa.iatom.global.system.add.32b [%q], %l : 32b
  %n = pisa.iadd.32b %old, %l : 32b
  builtin.br ^loop(%n, %l)
^loop(%i: 32b, %k: 32b):
  %j = pisa.iadd.32b %i, %i : 32b
  %m = pisa.shr.32b %k, %l : 32b
  %c = pisa.ucmp.ne.32b %m, %k : pred
  builtin.cond_br %c, ^loop(%j, %m), ^out
^out:
  builtin.return
}
`
	m := parse(t, text)
	r := Runner{VerifyEach: true, Target: target.Default(), Workers: 1}
	require.NoError(t, r.Run(m, pipeline(t, "atomic-coalesce")))
	assert.Equal(t, int64(1), r.Stats[0][resultsDropped])
	assert.Equal(t, int64(1), r.Stats[0][atomicsNoResult])
	after := string(ir.AppendText(nil, m))
	assert.Contains(t, after, "ired.sum")
	assert.NotContains(t, after, "shfl")
	everyLimit(t, "atomic-coalesce", text)
}
