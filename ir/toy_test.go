package ir

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A dialect of the tests: one op for each thing that a row can say.
const (
	toyBr Code = iota + 1
	toyCond
	toySwitch
	toyRet
	toyConst
	toyAdd
	toyAddLong
	toyQuals
	toyCopy
	toySym
	toyParam
	toyLoad
	toyStore
	toyCall
	toyICall
	toyPair
	toyHook
)

var (
	toyType = Field{0, 3}
	toySat  = Field{3, 1}
	toyMode = Field{4, 2}
	toyIdx  = Field{6, 5}
	toyTab  = Field{11, 8}
	toyMust = Field{19, 1}
	toyCC   = Field{20, 2}
)

var toyDefs = []OpDef{
	{Name: "t.br", Code: toyBr, Succs: 1, Effects: Terminator},
	{Name: "t.cond", Code: toyCond, Succs: 2, Effects: Terminator, Operands: []OperandDef{{Name: "cond"}}},
	{Name: "t.switch", Code: toySwitch, Succs: 3, Effects: Terminator, Operands: []OperandDef{{Name: "key"}}},
	{Name: "t.ret", Code: toyRet, Effects: Terminator, Operands: []OperandDef{{Name: "value", Optional: true}}},
	{Name: "t.const", Code: toyConst, Syntax: SyntaxConst, Aux: AuxWide, Results: []OperandDef{{Name: "dst"}}},
	{Name: "t.add", Code: toyAdd, Operands: []OperandDef{{Name: "src0"}, {Name: "src1"}}, Results: []OperandDef{{Name: "dst"}},
		Quals: []Qual{
			{Name: "sat", Field: toySat, Form: QualFlag, Names: []string{"", "sat"}, Optional: true},
			{Name: "type", Field: toyType, Names: []string{"", "8b", "16b", "32b", "64b"}, Allowed: 1<<2 | 1<<3 | 1<<4},
		}},
	{Name: "t.add.long", Code: toyAddLong, Operands: []OperandDef{{Name: "src0"}, {Name: "src1"}}, Results: []OperandDef{{Name: "dst"}}},
	{Name: "t.quals", Code: toyQuals, Quals: []Qual{
		{Name: "mode", Field: toyMode, Names: []string{"re", "rz", "ru"}, Optional: true, Default: 1},
		{Name: "index", Field: toyIdx, Form: QualInt},
		{Name: "table", Field: toyTab, Form: QualHex},
		{Name: "must", Field: toyMust, Form: QualFlag, Names: []string{"", "must"}},
		{Name: "cc", Field: toyCC, Names: []string{"", "a", "a.b"}, Optional: true},
	}},
	{Name: "t.copy", Code: toyCopy, Operands: []OperandDef{{Name: "src", Variadic: true}}, Results: []OperandDef{{Name: "dst", Variadic: true}}},
	{Name: "t.sym", Code: toySym, Aux: AuxSym, Operands: []OperandDef{{Name: "x", Optional: true}}, Results: []OperandDef{{Name: "dst"}}},
	{Name: "t.param", Code: toyParam, Aux: AuxParam, Operands: []OperandDef{{Name: "offset", Optional: true}}, Results: []OperandDef{{Name: "dst"}}},
	{Name: "t.load", Code: toyLoad, Addr: 1, Operands: []OperandDef{{Name: "addr"}}, Results: []OperandDef{{Name: "dst"}}},
	{Name: "t.store", Code: toyStore, Addr: 1, Operands: []OperandDef{{Name: "addr"}, {Name: "src0"}}},
	{Name: "t.call", Code: toyCall, Syntax: SyntaxCall, Aux: AuxSym, Operands: []OperandDef{{Name: "arg", Variadic: true}}, Results: []OperandDef{{Name: "dst", Optional: true}}},
	{Name: "t.icall", Code: toyICall, Syntax: SyntaxCallIndirect, Operands: []OperandDef{{Name: "callee"}, {Name: "arg", Variadic: true}}, Results: []OperandDef{{Name: "dst", Optional: true}}},
	{Name: "t.pair", Code: toyPair, Operands: []OperandDef{{Name: "src"}}, Results: []OperandDef{{Name: "lo"}, {Name: "hi"}}},
	{Name: "t.hook", Code: toyHook, Operands: []OperandDef{{Name: "src0"}}, Results: []OperandDef{{Name: "dst"}},
		Verify: func(v *Verifier, o *Op) {
			v.OperandType(o, 0, B32)
			v.ResultType(o, 0, o.Operand(0).Type)
		}},
}

var toyReg = NewRegistry(toyDefs)

// toyText has every construct of the textual form, as the printer writes it.
const toyText = `module version 0.1 target 100ca

var @tab const size 22 align 4 export section "a\22b" host_access "read" = { bytes 0x0102, zero 4, sym @tab + 4, sym @f - 8 }
var @ext global size 9223372036854775807 align 1 import
var @"odd name\0a" global size 0 align 1 = { }
var @S global size 1 align 1 = { zero 1 }

kernel @k(param %a size 8 align 8 space global ptr_align 4, param %"0x y" size 3 align 1) export reqd_work_group_size(64, 2, 1) vec_type_hint "int4" {
  var @S shared size 1024 align 16
  var @c const size 8 align 8 = { sym @@S }
^bb0:
  %0 = t.param %a : 64b
  %1 = t.param %"0x y", %0 : v4.32b
  %2 = t.sym @S : 32b
  %3 = t.sym @@S, %2 : 64b
  %4 = t.sym @"odd name\0a" : 64b
  %5 = t.const 0x2a : 32b
  %6 = t.const 0x10000000000000000 : 128b
  %7 = t.const 0x0 : 128b
  %8 = t.const 0x1 : pred
  %9 = t.const 0x8000000000000000 : 64b
  %10 = t.add.32b %5, %5 : 32b
  %11 = t.add.sat.64b %0, %9 : 64b
  %12 = t.add.long %0, %9 : 64b
  t.quals.7.0x0a.must
  t.quals.re.31.0xff.must.a
  t.quals.ru.0.0x00.must.a.b
  %13, %14 = t.copy %0, %1 : 64b, v4.32b
  t.copy
  %15 = t.load [%0] : 8b
  %16 = t.load [%0 + %3] : v64.32b
  t.store [%0], %5
  t.store [%0 + %3], %5
  %17 = t.call @f(%5, %0) : 32b
  t.call @g()
  t.icall %0()
  %18 = t.icall %0(%5, %6) : 16b
  t.cond %8, ^bb1(%5, %10), ^bb3
^bb1(%19: 32b, %20: 32b):  // preds: ^bb0, ^bb2
  %21, %22 = t.pair %20 : 16b, 16b
  t.br ^bb2
^bb2:  // preds: ^bb1
  t.switch %19, ^bb1(%19, %20), ^bb3, ^bb3
^bb3:  // preds: ^bb0, ^bb2
  t.ret
}

function @f(32b %x, 64b) -> 32b {
^bb0(%0: 32b, %1: 64b):
  t.ret %0
}

function @g() import

function @h(v2.16b, pred) -> pred export {
^bb0(%0: v2.16b, %1: pred):
  t.ret %1
}
`

// parseToy parses text and fails the test on any diagnostic.
func parseToy(t testing.TB, text string) *Module {
	t.Helper()
	m, out := tryToy(text)
	require.Empty(t, out)
	require.NotNil(t, m)
	return m
}

// tryToy parses text and renders the diagnostics.
func tryToy(text string) (*Module, string) {
	src := &Sources{}
	var ds Diags
	m := Parse(src, src.Add("t.pir", []byte(text)), toyReg, &ds)
	if (m == nil) != ds.HasErrors() {
		panic("Parse returned a module with errors or none without")
	}
	return m, rendered(src, &ds)
}

func rendered(src *Sources, ds *Diags) string {
	var sb strings.Builder
	r := Renderer{Sources: src}
	if err := r.Render(&sb, ds); err != nil {
		panic(err)
	}
	return sb.String()
}

// verifyErrors returns the texts of what Verify reports.
func verifyErrors(m *Module) []string {
	var ds Diags
	ok := Verify(m, &ds)
	if ok != (len(ds.List) == 0) {
		panic("Verify's result disagrees with its diagnostics")
	}
	var out []string
	for i := range ds.List {
		out = append(out, ds.List[i].Text)
	}
	return out
}
