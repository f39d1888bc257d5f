package analysis

import (
	"slices"

	"pisac/dialects/builtin"
	"pisac/ir"
)

// Liveness is which values are live where blocks meet. A value is live into a
// block if it is defined outside and used in the block or behind it; an
// argument is defined by its block, and what an edge passes is used at the end
// of the edge's source. Constants are not in the sets: they take no register,
// and one at the entry would be in all of them.
//
// The sets are sparse: time and memory are those of the answer, the sum of the
// sizes of all sets, whatever the number of values and blocks.
type Liveness struct {
	in   [][]*ir.Value // by Block.ID, by Value.ID
	seen []uint32      // by Block.ID: 1 + the last value that walked through
	work []*ir.Block
	fn   *ir.Func
}

// Compute finds the sets of f.
func (l *Liveness) Compute(f *ir.Func) {
	l.fn = f
	l.in = slices.Grow(l.in[:0], f.NumBlockIDs())[:f.NumBlockIDs()]
	for i := range l.in {
		l.in[i] = l.in[i][:0]
	}
	l.seen = append(l.seen[:0], make([]uint32, f.NumBlockIDs())...)
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for _, v := range b.Args() {
			l.spread(v, b)
		}
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code == builtin.Const {
				continue
			}
			for i := range op.NumResults() {
				l.spread(op.Result(i), b)
			}
		}
	}
	for _, vs := range l.in {
		slices.SortFunc(vs, func(a, b *ir.Value) int { return int(a.ID) - int(b.ID) })
	}
}

// spread walks back from the uses of v to its definition.
func (l *Liveness) spread(v *ir.Value, def *ir.Block) {
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		l.reach(v, u.User().Block(), def)
	}
	for len(l.work) > 0 {
		b := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		for e := b.FirstPred(); e != nil; e = e.NextPred() {
			l.reach(v, e.From(), def)
		}
	}
}

func (l *Liveness) reach(v *ir.Value, b, def *ir.Block) {
	if b == def || l.seen[b.ID] == v.ID+1 {
		return
	}
	l.seen[b.ID] = v.ID + 1
	l.in[b.ID] = append(l.in[b.ID], v)
	l.work = append(l.work, b)
}

// In returns the values live into b by Value.ID, b's arguments not among them;
// not to be changed.
func (l *Liveness) In(b *ir.Block) []*ir.Value { return l.in[b.ID] }

// LiveIn reports whether v is live into b.
func (l *Liveness) LiveIn(v *ir.Value, b *ir.Block) bool {
	_, ok := slices.BinarySearchFunc(l.in[b.ID], v.ID, func(x *ir.Value, id uint32) int { return int(x.ID) - int(id) })
	return ok
}

// LiveOut reports whether v is live into a successor of b. What b's edges pass
// dies with the edge unless it is.
func (l *Liveness) LiveOut(v *ir.Value, b *ir.Block) bool {
	for i := range b.NumSuccs() {
		if l.LiveIn(v, b.Succ(i)) {
			return true
		}
	}
	return false
}
