package canon

import (
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// The rules of floats are few on purpose. x + 0 is not x for -0, x * 1 is not
// x for a signalling NaN, x - y is not -(y - x) for equal operands, and a
// product and a sum are rounded twice where fmad rounds once.
var float = table{
	{Name: "fmul-one", Root: pisa.FMul, Doc: "x * 1.0 => x, where x is no signalling NaN and nothing is flushed or clamped", Apply: func(w rw, op *ir.Op) bool {
		if has(op, pisa.FFull) || has(op, pisa.FFtz) || has(op, pisa.FDsat) || !isFloat(op, 1, func(f fp.Format) uint64 { return f.One() }) || !arithmetic(op, 0) {
			return false
		}
		return to(w, op, op.Operand(0))
	}},
	{Name: "fadd-minus-zero", Root: pisa.FAdd, Doc: "x + -0.0 => x, likewise, but for .rd, where +0 would change", Apply: func(w rw, op *ir.Op) bool {
		if has(op, pisa.FFtz) || has(op, pisa.FDsat) || pisa.RoundOf(op.Props) == pisa.RD || !isFloat(op, 1, fp.Format.SignBit) || !arithmetic(op, 0) {
			return false
		}
		return to(w, op, op.Operand(0))
	}},
	{Name: "fsub-zero", Root: pisa.FSub, Doc: "x - 0.0 => x, likewise", Apply: func(w rw, op *ir.Op) bool {
		if has(op, pisa.FFtz) || has(op, pisa.FDsat) || pisa.RoundOf(op.Props) == pisa.RD || !isFloat(op, 1, func(fp.Format) uint64 { return 0 }) || !arithmetic(op, 0) {
			return false
		}
		return to(w, op, op.Operand(0))
	}},
	{Name: "fdiv-power", Root: pisa.FDiv, Doc: "x / 2^k => x * 2^-k: both are x scaled exactly and rounded once", Apply: func(w rw, op *ir.Op) bool {
		if has(op, pisa.FFast) {
			return false
		}
		f := pisa.TypeOf(op.Props).Format()
		c, ok := val(op, 1)
		if !ok {
			return false
		}
		r, ok := reciprocalOfPower(f, c)
		if !ok || !w.Commit() {
			return false
		}
		t := op.Result(0).Type
		w.Replace(op, w.Value(pisa.FMul, op.Props, t, op.Operand(0), w.Const(t, r)))
		return true
	}},
	{Name: "fneg-fneg", Root: pisa.FNeg, Doc: "-(-x) => x: the sign bit and nothing else, not under .ftz", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.FNeg)
		return in != nil && in.Props == op.Props && !has(op, pisa.FFtz) && to(w, op, in.Operand(0))
	}},
	{Name: "fabs-fabs", Root: pisa.FAbs, Doc: "|(|x|)| => |x|", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.FAbs)
		return in != nil && in.Props == op.Props && to(w, op, op.Operand(0))
	}},
	{Name: "fabs-fneg", Root: pisa.FAbs, Doc: "|-x| => |x|", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.FNeg)
		return in != nil && in.Props == op.Props && toOp(w, op, pisa.FAbs, op.Props, in.Operand(0))
	}},
	{Name: "fmin-self", Root: pisa.FMin, Doc: "min(x, x) => x, where x is no signalling NaN and nothing is flushed or clamped", Apply: floatSelf},
	{Name: "fmax-self", Root: pisa.FMax, Doc: "max(x, x) => x, likewise", Apply: floatSelf},
	{Name: "fext-fext", Root: pisa.FExt, Doc: "fext.df(fext.f(x)) => fext.df(x): both are exact", Apply: extendExtend},
}

// isFloat reports that operand i is the constant that of gives in every
// element.
func isFloat(op *ir.Op, i int, of func(fp.Format) uint64) bool {
	t := pisa.TypeOf(op.Props)
	c := of(t.Format())
	if t.Packed() {
		c |= c << 16
	}
	return isVal(op, i, c)
}

// arithmetic reports that operand i comes from float arithmetic of the op's
// type, so that it is no signalling NaN.
func arithmetic(op *ir.Op, i int) bool {
	in := op.Operand(i).Op()
	if in == nil {
		return false
	}
	switch in.Code {
	case pisa.FAdd, pisa.FSub, pisa.FMul, pisa.FMad, pisa.FDiv, pisa.FSqrt, pisa.FMin, pisa.FMax, pisa.FAbs, pisa.FRcp, pisa.FRsqrt,
		pisa.FSin, pisa.FCos, pisa.FExp2, pisa.FLog2, pisa.FTanh, pisa.FRnd, pisa.FRc:
		return pisa.TypeOf(in.Props) == pisa.TypeOf(op.Props) && !has(in, pisa.FFull)
	case pisa.FExt, pisa.FTrunc, pisa.FTrunc2, pisa.I2F:
		return pisa.TypeOf(in.Props) == pisa.TypeOf(op.Props)
	}
	return false
}

func floatSelf(w rw, op *ir.Op) bool {
	if has(op, pisa.FFtz) || has(op, pisa.FDsat) || op.Operand(0) != op.Operand(1) || !arithmetic(op, 0) {
		return false
	}
	return to(w, op, op.Operand(0))
}

// reciprocalOfPower returns 1/c if c is a power of two, of either sign, whose
// reciprocal is a normal number too.
func reciprocalOfPower(f fp.Format, c uint64) (uint64, bool) {
	m := uint(f.Mantissa())
	exp := int(c &^ f.SignBit() >> m)
	if c&(1<<m-1) != 0 || exp == 0 || exp >= 2*f.Bias() {
		return 0, false
	}
	return c&f.SignBit() | uint64(2*f.Bias()-exp)<<m, true
}
