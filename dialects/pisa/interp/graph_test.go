package interp

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// randomFunc is a function of n blocks with edges drawn at random: loops of
// any shape, dead blocks and endless ones included.
func randomFunc(t *rapid.T) (*ir.Func, []*ir.Block, []int32) {
	f := ir.NewModule(ir.NewRegistry(builtin.Defs(), pisa.Defs()), nil).NewFunc("f", ir.FuncKernel)
	n := rapid.IntRange(1, 12).Draw(t, "blocks")
	var blocks []*ir.Block
	index := make([]int32, n)
	for i := range n {
		blocks = append(blocks, f.NewBlock())
		index[blocks[i].ID] = int32(i)
	}
	for _, b := range blocks {
		var bl ir.Builder
		bl.AtEnd(b)
		to := func() ir.Target {
			return ir.Target{To: blocks[rapid.IntRange(0, n-1).Draw(t, "to")]}
		}
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			builtin.Ret(&bl, nil)
		case 1:
			bl.Branch(builtin.Br, 0, nil, to())
		default:
			c := builtin.ConstPred(&bl, true)
			builtin.Branch(&bl, c, to(), to())
		}
	}
	return f, blocks, index
}

// TestPostDominators compares with the definition: p post-dominates b if no
// path from b to the end avoids p; the immediate one is post-dominated by all
// others.
func TestPostDominators(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, blocks, index := randomFunc(t)
		got := postDominators(blocks, index)
		roots := exitRoots(blocks, index)
		avoids := func(from, p int32) bool { // the end can be reached without p
			if from == p {
				return false
			}
			seen := make([]bool, len(blocks))
			stack := []int32{from}
			seen[from] = true
			for len(stack) > 0 {
				i := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				if roots[i] {
					return true
				}
				for k := range blocks[i].NumSuccs() {
					if s := index[blocks[i].Succ(k).ID]; !seen[s] && s != p {
						seen[s] = true
						stack = append(stack, s)
					}
				}
			}
			return false
		}
		for b := range int32(len(blocks)) {
			want := int32(-1)
			for p := range int32(len(blocks)) {
				if p == b || avoids(b, p) {
					continue
				}
				// The nearest: every other post-dominator of b is one of p.
				if want < 0 || avoidsNot(avoids, p, want) {
					want = p
				}
			}
			if got[b] != want {
				t.Fatalf("block %d: %d, want %d", b, got[b], want)
			}
		}
	})
}

// avoidsNot reports that q post-dominates p.
func avoidsNot(avoids func(from, p int32) bool, p, q int32) bool { return !avoids(p, q) }

// TestSequence holds the ordered copies to parallel ones.
func TestSequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 8
		var in []copyPair
		for dst := range int32(n) {
			if rapid.Bool().Draw(t, "copied") {
				in = append(in, copyPair{dst, int32(rapid.IntRange(0, n-1).Draw(t, "src"))})
			}
		}
		d := decoder{slots: &slotAlloc{n: n}}
		out := d.sequence(in)
		var want, got [n + 8]int32
		for i := range want {
			want[i], got[i] = int32(i), int32(i)
		}
		for _, c := range in {
			want[c.dst] = c.src
		}
		for _, c := range out {
			got[c.dst] = got[c.src]
		}
		for i := range n {
			if got[i] != want[i] {
				t.Fatalf("%v became %v: slot %d has %d", in, out, i, got[i])
			}
		}
		if len(out) > len(in)+n/2 {
			t.Fatalf("%d copies became %d", len(in), len(out))
		}
	})
}

// TestShflSource goes through the encoding table of PISA 7.4 for every lane.
func TestShflSource(t *testing.T) {
	for l := range width {
		for o := range uint32(32) {
			i, ok := shflSource(pisa.ShflUp, false, l, o)
			require.Equal(t, l >= int(o), ok)
			require.True(t, !ok || i == l-int(o))
			i, ok = shflSource(pisa.ShflDn, false, l, o)
			require.Equal(t, l+int(o) < 32, ok)
			require.True(t, !ok || i == l+int(o))
			i, ok = shflSource(pisa.ShflXor, false, l, o)
			require.True(t, ok && i == l^int(o))
			i, ok = shflSource(pisa.ShflIdx, false, l, o)
			require.True(t, ok && i == int(o))
			// Segments of eight: seg 0x18, the last lane of each is the clamp.
			i, ok = shflSource(pisa.ShflIdx, true, l, 0x181f00|o)
			require.Equal(t, l&24|int(o)&7, i)
			require.True(t, ok)
			i, ok = shflSource(pisa.ShflDn, true, l, 0x181f00|o)
			require.Equal(t, l+int(o) <= l|7, ok)
			require.True(t, !ok || i == l+int(o))
		}
	}
}
