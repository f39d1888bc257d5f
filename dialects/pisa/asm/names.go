package asm

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// regName is the state of one spelling behind a %: "w17", "v4w0.x". Every
// spelling has one entry, so that a second mention costs one hash look-up and
// no scan of scopes.
type regName struct {
	text string

	// Declarations visible now, as 1 + index into Func.RegNames; the later
	// of two is the inner one.
	item uint32 // of exactly this name

	// The name's parts, split when it is first mentioned.
	split  bool
	number bool // ends in a digit: a range may declare it
	swz    Swizzle
	base   uint32 // entry of the text before the swizzle; 0: no swizzle

	sreg    uint8  // 1 + pisa.SReg
	param   uint32 // 1 + index of the kernel parameter of this name, in function paramFn
	paramFn uint32

	// The range item found last, the number in it, and its register, in
	// function rangeFn.
	rangeFn, rangeEpoch, rangeItem, rangeNum, rangeReg uint32
}

// trieNode is a node of the binary tries over register numbers, one for each
// text that a range begins with: the ranges that cover a number are on the
// path to it.
type trieNode struct {
	kid  [2]uint32
	item uint32 // the innermost range that covers the whole node
}

// undo restores what a declaration changed, at the end of its block.
type undo struct {
	what  undoKind
	where uint32
	old   uint32
}

type undoKind uint8

const (
	undoItem  undoKind = iota // names[where].item
	undoTrie                  // trie[where].item
	undoRange                 // parser.ranges
	undoLocal                 // syms[where].local
)

// scope is an open block.
type scope struct {
	undo   int    // length of parser.undo when it was opened
	last   uint32 // item declared last in it; parser.decls chains them
	ranges bool   // some item is a range
	at     int    // of the brace
}

// decl is what the parser knows of a Func.RegNames beside: its block, and the
// item declared before it in that block.
type decl struct{ depth, prev uint32 }

// intern returns the entry of the name text, split into its parts.
//
// Most names are short and recur: those of up to eight bytes are found again by
// their bytes as a number, without a hash table.
func (p *parser) intern(text string) uint32 {
	if len(text) > 8 {
		return p.internLong(text)
	}
	key := uint64(0)
	for i := 0; i < len(text); i++ {
		key = key<<8 | uint64(text[i])
	}
	c := &p.recent[key*0x9e3779b97f4a7c15>>(64-recentBits)]
	if c.key != key {
		c.key, c.id = key, p.internLong(text)
	}
	return c.id
}

// recentBits is the logarithm of the size of parser.recent.
const recentBits = 10

// recentName is a name of up to eight bytes, none of which is zero.
type recentName struct {
	key uint64
	id  uint32
}

func (p *parser) internLong(text string) uint32 {
	id := p.entry(text)
	if p.names[id].split {
		return id
	}
	p.names[id].split = true
	if base, swz := splitSwizzle(text); swz != 0 {
		b := p.entry(base)
		p.names[id].base, p.names[id].swz = b, swz
	}
	return id
}

// entry is intern without the split.
func (p *parser) entry(text string) uint32 {
	id, fresh := p.nameIDs.id(text)
	if fresh {
		p.names = append(p.names, regName{text: text, number: class[text[len(text)-1]]&cDigit != 0})
	}
	return id
}

// maxDigits is the length of the largest register number of a range.
const maxDigits = 10

var swizzles = map[string]Swizzle{
	"x": MakeSwizzle(0, 1), "y": MakeSwizzle(1, 1), "z": MakeSwizzle(2, 1), "w": MakeSwizzle(3, 1),
	"xy": MakeSwizzle(0, 2), "zw": MakeSwizzle(2, 2), "xyzw": MakeSwizzle(0, 4),
}

func splitSwizzle(text string) (base string, swz Swizzle) {
	for n := 1; n <= 4 && n+1 < len(text); n++ {
		if text[len(text)-n-1] == '.' {
			return text[:len(text)-n-1], swizzles[text[len(text)-n:]]
		}
	}
	return "", 0
}

// item returns the innermost declaration of exactly the name id, as 1 + index
// into Func.RegNames; 0 if there is none.
func (p *parser) item(id uint32) uint32 {
	n := &p.names[id]
	if !n.number || p.ranges == 0 {
		return n.item
	}
	if n.rangeFn != p.fnNo {
		n.rangeFn, n.rangeEpoch, n.rangeItem, n.rangeReg = p.fnNo, 0, 0, 0
	}
	if n.rangeEpoch != p.epoch {
		r, num := p.findRange(n.text)
		if r != n.rangeItem {
			if n.rangeReg != 0 {
				p.hidden[uint64(n.rangeItem)<<32|uint64(n.rangeNum)] = n.rangeReg
			}
			n.rangeItem, n.rangeNum, n.rangeReg = r, num, p.hidden[uint64(r)<<32|uint64(num)]
		}
		n.rangeEpoch = p.epoch
	}
	return max(n.item, n.rangeItem)
}

// findRange finds the innermost range that declares the name text. A range may
// begin with digits of its own, %p2<0~4>, so the number may begin at any digit
// but a leading zero.
func (p *parser) findRange(text string) (item, num uint32) {
	value, unit := uint64(0), uint64(1)
	for i := len(text) - 1; i > 0 && len(text)-i <= maxDigits && class[text[i]]&cDigit != 0; i-- {
		value += unit * uint64(text[i]-'0')
		unit *= 10
		if value > MaxRegNumber {
			break
		}
		if text[i] == '0' && i < len(text)-1 {
			continue
		}
		if root := p.stems[text[:i]]; root != 0 {
			if r := p.coveredBy(root, uint32(value)); r > item {
				item, num = r, uint32(value)
			}
		}
	}
	return item, num
}

// register returns the index in Func.Regs of the register that item declares
// under the name id.
func (p *parser) register(id, item uint32) uint32 {
	n, it := &p.names[id], &p.fn.RegNames[item-1]
	reg := &it.reg
	if it.Range {
		reg = &n.rangeReg
	}
	if *reg == 0 {
		p.fn.Regs = append(p.fn.Regs, Reg{Name: n.text, Type: it.typ, Loc: it.Loc})
		*reg = uint32(len(p.fn.Regs))
	}
	return *reg - 1
}

func (p *parser) coveredBy(node, num uint32) (item uint32) {
	for bit := 31; node != 0; bit-- {
		item = max(item, p.trie[node].item)
		if bit < 0 {
			break
		}
		node = p.trie[node].kid[num>>bit&1]
	}
	return item
}

// addRange makes item the innermost range for the numbers lo to hi-1.
func (p *parser) addRange(stem string, lo, hi uint64, item uint32) {
	root := p.stems[stem]
	if root == 0 {
		root = p.newNode()
		p.stems[stem] = root
	}
	p.cover(root, 0, 32, lo, hi, item)
	p.undo = append(p.undo, undo{what: undoRange})
	p.ranges++
	p.epoch++
}

func (p *parser) newNode() uint32 {
	if len(p.trie) == 0 {
		p.trie = append(p.trie, trieNode{}) // 0 is no node
	}
	p.trie = append(p.trie, trieNode{})
	return uint32(len(p.trie) - 1)
}

// cover descends at most 32 levels and touches at most two nodes on each.
func (p *parser) cover(node uint32, first uint64, bits uint, lo, hi uint64, item uint32) {
	last := first + 1<<bits
	if hi <= first || lo >= last {
		return
	}
	if lo <= first && last <= hi {
		p.undo = append(p.undo, undo{undoTrie, node, p.trie[node].item})
		p.trie[node].item = item
		return
	}
	for k := uint64(0); k < 2; k++ {
		kid := first + k<<(bits-1)
		if hi <= kid || lo >= kid+1<<(bits-1) {
			continue
		}
		if p.trie[node].kid[k] == 0 {
			n := p.newNode()
			p.trie[node].kid[k] = n
		}
		p.cover(p.trie[node].kid[k], kid, bits-1, lo, hi, item)
	}
}

func (p *parser) openScope(at int) {
	p.scopes = append(p.scopes, scope{undo: len(p.undo), at: at})
}

func (p *parser) closeScope() {
	s := p.scopes[len(p.scopes)-1]
	if s.ranges && p.decls[s.last-1].prev != 0 {
		p.checkOverlap(s.last)
	}
	p.scopes = p.scopes[:len(p.scopes)-1]
	for i := len(p.undo) - 1; i >= s.undo; i-- {
		u := p.undo[i]
		switch u.what {
		case undoItem:
			p.names[u.where].item = u.old
		case undoTrie:
			p.trie[u.where].item = u.old
		case undoRange:
			p.ranges--
			p.epoch++
		case undoLocal:
			p.syms[u.where].local = u.old
		}
	}
	p.undo = p.undo[:s.undo]
}

// span is a run of numbered names, text and number, that an item declares.
type span struct {
	stem   string
	lo, hi uint64
	item   uint32
}

// checkOverlap reports names that a block declares twice where ranges are
// involved, by sorting: any number of ranges takes n log n steps.
func (p *parser) checkOverlap(last uint32) {
	spans := p.spans[:0]
	for i := last; i != 0; i = p.decls[i-1].prev {
		it := &p.fn.RegNames[i-1]
		if it.typ == ir.None {
			continue // reported
		}
		if !it.Range {
			if stem, num, ok := lastNumber(it.Name, 0); ok {
				spans = append(spans, span{stem, num, num + 1, i})
			}
			continue
		}
		for lo, unit, digits := uint64(0), uint64(10), 1; lo < uint64(it.Hi); lo, unit, digits = unit, unit*10, digits+1 {
			// The numbers of so many digits, behind those that end the name.
			a, b := max(lo, uint64(it.Lo)), min(unit, uint64(it.Hi))
			if a >= b {
				continue
			}
			stem, num, ok := lastNumber(it.Name, digits)
			if !ok {
				stem, num = it.Name, 0
			}
			spans = append(spans, span{stem, num*unit + a, num*unit + b, i})
		}
	}
	p.spans = spans
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(strings.Compare(a.stem, b.stem), cmp.Compare(a.lo, b.lo), cmp.Compare(a.item, b.item))
	})
	var widest *span // of the stem, the one that reaches furthest
	for i := range spans {
		s := &spans[i]
		if widest != nil && widest.stem == s.stem && widest.hi > s.lo {
			a, b := &p.fn.RegNames[widest.item-1], &p.fn.RegNames[s.item-1]
			if a.Range || b.Range {
				if a.Loc > b.Loc {
					a, b = b, a
				}
				p.ds.Error(b.Loc, b.End, eRedeclared, "%"+clip(s.stem)+strconv.FormatUint(s.lo, 10)+" is declared twice in this block",
					p.noteAt(a.Loc, a.End, "the other declaration"))
			}
		}
		if widest == nil || widest.stem != s.stem || s.hi > widest.hi {
			widest = s
		}
	}
}

// lastNumber splits off the digits that end a name, leading zeros and all but
// the last 19, with those that follow, excepted.
func lastNumber(name string, follow int) (stem string, num uint64, ok bool) {
	i := len(name)
	for i > 1 && class[name[i-1]]&cDigit != 0 && len(name)-i+follow < 19 {
		i--
	}
	for i < len(name) && name[i] == '0' && (follow > 0 || i < len(name)-1) {
		i++
	}
	num, err := strconv.ParseUint(name[i:], 10, 64)
	return name[:i], num, err == nil
}

// declare makes a register or range visible in the innermost block.
func (p *parser) declare(name string, t ir.Type, rng bool, lo, hi uint64, start, end int) {
	fn := p.fn
	it := RegName{Name: name, Range: rng, Lo: uint32(lo), Hi: uint32(hi), Loc: p.loc(start), End: p.loc(end), typ: t}
	item := uint32(len(fn.RegNames) + 1)
	fn.RegNames = append(fn.RegNames, it)
	s := &p.scopes[len(p.scopes)-1]
	p.decls = append(p.decls, decl{uint32(len(p.scopes)), s.last})
	s.last = item
	id := p.intern(name)
	if rng {
		s.ranges = true
		p.shadowsParam(name, lo, hi, start, end)
		p.addRange(name, lo, hi, item)
		return
	}
	if p.names[id].sreg != 0 {
		p.err(eSpecial, start, end, "%"+name+" is a special register and cannot be declared", note("PISA Special Registers 4: special registers are predefined"))
		return
	}
	if old := p.item(id); old != 0 {
		if !p.redeclared(name, old, start, end) {
			return // the first one stays
		}
	} else {
		p.shadowsParam(name, 0, 0, start, end)
	}
	p.undo = append(p.undo, undo{undoItem, id, p.names[id].item})
	p.names[id].item = item
}

// redeclared reports a second declaration; false if the first one is of the
// same block.
func (p *parser) redeclared(name string, old uint32, start, end int) bool {
	o := &p.fn.RegNames[old-1]
	switch depth := p.decls[old-1].depth; {
	case o.typ == ir.None: // an undefined name, reported
	case int(depth) == len(p.scopes):
		if !o.Range { // ranges are compared at the end of the block
			p.err(eRedeclared, start, end, "%"+name+" is declared twice in this block", p.noteAt(o.Loc, o.End, "the other declaration"))
		}
		return false
	default:
		what := "a register of an outer block"
		if depth == 1 {
			what = "a parameter of the function"
		}
		p.warn(wShadow, start, end, "%"+name+" hides "+what, p.noteAt(o.Loc, o.End, "the hidden one"))
	}
	return true
}

// shadowsParam warns of a register with the name of a kernel parameter.
func (p *parser) shadowsParam(name string, lo, hi uint64, start, end int) {
	if p.v10 || p.fn.Kind != ir.FuncKernel {
		return // version 1.0 keeps parameters apart: LLVM names them like registers
	}
	if hi == 0 {
		if i := p.paramIndex(name); i >= 0 {
			p.warn(wShadow, start, end, "%"+name+" hides a kernel parameter", p.noteAt(p.fn.KParams[i].Loc, 0, "the hidden one"))
		}
		return
	}
	for i := range p.fn.KParams {
		if p.shadowSteps++; p.shadowSteps > maxShadowSteps {
			return
		}
		q := &p.fn.KParams[i]
		if len(q.Name) <= len(name) || q.Name[:len(name)] != name {
			continue
		}
		num, err := strconv.ParseUint(q.Name[len(name):], 10, 32)
		if err == nil && num >= lo && num < hi && strconv.FormatUint(num, 10) == q.Name[len(name):] {
			p.warn(wShadow, start, end, "%"+q.Name+" hides a kernel parameter", p.noteAt(q.Loc, 0, "the hidden one"))
			return
		}
	}
}

// maxShadowSteps bounds the comparisons of ranges with kernel parameters.
const maxShadowSteps = 1 << 20

// internSpecials gives the special registers their entries.
func (p *parser) internSpecials() {
	p.names = append(p.names, regName{}) // 0 is no name
	for i := range pisa.SpecialRegs {
		id := p.intern(pisa.SpecialRegs[i].Name)
		p.names[id].sreg = uint8(i) + 1
	}
}
