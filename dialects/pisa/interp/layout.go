package interp

import (
	"pisac/dialects/builtin"
	"pisac/ir"
)

// width is the number of lanes of a sub-group (PISA: %subgroupsize is 32).
const width = 32

// lanes is one register word of all lanes of a sub-group.
type lanes [width]uint64

// shape is how a value lies in slots: words of wordBits each, the low element
// first. Scalars up to 64 bits and packed vectors up to 32 bits are one word
// (the form of pisa.EvalFn), other vectors one word for each element, 128 bits
// two words.
type shape struct {
	words    int
	wordBits int
}

func shapeOf(t ir.Type) shape {
	switch {
	case t == ir.None:
		return shape{}
	case t == ir.Pred:
		return shape{1, 1}
	case t == ir.B128:
		return shape{2, 64}
	case t.IsVector() && t.TotalBits() > 32:
		return shape{t.Lanes(), t.ElemBits()}
	}
	return shape{1, t.TotalBits()}
}

func (s shape) mask() uint64 {
	if s.wordBits >= 64 {
		return ^uint64(0)
	}
	return 1<<s.wordBits - 1
}

// slotAlloc gives values their slots. Values used only in the block that
// defines them share slots with others whose lives do not overlap, so that the
// registers of a long block stay in the cache.
type slotAlloc struct {
	fn     *ir.Func
	slot   []int32 // by Value.ID; -1: none
	n      int32
	free   map[int][]int32 // by words
	consts []constSlot
	index  map[constKey]int32
	never  bool // zeros of unwritten registers are kept apart
}

type constKey struct{ lo, hi uint64 }

// constSlot is a slot that holds the same value in all lanes of every frame.
type constSlot struct {
	slot  int32
	v     uint64
	never bool // the register of assembly that nothing has written
}

func allocSlots(fn *ir.Func, never bool) *slotAlloc {
	a := &slotAlloc{fn: fn, never: never, slot: make([]int32, fn.NumValues()), free: map[int][]int32{}, index: map[constKey]int32{}}
	for i := range a.slot {
		a.slot[i] = -1
	}
	for b := fn.FirstBlock(); b != nil; b = b.Next() {
		for _, v := range b.Args() {
			a.slot[v.ID] = a.fresh(shapeOf(v.Type).words)
		}
		for o := b.First(); o != nil; o = o.Next() {
			if o.Code == builtin.Const {
				a.constant(o)
				continue
			}
			for i := range o.NumResults() {
				if v := o.Result(i); !isLocal(v) {
					a.slot[v.ID] = a.fresh(shapeOf(v.Type).words)
				}
			}
		}
	}
	for b := fn.FirstBlock(); b != nil; b = b.Next() {
		a.locals(b)
	}
	return a
}

// locals places the values of b that do not leave it.
func (a *slotAlloc) locals(b *ir.Block) {
	last := map[*ir.Value]*ir.Op{}
	for o := b.First(); o != nil; o = o.Next() {
		for i := range o.NumOperands() {
			last[o.Operand(i)] = o
		}
	}
	for o := b.First(); o != nil; o = o.Next() {
		for i := range o.NumResults() {
			v := o.Result(i)
			if a.slot[v.ID] < 0 && o.Code != builtin.Const {
				a.slot[v.ID] = a.take(shapeOf(v.Type).words)
			}
		}
		// Operands are given back only behind the results: cross-lane ops
		// must not write over what they still read.
		for i := range o.NumOperands() {
			v := o.Operand(i)
			if last[v] != o || v.IsArg() || v.Block() != b || v.Op().Code == builtin.Const || !isLocal(v) {
				continue
			}
			delete(last, v)
			w := shapeOf(v.Type).words
			a.free[w] = append(a.free[w], a.slot[v.ID])
		}
		for i := range o.NumResults() {
			if v := o.Result(i); !v.HasUses() && o.Code != builtin.Const {
				w := shapeOf(v.Type).words
				a.free[w] = append(a.free[w], a.slot[v.ID])
			}
		}
	}
}

// isLocal reports a value whose uses are all in its own block.
func isLocal(v *ir.Value) bool {
	b := v.Block()
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		if u.User().Block() != b {
			return false
		}
	}
	return true
}

func (a *slotAlloc) fresh(words int) int32 {
	s := a.n
	a.n += int32(words)
	return s
}

func (a *slotAlloc) take(words int) int32 {
	if l := a.free[words]; len(l) > 0 {
		a.free[words] = l[:len(l)-1]
		return l[len(l)-1]
	}
	return a.fresh(words)
}

// neverWritten reports the zero that ssabuild gives a register which nothing
// writes: it has no location. Version 1.0 leaves registers unwritten on
// purpose (digest 14).
func neverWritten(o *ir.Op) bool {
	f := o.Func()
	return o.Loc == ir.NoLoc && o.Props == 0 && f.Loc != ir.NoLoc && f.Module().Version.Major == 0
}

func (a *slotAlloc) constant(o *ir.Op) {
	t := o.Result(0).Type
	sh := shapeOf(t)
	if a.never && neverWritten(o) {
		s := a.fresh(sh.words)
		a.slot[o.Result(0).ID] = s
		for i := range int32(sh.words) {
			a.consts = append(a.consts, constSlot{s + i, 0, true})
		}
		return
	}
	k := constKey{lo: o.Props & shape{wordBits: min(t.TotalBits(), 64)}.mask()}
	if t == ir.B128 {
		k.hi = a.fn.Module().Wide(o.Aux)
		a.slot[o.Result(0).ID] = a.fresh(2)
		s := a.slot[o.Result(0).ID]
		a.consts = append(a.consts, constSlot{s, k.lo, false}, constSlot{s + 1, k.hi, false})
		return
	}
	if sh.words > 1 { // splat
		s := a.fresh(sh.words)
		a.slot[o.Result(0).ID] = s
		for i := range sh.words {
			a.consts = append(a.consts, constSlot{s + int32(i), o.Props & sh.mask(), false})
		}
		return
	}
	if t.IsVector() { // packed splat
		k.lo = 0
		for i := range t.Lanes() {
			k.lo |= o.Props & (1<<t.ElemBits() - 1) << (i * t.ElemBits())
		}
	}
	s, ok := a.index[k]
	if !ok {
		s = a.fresh(1)
		a.index[k] = s
		a.consts = append(a.consts, constSlot{s, k.lo, false})
	}
	a.slot[o.Result(0).ID] = s
}

func (a *slotAlloc) of(v *ir.Value) int32 { return a.slot[v.ID] }
