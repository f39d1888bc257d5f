package analysis

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"pisac/ir"
)

// Loops against their definition: a header is a block that dominates a
// predecessor; its loop is what reaches such a predecessor without it.
func TestLoops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		succs := drawGraph(t)
		f, blocks := graph(succs)
		c := New(f)
		dom, loops := c.Dom(), c.Loops()
		n := len(blocks)
		live := make([]bool, n)
		copy(live, reach(succs, 0, never))
		live[0] = true
		body := map[int]map[int]bool{} // by header
		for h := range n {
			for p := range n {
				if !live[p] || !live[h] || !dom.Dominates(blocks[h], blocks[p]) {
					continue
				}
				for _, s := range succs[p] {
					if s != h {
						continue
					}
					if body[h] == nil {
						body[h] = map[int]bool{h: true}
					}
					for x := range n {
						if x != h && (x == p || reach(succs, x, func(b int) bool { return b == h })[p]) && live[x] {
							body[h][x] = true
						}
					}
				}
			}
		}
		if len(loops.All()) != len(body) {
			t.Fatalf("%d loops, not %d, in %v", len(loops.All()), len(body), succs)
		}
		num := map[*ir.Block]int{}
		for i, b := range blocks {
			num[b] = i
		}
		for i, lp := range loops.All() {
			want := body[num[lp.Header]]
			if want == nil || len(lp.Blocks()) != len(want) || lp.Blocks()[0] != lp.Header {
				t.Fatalf("loop of %d has %d blocks, want %v in %v", num[lp.Header], len(lp.Blocks()), want, succs)
			}
			for _, b := range lp.Blocks() {
				if !want[num[b]] {
					t.Fatalf("loop of %d has %d", num[lp.Header], num[b])
				}
			}
			for x, b := range blocks {
				if lp.Contains(b) != want[x] {
					t.Fatalf("Contains(%d)", x)
				}
			}
			if lp.Parent != nil && (!lp.Parent.Contains(lp.Header) || lp.Depth != lp.Parent.Depth+1) {
				t.Fatalf("parent of loop %d", i)
			}
			exits := 0
			for b := range want {
				for _, s := range succs[b] {
					if !want[s] {
						exits++
					}
				}
			}
			if len(lp.Exits()) != exits {
				t.Fatalf("%d exits, not %d", len(lp.Exits()), exits)
			}
		}
		for x, b := range blocks {
			depth, smallest := 0, n+1
			for _, bd := range body {
				if bd[x] {
					depth++
					smallest = min(smallest, len(bd))
				}
			}
			if loops.Depth(b) != depth {
				t.Fatalf("Depth(%d) = %d, not %d in %v", x, loops.Depth(b), depth, succs)
			}
			if lp := loops.Of(b); lp != nil && len(lp.Blocks()) != smallest {
				t.Fatalf("Of(%d)", x)
			}
		}
		checkRegions(t, succs, blocks, live, dom, loops)
	})
}

// checkRegions: two blocks share a region if they reach each other without
// edges whose target dominates their source.
func checkRegions(t *rapid.T, succs [][]int, blocks []*ir.Block, live []bool, dom *ir.Dom, loops *Loops) {
	cut := make([][]int, len(succs))
	for b := range succs {
		for _, s := range succs[b] {
			if live[b] && !dom.Dominates(blocks[s], blocks[b]) {
				cut[b] = append(cut[b], s)
			}
		}
	}
	for a := range blocks {
		from := reach(cut, a, never)
		for b := range blocks {
			want := live[a] && a != b && from[b] && reach(cut, b, never)[a]
			ra, rb := loops.Region(blocks[a]), loops.Region(blocks[b])
			if want && (ra < 0 || ra != rb) || !want && a != b && ra >= 0 && ra == rb {
				t.Fatalf("regions of %d and %d in %v", a, b, succs)
			}
		}
		if !from[a] && loops.Region(blocks[a]) >= 0 {
			t.Fatalf("region of %d in %v", a, succs)
		}
	}
}

// Loops nested as deep as there are blocks, in linear time.
func TestLoopsDeep(t *testing.T) {
	const n = 20_000
	succs := make([][]int, 2*n+1)
	for i := range n {
		succs[i] = []int{i + 1}
		succs[n+i] = []int{n - 1 - i, n + i + 1}
	}
	f, blocks := graph(succs)
	loops := New(f).Loops()
	assert.Len(t, loops.All(), n)
	assert.Equal(t, n, loops.Depth(blocks[n-1]))
	assert.Len(t, loops.All()[0].Blocks(), 2*n)
}

func TestLoopShape(t *testing.T) {
	// 0 → 1 (header) → 2 → 1, 2 → 3; 0 is the preheader.
	f, b := graph([][]int{{1}, {2}, {1, 3}, {}})
	lp := New(f).Loops().All()[0]
	assert.Equal(t, b[0], lp.Preheader())
	assert.Equal(t, b[2], lp.Latch())
	assert.Equal(t, []*ir.Block{b[2]}, lp.Latches())
	assert.True(t, lp.Innermost())
	// Two entries and two back edges.
	f, b = graph([][]int{{1, 4}, {2, 3}, {1}, {1}, {1}})
	lp = New(f).Loops().All()[0]
	assert.Nil(t, lp.Preheader())
	assert.Nil(t, lp.Latch())
	assert.ElementsMatch(t, []*ir.Block{b[2], b[3]}, lp.Latches())
}
