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

// TestMemoryPassesEveryLimit: the memory passes can be stopped at each rewrite.
func TestMemoryPassesEveryLimit(t *testing.T) {
	const text = `kernel @k(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %n = pisa.ld.param.32b %c : 32b
  %z = builtin.const 0x40 : 64b
  %f = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.br ^loop(%f)
^loop(%i: 32b):
  pisa.fence.acquire.gpu
  %x = pisa.ld.global.32b [%y + %z] : 32b
  %j = pisa.iadd.32b %i, %x : 32b
  pisa.st.global.32b [%y + %z], %j
  pisa.fence.gpu
  pisa.fence.release.gpu
  %p = pisa.ucmp.lt.32b %j, %n : pred
  builtin.cond_br %p, ^loop(%j), ^out
^out:
  %r = pisa.iatom.global.system.add.32b [%y], %n : 32b
  pisa.st.global.relaxed.system.32b [%y + %z], %r
  %q = pisa.iatom.global.system.sub.32b [%y], %x : 32b
  pisa.fence.global.acquire.workgroup
  pisa.fence.global.release.gpu
  pisa.st.global.relaxed.system.32b [%y], %q
  builtin.return
}
`
	for _, pass := range []string{"fence-elide{merge=always}", "memorder-strengthen{fences=always}", "atomic-coalesce", "fence-elide,memorder-strengthen{fences=always},fence-elide{merge=always},atomic-coalesce"} {
		everyLimit(t, pass, text)
	}
}
