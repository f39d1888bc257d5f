package filecheck

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// trialDistance is the edit distance by the plain recurrence.
func trialDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := []int{i + 1}
		for j := range len(b) {
			d := row[j]
			if a[i] != b[j] {
				d = min(row[j], row[j+1], next[j]) + 1
			}
			next = append(next, d)
		}
		row = next
	}
	return row[len(b)]
}

func TestEditDistance(t *testing.T) {
	word := rapid.StringMatching(`[abc]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		limit := rapid.IntRange(1, 15).Draw(t, "limit")
		require.Equal(t, min(limit, trialDistance(a, b)), editDistance(a, b, limit))
	})
}

func run(check, input string, o Options) (int, string) {
	var stderr bytes.Buffer
	code := Run(o, "check", check, "input", input, &stderr)
	return code, stderr.String()
}

// TestAdversarial runs inputs that would be slow, or deep, if anything were
// exponential, quadratic in the input or recursive in it.
func TestAdversarial(t *testing.T) {
	long := strings.Repeat("a", 100_000)
	cases := map[string]struct {
		check, input string
		code         int
	}{
		"nested parentheses":       {"CHECK: [[#" + strings.Repeat("(", 100_000) + "]]", "1", ExitUsage},
		"nested calls":             {"CHECK: [[#" + strings.Repeat("add(1,", 100_000) + "]]", "1", ExitUsage},
		"long sum":                 {"CHECK: [[#1" + strings.Repeat("+1", 50_000) + "]]", "50001", ExitOK},
		"big literal":              {"CHECK: [[#" + strings.Repeat("9", 100_000) + "]]", "1", ExitMismatch},
		"big number":               {"CHECK: [[#N:]]\nCHECK: [[#N+1]]", strings.Repeat("9", 100_000), ExitMismatch},
		"nested regex":             {"CHECK: {{" + strings.Repeat("(", 100_000) + "}}", "1", ExitUsage},
		"repeated repetition":      {"CHECK: {{((((a{255}){255}){255}){255}){255}}}", "1", ExitUsage},
		"stars":                    {"CHECK: {{(a*)*(a*)*(a*)*}}b", long, ExitMismatch},
		"back-reference":           {"CHECK: [[X:a*]][[Y:a*]][[Z:a*]][[X]][[Y]][[Z]]b", long, ExitMismatch},
		"back-reference, lines":    {"CHECK: [[X:.*]] [[Y:.*]] [[X]] [[Y]] b", strings.Repeat("a b c d e f g h\n", 2000), ExitMismatch},
		"captures over everything": {"CHECK: [[X:(.|[[:space:]])*]][[Y:b*]]", long, ExitOK},
		"long check line":          {"CHECK: " + strings.Repeat("x", 2000), long, ExitMismatch},
		"very long check line":     {"CHECK: " + strings.Repeat("x", 1_000_000), long, ExitMismatch},
		"many checks":              {strings.Repeat("CHECK: a\n", 20_000), strings.Repeat("a\n", 20_000), ExitOK},
		"many dags":                {strings.Repeat("CHECK-DAG: a\n", 1000), strings.Repeat("a\n", 1000), ExitOK},
		"count":                    {"CHECK-COUNT-100000: a", long, ExitOK},
		"huge count":               {"CHECK-COUNT-2147483647: {{a*}}b", long, ExitMismatch},
		"brackets":                 {"CHECK: " + strings.Repeat("[[", 100_000), "1", ExitUsage},
		"prefixes":                 {strings.Repeat("CHECK", 100_000) + ": a\nCHECK: a", "a", ExitOK},
		"binary":                   {"CHECK: \x00\xff{{[\x80-\xfe]}}\x01", "\x00\xff\x90\x01", ExitOK},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			code, stderr := run(c.check, c.input, Options{Dump: DumpNever})
			assert.Equal(t, c.code, code, "%.500s", stderr)
			assert.Less(t, time.Since(start), 10*time.Second)
		})
	}
}

// TestBackReferenceTooCostly: giving up is an error that says so.
func TestBackReferenceTooCostly(t *testing.T) {
	code, stderr := run("CHECK: [[A:.*]][[B:.*]][[C:.*]][[D:.*]][[D]][[C]][[B]][[A]]!", strings.Repeat("ab", 400)+"!", Options{Dump: DumpNever})
	if code == ExitMismatch {
		assert.Contains(t, stderr, "back-references in the pattern take too many steps")
	}
}

func TestMainReadsFilesInItsDirectory(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c"), []byte("CHECK: a\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "i"), []byte("a\n"), 0o666))
	var out, errs bytes.Buffer
	env := Env{Dir: dir, Getenv: func(string) string { return "" }, Stdin: strings.NewReader("b\n"), Stdout: &out, Stderr: &errs}
	assert.Equal(t, ExitMismatch, MainIn(env, []string{"c"}))
	assert.Equal(t, ExitOK, MainIn(env, []string{"c", "--input-file", "i"}))
	assert.Equal(t, ExitOK, MainIn(env, []string{"--input-file=" + filepath.Join(dir, "i"), filepath.Join(dir, "c")}))
	errs.Reset()
	assert.Equal(t, ExitUsage, MainIn(env, []string{"nowhere"}))
	assert.Contains(t, errs.String(), "Could not open check file 'nowhere'")
	assert.Equal(t, ExitUsage, MainIn(env, nil))
	assert.Equal(t, ExitUsage, MainIn(env, []string{"c", "i"}))
	assert.Empty(t, out.String())

	assert.Equal(t, ExitOK, MainIn(env, []string{"--dump-input=help"}))
	assert.Contains(t, out.String(), "T:L'N")
	out.Reset()
	assert.Equal(t, ExitOK, MainIn(env, []string{"--help"}))
	for _, o := range options {
		assert.Contains(t, out.String(), "--"+o.name+" ")
	}
}

func TestMain_ProcessEnvironment(t *testing.T) {
	t.Setenv("FILECHECK_OPTS", "-dump-input=never -v")
	file := filepath.Join(t.TempDir(), "c")
	require.NoError(t, os.WriteFile(file, []byte("CHECK: a\n"), 0o666))
	var errs bytes.Buffer
	assert.Equal(t, ExitOK, Main([]string{file}, strings.NewReader("a"), io.Discard, &errs))
	assert.Contains(t, errs.String(), "remark: CHECK: expected string found in input")
}

// FuzzRun: whatever the check file and the input, the code is one of three.
func FuzzRun(f *testing.F) {
	for _, c := range readCorpus(f) {
		f.Add(c.check, c.input, strings.Join(c.args, " "))
	}
	f.Fuzz(func(t *testing.T, check, input, args string) {
		c := commandLine{Options: Options{DumpContext: 1}}
		if c.parse(strings.Fields(args)) != nil {
			return
		}
		if code, stderr := run(check, input, c.Options); code < ExitOK || code > ExitUsage || code != ExitOK && stderr == "" {
			t.Fatal(fmt.Sprint(code, stderr))
		}
	})
}
