package litmus

import (
	"math/bits"

	"pisac/dialects/pisa"
)

// EventKind is what an event is.
type EventKind uint8

const (
	EvInit EventKind = iota // initial write of a location
	EvRead
	EvWrite
	EvRMW
	EvFence
	EvBarrierIn  // entry of a barrier instance
	EvBarrierOut // its exit
	EvExit       // end of a work-item
)

// Event is one dynamic instruction, or one element of a vector access.
type Event struct {
	Kind  EventKind
	Order pisa.Order
	Scope pisa.Scope
	Cover Cover
	Space Space // of Cell
	Tid   int8  // -1: initial
	Src   int8  // a read's write; -1: not known yet
	Bar   int16 // barrier instance
	Cell  int32
	RV    uint64
	WV    uint64
	Dep   uint64 // events that a write depends on
	In    *Instr
}

func (e *Event) reads() bool  { return e.Kind == EvRead || e.Kind == EvRMW }
func (e *Event) writes() bool { return e.Kind == EvWrite || e.Kind == EvRMW || e.Kind == EvInit }
func (e *Event) atomic() bool {
	return e.Order != pisa.Weak && (e.Kind == EvRead || e.Kind == EvWrite || e.Kind == EvRMW)
}

// graph is an execution: events in the order in which they were run, and
// relations as rows of predecessors, bit j of row i for (j, i).
type graph struct {
	model  Model
	spaces int // address spaces whose happens-before differs: 1 or 2
	// incl[s][t] is the set of work-items in scope s of work-item t.
	scopes [5][MaxWorkItems]uint16
	wgOf   [MaxWorkItems]int8
	nt     int

	n    int
	ev   [MaxEvents]Event
	sb   [MaxEvents]uint64    // sb, initial writes included
	hb   [2][MaxEvents]uint64 // happens-before by space
	rel  [2][MaxEvents]uint64 // of a write: the release ends whose sequence it is in
	thr  [MaxWorkItems]uint64 // events by work-item
	acc  [MaxCells]uint64     // accesses by location, its initial write included
	wr   [MaxCells]uint64     // writes by location
	init uint64               // initial writes
	sc   uint64               // seq_cst events
	kind [EvExit + 1]uint64   // events by kind
}

func (g *graph) reset(p *Program, m Model) {
	*g = graph{model: m, nt: len(p.Threads)}
	split := m.OwnSpace
	for i := range p.Threads {
		a := &p.Threads[i]
		g.wgOf[i] = int8(a.WG)
		for j := range p.Threads {
			b := &p.Threads[j]
			bit := uint16(1) << j
			g.scopes[pisa.System][i] |= bit
			if i != j && (a.Host || b.Host) {
				continue
			}
			g.scopes[pisa.GPU][i] |= bit
			if a.WG == b.WG {
				g.scopes[pisa.Workgroup][i] |= bit
				if a.SG == b.SG {
					g.scopes[pisa.Subgroup][i] |= bit
				}
			}
		}
		for k := range a.Code {
			if a.Code[k].Op == OpFence && a.Code[k].Cover != CoverBoth {
				split = true
			}
		}
	}
	g.spaces = 1
	if split {
		g.spaces = 2
	}
}

// includes reports mutual scope inclusion of events i and j.
func (g *graph) includes(i, j int) bool {
	a, b := &g.ev[i], &g.ev[j]
	if a.Tid == b.Tid || a.Tid < 0 || b.Tid < 0 {
		return true
	}
	return g.scopes[a.Scope][a.Tid]>>b.Tid&1 != 0 && g.scopes[b.Scope][b.Tid]>>a.Tid&1 != 0
}

// covers reports whether release or acquire event e orders space a.
func (g *graph) covers(e *Event, a int) bool {
	switch {
	case g.spaces == 1:
		return true
	case e.Kind == EvFence:
		return e.Cover>>a&1 != 0
	case g.model.OwnSpace && e.Order != pisa.SeqCst:
		return int(e.Space) == a
	}
	return true
}

// truncate forgets the events from n on.
func (g *graph) truncate(n int) {
	if n == g.n {
		return
	}
	keep := uint64(1)<<n - 1
	for i := n; i < g.n; i++ {
		if c := g.ev[i].Cell; c >= 0 {
			g.acc[c] &= keep
			g.wr[c] &= keep
		}
	}
	for t := range g.nt {
		g.thr[t] &= keep
	}
	for k := range g.kind {
		g.kind[k] &= keep
	}
	g.init &= keep
	g.sc &= keep
	g.n = n
}

// append adds an event to sb; its happens-before is closed by settle.
func (g *graph) append(e Event) int {
	i := g.n
	bit := uint64(1) << i
	g.ev[i] = e
	g.n++
	g.kind[e.Kind] |= bit
	if e.Kind == EvInit {
		g.init |= bit
		g.sb[i] = 0
	} else {
		g.sb[i] = g.thr[e.Tid] | g.init
		g.thr[e.Tid] |= bit
	}
	if e.Cell >= 0 {
		g.acc[e.Cell] |= bit
		if e.writes() {
			g.wr[e.Cell] |= bit
		}
	}
	if e.Order == pisa.SeqCst {
		g.sc |= bit
	}
	return i
}

// settle closes happens-before at event i, whose predecessors are settled and
// whose source, if it reads, is known.
func (g *graph) settle(i int) {
	for a := range g.spaces {
		hb := g.sb[i]
		if t := g.ev[i].Tid; t >= 0 {
			if prev := g.thr[t] & (1<<i - 1); prev != 0 {
				hb |= g.hb[a][63-bits.LeadingZeros64(prev)]
			}
		}
		if e := &g.ev[i]; e.writes() {
			g.rel[a][i] = g.releaseEnds(i, a)
		}
		sw := g.sync(i, a)
		hb |= sw
		for ; sw != 0; sw &= sw - 1 {
			hb |= g.hb[a][bits.TrailingZeros64(sw)]
		}
		g.hb[a][i] = hb
	}
}

// releaseEnds is the set of release operations whose release sequence in space
// a contains write i (the relation rel;rs, read backwards from i).
func (g *graph) releaseEnds(i, a int) uint64 {
	e := &g.ev[i]
	if !e.atomic() {
		return 0
	}
	heads := uint64(1) << i
	if g.model.ReleaseSeq == CXX11 {
		heads |= g.sb[i] & g.wr[e.Cell] & g.thr[e.Tid]
	}
	var out uint64
	for ; heads != 0; heads &= heads - 1 {
		h := bits.TrailingZeros64(heads)
		he := &g.ev[h]
		if !he.atomic() {
			continue
		}
		if he.Order.Releases() && g.covers(he, a) {
			out |= 1 << h
		}
		for f := g.sb[h] & g.kind[EvFence]; f != 0; f &= f - 1 {
			k := bits.TrailingZeros64(f)
			if g.ev[k].Order.Releases() && g.covers(&g.ev[k], a) {
				out |= 1 << k
			}
		}
	}
	if e.Kind == EvRMW && e.Src >= 0 && g.reachesAtomically(int(e.Src), i) {
		out |= g.rel[a][e.Src]
	}
	return out
}

// reachesAtomically reports the relation rfi: both atomic and inclusive.
func (g *graph) reachesAtomically(w, r int) bool {
	return g.ev[w].atomic() && g.ev[r].atomic() && g.includes(w, r)
}

// sync is the set of events that synchronise with i in space a.
func (g *graph) sync(i, a int) uint64 {
	e := &g.ev[i]
	var from uint64
	switch e.Kind {
	case EvRead, EvRMW:
		if e.atomic() && e.Order.Acquires() && g.covers(e, a) && e.Src >= 0 && g.reachesAtomically(int(e.Src), i) {
			from = g.rel[a][e.Src]
		}
	case EvFence:
		if e.Order.Acquires() && g.covers(e, a) {
			for r := g.sb[i] & g.thr[e.Tid] & (g.kind[EvRead] | g.kind[EvRMW]); r != 0; r &= r - 1 {
				k := bits.TrailingZeros64(r)
				if s := g.ev[k].Src; s >= 0 && g.reachesAtomically(int(s), k) {
					from |= g.rel[a][s]
				}
			}
		}
	}
	var out uint64
	for ; from != 0; from &= from - 1 {
		k := bits.TrailingZeros64(from)
		if k != i && g.includes(k, i) {
			out |= 1 << k
		}
	}
	return out | g.barrierSync(i, a)
}

// barrierSync is what the barriers contribute to sync.
func (g *graph) barrierSync(i, a int) uint64 {
	e := &g.ev[i]
	switch {
	case e.Kind == EvBarrierOut && g.model.Barrier != BarrierFence:
		in := g.barrierEntries(i)
		if g.model.Barrier == BarrierStrong {
			return in
		}
		return g.releaseFencesBefore(in, a)
	case e.Kind == EvFence && g.model.Barrier == BarrierFence:
		if !e.Order.Acquires() || e.Scope == pisa.Subgroup || !g.covers(e, a) {
			return 0
		}
		var out uint64
		for x := g.sb[i] & g.kind[EvBarrierOut] & g.thr[e.Tid]; x != 0; x &= x - 1 {
			out |= g.releaseFencesBefore(g.barrierEntries(bits.TrailingZeros64(x)), a)
		}
		return out
	}
	return 0
}

// barrierEntries are the entries of the other work-items into the barrier
// instance that event i leaves.
func (g *graph) barrierEntries(i int) uint64 {
	e := &g.ev[i]
	var out uint64
	for b := g.kind[EvBarrierIn]; b != 0; b &= b - 1 {
		k := bits.TrailingZeros64(b)
		o := &g.ev[k]
		if o.Bar == e.Bar && o.Tid != e.Tid && g.wgOf[o.Tid] == g.wgOf[e.Tid] {
			out |= 1 << k
		}
	}
	return out
}

func (g *graph) releaseFencesBefore(in uint64, a int) uint64 {
	var out uint64
	for ; in != 0; in &= in - 1 {
		b := bits.TrailingZeros64(in)
		for f := g.sb[b] & g.kind[EvFence] & g.thr[g.ev[b].Tid]; f != 0; f &= f - 1 {
			k := bits.TrailingZeros64(f)
			if fe := &g.ev[k]; fe.Order.Releases() && fe.Scope != pisa.Subgroup && g.covers(fe, a) {
				out |= 1 << k
			}
		}
	}
	return out
}

// closeAll computes happens-before of all events when rf may point forwards
// (load buffering), and reports whether A1 and A4 hold.
func (g *graph) closeAll() bool {
	if !g.noThinAir() {
		return false
	}
	for a := range g.spaces {
		for i := range g.n {
			g.rel[a][i] = 0
		}
		for changed := true; changed; { // release sequences through RMWs
			changed = false
			for i := range g.n {
				if g.ev[i].writes() {
					if r := g.releaseEnds(i, a); r != g.rel[a][i] {
						g.rel[a][i], changed = r, true
					}
				}
			}
		}
		for i := range g.n {
			g.hb[a][i] = g.sb[i] | g.sync(i, a)
		}
		if !closeRows(g.hb[a][:g.n]) {
			return false
		}
	}
	return true
}

// closeRows makes the transitive closure and reports whether it is
// irreflexive.
func closeRows(rows []uint64) bool {
	for k := range rows {
		for i := range rows {
			if rows[i]>>k&1 != 0 {
				rows[i] |= rows[k]
			}
		}
	}
	for i := range rows {
		if rows[i]>>i&1 != 0 {
			return false
		}
	}
	return true
}

// noThinAir is axiom A4 in its forms without sb: dependencies into writes (or
// nothing), rf, and what barriers order.
func (g *graph) noThinAir() bool {
	var rows [MaxEvents]uint64
	for i := range g.n {
		e := &g.ev[i]
		if e.writes() && g.model.ThinAir == Dependencies {
			rows[i] = e.Dep
		}
		if e.reads() && e.Src >= 0 {
			rows[i] |= 1 << e.Src
		}
		if e.Tid < 0 {
			continue
		}
		mine := g.sb[i] & g.thr[e.Tid]
		if e.Kind == EvBarrierIn || e.Kind == EvExit {
			rows[i] |= mine
		}
		rows[i] |= mine & (g.kind[EvBarrierOut] | g.kind[EvBarrierIn])
		if e.Kind == EvBarrierOut {
			rows[i] |= g.barrierEntries(i) | g.earlyExits(i)
		}
	}
	return closeRows(rows[:g.n])
}

// earlyExits are the ends of work-items that left before the barrier instance
// of event i.
func (g *graph) earlyExits(i int) uint64 {
	e := &g.ev[i]
	var out uint64
	for x := g.kind[EvExit]; x != 0; x &= x - 1 {
		k := bits.TrailingZeros64(x)
		o := &g.ev[k]
		if o.Tid == e.Tid || g.wgOf[o.Tid] != g.wgOf[e.Tid] {
			continue
		}
		if bits.OnesCount64(g.thr[o.Tid]&g.kind[EvBarrierIn]) <= int(e.Bar) {
			out |= 1 << k
		}
	}
	return out
}
