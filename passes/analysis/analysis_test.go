package analysis

import (
	"pgregory.net/rapid"

	"pisac/dialects"
	"pisac/dialects/builtin"
	"pisac/ir"
)

// graph builds a kernel whose block i ends in a branch to succs[i], two at
// most, on a condition that is not a constant.
func graph(succs [][]int) (*ir.Func, []*ir.Block) {
	f := ir.NewModule(dialects.All(), nil).NewFunc("f", ir.FuncDevice)
	f.Sig = []ir.Type{ir.Pred}
	// The entry is a block of its own, as it must not have predecessors.
	entry := f.NewBlock()
	cond := entry.AddArg(ir.Pred)
	blocks := make([]*ir.Block, len(succs))
	for i := range blocks {
		blocks[i] = f.NewBlock()
	}
	var bl ir.Builder
	bl.AtEnd(entry)
	builtin.Jump(&bl, blocks[0])
	for i, ss := range succs {
		bl.AtEnd(blocks[i])
		switch len(ss) {
		case 0:
			builtin.Ret(&bl, nil)
		case 1:
			builtin.Jump(&bl, blocks[ss[0]])
		default:
			builtin.Branch(&bl, cond, ir.Target{To: blocks[ss[0]]}, ir.Target{To: blocks[ss[1]]})
		}
	}
	return f, blocks
}

func drawGraph(t *rapid.T) [][]int {
	n := rapid.IntRange(1, 12).Draw(t, "n")
	succs := make([][]int, n)
	for i := range succs {
		succs[i] = rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 2).Draw(t, "succs")
	}
	return succs
}

// reach is which blocks paths of at least one edge lead to from block from,
// without entering blocks that avoid holds.
func reach(succs [][]int, from int, avoid func(int) bool) []bool {
	seen := make([]bool, len(succs))
	work := []int{from}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		for _, s := range succs[b] {
			if !seen[s] && !avoid(s) {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

func never(int) bool { return false }
