package passes

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Vectorisation of memory accesses: neighbours in memory become one access.
//
//	%1 = pisa.ld.global.32b [%p] : 32b
//	%2 = pisa.ld.global.16b [%p + 4] : 16b
//	%3 = pisa.ld.global.16b [%p + 6] : 16b
//	=> %4 = pisa.ld.global.v2.32b [%p] : v2.32b
//	   %1, %2 and %3 are its first word and the halves of its second
//
// Loads meet at the first of them, stores at the last, and at another place
// where something between forbids that. Accesses meet within a span, blocks of
// which each is executed if and only if the others are (vectorize_memory_span.go):
// what was not executed must not be, since it may touch bytes that are not
// there. What may be crossed, also between those blocks, is the table
// crossings, with the ids of the rules; besides no access that may touch the
// bytes, unless both load. Never: an atomic access (rule V03), a byte that the
// source does not access (V04, V04b), an access of less alignment than its
// form needs (PISA 8.3: that of an element, of the vector if elements have less
// than 32 bits), accesses whose cache controls differ.
//
// Neighbours are known by the sums that addresses are. Alignment is known from variables and .ptr_align, from bits of the terms of
// the address, and from the accesses themselves, since all of them happen.
var vectorizeMemoryPass = &Pass{
	Name: "vectorize-memory", Doc: "Merge loads and stores of neighbouring memory into vector accesses.",
	Options: []Option{
		{Name: "max-bytes", Doc: "most bytes of an access made", Default: 32, Max: 32},
		{Name: "window", Doc: "how many accesses, fences, barriers and calls an access may be away from its first neighbour", Default: 128, Max: 1 << 12},
		{Name: "mixed", Doc: "merge elements of different widths", Default: 1, Max: 1},
		{Name: "max-live", Doc: "loads are not moved up where more 32-bit registers would be live", Default: 160, Max: 1 << 12},
	},
	Stats: []string{"loads merged", "stores merged", "parameter loads merged",
		"accesses made, scalar", "accesses made, .v2", "accesses made, .v3", "accesses made, .v4", "accesses made, .v8"},
	Needs: PISA, Keeps: analysis.KeepCFG,
	Func: vectorizeMemory,
}

// Indices of options and statistics.
const (
	vmMaxBytes = iota
	vmWindow
	vmMixed
	vmMaxLive
)

const (
	maxChain      = 64  // accesses of one chain
	maxGroup      = 32  // accesses that become one: a byte each
	maxRounds     = 4   // times that a chain is gone through, for accesses of the same bytes
	maxMove       = 512 // ops that a load is moved up across
	anyPlaceLimit = 8   // accesses up to which all places are tried, not only the first and last
)

// piece is a load or store that may become part of a wider one.
type piece struct {
	op   *ir.Op
	acc  analysis.Access
	mem  int   // index in vectorizer.mem; -1 for a kernel parameter
	pos  int32 // place in the span
	off  int64 // from the base of the chain
	more int64 // what of off was in terms of the address
	zero uint  // how many low bits of the address are zero
	done bool
	told bool // a remark says why it stays
}

func (p *piece) end() int64 { return p.off + int64(p.acc.Size) }

// base is what the accesses of a chain have in common.
type base struct {
	code  ir.Code
	space ir.Space
	param ir.Aux
	terms [4]analysis.Term
	n     uint8
	width uint8
	wall  uint32 // fences, barriers and calls before it that nothing crosses
}

type chain struct {
	base   base
	pieces []piece
}

// memOp is what accesses cannot always be moved across.
type memOp struct {
	op     *ir.Op // nil: gone
	acc    analysis.Access
	access bool // acc is set
	kind   crossing
	group  int // the last group looked at that it is of
}

type vectorizer struct {
	c       *Ctx
	f       *ir.Func
	alias   *analysis.Alias
	span    span
	block   *ir.Block // the one of the span whose facts hold
	mem     []memOp
	place   []int32 // by Op.ID: position in the span
	npos    int32
	live    []int32 // by position: 32-bit registers live before the op; empty: not measured
	chains  []chain
	open    map[base]int
	origins map[origin]*ir.Value
	sums    map[indexSum]*ir.Value // of the span
	group   int                    // number of groups looked at
	fences  uint32                 // scanned: fences and barriers that nothing crosses
	calls   uint32                 // scanned
	checks  int                    // comparisons left
	bl      ir.Builder
	why     reason // of the last refusal, at the place that was tried first
	whyNot  reason // and at the other
	changed bool
	stopped bool
}

func vectorizeMemory(c *Ctx, f *ir.Func) bool {
	v := vectorizer{c: c, f: f, alias: c.Alias(), origins: map[origin]*ir.Value{}, place: make([]int32, f.NumOps()), checks: 64*f.NumOps() + 1<<16}
	v.span.init(f, c.Dom())
	for v.span.next(&v) && !v.stopped {
		v.scan()
		for _, code := range []ir.Code{pisa.LdParam, pisa.Ld, pisa.St} { // what is loaded wide is best stored wide
			for i := range v.chains {
				if v.chains[i].base.code == code && !v.stopped {
					v.chain(&v.chains[i])
				}
			}
		}
		if c.WantsRemarks() && !v.stopped {
			v.tellWalls()
		}
	}
	return v.changed
}

// scan finds the chains of the span.
func (v *vectorizer) scan() {
	v.mem, v.chains = v.mem[:0], v.chains[:0]
	if v.open == nil || len(v.open) > 0 {
		v.open, v.sums = map[base]int{}, map[indexSum]*ir.Value{}
	}
	v.live = v.live[:0]
	v.npos, v.fences, v.calls = 0, 0, 0
	for _, b := range v.span.blocks {
		v.scanBlock(b.block, b.member)
	}
}

// scanBlock numbers the ops of a block and collects its accesses; those of
// members of the span may become part of wider ones.
func (v *vectorizer) scanBlock(b *ir.Block, member bool) {
	v.block = b
	v.span.begin(b, v.npos)
	for op := b.First(); op != nil; op = op.Next() {
		pos := v.npos
		v.place[op.ID] = pos
		v.npos++
		if op.Code == pisa.LdParam {
			if member {
				v.join(piece{op: op, mem: -1, pos: pos, acc: v.parameter(op)}, 0)
			}
			continue
		}
		acc, access := v.alias.AccessOf(op)
		if !access && op.Def().Effects&(ir.ReadsMem|ir.WritesMem|ir.FenceEffect|ir.Barrier|ir.Calls) == 0 {
			continue
		}
		m := memOp{op: op, acc: acc, access: access, kind: crossingOf(op)}
		v.mem = append(v.mem, m)
		switch {
		case m.kind == crossCall:
			if v.guards(vmGuardCall, true) {
				v.calls++
			}
		case !crossings[m.kind].up && !crossings[m.kind].down:
			v.fences++
		}
		if member && (op.Code == pisa.Ld || op.Code == pisa.St) {
			wall := v.fences + v.calls
			switch {
			case acc.Immutable():
				wall = 0
			case acc.Private():
				wall = v.calls
			}
			v.join(piece{op: op, acc: acc, mem: len(v.mem) - 1, pos: pos}, wall)
		}
	}
}

// parameter is ld.param as an access; its address is the offset.
func (v *vectorizer) parameter(op *ir.Op) analysis.Access {
	a := analysis.Access{Op: op, Space: ir.SpaceConst, Reads: true}
	a.Size = uint64(op.Result(0).Type.TotalBits() / 8)
	a.Ptr.Width = 32
	if op.NumOperands() > 0 {
		a.Ptr = v.alias.Pointer(op.Operand(0))
	}
	return a
}

// join puts p into its chain, or begins one.
func (v *vectorizer) join(p piece, wall uint32) {
	ptr := &p.acc.Ptr
	if ptr.Width == 0 || p.acc.Size > 16 {
		return
	}
	k := base{code: p.op.Code, space: p.acc.Space, n: ptr.N, width: ptr.Width, wall: wall}
	if k.code == pisa.LdParam {
		k.param = p.op.Aux
	}
	plain := v.disjointSums(*ptr)
	k.n = plain.N
	p.off = extended64(ptr.Width, plain.Off)
	for i, t := range plain.Terms[:plain.N] {
		x, more := v.term(t.Value, ptr.Width)
		k.terms[i] = analysis.Term{Value: x, Scale: t.Scale}
		p.off = extended64(ptr.Width, uint64(p.off)+uint64(more)*t.Scale)
	}
	sortTerms(k.terms[:k.n])
	p.more = p.off - extended64(ptr.Width, ptr.Off)
	i, known := v.open[k]
	if known {
		c := &v.chains[i]
		first := &c.pieces[0]
		known = len(c.pieces) < maxChain && p.mem-first.mem <= v.c.Opt(vmWindow)
	}
	if !known {
		i = len(v.chains)
		v.open[k] = i
		v.chains = append(v.chains, chain{base: k})
	}
	v.chains[i].pieces = append(v.chains[i].pieces, p)
}

// disjointSums replaces terms that are a sum with a constant, written as
//
//	or(y, 4), where y has a zero for the bit
//
// by the terms of y.
func (v *vectorizer) disjointSums(p analysis.Pointer) analysis.Pointer {
	for i := uint8(0); i < p.N; i++ {
		t := p.Terms[i]
		op := t.Value.Op()
		if op == nil || op.Code != pisa.Or || t.Value.Type.TotalBits() != int(p.Width) {
			continue
		}
		c, ok := builtin.IsConst(op.Operand(1))
		f := v.c.Bits().At(op.Operand(0), v.block)
		q := v.alias.Pointer(op.Operand(0))
		if !ok || v.guards(vmGuardDisjoint, c&^f.Zero != 0) || q.Width != p.Width || p.N+q.N-1 > uint8(len(p.Terms)) {
			continue
		}
		p.Off += (q.Off + c) * t.Scale
		p.N--
		copy(p.Terms[i:], p.Terms[i+1:])
		for _, u := range q.Terms[:q.N] {
			p.Terms[p.N] = analysis.Term{Value: u.Value, Scale: u.Scale * t.Scale}
			p.N++
		}
		i = p.N // one is enough: two constants would have become one
	}
	return p
}

func sortTerms(ts []analysis.Term) {
	slices.SortFunc(ts, func(a, b analysis.Term) int { return cmp.Compare(a.Value.ID, b.Value.ID) })
}

func extended64(width uint8, x uint64) int64 { return int64(x<<(64-width)) >> (64 - width) }

// indexSum is the extension of a 32-bit sum of terms.
type indexSum struct {
	signed bool
	terms  [4]analysis.Term
	n      uint8
}

// term returns what stands for a term x of an address of width bits, and what
// must be added: equal variables are one, and in an extension of a sum the
// constant is apart if the sum with it does not wrap,
//
//	zext(y + 1) = zext(y) + 1
//
// so that neighbours are known as such whose index is computed in 32 bits.
func (v *vectorizer) term(x *ir.Value, width uint8) (rep *ir.Value, more int64) {
	op := x.Op()
	in, signed := x, true // an offset of 32 bits
	switch {
	case width != 64:
		return v.same(x), 0
	case x.Type == ir.B32:
	case op != nil && (op.Code == pisa.ZExt || op.Code == pisa.SExt) && op.Operand(0).Type == ir.B32:
		in, signed = op.Operand(0), op.Code == pisa.SExt
	default:
		return v.same(x), 0
	}
	p := v.disjointSums(v.alias.Pointer(in))
	if p.Width != 32 {
		return x, 0
	}
	c := extended64(32, p.Off)
	f := v.c.Bits().At(in, v.block)
	// The least number of the bits known has the sign, the greatest has not.
	lo, hi := max(f.SMin, int64(int32(f.One|1<<31&^f.Zero))), min(f.SMax, int64(int32(^f.Zero&^(1<<31&^f.One))))
	least, most := int64(math.MinInt32), int64(math.MaxInt32)
	if !signed {
		lo, hi, least, most = int64(f.UMin), int64(f.UMax), 0, math.MaxUint32
	}
	if v.guards(vmGuardWrap, lo-c < least || hi-c > most) {
		return x, 0
	}
	k := indexSum{signed: signed, n: p.N}
	for i, t := range p.Terms[:p.N] {
		k.terms[i] = analysis.Term{Value: v.same(t.Value), Scale: t.Scale}
	}
	sortTerms(k.terms[:k.n])
	if rep = v.sums[k]; rep == nil {
		rep = x
		v.sums[k] = x
	}
	return rep, c
}

// origin is an op without operands that gives the same address wherever it is.
type origin struct {
	code ir.Code
	aux  ir.Aux
	typ  ir.Type
}

// same returns one value for all that name one variable or parameter, so that
// the pass does not need cse.
func (v *vectorizer) same(x *ir.Value) *ir.Value {
	op := x.Op()
	if op == nil || op.NumOperands() > 0 || op.Code != pisa.AddrOf && op.Code != pisa.LdParam {
		return x
	}
	o := origin{op.Code, op.Aux, x.Type}
	if y := v.origins[o]; y != nil {
		return y
	}
	v.origins[o] = x
	return x
}

// chain merges what it can of a chain.
func (v *vectorizer) chain(c *chain) {
	if len(c.pieces) < 2 {
		return
	}
	slices.SortFunc(c.pieces, func(a, b piece) int {
		// Of accesses of the same bytes the earlier of the larger comes first.
		return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(b.acc.Size, a.acc.Size), cmp.Compare(a.pos, b.pos))
	})
	v.align(c)
	rest := make([]int, 0, len(c.pieces))
	for i := range c.pieces {
		rest = append(rest, i)
	}
	for range maxRounds {
		if rest = v.round(c, rest); len(rest) < 2 || v.stopped {
			return
		}
	}
}

// round merges runs of adjacent accesses and returns those that overlap them.
func (v *vectorizer) round(c *chain, ids []int) (rest []int) {
	var run []*piece
	for _, i := range ids {
		p := &c.pieces[i]
		switch {
		case len(run) > 0 && p.off < run[len(run)-1].end():
			rest = append(rest, i)
		case len(run) == 0 || !v.guards(vmGuardAdjacent, p.off != run[len(run)-1].end()):
			run = append(run, p)
		default:
			v.run(c, run)
			run = append(run[:0], p)
		}
	}
	v.run(c, run)
	return rest
}

// run divides adjacent accesses into the widest that are possible, from the
// lowest address on.
func (v *vectorizer) run(c *chain, run []*piece) {
	for i := 0; i < len(run) && !v.stopped; {
		n := v.widest(run[i:])
		if n == 0 {
			v.tell(run, i)
			n = 1
		}
		i += n
	}
}

// widest merges as many accesses from the first on as possible and returns
// how many that were.
func (v *vectorizer) widest(run []*piece) int {
	v.why, v.whyNot = reason{}, reason{}
	most, size := 0, uint64(0)
	for most < len(run) && most < maxGroup && size+run[most].acc.Size <= uint64(v.c.Opt(vmMaxBytes)) {
		size += run[most].acc.Size
		most++
	}
	for n := most; n >= 2; n-- {
		g := group{pieces: run[:n]}
		v.whyNot = reason{}
		if !v.agree(&g) || !v.shape(&g) || !v.meet(&g) {
			continue
		}
		if v.stopped = !v.c.May(); v.stopped {
			return 0
		}
		v.merge(&g)
		return n
	}
	return 0
}

// align sets what is known of the alignment of each access of the chain: that
// of the best known one carries to its neighbours.
func (v *vectorizer) align(c *chain) {
	best, at := v.alignOf(&c.pieces[0]), c.pieces[0].more
	for i := range c.pieces {
		p := &c.pieces[i]
		if own := uint(bits.TrailingZeros64(needs(p.op))); own > best {
			best, at = own, p.off
		}
	}
	for i := range c.pieces {
		p := &c.pieces[i]
		p.zero = min(best, uint(bits.TrailingZeros64(uint64(p.off-at))))
	}
}

const maxAlign = 12

// needs is the alignment that PISA demands of op (PISA 8.3).
func needs(op *ir.Op) uint64 {
	n := uint64(pisa.TypeOf(op.Props).Info().Bits / 8)
	if n < 4 {
		n *= uint64(pisa.LanesOf(op.Props))
	}
	return n & -n
}

// alignOf returns the zero bits at the end of the sum of p's terms.
func (v *vectorizer) alignOf(p *piece) uint {
	v.block = p.op.Block()
	if p.op.Code == pisa.LdParam {
		return min(maxAlign, uint(bits.TrailingZeros32(max(v.f.Params[p.op.Aux-1].Align, 1))), v.alignOfTerms(&p.acc.Ptr))
	}
	return v.alignOfTerms(&p.acc.Ptr)
}

func (v *vectorizer) alignOfTerms(p *analysis.Pointer) uint {
	n := uint(maxAlign)
	for i := range p.N {
		t := &p.Terms[i]
		n = min(n, uint(bits.TrailingZeros64(t.Scale))+v.alignOfValue(t.Value))
	}
	return n
}

// alignOfValue looks through casts of addresses: apertures are aligned to more
// than any variable (PISA 4.1 preserves arithmetic within an object).
func (v *vectorizer) alignOfValue(x *ir.Value) uint {
	for range 4 {
		op := x.Op()
		if op == nil || op.Code != pisa.AddrCast {
			break
		}
		if op.NumOperands() == 0 {
			return uint(bits.TrailingZeros32(max(v.f.Module().Symbol(op.Aux).Var.Align, 1)))
		}
		x = op.Operand(0)
	}
	f := v.c.Bits().At(x, v.block)
	return f.TrailingZeros()
}
