package interp

import (
	"fmt"
	"math/bits"
	"strings"

	"pisac/ir"
)

// group is a work-group in progress.
type group struct {
	eng     *engine
	w       *worker
	linear  uint64
	id      [3]uint64
	size    [3]uint64 // smaller than the launch's at the edges of the range
	items   int
	sgs     []*subgroup
	live    int // work-items not yet exited
	waiting int // of those, at a barrier
	shared  []byte
	shadow  []byte
	cells   []cell // races on shared memory
	stuckAt uint64 // memory version at which nothing could advance; 0: can advance
	order   []int
}

// turnLength is how many block entries a sub-group runs before the next one.
const turnLength = 4096

// reset makes g the linear-th work-group of the launch.
func (g *group) reset(linear uint64) {
	eng := g.eng
	g.linear, g.stuckAt, g.waiting = linear, 0, 0
	n := linear
	g.items = 1
	for i := range g.id {
		g.id[i] = n % eng.Count[i]
		n /= eng.Count[i]
		g.size[i] = min(eng.Local[i], eng.Global[i]-g.id[i]*eng.Local[i])
		g.items *= int(g.size[i])
	}
	g.live = g.items
	if n := int(eng.prog.sharedLen); len(g.shared) != n {
		g.shared, g.shadow = make([]byte, n), make([]byte, n)
	} else {
		clear(g.shared)
	}
	copy(g.shadow, eng.prog.sharedFor)
	if eng.races != nil {
		g.cells = make([]cell, len(g.shared)/4+1)
		eng.races.start(g)
	}
	k := (g.items + width - 1) / width
	for len(g.sgs) < k {
		g.sgs = append(g.sgs, new(subgroup))
	}
	g.sgs = g.sgs[:k]
	g.order = g.order[:0]
	for i, s := range g.sgs {
		if s == nil {
			s = new(subgroup)
			g.sgs[i] = s
		}
		s.reset(g, i)
		g.order = append(g.order, i)
	}
}

// exited counts work-items of s that have ended.
func (g *group) exited(s *subgroup, mask uint32) {
	g.live -= bits.OnesCount32(mask)
}

// run gives every sub-group turns, at most rounds times.
func (g *group) run(rounds int) outcome {
	w := g.w
	for ; rounds > 0; rounds-- {
		if w.rng.on {
			w.rng.shuffle(g.order)
		}
		moved := false
		for _, i := range g.order {
			s := g.sgs[i]
			if s.live == 0 {
				continue
			}
			turn := turnLength
			if w.rng.on {
				turn = 1 + int(w.rng.next()%64)
			}
			before := w.steps
			switch s.run(turn) {
			case outFault:
				w.fault = s.fault
				return outFault
			default:
				moved = moved || w.steps != before || s.live == 0
			}
		}
		if g.live == 0 {
			return outDone
		}
		if moved {
			continue
		}
		switch out := g.unblock(); out {
		case outMore:
		default:
			return out
		}
	}
	return outMore
}

// unblock is called when no sub-group can advance by itself: it ends a
// barrier, or lets lanes pass a join, or says that others must move.
func (g *group) unblock() outcome {
	if g.waiting == g.live {
		return g.endBarrier()
	}
	spins := g.spins()
	if spins && g.eng.prog.crossing {
		// Another work-group may end the spin; only if none can, lanes
		// pass joins without those that spin (worker.work).
		g.stuckAt = g.w.version
		return outBlocked
	}
	if g.force() {
		return outMore
	}
	if spins {
		g.stuckAt = g.w.version
		return outBlocked
	}
	s, f := g.waiter()
	s.divergence(f, f.waiting)
	g.w.fault = s.fault
	return outFault
}

// spins reports a fragment that repeats itself until memory changes.
func (g *group) spins() bool {
	for _, s := range g.sgs {
		for i := range s.frags {
			if s.frags[i].parkedAt != 0 {
				return true
			}
		}
	}
	return false
}

// force lets lanes of some sub-group pass a join.
func (g *group) force() bool {
	for _, s := range g.sgs {
		if s.force() {
			g.stuckAt = 0
			return true
		}
	}
	return false
}

// waiter returns a fragment that is at a barrier.
func (g *group) waiter() (*subgroup, *fragment) {
	for _, s := range g.sgs {
		for i := range s.frags {
			if s.frags[i].waiting != nil {
				return s, &s.frags[i]
			}
		}
	}
	return nil, nil
}

// endBarrier lets all work-items go on, if they are at one barrier.
func (g *group) endBarrier() outcome {
	s0, f0 := g.waiter()
	for _, s := range g.sgs {
		for i := range s.frags {
			// The same source instruction counts as one barrier, though
			// passes may have copied it.
			if f := &s.frags[i]; f.waiting.op != f0.waiting.op && (f.waiting.op.Loc != f0.waiting.op.Loc || f.waiting.op.Loc == ir.NoLoc) {
				s0.divergence(f0, f0.waiting)
				g.w.fault = s0.fault
				return outFault
			}
		}
	}
	if g.eng.races != nil {
		g.eng.races.barrier(g)
	}
	g.w.barriers += uint64(g.waiting)
	g.waiting = 0
	for _, s := range g.sgs {
		out := s.frags[:0]
		for _, f := range s.frags {
			f.waiting = nil
			f.pc++
			merged := false
			for k := range out {
				o := &out[k]
				if o.fr == f.fr && o.blk == f.blk && o.pc == f.pc && o.join == f.join {
					o.mask |= f.mask
					merged = true
				}
			}
			if !merged {
				out = append(out, f)
			}
		}
		s.frags = out
	}
	return outMore
}

// force lets the lanes that have arrived at some join pass without the others,
// which cannot advance: they spin on what the first will do, or wait at a
// barrier for them to exit. They meet again at the next post-dominator.
func (s *subgroup) force() bool {
	for i := len(s.open) - 1; i >= 0; i-- {
		j := s.open[i]
		if j.arrived == 0 {
			continue
		}
		skipped := j.skips
		for k := range s.frags {
			f := &s.frags[k]
			if f.waiting != nil && f.mask&j.expected != 0 {
				skipped = true
			}
		}
		if next := j.blk.join; j.call == nil && next != nil && (j.parent == nil || j.parent.blk != next || j.parent.call != nil) {
			outer := s.newJoin()
			outer.fr, outer.blk, outer.expected, outer.parent = j.fr, next, j.expected, j.parent
			j.parent = outer
		}
		mask := j.arrived
		j.arrived = 0
		j.expected &^= mask
		s.release(j, mask, skipped)
		return true
	}
	return false
}

// divergence reports that f waits at the barrier in and others do not.
func (s *subgroup) divergence(f *fragment, in *inst) {
	g := s.g
	var at []ir.DiagNote
	seen := map[*inst][]string{}
	var order []*inst
	rest, nrest := []string(nil), 0
	for _, o := range g.sgs {
		free := o.live
		for i := range o.frags {
			h := &o.frags[i]
			wait := h.waiting
			if h == f {
				wait = in
			}
			if wait == nil {
				continue
			}
			free &^= h.mask
			if seen[wait] == nil {
				order = append(order, wait)
			}
			for m := h.mask; m != 0; m &= m - 1 {
				seen[wait] = append(seen[wait], o.short(bits.TrailingZeros32(m)))
			}
		}
		for m := free; m != 0; m &= m - 1 {
			nrest++
			rest = append(rest, o.short(bits.TrailingZeros32(m)))
		}
	}
	for _, w := range order {
		at = append(at, ir.DiagNote{Loc: w.op.Loc, Text: fmt.Sprintf("work-items %s (local ids) of work-group (%d,%d,%d) are at this barrier", list(seen[w]), g.id[0], g.id[1], g.id[2])})
	}
	if nrest > 0 {
		at = append(at, ir.DiagNote{Text: fmt.Sprintf("work-items %s have not exited and are not at a barrier", list(rest))})
	}
	if s.fault == nil {
		s.fault = &fault{kind: BarrierDivergence, loc: in.op.Loc, group: g.linear, notes: at,
			text: "barrier that not all work-items of the work-group execute"}
	}
}

// list shortens a list of work-items.
func list(items []string) string {
	const most = 8
	if len(items) > most {
		return strings.Join(items[:most], ", ") + fmt.Sprintf(" and %d more", len(items)-most)
	}
	return strings.Join(items, ", ")
}

// deadlock reports that the groups in gs can never advance.
func deadlock(gs []*group) *fault {
	f := &fault{kind: Deadlock, text: "deadlock: no work-item can advance", group: gs[0].linear}
	for _, g := range gs {
		for _, s := range g.sgs {
			for i := range s.frags {
				h := &s.frags[i]
				where := "spin here"
				in := &h.blk.insts[0]
				if h.waiting != nil {
					in, where = h.waiting, "wait at this barrier"
				} else {
					// The read on which it spins says more than a label.
					for k := range h.blk.insts {
						if h.blk.insts[k].mem != nil {
							in = &h.blk.insts[k]
							break
						}
					}
				}
				if f.loc == ir.NoLoc || f.notes == nil {
					f.loc = in.op.Loc
				}
				if len(f.notes) < 8 {
					var who []string
					for m := h.mask; m != 0; m &= m - 1 {
						who = append(who, s.short(bits.TrailingZeros32(m)))
					}
					f.notes = append(f.notes, ir.DiagNote{Loc: in.op.Loc, Text: fmt.Sprintf("work-items %s (local ids) of work-group (%d,%d,%d) %s", list(who), g.id[0], g.id[1], g.id[2], where)})
				}
			}
		}
	}
	return f
}
