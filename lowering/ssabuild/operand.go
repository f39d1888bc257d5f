package ssabuild

import (
	"fmt"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
)

// slotType is the type of what an operand selects of its register.
func (b *builder) slotType(o *asm.Operand) ir.Type {
	t := b.src.Regs[o.Ref].Type
	if n := o.Swz.Count(); n != 0 {
		t = ir.Vector(n, t.Elem())
	}
	return t
}

// read returns the value of a source operand; imm is the type if it is an
// immediate.
func (b *builder) read(o *asm.Operand, imm ir.Type) *ir.Value {
	switch o.Kind {
	case asm.OpReg:
		v := b.regs[o.Ref].cur
		if v == nil {
			b.neverWritten(o)
			v = b.zero(b.src.Regs[o.Ref].Type)
		}
		return b.part(v, o.Swz)
	case asm.OpSpecial:
		return b.special(o)
	case asm.OpImm:
		if imm == ir.B128 && o.Hi {
			return builtin.ConstWide(&b.bl, o.Imm, ^uint64(0))
		}
		return b.constant(imm, o.Imm)
	}
	panic(fmt.Sprintf("ssabuild: operand of kind %d is not read", o.Kind))
}

// old returns the value that a register has before an instruction writes part
// of it, or keeps it in some lanes. It is no use that the user should hear of.
func (b *builder) old(o *asm.Operand) *ir.Value {
	v := b.regs[o.Ref].cur
	if v == nil {
		v = b.zero(b.src.Regs[o.Ref].Type)
	}
	return b.part(v, o.Swz)
}

// part returns the elements of v that s selects.
func (b *builder) part(v *ir.Value, s asm.Swizzle) *ir.Value {
	n := s.Count()
	if n == 0 || n == v.Type.Lanes() {
		return v
	}
	t := v.Type.Elem()
	return b.bl.Value(pisa.Extract, partProps(t, s), ir.Vector(n, t), v)
}

// write makes v the value of the part of a register that o selects.
func (b *builder) write(o *asm.Operand, v *ir.Value) {
	t := b.src.Regs[o.Ref].Type
	if n := o.Swz.Count(); n != 0 && n != t.Lanes() {
		whole := b.regs[o.Ref].cur
		if whole == nil {
			whole = b.zero(t)
		}
		v = b.bl.Value(pisa.Insert, partProps(t, o.Swz), t, whole, v)
	}
	if v.Type != t {
		panic(fmt.Sprintf("ssabuild: %v written to %%%s, which is %v", v.Type, b.src.Regs[o.Ref].Name, t))
	}
	b.set(o.Ref, v)
}

// partProps is the qualifiers of extract and insert for the elements that s
// selects of a vector of t's element type.
func partProps(t ir.Type, s asm.Swizzle) uint64 {
	lanes, _ := pisa.VecCode(s.Count())
	return pisa.FType.Put(uint64(pisa.PlainType(t.Elem()))) | pisa.FIndex.Put(uint64(s.First())) | pisa.FVec.Put(lanes)
}

// special reads a special register, or an element of one.
func (b *builder) special(o *asm.Operand) *ir.Value {
	t := pisa.SpecialRegs[o.Ref].Type
	props := pisa.FOp.Put(uint64(o.Ref))
	if o.Swz.Count() == 1 {
		return b.bl.Value(pisa.ReadSReg, props|pisa.FIndex.Put(uint64(o.Swz.First()+1)), t.Elem())
	}
	return b.part(b.bl.Value(pisa.ReadSReg, props, t), o.Swz)
}

// base returns the address that the base of a memory operand stands for.
func (b *builder) base(o *asm.Operand, space ir.Space) *ir.Value {
	if o.Kind == asm.OpVar {
		return b.addrOf(o, space)
	}
	return b.read(o, ir.None)
}

// addrOf creates the address of a variable in its own space.
func (b *builder) addrOf(o *asm.Operand, space ir.Space) *ir.Value {
	t := ir.Bits(space.AddrBits())
	return b.bl.ValueAux(pisa.AddrOf, pisa.FType.Put(uint64(pisa.PlainType(t.Elem()))), b.symbol(o), t)
}

// offset returns the offset of an address: an immediate as wide as the base,
// or a register of 32 bits or the base's width. One of 16 bits is
// sign-extended (A7).
func (b *builder) offset(o *asm.Operand, base ir.Type) *ir.Value {
	v := b.read(o, base)
	if v.Type == ir.B16 {
		props := pisa.FType.Put(uint64(pisa.T32b)) | pisa.FFrom.Put(uint64(pisa.T16b))
		return b.bl.Value(pisa.SExt, props, ir.B32, v)
	}
	return v
}

// symbol is the handle of the variable or function that o names.
func (b *builder) symbol(o *asm.Operand) ir.Aux {
	s := &b.src.Syms[o.Ref]
	if s.Var != nil {
		return s.Var.IR.Symbol()
	}
	return s.Func.IR.Symbol()
}

// constCache is the number of constants remembered, so that a block has most
// of them once. A power of two.
const constCache = 64

type cachedConst struct {
	val    *ir.Value
	bits   uint64
	typ    ir.Type
	serial uint32 // of the block it is in
}

// newBlockConsts forgets the constants of other blocks.
func (b *builder) newBlockConsts() { b.serial++ }

// constant returns a constant of t's width, from this block if it has one.
func (b *builder) constant(t ir.Type, bits uint64) *ir.Value {
	if n := t.ElemBits(); n < 64 {
		bits &= 1<<n - 1
	}
	c := &b.consts[(bits*0x9e3779b97f4a7c15>>40^uint64(t)>>4)%constCache]
	if c.serial != b.serial || c.bits != bits || c.typ != t {
		*c = cachedConst{builtin.ConstInt(&b.bl, t, bits), bits, t, b.serial}
	}
	return c.val
}

// neverMark tells zeros of registers that nothing wrote from others in the
// cache of constants.
const neverMark ir.Type = 1 << 31

// zero returns the value of a register that nothing has written. It is a
// constant of its own, without a location: so interp tells it from a zero that
// the program means, and warns where it is read.
func (b *builder) zero(t ir.Type) *ir.Value {
	c := &b.consts[uint64(t)>>4%constCache]
	if c.serial != b.serial || c.typ != t|neverMark {
		loc := b.bl.Loc
		b.bl.Loc = ir.NoLoc
		*c = cachedConst{builtin.ConstInt(&b.bl, t, 0), 0, t | neverMark, b.serial}
		b.bl.Loc = loc
	}
	return c.val
}

// neverWritten warns of a read that no write reaches, once for each register
// (modules of version 1.0 leave registers unwritten on purpose).
func (b *builder) neverWritten(o *asm.Operand) {
	st := &b.regs[o.Ref]
	if !b.warn || st.warned {
		return
	}
	st.warned = true
	r := &b.src.Regs[o.Ref]
	b.ds.Warn(o.Loc, o.End, codeUnwritten, fmt.Sprintf("%%%s is read, but nothing has written it; it is zero", r.Name),
		ir.DiagNote{Loc: r.Loc, Text: "declared here"})
}
