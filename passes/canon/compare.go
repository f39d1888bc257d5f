package canon

import (
	"pisac/dialects/pisa"
	"pisac/ir"
)

var compare = table{
	{Name: "ucmp-constant-right", Root: pisa.UCmp, Doc: "c < x => x > c", Apply: swapCompare},
	{Name: "scmp-constant-right", Root: pisa.SCmp, Doc: "c < x => x > c", Apply: swapCompare},
	{Name: "fcmp-constant-right", Root: pisa.FCmp, Doc: "c < x => x > c", Apply: swapCompare},
	{Name: "ucmp-self", Root: pisa.UCmp, Doc: "x == x => true; x < x => false", Apply: compareSelf},
	{Name: "scmp-self", Root: pisa.SCmp, Doc: "x == x => true; x < x => false", Apply: compareSelf},
	{Name: "scmp-equality", Root: pisa.SCmp, Doc: "equality has no sign: scmp.eq => ucmp.eq", Apply: func(w rw, op *ir.Op) bool {
		if c := cop(op); c != pisa.EQ && c != pisa.NE {
			return false
		}
		return toOp(w, op, pisa.UCmp, op.Props, op.Operand(0), op.Operand(1))
	}},
	{Name: "ucmp-zero", Root: pisa.UCmp, Doc: "x < 0 => false; x >= 0 => true; x > 0 => x != 0; x <= 0 => x == 0; x < 1 => x == 0; x >= 1 => x != 0", Apply: unsignedZero},
	{Name: "ucmp-sub", Root: pisa.UCmp, Doc: "x - y == 0 => x == y; x ^ y == 0 => x == y", Apply: equalDifference},
	{Name: "ucmp-add", Root: pisa.UCmp, Doc: "x + c == d => x == d - c", Apply: equalSum},
	{Name: "ucmp-of-compare", Root: pisa.UCmp, Doc: "(x < y as ~0 or 0) != 0 => x < y; == 0 => x >= y", Apply: compareCompare},
	{Name: "ucmp-of-select", Root: pisa.UCmp, Doc: "(p ? c : 0) != 0 => p", Apply: compareSelect},

	{Name: "sel-same", Root: pisa.Sel, Doc: "p ? x : x => x", Apply: func(w rw, op *ir.Op) bool {
		return op.Operand(0) == op.Operand(1) && to(w, op, op.Operand(0))
	}},
	{Name: "sel-constant", Root: pisa.Sel, Doc: "true ? x : y => x; false ? x : y => y", Apply: func(w rw, op *ir.Op) bool {
		c, ok := val(op, 2)
		if !ok {
			return false
		}
		if c != 0 {
			return to(w, op, op.Operand(0))
		}
		return to(w, op, op.Operand(1))
	}},
	{Name: "sel-of-compare", Root: pisa.Sel, Doc: "(x < y as ~0 or 0) ? a : b => (x < y as pred) ? a : b", Apply: selectCompare},
	{Name: "sel-not-zero", Root: pisa.Sel, Doc: "(x != 0) ? x : 0 => x", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 2, pisa.UCmp)
		return in != nil && cop(in) == pisa.NE && isVal(in, 1, 0) && in.Operand(0) == op.Operand(0) && isVal(op, 1, 0) && to(w, op, op.Operand(0))
	}},
}

func cop(op *ir.Op) pisa.Cmp { return pisa.Cmp(pisa.OpOf(op.Props)) }

func withCop(p uint64, c pisa.Cmp) uint64 { return pisa.FOp.Set(p, uint64(c)) }

// swapped is the relation of the operands exchanged, inverse the one that
// holds when the first does not.
var (
	swapped = [...]pisa.Cmp{pisa.EQ: pisa.EQ, pisa.NE: pisa.NE, pisa.GT: pisa.LT, pisa.GE: pisa.LE, pisa.LT: pisa.GT, pisa.LE: pisa.GE}
	inverse = [...]pisa.Cmp{pisa.EQ: pisa.NE, pisa.NE: pisa.EQ, pisa.GT: pisa.LE, pisa.GE: pisa.LT, pisa.LT: pisa.GE, pisa.LE: pisa.GT}
)

func swapCompare(w rw, op *ir.Op) bool {
	if _, ok := val(op, 0); !ok {
		return false
	}
	if _, ok := val(op, 1); ok || !w.Commit() {
		return false
	}
	swapOperands(op)
	op.Props = withCop(op.Props, swapped[cop(op)])
	return true
}

// truth is the bits of true in the op's result.
func truth(op *ir.Op, holds bool) uint64 {
	if !holds {
		return 0
	}
	return ones(op)
}

func compareSelf(w rw, op *ir.Op) bool {
	c := cop(op)
	return op.Operand(0) == op.Operand(1) && toConst(w, op, truth(op, c == pisa.EQ || c == pisa.GE || c == pisa.LE))
}

func unsignedZero(w rw, op *ir.Op) bool {
	c, ok := val(op, 1)
	if !ok || c > 1 || !scalar(op) {
		return false
	}
	rel := cop(op)
	switch {
	case c == 0 && rel == pisa.LT:
		return toConst(w, op, 0)
	case c == 0 && rel == pisa.GE:
		return toConst(w, op, ones(op))
	case c == 0 && rel == pisa.GT, c == 1 && rel == pisa.GE:
		rel = pisa.NE
	case c == 0 && rel == pisa.LE, c == 1 && rel == pisa.LT:
		rel = pisa.EQ
	default:
		return false
	}
	if !w.Commit() {
		return false
	}
	op.Props = withCop(op.Props, rel)
	w.SetOperand(op, 1, w.Const(op.Operand(0).Type, 0))
	return true
}

func equality(op *ir.Op) bool {
	return scalar(op) && (cop(op) == pisa.EQ || cop(op) == pisa.NE)
}

func equalDifference(w rw, op *ir.Op) bool {
	if !equality(op) || !isVal(op, 1, 0) {
		return false
	}
	in := def(op, 0, pisa.Xor)
	if in == nil {
		in = def(op, 0, pisa.ISub)
	}
	if in == nil || !scalar(in) || has(in, pisa.FDsat) || !w.Commit() {
		return false
	}
	w.SetOperand(op, 0, in.Operand(0))
	w.SetOperand(op, 1, in.Operand(1))
	return true
}

func equalSum(w rw, op *ir.Op) bool {
	in := def(op, 0, pisa.IAdd)
	if in == nil || !equality(op) || has(in, pisa.FDsat) {
		return false
	}
	c, ok := val(in, 1)
	d, ok2 := val(op, 1)
	if !ok || !ok2 || !w.Commit() {
		return false
	}
	t := op.Operand(0).Type
	w.SetOperand(op, 0, in.Operand(0))
	w.SetOperand(op, 1, w.Const(t, (d-c)&onesOf(t)))
	return true
}

// isCompare reports a scalar comparison.
func isCompare(op *ir.Op) bool {
	return op != nil && (op.Code == pisa.UCmp || op.Code == pisa.SCmp || op.Code == pisa.FCmp) && scalar(op)
}

// compareCompare takes the test of a register comparison's result for what
// the comparison says. The inverse of a floating-point one exists for eq and
// ne only: a NaN makes both lt and ge false.
func compareCompare(w rw, op *ir.Op) bool {
	in := op.Operand(0).Op()
	if !equality(op) || !isVal(op, 1, 0) || !isCompare(in) || in.Result(0).Type != ir.B32 {
		return false
	}
	rel := cop(in)
	if cop(op) == pisa.EQ {
		if in.Code == pisa.FCmp && rel != pisa.EQ && rel != pisa.NE {
			return false
		}
		rel = inverse[rel]
	}
	return toOp(w, op, in.Code, withCop(in.Props, rel), in.Operand(0), in.Operand(1))
}

// compareSelect takes the test of a predicate's copy in a register for the
// predicate.
func compareSelect(w rw, op *ir.Op) bool {
	in := def(op, 0, pisa.Sel)
	if in == nil || !equality(op) || !isVal(op, 1, 0) || in.Operand(2).Type != ir.Pred {
		return false
	}
	a, ok := val(in, 0)
	b, ok2 := val(in, 1)
	if !ok || !ok2 || (a == 0) == (b == 0) {
		return false
	}
	positive := (a != 0) == (cop(op) == pisa.NE) // the result is p, not its complement
	t := op.Result(0).Type
	if t == ir.Pred {
		return positive && to(w, op, in.Operand(2))
	}
	if !w.Commit() {
		return false
	}
	yes, no := w.Const(t, ones(op)), w.Const(t, 0)
	if !positive {
		yes, no = no, yes
	}
	w.Replace(op, w.Value(pisa.Sel, typed(pisa.T32b), t, yes, no, in.Operand(2)))
	return true
}

// selectCompare makes a select on a register comparison one on a predicate.
func selectCompare(w rw, op *ir.Op) bool {
	in := op.Operand(2).Op()
	if op.Operand(2).Type != ir.B32 || !isCompare(in) || !w.Commit() {
		return false
	}
	p := w.Value(in.Code, in.Props, ir.Pred, in.Operand(0), in.Operand(1))
	w.Replace(op, w.Value(pisa.Sel, op.Props, op.Result(0).Type, op.Operand(0), op.Operand(1), p))
	return true
}
