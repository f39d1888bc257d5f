package machine

import (
	"sync"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Schedule orders the instructions of each block anew, before registers are
// given:
//
//	%a = global_load %p                 %a = global_load %p
//	%x = v_add_f32 %a, …           →    %b = global_load %q
//	%b = global_load %q                 %x = v_add_f32 %a, …
//	%y = v_add_f32 %b, …                %y = v_add_f32 %b, …
//
// Loads come early and together, with what their addresses need before them;
// the rest keeps the order that it had, but for instructions that would have to
// wait while others could go on. Where too many registers would be live,
// whatever ends most lives goes first; an order that needs more than the old
// one and costs occupancy is not taken.
//
// What is not moved at all bounds a region: waits, cache control, barriers and
// ordered accesses, writes of exec, and whatever has its register already.
func Schedule(c *Ctx, f *ir.Func) {
	s := schedulers.Get().(*scheduler)
	s.ctx = c
	s.live.Compute(f)
	s.gfx9 = c.Target.Generation == target.GFX9
	s.limit = scheduleLimits(c)
	s.nodeOf = grown(s.nodeOf, f.NumOps())
	s.lastRegion = grown(s.lastRegion, f.NumValues())
	s.left = grown(s.left, f.NumValues())
	s.fixed = c.sequenceOps(f)
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		s.blockOps(b)
	}
	s.ctx, s.b = nil, nil
	schedulers.Put(s)
}

// schedulers keeps memory from function to function.
var schedulers = sync.Pool{New: func() any { return &scheduler{} }}

// scheduleLimits is how many vector and scalar registers cost no occupancy,
// with some room for what allocation adds.
func scheduleLimits(c *Ctx) pressure {
	p := pressure{v: 96, s: 80} // gfx11, gfx12: 1536 registers, 16 waves
	if c.Target.Generation == target.GFX9 {
		p.v = 64 // 512 registers, 8 waves
	}
	p.v -= p.v / 8
	if c.VGPRs > 0 {
		p.v = min(p.v, c.VGPRs*7/8)
	}
	if c.SGPRs > 0 {
		p.s = min(p.s, c.SGPRs*7/8)
	}
	return p
}

// pressure is how many registers are live.
type pressure struct{ v, s int }

func (p *pressure) add(t ir.Type, sign int) {
	switch t.Class() {
	case ir.VGPR:
		p.v += sign * t.Lanes()
	case ir.SGPR:
		p.s += sign * t.Lanes()
	}
}

func (p *pressure) max(q pressure) { p.v, p.s = max(p.v, q.v), max(p.s, q.s) }

type scheduler struct {
	ctx    *Ctx
	gfx9   bool
	live   analysis.Liveness
	limit  pressure
	fixed  []bool  // by Op.ID: of a memory sequence
	nodeOf []int32 // by Op.ID: 1 + node of this region, else 0
	// By Value.ID: 1 + the last region of this block that uses the value, and
	// how many uses this region has left.
	lastRegion, left []int32

	b      *ir.Block
	region int32
	now    pressure
	nodes  []schedNode
	edges  []schedEdge
	ops    []*ir.Op
	order  []int32
	ready  []int32
	single []*ir.Op // backs the ops of nodes of one
	spaces [numSchedSpaces]schedSpace
}

// schedNode is an instruction, or several that stay together: one that sets scc
// and those that read it.
type schedNode struct {
	ops     []*ir.Op
	edges   int32 // first of the list, -1
	waiting int32 // predecessors not yet placed
	ready   int32 // cycle when the operands are there
	kind    schedKind
	sccOut  bool // sets an scc that is read behind the region
}

type schedEdge struct {
	to, next int32
	latency  int32 // -1: order only
}

// schedKind orders what may go next.
type schedKind uint8

const (
	schedScalarLoad schedKind = iota
	schedAddress              // a load needs it
	schedLoad
	schedOther
)

// blockOps cuts b into regions and orders each.
func (s *scheduler) blockOps(b *ir.Block) {
	s.b = b
	s.now = pressure{}
	for _, v := range s.live.In(b) {
		s.now.add(v.Type, 1)
	}
	for _, v := range b.Args() {
		s.now.add(v.Type, 1)
	}
	s.numberUses(b)
	s.region = 0
	var start, next *ir.Op
	for op := b.First(); op != nil; op = next {
		next = op.Next()
		if !s.bounds(op) {
			if start == nil {
				start = op
			}
			continue
		}
		if start != nil {
			s.region++
			s.orderRegion(start, op)
			start = nil
		}
		s.region++
		s.countUses(op)
		s.pass(op)
	}
}

// bounds reports an op that nothing is moved across.
func (s *scheduler) bounds(op *ir.Op) bool { return s.fixed[op.ID] || isBound(op) }

// isBound reports an op that nothing is moved across, whatever sequences say.
func isBound(op *ir.Op) bool {
	if !amdgpu.IsMachine(op.Code) {
		return !isConst(op)
	}
	if r := amdgpu.RowOf(op.Code); r.Has(amdgpu.Control) || r.Has(amdgpu.Branches) {
		return true
	}
	switch op.Code {
	case amdgpu.PSkip, amdgpu.PLivein, amdgpu.PExec:
		return true
	}
	if writesExec(op) {
		return true
	}
	for i := range op.NumResults() {
		if v := op.Result(i); v.Reg != ir.NoReg && v.Type.Class() != ir.SCC {
			return true
		}
	}
	return false
}

// numberUses sets lastRegion of what b uses. Regions are numbered as blockOps
// does: bounds have numbers of their own.
func (s *scheduler) numberUses(b *ir.Block) {
	region, inside := int32(0), false
	for op := b.First(); op != nil; op = op.Next() {
		if s.bounds(op) {
			region, inside = region+1, false
		} else if !inside {
			region, inside = region+1, true
		}
		for i := range op.NumOperands() {
			s.lastRegion[op.Operand(i).ID] = region
		}
	}
}

// countUses adds op's uses to left.
func (s *scheduler) countUses(op *ir.Op) {
	for i := range op.NumOperands() {
		s.left[op.Operand(i).ID]++
	}
}

// dies reports whether v is not live behind the region.
func (s *scheduler) dies(v *ir.Value) bool {
	return s.lastRegion[v.ID] <= s.region && !s.live.LiveOut(v, s.b)
}

// pass lets op's effect on the pressure happen.
func (s *scheduler) pass(op *ir.Op) {
	for i := range op.NumOperands() {
		v := op.Operand(i)
		if s.left[v.ID]--; s.left[v.ID] == 0 && v.Type.Class() != ir.NoClass && s.dies(v) {
			s.now.add(v.Type, -1)
		}
	}
	for i := range op.NumResults() {
		if v := op.Result(i); v.HasUses() {
			s.now.add(v.Type, 1)
		}
	}
}

// delta is what placing n would do to the pressure.
func (s *scheduler) delta(n *schedNode) (d pressure) {
	for _, op := range n.ops {
		for i := range op.NumOperands() {
			v := op.Operand(i)
			if v.Type.Class() != ir.NoClass && s.left[v.ID] == n.uses(v, op, i) && s.dies(v) {
				d.add(v.Type, -1)
			}
		}
		for i := range op.NumResults() {
			if v := op.Result(i); v.HasUses() {
				d.add(v.Type, 1)
			}
		}
	}
	return d
}

// uses is how many operands of n are v, if operand i of op is the first, else
// 0, so that a value counts once.
func (n *schedNode) uses(v *ir.Value, op *ir.Op, i int) (uses int32) {
	for _, o := range n.ops {
		for k := range o.NumOperands() {
			if o.Operand(k) != v {
				continue
			}
			if uses == 0 && (o != op || k != i) {
				return 0
			}
			uses++
		}
	}
	return uses
}

// orderRegion orders the ops from start up to end, which is not among them.
func (s *scheduler) orderRegion(start, end *ir.Op) {
	s.ops = s.ops[:0]
	var next *ir.Op
	for op := start; op != end; op = next {
		next = op.Next()
		switch {
		case !isConst(op):
			s.ops = append(s.ops, op)
		case start == op:
			start = next
		default: // costs nothing, wherever it is
			op.MoveBefore(start)
		}
	}
	s.expectUses()
	if len(s.ops) > 1 && s.build() {
		before := s.now
		old := s.now
		for _, op := range s.ops {
			s.pass(op)
			old.max(s.now)
		}
		s.now = before
		s.expectUses()
		limit := s.limit
		limit.max(old)
		peak, ok := s.choose()
		s.now = before
		s.expectUses()
		if ok && peak.v <= limit.v && peak.s <= limit.s {
			for _, i := range s.order {
				for _, op := range s.nodes[i].ops {
					op.MoveBefore(end)
				}
			}
		}
	}
	for _, op := range s.ops {
		s.nodeOf[op.ID] = 0
		s.pass(op)
	}
}

// expectUses sets left for the region's ops.
func (s *scheduler) expectUses() {
	for _, op := range s.ops {
		for i := range op.NumOperands() {
			s.left[op.Operand(i).ID] = 0
		}
	}
	for _, op := range s.ops {
		s.countUses(op)
	}
}

func isConst(op *ir.Op) bool { return op.Code == builtin.Const }
