package passes

import (
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Ordered accesses instead of fences.
//
//	%0 = pisa.ld.global.system.relaxed.32b [%p] ; pisa.fence.acquire.gpu
//	=> pisa.ld.global.acquire.system.32b [%p]                           S01b
//	pisa.fence.release.gpu ; pisa.st.global.relaxed.32b [%p], %x
//	=> pisa.st.global.release.system.32b [%p], %x                       S02b
//
// A fence's acquire half serves the atomic reads before it back to the next
// acquire fence that includes it, its release half the atomic writes behind
// it. If all of them become acquires, or releases, the half is dead (rules 2
// and 3 of the catalogue; S01e, S02d), and what remains is only stronger (L1).
// All or none: one relaxed access left behind would lose its ordering (S01,
// S02). The scope of an access becomes the join of its own and the fence's: a
// relaxed access has system scope unless the module says otherwise, and to
// narrow that may make a race (S01c, S03c). A seq_cst fence stays, as no access
// does its work (F14), and read-modify-writes have no seq_cst form.
//
// Whether it pays says the target's cost row: an acquiring load waits for
// itself where a fence waits for everything, but may invalidate more. Accesses
// that are executed more often than the fence, in a loop that waits for a flag
// for instance, stay relaxed.
var memorderStrengthenPass = &Pass{
	Name: "memorder-strengthen", Doc: "Make relaxed accesses ordered where the fence beside them then goes, and the target gains.",
	Options: []Option{
		{Name: "fences", Doc: "replace fences: always, where the target gains, or never", Default: strengthenCost, Words: []string{"always", "cost", "never"}},
	},
	Stats: []string{"accesses strengthened", "fences replaced", "fences weakened"},
	Needs: PISA, Keeps: analysis.KeepAll,
	Func: memorderStrengthen,
}

const (
	strengthenAlways = iota
	strengthenCost
	strengthenNever
)

const (
	accessesStrengthened = iota
	fencesReplaced
	fencesHalved
)

type strengthener struct {
	c       *Ctx
	f       *ir.Func
	flow    *fenceFlow
	loops   *analysis.Loops
	mode    target.Mode
	seen    []int32 // by Block.ID: the walk that saw the block whole
	walk    int32
	changed bool
	stopped bool
}

func memorderStrengthen(c *Ctx, f *ir.Func) bool {
	if c.Opt(0) == strengthenNever || !hasFence(f) {
		return false
	}
	x := &strengthener{c: c, f: f, flow: newFenceFlow(c.Cache, f)}
	if x.flow.fences == 0 {
		return false
	}
	x.loops, x.mode, x.seen = c.Loops(), c.Target.Modes()[0], make([]int32, f.NumBlockIDs())
	for _, b := range x.flow.rpo {
		for i := 0; i < len(x.flow.events[b.ID]) && !x.stopped; i++ {
			if e := &x.flow.events[b.ID][i]; e.kind == eventFence && !e.f.seqCst() {
				x.fence(b, i)
			}
		}
		x.flow.events[b.ID] = compact(x.flow.events[b.ID])
	}
	return x.changed
}

// served is the accesses that need a half of a fence.
type served struct {
	half   halves
	events []*event
	why    string // not empty: the half must stay
}

// fence replaces what halves of the fence it can: both, or one.
func (x *strengthener) fence(b *ir.Block, i int) {
	e := &x.flow.events[b.ID][i]
	var plans []served
	if e.f.order&acquireHalf != 0 {
		plans = append(plans, x.served(b, i, acquireHalf))
	}
	if e.f.order&releaseHalf != 0 {
		plans = append(plans, x.served(b, i, releaseHalf))
	}
	if len(plans) == 2 && plans[0].why == "" && plans[1].why == "" && x.replace(b, e, plans...) {
		return // S04b
	}
	for k := range plans {
		if e.op == nil || x.stopped {
			return
		}
		if plans[k].why != "" {
			x.c.Remark(Missed, "FenceNotReplaced", x.f, e.op.Loc, "%s not replaced: %s", e.f, plans[k].why)
			continue
		}
		x.replace(b, e, plans[k])
	}
}

// maxServed bounds how many accesses take over the work of one fence, and
// maxWalk how many blocks and events a walk to find them visits.
const (
	maxServed = 8
	maxWalk   = 512
)

// served collects the atomic reads that reach the fence, event i of b, or the
// atomic writes that it reaches.
func (x *strengthener) served(b *ir.Block, i int, half halves) served {
	s := served{half: half}
	x.walk++
	f := x.flow.events[b.ID][i].f
	back := half == acquireHalf
	steps := 0
	work := []*ir.Block{b}
	for n := 0; len(work) > 0; n++ {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		events := x.flow.events[at.ID]
		k, first := 0, n == 0 // the fence's own block from the fence on; whole if met again
		if back {
			k = len(events) - 1
		}
		if first {
			k = i + 1
			if back {
				k = i - 1
			}
		} else if x.seen[at.ID] == x.walk {
			continue
		} else {
			x.seen[at.ID] = x.walk
		}
		steps++
		open := true
		for ; k >= 0 && k < len(events) && open && s.why == "" && steps <= maxWalk; k = next(k, back) {
			open = x.meets(&events[k], f, &s)
			steps++
		}
		if steps > maxWalk {
			s.why = "what it orders may be far away"
		}
		if s.why != "" {
			return s
		}
		if open && !x.beyond(at, back, &work) {
			s.why = "the function's caller may rely on it"
			return s
		}
	}
	return s
}

func next(k int, back bool) int {
	if back {
		return k - 1
	}
	return k + 1
}

// beyond adds the blocks that the walk goes to from at. It is false if the walk
// leaves a device function.
func (x *strengthener) beyond(at *ir.Block, back bool, work *[]*ir.Block) bool {
	if back {
		for p := at.FirstPred(); p != nil; p = p.NextPred() {
			if x.flow.dom.Reachable(p.From()) {
				*work = append(*work, p.From())
			}
		}
		return at != x.f.Entry() || x.f.Kind == ir.FuncKernel
	}
	for i := range at.NumSuccs() {
		*work = append(*work, at.Succ(i))
	}
	return at.NumSuccs() > 0 || x.f.Kind == ir.FuncKernel
}

// meets takes account of an event on the walk from fence f, and reports
// whether the walk goes on behind it.
func (x *strengthener) meets(e *event, f fenceSet, s *served) bool {
	switch e.kind {
	case eventCall:
		s.why = opText(e.op) + " may do what it orders"
		return false
	case eventBarrier:
		return f.scope > pisa.Workgroup || s.half == acquireHalf && !e.noEarlyExit
	case eventFence:
		return e.op == nil || !guardWalkScope.holds(e.f.includes(fenceSet{s.half, f.scope, f.cover}))
	}
	needs, has := e.reads, e.acquires
	if s.half == releaseHalf {
		needs, has = e.writes, e.releases
	}
	if !needs || has >= f.scope || len(s.events) > 0 && guardAll.holds(false) {
		return true
	}
	for _, o := range s.events {
		if o == e {
			return true
		}
	}
	if s.events = append(s.events, e); len(s.events) > maxServed {
		s.why = "it orders too many accesses"
	}
	return true
}

// replace makes all accesses of the plans do the fence's work, if that pays.
func (x *strengthener) replace(b *ir.Block, e *event, plans ...served) bool {
	rest := e.f
	n := 0
	for _, p := range plans {
		rest.order &^= p.half
		n += len(p.events)
	}
	props, ok := rest.props()
	if n == 0 || !rest.empty() && (!ok || rest.scope == pisa.Subgroup) {
		return false // fence-elide drops what orders nothing
	}
	orders := x.strengthened(e.f, plans)
	before, after := e.f.cost(x.c.Target), rest.cost(x.c.Target)
	for _, o := range orders {
		if x.loops.Depth(o.e.op.Block()) > x.loops.Depth(b) {
			x.c.Remark(Missed, "FenceNotReplaced", x.f, e.op.Loc, "%s not replaced: %s is in a loop that it is not in", e.f, opText(o.e.op))
			return false
		}
		before += x.cost(o.e.op, o.e.op.Props)
		after += x.cost(o.e.op, o.props)
	}
	if x.c.Opt(0) == strengthenCost && after >= before {
		x.c.Remark(Missed, "FenceNotReplaced", x.f, e.op.Loc, "%s not replaced: with ordered accesses the cost is %d, not %d (%s)", e.f, after, before, x.mode.Name)
		return false
	}
	if x.stopped = !x.c.May(); x.stopped {
		return false
	}
	for _, o := range orders {
		x.c.Remark(Passed, "OrderStrengthened", x.f, o.e.op.Loc, "%s does the work of %s (S01b, S01e, S02b, S02d, S04, S04b)", opText(o.e.op), opText(e.op))
		o.e.op.Props = o.props
		o.e.acquires, o.e.releases = o.acquires, o.releases
		x.c.Count(accessesStrengthened, 1)
	}
	x.changed = true
	if rest.empty() {
		x.c.Count(fencesReplaced, 1)
		x.c.Remark(Passed, "FenceReplaced", x.f, e.op.Loc, "%s replaced by ordered accesses", e.f)
		e.op.Erase()
		e.op = nil
		return true
	}
	x.c.Count(fencesHalved, 1)
	x.c.Remark(Passed, "FenceReplaced", x.f, e.op.Loc, "%s is now %s, ordered accesses do the rest", e.f, rest)
	e.op.Props, e.f = props, rest
	return true
}

// strongAccess is an access as it is to be.
type strongAccess struct {
	e                  *event
	props              uint64
	acquires, releases pisa.Scope
}

// strengthened is the accesses of the plans with the halves that they take
// over; a read-modify-write may be in two.
func (x *strengthener) strengthened(f fenceSet, plans []served) (out []strongAccess) {
	for _, p := range plans {
		for _, e := range p.events {
			k := 0
			for k < len(out) && out[k].e != e {
				k++
			}
			if k == len(out) {
				out = append(out, strongAccess{e, e.op.Props, e.acquires, e.releases})
			}
			o := &out[k]
			scope := max(f.scope, pisa.ScopeOf(o.props))
			if guardNarrow.holds(false) {
				scope = f.scope
			}
			if p.half == acquireHalf {
				o.acquires = scope
			} else {
				o.releases = scope
			}
			// One scope is written for both halves: it widens the other.
			if o.acquires != 0 {
				o.acquires = scope
			}
			if o.releases != 0 {
				o.releases = scope
			}
			order := pisa.AcqRel
			switch {
			case o.releases == 0:
				order = pisa.Acquire
			case o.acquires == 0:
				order = pisa.Release
			}
			if pisa.OrderOf(o.props) == pisa.SeqCst {
				order = pisa.SeqCst // at a wider scope
			}
			o.props = pisa.FScope.Set(pisa.FOrder.Set(o.props, uint64(order)), uint64(scope))
		}
	}
	return out
}

// cost is about what an access costs with the order that props say.
func (x *strengthener) cost(op *ir.Op, props uint64) int {
	class := target.ClassLoad
	switch op.Code {
	case pisa.St:
		class = target.ClassStore
	case pisa.IAtom, pisa.FAtom:
		class = target.ClassRMWNoRet
		if op.Result(0).HasUses() {
			class = target.ClassRMW
		}
	}
	space := pisa.SpaceOf(props)
	if space == ir.SpaceNone {
		space = ir.SpaceGeneric
	}
	o := pisa.OrderOf(props)
	if op.Code == pisa.IAtom || op.Code == pisa.FAtom {
		o = max(o, pisa.Relaxed)
	}
	return x.mode.Cost(x.mode.Sequence(class, space, o, pisa.ScopeOf(props)))
}
