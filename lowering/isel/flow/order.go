package flow

import (
	"slices"
	"sort"

	"pisac/ir"
	"pisac/passes/analysis"
)

// linear is the search for the order. A node is a block (its ID) or a loop
// (behind the blocks, by Loop.Index); the nodes directly in a loop, or in the
// function, with the edges between them are a graph without cycles, the back
// edge left out.
type linear struct {
	p      *Plan
	dom    *ir.Dom
	blocks int     // bound of block ids
	size   []int32 // by Block.ID: blocks that it dominates
	edges  []arc   // by source
	first  []int32 // by node: into edges
	done   []bool  // by node
	parts  [][]int32
	byID   []*ir.Block

	preheader []bool // by Block.ID: its only edge enters a loop
}

// arc is an edge between nodes of one level.
type arc struct{ from, to int32 }

// linearise finds the linear order and puts the blocks into it.
func (p *Plan) linearise() {
	l := linear{p: p, dom: p.cache.Dom(), blocks: p.f.NumBlockIDs()}
	p.findKids()
	l.sizes()
	l.arcs()
	loops := p.loops.All()
	l.parts = make([][]int32, len(loops)+1)
	l.done = make([]bool, l.blocks+len(loops))
	for i, lp := range loops {
		l.parts[i+1] = l.sort(int32(lp.Header.ID), nil)
	}
	var exit *ir.Block
	for _, b := range l.dom.RPO() {
		if b.NumSuccs() == 0 {
			exit = b
		}
	}
	l.parts[0] = l.sort(l.node(p.f.Entry(), nil), exit)
	l.flatten()
	at := p.order[0]
	for _, b := range p.order[1:] {
		b.MoveAfter(at)
		at = b
	}
}

// sizes counts the blocks that each block dominates.
func (l *linear) sizes() {
	l.size = make([]int32, l.blocks)
	l.byID = make([]*ir.Block, l.blocks)
	rpo := l.dom.RPO()
	for i := len(rpo) - 1; i >= 0; i-- {
		b := rpo[i]
		l.byID[b.ID] = b
		l.size[b.ID]++
		if d := l.dom.Idom(b); d != nil {
			l.size[d.ID] += l.size[b.ID]
		}
	}
}

// node is what stands for b directly in loop lp (nil: the function): b, or the
// loop around it that is directly in lp. Only the header is never a loop of
// its own there, as it is not directly in lp.
func (l *linear) node(b *ir.Block, lp *analysis.Loop) int32 {
	in := l.p.loops.Of(b)
	if in == lp {
		return int32(b.ID)
	}
	return int32(l.blocks + l.p.child(lp, in).Index())
}

// child is the loop directly in lp (nil: the function) that encloses in.
func (p *Plan) child(lp, in *analysis.Loop) *analysis.Loop {
	k := p.kids[0]
	if lp != nil {
		k = p.kids[lp.Index()+1]
	}
	return k[sort.Search(len(k), func(i int) bool { return k[i].Index() > in.Index() })-1]
}

func (p *Plan) findKids() {
	loops := p.loops.All()
	p.kids = make([][]*analysis.Loop, len(loops)+1)
	for _, lp := range loops {
		k := 0
		if lp.Parent != nil {
			k = lp.Parent.Index() + 1
		}
		p.kids[k] = append(p.kids[k], lp)
	}
}

// level is the innermost loop in which both ends of the edge to b are, without
// being its header there by a back edge.
func (l *linear) level(from, to *ir.Block) (*analysis.Loop, bool) {
	lp := l.p.loops.Of(to)
	if lp != nil && lp.Header == to {
		if lp.Contains(from) {
			return nil, true
		}
		return lp.Parent, false
	}
	return lp, false
}

func (l *linear) arcs() {
	loops := l.p.loops.All()
	for _, b := range l.dom.RPO() {
		for i := range b.NumSuccs() {
			to := b.Succ(i)
			if lp, back := l.level(b, to); !back {
				l.edges = append(l.edges, arc{l.node(b, lp), l.node(to, lp)})
			}
		}
	}
	// What is visited last comes first in order: the target of fewest blocks,
	// so that few lanes wait for long; of equals, the branch's first.
	slices.SortStableFunc(l.edges, func(x, y arc) int {
		if x.from != y.from {
			return int(x.from - y.from)
		}
		return int(l.weight(y.to) - l.weight(x.to))
	})
	n := l.blocks + len(loops)
	l.first = make([]int32, n+1)
	for _, e := range l.edges {
		l.first[e.from+1]++
	}
	for i := range n {
		l.first[i+1] += l.first[i]
	}
	// Of equal weight the first successor is to be visited last.
	for i := range n {
		es := l.edges[l.first[i]:l.first[i+1]]
		for a := 0; a < len(es); {
			z := a + 1
			for z < len(es) && l.weight(es[z].to) == l.weight(es[a].to) {
				z++
			}
			slices.Reverse(es[a:z])
			a = z
		}
	}
}

func (l *linear) weight(node int32) int32 {
	if int(node) < l.blocks {
		return l.size[node]
	}
	return l.size[l.p.loops.All()[int(node)-l.blocks].Header.ID]
}

// sort returns the nodes of one level in reverse postorder from root; exit, if
// given, last.
func (l *linear) sort(root int32, exit *ir.Block) []int32 {
	type visit struct{ node, next int32 }
	var out []int32
	if exit != nil && int32(exit.ID) != root {
		l.done[exit.ID] = true
		out = append(out, int32(exit.ID))
	}
	l.done[root] = true
	stack := []visit{{root, l.first[root]}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == l.first[top.node+1] {
			out = append(out, top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		to := l.edges[top.next].to
		top.next++
		if !l.done[to] {
			l.done[to] = true
			stack = append(stack, visit{to, l.first[to]})
		}
	}
	slices.Reverse(out)
	return out
}

// flatten puts the levels together, and notes where loops begin. The block that
// enters a loop comes right before it.
func (l *linear) flatten() {
	p := l.p
	p.order = make([]*ir.Block, 0, len(l.dom.RPO()))
	p.pos = make([]int32, l.blocks)
	p.first = make([]int32, len(p.loops.All()))
	l.preheader = make([]bool, l.blocks)
	for _, lp := range p.loops.All() {
		l.preheader[lp.Preheader().ID] = true
	}
	type at struct{ part, next int }
	stack := []at{{0, 0}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(l.parts[top.part]) {
			stack = stack[:len(stack)-1]
			continue
		}
		node := int(l.parts[top.part][top.next])
		top.next++
		if node >= l.blocks {
			k := node - l.blocks
			l.place(p.loops.All()[k].Preheader())
			p.first[k] = int32(len(p.order))
			stack = append(stack, at{k + 1, 0})
			continue
		}
		if b := l.byID[node]; !l.preheader[node] {
			l.place(b)
		}
	}
}

func (l *linear) place(b *ir.Block) {
	l.p.pos[b.ID] = int32(len(l.p.order))
	l.p.order = append(l.p.order, b)
}
