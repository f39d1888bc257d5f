package fp

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		f    Format
		text string
		want uint64
	}{
		{F, "1.0", 0x3f800000}, {F, "4.2", 0x40866666}, {F, "-0.0", 0x80000000}, {F, "1", 0x3f800000},
		{F, ".5", 0x3f000000}, {F, "5.", 0x40a00000}, {F, "1e3", 0x447a0000}, {F, "1E-45", 0x00000001},
		{F, "1.5e+2", 0x43160000}, {F, "0.1", 0x3dcccccd}, {F, "007.25", 0x40e80000},
		{HF, "65504.0", 0x7bff}, {HF, "65520.0", 0x7c00}, {HF, "6e-8", 0x0001}, {HF, "0.1", 0x2e66}, {HF, "-2.0", 0xc000},
		{BF, "1.0", 0x3f80}, {BF, "3.14159", 0x4049}, {BF, "1e-40", 0x0001}, {BF, "1.00390625", 0x3f80},
		{DF, "0.1", 0x3fb999999999999a}, {DF, "5e-324", 1}, {DF, "1e-400", 0}, {DF, "-1e-400", 0x8000000000000000},
		{F, "1e39", 0x7f800000}, {F, "1e-60", 0},
		// Rounded to a double first, then to the type: the double is a tie.
		{F, "1.000000059604644775390625000000000001", 0x3f800000},
	} {
		got, err := Parse(c.f, c.text)
		require.NoError(t, err, c.text)
		require.Equalf(t, c.want, got, "%s as %v: %#x", c.text, c.f, got)
	}
	for _, text := range []string{
		"", "-", ".", "-.", "e5", "1e", "1e+", "1.2.3", "+1.0", "1_0.0", "0x1p3", "inf", "nan", "NaN", "Infinity", "1.0f",
		" 1.0", "1.0 ", "--1", "1e5.0", "1e1e1", "١.٠", "1e--1",
	} {
		_, err := Parse(F, text)
		require.ErrorIs(t, err, ErrSyntax, text)
	}
	for _, text := range []string{"1e309", "-1e400", "1e99999999999999999999"} {
		_, err := Parse(DF, text)
		require.ErrorIs(t, err, ErrRange, text)
	}
}

func TestTextRoundTrips(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, f := range allFormats {
		s := &specs[f]
		list := edges(f, 3000)
		for range 2000 {
			list = append(list, rng.Uint64()&(s.sign<<1-1))
		}
		for _, a := range list {
			switch text := Text(f, a); {
			case s.isNaN(a):
				require.Equal(t, "nan", text)
			case a == s.inf:
				require.Equal(t, "inf", text)
			case s.isInf(a):
				require.Equal(t, "-inf", text)
			default:
				z, err := Parse(f, text)
				require.NoError(t, err)
				check(t, z, a, "%v %s", f, text)
			}
		}
	}
	for a, want := range map[uint64]string{0x3dcccccd: "0.1", 0x3f800000: "1.0", 0x80000000: "-0.0", 0x7f7fffff: "3.4028235e+38", 1: "1e-45"} {
		require.Equal(t, want, Text(F, a))
	}
	for range 1000 { // the same digits as strconv finds for a double
		if v := math.Float64frombits(rng.Uint64()); v == v && math.Abs(v) >= 1e21 && math.Abs(v) <= math.MaxFloat64 {
			require.Equal(t, strconv.FormatFloat(v, 'g', -1, 64), Text(DF, math.Float64bits(v)))
		}
	}
}
