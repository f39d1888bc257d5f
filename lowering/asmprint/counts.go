package asmprint

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Counts are the registers that a kernel uses.
type Counts struct {
	VGPRs, SGPRs int // one more than the highest number
	VCC          bool
}

// CountsOf looks at what the instructions of f name, and use unsaid.
func CountsOf(t *target.Target, f *ir.Func) (c Counts) {
	value := func(v *ir.Value) {
		end := v.Reg.Index() + max(v.Type.Lanes(), 1)
		switch {
		case v.Reg == ir.NoReg:
		case v.Reg.IsV():
			c.VGPRs = max(c.VGPRs, end)
		case v.Reg == ir.RegVCC || v.Reg == ir.RegVCC+1:
			c.VCC = true
		case v.Reg < ir.RegVCC:
			c.SGPRs = max(c.SGPRs, end)
		}
	}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if !amdgpu.IsMachine(op.Code) || isSilent(op.Code) {
				continue
			}
			for i := range op.NumResults() {
				value(op.Result(i))
			}
			for i := range op.NumPlainOperands() {
				value(op.Operand(i))
			}
			if amdgpu.RowOf(op.Code).Has(amdgpu.FixedVCC) {
				c.VCC = true
			}
		}
	}
	return c
}

// Scalar is the number of scalar registers that the metadata states: those
// used and what the hardware keeps behind them.
func (c *Counts) Scalar(t *target.Target) int {
	switch {
	case t.Generation != target.GFX9:
		return c.SGPRs + 2*flag(c.VCC)
	case t.Has(target.ArchitectedScratch):
		return c.SGPRs + 6
	}
	return c.SGPRs + 4 // vcc and the mask of replayed accesses
}
