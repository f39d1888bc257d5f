package dialects

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pisac/ir"
)

// generator builds modules in which every row of the registry occurs with all
// that its text can say: qualifiers, payloads, numbers of operands and results.
// They are well formed but mean nothing: operands have arbitrary types and
// need not dominate.
type generator struct {
	r      *rand.Rand
	m      *ir.Module
	f      *ir.Func
	values []*ir.Value
	blocks []*ir.Block
	bl     ir.Builder
}

var types = []ir.Type{ir.B8, ir.B16, ir.B32, ir.B64, ir.B128, ir.Pred, ir.Vector(2, ir.B16), ir.Vector(4, ir.B8), ir.Vector(3, ir.B64), ir.Vector(64, ir.B32)}

func (g *generator) typ() ir.Type { return types[g.r.IntN(len(types))] }

var names = []string{"a", "b.c", "$x", "0", "a b", "\"", "\\", "", "é\n", "\xff", "_", "v4.32b", "pisa.iadd"}

// name returns a name that no other symbol has.
func (g *generator) name(i int) string {
	return names[g.r.IntN(len(names))] + fmt.Sprint(i)
}

func (g *generator) module(rows int) {
	r := g.r
	g.m.Version = ir.Version{Major: uint8(r.IntN(256)), Minor: uint8(r.IntN(256))}
	g.m.Target = []string{"", "100", "a b"}[r.IntN(3)]
	for i := range 4 {
		g.variable(g.m.NewVar(g.name(i), ir.Space(r.IntN(7)), nil))
	}
	callee := g.m.NewFunc(g.name(10), ir.FuncDevice)
	callee.Linkage = ir.LinkImport
	callee.Sig = []ir.Type{g.typ(), g.typ()}
	for i := range 2 {
		g.f = g.m.NewFunc(g.name(20+i), ir.FuncKernel)
		g.function(rows)
	}
}

func (g *generator) variable(v *ir.Var) {
	r := g.r
	v.Size, v.Align, v.Linkage = r.Uint64()>>1, r.Uint32(), ir.Linkage(r.IntN(3))
	if r.IntN(3) == 0 {
		v.Section, v.HostAccess = g.name(0), g.name(1)
	}
	for range r.IntN(4) {
		switch r.IntN(3) {
		case 0:
			v.Init = append(v.Init, ir.Init{Zero: r.Uint64() >> 1})
		case 1:
			v.Init = append(v.Init, ir.Init{Bytes: []byte(g.name(0))})
		default:
			// Any symbol that is not another function's.
			s := ir.Aux(1 + r.IntN(1+len(g.m.Vars)))
			if sym := g.m.Symbol(s); sym.Var == nil || sym.Var.Fn != nil {
				continue
			}
			v.Init = append(v.Init, ir.Init{Sym: s, Off: []int64{0, 1, -1, math.MaxInt64, math.MinInt64}[r.IntN(5)]})
		}
	}
}

func (g *generator) function(rows int) {
	r, f := g.r, g.f
	for i := range 3 {
		f.Params = append(f.Params, ir.Param{Name: g.name(i), Size: r.Uint32(), Align: r.Uint32(), Space: ir.Space(r.IntN(7)), PtrAlign: r.Uint32() & uint32(r.IntN(2)-1)})
	}
	if r.IntN(2) == 0 {
		f.ReqdWorkGroupSize = [3]uint32{r.Uint32(), 1, 2}
		f.VecTypeHint = g.name(0)
	}
	f.Linkage = ir.Linkage(r.IntN(3))
	g.variable(g.m.NewVar(g.m.Vars[0].Name, ir.SpaceShared, f)) // hides the module's
	g.variable(g.m.NewVar(g.name(9), ir.SpacePrivate, f))
	g.values, g.blocks = nil, nil
	for range 4 {
		b := f.NewBlock()
		g.blocks = append(g.blocks, b)
		for range r.IntN(3) {
			g.values = append(g.values, b.AddArg(g.typ()))
		}
	}
	g.bl.AtEnd(g.blocks[0])
	g.values = append(g.values, g.bl.Value(mustLookup(g.m.Reg, "builtin.const"), 7, ir.B32))
	for range rows {
		code := ir.Code(r.IntN(len(g.m.Reg.Defs)))
		if g.m.Reg.Def(code).Name != "" {
			g.op(code)
		}
	}
	f.NewBlock() // an empty block: the verifier's business, not the parser's
}

func mustLookup(reg *ir.Registry, name string) ir.Code {
	c, ok := reg.Lookup(name)
	if !ok {
		panic(name)
	}
	return c
}

func (g *generator) op(code ir.Code) {
	d := g.m.Reg.Def(code)
	g.bl.AtEnd(g.blocks[g.r.IntN(len(g.blocks))])
	props, aux := g.props(d), ir.Aux(0)
	results := g.count(d.Results)
	var rts []ir.Type
	for range results {
		rts = append(rts, g.typ())
	}
	switch d.Aux {
	case ir.AuxSym:
		aux = g.symbol()
	case ir.AuxParam:
		aux = ir.Aux(1 + g.r.IntN(len(g.f.Params)))
	}
	n := g.count(d.Operands)
	if d.Addr != 0 && g.r.IntN(2) == 0 {
		props = ir.HasOffset.Set(props, 1)
		n++
	}
	if d.Syntax == ir.SyntaxConst {
		props = g.r.Uint64() >> g.r.IntN(64)
		width := rts[0].ElemBits()
		if width == 128 {
			aux = g.m.InternWide(g.r.Uint64() >> g.r.IntN(64))
		} else {
			props &= math.MaxUint64 >> (64 - width)
		}
	}
	var o *ir.Op
	if d.Succs > 0 {
		var targets []ir.Target
		for range d.Succs {
			targets = append(targets, ir.Target{To: g.blocks[g.r.IntN(len(g.blocks))], Args: g.some(g.r.IntN(3))})
		}
		o = g.bl.Branch(code, props, g.some(n), targets...)
	} else {
		o = g.bl.OpResults(code, props, aux, rts, g.some(n)...)
	}
	for i := range o.NumResults() {
		g.values = append(g.values, o.Result(i))
	}
}

func (g *generator) some(n int) (out []*ir.Value) {
	for range n {
		out = append(out, g.values[g.r.IntN(len(g.values))])
	}
	return out
}

// symbol is any that the function may name.
func (g *generator) symbol() ir.Aux {
	for {
		a := ir.Aux(1 + g.r.IntN(32))
		if s := g.m.Symbol(a); s.Func != nil || s.Var != nil && (s.Var.Fn == nil || s.Var.Fn == g.f) {
			return a
		}
	}
}

func (g *generator) count(defs []ir.OperandDef) (n int) {
	for _, d := range defs {
		switch {
		case d.Variadic:
			n += g.r.IntN(4)
		case d.Optional && g.r.IntN(2) == 0:
			return n
		default:
			n++
		}
	}
	return n
}

// props has a value that the row allows for each qualifier.
func (g *generator) props(d *ir.OpDef) (p uint64) {
	for i := range d.Quals {
		q := &d.Quals[i]
		for {
			v := g.r.Uint64() & (1<<q.Field.Width - 1)
			if q.Allows(v) {
				p |= q.Field.Put(v)
				break
			}
		}
	}
	return p
}

func parse(text []byte) (*ir.Module, string) {
	src := &ir.Sources{}
	var ds ir.Diags
	m := ir.Parse(src, src.Add("t.pir", text), All(), &ds)
	if m != nil {
		return m, ""
	}
	var sb strings.Builder
	if err := (&ir.Renderer{Sources: src}).Render(&sb, &ds); err != nil {
		panic(err)
	}
	return nil, sb.String()
}

// same compares two modules part by part, symbols by name.
func same(a, b *ir.Module) string {
	if a.Version != b.Version || a.Target != b.Target || len(a.Funcs) != len(b.Funcs) || len(a.Vars) != len(b.Vars) {
		return "module"
	}
	for i := range a.Vars {
		if d := sameVar(a, b, a.Vars[i], b.Vars[i]); d != "" {
			return d
		}
	}
	for i := range a.Funcs {
		f, g := a.Funcs[i], b.Funcs[i]
		head := func(f *ir.Func) string {
			for i := range f.Params {
				f.Params[i].Loc = ir.NoLoc
			}
			return fmt.Sprintf("%q %v %v %v %v %v %v %q %v", f.Name, f.Kind, f.Linkage, f.Ret, f.Sig, f.Params, f.ReqdWorkGroupSize, f.VecTypeHint, f.NumBlocks())
		}
		if head(f) != head(g) {
			return head(f) + " became " + head(g)
		}
		for k := range f.Vars {
			if d := sameVar(a, b, f.Vars[k], g.Vars[k]); d != "" {
				return d
			}
		}
		if d := sameBody(f, g); d != "" {
			return d
		}
	}
	return ""
}

func symbolName(m *ir.Module, a ir.Aux) string {
	switch s := m.Symbol(a); {
	case s.Func != nil:
		return "func " + s.Func.Name
	case s.Var != nil && s.Var.Fn != nil:
		return "local " + s.Var.Name + " of " + s.Var.Fn.Name
	case s.Var != nil:
		return "var " + s.Var.Name
	}
	return "none"
}

func sameVar(a, b *ir.Module, x, y *ir.Var) string {
	show := func(m *ir.Module, v *ir.Var) string {
		s := fmt.Sprintf("%q %v %d %d %v %q %q %v", v.Name, v.Space, v.Size, v.Align, v.Linkage, v.Section, v.HostAccess, v.Init == nil)
		for _, it := range v.Init {
			s += fmt.Sprintf(" %x %d %s %d", it.Bytes, it.Zero, symbolName(m, it.Sym), it.Off)
		}
		return s
	}
	if p, q := show(a, x), show(b, y); p != q {
		return p + " became " + q
	}
	return ""
}

func sameBody(f, g *ir.Func) string {
	values := map[*ir.Value]*ir.Value{}
	blocks := map[*ir.Block]*ir.Block{}
	var ops [][2]*ir.Op
	b := g.FirstBlock()
	for a := f.FirstBlock(); a != nil; a, b = a.Next(), b.Next() {
		if blocks[a] = b; a.NumArgs() != b.NumArgs() {
			return "block arguments"
		}
		for i, v := range a.Args() {
			if values[v] = b.Arg(i); v.Type != b.Arg(i).Type {
				return "argument type"
			}
		}
		p := b.First()
		for o := a.First(); o != nil; o, p = o.Next(), p.Next() {
			if p == nil || o.Code != p.Code || o.NumResults() != p.NumResults() || o.NumSuccs() != p.NumSuccs() || o.NumOperands() != p.NumOperands() {
				return "op " + o.String()
			}
			for i := range o.NumResults() {
				if values[o.Result(i)] = p.Result(i); o.Result(i).Type != p.Result(i).Type {
					return "result type of " + o.String()
				}
			}
			ops = append(ops, [2]*ir.Op{o, p})
		}
		if p != nil {
			return "more ops"
		}
	}
	for _, pair := range ops {
		o, p := pair[0], pair[1]
		aux := o.Aux == p.Aux
		switch o.Def().Aux {
		case ir.AuxSym:
			aux = symbolName(f.Module(), o.Aux) == symbolName(g.Module(), p.Aux)
		case ir.AuxWide:
			aux = f.Module().Wide(o.Aux) == g.Module().Wide(p.Aux)
		}
		if !aux || o.Props != p.Props || o.NumPlainOperands() != p.NumPlainOperands() {
			return fmt.Sprintf("%v (%#x) became %v (%#x)", o, o.Props, p, p.Props)
		}
		for i := range o.NumOperands() {
			if values[o.Operand(i)] != p.Operand(i) {
				return "operand of " + o.String()
			}
		}
		for i := range o.NumSuccs() {
			if blocks[o.Succ(i).To()] != p.Succ(i).To() || o.Succ(i).NumArgs() != p.Succ(i).NumArgs() {
				return "edge of " + o.String()
			}
		}
	}
	return ""
}

func generate(seed uint64, rows int) *ir.Module {
	g := generator{r: rand.New(rand.NewPCG(seed, 1)), m: ir.NewModule(All(), nil)}
	g.module(rows)
	return g.m
}

// Whatever the rows allow can be printed and read back, part by part the same;
// and the verifier takes it without panic, whatever it says.
func TestEveryRowReadsBack(t *testing.T) {
	seen := map[ir.Code]bool{}
	rapid.Check(t, func(t *rapid.T) {
		m := generate(rapid.Uint64().Draw(t, "seed"), 120)
		text := ir.AppendText(nil, m)
		back, errs := parse(text)
		if errs != "" {
			t.Fatalf("%s", errs)
		}
		if d := same(m, back); d != "" {
			t.Fatalf("%s\nin\n%s", d, text)
		}
		if again := ir.AppendText(nil, back); !bytes.Equal(text, again) {
			t.Fatalf("printed differently:\n%s\nthen\n%s", text, again)
		}
		var ds ir.Diags
		ir.Verify(m, &ds)
		for _, f := range m.Funcs {
			for b := f.FirstBlock(); b != nil; b = b.Next() {
				for o := b.First(); o != nil; o = o.Next() {
					seen[o.Code] = true
				}
			}
		}
	})
	for i := range All().Defs {
		if d := &All().Defs[i]; d.Name != "" && !seen[d.Code] {
			t.Errorf("%s did not occur", d.Name)
		}
	}
}

// Every value of every qualifier that a row allows is read back as itself, for
// pairs of qualifiers in all combinations: no spelling means two things.
func TestEveryQualifierPair(t *testing.T) {
	seen := map[string]bool{} // rows of machine instructions share their qualifiers
	for i := range All().Defs {
		d := &All().Defs[i]
		if key := fmt.Sprintf("%+v", d.Quals); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		base := uint64(0)
		for k := range d.Quals {
			base |= d.Quals[k].Field.Put(first(&d.Quals[k]))
		}
		for k := range d.Quals {
			for l := range d.Quals[:k+1] {
				eachValue(&d.Quals[k], func(v uint64) {
					eachValue(&d.Quals[l], func(w uint64) {
						p := d.Quals[k].Field.Set(d.Quals[l].Field.Set(base, w), v)
						text := string(d.AppendQuals(nil, p))
						got, rest, missing := d.ParseQuals(text)
						if got != p || rest != "" || missing != nil {
							t.Fatalf("%s%s: %#x read back as %#x, left %q", d.Name, text, p, got, rest)
						}
					})
				})
			}
		}
	}
}

// eachValue calls f for the values of q; of a wide number, for those beside a
// power of 2.
func eachValue(q *ir.Qual, f func(v uint64)) {
	if q.Field.Width > 8 {
		for i := range q.Field.Width {
			for _, v := range []uint64{1<<i - 1, 1 << i, 1<<q.Field.Width - 1<<i} {
				if q.Allows(v) {
					f(v)
				}
			}
		}
		return
	}
	for v := range uint64(1) << q.Field.Width {
		if q.Allows(v) {
			f(v)
		}
	}
}

func first(q *ir.Qual) uint64 {
	for v := range uint64(1) << q.Field.Width {
		if q.Allows(v) {
			return v
		}
	}
	panic("no value of " + q.Name)
}

// No op's qualified name is another op's name, nor do fields of a row overlap.
func TestRowsAreSound(t *testing.T) {
	for i := range All().Defs {
		d := &All().Defs[i]
		if d.Name == "" {
			continue
		}
		require.NotEmpty(t, d.Doc, d.Name)
		used := uint64(0)
		for k := range d.Quals {
			mask := d.Quals[k].Field.Put(1<<d.Quals[k].Field.Width - 1)
			require.Zero(t, used&mask, "%s: .%s overlaps", d.Name, d.Quals[k].Name)
			used |= mask
			require.NotZero(t, bits.OnesCount64(mask), "%s: .%s has no bits", d.Name, d.Quals[k].Name)
			if d.Quals[k].Optional {
				require.True(t, d.Quals[k].Allows(d.Quals[k].Default), "%s: .%s", d.Name, d.Quals[k].Name)
			}
		}
		require.Less(t, d.Addr, len(d.Operands)+1, d.Name)
		require.Equal(t, d.Succs > 0, d.Succs > 0 && d.Effects.Has(ir.Terminator), d.Name)
	}
}

// The seeds of the fuzzer are sound, and kernel.pir is as the printer writes it.
func TestSeeds(t *testing.T) {
	for _, name := range []string{"kernel.pir", "free.pir"} {
		text, err := os.ReadFile("testdata/" + name)
		require.NoError(t, err)
		m, errs := parse(text)
		require.Empty(t, errs)
		var ds ir.Diags
		require.True(t, ir.Verify(m, &ds), "%s: %v", name, ds.List)
		if name == "kernel.pir" {
			require.Equal(t, string(text), string(ir.AppendText(nil, m)))
		}
	}
}

// The example in the comment of package ir is sound, and as the printer
// writes it.
func TestDocExample(t *testing.T) {
	text, err := os.ReadFile("../ir/doc.go")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), "round-trips:\n//\n")
	example, _, ok := strings.Cut(rest, "// One op,")
	require.True(t, ok)
	var sb strings.Builder
	for _, line := range strings.Split(strings.TrimSuffix(example, "//\n"), "\n") {
		sb.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, "//"), "\t") + "\n")
	}
	want := strings.TrimSuffix(sb.String(), "\n")
	m, errs := parse([]byte(want))
	require.Empty(t, errs)
	var ds ir.Diags
	require.True(t, ir.Verify(m, &ds), "%v", ds.List)
	require.Equal(t, want, string(ir.AppendText(nil, m)))
}

// FuzzParse: any text is taken without panic; what verifies prints to a text
// that reads back to the same text.
func FuzzParse(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(ir.AppendText(nil, generate(seed, 20)))
	}
	for _, name := range []string{"testdata/kernel.pir", "testdata/free.pir"} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, _ := parse(text)
		if m == nil {
			return
		}
		var ds ir.Diags
		if !ir.Verify(m, &ds) {
			return
		}
		once := ir.AppendText(nil, m)
		back, errs := parse(once)
		if errs != "" {
			t.Fatalf("%s\nin\n%s", errs, once)
		}
		if twice := ir.AppendText(nil, back); !bytes.Equal(once, twice) {
			t.Fatalf("%s\nthen\n%s", once, twice)
		}
		if !ir.Verify(back, &ds) {
			t.Fatalf("verifies no longer: %s\n%s", ds.List[0].Text, once)
		}
	})
}
