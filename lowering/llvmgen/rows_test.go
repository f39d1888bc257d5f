package llvmgen

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/builtin"
	"pisac/ir"
)

// Every op of the dialects that this package takes has a lowering.
func TestEveryOpHasALowering(t *testing.T) {
	for i := range dialects.All().Defs {
		d := &dialects.All().Defs[i]
		// parallel_copy exists only behind register allocation.
		if d.Name == "" || d.Code == builtin.ParallelCopy || d.Code >= ir.BaseAMDGPU {
			continue
		}
		require.Less(t, i, len(lowerings), d.Name)
		require.NotNil(t, lowerings[i], d.Name)
	}
}
