package canon

import (
	"math/bits"

	"pisac/dialects/pisa"
	"pisac/ir"
)

var integer = table{
	{Name: "add-zero", Root: pisa.IAdd, Doc: "x + 0 => x, also saturating", Apply: func(w rw, op *ir.Op) bool {
		return isVal(op, 1, 0) && to(w, op, op.Operand(0))
	}},
	{Name: "add-add", Root: pisa.IAdd, Doc: "(x + c) + d => x + (c + d)", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.IAdd)
		if in == nil || has(op, pisa.FDsat) || has(in, pisa.FDsat) || in.Props != op.Props {
			return false
		}
		c, ok := val(in, 1)
		d, ok2 := val(op, 1)
		if !ok || !ok2 || !w.Commit() {
			return false
		}
		sum, _ := pisa.EvalFn(pisa.IAdd, op.Props)(c, d, 0, 0)
		w.Replace(op, w.Value(pisa.IAdd, op.Props, op.Result(0).Type, in.Operand(0), w.Const(op.Result(0).Type, sum)))
		return true
	}},
	{Name: "add-neg", Root: pisa.IAdd, Doc: "x + -y => x - y", Apply: func(w rw, op *ir.Op) bool {
		in := once(op, 1, pisa.INeg)
		return in != nil && scalar(op) && !has(op, pisa.FDsat) && toOp(w, op, pisa.ISub, op.Props, op.Operand(0), in.Operand(0))
	}},
	{Name: "add-mul", Root: pisa.IAdd, Doc: "x * y + z => mad(x, y, z)", Apply: func(w rw, op *ir.Op) bool {
		for i := range 2 {
			in := once(op, i, pisa.UMul)
			if in != nil && scalar(op) && !has(op, pisa.FDsat) && in.Props == op.Props {
				return toOp(w, op, pisa.UMad, op.Props, in.Operand(0), in.Operand(1), op.Operand(1-i))
			}
		}
		return false
	}},
	{Name: "sub-zero", Root: pisa.ISub, Doc: "x - 0 => x, also saturating", Apply: func(w rw, op *ir.Op) bool {
		return isVal(op, 1, 0) && to(w, op, op.Operand(0))
	}},
	{Name: "sub-self", Root: pisa.ISub, Doc: "x - x => 0, also saturating", Apply: func(w rw, op *ir.Op) bool {
		return op.Operand(0) == op.Operand(1) && toConst(w, op, 0)
	}},
	{Name: "sub-constant", Root: pisa.ISub, Doc: "x - c => x + -c", Apply: func(w rw, op *ir.Op) bool {
		c, ok := val(op, 1)
		if !ok || has(op, pisa.FDsat) || !w.Commit() {
			return false
		}
		neg, _ := pisa.EvalFn(pisa.ISub, op.Props)(0, c, 0, 0)
		t := op.Result(0).Type
		w.Replace(op, w.Value(pisa.IAdd, op.Props, t, op.Operand(0), w.Const(t, neg)))
		return true
	}},
	{Name: "sub-from-zero", Root: pisa.ISub, Doc: "0 - x => -x", Apply: func(w rw, op *ir.Op) bool {
		return isVal(op, 0, 0) && scalar(op) && !has(op, pisa.FDsat) && toOp(w, op, pisa.INeg, op.Props, op.Operand(1))
	}},
	{Name: "sub-neg", Root: pisa.ISub, Doc: "x - -y => x + y", Apply: func(w rw, op *ir.Op) bool {
		in := once(op, 1, pisa.INeg)
		return in != nil && scalar(op) && !has(op, pisa.FDsat) && toOp(w, op, pisa.IAdd, op.Props, op.Operand(0), in.Operand(0))
	}},
	{Name: "neg-neg", Root: pisa.INeg, Doc: "-(-x) => x", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.INeg)
		return in != nil && to(w, op, in.Operand(0))
	}},
	{Name: "neg-sub", Root: pisa.INeg, Doc: "-(x - y) => y - x", Apply: func(w rw, op *ir.Op) bool {
		in := once(op, 0, pisa.ISub)
		return in != nil && in.Props == op.Props && toOp(w, op, pisa.ISub, op.Props, in.Operand(1), in.Operand(0))
	}},
	{Name: "abs-abs", Root: pisa.IAbs, Doc: "|(|x|)| => |x|", Apply: func(w rw, op *ir.Op) bool {
		return def(op, 0, pisa.IAbs) != nil && to(w, op, op.Operand(0))
	}},
	{Name: "abs-neg", Root: pisa.IAbs, Doc: "|-x| => |x|", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.INeg)
		return in != nil && toOp(w, op, pisa.IAbs, op.Props, in.Operand(0))
	}},

	{Name: "smul-umul", Root: pisa.SMul, Doc: "the low half of a product has no sign: smul => umul", Apply: func(w rw, op *ir.Op) bool {
		return scalar(op) && !has(op, pisa.FFull) && toOp(w, op, pisa.UMul, op.Props, op.Operand(0), op.Operand(1))
	}},
	{Name: "smad-umad", Root: pisa.SMad, Doc: "smad => umad unless .full or packed", Apply: func(w rw, op *ir.Op) bool {
		return scalar(op) && !has(op, pisa.FFull) && toOp(w, op, pisa.UMad, op.Props, op.Operand(0), op.Operand(1), op.Operand(2))
	}},
	{Name: "mul-zero", Root: pisa.UMul, Doc: "x * 0 => 0, also .full", Apply: func(w rw, op *ir.Op) bool {
		return isVal(op, 1, 0) && toConst(w, op, 0)
	}},
	{Name: "smul-zero", Root: pisa.SMul, Doc: "x * 0 => 0, also .full and packed", Apply: func(w rw, op *ir.Op) bool {
		return isVal(op, 1, 0) && toConst(w, op, 0)
	}},
	{Name: "mul-one", Root: pisa.UMul, Doc: "x * 1 => x", Apply: func(w rw, op *ir.Op) bool {
		return isVal(op, 1, 1) && !has(op, pisa.FFull) && to(w, op, op.Operand(0))
	}},
	{Name: "mul-minus-one", Root: pisa.UMul, Doc: "x * -1 => -x", Apply: func(w rw, op *ir.Op) bool {
		return !has(op, pisa.FFull) && isVal(op, 1, ones(op)) && toOp(w, op, pisa.INeg, op.Props, op.Operand(0))
	}},
	{Name: "mul-power", Root: pisa.UMul, Doc: "x * 2^k => x << k", Apply: func(w rw, op *ir.Op) bool {
		c, ok := val(op, 1)
		if !ok || has(op, pisa.FFull) || bits.OnesCount64(c) != 1 || c == 1 || !w.Commit() {
			return false
		}
		k := w.Const(ir.B32, uint64(bits.TrailingZeros64(c)))
		w.Replace(op, w.Value(pisa.Shl, op.Props, op.Result(0).Type, op.Operand(0), k))
		return true
	}},
	{Name: "mad-zero-factor", Root: pisa.UMad, Doc: "x * 0 + y => y", Apply: func(w rw, op *ir.Op) bool {
		return isVal(op, 1, 0) && to(w, op, op.Operand(2))
	}},
	{Name: "mad-one", Root: pisa.UMad, Doc: "x * 1 + y => x + y", Apply: func(w rw, op *ir.Op) bool {
		return isVal(op, 1, 1) && !has(op, pisa.FFull) && toOp(w, op, pisa.IAdd, op.Props, op.Operand(0), op.Operand(2))
	}},
	{Name: "mad-zero-addend", Root: pisa.UMad, Doc: "x * y + 0 => x * y", Apply: func(w rw, op *ir.Op) bool {
		return isVal(op, 2, 0) && toOp(w, op, pisa.UMul, op.Props, op.Operand(0), op.Operand(1))
	}},
	{Name: "smad-zero-addend", Root: pisa.SMad, Doc: "x * y + 0 => x * y, .full", Apply: func(w rw, op *ir.Op) bool {
		return isVal(op, 2, 0) && toOp(w, op, pisa.SMul, op.Props, op.Operand(0), op.Operand(1))
	}},

	{Name: "udiv-power", Root: pisa.UDiv, Doc: "x / 2^k => x >> k; x % 2^k => x & (2^k - 1)", Apply: func(w rw, op *ir.Op) bool {
		c, ok := val(op, 1)
		if !ok || bits.OnesCount64(c) != 1 || !w.Commit() {
			return false
		}
		t, p := op.Result(0).Type, typed(pisa.TypeOf(op.Props))
		if pisa.OpOf(op.Props) == pisa.OutRem {
			w.Replace(op, w.Value(pisa.And, p, t, op.Operand(0), w.Const(t, c-1)))
		} else {
			w.Replace(op, w.Value(pisa.Shr, p, t, op.Operand(0), w.Const(ir.B32, uint64(bits.TrailingZeros64(c)))))
		}
		return true
	}},
	{Name: "sdiv-one", Root: pisa.SDiv, Doc: "x / 1 => x; x % 1 => 0", Apply: func(w rw, op *ir.Op) bool {
		if !isVal(op, 1, 1) {
			return false
		}
		if pisa.OpOf(op.Props) == pisa.OutRem {
			return toConst(w, op, 0)
		}
		return to(w, op, op.Operand(0))
	}},
	{Name: "sdiv-minus-one", Root: pisa.SDiv, Doc: "x / -1 => -x; x % -1 => 0", Apply: func(w rw, op *ir.Op) bool {
		if !isVal(op, 1, ones(op)) {
			return false
		}
		if pisa.OpOf(op.Props) == pisa.OutRem {
			return toConst(w, op, 0)
		}
		return toOp(w, op, pisa.INeg, typed(pisa.TypeOf(op.Props)), op.Operand(0))
	}},

	{Name: "umin-self", Root: pisa.UMin, Doc: "min(x, x) => x", Apply: same},
	{Name: "umax-self", Root: pisa.UMax, Doc: "max(x, x) => x", Apply: same},
	{Name: "smin-self", Root: pisa.SMin, Doc: "min(x, x) => x", Apply: same},
	{Name: "smax-self", Root: pisa.SMax, Doc: "max(x, x) => x", Apply: same},
	{Name: "umin-ends", Root: pisa.UMin, Doc: "min(x, 0) => 0; min(x, ~0) => x", Apply: func(w rw, op *ir.Op) bool { return ends(w, op, 0, ones(op)) }},
	{Name: "umax-ends", Root: pisa.UMax, Doc: "max(x, ~0) => ~0; max(x, 0) => x", Apply: func(w rw, op *ir.Op) bool { return ends(w, op, ones(op), 0) }},
	{Name: "smin-ends", Root: pisa.SMin, Doc: "min(x, MIN) => MIN; min(x, MAX) => x", Apply: func(w rw, op *ir.Op) bool {
		return scalar(op) && ends(w, op, ones(op)>>1+1, ones(op)>>1)
	}},
	{Name: "smax-ends", Root: pisa.SMax, Doc: "max(x, MAX) => MAX; max(x, MIN) => x", Apply: func(w rw, op *ir.Op) bool {
		return scalar(op) && ends(w, op, ones(op)>>1, ones(op)>>1+1)
	}},
}

// same replaces an idempotent op of equal operands by the operand.
func same(w rw, op *ir.Op) bool {
	return op.Operand(0) == op.Operand(1) && to(w, op, op.Operand(0))
}

// ends replaces an op whose second operand is its absorbing or its neutral
// element.
func ends(w rw, op *ir.Op, absorbing, neutral uint64) bool {
	switch c, ok := val(op, 1); {
	case !ok:
		return false
	case c == absorbing:
		return toConst(w, op, absorbing)
	case c == neutral:
		return to(w, op, op.Operand(0))
	}
	return false
}
