package analysis

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/tests/randir"
)

// The sum that a value is decomposed into is the value.
func TestPointerIsSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := randir.Module(t)
		f := m.Func("f")
		a := New(f).Alias()
		var g = m.Func("g")
		ag := New(g).Alias()
		vals := map[*ir.Value]uint64{}
		x := randir.Machine{Fuel: 400, Visit: func(v *ir.Value, bits uint64) {
			vals[v] = bits
			w := width(v.Type)
			if w < 16 || v.Type == ir.Pred {
				return
			}
			al := a
			if v.Block().Func() == g {
				al = ag
			}
			p := al.Pointer(v)
			sum := p.Off
			for _, term := range p.Terms[:p.N] {
				sum += vals[term.Value] * term.Scale
			}
			if sum&mask(w) != bits {
				t.Fatalf("value %d is %#x, not %#x: %+v", v.ID, bits, sum&mask(w), p)
			}
		}}
		x.Run(f, rapid.Uint64().Draw(t, "a")&0xffffffff, 5, rapid.Uint64().Draw(t, "c"), 0x10000)
	})
}

const aliasText = `var @G global size 64 align 4
var @C const size 16 align 4 = { zero 16 }
kernel @k(param %p size 8 align 8 space global, param %q size 8 align 8 space global, param %c size 8 align 8 space const, param %n size 4 align 4) {
  var @S shared size 64 align 4
  var @T shared size 64 align 4
  var @P private size 64 align 4
^bb0:
  %p = pisa.ld.param.64b %p : 64b
  %q = pisa.ld.param.64b %q : 64b
  %c = pisa.ld.param.64b %c : 64b
  %i = pisa.ld.param.32b %n : 32b
  %s = pisa.addrof.32b @S : 32b
  %t = pisa.addrof.32b @T : 32b
  %x = pisa.addrof.32b @P : 32b
  %g = pisa.addrof.64b @G : 64b
  %four = builtin.const 0x4 : 32b
  %two = builtin.const 0x2 : 32b
  %i4 = pisa.shl.32b %i, %two : 32b
  %i4b = pisa.umul.32b %four, %i : 32b
  %si = pisa.iadd.32b %s, %i4 : 32b
  %sj = pisa.iadd.32b %i4b, %s : 32b
  %sk = pisa.iadd.32b %sj, %four : 32b
  %sl = pisa.iadd.32b %sj, %two : 32b
  %gen = pisa.addrcast.generic.shared %s : 64b
  %0 = pisa.ld.global.32b [%p] : 32b
  %1 = pisa.ld.global.32b [%q] : 32b
  %2 = pisa.ld.const.32b [%c] : 32b
  %3 = pisa.ld.shared.32b [%si] : 32b
  %4 = pisa.ld.shared.32b [%sj] : 32b
  %5 = pisa.ld.shared.32b [%sk] : 32b
  %6 = pisa.ld.shared.32b [%sl] : 32b
  %7 = pisa.ld.shared.32b [%t] : 32b
  %8 = pisa.ld.private.32b [%x] : 32b
  %9 = pisa.ld.global.32b [%g] : 32b
  %10 = pisa.ld.generic.32b [%gen] : 32b
  %11 = pisa.ld.generic.32b [%p] : 32b
  %12 = pisa.ld.shared.32b [%i] : 32b
  %13 = pisa.ld.global.32b [%p + %four] : 32b
  %14 = pisa.ld.global.v2.32b [%p] : v2.32b
  %15 = pisa.ld.shared.32b [%i4] : 32b
  builtin.return
}
`

func TestAlias(t *testing.T) {
	f := parse(t, aliasText).Funcs[0]
	a := New(f).Alias()
	var acc []Access
	for op := f.Entry().First(); op != nil; op = op.Next() {
		if x, ok := a.AccessOf(op); ok && op.Code == pisa.Ld {
			acc = append(acc, x)
		}
	}
	for _, c := range []struct {
		a, b int
		want AliasResult
	}{
		{0, 1, MayAlias}, // two parameters
		{0, 2, NoAlias},  // const
		{0, 3, NoAlias},  // spaces
		{3, 4, MustAlias},
		{4, 5, NoAlias},
		{4, 6, Overlap},
		{5, 6, Overlap},
		{3, 7, NoAlias}, // two variables
		{3, 8, NoAlias},
		{0, 9, MayAlias},   // a parameter and a global variable
		{10, 7, NoAlias},   // a generic pointer with a known root
		{10, 3, MayAlias},  // of the same variable
		{10, 0, NoAlias},   // shared and global
		{11, 10, NoAlias},  // a parameter and a shared variable
		{0, 11, MayAlias},  // one address in two spaces
		{12, 3, MayAlias},  // an unknown shared address
		{12, 8, NoAlias},   // private
		{12, 15, MayAlias}, // different multiples
		{0, 13, NoAlias},
		{14, 13, Overlap},
		{14, 0, Overlap},
	} {
		assert.Equal(t, c.want, a.Alias(&acc[c.a], &acc[c.b]), "%d and %d", c.a, c.b)
		assert.Equal(t, c.want, a.Alias(&acc[c.b], &acc[c.a]), "%d and %d", c.b, c.a)
	}
	assert.True(t, acc[2].Immutable())
	assert.False(t, acc[0].Immutable())
}

func TestOrderingOps(t *testing.T) {
	f := parse(t, `function @g() import
function @f(64b, 32b) {
^bb0(%p: 64b, %s: 32b):
  %0 = pisa.ld.global.32b [%p] : 32b
  %1 = pisa.ld.private.32b [%s] : 32b
  %2 = pisa.ld.const.32b [%p] : 32b
  pisa.barrier.workgroup
  pisa.fence.global.acq_rel.gpu
  builtin.call @g()
  %3 = pisa.ld.global.acquire.gpu.32b [%p] : 32b
  pisa.st.global.release.gpu.32b [%p], %0
  pisa.st.shared.32b [%s], %0
  builtin.return
}
`).Func("f")
	a := New(f).Alias()
	var ops []*ir.Op
	for op := f.Entry().First(); op != nil; op = op.Next() {
		ops = append(ops, op)
	}
	g, _ := a.AccessOf(ops[0])
	p, _ := a.AccessOf(ops[1])
	c, _ := a.AccessOf(ops[2])
	for i, want := range []string{"WT...", "WT...", "WTwt.", "WT...", "WT...", "....."} {
		op := ops[3+i]
		got := []byte(".....")
		for k, on := range []bool{a.Writes(op, &g), a.Touches(op, &g), a.Writes(op, &p), a.Touches(op, &p), a.Writes(op, &c)} {
			if on {
				got[k] = "WTwtc"[k]
			}
		}
		assert.Equal(t, want, string(got), "op %d", 3+i)
	}
}
