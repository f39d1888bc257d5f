package ir

// function reads a kernel or function behind its keyword. After a mistake in
// the head the body is read nevertheless.
func (p *parser) function(kind FuncKind) bool {
	name, ok := p.take(tokSym, "@name")
	if !ok {
		return false
	}
	f := p.mod.NewFunc(string(name.text), kind)
	f.Loc = p.file.Loc(name.off)
	p.define(p.symbols, name, f.sym)
	p.beginFunc(f)
	if !p.signature(f) {
		for !p.tok.first && !p.isPunct('{') {
			p.advance()
		}
		if !p.isPunct('{') {
			return false
		}
	}
	if p.acceptPunct('{') {
		p.body()
	}
	p.endFunc()
	return true
}

func (p *parser) beginFunc(f *Func) {
	p.fn, p.block = f, nil
	p.locals, p.params = nil, nil
	p.values.reset()
	p.blocks.reset()
	p.labels = p.labels[:0]
	p.forwards = p.forwards[:0]
	p.inits = p.inits[:0]
}

func (p *parser) signature(f *Func) bool {
	if !p.expectPunct('(') {
		return false
	}
	for i := 0; !p.acceptPunct(')'); i++ {
		if i > 0 && !p.expectPunct(',') {
			return false
		}
		if f.Kind == FuncKernel {
			if !p.kernelParam(f) {
				return false
			}
			continue
		}
		if !p.functionParam(f) {
			return false
		}
	}
	if f.Kind == FuncDevice && p.tok.kind == tokArrow {
		p.advance()
		t, ok := p.typ()
		if !ok {
			return false
		}
		f.Ret = t
	}
	for !p.tok.first && !p.isPunct('{') {
		if !p.funcAttr(f) {
			return false
		}
	}
	return true
}

func (p *parser) functionParam(f *Func) bool {
	t, ok := p.typ()
	if !ok {
		return false
	}
	f.Sig = append(f.Sig, t)
	if p.tok.kind == tokVal {
		for len(f.ParamNames) < len(f.Sig)-1 {
			f.ParamNames = append(f.ParamNames, "")
		}
		f.ParamNames = append(f.ParamNames, string(p.tok.text))
		p.advance()
	}
	return true
}

func (p *parser) kernelParam(f *Func) bool {
	if !p.acceptWord("param") {
		return p.expected("param")
	}
	name, ok := p.take(tokVal, "%name")
	if !ok {
		return false
	}
	a := Param{Name: string(name.text), Align: 8, Loc: p.file.Loc(name.off)}
	if p.params == nil {
		p.params = make(map[string]Aux)
	}
	if _, dup := p.params[a.Name]; dup {
		p.errorAt(name, codeRedef, "redefinition of parameter %"+shown(name.text))
	}
	p.params[a.Name] = Aux(len(f.Params) + 1)
	for !p.isPunct(',') && !p.isPunct(')') {
		ok := false
		switch {
		case p.acceptWord("size"):
			a.Size, ok = p.number32()
		case p.acceptWord("align"):
			a.Align, ok = p.number32()
		case p.acceptWord("ptr_align"):
			a.PtrAlign, ok = p.number32()
		case p.acceptWord("space"):
			a.Space, ok = p.space()
		default:
			ok = p.expected("a parameter attribute")
		}
		if !ok {
			return false
		}
	}
	f.Params = append(f.Params, a)
	return true
}

func (p *parser) funcAttr(f *Func) bool {
	ok := false
	switch {
	case p.acceptWord("reqd_work_group_size"):
		if !p.expectPunct('(') {
			return false
		}
		for i := range f.ReqdWorkGroupSize {
			if i > 0 && !p.expectPunct(',') {
				return false
			}
			if f.ReqdWorkGroupSize[i], ok = p.number32(); !ok {
				return false
			}
		}
		return p.expectPunct(')')
	case p.acceptWord("vec_type_hint"):
		f.VecTypeHint, ok = p.str()
	default:
		f.Linkage, ok = p.linkage()
	}
	return ok
}

// body reads variables, then blocks, up to the closing brace.
func (p *parser) body() {
	for p.tok.kind != tokEOF {
		ok := false
		switch {
		case p.acceptPunct('}'):
			return
		case p.block == nil && p.acceptWord("var"):
			ok = p.variable(p.fn)
		case p.tok.kind == tokBlock:
			p.label()
			continue
		case p.block == nil:
			p.unexpected("a variable or a block label")
		default:
			ok = p.op()
		}
		if ok && !p.tok.first && !p.isPunct('}') {
			ok = p.expected("a new line")
		}
		if !ok && !p.tok.first {
			p.skipRest()
		} else if !ok {
			p.skipStuck()
		}
	}
	p.unexpected("'}'")
}

// skipRest skips to the next line or the closing brace.
func (p *parser) skipRest() {
	for !p.tok.first && !p.isPunct('}') {
		p.advance()
	}
}

// skipStuck is skipRest where the faulty token is the first of its line:
// unless a statement can begin with it, it is what was wrong.
func (p *parser) skipStuck() {
	switch p.tok.kind {
	case tokBlock, tokVal, tokWord, tokEOF:
		if p.block != nil || p.tok.kind == tokEOF || p.tok.kind == tokBlock || p.isWord("var") {
			return
		}
	case tokPunct:
		if p.tok.punct == '}' {
			return
		}
	}
	p.advance()
	p.skipRest()
}

// label reads ^name(args): and what follows on its line is read by body.
func (p *parser) label() {
	name := p.tok
	p.advance()
	b := p.blockNamed(name)
	if p.labels[b.ID].defined {
		p.errorAt(name, codeRedef, "redefinition of ^"+shown(name.text), DiagNote{Loc: b.Loc, Text: "first defined here"})
		b = p.fn.NewBlock() // takes the ops that follow
		p.labels = append(p.labels, labelInfo{defined: true})
	} else if b != p.fn.last {
		b.MoveAfter(p.fn.last) // made by an earlier branch
	}
	p.labels[b.ID].defined = true
	b.Loc = p.file.Loc(name.off)
	if _, ok := p.blocks.number(name.text); !ok {
		b.Name = string(name.text)
	}
	p.block = b
	if !p.blockArgs(b) {
		p.skipRest()
	}
}

func (p *parser) blockArgs(b *Block) bool {
	if p.acceptPunct('(') {
		for i := 0; !p.acceptPunct(')'); i++ {
			if i > 0 && !p.expectPunct(',') {
				return false
			}
			name, ok := p.take(tokVal, "%name")
			if !ok || !p.expectPunct(':') {
				return false
			}
			t, r, ok := p.valueType()
			if !ok {
				p.defineValue(name, poison)
				return false
			}
			v := b.AddArg(t)
			v.Reg = r
			p.defineValue(name, v)
		}
	}
	return p.expectPunct(':')
}

// blockNamed returns the block, which it makes at the first mention.
func (p *parser) blockNamed(name token) *Block {
	b := p.blocks.get(name.text)
	if b == nil {
		b = p.fn.NewBlock()
		p.blocks.set(name.text, b)
		p.labels = append(p.labels, labelInfo{use: name})
	}
	return b
}

func (p *parser) defineValue(name token, v *Value) {
	if old := p.values.get(name.text); old != nil && old != poison {
		note := DiagNote{Loc: old.loc(), Text: "first defined here"}
		p.errorAt(name, codeRedef, "redefinition of %"+shown(name.text), note)
		return
	}
	p.values.set(name.text, v)
}

// loc is where v is defined.
func (v *Value) loc() Loc {
	if v.op != nil {
		return v.op.Loc
	}
	return v.block.Loc
}

// endFunc looks up what was used before its definition.
func (p *parser) endFunc() {
	for i := range p.forwards {
		fw := &p.forwards[i]
		v := p.values.get(fw.name.text)
		switch v {
		case nil:
			p.errorAt(fw.name, codeUndef, "undefined value %"+shown(fw.name.text))
		case poison:
		default:
			fw.op.operands[fw.operand].Set(v)
		}
	}
	for i := range p.labels {
		if l := &p.labels[i]; !l.defined {
			p.errorAt(l.use, codeUndef, "undefined block ^"+shown(l.use.text))
		}
	}
	for i := range p.inits {
		if a, ok := p.locals[string(p.inits[i].name.text)]; ok {
			p.inits[i].set(a)
		} else {
			p.pending = append(p.pending, p.inits[i])
		}
	}
}
