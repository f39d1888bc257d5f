package machine

import (
	"slices"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Waitcnt makes every instruction wait for the memory instructions that its
// registers depend on.
//
//	v1 = global_load_b32 …         v1 = global_load_b32 …
//	v2 = global_load_b32 …    →    v2 = global_load_b32 …
//	v3 = v_add_u32 v1, v0          s_waitcnt vmcnt(1)
//	                               v3 = v_add_u32 v1, v0
//
// A wait names how many younger events may be outstanding; it is the largest
// number that suffices on every path. What a pending load will write may
// neither be read nor written; what a store reads may be overwritten, since
// all chips here read it at issue. Waits of the memory model are left standing
// and only made stronger.
func Waitcnt(c *Ctx, f *ir.Func) {
	w := waitcnt{ctx: c, counters: c.Target.Counters(), blocks: make([]waitBlock, f.NumBlockIDs())}
	order := physicalOrder(f)
	w.blocks[f.Entry().ID].dirty = true
	for round, changed := 0, true; changed; round++ {
		changed = false
		for _, b := range order {
			if w.blocks[b.ID].dirty {
				w.meet(b, round >= meetRounds)
				w.block(b, false)
				changed = w.leave(b) || changed
			}
		}
	}
	merged := map[*ir.Op]*ir.Op{}
	for _, b := range order {
		if w.blocks[b.ID].reached {
			w.block(b, true)
		}
		mergeWaits(c, b, merged)
	}
	c.replaceOps(merged)
}

// waitcnt is the state while walking a block. Each event of a counter has a
// number; a register has the youngest that will write it. Those at or below
// done[c] are complete.
type waitcnt struct {
	ctx      *Ctx
	counters *target.Counters
	blocks   []waitBlock

	last, done [target.NumCounters]uint32
	event      [target.NumCounters][ir.RegEnd]uint32
	unordered  [target.NumCounters]bool // only 0 says that an event is complete
	touched    []uint32                 // keys of what was set in this block
	out        []pending
}

// waitBlock is what may be outstanding at a block's head and at its end.
type waitBlock struct {
	in, out        []pending                // by key
	inAny, outAny  [target.NumCounters]bool // events in any order
	dirty, reached bool
}

// meetRounds is after how many rounds incoming states only grow. A state that
// has more outstanding makes for stronger waits and so for less outstanding at
// the end, so that iterating need not end otherwise; it does in all but
// contrived cases, and then no wait is stronger than need be.
const meetRounds = 6

// pending is a register that an outstanding event will write: its key in the
// upper half, in the lower how many events of the counter are younger.
type pending uint64

func pendingKey(c int, r ir.Reg) uint32 { return uint32(r)*target.NumCounters + uint32(c) }

func (p pending) key() uint32             { return uint32(p >> 32) }
func (p pending) age() uint32             { return uint32(p) }
func (p pending) counter() int            { return int(p.key() % target.NumCounters) }
func (p pending) reg() ir.Reg             { return ir.Reg(p.key() / target.NumCounters) }
func makePending(key, age uint32) pending { return pending(key)<<32 | pending(age) }

// block walks b. With emit it inserts waits.
func (w *waitcnt) block(b *ir.Block, emit bool) {
	w.enter(&w.blocks[b.ID])
	var next *ir.Op
	for op := b.First(); op != nil; op = next {
		next = op.Next()
		if !amdgpu.IsMachine(op.Code) {
			continue
		}
		if need, ok := amdgpu.WaitOf(op); ok {
			w.wait(need)
			continue
		}
		need := w.needed(op)
		if need != amdgpu.NoWaits {
			w.wait(need)
			if emit {
				insertWait(w.ctx.Target, op, need)
			}
		}
		w.issue(op)
	}
}

func (w *waitcnt) enter(b *waitBlock) {
	w.done = w.last
	w.unordered = b.inAny
	w.touched = w.touched[:0]
	for c := range w.last {
		w.last[c] += uint32(w.counters.Max[c]) + 1
	}
	for _, p := range b.in {
		c := p.counter()
		w.event[c][p.reg()] = w.last[c] - p.age()
		w.touched = append(w.touched, p.key())
	}
}

// needed is what op's registers must wait for.
func (w *waitcnt) needed(op *ir.Op) amdgpu.WaitFor {
	need := amdgpu.NoWaits
	for i := range op.NumPlainOperands() {
		w.need(&need, op.Operand(i))
	}
	for i := range op.NumResults() {
		w.need(&need, op.Result(i))
	}
	return need
}

func (w *waitcnt) need(need *amdgpu.WaitFor, v *ir.Value) {
	if v.Reg == ir.NoReg || v.Reg == ir.RegSCC {
		return
	}
	for c := range need {
		if w.last[c] == w.done[c] {
			continue
		}
		for _, e := range w.event[c][v.Reg : v.Reg+ir.Reg(v.Type.Lanes())] {
			if e <= w.done[c] {
				continue
			}
			// The greatest count means no wait: the counter's own limit would
			// have to be relied on.
			n := min(int(w.last[c]-e), w.counters.Max[c]-1)
			if w.unordered[c] {
				n = 0
			}
			if need[c] < 0 || n < need[c] {
				need[c] = n
			}
		}
	}
}

func (w *waitcnt) wait(need amdgpu.WaitFor) {
	for c, n := range need {
		if n < 0 || n > 0 && w.unordered[c] {
			continue
		}
		if left := w.last[c] - min(uint32(n), w.last[c]); left > w.done[c] {
			w.done[c] = left
		}
		if n == 0 {
			w.unordered[c] = false
		}
	}
}

// issue counts op's events. A cache operation is left out: whether the
// hardware counts it makes no difference to what a smaller number waits for.
func (w *waitcnt) issue(op *ir.Op) {
	e, ok := amdgpu.EventOf(op)
	if !ok || e == target.EventWriteBack || e == target.EventInv {
		return
	}
	of := w.counters.Of[e]
	for c := range w.last {
		if of>>c&1 == 0 {
			continue
		}
		w.last[c]++
		switch e {
		case target.EventScalar:
			w.unordered[c] = true
		case target.EventFlatLoad, target.EventFlatStore:
			w.unordered[c] = w.unordered[c] || !w.counters.FlatInOrder
		}
		for i := range op.NumResults() {
			v := op.Result(i)
			if v.Reg == ir.NoReg || v.Reg == ir.RegSCC {
				continue
			}
			for r := v.Reg; r < v.Reg+ir.Reg(v.Type.Lanes()); r++ {
				w.event[c][r] = w.last[c]
				w.touched = append(w.touched, pendingKey(c, r))
			}
		}
	}
}

// meet makes the incoming state of b from what its predecessors leave; with
// grow it keeps what was there before.
func (w *waitcnt) meet(b *ir.Block, grow bool) {
	wb := &w.blocks[b.ID]
	wb.dirty = false
	if !grow {
		wb.in, wb.inAny = nil, [target.NumCounters]bool{}
	}
	for e := b.FirstPred(); e != nil; e = e.NextPred() {
		from := &w.blocks[e.From().ID]
		for c := range wb.inAny {
			wb.inAny[c] = wb.inAny[c] || from.outAny[c]
		}
		wb.in, _ = mergePending(wb.in, from.out)
	}
}

// leave notes what is outstanding at the end of b and reports whether that is
// news for a successor.
func (w *waitcnt) leave(b *ir.Block) bool {
	slices.Sort(w.touched)
	w.out = w.out[:0]
	for _, key := range slices.Compact(w.touched) {
		p := makePending(key, 0)
		c := p.counter()
		if e := w.event[c][p.reg()]; e > w.done[c] {
			w.out = append(w.out, makePending(key, min(w.last[c]-e, uint32(w.counters.Max[c]))))
		}
	}
	wb := &w.blocks[b.ID]
	if wb.reached && wb.outAny == w.unordered && slices.Equal(wb.out, w.out) {
		return false
	}
	wb.reached, wb.outAny = true, w.unordered
	// Others may share the old list.
	wb.out = slices.Clone(w.out)
	for i := range b.NumSuccs() {
		w.blocks[b.Succ(i).ID].dirty = true
	}
	return b.NumSuccs() > 0
}

// mergePending is the union, with the younger event for a register that is in
// both, and whether it differs from a.
func mergePending(a, b []pending) (merged []pending, more bool) {
	i := 0
	for _, p := range b {
		for i < len(a) && a[i].key() < p.key() {
			i++
		}
		if i == len(a) || a[i].key() != p.key() || p.age() < a[i].age() {
			more = true
			break
		}
	}
	if !more {
		return a, false
	}
	merged = make([]pending, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].key() < b[0].key():
			merged, a = append(merged, a[0]), a[1:]
		case a[0].key() > b[0].key():
			merged, b = append(merged, b[0]), b[1:]
		default:
			merged, a, b = append(merged, min(a[0], b[0])), a[1:], b[1:]
		}
	}
	return append(append(merged, a...), b...), true
}
