package asm

import (
	"pisac/dialects/pisa"
	"pisac/ir"
)

// symbol is the state of one name behind an @.
type symbol struct {
	name string
	// The declaration at module scope, and where it stands.
	v        *Var
	f        *Func
	loc, end ir.Loc
	// local is 1 + index in parser.locals of the variable visible now.
	local uint32
	// index of the module's symbol in Func.Syms of function fnNo
	fnNo, index uint32
	reported    bool
}

// localVar is a variable declared in a body.
type localVar struct {
	v     *Var
	depth uint32
	index uint32 // 1 + index in Func.Syms
}

func (p *parser) internSym(name string) uint32 {
	id, fresh := p.symIDs.id(name)
	if fresh {
		p.syms = append(p.syms, symbol{name: name})
	}
	return id
}

// define enters a declaration at module scope; false if there is one already,
// which is reported.
func (p *parser) define(id uint32, v *Var, f *Func, start, end int) bool {
	s := &p.syms[id]
	if s.v != nil || s.f != nil {
		p.err(eRedeclared, start, end, "@"+clip(s.name)+" is declared twice in this module", p.noteAt(s.loc, s.end, "the other declaration"))
		return false
	}
	s.v, s.f, s.loc, s.end = v, f, p.loc(start), p.loc(end)
	return true
}

// pendingInstr is an instruction that names a symbol not yet declared. It is
// checked when the module has been read.
type pendingInstr struct {
	fn    *Func
	fnNo  uint32
	instr uint32
	sp    *spelling
	off   int // in parser.kept
	n     int
	count int
	start int
	end   int
	// badRet is parser.badRet of the function.
	badRet bool
	quiet  bool // it has an error
}

// local returns the variable of a body that r names, if it can be meant where
// an address of space is needed: if it lies in another space, a symbol of the
// module may be meant instead (version 1.0: LLVM's frame variables share names
// with globals).
func (p *parser) local(r *raw, space ir.Space) *localVar {
	if r.local == 0 {
		return nil
	}
	lv := &p.locals[r.local-1]
	if p.v10 && space != ir.SpaceNone && lv.v.Space != space {
		if s := &p.syms[r.ref]; s.v != nil && s.v.Space == space {
			return nil
		}
	}
	return lv
}

// settle binds the symbols among the operands to declarations: each becomes a
// reference into Func.Syms. It reports false, and binds none, if one of them
// may be declared later.
func (p *parser) settle(sp *spelling, raws []raw, last bool) bool {
	space := ir.SpaceNone
	if c := &sp.cands[0]; hasMem(c.form) {
		space = pisa.SpaceOf(c.props)
	} else if sp.row.Code == pisa.AddrCast {
		space = pisa.FromSpaceOf(c.props)
	}
	for i := range raws {
		r := &raws[i]
		if r.kind != rawSym || last {
			continue
		}
		s := &p.syms[r.ref]
		if s.v != nil || s.f != nil {
			continue
		}
		if lv := p.local(r, space); lv == nil || p.v10 && space != ir.SpaceNone && lv.v.Space != space {
			return false
		}
	}
	for i := range raws {
		r := &raws[i]
		if r.kind != rawSym {
			continue
		}
		lv, s := p.local(r, space), &p.syms[r.ref]
		switch {
		case lv == nil && s.v == nil && s.f == nil:
			r.kind = rawPoison
			p.undefinedSym(r)
			continue
		case lv == nil && s.f != nil:
			r.kind = rawFunc
		default:
			r.kind = rawVar
		}
		r.ref = p.reference(r.ref, lv)
	}
	return true
}

func hasMem(f *pisa.Form) bool {
	for i := range f.Args {
		if f.Args[i].Kinds&pisa.KMem != 0 {
			return true
		}
	}
	return false
}

// reference returns the index in Func.Syms of a symbol.
func (p *parser) reference(id uint32, lv *localVar) uint32 {
	fn := p.fn
	if lv != nil {
		if lv.index == 0 {
			fn.Syms = append(fn.Syms, SymRef{Name: lv.v.Name, Var: lv.v})
			lv.index = uint32(len(fn.Syms))
		}
		return lv.index - 1
	}
	s := &p.syms[id]
	if s.fnNo != p.fnNo {
		fn.Syms = append(fn.Syms, SymRef{Name: s.name, Var: s.v, Func: s.f})
		s.fnNo, s.index = p.fnNo, uint32(len(fn.Syms)-1)
	}
	return s.index
}

func (p *parser) undefinedSym(r *raw) {
	s := &p.syms[r.ref]
	if s.reported {
		return
	}
	s.reported = true
	var names []string
	for i := 1; i < min(len(p.syms), maxNear); i++ {
		if t := &p.syms[i]; t.v != nil || t.f != nil || t.local != 0 {
			names = append(names, "@"+t.name)
		}
	}
	text := "undefined symbol @" + clip(s.name) + didYouMean("@"+s.name, names)
	if p.fn != nil && p.paramIndex(s.name) >= 0 {
		p.err(eUndefSym, int(r.start), int(r.end), "undefined symbol @"+clip(s.name)+"; the kernel parameter is %"+s.name)
		return
	}
	p.err(eUndefSym, int(r.start), int(r.end), text)
}

// settlePending checks the instructions that waited for declarations.
func (p *parser) settlePending() {
	for i := range p.pending {
		q := &p.pending[i]
		p.fn, p.fnNo, p.badRet = q.fn, q.fnNo, q.badRet
		raws := p.kept[q.off : q.off+q.n]
		errors := p.ds.Errors()
		p.settle(q.sp, raws, true)
		in := &q.fn.Instrs[q.instr]
		p.match(q.sp, in, raws, q.count, q.start, q.end, q.quiet || errors != p.ds.Errors())
	}
	p.fn = nil
}
