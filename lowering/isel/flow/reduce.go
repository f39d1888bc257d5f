package flow

import (
	"slices"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// reduce gives every cycle one entry.
//
//	^p: br ^x(%1)   ^q: br ^y(%2)          ^p: br ^n(0, %1)   ^q: br ^n(1, %2)
//	^x(%a): … br ^y(%3)                 =>  ^n(%s, %v): cond_br %s = 0, ^x(%v), ^y(%v)
//	^y(%b): … br ^x(%4)                     ^x(%a): … br ^n(1, %3)   ^y(%b): … br ^n(0, %4)
//
// Every edge to an entry goes by way of ^n, which is told which entry is
// meant. Nothing else needs repair: what dominates one entry of a strongly
// connected region from outside dominates them all, since each is reached from
// each, and nothing inside dominates an entry.
func (s *shaper) reduce(loops *analysis.Loops) bool {
	r := reducer{s: s, in: make([]int32, s.f.NumBlockIDs())}
	r.start(loops)
	if len(r.work) == 0 {
		return false
	}
	r.budget = 64*s.f.NumBlocks() + 4096
	for len(r.work) > 0 {
		set := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		r.components(set)
	}
	return true
}

type reducer struct {
	s      *shaper
	work   [][]*ir.Block // sets whose cycles are to be looked at, without their headers
	budget int           // blocks still to be looked at; then a region is flattened

	in       []int32 // by Block.ID: the set at hand
	set      int32
	num, low []int32 // by Block.ID: depth-first numbers from 1, in the set at hand
	comp     []int32 // by Block.ID: component, 0 if not known yet
	ncomp    int32
	stack    []*ir.Block
	frames   []frame
}

type frame struct {
	b    *ir.Block
	succ int
}

// start finds the innermost loops that hold irreducible regions, the function
// itself among them.
func (r *reducer) start(loops *analysis.Loops) {
	holds := make([]bool, len(loops.All())) // by Loop.Index: directly, or an outer loop does
	for b := r.s.f.FirstBlock(); b != nil; b = b.Next() {
		k := loops.Region(b)
		if k < 0 {
			continue
		}
		lp := loops.Of(b)
		for lp != nil && loops.Region(lp.Header) == k {
			lp = lp.Parent
		}
		if lp != nil {
			holds[lp.Index()] = true
			continue
		}
		var all []*ir.Block
		for b := r.s.f.FirstBlock(); b != nil; b = b.Next() {
			all = append(all, b)
		}
		r.work = append(r.work[:0], all)
		return
	}
	for i, lp := range loops.All() {
		switch {
		case lp.Parent != nil && holds[lp.Parent.Index()]:
			holds[i] = true
		case holds[i]:
			r.work = append(r.work, slices.Clone(lp.Blocks()[1:]))
		}
	}
}

// components finds the strongly connected regions of a set, by Tarjan's
// algorithm, and has each looked at without its header.
func (r *reducer) components(set []*ir.Block) {
	n := r.s.f.NumBlockIDs()
	for len(r.in) < n {
		r.in = append(r.in, 0)
	}
	for len(r.num) < n {
		r.num, r.low, r.comp = append(r.num, 0), append(r.low, 0), append(r.comp, 0)
	}
	r.set++
	r.budget -= len(set)
	for _, b := range set {
		r.in[b.ID] = r.set
		r.num[b.ID], r.comp[b.ID] = 0, 0
	}
	next := int32(0)
	var found [][]*ir.Block
	for _, root := range set {
		if r.num[root.ID] != 0 {
			continue
		}
		r.frames = append(r.frames[:0], frame{b: root})
		for len(r.frames) > 0 {
			top := &r.frames[len(r.frames)-1]
			b := top.b
			if r.num[b.ID] == 0 {
				next++
				r.num[b.ID], r.low[b.ID] = next, next
				r.stack = append(r.stack, b)
			}
			if top.succ < b.NumSuccs() {
				to := b.Succ(top.succ)
				top.succ++
				switch {
				case r.in[to.ID] != r.set:
				case r.num[to.ID] == 0:
					r.frames = append(r.frames, frame{b: to})
				case r.comp[to.ID] == 0:
					r.low[b.ID] = min(r.low[b.ID], r.num[to.ID])
				}
				continue
			}
			r.frames = r.frames[:len(r.frames)-1]
			if len(r.frames) > 0 {
				up := r.frames[len(r.frames)-1].b
				r.low[up.ID] = min(r.low[up.ID], r.low[b.ID])
			}
			if r.low[b.ID] == r.num[b.ID] {
				if c := r.pop(b); len(c) > 1 {
					found = append(found, c)
				}
			}
		}
	}
	for _, c := range found {
		r.region(c)
	}
}

func (r *reducer) pop(b *ir.Block) []*ir.Block {
	r.ncomp++
	k := len(r.stack)
	for {
		k--
		r.comp[r.stack[k].ID] = r.ncomp
		if r.stack[k] == b {
			break
		}
	}
	c := slices.Clone(r.stack[k:])
	r.stack = r.stack[:k]
	return c
}

// region gives a strongly connected region one entry.
func (r *reducer) region(c []*ir.Block) {
	id := r.comp[c[0].ID]
	var entries []*ir.Block
	for _, b := range c {
		for e := b.FirstPred(); e != nil; e = e.NextPred() {
			from := e.From()
			outside := r.in[from.ID] != r.set || r.comp[from.ID] != id
			// Out of time: the edges that remain lead from lower to higher
			// numbers, so that no cycle is left.
			if outside || r.budget < 0 && r.num[from.ID] >= r.num[b.ID] {
				entries = append(entries, b)
				break
			}
		}
	}
	if len(entries) > 1 {
		r.s.dispatch(entries)
		for len(r.in) < r.s.f.NumBlockIDs() {
			r.in = append(r.in, 0)
		}
	} else {
		c = slices.DeleteFunc(c, func(b *ir.Block) bool { return b == entries[0] })
	}
	if r.budget >= 0 || len(entries) == 1 {
		r.work = append(r.work, c)
	}
}

// dispatch sends all edges to the entries by way of a new block.
func (s *shaper) dispatch(entries []*ir.Block) {
	// Arguments of one type share places.
	type place struct {
		t ir.Type
		k int
	}
	n := s.f.NewBlock()
	sel := n.AddArg(ir.B32)
	index := map[place]int{}
	places := make([][]int, len(entries)) // of the entry's arguments among n's
	count := map[ir.Type]int{}
	for i, b := range entries {
		clear(count)
		for _, a := range b.Args() {
			key := place{a.Type, count[a.Type]}
			count[a.Type]++
			at, ok := index[key]
			if !ok {
				at = n.NumArgs()
				index[key] = at
				n.AddArg(a.Type)
			}
			places[i] = append(places[i], at)
		}
	}
	passed := make([]*ir.Value, n.NumArgs())
	for i, b := range entries {
		num := s.number(i)
		for b.FirstPred() != nil {
			e := b.FirstPred()
			for k := range passed {
				passed[k] = nil
			}
			passed[0] = num
			for k, at := range places[i] {
				passed[at] = e.Arg(k)
			}
			for k := e.NumArgs() - 1; k >= 0; k-- {
				e.RemoveArg(k)
			}
			for k, v := range passed {
				if v == nil {
					v = s.zero(n.Arg(k).Type)
				}
				e.AppendArg(v)
			}
			e.SetTo(n)
		}
	}
	target := func(i int) ir.Target {
		t := ir.Target{To: entries[i]}
		for _, at := range places[i] {
			t.Args = append(t.Args, n.Arg(at))
		}
		return t
	}
	s.bl.Loc = entries[0].First().Loc
	for i, at := 0, n; i < len(entries)-1; i++ {
		s.bl.AtEnd(at)
		eq := pisa.FType.Put(uint64(pisa.T32b)) | pisa.FOp.Put(uint64(pisa.EQ))
		is := s.bl.Value(pisa.UCmp, eq, ir.Pred, sel, s.number(i))
		other := target(i + 1)
		if i < len(entries)-2 {
			other = ir.Target{To: s.f.NewBlock()}
		}
		s.bl.AtEnd(at)
		builtin.Branch(&s.bl, is, target(i), other)
		at = other.To
	}
}

// number is the constant n, zero that of any type, in the entry block.
func (s *shaper) number(n int) *ir.Value {
	for len(s.nums) <= n {
		s.nums = append(s.nums, s.constant(ir.B32, uint64(len(s.nums))))
	}
	return s.nums[n]
}

func (s *shaper) zero(t ir.Type) *ir.Value {
	if s.zeros == nil {
		s.zeros = map[ir.Type]*ir.Value{}
	}
	if s.zeros[t] == nil {
		s.zeros[t] = s.constant(t, 0)
	}
	return s.zeros[t]
}

func (s *shaper) constant(t ir.Type, v uint64) *ir.Value {
	var bl ir.Builder
	bl.Before(s.f.Entry().First())
	bl.Loc = s.f.Entry().First().Loc
	return builtin.ConstInt(&bl, t, v)
}
