package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// Layout makes the wave's own control flow of the linear order.
//
//	^a: p_skip.by2; …; t_fall ^d       ^a: s_cbranch_execz ^c, ^a1
//	^b: …; t_cond %scc, ^b, ^c     =>  ^a1: …; s_branch ^b
//	^c: …                              ^b: …; s_cbranch_scc1 ^b, ^c
//
// In: physical registers, logical edges. Out: the same order; every edge is one
// that a wave takes, terminators are machine branches. A t_fall leads to the
// next block and is no instruction; the second successor of a conditional
// branch is the next block. Promise: no block is unreachable, none goes on to a
// block that only it leads to.
func Layout(c *Ctx, f *ir.Func) {
	l := layouter{f: f, c: c}
	for b := f.FirstBlock(); b != nil; {
		next := b.Next()
		l.skips(b)
		b = next
	}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		l.terminator(b)
	}
	l.thread()
	l.tidy()
}

type layouter struct {
	f  *ir.Func
	c  *Ctx
	bl ir.Builder
}

// skips ends the block at each p_skip: what follows gets a block of its own.
func (l *layouter) skips(b *ir.Block) {
	for op := b.First(); op != nil; op = op.Next() {
		if op.Code != amdgpu.PSkip {
			continue
		}
		to := skipTarget(b, op)
		rest := l.f.NewBlockBefore(b.Next())
		for x := op.Next(); x != nil; {
			next := x.Next()
			x.MoveToEnd(rest)
			x = next
		}
		l.bl.AtEnd(b)
		l.bl.Loc = op.Loc
		op.Erase()
		l.bl.Branch(amdgpu.SCbranchExecz, 0, nil, ir.Target{To: to}, ir.Target{To: rest})
		return
	}
}

// terminator replaces the terminator of b by what the wave does.
func (l *layouter) terminator(b *ir.Block) {
	t := b.Last()
	next := b.Next()
	l.bl.AtEnd(b)
	l.bl.Loc = t.Loc
	var to [2]*ir.Block
	for i := range t.NumSuccs() {
		to[i] = t.Succ(i).To()
	}
	switch t.Code {
	case amdgpu.TRet:
		t.Erase()
		l.bl.Op(amdgpu.SEndpgm, 0)
	case amdgpu.TJump:
		t.Erase()
		l.jump(to[0])
	case amdgpu.TFall, amdgpu.TDiverge:
		t.Erase()
		l.jump(next)
	case amdgpu.TLoop:
		t.Erase()
		l.bl.Branch(amdgpu.SCbranchExecnz, 0, nil, ir.Target{To: to[0]}, ir.Target{To: next})
	case amdgpu.TCond:
		scc := t.Operand(0)
		t.Erase()
		l.cond(b, scc, to[0], to[1])
	}
}

func (l *layouter) jump(to *ir.Block) { l.bl.Branch(amdgpu.SBranch, 0, nil, ir.Target{To: to}) }

// cond branches to yes if scc, else to no, one of which is next if possible.
func (l *layouter) cond(b *ir.Block, scc *ir.Value, yes, no *ir.Block) {
	code := amdgpu.SCbranchScc1
	switch {
	case yes == no:
		l.jump(yes)
		return
	case yes == b.Next():
		code, yes, no = amdgpu.SCbranchScc0, no, yes
	case no != b.Next():
		far := l.f.NewBlockBefore(b.Next())
		at := l.bl
		l.bl.AtEnd(far)
		l.jump(no)
		l.bl = at
		no = far
	}
	l.bl.Branch(code, 0, []*ir.Value{scc}, ir.Target{To: yes}, ir.Target{To: no})
}

// fallThrough reports a block that does nothing but go on to another.
func fallThrough(b *ir.Block) (to *ir.Block, ok bool) {
	if t := b.First(); t == b.Last() && t.Code == amdgpu.SBranch {
		return t.Succ(0).To(), true
	}
	return nil, false
}

// thread makes branches lead past blocks that only lead on. A branch on an
// empty exec also passes one that tests it again, if nothing came between.
func (l *layouter) thread() {
	for b := l.f.LastBlock(); b != nil; b = b.Prev() {
		t := b.Last()
		for i := range t.NumSuccs() {
			if i == 1 {
				continue // falls through
			}
			e := t.Succ(i)
			for n := 0; n < 64; n++ {
				to, ok := fallThrough(e.To())
				if !ok && t.Code == amdgpu.SCbranchExecz && i == 0 {
					if u := e.To().First(); u.Code == amdgpu.SCbranchExecz {
						to, ok = u.Succ(0).To(), true
					}
				}
				if !ok || to == e.To() || e.To() == b.Next() && t.Code == amdgpu.SBranch {
					break
				}
				e.SetTo(to)
			}
		}
	}
}

// tidy removes blocks that nothing reaches, and conditional branches to where
// the wave goes anyway.
func (l *layouter) tidy() {
	for b := l.f.LastBlock(); b != nil; {
		prev := b.Prev()
		t := b.Last()
		if t.NumSuccs() == 2 && t.Succ(0).To() == t.Succ(1).To() {
			l.bl.Before(t)
			l.bl.Loc = t.Loc
			to := t.Succ(1).To()
			t.Erase()
			l.jump(to)
		}
		if b != l.f.Entry() && b.NumPreds() == 0 {
			b.Erase()
		}
		b = prev
	}
	for b := l.f.FirstBlock(); b != nil; b = b.Next() {
		l.merge(b)
		if t := b.Last(); t.Code == amdgpu.SBranch && t.Succ(0).To() == b.Next() {
			t.Code = amdgpu.TFall
		}
	}
}

// merge takes in the next block if nothing else leads to it.
func (l *layouter) merge(b *ir.Block) {
	for {
		t, n := b.Last(), b.Next()
		if t.Code != amdgpu.SBranch || n == nil || t.Succ(0).To() != n || n.NumPreds() != 1 {
			return
		}
		t.Erase()
		for op := n.First(); op != nil; {
			next := op.Next()
			op.MoveToEnd(b)
			op = next
		}
		n.Erase()
	}
}
