package filecheck

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// script builds a random check file and an input that has a fair chance to
// match it, from the same few lines.
func script(r *rand.Rand) (check, input string) {
	pick := func(list ...string) string { return list[r.Intn(len(list))] }
	var lines []string
	for range 3 + r.Intn(10) {
		lines = append(lines, pick("a", "b", "x 1", "x 2", "y 10 = add 1", "f:", "g:", "", "aa bb", "0x1f", "r7 r7"))
	}
	input = strings.Join(lines, "\n") + pick("\n", "")
	var c strings.Builder
	at := 0
	for range 1 + r.Intn(6) {
		kind := pick("", "", "", "-NEXT", "-SAME", "-NOT", "-DAG", "-DAG", "-LABEL", "-EMPTY", "-COUNT-2")
		text := pick("a", "b", "x {{[0-9]}}", "x [[V:[0-9]+]]", "y [[#N:]]", "= {{.*}} [[#N-9]]", "[[V]]",
			"{{a+}}", "{{(a|b)+}}", "x [[#%u,N:]]", "[[#N+1]]", "{{^}}b", "b{{$}}", "0x[[#%x,H:]]", "[[R:r[0-9]]] [[R]]",
			"{{[fg]}}:", "{{[^ ]+}} {{[[:alnum:]]*}}", "[[W:.*]] [[X:.*]]", "[[X]]", "[[@LINE]]", "zz")
		if at < len(lines) && r.Intn(3) > 0 {
			text = lines[at]
		}
		at += 1 + r.Intn(2)
		if kind == "-EMPTY" || text == "" {
			kind, text = "-EMPTY", ""
		}
		if kind == "-LABEL" {
			text = pick("f:", "g:", "a", "b")
		}
		fmt.Fprintf(&c, "CHECK%s: %s\n", kind, text)
	}
	return c.String(), input
}

// TestRandomAgainstLLVM compares exit codes and messages on random scripts.
func TestRandomAgainstLLVM(t *testing.T) {
	if _, err := os.Stat(llvmFileCheck); err != nil {
		t.Skip("LLVM 19 is not installed")
	}
	const scripts = 400
	dir := t.TempDir()
	options := []string{"", "", "-v", "-vv", "-vv -dump-input=always", "-dump-input=never -vv", "--ignore-case", "--match-full-lines", "--strict-whitespace", "--implicit-check-not=b -v"}
	codes := map[int]int{}
	for seed := range int64(scripts) {
		r := rand.New(rand.NewSource(seed))
		var c corpusCase
		c.check, c.input = script(r)
		c.args = strings.Fields(options[r.Intn(len(options))])
		require.NoError(t, os.WriteFile(filepath.Join(dir, "c.txt"), []byte(c.check), 0o666))
		code, ours := runOurs(c, dir)
		codes[code]++
		cmd := exec.Command(llvmFileCheck, append([]string{"c.txt"}, c.args...)...)
		cmd.Dir = dir
		cmd.Stdin = strings.NewReader(c.input)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		what := fmt.Sprintf("seed %d args %v\n--- check\n%s--- input\n%s", seed, c.args, c.check, c.input)
		require.Equal(t, cmd.ProcessState.ExitCode(), code, "%s\nLLVM:\n%s\nours:\n%s", what, stderr.String(), ours)
		require.Equal(t, messages(stderr.String()), messages(ours), what)
	}
	require.Greater(t, codes[ExitOK], scripts/20, "the scripts rarely match")
	require.Greater(t, codes[ExitMismatch], scripts/20, "the scripts rarely fail")
}
