package fp

import "math/bits"

// Round is a rounding mode of PISA 3.2.
type Round uint8

// The rounding modes.
const (
	RE  Round = iota // to nearest, ties to even
	RD               // toward minus infinity
	RU               // toward plus infinity
	RZ               // toward zero
	RNA              // to nearest, ties away from zero

	numRounds
)

var roundNames = [numRounds]string{RE: "re", RD: "rd", RU: "ru", RZ: "rz", RNA: "rna"}

// String returns the mode's spelling as a PISA qualifier, without the dot.
func (r Round) String() string { return roundNames[r] }

// Mode holds the qualifiers of a rounding instruction. The zero Mode is PISA's
// default: round to nearest even, keep denormals, do not saturate.
type Mode struct {
	Round Round
	FTZ   bool
	DSat  bool
}

// half is the discarded part that lies exactly between two neighbours, when
// the discarded bits are left-aligned in a word.
const half = 1 << 63

// up reports whether a magnitude with the given sign moves away from zero when
// rest, left-aligned, is cut off; odd is the lowest bit that stays.
func (r Round) up(negative bool, rest, odd uint64) bool {
	switch r {
	case RE:
		return rest > half || rest == half && odd&1 != 0
	case RNA:
		return rest >= half
	case RD:
		return negative && rest != 0
	case RU:
		return !negative && rest != 0
	}
	return false
}

// overflow is the result for a magnitude beyond the finite range: the
// infinity, except where the mode rounds toward zero (IEEE 754 7.4).
func (l *layout) overflow(r Round, sign uint64) uint64 {
	if r == RZ || r == RD && sign == 0 || r == RU && sign != 0 {
		return sign | l.max
	}
	return sign | l.inf
}

// pack rounds the non-zero value m * 2^(e-63), bit 63 of m set, whose lowest
// bit stands for everything below it that is not zero. sign is 0 or l.sign.
func (l *layout) pack(r Round, sign uint64, e int, m uint64) uint64 {
	be := e + l.bias
	if be > 2*l.bias {
		return l.overflow(r, sign)
	}
	cut := l.drop
	if be < 1 {
		cut += uint(1 - be)
		be = 1
		if cut > 64 {
			cut, m = 64, 1
		}
	}
	keep := m >> cut
	if r.up(sign != 0, m<<(64-cut), keep) {
		keep++
	}
	// The leading bit of keep adds one to the exponent field, so a denormal
	// comes out with field 0. A carry moves to the next binade or to infinity,
	// which is where the modes that carry overflow to.
	return sign | (keep + uint64(be-1)<<l.man)
}

// finish applies the flags of an arithmetic instruction to a rounded result.
func (l *layout) finish(m Mode, z uint64) uint64 {
	if m.FTZ {
		z = l.flush(z)
	}
	if m.DSat {
		z = l.saturate(z)
	}
	return z
}

// saturate clamps to [0, 1]. NaN and -0 become +0.
func (l *layout) saturate(z uint64) uint64 {
	if z >= l.sign || z > l.inf {
		return 0
	}
	return min(z, l.one)
}

// zeroSum is the sign of a sum of opposite values, or of opposite zeros.
func (l *layout) zeroSum(r Round) uint64 {
	if r == RD {
		return l.sign
	}
	return 0
}

// nan2 is the result of an operation of which a or b is a NaN.
func (l *layout) nan2(a, b uint64) uint64 {
	if l.isNaN(a) {
		return a | l.quiet
	}
	return b | l.quiet
}

// normalize moves the highest set bit of a non-zero m to bit 63.
func normalize(m uint64) (uint64, int) {
	n := bits.LeadingZeros64(m)
	return m << uint(n&63), n
}

// jam is 1 when x is not zero: the sticky bit of a truncation.
func jam(x uint64) uint64 {
	if x != 0 {
		return 1
	}
	return 0
}

// shiftJam shifts right and keeps a sticky bit.
func shiftJam(m uint64, n uint) uint64 {
	if n >= 64 {
		return jam(m)
	}
	return m>>n | jam(m<<(64-n))
}

// shiftJam128 shifts hi:lo right and keeps a sticky bit.
func shiftJam128(hi, lo uint64, n uint) (uint64, uint64) {
	switch {
	case n >= 128:
		return 0, jam(hi | lo)
	case n >= 64:
		return 0, hi>>(n-64) | jam(hi<<(128-n)|lo)
	}
	return hi >> n, hi<<(64-n) | lo>>n | jam(lo<<(64-n))
}
