package ssabuild

// domTree is the dominator tree of the reachable blocks, by the algorithm of
// Lengauer and Tarjan (TOPLAS 1979) with path compression: O(e log n) whatever
// the shape of the graph.
type domTree struct {
	idom  []int32 // by block; -1 for the entry
	level []int32 // by block: distance from the entry in the tree
	walk  []int32 // blocks in preorder, children in text order
	pre   []int32 // by block: position in walk
	last  []int32 // by block: position in walk of the last block below it

	// By depth-first number.
	semi, anc, best, dom []int32
	bucket, nextInBucket []int32
	// By block.
	child, sibling []int32
	stack          []int32
}

func (t *domTree) build(g *graph, nblocks int) {
	t.semidominators(g)
	n := len(g.order)
	t.idom = resize(t.idom, nblocks)
	t.level = resize(t.level, nblocks)
	t.pre = resize(t.pre, nblocks)
	t.last = resize(t.last, nblocks)
	t.child = resize(t.child, nblocks)
	t.sibling = resize(t.sibling, nblocks)
	for i := range nblocks {
		t.idom[i], t.child[i], t.sibling[i] = -1, -1, -1
	}
	for i := 1; i < n; i++ {
		t.idom[g.order[i]] = g.order[t.dom[i]]
	}
	for i := int32(nblocks) - 1; i > 0; i-- {
		if p := t.idom[i]; p >= 0 {
			t.sibling[i], t.child[p] = t.child[p], i
		}
	}
	t.number()
}

// semidominators fills t.dom with the immediate dominator's depth-first number
// of each depth-first number.
func (t *domTree) semidominators(g *graph) {
	n := len(g.order)
	t.semi, t.anc, t.best, t.dom = resize(t.semi, n), resize(t.anc, n), resize(t.best, n), resize(t.dom, n)
	t.bucket, t.nextInBucket = resize(t.bucket, n), resize(t.nextInBucket, n)
	for i := range int32(n) {
		t.semi[i], t.best[i] = i, i
		t.anc[i], t.bucket[i] = -1, -1
	}
	for w := int32(n) - 1; w > 0; w-- {
		for _, e := range g.into(g.order[w]) {
			if u := t.eval(g.num[e>>1]); t.semi[u] < t.semi[w] {
				t.semi[w] = t.semi[u]
			}
		}
		s := t.semi[w]
		t.nextInBucket[w], t.bucket[s] = t.bucket[s], w
		p := g.parent[w]
		t.anc[w] = p
		for v := t.bucket[p]; v >= 0; v = t.nextInBucket[v] {
			t.dom[v] = p
			if u := t.eval(v); t.semi[u] < t.semi[v] {
				t.dom[v] = u
			}
		}
		t.bucket[p] = -1
	}
	for w := 1; w < n; w++ {
		if t.dom[w] != t.semi[w] {
			t.dom[w] = t.dom[t.dom[w]]
		}
	}
}

// eval returns the vertex of least semidominator on v's path to the root of
// its forest tree, and shortens the path.
func (t *domTree) eval(v int32) int32 {
	if t.anc[v] < 0 {
		return v
	}
	t.stack = t.stack[:0]
	for x := v; t.anc[t.anc[x]] >= 0; x = t.anc[x] {
		t.stack = append(t.stack, x)
	}
	for k := len(t.stack) - 1; k >= 0; k-- {
		x := t.stack[k]
		a := t.anc[x]
		if t.semi[t.best[a]] < t.semi[t.best[x]] {
			t.best[x] = t.best[a]
		}
		t.anc[x] = t.anc[a]
	}
	return t.best[v]
}

// within reports whether block a is in the subtree of block b.
func (t *domTree) within(a, b int32) bool {
	return t.pre[b] <= t.pre[a] && t.pre[a] <= t.last[b]
}

// number walks the tree.
func (t *domTree) number() {
	t.walk = t.walk[:0]
	at := int32(0)
	for {
		t.pre[at] = int32(len(t.walk))
		t.walk = append(t.walk, at)
		if p := t.idom[at]; p >= 0 {
			t.level[at] = t.level[p] + 1
		}
		if c := t.child[at]; c >= 0 {
			at = c
			continue
		}
		for {
			t.last[at] = int32(len(t.walk)) - 1
			if s := t.sibling[at]; s >= 0 {
				at = s
				break
			}
			if at = t.idom[at]; at < 0 {
				return
			}
		}
	}
}
