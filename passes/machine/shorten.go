package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// Shorten gives instructions an encoding of fewer bytes where their registers
// allow it:
//
//	v_fma_f32 v0, v1, v2, v0  →  v_fmac_f32 v0, v1, v2
//
// It is the last pass to change instructions: others need not know that these
// are the same.
func Shorten(c *Ctx, f *ir.Func) {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		dual := false
		for op := b.First(); op != nil; op = op.Next() {
			if !amdgpu.Encoded(op) {
				continue
			}
			second := dual
			if dual = amdgpu.DualFirst(op); dual || second {
				continue // the pair has an encoding of its own
			}
			shortenFMA(c, op)
		}
	}
}

var accumulating = map[ir.Code]ir.Code{
	amdgpu.VFmaF32: amdgpu.VFmacF32, amdgpu.VFmaF16: amdgpu.VFmacF16, amdgpu.VFmaF64: amdgpu.VFmacF64,
}

// shortenFMA: the short encoding has the addend in the result's register, and a
// vector register for the second factor.
func shortenFMA(c *Ctx, op *ir.Op) {
	code, ok := accumulating[op.Code]
	if !ok || op.Props != 0 || amdgpu.RowOf(code).Mnemonic(c.Target) == "" ||
		op.Operand(2).Type.Class() != ir.VGPR || op.Operand(2).Reg != op.Result(0).Reg {
		return
	}
	a, b := op.Operand(0), op.Operand(1)
	if b.Type.Class() != ir.VGPR {
		if a.Type.Class() != ir.VGPR {
			return
		}
		op.SetOperand(0, b)
		op.SetOperand(1, a)
	}
	op.Code = code
}
