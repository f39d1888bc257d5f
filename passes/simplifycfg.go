package passes

import (
	"pisac/dialects/builtin"
	"pisac/ir"
)

// Control flow simplification.
//
//	^b: builtin.cond_br true, ^x, ^y          =>  builtin.br ^x
//	^b: … br ^c   (^c has no other entry)     =>  one block
//	^b: cond_br %p, ^x, ^z(%1)   ^x: br ^z(%2) =>  %3 = pisa.sel %2, %1, %p; br ^z(%3)
//
// Blocks that nothing leads to go, empty ones are skipped, arguments that are
// always the same value are replaced, and a block that only branches on a
// constant it was passed is jumped over. Arms are merged into selects only if
// every op may be speculated and few are. Jumping over a branch makes lanes
// meet later, and is not done in a function with ops that depend on the active
// lanes.
var simplifyCFGPass = &Pass{
	Name: "simplifycfg", Doc: "Merge and skip blocks, fold branches, turn small arms into selects.",
	Options: []Option{
		{Name: "arms", Doc: "greatest cost of arms that become selects", Default: 3},
		{Name: "returns", Doc: "return where a jump leads to a return; the last run does, as it hides arms", Words: []string{"0", "1"}},
	},
	Stats: []string{"unreachable blocks removed", "branches folded", "arguments replaced", "blocks merged", "empty blocks skipped", "branches turned into selects", "branches jumped over", "jumps to returns replaced"},
	Needs: PISA, Breaks: LoopSimplified,
	Func: simplifyCFG,
}

const (
	statUnreachable = iota
	statFolded
	statArgs
	statMerged
	statSkipped
	statSelects
	statThreaded
	statReturns
)

type cfgSimplifier struct {
	c          *Ctx
	f          *ir.Func
	work       []*ir.Block
	in, gone   []bool // by Block.ID
	header     []bool // by Block.ID: of a loop, before the pass
	convergent bool
	stopped    bool
	changed    bool
}

func simplifyCFG(c *Ctx, f *ir.Func) bool {
	n := f.NumBlockIDs()
	s := &cfgSimplifier{c: c, f: f, in: make([]bool, n), gone: make([]bool, n), header: make([]bool, n), convergent: convergent(f)}
	for _, lp := range c.Loops().All() {
		s.header[lp.Header.ID] = true
	}
	s.unreachable()
	for b := f.LastBlock(); b != nil; b = b.Prev() {
		s.push(b)
	}
	for len(s.work) > 0 && !s.stopped {
		b := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		s.in[b.ID] = false
		for !s.gone[b.ID] && !s.stopped && s.visit(b) {
			s.changed = true
		}
	}
	if s.changed && !s.stopped {
		s.unreachable()
	}
	return s.changed
}

func (s *cfgSimplifier) push(b *ir.Block) {
	if !s.in[b.ID] && !s.gone[b.ID] {
		s.in[b.ID] = true
		s.work = append(s.work, b)
	}
}

// fewer looks again at b, which has lost an edge, and at who may now merge it.
func (s *cfgSimplifier) fewer(b *ir.Block) {
	s.push(b)
	if b.NumPreds() == 1 {
		s.push(b.FirstPred().From())
	}
}

func (s *cfgSimplifier) may() bool {
	s.stopped = s.stopped || !s.c.May()
	return !s.stopped
}

// unreachable erases the blocks that no path from the entry leads to.
func (s *cfgSimplifier) unreachable() {
	dead := unreachable(s.f)
	if dead == nil || !s.may() {
		return
	}
	s.f.EraseBlocks(dead...)
	for _, b := range dead {
		s.gone[b.ID] = true
	}
	s.c.Count(statUnreachable, len(dead))
	s.changed = true
}

// visit does one thing to b.
func (s *cfgSimplifier) visit(b *ir.Block) bool {
	if b != s.f.Entry() && b.NumPreds() == 0 {
		return false // dead; swept at the end
	}
	return s.foldBranch(b) || s.replaceArgs(b) || s.merge(b) || s.skip(b) || s.returns(b) || s.thread(b) || s.selects(b)
}

// foldBranch: a branch on a constant, or with one outcome.
func (s *cfgSimplifier) foldBranch(b *ir.Block) bool {
	t := b.Last()
	if t.Code != builtin.CondBr {
		return false
	}
	if v, ok := builtin.IsConst(t.Operand(0)); ok {
		if !s.may() {
			return false
		}
		keep, drop := t.Succ(0), t.Succ(1)
		if v == 0 {
			keep, drop = drop, keep
		}
		lost := drop.To()
		jumpInstead(b, keep.To(), passed(keep))
		s.c.Count(statFolded, 1)
		s.fewer(lost)
		s.pushSuccs(b)
		return true
	}
	x, y := t.Succ(0), t.Succ(1)
	if x.To() != y.To() || s.selectArgs(x, y) < 0 || !s.may() {
		return false
	}
	s.replaceBySelects(b, x, y)
	s.c.Count(statFolded, 1)
	return true
}

// selectArgs returns how many of the values that x and y pass to one block
// differ, -1 if they cannot be selected.
func (s *cfgSimplifier) selectArgs(x, y *ir.Edge) int {
	n := 0
	for i := range x.NumArgs() {
		if a := x.Arg(i); a != y.Arg(i) {
			n++
			if !selectable(a.Type) {
				return -1
			}
		}
	}
	return n
}

// replaceBySelects makes b, which branches, jump to where both x and y lead.
func (s *cfgSimplifier) replaceBySelects(b *ir.Block, x, y *ir.Edge) {
	var bl ir.Builder
	bl.Before(b.Last())
	bl.Loc = b.Last().Loc
	cond := b.Last().Operand(0)
	args := passed(x)
	for i, a := range args {
		if o := y.Arg(i); o != a {
			args[i] = makeSelect(&bl, cond, a, o)
		}
	}
	to := x.To()
	jumpInstead(b, to, args)
	s.fewer(to)
}

func (s *cfgSimplifier) pushSuccs(b *ir.Block) {
	for i := range b.NumSuccs() {
		s.push(b.Succ(i))
	}
}

// replaceArgs: an argument that all edges pass one value for is that value.
func (s *cfgSimplifier) replaceArgs(b *ir.Block) bool {
	if b == s.f.Entry() {
		return false
	}
	for i := b.NumArgs() - 1; i >= 0; i-- {
		a := b.Arg(i)
		var v *ir.Value
		same := true
		for e := b.FirstPred(); e != nil && same; e = e.NextPred() {
			if x := e.Arg(i); x != a {
				same = v == nil || v == x
				v = x
			}
		}
		if !same || v == nil {
			continue
		}
		if !s.may() {
			return false
		}
		// Blocks that a passes on to may find that they always get v.
		for u := a.FirstUse(); u != nil; u = u.NextUse() {
			if ub := u.User().Block(); u.User().NumSuccs() > 0 {
				s.push(ub)
				s.pushSuccs(ub)
			}
		}
		a.ReplaceUses(v)
		b.RemoveArg(i)
		s.c.Count(statArgs, 1)
		return true
	}
	return false
}

// merge: b jumps to a block that nothing else leads to.
func (s *cfgSimplifier) merge(b *ir.Block) bool {
	t := b.Last()
	if t.Code != builtin.Br {
		return false
	}
	x := t.Succ(0).To()
	if x == b || x.NumPreds() != 1 {
		return false
	}
	for i := range x.NumArgs() {
		if t.Succ(0).Arg(i).Block() == x {
			return false // a cycle that has become unreachable
		}
	}
	if !s.may() {
		return false
	}
	for i := x.NumArgs() - 1; i >= 0; i-- {
		x.Arg(i).ReplaceUses(t.Succ(0).Arg(i))
		x.RemoveArg(i)
	}
	t.Erase()
	for op := x.First(); op != nil; op = x.First() {
		op.MoveToEnd(b)
	}
	s.header[b.ID] = s.header[b.ID] || s.header[x.ID]
	s.gone[x.ID] = true
	x.Erase()
	s.c.Count(statMerged, 1)
	return true
}

// skip: b only jumps on; who leads to b leads to its target instead.
func (s *cfgSimplifier) skip(b *ir.Block) bool {
	t := b.Last()
	if b == s.f.Entry() || t.Code != builtin.Br || b.First() != t {
		return false
	}
	out := t.Succ(0)
	x := out.To()
	if x == b || s.header[x.ID] && b.NumPreds() > 1 {
		return false // loops keep one latch and one entry
	}
	for _, a := range b.Args() {
		for u := a.FirstUse(); u != nil; u = u.NextUse() {
			if u.User() != t {
				return false
			}
		}
	}
	var edges []*ir.Edge
	for e := b.FirstPred(); e != nil; e = e.NextPred() {
		// Two edges from one branch to one block: only if they pass the same.
		p := e.Op()
		for i := range p.NumSuccs() {
			if o := p.Succ(i); o != e && (o.To() == x || o.To() == b) && !s.samePassed(e, out, o, b) {
				return false
			}
		}
		edges = append(edges, e)
	}
	if !s.may() {
		return false
	}
	for _, e := range edges {
		args := s.through(e, out, b)
		for e.NumArgs() > 0 {
			e.RemoveArg(e.NumArgs() - 1)
		}
		e.SetTo(x)
		for _, v := range args {
			e.AppendArg(v)
		}
		s.push(e.From())
	}
	s.gone[b.ID] = true
	b.Erase()
	s.c.Count(statSkipped, 1)
	s.push(x)
	return true
}

// through returns what reaches the target of out along e and out.
func (s *cfgSimplifier) through(e, out *ir.Edge, b *ir.Block) []*ir.Value {
	args := passed(out)
	for i, v := range args {
		if v.IsArg() && v.Block() == b {
			args[i] = e.Arg(v.Index())
		}
	}
	return args
}

// samePassed compares what reaches the target of out along e and out with what
// o passes there, directly or through b too.
func (s *cfgSimplifier) samePassed(e, out, o *ir.Edge, b *ir.Block) bool {
	other := passed(o)
	if o.To() == b {
		other = s.through(o, out, b)
	}
	for i, v := range s.through(e, out, b) {
		if other[i] != v {
			return false
		}
	}
	return true
}

// returns: b jumps to a block that only returns.
func (s *cfgSimplifier) returns(b *ir.Block) bool {
	t := b.Last()
	if t.Code != builtin.Br || s.c.Opt(1) == 0 {
		return false
	}
	out := t.Succ(0)
	x := out.To()
	if x.Last().Code != builtin.Return || x.First() != x.Last() || !s.may() {
		return false
	}
	var v *ir.Value
	if x.Last().NumOperands() > 0 {
		v = x.Last().Operand(0)
		if v.IsArg() && v.Block() == x {
			v = out.Arg(v.Index())
		}
	}
	var bl ir.Builder
	bl.Loc = x.Last().Loc
	t.Erase()
	bl.AtEnd(b)
	builtin.Ret(&bl, v)
	s.c.Count(statReturns, 1)
	s.fewer(x)
	return true
}

// thread: b only branches, on an argument that some edge passes a constant
// for; that edge may lead to the outcome.
func (s *cfgSimplifier) thread(b *ir.Block) bool {
	t := b.Last()
	if s.convergent || b == s.f.Entry() || t.Code != builtin.CondBr || b.First() != t || s.header[b.ID] {
		return false
	}
	cond := t.Operand(0)
	if !cond.IsArg() || cond.Block() != b {
		return false
	}
	// What b defines must not be used elsewhere: it would not dominate.
	for _, a := range b.Args() {
		for u := a.FirstUse(); u != nil; u = u.NextUse() {
			if u.User() != t {
				return false
			}
		}
	}
	for e := b.FirstPred(); e != nil; e = e.NextPred() {
		v, ok := builtin.IsConst(e.Arg(cond.Index()))
		if !ok {
			continue
		}
		out := t.Succ(1)
		if v != 0 {
			out = t.Succ(0)
		}
		x, p := out.To(), e.Op()
		if x == b || s.header[x.ID] {
			continue
		}
		clash := false
		for i := range p.NumSuccs() {
			clash = clash || p.Succ(i) != e && p.Succ(i).To() == x
		}
		if clash {
			continue
		}
		if !s.may() {
			return false
		}
		args := s.through(e, out, b)
		for e.NumArgs() > 0 {
			e.RemoveArg(e.NumArgs() - 1)
		}
		e.SetTo(x)
		for _, v := range args {
			e.AppendArg(v)
		}
		s.c.Count(statThreaded, 1)
		s.fewer(b)
		s.push(x)
		s.push(e.From())
		return true
	}
	return false
}

// selects: arms of a branch that meet again at once become selects.
func (s *cfgSimplifier) selects(b *ir.Block) bool {
	t := b.Last()
	if t.Code != builtin.CondBr {
		return false
	}
	x, y := t.Succ(0), t.Succ(1)
	arm := func(e *ir.Edge) *ir.Block {
		if a := e.To(); a != b && a.NumPreds() == 1 && a.Last().Code == builtin.Br && a.NumArgs() == 0 {
			return a
		}
		return nil
	}
	ax, ay := arm(x), arm(y)
	switch {
	case ax != nil && ay != nil && ax.Succ(0) == ay.Succ(0):
		x, y = ax.Last().Succ(0), ay.Last().Succ(0)
	case ax != nil && ax.Succ(0) == y.To():
		x, ay = ax.Last().Succ(0), nil
	case ay != nil && ay.Succ(0) == x.To():
		y, ax = ay.Last().Succ(0), nil
	default:
		return false
	}
	n := s.selectArgs(x, y)
	if n < 0 || x.To() == b {
		return false
	}
	cost := n
	for _, a := range []*ir.Block{ax, ay} {
		if a == nil {
			continue
		}
		for op := a.First(); op != a.Last(); op = op.Next() {
			if cost += opCost(op); !speculatable(op) || cost > s.c.Opt(0) {
				return false
			}
		}
	}
	if cost > s.c.Opt(0) || !s.may() {
		return false
	}
	for _, a := range []*ir.Block{ax, ay} {
		if a == nil {
			continue
		}
		for op := a.First(); op != a.Last(); op = a.First() {
			op.MoveBefore(t)
		}
	}
	s.replaceBySelects(b, x, y)
	var dead []*ir.Block
	for _, a := range []*ir.Block{ax, ay} {
		if a != nil {
			s.gone[a.ID] = true
			dead = append(dead, a)
		}
	}
	s.f.EraseBlocks(dead...)
	s.c.Count(statSelects, 1)
	return true
}
