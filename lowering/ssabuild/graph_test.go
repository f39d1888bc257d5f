package ssabuild

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawBlocks draws a control-flow graph; the entry has no predecessors.
func drawBlocks(t *rapid.T) []block {
	n := rapid.IntRange(1, 14).Draw(t, "n")
	blocks := make([]block, n)
	for i := range blocks {
		b := &blocks[i]
		b.kind = rapid.SampledFrom([]termKind{termFall, termFall, termCond, termCond, termCond, termReturn}).Draw(t, "kind")
		if n == 1 {
			b.kind = termReturn
		}
		for s := range b.numSuccs() {
			b.succ[s] = int32(rapid.IntRange(1, n-1).Draw(t, "succ"))
		}
	}
	return blocks
}

// reach returns what is reachable from the entry when block without is closed.
func reach(blocks []block, without int) []bool {
	seen := make([]bool, len(blocks))
	work := []int32{}
	if without != 0 {
		work, seen[0] = append(work, 0), true
	}
	for len(work) > 0 {
		b := &blocks[work[len(work)-1]]
		work = work[:len(work)-1]
		for s := range b.numSuccs() {
			if to := b.succ[s]; !seen[to] && int(to) != without {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return seen
}

// dominates is the definition: no path to b without a.
func dominators(blocks []block) func(a, b int) bool {
	all := reach(blocks, -1)
	with := make([][]bool, len(blocks))
	for i := range blocks {
		with[i] = reach(blocks, i)
	}
	return func(a, b int) bool { return all[b] && (a == b || !with[a][b]) }
}

func TestDominatorsByDefinition(t *testing.T) {
	var g graph
	var dom domTree
	rapid.Check(t, func(t *rapid.T) {
		blocks := drawBlocks(t)
		g.build(blocks)
		dom.build(&g, len(blocks))
		dominates := dominators(blocks)
		reachable := reach(blocks, -1)
		for b := range blocks {
			require.Equal(t, reachable[b], g.num[b] >= 0)
			if !reachable[b] {
				continue
			}
			for a := range blocks {
				if !reachable[a] {
					continue
				}
				inTree := dom.pre[a] <= dom.pre[b] && dom.last[b] <= dom.last[a]
				require.Equal(t, dominates(a, b), inTree, "%d over %d", a, b)
			}
		}
		require.Len(t, dom.walk, len(g.order))
	})
}

func TestPredecessorLists(t *testing.T) {
	var g graph
	rapid.Check(t, func(t *rapid.T) {
		blocks := drawBlocks(t)
		g.build(blocks)
		for b := range blocks {
			var want []int32
			for p := range blocks {
				for s := range blocks[p].numSuccs() {
					if g.num[p] >= 0 && blocks[p].succ[s] == int32(b) {
						want = append(want, int32(2*p+s))
					}
				}
			}
			require.Equal(t, want, append([]int32(nil), g.into(int32(b))...))
		}
	})
}

// TestFrontiersByDefinition: with the entry as region, the frontier is the
// whole one, and with another region its part below that. j is in the dominance frontier of x if x
// dominates a predecessor of j, but not j strictly; iterate until nothing
// changes.
func TestFrontiersByDefinition(t *testing.T) {
	var g graph
	var dom domTree
	var fr frontiers
	rapid.Check(t, func(t *rapid.T) {
		blocks := drawBlocks(t)
		g.build(blocks)
		dom.build(&g, len(blocks))
		fr.build(&dom, blocks)
		dominates := dominators(blocks)
		regions := slices.Clone(dom.walk)
		slices.SortStableFunc(regions, func(a, b int32) int { return int(dom.level[a] - dom.level[b]) })
		for _, region := range regions { // queries must not disturb each other
			var defs, from []int32
			for k, b := range dom.walk {
				if b != region && dom.within(b, region) && rapid.Bool().Draw(t, "def") {
					defs, from = append(defs, int32(k)), append(from, b)
				}
			}
			in := map[int32]bool{}
			for changed := true; changed; {
				changed = false
				for _, x := range from {
					for p := range blocks {
						for s := range blocks[p].numSuccs() {
							j := blocks[p].succ[s]
							if dominates(int(x), p) && (x == j || !dominates(int(x), int(j))) && !in[j] && j != region && dom.within(j, region) {
								in[j], changed = true, true
								from = append(from, j)
							}
						}
					}
				}
			}
			got := fr.of(&dom, region, defs, nil)
			require.Len(t, got, len(in))
			for _, j := range got {
				require.True(t, in[j])
			}
		}
	})
}
