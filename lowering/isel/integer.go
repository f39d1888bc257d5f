package isel

import (
	"math/bits"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Integer arithmetic (PISA 1).
var integerRows = []lowering{
	pisa.Dp4a:  lowerDp4a,
	pisa.IAbs:  lowerIAbs,
	pisa.IAdd:  lowerIAdd,
	pisa.INeg:  lowerINeg,
	pisa.ISub:  lowerISub,
	pisa.SDiv:  func(s *sel, op *ir.Op) { lowerDiv(s, op, true) },
	pisa.SMad:  func(s *sel, op *ir.Op) { lowerMad(s, op, true) },
	pisa.SMax:  func(s *sel, op *ir.Op) { lowerExtremum(s, op, smax) },
	pisa.SMin:  func(s *sel, op *ir.Op) { lowerExtremum(s, op, smin) },
	pisa.SMul:  func(s *sel, op *ir.Op) { lowerMad(s, op, true) },
	pisa.UAddC: lowerUAddC,
	pisa.USubB: lowerUSubB,
	pisa.UDiv:  func(s *sel, op *ir.Op) { lowerDiv(s, op, false) },
	pisa.UMad:  func(s *sel, op *ir.Op) { lowerMad(s, op, false) },
	pisa.UMax:  func(s *sel, op *ir.Op) { lowerExtremum(s, op, umax) },
	pisa.UMin:  func(s *sel, op *ir.Op) { lowerExtremum(s, op, umin) },
	pisa.UMul:  func(s *sel, op *ir.Op) { lowerMad(s, op, false) },
}

// width is the bits of one element of op's .type.
func width(op *ir.Op) int { return pisa.TypeOf(op.Props).Info().Bits }

// packed is the elements of op's .type.
func packed(op *ir.Op) int { return pisa.TypeOf(op.Props).Info().Lanes }

// setPair sets result i of op to p.
func (u unit) setPair(op *ir.Op, i int, p pair) { u.set(op, i, u.whole(p)) }

// fused is operand i of op if it is the only use of a scalar op with code and
// the type of op, whose instruction can be fused with op's.
func (s *sel) fused(op *ir.Op, i int, code ir.Code) *ir.Op {
	x := op.Operand(i)
	d := x.Op()
	if d == nil || d.Code != code || !x.HasOneUse() || s.uni.Leaves(&op.Operands()[i]) || d.Result(0).Type != op.Result(0).Type ||
		pisa.Has(d.Props, pisa.FDsat) {
		return nil
	}
	// What is uniform was computed by the scalar unit, for nothing.
	if s.uniform(x) {
		return nil
	}
	return d
}

// constCount is the constant amount of shift d, if it is less than limit.
func constCount(d *ir.Op, limit uint64) (uint32, bool) {
	c, ok := constOf(d, 1)
	if c &= 63; !ok || c >= limit {
		return 0, false
	}
	return uint32(c), true
}

func lowerIAdd(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	a, b := s.arg(op, 0), s.arg(op, 1)
	sat := pisa.Has(op.Props, pisa.FDsat)
	switch {
	case packed(op) > 1:
		s.set(op, 0, unit{s, false}.packedAdd(op, a, b, false, sat))
	case sat:
		u.saturating(op, a, b, false)
	case width(op) == 64:
		if r := u.shiftedAdd64(op); r != nil {
			s.set(op, 0, r)
			return
		}
		u.setPair(op, 0, u.add64(s.pairOf(a), s.pairOf(b)))
	default:
		if r := u.fusedAdd(op, a, b); r != nil {
			s.set(op, 0, r)
			return
		}
		s.set(op, 0, u.add(a, b))
	}
}

// fusedAdd is (x << n) + y, x + y + z or x × y + z of at most 32 bits in one
// vector instruction.
func (u unit) fusedAdd(op *ir.Op, a, b *ir.Value) *ir.Value {
	if u.scalar {
		return nil
	}
	other := [2]*ir.Value{b, a}
	for i := range 2 {
		if d := u.fused(op, i, pisa.Shl); d != nil {
			if n, ok := constCount(d, 32); ok {
				return u.val(amdgpu.VLshlAddU32, u.arg(d, 0), u.imm(n), other[i])
			}
		}
	}
	for i := range 2 {
		if d := u.fused(op, i, pisa.IAdd); d != nil {
			return u.val(amdgpu.VAdd3U32, u.arg(d, 0), u.arg(d, 1), other[i])
		}
	}
	return nil
}

// shiftedAdd64 is (x << n) + y, n up to 4, in one instruction.
func (u unit) shiftedAdd64(op *ir.Op) *ir.Value {
	if u.scalar || !u.t.Has(target.LshlAddU64) {
		return nil
	}
	for i := range 2 {
		if d := u.fused(op, i, pisa.Shl); d != nil {
			if n, ok := constCount(d, 5); ok {
				return u.val(amdgpu.VLshlAddU64, u.operand64(u.pairOf(u.arg(d, 0))), u.imm(n), u.operand64(u.pairOf(u.arg(op, 1-i))))
			}
		}
	}
	return nil
}

func lowerISub(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	a, b := s.arg(op, 0), s.arg(op, 1)
	sat := pisa.Has(op.Props, pisa.FDsat)
	switch {
	case packed(op) > 1:
		s.set(op, 0, unit{s, false}.packedAdd(op, a, b, true, sat))
	case sat:
		u.saturating(op, a, b, true)
	case width(op) == 64:
		u.setPair(op, 0, u.sub64(s.pairOf(a), s.pairOf(b)))
	default:
		s.set(op, 0, u.sub(a, b))
	}
}

// saturating is iadd and isub with .dsat, clamped to the signed range.
func (u unit) saturating(op *ir.Op, a, b *ir.Value, sub bool) {
	switch width(op) {
	case 16:
		a, b = u.sext(a, 16), u.sext(b, 16)
		r := u.add
		if sub {
			r = u.sub
		}
		x := r(a, b)
		if u.scalar {
			x = u.val(amdgpu.SMinI32, u.val(amdgpu.SMaxI32, x, u.imm(0xffff8000)), u.imm(0x7fff))
		} else {
			x = u.val(amdgpu.VMed3I32, x, u.imm(0xffff8000), u.imm(0x7fff))
		}
		u.set(op, 0, x)
	case 32:
		code := amdgpu.VAddNcI32
		if sub {
			code = amdgpu.VSubNcI32
		}
		u.set(op, 0, u.emit(code, amdgpu.FClamp.Put(1), a, b).Result(0))
	case 64:
		x, y := u.pairOf(a), u.pairOf(b)
		var r pair
		over := u.xor(x.hi, y.hi) // an addition overflows only of equal signs
		if sub {
			r = u.sub64(x, y)
		} else {
			r = u.add64(x, y)
			over = u.not(over)
		}
		over = u.and(over, u.xor(r.hi, x.hi)) // and gives the other sign
		sign := u.asr(x.hi, u.imm(31))
		limit := pair{u.not(sign), u.xor(u.not(sign), u.imm(1<<31))}
		r = u.choose64(u.compare(amdgpu.LT, true, over, u.imm(0)), limit, r)
		u.setPair(op, 0, r)
	default:
		panic("isel: width of iadd.dsat")
	}
}

// packedAdd is iadd and isub of .16bx2 and .8bx4.
func (u unit) packedAdd(op *ir.Op, a, b *ir.Value, sub, sat bool) *ir.Value {
	if width(op) == 16 {
		code, clamp := amdgpu.VPkAddI16, uint64(0)
		if sub {
			code = amdgpu.VPkSubI16
		}
		if sat {
			clamp = amdgpu.FClamp.Put(1)
		}
		return u.emit(code, clamp, u.half2(a), u.half2(b)).Result(0)
	}
	if !sat { // four sums without carries between: high bits apart
		low := u.add(u.and(a, u.imm(0x7f7f7f7f)), u.and(b, u.imm(0x7f7f7f7f)))
		return u.xor(low, u.and(u.xor(a, b), u.imm(0x80808080)))
	}
	return u.bytes4(a, b, func(x, y *ir.Value) *ir.Value {
		return u.val(amdgpu.VMed3I32, u.add(x, y), u.imm(0xffffff80), u.imm(0x7f))
	})
}

// half2 is a packed operand; a constant is not inline there.
func (u unit) half2(m *ir.Value) *ir.Value {
	if _, ok := constant(m); ok {
		return u.vgpr(u.part(m, 0), 1)
	}
	return m
}

// bytes4 applies f to the four signed bytes of a and b.
func (u unit) bytes4(a, b *ir.Value, f func(x, y *ir.Value) *ir.Value) *ir.Value {
	a, b = u.part(a, 0), u.part(b, 0)
	var r *ir.Value
	for i := range uint32(4) {
		byteOf := func(m *ir.Value) *ir.Value { return u.val(amdgpu.VBfeI32, m, u.imm(8*i), u.imm(8)) }
		x := u.and(f(byteOf(a), byteOf(b)), u.imm(0xff))
		if i == 0 {
			r = x
		} else {
			r = u.val(amdgpu.VLshlOrB32, x, u.imm(8*i), r)
		}
	}
	return r
}

func lowerINeg(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	if width(op) == 64 {
		u.setPair(op, 0, u.neg64(s.pairOf(s.arg(op, 0))))
		return
	}
	s.set(op, 0, u.sub(s.imm(0), s.arg(op, 0)))
}

func lowerIAbs(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	if width(op) == 64 {
		x := s.pairOf(s.arg(op, 0))
		sign := u.asr(x.hi, s.imm(31))
		both := pair{sign, sign}
		u.setPair(op, 0, u.sub64(u.each64(x, both, u.xor), both))
		return
	}
	x := u.sext(s.arg(op, 0), width(op))
	s.set(op, 0, u.abs(x))
}

func (u unit) abs(x *ir.Value) *ir.Value {
	if u.scalar {
		return u.val(amdgpu.SAbsI32, x)
	}
	return u.val(amdgpu.VMaxI32, x, u.sub(u.imm(0), x))
}

// extremum is one of the four minima and maxima.
type extremum uint8

const (
	smin extremum = iota
	smax
	umin
	umax
)

var extrema = [...]struct {
	scalar, vector, packed ir.Code
	signed                 bool
	keep                   amdgpu.Cond // src0 is the result where it is so to src1
}{
	smin: {amdgpu.SMinI32, amdgpu.VMinI32, amdgpu.VPkMinI16, true, amdgpu.LT},
	smax: {amdgpu.SMaxI32, amdgpu.VMaxI32, amdgpu.VPkMaxI16, true, amdgpu.GT},
	umin: {amdgpu.SMinU32, amdgpu.VMinU32, amdgpu.VPkMinU16, false, amdgpu.LT},
	umax: {amdgpu.SMaxU32, amdgpu.VMaxU32, amdgpu.VPkMaxU16, false, amdgpu.GT},
}

func lowerExtremum(s *sel, op *ir.Op, k extremum) {
	u, x := s.unitOf(op), &extrema[k]
	a, b := s.arg(op, 0), s.arg(op, 1)
	w := width(op)
	switch {
	case packed(op) == 2:
		u.scalar = false
		s.set(op, 0, s.val(x.packed, u.half2(a), u.half2(b)))
	case packed(op) == 4:
		u.scalar = false
		s.set(op, 0, u.bytes4(a, b, func(p, q *ir.Value) *ir.Value { return s.val(x.vector, p, q) }))
	case w == 64:
		u.scalar = false
		p, q := s.pairOf(a), s.pairOf(b)
		u.setPair(op, 0, u.choose64(u.compare64(x.keep, x.signed, p, q), p, q))
	default:
		s.set(op, 0, u.either(x.scalar, x.vector, u.ext(x.signed, a, w), u.ext(x.signed, b, w)))
	}
}

// lowerMad is smul, umul, smad and umad.
func lowerMad(s *sel, op *ir.Op, signed bool) {
	u := s.unitOf(op)
	a, b := s.arg(op, 0), s.arg(op, 1)
	var c *ir.Value
	if op.NumOperands() > 2 {
		c = s.arg(op, 2)
	}
	w := width(op)
	switch {
	case packed(op) > 1:
		if c != nil {
			s.set(op, 0, s.val(amdgpu.VPkMadU16, u.half2(a), u.half2(b), u.half2(c)))
		} else {
			s.set(op, 0, s.val(amdgpu.VPkMulLoU16, u.half2(a), u.half2(b)))
		}
	case pisa.Has(op.Props, pisa.FFull):
		u.madWide(op, signed, a, b, c)
	case w == 64:
		u.mad64(op, a, b, c)
	default:
		s.set(op, 0, u.mad(op, a, b, c))
	}
}

// madWide is .full: factors of 16 or 32 bits, result of twice as many.
func (u unit) madWide(op *ir.Op, signed bool, a, b, c *ir.Value) {
	if width(op) == 16 {
		a, b = u.ext(signed, a, 16), u.ext(signed, b, 16)
		code, mad := amdgpu.VMulU32U24, amdgpu.VMadU32U24
		if signed {
			code, mad = amdgpu.VMulI32I24, amdgpu.VMadI32I24
		}
		switch {
		case c != nil && u.scalar:
			u.set(op, 0, u.add(u.mul(a, b), c))
		case c != nil:
			u.set(op, 0, u.val(mad, a, b, c))
		default:
			u.set(op, 0, u.either(amdgpu.SMulI32, code, a, b))
		}
		return
	}
	if f := u.bits.At(op.Result(0), op.Block()); c == nil && f.UMax < 1<<32 {
		u.setPair(op, 0, pair{u.mad(op, a, b, nil), u.imm(0)})
		return
	}
	if c == nil {
		u.setPair(op, 0, u.mulFull(signed, a, b))
		return
	}
	if u.scalar {
		u.setPair(op, 0, u.add64(u.mulFull(signed, a, b), u.pairOf(c)))
		return
	}
	u.setPair(op, 0, u.madFull(signed, a, b, u.operand64(u.pairOf(c))))
}

// mad64 is the product of 64-bit numbers, and c if there is one.
func (u unit) mad64(op *ir.Op, a, b, c *ir.Value) {
	x, y := u.narrow64(op, 0, a), u.narrow64(op, 1, b)
	if n, ok := powerOfTwo(y); ok && c == nil {
		u.setPair(op, 0, u.shl64(x, u.imm(n)))
		return
	}
	zero := func(x *ir.Value) bool { k, ok := constant(x); return ok && uint32(k) == 0 }
	if c != nil && !u.scalar && zero(x.hi) && zero(y.hi) {
		u.setPair(op, 0, u.madFull(false, x.lo, y.lo, u.operand64(u.pairOf(c))))
		return
	}
	p := u.mul64(x, y)
	if c != nil {
		p = u.add64(p, u.pairOf(c))
	}
	u.setPair(op, 0, p)
}

// narrow64 is operand i of op with an immediate 0 as upper half if it is known
// to be that.
func (u unit) narrow64(op *ir.Op, i int, m *ir.Value) pair {
	p := u.pairOf(m)
	if f := u.bits.At(op.Operand(i), op.Block()); f.UMax < 1<<32 {
		p.hi = u.imm(0)
	}
	return p
}

func powerOfTwo(p pair) (uint32, bool) {
	lo, a := constant(p.lo)
	hi, b := constant(p.hi)
	v := hi<<32 | lo&0xffffffff
	if !a || !b || v == 0 || v&(v-1) != 0 {
		return 0, false
	}
	return uint32(bits.TrailingZeros64(v)), true
}

// mad is a product of at most 32 bits, and c if there is one.
func (u unit) mad(op *ir.Op, a, b, c *ir.Value) *ir.Value {
	if u.scalar {
		r := u.mul(a, b)
		if c != nil {
			r = u.add(r, c)
		}
		return r
	}
	if k, ok := constant(b); ok && k != 0 && k&(k-1) == 0 {
		n := u.imm(uint32(bits.TrailingZeros64(k)))
		if c != nil {
			return u.val(amdgpu.VLshlAddU32, a, n, c)
		}
		return u.shl(a, n)
	}
	f, g := u.bits.At(op.Operand(0), op.Block()), u.bits.At(op.Operand(1), op.Block())
	narrow := width(op) == 32 && f.UMax < 1<<24 && g.UMax < 1<<24
	signed := width(op) == 32 && f.SMin >= -1<<23 && f.SMax < 1<<23 && g.SMin >= -1<<23 && g.SMax < 1<<23
	switch {
	case c != nil && narrow:
		return u.val(amdgpu.VMadU32U24, a, b, c)
	case c != nil && signed:
		return u.val(amdgpu.VMadI32I24, a, b, c)
	case narrow:
		return u.val(amdgpu.VMulU32U24, a, b)
	case signed:
		return u.val(amdgpu.VMulI32I24, a, b)
	case c == nil:
		return u.mul(a, b)
	}
	if _, ok := constant(c); ok {
		return u.add(u.mul(a, b), c)
	}
	// The low half of a 64-bit multiply-add whose addend's high half is whatever
	// lies beside.
	undef := u.Value(amdgpu.PUndef, 0, ir.Regs(ir.VGPR, 1))
	return u.part(u.val(amdgpu.VMadU64U32, a, b, u.buildV(u.vgpr(c, 1), undef)), 0)
}

// lowerUAddC and lowerUSubB: with .ci the last operand is the carry, with .co
// result 1 is (PISA 1.11).
func lowerUAddC(s *sel, op *ir.Op) { lowerCarry(s, op, false) }
func lowerUSubB(s *sel, op *ir.Op) { lowerCarry(s, op, true) }

func lowerCarry(s *sel, op *ir.Op, sub bool) {
	u := s.unitOf(op)
	a, b := s.arg(op, 0), s.arg(op, 1)
	in := op.NumOperands() > 2
	codes := [2][2]ir.Code{{amdgpu.SAddU32, amdgpu.VAddCoU32}, {amdgpu.SAddcU32, amdgpu.VAddCoCiU32}}
	if sub {
		codes = [2][2]ir.Code{{amdgpu.SSubU32, amdgpu.VSubCoU32}, {amdgpu.SSubbU32, amdgpu.VSubCoCiU32}}
	}
	k := 0
	srcs := []*ir.Value{a, b}
	if in {
		k = 1
		if u.scalar {
			srcs = append(srcs, s.cond(op, 2))
		} else {
			srcs = append(srcs, s.maskReg(s.arg(op, 2)))
		}
	}
	unitIndex := 1
	if u.scalar {
		unitIndex = 0
	}
	r := s.emit(codes[k][unitIndex], 0, srcs...)
	s.set(op, 0, r.Result(0))
	if op.NumResults() > 1 {
		s.set(op, 1, r.Result(1))
	}
}

// lowerDp4a: the accumulator comes first in PISA, last in AMD's instructions.
func lowerDp4a(s *sel, op *ir.Op) {
	u := unit{s, false}
	// An immediate cannot have the modifier that says how it is signed.
	acc, a, b := s.arg(op, 0), u.vector(s.arg(op, 1)), u.vector(s.arg(op, 2))
	sign := pisa.Sign(pisa.OpOf(op.Props))
	sat := pisa.Has(op.Props, pisa.FDsat)
	rdna := s.t.Generation != target.GFX9
	switch {
	case sign == pisa.SignUU && !sat:
		s.set(op, 0, s.val(amdgpu.VDot4U32U8, a, b, acc))
		return
	case sign == pisa.SignSS || rdna:
		// RDNA's takes the signs from neg_lo: a set bit is a signed operand.
		props := amdgpu.FClamp.Put(b2u(sat))
		if rdna {
			n := b2u(sign == pisa.SignSS || sign == pisa.SignSU) | 2*b2u(sign == pisa.SignSS || sign == pisa.SignUS)
			props |= amdgpu.FNeg.Put(n)
		}
		s.set(op, 0, s.emit(amdgpu.VDot4I32Iu8, props, a, b, acc).Result(0))
		return
	}
	// Mixed signs, or a signed clamp of unsigned products, byte by byte.
	s1, s2 := sign == pisa.SignSU, sign == pisa.SignUS
	a, b = s.part(a, 0), s.part(b, 0)
	var sum *ir.Value
	for i := range uint32(4) {
		x, y := u.byteOf(s1, a, i), u.byteOf(s2, b, i)
		if sum == nil {
			sum = s.val(amdgpu.VMulI32I24, x, y)
		} else {
			sum = s.val(amdgpu.VMadI32I24, x, y, sum)
		}
	}
	s.set(op, 0, s.emit(amdgpu.VAddNcI32, amdgpu.FClamp.Put(b2u(sat)), acc, sum).Result(0))
}

func (u unit) byteOf(signed bool, m *ir.Value, i uint32) *ir.Value {
	if signed {
		return u.val(amdgpu.VBfeI32, m, u.imm(8*i), u.imm(8))
	}
	return u.val(amdgpu.VBfeU32, m, u.imm(8*i), u.imm(8))
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
