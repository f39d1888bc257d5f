package fp

import (
	"bufio"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// instruction is one mnemonic of the conformance file, split into qualifiers.
type instruction struct {
	op            string
	types         []string // the type, or .to and .from
	cmp           Cmp
	mode          Mode
	nanp, full    bool
	source        Format
	sourceInteger bool
}

func formatNamed(name string) (Format, bool) {
	for _, f := range allFormats {
		if f.String() == name {
			return f, true
		}
	}
	return 0, false
}

func parseInstruction(t *testing.T, text string) instruction {
	q := strings.Split(text, ".")
	in := instruction{op: q[0]}
	rounded := false
	for _, s := range q[1:] {
		if r := slices.Index(roundNames[:], s); r >= 0 {
			in.mode.Round, rounded = Round(r), true
			continue
		}
		if c := slices.Index(cmpNames[:], s); c >= 0 {
			in.cmp = Cmp(c)
			continue
		}
		switch s {
		case "ftz":
			in.mode.FTZ = true
		case "dsat":
			in.mode.DSat = true
		case "nanp":
			in.nanp = true
		case "full":
			in.full = true
		case "fast":
		default:
			in.types = append(in.types, s)
		}
	}
	if in.op == "f2i" && !rounded {
		in.mode.Round = RZ
	}
	f, ok := formatNamed(in.types[len(in.types)-1])
	in.source, in.sourceInteger = f, !ok
	require.Equal(t, in.op == "i2f", in.sourceInteger, text)
	return in
}

func integerNamed(t *testing.T, name string) (width uint, signed bool) {
	n, err := strconv.Atoi(name[1:])
	require.NoError(t, err)
	return uint(n), name[0] == 's'
}

func (in *instruction) eval(t *testing.T, a []uint64) (uint64, Format) {
	f, m := in.source, in.mode
	unary := map[string]func(Format, bool, uint64) uint64{
		"fsin": Sin, "fcos": Cos, "fexp2": Exp2, "flog2": Log2, "ftanh": Tanh, "frcp": Rcp, "frsqrt": Rsqrt,
		"fabs": Abs, "fneg": Neg, "frc": Frc,
	}
	if op, ok := unary[in.op]; ok {
		return op(f, m.FTZ, a[0]), f
	}
	switch in.op {
	case "fadd":
		return Add(f, m, a[0], a[1]), f
	case "fsub":
		return Sub(f, m, a[0], a[1]), f
	case "fmul":
		if in.full {
			return MulFull(f, m, a[0], a[1]), F
		}
		return Mul(f, m, a[0], a[1]), f
	case "fdiv":
		return Div(f, m, a[0], a[1]), f
	case "fmad":
		return Mad(f, m, a[0], a[1], a[2]), f
	case "fsqrt":
		return Sqrt(f, m, a[0]), f
	case "fmin":
		return Min(f, m, in.nanp, a[0], a[1]), f
	case "fmax":
		return Max(f, m, in.nanp, a[0], a[1]), f
	case "frnd":
		return Rnd(f, m.Round, m.FTZ, a[0]), f
	case "fext", "ftrunc":
		to, ok := formatNamed(in.types[0])
		require.True(t, ok)
		return Convert(to, f, m, a[0]), to
	case "i2f":
		to, ok := formatNamed(in.types[0])
		require.True(t, ok)
		width, signed := integerNamed(t, in.types[1])
		return FromInt(to, width, signed, m, a[0]), to
	case "f2i":
		width, signed := integerNamed(t, in.types[0])
		return ToInt(width, signed, f, m.Round, a[0]), numFormats
	case "fcmp":
		if Compare(f, m.FTZ, in.cmp, a[0], a[1]) {
			return 1, numFormats
		}
		return 0, numFormats
	}
	require.Fail(t, "unknown instruction", in.op)
	return 0, 0
}

func (in *instruction) operands(t *testing.T, fields []string) []uint64 {
	var a []uint64
	for _, s := range fields {
		hex, isHex := strings.CutPrefix(s, "0x")
		if !isHex && strings.Contains(s, ".") {
			z, err := Parse(in.source, s)
			require.NoError(t, err)
			a = append(a, z)
			continue
		}
		z, err := strconv.ParseUint(hex, 16, 64)
		require.NoError(t, err)
		a = append(a, z)
	}
	return a
}

// matches compares within a tolerance in steps of the ordered bit patterns, or
// an absolute one.
func matches(f Format, got, want uint64, ulp int64, abs float64) bool {
	if got == want || f == numFormats {
		return got == want
	}
	if f.IsNaN(got) || f.IsNaN(want) {
		return f.IsNaN(got) && f.IsNaN(want)
	}
	steps := layouts[f].order(got) - layouts[f].order(want)
	return ulp > 0 && steps >= -ulp && steps <= ulp || math.Abs(toFloat64(f, got)-toFloat64(f, want)) <= abs && abs > 0
}

// TestConformance runs single instructions whose results come from a model
// written from the specification.
func TestConformance(t *testing.T) {
	file, err := os.Open("testdata/conformance.txt")
	require.NoError(t, err)
	defer file.Close()
	var (
		name  string
		in    instruction
		ulp   int64
		abs   float64
		cases int
	)
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		switch fields[0] {
		case "#":
			continue
		case "case":
			name, in = fields[1], parseInstruction(t, fields[2])
			ulp, err = strconv.ParseInt(fields[3], 10, 64)
			require.NoError(t, err)
			abs, err = strconv.ParseFloat(fields[4], 64)
			require.NoError(t, err)
			cases++
			continue
		}
		a := in.operands(t, fields)
		want := a[len(a)-1]
		got, f := in.eval(t, a[:len(a)-1])
		if in.op == "fcmp" && want != 0 {
			want = 1
		}
		if !matches(f, got, want, ulp, abs) {
			t.Errorf("%s: %s: got %#x", name, lines.Text(), got)
		}
	}
	require.NoError(t, lines.Err())
	require.Equal(t, 275, cases)
}
