package fp

import "testing"

var sink uint64

func BenchmarkOps(b *testing.B) {
	for _, f := range allFormats {
		list := edges(f, 256)[64:]
		var x [128]uint64
		copy(x[:], list)
		for _, r := range []Round{RE, RZ} {
			m := Mode{Round: r}
			run := func(name string, op func(a, b, c uint64) uint64) {
				b.Run(name+"."+r.String()+"."+f.String(), func(b *testing.B) {
					b.ReportAllocs()
					var z uint64
					for i := 0; b.Loop(); i++ {
						z += op(x[i&127], x[(i*7+3)&127], x[(i*5+11)&127])
					}
					sink = z
				})
			}
			run("add", func(a, b, _ uint64) uint64 { return Add(f, m, a, b) })
			run("mul", func(a, b, _ uint64) uint64 { return Mul(f, m, a, b) })
			run("div", func(a, b, _ uint64) uint64 { return Div(f, m, a, b) })
			run("mad", func(a, b, c uint64) uint64 { return Mad(f, m, a, b, c) })
			run("sqrt", func(a, _, _ uint64) uint64 { return Sqrt(f, m, a) })
			run("rnd", func(a, _, _ uint64) uint64 { return Rnd(f, r, false, a) })
			run("toint", func(a, _, _ uint64) uint64 { return ToInt(32, true, f, r, a) })
			run("convert", func(a, _, _ uint64) uint64 { return Convert(F, f, m, a) })
			if r == RE && f != DF {
				run("rsqrt", func(a, _, _ uint64) uint64 { return Rsqrt(f, false, a) })
				run("sin", func(a, _, _ uint64) uint64 { return Sin(f, false, a) })
				run("exp2", func(a, _, _ uint64) uint64 { return Exp2(f, false, a) })
				run("log2", func(a, _, _ uint64) uint64 { return Log2(f, false, a) })
				run("tanh", func(a, _, _ uint64) uint64 { return Tanh(f, false, a) })
			}
		}
	}
}
