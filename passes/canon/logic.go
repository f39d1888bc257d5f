package canon

import (
	"pisac/dialects/pisa"
	"pisac/ir"
)

var logic = table{
	{Name: "and-ends", Root: pisa.And, Doc: "x & 0 => 0; x & ~0 => x", Apply: func(w rw, op *ir.Op) bool { return ends(w, op, 0, ones(op)) }},
	{Name: "or-ends", Root: pisa.Or, Doc: "x | ~0 => ~0; x | 0 => x", Apply: func(w rw, op *ir.Op) bool { return ends(w, op, ones(op), 0) }},
	{Name: "xor-zero", Root: pisa.Xor, Doc: "x ^ 0 => x", Apply: func(w rw, op *ir.Op) bool { return isVal(op, 1, 0) && to(w, op, op.Operand(0)) }},
	{Name: "xor-ones", Root: pisa.Xor, Doc: "x ^ ~0 => ~x", Apply: func(w rw, op *ir.Op) bool {
		return isVal(op, 1, ones(op)) && toOp(w, op, pisa.Not, op.Props, op.Operand(0))
	}},
	{Name: "and-self", Root: pisa.And, Doc: "x & x => x", Apply: same},
	{Name: "or-self", Root: pisa.Or, Doc: "x | x => x", Apply: same},
	{Name: "xor-self", Root: pisa.Xor, Doc: "x ^ x => 0", Apply: func(w rw, op *ir.Op) bool {
		return op.Operand(0) == op.Operand(1) && toConst(w, op, 0)
	}},
	{Name: "not-not", Root: pisa.Not, Doc: "~~x => x", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.Not)
		return in != nil && to(w, op, in.Operand(0))
	}},
	{Name: "and-not-self", Root: pisa.And, Doc: "x & ~x => 0", Apply: func(w rw, op *ir.Op) bool { return complements(op) && toConst(w, op, 0) }},
	{Name: "or-not-self", Root: pisa.Or, Doc: "x | ~x => ~0", Apply: func(w rw, op *ir.Op) bool { return complements(op) && toConst(w, op, ones(op)) }},
	{Name: "xor-not-self", Root: pisa.Xor, Doc: "x ^ ~x => ~0", Apply: func(w rw, op *ir.Op) bool { return complements(op) && toConst(w, op, ones(op)) }},
	{Name: "and-and", Root: pisa.And, Doc: "(x & c) & d => x & (c & d)", Apply: reassociate},
	{Name: "or-or", Root: pisa.Or, Doc: "(x | c) | d => x | (c | d)", Apply: reassociate},
	{Name: "xor-xor", Root: pisa.Xor, Doc: "(x ^ c) ^ d => x ^ (c ^ d)", Apply: reassociate},
	{Name: "and-or-absorb", Root: pisa.And, Doc: "x & (x | y) => x", Apply: func(w rw, op *ir.Op) bool { return absorb(w, op, pisa.Or) }},
	{Name: "or-and-absorb", Root: pisa.Or, Doc: "x | (x & y) => x", Apply: func(w rw, op *ir.Op) bool { return absorb(w, op, pisa.And) }},
}

// complements reports an op of x and ~x.
func complements(op *ir.Op) bool {
	for i := range 2 {
		if in := def(op, i, pisa.Not); in != nil && in.Operand(0) == op.Operand(1-i) {
			return true
		}
	}
	return false
}

// reassociate is (x op c) op d => x op (c op d).
func reassociate(w rw, op *ir.Op) bool {
	in := def(op, 0, op.Code)
	if in == nil {
		return false
	}
	c, ok := val(in, 1)
	d, ok2 := val(op, 1)
	if !ok || !ok2 || !w.Commit() {
		return false
	}
	cd, _ := pisa.EvalFn(op.Code, op.Props)(c, d, 0, 0)
	t := op.Result(0).Type
	w.Replace(op, w.Value(op.Code, op.Props, t, in.Operand(0), w.Const(t, cd)))
	return true
}

func absorb(w rw, op *ir.Op, inner ir.Code) bool {
	for i := range 2 {
		in := def(op, i, inner)
		if x := op.Operand(1 - i); in != nil && (in.Operand(0) == x || in.Operand(1) == x) {
			return to(w, op, x)
		}
	}
	return false
}
