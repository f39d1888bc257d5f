package passes

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Aggregation: the lanes of a sub-group that execute an atomic operation on
// one address together elect one of them to do it for all.
//
//	%old = pisa.iatom.global.relaxed.add.32b [%p], %x : 32b
//	=> %m = pisa.sreg.activemask ; %l = pisa.redfirstidx %m
//	   %s = pisa.ired.sum 0, %x, %m
//	   if laneid == %l: %o = pisa.iatom.global.relaxed.add.32b [%p], %s
//	   %old = pisa.shfl.idx %o from %l, + the sum of %x over lower lanes of %m
//
// What lanes that are not active would add does not count, whether they took
// another way or have ended: the mask says who takes part. How operands of 16,
// 32 and 64 bits combine, with and without results, is in atomic_lanes.go.
//
// As lanes are work-items of their own in the memory model, the rewrite is
// sound only where an operation of another work-item does as well (catalogue,
// AGG): it is relaxed, no release precedes it, which the leader would not
// publish, and no acquire follows, which the leader's read would not serve; no
// other atomic access may touch the location, unless it commutes and nobody
// looks at either result.

// aggregatable is what analysis says about a function as a whole.
type aggregatable struct {
	released []bool // by Block.ID: a release may precede the block's first op
	acquired []bool // by Block.ID: an acquire may follow the block's last op
	atomics  []*ir.Op
	calls    bool
}

// aggregate rewrites every operation that may be.
func (x *coalescer) aggregate() {
	if !guardKernel.holds(x.f.Kind == ir.FuncKernel) {
		return // a caller may order what the function does
	}
	uni := x.c.Uniformity(analysis.SubgroupLevel)
	g := x.survey()
	var todo []*ir.Op
	for _, op := range g.atomics {
		if why := x.refuse(g, uni, op); why != "" {
			if why != notShared {
				x.c.Remark(Missed, "AtomicNotAggregated", x.f, op.Loc, "%s not aggregated: %s", opText(op), why)
			}
			continue
		}
		todo = append(todo, op)
	}
	same := make([]bool, len(todo)) // operand is the same for all
	for i, op := range todo {
		if n := len(addressOf(op)); op.NumOperands() > n {
			same[i] = !uni.UseDivergent(&op.Operands()[n])
		} else {
			same[i] = true
		}
	}
	for i, op := range todo {
		if x.stopped = !x.c.May(); x.stopped {
			return
		}
		x.c.Remark(Passed, "AtomicAggregated", x.f, op.Loc, "%s is done once for a sub-group", opText(op))
		x.c.Count(atomicsAggregated, 1)
		x.changed = true
		x.elect(op, same[i])
	}
}

// survey finds the atomics and what may precede and follow each block.
func (x *coalescer) survey() *aggregatable {
	n := x.f.NumBlockIDs()
	g := &aggregatable{released: make([]bool, n), acquired: make([]bool, n)}
	rpo := x.c.Dom().RPO()
	var rel, acq []*ir.Block
	for _, b := range rpo {
		r, a := false, false
		for op := b.First(); op != nil; op = op.Next() {
			acquires, releases := orders(op)
			r, a = r || releases, a || acquires
			g.calls = g.calls || op.Def().Effects&ir.Calls != 0
			if acc, ok := x.c.Alias().AccessOf(op); ok && acc.Atomic {
				g.atomics = append(g.atomics, op)
			}
		}
		if r {
			rel = append(rel, b)
		}
		if a {
			acq = append(acq, b)
		}
	}
	for len(rel) > 0 {
		b := rel[len(rel)-1]
		rel = rel[:len(rel)-1]
		for i := range b.NumSuccs() {
			if s := b.Succ(i); !g.released[s.ID] {
				g.released[s.ID] = true
				rel = append(rel, s)
			}
		}
	}
	for len(acq) > 0 {
		b := acq[len(acq)-1]
		acq = acq[:len(acq)-1]
		for e := b.FirstPred(); e != nil; e = e.NextPred() {
			if p := e.From(); !g.acquired[p.ID] {
				g.acquired[p.ID] = true
				acq = append(acq, p)
			}
		}
	}
	return g
}

// orders reports whether op, a fence or an access, acquires and releases. A
// barrier orders all lanes alike, the leader too.
func orders(op *ir.Op) (acquires, releases bool) {
	switch op.Code {
	case pisa.Fence:
		f := fenceOf(op.Props)
		return f.order&acquireHalf != 0, f.order&releaseHalf != 0
	case pisa.Ld, pisa.St, pisa.IAtom, pisa.FAtom:
		o := pisa.OrderOf(op.Props)
		return o.Acquires() && op.Code != pisa.St, o.Releases() && op.Code != pisa.Ld || o == pisa.SeqCst
	}
	return false, false
}

// notShared is no reason to tell: an atomic that nobody would aggregate.
const notShared = "-"

// refuse says why op is not aggregated; empty if it may be.
func (x *coalescer) refuse(g *aggregatable, uni *analysis.Uniformity, op *ir.Op) string {
	if op.Code != pisa.IAtom && op.Code != pisa.FAtom {
		return notShared
	}
	r := ruleOf(op)
	addr := len(addressOf(op))
	for i := range addr {
		if !guardOneAddress.holds(!uni.UseDivergent(&op.Operands()[i])) {
			return "the address may differ from lane to lane"
		}
	}
	used := op.Result(0).HasUses()
	varies := op.NumOperands() > addr && uni.UseDivergent(&op.Operands()[addr])
	w := x.f.ReqdWorkGroupSize
	switch {
	case r.kind == kindNone || r.kind == kindXchg:
		return "the operation is none that lanes can combine"
	case op.Code == pisa.FAtom && !guardFloat.holds(x.c.FastFPAtomics()):
		return "sums of floats depend on the order of the lanes (--fp-atomics=fast)"
	case r.kind == kindFAdd && !guardFloatResult.holds(!used):
		return "each lane's result is a sum of floats in the order of the lanes"
	case !guardLaneOrder.holds(pisa.OrderOf(op.Props) <= pisa.Relaxed):
		return "its order is that of each lane (AGG)"
	case w != [3]uint32{} && w[0]*w[1]*w[2] < fewLanes || few(x.c, uni, op.Block()):
		return "few lanes can be active"
	case !guardCalls.holds(!g.calls):
		return "a call may order accesses"
	case varies && (used || r.kind == kindFAdd) && x.c.Opt(2) == 0:
		return "lanes would have to scan those before them (scan=0)"
	}
	if why := g.ordered(op); why != "" {
		return why
	}
	return x.interferes(g, op)
}

// fewLanes is how many lanes pay for electing one of them.
const fewLanes = 4

// ordered says what release may precede, or acquire follow op.
func (g *aggregatable) ordered(op *ir.Op) string {
	const before, after = "a release may precede it, which only its own lane's operation publishes (AGG)",
		"an acquire may follow it, which only its own lane's operation serves (AGG)"
	if !guardReleased.holds(!g.released[op.Block().ID]) {
		return before
	}
	if !guardAcquired.holds(!g.acquired[op.Block().ID]) {
		return after
	}
	for o := op.Block().First(); o != op; o = o.Next() {
		if _, releases := orders(o); !guardReleased.holds(!releases) {
			return before
		}
	}
	for o := op.Next(); o != nil; o = o.Next() {
		if acquires, _ := orders(o); !guardAcquired.holds(!acquires) {
			return after
		}
	}
	return ""
}

// maxAtomics bounds how many atomics of a function are compared with each.
const maxAtomics = 64

// interferes says which other atomic may touch the location of op. A weak
// access to it by another lane would be a race.
func (x *coalescer) interferes(g *aggregatable, op *ir.Op) string {
	if len(g.atomics) > maxAtomics {
		return "the function has too many atomics"
	}
	alias := x.c.Alias()
	acc, _ := alias.AccessOf(op)
	for _, o := range g.atomics {
		other, _ := alias.AccessOf(o)
		switch {
		case o != op && x.distinctEverywhere(&acc, &other):
			continue
		case o != op:
		case !guardLoopResult.holds(!op.Result(0).HasUses() || !x.inLoop(op.Block())):
			return "in a loop, one lane's operation may be done by different leaders, out of the order that its results show"
		default:
			continue
		}
		commutes := o.Code == op.Code && ruleOf(o).kind == ruleOf(op).kind && !o.Result(0).HasUses() && !op.Result(0).HasUses()
		if !guardOnlyCommute.holds(commutes) {
			return opText(o) + " may touch the same location"
		}
	}
	return ""
}

func (x *coalescer) inLoop(b *ir.Block) bool {
	return x.c.Loops().Of(b) != nil || x.c.Loops().Region(b) >= 0
}

// distinctEverywhere is that two accesses never touch one location, whatever
// iterations they are of: their addresses differ by a constant and have no
// terms that change in a loop, or they are of different objects.
func (x *coalescer) distinctEverywhere(a, b *analysis.Access) bool {
	if x.c.Alias().Alias(a, b) != analysis.NoAlias {
		return false
	}
	for _, p := range [...]*analysis.Pointer{&a.Ptr, &b.Ptr} {
		for i := range p.N {
			if v := p.Terms[i].Value; x.inLoop(v.Block()) {
				return a.Ptr.Root != b.Ptr.Root || a.Ptr.Space != b.Ptr.Space
			}
		}
	}
	return true
}

// few reports a block that is executed only by lanes for which something
// equals something: in general one lane, a leader elected before among them.
func few(c *Ctx, uni *analysis.Uniformity, b *ir.Block) bool {
	const maxSteps = 64
	d := c.Dom()
	for n := 0; n < maxSteps && b != nil; n++ {
		up := d.Idom(b)
		if up == nil {
			return false
		}
		t := up.Last()
		if t.Code == builtin.CondBr && b.NumPreds() == 1 && b.FirstPred().From() == up {
			if cmp := t.Operand(0).Op(); cmp != nil && (cmp.Code == pisa.UCmp || cmp.Code == pisa.SCmp) {
				want := uint64(1) // which successor is of the few
				switch pisa.Cmp(pisa.OpOf(cmp.Props)) {
				case pisa.EQ:
					want = 0
				case pisa.NE:
				default:
					want = 2
				}
				if uint64(b.FirstPred().Index()) == want && uni.UseDivergent(&cmp.Operands()[0]) != uni.UseDivergent(&cmp.Operands()[1]) {
					return true
				}
			}
		}
		b = up
	}
	return false
}

// elect rewrites op; same says that its operand is the same for all lanes.
func (x *coalescer) elect(op *ir.Op, same bool) {
	x.bl.Before(op)
	x.bl.Loc = op.Loc
	l := x.together(op, same)
	used := op.Result(0).HasUses()
	leader, all, below := l.combine(used)
	cond := x.compare(l.lane, leader)
	b := op.Block()
	join := x.f.NewBlockBefore(b.Next())
	do := x.f.NewBlockBefore(join)
	for o := op.Next(); o != nil; {
		next := o.Next()
		o.MoveToEnd(join)
		o = next
	}
	props := op.Props
	if l.r.kind == kindAdd { // inc and dec have no operand
		sum := pisa.AtomAdd
		if l.r.apply == pisa.ISub {
			sum = pisa.AtomSub
		}
		props = pisa.FOp.Set(props, uint64(sum))
	}
	addr, aux, code := addressOf(op), op.Aux, op.Code
	var first, other []*ir.Value
	var got *ir.Value
	if used {
		other = []*ir.Value{pisa.MakeConst(&x.bl, l.t, 0)}
		got = join.AddArg(l.t)
	}
	x.bl.AtEnd(do)
	u := x.bl.OpResults(code, props, aux, []ir.Type{l.t}, append(addr, all)...)
	if used {
		first = []*ir.Value{u.Result(0)}
	}
	builtin.Jump(&x.bl, join, first...)
	if used {
		x.bl.Before(join.First())
		op.Result(0).ReplaceUses(l.result(l.shfl(got, leader), below))
	}
	op.Erase()
	x.bl.AtEnd(b)
	builtin.Branch(&x.bl, cond, ir.Target{To: do}, ir.Target{To: join, Args: other})
}
