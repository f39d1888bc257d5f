package passes

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The memory model's checker finds no outcome that vectorisation adds in the
// contexts of the catalogue's rows.
func TestVectorizeMemoryAddsNoOutcome(t *testing.T) {
	checkMemoryPass(t, "vectorize-memory", "V0")
}

// A load that only what is between makes safe, and a store that is published
// there.
const (
	loadBehind  = "ld.global.relaxed.32b %r9, [@y]; guard %r9; ld.global.weak.32b %r1, [@x]; "
	loads2      = "; ld.global.weak.32b %r2, [@x + 4]"
	publish2    = "st.global.weak.32b [@x + 4], 1; st.global.release.gpu.32b [@y], 1"
	storeBefore = "st.global.weak.32b [@x], 1; "
	stores2     = "; st.global.weak.32b [@x + 4], 2"
)

// With a row of the crossing table opened, or atomic accesses merged, the
// checker objects: to moving a load up across what acquires, and a store down
// across what releases.
func TestVectorizeMemoryIsMissed(t *testing.T) {
	pl := pipeline(t, "vectorize-memory")
	apart, together := []int{0, 1}, []int{0, 0}
	for _, c := range []struct {
		k       crossing
		up      bool
		program *smallProgram
	}{
		{crossLdAcquire, true, lines(apart, loadBehind+"ld.global.acquire.gpu.32b %r0, [@y]"+loads2, publish2)},
		{crossAtomAcquire, true, lines(apart, loadBehind+"iatom.global.acquire.gpu.add.32b %r0, [@y], 1"+loads2, publish2)},
		{crossFenceAcquire, true, lines(apart, loadBehind+"fence.acquire.gpu"+loads2, publish2)},
		{crossAtomBoth, true, lines(apart, loadBehind+"iatom.global.acq_rel.gpu.add.32b %r0, [@y], 1"+loads2, publish2)},
		{crossFenceBoth, true, lines(apart, loadBehind+"fence.acq_rel.gpu"+loads2, publish2)},
		{crossLdSeqCst, true, lines(apart, loadBehind+"ld.global.seq_cst.gpu.32b %r0, [@y]"+loads2, publish2)},
		{crossBarrier, true, lines(together, "ld.global.weak.32b %r1, [@x]; barrier.workgroup"+loads2, "st.global.weak.32b [@x + 4], 1; barrier.workgroup")},
		{crossStRelease, false, lines(apart, storeBefore+"st.global.release.gpu.32b [@y], 1"+stores2, consume)},
		{crossAtomRelease, false, lines(apart, storeBefore+"iatom.global.release.gpu.add.32b %r0, [@y], 1"+stores2, consume)},
		{crossFenceRelease, false, lines(apart, storeBefore+"fence.release.gpu; st.global.relaxed.32b [@y], 1"+stores2, consume)},
		{crossAtomBoth, false, lines(apart, storeBefore+"iatom.global.acq_rel.gpu.add.32b %r0, [@y], 1"+stores2, consume)},
		{crossFenceBoth, false, lines(apart, storeBefore+"fence.acq_rel.gpu; st.global.relaxed.32b [@y], 1"+stores2, consume)},
		{crossStSeqCst, false, lines(apart, storeBefore+"st.global.seq_cst.gpu.32b [@y], 1"+stores2, consume)},
		{crossBarrier, false, lines(together, storeBefore+"barrier.workgroup"+stores2, "barrier.workgroup; ld.global.weak.32b %c1, [@x]")},
	} {
		row := crossings[c.k]
		assert.True(t, c.program.sound(t, pl), row.name)
		if c.up {
			crossings[c.k].up = true
		} else {
			crossings[c.k].down = true
		}
		changed, _, bad := c.program.compare(t, pl)
		assert.NotEmpty(t, bad, "%s, up %v: changed %v", row.name, c.up, changed)
		crossings[c.k] = row
	}
	missedBetweenBlocks(t, pl)
	rows, rnd := checkedRows(t, "V03"), rand.New(rand.NewSource(1))
	vmGuardsOff = 1 << vmGuardAtomic
	bad := ""
	for range guardPrograms {
		if _, _, bad = randomProgram(rnd, rows).compare(t, pl); bad != "" {
			break
		}
	}
	vmGuardsOff = 0
	assert.NotEmpty(t, bad, "atomic accesses merged")
}

// missedBetweenBlocks is the same for what stands in an arm between two blocks
// that are executed together, and for two of which one is not.
func missedBetweenBlocks(t *testing.T, pl Pipeline) {
	apart := []int{0, 1}
	arm := func(op string) string { return "ucmp.eq.32b %q, %r9, 1; goto.cond !%q, L; " + op + "; L:" }
	const known = "ld.global.relaxed.32b %r9, [@y]; ucmp.ne.32b %p, %r9, 0; goto.cond !%p, END; ld.global.weak.32b %r1, [@x]; "
	for _, c := range []struct {
		k       crossing
		up      bool
		program *smallProgram
	}{
		{crossLdAcquire, true, lines(apart, known+arm("ld.global.acquire.gpu.32b %r0, [@y]")+loads2+"; END:", publish2)},
		{crossFenceAcquire, true, lines(apart, known+arm("fence.acquire.gpu")+loads2+"; END:", publish2)},
		{crossStRelease, false, lines(apart, "ld.global.relaxed.32b %r9, [@z]; "+storeBefore+"ucmp.eq.32b %q, %r9, 0; goto.cond !%q, L; st.global.release.gpu.32b [@y], 1; L:"+stores2, consume)},
		{crossFenceRelease, false, lines(apart, "ld.global.relaxed.32b %r9, [@z]; "+storeBefore+"ucmp.eq.32b %q, %r9, 0; goto.cond !%q, L; fence.release.gpu; st.global.relaxed.32b [@y], 1; L:"+stores2, consume)},
	} {
		row := crossings[c.k]
		assert.True(t, c.program.sound(t, pl), "%s between blocks", row.name)
		if c.up {
			crossings[c.k].up = true
		} else {
			crossings[c.k].down = true
		}
		changed, _, bad := c.program.compare(t, pl)
		assert.NotEmpty(t, bad, "%s between blocks, up %v: changed %v", row.name, c.up, changed)
		crossings[c.k] = row
	}
	for _, p := range []*smallProgram{
		lines(apart, "ld.global.acquire.gpu.32b %r0, [@y]; ld.global.weak.32b %r1, [@x]; ucmp.eq.32b %p, %r0, 0; return.cond %p; ld.global.weak.32b %r2, [@x + 4]", publish2),
		lines(apart, "ld.global.acquire.gpu.32b %r0, [@y]; st.global.weak.32b [@x], 1; ucmp.eq.32b %p, %r0, 0; return.cond %p; st.global.weak.32b [@x + 4], 2", publish2),
	} {
		assert.True(t, p.sound(t, pl), "%s", p)
		vmGuardsOff = 1 << vmGuardExit
		_, _, bad := p.compare(t, pl)
		vmGuardsOff = 0
		assert.NotEmpty(t, bad, "what is not executed together merged:\n%s", p)
	}
}
