package emu

import (
	"math"
	"math/big"
	"math/bits"
)

// Rounding modes as MODE.fp_round encodes them (RDNA3 ISA 3.3.2).
const (
	roundEven = 0
	roundUp   = 1
	roundDown = 2
	roundZero = 3
)

// fpMode is what of the MODE register floating-point instructions obey
// (RDNA3 ISA 3.3.2, 3.3.3). Denormal fields: bit 0 keeps those of operands,
// bit 1 those of results.
type fpMode struct {
	round32, round64 uint8 // single; double and half
	den32, den64     uint8
	gfx9             bool // NaN and 16-bit rules of GFX9
	num              bool // GFX12: min and max are IEEE's minimumNumber
	approx           uint64
	bad              string // what an instruction found unspecified
}

// setMode takes bits 7:0 of MODE.
func (m *fpMode) setMode(v uint8) {
	m.round32, m.round64 = v&3, v>>2&3
	m.den32, m.den64 = v>>4&3, v>>6&3
}

func (m *fpMode) bits() uint8 {
	return m.round32 | m.round64<<2 | m.den32<<4 | m.den64<<6
}

// format is an IEEE binary format.
type format struct {
	mant, exp int // bits of each field
}

var (
	half   = format{10, 5}
	single = format{23, 8}
	double = format{52, 11}
)

func (f *format) width() int    { return f.mant + f.exp + 1 }
func (f *format) sign() uint64  { return 1 << (f.mant + f.exp) }
func (f *format) inf() uint64   { return (1<<f.exp - 1) << f.mant }
func (f *format) quiet() uint64 { return 1 << (f.mant - 1) }
func (f *format) nan() uint64   { return f.inf() | f.quiet() }
func (f *format) max() uint64   { return f.inf() - 1 }
func (f *format) one() uint64   { return (1<<(f.exp-1) - 1) << f.mant }
func (f *format) bias() int     { return 1<<(f.exp-1) - 1 }
func (f *format) isNaN(b uint64) bool {
	return b&^f.sign() > f.inf()
}
func (f *format) isDenorm(b uint64) bool {
	return b&f.inf() == 0 && b&(1<<f.mant-1) != 0
}
func (f *format) isZero(b uint64) bool { return b&^f.sign() == 0 }

// value is the number that b encodes; exact.
func (f *format) value(b uint64) float64 {
	switch f.mant {
	case 52:
		return math.Float64frombits(b)
	case 23:
		return float64(math.Float32frombits(uint32(b)))
	}
	mant, exp := b&(1<<f.mant-1), int(b>>f.mant&(1<<f.exp-1))
	x := float64(mant)
	switch {
	case exp == 1<<f.exp-1 && mant != 0:
		return math.NaN()
	case exp == 1<<f.exp-1:
		x = math.Inf(1)
	case exp == 0:
		x = math.Ldexp(x, 1-f.bias()-f.mant)
	default:
		x = math.Ldexp(x+float64(uint64(1)<<f.mant), exp-f.bias()-f.mant)
	}
	if b&f.sign() != 0 {
		x = -x
	}
	return x
}

// narrow rounds x, no NaN, to f by mode rm. x is exact or rounded to odd, so
// that the second rounding is the right one.
func (f *format) narrow(x float64, rm uint8) uint64 {
	b := math.Float64bits(x)
	neg := b>>63 != 0
	sign := uint64(0)
	if neg {
		sign = f.sign()
	}
	sig, e := b&(1<<52-1), int(b>>52&0x7ff)
	switch {
	case e == 0x7ff:
		return sign | f.inf()
	case e == 0 && sig == 0:
		return sign
	case e == 0:
		n := bits.LeadingZeros64(sig) - 11
		sig, e = sig<<n, 1-n
	default:
		sig |= 1 << 52
	}
	e -= 1023
	shift := 52 - f.mant
	emin := 1 - f.bias()
	if e < emin {
		shift += emin - e
		e = emin
	}
	q, up := roundBits(sig, shift, rm, neg)
	if up {
		q++
	}
	// The hidden bit of q, if there, adds the one that is missing here.
	r := uint64(e+f.bias()-1)<<f.mant + q
	if r >= f.inf() {
		return sign | f.overflow(rm, neg)
	}
	return sign | r
}

// roundBits is sig >> shift, and whether mode rm rounds it away from zero.
func roundBits(sig uint64, shift int, rm uint8, neg bool) (q uint64, up bool) {
	rest, halfway := sig, uint64(0)
	if shift < 64 {
		q, rest = sig>>shift, sig&(1<<shift-1)
		if shift > 0 {
			halfway = 1 << (shift - 1)
		}
	}
	switch rm {
	case roundEven:
		up = halfway != 0 && (rest > halfway || rest == halfway && q&1 != 0)
	case roundUp:
		up = rest != 0 && !neg
	case roundDown:
		up = rest != 0 && neg
	}
	return q, up
}

// overflow is what a result beyond the largest number becomes.
func (f *format) overflow(rm uint8, neg bool) uint64 {
	if rm == roundZero || rm == roundUp && neg || rm == roundDown && !neg {
		return f.max()
	}
	return f.inf()
}

// odd is s if e is 0, else the neighbour of s toward s+e or s itself, whichever
// has an odd last bit: the sum s+e rounded to odd.
func odd(s, e float64) float64 {
	b := math.Float64bits(s)
	if e == 0 || b&1 != 0 || math.IsInf(s, 0) {
		return s
	}
	if (e > 0) == (s > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// sumOdd is a+b rounded to odd (Knuth's exact error of a sum).
func sumOdd(a, b float64) float64 {
	s := a + b
	t := s - a
	e := (a - (s - t)) + (b - t)
	return odd(s, e)
}

// rounding and denormal modes of f.
func (m *fpMode) round(f *format) uint8 {
	if f.mant == 23 {
		return m.round32
	}
	return m.round64
}

func (m *fpMode) denorm(f *format) uint8 {
	if f.mant == 23 {
		return m.den32
	}
	return m.den64
}

// in is an operand as the instruction sees it.
func (m *fpMode) in(f *format, b uint64) uint64 {
	if m.denorm(f)&1 == 0 && b&f.inf() == 0 {
		return b & f.sign()
	}
	return b
}

func (m *fpMode) out(f *format, b uint64) uint64 {
	if m.denorm(f)&2 == 0 && b&f.inf() == 0 {
		return b & f.sign()
	}
	return b
}

// nan2 is the result if an operand is NaN: the first such, quiet.
func (f *format) nan2(a, b uint64) (uint64, bool) {
	switch {
	case f.isNaN(a):
		return a | f.quiet(), true
	case f.isNaN(b):
		return b | f.quiet(), true
	}
	return 0, false
}

// zeroSum is the sign of an exact zero sum of numbers of both signs.
func zeroSum(rm uint8) float64 {
	if rm == roundDown {
		return math.Copysign(0, -1)
	}
	return 0
}

// add is a+b in f.
func (m *fpMode) add(f *format, a, b uint64) uint64 {
	a, b = m.in(f, a), m.in(f, b)
	if r, ok := f.nan2(a, b); ok {
		return r
	}
	x, y, rm := f.value(a), f.value(b), m.round(f)
	s := x + y
	switch {
	case math.IsNaN(s):
		return f.nan()
	case s == 0 && (x != 0 || math.Signbit(x) != math.Signbit(y)):
		s = zeroSum(rm)
	case f.mant != 52:
		s = sumOdd(x, y)
	case rm != roundEven && !math.IsInf(x, 0) && !math.IsInf(y, 0):
		return m.out(f, roundBig(new(big.Float).SetPrec(exact).Add(big.NewFloat(x), big.NewFloat(y)), rm))
	}
	if f.mant == 52 {
		return m.out(f, math.Float64bits(s))
	}
	return m.out(f, f.narrow(s, rm))
}

// mul is a×b in f. The product of two single or half numbers is exact.
func (m *fpMode) mul(f *format, a, b uint64) uint64 {
	a, b = m.in(f, a), m.in(f, b)
	if r, ok := f.nan2(a, b); ok {
		return r
	}
	x, y, rm := f.value(a), f.value(b), m.round(f)
	p := x * y
	switch {
	case math.IsNaN(p):
		return f.nan()
	case f.mant != 52:
		return m.out(f, f.narrow(p, rm))
	case rm != roundEven && !math.IsInf(x, 0) && !math.IsInf(y, 0) && x != 0 && y != 0:
		return m.out(f, roundBig(new(big.Float).SetPrec(exact).Mul(big.NewFloat(x), big.NewFloat(y)), rm))
	}
	return m.out(f, math.Float64bits(p))
}

// fma is a×b+c in f, rounded once.
func (m *fpMode) fma(f *format, a, b, c uint64) uint64 {
	a, b, c = m.in(f, a), m.in(f, b), m.in(f, c)
	if r, ok := f.nan2(a, b); ok {
		return r
	}
	x, y, z := f.value(a), f.value(b), f.value(c)
	if f.isNaN(c) {
		return c | f.quiet()
	}
	return m.out(f, fma(f, x, y, z, m.round(f)))
}

func fma(f *format, x, y, z float64, rm uint8) uint64 {
	s := math.FMA(x, y, z)
	p := float64(x * y)
	switch {
	case math.IsNaN(s):
		return f.nan()
	case math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsInf(z, 0):
		return f.narrow(s, rm)
	case s == 0 && (x == 0 || y == 0):
		if math.Signbit(p) != math.Signbit(z) {
			s = zeroSum(rm)
		}
		return f.narrow(s, rm)
	case f.mant != 52:
		if s == 0 {
			return f.narrow(zeroSum(rm), rm)
		}
		return f.narrow(sumOdd(p, z), rm)
	case rm == roundEven:
		return math.Float64bits(s)
	}
	e := new(big.Float).SetPrec(exact).Mul(big.NewFloat(x), big.NewFloat(y))
	e.Add(e, big.NewFloat(z))
	if e.Sign() == 0 {
		return math.Float64bits(zeroSum(rm))
	}
	return roundBig(e, rm)
}

// exact is a precision that holds every product of two doubles plus a third.
const exact = 4400

var bigModes = [...]big.RoundingMode{big.ToNearestEven, big.ToPositiveInf, big.ToNegativeInf, big.ToZero}

// roundBig rounds x, which is not 0, to a double by mode rm.
func roundBig(x *big.Float, rm uint8) uint64 {
	neg := x.Sign() < 0
	sign := uint64(0)
	if neg {
		sign = double.sign()
	}
	e := x.MantExp(nil) // x = 0.1… × 2^e
	prec := 53
	if e < -1021 {
		prec -= -1021 - e
	}
	if prec <= 0 {
		// Below the smallest denormal: away from zero or not.
		away := rm == roundUp && !neg || rm == roundDown && neg
		if rm == roundEven && prec == 0 {
			least := new(big.Float).SetMantExp(big.NewFloat(1), -1075)
			away = new(big.Float).Abs(x).Cmp(least) > 0
		}
		if away {
			return sign | 1
		}
		return sign
	}
	r, _ := new(big.Float).SetMode(bigModes[rm]).SetPrec(uint(prec)).Set(x).Float64()
	if math.IsInf(r, 0) {
		return sign | double.overflow(rm, neg)
	}
	return math.Float64bits(r)
}

// ordered maps the bits of a number, no NaN, to integers in its order.
func (f *format) ordered(b uint64) int64 {
	if b&f.sign() != 0 {
		return -int64(b &^ f.sign())
	}
	return int64(b)
}

// minMax is the lesser, or greater, of a and b; -0 is less than +0. With
// MODE.IEEE off a NaN operand gives the other one (RDNA3 ISA 16.7, V_MIN_F32).
func (m *fpMode) minMax(f *format, a, b uint64, greater bool) uint64 {
	a, b = m.in(f, a), m.in(f, b)
	switch {
	case f.isNaN(a) && f.isNaN(b):
		if m.num {
			return a | f.quiet()
		}
		return b
	case f.isNaN(a):
		return m.out(f, b)
	case f.isNaN(b):
		return m.out(f, a)
	}
	x, y := f.ordered(a), f.ordered(b)
	if x == y && a != b { // zeros of both signs
		if (a&f.sign() != 0) != greater {
			return a
		}
		return b
	}
	if (x < y) != greater {
		return m.out(f, a)
	}
	return m.out(f, b)
}

// toInt converts toward zero and saturates; NaN gives 0 (V_CVT_I32_F32).
func toInt(x float64, lo, hi float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return min(max(math.Trunc(x), lo), hi)
}
