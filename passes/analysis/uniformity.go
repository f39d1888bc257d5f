package analysis

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Level is the group of lanes that a value may be the same for.
type Level uint8

const (
	SubgroupLevel Level = iota // the 32 lanes of a sub-group
	Wave64Level                // the two sub-groups that a wave of 64 lanes holds
	NumLevels
)

// WaveLevel returns the level of waves of n lanes.
func WaveLevel(n int) Level {
	if n == 64 {
		return Wave64Level
	}
	return SubgroupLevel
}

// Uniformity tells which values all lanes of a group that compute them
// together agree about. A value is divergent
//
//   - at its source: lane and local ids, what atomic and ordered accesses,
//     calls and sub-group operations give, parameters of device functions, and
//     loads whose address is divergent or private;
//   - if it is computed from a divergent one;
//   - if it is the argument of a block where lanes meet that parted at a
//     divergent branch, on paths that had no block in common;
//   - if it is defined in a loop that lanes leave in different iterations, and
//     used outside. The value itself stays uniform: see UseDivergent.
//
// Lanes that part at a branch are taken to meet at its immediate
// post-dominator, or earlier.
type Uniformity struct {
	level Level
	fn    *ir.Func
	dom   *ir.Dom
	post  *ir.PostDom
	loops *Loops
	alias *Alias

	divergent []bool        // by Value.ID
	branch    []bool        // by Block.ID: ends in a divergent branch
	partial   []bool        // by Block.ID: lies between a divergent branch and its join
	temporal  []bool        // by Loop.index: left in different iterations
	mixed     []bool        // by Loop.index: lanes of different iterations run together
	region    []bool        // by irreducible region: entered by a divergent branch
	members   [][]*ir.Block // by irreducible region
	values    []*ir.Value
	branches  []*ir.Block

	label  []int32 // by Block.ID, valid where mark is the branch at hand
	mark   []int32
	ahead  blockHeap // to be visited, by place in reverse postorder
	back   blockHeap // the same, behind back edges
	joins  []*ir.Block
	seen   []*ir.Block
	budget int
	round  int32
}

// budgetPerBlock bounds the walks from divergent branches, so that nests of
// divergent branches do not cost quadratic time. Beyond it, all block
// arguments count as divergent.
const budgetPerBlock = 64

func (u *Uniformity) compute(c *Cache, level Level) {
	u.level, u.fn = level, c.fn
	u.dom, u.post, u.loops, u.alias = c.Dom(), c.PostDom(), c.Loops(), c.Alias()
	n := u.fn.NumBlockIDs()
	u.divergent = append(u.divergent[:0], make([]bool, u.fn.NumValues())...)
	u.branch = append(u.branch[:0], make([]bool, n)...)
	u.partial = append(u.partial[:0], make([]bool, n)...)
	u.temporal = append(u.temporal[:0], make([]bool, len(u.loops.loops))...)
	u.mixed = append(u.mixed[:0], make([]bool, len(u.loops.loops))...)
	u.members = nil
	u.region = append(u.region[:0], make([]bool, len(u.loops.scc.size))...)
	u.label = fill(u.label, n, -1)
	u.mark = fill(u.mark, n, 0)
	u.round = 0
	u.budget = budgetPerBlock*len(u.dom.RPO()) + 4096
	u.ahead.pos, u.back.pos = u.loops.pos, u.loops.pos
	u.sources()
	for len(u.values)+len(u.branches) > 0 {
		if k := len(u.values) - 1; k >= 0 {
			v := u.values[k]
			u.values = u.values[:k]
			u.spread(v)
			continue
		}
		k := len(u.branches) - 1
		b := u.branches[k]
		u.branches = u.branches[:k]
		u.part(b)
	}
}

// mark v divergent.
func (u *Uniformity) diverge(v *ir.Value) {
	if !u.divergent[v.ID] {
		u.divergent[v.ID] = true
		u.values = append(u.values, v)
	}
}

func (u *Uniformity) sources() {
	for _, b := range u.dom.RPO() {
		if b == u.fn.Entry() {
			for _, v := range b.Args() {
				u.diverge(v)
			}
		}
		for op := b.First(); op != nil; op = op.Next() {
			if op.NumResults() > 0 && u.source(op) {
				for i := range op.NumResults() {
					u.diverge(op.Result(i))
				}
			}
		}
	}
}

// source reports an op whose results differ although its operands do not.
func (u *Uniformity) source(op *ir.Op) bool {
	switch op.Code {
	case builtin.Call, builtin.CallIndirect, pisa.IAtom, pisa.FAtom:
		return true
	case pisa.ReadSReg:
		switch pisa.SReg(pisa.OpOf(op.Props)) {
		case pisa.SLaneID, pisa.SLocalID:
			return true
		case pisa.SActiveMask:
			return u.level != SubgroupLevel
		}
	case pisa.RedFirstIdx:
		return u.level != SubgroupLevel
	case pisa.IRed, pisa.FRed:
		// Lanes outside of the mask keep the old value.
		return u.level != SubgroupLevel || !u.allLanes(op.Operand(2))
	case pisa.Shfl:
		// Where an index is out of bounds a lane keeps its own value.
		return true
	case pisa.Ld:
		acc, _ := u.alias.AccessOf(op)
		if acc.Atomic || acc.Private() {
			return true
		}
		// A generic address may be private.
		return acc.Ptr.Space == ir.SpaceGeneric || acc.Ptr.Space == ir.SpaceNone
	}
	return false
}

// allLanes reports a mask that holds every active lane.
func (u *Uniformity) allLanes(m *ir.Value) bool {
	if c, ok := builtin.IsConst(m); ok {
		return c == 1<<32-1
	}
	o := m.Op()
	// The mask of the same block: no lane has come or gone since.
	return o != nil && o.Code == pisa.ReadSReg && pisa.SReg(pisa.OpOf(o.Props)) == pisa.SActiveMask
}

// spread marks what is computed from v.
func (u *Uniformity) spread(v *ir.Value) {
	for x := v.FirstUse(); x != nil; x = x.NextUse() {
		u.use(x)
	}
}

func (u *Uniformity) use(x *ir.Operand) {
	op := x.User()
	if !u.dom.Reachable(op.Block()) {
		return
	}
	if op.NumSuccs() == 0 {
		if u.uniformAnyway(op) {
			return
		}
		for i := range op.NumResults() {
			u.diverge(op.Result(i))
		}
		return
	}
	for i := range op.NumPlainOperands() {
		if &op.Operands()[i] == x {
			u.divergeBranch(op.Block())
		}
	}
	for i := range op.NumSuccs() {
		e := op.Succ(i)
		for k := range e.Args() {
			if &e.Args()[k] == x {
				u.diverge(e.To().Arg(k))
			}
		}
	}
}

// uniformAnyway reports an op that makes one value from those of all lanes: a
// reduction over all active lanes whose old value does not matter.
func (u *Uniformity) uniformAnyway(op *ir.Op) bool {
	if u.level != SubgroupLevel {
		return false
	}
	switch op.Code {
	case pisa.IRed, pisa.FRed:
		return u.allLanes(op.Operand(2))
	}
	return false
}

func (u *Uniformity) divergeBranch(b *ir.Block) {
	t := b.Last()
	if u.branch[b.ID] || t.NumSuccs() < 2 || t.Succ(0).To() == t.Succ(1).To() {
		if t.NumSuccs() == 2 && !u.branch[b.ID] { // which values an edge passes still depends on it
			u.branch[b.ID] = true
			for _, v := range t.Succ(0).To().Args() {
				if t.Succ(0).Arg(v.Index()) != t.Succ(1).Arg(v.Index()) {
					u.diverge(v)
				}
			}
		}
		return
	}
	u.branch[b.ID] = true
	u.branches = append(u.branches, b)
}

// part follows the lanes from the divergent branch of b to where all of them
// have met again.
func (u *Uniformity) part(b *ir.Block) {
	u.begin()
	end := u.post.Ipdom(b)
	for i := range b.NumSuccs() {
		s := b.Succ(i)
		u.arrive(b, s, int32(s.ID), end)
	}
	if !u.follow(b, nil, end) {
		return
	}
	if r := u.loops.region[b.ID]; r >= 0 {
		u.enterRegion(r)
	}
	// Loops that some lanes leave while others go on.
	for lp := u.loops.Of(b); lp != nil && (end == nil || !lp.Contains(end)); lp = lp.Parent {
		u.budget--
		if !u.leave(lp, end) {
			return
		}
	}
}

func (u *Uniformity) begin() {
	u.round++
	u.joins, u.seen = u.joins[:0], u.seen[:0]
}

// follow goes on with the lanes that have arrived, which parted at b, or left
// loop out, up to end; false if that takes too long.
func (u *Uniformity) follow(b *ir.Block, out *Loop, end *ir.Block) bool {
	for len(u.ahead.blocks)+len(u.back.blocks) > 0 {
		h := &u.ahead
		if len(h.blocks) == 0 {
			h = &u.back
		}
		x := h.pop()
		u.budget--
		u.partial[x.ID] = true
		if x == b || out != nil && out.Contains(x) { // again: the lanes that go round part in the same way
			continue
		}
		if r := u.loops.region[x.ID]; r >= 0 {
			u.enterRegion(r)
		}
		for i := range x.NumSuccs() {
			u.arrive(x, x.Succ(i), u.label[x.ID], end)
		}
		if u.budget < 0 {
			u.giveUp()
			return false
		}
	}
	for _, j := range u.joins {
		u.meet(j, end, b)
	}
	// Lanes that go round before they come to the end need not be waited for
	// there: then they join those of the iteration before.
	for lp := u.loops.Of(b); lp != nil && end != nil; lp = lp.Parent {
		u.budget--
		if h := lp.Header; lp.Contains(end) && h != end && u.mark[h.ID] == u.round {
			u.mix(lp)
		}
	}
	return true
}

// arrive takes lanes with a label along an edge. Where labels differ, lanes
// meet that took disjoint paths.
func (u *Uniformity) arrive(from, to *ir.Block, label int32, end *ir.Block) {
	switch {
	case u.mark[to.ID] != u.round:
		u.mark[to.ID], u.label[to.ID] = u.round, label
		u.seen = append(u.seen, to)
	case u.label[to.ID] == label || u.label[to.ID] == ^int32(to.ID):
		return
	default:
		u.label[to.ID] = ^int32(to.ID) // a join: no other block has this label
		u.joins = append(u.joins, to)
	}
	if to == end {
		return
	}
	if u.loops.pos[to.ID] <= u.loops.pos[from.ID] {
		u.back.push(to)
	} else {
		u.ahead.push(to)
	}
}

// meet marks the arguments of a join. A join within a loop around the branch,
// behind the loop's back edge, mixes lanes of different iterations: then
// nothing in the loop is uniform.
func (u *Uniformity) meet(j, end, b *ir.Block) {
	for _, v := range j.Args() {
		u.diverge(v)
	}
	if j == end {
		return
	}
	for lp := u.loops.Of(b); lp != nil; lp = lp.Parent {
		u.budget--
		h := lp.Header
		if lp.Contains(j) && h != end && u.mark[h.ID] == u.round {
			u.mix(lp)
		}
	}
}

// mix makes everything in a loop divergent whose lanes may be in different
// iterations.
func (u *Uniformity) mix(lp *Loop) {
	if !u.mixed[lp.index] {
		u.mixed[lp.index] = true
		u.divergeBlocks(lp.Blocks())
	}
}

func (u *Uniformity) divergeBlocks(bs []*ir.Block) {
	for _, x := range bs {
		u.budget--
		u.partial[x.ID] = true
		for _, v := range x.Args() {
			u.diverge(v)
		}
		for op := x.First(); op != nil; op = op.Next() {
			for i := range op.NumResults() {
				if op.Code != builtin.Const {
					u.diverge(op.Result(i))
				}
			}
		}
	}
}

// leave marks the uses outside of what is defined in lp, and where lanes meet
// that left it by different edges: though they agreed about each branch in the
// loop, they left in different iterations.
func (u *Uniformity) leave(lp *Loop, end *ir.Block) bool {
	if u.temporal[lp.index] {
		return true
	}
	u.temporal[lp.index] = true
	u.begin()
	label := int32(u.fn.NumBlockIDs()) // one for each edge
	for _, x := range lp.Blocks() {
		u.budget--
		for i := range x.NumSuccs() {
			if s := x.Succ(i); !lp.Contains(s) {
				u.arrive(x, s, label, end)
				label++
			}
		}
		for _, v := range x.Args() {
			u.escape(v, lp)
		}
		for op := x.First(); op != nil; op = op.Next() {
			for i := range op.NumResults() {
				if op.Code != builtin.Const {
					u.escape(op.Result(i), lp)
				}
			}
		}
	}
	return u.follow(lp.Header, lp, end)
}

func (u *Uniformity) escape(v *ir.Value, lp *Loop) {
	for x := v.FirstUse(); x != nil; x = x.NextUse() {
		op := x.User()
		if !lp.Contains(op.Block()) {
			u.use(x)
			continue
		}
		for i := range op.NumSuccs() { // passed along an edge that leaves
			e := op.Succ(i)
			if lp.Contains(e.To()) {
				continue
			}
			for k := range e.Args() {
				if &e.Args()[k] == x {
					u.diverge(e.To().Arg(k))
				}
			}
		}
	}
}

// enterRegion makes everything in an irreducible region divergent, which it is
// not worth to know better about.
func (u *Uniformity) enterRegion(r int32) {
	if u.region[r] {
		return
	}
	u.region[r] = true
	if u.members == nil {
		u.members = make([][]*ir.Block, len(u.region))
		for _, b := range u.dom.RPO() {
			if k := u.loops.region[b.ID]; k >= 0 {
				u.members[k] = append(u.members[k], b)
			}
		}
	}
	u.divergeBlocks(u.members[r])
}

// giveUp makes all arguments, all loops' values and what follows divergent.
func (u *Uniformity) giveUp() {
	u.ahead.blocks, u.back.blocks, u.branches = u.ahead.blocks[:0], u.back.blocks[:0], u.branches[:0]
	u.budget = 1 << 62
	for i := range u.branch { // no branch is followed any more
		u.branch[i] = true
	}
	for i := range u.temporal {
		u.temporal[i], u.mixed[i] = true, true
	}
	for _, b := range u.dom.RPO() {
		u.partial[b.ID] = true
		for _, v := range b.Args() {
			u.diverge(v)
		}
		if u.loops.Of(b) != nil || u.loops.region[b.ID] >= 0 {
			u.divergeBlocks([]*ir.Block{b})
		}
	}
}

// Divergent reports that lanes may disagree about v where it is defined.
func (u *Uniformity) Divergent(v *ir.Value) bool {
	return int(v.ID) >= len(u.divergent) || u.divergent[v.ID]
}

// UseDivergent reports that lanes may disagree about the operand where it is
// used: a value of a loop, used outside, may be of different iterations.
func (u *Uniformity) UseDivergent(x *ir.Operand) bool {
	return u.Divergent(x.Value()) || u.Leaves(x)
}

// Leaves reports an operand whose value is of a loop that lanes leave in
// different iterations, and which is used outside: whatever holds the values of
// several lanes together has been overwritten for the first to leave.
func (u *Uniformity) Leaves(x *ir.Operand) bool {
	v := x.Value()
	if o := v.Op(); o != nil && o.Code == builtin.Const {
		return false
	}
	at := x.User().Block()
	for lp := u.loops.Of(v.Block()); lp != nil && !lp.Contains(at); lp = lp.Parent {
		if u.temporal[lp.index] {
			return true
		}
	}
	return false
}

// Branch reports that b ends in a branch that lanes may take differently.
func (u *Uniformity) Branch(b *ir.Block) bool { return int(b.ID) >= len(u.branch) || u.branch[b.ID] }

// Partial reports that b may be executed by some of the lanes while others
// that took another way at a branch in this function wait for them.
func (u *Uniformity) Partial(b *ir.Block) bool {
	return int(b.ID) >= len(u.partial) || u.partial[b.ID]
}

// blockHeap is a priority queue of blocks by place in reverse postorder.
type blockHeap struct {
	blocks []*ir.Block
	pos    []int32
}

func (h *blockHeap) less(i, k int) bool { return h.pos[h.blocks[i].ID] < h.pos[h.blocks[k].ID] }

func (h *blockHeap) push(b *ir.Block) {
	h.blocks = append(h.blocks, b)
	for i := len(h.blocks) - 1; i > 0 && h.less(i, (i-1)/2); i = (i - 1) / 2 {
		h.blocks[i], h.blocks[(i-1)/2] = h.blocks[(i-1)/2], h.blocks[i]
	}
}

func (h *blockHeap) pop() *ir.Block {
	top := h.blocks[0]
	n := len(h.blocks) - 1
	h.blocks[0] = h.blocks[n]
	h.blocks = h.blocks[:n]
	for i := 0; ; {
		k := 2*i + 1
		if k >= n {
			return top
		}
		if k+1 < n && h.less(k+1, k) {
			k++
		}
		if !h.less(k, i) {
			return top
		}
		h.blocks[i], h.blocks[k] = h.blocks[k], h.blocks[i]
		i = k
	}
}
