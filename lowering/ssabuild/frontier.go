package ssabuild

import "math"

// frontiers answers, for one set of blocks after the other, where their values
// meet others: the iterated dominance frontier. A block j is in the frontier
// of x if an edge into j leaves the subtree of x, that is, starts below x and
// ends no deeper than x (Sreedhar and Gao, POPL 1995). The edges that can do
// so lie in tree preorder of their starts, so that the subtree of x is a range
// of them, under a tournament of least level of their ends. Each query takes an
// edge at most once: O(log e) per block of the set and per edge into the
// frontier, also in nests where frontiers overlap.
type frontiers struct {
	at    []int32 // by position in domTree.walk: first of the edges that leave there
	to    []int32 // end of each edge
	min   []int32 // the tournament: leaves from size on
	size  int
	taken []int32 // edges taken in the running query
	seen  []int32 // by block: last query that reported it
	query int32
	work  []int32
}

func (fr *frontiers) build(t *domTree, blocks []block) {
	fr.at = resize(fr.at, len(t.walk)+1)
	fr.to = fr.to[:0]
	for k, i := range t.walk {
		fr.at[k] = int32(len(fr.to))
		for s := range blocks[i].numSuccs() {
			if to := blocks[i].succ[s]; t.idom[to] != i {
				fr.to = append(fr.to, to)
			}
		}
	}
	fr.at[len(t.walk)] = int32(len(fr.to))
	for fr.size = 1; fr.size < len(fr.to); fr.size *= 2 {
	}
	fr.min = resize(fr.min, 2*fr.size)
	for i := range fr.size {
		fr.min[fr.size+i] = math.MaxInt32
		if i < len(fr.to) {
			fr.min[fr.size+i] = t.level[fr.to[i]]
		}
	}
	for i := fr.size - 1; i > 0; i-- {
		fr.min[i] = min(fr.min[2*i], fr.min[2*i+1])
	}
	fr.seen = resize(fr.seen, len(blocks))
	fr.query = 0
}

// of appends to out the iterated dominance frontier of the blocks defs.
func (fr *frontiers) of(t *domTree, defs []int32, out []int32) []int32 {
	fr.query++
	fr.work = append(fr.work[:0], defs...)
	for len(fr.work) > 0 {
		x := fr.work[len(fr.work)-1]
		fr.work = fr.work[:len(fr.work)-1]
		level, end := t.level[x], int(fr.at[t.last[x]+1])
		for e := int(fr.at[t.pre[x]]); e < end; e++ {
			if e = fr.next(e, level); e >= end {
				break
			}
			fr.put(e, math.MaxInt32)
			fr.taken = append(fr.taken, int32(e))
			if j := fr.to[e]; fr.seen[j] != fr.query {
				fr.seen[j] = fr.query
				out = append(out, j)
				fr.work = append(fr.work, j)
			}
		}
	}
	for _, e := range fr.taken {
		fr.put(int(e), t.level[fr.to[e]])
	}
	fr.taken = fr.taken[:0]
	return out
}

// next returns the first edge from e on that ends at or above level, fr.size
// or more if there is none.
func (fr *frontiers) next(e int, level int32) int {
	i := fr.size + e
	for fr.min[i] > level {
		for i&1 == 1 {
			if i >>= 1; i == 0 {
				return fr.size
			}
		}
		if i == 0 {
			return fr.size
		}
		i++
	}
	for i < fr.size {
		if i *= 2; fr.min[i] > level {
			i++
		}
	}
	return i - fr.size
}

func (fr *frontiers) put(e int, level int32) {
	i := fr.size + e
	fr.min[i] = level
	for i >>= 1; i > 0; i >>= 1 {
		fr.min[i] = min(fr.min[2*i], fr.min[2*i+1])
	}
}
