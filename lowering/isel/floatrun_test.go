package isel

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu/emu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/host"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/machine"
)

// lanesKernel is o on one element of buffers a lane: operand i is at byte 8·id
// of buffer i, the result at 8·id of the last. ops are done one behind another
// on the same operands, so that modes change within a block; or each on the
// result of the one before, and only the last result is stored.
func lanesKernel(in []ir.Type, ops []*floatOp, chain bool) *ir.Module {
	m := ir.NewModule(dialects.All(), &ir.Sources{})
	m.Target = "100"
	fn := m.NewFunc("k", ir.FuncKernel)
	b := fn.NewBlock()
	var bl ir.Builder
	bl.AtEnd(b)
	t := func(d pisa.DType) uint64 { return pisa.FType.Put(uint64(d)) }
	id := bl.Value(pisa.ReadSReg, pisa.FOp.Put(uint64(pisa.SLocalID))|pisa.FIndex.Put(1), ir.B32)
	wide := bl.Value(pisa.ZExt, t(pisa.T64b)|pisa.FFrom.Put(uint64(pisa.T32b)), ir.B64, id)
	off := bl.Value(pisa.Shl, t(pisa.T64b), ir.B64, wide, builtin.ConstInt(&bl, ir.B32, 3))
	param := func(i int) *ir.Value {
		fn.Params = append(fn.Params, ir.Param{Name: fmt.Sprintf("p%d", i), Size: 8, Align: 8})
		return bl.Value(pisa.IAdd, t(pisa.T64b), ir.B64, bl.ValueAux(pisa.LdParam, t(pisa.T64b), ir.Aux(i+1), ir.B64), off)
	}
	space := pisa.FSpace.Put(uint64(ir.SpaceGlobal))
	var x []*ir.Value
	for i, ty := range in {
		p := param(i)
		plain := pisa.PlainType(ty)
		if ty.IsVector() {
			plain = pisa.T32b
		}
		v := bl.Value(pisa.Ld, t(plain)|space, pisa.Types[plain].Reg, p)
		if ty.IsVector() {
			v = bl.Value(pisa.Bitcast, 0, ty, v)
		}
		x = append(x, v)
	}
	var results []*ir.Value
	for _, o := range ops {
		r := bl.Value(o.code, o.p, o.out, x[:len(o.in)]...)
		if chain {
			x[0], results = r, nil
		}
		if o.out.IsVector() {
			r = bl.Value(pisa.Bitcast, 0, ir.B32, r)
		}
		results = append(results, r)
	}
	for k, r := range results {
		bl.Op(pisa.St, t(pisa.PlainType(r.Type))|space, param(len(in)+k), r)
	}
	builtin.Ret(&bl, nil)
	return m
}

const lanes = 64

// runLanes compiles ops for a chip and emulates them on values.
func runLanes(t *testing.T, chip string, level int, approx uint64, in []ir.Type, ops []*floatOp, chain bool, values [][3]uint64) [][]uint64 {
	m := lanesKernel(in, ops, chain)
	if chain {
		ops = ops[len(ops)-1:]
	}
	tt := target.ByName(chip)
	ds := &ir.Diags{}
	c := &machine.Ctx{Target: tt, Mode: tt.Modes()[0], Diags: ds, OptLevel: level}
	require.True(t, Select(c, m.Funcs[0], Options{}), "%v", ds.List)
	machine.Run(c, m.Funcs[0], nil)
	require.Empty(t, ds.List)
	l := &emu.Launch{Global: [3]uint64{lanes}, Local: [3]uint64{lanes}, Approx: approx, Seed: 1}
	n := len(in)
	for i := range n + len(ops) {
		data := make([]byte, 8*lanes)
		for k := range values {
			if i < n {
				binary.LittleEndian.PutUint64(data[8*k:], values[k][i])
			}
		}
		l.Args = append(l.Args, host.Arg{Kind: host.ArgBuffer, Data: data})
	}
	if emu.Run(m, c.Mode, l, ds) == nil {
		t.Fatalf("%s: %s: %v\n%s", chip, ops[0], ds.List, ir.AppendText(nil, m))
	}
	out := make([][]uint64, len(ops))
	for i, o := range ops {
		for k := range values {
			v := binary.LittleEndian.Uint64(l.Args[n+i].Data[8*k:])
			if w := o.out.TotalBits(); w < 64 {
				v &= 1<<w - 1
			}
			out[i] = append(out[i], v)
		}
	}
	return out
}

// TestFloatsRun: the same forms as in TestFloats through all machine passes and
// the emulator, which is a second implementation of the instructions. Each chip
// gets other values, and half of the forms each.
func TestFloatsRun(t *testing.T) {
	for n, c := range floatCodesTested {
		t.Run(pisa.RowOf(c).Name, func(t *testing.T) {
			t.Parallel()
			ops := floatOps(c)
			r := rand.New(rand.NewPCG(uint64(n), 5))
			for k, chip := range []string{"gfx1100", "gfx942"} {
				for i := 0; i < len(ops); {
					group := []*floatOp{ops[i]}
					for i++; i < len(ops) && len(group) < 4 && sameOperands(ops[i], group[0]); i++ {
						group = append(group, ops[i])
					}
					if (i+k)%2 != 0 && *floatsMore == 1 && len(ops) > 40 {
						continue
					}
					runGroup(t, chip, r, group)
				}
			}
		})
	}
}

// sameOperands: they take operands of the same types and meaning.
func sameOperands(a, b *floatOp) bool {
	if len(a.in) != len(b.in) || pisa.TypeOf(a.p) != pisa.TypeOf(b.p) && a.code != pisa.F2I && a.code != pisa.FTrunc || pisa.FromOf(a.p) != pisa.FromOf(b.p) {
		return false
	}
	for i := range a.in {
		if a.in[i] != b.in[i] {
			return false
		}
	}
	return true
}

// TestFlushedChains: chains of operations with .ftz of one type, of which only
// the last result is seen, and all results.
func TestFlushedChains(t *testing.T) {
	var all [2][]*floatOp // of f, hfx2
	for _, o := range floatOps(pisa.FAdd, pisa.FSub, pisa.FMul, pisa.FMin, pisa.FMax, pisa.FNeg, pisa.FAbs, pisa.FRnd) {
		if !pisa.Has(o.p, pisa.FFtz) || pisa.Has(o.p, pisa.FFull) || len(o.in) > 2 {
			continue
		}
		switch pisa.TypeOf(o.p) {
		case pisa.F:
			all[0] = append(all[0], o)
		case pisa.HFx2:
			all[1] = append(all[1], o)
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	for n := range 40 * *floatsMore {
		ops := all[n%2]
		var chain []*floatOp
		for range 4 {
			chain = append(chain, ops[r.IntN(len(ops))])
		}
		first := floatOps(pisa.FAdd)[0]
		for _, o := range floatOps(pisa.FAdd) {
			if pisa.TypeOf(o.p) == pisa.TypeOf(chain[0].p) {
				first = o
			}
		}
		g := first.generator(r)
		var values [][3]uint64
		g.values(lanes, func(x [3]uint64) { values = append(values, x) })
		chip := []string{"gfx1100", "gfx942"}[n/2%2]
		out := runLanes(t, chip, 2, 0, first.in, chain, true, values)
		for k, x := range values {
			a := x[0]
			for i, o := range chain {
				want, _ := pisa.EvalFn(o.code, o.p)(a, x[1], 0, 0)
				if i == len(chain)-1 && !first.check(out[0][k], want) {
					t.Errorf("%s: %v of (%#x, %#x): got %#x, want %#x", chip, chain, x[0], x[1], out[0][k], want)
				}
				a = want
			}
		}
	}
}

func runGroup(t *testing.T, chip string, r *rand.Rand, group []*floatOp) {
	g := group[0].generator(r)
	var values [][3]uint64
	g.values(lanes, func(x [3]uint64) { values = append(values, x) })
	r.Shuffle(len(values), func(i, k int) { values[i], values[k] = values[k], values[i] })
	values = values[:lanes]
	for approx := range uint64(2) {
		if approx == 1 && !approximates(group[0].code) {
			break
		}
		out := runLanes(t, chip, int(approx)*2, approx, group[0].in, group, false, values)
		for i, o := range group {
			eval := pisa.EvalFn(o.code, o.p)
			for k, x := range values {
				want, _ := eval(x[0], x[1], x[2], 0)
				if got := out[i][k]; !o.check(got, want) {
					t.Errorf("%s: %s (%#x, %#x, %#x), seed %d: got %#x, want %#x", chip, o, x[0], x[1], x[2], approx, got, want)
				}
			}
		}
	}
}
