package llvmgen

import (
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/llvmgen/llx"
)

var vectorRows = []lowering{
	pisa.Extract:        lowerExtract,
	pisa.ExtractDynamic: lowerExtractDynamic,
	pisa.Insert:         lowerInsert,
	pisa.InsertDynamic:  lowerInsertDynamic,
	pisa.Bitcast:        func(e *emitter, op *ir.Op) { e.set(op, 0, e.Bitcast(e.arg(op, 0), llType(op.Result(0).Type))) },
}

// lowerExtract takes an element or a sub-vector at a constant index (PISA 4.4).
func lowerExtract(e *emitter, op *ir.Op) {
	v, at, n := e.arg(op, 0), pisa.IndexOf(op.Props), op.Result(0).Type.Lanes()
	if n == 1 {
		e.set(op, 0, e.Extract(v, at))
		return
	}
	mask := make([]int, n)
	for i := range mask {
		mask[i] = at + i
	}
	e.set(op, 0, e.Shuffle(v, llx.Poison(v.Type()), mask...))
}

// lowerInsert replaces an element or a sub-vector (PISA 4.12).
func lowerInsert(e *emitter, op *ir.Op) {
	v, x, at := e.arg(op, 0), e.arg(op, 1), pisa.IndexOf(op.Props)
	n := op.Operand(1).Type.Lanes()
	if n == 1 {
		e.set(op, 0, e.Insert(v, x, at))
		return
	}
	// Two shuffles, since both operands of one must be equally long.
	total := op.Operand(0).Type.Lanes()
	widen, pick := make([]int, total), make([]int, total)
	for i := range total {
		widen[i], pick[i] = -1, i
		if i < n {
			widen[i] = i
		}
		if i >= at && i < at+n {
			pick[i] = total + i - at
		}
	}
	w := e.Shuffle(x, llx.Poison(x.Type()), widen...)
	e.set(op, 0, e.Shuffle(v, w, pick...))
}

func lowerExtractDynamic(e *emitter, op *ir.Op) {
	e.set(op, 0, e.ExtractElement(e.arg(op, 0), e.arg(op, 1)))
}

func lowerInsertDynamic(e *emitter, op *ir.Op) {
	e.set(op, 0, e.InsertElement(e.arg(op, 0), e.arg(op, 1), e.arg(op, 2)))
}
