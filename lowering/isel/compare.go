package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Comparison and selection of integers (PISA 5).
var compareRows = []lowering{
	pisa.SCmp: func(s *sel, op *ir.Op) { lowerCompare(s, op, true) },
	pisa.UCmp: func(s *sel, op *ir.Op) { lowerCompare(s, op, false) },
	pisa.Sel:  lowerSel,
}

// conds is indexed by pisa.Cmp.
var conds = [...]amdgpu.Cond{pisa.EQ: amdgpu.EQ, pisa.NE: amdgpu.NE, pisa.GT: amdgpu.GT, pisa.GE: amdgpu.GE, pisa.LT: amdgpu.LT, pisa.LE: amdgpu.LE}

func lowerCompare(s *sel, op *ir.Op, signed bool) {
	u := s.unitOf(op)
	a, b := s.arg(op, 0), s.arg(op, 1)
	c := conds[pisa.Cmp(pisa.OpOf(op.Props))]
	w := width(op)
	switch {
	case packed(op) > 1:
		u.scalar = false
		half := func(m *ir.Value, i int) *ir.Value {
			if i == 0 {
				return u.ext(signed, s.part(m, 0), 16)
			}
			return u.field(signed, s.part(m, 0), 16, 16)
		}
		lo := u.compare(c, signed, half(a, 0), half(b, 0))
		hi := u.compare(c, signed, half(a, 1), half(b, 1))
		s.set(op, 0, u.or(u.choose(lo, s.imm(0xffff), s.imm(0)), u.choose(hi, s.imm(0xffff0000), s.imm(0))))
	case w == 64:
		s.setCompare(u, op, u.compare64(c, signed, s.pairOf(a), s.pairOf(b)))
	default:
		s.setCompare(u, op, u.compare(c, signed, u.ext(signed, a, w), u.ext(signed, b, w)))
	}
}

// setCompare sets the result of a comparison, a predicate or all ones and
// zeros, from the mask or scc m.
func (s *sel) setCompare(u unit, op *ir.Op, m *ir.Value) {
	if op.Result(0).Type.IsPred() {
		s.set(op, 0, m)
		return
	}
	u.scalar = m.Type.Class() == ir.SCC
	s.set(op, 0, u.choose(m, s.imm(0xffffffff), s.imm(0)))
}

// lowerSel: the condition is a predicate or a register that is not zero (PISA
// 5.4).
func lowerSel(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	a, b, cond := s.arg(op, 0), s.arg(op, 1), s.arg(op, 2)
	if ct := op.Operand(2).Type; !ct.IsPred() {
		if ct.TotalBits() == 64 {
			cond = u.compare64(amdgpu.NE, false, s.pairOf(cond), pair{s.imm(0), s.imm(0)})
		} else {
			cond = u.compare(amdgpu.NE, false, u.zext(cond, ct.TotalBits()), s.imm(0))
		}
	} else if c, ok := constant(cond); ok {
		if c != 0 {
			s.set(op, 0, a)
		} else {
			s.set(op, 0, b)
		}
		return
	}
	u.scalar = u.scalar && cond.Type.Class() == ir.SCC
	if regs(op.Result(0).Type) == 2 {
		u.setPair(op, 0, u.choose64(cond, s.pairOf(a), s.pairOf(b)))
		return
	}
	s.set(op, 0, u.choose(cond, a, b))
}
