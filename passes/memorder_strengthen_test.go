package passes

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
)

func TestMemorderStrengthenAddsNoOutcome(t *testing.T) {
	checkMemoryPass(t, "memorder-strengthen{fences=always}", "S0", "F")
	checkMemoryPass(t, "fence-elide,memorder-strengthen{fences=always},fence-elide{merge=always},atomic-coalesce{aggregate=0}", "F", "S0", "A0", "E0")
}

func anyFence(t *rapid.T, name string) fenceSet {
	return fenceSet{
		rapid.SampledFrom([]halves{0, acquireHalf, releaseHalf, bothHalves, bothHalves | seqCstFence}).Draw(t, name+".order"),
		pisa.Scope(rapid.IntRange(int(pisa.NoScope), int(pisa.System)).Draw(t, name+".scope")),
		spaces(rapid.IntRange(0, int(coverBoth)).Draw(t, name+".cover")),
	}
}

// TestFenceJoin: the join is that of a lattice, so that it does not matter in
// which order fences are merged.
func TestFenceJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, g, h := anyFence(t, "f"), anyFence(t, "g"), anyFence(t, "h")
		assert.Equal(t, f, f.join(f))
		assert.Equal(t, f.join(g), g.join(f))
		assert.Equal(t, f.join(g).join(h), f.join(g.join(h)))
		assert.Equal(t, f, f.join(fenceSet{}))
		assert.True(t, f.join(g).includes(f) && f.join(g).includes(g))
		if h.includes(f) && h.includes(g) {
			assert.True(t, h.includes(f.join(g)), "the join is the least of what includes both")
		}
	})
}

// TestFenceProps: what PISA can say is read back as it was meant.
func TestFenceProps(t *testing.T) {
	n := 0
	for _, o := range []halves{acquireHalf, releaseHalf, bothHalves, bothHalves | seqCstFence} {
		for s := pisa.Workgroup; s <= pisa.System; s++ {
			for c := coverGlobal; c <= coverBoth; c++ {
				f := fenceSet{o, s, c}
				p, ok := f.props()
				assert.Equal(t, s != pisa.System || c == coverGlobal, ok, "%s", f)
				if ok {
					assert.Equal(t, f, fenceOf(p), "%s", f)
					n++
				}
			}
		}
	}
	assert.Equal(t, 4*(2*3+1), n)
	sub, ok := fenceSet{releaseHalf, pisa.Subgroup, coverShared}.props()
	assert.True(t, ok)
	assert.True(t, fenceOf(sub).includes(fenceSet{releaseHalf, pisa.Subgroup, coverShared}))
	_, ok = fenceSet{bothHalves | seqCstFence, pisa.Subgroup, coverBoth}.props()
	assert.False(t, ok)
}

// TestFenceCost: on each target a fence that does more costs no less.
func TestFenceCost(t *testing.T) {
	for i := range target.All() {
		tg := &target.All()[i]
		rapid.Check(t, func(t *rapid.T) {
			f, g := anyFence(t, "f"), anyFence(t, "g")
			f.scope, g.scope = max(f.scope, pisa.Subgroup), max(g.scope, pisa.Subgroup)
			if j := f.join(g); !f.empty() {
				assert.GreaterOrEqual(t, j.cost(tg), f.cost(tg), "%s: %s, %s", tg.Name, f, j)
			}
		})
	}
}
