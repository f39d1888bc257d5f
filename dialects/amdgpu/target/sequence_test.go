package target

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// TestSequences holds Sequence to testdata/sequences.tsv, whose rows were made
// by independent rules, assembled with llvm-mc, and compared with LLVM's own
// code.
func TestSequences(t *testing.T) {
	data, err := os.ReadFile("testdata/sequences.tsv")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	require.Len(t, lines, 1381)
	modes := map[string]Mode{}
	for i := range targets {
		for _, m := range targets[i].Modes() {
			modes[m.Name] = m
		}
	}
	spaces := map[string]ir.Space{"global": ir.SpaceGlobal, "local": ir.SpaceShared, "shared": ir.SpaceShared, "flat": ir.SpaceGeneric, "generic": ir.SpaceGeneric}
	orders := map[string]pisa.Order{"relaxed": pisa.Relaxed, "acquire": pisa.Acquire, "release": pisa.Release, "acq_rel": pisa.AcqRel, "seq_cst": pisa.SeqCst}
	scopes := map[string]pisa.Scope{"workgroup": pisa.Workgroup, "gpu": pisa.GPU, "system": pisa.System}
	for _, l := range lines[1:] {
		f := strings.Split(l, "\t")
		m, ok := modes[f[0]]
		require.True(t, ok, f[0])
		class := MemoryClass(0)
		for class.String() != f[1] {
			class++
		}
		q := m.Sequence(class, spaces[f[2]], orders[f[3]], scopes[f[4]])
		require.Equal(t, f[5], q.Text(), l)
	}
}
