package fp

import (
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var exhaustive = flag.Bool("exhaustive", false, "test the transcendental functions on every 16-bit value and more of the others")

// The oracle of the transcendental functions: power series over math/big.

const prec = 560 // more than the exponents of F and the result need

func newFloat() *big.Float { return new(big.Float).SetPrec(prec) }

func fromInt(n int64) *big.Float { return newFloat().SetInt64(n) }

// sum adds first, first*step(1), first*step(1)*step(2), ... until terms vanish.
func sum(first *big.Float, step func(term *big.Float, i int64)) *big.Float {
	term := newFloat().Set(first)
	total := newFloat().Set(first)
	for i := int64(1); term.Sign() != 0 && term.MantExp(nil) > total.MantExp(nil)-prec; i++ {
		step(term, i)
		total.Add(total, term)
	}
	return total
}

// atanhSeries is atanh(s) for a small s.
func atanhSeries(s *big.Float) *big.Float {
	s2 := newFloat().Mul(s, s)
	power := newFloat().Set(s)
	total := newFloat().Set(s)
	for i := int64(3); power.Sign() != 0 && power.MantExp(nil) > total.MantExp(nil)-prec; i += 2 {
		power.Mul(power, s2)
		total.Add(total, newFloat().Quo(power, fromInt(i)))
	}
	return total
}

func arctanInverse(n int64) *big.Float {
	n2 := fromInt(-n * n)
	power := newFloat().Quo(fromInt(1), fromInt(n))
	total := newFloat().Set(power)
	for i := int64(3); power.MantExp(nil) > -prec; i += 2 {
		power.Quo(power, n2)
		total.Add(total, newFloat().Quo(power, fromInt(i)))
	}
	return total
}

var (
	bigPi = func() *big.Float { // Machin's formula
		a := newFloat().Mul(fromInt(16), arctanInverse(5))
		return a.Sub(a, newFloat().Mul(fromInt(4), arctanInverse(239)))
	}()
	bigLn2 = newFloat().Mul(fromInt(2), atanhSeries(newFloat().Quo(fromInt(1), fromInt(3))))
)

func bigExp(x *big.Float) *big.Float {
	return sum(fromInt(1), func(t *big.Float, i int64) { t.Mul(t, x).Quo(t, fromInt(i)) })
}

func nearestInt(x *big.Float) int64 {
	half := big.NewFloat(0.5)
	if x.Sign() < 0 {
		half.Neg(half)
	}
	n, _ := newFloat().Add(x, half).Int64()
	return n
}

func bigExp2(x *big.Float) *big.Float {
	n := nearestInt(x)
	r := newFloat().Sub(x, fromInt(n))
	return newFloat().SetMantExp(bigExp(r.Mul(r, bigLn2)), int(n))
}

func bigLog2(x *big.Float) *big.Float {
	m := newFloat()
	e := x.MantExp(m)
	if m.Cmp(big.NewFloat(0.7)) < 0 {
		m.Mul(m, fromInt(2))
		e--
	}
	s := newFloat().Quo(newFloat().Sub(m, fromInt(1)), newFloat().Add(m, fromInt(1)))
	l := newFloat().Quo(newFloat().Mul(fromInt(2), atanhSeries(s)), bigLn2)
	return l.Add(l, fromInt(int64(e)))
}

func bigTanh(x *big.Float) *big.Float {
	t := newFloat().Mul(x, fromInt(2))
	e := bigExp2(t.Quo(t, bigLn2))
	return newFloat().Quo(newFloat().Sub(e, fromInt(1)), newFloat().Add(e, fromInt(1)))
}

// bigSin is the sine of x plus quarter turns.
func bigSin(x *big.Float, quarters int64) *big.Float {
	halfPi := newFloat().Quo(bigPi, fromInt(2))
	k, _ := newFloat().Quo(x, halfPi).Int(nil)
	r := newFloat().Sub(x, newFloat().Mul(newFloat().SetInt(k), halfPi))
	quarters += new(big.Int).And(k, edge(3)).Int64()
	r2 := newFloat().Mul(r, r)
	r2.Neg(r2)
	var v *big.Float
	if quarters&1 == 0 {
		v = sum(r, func(t *big.Float, i int64) { t.Mul(t, r2).Quo(t, fromInt(2*i*(2*i+1))) })
	} else {
		v = sum(fromInt(1), func(t *big.Float, i int64) { t.Mul(t, r2).Quo(t, fromInt((2*i-1)*2*i)) })
	}
	if quarters&2 != 0 {
		v.Neg(v)
	}
	return v
}

type function struct {
	name   string
	op     func(Format, bool, uint64) uint64
	oracle func(x *big.Float) *big.Float
	cap    float64 // beyond this magnitude of the source the oracle is not asked
	beyond func(s *spec, a uint64) uint64
}

func saturated(lo, hi func(s *spec) uint64) func(*spec, uint64) uint64 {
	return func(s *spec, a uint64) uint64 {
		if a&s.sign != 0 {
			return lo(s)
		}
		return hi(s)
	}
}

func (s *spec) one() uint64 { return uint64(s.bias) << s.man }

var functions = []function{
	{"sin", Sin, func(x *big.Float) *big.Float { return bigSin(x, 0) }, math.MaxFloat64, nil},
	{"cos", Cos, func(x *big.Float) *big.Float { return bigSin(x, 1) }, math.MaxFloat64, nil},
	{"exp2", Exp2, bigExp2, 300, saturated(
		func(*spec) uint64 { return 0 }, func(s *spec) uint64 { return s.inf })},
	{"log2", Log2, bigLog2, math.MaxFloat64, nil},
	{"tanh", Tanh, bigTanh, 100, saturated(
		func(s *spec) uint64 { return s.one() | s.sign }, func(s *spec) uint64 { return s.one() })},
}

// nearestTo rounds an oracle's value.
func (s *spec) nearestTo(v *big.Float) uint64 {
	if v.Sign() == 0 {
		return 0
	}
	m := newFloat()
	e := v.MantExp(m)
	n, _ := m.SetMantExp(m, prec).Int(nil)
	neg, num, den := dyadic{n, e - prec}.over(unit)
	return s.bits(RE, neg, s.cutRatio(num, den))
}

func (s *spec) float(a uint64) *big.Float {
	v := s.value(a)
	f := newFloat().SetInt(v.mant)
	return f.SetMantExp(f, v.exp)
}

func transcendSources(f Format) []uint64 {
	s := &specs[f]
	list := edges(f, 250)
	rng := rand.New(rand.NewPCG(5, uint64(f)))
	n, stride := 1500, 97
	if *exhaustive {
		n, stride = 100000, 1
	}
	if f != F {
		for i := 0; i < 1<<16; i += stride {
			list = append(list, uint64(i))
		}
		return list
	}
	for range n {
		list = append(list, pattern(rng, f))
	}
	for range n / 4 {
		// Near multiples of π/2 sine and cosine are tiny, near 1 the logarithm.
		v := float64(float32(float64(rng.IntN(1<<rng.IntN(30))) * math.Pi / 2))
		list = append(list, fromFloat64(f, v), s.one()+rng.Uint64N(64)-32, s.one()+rng.Uint64N(1<<14)-1<<13)
		list = append(list, fromFloat64(f, rng.Float64()*300-150))
	}
	return list
}

func TestTranscendental(t *testing.T) {
	for _, fn := range functions {
		for _, f := range []Format{HF, BF, F} {
			t.Run(fn.name+"."+f.String(), func(t *testing.T) {
				t.Parallel()
				s := &specs[f]
				missed, tried := 0, 0
				for _, a := range transcendSources(f) {
					if s.isNaN(a) || s.isInf(a) || s.isZero(a) || fn.name == "log2" && a&s.sign != 0 {
						continue
					}
					x := s.float(a)
					var want uint64
					if v, _ := x.Float64(); math.Abs(v) > fn.cap {
						want = fn.beyond(s, a)
					} else {
						want = s.nearestTo(fn.oracle(x))
					}
					got := fn.op(f, false, a)
					if tried++; got != want {
						missed++
						if got != want+1 && got != want-1 {
							t.Fatalf("%s.%v %#x: %#x, want %#x", fn.name, f, a, got, want)
						}
					}
					check(t, fn.op(f, true, a), s.flushed(fn.op(f, false, s.flushed(a))), "%s.ftz.%v %#x", fn.name, f, a)
				}
				require.Greater(t, tried, 300)
				// 29 spare bits: a wrong rounding is one in some ten million.
				require.LessOrEqual(t, missed, tried/10000, "not correctly rounded")
			})
		}
	}
}

// TestTranscendentalSpecial pins zeros, infinities, NaN and domain errors.
func TestTranscendentalSpecial(t *testing.T) {
	for _, f := range []Format{HF, BF, F} {
		inf, nan, one, neg := f.Inf(), f.NaN(), f.One(), f.SignBit()
		for _, c := range []struct {
			name string
			op   func(Format, bool, uint64) uint64
			a    uint64
			want uint64
		}{
			{"sin 0", Sin, 0, 0}, {"sin -0", Sin, neg, neg}, {"sin inf", Sin, inf, nan}, {"sin -inf", Sin, neg | inf, nan},
			{"cos 0", Cos, 0, one}, {"cos -0", Cos, neg, one}, {"cos inf", Cos, inf, nan}, {"cos -inf", Cos, neg | inf, nan},
			{"exp2 0", Exp2, 0, one}, {"exp2 -0", Exp2, neg, one}, {"exp2 inf", Exp2, inf, inf}, {"exp2 -inf", Exp2, neg | inf, 0},
			{"log2 1", Log2, one, 0}, {"log2 0", Log2, 0, neg | inf}, {"log2 -0", Log2, neg, neg | inf},
			{"log2 inf", Log2, inf, inf}, {"log2 -1", Log2, neg | one, nan}, {"log2 -inf", Log2, neg | inf, nan},
			{"log2 -denormal", Log2, neg | 1, nan},
			{"tanh 0", Tanh, 0, 0}, {"tanh -0", Tanh, neg, neg}, {"tanh inf", Tanh, inf, one}, {"tanh -inf", Tanh, neg | inf, neg | one},
			{"sin nan", Sin, nan | neg | 1, nan | neg | 1}, {"tanh snan", Tanh, inf | 1, nan | 1},
		} {
			check(t, c.op(f, false, c.a), c.want, "%s.%v", c.name, f)
		}
		check(t, Log2(f, true, 1), neg|inf, "log2.ftz.%v of a denormal", f)
		check(t, Log2(f, true, neg|1), neg|inf, "log2.ftz.%v of a negative denormal", f)
		check(t, Rcp(f, true, 1), inf, "rcp.ftz.%v of a denormal", f)
		check(t, Rsqrt(f, true, neg|1), neg|inf, "rsqrt.ftz.%v of a negative denormal", f)
	}
	require.Panics(t, func() { Sin(DF, false, 0) })
}

// TestHugeAngles compares with the reduction of other implementations: known
// values of sin(2^k), and the F closest to a multiple of π/2.
func TestHugeAngles(t *testing.T) {
	s := &specs[F]
	for k := uint64(0); k < 128; k++ {
		a := (127 + k) << 23
		check(t, Sin(F, false, a), s.nearestTo(bigSin(s.float(a), 0)), "sin 2^%d", k)
		check(t, Cos(F, false, a), s.nearestTo(bigSin(s.float(a), 1)), "cos 2^%d", k)
		require.InDelta(t, math.Sin(f64(Convert(DF, F, Mode{}, a))), toFloat64(F, Sin(F, false, a)), 1e-7, "math.Sin(2^%d)", k)
	}
	hard := uint64(0x6f79be45) // 16367173 * 2^72, about 2^-30 beside an odd multiple of π/2
	check(t, Cos(F, false, hard), s.nearestTo(bigSin(s.float(hard), 1)), "cos of the hardest case")
	require.Less(t, math.Abs(toFloat64(F, Cos(F, false, hard))), 1e-8)
}

func TestTwoOverPi(t *testing.T) {
	v := newFloat().Quo(fromInt(2), bigPi)
	n, _ := v.SetMantExp(v, 64*(len(twoOverPi)-1)).Int(nil)
	for i := len(twoOverPi) - 1; i >= 0; i-- {
		require.Equal(t, new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64(), twoOverPi[i])
		n.Rsh(n, 64)
	}
}
