package driver

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakeTool puts a shell script where a tool of LLVM is looked for.
func fakeTool(t *testing.T, dir, name, version, body string) {
	script := "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '" + version + "'; exit 0; fi\n" + body + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755))
}

// onlyTools makes dir the only place with tools of LLVM.
func onlyTools(t *testing.T) string {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	old := llvmDirs
	llvmDirs = nil
	t.Cleanup(func() { llvmDirs = old })
	fakeTool(t, dir, "llc", "", "exit 1") // hides one in /usr/bin
	fakeTool(t, dir, "ld.lld", "", "exit 1")
	fakeTool(t, dir, "llc-19", "", "exit 1")
	fakeTool(t, dir, "ld.lld-19", "", "exit 1")
	return dir
}

func TestToolMissing(t *testing.T) {
	onlyTools(t)
	out := filepath.Join(t.TempDir(), "out")
	code, _, stderr := invoke(good, "--backend=llvm", "--emit=asm", "-o", out, "-")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "no llc of LLVM 19 or later")
	require.Contains(t, stderr, "apt install llvm-19")
	require.Contains(t, stderr, "--emit=llvm")
	require.NoFileExists(t, out)
	for _, emit := range []string{"check", "pisa", "ir", "llvm", "amdgpu", "asm"} {
		code, _, stderr := invoke(good, "--emit="+emit, "-o", "-", "-")
		require.Equal(t, exitOK, code, stderr)
	}
}

func TestToolTooOld(t *testing.T) {
	dir := onlyTools(t)
	fakeTool(t, dir, "llc", "Ubuntu LLVM version 14.0.0", "")
	code, _, stderr := invoke(good, "--backend=llvm", "--emit=asm", "-o", "-", "-")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "llc is of LLVM 14, and no llc of LLVM 19 or later")
}

func TestLinkerMissing(t *testing.T) {
	dir := onlyTools(t)
	fakeTool(t, dir, "llc", "LLVM version 20.1.0", "echo code")
	code, _, stderr := invoke(good, "--backend=llvm", "--emit=hsaco", "-o", "-", "-")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "no ld.lld of LLVM 19 or later")
	require.Contains(t, stderr, "apt install lld-19")
}

func TestToolCommandLine(t *testing.T) {
	dir := onlyTools(t)
	fakeTool(t, dir, "llc-19", "LLVM version 19.1.7", `echo "$@"`)
	code, stdout, _ := invoke(good, "--backend=llvm", "--emit=asm", "-O1", "--mcpu=gfx90a", "-o", "-", "-")
	require.Equal(t, exitOK, code)
	require.Equal(t, "-mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -O1 -filetype=asm -o - -\n", stdout)
}

// TestToolFails: LLVM's words about what the chip has not are the input's
// fault, all else is ours.
func TestToolFails(t *testing.T) {
	dir := onlyTools(t)
	fakeTool(t, dir, "llc", "LLVM version 19.1.7", "echo 'error: <unknown>:0:0: local memory (70000) exceeds limit (65536) in function k' >&2; exit 1")
	code, _, stderr := invoke(good, "--backend=llvm", "--emit=asm", "-o", "-", "-")
	require.Equal(t, exitInput, code)
	require.Contains(t, stderr, "error: llc: <unknown>:0:0: local memory (70000) exceeds limit")

	dir = onlyTools(t)
	fakeTool(t, dir, "llc", "LLVM version 19.1.7", "echo 'LLVM ERROR: Cannot select' >&2; kill -ABRT $$")
	code, stdout, stderr := invoke(good, "--backend=llvm", "--emit=asm", "-o", "-", "-")
	require.Equal(t, exitBug, code)
	require.Contains(t, stderr, "internal error")
	require.Contains(t, stderr, "Cannot select")
	require.Contains(t, stderr, "pisac --backend=llvm --emit=asm -o - -")
	require.Empty(t, stdout)

	dir = onlyTools(t)
	fakeTool(t, dir, "llc", "LLVM version 19.1.7", "echo 'warning: odd' >&2; echo code")
	code, stdout, stderr = invoke(good, "--backend=llvm", "--emit=asm", "-o", "-", "-")
	require.Equal(t, exitOK, code)
	require.Equal(t, "code\n", stdout)
	require.Contains(t, stderr, "warning: llc: warning: odd")
}
