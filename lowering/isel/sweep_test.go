package isel

import (
	"flag"
	"math/bits"
	"math/rand/v2"
	"testing"

	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
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

// TestEndsOfFunctions: powers beside the least normal number and the ends of the
// range, which the approximation may miss by a step.
func TestEndsOfFunctions(t *testing.T) {
	for _, o := range floatOps(pisa.FExp2) {
		f := pisa.TypeOf(o.p).Format()
		if pisa.TypeOf(o.p).Packed() || f == fp.HF {
			continue
		}
		o.tryValues(t, "gfx1100", func(do func(x [3]uint64)) {
			for n := -152; n <= 130; n++ {
				a := fp.FromInt(f, 32, true, fp.Mode{}, uint64(n)&0xffffffff)
				for d := range uint64(3) {
					do([3]uint64{a + d - 1&(f.SignBit()<<1-1)})
				}
			}
		})
	}
}

// TestTies: results that lie half-way between two numbers, normal and denormal,
// in every mode.
func TestTies(t *testing.T) {
	for _, c := range []ir.Code{pisa.FAdd, pisa.FSub, pisa.FMul, pisa.FMad, pisa.FDiv} {
		for _, o := range floatOps(c) {
			ty := pisa.TypeOf(o.p)
			if ty.Packed() || pisa.Has(o.p, pisa.FFull) || pisa.Has(o.p, pisa.FFast) {
				continue
			}
			f := ty.Format()
			r := rand.New(rand.NewPCG(4, uint64(o.p)))
			p := f.Mantissa() + 1
			exact := func(m uint64, e int) uint64 {
				return fp.Mul(f, fp.Mode{}, fp.FromInt(f, 64, false, fp.Mode{}, m), power(f, e))
			}
			odd := func(bits int) uint64 { return r.Uint64()>>(64-bits) | 1 }
			sign := func() uint64 { return f.SignBit() * uint64(r.IntN(2)) }
			o.tryValues(t, "gfx942", func(do func(x [3]uint64)) {
				for range 30 * *floatsMore {
					low := f.Bias() + f.Mantissa() // 2^-low is half the least denormal
					e := []int{0, 3, -low + 2*p + 5, r.IntN(max(1, f.Bias()-2*p))}[r.IntN(4)]
					// A sum: n + an odd number of halves of its last bit.
					n := 1<<(p-1) | r.Uint64()>>(65-p)
					k := r.IntN(p - 1)
					a, b := exact(n, e+1), exact(odd(k+1), e)
					switch c {
					case pisa.FAdd, pisa.FSub:
						do([3]uint64{a ^ sign(), b ^ sign()})
						do([3]uint64{b ^ sign(), a ^ sign()})
					case pisa.FMul:
						i := 1 + r.IntN(p-1)
						x, y := exact(odd(i), e), exact(odd(p+1-i), -r.IntN(3))
						do([3]uint64{x ^ sign(), y ^ sign()})
						// An odd multiple of half the least denormal.
						do([3]uint64{exact(odd(i), -low+p) ^ sign(), exact(odd(p-i), -p) ^ sign()})
					case pisa.FMad:
						i := 1 + r.IntN(k+1)
						x, y := exact(odd(i), e), exact(odd(k+2-i), 0)
						do([3]uint64{x ^ sign(), y ^ sign(), a ^ sign()})
						do([3]uint64{exact(odd(i), -low+p) ^ sign(), exact(odd(p-i), -p) ^ sign(), exact(odd(k+1), 1-low) ^ sign()})
						do([3]uint64{exact(odd(i), -low+p) ^ sign(), exact(odd(p-i), -p) ^ sign(), sign()})
					case pisa.FDiv:
						i := 1 + r.IntN(p/2)
						d := odd(i)
						q := odd(p - i)
						do([3]uint64{exact(q*d, 10-low) ^ sign(), exact(d, 10) ^ sign()})
					}
				}
			})
		}
	}
}

func power(f fp.Format, e int) uint64 {
	if e < 1-f.Bias() {
		return uint64(1) << max(e+f.Bias()+f.Mantissa()-1, 0)
	}
	return uint64(e+f.Bias()) << f.Mantissa()
}
