package tests

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/ir"
)

var opWord = regexp.MustCompile(`\b(?:builtin|pisa)\.[a-z_0-9]+(?:\.[a-z_0-9]+)*`)

// opsNamed returns the ops that stand in the files.
func opsNamed(t *testing.T, pattern string) map[string]bool {
	reg := dialects.All()
	named := map[string]bool{}
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(strings.TrimSpace(line), "//") {
				continue
			}
			for _, w := range opWord.FindAllString(line, -1) {
				// Qualifiers follow the name: pisa.iadd.dsat.32b.
				for w != "" {
					if _, ok := reg.Lookup(w); ok {
						named[w] = true
						break
					}
					w = w[:max(strings.LastIndexByte(w, '.'), 0)]
				}
			}
		}
	}
	return named
}

// TestEveryOpHasLitFiles: every op of the dialects stands in a lit file of the
// IR's text, in one of mistakes, and in one of the lowering to LLVM IR.
func TestEveryOpHasLitFiles(t *testing.T) {
	reg := dialects.All()
	for _, where := range []struct {
		files  string
		except []string
	}{
		{"ir/[^i]*.pir", nil},
		// They take any operands, or none; the verifier's tests have them.
		{"ir/invalid*.pir", []string{"builtin.parallel_copy", "builtin.unreachable"}},
		// It does not reach LLVM IR: machine passes make it.
		{"lowering/llvmgen/*.pir", []string{"builtin.parallel_copy"}},
	} {
		named := opsNamed(t, where.files)
		var missing []string
		for i := range reg.Defs {
			if name := reg.Defs[i].Name; name != "" && reg.Defs[i].Code < ir.BaseAMDGPU && !named[name] {
				missing = append(missing, name)
			}
		}
		slices.Sort(missing)
		assert.Equal(t, where.except, missing, "ops without a lit file in tests/%s", where.files)
	}
}
