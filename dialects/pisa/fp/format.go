// Package fp is PISA's floating-point arithmetic over bit patterns.
//
// In: values as raw bits in the low bits of a uint64 (bits above the format's
// width are zero), a Format, and the rounding and flag qualifiers of the
// instruction. Out: raw bits of the result, again with zero upper bits.
//
// Promised: every operation except the transcendental functions is exact to
// the last bit and correctly rounded, once, in every rounding mode for every
// format; results do not depend on the machine that computes them; nothing
// allocates except Parse and Text. One operand that is a NaN comes out quieted
// with its payload, the first one in operand order if there are several; an
// invalid operation gives the format's canonical NaN (PISA 3.4 leaves both to
// the implementation).
//
// The flags are PISA's: FTZ turns denormal sources into zeros before, and a
// denormal rounded result into a zero after the operation, keeping the sign
// (PISA 3.3); DSat clamps to [0, 1] with NaN giving +0 in arithmetic, and to
// the finite range in conversions (PISA 2.2, 4.8).
package fp

// Format is a floating-point type of PISA 3.1.
type Format uint8

// The formats. BF is treated like an IEEE format: it has denormals, infinities
// and NaNs.
const (
	HF Format = iota // IEEE binary16
	BF               // 1-8-7
	F                // IEEE binary32
	DF               // IEEE binary64

	numFormats
)

// layout holds what the operations need to know of a format, all derived from
// the widths of its fields.
type layout struct {
	name  string
	width uint // bits in all
	man   uint // stored mantissa bits
	drop  uint // 63-man: distance from a mantissa normalised at bit 63
	bias  int
	sign  uint64
	frac  uint64 // mantissa field
	quiet uint64 // top mantissa bit, set in a quiet NaN
	inf   uint64 // exponent field; as a value, +inf
	nan   uint64 // canonical NaN
	max   uint64 // greatest finite value
	one   uint64
}

var layouts = [numFormats]layout{
	HF: newLayout("hf", 5, 10),
	BF: newLayout("bf", 8, 7),
	F:  newLayout("f", 8, 23),
	DF: newLayout("df", 11, 52),
}

func newLayout(name string, exp, man uint) layout {
	inf := uint64(1<<exp-1) << man
	return layout{
		name:  name,
		width: 1 + exp + man,
		man:   man,
		drop:  63 - man,
		bias:  1<<(exp-1) - 1,
		sign:  1 << (exp + man),
		frac:  1<<man - 1,
		quiet: 1 << (man - 1),
		inf:   inf,
		nan:   inf | 1<<(man-1),
		max:   inf - 1,
		one:   uint64(1<<(exp-1)-1) << man,
	}
}

// String returns the format's spelling as a PISA qualifier, without the dot.
func (f Format) String() string { return layouts[f].name }

// Bits is the width of the format.
func (f Format) Bits() int { return int(layouts[f].width) }

// Mantissa is the number of stored mantissa bits.
func (f Format) Mantissa() int { return int(layouts[f].man) }

// Bias is the exponent bias.
func (f Format) Bias() int { return layouts[f].bias }

// SignBit is the mask of the sign.
func (f Format) SignBit() uint64 { return layouts[f].sign }

// Inf is +infinity; it is also the mask of the exponent field.
func (f Format) Inf() uint64 { return layouts[f].inf }

// NaN is the canonical quiet NaN, the result of an invalid operation.
func (f Format) NaN() uint64 { return layouts[f].nan }

// Max is the greatest finite value.
func (f Format) Max() uint64 { return layouts[f].max }

// One is 1.0.
func (f Format) One() uint64 { return layouts[f].one }

// IsNaN reports whether a is a NaN, quiet or signalling.
func (f Format) IsNaN(a uint64) bool { return layouts[f].isNaN(a) }

func (l *layout) isNaN(a uint64) bool { return a&^l.sign > l.inf }

// flush replaces a denormal by the zero of its sign.
func (l *layout) flush(a uint64) uint64 {
	if a&l.inf == 0 {
		return a & l.sign
	}
	return a
}

// unpack splits a finite non-zero a into m * 2^(e-63) with bit 63 of m set.
// The low l.drop bits of m are zero, at least 11 in every format.
func (l *layout) unpack(a uint64) (e int, m uint64) {
	frac := a & l.frac
	if ef := int(a & l.inf >> l.man); ef != 0 {
		return ef - l.bias, 1<<63 | frac<<l.drop
	}
	m, n := normalize(frac)
	return 1 - l.bias - (n - int(l.drop)), m
}
