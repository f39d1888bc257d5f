package emu

import (
	"math/bits"

	"pisac/dialects/amdgpu"
)

func u24(a uint64) uint64 { return a & 0xffffff }
func s24(a uint64) int64  { return int64(a<<40) >> 40 }

// unary, binary and ternary adapt functions without MODE.
func unary(f func(a uint64) uint64) valuFn {
	return func(_ *fpMode, a, _, _ uint64) uint64 { return f(a) }
}

func binary2(f func(a, b uint64) uint64) valuFn {
	return func(_ *fpMode, a, b, _ uint64) uint64 { return f(a, b) }
}

func ternary(f func(a, b, c uint64) uint64) valuFn {
	return func(_ *fpMode, a, b, c uint64) uint64 { return f(a, b, c) }
}

func satU32(x int64) uint64 { return uint64(min(max(x, 0), 0xffffffff)) }
func satS32(x int64) uint64 { return lo(uint64(min(max(x, -1<<31), 1<<31-1))) }

func signed3(f func(a, b, c int64) int64) valuFn {
	return func(_ *fpMode, a, b, c uint64) uint64 { return lo(uint64(f(s32(a), s32(b), s32(c)))) }
}

func median[T int64 | uint64 | float64](a, b, c T) T {
	return max(min(a, b), min(max(a, b), c))
}

// perm is v_perm_b32: bytes of {a, b}, constants, or signs, by the bytes of c.
func perm(a, b, c uint64) (r uint64) {
	data := lo(a)<<32 | lo(b)
	for i := range 4 {
		sel := c >> (8 * i) & 0xff
		var x uint64
		switch {
		case sel < 8:
			x = data >> (8 * sel) & 0xff
		case sel < 12:
			x = (data >> (16*(sel-8) + 15) & 1) * 0xff
		case sel > 12:
			x = 0xff
		}
		r |= x << (8 * i)
	}
	return r
}

func absDiff(a, b uint64) uint64 { return max(lo(a), lo(b)) - min(lo(a), lo(b)) }

// intRows is the vector instructions on integers.
var intRows = []valuSpec{
	{amdgpu.VMovB32, "ii", unary(func(a uint64) uint64 { return a }), secVOP1, nil},
	{amdgpu.VMovB64, "ll", unary(func(a uint64) uint64 { return a }), cdnaVOP1, nil},
	// Lanes that have none to read are disabled: the result keeps what the last
	// operand, which is the same register, holds (RDNA3 ISA 7.7).
	{amdgpu.VMovB32Dpp, "iii", unary(func(a uint64) uint64 { return a }), secVOP1, nil},
	{amdgpu.VAddNcU32Dpp, "iiii", binary2(func(a, b uint64) uint64 { return a + b }), secVOP2, nil},
	{amdgpu.VMinI32Dpp, "iiii", signed3(func(a, b, _ int64) int64 { return min(a, b) }), secVOP2, nil},
	{amdgpu.VMaxI32Dpp, "iiii", signed3(func(a, b, _ int64) int64 { return max(a, b) }), secVOP2, nil},
	{amdgpu.VMinU32Dpp, "iiii", binary2(func(a, b uint64) uint64 { return min(lo(a), lo(b)) }), secVOP2, nil},
	{amdgpu.VMaxU32Dpp, "iiii", binary2(func(a, b uint64) uint64 { return max(lo(a), lo(b)) }), secVOP2, nil},
	{amdgpu.VAndB32Dpp, "iiii", binary2(func(a, b uint64) uint64 { return a & b }), secVOP2, nil},
	{amdgpu.VOrB32Dpp, "iiii", binary2(func(a, b uint64) uint64 { return a | b }), secVOP2, nil},
	{amdgpu.VXorB32Dpp, "iiii", binary2(func(a, b uint64) uint64 { return a ^ b }), secVOP2, nil},
	{amdgpu.VNotB32, "ii", unary(func(a uint64) uint64 { return ^a }), secVOP1, nil},
	{amdgpu.VBfrevB32, "ii", unary(func(a uint64) uint64 { return uint64(bits.Reverse32(uint32(a))) }), secVOP1, nil},
	{amdgpu.VClzI32U32, "ii", unary(func(a uint64) uint64 { return countOrMinus(bits.LeadingZeros32(uint32(a)), 32) }), secVOP1, nil},
	{amdgpu.VCtzI32B32, "ii", unary(func(a uint64) uint64 { return countOrMinus(bits.TrailingZeros32(uint32(a)), 32) }), secVOP1, nil},
	{amdgpu.VClsI32, "ii", unary(signBits), secVOP1, nil},

	{amdgpu.VAddNcU32, "iii", binary2(func(a, b uint64) uint64 { return a + b }), secVOP2,
		binary2(func(a, b uint64) uint64 { return min(lo(a)+lo(b), 0xffffffff) })},
	{amdgpu.VSubNcU32, "iii", binary2(func(a, b uint64) uint64 { return a - b }), secVOP2,
		binary2(func(a, b uint64) uint64 { return satU32(int64(lo(a)) - int64(lo(b))) })},
	{amdgpu.VSubrevNcU32, "iii", binary2(func(a, b uint64) uint64 { return b - a }), secVOP2,
		binary2(func(a, b uint64) uint64 { return satU32(int64(lo(b)) - int64(lo(a))) })},
	{amdgpu.VAddNcI32, "iii", binary2(func(a, b uint64) uint64 { return a + b }), secVOP3,
		binary2(func(a, b uint64) uint64 { return satS32(s32(a) + s32(b)) })},
	{amdgpu.VSubNcI32, "iii", binary2(func(a, b uint64) uint64 { return a - b }), secVOP3,
		binary2(func(a, b uint64) uint64 { return satS32(s32(a) - s32(b)) })},
	{amdgpu.VAndB32, "iii", binary2(func(a, b uint64) uint64 { return a & b }), secVOP2, nil},
	{amdgpu.VOrB32, "iii", binary2(func(a, b uint64) uint64 { return a | b }), secVOP2, nil},
	{amdgpu.VXorB32, "iii", binary2(func(a, b uint64) uint64 { return a ^ b }), secVOP2, nil},
	{amdgpu.VXnorB32, "iii", binary2(func(a, b uint64) uint64 { return ^(a ^ b) }), secVOP2, nil},
	{amdgpu.VLshlrevB32, "iii", binary2(func(a, b uint64) uint64 { return b << (a & 31) }), secVOP2, nil},
	{amdgpu.VLshrrevB32, "iii", binary2(func(a, b uint64) uint64 { return lo(b) >> (a & 31) }), secVOP2, nil},
	{amdgpu.VAshrrevI32, "iii", binary2(func(a, b uint64) uint64 { return uint64(s32(b) >> (a & 31)) }), secVOP2, nil},
	{amdgpu.VMinI32, "iii", signed3(func(a, b, _ int64) int64 { return min(a, b) }), secVOP2, nil},
	{amdgpu.VMaxI32, "iii", signed3(func(a, b, _ int64) int64 { return max(a, b) }), secVOP2, nil},
	{amdgpu.VMinU32, "iii", binary2(func(a, b uint64) uint64 { return min(lo(a), lo(b)) }), secVOP2, nil},
	{amdgpu.VMaxU32, "iii", binary2(func(a, b uint64) uint64 { return max(lo(a), lo(b)) }), secVOP2, nil},
	{amdgpu.VMulU32U24, "iii", binary2(func(a, b uint64) uint64 { return u24(a) * u24(b) }), secVOP2, nil},
	{amdgpu.VMulI32I24, "iii", binary2(func(a, b uint64) uint64 { return uint64(s24(a) * s24(b)) }), secVOP2, nil},
	{amdgpu.VMulHiU32U24, "iii", binary2(func(a, b uint64) uint64 { return u24(a) * u24(b) >> 32 }), secVOP2, nil},
	{amdgpu.VMulHiI32I24, "iii", binary2(func(a, b uint64) uint64 { return uint64(s24(a) * s24(b) >> 32) }), secVOP2, nil},

	{amdgpu.VMulLoU32, "iii", binary2(func(a, b uint64) uint64 { return a * b }), secVOP3, nil},
	{amdgpu.VMulHiU32, "iii", binary2(func(a, b uint64) uint64 { return lo(a) * lo(b) >> 32 }), secVOP3, nil},
	{amdgpu.VMulHiI32, "iii", binary2(func(a, b uint64) uint64 { return uint64(s32(a) * s32(b) >> 32) }), secVOP3, nil},
	{amdgpu.VMadU32U24, "iiii", ternary(func(a, b, c uint64) uint64 { return u24(a)*u24(b) + c }), secVOP3,
		ternary(func(a, b, c uint64) uint64 { return min(u24(a)*u24(b)+lo(c), 0xffffffff) })},
	{amdgpu.VMadI32I24, "iiii", ternary(func(a, b, c uint64) uint64 { return uint64(s24(a)*s24(b)) + c }), secVOP3,
		ternary(func(a, b, c uint64) uint64 { return satS32(s24(a)*s24(b) + s32(c)) })},
	{amdgpu.VBfeU32, "iiii", ternary(func(a, b, c uint64) uint64 { return lo(a) >> (b & 31) & ones(c&31) }), secVOP3, nil},
	{amdgpu.VBfeI32, "iiii", ternary(func(a, b, c uint64) uint64 { return signedField(lo(a)>>(b&31), c&31) }), secVOP3, nil},
	{amdgpu.VBfiB32, "iiii", ternary(func(a, b, c uint64) uint64 { return a&b | c&^a }), secVOP3, nil},
	{amdgpu.VBfmB32, "iii", binary2(func(a, b uint64) uint64 { return ones(a&31) << (b & 31) }), secVOP3, nil},
	{amdgpu.VAlignbitB32, "iiii", ternary(func(a, b, c uint64) uint64 { return (lo(a)<<32 | lo(b)) >> (c & 31) }), secVOP3, nil},
	{amdgpu.VAlignbyteB32, "iiii", ternary(func(a, b, c uint64) uint64 { return (lo(a)<<32 | lo(b)) >> (8 * (c & 3)) }), secVOP3, nil},
	{amdgpu.VPermB32, "iiii", ternary(perm), secVOP3, nil},
	{amdgpu.VAdd3U32, "iiii", ternary(func(a, b, c uint64) uint64 { return a + b + c }), secVOP3, nil},
	{amdgpu.VLshlAddU32, "iiii", ternary(func(a, b, c uint64) uint64 { return a<<(b&31) + c }), secVOP3, nil},
	{amdgpu.VAddLshlU32, "iiii", ternary(func(a, b, c uint64) uint64 { return (a + b) << (c & 31) }), secVOP3, nil},
	{amdgpu.VLshlOrB32, "iiii", ternary(func(a, b, c uint64) uint64 { return a<<(b&31) | c }), secVOP3, nil},
	{amdgpu.VAndOrB32, "iiii", ternary(func(a, b, c uint64) uint64 { return a&b | c }), secVOP3, nil},
	{amdgpu.VOr3B32, "iiii", ternary(func(a, b, c uint64) uint64 { return a | b | c }), secVOP3, nil},
	{amdgpu.VXor3B32, "iiii", ternary(func(a, b, c uint64) uint64 { return a ^ b ^ c }), secVOP3, nil},
	{amdgpu.VXadU32, "iiii", ternary(func(a, b, c uint64) uint64 { return (a ^ b) + c }), secVOP3, nil},
	{amdgpu.VLshlAddU64, "llil", func(m *fpMode, a, b, c uint64) uint64 {
		if b &= 7; b > 4 {
			m.bad = "a shift by more than 4"
		}
		return a<<b + c
	}, cdnaVOP3, nil},
	{amdgpu.VLshlrevB64, "lil", binary2(func(a, b uint64) uint64 { return b << (a & 63) }), secVOP3, nil},
	{amdgpu.VLshrrevB64, "lil", binary2(func(a, b uint64) uint64 { return b >> (a & 63) }), secVOP3, nil},
	{amdgpu.VAshrrevI64, "lil", binary2(func(a, b uint64) uint64 { return uint64(int64(b) >> (a & 63)) }), secVOP3, nil},
	{amdgpu.VMin3I32, "iiii", signed3(func(a, b, c int64) int64 { return min(a, b, c) }), secVOP3, nil},
	{amdgpu.VMax3I32, "iiii", signed3(func(a, b, c int64) int64 { return max(a, b, c) }), secVOP3, nil},
	{amdgpu.VMed3I32, "iiii", signed3(median[int64]), secVOP3, nil},
	{amdgpu.VMin3U32, "iiii", ternary(func(a, b, c uint64) uint64 { return min(lo(a), lo(b), lo(c)) }), secVOP3, nil},
	{amdgpu.VMax3U32, "iiii", ternary(func(a, b, c uint64) uint64 { return max(lo(a), lo(b), lo(c)) }), secVOP3, nil},
	{amdgpu.VMed3U32, "iiii", ternary(func(a, b, c uint64) uint64 { return median(lo(a), lo(b), lo(c)) }), secVOP3, nil},
	{amdgpu.VBcntU32B32, "iii", binary2(func(a, b uint64) uint64 { return uint64(bits.OnesCount32(uint32(a))) + b }), secVOP3, nil},
	{amdgpu.VCvtPkU16U32, "iii", binary2(func(a, b uint64) uint64 { return min(lo(a), 0xffff) | min(lo(b), 0xffff)<<16 }), secVOP3, nil},
	{amdgpu.VCvtPkI16I32, "iii", binary2(func(a, b uint64) uint64 {
		clamp := func(x uint64) uint64 { return uint64(min(max(s32(x), -0x8000), 0x7fff)) & 0xffff }
		return clamp(a) | clamp(b)<<16
	}), secVOP3, nil},
	{amdgpu.VMulLoU16, "www", binary2(func(a, b uint64) uint64 { return a * b }), secVOP3, nil},
	{amdgpu.VSadU32, "iiii", ternary(func(a, b, c uint64) uint64 { return absDiff(a, b) + c }), secVOP3,
		ternary(func(a, b, c uint64) uint64 { return min(absDiff(a, b)+lo(c), 0xffffffff) })},
}
