package emu

import (
	"math"

	"pisac/dialects/amdgpu"
)

// fromInt converts an integer that a double holds exactly.
func fromInt(f *format, value func(a uint64) float64) valuFn {
	return func(m *fpMode, a, _, _ uint64) uint64 { return f.narrow(value(a), m.round(f)) }
}

func unsigned32(a uint64) float64 { return float64(lo(a)) }
func signed32(a uint64) float64   { return float64(s32(a)) }

// ubyte is byte i of a.
func ubyte(i uint) func(a uint64) float64 {
	return func(a uint64) float64 { return float64(a >> (8 * i) & 0xff) }
}

// intOf converts to an integer between lo and hi.
func intOf(f *format, lo, hi float64) valuFn {
	return func(m *fpMode, a, _, _ uint64) uint64 {
		return uint64(int64(toInt(f.value(m.in(f, a)), lo, hi)))
	}
}

// reformat converts between formats, rounding as the result's format says.
func reformat(from, to *format) valuFn {
	return func(m *fpMode, a, _, _ uint64) uint64 {
		if from == &double && to == &single && m.round32 != m.round64 {
			m.bad = "the rounding modes of single and double differ, and the documents do not say which one this obeys"
		}
		a = m.in(from, a)
		if from.isNaN(a) {
			return to.nan() | a>>(from.width()-1)<<(to.width()-1)
		}
		return m.out(to, to.narrow(from.value(a), m.round(to)))
	}
}

// halfToward0 is a single as a half, rounded toward zero whatever MODE says.
func (m *fpMode) halfToward0(a uint64) uint64 {
	a = m.in(&single, a)
	if single.isNaN(a) {
		return half.nan() | a>>31<<15
	}
	return m.out(&half, half.narrow(single.value(a), roundZero))
}

// convertRows is the conversions.
var convertRows = []valuSpec{
	{amdgpu.VCvtF32I32, "fi", fromInt(&single, signed32), secVOP1, nil},
	{amdgpu.VCvtF32U32, "fi", fromInt(&single, unsigned32), secVOP1, nil},
	{amdgpu.VCvtI32F32, "if", intOf(&single, math.MinInt32, math.MaxInt32), secVOP1, nil},
	{amdgpu.VCvtU32F32, "if", intOf(&single, 0, math.MaxUint32), secVOP1, nil},
	{amdgpu.VCvtF16F32, "hf", reformat(&single, &half), secVOP1, nil},
	{amdgpu.VCvtF32F16, "fh", reformat(&half, &single), secVOP1, nil},
	{amdgpu.VCvtF16U16, "hw", fromInt(&half, func(a uint64) float64 { return float64(a & 0xffff) }), secVOP1, nil},
	{amdgpu.VCvtF16I16, "hw", fromInt(&half, func(a uint64) float64 { return float64(int16(a)) }), secVOP1, nil},
	{amdgpu.VCvtU16F16, "wh", intOf(&half, 0, math.MaxUint16), secVOP1, nil},
	{amdgpu.VCvtI16F16, "wh", intOf(&half, math.MinInt16, math.MaxInt16), secVOP1, nil},
	{amdgpu.VCvtF32F64, "fd", reformat(&double, &single), secVOP1, nil},
	{amdgpu.VCvtF64F32, "df", reformat(&single, &double), secVOP1, nil},
	{amdgpu.VCvtF64I32, "di", fromInt(&double, signed32), secVOP1, nil},
	{amdgpu.VCvtF64U32, "di", fromInt(&double, unsigned32), secVOP1, nil},
	{amdgpu.VCvtI32F64, "id", intOf(&double, math.MinInt32, math.MaxInt32), secVOP1, nil},
	{amdgpu.VCvtU32F64, "id", intOf(&double, 0, math.MaxUint32), secVOP1, nil},
	{amdgpu.VCvtF32Ubyte0, "fi", fromInt(&single, ubyte(0)), secVOP1, nil},
	{amdgpu.VCvtF32Ubyte1, "fi", fromInt(&single, ubyte(1)), secVOP1, nil},
	{amdgpu.VCvtF32Ubyte2, "fi", fromInt(&single, ubyte(2)), secVOP1, nil},
	{amdgpu.VCvtF32Ubyte3, "fi", fromInt(&single, ubyte(3)), secVOP1, nil},
	{amdgpu.VCvtPkRtzF16F32, "iff", func(m *fpMode, a, b, _ uint64) uint64 { return m.halfToward0(a) | m.halfToward0(b)<<16 }, secVOP2, nil},
}
