package ssabuild

import (
	"pisac/dialects/builtin"
	"pisac/ir"
)

// standIn reports whether v stands for a candidate block argument.
func standIn(v *ir.Value) bool { return v != nil && v.Op() == nil && v.Block() == nil }

// finish makes block arguments of the candidates that are needed, patches
// their uses, and creates the terminators.
func (b *builder) finish() {
	ph := &b.phis
	if len(ph.vals) > 0 {
		b.markLive()
		b.dropTrivial()
	}
	for _, i := range b.order {
		n := 0
		for k := ph.at[i]; k < ph.at[i+1]; k++ {
			if ph.live[k] {
				n++
			}
		}
		if n == 0 {
			continue
		}
		b.blocks[i].ir.GrowArgs(n)
		for k := ph.at[i]; k < ph.at[i+1]; k++ {
			if ph.live[k] {
				ph.repl[k] = b.blocks[i].ir.AddArg(ph.vals[k].Type)
			}
		}
	}
	for k := range ph.vals {
		if v := &ph.vals[k]; v.HasUses() {
			w := ph.resolve(v)
			if w == nil {
				w = b.zeroAtStart(b.blocks[ph.block[k]].ir, v.Type)
			}
			v.ReplaceUses(w)
		}
	}
	for _, i := range b.order {
		b.terminate(i)
	}
}

// markLive marks the candidates that an op, or a candidate that is live, uses.
func (b *builder) markLive() {
	ph := &b.phis
	work := b.work[:0]
	mark := func(v *ir.Value) {
		if standIn(v) && !ph.live[v.ID] {
			ph.live[v.ID] = true
			work = append(work, int32(v.ID))
		}
	}
	for k := range ph.vals {
		if ph.vals[k].HasUses() {
			mark(&ph.vals[k])
		}
	}
	for _, i := range b.order {
		mark(b.blocks[i].val)
	}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		i := ph.block[k]
		for _, e := range b.graph.into(i) {
			mark(ph.args[ph.argAt[e]+k-ph.at[i]])
		}
	}
	b.work = work
}

// maxTrivialRounds bounds dropTrivial. What is left then is correct, only
// not shortest.
const maxTrivialRounds = 8

// dropTrivial replaces each candidate to which all edges pass one value, or
// itself, by that value; it is then no longer live. Only mov makes them: the
// places are minimal as regards registers, but two registers may hold one
// value.
func (b *builder) dropTrivial() {
	ph := &b.phis
	for range maxTrivialRounds {
		changed := false
		for k := range int32(len(ph.vals)) {
			if !ph.live[k] {
				continue
			}
			if same := b.sameArgs(k); same != nil {
				ph.repl[k], ph.live[k], changed = same, false, true
			}
		}
		if !changed {
			return
		}
	}
}

// sameArgs returns the one value beside itself that candidate k is passed,
// &ph.zero if that is "never written", or nil if there are several.
func (b *builder) sameArgs(k int32) *ir.Value {
	ph := &b.phis
	i := ph.block[k]
	var same *ir.Value
	for _, e := range b.graph.into(i) {
		v := ph.resolve(ph.args[ph.argAt[e]+k-ph.at[i]])
		if v == nil {
			v = &ph.zero
		}
		if v == same || v == &ph.vals[k] {
			continue
		}
		if same != nil {
			return nil
		}
		same = v
	}
	return same
}

// resolve follows replacements, shortening the path. The result is nil for a
// register that nothing has written.
func (ph *phis) resolve(v *ir.Value) *ir.Value {
	for standIn(v) {
		w := v
		if w != &ph.zero {
			w = ph.repl[v.ID]
		}
		switch {
		case w == &ph.zero:
			return nil
		case w == nil:
			return v
		case standIn(w) && ph.repl[w.ID] != nil:
			ph.repl[v.ID] = ph.repl[w.ID]
		}
		v = w
	}
	return v
}

// zeroAtStart creates a zero ahead of all uses in blk and below.
func (b *builder) zeroAtStart(blk *ir.Block, t ir.Type) *ir.Value {
	b.bl.AtEnd(blk)
	b.bl.Loc = ir.NoLoc // see zero
	if first := blk.First(); first != nil {
		b.bl.Before(first)
	}
	return builtin.ConstInt(&b.bl, t, 0)
}

// terminate creates the terminator of block i.
func (b *builder) terminate(i int32) {
	blk := &b.blocks[i]
	b.bl.AtEnd(blk.ir)
	b.newBlockConsts()
	b.bl.Loc = b.src.BodyEnd
	if blk.term >= 0 {
		b.bl.Loc = b.src.Instrs[blk.term].Loc
	} else if last := blk.ir.Last(); last != nil {
		b.bl.Loc = last.Loc
	}
	switch blk.kind {
	case termFall:
		t := ir.Target{To: b.blocks[blk.succ[0]].ir, Args: b.edge(i, 0, &b.edgeArgs[0])}
		b.bl.Branch(builtin.Br, 0, nil, t)
	case termCond:
		yes := ir.Target{To: b.blocks[blk.succ[0]].ir, Args: b.edge(i, 0, &b.edgeArgs[0])}
		no := ir.Target{To: b.blocks[blk.succ[1]].ir, Args: b.edge(i, 1, &b.edgeArgs[1])}
		if b.src.Operands(&b.src.Instrs[blk.term])[0].Not {
			yes, no = no, yes
		}
		builtin.Branch(&b.bl, b.noted(blk.val), yes, no)
	case termReturn:
		builtin.Ret(&b.bl, b.noted(blk.val))
	case termEnd:
		// Running off the end of a function that returns a value is undefined
		// behaviour; of any other body, a return (A46).
		if b.fn.Ret != ir.None {
			b.bl.Op(builtin.Unreachable, 0)
		} else {
			builtin.Ret(&b.bl, nil)
		}
	}
}

// noted returns what became of a condition or return value; nil if there was
// none.
func (b *builder) noted(v *ir.Value) *ir.Value {
	if w := b.phis.resolve(v); w != nil || v == nil {
		return w
	}
	return b.zero(v.Type)
}

// edge collects in scratch what successor s of block i is passed.
func (b *builder) edge(i int32, s int, scratch *[]*ir.Value) []*ir.Value {
	ph := &b.phis
	to := b.blocks[i].succ[s]
	args := (*scratch)[:0]
	base := ph.argAt[2*i+int32(s)] - ph.at[to]
	for k := ph.at[to]; k < ph.at[to+1]; k++ {
		if !ph.live[k] {
			continue
		}
		v := ph.resolve(ph.args[base+k])
		if v == nil {
			v = b.zero(ph.vals[k].Type)
		}
		args = append(args, v)
	}
	*scratch = args
	return args
}
