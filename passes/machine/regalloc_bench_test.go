package machine

import (
	"testing"
	"time"

	"pisac/dialects"
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// straight is one block of n instructions of all sorts that machineGen knows.
func straight(n int) *ir.Func { return longBlock(7, n) }

func longBlock(seed uint64, n int) *ir.Func {
	m := ir.NewModule(dialects.All(), nil)
	g := newMachineGen(seed, m, target.Default())
	g.liveIns()
	for range n {
		g.op()
	}
	g.bl.Op(amdgpu.TRet, 0)
	return g.f
}

// chain is one block in which each result is made from the one before, in a
// register tied to it.
func chain(n int) *ir.Func {
	m := ir.NewModule(dialects.All(), nil)
	g := newMachineGen(1, m, target.Default())
	g.liveIns()
	v := g.v(1)
	s := g.s(1)
	for range n {
		v = g.bl.Value(amdgpu.VWritelaneB32, 0, v.Type, s, g.imm(), v)
	}
	g.bl.Op(amdgpu.Mem(amdgpu.Global, amdgpu.StoreB32), 0, g.v(2), v)
	g.bl.Op(amdgpu.TRet, 0)
	return g.f
}

// diamonds is n branches, one behind the other, over which values live.
func diamonds(n int) *ir.Func {
	m := ir.NewModule(dialects.All(), nil)
	g := newMachineGen(3, m, target.Default())
	g.liveIns()
	for g.left = n; g.left > 0; {
		at := g.save()
		g.uniform(0)
		g.restore(at)
	}
	g.bl.Op(amdgpu.TRet, 0)
	return g.f
}

func allocated(f *ir.Func) time.Duration {
	c := &Ctx{Target: target.Default(), Mode: target.Default().Modes()[0], Diags: &ir.Diags{}, OptLevel: 2}
	start := time.Now()
	Regalloc(c, f)
	SSADestroy(c, f)
	return time.Since(start)
}

func TestRegallocIsLinear(t *testing.T) {
	for _, s := range []struct {
		name string
		make func(int) *ir.Func
	}{{"straight", straight}, {"chain", chain}, {"diamonds", diamonds}} {
		t.Run(s.name, func(t *testing.T) {
			requireLinear(t, 4000, func(n int) func() {
				f := s.make(n)
				return func() { allocated(f) }
			})
		})
	}
}

func BenchmarkRegalloc(b *testing.B) {
	for _, n := range []int{100, 1000, 10000, 100000} {
		b.Run(time.Duration(n).String(), func(b *testing.B) {
			total := time.Duration(0)
			for range b.N {
				total += allocated(straight(n))
			}
			b.ReportMetric(float64(total.Nanoseconds())/float64(b.N)/float64(n), "ns/instr")
		})
	}
}
