package asm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// dump shows all that a File means, and how it is written where the printer
// promises to keep that; not where it stands.
func dump(f *File) string {
	var b strings.Builder
	fmt.Fprintln(&b, f.Version, f.Target, f.HasVersion, f.HasTarget)
	for _, c := range f.Comments {
		fmt.Fprintf(&b, "comment %q\n", c.Text)
	}
	vars := func(vs []*Var) {
		for _, v := range vs {
			w := *v
			w.Loc, w.End, w.Fn, w.Init = 0, 0, nil, nil
			fmt.Fprintf(&b, "var %+v\n", w)
			for _, it := range v.Init {
				it.Loc, it.End = 0, 0
				it.Sym = SymRef{}
				fmt.Fprintf(&b, "  %+v\n", it)
			}
			for _, it := range v.Init {
				refs(&b, it.Sym)
			}
		}
	}
	vars(f.Vars)
	for _, d := range f.Decls {
		fmt.Fprintln(&b, "decl", d.Var != nil, d.Func != nil, d.Proto)
	}
	for _, fn := range f.Funcs {
		fmt.Fprintln(&b, "func", fn.Name, fn.Kind, fn.Linkage, fn.Ret, fn.Params, fn.ParamTypes, fn.ReqdWorkGroupSize, fn.VecTypeHint, fn.HasBody)
		for _, q := range fn.KParams {
			q.Loc = 0
			fmt.Fprintf(&b, "  %+v\n", q)
		}
		vars(fn.Vars)
		for _, r := range fn.Regs {
			fmt.Fprintln(&b, "  reg", r.Name, r.Type)
		}
		for _, d := range fn.RegDecls {
			fmt.Fprintln(&b, "  regs", d)
		}
		for _, n := range fn.RegNames {
			fmt.Fprintln(&b, "  name", n.Name, n.Range, n.Lo, n.Hi)
		}
		for _, l := range fn.Labels {
			fmt.Fprintln(&b, "  label", l.Name)
		}
		for _, s := range fn.Syms {
			refs(&b, s)
		}
		for _, s := range fn.Stmts {
			fmt.Fprintln(&b, "  stmt", s.Kind, s.Ref)
		}
		for i := range fn.Instrs {
			in := &fn.Instrs[i]
			fmt.Fprintf(&b, "  %s %s %#x", in.Row.Name, in.Form.Name, in.Props)
			for _, op := range fn.Operands(in) {
				op.Loc, op.End = 0, 0
				if op.Lit == LitFloat {
					op.Lit = LitHex // floats print as bits
				}
				fmt.Fprintf(&b, " %v", op)
			}
			fmt.Fprintln(&b)
		}
	}
	return b.String()
}

func refs(b *strings.Builder, s SymRef) {
	fmt.Fprint(b, "  ref ", s.Name)
	if s.Var != nil {
		fmt.Fprint(b, " var ", s.Var.Name, s.Var.Space, s.Var.Fn != nil)
	}
	if s.Func != nil {
		fmt.Fprint(b, " func ", s.Func.Name, s.Func.HasBody)
	}
	fmt.Fprintln(b)
}

// roundTrip prints p, reads the text and demands the same File and, printed
// again, the same text.
func roundTrip(t testing.TB, p parsed) string {
	t.Helper()
	text := string(AppendText(nil, p.File))
	q := parse(t, text)
	if q.ds.HasErrors() {
		t.Fatalf("the printed text has errors:\n%s\n%s", q.messages(ir.Error), text)
	}
	if want, got := dump(p.File), dump(q.File); want != got {
		require.Equal(t, want, got, "printed:\n%s", text)
	}
	if again := string(AppendText(nil, q.File)); again != text {
		require.Equal(t, text, again)
	}
	return text
}

func TestRoundTripOfCorpus(t *testing.T) {
	for _, c := range readConformance(t, "accept.json") {
		t.Run(c.Name, func(t *testing.T) { roundTrip(t, accept(t, c.Pisa)) })
	}
	for _, dir := range []string{"e2e/kernels", "e2e/llvm-style"} {
		for name, text := range corpus(t, dir) {
			t.Run(name, func(t *testing.T) { roundTrip(t, accept(t, text)) })
		}
	}
}

// TestCanonicalText pins the form, written by hand.
func TestCanonicalText(t *testing.T) {
	const in = `// top
.version   0.1 ; // v
.target 100;
.global .align  4 @A[ 4 ] = { .32b 42 } ;   // a
.const @T[12] = {.64b @A + 4,.16b -1,.zero 2};
.import .function .v2.32b @ext( .reg .64b %p,.32b %q );
// before
.function .32b @f(.reg .32b %x)
{
  .reg .32b %r0, %r<1 ~ 5>; .pred %p;
// own
  ld.global.32b %r0, [@A]; // trailing
  fmul.f %r1, %r0, 1.5;
  fadd.re.f %r1, %r1, 0x3f800000;
  ld.acquire.32b %r2, [%g];
  { iadd.32b %r0,
     %r0, // inside
     -1; }
loop: // label
  goto.cond !%p, loop;
  call.cond %p, %r1, @f ( %r0 );
  return %r0;
} // end
.kernel .reqd_work_group_size(8,4,1) @k(.param[8] .ptr_align(4) .addrspace(global) %a,.param[4] .align(8) %b) {
  .reg .64b %d;
  ld.param.64b %d, [%a+0];
  iatom.global.relaxed.inc.64b %d, [%d + -8];
  bfn.0xba.32b %d.x, 1, 2, 3;
}
`
	text := strings.NewReplacer(
		"  ld.acquire.32b %r2, [%g];\n", "  .reg .64b %g;\n  ld.acquire.32b %r2, [%g];\n",
		"  bfn.0xba.32b %d.x, 1, 2, 3;\n", "  .reg .v2.32b %v;\n  bfn.0xba.32b %v.x, 1, 0X2, -3;\n").Replace(in)
	const want = `// top
.version 0.1; // v
.target 100;

.global .align 4 @A[4] = { .32b 42 }; // a
.const @T[12] = { .64b @A+4, .16b -1, .zero 2 };
.import .function .v2.32b @ext(.reg .64b, .reg .32b);

// before
.function .32b @f(.reg .32b %x) {
  .reg .32b %r0, %r<1~5>;
  .pred %p;
  // own
  ld.global.32b %r0, [@A]; // trailing
  fmul.re.f %r1, %r0, 0x3FC00000;
  fadd.f %r1, %r1, 0x3F800000;
  .reg .64b %g;
  ld.generic.acquire.gpu.32b %r2, [%g];
  {
    iadd.32b %r0, %r0, -1; // inside
  }
loop: // label
  goto.cond !%p, loop;
  call.cond %p, %r1, @f(%r0);
  return %r0;
} // end

.kernel .reqd_work_group_size(8, 4, 1) @k(.param[8] .addrspace(global) .ptr_align(4) %a, .param[4] %b) {
  .reg .64b %d;
  ld.param.64b %d, [%a + 0];
  iatom.global.inc.64b %d, [%d - 8];
  .reg .v2.32b %v;
  bfn.0xba.32b %v.x, 1, 0x2, -3;
}
`
	require.Equal(t, want, roundTrip(t, accept(t, text)))
}

// TestPrintedRoundingHoldsUnderEveryOption: the default of fmul is an option,
// so that the text must not depend on it.
func TestPrintedRoundingHoldsUnderEveryOption(t *testing.T) {
	const text = ".version 0.1;\n.target 100;\n.kernel @k() {\n.reg .32b %r;\nfmul.f %r, %r, %r;\n}\n"
	p := parseWith(t, text, Options{FMulDefaultRounding: pisa.RZ})
	require.Equal(t, pisa.RZ, pisa.RoundOf(p.Funcs[0].Instrs[0].Props))
	q := parse(t, string(AppendText(nil, p.File)))
	require.Equal(t, pisa.RZ, pisa.RoundOf(q.Funcs[0].Instrs[0].Props))
}

func TestQuotedNames(t *testing.T) {
	p := accept(t, ".version 1.0;\n.target 100;\n.global @\"a b\\09\\\"\\\\c\\n\\e9\"[4];\n.global @9x@y[8] = { .64b @\"a b\\09\\\"\\\\c\\n\\e9\"-8 };\n")
	require.Equal(t, "a b\t\"\\c\n\xe9", p.Vars[0].Name)
	require.Equal(t, "9x@y", p.Vars[1].Name)
	require.Equal(t, int64(-8), p.Vars[1].Init[0].Off)
	require.Same(t, p.Vars[0], p.Vars[1].Init[0].Sym.Var)
	roundTrip(t, p)
}
