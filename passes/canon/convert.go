package canon

import (
	"pisac/dialects/pisa"
	"pisac/ir"
)

var convert = table{
	{Name: "zext-zext", Root: pisa.ZExt, Doc: "zext(zext(x)) => zext(x)", Apply: extendExtend},
	{Name: "sext-sext", Root: pisa.SExt, Doc: "sext(sext(x)) => sext(x)", Apply: extendExtend},
	{Name: "sext-zext", Root: pisa.SExt, Doc: "sext(zext(x)) => zext(x)", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.ZExt)
		return in != nil && toOp(w, op, pisa.ZExt, fromTo(in, op), in.Operand(0))
	}},
	{Name: "zext-trunc", Root: pisa.ZExt, Doc: "zext(trunc(x)) => x & mask, where the widths return", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.Trunc)
		t := op.Result(0).Type
		if in == nil || in.Operand(0).Type != t || t == ir.B8 || !w.Commit() {
			return false
		}
		m := onesOf(op.Operand(0).Type)
		w.Replace(op, w.Value(pisa.And, typed(pisa.TypeOf(op.Props)), t, in.Operand(0), w.Const(t, m)))
		return true
	}},
	{Name: "trunc-trunc", Root: pisa.Trunc, Doc: "trunc(trunc(x)) => trunc(x)", Apply: extendExtend},
	{Name: "trunc-extend", Root: pisa.Trunc, Doc: "trunc(zext(x)) => x, trunc(x) or zext(x); sext likewise", Apply: truncExtend},
	{Name: "and-zext", Root: pisa.And, Doc: "zext(x) & c => zext(x) if c has all bits of x", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.ZExt)
		c, ok := val(op, 1)
		if in == nil || !ok {
			return false
		}
		m := onesOf(in.Operand(0).Type)
		return c&m == m && to(w, op, op.Operand(0))
	}},

	{Name: "bitcast-bitcast", Root: pisa.Bitcast, Doc: "bitcast(bitcast(x)) => bitcast(x)", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.Bitcast)
		return in != nil && toOp(w, op, pisa.Bitcast, 0, in.Operand(0))
	}},
	{Name: "bitcast-same", Root: pisa.Bitcast, Doc: "bitcast(x) => x to its own type", Apply: func(w rw, op *ir.Op) bool {
		return op.Operand(0).Type == op.Result(0).Type && to(w, op, op.Operand(0))
	}},
	{Name: "bitcast-constant", Root: pisa.Bitcast, Doc: "bitcast(c) => c, where one constant op can hold it", Apply: func(w rw, op *ir.Op) bool {
		c, ok := val(op, 0)
		t := op.Result(0).Type
		if !ok || t.IsVector() && !splat(t, c) {
			return false
		}
		return toConst(w, op, c)
	}},
	{Name: "trunc-bitcast", Root: pisa.Trunc, Doc: "trunc(bitcast(v)) => extract.0(v), where the widths are the element's", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.Bitcast)
		if in == nil || !in.Operand(0).Type.IsVector() || in.Operand(0).Type.Elem() != op.Result(0).Type {
			return false
		}
		return toOp(w, op, pisa.Extract, elemProps(op.Result(0).Type, 0, 1), in.Operand(0))
	}},
}

// fromTo composes the Props of a conversion from inner's source to outer's
// result.
func fromTo(inner, outer *ir.Op) uint64 {
	return pisa.FFrom.Set(outer.Props, pisa.FFrom.Get(inner.Props))
}

// extendExtend merges two conversions of one kind.
func extendExtend(w rw, op *ir.Op) bool {
	in := def(op, 0, op.Code)
	return in != nil && toOp(w, op, op.Code, fromTo(in, op), in.Operand(0))
}

// truncExtend undoes an extension as far as the truncation goes.
func truncExtend(w rw, op *ir.Op) bool {
	in := def(op, 0, pisa.ZExt)
	if in == nil {
		in = def(op, 0, pisa.SExt)
	}
	if in == nil {
		return false
	}
	switch src, dst := in.Operand(0).Type.ElemBits(), op.Result(0).Type.ElemBits(); {
	case src == dst:
		return to(w, op, in.Operand(0))
	case src > dst:
		return toOp(w, op, pisa.Trunc, fromTo(in, op), in.Operand(0))
	}
	return toOp(w, op, in.Code, fromTo(in, op), in.Operand(0))
}

// splat reports that all elements of a vector constant are equal.
func splat(t ir.Type, bits uint64) bool {
	n := t.ElemBits()
	for s := n; s < t.TotalBits(); s += n {
		if (bits>>s^bits)&onesOf(t.Elem()) != 0 {
			return false
		}
	}
	return true
}
