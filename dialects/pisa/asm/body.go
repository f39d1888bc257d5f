package asm

import (
	"slices"
	"strings"

	"pisac/ir"
)

// labelName is the state of one label name.
type labelName struct {
	fnNo  uint32 // the function for which index holds
	index uint32
}

// gotoUse is a use of a label that is not yet defined.
type gotoUse struct {
	label uint32
	start int
	end   int
}

// smallBody is how many instructions a function may have to be copied out of
// the parser's buffers, which then serve the next one.
const smallBody = 1 << 12

// body reads the statements between braces, the first of which is next.
func (p *parser) body(fn *Func) {
	p.buffers()
	fn.Instrs, fn.Args, fn.Stmts = p.instrs, p.args, p.stmts
	fn.HasBody = true
	p.gotos = p.gotos[:0]
	open := p.pos
	p.accept('{') // or it is missing, which was reported
	p.openScope(open)
	outer := len(p.scopes) // the body is closed when only the parameters' scope is left
	for !p.stop {
		c := p.peek()
		start := p.pos
		switch {
		case p.pos >= len(p.src):
			p.unterminated(fn)
			p.endBody(fn)
			return
		case c == '}':
			p.take(1)
			p.closeScope()
			if len(p.scopes) < outer {
				fn.BodyEnd = p.loc(start)
				p.endBody(fn)
				return
			}
			fn.Stmts = append(fn.Stmts, Stmt{Kind: StmtClose, Loc: p.loc(start)})
		case c == '{':
			p.take(1)
			if len(p.scopes) >= MaxDepth {
				p.err(eLimit, start, start+1, "blocks are nested too deeply")
				p.pos, p.stop = len(p.src), true
				continue
			}
			p.openScope(start)
			fn.Stmts = append(fn.Stmts, Stmt{Kind: StmtOpen, Loc: p.loc(start)})
		case class[c]&cStart != 0:
			if !p.statement(start) {
				p.unterminated(fn)
				p.endBody(fn)
				return
			}
		default:
			p.unexpected("a statement")
			p.take(1)
			p.recover()
		}
	}
	p.endBody(fn)
}

// buffers empties the parser's buffers, and enlarges them for a body that ends
// at the next brace in the first column.
func (p *parser) buffers() {
	n := 64
	if p.pos >= p.bodyEnd { // look at each piece of the text once
		end := strings.Index(p.src[p.pos:], "\n}")
		if end < 0 {
			end = len(p.src) - p.pos
		}
		n += strings.Count(p.src[p.pos:p.pos+end], ";")
		p.bodyEnd = p.pos + end
	}
	p.instrs = slices.Grow(p.instrs[:0], n)
	p.stmts = slices.Grow(p.stmts[:0], n)
	p.args = slices.Grow(p.args[:0], 3*n)
}

func (p *parser) unterminated(fn *Func) {
	s := &p.scopes[len(p.scopes)-1]
	p.err(eUnterm, p.prevEnd, p.prevEnd, "expected '}' to close the body of @"+clip(fn.Name), p.noteAt(p.loc(s.at), p.loc(s.at+1), "opened here"))
	fn.BodyEnd = p.loc(p.prevEnd)
}

// endBody closes what is open and moves the function's slices out of the
// parser's buffers.
func (p *parser) endBody(fn *Func) {
	for len(p.scopes) > 0 {
		p.closeScope()
	}
	for i := range p.gotos {
		g := &p.gotos[i]
		if l := &fn.Labels[g.label]; l.Loc == ir.NoLoc {
			l.Loc = p.loc(g.start) // once for each label
			p.undefinedLabel(fn, g)
		}
	}
	for _, id := range p.poisoned {
		p.names[id].item = 0
	}
	p.poisoned = p.poisoned[:0]
	p.checkTail(fn)
	p.regs, p.regNames, p.regDecls = fn.Regs, fn.RegNames, fn.RegDecls
	fn.Regs, fn.RegNames, fn.RegDecls = p.regSlab.keep(fn.Regs), p.regNameSlab.keep(fn.RegNames), p.regDeclSlab.keep(fn.RegDecls)
	if len(fn.Instrs) <= smallBody {
		p.instrs, p.args, p.stmts = fn.Instrs, fn.Args, fn.Stmts
		fn.Instrs, fn.Args, fn.Stmts = p.instrSlab.keep(fn.Instrs), p.argSlab.keep(fn.Args), p.stmtSlab.keep(fn.Stmts)
	} else {
		p.instrs, p.args, p.stmts = nil, nil, nil
	}
	p.undo, p.decls = p.undo[:0], p.decls[:0]
	clear(p.hidden)
	p.fn = nil
}

func (p *parser) undefinedLabel(fn *Func, g *gotoUse) {
	var names []string
	for i := range fn.Labels[:min(len(fn.Labels), maxNear)] {
		if l := &fn.Labels[i]; l.Loc != ir.NoLoc && uint32(i) != g.label {
			names = append(names, l.Name)
		}
	}
	name := fn.Labels[g.label].Name
	p.err(eUndefLabel, g.start, g.end, "no label "+clip(name)+" in this function"+didYouMean(name, names), note("PISA Instruction Set 6.2: goto stays within its function"))
}

// checkTail checks the end of a function that returns a value (PISA Calling Convention 4.5);
// version 1.0 lets control run off the end, which is undefined.
func (p *parser) checkTail(fn *Func) {
	if fn.Ret == ir.None || p.badRet || p.v10 || p.stop {
		return
	}
	if n := len(fn.Stmts); n > 0 && !p.badTail {
		if s := &fn.Stmts[n-1]; s.Kind == StmtInstr {
			if in := &fn.Instrs[s.Ref]; in.Row.Name == "return" && (in.Form == nil || in.Form.Name == "uncond") {
				return
			}
		}
	} else if p.badTail {
		return // the last statement has an error
	}
	p.ds.Error(fn.BodyEnd, min(fn.BodyEnd+1, p.loc(len(p.src))), eLastReturn, "a function that returns a value must end in return",
		note("PISA Calling Convention 4.5: return is the last instruction of a non-void function; `.version 1.0` does not ask for it"))
}

// statement reads a label, declaration or instruction. It reports false at a
// word that cannot stand in a body but begins a declaration of the module.
func (p *parser) statement(start int) bool {
	before := p.prevEnd
	w := p.word()
	if sp := p.spellings[w]; sp != nil && !p.atColon() {
		p.instruction(sp, start, w)
		return true
	}
	if p.atColon() {
		p.defineLabel(w, start)
		return true
	}
	p.badTail = false
	if w[0] != '.' {
		sp := p.spell(w, start)
		if sp == nil {
			p.badTail = true
			p.recover()
			return true
		}
		p.instruction(sp, start, w)
		return true
	}
	switch w {
	case ".reg":
		p.registers(start, true)
	case ".pred":
		p.registers(start, false)
	case ".private", ".shared", ".const":
		p.localVar(start, w)
	case ".global":
		p.err(ePlace, start, p.pos, ".global variables are declared at module scope", note("PISA Variables 2.4: .private, .shared and .const variables may stand in a body"))
		p.recover()
	case ".kernel", ".function", ".export", ".import":
		p.pos, p.prevEnd = start, before
		return false
	default:
		p.err(eDirective, start, p.pos, "unknown directive "+clip(w)+didYouMean(w, bodyDirectives))
		p.recover()
	}
	return true
}

var bodyDirectives = []string{".reg", ".pred", ".private", ".shared", ".const"}

// atColon reports a colon behind a word on the same line.
func (p *parser) atColon() bool {
	i := p.pos
	for i < len(p.src) && (p.src[i] == ' ' || p.src[i] == '\t') {
		i++
	}
	return i < len(p.src) && p.src[i] == ':'
}

func (p *parser) instruction(sp *spelling, start int, w string) {
	fn := p.fn
	errors := p.ds.Errors()
	count, ok := p.operands(sp)
	p.badTail = !ok
	if !ok {
		p.recover()
		return
	}
	if !p.accept(';') {
		if !p.endStatement("at the end of the instruction") {
			p.badTail = true
			p.recover()
			return
		}
	}
	quiet := errors != p.ds.Errors() // one mistake, one error
	fn.Instrs = append(fn.Instrs, Instr{Row: sp.row, Loc: p.loc(start), End: p.loc(start + len(w))})
	fn.Stmts = append(fn.Stmts, Stmt{Kind: StmtInstr, Ref: uint32(len(fn.Instrs) - 1), Loc: p.loc(start)})
	if p.named && !p.settle(sp, p.raws, false) {
		p.pending = append(p.pending, pendingInstr{fn: fn, fnNo: p.fnNo, instr: uint32(len(fn.Instrs) - 1), sp: sp, off: len(p.kept), n: len(p.raws), count: count, start: start, end: start + len(w), badRet: p.badRet, quiet: quiet})
		p.kept = append(p.kept, p.raws...)
		return
	}
	quiet = quiet || errors != p.ds.Errors()
	p.match(sp, &fn.Instrs[len(fn.Instrs)-1], p.raws, count, start, start+len(w), quiet)
}

// defineLabel reads the colon behind a label.
func (p *parser) defineLabel(name string, start int) {
	p.badTail = false
	end := p.pos
	p.peek()
	p.take(1)
	fn := p.fn
	if !p.alone(start) {
		p.err(eLabelLine, start, end, "a label stands alone on its line", note("PISA Syntax 1.2: labels must appear alone on a line"))
	}
	if len(name) > MaxName {
		p.err(eLimit, start, end, "name of too many bytes")
		return
	}
	i := p.labelIndex(name)
	l := &fn.Labels[i]
	if l.Loc != ir.NoLoc {
		p.err(eRedeclared, start, end, "label "+clip(name)+" is defined twice", p.noteAt(l.Loc, l.Loc+ir.Loc(len(name)), "the other definition"))
		return
	}
	l.Loc = p.loc(start)
	fn.Stmts = append(fn.Stmts, Stmt{Kind: StmtLabel, Ref: i, Loc: p.loc(start)})
}

// alone reports whether the label from start to the current position has a
// line to itself, comments apart.
func (p *parser) alone(start int) bool {
	for i := start - 1; i >= 0 && p.src[i] != '\n'; i-- {
		if class[p.src[i]]&cSpace == 0 {
			return false
		}
	}
	for i := p.pos; i < len(p.src) && p.src[i] != '\n'; i++ {
		if p.src[i] == '/' && i+1 < len(p.src) && p.src[i+1] == '/' {
			break
		}
		if class[p.src[i]]&cSpace == 0 {
			return false
		}
	}
	return true
}

func (p *parser) labelIndex(name string) uint32 {
	id, fresh := p.labelIDs.id(name)
	if fresh {
		p.labels = append(p.labels, labelName{})
	}
	l := &p.labels[id]
	if l.fnNo != p.fnNo {
		p.fn.Labels = append(p.fn.Labels, Label{Name: name})
		l.fnNo, l.index = p.fnNo, uint32(len(p.fn.Labels)-1)
	}
	return l.index
}

// label is labelIndex for a use.
func (p *parser) label(name string, start int) uint32 {
	i := p.labelIndex(name)
	if p.fn.Labels[i].Loc == ir.NoLoc {
		p.gotos = append(p.gotos, gotoUse{i, start, start + len(name)})
	}
	return i
}

// registers reads the rest of a .reg or .pred declaration.
func (p *parser) registers(start int, reg bool) {
	fn := p.fn
	t := ir.Pred
	if reg {
		t = p.regType("register")
	}
	d := RegDecl{Type: t, Off: uint32(len(fn.RegNames))}
	for {
		if p.peek() != '%' {
			p.unexpected("a register name beginning with %")
			p.recover()
			break
		}
		if !p.register1(t) {
			p.recover()
			break
		}
		if p.accept(',') {
			continue
		}
		if !p.endStatement("or ',' after the register") {
			p.recover()
		}
		break
	}
	d.N = uint32(len(fn.RegNames)) - d.Off
	fn.RegDecls = append(fn.RegDecls, d)
	fn.Stmts = append(fn.Stmts, Stmt{Kind: StmtReg, Ref: uint32(len(fn.RegDecls) - 1), Loc: p.loc(start)})
}

// regType reads a register type; None after an error.
func (p *parser) regType(what string) ir.Type {
	w := p.ahead()
	if w == "" || w[0] != '.' {
		p.unexpected("the bitwidth of the " + what + ", such as .32b")
		return ir.None
	}
	start := p.pos
	p.word()
	t, ok := ir.ParseType(w[1:])
	if !ok || t == ir.Pred || t == ir.None {
		p.err(eType, start, p.pos, clip(w)+" is not a type of registers"+didYouMean(w, typeWords), note("PISA Data Types 2.2: .8b .16b .32b .64b .128b, vectors .v2 to .v4, and of .32b also .v5 to .v8, .v16, .v32, .v64"))
		return ir.None
	}
	return t
}

var typeWords = []string{".8b", ".16b", ".32b", ".64b", ".128b", ".v2.32b", ".v3.32b", ".v4.32b", ".v8.32b", ".v16.32b", ".v2.64b", ".v4.8b", ".v2.16b", ".v4.16b"}

// register1 reads a name, with a range if it has one.
func (p *parser) register1(t ir.Type) bool {
	start := p.pos
	name, ok := p.regName()
	if !ok {
		return false
	}
	end := p.pos
	if p.peek() != '<' {
		p.declare(name, t, false, 0, 0, start, end)
		return true
	}
	p.take(1)
	lo, hi, ok := p.rangeEnds()
	if ok && lo >= hi {
		p.err(eRange, start, p.pos, "the range is empty", note("PISA Variables 2.2: <Start~End> includes Start and excludes End"))
	}
	if !ok || lo >= hi { // so that its registers are not undefined besides
		p.declare(name, ir.None, true, 0, MaxRegNumber, start, end)
		return ok
	}
	p.declare(name, t, true, lo, hi, start, p.pos)
	return true
}

func (p *parser) rangeEnds() (lo, hi uint64, ok bool) {
	if lo, ok = p.rangeEnd("the start of the range"); !ok || !p.expect('~', "in the range") {
		return 0, 0, false
	}
	if hi, ok = p.rangeEnd("the end of the range"); !ok || !p.expect('>', "after the range") {
		return 0, 0, false
	}
	return lo, hi, true
}

func (p *parser) rangeEnd(what string) (uint64, bool) { return p.integer(what, MaxRegNumber) }
