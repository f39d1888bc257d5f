package builtin

import "pisac/ir"

// ConstInt creates the constant v of type t, 8b to 128b (zero-extended) or
// pred, or v in every element of a vector. Bits above the element's width are
// dropped.
func ConstInt(bl *ir.Builder, t ir.Type, v uint64) *ir.Value {
	if n := t.ElemBits(); n < 64 {
		v &= 1<<n - 1
	}
	return bl.Value(Const, v, t)
}

// ConstWide creates a 128-bit constant.
func ConstWide(bl *ir.Builder, lo, hi uint64) *ir.Value {
	return bl.ValueAux(Const, lo, bl.Func().Module().InternWide(hi), ir.B128)
}

// ConstPred creates a constant predicate.
func ConstPred(bl *ir.Builder, v bool) *ir.Value {
	if v {
		return bl.Value(Const, 1, ir.Pred)
	}
	return bl.Value(Const, 0, ir.Pred)
}

// IsConst reports whether v is a constant, and its low 64 bits; those of each
// element if v is a vector.
func IsConst(v *ir.Value) (lo uint64, ok bool) {
	if o := v.Op(); o != nil && o.Code == Const {
		return o.Props, true
	}
	return 0, false
}

// Jump creates a branch to b.
func Jump(bl *ir.Builder, b *ir.Block, args ...*ir.Value) *ir.Op {
	return bl.Branch(Br, 0, nil, ir.Target{To: b, Args: args})
}

// Branch creates a conditional branch: to yes where cond is true.
func Branch(bl *ir.Builder, cond *ir.Value, yes, no ir.Target) *ir.Op {
	return bl.Branch(CondBr, 0, []*ir.Value{cond}, yes, no)
}

// Ret creates a return; v is nil in a function without result.
func Ret(bl *ir.Builder, v *ir.Value) *ir.Op {
	if v == nil {
		return bl.Op(Return, 0)
	}
	return bl.Op(Return, 0, v)
}

// CallFunc creates a call of f; the result is nil if f returns nothing.
func CallFunc(bl *ir.Builder, f *ir.Func, args ...*ir.Value) *ir.Value {
	if f.Ret == ir.None {
		bl.OpAux(Call, 0, f.Symbol(), args...)
		return nil
	}
	return bl.ValueAux(Call, 0, f.Symbol(), f.Ret, args...)
}

// CallPtr creates a call through fp, a 64-bit code address, of a function
// that returns ret; the result is nil if ret is None.
func CallPtr(bl *ir.Builder, fp *ir.Value, ret ir.Type, args ...*ir.Value) *ir.Value {
	operands := append([]*ir.Value{fp}, args...)
	if ret == ir.None {
		bl.Op(CallIndirect, 0, operands...)
		return nil
	}
	return bl.Value(CallIndirect, 0, ret, operands...)
}
