package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/builtin"
	"pisac/ir"
	"pisac/lowering/isel/flow"
)

// blockArgs gives each block argument a machine argument behind it: scalar if
// the value is uniform and every edge into the block is one that the wave takes
// as a whole. Predicates are passed as 0 or 1.
func (s *sel) blockArgs(order []*ir.Block) {
	for _, b := range order {
		n := b.NumArgs()
		for i := range n {
			v := b.Arg(i)
			class := ir.VGPR
			if s.plan.ScalarArgs(b) && s.uniform(v) {
				class = ir.SGPR
			}
			s.vals[v.ID] = b.AddArg(ir.Regs(class, regs(v.Type)))
		}
		for i := range n {
			v := b.Arg(i)
			if !v.Type.IsPred() {
				continue
			}
			s.Before(b.First())
			s.Loc = b.First().Loc
			code := amdgpu.Cmp(amdgpu.NE, amdgpu.CmpU32)
			if s.vals[v.ID].Type.Class() == ir.SGPR {
				code = amdgpu.SCmpLgU32
			}
			s.vals[v.ID] = s.val(code, s.imm(0), s.vals[v.ID])
		}
	}
}

// target is edge e of the pisa terminator: the old values, which erase drops
// together with the old arguments, then the machine ones.
func (s *sel) target(op *ir.Op, k int) ir.Target {
	e := op.Succ(k)
	to := e.To()
	n := e.NumArgs()
	args := make([]*ir.Value, 2*n)
	first := op.NumPlainOperands()
	for i := range k {
		first += op.Succ(i).NumArgs()
	}
	for i := range n {
		args[i] = e.Arg(i)
		args[n+i] = s.passed(op, first+i, to.Arg(n+i))
	}
	return ir.Target{To: to, Args: args}
}

// passed is operand i of op in the registers of block argument a.
func (s *sel) passed(op *ir.Op, i int, a *ir.Value) *ir.Value {
	m := s.arg(op, i)
	n := a.Type.Lanes()
	if op.Operand(i).Type.IsPred() {
		if c, ok := constant(m); ok {
			m = s.imm(uint32(c & 1))
		} else {
			if a.Type.Class() == ir.SGPR && m.Type.Class() != ir.SCC {
				m = s.condOf(m)
			}
			m = s.bool32(m)
		}
	}
	if a.Type.Class() == ir.SGPR {
		return s.sgpr(m, n)
	}
	if m.Type.Class() == ir.NoClass && n == 1 { // a copy of its own, where the edge leaves
		return s.Value(amdgpu.VMovB32, 0, a.Type, s.part(m, 0))
	}
	return s.vgpr(m, n)
}

// terminator replaces a branch or a return.
func (s *sel) terminator(op *ir.Op) {
	b := op.Block()
	switch kind := s.plan.Kind(b); kind {
	case flow.Ret:
		s.Branch(amdgpu.TRet, 0, nil)
	case flow.Jump, flow.Fall, flow.Loop:
		if op.Code != builtin.Br {
			panic("isel: a block with one way out ends in " + op.Def().Name)
		}
		code := amdgpu.TJump
		switch kind {
		case flow.Fall:
			code = amdgpu.TFall
		case flow.Loop:
			code = amdgpu.TLoop
		}
		t := s.target(op, 0)
		s.Branch(code, 0, nil, t)
	case flow.Cond:
		yes, no := s.target(op, 0), s.target(op, 1)
		s.Branch(amdgpu.TCond, 0, []*ir.Value{s.cond(op, 0)}, yes, no)
	case flow.Diverge:
		yes, no := s.target(op, 0), s.target(op, 1)
		s.Branch(amdgpu.TDiverge, 0, []*ir.Value{s.mask(op, 0)}, yes, no)
	default:
		panic("isel: unknown kind of terminator")
	}
}
