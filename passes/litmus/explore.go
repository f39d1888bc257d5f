package litmus

import (
	"fmt"
	"math/bits"
)

// Options of Check.
type Options struct {
	Model Model
	// StopAtRace ends the enumeration at the first race.
	StopAtRace bool
	// Symmetry explores equal work-items in one order only and adds the mirrored
	// states; the counts are then those of the explored executions.
	Symmetry bool
	// Witness keeps an execution of each final state, else only of the first
	// state that decides the condition.
	AllWitnesses bool
}

// explorer is the state of one enumeration; it is reused between programs, so
// that candidates cost no allocation.
type explorer struct {
	p     *Program
	opt   Options
	guess bool // reads may take values of later writes (no RC11 axiom A4)
	g     graph
	it    [MaxWorkItems]item
	base  [MaxWorkItems + 1]int32
	regs  []uint64
	deps  []uint64
	trail []undo
	// observed is, by slot of all work-items, the place in a state, or -1.
	observed []int8

	values  valueFlow
	saved   struct{ hb, rel [2][MaxEvents]uint64 }
	guessed int // reads in the graph whose source is not known yet

	twins    []pair // equal work-items: the first must read first
	firstSrc [MaxWorkItems]bool

	ord      order
	states   stateSet
	scratch  []uint64
	err      error
	relayout bool
	bounded  bool
	stop     bool
	race     *Race
	execs    uint64
	work     uint64 // choices and modification orders tried
	graphs   uint64
	witness  *Execution
	byState  map[int]*Execution
	condHit  bool
}

// pair is two work-items, first < second.
type pair struct{ first, second int }

// run enumerates the executions of p.
func (x *explorer) run(p *Program, opt Options) error {
	x.p, x.opt = p, opt
	x.guess = opt.Model.ThinAir != NoCycle
	for {
		x.prepare()
		x.explore()
		if !x.relayout || x.err != nil {
			return x.err
		}
		if err := p.layOut(); err != nil {
			return err
		}
		p.bind(&p.Cond)
	}
}

func (x *explorer) prepare() {
	p := x.p
	x.g.reset(p, x.opt.Model)
	x.values.of = nil
	x.err, x.relayout, x.bounded, x.stop, x.race = nil, false, false, false, nil
	x.execs, x.work, x.graphs, x.witness, x.condHit, x.byState = 0, 0, 0, nil, false, nil
	if x.opt.AllWitnesses {
		x.byState = map[int]*Execution{}
	}
	n := int32(0)
	for t := range p.Threads {
		x.base[t] = n
		n += int32(len(p.Threads[t].Slots))
	}
	hiddenBase := n
	n += int32(len(p.Regs))
	x.base[len(p.Threads)] = hiddenBase
	x.regs, x.deps = resize(x.regs, int(n)), resize(x.deps, int(n))
	x.observed = resizeFill(x.observed, int(n), -1)
	for i := range p.Regs {
		r := &p.Regs[i]
		if r.Slot >= 0 {
			x.observed[x.base[r.Thread]+r.Slot] = int8(i)
		}
	}
	x.states.reset(1 + len(p.Regs) + len(p.Cells))
	x.scratch = resize(x.scratch, 1+len(p.Regs)+len(p.Cells))
	x.findTwins()
	x.restart()
}

func (x *explorer) restart() {
	x.trail = x.trail[:0]
	clear(x.regs)
	clear(x.deps)
	x.g.truncate(0)
	x.it = [MaxWorkItems]item{}
	x.guessed = 0
	x.firstSrc = [MaxWorkItems]bool{}
}

func resize(s []uint64, n int) []uint64 {
	if cap(s) < n {
		return make([]uint64, n, 2*n)
	}
	return s[:n]
}

func resizeFill(s []int8, n int, v int8) []int8 {
	if cap(s) < n {
		s = make([]int8, n, 2*n)
	}
	s = s[:n]
	for i := range s {
		s[i] = v
	}
	return s
}

// hiddenSlot is where observed register o is kept if no register of the code
// does, relative to base[Thread].
func (x *explorer) hiddenSlot(o int8) int32 {
	return x.base[len(x.p.Threads)] + int32(o) - x.base[x.p.Regs[o].Thread]
}

// choice is what a branch of the enumeration restores.
type choice struct {
	it       [MaxWorkItems]item
	firstSrc [MaxWorkItems]bool
	trail, n int
	guessed  int
}

func (x *explorer) save(c *choice) {
	c.it, c.trail, c.n, c.firstSrc, c.guessed = x.it, len(x.trail), x.g.n, x.firstSrc, x.guessed
}

func (x *explorer) restore(c *choice) {
	x.it, x.firstSrc, x.guessed = c.it, c.firstSrc, c.guessed
	x.rewind(c.trail)
	x.g.truncate(c.n)
}

// explore runs work-items until one must choose what to read, and tries the
// choices. The lowest work-item that can move moves, so that an execution
// graph fixes the order in which it is built.
func (x *explorer) explore() {
	x.work++
	t := x.settleAll()
	if x.stopped() {
		return
	}
	if t < 0 {
		switch {
		case !x.allDone():
			x.speculate()
		case x.guessed > 0:
			x.findSources(0)
		default:
			x.complete()
		}
		return
	}
	var c choice
	x.save(&c)
	for w := x.fresh(t); w != 0; {
		var k int
		k, w = lowest(w)
		if x.mayRead(t, k) {
			x.firstSrc[t] = true
			x.read(t, k, 0)
			x.explore()
			if x.stopped() {
				return
			}
			x.restore(&c)
		}
	}
	x.it[t].since = int32(x.g.n) // none of these: a later write
	x.explore()
}

func (x *explorer) stopped() bool {
	if x.work > maxWork && x.err == nil {
		x.err = &ProgramError{Msg: fmt.Sprintf("the program has too many executions: %d steps were not enough", maxWork)}
	}
	return x.stop || x.relayout || x.err != nil
}

// maxWork bounds an enumeration, well under a minute of it.
const maxWork = 30_000_000

// fresh is the writes that the pending read of work-item t has not declined.
func (x *explorer) fresh(t int) uint64 {
	it := &x.it[t]
	return x.g.wr[it.cell] &^ (1<<it.since - 1)
}

// settleAll runs everything that needs no choice and returns the lowest
// work-item with one, or -1.
func (x *explorer) settleAll() int {
	for {
		moved := false
		for t := range x.p.Threads {
			switch x.it[t].status {
			case running:
				x.advance(t)
				moved = true
			case atBarrier:
				if x.barrierOpen(t) {
					x.leaveBarrier(t)
					moved = true
				}
			case spun:
				return -1
			}
			if moved || x.stopped() {
				break
			}
		}
		if x.stopped() {
			return -1
		}
		if !moved {
			break
		}
	}
	for t := range x.p.Threads {
		if x.it[t].status == atRead && x.fresh(t) != 0 && x.firstAllowed(t) {
			return t
		}
	}
	return -1
}

func (x *explorer) allDone() bool {
	for t := range x.p.Threads {
		if x.it[t].status != done {
			return false
		}
	}
	return true
}

// barrierOpen reports that all work-items of the group have come to the
// barrier of t or have ended.
func (x *explorer) barrierOpen(t int) bool {
	for u := range x.p.Threads {
		if u == t || x.g.wgOf[u] != x.g.wgOf[t] {
			continue
		}
		o := &x.it[u]
		if o.status != done && o.nbar <= x.it[t].nbar && !(o.status == atBarrier && o.nbar == x.it[t].nbar) {
			return false
		}
	}
	return true
}

func (x *explorer) leaveBarrier(t int) {
	it := &x.it[t]
	x.event(t, &x.p.Threads[t].Code[it.pc], Event{Kind: EvBarrierOut, Cell: -1, Bar: it.nbar})
	it.nbar++
	it.pc++
	if x.err == nil {
		it.status = running
	}
}

// mayRead reports whether work-item t may read from write w as far as can be
// told now: coherence against what happens before the read, and no second RMW
// on one write.
func (x *explorer) mayRead(t, w int) bool {
	g := &x.g
	it := &x.it[t]
	space := x.spaceOf(it.cell)
	in := &x.p.Threads[t].Code[it.pc]
	if in.Op == OpRMW {
		for r := g.acc[it.cell] & g.kind[EvRMW]; r != 0; r &= r - 1 {
			if int(g.ev[bits.TrailingZeros64(r)].Src) == w && in.Fn != atomCas {
				return false
			}
		}
	}
	prev := g.thr[t]
	if prev == 0 {
		return true
	}
	last := 63 - bits.LeadingZeros64(prev)
	seen := (g.hb[space][last] | 1<<last) & g.acc[it.cell]
	for ; seen != 0; seen &= seen - 1 {
		k := bits.TrailingZeros64(seen)
		if !g.ev[k].writes() {
			if k = int(g.ev[k].Src); k < 0 {
				continue
			}
		}
		if k != w && (g.hb[space][k]>>w&1 != 0 || g.init>>w&1 != 0) {
			return false
		}
	}
	return true
}

func (x *explorer) spaceOf(cell int32) int {
	if x.g.spaces == 1 {
		return 0
	}
	return int(x.p.Cells[cell].Space)
}
