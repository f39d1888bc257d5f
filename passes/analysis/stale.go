package analysis

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// What an op of a kernel means for the cache of the compute unit.
const (
	// dirties: behind it, what another work-item of the group has written, or
	// come to see, may differ from what the cache holds: a write to global
	// memory, or an acquire.
	dirties uint8 = 1 << iota
	// reads: a load that may hit the cache. Atomic loads of a work-group or wider
	// pass it by, and what is constant is never stale.
	reads
)

func cacheEffects(op *ir.Op) uint8 {
	switch op.Code {
	case pisa.Ld, pisa.St, pisa.IAtom, pisa.FAtom:
		return accessEffects(op)
	case pisa.Fence:
		if pisa.OrderOf(op.Props).Acquires() && pisa.ScopeOf(op.Props) != pisa.Subgroup {
			return dirties
		}
		return 0
	case pisa.LdParam, pisa.BarrierWorkgroup:
		return 0
	case builtin.Call, builtin.CallIndirect:
		return dirties | reads
	}
	if op.Def().Effects&(ir.ReadsMem|ir.WritesMem|ir.Calls) != 0 {
		return dirties | reads
	}
	return 0
}

func accessEffects(op *ir.Op) (f uint8) {
	order := pisa.OrderOf(op.Props)
	if order.Acquires() {
		f = dirties
	}
	switch pisa.SpaceOf(op.Props) {
	case ir.SpaceShared, ir.SpacePrivate, ir.SpaceConst:
		return f
	}
	if op.Code != pisa.Ld {
		return f | dirties
	}
	if order == pisa.Weak || pisa.ScopeOf(op.Props) == pisa.Subgroup {
		f |= reads
	}
	return f
}

// StaleBarriers returns the barriers of a kernel behind which a load may find
// stale data in the cache of the compute unit: something on the way to some
// barrier of the kernel dirties, for all its work-items run the same code, and
// a load that may hit the cache can follow this one.
func StaleBarriers(f *ir.Func) map[*ir.Op]bool {
	if !hasBarrier(f) {
		return nil
	}
	var dom ir.Dom
	dom.Compute(f)
	order := dom.RPO()
	fwd, back := make([]uint8, f.NumBlockIDs()), make([]uint8, f.NumBlockIDs())
	for _, b := range order {
		for op := b.First(); op != nil; op = op.Next() {
			fwd[b.ID] |= cacheEffects(op)
		}
		back[b.ID] = fwd[b.ID]
	}
	spread(order, fwd, dirties, func(b *ir.Block, to func(*ir.Block)) {
		for i := range b.NumSuccs() {
			to(b.Succ(i))
		}
	})
	spread(order, back, reads, func(b *ir.Block, to func(*ir.Block)) {
		for e := b.FirstPred(); e != nil; e = e.NextPred() {
			to(e.From())
		}
	})
	stale := map[*ir.Op]bool{}
	dirty := false
	for _, b := range order {
		now := uint8(0)
		for e := b.FirstPred(); e != nil; e = e.NextPred() {
			now |= fwd[e.From().ID]
		}
		for op := b.First(); op != nil; op = op.Next() {
			now |= cacheEffects(op)
			// A callee may have a barrier, and calls dirty.
			dirty = dirty || now&dirties != 0 && (op.Code == pisa.BarrierWorkgroup || op.Def().Effects&ir.Calls != 0)
		}
		now = 0
		for i := range b.NumSuccs() {
			now |= back[b.Succ(i).ID]
		}
		for op := b.Last(); op != nil; op = op.Prev() {
			if op.Code == pisa.BarrierWorkgroup && now&reads != 0 {
				stale[op] = true
			}
			now |= cacheEffects(op)
		}
	}
	if !dirty {
		clear(stale)
	}
	return stale
}

func hasBarrier(f *ir.Func) bool {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code == pisa.BarrierWorkgroup {
				return true
			}
		}
	}
	return false
}

// spread carries a property of blocks along edges.
func spread(blocks []*ir.Block, f []uint8, property uint8, edges func(b *ir.Block, to func(*ir.Block))) {
	var work []*ir.Block
	for _, b := range blocks {
		if f[b.ID]&property != 0 {
			work = append(work, b)
		}
	}
	reach := func(to *ir.Block) {
		if f[to.ID]&property == 0 {
			f[to.ID] |= property
			work = append(work, to)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		edges(b, reach)
	}
}
