package e2e

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/host"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
)

// words is a buffer of 32-bit words.
func words(v ...uint32) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

// simple is a launch of global work-items in groups of local, with one buffer
// of n words.
func simple(global, local uint64, n int) *interp.Launch {
	return &interp.Launch{Global: [3]uint64{global, 1, 1}, Local: [3]uint64{local, 1, 1}, WarnUnwritten: true,
		Args: []host.Arg{{Data: make([]byte, 4*n)}}}
}

// kernel wraps a body that finds its buffer in %p and its global id in %gid;
// line 1 of body is line 1 of the module.
func kernel(decls, body string) string {
	return "" + `.version 0.1; .target 100; ` + decls + ` .kernel @k(.param[8] .addrspace(global) %buf) { .reg .64b %p, %q, %off; .reg .32b %gid, %lid, %a, %b, %c, %d; .pred %t; ld.param.64b %p, [%buf]; mov.32b %lid, %localid.x; umad.32b %gid, %groupid.x, %localsize.x, %localid.x;
` + strings.TrimPrefix(body, "\n") + "}\n"
}

// fail runs source and returns the messages, which must hold an error.
func fail(t *testing.T, source string, l *interp.Launch) string {
	m := build(t, "k.pisa", source)
	var ds ir.Diags
	st := interp.Run(m, l, &ds)
	text := diags(m.Sources, ds.List)
	require.Nil(t, st, "the run succeeded: %s", text)
	require.True(t, ds.HasErrors())
	return text
}

// TestFaults triggers every error; want are parts of the message in order: the
// line of the cause (the body starts on line 2), the cause, the work-item.
func TestFaults(t *testing.T) {
	cases := []struct {
		name, decls, body string
		launch            *interp.Launch
		want              []string
	}{
		{"load past a buffer", "", "zext.64b.32b %off, %gid;\nshl.64b %off, %off, 2;\nld.global.32b %a, [%p + %off];\nreturn;\n",
			simple(64, 32, 40),
			[]string{"k.pisa:4: error: out-of-bounds load of 4 bytes at global address 0x1000000000a0, 0 bytes past the end of argument 0 (160 bytes) [PISA-R001]",
				"work-item global (40,0,0), local (8,0,0) of work-group (1,0,0)"}},
		{"load over the end", "", "ld.global.64b %q, [%p];\nreturn;\n", simple(1, 1, 1),
			[]string{"k.pisa:2:", "4 of its bytes past the end of argument 0 (4 bytes)", "(0,0,0)"}},
		{"store before a buffer", "", "st.global.32b [%p - 4], %a;\nreturn;\n", simple(1, 1, 1),
			[]string{"k.pisa:2:", "out-of-bounds store", "4 bytes before argument 0"}},
		{"null", "", "mov.64b %q, 0;\nld.generic.32b %a, [%q];\nreturn;\n", simple(1, 1, 1),
			[]string{"k.pisa:3:", "generic address 0x0, the null pointer"}},
		{"past a shared variable", "", ".shared .align 4 @S[8]; .shared .align 4 @T[8];\nld.shared.32b %a, [@S + 8];\nreturn;\n", simple(1, 1, 1),
			[]string{"k.pisa:3:", "out-of-bounds load of 4 bytes at shared address", "0 bytes past the end of @S (8 bytes)"}},
		{"past a private variable", "", ".private .align 4 @P[8];\naddrof.32b %a, @P;\nst.private.32b [%a + 8], %b;\nreturn;\n", simple(40, 40, 1),
			[]string{"k.pisa:4:", "out-of-bounds store of 4 bytes at private address", "0 bytes past the end of @P (8 bytes)", "local (0,0,0)"}},
		{"private variable of a function that returned", ".function .32b @f() { .private .align 4 @P[8]; .reg .32b %r; addrof.32b %r, @P; return %r; }",
			"call %a, @f();\nld.private.32b %b, [%a];\nreturn;\n", simple(1, 1, 1), []string{"k.pisa:3:", "out-of-bounds load"}},
		{"kernel argument", "", "mov.32b %a, 4096;\nld.param.32b %b, [%buf + %a];\nreturn;\n", simple(1, 1, 1),
			[]string{"k.pisa:3:", "offset 4096 of the kernel's arguments"}},
		{"misaligned", "", "ld.global.32b %a, [%p + 2];\nreturn;\n", simple(1, 1, 2),
			[]string{"k.pisa:2:", "misaligned load of 4 bytes at global address 0x100000000002, which is not a multiple of 4 [PISA-R002]"}},
		{"misaligned vector of halves", "", ".reg .v2.16b %v; ld.global.v2.16b %v, [%p + 2];\nreturn;\n", simple(1, 1, 2),
			[]string{"k.pisa:2:", "misaligned", "multiple of 4"}},
		{"store to constant memory", ".const .align 4 @C[4] = { .32b 7 };", "addrcast.generic.const %q, @C;\nst.generic.32b [%q], %a;\nreturn;\n", simple(1, 1, 1),
			[]string{"k.pisa:3:", "store to constant memory", "into @C [PISA-R003]"}},
		{"atomic on constant memory", ".const .align 4 @C[4] = { .32b 7 };", "addrof.64b %q, @C;\niatom.global.relaxed.inc.32b %a, [%q];\nreturn;\n", simple(1, 1, 1),
			[]string{"k.pisa:3:", "atomic to constant memory"}},
		{"private pointer of another work-item", "", `.private .align 4 @P[8]; .shared .align 8 @S[8]; .reg .64b %g;
ucmp.ne.32b %t, %lid, 0;
goto.cond %t, wait;
addrof.32b %a, @P; addrcast.generic.private %g, %a; st.shared.64b [@S], %g;
wait:
barrier.workgroup;
ld.shared.64b %g, [@S];
ld.generic.32b %a, [%g];
return;
`, simple(2, 2, 1), []string{"k.pisa:9:", "a private pointer of another work-item [PISA-R004]", "local (1,0,0)"}},
		{"raw private pointer of another work-item", "", `.private .align 4 @P[8]; .shared .align 8 @S[8];
ucmp.ne.32b %t, %lid, 0;
goto.cond %t, wait;
addrof.32b %a, @P; st.shared.32b [@S], %a;
wait:
barrier.workgroup;
ld.shared.32b %a, [@S];
ld.private.32b %a, [%a];
return;
`, simple(2, 2, 1), []string{"k.pisa:9:", "of another work-item of the work-group [PISA-R004]", "local (1,0,0)"}},
		{"shared pointer of another work-group", "", `.shared .align 4 @S[8]; .reg .64b %g;
mov.32b %a, %groupid.x;
ucmp.ne.32b %t, %a, 0;
goto.cond %t, second;
addrof.32b %a, @S; addrcast.generic.shared %g, %a; st.global.release.gpu.64b [%p], %g; return;
second:
ld.global.acquire.gpu.64b %g, [%p];
ucmp.eq.64b %t, %g, 0;
goto.cond %t, second;
addrcast.shared.generic %a, %g;
return;
`, simple(2, 1, 2), []string{"k.pisa:11:", "a shared pointer of another work-group [PISA-R004]", "work-group (1,0,0)"}},
		{"division by zero", "", "isub.32b %b, %gid, 3;\nudiv.32b %a, 1, %b;\nreturn;\n", simple(8, 8, 1),
			[]string{"k.pisa:3: error: division by zero [PISA-R005]", "work-item global (3,0,0), local (3,0,0)"}},
		{"remainder by zero", "", "mov.32b %b, 0;\nsdiv.rem.32b %a, 1, %b;\nreturn;\n", simple(1, 1, 1), []string{"k.pisa:3:", "division by zero"}},
		{"dynamic index", "", ".reg .v4.32b %v; extract.dynamic.v4.32b %a, %v, %gid;\nst.global.32b [%p], %a; return;\n", simple(8, 8, 1),
			[]string{"k.pisa:2: error: index 4 of a vector of 4 elements [PISA-R006]", "global (4,0,0)"}},
		{"dynamic index of an insert", "", ".reg .v2.32b %v; insert.dynamic.v2.32b %v, %a, %gid;\nextract.0.32b %a, %v; st.global.32b [%p], %a; return;\n", simple(8, 8, 1),
			[]string{"index 2 of a vector of 2 elements", "global (2,0,0)"}},
		{"barrier in one arm", "", "ucmp.lt.32b %t, %lid, 5;\ngoto.cond %t, low;\nbarrier.workgroup;\ngoto end;\nlow:\nmov.32b %a, 1;\nend:\nbarrier.workgroup;\nreturn;\n", simple(8, 8, 1),
			[]string{"barrier that not all work-items of the work-group execute [PISA-R007]", "work-items"}},
		{"different barriers in two sub-groups", "", "ucmp.lt.32b %t, %lid, 32;\ngoto.cond %t, low;\nbarrier.workgroup;\nreturn;\nlow:\nbarrier.workgroup;\nreturn;\n", simple(64, 64, 1),
			[]string{"[PISA-R007]", "k.pisa:7: note: work-items 0, 1, 2, 3, 4, 5, 6, 7 and 24 more", "k.pisa:4: note: work-items 32, 33"}},
		{"barrier in a loop of different length", "", "mov.32b %a, 0;\nagain:\nbarrier.workgroup;\niadd.32b %a, %a, 1;\nucmp.lt.32b %t, %a, %lid;\ngoto.cond %t, again;\nbarrier.workgroup;\nreturn;\n", simple(8, 8, 1),
			[]string{"[PISA-R007]"}},
		{"deadlock on a flag", "", "wait:\nld.global.relaxed.32b %a, [%p];\nucmp.eq.32b %t, %a, 0;\ngoto.cond %t, wait;\nreturn;\n", simple(64, 32, 1),
			[]string{"k.pisa:3: error: deadlock: no work-item can advance [PISA-R008]", "work-items 0, 1, 2, 3, 4, 5, 6, 7 and 24 more (local ids) of work-group (0,0,0) spin here"}},
		{"deadlock at a barrier", "", "ucmp.lt.32b %t, %lid, 32;\ngoto.cond %t, low;\nspin:\nld.global.relaxed.32b %a, [%p];\nucmp.eq.32b %t, %a, 0;\ngoto.cond %t, spin;\nlow:\nbarrier.workgroup;\nreturn;\n", simple(64, 64, 1),
			[]string{"[PISA-R008]", "wait at this barrier"}},
		{"lock never released", "", "mov.32b %a, 0; mov.32b %b, 1;\ntake:\niatom.global.acquire.gpu.cas.32b %c, [%p], %a, %b;\nucmp.ne.32b %t, %c, 0;\ngoto.cond %t, take;\nreturn;\n", simple(64, 32, 1),
			[]string{"k.pisa:4: error: deadlock"}},
		{"endless loop", "", "again:\niadd.32b %a, %a, 1;\ngoto again;\n", &interp.Launch{MaxSteps: 10000, Args: []host.Arg{{Data: words(0)}}},
			[]string{"the run has not ended after", "[PISA-R009]"}},
		{"endless recursion", ".function .32b @f(.reg .32b %x) { .reg .32b %r; call %r, @f(%x); return %r; }", "call %a, @f(%a);\nreturn;\n", simple(1, 1, 1),
			[]string{"k.pisa:1: error: calls nest more than 512 deep [PISA-R010]"}},
		{"call of no function", "", "call void, %p();\nreturn;\n", simple(1, 1, 1), []string{"k.pisa:2:", "which is not the address of a function [PISA-R011]"}},
		{"call with another signature", ".function .32b @f(.reg .32b %x) { return %x; }", "addrof.64b %q, @f;\ncall void, %q();\nreturn;\n", simple(1, 1, 1),
			[]string{"k.pisa:3:", "call of @f through a pointer: it takes another number of arguments [PISA-R011]"}},
		{"empty mask", "", "mov.32b %b, 0;\nredfirstidx.32b %a, %b;\nreturn;\n", simple(1, 1, 1), []string{"k.pisa:3:", "redfirstidx of mask 0x0", "[PISA-R013]"}},
		{"too much private memory", "", ".private .align 4 @P[17000000];\naddrof.32b %a, @P; st.private.32b [%a], %b; return;\n", simple(256, 256, 1), []string{"[PISA-R014]"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := fail(t, kernel(c.decls, c.body), c.launch)
			rest := got
			for _, w := range c.want {
				i := strings.Index(rest, w)
				require.GreaterOrEqual(t, i, 0, "%q is not in\n%s", w, got)
				rest = rest[i+len(w):]
			}
		})
	}
}

// TestUninitialised: reads of memory that nothing wrote warn, and give zero.
func TestUninitialised(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{".shared .align 4 @S[8];\nst.shared.32b [@S], %gid;\nld.shared.32b %a, [@S + 4];\nst.global.32b [%p], %a; return;\n",
			"k.pisa:4: warning: load of 4 bytes at shared address 0x4 that nothing has written [PISA-R016]"},
		{".private .align 4 @P[8];\naddrof.32b %b, @P;\nld.private.8b %h, [%b + 1];\nzext.32b.8b %a, %h; st.global.32b [%p], %a; return;\n",
			"k.pisa:4: warning: load of 1 bytes at private address"},
	} {
		m := build(t, "k.pisa", kernel("", ".reg .8b %h; "+c.body))
		l := simple(1, 1, 1)
		l.Args[0].Data = words(9)
		var ds ir.Diags
		require.NotNil(t, interp.Run(m, l, &ds))
		require.Contains(t, diags(m.Sources, ds.List), c.want)
		require.Equal(t, words(0), l.Args[0].Data)
	}
}

// TestWritten: no warning once every byte has been written.
func TestWritten(t *testing.T) {
	m := build(t, "k.pisa", kernel("", ".shared .align 4 @S[8]; .reg .16b %h;\nmov.16b %h, 0x1234; st.shared.16b [@S], %h; st.shared.16b [@S + 2], %h;\nld.shared.32b %a, [@S];\nst.global.32b [%p], %a; return;\n"))
	l := simple(1, 1, 1)
	var ds ir.Diags
	require.NotNil(t, interp.Run(m, l, &ds))
	for _, d := range ds.List {
		require.NotContains(t, d.Code, "PISA-R")
	}
	require.Equal(t, words(0x12341234), l.Args[0].Data)
}

// TestUnwrittenRegister: a register that one path leaves unwritten warns where
// it is read on that path, and only there; what the front end has warned of is
// not repeated.
func TestUnwrittenRegister(t *testing.T) {
	for _, c := range []struct {
		name, decls, body string
		lines             []int
	}{
		{"one path", "", "ucmp.eq.32b %t, %lid, 5;\ngoto.cond %t, skip;\nmov.32b %a, 5;\nskip:\nst.global.32b [%p], %a;\nreturn;\n", []int{6}},
		{"path not taken", "", "ucmp.eq.32b %t, %lid, 50;\ngoto.cond %t, skip;\nmov.32b %a, 5;\nskip:\nst.global.32b [%p], %a;\nreturn;\n", nil},
		{"through copies and a loop", "", "mov.32b %c, 0;\nagain:\nucmp.eq.32b %t, %c, 2; goto.cond %t, use;\nucmp.eq.32b %t, %lid, 3; goto.cond %t, next;\nmov.32b %a, %c;\nnext:\niadd.32b %c, %c, 1; goto again;\nuse:\nmov.32b %b, %a;\niadd.32b %b, %b, 1;\nst.global.32b [%p], %b;\nreturn;\n", []int{11}},
		{"as an argument", ".function void @f(.reg .32b %x) { return; }", "ucmp.eq.32b %t, %lid, 5;\ngoto.cond %t, skip;\nmov.32b %a, 5;\nskip:\ncall void, @f(%a);\nreturn;\n", []int{6}},
		{"as a condition", "", ".pred %u; ucmp.eq.32b %t, %lid, 5;\ngoto.cond %t, skip;\nucmp.eq.32b %u, %lid, 1;\nskip:\ngoto.cond %u, out;\nout:\nreturn;\n", []int{6}},
		{"vector built element by element", "", ".reg .v4.32b %v; insert.0.32b %v, %lid; insert.1.32b %v, %lid; insert.2.32b %v, %lid; insert.3.32b %v, %lid;\nst.global.v4.32b [%p], %v;\nreturn;\n", nil},
		{"vector with a hole", "", ".reg .v4.32b %v; insert.0.32b %v, %lid; insert.1.32b %v, %lid; insert.3.32b %v, %lid;\nst.global.v4.32b [%p], %v;\nreturn;\n", []int{3}},
		{"never written", "", "st.global.32b [%p], %a;\nreturn;\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, front := buildWarned(t, "k.pisa", kernel(c.decls, c.body))
			var ds ir.Diags
			ds.Append(front)
			l := simple(8, 8, 4)
			require.NotNil(t, interp.Run(m, l, &ds), "%s", diags(m.Sources, ds.List))
			var lines []int
			for _, d := range ds.List {
				if d.Code == "PISA-R019" {
					lines = append(lines, m.Sources.Position(d.Loc).Line)
				}
			}
			require.Equal(t, c.lines, lines, "%s", diags(m.Sources, ds.List))
		})
	}
}

// TestCorpusIsDefined: no program of the corpus reads what nothing wrote.
func TestCorpusIsDefined(t *testing.T) {
	for _, dir := range []string{"kernels", "llvm-style", "conformance"} {
		for _, p := range programs(t, dir) {
			var ds ir.Diags
			require.NotNil(t, interp.Run(p.module, request(p.launch), &ds))
			require.Empty(t, ds.List, "%s: %s", p.name, diags(p.module.Sources, ds.List))
		}
	}
}

// TestOverRead: a vector load may run up to 12 bytes over an object, reading
// zeros, unless strict bounds are asked for (digest 13).
func TestOverRead(t *testing.T) {
	src := kernel("", ".reg .v4.32b %v; ld.global.v4.32b %v, [%p + 4];\nextract.0.32b %a, %v; extract.3.32b %b, %v; iadd.32b %a, %a, %b; st.global.32b [%p], %a; return;\n")
	l := simple(1, 1, 2)
	l.Args[0].Data = words(0, 5)
	var ds ir.Diags
	require.NotNil(t, interp.Run(build(t, "k.pisa", src), l, &ds), "%v", ds.List)
	require.Equal(t, words(5, 5), l.Args[0].Data)
	l.StrictBounds = true
	require.Contains(t, fail(t, src, l), "12 of its bytes past the end of argument 0")
	far := kernel("", ".reg .v8.32b %v; ld.global.v8.32b %v, [%p + 4];\nreturn;\n")
	require.Contains(t, fail(t, far, simple(1, 1, 2)), "28 of its bytes past the end")
}

// TestBadLaunch: what the host gives must fit the kernel.
func TestBadLaunch(t *testing.T) {
	src := kernel("", "return;\n")
	for _, c := range []struct {
		want string
		l    interp.Launch
	}{
		{"takes 1 arguments, 0 are given", interp.Launch{}},
		{"no kernel is called @x", interp.Launch{Kernel: "x"}},
		{"argument 0 has 16 bytes", interp.Launch{Args: []host.Arg{{Kind: host.ArgScalar, Data: make([]byte, 16)}}}},
		{"needs 4", interp.Launch{Args: []host.Arg{{Kind: host.ArgShared, Size: 4}}}},
		{"too large", interp.Launch{Local: [3]uint64{1 << 17, 1, 1}}},
	} {
		require.Contains(t, fail(t, src, &c.l), c.want)
	}
	two := ".version 0.1; .target 100; .kernel .reqd_work_group_size(8, 1, 1) @a() { return; } .kernel @b() { return; }"
	require.Contains(t, fail(t, two, &interp.Launch{}), "several kernels")
	require.Contains(t, fail(t, two, &interp.Launch{Kernel: "a", Local: [3]uint64{4, 1, 1}}), "requires work-groups of 8x1x1, not 4x1x1")
}

// TestHuge: a variable larger than any memory is refused before it is made.
func TestHuge(t *testing.T) {
	for _, v := range []string{".global @G[9223372036854775807];", ".const @C[9223372036854775807] = { .zero 9223372036854775807 };"} {
		require.Contains(t, fail(t, kernel(v, "return;\n"), simple(1, 1, 1)), "9223372036854775807 bytes: a run has at most 8589934592 bytes")
	}
	for _, v := range []string{".shared @S[4294967296];", ".private @P[9223372036854775807];", ".shared .align 1073741824 @S[4];"} {
		require.Contains(t, fail(t, kernel("", v+"\nreturn;\n"), simple(1, 1, 1)), "a run has at most")
	}
	l := simple(1, 1, 1)
	l.Args = []host.Arg{{Kind: host.ArgShared, Size: 1 << 40}}
	require.Contains(t, fail(t, ".version 0.1; .target 100; .kernel @k(.param[4] %s) { return; }", l), "at most 16777216 bytes of shared")
}

// TestKinds: every error has a code of its own and an explanation.
func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for i, k := range interp.Kinds {
		require.Equal(t, fmt.Sprintf("PISA-R%03d", i+1), k.Code)
		require.NotEmpty(t, k.Doc)
		require.False(t, seen[k.Code])
		seen[k.Code] = true
	}
}

// TestEndOfFunction: version 1.0 lets control reach the end of a function that
// returns a value; whoever gets there is told.
func TestEndOfFunction(t *testing.T) {
	source := `.version 1.0; .target 100;
.function .32b @f(.reg .32b %x)
{
  .pred %t;
  ucmp.ne.32b %t, %x, 2;
  return.cond %t, %x;
}
.kernel @k(.param[8] .addrspace(global) %buf)
{
  .reg .64b %p; .reg .32b %a;
  ld.param.64b %p, [%buf];
  mov.32b %a, %localid.x;
  call %a, @f(%a);
  st.global.32b [%p], %a;
}
`
	got := fail(t, source, simple(4, 4, 1))
	require.Contains(t, got, "k.pisa:7: error: the end of function @f, which returns a value, was reached [PISA-R012]")
	require.Contains(t, got, "local (2,0,0)")
	m := build(t, "k.pisa", source)
	var ds ir.Diags
	require.NotNil(t, interp.Run(m, simple(2, 2, 1), &ds), "work-items 0 and 1 return")
}
