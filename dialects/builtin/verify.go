package builtin

import "pisac/ir"

func verifyCondBr(v *ir.Verifier, op *ir.Op) { v.OperandType(op, 0, ir.Pred) }

func verifyReturn(v *ir.Verifier, op *ir.Op) {
	want := v.Fn.Ret
	got := ir.None
	if op.NumOperands() > 0 {
		got = op.Operand(0).Type
	}
	if got != want {
		v.Errorf(op, 12, "returns %v from a function that returns %v", got, want)
	}
}

func verifyCall(v *ir.Verifier, op *ir.Op) {
	f := v.Fn.Module().Symbol(op.Aux).Func
	if f == nil || f.Kind != ir.FuncDevice {
		v.Errorf(op, 8, "the callee is not a device function")
		return
	}
	if op.NumOperands() != len(f.Sig) {
		v.Errorf(op, 11, "passes %d arguments to a function of %d parameters", op.NumOperands(), len(f.Sig))
		return
	}
	for i, t := range f.Sig {
		if got := op.Operand(i).Type; got != t {
			v.Errorf(op, 11, "argument %d is %v where the function takes %v", i, got, t)
		}
	}
	// A result that nobody wants may be left out (PISA call: void).
	if op.NumResults() == 1 && op.Result(0).Type != f.Ret {
		v.Errorf(op, 11, "the result is %v where the function returns %v", op.Result(0).Type, f.Ret)
	}
}

func verifyCallIndirect(v *ir.Verifier, op *ir.Op) { v.OperandType(op, 0, ir.B64) }

func verifyConst(v *ir.Verifier, op *ir.Op) {
	t := op.Result(0).Type
	if n := t.ElemBits(); n < 64 && op.Props>>n != 0 {
		v.Errorf(op, 7, "the value does not fit %v", t)
	}
	if op.Aux != 0 && t != ir.B128 {
		v.Errorf(op, 8, "only a 128b constant has an upper half")
	}
}

func verifyParallelCopy(v *ir.Verifier, op *ir.Op) {
	if op.NumOperands() != op.NumResults() {
		v.Errorf(op, 6, "copies %d values to %d results", op.NumOperands(), op.NumResults())
		return
	}
	for i := range op.NumResults() {
		v.ResultType(op, i, op.Operand(i).Type)
	}
}
