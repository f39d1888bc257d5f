package passes

import (
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Elision of fences that no execution needs.
//
//	pisa.fence.release.gpu ; pisa.fence.global.release.workgroup
//	=> pisa.fence.release.gpu                                       F03
//	pisa.fence.acq_rel.gpu  (no atomic read before it)
//	=> pisa.fence.release.gpu                                       F11
//	pisa.fence.release.gpu ; st.release.gpu ; builtin.return
//	=> st.release.gpu                                               F07b
//
// A fence has an acquire and a release half in each of two address spaces.
// A half goes if the facts of fence_flow.go say that others do its work; the
// fence goes with its last half. Neighbours that remain become their join,
// release fences moving down and acquire fences up to meet (L5), if that is
// no dearer on the target; and a fence that only some of the ways to or from
// it need moves onto those. No path ever executes more fences than before.
var fenceElidePass = &Pass{
	Name: "fence-elide", Doc: "Remove fences that other fences, orders or barriers cover, or that nothing needs.",
	Options: []Option{
		{Name: "merge", Doc: "join neighbouring fences: never, where the target gains, or always", Default: mergeCost, Words: []string{"never", "cost", "always"}},
		{Name: "motion", Doc: "move fences onto the paths that need them", Default: 1, Max: 1},
	},
	Stats: append([]string{"fences dropped", "fences weakened", "fences merged", "fences moved"}, fenceStats()...),
	Needs: PISA, Keeps: analysis.KeepAll,
	Func: fenceElide,
}

const (
	mergeNever = iota
	mergeCost
	mergeAlways
)

const (
	fenceDropped = iota
	fenceWeakened
	fenceMerged
	fenceMoved
	fencesBefore // + fenceKind
)

// fenceKinds is every order and scope, for statistics; fence.subgroup has
// one order.
const fenceKinds = 4*3 + 1

func fenceKind(f fenceSet) int {
	if f.scope == pisa.Subgroup {
		return fenceKinds - 1
	}
	return int(f.memOrder()-pisa.Acquire)*3 + int(f.scope-pisa.Workgroup)
}

func fenceStats() (names []string) {
	for _, when := range [...]string{"before", "after"} {
		for o := pisa.Acquire; o <= pisa.SeqCst; o++ {
			for s := pisa.Workgroup; s <= pisa.System; s++ {
				names = append(names, "fence."+orderWords[o]+"."+scopeWords[s]+" "+when)
			}
		}
		names = append(names, "fence.subgroup "+when)
	}
	return names
}

type fenceElider struct {
	c       *Ctx
	f       *ir.Func
	flow    *fenceFlow
	changed bool
	stopped bool
	kept    map[*ir.Op]keep
}

// keep is why a fence stays: what needs its halves.
type keep struct{ acquire, release fact }

// maxFenceRounds bounds the repetition: each round but the last removes something,
// and what a round leaves for the next is rare.
const maxFenceRounds = 8

// maxMotions bounds how many fences of a function move, as each move costs a
// new solution of the flow.
const maxMotions = 32

func fenceElide(c *Ctx, f *ir.Func) bool {
	if !hasFence(f) {
		return false
	}
	x := &fenceElider{c: c, f: f, flow: newFenceFlow(c.Cache, f)}
	if x.flow.fences == 0 {
		return false
	}
	x.count(fencesBefore)
	x.reduce()
	for n := 0; n < maxMotions && c.Opt(1) != 0 && !x.stopped && x.move(); n++ {
		x.reduce()
	}
	if c.Opt(0) != mergeNever && !x.stopped && x.merge() {
		x.reduce()
	}
	x.count(fencesBefore + fenceKinds)
	x.tellKept()
	return x.changed
}

func (x *fenceElider) count(stat int) {
	for _, b := range x.flow.rpo {
		for i := range x.flow.events[b.ID] {
			if e := &x.flow.events[b.ID][i]; e.kind == eventFence {
				x.c.Count(stat+fenceKind(fenceOf(e.op.Props)), 1)
			}
		}
	}
}

// reduce drops halves until nothing changes.
func (x *fenceElider) reduce() {
	for range maxFenceRounds {
		x.kept = map[*ir.Op]keep{}
		n := x.sweep(true)
		if !x.stopped {
			n += x.sweep(false)
		}
		if n == 0 || x.stopped {
			return
		}
	}
}

// sweep drops what the facts of one direction make dead. A fence that goes
// does not change them, as they already imply what it adds.
func (x *fenceElider) sweep(forward bool) (n int) {
	if forward {
		x.flow.solveForward()
	} else {
		x.flow.solveBackward()
	}
	for _, b := range x.flow.rpo {
		n += x.block(b, forward)
		if x.stopped {
			return n
		}
	}
	return n
}

func (x *fenceElider) block(b *ir.Block, forward bool) (n int) {
	events := x.flow.events[b.ID]
	now := x.flow.in[b.ID]
	if !forward {
		now = x.flow.out[b.ID]
	}
	for k := range events {
		i := k
		if !forward {
			i = len(events) - 1 - k
		}
		e := &events[i]
		if e.kind == eventFence {
			rest, why := x.needed(e, &now, forward)
			if rest != e.f && x.replace(e, rest, why) {
				n++
			}
			if x.stopped {
				break
			}
		}
		if e.op == nil {
			continue
		}
		if forward {
			now.forward(e)
		} else {
			now.backward(e)
		}
	}
	x.flow.events[b.ID] = compact(events)
	return n
}

// compact leaves out events whose op is gone.
func compact(events []event) []event {
	out := events[:0]
	for i := range events {
		if events[i].op != nil {
			out = append(out, events[i])
		}
	}
	return out
}

// needed is what of a fence remains in the light of the facts on one side, and
// why the rest may go.
func (x *fenceElider) needed(e *event, a *facts, forward bool) (fenceSet, string) {
	f := e.f
	near, far := acquireHalf, releaseHalf
	if !forward {
		near, far = releaseHalf, acquireHalf
	}
	var left [numSpaces]halves
	why := ""
	for i := range numSpaces {
		if f.cover>>i&1 == 0 {
			continue
		}
		h := f.order
		switch {
		case a[factNone].scope == anyScope:
			// F11c, F11g: nothing before, or behind, that a fence orders.
			h, why = 0, sided(forward, "nothing is accessed before it since the kernel began (F11, F11b, F11c)", "nothing is accessed behind it before the kernel ends (F11e, F11f, F11g)")
		case !guardSeqCst.holds(!f.seqCst()):
			if a[factSeqCst+i].scope >= f.scope {
				h, why = 0, "a seq_cst fence or a barrier beside it is as wide (F01, F03, F09m, F09n)"
			}
		default:
			h &= bothHalves
			if h&near != 0 && a[factAtomics+i].scope >= f.scope {
				h &^= near
				why = sided(forward, "each atomic read before it is an acquire, or an acquire fence follows it (F08b, F10e, F10f, F11)",
					"each atomic write behind it is a release, or a release fence precedes it (F07b, F10c, F11e)")
			}
			if h == far && a[factAdjacent+i].scope >= f.scope {
				h = 0
				why = sided(forward, "a fence or barrier before it does its work (F01, F03, F05c, F09b)", "a fence or barrier behind it does its work (F01, F03, F05d, F09n)")
			}
		}
		if i == 1 && h != 0 && guardShared.holds(!x.flow.shared && a[factAtomics+i].scope == anyScope) {
			h, why = 0, sided(forward, "the kernel accesses no shared memory, and no atomic read precedes it (F06b)", "the kernel accesses no shared memory, and no atomic write follows it (F06b)")
		}
		left[i] = h
	}
	k := x.kept[e.op]
	if forward {
		k.acquire = blame(a, f)
	} else {
		k.release = blame(a, f)
	}
	x.kept[e.op] = k
	rest := fenceSet{scope: f.scope}
	for i, h := range left {
		if h != 0 { // F06, F06d: a fence is one for each space
			rest.order |= h
			rest.cover |= 1 << i
		}
	}
	return rest, why
}

// blame is the narrowest of the facts about atomics that f is held to.
func blame(a *facts, f fenceSet) fact {
	out := fact{scope: anyScope}
	for i := range numSpaces {
		if f.cover>>i&1 != 0 && a[factAtomics+i].scope < out.scope {
			out = a[factAtomics+i]
		}
	}
	return out
}

func sided(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// replace makes e's fence do what rest says, or no less where PISA has no form
// for that. It reports whether e now stands for less than before.
func (x *fenceElider) replace(e *event, rest fenceSet, why string) bool {
	old := e.f
	if rest.empty() {
		if x.stopped = !x.c.May(); x.stopped {
			return false
		}
		x.changed = true
		x.c.Remark(Passed, "FenceDropped", x.f, e.op.Loc, "%s dropped: %s", old, why)
		x.c.Count(fenceDropped, 1)
		delete(x.kept, e.op)
		e.op.Erase()
		e.op = nil
		x.flow.fences--
		return true
	}
	if p, ok := rest.props(); ok && old.scope != pisa.Subgroup {
		if x.stopped = !x.c.May(); x.stopped {
			return false
		}
		x.changed = true
		e.op.Props = p
		x.c.Remark(Passed, "FenceWeakened", x.f, e.op.Loc, "%s is now %s: %s", old, rest, why)
		x.c.Count(fenceWeakened, 1)
	}
	e.f = rest
	return true
}

// tellKept says of each fence that remains what needs it.
func (x *fenceElider) tellKept() {
	if !x.c.WantsRemarks() {
		return
	}
	for _, b := range x.flow.rpo {
		for i := range x.flow.events[b.ID] {
			e := &x.flow.events[b.ID][i]
			if e.kind != eventFence {
				continue
			}
			f := e.f
			k := x.kept[e.op]
			why := ""
			switch {
			case f.seqCst():
				why = "only another seq_cst fence does what it does (F14, F14b, F14c)"
			case f.order&releaseHalf != 0 && k.release.why != nil && k.release.scope < f.scope:
				why = opText(k.release.why) + " needs it (F07, F10d)"
			}
			if f.order&acquireHalf != 0 && !f.seqCst() && k.acquire.why != nil && k.acquire.scope < f.scope {
				if why != "" {
					why += "; "
				}
				why += opText(k.acquire.why) + " needs it (F08, F10g)"
			}
			if why == "" {
				why = "what calls the function may need it (rule 5)"
			}
			x.c.Remark(Missed, "FenceKept", x.f, e.op.Loc, "%s kept: %s", f, why)
		}
	}
}
