package asm

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

// TestSpecificationExamples: tests/pisa/spec-*.pisa are the specification's
// example blocks under names of our own. They are accepted; where they break
// the specification's own rules, with a warning.
func TestSpecificationExamples(t *testing.T) {
	warnings := map[string][]string{
		"spec-memory.pisa":    {wElemType, wLdShared, wOffset16, wAtomic64, wElemType},
		"spec-variables.pisa": {wParamReg, wParamReg},
	}
	n := 0
	for name, text := range corpus(t, "pisa") {
		if !strings.HasPrefix(name, "spec-") {
			continue
		}
		n++
		t.Run(name, func(t *testing.T) {
			p := accept(t, text)
			var got []string
			for _, d := range p.ds.List {
				got = append(got, d.Code)
			}
			require.Equal(t, warnings[name], got, p.messages(ir.Warning))
			roundTrip(t, p)
		})
	}
	require.Equal(t, 13, n)
}

// TestLLVMStyleUnderVersion01: the modules in LLVM's manner as version 0.1
// have an error for each construct that only 1.0 has, and no other.
func TestLLVMStyleUnderVersion01(t *testing.T) {
	want := map[string][]string{
		"07_vectors_swizzles.pisa": {
			"23: a two-element swizzle outside mov",
			"24: a two-element swizzle outside mov",
			"27: a two-element swizzle outside mov",
			"29: a two-element swizzle outside mov",
		},
		"16_carry_loop_lifetime.pisa": {
			"16: lifetime.start", "17: lifetime.start",
			"24: usubb.co.32b", "25: usubb.ci.co.32b", "26: usubb.ci.co.32b", "27: usubb.ci.32b",
		},
		"19_quoted_names.pisa": {
			"4: a name in quotes", "5: a name in quotes", "6: a name in quotes", "8: a name in quotes",
			"11: a name in quotes", "15: a name in quotes",
		},
		"24_odd_tails.pisa": {"16: a function that returns a value must end in return", "30: a function that returns a value must end in return"},
	}
	for name, text := range corpus(t, "e2e/llvm-style") {
		t.Run(name, func(t *testing.T) {
			p := parse(t, strings.Replace(text, ".version 1.0;", ".version 0.1;", 1))
			var got []string
			for _, d := range p.ds.List {
				if d.Severity != ir.Error {
					continue
				}
				what := strings.TrimSuffix(d.Text, " is not in version 0.1")
				got = append(got, strconv.Itoa(p.src.Position(d.Loc).Line)+": "+what)
				notes := ""
				for _, n := range d.Notes {
					notes += n.Text
				}
				require.Contains(t, notes, "`.version 1.0`")
			}
			require.Equal(t, want[name], got, p.messages(ir.Error))
		})
	}
}
