package machine

import (
	"container/heap"
	"math"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Spilling puts units into memory: all values of a unit share a place, since
// they are never there at once or hold the same, so that copies, parts of
// tuples and block arguments within a unit become nothing. A value is stored
// behind its definition and loaded before each use. Vector registers go to
// scratch memory, scalar ones to lanes of vector registers that nothing else
// has anywhere in the function, since their lanes must survive where the lanes
// do not execute. Constants are made again instead.

// spillState is what the rounds of one function share.
type spillState struct {
	frame   int // dwords of scratch memory in use, private variables first
	lanes   int // lanes of spill registers in use
	temp    []bool
	chosen  []int32 // by unit: 1 + index into places
	places  []place
	only    []*ir.Op // by unit: the op that defines its only value
	loads   []reload
	dead    []*ir.Op
	spilled []*ir.Value // arguments
	regs    []*ir.Value // the spill registers
	bl      ir.Builder
	starts  []int32 // of the units' segments, by position
	units   []int32
	diff    []int32
	heap    spillHeap
	queued  []bool
}

// place is where a spilled unit is.
type place struct {
	class ir.RegClass
	at    int    // scratch: dword; else lane of the spill registers
	remat *ir.Op // makes the value again
}

func (s *spillState) reset(f *ir.Func) {
	_, private := amdgpu.PrivateLayout(f)
	s.frame, s.lanes = int(private/4), 0
	clear(s.temp)
	clear(s.regs)
	s.temp, s.regs = s.temp[:0], s.regs[:0]
}

// spillReg is the provisional number of a spill register: behind those that
// exist.
func spillReg(i int) ir.Reg { return ir.VReg(256 + i) }

// maxSpillRounds bounds the rounds: each reduces what is live at the places of
// greatest need, to fewer registers than the round before.
const maxSpillRounds = 40

// spill moves units of the class to memory where more is live than there are
// registers. It reports whether there is hope.
func (ra *allocator) spill(class ir.RegClass, round int) bool {
	if class == ir.VGPR && !ra.c.Target.Has(target.ArchitectedScratch) {
		ra.c.Diags.Error(ra.f.Loc, ir.NoLoc, codeSpill, "the kernel needs more vector registers than there are, and spilling to scratch memory is not supported on this chip")
		return false
	}
	limit := ra.vlimit
	if class == ir.SGPR {
		limit = ra.slimit
	}
	for _, b := range ra.blocked[classIndex(class)][:limit] {
		if b {
			limit--
		}
	}
	for limit -= round / 2; limit > 0 && round < maxSpillRounds; limit-- {
		if ra.choose(class, limit) {
			ra.rewrite()
			return true
		}
	}
	ra.c.Diags.Error(ra.f.Loc, ir.NoLoc, codeSpill, "the kernel needs more registers at a time than there are")
	return false
}

// spillHeap orders units by what spilling costs for each position that it
// frees.
type spillHeap []spillItem

type spillItem struct {
	unit int32
	cost float64
}

func (h spillHeap) Len() int { return len(h) }
func (h spillHeap) Less(i, j int) bool {
	return h[i].cost < h[j].cost || h[i].cost == h[j].cost && h[i].unit < h[j].unit
}
func (h spillHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *spillHeap) Push(x any)   { *h = append(*h, x.(spillItem)) }
func (h *spillHeap) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

// choose picks units so that no more than limit registers of the class are
// live anywhere; it reports whether there are any.
func (ra *allocator) choose(class ir.RegClass, limit int) bool {
	s := &ra.sp
	n := int(2*ra.npos) + 2
	s.diff = grown(s.diff, n+1)
	s.chosen = grown(s.chosen, len(ra.unit))
	s.queued = grown(s.queued, len(ra.unit))
	s.places = s.places[:0]
	s.heap = s.heap[:0]
	first, next := ra.segmentStarts(class, n)
	cost := ra.costs(class)
	cur := int32(0)
	for p := range n {
		cur += s.diff[p]
		for k := first[p]; k >= 0; k = next[k] {
			if u := s.units[k]; !s.queued[u] && s.chosen[u] == 0 && cost[u] >= 0 {
				s.queued[u] = true
				heap.Push(&s.heap, spillItem{u, cost[u]})
			}
		}
		for cur > int32(limit) && len(s.heap) > 0 {
			it := heap.Pop(&s.heap).(spillItem)
			s.queued[it.unit] = false
			if ra.liveAt(it.unit, int32(p)) {
				cur -= ra.take(it.unit, int32(p))
			}
		}
	}
	return len(s.places) > 0
}

// segmentStarts lists the segments of the class by their start, and counts what
// is live.
func (ra *allocator) segmentStarts(class ir.RegClass, n int) (first, next []int32) {
	s := &ra.sp
	s.starts = grown(s.starts, n)
	first = s.starts
	for i := range first {
		first[i] = -1
	}
	s.units = s.units[:0]
	for u := range ra.unit {
		if ra.unit[u] != int32(u) || ra.info[u].class != class || isVCC(ra.info[u].fixed) {
			continue
		}
		x := &ra.info[u]
		for l := range int(x.size) {
			for _, sg := range ra.lanes[int(x.lanes)+l] {
				s.diff[sg.start]++
				s.diff[sg.end]--
				next = append(next, first[sg.start])
				first[sg.start] = int32(len(s.units))
				s.units = append(s.units, int32(u))
			}
		}
	}
	return first, next
}

// costs is by unit what its loads and stores cost, divided by how long it
// lives; negative if it cannot be spilled.
func (ra *allocator) costs(class ir.RegClass) []float64 {
	cost := make([]float64, len(ra.unit))
	seen := make([]bool, len(ra.unit))
	ra.sp.only = grown(ra.sp.only, len(ra.unit))
	add := func(v *ir.Value, b *ir.Block, def bool) {
		if ra.unit[v.ID] < 0 {
			return
		}
		u, _ := ra.find(int32(v.ID))
		if ra.info[u].class != class {
			return
		}
		w := 1.0
		for range min(ra.depth[b.ID], 8) {
			w *= 10
		}
		cost[u] += w
		if ra.sp.isTemp(v) {
			cost[u] = math.Inf(-1)
		}
		if def {
			ra.sp.defines(u, v.Op(), seen)
		}
	}
	for _, b := range ra.order {
		for _, v := range b.Args() {
			add(v, b, true)
		}
		for op := b.First(); op != nil; op = op.Next() {
			for i := range op.NumOperands() {
				add(op.Operand(i), b, false)
			}
			for i := range op.NumResults() {
				add(op.Result(i), b, true)
			}
		}
	}
	for u := range cost {
		if ra.unit[u] != int32(u) || ra.info[u].class != class {
			continue
		}
		x := &ra.info[u]
		total, longest := int32(0), int32(0)
		for l := range int(x.size) {
			sum := int32(0)
			for _, sg := range ra.lanes[int(x.lanes)+l] {
				sum += sg.end - sg.start
			}
			total, longest = total+sum, max(longest, sum)
		}
		if isVCC(x.fixed) || longest <= 4 || cost[u] < 0 {
			cost[u] = -1
			continue
		}
		if ra.rematerialised(int32(u)) != nil {
			cost[u] /= 4
		}
		cost[u] /= float64(total)
	}
	return cost
}

// rematerialised is the op that makes the only value of unit u from nothing,
// nil if there is none.
func (ra *allocator) rematerialised(u int32) *ir.Op {
	op := ra.sp.only[u]
	if op == nil {
		return nil
	}
	switch op.Code {
	case amdgpu.SMovB32, amdgpu.SMovB64, amdgpu.VMovB32, amdgpu.VMovB64:
		if _, imm := amdgpu.IsImm(op.Operand(0)); imm {
			return op
		}
	case amdgpu.SMovkI32:
		return op
	}
	return nil
}

// defines notes that op defines a value of unit u.
func (s *spillState) defines(u int32, op *ir.Op, seen []bool) {
	if seen[u] {
		op = nil
	}
	seen[u], s.only[u] = true, op
}

func (ra *allocator) liveAt(u, p int32) bool {
	x := &ra.info[u]
	for l := range int(x.size) {
		list := ra.lanes[int(x.lanes)+l]
		if k := after(list, p); k < len(list) && list[k].start <= p {
			return true
		}
	}
	return false
}

// take spills unit u at position p; it returns how many registers that frees
// there.
func (ra *allocator) take(u, p int32) (freed int32) {
	s := &ra.sp
	x := &ra.info[u]
	for l := range int(x.size) {
		for _, sg := range ra.lanes[int(x.lanes)+l] {
			switch {
			case sg.start > p:
				s.diff[sg.start]--
				s.diff[sg.end]++
			case sg.end > p:
				freed++
				s.diff[sg.end]++
			}
		}
	}
	pl := place{class: x.class, remat: ra.rematerialised(u)}
	if pl.remat != nil {
		pl.at = -1
	} else if x.class == ir.VGPR {
		pl.at, s.frame = s.frame, s.frame+int(x.size)
	} else {
		pl.at, s.lanes = s.lanes, s.lanes+int(x.size)
	}
	s.places = append(s.places, pl)
	s.chosen[u] = int32(len(s.places))
	return freed
}
