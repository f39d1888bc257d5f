package asm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/ir"
)

// linked links modules; the diagnostics as "file:line CODE".
func linkAll(t *testing.T, whole bool, texts ...string) (*Program, []string) {
	t.Helper()
	src, ds := &ir.Sources{}, &ir.Diags{}
	var files []*File
	for i, text := range texts {
		files = append(files, Parse(src.Add(fmt.Sprint("m", i), []byte(text)), Options{}, ds))
	}
	require.False(t, ds.HasErrors(), "%v", ds.List)
	var errs ir.Diags
	p := Link(files, &errs)
	if whole {
		p.RequireDefinitions(&errs)
	}
	var got []string
	for _, d := range errs.List {
		pos := src.Position(d.Loc)
		got = append(got, fmt.Sprintf("%s:%d %s", pos.File, pos.Line, strings.TrimPrefix(d.Code, "PISA-")))
	}
	return p, got
}

func TestLinkBindsImports(t *testing.T) {
	p, errs := linkAll(t, true, head01+`
.import .function .32b @twice(.reg .32b);
.import .global .align 16 @counter[4];
.const @Ptr[16] = { .64b @twice, .64b @counter+4 };
.kernel @main() {
  .reg .32b %r;
  .reg .64b %d;
  call %r, @twice(%r);
  ld.global.32b %r, [@counter];
  addrof.64b %d, @twice;
}
`, head01+`
.export .function .32b @twice(.reg .32b %x) {
  iadd.32b %x, %x, %x;
  return %x;
}
.export .global .align 4 @counter[4] = { .32b 1 };
.function void @user() {
  .reg .32b %r;
  call %r, @twice(%r);
}
`)
	require.Empty(t, errs)
	var names []string
	for _, v := range p.Vars {
		names = append(names, v.Name)
	}
	for _, f := range p.Funcs {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"Ptr", "counter", "main", "twice", "user"}, names)
	counter, main, twice := p.Vars[1], p.Funcs[0], p.Funcs[1]
	require.EqualValues(t, 16, counter.Align, "the importer relies on its alignment")
	for _, s := range main.Syms {
		require.True(t, s.Func == twice || s.Var == counter, s.Name)
	}
	require.Same(t, twice, p.Vars[0].Init[0].Sym.Func)
	require.Same(t, counter, p.Vars[0].Init[1].Sym.Var)
}

func TestLinkErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		a, b    string
		partial []string // without RequireDefinitions
		whole   []string
	}{
		{name: "majors differ", a: head01, b: head10, partial: []string{"m1:1 E070"}},
		{name: "unresolved", a: head01 + ".import .function void @f();\n.import .global @v[4];\n", b: head01,
			whole: []string{"m0:4 E072", "m0:3 E072"}},
		{name: "the function is local", a: head01 + ".import .function void @f();\n", b: head01 + ".function void @f() {\n}\n",
			whole: []string{"m0:3 E072"}},
		{name: "exported twice", a: head01 + ".export .global @v[4];\n", b: head01 + "\n.export .global @v[4];\n", partial: []string{"m1:4 E073"}},
		{name: "variable and function", a: head10 + ".export .global @v[4];\n", b: head10 + ".export .function void @v() {\n}\n", partial: []string{"m1:3 E073"}},
		{name: "functions in 0.1", a: head01 + ".export .function void @f() {\n}\n", b: head01 + ".export .function void @f() {\n}\n", partial: []string{"m1:3 E073"}},
		{name: "functions in 1.0", a: head10 + ".export .function void @f() {\n}\n", b: head10 + ".export .function void @f() {\n}\n"},
		{name: "functions that differ in 1.0", a: head10 + ".export .function void @f() {\n}\n", b: head10 + ".export .function void @f(.reg .32b %x) {\n}\n", partial: []string{"m1:3 E073"}},
		{name: "kernels", a: head10 + ".kernel @k() {\n}\n", b: head10 + ".kernel @k() {\n}\n", partial: []string{"m1:3 E073"}},
		{name: "kernel and export", a: head01 + ".kernel @k() {\n}\n", b: head01 + ".export .global @k[4];\n", partial: []string{"m1:3 E073"}},
		{name: "signature", a: head01 + ".import .function void @f(.reg .32b);\n", b: head01 + ".export .function void @f(.reg .64b %x) {\n}\n", partial: []string{"m0:3 E074"}},
		{name: "return type", a: head01 + ".import .function void @f();\n", b: head01 + ".export .function .32b @f() {\n  return 1;\n}\n", partial: []string{"m0:3 E074"}},
		{name: "size", a: head01 + ".import .global @v[4];\n", b: head01 + ".export .global @v[8];\n", partial: []string{"m0:3 E074"}},
		{name: "space", a: head01 + ".import .const @v[4];\n", b: head01 + ".export .global @v[4];\n", partial: []string{"m0:3 E074"}},
		{name: "kind", a: head01 + ".import .function void @v();\n", b: head01 + ".export .global @v[4];\n", partial: []string{"m0:3 E074"}},
		{name: "two imports differ", a: head01 + ".import .global @v[4];\n", b: head01 + ".import .global @v[8];\n", partial: []string{"m1:3 E074"},
			whole: []string{"m1:3 E074", "m0:3 E072"}},
		{name: "two imports agree", a: head01 + ".import .global @v[4];\n", b: head01 + ".import .global @v[4];\n", whole: []string{"m0:3 E072"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got := linkAll(t, false, c.a, c.b)
			require.Equal(t, c.partial, got)
			_, got = linkAll(t, true, c.a, c.b)
			if c.whole == nil {
				c.whole = c.partial
			}
			require.Equal(t, c.whole, got)
		})
	}
}

// TestLinkKeepsLocalsApart: what is local to its module stays so, under a name
// of its own.
func TestLinkKeepsLocalsApart(t *testing.T) {
	one := `
.global @x[4] = { .32b 1 };
.function .64b @get() {
  .reg .64b %d;
  addrof.64b %d, @x;
  return %d;
}
`
	p, errs := linkAll(t, true, head10+one+".global @x.1[4];\n.kernel @a() {\n  .reg .64b %d;\n  call %d, @get();\n}\n", head10+one+".kernel @b() {\n  .reg .64b %d;\n  call %d, @get();\n}\n",
		head10+".export .global @x[8];\n.export .function void @get() {\n}\n")
	require.Empty(t, errs)
	seen := make(map[string]bool)
	for _, v := range p.Vars {
		require.False(t, seen[v.Name], v.Name)
		seen[v.Name] = true
	}
	for _, f := range p.Funcs {
		require.False(t, seen[f.Name], f.Name)
		seen[f.Name] = true
	}
	require.True(t, seen["x"] && seen["x.1"] && seen["x.2"] && seen["x.3"] && seen["get"] && seen["get.1"] && seen["get.2"], "%v", seen)
	exported := p.Files[2].Vars[0]
	require.Equal(t, "x", exported.Name)
	for i, f := range p.Files[:2] {
		get := f.Funcs[0]
		require.Same(t, f.Vars[0], get.Syms[0].Var, "module %d", i)
		require.Same(t, get, f.Funcs[1].Syms[0].Func)
	}
}

func TestLinkJoinsTargets(t *testing.T) {
	p, errs := linkAll(t, true, ".version 0.1;\n.target 100;\n", ".version 0.1;\n.target 100ca;\n", ".version 0.1;\n.target 100c;\n")
	require.Empty(t, errs)
	require.Equal(t, "100ca", p.Target)
	require.Equal(t, ir.Version{Minor: 1}, p.Version)
}

// TestLinkInlineFunctions: C++ inline functions come from several modules of
// version 1.0; the first one is kept.
func TestLinkInlineFunctions(t *testing.T) {
	mod := func(k string) string {
		return head10 + ".export .function .32b @inline(.reg .32b %x) {\n  return %x;\n}\n.kernel @" + k + "() {\n  .reg .32b %r;\n  call %r, @inline (%r);\n}\n"
	}
	p, errs := linkAll(t, true, mod("a"), mod("b"))
	require.Empty(t, errs)
	require.Len(t, p.Funcs, 3)
	first := p.Funcs[0]
	for _, f := range p.Files {
		require.Same(t, first, f.Funcs[1].Syms[0].Func)
	}
}
