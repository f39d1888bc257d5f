package passes

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// counter is an induction variable: an argument of a loop's header that grows
// by a step from iteration to iteration, modulo its width.
type counter struct {
	arg  *ir.Value
	init *ir.Value // from the preheader
	next *ir.Op    // arg + step, along the back edge
	step *ir.Value // invariant
}

// edgesOf returns the edges into the header of a simplified loop: from the
// preheader and from the latch.
func edgesOf(lp *analysis.Loop) (enter, back *ir.Edge) {
	for e := lp.Header.FirstPred(); e != nil; e = e.NextPred() {
		if lp.Contains(e.From()) {
			back = e
		} else {
			enter = e
		}
	}
	return enter, back
}

// counterOf returns the counter that argument i of lp's header is, if it is.
func counterOf(lp *analysis.Loop, i int) (c counter, ok bool) {
	enter, back := edgesOf(lp)
	c.arg, c.init = lp.Header.Arg(i), enter.Arg(i)
	c.next = back.Arg(i).Op()
	if c.next == nil || c.next.Code != pisa.IAdd || pisa.Has(c.next.Props, pisa.FDsat) || c.arg.Type.IsVector() {
		return c, false
	}
	a, b := c.next.Operand(0), c.next.Operand(1)
	if b == c.arg {
		a, b = b, a
	}
	c.step = b
	return c, a == c.arg && invariant(lp, b)
}

// invariant reports a value that is defined outside of lp.
func invariant(lp *analysis.Loop, v *ir.Value) bool { return !lp.Contains(v.Block()) }

// soleExit returns the only edge that leaves lp, nil if there are more or if
// the latch may be reached without asking there.
func soleExit(dom *ir.Dom, lp *analysis.Loop, exits []*ir.Edge) *ir.Edge {
	if len(exits) != 1 {
		return nil
	}
	e := exits[0]
	if e.Op().Code != builtin.CondBr || !dom.Dominates(e.From(), lp.Latch()) {
		return nil
	}
	return e
}

// tripCount returns how often the exit's block is executed, if that is a
// constant of at most limit; 0 if not. It is found out by counting.
func tripCount(lp *analysis.Loop, exit *ir.Edge, limit int) int {
	cmp := exit.Op().Operand(0).Op()
	if cmp == nil || cmp.Code != pisa.UCmp && cmp.Code != pisa.SCmp {
		return 0
	}
	// One side is a constant, the other a counter before or after its step.
	for side := range 2 {
		bound, ok := builtin.IsConst(cmp.Operand(1 - side))
		if !ok {
			continue
		}
		x := cmp.Operand(side)
		for i := range lp.Header.NumArgs() {
			c, ok := counterOf(lp, i)
			if !ok || x != c.arg && x != c.next.Result(0) {
				continue
			}
			v, ok1 := builtin.IsConst(c.init)
			step, ok2 := builtin.IsConst(c.step)
			if !ok1 || !ok2 {
				return 0
			}
			return countTrips(cmp, exit.Index() == 0, side, v, step, bound, x == c.next.Result(0), limit)
		}
	}
	return 0
}

// countTrips counts until the comparison is leave.
func countTrips(cmp *ir.Op, leave bool, side int, v, step, bound uint64, stepped bool, limit int) int {
	test := pisa.EvalFn(cmp.Code, cmp.Props)
	m := ^uint64(0) >> (64 - cmp.Operand(0).Type.TotalBits())
	for n := 1; n <= limit; n++ {
		x := v
		if stepped {
			x = (v + step) & m
		}
		a, b := x, bound
		if side == 1 {
			a, b = b, a
		}
		if r, _ := test(a, b, 0, 0); (r != 0) == leave {
			return n
		}
		v = (v + step) & m
	}
	return 0
}
