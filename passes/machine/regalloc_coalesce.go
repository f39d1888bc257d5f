package machine

import (
	"math"

	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// candidate asks that value b begin delta registers behind value a.
type candidate struct {
	a, b  int32
	delta int16
	depth int16
}

// joins notes what the op wants in one place: copies and the parts of tuples.
func (ra *allocator) joins(op *ir.Op) {
	b := op.Block()
	switch op.Code {
	case amdgpu.PCopy:
		ra.join(op.Result(0), op.Operand(0), 0, b)
	case amdgpu.PExtract:
		ra.join(op.Operand(0), op.Result(0), int(op.Field(amdgpu.FIndex)), b)
	case amdgpu.PBuild:
		at := 0
		for i := range op.NumOperands() {
			x := op.Operand(i)
			ra.join(op.Result(0), x, at, b)
			at += registers(x)
		}
	default:
		if amdgpu.RowOf(op.Code).Has(amdgpu.Tied) && op.NumResults() > 0 {
			if !tracked(op.Result(0)) {
				return
			}
			ra.cands = append(ra.cands, candidate{int32(op.Result(0).ID), int32(op.Operand(op.NumPlainOperands() - 1).ID), 0, tiedDepth})
		}
	}
}

// maxDepth is the deepest nesting that is told apart, and tiedDepth, which is
// more than any of loops, that of tied operands: they must be joined.
const (
	maxDepth  = 32
	tiedDepth = maxDepth
)

// join notes that y had best begin delta registers behind x.
func (ra *allocator) join(x, y *ir.Value, delta int, b *ir.Block) {
	if x.Type.Class() != y.Type.Class() || !tracked(x) || !tracked(y) {
		return
	}
	ra.cands = append(ra.cands, candidate{int32(x.ID), int32(y.ID), int16(delta), int16(min(ra.depth[b.ID], tiedDepth-1))})
}

// coalesce merges units, candidates of deep loops first.
//
// Single registers that live long are no good parts of tuples where registers
// are scarce: from one round of spilling to the next fewer are taken.
func (ra *allocator) coalesce(round int) {
	ra.longest = math.MaxInt32
	if round > 0 {
		ra.longest = int32(64 >> min(round, 8))
	}
	for k := range ra.phys {
		ra.clearPhys(k)
	}
	ra.placeFixed()
	ra.sortCandidates()
	for i := range ra.cands {
		c := &ra.cands[i]
		if !ra.merge(c.a, c.b, int(c.delta)) && c.depth == tiedDepth {
			panic("machine: a tied operand cannot have its result's register")
		}
	}
}

// sortCandidates puts those of deep loops first, and keeps their order else.
func (ra *allocator) sortCandidates() {
	deepest := int16(0)
	for i := range ra.cands {
		deepest = max(deepest, ra.cands[i].depth)
	}
	if deepest == 0 {
		return
	}
	from := grown(ra.byDepth, maxDepth+2) // by maxDepth - depth
	for i := range ra.cands {
		from[maxDepth-ra.cands[i].depth+1]++
	}
	for d := range maxDepth + 1 {
		from[d+1] += from[d]
	}
	sorted := grown(ra.sorted, len(ra.cands))
	for _, c := range ra.cands {
		k := &from[maxDepth-c.depth]
		sorted[*k] = c
		*k++
	}
	ra.cands, ra.sorted, ra.byDepth = sorted, ra.cands, from
}

// placeFixed takes the registers of preset values.
func (ra *allocator) placeFixed() {
	for _, b := range ra.order {
		for op := b.First(); op != nil; op = op.Next() {
			for i := range op.NumResults() {
				v := op.Result(i)
				if v.Reg == ir.NoReg || ra.unit[v.ID] < 0 {
					continue
				}
				u := &ra.info[v.ID]
				u.reg = u.fixed
				for l := range int(u.size) {
					ra.occupy(u.class, physical(u.fixed)+l, ra.lanes[int(u.lanes)+l])
				}
			}
		}
	}
}

// occupy takes register r of the class for the segments.
func (ra *allocator) occupy(class ir.RegClass, r int, segs []seg) {
	list := &ra.phys[classIndex(class)][r]
	for _, s := range segs {
		*list = insert(*list, s)
	}
}

// find returns the root of value v's unit and v's place in it. The offset of a
// root is its own place, that of another value is from its parent.
func (ra *allocator) find(v int32) (root, off int32) {
	root = v
	for ra.unit[root] != root {
		off += ra.offset[root]
		root = ra.unit[root]
	}
	for at, o := v, off; ra.unit[at] != root; {
		next, step := ra.unit[at], ra.offset[at]
		ra.unit[at], ra.offset[at] = root, o
		o -= step
		at = next
	}
	return root, off + ra.offset[root]
}

// maxUnit is the largest tuple that merging makes of smaller ones: larger ones
// are hard to place.
const maxUnit = 8

// merge makes one unit of those of values a and b, so that b begins delta
// registers behind a, unless their segments conflict.
func (ra *allocator) merge(a, b int32, delta int) bool {
	ua, offA := ra.find(a)
	ub, offB := ra.find(b)
	d := int(offA) + delta - int(offB) // where ub's unit begins in ua's
	if ua == ub {
		return d == 0
	}
	if ra.weight(ua) < ra.weight(ub) {
		ua, ub, d = ub, ua, -d
	}
	x, y := &ra.info[ua], &ra.info[ub]
	low, high := min(0, d), max(int(x.size), d+int(y.size))
	size := high - low
	if size > maxUnit && size > int(x.size) && size > int(y.size) ||
		x.size != y.size && max(ra.length(x), ra.length(y)) > ra.longest {
		return false
	}
	align, rem, ok := joinAlign(int(x.align), int(x.rem), int(y.align), int(y.rem)-d)
	if !ok || !ra.mergeFixed(x, y, d, low, size, align, rem) {
		return false
	}
	for l := range int(y.size) {
		if k := l + d; k >= 0 && k < int(x.size) &&
			conflict(ra.lanes[int(x.lanes)+k], ra.lanes[int(y.lanes)+l]) {
			return false
		}
	}
	ra.unite(x, y, d, low, size)
	x.align, x.rem = uint8(align), uint8(mod(rem+low, align))
	x.hint = x.hint || y.hint
	x.sink = false
	ra.unit[ub], ra.offset[ub] = ua, int32(d)+ra.offset[ub]-ra.offset[ua]
	ra.offset[ua] -= int32(low)
	return true
}

// weight is the number of segments of a unit.
func (ra *allocator) weight(u int32) (n int) {
	x := &ra.info[u]
	for l := range int(x.size) {
		n += len(ra.lanes[int(x.lanes)+l])
	}
	return n
}

// length is how long the registers of x live, in all, if it is one register;
// else 0.
func (ra *allocator) length(x *unitInfo) int32 {
	if x.size > 1 {
		return 0
	}
	return ra.lasts(x)
}

func mod(a, m int) int { return (a%m + m) % m }

// joinAlign is the alignment that satisfies both: first register ≡ rem modulo
// align.
func joinAlign(a1, r1, a2, r2 int) (align, rem int, ok bool) {
	if a1 < a2 {
		a1, r1, a2, r2 = a2, r2, a1, r1
	}
	r1, r2 = mod(r1, a1), mod(r2, a2)
	return a1, r1, mod(r1, a2) == r2
}

// mergeFixed looks after preset registers when unit y is to join x, at d: the
// united tuple of size registers begins low before x. It reports whether they
// allow it.
func (ra *allocator) mergeFixed(x, y *unitInfo, d, low, size, align, rem int) bool {
	if x.fixed == ir.NoReg && y.fixed == ir.NoReg {
		return true
	}
	first := 0 // register of x's lane 0
	switch {
	case x.fixed == ir.NoReg:
		first = physical(y.fixed) - d
	case y.fixed == ir.NoReg:
		first = physical(x.fixed)
	default:
		return physical(x.fixed) == physical(y.fixed)-d && x.size == y.size && d == 0
	}
	base := first + low
	if base < 0 || mod(base, align) != mod(rem+low, align) || !ra.allowed(x.class, base, size) {
		return false
	}
	free, at := x, first
	if x.fixed != ir.NoReg {
		free, at = y, first+d
	}
	for l := range int(free.size) {
		if conflict(ra.phys[classIndex(x.class)][at+l], ra.lanes[int(free.lanes)+l]) {
			return false
		}
	}
	// The lanes of the two are compared by the caller's rule as well: the fixed
	// one's segments are among the register's.
	for l := range int(free.size) {
		ra.occupy(x.class, at+l, ra.lanes[int(free.lanes)+l])
	}
	x.fixed = register(x.class, base)
	x.reg = x.fixed
	return true
}

// allowed reports whether a tuple may lie in registers [base, base+size).
func (ra *allocator) allowed(class ir.RegClass, base, size int) bool {
	if class == ir.VGPR {
		return base+size <= ra.vlimit
	}
	vcc := int(ir.RegVCC - ir.RegS0)
	return base+size <= ra.slimit || base >= vcc && base+size <= vcc+2
}

// unite puts y's lanes among x's.
func (ra *allocator) unite(x, y *unitInfo, d, low, size int) {
	if size > int(x.size) {
		from := int(x.lanes)
		at := len(ra.lanes)
		for l := range size {
			k := l + low
			if k >= 0 && k < int(x.size) {
				ra.lanes = append(ra.lanes, ra.lanes[from+k])
			} else {
				ra.lanes = append(ra.lanes, nil)
			}
		}
		x.lanes, x.size = int32(at), uint8(size)
	}
	for l := range int(y.size) {
		list := &ra.lanes[int(x.lanes)+l+d-low]
		segs := ra.lanes[int(y.lanes)+l]
		if *list == nil {
			*list = segs
			continue
		}
		for _, s := range segs {
			*list = insert(*list, s)
		}
	}
}

// after is the index of the first segment of list that ends behind p.
func after(list []seg, p int32) int {
	if n := len(list); n == 0 || list[n-1].end <= p {
		return n
	}
	lo, hi := 0, len(list)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if list[m].end > p {
			hi = m
		} else {
			lo = m + 1
		}
	}
	return lo
}

// conflict reports whether a register that holds what x says cannot also hold
// what y says.
func conflict(x, y []seg) bool {
	if len(x) < len(y) {
		x, y = y, x
	}
	for i := range y {
		s := &y[i]
		for k := after(x, s.start); k < len(x) && x[k].start < s.end; k++ {
			if x[k].content != s.content {
				return true
			}
		}
	}
	return false
}

// insert adds s to a sorted list of disjoint segments; what overlaps it holds
// the same.
func insert(list []seg, s seg) []seg {
	if n := len(list); n == 0 || list[n-1].end < s.start {
		return append(list, s)
	}
	at := after(list, s.start-1)
	if at < len(list) && list[at].end == s.start && list[at].content != s.content {
		at++
	}
	k := at // segments [at, k) become one with s
	for k < len(list) && list[k].start <= s.end && list[k].content == s.content {
		s.start, s.end = min(s.start, list[k].start), max(s.end, list[k].end)
		k++
	}
	if k > at {
		list[at] = s
		return append(list[:at+1], list[k:]...)
	}
	list = append(list, seg{})
	copy(list[at+1:], list[at:])
	list[at] = s
	return list
}
