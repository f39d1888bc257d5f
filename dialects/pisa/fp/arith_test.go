package fp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

type binary struct {
	name   string
	op     func(Format, Mode, uint64, uint64) uint64
	oracle func(*spec, uint64, uint64) result
}

var binaries = []binary{
	{"add", Add, (*spec).add},
	{"sub", Sub, (*spec).sub},
	{"mul", Mul, (*spec).mul},
	{"div", Div, (*spec).div},
}

// check keeps testify out of loops that run a million times.
func check(t *testing.T, got, want uint64, format string, args ...any) {
	if got != want {
		t.Helper()
		args = append(args, got, want)
		t.Fatalf(format+": %#x, want %#x", args...)
	}
}

func TestBinaryOnEdgePairs(t *testing.T) {
	eachFormat(t, func(t *testing.T, f Format) {
		s := &specs[f]
		list := edges(f, 160)
		for _, op := range binaries {
			for _, a := range list {
				for _, b := range list {
					want := op.oracle(s, a, b)
					for _, r := range allRounds {
						check(t, op.op(f, Mode{Round: r}, a, b), s.round(r, want), "%s.%v.%v %#x %#x", op.name, r, f, a, b)
					}
				}
			}
		}
	})
}

func TestMadOnEdgeTriples(t *testing.T) {
	eachFormat(t, func(t *testing.T, f Format) {
		s := &specs[f]
		all := edges(f, 160)
		var list []uint64
		for i := 0; i < len(all); i += 3 {
			list = append(list, all[i])
		}
		for _, a := range list {
			for _, b := range list {
				for _, c := range list {
					want := s.mad(a, b, c)
					for _, r := range allRounds {
						check(t, Mad(f, Mode{Round: r}, a, b, c), s.round(r, want), "mad.%v.%v %#x %#x %#x", r, f, a, b, c)
					}
				}
			}
		}
	})
}

// TestFlags draws operands and flags at random, with exponents close enough for
// cancellation half of the time.
func TestFlags(t *testing.T) {
	const rounds = 40000
	eachFormat(t, func(t *testing.T, f Format) {
		s := &specs[f]
		rng := rand.New(rand.NewPCG(1, uint64(f)))
		for range rounds {
			m := Mode{Round: allRounds[rng.IntN(5)], FTZ: rng.IntN(2) == 0, DSat: rng.IntN(3) == 0}
			a, b, c := pattern(rng, f), pattern(rng, f), pattern(rng, f)
			if rng.IntN(2) == 0 {
				b = near(rng, f, a)
			}
			if rng.IntN(2) == 0 { // a*b and c of about the same size
				c = near(rng, f, Mul(f, Mode{}, a, b))
			}
			fa, fb, fc := a, b, c
			if m.FTZ {
				fa, fb, fc = s.flushed(a), s.flushed(b), s.flushed(c)
			}
			flags := func(x result) uint64 {
				z := s.round(m.Round, x)
				if m.FTZ {
					z = s.flushed(z)
				}
				if m.DSat {
					z = s.unitInterval(z)
				}
				return z
			}
			for _, op := range binaries {
				check(t, op.op(f, m, a, b), flags(op.oracle(s, fa, fb)), "%s.%v %+v %#x %#x", op.name, f, m, a, b)
			}
			check(t, Mad(f, m, a, b, c), flags(s.mad(fa, fb, fc)), "mad.%v %+v %#x %#x %#x", f, m, a, b, c)
			check(t, Sqrt(f, m, a), flags(s.sqrt(fa)), "sqrt.%v %+v %#x", f, m, a)
		}
	})
}

// TestMadCancels subtracts from a product its own rounded value: what is left
// are the low bits that a second rounding would lose.
func TestMadCancels(t *testing.T) {
	for _, f := range allFormats {
		s := &specs[f]
		rng := rand.New(rand.NewPCG(2, uint64(f)))
		for range 20000 {
			a := pattern(rng, f)
			b := near(rng, f, a)
			c := Mul(f, Mode{Round: allRounds[rng.IntN(5)]}, a, b) ^ s.sign
			c += rng.Uint64N(3) - 1
			c &= s.sign<<1 - 1
			want := s.mad(a, b, c)
			for _, r := range allRounds {
				check(t, Mad(f, Mode{Round: r}, a, b, c), s.round(r, want), "mad.%v.%v %#x %#x %#x", r, f, a, b, c)
			}
		}
	}
}

// TestMadRoundsOnce holds sums that lie 2^-36 of the addend's last place beside
// the middle between two F values: rounded to binary64 first, they would become
// ties. The product is (1+x)(1-x+x²) = 1+x³ for x = 2^-12.
func TestMadRoundsOnce(t *testing.T) {
	for _, c := range []struct{ a, b, c, want uint64 }{
		{0x3f800800, 0x3f7ff001, 0x4b800000, 0x4b800001},
		{0xbf800800, 0x3f7ff001, 0x4b800002, 0x4b800001},
		{0x3f800800, 0x3f7ff001, 0xcb800002, 0xcb800001},
		{0x1c800800, 0x177ff001, 0x00400000, 0x00400001},
		{0x9c800800, 0x177ff001, 0x00400002, 0x00400001},
	} {
		check(t, Mad(F, Mode{}, c.a, c.b, c.c), c.want, "mad %#x", c)
	}
	// The same for DF with x = 2^-25, ties away: 2^53+4 - (1 + 2^-75).
	a, b, c := math.Float64bits(-1-0x1p-25), math.Float64bits(1-0x1p-25+0x1p-50), math.Float64bits(1<<53+4)
	check(t, Mad(DF, Mode{Round: RNA}, a, b, c), math.Float64bits(1<<53+2), "mad.rna.df")
}

func TestMulFull(t *testing.T) {
	for _, f := range []Format{HF, BF} {
		s, w := &specs[f], &specs[F]
		list := edges(f, 100)
		for _, a := range list {
			for _, b := range list {
				for _, r := range allRounds {
					for _, ftz := range []bool{false, true} {
						x, y := a, b
						if ftz {
							x, y = s.flushed(a), s.flushed(b)
						}
						x, y = w.round(RE, w.convert(s, x)), w.round(RE, w.convert(s, y))
						want := w.round(r, w.mul(x, y))
						if ftz {
							want = w.flushed(want)
						}
						check(t, MulFull(f, Mode{Round: r, FTZ: ftz}, a, b), want, "mul.full.%v.%v %#x %#x", r, f, a, b)
					}
				}
			}
		}
	}
	require.Equal(t, uint64(0x27800000), MulFull(HF, Mode{}, 1, 1), "2^-24 squared is a normal F")
}

// TestSpecialResults pins the values that IEEE 754 and PISA name.
func TestSpecialResults(t *testing.T) {
	const (
		one, negOne   = 0x3f800000, 0xbf800000
		inf, negInf   = 0x7f800000, 0xff800000
		zero, negZero = 0, 0x80000000
		nan, snan     = 0x7fc00000, 0xff800123
		big           = 0x7f7fffff
	)
	for _, c := range []struct {
		name string
		got  uint64
		want uint64
	}{
		{"x-x to nearest", Sub(F, Mode{}, one, one), zero},
		{"x-x down", Sub(F, Mode{Round: RD}, one, one), negZero},
		{"0+-0 down", Add(F, Mode{Round: RD}, zero, negZero), negZero},
		{"-0+-0", Add(F, Mode{}, negZero, negZero), negZero},
		{"inf-inf", Sub(F, Mode{}, inf, inf), nan},
		{"0*inf", Mul(F, Mode{}, negZero, inf), nan},
		{"0/0", Div(F, Mode{}, zero, negZero), nan},
		{"inf/inf", Div(F, Mode{}, negInf, inf), nan},
		{"-1/0", Div(F, Mode{}, negOne, zero), negInf},
		{"sqrt -1", Sqrt(F, Mode{}, negOne), nan},
		{"sqrt -0", Sqrt(F, Mode{}, negZero), negZero},
		{"sNaN quieted", Add(F, Mode{}, one, snan), snan | 0x400000},
		{"first NaN", Add(F, Mode{}, nan|7, snan), nan | 7},
		{"sub keeps a NaN's sign", Sub(F, Mode{}, one, nan|7), nan | 7},
		{"third NaN", Mad(F, Mode{}, zero, inf, nan|9), nan | 9},
		{"overflow to nearest", Mul(F, Mode{}, big, big), inf},
		{"overflow toward zero", Mul(F, Mode{Round: RZ}, big, big), big},
		{"overflow down", Mul(F, Mode{Round: RD}, big, big), big},
		{"negative overflow down", Mul(F, Mode{Round: RD}, big|negZero, big), negInf},
		{"overflow up", Mul(F, Mode{Round: RU}, big, big), inf},
		{"overflow ties away", Mul(F, Mode{Round: RNA}, big, big), inf},
		{"dsat above", Add(F, Mode{DSat: true}, one, one), one},
		{"dsat below", Add(F, Mode{DSat: true}, negOne, negOne), zero},
		{"dsat NaN", Mul(F, Mode{DSat: true}, zero, inf), zero},
		{"dsat -0", Add(F, Mode{DSat: true}, negZero, negZero), zero},
		{"ftz source", Add(F, Mode{FTZ: true}, 0x80000001, 0x80000001), negZero},
		{"ftz result", Mul(F, Mode{FTZ: true}, 0x80800000, 0x3f000000), negZero},
		{"ftz after rounding", Mul(F, Mode{FTZ: true}, 0x00800001, 0x3f7fffff), 0x00800000},
		{"0.5 ulp below the least normal", Mul(F, Mode{FTZ: true}, 0x00ffffff, 0x3f000000), 0x00800000},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equalf(t, c.want, c.got, "got %#x, want %#x", c.got, c.want) })
	}
}

func TestNoAllocation(t *testing.T) {
	var sink uint64
	for _, f := range allFormats {
		one, a := f.One(), f.One()+3
		n := testing.AllocsPerRun(10, func() {
			for _, r := range allRounds {
				m := Mode{Round: r, FTZ: true, DSat: true}
				sink += Add(f, m, a, one) + Mul(f, m, a, a) + Div(f, m, one, a) + Mad(f, m, a, a, one) + Sqrt(f, m, a)
				sink += Rnd(f, r, true, a) + ToInt(32, true, f, r, a) + FromInt(f, 64, true, m, a)
			}
			sink += Rsqrt(f, true, a)
			if f != DF {
				sink += Sin(f, true, a) + Cos(f, true, a) + Exp2(f, true, a) + Log2(f, true, a) + Tanh(f, true, a)
			}
		})
		require.Zero(t, n, f)
	}
	_ = sink
}
