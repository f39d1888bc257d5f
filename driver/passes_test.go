package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const seven = `module version 1.0 target 100

function @f(32b) -> 32b export {
^bb0(%x: 32b):
  %c = builtin.const 0x7 : 32b
  %d = pisa.and.32b %x, %c : 32b
  builtin.return %d
}
`

// TestReproducerKept: a compile that does not get to the passes leaves an older
// reproducer alone; one that goes well removes its own.
func TestReproducerKept(t *testing.T) {
	name := filepath.Join(t.TempDir(), "repro.pir")
	require.NoError(t, os.WriteFile(name, []byte("old"), 0o600))
	code, _, _ := invoke("module 1", "--emit=ir", "--crash-reproducer="+name, "-o", "-", "-")
	require.Equal(t, exitInput, code)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "old", string(text))
	code, _, stderr := invoke(seven, "-O2", "--emit=ir", "--crash-reproducer="+name, "-o", "-", "-")
	require.Equal(t, exitOK, code, stderr)
	require.NoFileExists(t, name)
}

// TestCompileWithoutFiles: as a library Compile writes nothing.
func TestCompileWithoutFiles(t *testing.T) {
	dir := t.TempDir()
	o := &Options{Emit: EmitIR, OptLevel: 2, PassFlags: PassFlags{PrintIRDir: filepath.Join(dir, "d"), DumpHTML: filepath.Join(dir, "h"),
		RemarksOutput: filepath.Join(dir, "r"), CrashReproducer: filepath.Join(dir, "c"), PrintIRAfterAll: true}}
	r := Compile([]Input{{"x.pir", []byte(seven), 1}}, o)
	require.True(t, r.OK, "%v", r.Diags)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)

	files := map[string]string{}
	o.Save = func(name string, text []byte) error { // of one function: no two at a time
		files[filepath.Base(name)] = string(text)
		return nil
	}
	r = Compile([]Input{{"x.pir", []byte(seven), 1}}, o)
	require.True(t, r.OK)
	require.Contains(t, files, "h")
	require.Contains(t, files, "r")
	require.Contains(t, files["c"], reproducerMark)
	require.Contains(t, files, "000-simplifycfg.pir")
}

// TestFileNames: symbols give names of directories, each its own.
func TestFileNames(t *testing.T) {
	for sym, want := range map[string]string{
		"f": "f", "a.b$c_1": "a.b$c_1", "..": "%2e.", ".": "%2e", "a/b": "a%2fb", "a b": "a%20b", "a%20b": "a%2520b", "": "%",
	} {
		require.Equal(t, want, fileName(sym), sym)
	}
	long := string(make([]byte, 300))
	require.Less(t, len(fileName(long)), 130)
	require.NotEqual(t, fileName(long), fileName(long+"x"))
}

// TestDumpsInParallel: dumps, reports and files are the same whatever the
// number of processors.
func TestDumpsInParallel(t *testing.T) {
	var b strings.Builder
	b.WriteString("module version 1.0 target 100\n")
	for i := range 12 {
		fmt.Fprintf(&b, "\nfunction @f%d(32b) -> 32b export {\n^bb0(%%x: 32b):\n  %%k = builtin.const 0x%x : 32b\n", i, i)
		fmt.Fprintf(&b, "  %%d = pisa.umul.32b %%x, %%k : 32b\n  %%s = pisa.iadd.32b %%x, %%k : 32b\n  %%t = pisa.iadd.32b %%s, %%k : 32b\n  builtin.return %%t\n}\n")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	first := ""
	for _, procs := range []int{1, 8} {
		runtime.GOMAXPROCS(procs)
		dir := t.TempDir()
		code, stdout, stderr := invoke(b.String(), "-O2", "--emit=ir", "-o", "-", "--print-ir-after-all", "--print-ir-before=dce", "--print-ir-diff", "--print-ir-after-change",
			"--stats", "--remarks", "--verify-each", "--verify-roundtrip", "--dump-html="+filepath.Join(dir, "h"), "-")
		require.Equal(t, exitOK, code, stderr)
		page, err := os.ReadFile(filepath.Join(dir, "h"))
		require.NoError(t, err)
		code, _, stderr2 := invoke(b.String(), "-O2", "--emit=ir", "-o", "-", "--print-ir-dir="+filepath.Join(dir, "d"), "-")
		require.Equal(t, exitOK, code, stderr2)
		all := stdout + stderr + string(page)
		require.NoError(t, filepath.WalkDir(filepath.Join(dir, "d"), func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			all += strings.TrimPrefix(path, dir) + "\n" + string(text)
			return err
		}))
		require.Greater(t, len(all), 10000)
		if first == "" {
			first = all
		}
		require.True(t, first == all, "%d processors give something else", procs)
	}
}

// TestReproducerOfCodeGenerator: what fails behind the passes is reproduced
// from what they made.
func TestReproducerOfCodeGenerator(t *testing.T) {
	dir := onlyTools(t)
	fakeTool(t, dir, "llc", "LLVM version 19.1.7", "echo 'LLVM ERROR: Cannot select' >&2; kill -ABRT $$")
	name := filepath.Join(t.TempDir(), "repro.pir")
	input := strings.Replace(seven, "%d = ", "%e = pisa.umul.32b %x, %x : 32b\n  %d = ", 1)
	code, _, stderr := invoke(input, "-O1", "--backend=llvm", "--emit=obj", "--crash-reproducer="+name, "-o", "-", "-")
	require.Equal(t, exitBug, code, stderr)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Contains(t, string(text), reproducerMark+"--passes= -O1 --emit=obj --backend=llvm --mcpu=gfx1100")
	require.Contains(t, string(text), "llc")
	require.NotContains(t, string(text), "umul")
	code, _, stderr = invoke("", name)
	require.Equal(t, exitBug, code, stderr)
	require.Contains(t, stderr, "Cannot select")
}
