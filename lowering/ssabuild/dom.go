package ssabuild

import "pisac/ir"

// domTree is the dominator tree of the reachable blocks.
type domTree struct {
	idom  []int32 // by block; -1 for the entry
	level []int32 // by block: distance from the entry in the tree
	walk  []int32 // blocks in preorder, children in text order
	pre   []int32 // by block: position in walk
	last  []int32 // by block: position in walk of the last block below it

	dominators   ir.GraphDom
	first, preds []int32 // predecessors, by depth-first number
	child        []int32 // by block
	sibling      []int32
}

func (t *domTree) build(g *graph, nblocks int) {
	t.first, t.preds = t.first[:0], t.preds[:0]
	for _, i := range g.order {
		t.first = append(t.first, int32(len(t.preds)))
		for _, e := range g.into(i) {
			t.preds = append(t.preds, g.num[e>>1])
		}
	}
	dom := t.dominators.Compute(g.parent, t.first, t.preds)
	t.idom = resize(t.idom, nblocks)
	t.level = resize(t.level, nblocks)
	t.pre = resize(t.pre, nblocks)
	t.last = resize(t.last, nblocks)
	t.child = resize(t.child, nblocks)
	t.sibling = resize(t.sibling, nblocks)
	for i := range nblocks {
		t.idom[i], t.child[i], t.sibling[i] = -1, -1, -1
	}
	for i := 1; i < len(g.order); i++ {
		t.idom[g.order[i]] = g.order[dom[i]]
	}
	for i := int32(nblocks) - 1; i > 0; i-- {
		if p := t.idom[i]; p >= 0 {
			t.sibling[i], t.child[p] = t.child[p], i
		}
	}
	t.number()
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
