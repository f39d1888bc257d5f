package lit

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// suite makes a Config over files given by name and text.
func suite(t *testing.T, files map[string]string) *Config {
	c := &Config{Root: t.TempDir(), Temp: t.TempDir(), Suffixes: []string{".test"}}
	for name, text := range files {
		file := filepath.Join(c.Root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	}
	return c
}

func TestDiscover(t *testing.T) {
	c := suite(t, map[string]string{
		"b/x.test": "", "a/y.test": "", "a/Inputs/z.test": "", "a/readme.txt": "", "c/w.test": "",
	})
	names, err := c.Discover()
	require.NoError(t, err)
	assert.Equal(t, []string{"a/y.test", "b/x.test", "c/w.test"}, names)
	c.Dirs = []string{"b", "a", "missing", "b"}
	names, err = c.Discover()
	require.NoError(t, err)
	assert.Equal(t, []string{"a/y.test", "b/x.test"}, names)
	c.Dirs = []string{"missing"}
	_, err = c.Discover()
	assert.ErrorContains(t, err, "no tests with suffix .test in missing")
}

func TestExpressions(t *testing.T) {
	features := map[string]bool{"a": true, "b-1": true, "x.y": true}
	cases := map[string]any{
		"a": true, "c": false, "true": true, "!a": false, "!!a": true, "a && c": false, "a || c": true,
		"c && c || a": true, "c && (c || a)": false, "!(c || a)": false, "b-{{[0-9]}}": true, "{{.*}}y": true,
		"{{a|c}}": true, "b-{{x}}": false, "x.y": true, "xzy": false, " a ": true,
		"":     "missing operand",
		"a b":  "unexpected 'b'",
		"a &&": "missing operand", "|| a": "unexpected '||'", "(a": "missing ')'", "a)": "unexpected ')'",
		"a & b": "cannot parse", "{{(}}": "missing closing )",
		strings.Repeat("(", 100_000) + "a":     "nested too deeply",
		strings.Repeat("!", 100_000) + "a":     true,
		strings.Repeat("a && ", 100_000) + "a": true,
	}
	for expr, want := range cases {
		got, err := evaluate(expr, features)
		if text, isError := want.(string); isError {
			if assert.Error(t, err, "%.40s", expr) {
				assert.Contains(t, err.Error(), text)
			}
			continue
		}
		assert.NoError(t, err, "%.40s", expr)
		assert.Equal(t, want, got, "%.40s", expr)
	}
}

// TestBadScripts: what cannot be understood is an error, in bounded time.
func TestBadScripts(t *testing.T) {
	deep := strings.Repeat("%if a %{", 50_000)
	cases := map[string]string{
		"// RUN: echo " + deep:                     "nested too deeply",
		"// DEFINE: %{x} = %{x}%{x}\n// RUN: %{x}": "grows beyond",
		"// DEFINE: %{x} = %{x}\n// RUN: %{x}":     "did not complete",
		"// RUN: echo \x00":                        "NUL byte",
		"// RUN: echo %{unknown}":                  "unknown substitution '%{unknown}'",
		"// RUN: echo 'x":                          "missing closing quote",
		"// RUN: echo x\\":                         "unterminated",
		"// RUN: | x":                              "empty command",
		"// RUN: x |":                              "empty command",
		"// RUN: x > > y":                          "syntax error near '>'",
		"// RUN: x << y":                           "unsupported redirection '<<'",
		"// RUN: x 2>&7":                           "unsupported redirection '2>&7'",
		"// RUN: true\n// ALLOW_RETRIES: -1":       "negative",
		"// RUN: true\n// UNSUPPORTED: *":          "cannot parse '*'",
		"// RUN: true\n// REQUIRES: a \\":          "unterminated 'REQUIRES:'",
		"// RUN: echo " + strings.Repeat("%if true %{ a %} ", 100_000) + "%if": "",
	}
	for text, want := range cases {
		c := suite(t, map[string]string{"x.test": text})
		start := time.Now()
		r := c.Run("x.test")
		if want != "" {
			assert.Equal(t, Unresolved, r.Code, "%.60s", text)
			assert.Contains(t, r.Log, want, "%.60s", text)
		}
		assert.Less(t, time.Since(start), 10*time.Second, "%.60s", text)
	}
}

// commandTests are scripts for the commands of TestCommands.
var commandTests = map[string]string{
	"args.test": `// RUN: args 'a b' %s < %s | FileCheck %s
// CHECK: 2 args
// CHECK-NEXT: a b
// CHECK-NEXT: {{.*}}args.test
// CHECK-NEXT: {{[1-9][0-9]+}} bytes
`,
	"code.test":            "// RUN: not exit 3\n",
	"crash.test":           "// RUN: not --crash panic\n",
	"crash-code.test":      "// RUN: not --crash exit -6\n",
	"not-crash.test":       "// RUN: not panic\n",
	"not-not-crash.test":   "// RUN: not not panic\n",
	"not-not-crash2.test":  "// RUN: not not --crash exit 3\n",
	"bang-crash.test":      "// RUN: ! panic\n",
	"panics.test":          "// RUN: panic\n",
	"overrides.test":       "// RUN: cat | FileCheck %s\n// CHECK: not the builtin\n",
	"cd.test":              "// RUN: mkdir %t\n// RUN: cd %t\n// RUN: args\n",
	"cd-not.test":          "// RUN: cd . && args\n",
	"env.test":             "// RUN: env A=B args\n",
	"export.test":          "// RUN: export A=B\n// RUN: args\n",
	"in-file.test":         "// RUN: args %s > %t && FileCheck %s < %t\n// CHECK: 1 args\n",
	"both.test":            "// RUN: both &> %t\n// RUN: FileCheck %s < %t\n// CHECK: out\n// CHECK-NEXT: err\n",
	"swap.test":            "// RUN: both 2>&1 > %t.out | FileCheck %s\n// RUN: cat %t.out | count 1\n// CHECK-NOT: out\n// CHECK: err\n",
	"two.test":             "// RUN: both > %t 2>&1\n// RUN: cat %t | count 2\n",
	"err-only.test":        "// RUN: both 2> /dev/null | count 1\n",
	"to-err.test":          "// RUN: both 1>&2 | count 0\n",
	"last-failure.test":    "// RUN: not exit 3 | true\n// RUN: exit 3 | true\n",
	"glob-none.test":       "// RUN: args *.nothing | FileCheck %s\n// CHECK: 1 args\n// CHECK-NEXT: *.nothing\n",
	"shell-in-pipe.test":   "// RUN: env A=B cd .\n",
	"semicolon-final.test": "// RUN: true;\n",
}

func TestCommands(t *testing.T) {
	c := suite(t, commandTests)
	main := Main(func(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		fmt.Fprintf(stdout, "%d args\n%s\n", len(args), strings.Join(args, "\n"))
		b, _ := io.ReadAll(stdin)
		fmt.Fprintf(stdout, "%d bytes\n", len(b))
		return 0
	})
	c.Commands = map[string]Command{
		"args": main,
		"exit": func(p *Proc) int {
			code := 0
			fmt.Sscan(p.Args[0], &code)
			return code
		},
		"panic": func(*Proc) int { panic("oh no") },
		"both": func(p *Proc) int {
			fmt.Fprintln(p.Stdout, "out")
			fmt.Fprintln(p.Stderr, "err")
			return 0
		},
	}
	c.Commands["cat"] = func(p *Proc) int {
		if len(p.Args) > 0 {
			return cat(p)
		}
		fmt.Fprintln(p.Stdout, "not the builtin")
		return 0
	}
	failing := map[string]string{
		"not-crash.test":     "panic crashed",
		"panics.test":        "panic: oh no",
		"bang-crash.test":    "panic crashed",
		"cd.test":            "runs in the test process",
		"env.test":           "runs in the test process",
		"export.test":        "runs in the test process",
		"last-failure.test":  "exit status: 3",
		"shell-in-pipe.test": "'cd' cannot be part of a pipeline or run by env",
	}
	names, err := c.Discover()
	require.NoError(t, err)
	for _, name := range names {
		r := c.Run(name)
		if text, fails := failing[name]; fails {
			assert.True(t, r.Code.Failed(), "%s: %s", name, r.Log)
			assert.Contains(t, r.Log, text, name)
		} else {
			assert.Equal(t, Pass, r.Code, "%s: %s", name, r.Log)
		}
	}
}

func TestTools(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	c := suite(t, map[string]string{
		"plain.test":    "// RUN: sh -c 'pwd; echo $A; cat' < %s | FileCheck %s\n// CHECK: plain.test.dir\n// CHECK-NEXT: value\n// CHECK-NEXT: RUN\n",
		"cd.test":       "// RUN: mkdir %t\n// RUN: cd %t\n// RUN: env A=other sh -c 'pwd; echo $A' | FileCheck %s\n// CHECK: cd.test.tmp\n// CHECK-NEXT: other\n",
		"code.test":     "// RUN: not sh -c 'exit 3'\n",
		"signal.test":   "// RUN: not --crash sh -c 'kill -ABRT $$'\n",
		"signal2.test":  "// RUN: not sh -c 'kill -ABRT $$'\n",
		"feature.test":  "// RUN: llc\n",
		"feature2.test": "// REQUIRES: llvm\n// RUN: llc -c true\n",
		"slow.test":     "// RUN: sh -c 'sleep 100'\n",
		"stuck.test":    "// RUN: stuck\n",
	})
	c.Env = map[string]string{"A": "value"}
	c.Features = map[string]bool{"llvm": true}
	c.Tools = map[string]Tool{"sh": {Path: sh}, "llc": {Path: sh, Feature: "llvm"}}
	stop := make(chan bool)
	defer close(stop)
	c.Commands = map[string]Command{"stuck": func(*Proc) int { <-stop; return 0 }}
	c.Timeout = 20 * time.Second
	want := map[string]Code{"signal2.test": Fail, "feature.test": Unresolved, "slow.test": Timeout, "stuck.test": Timeout}
	names, err := c.Discover()
	require.NoError(t, err)
	for _, name := range names {
		run := *c
		if want[name] == Timeout {
			run.Timeout = 100 * time.Millisecond
		}
		code := want[name]
		if code == "" {
			code = Pass
		}
		r := run.Run(name)
		assert.Equal(t, code, r.Code, "%s: %s", name, r.Log)
	}
	assert.Contains(t, c.Run("feature.test").Log, "REQUIRES: llvm")
}

func TestSummary(t *testing.T) {
	assert.Equal(t, "lit: 6 passed, 4 failed, 7 unsupported", Summary(map[Code]int{
		Pass: 3, XFail: 2, FlakyPass: 1, Fail: 1, XPass: 1, Unresolved: 1, Timeout: 1, Unsupported: 7,
	}))
}

func TestOutcomesThroughGoTest(t *testing.T) {
	c := suite(t, map[string]string{"a/pass.test": "// RUN: true\n", "xfail.test": "// XFAIL: *\n// RUN: false\n"})
	Test(t, c, Options{})
}

const source = `// NOTE: Assertions have been autogenerated by pisac -update%s
// RUN: emit %%s | FileCheck %%s
// RUN: emit --more %%s | FileCheck %%s --check-prefixes=CHECK,MORE --allow-unused-prefixes

input text

// CHECK: stale
// CHECK-NEXT: stale

more input
`

func updating(t *testing.T, args string, emit func(p *Proc)) (*Config, string) {
	c := suite(t, map[string]string{"x.test": fmt.Sprintf(source, args)})
	c.Commands = map[string]Command{"emit": func(p *Proc) int { emit(p); return 0 }}
	return c, filepath.Join(c.Root, "x.test")
}

func TestUpdate(t *testing.T) {
	c, file := updating(t, "", func(p *Proc) {
		file := p.Args[len(p.Args)-1]
		fmt.Fprint(p.Stdout, "; "+file+":1\n\nkernel @k(param %a.b size 8) {\n^bb0:\n  %0 = pisa.add %a.b, %a.b\n  %1 = odd [[x]] {{y}} %0\n\n  ret %1\n}\n\nfunc @f(%0: 32b) {\n  use %0\n}\n")
	})
	assert.Equal(t, Fail, c.Run("x.test").Code)
	changed, err := c.Update("x.test")
	require.NoError(t, err)
	assert.True(t, changed)
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	want := `// NOTE: Assertions have been autogenerated by pisac -update
// RUN: emit %s | FileCheck %s
// RUN: emit --more %s | FileCheck %s --check-prefixes=CHECK,MORE --allow-unused-prefixes

input text

// CHECK: ; {{.*}}x.test:1
// CHECK-EMPTY:
// CHECK-LABEL: kernel @k(
// CHECK-SAME: param [[A_B:%[^ ,()]+]] size 8) {
// CHECK-NEXT: ^bb0:
// CHECK-NEXT:   [[V0:%[^ ,()]+]] = pisa.add [[A_B]], [[A_B]]
// CHECK-NEXT:   [[V1:%[^ ,()]+]] = odd {{[[][[]}}x]] {{[{][{]}}y}} [[V0]]
// CHECK-EMPTY:
// CHECK-NEXT:   ret [[V1]]
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-LABEL: func @f(
// CHECK-SAME: [[V0:%[^ ,()]+]]: 32b) {
// CHECK-NEXT:   use [[V0]]
// CHECK-NEXT: }

more input
`
	assert.Equal(t, want, string(got))
	r := c.Run("x.test")
	assert.Equal(t, Pass, r.Code, r.Log)
	changed, err = c.Update("x.test")
	require.NoError(t, err)
	assert.False(t, changed, "a second time")
}

func TestUpdatePrefixes(t *testing.T) {
	emit := func(p *Proc) {
		fmt.Fprintln(p.Stdout, "one")
		if p.Args[0] == "--more" {
			io.WriteString(p.Stdout, "two %x\n")
		}
	}
	c, file := updating(t, " ARGS: --no-variables", emit)
	_, err := c.Update("x.test")
	assert.ErrorContains(t, err, "different texts", "the first run has only the prefix that both have")

	text := strings.Replace(fmt.Sprintf(source, " ARGS: --no-variables"), "| FileCheck %s\n", "| FileCheck %s --check-prefixes=CHECK,LESS\n", 1)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	changed, err := c.Update("x.test")
	require.NoError(t, err)
	assert.True(t, changed)
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(got), "// LESS: one\n\n// MORE: one\n// MORE-NEXT: two %x\n")
	assert.NotContains(t, string(got), "stale")
}

func TestUpdateFilterAndErrors(t *testing.T) {
	emit := func(p *Proc) { fmt.Fprint(p.Stdout, "one\n  two %1\nthree\n  two %1\n") }
	c, file := updating(t, " ARGS: --filter=^..two", emit)
	_, err := c.Update("x.test")
	require.NoError(t, err)
	got, _ := os.ReadFile(file)
	assert.Contains(t, string(got), "// CHECK: two [[V1:%[^ ,()]+]]\n// CHECK: two [[V1]]\n")
	assert.NotContains(t, string(got), "one\n")

	c, file = updating(t, " ARGS: --functions --no-variables", func(p *Proc) {
		fmt.Fprint(p.Stdout, "head\n\nfunction @f() {\n\ta\n}\n\nbetween\nkernel @k() {\n}\ntail\n")
	})
	_, err = c.Update("x.test")
	require.NoError(t, err)
	got, _ = os.ReadFile(file)
	assert.Contains(t, string(got), "text\n\n// CHECK-LABEL: function @f(\n// CHECK-SAME: ) {\n// CHECK-NEXT:   a\n// CHECK-NEXT: }\n// CHECK-LABEL: kernel @k(\n// CHECK-SAME: ) {\n// CHECK-NEXT: }\n\nmore")

	c, _ = updating(t, " ARGS: --what", emit)
	_, err = c.Update("x.test")
	assert.ErrorContains(t, err, "unknown option '--what'")
	c = suite(t, map[string]string{"x.test": "// NOTE: Assertions have been autogenerated by pisac -update\n// RUN: false\n", "y.test": "// RUN: true\n"})
	_, err = c.Update("x.test")
	assert.ErrorContains(t, err, "the script fails before its checks")
	changed, err := c.Update("y.test")
	assert.NoError(t, err)
	assert.False(t, changed, "no marker")
}

func FuzzScript(f *testing.F) {
	f.Add("// RUN: echo %s | FileCheck %s\n// CHECK: x\n")
	f.Add("// DEFINE: %{x} = %if a %{ b %} %else %{ c %}\n// RUN: %{x} 2>&1 > %t && ! 'q' \"r\" || s;\n")
	f.Add("// REQUIRES: a && (b || !{{c}})\n// XFAIL: *\n// ALLOW_RETRIES: 2\n// RUN: a \\\n// RUN: b %(line+1)\n// END.\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseScript(text)
		if err != nil {
			return
		}
		s.commands(newSubstitutions("/a/b.test", "/t", map[string]bool{"a": true}, nil))
	})
}
