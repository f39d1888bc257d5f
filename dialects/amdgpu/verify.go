package amdgpu

import "pisac/ir"

// verify checks an op against its row: numbers, classes and sizes of operands
// and results. What depends on the target is checked by Check.
func verify(v *ir.Verifier, op *ir.Op) {
	r := RowOf(op.Code)
	if r.Family != Pseudo && op.NumResults() > 0 || len(r.Results) == 0 {
		checkList(v, op, "result", r.Results, op.NumResults(), func(i int) ir.Type { return op.Result(i).Type })
	}
	operands := r.Operands
	if r.Family >= Flat && r.Family <= Scratch && FSaddr.Get(op.Props) != 0 {
		operands = r.Saddr
	}
	checkList(v, op, "operand", operands, op.NumPlainOperands(), func(i int) ir.Type { return op.Operand(i).Type })
	checkImmediates(v, op)
}

// saddrOperands are the operands of a memory access with a scalar base.
func saddrOperands(r *Row) []Slot {
	rest := r.Operands[1:]
	if r.Family == Scratch {
		return append([]Slot{slot("s")}, rest...)
	}
	return append([]Slot{slot("v"), slot("s2")}, rest...)
}

func checkList(v *ir.Verifier, op *ir.Op, what string, slots []Slot, n int, typ func(int) ir.Type) {
	k := 0
	for i := range slots {
		s := &slots[i]
		left := len(slots) - i - 1 // mandatory ones behind
		for j := i + 1; j < len(slots); j++ {
			if slots[j].Opt {
				left--
			}
		}
		switch {
		case s.Any:
			for ; k < n; k++ {
				checkSlot(v, op, what, k, s, typ(k))
			}
		case s.Opt && n-k <= left:
		case k == n:
			v.Errorf(op, 6, "has %d %ss, too few", n, what)
			return
		default:
			checkSlot(v, op, what, k, s, typ(k))
			k++
		}
	}
	if k < n {
		v.Errorf(op, 6, "has %d %ss, too many", n, what)
	}
}

func checkSlot(v *ir.Verifier, op *ir.Op, what string, i int, s *Slot, t ir.Type) {
	kind, regs := uint8(KImm), 1
	switch t.Class() {
	case ir.SGPR:
		kind, regs = KS, t.Lanes()
	case ir.VGPR:
		kind, regs = KV, t.Lanes()
	case ir.SCC:
		kind = KSCC
	default:
		regs = int(s.Regs)
	}
	ok := s.Kinds&kind != 0
	switch {
	case s.Mask:
		ok = ok && (regs == 1 || regs == 2)
	case s.Regs != 0:
		ok = ok && regs == int(s.Regs)
	}
	if !ok {
		v.Errorf(op, 9, "%s %d is %v", what, i, t)
	}
}

// checkImmediates makes sure that what has no register class is a constant.
func checkImmediates(v *ir.Verifier, op *ir.Op) {
	for i := range op.NumPlainOperands() {
		x := op.Operand(i)
		if x.Type.Class() != ir.NoClass {
			continue
		}
		if _, ok := IsImm(x); !ok {
			v.Errorf(op, 9, "operand %d has no register class and is no constant", i)
		}
	}
}
