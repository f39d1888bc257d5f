package litmus

import (
	"fmt"
	"math/bits"

	"pisac/dialects/pisa"
)

const atomCas = pisa.AtomCas

// order is the modification order of the graph at hand: what happens-before
// demands of it, and its linear extensions.
type order struct {
	n       int                 // locations written by more than the initial write
	cells   [MaxCells]int32     // those
	lists   [MaxCells]chainList // their writes
	pos     [MaxEvents]int8     // position of a write in the mo at hand
	need    [MaxEvents]uint64   // writes of the location that must be mo-before
	next    [MaxEvents]int8     // the RMW that reads a write, or -1
	seq     [MaxCells][]int8    // mo at hand, by index in cells
	end     [MaxCells]int8      // or only its last chain; -1: any
	tooMany bool
	listed  bool     // seq holds
	count   []uint64 // linear extensions by set of chains
	sc      scCheck
}

// chainList is the writes of a location cut into chains: a write followed by
// the RMWs that must be right behind it.
type chainList struct {
	n      int
	head   [MaxEvents]int8
	last   [MaxEvents]int8
	pre    [MaxEvents]uint32 // chains that must come before
	ways   uint64            // linear extensions in all
	ending [maxChains]uint64 // those whose last chain is i
}

// maxChains bounds the unordered writes of one location.
const maxChains = 16

// complete judges a finished graph: axioms A2, A3 and A5, then states and
// races.
func (x *explorer) complete() {
	g, o := &x.g, &x.ord
	o.tooMany = false
	if !o.demand(x) {
		if o.tooMany && x.err == nil {
			x.err = &ProgramError{Msg: fmt.Sprintf("more than %d writes to one location with no RMW between", maxChains)}
		}
		return
	}
	total := uint64(1)
	for k := range o.n {
		if !o.lists[k].extensions(o) {
			return
		}
		total *= o.lists[k].ways
	}
	x.graphs++
	o.listed = false
	if g.sc == 0 || bits.OnesCount64(g.sc) < 2 {
		if !x.raced() {
			x.finish(total)
		}
		return
	}
	o.listed = true
	o.sc.prepare(x)
	x.orders(0)
}

// demand derives the parts of mo that axioms A2 and A3 fix, and reports false
// if they contradict each other.
func (o *order) demand(x *explorer) bool {
	g := &x.g
	o.n = 0
	for c := range x.p.Cells {
		acc := g.acc[c]
		if acc == 0 {
			continue
		}
		a := x.spaceOf(int32(c))
		init := bits.TrailingZeros64(g.init & g.wr[c])
		for w := g.wr[c]; w != 0; w &= w - 1 {
			k := bits.TrailingZeros64(w)
			o.next[k], o.need[k] = -1, 0
			if k != init {
				o.need[k] = 1 << init
			}
		}
		for r := acc & g.kind[EvRMW]; r != 0; r &= r - 1 {
			k := bits.TrailingZeros64(r)
			s := g.ev[k].Src
			if o.next[s] >= 0 || int(s) == k {
				return false
			}
			o.next[s] = int8(k)
			o.need[k] |= 1 << s
		}
		for m := acc; m != 0; m &= m - 1 {
			k := bits.TrailingZeros64(m)
			at, isWrite := k, g.ev[k].writes()
			if !isWrite {
				at = int(g.ev[k].Src)
			}
			for p := g.hb[a][k] & acc; p != 0; p &= p - 1 {
				q := bits.TrailingZeros64(p)
				if !g.ev[q].writes() {
					q = int(g.ev[q].Src)
				}
				if q == at {
					if isWrite {
						return false // it reads a write that it happens before
					}
					continue
				}
				o.need[at] |= 1 << q
			}
		}
		if o.need[init] != 0 {
			return false
		}
		if g.wr[c] != 1<<init {
			if !o.chains(g, int32(c), init) {
				return false
			}
		}
	}
	return true
}

// chains cuts the writes of a location into chains and orders them.
func (o *order) chains(g *graph, c int32, init int) bool {
	l := &o.lists[o.n]
	l.n = 0
	o.end[o.n] = -1
	o.cells[o.n] = c
	o.n++
	var of [MaxEvents]int8 // chain of a write
	count := 0
	for w := g.wr[c]; w != 0; w &= w - 1 {
		k := bits.TrailingZeros64(w)
		if g.ev[k].Kind == EvRMW {
			continue
		}
		if l.n == maxChains {
			o.tooMany = true
			return false
		}
		l.head[l.n] = int8(k)
		for {
			of[k] = int8(l.n)
			l.last[l.n] = int8(k)
			count++
			if o.next[k] < 0 {
				break
			}
			k = int(o.next[k])
		}
		l.n++
	}
	if count != bits.OnesCount64(g.wr[c]) { // RMWs in a circle
		return false
	}
	for i := range l.n {
		l.pre[i] = 0
		var before uint64
		for k := int(l.head[i]); ; k = int(o.next[k]) {
			for p := o.need[k] &^ before; p != 0; p &= p - 1 {
				q := bits.TrailingZeros64(p)
				if int(of[q]) == i {
					return false // demanded before an earlier part of its own chain
				}
				l.pre[i] |= 1 << of[q]
			}
			before |= 1 << k
			if o.next[k] < 0 {
				break
			}
		}
	}
	return true
}

// extensions counts the linear extensions of l; false if there are none.
func (l *chainList) extensions(o *order) bool {
	if l.n == 1 {
		l.ways, l.ending[0] = 1, 1
		return true
	}
	size := 1 << l.n
	if cap(o.count) < size {
		o.count = make([]uint64, size)
	}
	c := o.count[:size]
	clear(c)
	c[0] = 1
	for m := range size {
		if c[m] == 0 {
			continue
		}
		for i := range l.n {
			if m>>i&1 == 0 && l.pre[i]&^uint32(m) == 0 {
				c[m|1<<i] += c[m]
			}
		}
	}
	l.ways = c[size-1]
	for i := range l.n {
		l.ending[i] = c[(size-1)&^(1<<i)]
		for k := range l.n {
			if l.pre[k]>>i&1 != 0 {
				l.ending[i] = 0
			}
		}
	}
	return l.ways != 0
}

// finish records the final states of a consistent graph with no mo fixed:
// every combination of last writes.
func (x *explorer) finish(total uint64) {
	x.execs += total
	x.fillState()
	x.lastWrites(0, 1)
}

func (x *explorer) lastWrites(k int, ways uint64) {
	o := &x.ord
	if k == o.n {
		x.record(ways)
		return
	}
	l := &o.lists[k]
	at := 1 + len(x.p.Regs) + int(o.cells[k])
	for i := range l.n {
		n := l.ending[i]
		if n == 0 {
			continue
		}
		x.scratch[at] = x.g.ev[l.last[i]].WV
		o.end[k] = int8(i)
		x.work++
		x.lastWrites(k+1, ways*n)
		if x.stopped() {
			return
		}
	}
}

// fillState writes registers, and memory as no one but the initial writes left
// it, into scratch.
func (x *explorer) fillState() {
	p := x.p
	var unset uint64
	for i := range p.Regs {
		r := &p.Regs[i]
		if x.it[r.Thread].written>>i&1 == 0 {
			unset |= 1 << i
			x.scratch[i+1] = 0
			continue
		}
		s := r.Slot
		if r.Hidden >= 0 {
			s = x.hiddenSlot(int8(i))
		}
		x.scratch[i+1] = x.regs[x.base[r.Thread]+s]
	}
	x.scratch[0] = unset
	for c := range p.Cells {
		x.scratch[1+len(p.Regs)+c] = p.Cells[c].Init
	}
}

// record counts n executions with the final state in scratch.
func (x *explorer) record(n uint64) {
	i, isNew := x.states.add(x.scratch, n)
	if !isNew {
		return
	}
	if x.byState != nil {
		x.byState[i] = x.snapshot()
	}
	if c := &x.p.Cond; c.Kind != NoCond && !x.condHit && c.holds(x.scratch) != (c.Kind == ForAll) {
		x.condHit = true // it exists, or contradicts forall
		x.witness = x.snapshot()
	}
}

// orders tries each mo of the locations from the k-th on, and A5 on the
// complete ones.
func (x *explorer) orders(k int) {
	o := &x.ord
	if k == o.n {
		if !o.sc.holds(x) || x.raced() {
			return
		}
		x.execs++
		x.fillState()
		for i := range o.n {
			s := o.seq[i]
			x.scratch[1+len(x.p.Regs)+int(o.cells[i])] = x.g.ev[s[len(s)-1]].WV
		}
		x.record(1)
		return
	}
	o.seq[k] = o.seq[k][:0]
	x.extend(k, 0)
}

// extend appends chains to the mo of the k-th location.
func (x *explorer) extend(k, placed int) {
	o := &x.ord
	l := &o.lists[k]
	if placed == 1<<l.n-1 {
		x.orders(k + 1)
		return
	}
	for i := range l.n {
		if placed>>i&1 != 0 || l.pre[i]&^uint32(placed) != 0 {
			continue
		}
		n := len(o.seq[k])
		for w := l.head[i]; w >= 0; w = o.next[w] {
			o.pos[w] = int8(len(o.seq[k]))
			o.seq[k] = append(o.seq[k], w)
		}
		x.work++
		x.extend(k, placed|1<<i)
		o.seq[k] = o.seq[k][:n]
		if x.stopped() {
			return
		}
	}
}

// Race is two conflicting accesses of a consistent execution that
// happens-before does not order.
type Race struct {
	First, Second *Instr
	Tids          [2]int
	Location      string
	Exec          *Execution
}

// raced looks for a race in the graph, remembers the first one, and reports
// whether the enumeration is to stop because of it.
func (x *explorer) raced() bool {
	if x.race != nil {
		return false
	}
	g := &x.g
	mem := g.kind[EvRead] | g.kind[EvWrite] | g.kind[EvRMW]
	for m := mem; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		a := &g.ev[i]
		other := g.acc[a.Cell] & mem & (1<<i - 1) &^ g.thr[a.Tid]
		if !a.writes() {
			other &= g.wr[a.Cell]
		}
		sp := x.spaceOf(a.Cell)
		other &^= g.hb[sp][i]
		for ; other != 0; other &= other - 1 {
			j := bits.TrailingZeros64(other)
			b := &g.ev[j]
			if g.hb[sp][j]>>i&1 != 0 || a.atomic() && b.atomic() && (g.model.Lenient || g.includes(i, j)) {
				continue
			}
			x.race = &Race{First: b.In, Second: a.In, Tids: [2]int{int(b.Tid), int(a.Tid)}, Location: x.p.Cells[a.Cell].Name, Exec: x.snapshot()}
			x.race.Exec.Race = [2]int{j, i}
			x.stop = x.opt.StopAtRace
			return x.stop
		}
	}
	return false
}
