package pisa

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite generated files")

// TestReference holds docs/pisa-ops.md to the table.
func TestReference(t *testing.T) {
	const path = "../../docs/pisa-ops.md"
	var b bytes.Buffer
	require.NoError(t, WriteReference(&b))
	if *update {
		require.NoError(t, os.MkdirAll("../../docs", 0o755))
		require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "run go test ./dialects/pisa -run TestReference -update")
}
