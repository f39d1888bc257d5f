package driver

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/ir"
	"pisac/passes"
	"pisac/passes/litmus"
)

// memoryPasses are the passes that the catalogue of transformations is for,
// also with the options that make them do more than is worth while.
var memoryPasses = []string{
	"memorder-strengthen", "memorder-strengthen{fences=always}",
	"fence-elide", "fence-elide{merge=always}",
	"vectorize-memory",
	"atomic-coalesce{aggregate=0}", "atomic-coalesce",
}

// TestMemoryPassesInContexts lets each memory pass loose on the source of every
// row of the catalogue, in the contexts recorded with the row: no final state
// and no race may be added, under either end of what the model leaves open.
// Only what a pass changes is a program that counts. -litmus.stride=1 takes all
// contexts, 7 one of 63; of either each pass must have changed 20,000.
// -litmus.pass chooses a pass.
func TestMemoryPassesInContexts(t *testing.T) {
	models := []litmus.Model{{}, {ReleaseSeq: litmus.CXX20, ThinAir: litmus.Dependencies, Lenient: true}}
	rows := catalogueRows(t)
	for pi, pass := range memoryPasses {
		if *litmusPass != "" && *litmusPass != pass {
			continue
		}
		var total litmus.Tally
		changed := 0
		for fi, f := range rows {
			for mi, m := range models {
				opt := litmus.CompareOptions{Stride: *litmusStride, Model: m}
				if opt.Stride == 0 {
					if (fi+pi)%4 != 2*mi {
						continue
					}
					opt.Stride = 997
				}
				opt.Phase = (fi + pi) % opt.Stride
				tally, err := f.Vocabulary.ComparePass(f.Before, judgeOneAddress(t, pass), opt)
				require.NoError(t, err, "%s on %v", pass, f.Before)
				require.Nil(t, tally.Found, "%s on %v: %v", pass, f.Before, tally.Found)
				total.Programs += tally.Programs
				total.RaceFree += tally.RaceFree
				if tally.Programs > 0 {
					changed++
				}
			}
		}
		t.Logf("%-36s %d rows, %d comparisons with a change, %d programs, %d race-free", pass, len(rows), changed, total.Programs, total.RaceFree)
		require.Positive(t, total.RaceFree, pass)
		if *litmusStride == 1 || *litmusStride == 7 {
			require.GreaterOrEqual(t, total.Programs, 20000, pass)
		}
	}
}

// catalogueRows is what fragments is, but of all rows; those that differ only in
// what they make of the source are one.
func catalogueRows(t *testing.T) (rows []catalogueRow) {
	data, err := os.ReadFile("../passes/litmus/testdata/transforms.json")
	require.NoError(t, err)
	var f struct{ Transforms []catalogueRow }
	require.NoError(t, json.Unmarshal(data, &f))
	require.Len(t, f.Transforms, 253)
	seen := map[string]bool{}
	for _, r := range f.Transforms {
		k, err := json.Marshal(r)
		require.NoError(t, err)
		if !seen[string(k)] {
			seen[string(k)] = true
			rows = append(rows, r)
		}
	}
	return rows
}

type catalogueRow struct {
	Before     []string
	Vocabulary litmus.Contexts
}

// judgeOneAddress is judge for passes that want one value for one address, as
// cse leaves them: before and after are both behind cse.
func judgeOneAddress(t *testing.T, pass string) litmus.Transform {
	both := judge(t, "cse")
	return func(text []byte) (before, after *ir.Module, s *litmus.Spec, err error) {
		_, before, s, err = both(text)
		if err != nil {
			return nil, nil, nil, err
		}
		if _, after, _, err = judge(t, "cse,"+pass)(text); err != nil {
			return nil, nil, nil, err
		}
		return before, after, s, nil
	}
}

// The passes judged here are those of the registry that rewrite memory
// operations by the catalogue.
func TestMemoryPassesExist(t *testing.T) {
	var names []string
	for _, p := range memoryPasses {
		name, _, _ := strings.Cut(p, "{")
		require.NotNil(t, passes.Lookup(name), name)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	require.Len(t, names, 4)
}
