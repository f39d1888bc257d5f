// Package tests holds what concerns the repository as a whole.
package tests

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// layers are the top-level folders in the one direction of imports: a package
// may import its own layer and those before it.
var layers = []string{"ir", "dialects", "passes", "lowering", "driver", "tests"}

func layerOf(path string) int {
	top, _, _ := strings.Cut(strings.TrimPrefix(path, "pisac/"), "/")
	for i, l := range layers {
		if l == top {
			return i
		}
	}
	return -1
}

// frontEnd is what a test of any layer may use to write its input as assembly.
const frontEnd = "pisac/lowering/ssabuild"

// TestImportDirection checks every import of this module, those of tests too,
// save that a test may use the tests layer's tools and the front end.
func TestImportDirection(t *testing.T) {
	out, err := exec.Command("go", "list", "-f",
		`{{.ImportPath}}{{range .Imports}} {{.}}{{end}} |{{range .TestImports}} {{.}}{{end}}{{range .XTestImports}} {{.}}{{end}}`, "pisac/...").CombinedOutput()
	require.NoError(t, err, "%s", out)
	packages, edges := 0, 0
	for line := range strings.Lines(string(out)) {
		code, test, ok := strings.Cut(strings.TrimSpace(line), "|")
		require.True(t, ok, line)
		words := strings.Fields(code)
		from := words[0]
		require.GreaterOrEqual(t, layerOf(from), 0, "%s lies in no layer", from)
		packages++
		for _, to := range words[1:] {
			if strings.HasPrefix(to, "pisac/") {
				edges++
				require.LessOrEqual(t, layerOf(to), layerOf(from), "%s must not import %s", from, to)
			}
		}
		for _, to := range strings.Fields(test) {
			if strings.HasPrefix(to, "pisac/") && !strings.HasPrefix(to, "pisac/tests/") && to != frontEnd {
				require.LessOrEqual(t, layerOf(to), layerOf(from), "a test of %s must not import %s", from, to)
			}
		}
	}
	require.Greater(t, packages, 5)
	require.Greater(t, edges, 5)
}

// TestIRImportsNothing: the container knows no dialect.
func TestIRImportsNothing(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "pisac/ir").Output()
	require.NoError(t, err)
	for p := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(p, "pisac/") {
			require.Equal(t, "pisac/ir", p)
		}
	}
}
