package asm

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/ir"
)

// corpus is every module under tests/e2e that must be accepted.
func corpus(t testing.TB, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob("../../../tests/" + dir + "/*.pisa")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	out := make(map[string]string)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		out[filepath.Base(name)] = string(text)
	}
	return out
}

func TestCorpusHasNoDiagnostic(t *testing.T) {
	for _, dir := range []string{"e2e/kernels", "e2e/llvm-style"} {
		for name, text := range corpus(t, dir) {
			t.Run(name, func(t *testing.T) {
				require.Empty(t, parse(t, text).messages(ir.Warning))
			})
		}
	}
}
