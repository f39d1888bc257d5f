package machine

import (
	"slices"

	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// build makes the graph of s.ops. It reports false for a region whose order
// must stay: one that reads an scc from before it.
func (s *scheduler) build() bool {
	s.nodes, s.edges, s.single = s.nodes[:0], s.edges[:0], s.single[:0]
	s.single = slices.Grow(s.single, len(s.ops)) // not to be moved any more
	for i := range s.spaces {
		s.spaces[i].stores, s.spaces[i].loads = s.spaces[i].stores[:0], s.spaces[i].loads[:0]
	}
	for _, op := range s.ops {
		if !s.enter(op) {
			return false
		}
	}
	lastOut := int32(-1)
	for i := range s.nodes {
		n := &s.nodes[i]
		for _, op := range n.ops {
			s.dependences(op, int32(i))
		}
		if n.sccOut {
			lastOut = int32(i)
		}
	}
	for _, op := range s.ops { // in source order
		s.memoryDependences(op, s.nodeOf[op.ID]-1)
	}
	for i := range lastOut {
		if s.nodes[i].setsSCC() {
			s.edge(i, lastOut, -1)
		}
	}
	s.findKinds()
	return true
}

// enter puts op in a node: that of the instruction whose scc it reads, or a new
// one.
func (s *scheduler) enter(op *ir.Op) bool {
	for i := range op.NumOperands() {
		v := op.Operand(i)
		if v.Type.Class() != ir.SCC {
			continue
		}
		if v.Op() == nil || s.nodeOf[v.Op().ID] == 0 {
			return false
		}
		at := s.nodeOf[v.Op().ID]
		s.nodeOf[op.ID] = at
		n := &s.nodes[at-1]
		n.ops = append(n.ops, op)
		n.sccOut = n.sccOut || s.sccLeaves(op)
		return true
	}
	// The ops of most nodes lie in one slice.
	s.nodeOf[op.ID] = int32(len(s.nodes)) + 1
	k := len(s.single)
	s.single = append(s.single, op)
	s.nodes = append(s.nodes, schedNode{ops: s.single[k : k+1 : k+1], edges: -1, kind: schedOther, sccOut: s.sccLeaves(op)})
	return true
}

// sccLeaves reports an scc result with a use outside of the region.
func (s *scheduler) sccLeaves(op *ir.Op) bool {
	for i := range op.NumResults() {
		v := op.Result(i)
		if v.Type.Class() != ir.SCC {
			continue
		}
		for u := v.FirstUse(); u != nil; u = u.NextUse() {
			if u.User().Block() != s.b || s.bounds(u.User()) || s.lastRegion[v.ID] > s.region {
				return true
			}
		}
	}
	return false
}

func (n *schedNode) setsSCC() bool {
	for _, op := range n.ops {
		if writes(op, ir.SCC) {
			return true
		}
	}
	return false
}

func (s *scheduler) edge(from, to int32, latency int32) {
	if from == to {
		return
	}
	s.edges = append(s.edges, schedEdge{to: to, next: s.nodes[from].edges, latency: latency})
	s.nodes[from].edges = int32(len(s.edges) - 1)
	s.nodes[to].waiting++
}

// dependences adds the edges of op's operands.
func (s *scheduler) dependences(op *ir.Op, node int32) {
	for i := range op.NumOperands() {
		v := op.Operand(i)
		if v.Type.Class() == ir.NoClass || v.Op() == nil {
			continue
		}
		if from := s.nodeOf[v.Op().ID]; from != 0 {
			s.edge(from-1, node, s.latency(v, op))
		}
	}
}

// schedLatency is in instructions: how many stand between an instruction and
// the use of its result for the wave not to wait.
var schedLatency = [...]int32{amdgpu.LatNone: 0, amdgpu.LatSALU: 2, amdgpu.LatVALU: 4, amdgpu.LatTrans: 8, amdgpu.LatDouble: 8,
	amdgpu.LatLDS: 40, amdgpu.LatSMEM: 60, amdgpu.LatVMEM: 150}

func (s *scheduler) latency(v *ir.Value, user *ir.Op) int32 {
	r := amdgpu.RowOf(v.Op().Code)
	if s.gfx9 && r.VALU() {
		// A wave's VALU instructions do not overlap; what must be apart is in
		// target.Hazards.
		u := amdgpu.RowOf(user.Code)
		switch {
		case v.Type.Class() == ir.SGPR && u.Family >= amdgpu.Flat && u.Family <= amdgpu.Scratch:
			return 6
		case v.Type.Class() == ir.SGPR && u.VALU():
			return 3
		case r.Has(amdgpu.Trans):
			return 2
		}
		return 1
	}
	return schedLatency[r.Lat]
}

// schedSpace is a part of memory that no other one overlaps.
type schedSpace struct {
	stores []int32 // nodes that write, in order
	loads  []int32 // nodes that read since the last of stores
}

const (
	spaceLDS = iota
	spaceGlobal
	spaceScratch
	numSchedSpaces
)

// memoryDependences keeps stores in order, and loads of what they may write on
// their side of them. Scalar loads read what nobody writes.
func (s *scheduler) memoryDependences(op *ir.Op, node int32) {
	r := amdgpu.RowOf(op.Code)
	if !r.Memory() {
		return
	}
	switch r.Family {
	case amdgpu.DS:
		s.access(spaceLDS, op, r, node)
	case amdgpu.Global:
		s.access(spaceGlobal, op, r, node)
	case amdgpu.Scratch:
		s.access(spaceScratch, op, r, node)
	case amdgpu.Flat:
		for i := range numSchedSpaces {
			s.access(i, op, r, node)
		}
	}
}

// maxDisjoint is how many stores back a load may be proved independent of.
const maxDisjoint = 16

func (s *scheduler) access(space int, op *ir.Op, r *amdgpu.Row, node int32) {
	p := &s.spaces[space]
	if r.Flags&(amdgpu.Stores|amdgpu.Atomic) == 0 {
		p.loads = append(p.loads, node)
		for i := len(p.stores) - 1; i >= 0; i-- {
			store := p.stores[i]
			if len(p.stores)-i > maxDisjoint || !disjoint(op, s.nodes[store].ops[0]) {
				s.edge(store, node, -1)
				return // earlier stores come before this one
			}
		}
		return
	}
	if n := len(p.stores); n > 0 {
		s.edge(p.stores[n-1], node, -1)
	}
	for _, l := range p.loads {
		s.edge(l, node, -1)
	}
	p.loads = p.loads[:0]
	p.stores = append(p.stores, node)
}

// disjoint reports that a and b, of one space, touch different bytes: other
// offsets from the same address.
func disjoint(a, b *ir.Op) bool {
	ra, rb := amdgpu.RowOf(a.Code), amdgpu.RowOf(b.Code)
	if ra.Family != rb.Family || ra.TwoAddresses() || rb.TwoAddresses() || amdgpu.FSaddr.Get(a.Props) != amdgpu.FSaddr.Get(b.Props) {
		return false
	}
	bases := 1
	if ra.Family != amdgpu.DS && amdgpu.FSaddr.Get(a.Props) != 0 && ra.Family != amdgpu.Scratch {
		bases = 2
	}
	if ra.Family == amdgpu.Scratch || a.NumOperands() < bases || b.NumOperands() < bases {
		return false
	}
	for i := range bases {
		if a.Operand(i) != b.Operand(i) {
			return false
		}
	}
	x, y := signedOffset(a, ra), signedOffset(b, rb)
	return x+accessBytes(a, ra) <= y || y+accessBytes(b, rb) <= x
}

func signedOffset(op *ir.Op, r *amdgpu.Row) int64 {
	off := amdgpu.FOffset.Get(op.Props)
	if r.Family == amdgpu.DS {
		return int64(off)
	}
	return int64(off) << (64 - 24) >> (64 - 24)
}

// accessBytes is at least how many bytes op touches.
func accessBytes(op *ir.Op, r *amdgpu.Row) int64 {
	if _, e, ok := amdgpu.MemOf(op.Code); ok {
		return int64(e.Bytes())
	}
	n := 1
	for i := range op.NumResults() {
		n = max(n, op.Result(i).Type.Lanes())
	}
	for i := range op.NumOperands() {
		n = max(n, op.Operand(i).Type.Lanes())
	}
	return int64(4 * n)
}

// findKinds marks loads and what they need.
func (s *scheduler) findKinds() {
	for i := len(s.nodes) - 1; i >= 0; i-- {
		n := &s.nodes[i]
		for _, op := range n.ops {
			switch r := amdgpu.RowOf(op.Code); {
			case r.Family == amdgpu.SMEM:
				n.kind = schedScalarLoad
			case r.Has(amdgpu.Loads):
				n.kind = schedLoad
			}
		}
		for e := n.edges; e >= 0 && n.kind == schedOther; e = s.edges[e].next {
			if s.edges[e].latency >= 0 && s.nodes[s.edges[e].to].kind != schedOther {
				n.kind = schedAddress
			}
		}
	}
}
