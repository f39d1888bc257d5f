package ir

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// broken is a module with everything that the violations below damage.
const broken = `module version 0.1

var @tab const size 8 align 4 = { bytes 0x01020304, zero 4 }

kernel @k(param %a size 8 align 8, param %b size 4 align 4) {
  var @S shared size 16 align 4
  var @c const size 4 align 4 = { zero 4 }
^bb0:
  %0 = t.const 0x5 : 32b
  %1 = t.const 0x1 : pred
  %2 = t.add.32b %0, %0 : 32b
  t.quals.1.0x00.must
  t.cond %1, ^bb1(%0), ^bb2(%0, %2)
^bb1(%3: 32b):
  %4 = t.add.32b %3, %2 : 32b
  %5 = t.sym @S : 32b
  %6 = t.param %b : 32b
  %7 = t.hook %4 : 32b
  t.br ^bb2(%4, %7)
^bb2(%8: 32b, %9: 32b):
  t.ret
}

function @f(32b, 64b) -> 32b {
  var @P private size 4 align 4
^bb0(%0: 32b, %1: 64b):
  %2 = t.call @f(%0, %1) : 32b
  t.br ^bb1
^bb1:
  t.ret %0
}

function @g(32b) -> 64b import
`

// at returns op i of block b of f.
func at(f *Func, b, i int) *Op {
	blk := f.first
	for range b {
		blk = blk.next
	}
	o := blk.first
	for range i {
		o = o.next
	}
	return o
}

// Each invariant: what breaks it, and that the verifier cites it.
func TestInvariants(t *testing.T) {
	require.Empty(t, verifyErrors(parseToy(t, broken)), "the base is sound")
	for _, c := range []struct {
		inv  int
		text string // in a message
		do   func(m *Module, k, f *Func)
	}{
		{1, "the block is empty", func(m *Module, k, f *Func) { k.NewBlock() }},
		{1, "does not end in a terminator", func(m *Module, k, f *Func) { at(k, 2, 0).Erase(); newOp(k.last, toyCopy) }},
		{1, "before the end of its block", func(m *Module, k, f *Func) { newOp(k.last, toyRet) }},

		{2, "has predecessors", func(m *Module, k, f *Func) { at(k, 1, 4).Succ(0).RemoveArg(1); redirect(at(k, 1, 4), k.first) }},
		{2, "the entry block has 2 arguments", func(m *Module, k, f *Func) { f.Sig = f.Sig[:1] }},
		{2, "the entry block has 1 arguments", func(m *Module, k, f *Func) { k.first.AddArg(B32) }},
		{2, "argument 1 is 64b", func(m *Module, k, f *Func) { f.Sig[1] = B32 }},
		{2, "kernel parameters", func(m *Module, k, f *Func) { f.Params = []Param{{Align: 1}} }},

		{3, "passes 1 values to a block of 2", func(m *Module, k, f *Func) { at(k, 1, 4).Succ(0).RemoveArg(0) }},
		{3, "passes 32b for argument 1, which is 64b", func(m *Module, k, f *Func) { k.last.args[1].Type = B64 }},

		{4, "operand 1 (src1) is not dominated", func(m *Module, k, f *Func) { at(k, 0, 2).SetOperand(1, at(k, 0, 2).Result(0)) }},
		{4, "operand 0 (src) is not dominated", func(m *Module, k, f *Func) { newOpBefore(at(k, 2, 0), toyCopy, at(k, 1, 0).Result(0)) }},
		{4, "is not dominated", func(m *Module, k, f *Func) { at(k, 0, 2).MoveBefore(at(k, 0, 0)) }},
		{4, "is not dominated", func(m *Module, k, f *Func) { newOpBefore(at(k, 2, 0), toyCopy, k.first.next.args[0]) }},
		{4, "is no value of the function", func(m *Module, k, f *Func) { at(k, 0, 2).SetOperand(0, f.first.args[0]) }},
		{4, "is no value of the function", func(m *Module, k, f *Func) {
			at(k, 1, 1).SetOperand0(f.last.last)
			at(k, 1, 0).block.remove(at(k, 1, 0))
		}},

		{5, "does not know its op", func(m *Module, k, f *Func) { at(k, 0, 2).operands[0].user = at(k, 0, 0) }},
		{5, "operand 0 is missing", func(m *Module, k, f *Func) { at(k, 0, 2).operands[0].Set(nil) }},
		{5, "is not in the use list", func(m *Module, k, f *Func) { at(k, 0, 2).operands[0].unlink() }},
		{5, "nodes for", func(m *Module, k, f *Func) {
			o := &Operand{val: at(k, 0, 0).Result(0), user: at(k, 0, 2)}
			o.link()
		}},
		{5, "nodes for", func(m *Module, k, f *Func) { // a circular list
			u := at(k, 0, 1).Result(0).uses
			u.next = u
			u.prev = u
		}},
		{5, "the list of ops is damaged", func(m *Module, k, f *Func) { at(k, 0, 2).prev = nil }},
		{5, "the list of ops is damaged", func(m *Module, k, f *Func) { k.last.last.next = k.last.first }},
		{5, "the list of ops is damaged", func(m *Module, k, f *Func) { k.first.last = k.first.first }},
		{5, "the list of ops is damaged", func(m *Module, k, f *Func) { at(k, 0, 2).block = k.last }},
		{5, "the list of blocks is damaged", func(m *Module, k, f *Func) { k.last.next = k.first }},
		{5, "the list of blocks is damaged", func(m *Module, k, f *Func) { k.nblocks++ }},
		{5, "the list of blocks is damaged", func(m *Module, k, f *Func) { k.last.fn = f }},
		{5, "is not in the predecessor list", func(m *Module, k, f *Func) { at(k, 0, 4).Succ(0).unlink() }},
		{5, "counts 3, but 2 edges", func(m *Module, k, f *Func) { k.last.npreds++ }},
		{5, "predecessor list has 2 nodes", func(m *Module, k, f *Func) {
			e := &Edge{op: at(k, 0, 4), to: at(k, 0, 4).Succ(0).to}
			e.link()
		}},
		{5, "leads to no block", func(m *Module, k, f *Func) { redirect(at(k, 1, 4), f.last) }},
		{5, "leads to no block", func(m *Module, k, f *Func) { at(f, 0, 1).Succ(0).SetTo(nil) }},
		{5, "edge 0 does not know its op", func(m *Module, k, f *Func) { at(k, 0, 4).Succ(0).op = at(k, 1, 4) }},
		{5, "do not follow", func(m *Module, k, f *Func) { at(k, 0, 4).succs[1].off++ }},
		{5, "do not own the last operands", func(m *Module, k, f *Func) { at(k, 0, 4).succs[1].n-- }},
		{5, "result 0 does not know its op", func(m *Module, k, f *Func) { at(k, 0, 0).results[0].op = at(k, 0, 2) }},
		{5, "argument 1 does not know its place", func(m *Module, k, f *Func) { k.last.args[1].index = 0 }},

		{6, "the code 77 is not registered", func(m *Module, k, f *Func) { at(k, 0, 3).Code = 77 }},
		{6, "the code 0 is not registered", func(m *Module, k, f *Func) { at(k, 0, 3).Code = 0 }},
		{6, "has 3 operands where its row has 2", func(m *Module, k, f *Func) { at(k, 0, 2).AppendOperand(at(k, 0, 0).Result(0)) }},
		{6, "has 2 operands where its row has 0 to 1", func(m *Module, k, f *Func) { newOpBefore(at(k, 2, 0), toySym, k.last.args...) }},
		{6, "has 0 operands where its row has 1 or more", func(m *Module, k, f *Func) { newOpBefore(at(k, 2, 0), toyICall) }},
		{6, "has 0 results where its row has 1", func(m *Module, k, f *Func) { newOpBefore(at(k, 2, 0), toyHook, k.last.args[0]) }},
		{6, "has 2 operands where its row has 1", func(m *Module, k, f *Func) {
			var bl Builder
			bl.Before(at(k, 2, 0))
			bl.Value(toyLoad, 0, B32, k.last.args...)
		}},
		{6, "has 1 operands where its row has 2", func(m *Module, k, f *Func) {
			var bl Builder
			bl.Before(at(k, 2, 0))
			bl.Value(toyLoad, HasOffset.Put(1), B32, k.last.args[0])
		}},
		{6, "has 0 successors, not 1", func(m *Module, k, f *Func) { at(k, 2, 0).Code = toyBr }},

		{7, "qualifier .type has the value 1", func(m *Module, k, f *Func) { at(k, 0, 2).SetField(toyType, 1) }},
		{7, "qualifier .type has the value 0", func(m *Module, k, f *Func) { at(k, 0, 2).SetField(toyType, 0) }},
		{7, "qualifier .type has the value 7", func(m *Module, k, f *Func) { at(k, 0, 2).SetField(toyType, 7) }},
		{7, "qualifier .must has the value 0", func(m *Module, k, f *Func) { at(k, 0, 3).SetField(toyMust, 0) }},
		{7, "qualifier .mode has the value 3", func(m *Module, k, f *Func) { at(k, 0, 3).SetField(toyMode, 3) }},
		{7, "bits 0x8000000000000000 outside", func(m *Module, k, f *Func) { at(k, 0, 2).Props |= 1 << 63 }},

		{8, "its row has none", func(m *Module, k, f *Func) { at(k, 0, 2).Aux = 1 }},
		{8, "names no symbol", func(m *Module, k, f *Func) { at(k, 1, 1).Aux = 0 }},
		{8, "names no symbol", func(m *Module, k, f *Func) { at(k, 1, 1).Aux = 99 }},
		{8, "the variable @P of function @f", func(m *Module, k, f *Func) { at(k, 1, 1).Aux = f.Vars[0].Symbol() }},
		{8, "names no parameter", func(m *Module, k, f *Func) { at(k, 1, 2).Aux = 3 }},
		{8, "names no parameter", func(m *Module, k, f *Func) { at(k, 1, 2).Aux = 0 }},
		{8, "names no upper half", func(m *Module, k, f *Func) { at(k, 0, 0).Aux = 9 }},

		{9, "invalid type none", func(m *Module, k, f *Func) { at(k, 0, 2).results[0].Type = None }},
		{9, "invalid type v9.32b", func(m *Module, k, f *Func) { at(k, 0, 2).results[0].Type = Vector(9, B32) }},
		{9, "invalid type", func(m *Module, k, f *Func) { k.last.args[0].Type = B32 | 1<<19 }},
		{9, "parameter 0 of @g has an invalid type", func(m *Module, k, f *Func) { m.Func("g").Sig[0] = Bits(7) }},
		{9, "@g returns an invalid type", func(m *Module, k, f *Func) { m.Func("g").Ret = Type(KindNone) | 1<<5 }},
		{9, "operand 0 (src0) is 64b, not 32b", func(m *Module, k, f *Func) { at(k, 1, 0).results[0].Type = B64 }},
		{9, "result 0 is 16b, not 32b", func(m *Module, k, f *Func) { at(k, 1, 3).results[0].Type = B16 }},

		{10, "the op id 0", func(m *Module, k, f *Func) { at(k, 0, 2).ID = at(k, 0, 0).ID }},
		{10, "the op id 1000", func(m *Module, k, f *Func) { at(k, 0, 2).ID = 1000 }},
		{10, "the value id 8", func(m *Module, k, f *Func) { at(k, 0, 2).Result(0).ID = k.last.args[0].ID }},
		{10, "the value id 1000", func(m *Module, k, f *Func) { k.last.args[0].ID = 1000 }},
		{10, "the block id 0", func(m *Module, k, f *Func) { k.last.ID = k.first.ID }},
		{10, "the block id 1000", func(m *Module, k, f *Func) { k.last.ID = 1000 }},

		{11, "two symbols of the module are called @tab", func(m *Module, k, f *Func) { m.NewFunc("tab", FuncDevice).Linkage = LinkImport }},
		{11, "two symbols of the module are called @k", func(m *Module, k, f *Func) { f.Name = "k" }},
		{11, "@S: two variables", func(m *Module, k, f *Func) { k.Vars[1].Name = "S" }},
		{11, "two parameters of @k are called %a", func(m *Module, k, f *Func) { k.Params[1].Name = "a" }},
		{11, "@g has no body but is not imported", func(m *Module, k, f *Func) { m.Func("g").Linkage = LinkExport }},
		{11, "@f is imported but has a body", func(m *Module, k, f *Func) { f.Linkage = LinkImport }},

		{12, "kernel @k returns 32b", func(m *Module, k, f *Func) { k.Ret = B32 }},
		{12, "has a signature of 1 types", func(m *Module, k, f *Func) { k.Sig = []Type{B32} }},

		{13, "@tab: the alignment is not a power of two", func(m *Module, k, f *Func) { m.Vars[0].Align = 3 }},
		{13, "@S: the alignment is not a power of two", func(m *Module, k, f *Func) { k.Vars[0].Align = 0 }},
		{13, "an alignment of parameter %b", func(m *Module, k, f *Func) { k.Params[1].Align = 6 }},
		{13, "an alignment of parameter %a", func(m *Module, k, f *Func) { k.Params[0].PtrAlign = 6 }},
		{13, "longer than the variable", func(m *Module, k, f *Func) { m.Vars[0].Size = 7 }},
		{13, "longer than the variable", func(m *Module, k, f *Func) { m.Vars[0].Init[1].Zero = 1<<64 - 1 }},
		{13, "shorter than the variable", func(m *Module, k, f *Func) { m.Vars[0].Size = 9 }},
		{13, "only const and global variables", func(m *Module, k, f *Func) { k.Vars[0].Init = []Init{{Zero: 16}} }},
		{13, "only const and global variables", func(m *Module, k, f *Func) { m.Vars[0].Linkage = LinkImport }},
		{13, "global variable is declared in a function", func(m *Module, k, f *Func) { k.Vars[1].Space = SpaceGlobal }},
		{13, "private variable is declared outside", func(m *Module, k, f *Func) { m.NewVar("p", SpacePrivate, nil) }},
		{13, "cannot lie in space none", func(m *Module, k, f *Func) { m.NewVar("p", SpaceNone, nil) }},
		{13, "cannot lie in space generic", func(m *Module, k, f *Func) { k.Vars[0].Space = SpaceGeneric }},
		{13, "an item of the initialiser has two forms", func(m *Module, k, f *Func) { m.Vars[0].Init[0].Zero = 4 }},
		{13, "no symbol of the module", func(m *Module, k, f *Func) { m.Vars[0].Init = []Init{{Sym: k.Vars[0].Symbol()}} }},
		{13, "no symbol of the module", func(m *Module, k, f *Func) { m.Vars[0].Init = []Init{{Sym: 99}} }},
		{13, "does not know its function", func(m *Module, k, f *Func) { k.Vars[0].Fn = nil }},
	} {
		m := parseToy(t, broken)
		c.do(m, m.Func("k"), m.Func("f"))
		got := verifyErrors(m)
		found := false
		for _, text := range got {
			found = found || strings.HasPrefix(text, fmt.Sprintf("I%d: ", c.inv)) && strings.Contains(text, c.text)
		}
		assert.True(t, found, "want I%d %q, got %q", c.inv, c.text, got)
	}
}

func newOp(b *Block, code Code, operands ...*Value) *Op {
	var bl Builder
	bl.AtEnd(b)
	return bl.Op(code, 0, operands...)
}

func newOpBefore(pos *Op, code Code, operands ...*Value) *Op {
	var bl Builder
	bl.Before(pos)
	return bl.Op(code, 0, operands...)
}

// SetOperand0 gives t.sym an operand: the value that user's op uses.
func (o *Op) SetOperand0(user *Op) { o.AppendOperand(user.Operand(0)) }

// redirect points the only edge of o at b.
func redirect(o *Op, b *Block) { o.Succ(0).SetTo(b) }

func TestUnreachableUses(t *testing.T) {
	m := parseToy(t, `kernel @k() {
^bb0:
  t.ret
^bb1:
  %0 = t.add.32b %0, %1 : 32b
  t.br ^bb2
^bb2:
  %1 = t.add.32b %0, %2 : 32b
  %2 = t.add.32b %0, %1 : 32b
  t.br ^bb1
}
`)
	assert.Empty(t, verifyErrors(m))
}

func TestErrorShowsOp(t *testing.T) {
	src := &Sources{}
	var ds Diags
	m := Parse(src, src.Add("x.pir", []byte("function @f(32b) -> 32b {\n^bb0(%x: 32b):\n  %y = t.hook %z : 32b\n  %z = t.hook %x : 64b\n  t.ret %y\n}\n")), toyReg, &ds)
	require.NotNil(t, m)
	require.False(t, Verify(m, &ds))
	assert.Equal(t, `x.pir:3:8: error: I4: t.hook: operand 0 (src0) is not dominated by its definition [IR-I4]
  %y = t.hook %z : 32b
       ^
note: in @f, ^bb0: %1 = t.hook %2 : 32b
x.pir:3:8: error: I9: t.hook: operand 0 (src0) is 64b, not 32b [IR-I9]
  %y = t.hook %z : 32b
       ^
note: in @f, ^bb0: %1 = t.hook %2 : 32b
x.pir:3:8: error: I9: t.hook: result 0 is 32b, not 64b [IR-I9]
  %y = t.hook %z : 32b
       ^
note: in @f, ^bb0: %1 = t.hook %2 : 32b
x.pir:4:8: error: I9: t.hook: result 0 is 64b, not 32b [IR-I9]
  %z = t.hook %x : 64b
       ^
note: in @f, ^bb0: %2 = t.hook %0 : 64b
`, rendered(src, &ds))
}

// Very many errors cost little, and the list says that it is cut.
func TestErrorLimit(t *testing.T) {
	m := NewModule(toyReg, nil)
	f := m.NewFunc("k", FuncKernel)
	var bl Builder
	bl.AtEnd(f.NewBlock())
	for range 100000 {
		bl.Op(toyAdd, 0)
	}
	bl.Op(toyRet, 0)
	start := time.Now()
	var ds Diags
	assert.False(t, Verify(m, &ds))
	assert.Less(t, time.Since(start), 5*time.Second)
	assert.Len(t, ds.List, DefaultErrorLimit+1)
	assert.Equal(t, 200000, ds.Errors(), "no operands, no result")
	assert.Equal(t, "too many errors; the rest is not shown", ds.List[DefaultErrorLimit].Text)
}

// chain is n blocks in a row, each of which may leave to the last one. It is
// quadratic for dominators by iterated intersection.
func chain(n int) *Module {
	m := NewModule(toyReg, nil)
	f := m.NewFunc("k", FuncKernel)
	blocks := make([]*Block, n)
	for i := range blocks {
		blocks[i] = f.NewBlock()
	}
	var bl Builder
	bl.AtEnd(blocks[0])
	cond := bl.Value(toyConst, 1, Pred)
	x := bl.Value(toyConst, 1, B32)
	for i, b := range blocks {
		bl.AtEnd(b)
		x = bl.Value(toyAdd, toyType.Put(3), B32, x, x)
		switch {
		case i == n-1:
			bl.Op(toyRet, 0)
		case i == n-2:
			bl.Branch(toyBr, 0, nil, Target{To: blocks[n-1]})
		default:
			bl.Branch(toyCond, 0, []*Value{cond}, Target{To: blocks[i+1]}, Target{To: blocks[n-1]})
		}
	}
	last := blocks[n-1]
	last.first.SetOperand(0, cond)
	last.first.SetOperand(1, cond)
	return m
}

func TestLargeGraphs(t *testing.T) {
	for _, n := range []int{2, 3, 15000, 100000} {
		start := time.Now()
		m := chain(n)
		assert.Empty(t, verifyErrors(m))
		text := AppendText(nil, m)
		src := &Sources{}
		var ds Diags
		m = Parse(src, src.Add("t.pir", text), toyReg, &ds)
		require.NotNil(t, m)
		assert.Empty(t, verifyErrors(m))
		assert.Equal(t, string(text), string(AppendText(nil, m)))
		assert.Less(t, time.Since(start), 10*time.Second, n)
	}
}
