package fp

import (
	"math"
	"math/bits"
)

// The operations on F and DF to nearest even use the machine's arithmetic. A
// NaN that it returns is recomputed, since machines disagree about its sign
// and about which operand it comes from.

func f32(a uint64) float32 { return math.Float32frombits(uint32(a)) }
func f64(a uint64) float64 { return math.Float64frombits(a) }

const (
	infF  = 0x7f800000
	infDF = 0x7ff0000000000000
)

func numF(v float32) (uint64, bool) {
	z := uint64(math.Float32bits(v))
	return z, z&^(1<<31) <= infF
}

func numDF(v float64) (uint64, bool) {
	z := math.Float64bits(v)
	return z, z&^(1<<63) <= infDF
}

// Add returns a + b (PISA 2.2).
func Add(f Format, m Mode, a, b uint64) uint64 {
	l := &layouts[f]
	if m.FTZ {
		a, b = l.flush(a), l.flush(b)
	}
	return l.finish(m, add(f, m.Round, a, b))
}

// Sub returns a - b (PISA 2.17).
func Sub(f Format, m Mode, a, b uint64) uint64 {
	l := &layouts[f]
	if m.FTZ {
		a, b = l.flush(a), l.flush(b)
	}
	if !l.isNaN(b) {
		b ^= l.sign
	}
	return l.finish(m, add(f, m.Round, a, b))
}

func add(f Format, r Round, a, b uint64) uint64 {
	if r == RE {
		switch f {
		case F:
			if z, ok := numF(f32(a) + f32(b)); ok {
				return z
			}
		case DF:
			if z, ok := numDF(f64(a) + f64(b)); ok {
				return z
			}
		}
	}
	return layouts[f].add(r, a, b)
}

func (l *layout) add(r Round, a, b uint64) uint64 {
	ma, mb := a&^l.sign, b&^l.sign
	if ma >= l.inf || mb >= l.inf {
		return l.addSpecial(a, b)
	}
	if ma < mb {
		a, b, ma, mb = b, a, mb, ma
	}
	if mb == 0 {
		if ma == 0 && a != b {
			return l.zeroSum(r)
		}
		return a
	}
	sign := a & l.sign
	ea, x := l.unpack(ma)
	eb, y := l.unpack(mb)
	// One bit of headroom for the carry. Where the shift loses bits the
	// difference loses at most one leading bit, far above the sticky bit.
	x >>= 1
	y = shiftJam(y, uint(ea-eb)+1)
	if (a^b)&l.sign == 0 {
		x += y
	} else if x -= y; x == 0 {
		return l.zeroSum(r)
	}
	x, n := normalize(x)
	return l.pack(r, sign, ea+1-n, x)
}

func (l *layout) addSpecial(a, b uint64) uint64 {
	switch {
	case l.isNaN(a) || l.isNaN(b):
		return l.nan2(a, b)
	case a&^l.sign == l.inf && b&^l.sign == l.inf && a != b:
		return l.nan
	case a&^l.sign == l.inf:
		return a
	}
	return b
}

// Mul returns a * b (PISA 2.10).
func Mul(f Format, m Mode, a, b uint64) uint64 {
	l := &layouts[f]
	if m.FTZ {
		a, b = l.flush(a), l.flush(b)
	}
	return l.finish(m, mul(f, m.Round, a, b))
}

func mul(f Format, r Round, a, b uint64) uint64 {
	if r == RE {
		switch f {
		case F:
			if z, ok := numF(f32(a) * f32(b)); ok {
				return z
			}
		case DF:
			if z, ok := numDF(f64(a) * f64(b)); ok {
				return z
			}
		}
	}
	return layouts[f].mul(r, a, b)
}

func (l *layout) mul(r Round, a, b uint64) uint64 {
	sign := (a ^ b) & l.sign
	ma, mb := a&^l.sign, b&^l.sign
	switch {
	case ma > l.inf || mb > l.inf:
		return l.nan2(a, b)
	case ma == l.inf || mb == l.inf:
		if ma == 0 || mb == 0 {
			return l.nan
		}
		return sign | l.inf
	case ma == 0 || mb == 0:
		return sign
	}
	ea, x := l.unpack(ma)
	eb, y := l.unpack(mb)
	e, hi, lo := product(ea, x, eb, y)
	return l.pack(r, sign, e, hi|jam(lo))
}

// product multiplies two normalised mantissas: hi:lo * 2^(e-127), bit 127 set.
func product(ea int, x uint64, eb int, y uint64) (e int, hi, lo uint64) {
	hi, lo = bits.Mul64(x, y)
	if hi>>63 != 0 {
		return ea + eb + 1, hi, lo
	}
	return ea + eb, hi<<1 | lo>>63, lo << 1
}

// MulFull returns the F product of two HF or BF values, which are extended
// before they are multiplied (PISA 2.10, fmul.full).
func MulFull(f Format, m Mode, a, b uint64) uint64 {
	src := Mode{FTZ: m.FTZ}
	return Mul(F, m, Convert(F, f, src, a), Convert(F, f, src, b))
}
