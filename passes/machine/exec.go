package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// Exec makes instructions that set the execution mask out of logical edges.
//
//	^d: t_diverge %c, ^t, ^j        ^d: %s, %1 = s_and_saveexec_b32 %c
//	                                    t_diverge %c, ^t, ^j
//	^t: …; t_fall ^j            =>  ^t: p_skip.by1; …; t_fall ^j
//	^j: …                           ^j: %2 = s_mov_b32 %s : s1@exec; …
//
// In: blocks in linear order (lowering/isel/flow says what that is). Out: the
// same, and at the head of each block exec is the set of lanes that are
// logically there. Promise: right for every flow graph in that form; no block
// with memory accesses, barriers or loops is executed without lanes.
//
// What exec is at a block's head is found in one of these ways, the cheapest
// that holds (modes). Here D…X are the blocks from D up to X in order, and an
// edge escapes from them if it leads beyond X.
//
//   - It is so already: every way into X brings X's lanes, and no others wait.
//   - It is what it was at D, if lanes enter D…X only by D and none escapes.
//   - It is what it was at D without the lanes that are in exec now, if they
//     are all that escape, from the block before X.
//   - It is what it was at D under D's condition, if D is X's only predecessor.
//   - It is what it was at D without the lanes that wait at other blocks, for
//     which they must be kept track of.
//   - Else the lanes that wait at X are kept track of in a mask register, which
//     every edge to X adds to.
//
// A mask register is set, not added to, or cleared, in a block D before X in
// the same loops, such that lanes enter D…X only by D. So no way of the wave
// misses that, not even one that skips blocks: blocks are skipped from B up to
// N only if lanes enter B…N by B alone, which has none then.
func Exec(c *Ctx, f *ir.Func) {
	x := newExecutor(c, f)
	if x == nil {
		return
	}
	x.findLoops()
	x.findEdges()
	x.findModes()
	x.findSkips()
	if x.findMasks() {
		x.emit()
	}
}

// mode is how exec gets to be right at a block's head.
type mode uint8

const (
	modeCarry  mode = iota // it is
	modeNone               // the function ends: nothing executes
	modeSaved              // exec at base
	modeOthers             // exec at base without exec now
	modeCond               // exec at base, and base's condition
	modeExcept             // exec at base without who waits elsewhere
	modeAdd                // exec now and who waits
	modeWait               // who waits
)

// block is what Exec knows of the block at a place in linear order.
type block struct {
	b       *ir.Block
	loop    int32 // innermost, -1 for none
	minFrom int32 // place of the first predecessor
	maxFrom int32
	key     uint64 // equal keys: lanes enter between two blocks only by the first, and none escapes
	prev    int32  // the block before with the same key, -1 for none
	mode    mode
	base    int32
	others  []int32 // modeExcept: blocks where lanes wait
	tracked bool    // lanes that wait here are kept track of
	saves   bool    // exec at the head is needed further on
	mask    int32   // tracked: which mask register, -1 for a value
	maskVal *ir.Value
	clears  []int32 // blocks whose mask registers are set or cleared at the end
	skip    int32   // without lanes the wave goes on there, 0 for no skip
}

// lloop is a loop in linear order.
type lloop struct {
	first, last int32
	parent      int32
	depth       int32
}

type executor struct {
	c      *Ctx
	f      *ir.Func
	blocks []block
	pos    []int32 // by Block.ID
	loops  []lloop // by first block: outer before inner
	budget int     // blocks that searches may still look at
	byKey  map[uint64]int32

	maskT ir.Type
	ops   *maskOps
	masks []ir.Reg             // mask registers
	saved map[uint64]*ir.Value // by key: exec at heads
	bl    ir.Builder
}

// maskOps are the instructions for masks of one size.
type maskOps struct{ mov, and, andNot1, or, andSave, andNot0Save ir.Code }

var maskOpsOf = [...]maskOps{
	1: {amdgpu.SMovB32, amdgpu.SAndB32, amdgpu.SAndNot1B32, amdgpu.SOrB32, amdgpu.SAndSaveexecB32, amdgpu.SAndNot0SaveexecB32},
	2: {amdgpu.SMovB64, amdgpu.SAndB64, amdgpu.SAndNot1B64, amdgpu.SOrB64, amdgpu.SAndSaveexecB64, amdgpu.SAndNot0SaveexecB64},
}

// newExecutor numbers the blocks. The last one returns.
func newExecutor(c *Ctx, f *ir.Func) *executor {
	if f.LastBlock().Last().Code != amdgpu.TRet {
		var bl ir.Builder
		b := f.NewBlock()
		bl.AtEnd(b)
		bl.Loc = f.Loc
		bl.Op(amdgpu.TRet, 0)
	}
	if f.NumBlocks() == 1 {
		return nil
	}
	n := c.Target.Wave / 32
	x := &executor{c: c, f: f, maskT: ir.Regs(ir.SGPR, n), ops: &maskOpsOf[n]}
	x.blocks = make([]block, f.NumBlocks())
	x.pos = make([]int32, f.NumBlockIDs())
	i := int32(0)
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		x.pos[b.ID] = i
		x.blocks[i] = block{b: b, loop: -1, minFrom: -1, maxFrom: -1, base: -1, mask: -1}
		i++
	}
	x.budget = 32*len(x.blocks) + 1024
	return x
}

// findLoops finds the loops in linear order: an edge that leads back makes one.
func (x *executor) findLoops() {
	latch := make([]int32, len(x.blocks)) // by header: 1 + latch
	for i := range x.blocks {
		t := x.blocks[i].b.Last()
		for k := range t.NumSuccs() {
			h := x.pos[t.Succ(k).To().ID]
			if h > int32(i) {
				continue
			}
			if latch[h] != 0 || t.NumSuccs() != 1 || t.Code == amdgpu.TFall {
				panic("machine: " + x.f.Name + ": an edge back that is not the loop's only one")
			}
			latch[h] = int32(i) + 1
		}
	}
	open := int32(-1)
	for i := range x.blocks {
		for open >= 0 && x.loops[open].last < int32(i) {
			open = x.loops[open].parent
		}
		if latch[i] != 0 {
			lp := lloop{first: int32(i), last: latch[i] - 1, parent: open, depth: 1}
			if open >= 0 {
				if lp.last > x.loops[open].last {
					panic("machine: " + x.f.Name + ": loops overlap")
				}
				lp.depth = x.loops[open].depth + 1
			}
			open = int32(len(x.loops))
			x.loops = append(x.loops, lp)
		}
		x.blocks[i].loop = open
	}
}

// mixed scatters the numbers of edges, so that sums of them are equal only if
// they are of the same edges.
func mixed(z uint64) uint64 {
	z = (z + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// edgeNumber tells edges apart.
func edgeNumber(from int32, k int) uint64 { return mixed(2*uint64(from) + uint64(k)) }

// findEdges fills in predecessors and keys. The key of X less that of D is the
// sum of the edges from D…X less that of those to behind D up to X.
func (x *executor) findEdges() {
	in := make([]uint64, len(x.blocks))
	for i := range x.blocks {
		t := x.blocks[i].b.Last()
		for k := range t.NumSuccs() {
			to := x.pos[t.Succ(k).To().ID]
			in[to] += edgeNumber(int32(i), k)
			y := &x.blocks[to]
			if y.minFrom < 0 {
				y.minFrom = int32(i)
			}
			y.maxFrom = int32(i)
		}
	}
	key := uint64(0)
	x.byKey = make(map[uint64]int32, len(x.blocks))
	for i := range x.blocks {
		x.blocks[i].key = key - in[i]
		key -= in[i]
		t := x.blocks[i].b.Last()
		for k := range t.NumSuccs() {
			key += edgeNumber(int32(i), k)
		}
	}
}

// What falls may say beside which edge's lanes they are.
const (
	lanesElsewhere = -1 // those in exec are not for the next block
	lanesAll       = 2
	lanesNone      = 3
)

// falls reports that the wave may go on from the block at place i to the next
// one, and with which edge's lanes.
func (x *executor) falls(i int32) (falls bool, k int) {
	t := x.blocks[i].b.Last()
	switch t.Code {
	case amdgpu.TFall:
		if x.pos[t.Succ(0).To().ID] == i+1 {
			return true, lanesAll
		}
		return true, lanesElsewhere
	case amdgpu.TDiverge:
		for k := range 2 {
			if x.pos[t.Succ(k).To().ID] == i+1 {
				return true, k
			}
		}
		return true, lanesElsewhere
	case amdgpu.TLoop:
		return true, lanesNone
	}
	return false, lanesElsewhere
}

// jumps reports a terminator by which the wave goes where its lanes go.
func jumps(t *ir.Op) bool {
	return t.Code == amdgpu.TJump || t.Code == amdgpu.TCond || t.Code == amdgpu.TLoop
}

// follows reports that the wave goes along edge e into the block at place i at
// once, with the lanes that e is for.
func (x *executor) follows(e *ir.Edge, i int32) bool {
	if jumps(e.Op()) {
		return true
	}
	if x.pos[e.From().ID] != i-1 {
		return false
	}
	_, k := x.falls(i - 1)
	return k >= 0 && k != lanesNone
}

// findModes chooses how exec gets right. The blocks come last to first, so
// that it is known where lanes are kept track of further on.
func (x *executor) findModes() {
	for i := range x.blocks {
		b := &x.blocks[i]
		b.prev = -1
		if d, ok := x.byKey[b.key]; ok {
			b.prev = d
		}
		x.byKey[b.key] = int32(i)
	}
	for i := int32(len(x.blocks)) - 1; i > 0; i-- {
		b := &x.blocks[i]
		if b.prev >= 0 { // byKey has the last block before i of each key
			x.byKey[b.key] = b.prev
		} else {
			delete(x.byKey, b.key)
		}
		x.findMode(i)
	}
}

func (x *executor) findMode(i int32) {
	b := &x.blocks[i]
	if t := b.b.Last(); t.Code == amdgpu.TRet && onlyOp(b.b) {
		b.mode = modeNone
		return
	}
	falls, k := x.falls(i - 1)
	carried := !falls || k >= 0
	all := carried
	jump := false
	for e := b.b.FirstPred(); e != nil; e = e.NextPred() {
		all = all && x.follows(e, i)
		jump = jump || jumps(e.Op())
	}
	switch {
	case all && b.b.FirstPred() != nil:
		b.mode = modeCarry
		return
	case b.loop >= 0 && x.loops[b.loop].first == i:
		panic("machine: " + x.f.Name + ": lanes wait at the first block of a loop")
	case b.prev >= 0:
		b.mode = modeSaved
		x.keep(i, b.prev)
		return
	}
	if d, ok := x.lastEscape(i); ok && !jump {
		b.mode = modeOthers
		x.keep(i, d)
		return
	}
	d := x.entered(i)
	if e := b.b.FirstPred(); e.NextPred() == nil && x.pos[e.From().ID] == d && e.Op().Code == amdgpu.TDiverge {
		b.mode = modeCond
		x.keep(i, d)
		return
	}
	b.mode = modeWait
	if carried && (falls && k != lanesNone || jump) {
		b.mode = modeAdd
	}
	direct := x.weight(i) + x.trackingCost(i)
	if others, cost := x.exceptCost(d, i); cost < direct {
		b.mode, b.others = modeExcept, others
		if len(others) == 0 { // all that escapes are jumps, behind which the wave is not here
			b.mode = modeSaved
		}
		x.keep(i, d)
		for _, w := range others {
			x.blocks[w].tracked = true
		}
		return
	}
	b.tracked = true
}

// keep makes exec at block d the base of block i's.
func (x *executor) keep(i, d int32) {
	x.blocks[i].base = d
	x.blocks[d].saves = true
}

// onlyOp reports a block that is nothing but its terminator.
func onlyOp(b *ir.Block) bool { return b.First() == b.Last() }

// lastEscape finds D such that lanes enter D…X only by D, and escape only from
// the block before X.
func (x *executor) lastEscape(i int32) (int32, bool) {
	t := x.blocks[i-1].b.Last()
	if t.Code != amdgpu.TFall && t.Code != amdgpu.TDiverge {
		return -1, false
	}
	key := x.blocks[i].key
	for k := range t.NumSuccs() {
		if x.pos[t.Succ(k).To().ID] != i {
			key -= edgeNumber(i-1, k)
		}
	}
	d, ok := x.byKey[key]
	return d, ok
}

// entered finds D, the last block before X in the same loops such that lanes
// enter D…X only by D.
func (x *executor) entered(i int32) int32 {
	lp := x.blocks[i].loop
	low := int32(0) // always good
	if lp >= 0 {
		low = x.loops[lp].first
	}
	d := i
	for y := i; y > low; y-- {
		if x.budget--; x.budget < 0 {
			return low
		}
		b := &x.blocks[y]
		if b.loop != lp {
			// A loop that ends before X: D is before its first block.
			in := b.loop
			for x.loops[in].parent != lp {
				in = x.loops[in].parent
				x.budget--
			}
			d = min(d, x.loops[in].first-1)
		}
		if y == d && y < i {
			return d
		}
		if b.minFrom >= 0 {
			d = min(d, b.minFrom)
		} else {
			d = min(d, y-1)
		}
	}
	return low
}

// weight is how often the block at place i is executed, about.
func (x *executor) weight(i int32) int {
	if lp := x.blocks[i].loop; lp >= 0 {
		return 1 << (3 * min(x.loops[lp].depth, 6))
	}
	return 1
}

// trackingCost is what it costs to keep track of the lanes that wait at the
// block at place i.
func (x *executor) trackingCost(i int32) int {
	if x.blocks[i].tracked {
		return 0
	}
	cost := 0
	for e := x.blocks[i].b.FirstPred(); e != nil; e = e.NextPred() {
		if !x.waits(e) {
			continue
		}
		w := x.weight(x.pos[e.From().ID])
		if e.Op().Code == amdgpu.TDiverge {
			w *= 2
		}
		cost += w
	}
	return cost
}

// exceptCost is the blocks where lanes wait that left D…X, and what it costs
// to find X's lanes by them; beyond 3 blocks it is not considered.
func (x *executor) exceptCost(d, i int32) (others []int32, cost int) {
	const most = 1 << 30
	for u := d; u < i; u++ {
		if x.budget--; x.budget < 0 {
			return nil, most
		}
		t := x.blocks[u].b.Last()
		if jumps(t) {
			continue // all lanes go, and the wave with them
		}
	edges:
		for k := range t.NumSuccs() {
			w := x.pos[t.Succ(k).To().ID]
			if w <= i {
				continue
			}
			for _, o := range others {
				if o == w {
					continue edges
				}
			}
			if len(others) == 3 {
				return nil, most
			}
			others = append(others, w)
			cost += x.trackingCost(w) + x.weight(i)
		}
	}
	return others, cost + x.weight(d)
}

// waits reports that lanes which take e wait, if they are kept track of.
func (x *executor) waits(e *ir.Edge) bool {
	i := x.pos[e.To().ID]
	return x.blocks[i].mode == modeWait || !x.follows(e, i)
}
