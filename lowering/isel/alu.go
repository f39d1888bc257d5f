package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// unit is where an op is computed: by the scalar unit once for the wave, or by
// the vector unit for each lane. Its methods are the operations that both have.
type unit struct {
	*sel
	scalar bool
}

// unitOf picks the scalar unit for an op about whose result all lanes agree,
// unless an operand is in vector registers already.
func (s *sel) unitOf(op *ir.Op) unit {
	if !s.uniform(op.Result(0)) {
		return unit{s, false}
	}
	for i := range op.NumOperands() {
		if s.arg(op, i).Type.Class() == ir.VGPR {
			return unit{s, false}
		}
		if op.Operand(i).Type.IsPred() && s.arg(op, i).Type.Class() == ir.SGPR {
			return unit{s, false} // a lane mask
		}
	}
	return unit{s, true}
}

// either emits the scalar or the vector instruction.
func (u unit) either(scalar, vector ir.Code, srcs ...*ir.Value) *ir.Value {
	if u.scalar {
		return u.val(scalar, srcs...)
	}
	return u.val(vector, srcs...)
}

func (u unit) add(a, b *ir.Value) *ir.Value {
	if c, ok := constant(b); ok && uint32(c) == 0 {
		return a
	}
	return u.either(amdgpu.SAddU32, amdgpu.VAddNcU32, a, b)
}

func (u unit) sub(a, b *ir.Value) *ir.Value {
	return u.either(amdgpu.SSubU32, amdgpu.VSubNcU32, a, b)
}

func (u unit) mul(a, b *ir.Value) *ir.Value {
	return u.either(amdgpu.SMulI32, amdgpu.VMulLoU32, a, b)
}

func (u unit) mulHi(signed bool, a, b *ir.Value) *ir.Value {
	if signed {
		return u.either(amdgpu.SMulHiI32, amdgpu.VMulHiI32, a, b)
	}
	return u.either(amdgpu.SMulHiU32, amdgpu.VMulHiU32, a, b)
}

func (u unit) and(a, b *ir.Value) *ir.Value {
	return u.either(amdgpu.SAndB32, amdgpu.VAndB32, a, b)
}

func (u unit) or(a, b *ir.Value) *ir.Value { return u.either(amdgpu.SOrB32, amdgpu.VOrB32, a, b) }

func (u unit) xor(a, b *ir.Value) *ir.Value {
	return u.either(amdgpu.SXorB32, amdgpu.VXorB32, a, b)
}

func (u unit) not(a *ir.Value) *ir.Value { return u.either(amdgpu.SNotB32, amdgpu.VNotB32, a) }

// shl, shr and asr use bits 4 to 0 of the count only.
func (u unit) shl(a, n *ir.Value) *ir.Value {
	if u.scalar {
		return u.val(amdgpu.SLshlB32, a, n)
	}
	return u.val(amdgpu.VLshlrevB32, n, a)
}

func (u unit) shr(a, n *ir.Value) *ir.Value {
	if u.scalar {
		return u.val(amdgpu.SLshrB32, a, n)
	}
	return u.val(amdgpu.VLshrrevB32, n, a)
}

func (u unit) asr(a, n *ir.Value) *ir.Value {
	if u.scalar {
		return u.val(amdgpu.SAshrI32, a, n)
	}
	return u.val(amdgpu.VAshrrevI32, n, a)
}

// zext and sext extend the low w bits of a, 8 or 16, to 32.
func (u unit) zext(a *ir.Value, w int) *ir.Value {
	if w >= 32 {
		return a
	}
	if c, ok := constant(a); ok {
		return u.imm(uint32(c) & (1<<w - 1))
	}
	return u.and(a, u.imm(1<<w-1))
}

func (u unit) sext(a *ir.Value, w int) *ir.Value {
	if w >= 32 {
		return a
	}
	if c, ok := constant(a); ok {
		return u.imm(uint32(int32(uint32(c)<<(32-w)) >> (32 - w)))
	}
	if u.scalar && w == 16 {
		return u.val(amdgpu.SSextI32I16, a)
	}
	if u.scalar {
		return u.val(amdgpu.SSextI32I8, a)
	}
	return u.val(amdgpu.VBfeI32, a, u.imm(0), u.imm(uint32(w)))
}

func (u unit) ext(signed bool, a *ir.Value, w int) *ir.Value {
	if signed {
		return u.sext(a, w)
	}
	return u.zext(a, w)
}

// pair is a value of 64 bits in two registers or immediates.
type pair struct{ lo, hi *ir.Value }

func (s *sel) pairOf(m *ir.Value) pair { return pair{s.part(m, 0), s.part(m, 1)} }

// whole is the tuple of p.
func (u unit) whole(p pair) *ir.Value {
	if u.scalar {
		return u.sgpr(u.build(p.lo, p.hi), 2)
	}
	return u.buildV(p.lo, p.hi)
}

// operand64 is p as an operand of 64 bits: an immediate or a tuple of either
// class.
func (s *sel) operand64(p pair) *ir.Value {
	lo, a := constant(p.lo)
	hi, b := constant(p.hi)
	if a && b {
		return s.imm64(hi<<32 | lo&0xffffffff)
	}
	return s.build(p.lo, p.hi)
}

func (u unit) add64(a, b pair) pair {
	if u.scalar {
		if u.t.Generation == target.GFX12 {
			return u.pairOf(u.val(amdgpu.SAddNcU64, u.operand64(a), u.operand64(b)))
		}
		lo := u.emit(amdgpu.SAddU32, 0, a.lo, b.lo)
		return pair{lo.Result(0), u.val(amdgpu.SAddcU32, a.hi, b.hi, lo.Result(1))}
	}
	if u.t.Has(target.LshlAddU64) {
		return u.pairOf(u.val(amdgpu.VLshlAddU64, u.operand64(a), u.imm(0), u.operand64(b)))
	}
	lo := u.emit(amdgpu.VAddCoU32, 0, a.lo, b.lo)
	return pair{lo.Result(0), u.val(amdgpu.VAddCoCiU32, a.hi, b.hi, lo.Result(1))}
}

func (u unit) sub64(a, b pair) pair {
	if u.scalar {
		if u.t.Generation == target.GFX12 {
			return u.pairOf(u.val(amdgpu.SSubNcU64, u.operand64(a), u.operand64(b)))
		}
		lo := u.emit(amdgpu.SSubU32, 0, a.lo, b.lo)
		return pair{lo.Result(0), u.val(amdgpu.SSubbU32, a.hi, b.hi, lo.Result(1))}
	}
	lo := u.emit(amdgpu.VSubCoU32, 0, a.lo, b.lo)
	return pair{lo.Result(0), u.val(amdgpu.VSubCoCiU32, a.hi, b.hi, lo.Result(1))}
}

func (u unit) neg64(a pair) pair { return u.sub64(pair{u.imm(0), u.imm(0)}, a) }

func (u unit) each64(a, b pair, f func(a, b *ir.Value) *ir.Value) pair {
	return pair{f(a.lo, b.lo), f(a.hi, b.hi)}
}

// shift64 shifts by n, of which bits 5 to 0 count.
func (u unit) shift64(scalar, vector ir.Code, a pair, n *ir.Value) pair {
	if u.scalar {
		return u.pairOf(u.val(scalar, u.operand64(a), n))
	}
	return u.pairOf(u.val(vector, n, u.operand64(a)))
}

func (u unit) shl64(a pair, n *ir.Value) pair {
	return u.shift64(amdgpu.SLshlB64, amdgpu.VLshlrevB64, a, n)
}

func (u unit) shr64(a pair, n *ir.Value) pair {
	return u.shift64(amdgpu.SLshrB64, amdgpu.VLshrrevB64, a, n)
}

func (u unit) asr64(a pair, n *ir.Value) pair {
	return u.shift64(amdgpu.SAshrI64, amdgpu.VAshrrevI64, a, n)
}

// mul64 is the low 64 bits of the product.
func (u unit) mul64(a, b pair) pair {
	zero := func(x *ir.Value) bool { c, ok := constant(x); return ok && uint32(c) == 0 }
	p := u.mulFull(false, a.lo, b.lo)
	hi := p.hi
	if !zero(b.hi) {
		hi = u.add3(hi, u.mul(a.lo, b.hi), zero(a.hi), a.hi, b.lo)
	} else if !zero(a.hi) {
		hi = u.add(hi, u.mul(a.hi, b.lo))
	}
	return pair{p.lo, hi}
}

// add3 is a + b, and + x × y unless none.
func (u unit) add3(a, b *ir.Value, none bool, x, y *ir.Value) *ir.Value {
	if none {
		return u.add(a, b)
	}
	c := u.mul(x, y)
	if u.scalar {
		return u.add(u.add(a, b), c)
	}
	return u.val(amdgpu.VAdd3U32, a, b, c)
}

// mulFull is the product of 32-bit numbers in 64 bits.
func (u unit) mulFull(signed bool, a, b *ir.Value) pair {
	if u.scalar {
		return pair{u.mul(a, b), u.mulHi(signed, a, b)}
	}
	return u.madFull(signed, a, b, u.imm64(0))
}

// madFull is a × b + c in 64 bits, by the vector unit.
func (u unit) madFull(signed bool, a, b, c *ir.Value) pair {
	code := amdgpu.VMadU64U32
	if signed {
		code = amdgpu.VMadI64I32
	}
	return u.pairOf(u.val(code, a, b, c))
}

// compare64 and compare give a lane mask or scc.
func (u unit) compare(c amdgpu.Cond, signed bool, a, b *ir.Value) *ir.Value {
	if u.scalar {
		return u.val(scalarCompare(c, signed), a, b)
	}
	t := amdgpu.CmpU32
	if signed {
		t = amdgpu.CmpI32
	}
	return u.val(amdgpu.Cmp(c, t), a, b)
}

var scalarConds = [...]int{amdgpu.EQ: 0, amdgpu.NE: 1, amdgpu.GT: 2, amdgpu.GE: 3, amdgpu.LT: 4, amdgpu.LE: 5}

func scalarCompare(c amdgpu.Cond, signed bool) ir.Code {
	if signed {
		return amdgpu.SCmpEqI32 + ir.Code(scalarConds[c])
	}
	return amdgpu.SCmpEqU32 + ir.Code(scalarConds[c])
}

// compare64: the scalar unit knows equality only; the rest is for vectors.
func (u unit) compare64(c amdgpu.Cond, signed bool, a, b pair) *ir.Value {
	if u.scalar && c == amdgpu.EQ {
		return u.val(amdgpu.SCmpEqU64, u.operand64(a), u.operand64(b))
	}
	if u.scalar && c == amdgpu.NE {
		return u.val(amdgpu.SCmpLgU64, u.operand64(a), u.operand64(b))
	}
	t := amdgpu.CmpU64
	if signed {
		t = amdgpu.CmpI64
	}
	return u.val(amdgpu.Cmp(c, t), u.operand64(a), u.operand64(b))
}

// choose is a where cond, which is of the same unit, holds, else b.
func (u unit) choose(cond, a, b *ir.Value) *ir.Value {
	if u.scalar {
		return u.val(amdgpu.SCselectB32, a, b, cond)
	}
	return u.val(amdgpu.VCndmaskB32, b, a, u.maskReg(cond))
}

func (u unit) choose64(cond *ir.Value, a, b pair) pair {
	if u.scalar {
		return u.pairOf(u.val(amdgpu.SCselectB64, u.operand64(a), u.operand64(b), cond))
	}
	return pair{u.choose(cond, a.lo, b.lo), u.choose(cond, a.hi, b.hi)}
}

// maskReg is a lane mask in registers.
func (s *sel) maskReg(m *ir.Value) *ir.Value {
	m = s.maskOf(m)
	if m.Type.Class() == ir.NoClass {
		c, _ := constant(m)
		if s.t.Wave == 32 {
			return s.Value(amdgpu.SMovB32, 0, s.maskT, s.imm(uint32(c)))
		}
		return s.Value(amdgpu.SMovB64, 0, s.maskT, s.imm64(c))
	}
	return m
}
