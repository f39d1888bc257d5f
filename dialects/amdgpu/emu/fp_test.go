package emu

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// formats with the same of package fp, an implementation by integers.
var formats = []struct {
	f  *format
	fp fp.Format
}{{&half, fp.HF}, {&single, fp.F}, {&double, fp.DF}}

// roundings are MODE's encodings in fp's.
var roundings = []fp.Round{roundEven: fp.RE, roundUp: fp.RU, roundDown: fp.RD, roundZero: fp.RZ}

// number draws bits of f, edges often.
func number(t *rapid.T, f *format, name string) uint64 {
	mant := rapid.OneOf(rapid.Just(uint64(0)), rapid.Just(uint64(1)), rapid.Just(f.quiet()), rapid.Just(uint64(1)<<f.mant-1), rapid.Uint64()).Draw(t, name+" mant") & (1<<f.mant - 1)
	exp := rapid.OneOf(rapid.IntRange(0, 2), rapid.IntRange(f.bias()-f.mant-2, f.bias()+f.mant+2), rapid.IntRange(1<<f.exp-3, 1<<f.exp-1), rapid.IntRange(0, 1<<f.exp-1)).Draw(t, name+" exp")
	exp = min(max(exp, 0), 1<<f.exp-1)
	sign := rapid.Uint64Range(0, 1).Draw(t, name+" sign")
	return sign<<(f.mant+f.exp) | uint64(exp)<<f.mant | mant
}

// same reports equal bits, or two NaNs.
func same(f *format, a, b uint64) bool { return a == b || f.isNaN(a) && f.isNaN(b) }

// TestArithmetic holds sums, products and fused ones to package fp, in every
// format and rounding mode, with and without denormals.
func TestArithmetic(t *testing.T) {
	for _, x := range formats {
		rapid.Check(t, func(t *rapid.T) {
			f := x.f
			a, b, c := number(t, f, "a"), number(t, f, "b"), number(t, f, "c")
			if rapid.IntRange(0, 3).Draw(t, "near") == 0 {
				// An addend beside the product.
				m := fpMode{den32: 3, den64: 3}
				c = m.mul(f, a, b) ^ f.sign() ^ rapid.Uint64Range(0, 3).Draw(t, "off")
			}
			rm := rapid.Uint8Range(0, 3).Draw(t, "mode")
			m := fpMode{round32: rm, round64: rm, den32: 3, den64: 3}
			fm := fp.Mode{Round: roundings[rm]}
			if rapid.Bool().Draw(t, "flush") && f != &double {
				m.den32, m.den64, fm.FTZ = 0, 0, true
			}
			check := func(what string, got, want uint64) {
				if !same(f, got, want) {
					t.Fatalf("%s of %d bits, mode %d: %#x %#x %#x: %#x, not %#x", what, f.width(), rm, a, b, c, got, want)
				}
			}
			check("sum", m.add(f, a, b), fp.Add(x.fp, fm, a, b))
			check("product", m.mul(f, a, b), fp.Mul(x.fp, fm, a, b))
			check("fma", m.fma(f, a, b, c), fp.Mad(x.fp, fm, a, b, c))
		})
	}
}

// TestConversions holds conversions between formats and from integers to fp.
func TestConversions(t *testing.T) {
	from := func(code ir.Code) valuFn { return valuByCode[code].fn }
	rapid.Check(t, func(t *rapid.T) {
		rm := rapid.Uint8Range(0, 3).Draw(t, "mode")
		m := fpMode{round32: rm, round64: rm, den32: 3, den64: 3}
		fm := fp.Mode{Round: roundings[rm]}
		for _, c := range []struct {
			code     ir.Code
			from, to int
		}{{amdgpu.VCvtF16F32, 1, 0}, {amdgpu.VCvtF32F16, 0, 1}, {amdgpu.VCvtF32F64, 2, 1}, {amdgpu.VCvtF64F32, 1, 2}} {
			a := number(t, formats[c.from].f, "a")
			got := from(c.code)(&m, a, 0, 0)
			want := fp.Convert(formats[c.to].fp, formats[c.from].fp, fm, a)
			if !same(formats[c.to].f, got, want) {
				t.Fatalf("%s of %#x, mode %d: %#x, not %#x", amdgpu.RowOf(c.code).Name, a, rm, got, want)
			}
		}
		n := rapid.OneOf(rapid.Uint32(), rapid.Uint32Range(0xff000000, 0xffffffff), rapid.Uint32Range(1<<24-2, 1<<24+8)).Draw(t, "n")
		for _, c := range []struct {
			code   ir.Code
			to     int
			signed bool
		}{{amdgpu.VCvtF32I32, 1, true}, {amdgpu.VCvtF32U32, 1, false}, {amdgpu.VCvtF64I32, 2, true}, {amdgpu.VCvtF64U32, 2, false}} {
			if got, want := from(c.code)(&m, uint64(n), 0, 0), fp.FromInt(formats[c.to].fp, 32, c.signed, fm, uint64(n)); got != want {
				t.Fatalf("%s of %#x, mode %d: %#x, not %#x", amdgpu.RowOf(c.code).Name, n, rm, got, want)
			}
		}
		a := number(t, &single, "f")
		for _, c := range []struct {
			code   ir.Code
			signed bool
		}{{amdgpu.VCvtI32F32, true}, {amdgpu.VCvtU32F32, false}} {
			if got, want := lo(from(c.code)(&m, a, 0, 0)), fp.ToInt(32, c.signed, fp.F, fp.RZ, a); got != want {
				t.Fatalf("%s of %#x: %#x, not %#x", amdgpu.RowOf(c.code).Name, a, got, want)
			}
		}
	})
}

// TestDivision executes the usual division of single and double numbers and
// holds it to a correctly rounded quotient: v_div_scale, v_div_fmas and
// v_div_fixup, with a reciprocal that is off by what it may be.
func TestDivision(t *testing.T) {
	type rows struct {
		scale, fmas carryFn
		fixup, rcp  valuFn
		steps       int
	}
	ops := map[*format]rows{
		&single: {carryOf(amdgpu.VDivScaleF32), carryOf(amdgpu.VDivFmasF32), valuByCode[amdgpu.VDivFixupF32].fn, valuByCode[amdgpu.VRcpF32].fn, 1},
		&double: {carryOf(amdgpu.VDivScaleF64), carryOf(amdgpu.VDivFmasF64), valuByCode[amdgpu.VDivFixupF64].fn, valuByCode[amdgpu.VRcpF64].fn, 2},
	}
	for _, x := range formats[1:] {
		f, o := x.f, ops[x.f]
		rapid.Check(t, func(t *rapid.T) {
			m := &fpMode{den32: 3, den64: 3, approx: rapid.Uint64Range(0, 3).Draw(t, "approx")}
			n, d := number(t, f, "n"), number(t, f, "d")
			dd, _ := o.scale(m, d, d, n, false)
			nn, flag := o.scale(m, n, d, n, false)
			neg := dd ^ f.sign()
			r := o.rcp(m, dd, 0, 0)
			for range o.steps {
				r = m.fma(f, m.fma(f, neg, r, f.one()), r, r)
			}
			q := m.mul(f, nn, r)
			if f == &single {
				q = m.fma(f, m.fma(f, neg, q, nn), r, q)
			}
			q, _ = o.fmas(m, m.fma(f, neg, q, nn), r, q, flag)
			got := o.fixup(m, q, d, n)
			if want := fp.Div(x.fp, fp.Mode{}, n, d); !same(f, got, want) {
				t.Fatalf("%#x / %#x: %#x, not %#x (scaled %#x / %#x, flag %t)", n, d, got, want, nn, dd, flag)
			}
		})
	}
}

func carryOf(code ir.Code) carryFn {
	for i := range carryRows {
		if carryRows[i].code == code {
			return carryRows[i].fn
		}
	}
	return nil
}

// TestApproximations: with any seed results are less than 1 ULP off, and some
// are off.
func TestApproximations(t *testing.T) {
	off := 0
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Uint32Range(0x3f800000, 0x40800000).Draw(t, "a")
		k := approxKind(rapid.IntRange(int(apRcp), int(apLog)).Draw(t, "k"))
		exact := fpMode{den32: 3, den64: 3}
		seeded := exact
		seeded.approx = rapid.Uint64Range(1, 9).Draw(t, "seed")
		y, _ := evaluate(k, single.value(uint64(a)))
		r := seeded.approx32(&single, k, uint64(a))
		if r != exact.approx32(&single, k, uint64(a)) {
			off++
		}
		ulp := single.value(r&0x7f800000) * 0x1p-23
		if d := single.value(r) - y; d != 0 && (d >= ulp || d <= -ulp) {
			t.Fatalf("function %d of %#x: %#x is %g ULP off", k, a, r, d/ulp)
		}
	})
	require.NotZero(t, off)
}

// TestExactDouble: rounding a double whose every bit matters, to all formats.
func TestExactDouble(t *testing.T) {
	m := fpMode{round64: roundUp, den64: 3}
	// 1 + 2^-60 up is the next double; down it is 1.
	require.EqualValues(t, 0x3ff0000000000001, m.add(&double, 0x3ff0000000000000, 0x3c30000000000000))
	m.round64 = roundDown
	require.EqualValues(t, 0x3ff0000000000000, m.add(&double, 0x3ff0000000000000, 0x3c30000000000000))
	// x - x is -0 when rounding down.
	require.EqualValues(t, uint64(1)<<63, m.add(&double, 0x3ff0000000000000, 0xbff0000000000000))
	// The least denormal × 1/2.
	require.EqualValues(t, 0, m.mul(&double, 1, 0x3fe0000000000000))
	m.round64 = roundUp
	require.EqualValues(t, 1, m.mul(&double, 1, 0x3fe0000000000000))
}

// TestTrigPreop: the segments of 2/π (Payne and Hanek): their sum is it.
func TestTrigPreop(t *testing.T) {
	m := fpMode{den64: 3}
	one := uint64(0x3ff0000000000000)
	first := double.value(m.trigPreop(one, 0))
	require.InDelta(t, 0.6366197723675814, first, 1e-15)
	require.Less(t, double.value(m.trigPreop(one, 1)), first*0x1p-52)
	require.EqualValues(t, 0x3fe45f306dc9c882, m.trigPreop(one, 0)) // truncated: the next bits are 10…
}
