package passes

import (
	"math"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Narrowing: known bits and ranges decide ops, and 64-bit integer ops whose
// operands and result fit 32 bits are done in 32. Hardware has no 64-bit
// multiplication, division or vector shift that is not several instructions.
//
//	%1 = pisa.zext.64b.32b %a : 64b
//	%2 = pisa.umul.64b %1, %1 : 64b
//	%3 = pisa.ucmp.lt.64b %1, 100 : pred
//	=> %2 = pisa.umul.full.32b %a, %a : 64b
//	   %3 = pisa.ucmp.lt.32b %a, 100 : pred
//
// A rewrite never makes more ops than it makes needless, except for those that
// are several instructions in 64 bits. What a range says may rest on a branch
// around the op; the result is right wherever the original's was used.
var narrowPass = &Pass{
	Name: "narrow", Doc: "Decide ops by known bits and ranges, and do 64-bit arithmetic in 32 bits where it fits.",
	Stats: []string{"ops decided", "ops made unsigned", "ops narrowed"},
	Needs: PISA, Keeps: analysis.KeepCFG,
	Func: narrow,
}

type narrower struct {
	c       *Ctx
	f       *ir.Func
	bits    *analysis.Bits
	blk     *ir.Block
	op      *ir.Op
	known   int             // values made since have their facts in made
	made    []analysis.Fact // by Value.ID - known
	bl      ir.Builder
	dead    []*ir.Op // replaced; conditions that Bits looks at are among them
	stopped bool
}

func narrow(c *Ctx, f *ir.Func) bool {
	n := narrower{c: c, f: f, bits: c.Bits(), known: f.NumValues()}
	for _, b := range c.Dom().RPO() {
		n.blk = b
		for op := b.First(); op != nil && !n.stopped; op = op.Next() {
			if op.NumResults() == 1 && op.Result(0).HasUses() && op.Code != builtin.Const && widthOf(op.Result(0)) > 0 {
				n.visit(op)
			}
		}
	}
	for i := len(n.dead) - 1; i >= 0; i-- {
		n.erase(n.dead[i])
	}
	return len(n.dead) > 0
}

// erase removes an op and the extensions and truncations that only it used.
func (n *narrower) erase(op *ir.Op) {
	var in [4]*ir.Op
	k := copy(in[:], n.definitions(op))
	op.Erase()
	for _, d := range in[:k] {
		if (d.Code == pisa.ZExt || d.Code == pisa.SExt || d.Code == pisa.Trunc) && d.Block() != nil && !d.Result(0).HasUses() {
			d.Erase()
		}
	}
}

func (n *narrower) definitions(op *ir.Op) (ds []*ir.Op) {
	for i := range op.NumOperands() {
		if d := op.Operand(i).Op(); d != nil {
			ds = append(ds, d)
		}
	}
	return ds
}

// widthOf is the bits of a scalar of at most 64, or of a predicate; else 0.
func widthOf(v *ir.Value) uint {
	if v.Type.IsVector() || v.Type.TotalBits() > 64 {
		return 0
	}
	return uint(v.Type.TotalBits())
}

// fact is what is known of v at the op at hand.
func (n *narrower) fact(v *ir.Value) analysis.Fact {
	if int(v.ID) < n.known {
		return n.bits.At(v, n.blk)
	}
	if i := int(v.ID) - n.known; i < len(n.made) && n.made[i] != (analysis.Fact{}) {
		return n.made[i]
	}
	if c, ok := pisa.ConstBits(v); ok {
		return analysis.Exactly(widthOf(v), c)
	}
	return analysis.Anything(widthOf(v))
}

// learn keeps what is known of a value made here.
func (n *narrower) learn(v *ir.Value, f analysis.Fact) *ir.Value {
	for len(n.made) <= int(v.ID)-n.known {
		n.made = append(n.made, analysis.Fact{})
	}
	n.made[int(v.ID)-n.known] = f
	return v
}

// may asks whether op may be rewritten.
func (n *narrower) may(stat int) bool {
	if n.stopped = !n.c.May(); n.stopped {
		return false
	}
	n.c.Count(stat, 1)
	if n.c.WantsRemarks() {
		n.c.Remark(Passed, [...]string{"Decided", "MadeUnsigned", "Narrowed"}[stat], n.f, n.op.Loc, "%s of %v: %s", n.op.Def().Name, n.op.Result(0).Type,
			[...]string{"bits or ranges leave one result", "no operand is negative, or no sum too big", "operands or result fit 32 bits"}[stat])
	}
	n.bl.Before(n.op)
	n.bl.Loc = n.op.Loc
	return true
}

// become replaces the op at hand by v.
func (n *narrower) become(v *ir.Value) {
	n.op.Result(0).ReplaceUses(v)
	n.dead = append(n.dead, n.op)
}

func (n *narrower) visit(op *ir.Op) {
	n.op = op
	switch {
	case op.Code < ir.BasePISA || op.Def().Effects&^(ir.Commutes|ir.ReadsLane) != 0 || n.decide() || n.stopped:
		return
	case op.NumOperands() == 0 || op.Code == pisa.LdParam || pisa.TypeOf(op.Props).Info().Float || n.simplify() || n.stopped:
		return
	}
	n.unsign()
	if n.stopped || n.op.Block() == nil || !n.op.Result(0).HasUses() {
		return
	}
	n.narrow()
}

// decide replaces an op of which only one result is possible.
func (n *narrower) decide() bool {
	f := n.bits.Of(n.op.Result(0))
	c, ok := f.Const()
	if !ok || int(n.op.Result(0).ID) >= n.known || !n.may(0) {
		return false
	}
	n.become(builtin.ConstInt(&n.bl, n.op.Result(0).Type, c))
	return true
}

// simplify replaces an op by an operand to which it makes no difference.
func (n *narrower) simplify() bool {
	op := n.op
	if op.NumOperands() < 2 || op.Operand(0).Type != op.Result(0).Type || op.Operand(1).Type != op.Result(0).Type {
		return false
	}
	a, b := n.fact(op.Operand(0)), n.fact(op.Operand(1))
	keep := -1
	switch op.Code {
	case pisa.And: // the other operand has all the bits that may be set
		keep = either(^a.Zero&^b.One == 0, ^b.Zero&^a.One == 0)
	case pisa.Or: // the other operand's bits are all set already
		keep = either(^b.Zero&^a.One == 0, ^a.Zero&^b.One == 0)
	case pisa.UMin:
		keep = either(a.UMax <= b.UMin, b.UMax <= a.UMin)
	case pisa.UMax:
		keep = either(a.UMin >= b.UMax, b.UMin >= a.UMax)
	case pisa.SMin:
		keep = either(a.SMax <= b.SMin, b.SMax <= a.SMin)
	case pisa.SMax:
		keep = either(a.SMin >= b.SMax, b.SMin >= a.SMax)
	case pisa.UDiv:
		keep = either(pisa.OpOf(op.Props) == pisa.OutRem && a.UMax < b.UMin, false)
	}
	if keep < 0 || !n.may(0) {
		return false
	}
	n.become(op.Operand(keep))
	return true
}

func either(first, second bool) int {
	switch {
	case first:
		return 0
	case second:
		return 1
	}
	return -1
}

// unsign makes an op unsigned where signs are known to be clear, and a
// saturating sum that cannot saturate a plain one.
func (n *narrower) unsign() {
	op := n.op
	a := n.fact(op.Operand(0))
	b := a
	if op.NumOperands() > 1 && op.Operand(1).Type == op.Operand(0).Type {
		b = n.fact(op.Operand(1))
	}
	code, props := op.Code, op.Props
	positive := a.NonNegative() && b.NonNegative()
	switch op.Code {
	case pisa.SExt:
		code = pisa.ZExt
	case pisa.Asr:
		code, positive = pisa.Shr, a.NonNegative()
	case pisa.SDiv:
		code = pisa.UDiv
	case pisa.SMin:
		code = pisa.UMin
	case pisa.SMax:
		code = pisa.UMax
	case pisa.SCmp: // equal signs, set or clear, give one order
		code, positive = pisa.UCmp, positive || a.SMax < 0 && b.SMax < 0
	case pisa.SMul:
		code, positive = pisa.UMul, positive && pisa.Has(props, pisa.FFull)
	case pisa.SMad:
		code, positive = pisa.UMad, positive && pisa.Has(props, pisa.FFull)
	case pisa.IAdd, pisa.ISub:
		positive = pisa.Has(props, pisa.FDsat) && n.inRange(a, b)
		props = pisa.FDsat.Set(props, 0)
	case pisa.IAbs:
		if a.NonNegative() && n.may(1) {
			n.become(op.Operand(0))
		}
		return
	default:
		return
	}
	if !positive || !n.may(1) {
		return
	}
	var in []*ir.Value
	for i := range op.NumOperands() {
		in = append(in, op.Operand(i))
	}
	v := n.bl.Value(code, props, op.Result(0).Type, in...)
	n.learn(v, n.result())
	n.become(v)
	n.op = v.Op()
}

// result is what is known of the op's result.
func (n *narrower) result() analysis.Fact {
	v := n.op.Result(0)
	if int(v.ID) < n.known {
		return n.bits.Of(v)
	}
	return n.fact(v)
}

// inRange reports that a + b, or a - b, does not leave the signed range.
func (n *narrower) inRange(a, b analysis.Fact) bool {
	w := widthOf(n.op.Result(0))
	if w > 32 {
		return false
	}
	top := analysis.Anything(w)
	lo, hi := a.SMin+b.SMin, a.SMax+b.SMax
	if n.op.Code == pisa.ISub {
		lo, hi = a.SMin-b.SMax, a.SMax-b.SMin
	}
	return lo >= top.SMin && hi <= top.SMax
}

func fitsUnsigned(f analysis.Fact) bool { return f.UMax <= math.MaxUint32 }
func fitsSigned(f analysis.Fact) bool   { return f.SMin >= math.MinInt32 && f.SMax <= math.MaxInt32 }

// narrow does a 64-bit op in 32 bits.
func (n *narrower) narrow() {
	op := n.op
	if op.Operand(0).Type != ir.B64 || pisa.TypeOf(op.Props) != pisa.T64b {
		return
	}
	a := n.fact(op.Operand(0))
	b := a
	if op.NumOperands() > 1 {
		b = n.fact(op.Operand(1))
	}
	r := n.result()
	unsigned, signed := fitsUnsigned(a) && fitsUnsigned(b), fitsSigned(a) && fitsSigned(b)
	switch op.Code {
	case pisa.UCmp:
		// Sign extension keeps the unsigned order too.
		n.compare(unsigned || signed)
	case pisa.SCmp:
		n.compare(signed)
	case pisa.UMul:
		switch {
		case unsigned:
			n.full(pisa.UMul)
		case signed:
			n.full(pisa.SMul)
		case fitsUnsigned(r):
			n.in32(op.Code, true, false)
		}
	case pisa.UMad:
		switch {
		case unsigned:
			n.full(pisa.UMad)
		case signed:
			n.full(pisa.SMad)
		}
	case pisa.UDiv: // by zero the quotient is all ones, of 64 bits
		if unsigned && b.UMin > 0 {
			n.in32(op.Code, true, false)
		}
	case pisa.SDiv:
		if signed && (b.SMin > 0 || b.SMax < 0) && (a.SMin > math.MinInt32 || b.SMax < -1 || b.SMin > 0) {
			n.in32(op.Code, true, true)
		}
	case pisa.And, pisa.Or, pisa.Xor, pisa.UMin, pisa.UMax:
		if unsigned || op.Code == pisa.And && (fitsUnsigned(a) || fitsUnsigned(b)) {
			n.in32(op.Code, false, false)
		}
	case pisa.IAdd, pisa.ISub:
		if pisa.Has(op.Props, pisa.FDsat) {
			return
		}
		if fitsUnsigned(r) {
			n.in32(op.Code, false, false)
		} else if fitsSigned(r) {
			n.in32(op.Code, false, true)
		}
	case pisa.Shl, pisa.Shr, pisa.Asr:
		n.shift(a, b)
	}
}

// shift narrows a shift by less than 32. The amount is 32 bits wide as it is.
// What is shifted left has to be a signed number, which an address can have as
// its offset; else a full product says as much (see fuse).
func (n *narrower) shift(a, amount analysis.Fact) {
	if amount.UMax >= 32 {
		return
	}
	switch n.op.Code {
	case pisa.Shr:
		if fitsUnsigned(a) {
			n.in32(pisa.Shr, false, false)
		}
	case pisa.Asr:
		if fitsSigned(a) {
			n.in32(pisa.Asr, false, true)
		}
	case pisa.Shl:
		if fitsSigned(a) && a.SMin<<amount.UMax >= math.MinInt32 && a.SMax<<amount.UMax <= math.MaxInt32 {
			n.in32(pisa.Shl, false, a.SMin < 0)
		}
	}
}

// cost is how many ops the low half of v takes that are not there yet, and how
// many go if the op at hand no longer uses v.
func (n *narrower) cost(v *ir.Value) (takes, frees int) {
	d := v.Op()
	if d == nil {
		return 1, 0
	}
	switch d.Code {
	case builtin.Const:
		return 0, 0
	case pisa.ZExt, pisa.SExt:
		if v.HasOneUse() {
			frees = 1
		}
		if d.Operand(0).Type != ir.B32 {
			takes = 1
		}
		return takes, frees
	}
	return 1, 0
}

// low returns the low half of v.
func (n *narrower) low(v *ir.Value) *ir.Value {
	if v.Type == ir.B32 {
		return v
	}
	if c, ok := builtin.IsConst(v); ok {
		return builtin.ConstInt(&n.bl, ir.B32, c)
	}
	if d := v.Op(); d != nil && (d.Code == pisa.ZExt || d.Code == pisa.SExt) {
		if d.Operand(0).Type == ir.B32 {
			return d.Operand(0)
		}
		return n.bl.Value(d.Code, pisa.FType.Set(d.Props, uint64(pisa.T32b)), ir.B32, d.Operand(0))
	}
	return n.bl.Value(pisa.Trunc, convert(pisa.T32b, pisa.T64b), ir.B32, v)
}

func convert(to, from pisa.DType) uint64 {
	return pisa.FType.Put(uint64(to)) | pisa.FFrom.Put(uint64(from))
}

// worth reports that the op at hand with low halves, and extra ops, makes no
// more ops than there are. Other operands than the first two are not narrowed.
func (n *narrower) worth(extra int) bool {
	op := n.op
	takes, frees := n.cost(op.Operand(0))
	if op.NumOperands() > 1 && op.Operand(1).Type == ir.B64 {
		t, f := n.cost(op.Operand(1))
		takes, frees = takes+t, frees+f
		if op.Operand(1) == op.Operand(0) {
			takes, frees = t, 0
		}
	}
	return takes+extra <= frees
}

func (n *narrower) compare(fits bool) {
	op := n.op
	if !fits || !n.worth(0) || !n.may(2) {
		return
	}
	p := pisa.FType.Set(op.Props, uint64(pisa.T32b))
	n.become(n.bl.Value(op.Code, p, op.Result(0).Type, n.low(op.Operand(0)), n.low(op.Operand(1))))
}

// full makes a product, or a product and a sum, one of full width: always worth
// while.
func (n *narrower) full(code ir.Code) {
	if !n.may(2) {
		return
	}
	p := pisa.FType.Put(uint64(pisa.T32b)) | pisa.FFull.Put(1)
	r := n.result()
	in := []*ir.Value{n.low(n.op.Operand(0)), n.low(n.op.Operand(1))}
	if n.op.NumOperands() > 2 {
		in = append(in, n.op.Operand(2))
	}
	n.become(n.learn(n.bl.Value(code, p, ir.B64, in...), r))
}

// in32 does the op at hand in 32 bits and extends the result.
func (n *narrower) in32(code ir.Code, dear, signed bool) {
	op := n.op
	ext, out := 1, pisa.ZExt
	if signed {
		out = pisa.SExt
	}
	for u := op.Result(0).FirstUse(); u != nil; u = u.NextUse() {
		if d := u.User(); d.Code == pisa.Trunc && d.Result(0).Type == ir.B32 {
			ext = 0 // canonicalisation takes the pair away
			break
		}
	}
	if !dear && !n.worth(ext) || !n.may(2) {
		return
	}
	r := n.result()
	in := []*ir.Value{n.low(op.Operand(0))}
	if op.NumOperands() > 1 {
		in = append(in, n.low(op.Operand(1)))
	}
	v := n.bl.Value(code, pisa.FType.Set(op.Props, uint64(pisa.T32b)), ir.B32, in...)
	w := n.bl.Value(out, convert(pisa.T64b, pisa.T32b), ir.B64, v)
	n.become(n.learn(w, r))
}
