package lit

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// corpusTest is a test file of testdata/corpus.txt with the outcome it must
// have, and LLVM's lit's if that deliberately differs.
type corpusTest struct {
	name       string
	code, llvm Code
	difference string
	text       string
}

// readCorpus reads sections "=== name CODE [crlf | LLVMCODE reason]".
func readCorpus(t *testing.T) []corpusTest {
	data, err := os.ReadFile("testdata/corpus.txt")
	require.NoError(t, err)
	var list []corpusTest
	for _, part := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		head, text, _ := strings.Cut(part, "\n")
		fields := strings.SplitN(head, " ", 4)
		c := corpusTest{name: fields[0] + ".test", code: Code(fields[1]), text: strings.TrimRight(text, "\n") + "\n"}
		c.llvm = c.code
		switch {
		case len(fields) == 3 && fields[2] == "crlf":
			c.text = strings.ReplaceAll(c.text, "\n", "\r\n")
		case len(fields) == 4:
			c.llvm, c.difference = Code(fields[2]), fields[3]
		}
		list = append(list, c)
	}
	return list
}

func writeCorpus(t *testing.T, list []corpusTest) string {
	dir := t.TempDir()
	for _, c := range list {
		require.NoError(t, os.WriteFile(filepath.Join(dir, c.name), []byte(c.text), 0o666))
	}
	return dir
}

var corpusFeatures = map[string]bool{"feature-a": true, "feature-b": true}

func TestCorpus(t *testing.T) {
	list := readCorpus(t)
	assert.GreaterOrEqual(t, len(list), 120)
	c := &Config{
		Root: writeCorpus(t, list), Suffixes: []string{".test"}, Temp: t.TempDir(),
		Features:      corpusFeatures,
		Substitutions: map[string]string{"%{own}": "value"},
	}
	names, err := c.Discover()
	require.NoError(t, err)
	require.Len(t, names, len(list))
	for _, test := range list {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := c.Run(test.name)
			assert.Equal(t, test.code, r.Code, r.Log)
		})
	}
}

// llvmBin and llvmLit are where Debian puts LLVM 19 and its lit.
const (
	llvmBin = "/usr/lib/llvm-19/bin"
	llvmLit = "/usr/lib/llvm-19/build/utils/lit"
)

// TestCorpusAgainstLLVM runs LLVM's lit on the corpus and compares outcomes.
func TestCorpusAgainstLLVM(t *testing.T) {
	python, err := exec.LookPath("python3")
	if _, litErr := os.Stat(llvmLit); err != nil || litErr != nil {
		t.Skip("LLVM 19's lit is not installed")
	}
	list := readCorpus(t)
	dir := writeCorpus(t, list)
	config := fmt.Sprintf(`
import lit.formats
config.name = 'corpus'
config.suffixes = ['.test']
config.test_format = lit.formats.ShTest(execute_external=False)
config.available_features = ['feature-a', 'feature-b']
config.substitutions.append(('%%{own}', 'value'))
config.environment['PATH'] = %q
`, llvmBin+":/usr/bin:/bin")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lit.cfg"), []byte(config), 0o666))
	report := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.Command(python, filepath.Join(llvmLit, "lit.py"), "-o", report, dir)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, _ := cmd.CombinedOutput() // some tests fail
	data, err := os.ReadFile(report)
	require.NoError(t, err, string(out))
	var result struct {
		Tests []struct{ Name, Code, Output string }
	}
	require.NoError(t, json.Unmarshal(data, &result))
	codes, outputs := map[string]Code{}, map[string]string{}
	for _, r := range result.Tests {
		name := strings.TrimPrefix(r.Name, "corpus :: ")
		codes[name], outputs[name] = Code(r.Code), r.Output
	}
	for _, test := range list {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.llvm, codes[test.name], outputs[test.name])
			if test.difference != "" {
				assert.NotEqual(t, test.code, codes[test.name], "no longer a difference")
			}
		})
	}
}
