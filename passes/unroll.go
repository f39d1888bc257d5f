package passes

import (
	"pisac/ir"
	"pisac/passes/analysis"
)

// Loop unrolling.
//
//	^h(%i: 32b): … %j = iadd %i, 1; ucmp.lt %j, 4; cond_br ^h(%j), ^out
//	=> four copies of the body one behind the other, no loop
//	or, the number of iterations not being known,
//	=> copies of the body, each with its test, in a loop
//
// An innermost loop with one exit is unrolled wholly if the number of
// iterations is a small constant, else by the factor if it is small. Copies of
// ops that depend on the active lanes are made in the first case only, where
// all lanes run all of them.
var unrollPass = &Pass{
	Name: "unroll", Doc: "Copy the bodies of small loops.",
	Options: []Option{
		{Name: "full", Doc: "most ops of all copies if no loop remains", Default: 256},
		{Name: "factor", Doc: "copies of the body if a loop remains; 1: none", Default: 4, Max: 16},
		{Name: "size", Doc: "most ops of a body copied by the factor", Default: 24},
	},
	Stats: []string{"loops unrolled wholly", "loops unrolled by the factor"},
	Needs: PISA | LoopSimplified, Breaks: LoopSimplified,
	Func: unroll,
}

// maxTrips is the greatest number of iterations that is looked for.
const maxTrips = 64

func unroll(c *Ctx, f *ir.Func) bool {
	loops, dom := c.Loops(), c.Dom()
	exits := loops.ExitEdges()
	changed := false
	for i, lp := range loops.All() {
		if !lp.Innermost() || lp.Irreducible || lp.Preheader() == nil || lp.Latch() == nil {
			continue
		}
		exit := soleExit(dom, lp, exits[i])
		if exit == nil {
			continue
		}
		size, lanes := 0, false
		for _, b := range lp.Blocks() {
			for op := b.First(); op != nil; op = op.Next() {
				size += min(opCost(op), 1)
				lanes = lanes || readsActive(op)
			}
		}
		u := unroller{f: f, lp: lp, exit: exit, latch: lp.Latch()}
		n := tripCount(lp, exit, maxTrips)
		switch {
		case n > 0 && n*size <= c.Opt(0):
			if !c.May() {
				return changed
			}
			u.full(n)
			c.Count(0, 1)
			c.Remark(Passed, "FullyUnrolled", f, lp.Header.Loc, "loop of %d iterations unrolled", n)
		case n == 0 && c.Opt(1) > 1 && size <= c.Opt(2) && !lanes && exit.To().NumPreds() == 1:
			if !c.May() {
				return changed
			}
			u.partial(c.Opt(1))
			c.Count(1, 1)
			c.Remark(Passed, "Unrolled", f, lp.Header.Loc, "loop unrolled by %d", c.Opt(1))
		default:
			continue
		}
		changed = true
	}
	if changed {
		f.EraseBlocks(unreachable(f)...)
	}
	return changed
}

type unroller struct {
	f      *ir.Func
	lp     *analysis.Loop
	exit   *ir.Edge
	latch  *ir.Block
	after  *ir.Block // the block behind the last copy, nil at the end
	copies []loopCopy
}

// loopCopy is one copy of a loop's blocks; the zero one is the loop itself.
type loopCopy struct {
	blocks map[*ir.Block]*ir.Block
	values map[*ir.Value]*ir.Value
}

func (l *loopCopy) block(b *ir.Block) *ir.Block {
	if n := l.blocks[b]; n != nil {
		return n
	}
	return b
}

func (l *loopCopy) translate(vs []*ir.Value) []*ir.Value {
	out := make([]*ir.Value, len(vs))
	for i, v := range vs {
		out[i] = mapped(l.values, v)
	}
	return out
}

// full makes n copies, counting the loop itself, and no loop remains.
func (u *unroller) full(n int) {
	out, outArgs, stay := u.exit.To(), passed(u.exit), 1-u.exit.Index()
	test := u.exit.From()
	first := uint32(u.f.NumBlockIDs())
	u.makeCopies(n)
	last := &u.copies[n-1]
	u.eachOutsideUse(first, func(x *ir.Operand) { x.Set(mapped(last.values, x.Value())) })
	outArgs = last.translate(outArgs)
	for k := range u.copies {
		b := u.copies[k].block(test)
		if k == n-1 {
			jumpInstead(b, out, outArgs)
		} else {
			e := b.Last().Succ(stay)
			jumpInstead(b, e.To(), passed(e))
		}
	}
	for k := range n - 1 {
		u.lead(k, u.copies[k+1].block(u.lp.Header), nil)
	}
}

// partial makes n copies in a loop, each with its test.
func (u *unroller) partial(n int) {
	// What is used outside is an argument of the exit, as it may come from any
	// copy.
	out := u.exit.To()
	args := map[*ir.Value]*ir.Value{}
	u.eachOutsideUse(uint32(u.f.NumBlockIDs()), func(x *ir.Operand) {
		v := x.Value()
		a := args[v]
		if a == nil {
			a = out.AddArg(v.Type)
			args[v] = a
			u.exit.AppendArg(v)
		}
		x.Set(a)
	})
	_, back := edgesOf(u.lp)
	again := passed(back)
	u.makeCopies(n)
	for k := range n - 1 {
		u.lead(k, u.copies[k+1].block(u.lp.Header), nil)
	}
	u.lead(n-1, u.lp.Header, u.copies[n-1].translate(again))
}

// eachOutsideUse calls fn with the uses of the loop's values in blocks that
// are neither of the loop nor numbered from first on; with each once, although
// fn may put another of the loop's values there.
func (u *unroller) eachOutsideUse(first uint32, fn func(*ir.Operand)) {
	var uses []*ir.Operand
	visit := func(v *ir.Value) {
		for x := v.FirstUse(); x != nil; x = x.NextUse() {
			if b := x.User().Block(); b.ID < first && !u.lp.Contains(b) {
				uses = append(uses, x)
			}
		}
	}
	for _, b := range u.lp.Blocks() {
		for _, v := range b.Args() {
			visit(v)
		}
		for op := b.First(); op != nil; op = op.Next() {
			for i := range op.NumResults() {
				visit(op.Result(i))
			}
		}
	}
	for _, x := range uses {
		fn(x)
	}
}

// makeCopies clones the loop n-1 times. The header of a clone has no
// arguments: they are what the copy before passes back. Back edges of clones
// lead to their own header until lead.
func (u *unroller) makeCopies(n int) {
	_, back := edgesOf(u.lp)
	again := passed(back)
	blocks := u.lp.Blocks()
	u.after = blocks[len(blocks)-1].Next()
	u.copies = make([]loopCopy, 1, n)
	for k := 1; k < n; k++ {
		c := loopCopy{blocks: map[*ir.Block]*ir.Block{}, values: map[*ir.Value]*ir.Value{}}
		for i, v := range u.copies[k-1].translate(again) {
			c.values[u.lp.Header.Arg(i)] = v
		}
		u.clone(&c)
		u.copies = append(u.copies, c)
	}
}

func (u *unroller) clone(c *loopCopy) {
	for _, b := range u.lp.Blocks() {
		n := u.f.NewBlockBefore(u.after)
		n.Loc = b.Loc
		c.blocks[b] = n
		if b == u.lp.Header {
			continue
		}
		for _, a := range b.Args() {
			c.values[a] = n.AddArg(a.Type)
		}
	}
	for _, b := range u.lp.Blocks() { // innermost: in reverse postorder
		var bl ir.Builder
		bl.AtEnd(c.blocks[b])
		for op := b.First(); op != b.Last(); op = op.Next() {
			cloneOp(&bl, op, c.values)
		}
		t := cloneTerm(&bl, b.Last(), c.values, c.blocks)
		for i := range t.NumSuccs() {
			if e := t.Succ(i); e.To() == c.blocks[u.lp.Header] {
				dropArgs(e)
			}
		}
	}
}

func dropArgs(e *ir.Edge) {
	for e.NumArgs() > 0 {
		e.RemoveArg(e.NumArgs() - 1)
	}
}

// lead makes the back edge of copy k lead to block to.
func (u *unroller) lead(k int, to *ir.Block, args []*ir.Value) {
	c := &u.copies[k]
	t := c.block(u.latch).Last()
	for i := range t.NumSuccs() {
		e := t.Succ(i)
		if e.To() != c.block(u.lp.Header) {
			continue
		}
		dropArgs(e)
		e.SetTo(to)
		for _, v := range args {
			e.AppendArg(v)
		}
		return
	}
}
