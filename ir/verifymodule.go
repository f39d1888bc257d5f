package ir

// module checks the symbols and variables of the module (I11, I13).
func (v *Verifier) module(m *Module) {
	seen := make(map[string]Loc, len(m.Funcs)+len(m.Vars))
	symbol := func(name string, loc Loc) {
		if first, dup := seen[name]; dup {
			v.Diags.Error(loc, NoLoc, invariantCode(11), "I11: two symbols of the module are called @"+shown([]byte(name)),
				DiagNote{Loc: first, Text: "the first is here"})
			return
		}
		seen[name] = loc
	}
	for _, x := range m.Vars {
		symbol(x.Name, x.Loc)
		v.variable(m, x, nil)
	}
	for _, f := range m.Funcs {
		symbol(f.Name, f.Loc)
	}
}

// vars checks the variables of a function.
func (v *Verifier) vars(vars []*Var) {
	if len(vars) == 0 {
		return
	}
	seen := make(map[string]struct{}, len(vars))
	for _, x := range vars {
		if _, dup := seen[x.Name]; dup {
			v.varError(x, 11, "two variables of a function have this name")
		}
		seen[x.Name] = struct{}{}
		v.variable(v.Fn.mod, x, v.Fn)
	}
}

func (v *Verifier) varError(x *Var, inv int, text string) {
	v.Diags.Error(x.Loc, NoLoc, invariantCode(inv), "I"+string(appendUint(nil, uint64(inv)))+": @"+shown([]byte(x.Name))+": "+text)
}

// variable checks I13.
func (v *Verifier) variable(m *Module, x *Var, fn *Func) {
	if x.Fn != fn {
		v.varError(x, 13, "the variable does not know its function")
	}
	switch x.Space {
	case SpaceConst:
	case SpaceGlobal:
		if fn != nil {
			v.varError(x, 13, "a global variable is declared in a function")
		}
	case SpaceShared, SpacePrivate:
		if fn == nil {
			v.varError(x, 13, "a "+x.Space.String()+" variable is declared outside of a function")
		}
	default:
		v.varError(x, 13, "a variable cannot lie in space "+x.Space.String())
	}
	if !isPow2(x.Align) {
		v.varError(x, 13, "the alignment is not a power of two")
	}
	if x.Init == nil {
		return
	}
	if x.Space != SpaceConst && x.Space != SpaceGlobal || x.Linkage == LinkImport {
		v.varError(x, 13, "only const and global variables that are not imported have an initialiser")
	}
	v.init(m, x)
}

func (v *Verifier) init(m *Module, x *Var) {
	left := x.Size
	for i := range x.Init {
		it := &x.Init[i]
		forms := 0
		for _, is := range [...]bool{len(it.Bytes) != 0, it.Zero != 0, it.Sym != 0} {
			if is {
				forms++
			}
		}
		if forms > 1 || it.Off != 0 && it.Sym == 0 {
			v.varError(x, 13, "an item of the initialiser has two forms")
		}
		if it.Sym != 0 {
			if s := m.Symbol(it.Sym); s == (Symbol{}) || s.Var != nil && s.Var.Fn != nil {
				v.varError(x, 13, "the initialiser names something that is no symbol of the module")
			}
		}
		n := it.Size()
		if n > left {
			v.varError(x, 13, "the initialiser is longer than the variable")
			return
		}
		left -= n
	}
	if left != 0 {
		v.varError(x, 13, "the initialiser is shorter than the variable")
	}
}
