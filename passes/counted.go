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

// recurrence is an argument of a loop's header that starts as a constant, and
// whose next value is computed from it and constants.
type recurrence struct {
	arg  *ir.Value
	init uint64
	next *ir.Op
}

func recurrenceOf(lp *analysis.Loop, i int) (r recurrence, ok bool) {
	enter, back := edgesOf(lp)
	r.arg, r.next = lp.Header.Arg(i), back.Arg(i).Op()
	if r.init, ok = builtin.IsConst(enter.Arg(i)); !ok || r.next == nil || r.arg.Type.TotalBits() > 64 || r.next.NumOperands() > 4 {
		return r, false
	}
	uses := false
	for k := range r.next.NumOperands() {
		v := r.next.Operand(k)
		if _, c := pisa.ConstBits(v); v == r.arg {
			uses = true
		} else if !c {
			return r, false
		}
	}
	return r, uses && r.next.NumResults() == 1 && pisa.EvalFn(r.next.Code, r.next.Props) != nil
}

// stepper computes the next value from the last.
func (r *recurrence) stepper() func(uint64) uint64 {
	fn := pisa.EvalFn(r.next.Code, r.next.Props)
	var x [4]uint64
	var is [4]bool
	for k := range r.next.NumOperands() {
		x[k], _ = pisa.ConstBits(r.next.Operand(k))
		is[k] = r.next.Operand(k) == r.arg
	}
	return func(v uint64) uint64 {
		y := x
		for k := range y {
			if is[k] {
				y[k] = v
			}
		}
		n, _ := fn(y[0], y[1], y[2], y[3])
		return n
	}
}

// tripCount returns how often the exit's block is executed, if that is a
// constant of at most limit; 0 if not. It is found out by counting.
func tripCount(lp *analysis.Loop, exit *ir.Edge, limit int) int {
	cmp := exit.Op().Operand(0).Op()
	if cmp == nil || cmp.NumOperands() != 2 || pisa.EvalFn(cmp.Code, cmp.Props) == nil {
		return 0
	}
	// One side is a constant, the other a recurrence before or after its step.
	for side := range 2 {
		bound, ok := pisa.ConstBits(cmp.Operand(1 - side))
		if !ok {
			continue
		}
		x := cmp.Operand(side)
		for i := range lp.Header.NumArgs() {
			r, ok := recurrenceOf(lp, i)
			if !ok || x != r.arg && x != r.next.Result(0) {
				continue
			}
			return countTrips(cmp, exit.Index() == 0, side, &r, bound, limit)
		}
	}
	return 0
}

// countTrips counts until the comparison is leave.
func countTrips(cmp *ir.Op, leave bool, side int, r *recurrence, bound uint64, limit int) int {
	test, step := pisa.EvalFn(cmp.Code, cmp.Props), r.stepper()
	v := r.init
	for n := 1; n <= limit; n++ {
		next := step(v)
		a, b := v, bound
		if cmp.Operand(side) != r.arg {
			a = next
		}
		if side == 1 {
			a, b = b, a
		}
		if r, _ := test(a, b, 0, 0); (r != 0) == leave {
			return n
		}
		v = next
	}
	return 0
}
