package ir

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTextRoundTrip(t *testing.T) {
	m := parseToy(t, toyText)
	assert.Equal(t, toyText, string(AppendText(nil, m)))
	assert.Empty(t, verifyErrors(m))

	var buf bytes.Buffer
	require.NoError(t, Print(&buf, m))
	assert.Equal(t, toyText, buf.String(), "streamed")
}

// What the text says, read off by hand.
func TestParsedModule(t *testing.T) {
	m := parseToy(t, toyText)
	assert.Equal(t, Version{0, 1}, m.Version)
	assert.Equal(t, "100ca", m.Target)
	require.Len(t, m.Vars, 4)
	tab := m.Vars[0]
	assert.Equal(t, SpaceConst, tab.Space)
	assert.Equal(t, uint64(22), tab.Size)
	assert.Equal(t, uint32(4), tab.Align)
	assert.Equal(t, LinkExport, tab.Linkage)
	assert.Equal(t, `a"b`, tab.Section)
	assert.Equal(t, "read", tab.HostAccess)
	assert.Equal(t, []Init{{Bytes: []byte{1, 2}}, {Zero: 4}, {Sym: tab.Symbol(), Off: 4}, {Sym: m.Func("f").Symbol(), Off: -8}}, tab.Init)
	assert.Equal(t, LinkImport, m.Vars[1].Linkage)
	assert.Nil(t, m.Vars[1].Init)
	assert.Equal(t, "odd name\n", m.Vars[2].Name)

	k := m.Func("k")
	assert.Equal(t, []Param{
		{Name: "a", Size: 8, Align: 8, Space: SpaceGlobal, PtrAlign: 4, Loc: k.Params[0].Loc},
		{Name: "0x y", Size: 3, Align: 1, Loc: k.Params[1].Loc}}, k.Params)
	assert.Equal(t, [3]uint32{64, 2, 1}, k.ReqdWorkGroupSize)
	assert.Equal(t, "int4", k.VecTypeHint)
	assert.Equal(t, m.Vars[3].Symbol(), k.Vars[1].Init[0].Sym, "@@S is the module's")

	var ops []*Op
	for o := k.Entry().First(); o != nil; o = o.Next() {
		ops = append(ops, o)
	}
	assert.Equal(t, Aux(2), ops[1].Aux)
	assert.Equal(t, k.Vars[0].Symbol(), ops[2].Aux, "@S is the local one")
	assert.Equal(t, m.Vars[3].Symbol(), ops[3].Aux)
	assert.Equal(t, uint64(0x2a), ops[5].Props)
	assert.Equal(t, uint64(1), m.Wide(ops[6].Aux))
	assert.Equal(t, uint64(0), ops[6].Props)
	assert.Equal(t, uint64(4), ops[11].Field(toyType))
	assert.Equal(t, uint64(1), ops[11].Field(toySat))
	assert.Equal(t, toyAddLong, ops[12].Code)
	q := ops[13]
	assert.Equal(t, []uint64{1, 7, 10, 1, 0},
		[]uint64{q.Field(toyMode), q.Field(toyIdx), q.Field(toyTab), q.Field(toyMust), q.Field(toyCC)})
	assert.Equal(t, uint64(2), ops[15].Field(toyCC), "the longest spelling counts")
	last := k.Entry().Last()
	assert.Equal(t, 1, last.NumPlainOperands())
	assert.Equal(t, 2, last.Succ(0).NumArgs())
	assert.Equal(t, ops[10].Result(0), last.Succ(0).Arg(1))
	assert.Equal(t, 3, k.LastBlock().NumPreds())
	assert.Equal(t, []string{"x"}, m.Func("f").ParamNames)
	assert.True(t, m.Func("g").IsDecl())
	pos := m.Sources.Position(q.Loc)
	assert.Equal(t, Position{"t.pir", 25, 3}, pos)
}

// Names, order and layout that the printer would not choose.
func TestParseFreely(t *testing.T) {
	m := parseToy(t, `kernel @k() { // no header
  ^start: %sum = t.const -1 :
     32b
  t.br ^"the end"(%late,
      %sum)
^mid: // unreachable, branched to from below
  %late=t.const 18446744073709551615:64b
  t.br ^mid
^"the end"(%007: 64b, %7: 32b):
  t.ret }
`)
	assert.Equal(t, `module version 1.0

kernel @k() {
^bb0:
  %0 = t.const 0xffffffff : 32b
  t.br ^bb2(%1, %0)
^bb1:  // preds: ^bb1
  %1 = t.const 0xffffffffffffffff : 64b
  t.br ^bb1
^bb2(%2: 64b, %3: 32b):  // preds: ^bb0
  t.ret
}
`, string(AppendText(nil, m)))
	k := m.Func("k")
	assert.Equal(t, "the end", k.LastBlock().Name)
	assert.Equal(t, []string{"I4: t.br: operand 0 is not dominated by its definition"}, verifyErrors(m))
}

func TestConstants(t *testing.T) {
	for _, c := range []struct {
		text   string
		lo, hi uint64
		ok     bool
	}{
		{"255 : 8b", 255, 0, true},
		{"256 : 8b", 0, 0, false},
		{"-128 : 8b", 128, 0, true},
		{"-129 : 8b", 0, 0, false},
		{"-0 : 8b", 0, 0, true},
		{"1 : pred", 1, 0, true},
		{"2 : pred", 0, 0, false},
		{"0xffff : 16b", 0xffff, 0, true},
		{"0x10000 : 16b", 0, 0, false},
		{"-9223372036854775808 : 64b", 1 << 63, 0, true},
		{"-9223372036854775809 : 64b", 0, 0, false},
		{"18446744073709551616 : 128b", 0, 0, false},
		{"0x10000000000000000 : 64b", 0, 0, false},
		{"0xffffffffffffffffffffffffffffffff : 128b", ^uint64(0), ^uint64(0), true},
		{"0x1ffffffffffffffffffffffffffffffff : 128b", 0, 0, false},
		{"-2 : 128b", ^uint64(1), ^uint64(0), true},
		{"1 : v2.32b", 1, 0, true}, // in each element
		{"0x100000000 : v2.32b", 0, 0, false},
		{"1.5 : 32b", 0, 0, false},
	} {
		m, out := tryToy("function @f() {\n^bb0:\n  %0 = t.const " + c.text + "\n  t.ret\n}\n")
		if !c.ok {
			assert.Contains(t, out, "t.pir:3:", c.text)
			assert.Contains(t, out, codeNumber, c.text)
			continue
		}
		require.Empty(t, out, c.text)
		o := m.Funcs[0].Entry().First()
		assert.Equal(t, c.lo, o.Props, c.text)
		assert.Equal(t, c.hi, m.Wide(o.Aux), c.text)
	}
}

// Every mistake is reported where it is, in one run, and nothing else is.
func TestParseErrors(t *testing.T) {
	const head = "kernel @k(param %a size 8) {\n^bb0:\n"
	for _, c := range []struct{ text, want string }{
		{"nonsense", "1:1 IR-E001 expected var, kernel or function"},
		{"\x80", "1:1 IR-E001 unexpected character"},
		{"module", "1:7 IR-E001 expected version"},
		{"module version 1", "1:16 IR-E006 a version is two numbers of at most 255"},
		{"module version 1.256\nvar @x", "1:16 IR-E006 a version is two numbers of at most 255|2:7 IR-E001 expected an address space"},
		{"module version 1.0 targer", "1:20 IR-E001 expected a new line"},
		{"module version 1.0\nmodule version 1.0", "2:1 IR-E001 expected var, kernel or function"},
		{"var x", "1:5 IR-E001 expected @name"},
		{"var @", "1:5 IR-E001 expected a name behind the sigil"},
		{"var @\"a\\g0\"", "1:5 IR-E001 a backslash needs two hexadecimal digits behind it"},
		{"var @\"a", "1:5 IR-E001 string without closing quote"},
		{"var @x moon size 1", "1:8 IR-E001 expected an address space"},
		{"var @x const big", "1:14 IR-E001 expected an attribute"},
		{"var @x const size -1", "1:19 IR-E001 expected a number"},
		{"var @x const size 9223372036854775808", "1:19 IR-E006 expected a number of at most 9223372036854775807"},
		{"var @x const align 4294967296", "1:20 IR-E006 expected a number of at most 4294967295"},
		{"var @x const section x", "1:22 IR-E001 expected a string"},
		{"var @x const = 1", "1:16 IR-E001 expected '{'"},
		{"var @x const = { 1 }", "1:18 IR-E001 expected bytes, zero or sym"},
		{"var @x const = { zero 1 zero 1 }", "1:25 IR-E001 expected ','"},
		{"var @x const = { bytes 0x1 }", "1:24 IR-E006 bytes are written 0x and two hexadecimal digits each"},
		{"var @x const = { bytes 0x1g }", "1:24 IR-E006 bytes are written 0x and two hexadecimal digits each"},
		{"var @x const = { sym x }", "1:22 IR-E001 expected @name"},
		{"var @x const = { sym @y }\nvar @x const", "2:5 IR-E005 redefinition of @x|1:22 IR-E004 undefined symbol @y"},
		{"kernel @k(32b)", "1:11 IR-E001 expected param"},
		{"kernel @k(param %a, param %a)", "1:27 IR-E005 redefinition of parameter %a"},
		{"kernel @k() -> 32b", "1:13 IR-E001 expected an attribute"},
		{"kernel @k() reqd_work_group_size(1, 2)", "1:38 IR-E001 expected ','"},
		{"function @f(32c)", "1:13 IR-E007 32c is not the type of a value"},
		{"function @f(none)", "1:13 IR-E007 none is not the type of a value"},
		{"function @f(32b) x {\n^bb0:\n  t.rot\n}", "1:18 IR-E001 expected an attribute|3:3 IR-E002 no op is called t.rot; did you mean t.ret?"},
		{"function @f(32b 64b) x\nfunction @f() -> none", "1:17 IR-E001 expected ','|2:10 IR-E005 redefinition of @f|2:18 IR-E007 none is not the type of a value"},
		{"kernel @k() {\n", "2:1 IR-E001 expected '}' before the end of the file"},
		{"kernel @k() {\n  t.ret\n}", "2:3 IR-E001 expected a variable or a block label"},
		{head + "  t.ret\n} x", "4:3 IR-E001 expected a new line"},
		{head + "  %0 = t.const\n  t.ret\n}", "3:15 IR-E001 expected a number"},
		{head + "  %0 = t.const 1\n  t.ret\n}", "3:8 IR-E008 1 results but 0 result types"},
		{head + "  t.const 1 : 32b\n  t.ret\n}", "3:3 IR-E008 0 results but 1 result types"},
		{head + "  %0 t.ret\n  t.ret\n}", "3:6 IR-E001 expected '='"},
		{head + "  %0 = t.nix %1 : 32b\n  t.ret %0\n}", "3:8 IR-E002 no op is called t.nix"},
		{head + "  t.nix\n  t.nix\n}", "3:3 IR-E002 no op is called t.nix|4:3 IR-E002 not an op (see the first t.nix)"},
		{head + "  t.ret.foo\n}", "3:3 IR-E003 t.ret does not have the qualifier .foo here"},
		{head + "  %0 = t.add %0, %0 : 32b\n}", "3:8 IR-E003 t.add needs the qualifier .type: one of .16b .32b .64b"},
		{head + "  %0 = t.add.32b.sat %0, %0 : 32b\n}", "3:8 IR-E003 t.add does not have the qualifier .sat here"},
		{head + "  t.quals.32.0x00.must\n}", "3:3 IR-E003 t.quals needs the qualifier .index"},
		{head + "  t.quals.1.0x100.must\n}", "3:3 IR-E003 t.quals needs the qualifier .table"},
		{head + "  t.quals.1.0x00\n}", "3:3 IR-E003 t.quals needs the qualifier .must: one of .must"},
		{head + "  t.ret %0\n}", "3:9 IR-E004 undefined value %0"},
		{head + "  t.br ^x\n  t.br ^x\n}", "3:8 IR-E004 undefined block ^x"},
		{head + "  t.br ^bb0(%0)\n  t.br ^bb0 ^bb0\n}", "4:13 IR-E001 expected a new line|3:13 IR-E004 undefined value %0"},
		{head + "  t.br ^bb0, %0\n}", "3:14 IR-E001 expected ^block"},
		{head + "  t.ret 5\n}", "3:9 IR-E001 expected a new line"},
		{head + "  t.store %0, %0\n}", "3:11 IR-E001 expected an address in brackets"},
		{head + "  t.ret [%0]\n}", "3:9 IR-E001 expected an operand"},
		{head + "  t.store [@k], %0\n}", "3:12 IR-E001 expected %base"},
		{head + "  %0 = t.param %b : 32b\n}", "3:16 IR-E004 undefined parameter %b"},
		{head + "  %0 = t.sym : 32b\n}", "3:14 IR-E001 expected @name"},
		{head + "  t.call @nix()\n}", "3:10 IR-E004 undefined symbol @nix"},
		{head + "  t.call @k(32b)\n}", "3:13 IR-E001 expected %name"},
		{head + "  t.icall ()\n}", "3:11 IR-E001 expected %callee"},
		{head + "^bb0:\n  t.ret\n}", "3:1 IR-E005 redefinition of ^bb0"},
		{head + "  t.ret\n^b(%0: 32b, %0: 64b):\n  t.ret\n}", "4:13 IR-E005 redefinition of %0"},
		{head + "  t.ret\n^b(%0: 32x):\n  t.ret %0\n}", "4:8 IR-E007 32x is not the type of a value"},
		{head + "  t.ret\n^b(%0 32b):\n  t.ret\n}", "4:7 IR-E001 expected ':'"},
		{head + "  t.ret\n^b\n  t.ret\n}", "4:3 IR-E001 expected ':'"},
		{head + "  ?\n  =\n  t.ret )\n}\n)", "3:3 IR-E001 unexpected character|4:3 IR-E001 expected an op|5:9 IR-E001 expected a new line|7:1 IR-E001 expected var, kernel or function"},
	} {
		src := &Sources{}
		var ds Diags
		m := Parse(src, src.Add("t.pir", []byte(c.text)), toyReg, &ds)
		assert.Nil(t, m, c.text)
		var got []string
		for _, d := range ds.List {
			pos := src.Position(d.Loc)
			got = append(got, string(appendUint(append(appendUint(nil, uint64(pos.Line)), ':'), uint64(pos.Col)))+" "+d.Code+" "+d.Text)
		}
		assert.Equal(t, c.want, strings.Join(got, "|"), c.text)
	}
}

// A number in the input buys no memory, and names cost what their text does.
func TestParseMemory(t *testing.T) {
	measure := func(text string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tryToy(text)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	assert.Less(t, measure(`var @x const size 9000000000000000000 align 1 = { zero 9000000000000000000 }
kernel @k(param %a size 4000000000) {
^bb999999999:
  %4000000000 = t.const 1 : 32b
  %999999999 = t.const 1 : 32b
  t.br ^bb888888888
^bb888888888:
  t.ret
}
`), uint64(64<<10))
	var sb strings.Builder
	const n = 2000
	for i := range n {
		sb.WriteString("function @f" + string(appendUint(nil, uint64(i))) + "() {\n^bb7:\n  t.ret\n}\n")
	}
	assert.Less(t, measure(sb.String())/n, uint64(6<<10), "bytes for a tiny function")
}

// Inputs that a careless lexer or a recursive parser would take ill.
func TestParseHostile(t *testing.T) {
	for _, text := range []string{
		"", "\x00", "//", "/", "@", "%", "^", `"`, "->", "-", "\r\n", "\xff\xfe",
		"kernel @k" + strings.Repeat("(", 100000),
		"kernel @k(){" + strings.Repeat("{", 100000),
		"kernel @k() {\n^b:\n" + strings.Repeat("[", 100000),
		"kernel @k() {\n^b:\n  " + strings.Repeat("a.", 500000),
		"kernel @k() {\n^b:\n  t.quals." + strings.Repeat("9", 500000),
		"kernel @k() {\n^b:\n  t.add" + strings.Repeat(".sat", 100000),
		"var @\"" + strings.Repeat("\\", 100001),
		strings.Repeat("\n", 100000),
		strings.Repeat("kernel @k() {\n", 5000),
		strings.Repeat("%1, ", 100000),
		strings.Repeat("var @x const = {", 10000),
	} {
		m, out := tryToy(text)
		if m == nil {
			assert.NotEmpty(t, out)
			assert.Less(t, len(out), 400*(DefaultErrorLimit+1))
		}
	}
}

func TestLocationsAsComments(t *testing.T) {
	m := parseToy(t, "function @f() {\n^go:\n  t.ret\n}\n")
	var buf bytes.Buffer
	p := NewPrinter(&buf)
	p.Locs = true
	require.NoError(t, p.Func(m.Funcs[0]))
	assert.Equal(t, "function @f() {\n^bb0:  // label go\n  t.ret  // t.pir:3:3\n}\n", buf.String())
	assert.Equal(t, "t.ret", m.Funcs[0].Entry().First().String())
}

// A comment stays short even if a block has very many predecessors.
func TestManyPreds(t *testing.T) {
	var sb strings.Builder
	sb.WriteString("kernel @k() {\n^bb0:\n  t.br ^end\n")
	for i := range 40 {
		sb.WriteString("^b" + string(appendUint(nil, uint64(i))) + ":\n  t.br ^end\n")
	}
	sb.WriteString("^end:\n  t.ret\n}\n")
	out := string(AppendText(nil, parseToy(t, sb.String())))
	assert.Contains(t, out, "// preds: ^bb0, ^bb1, ^bb2, ^bb3, ^bb4, ^bb5, ^bb6, ^bb7, ^bb8, ^bb9, ^bb10, ^bb11, ^bb12, ^bb13, ^bb14, ^bb15 and 25 more\n")
	assert.Equal(t, out, string(AppendText(nil, parseToy(t, out))))
}
