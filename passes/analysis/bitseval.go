package analysis

import (
	"math/bits"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// evaluator computes the fact of a value from those of its operands.
type evaluator struct {
	bits     *Bits
	fn       *ir.Func
	dom      *ir.Dom
	narrow   bool     // conditions of branches may be used
	guard    []*guard // by Block.ID: the innermost condition that holds there
	guards   bool     // there are any
	compared []bool   // by Value.ID: some condition is about it
	pos      []int32  // by Block.ID: place in reverse postorder
}

// guard is a comparison that holds in a block and in all that it dominates.
type guard struct {
	cmp   *ir.Op
	sense bool
	outer *guard
}

// findGuards gives each block the comparisons of the branches that lead to it.
func (ev *evaluator) findGuards() {
	ev.guard = make([]*guard, ev.fn.NumBlockIDs())
	ev.compared = make([]bool, ev.fn.NumValues())
	ev.pos = make([]int32, ev.fn.NumBlockIDs())
	for i, b := range ev.dom.RPO() {
		ev.pos[b.ID] = int32(i)
		idom := ev.dom.Idom(b)
		if idom == nil {
			continue
		}
		ev.guard[b.ID] = ev.guard[idom.ID]
		if e := b.FirstPred(); b.NumPreds() == 1 {
			if cmp := comparison(e); cmp != nil {
				ev.guards = true
				ev.compared[cmp.Operand(0).ID], ev.compared[cmp.Operand(1).ID] = true, true
				ev.guard[b.ID] = &guard{cmp, e.Index() == 0, ev.guard[idom.ID]}
			}
		}
	}
}

// comparison returns the integer comparison that decides whether e is taken.
func comparison(e *ir.Edge) *ir.Op {
	t := e.Op()
	if t.Code != builtin.CondBr || t.Succ(0).To() == t.Succ(1).To() {
		return nil
	}
	if c := t.Operand(0).Op(); c != nil && (c.Code == pisa.UCmp || c.Code == pisa.SCmp) {
		return c
	}
	return nil
}

// guarded strengthens the fact of v by the conditions around blk.
func (ev *evaluator) guarded(v *ir.Value, f Fact, w uint, blk *ir.Block) Fact {
	g := ev.guard[blk.ID]
	for n := 0; g != nil && n < guardSteps; n++ {
		if g.cmp.Operand(0) == v || g.cmp.Operand(1) == v {
			f = ev.refine(v, f, w, g.cmp, g.sense)
		}
		g = g.outer
	}
	return f
}

// refine strengthens the fact of v knowing that cmp is sense.
func (ev *evaluator) refine(v *ir.Value, f Fact, w uint, cmp *ir.Op, sense bool) Fact {
	c := pisa.Cmp(pisa.OpOf(cmp.Props))
	if !sense {
		c = [...]pisa.Cmp{pisa.EQ: pisa.NE, pisa.NE: pisa.EQ, pisa.GT: pisa.LE, pisa.GE: pisa.LT, pisa.LT: pisa.GE, pisa.LE: pisa.GT}[c]
	}
	other := cmp.Operand(1)
	if cmp.Operand(1) == v {
		other = cmp.Operand(0)
		c = [...]pisa.Cmp{pisa.EQ: pisa.EQ, pisa.NE: pisa.NE, pisa.GT: pisa.LT, pisa.GE: pisa.LE, pisa.LT: pisa.GT, pisa.LE: pisa.GE}[c]
	} else if cmp.Operand(0) != v {
		return f
	}
	g, r := ev.of(other), Anything(w)
	if c == pisa.EQ {
		return f.meet(g, w)
	}
	if cmp.Code == pisa.UCmp {
		switch {
		case c == pisa.LT && g.UMax > 0:
			r.UMax = g.UMax - 1
		case c == pisa.LE:
			r.UMax = g.UMax
		case c == pisa.GT && g.UMin < mask(w):
			r.UMin = g.UMin + 1
		case c == pisa.GE:
			r.UMin = g.UMin
		}
	} else {
		switch top := Anything(w); {
		case c == pisa.LT && g.SMax > top.SMin:
			r.SMax = g.SMax - 1
		case c == pisa.LE:
			r.SMax = g.SMax
		case c == pisa.GT && g.SMin < top.SMax:
			r.SMin = g.SMin + 1
		case c == pisa.GE:
			r.SMin = g.SMin
		}
	}
	return f.meet(r, w)
}

func (ev *evaluator) of(v *ir.Value) Fact { return ev.bits.Of(v) }

// value evaluates v.
func (ev *evaluator) value(v *ir.Value) Fact {
	w := width(v.Type)
	if w == 0 {
		return Anything(0)
	}
	op := v.Op()
	if op == nil {
		return ev.arg(v, w)
	}
	if v.Index() != 0 {
		return Anything(w)
	}
	if op.Code == builtin.Const {
		return Exactly(w, op.Props)
	}
	return ev.op(op, w).reduce(w)
}

// arg joins what the edges that have been reached pass.
func (ev *evaluator) arg(v *ir.Value, w uint) Fact {
	b := v.Block()
	if b == ev.fn.Entry() {
		return Anything(w)
	}
	any, f := false, Fact{}
	for e := b.FirstPred(); e != nil; e = e.NextPred() {
		x := e.Arg(v.Index())
		if !ev.bits.seen[x.ID] || !ev.dom.Reachable(e.From()) {
			continue
		}
		g := ev.of(x)
		if ev.narrow {
			g = ev.guarded(x, g, w, e.From())
			if c := comparison(e); c != nil {
				g = ev.refine(x, g, w, c, e.Index() == 0)
			}
		}
		if !any {
			f, any = g, true
		} else {
			f = f.join(g)
		}
	}
	if !any {
		return Anything(w)
	}
	return f.reduce(w)
}

// operand is the fact of operand i of op, with the conditions around it.
func (ev *evaluator) operand(op *ir.Op, i int) Fact {
	v := op.Operand(i)
	f := ev.of(v)
	if w := width(v.Type); ev.narrow && w > 0 {
		return ev.guarded(v, f, w, op.Block())
	}
	return f
}

func (ev *evaluator) op(op *ir.Op, w uint) Fact {
	p := op.Props
	switch op.Code {
	case pisa.IAdd, pisa.ISub:
		if pisa.Has(p, pisa.FDsat) {
			return Anything(w)
		}
		a, b := ev.operand(op, 0), ev.operand(op, 1)
		if op.Code == pisa.ISub {
			return subFact(a, b, w)
		}
		return addFact(a, b, w)
	case pisa.INeg:
		return subFact(Exactly(w, 0), ev.operand(op, 0), w)
	case pisa.UMul, pisa.SMul, pisa.UMad, pisa.SMad:
		return ev.mul(op, w)
	case pisa.UDiv:
		return divFact(ev.operand(op, 0), ev.operand(op, 1), w, pisa.OpOf(p) == pisa.OutRem)
	case pisa.SDiv:
		a, b := ev.operand(op, 0), ev.operand(op, 1)
		if a.SMin < 0 || b.SMin <= 0 {
			return Anything(w)
		}
		return divFact(a, b, w, pisa.OpOf(p) == pisa.OutRem)
	case pisa.UMin, pisa.UMax, pisa.SMin, pisa.SMax:
		return minMaxFact(op.Code, ev.operand(op, 0), ev.operand(op, 1), w)
	case pisa.IAbs:
		return absFact(ev.operand(op, 0), w)
	case pisa.And, pisa.Or, pisa.Xor, pisa.Not:
		return ev.logic(op, w)
	case pisa.Bfn:
		return ev.bitwise(op, w)
	case pisa.Shl, pisa.Shr, pisa.Asr:
		return shiftFact(op.Code, ev.operand(op, 0), ev.operand(op, 1), w)
	case pisa.ZExt:
		f := ev.operand(op, 0)
		f.SMin, f.SMax = int64(f.UMin), int64(min(f.UMax, 1<<63-1))
		return f
	case pisa.SExt:
		return sextFact(ev.operand(op, 0), uint(pisa.FromOf(p).Info().Bits), w)
	case pisa.Trunc:
		return truncFact(ev.operand(op, 0), w)
	case pisa.Sel:
		return ev.operand(op, 0).join(ev.operand(op, 1))
	case pisa.UCmp, pisa.SCmp, pisa.FCmp:
		return ev.compare(op, w)
	case pisa.Cbit:
		return atMost(w, uint64(w))
	case pisa.Ubfe, pisa.Sbfe:
		return ev.bitField(op, w)
	}
	return ev.source(op, w)
}

// source is the fact of what the machine gives.
func (ev *evaluator) source(op *ir.Op, w uint) Fact {
	f := Anything(w)
	switch op.Code {
	case pisa.ReadSReg:
		return ev.sreg(pisa.SReg(pisa.OpOf(op.Props)), pisa.IndexOf(op.Props), w)
	case pisa.Extract:
		// A component of a register read whole, or element 0 of a scalar's bits.
		if o := op.Operand(0).Op(); o != nil && o.Code == pisa.ReadSReg && !op.Result(0).Type.IsVector() {
			return ev.sreg(pisa.SReg(pisa.OpOf(o.Props)), 1+pisa.IndexOf(op.Props), w)
		}
	case pisa.AddrOf:
		if v := ev.fn.Module().Symbol(op.Aux).Var; v != nil && v.Align > 1 {
			f.Zero |= uint64(v.Align&-v.Align) - 1
		}
	case pisa.LdParam:
		if p := &ev.fn.Params[op.Aux-1]; op.NumOperands() == 0 && p.PtrAlign > 1 && uint32(w) == p.Size*8 {
			f.Zero |= uint64(p.PtrAlign&-p.PtrAlign) - 1
		}
	case pisa.Bitcast:
		if width(op.Operand(0).Type) == w {
			return ev.operand(op, 0)
		}
	}
	return f
}

// maxLocal is the greatest work-group size in one dimension (PISA 2).
const maxLocal = 1024

func (ev *evaluator) sreg(r pisa.SReg, component int, w uint) Fact {
	lo, hi := uint64(0), mask(w)
	size := uint64(maxLocal)
	exact := false
	if component >= 1 && component <= 3 {
		if n := ev.fn.ReqdWorkGroupSize[component-1]; n != 0 {
			size, exact = uint64(n), true
		}
	}
	switch r {
	case pisa.SLocalID:
		hi = size - 1
	case pisa.SLocalSize:
		lo, hi = 1, size
	case pisa.SEnqueuedLocalSize:
		if lo, hi = 1, size; exact {
			lo = size
		}
	case pisa.SLaneID:
		hi = 31
	case pisa.SSubgroupSize:
		lo, hi = 32, 32
	case pisa.SWorkDim:
		lo, hi = 1, 3
	}
	f := Anything(w)
	f.UMin, f.UMax = lo, hi
	return f
}

func atMost(w uint, n uint64) Fact {
	f := Anything(w)
	f.UMax = n
	return f
}

func addFact(a, b Fact, w uint) Fact {
	f, m := Anything(w), mask(w)
	if hi, c := bits.Add64(a.UMax, b.UMax, 0); c == 0 && hi <= m {
		f.UMin, f.UMax = a.UMin+b.UMin, hi
	}
	top := Anything(w)
	if lo, ok := addSigned(a.SMin, b.SMin); ok && lo >= top.SMin {
		if hi, ok := addSigned(a.SMax, b.SMax); ok && hi <= top.SMax {
			f.SMin, f.SMax = lo, hi
		}
	}
	// Carries are known up to the first unknown bit of either.
	known := (a.Zero | a.One) & (b.Zero | b.One)
	n := uint(bits.TrailingZeros64(^known))
	sum := a.One + b.One
	low := mask(n) & m
	if n == 0 {
		low = 0
	}
	f.One |= sum & low
	f.Zero |= ^sum & low
	return f
}

func subFact(a, b Fact, w uint) Fact {
	f, m := Anything(w), mask(w)
	if a.UMin >= b.UMax {
		f.UMin, f.UMax = a.UMin-b.UMax, a.UMax-b.UMin
	}
	top := Anything(w)
	if lo, ok := subSigned(a.SMin, b.SMax); ok && lo >= top.SMin {
		if hi, ok := subSigned(a.SMax, b.SMin); ok && hi <= top.SMax {
			f.SMin, f.SMax = lo, hi
		}
	}
	known := (a.Zero | a.One) & (b.Zero | b.One)
	if n := uint(bits.TrailingZeros64(^known)); n > 0 {
		d, low := a.One-b.One, mask(n)&m
		f.One |= d & low
		f.Zero |= ^d & low
	}
	return f
}

func addSigned(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

func subSigned(a, b int64) (int64, bool) {
	d := a - b
	return d, (d < a) == (b > 0)
}

// bitwise is bfn: a bit may be 0 (1) if the table has a 0 (1) for values that
// the bits of the operands may have.
func (ev *evaluator) bitwise(op *ir.Op, w uint) Fact {
	table := pisa.OpOf(op.Props)
	a, b, c := ev.operand(op, 0), ev.operand(op, 1), ev.operand(op, 2)
	var may [2]uint64
	for k := range uint8(8) {
		m := mask(w)
		for i, f := range [...]*Fact{&a, &b, &c} {
			if k>>i&1 != 0 {
				m &^= f.Zero
			} else {
				m &^= f.One
			}
		}
		may[table>>k&1] |= m
	}
	f := Anything(w)
	f.Zero |= ^may[1]
	f.One |= ^may[0] & mask(w)
	return f.reduce(w)
}

// mul is a product, of twice the width if .full, and an addend. Fields are
// scalars here: a packed type has no width.
func (ev *evaluator) mul(op *ir.Op, w uint) Fact {
	a, b := ev.operand(op, 0), ev.operand(op, 1)
	if pisa.Has(op.Props, pisa.FFull) {
		from := uint(pisa.TypeOf(op.Props).Info().Bits)
		if op.Code == pisa.SMul || op.Code == pisa.SMad {
			a, b = sextFact(a, from, w).reduce(w), sextFact(b, from, w).reduce(w)
		}
	}
	f := Anything(w)
	if hi, lo := bits.Mul64(a.UMax, b.UMax); hi == 0 && lo <= mask(w) {
		f.UMin, f.UMax = a.UMin*b.UMin, lo
	}
	if z := a.TrailingZeros() + b.TrailingZeros(); z > 0 {
		f.Zero |= mask(z)
	}
	if op.Code == pisa.UMad || op.Code == pisa.SMad {
		return addFact(f.reduce(w), ev.operand(op, 2), w)
	}
	return f
}

// divFact is a division of numbers that are not negative; by zero it gives all
// ones, or the dividend as remainder.
func divFact(a, b Fact, w uint, rem bool) Fact {
	f := Anything(w)
	switch {
	case rem && b.UMin > 0:
		f.UMax = min(a.UMax, b.UMax-1)
	case rem:
		f.UMax = a.UMax
	case b.UMin > 0:
		f.UMin, f.UMax = a.UMin/b.UMax, a.UMax/b.UMin
	}
	return f
}

func minMaxFact(code ir.Code, a, b Fact, w uint) Fact {
	f := a.join(b)
	switch code {
	case pisa.UMin:
		f.UMax = min(a.UMax, b.UMax)
	case pisa.UMax:
		f.UMin = max(a.UMin, b.UMin)
	case pisa.SMin:
		f.SMax = min(a.SMax, b.SMax)
	case pisa.SMax:
		f.SMin = max(a.SMin, b.SMin)
	}
	return f
}

func absFact(a Fact, w uint) Fact {
	if a.SMin >= 0 {
		return a
	}
	top := Anything(w)
	if a.SMin == top.SMin { // the most negative is its own
		return top
	}
	f := top
	f.UMax = uint64(max(-a.SMin, a.SMax))
	return f
}

func (ev *evaluator) logic(op *ir.Op, w uint) Fact {
	a := ev.operand(op, 0)
	f, m := Anything(w), mask(w)
	if op.Code == pisa.Not {
		f.Zero, f.One = a.One|^m, a.Zero&m
		return f
	}
	b := ev.operand(op, 1)
	switch op.Code {
	case pisa.And:
		f.Zero, f.One = a.Zero|b.Zero, a.One&b.One
		f.UMax = min(a.UMax, b.UMax)
	case pisa.Or:
		f.Zero, f.One = a.Zero&b.Zero, a.One|b.One
		f.UMin = max(a.UMin, b.UMin)
	case pisa.Xor:
		f.Zero, f.One = a.Zero&b.Zero|a.One&b.One, (a.One&b.Zero|a.Zero&b.One)&m
	}
	return f
}

// shiftFact: bits 5 to 0 of the second operand count (PISA 3.2).
func shiftFact(code ir.Code, a, by Fact, w uint) Fact {
	if by.Zero&63 != 63&^by.One {
		lo, hi := uint64(0), uint64(63)
		if by.UMax < 64 {
			lo, hi = by.UMin, by.UMax
		}
		return shiftRange(code, a, lo, hi, w)
	}
	n, f, m := by.One&63, Anything(w), mask(w)
	switch {
	case code == pisa.Shl && n >= uint64(w), code == pisa.Shr && n >= uint64(w):
		return Exactly(w, 0)
	case code == pisa.Shl:
		f.Zero, f.One = (a.Zero<<n|(1<<n-1))|^m, a.One<<n&m
		if a.UMax<<n>>n == a.UMax && a.UMax<<n <= m {
			f.UMin, f.UMax = a.UMin<<n, a.UMax<<n
		}
	case code == pisa.Shr:
		f.Zero, f.One = a.Zero>>n|^(m>>n), a.One>>n
		f.UMin, f.UMax = a.UMin>>n, a.UMax>>n
	default:
		f.SMin, f.SMax = a.SMin>>n, a.SMax>>n
		if a.Zero>>(w-1)&1 != 0 {
			f.Zero, f.One = a.Zero>>n|^(m>>n), a.One>>n
		}
	}
	return f
}

func shiftRange(code ir.Code, a Fact, lo, hi uint64, w uint) Fact {
	f := Anything(w)
	switch code {
	case pisa.Shr:
		f.UMin, f.UMax = a.UMin>>hi, a.UMax>>lo
	case pisa.Asr:
		f.SMin, f.SMax = min(a.SMin>>lo, a.SMin>>hi), max(a.SMax>>lo, a.SMax>>hi)
	case pisa.Shl:
		if z := a.TrailingZeros() + uint(lo); z > 0 {
			f.Zero |= mask(min(z, w))
		}
		if hi < 64 && a.UMax<<hi>>hi == a.UMax && a.UMax<<hi <= mask(w) {
			f.UMin, f.UMax = a.UMin<<lo, a.UMax<<hi
		}
	}
	return f
}

func sextFact(a Fact, from, w uint) Fact {
	f := Anything(w)
	f.SMin, f.SMax = max(a.SMin, -1<<(from-1)), min(a.SMax, 1<<(from-1)-1)
	low := mask(from - 1)
	if from == 1 {
		low = 0
	}
	f.Zero, f.One = a.Zero&low|^mask(w), a.One&low
	return f
}

func truncFact(a Fact, w uint) Fact {
	f, m := Anything(w), mask(w)
	f.Zero, f.One = a.Zero|^m, a.One&m
	if a.UMax <= m {
		f.UMin, f.UMax = a.UMin, a.UMax
	}
	if a.SMin >= f.SMin && a.SMax <= f.SMax {
		f.SMin, f.SMax = a.SMin, a.SMax
	}
	return f
}

// compare decides a comparison by bounds and bits. A register result is all
// ones or zero, a predicate 1 or 0.
func (ev *evaluator) compare(op *ir.Op, w uint) Fact {
	yes := mask(w)
	if op.Code == pisa.FCmp {
		return boolean(w)
	}
	a, b := ev.operand(op, 0), ev.operand(op, 1)
	switch decide(pisa.Cmp(pisa.OpOf(op.Props)), a, b, op.Code == pisa.SCmp) {
	case 1:
		return Exactly(w, yes)
	case 0:
		return Exactly(w, 0)
	}
	return boolean(w)
}

// boolean is 0 or all ones.
func boolean(w uint) Fact {
	f := Anything(w)
	if w > 1 {
		f.SMin, f.SMax = -1, 0
	}
	return f
}

// decide returns 1 or 0 if a comparison always or never holds, else -1.
func decide(c pisa.Cmp, a, b Fact, signed bool) int {
	less, notLess := a.UMax < b.UMin, a.UMin >= b.UMax
	more, notMore := a.UMin > b.UMax, a.UMax <= b.UMin
	if signed {
		less, notLess = a.SMax < b.SMin, a.SMin >= b.SMax
		more, notMore = a.SMin > b.SMax, a.SMax <= b.SMin
	}
	pick := func(yes, no bool) int {
		if yes {
			return 1
		} else if no {
			return 0
		}
		return -1
	}
	va, ca := a.Const()
	vb, cb := b.Const()
	same := ca && cb && va == vb
	differ := less || more || a.One&b.Zero != 0 || a.Zero&b.One != 0 || a.UMax < b.UMin || a.UMin > b.UMax
	switch c {
	case pisa.EQ:
		return pick(same, differ)
	case pisa.NE:
		return pick(differ, same)
	case pisa.LT:
		return pick(less, notLess)
	case pisa.GE:
		return pick(notLess, less)
	case pisa.GT:
		return pick(more, notMore)
	}
	return pick(notMore, more)
}

// bitField: width src1[5:0], offset src2[4:0], both constants.
func (ev *evaluator) bitField(op *ir.Op, w uint) Fact {
	a := ev.operand(op, 0)
	wf, of := ev.operand(op, 1), ev.operand(op, 2)
	width, ok1 := wf.Const()
	off, ok2 := of.Const()
	if !ok1 || !ok2 {
		return Anything(w)
	}
	off &= 31
	n := min(width&63, 32-off)
	if n == 0 {
		return Exactly(w, 0)
	}
	f := Anything(uint(n))
	f.Zero, f.One = a.Zero>>off|^mask(uint(n)), a.One>>off&mask(uint(n))
	f = f.reduce(uint(n))
	if op.Code == pisa.Sbfe {
		return sextFact(f, uint(n), w)
	}
	f.SMin, f.SMax = int64(f.UMin), int64(f.UMax)
	return f
}
