package ir

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// The definition is the oracle: a post-dominates b if no path from b to the
// end avoids a. The end is reached from blocks without successors, and from
// the last block in layout order of what cannot reach one.
func TestPostDominators(t *testing.T) {
	var p PostDom
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		succs := make([][]int, n)
		for i := range succs {
			succs[i] = rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 3).Draw(t, "succs")
		}
		f := graph(succs)
		var blocks []*Block
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			blocks = append(blocks, b)
		}
		p.Compute(f)
		ends := make([]bool, n)
		reaches := func(b, no int) bool { // the end, avoiding no
			if b == no {
				return false
			}
			seen, work := map[int]bool{b: true}, []int{b}
			for len(work) > 0 {
				x := work[0]
				work = work[1:]
				if ends[x] {
					return true
				}
				for _, s := range succs[x] {
					if s != no && !seen[s] {
						seen[s] = true
						work = append(work, s)
					}
				}
			}
			return false
		}
		for b := range n {
			ends[b] = len(succs[b]) == 0
		}
		for b := n - 1; b >= 0; b-- {
			if !reaches(b, -1) {
				ends[b] = true
			}
		}
		count := make([]int, n) // strict post-dominators
		for a := range n {
			for b := range n {
				want := !reaches(b, a)
				if p.PostDominates(blocks[a], blocks[b]) != want {
					t.Fatalf("PostDominates(%d, %d) is not %v in %v", a, b, want, succs)
				}
				if want && a != b {
					count[b]++
				}
			}
		}
		for b := range n {
			i := p.Ipdom(blocks[b])
			if i == nil != (count[b] == 0) {
				t.Fatalf("Ipdom(%d) = %v", b, i)
			}
			if i != nil && (i == blocks[b] || !p.PostDominates(i, blocks[b]) || count[i.ID] != count[b]-1) {
				t.Fatalf("Ipdom(%d) = %d", b, i.ID)
			}
		}
	})
}

// A long chain whose blocks all leave to one exit, and a deep one.
func TestPostDominatorsDeep(t *testing.T) {
	const n = 50_000
	succs := make([][]int, n)
	for i := range n - 1 {
		succs[i] = []int{i + 1, n - 1}
	}
	f := graph(succs)
	var p PostDom
	p.Compute(f)
	assert.Equal(t, f.LastBlock(), p.Ipdom(f.Entry()))
	assert.Nil(t, p.Ipdom(f.LastBlock()))
}
