package fp

import (
	"math"
	"math/bits"
)

// The transcendental instructions exist for HF, BF and F. They are computed in
// binary64 with an error of a few units there and rounded once to the format,
// so that the result is nearly always the correctly rounded one, and always
// within the bounds that PISA 2 sets. Products are converted explicitly, which
// keeps Go from fusing them into the sum that follows: results are the same on
// every machine.

// transcend is the frame of these functions: it flushes, deals with NaN, and
// evaluates fn on a number.
func transcend(f Format, ftz bool, a uint64, fn func(float64) float64) uint64 {
	l := &layouts[f]
	if f == DF {
		panic("fp: PISA has no such instruction for df")
	}
	if l.isNaN(a) {
		return a | l.quiet
	}
	if ftz {
		a = l.flush(a)
	}
	v := fn(toFloat64(f, a))
	if v != v {
		return l.nan
	}
	return l.finish(Mode{FTZ: ftz}, fromFloat64(f, v))
}

// Sin returns the sine of a in radians; NaN for an infinity (PISA 2.15).
func Sin(f Format, ftz bool, a uint64) uint64 { return transcend(f, ftz, a, sin) }

// Cos returns the cosine of a in radians; NaN for an infinity (PISA 2.3).
func Cos(f Format, ftz bool, a uint64) uint64 { return transcend(f, ftz, a, cos) }

// Exp2 returns two to the power of a (PISA 2.5).
func Exp2(f Format, ftz bool, a uint64) uint64 { return transcend(f, ftz, a, exp2) }

// Log2 returns the base-2 logarithm of a: -inf for either zero, NaN below
// (PISA 2.6).
func Log2(f Format, ftz bool, a uint64) uint64 { return transcend(f, ftz, a, log2) }

// Tanh returns the hyperbolic tangent of a (PISA 2.18).
func Tanh(f Format, ftz bool, a uint64) uint64 { return transcend(f, ftz, a, tanh) }

// twoOverPi holds the fraction bits of 2/π after a word of zeros, enough of
// them for the greatest exponent of F and BF.
var twoOverPi = [...]uint64{
	0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
}

// reduce splits a finite x of at most 24 mantissa bits into q*π/2 + r with
// |r| <= π/4, where q counts modulo 4.
func reduce(x float64) (q uint, r float64) {
	if math.Abs(x) <= math.Pi/4 {
		return 0, x
	}
	b := math.Float64bits(x)
	m := (b&(1<<52-1) | 1<<52) >> 29
	shift := int(b>>52&0x7ff) - 1023 - 23 // |x| = m * 2^shift
	// Bits of 2/π that make m*2^shift*2/π a multiple of 4 do not matter. The
	// next 128 give the product with 2 integer bits and an error below 2^-102;
	// no F comes closer than 2^-33 to a multiple of π/2.
	at := uint(64 + shift - 2)
	w := twoOverPi[at/64:][:3]
	at %= 64
	hi, lo := bits.Mul64(m, w[1]<<at|w[2]>>1>>(63-at))
	hi += m * (w[0]<<at | w[1]>>1>>(63-at))
	q = uint(hi >> 62)
	hi, lo = hi<<2|lo>>62, lo<<2
	negative := hi>>63 != 0
	if negative { // take the fraction from the nearer quadrant
		q++
		hi, lo = ^hi, ^lo
	}
	n := 0
	if hi == 0 {
		hi, lo, n = lo, 0, 64
	}
	if hi != 0 {
		z := bits.LeadingZeros64(hi)
		hi = hi<<uint(z) | lo>>(64-uint(z))
		n += z
	}
	r = float64(hi) * power2(-64-n) * (math.Pi / 2)
	if negative != (x < 0) {
		r = -r
	}
	if x < 0 {
		q = -q
	}
	return q & 3, r
}

// power2 is 2^n for an n in the normal range.
func power2(n int) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

func sin(x float64) float64 {
	if math.Abs(x) > math.MaxFloat64 {
		return math.NaN()
	}
	if x == 0 {
		return x
	}
	q, r := reduce(x)
	return quadrant(q, r)
}

func cos(x float64) float64 {
	if math.Abs(x) > math.MaxFloat64 {
		return math.NaN()
	}
	q, r := reduce(x)
	return quadrant(q+1, r)
}

// quadrant is sin(q*π/2 + r).
func quadrant(q uint, r float64) float64 {
	v := 0.0
	if r2 := float64(r * r); q&1 == 0 {
		v = r + float64(float64(r*r2)*series(sinTerms, r2))
	} else {
		v = 1 + float64(r2*series(cosTerms, r2))
	}
	if q&2 != 0 {
		v = -v
	}
	return v
}

// Taylor coefficients. At the ends of the reduced ranges the first term left
// out is below 2^-57 of the result.
var (
	sinTerms = []float64{ // sin(r) = r + r*(r²*c0 + r⁴*c1 + ...)
		-1. / 6, 1. / 120, -1. / 5040, 1. / 362880, -1. / 39916800, 1. / 6227020800,
		-1. / 1307674368000, 1. / 355687428096000,
	}
	cosTerms = []float64{ // cos(r) = 1 + r²*c0 + r⁴*c1 + ...
		-1. / 2, 1. / 24, -1. / 720, 1. / 40320, -1. / 3628800, 1. / 479001600,
		-1. / 87178291200, 1. / 20922789888000, -1. / 6402373705728000,
	}
	expTerms = []float64{ // e^t - 1 = t*(c0 + t*c1 + ...)
		1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880,
		1. / 3628800, 1. / 39916800, 1. / 479001600, 1. / 6227020800, 1. / 87178291200,
	}
	atanhTerms = []float64{ // atanh(s) = s + s³*(c0 + s²*c1 + ...)
		1. / 3, 1. / 5, 1. / 7, 1. / 9, 1. / 11, 1. / 13, 1. / 15, 1. / 17, 1. / 19, 1. / 21, 1. / 23,
	}
)

// series evaluates c[0] + t*c[1] + t²*c[2] + ...
func series(c []float64, t float64) float64 {
	v := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		v = float64(v*t) + c[i]
	}
	return v
}

// expm1 is e^t - 1 for |t| <= 0.36.
func expm1(t float64) float64 { return float64(t * series(expTerms, t)) }

func exp2(x float64) float64 {
	// Beyond, the result is infinite or rounds to zero in every format here.
	if x > 200 {
		return math.Inf(1)
	}
	if x < -200 {
		return 0
	}
	n := math.RoundToEven(x)
	return (1 + expm1(float64((x-n)*math.Ln2))) * power2(int(n))
}

func log2(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	}
	b := math.Float64bits(x)
	e := int(b>>52) - 1023
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	if m > math.Sqrt2 {
		m /= 2
		e++
	}
	s := (m - 1) / (m + 1)
	s2 := float64(s * s)
	t := s + float64(float64(s*s2)*series(atanhTerms, s2))
	return float64(e) + float64(t*(2*math.Log2E))
}

func tanh(x float64) float64 {
	t := 2 * math.Abs(x)
	var v float64
	switch {
	case t < 0.36:
		p := expm1(t)
		v = p / (p + 2)
	case t < 60:
		v = 1 - 2/(exp2(float64(t*math.Log2E))+1)
	default:
		v = 1
	}
	return math.Copysign(v, x)
}
