package analysis

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pisac/dialects"
	"pisac/ir"
	"pisac/tests/randir"
)

func parse(t testing.TB, text string) *ir.Module {
	src, ds := &ir.Sources{}, ir.Diags{}
	m := ir.Parse(src, src.Add("t.pir", []byte("module version 1.0 target 100\n\n"+text)), dialects.All(), &ds)
	require.Empty(t, ds.List, text)
	require.True(t, ir.Verify(m, &ds), "%v", ds.List)
	return m
}

// value returns the result of the op of f, by number in layout order.
func value(f *ir.Func, n int) *ir.Value {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if op.NumResults() == 0 {
				continue
			}
			if n == 0 {
				return op.Result(0)
			}
			n--
		}
	}
	panic("no such value")
}

// Whatever a function computes, the facts hold of it, and hold under the
// conditions of the block at hand.
func TestBitsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := randir.Module(t)
		facts := map[*ir.Func]*Bits{}
		for _, f := range m.Funcs {
			facts[f] = New(f).Bits()
		}
		for range 4 {
			args := []uint64{rapid.Uint64().Draw(t, "a") & 0xffffffff, uint64(rapid.Uint32Range(0, 40).Draw(t, "b")), rapid.Uint64().Draw(t, "c"), 0x10000}
			vals := map[*ir.Value]uint64{}
			x := randir.Machine{Fuel: 500, Visit: func(v *ir.Value, bits uint64) {
				vals[v] = bits
				w := width(v.Type)
				f := facts[v.Block().Func()].Of(v)
				if w > 0 && !f.Holds(w, bits) {
					t.Fatalf("%#x of value %d is not %+v in\n%s", bits, v.ID, f, ir.AppendFunc(nil, v.Block().Func()))
				}
			}}
			x.Enter = func(b *ir.Block) {
				for v, bits := range vals {
					w := width(v.Type)
					if v.Block().Func() != b.Func() || w == 0 || !facts[b.Func()].eval.dom.Dominates(v.Block(), b) {
						continue
					}
					if f := facts[b.Func()].At(v, b); !f.Holds(w, bits) {
						t.Fatalf("%#x of value %d is not %+v in block %d of\n%s", bits, v.ID, f, b.ID, ir.AppendFunc(nil, b.Func()))
					}
				}
			}
			x.Run(m.Func("f"), args...)
		}
	})
}

func TestBitsOfCounters(t *testing.T) {
	m := parse(t, `kernel @k(param %p size 8 align 8 space global ptr_align 16) reqd_work_group_size(64, 1, 1) {
^bb0:
  %0 = builtin.const 0x0 : 32b
  %1 = builtin.const 0x64 : 32b
  %2 = builtin.const 0x4 : 32b
  %l = pisa.sreg.localid.x : 32b
  %p = pisa.ld.param.64b %p : 64b
  builtin.br ^bb1(%0)
^bb1(%i: 32b):
  %c = pisa.ucmp.lt.32b %i, %1 : pred
  builtin.cond_br %c, ^bb2, ^bb3
^bb2:
  %n = pisa.iadd.32b %i, %2 : 32b
  builtin.br ^bb1(%n)
^bb3:
  %s = pisa.shl.32b %l, %2 : 32b
  %a = pisa.ucmp.lt.32b %l, %1 : pred
  builtin.return
}
`)
	f := m.Funcs[0]
	b := New(f).Bits()
	lid, p, cmp := b.Of(value(f, 3)), b.Of(value(f, 4)), b.Of(value(f, 8))
	assert.Equal(t, uint64(63), lid.UMax)
	assert.Equal(t, uint(4), p.TrailingZeros())
	i := f.FirstBlock().Next().Arg(0)
	fi := b.Of(i)
	assert.Equal(t, uint64(103), fi.UMax)
	assert.Equal(t, uint64(0), fi.UMin)
	in := b.At(i, f.FirstBlock().Next().Next())
	assert.Equal(t, uint64(99), in.UMax)
	s := b.Of(value(f, 7))
	assert.Equal(t, uint64(63*16), s.UMax)
	assert.Equal(t, uint(4), s.TrailingZeros())
	yes, ok := cmp.Const()
	assert.True(t, ok && yes == 1)
}
