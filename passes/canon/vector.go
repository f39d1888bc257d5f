package canon

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

var vector = table{
	{Name: "extract-insert", Root: pisa.Extract, Doc: "extract.i(insert.i(v, x)) => x; extract.i(insert.k(v, x)) => extract.i(v) if apart; extract of a part of x", Apply: extractInsert},
	{Name: "extract-extract", Root: pisa.Extract, Doc: "extract.i(extract.k.vn(v)) => extract.(i+k)(v)", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.Extract)
		if in == nil {
			return false
		}
		return toOp(w, op, pisa.Extract, pisa.FIndex.Set(op.Props, uint64(index(op)+index(in))), in.Operand(0))
	}},
	{Name: "extract-whole", Root: pisa.Extract, Doc: "extract.0.vn(v) => v, for all n elements", Apply: func(w rw, op *ir.Op) bool {
		return op.Operand(0).Type == op.Result(0).Type && to(w, op, op.Operand(0))
	}},
	{Name: "extract-constant", Root: pisa.Extract, Doc: "extract.i(splat c) => c", Apply: func(w rw, op *ir.Op) bool {
		c, ok := splatOf(op.Operand(0))
		if !ok || op.Result(0).Type.TotalBits() > 64 {
			return false
		}
		t := op.Result(0).Type
		all := uint64(0)
		for s := 0; s < t.TotalBits(); s += t.ElemBits() {
			all |= c << s
		}
		return toConst(w, op, all)
	}},
	{Name: "insert-extract", Root: pisa.Insert, Doc: "insert.i(v, extract.i(v)) => v", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 1, pisa.Extract)
		return in != nil && in.Operand(0) == op.Operand(0) && index(in) == index(op) && to(w, op, op.Operand(0))
	}},
	{Name: "insert-insert", Root: pisa.Insert, Doc: "insert.i(insert.k(v, x), y) => insert.i(v, y), where y covers x", Apply: func(w rw, op *ir.Op) bool {
		in := once(op, 0, pisa.Insert)
		if in == nil || index(in) < index(op) || index(in)+count(in) > index(op)+count(op) || !w.Commit() {
			return false
		}
		w.SetOperand(op, 0, in.Operand(0))
		return true
	}},
	{Name: "insert-whole", Root: pisa.Insert, Doc: "insert.0.vn(v, x) => x, for all n elements", Apply: func(w rw, op *ir.Op) bool {
		return op.Operand(1).Type == op.Result(0).Type && to(w, op, op.Operand(1))
	}},
	{Name: "extract-dynamic-constant", Root: pisa.ExtractDynamic, Doc: "extract.dynamic(v, i) => extract.i(v), for i in range", Apply: func(w rw, op *ir.Op) bool {
		i, ok := val(op, 1)
		if !ok || i >= uint64(op.Operand(0).Type.Lanes()) {
			return false
		}
		return toOp(w, op, pisa.Extract, elemProps(ir.B32, int(i), 1), op.Operand(0))
	}},
	{Name: "insert-dynamic-constant", Root: pisa.InsertDynamic, Doc: "insert.dynamic(v, x, i) => insert.i(v, x), for i in range", Apply: func(w rw, op *ir.Op) bool {
		i, ok := val(op, 2)
		if !ok || i >= uint64(op.Operand(0).Type.Lanes()) {
			return false
		}
		return toOp(w, op, pisa.Insert, elemProps(ir.B32, int(i), 1), op.Operand(0), op.Operand(1))
	}},
	{Name: "extract-bitcast", Root: pisa.Extract, Doc: "extract.0(bitcast(x)) => trunc(x), of a scalar x", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.Bitcast)
		if in == nil || index(op) != 0 {
			return false
		}
		from, dst := in.Operand(0).Type, op.Result(0).Type
		src, res := pisa.PlainType(from), pisa.PlainType(dst)
		if src == pisa.NoType || res == pisa.NoType || from.TotalBits() > 64 {
			return false
		}
		return toOp(w, op, pisa.Trunc, typed(res)|pisa.FFrom.Put(uint64(src)), in.Operand(0))
	}},
}

// splatOf returns the element of a vector constant.
func splatOf(v *ir.Value) (uint64, bool) {
	if !v.Type.IsVector() {
		return 0, false
	}
	return builtin.IsConst(v)
}

func index(op *ir.Op) int { return pisa.IndexOf(op.Props) }

func count(op *ir.Op) int { return pisa.LanesOf(op.Props) }

// elemProps is the Props of an extract or insert of n elements of type t.
func elemProps(t ir.Type, index, n int) uint64 {
	code, _ := pisa.VecCode(n)
	return typed(pisa.PlainType(t.Elem())) | pisa.FIndex.Put(uint64(index)) | pisa.FVec.Put(code)
}

func extractInsert(w rw, op *ir.Op) bool {
	in := def(op, 0, pisa.Insert)
	if in == nil {
		return false
	}
	i, n, k, m := index(op), count(op), index(in), count(in)
	switch {
	case i >= k+m || i+n <= k:
		return toOp(w, op, pisa.Extract, op.Props, in.Operand(0))
	case i == k && n == m:
		return to(w, op, in.Operand(1))
	case i >= k && i+n <= k+m:
		return toOp(w, op, pisa.Extract, pisa.FIndex.Set(op.Props, uint64(i-k)), in.Operand(1))
	}
	return false
}
