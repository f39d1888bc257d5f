package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Elements of vectors (PISA 4.3, 4.4, 4.11, 4.12). Elements lie side by side,
// the first lowest; those of 32 and 64 bits are registers of their own.
var vectorRows = []lowering{
	pisa.Extract:        lowerExtract,
	pisa.ExtractDynamic: lowerExtractDynamic,
	pisa.Insert:         lowerInsert,
	pisa.InsertDynamic:  lowerInsertDynamic,
	pisa.Bitcast:        lowerBitcast,
}

// lowerBitcast: the same registers.
func lowerBitcast(s *sel, op *ir.Op) {
	m := s.arg(op, 0)
	n := regs(op.Result(0).Type)
	if _, ok := constant(m); ok {
		s.setParts(op, s.parts(m, n))
		return
	}
	s.set(op, 0, m)
}

// setParts sets the result of op to registers or immediates.
func (s *sel) setParts(op *ir.Op, parts []*ir.Value) {
	if len(parts) == 1 {
		s.set(op, 0, parts[0])
		return
	}
	s.set(op, 0, s.build(parts...))
}

func lowerExtract(s *sel, op *ir.Op) {
	m, at := s.arg(op, 0), pisa.IndexOf(op.Props)
	t, r := op.Operand(0).Type, op.Result(0).Type
	w := t.ElemBits()
	_, imm := constant(m)
	if w >= 32 {
		k := w / 32
		if imm {
			s.setParts(op, s.parts(m, regs(r)))
			return
		}
		if regs(r) == 1 {
			s.set(op, 0, s.part(m, at*k))
			return
		}
		s.set(op, 0, s.slice(m, at*k, regs(r)))
		return
	}
	u := s.unitOf(op)
	if r.Lanes() == 1 {
		s.set(op, 0, u.element(m, at, w))
		return
	}
	n := r.Lanes()
	elems := make([]*ir.Value, n)
	for i := range elems {
		elems[i] = u.element(m, at+i, w)
	}
	s.setParts(op, u.join(elems, w))
}

// element is element i of w bits of m, in the low bits of a register.
func (u unit) element(m *ir.Value, i, w int) *ir.Value {
	x := u.part(m, i*w/32)
	if c, ok := constant(x); ok {
		return u.imm(uint32(c) >> (i * w % 32))
	}
	if n := i * w % 32; n != 0 {
		return u.shr(x, u.imm(uint32(n)))
	}
	return x
}

// join puts elements of w bits, 8 or 16, side by side.
func (u unit) join(elems []*ir.Value, w int) []*ir.Value {
	per := 32 / w
	var out []*ir.Value
	for i := 0; i < len(elems); i += per {
		group := elems[i:min(i+per, len(elems))]
		if w == 16 && len(group) == 2 {
			out = append(out, u.pack16(group[0], group[1]))
			continue
		}
		r := group[0]
		for k := 1; k < len(group); k++ {
			r = u.replace(r, group[k], uint32(k*w), uint32(w))
		}
		out = append(out, r)
	}
	return out
}

// replace puts the low w bits of x at bit at of old.
func (u unit) replace(old, x *ir.Value, at, w uint32) *ir.Value {
	m := uint32(1<<w-1) << at
	if at != 0 {
		x = u.shl(x, u.imm(at))
	}
	if u.scalar {
		return u.or(u.and(x, u.imm(m)), u.and(old, u.imm(^m)))
	}
	return u.val(amdgpu.VBfiB32, u.imm(m), x, old)
}

func lowerInsert(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	m, x, at := s.arg(op, 0), s.arg(op, 1), pisa.IndexOf(op.Props)
	t := op.Operand(0).Type
	w := t.ElemBits()
	parts := s.parts(m, regs(t))
	if w >= 32 {
		copy(parts[at*w/32:], s.parts(x, regs(op.Operand(1).Type)))
		s.setParts(op, parts)
		return
	}
	for i := range op.Operand(1).Type.Lanes() {
		bit := (at + i) * w
		parts[bit/32] = u.replace(parts[bit/32], u.element(x, i, w), uint32(bit%32), uint32(w))
	}
	s.setParts(op, parts)
}

// lowerExtractDynamic compares the index with each place: vector registers
// cannot be addressed at run time without a loop over the lanes' indices.
func lowerExtractDynamic(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	m, index := s.arg(op, 0), s.arg(op, 1)
	n := op.Operand(0).Type.Lanes()
	parts := s.parts(m, n)
	r := parts[0]
	for k := 1; k < n; k++ {
		r = u.choose(u.compare(amdgpu.EQ, false, index, s.imm(uint32(k))), parts[k], r)
	}
	s.set(op, 0, r)
}

func lowerInsertDynamic(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	m, x, index := s.arg(op, 0), s.arg(op, 1), s.arg(op, 2)
	parts := s.parts(m, op.Operand(0).Type.Lanes())
	for k := range parts {
		parts[k] = u.choose(u.compare(amdgpu.EQ, false, index, s.imm(uint32(k))), x, parts[k])
	}
	s.setParts(op, parts)
}
