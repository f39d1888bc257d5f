package fp

import (
	"math"
	"math/bits"
)

// Mad returns a * b + c, rounded once (PISA 2.7).
func Mad(f Format, m Mode, a, b, c uint64) uint64 {
	l := &layouts[f]
	if m.FTZ {
		a, b, c = l.flush(a), l.flush(b), l.flush(c)
	}
	return l.finish(m, mad(f, m.Round, a, b, c))
}

func mad(f Format, r Round, a, b, c uint64) uint64 {
	if r == RE {
		switch f {
		case F:
			if z, ok := numF(madF(f32(a), f32(b), f32(c))); ok {
				return z
			}
		case DF:
			if z, ok := numDF(math.FMA(f64(a), f64(b), f64(c))); ok {
				return z
			}
		}
	}
	return layouts[f].mad(r, a, b, c)
}

// madF computes in binary64, where the product of two F values is exact and no
// intermediate result is out of range. The sum is rounded to odd: 53 bits are
// more than twice 24, so rounding it again to F is as good as rounding once.
func madF(a, b, c float32) float32 {
	p, w := float64(a)*float64(b), float64(c)
	s := p + w
	t := s - p
	// The error of s, exact: Knuth's two-sum. It is NaN beside infinities.
	err := (p - (s - t)) + (w - t)
	if err < 0 || err > 0 {
		z := math.Float64bits(s)
		if z&1 == 0 {
			if (err > 0) == (s > 0) {
				z++
			} else {
				z--
			}
			s = math.Float64frombits(z)
		}
	}
	return float32(s)
}

func (l *layout) mad(r Round, a, b, c uint64) uint64 {
	sign := (a ^ b) & l.sign
	ma, mb, mc := a&^l.sign, b&^l.sign, c&^l.sign
	if ma >= l.inf || mb >= l.inf || mc >= l.inf {
		return l.madSpecial(a, b, c)
	}
	if ma == 0 || mb == 0 {
		if mc == 0 && sign != c {
			return l.zeroSum(r)
		}
		return c
	}
	ea, x := l.unpack(ma)
	eb, y := l.unpack(mb)
	e, hi, lo := product(ea, x, eb, y)
	if mc == 0 {
		return l.pack(r, sign, e, hi|jam(lo))
	}
	ec, z := l.unpack(mc)
	return l.addProduct(r, sign, e, hi, lo, c&l.sign, ec, z)
}

// addProduct rounds the sum of a product hi:lo * 2^(e-127), bit 127 set, and an
// addend z * 2^(ez-63), bit 63 set. Both have at least 11 zeros at the end, so
// shifting by less than that loses nothing.
func (l *layout) addProduct(r Round, sign uint64, e int, hi, lo uint64, signz uint64, ez int, z uint64) uint64 {
	zlo := uint64(0)
	same := sign == signz
	if ez > e || ez == e && z > hi {
		sign = signz
		e, ez = ez, e
		hi, lo, z, zlo = z, 0, hi, lo
	}
	hi, lo = hi>>1, hi<<63|lo>>1
	z, zlo = shiftJam128(z, zlo, uint(e-ez)+1)
	var carry uint64
	if same {
		lo, carry = bits.Add64(lo, zlo, 0)
		hi, _ = bits.Add64(hi, z, carry)
	} else {
		lo, carry = bits.Sub64(lo, zlo, 0)
		hi, _ = bits.Sub64(hi, z, carry)
		if hi|lo == 0 {
			return l.zeroSum(r)
		}
	}
	e++
	if hi == 0 {
		hi, lo = lo, 0
		e -= 64
	}
	m, n := normalize(hi)
	return l.pack(r, sign, e-n, m|lo>>(64-uint(n))|jam(lo<<uint(n)))
}

func (l *layout) madSpecial(a, b, c uint64) uint64 {
	ma, mb, mc := a&^l.sign, b&^l.sign, c&^l.sign
	sign := (a ^ b) & l.sign
	switch {
	case ma > l.inf || mb > l.inf:
		return l.nan2(a, b)
	case mc > l.inf:
		return c | l.quiet
	case ma == l.inf || mb == l.inf:
		if ma == 0 || mb == 0 || mc == l.inf && sign != c&l.sign {
			return l.nan
		}
		return sign | l.inf
	}
	return c
}
