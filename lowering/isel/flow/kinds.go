package flow

import (
	"pisac/ir"
	"pisac/passes/analysis"
)

// kinds chooses the terminators. A wave may jump only if no lane waits at a
// block that it jumps over. Lanes wait at the target of an edge that the wave
// does not follow at once: they do from the edge's place to the target's, and
// if the edge leaves a loop, anywhere in that loop, from one iteration to the
// next.
//
// Which edges those are depends on which blocks may jump. The walk in order
// takes each jump that it may; where that makes lanes wait in a loop that it
// has passed, the walk is repeated with what it learnt. After a few walks all
// exits of loops count as waited at.
func (p *Plan) kinds() {
	n := p.f.NumBlockIDs()
	p.kind = make([]Kind, n)
	p.noted = make([]bool, 2*n)
	p.leaves = make([][]*ir.Edge, len(p.loops.All()))
	for _, b := range p.order {
		if b.NumSuccs() == 2 && p.uni.Branch(b) {
			for i := range 2 {
				p.note(b.Last().Succ(i), i)
			}
		}
	}
	defer p.latches()
	const walks = 6
	for i := 0; !p.walk(); i++ {
		if i < walks {
			continue
		}
		for _, b := range p.order {
			for k := range b.NumSuccs() {
				p.note(b.Last().Succ(k), k)
			}
		}
	}
}

// outermost is the outermost loop that edge e leaves, nil if it leaves none.
func (p *Plan) outermost(e *ir.Edge) *analysis.Loop {
	from, to := p.loops.Of(e.From()), e.To()
	if from == nil || from.Contains(to) {
		return nil
	}
	in := p.loops.Of(to)
	if in != nil && in.Header == to {
		in = in.Parent
	}
	return p.child(in, from)
}

// latches makes a back edge test for lanes if lanes leave the loop while others
// go on.
func (p *Plan) latches() {
	loops := p.loops.All()
	least := make([]int, len(loops)) // depth of the outermost loop that lanes leave from the loop
	for i, lp := range loops {
		least[i] = lp.Depth + 1
	}
	for _, edges := range p.leaves {
		for _, e := range edges {
			k := p.loops.Of(e.From()).Index()
			least[k] = min(least[k], p.outermost(e).Depth)
		}
	}
	for i := len(loops) - 1; i >= 0; i-- {
		lp := loops[i]
		if lp.Parent != nil {
			k := lp.Parent.Index()
			least[k] = min(least[k], least[i])
		}
		if least[i] <= lp.Depth {
			p.kind[lp.Latch().ID] = Loop
		}
	}
}

// note records that lanes wait at the target of e, successor i, while the loop
// that it leaves runs on; false if that was known, or it leaves none.
func (p *Plan) note(e *ir.Edge, i int) bool {
	k := 2*int(e.From().ID) + i
	if p.noted[k] {
		return false
	}
	lp := p.outermost(e)
	if lp == nil {
		return false
	}
	p.noted[k] = true
	p.leaves[lp.Index()] = append(p.leaves[lp.Index()], e)
	return true
}

// walk chooses the kinds, and reports whether nothing new was learnt.
func (p *Plan) walk() bool {
	p.wait = p.wait[:0]
	learnt := false
	for i, b := range p.order {
		at := int32(i)
		for lp := p.loops.Of(b); lp != nil && p.first[lp.Index()] == at; lp = lp.Parent {
			for _, e := range p.leaves[lp.Index()] {
				p.wait.push(p.pos[e.To().ID])
			}
		}
		for len(p.wait) > 0 && p.wait[0] <= at {
			p.wait.pop()
		}
		t := b.Last()
		switch t.NumSuccs() {
		case 0:
			p.kind[b.ID] = Ret
		case 1:
			switch to := p.pos[b.Succ(0).ID]; {
			case to <= at:
				p.kind[b.ID] = Jump // or Loop: see latches
			case to == at+1:
				p.kind[b.ID] = Fall
			case p.free(to):
				p.kind[b.ID] = Jump
			default:
				p.kind[b.ID] = Fall
				learnt = p.pend(t.Succ(0), 0) || learnt
			}
		default:
			x, y := p.pos[b.Succ(0).ID], p.pos[b.Succ(1).ID]
			if !p.uni.Branch(b) && p.free(x) && p.free(y) {
				p.kind[b.ID] = Cond
				break
			}
			p.kind[b.ID] = Diverge
			if x != at+1 {
				learnt = p.pend(t.Succ(0), 0) || learnt
			}
			if y != at+1 {
				learnt = p.pend(t.Succ(1), 1) || learnt
			}
		}
	}
	return !learnt
}

// free reports that no lane waits before place to.
func (p *Plan) free(to int32) bool { return len(p.wait) == 0 || p.wait[0] >= to }

// pend makes lanes wait at the target of e; it reports whether a loop that has
// begun did not know.
func (p *Plan) pend(e *ir.Edge, i int) bool {
	p.wait.push(p.pos[e.To().ID])
	return p.note(e, i)
}

// places is a heap of places, the least first.
type places []int32

func (h *places) push(x int32) {
	s := append(*h, x)
	i := len(s) - 1
	for ; i > 0 && s[(i-1)/2] > x; i = (i - 1) / 2 {
		s[i] = s[(i-1)/2]
	}
	s[i] = x
	*h = s
}

func (h *places) pop() {
	s := *h
	n := len(s) - 1
	x := s[n]
	s = s[:n]
	*h = s
	if n == 0 {
		return
	}
	i := 0
	for {
		k := 2*i + 1
		if k >= n {
			break
		}
		if k+1 < n && s[k+1] < s[k] {
			k++
		}
		if s[k] >= x {
			break
		}
		s[i] = s[k]
		i = k
	}
	s[i] = x
}
