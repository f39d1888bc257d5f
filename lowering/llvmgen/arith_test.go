package llvmgen

import (
	"bytes"
	endian "encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// The lowering of a pure op is generic LLVM IR, so LLVM 19 for the host can
// execute it: every form of every pure op with every combination of qualifiers
// becomes a function, all of them one program, whose results are compared with
// pisa.EvalFn.

// pureCase is a pure op with qualifiers, as the function op<n> of four .64b
// parameters and a .64b result.
type pureCase struct {
	row      *pisa.Row
	form     *pisa.Form
	props    uint64
	operands []ir.Type
	result   int // which result the function returns
	eval     pisa.Eval
}

func (c *pureCase) String() string {
	return fmt.Sprintf("%s/%s %s %s (props %#x)", c.row.Name, c.form.Name, pisa.TypeOf(c.props), pisa.FromOf(c.props), c.props)
}

// pureCases lists every combination of qualifiers of every form of the pure ops.
func pureCases() (cases []pureCase) {
	for i := range pisa.Table {
		r := &pisa.Table[i]
		for k := range r.Forms {
			f := &r.Forms[k]
			if f.Name == "pred-float" { // an assembler's alias
				continue
			}
			combinations(r, f.Quals, 0, func(p uint64) {
				eval := pisa.EvalFn(r.Code, p)
				if eval == nil || !admitted(f, p) {
					return
				}
				c := pureCase{row: r, form: f, props: p, eval: eval}
				results := 0
				for i := range f.Args {
					if a := &f.Args[i]; a.Role == pisa.Dst {
						results++
					} else {
						c.operands = append(c.operands, a.Shape.Type(p))
					}
				}
				for c.result = range results {
					cases = append(cases, c)
				}
			})
		}
	}
	return cases
}

// combinations calls do for each choice of values of quals.
func combinations(r *pisa.Row, quals []ir.Qual, p uint64, do func(p uint64)) {
	if len(quals) == 0 {
		do(p)
		return
	}
	q := &quals[0]
	n := uint64(len(q.Names))
	switch q.Form {
	case ir.QualFlag:
		n = 2
	case ir.QualInt, ir.QualHex:
		n = 1 << q.Field.Width
	}
	for v := range n {
		if q.Allows(v) {
			combinations(r, quals[1:], q.Field.Set(p, v), do)
		}
	}
}

func admitted(f *pisa.Form, p uint64) bool {
	for i := range f.Rules {
		if r := &f.Rules[i]; r.Props != nil && !r.Props(p) {
			return false
		}
	}
	return true
}

// build adds the function of c to m.
func (c *pureCase) build(m *ir.Module, name string) {
	fn := m.NewFunc(name, ir.FuncDevice)
	fn.Linkage, fn.Ret = ir.LinkExport, ir.B64
	fn.Sig = []ir.Type{ir.B64, ir.B64, ir.B64, ir.B64}
	entry := fn.NewBlock()
	var bl ir.Builder
	bl.AtEnd(entry)
	typ := func(to, from pisa.DType) uint64 {
		return pisa.FType.Put(uint64(to)) | pisa.FFrom.Put(uint64(from))
	}
	scalar := map[int]pisa.DType{8: pisa.T8b, 16: pisa.T16b, 32: pisa.T32b, 64: pisa.T64b}
	var params, operands []*ir.Value
	for range fn.Sig {
		params = append(params, entry.AddArg(ir.B64))
	}
	for i, t := range c.operands {
		v := params[i]
		if n := t.TotalBits(); t.IsPred() {
			v = bl.Value(pisa.UCmp, typ(pisa.T64b, 0)|pisa.FOp.Put(uint64(pisa.NE)), ir.Pred, v, builtin.ConstInt(&bl, ir.B64, 0))
		} else if n < 64 {
			v = bl.Value(pisa.Trunc, typ(scalar[n], pisa.T64b), ir.Bits(n), v)
		}
		if t.IsVector() {
			v = bl.Value(pisa.Bitcast, 0, t, v)
		}
		operands = append(operands, v)
	}
	var results []ir.Type
	for i := range c.form.Args {
		if a := &c.form.Args[i]; a.Role == pisa.Dst {
			results = append(results, a.Shape.Type(c.props))
		}
	}
	v := bl.OpResults(c.row.Code, c.props, 0, results, operands...).Result(c.result)
	t := v.Type
	if t.IsVector() {
		v = bl.Value(pisa.Bitcast, 0, ir.Bits(t.TotalBits()), v)
	}
	if n := t.TotalBits(); t.IsPred() {
		v = bl.Value(pisa.Sel, typ(pisa.T64b, 0), ir.B64, builtin.ConstInt(&bl, ir.B64, 1), builtin.ConstInt(&bl, ir.B64, 0), v)
	} else if n < 64 {
		v = bl.Value(pisa.ZExt, typ(pisa.T64b, scalar[n]), ir.B64, v)
	}
	builtin.Ret(&bl, v)
}

// pureModule has the functions op0, op1, … of cases.
func pureModule(t *testing.T, cases []pureCase) *ir.Module {
	m := ir.NewModule(dialects.All(), &ir.Sources{})
	for i := range cases {
		cases[i].build(m, fmt.Sprintf("op%d", i))
	}
	ds := &ir.Diags{}
	ir.Verify(m, ds)
	require.Empty(t, ds.List)
	return m
}

func emitModule(t *testing.T, m *ir.Module, mcpu string) string {
	ds := &ir.Diags{}
	out := Emit(m, target.ByName(mcpu), Options{}, ds)
	require.Empty(t, ds.List)
	return out.String()
}

// numbers says what the bits of the operands or the result are: floats of f, one
// for each lane, or (lanes 0) integers of bits in words of total bits.
type numbers struct {
	float       bool
	f           fp.Format
	bits, total int
}

func numbersOf(t pisa.DType, reg ir.Type) numbers {
	if e := t.Info(); t != pisa.NoType && e.Float && reg.TotalBits() == e.Bits*e.Lanes {
		return numbers{true, t.Format(), e.Bits, e.Bits * e.Lanes}
	}
	return numbers{bits: reg.ElemBits(), total: reg.TotalBits()}
}

// source says what operand i of the case is.
func (c *pureCase) source(i int) numbers {
	t := pisa.TypeOf(c.props)
	if from := pisa.FromOf(c.props); from != pisa.NoType {
		t = from
	}
	if c.row.Code == pisa.FTrunc2 {
		t = pisa.F
	}
	return numbersOf(t, c.operands[i])
}

// target says what the result is: a comparison gives bits.
func (c *pureCase) target() numbers {
	switch {
	case c.row.Code == pisa.FCmp:
		return numbers{bits: 32, total: 32}
	case pisa.Has(c.props, pisa.FFull) && c.row.Code == pisa.FMul:
		return numbers{true, fp.F, 32, 32}
	}
	t := pisa.TypeOf(c.props)
	return numbersOf(t, t.Info().Reg)
}

// draw draws operands, related to each other now and then: equal, opposite, a
// product about to cancel, a result about to underflow.
func (c *pureCase) draw(r *rand.Rand) (x [4]uint64) {
	for i := range c.operands {
		n := c.source(i)
		for at := 0; at < n.total; at += n.bits {
			x[i] |= n.draw(r, c.row) << at
		}
	}
	n := c.source(0)
	if !n.float || len(c.operands) < 2 || !c.source(1).float {
		return x
	}
	f, lane, mask := n.f, uint64(0), n.f.SignBit()<<1-1
	for at := 0; at < n.total; at += n.bits {
		a, b := x[0]>>at&mask, x[1]>>at&mask
		switch r.IntN(5) {
		case 0:
			b = (a ^ uint64(r.IntN(2))*f.SignBit() ^ uint64(r.IntN(3))) & mask
		case 1:
			e := int(f.One()>>f.Mantissa()) - int(a&^f.SignBit()>>f.Mantissa()) + r.IntN(f.Mantissa()+4) - f.Mantissa()
			if e > 0 {
				b = uint64(e)<<f.Mantissa()&f.Inf() | b&(1<<f.Mantissa()-1)
			}
		case 2:
			if len(c.operands) == 3 && c.source(2).float {
				p := (fp.Mul(f, fp.Mode{}, a, b) ^ f.SignBit() ^ uint64(r.IntN(4))) & mask
				x[2] = x[2]&^(mask<<at) | p<<at
			}
		}
		lane |= b << at
	}
	x[1] = lane
	return x
}

func (n numbers) draw(r *rand.Rand, row *pisa.Row) uint64 {
	if n.float {
		if row.Code == pisa.F2I || row.Code == pisa.PF2I {
			return drawNearInteger(n.f, r)
		}
		if (row.Code == pisa.FTrunc || row.Code == pisa.FTrunc2) && r.IntN(2) == 0 {
			return drawNearNarrow(n.f, r)
		}
		return drawFloat(n.f, r)
	}
	var x uint64
	switch r.IntN(6) {
	case 0:
		x = uint64(r.IntN(5)) - 2
	case 1:
		x = uint64(1)<<r.IntN(n.bits) + uint64(r.IntN(5)) - 2
	case 2:
		x = uint64(int64(r.Uint64()) >> r.IntN(64))
	case 3:
		x = uint64(r.IntN(70)) // an amount or a position
	default:
		x = r.Uint64() >> r.IntN(64)
	}
	return x & (1<<(n.bits-1)<<1 - 1)
}

// drawFloat prefers the ends of a format, few digits, and neighbours of 1.
func drawFloat(f fp.Format, r *rand.Rand) uint64 {
	sign := uint64(r.IntN(2)) * f.SignBit()
	frac := uint64(1)<<f.Mantissa() - 1
	x := r.Uint64() & frac
	switch r.IntN(4) {
	case 0:
		x &^= 1<<r.IntN(f.Mantissa()+1) - 1
	case 1:
		x |= 1<<r.IntN(f.Mantissa()+1) - 1
	case 2:
		x &= 3 << r.IntN(f.Mantissa())
	}
	x &= frac
	switch r.IntN(8) {
	case 0:
		near := []uint64{0, 1, f.Inf(), f.Inf() | 1<<(f.Mantissa()-1), frac, f.One(), f.Max()}
		return (near[r.IntN(len(near))]+uint64(r.IntN(3)))&(f.SignBit()-1) | sign
	case 1:
		return x>>r.IntN(f.Mantissa()) | sign
	case 2, 3, 4:
		return f.One() + uint64(r.IntN(9)-4)<<f.Mantissa() | x | sign
	}
	return r.Uint64()&f.Inf() | x | sign
}

// drawNearNarrow draws numbers beside those of a narrower format and half-way
// between them.
func drawNearNarrow(from fp.Format, r *rand.Rand) uint64 {
	to := []fp.Format{fp.HF, fp.BF, fp.F}[r.IntN(3)]
	if to.Bits() >= from.Bits() {
		to = fp.HF
	}
	x := fp.Convert(from, to, fp.Mode{}, drawFloat(to, r))
	half := uint64(1) << (from.Mantissa() - to.Mantissa() - 1)
	if r.IntN(3) == 0 { // where the denormals of to are
		half <<= r.IntN(to.Mantissa())
	}
	return (x + uint64(r.IntN(3))*half + uint64(r.IntN(3)) - 1) & (from.SignBit()<<1 - 1)
}

// drawNearInteger draws numbers around integers, halves and the limits of types.
func drawNearInteger(f fp.Format, r *rand.Rand) uint64 {
	if r.IntN(3) == 0 {
		return drawFloat(f, r)
	}
	v := uint64(1)<<[]int{7, 8, 15, 16, 31, 32, 63, 4, 2}[r.IntN(9)] + uint64(r.IntN(9)) - 4
	x := fp.FromInt(f, 64, r.IntN(2) == 0, fp.Mode{}, v)
	half := fp.Mul(f, fp.Mode{}, fp.FromInt(f, 8, true, fp.Mode{}, uint64(r.IntN(5)-2)&0xff), f.One()-1<<f.Mantissa())
	x = fp.Add(f, fp.Mode{}, x, half)
	if r.IntN(3) == 0 {
		x += uint64(r.IntN(3)) - 1
	}
	return (x ^ uint64(r.IntN(2))*f.SignBit()) & (f.SignBit()<<1 - 1)
}

// steps is how far a result may be from the correctly rounded one.
var steps = map[ir.Code]uint64{
	pisa.FSin: 2, pisa.FCos: 2, pisa.FExp2: 2, pisa.FTanh: 2, pisa.FLog2: 1, pisa.FRsqrt: 1,
}

// same compares a result; any NaN equals any.
func (c *pureCase) same(got, want uint64) bool {
	n := c.target()
	if got == want || !n.float {
		return got == want
	}
	mask := n.f.SignBit()<<1 - 1
	for at := 0; at < n.total; at += n.bits {
		g, w := got>>at&mask, want>>at&mask
		if g == w || n.f.IsNaN(g) && n.f.IsNaN(w) {
			continue
		}
		if n.f.IsNaN(g) || n.f.IsNaN(w) || distance(n.f, g, w) > steps[c.row.Code] {
			return false
		}
	}
	return true
}

// distance is the number of steps between two numbers.
func distance(f fp.Format, a, b uint64) uint64 {
	order := func(x uint64) int64 {
		if x&f.SignBit() != 0 {
			return -int64(x &^ f.SignBit())
		}
		return int64(x)
	}
	d := order(a) - order(b)
	return uint64(max(d, -d))
}

var (
	cpuAttr = regexp.MustCompile(`"target-cpu"="[^"]*"`)
	fmaV2   = regexp.MustCompile(`(?m)^declare <2 x half> @fma_v2f16\(.*$`)
)

// forHost turns LLVM IR for AMDGPU into that for x86-64.
func forHost(ll string) string {
	ll = strings.NewReplacer(
		`"=v,0"`, `"=r,0"`,
		"amdgcn-amd-amdhsa", "x86_64-linux-gnu",
		"@llvm.fma.f16(", "@fma_f16(", "@llvm.fma.v2f16(", "@fma_v2f16(",
	).Replace(cpuAttr.ReplaceAllString(ll, ""))
	return fmaV2.ReplaceAllLiteralString(ll, `
define <2 x half> @fma_v2f16(<2 x half> %a, <2 x half> %b, <2 x half> %c) {
	%a0 = extractelement <2 x half> %a, i32 0
	%b0 = extractelement <2 x half> %b, i32 0
	%c0 = extractelement <2 x half> %c, i32 0
	%a1 = extractelement <2 x half> %a, i32 1
	%b1 = extractelement <2 x half> %b, i32 1
	%c1 = extractelement <2 x half> %c, i32 1
	%r0 = call half @fma_f16(half %a0, half %b0, half %c0)
	%r1 = call half @fma_f16(half %a1, half %b1, half %c1)
	%v = insertelement <2 x half> poison, half %r0, i32 0
	%w = insertelement <2 x half> %v, half %r1, i32 1
	ret <2 x half> %w
}`)
}

// hostSource holds what LLVM has not for x86: a fused operation on half, which
// it replaces by one on float, rounding twice.
const hostSource = `#include <stdint.h>
#include <stdio.h>
typedef uint64_t u;
_Float16 fma_f16(_Float16 a, _Float16 b, _Float16 c) {
	double p = (double)a * (double)b, s = p + (double)c; /* p is exact */
	double t = s - p, e = (p - (s - t)) + ((double)c - t);
	union { double d; u i; } v = {s};
	if (e != 0 && e == e && !(v.i & 1)) /* round s to odd, then to half */
		v.i += (e > 0) == (s > 0) ? 1 : -1;
	return (_Float16)v.d;
}
`

// inputs are the operands that the case is tried on: all of them for a function
// of one 16-bit float, more than usual for other functions that are approximated.
func (c *pureCase) inputs(r *rand.Rand) (in [][4]uint64) {
	n := 40
	if steps[c.row.Code] > 0 && !pisa.Has(c.props, pisa.FFtz) {
		n = 2000
		if s := c.source(0); s.total == 16 {
			for x := range uint64(1 << 16) {
				in = append(in, [4]uint64{x})
			}
			return in
		}
	}
	for range n {
		in = append(in, c.draw(r))
	}
	return in
}

// TestPureOpsOnHost executes every pure op.
func TestPureOpsOnHost(t *testing.T) {
	needLLVM(t)
	if llvmTool("clang") == "" {
		t.Skip("clang 19 is not installed")
	}
	cases := pureCases()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	run := func(name string, args ...string) {
		out, err := exec.Command(llvmTool(name), args...).CombinedOutput()
		require.NoError(t, err, "%s %v\n%.4000s", name, args, out)
	}
	ll := forHost(emitModule(t, pureModule(t, cases), "gfx1100"))
	require.NoError(t, os.WriteFile(file("ops.ll"), []byte(ll), 0o666))
	var c strings.Builder
	c.WriteString(hostSource)
	for i := range cases {
		fmt.Fprintf(&c, "u op%d(u, u, u, u);\n", i)
	}
	c.WriteString("static u (*const ops[])(u, u, u, u) = {")
	for i := range cases {
		fmt.Fprintf(&c, "op%d, ", i)
	}
	c.WriteString("};\nint main(void) {\n\tu b[5];\n\twhile (fread(b, 8, 5, stdin) == 5) {\n\t\tu r = ops[b[0]](b[1], b[2], b[3], b[4]);\n\t\tfwrite(&r, 8, 1, stdout);\n\t}\n\treturn 0;\n}\n")
	require.NoError(t, os.WriteFile(file("main.c"), []byte(c.String()), 0o666))
	run("llc", "-O1", "-mattr=+f16c,+fma,+sse4.1", "-filetype=obj", file("ops.ll"), "-o", file("ops.o"))
	run("clang", "-O1", "-ffp-contract=off", "-mf16c", "-mfma", "-no-pie", file("main.c"), file("ops.o"), "-lm", "-o", file("ops"))

	r := rand.New(rand.NewPCG(1, 2))
	var in [][5]uint64
	first := make([]int, len(cases)+1)
	for i := range cases {
		for _, x := range cases[i].inputs(r) {
			in = append(in, [5]uint64{uint64(i), x[0], x[1], x[2], x[3]})
		}
		first[i+1] = len(in)
	}
	var stdin bytes.Buffer
	require.NoError(t, endian.Write(&stdin, endian.LittleEndian, in))
	cmd := exec.Command(file("ops"))
	cmd.Stdin = &stdin
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Len(t, out, 8*len(in))
	for i := range cases {
		c, bad := &cases[i], 0
		for j := first[i]; j < first[i+1]; j++ {
			x := in[j]
			r0, r1 := c.eval(x[1], x[2], x[3], x[4])
			want := [2]uint64{r0, r1}[c.result]
			if c.form.Name == "pred" && (c.row.Code == pisa.SCmp || c.row.Code == pisa.UCmp || c.row.Code == pisa.FCmp) {
				want &= 1
			}
			got := endian.LittleEndian.Uint64(out[8*j:])
			if c.same(got, want) {
				continue
			}
			if bad++; bad == 1 {
				t.Errorf("%s of %#x: got %#x, want %#x", c, x[1:1+len(c.operands)], got, want)
			}
		}
		if bad > 1 {
			t.Errorf("%s: %d of %d wrong", c, bad, first[i+1]-first[i])
		}
	}
	t.Logf("%d ops, %d operands", len(cases), len(in))
}

// TestPureOpsCompile compiles every pure op: all combinations of qualifiers
// somewhere, and each form with each type on all targets, at -O0 and -O3.
func TestPureOpsCompile(t *testing.T) {
	needLLVM(t)
	all := pureCases()
	runs := []struct{ mcpu, level string }{
		{"gfx1100", "-O0"}, {"gfx1100", "-O3"}, {"gfx942", "-O0"}, {"gfx942", "-O3"}, {"gfx90a", "-O3"}, {"gfx1201", "-O3"},
	}
	for i, run := range runs {
		t.Run(run.mcpu+run.level, func(t *testing.T) {
			t.Parallel()
			var cases []pureCase
			seen := map[string]bool{}
			for j, c := range all {
				key := fmt.Sprint(c.row.Name, c.form.Name, pisa.TypeOf(c.props), pisa.FromOf(c.props))
				if !seen[key] || j%len(runs) == i {
					cases = append(cases, c)
				}
				seen[key] = true
			}
			ll := emitModule(t, pureModule(t, cases), run.mcpu)
			require.NotContains(t, ll, "bfloat")
			asm := llc(t, ll, run.mcpu, run.level)
			for _, no := range []string{
				"swappc",                   // every library function is inlined
				"s_round_mode", "s_setreg", // the float mode stays as it is
				"v_sin_", "v_cos_", "v_exp_f32", "v_log_f32", // too coarse
			} {
				require.NotContains(t, asm, no)
			}
		})
	}
}
