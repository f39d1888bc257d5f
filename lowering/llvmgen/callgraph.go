package llvmgen

import (
	"fmt"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// callGraph says which functions each function may call. One whose address is
// taken in a function counts as called by it; a call through a pointer, also as
// one of every function whose address a variable holds.
type callGraph struct {
	callees map[*ir.Func][]*ir.Func
	// live are the functions that some kernel may call; LLVM generates no code
	// for an internal function that nothing reaches, and crashes on it.
	live map[*ir.Func]bool
	// stored are the functions whose addresses initialisers hold.
	stored map[*ir.Func]bool
}

func newCallGraph(m *ir.Module) *callGraph {
	g := &callGraph{callees: map[*ir.Func][]*ir.Func{}, stored: map[*ir.Func]bool{}}
	var stored []*ir.Func
	note := func(v *ir.Var) {
		for i := range v.Init {
			if f := m.Symbol(v.Init[i].Sym).Func; f != nil && !g.stored[f] {
				g.stored[f] = true
				stored = append(stored, f)
			}
		}
	}
	for _, v := range m.Vars {
		note(v)
	}
	for _, f := range m.Funcs {
		for _, v := range f.Vars {
			note(v)
		}
	}
	var kernels []*ir.Func
	for _, f := range m.Funcs {
		g.callees[f] = callees(m, f, stored)
		if f.Kind == ir.FuncKernel {
			kernels = append(kernels, f)
		}
	}
	g.live = map[*ir.Func]bool{}
	for _, f := range g.reachable(kernels...) {
		g.live[f] = true
	}
	return g
}

// callees lists each function that f may call once.
func callees(m *ir.Module, f *ir.Func, stored []*ir.Func) (list []*ir.Func) {
	seen := map[*ir.Func]bool{}
	add := func(c *ir.Func) {
		if c != nil && !seen[c] {
			seen[c] = true
			list = append(list, c)
		}
	}
	indirect := false
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for o := b.First(); o != nil; o = o.Next() {
			switch o.Code {
			case builtin.Call, pisa.AddrOf:
				add(m.Symbol(o.Aux).Func)
			case builtin.CallIndirect:
				indirect = true
			}
		}
	}
	if indirect {
		for _, c := range stored {
			add(c)
		}
	}
	return list
}

// reachable lists the roots and all that they may call, directly or not.
func (g *callGraph) reachable(roots ...*ir.Func) []*ir.Func {
	seen := make(map[*ir.Func]bool, len(roots))
	list := make([]*ir.Func, 0, len(roots))
	add := func(f *ir.Func) {
		if !seen[f] {
			seen[f] = true
			list = append(list, f)
		}
	}
	for _, f := range roots {
		add(f)
	}
	for i := 0; i < len(list); i++ {
		for _, c := range g.callees[list[i]] {
			add(c)
		}
	}
	return list
}

// usingShared are the functions that declare .shared variables, and those that
// may call one that does.
func (g *callGraph) usingShared(m *ir.Module) map[*ir.Func]bool {
	callers := map[*ir.Func][]*ir.Func{}
	var work []*ir.Func
	uses := map[*ir.Func]bool{}
	add := func(f *ir.Func) {
		if !uses[f] {
			uses[f] = true
			work = append(work, f)
		}
	}
	for _, f := range m.Funcs {
		for _, c := range g.callees[f] {
			callers[c] = append(callers[c], f)
		}
		for _, v := range f.Vars {
			if v.Space == ir.SpaceShared {
				add(f)
			}
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range callers[f] {
			add(c)
		}
	}
	return uses
}

// dropUnlaunched picks the functions that get no code: those that no kernel
// calls and that use .shared variables, which belong to a kernel's launch. LLVM
// would warn of them and make them trap.
func (e *emitter) dropUnlaunched() {
	e.dropped = map[*ir.Func]bool{}
	uses := e.calls.usingShared(e.mod)
	for _, f := range e.mod.Funcs {
		if f.Kind != ir.FuncDevice || f.IsDecl() || e.calls.live[f] || e.calls.stored[f] || !uses[f] {
			continue
		}
		e.dropped[f] = true
		if f.Linkage == ir.LinkExport {
			e.diags.Warn(f.Loc, 0, codeUnlaunched, fmt.Sprintf(
				"no code for @%s: it uses .shared memory, and no kernel of the program calls it", f.Name))
		}
	}
}

// checkSharedSize refuses kernels whose .shared variables, with those of the
// functions that they may call, exceed what the hardware has.
func (e *emitter) checkSharedSize() {
	for _, k := range e.mod.Funcs {
		if k.Kind != ir.FuncKernel {
			continue
		}
		sum := uint64(0)
		for _, f := range e.calls.reachable(k) {
			for _, v := range f.Vars {
				if v.Space != ir.SpaceShared {
					continue
				}
				pad := uint64(varAlign(v)) - 1
				sum += (v.Size + pad) &^ pad
				if sum > uint64(e.t.LDSBytes) || v.Size > uint64(e.t.LDSBytes) {
					e.diags.Error(v.Loc, 0, codeSharedSize, fmt.Sprintf(
						"the .shared variables of kernel @%s, with those of the functions it calls, take more than the %d bytes of %s", k.Name, e.t.LDSBytes, e.t.Name))
					return
				}
			}
		}
	}
}
