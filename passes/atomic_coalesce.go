package passes

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Fewer atomic operations for the same effect on memory.
//
//	%0 = pisa.iatom.global.relaxed.add.32b [%p], %x : 32b
//	%1 = pisa.iatom.global.acquire.gpu.add.32b [%p], %y : 32b
//	=> %0 = pisa.iatom.global.acquire.add.32b [%p], %x + %y : 32b      A01
//	   %1 = %0 + %x
//
// Adjacent operations on one address become one, whose order and scope are the
// join and from whose result both are recomputed; relaxed additions meet across
// accesses to other locations too (A02). A relaxed store before, or a load
// beside, an operation is folded (A04). Then an operation on an address that is
// the same for a whole sub-group is done by one lane for all
// (atomic_aggregate.go).
//
// A result that only dead code uses is dropped first, so that the operation has
// no result for instruction selection, and lanes no need of a scan.
//
// Never: compare-and-swap, wrapping increments, mixed operations; floats, whose
// sums depend on the order, but with --fp-atomics=fast; an operation that adds
// 0 stays (A03d, A03e), and one without uses stays an operation that reads
// (A06, A06b).
var atomicCoalescePass = &Pass{
	Name: "atomic-coalesce", Doc: "Merge atomic operations on one address, of one work-item and of a sub-group.",
	Options: []Option{
		{Name: "merge", Doc: "merge those of one work-item", Default: 1, Max: 1},
		{Name: "aggregate", Doc: "merge those of a sub-group", Default: 1, Max: 1},
		{Name: "scan", Doc: "also where operands differ and results are used, or floats are added, by a scan over lanes", Default: 1, Max: 1},
	},
	Stats: []string{"atomics merged", "loads and stores folded", "atomics aggregated", "atomics before", "atomics after",
		"results dropped", "atomics without result"},
	Needs: PISA, Breaks: LoopSimplified,
	Func: atomicCoalesce,
}

const (
	atomicsMerged = iota
	atomicsFolded
	atomicsAggregated
	atomicsBefore
	atomicsAfter
	resultsDropped
	atomicsNoResult
)

// atomicRule is how operations of one kind combine: x op a, then x op b, is
// x op (a with b).
type atomicRule struct {
	kind  atomicKind
	apply ir.Code // x op a, of values
	with  ir.Code // a with b
	// ident is the operand that changes nothing.
	ident func(d pisa.DType) uint64
	red   pisa.RedOp
	// again: x op a op a is x op a.
	again bool
}

type atomicKind uint8

const (
	kindNone atomicKind = iota
	kindAdd             // add, sub, inc, dec
	kindAnd
	kindOr
	kindXor
	kindSMin
	kindSMax
	kindUMin
	kindUMax
	kindXchg
	kindFAdd // add and sub of floats
	kindFMin
	kindFMax
)

func identZero(pisa.DType) uint64   { return 0 }
func identOnes(d pisa.DType) uint64 { return 1<<(d.Info().Bits-1)<<1 - 1 }
func identSMin(d pisa.DType) uint64 { return 1<<(d.Info().Bits-1) - 1 }
func identSMax(d pisa.DType) uint64 { return 1 << (d.Info().Bits - 1) }

// identNaN gives way to any number.
func identNaN(d pisa.DType) uint64 {
	return d.Format().NaN()
}

// atomicRules is indexed by AtomicOp; the zero row does not combine.
var atomicRules = [...]atomicRule{
	pisa.AtomAdd:  {kindAdd, pisa.IAdd, pisa.IAdd, identZero, pisa.RedSum, false},
	pisa.AtomSub:  {kindAdd, pisa.ISub, pisa.IAdd, identZero, pisa.RedSum, false},
	pisa.AtomInc:  {kindAdd, pisa.IAdd, pisa.IAdd, identZero, pisa.RedSum, false},
	pisa.AtomDec:  {kindAdd, pisa.ISub, pisa.IAdd, identZero, pisa.RedSum, false},
	pisa.AtomAnd:  {kindAnd, pisa.And, pisa.And, identOnes, pisa.RedAnd, true},
	pisa.AtomOr:   {kindOr, pisa.Or, pisa.Or, identZero, pisa.RedOr, true},
	pisa.AtomXor:  {kindXor, pisa.Xor, pisa.Xor, identZero, pisa.RedXor, false},
	pisa.AtomSMin: {kindSMin, pisa.SMin, pisa.SMin, identSMin, pisa.RedSMin, true},
	pisa.AtomSMax: {kindSMax, pisa.SMax, pisa.SMax, identSMax, pisa.RedSMax, true},
	pisa.AtomUMin: {kindUMin, pisa.UMin, pisa.UMin, identOnes, pisa.RedUMin, true},
	pisa.AtomUMax: {kindUMax, pisa.UMax, pisa.UMax, identZero, pisa.RedUMax, true},
	pisa.AtomXchg: {kind: kindXchg},

	pisa.AtomDecWrap: {},
}

// floatRules is the same for fatom. -0 changes nothing that is added to.
var floatRules = [...]atomicRule{
	pisa.AtomAdd: {kindFAdd, pisa.FAdd, pisa.FAdd, identSMax, 0, false},
	pisa.AtomSub: {kindFAdd, pisa.FSub, pisa.FAdd, identSMax, 0, false},
	pisa.AtomMin: {kindFMin, pisa.FMin, pisa.FMin, identNaN, pisa.RedMin, true},
	pisa.AtomMax: {kindFMax, pisa.FMax, pisa.FMax, identNaN, pisa.RedMax, true},
}

func ruleOf(op *ir.Op) *atomicRule {
	if op.Code == pisa.FAtom {
		return &floatRules[pisa.OpOf(op.Props)]
	}
	return &atomicRules[pisa.OpOf(op.Props)]
}

func atomOf(op *ir.Op) pisa.AtomicOp { return pisa.AtomicOp(pisa.OpOf(op.Props)) }

type coalescer struct {
	c       *Ctx
	f       *ir.Func
	bl      ir.Builder
	changed bool
	stopped bool
}

func atomicCoalesce(c *Ctx, f *ir.Func) bool {
	x := &coalescer{c: c, f: f}
	if x.count(atomicsBefore) == 0 {
		return false
	}
	if x.dropResults(); x.stopped {
		return x.changed
	}
	if c.Opt(0) != 0 {
		for _, b := range c.Dom().RPO() {
			x.block(b)
			if x.stopped {
				return x.changed
			}
		}
	}
	if c.Opt(1) != 0 {
		if x.changed {
			c.Invalidate(analysis.KeepCFG)
		}
		x.aggregate()
	}
	x.count(atomicsAfter)
	return x.changed
}

func (x *coalescer) count(stat int) (n int) {
	for b := x.f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code == pisa.IAtom || op.Code == pisa.FAtom {
				n++
				if stat == atomicsAfter && !op.Result(0).HasUses() {
					x.c.Count(atomicsNoResult, 1)
				}
			}
		}
	}
	x.c.Count(stat, n)
	return n
}

// dropResults erases what uses results without effect, so that the operations
// have none.
func (x *coalescer) dropResults() {
	var dead []*ir.Op
	d := reachable(x.f)
	for b := x.f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if (op.Code == pisa.IAtom || op.Code == pisa.FAtom) && op.Result(0).HasUses() && !d.live[op.Result(0).ID] {
				dead = append(dead, op)
			}
		}
	}
	if dead == nil {
		return
	}
	ops, args, all := d.sweep(x.c, x.f)
	x.stopped = !all
	if ops+args > 0 {
		x.changed = true
		x.c.Invalidate(analysis.KeepCFG)
	}
	for _, op := range dead {
		if !op.Result(0).HasUses() {
			x.c.Count(resultsDropped, 1)
			x.c.Remark(Passed, "AtomicResultDropped", x.f, op.Loc, "only dead code uses the result of %s: it returns none", opText(op))
		}
	}
}

// block merges what is adjacent in b. The op at hand is a, the earlier one of
// a pair; what lies between says whether b may come up to it, or it down.
func (x *coalescer) block(b *ir.Block) {
	for a := b.First(); a != nil; {
		next := a.Next()
		if acc, ok := x.c.Alias().AccessOf(a); ok && acc.Atomic && (a.Code != pisa.FAtom || x.c.FastFPAtomics()) {
			for kept := a; kept != nil && !x.stopped; {
				if kept = x.pair(kept); kept != nil {
					next = kept.Next()
				}
			}
		}
		if x.stopped {
			return
		}
		a = next
	}
}

// maxBetween bounds how far apart two operations may be.
const maxBetween = 64

// pair merges a with the next atomic access to its location and returns the
// result; nil if it stays as it is.
func (x *coalescer) pair(a *ir.Op) *ir.Op {
	alias := x.c.Alias()
	first, _ := alias.AccessOf(a)
	up, down, adjacent := true, true, true
	n := 0
	for b := a.Next(); b != nil; b = b.Next() {
		if b.Def().Effects&(ir.ReadsMem|ir.WritesMem|ir.Calls|ir.Barrier|ir.FenceEffect|ir.Terminator) == 0 {
			continue
		}
		acc, ok := alias.AccessOf(b)
		if !ok {
			if guardFenceBetween.holds(false) && b.Code == pisa.Fence {
				continue
			}
			x.tellBetween(a, b)
			return nil
		}
		if acc.Private() || acc.Immutable() {
			continue
		}
		if acc.Atomic && acc.Space == first.Space && alias.Alias(&first, &acc) == analysis.MustAlias {
			return x.merge(a, b, up, down, adjacent)
		}
		adjacent = false
		if n++; n > maxBetween || !guardOnlyRelaxed.holds(relaxedAddition(a)) || !guardOtherLocation.holds(alias.Alias(&first, &acc) == analysis.NoAlias) {
			return nil
		}
		u, d := atomicCrossing(&acc)
		if up, down = up && guardUp.holds(u), down && guardDown.holds(d); !up && !down {
			x.tellBetween(a, b)
			return nil
		}
	}
	return nil
}

// tellBetween says what keeps a from the next operation on its location, if
// there is one.
func (x *coalescer) tellBetween(a, between *ir.Op) {
	if a.Code != pisa.IAtom && a.Code != pisa.FAtom || ruleOf(a).kind == kindNone || !x.c.WantsRemarks() {
		return
	}
	alias := x.c.Alias()
	first, _ := alias.AccessOf(a)
	n := 0
	for b := between.Next(); b != nil && n < maxBetween; b, n = b.Next(), n+1 {
		if acc, ok := alias.AccessOf(b); ok && b.Code == a.Code && alias.Alias(&first, &acc) == analysis.MustAlias {
			x.c.Remark(Missed, "AtomicsNotMerged", x.f, b.Loc, "not merged with %s: %s lies between (A02)", opText(a), opText(between))
			return
		}
	}
}

// atomicCrossing reports whether relaxed additions to one location may meet above,
// or below, an access to another one (A02).
func atomicCrossing(acc *analysis.Access) (up, down bool) {
	switch {
	case !acc.Atomic:
		return true, true
	case acc.Reads && acc.Writes:
		return false, false
	case acc.Order == pisa.SeqCst:
		return false, false
	case acc.Reads: // relaxed or acquire: only behind it
		return false, true
	}
	return true, false // relaxed or release store
}

func relaxedAddition(op *ir.Op) bool {
	return op.Code == pisa.IAtom && ruleOf(op).kind == kindAdd && pisa.OrderOf(op.Props) <= pisa.Relaxed
}

// merge makes a and b one, if a rule says so.
func (x *coalescer) merge(a, b *ir.Op, up, down, adjacent bool) *ir.Op {
	if pisa.TypeOf(a.Props) != pisa.TypeOf(b.Props) || pisa.FCache.Get(a.Props) != pisa.FCache.Get(b.Props) {
		return nil
	}
	switch {
	case a.Code == b.Code && (a.Code == pisa.IAtom || a.Code == pisa.FAtom):
		return x.mergeRMW(a, b, up, down, adjacent)
	case !adjacent || pisa.OrderOf(a.Props) > pisa.Relaxed || pisa.OrderOf(b.Props) > pisa.Relaxed:
		return nil
	case a.Code == pisa.St && b.Code == pisa.IAtom:
		return x.storeThenRMW(a, b)
	case a.Code == pisa.IAtom && b.Code == pisa.Ld:
		return x.rmwThenLoad(a, b)
	case a.Code == pisa.Ld && b.Code == pisa.IAtom:
		return x.loadThenRMW(a, b)
	}
	return nil
}

func (x *coalescer) mergeRMW(a, b *ir.Op, up, down, adjacent bool) *ir.Op {
	r := ruleOf(a)
	if r.kind == kindNone || !guardKind.holds(r.kind == ruleOf(b).kind) {
		x.c.Remark(Missed, "AtomicsNotMerged", x.f, b.Loc, "not merged with %s: the operations do not combine", opText(a))
		return nil
	}
	if !guardOnlyRelaxed.holds(adjacent || relaxedAddition(b)) {
		return nil
	}
	// Below: b's place. What a's result is used for must then be below too.
	if down = down && !usedBefore(a, b); !down && (!up || !availableAt(b, a)) {
		return nil
	}
	if x.stopped = !x.c.May(); x.stopped {
		return nil
	}
	at, gone := b, a
	if !down {
		hoistConstants(b, a)
		at, gone = a, b
	}
	x.c.Remark(Passed, "AtomicsMerged", x.f, b.Loc, "merged with %s (A01, A02, A03)", opText(a))
	x.c.Count(atomicsMerged, 1)
	x.changed = true
	x.bl.Before(at)
	x.bl.Loc = at.Loc
	props, operands := x.combined(r, a, b, at)
	t := a.Result(0).Type
	u := x.bl.OpResults(at.Code, props, at.Aux, []ir.Type{t}, operands...)
	old := u.Result(0)
	if b.Result(0).HasUses() {
		second := x.source(a, t)
		if r.kind != kindXchg {
			second = x.combine(r.apply, a, old, second)
		}
		b.Result(0).ReplaceUses(second)
	}
	a.Result(0).ReplaceUses(old)
	gone.Erase()
	at.Erase()
	return u
}

// combined is the properties and operands of the operation that does what a
// and then b do, at the place of at.
func (x *coalescer) combined(r *atomicRule, a, b, at *ir.Op) (uint64, []*ir.Value) {
	t := a.Result(0).Type
	var value *ir.Value
	op := atomOf(a)
	switch r.kind {
	case kindXchg:
		value = x.source(b, t)
	case kindAdd, kindFAdd:
		// x - p - q is x - (p + q), x + p - q is x + (p - q), x - p + q is x + (q - p).
		plus, minus := pisa.IAdd, pisa.ISub
		if r.kind == kindFAdd {
			plus, minus = pisa.FAdd, pisa.FSub
		}
		p, q := x.source(a, t), x.source(b, t)
		subA, subB := r.apply == minus, ruleOf(b).apply == minus
		op = pisa.AtomAdd
		switch {
		case subA && subB:
			op, value = pisa.AtomSub, x.combine(plus, a, p, q)
		case subA:
			value = x.combine(minus, a, q, p)
		case subB:
			value = x.combine(minus, a, p, q)
		default:
			value = x.combine(plus, a, p, q)
		}
	default:
		value = x.combine(r.with, a, x.source(a, t), x.source(b, t))
	}
	props := pisa.FOp.Set(joinOrders(a.Props, b.Props, at.Props), uint64(op))
	return props, append(addressOf(at), value)
}

// joinOrders is props with the join of orders and scopes of two RMWs.
func joinOrders(a, b, props uint64) uint64 {
	fa, fb := fenceSet{}, fenceSet{}
	for _, p := range [...]struct {
		props uint64
		to    *fenceSet
	}{{a, &fa}, {b, &fb}} {
		if o := pisa.OrderOf(p.props); o.Acquires() {
			p.to.order |= acquireHalf
		}
		if o := pisa.OrderOf(p.props); o.Releases() {
			p.to.order |= releaseHalf
		}
		p.to.scope = pisa.ScopeOf(p.props)
	}
	j := fa.join(fb)
	o := pisa.Relaxed
	if j.order != 0 && !guardOrderJoin.holds(false) {
		o = j.memOrder()
	}
	return pisa.FScope.Set(pisa.FOrder.Set(props, uint64(o)), uint64(j.scope))
}

// addressOf is the address operands of an access.
func addressOf(op *ir.Op) []*ir.Value {
	if ir.HasOffset.Get(op.Props) != 0 {
		return []*ir.Value{op.Operand(0), op.Operand(1)}
	}
	return []*ir.Value{op.Operand(0)}
}

// source is what an operation adds, stores, …: 1 of inc and dec.
func (x *coalescer) source(op *ir.Op, t ir.Type) *ir.Value {
	n := len(addressOf(op))
	if op.NumOperands() == n {
		return pisa.MakeConst(&x.bl, t, 1)
	}
	return op.Operand(n)
}

// combine computes in the type of atomic.
func (x *coalescer) combine(code ir.Code, atomic *ir.Op, a, b *ir.Value) *ir.Value {
	return x.bl.Value(code, pisa.FType.Put(uint64(pisa.TypeOf(atomic.Props))), a.Type, a, b)
}

func (x *coalescer) binary(code ir.Code, t ir.Type, a, b *ir.Value) *ir.Value {
	return x.bl.Value(code, pisa.FType.Put(uint64(pisa.PlainType(t))), t, a, b)
}

// usedBefore reports that an op of the block behind a, up to b, uses a's
// result. Ops of other blocks come after b.
func usedBefore(a, b *ir.Op) bool {
	for op := a; op != b; {
		op = op.Next()
		for i := range op.NumOperands() {
			if op.Operand(i) == a.Result(0) {
				return true
			}
		}
	}
	return false
}

// availableAt reports that b's operands are defined before a, or constants,
// which hoistConstants moves there.
func availableAt(b, a *ir.Op) bool {
	for op := a; op != b; op = op.Next() {
		if op.Code == builtin.Const {
			continue
		}
		for i := range op.NumResults() {
			for k := range b.NumOperands() {
				if b.Operand(k) == op.Result(i) {
					return false
				}
			}
		}
	}
	return true
}

// hoistConstants moves b's constant operands up to a, which precedes b in its
// block.
func hoistConstants(b, a *ir.Op) {
	for op := a; op != b; {
		next := op.Next()
		for k := 0; k < b.NumOperands() && op.Code == builtin.Const; k++ {
			if b.Operand(k) == op.Result(0) {
				op.MoveBefore(a)
				break
			}
		}
		op = next
	}
}

// storeThenRMW: st v ; op a => st (v op a), and the result is v (A04).
func (x *coalescer) storeThenRMW(a, b *ir.Op) *ir.Op {
	r := ruleOf(b)
	if r.kind == kindNone {
		return nil
	}
	if x.stopped = !x.c.May(); x.stopped {
		return nil
	}
	x.fold(b, a)
	x.bl.Before(b)
	x.bl.Loc = b.Loc
	t := b.Result(0).Type
	v := a.Operand(a.NumOperands() - 1)
	sum := x.source(b, t)
	if r.kind != kindXchg {
		sum = x.binary(r.apply, t, v, sum)
	}
	a.SetOperand(a.NumOperands()-1, sum)
	a.Props = joinOrders(a.Props, b.Props, a.Props)
	b.Result(0).ReplaceUses(v)
	a.MoveBefore(b) // where the sum is
	b.Erase()
	return a
}

// rmwThenLoad: op a ; ld => the load is the result op a (A04b).
func (x *coalescer) rmwThenLoad(a, b *ir.Op) *ir.Op {
	r := ruleOf(a)
	if r.kind == kindNone {
		return nil
	}
	if x.stopped = !x.c.May(); x.stopped {
		return nil
	}
	x.fold(b, a)
	x.bl.Before(b)
	x.bl.Loc = b.Loc
	t := a.Result(0).Type
	v := x.source(a, t)
	if r.kind != kindXchg {
		v = x.binary(r.apply, t, a.Result(0), v)
	}
	a.Props = joinOrders(a.Props, b.Props, a.Props)
	b.Result(0).ReplaceUses(v)
	b.Erase()
	return a
}

// loadThenRMW: ld ; op a => the load is the result (A04c). The load's place
// must not need it earlier.
func (x *coalescer) loadThenRMW(a, b *ir.Op) *ir.Op {
	if ruleOf(b).kind == kindNone || usedBefore(a, b) && !availableAt(b, a) {
		return nil
	}
	if x.stopped = !x.c.May(); x.stopped {
		return nil
	}
	x.fold(a, b)
	if usedBefore(a, b) {
		hoistConstants(b, a)
		b.MoveBefore(a)
	}
	b.Props = joinOrders(a.Props, b.Props, b.Props)
	a.Result(0).ReplaceUses(b.Result(0))
	a.Erase()
	return b
}

func (x *coalescer) fold(gone, into *ir.Op) {
	x.c.Remark(Passed, "AtomicFolded", x.f, gone.Loc, "folded into %s (A04, A04b, A04c)", opText(into))
	x.c.Count(atomicsFolded, 1)
	x.changed = true
}
