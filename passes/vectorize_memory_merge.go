package passes

import (
	"fmt"
	"math"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// group is adjacent accesses, from the lowest address on, that may become one.
type group struct {
	pieces []*piece
	elem   ir.Type // of the access
	lanes  int
	even   bool   // the pieces' elements are those of the access
	at     *piece // where the access stands
	addr   *piece // whose address it is made from
}

func (g *group) size() int64 { return g.pieces[len(g.pieces)-1].end() - g.pieces[0].off }

func (g *group) typ() ir.Type { return ir.Vector(g.lanes, g.elem) }

// element is the type of p's elements.
func (p *piece) element() ir.Type { return pisa.TypeOf(p.op.Props).Info().Reg.Elem() }

// value is what p loads or stores.
func (p *piece) value() *ir.Value {
	if p.op.Code == pisa.St {
		return p.op.Operand(p.op.NumOperands() - 1)
	}
	return p.op.Result(0)
}

// agree tests what does not depend on places; the answer does not depend on the
// order of the pieces.
func (v *vectorizer) agree(g *group) bool {
	for _, p := range g.pieces {
		switch {
		case v.guards(vmGuardAtomic, p.acc.Atomic):
			v.why = reason{text: "an atomic access stays by itself (rule V03)"}
			return false
		case v.guards(vmGuardCache, pisa.FCache.Get(p.op.Props) != pisa.FCache.Get(g.pieces[0].op.Props)):
			v.why = reason{text: "the cache controls differ"}
			return false
		case v.guards(vmGuardOwnAlign, 1<<p.zero < needs(p.op)): // undefined, as far as is known
			v.why = reason{text: "the access is not aligned to its own size"}
			return false
		}
	}
	return true
}

// widths of the accesses that PISA has (PISA 8.3): .v3 of 32 and 64 bits, .v8
// of 32 bits.
func hasShape(elemBits, lanes int) bool {
	switch lanes {
	case 1, 2, 4:
		return true
	case 3:
		return elemBits >= 32
	case 8:
		return elemBits == 32
	}
	return false
}

// shape chooses the elements of g's access: those of the pieces if they are
// all of one type, else words, which need no more alignment than a word, or
// three elements of 64 bits.
func (v *vectorizer) shape(g *group) bool {
	size, zero := int(g.size()), g.pieces[0].zero
	elem := g.pieces[0].element()
	g.even = true
	for _, p := range g.pieces {
		g.even = g.even && p.element() == elem
	}
	fits := func(elemBits int) bool {
		bytes := elemBits / 8
		if size%bytes != 0 || !hasShape(elemBits, size/bytes) {
			return false
		}
		need := bytes
		if bytes < 4 {
			need = size
		}
		return !v.guards(vmGuardAlign, 1<<zero < need)
	}
	if n := elem.ElemBits(); g.even && fits(n) {
		g.elem, g.lanes = elem, size*8/n
		return true
	}
	if v.guards(vmGuardMixed, !g.even && v.c.Opt(vmMixed) == 0) {
		v.why = reason{text: "the elements differ in width"}
		return false
	}
	g.even = false
	if v.wordwise(g) {
		for _, n := range [...]int{32, 64} {
			if fits(n) {
				g.elem, g.lanes = ir.Bits(n), size*8/n
				return true
			}
		}
	}
	v.why = reason{text: fmt.Sprintf("no access of %d bytes has the alignment, known to be %d", size, 1<<zero)}
	return false
}

// wordwise reports that no piece of g straddles words that begin with g; where
// the words are aligned that follows from the alignment of the pieces.
func (v *vectorizer) wordwise(g *group) bool {
	if g.size()%4 != 0 {
		return false
	}
	for _, p := range g.pieces {
		d, n := (p.off-g.pieces[0].off)%4, int64(p.acc.Size)
		if n <= 4 && d+n > 4 || n > 4 && (d != 0 || n%4 != 0) {
			return false
		}
	}
	return true
}

var vecStat = map[int]int{1: 3, 2: 4, 3: 5, 4: 6, 8: 7}

// merge replaces the accesses of g by one.
func (v *vectorizer) merge(g *group) {
	v.changed = true
	v.bl.Before(g.at.op)
	v.bl.Loc = g.at.op.Loc
	code := g.at.op.Code
	n, _ := pisa.VecCode(g.lanes)
	props := pisa.FType.Put(uint64(pisa.PlainType(g.elem.Elem()))) | pisa.FVec.Put(n)
	stat := 0
	var made *ir.Op
	switch code {
	case pisa.LdParam:
		stat = 2
		made = v.mergeParam(g, props)
	default:
		p := g.at.op.Props
		props |= pisa.FSpace.Put(uint64(pisa.SpaceOf(p))) | pisa.FCache.Put(pisa.FCache.Get(p))
		operands, hasOffset := v.address(g)
		if hasOffset {
			props |= ir.HasOffset.Put(1)
		}
		if code == pisa.St {
			stat = 1
			made = v.bl.Op(pisa.St, props, append(operands, v.pack(g))...)
		} else {
			made = v.bl.Value(pisa.Ld, props, g.typ(), operands...).Op()
		}
	}
	if code != pisa.St {
		v.unpack(g, made.Result(0))
	}
	for len(v.place) < v.f.NumOps() {
		v.place = append(v.place, g.at.pos)
	}
	v.told(g, made)
	v.c.Count(stat, len(g.pieces))
	v.c.Count(vecStat[g.lanes], 1)
	if g.at.mem >= 0 {
		m := &v.mem[g.at.mem]
		m.op = made
		m.acc, m.access = v.alias.AccessOf(made)
	}
	for _, p := range g.pieces {
		if p.mem >= 0 && p != g.at {
			v.mem[p.mem].op = nil
		}
		p.op.Erase()
		p.op, p.done = made, true
	}
}

func (v *vectorizer) told(g *group, made *ir.Op) {
	if !v.c.WantsRemarks() {
		return
	}
	what, width := "loads", g.typ().String()
	if made.Code == pisa.St {
		what = "stores"
	}
	v.c.Remark(Passed, "Vectorized", v.f, made.Loc, "%d %s of %d bytes in all became one of %s", len(g.pieces), what, g.size(), width)
}

// mergeParam creates the ld.param.
func (v *vectorizer) mergeParam(g *group, props uint64) *ir.Op {
	a := g.addr
	off := v.plusOffset(nil, a.op.Operands(), g.pieces[0].off-a.off)
	return v.bl.ValueAux(pisa.LdParam, props, a.op.Aux, g.typ(), off...).Op()
}

// plusOffset returns base and an operand that is offset d more than the one in
// at, if any.
func (v *vectorizer) plusOffset(operands []*ir.Value, at []ir.Operand, d int64) []*ir.Value {
	switch {
	case len(at) == 0 && d == 0:
		return operands
	case len(at) == 0:
		return append(operands, builtin.ConstInt(&v.bl, ir.B32, uint64(d)))
	case d == 0:
		return append(operands, at[0].Value())
	}
	if c, ok := builtin.IsConst(at[0].Value()); ok {
		return append(operands, builtin.ConstInt(&v.bl, ir.B32, c+uint64(d)))
	}
	return append(operands, v.add(at[0].Value(), d))
}

func (v *vectorizer) add(x *ir.Value, d int64) *ir.Value {
	return v.bl.Value(pisa.IAdd, pisa.FType.Put(uint64(pisa.PlainType(x.Type.Elem()))), x.Type, x, builtin.ConstInt(&v.bl, x.Type, uint64(d)))
}

// address is the operands that address the lowest byte of g, made from those of
// g.addr, and whether there is an offset.
func (v *vectorizer) address(g *group) (operands []*ir.Value, hasOffset bool) {
	op, d := g.addr.op, g.pieces[0].off-g.addr.off
	x := op.Operand(0)
	if ir.HasOffset.Get(op.Props) == 0 {
		if d == 0 {
			return []*ir.Value{x}, false
		}
		return []*ir.Value{x, v.offset(x.Type, d)}, true
	}
	off := op.Operand(1)
	c, ok := builtin.IsConst(off)
	switch {
	case d == 0:
		return []*ir.Value{x, off}, true
	case !ok:
		return []*ir.Value{v.add(x, d), off}, true
	}
	if off.Type == ir.B32 {
		c = uint64(int64(int32(c)))
	}
	if c += uint64(d); c == 0 {
		return []*ir.Value{x}, false
	}
	return []*ir.Value{x, v.offset(x.Type, int64(c))}, true
}

// offset is a constant offset for a base of type t.
func (v *vectorizer) offset(t ir.Type, d int64) *ir.Value {
	if t == ir.B64 && d >= math.MinInt32 && d <= math.MaxInt32 {
		t = ir.B32 // sign-extended (PISA 8, A17)
	}
	return builtin.ConstInt(&v.bl, t, uint64(d))
}

// unpack gives the users of g's loads parts of x.
func (v *vectorizer) unpack(g *group, x *ir.Value) {
	start := g.pieces[0].off
	var cut [8]*ir.Value // words that are in use already
	words := x
	if !g.even {
		words = v.cast(x, wordsType(g.size()))
	}
	for _, p := range g.pieces {
		t := p.value().Type
		var part *ir.Value
		if d := p.off - start; g.even {
			part = v.extract(x, int(d)*8/g.elem.ElemBits(), t)
		} else {
			part = v.ofWords(words, &cut, d, t)
		}
		p.value().ReplaceUses(part)
	}
}

// wordsType is n bytes as words.
func wordsType(n int64) ir.Type { return ir.Vector(int(n/4), ir.B32) }

func (v *vectorizer) cast(x *ir.Value, t ir.Type) *ir.Value {
	if x.Type == t {
		return x
	}
	if y := x.Op(); y != nil && y.Code == pisa.Bitcast && y.Operand(0).Type == t {
		return y.Operand(0)
	}
	return v.bl.Value(pisa.Bitcast, 0, t, x)
}

// extract is element i of x, or as many elements from there on as t has.
func (v *vectorizer) extract(x *ir.Value, i int, t ir.Type) *ir.Value {
	if x.Type == t {
		return x
	}
	n := t.Lanes()
	if n > 1 && i%n != 0 { // assembly of version 0.1 has no such extract
		y := builtin.ConstInt(&v.bl, t, 0)
		for k := range n {
			y = v.bl.Value(pisa.Insert, elemProps(t, k), t, y, v.extract(x, i+k, t.Elem()))
		}
		return y
	}
	return v.bl.Value(pisa.Extract, partProps(t, i), t, x)
}

// partProps is the Props of an extract or insert of t at element i.
func partProps(t ir.Type, i int) uint64 {
	c, _ := pisa.VecCode(t.Lanes())
	return elemProps(t, i) | pisa.FVec.Put(c)
}

// ofWords is the value of type t at byte d of words; cut is the words taken
// before.
func (v *vectorizer) ofWords(words *ir.Value, cut *[8]*ir.Value, d int64, t ir.Type) *ir.Value {
	n := t.TotalBits()
	if n >= 32 {
		return v.cast(v.extract(words, int(d/4), ir.Vector(n/32, ir.B32)), t)
	}
	w := cut[d/4]
	if w == nil {
		w = v.extract(words, int(d/4), ir.B32)
		cut[d/4] = w
	}
	if s := d % 4 * 8; s != 0 {
		w = v.bl.Value(pisa.Shr, pisa.FType.Put(uint64(pisa.T32b)), ir.B32, w, builtin.ConstInt(&v.bl, ir.B32, uint64(s)))
	}
	w = v.bl.Value(pisa.Trunc, pisa.FType.Put(uint64(pisa.PlainType(ir.Bits(n))))|pisa.FFrom.Put(uint64(pisa.T32b)), ir.Bits(n), w)
	return v.cast(w, t)
}

// part is element index of v, or v if index is -1; as a value of its own it is
// one, if not nil.
type part struct {
	v     *ir.Value
	index int
	one   *ir.Value
}

// pack is the values of g's stores as one.
func (v *vectorizer) pack(g *group) *ir.Value {
	if g.even {
		var parts []part
		for _, p := range g.pieces {
			parts = appendParts(parts, p.value())
		}
		return v.assemble(parts, g.typ())
	}
	return v.cast(v.assemble(v.words(g), wordsType(g.size())), g.typ())
}

// appendParts appends the elements of x, with the vector that they were taken
// from.
func appendParts(parts []part, x *ir.Value) []part {
	n, at, from := x.Type.Lanes(), 0, x
	if op := x.Op(); op != nil && op.Code == pisa.Extract {
		from, at = op.Operand(0), pisa.IndexOf(op.Props)
	} else if n == 1 {
		return append(parts, part{x, -1, x})
	}
	if n == 1 {
		return append(parts, part{from, at, x})
	}
	for i := range n {
		parts = append(parts, part{from, at + i, nil})
	}
	return parts
}

// assemble makes parts a value of type t: the vector that they are of if they
// are all of it, else one insertion after another.
func (v *vectorizer) assemble(parts []part, t ir.Type) *ir.Value {
	whole := parts[0].v.Type == t
	for i, p := range parts {
		whole = whole && p.v == parts[0].v && (p.index == i || len(parts) == 1 && p.index < 0)
	}
	if whole {
		return parts[0].v
	}
	if !t.IsVector() {
		return v.scalar(parts[0])
	}
	y := builtin.ConstInt(&v.bl, t, 0)
	for i := 0; i < len(parts); {
		if n := subVector(parts[i:]); n > 1 && i%n == 0 && i+n <= t.Lanes() {
			y = v.bl.Value(pisa.Insert, partProps(parts[i].v.Type, i), t, y, parts[i].v)
			i += n
			continue
		}
		y = v.bl.Value(pisa.Insert, elemProps(t, i), t, y, v.scalar(parts[i]))
		i++
	}
	return y
}

// subVector returns how many of the first parts are a whole vector.
func subVector(parts []part) int {
	n := parts[0].v.Type.Lanes()
	if parts[0].index != 0 || n > len(parts) {
		return 0
	}
	for i := range n {
		if parts[i].v != parts[0].v || parts[i].index != i {
			return 0
		}
	}
	return n
}

func (v *vectorizer) scalar(p part) *ir.Value {
	if p.one != nil {
		return p.one
	}
	return v.extract(p.v, p.index, p.v.Type.Elem())
}

// words is the values of g's stores as words.
func (v *vectorizer) words(g *group) (parts []part) {
	start := g.pieces[0].off
	for i := 0; i < len(g.pieces); {
		p := g.pieces[i]
		if p.acc.Size >= 4 {
			parts = appendParts(parts, v.cast(p.value(), wordsType(int64(p.acc.Size))))
			i++
			continue
		}
		end := i
		for end < len(g.pieces) && (g.pieces[end].off-start)/4 == (p.off-start)/4 {
			end++
		}
		parts = appendParts(parts, v.word(g.pieces[i:end]))
		i = end
	}
	return parts
}

// word joins values of less than 32 bits, the word itself if they are cut from
// one.
func (v *vectorizer) word(ps []*piece) *ir.Value {
	if w := cutFrom(ps); w != nil {
		return w
	}
	props := pisa.FType.Put(uint64(pisa.T32b))
	var w *ir.Value
	for _, p := range ps {
		n := int(p.acc.Size) * 8
		x := v.cast(p.value(), ir.Bits(n))
		x = v.bl.Value(pisa.ZExt, props|pisa.FFrom.Put(uint64(pisa.PlainType(ir.Bits(n)))), ir.B32, x)
		if s := uint64(p.off-ps[0].off) * 8; s != 0 {
			x = v.bl.Value(pisa.Shl, props, ir.B32, x, builtin.ConstInt(&v.bl, ir.B32, s))
			x = v.bl.Value(pisa.Or, props, ir.B32, w, x)
		}
		w = x
	}
	return w
}

// cutFrom returns the word whose bytes are stored by ps in order, or nil.
func cutFrom(ps []*piece) (w *ir.Value) {
	for _, p := range ps {
		x := p.value()
		if op := x.Op(); op != nil && op.Code == pisa.Bitcast {
			x = op.Operand(0)
		}
		op := x.Op()
		if op == nil || op.Code != pisa.Trunc || op.Operand(0).Type != ir.B32 {
			return nil
		}
		from, at := op.Operand(0), int64(0)
		if s := from.Op(); p != ps[0] {
			if s == nil || s.Code != pisa.Shr || s.Result(0).Type != ir.B32 {
				return nil
			}
			c, ok := builtin.IsConst(s.Operand(1))
			if !ok {
				return nil
			}
			from, at = s.Operand(0), int64(c)
		}
		if w == nil {
			w = from
		}
		if from != w || at != (p.off-ps[0].off)*8 {
			return nil
		}
	}
	return w
}
