package pisa

import (
	"math/bits"

	"pisac/ir"
)

func abs(w uint, a uint64) uint64 {
	if sext(w, a) < 0 {
		return -a
	}
	return a
}

func umax(a, b uint64) uint64 { return max(a, b) }

func umin(a, b uint64) uint64 { return min(a, b) }

func pickSigned(w uint, greater bool) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 {
		if (sext(w, a) > sext(w, b)) == greater {
			return a
		}
		return b
	}
}

// addSub is iadd and isub; .dsat clamps to the signed range (PISA 1.3, 1.5).
func addSub(sub bool) func(ir.Code, uint64) Eval {
	return func(code ir.Code, p uint64) Eval {
		sat := Has(p, FDsat)
		return binary(func(w uint) func(a, b uint64) uint64 {
			switch {
			case sat:
				return func(a, b uint64) uint64 { return addSat(w, sext(w, a), sext(w, b), sub) }
			case sub:
				return func(a, b uint64) uint64 { return a - b }
			}
			return func(a, b uint64) uint64 { return a + b }
		})(code, p)
	}
}

func addSat(w uint, a, b int64, sub bool) uint64 {
	lo := int64(-1) << (w - 1)
	hi := ^lo
	r := a + b
	over := a >= 0 == (b >= 0) && r >= 0 != (a >= 0)
	if sub {
		r = a - b
		over = a >= 0 != (b >= 0) && r >= 0 != (a >= 0)
	}
	if over { // of 64 bits: the true result has the sign of a
		if a < 0 {
			return uint64(lo)
		}
		return uint64(hi)
	}
	return uint64(min(max(r, lo), hi))
}

// evalSDiv is sdiv (PISA 1.6). Division by zero is undefined there; here the
// quotient is all ones and the remainder the dividend.
func evalSDiv(_ ir.Code, p uint64) Eval {
	w, rem := width(p), OpOf(p) == OutRem
	m := mask(w)
	return func(a, b, _, _ uint64) (uint64, uint64) {
		x, y := sext(w, a), sext(w, b)
		q, r := int64(-1), x
		if y == -1 {
			q, r = -x, 0 // the most negative dividend is its own quotient
		} else if y != 0 {
			q, r = x/y, x%y
		}
		if rem {
			q = r
		}
		return uint64(q) & m, 0
	}
}

// evalUDiv is udiv (PISA 1.12), with the same answer for a zero divisor.
func evalUDiv(_ ir.Code, p uint64) Eval {
	m, rem := mask(width(p)), OpOf(p) == OutRem
	return func(a, b, _, _ uint64) (uint64, uint64) {
		q, r := m, a
		if b != 0 {
			q, r = a/b, a%b
		}
		if rem {
			q = r
		}
		return q, 0
	}
}

// mulAdd is smul, umul, smad and umad: a mul is called with c = 0. .full
// extends the factors and has a result twice as wide (PISA 1.7, 1.10).
func mulAdd(signed bool) func(ir.Code, uint64) Eval {
	return func(_ ir.Code, p uint64) Eval {
		w := width(p)
		m := mask(w)
		switch {
		case TypeOf(p).Packed():
			return perHalf(func(a, b, c uint64) uint64 { return (a*b + c) & 0xffff })
		case Has(p, FFull):
			m2 := mask(2 * w)
			if signed {
				return func(a, b, c, _ uint64) (uint64, uint64) { return (uint64(sext(w, a)*sext(w, b)) + c) & m2, 0 }
			}
			return func(a, b, c, _ uint64) (uint64, uint64) { return (a*b + c) & m2, 0 }
		}
		return func(a, b, c, _ uint64) (uint64, uint64) { return (a*b + c) & m, 0 }
	}
}

// evalCarry is uaddc and usubb. The IR's operands are src0, src1 and, with
// .ci, the carry; without it c is 0.
func evalCarry(sub bool) func(ir.Code, uint64) Eval {
	return func(ir.Code, uint64) Eval {
		if sub {
			return func(a, b, c, _ uint64) (uint64, uint64) {
				d := a - b - c
				return d & mask(32), d >> 63
			}
		}
		return func(a, b, c, _ uint64) (uint64, uint64) {
			s := a + b + c
			return s & mask(32), s >> 32
		}
	}
}

// evalDp4a is dp4a: src0 plus four products of bytes of src1 and src2, whose
// signedness the qualifier names in that order (PISA 1.1).
func evalDp4a(_ ir.Code, p uint64) Eval {
	sign, sat := Sign(OpOf(p)), Has(p, FDsat)
	s1 := sign == SignSS || sign == SignSU
	s2 := sign == SignSS || sign == SignUS
	return func(a, b, c, _ uint64) (uint64, uint64) {
		sum := int64(0)
		for s := uint(0); s < 32; s += 8 {
			x, y := int64(b>>s&0xff), int64(c>>s&0xff)
			if s1 {
				x = int64(int8(x))
			}
			if s2 {
				y = int64(int8(y))
			}
			sum += x * y
		}
		if sat {
			return uint64(min(max(sum+sext(32, a), -1<<31), 1<<31-1)) & mask(32), 0
		}
		return (a + uint64(sum)) & mask(32), 0
	}
}

// evalShift is shl, shr and asr: bits [5:0] of src1 count, amounts beyond the
// width shift everything out (PISA 3.2, digest A12). Packed: the high element
// takes bits [21:16].
func evalShift(code ir.Code, p uint64) Eval {
	w := width(p)
	f := func(a, n uint64) uint64 { return a << n }
	switch code {
	case Shr:
		f = func(a, n uint64) uint64 { return a >> n }
	case Asr:
		f = func(a, n uint64) uint64 { return uint64(sext(w, a) >> n) }
	}
	m := mask(w)
	if TypeOf(p).Packed() {
		return func(a, b, _, _ uint64) (uint64, uint64) {
			return f(a&m, b&63)&m | f(a>>16, b>>16&63)&m<<16, 0
		}
	}
	return func(a, b, _, _ uint64) (uint64, uint64) { return f(a, b&63) & m, 0 }
}

func popcount(a uint64) uint64 { return uint64(bits.OnesCount64(a)) }

// findHigh counts zeros above the highest set bit; ^0 for zero (PISA 3.7).
func findHigh(w uint) func(uint64) uint64 {
	return func(a uint64) uint64 {
		if a == 0 {
			return ^uint64(0)
		}
		return uint64(w) - uint64(bits.Len64(a))
	}
}

// findLow is the index of the lowest set bit; ^0 for zero (PISA 3.8).
func findLow(uint) func(uint64) uint64 {
	return func(a uint64) uint64 {
		if a == 0 {
			return ^uint64(0)
		}
		return uint64(bits.TrailingZeros64(a))
	}
}

// bfi inserts src1's low bits: width src2[5:0], offset src3[4:0] (PISA 3.3).
func bfi(a, b, width, offset uint64) (uint64, uint64) {
	off := offset & 31
	w := min(width&63, 32-off)
	m := (uint64(1)<<w - 1) << off
	return a&^m | b<<off&m, 0
}

// field returns src's bits from offset src2[4:0], and how many (PISA 3.15).
func field(a, width, offset uint64) (v, w uint64) {
	off := offset & 31
	w = min(width&63, 32-off)
	return a >> off & (1<<w - 1), w
}

func ubfe(a, width, offset, _ uint64) (uint64, uint64) {
	v, _ := field(a, width, offset)
	return v, 0
}

func sbfe(a, width, offset, _ uint64) (uint64, uint64) {
	v, w := field(a, width, offset)
	if w == 0 {
		return 0, 0
	}
	return uint64(sext(uint(w), v)) & mask(32), 0
}

func bfrev(a, _, _, _ uint64) (uint64, uint64) { return uint64(bits.Reverse32(uint32(a))), 0 }

// evalBfn is bfn: bit i of the result is the truth table's bit at
// s0 | s1<<1 | s2<<2 (PISA 3.4).
func evalBfn(_ ir.Code, p uint64) Eval {
	table := OpOf(p)
	return func(a, b, c, _ uint64) (r, _ uint64) {
		for k := range uint(8) {
			if table>>k&1 == 0 {
				continue
			}
			x, y, z := a, b, c
			if k&1 == 0 {
				x = ^x
			}
			if k&2 == 0 {
				y = ^y
			}
			if k&4 == 0 {
				z = ^z
			}
			r |= x & y & z
		}
		return r & mask(32), 0
	}
}

// evalShf is the funnel shift of {src0:src1} (PISA 3.14).
func evalShf(_ ir.Code, p uint64) Eval {
	if OpOf(p) == DirL {
		return func(a, b, c, _ uint64) (uint64, uint64) { return (a<<32 | b) << (c & 31) >> 32, 0 }
	}
	return func(a, b, c, _ uint64) (uint64, uint64) { return (a<<32 | b) >> (c & 31) & mask(32), 0 }
}

// evalExtend is sext, zext and trunc (PISA 4.16 to 4.18).
func evalExtend(code ir.Code, p uint64) Eval {
	from, m := uint(FromOf(p).Info().Bits), mask(width(p))
	if code == SExt {
		return func(a, _, _, _ uint64) (uint64, uint64) { return uint64(sext(from, a)) & m, 0 }
	}
	return func(a, _, _, _ uint64) (uint64, uint64) { return a & m, 0 }
}

// evalCompare is scmp and ucmp: all ones for true, of 32 bits or of each
// element.
func evalCompare(signed bool) func(ir.Code, uint64) Eval {
	return func(_ ir.Code, p uint64) Eval {
		w, c := width(p), Cmp(OpOf(p))
		ok := func(a, b uint64) bool { return holds(c, a, b) }
		if signed {
			bias := uint64(1) << (w - 1)
			ok = func(a, b uint64) bool { return holds(c, a^bias, b^bias) }
		}
		if TypeOf(p).Packed() {
			return perHalf(func(a, b, _ uint64) uint64 { return ones(ok(a, b), 16) })
		}
		return func(a, b, _, _ uint64) (uint64, uint64) { return ones(ok(a, b), 32), 0 }
	}
}

func holds(c Cmp, a, b uint64) bool {
	switch c {
	case EQ:
		return a == b
	case NE:
		return a != b
	case GT:
		return a > b
	case GE:
		return a >= b
	case LT:
		return a < b
	}
	return a <= b
}

// ones is w ones or zeros.
func ones(set bool, w uint) uint64 {
	if set {
		return mask(w)
	}
	return 0
}
