package asmprint

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// appendDual appends the dual-issue instruction of a pair: X, which not every
// instruction can be, comes before Y.
func appendDual(b []byte, t *target.Target, first, second *ir.Op) []byte {
	x, y := first, second
	if _, ok := amdgpu.DualName(x); !ok {
		x, y = y, x
	}
	return appendHalf(append(appendHalf(b, t, x), " :: "...), t, y)
}

func appendHalf(b []byte, t *target.Target, op *ir.Op) []byte {
	name, _ := amdgpu.DualName(op)
	p := instPrinter{t: t, op: op, r: amdgpu.RowOf(op.Code), slots: amdgpu.OperandSlots(op), b: append(b, name...)}
	p.results()
	p.operands(0, min(op.NumPlainOperands(), 2)) // the third is vcc, or the result
	return p.b
}
