package codeobject

import (
	"fmt"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// maxArgBytes keeps the argument block, hidden arguments included, within the
// 32 bits in which a kernel descriptor states its size.
const maxArgBytes = 1<<31 - 1<<12

// CheckKernel refuses kernels that no launch fits: too many bytes of
// parameters, a work-group that the chip cannot have.
func CheckKernel(t *target.Target, f *ir.Func, diags *ir.Diags) bool {
	errors := diags.Errors()
	if _, size := amdgpu.ParamOffsets(f.Params); size > maxArgBytes {
		diags.Error(f.Loc, 0, CodeArgSize, fmt.Sprintf("the parameters of @%s take %d bytes; the argument block of a launch has at most %d", f.Name, size, maxArgBytes))
	}
	if r := f.ReqdWorkGroupSize; r != [3]uint32{} {
		n := uint64(r[0]) * uint64(r[1]) * uint64(r[2])
		if r[0] > 1024 || r[1] > 1024 || r[2] > 1024 || n == 0 || n > uint64(t.MaxGroup) {
			diags.Error(f.Loc, 0, CodeGroupSize, fmt.Sprintf(
				"a work-group of %d×%d×%d work-items is impossible on %s, which allows 1 to %d", r[0], r[1], r[2], t.Name, t.MaxGroup))
		}
	}
	return diags.Errors() == errors
}

// MaxGroup is how many work-items a work-group of f has at most.
func MaxGroup(t *target.Target, f *ir.Func) int {
	if r := f.ReqdWorkGroupSize; r != [3]uint32{} {
		return int(r[0] * r[1] * r[2])
	}
	return t.MaxGroup
}

// MinVarAlign is the least alignment of a variable. PISA's default is 1, yet
// programs access such variables with whole registers (PISA 4.3, examples).
const MinVarAlign = 16

// VarAlign is the alignment of v in memory.
func VarAlign(v *ir.Var) int { return max(int(v.Align), MinVarAlign) }
