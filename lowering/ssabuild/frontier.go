package ssabuild

import "math"

// frontiers answers, for one set of blocks after the other, where their values
// meet others: the iterated dominance frontier, as far as it lies below a
// block, the region. A block j is in the frontier of x if an edge into j leaves
// the subtree of x, that is, starts below x and ends no deeper than x (Sreedhar
// and Gao, POPL 1995). The edges that can do so lie in tree preorder of their
// starts, so that the subtree of x is a range of them, under a tournament of
// least level of their ends. Each query takes an edge at most once; edges that
// end above the region are gone, for regions come in order of level. That is
// O(log e) per block of the set, per edge into the frontier, and once per edge,
// also in nests where frontiers overlap.
type frontiers struct {
	at      []int32 // by position in domTree.walk: first of the edges that leave there
	to      []int32 // end of each edge
	byLevel []int32 // edges in order of their ends' level
	gone    int     // how many of byLevel are above the region
	min     []int32 // the tournament: leaves from size on
	size    int
	taken   []int32 // edges taken in the running query
	seen    []int32 // by block: last query that reported it
	query   int32
	work    []int32
	count   []int32
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
	fr.query, fr.gone = 0, 0
	fr.count = resize(fr.count, len(t.walk)+1)
	for _, j := range fr.to {
		fr.count[t.level[j]+1]++
	}
	for k := range t.walk {
		fr.count[k+1] += fr.count[k]
	}
	fr.byLevel = resize(fr.byLevel, len(fr.to))
	for e, j := range fr.to {
		fr.byLevel[fr.count[t.level[j]]] = int32(e)
		fr.count[t.level[j]]++
	}
}

// of appends to out the iterated dominance frontier, strictly below region, of
// the blocks at positions defs of the tree's preorder, which are below region
// too. From call to call region must not rise in the tree.
func (fr *frontiers) of(t *domTree, region int32, defs []int32, out []int32) []int32 {
	for fr.gone < len(fr.byLevel) && t.level[fr.to[fr.byLevel[fr.gone]]] <= t.level[region] {
		fr.put(int(fr.byLevel[fr.gone]), math.MaxInt32)
		fr.gone++
	}
	fr.query++
	fr.work = append(fr.work[:0], defs...)
	for len(fr.work) > 0 {
		k := fr.work[len(fr.work)-1]
		fr.work = fr.work[:len(fr.work)-1]
		x := t.walk[k]
		level, end := t.level[x], int(fr.at[t.last[x]+1])
		for e := int(fr.at[k]); e < end; e++ {
			if e = fr.next(e, level); e >= end {
				break
			}
			fr.put(e, math.MaxInt32)
			fr.taken = append(fr.taken, int32(e))
			if j := fr.to[e]; fr.seen[j] != fr.query {
				fr.seen[j] = fr.query
				out = append(out, j)
				fr.work = append(fr.work, t.pre[j])
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

// put sets the level at which an edge counts.
func (fr *frontiers) put(e int, level int32) {
	i := fr.size + e
	fr.min[i] = level
	for i >>= 1; i > 0; i >>= 1 {
		m := min(fr.min[2*i], fr.min[2*i+1])
		if fr.min[i] == m {
			return
		}
		fr.min[i] = m
	}
}
