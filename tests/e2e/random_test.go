package e2e

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/interp"
	"pisac/driver/launch"
	"pisac/ir"
	"pisac/lowering/llvmgen"
	"pisac/tests/e2e/host"
)

var randomPrograms = flag.Int("random", 24, "random programs to run")

// regs are the registers of a random program: %<prefix>0 to 3 of each type, the
// widest first, so that they lie in memory at their alignment.
var regs = []struct {
	prefix string
	t      ir.Type
}{
	{"d", ir.B64}, {"w", ir.B32}, {"vh", ir.Vector(2, ir.B16)}, {"vb", ir.Vector(4, ir.B8)},
	{"h", ir.B16}, {"b", ir.B8}, {"p", ir.Pred},
}

func someReg(r *rand.Rand, t ir.Type) string {
	for _, k := range regs {
		if k.t == t {
			return fmt.Sprintf("%%%s%d", k.prefix, r.IntN(4))
		}
	}
	panic("no registers of type " + t.String())
}

// approximate names the rows whose results two implementations may differ in.
var approximate = map[string]bool{
	"fsin": true, "fcos": true, "fexp2": true, "flog2": true, "ftanh": true, "frsqrt": true,
}

// randomForms lists the forms of pure ops that the generator uses.
func randomForms() (forms []*pisa.Form, rows []*pisa.Row) {
	for i := range pisa.Table {
		row := &pisa.Table[i]
		if row.Code == 0 || row.IROnly || approximate[row.Name] {
			continue
		}
		for k := range row.Forms {
			if f := &row.Forms[k]; f.Since == (ir.Version{}) {
				forms, rows = append(forms, f), append(rows, row)
			}
		}
	}
	return forms, rows
}

// generator writes a kernel of random instructions.
type generator struct {
	*rand.Rand
	strings.Builder
	forms  []*pisa.Form
	rows   []*pisa.Row
	labels int
}

// instruction writes a random instruction that pisa.EvalFn knows.
func (g *generator) instruction() {
	for {
		i := g.IntN(len(g.forms))
		f, row := g.forms[i], g.rows[i]
		var p uint64
		name := row.Name
		for j := range f.Quals {
			q := &f.Quals[j]
			v := uint64(0)
			switch q.Form {
			case ir.QualFlag:
				if v = uint64(g.IntN(2)); !q.Optional {
					v = 1
				}
				if v == 1 {
					name += "." + q.Name
				}
			case ir.QualHex:
				v = uint64(1 + g.IntN(254))
				name += fmt.Sprintf(".0x%02x", v)
			case ir.QualInt:
				name += ".0"
			default:
				for v = uint64(g.IntN(len(q.Names))); !q.Allows(v); v = uint64(g.IntN(len(q.Names))) {
				}
				if q.Names[v] != "" {
					name += "." + q.Names[v]
				}
			}
			p = q.Field.Set(p, v)
		}
		if pisa.EvalFn(row.Code, p) == nil || !admits(f, p) || g.float(p) && pisa.TypeOf(p).Packed() && row.Code != pisa.FCmp {
			continue
		}
		args := make([]string, len(f.Args))
		for j := range f.Args {
			a := &f.Args[j]
			t := a.Shape.Type(p)
			switch {
			case a.Kinds&pisa.KImm != 0 && g.IntN(4) == 0 && !isFloatArg(a, p):
				args[j] = fmt.Sprint(g.Uint64() >> (64 - t.ElemBits() + g.IntN(t.ElemBits())))
			case a.Kinds&pisa.KNotPred != 0 && g.IntN(2) == 0:
				args[j] = "!" + someReg(g.Rand, t)
			default:
				args[j] = someReg(g.Rand, t)
			}
		}
		if row.Code == pisa.SDiv || row.Code == pisa.UDiv { // not by zero
			args[2] = someReg(g.Rand, f.Args[2].Shape.Type(p))
			fmt.Fprintf(g, "  or.%s %s, %s, 1;\n", pisa.TypeOf(p), args[2], args[2])
		}
		fmt.Fprintf(g, "  %s %s;\n", name, strings.Join(args, ", "))
		g.fixNaN(row, p, args[0])
		return
	}
}

func admits(f *pisa.Form, p uint64) bool {
	for i := range f.Rules {
		if r := &f.Rules[i]; r.Props != nil && !r.Props(p) {
			return false
		}
	}
	return true
}

// float reports whether the result is of a float type.
func (g *generator) float(p uint64) bool { return pisa.TypeOf(p).Info().Float }

func isFloatArg(a *pisa.Arg, p uint64) bool {
	if a.Shape == pisa.ShFrom {
		return pisa.FromOf(p).Info().Float
	}
	return a.Shape == pisa.ShType && pisa.TypeOf(p).Info().Float
}

// fixNaN replaces a NaN result by a fixed one: which NaN comes out is open.
func (g *generator) fixNaN(row *pisa.Row, p uint64, dst string) {
	t := pisa.TypeOf(p)
	if !g.float(p) || row.Code == pisa.FCmp || row.Code == pisa.Sel {
		return
	}
	if pisa.Has(p, pisa.FFull) {
		t = pisa.F
	}
	fmt.Fprintf(g, "  fcmp.ne.%s %%nan, %s, %s;\n  sel.%db %s, %d, %s, %%nan;\n", t, dst, dst, t.Info().Bits, dst, t.Format().NaN(), dst)
}

// block writes instructions, branches forward and loops of a few rounds.
func (g *generator) block(depth int) {
	for range 2 + g.IntN(5) {
		label := fmt.Sprintf("L%d", g.labels)
		switch k := g.IntN(8); {
		case k == 0 && depth > 0:
			g.labels++
			fmt.Fprintf(g, "  goto.cond %s, %s;\n", someReg(g.Rand, ir.Pred), label)
			g.block(depth - 1)
			fmt.Fprintf(g, "%s:\n", label)
		case k == 1 && depth > 0:
			g.labels++
			fmt.Fprintf(g, "  mov.32b %%n%d, 0;\n%s:\n  iadd.32b %%n%d, %%n%d, 1;\n", depth, label, depth, depth)
			g.block(depth - 1)
			fmt.Fprintf(g, "  ucmp.lt.32b %%loop, %%n%d, %d;\n  goto.cond %%loop, %s;\n", depth, 1+g.IntN(4), label)
		case k == 2:
			fmt.Fprintf(g, "  mov.32b %s.xy, %s;\n", someReg(g.Rand, ir.Vector(2, ir.B16)), someReg(g.Rand, ir.B32))
		default:
			g.instruction()
		}
	}
}

const randomItems = 48 // a sub-group and a half

// randomProgram is a kernel whose work-items start from random words, compute,
// and store every register.
func randomProgram(t *testing.T, seed uint64, forms []*pisa.Form, rows []*pisa.Row) (p program, source string) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 7)), forms: forms, rows: rows}
	g.WriteString(".version 0.1;\n.target 100;\n.kernel @k(.param[8] %in, .param[8] %out) {\n")
	for _, k := range regs {
		decl := ".reg ." + k.t.String()
		if k.t.IsPred() {
			decl = ".pred"
		}
		fmt.Fprintf(g, "  %s %%%s<0~4>;\n", decl, k.prefix)
	}
	g.WriteString("  .pred %nan, %loop;\n  .reg .32b %n<0~4>, %i;\n  .reg .64b %pi, %po, %o;\n" +
		"  mov.32b %i, %localid.x;\n  zext.64b.32b %o, %i;\n  shl.64b %o, %o, 7;\n" +
		"  ld.param.64b %pi, [%in];\n  iadd.64b %pi, %pi, %o;\n  ld.param.64b %po, [%out];\n  iadd.64b %po, %po, %o;\n")
	// 128 bytes for each work-item.
	each := func(word func(reg string, k int, at int)) {
		at := 0
		for k := range regs {
			if regs[k].t.IsPred() {
				continue
			}
			for i := range 4 {
				word(fmt.Sprintf("%%%s%d", regs[k].prefix, i), k, at)
				at += (regs[k].t.TotalBits() + 7) / 8
			}
		}
	}
	access := func(k int) string {
		t := regs[k].t
		if t.IsVector() {
			return fmt.Sprintf("v%d.%s", t.Lanes(), t.Elem())
		}
		return t.String()
	}
	each(func(reg string, k, at int) { fmt.Fprintf(g, "  ld.global.%s %s, [%%pi + %d];\n", access(k), reg, at) })
	for i := range 4 {
		fmt.Fprintf(g, "  ucmp.lt.32b %%p%d, %%w%d, %%w%d;\n  mov.32b %%n%d, 0;\n", i, i, (i+1)%4, i)
	}
	g.block(3)
	g.block(3)
	each(func(reg string, k, at int) { fmt.Fprintf(g, "  st.global.%s [%%po + %d], %s;\n", access(k), at, reg) })
	g.WriteString("  return;\n}\n")

	in := make([]byte, randomItems*128)
	for i := range in {
		in[i] = byte(g.Uint32())
		if g.IntN(3) == 0 {
			in[i] = []byte{0, 0xff, 0x80, 0x7f, 0x3f, 1}[g.IntN(6)]
		}
	}
	l := &launch.Launch{Kernel: "k", Global: [3]uint64{randomItems, 1, 1}, Local: [3]uint64{randomItems, 1, 1}, Dims: 1}
	for _, data := range [][]byte{in, make([]byte, len(in))} {
		l.Args = append(l.Args, launch.Arg{Kind: launch.Buffer, Data: data})
	}
	name := fmt.Sprintf("random%d", seed)
	return program{name, build(t, name, g.String()), l}, g.String()
}

// TestRandomPrograms runs random programs in the interpreter and as LLVM IR on
// the host, optimised and not.
func TestRandomPrograms(t *testing.T) {
	tools, ok := host.FindTools()
	if !ok {
		t.Skip("LLVM 19 is not installed")
	}
	forms, rows := randomForms()
	var kernels []host.Kernel
	var launches []host.Launch
	var want [][]byte
	var sources []string
	for seed := range uint64(*randomPrograms) {
		p, source := randomProgram(t, seed, forms, rows)
		r := request(p.launch)
		var ds ir.Diags
		interp.Run(p.module, r, &ds)
		require.False(t, ds.HasErrors(), "%s\n%s", diags(p.module.Sources, ds.List), source)
		m := llvmgen.Emit(p.module, target.ByName("gfx1100"), llvmgen.Options{}, &ds)
		require.False(t, ds.HasErrors(), "%s\n%s", diags(p.module.Sources, ds.List), source)
		// llc takes it too, for one of the chips at one of its levels.
		chip := &target.All()[seed%4]
		m2 := llvmgen.Emit(p.module, chip, llvmgen.Options{}, &ds)
		llc := exec.Command(tools.LLC, "-mcpu="+chip.Name, fmt.Sprintf("-O%d", seed/4%2*3), "-filetype=null")
		llc.Stdin = strings.NewReader(m2.String())
		out, err := llc.CombinedOutput()
		require.NoError(t, err, "%s %s\n%s", llc, out, source)
		require.Empty(t, string(out), "%s\n%s", llc, source)
		launches = append(launches, hostLaunch(&p, len(kernels)))
		kernels = append(kernels, host.Kernel{Module: m.String(), Name: "k"})
		want = append(want, r.Args[1].Data)
		sources = append(sources, source)
	}
	for _, optimize := range []bool{false, true} {
		prog, err := host.Build(tools, t.TempDir(), 32, optimize, kernels)
		require.NoError(t, err)
		results, err := prog.Run(launches)
		require.NoError(t, err)
		for i, r := range results {
			require.Empty(t, r.Failure, "%s", sources[i])
			for at := range want[i] {
				if r.Buffers[1][at] != want[i][at] {
					t.Fatalf("seed %d, optimize=%t: byte %d of work-item %d is %#x, not %#x\n%s", i, optimize, at%128, at/128, r.Buffers[1][at], want[i][at], sources[i])
				}
			}
		}
	}
}
