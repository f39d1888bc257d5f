package asm

import (
	"strconv"

	"pisac/ir"
)

// kernel reads a kernel; its first word is at start.
func (p *parser) kernel(start int) {
	fn := &Func{Kind: ir.FuncKernel}
	p.begin(fn)
	for {
		w := p.ahead()
		if w == "" || w[0] != '.' {
			break
		}
		if !p.kernelAttribute(fn, w) {
			p.skipArgument()
		}
	}
	if !p.funcName(fn) {
		p.abandon()
		return
	}
	p.enter(fn, start, false)
	if !p.params(fn, p.kernelParam) {
		fn.badSig = true
	}
	p.funcBody(fn)
}

// skipArgument skips the rest of a faulty argument in parentheses.
func (p *parser) skipArgument() {
	p.skipParam()
	for p.accept(',') {
		p.skipParam()
	}
	p.accept(')')
}

var kernelAttributes = []string{".reqd_work_group_size", ".vec_type_hint"}

func (p *parser) kernelAttribute(fn *Func, w string) bool {
	at := p.pos
	p.word()
	repeated := false
	switch w {
	case ".reqd_work_group_size":
		repeated = fn.ReqdWorkGroupSize[0] != 0
		if !p.expect('(', "after "+w) {
			return false
		}
		for i := range fn.ReqdWorkGroupSize {
			if i > 0 && !p.expect(',', "between the three sizes") {
				return false
			}
			num := p.mark()
			n, ok := p.integer("a work-group size", 1<<32-1)
			if !ok {
				return false
			}
			if n == 0 {
				p.err(eAttribute, num, p.pos, "a work-group size must be at least 1", note("PISA Calling Convention 4.1.1"))
				n = 1
			}
			fn.ReqdWorkGroupSize[i] = uint32(n)
		}
		if !p.expect(')', "after the three sizes") {
			return false
		}
	case ".vec_type_hint":
		repeated = fn.VecTypeHint != ""
		if !p.expect('(', "after "+w) {
			return false
		}
		typ := p.mark()
		fn.VecTypeHint = p.word()
		if !openCLType(fn.VecTypeHint) {
			p.err(eAttribute, typ, max(p.pos, typ), "'"+clip(fn.VecTypeHint)+"' is not a scalar or vector type of OpenCL", note("PISA Calling Convention 4.1.1: such as int or float4"))
		}
		if !p.expect(')', "after the type") {
			return false
		}
	default:
		p.err(eAttribute, at, at+len(w), "unknown attribute "+clip(w)+didYouMean(w, kernelAttributes), note("PISA Calling Convention 4.1.1: kernels have .reqd_work_group_size(X, Y, Z) and .vec_type_hint(TYPE)"))
		p.skipParens()
	}
	if repeated {
		p.err(eAttribute, at, at+len(w), w+" is given twice")
	}
	return true
}

var openCLScalars = []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"}

func openCLType(s string) bool {
	for _, t := range openCLScalars {
		if len(s) >= len(t) && s[:len(t)] == t {
			switch s[len(t):] {
			case "", "2", "3", "4", "8", "16":
				return true
			}
		}
	}
	return false
}

// function reads a function, a declaration of one, or an import.
func (p *parser) function(start int, link ir.Linkage) {
	fn := &Func{Kind: ir.FuncDevice, Linkage: link}
	p.begin(fn)
	switch w := p.ahead(); {
	case w == "void":
		p.word()
	case w == "":
		p.unexpected("the return type: void or a bitwidth such as .32b")
		fn.badSig, p.badRet = true, true
	default:
		if fn.Ret = p.regType("return value"); fn.Ret == ir.None {
			fn.badSig, p.badRet = true, true
			if p.ahead() != "" && p.peek() != '@' {
				p.word()
			}
		}
	}
	if !p.funcName(fn) {
		p.abandon()
		return
	}
	name, end := p.file.Src.Offset(fn.Loc), p.file.Src.Offset(fn.End)
	if !p.params(fn, p.funcParam) {
		fn.badSig = true
	}
	c := p.peek()
	switch {
	case link == ir.LinkImport:
		p.enter(fn, start, false)
		if c == '{' {
			p.err(eLinkage, p.pos, p.pos+1, "an imported function has no body", note("PISA Calling Convention 4.3.1"))
			p.funcBody(fn)
			return
		}
		p.endImport()
	case c == '{':
		p.funcBody(p.definition(fn, start))
	case c == ';' || p.line > p.prevEnd || p.pos >= len(p.src):
		p.prototype(fn, start, name, end)
		p.endImport()
	default:
		p.enter(fn, start, false)
		p.funcBody(fn)
	}
}

// endImport ends a function without a body.
func (p *parser) endImport() {
	p.abandon1()
	if !p.endStatement("after the declaration of the function") {
		p.recover()
	}
}

// begin makes fn the current function.
func (p *parser) begin(fn *Func) {
	p.fn = fn
	p.fnNo++
	p.badRet, p.badTail, p.unnamed = false, false, p.unnamed[:0]
	fn.Regs, fn.RegNames, fn.RegDecls = p.regs[:0], p.regNames[:0], p.regDecls[:0]
	p.openScope(p.pos) // of the parameters
}

// abandon1 leaves a function that has no body.
func (p *parser) abandon1() {
	for len(p.scopes) > 0 {
		p.closeScope()
	}
	p.undo, p.decls = p.undo[:0], p.decls[:0]
	p.fn.Regs, p.fn.RegNames, p.fn.RegDecls, p.fn.Params = nil, nil, nil, nil
	p.fn = nil
}

// abandon skips a function whose head cannot be read.
func (p *parser) abandon() {
	p.abandon1()
	p.recover()
}

func (p *parser) funcName(fn *Func) bool {
	if p.peek() != '@' {
		p.unexpected("the name of the kernel or function beginning with @")
		return false
	}
	start := p.pos
	name, ok := p.symbolName()
	fn.Name, fn.Loc, fn.End = name, p.loc(start), p.loc(p.pos)
	return ok
}

// enter adds fn to the module.
func (p *parser) enter(fn *Func, start int, proto bool) {
	src := p.file.Src
	if p.define(p.internSym(fn.Name), nil, fn, src.Offset(fn.Loc), src.Offset(fn.End)) {
		p.file.Funcs = append(p.file.Funcs, fn)
	}
	p.file.Decls = append(p.file.Decls, Decl{Func: fn, Proto: proto, Loc: p.loc(start)})
}

// prototype enters a function that is declared, but neither imported nor
// defined here: a definition must follow.
func (p *parser) prototype(fn *Func, start, at, end int) {
	id := p.internSym(fn.Name)
	if s := &p.syms[id]; s.f != nil && s.f.Kind == ir.FuncDevice && s.f.Linkage != ir.LinkImport && sameSignature(s.f, fn) {
		p.warn(wForward, at, end, "a declaration of @"+clip(fn.Name)+", which is defined above", note("functions need no declaration (PISA Calling Convention 4.3)"))
		p.file.Decls = append(p.file.Decls, Decl{Func: s.f, Proto: true, Loc: p.loc(start)})
		return
	}
	fn.proto = true
	p.enter(fn, start, true)
	p.protos = append(p.protos, proto{fn: fn, start: at, end: end})
}

// proto is a declaration whose definition is awaited.
type proto struct {
	fn         *Func
	start, end int
}

// definition enters a function with a body. If it was declared, the declared
// Func becomes the definition, so that what refers to it stays right.
func (p *parser) definition(fn *Func, start int) *Func {
	s := &p.syms[p.internSym(fn.Name)]
	if s.f == nil || s.f.HasBody || s.f.Kind == ir.FuncKernel || s.f.Linkage == ir.LinkImport || !s.f.proto {
		p.enter(fn, start, false)
		return fn
	}
	if !sameSignature(s.f, fn) && !s.f.badSig && !fn.badSig {
		p.ds.Error(fn.Loc, fn.End, eRedeclared, "@"+clip(fn.Name)+" was declared with another signature", p.noteAt(s.f.Loc, s.f.End, "declared here"))
	}
	*s.f = *fn
	p.fn = s.f
	p.file.Decls = append(p.file.Decls, Decl{Func: s.f, Loc: p.loc(start)})
	return s.f
}

func sameSignature(a, b *Func) bool {
	if a.Ret != b.Ret || len(a.ParamTypes) != len(b.ParamTypes) {
		return false
	}
	for i := range a.ParamTypes {
		if a.ParamTypes[i] != b.ParamTypes[i] {
			return false
		}
	}
	return true
}

// params reads a parameter list. After a faulty parameter it goes on at the
// next comma, and reports false.
func (p *parser) params(fn *Func, param func(*Func) bool) (good bool) {
	if good = p.expect('(', "before the parameters"); !good {
		for c := p.peek(); c != '('; c = p.peek() {
			if p.pos >= len(p.src) || c == '{' || c == '}' || c == ';' {
				return false
			}
			p.take(max(1, p.nameLen(p.pos)))
		}
		p.take(1)
	}
	if p.accept(')') {
		return good
	}
	for n := 1; ; n++ {
		if n > MaxArgs {
			p.err(eLimit, p.pos, p.pos+1, "more than "+strconv.Itoa(MaxArgs)+" parameters")
			return false
		}
		if !param(fn) {
			good = false
			p.skipParam()
		}
		switch {
		case p.accept(','):
		case p.accept(')'):
			return good
		default:
			p.unexpected("')' or ',' after a parameter")
			p.skipParam()
			if good = false; !p.accept(',') {
				p.accept(')')
				return false
			}
		}
	}
}

// skipParam moves to the comma or parenthesis behind a faulty parameter.
func (p *parser) skipParam() {
	depth := 0
	for p.pos < len(p.src) {
		switch c := p.peek(); {
		case p.pos >= len(p.src) || c == ';' || c == '{' || c == '}':
			return
		case c == '"':
			p.skipString()
			continue
		case c == '(':
			depth++
		case c == ')':
			if depth == 0 {
				return
			}
			depth--
		case c == ',' && depth == 0:
			return
		}
		p.take(1)
	}
}

// kernelParam reads one parameter of a kernel (PISA Calling Convention 4.2).
func (p *parser) kernelParam(fn *Func) bool {
	if w := p.ahead(); w != ".param" {
		p.unexpected(".param")
		return false
	}
	p.word()
	if !p.expect('[', "and the size of the parameter") {
		return false
	}
	at := p.mark()
	size, ok := p.integer("the size of the parameter", MaxParamSize)
	if !ok || !p.expect(']', "after the size") {
		return false
	}
	if size == 0 {
		p.err(eSize, at, p.prevEnd-1, "a kernel parameter has at least one byte", note("PISA Calling Convention 4.2"))
	}
	q := ir.Param{Size: uint32(size), Align: 8}
	good := true
	seen := ""
	for {
		w := p.ahead()
		if w == "" {
			break
		}
		if !p.paramAttribute(&q, w, &seen) {
			return false
		}
	}
	if p.peek() != '%' {
		p.unexpected("the parameter's name beginning with %")
		return false
	}
	start := p.pos
	name, ok := p.regName()
	if !ok {
		return false
	}
	q.Name, q.Loc = name, p.loc(start)
	id := p.intern(name)
	n := &p.names[id]
	switch {
	case p.paramIndex(name) >= 0:
		other := &fn.KParams[p.names[id].param-1]
		p.err(eRedeclared, start, p.pos, "two parameters are called %"+clip(name), p.noteAt(other.Loc, 0, "the other one"))
		return true
	case n.sreg != 0 && !p.v10:
		p.later(eSpecial, start, p.pos, "a kernel parameter with the name of a special register")
	}
	fn.KParams = append(fn.KParams, q)
	n.param, n.paramFn = uint32(len(fn.KParams)), p.fnNo
	return good
}

var paramAttributes = []string{".align", ".addrspace", ".ptr_align"}

// paramSpaces are the arguments of .addrspace (PISA Calling Convention 4.2.1).
var paramSpaces = map[string]ir.Space{"global": ir.SpaceGlobal, "shared": ir.SpaceShared, "const": ir.SpaceConst}

// paramAttribute reads an attribute of a kernel parameter; seen collects those
// that were given.
func (p *parser) paramAttribute(q *ir.Param, w string, seen *string) bool {
	at := p.pos
	p.word()
	switch w {
	case ".align", ".ptr_align":
		if !p.expect('(', "after "+w+": the alignment of a parameter stands in parentheses") {
			return false
		}
		n, ok := p.alignment()
		if !ok || !p.expect(')', "after the alignment") {
			return false
		}
		if w == ".align" {
			q.Align = n
		} else {
			q.PtrAlign = n
		}
	case ".addrspace":
		if !p.expect('(', "after "+w) {
			return false
		}
		start := p.mark()
		name := p.word()
		space, ok := paramSpaces[name]
		if !ok {
			p.err(eAttribute, start, max(p.pos, start), "'"+clip(name)+"' is not an address space of kernel parameters", note("PISA Calling Convention 4.2.1: .addrspace takes global, shared or const"))
		}
		q.Space = space
		if !p.expect(')', "after the address space") {
			return false
		}
	default:
		p.err(eAttribute, at, at+len(w), "unknown attribute "+clip(w)+didYouMean(w, paramAttributes), note("PISA Calling Convention 4.2.1: kernel parameters have .align(N), .addrspace(SPACE) and .ptr_align(N)"))
		p.skipParens()
		return true
	}
	for i := 0; i+len(w) <= len(*seen); i++ {
		if (*seen)[i:i+len(w)] == w && (i+len(w) == len(*seen) || (*seen)[i+len(w)] == '.') {
			p.err(eAttribute, at, at+len(w), w+" is given twice")
			break
		}
	}
	*seen += w
	return true
}

// funcParam reads one parameter of a function (PISA Calling Convention 4.4). Only an import may
// leave out its name; the parser does not yet know whether a body follows, so
// funcBody checks.
func (p *parser) funcParam(fn *Func) bool {
	w := p.ahead()
	at := p.pos
	switch {
	case w == ".reg":
		p.word()
	case w == ".pred":
		p.err(eType, at, at+len(w), "a predicate cannot be a parameter", note("PISA Calling Convention 4.4"))
		return false
	case w != "" && w[0] == '.':
		p.warn(wParamReg, at, at+len(w), "a parameter without .reg", note("PISA Calling Convention 4.4 writes parameters as .reg .32b %name"))
	}
	t := p.regType("parameter")
	if t == ir.None {
		return false
	}
	fn.ParamTypes = append(fn.ParamTypes, t)
	if p.peek() != '%' {
		p.unnamed = append(p.unnamed, p.pos)
		return true
	}
	start := p.pos
	name, ok := p.regName()
	if !ok {
		return false
	}
	p.declare(name, t, false, 0, 0, start, p.pos)
	id := p.intern(name)
	if item := p.item(id); item != 0 {
		fn.Params = append(fn.Params, p.register(id, item))
	}
	return true
}

// funcBody reads the body of fn.
func (p *parser) funcBody(fn *Func) {
	if p.peek() != '{' {
		p.unexpected("'{' and the body of @" + clip(fn.Name))
		if !p.findBody() {
			p.abandon1()
			p.accept(';')
			return
		}
	}
	for _, at := range p.unnamed {
		p.err(eSyntax, at, at+1, "the parameter of a function with a body needs a name", note("PISA Calling Convention 4.4"))
	}
	p.body(fn)
}

// findBody skips to the brace of a body or, if that is missing, to a line that
// begins like a statement.
func (p *parser) findBody() bool {
	for p.pos < len(p.src) {
		c := p.peek()
		switch {
		case c == '{':
			return true
		case c == ';' || c == '}':
			return false
		case class[c]&cStart != 0 && p.line > p.prevEnd:
			w := p.ahead()
			return p.beginsStatement(w, 0) && !p.beginsStatement(w, 1)
		}
		p.take(max(1, p.nameLen(p.pos)))
	}
	return false
}
