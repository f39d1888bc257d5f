package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Logic, shifts and bit fields (PISA 3).
var logicRows = []lowering{
	pisa.And:   lowerLogic,
	pisa.Or:    lowerLogic,
	pisa.Xor:   lowerLogic,
	pisa.Not:   lowerNot,
	pisa.Shl:   lowerShift,
	pisa.Shr:   lowerShift,
	pisa.Asr:   lowerShift,
	pisa.Shf:   lowerShf,
	pisa.Bfi:   lowerBfi,
	pisa.Bfn:   lowerBfn,
	pisa.Bfrev: lowerBfrev,
	pisa.Cbit:  lowerCbit,
	pisa.Fbh:   lowerFbh,
	pisa.Fbl:   lowerFbl,
	pisa.Sbfe:  func(s *sel, op *ir.Op) { lowerBfe(s, op, true) },
	pisa.Ubfe:  func(s *sel, op *ir.Op) { lowerBfe(s, op, false) },
	pisa.SExt:  func(s *sel, op *ir.Op) { lowerExtend(s, op, true) },
	pisa.ZExt:  func(s *sel, op *ir.Op) { lowerExtend(s, op, false) },
	pisa.Trunc: lowerTrunc,
}

func (u unit) logic(code ir.Code, a, b *ir.Value) *ir.Value {
	switch code {
	case pisa.And:
		return u.and(a, b)
	case pisa.Or:
		return u.or(a, b)
	}
	return u.xor(a, b)
}

func lowerLogic(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	a, b := s.arg(op, 0), s.arg(op, 1)
	if op.Result(0).Type.IsPred() {
		panic("isel: logic on predicates")
	}
	if width(op) == 64 {
		u.logic64(op, a, b)
		return
	}
	if r := u.fusedLogic(op, a, b); r != nil {
		s.set(op, 0, r)
		return
	}
	s.set(op, 0, u.logic(op.Code, a, b))
}

// logic64 works on halves, where constants often make one trivial; the scalar
// unit does both at once.
func (u unit) logic64(op *ir.Op, a, b *ir.Value) {
	p, q := u.pairOf(a), u.pairOf(b)
	if u.scalar {
		code := amdgpu.SAndB64
		switch op.Code {
		case pisa.Or:
			code = amdgpu.SOrB64
		case pisa.Xor:
			code = amdgpu.SXorB64
		}
		u.set(op, 0, u.val(code, u.operand64(p), u.operand64(q)))
		return
	}
	u.setPair(op, 0, u.each64(p, q, func(x, y *ir.Value) *ir.Value { return u.trivialLogic(op.Code, x, y) }))
}

// trivialLogic is the operation on halves, without instruction where one is all
// ones or zeros.
func (u unit) trivialLogic(code ir.Code, x, y *ir.Value) *ir.Value {
	if _, ok := constant(x); ok {
		x, y = y, x
	}
	if c, ok := constant(y); ok {
		switch v := uint32(c); {
		case v == 0 && code == pisa.And, v == 0xffffffff && code == pisa.Or:
			return y
		case v == 0, v == 0xffffffff && code == pisa.And:
			return x
		}
	}
	return u.logic(code, x, y)
}

// fusedLogic is two operations of the vector unit in one instruction: shift and
// or, and and or, or and or, xor and xor.
func (u unit) fusedLogic(op *ir.Op, a, b *ir.Value) *ir.Value {
	if u.scalar {
		return nil
	}
	other := [2]*ir.Value{b, a}
	for i := range 2 {
		switch op.Code {
		case pisa.Or:
			if d := u.fused(op, i, pisa.Shl); d != nil {
				if n, ok := constCount(d, 32); ok {
					return u.val(amdgpu.VLshlOrB32, u.arg(d, 0), u.imm(n), other[i])
				}
			}
			if d := u.fused(op, i, pisa.And); d != nil {
				return u.val(amdgpu.VAndOrB32, u.arg(d, 0), u.arg(d, 1), other[i])
			}
			if d := u.fused(op, i, pisa.Or); d != nil {
				return u.val(amdgpu.VOr3B32, u.arg(d, 0), u.arg(d, 1), other[i])
			}
		case pisa.Xor:
			if d := u.fused(op, i, pisa.Xor); d != nil && u.t.Generation != target.GFX9 {
				return u.val(amdgpu.VXor3B32, u.arg(d, 0), u.arg(d, 1), other[i])
			}
		}
	}
	return nil
}

func lowerNot(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	a := s.arg(op, 0)
	if width(op) == 64 {
		p := s.pairOf(a)
		if u.scalar {
			s.set(op, 0, s.val(amdgpu.SNotB64, u.operand64(p)))
			return
		}
		u.setPair(op, 0, pair{u.not(p.lo), u.not(p.hi)})
		return
	}
	s.set(op, 0, u.not(a))
}

// lowerShift: bits 5 to 0 of the count matter for every width, so that narrower
// values can be shifted out altogether (PISA 3.2).
func lowerShift(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	a, n := s.arg(op, 0), s.arg(op, 1)
	w := width(op)
	switch {
	case packed(op) > 1:
		u.shiftPacked(op, a, n)
	case w == 64:
		u.shiftWide(op, s.pairOf(a), n)
	default:
		if op.Code != pisa.Shl {
			a = u.ext(op.Code == pisa.Asr, a, w)
		}
		if r := u.fusedShift(op); r != nil {
			s.set(op, 0, r)
			return
		}
		s.set(op, 0, u.shift(op.Code, a, n, s.counts(op, 1)))
	}
}

// counts are the possible counts in operand i of op.
func (s *sel) counts(op *ir.Op, i int) (most uint64) {
	if c, ok := constOf(op, i); ok {
		return c & 63
	}
	if f := s.bits.At(op.Operand(i), op.Block()); f.UMax < 64 {
		return f.UMax
	}
	return 63
}

// shift shifts a of 32 bits by n, bits 5 to 0, which are at most most.
func (u unit) shift(code ir.Code, a, n *ir.Value, most uint64) *ir.Value {
	by := func(n *ir.Value) *ir.Value {
		switch code {
		case pisa.Shl:
			return u.shl(a, n)
		case pisa.Shr:
			return u.shr(a, n)
		}
		return u.asr(a, n)
	}
	if c, ok := constant(n); ok {
		switch k := uint32(c & 63); {
		case k == 0:
			return a
		case k < 32:
			return by(u.imm(k))
		case code == pisa.Asr:
			return by(u.imm(31))
		}
		return u.imm(0)
	}
	if most < 32 {
		return by(n)
	}
	count := u.and(n, u.imm(63))
	if code == pisa.Asr {
		return by(u.either(amdgpu.SMinU32, amdgpu.VMinU32, count, u.imm(31)))
	}
	r := by(count)
	return u.choose(u.compare(amdgpu.LT, false, count, u.imm(32)), r, u.imm(0))
}

// fusedShift is (x + y) << n in one instruction.
func (u unit) fusedShift(op *ir.Op) *ir.Value {
	if u.scalar || op.Code != pisa.Shl {
		return nil
	}
	if d := u.fused(op, 0, pisa.IAdd); d != nil {
		if n, ok := constCount(op, 32); ok && n > 0 {
			return u.val(amdgpu.VAddLshlU32, u.arg(d, 0), u.arg(d, 1), u.imm(n))
		}
	}
	return nil
}

func (u unit) shiftWide(op *ir.Op, a pair, n *ir.Value) {
	zero := u.imm(0)
	if c, ok := constant(n); ok {
		k := uint32(c & 63)
		var r pair
		switch {
		case k == 0:
			r = a
		case k >= 32 && op.Code == pisa.Shl:
			r = pair{zero, u.shift(pisa.Shl, a.lo, u.imm(k-32), 31)}
		case k >= 32 && op.Code == pisa.Shr:
			r = pair{u.shift(pisa.Shr, a.hi, u.imm(k-32), 31), zero}
		case k >= 32:
			r = pair{u.shift(pisa.Asr, a.hi, u.imm(k-32), 31), u.asr(a.hi, u.imm(31))}
		default:
			r = u.shiftPair(op.Code, a, u.imm(k))
		}
		u.setPair(op, 0, r)
		return
	}
	u.setPair(op, 0, u.shiftPair(op.Code, a, n))
}

func (u unit) shiftPair(code ir.Code, a pair, n *ir.Value) pair {
	switch code {
	case pisa.Shl:
		return u.shl64(a, n)
	case pisa.Shr:
		return u.shr64(a, n)
	}
	return u.asr64(a, n)
}

// shiftPacked shifts the low element by bits 5 to 0 of n, the high one by bits
// 21 to 16.
func (u unit) shiftPacked(op *ir.Op, a, n *ir.Value) {
	v := unit{u.sel, false}
	code := map[ir.Code]ir.Code{pisa.Shl: amdgpu.VPkLshlrevB16, pisa.Shr: amdgpu.VPkLshrrevB16, pisa.Asr: amdgpu.VPkAshrrevI16}[op.Code]
	if c, ok := constant(n); ok && c&63 < 16 && c>>16&63 < 16 {
		v.set(op, 0, v.val(code, v.half2(v.imm(uint32(c)&0x3f003f)), v.half2(a)))
		return
	}
	signed := op.Code == pisa.Asr
	a = v.part(a, 0)
	n = v.part(n, 0)
	lo, hi := a, v.shr(a, v.imm(16))
	if op.Code != pisa.Shl {
		lo = v.ext(signed, a, 16)
		if signed {
			hi = v.asr(a, v.imm(16))
		}
	}
	lo = v.shift(op.Code, lo, n, 63)
	hi = v.shift(op.Code, hi, v.shr(n, v.imm(16)), 63)
	v.set(op, 0, v.pack16(lo, hi))
}

// pack16 is the low halves of lo and hi in one register.
func (u unit) pack16(lo, hi *ir.Value) *ir.Value {
	if u.scalar {
		return u.val(amdgpu.SPackLlB32B16, lo, hi)
	}
	a, aok := constant(lo)
	b, bok := constant(hi)
	switch {
	case aok && bok:
		return u.vgpr(u.imm(uint32(a&0xffff|b<<16)), 1)
	case aok && a&0xffff == 0:
		return u.shl(hi, u.imm(16))
	}
	// Bytes 1, 0 of both: hi is bytes 7 to 4 of {hi, lo}.
	return u.val(amdgpu.VPermB32, hi, lo, u.imm(0x05040100))
}

// lowerShf: {src0:src1} shifted by src2[4:0]; right gives the low half, left
// the high one (PISA 3.14).
func lowerShf(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	hi, lo, n := s.arg(op, 0), s.arg(op, 1), s.arg(op, 2)
	left := pisa.OpOf(op.Props) == pisa.DirL
	if u.scalar {
		count := u.and(n, s.imm(31))
		p := pair{lo, hi}
		if left {
			s.set(op, 0, u.shl64(p, count).hi)
		} else {
			s.set(op, 0, u.shr64(p, count).lo)
		}
		return
	}
	if !left {
		s.set(op, 0, s.val(amdgpu.VAlignbitB32, hi, lo, n))
		return
	}
	if c, ok := constant(n); ok {
		if c&31 == 0 {
			s.set(op, 0, u.vgpr(hi, 1))
		} else {
			s.set(op, 0, s.val(amdgpu.VAlignbitB32, hi, lo, s.imm(32-uint32(c&31))))
		}
		return
	}
	// Left by n is right by 32-n; n = 0 takes one more bit: first right by one.
	one := s.val(amdgpu.VAlignbitB32, hi, lo, s.imm(1))
	top := u.shr(hi, s.imm(1))
	s.set(op, 0, s.val(amdgpu.VAlignbitB32, top, one, u.not(n)))
}

// lowerBfi inserts the low src2[5:0] bits of src1 at src3[4:0] (PISA 3.3).
func lowerBfi(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	base, ins := s.arg(op, 0), s.arg(op, 1)
	w, wok := constOf(op, 2)
	off, ook := constOf(op, 3)
	var m, shifted *ir.Value
	if wok && ook {
		o := off & 31
		n := min(w&63, 32-o)
		m = s.imm(uint32((1<<n - 1) << o))
		shifted = ins
		if o > 0 {
			shifted = u.shl(ins, s.imm(uint32(o)))
		}
	} else {
		o := u.and(s.arg(op, 3), s.imm(31))
		m = u.shl(u.ones(u.and(s.arg(op, 2), s.imm(63))), o)
		shifted = u.shl(ins, o)
	}
	if u.scalar {
		s.set(op, 0, u.or(u.and(shifted, m), s.val(amdgpu.SAndNot1B32, base, m)))
		return
	}
	s.set(op, 0, s.val(amdgpu.VBfiB32, m, shifted, base))
}

// ones is a mask of the low n bits, n from 0 to 63; from 32 on all bits.
func (u unit) ones(n *ir.Value) *ir.Value {
	if c, ok := constant(n); ok {
		return u.imm(uint32(uint64(1)<<min(c, 32) - 1))
	}
	all := u.compare(amdgpu.LT, false, n, u.imm(32))
	m := u.either(amdgpu.SBfmB32, amdgpu.VBfmB32, n, u.imm(0))
	return u.choose(all, m, u.imm(0xffffffff))
}

// lowerBfe takes src1[5:0] bits at src2[4:0], as far as src0 has them (PISA
// 3.11, 3.15).
func lowerBfe(s *sel, op *ir.Op, signed bool) {
	u := s.unitOf(op)
	a := s.arg(op, 0)
	w, wok := constOf(op, 1)
	off, ook := constOf(op, 2)
	if wok && ook {
		o := off & 31
		s.set(op, 0, u.field(signed, a, uint32(o), uint32(min(w&63, 32-o))))
		return
	}
	// The field's bits go to the top: right of them nothing is left over when
	// they come down again.
	o := u.and(s.arg(op, 2), s.imm(31))
	n := u.and(s.arg(op, 1), s.imm(63))
	n = u.either(amdgpu.SMinU32, amdgpu.VMinU32, n, u.sub(s.imm(32), o))
	if !u.scalar {
		code := amdgpu.VBfeU32
		if signed {
			code = amdgpu.VBfeI32
		}
		// The instruction looks at bits 4 to 0 of the width: 32 is a width of
		// the whole, at offset 0.
		r := s.val(code, a, o, n)
		s.set(op, 0, u.choose(u.compare(amdgpu.LT, false, n, s.imm(32)), r, a))
		return
	}
	code := amdgpu.SBfeU32
	if signed {
		code = amdgpu.SBfeI32
	}
	// s_bfe takes 7 bits of width from bits 22:16.
	s.set(op, 0, s.val(code, a, u.or(o, u.shl(n, s.imm(16)))))
}

// field is n bits of a from bit o, n + o at most 32.
func (u unit) field(signed bool, a *ir.Value, o, n uint32) *ir.Value {
	switch {
	case n == 0:
		return u.imm(0)
	case n == 32:
		return a
	case o == 0 && !signed:
		return u.and(a, u.imm(1<<n-1))
	case o+n == 32 && signed:
		return u.asr(a, u.imm(o))
	case o+n == 32:
		return u.shr(a, u.imm(o))
	case u.scalar && signed:
		return u.val(amdgpu.SBfeI32, a, u.imm(o|n<<16))
	case u.scalar:
		return u.val(amdgpu.SBfeU32, a, u.imm(o|n<<16))
	case signed:
		return u.val(amdgpu.VBfeI32, a, u.imm(o), u.imm(n))
	}
	return u.val(amdgpu.VBfeU32, a, u.imm(o), u.imm(n))
}

func lowerBfrev(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	s.set(op, 0, u.either(amdgpu.SBrevB32, amdgpu.VBfrevB32, s.arg(op, 0)))
}

func lowerCbit(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	a := u.zext(s.arg(op, 0), width(op))
	if u.scalar {
		s.set(op, 0, s.val(amdgpu.SBcnt1I32B32, a))
		return
	}
	s.set(op, 0, s.val(amdgpu.VBcntU32B32, a, s.imm(0)))
}

// lowerFbh: the hardware too gives all ones for zero. Of 16 bits the value is
// moved to the top, with ones behind it but for zero, which has to stay zero.
func lowerFbh(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	a := s.arg(op, 0)
	if width(op) == 16 {
		a = u.shl(a, s.imm(16))
	}
	s.set(op, 0, u.either(amdgpu.SClzI32U32, amdgpu.VClzI32U32, a))
}

func lowerFbl(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	a := u.zext(s.arg(op, 0), width(op))
	s.set(op, 0, u.either(amdgpu.SCtzI32B32, amdgpu.VCtzI32B32, a))
}

func lowerExtend(s *sel, op *ir.Op, signed bool) {
	u := s.unitOf(op)
	from := pisa.FromOf(op.Props).Info().Bits
	a := s.arg(op, 0)
	if width(op) < 64 {
		s.set(op, 0, u.inRegister(u.extendFrom(op, signed, a, from)))
		return
	}
	lo := u.extendFrom(op, signed, a, from)
	hi := s.imm(0)
	if signed {
		hi = u.asr(lo, s.imm(31))
	}
	u.setPair(op, 0, pair{lo, hi})
}

// extendFrom extends operand 0 of op, a, to 32 bits, for nothing where what a
// comes from leaves the bits above as they must be.
func (u unit) extendFrom(op *ir.Op, signed bool, a *ir.Value, from int) *ir.Value {
	if from < 32 && extended(a, signed, from) {
		return a
	}
	return u.ext(signed, a, from)
}

// extended reports a machine value whose register is the extension of its low
// bits.
func extended(m *ir.Value, signed bool, from int) bool {
	op := m.Op()
	if op == nil {
		return false
	}
	switch op.Code {
	case amdgpu.DsLoadU8:
		return !signed && from >= 8
	case amdgpu.DsLoadU16:
		return !signed && from >= 16
	case amdgpu.DsLoadI8, amdgpu.DsLoadI16:
		return signed && from == 8 == (op.Code == amdgpu.DsLoadI8)
	}
	_, e, ok := amdgpu.MemOf(op.Code)
	if !ok {
		return false
	}
	switch e {
	case amdgpu.LoadU8:
		return !signed && from >= 8
	case amdgpu.LoadU16:
		return !signed && from >= 16
	case amdgpu.LoadI8:
		return signed && from == 8
	case amdgpu.LoadI16:
		return signed && from == 16
	}
	return false
}

// lowerTrunc: bits above the width are arbitrary anyway.
func lowerTrunc(s *sel, op *ir.Op) {
	m := s.arg(op, 0)
	n := regs(op.Result(0).Type)
	if _, ok := constant(m); ok {
		u := s.unitOf(op)
		s.set(op, 0, u.inRegister(s.part(m, 0)))
		return
	}
	if m.Type.Lanes() == n {
		s.set(op, 0, m)
		return
	}
	s.set(op, 0, s.part(m, 0))
}
