package filecheck

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// corpusCase is one case of testdata/corpus: a check file, an input, arguments
// and what both implementations must do. A line "llvm: CODE reason" says that
// LLVM's exit code deliberately differs.
type corpusCase struct {
	name         string
	args         []string
	env          string
	exit, llvm   int
	difference   string // why llvm is not exit
	wording      string // why LLVM's messages differ
	stderr       []string
	check, input string
}

func readCorpus(t testing.TB) []corpusCase {
	files, err := filepath.Glob("testdata/corpus/*.txt")
	require.NoError(t, err)
	var cases []corpusCase
	names := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for i, text := range strings.Split("\n"+string(data), "\n=== ") {
			if i == 0 {
				require.Empty(t, strings.TrimSpace(text), file)
				continue
			}
			c := parseCase(t, text)
			require.False(t, names[c.name], "%s: %s twice", file, c.name)
			names[c.name] = true
			cases = append(cases, c)
		}
	}
	return cases
}

func parseCase(t testing.TB, text string) corpusCase {
	name, rest, _ := strings.Cut(text, "\n")
	c := corpusCase{name: name}
	head, rest, ok := strings.Cut("\n"+rest, "\n--- check")
	require.True(t, ok, "%s: no check file", name)
	check, input, ok := strings.Cut(rest, "\n--- input")
	require.True(t, ok, "%s: no input", name)
	for _, line := range strings.Split(strings.TrimSpace(head), "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch key {
		case "args":
			c.args = strings.Fields(value)
		case "env":
			c.env = value
		case "exit":
			c.exit, _ = strconv.Atoi(value)
		case "llvm":
			code, why, _ := strings.Cut(value, " ")
			c.llvm, _ = strconv.Atoi(code)
			c.difference = why
		case "llvm-messages":
			c.wording = value
		case "stderr":
			c.stderr = append(c.stderr, value)
		case "":
		default:
			t.Fatalf("%s: unknown key %q", name, key)
		}
	}
	if c.difference == "" {
		c.llvm = c.exit
	}
	c.check = section(check + "\n")
	c.input = section(strings.TrimSuffix(input, "\n") + "\n")
	return c
}

// section applies the suffix of a section's head line to the text after it.
func section(text string) string {
	kind, text, _ := strings.Cut(text, "\n")
	switch kind {
	case "-crlf":
		return strings.ReplaceAll(text, "\n", "\r\n")
	case "-no-newline":
		return strings.TrimSuffix(text, "\n")
	}
	return text
}

// runOurs runs the command in a directory that holds the check file c.txt.
func runOurs(c corpusCase, dir string) (int, string) {
	var stdout, stderr bytes.Buffer
	code := MainIn(Env{
		Dir:    dir,
		Getenv: func(string) string { return c.env },
		Stdin:  strings.NewReader(c.input),
		Stdout: &stdout, Stderr: &stderr,
	}, append([]string{"c.txt"}, c.args...))
	return code, stderr.String()
}

func TestCorpus(t *testing.T) {
	cases := readCorpus(t)
	assert.GreaterOrEqual(t, len(cases), 200)
	dir := t.TempDir()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c.txt"), []byte(c.check), 0o666))
			code, stderr := runOurs(c, dir)
			assert.Equal(t, c.exit, code, stderr)
			for _, line := range c.stderr {
				assert.Contains(t, stderr, line)
			}
		})
	}
}

// llvmFileCheck is where Debian installs LLVM 19's FileCheck.
const llvmFileCheck = "/usr/lib/llvm-19/bin/FileCheck"

// TestCorpusAgainstLLVM runs LLVM's FileCheck on the corpus. Exit codes must be
// as the corpus says and, where they are meant to be the same, so must the
// messages.
func TestCorpusAgainstLLVM(t *testing.T) {
	if _, err := os.Stat(llvmFileCheck); err != nil {
		t.Skip("LLVM 19 is not installed")
	}
	dir := t.TempDir()
	for _, c := range readCorpus(t) {
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c.txt"), []byte(c.check), 0o666))
			cmd := exec.Command(llvmFileCheck, append([]string{"c.txt"}, c.args...)...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "FILECHECK_OPTS="+c.env, "LLVM_DISABLE_SYMBOLIZATION=1")
			cmd.Stdin = strings.NewReader(c.input)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			err := cmd.Run()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if c.difference != "" {
				if c.llvm < 128 { // otherwise a signal
					assert.Equal(t, c.llvm, cmd.ProcessState.ExitCode(), "LLVM's exit code, deliberately different: %s", c.difference)
				}
				assert.NotEqual(t, c.exit, cmd.ProcessState.ExitCode(), "no longer a difference")
				return
			}
			assert.Equal(t, c.exit, cmd.ProcessState.ExitCode(), "LLVM's exit code: %s", stderr.String())
			_, ours := runOurs(c, dir)
			if c.wording != "" {
				assert.NotEqual(t, messages(stderr.String()), messages(ours), "no longer a difference")
				return
			}
			assert.Equal(t, messages(stderr.String()), messages(ours))
		})
	}
}

// messages drops what is not meant to be the same: how the command line is
// echoed, suggestions, and LLVM's empty line after some parse errors.
func messages(stderr string) string {
	var keep []string
	for _, line := range strings.Split(stderr, "\n") {
		line, _, _ = strings.Cut(line, "; did you mean")
		if line != "" && !strings.HasPrefix(line, "FileCheck command line:") {
			keep = append(keep, line)
		}
	}
	return strings.Join(keep, "\n")
}
