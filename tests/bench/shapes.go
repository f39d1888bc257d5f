// Package bench measures the front end: assembly text to verified IR.
//
// In: nothing; the inputs are made here. Out: benchmarks of speed and of
// growth, and a test that counts allocations. The targets are one million
// instructions a second on one core, at most three allocations an instruction,
// and time in proportion to size: ten times the text, no more than 13 times
// the time.
package bench

import (
	"bytes"
	"fmt"
)

// Shape is a kind of program that has made compilers slow.
type Shape struct {
	Name string
	Size int // of the big program
	// Make returns a module of about n instructions, labels, registers or
	// scopes, whichever the shape is about, and its number of instructions.
	Make func(n int) (text []byte, instrs int)
}

// Shapes are those that the front end must take in linear time.
var Shapes = []Shape{
	{"block", 1_000_000, block},
	{"chain", 15_000, chain},
	{"labels", 100_000, labels},
	{"registers", 100_000, registers},
	{"scopes", 10_000, scopes},
	{"ladder", 30_000, ladder},
	{"nest", 10_000, nest},
}

const header = ".version 0.1;\n.target 100;\n"

// block is straight code in one block, of the usual mixture.
func block(n int) ([]byte, int) {
	var b bytes.Buffer
	b.WriteString(header + `.kernel @k(.param[8] .addrspace(global) .ptr_align(4) %p) {
  .reg .32b %a, %b, %c;
  .reg .64b %base;
  .pred %q;
  ld.param.64b %base, [%p];
  mov.32b %a, %localid.x;
  mov.32b %b, 1;
`)
	count := 3
	for count+8 <= n-1 {
		b.WriteString(`  ld.global.32b %c, [%base + 16];
  iadd.32b %b, %b, %c;
  umad.32b %a, %a, 3, %b;
  ucmp.lt.32b %q, %a, %b;
  sel.32b %c, %a, %b, !%q;
  fmad.f %c, %c, 1.5, %a;
  xor.32b %a, %c, 0xff;
  st.global.32b [%base + 16], %a;
`)
		count += 8
	}
	b.WriteString("  return;\n}\n")
	return b.Bytes(), count + 1
}

// chain is n blocks one after the other, each of which reads a register that
// the first block wrote and no other block touches.
func chain(n int) ([]byte, int) {
	var b bytes.Buffer
	b.WriteString(header + ".function .32b @f(.reg .32b %x) {\n")
	fmt.Fprintf(&b, "  .reg .32b %%r<0~%d>, %%s;\n  mov.32b %%s, 0;\n", n)
	for i := range n {
		fmt.Fprintf(&b, "  iadd.32b %%r%d, %%x, %d;\n", i, i)
	}
	for i := range n {
		fmt.Fprintf(&b, "  goto L%d;\nL%d:\n  iadd.32b %%s, %%s, %%r%d;\n", i, i, n-1-i)
	}
	b.WriteString("  return %s;\n}\n")
	return b.Bytes(), 3*n + 2
}

// labels is n labels, each the target of a forward branch.
func labels(n int) ([]byte, int) {
	var b bytes.Buffer
	b.WriteString(header + ".function .32b @f(.reg .32b %x) {\n  .reg .32b %s;\n  .pred %p;\n  mov.32b %s, 0;\n")
	for i := range n {
		fmt.Fprintf(&b, "  ucmp.lt.32b %%p, %%x, %d;\n  goto.cond %%p, L%d;\n  iadd.32b %%s, %%s, %d;\nL%d:\n", i, i, i, i)
	}
	b.WriteString("  return %s;\n}\n")
	return b.Bytes(), 3*n + 2
}

// registers is n registers, each written in one block and read in the next but
// one.
func registers(n int) ([]byte, int) {
	var b bytes.Buffer
	b.WriteString(header + ".function .32b @f(.reg .32b %x) {\n")
	fmt.Fprintf(&b, "  .reg .32b %%r<0~%d>, %%s;\n  .pred %%p;\n  mov.32b %%s, 0;\n", n)
	for i := range n {
		fmt.Fprintf(&b, "  iadd.32b %%r%d, %%x, %d;\n", i, i)
	}
	b.WriteString("  ucmp.lt.32b %p, %x, 5;\n  goto.cond %p, next;\n  mov.32b %s, 1;\nnext:\n")
	for i := range n {
		fmt.Fprintf(&b, "  xor.32b %%s, %%s, %%r%d;\n", i)
	}
	b.WriteString("  return %s;\n}\n")
	return b.Bytes(), 2*n + 5
}

// scopes is a nest of n blocks, each with a register of its own.
func scopes(n int) ([]byte, int) {
	var b bytes.Buffer
	b.WriteString(header + ".function .32b @f(.reg .32b %s) {\n")
	for i := range n {
		fmt.Fprintf(&b, "{\n  .reg .32b %%r%d;\n  iadd.32b %%r%d, %%s, %d;\n  xor.32b %%s, %%s, %%r%d;\n", i, i, i, i)
	}
	for range n {
		b.WriteString("}\n")
	}
	b.WriteString("  return %s;\n}\n")
	return b.Bytes(), 2*n + 1
}

// ladder is n branches that join in the opposite order, while as many
// registers as branches wait for the end: where a register is changed, it
// meets its old value once, but lives across all the rest.
func ladder(n int) ([]byte, int) {
	var b bytes.Buffer
	b.WriteString(header + ".function .32b @f(.reg .32b %x) {\n")
	fmt.Fprintf(&b, "  .reg .32b %%r<0~%d>;\n  .pred %%p;\n", n)
	for i := range n {
		fmt.Fprintf(&b, "  mov.32b %%r%d, %d;\n", i, i)
	}
	for i := range n {
		fmt.Fprintf(&b, "  ucmp.lt.32b %%p, %%x, %d;\n  goto.cond %%p, L%d;\n  iadd.32b %%r%d, %%r%d, %%x;\nL%d:\n", i, i, i, i, i)
	}
	for i := range n {
		fmt.Fprintf(&b, "  xor.32b %%x, %%x, %%r%d;\n", i)
	}
	b.WriteString("  return %x;\n}\n")
	return b.Bytes(), 5*n + 1
}

// nest is n loops in each other that test at their ends, so that the frontiers
// of all blocks overlap.
func nest(n int) ([]byte, int) {
	var b bytes.Buffer
	b.WriteString(header + ".function .32b @f(.reg .32b %x) {\n")
	fmt.Fprintf(&b, "  .reg .32b %%r<0~%d>;\n  .pred %%p;\n", n)
	for i := range n {
		fmt.Fprintf(&b, "L%d:\n  mov.32b %%r%d, %%x;\n", i, i)
	}
	for i := n - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "  iadd.32b %%r%d, %%r%d, 1;\n  ucmp.lt.32b %%p, %%r%d, 3;\n  goto.cond %%p, L%d;\n", i, i, i, i)
	}
	b.WriteString("  return %x;\n}\n")
	return b.Bytes(), 4*n + 1
}
