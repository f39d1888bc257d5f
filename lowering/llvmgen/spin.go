package llvmgen

import (
	"fmt"
	"slices"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// fitsWave reports whether the work-group of a kernel, where it is required, has
// at most n work-items.
func fitsWave(f *ir.Func, n int) bool {
	r := f.ReqdWorkGroupSize
	return r[0] != 0 && uint64(r[0])*uint64(r[1])*uint64(r[2]) <= uint64(n)
}

// maxLoopNest bounds how deep nested loops are looked into.
const maxLoopNest = 64

// warnSpinLoops warns of loops that wait for another work-item: those without a
// barrier whose exit depends on an atomic load or on taking a lock. PISA lets the sub-groups of a
// work-group progress independently; two that share a wave do not, since a
// wave has one program counter: the loop runs until all its lanes leave it,
// and the lanes that would let them wait behind it.
func warnSpinLoops(f *ir.Func, wave int, diags *ir.Diags) {
	if f.IsDecl() || fitsWave(f, 32) {
		return // one sub-group has the wave to itself
	}
	s := spinFinder{f: f, comp: make([]int32, f.NumBlockIDs()), warned: make([]bool, f.NumOps())}
	var all []*ir.Block
	for _, b := range reversePostOrder(f) {
		if !hasBarrier(b) {
			all = append(all, b)
		}
	}
	type region struct {
		blocks []*ir.Block
		depth  int
	}
	work := []region{{all, 0}}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		for _, loop := range s.cycles(r.blocks) {
			if ld := s.waitedOn(loop); ld != nil && !s.warned[ld.ID] {
				s.warned[ld.ID] = true
				diags.Warn(ld.Loc, 0, codeSpinLoop, fmt.Sprintf(
					"this loop may wait forever for a work-item of the other sub-group in its wave of %d lanes", wave),
					ir.DiagNote{Text: "sub-groups that share a wave do not progress independently; a barrier.workgroup in the loop, or a work-group of at most 32 work-items, avoids it"})
			}
			// Without its entry, the cycle falls apart into the loops nested in it.
			if r.depth < maxLoopNest && len(loop) > 1 {
				work = append(work, region{loop[1:], r.depth + 1})
			}
		}
	}
}

func hasBarrier(b *ir.Block) bool {
	for o := b.First(); o != nil; o = o.Next() {
		if o.Code == pisa.BarrierWorkgroup {
			return true
		}
	}
	return false
}

// spinFinder finds cycles. comp is the number of the region or component that a
// block was last put in, by Block.ID.
type spinFinder struct {
	f      *ir.Func
	comp   []int32
	next   int32
	warned []bool // by Op.ID
}

// cycles cuts the subgraph of blocks, which are in reverse post-order, into
// strongly connected components and returns those that are cycles, each in the
// same order (Tarjan's algorithm without recursion).
func (s *spinFinder) cycles(blocks []*ir.Block) [][]*ir.Block {
	s.next++
	region := s.next
	pos := make(map[*ir.Block]int, len(blocks))
	for i, b := range blocks {
		s.comp[b.ID] = region
		pos[b] = i
	}
	index, low := make([]int, len(blocks)), make([]int, len(blocks))
	var stack []int
	type frame struct{ v, succ int }
	var out [][]*ir.Block
	n := 0
	for root := range blocks {
		if index[root] != 0 {
			continue
		}
		calls := []frame{{root, 0}}
		for len(calls) > 0 {
			c := &calls[len(calls)-1]
			b := blocks[c.v]
			if c.succ == 0 {
				n++
				index[c.v], low[c.v] = n, n
				stack = append(stack, c.v)
			}
			if c.succ < b.NumSuccs() {
				t := b.Succ(c.succ)
				c.succ++
				if s.comp[t.ID] != region {
					continue
				}
				w := pos[t]
				if index[w] == 0 {
					calls = append(calls, frame{w, 0})
				} else {
					low[c.v] = min(low[c.v], index[w])
				}
				continue
			}
			v := c.v
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				p := calls[len(calls)-1].v
				low[p] = min(low[p], low[v])
			}
			if low[v] == index[v] {
				stack = s.pop(stack, v, blocks, &out)
			}
		}
	}
	return out
}

// pop takes the component of root v off the stack; a cycle goes to out.
func (s *spinFinder) pop(stack []int, v int, blocks []*ir.Block, out *[][]*ir.Block) []int {
	k := len(stack) - 1
	for stack[k] != v {
		k--
	}
	comp := stack[k:]
	slices.Sort(comp)
	s.next++
	for _, w := range comp {
		s.comp[blocks[w].ID] = s.next
	}
	cycle := len(comp) > 1
	if !cycle {
		for i := range blocks[v].NumSuccs() {
			cycle = cycle || blocks[v].Succ(i) == blocks[v]
		}
	}
	if cycle {
		loop := make([]*ir.Block, len(comp))
		for i, w := range comp {
			loop[i] = blocks[w]
		}
		*out = append(*out, loop)
	}
	return stack[:k]
}

// takesLock reports an atomic operation that does the same at every trip, such
// as an exchange of 1 or a compare-and-swap of 0 and 1: what ends the loop is
// then what others do. One whose operands change retries; one that counts gets
// on by itself.
func takesLock(o *ir.Op, inside func(*ir.Block) bool) bool {
	at := source(o, 0)
	switch pisa.AtomicOp(pisa.OpOf(o.Props)) {
	case pisa.AtomCas, pisa.AtomXchg, pisa.AtomAnd, pisa.AtomOr:
	case pisa.AtomAdd, pisa.AtomSub:
		if c, ok := constOf(o.Operand(at)); !ok || c != 0 {
			return false
		}
	default:
		return false
	}
	for i := at; i < o.NumOperands(); i++ {
		v := o.Operand(i)
		if _, ok := constOf(v); !ok && inside(v.Block()) {
			return false
		}
	}
	return true
}

// chooser returns the condition of the branch by which control came to the end
// of b, by way of blocks with one predecessor; nil if there is none in the loop.
func chooser(b *ir.Block, inside func(*ir.Block) bool) *ir.Value {
	for range maxLoopNest {
		if !inside(b) {
			return nil
		}
		if last := b.Last(); last.Code == builtin.CondBr {
			return last.Operand(0)
		}
		e := b.FirstPred()
		if e == nil || e.NextPred() != nil {
			return nil
		}
		b = e.From()
	}
	return nil
}

// waitedOn returns an atomic load in the loop that a branch out of it depends
// on, nil if there is none.
func (s *spinFinder) waitedOn(loop []*ir.Block) *ir.Op {
	id := s.comp[loop[0].ID]
	inside := func(b *ir.Block) bool { return s.comp[b.ID] == id }
	var work []*ir.Value
	seen := make(map[*ir.Value]bool)
	push := func(v *ir.Value) {
		if !seen[v] && inside(v.Block()) {
			seen[v] = true
			work = append(work, v)
		}
	}
	for _, b := range loop {
		if last := b.Last(); last.Code == builtin.CondBr && (!inside(b.Succ(0)) || !inside(b.Succ(1))) {
			push(last.Operand(0))
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v.IsArg() {
			var first *ir.Value
			merges := false
			for e := v.Block().FirstPred(); e != nil; e = e.NextPred() {
				if inside(e.From()) {
					a := e.Arg(v.Index())
					push(a)
					merges = merges || first != nil && a != first
					first = a
				}
			}
			if merges { // which value it is depends on the branches to here
				for e := v.Block().FirstPred(); e != nil; e = e.NextPred() {
					if c := chooser(e.From(), inside); c != nil {
						push(c)
					}
				}
			}
			continue
		}
		o := v.Op()
		if o.Code == pisa.Ld && pisa.OrderOf(o.Props) != pisa.Weak || o.Code == pisa.IAtom && takesLock(o, inside) {
			return o
		}
		for i := range o.NumOperands() {
			push(o.Operand(i))
		}
	}
	return nil
}
