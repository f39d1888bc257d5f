package isel

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/emu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/host"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/machine"
)

// integerOps are the ops of integers, logic and comparison but those of memory.
var integerOps = []ir.Code{
	pisa.Dp4a, pisa.IAbs, pisa.IAdd, pisa.INeg, pisa.ISub, pisa.SDiv, pisa.SMad, pisa.SMax, pisa.SMin, pisa.SMul,
	pisa.UAddC, pisa.USubB, pisa.UDiv, pisa.UMad, pisa.UMax, pisa.UMin, pisa.UMul,
	pisa.And, pisa.Asr, pisa.Bfi, pisa.Bfn, pisa.Bfrev, pisa.Cbit, pisa.Fbh, pisa.Fbl, pisa.Not, pisa.Or, pisa.Sbfe,
	pisa.Shr, pisa.Shl, pisa.Shf, pisa.Ubfe, pisa.Xor, pisa.SExt, pisa.Trunc, pisa.ZExt, pisa.SCmp, pisa.UCmp, pisa.Sel,
}

// intForm is a form with values for its qualifiers.
type intForm struct {
	code ir.Code
	p    uint64
	in   []ir.Type
	out  []ir.Type
}

func (o *intForm) String() string { return fmt.Sprintf("%s %#x", pisa.RowOf(o.code).Name, o.p) }

func intForms(c ir.Code) (ops []*intForm) {
	r := pisa.RowOf(c)
	add := func(f *pisa.Form, p uint64) {
		for k := range f.Rules {
			if rule := &f.Rules[k]; rule.Props != nil && !rule.Props(p) {
				return
			}
		}
		o := &intForm{code: c, p: p}
		for k := range f.Args {
			t := f.Args[k].Shape.Type(p)
			if f.Args[k].Role == pisa.Dst {
				o.out = append(o.out, t)
			} else {
				o.in = append(o.in, t)
			}
		}
		if pisa.EvalFn(c, p) != nil {
			ops = append(ops, o)
		}
	}
	for i := range r.Forms {
		f := &r.Forms[i]
		if c == pisa.Bfn {
			for table := range uint64(256) {
				add(f, pisa.FOp.Put(table)|pisa.FType.Put(uint64(pisa.T32b)))
			}
			continue
		}
		if strings.Contains(f.Name, "float") {
			continue
		}
		combine(r, f, 0, 0, func(p uint64) { add(f, p) })
	}
	return ops
}

// How an operand comes to the op.
const (
	perLane = iota // loaded, different in each lane
	forAll         // a kernel argument: the scalar unit may compute
	literal        // a constant
	numWays
)

// intCase is an op whose operands come in some ways; values by lane and operand.
type intCase struct {
	*intForm
	ways   [4]int
	values [lanes][4]uint64
}

// newCase draws values. Where all lanes have the same, lane 0's count.
func newCase(o *intForm, ways [4]int, r *rand.Rand) *intCase {
	c := &intCase{intForm: o, ways: ways}
	for l := range c.values {
		for i, t := range o.in {
			w := t.TotalBits()
			special := intSpecials(w)
			v := r.Uint64() >> (r.IntN(4) * 16)
			if r.IntN(2) == 0 {
				v = special[r.IntN(len(special))]
			}
			if r.IntN(4) == 0 {
				v = uint64(r.IntN(70))
			}
			if w < 64 {
				v &= 1<<w - 1
			}
			c.values[l][i] = v
			if ways[i] != perLane {
				c.values[l][i] = c.values[0][i]
			}
		}
	}
	return c
}

// emit builds the op and stores its results to the buffer at out.
func (c *intCase) emit(bl *ir.Builder, fn *ir.Func, off *ir.Value) {
	t := func(d pisa.DType) uint64 { return pisa.FType.Put(uint64(d)) }
	space := pisa.FSpace.Put(uint64(ir.SpaceGlobal))
	param := func(d pisa.DType) *ir.Value {
		fn.Params = append(fn.Params, ir.Param{Name: fmt.Sprintf("p%d", len(fn.Params)), Size: 8, Align: 8})
		return bl.ValueAux(pisa.LdParam, t(d), ir.Aux(len(fn.Params)), pisa.Types[d].Reg)
	}
	address := func() *ir.Value { return bl.Value(pisa.IAdd, t(pisa.T64b), ir.B64, param(pisa.T64b), off) }
	var x []*ir.Value
	for i, ty := range c.in {
		plain := pisa.PlainType(ty)
		if ty.IsVector() || ty.IsPred() {
			plain = pisa.T32b
		}
		var v *ir.Value
		switch c.ways[i] {
		case perLane:
			v = bl.Value(pisa.Ld, t(plain)|space, pisa.Types[plain].Reg, address())
		case forAll:
			v = param(plain)
		default:
			if ty.IsPred() {
				x = append(x, builtin.ConstPred(bl, c.values[0][i]&1 != 0))
				continue
			}
			v = builtin.ConstInt(bl, pisa.Types[plain].Reg, c.values[0][i])
		}
		switch {
		case ty.IsPred():
			v = bl.Value(pisa.UCmp, t(pisa.T32b)|pisa.FOp.Put(uint64(pisa.NE)), ir.Pred, v, builtin.ConstInt(bl, ir.B32, 0))
		case ty.IsVector():
			v = bl.Value(pisa.Bitcast, 0, ty, v)
		}
		x = append(x, v)
	}
	op := bl.OpResults(c.code, c.p, 0, c.out, x...)
	for i, ty := range c.out {
		r := op.Result(i)
		switch {
		case ty.IsPred():
			one, zero := builtin.ConstInt(bl, ir.B32, 1), builtin.ConstInt(bl, ir.B32, 0)
			r = bl.Value(pisa.Sel, t(pisa.T32b), ir.B32, one, zero, r)
		case ty.IsVector():
			r = bl.Value(pisa.Bitcast, 0, ir.B32, r)
		}
		bl.Op(pisa.St, t(pisa.PlainType(r.Type))|space, address(), r)
	}
}

// args are what the host passes for c, and behind them its result buffers.
func (c *intCase) args() (args []host.Arg) {
	for i := range c.in {
		switch c.ways[i] {
		case perLane:
			data := make([]byte, 8*lanes)
			for l := range lanes {
				binary.LittleEndian.PutUint64(data[8*l:], c.values[l][i])
			}
			args = append(args, host.Arg{Kind: host.ArgBuffer, Data: data})
		case forAll:
			args = append(args, host.Arg{Kind: host.ArgScalar, Data: binary.LittleEndian.AppendUint64(nil, c.values[0][i])})
		}
	}
	for range c.out {
		args = append(args, host.Arg{Kind: host.ArgBuffer, Data: make([]byte, 8*lanes)})
	}
	return args
}

func (c *intCase) check(t *testing.T, chip string, results []host.Arg) {
	f := pisa.EvalFn(c.code, c.p)
	for l := range lanes {
		v := c.values[l]
		for i, ty := range c.in {
			if ty.IsPred() {
				nonZero := v[i] != 0
				if c.ways[i] == literal {
					nonZero = v[i]&1 != 0
				}
				v[i] = b2u(nonZero)
			}
		}
		r0, r1 := f(v[0], v[1], v[2], v[3])
		for i, want := range [2]uint64{r0, r1} {
			if i >= len(c.out) {
				break
			}
			w := c.out[i].TotalBits()
			got := binary.LittleEndian.Uint64(results[i].Data[8*l:])
			if w < 64 {
				got, want = got&(1<<w-1), want&(1<<w-1)
			}
			if got != want {
				t.Fatalf("%s on %s, ways %v, lane %d: %#x gives %#x, not %#x", c, chip, c.ways[:len(c.in)], l, v[:len(c.in)], got, want)
			}
		}
	}
}

// TestIntegers: every form of the integer ops, with operands of every kind,
// through the whole backend on the emulator against pisa.EvalFn.
func TestIntegers(t *testing.T) {
	for n, code := range integerOps {
		t.Run(pisa.RowOf(code).Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(n), 9))
			var cases []*intCase
			for _, o := range intForms(code) {
				all := [4]int{perLane, perLane, perLane, perLane}
				same := [4]int{forAll, forAll, forAll, forAll}
				mixed := [4]int{forAll, perLane, literal, perLane}
				ways := [][4]int{all, same, mixed, {perLane, literal, perLane, forAll}, {literal, forAll, forAll, literal}, {perLane, literal, literal, literal}}
				if code == pisa.Bfn {
					ways = ways[:2+r.IntN(3)]
				}
				for _, w := range ways {
					cases = append(cases, newCase(o, w, r))
				}
			}
			const group = 6
			for k := 0; k < len(cases); k += group {
				chips := []string{[]string{"gfx1100", "gfx942"}[k/group%2]}
				if k/group%7 == 0 {
					chips = append(chips, "gfx90a", "gfx1201")
				}
				for _, chip := range chips {
					runIntegers(t, chip, cases[k:min(k+group, len(cases))])
				}
			}
		})
	}
}

func runIntegers(t *testing.T, chip string, cases []*intCase) {
	m := ir.NewModule(dialects.All(), &ir.Sources{})
	m.Target = "100"
	fn := m.NewFunc("k", ir.FuncKernel)
	var bl ir.Builder
	bl.AtEnd(fn.NewBlock())
	id := bl.Value(pisa.ReadSReg, pisa.FOp.Put(uint64(pisa.SLocalID))|pisa.FIndex.Put(1), ir.B32)
	t64 := pisa.FType.Put(uint64(pisa.T64b))
	wide := bl.Value(pisa.ZExt, t64|pisa.FFrom.Put(uint64(pisa.T32b)), ir.B64, id)
	off := bl.Value(pisa.Shl, t64, ir.B64, wide, builtin.ConstInt(&bl, ir.B32, 3))
	l := &emu.Launch{Global: [3]uint64{lanes}, Local: [3]uint64{lanes}, Seed: 1}
	var ends []int
	for _, c := range cases {
		c.emit(&bl, fn, off)
		l.Args = append(l.Args, c.args()...)
		ends = append(ends, len(l.Args))
	}
	builtin.Ret(&bl, nil)
	ds := &ir.Diags{}
	ir.Verify(m, ds)
	require.Empty(t, ds.List, "%s", ir.AppendText(nil, m))
	tt := target.ByName(chip)
	c := &machine.Ctx{Target: tt, Mode: tt.Modes()[0], Diags: ds, OptLevel: 2}
	require.True(t, Select(c, fn, Options{}), "%v", ds.List)
	ir.Verify(m, ds)
	require.Empty(t, ds.List, "%s", ir.AppendText(nil, m))
	require.NoError(t, amdgpu.Check(tt, fn))
	machine.Run(c, fn, nil)
	require.Empty(t, ds.List)
	if emu.Run(m, c.Mode, l, ds) == nil {
		t.Fatalf("%s: %v\n%s", chip, ds.List, ir.AppendText(nil, m))
	}
	for i, x := range cases {
		x.check(t, chip, l.Args[ends[i]-len(x.out):ends[i]])
	}
}
