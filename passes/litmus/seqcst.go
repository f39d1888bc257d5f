package litmus

import "math/bits"

// scCheck is axiom A5: RC11's psc per address space, restricted to mutually
// inclusive pairs, is acyclic. Rows are successors here; what does not depend
// on mo is prepared once per graph.
type scCheck struct {
	n     int
	at    [MaxEvents]int8      // the seq_cst events
	succ  [2][MaxEvents]uint64 // happens-before, forwards
	fixed [2][MaxEvents]uint64 // sb | sb≠loc;hb;sb≠loc | hb|loc
	incl  [MaxEvents]uint64    // by index in at: those that include each other
	rf    [MaxEvents]uint64
	mo    [MaxEvents]uint64
	fr    [MaxEvents]uint64
	eco   [MaxEvents]uint64
}

func (s *scCheck) prepare(x *explorer) {
	g := &x.g
	s.n = 0
	for m := g.sc; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if g.ev[i].Kind == EvFence || g.ev[i].atomic() {
			s.at[s.n] = int8(i)
			s.n++
		}
	}
	for i := range s.n {
		s.incl[i] = 0
		for j := range s.n {
			if g.includes(int(s.at[i]), int(s.at[j])) {
				s.incl[i] |= 1 << j
			}
		}
	}
	for i := range g.n {
		s.rf[i] = 0
	}
	for i := range g.n {
		if e := &g.ev[i]; e.reads() {
			s.rf[e.Src] |= 1 << i
		}
	}
	var other [MaxEvents]uint64 // sb to other locations
	for i := range g.n {
		other[i] = 0
	}
	for j := range g.n {
		for m := g.sb[j]; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m)
			if g.ev[i].Cell < 0 || g.ev[i].Cell != g.ev[j].Cell {
				other[i] |= 1 << j
			}
		}
	}
	for a := range g.spaces {
		succ, fixed := &s.succ[a], &s.fixed[a]
		for i := range g.n {
			succ[i], fixed[i] = 0, 0
		}
		for j := range g.n {
			for m := g.hb[a][j]; m != 0; m &= m - 1 {
				succ[bits.TrailingZeros64(m)] |= 1 << j
			}
			for m := g.sb[j]; m != 0; m &= m - 1 {
				fixed[bits.TrailingZeros64(m)] |= 1 << j
			}
		}
		for i := range g.n {
			fixed[i] |= image(image(other[i], succ), &other)
			if c := g.ev[i].Cell; c >= 0 && x.inSpace(i, a) {
				fixed[i] |= succ[i] & g.acc[c]
			}
		}
	}
}

// inSpace reports whether event i is an access of address space a; with one
// happens-before for both spaces, any access.
func (x *explorer) inSpace(i, a int) bool {
	return x.g.spaces == 1 || int(x.g.ev[i].Space) == a
}

// image is the set of successors of a set.
func image(set uint64, rows *[MaxEvents]uint64) uint64 {
	var out uint64
	for ; set != 0; set &= set - 1 {
		out |= rows[bits.TrailingZeros64(set)]
	}
	return out
}

// holds evaluates the axiom for the mo at hand.
func (s *scCheck) holds(x *explorer) bool {
	g, o := &x.g, &x.ord
	for i := range g.n {
		s.mo[i], s.fr[i] = 0, 0
	}
	for k := range o.n {
		var later uint64
		seq := o.seq[k]
		for i := len(seq) - 1; i >= 0; i-- {
			s.mo[seq[i]] = later
			later |= 1 << seq[i]
		}
	}
	for i := range g.n {
		if e := &g.ev[i]; e.reads() {
			s.fr[i] = s.mo[e.Src] &^ (1 << i)
		}
	}
	for i := range g.n {
		d := s.mo[i] | s.fr[i]
		s.eco[i] = s.rf[i] | d | image(d, &s.rf)
	}
	var psc [MaxEvents]uint64
	for a := range g.spaces {
		s.addPSC(x, a, &psc)
	}
	for i := range s.n {
		psc[i] &= s.incl[i]
	}
	return closeRows(psc[:s.n])
}

// addPSC adds the rows of psc for address space a.
func (s *scCheck) addPSC(x *explorer, a int, psc *[MaxEvents]uint64) {
	g := &x.g
	succ := &s.succ[a]
	for k := range s.n {
		i := int(s.at[k])
		fence := g.ev[i].Kind == EvFence
		if fence && !s.inCover(g, i, a) {
			continue
		}
		from := uint64(1) << i
		var reach uint64 // hb | hb;eco;hb, up to its last step
		var direct uint64
		if fence {
			from |= succ[i]
			direct = succ[i]
			for m := succ[i]; m != 0; m &= m - 1 {
				if j := bits.TrailingZeros64(m); x.inSpace(j, a) {
					reach |= s.eco[j]
				}
			}
		}
		var to uint64 // scb
		for m := from; m != 0; m &= m - 1 {
			j := bits.TrailingZeros64(m)
			to |= s.fixed[a][j]
			if x.inSpace(j, a) {
				to |= s.mo[j] | s.fr[j]
			}
		}
		for l := range s.n {
			t := int(s.at[l])
			if g.ev[t].Kind != EvFence {
				if to>>t&1 != 0 {
					psc[k] |= 1 << l
				}
				continue
			}
			if !s.inCover(g, t, a) {
				continue
			}
			before := g.hb[a][t]
			if to&(before|1<<t) != 0 || fence && (direct>>t&1 != 0 || reach&before != 0) {
				psc[k] |= 1 << l
			}
		}
	}
}

func (s *scCheck) inCover(g *graph, i, a int) bool {
	return g.spaces == 1 || g.ev[i].Cover>>a&1 != 0
}
