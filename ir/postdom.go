package ir

// PostDom is the post-dominator tree of a function's blocks: the dominator
// tree of the reversed graph from an end that every returning block leads to.
// The zero PostDom is ready for Compute, which reuses memory.
//
// Blocks from which no block without successors can be reached count as
// leading to the end from the last of them in layout order, so that endless
// loops have post-dominators too. This is also where lanes of a sub-group meet
// again after a branch (PISA leaves it open; the interpreter does as said
// here).
type PostDom struct {
	number []int32  // by Block.ID, from 1
	order  []*Block // by number; order[0] is the end, nil
	tree   domTree
	roots  []bool // by Block.ID
	seen   []bool
	work   []*Block
	stack  []postFrame
}

type postFrame struct {
	block *Block
	edge  *Edge
}

// Compute makes p the tree of f as it is now.
func (p *PostDom) Compute(f *Func) {
	p.findRoots(f)
	p.search(f)
	p.tree.nextNode() // the end
	for _, b := range p.order[1:] {
		p.tree.nextNode()
		if p.roots[b.ID] {
			p.tree.pred(0)
		}
		for i := range b.NumSuccs() {
			p.tree.pred(p.number[b.Succ(i).ID])
		}
	}
	p.tree.link()
	p.tree.intervals()
}

// findRoots marks the blocks with an edge to the end: those without
// successors, and one of each region that cannot be left.
func (p *PostDom) findRoots(f *Func) {
	p.roots = append(p.roots[:0], make([]bool, f.NumBlockIDs())...)
	p.seen = append(p.seen[:0], make([]bool, f.NumBlockIDs())...)
	for b := f.first; b != nil; b = b.next {
		if b.NumSuccs() == 0 {
			p.root(b)
		}
	}
	for b := f.last; b != nil; b = b.prev {
		if !p.seen[b.ID] {
			p.root(b)
		}
	}
}

func (p *PostDom) root(b *Block) {
	p.roots[b.ID], p.seen[b.ID] = true, true
	p.work = append(p.work[:0], b)
	for len(p.work) > 0 {
		x := p.work[len(p.work)-1]
		p.work = p.work[:len(p.work)-1]
		for e := x.firstPred; e != nil; e = e.next {
			if from := e.op.block; !p.seen[from.ID] {
				p.seen[from.ID] = true
				p.work = append(p.work, from)
			}
		}
	}
}

// search numbers the end and the blocks in preorder of the reversed graph.
func (p *PostDom) search(f *Func) {
	p.number = filled(p.number, f.NumBlockIDs(), -1)
	p.tree.reset()
	p.order = append(p.order[:0], nil)
	p.tree.parent = append(p.tree.parent, -1)
	for r := f.first; r != nil; r = r.next {
		if !p.roots[r.ID] || p.number[r.ID] >= 0 {
			continue
		}
		p.visit(r, 0)
		for len(p.stack) > 0 {
			top := &p.stack[len(p.stack)-1]
			e := top.edge
			if e == nil {
				p.stack = p.stack[:len(p.stack)-1]
				continue
			}
			top.edge = e.next
			if from := e.op.block; p.number[from.ID] < 0 {
				p.visit(from, p.number[top.block.ID])
			}
		}
	}
}

func (p *PostDom) visit(b *Block, parent int32) {
	p.number[b.ID] = int32(len(p.order))
	p.order = append(p.order, b)
	p.tree.parent = append(p.tree.parent, parent)
	p.stack = append(p.stack, postFrame{b, b.firstPred})
}

// Ipdom returns the immediate post-dominator of b; nil if it is the end of
// the function.
func (p *PostDom) Ipdom(b *Block) *Block { return p.order[p.tree.idom[p.number[b.ID]]] }

// PostDominates reports whether every path from b to the end passes through
// a. A block post-dominates itself.
func (p *PostDom) PostDominates(a, b *Block) bool {
	return p.tree.covers(p.number[a.ID], p.number[b.ID])
}
