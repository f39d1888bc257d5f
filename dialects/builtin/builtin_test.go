package builtin

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/ir"
)

var reg = ir.NewRegistry(Defs())

// check parses text and returns what the verifier reports.
func check(t *testing.T, text string) []string {
	t.Helper()
	src := &ir.Sources{}
	var ds ir.Diags
	m := ir.Parse(src, src.Add("t.pir", []byte(text)), reg, &ds)
	require.NotNil(t, m, "%v", ds.List)
	ir.Verify(m, &ds)
	var out []string
	for i := range ds.List {
		out = append(out, ds.List[i].Text)
	}
	return out
}

func TestRows(t *testing.T) {
	const head = "function @f(32b, 64b, pred) -> 32b {\n^bb0(%a: 32b, %b: 64b, %p: pred):\n"
	const tail = "\n}\nfunction @void(32b) import\nfunction @g(32b, 64b) -> 16b import\nkernel @k() {\n^bb0:\n  builtin.return\n}\n"
	for _, c := range []struct{ body, want string }{
		{"builtin.return %a", ""},
		{"builtin.return %b", "I12: builtin.return: returns 64b from a function that returns 32b"},
		{"builtin.return", "I12: builtin.return: returns none from a function that returns 32b"},
		{"builtin.unreachable", ""},
		{"builtin.cond_br %p, ^x, ^y\n^x:\n builtin.br ^y\n^y:\n builtin.unreachable", ""},
		{"builtin.cond_br %a, ^x, ^x\n^x:\n builtin.unreachable", "I9: builtin.cond_br: operand 0 (cond) is 32b, not pred"},
		{"builtin.call @void(%a)\n builtin.unreachable", ""},
		{"%x = builtin.call @g(%a, %b) : 16b\n builtin.unreachable", ""},
		{"builtin.call @g(%a, %b)\n builtin.unreachable", ""},
		{"%x = builtin.call @void(%a) : 32b\n builtin.unreachable", "I11: builtin.call: the result is 32b where the function returns none"},
		{"%x = builtin.call @g(%a, %b) : 32b\n builtin.unreachable", "I11: builtin.call: the result is 32b where the function returns 16b"},
		{"builtin.call @g(%a)\n builtin.unreachable", "I11: builtin.call: passes 1 arguments to a function of 2 parameters"},
		{"builtin.call @g(%a, %a)\n builtin.unreachable", "I11: builtin.call: argument 1 is 32b where the function takes 64b"},
		{"builtin.call @k()\n builtin.unreachable", "I8: builtin.call: the callee is not a device function"},
		{"%x = builtin.call_indirect %b(%a, %p) : v4.32b\n builtin.unreachable", ""},
		{"builtin.call_indirect %a()\n builtin.unreachable", "I9: builtin.call_indirect: operand 0 (callee) is 32b, not 64b"},
		{"%x, %y = builtin.parallel_copy %a, %b : 32b, 64b\n builtin.unreachable", ""},
		{"%x = builtin.parallel_copy %a, %b : 32b\n builtin.unreachable", "I6: builtin.parallel_copy: copies 2 values to 1 results"},
		{"%x, %y = builtin.parallel_copy %b, %a : 32b, 64b\n builtin.unreachable",
			"I9: builtin.parallel_copy: result 0 is 32b, not 64b|I9: builtin.parallel_copy: result 1 is 64b, not 32b"},
		{"%x = builtin.const -1 : v4.8b\n builtin.unreachable", ""},
	} {
		assert.Equal(t, c.want, strings.Join(check(t, head+c.body+tail), "|"), c.body)
	}
}

// The constructors build what the text says.
func TestConstructors(t *testing.T) {
	m := ir.NewModule(reg, nil)
	g := m.NewFunc("g", ir.FuncDevice)
	g.Linkage, g.Sig, g.Ret = ir.LinkImport, []ir.Type{ir.B8}, ir.B32
	v := m.NewFunc("v", ir.FuncDevice)
	v.Linkage = ir.LinkImport
	f := m.NewFunc("f", ir.FuncDevice)
	f.Ret = ir.B32
	b, x, y := f.NewBlock(), f.NewBlock(), f.NewBlock()
	arg := y.AddArg(ir.B32)
	var bl ir.Builder
	bl.AtEnd(b)
	c8 := ConstInt(&bl, ir.B8, 0x1ff)
	ConstInt(&bl, ir.Vector(4, ir.B32), 0x1ffffffff)
	wide := ConstWide(&bl, 1, 2)
	fp := ConstInt(&bl, ir.B64, 1<<63)
	p := ConstPred(&bl, true)
	ConstPred(&bl, false)
	r := CallFunc(&bl, g, c8)
	assert.Nil(t, CallFunc(&bl, v))
	r2 := CallPtr(&bl, fp, ir.B32, wide, r)
	assert.Nil(t, CallPtr(&bl, fp, ir.None))
	Branch(&bl, p, ir.Target{To: x}, ir.Target{To: y, Args: []*ir.Value{r2}})
	bl.AtEnd(x)
	Jump(&bl, y, r)
	bl.AtEnd(y)
	Ret(&bl, arg)
	assert.Equal(t, `
function @f() -> 32b {
^bb0:
  %0 = builtin.const 0xff : 8b
  %1 = builtin.const 0xffffffff : v4.32b
  %2 = builtin.const 0x20000000000000001 : 128b
  %3 = builtin.const 0x8000000000000000 : 64b
  %4 = builtin.const 0x1 : pred
  %5 = builtin.const 0x0 : pred
  %6 = builtin.call @g(%0) : 32b
  builtin.call @v()
  %7 = builtin.call_indirect %3(%2, %6) : 32b
  builtin.call_indirect %3()
  builtin.cond_br %4, ^bb1, ^bb2(%7)
^bb1:  // preds: ^bb0
  builtin.br ^bb2(%6)
^bb2(%8: 32b):  // preds: ^bb0, ^bb1
  builtin.return %8
}
`, "\n"+string(ir.AppendFunc(nil, f)))
	var ds ir.Diags
	assert.True(t, ir.Verify(m, &ds), "%v", ds.List)
	lo, ok := IsConst(wide)
	assert.True(t, ok && lo == 1)
	_, ok = IsConst(r)
	assert.False(t, ok)
	_, ok = IsConst(arg)
	assert.False(t, ok)

	// Props and Aux that no text can say.
	c8.Op().Props = 0x100
	p.Op().Aux = wide.Op().Aux
	ir.Verify(m, &ds)
	require.Len(t, ds.List, 2)
	assert.Equal(t, "I7: builtin.const: the value does not fit 8b", ds.List[0].Text)
	assert.Equal(t, "I8: builtin.const: only a 128b constant has an upper half", ds.List[1].Text)
}
