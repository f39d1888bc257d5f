package interp

import "pisac/ir"

// postDominators returns, by Block.ID, the index in blocks of the immediate
// post-dominator of each block; -1 where that is the end of the function.
// blocks are the function's in layout order, index their places by Block.ID.
//
// Blocks from which no return can be reached count as leading to the end from
// the last of them in layout order, so that lanes meet again in endless loops
// too.
func postDominators(blocks []*ir.Block, index []int32) []int32 {
	n := len(blocks)
	exit := int32(n)
	order := reversePostOrder(blocks, index)
	number := make([]int32, n+1) // place in order; the exit comes first
	for i, b := range order {
		number[b] = int32(i + 1)
	}
	number[exit] = 0
	ipdom := make([]int32, n+1)
	for i := range ipdom {
		ipdom[i] = -1
	}
	ipdom[exit] = exit
	meet := func(a, b int32) int32 {
		for a != b {
			for number[a] > number[b] {
				a = ipdom[a]
			}
			for number[b] > number[a] {
				b = ipdom[b]
			}
		}
		return a
	}
	roots := exitRoots(blocks, index)
	for changed := true; changed; {
		changed = false
		for _, bi := range order {
			now := int32(-1)
			if roots[bi] {
				now = exit
			}
			b := blocks[bi]
			for i := range b.NumSuccs() {
				s := index[b.Succ(i).ID]
				if ipdom[s] < 0 {
					continue
				}
				if now < 0 {
					now = s
				} else {
					now = meet(now, s)
				}
			}
			if now != ipdom[bi] {
				ipdom[bi], changed = now, true
			}
		}
	}
	out := ipdom[:n]
	for i := range out {
		if out[i] == exit {
			out[i] = -1
		}
	}
	return out
}

// exitRoots marks the blocks with an edge to the end: those that return, and
// one of each region that cannot be left.
func exitRoots(blocks []*ir.Block, index []int32) []bool {
	roots := make([]bool, len(blocks))
	seen := make([]bool, len(blocks))
	var stack []int32
	mark := func(i int32) {
		roots[i] = true
		if !seen[i] {
			seen[i] = true
			stack = append(stack, i)
		}
		for len(stack) > 0 {
			b := blocks[stack[len(stack)-1]]
			stack = stack[:len(stack)-1]
			for e := b.FirstPred(); e != nil; e = e.NextPred() {
				if p := index[e.From().ID]; !seen[p] {
					seen[p] = true
					stack = append(stack, p)
				}
			}
		}
	}
	for i, b := range blocks {
		if b.NumSuccs() == 0 {
			mark(int32(i))
		}
	}
	for i := len(blocks) - 1; i >= 0; i-- {
		if !seen[i] {
			mark(int32(i))
		}
	}
	return roots
}

// reversePostOrder walks the reversed graph from the end.
func reversePostOrder(blocks []*ir.Block, index []int32) []int32 {
	roots := exitRoots(blocks, index)
	seen := make([]bool, len(blocks))
	post := make([]int32, 0, len(blocks))
	type visit struct {
		b    int32
		edge *ir.Edge
	}
	var stack []visit
	for r := range blocks {
		if !roots[r] || seen[r] {
			continue
		}
		seen[r] = true
		stack = append(stack, visit{int32(r), blocks[r].FirstPred()})
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.edge == nil {
				post = append(post, top.b)
				stack = stack[:len(stack)-1]
				continue
			}
			p := index[top.edge.From().ID]
			top.edge = top.edge.NextPred()
			if !seen[p] {
				seen[p] = true
				stack = append(stack, visit{p, blocks[p].FirstPred()})
			}
		}
	}
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	return post
}
