package passes

import (
	"slices"
	"sync"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Common subexpression elimination over the dominator tree (global value
// numbering with a scoped hash table).
//
//	%2 = pisa.iadd.32b %0, %1 : 32b
//	%3 = pisa.iadd.32b %1, %0 : 32b
//	=> every use of %3 is one of %2
//
// An op equals an earlier one that dominates it if code, qualifiers, payload,
// type and operands are the same, the first two in either order if the op
// commutes. Weak loads count as equal to a load or a store of the same bytes
// if nothing between may write them or acquire: within a block, and from a
// block to one that only it leads to. Loads of .const are never written.
// Sub-group operations and %activemask depend on the active lanes: only equal
// within a block, and never across a call.
var csePass = &Pass{
	Name: "cse", Doc: "Replace ops whose value has been computed before.",
	Stats: []string{"ops replaced", "loads replaced"},
	Needs: PISA, Keeps: analysis.KeepCFG,
	Func: cse,
}

type valueTable struct {
	c     *Ctx
	dom   *ir.Dom
	alias *analysis.Alias
	slots []int32 // hash → entry, -1 free; a power of two
	entry []valueEntry
	used  int // most entries at a time

	epoch  []uint32 // by Block.ID: number of the block's memory state at its end
	now    uint32   // epoch
	last   uint32   // epochs given
	region uint32   // grows where sub-group operations may no more be equal
}

type valueEntry struct {
	op   *ir.Op
	hash uint32
	next int32  // of the same slot
	at   uint32 // epoch, or region if it depends on the active lanes
}

// valueTables keeps the memory of tables for the next function.
var valueTables = sync.Pool{New: func() any { return new(valueTable) }}

// release gives t back, without a hold on the function.
func (t *valueTable) release() {
	t.c, t.dom, t.alias = nil, nil, nil
	t.used = max(t.used, len(t.entry)) // May may have said no in the middle
	clear(t.entry[:t.used])
	t.entry, t.used = t.entry[:0], 0
	valueTables.Put(t)
}

type cseFrame struct {
	block *ir.Block
	child int32
	mark  int // entries before the block
}

func cse(c *Ctx, f *ir.Func) bool {
	n := 64
	for n < f.NumOps() {
		n *= 2
	}
	t := valueTables.Get().(*valueTable)
	defer t.release()
	t.c, t.dom, t.alias = c, c.Dom(), c.Alias()
	t.slots = slices.Grow(t.slots[:0], n)[:n]
	t.epoch = append(t.epoch[:0], make([]uint32, f.NumBlockIDs())...)
	t.now, t.last, t.region = 0, 0, 0
	for i := range t.slots {
		t.slots[i] = -1
	}
	// Children of each block in the dominator tree, in reverse postorder.
	rpo := t.dom.RPO()
	first, sibling := make([]int32, f.NumBlockIDs()), make([]int32, len(rpo))
	for i := range first {
		first[i] = -1
	}
	for i := len(rpo) - 1; i > 0; i-- {
		d := t.dom.Idom(rpo[i])
		sibling[i] = first[d.ID]
		first[d.ID] = int32(i)
	}
	changed := false
	stack := []cseFrame{{block: f.Entry(), child: -2}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.child == -2 {
			top.mark = len(t.entry)
			ch, ok := t.block(top.block)
			changed = changed || ch
			if !ok {
				return changed
			}
			top.child = first[top.block.ID]
		}
		if top.child < 0 {
			t.leave(top.mark)
			stack = stack[:len(stack)-1]
			continue
		}
		b := rpo[top.child]
		top.child = sibling[top.child]
		stack = append(stack, cseFrame{block: b, child: -2})
	}
	return changed
}

// block looks each op of b up; ok is false when no more may be done.
func (t *valueTable) block(b *ir.Block) (changed, ok bool) {
	t.region++
	if b.NumPreds() == 1 && b != b.Func().Entry() {
		t.now = t.epoch[b.FirstPred().From().ID] // memory is as at the end of the predecessor
	} else {
		t.bump()
	}
	for op := b.First(); op != nil; {
		next := op.Next()
		k, h := t.kind(op), uint32(0)
		var old *ir.Op
		if k != never {
			h = hashOp(op)
			old = t.find(op, k, h)
		}
		if old != nil {
			if !t.c.May() {
				return changed, false
			}
			for i := range op.NumResults() {
				op.Result(i).ReplaceUses(t.result(old, i))
			}
			if op.Code == pisa.Ld {
				t.c.Count(1, 1)
			} else {
				t.c.Count(0, 1)
			}
			op.Erase()
			changed = true
		} else {
			if k != anywhere {
				t.effects(op)
			}
			t.add(op, k, h)
		}
		op = next
	}
	t.epoch[b.ID] = t.now
	return changed, true
}

// bump begins a state of memory of which nothing is known.
func (t *valueTable) bump() {
	t.last++
	t.now = t.last
}

// effects ends what op makes invalid.
func (t *valueTable) effects(op *ir.Op) {
	const order = ir.WritesMem | ir.FenceEffect | ir.Barrier | ir.Calls
	e := op.Def().Effects
	if e&(ir.Calls|ir.Barrier) != 0 {
		t.region++
	}
	if e&order != 0 || op.Code == pisa.Ld && pisa.OrderOf(op.Props) != pisa.Weak {
		// Which loads survive a store is store-forward's business.
		t.bump()
	}
}

// result is what an op that t found gives: a store gives what it stored.
func (t *valueTable) result(old *ir.Op, i int) *ir.Value {
	if old.Code == pisa.St {
		return old.Operand(old.NumOperands() - 1)
	}
	return old.Result(i)
}

// kind says how an op may be replaced.
type kind uint8

const (
	never      kind = iota
	anywhere        // equal wherever it is dominated
	sameState       // a load: while memory is the same
	sameRegion      // depends on the active lanes
)

func (t *valueTable) kind(op *ir.Op) kind {
	if op.NumResults() == 0 {
		return never
	}
	switch op.Code {
	case pisa.Ld:
		acc, _ := t.alias.AccessOf(op)
		switch {
		case acc.Immutable():
			return anywhere
		case acc.Atomic:
			return never
		}
		return sameState
	case builtin.Call, builtin.CallIndirect, builtin.ParallelCopy:
		return never
	}
	const no = ir.ReadsMem | ir.WritesMem | ir.FenceEffect | ir.Barrier | ir.Convergent | ir.Calls | ir.Terminator
	switch e := op.Def().Effects; {
	case op.Code == pisa.ReadSReg && readsActive(op), e&ir.Convergent != 0:
		return sameRegion
	case e&no == 0:
		return anywhere
	}
	return never
}

// find returns an earlier op that has the results of op.
func (t *valueTable) find(op *ir.Op, k kind, h uint32) *ir.Op {
	for i := t.slots[int(h)&(len(t.slots)-1)]; i >= 0; i = t.entry[i].next {
		e := &t.entry[i]
		if e.hash != h || !equalOps(e.op, op) {
			continue
		}
		// Entries made before are of the same state or of an earlier one.
		if k == sameState && e.at != t.now || k == sameRegion && e.at != t.region {
			return nil
		}
		return e.op
	}
	return nil
}

// add enters op for those to come.
func (t *valueTable) add(op *ir.Op, k kind, h uint32) {
	at := t.now
	switch {
	case op.Code == pisa.St && pisa.OrderOf(op.Props) == pisa.Weak:
		h = hashStore(op)
	case k == never:
		return
	case k == sameRegion:
		at = t.region
	}
	s := int(h) & (len(t.slots) - 1)
	t.entry = append(t.entry, valueEntry{op, h, t.slots[s], at})
	t.slots[s] = int32(len(t.entry) - 1)
}

// leave forgets the entries from mark on.
func (t *valueTable) leave(mark int) {
	t.used = max(t.used, len(t.entry))
	for i := len(t.entry) - 1; i >= mark; i-- {
		e := &t.entry[i]
		t.slots[int(e.hash)&(len(t.slots)-1)] = e.next
	}
	t.entry = t.entry[:mark]
}

// cacheBits are qualifiers of an access that do not change what it reads.
const cacheBits = 0x3f << 52

// loadProps is what of an access's qualifiers decides which bytes it touches.
func loadProps(op *ir.Op) uint64 {
	if op.Code == pisa.Ld || op.Code == pisa.St {
		return op.Props &^ cacheBits
	}
	return op.Props
}

func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

func hashOp(op *ir.Op) uint32 {
	h := mix(uint64(op.Code)|uint64(op.Aux)<<32, loadProps(op))
	h = mix(h, uint64(op.Result(0).Type))
	n := op.NumOperands()
	i := 0
	if commutes(op) {
		a, b := uint64(op.Operand(0).ID), uint64(op.Operand(1).ID)
		h = mix(h, a*b+a+b) // in any order
		i = 2
	}
	for ; i < n; i++ {
		h = mix(h, uint64(op.Operand(i).ID))
	}
	return uint32(h ^ h>>32)
}

// hashStore is the hash of the load that would read what op stores.
func hashStore(op *ir.Op) uint32 {
	n := op.NumOperands() - 1
	h := mix(uint64(pisa.Ld)|uint64(op.Aux)<<32, loadProps(op))
	h = mix(h, uint64(op.Operand(n).Type))
	for i := range n {
		h = mix(h, uint64(op.Operand(i).ID))
	}
	return uint32(h ^ h>>32)
}

func commutes(op *ir.Op) bool { return op.Def().Effects&ir.Commutes != 0 && op.NumOperands() >= 2 }

// equalOps compares an entry with a later op.
func equalOps(old, op *ir.Op) bool {
	if old.Code == pisa.St && op.Code == pisa.Ld {
		n := old.NumOperands() - 1
		if loadProps(old) != loadProps(op) || old.Operand(n).Type != op.Result(0).Type || n != op.NumOperands() {
			return false
		}
		for i := range n {
			if old.Operand(i) != op.Operand(i) {
				return false
			}
		}
		return true
	}
	n := op.NumOperands()
	if old.Code != op.Code || loadProps(old) != loadProps(op) || old.Aux != op.Aux || old.NumOperands() != n || old.NumResults() != op.NumResults() {
		return false
	}
	for i := range op.NumResults() {
		if old.Result(i).Type != op.Result(i).Type {
			return false
		}
	}
	i := 0
	if commutes(op) {
		a, b, x, y := old.Operand(0), old.Operand(1), op.Operand(0), op.Operand(1)
		if !(a == x && b == y || a == y && b == x) {
			return false
		}
		i = 2
	}
	for ; i < n; i++ {
		if old.Operand(i) != op.Operand(i) {
			return false
		}
	}
	return true
}
