package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// lowerDiv is sdiv and udiv (PISA 1.6, 1.12). There is no integer division: the
// quotient is estimated by a float reciprocal, made exact by a Newton step in
// integers and two corrections. PISA leaves division by zero undefined; here,
// as in pisa.EvalFn, the quotient is all ones and the remainder the dividend.
func lowerDiv(s *sel, op *ir.Op, signed bool) {
	u := unit{s, false}
	w := width(op)
	rem := pisa.OpOf(op.Props) == pisa.OutRem
	a, b := s.arg(op, 0), s.arg(op, 1)
	f, g := s.bits.At(op.Operand(0), op.Block()), s.bits.At(op.Operand(1), op.Block())
	nonZero := g.UMin > 0
	if signed && f.NonNegative() && g.NonNegative() {
		signed = false
	}
	if w < 64 {
		q, r := u.divide32(signed, rem, u.ext(signed, a, w), u.ext(signed, b, w))
		if rem {
			s.set(op, 0, r)
			return
		}
		if !nonZero {
			q = u.choose(u.compare(amdgpu.EQ, false, u.zext(b, w), s.imm(0)), s.imm(0xffffffff), q)
		}
		s.set(op, 0, q)
		return
	}
	x, y := s.pairOf(a), s.pairOf(b)
	zero := s.imm(0)
	var q, r pair
	if !signed && f.UMax < 1<<32 && g.UMax < 1<<32 {
		q32, r32 := u.divide32(false, rem, x.lo, y.lo)
		q, r = pair{q32, zero}, pair{r32, zero}
	} else {
		q, r = u.divide64(signed, rem, x, y)
	}
	if rem {
		u.setPair(op, 0, r)
		return
	}
	if !nonZero {
		ones := s.imm(0xffffffff)
		q = u.choose64(u.compare64(amdgpu.EQ, false, y, pair{zero, zero}), pair{ones, ones}, q)
	}
	u.setPair(op, 0, q)
}

// applySign is x, or -x where sign is all ones.
func (u unit) applySign(x, sign *ir.Value) *ir.Value { return u.sub(u.xor(x, sign), sign) }

func (u unit) applySign64(x pair, sign *ir.Value) pair {
	both := pair{sign, sign}
	return u.sub64(u.each64(x, both, u.xor), both)
}

// divide32 is quotient and remainder; only the one asked for is right.
func (u unit) divide32(signed, rem bool, x, y *ir.Value) (q, r *ir.Value) {
	if !signed {
		return u.udivide32(rem, x, y)
	}
	sx, sy := u.asr(x, u.imm(31)), u.asr(y, u.imm(31))
	q, r = u.udivide32(rem, u.applySign(x, sx), u.applySign(y, sy))
	if rem {
		return nil, u.applySign(r, sx)
	}
	return u.applySign(q, u.xor(sx, sy)), nil
}

// udivide32: z is about 2^32/y, from below. With one Newton step
// q = ⌊x·z/2^32⌋ is at most two less than the quotient.
func (u unit) udivide32(rem bool, x, y *ir.Value) (q, r *ir.Value) {
	rcp := u.val(amdgpu.VRcpIflagF32, u.val(amdgpu.VCvtF32U32, y))
	// 2^32, less enough that z is never too large.
	z := u.val(amdgpu.VCvtU32F32, u.val(amdgpu.VMulF32, u.imm(0x4f7ffffe), rcp))
	e := u.mul(u.sub(u.imm(0), y), z)
	z = u.add(z, u.mulHi(false, z, e))
	q = u.mulHi(false, x, z)
	r = u.sub(x, u.mul(q, y))
	for range 2 {
		more := u.compare(amdgpu.GE, false, r, y)
		if !rem {
			q = u.choose(more, u.add(q, u.imm(1)), q)
		}
		r = u.choose(more, u.sub(r, y), r)
	}
	return q, r
}

// divide64 is divide32 of 64 bits.
func (u unit) divide64(signed, rem bool, x, y pair) (q, r pair) {
	if !signed {
		return u.udivide64(rem, x, y)
	}
	sx, sy := u.asr(x.hi, u.imm(31)), u.asr(y.hi, u.imm(31))
	q, r = u.udivide64(rem, u.applySign64(x, sx), u.applySign64(y, sy))
	if rem {
		return pair{}, u.applySign64(r, sx)
	}
	return u.applySign64(q, u.xor(sx, sy)), pair{}
}

// udivide64: z is about 2^64/y, from below, with 24 bits of the reciprocal's;
// two Newton steps give the rest.
func (u unit) udivide64(rem bool, x, y pair) (q, r pair) {
	const two32, minusTwo32, twoMinus32 = 0x4f800000, 0xcf800000, 0x2f800000
	f := u.val(amdgpu.VFmaF32, u.val(amdgpu.VCvtF32U32, y.hi), u.imm(two32), u.val(amdgpu.VCvtF32U32, y.lo))
	f = u.val(amdgpu.VMulF32, u.imm(0x5f7ffffc), u.val(amdgpu.VRcpF32, f)) // 2^64, less a little
	hi := u.val(amdgpu.VTruncF32, u.val(amdgpu.VMulF32, u.imm(twoMinus32), f))
	lo := u.val(amdgpu.VFmaF32, hi, u.imm(minusTwo32), f)
	z := pair{u.val(amdgpu.VCvtU32F32, lo), u.val(amdgpu.VCvtU32F32, hi)}
	minusY := u.neg64(y)
	for range 2 {
		z = u.add64(z, u.mulHi64(z, u.mul64(minusY, z)))
	}
	q = u.mulHi64(x, z)
	r = u.sub64(x, u.mul64(y, q))
	for range 2 {
		more := u.compare64(amdgpu.GE, false, r, y)
		if !rem {
			q = u.choose64(more, u.add64(q, pair{u.imm(1), u.imm(0)}), q)
		}
		r = u.choose64(more, u.sub64(r, y), r)
	}
	return q, r
}

// mulHi64 is the upper half of the product of 64-bit numbers.
func (u unit) mulHi64(a, b pair) pair {
	zero := u.imm(0)
	wide := func(x *ir.Value) *ir.Value { return u.buildV(x, zero) }
	low := u.mulFull(false, a.lo, b.lo)
	m1 := u.pairOf(u.val(amdgpu.VMadU64U32, a.hi, b.lo, wide(low.hi)))
	m2 := u.pairOf(u.val(amdgpu.VMadU64U32, a.lo, b.hi, wide(m1.lo)))
	return u.add64(u.pairOf(u.val(amdgpu.VMadU64U32, a.hi, b.hi, wide(m1.hi))), pair{m2.hi, zero})
}
