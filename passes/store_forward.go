package passes

import (
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Forwarding of stores and loads to later loads of the same bytes.
//
//	pisa.st.shared.32b [%p], %x
//	%1 = pisa.ld.shared.32b [%p] : 32b
//	%2 = pisa.ld.shared.32b [%p] : 32b
//	=> %1 and %2 are %x
//
// Both accesses are weak, and between them, on every path, nothing writes the
// bytes and nothing lets the work-item see what others wrote: no call, barrier,
// fence or acquiring access, but for private and constant memory. That is less
// than PISA's data-race rule would allow.
var storeForwardPass = &Pass{
	Name: "store-forward", Doc: "Replace loads by values stored or loaded before.",
	Stats: []string{"loads that take a stored value", "loads that take a loaded value"},
	Needs: PISA, Keeps: analysis.KeepCFG,
	Func: storeForward,
}

const (
	maxKnown      = 32 // accesses whose bytes are known at one point
	maxRegion     = 32 // blocks between a join and its dominator that are looked at
	maxRegionOps  = 64 // and ops in them that may write
	maxLost       = 16 // accesses remembered for remarks on what intervened
	checksPerOp   = 16
	checksAtLeast = 1 << 12
)

// knownBytes is an access and the value that its bytes have.
type knownBytes struct {
	acc    analysis.Access
	val    *ir.Value
	loaded bool
}

type forwarder struct {
	c        *Ctx
	f        *ir.Func
	alias    *analysis.Alias
	dom      *ir.Dom
	pool     []knownBytes
	end      [][]int32  // by Block.ID: what is known at the end, oldest first
	clobbers [][]*ir.Op // by Block.ID: what may write or order
	seen     []uint32   // by Block.ID: 1 + ID of the join that walked through
	work     []*ir.Block
	checks   int // of joins that are left
	lost     []lostBytes
	stopped  bool
	changed  bool
}

// lostBytes is an access and what made its bytes unknown.
type lostBytes struct {
	id int32
	by *ir.Op
}

func storeForward(c *Ctx, f *ir.Func) bool {
	w := forwarder{
		c: c, f: f, alias: c.Alias(), dom: c.Dom(),
		end: make([][]int32, f.NumBlockIDs()), clobbers: make([][]*ir.Op, f.NumBlockIDs()), seen: make([]uint32, f.NumBlockIDs()),
		checks: checksPerOp*f.NumOps() + checksAtLeast,
	}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if mayClobber(op) {
				w.clobbers[b.ID] = append(w.clobbers[b.ID], op)
			}
		}
	}
	var tab []int32
	for _, b := range w.dom.RPO() {
		tab = w.start(tab[:0], b)
		if tab = w.block(tab, b); w.stopped {
			break
		}
		w.end[b.ID] = append([]int32(nil), tab...)
	}
	return w.changed
}

// mayClobber reports ops that can make known bytes unknown.
func mayClobber(op *ir.Op) bool {
	if op.Code == pisa.Ld {
		return pisa.OrderOf(op.Props).Acquires()
	}
	return op.Def().Effects&(ir.WritesMem|ir.FenceEffect|ir.Barrier|ir.Calls) != 0
}

// start is what is known where b begins.
func (w *forwarder) start(tab []int32, b *ir.Block) []int32 {
	d := w.dom.Idom(b)
	if d == nil || len(w.end[d.ID]) == 0 {
		return tab
	}
	tab = append(tab, w.end[d.ID]...)
	if b.NumPreds() == 1 {
		return tab
	}
	// Paths from d to b lead through what reaches b backwards without d.
	w.work = w.work[:0]
	w.between(b, b, d)
	blocks, ops := 0, 0
	for len(w.work) > 0 {
		x := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		blocks, ops = blocks+1, ops+len(w.clobbers[x.ID])
		w.checks -= len(tab) * len(w.clobbers[x.ID])
		if blocks > maxRegion || ops > maxRegionOps || w.checks < 0 {
			return tab[:0]
		}
		for _, op := range w.clobbers[x.ID] {
			tab = w.filter(tab, op)
		}
		if len(tab) == 0 {
			return tab
		}
		w.between(x, b, d)
	}
	return tab
}

// between queues the predecessors of x but d.
func (w *forwarder) between(x, join, d *ir.Block) {
	for e := x.FirstPred(); e != nil; e = e.NextPred() {
		if p := e.From(); p != d && w.seen[p.ID] != join.ID+1 && w.dom.Reachable(p) {
			w.seen[p.ID] = join.ID + 1
			w.work = append(w.work, p)
		}
	}
}

// filter removes from tab what op may write or make stale.
func (w *forwarder) filter(tab []int32, op *ir.Op) []int32 {
	n := 0
	for _, id := range tab {
		if !w.alias.Writes(op, &w.pool[id].acc) {
			tab[n] = id
			n++
		} else if w.c.WantsRemarks() {
			if len(w.lost) == maxLost {
				w.lost = append(w.lost[:0], w.lost[1:]...)
			}
			w.lost = append(w.lost, lostBytes{id, op})
		}
	}
	return tab[:n]
}

// block forwards within b.
func (w *forwarder) block(tab []int32, b *ir.Block) []int32 {
	for op := b.First(); op != nil && !w.stopped; {
		next := op.Next()
		switch {
		case op.Code == pisa.Ld && pisa.OrderOf(op.Props) == pisa.Weak:
			if pisa.FCache.Get(op.Props) == 0 { // a hint on where to read is kept
				tab = w.load(tab, op)
			}
		case mayClobber(op):
			tab = w.filter(tab, op)
			if op.Code == pisa.St && pisa.OrderOf(op.Props) == pisa.Weak {
				acc, _ := w.alias.AccessOf(op)
				tab = w.know(tab, knownBytes{acc, op.Operand(op.NumOperands() - 1), false})
			}
		}
		op = next
	}
	return tab
}

func (w *forwarder) know(tab []int32, k knownBytes) []int32 {
	if len(tab) == maxKnown {
		copy(tab, tab[1:])
		tab = tab[:maxKnown-1]
	}
	w.pool = append(w.pool, k)
	return append(tab, int32(len(w.pool)-1))
}

// load replaces a load by a known value, or makes its value known.
func (w *forwarder) load(tab []int32, op *ir.Op) []int32 {
	acc, _ := w.alias.AccessOf(op)
	for i := len(tab) - 1; i >= 0; i-- {
		k := &w.pool[tab[i]]
		index, ok := w.covers(k, &acc)
		if !ok {
			continue
		}
		if w.stopped = !w.c.May(); w.stopped {
			return tab
		}
		w.replace(op, k, index)
		return tab
	}
	for _, l := range w.lost {
		if _, ok := w.covers(&w.pool[l.id], &acc); ok {
			w.c.Remark(Missed, "NotForwarded", w.f, op.Loc, "the bytes are known before %s, which may change them", l.by.Def().Name)
			break
		}
	}
	return w.know(tab, knownBytes{acc, op.Result(0), true})
}

// covers reports that k has the bytes that x reads: all of its value, then
// index is -1, or an element of it.
func (w *forwarder) covers(k *knownBytes, x *analysis.Access) (index int, ok bool) {
	switch w.alias.Alias(&k.acc, x) {
	case analysis.MustAlias:
		return -1, true
	case analysis.Overlap:
		t := k.val.Type
		size := int64(t.ElemBits() / 8)
		d, ok := k.acc.Ptr.Difference(&x.Ptr)
		ok = ok && d >= 0 && d%size == 0 && d/size < int64(t.Lanes()) && x.Op.Result(0).Type == t.Elem()
		return int(d / size), ok
	}
	return 0, false
}

func (w *forwarder) replace(op *ir.Op, k *knownBytes, index int) {
	var bl ir.Builder
	bl.Before(op)
	bl.Loc = op.Loc
	v, t := k.val, op.Result(0).Type
	switch {
	case index >= 0:
		v = bl.Value(pisa.Extract, elemProps(t, index), t, v)
	case v.Type != t:
		v = bl.Value(pisa.Bitcast, 0, t, v)
	}
	w.changed = true
	if k.loaded {
		w.c.Count(1, 1)
		w.c.Remark(Passed, "LoadReused", w.f, op.Loc, "the bytes were loaded before")
	} else {
		w.c.Count(0, 1)
		w.c.Remark(Passed, "StoreForwarded", w.f, op.Loc, "the bytes were stored before")
	}
	op.Result(0).ReplaceUses(v)
	op.Erase()
}
