package passes

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a work-item does in between weak accesses of @x, # for the item's
// number, and what another one does.
var (
	weakItems = []string{
		"st.global.weak.32b [@x], #", "st.global.weak.32b [@x], #", "ld.global.weak.32b %r#, [@x]", "ld.global.weak.32b %r#, [@x]",
	}
	betweenItems = []string{
		"st.global.weak.32b [@z], #", "ld.global.weak.32b %r#, [@z]", "st.global.relaxed.32b [@y], 1", "st.global.release.gpu.32b [@y], 1",
		"ld.global.relaxed.32b %r#, [@y]", "ld.global.acquire.gpu.32b %r#, [@y]; guard %r#", "fence.release.gpu", "fence.acquire.gpu", "fence.seq_cst.gpu",
		"iatom.global.acq_rel.gpu.add.32b %r#, [@y], 1", "iatom.global.relaxed.add.32b %r#, [@y], 1",
	}
	otherItems = []string{
		"st.global.weak.32b [@x], 9#; st.global.release.gpu.32b [@y], 1", "st.global.weak.32b [@x], 9#; fence.release.gpu; st.global.relaxed.32b [@y], 1",
		"ld.global.acquire.gpu.32b %c#, [@y]; guard %c#", "ld.global.relaxed.32b %c#, [@y]; fence.acquire.gpu; guard %c#",
		"ld.global.weak.32b %d#, [@x]", "st.global.weak.32b [@x], 8#", "st.global.relaxed.32b [@y], 1", "fence.seq_cst.gpu",
	}
)

func items(rnd *rand.Rand, n int, from ...[]string) (code []string) {
	for k := range n {
		list := from[rnd.Intn(len(from))]
		for l := range strings.SplitSeq(list[rnd.Intn(len(list))], "; ") {
			code = append(code, strings.ReplaceAll(l, "#", fmt.Sprint(k))+";")
		}
	}
	return code
}

// TestForwardingAddsNoOutcome runs the passes on random programs of two
// work-items, with whatever synchronisation between the accesses: the model
// checker finds no outcome and no race that the program has not.
func TestForwardingAddsNoOutcome(t *testing.T) {
	for _, pass := range []string{"store-forward", "dead-store", "store-forward,dead-store"} {
		rnd, pl := rand.New(rand.NewSource(3)), pipeline(t, pass)
		fired, free := 0, 0
		for range *memoryCheck {
			p := &smallProgram{groups: []int{0, 1}, observe: true}
			main := append(items(rnd, 1, weakItems), items(rnd, 1+rnd.Intn(4), weakItems, betweenItems)...)
			p.threads = [][]string{distinctRegisters(main), items(rnd, 1+rnd.Intn(2), otherItems)}
			changed, raceFree := p.preserved(t, pl)
			if changed {
				fired++
				if raceFree {
					free++
				}
			}
		}
		t.Logf("%s: %d programs, %d changed, %d of these race-free", pass, *memoryCheck, fired, free)
		require.Greater(t, free, *memoryCheck/50, "too few programs say anything")
	}
}
