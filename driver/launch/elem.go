package launch

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pisac/dialects/pisa/fp"
)

// Type is an element type of a buffer or the type of a scalar.
type Type struct {
	Name   string
	Size   int // bytes
	Float  bool
	Signed bool
	Format fp.Format
}

var types = []Type{
	{"u8", 1, false, false, 0}, {"u16", 2, false, false, 0}, {"u32", 4, false, false, 0}, {"u64", 8, false, false, 0},
	{"s8", 1, false, true, 0}, {"s16", 2, false, true, 0}, {"s32", 4, false, true, 0}, {"s64", 8, false, true, 0},
	{"f16", 2, true, true, fp.HF}, {"bf16", 2, true, true, fp.BF}, {"f32", 4, true, true, fp.F}, {"f64", 8, true, true, fp.DF},
}

// TypeNamed returns the type called name.
func TypeNamed(name string) (Type, bool) {
	for _, t := range types {
		if t.Name == name {
			return t, true
		}
	}
	return Type{}, false
}

// Parse converts text to the bits of one element: an integer in the range of
// the type's width, a decimal float, nan, inf, -inf, or 0x and raw bits.
func (t Type) Parse(s string) (uint64, error) {
	s = strings.TrimSpace(s)
	width := 8 * t.Size
	if h, ok := strings.CutPrefix(strings.ToLower(s), "0x"); ok {
		v, err := strconv.ParseUint(h, 16, 64)
		if err != nil || width < 64 && v>>width != 0 {
			return 0, fmt.Errorf("%q does not fit %s", s, t.Name)
		}
		return v, nil
	}
	if t.Float {
		switch strings.ToLower(s) {
		case "nan", "-nan":
			return t.Format.NaN(), nil
		case "inf", "+inf", "infinity":
			return t.Format.Inf(), nil
		case "-inf", "-infinity":
			return t.Format.Inf() | t.Format.SignBit(), nil
		}
		v, err := fp.Parse(t.Format, s)
		if err != nil {
			return 0, fmt.Errorf("%q: %v", s, err)
		}
		return v, nil
	}
	if neg, ok := strings.CutPrefix(s, "-"); ok {
		v, err := strconv.ParseUint(neg, 10, 64)
		if err != nil || !t.Signed || v > 1<<(width-1) {
			return 0, fmt.Errorf("%q is no %s", s, t.Name)
		}
		return -v & (1<<(width-1)<<1 - 1), nil
	}
	v, err := strconv.ParseUint(s, 10, 64)
	limit := uint64(1)<<(width-1)<<1 - 1
	if t.Signed {
		limit >>= 1
	}
	if err != nil || v > limit {
		return 0, fmt.Errorf("%q is no %s", s, t.Name)
	}
	return v, nil
}

// AppendText appends the element with bits v as Parse reads it.
func (t Type) AppendText(b []byte, v uint64) []byte {
	switch {
	case t.Float:
		return append(b, plain(fp.Text(t.Format, v))...)
	case t.Signed:
		shift := 64 - 8*t.Size
		return strconv.AppendInt(b, int64(v<<shift)>>shift, 10)
	}
	return strconv.AppendUint(b, v, 10)
}

// plain writes numbers of everyday size without an exponent: 10.0, not 1e+01.
func plain(s string) string {
	v, err := strconv.ParseFloat(s, 64)
	if a := math.Abs(v); err != nil || !strings.Contains(s, "e") || a < 1e-4 || a >= 1e21 || math.IsInf(v, 0) {
		return s
	}
	if s = strconv.FormatFloat(v, 'f', -1, 64); !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// Get reads element i of data.
func (t Type) Get(data []byte, i int) uint64 {
	p := data[i*t.Size:]
	switch t.Size {
	case 1:
		return uint64(p[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(p))
	case 4:
		return uint64(binary.LittleEndian.Uint32(p))
	}
	return binary.LittleEndian.Uint64(p)
}

// Append appends the bytes of an element.
func (t Type) Append(data []byte, v uint64) []byte {
	for i := range t.Size {
		data = append(data, byte(v>>(8*i)))
	}
	return data
}

// number is the value of a float element, exactly (f64 of any format).
func (t Type) number(v uint64) float64 {
	return math.Float64frombits(fp.Convert(fp.DF, t.Format, fp.Mode{}, v))
}
