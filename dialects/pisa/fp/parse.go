package fp

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// Errors of Parse.
var (
	ErrSyntax = errors.New("not a decimal floating-point literal")
	ErrRange  = errors.New("literal exceeds the range of a double")
)

// Parse converts a decimal literal: an optional minus sign, digits with at most
// one point among them, and an optional exponent. The literal is rounded to a
// double and that to the format, both to nearest even, and denormals are kept
// (PISA 3.2 leaves this open). The result may overflow to an infinity of the
// format; a literal that is too large for a double is an error.
func Parse(f Format, literal string) (uint64, error) {
	if !isDecimal(literal) {
		return 0, ErrSyntax
	}
	v, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return 0, ErrRange
	}
	return fromFloat64(f, v), nil
}

// isDecimal keeps out what strconv knows besides: names, hexadecimal floats,
// underscores, a plus sign.
func isDecimal(s string) bool {
	s = strings.TrimPrefix(s, "-")
	mantissa, exponent := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i+1:]
		if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
			exponent = exponent[1:]
		}
		if exponent == "" {
			return false
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	return whole+fraction != "" && isDigits(whole) && isDigits(fraction) && isDigits(exponent)
}

func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// Text writes a value in decimal with as few digits as Parse needs to give the
// same bits back. Infinities are inf and -inf, every NaN is nan.
func Text(f Format, a uint64) string {
	l := &layouts[f]
	v := toFloat64(f, a)
	switch {
	case l.isNaN(a):
		return "nan"
	case v > math.MaxFloat64:
		return "inf"
	case v < -math.MaxFloat64:
		return "-inf"
	}
	const enough = 17 // digits identify any double
	for digits := 1; ; digits++ {
		s := strconv.FormatFloat(v, 'g', digits, 64)
		if z, err := Parse(f, s); digits < enough && (err != nil || z != a) {
			continue
		}
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		return s
	}
}

// toFloat64 is exact.
func toFloat64(f Format, a uint64) float64 {
	switch f {
	case F:
		return float64(f32(a))
	case DF:
		return f64(a)
	}
	return f64(Convert(DF, f, Mode{}, a))
}

// fromFloat64 rounds to nearest even.
func fromFloat64(f Format, v float64) uint64 {
	switch f {
	case F:
		return uint64(math.Float32bits(float32(v)))
	case DF:
		return math.Float64bits(v)
	}
	return Convert(f, DF, Mode{}, math.Float64bits(v))
}
