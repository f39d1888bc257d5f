package passes

import (
	"strconv"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Inlining, bottom-up over the call graph.
//
//	%1 = builtin.call @g(%0) : 32b      (@g: ^bb0(%x): … builtin.return %y)
//	=> the blocks of @g, %x replaced by %0, every return a jump to what follows
//	   the call with %y in the place of %1
//
// A callee is inlined if it has few ops, or only one call. Calls within a
// cycle of the call graph stay: recursion is kept. Private variables of the
// callee get a place in the caller, one however often the callee is inlined,
// as calls of it never overlap; .const ones move to the module. A .shared
// variable is one for all calls: its function is inlined only if that makes
// the function disappear. Local functions that nothing names any more go.
var inlinePass = &Pass{
	Name: "inline", Doc: "Put the bodies of small functions in place of calls.",
	Options: []Option{
		{Name: "size", Doc: "most ops of a callee with several calls", Default: 64},
		{Name: "growth", Doc: "most ops of a caller while it grows", Default: 20000},
	},
	Stats: []string{"calls inlined", "functions removed"},
	Needs: PISA, Breaks: LoopSimplified,
	Module: inline,
}

type inliner struct {
	c     *Ctx
	m     *ir.Module
	info  map[*ir.Func]*calleeInfo
	order []*ir.Func // callees first
}

// calleeInfo is what decides about calls of a function.
type calleeInfo struct {
	f        *ir.Func
	ops      int // constants not counted
	calls    int // direct ones of it
	callers  int // functions with such calls
	last     *ir.Func
	named    bool // its address is taken
	shared   bool // has a .shared variable
	cyclic   bool // calls itself, through others perhaps
	begun    bool // its calls are being inlined, all of them
	removed  bool
	num, low int
	on       bool
}

func inline(c *Ctx, m *ir.Module) bool {
	in := &inliner{c: c, m: m, info: map[*ir.Func]*calleeInfo{}}
	in.survey()
	in.components()
	changed := false
	for _, f := range in.order {
		ch, ok := in.caller(f)
		changed = changed || ch
		if !ok {
			return changed
		}
	}
	return in.removeUnused() || changed
}

// survey counts ops and calls.
func (in *inliner) survey() {
	for _, f := range in.m.Funcs {
		in.info[f] = &calleeInfo{f: f}
	}
	for _, f := range in.m.Funcs {
		i := in.info[f]
		for _, v := range f.Vars {
			i.shared = i.shared || v.Space == ir.SpaceShared
		}
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			for op := b.First(); op != nil; op = op.Next() {
				if op.Code != builtin.Const {
					i.ops++
				}
				g := in.m.Symbol(symbolOf(op)).Func
				if g == nil {
					continue
				}
				k := in.info[g]
				if op.Code != builtin.Call {
					k.named = true
					continue
				}
				k.count(f)
				i.cyclic = i.cyclic || g == f
			}
		}
	}
	vars := in.m.Vars
	for _, f := range in.m.Funcs {
		vars = append(vars[:len(vars):len(vars)], f.Vars...)
	}
	for _, v := range vars {
		for i := range v.Init {
			if g := in.m.Symbol(v.Init[i].Sym).Func; g != nil {
				in.info[g].named = true
			}
		}
	}
}

// count enters a call from f.
func (k *calleeInfo) count(f *ir.Func) {
	k.calls++
	if k.last != f {
		k.last = f
		k.callers++
	}
}

// symbolOf returns the symbol that op names, 0 if none.
func symbolOf(op *ir.Op) ir.Aux {
	if op.Code == builtin.Call || op.Code == pisa.AddrOf || op.Def().Aux == ir.AuxSym {
		return op.Aux
	}
	return 0
}

// callSites returns the direct calls of f to functions with a body, in order.
func callSites(f *ir.Func) (sites []*ir.Op) {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code == builtin.Call && !f.Module().Symbol(op.Aux).Func.IsDecl() {
				sites = append(sites, op)
			}
		}
	}
	return sites
}

// components numbers the cycles of the call graph (Tarjan), callees first.
func (in *inliner) components() {
	type frame struct {
		i     *calleeInfo
		sites []*ir.Op
	}
	var stack []*calleeInfo
	next := 0
	for _, root := range in.m.Funcs {
		if root.IsDecl() || in.info[root].num != 0 {
			continue
		}
		visit := func(f *ir.Func) frame {
			i := in.info[f]
			next++
			i.num, i.low, i.on = next, next, true
			stack = append(stack, i)
			return frame{i, callSites(f)}
		}
		frames := []frame{visit(root)}
		for len(frames) > 0 {
			top := &frames[len(frames)-1]
			if len(top.sites) > 0 {
				g := in.info[in.m.Symbol(top.sites[0].Aux).Func]
				top.sites = top.sites[1:]
				if g.num == 0 {
					frames = append(frames, visit(g.f))
				} else if g.on {
					top.i.low = min(top.i.low, g.num)
				}
				continue
			}
			i := top.i
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				p := frames[len(frames)-1].i
				p.low = min(p.low, i.low)
			}
			if i.low != i.num {
				continue
			}
			alone := stack[len(stack)-1] == i
			for {
				k := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				k.cyclic, k.on = k.cyclic || !alone, false
				in.order = append(in.order, k.f)
				if k == i {
					break
				}
			}
		}
	}
}

// caller inlines into f; ok is false when no more may be done.
func (in *inliner) caller(f *ir.Func) (changed, ok bool) {
	me, ok := in.info[f], true
	sites := callSites(f)
	privates := map[*ir.Var]ir.Aux{}
	// The last first, so that each op is moved behind a call once.
	for i := len(sites) - 1; i >= 0; i-- {
		op := sites[i]
		g := in.info[in.m.Symbol(op.Aux).Func]
		if why := in.refuse(me, g); why != "" {
			in.c.Remark(Missed, "NotInlined", f, op.Loc, "@%s not inlined into @%s: %s", g.f.Name, f.Name, why)
			continue
		}
		if !ok && !g.begun {
			continue
		}
		if !g.begun && !in.c.May() {
			ok = false // but what is begun must be brought to its end
			continue
		}
		g.begun = g.shared
		in.c.Touched(f)
		in.c.Remark(Passed, "Inlined", f, op.Loc, "@%s inlined into @%s", g.f.Name, f.Name)
		in.expand(f, op, g, privates)
		me.ops += g.ops
		g.calls--
		in.c.Count(0, 1)
		changed = true
		if g.shared && g.calls == 0 {
			in.remove(g)
		}
	}
	return changed, ok
}

// refuse says why g is not inlined into f; empty if it is.
func (in *inliner) refuse(f, g *calleeInfo) string {
	gone := g.f.Linkage == ir.LinkLocal && !g.named && g.callers == 1
	switch {
	case g.begun:
		return ""
	case g.cyclic:
		return "it is recursive"
	case g.shared && !gone:
		return "it has a .shared variable and other callers"
	case g.shared && g.ops*g.calls+f.ops > in.c.Opt(1):
		return "it has a .shared variable and its calls are too many" // all or none
	case g.shared:
		return ""
	case g.ops+f.ops > in.c.Opt(1):
		return "the caller would have more than " + strconv.Itoa(in.c.Opt(1)) + " ops"
	case gone && g.calls == 1:
		return ""
	case g.ops > in.c.Opt(0):
		return "it has " + strconv.Itoa(g.ops) + " ops, more than " + strconv.Itoa(in.c.Opt(0))
	}
	return ""
}

// expand replaces call by the body of its callee.
func (in *inliner) expand(f *ir.Func, call *ir.Op, g *calleeInfo, privates map[*ir.Var]ir.Aux) {
	b := call.Block()
	rest := f.NewBlockBefore(b.Next())
	rest.Loc = call.Loc
	for op := call.Next(); op != nil; op = call.Next() {
		op.MoveToEnd(rest)
	}
	if call.NumResults() > 0 {
		call.Result(0).ReplaceUses(rest.AddArg(call.Result(0).Type))
	}
	values := map[*ir.Value]*ir.Value{}
	blocks := map[*ir.Block]*ir.Block{}
	entry := g.f.Entry()
	for i, v := range entry.Args() {
		values[v] = call.Operand(i)
	}
	for x := g.f.FirstBlock(); x != nil; x = x.Next() {
		if x == entry {
			continue
		}
		n := f.NewBlockBefore(rest)
		n.Loc = x.Loc
		blocks[x] = n
		for _, a := range x.Args() {
			values[a] = n.AddArg(a.Type)
		}
	}
	wanted := call.NumResults() > 0
	call.Erase()
	// Definitions before uses: an order in which a dominator comes first.
	dom := in.c.CacheOf(g.f).Dom()
	for _, x := range dom.RPO() {
		to := b
		if x != entry {
			to = blocks[x]
		}
		var bl ir.Builder
		bl.AtEnd(to)
		for op := x.First(); op != x.Last(); op = op.Next() {
			n := cloneOp(&bl, op, values)
			if op.Code == builtin.Call {
				if k := in.info[in.m.Symbol(op.Aux).Func]; k != nil {
					k.count(f)
				}
			}
			if v := in.m.Symbol(symbolOf(op)).Var; v != nil && v.Fn == g.f {
				n.Aux = in.variable(f, v, privates)
			}
		}
		t := x.Last()
		bl.Loc = t.Loc
		switch {
		case t.Code != builtin.Return:
			cloneTerm(&bl, t, values, blocks)
		case wanted:
			builtin.Jump(&bl, rest, mapped(values, t.Operand(0)))
		default:
			builtin.Jump(&bl, rest)
		}
	}
	for x := g.f.FirstBlock(); x != nil; x = x.Next() {
		if n := blocks[x]; n != nil && !dom.Reachable(x) {
			n.Erase()
		}
	}
}

// variable returns the symbol that stands in f for a callee's variable v.
func (in *inliner) variable(f *ir.Func, v *ir.Var, privates map[*ir.Var]ir.Aux) ir.Aux {
	switch v.Space {
	case ir.SpacePrivate:
		if a, ok := privates[v]; ok {
			return a
		}
		n := in.m.NewVar(freeName(f.Vars, v), v.Space, f)
		n.Size, n.Align, n.Section, n.HostAccess, n.Loc = v.Size, v.Align, v.Section, v.HostAccess, v.Loc
		privates[v] = n.Symbol()
		return n.Symbol()
	case ir.SpaceConst:
		removeVar(v)
		v.Name = in.moduleName(v)
		v.Fn = nil
		in.m.Vars = append(in.m.Vars, v)
	default: // .shared: the callee disappears
		removeVar(v)
		v.Name = freeName(f.Vars, v)
		v.Fn = f
		f.Vars = append(f.Vars, v)
	}
	return v.Symbol()
}

func removeVar(v *ir.Var) {
	vars := v.Fn.Vars
	for i, x := range vars {
		if x == v {
			v.Fn.Vars = append(vars[:i:i], vars[i+1:]...)
			return
		}
	}
}

// freeName returns a name for v that no variable of vars has.
func freeName(vars []*ir.Var, v *ir.Var) string {
	taken := map[string]bool{}
	for _, x := range vars {
		taken[x.Name] = true
	}
	return unused(v, func(s string) bool { return taken[s] })
}

func (in *inliner) moduleName(v *ir.Var) string {
	taken := map[string]bool{}
	for _, x := range in.m.Vars {
		taken[x.Name] = true
	}
	for _, x := range in.m.Funcs {
		taken[x.Name] = true
	}
	return unused(v, func(s string) bool { return taken[s] })
}

func unused(v *ir.Var, taken func(string) bool) string {
	name := v.Name
	if taken(name) {
		name = v.Fn.Name + "." + v.Name
	}
	for i := 2; taken(name); i++ {
		name = v.Fn.Name + "." + v.Name + "." + strconv.Itoa(i)
	}
	return name
}

// removeUnused erases local functions that nothing names, callers before
// callees.
func (in *inliner) removeUnused() bool {
	changed := false
	for i := len(in.order) - 1; i >= 0; i-- {
		k := in.info[in.order[i]]
		f := k.f
		if f.Kind != ir.FuncDevice || f.Linkage != ir.LinkLocal || k.named || k.calls > 0 || k.removed {
			continue
		}
		if !in.c.May() {
			return changed
		}
		in.c.Touched(k.f)
		in.remove(k)
		changed = true
	}
	return changed
}

// remove takes a function that is not called out of the module.
func (in *inliner) remove(k *calleeInfo) {
	f := k.f
	k.removed = true
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if g := in.m.Symbol(symbolOf(op)).Func; g != nil && op.Code == builtin.Call {
				in.info[g].calls--
			}
		}
	}
	for n, x := range in.m.Funcs {
		if x == f {
			in.m.Funcs = append(in.m.Funcs[:n:n], in.m.Funcs[n+1:]...)
			break
		}
	}
	in.c.Count(1, 1)
}
