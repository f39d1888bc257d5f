package driver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const good = ".version 0.1;\n.target 100;\n.kernel @k() {\n  return;\n}\n"

// invoke runs Main with text on stdin.
func invoke(text string, args ...string) (code int, stdout, stderr string) {
	var out, msg bytes.Buffer
	code = Main(args, strings.NewReader(text), &out, &msg)
	return code, out.String(), msg.String()
}

func TestUsageErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "no input file"},
		{[]string{"--mcpu=gfx1101", "-"}, `unknown --mcpu=gfx1101; did you mean "gfx1100"?`},
		{[]string{"--mcpu=vega", "-"}, "unknown --mcpu=vega; --mcpu=help lists"},
		{[]string{"--emit=lvm", "-"}, `unknown --emit=lvm; did you mean "llvm"?`},
		{[]string{"--emit=amdgpu", "--backend=llvm", "-"}, "no machine code of pisac's own"},
		{[]string{"--emit=llvm", "--backend=native", "-"}, "what --backend=llvm makes"},
		{[]string{"--backend=nativ", "-"}, `did you mean "native"?`},
		{[]string{"--system-atomics=cass", "-"}, `did you mean "cas"?`},
		{[]string{"--no-such-flag", "-"}, "no-such-flag"},
		{[]string{"-O4", "-"}, "-O must be one of"},
		{[]string{"--emit=obj", "-"}, "needs -o FILE"},
		{[]string{"--emit=ir", "x.pir"}, "would overwrite the input"},
		{[]string{"--split-input-file", "--emit=check", "-", "-"}, "takes one input"},
		{[]string{"explain", "PISA-E999"}, "there is no diagnostic"},
		{[]string{"explain"}, "name a code"},
		{[]string{"list"}, "targets, ops, passes or rules"},
	} {
		code, stdout, stderr := invoke(good, c.args...)
		require.Equal(t, exitUsage, code, "%v: %s", c.args, stderr)
		require.Contains(t, stderr, c.want, "%v", c.args)
		require.Empty(t, stdout)
	}
}

func TestSingleDash(t *testing.T) {
	for _, args := range [][]string{
		{"-mcpu=gfx942", "-emit=llvm", "-O3", "-o", "-", "-"},
		{"--mcpu", "gfx942", "--emit", "llvm", "-O", "3", "-o-", "-"},
		{"-emit=llvm", "-mcpu", "gfx942", "-color=never", "-"},
	} {
		code, stdout, stderr := invoke(good, args...)
		require.Equal(t, exitOK, code, "%v: %s", args, stderr)
		require.Contains(t, stdout, "gfx942", "%v", args)
	}
}

func TestInformation(t *testing.T) {
	code, stdout, _ := invoke("", "--help")
	require.Equal(t, exitOK, code)
	require.Contains(t, stdout, "--emit")
	code, help, _ := invoke("", "-mcpu=help")
	require.Equal(t, exitOK, code)
	code, listed, _ := invoke("", "list", "targets")
	require.Equal(t, exitOK, code)
	require.Equal(t, help, listed)
	for _, chip := range []string{"gfx1100", "gfx942", "gfx90a", "gfx1201"} {
		require.Contains(t, listed, chip)
	}
	code, stdout, _ = invoke("", "list", "ops")
	require.Equal(t, exitOK, code)
	require.Contains(t, stdout, "pisa.iadd ")
	require.Contains(t, stdout, "builtin.cond_br ")
	code, stdout, _ = invoke("", "--version")
	require.Equal(t, exitOK, code)
	require.Contains(t, stdout, "pisac 0.1")
	code, stdout, _ = invoke("", "explain", "pisa-w012", "[IR-I4]")
	require.Equal(t, exitOK, code)
	require.Contains(t, stdout, "PISA-W012: ")
	require.Contains(t, stdout, "IR-I4: ")
}

// TestCodes: every diagnostic is explained once.
func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range codes() {
		require.False(t, seen[c.Code], c.Code)
		require.NotEmpty(t, c.Text, c.Code)
		seen[c.Code] = true
	}
	require.Greater(t, len(seen), 60)
}

// TestAllOrNothing: a compile that fails leaves the output as it was.
func TestAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.ll")
	require.NoError(t, os.WriteFile(out, []byte("old"), 0o600))
	code, _, stderr := invoke(good+".kernel @l() { bad; }\n", "--emit=llvm", "-o", out, "-")
	require.Equal(t, exitInput, code)
	require.Contains(t, stderr, "<stdin>:6:")
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, "old", string(text))

	code, _, _ = invoke(good+"// -----\n.kernel\n", "--emit=ir", "--split-input-file", "-o", out, "-")
	require.Equal(t, exitInput, code)
	text, _ = os.ReadFile(out)
	require.Equal(t, "old", string(text))

	code, _, _ = invoke(good, "--emit=llvm", "-o", out, "-")
	require.Equal(t, exitOK, code)
	text, _ = os.ReadFile(out)
	require.Contains(t, string(text), "@k(")
	entries, _ := os.ReadDir(dir)
	require.Len(t, entries, 1, "temporary files are left")

	code, _, stderr = invoke(good, "--emit=llvm", "-o", filepath.Join(dir, "no", "such"), "-")
	require.Equal(t, exitInput, code)
	require.Contains(t, stderr, "pisac: error: ")
}

func TestDefaultOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("sub", 0o700))
	require.NoError(t, os.WriteFile("sub/a.pisa", []byte(good), 0o600))
	for _, c := range []struct{ emit, file string }{{"llvm", "a.ll"}, {"ir", "a.pir"}} {
		code, stdout, stderr := invoke("", "--emit="+c.emit, "sub/a.pisa")
		require.Equal(t, exitOK, code, stderr)
		require.Empty(t, stdout)
		require.FileExists(t, c.file)
	}
	code, stdout, _ := invoke(good, "--emit=ir", "-")
	require.Equal(t, exitOK, code)
	require.Contains(t, stdout, "kernel @k()")
	code, stdout, _ = invoke("", "--emit=pisa", "sub/a.pisa")
	require.Equal(t, exitOK, code)
	require.Contains(t, stdout, ".kernel @k(")
	code, stdout, _ = invoke("", "--emit=check", "sub/a.pisa")
	require.Equal(t, exitOK, code)
	require.Empty(t, stdout)
	entries, _ := os.ReadDir(".")
	require.Len(t, entries, 3)
}

func TestInputErrors(t *testing.T) {
	dir := t.TempDir()
	code, _, stderr := invoke("", "--emit=check", filepath.Join(dir, "none.pisa"))
	require.Equal(t, exitInput, code)
	require.Contains(t, stderr, "none.pisa: no such file or directory\n")
	require.NotContains(t, stderr, "open ")
	code, _, stderr = invoke("", "--emit=check", dir)
	require.Equal(t, exitInput, code)
	require.Contains(t, stderr, "is a directory")
	pir := filepath.Join(dir, "a.pir")
	require.NoError(t, os.WriteFile(pir, []byte("module version 1.0\n"), 0o600))
	code, _, stderr = invoke(good, "--emit=check", "-", pir)
	require.Equal(t, exitInput, code)
	require.Contains(t, stderr, codeIRAlone)
	code, _, stderr = invoke("", "--emit=pisa", pir)
	require.Equal(t, exitInput, code)
	require.Contains(t, stderr, codeFormatOne)
}

// TestInputKinds: without a suffix the first word tells assembly from IR.
func TestInputKinds(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "\n// module\n.version 1.0;": false, "// x\n\n module version 1.0": true,
		"kernel @k() {": true, "\x00\x01": false, "/": false, "//": false,
	} {
		require.Equal(t, want, isIR("-", []byte(text)), "%q", text)
	}
	require.True(t, isIR("a.pir", nil))
	require.False(t, isIR("a.pisa", []byte("module")))
}

// TestCompilerFaults: a panic, and IR that a step leaves invalid, are the
// compiler's fault, with what is needed to see it again.
func TestCompilerFaults(t *testing.T) {
	o := &Options{Emit: EmitLLVM} // no target: llvmgen panics
	r := Compile([]Input{{"a.pisa", []byte(good), 1}}, o)
	require.Error(t, r.Bug)
	require.False(t, r.OK)
	require.Empty(t, r.Output)

	var msg bytes.Buffer
	reportBug(&msg, []string{"-o", "it's", "a b.pisa", "--emit=llvm"}, errors.New("broken"), []byte("stack\n"))
	require.Contains(t, msg.String(), "internal error: broken\n")
	require.Contains(t, msg.String(), `    pisac -o 'it'\''s' 'a b.pisa' --emit=llvm`+"\n")
	require.Contains(t, msg.String(), "stack\n")
	require.Contains(t, msg.String(), "cd ")
}

func TestWarningOptions(t *testing.T) {
	text := ".version 0.1;\n.target 100;\n.kernel @k() {\n  .reg .32b %x, %y;\n  iadd.32b %y, %x, 1;\n}\n"
	code, _, stderr := invoke(text, "--emit=check", "-")
	require.Equal(t, exitOK, code)
	require.Contains(t, stderr, "<stdin>:5:16: warning: %x is read")
	code, _, stderr = invoke(text, "--emit=check", "-w", "-")
	require.Equal(t, exitOK, code)
	require.Empty(t, stderr)
	code, stdout, stderr := invoke(text, "--emit=ir", "-Werror", "-")
	require.Equal(t, exitInput, code)
	require.Contains(t, stderr, "<stdin>:5:16: error: %x is read")
	require.Empty(t, stdout)
}

// TestManyWarnings: what is shown is bounded.
func TestManyWarnings(t *testing.T) {
	var b strings.Builder
	b.WriteString(".version 0.1;\n.target 100;\n.kernel @k() {\n  .reg .32b %r<0~1500>;\n")
	for i := range 1500 {
		fmt.Fprintf(&b, "  iadd.32b %%r%d, %%r%d, 1;\n", i, i)
	}
	b.WriteString("}\n")
	code, _, stderr := invoke(b.String(), "--emit=check", "-")
	require.Equal(t, exitOK, code)
	require.Equal(t, 1001, strings.Count(stderr, "warning: "))
	require.Contains(t, stderr, "warning: 500 more warnings are not shown [PISAC-W001]\n")
}

func TestJSON(t *testing.T) {
	text := ".version 0.1;\n.target 100;\n.kernel @k() {\n  .reg .32b %x, %y;\n  iadd.32b %y, %x, 1;\n  iadd.32b %z, %x, 1;\n}\n"
	code, _, stderr := invoke(text, "--emit=check", "--diagnostics-format=json", "-")
	require.Equal(t, exitInput, code)
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	require.Len(t, lines, 1, stderr)
	var d struct {
		File, Severity, Code, Text string
		Line, Col, EndCol          int
	}
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &d))
	require.Equal(t, "<stdin>", d.File)
	require.Equal(t, []int{6, 12, 14}, []int{d.Line, d.Col, d.EndCol})
	require.Equal(t, "error", d.Severity)
	require.Equal(t, "PISA-E031", d.Code)
	require.NotEmpty(t, d.Text)
}

// TestSameBytes: the output does not depend on anything but the input.
func TestSameBytes(t *testing.T) {
	text, err := os.ReadFile("../examples/matmul_tiled.pisa")
	require.NoError(t, err)
	_, first, _ := invoke(string(text), "--emit=llvm", "-")
	require.NotEmpty(t, first)
	for range 3 {
		_, again, _ := invoke(string(text), "--emit=llvm", "-")
		require.Equal(t, first, again)
	}
}
