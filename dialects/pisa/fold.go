package pisa

import (
	"pisac/dialects/builtin"
	"pisac/ir"
)

// ConstBits returns the bits of a constant of at most 64 bits, the low element
// first: of a builtin.const, splats included, or of a bitcast of one.
func ConstBits(v *ir.Value) (bits uint64, ok bool) {
	op := v.Op()
	if op == nil || v.Type.TotalBits() > 64 {
		return 0, false
	}
	if op.Code == Bitcast {
		v = op.Operand(0)
		if op = v.Op(); op == nil {
			return 0, false
		}
	}
	if op.Code != builtin.Const {
		return 0, false
	}
	w := uint(v.Type.ElemBits())
	for i := range uint(v.Type.Lanes()) {
		bits |= op.Props << (i * w)
	}
	return bits, true
}

// MakeConst creates the constant of type t, at most 64 bits, with these bits:
// one op, or for a vector whose elements differ two (see ConstBits).
func MakeConst(bl *ir.Builder, t ir.Type, bits uint64) *ir.Value {
	if !t.IsVector() {
		return builtin.ConstInt(bl, t, bits)
	}
	w := uint(t.ElemBits())
	elem := bits & mask(w)
	for i := uint(1); i < uint(t.Lanes()); i++ {
		if bits>>(i*w)&mask(w) != elem {
			whole := builtin.ConstInt(bl, ir.Bits(t.TotalBits()), bits)
			return bl.Value(Bitcast, 0, t, whole)
		}
	}
	return builtin.ConstInt(bl, t, elem)
}

// Fold computes an op whose operands are all constants, through the same
// evaluator as the interpreter; out holds the bits of its results. It reports
// false for ops that EvalFn does not cover. It creates nothing.
func Fold(op *ir.Op, out *[2]uint64) bool {
	n := op.NumOperands()
	if n == 0 || n > 4 || op.NumResults() == 0 || op.Code < ir.BasePISA || op.Code >= NumCodes || evals[op.Code-ir.BasePISA] == nil {
		return false
	}
	var x [4]uint64
	for i := range n {
		bits, ok := ConstBits(op.Operand(i))
		if !ok {
			return false
		}
		x[i] = bits
	}
	out[0], out[1] = EvalFn(op.Code, op.Props)(x[0], x[1], x[2], x[3])
	for i := range op.NumResults() {
		out[i] &= mask(uint(op.Result(i).Type.TotalBits()))
	}
	return true
}
