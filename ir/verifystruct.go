package ir

import "slices"

// structure checks lists, owners, ids and counts (I1, I5, I6, I10). Only if
// all is well may the rest follow the links.
func (v *Verifier) structure() bool {
	f := v.Fn
	before := v.Diags.Errors()
	v.blocks = renewed(v.blocks, f.NumBlockIDs())
	v.values = renewed(v.values, f.NumValues())
	v.uses = renewed(v.uses, f.NumValues())
	v.order = renewed(v.order, f.NumOps())
	if !v.blockList() {
		return false
	}
	pos := uint32(0)
	for b := f.first; b != nil; b = b.next {
		for i, a := range b.args {
			if a == nil || a.op != nil || a.block != b || int(a.index) != i {
				v.blockErrorf(b, 5, "argument %d does not know its place", i)
			} else {
				v.defines(a, b.Loc)
			}
		}
		if !v.opList(b, &pos) {
			return false
		}
	}
	if v.Diags.Errors() > before {
		return false
	}
	for b := f.first; b != nil; b = b.next {
		for o := b.first; o != nil; o = o.next {
			v.operandLinks(o)
			v.edgeLinks(o)
		}
	}
	if v.Diags.Errors() > before {
		return false
	}
	v.useLists()
	v.predLists()
	return v.Diags.Errors() == before
}

func renewed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// blockList checks the list of blocks and their ids. Every block that it has
// seen is in v.blocks, so that it ends on a circular list.
func (v *Verifier) blockList() bool {
	f := v.Fn
	var prev *Block
	n := 0
	for b := f.first; b != nil; prev, b = b, b.next {
		if b.fn != f || b.prev != prev {
			v.funcErrorf(5, "the list of blocks is damaged")
			return false
		}
		if int(b.ID) >= len(v.blocks) || v.blocks[b.ID] != nil {
			v.funcErrorf(10, "the block id %d is used twice or beyond the bound", b.ID)
			return false
		}
		v.blocks[b.ID] = b
		n++
	}
	if f.last != prev || f.nblocks != n {
		v.funcErrorf(5, "the list of blocks is damaged")
		return false
	}
	return true
}

// opList checks the ops of b: list, ids, rows and terminator.
func (v *Verifier) opList(b *Block, pos *uint32) bool {
	var prev *Op
	for o := b.first; o != nil; prev, o = o, o.next {
		if o.block != b || o.prev != prev {
			v.blockErrorf(b, 5, "the list of ops is damaged")
			return false
		}
		if int(o.ID) >= len(v.order) || v.order[o.ID] != 0 {
			v.Errorf(o, 10, "the op id %d is used twice or beyond the bound", o.ID)
			return false
		}
		*pos++
		v.order[o.ID] = *pos
		for i := range o.results {
			r := &o.results[i]
			if r.op != o || int(r.index) != i {
				v.Errorf(o, 5, "result %d does not know its op", i)
				continue
			}
			v.defines(r, o.Loc)
		}
		v.counts(o)
	}
	if b.last != prev {
		v.blockErrorf(b, 5, "the list of ops is damaged")
		return false
	}
	if prev == nil {
		v.blockErrorf(b, 1, "the block is empty")
	}
	return true
}

func (v *Verifier) defines(x *Value, loc Loc) {
	if int(x.ID) >= len(v.values) || v.values[x.ID] != nil {
		v.report(loc, 10, "the value id "+string(appendUint(nil, uint64(x.ID)))+" is used twice or beyond the bound", nil)
		return
	}
	v.values[x.ID] = x
}

// counts checks I6, and I1 for o.
func (v *Verifier) counts(o *Op) {
	d := v.Fn.mod.Reg.lookup(o.Code)
	if d == nil {
		v.Errorf(o, 6, "the code %d is not registered", o.Code)
		return
	}
	last := o.next == nil
	if term := d.Effects.Has(Terminator); term && !last {
		v.Errorf(o, 1, "a terminator stands before the end of its block")
	} else if last && !term {
		v.Errorf(o, 1, "the block does not end in a terminator")
	}
	if len(o.succs) != d.Succs {
		v.Errorf(o, 6, "has %d successors, not %d", len(o.succs), d.Succs)
		return
	}
	end := o.NumPlainOperands()
	for i := range o.succs {
		if int(o.succs[i].off) != end {
			v.Errorf(o, 5, "the operands of edge %d do not follow those before it", i)
			return
		}
		end += int(o.succs[i].n)
	}
	if end != len(o.operands) {
		v.Errorf(o, 5, "its edges do not own the last operands")
		return
	}
	lo, hi := bounds(d.Operands)
	if d.hasOffset(o.Props) {
		lo, hi = lo+1, hi+1
	}
	if o.NumPlainOperands() < lo || o.NumPlainOperands() > hi {
		v.Errorf(o, 6, "has %d operands where its row has %s", o.NumPlainOperands(), spelledBounds(lo, hi))
	}
	if lo, hi := bounds(d.Results); len(o.results) < lo || len(o.results) > hi {
		v.Errorf(o, 6, "has %d results where its row has %s", len(o.results), spelledBounds(lo, hi))
	}
}

func spelledBounds(lo, hi int) string {
	s := string(appendUint(nil, uint64(lo)))
	switch {
	case hi == lo:
		return s
	case hi > 1<<16:
		return s + " or more"
	}
	return s + " to " + string(appendUint(nil, uint64(hi)))
}

// operandLinks checks that each operand is a node of its value's use list.
func (v *Verifier) operandLinks(o *Op) {
	for i := range o.operands {
		u := &o.operands[i]
		x := u.val
		switch {
		case u.user != o:
			v.Errorf(o, 5, "operand %d does not know its op", i)
		case x == nil:
			v.Errorf(o, 5, "operand %d is missing", i)
		case int(x.ID) >= len(v.values) || v.values[x.ID] != x:
			v.Errorf(o, 4, "operand %d is no value of the function", i)
		case u.prev == nil && x.uses != u, u.prev != nil && u.prev.next != u, u.next != nil && u.next.prev != u:
			v.Errorf(o, 5, "operand %d is not in the use list of its value", i)
		default:
			v.uses[x.ID]++
		}
	}
}

// edgeLinks checks that each edge is a node of its target's list.
func (v *Verifier) edgeLinks(o *Op) {
	for i := range o.succs {
		e := &o.succs[i]
		b := e.to
		switch {
		case e.op != o:
			v.Errorf(o, 5, "edge %d does not know its op", i)
		case b == nil || int(b.ID) >= len(v.blocks) || v.blocks[b.ID] != b:
			v.Errorf(o, 5, "edge %d leads to no block of the function", i)
		case e.prev == nil && b.firstPred != e, e.prev != nil && e.prev.next != e,
			e.next == nil && b.lastPred != e, e.next != nil && e.next.prev != e:
			v.Errorf(o, 5, "edge %d is not in the predecessor list of its target", i)
		}
	}
}

// useLists checks that use lists hold nothing but the operands seen: those are
// all linked in, so that equal lengths are enough.
func (v *Verifier) useLists() {
	for _, x := range v.values {
		if x == nil {
			continue
		}
		n := uint32(0)
		for u := x.uses; u != nil && n <= v.uses[x.ID]; u = u.next {
			n++
		}
		if n != v.uses[x.ID] {
			v.report(x.loc(), 5, "a use list has "+string(appendUint(nil, uint64(n)))+
				" nodes for "+string(appendUint(nil, uint64(v.uses[x.ID])))+" operands", x.op)
		}
	}
}

// predLists is useLists for edges.
func (v *Verifier) predLists() {
	edges := renewed(v.uses, len(v.blocks))
	for b := v.Fn.first; b != nil; b = b.next {
		for i := range b.last.succs {
			edges[b.Succ(i).ID]++
		}
	}
	for b := v.Fn.first; b != nil; b = b.next {
		n := uint32(0)
		for e := b.firstPred; e != nil && n <= edges[b.ID]; e = e.next {
			n++
		}
		if n != edges[b.ID] || b.npreds != int(n) {
			v.blockErrorf(b, 5, "the predecessor list has %d nodes and counts %d, but %d edges lead here", n, b.npreds, edges[b.ID])
		}
	}
	v.uses = edges
}
