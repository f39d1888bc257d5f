package asm

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// llvmWriter prints random modules in the manner of LLVM's PISA target: tabs,
// registers numbered by kind and declared in ranges when there are many, minus
// offsets, sizes left out where an initialiser states them, verbose comments.
// It knows nothing of package asm's printer.
type llvmWriter struct {
	t *rapid.T
	b strings.Builder

	body  strings.Builder
	next  map[string]int // registers per kind
	kinds []string
	want  []string // what each instruction means, as describe gives it
	fn    int
	label int
}

// llvmKinds are the register kinds: prefix, declared type.
var llvmKinds = map[string]string{
	"b": ".8b", "h": ".16b", "w": ".32b", "d": ".64b", "q": ".128b", "p": "",
	"v2h": ".v2.16b", "v2w": ".v2.32b", "v3w": ".v3.32b", "v4w": ".v4.32b", "v8w": ".v8.32b", "v2d": ".v2.64b", "v16w": ".v16.32b",
}

func (w *llvmWriter) int(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(w.t, "n") }

func (w *llvmWriter) pick(xs ...string) string { return rapid.SampledFrom(xs).Draw(w.t, "x") }

// reg is a register of a kind: a new one or one that exists.
func (w *llvmWriter) reg(kind string) string {
	n, known := w.next[kind]
	if !known {
		w.kinds = append(w.kinds, kind)
	}
	if i := w.int(0, n); i < n && i < 40 {
		return fmt.Sprintf("%%%s%d", kind, i)
	}
	w.next[kind] = n + 1
	return fmt.Sprintf("%%%s%d", kind, n)
}

// scalar is a register of 16, 32 or 64 bits, or an element of a vector.
func (w *llvmWriter) scalar(kind string) string {
	if kind == "w" && w.int(0, 4) == 0 {
		return w.reg("v4w") + w.pick(".x", ".y", ".z", ".w")
	}
	if kind == "d" && w.int(0, 4) == 0 {
		return w.reg("v2d") + w.pick(".x", ".y")
	}
	return w.reg(kind)
}

// source is a scalar, special register or immediate.
func (w *llvmWriter) source(kind string, bits int) (text, meaning string) {
	switch w.int(0, 4) {
	case 0:
		v := rapid.Int64Range(-1<<(bits-1), 1<<(bits-1)-1).Draw(w.t, "imm")
		return fmt.Sprint(v), fmt.Sprintf("#%x", uint64(v)<<(64-bits)>>(64-bits))
	case 1:
		if kind == "w" {
			s := w.pick("%localid", "%groupid", "%localsize", "%groupcount") + w.pick(".x", ".y", ".z")
			return s, s
		}
	}
	s := w.scalar(kind)
	return s, s
}

func (w *llvmWriter) instr(tab, text string, meaning ...string) {
	mnemonic, _, _ := strings.Cut(text, " ")
	w.body.WriteString("\t" + strings.Replace(text, " ", tab, 1) + ";\n")
	w.want = append(w.want, strings.Join(append([]string{mnemonic}, meaning...), " "))
}

// offset is what follows a base: nothing, a signed number or a register.
func (w *llvmWriter) offset(kind string) (text, meaning string) {
	switch w.int(0, 3) {
	case 0:
		return "", ""
	case 1:
		n := w.int(1, 1<<31-1)
		return fmt.Sprintf(" + %d", n), fmt.Sprintf("+#%x", n)
	case 2:
		n := w.int(1, 1<<31)
		return fmt.Sprintf(" - %d", n), fmt.Sprintf("+#%x", uint64(-int64(n)))
	}
	r := w.scalar(kind)
	return " + " + r, "+" + r
}

func (w *llvmWriter) step() {
	switch w.int(0, 9) {
	case 0:
		kinds := map[string]int{"h": 16, "w": 32, "d": 64}
		kind := w.pick("h", "w", "d")
		op := w.pick("iadd", "isub", "smul", "and", "or", "xor", "smax", "umin") + fmt.Sprintf(".%db", kinds[kind])
		dst := w.scalar(kind)
		a, am := w.source(kind, kinds[kind])
		b, bm := w.source(kind, kinds[kind])
		w.instr(" \t", op+" "+dst+", "+a+", "+b, dst, am, bm)
	case 1:
		dst, a := w.scalar("w"), w.scalar("w")
		bits := rapid.Uint32().Draw(w.t, "float")
		w.instr(" \t", fmt.Sprintf("fmad.f %s, %s, 0x%08X, %s", dst, a, bits, a), dst, a, fmt.Sprintf("#%x", bits), a)
	case 2:
		dst, base := w.scalar("w"), w.scalar("d")
		off, om := w.offset("d")
		w.instr("\t ", "ld.global.32b "+dst+", ["+base+off+"]", dst, base+om)
	case 3:
		base := w.scalar("w")
		off, om := w.offset("w")
		v := w.reg("v2w")
		if w.int(0, 1) == 0 {
			v = w.reg("v4w") + w.pick(".xy", ".zw")
		}
		w.instr("\t ", "st.shared.v2.32b ["+base+off+"], "+v, base+om, v)
	case 4:
		p, a := w.reg("p"), w.scalar("w")
		b, bm := w.source("w", 32)
		w.instr(" \t", "ucmp.lt.32b "+p+", "+a+", "+b, p, a, bm)
	case 5:
		p := w.reg("p")
		if w.int(0, 1) == 0 {
			p = "!" + p
		}
		w.label++
		l := fmt.Sprintf("LBB%d_%d", w.fn, w.label)
		w.instr(" ", "goto.cond "+p+", "+l, p, l)
		w.body.WriteString("// %bb.1:\n\tlifetime.start \t%w0;\n" + l + ":                                 // %if.end\n")
		w.next["w"] = max(w.next["w"], 1)
		w.want = append(w.want, "lifetime.start %w0")
		if !contains(w.kinds, "w") {
			w.kinds = append(w.kinds, "w")
		}
	case 6:
		dst := w.reg("d")
		base := fmt.Sprintf("%%arg%d", w.int(0, 1))
		n := w.int(-8, 8)
		text, m := "", ""
		if n != 0 {
			text, m = fmt.Sprintf("%+d", n), fmt.Sprintf("+#%x", uint64(int64(n)))
		}
		w.instr(" ", "ld.param.64b "+dst+", ["+base+text+"]", dst, base+m)
	case 7:
		n := w.pick("v4w", "v8w", "v16w")
		dst, src := w.reg(n), w.reg(n)
		w.instr(" \t", "extract.0."+strings.TrimSuffix(n, "w")+".32b "+dst+", "+src, dst, src)
	case 8:
		dst, a := w.scalar("w"), w.scalar("w")
		r := w.pick("%w0", "%w1")
		w.next["w"] = max(w.next["w"], 2)
		if !contains(w.kinds, "w") {
			w.kinds = append(w.kinds, "w")
		}
		w.instr(" ", "call "+dst+", @callee ("+a+", "+r+")", dst, "@callee", "("+a, r+")")
	case 9:
		dst := w.reg("v4w") + w.pick(".xy", ".zw")
		src := w.scalar("d")
		w.instr(" \t", "mov.64b "+dst+", "+src, dst, src)
	}
}

func (w *llvmWriter) declarations() {
	for _, kind := range w.kinds {
		n := w.next[kind]
		directive := ".reg " + llvmKinds[kind]
		if kind == "p" {
			directive = ".pred"
		}
		var names []string
		for i := 0; i < n; i++ {
			names = append(names, fmt.Sprintf("%%%s%d", kind, i))
		}
		if n > 5 {
			names = []string{fmt.Sprintf("%%%s<0~%d>", kind, n)}
		}
		fmt.Fprintf(&w.b, "\t%s %s;\n", directive, strings.Join(names, ", "))
	}
}

func (w *llvmWriter) module() string {
	w.b.WriteString(".version 1.0;\n.target 100;\n\n.import .function .32b @callee(.reg .32b, .reg .32b);\n\n")
	for i := 0; i < w.int(0, 3); i++ {
		fmt.Fprintf(&w.b, "%s.%s  .align %d @g%d", w.pick("", ".export "), w.pick("global", "const"), 1<<w.int(0, 4), i)
		if w.int(0, 1) == 0 {
			fmt.Fprintf(&w.b, "[%d];\n", w.int(0, 100))
		} else {
			fmt.Fprintf(&w.b, " = { .8b 0x%x, .zero %d, .64b @g0%s };\n", w.int(0, 255), w.int(1, 1000), w.pick("", "+8", "-8"))
		}
	}
	w.b.WriteString(".global  .align 4 @g0x[4];\n")
	steps := w.int(0, 40)
	w.next = make(map[string]int)
	for range steps {
		w.step()
	}
	w.b.WriteString(".kernel @k(.param[8] .addrspace(global) .ptr_align(4) %arg0, .param[8] %arg1)\n{\n")
	w.declarations()
	w.b.WriteString("// %bb.0:\n" + w.body.String() + "\treturn;\n\t                                    // -- End function\n}\n")
	w.want = append(w.want, "return")
	return w.b.String()
}

// describe shows an instruction as llvmWriter notes it.
func describe(f *Func, in *Instr) string {
	s := in.Row.Name
	for i := range in.Form.Quals {
		q := &in.Form.Quals[i]
		v := q.Field.Get(in.Props)
		if q.Form == ir.QualInt {
			s += fmt.Sprint(".", v)
		} else if n := q.Names[v]; n != "" && !(q.Optional && v == q.Default && q.Name != "addrspace") {
			s += "." + n
		}
	}
	operand := func(op *Operand) string {
		text := ""
		switch op.Kind {
		case OpReg:
			text = "%" + f.Regs[op.Ref].Name
		case OpSpecial:
			text = "%" + pisa.SpecialRegs[op.Ref].Name
		case OpImm:
			return fmt.Sprintf("#%x", op.Imm)
		case OpParam:
			text = "%" + f.KParams[op.Ref].Name
		case OpLabel:
			text = f.Labels[op.Ref].Name
		case OpFunc:
			text = "@" + f.Syms[op.Ref].Name
		}
		if op.Not {
			text = "!" + text
		}
		for name, z := range swizzles {
			if op.Swz == z {
				text += "." + name
			}
		}
		return text
	}
	ops := f.Operands(in)
	for i := 0; i < len(ops); i++ {
		switch op := &ops[i]; {
		case op.Kind == OpNone:
		case op.Kind == OpList:
			s += " ("
			for k := uint32(0); k < op.Ref; k++ {
				if i++; k > 0 {
					s += " "
				}
				s += operand(&ops[i])
			}
			s += ")"
		case op.HasOff:
			s += " " + operand(op) + "+" + operand(&ops[i+1])
			i++
		default:
			s += " " + operand(op)
		}
	}
	return s
}

// TestRandomModulesInLLVMsManner: what is written is what is read.
func TestRandomModulesInLLVMsManner(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := &llvmWriter{t: rt}
		text := w.module()
		src, ds := &ir.Sources{}, &ir.Diags{}
		f := Parse(src.Add("llvm.pisa", []byte(text)), Options{}, ds)
		p := parsed{f, src, ds}
		if undefined := !strings.Contains(text, "@g0[") && !strings.Contains(text, "@g0 =") && strings.Contains(text, ".64b @g0"); undefined {
			rt.Skip("the symbol of an initialiser is not there")
		}
		if len(ds.List) > 0 {
			rt.Fatalf("%s\n%s", p.messages(ir.Warning), text)
		}
		k := f.Funcs[len(f.Funcs)-1]
		var got []string
		for i := range k.Instrs {
			got = append(got, describe(k, &k.Instrs[i]))
		}
		if fmt.Sprint(w.want) != fmt.Sprint(got) {
			require.Equal(rt, w.want, got, text)
		}
		again := string(AppendText(nil, f))
		ds2 := &ir.Diags{}
		g := Parse(src.Add("again.pisa", []byte(again)), Options{}, ds2)
		require.False(rt, ds2.HasErrors(), again)
		if dump(f) != dump(g) {
			require.Equal(rt, dump(f), dump(g))
		}
	})
}

// TestParserTakesAnyPrefix: a module cut anywhere, and one with a byte
// replaced, is read without a panic, and errors point into the text.
func TestParserTakesAnyPrefix(t *testing.T) {
	modules := []string{}
	for _, dir := range []string{"e2e/llvm-style", "e2e/kernels"} {
		for _, text := range corpus(t, dir) {
			modules = append(modules, text)
		}
	}
	sort.Strings(modules)
	rapid.Check(t, func(rt *rapid.T) {
		text := []byte(rapid.SampledFrom(modules).Draw(rt, "module"))
		at := rapid.IntRange(0, len(text)-1).Draw(rt, "at")
		if rapid.Bool().Draw(rt, "cut") {
			text = text[:at]
		} else {
			text[at] = rapid.Byte().Draw(rt, "byte")
		}
		src, ds := &ir.Sources{}, &ir.Diags{Limit: rapid.SampledFrom([]int{0, 1, 2}).Draw(rt, "limit")}
		f := Parse(src.Add("x", text), Options{}, ds)
		for _, d := range ds.List {
			if d.Loc != ir.NoLoc && f.Src.Offset(d.Loc) > len(text) {
				rt.Fatalf("%s points outside", d.Text)
			}
		}
		if n := ds.Errors(); n > 20 {
			rt.Fatalf("%d errors from one mistake", n)
		}
	})
}
