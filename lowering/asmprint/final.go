package asmprint

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/ir"
)

// Final reports an op of f that has no text: pseudo instructions, values
// without registers, what the chip cannot encode; nil if there is none. The
// machine passes leave none, but textual IR may hold any.
func Final(t *target.Target, f *ir.Func) (op *ir.Op, why string) {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code == builtin.Const {
				continue
			}
			if why := notFinal(t, op); why != "" {
				return op, why
			}
		}
	}
	return nil, ""
}

func notFinal(t *target.Target, op *ir.Op) string {
	if !amdgpu.IsMachine(op.Code) {
		return "it is no machine instruction"
	}
	switch r := amdgpu.RowOf(op.Code); {
	case op.Code == amdgpu.TFall && op.Succ(0).To() != op.Block().Next():
		return "what it falls through to is not the next block"
	case isSilent(op.Code) || op.Code == amdgpu.PSymaddr:
	case r.Family == amdgpu.Pseudo:
		return "it is a pseudo instruction"
	case r.VALU() && amdgpu.FRound.Get(op.Props)|amdgpu.FFlush.Get(op.Props) != 0:
		return "the mode that it asks for is not set"
	}
	for i := range op.NumResults() {
		if op.Result(i).Reg == ir.NoReg {
			return "a result has no register"
		}
	}
	for i := range op.NumPlainOperands() {
		if v := op.Operand(i); v.Type.Class() != ir.NoClass && v.Reg == ir.NoReg {
			return "an operand has no register"
		}
	}
	return amdgpu.CheckOp(t, op)
}
