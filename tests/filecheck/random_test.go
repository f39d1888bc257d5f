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
	const scripts = 200
	options := []string{"", "", "-v", "-vv", "-vv -dump-input=always", "-dump-input=never -vv", "--ignore-case", "--match-full-lines", "--strict-whitespace", "--implicit-check-not=b -v"}
	var cases []corpusCase
	for seed := range int64(scripts) {
		r := rand.New(rand.NewSource(seed))
		var c corpusCase
		c.check, c.input = script(r)
		c.args = strings.Fields(options[r.Intn(len(options))])
		cases = append(cases, c)
	}
	codes := againstLLVM(t, cases)
	require.Greater(t, codes[ExitOK], scripts/20, "the scripts rarely match")
	require.Greater(t, codes[ExitMismatch], scripts/20, "the scripts rarely fail")
}

// againstLLVM compares exit codes and messages and counts the codes.
func againstLLVM(t *testing.T, cases []corpusCase) map[int]int {
	dir := t.TempDir()
	codes := map[int]int{}
	for i, c := range cases {
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
		what := fmt.Sprintf("seed %d args %v\n--- check\n%s--- input\n%s", i, c.args, c.check, c.input)
		want := cmd.ProcessState.ExitCode()
		if want < 0 || strings.Contains(stderr.String(), "Can't back-reference") {
			continue // LLVM overflows its stack on empty loops, and counts groups to 9
		}
		if strings.Contains(stderr.String(), "missing closing") { // a deliberate difference
			want = ExitUsage
		}
		require.Equal(t, want, code, "%s\nLLVM:\n%s\nours:\n%s", what, stderr.String(), ours)
		require.Equal(t, messages(stderr.String()), messages(ours), what)
	}
	return codes
}

// randomRegex builds a regular expression, now and then a wrong one.
func randomRegex(r *rand.Rand, depth int) string {
	if depth == 0 || r.Intn(3) == 0 {
		atoms := []string{"a", "b", "ab", ".", "[ab]", "[^a]", "[[:alpha:]]", "b", "c", "\\.", "[a-c-]", "()", "{", "a{1", "[[.a.]]", "[[=b=]]", "$", "^", "*", "["}
		if r.Intn(12) > 0 {
			atoms = atoms[:11]
		}
		return atoms[r.Intn(len(atoms))]
	}
	x, y := randomRegex(r, depth-1), randomRegex(r, depth-1)
	switch r.Intn(7) {
	case 0, 1:
		return x + y
	case 2:
		return "(" + x + "|" + y + ")"
	case 3:
		return "(" + x + ")*"
	case 4:
		return "(" + x + ")" + []string{"+", "?", "{2}", "{0,2}", "{1,}"}[r.Intn(5)]
	case 5:
		return "(" + x + ")"
	}
	return x + y
}

// TestRandomRegexesAgainstLLVM compares what matches and what is captured.
func TestRandomRegexesAgainstLLVM(t *testing.T) {
	if _, err := os.Stat(llvmFileCheck); err != nil {
		t.Skip("LLVM 19 is not installed")
	}
	const scripts = 150
	var cases []corpusCase
	for seed := range int64(scripts) {
		r := rand.New(rand.NewSource(seed))
		c := corpusCase{args: []string{"-v"}}
		if r.Intn(4) == 0 {
			c.args = append(c.args, "--ignore-case")
		}
		c.check = "CHECK: {{" + randomRegex(r, 2) + "}}[[A:" + randomRegex(r, 3) + "]][[B:" + randomRegex(r, 2) + "]]{{" + randomRegex(r, 1) + "}}" + []string{"", "", "[[A]]", "[[B]]"}[r.Intn(4)] + "\n"
		for range 1 + r.Intn(4) {
			for range r.Intn(10) {
				c.input += string("aabbcABx.-"[r.Intn(10)])
			}
			c.input += "\n"
		}
		cases = append(cases, c)
	}
	codes := againstLLVM(t, cases)
	require.Greater(t, codes[ExitOK], scripts/20, "the expressions rarely match")
}
