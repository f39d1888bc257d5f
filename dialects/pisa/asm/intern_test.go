package asm

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestInternTable compares with a map.
func TestInternTable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table, want := newInternTable(), make(map[string]uint32)
		for _, s := range rapid.SliceOfN(rapid.StringMatching(`[a-c]{1,4}[0-9]{0,2}`), 0, 400).Draw(rt, "names") {
			id, fresh := table.id(s)
			old, known := want[s]
			require.Equal(rt, !known, fresh, s)
			if known {
				require.Equal(rt, old, id, s)
				continue
			}
			want[s] = id
			require.EqualValues(rt, len(want), id, "numbers follow each other from 1")
		}
	})
}
