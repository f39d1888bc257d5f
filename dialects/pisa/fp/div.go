package fp

import (
	"math"
	"math/bits"
)

// Div returns a / b (PISA 2.4). It serves fdiv.fast too, whose error bounds
// allow the correctly rounded quotient and for HF and BF demand it.
func Div(f Format, m Mode, a, b uint64) uint64 {
	l := &layouts[f]
	if m.FTZ {
		a, b = l.flush(a), l.flush(b)
	}
	return l.finish(m, div(f, m.Round, a, b))
}

func div(f Format, r Round, a, b uint64) uint64 {
	if r == RE {
		switch f {
		case F:
			if z, ok := numF(f32(a) / f32(b)); ok {
				return z
			}
		case DF:
			if z, ok := numDF(f64(a) / f64(b)); ok {
				return z
			}
		}
	}
	return layouts[f].div(r, a, b)
}

func (l *layout) div(r Round, a, b uint64) uint64 {
	sign := (a ^ b) & l.sign
	ma, mb := a&^l.sign, b&^l.sign
	switch {
	case ma > l.inf || mb > l.inf:
		return l.nan2(a, b)
	case ma == mb && (ma == 0 || ma == l.inf):
		return l.nan
	case ma == l.inf || mb == 0:
		return sign | l.inf
	case mb == l.inf || ma == 0:
		return sign
	}
	ea, x := l.unpack(ma)
	eb, y := l.unpack(mb)
	e := ea - eb
	var lo uint64
	if x < y {
		e--
	} else {
		x, lo = x>>1, x<<63
	}
	q, rem := bits.Div64(x, lo, y)
	return l.pack(r, sign, e, q|jam(rem))
}

// Rcp returns 1 / a, correctly rounded (PISA 2.13).
func Rcp(f Format, ftz bool, a uint64) uint64 {
	return Div(f, Mode{FTZ: ftz}, layouts[f].one, a)
}

// Sqrt returns the square root of a (PISA 2.16, with and without .fast).
func Sqrt(f Format, m Mode, a uint64) uint64 {
	l := &layouts[f]
	if m.FTZ {
		a = l.flush(a)
	}
	return l.finish(m, sqrt(f, m.Round, a))
}

func sqrt(f Format, r Round, a uint64) uint64 {
	if r == RE {
		switch f {
		case F:
			if z, ok := numF(float32(math.Sqrt(float64(f32(a))))); ok {
				return z
			}
		case DF:
			if z, ok := numDF(math.Sqrt(f64(a))); ok {
				return z
			}
		}
	}
	return layouts[f].sqrt(r, a)
}

func (l *layout) sqrt(r Round, a uint64) uint64 {
	switch {
	case l.isNaN(a):
		return a | l.quiet
	case a&^l.sign == 0 || a == l.inf:
		return a
	case a >= l.sign:
		return l.nan
	}
	e, v := l.significand(a)
	s := math.Sqrt(v)
	m := 1<<63 | math.Float64bits(s)<<11
	// v - s*s is exact, and tells on which side of s the root lies.
	if rem := math.FMA(-s, s, v); rem > 0 {
		m |= 1
	} else if rem < 0 {
		m--
	}
	return l.pack(r, 0, e/2, m)
}

// significand writes a positive finite non-zero a as v * 2^e with v in [1, 4)
// and e even.
func (l *layout) significand(a uint64) (e int, v float64) {
	e, m := l.unpack(a)
	odd := e & 1
	return e - odd, math.Float64frombits(uint64(1023+odd)<<52 | m<<1>>12)
}

// Rsqrt returns 1 / sqrt(a), correctly rounded to nearest even (PISA 2.14).
func Rsqrt(f Format, ftz bool, a uint64) uint64 {
	l := &layouts[f]
	if ftz {
		a = l.flush(a)
	}
	switch {
	case l.isNaN(a):
		return a | l.quiet
	case a&^l.sign == 0:
		return a | l.inf
	case a >= l.sign:
		return l.nan
	case a == l.inf:
		return 0
	}
	e, v := l.significand(a)
	e = -e / 2
	if v == 1 {
		return l.finish(Mode{FTZ: ftz}, l.pack(RE, 0, e, 1<<63))
	}
	return l.finish(Mode{FTZ: ftz}, l.pack(RE, 0, e-1, rsqrt64(v)|1))
}

// rsqrt64 is 2^64 / sqrt(v), cut to an integer, for v in (1, 4) of at most 53
// bits. It is never exact: the square of a dyadic fraction whose inverse is
// dyadic is a power of four.
func rsqrt64(v float64) uint64 {
	y := 1 / math.Sqrt(v)
	if y == 1 {
		y = 1 - 0x1p-53
	}
	// One Newton step from y, in two parts: y holds the upper 53 bits.
	t := float64(y * y)
	res := math.FMA(-v, t, 1) - float64(v*math.FMA(y, y, -t))
	q := uint64(y*0x1p64) + uint64(int64(float64(y*res)*0x1p63))
	// V = v * 2^62; the cut of the true value is the greatest q with q*q*V < 2^190.
	scaled := uint64(v * 0x1p62)
	for !below190(q, scaled) {
		q--
	}
	for q != math.MaxUint64 && below190(q+1, scaled) {
		q++
	}
	return q
}

// below190 reports whether q*q*v < 2^190.
func below190(q, v uint64) bool {
	hi, lo := bits.Mul64(q, q)
	c, _ := bits.Mul64(lo, v)
	top, mid := bits.Mul64(hi, v)
	_, carry := bits.Add64(mid, c, 0)
	return top+carry < 1<<62
}
