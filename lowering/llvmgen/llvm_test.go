package llvmgen

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// llvmTool finds a program of LLVM 19; empty if it is absent.
func llvmTool(name string) string {
	if p, err := exec.LookPath(name + "-19"); err == nil {
		return p
	}
	if p := "/usr/lib/llvm-19/bin/" + name; exists(p) {
		return p
	}
	return ""
}

func exists(p string) bool { _, err := os.Stat(p); return err == nil }

// needLLVM skips the test where LLVM 19 is not installed.
func needLLVM(t *testing.T) {
	t.Helper()
	if llvmTool("llc") == "" {
		t.Skip("LLVM 19 is not installed")
	}
}

// chips are the targets that a test of many compiles by llc tries: all where
// LLVM is required, as .ci/run does, else the two first-class ones.
func chips() []target.Target {
	if os.Getenv("PISAC_REQUIRE_LLVM") != "" || *full {
		return target.All()
	}
	return target.All()[:2]
}

// parsePIR reads the textual IR and verifies it.
func parsePIR(t *testing.T, text string) *ir.Module {
	t.Helper()
	src, ds := &ir.Sources{}, &ir.Diags{}
	m := ir.Parse(src, src.Add("test.pir", []byte("module version 1.0\n"+text)), dialects.All(), ds)
	if m != nil {
		ir.Verify(m, ds)
	}
	require.Empty(t, ds.List, "%s", text)
	return m
}

// emitPIR lowers textual IR; the text is empty if there were errors.
func emitPIR(t *testing.T, text, mcpu string, opts Options) (string, *ir.Diags) {
	t.Helper()
	ds := &ir.Diags{}
	out := Emit(parsePIR(t, text), target.ByName(mcpu), opts, ds)
	if out == nil {
		return "", ds
	}
	return out.String(), ds
}

// mustEmit is emitPIR without any diagnostic.
func mustEmit(t *testing.T, text, mcpu string, opts Options) string {
	t.Helper()
	ll, ds := emitPIR(t, text, mcpu, opts)
	require.Empty(t, ds.List)
	return ll
}

// llc compiles LLVM IR after LLVM's verifier has read it, and returns assembly.
func llc(t *testing.T, ll, mcpu, level string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.ll"), filepath.Join(dir, "a.s")
	require.NoError(t, os.WriteFile(in, []byte(ll), 0o666))
	args := append([]string{"-mcpu=" + mcpu, level, in, "-o", out}, flags...)
	msg, err := exec.Command(llvmTool("llc"), args...).CombinedOutput()
	require.NoError(t, err, "llc %s %s: %s\n%s", mcpu, level, msg, ll)
	require.Empty(t, string(msg), "llc %s %s", mcpu, level)
	asm, err := os.ReadFile(out)
	require.NoError(t, err)
	return string(asm)
}

// everywhere runs f for each target and for -O0 and -O3.
func everywhere(t *testing.T, text string, opts Options, f func(t *testing.T, mcpu, level, ll, asm string)) {
	t.Helper()
	needLLVM(t)
	for _, tt := range target.All() {
		ll := mustEmit(t, text, tt.Name, opts)
		for _, level := range []string{"-O0", "-O3"} {
			f(t, tt.Name, level, ll, llc(t, ll, tt.Name, level))
		}
	}
}

var commentRE = regexp.MustCompile(`\s*;.*`)

// body returns the instructions of a function of an assembly text.
func body(t *testing.T, asm, name string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(asm, "\n"+name+":")
	require.True(t, ok, "no function %s", name)
	rest, _, _ = strings.Cut(rest, ".Lfunc_end")
	var out []string
	for _, line := range strings.Split(rest, "\n")[1:] {
		line = strings.TrimSpace(commentRE.ReplaceAllString(line, ""))
		if line != "" && line[0] != '.' && !strings.HasSuffix(line, ":") {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
	}
	return out
}

// opcodes reports whether the function contains an instruction whose opcode
// matches the expression.
func hasOpcode(insts []string, expr string) bool {
	re := regexp.MustCompile(`^(` + expr + `)\b`)
	for _, i := range insts {
		if re.MatchString(i) {
			return true
		}
	}
	return false
}
