package isel

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
	"pisac/passes/machine"
)

var floatsMore = flag.Int("floats", 1, "test floating-point ops on so many times as many values")

// floatOp is one form of an op with values for all qualifiers.
type floatOp struct {
	code ir.Code
	form *pisa.Form
	p    uint64
	in   []ir.Type
	out  ir.Type
}

func (o *floatOp) String() string {
	s := pisa.RowOf(o.code).Name
	for i := range o.form.Quals {
		q := &o.form.Quals[i]
		v := q.Field.Get(o.p)
		if int(v) < len(q.Names) && q.Names[v] != "" {
			s += "." + q.Names[v]
		}
	}
	return s
}

// floatOps are all forms of the float ops of the table, with every combination
// of qualifiers; comparisons to predicates have the register form's result.
func floatOps(codes ...ir.Code) (ops []*floatOp) {
	for _, c := range codes {
		r := pisa.RowOf(c)
		for i := range r.Forms {
			f := &r.Forms[i]
			if f.Name == "pred" {
				continue
			}
			combine(r, f, 0, 0, func(p uint64) {
				for k := range f.Rules {
					if rule := &f.Rules[k]; rule.Props != nil && !rule.Props(p) {
						return
					}
				}
				o := &floatOp{code: c, form: f, p: p}
				for k := range f.Args {
					t := f.Args[k].Shape.Type(p)
					if f.Args[k].Role == pisa.Dst {
						o.out = t
					} else {
						o.in = append(o.in, t)
					}
				}
				ops = append(ops, o)
			})
		}
	}
	return ops
}

func combine(r *pisa.Row, f *pisa.Form, i int, p uint64, do func(uint64)) {
	if i == len(f.Quals) {
		own := map[string]bool{}
		for k := range f.Quals {
			own[f.Quals[k].Name] = true
		}
		for k := range r.Quals() {
			if q := &r.Quals()[k]; !own[q.Name] {
				p = q.Field.Set(p, q.Default)
			}
		}
		do(p)
		return
	}
	q := &f.Quals[i]
	if q.Form == ir.QualFlag {
		if q.Optional {
			combine(r, f, i+1, p, do)
		}
		combine(r, f, i+1, q.Field.Set(p, 1), do)
		return
	}
	for v := range q.Names {
		if q.Allows(uint64(v)) {
			combine(r, f, i+1, q.Field.Set(p, uint64(v)), do)
		}
	}
}

// kernel makes a kernel that loads the operands from its parameters, does o and
// stores the result, and selects its instructions. Operand i is at byte 8i.
func (o *floatOp) kernel(t testing.TB, chip string) *ir.Func {
	m := ir.NewModule(dialects.All(), &ir.Sources{})
	m.Target = "100"
	fn := m.NewFunc("k", ir.FuncKernel)
	b := fn.NewBlock()
	var bl ir.Builder
	bl.AtEnd(b)
	load := func(i int, ty ir.Type) *ir.Value {
		name := fmt.Sprintf("p%d", i)
		fn.Params = append(fn.Params, ir.Param{Name: name, Size: 8, Align: 8})
		plain := pisa.PlainType(ty)
		if ty.IsVector() {
			plain = pisa.T32b
		}
		v := bl.ValueAux(pisa.LdParam, pisa.FType.Put(uint64(plain)), ir.Aux(i+1), pisa.Types[plain].Reg)
		if ty.IsVector() {
			v = bl.Value(pisa.Bitcast, 0, ty, v)
		}
		return v
	}
	var x []*ir.Value
	for i, ty := range o.in {
		x = append(x, load(i, ty))
	}
	p := load(len(o.in), ir.B64)
	r := bl.Value(o.code, o.p, o.out, x...)
	if o.out.IsVector() {
		r = bl.Value(pisa.Bitcast, 0, ir.B32, r)
	}
	st := pisa.FType.Put(uint64(pisa.PlainType(r.Type))) | pisa.FSpace.Put(uint64(ir.SpaceGlobal))
	bl.Op(pisa.St, st, p, r)
	builtin.Ret(&bl, nil)
	var ds ir.Diags
	ir.Verify(m, &ds)
	require.Empty(t, ds.List, "%s", o)
	tt := target.ByName(chip)
	c := &machine.Ctx{Target: tt, Mode: tt.Modes()[0], Diags: &ds}
	require.True(t, Select(c, fn, Options{}), "%s: %v", o, ds.List)
	ir.Verify(m, &ds)
	require.Empty(t, ds.List, "%s\n%s", o, ir.AppendText(nil, m))
	require.NoError(t, amdgpu.Check(tt, fn), "%s on %s", o, chip)
	return fn
}

// special values of a format, positive.
func specials(f fp.Format) (v []uint64) {
	one, inf := f.One(), f.Inf()
	ulp := uint64(1)
	exp := func(e int) uint64 { return one + uint64(int64(e))<<f.Mantissa() }
	least := uint64(1) << f.Mantissa() // the least normal number
	v = []uint64{0, 1, 2, 3, least / 2, least - 1, least, least + 1, 2*least - 1, 3 * least,
		exp(-1), exp(-1) + 1, exp(-1) - 1, one, one + ulp, one - ulp, one + least/2, exp(1), exp(1) + least/2, exp(3) + 5*least/16,
		exp(f.Mantissa() - 1), exp(f.Mantissa()) + 1, exp(f.Mantissa() + 1),
		f.Max(), f.Max() - 1, exp(f.Bias()), inf, f.NaN(), inf + 1}
	if f != fp.HF {
		for _, e := range []int{7, 8, 15, 16, 31, 32, 62, 63, 64, 65, -24, -40, 96, 100, -126, -100} {
			v = append(v, exp(e), exp(e)-1, exp(e)+1)
		}
	}
	if f == fp.DF {
		for _, e := range []int{127, 128, 129, -149, -150, -151, -1000, 1000, -1022} {
			v = append(v, exp(e), exp(e)-1, exp(e)+1)
		}
	}
	return v
}

// randomFloat is any bit pattern, or one with an exponent near the middle, or
// one with few digits.
func randomFloat(r *rand.Rand, f fp.Format) uint64 {
	v := r.Uint64() & (f.SignBit()<<1 - 1)
	switch r.IntN(4) {
	case 0:
		return v
	case 1: // a denormal or nearly
		v &^= f.Inf()
		return v | uint64(r.IntN(3))<<f.Mantissa()
	}
	e := uint64(f.Bias()+r.IntN(21)-10) << f.Mantissa()
	v = v&^f.Inf() | e
	if r.IntN(2) == 0 {
		v &^= 1<<r.IntN(f.Mantissa()) - 1
	}
	return v
}

// operand is a value for an operand of type t; it has the source's meaning.
type generator struct {
	r     *rand.Rand
	kinds []func(i int) uint64 // i < 0: at random
	n     []int                // how many specials
}

func (o *floatOp) generator(r *rand.Rand) *generator {
	g := &generator{r: r}
	from := pisa.TypeOf(o.p)
	if f := pisa.FromOf(o.p); o.code == pisa.F2I || o.code == pisa.PF2I || o.code == pisa.I2F || o.code == pisa.FTrunc || o.code == pisa.FExt {
		from = f
	} else if o.code == pisa.FTrunc2 {
		from = pisa.F
	}
	for range o.in {
		info := from.Info()
		if !info.Float {
			vals := intSpecials(info.Bits)
			g.kinds = append(g.kinds, func(i int) uint64 {
				if i < 0 {
					return r.Uint64() >> (64 - info.Bits) >> r.IntN(info.Bits)
				}
				return vals[i]
			})
			g.n = append(g.n, len(vals))
			continue
		}
		f := from.Format()
		vals := specials(f)
		for _, v := range vals {
			vals = append(vals, v|f.SignBit())
		}
		one := func(i int) uint64 {
			if i < 0 {
				return randomFloat(r, f)
			}
			return vals[i]
		}
		if info.Lanes > 1 {
			g.kinds = append(g.kinds, func(i int) uint64 {
				if i < 0 {
					return one(-1)<<16 | one(-1)
				}
				return one(i)<<16 | one((i*7+3)%len(vals))
			})
		} else {
			g.kinds = append(g.kinds, one)
		}
		g.n = append(g.n, len(vals))
	}
	return g
}

func intSpecials(bits int) (v []uint64) {
	mask := ^uint64(0) >> (64 - bits)
	for i := range bits {
		b := uint64(1) << i
		v = append(v, b, b-1, b+1, b|b>>8, b|b>>9|1, b|b>>11|b>>12, b|b>>24|1, b|b>>53)
	}
	for _, x := range append([]uint64{}, v...) {
		v = append(v, -x)
	}
	for i := range v {
		v[i] &= mask
	}
	return append(v, 65504&mask, 65519&mask, 65520&mask, 65535&mask, 131071&mask)
}

// values calls do with operands: all specials of one operand, pairs and random
// triples.
func (g *generator) values(n int, do func(x [3]uint64)) {
	if len(g.kinds) == 1 {
		for i := range g.n[0] {
			do([3]uint64{g.kinds[0](i)})
		}
	}
	for range n {
		var x [3]uint64
		for k := range g.kinds {
			i := -1
			if g.r.IntN(2) == 0 {
				i = g.r.IntN(g.n[k])
			}
			x[k] = g.kinds[k](i)
		}
		do(x)
	}
}

// check compares a result with the reference.
func (o *floatOp) check(got, want uint64) bool {
	if got == want {
		return true
	}
	t := pisa.TypeOf(o.p)
	if !t.Info().Float || o.code == pisa.FCmp {
		return false
	}
	f := t.Format()
	if o.code == pisa.FMul && pisa.Has(o.p, pisa.FFull) {
		f = fp.F
	}
	if t.Packed() {
		return o.near(f, got&0xffff, want&0xffff) && o.near(f, got>>16, want>>16)
	}
	return o.near(f, got, want)
}

func (o *floatOp) near(f fp.Format, got, want uint64) bool {
	if f.IsNaN(want) {
		return f.IsNaN(got) && (o.code != pisa.FAbs || got < f.SignBit())
	}
	if got == want {
		return true
	}
	steps := int64(0)
	switch fast := pisa.Has(o.p, pisa.FFast); {
	case o.code == pisa.FDiv && fast && (f == fp.F || f == fp.DF):
		steps = 2
	case o.code == pisa.FSqrt && fast, o.code == pisa.FRsqrt, o.code == pisa.FRcp, o.code == pisa.FLog2:
		steps = 1
	case o.code == pisa.FSin, o.code == pisa.FCos, o.code == pisa.FExp2, o.code == pisa.FTanh:
		steps = 2
	}
	if steps == 0 {
		return false
	}
	order := func(a uint64) int64 {
		if a >= f.SignBit() {
			return -int64(a &^ f.SignBit())
		}
		return int64(a)
	}
	d := order(got) - order(want)
	if pisa.Has(o.p, pisa.FFtz) { // a step below the least normal number is zero
		least := int64(1) << f.Mantissa()
		if min(order(got), order(want)) == 0 && max(order(got), order(want)) < least+steps || max(order(got), order(want)) == 0 && min(order(got), order(want)) > -least-steps {
			return true
		}
	}
	return d <= steps && d >= -steps
}

// try runs o on values for one chip.
func (o *floatOp) try(t *testing.T, chip string, n int) {
	g := o.generator(rand.New(rand.NewPCG(1, uint64(o.p))))
	o.tryValues(t, chip, func(do func(x [3]uint64)) { g.values(n, do) })
}

func (o *floatOp) tryValues(t *testing.T, chip string, values func(do func(x [3]uint64))) {
	fn := o.kernel(t, chip)
	eval := pisa.EvalFn(o.code, o.p)
	l := &lane{f: fn, params: make([]byte, 8*len(o.in)+8)}
	bad := 0
	modes := []int{0, 1, -1, -7}
	if !approximates(o.code) {
		modes = modes[:1]
	}
	for _, l.perturb = range modes {
		values(func(x [3]uint64) {
			for i := range o.in {
				v := x[i]
				if o.in[i].TotalBits() < 64 {
					v |= 0xabcdabcd00000000 << (o.in[i].TotalBits() % 32) // bits beyond the value
				}
				for k := range 8 {
					l.params[8*i+k] = byte(v >> (8 * k))
				}
			}
			r := l.run()
			got := u64(r)
			if w := o.out.TotalBits(); w < 64 {
				got &= 1<<w - 1
			}
			want, _ := eval(x[0], x[1], x[2], 0)
			if !o.check(got, want) {
				if bad++; bad <= 5 {
					t.Errorf("%s: %s (%#x, %#x, %#x), approximations off by %d: got %#x, want %#x", chip, o, x[0], x[1], x[2], l.perturb, got, want)
				}
			}
		})
	}
	if bad > 5 {
		t.Errorf("%s: %s: %d wrong in all", chip, o, bad)
	}
}

func approximates(c ir.Code) bool {
	switch c {
	case pisa.FDiv, pisa.FSqrt, pisa.FRsqrt, pisa.FRcp, pisa.FExp2, pisa.FLog2, pisa.FTanh:
		return true
	}
	return false
}

var floatCodesTested = []ir.Code{
	pisa.FAbs, pisa.FNeg, pisa.FAdd, pisa.FSub, pisa.FMul, pisa.FMad, pisa.FMin, pisa.FMax, pisa.FCmp,
	pisa.FDiv, pisa.FSqrt, pisa.FRcp, pisa.FRsqrt, pisa.FExp2, pisa.FLog2, pisa.FSin, pisa.FCos, pisa.FTanh,
	pisa.FRc, pisa.FRnd, pisa.FExt, pisa.FTrunc, pisa.FTrunc2, pisa.F2I, pisa.PF2I, pisa.I2F,
}

// TestFloats: what every form of every floating-point op is selected to has the
// results of the reference, or is as near as the specification demands, with
// approximations as bad as the hardware's may be.
func TestFloats(t *testing.T) {
	for _, c := range floatCodesTested {
		t.Run(pisa.RowOf(c).Name, func(t *testing.T) {
			t.Parallel()
			for _, o := range floatOps(c) {
				for i, chip := range []string{"gfx1100", "gfx942", "gfx90a", "gfx1201"} {
					n := 40 * *floatsMore
					if i >= 2 { // the same instructions, but for some mnemonics
						n = 2
					}
					o.try(t, chip, n)
				}
			}
		})
	}
}

// TestFused: changes of sign become modifiers, and extensions of hf are left to
// the fused multiply-add.
func TestFused(t *testing.T) {
	const text = `.version 0.1; .target 100;
.kernel @k(.param[8] %p) {
  .reg .64b %q; .reg .32b %a, %b, %c, %d, %x, %y; .reg .16b %h;
  ld.param.64b %q, [%p];
  ld.global.32b %a, [%q]; ld.global.32b %b, [%q+4]; ld.global.32b %c, [%q+8]; ld.global.16b %h, [%q+12];
  fneg.f %x, %a; fabs.f %y, %b; fneg.f %y, %y;
  fadd.f %d, %x, %y;
  st.global.32b [%q], %d;
  fext.f.hf %x, %h; fneg.f %y, %c;
  fmad.f %d, %x, %b, %y;
  st.global.32b [%q+4], %d;
  return;
}`
	m, ds := compileText(t, "t.pisa", text, "gfx1100")
	require.Empty(t, ds.List)
	var got []string
	for b := m.Funcs[0].FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if r := amdgpu.IsMachine(op.Code) && amdgpu.RowOf(op.Code).VALU(); r && op.Code != amdgpu.VMovB32 {
				got = append(got, fmt.Sprintf("%s neg %d abs %d low %d", amdgpu.RowOf(op.Code).Name, amdgpu.FNeg.Get(op.Props), amdgpu.FAbs.Get(op.Props), amdgpu.FOpLow.Get(op.Props)))
			}
		}
	}
	require.Equal(t, []string{"v_add_f32 neg 3 abs 2 low 0", "v_fma_mix_f32 neg 4 abs 0 low 6"}, got)
}

// TestFlushedOnce: a result that .ftz flushes is not flushed before operations
// that flush it by their mode, and not behind others.
func TestFlushedOnce(t *testing.T) {
	const text = `.version 0.1; .target 100;
.kernel @k(.param[8] %p) {
  .reg .64b %q; .reg .32b %a, %b, %c;
  ld.param.64b %q, [%p];
  ld.global.32b %a, [%q]; ld.global.32b %b, [%q+4];
  fmul.ftz.f %c, %a, %b;
  fmad.ftz.f %c, %c, %b, %b;
  fdiv.ftz.fast.f %c, %c, %c;
  frnd.re.ftz.f %c, %c;
  st.global.32b [%q], %c;
  return;
}`
	m, ds := compileText(t, "t.pisa", text, "gfx1100")
	require.Empty(t, ds.List)
	var flushing []string
	for op := m.Funcs[0].Entry().First(); op != nil; op = op.Next() {
		if amdgpu.IsMachine(op.Code) && amdgpu.RowOf(op.Code).VALU() && amdgpu.FFlush.Get(op.Props) != 0 {
			flushing = append(flushing, amdgpu.RowOf(op.Code).Name)
		}
	}
	require.Equal(t, []string{"v_mul_f32", "v_fma_f32", "v_mul_f32", "v_mul_f32"}, flushing) // the last two behind fmad and fdiv
}
