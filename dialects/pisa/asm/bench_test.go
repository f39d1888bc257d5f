package asm

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pisac/ir"
)

// shapes are texts whose cost must be linear in n.
var shapes = []struct {
	name string
	text func(n int) string
	size int // n of a benchmark run
}{
	{"block", blockShape, 100_000},
	{"labels", labelShape, 100_000},
	{"registers", registerShape, 100_000},
	{"range", rangeShape, 100_000},
	{"scopes", scopeShape, 10_000},
	{"blocks", chainShape, 15_000},
	{"calls", callShape, 50_000},
	{"initialiser", initShape, 100_000},
	{"line", lineShape, 100_000},
}

const shapeHead = ".version 1.0;\n.target 100;\n"

func blockShape(n int) string {
	var b strings.Builder
	b.WriteString(shapeHead + ".kernel @k(.param[8] %arg0)\n{\n\t.reg .32b %w<0~64>;\n\t.reg .64b %d0;\n\tld.param.64b %d0, [%arg0];\n")
	for i := 0; i < n; i++ {
		w := func(k int) string { return "%w" + strconv.Itoa((i+k)%64) }
		switch i % 4 {
		case 0:
			b.WriteString("\tiadd.32b \t" + w(0) + ", " + w(1) + ", " + w(2) + ";\n")
		case 1:
			b.WriteString("\tfmad.f \t" + w(0) + ", " + w(1) + ", " + w(2) + ", 0x3F800000;\n")
		case 2:
			b.WriteString("\tld.global.32b\t " + w(0) + ", [%d0 + " + strconv.Itoa(i%4096*4) + "];\n")
		case 3:
			b.WriteString("\tst.global.32b\t [%d0 + 8], " + w(0) + ";\n")
		}
	}
	b.WriteString("\treturn;\n}\n")
	return b.String()
}

func labelShape(n int) string {
	var b strings.Builder
	b.WriteString(shapeHead + ".kernel @k()\n{\n\t.pred %p0;\n")
	for i := 0; i < n; i++ {
		s := strconv.Itoa(i)
		b.WriteString("LBB0_" + s + ":\n\tgoto.cond %p0, LBB0_" + strconv.Itoa((i*7919+1)%n) + ";\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func registerShape(n int) string {
	var b strings.Builder
	b.WriteString(shapeHead + ".kernel @k()\n{\n")
	for i := 0; i < n; i++ {
		b.WriteString("\t.reg .32b %w" + strconv.Itoa(i) + ";\n")
	}
	for i := 0; i < n; i++ {
		s := strconv.Itoa(i)
		b.WriteString("\tiadd.32b %w" + s + ", %w" + s + ", 1;\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func rangeShape(n int) string {
	var b strings.Builder
	b.WriteString(shapeHead + ".kernel @k()\n{\n\t.reg .32b %w<0~1000000000>;\n")
	for i := 0; i < n; i++ {
		s := strconv.Itoa(i * 9973)
		b.WriteString("\tiadd.32b %w" + s + ", %w" + s + ", 1;\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func scopeShape(n int) string {
	var b strings.Builder
	b.WriteString(shapeHead + ".kernel @k()\n{\n\t.reg .32b %a, %r<0~8>;\n")
	for i := 0; i < n; i++ {
		b.WriteString("{\n.reg .32b %b" + strconv.Itoa(i) + ";\n.reg .32b %r<" + strconv.Itoa(i) + "~" + strconv.Itoa(i+3) + ">;\niadd.32b %a, %a, %r" + strconv.Itoa(i) + ";\n")
	}
	b.WriteString(strings.Repeat("iadd.32b %a, %a, %r1;\n}\n", n) + "}\n")
	return b.String()
}

func chainShape(n int) string {
	var b strings.Builder
	b.WriteString(shapeHead + ".kernel @k()\n{\n\t.reg .32b %w<0~4>;\n\t.pred %p0;\n")
	for i := 0; i < n; i++ {
		s := strconv.Itoa(i)
		b.WriteString("L" + s + ":\n\tucmp.ne.32b %p0, %w0, " + s + ";\n\tiadd.32b %w1, %w1, %w0;\n\tgoto.cond !%p0, L" + s + ";\n")
	}
	b.WriteString("\treturn;\n}\n")
	return b.String()
}

func callShape(n int) string {
	var b strings.Builder
	b.WriteString(shapeHead)
	for i := 0; i < n; i++ {
		s := strconv.Itoa(i)
		b.WriteString(".function .32b @f" + s + "(.reg .32b %a)\n{\n\t.reg .32b %b;\n\tcall %b, @f" + strconv.Itoa((i+1)%n) + " (%a);\n\treturn %b;\n}\n")
	}
	return b.String()
}

func initShape(n int) string {
	return shapeHead + ".global @G = { .32b 1" + strings.Repeat(", .64b @G+8", n) + " };\n"
}

func lineShape(n int) string {
	return shapeHead + ".kernel @k() { .reg .32b %a; " + strings.Repeat("iadd.32b %a, %a, 1; ", n) + "return; }"
}

func BenchmarkParse(b *testing.B) {
	for _, s := range shapes {
		text := []byte(s.text(s.size))
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			start := threadTime()
			for b.Loop() {
				src, ds := &ir.Sources{}, &ir.Diags{}
				Parse(src.Add("b", text), Options{}, ds)
				if ds.HasErrors() {
					b.Fatal(ds.List[0])
				}
			}
			b.ReportMetric(float64(threadTime()-start)/float64(b.N)/float64(s.size), "cpu-ns/item")
		})
	}
}
