package codeobject

import (
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Hidden is a set of implicit arguments: bit i is row i of HiddenArgs.
type Hidden uint32

// HiddenArg is an implicit argument that the runtime writes behind a kernel's
// own (AMDGPUUsage, "Code Object V5 Metadata").
type HiddenArg struct {
	Kind   string // value_kind
	Offset int    // from the first
	Size   int
}

// Offsets from the first implicit argument; those with dimensions are of x.
const (
	HiddenBlockCount   = 0  // u32 each: complete work-groups
	HiddenGroupSize    = 12 // u16 each
	HiddenRemainder    = 18 // u16 each: work-items of the incomplete work-group
	HiddenGlobalOffset = 40 // u64 each
	HiddenGridDims     = 64 // u16
	HiddenPrintfBuffer = 72 // pointer
)

// HiddenArgs are those that PISA's special registers come from.
var HiddenArgs = []HiddenArg{
	{"hidden_block_count_x", HiddenBlockCount, 4}, {"hidden_block_count_y", HiddenBlockCount + 4, 4}, {"hidden_block_count_z", HiddenBlockCount + 8, 4},
	{"hidden_group_size_x", HiddenGroupSize, 2}, {"hidden_group_size_y", HiddenGroupSize + 2, 2}, {"hidden_group_size_z", HiddenGroupSize + 4, 2},
	{"hidden_remainder_x", HiddenRemainder, 2}, {"hidden_remainder_y", HiddenRemainder + 2, 2}, {"hidden_remainder_z", HiddenRemainder + 4, 2},
	{"hidden_global_offset_x", HiddenGlobalOffset, 8}, {"hidden_global_offset_y", HiddenGlobalOffset + 8, 8}, {"hidden_global_offset_z", HiddenGlobalOffset + 16, 8},
	{"hidden_grid_dims", HiddenGridDims, 2}, {"hidden_printf_buffer", HiddenPrintfBuffer, 8},
}

// HiddenBytes is what the runtime allocates for the implicit arguments if a
// kernel uses one.
const HiddenBytes = 256

// First rows of each kind.
const (
	blockCount   = 0
	groupSize    = 3
	remainder    = 6
	globalOffset = 9
	gridDims     = 12
	printfBuffer = 13
)

// hiddenOf are the arguments that special registers are made of: first rows.
var hiddenOf = map[pisa.SReg][]int{
	pisa.SEnqueuedLocalSize: {groupSize},
	pisa.SLocalSize:         {blockCount, groupSize, remainder},
	pisa.SGlobalSize:        {blockCount, groupSize, remainder},
	pisa.SGroupCount:        {blockCount, remainder},
	pisa.SGlobalOffset:      {globalOffset},
	pisa.SWorkDim:           {gridDims},
	pisa.SPrintfBuffer:      {printfBuffer},
}

// Uses is what a kernel of the pisa dialect takes from its launch.
type Uses struct {
	Hidden Hidden
	// Items is the last dimension of which it reads the work-item id.
	Items int
}

// UsesOf scans a kernel whose calls are inlined. A required work-group size is
// known without the argument.
func UsesOf(f *ir.Func) (u Uses) {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code != pisa.ReadSReg {
				continue
			}
			r := pisa.SReg(pisa.OpOf(op.Props))
			lo, hi := pisa.IndexOf(op.Props)-1, pisa.IndexOf(op.Props)
			if lo < 0 {
				lo, hi = 0, 3
			}
			if r == pisa.SLocalID {
				u.Items = max(u.Items, hi-1)
			}
			for _, first := range hiddenOf[r] {
				if first == groupSize && f.ReqdWorkGroupSize != [3]uint32{} {
					continue
				}
				if first >= gridDims {
					u.Hidden |= 1 << first
					continue
				}
				for c := lo; c < hi; c++ {
					u.Hidden |= 1 << (first + c)
				}
			}
		}
	}
	return u
}
