package passes

import (
	"fmt"

	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// crossing is what a weak access moves across.
type crossing uint8

const (
	crossWeak crossing = iota
	crossLdRelaxed
	crossStRelaxed
	crossAtomRelaxed
	crossLdAcquire
	crossAtomAcquire
	crossFenceAcquire
	crossStRelease
	crossAtomRelease
	crossFenceRelease
	crossAtomBoth
	crossFenceBoth
	crossFenceSubgroup
	crossBarrier
	crossLdSeqCst
	crossStSeqCst
	crossCall
)

// crossings is which way a weak access to other bytes may move across what
// (lemma L6). Of the rules V02 the id is V02.ld;<name>;ld->v2 first for loads
// that the second moves up in, last for the first moving down, likewise with
// st.
var crossings = [...]struct {
	name     string
	up, down bool
}{
	crossWeak:          {"weak", true, true},
	crossLdRelaxed:     {"ld.rlx", true, true},
	crossStRelaxed:     {"st.rlx", true, true},
	crossAtomRelaxed:   {"atom.rlx", true, true},
	crossLdAcquire:     {"ld.acq", false, true},
	crossAtomAcquire:   {"atom.acq", false, true}, // as ld.acq: L6 is about the order
	crossFenceAcquire:  {"F.acq", false, true},
	crossStRelease:     {"st.rel", true, false},
	crossAtomRelease:   {"atom.rel", true, false}, // as st.rel
	crossFenceRelease:  {"F.rel", true, false},
	crossAtomBoth:      {"atom.ar", false, false},
	crossFenceBoth:     {"F.acq_rel", false, false},
	crossFenceSubgroup: {"fence.subgroup", false, false}, // an execution point of the sub-group
	crossBarrier:       {"bar", false, false},
	crossLdSeqCst:      {"ld.sc", false, false},
	crossStSeqCst:      {"st.sc", false, false},
	crossCall:          {"call", false, false},
}

// crossingOf classifies an op that accesses or orders memory.
func crossingOf(op *ir.Op) crossing {
	o := pisa.OrderOf(op.Props)
	switch op.Code {
	case pisa.Ld:
		switch o {
		case pisa.Weak:
			return crossWeak
		case pisa.Relaxed:
			return crossLdRelaxed
		case pisa.Acquire:
			return crossLdAcquire
		}
		return crossLdSeqCst
	case pisa.St:
		switch o {
		case pisa.Weak:
			return crossWeak
		case pisa.Relaxed:
			return crossStRelaxed
		case pisa.Release:
			return crossStRelease
		}
		return crossStSeqCst
	case pisa.IAtom, pisa.FAtom:
		switch o {
		case pisa.Weak, pisa.Relaxed:
			return crossAtomRelaxed
		case pisa.Acquire:
			return crossAtomAcquire
		case pisa.Release:
			return crossAtomRelease
		}
		return crossAtomBoth
	case pisa.Fence:
		switch {
		case pisa.ScopeOf(op.Props) == pisa.Subgroup:
			return crossFenceSubgroup
		case o == pisa.Acquire:
			return crossFenceAcquire
		case o == pisa.Release:
			return crossFenceRelease
		}
		return crossFenceBoth
	case pisa.BarrierWorkgroup:
		return crossBarrier
	}
	return crossCall
}

// vmGuard is a condition that forbids a merge; the tests switch one off at a time
// and want to see it missed.
type vmGuard uint8

const (
	vmGuardAtomic vmGuard = iota
	vmGuardCache
	vmGuardOwnAlign
	vmGuardAlign
	vmGuardMixed
	vmGuardCall
	vmGuardOrder
	vmGuardAlias
	vmGuardUsed
	vmGuardValue
	vmGuardPressure
	vmGuardAdjacent
	vmGuardWrap
	vmGuardDisjoint
	vmGuardExit  // of a span: a way that ends between its blocks
	vmGuardLoop  // of a span: a loop between
	vmGuardEntry // of a span: a way into it from elsewhere
	vmGuardAddress
)

// vmGuardsOff is the set of guards that a test has switched off.
var vmGuardsOff uint32

func (v *vectorizer) guards(g vmGuard, forbidden bool) bool {
	return forbidden && vmGuardsOff>>g&1 == 0
}

// reason is why accesses did not become one.
type reason struct {
	text string
	by   *ir.Op // what stands between, if that is it
	kind crossing
	up   bool
}

func (r *reason) String() string {
	switch {
	case r.by == nil:
		return r.text
	case r.kind == crossCall:
		return "a call stands between, which may access the bytes or order memory"
	case r.text != "":
		return r.text + " " + r.by.Def().Name
	}
	way := "moves down across " + crossings[r.kind].name
	if r.up {
		way = "moves up across " + crossings[r.kind].name
	}
	return "no access " + way + " (rule V02)"
}

// blocks reports whether p cannot move across m, and notes why.
func (v *vectorizer) blocks(m *memOp, p *piece, up bool) bool {
	v.checks--
	x := &v.mem[p.mem].acc
	if x.Immutable() {
		return false
	}
	c := &crossings[m.kind]
	ok := c.down
	if up {
		ok = c.up
	}
	if v.guards(vmGuardCall, m.kind == crossCall) || v.guards(vmGuardOrder, !ok && m.kind != crossCall && !x.Private()) {
		v.why = reason{by: m.op, kind: m.kind, up: up}
		return true
	}
	if !m.access || m.kind == crossWeak && !m.acc.Writes && !x.Writes {
		return false
	}
	if v.guards(vmGuardAlias, v.alias.Alias(&m.acc, x) != analysis.NoAlias) {
		v.why = reason{text: "the same bytes may be accessed between by", by: m.op}
		return true
	}
	return false
}

// meet looks for the place where the accesses of g become one: loads rather at
// the first, stores at the last.
func (v *vectorizer) meet(g *group) bool {
	if v.checks < 0 {
		v.why = reason{text: "the function has too many accesses to compare"}
		return false
	}
	first, last := g.pieces[0], g.pieces[0]
	for _, p := range g.pieces {
		if p.pos < first.pos {
			first = p
		}
		if p.pos > last.pos {
			last = p
		}
	}
	v.group++
	if first.mem >= 0 {
		for _, p := range g.pieces {
			v.mem[p.mem].group = v.group
		}
	}
	favoured, other := first, last
	if first.op.Code == pisa.St {
		favoured, other = last, first
	}
	if v.meetsAt(g, first, last, favoured) {
		return true
	}
	why := v.why
	if v.meetsAt(g, first, last, other) {
		return true
	}
	v.whyNot = v.why
	if len(g.pieces) <= anyPlaceLimit {
		for _, p := range g.pieces {
			if p != first && p != last && v.meetsAt(g, first, last, p) {
				return true
			}
		}
	}
	v.why = why
	return false
}

// meetsAt reports whether all accesses of g can move to where at is.
func (v *vectorizer) meetsAt(g *group, first, last, at *piece) bool {
	g.at = at
	g.addr = v.addressAt(g, at)
	for _, p := range g.pieces {
		switch {
		case v.guards(vmGuardUsed, p.pos < at.pos && p.op.Code != pisa.St && v.usedBefore(p.op, at.pos)):
			v.why = reason{text: "a value loaded is used before the others can be loaded"}
			return false
		case v.guards(vmGuardValue, p.pos > at.pos && p.op.Code == pisa.St && !v.known(p.value(), at.pos)):
			v.why = reason{text: "a value stored is not known early enough"}
			return false
		}
	}
	if at.mem < 0 {
		return true
	}
	for i := first.mem + 1; i < last.mem; i++ {
		m := &v.mem[i]
		if m.op == nil || m.group == v.group {
			continue
		}
		up := i > at.mem
		for _, p := range g.pieces {
			if up == (p.mem > i) && v.blocks(m, p, up) {
				return false
			}
		}
	}
	if v.guards(vmGuardPressure, at.op.Code == pisa.Ld && at != last && v.pressing(g, at.pos)) {
		v.why = reason{text: "too many registers would be live between"}
		return false
	}
	return true
}

// known reports whether x is defined before position pos of the span.
func (v *vectorizer) known(x *ir.Value, pos int32) bool {
	start, inside := v.span.start(x.Block())
	switch {
	case !inside:
		return true
	case x.IsArg():
		return start <= pos
	}
	return v.place[x.Op().ID] < pos
}

// usedBefore reports a use of op's result in the span up to position pos. What
// is outside of the span and uses it comes behind.
func (v *vectorizer) usedBefore(op *ir.Op, pos int32) bool {
	for u := op.Result(0).FirstUse(); u != nil; u = u.NextUse() {
		v.checks--
		n := u.User()
		if _, inside := v.span.start(n.Block()); inside && v.place[n.ID] <= pos {
			return true
		}
	}
	return false
}

// addressAt returns the access of g whose address is known where at is: that
// of the lowest address if possible.
func (v *vectorizer) addressAt(g *group, at *piece) *piece {
	for _, p := range g.pieces {
		ok := true
		for i := range p.addressOperands() {
			ok = ok && (p == at || !v.guards(vmGuardAddress, !v.known(p.op.Operand(i), at.pos)))
		}
		if ok {
			return p
		}
	}
	panic("vectorize-memory: an access does not know its own address")
}

// addressOperands is how many of the first operands are the address.
func (p *piece) addressOperands() int {
	if p.op.Code == pisa.LdParam {
		return p.op.NumOperands()
	}
	return 1 + int(ir.HasOffset.Get(p.op.Props))
}

// pressing reports that moving the loads of g up to pos makes too many
// registers live on the way.
func (v *vectorizer) pressing(g *group, pos int32) bool {
	last, extra := pos, int32(0)
	for _, p := range g.pieces {
		if p.pos > pos {
			extra += registers(p.op.Result(0).Type)
			last = max(last, p.pos)
		}
	}
	if last-pos > maxMove {
		return true
	}
	if len(v.live) == 0 {
		v.measure()
	}
	limit := int32(v.c.Opt(vmMaxLive))
	for i := pos; i < last; i++ {
		if v.live[i]+extra > limit {
			return true
		}
	}
	return false
}

func registers(t ir.Type) int32 { return int32((t.TotalBits() + 31) / 32) }

// measure counts the registers of the values that the span defines or uses at
// each position, as if its blocks came one behind the other; what is only live
// through it is not seen.
func (v *vectorizer) measure() {
	v.live = append(v.live[:0], make([]int32, v.npos)...)
	live := map[*ir.Value]bool{}
	now := int32(0)
	begin := func(x *ir.Value) {
		if !live[x] {
			live[x] = true
			now += registers(x.Type)
		}
	}
	for _, b := range v.span.blocks {
		for op := b.block.First(); op != nil; op = op.Next() {
			for i := range op.NumResults() {
				if v.usedBehind(op.Result(i)) {
					begin(op.Result(i))
				}
			}
			for i := range op.NumOperands() {
				x := op.Operand(i)
				if _, inside := v.span.start(x.Block()); !inside && v.usedBehind(x) {
					begin(x)
				}
			}
		}
	}
	for k := len(v.span.blocks) - 1; k >= 0; k-- {
		for op := v.span.blocks[k].block.Last(); op != nil; op = op.Prev() {
			for i := range op.NumResults() {
				if x := op.Result(i); live[x] {
					delete(live, x)
					now -= registers(x.Type)
				}
			}
			for i := range op.NumOperands() {
				begin(op.Operand(i))
			}
			at := v.place[op.ID]
			v.live[at] = max(v.live[at], now)
		}
	}
}

// usedBehind reports a use outside of the span among the first of x.
func (v *vectorizer) usedBehind(x *ir.Value) bool {
	n := 0
	for u := x.FirstUse(); u != nil && n < 8; u = u.NextUse() {
		if _, inside := v.span.start(u.User().Block()); !inside {
			return true
		}
		n++
	}
	return false
}

// tell remarks why the i-th access of run stays although another is beside it.
func (v *vectorizer) tell(run []*piece, i int) {
	p := run[i]
	if !v.c.WantsRemarks() || len(run) < 2 || i == len(run)-1 || v.stopped {
		return
	}
	p.told = true
	why := v.why.String()
	if other := v.whyNot.String(); other != "" && other != why {
		why += "; elsewhere " + other
	}
	if why == "" {
		why = fmt.Sprintf("together they would be larger than %d bytes", v.c.Opt(vmMaxBytes))
	}
	v.c.Remark(Missed, "NotVectorized", v.f, p.op.Loc, "not merged with the access beside it: %s", why)
}

// tellWalls remarks on neighbours that a fence, barrier or call which nothing
// crosses keeps apart.
func (v *vectorizer) tellWalls() {
	before := map[base]int{}
	for i := range v.chains {
		c := &v.chains[i]
		k := c.base
		k.wall = 0
		if j, ok := before[k]; ok && v.chains[j].base.wall != c.base.wall {
			v.tellWall(&v.chains[j], c)
		}
		before[k] = i
	}
}

func (v *vectorizer) tellWall(a, b *chain) {
	for i := range b.pieces {
		p := &b.pieces[i]
		for k := range a.pieces {
			q := &a.pieces[k]
			if p.done || p.told || q.done || p.off != q.end() && q.off != p.end() {
				continue
			}
			for m := q.mem + 1; m < p.mem; m++ {
				if kind := v.mem[m].kind; v.mem[m].op != nil && !crossings[kind].up && !crossings[kind].down {
					p.told = true
					why := reason{by: v.mem[m].op, kind: kind, up: true}
					v.c.Remark(Missed, "NotVectorized", v.f, p.op.Loc, "not merged with the access beside it: %s", why.String())
					break
				}
			}
		}
	}
}
