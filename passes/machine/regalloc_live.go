package machine

import (
	"cmp"
	"slices"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// number counts instructions in linear order. A block's beginning has a number
// of its own, where its arguments are defined, and so have the copies for the
// arguments that its edge passes.
func (ra *allocator) number() {
	f := ra.f
	n := f.NumBlockIDs()
	ra.pos = grown(ra.pos, f.NumOps())
	ra.copyAt, ra.first, ra.last, ra.depth = grown(ra.copyAt, n), grown(ra.first, n), grown(ra.last, n), grown(ra.depth, n)
	ra.order = ra.order[:0]
	k := int32(0)
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		ra.order = append(ra.order, b)
		ra.first[b.ID] = k
		k++
		at := copyPoint(b)
		for op := b.First(); op != nil; op = op.Next() {
			if op == at {
				ra.copyAt[b.ID] = k
				k++
			}
			ra.pos[op.ID] = k
			k++
		}
		ra.last[b.ID] = k
	}
	ra.npos = k
	ra.linearPreds()
}

// copyPoint is the op of b before which the arguments of b's edge are copied;
// nil if it passes none. Exec sets the mask at the heads of blocks and, at
// their ends, only where lanes part, from where no arguments are passed: so
// what executes in front of a terminator does so for the lanes that take its
// edge.
func copyPoint(b *ir.Block) *ir.Op {
	t := b.Last()
	for i := range t.NumSuccs() {
		if t.Succ(i).NumArgs() == 0 {
			continue
		}
		if t.NumSuccs() > 1 {
			panic("machine: arguments on an edge that is one of several")
		}
		return t
	}
	return nil
}

// linearPreds collects predecessors in the wave's control flow, and how many
// loops are around each block: a jump back in linear order makes one.
func (ra *allocator) linearPreds() {
	n := ra.f.NumBlockIDs()
	ra.predOff = grown(ra.predOff, n+1)
	index := grown(ra.live.index, n)
	for i, b := range ra.order {
		index[b.ID] = int32(i)
	}
	edges := ra.live.edges[:0]
	deeper := grown(ra.live.deeper, len(ra.order)+1)
	for i, b := range ra.order {
		ra.buf = LinearSuccs(b, ra.buf[:0])
		for _, s := range ra.buf {
			edges = append(edges, [2]int32{int32(i), int32(s.ID)})
			ra.predOff[s.ID+1]++
			if to := index[s.ID]; to <= int32(i) {
				deeper[to]++
				deeper[i+1]--
			}
		}
	}
	for i := range n {
		ra.predOff[i+1] += ra.predOff[i]
	}
	ra.preds = grown(ra.preds, len(edges))
	at := append(ra.live.at[:0], ra.predOff...)
	for _, e := range edges {
		ra.preds[at[e[1]]] = e[0]
		at[e[1]]++
	}
	d := int32(0)
	for i, b := range ra.order {
		d += deeper[i]
		ra.depth[b.ID] = d
	}
	ra.live.index, ra.live.edges, ra.live.deeper, ra.live.at = index, edges, deeper, at
}

// liveScratch is memory for liveness.
type liveScratch struct {
	index, deeper, at []int32
	edges             [][2]int32
	stamp             []int32 // by block: the walk that reached it
	end               []int32 // by block: how far the value lives in it
	seen, work        []*ir.Block
	walk              int32
}

// liveness makes a unit of every value, with the segments of each of its
// registers, and notes what copies share.
func (ra *allocator) liveness() {
	f := ra.f
	n := f.NumValues()
	ra.unit, ra.offset, ra.contOff = grown(ra.unit, n), grown(ra.offset, n), grown(ra.contOff, n)
	ra.info = grown(ra.info, n)
	for i := range ra.unit {
		ra.unit[i] = -1
	}
	ra.lanes, ra.content = ra.lanes[:0], ra.content[:0]
	ra.arena, ra.cands = ra.arena[:0], ra.cands[:0]
	ra.live.stamp, ra.live.end = grown(ra.live.stamp, f.NumBlockIDs()), grown(ra.live.end, f.NumBlockIDs())
	ra.live.walk = 0
	for _, b := range ra.order {
		for _, v := range b.Args() {
			ra.value(v, b, 2*ra.first[b.ID])
		}
		for op := b.First(); op != nil; op = op.Next() {
			if op.NumResults() == 0 {
				continue
			}
			at := 2*ra.pos[op.ID] + 1
			for i := range op.NumResults() {
				d := at
				if i == 0 && ra.earlyClobber(op) {
					d--
				}
				ra.value(op.Result(i), b, d)
			}
			if amdgpu.IsMachine(op.Code) {
				ra.joins(op)
			}
		}
		if ra.copyAt[b.ID] != 0 {
			e := b.Last().Succ(0)
			for i, v := range e.To().Args() {
				ra.join(v, e.Arg(i), 0, b)
			}
		}
	}
}

// earlyClobber reports an op that may write result 0 before it has read its
// operands: 64-bit multiply-adds of GFX11 (LLVM: V_MAD_U64_U32_gfx11), and
// scalar loads of several registers that are replayed behind a page fault.
func (ra *allocator) earlyClobber(op *ir.Op) bool {
	switch op.Code {
	case amdgpu.VMadU64U32, amdgpu.VMadI64I32:
		return ra.c.Target.Generation == target.GFX11
	}
	if ra.c.Target.Generation != target.GFX9 || !amdgpu.IsMachine(op.Code) {
		return false
	}
	return amdgpu.RowOf(op.Code).Family == amdgpu.SMEM && op.Result(0).Type.Lanes() > 1
}

// value makes the unit of v, defined at position def of block b.
func (ra *allocator) value(v *ir.Value, b *ir.Block, def int32) {
	if !tracked(v) {
		return
	}
	id := int32(v.ID)
	n := v.Type.Lanes()
	ra.unit[id], ra.offset[id] = id, 0
	ra.contOff[id] = int32(len(ra.content))
	u := unitInfo{lanes: int32(len(ra.lanes)), size: uint8(n), align: 1, class: v.Type.Class(), fixed: v.Reg}
	switch {
	case n == 1:
	case u.class == ir.VGPR:
		if ra.evenV {
			u.align = 2
		}
	case n == 2:
		u.align = 2
	default:
		u.align = 4
	}
	ra.hints(v, &u)
	ra.info[id] = u
	ra.contents(v, n)
	if n > 1 && extracted(v) {
		for l := range n {
			ra.lane(v, b, def, l, l)
		}
		return
	}
	ra.lane(v, b, def, -1, 0)
	for l := 1; l < n; l++ {
		ra.lane(v, b, def, -2, l)
	}
}

// hints says where v had best go.
func (ra *allocator) hints(v *ir.Value, u *unitInfo) {
	op := v.Op()
	if op == nil || u.class != ir.SGPR || int(u.size) != ra.mask || !amdgpu.IsMachine(op.Code) {
		return
	}
	row := amdgpu.RowOf(op.Code)
	if !row.VALU() || op.Code == amdgpu.VReadfirstlaneB32 || op.Code == amdgpu.VReadlaneB32 {
		return
	}
	u.hint = row.Family == amdgpu.VOPC || row.Family == amdgpu.VOP2 || ra.evenV && row.Family == amdgpu.VOP3
	u.sink = ra.nullMask && row.Family != amdgpu.VOPC && !v.HasUses()
}

// extracted reports whether parts of the tuple v are used.
func extracted(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		if u.User().Code == amdgpu.PExtract {
			return true
		}
	}
	return false
}

// contents numbers what the registers of v hold: a copy holds what its source
// does.
func (ra *allocator) contents(v *ir.Value, n int) {
	own := int32(len(ra.content))
	for l := range n {
		ra.content = append(ra.content, own+int32(l))
	}
	op := v.Op()
	if op == nil {
		return
	}
	switch op.Code {
	case amdgpu.PLivein:
		if x := firstLiveIn(v); x != v {
			ra.sameContent(own, n, x, 0)
		}
	case amdgpu.PCopy:
		ra.sameContent(own, n, op.Operand(0), 0)
	case amdgpu.PExtract:
		ra.sameContent(own, n, op.Operand(0), int(op.Field(amdgpu.FIndex)))
	case amdgpu.PBuild:
		at := int32(0)
		for i := range op.NumOperands() {
			x := op.Operand(i)
			k := registers(x)
			ra.sameContent(own+at, k, x, 0)
			at += int32(k)
		}
	}
}

func (ra *allocator) sameContent(at int32, n int, x *ir.Value, from int) {
	if x.Type.Class() == ir.NoClass || !tracked(x) || ra.unit[x.ID] < 0 {
		return
	}
	copy(ra.content[at:int(at)+n], ra.content[int(ra.contOff[x.ID])+from:])
}

// lane appends the segments of register l of v. part is the register whose
// uses count; -1: all do; -2: the segments are those of the lane before.
func (ra *allocator) lane(v *ir.Value, b *ir.Block, def int32, part, l int) {
	content := ra.content[int(ra.contOff[v.ID])+l]
	from := len(ra.arena)
	if part == -2 {
		prev := ra.lanes[len(ra.lanes)-1]
		for _, s := range prev {
			ra.arena = append(ra.arena, seg{s.start, s.end, content})
		}
	} else {
		ra.segments(v, b, def, part, content)
	}
	ra.lanes = append(ra.lanes, ra.arena[from:len(ra.arena):len(ra.arena)])
}

// segments appends where register part of v is live.
func (ra *allocator) segments(v *ir.Value, b *ir.Block, def int32, part int, content int32) {
	lv := &ra.live
	lv.walk++
	lv.seen, lv.work = lv.seen[:0], lv.work[:0]
	end := def | 1 + 1 // a result occupies its register when it is written
	if isLiveIn(v) {
		def = 0
	}
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		op := u.User()
		if part >= 0 && op.Code == amdgpu.PExtract {
			if i := int(op.Field(amdgpu.FIndex)); part < i || part >= i+op.Result(0).Type.Lanes() {
				continue
			}
		}
		at := ra.pos[op.ID]
		ub := op.Block()
		if c := ra.copyAt[ub.ID]; c != 0 && op == ub.Last() {
			at = c
		}
		e := 2*at + 1
		if ub == b {
			end = max(end, e)
		} else if lv.reach(ub, e) {
			lv.work = append(lv.work, ub)
		}
	}
	vector := v.Type.Class() == ir.VGPR
	for len(lv.work) > 0 {
		x := lv.work[len(lv.work)-1]
		lv.work = lv.work[:len(lv.work)-1]
		if vector {
			for e := x.FirstPred(); e != nil; e = e.NextPred() {
				end = ra.liveOut(e.From(), b, end)
			}
		} else {
			for _, p := range ra.preds[ra.predOff[x.ID]:ra.predOff[x.ID+1]] {
				end = ra.liveOut(ra.order[p], b, end)
			}
		}
	}
	if len(lv.seen) == 0 && !v.IsArg() {
		ra.arena = append(ra.arena, seg{def, end, content})
		return
	}
	ra.collect(v, b, seg{def, end, content})
}

// liveOut notes that the value defined in b lives to the end of block p; end is
// how far it lives in b.
func (ra *allocator) liveOut(p, b *ir.Block, end int32) int32 {
	e := 2 * ra.last[p.ID]
	if p == b {
		return max(end, e)
	}
	if ra.live.reach(p, e) {
		ra.live.work = append(ra.live.work, p)
	}
	return end
}

// reach extends the value's life in block b, from its beginning, to end; it
// reports whether b is new.
func (lv *liveScratch) reach(b *ir.Block, end int32) bool {
	if lv.stamp[b.ID] == lv.walk {
		lv.end[b.ID] = max(lv.end[b.ID], end)
		return false
	}
	lv.stamp[b.ID], lv.end[b.ID] = lv.walk, end
	lv.seen = append(lv.seen, b)
	return true
}

// collect appends the segments of a value that lives in several blocks: own in
// its block, those that the walk found, and those of an argument behind the
// copies in the predecessors.
func (ra *allocator) collect(v *ir.Value, b *ir.Block, own seg) {
	from := len(ra.arena)
	ra.arena = append(ra.arena, own)
	for _, x := range ra.live.seen {
		ra.arena = append(ra.arena, seg{2 * ra.first[x.ID], ra.live.end[x.ID], own.content})
	}
	if v.IsArg() {
		for e := b.FirstPred(); e != nil; e = e.NextPred() {
			p := e.From()
			ra.arena = append(ra.arena, seg{2*ra.copyAt[p.ID] + 1, 2 * ra.last[p.ID], own.content})
		}
	}
	list := ra.arena[from:]
	slices.SortFunc(list, func(a, b seg) int { return cmp.Compare(a.start, b.start) })
	k := 0
	for _, s := range list[1:] {
		if s.start <= list[k].end {
			list[k].end = max(list[k].end, s.end)
		} else {
			k++
			list[k] = s
		}
	}
	ra.arena = ra.arena[:from+k+1]
}
