package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
	"pisac/passes"
)

// optimised is a kernel of the corpus behind -O level o.
func optimised(t *testing.T, name string, o int) program {
	p := load(t, "kernels/"+name+".json")
	r := passes.Runner{Target: target.Default(), VerifyEach: true}
	require.NoError(t, r.Run(p.module, passes.Default(o)))
	return p
}

// synchronising returns the ops of m that order something.
func synchronising(m *ir.Module) (ops []*ir.Op) {
	for _, f := range m.Funcs {
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			for op := b.First(); op != nil; op = op.Next() {
				switch op.Code {
				case pisa.Fence, pisa.BarrierWorkgroup:
					ops = append(ops, op)
				case pisa.Ld, pisa.St, pisa.IAtom, pisa.FAtom:
					if pisa.OrderOf(op.Props) > pisa.Relaxed {
						ops = append(ops, op)
					}
				}
			}
		}
	}
	return ops
}

// weakenings are what may be lost of an ordering op; apply reports whether op
// has it.
var weakenings = []struct {
	name  string
	apply func(op *ir.Op) bool
}{
	{"gone", func(op *ir.Op) bool {
		if op.Code == pisa.Fence || op.Code == pisa.BarrierWorkgroup {
			op.Erase()
			return true
		}
		op.SetField(pisa.FOrder, uint64(pisa.Relaxed))
		op.SetField(pisa.FScope, uint64(pisa.System))
		return true
	}},
	{"of the work-group only", func(op *ir.Op) bool {
		if op.Code == pisa.BarrierWorkgroup || pisa.ScopeOf(op.Props) <= pisa.Workgroup {
			return false
		}
		op.SetField(pisa.FScope, uint64(pisa.Workgroup))
		return true
	}},
	{"without its release", half(pisa.Acquire)},
	{"without its acquire", half(pisa.Release)},
}

// half keeps one half of what is both.
func half(o pisa.Order) func(op *ir.Op) bool {
	return func(op *ir.Op) bool {
		if op.Code == pisa.BarrierWorkgroup || pisa.OrderOf(op.Props) < pisa.AcqRel || op.Code == pisa.Ld || op.Code == pisa.St {
			return false
		}
		op.SetField(pisa.FOrder, uint64(o))
		return true
	}
}

// TestSynchronisationLeft: what -O2 leaves of fences, barriers and orders in
// kernels that synchronise is needed, each of it: gone or weakened, there is a
// data race or a wrong result under some order of execution. lookback_scan
// passes value and state in one word, so that its orders publish nothing else;
// no pass weakens an order, though.
func TestSynchronisationLeft(t *testing.T) {
	for _, c := range []struct {
		name                   string
		ops, weakened, surplus int
	}{{"histogram", 2, 2, 0}, {"spinlock", 2, 4, 0}, {"msgpass", 2, 4, 0}, {"lookback_scan", 18, 21, 3}} {
		name, weakened, surplus := c.name, 0, 0
		n := len(synchronising(optimised(t, name, 2).module))
		assert.Equal(t, c.ops, n, "%s: ordering ops", name)
		for i := range n {
			for _, w := range weakenings {
				p := optimised(t, name, 2)
				op := synchronising(p.module)[i]
				what := op.String()
				if !w.apply(op) {
					continue
				}
				weakened++
				bad := ""
				for seed := uint64(0); seed < 4 && bad == ""; seed++ {
					bad = run(p, func(l *interp.Launch) { l.CheckRaces, l.Seed = true, seed })
				}
				if bad == "" {
					surplus++
					t.Logf("%s: nothing misses number %d %s, %s", name, i, w.name, what)
				}
			}
		}
		assert.Equal(t, c.weakened, weakened, "%s: weakenings", name)
		assert.Equal(t, c.surplus, surplus, "%s: orders that nothing misses", name)
	}
}

// TestMemoryPassesOnKernels: what the memory passes are for.
func TestMemoryPassesOnKernels(t *testing.T) {
	count := func(name string, codes ...ir.Code) (n int) {
		for _, f := range optimised(t, name, 2).module.Funcs {
			for b := f.FirstBlock(); b != nil; b = b.Next() {
				for op := b.First(); op != nil; op = op.Next() {
					for _, c := range codes {
						if op.Code == c {
							n++
						}
					}
				}
			}
		}
		return n
	}
	assert.LessOrEqual(t, count("fences", pisa.Fence), 2, "of eleven")
	assert.Equal(t, 2, count("counter2", pisa.IAtom), "of three")
	for _, c := range []struct {
		name    string
		atomics uint64 // executed: of a sub-group each, where there were more
	}{{"counter", 8}, {"counter2", 16}} {
		p := optimised(t, c.name, 2)
		l := request(p.launch)
		var ds ir.Diags
		st := interp.Run(p.module, l, &ds)
		require.False(t, ds.HasErrors())
		total := uint64(0)
		var spaces []string
		for s, n := range st.Atomics {
			total += n
			spaces = append(spaces, fmt.Sprint(s, "=", n))
		}
		assert.Equal(t, c.atomics, total, "%s: %s", c.name, strings.Join(spaces, " "))
	}
}
