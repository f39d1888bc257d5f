package passes

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// speculatable reports an op that may be executed where it was not, or once
// more: it computes its results from its operands and nothing else. PISA's
// ops do not trap, division by zero included.
func speculatable(op *ir.Op) bool {
	const no = ir.ReadsMem | ir.WritesMem | ir.FenceEffect | ir.Barrier | ir.Convergent | ir.Calls | ir.Terminator
	return op.Def().Effects&no == 0 && !readsActive(op)
}

// readsActive reports an op that depends on which lanes are active: of the
// effect Convergent, a read of %activemask, or a call that may hold one.
func readsActive(op *ir.Op) bool {
	if op.Code == pisa.ReadSReg {
		return pisa.SReg(pisa.OpOf(op.Props)) == pisa.SActiveMask
	}
	return op.Def().Effects&(ir.Convergent|ir.Calls) != 0
}

// convergent reports whether f holds an op that depends on the active lanes.
func convergent(f *ir.Func) bool {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if readsActive(op) {
				return true
			}
		}
	}
	return false
}

// opCost is about how many machine instructions op takes.
func opCost(op *ir.Op) int {
	switch op.Code {
	case builtin.Const, pisa.Bitcast, pisa.Extract:
		return 0
	case pisa.UDiv, pisa.SDiv, pisa.FDiv, pisa.FSqrt:
		return 16
	case pisa.FSin, pisa.FCos, pisa.FTanh, pisa.FExp2, pisa.FLog2, pisa.FRcp, pisa.FRsqrt:
		return 8
	}
	return 1
}

// selectable reports a type that pisa.sel takes with a predicate.
func selectable(t ir.Type) bool { return t == ir.B16 || t == ir.B32 || t == ir.B64 }

// makeSelect creates cond ? a : b.
func makeSelect(bl *ir.Builder, cond, a, b *ir.Value) *ir.Value {
	return bl.Value(pisa.Sel, pisa.FType.Put(uint64(pisa.PlainType(a.Type))), a.Type, a, b, cond)
}

// passed returns the values that e passes.
func passed(e *ir.Edge) []*ir.Value {
	vs := make([]*ir.Value, e.NumArgs())
	for i := range vs {
		vs[i] = e.Arg(i)
	}
	return vs
}

// jumpInstead makes b end in a jump to to.
func jumpInstead(b *ir.Block, to *ir.Block, args []*ir.Value) {
	var bl ir.Builder
	bl.Loc = b.Last().Loc
	b.Last().Erase()
	bl.AtEnd(b)
	builtin.Jump(&bl, to, args...)
}

// cloneOp creates a copy of op, no terminator, at bl; operands and results are
// translated by and entered in m.
func cloneOp(bl *ir.Builder, op *ir.Op, m map[*ir.Value]*ir.Value) *ir.Op {
	operands := make([]*ir.Value, op.NumOperands())
	for i := range operands {
		operands[i] = mapped(m, op.Operand(i))
	}
	types := make([]ir.Type, op.NumResults())
	for i := range types {
		types[i] = op.Result(i).Type
	}
	bl.Loc = op.Loc
	n := bl.OpResults(op.Code, op.Props, op.Aux, types, operands...)
	for i := range types {
		m[op.Result(i)] = n.Result(i)
	}
	return n
}

// cloneTerm creates a copy of a terminator whose edges lead to what blocks
// says, where it says something.
func cloneTerm(bl *ir.Builder, op *ir.Op, m map[*ir.Value]*ir.Value, blocks map[*ir.Block]*ir.Block) *ir.Op {
	var operands []*ir.Value
	for i := range op.NumPlainOperands() {
		operands = append(operands, mapped(m, op.Operand(i)))
	}
	targets := make([]ir.Target, op.NumSuccs())
	for i := range targets {
		e := op.Succ(i)
		targets[i].To = e.To()
		if b := blocks[e.To()]; b != nil {
			targets[i].To = b
		}
		for k := range e.NumArgs() {
			targets[i].Args = append(targets[i].Args, mapped(m, e.Arg(k)))
		}
	}
	bl.Loc = op.Loc
	return bl.Branch(op.Code, op.Props, operands, targets...)
}

func mapped(m map[*ir.Value]*ir.Value, v *ir.Value) *ir.Value {
	if w := m[v]; w != nil {
		return w
	}
	return v
}

// unreachable returns the blocks that no path from the entry leads to.
func unreachable(f *ir.Func) (dead []*ir.Block) {
	seen := make([]bool, f.NumBlockIDs())
	stack := []*ir.Block{f.Entry()}
	seen[f.Entry().ID] = true
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for i := range b.NumSuccs() {
			if t := b.Succ(i); !seen[t.ID] {
				seen[t.ID] = true
				stack = append(stack, t)
			}
		}
	}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		if !seen[b.ID] {
			dead = append(dead, b)
		}
	}
	return dead
}
