package isel

import (
	"flag"
	"math/bits"
	"math/rand/v2"
	"testing"

	"pisac/dialects/pisa"
	"pisac/ir"
)

var sweep = flag.Bool("sweep", false, "try the functions of one float on every 16-bit operand and a million others")

// TestHardDivisions: divisors next below powers of two, whose reciprocals lie
// beside the middle of two numbers, and quotients beside one.
func TestHardDivisions(t *testing.T) {
	n := 200 * *floatsMore
	for _, o := range floatOps(pisa.FDiv) {
		ty := pisa.TypeOf(o.p)
		if ty != pisa.F && ty != pisa.DF {
			continue
		}
		f := ty.Format()
		p := f.Mantissa() + 1
		r := rand.New(rand.NewPCG(2, uint64(o.p)))
		o.tryValues(t, "gfx1100", func(do func(x [3]uint64)) {
			for range n {
				d := f.One() + 1<<f.Mantissa() - 1 - uint64(r.IntN(1<<r.IntN(12)))
				// a/d = q + half a step + δ with a small δ: a = (2q+1)·d/2 ± 1.
				m := uint64(1)<<(p-1) | r.Uint64()>>(65-p)
				hi, lo := bits.Mul64(2*m+1, d&(1<<f.Mantissa()-1)|1<<f.Mantissa())
				a := hi<<(64-p) | lo>>p
				if a == 0 {
					continue
				}
				k := bits.Len64(a) - p
				if k > 0 {
					a >>= k
				} else {
					a <<= -k
				}
				a += uint64(r.IntN(3)) - 1
				a = f.One()&^(1<<f.Mantissa()-1) | a&(1<<f.Mantissa()-1)
				do([3]uint64{a, d})
				do([3]uint64{a - uint64(r.IntN(40))<<f.Mantissa(), d + uint64(r.IntN(40))<<f.Mantissa()})
				do([3]uint64{f.One() + uint64(r.IntN(50)), d})
			}
		})
	}
}

// TestSweep tries the functions of one operand.
func TestSweep(t *testing.T) {
	if !*sweep {
		return
	}
	for _, c := range []ir.Code{pisa.FSin, pisa.FCos, pisa.FTanh, pisa.FExp2, pisa.FLog2, pisa.FRcp, pisa.FRsqrt, pisa.FSqrt} {
		t.Run(pisa.RowOf(c).Name, func(t *testing.T) {
			for _, o := range floatOps(c) {
				ty := pisa.TypeOf(o.p)
				if ty.Packed() {
					continue
				}
				r := rand.New(rand.NewPCG(3, uint64(o.p)))
				o.tryValues(t, "gfx1100", func(do func(x [3]uint64)) {
					if ty.Info().Bits == 16 {
						for a := range uint64(1 << 16) {
							do([3]uint64{a})
						}
						return
					}
					for range 300000 {
						do([3]uint64{randomFloat(r, ty.Format())})
						do([3]uint64{r.Uint64() >> (64 - ty.Info().Bits)})
					}
				})
			}
		})
	}
}
