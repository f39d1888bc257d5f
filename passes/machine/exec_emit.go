package machine

import (
	"slices"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/ir"
)

// skipCost is how many instructions without lanes are worth a branch. LLVM's
// amdgpu-skip-threshold has the same default.
const skipCost = 12

// findSkips decides which blocks begin with a branch that is taken without
// lanes. From B the wave may go on at N if lanes enter B…N only by B, and not
// beyond the loop around B, where lanes of other iterations may wait.
func (x *executor) findSkips() {
	n := int32(len(x.blocks))
	beyond := x.enteredFromBefore()
	cost, must := make([]int32, n+1), make([]int32, n+1)
	for i := range x.blocks {
		c, m := executionCost(x.blocks[i].b)
		// The first block of a loop, which without lanes might go on for ever.
		m = m || x.blocks[i].loop >= 0 && x.loops[x.blocks[i].loop].first == int32(i)
		cost[i+1], must[i+1] = cost[i]+c, must[i]
		if m {
			must[i+1]++
		}
	}
	some := make([]bool, n) // there are lanes whenever the wave is there
	landed := make([]bool, n)
	some[0] = true
	for i := int32(1); i < n-1; i++ {
		b := &x.blocks[i]
		switch b.mode {
		case modeCarry:
			some[i] = !landed[i] && x.someArrive(i, some)
		case modeSaved:
			some[i] = some[b.base]
		}
		if some[i] {
			continue
		}
		to := beyond[i]
		if b.loop >= 0 {
			to = min(to, x.loops[b.loop].last+1)
		}
		if must[to] > must[i] || cost[to]-cost[i] > skipCost {
			b.skip = to
			some[i], landed[to] = true, true
		}
	}
}

// someArrive reports that lanes come along with each way of the wave into the
// block at place i. Edges back bring lanes if those that entered the loop do.
func (x *executor) someArrive(i int32, some []bool) bool {
	if falls, k := x.falls(i - 1); falls && (k != lanesAll || !some[i-1]) {
		return false
	}
	for e := x.blocks[i].b.FirstPred(); e != nil; e = e.NextPred() {
		if from := x.pos[e.From().ID]; from < i && !some[from] {
			return false
		}
	}
	return true
}

// enteredFromBefore finds, for each B, the first block behind it that has a
// predecessor before B; the last block if there is none.
func (x *executor) enteredFromBefore() []int32 {
	n := int32(len(x.blocks))
	out := make([]int32, n)
	var stack []int32 // the nearest last; those before, each with an earlier predecessor
	for b := n - 1; b >= 0; b-- {
		lo, hi := 0, len(stack)
		for lo < hi {
			if mid := (lo + hi) / 2; x.blocks[stack[mid]].minFrom < b {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		out[b] = n - 1
		if lo > 0 {
			out[b] = stack[lo-1]
		}
		for len(stack) > 0 && x.blocks[stack[len(stack)-1]].minFrom >= x.blocks[b].minFrom {
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, b)
	}
	return out
}

// executionCost is about how many instructions b costs without lanes, and
// whether it must not be executed then: scalar loads from what may be no
// address, barriers, and memory accesses, which are slow even so.
func executionCost(b *ir.Block) (cost int32, must bool) {
	for op := b.First(); op != nil; op = op.Next() {
		if !amdgpu.IsMachine(op.Code) {
			continue
		}
		row := amdgpu.RowOf(op.Code)
		switch {
		case row.Memory() || row.Family == amdgpu.SMEM || row.Family == amdgpu.MUBUF:
			must = true
		case op.Code == amdgpu.SBarrier || op.Code == amdgpu.SBarrierSignal || op.Code == amdgpu.SBarrierWait || op.Code == amdgpu.SSleep:
			must = true
		case row.Family == amdgpu.Pseudo:
		default:
			cost++
		}
	}
	if t := b.Last(); t.NumSuccs() == 1 {
		cost += int32(t.Succ(0).NumArgs())
	}
	return cost, must
}

// findMasks gives masks their registers, from the last ones down, so that they
// are out of the way of tuples. A mask that is set once is a value instead.
func (x *executor) findMasks() bool {
	top := x.c.Target.Registers.SGPRs
	if x.c.Target.Generation == target.GFX9 {
		top = min(top, 94) // more scalar registers, with the hidden 6, cost a wave
	}
	if n := x.c.SGPRs; n > 0 {
		top = min(top, n)
	}
	size := x.maskT.Lanes()
	var until []int32 // by mask register: where it is free again
	byFrom := make([][]int32, len(x.blocks))
	for i := range x.blocks {
		if x.blocks[i].tracked {
			from := x.entered(int32(i))
			byFrom[from] = append(byFrom[from], int32(i))
		}
	}
	for i := range x.blocks {
		for _, w := range byFrom[i] {
			x.blocks[i].clears = append(x.blocks[i].clears, w)
			if x.setOnce(w, int32(i)) {
				continue
			}
			k := 0
			for k < len(until) && until[k] > int32(i) {
				k++
			}
			if k == len(until) {
				first := (top/size - k - 1) * size
				if first < top/2 {
					x.c.Diags.Error(x.blocks[w].b.Loc, ir.NoLoc, codeMasks, "the control flow is too irregular: lanes wait for too many different blocks at a time")
					return false
				}
				until = append(until, 0)
				x.masks = append(x.masks, ir.SReg(first))
			}
			until[k] = w
			x.blocks[w].mask = int32(k)
		}
	}
	return true
}

// setOnce reports that lanes come to wait at block w only from block d.
func (x *executor) setOnce(w, d int32) bool {
	n := 0
	for e := x.blocks[w].b.FirstPred(); e != nil; e = e.NextPred() {
		if x.waits(e) {
			if x.pos[e.From().ID] != d {
				return false
			}
			n++
		}
	}
	return n == 1
}

// emit inserts the instructions.
func (x *executor) emit() {
	x.saved = make(map[uint64]*ir.Value)
	for i := range x.blocks {
		x.head(int32(i))
		x.tail(int32(i))
	}
}

func (x *executor) exec() *ir.Value { return x.bl.Value(amdgpu.PExec, 0, x.maskT) }

// op computes a mask; the instruction also gives scc.
func (x *executor) op(code ir.Code, operands ...*ir.Value) *ir.Value {
	return x.bl.OpResults(code, 0, 0, []ir.Type{x.maskT, ir.SCCBit}, operands...).Result(0)
}

func (x *executor) mov(v *ir.Value) *ir.Value { return x.bl.Value(x.ops.mov, 0, x.maskT, v) }

func (x *executor) setExec(v *ir.Value) { v.Reg = ir.RegExec }

func (x *executor) head(i int32) {
	b := &x.blocks[i]
	first := b.b.First()
	x.bl.Before(first)
	x.bl.Loc = first.Loc
	saved := func() *ir.Value {
		v := x.saved[x.blocks[b.base].key]
		if v == nil {
			panic("machine: exec was not kept")
		}
		return v
	}
	switch b.mode {
	case modeSaved:
		x.setExec(x.mov(saved()))
	case modeOthers:
		x.setExec(x.op(x.ops.andNot1, saved(), x.exec()))
	case modeCond:
		t := x.blocks[b.base].b.Last()
		code := x.ops.and
		if t.Succ(1).To() == b.b {
			code = x.ops.andNot1
		}
		x.setExec(x.op(code, saved(), t.Operand(0)))
	case modeExcept:
		m := x.blocks[b.others[0]].maskVal
		for _, w := range b.others[1:] {
			m = x.op(x.ops.or, m, x.blocks[w].maskVal)
		}
		x.setExec(x.op(x.ops.andNot1, saved(), m))
	case modeAdd:
		x.setExec(x.op(x.ops.or, x.exec(), b.maskVal))
	case modeWait:
		x.setExec(x.mov(b.maskVal))
	}
	if b.skip > 0 {
		x.bl.Op(amdgpu.PSkip, amdgpu.FSkip.Put(uint64(b.skip-i)))
	}
}

func (x *executor) tail(i int32) {
	b := &x.blocks[i]
	t := b.b.Last()
	x.bl.Before(t)
	x.bl.Loc = t.Loc
	for _, w := range b.clears {
		if x.blocks[w].mask >= 0 && !x.leadsTo(t, w) {
			x.setMask(w, x.mov(x.zero()))
		}
	}
	for k := range t.NumSuccs() {
		if w := x.pos[t.Succ(k).To().ID]; x.blocks[w].tracked && x.waits(t.Succ(k)) {
			x.wait(i, w, t, k)
		}
	}
	side := x.narrows(i)
	switch {
	case side < 0 && b.saves && x.saved[b.key] == nil:
		x.saved[b.key] = x.mov(x.exec())
	case side < 0:
	case b.saves:
		code := x.ops.andSave
		if side == 1 {
			code = x.ops.andNot0Save
		}
		x.saved[b.key] = x.op(code, t.Operand(0))
	case side == 0:
		x.setExec(x.op(x.ops.and, x.exec(), t.Operand(0)))
	default:
		x.setExec(x.op(x.ops.andNot1, x.exec(), t.Operand(0)))
	}
}

// leadsTo reports that t makes lanes wait at block w.
func (x *executor) leadsTo(t *ir.Op, w int32) bool {
	for k := range t.NumSuccs() {
		if e := t.Succ(k); x.pos[e.To().ID] == w && x.waits(e) {
			return true
		}
	}
	return false
}

// narrows is the side of a t_diverge whose lanes the wave goes on with: those
// that are in exec already when it comes to the next block, or those that the
// next block is for all but. -1 if exec is to stay.
func (x *executor) narrows(i int32) int {
	t := x.blocks[i].b.Last()
	if t.Code != amdgpu.TDiverge {
		return -1
	}
	_, k := x.falls(i)
	if k == lanesElsewhere {
		return -1
	}
	switch x.blocks[i+1].mode {
	case modeCarry, modeAdd:
		return k
	case modeOthers:
		return 1 - k
	}
	return -1
}

// wait adds the lanes of successor k of t, in block i, to those that wait at w.
func (x *executor) wait(i, w int32, t *ir.Op, k int) {
	b := &x.blocks[w]
	fresh := slices.Contains(x.blocks[i].clears, w)
	var lanes *ir.Value
	switch {
	case t.Code == amdgpu.TDiverge && k == 0:
		lanes = x.op(x.ops.and, x.exec(), t.Operand(0))
	case t.Code == amdgpu.TDiverge:
		lanes = x.op(x.ops.andNot1, x.exec(), t.Operand(0))
	case t.Code == amdgpu.TCond:
		code := amdgpu.SCselectB32
		if x.maskT.Lanes() == 2 {
			code = amdgpu.SCselectB64
		}
		yes, no := x.exec(), x.zero()
		if k == 1 {
			yes, no = no, yes
		}
		lanes = x.bl.Value(code, 0, x.maskT, yes, no, t.Operand(0))
	case fresh:
		lanes = x.mov(x.exec())
	default:
		lanes = x.exec()
	}
	if !fresh {
		lanes = x.op(x.ops.or, b.maskVal, lanes)
	}
	x.setMask(w, lanes)
}

// setMask makes v the lanes that wait at w.
func (x *executor) setMask(w int32, v *ir.Value) {
	b := &x.blocks[w]
	if b.mask >= 0 {
		v.Reg = x.masks[b.mask]
	}
	b.maskVal = v
}

func (x *executor) zero() *ir.Value {
	return builtin.ConstInt(&x.bl, ir.Bits(32*x.maskT.Lanes()), 0)
}
