package canon

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/rewrite"
)

// lanes is a value as its elements.
type lanes []uint64

// evaluate runs a function of one block on argument values and returns the
// value of its return. The pure ops go through the evaluator; the moves of
// bits are written here anew.
func evaluate(t testing.TB, f *ir.Func, args []lanes) lanes {
	vals := make([]lanes, f.NumValues())
	for i, a := range f.Entry().Args() {
		vals[a.ID] = args[i]
	}
	for op := f.Entry().First(); ; op = op.Next() {
		x := func(i int) lanes { return vals[op.Operand(i).ID] }
		var r lanes
		switch op.Code {
		case builtin.Return:
			return x(0)
		case builtin.Const:
			for range op.Result(0).Type.Lanes() {
				r = append(r, op.Props)
			}
		case pisa.Extract:
			r = append(r, x(0)[pisa.IndexOf(op.Props):][:op.Result(0).Type.Lanes()]...)
		case pisa.Insert:
			r = append(r, x(0)...)
			copy(r[pisa.IndexOf(op.Props):], x(1))
		case pisa.ExtractDynamic:
			r = lanes{0}
			if i := x(1)[0]; i < uint64(len(x(0))) {
				r[0] = x(0)[i]
			}
		case pisa.InsertDynamic:
			r = append(r, x(0)...)
			if i := x(2)[0]; i < uint64(len(r)) {
				r[i] = x(1)[0]
			}
		case pisa.Bitcast:
			r = split(op.Result(0).Type, join(op.Operand(0).Type, x(0)))
		case pisa.AddrCast:
			r = lanes{x(0)[0]}
		default:
			fn := pisa.EvalFn(op.Code, op.Props)
			require.NotNil(t, fn, "%s", op)
			var w [4]uint64
			for i := range op.NumOperands() {
				w[i] = join(op.Operand(i).Type, x(i))
			}
			r0, r1 := fn(w[0], w[1], w[2], w[3])
			if op.NumResults() == 2 {
				vals[op.Result(1).ID] = lanes{r1 & 1}
			}
			r = split(op.Result(0).Type, r0)
		}
		vals[op.Result(0).ID] = r
	}
}

func join(t ir.Type, v lanes) (w uint64) {
	for i, e := range v {
		w |= e << (i * t.ElemBits())
	}
	return w
}

func split(t ir.Type, w uint64) (v lanes) {
	for i := range t.Lanes() {
		v = append(v, w>>(i*t.ElemBits())&onesOf(t.Elem()))
	}
	return v
}

// gen makes functions of random pure ops.
type gen struct {
	r    *rand.Rand
	bl   ir.Builder
	pool []*ir.Value
}

var interesting = []uint64{0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 0xff, 0xffff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff,
	0x3c00, 0xbc00, 0x4000, 0x3f80, 0x4080, 0x3f800000, 0xbf800000, 0x40000000, 0x3e800000, 0x7f800001, 0x7fc00000, 0x00000001, 0x807fffff,
	0x3ff0000000000000, 0x4000000000000000, 0x8000000000000000, ^uint64(0), 0x7ff0000000000001, 0x3fd0000000000000, 0x7c01, 0x8000_8000, 0x3c00_3c00}

func (g *gen) word(t ir.Type) uint64 {
	w := interesting[g.r.IntN(len(interesting))]
	if g.r.IntN(3) == 0 {
		w = g.r.Uint64()
	}
	return w & onesOf(t)
}

// value returns an operand of type t: mostly what is there, newest first.
func (g *gen) value(t ir.Type) *ir.Value {
	if g.r.IntN(10) < 6 {
		for i := len(g.pool) - 1; i >= 0; i-- {
			if g.pool[i].Type == t && g.r.IntN(3) > 0 {
				return g.pool[i]
			}
		}
	}
	if t.TotalBits() > 64 {
		return builtin.ConstInt(&g.bl, t, g.word(t.Elem()))
	}
	return pisa.MakeConst(&g.bl, t, g.word(t))
}

var pureRows = func() (rows []*pisa.Row) {
	for i := range pisa.Table {
		r := &pisa.Table[i]
		if r.Code != 0 && (pisa.EvalFn(r.Code, pisa.FType.Put(uint64(pisa.T32b))|pisa.FFrom.Put(uint64(pisa.F))) != nil || r.Code == pisa.Extract || r.Code == pisa.Insert ||
			r.Code == pisa.ExtractDynamic || r.Code == pisa.InsertDynamic || r.Code == pisa.Bitcast) {
			rows = append(rows, r)
		}
	}
	return rows
}()

// focus makes some ops likelier together, so that patterns of several occur.
var focus = [][]ir.Code{
	{pisa.And, pisa.Or, pisa.Xor, pisa.Not, pisa.Bfn}, {pisa.Shl, pisa.Shr, pisa.Asr, pisa.And, pisa.Or, pisa.IAdd, pisa.Xor},
	{pisa.IAdd, pisa.ISub, pisa.INeg, pisa.UMul, pisa.SMul, pisa.UMad, pisa.SMad}, {pisa.UCmp, pisa.SCmp, pisa.FCmp, pisa.Sel},
	{pisa.ZExt, pisa.SExt, pisa.Trunc, pisa.And}, {pisa.Extract, pisa.Insert, pisa.Bitcast}, {pisa.FAdd, pisa.FMul, pisa.FNeg, pisa.FAbs, pisa.FSub, pisa.FMin},
	{pisa.UCmp, pisa.IAdd, pisa.ISub, pisa.Xor}, {pisa.Bitcast, pisa.Trunc, pisa.Extract}, {pisa.FExt, pisa.FTrunc}, {pisa.IAbs, pisa.INeg, pisa.ISub},
	{pisa.ExtractDynamic, pisa.InsertDynamic, pisa.Extract, pisa.Insert}, {pisa.FMax, pisa.FMin, pisa.FAdd},
}

func (g *gen) op(codes []ir.Code) {
	row := pureRows[g.r.IntN(len(pureRows))]
	if codes != nil && g.r.IntN(8) > 0 {
		row = pisa.RowOf(codes[g.r.IntN(len(codes))])
	}
	form := &row.Forms[g.r.IntN(len(row.Forms))]
	if form.Since != (ir.Version{}) {
		return
	}
	p := form.Absent()
	for i := range form.Quals {
		q := &form.Quals[i]
		var v uint64
		switch q.Form {
		case ir.QualInt:
			v = uint64(g.r.IntN(4))
		case ir.QualHex:
			v = 1 + uint64(g.r.IntN(254))
		case ir.QualFlag:
			v = 1
			if q.Optional {
				v = uint64(g.r.IntN(4) / 3)
			}
		default:
			for v = uint64(g.r.IntN(len(q.Names))); !q.Allows(v); v = uint64(g.r.IntN(len(q.Names))) {
			}
			if q.Name == "type" && codes != nil && q.Allows(uint64(pisa.T32b)) && g.r.IntN(2) == 0 {
				v = uint64(pisa.T32b)
			}
			if q.Name == "rndmode" && g.r.IntN(2) == 0 && q.Optional {
				v = q.Default
			}
		}
		p = q.Field.Set(p, v)
	}
	for i := range form.Rules {
		if r := &form.Rules[i]; r.Level != pisa.InAsm && r.Props != nil && !r.Props(p) {
			return
		}
	}
	var res []ir.Type
	var in []*ir.Value
	wide := ir.Vector(4, ir.B32)
	for i := range form.Args {
		a := &form.Args[i]
		t := a.Shape.Type(p)
		switch {
		case a.Shape == pisa.ShAny32:
			t = wide
			if pisa.IndexOf(p)+pisa.LanesOf(p) > 4 {
				return
			}
		case a.Shape == pisa.ShAny:
			shapes := []ir.Type{ir.B64, ir.Vector(2, ir.B32), ir.Vector(4, ir.B16)}
			if g.r.IntN(2) == 0 {
				shapes = []ir.Type{ir.B32, ir.Vector(2, ir.B16), ir.Vector(4, ir.B8)}
			}
			res = append(res, shapes[g.r.IntN(3)])
			in = append(in, g.value(shapes[g.r.IntN(3)]))
		}
		if a.Shape == pisa.ShAny {
			break
		}
		if t.Lanes() > 4 {
			return
		}
		if a.Role != pisa.Src {
			res = append(res, t)
		}
		if a.Role != pisa.Dst {
			in = append(in, g.value(t))
		}
	}
	op := g.bl.OpResults(row.Code, p, 0, res, in...)
	for i := range res {
		g.pool = append(g.pool, op.Result(i))
	}
}

var argTypes = []ir.Type{ir.B32, ir.B32, ir.B64, ir.B16, ir.Pred, ir.Vector(2, ir.B16), ir.Vector(4, ir.B32), ir.B8, ir.Vector(4, ir.B8), ir.Vector(2, ir.B32)}

func randomFunc(r *rand.Rand, n int) *ir.Module {
	m := ir.NewModule(dialects.All(), &ir.Sources{})
	m.Target = "100"
	f := m.NewFunc("f", ir.FuncDevice)
	f.Sig = argTypes
	b := f.NewBlock()
	g := gen{r: r}
	for _, t := range argTypes {
		g.pool = append(g.pool, b.AddArg(t))
	}
	g.bl.AtEnd(b)
	var codes []ir.Code
	if k := r.IntN(len(focus) + 3); k < len(focus) {
		codes = focus[k]
	}
	for range n {
		g.op(codes)
	}
	last := g.pool[len(g.pool)-1]
	f.Ret = last.Type
	g.bl.Op(builtin.Return, 0, last)
	return m
}

// counting returns the rules with a count of how often each fired.
func counting() (*rewrite.Rules, map[string]int) {
	fired := map[string]int{}
	var counted []rewrite.Rule
	for _, r := range Rules().All() {
		apply, name := r.Apply, r.Name
		c := *r
		c.Apply = func(w rw, op *ir.Op) bool {
			ok := apply(w, op)
			if ok {
				fired[name]++
			}
			return ok
		}
		counted = append(counted, c)
	}
	return rewrite.NewRules(counted), fired
}

// arguments returns n lists of random argument values.
func (g *gen) arguments(n int, types []ir.Type) [][]lanes {
	args := make([][]lanes, n)
	for i := range args {
		for _, ty := range types {
			v := lanes{}
			for range ty.Lanes() {
				v = append(v, g.word(ty.Elem()))
			}
			args[i] = append(args[i], v)
		}
	}
	return args
}

// check rewrites the module's first function and compares its values.
func check(t *testing.T, g *gen, m *ir.Module, rules *rewrite.Rules, n int) {
	t.Helper()
	ds := ir.Diags{}
	require.True(t, ir.Verify(m, &ds), "%v\n%s", ds.List, ir.AppendText(nil, m))
	f := m.Funcs[0]
	before := string(ir.AppendText(nil, m))
	args := g.arguments(n, f.Sig)
	var want []lanes
	for i := range args {
		want = append(want, evaluate(t, f, args[i]))
	}
	var w rewrite.Rewriter
	w.Run(f, rules, func() bool { return true })
	require.True(t, ir.Verify(m, &ds), "%v\n%s\n%s", ds.List, before, ir.AppendText(nil, m))
	for i := range args {
		require.Equal(t, want[i], evaluate(t, f, args[i]), "arguments %x\n%s%s", args[i], before, ir.AppendText(nil, m))
	}
}

// TestRules holds every rule to the evaluator: functions of random ops, then
// of the patterns that chance does not bring together, are evaluated before
// and after, on values that favour the edges. Each rule must have fired.
func TestRules(t *testing.T) {
	rules, fired := counting()
	g := &gen{r: rand.New(rand.NewPCG(7, 7))}
	for range 12000 {
		check(t, g, randomFunc(g.r, 2+g.r.IntN(8)), rules, 6)
	}
	for _, p := range patterns {
		for _, c := range []int{1, 2, 5, 15, 16, 24, 31} {
			text := strings.NewReplacer("{c}", strconv.Itoa(c), "{-c}", strconv.Itoa(32-c), "{m}", strconv.Itoa(1<<c-1)).Replace(p)
			src, ds := &ir.Sources{}, ir.Diags{}
			text = "module version 1.0 target 100\nfunction @f(32b, 32b, 16b, pred, v4.32b) -> " + text + "}\n"
			text = strings.Replace(text, "{\n", "{\n^bb0(%x: 32b, %y: 32b, %h: 16b, %p: pred, %v: v4.32b):\n", 1)
			m := ir.Parse(src, src.Add("p", []byte(text)), dialects.All(), &ds)
			require.Empty(t, ds.List, text)
			check(t, g, m, rules, 200)
		}
	}
	for _, r := range Rules().All() {
		if strings.Contains(r.Doc, "[") || strings.Contains(r.Doc, "addr") || strings.HasPrefix(r.Doc, "%") || r.Name == "iatom-constant-right" {
			continue // not of pure values: address_test.go
		}
		assert.Positive(t, fired[r.Name], "rule %s (%s) never fired", r.Name, r.Doc)
	}
}

// patterns are result types and bodies; {c} is a shift amount, {-c} what it
// lacks of 32, {m} the mask of that many bits.
var patterns = []string{
	two("shl", "shr", "or"), two("shl", "shr", "iadd"), two("shl", "shr", "xor"),
	chain("shl", "shl"), chain("shr", "shr"), chain("asr", "asr"), chain("shl", "shr"), chain("shr", "shl"), chain("shl", "asr"),
	"32b {\n%c = builtin.const {c} : 32b\n%m = builtin.const {m} : 32b\n%a = pisa.shr.32b %x, %c : 32b\n%r = pisa.and.32b %a, %m : 32b\nbuiltin.return %r\n",
	"32b {\n%c = builtin.const {c} : 32b\n%z = builtin.const 0 : 32b\n%r = pisa.ubfe.32b %x, %c, %z : 32b\nbuiltin.return %r\n",
	"32b {\n%c = builtin.const {c} : 32b\n%z = builtin.const 0 : 32b\n%q = builtin.const 1 : 32b\n%a = pisa.sel.32b %c, %z, %p : 32b\n%t = pisa.ucmp.ne.32b %a, %z : pred\n%r = pisa.sel.32b %x, %y, %t : 32b\nbuiltin.return %r\n",
	"32b {\n%c = builtin.const {c} : 32b\n%z = builtin.const 0 : 32b\n%a = pisa.sel.32b %z, %c, %p : 32b\n%r = pisa.ucmp.ne.32b %a, %z : 32b\nbuiltin.return %r\n",
	"32b {\n%z = builtin.const 0 : 32b\n%t = pisa.ucmp.ne.32b %x, %z : pred\n%r = pisa.sel.32b %x, %z, %t : 32b\nbuiltin.return %r\n",
	"16b {\n%a = pisa.sext.64b.16b %h : 64b\n%r = pisa.trunc.16b.64b %a : 16b\nbuiltin.return %r\n",
	"32b {\n%a = pisa.sext.64b.16b %h : 64b\n%r = pisa.trunc.32b.64b %a : 32b\nbuiltin.return %r\n",
	"32b {\n%a = pisa.extract.2.v2.32b %v : v2.32b\n%r = pisa.extract.1.32b %a : 32b\nbuiltin.return %r\n",
	"32b {\n%c = builtin.const 1 : 32b\n%a = pisa.sdiv.32b %x, %c : 32b\n%b = pisa.sdiv.rem.32b %y, %c : 32b\n%r = pisa.iadd.32b %a, %b : 32b\nbuiltin.return %r\n",
	"32b {\n%c = builtin.const -1 : 32b\n%a = pisa.sdiv.32b %x, %c : 32b\n%b = pisa.sdiv.rem.32b %y, %c : 32b\n%r = pisa.iadd.32b %a, %b : 32b\nbuiltin.return %r\n",
	floatly("fadd.ru", "0x80000000"), floatly("fsub", "0"), floatly("fmul.rz", "0x3f800000"), floatly("fdiv.rna", "0x41000000"), floatly("fdiv.rd.ftz", "0xbf000000"),
	floatly("fdiv.ru", "0x7e800000"), floatly("fdiv", "0x7f000000"), floatly("fadd.rd", "0x80000000"), floatly("fadd", "0"), floatly("fmul.ftz", "0x3f800000"),
}

func two(hi, lo, op string) string {
	return "32b {\n%c = builtin.const {c} : 32b\n%d = builtin.const {-c} : 32b\n%a = pisa." + hi + ".32b %x, %c : 32b\n%b = pisa." + lo + ".32b %y, %d : 32b\n%r = pisa." + op + ".32b %b, %a : 32b\nbuiltin.return %r\n"
}

func chain(first, second string) string {
	return "32b {\n%c = builtin.const {c} : 32b\n%a = pisa." + first + ".32b %x, %c : 32b\n%r = pisa." + second + ".32b %a, %c : 32b\nbuiltin.return %r\n"
}

func floatly(op, c string) string {
	return "32b {\n%c = builtin.const " + c + " : 32b\n%a = pisa.fmul.f %x, %y : 32b\n%r = pisa." + op + ".f %a, %c : 32b\nbuiltin.return %r\n"
}
