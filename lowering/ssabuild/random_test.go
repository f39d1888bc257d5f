package ssabuild_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
)

// Random programs over mutable registers are executed twice: as written, by an
// evaluator over the syntax tree whose registers are mutable words, and in SSA
// form. What they store, and what they return, must agree.

// words is a register of up to 128 bits; a predicate is word 0.
type words [4]uint32

// drawProgram draws a function of 32-bit registers r, 64-bit d, vectors v and
// w, and predicates p, with any control flow.
func drawProgram(t *rapid.T) string {
	var b strings.Builder
	b.WriteString(".version 1.0;\n.target 100;\n" +
		".function .32b @g(.reg .32b %x)\n{\n  return %x;\n}\n" +
		".function .32b @f(.reg .32b %r0, .reg .32b %r1, .reg .v4.32b %v)\n{\n" +
		"  .reg .32b %r<2~5>;\n  .reg .64b %d<0~2>;\n  .reg .v4.32b %w;\n  .reg .v2.32b %u;\n  .pred %p<0~3>;\n  .reg .64b %a;\n")
	labels := rapid.IntRange(1, 8).Draw(t, "labels")
	n := func(max int) int { return rapid.IntRange(0, max-1).Draw(t, "n") }
	r := func() string { return fmt.Sprintf("%%r%d", n(5)) }
	vec := func() string { return []string{"%v", "%w"}[n(2)] }
	elem := func() string {
		if n(4) == 0 {
			return "%u." + "xy"[n(2):][:1]
		}
		return vec() + "." + "xyzw"[n(4):][:1]
	}
	pair := func() string {
		return []string{"%u.xy", "%v.xy", "%v.zw", "%w.xy", "%w.zw", "%d0", "%d1"}[n(7)]
	}
	slot := func() string { // a 32-bit place
		if n(3) == 0 {
			return elem()
		}
		return r()
	}
	src := func() string {
		if n(5) == 0 {
			return fmt.Sprint(n(7) - 3)
		}
		return slot()
	}
	pred := func() string { return fmt.Sprintf("%%p%d", n(3)) }
	cond := func() string { return []string{"", "!"}[n(2)] + pred() }
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+";\n", args...) }
	for l := range labels {
		fmt.Fprintf(&b, "L%d:\n", l)
		line("st.global.32b [%%a], %s", slot())
		for range n(6) {
			switch n(14) {
			case 0, 1:
				line("mov.32b %s, %s", slot(), src())
			case 2:
				line("mov.64b %s, %s", pair(), pair())
			case 3:
				line("mov.128b %s.xyzw, %s.xyzw", vec(), vec())
			case 4, 5:
				line("iadd.32b %s, %s, %s", slot(), src(), src())
			case 6:
				line("xor.32b %s, %s, %s", slot(), src(), src())
			case 7, 8:
				line("ucmp.lt.32b %s, %s, %s", pred(), src(), src())
			case 9:
				line("sel.32b %s, %s, %s, %s", slot(), src(), src(), cond())
			case 10:
				line("insert.%d.32b %s, %s", n(4), vec(), r())
			case 11:
				line("extract.%d.v2.32b %%u, %s", 2*n(2), vec())
			case 12:
				line("shfl.idx.32b %s, %s, 0, 0", r(), r())
			case 13:
				if n(2) == 0 {
					line("call.cond %s, %s, @g(%s)", cond(), r(), r())
				} else {
					line("call %s, @g(%s)", r(), r())
				}
			}
		}
		switch n(6) {
		case 0:
			line("goto L%d", n(labels))
		case 1, 2, 3:
			line("goto.cond %s, L%d", cond(), n(labels))
		case 4:
			line("return.cond %s, %s", cond(), src())
		}
	}
	line("return %s", src())
	b.WriteString("}\n")
	return b.String()
}

// outcome is what a run shows: the words stored and, if it ended, the result.
type outcome struct {
	stored []uint32
	ended  bool
	result uint32
}

// What the shuffle and the call stand for here.
func shuffled(old, src uint32) uint32 { return old*3 + src }
func called(x uint32) uint32          { return x*5 + 1 }

// runTree executes the syntax tree.
func runTree(f *asm.Func, args []words, fuel int) (out outcome) {
	regs := make([]words, len(f.Regs))
	for i, r := range f.Params {
		regs[r] = args[i]
	}
	labels := map[uint32]int{}
	for at, s := range f.Stmts {
		if s.Kind == asm.StmtLabel {
			labels[s.Ref] = at
		}
	}
	span := func(o *asm.Operand) (first, count int) {
		t := f.Regs[o.Ref].Type
		if o.Swz.Count() != 0 {
			return o.Swz.First(), o.Swz.Count()
		}
		return 0, max(1, t.TotalBits()/32)
	}
	get := func(o *asm.Operand) (w words) {
		if o.Kind == asm.OpImm {
			return words{uint32(o.Imm), uint32(o.Imm >> 32)}
		}
		first, count := span(o)
		copy(w[:], regs[o.Ref][first:first+count])
		return w
	}
	set := func(o *asm.Operand, w words) {
		first, count := span(o)
		copy(regs[o.Ref][first:first+count], w[:count])
	}
	holds := func(o *asm.Operand) bool { return (regs[o.Ref][0] != 0) != o.Not }
	for at := 0; at < len(f.Stmts) && fuel > 0; at++ {
		if f.Stmts[at].Kind != asm.StmtInstr {
			continue
		}
		fuel--
		in := &f.Instrs[f.Stmts[at].Ref]
		ops := f.Operands(in)
		if cond := in.Form.Name == "cond"; cond {
			if !holds(&ops[0]) {
				continue
			}
			ops = ops[1:]
		}
		switch in.Row.Name {
		case "mov":
			set(&ops[0], get(&ops[1]))
		case "iadd":
			set(&ops[0], words{get(&ops[1])[0] + get(&ops[2])[0]})
		case "xor":
			set(&ops[0], words{get(&ops[1])[0] ^ get(&ops[2])[0]})
		case "ucmp":
			var w words
			if get(&ops[1])[0] < get(&ops[2])[0] {
				w[0] = 1
			}
			set(&ops[0], w)
		case "sel":
			if holds(&ops[3]) {
				set(&ops[0], get(&ops[1]))
			} else {
				set(&ops[0], get(&ops[2]))
			}
		case "insert":
			w := get(&ops[0])
			w[pisa.IndexOf(in.Props)] = get(&ops[1])[0]
			set(&ops[0], w)
		case "extract":
			w := get(&ops[1])
			i := pisa.IndexOf(in.Props)
			set(&ops[0], words{w[i], w[i+1]})
		case "shfl":
			set(&ops[0], words{shuffled(get(&ops[0])[0], get(&ops[1])[0])})
		case "call":
			set(&ops[0], words{called(get(&ops[3])[0])})
		case "st":
			out.stored = append(out.stored, get(&ops[1])[0])
		case "goto":
			at = labels[ops[0].Ref]
		case "return":
			out.ended, out.result = true, get(&ops[0])[0]
			return out
		default:
			panic(in.Row.Name)
		}
	}
	return out
}

// runSSA executes the IR.
func runSSA(f *ir.Func, args []words, fuel int) (out outcome) {
	vals := make([]words, f.NumValues())
	blk := f.Entry()
	for i, a := range blk.Args() {
		vals[a.ID] = args[i]
	}
	for fuel > 0 {
		for o := blk.First(); o != nil; o = o.Next() {
			fuel--
			arg := func(i int) words { return vals[o.Operand(i).ID] }
			var w words
			switch o.Code {
			case builtin.Const:
				for i := range max(1, o.Result(0).Type.TotalBits()/32) {
					w[i] = uint32(o.Props)
				}
				if o.Result(0).Type == ir.B64 {
					w[1] = uint32(o.Props >> 32)
				}
			case pisa.Bitcast:
				w = arg(0)
			case pisa.IAdd:
				w[0] = arg(0)[0] + arg(1)[0]
			case pisa.Xor:
				w[0] = arg(0)[0] ^ arg(1)[0]
			case pisa.UCmp:
				if arg(0)[0] < arg(1)[0] {
					w[0] = 1
				}
			case pisa.Sel:
				if w = arg(1); arg(2)[0] != 0 {
					w = arg(0)
				}
			case pisa.Extract:
				src := arg(0)
				copy(w[:pisa.LanesOf(o.Props)], src[pisa.IndexOf(o.Props):])
			case pisa.Insert:
				w = arg(0)
				src := arg(1)
				copy(w[pisa.IndexOf(o.Props):], src[:pisa.LanesOf(o.Props)])
			case pisa.Shfl:
				w[0] = shuffled(arg(0)[0], arg(1)[0])
			case builtin.Call:
				w[0] = called(arg(0)[0])
			case pisa.St:
				out.stored = append(out.stored, arg(1)[0])
			case builtin.Return:
				out.ended, out.result = true, arg(0)[0]
				return out
			case builtin.Br, builtin.CondBr:
				e := o.Succ(0)
				if o.Code == builtin.CondBr && arg(0)[0] == 0 {
					e = o.Succ(1)
				}
				passed := make([]words, e.NumArgs())
				for i := range passed {
					passed[i] = vals[e.Arg(i).ID]
				}
				blk = e.To()
				for i, a := range blk.Args() {
					vals[a.ID] = passed[i]
				}
			default:
				panic(o.Def().Name)
			}
			if o.NumResults() > 0 {
				vals[o.Result(0).ID] = w
			}
		}
	}
	return out
}

func TestRandomProgramsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawProgram(t)
		m, files := build(t, text)
		tree, fn := files[0].Funcs[1], m.Func("f")
		requireMinimal(t, fn, text)
		for range 3 {
			args := []words{
				{rapid.Uint32Range(0, 4).Draw(t, "x")}, {rapid.Uint32Range(0, 4).Draw(t, "y")},
				{rapid.Uint32Range(0, 4).Draw(t, "v"), 1, 2, 3},
			}
			a, b := runTree(tree, args, 400), runSSA(fn, args, 4000)
			n := min(len(a.stored), len(b.stored))
			require.Equal(t, a.stored[:n], b.stored[:n], text)
			if a.ended {
				require.Equal(t, a, b, text)
			}
		}
	})
}

// requireMinimal: no block argument is unused or has one value on all edges.
func requireMinimal(t require.TestingT, f *ir.Func, text string) {
	for b := f.Entry().Next(); b != nil; b = b.Next() {
		for i, a := range b.Args() {
			require.True(t, a.HasUses(), "%s\n%s", text, ir.AppendFunc(nil, f))
			var other *ir.Value
			several := false
			for e := b.FirstPred(); e != nil; e = e.NextPred() {
				if v := e.Arg(i); v != a {
					several = several || other != nil && other != v
					other = v
				}
			}
			require.True(t, several, "%s\n%s", text, ir.AppendFunc(nil, f))
		}
	}
}
