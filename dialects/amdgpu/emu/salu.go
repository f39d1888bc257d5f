package emu

import (
	"math/bits"

	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// saluFn computes a scalar instruction from its operands and scc; the second
// result is the new scc, if the row has one.
type saluFn func(a, b uint64, c bool) (uint64, bool)

type saluRow struct {
	code    ir.Code
	fn      saluFn
	section string
}

const (
	secSOP2 = "RDNA3 ISA 16.1"
	secSOPK = "RDNA3 ISA 16.2"
	secSOP1 = "RDNA3 ISA 16.3"
	secSOPC = "RDNA3 ISA 16.4"
	secSOPP = "RDNA3 ISA 16.5"
	secSMEM = "RDNA3 ISA 16.6"
)

func lo(a uint64) uint64                { return a & 0xffffffff }
func s32(a uint64) int64                { return int64(int32(a)) }
func nonzero(r uint64) (uint64, bool)   { return r, r != 0 }
func nonzero32(r uint64) (uint64, bool) { return nonzero(lo(r)) }

// ones is n one bits.
func ones(n uint64) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// field is the signed or unsigned bit field of width n at the bottom of a.
func signedField(a, n uint64) uint64 {
	if n == 0 {
		return 0
	}
	n = min(n, 64)
	return uint64(int64(a<<(64-n)) >> (64 - n))
}

func add32(a, b uint64, c bool) (uint64, bool) {
	r := lo(a) + lo(b)
	if c {
		r++
	}
	return lo(r), r>>32 != 0
}

func sub32(a, b uint64, c bool) (uint64, bool) {
	r := lo(a) - lo(b)
	if c {
		r--
	}
	return lo(r), r>>63 != 0
}

func fits32(r int64) (uint64, bool) { return lo(uint64(r)), r != int64(int32(r)) }

// shlAdd is a << n + b; scc is the carry out of 32 bits.
func shlAdd(n uint) saluFn {
	return func(a, b uint64, _ bool) (uint64, bool) {
		r := lo(a)<<n + lo(b)
		return lo(r), r>>32 != 0
	}
}

func countOrMinus(n, none int) uint64 {
	if n == none {
		return 0xffffffff
	}
	return uint64(n)
}

// signBits is how many bits from the top equal the sign; -1 if all do.
func signBits(a uint64) uint64 {
	x := int32(a)
	return countOrMinus(bits.LeadingZeros32(uint32(x^x>>31)), 32)
}

func compared(f func(a, b uint64) bool) saluFn {
	return func(a, b uint64, _ bool) (uint64, bool) { return 0, f(a, b) }
}

// bitField64 is s_bfe: offset in the low bits of b, width in bits 22:16.
func bitFieldOf(b, mask uint64) (off, n uint64) { return b & mask, b >> 16 & 0x7f }

// saluRows is the scalar instructions that depend on their operands alone.
var saluRows = []saluRow{
	{amdgpu.SAddU32, func(a, b uint64, _ bool) (uint64, bool) { return add32(a, b, false) }, secSOP2},
	{amdgpu.SSubU32, func(a, b uint64, _ bool) (uint64, bool) { return sub32(a, b, false) }, secSOP2},
	{amdgpu.SAddcU32, add32, secSOP2},
	{amdgpu.SSubbU32, sub32, secSOP2},
	{amdgpu.SAddI32, func(a, b uint64, _ bool) (uint64, bool) { return fits32(s32(a) + s32(b)) }, secSOP2},
	{amdgpu.SSubI32, func(a, b uint64, _ bool) (uint64, bool) { return fits32(s32(a) - s32(b)) }, secSOP2},
	{amdgpu.SMulI32, func(a, b uint64, _ bool) (uint64, bool) { return lo(a * b), false }, secSOP2},
	{amdgpu.SMulHiU32, func(a, b uint64, _ bool) (uint64, bool) { return lo(a) * lo(b) >> 32, false }, secSOP2},
	{amdgpu.SMulHiI32, func(a, b uint64, _ bool) (uint64, bool) { return lo(uint64(s32(a) * s32(b) >> 32)), false }, secSOP2},
	{amdgpu.SAbsdiffI32, func(a, b uint64, _ bool) (uint64, bool) {
		r := uint32(a) - uint32(b)
		if int32(r) < 0 {
			r = -r
		}
		return nonzero(uint64(r))
	}, secSOP2},
	{amdgpu.SAndB32, func(a, b uint64, _ bool) (uint64, bool) { return nonzero32(a & b) }, secSOP2},
	{amdgpu.SAndB64, func(a, b uint64, _ bool) (uint64, bool) { return nonzero(a & b) }, secSOP2},
	{amdgpu.SOrB32, func(a, b uint64, _ bool) (uint64, bool) { return nonzero32(a | b) }, secSOP2},
	{amdgpu.SOrB64, func(a, b uint64, _ bool) (uint64, bool) { return nonzero(a | b) }, secSOP2},
	{amdgpu.SXorB32, func(a, b uint64, _ bool) (uint64, bool) { return nonzero32(a ^ b) }, secSOP2},
	{amdgpu.SXorB64, func(a, b uint64, _ bool) (uint64, bool) { return nonzero(a ^ b) }, secSOP2},
	{amdgpu.SNandB32, func(a, b uint64, _ bool) (uint64, bool) { return nonzero32(^(a & b)) }, secSOP2},
	{amdgpu.SNandB64, func(a, b uint64, _ bool) (uint64, bool) { return nonzero(^(a & b)) }, secSOP2},
	{amdgpu.SNorB32, func(a, b uint64, _ bool) (uint64, bool) { return nonzero32(^(a | b)) }, secSOP2},
	{amdgpu.SNorB64, func(a, b uint64, _ bool) (uint64, bool) { return nonzero(^(a | b)) }, secSOP2},
	{amdgpu.SXnorB32, func(a, b uint64, _ bool) (uint64, bool) { return nonzero32(^(a ^ b)) }, secSOP2},
	{amdgpu.SXnorB64, func(a, b uint64, _ bool) (uint64, bool) { return nonzero(^(a ^ b)) }, secSOP2},
	{amdgpu.SAndNot1B32, func(a, b uint64, _ bool) (uint64, bool) { return nonzero32(a &^ b) }, secSOP2},
	{amdgpu.SAndNot1B64, func(a, b uint64, _ bool) (uint64, bool) { return nonzero(a &^ b) }, secSOP2},
	{amdgpu.SOrNot1B32, func(a, b uint64, _ bool) (uint64, bool) { return nonzero32(a | ^b) }, secSOP2},
	{amdgpu.SOrNot1B64, func(a, b uint64, _ bool) (uint64, bool) { return nonzero(a | ^b) }, secSOP2},
	{amdgpu.SLshlB32, func(a, b uint64, _ bool) (uint64, bool) { return nonzero32(a << (b & 31)) }, secSOP2},
	{amdgpu.SLshlB64, func(a, b uint64, _ bool) (uint64, bool) { return nonzero(a << (b & 63)) }, secSOP2},
	{amdgpu.SLshrB32, func(a, b uint64, _ bool) (uint64, bool) { return nonzero32(lo(a) >> (b & 31)) }, secSOP2},
	{amdgpu.SLshrB64, func(a, b uint64, _ bool) (uint64, bool) { return nonzero(a >> (b & 63)) }, secSOP2},
	{amdgpu.SAshrI32, func(a, b uint64, _ bool) (uint64, bool) { return nonzero32(uint64(s32(a) >> (b & 31))) }, secSOP2},
	{amdgpu.SAshrI64, func(a, b uint64, _ bool) (uint64, bool) { return nonzero(uint64(int64(a) >> (b & 63))) }, secSOP2},
	{amdgpu.SMinI32, func(a, b uint64, _ bool) (uint64, bool) { return lo(uint64(min(s32(a), s32(b)))), s32(a) < s32(b) }, secSOP2},
	{amdgpu.SMaxI32, func(a, b uint64, _ bool) (uint64, bool) { return lo(uint64(max(s32(a), s32(b)))), s32(a) >= s32(b) }, secSOP2},
	{amdgpu.SMinU32, func(a, b uint64, _ bool) (uint64, bool) { return min(lo(a), lo(b)), lo(a) < lo(b) }, secSOP2},
	{amdgpu.SMaxU32, func(a, b uint64, _ bool) (uint64, bool) { return max(lo(a), lo(b)), lo(a) >= lo(b) }, secSOP2},
	{amdgpu.SBfeU32, func(a, b uint64, _ bool) (uint64, bool) {
		off, n := bitFieldOf(b, 31)
		return nonzero32(lo(a) >> off & ones(n))
	}, secSOP2},
	{amdgpu.SBfeI32, func(a, b uint64, _ bool) (uint64, bool) {
		off, n := bitFieldOf(b, 31)
		return nonzero32(signedField(lo(a)>>off, n))
	}, secSOP2},
	{amdgpu.SBfeU64, func(a, b uint64, _ bool) (uint64, bool) {
		off, n := bitFieldOf(b, 63)
		return nonzero(a >> off & ones(n))
	}, secSOP2},
	{amdgpu.SBfeI64, func(a, b uint64, _ bool) (uint64, bool) {
		off, n := bitFieldOf(b, 63)
		return nonzero(signedField(a>>off, n))
	}, secSOP2},
	{amdgpu.SBfmB32, func(a, b uint64, _ bool) (uint64, bool) { return lo(ones(a&31) << (b & 31)), false }, secSOP2},
	{amdgpu.SBfmB64, func(a, b uint64, _ bool) (uint64, bool) { return ones(a&63) << (b & 63), false }, secSOP2},
	{amdgpu.SLshl1AddU32, shlAdd(1), secSOP2},
	{amdgpu.SLshl2AddU32, shlAdd(2), secSOP2},
	{amdgpu.SLshl3AddU32, shlAdd(3), secSOP2},
	{amdgpu.SLshl4AddU32, shlAdd(4), secSOP2},
	{amdgpu.SPackLlB32B16, func(a, b uint64, _ bool) (uint64, bool) { return a&0xffff | lo(b<<16), false }, secSOP2},
	{amdgpu.SPackLhB32B16, func(a, b uint64, _ bool) (uint64, bool) { return a&0xffff | b&0xffff0000, false }, secSOP2},
	{amdgpu.SPackHhB32B16, func(a, b uint64, _ bool) (uint64, bool) { return lo(a)>>16 | b&0xffff0000, false }, secSOP2},
	{amdgpu.SCselectB32, selected, secSOP2},
	{amdgpu.SCselectB64, selected, secSOP2},
	{amdgpu.SAddNcU64, func(a, b uint64, _ bool) (uint64, bool) { return a + b, false }, "RDNA4 ISA 16.1"},
	{amdgpu.SSubNcU64, func(a, b uint64, _ bool) (uint64, bool) { return a - b, false }, "RDNA4 ISA 16.1"},
	{amdgpu.SMulU64, func(a, b uint64, _ bool) (uint64, bool) { return a * b, false }, "RDNA4 ISA 16.1"},

	{amdgpu.SMovB32, moved, secSOP1},
	{amdgpu.SMovB64, moved, secSOP1},
	{amdgpu.SNotB32, func(a, _ uint64, _ bool) (uint64, bool) { return nonzero32(^a) }, secSOP1},
	{amdgpu.SNotB64, func(a, _ uint64, _ bool) (uint64, bool) { return nonzero(^a) }, secSOP1},
	{amdgpu.SBrevB32, func(a, _ uint64, _ bool) (uint64, bool) { return uint64(bits.Reverse32(uint32(a))), false }, secSOP1},
	{amdgpu.SBrevB64, func(a, _ uint64, _ bool) (uint64, bool) { return bits.Reverse64(a), false }, secSOP1},
	{amdgpu.SBcnt1I32B32, func(a, _ uint64, _ bool) (uint64, bool) { return nonzero(uint64(bits.OnesCount32(uint32(a)))) }, secSOP1},
	{amdgpu.SBcnt1I32B64, func(a, _ uint64, _ bool) (uint64, bool) { return nonzero(uint64(bits.OnesCount64(a))) }, secSOP1},
	{amdgpu.SCtzI32B32, func(a, _ uint64, _ bool) (uint64, bool) {
		return countOrMinus(bits.TrailingZeros32(uint32(a)), 32), false
	}, secSOP1},
	{amdgpu.SCtzI32B64, func(a, _ uint64, _ bool) (uint64, bool) { return countOrMinus(bits.TrailingZeros64(a), 64), false }, secSOP1},
	{amdgpu.SClzI32U32, func(a, _ uint64, _ bool) (uint64, bool) {
		return countOrMinus(bits.LeadingZeros32(uint32(a)), 32), false
	}, secSOP1},
	{amdgpu.SClzI32U64, func(a, _ uint64, _ bool) (uint64, bool) { return countOrMinus(bits.LeadingZeros64(a), 64), false }, secSOP1},
	{amdgpu.SClsI32, func(a, _ uint64, _ bool) (uint64, bool) { return signBits(a), false }, secSOP1},
	{amdgpu.SSextI32I8, func(a, _ uint64, _ bool) (uint64, bool) { return lo(uint64(int64(int8(a)))), false }, secSOP1},
	{amdgpu.SSextI32I16, func(a, _ uint64, _ bool) (uint64, bool) { return lo(uint64(int64(int16(a)))), false }, secSOP1},
	{amdgpu.SAbsI32, func(a, _ uint64, _ bool) (uint64, bool) { return nonzero32(uint64(max(s32(a), -s32(a)))) }, secSOP1},

	{amdgpu.SCmpEqI32, compared(func(a, b uint64) bool { return lo(a) == lo(b) }), secSOPC},
	{amdgpu.SCmpLgI32, compared(func(a, b uint64) bool { return lo(a) != lo(b) }), secSOPC},
	{amdgpu.SCmpGtI32, compared(func(a, b uint64) bool { return s32(a) > s32(b) }), secSOPC},
	{amdgpu.SCmpGeI32, compared(func(a, b uint64) bool { return s32(a) >= s32(b) }), secSOPC},
	{amdgpu.SCmpLtI32, compared(func(a, b uint64) bool { return s32(a) < s32(b) }), secSOPC},
	{amdgpu.SCmpLeI32, compared(func(a, b uint64) bool { return s32(a) <= s32(b) }), secSOPC},
	{amdgpu.SCmpEqU32, compared(func(a, b uint64) bool { return lo(a) == lo(b) }), secSOPC},
	{amdgpu.SCmpLgU32, compared(func(a, b uint64) bool { return lo(a) != lo(b) }), secSOPC},
	{amdgpu.SCmpGtU32, compared(func(a, b uint64) bool { return lo(a) > lo(b) }), secSOPC},
	{amdgpu.SCmpGeU32, compared(func(a, b uint64) bool { return lo(a) >= lo(b) }), secSOPC},
	{amdgpu.SCmpLtU32, compared(func(a, b uint64) bool { return lo(a) < lo(b) }), secSOPC},
	{amdgpu.SCmpLeU32, compared(func(a, b uint64) bool { return lo(a) <= lo(b) }), secSOPC},
	{amdgpu.SCmpEqU64, compared(func(a, b uint64) bool { return a == b }), secSOPC},
	{amdgpu.SCmpLgU64, compared(func(a, b uint64) bool { return a != b }), secSOPC},
	{amdgpu.SBitcmp0B32, compared(func(a, b uint64) bool { return a>>(b&31)&1 == 0 }), secSOPC},
	{amdgpu.SBitcmp1B32, compared(func(a, b uint64) bool { return a>>(b&31)&1 == 1 }), secSOPC},
}

func selected(a, b uint64, c bool) (uint64, bool) {
	if c {
		return a, false
	}
	return b, false
}

func moved(a, _ uint64, _ bool) (uint64, bool) { return a, false }

var saluByCode = func() (t [amdgpu.NumCodes]saluFn) {
	for i := range saluRows {
		t[saluRows[i].code] = saluRows[i].fn
	}
	return t
}()

// scalar decodes SOP1, SOP2, SOPC and SOPK.
func (d *decoder) scalar(in *inst) {
	if f := saluByCode[in.op.Code]; f != nil {
		in.salu, in.run = f, runScalar
		if in.dwid[0] != 0 && in.dst[0] != regSCC {
			in.run = runScalarDst
		}
		return
	}
	for i := range wholeRows {
		if r := &wholeRows[i]; r.code == in.op.Code {
			in.run = r.run
			if r.decode != nil {
				r.decode(d, in)
			}
			return
		}
	}
}

func (w *wave) scalarOperands(in *inst) (a, b uint64) {
	if in.nsrc > 0 && in.src[0].reg != regSCC {
		a = w.scalarValue(&in.src[0])
		if in.nsrc > 1 && in.src[1].reg != regSCC {
			b = w.scalarValue(&in.src[1])
		}
	}
	return a, b
}

// runScalar executes an instruction whose only result is scc.
func runScalar(w *wave, in *inst) {
	a, b := w.scalarOperands(in)
	_, w.scc = in.salu(a, b, w.scc)
}

func runScalarDst(w *wave, in *inst) {
	a, b := w.scalarOperands(in)
	r, c := in.salu(a, b, w.scc)
	w.setScalar(in.dst[0], in.dwid[0], r)
	if in.setsSCC {
		w.scc = c
	}
}
