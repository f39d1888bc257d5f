package passes

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/tests/randir"
)

// wideOps are what TestNarrowRandom combines; shifts take a constant amount.
var wideOps = []ir.Code{
	pisa.IAdd, pisa.ISub, pisa.UMul, pisa.SMul, pisa.UDiv, pisa.SDiv, pisa.And, pisa.Or, pisa.Xor, pisa.UMin, pisa.UMax, pisa.SMin, pisa.SMax,
	pisa.Shl, pisa.Shr, pisa.Asr, pisa.UCmp, pisa.SCmp, pisa.IAbs, pisa.UMad, pisa.SMad,
}

// TestNarrowRandom narrows functions of 64-bit ops on numbers of which much is
// known: extended, masked and shifted ones.
func TestNarrowRandom(t *testing.T) {
	rewritten := 0
	rapid.Check(t, func(t *rapid.T) {
		m := ir.NewModule(dialects.All(), &ir.Sources{})
		f := m.NewFunc("f", ir.FuncDevice)
		f.Sig, f.Ret = []ir.Type{ir.B32, ir.B32, ir.B16, ir.B64}, ir.B64
		b := f.NewBlock()
		pool := map[ir.Type][]*ir.Value{}
		keep := func(v *ir.Value) { pool[v.Type] = append(pool[v.Type], v) }
		for _, ty := range f.Sig {
			keep(b.AddArg(ty))
		}
		var bl ir.Builder
		bl.AtEnd(b)
		pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }
		some := func(ty ir.Type) *ir.Value { return pool[ty][len(pool[ty])-1-pick(min(len(pool[ty]), 4))] }
		numbers := []uint64{0, 1, 3, 5, 0x7f, 0x7fffffff, 0x80000000, 0xffffffff, ^uint64(0), ^uint64(6), 1 << 40}
		for _, from := range []ir.Type{ir.B32, ir.B16} {
			for range 2 {
				code := []ir.Code{pisa.ZExt, pisa.SExt}[pick(2)]
				keep(bl.Value(code, convert(pisa.T64b, pisa.PlainType(from)), ir.B64, some(from)))
			}
		}
		for range 2 + pick(6) {
			d := []pisa.DType{pisa.T64b, pisa.T64b, pisa.T32b}[pick(3)]
			ty, p := d.Info().Reg, pisa.FType.Put(uint64(d))
			x, y := some(ty), some(ty)
			if pick(2) == 0 {
				y = builtin.ConstInt(&bl, ty, numbers[pick(len(numbers))])
			}
			switch code := wideOps[pick(len(wideOps))]; code {
			case pisa.Shl, pisa.Shr, pisa.Asr:
				keep(bl.Value(code, p, ty, x, builtin.ConstInt(&bl, ir.B32, uint64(pick(36)))))
			case pisa.UCmp, pisa.SCmp:
				c := bl.Value(code, p|pisa.FOp.Put(uint64(pick(6))), ir.Pred, x, y)
				keep(bl.Value(pisa.Sel, p, ty, x, y, c))
			case pisa.IAbs:
				keep(bl.Value(code, p, ty, x))
			case pisa.UMad, pisa.SMad:
				full := pisa.FType.Put(uint64(pisa.T32b)) | pisa.FFull.Put(1)
				keep(bl.Value(code, full, ir.B64, some(ir.B32), some(ir.B32), some(ir.B64)))
			case pisa.UDiv, pisa.SDiv:
				keep(bl.Value(code, p|pisa.FOp.Put(uint64(pick(2))), ty, x, y))
			case pisa.IAdd, pisa.ISub:
				keep(bl.Value(code, p|pisa.FDsat.Put(uint64(pick(4)/3)), ty, x, y))
			default:
				keep(bl.Value(code, p, ty, x, y))
			}
			if pick(3) == 0 {
				keep(bl.Value(pisa.Trunc, convert(pisa.T32b, pisa.T64b), ir.B32, some(ir.B64)))
			}
		}
		builtin.Ret(&bl, pool[ir.B64][len(pool[ir.B64])-1])
		word := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom(numbers))
		before := string(ir.AppendText(nil, m))
		var args [6][]uint64
		var want [6]string
		for i := range args {
			args[i] = []uint64{word.Draw(t, "a") & 0xffffffff, word.Draw(t, "b") & 0xffffffff, word.Draw(t, "c") & 0xffff, word.Draw(t, "d")}
			want[i], _ = (&randir.Machine{Fuel: 1000}).Run(f, args[i]...)
		}
		r := Runner{VerifyEach: true, Target: target.Default(), Workers: 1}
		if err := r.Run(m, Pipeline{NewStep(narrowPass)}); err != nil {
			t.Fatalf("%v\n%s", err, before)
		}
		for i := range args {
			if got, ok := (&randir.Machine{Fuel: 1000}).Run(f, args[i]...); !ok || got != want[i] {
				t.Fatalf("%x: %s, not %s\n%s\n%s", args[i], got, want[i], before, ir.AppendText(nil, m))
			}
		}
		rewritten += int(r.Stats[0][0] + r.Stats[0][1] + r.Stats[0][2])
	})
	assert.Greater(t, rewritten, 10)
}

func narrowed(body string) string {
	return `function @f(32b, 32b, 64b, 16b) -> 64b {
^bb0(%a: 32b, %b: 32b, %x: 64b, %h: 16b):
  %za = pisa.zext.64b.32b %a : 64b
  %zb = pisa.zext.64b.32b %b : 64b
  %sa = pisa.sext.64b.32b %a : 64b
  %sb = pisa.sext.64b.32b %b : 64b
  %zh = pisa.zext.64b.16b %h : 64b
  %sh = pisa.sext.64b.16b %h : 64b
  %2 = builtin.const 2 : 32b
  %7 = builtin.const 7 : 64b
  %big = builtin.const 0x100000000 : 64b
` + body + "}\n"
}

func TestNarrow(t *testing.T) {
	for name, c := range map[string][2]string{
		"products": {`
  %p = pisa.umul.64b %za, %zb : 64b
  %q = pisa.umul.64b %sa, %sb : 64b
  %r = pisa.iadd.64b %p, %q : 64b
  builtin.return %r
`, `
  %p = pisa.umul.full.32b %a, %b : 64b
  %q = pisa.smul.full.32b %a, %b : 64b
  %r = pisa.iadd.64b %p, %q : 64b
  builtin.return %r
`},
		"comparisons": {`
  %p = pisa.ucmp.lt.64b %za, %zb : pred
  %q = pisa.scmp.lt.64b %sa, %7 : pred
  %r = pisa.sel.64b %za, %x, %p : 64b
  %s = pisa.sel.64b %sa, %r, %q : 64b
  builtin.return %s
`, `
  %p = pisa.ucmp.lt.32b %a, %b : pred
  %c = builtin.const 7 : 32b
  %q = pisa.scmp.lt.32b %a, %c : pred
  %r = pisa.sel.64b %za, %x, %p : 64b
  %s = pisa.sel.64b %sa, %r, %q : 64b
  builtin.return %s
`},
		"what is known": {`
  %s = pisa.smax.64b %za, %zh : 64b
  %m = pisa.and.64b %s, %zmask : 64b
  %c = pisa.ucmp.ge.64b %m, %big : pred
  %r = pisa.sel.64b %x, %m, %c : 64b
  %d = pisa.sdiv.64b %r, %7 : 64b
  builtin.return %d
`, `
  %s = pisa.umax.64b %za, %zh : 64b
  %c = builtin.const 0 : pred
  %r = pisa.sel.64b %x, %s, %c : 64b
  %d = pisa.sdiv.64b %r, %7 : 64b
  builtin.return %d
`},
	} {
		t.Run(name, func(t *testing.T) {
			mask := "  %zmask = builtin.const 0xffffffff : 64b\n"
			in, want := narrowed(mask+c[0]), narrowed(mask+c[1])
			assert.Equal(t, optimize(t, "dce", want), optimize(t, "narrow,dce", in))
			everyLimit(t, "narrow", in)
		})
	}
}

// What must not be narrowed, or would be more ops.
func TestNarrowKeeps(t *testing.T) {
	for name, body := range map[string]string{
		"a division by what may be zero": `
  %q = pisa.udiv.64b %za, %zb : 64b
  builtin.return %q
`,
		"one sign extended, one zero extended": `
  %p = pisa.umul.64b %za, %sb : 64b
  %c = pisa.ucmp.lt.64b %za, %sb : pred
  %r = pisa.sel.64b %p, %x, %c : 64b
  builtin.return %r
`,
		"a sum that needs a 33rd bit": `
  %s = pisa.iadd.64b %za, %zb : 64b
  builtin.return %s
`,
		"a difference that may be negative": `
  %s = pisa.isub.64b %za, %zb : 64b
  builtin.return %s
`,
		"a shift by 32": `
  %32 = builtin.const 32 : 32b
  %s = pisa.shl.64b %zh, %32 : 64b
  builtin.return %s
`,
		"a shift of which the top is lost": `
  %s = pisa.shl.64b %za, %2 : 64b
  builtin.return %s
`,
		"MIN / -1 of 32 bits": `
  %m = builtin.const -1 : 64b
  %s = pisa.sdiv.64b %sa, %m : 64b
  builtin.return %s
`,
		"a saturating sum": `
  %s = pisa.iadd.dsat.64b %x, %7 : 64b
  builtin.return %s
`,
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, optimize(t, "dce", narrowed(body)), optimize(t, "narrow,dce", narrowed(body)))
		})
	}
}
