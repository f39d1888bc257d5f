package llvmgen

import (
	"github.com/llir/llvm/ir/value"

	"pisac/ir"
	"pisac/lowering/llvmgen/llx"
)

// callArgs are the values of the operands of op from i on.
func (e *emitter) callArgs(op *ir.Op, i int) []value.Value {
	args := make([]value.Value, 0, op.NumOperands()-i)
	for ; i < op.NumOperands(); i++ {
		args = append(args, e.arg(op, i))
	}
	return args
}

// lowerCall calls a function of the module (PISA 6.1).
func lowerCall(e *emitter, op *ir.Op) {
	v := e.Call(e.funcs[op.Aux], e.callArgs(op, 0))
	if op.NumResults() > 0 {
		e.set(op, 0, v)
	}
}

// lowerCallIndirect calls through a code address, which may differ between
// work-items: LLVM loops over the distinct addresses of the wave. The call is
// convergent whatever it reaches, as every function here is.
func lowerCallIndirect(e *emitter, op *ir.Op) {
	ret := llType(ir.None)
	if op.NumResults() > 0 {
		ret = llType(op.Result(0).Type)
	}
	v := e.CallPtr(ret, e.pointer(op.Operand(0), llx.ASFlat), e.callArgs(op, 1), "convergent", "nounwind")
	if op.NumResults() > 0 {
		e.set(op, 0, v)
	}
}
