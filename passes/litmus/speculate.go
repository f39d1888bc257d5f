package litmus

import (
	"slices"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// Under the dependency-based form of axiom A4 sb and rf may form circles (load
// buffering). Those executions come to a point where every unfinished
// work-item waits for a write that another one has yet to make: then the
// lowest read is given the value of such a write, and the end of the execution
// must find the write.

// speculate goes on where every work-item that is not done waits.
func (x *explorer) speculate() {
	if !x.guess {
		return
	}
	first, cells := -1, uint64(0)
	for t := range x.p.Threads {
		switch x.it[t].status {
		case spun:
			return
		case atRead:
			if first < 0 {
				first = t
			}
			cells |= 1 << x.it[t].cell
		}
	}
	// A circle of reads from later writes has two locations at least, for one
	// location's mo would be a circle too.
	if first < 0 || cells&(cells-1) == 0 || !x.circlePossible() {
		return
	}
	if x.values.of != x.p && !x.values.compute(x) {
		return
	}
	var c choice
	x.save(&c)
	cell := x.it[first].cell
	x.firstSrc[first] = true
	var tried valueSet
	for u := range x.p.Threads {
		if u == first || c.it[u].status == done {
			continue
		}
		for _, v := range x.values.writes[u*len(x.p.Cells)+int(cell)] {
			if !tried.add(v) {
				continue
			}
			x.guessed++
			x.read(first, -1, v)
			x.explore()
			if x.stopped() {
				return
			}
			x.restore(&c)
			x.firstSrc[first] = true
		}
	}
}

// valueSet is a small set of values without an allocation of its own.
type valueSet struct {
	n    int
	vals [maxValues]uint64
}

func (s *valueSet) add(v uint64) bool {
	if slices.Contains(s.vals[:s.n], v) || s.n == maxValues {
		return false
	}
	s.vals[s.n] = v
	s.n++
	return true
}

// circlePossible reports whether every waiting read may find a later write of
// another work-item, and one of those does not depend on what its own
// work-item waits for: else the circle is one of dependencies.
func (x *explorer) circlePossible() bool {
	broken := x.opt.Model.ThinAir == Unrestricted
	for t := range x.p.Threads {
		if x.it[t].status != atRead {
			continue
		}
		found := false
		for u := range x.p.Threads {
			if u == t || x.it[u].status == done {
				continue
			}
			may, free := x.laterWrite(u, x.it[t].cell)
			found = found || may
			broken = broken || free
		}
		if !found {
			return false
		}
	}
	return broken
}

// laterWrite reports whether the code that work-item u has yet to run may
// write the location, and whether it may without depending on the read at
// which u waits.
func (x *explorer) laterWrite(u int, cell int32) (may, free bool) {
	code := x.p.Threads[u].Code
	it := &x.it[u]
	// Where taint would not say enough, any later write counts as independent.
	loops := x.values.loops(code) || len(x.p.Threads[u].Slots) > 64
	from := int(it.pc)
	if loops {
		from = 0
	}
	var taint uint64 // registers that depend on the read
	tainted := func(o *Operand) bool { return o.Slot >= 0 && taint>>o.Slot&1 != 0 }
	dependent := it.status != atRead // what follows a barrier waits
	if !dependent && code[it.pc].Dst >= 0 {
		for l := range int32(code[it.pc].Lanes) {
			taint |= 1 << (code[it.pc].Dst + l)
		}
	}
	for i := from; i < len(code); i++ {
		in := &code[i]
		switch in.Op {
		case OpStore, OpRMW:
			if in.Lit && !x.mayTouch(in, cell, u) {
				continue
			}
			may = true
			if loops {
				free = true
			}
			data := tainted(&in.B) || tainted(&in.C) || tainted(&in.Off) || !in.Lit && tainted(&in.A)
			if !dependent && !data && i != int(it.pc) {
				free = true
			}
		case OpEval, OpMove:
			if in.Dst >= 0 && (tainted(&in.A) || tainted(&in.B) || tainted(&in.C) || tainted(&in.D)) {
				taint |= 1 << in.Dst
				if in.Dst2 >= 0 {
					taint |= 1 << in.Dst2
				}
			}
		case OpBranch:
			dependent = dependent || tainted(&in.A) && !x.opt.Model.noControl
		case OpBarrier:
			dependent = true
		}
	}
	return may, free
}

// mayTouch reports whether an access of a named variable may be to the
// location.
func (x *explorer) mayTouch(in *Instr, cell int32, t int) bool {
	va := &x.p.Vars[in.Var]
	if va.Hidden || va.Width == 0 {
		return va.Width == 0 && !va.Hidden
	}
	inst := 0
	if va.Space == Shared {
		inst = x.p.Threads[t].WG
	}
	at := cell - va.first[inst]
	if at < 0 || at >= int32(va.Size/va.Width) {
		return false
	}
	if in.Off.Slot >= 0 {
		return true
	}
	off := at*int32(va.Width) - int32(in.Off.Imm)
	return off >= 0 && off < int32(in.Lanes)*int32(in.Width)
}

// findSources gives each guessed read a write of its location and value that
// came later and is not the work-item's own.
func (x *explorer) findSources(from int) {
	g := &x.g
	for i := from; i < g.n; i++ {
		e := &g.ev[i]
		if !e.reads() || e.Src >= 0 {
			continue
		}
		later := g.wr[e.Cell] &^ (1<<i - 1) &^ g.thr[e.Tid] &^ g.init
		for later != 0 {
			var w int
			w, later = lowest(later)
			if g.ev[w].WV == e.RV {
				e.Src = int8(w)
				x.findSources(i + 1)
				if x.stopped() {
					break
				}
			}
		}
		e.Src = -1
		return
	}
	x.saved.hb, x.saved.rel = g.hb, g.rel
	if g.closeAll() {
		x.complete()
	}
	g.hb, g.rel = x.saved.hb, x.saved.rel
}

// valueFlow finds the values that each location may hold, more rather than
// fewer: every instruction takes every value that its operands have anywhere.
type valueFlow struct {
	of     *Program
	cells  [][]uint64 // by location
	writes [][]uint64 // by work-item and location: what it may write
	slots  [][]uint64 // by register of all work-items
	grown  bool
}

// maxValues bounds what a location may hold where values are guessed.
const maxValues = 256

func (f *valueFlow) loops(code []Instr) bool {
	for i := range code {
		if (code[i].Op == OpJump || code[i].Op == OpBranch) && int(code[i].Target) <= i {
			return true
		}
	}
	return false
}

// compute runs the flow to its end, or for as many rounds as a value can pass
// through stores in an execution within the bounds.
func (f *valueFlow) compute(x *explorer) bool {
	p := x.p
	for len(f.cells) < len(p.Cells) {
		f.cells = append(f.cells, nil)
	}
	n := len(p.Threads) * len(p.Cells)
	for len(f.writes) < n {
		f.writes = append(f.writes, nil)
	}
	for i := range n {
		f.writes[i] = f.writes[i][:0]
	}
	for len(f.slots) < len(x.regs) {
		f.slots = append(f.slots, nil)
	}
	for i := range f.slots {
		f.slots[i] = append(f.slots[i][:0], 0)
	}
	rounds := 1
	for c := range p.Cells {
		f.cells[c] = append(f.cells[c][:0], p.Cells[c].Init)
	}
	for t := range p.Threads {
		per := 1
		if f.loops(p.Threads[t].Code) {
			per += p.Unroll
		}
		for i := range p.Threads[t].Code {
			if op := p.Threads[t].Code[i].Op; op == OpStore || op == OpRMW {
				rounds += per
			}
		}
	}
	for range rounds {
		f.grown = false
		for t := range p.Threads {
			for i := range p.Threads[t].Code {
				f.instr(x, t, &p.Threads[t].Code[i])
				if x.stopped() {
					return false
				}
			}
		}
		if !f.grown {
			break
		}
	}
	f.of = p
	return true
}

func (f *valueFlow) add(set *[]uint64, v uint64) {
	if !slices.Contains(*set, v) {
		*set = append(*set, v)
		f.grown = true
	}
}

func (f *valueFlow) write(x *explorer, t int, cell int32, v uint64) {
	f.add(&f.cells[cell], v)
	f.add(&f.writes[t*len(x.p.Cells)+int(cell)], v)
}

var zero = []uint64{0}

func (f *valueFlow) operand(x *explorer, t int, o *Operand, one *[1]uint64) []uint64 {
	if o.Slot >= 0 {
		return f.slots[x.base[t]+o.Slot]
	}
	one[0] = o.Imm
	return one[:]
}

func (f *valueFlow) instr(x *explorer, t int, in *Instr) {
	var k [4][1]uint64
	a, b := f.operand(x, t, &in.A, &k[0]), f.operand(x, t, &in.B, &k[1])
	c, d := f.operand(x, t, &in.C, &k[2]), f.operand(x, t, &in.D, &k[3])
	if n := max(len(a), len(b), len(c), len(d)); n > maxValues || len(a)*len(b)*len(c)*len(d) > maxValues*maxValues {
		x.fail(t, in, "under this model the operands may have too many values")
		return
	}
	dst := func(slot int32) *[]uint64 { return &f.slots[x.base[t]+slot] }
	switch in.Op {
	case OpEval:
		for _, va := range a {
			for _, vb := range b {
				for _, vc := range c {
					for _, vd := range d {
						r0, r1 := x.eval(in, va, vb, vc, vd)
						f.add(dst(in.Dst), r0)
						if in.Dst2 >= 0 {
							f.add(dst(in.Dst2), r1)
						}
					}
				}
			}
		}
	case OpMove:
		for _, v := range a {
			f.add(dst(in.Dst), v)
		}
	case OpLoad:
		f.access(x, t, in, func(cell int32, lane uint8) {
			if in.Dst >= 0 {
				for _, v := range f.cells[cell] {
					f.add(dst(in.Dst+int32(lane)), v)
				}
			}
		})
	case OpStore:
		f.access(x, t, in, func(cell int32, lane uint8) {
			src := in.B
			if src.Slot >= 0 {
				src.Slot += int32(lane)
			}
			for _, v := range f.operand(x, t, &src, &k[1]) {
				f.write(x, t, cell, v)
			}
		})
	case OpRMW:
		f.access(x, t, in, func(cell int32, _ uint8) {
			if len(f.cells[cell]) > maxValues {
				x.fail(t, in, "under this model %s may hold too many values", x.p.Cells[cell].Name)
				return
			}
			for _, old := range slices.Clone(f.cells[cell]) {
				if in.Dst >= 0 {
					f.add(dst(in.Dst), old)
				}
				for _, vb := range b {
					for _, vc := range c {
						if in.Fn != pisa.AtomCas || sameValue(in, old, vb) {
							f.write(x, t, cell, rmwValue(in, old, vb, vc))
						}
					}
				}
			}
		})
	}
}

// access calls visit for every location that in may touch.
func (f *valueFlow) access(x *explorer, t int, in *Instr, visit func(cell int32, lane uint8)) {
	if in.Lit && x.p.Vars[in.Var].Hidden {
		return
	}
	var k [2][1]uint64
	addrs, offs := zero, f.operand(x, t, &in.Off, &k[0])
	if !in.Lit {
		addrs = f.operand(x, t, &in.A, &k[1])
	}
	for _, a := range addrs {
		for _, off := range offs {
			v, base := in.Var, int64(off)
			if !in.Lit {
				at := a + off
				if in.Space == ir.SpaceShared {
					at = uint64(uint32(at))
				}
				var ok bool
				if v, base, ok = x.p.resolve(at, in.Space); !ok {
					continue
				}
			}
			for l := range in.Lanes {
				c := int32(-1)
				if x.p.Vars[v].Width != 0 {
					c = x.p.cellAt(v, base+int64(l)*int64(in.Width), in.Width, x.p.Threads[t].WG)
				} else { // the first access decides; the enumeration starts again
					x.p.Vars[v].Width = uint32(in.Width)
					x.relayout = true
				}
				if c >= 0 {
					visit(c, l)
				}
			}
		}
	}
}
