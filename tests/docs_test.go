package tests

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFaultsNameTheirTests: each row of docs/llvm-faults.md ends in the tests
// that fail without the remedy, and these exist.
func TestFaultsNameTheirTests(t *testing.T) {
	text, err := os.ReadFile("../docs/llvm-faults.md")
	require.NoError(t, err)
	var sources strings.Builder
	files, err := filepath.Glob("../lowering/llvmgen/*_test.go")
	require.NoError(t, err)
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		sources.Write(b)
	}
	row, quoted := regexp.MustCompile(`^\| [AM][0-9]+ `), regexp.MustCompile("`([^`]+)`")
	rows := 0
	for line := range strings.Lines(string(text)) {
		if !row.MatchString(line) {
			continue
		}
		rows++
		line = strings.TrimSuffix(strings.TrimSpace(line), " |")
		named := quoted.FindAllStringSubmatch(line[strings.LastIndex(line, " | "):], -1)
		assert.NotEmpty(t, named, "no test: %s", line)
		for _, m := range named {
			if strings.Contains(m[1], "/") {
				assert.FileExists(t, "../"+m[1])
			} else {
				assert.Contains(t, sources.String(), "\nfunc "+m[1]+"(t *testing.T)")
			}
		}
	}
	require.NotZero(t, rows)
}
