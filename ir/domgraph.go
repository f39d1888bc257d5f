package ir

// GraphDom computes the dominators of a flow graph that is not a Func, or not
// one yet. Its nodes are numbered in preorder of a depth-first search from node
// 0. The zero GraphDom is ready; it reuses memory.
type GraphDom struct{ tree domTree }

// Compute returns the immediate dominator of each node, 0 for node 0. parent
// is each node's parent in the search; the predecessors of node n are
// preds[first[n]:first[n+1]], up to the end for the last node. The result is
// good until the next call.
func (d *GraphDom) Compute(parent, first, preds []int32) []int32 {
	d.tree.parent, d.tree.firstPred, d.tree.preds = parent, first, preds
	d.tree.link()
	return d.tree.idom
}
