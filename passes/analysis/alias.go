package analysis

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// RootKind is what an address points into.
type RootKind uint8

const (
	RootUnknown RootKind = iota
	RootVar              // a variable
	RootParam            // what a pointer parameter of the kernel points to
)

// Root is the object that an address is derived from. An access through it
// stays within the object (PISA: beyond it is undefined).
type Root struct {
	Kind RootKind
	Sym  ir.Aux // of RootVar: the symbol; of RootParam: 1 + the index
}

// maxTerms is how many terms a Pointer has before the sum counts as unknown.
const maxTerms = 4

// Term is a multiple of a value.
type Term struct {
	Value *ir.Value
	Scale uint64
}

// Pointer is an address as a sum modulo 2^width: of the terms and Off. The
// value that the root stands for is among the terms.
type Pointer struct {
	Root  Root
	Space ir.Space // of the object if known, else of the access
	Off   uint64
	Terms [maxTerms]Term // the first N, by Value.ID
	N     uint8
	Width uint8
}

// AliasResult is how two accesses overlap.
type AliasResult uint8

const (
	MayAlias  AliasResult = iota
	NoAlias               // never a byte in common
	MustAlias             // the same bytes
	Overlap               // always some bytes in common, but not the same ones
)

// Alias decomposes addresses and tells whether accesses overlap. Facts: spaces
// are disjoint but for generic; distinct variables are; a kernel parameter
// points to no variable of .shared, .private or .const; what .const holds is
// never written. Two parameters may point to one object.
type Alias struct {
	fn    *ir.Func
	ptrs  []Pointer
	at    []int32 // by Value.ID: 1 + index into ptrs, 0 if not asked yet
	work  []*ir.Value
	accs  []Access
	accOf []int32 // by Op.ID: 1 + index into accs
}

func (a *Alias) compute(f *ir.Func) {
	a.fn = f
	a.ptrs, a.at = a.ptrs[:0], a.at[:0]
	a.accs, a.accOf = a.accs[:0], a.accOf[:0]
}

// Access is what a memory op touches.
type Access struct {
	Op     *ir.Op
	Space  ir.Space // as the op says
	Ptr    Pointer
	Size   uint64
	Reads  bool
	Writes bool
	Order  pisa.Order
	Atomic bool

	props     uint64 // when it was described
	base, off *ir.Value
}

// AccessOf describes op if it is a load, store or atomic operation; ok is
// false for all others, fences, barriers and calls among them.
func (a *Alias) AccessOf(op *ir.Op) (acc Access, ok bool) {
	x := a.access(op)
	if x == nil {
		return acc, false
	}
	return *x, true
}

// access is AccessOf without a copy; the result holds until the next call.
func (a *Alias) access(op *ir.Op) *Access {
	switch op.Code {
	case pisa.Ld, pisa.St, pisa.IAtom, pisa.FAtom:
	default:
		return nil
	}
	if n := a.fn.NumOps(); len(a.accOf) < n {
		a.accOf = append(a.accOf, make([]int32, n-len(a.accOf))...)
	}
	var off *ir.Value
	if ir.HasOffset.Get(op.Props) != 0 {
		off = op.Operand(1)
	}
	k := a.accOf[op.ID]
	if k != 0 {
		// A pass may have changed the op since.
		if x := &a.accs[k-1]; x.props == op.Props && x.base == op.Operand(0) && x.off == off {
			return x
		}
	} else {
		a.accs = append(a.accs, Access{})
		k = int32(len(a.accs))
		a.accOf[op.ID] = k
	}
	x := a.describe(op)
	x.props, x.base, x.off = op.Props, op.Operand(0), off
	a.accs[k-1] = x
	return &a.accs[k-1]
}

func (a *Alias) describe(op *ir.Op) (acc Access) {
	p := op.Props
	acc = Access{Op: op, Space: pisa.SpaceOf(p), Reads: op.Code != pisa.St, Writes: op.Code != pisa.Ld}
	acc.Size = uint64(pisa.TypeOf(p).Info().Bits / 8)
	if op.Code == pisa.Ld || op.Code == pisa.St {
		acc.Size *= uint64(pisa.LanesOf(p))
		acc.Order = pisa.OrderOf(p)
	} else {
		acc.Order = max(pisa.OrderOf(p), pisa.Relaxed)
	}
	acc.Atomic = acc.Order != pisa.Weak
	acc.Ptr = a.Pointer(op.Operand(0))
	if ir.HasOffset.Get(p) != 0 {
		acc.Ptr = a.offset(acc.Ptr, op.Operand(1))
	}
	if acc.Ptr.Space == ir.SpaceNone || acc.Ptr.Space == ir.SpaceGeneric {
		acc.Ptr.Space = acc.Space
	}
	return acc
}

// offset adds the offset operand of an access, sign-extended if narrower than
// the base.
func (a *Alias) offset(p Pointer, off *ir.Value) Pointer {
	w := uint(off.Type.TotalBits())
	if w == uint(p.Width) {
		return p.plus(a.Pointer(off), 1)
	}
	if c, ok := builtin.IsConst(off); ok {
		p.Off = (p.Off + uint64(signExtend(w, c))) & mask(uint(p.Width))
		return p
	}
	return p.plus(Pointer{Terms: [maxTerms]Term{{off, 1}}, N: 1, Width: p.Width}, 1)
}

// Pointer decomposes v, a scalar integer.
func (a *Alias) Pointer(v *ir.Value) Pointer {
	if n := a.fn.NumValues(); len(a.at) < n {
		a.at = append(a.at, make([]int32, n-len(a.at))...)
	}
	if k := a.at[v.ID]; k != 0 {
		return a.ptrs[k-1]
	}
	// Operands first, without recursion.
	a.work = append(a.work[:0], v)
	for len(a.work) > 0 {
		x := a.work[len(a.work)-1]
		ready := true
		if op := x.Op(); op != nil && a.at[x.ID] == 0 {
			for i := range linear(op) {
				if y := op.Operand(i); a.at[y.ID] == 0 {
					a.work = append(a.work, y)
					ready = false
				}
			}
		}
		if ready {
			a.work = a.work[:len(a.work)-1]
			if a.at[x.ID] == 0 {
				p := a.decompose(x)
				a.ptrs = append(a.ptrs, p)
				a.at[x.ID] = int32(len(a.ptrs))
			}
		}
	}
	return a.ptrs[a.at[v.ID]-1]
}

// linear returns how many operands of op a decomposition looks into.
func linear(op *ir.Op) int {
	if len(op.Operands()) == 0 || op.NumResults() == 0 || width(op.Result(0).Type) == 0 {
		return 0
	}
	switch op.Code {
	case pisa.IAdd, pisa.ISub:
		if !pisa.Has(op.Props, pisa.FDsat) {
			return 2
		}
	case pisa.UMul, pisa.SMul:
		if !pisa.Has(op.Props, pisa.FFull) {
			return 2
		}
	case pisa.UMad, pisa.SMad:
		if !pisa.Has(op.Props, pisa.FFull) {
			return 3
		}
	case pisa.Shl:
		if _, ok := builtin.IsConst(op.Operand(1)); ok {
			return 1
		}
	case pisa.AddrCast:
		return 1
	}
	return 0
}

func (a *Alias) decompose(v *ir.Value) Pointer {
	w := width(v.Type)
	self := Pointer{Terms: [maxTerms]Term{{v, 1}}, N: 1, Width: uint8(w)}
	op := v.Op()
	if op == nil {
		return self
	}
	at := func(i int) Pointer { return a.ptrs[a.at[op.Operand(i).ID]-1] }
	switch op.Code {
	case builtin.Const:
		return Pointer{Off: op.Props, Width: uint8(w)}
	case pisa.AddrOf:
		if s := a.fn.Module().Symbol(op.Aux).Var; s != nil {
			self.Root, self.Space = Root{RootVar, op.Aux}, s.Space
			self.Terms[0].Scale = 1
		}
		return self
	case pisa.LdParam:
		p := &a.fn.Params[op.Aux-1]
		if op.NumOperands() == 0 && p.Space != ir.SpaceNone && uint32(w) == p.Size*8 {
			self.Root, self.Space = Root{RootParam, op.Aux}, p.Space
		}
		return self
	}
	if linear(op) == 0 {
		return self
	}
	switch op.Code {
	case pisa.IAdd:
		return at(0).plus(at(1), 1).or(self)
	case pisa.ISub:
		return at(0).plus(at(1), ^uint64(0)).or(self)
	case pisa.UMul, pisa.SMul:
		return at(0).times(at(1)).or(self)
	case pisa.UMad, pisa.SMad:
		prod := at(0).times(at(1))
		if prod.Width == 0 {
			// The product has no value of its own to be a term.
			self.Root, self.Space = at(2).Root, at(2).Space
			return self
		}
		return prod.plus(at(2), 1).or(self)
	case pisa.Shl:
		n, _ := builtin.IsConst(op.Operand(1))
		if n &= 63; n >= uint64(w) {
			return Pointer{Width: uint8(w)}
		}
		return Pointer{Width: uint8(w)}.plus(at(0), 1<<n).or(self)
	case pisa.AddrCast:
		self.Root, self.Space = at(0).Root, at(0).Space
	}
	return self
}

// plus returns p + q·scale. The sum points where the one that is a pointer
// does; with too many terms only that is kept, and or puts a value in.
func (p Pointer) plus(q Pointer, scale uint64) Pointer {
	m := mask(uint(p.Width))
	p.Off = (p.Off + q.Off*scale) & m
	switch {
	case q.Root.Kind == RootUnknown:
	case p.Root.Kind == RootUnknown && scale == 1:
		p.Root, p.Space = q.Root, q.Space
	default:
		p.Root, p.Space = Root{}, ir.SpaceNone // two pointers, or a multiple of one
	}
	var sum [2 * maxTerms]Term
	n, i, k := 0, uint8(0), uint8(0)
	for i < p.N || k < q.N {
		var t Term
		switch {
		case k == q.N || i < p.N && p.Terms[i].Value.ID < q.Terms[k].Value.ID:
			t = p.Terms[i]
			i++
		case i == p.N || q.Terms[k].Value.ID < p.Terms[i].Value.ID:
			t = Term{q.Terms[k].Value, q.Terms[k].Scale * scale & m}
			k++
		default:
			t = Term{p.Terms[i].Value, (p.Terms[i].Scale + q.Terms[k].Scale*scale) & m}
			i, k = i+1, k+1
		}
		if t.Scale != 0 {
			sum[n] = t
			n++
		}
	}
	if n > maxTerms {
		return Pointer{Root: p.Root, Space: p.Space}
	}
	p.N = uint8(copy(p.Terms[:], sum[:n]))
	return p
}

// times returns p·q if one of them is a constant; else Width is 0.
func (p Pointer) times(q Pointer) Pointer {
	if p.N == 0 {
		p, q = q, p
	}
	if q.N != 0 {
		return Pointer{}
	}
	return Pointer{Width: p.Width}.plus(p, q.Off)
}

// or is self, with the root of p, if p has too many terms.
func (p Pointer) or(self Pointer) Pointer {
	if p.Width != 0 {
		return p
	}
	self.Root, self.Space = p.Root, p.Space
	return self
}

// Difference returns q - p if it is a constant.
func (p *Pointer) Difference(q *Pointer) (int64, bool) {
	if p.Width == 0 || p.Width != q.Width || p.N != q.N { // 0: too many terms, not known
		return 0, false
	}
	for i := range p.N {
		if p.Terms[i] != q.Terms[i] {
			return 0, false
		}
	}
	return signExtend(uint(p.Width), q.Off-p.Off), true
}

// disjointSpaces reports spaces without a byte in common.
func disjointSpaces(a, b ir.Space) bool {
	return a != b && a != ir.SpaceGeneric && b != ir.SpaceGeneric && a != ir.SpaceNone && b != ir.SpaceNone
}

// Alias compares two accesses of one work-item at one time: terms that are one
// SSA value have one number.
func (a *Alias) Alias(x, y *Access) AliasResult {
	if disjointSpaces(x.Ptr.Space, y.Ptr.Space) || a.distinct(&x.Ptr, &y.Ptr) {
		return NoAlias
	}
	// Addresses of different spaces are not comparable as numbers.
	d, ok := x.Ptr.Difference(&y.Ptr)
	switch {
	case !ok || x.Space != y.Space:
		return MayAlias
	case d == 0 && x.Size == y.Size:
		return MustAlias
	case d >= 0 && uint64(d) < x.Size || d < 0 && uint64(-d) < y.Size:
		return Overlap
	}
	return NoAlias
}

// distinct reports pointers into different objects.
func (a *Alias) distinct(p, q *Pointer) bool {
	if p.Root.Kind == RootUnknown || q.Root.Kind == RootUnknown || p.Root == q.Root {
		return false
	}
	if p.Root.Kind == RootVar && q.Root.Kind == RootVar {
		return true
	}
	if p.Root.Kind == RootParam {
		p, q = q, p
	}
	if p.Root.Kind == RootParam {
		return false
	}
	// The host may know a variable of the module and pass its address.
	return a.fn.Module().Symbol(p.Root.Sym).Var.Space != ir.SpaceGlobal
}

// Immutable reports a load from memory that nothing writes while the kernel
// runs.
func (x *Access) Immutable() bool {
	return !x.Writes && !x.Atomic && (x.Space == ir.SpaceConst || x.Ptr.Space == ir.SpaceConst)
}

// Private reports an access that no other work-item can see.
func (x *Access) Private() bool {
	return x.Space == ir.SpacePrivate || x.Ptr.Space == ir.SpacePrivate
}

// Writes reports whether op may write bytes that x touches, or let x see what
// another work-item has written: a weak access must not move above it. It is
// true of calls, barriers and whatever acquires.
func (a *Alias) Writes(op *ir.Op, x *Access) bool {
	if y := a.access(op); y != nil {
		if y.Order.Acquires() && !x.Private() && !x.Immutable() {
			return true
		}
		return y.Writes && !x.Immutable() && a.Alias(y, x) != NoAlias
	}
	if x.Immutable() {
		return false
	}
	e := op.Def().Effects
	if e&ir.Calls != 0 {
		return true
	}
	return e&(ir.Barrier|ir.FenceEffect) != 0 && !x.Private()
}

// Touches reports whether op may read or write bytes that x touches, or order
// other accesses: a weak store must not move across it.
func (a *Alias) Touches(op *ir.Op, x *Access) bool {
	if y := a.access(op); y != nil {
		if (y.Order.Acquires() || y.Order.Releases()) && !x.Private() {
			return true
		}
		return a.Alias(y, x) != NoAlias
	}
	e := op.Def().Effects
	return e&ir.Calls != 0 || e&(ir.Barrier|ir.FenceEffect) != 0 && !x.Private()
}
