package machine

import "pisac/ir"

// physicalOrder is the blocks of f in layout order, which after layout is
// close enough to a topological one for the walks over the wave's own edges.
func physicalOrder(f *ir.Func) []*ir.Block {
	order := make([]*ir.Block, 0, f.NumBlocks())
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		order = append(order, b)
	}
	return order
}
