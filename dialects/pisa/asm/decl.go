package asm

import (
	"math/bits"
	"strconv"

	"pisac/ir"
)

// varSpaces are the address spaces of memory variables.
var varSpaces = map[string]ir.Space{
	".global": ir.SpaceGlobal, ".const": ir.SpaceConst, ".private": ir.SpacePrivate, ".shared": ir.SpaceShared,
}

// moduleVar reads a variable at module scope. start is the declaration's
// first word, at the directive w.
func (p *parser) moduleVar(start, at int, w string, link ir.Linkage) {
	space := varSpaces[w]
	if space == ir.SpacePrivate || space == ir.SpaceShared {
		p.err(ePlace, at, at+len(w), w+" variables are declared inside a kernel or function", note("PISA Variables 2.4"))
		p.recover()
		return
	}
	v, ok := p.variable(space, link, true)
	if v == nil {
		p.recover()
		return
	}
	id := p.internSym(v.Name)
	if p.define(id, v, nil, p.file.Src.Offset(v.Loc), p.file.Src.Offset(v.End)) {
		p.file.Vars = append(p.file.Vars, v)
		p.file.Decls = append(p.file.Decls, Decl{Var: v, Loc: p.loc(start)})
	}
	if !ok || !p.endStatement("after the variable") {
		p.recover()
	}
}

// localVar reads a variable in a body.
func (p *parser) localVar(start int, w string) {
	fn := p.fn
	v, ok := p.variable(varSpaces[w], ir.LinkLocal, false)
	if v == nil {
		p.recover()
		return
	}
	id := p.internSym(v.Name)
	s := &p.syms[id]
	if s.local != 0 {
		o := &p.locals[s.local-1]
		if int(o.depth) == len(p.scopes) {
			p.ds.Error(v.Loc, v.End, eRedeclared, "@"+clip(v.Name)+" is declared twice in this block", p.noteAt(o.v.Loc, o.v.End, "the other declaration"))
		} else {
			p.ds.Warn(v.Loc, v.End, wShadow, "@"+clip(v.Name)+" hides a variable of an outer block", p.noteAt(o.v.Loc, o.v.End, "the hidden one"))
		}
	}
	v.Fn = fn
	p.locals = append(p.locals, localVar{v: v, depth: uint32(len(p.scopes))})
	p.undo = append(p.undo, undo{undoLocal, id, s.local})
	s.local = uint32(len(p.locals))
	fn.Vars = append(fn.Vars, v)
	fn.Stmts = append(fn.Stmts, Stmt{Kind: StmtVar, Ref: uint32(len(fn.Vars) - 1), Loc: p.loc(start)})
	if !ok || !p.endStatement("after the variable") {
		p.recover()
	}
}

// variable reads attributes, name, size and initialiser. The variable is nil
// if it has no name; ok is false if the rest of the statement is to be
// skipped.
func (p *parser) variable(space ir.Space, link ir.Linkage, module bool) (v *Var, ok bool) {
	v = &Var{Space: space, Linkage: link, Align: 1}
	for {
		w := p.ahead()
		if w == "" || w[0] != '.' {
			break
		}
		at := p.pos
		if t, isType := ir.ParseType(w[1:]); isType && t.IsBits() {
			p.word()
			v.Elem = t
			p.warn(wElemType, at, p.pos, "an element type on a memory variable; its size is taken as a number of elements", note("PISA Variables 2.4: the size is a number of bytes"))
			continue
		}
		if !p.varAttribute(v, w, module) {
			return nil, false
		}
	}
	if p.peek() != '@' {
		p.unexpected("the variable's name beginning with @")
		return nil, false
	}
	start := p.pos
	name, named := p.symbolName()
	if !named {
		return nil, false
	}
	v.Name, v.Loc, v.End = name, p.loc(start), p.loc(p.pos)
	return v, p.sizeAndInit(v, start, module)
}

func (p *parser) varAttribute(v *Var, w string, module bool) bool {
	at := p.pos
	p.word()
	repeated := false
	switch w {
	case ".align":
		if p.peek() == '(' {
			p.err(eAttribute, at, p.pos+1, "the alignment of a variable is a bare number: .align 4", note("PISA Variables 2.4.1; .align(4) is for kernel parameters"))
			p.skipParens()
			return true
		}
		repeated = v.HasAlign
		n, ok := p.alignment()
		if !ok {
			return false
		}
		v.Align, v.HasAlign = n, true
	case ".section", ".host_access":
		if !module {
			p.err(eAttribute, at, at+len(w), w+" is for variables at module scope", note("PISA Variables 2.5.3"))
			p.skipParens()
			return true
		}
		s, ok := p.stringArg(w)
		if !ok {
			return false
		}
		field := &v.Section
		if w == ".host_access" {
			field = &v.HostAccess
		}
		repeated = *field != ""
		*field = s
	default:
		p.err(eAttribute, at, at+len(w), "unknown attribute "+clip(w)+didYouMean(w, []string{".align", ".section", ".host_access"}), note("PISA Variables 2.4, 2.5.3: variables have .align N, .section(\"NAME\") and .host_access(\"NAME\")"))
		p.skipParens()
		return true
	}
	if repeated {
		p.err(eAttribute, at, at+len(w), w+" is given twice")
	}
	return true
}

// skipParens skips a parenthesised argument, if one is next.
func (p *parser) skipParens() {
	if p.peek() != '(' {
		return
	}
	for p.pos < len(p.src) {
		switch c := p.peek(); c {
		case ')':
			p.take(1)
			return
		case '"':
			p.skipString()
		case ';', '{', '}':
			return
		default:
			if p.pos < len(p.src) {
				p.take(1)
			}
		}
	}
}

// alignment reads a power of two.
func (p *parser) alignment() (uint32, bool) {
	at := p.mark()
	n, ok := p.integer("an alignment", MaxAlign)
	if !ok {
		return 0, false
	}
	if bits.OnesCount64(n) != 1 {
		p.err(eAlign, at, p.pos, "the alignment "+strconv.FormatUint(n, 10)+" is not a power of two", note("PISA Variables 2.4.1; Calling Convention 4.2.1"))
		n = 1
	}
	return uint32(n), true
}

func (p *parser) stringArg(w string) (string, bool) {
	if !p.expect('(', "after "+w) {
		return "", false
	}
	if p.peek() != '"' {
		p.unexpected("a string in double quotes")
		return "", false
	}
	s, ok := p.quoted(false)
	if !ok || !p.expect(')', "after the string") {
		return "", false
	}
	if s == "" {
		p.err(eAttribute, p.prevEnd-3, p.prevEnd, w+" needs a name")
	}
	return s, true
}

// sizeAndInit reads what follows a variable's name and checks it (PISA Variables 2.4,
// 2.5.1).
func (p *parser) sizeAndInit(v *Var, start int, module bool) bool {
	end := p.pos
	if p.accept('[') {
		at := p.mark()
		n, ok := p.integer("the size in bytes", MaxVarSize)
		if !ok || !p.expect(']', "after the size") {
			return false
		}
		if v.Count, v.Size, v.HasSize = n, n, true; v.Elem != ir.None {
			hi, lo := bits.Mul64(n, uint64(v.Elem.TotalBits()/8))
			if hi != 0 || lo > MaxVarSize {
				p.err(eLimit, at, p.prevEnd-1, "the variable is too large")
				return true
			}
			v.Size = lo
			v.Align = max(v.Align, uint32(v.Elem.ElemBits()/8))
		}
		if n == 0 && !p.v10 {
			p.later(eSize, at, p.prevEnd-1, "a variable without bytes")
		}
	}
	if !p.accept('=') {
		switch {
		case !v.HasSize:
			p.err(eSize, start, end, "@"+clip(v.Name)+" has neither a size nor an initialiser", note("PISA Variables 2.4: the size in bytes stands in brackets after the name"))
		case v.Space == ir.SpaceConst && v.Linkage != ir.LinkImport && !p.v10:
			p.later(eInit, start, end, "a .const variable without an initialiser", note("PISA Variables 2.5.1"))
		}
		return true
	}
	at := p.prevEnd - 1
	if v.Linkage == ir.LinkImport {
		p.err(eLinkage, at, at+1, "an imported variable has no initialiser", note("PISA Variables 2.5.2"))
		return false
	}
	if v.Space != ir.SpaceGlobal && v.Space != ir.SpaceConst {
		p.err(eInit, at, at+1, "."+v.Space.String()+" variables have no initialiser", note("PISA Variables 2.5.1: initialisers are for .global and .const"))
		return false
	}
	errs := p.ds.Errors()
	size, ok := p.initialiser(v)
	if !ok {
		return false
	}
	if errs == p.ds.Errors() {
		switch {
		case !v.HasSize:
			v.Size = size
		case size != v.Size:
			p.err(eInitSize, start, end, "the initialiser has "+strconv.FormatUint(size, 10)+" bytes, the variable "+strconv.FormatUint(v.Size, 10), note("PISA Variables 2.5.1: the numbers of bytes must be equal"))
		}
	}
	return true
}

// initialiser reads the list between braces and adds up its bytes. A faulty
// item does not keep the others from being read.
func (p *parser) initialiser(v *Var) (size uint64, ok bool) {
	v.HasInit = true
	if !p.expect('{', "before the initialiser") {
		return 0, false
	}
	p.inInit = true
	for {
		if p.peek() == '{' {
			p.err(eInit, p.pos, p.pos+1, "initialisers are not nested", note("PISA Variables 2.5.1"))
			return 0, false
		}
		if len(v.Init) == maxItems {
			p.err(eLimit, p.pos, p.pos+1, "too many items in the initialiser")
			return 0, false
		}
		n, ok := p.initItem(v)
		if !ok {
			return 0, false
		}
		if size += n; size > MaxVarSize {
			p.err(eLimit, p.prevEnd-1, p.prevEnd, "the initialiser is too large")
			return 0, false
		}
		if p.accept(',') {
			continue
		}
		if !p.expect('}', "or ',' after an item of the initialiser") {
			return 0, false
		}
		p.inInit = false
		return size, true
	}
}

func (p *parser) initItem(v *Var) (size uint64, ok bool) {
	w := p.ahead()
	start := p.pos
	it := Item{Loc: p.loc(start)}
	if w == "" || w[0] != '.' {
		p.unexpected("an item of the initialiser: .8b, .16b, .32b, .64b or .zero")
		return 0, false
	}
	p.word()
	if w == ".zero" {
		n, ok := p.integer("the number of zero bytes", MaxVarSize)
		if !ok {
			return 0, false
		}
		it.Value, it.End = n, p.loc(p.pos)
		v.Init = append(v.Init, it)
		return n, true
	}
	switch it.Bits = itemBits(w); {
	case it.Bits == 0:
		p.err(eInit, start, start+len(w), clip(w)+" is not a size of initialiser items", note("PISA Variables 2.5.1: .8b, .16b, .32b, .64b, and .zero N"))
		it.Bits = 64
	case bits.OnesCount(uint(it.Bits)) != 1 && !p.v10:
		p.later(eInit, start, start+len(w), "an item of "+w, note("PISA Variables 2.5.1: .8b, .16b, .32b and .64b"))
	}
	switch c := p.peek(); {
	case c == '@':
		if !p.symItem(v, &it, start, w) {
			return 0, false
		}
	case class[c]&cDigit != 0 || c == '-' || c == '.' && p.pos+1 < len(p.src) && class[p.src[p.pos+1]]&cDigit != 0:
		n, ok := p.number()
		if !ok {
			return 0, false
		}
		switch {
		case n.form == LitFloat:
			p.err(eInit, n.start, n.end, "a float in an initialiser is written as its bits in hexadecimal", note("PISA Variables 2.5.1"))
		case n.big || n.neg && n.val > 1<<63:
			p.err(eImmRange, n.start, n.end, "the number does not fit 64 bits", note("PISA Variables 2.5.1"))
		}
		if it.Value, it.Neg = n.val, n.neg; n.neg {
			it.Value = -n.val
		}
		it.Value &= ^uint64(0) >> (64 - it.Bits)
		it.Neg = it.Neg && signed(it.Value, it.Bits) < 0
		it.Hex = n.form == LitHex
	default:
		p.unexpected("an integer or @symbol")
		return 0, false
	}
	it.End = p.loc(p.prevEnd)
	v.Init = append(v.Init, it)
	return uint64(it.Bits) / 8, true
}

// itemBits returns the bits of ".32b"; 0 if w is no size of items in either
// version.
func itemBits(w string) int {
	if len(w) < 3 || len(w) > 4 || w[len(w)-1] != 'b' {
		return 0
	}
	n, err := strconv.Atoi(w[1 : len(w)-1])
	if err != nil || n%8 != 0 || n < 8 || n > 64 || w[1] == '0' {
		return 0
	}
	return n
}

// symItem reads the address of a symbol: @name, @name+offset, @name-offset.
func (p *parser) symItem(v *Var, it *Item, start int, w string) bool {
	at := p.pos
	name, ok := p.symbolName()
	if !ok {
		return false
	}
	if it.Bits != 64 {
		p.err(eInit, start, p.pos, "the address of a symbol is an item of .64b", note("PISA Variables 2.5.1.2"))
	}
	it.Sym.Name = name
	p.symItems = append(p.symItems, symItem{id: p.internSym(name), v: v, item: len(v.Init), start: at, end: p.pos})
	switch c := p.peek(); c {
	case '+', '-':
		sign := p.pos
		p.take(1)
		n, ok := p.integer("an offset", 1<<63-1)
		if !ok {
			return false
		}
		if it.Off = int64(n); c == '-' {
			if it.Off = -it.Off; !p.v10 {
				p.later(eInit, sign, p.pos, "a negative offset of a symbol", note("PISA Variables 2.5.1.2"))
			}
		}
	}
	return true
}

// symItem is an item of an initialiser whose symbol is resolved when the
// module has been read.
type symItem struct {
	id         uint32
	v          *Var
	item       int // in v.Init; one past the end if the item has an error
	start, end int
}
