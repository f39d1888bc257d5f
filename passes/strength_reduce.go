package passes

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Strength reduction of multiples of loop counters.
//
//	^h(%i: 32b): … %m = pisa.umul.32b %i, %k : 32b … %i+%s along the back edge
//	=> ^h(%i: 32b, %m: 32b): … %m + %k·%s along the back edge
//
// The sum of the multiple and its step is the multiple of the next counter,
// modulo the width, whatever the numbers: nothing can overflow wrongly. %k and
// %s do not change in the loop; their product is computed before it.
var strengthReducePass = &Pass{
	Name: "strength-reduce", Doc: "Turn multiples of loop counters into sums.",
	Stats: []string{"products replaced"},
	Needs: PISA | LoopSimplified, Keeps: analysis.KeepCFG,
	Func: strengthReduce,
}

func strengthReduce(c *Ctx, f *ir.Func) bool {
	changed := false
	for _, lp := range c.Loops().All() {
		if lp.Preheader() == nil || lp.Latch() == nil {
			continue
		}
		for i := range lp.Header.NumArgs() {
			k, ok := counterOf(lp, i)
			if !ok || !selectable(k.arg.Type) {
				continue
			}
			for _, m := range multiples(lp, k.arg) {
				if !c.May() {
					return changed
				}
				reduceMultiple(lp, &k, m)
				c.Count(0, 1)
				changed = true
			}
		}
	}
	return changed
}

// multiples returns the products of v and what does not change in lp.
func multiples(lp *analysis.Loop, v *ir.Value) (out []*ir.Op) {
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		op := u.User()
		if op.Code != pisa.UMul && op.Code != pisa.SMul || pisa.Has(op.Props, pisa.FFull) || !lp.Contains(op.Block()) {
			continue
		}
		a, b := op.Operand(0), op.Operand(1)
		if b == v {
			a, b = b, a
		}
		if a == v && invariant(lp, b) {
			out = append(out, op)
		}
	}
	return out
}

// reduceMultiple makes m, a multiple of k, an argument of the loop's header.
func reduceMultiple(lp *analysis.Loop, k *counter, m *ir.Op) {
	enter, back := edgesOf(lp)
	factor := m.Operand(0)
	if factor == k.arg {
		factor = m.Operand(1)
	}
	var bl ir.Builder
	bl.Loc = m.Loc
	bl.Before(lp.Preheader().Last())
	init, step := product(&bl, m, k.init, factor), product(&bl, m, k.step, factor)
	arg := lp.Header.AddArg(m.Result(0).Type)
	bl.Before(back.Op())
	next := bl.Value(pisa.IAdd, pisa.FType.Put(pisa.FType.Get(m.Props)), arg.Type, arg, step)
	enter.AppendArg(init)
	back.AppendArg(next)
	m.Result(0).ReplaceUses(arg)
	m.Erase()
}

// product creates a·b with the qualifiers of m, or the constant.
func product(bl *ir.Builder, m *ir.Op, a, b *ir.Value) *ir.Value {
	x, ok1 := builtin.IsConst(a)
	y, ok2 := builtin.IsConst(b)
	if ok1 && ok2 {
		return builtin.ConstInt(bl, a.Type, x*y)
	}
	return bl.Value(m.Code, m.Props, a.Type, a, b)
}
