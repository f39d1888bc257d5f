package passes

import (
	"cmp"
	"math/bits"
	"slices"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Reassociation of integer sums, addresses above all: terms are ordered by the
// loop that they change in, uniform ones before divergent ones, and the
// constant comes last, where an access takes it as its offset.
//
//	%1 = pisa.iadd.32b %i, %lane : 32b    (%i changes in the loop)
//	%2 = pisa.umad.32b %row, %n, %1 : 32b
//	=> %1 = pisa.umad.32b %row, %n, %lane : 32b    (leaves the loop)
//	   %2 = pisa.iadd.32b %1, %i : 32b
//
// Only what nothing else uses is taken apart. A product with a sum is
// distributed if that lets a part leave the loop. An extension of x + c is one
// of x, plus c, if ranges say that x + c does not wrap. Sums wrap in both
// orders alike; saturating ones stay.
var reassociatePass = &Pass{
	Name: "reassociate", Doc: "Order the terms of integer sums: invariant, uniform, divergent, constant.",
	Stats: []string{"sums reordered", "terms merged"},
	Needs: PISA, Keeps: analysis.KeepCFG,
	Func: reassociate,
}

const (
	maxSumTerms = 12
	maxSumOps   = 24
	maxClimb    = 64 // loops left between a term and its use
)

// place is where a value changes: the depth of the loop, and whether lanes
// differ.
type place struct {
	depth int
	div   bool
}

func (p place) join(q place) place { return place{max(p.depth, q.depth), p.div || q.div} }

// term is scale · v · y, y nil for none, v extended by ext if that is not 0.
type term struct {
	v, y  *ir.Value
	scale uint64
	ext   ir.Code
	place
}

// sum is an expression taken apart.
type sum struct {
	root        *ir.Op
	terms       []term
	ops         []*ir.Op // root first, an op before its operands
	constant    uint64
	leaves      int // terms and constants as they were
	constants   int // of these
	outer       int // of these, where they are last
	distributed bool
	mads        bool // a multiply-add by a constant is among ops
	depth, divs int  // over the adding ops: their loop depths, how many are divergent
	full        bool
}

type reassociator struct {
	c     *Ctx
	loops *analysis.Loops
	uni   *analysis.Uniformity
	bits  *analysis.Bits
	known int // values made since have no facts
	s     sum
	bl    ir.Builder
}

func reassociate(c *Ctx, f *ir.Func) bool {
	r := reassociator{c: c, loops: c.Loops(), uni: c.Uniformity(analysis.SubgroupLevel), bits: c.Bits(), known: f.NumValues()}
	changed := false
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		if !c.Dom().Reachable(b) {
			continue
		}
		for op := b.First(); op != nil; {
			next := op.Next()
			if linearOp(op) && !partOfSum(op) && r.takeApart(op) && r.gains() {
				if !c.May() {
					return changed
				}
				r.put()
				changed = true
			}
			op = next
		}
	}
	return changed
}

// linearOp reports an op that sums or scales, modulo the width of its result.
func linearOp(op *ir.Op) bool {
	switch op.Code {
	case pisa.IAdd, pisa.ISub:
		return !pisa.Has(op.Props, pisa.FDsat) && !pisa.TypeOf(op.Props).Packed()
	case pisa.UMad, pisa.UMul:
		return !pisa.Has(op.Props, pisa.FFull)
	case pisa.Shl:
		n, ok := pisa.ConstBits(op.Operand(1))
		return ok && n < uint64(op.Result(0).Type.TotalBits()) && !pisa.TypeOf(op.Props).Packed()
	}
	return false
}

// partOfSum reports an op that a sum which it is a term of will take apart.
func partOfSum(op *ir.Op) bool {
	v := op.Result(0)
	if !v.HasOneUse() {
		return false
	}
	u := v.FirstUse().User()
	if !linearOp(u) || u.Result(0).Type != v.Type {
		return false
	}
	// As a factor it is only if the other is a constant.
	switch u.Code {
	case pisa.UMul, pisa.UMad:
		_, ok := pisa.ConstBits(u.Operand(1))
		return ok && u.Operand(0) == v || u.Code == pisa.UMad && u.Operand(2) == v && u.Operand(0) != v && u.Operand(1) != v
	}
	return true
}

// takeApart fills r.s with root's terms; false if it is too big.
func (r *reassociator) takeApart(root *ir.Op) bool {
	r.s = sum{root: root, terms: r.s.terms[:0], ops: r.s.ops[:0]}
	r.expand(root, 1, nil)
	return !r.s.full
}

// level is the depth of the innermost loop around the root in which v changes.
func (r *reassociator) level(v *ir.Value) int {
	l := r.loops.Of(v.Block())
	for n := 0; l != nil && !l.Contains(r.s.root.Block()) && n < maxClimb; n++ {
		l = l.Parent
	}
	if l == nil {
		return 0
	}
	return l.Depth
}

func (r *reassociator) divergent(v *ir.Value) bool {
	return int(v.ID) >= r.known || r.uni.Divergent(v)
}

// place returns where v changes.
func (r *reassociator) place(v *ir.Value) place { return place{r.level(v), r.divergent(v)} }

// expand takes op apart, scaled by scale and times y, and returns where its
// value changes.
func (r *reassociator) expand(op *ir.Op, scale uint64, y *ir.Value) (at place) {
	s := &r.s
	s.ops = append(s.ops, op)
	if s.full = s.full || len(s.ops) > maxSumOps || len(s.terms) >= maxSumTerms; s.full {
		return at
	}
	switch op.Code {
	case pisa.Shl:
		n, _ := pisa.ConstBits(op.Operand(1))
		return r.value(op.Operand(0), scale<<n, y)
	case pisa.UMul:
		return r.product(op, scale, y)
	case pisa.UMad:
		at = r.product(op, scale, y).join(r.value(op.Operand(2), scale, y))
	case pisa.IAdd:
		at = r.value(op.Operand(0), scale, y).join(r.value(op.Operand(1), scale, y))
		s.lastConstant(op)
	case pisa.ISub:
		at = r.value(op.Operand(0), scale, y).join(r.value(op.Operand(1), -scale, y))
	}
	s.depth += at.depth
	s.divs += bit(at.div)
	return at
}

// lastConstant notes a constant that the root adds, which is where it belongs.
func (s *sum) lastConstant(op *ir.Op) {
	if _, ok := pisa.ConstBits(op.Operand(1)); ok && op == s.root {
		s.outer++
	}
}

// product adds the term of op's first two operands.
func (r *reassociator) product(op *ir.Op, scale uint64, y *ir.Value) place {
	a, b := op.Operand(0), op.Operand(1)
	if c, ok := pisa.ConstBits(b); ok {
		r.s.mads = r.s.mads || op.Code == pisa.UMad
		return r.value(a, scale*c, y)
	}
	if y != nil || scale != 1 {
		r.s.full = true
		return place{}
	}
	if r.level(a) < r.level(b) || r.level(a) == r.level(b) && !r.distributable(a) && r.distributable(b) {
		a, b = b, a
	}
	// Now a changes in the inner loop.
	if a != b && r.distributable(a) && r.level(b) < r.loops.Depth(r.s.root.Block()) {
		r.s.distributed = true
		return r.expand(a.Op(), 1, b).join(r.place(b))
	}
	return r.leaf(term{v: a, y: b, scale: 1})
}

// distributable reports a sum that is used once.
func (r *reassociator) distributable(v *ir.Value) bool {
	d := v.Op()
	return d != nil && (d.Code == pisa.IAdd || d.Code == pisa.ISub) && linearOp(d) && v.HasOneUse()
}

// value adds the term scale · v · y, or the terms of v.
func (r *reassociator) value(v *ir.Value, scale uint64, y *ir.Value) place {
	s := &r.s
	if c, ok := pisa.ConstBits(v); ok {
		if y != nil {
			return r.leaf(term{v: y, scale: scale * c})
		}
		s.constant += scale * c
		s.leaves, s.constants = s.leaves+1, s.constants+1
		return place{}
	}
	if d := v.Op(); d != nil && v.HasOneUse() {
		if linearOp(d) && v.Type == s.root.Result(0).Type {
			return r.expand(d, scale, y)
		}
		if x, c, ok := r.extendedSum(d); ok && y == nil {
			s.constant += scale * c
			s.leaves, s.constants = s.leaves+1, s.constants+1
			s.ops = append(s.ops, d, d.Operand(0).Op())
			at := r.leaf(term{v: x, scale: scale, ext: d.Code})
			s.depth += at.depth // of x + c
			s.divs += bit(at.div)
			return at
		}
	}
	return r.leaf(term{v: v, y: y, scale: scale})
}

// extendedSum returns x and c if ext is the extension of x + c, used only
// there, that equals the extension of x plus c.
func (r *reassociator) extendedSum(ext *ir.Op) (x *ir.Value, c uint64, ok bool) {
	if ext.Code != pisa.ZExt && ext.Code != pisa.SExt || ext.Operand(0).Type != ir.B32 || ext.Result(0).Type != ir.B64 || !ext.Operand(0).HasOneUse() {
		return nil, 0, false
	}
	in := ext.Operand(0).Op()
	if in == nil || in.Code != pisa.IAdd || !linearOp(in) {
		return nil, 0, false
	}
	k, ok := pisa.ConstBits(in.Operand(1))
	if !ok || int(in.Operand(0).ID) >= r.known {
		return nil, 0, false
	}
	x = in.Operand(0)
	f, d := r.bits.At(x, r.s.root.Block()), int64(int32(k))
	lo, hi, top, bottom := int64(f.UMin), int64(f.UMax), int64(1)<<32, int64(0)
	if ext.Code == pisa.SExt {
		lo, hi, top, bottom = f.SMin, f.SMax, 1<<31, -1<<31
	}
	return x, uint64(d), lo+d >= bottom && hi+d < top
}

// leaf adds a term, or to one that is there.
func (r *reassociator) leaf(t term) place {
	s := &r.s
	s.leaves++
	if t.place = r.place(t.v); t.y != nil {
		t.place = t.join(r.place(t.y))
	}
	for i := range s.terms {
		if o := &s.terms[i]; o.v == t.v && o.y == t.y && o.ext == t.ext {
			o.scale += t.scale
			return t.place
		}
	}
	s.terms = append(s.terms, t)
	return t.place
}

// mask is that of the sum's width.
func (s *sum) mask() uint64 { return ^uint64(0) >> (64 - s.root.Result(0).Type.TotalBits()) }

// gains orders the terms and reports whether that is better than what is there.
func (r *reassociator) gains() bool {
	s := &r.s
	m := s.mask()
	s.constant &= m
	for i := range s.terms {
		s.terms[i].scale &= m
	}
	s.terms = slices.DeleteFunc(s.terms, func(t term) bool { return t.scale == 0 })
	s.order(true)
	if s.cost() > len(s.ops) {
		if s.order(false); s.cost() > len(s.ops) {
			return false
		}
	}
	leaves, depth, divs := len(s.terms), 0, 0
	var last term
	for i, t := range s.terms {
		if last.place = last.join(t.place); i > 0 {
			depth, divs = depth+last.depth, divs+bit(last.div)
		}
	}
	if s.constant != 0 {
		leaves, depth, divs = leaves+1, depth+last.depth, divs+bit(last.div)
	}
	switch {
	case s.distributed:
		return depth < s.depth
	case leaves != s.leaves:
		return leaves < s.leaves
	case depth != s.depth:
		return depth < s.depth
	case divs != s.divs:
		return divs < s.divs
	}
	return s.constants > s.outer
}

// order sorts the terms so that the first ones stay the same longest, and
// products find something that they can be added to.
func (s *sum) order(uniformFirst bool) {
	m := s.mask()
	slices.SortStableFunc(s.terms, func(a, b term) int {
		divs := 0
		if uniformFirst {
			divs = bit(a.div) - bit(b.div)
		}
		return cmp.Or(a.depth-b.depth, divs, bit(a.y != nil)-bit(b.y != nil), bit(a.scale == m)-bit(b.scale == m), bit(a.scale != 1)-bit(b.scale != 1))
	})
}

// cost is the ops that put makes.
func (s *sum) cost() (n int) {
	for i := range s.terms {
		t := &s.terms[i]
		if i == 0 && t.scale == s.mask() || t.y != nil && t.scale != 1 {
			return len(s.ops) + 1 // a negation more, or a product
		}
		n += bit(i > 0) + bit(t.ext != 0)
		if t.y != nil || t.scale != 1 && t.scale != s.mask() {
			n += bit(i == 0 || s.shifted(t))
		}
	}
	return n + bit(s.constant != 0 && len(s.terms) > 0)
}

// shifted reports a term that is scaled by a shift of its own, not by a
// multiply-add. Of extensions that is what later passes look for.
func (s *sum) shifted(t *term) bool {
	return t.y == nil && t.scale&(t.scale-1) == 0 && (!s.mads || t.ext != 0 || t.v.Op() != nil && (t.v.Op().Code == pisa.ZExt || t.v.Op().Code == pisa.SExt))
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// put makes the sum anew before the root, and removes what was there.
func (r *reassociator) put() {
	s := &r.s
	r.bl.Before(s.root)
	r.bl.Loc = s.root.Loc
	t := s.root.Result(0).Type
	p := pisa.FType.Put(uint64(pisa.PlainType(t)))
	var acc *ir.Value
	for i := range s.terms {
		acc = r.add(acc, &s.terms[i], t, p)
	}
	if acc == nil {
		acc = builtin.ConstInt(&r.bl, t, s.constant)
	} else if s.constant != 0 {
		acc = r.bl.Value(pisa.IAdd, p, t, acc, builtin.ConstInt(&r.bl, t, s.constant))
	}
	s.root.Result(0).ReplaceUses(acc)
	if r.c.WantsRemarks() {
		r.c.Remark(Passed, "Reordered", s.root.Func(), s.root.Loc, "a sum of %d terms is ordered by where they change", len(s.terms)+bit(s.constant != 0))
	}
	r.c.Count(0, 1)
	r.c.Count(1, max(s.leaves-s.constants-len(s.terms), 0))
	for _, op := range s.ops {
		op.Erase()
	}
}

// add returns acc plus a term; acc may be nil for 0.
func (r *reassociator) add(acc *ir.Value, x *term, t ir.Type, p uint64) *ir.Value {
	v := x.v
	if x.ext != 0 {
		v = r.bl.Value(x.ext, convert(pisa.T64b, pisa.T32b), ir.B64, v)
	}
	scaled := func(y *ir.Value) *ir.Value {
		if acc == nil {
			return r.bl.Value(pisa.UMul, p, t, v, y)
		}
		return r.bl.Value(pisa.UMad, p, t, v, y, acc)
	}
	switch m := r.s.mask(); {
	case x.y != nil:
		return scaled(x.y)
	case x.scale == 1:
	case x.scale == m: // never the first
		return r.bl.Value(pisa.ISub, p, t, acc, v)
	case r.s.shifted(x) || acc == nil && x.scale&(x.scale-1) == 0:
		v = r.bl.Value(pisa.Shl, p, t, v, builtin.ConstInt(&r.bl, ir.B32, uint64(bits.TrailingZeros64(x.scale))))
	default:
		return scaled(builtin.ConstInt(&r.bl, t, x.scale))
	}
	if acc == nil {
		return v
	}
	return r.bl.Value(pisa.IAdd, p, t, acc, v)
}
