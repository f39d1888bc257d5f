package tests

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/driver"
)

// TestExamples: each example compiles for each target without a word, and
// computes what its launch file expects; a wrong expectation is noticed.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../examples/*.pisa")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 5)
	pisac := func(args ...string) (int, string) {
		var out bytes.Buffer
		code := driver.Main(args, strings.NewReader(""), &out, &out)
		return code, out.String()
	}
	for _, f := range files {
		for i := range target.All() {
			code, out := pisac("--emit=llvm", "-o", filepath.Join(t.TempDir(), "out.ll"), "--mcpu="+target.All()[i].Name, f)
			require.Zero(t, code, out)
			require.Empty(t, out)
		}
		launch := strings.TrimSuffix(f, ".pisa") + ".json"
		code, out := pisac("run", "--launch="+launch, f)
		require.Zero(t, code, out)

		text, err := os.ReadFile(launch)
		require.NoError(t, err)
		at := bytes.LastIndexByte(text, ',') // ahead of the last number
		wrong := filepath.Join(t.TempDir(), "wrong.json")
		require.NoError(t, os.WriteFile(wrong, append(append(append([]byte{}, text[:at]...), ", 123456]"...), text[bytes.IndexByte(text[at:], ']')+at+1:]...), 0o600))
		code, out = pisac("run", "--launch="+wrong, f)
		require.Equal(t, 1, code, out)
	}
}
