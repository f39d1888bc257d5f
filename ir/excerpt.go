package ir

import "slices"

// AppendExcerpt appends the text of a module that holds f and, of whatever f
// names, declarations of functions and whole variables: what Parse reads
// without the rest of f's module. It looks at no other function's body, so
// that others may change meanwhile.
func AppendExcerpt(b []byte, f *Func) []byte {
	m := f.mod
	p := Printer{buf: b}
	p.header(m)
	vars, funcs := f.mentions()
	for i, v := range vars {
		if i == 0 {
			p.buf = append(p.buf, '\n')
		}
		p.variable(m, v)
	}
	for _, g := range funcs {
		g = &Func{Name: g.Name, Kind: g.Kind, Linkage: LinkImport, Ret: g.Ret, Sig: g.Sig, Params: g.Params, mod: m}
		p.buf = append(p.buf, '\n')
		p.fn(g)
	}
	p.buf = append(p.buf, '\n')
	p.fn(f)
	return p.buf
}

// mentions lists the symbols of the module that f names, itself or through
// initialisers of variables, in the order of the module.
func (f *Func) mentions() (vars []*Var, funcs []*Func) {
	m := f.mod
	seen := map[Aux]bool{f.sym: true}
	var list []Aux
	add := func(a Aux) {
		if a != 0 && !seen[a] {
			seen[a] = true
			list = append(list, a)
		}
	}
	for b := f.first; b != nil; b = b.next {
		for o := b.first; o != nil; o = o.next {
			if d := m.Reg.lookup(o.Code); d != nil && (d.Aux == AuxSym || d.Syntax == SyntaxCall) {
				add(o.Aux)
			}
		}
	}
	for _, v := range f.Vars {
		addInit(add, v)
	}
	for i := 0; i < len(list); i++ {
		if v := m.Symbol(list[i]).Var; v != nil {
			addInit(add, v)
		}
	}
	slices.Sort(list)
	for _, a := range list {
		switch s := m.Symbol(a); {
		case s.Func != nil:
			funcs = append(funcs, s.Func)
		case s.Var != nil && s.Var.Fn == nil:
			vars = append(vars, s.Var)
		}
	}
	return vars, funcs
}

func addInit(add func(Aux), v *Var) {
	for i := range v.Init {
		add(v.Init[i].Sym)
	}
}
