package asm

import (
	"bytes"
	"math/rand"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pisac/ir"
)

// bounded parses text within a time and, beyond the text, a memory.
func bounded(t *testing.T, name string, text []byte, limit time.Duration, memory uint64) *ir.Diags {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	src, ds := &ir.Sources{}, &ir.Diags{}
	f := Parse(src.Add(name, text), Options{}, ds)
	elapsed := time.Since(start)
	runtime.ReadMemStats(&after)
	require.NotNil(t, f)
	require.Less(t, elapsed, limit, name)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, memory, name)
	require.LessOrEqual(t, len(ds.List), 3*ir.DefaultErrorLimit, name)
	return ds
}

const (
	second = time.Second
	mega   = 1 << 20
)

func TestBadInput(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	noise := make([]byte, 1<<20)
	rnd.Read(noise)
	k := head01 + ".kernel @k() {\n"
	for _, c := range []struct {
		name string
		text string
		ok   bool
	}{
		{"empty", "", true},
		{"blank", " \t\r\n", true},
		{"noise", string(noise), false},
		{"noise in a body", k + string(noise), false},
		{"zeros", strings.Repeat("\x00", mega), false},
		{"open braces", k + strings.Repeat("{", mega), false},
		{"close braces", k + strings.Repeat("}", mega), false},
		{"braces", k + strings.Repeat("{}", mega/2) + "}", true},
		{"parentheses", head01 + ".kernel @k(" + strings.Repeat("(", mega), false},
		{"commas", head01 + ".kernel @k(" + strings.Repeat(",", mega), false},
		{"brackets", k + "  ld.32b %r, " + strings.Repeat("[", mega), false},
		{"dots", k + strings.Repeat(".", mega), false},
		{"long mnemonic", k + "  iadd" + strings.Repeat(".32b", mega/4) + " %r;\n}\n", false},
		{"long name", k + "  .reg .32b %" + strings.Repeat("a", mega) + ";\n}\n", false},
		{"long dotted name", k + "  mov.32b %" + strings.Repeat("a.x", 20000) + ", 0;\n}\n", false},
		{"long digits", k + "  mov.32b %r" + strings.Repeat("0", 60000) + ", 0;\n}\n", false},
		{"long number", k + "  .reg .32b %r;\n  mov.32b %r, " + strings.Repeat("9", mega) + ";\n}\n", false},
		{"long float", k + "  .reg .32b %r;\n  fabs.f %r, 1." + strings.Repeat("9", mega) + ";\n}\n", true},
		{"long exponent", k + "  .reg .32b %r;\n  fabs.f %r, 1e" + strings.Repeat("9", mega) + ";\n}\n", false},
		{"long string", head01 + ".global .section(\"" + strings.Repeat("a", mega) + "\") @A[4];\n", false},
		{"long label", k + strings.Repeat("a", mega) + ":\n}\n", false},
		{"open string", head01 + ".global .section(\"abc", false},
		{"open body", k + "  .reg .32b %r;", false},
		{"open statement", k + "  .reg .32b %r;\n  iadd.32b %r,", false},
		{"open address", k + "  .reg .64b %d;\n  ld.32b %d, [%d +", false},
		{"open call", k + "  call void, @f(", false},
		{"open initialiser", head01 + ".global @A[4] = { .32b 1,", false},
		{"open parameters", head01 + ".kernel @k(.param[8] .align(", false},
		{"open range", k + "  .reg .32b %r<0~", false},
		{"open comment", head01 + "//", true},
		{"half a header", ".version", false},
		{"billion registers", k + "  .reg .32b %r<0~1000000000>;\n  mov.32b %r999999999, 1;\n}\n", true},
		{"billions of zeros", head01 + ".global @Z[1000000000000] = { .zero 1000000000000 };\n", true},
		{"huge variable", head01 + ".global @Z[9223372036854775807];\n", true},
		{"too huge variable", head01 + ".global @Z[9223372036854775808];\n", false},
		{"huge elements", k + "  .private .v4.64b @Z[1000000000000000000];\n}\n", false},
		{"zeros overflow", head01 + ".global @Z[8] = { .zero 9223372036854775807, .zero 9223372036854775807 };\n", false},
		{"cyclic initialisers", head01 + ".global @A[8] = { .64b @B };\n.global @B[8] = { .64b @A };\n", true},
		{"recursion", head01 + ".function void @f() {\n  call void, @f();\n}\n", true},
		{"not UTF-8", head01 + "// \xff\xfe\n.global .section(\"\xff\") @A[4];\n", true},
		{"not UTF-8 in a name", head01 + ".global @\xff[4];\n", false},
		{"CRLF", strings.ReplaceAll(k+"  .reg .32b %r; // c\n  mov.32b %r, 1;\nlabel:\n}\n", "\n", "\r\n"), true},
		{"no final newline", k + "}", true},
		{"vertical tabs", head01 + ".kernel\v@k()\f{\v}\n", true},
		{"many operands", k + "  .reg .32b %r;\n  iadd.32b " + strings.Repeat("%r, ", mega/4) + "%r;\n}\n", false},
		{"many arguments", k + "  .reg .32b %r;\n  call void, @f(" + strings.Repeat("%r, ", mega/4) + "%r);\n}\n", false},
		{"many parameters", head01 + ".function void @f(" + strings.Repeat(".reg .32b %r, ", mega/16) + ".reg .32b %r) {\n}\n", false},
		{"many unknown names", k + strings.Repeat("  mov.32b %a, %b;\n", mega/20) + "}\n", false},
		{"many bad mnemonics", k + strings.Repeat("  move.32b %a, %b;\n", mega/20) + "}\n", false},
		{"BOM", "\xef\xbb\xbf" + k + "}\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := bounded(t, c.name, []byte(c.text), 10*second, 64*mega+uint64(256*len(c.text)))
			require.Equal(t, c.ok, !ds.HasErrors(), "%v", ds.List)
		})
	}
}

// TestHundredMegabytes: a line of 100 MB, of instructions and of nothing.
func TestHundredMegabytes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	const size = 100 << 20
	blank := append([]byte(head01+".kernel @k() {"), bytes.Repeat([]byte{' '}, size)...)
	ds := bounded(t, "blanks", append(blank, '}'), 20*second, 16*mega)
	require.False(t, ds.HasErrors())
	word := append([]byte(head01+".kernel @k() { "), bytes.Repeat([]byte{'a'}, size)...)
	ds = bounded(t, "one word", word, 20*second, 16*mega)
	require.True(t, ds.HasErrors())
	comment := append([]byte(head01+"//"), bytes.Repeat([]byte("; "), size/2)...)
	ds = bounded(t, "comment", comment, 20*second, 16*mega)
	require.False(t, ds.HasErrors())
}

// TestLinear: ten times the text takes about ten times the time, whatever the
// shape; walks that grow with what came before would take a hundred.
func TestLinear(t *testing.T) {
	runtime.LockOSThread() // threadTime is of this thread
	defer runtime.UnlockOSThread()
	measure := func(text []byte) time.Duration {
		n := 0
		start := threadTime()
		for threadTime()-start < 25*time.Millisecond { // the clock is coarse
			src, ds := &ir.Sources{}, &ir.Diags{}
			Parse(src.Add("x", text), Options{}, ds)
			require.False(t, ds.HasErrors())
			n++
		}
		return (threadTime() - start) / time.Duration(n)
	}
	for _, s := range append(shapes, adversarial...) {
		func() {
			small, large := []byte(s.text(s.size/20)), []byte(s.text(s.size/2))
			scale := float64(len(large)) / float64(len(small))
			ratio := 0.0
			for range 3 { // what else runs disturbs the caches
				a, b := measure(small), measure(large)
				ratio = float64(b) / float64(a) / scale
				t.Logf("%s: %v for %d bytes, %v for %d: %.2f times linear", s.name, a, len(small), b, len(large), ratio)
				if ratio < 2.5 {
					break
				}
			}
			require.Less(t, ratio, 2.5, s.name) // quadratic would be near 10
		}()
	}
}

// adversarial are shapes that only an enemy writes.
var adversarial = []struct {
	name string
	text func(n int) string
	size int
}{
	{"ranges of one name", func(n int) string {
		var b strings.Builder
		b.WriteString(shapeHead + ".kernel @k()\n{\n\t.reg .32b %a;\n")
		for i := 0; i < n; i++ {
			b.WriteString("\t.reg .32b %r<" + strconv.Itoa(2*i) + "~" + strconv.Itoa(2*i+2) + ">;\n\tmov.32b %a, %r" + strconv.Itoa(i) + ";\n")
		}
		b.WriteString("}\n")
		return b.String()
	}, 40_000},
	{"hidden ranges", func(n int) string {
		return shapeHead + ".kernel @k()\n{\n\t.reg .32b %r<0~9>;\n" + strings.Repeat("{ .reg .32b %r<0~5>; mov.32b %r1, %r7;\n", n) + strings.Repeat("mov.32b %r1, %r7; }\n", n) + "}\n"
	}, 20_000},
	{"blocks side by side", func(n int) string {
		return shapeHead + ".kernel @k()\n{\n\t.reg .32b %r<0~9>;\n" + strings.Repeat("{ .reg .64b %r<0~9>; mov.64b %r1, %r7; }\nmov.32b %r1, %r7;\n", n) + "}\n"
	}, 20_000},
	{"local variables", func(n int) string {
		var b strings.Builder
		b.WriteString(shapeHead + ".kernel @k()\n{\n\t.reg .32b %a;\n")
		for i := 0; i < n; i++ {
			b.WriteString("\t.private @P" + strconv.Itoa(i) + "[4];\n\tld.private.32b %a, [@P" + strconv.Itoa(i/2) + "];\n")
		}
		b.WriteString("}\n")
		return b.String()
	}, 40_000},
	{"empty functions", func(n int) string {
		var b strings.Builder
		b.WriteString(shapeHead)
		for i := 0; i < n; i++ {
			b.WriteString(".function void @f" + strconv.Itoa(i) + "() { }")
		}
		return b.String()
	}, 100_000},
	{"prototypes", func(n int) string {
		var b strings.Builder
		b.WriteString(shapeHead)
		for i := 0; i < n; i++ {
			b.WriteString(".function void @f" + strconv.Itoa(i) + "();\n")
		}
		for i := 0; i < n; i++ {
			b.WriteString(".function void @f" + strconv.Itoa(i) + "() {\n}\n")
		}
		return b.String()
	}, 20_000},
	{"spellings", func(n int) string {
		var b strings.Builder
		b.WriteString(shapeHead + ".kernel @k()\n{\n\t.reg .32b %a;\n")
		for i := 0; i < n; i++ {
			b.WriteString("\tbfn.0x" + strconv.FormatInt(int64(16+i%200), 16) + ".32b %a, %a, 1, 2;\n")
		}
		b.WriteString("}\n")
		return b.String()
	}, 40_000},
	{"comments", func(n int) string { return shapeHead + strings.Repeat("// comment\n", n) }, 100_000},
}

// TestLinkIsLinear: renaming does not search from the start.
func TestLinkIsLinear(t *testing.T) {
	src, ds := &ir.Sources{}, &ir.Diags{}
	var files []*File
	for i := range 3000 {
		files = append(files, Parse(src.Add("m"+strconv.Itoa(i), []byte(head10+".global @x[4];\n")), Options{}, ds))
	}
	start := time.Now()
	p := Link(files, ds)
	require.Less(t, time.Since(start), 2*second)
	require.Len(t, p.Vars, 3000)
	require.Equal(t, "x.2999", p.Vars[2999].Name)
}

func FuzzParse(f *testing.F) {
	for _, dir := range []string{"e2e/kernels", "e2e/llvm-style", "pisa"} {
		for _, text := range corpus(f, dir) {
			f.Add(text)
		}
	}
	f.Add(head01 + ".kernel @k() {\n.reg .32b %r<0~9>, %r5;\n{ mov.32b %r5, -1; }\nfoo %r;\n}")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		p := parse(t, text)
		for _, d := range p.ds.List {
			if _, known := Explain(d.Code); !known {
				t.Fatalf("code %s", d.Code)
			}
			if d.Loc != ir.NoLoc && p.Src.Offset(d.Loc) > len(text) || d.End != ir.NoLoc && p.Src.Offset(d.End) > len(text) {
				t.Fatalf("%s: %q points outside the text", d.Code, d.Text)
			}
		}
		if !p.ds.HasErrors() {
			roundTrip(t, p)
		}
	})
}
