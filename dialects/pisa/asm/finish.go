package asm

import "pisac/ir"

// finish resolves what could be declared after its use, and checks what only
// the whole module shows.
func (p *parser) finish() {
	if p.stop {
		return
	}
	f := p.file
	p.settlePending()
	p.resolveItems()
	for i := range p.protos {
		q := &p.protos[i]
		switch {
		case !q.fn.HasBody:
			p.err(eUndefSym, q.start, q.end, "@"+clip(q.fn.Name)+" is declared, but neither defined nor imported", note("PISA Calling Convention 4.3.1: a function of another module is declared with .import"))
		default:
			p.warn(wForward, q.start, q.end, "a forward declaration of @"+clip(q.fn.Name)+" is not needed", note("functions may be used before they are defined"))
		}
	}
	if f.HasVersion && p.v10 && !f.HasTarget && len(f.Funcs) > 0 && !p.lateTarget {
		p.ds.Warn(f.VersionLoc, f.VersionLoc+ir.Loc(len(".version")), wTarget, "the module states no .target; 100 is assumed", note("PISA Compatibility 6.1.2: .target is the second statement of a module"))
	}
}

// resolveItems binds the symbols of initialisers: symbols of the module only
// (PISA Variables 2.5.1.2).
func (p *parser) resolveItems() {
	for _, q := range p.symItems {
		s := &p.syms[q.id]
		switch {
		case s.v == nil && s.f == nil:
			r := raw{ref: q.id, start: uint32(q.start), end: uint32(q.end)}
			p.undefinedSym(&r)
		case s.f != nil && s.f.Kind == ir.FuncKernel:
			p.err(eInit, q.start, q.end, "@"+clip(s.name)+" is a kernel, which has no address", note("PISA Calling Convention 4.1: kernels are invoked by the host only"))
		case q.item < len(q.v.Init):
			sym := &q.v.Init[q.item].Sym
			sym.Var, sym.Func = s.v, s.f
		}
	}
}
