package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/driver"
	"pisac/tests/lit"
)

// sample is a module of the corpus that must compile.
type sample struct {
	name, text string
	// quiet modules get no diagnostic but spinWarning.
	quiet bool
}

// spinWarning is about loops that wait for another sub-group, on chips where
// two sub-groups share a wave.
const spinWarning = "[AMD-W002]"

// wide atomics are what no AMD chip has.
const wideAtomics = "[AMD-E010]"

func samples(t *testing.T) []sample {
	var all []sample
	for _, dir := range []string{"e2e/kernels", "e2e/llvm-style"} {
		files, err := filepath.Glob(dir + "/*.pisa")
		require.NoError(t, err)
		require.NotEmpty(t, files, dir)
		for _, f := range files {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			all = append(all, sample{f, string(text), true})
		}
	}
	text, err := os.ReadFile("../dialects/pisa/asm/testdata/accept.json")
	require.NoError(t, err)
	var accept []struct{ Name, Pisa string }
	require.NoError(t, json.Unmarshal(text, &accept))
	require.NotEmpty(t, accept)
	for _, a := range accept {
		all = append(all, sample{a.Name, a.Pisa, false})
	}
	return all
}

// compiled runs pisac on s and checks what it says.
func (s *sample) compiled(t *testing.T, args ...string) (out string) {
	var stdout, stderr bytes.Buffer
	code := driver.Main(append(args, "-o", "-", "-"), strings.NewReader(s.text), &stdout, &stderr)
	if strings.Contains(stderr.String(), wideAtomics) && strings.Contains(s.text, "128b") {
		require.Equal(t, 1, code)
		return ""
	}
	require.Zero(t, code, "%s %v:\n%s", s.name, args, stderr.String())
	if s.quiet {
		for line := range strings.Lines(stderr.String()) {
			require.False(t, strings.Contains(line, ": warning: ") && !strings.Contains(line, spinWarning), "%s %v: %s", s.name, args, line)
		}
	}
	return stdout.String()
}

func TestCorpusCompiles(t *testing.T) {
	for _, s := range samples(t) {
		s.compiled(t, "--emit=check")
		require.NotEmpty(t, s.compiled(t, "--emit=pisa"))
		require.NotEmpty(t, s.compiled(t, "--emit=ir"))
		for i := range target.All() {
			s.compiled(t, "--emit=llvm", "--mcpu="+target.All()[i].Name)
		}
	}
}

// TestCorpusLinks makes a code object of each module. Where LLVM is required,
// as .ci/run does, it does so for every chip at -O0 and -O3; else for one of
// these in turn.
func TestCorpusLinks(t *testing.T) {
	full := os.Getenv("PISAC_REQUIRE_LLVM") != ""
	if lit.LLVM() == nil {
		if full {
			t.Fatal("LLVM 19 is required and not there")
		}
		t.Skip("LLVM 19 is not there")
	}
	var ways [][]string
	for i := range target.All() {
		for _, level := range []string{"-O0", "-O3"} {
			ways = append(ways, []string{"--mcpu=" + target.All()[i].Name, level})
		}
	}
	for i, s := range samples(t) {
		emit := "--emit=hsaco"
		if strings.Contains(s.text, ".import") {
			emit = "--emit=obj"
		}
		for k, way := range ways {
			if !full && k != i%len(ways) {
				continue
			}
			t.Run(fmt.Sprint(filepath.Base(s.name), way), func(t *testing.T) {
				t.Parallel()
				out := s.compiled(t, append(way, emit, "--backend=llvm")...)
				require.True(t, out == "" || strings.HasPrefix(out, "\x7fELF"))
			})
		}
	}
}
