package ir

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// graph builds a function whose block i has the successors succs[i].
func graph(succs [][]int) *Func {
	f := NewModule(toyReg, nil).NewFunc("k", FuncKernel)
	blocks := make([]*Block, len(succs))
	for i := range blocks {
		blocks[i] = f.NewBlock()
	}
	for i, ss := range succs {
		var bl Builder
		bl.AtEnd(blocks[i])
		targets := make([]Target, len(ss))
		for k, s := range ss {
			targets[k].To = blocks[s]
		}
		bl.Branch(toySwitch, 0, nil, targets...)
	}
	return f
}

// reach is which blocks paths from the entry lead to that avoid block no.
func reach(succs [][]int, no int) []bool {
	seen := make([]bool, len(succs))
	if no == 0 {
		return seen
	}
	work := []int{0}
	seen[0] = true
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range succs[b] {
			if s != no && !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

// The definition of dominance is the oracle: a dominates b if no path to b
// avoids a.
func TestDominators(t *testing.T) {
	var d Dom
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 14).Draw(t, "n")
		succs := make([][]int, n)
		for i := range succs {
			succs[i] = rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 3).Draw(t, "succs")
		}
		f := graph(succs)
		d.Compute(f)
		var blocks []*Block
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			blocks = append(blocks, b)
		}
		all := reach(succs, -1)
		strict := make([]int, n) // strict dominators of each block
		for a := range n {
			avoiding := reach(succs, a)
			for b := range n {
				want := !all[b] || all[a] && (a == b || !avoiding[b])
				if d.Dominates(blocks[a], blocks[b]) != want {
					t.Fatalf("Dominates(%d, %d) is not %v", a, b, want)
				}
				if want && a != b && all[b] {
					strict[b]++
				}
			}
		}
		for b := range n {
			if d.Reachable(blocks[b]) != all[b] {
				t.Fatalf("Reachable(%d)", b)
			}
			idom := d.Idom(blocks[b])
			if !all[b] || b == 0 {
				if idom != nil {
					t.Fatalf("Idom(%d) is not nil", b)
				}
				continue
			}
			// The immediate dominator is the strict one with most of its own.
			if !d.Dominates(idom, blocks[b]) || idom == blocks[b] || strict[idom.ID] != strict[b]-1 {
				t.Fatalf("Idom(%d) = %d", b, idom.ID)
			}
		}
		checkRPO(t, &d, succs, all)
	})
}

// checkRPO: every reachable block once, entry first, and along each edge that
// is not a back edge of the search, forward; hence an acyclic graph is sorted.
func checkRPO(t *rapid.T, d *Dom, succs [][]int, all []bool) {
	pos := make(map[int]int)
	for i, b := range d.RPO() {
		pos[int(b.ID)] = i
	}
	n := 0
	for b := range all {
		if all[b] {
			n++
		}
	}
	if len(pos) != n || len(d.RPO()) != n || pos[0] != 0 {
		t.Fatalf("RPO is not the reachable blocks")
	}
	for b := range succs {
		for _, s := range succs[b] {
			// A retreating edge closes a cycle: s reaches b.
			if all[b] && pos[s] < pos[b] && !pathTo(succs, s, b) {
				t.Fatalf("RPO has %d before %d", s, b)
			}
		}
	}
}

func pathTo(succs [][]int, from, to int) bool {
	seen := map[int]bool{from: true}
	work := []int{from}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if b == to {
			return true
		}
		for _, s := range succs[b] {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

func TestRPOTakesFirstTargetFirst(t *testing.T) {
	f := graph([][]int{{1, 2}, {3}, {3}, {}})
	var d Dom
	d.Compute(f)
	var ids []uint32
	for _, b := range d.RPO() {
		ids = append(ids, b.ID)
	}
	assert.Equal(t, []uint32{0, 1, 2, 3}, ids)
}
