package passes

import (
	"pisac/dialects/builtin"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Sinking: an op goes to where its value is needed.
//
//	%2 = pisa.umul.32b %0, %1 : 32b
//	builtin.cond_br %p, ^a, ^b        (%2 is used in ^a only)
//	=> %2 is computed in ^a
//
// The place is the nearest block that dominates all uses, not in a loop that
// the op is not in, and not one that is executed whenever the op is. Only ops
// that read nothing but their operands move, and none that depends on the
// active lanes.
var sinkPass = &Pass{
	Name: "sink", Doc: "Move ops into the arms of branches that need them.",
	Stats: []string{"ops moved"},
	Needs: PISA, Keeps: analysis.KeepCFG,
	Func: sink,
}

// sinkSteps bounds the walk up the dominator tree from a use.
const sinkSteps = 32

func sink(c *Ctx, f *ir.Func) bool {
	dom, loops, post := c.Dom(), c.Loops(), c.PostDom()
	rpo := dom.RPO()
	changed := false
	for i := len(rpo) - 1; i >= 0; i-- { // users before what they use
		b := rpo[i]
		if b.NumSuccs() == 0 {
			continue
		}
		for op := b.Last().Prev(); op != nil; {
			prev := op.Prev()
			if to := sinkTarget(op, b, dom, loops, post); to != nil {
				if !c.May() {
					return changed
				}
				op.MoveBefore(to.First())
				c.Count(0, 1)
				changed = true
			}
			op = prev
		}
	}
	return changed
}

// sinkTarget returns the block that op, of block b, goes to; nil if none.
func sinkTarget(op *ir.Op, b *ir.Block, dom *ir.Dom, loops *analysis.Loops, post *ir.PostDom) *ir.Block {
	if op.NumResults() == 0 || op.Code == builtin.Const || op.Code == builtin.ParallelCopy || !speculatable(op) {
		return nil
	}
	var to *ir.Block
	steps := sinkSteps
	for i := range op.NumResults() {
		for u := op.Result(i).FirstUse(); u != nil; u = u.NextUse() {
			at := u.User().Block()
			if at == b || !dom.Reachable(at) {
				return nil
			}
			if to == nil {
				to = at
			}
			for ; !dom.Dominates(to, at); to = dom.Idom(to) {
				if steps--; steps < 0 {
					return nil
				}
			}
			if steps--; to == b || steps < 0 {
				return nil
			}
		}
	}
	if to == nil {
		return nil
	}
	for { // out of loops that op is not in
		lp := loops.Of(to)
		if (lp == nil || lp.Contains(b)) && loops.Region(to) < 0 {
			break
		}
		if to = dom.Idom(to); to == b {
			return nil
		}
		if steps--; steps < 0 {
			return nil
		}
	}
	if post.PostDominates(to, b) && loops.Depth(to) == loops.Depth(b) {
		return nil
	}
	return to
}
