package flow

import (
	"slices"

	"pisac/dialects/builtin"
	"pisac/ir"
	"pisac/passes/analysis"
)

// shaper brings the flow graph into the form that package flow promises, order
// apart.
type shaper struct {
	f     *ir.Func
	cache *analysis.Cache
	bl    ir.Builder

	header []bool                // by Block.ID: of a loop
	zeros  map[ir.Type]*ir.Value // constants of the entry block
	nums   []*ir.Value           // constants 0, 1, 2, … of the entry block
}

func (s *shaper) run() {
	s.dropUnreachable()
	s.oneExit()
	s.skipEmpty()
	s.dropUnreachable()
	s.cache.Invalidate(0)
	if s.reduce(s.cache.Loops()) {
		s.cache.Invalidate(0)
	}
	s.loops(s.cache.Loops())
	s.split()
}

func (s *shaper) dropUnreachable() {
	s.cache.Invalidate(0)
	dom := s.cache.Dom()
	if len(dom.RPO()) == s.f.NumBlocks() {
		return
	}
	var gone []*ir.Block
	for b := s.f.FirstBlock(); b != nil; b = b.Next() {
		if !dom.Reachable(b) {
			gone = append(gone, b)
		}
	}
	s.f.EraseBlocks(gone...)
	s.cache.Invalidate(0)
}

// oneExit leaves at most one block that returns. What is never executed may as
// well return.
func (s *shaper) oneExit() {
	var ends []*ir.Block
	var exit *ir.Block
	for b := s.f.FirstBlock(); b != nil; b = b.Next() {
		if b.NumSuccs() > 0 {
			continue
		}
		ends = append(ends, b)
		if b.First() == b.Last() && b.Last().Code == builtin.Return && b.NumArgs() == 0 && b != s.f.Entry() {
			exit = b
		}
	}
	switch {
	case len(ends) == 0:
		return
	case len(ends) == 1 && ends[0].Last().Code == builtin.Return:
		return
	case exit == nil:
		exit = s.f.NewBlock()
		s.bl.AtEnd(exit)
		s.bl.Loc = ends[0].Last().Loc
		builtin.Ret(&s.bl, nil)
	}
	for _, b := range ends {
		if b == exit {
			continue
		}
		t := b.Last()
		s.bl.Before(t)
		s.bl.Loc = t.Loc
		builtin.Jump(&s.bl, exit)
		t.Erase()
	}
}

// skipEmpty makes edges to blocks that only jump on lead to where those jump.
// It keeps headers of loops: where lanes meet depends on how loops nest.
func (s *shaper) skipEmpty() {
	n := s.f.NumBlockIDs()
	s.header = make([]bool, n)
	s.cache.Invalidate(0)
	for _, lp := range s.cache.Loops().All() {
		s.header[lp.Header.ID] = true
	}
	to := make([]*ir.Block, n)
	seen := make([]int32, n)
	round := int32(0)
	var path []*ir.Block
	for b := s.f.FirstBlock(); b != nil; b = b.Next() {
		round++
		path = path[:0]
		x := b
		for s.empty(x) && to[x.ID] == nil && seen[x.ID] != round {
			seen[x.ID] = round
			path = append(path, x)
			x = x.Succ(0)
		}
		end := x
		if to[x.ID] != nil {
			end = to[x.ID]
		}
		for _, y := range path {
			to[y.ID] = end // itself, where an endless loop is empty
		}
		if to[b.ID] == nil {
			to[b.ID] = b
		}
	}
	for b := s.f.FirstBlock(); b != nil; b = b.Next() {
		t := b.Last()
		for i := range t.NumSuccs() {
			if e := t.Succ(i); e.NumArgs() == 0 && to[e.To().ID] != e.To() {
				e.SetTo(to[e.To().ID])
			}
		}
		if t.NumSuccs() == 2 && sameTarget(t) {
			s.bl.Before(t)
			s.bl.Loc = t.Loc
			e := t.Succ(0)
			var args []*ir.Value
			for i := range e.NumArgs() {
				args = append(args, e.Arg(i))
			}
			builtin.Jump(&s.bl, e.To(), args...)
			t.Erase()
		}
	}
}

// empty reports a block that does nothing but jump. One that passes arguments
// is where their copies go.
func (s *shaper) empty(b *ir.Block) bool {
	t := b.Last()
	return b.First() == t && t.Code == builtin.Br && b.NumArgs() == 0 && t.Succ(0).NumArgs() == 0 &&
		t.Succ(0).To() != b && b != s.f.Entry() && !s.header[b.ID]
}

func sameTarget(t *ir.Op) bool {
	x, y := t.Succ(0), t.Succ(1)
	if x.To() != y.To() {
		return false
	}
	for i := range x.NumArgs() {
		if x.Arg(i) != y.Arg(i) {
			return false
		}
	}
	return true
}

// loops gives every loop one back edge, from a block that has no other edge,
// and one edge that enters it, likewise.
func (s *shaper) loops(loops *analysis.Loops) {
	var back, in []*ir.Edge
	for _, lp := range loops.All() {
		back, in = back[:0], in[:0]
		for e := lp.Header.FirstPred(); e != nil; e = e.NextPred() {
			if lp.Contains(e.From()) {
				back = append(back, e)
			} else {
				in = append(in, e)
			}
		}
		if len(back) > 1 || back[0].From().NumSuccs() > 1 {
			s.merge(lp.Header, back)
		}
		if len(in) > 1 || in[0].From().NumSuccs() > 1 {
			s.merge(lp.Header, in)
		}
	}
}

// merge sends edges to block to by way of a new one. It has arguments only for
// what differs between the edges.
func (s *shaper) merge(to *ir.Block, edges []*ir.Edge) *ir.Block {
	m := s.f.NewBlock()
	args := make([]*ir.Value, to.NumArgs())
	var passed []int
	for i := range args {
		args[i] = edges[0].Arg(i)
		for _, e := range edges[1:] {
			if e.Arg(i) != args[i] {
				args[i] = m.AddArg(to.Arg(i).Type)
				passed = append(passed, i)
				break
			}
		}
	}
	s.bl.AtEnd(m)
	s.bl.Loc = edges[0].Op().Loc
	builtin.Jump(&s.bl, to, args...)
	for _, e := range edges {
		for i := e.NumArgs() - 1; i >= 0; i-- {
			if !slices.Contains(passed, i) {
				e.RemoveArg(i)
			}
		}
		e.SetTo(m)
	}
	return m
}

// split makes edges out of branches pass no arguments: those of a block with
// no other entry are replaced by what is passed, other edges get a block.
func (s *shaper) split() {
	last := s.f.LastBlock() // blocks behind it are new and jump
	for b := s.f.FirstBlock(); ; b = b.Next() {
		t := b.Last()
		for i := range t.NumSuccs() {
			e := t.Succ(i)
			if e.NumArgs() == 0 {
				continue
			}
			to := e.To()
			switch {
			case to.NumPreds() == 1:
				for k := to.NumArgs() - 1; k >= 0; k-- {
					to.Arg(k).ReplaceUses(e.Arg(k))
					to.RemoveArg(k)
				}
			case t.NumSuccs() > 1:
				s.splitEdge(t, e)
			}
		}
		if b == last {
			return
		}
	}
}

func (s *shaper) splitEdge(t *ir.Op, e *ir.Edge) {
	m := s.f.NewBlock()
	args := make([]*ir.Value, e.NumArgs())
	for i := range args {
		args[i] = e.Arg(i)
	}
	s.bl.AtEnd(m)
	s.bl.Loc = t.Loc
	builtin.Jump(&s.bl, e.To(), args...)
	for i := len(args) - 1; i >= 0; i-- {
		e.RemoveArg(i)
	}
	e.SetTo(m)
}
