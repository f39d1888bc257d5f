package launch

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParseArg(t *testing.T) {
	for _, c := range []struct {
		spec string
		kind Kind
		data []byte
	}{
		{"u32:7", Scalar, []byte{7, 0, 0, 0}},
		{"s32:-7", Scalar, []byte{0xf9, 0xff, 0xff, 0xff}},
		{"u64:18446744073709551615", Scalar, []byte{255, 255, 255, 255, 255, 255, 255, 255}},
		{"s64:-9223372036854775808", Scalar, []byte{0, 0, 0, 0, 0, 0, 0, 0x80}},
		{"f32:1.5", Scalar, []byte{0, 0, 0xc0, 0x3f}},
		{"f16:-2", Scalar, []byte{0, 0xc0}},
		{"bf16:1", Scalar, []byte{0x80, 0x3f}},
		{"f64:inf", Scalar, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x7f}},
		{"f32:nan", Scalar, []byte{0, 0, 0xc0, 0x7f}},
		{"hex32:0x3f800000", Scalar, []byte{0, 0, 0x80, 0x3f}},
		{"hex8:ff", Scalar, []byte{255}},
		{"buf:u16:1,2*0xffff", Buffer, []byte{1, 0, 255, 255, 255, 255}},
		{"buf:u8:", Buffer, []byte{}},
		{"buf:u32:3*0", Buffer, make([]byte, 12)},
	} {
		a, err := ParseArg(c.spec)
		require.NoError(t, err, c.spec)
		require.Equal(t, c.kind, a.Kind, c.spec)
		require.Equal(t, c.data, a.Data, c.spec)
	}
	a, err := ParseArg("shared:128")
	require.NoError(t, err)
	require.Equal(t, Arg{Kind: Shared, Size: 128}, a)
	for _, bad := range []string{"", "7", "u32:", "u32:4294967296", "u8:-1", "s8:128", "s8:-129", "f32:x", "f16:0x10000", "hex32:0x1ffffffff",
		"buf:u7:1", "buf:u32:1,,2", "buf:u32:x*1", "buf:u32:2*", "buf:u64:4000000000*0", "buf:file:/nowhere", "shared:x", "u32:0x", "u32:1.5"} {
		_, err := ParseArg(bad)
		require.Error(t, err, bad)
	}
}

func TestBufferFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	require.NoError(t, os.WriteFile(path, []byte{1, 2, 3, 4, 5, 6}, 0o666))
	a, err := ParseArg("buf:file:" + path)
	require.NoError(t, err)
	require.Equal(t, "u8", a.Type.Name)
	a, err = ParseArg("buf:u16:file:" + path)
	require.NoError(t, err)
	require.Equal(t, uint64(0x0403), a.Type.Get(a.Data, 1))
}

// TestElementRoundTrips: what AppendText writes, Parse reads as the same bits;
// NaNs come back as the canonical one.
func TestElementRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ty := rapid.SampledFrom(types).Draw(t, "type")
		v := rapid.Uint64().Draw(t, "bits")
		if ty.Size < 8 {
			v &= 1<<(8*ty.Size) - 1
		}
		if ty.Float && ty.Format.IsNaN(v) {
			v = ty.Format.NaN()
		}
		text := string(ty.AppendText(nil, v))
		got, err := ty.Parse(text)
		if err != nil || got != v {
			t.Fatalf("%s %#x prints %q, reads %#x, %v", ty.Name, v, text, got, err)
		}
		data := ty.Append([]byte{9, 9, 9, 9, 9, 9, 9, 9}[:ty.Size], v)
		if ty.Get(data, 1) != v {
			t.Fatalf("%#x is stored wrongly", v)
		}
	})
}

func parse(t *testing.T, expect string) (*Launch, error) {
	t.Helper()
	return Parse([]byte(`{"kernel": "k", "global": [4], "args": [{"kind": "buf", "type": "u32", "data": [0, 0, 0, 0]}, {"kind": "scalar", "type": "u64", "value": 18446744073709551615}], "expect": [`+expect+`]}`), "")
}

func TestParse(t *testing.T) {
	l, err := parse(t, `{"arg": 0, "type": "u32", "data": [1, "0xff", 3]}`)
	require.NoError(t, err)
	require.Equal(t, [3]uint64{4, 0, 0}, l.Global)
	require.Equal(t, uint64(math.MaxUint64), l.Args[1].Type.Get(l.Args[1].Data, 0))
	require.Equal(t, []byte{1, 0, 0, 0, 255, 0, 0, 0, 3, 0, 0, 0}, l.Expect[0].Data)
	for _, c := range []struct{ text, want string }{
		{`{"kernel": 1}`, `1:13: "kernel" cannot be number`},
		{`[]`, "a launch is an object, not array"},
		{``, "1:1: the text ends within the launch"},
		{`{"global": [0, 1]}`, `"global" has no work-item in a dimension`},
		{"{\n \"kernel\": \"k\",\n \"globul\": [1]}", `unknown field "globul"`},
		{"{\n \"kernel\": \"k\"\n", "3:"},
		{`{} {}`, "text behind the launch"},
		{`{"global": [1, 1, 1, 1]}`, "4 dimensions"},
		{`{"args": [{"kind": "buf", "type": "u32"}]}`, `argument 0: a buffer needs "data"`},
		{`{"args": [{"kind": "scalar", "type": "u32"}]}`, `needs "value"`},
		{`{"args": [{"kind": "buf", "type": "u32", "data": [-1]}]}`, `argument 0: element 0: "-1" is no u32`},
		{`{"args": [{"kind": "buf", "type": "u33", "data": [1]}]}`, "unknown type"},
		{`{"args": [{"kind": "bof", "type": "u32", "data": [1]}]}`, "unknown kind"},
		{`{"expect": [{"arg": 0, "type": "u32", "data": [1]}]}`, "argument 0 is no buffer"},
	} {
		_, err := Parse([]byte(c.text), "")
		require.ErrorContains(t, err, c.want, c.text)
	}
	for _, c := range []struct{ text, want string }{
		{`{"arg": 1, "type": "u32", "data": [1]}`, "argument 1 is no buffer"},
		{`{"arg": 0, "type": "u32", "data": [1, 1, 1, 1, 1]}`, "it has 20 bytes, argument 0 16"},
		{`{"arg": 0, "type": "u32", "data": []}`, "it has 0 bytes, argument 0 16"},
		{`{"arg": 0, "type": "u32", "data": [1], "tol_ulp": 1}`, "a tolerance needs a float type"},
		{`{"arg": 0, "type": "u32", "data": [1], "fmt": "f16"}`, "does not fit"},
		{`{"arg": 0, "type": "u32", "data": [1], "cmp": "sorted"}`, "unknown"},
		{`{"arg": 0, "type": "u8", "data": [1], "anyNaN": true}`, "has no NaN"},
	} {
		_, err := parse(t, c.text)
		require.ErrorContains(t, err, c.want, c.text)
	}
}

// TestCompare: each tolerance at its edge, on both sides.
func TestCompare(t *testing.T) {
	for i, c := range []struct {
		expect string // without "arg"
		got    []uint32
		bad    int
	}{
		{`"type": "u32", "data": [1, 2]`, []uint32{1, 2}, 0},
		{`"type": "u32", "data": [1, 2]`, []uint32{2, 1}, 2},
		{`"type": "u32", "data": [1, 2, 2], "cmp": "multiset"`, []uint32{2, 1, 2}, 0},
		{`"type": "u32", "data": [1, 2, 2], "cmp": "multiset"`, []uint32{2, 1, 1}, 1},
		{`"type": "u32", "data": [1065353216], "fmt": "f32", "tol_ulp": 2`, []uint32{0x3f800002}, 0},
		{`"type": "u32", "data": [1065353216], "fmt": "f32", "tol_ulp": 2`, []uint32{0x3f7ffffd}, 1},
		{`"type": "u32", "data": [1], "fmt": "f32", "tol_ulp": 2`, []uint32{0x80000001}, 0}, // across zero: two steps
		{`"type": "u32", "data": [1], "fmt": "f32", "tol_ulp": 2`, []uint32{0x80000002}, 1},
		{`"type": "u32", "data": [2139095040], "fmt": "f32", "tol_ulp": 1`, []uint32{0xff800000}, 1},
		{`"type": "u32", "data": [0], "fmt": "f32", "tol_abs": 0.5`, []uint32{0x3f000000}, 0},
		{`"type": "u32", "data": [0], "fmt": "f32", "tol_abs": 0.5`, []uint32{0x3f000001}, 1},
		{`"type": "f32", "data": [2.0], "rtol": 0.25, "atol": 0.5`, []uint32{0x40400000}, 0},
		{`"type": "f32", "data": [2.0], "rtol": 0.25, "atol": 0.5`, []uint32{0x40400001}, 1},
		{`"type": "f32", "data": ["inf"], "rtol": 1, "atol": 1`, []uint32{0x7f7fffff}, 1},
		{`"type": "u32", "data": [2143289344], "fmt": "f32", "anyNaN": true`, []uint32{0xffffffff}, 0},
		{`"type": "u32", "data": [2143289344], "fmt": "f32"`, []uint32{0xffffffff}, 1},
		{`"type": "u32", "data": [2143289344], "nan_any_payload": true`, []uint32{0x7f800001}, 0},
		{`"type": "u32", "data": [2143289344], "fmt": "f32", "anyNaN": true`, []uint32{0x7f800000}, 1},
		{`"type": "u32", "data": [0], "fmt": "f32", "anyNaN": true, "tol_ulp": 3`, []uint32{0x7fc00000}, 1},
		{`"type": "f32", "data": [0]`, []uint32{0x80000000}, 1}, // bit for bit
	} {
		l, err := parse(t, `{"arg": 0, `+c.expect+`}`)
		require.NoError(t, err, c.expect)
		var got []byte
		u32, _ := TypeNamed("u32")
		for _, v := range c.got {
			got = u32.Append(got, uint64(v))
		}
		_, bad := l.Expect[0].Compare(got, 8)
		require.Equal(t, c.bad, bad, "%d: %s", i, c.expect)
	}
}

// TestULPExtremes: the distance of the largest doubles of both signs does not
// wrap around.
func TestULPExtremes(t *testing.T) {
	f64, _ := TypeNamed("f64")
	e := Expect{Type: f64, Format: f64, Floats: true, TolULP: 100}
	require.False(t, e.near(math.Float64bits(math.MaxFloat64), math.Float64bits(-math.MaxFloat64)))
	require.True(t, e.near(math.Float64bits(math.MaxFloat64), math.Float64bits(math.MaxFloat64)-100))
}

func TestDifference(t *testing.T) {
	l, err := parse(t, `{"arg": 0, "type": "u32", "data": [1, 2, 3, 4]}`)
	require.NoError(t, err)
	list, n := l.Expect[0].Compare(make([]byte, 16), 2)
	require.Equal(t, 4, n)
	require.Equal(t, "arg0[0]: got 0, want 1 (0x00000000, 0x00000001)", strings.TrimSpace(fmt.Sprint(list[0])))
	require.Len(t, list, 2)
}
