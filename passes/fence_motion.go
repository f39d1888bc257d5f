package passes

import (
	"slices"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// Motion of fences for fence-elide: neighbours meet and become one; a fence
// that some ways to or from its block do not need moves onto the others.

// move moves one fence and reports whether it found one.
func (x *fenceElider) move() bool {
	x.flow.solveForward()
	x.flow.solveBackward()
	for _, b := range x.flow.rpo {
		events := x.flow.events[b.ID]
		if i := firstFence(events, acquireHalf, func(e *event) bool { return e.kind == eventAccess && guardHoist.holds(!e.reads) }); i >= 0 && x.hoist(b, i) {
			return true
		}
		slices.Reverse(events)
		i := firstFence(events, releaseHalf, func(e *event) bool { return e.kind == eventAccess && guardSink.holds(!e.writes) })
		slices.Reverse(events)
		if i >= 0 && x.sink(b, len(events)-1-i) {
			return true
		}
		if x.stopped {
			return false
		}
	}
	return false
}

// firstFence returns the place of the first fence if it has just the half
// order and is preceded by nothing that it may not cross.
func firstFence(events []event, order halves, cross func(*event) bool) int {
	for i := range events {
		e := &events[i]
		if e.kind == eventFence && e.op.Block() != nil && e.f.order == order {
			return i
		}
		if !cross(e) {
			break
		}
	}
	return -1
}

// coveredBy reports that facts a make an atomic half of f superfluous.
func (f fenceSet) coveredBy(a *facts) bool {
	for i := range numSpaces {
		if f.cover>>i&1 != 0 && a[factAtomics+i].scope < f.scope {
			return false
		}
	}
	return true
}

// hoist moves an acquire fence, before which b has no atomic read, to those
// predecessors behind which it is needed (F12f, F12g), if there are others.
// A loop's header has the loop for a predecessor that has executed it.
func (x *fenceElider) hoist(b *ir.Block, i int) bool {
	e := &x.flow.events[b.ID][i]
	f := e.f
	var need []*ir.Block
	covered := 0
	if b == x.f.Entry() {
		return false
	}
	for p := b.FirstPred(); p != nil; p = p.NextPred() {
		from := p.From()
		if !x.c.Dom().Reachable(from) {
			continue
		}
		a := x.flow.behind(from)
		switch {
		case f.coveredBy(&a):
			covered++
		case from.NumSuccs() != 1 || slices.Contains(need, from):
			x.c.Remark(Missed, "FenceNotMoved", x.f, e.op.Loc, "%s is needed on some ways to it only, but they share a branch", f)
			return false
		default:
			need = append(need, from)
		}
	}
	if covered == 0 || len(need) == 0 {
		return false
	}
	if x.stopped = !x.c.May(); x.stopped {
		return false
	}
	for _, p := range need {
		x.insert(p, p.Last(), e.op, len(x.flow.events[p.ID]))
	}
	x.moved(b, i, f, "up onto the ways that need it (F12f, F12g)")
	return true
}

// sink moves a release fence, behind which b has no atomic write, to those
// successors before which it is needed (F12, F12b), if there are others.
func (x *fenceElider) sink(b *ir.Block, i int) bool {
	e := &x.flow.events[b.ID][i]
	f := e.f
	var need []*ir.Block
	covered := 0
	for k := range b.NumSuccs() {
		to := b.Succ(k)
		a := x.flow.before(to)
		switch {
		case f.coveredBy(&a):
			covered++
		case to.NumPreds() != 1:
			x.c.Remark(Missed, "FenceNotMoved", x.f, e.op.Loc, "%s is needed on some ways from it only, but others lead to the same place", f)
			return false
		default:
			need = append(need, to)
		}
	}
	if covered == 0 || len(need) == 0 {
		return false
	}
	if x.stopped = !x.c.May(); x.stopped {
		return false
	}
	for _, s := range need {
		x.insert(s, s.First(), e.op, 0)
	}
	x.moved(b, i, f, "down onto the ways that need it (F12, F12b)")
	return true
}

// insert copies fence before pos of b, where it is the event number at.
func (x *fenceElider) insert(b *ir.Block, pos, fence *ir.Op, at int) {
	var bl ir.Builder
	bl.Loc = fence.Loc
	bl.Before(pos)
	n := event{op: bl.Op(pisa.Fence, fence.Props), kind: eventFence, f: fenceOf(fence.Props)}
	x.flow.events[b.ID] = slices.Insert(x.flow.events[b.ID], at, n)
}

func (x *fenceElider) moved(b *ir.Block, i int, f fenceSet, how string) {
	e := &x.flow.events[b.ID][i]
	x.c.Remark(Passed, "FenceMoved", x.f, e.op.Loc, "%s moves %s", f, how)
	x.c.Count(fenceMoved, 1)
	x.changed = true
	e.op.Erase()
	x.flow.events[b.ID] = slices.Delete(x.flow.events[b.ID], i, i+1)
}

// merge joins fences of a block that meet by moving a release down or an
// acquire up (F12). The event of a fence that is gone has no op.
func (x *fenceElider) merge() (merged bool) {
	for _, b := range x.flow.rpo {
		events := x.flow.events[b.ID]
		for i := 0; i < len(events) && !x.stopped; {
			k := -1
			if events[i].kind == eventFence && events[i].op != nil {
				k = nextFence(events, i)
			}
			if k < 0 {
				i++
				continue
			}
			at, ok := meet(events, i, k)
			if ok && x.join(events, i, k, at) {
				merged = true
				i = at // the join may meet the next
			} else {
				i = k
			}
		}
		x.flow.events[b.ID] = compact(events)
	}
	return merged
}

// nextFence returns the first fence behind place i with only accesses between.
func nextFence(events []event, i int) int {
	for k := i + 1; k < len(events); k++ {
		switch events[k].kind {
		case eventFence:
			return k
		case eventAccess:
		default:
			return -1
		}
	}
	return -1
}

// meet returns the place of the event before which fences i and k can be:
// release fences pass weak accesses and atomic loads downwards (F12, F12b),
// acquire fences weak accesses and atomic stores upwards (F12f, F12g).
func meet(events []event, i, k int) (at int, ok bool) {
	at = i + 1
	if events[i].f.order == releaseHalf {
		for at < k && guardSink.holds(!events[at].writes) {
			at++
		}
	}
	if at == k {
		return at, true
	}
	if events[k].f.order != acquireHalf {
		return 0, false
	}
	for j := at; j < k; j++ {
		if !guardHoist.holds(!events[j].reads) {
			return 0, false
		}
	}
	return at, true
}

// join makes fences i and k one, before event at (i < at <= k), if the target
// gains.
func (x *fenceElider) join(events []event, i, k, at int) bool {
	f, g := events[i].f, events[k].f
	j := f.join(g)
	if guardJoin.holds(false) {
		j.scope = min(f.scope, g.scope)
	}
	props, ok := j.props()
	if !ok {
		x.c.Remark(Missed, "FenceNotMerged", x.f, events[k].op.Loc, "%s and %s have no join in PISA", f, g)
		return false
	}
	if x.c.Opt(0) == mergeCost && j != f && j != g && j.cost(x.c.Target) > f.cost(x.c.Target)+g.cost(x.c.Target) {
		x.c.Remark(Missed, "FenceNotMerged", x.f, events[k].op.Loc, "%s and %s together cost less than %s", f, g, j)
		return false
	}
	if x.stopped = !x.c.May(); x.stopped {
		return false
	}
	x.c.Remark(Passed, "FenceMerged", x.f, events[k].op.Loc, "%s and %s become %s (F02 to F06, F12)", f, g, j)
	x.c.Count(fenceMerged, 1)
	x.changed = true
	one := events[k]
	one.op.Props, one.f = props, j
	if at < k {
		one.op.MoveBefore(events[at].op)
	}
	events[i].op.Erase()
	events[i].op = nil
	copy(events[at+1:k+1], events[at:k])
	events[at] = one
	return true
}
