package asm

import (
	"strconv"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// raw is an operand as written, its names resolved. An address is followed by
// its base and, if it has one, its offset; an argument list by its registers.
type raw struct {
	kind       rawKind
	swz        Swizzle
	not        bool
	sub        uint32 // operands that follow and belong to it
	ref        uint32 // register, special register, parameter or symbol
	local      uint32 // of a symbol: 1 + index in parser.locals of the variable visible here
	typ        ir.Type
	start, end uint32 // in the text
	lit        literal
}

type rawKind uint8

const (
	rawReg     rawKind = iota
	rawPoison          // an undefined register, reported
	rawSpecial         // ref is a pisa.SReg
	rawParam           // ref indexes KParams
	rawImm
	rawMem
	rawSym  // ref indexes parser.syms
	rawVar  // ref indexes Func.Syms
	rawFunc // ref indexes Func.Syms
	rawWord // a label, or void
	rawList
)

// operands reads the operands of an instruction up to its semicolon.
func (p *parser) operands(sp *spelling) (count int, ok bool) {
	p.raws, p.named = p.raws[:0], false
	if p.peek() == ';' {
		return 0, true
	}
	if p.line > p.prevEnd && sp.cands[0].form.Args != nil && sp.cands[0].form.Args[0].Kinds&pisa.KLabel == 0 && p.newStatement() {
		return 0, true // the semicolon is missing
	}
	for {
		if !p.operand(sp) {
			return count, false
		}
		if count++; count > MaxOperands {
			p.err(eCount, p.prevEnd, p.prevEnd, "more operands than any instruction has")
			return count, false
		}
		switch p.peek() {
		case ',':
			p.take(1)
			continue
		case '(':
			if !p.argList() {
				return count, false
			}
			count++
		}
		return count, true
	}
}

// newStatement reports whether the next token begins a statement rather than
// an operand.
func (p *parser) newStatement() bool {
	switch c := p.peek(); {
	case c == '}' || c == '{' || p.pos >= len(p.src):
		return true
	case class[c]&cStart != 0:
		return p.beginsStatement(p.ahead(), 0)
	}
	return false
}

func (p *parser) operand(sp *spelling) bool {
	c := p.peek()
	start := p.pos
	switch {
	case c == '%':
		return p.regOperand(false, start)
	case c == '!':
		p.take(1)
		if p.peek() != '%' {
			p.unexpected("a predicate after '!'")
			return false
		}
		return p.regOperand(true, start)
	case c == '[':
		return p.address(sp.param)
	case c == '@':
		return p.symOperand()
	case class[c]&cDigit != 0 || c == '-' || c == '.' && p.pos+1 < len(p.src) && class[p.src[p.pos+1]]&cDigit != 0:
		return p.immOperand()
	case class[c]&cStart != 0:
		p.word()
		p.raws = append(p.raws, raw{kind: rawWord, start: uint32(start), end: uint32(p.pos)})
		return true
	}
	p.unexpected("an operand")
	return false
}

func (p *parser) immOperand() bool {
	n, ok := p.number()
	if !ok {
		return false
	}
	p.raws = append(p.raws, raw{kind: rawImm, lit: n.literal, start: uint32(n.start), end: uint32(n.end)})
	return true
}

func (p *parser) symOperand() bool {
	start := p.pos
	name, ok := p.symbolName()
	if !ok {
		return false
	}
	id := p.internSym(name)
	p.raws = append(p.raws, raw{kind: rawSym, ref: id, local: p.syms[id].local, start: uint32(start), end: uint32(p.pos)})
	p.named = true
	return true
}

// regOperand reads a register, special register or predicate. Errors of
// resolution leave a poisoned operand, which nothing complains about again.
func (p *parser) regOperand(not bool, start int) bool {
	at := p.pos
	name, ok := p.regName()
	if !ok {
		return false
	}
	p.raws = append(p.raws, raw{kind: rawPoison, not: not, start: uint32(start), end: uint32(p.pos)})
	p.resolve(&p.raws[len(p.raws)-1], name, at)
	return true
}

// resolve finds what name means: the whole of it first, then the part before a
// swizzle (names may contain dots).
func (p *parser) resolve(r *raw, name string, at int) {
	id := p.intern(name)
	swz := Swizzle(0)
	item := p.item(id)
	if item == 0 {
		n := &p.names[id]
		if n.sreg != 0 {
			p.special(r, n.sreg-1, 0, at)
			return
		}
		if n.base != 0 {
			base := n.base
			swz = n.swz
			if item = p.item(base); item == 0 && p.names[base].sreg != 0 {
				p.special(r, p.names[base].sreg-1, swz, at)
				return
			}
			if item != 0 {
				id = base
			}
		}
		if item == 0 {
			p.undefinedReg(name, id, at)
			return
		}
	}
	it := &p.fn.RegNames[item-1]
	if it.typ == ir.None {
		return // undefined or badly declared, reported
	}
	r.kind, r.ref, r.typ = rawReg, p.register(id, item), it.typ
	if swz == 0 {
		return
	}
	r.swz = swz
	switch {
	case !it.typ.IsVector():
		r.kind = rawPoison
		p.err(eSwizzle, at, int(r.end), "%"+p.names[id].text+" is "+dotted(it.typ)+" and has no elements", p.noteAt(it.Loc, it.End, "declared here"))
	case swz.First()+swz.Count() > it.typ.Lanes():
		r.kind = rawPoison
		p.err(eSwizzle, at, int(r.end), "%"+p.names[id].text+" has only "+strconv.Itoa(it.typ.Lanes())+" elements", p.noteAt(it.Loc, it.End, "declared here"))
	default:
		r.typ = ir.Vector(swz.Count(), it.typ.Elem())
	}
}

func (p *parser) special(r *raw, sreg uint8, swz Swizzle, at int) {
	info := &pisa.SpecialRegs[sreg]
	r.ref, r.swz, r.typ = uint32(sreg), swz, info.Type
	switch {
	case !info.Type.IsVector() && swz != 0:
		p.err(eSpecial, at, int(r.end), "%"+info.Name+" has no elements", note("PISA Special Registers 4: it is "+dotted(info.Type)))
	case info.Type.IsVector() && (swz.Count() != 1 || swz.First() > 2):
		p.err(eSpecial, at, int(r.end), "%"+info.Name+" is read through .x, .y or .z", note("PISA Special Registers 4: special registers of three elements are not used as a whole"))
	default:
		r.kind = rawSpecial
		r.typ = info.Type.Elem()
	}
}

// undefinedReg reports a name once in a function.
func (p *parser) undefinedReg(name string, id uint32, at int) {
	end := at + 1 + len(name)
	if p.paramIndex(name) >= 0 {
		p.err(eParamUse, at, end, "%"+name+" is a kernel parameter, not a register", note("PISA Calling Convention 4.2: kernel parameters are read by ld.param only"))
		return
	}
	p.err(eUndefReg, at, end, "undefined register %"+clip(name)+p.nearRegister(name))
	fn := p.fn
	fn.RegNames = append(fn.RegNames, RegName{Name: name, Loc: p.loc(at), End: p.loc(end)})
	p.decls = append(p.decls, decl{depth: 1})
	p.names[id].item = uint32(len(fn.RegNames))
	p.poisoned = append(p.poisoned, id)
}

// maxNear bounds the names that an undefined one is compared with.
const maxNear = 500

func (p *parser) nearRegister(name string) string {
	var seen []string
	for i := len(p.fn.RegNames) - 1; i >= max(0, len(p.fn.RegNames)-maxNear); i-- {
		if it := &p.fn.RegNames[i]; !it.Range && it.typ != ir.None && p.item(p.intern(it.Name)) != 0 {
			seen = append(seen, "%"+it.Name)
		}
	}
	return didYouMean("%"+name, seen)
}

// paramIndex returns the index of the kernel parameter called name, or -1.
func (p *parser) paramIndex(name string) int {
	n := &p.names[p.intern(name)]
	if n.paramFn != p.fnNo || n.param == 0 {
		return -1
	}
	return int(n.param) - 1
}

// address reads [base], [base + offset] or [base - number].
func (p *parser) address(param bool) bool {
	at := len(p.raws)
	p.raws = append(p.raws, raw{kind: rawMem, start: uint32(p.pos)})
	p.take(1)
	switch c := p.peek(); {
	case c == '%' && param:
		if !p.paramBase() {
			return false
		}
	case c == '%':
		if !p.regOperand(false, p.pos) {
			return false
		}
	case c == '@':
		if !p.symOperand() {
			return false
		}
	case class[c]&cDigit != 0 || c == '-':
		start := p.pos
		if _, ok := p.number(); !ok {
			return false
		}
		p.err(eAddress, start, p.pos, "an address cannot be a number", note("PISA Operands 3.3: no instruction takes the form [imm]"))
		return false
	default:
		p.unexpected("a register or variable as base of the address")
		return false
	}
	p.raws[at].sub = 1
	switch c := p.peek(); c {
	case '+', '-':
		p.take(1)
		if !p.offset(c == '-') {
			return false
		}
		p.raws[at].sub = 2
	}
	if !p.expect(']', "at the end of the address") {
		return false
	}
	p.raws[at].end = uint32(p.pos)
	return true
}

func (p *parser) offset(minus bool) bool {
	c := p.peek()
	switch {
	case c == '%' && !minus:
		return p.regOperand(false, p.pos)
	case class[c]&cDigit != 0 || c == '-' && !minus:
		if !p.immOperand() {
			return false
		}
		r := &p.raws[len(p.raws)-1]
		if minus {
			if r.lit.form != LitDec {
				p.err(eImmForm, int(r.start), int(r.end), "a number behind '-' is a decimal integer", note("PISA Operands 3.2"))
				return false
			}
			r.lit.neg, r.lit.form = true, LitNeg
		}
		return true
	}
	want := "a number or register as offset"
	if minus {
		want = "a number behind '-'"
	}
	p.unexpected(want)
	return false
}

// paramBase reads the base of ld.param. In version 1.0 only parameters are
// meant (LLVM names them like registers); in 0.1 a register hides one.
func (p *parser) paramBase() bool {
	at := p.pos
	name, ok := p.regName()
	if !ok {
		return false
	}
	p.raws = append(p.raws, raw{kind: rawPoison, start: uint32(at), end: uint32(p.pos)})
	r := &p.raws[len(p.raws)-1]
	id := p.intern(name)
	i := p.paramIndex(name)
	visible := p.item(id) != 0 || p.names[id].base != 0 && p.item(p.names[id].base) != 0
	switch {
	case i >= 0 && (p.v10 || !visible):
		r.kind, r.ref = rawParam, uint32(i)
	case i >= 0:
		p.later(eParamUse, at, p.pos, "a kernel parameter with the name of a register, %"+name+",")
	case visible || p.names[id].sreg != 0:
		p.err(eParamUse, at, p.pos, "%"+name+" is a register; the base of ld.param is a kernel parameter", note("PISA Instruction Set 8.4: ld.param"))
	default:
		var names []string
		for i := range p.fn.KParams[:min(len(p.fn.KParams), maxNear)] {
			names = append(names, "%"+p.fn.KParams[i].Name)
		}
		p.err(eUndefReg, at, p.pos, "undefined kernel parameter %"+clip(name)+didYouMean("%"+name, names))
	}
	return true
}

// argList reads the parenthesised registers of a call.
func (p *parser) argList() bool {
	at := len(p.raws)
	p.raws = append(p.raws, raw{kind: rawList, start: uint32(p.pos)})
	p.take(1)
	if p.accept(')') {
		p.raws[at].end = uint32(p.pos)
		return true
	}
	for n := uint32(1); ; n++ {
		c := p.peek()
		switch {
		case c == '%':
			if !p.regOperand(false, p.pos) {
				return false
			}
		case class[c]&cDigit != 0 || c == '-':
			if !p.immOperand() {
				return false
			}
		default:
			p.unexpected("a register as argument")
			return false
		}
		p.raws[at].sub = n
		if n > MaxArgs {
			p.err(eLimit, int(p.raws[at].start), p.pos, "more than "+strconv.Itoa(MaxArgs)+" arguments")
			return false
		}
		if p.accept(',') {
			continue
		}
		if !p.expect(')', "or ',' after an argument") {
			return false
		}
		p.raws[at].end = uint32(p.pos)
		return true
	}
}
