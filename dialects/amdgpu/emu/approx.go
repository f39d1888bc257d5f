package emu

import (
	"math"
	"math/big"
	"sync"
)

// The transcendental unit. Results are correctly rounded, or, with a seed, one
// step beside that (the documents allow 1 ULP; of single sine and cosine an
// absolute error). Double reciprocals and roots are good to 2^29 ULP only and
// are rounded to 24 bits here, so that code which takes them for exact fails
// (RDNA3 ISA 16.8, notes of V_RCP_F64, V_RSQ_F64, V_SQRT_F64).

type approxKind uint8

const (
	apRcp approxKind = iota
	apRsq
	apSqrt
	apExp
	apLog
	apSin
	apCos
)

// approx32 computes a single or half function. Those of single flush denormal
// operands and results whatever MODE says; those of half obey it.
func (m *fpMode) approx32(f *format, k approxKind, a uint64) uint64 {
	if f.mant == 23 && a&f.inf() == 0 {
		a &= f.sign()
	}
	a = m.in(f, a)
	if f.isNaN(a) {
		return a | f.quiet()
	}
	x := f.value(a)
	y, exactly := evaluate(k, x)
	if math.IsNaN(y) {
		return f.nan()
	}
	exactly = exactly || k == apRcp && f.unrepairable(a)
	r := f.narrow(y, roundEven)
	if !exactly && m.approx != 0 && r&^f.sign() < f.inf() && !f.isZero(r) {
		r = m.perturb(f, k, a, r, y)
	}
	if f.mant == 23 && r&f.inf() == 0 {
		r &= f.sign()
	}
	return m.out(f, r)
}

// unrepairable reports a number whose reciprocal, if it is off, Newton's steps
// cannot repair (Markstein). AMD's own division, which consists of them, is
// exact: so the hardware must be right about it.
func (f *format) unrepairable(a uint64) bool {
	ones := uint64(1)<<f.mant - 1
	return a&ones == ones
}

// evaluate returns k of x, and whether hardware surely gives exactly that.
func evaluate(k approxKind, x float64) (y float64, exactly bool) {
	frac, _ := math.Frexp(x)
	power := math.Abs(frac) == 0.5 // a power of two
	switch k {
	case apRcp:
		return 1 / x, power
	case apRsq:
		if x == 0 {
			return math.Copysign(math.Inf(1), x), true
		}
		return 1 / math.Sqrt(x), x == 1
	case apSqrt:
		return math.Sqrt(x), x == 1 || x == 0
	case apExp:
		return math.Exp2(x), x == math.Trunc(x)
	case apLog:
		if power && x > 0 {
			_, e := math.Frexp(x)
			return float64(e - 1), true
		}
		return math.Log2(x), false
	case apSin, apCos:
		return sinCos(x, k == apCos), x == math.Trunc(x*4)/4
	}
	panic("emu: no such function")
}

// sinCos is the sine of x turns. Beyond 256 turns it is that of 0 (V_SIN_F32).
func sinCos(x float64, cos bool) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	if math.Abs(x) > 256 {
		x = 0
	}
	t := x - math.RoundToEven(x) // exact
	if cos {
		t += 0.25
	}
	q := math.Floor(t*4 + 0.5)
	r := (t - q/4) * 2 * math.Pi
	var y float64
	switch int(q) & 3 {
	case 0:
		y = math.Sin(r)
	case 1:
		y = math.Cos(r)
	case 2:
		y = -math.Sin(r)
	default:
		y = -math.Cos(r)
	}
	if x == 0 && !cos {
		return x
	}
	return y
}

// perturb takes the number on the other side of y than r for some operands: it
// is less than 1 ULP off too. Single sine and cosine are moved by about 2^-21.
func (m *fpMode) perturb(f *format, k approxKind, a, r uint64, y float64) uint64 {
	h := mix(m.approx ^ a<<8 ^ uint64(k))
	if f.mant == 23 && k >= apSin {
		d := float64(int64(h>>33&0xffff)-0x8000) / 0x8000 * 0x1p-21
		return f.narrow(min(max(f.value(r)+d, -1), 1), roundEven)
	}
	switch {
	case h%2 != 0, f.value(r) == y:
		return r
	case math.Abs(f.value(r)) > math.Abs(y):
		return r - 1
	}
	return r + 1
}

// mix is a hash (splitmix64's finaliser).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// approx64 is a double reciprocal or root of about 24 bits.
func (m *fpMode) approx64(k approxKind, a uint64) uint64 {
	f := &double
	a = m.in(f, a)
	if f.isNaN(a) {
		return a | f.quiet()
	}
	y, _ := evaluate(k, f.value(a))
	if math.IsNaN(y) {
		return f.nan()
	}
	r := math.Float64bits(y)
	if r&^f.sign() < f.inf() && r&f.inf() != 0 && !(k == apRcp && f.unrepairable(a)) {
		frac, e := math.Frexp(y)
		y = math.Ldexp(single.value(single.narrow(frac, roundEven)), e)
		r = math.Float64bits(y)
		if h := mix(m.approx ^ a ^ uint64(k)); m.approx != 0 && h%2 != 0 {
			r ^= h >> 35 // up to 2^29 steps
		}
	}
	return m.out(f, r)
}

// twoOverPi is 2/π × 2^1201 truncated: the table of V_TRIG_PREOP_F64.
var twoOverPi = sync.OnceValue(func() *big.Int {
	const prec = 1400
	// Machin: π = 16 arctan 1/5 − 4 arctan 1/239.
	arctan := func(n int64) *big.Int {
		one := new(big.Int).Lsh(big.NewInt(1), prec)
		term := new(big.Int).Quo(one, big.NewInt(n))
		sum, n2 := new(big.Int).Set(term), big.NewInt(n*n)
		for i := int64(3); term.Sign() != 0; i += 2 {
			term.Quo(term, n2)
			t := new(big.Int).Quo(term, big.NewInt(i))
			if i%4 == 3 {
				sum.Sub(sum, t)
			} else {
				sum.Add(sum, t)
			}
		}
		return sum
	}
	pi := new(big.Int).Mul(arctan(5), big.NewInt(16))
	pi.Sub(pi, new(big.Int).Mul(arctan(239), big.NewInt(4)))
	two := new(big.Int).Lsh(big.NewInt(1), prec+1+1201)
	return two.Quo(two, pi)
})

// trigPreop is 53 bits of 2/π for an argument reduction (V_TRIG_PREOP_F64).
func (m *fpMode) trigPreop(a, b uint64) uint64 {
	exp := int(a >> 52 & 0x7ff)
	shift := int(b&31) * 53
	if exp > 1077 {
		shift += exp - 1077
	}
	// Bits 1200:1148 of the table shifted left.
	x := new(big.Int)
	if down := 1201 - 53 - shift; down >= 0 {
		x.Rsh(twoOverPi(), uint(down))
	} else {
		x.Lsh(twoOverPi(), uint(-down))
	}
	x.And(x, new(big.Int).SetUint64(1<<53-1))
	scale := -53 - shift
	if exp >= 1968 {
		scale += 128
	}
	return m.out(&double, math.Float64bits(math.Ldexp(float64(x.Uint64()), scale)))
}
