package amdgpu

import (
	"slices"

	"pisac/ir"
)

// minSharedAlign is the least alignment of a .shared variable: PISA's default
// is 1, yet programs access such variables with whole registers (PISA 4.3,
// examples). It is the LLVM backend's rule too.
const minSharedAlign = 16

// LDSLayout places the .shared variables of a kernel in its local memory, the
// largest alignments first: offsets, by index into f.Vars, and the bytes that
// the descriptor states. A variable is padded to its alignment, since a load
// may be widened beyond its end. Sums stop at 2^62, which no chip has.
func LDSLayout(f *ir.Func) (offsets []uint64, total uint64) {
	offsets = make([]uint64, len(f.Vars))
	var shared []int
	for i, v := range f.Vars {
		if v.Space == ir.SpaceShared {
			shared = append(shared, i)
		}
	}
	align := func(i int) uint64 { return max(uint64(f.Vars[i].Align), minSharedAlign) }
	slices.SortStableFunc(shared, func(a, b int) int { return int(int64(align(b)) - int64(align(a))) })
	for _, i := range shared {
		a := align(i)
		total = (total + a - 1) &^ (a - 1)
		offsets[i] = total
		total = min(total+(min(f.Vars[i].Size, 1<<61)+a-1)&^(a-1), 1<<62)
	}
	return offsets, total
}

// PrivateLayout places the .private variables of a kernel in a work-item's
// scratch memory: offsets, by index into f.Vars, and the bytes they take, a
// multiple of 16. Spilled registers lie behind them. Sums stop at 2^62.
func PrivateLayout(f *ir.Func) (offsets []uint64, total uint64) {
	offsets = make([]uint64, len(f.Vars))
	for i, v := range f.Vars {
		if v.Space == ir.SpacePrivate {
			a := max(uint64(v.Align), 4)
			total = (total + a - 1) &^ (a - 1)
			offsets[i] = total
			total = min(total+min(v.Size, 1<<61), 1<<62)
		}
	}
	return offsets, (total + 15) &^ 15
}
