package driver

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const doubler = `.version 0.1;
.target 100;
.kernel @twice(.param[8] .addrspace(global) %buf, .param[4] .align(4) %n) {
  .reg .32b %i, %v; .reg .64b %p, %o; .pred %t;
  umad.32b %i, %groupid.x, %localsize.x, %localid.x;
  ld.param.32b %v, [%n];
  ucmp.ge.32b %t, %i, %v;
  return.cond %t;
  ld.param.64b %p, [%buf];
  zext.64b.32b %o, %i;
  shl.64b %o, %o, 2;
  ld.global.32b %v, [%p + %o];
  iadd.32b %v, %v, %v;
  st.global.32b [%p + %o], %v;
  return;
}
`

// pisacRun runs the command line with source as stdin.
func pisacRun(source string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Main(append([]string{"run"}, args...), strings.NewReader(source), &out, &err)
	return code, out.String(), err.String()
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   []string
		code   int
		stdout string
		stderr string // contained
	}{
		{"arguments", []string{"-", "--global=4", "--local=2", "--arg=buf:u32:1,2,3,4", "--arg=u32:3"}, 0, "arg0: u32: 2 4 6 4\n", ""},
		{"repeated items, types, hex", []string{"-", "--global=4", "--arg=buf:s32:2*-1,0x7fffffff", "--arg=hex32:0x3"}, 0, "arg0: s32: -2 -2 -2\n", ""},
		{"single dash", []string{"-", "-global=1", "-arg=buf:f32:1.5", "-arg=s32:1"}, 0, "arg0: f32: inf\n", ""},
		{"out of bounds", []string{"-", "--global=4", "--arg=buf:u32:1,2", "--arg=u32:4"}, 1, "",
			"<stdin>:12:3: error: out-of-bounds load of 4 bytes at global address 0x100000000008, 0 bytes past the end of argument 0 (8 bytes) [PISA-R001]\n  ld.global.32b %v, [%p + %o];\n  ^"},
		{"strict count", []string{"-", "--arg=u32:4"}, 1, "", "takes 2 arguments, 1 are given"},
		{"step limit", []string{"-", "--global=64", "--arg=buf:u32:64*1", "--arg=u32:64", "--step-limit=100"}, 1, "", "the run has not ended after"},
		{"no file", nil, 2, "", "no input file"},
		{"bad argument", []string{"-", "--arg=u9:4"}, 2, "", `unknown type "u9"`},
		{"value out of range", []string{"-", "--arg=u8:256"}, 2, "", `"256" is no u8`},
		{"bad range", []string{"-", "--global=1,2,3,4"}, 2, "", "there are three dimensions"},
		{"no work-items", []string{"-", "--global=4,0"}, 2, "", "--global=4,0: a range has at least one work-item in each dimension"},
		{"kernel with its sigil", []string{"-", "--kernel=@twice", "--arg=buf:u32:1", "--arg=u32:1"}, 0, "arg0: u32: 2\n", ""},
		{"optimisation level", []string{"-", "-O7"}, 2, "", `-O must be one of "0","1","2","3" but got "7"`},
		{"scalar too small", []string{"-", "--arg=buf:u32:1", "--arg=u8:1"}, 1, "", "argument 1 has 1 bytes, parameter %n 4"},
		{"unknown flag", []string{"-", "--globol=1"}, 2, "", "globol"},
		{"emulator", []string{"-", "--exec=emu", "--arg=buf:u32:1", "--arg=u32:1"}, 0, "arg0: u32: 2\n", ""},
		{"emulator, another chip", []string{"-", "--exec=emu", "--mcpu=gfx942", "-O2", "--arg=buf:u32:1", "--arg=u32:1"}, 0, "arg0: u32: 2\n", ""},
		{"emulator without races", []string{"-", "--exec=emu", "--check-races"}, 2, "", "machine code has no races"},
		{"unknown chip", []string{"-", "--exec=emu", "--mcpu=gfx1"}, 2, "", "unknown --mcpu=gfx1"},
		{"missing file", []string{"/nowhere.pisa"}, 1, "", "/nowhere.pisa"},
		{"missing launch", []string{"--launch=/nowhere.json"}, 1, "", "/nowhere.json"},
		{"stats", []string{"-", "--stats=json", "--arg=buf:u32:1", "--arg=u32:1"}, 0, "arg0: u32: 2\n", `"loads":{"global":1,"param":2},"stores":{"global":1}`},
		{"stats as text", []string{"-", "--stats", "--arg=buf:u32:1", "--arg=u32:1"}, 0, "arg0: u32: 2\n", "1 global stores\n"},
		{"trace", []string{"-", "--trace", "--arg=buf:u32:1", "--arg=u32:1"}, 0, "arg0: u32: 2\n", "mask 00000001 @twice line 13 | "},
		{"diagnostics as JSON", []string{"-", "--diagnostics-format=json", "--arg=buf:u32:", "--arg=u32:1"}, 1, "", `"code":"PISA-R001"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := pisacRun(doubler, c.args...)
			require.Equal(t, c.code, code, stderr)
			require.Equal(t, c.stdout, stdout)
			require.Contains(t, stderr, c.stderr)
			if c.stderr == "" {
				require.Empty(t, stderr)
			}
		})
	}
}

// TestRunLaunch: a launch file is complete by itself, and is compared.
func TestRunLaunch(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	source := strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(doubler)
	launch := func(expect, pisa string) string {
		text := `{"name": "x", "kernel": "twice", "global": [4, 1, 1], "local": [4, 1, 1], "args": [{"kind": "buf", "type": "u32", "data": [1, 2, 3, 4294967295]}, {"kind": "scalar", "type": "u32", "value": 4}], "expect": [{"arg": 0, "type": "u32", "data": ` + expect + `}]`
		if pisa != "" {
			text += `, "pisa": "` + pisa + `"`
		}
		return text + "}"
	}
	code, stdout, stderr := pisacRun("", "--launch="+write("good.json", launch("[2, 4, 6, 4294967294]", source)))
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "arg0: u32: 2 4 6 4294967294\nall results are as expected\n", stdout)

	code, stdout, _ = pisacRun("", "--launch="+write("bad.json", launch("[2, 5, 6, 7]", source)))
	require.Equal(t, 1, code)
	require.Equal(t, "arg0: u32: 2 4 6 4294967294\narg0[1]: got 4, want 5 (0x00000004, 0x00000005)\narg0[3]: got 4294967294, want 7 (0xfffffffe, 0x00000007)\n", stdout)

	// The source may lie beside the launch file, or be named.
	path := write("two.json", launch("[2, 4, 6, 4294967294]", ""))
	code, _, stderr = pisacRun("", "--launch="+path)
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "holds no source")
	code, _, _ = pisacRun(doubler, "--launch="+path, "-")
	require.Equal(t, 0, code)
	write("two.pisa", doubler)
	code, _, _ = pisacRun("", "--launch="+path)
	require.Equal(t, 0, code)

	code, _, stderr = pisacRun("", "--launch="+write("broken.json", "{\n  \"kernel\": 5\n}"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "broken.json: 2:")
}

// TestRunIR: textual IR runs too, and gives what its assembly gives.
func TestRunIR(t *testing.T) {
	var ir, errs bytes.Buffer
	require.Equal(t, 0, Main([]string{"--emit=ir", "-o", "-", "-"}, strings.NewReader(doubler), &ir, &errs), errs.String())
	code, stdout, stderr := pisacRun(ir.String(), "-", "--global=2", "--arg=buf:u32:1,2", "--arg=u32:2")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "arg0: u32: 2 4\n", stdout)
}

// TestRunOptimised: the program may be run after passes.
func TestRunOptimised(t *testing.T) {
	for _, flag := range []string{"-O0", "-O1", "-O2", "-O3", "--passes=canonicalize,dce"} {
		code, stdout, stderr := pisacRun(doubler, "-", "--global=2", "--arg=buf:u32:1,2", "--arg=u32:2", flag)
		require.Equal(t, 0, code, stderr)
		require.Equal(t, "arg0: u32: 2 4\n", stdout)
	}
	code, _, stderr := pisacRun(doubler, "-", "--arg=buf:u32:1,2", "--arg=u32:2", "--passes=canonicalise")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "canonicalise")
	code, _, _ = pisacRun(doubler, "-", "-O4")
	require.Equal(t, 2, code)
}

// TestRunUnwritten: reads of unwritten registers warn in the program as it is
// written; after passes nobody knows them.
func TestRunUnwritten(t *testing.T) {
	source := ".version 0.1; .target 100;\n.kernel @k(.param[8] %p) { .reg .64b %q; .reg .32b %a, %l; .pred %t; ld.param.64b %q, [%p]; mov.32b %l, %localid.x; ucmp.eq.32b %t, %l, 0;\ngoto.cond %t, use;\nmov.32b %a, 5;\nuse:\nst.global.32b [%q], %a; return; }\n"
	code, stdout, stderr := pisacRun(source, "-", "--arg=buf:u32:7")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "arg0: u32: 0\n", stdout)
	require.Contains(t, stderr, "<stdin>:6:1: warning: read of a register that nothing has written on this path; it is zero [PISA-R019]")
	for _, flag := range []string{"-O2", "-w", "--passes=dce"} {
		code, stdout, stderr = pisacRun(source, "-", "--arg=buf:u32:7", flag)
		require.Equal(t, 0, code, stderr)
		require.Equal(t, "arg0: u32: 0\n", stdout)
		require.Empty(t, stderr, flag)
	}
	code, _, _ = pisacRun(source, "-", "--arg=buf:u32:7", "--werror")
	require.Equal(t, 1, code)
}

// TestRunLinked: several modules are linked.
func TestRunLinked(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.pisa"), filepath.Join(dir, "b.pisa")
	require.NoError(t, os.WriteFile(a, []byte(".version 0.1; .target 100;\n.import .function .32b @f(.reg .32b);\n.kernel @k(.param[8] %p) { .reg .64b %q; .reg .32b %a; ld.param.64b %q, [%p]; mov.32b %a, 20; call %a, @f(%a); st.global.32b [%q], %a; return; }\n"), 0o666))
	require.NoError(t, os.WriteFile(b, []byte(".version 0.1; .target 100;\n.export .function .32b @f(.reg .32b %x) { .reg .32b %r; iadd.32b %r, %x, 22; return %r; }\n"), 0o666))
	code, stdout, stderr := pisacRun("", a, b, "--arg=buf:u32:0")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "arg0: u32: 42\n", stdout)
	code, _, stderr = pisacRun("", a, "--arg=buf:u32:0")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "function @f has no body [PISA-R011]")
}

// TestExplainRun: the codes of run-time errors are explained.
func TestExplainRun(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, 0, Main([]string{"explain", "PISA-R007"}, nil, &out, &errs))
	require.Contains(t, out.String(), "barrier")
}
