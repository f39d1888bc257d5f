package interp

import (
	"fmt"
	"math/bits"

	"pisac/dialects/host"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Data races by vector clocks, after the scoped C++ model of PISA 1.2: two
// accesses of one location in different work-items race if one writes, they
// are not both atomic in scopes that include each other, and no chain of
// program order and synchronisation orders them. Global and shared memory have
// clocks of their own: a fence orders only the space that it names, an
// acquire, a release and a barrier order both.

// spaceIdx tells global from shared clocks.
type spaceIdx uint8

const (
	inGlobal spaceIdx = iota
	inShared
	numSpaces
)

// clock is a vector clock: for each work-group, one epoch for each of its
// work-items. The parts are never changed once made, so clocks share them.
type clock struct {
	groups []uint64 // ascending
	parts  [][]uint32
}

func (c *clock) part(group uint64) []uint32 {
	for i, g := range c.groups {
		if g == group {
			return c.parts[i]
		}
	}
	return nil
}

// sees reports whether epoch of work-item item of group happened before.
func (c *clock) sees(group uint64, item int, epoch uint32) bool {
	p := c.part(group)
	return p != nil && p[item] >= epoch
}

func (c *clock) set(group uint64, part []uint32) {
	for i, g := range c.groups {
		if g == group {
			c.parts[i] = part
			return
		}
	}
	c.groups = append(c.groups, group)
	c.parts = append(c.parts, part)
}

// join makes c the later of c and d in every place.
func (c *clock) join(d *clock) {
	for i, g := range d.groups {
		theirs := d.parts[i]
		mine := c.part(g)
		switch {
		case mine == nil:
			c.set(g, theirs)
		case &mine[0] != &theirs[0]:
			c.set(g, later(mine, theirs))
		}
	}
}

// later is the pointwise maximum; one of the two itself where it is that.
func later(a, b []uint32) []uint32 {
	var out []uint32
	for i := range a {
		if b[i] > a[i] {
			if out == nil {
				out = append(out, a...)
			}
			out[i] = b[i]
		}
	}
	if out == nil {
		return a
	}
	return out
}

func (c *clock) copy() clock {
	return clock{append([]uint64(nil), c.groups...), append([][]uint32(nil), c.parts...)}
}

// head is the start of a release sequence: a release, or the fence before a
// relaxed write.
type head struct {
	group  uint64
	item   int
	epoch  uint32
	scope  pisa.Scope
	clocks [numSpaces]*clock
	covers [numSpaces]bool
}

// itemClock is the state of one work-item.
type itemClock struct {
	epoch   uint32
	clocks  [numSpaces]clock
	fences  []head // release fences that later atomic writes carry
	pending []head // read by relaxed loads, for a later acquire fence
}

// record is one remembered access of a cell.
type record struct {
	group  uint64
	item   int32
	epoch  uint32
	op     *ir.Op
	addr   uint64
	size   uint8
	mask   uint8 // bytes of the cell
	write  bool
	atomic bool
	scope  pisa.Scope
}

// cell is the history of four bytes.
type cell struct {
	recs  []record
	heads []head // release sequence of the last write
	last  record // that write, if atomic
}

// races is the state of the check.
type races struct {
	eng   *engine
	items int // of a full work-group
	state map[uint64][]itemClock
	cells [][]cell // by Object.Num
}

func newRaces(eng *engine) *races {
	return &races{eng: eng, items: int(eng.Local[0] * eng.Local[1] * eng.Local[2]), state: map[uint64][]itemClock{}}
}

// history returns the cells of an object of global memory, made on first use.
func (r *races) history(o *host.Object) []cell {
	for o.Num >= len(r.cells) {
		r.cells = append(r.cells, nil)
	}
	if r.cells[o.Num] == nil {
		r.cells[o.Num] = make([]cell, o.Size/4+4)
	}
	return r.cells[o.Num]
}

// start makes the clocks of a work-group's items.
func (r *races) start(g *group) {
	st := make([]itemClock, g.items)
	for i := range st {
		st[i].epoch = 1
	}
	r.state[g.linear] = st
}

func (r *races) at(g *group, item int) *itemClock { return &r.state[g.linear][item] }

// barrier orders what the waiting items did before what they do after, in both
// spaces.
func (r *races) barrier(g *group) {
	var joined [numSpaces]clock
	st := r.state[g.linear]
	now := make([]uint32, r.items)
	var waiting []int
	for _, s := range g.sgs {
		for i := range s.frags {
			for m := s.frags[i].mask; m != 0; m &= m - 1 {
				waiting = append(waiting, int(s.linear[bits.TrailingZeros32(m)]))
			}
		}
	}
	for _, i := range waiting {
		now[i] = st[i].epoch
		for sp := range joined {
			joined[sp].join(&st[i].clocks[sp])
		}
	}
	for sp := range joined {
		own := clock{[]uint64{g.linear}, [][]uint32{now}}
		joined[sp].join(&own)
	}
	for _, i := range waiting {
		st[i].epoch++
		for sp := range joined {
			st[i].clocks[sp] = joined[sp].copy()
		}
	}
}

// release is the head that item i makes now, and starts its next epoch.
func (r *races) release(g *group, i int, scope pisa.Scope, covers [numSpaces]bool) head {
	st := r.at(g, i)
	h := head{group: g.linear, item: i, epoch: st.epoch, scope: scope, covers: covers}
	for sp := range h.clocks {
		if !covers[sp] {
			continue
		}
		c := st.clocks[sp].copy()
		own := make([]uint32, r.items)
		own[i] = st.epoch
		c.join(&clock{[]uint64{g.linear}, [][]uint32{own}})
		h.clocks[sp] = &c
	}
	st.epoch++
	return h
}

// includes reports whether scope, of an access in group a, includes group b.
// Work-items of one launch are all on one GPU.
func includes(scope pisa.Scope, a, b uint64, sgA, sgB int) bool {
	switch scope {
	case pisa.Subgroup:
		return a == b && sgA == sgB
	case pisa.Workgroup:
		return a == b
	}
	return true
}

// inclusive is mutual inclusion of two accesses by different work-items.
func inclusive(sa, sb pisa.Scope, ga, gb uint64, ia, ib int) bool {
	if ga == gb && ia == ib {
		return true
	}
	return includes(sa, ga, gb, ia/width, ib/width) && includes(sb, gb, ga, ib/width, ia/width)
}

// acquire joins heads into item i's clocks where the scopes include each
// other.
func (r *races) acquire(g *group, i int, scope pisa.Scope, covers [numSpaces]bool, heads []head) {
	st := r.at(g, i)
	for k := range heads {
		h := &heads[k]
		if !inclusive(scope, h.scope, g.linear, h.group, i, h.item) {
			continue
		}
		for sp := range st.clocks {
			if covers[sp] && h.covers[sp] {
				st.clocks[sp].join(h.clocks[sp])
			}
		}
	}
}

var both = [numSpaces]bool{true, true}

// access checks the access of one lane that went to s.hit, and does what it
// synchronises.
func (r *races) access(s *subgroup, in *inst, lane int, write bool) {
	m, g := in.mem, s.g
	cells, off := s.hit.cells, s.hit.off
	sp := inGlobal
	if s.hit.shared {
		sp = inShared
	}
	i := int(s.linear[lane])
	st := r.at(g, i)
	first, last := off/4, (off+m.size-1)/4
	if last >= uint64(len(cells)) {
		last = uint64(len(cells)) - 1 // an over-read
	}
	if m.atomic && m.verb != "store" {
		// Synchronisation ends at the access itself: what the writer did
		// before is ordered before it.
		r.read(g, i, m, &cells[first])
	}
	for c := first; c <= last; c++ {
		lo, hi := max(off, c*4), min(off+m.size, c*4+4)
		rec := record{group: g.linear, item: int32(i), epoch: st.epoch, op: in.op, addr: off, size: uint8(m.size),
			mask: uint8(1<<(hi-c*4) - 1<<(lo-c*4)), write: write, atomic: m.atomic, scope: m.scope}
		if old := r.conflict(&cells[c], &rec, &st.clocks[sp]); old != nil {
			r.report(s, in, lane, &rec, old, s.hit.where, off)
			return
		}
		cells[c].remember(&rec, &st.clocks[sp])
	}
	switch {
	case !write:
	case m.atomic:
		r.write(g, i, in, &cells[first])
	default:
		for c := first; c <= last; c++ {
			// A weak write by the head's own work-item keeps its release
			// sequence (C++11); another's ends it.
			cells[c].heads = own(cells[c].heads, g.linear, i)
			cells[c].last = record{}
		}
	}
}

func own(hs []head, group uint64, item int) []head {
	out := hs[:0]
	for _, h := range hs {
		if h.group == group && h.item == item {
			out = append(out, h)
		}
	}
	return out
}

// conflict returns a remembered access that races with rec.
func (r *races) conflict(c *cell, rec *record, seen *clock) *record {
	for k := range c.recs {
		o := &c.recs[k]
		if o.mask&rec.mask == 0 || !o.write && !rec.write || o.group == rec.group && o.item == rec.item {
			continue
		}
		if o.atomic && rec.atomic && o.addr == rec.addr && o.size == rec.size &&
			inclusive(o.scope, rec.scope, o.group, rec.group, int(o.item), int(rec.item)) {
			continue
		}
		if !seen.sees(o.group, int(o.item), o.epoch) {
			return o
		}
	}
	return nil
}

// remember adds rec and drops what it makes redundant: whatever races with
// something dropped races with rec too.
func (c *cell) remember(rec *record, seen *clock) {
	out := c.recs[:0]
	for _, o := range c.recs {
		mine := o.group == rec.group && o.item == rec.item
		covered := o.mask&^rec.mask == 0 && (rec.write || !o.write) && (!rec.atomic || o.atomic && o.scope == rec.scope && o.addr == rec.addr && o.size == rec.size)
		if covered && (mine || rec.write && seen.sees(o.group, int(o.item), o.epoch)) {
			continue
		}
		out = append(out, o)
	}
	c.recs = append(out, *rec)
}

// follows reports that the last write of c is one that the access of item i
// reads with synchronisation: atomic, in scopes that include each other.
func (c *cell) follows(g *group, i int, m *memInst) bool {
	return c.last.op != nil && inclusive(c.last.scope, m.scope, c.last.group, g.linear, int(c.last.item), i)
}

// read is the ordering of an atomic access that reads.
func (r *races) read(g *group, i int, m *memInst, c *cell) {
	switch {
	case !c.follows(g, i, m):
	case m.order.Acquires():
		r.acquire(g, i, m.scope, both, c.heads)
	default:
		st := r.at(g, i)
		st.pending = addHeads(st.pending, c.heads)
	}
}

// write is the ordering of an atomic access that writes.
func (r *races) write(g *group, i int, in *inst, c *cell) {
	m := in.mem
	heads := c.heads
	if m.verb == "store" || !c.follows(g, i, m) { // else it continues the release sequence
		heads = own(heads, g.linear, i)
	}
	if m.order.Releases() {
		heads = addHeads(heads, []head{r.release(g, i, m.scope, both)})
	}
	c.heads = addHeads(heads, r.at(g, i).fences)
	c.last = record{group: g.linear, item: int32(i), op: in.op, scope: m.scope}
}

// addHeads appends those of more that are not in hs; a later head of the same
// item, scope and spaces replaces an earlier one.
func addHeads(hs, more []head) []head {
	out := append([]head(nil), hs...)
	for _, h := range more {
		at := -1
		for k := range out {
			if o := &out[k]; o.group == h.group && o.item == h.item && o.scope == h.scope && o.covers == h.covers {
				at = k
			}
		}
		switch {
		case at < 0:
			out = append(out, h)
		case out[at].epoch < h.epoch:
			out[at] = h
		}
	}
	return out
}

// runFence orders the memory accesses of each lane (only when races are
// checked; a run is sequentially consistent anyway).
func runFence(s *subgroup, in *inst, mask uint32) {
	p, r := in.op.Props, s.g.eng.races
	order, scope := pisa.OrderOf(p), pisa.ScopeOf(p)
	covers := both
	switch pisa.SpaceOf(p) {
	case ir.SpaceGlobal:
		covers = [numSpaces]bool{inGlobal: true}
	case ir.SpaceShared:
		covers = [numSpaces]bool{inShared: true}
	}
	if scope == pisa.Subgroup {
		order = pisa.AcqRel
	}
	for ; mask != 0; mask &= mask - 1 {
		i := int(s.linear[bits.TrailingZeros32(mask)])
		st := r.at(s.g, i)
		if order.Acquires() {
			r.acquire(s.g, i, scope, covers, st.pending)
		}
		if order.Releases() {
			st.fences = addHeads(st.fences, []head{r.release(s.g, i, scope, covers)})
		}
	}
}

// report makes a race the run's error.
func (r *races) report(s *subgroup, in *inst, lane int, rec, old *record, where string, off uint64) {
	verb := func(o *ir.Op) string {
		switch o.Code {
		case pisa.Ld:
			return "load"
		case pisa.St:
			return "store"
		}
		return "atomic"
	}
	what := func(x *record) string {
		if x.atomic {
			return fmt.Sprintf("%s %s (.%s)", scopeName(x.scope), verb(x.op), orderName(pisa.OrderOf(x.op.Props)))
		}
		return "weak " + verb(x.op)
	}
	s.fail(in, lane, DataRace, "data race on %s, offset %d (address %#x): this %s of %d bytes and an earlier %s are not ordered",
		where, off, s.addr[lane], what(rec), rec.size, what(old))
	g := s.g
	id := [3]uint64{old.group % r.eng.Count[0], old.group / r.eng.Count[0] % r.eng.Count[1], old.group / r.eng.Count[0] / r.eng.Count[1]}
	s.fault.notes = append(s.fault.notes, ir.DiagNote{Loc: old.op.Loc,
		Text: fmt.Sprintf("the earlier %s of %d bytes, in %s", what(old), old.size, r.name(g, id, int(old.item)))})
}

// name names a work-item by its work-group and linear local id.
func (r *races) name(g *group, id [3]uint64, item int) string {
	e := r.eng
	var size, l, at [3]uint64
	for i := range size {
		size[i] = min(e.Local[i], e.Global[i]-id[i]*e.Local[i])
	}
	l = [3]uint64{uint64(item) % size[0], uint64(item) / size[0] % size[1], uint64(item) / size[0] / size[1]}
	for i := range at {
		at[i] = id[i]*e.Local[i] + l[i] + e.launch.Offset[i]
	}
	return fmt.Sprintf("work-item global (%d,%d,%d), local (%d,%d,%d) of work-group (%d,%d,%d)", at[0], at[1], at[2], l[0], l[1], l[2], id[0], id[1], id[2])
}

func scopeName(s pisa.Scope) string {
	return [...]string{"unscoped", "sub-group", "work-group", "gpu", "system"}[s]
}

func orderName(o pisa.Order) string {
	return [...]string{"weak", "relaxed", "acquire", "release", "acq_rel", "seq_cst"}[o]
}
