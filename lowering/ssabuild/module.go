package ssabuild

import (
	"strconv"

	"pisac/dialects/pisa/asm"
	"pisac/ir"
)

// Build creates the module of the pisa dialect that prog means; src holds its
// texts. It reports to ds; the module is good if no errors were added.
func Build(reg *ir.Registry, src *ir.Sources, prog *asm.Program, ds *ir.Diags) *ir.Module {
	m := ir.NewModule(reg, src)
	m.Version, m.Target = prog.Version, prog.Target
	declare(m, prog)
	b := &builder{mod: m, ds: ds, warn: prog.Version.Major == 0}
	for _, f := range prog.Funcs {
		if f.HasBody {
			b.function(f)
		}
	}
	return m
}

// declare creates all symbols, so that bodies and initialisers may name any.
func declare(m *ir.Module, prog *asm.Program) {
	for _, v := range prog.Vars {
		declareVar(m, v, nil)
	}
	for _, f := range prog.Funcs {
		declareFunc(m, f)
		declareLocals(m, f)
	}
	for _, v := range prog.Vars {
		v.IR.Init = initialiser(v)
	}
	for _, f := range prog.Funcs {
		for _, v := range f.Vars {
			v.IR.Init = initialiser(v)
		}
	}
}

// declareLocals declares the variables of a body. Nested blocks may use one
// name for several (A29); the IR has one scope per function, so that the later
// ones get a number.
func declareLocals(m *ir.Module, f *asm.Func) {
	if len(f.Vars) < 2 {
		for _, v := range f.Vars {
			declareVar(m, v, f.IR)
		}
		return
	}
	next := make(map[string]int, len(f.Vars)) // by name: last number tried
	for _, v := range f.Vars {
		next[v.Name] = 0
	}
	seen := make(map[string]bool, len(f.Vars))
	for _, v := range f.Vars {
		declareVar(m, v, f.IR)
		name := v.Name
		for seen[name] {
			for taken := true; taken; _, taken = next[name] {
				next[v.Name]++
				name = v.Name + "." + strconv.Itoa(next[v.Name])
			}
		}
		seen[name] = true
		v.IR.Name = name
	}
}

func declareVar(m *ir.Module, v *asm.Var, fn *ir.Func) {
	x := m.NewVar(v.Name, v.Space, fn)
	x.Size, x.Align, x.Linkage = v.Size, max(v.Align, 1), v.Linkage
	x.Section, x.HostAccess, x.Loc = v.Section, v.HostAccess, v.Loc
	v.IR = x
}

func declareFunc(m *ir.Module, f *asm.Func) {
	x := m.NewFunc(f.Name, f.Kind)
	x.Linkage, x.Ret, x.Loc = f.Linkage, f.Ret, f.Loc
	x.Sig, x.Params = f.ParamTypes, f.KParams
	x.ReqdWorkGroupSize, x.VecTypeHint = f.ReqdWorkGroupSize, f.VecTypeHint
	if f.HasBody {
		for _, r := range f.Params {
			x.ParamNames = append(x.ParamNames, f.Regs[r].Name)
		}
	}
	f.IR = x
}

// initialiser lays out the items of v, runs of numbers together. Numbers are
// cut to their width, low byte first (PISA 4.3).
func initialiser(v *asm.Var) []ir.Init {
	var out []ir.Init
	var run []byte
	flush := func() {
		if len(run) > 0 {
			out = append(out, ir.Init{Bytes: run})
			run = nil
		}
	}
	for i := range v.Init {
		it := &v.Init[i]
		switch {
		case it.Sym.Var != nil:
			flush()
			out = append(out, ir.Init{Sym: it.Sym.Var.IR.Symbol(), Off: it.Off})
		case it.Sym.Func != nil:
			flush()
			out = append(out, ir.Init{Sym: it.Sym.Func.IR.Symbol(), Off: it.Off})
		case it.Bits == 0:
			if it.Value > 0 {
				flush()
				out = append(out, ir.Init{Zero: it.Value})
			}
		default:
			x := it.Value
			for range it.Bits / 8 {
				run = append(run, byte(x))
				x >>= 8
			}
		}
	}
	flush()
	return out
}
