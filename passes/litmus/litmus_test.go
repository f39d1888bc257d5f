package litmus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The verdicts under testdata/litmus were computed by a brute-force checker in
// another language, which was held to the published verdicts of Dat3M.

func corpus(t testing.TB) []*File {
	files, err := filepath.Glob("testdata/litmus/*.json")
	require.NoError(t, err)
	require.Len(t, files, 276)
	out := make([]*File, len(files))
	for i, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		_, f, err := ReadJSON(data)
		require.NoError(t, err, name)
		out[i] = f
	}
	return out
}

func program(t testing.TB, f *File) *Program {
	p, err := f.Program()
	require.NoError(t, err, f.Name)
	return p
}

var storedModels = map[string]string{"base": "base", "cxx20": "cxx20", "lb_dep": "lb", "lenient": "lenient",
	"barrier_fence_before": "fence_before", "barrier_fence": "fence"}

func TestStoredVerdicts(t *testing.T) {
	var c Checker
	n := 0
	for _, f := range corpus(t) {
		check := func(model, want string) {
			m, err := ParseModel(model)
			require.NoError(t, err)
			r, err := c.Check(program(t, f), Options{Model: m})
			require.NoError(t, err, f.Name)
			n++
			if got := r.Verdict().String(); got != want {
				t.Errorf("%s under %s: %s, want %s", f.Name, model, got, want)
			}
			if model == "base" && f.Executions.Consistent != 0 && r.Executions != f.Executions.Consistent {
				t.Errorf("%s: %d consistent executions, want %d", f.Name, r.Executions, f.Executions.Consistent)
			}
		}
		check("base", f.Verdict)
		for stored, want := range f.ByModel {
			name, ok := storedModels[stored]
			require.True(t, ok, stored)
			check(name, want)
		}
	}
	t.Logf("%d verdicts", n)
}
