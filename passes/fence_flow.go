package passes

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// What fences a function needs: two dataflow problems, one along control flow
// and one against it. Both find the greatest solution, so that they hold on
// all paths.
//
// Forward, at a point, for each address space:
//
//	reads  the scope at which every atomic read so far is an acquire, or was
//	       followed by an acquire fence (L3)
//	clean  the scope of a release fence with no access since (L2)
//	sc     the scope of a seq_cst fence with no access since
//	none   nothing was accessed since the kernel began
//
// Backward the same of the future: writes (L4), an acquire fence ahead with no
// access before it, a seq_cst fence, nothing up to the end.
const (
	factAtomics  = 0             // + space: reads, or writes
	factAdjacent = numSpaces     // + space: clean, or ahead
	factSeqCst   = 2 * numSpaces // + space
	factNone     = 3 * numSpaces
	numFacts     = factNone + 1
)

// fact is a scope up to which something holds, and the op that is to blame
// that it is no wider.
type fact struct {
	scope pisa.Scope
	why   *ir.Op
}

type facts [numFacts]fact

// meet is what holds if both hold.
func (a *facts) meet(b *facts) {
	for i := range a {
		if b[i].scope < a[i].scope {
			a[i] = b[i]
		}
	}
}

// sameScopes compares facts; the blame does not count.
func (a *facts) sameScopes(b *facts) bool {
	for i := range a {
		if a[i].scope != b[i].scope {
			return false
		}
	}
	return true
}

func (a *facts) raise(i int, s pisa.Scope) {
	if a[i].scope < s {
		a[i].scope = s
	}
}

func (a *facts) lower(i int, s pisa.Scope, why *ir.Op) {
	if a[i].scope > s {
		a[i] = fact{s, why}
	}
}

// accessed takes account of an access: what is adjacent ends there.
func (a *facts) accessed(why *ir.Op) {
	for i := factAdjacent; i < numFacts && !guardAccessBetween.holds(false); i++ {
		a.lower(i, pisa.NoScope, why)
	}
}

// unknown is what holds beyond a call, or outside of a device function.
func unknown(why *ir.Op) (f facts) {
	for i := range f {
		f[i].why = why
	}
	return f
}

// nothing is what holds before a kernel's first op and behind its last.
func nothing() (f facts) {
	for i := range f {
		f[i].scope = anyScope
	}
	return f
}

// event is an op that the flow looks at.
type event struct {
	op          *ir.Op
	kind        eventKind
	f           fenceSet // of a fence: what must stay of it; the op may do more
	reads       bool     // atomically
	writes      bool     // atomically
	acquires    pisa.Scope
	releases    pisa.Scope
	noEarlyExit bool // of a barrier: no work-item may end before it
}

type eventKind uint8

const (
	eventAccess eventKind = iota
	eventFence
	eventBarrier
	eventCall
)

// fenceFlow holds the events of a function and the facts at block boundaries.
type fenceFlow struct {
	f      *ir.Func
	dom    *ir.Dom
	rpo    []*ir.Block
	events [][]event // by Block.ID
	in     []facts   // by Block.ID, before the first op, of the forward problem
	out    []facts   // by Block.ID, behind the last op, of the backward problem
	// shared reports that the kernel may access shared memory, or calls
	// something that may.
	shared bool
	fences int
}

func hasFence(f *ir.Func) bool {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code == pisa.Fence {
				return true
			}
		}
	}
	return false
}

// newFenceFlow collects the events of f.
func newFenceFlow(c *analysis.Cache, f *ir.Func) *fenceFlow {
	w := &fenceFlow{f: f, dom: c.Dom(), rpo: c.Dom().RPO()}
	n := f.NumBlockIDs()
	w.events, w.in, w.out = make([][]event, n), make([]facts, n), make([]facts, n)
	w.shared = f.Kind != ir.FuncKernel
	last := lastBarrier(c, f, w.rpo)
	for _, b := range w.rpo {
		for op := b.First(); op != nil; op = op.Next() {
			if e, ok := w.event(c, op); ok {
				e.noEarlyExit = e.kind == eventBarrier && last != nil && c.PostDom().PostDominates(last, b)
				w.events[b.ID] = append(w.events[b.ID], e)
			}
		}
	}
	return w
}

// event describes op; ok is false if the memory model does not care: accesses
// that no other work-item can see (L10), or of what is never written.
func (w *fenceFlow) event(c *analysis.Cache, op *ir.Op) (e event, ok bool) {
	e.op = op
	switch op.Code {
	case pisa.Fence:
		w.fences++
		e.kind, e.f = eventFence, fenceOf(op.Props)
		return e, true
	case pisa.BarrierWorkgroup:
		e.kind = eventBarrier
		return e, true
	}
	acc, isAccess := c.Alias().AccessOf(op)
	if !isAccess {
		e.kind = eventCall
		call := op.Def().Effects&ir.Calls != 0
		w.shared = w.shared || call
		return e, call
	}
	if acc.Private() || acc.Immutable() {
		return e, false
	}
	if acc.Ptr.Space != ir.SpaceGlobal {
		w.shared = true
	}
	if acc.Atomic {
		e.reads, e.writes = acc.Reads, acc.Writes
		scope := pisa.ScopeOf(op.Props)
		if e.reads && acc.Order.Acquires() {
			e.acquires = scope
		}
		if e.writes && acc.Order.Releases() {
			e.releases = scope
		}
	}
	return e, true
}

// lastBarrier returns a block with a barrier that every work-item of a kernel
// executes exactly once, the last if there are several. Before it no work-item
// can have ended when another comes to a barrier, as barriers that work-items
// do not execute together are undefined (PISA 9.1).
func lastBarrier(c *analysis.Cache, f *ir.Func, rpo []*ir.Block) (last *ir.Block) {
	if f.Kind != ir.FuncKernel {
		return nil
	}
	post, loops := c.PostDom(), c.Loops()
	for _, b := range rpo {
		if loops.Of(b) != nil || loops.Region(b) >= 0 || !post.PostDominates(b, f.Entry()) {
			continue
		}
		if last != nil && !post.PostDominates(b, last) {
			continue
		}
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code == pisa.BarrierWorkgroup {
				last = b
			}
		}
	}
	return last
}

// solveForward computes in.
func (w *fenceFlow) solveForward() {
	for _, b := range w.rpo {
		w.in[b.ID] = nothing()
	}
	for changed := true; changed; {
		changed = false
		for _, b := range w.rpo {
			s := w.entry(b)
			if !s.sameScopes(&w.in[b.ID]) {
				changed = true
			}
			w.in[b.ID] = s
		}
	}
}

// entry is what holds before b by what holds behind its predecessors.
func (w *fenceFlow) entry(b *ir.Block) facts {
	s := nothing()
	if b == w.f.Entry() && w.f.Kind != ir.FuncKernel {
		s = unknown(nil)
	}
	for e := b.FirstPred(); e != nil; e = e.NextPred() {
		if w.dom.Reachable(e.From()) {
			p := w.behind(e.From())
			s.meet(&p)
		}
	}
	return s
}

// behind is what holds behind b, forward.
func (w *fenceFlow) behind(b *ir.Block) facts {
	s := w.in[b.ID]
	for i := range w.events[b.ID] {
		s.forward(&w.events[b.ID][i])
	}
	return s
}

// solveBackward computes out.
func (w *fenceFlow) solveBackward() {
	for _, b := range w.rpo {
		w.out[b.ID] = nothing()
	}
	for changed := true; changed; {
		changed = false
		for i := len(w.rpo) - 1; i >= 0; i-- {
			b := w.rpo[i]
			s := w.exit(b)
			if !s.sameScopes(&w.out[b.ID]) {
				changed = true
			}
			w.out[b.ID] = s
		}
	}
}

// exit is what holds behind b by what holds before its successors.
func (w *fenceFlow) exit(b *ir.Block) facts {
	s := nothing()
	if b.NumSuccs() == 0 && (w.f.Kind != ir.FuncKernel || b.Last().Code != builtin.Return) {
		s = unknown(b.Last())
	}
	for i := range b.NumSuccs() {
		p := w.before(b.Succ(i))
		s.meet(&p)
	}
	return s
}

// before is what holds before b, backward.
func (w *fenceFlow) before(b *ir.Block) facts {
	s := w.out[b.ID]
	for i := len(w.events[b.ID]) - 1; i >= 0; i-- {
		s.backward(&w.events[b.ID][i])
	}
	return s
}

// forward is the effect of e on what holds before it.
func (a *facts) forward(e *event) {
	switch e.kind {
	case eventCall:
		*a = unknown(e.op)
	case eventBarrier:
		a.barrier(e)
	case eventFence:
		a.fence(e.f, e.op, acquireHalf, releaseHalf)
	default:
		a.accessed(e.op)
		if e.reads {
			a.atomic(e.acquires, e.op)
		}
	}
}

// backward is the effect of e on what holds behind it.
func (a *facts) backward(e *event) {
	switch e.kind {
	case eventCall:
		*a = unknown(e.op)
	case eventBarrier:
		a.barrier(e)
		for i := range numSpaces { // F09: a release half needs no more
			a.raise(factAtomics+i, pisa.Workgroup)
			if !guardEarlyExit.holds(e.noEarlyExit) {
				a.lower(factAdjacent+i, pisa.NoScope, e.op)
			}
		}
	case eventFence:
		a.fence(e.f, e.op, releaseHalf, acquireHalf)
	default:
		a.accessed(e.op)
		if e.writes {
			a.atomic(e.releases, e.op)
		}
	}
}

// atomic takes account of an atomic read, or write, that is ordered at scope;
// an ordered access covers both spaces.
func (a *facts) atomic(scope pisa.Scope, op *ir.Op) {
	for i := range numSpaces {
		g := guardScope
		if scope == pisa.NoScope {
			g = guardRelaxed
		}
		if !g.holds(false) {
			a.lower(factAtomics+i, scope, op)
		}
	}
}

// barrier is a release and an acquire of both spaces within the work-group
// (L9), the latter only if no work-item may have ended before it (F09m, F09n).
// What precedes it, wider fences among it, is not adjacent to what follows.
func (a *facts) barrier(e *event) {
	a.accessed(e.op)
	for i := range numSpaces {
		s := pisa.Workgroup
		if guardBarrierScope.holds(false) {
			s = anyScope
		}
		a.raise(factAdjacent+i, s)
		if guardEarlyExit.holds(e.noEarlyExit) {
			a.raise(factAtomics+i, s)
			a.raise(factSeqCst+i, s)
		}
	}
}

// fence takes account of a fence: near is the half that atomics need on the
// side that has been walked, far the other, which what comes may find adjacent.
func (a *facts) fence(f fenceSet, op *ir.Op, near, far halves) {
	for i := range numSpaces {
		if !guardSpace.holds(f.cover>>i&1 != 0) {
			continue
		}
		// A near half that matters comes between: release;acquire does less
		// than acq_rel (F02d).
		live := f.order&near != 0 && (f.seqCst() || a[factAtomics+i].scope < f.scope)
		if !guardHalfBetween.holds(!live) {
			a.lower(factAdjacent+i, pisa.NoScope, op)
		}
		if f.order&far != 0 {
			a.raise(factAdjacent+i, f.scope)
		}
		if f.order&near != 0 {
			a.raise(factAtomics+i, f.scope)
		}
		switch {
		case f.seqCst():
			a.raise(factSeqCst+i, f.scope)
		case f.scope > a[factSeqCst+i].scope:
			a.lower(factSeqCst+i, pisa.NoScope, op)
		}
	}
}
