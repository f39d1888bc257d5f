package passes

import (
	"slices"

	"pisac/dialects/builtin"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Loop simplification: the shape that loop passes need.
//
//	two edges enter the header   =>  they meet in a new block, the preheader
//	two back edges               =>  they meet in a new block, the latch
//	an exit is entered from elsewhere too  =>  a new block for the loop's edges
//
// The new blocks are empty but for a jump.
var loopSimplifyPass = &Pass{
	Name: "loop-simplify", Doc: "Give every loop a preheader, one latch and exits of its own.",
	Stats: []string{"preheaders", "latches", "exits"},
	Needs: PISA, Gives: LoopSimplified, Keeps: analysis.KeepBits,
	Func: loopSimplify,
}

func loopSimplify(c *Ctx, f *ir.Func) bool {
	changed := false
	for stat, phase := range []func(*Ctx, *analysis.Loop, []*ir.Edge) (int, bool){preheader, latch, ownExits} {
		loops := c.Loops()
		var exits [][]*ir.Edge
		if stat == 2 {
			exits = loops.ExitEdges()
		}
		made := 0
		for i := len(loops.All()) - 1; i >= 0; i-- { // inner loops first
			var out []*ir.Edge
			if exits != nil {
				out = exits[i]
			}
			n, ok := phase(c, loops.All()[i], out)
			made += n
			if !ok {
				break
			}
		}
		c.Count(stat, made)
		if made > 0 {
			changed = true
			c.Invalidate(analysis.KeepBits)
		}
	}
	return changed
}

// preheader makes the edges that enter lp one.
func preheader(c *Ctx, lp *analysis.Loop, _ []*ir.Edge) (int, bool) {
	if lp.Preheader() != nil {
		return 0, true
	}
	var in []*ir.Edge
	for e := lp.Header.FirstPred(); e != nil; e = e.NextPred() {
		if !lp.Contains(e.From()) {
			in = append(in, e)
		}
	}
	return gather(c, in, lp.Header)
}

// latch makes the back edges of lp one.
func latch(c *Ctx, lp *analysis.Loop, _ []*ir.Edge) (int, bool) {
	var back []*ir.Edge
	for e := lp.Header.FirstPred(); e != nil; e = e.NextPred() {
		if lp.Contains(e.From()) {
			back = append(back, e)
		}
	}
	if len(back) < 2 {
		return 0, true
	}
	return gather(c, back, nil)
}

// ownExits makes the edges of lp to each block that other edges enter too
// meet before it.
func ownExits(c *Ctx, lp *analysis.Loop, exits []*ir.Edge) (n int, ok bool) {
	exits = slices.Clone(exits)
	slices.SortStableFunc(exits, func(a, b *ir.Edge) int { return int(a.To().ID) - int(b.To().ID) })
	for i := 0; i < len(exits); {
		k := i + 1
		for k < len(exits) && exits[k].To() == exits[i].To() {
			k++
		}
		if to := exits[i].To(); to.NumPreds() != k-i {
			made, ok := gather(c, exits[i:k], to)
			n += made
			if !ok {
				return n, false
			}
		}
		i = k
	}
	return n, true
}

// gather leads edges to one block through a new one, placed before pos, or
// behind the source of the last edge.
func gather(c *Ctx, edges []*ir.Edge, pos *ir.Block) (int, bool) {
	if !c.May() {
		return 0, false
	}
	to := edges[0].To()
	if pos == nil || pos == pos.Func().Entry() {
		pos = edges[len(edges)-1].From().Next()
	}
	b := to.Func().NewBlockBefore(pos)
	b.Loc = to.Loc
	var args []*ir.Value
	for _, a := range to.Args() {
		args = append(args, b.AddArg(a.Type))
	}
	for _, e := range edges {
		e.SetTo(b)
	}
	var bl ir.Builder
	bl.AtEnd(b)
	bl.Loc = edges[0].Op().Loc
	builtin.Jump(&bl, to, args...)
	return 1, true
}
