package canon

import (
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/rewrite"
)

// Addresses. A base is folded only where the sum wraps as the hardware's does:
// in the width of an address of the space.
var address = append(table{
	{Name: "addrcast-global", Root: pisa.AddrCast, Doc: "global and generic addresses are one number: addrcast.global.generic(x) => x", Apply: func(w rw, op *ir.Op) bool {
		return pisa.SpaceOf(op.Props) == ir.SpaceGlobal && to(w, op, op.Operand(0))
	}},
	{Name: "addrcast-addrcast", Root: pisa.AddrCast, Doc: "addrcast.s.generic(addrcast.generic.s(x)) => x", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.AddrCast)
		return in != nil && pisa.SpaceOf(op.Props) == pisa.FromSpaceOf(in.Props) && to(w, op, in.Operand(0))
	}},
	{Name: "addrcast-sum", Root: pisa.AddrCast, Doc: "addrcast.s.generic(addrcast.generic.s(x) + c) => x + c, within the object", Apply: castSum},
	{Name: "isaddr-addrcast", Root: pisa.IsAddr, Doc: "isaddr.s(addrcast.generic.s(x)) => true, of another space => false", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.AddrCast)
		if in == nil {
			return false
		}
		from := pisa.FromSpaceOf(in.Props)
		if from == ir.SpaceConst { // constant memory counts as global
			from = ir.SpaceGlobal
		}
		return toConst(w, op, truth(op, pisa.SpaceOf(op.Props) == from))
	}},
	{Name: "sreg-subgroupsize", Root: pisa.ReadSReg, Doc: "%subgroupsize => 32", Apply: func(w rw, op *ir.Op) bool {
		return pisa.SReg(pisa.OpOf(op.Props)) == pisa.SSubgroupSize && toConst(w, op, 32)
	}},
}, memory()...)

// memory makes the address rules of each op with an address.
func memory() table {
	var t table
	for i := range pisa.Table {
		r := &pisa.Table[i]
		if r.Code == 0 || r.Effects&(ir.ReadsMem|ir.WritesMem) == 0 || len(r.Forms[0].Args) == 0 {
			continue
		}
		t = append(t,
			rule(r, "-base-constant", "[(x + c) + d] => [x + (c + d)]", foldBase),
			rule(r, "-offset-zero", "[x + 0] => [x]", offsetZero),
			rule(r, "-base-sum", "[x + sext(y)] => [x + y], a 32-bit offset", foldExtended),
		)
	}
	return append(t, rule(pisa.RowOf(pisa.Ld), "-generic-cast", "ld.generic [addrcast.generic.s(x) + d] => ld.s [x + d], weak", inferSpace),
		rule(pisa.RowOf(pisa.St), "-generic-cast", "st.generic [addrcast.generic.s(x) + d] => st.s [x + d], weak", inferSpace))
}

func rule(r *pisa.Row, name, doc string, apply func(rw, *ir.Op) bool) rewrite.Rule {
	return rewrite.Rule{Name: r.Name + name, Root: r.Code, Doc: doc, Apply: apply}
}

// addressOf returns the index of the base operand of an op with an address, and
// whether an offset follows.
func addressOf(op *ir.Op) (base int, offset bool) {
	return op.Def().Addr - 1, ir.HasOffset.Get(op.Props) != 0
}

// setAddress replaces the address of op; off may be nil.
func setAddress(w rw, op *ir.Op, base, off *ir.Value) {
	at, had := addressOf(op)
	w.SetOperand(op, at, base)
	switch {
	case had && off != nil:
		w.SetOperand(op, at+1, off)
	case had:
		w.Release(op.Operand(at + 1))
		op.RemoveOperand(at + 1)
		op.Props = ir.HasOffset.Set(op.Props, 0)
	case off != nil:
		op.InsertOperand(at+1, off)
		op.Props = ir.HasOffset.Set(op.Props, 1)
	}
}

// signExtended returns a constant offset as a number of the base's width.
func signExtended(v *ir.Value) (int64, bool) {
	c, ok := pisa.ConstBits(v)
	if v.Type == ir.B32 {
		return int64(int32(c)), ok
	}
	return int64(c), ok
}

func foldBase(w rw, op *ir.Op) bool {
	at, offset := addressOf(op)
	in := def(op, at, pisa.IAdd)
	if in == nil || has(in, pisa.FDsat) {
		return false
	}
	c, ok := val(in, 1)
	sum := int64(c)
	if offset {
		d, ok2 := signExtended(op.Operand(at + 1))
		sum, ok = sum+d, ok && ok2
	}
	if !ok || !w.Commit() {
		return false
	}
	setAddress(w, op, in.Operand(0), w.Const(in.Operand(0).Type, uint64(sum)&onesOf(in.Operand(0).Type)))
	return true
}

func offsetZero(w rw, op *ir.Op) bool {
	at, offset := addressOf(op)
	if !offset || !isVal(op, at+1, 0) || !w.Commit() {
		return false
	}
	setAddress(w, op, op.Operand(at), nil)
	return true
}

func foldExtended(w rw, op *ir.Op) bool {
	at, offset := addressOf(op)
	in := once(op, at, pisa.IAdd)
	if offset || in == nil || in.Operand(0).Type != ir.B64 {
		return false
	}
	for i := range 2 {
		x := def(in, i, pisa.SExt)
		if x != nil && x.Operand(0).Type == ir.B32 && w.Commit() {
			setAddress(w, op, in.Operand(1-i), x.Operand(0))
			return true
		}
	}
	return false
}

// inferSpace gives a weak generic access the space its address was cast from.
func inferSpace(w rw, op *ir.Op) bool {
	at, offset := addressOf(op)
	if pisa.SpaceOf(op.Props) != ir.SpaceGeneric || pisa.OrderOf(op.Props) != pisa.Weak {
		return false
	}
	in := def(op, at, pisa.AddrCast)
	if in == nil {
		return false
	}
	space := pisa.FromSpaceOf(in.Props)
	if space == ir.SpaceConst && op.Code == pisa.St || space == ir.SpaceShared && pisa.FCache.Get(op.Props) != 0 {
		return false
	}
	var off *ir.Value
	if offset {
		off = op.Operand(at + 1)
	}
	if offset && space.AddrBits() == 32 && off.Type == ir.B64 {
		// The access stays within the variable, so that the sum's high half is
		// the aperture's.
		c, ok := pisa.ConstBits(off)
		if !ok || !w.Commit() {
			return false
		}
		off = w.Const(ir.B32, c&0xffffffff)
	} else if !w.Commit() {
		return false
	}
	setAddress(w, op, in.Operand(0), off)
	op.Props = pisa.FSpace.Set(op.Props, uint64(space))
	return true
}

// castSum undoes a round trip of a 32-bit address with a constant step.
func castSum(w rw, op *ir.Op) bool {
	sum := def(op, 0, pisa.IAdd)
	if sum == nil || has(sum, pisa.FDsat) || op.Result(0).Type != ir.B32 {
		return false
	}
	in := def(sum, 0, pisa.AddrCast)
	c, ok := val(sum, 1)
	if in == nil || !ok || pisa.FromSpaceOf(in.Props) != pisa.SpaceOf(op.Props) {
		return false
	}
	if !w.Commit() {
		return false
	}
	w.Replace(op, w.Value(pisa.IAdd, typed(pisa.T32b), ir.B32, in.Operand(0), w.Const(ir.B32, c&0xffffffff)))
	return true
}
