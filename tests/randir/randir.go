// Package randir makes random functions for the tests of analyses and passes,
// and runs one work-item of them directly on the IR.
//
// In: a source of choices. Out: a verified module whose function @f takes two
// 32-bit and one 64-bit number and an address, reads and writes memory behind
// the address and a private variable, branches, loops and calls @g. Promised:
// the semantics of ops is pisa.EvalFn, nothing is folded or cached, so that
// running a function before and after a pass tells whether the pass is right.
package randir

import (
	"pgregory.net/rapid"

	"pisac/dialects"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Sig is the parameters of @f.
var Sig = []ir.Type{ir.B32, ir.B32, ir.B64, ir.B64}

type generator struct {
	t      *rapid.T
	m      *ir.Module
	f      *ir.Func
	g      *ir.Func // callee, nil if none
	priv   *ir.Var
	base   *ir.Value // address of memory that everyone sees
	lanes  bool      // memory of each lane's own, and ops that depend on the active lanes
	bl     ir.Builder
	dom    ir.Dom
	values map[ir.Type][]*ir.Value // visible at the insertion point
}

// Module draws a module.
func Module(t *rapid.T) *ir.Module {
	m := ir.NewModule(dialects.All(), &ir.Sources{})
	g := m.NewFunc("g", ir.FuncDevice)
	g.Sig, g.Ret = []ir.Type{ir.B32, ir.B64}, ir.B32
	fill(t, m, g, nil, 4, false)
	f := m.NewFunc("f", ir.FuncDevice)
	f.Sig, f.Ret, f.Linkage = Sig, ir.B32, ir.LinkExport
	fill(t, m, f, g, 9, false)
	return m
}

// Kernel draws a module whose @k is a kernel with parameters as Sig says, all
// loaded in the entry block; lanes differ by %laneid.
func Kernel(t *rapid.T) *ir.Module { return kernel(t, false) }

// Lanes draws a kernel like Kernel whose lanes have memory of their own, so
// that it makes no difference which lanes run first, and ops that depend on
// which lanes are active.
func Lanes(t *rapid.T) *ir.Module { return kernel(t, true) }

func kernel(t *rapid.T, lanes bool) *ir.Module {
	m := ir.NewModule(dialects.All(), &ir.Sources{})
	g := m.NewFunc("g", ir.FuncDevice)
	g.Sig, g.Ret = []ir.Type{ir.B32, ir.B64}, ir.B32
	fill(t, m, g, nil, 3, false)
	k := m.NewFunc("k", ir.FuncKernel)
	for i, ty := range Sig {
		k.Params = append(k.Params, ir.Param{Name: string(rune('a' + i)), Size: uint32(ty.TotalBits() / 8), Align: 8})
	}
	k.Params[len(Sig)-1].Space = ir.SpaceGlobal
	fill(t, m, k, g, 9, lanes)
	return m
}

func (g *generator) pick(n int) int { return rapid.IntRange(0, n-1).Draw(g.t, "pick") }

// fill gives f a body. First the graph and its arguments, then, in dominator
// order, ops that use what dominates them, at last what edges pass.
func fill(t *rapid.T, m *ir.Module, f, callee *ir.Func, blocks int, lanes bool) {
	g := &generator{t: t, m: m, f: f, g: callee, lanes: lanes}
	g.priv = m.NewVar("P", ir.SpacePrivate, f)
	g.priv.Size, g.priv.Align = 16, 4
	entry := f.NewBlock()
	for _, ty := range f.Sig {
		entry.AddArg(ty)
	}
	var params []*ir.Value
	if f.Kind == ir.FuncKernel {
		g.bl.AtEnd(entry)
		for i, ty := range Sig {
			d := pisa.T32b
			if ty == ir.B64 {
				d = pisa.T64b
			}
			params = append(params, g.bl.ValueAux(pisa.LdParam, pisa.FType.Put(uint64(d)), ir.Aux(i+1), ty))
		}
		g.base = params[len(params)-1]
		lane := g.bl.Value(pisa.ReadSReg, pisa.FOp.Put(uint64(pisa.SLaneID)), ir.B32)
		lt := pisa.FType.Put(uint64(pisa.T32b)) | pisa.FOp.Put(uint64(pisa.LT))
		odd := g.bl.Value(pisa.UCmp, lt, ir.Pred, lane, params[g.pick(2)])
		params = append(params, lane, odd)
		if lanes {
			wide := g.bl.Value(pisa.ZExt, pisa.FType.Put(uint64(pisa.T64b))|pisa.FFrom.Put(uint64(pisa.T32b)), ir.B64, lane)
			w := pisa.FType.Put(uint64(pisa.T64b))
			own := g.bl.Value(pisa.UMul, w, ir.B64, wide, builtin.ConstInt(&g.bl, ir.B64, 64))
			g.base = g.bl.Value(pisa.IAdd, w, ir.B64, g.base, own)
		}
	} else {
		g.base = entry.Arg(len(f.Sig) - 1)
	}
	list := []*ir.Block{entry}
	for range g.pick(blocks) + 1 {
		b := f.NewBlock()
		for range g.pick(3) {
			b.AddArg([]ir.Type{ir.B32, ir.B32, ir.B64, ir.Pred, ir.B16}[g.pick(5)])
		}
		list = append(list, b)
	}
	// Terminators with placeholders, so that there is a graph to dominate.
	type term struct{ to []int }
	terms := make([]term, len(list))
	for i := range list {
		n := g.pick(4)
		switch {
		case n == 0 && i > 0:
		case n == 1 || i == len(list)-1 && n > 2:
			terms[i].to = []int{1 + g.pick(len(list)-1)}
		default:
			terms[i].to = []int{1 + g.pick(len(list)-1), min(i+1, len(list)-1)}
		}
	}
	scratch := ir.NewModule(m.Reg, nil).NewFunc("s", ir.FuncDevice)
	var sb []*ir.Block
	for range list {
		sb = append(sb, scratch.NewBlock())
	}
	for i := range terms {
		g.bl.AtEnd(sb[i])
		var ts []ir.Target
		for _, k := range terms[i].to {
			ts = append(ts, ir.Target{To: sb[k]})
		}
		switch len(ts) {
		case 0:
			builtin.Ret(&g.bl, nil)
		case 1:
			builtin.Jump(&g.bl, ts[0].To)
		default:
			c := builtin.ConstPred(&g.bl, true)
			builtin.Branch(&g.bl, c, ts[0], ts[1])
		}
	}
	g.dom.Compute(scratch)
	defs := make([][]*ir.Value, len(list))
	defs[0] = params
	reached := make([]bool, len(list))
	visible := func(i int) {
		g.values = map[ir.Type][]*ir.Value{}
		for b := sb[i]; b != nil; b = g.dom.Idom(b) {
			for _, v := range list[b.ID].Args() {
				g.values[v.Type] = append(g.values[v.Type], v)
			}
			for _, v := range defs[b.ID] {
				g.values[v.Type] = append(g.values[v.Type], v)
			}
		}
	}
	for _, s := range g.dom.RPO() {
		i := int(s.ID)
		reached[i] = true
		visible(i)
		g.bl.AtEnd(list[i])
		for range g.pick(6) {
			if v := g.op(); v != nil {
				defs[i] = append(defs[i], v)
				g.values[v.Type] = append(g.values[v.Type], v)
			}
		}
	}
	for i, b := range list {
		g.bl.AtEnd(b)
		if reached[i] {
			visible(i)
		} else {
			g.values = map[ir.Type][]*ir.Value{}
		}
		var ts []ir.Target
		for _, k := range terms[i].to {
			tgt := ir.Target{To: list[k]}
			for _, v := range list[k].Args() {
				tgt.Args = append(tgt.Args, g.value(v.Type))
			}
			ts = append(ts, tgt)
		}
		switch len(ts) {
		case 0:
			if f.Kind == ir.FuncKernel {
				builtin.Ret(&g.bl, nil)
				break
			}
			builtin.Ret(&g.bl, g.value(ir.B32))
		case 1:
			builtin.Jump(&g.bl, ts[0].To, ts[0].Args...)
		default:
			builtin.Branch(&g.bl, g.value(ir.Pred), ts[0], ts[1])
		}
	}
}

var interesting = []uint64{0, 1, 2, 3, 4, 7, 8, 31, 32, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 1 << 63, ^uint64(0), 0x3f800000, 0x7fc00000}

// value returns a visible value of type t, or a constant.
func (g *generator) value(t ir.Type) *ir.Value {
	if vs := g.values[t]; len(vs) > 0 && g.pick(5) > 0 {
		return vs[len(vs)-1-g.pick(min(len(vs), 8))]
	}
	return builtin.ConstInt(&g.bl, t, interesting[g.pick(len(interesting))])
}

// op draws one op and returns its result, nil if it has none.
func (g *generator) op() *ir.Value {
	w := g.pick(3)
	t := []ir.Type{ir.B32, ir.B64, ir.B16}[w]
	p := pisa.FType.Put(uint64([]pisa.DType{pisa.T32b, pisa.T64b, pisa.T16b}[w]))
	v := func(t ir.Type) *ir.Value { return g.value(t) }
	switch n := g.pick(40); {
	case n < 10:
		code := []ir.Code{pisa.IAdd, pisa.ISub, pisa.UMul, pisa.And, pisa.Or, pisa.Xor, pisa.SMin, pisa.UMax, pisa.SMax, pisa.UMin}[n]
		if n < 2 && g.pick(6) == 0 {
			p |= pisa.FDsat.Put(1)
		}
		return g.bl.Value(code, p, t, v(t), v(t))
	case n < 13:
		return g.bl.Value([]ir.Code{pisa.Shl, pisa.Shr, pisa.Asr}[n-10], p, t, v(t), v(ir.B32))
	case n < 15:
		p |= pisa.FOp.Put(uint64(g.pick(2)))
		return g.bl.Value([]ir.Code{pisa.UDiv, pisa.SDiv}[n-13], p, t, v(t), v(t))
	case n < 18:
		return g.bl.Value([]ir.Code{pisa.Not, pisa.INeg, pisa.IAbs}[n-15], p, t, v(t))
	case n < 20:
		return g.bl.Value([]ir.Code{pisa.UMad, pisa.SMad}[n-18], p, t, v(t), v(t), v(t))
	case n < 24:
		p |= pisa.FOp.Put(uint64(g.pick(6)))
		return g.bl.Value([]ir.Code{pisa.UCmp, pisa.SCmp}[n%2], p, ir.Pred, v(t), v(t))
	case n < 26:
		return g.bl.Value(pisa.Sel, p, t, v(t), v(t), v(ir.Pred))
	case n == 26:
		return g.bl.Value(pisa.ZExt, pisa.FType.Put(uint64(pisa.T64b))|pisa.FFrom.Put(uint64(pisa.T32b)), ir.B64, v(ir.B32))
	case n == 27:
		return g.bl.Value(pisa.SExt, pisa.FType.Put(uint64(pisa.T32b))|pisa.FFrom.Put(uint64(pisa.T16b)), ir.B32, v(ir.B16))
	case n == 28:
		return g.bl.Value(pisa.Trunc, pisa.FType.Put(uint64(pisa.T32b))|pisa.FFrom.Put(uint64(pisa.T64b)), ir.B32, v(ir.B64))
	case n == 29:
		return g.bl.Value(pisa.Trunc, pisa.FType.Put(uint64(pisa.T16b))|pisa.FFrom.Put(uint64(pisa.T32b)), ir.B16, v(ir.B32))
	case n == 30:
		return g.bl.Value([]ir.Code{pisa.Ubfe, pisa.Sbfe}[w%2], pisa.FType.Put(uint64(pisa.T32b)), ir.B32, v(ir.B32), v(ir.B32), v(ir.B32))
	case n == 31:
		p = pisa.FType.Put(uint64(pisa.F))
		return g.bl.Value([]ir.Code{pisa.FAdd, pisa.FMul, pisa.FMax}[w], p, ir.B32, v(ir.B32), v(ir.B32))
	case n > 36 && g.lanes:
		if w == 0 {
			return g.bl.Value(pisa.RedFirstIdx, pisa.FType.Put(uint64(pisa.T32b)), ir.B32, v(ir.B32))
		}
		return g.bl.Value(pisa.ReadSReg, pisa.FOp.Put(uint64(pisa.SActiveMask)), ir.B32)
	case n == 33 && g.f.Kind == ir.FuncKernel:
		r := []pisa.SReg{pisa.SLaneID, pisa.SWorkDim, pisa.SLaneID}[w]
		return g.bl.Value(pisa.ReadSReg, pisa.FOp.Put(uint64(r)), ir.B32)
	case n == 32 && g.g != nil:
		at := v(ir.B64)
		if g.lanes { // the callee accesses memory there
			at = g.base
		}
		return builtin.CallFunc(&g.bl, g.g, v(ir.B32), at)
	}
	return g.memory()
}

// memory draws a load, store or fence: behind the address, the last parameter,
// or in the private variable, at one of a few offsets.
func (g *generator) memory() *ir.Value {
	p := pisa.FType.Put(uint64(pisa.T32b))
	off := uint64(4 * g.pick(3))
	var addr *ir.Value
	if g.pick(3) == 0 {
		base := g.bl.ValueAux(pisa.AddrOf, p, g.priv.Symbol(), ir.B32)
		addr = g.bl.Value(pisa.IAdd, p, ir.B32, base, builtin.ConstInt(&g.bl, ir.B32, off))
		p |= pisa.FSpace.Put(uint64(ir.SpacePrivate))
	} else {
		base := g.base
		addr = g.bl.Value(pisa.IAdd, pisa.FType.Put(uint64(pisa.T64b)), ir.B64, base, builtin.ConstInt(&g.bl, ir.B64, off))
		p |= pisa.FSpace.Put(uint64(ir.SpaceGlobal))
	}
	switch g.pick(7) {
	case 0, 1, 2:
		g.bl.Op(pisa.St, p, addr, g.value(ir.B32))
		return nil
	case 3:
		g.bl.Op(pisa.Fence, pisa.FSpace.Put(uint64(ir.SpaceGlobal))|pisa.FOrder.Put(uint64(pisa.AcqRel))|pisa.FScope.Put(uint64(pisa.GPU)))
		return nil
	}
	return g.bl.Value(pisa.Ld, p, ir.B32, addr)
}
