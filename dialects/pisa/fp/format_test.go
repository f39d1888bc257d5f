package fp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFormats pins the table to PISA 3.1 and IEEE 754.
func TestFormats(t *testing.T) {
	for f, want := range [...]struct {
		name                     string
		bits, man, bias          int
		sign, inf, nan, max, one uint64
	}{
		HF: {"hf", 16, 10, 15, 0x8000, 0x7c00, 0x7e00, 0x7bff, 0x3c00},
		BF: {"bf", 16, 7, 127, 0x8000, 0x7f80, 0x7fc0, 0x7f7f, 0x3f80},
		F:  {"f", 32, 23, 127, 0x80000000, 0x7f800000, 0x7fc00000, 0x7f7fffff, 0x3f800000},
		DF: {"df", 64, 52, 1023, 1 << 63, 0x7ff0000000000000, 0x7ff8000000000000, 0x7fefffffffffffff, 0x3ff0000000000000},
	} {
		f := Format(f)
		require.Equal(t, want.name, f.String())
		require.Equal(t, []int{want.bits, want.man, want.bias}, []int{f.Bits(), f.Mantissa(), f.Bias()})
		require.Equal(t, []uint64{want.sign, want.inf, want.nan, want.max, want.one},
			[]uint64{f.SignBit(), f.Inf(), f.NaN(), f.Max(), f.One()})
		require.False(t, f.IsNaN(want.inf|want.sign))
		require.True(t, f.IsNaN(want.inf+1))
	}
	var names []string
	for r := range numRounds {
		names = append(names, r.String())
	}
	for c := range numCmps {
		names = append(names, c.String())
	}
	require.Equal(t, []string{"re", "rd", "ru", "rz", "rna", "eq", "ne", "gt", "ge", "lt", "le"}, names)
}
