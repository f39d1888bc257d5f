package ir

import "slices"

// Dom is the dominator tree of a function's reachable blocks, and their
// reverse postorder. The zero Dom is ready for Compute, which reuses memory.
type Dom struct {
	number []int32  // by Block.ID: preorder number, -1 if unreachable
	order  []*Block // by number
	rpo    []*Block
	tree   domTree
	stack  []domFrame
}

type domFrame struct {
	block *Block
	succ  int
}

// Compute makes d the tree of f as it is now.
func (d *Dom) Compute(f *Func) {
	d.search(f)
	d.tree.firstPred = d.tree.firstPred[:0]
	for _, b := range d.order {
		d.tree.nextNode()
		for e := b.firstPred; e != nil; e = e.next {
			if v := d.number[e.op.block.ID]; v >= 0 {
				d.tree.pred(v)
			}
		}
	}
	d.tree.link()
	d.tree.intervals()
}

// search numbers the reachable blocks in preorder.
func (d *Dom) search(f *Func) {
	d.number = filled(d.number, f.NumBlockIDs(), -1)
	d.order, d.rpo = d.order[:0], d.rpo[:0]
	d.tree.reset()
	if f.first == nil {
		return
	}
	d.visit(f.first, -1)
	for len(d.stack) > 0 {
		top := &d.stack[len(d.stack)-1]
		if top.succ == top.block.NumSuccs() {
			d.rpo = append(d.rpo, top.block)
			d.stack = d.stack[:len(d.stack)-1]
			continue
		}
		// The last successor first: a reverse postorder then has a branch's
		// first target first.
		to := top.block.Succ(top.block.NumSuccs() - 1 - top.succ)
		top.succ++
		if d.number[to.ID] < 0 {
			d.visit(to, d.number[top.block.ID])
		}
	}
	slices.Reverse(d.rpo)
}

func (d *Dom) visit(b *Block, parent int32) {
	d.number[b.ID] = int32(len(d.order))
	d.order = append(d.order, b)
	d.tree.parent = append(d.tree.parent, parent)
	d.stack = append(d.stack, domFrame{block: b})
}

// Reachable reports whether a path leads from the entry to b.
func (d *Dom) Reachable(b *Block) bool { return d.number[b.ID] >= 0 }

// RPO returns the reachable blocks in reverse postorder; not to be changed.
func (d *Dom) RPO() []*Block { return d.rpo }

// Idom returns the immediate dominator of b; nil for the entry and for
// unreachable blocks.
func (d *Dom) Idom(b *Block) *Block {
	n := d.number[b.ID]
	if n <= 0 {
		return nil
	}
	return d.order[d.tree.idom[n]]
}

// Dominates reports whether every path from the entry to b passes through a.
// A block dominates itself; an unreachable b is dominated by every block.
func (d *Dom) Dominates(a, b *Block) bool {
	n, m := d.number[a.ID], d.number[b.ID]
	if m < 0 {
		return true
	}
	return n >= 0 && d.tree.covers(n, m)
}

// domTree is the dominator tree of a flow graph whose nodes are numbered in
// preorder of a depth-first search from node 0.
//
// The algorithm is Lengauer and Tarjan's with path compression, O(edges · log
// nodes) whatever the graph: iterating over intersections, the shorter
// algorithm, is quadratic on a long chain of blocks that all leave to a
// common exit.
type domTree struct {
	parent    []int32 // in the search
	firstPred []int32 // into preds, by node
	preds     []int32
	idom      []int32
	in        []int32 // the subtree of n is [in[n], in[n]+size[n])
	size      []int32

	semi, label, ancestor []int32
	bucket, chain         []int32 // lists of nodes by semidominator
	path                  []int32
}

func (d *domTree) reset() {
	d.parent, d.firstPred, d.preds = d.parent[:0], d.firstPred[:0], d.preds[:0]
}

// nextNode begins the predecessors of the next node, pred adds one.
func (d *domTree) nextNode() { d.firstPred = append(d.firstPred, int32(len(d.preds))) }

func (d *domTree) pred(v int32) { d.preds = append(d.preds, v) }

// predsOf returns the predecessors of node w.
func (d *domTree) predsOf(w int32) []int32 {
	if int(w)+1 < len(d.firstPred) {
		return d.preds[d.firstPred[w]:d.firstPred[w+1]]
	}
	return d.preds[d.firstPred[w]:]
}

// covers reports whether a dominates b.
func (d *domTree) covers(a, b int32) bool { return d.in[a] <= d.in[b] && d.in[b] < d.in[a]+d.size[a] }

// link computes immediate dominators.
func (d *domTree) link() {
	n := len(d.parent)
	d.idom = filled(d.idom, n, 0)
	d.ancestor = filled(d.ancestor, n, -1)
	d.bucket = filled(d.bucket, n, -1)
	d.chain = filled(d.chain, n, -1)
	d.semi, d.label = filled(d.semi, n, 0), filled(d.label, n, 0)
	for i := range d.semi {
		d.semi[i], d.label[i] = int32(i), int32(i)
	}
	for w := int32(n - 1); w > 0; w-- {
		for _, v := range d.predsOf(w) {
			d.semi[w] = min(d.semi[w], d.semi[d.eval(v)])
		}
		s := d.semi[w]
		d.chain[w], d.bucket[s] = d.bucket[s], w
		p := d.parent[w]
		d.ancestor[w] = p
		for v := d.bucket[p]; v >= 0; v = d.chain[v] {
			d.idom[v] = p
			if u := d.eval(v); d.semi[u] < d.semi[v] {
				d.idom[v] = u
			}
		}
		d.bucket[p] = -1
	}
	for w := 1; w < n; w++ {
		if d.idom[w] != d.semi[w] {
			d.idom[w] = d.idom[d.idom[w]]
		}
	}
}

// eval returns the node of least semidominator on v's path in the forest, and
// compresses the path.
func (d *domTree) eval(v int32) int32 {
	if d.ancestor[v] < 0 {
		return v
	}
	d.path = d.path[:0]
	for x := v; d.ancestor[d.ancestor[x]] >= 0; x = d.ancestor[x] {
		d.path = append(d.path, x)
	}
	for i := len(d.path) - 1; i >= 0; i-- {
		x := d.path[i]
		a := d.ancestor[x]
		if d.semi[d.label[a]] < d.semi[d.label[x]] {
			d.label[x] = d.label[a]
		}
		d.ancestor[x] = d.ancestor[a]
	}
	return d.label[v]
}

// intervals numbers the tree so that dominance is a comparison. A node's
// number is larger than its immediate dominator's, so no walk is needed.
func (d *domTree) intervals() {
	n := len(d.parent)
	d.size = filled(d.size, n, 1)
	for w := n - 1; w > 0; w-- {
		d.size[d.idom[w]] += d.size[w]
	}
	d.in = filled(d.in, n, 0)
	next := d.chain // free place in the interval of each node
	for w := range n {
		if w > 0 {
			p := d.idom[w]
			d.in[w] = next[p]
			next[p] += d.size[w]
		}
		next[w] = d.in[w] + 1
	}
}

func filled(s []int32, n int, v int32) []int32 {
	s = slices.Grow(s[:0], n)[:n]
	for i := range s {
		s[i] = v
	}
	return s
}
