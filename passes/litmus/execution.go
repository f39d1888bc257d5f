package litmus

// Execution is one execution kept for showing: a witness.
type Execution struct {
	Program *Program
	Events  []Event
	// Relations by predecessor rows, as in the enumeration.
	SB, HB []uint64
	SW     []uint64
	MO     [][]int // writes of each location in modification order
	Race   [2]int  // both 0: none
	Labels []string
}

// snapshot copies the graph at hand with one of its modification orders.
func (x *explorer) snapshot() *Execution {
	g, o := &x.g, &x.ord
	e := &Execution{Program: x.p, Events: append([]Event(nil), g.ev[:g.n]...), SB: append([]uint64(nil), g.sb[:g.n]...)}
	e.HB, e.SW = make([]uint64, g.n), make([]uint64, g.n)
	for a := range g.spaces {
		for i := range g.n {
			e.HB[i] |= g.hb[a][i]
			e.SW[i] |= g.sync(i, a)
		}
	}
	for k := range o.n {
		e.MO = append(e.MO, o.anyOrder(k))
	}
	return e
}

// anyOrder is the mo at hand of the k-th location, or, where none was chosen,
// a linear extension of what is demanded that ends in the state at hand.
func (o *order) anyOrder(k int) []int {
	var out []int
	if o.listed {
		for _, w := range o.seq[k] {
			out = append(out, int(w))
		}
		return out
	}
	l := &o.lists[k]
	full := 1<<l.n - 1
	for placed := 0; placed != full; {
		for i := range l.n {
			if placed>>i&1 != 0 || l.pre[i]&^uint32(placed) != 0 || i == int(o.end[k]) && placed|1<<i != full {
				continue
			}
			for w := l.head[i]; w >= 0; w = o.next[w] {
				out = append(out, int(w))
			}
			placed |= 1 << i
			break
		}
	}
	return out
}
