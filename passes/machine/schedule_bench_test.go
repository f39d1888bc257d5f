package machine

import (
	"testing"

	"pisac/dialects"
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// straightLine is a kernel of one block of n random instructions.
func straightLine(n int, wide bool) *ir.Func {
	g := newMachineGen(7, ir.NewModule(dialects.All(), nil), target.ByName("gfx1100"))
	g.left, g.wide = n, wide
	g.liveIns()
	for g.left > 0 {
		g.op()
	}
	g.bl.Op(amdgpu.TRet, 0)
	return g.f
}

func BenchmarkSchedule(b *testing.B) {
	for _, x := range []struct {
		name string
		n    int
		wide bool
	}{{"300", 300, false}, {"300wide", 300, true}, {"30000wide", 30000, true}} {
		b.Run(x.name, func(b *testing.B) {
			tt := target.ByName("gfx1100")
			f := straightLine(x.n, x.wide)
			for b.Loop() {
				c := &Ctx{Target: tt, Mode: tt.Modes()[0], Diags: &ir.Diags{}, OptLevel: 2}
				Schedule(c, f)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(x.n), "ns/op")
		})
	}
}
