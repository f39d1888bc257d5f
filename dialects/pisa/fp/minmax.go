package fp

// Min returns the lesser operand, with -0 below +0 (PISA 2.9). A NaN gives way
// to the other operand (IEEE 754-2019 minimumNumber) unless nanp is set, when
// it is the result (minimum). m.Round has no meaning here.
func Min(f Format, m Mode, nanp bool, a, b uint64) uint64 {
	return minmax(f, m, nanp, a, b, false)
}

// Max is Min's mirror image (PISA 2.8).
func Max(f Format, m Mode, nanp bool, a, b uint64) uint64 {
	return minmax(f, m, nanp, a, b, true)
}

func minmax(f Format, m Mode, nanp bool, a, b uint64, greater bool) uint64 {
	l := &layouts[f]
	if m.FTZ {
		a, b = l.flush(a), l.flush(b)
	}
	na, nb := l.isNaN(a), l.isNaN(b)
	switch {
	case na && (nanp || nb):
		a |= l.quiet
	case nb && nanp:
		a = b | l.quiet
	case na:
		a = b
	case nb:
	case (l.order(a) < l.order(b)) == greater:
		a = b
	}
	if m.DSat {
		a = l.saturate(a)
	}
	return a
}

// order maps numbers to integers of the same order, with -0 just below +0.
func (l *layout) order(a uint64) int64 {
	if a >= l.sign {
		return ^int64(a &^ l.sign)
	}
	return int64(a)
}

// Abs clears the sign; a NaN comes out quiet (PISA 2.1).
func Abs(f Format, ftz bool, a uint64) uint64 {
	l := &layouts[f]
	a &^= l.sign
	if a > l.inf {
		return a | l.quiet
	}
	if ftz {
		return l.flush(a)
	}
	return a
}

// Neg flips the sign and nothing else, also of a NaN (PISA 2.11).
func Neg(f Format, ftz bool, a uint64) uint64 {
	l := &layouts[f]
	if ftz {
		a = l.flush(a)
	}
	return a ^ l.sign
}

// Cmp is a comparison of PISA 5.3.
type Cmp uint8

// The comparisons. All are false when an operand is a NaN, but NE is true.
const (
	EQ Cmp = iota
	NE
	GT
	GE
	LT
	LE

	numCmps
)

var cmpNames = [numCmps]string{EQ: "eq", NE: "ne", GT: "gt", GE: "ge", LT: "lt", LE: "le"}

// String returns the comparison's spelling as a PISA qualifier, without the dot.
func (c Cmp) String() string { return cmpNames[c] }

// Compare reports whether a stands in the given relation to b. The zeros are
// equal.
func Compare(f Format, ftz bool, c Cmp, a, b uint64) bool {
	l := &layouts[f]
	if l.isNaN(a) || l.isNaN(b) {
		return c == NE
	}
	if ftz {
		a, b = l.flush(a), l.flush(b)
	}
	x, y := l.order(a), l.order(b)
	if (a|b)&^l.sign == 0 {
		x, y = 0, 0
	}
	switch c {
	case EQ:
		return x == y
	case NE:
		return x != y
	case GT:
		return x > y
	case GE:
		return x >= y
	case LT:
		return x < y
	}
	return x <= y
}
