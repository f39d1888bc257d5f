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
