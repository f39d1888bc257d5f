package interp

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// TestFastLoops holds each lane loop to pisa.EvalFn, under any mask; lanes
// outside keep what they had.
func TestFastLoops(t *testing.T) {
	reg := ir.NewRegistry(builtin.Defs(), pisa.Defs())
	loops := 0
	for _, row := range pisa.Table {
		if row.Code == 0 || pisa.EvalFn(row.Code, pisa.FType.Put(uint64(pisa.T32b))) == nil {
			continue
		}
		for _, dt := range []pisa.DType{pisa.T32b, pisa.T64b} {
			for op := range uint64(6) {
				in, mask := fastInst(reg, row, dt, op)
				if in == nil {
					continue
				}
				loops++
				rapid.Check(t, func(t *rapid.T) { checkLoop(t, in, mask) })
			}
		}
	}
	require.Greater(t, loops, 20)
}

// fastInst makes an instruction of row if it has a loop, and the masks of its
// operands.
func fastInst(reg *ir.Registry, row pisa.Row, dt pisa.DType, op uint64) (*inst, [3]uint64) {
	f := ir.NewModule(reg, nil).NewFunc("f", ir.FuncDevice)
	var bl ir.Builder
	bl.AtEnd(f.NewBlock())
	args := row.Forms[0].Args
	for i := range row.Forms {
		if row.Forms[i].Name != "full" {
			args = row.Forms[i].Args
			break
		}
	}
	props := pisa.FType.Put(uint64(dt)) | pisa.FOp.Put(op)
	if row.Code == pisa.ZExt {
		props |= pisa.FFrom.Put(uint64(pisa.T16b))
	}
	var vals []*ir.Value
	var masks [3]uint64
	for _, a := range args {
		ty := a.Shape.Type(props)
		if a.Role != pisa.Dst && ty != ir.None {
			masks[min(len(vals), 2)] = shapeOf(ty).mask()
			vals = append(vals, builtin.ConstInt(&bl, ty, 0))
		}
	}
	result := args[0].Shape.Type(props)
	if result == ir.None {
		return nil, masks
	}
	o := bl.Value(row.Code, props, result, vals...).Op()
	run := fastRun(o)
	if run == nil {
		return nil, masks
	}
	return &inst{run: run, eval: pisa.EvalFn(o.Code, o.Props), dst: 3, dst2: -1, src: [4]int32{0, 1, 2, 0}, op: o, variant: uint8(len(vals))}, masks
}

func checkLoop(t *rapid.T, in *inst, masks [3]uint64) {
	s := &subgroup{regs: make([]lanes, 4)}
	edge := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 31, 32, 33, 63, 64, 1 << 31, 1 << 63, ^uint64(0), 0x7fffffff, 0x80000000}))
	for i := range s.regs {
		for l := range s.regs[i] {
			s.regs[i][l] = edge.Draw(t, "v")
			if i < 3 {
				s.regs[i][l] &= masks[i]
			}
		}
	}
	active := rapid.OneOf(rapid.Just(full), rapid.Uint32Min(1)).Draw(t, "mask")
	before := s.regs[3]
	in.run(s, in, active)
	for l := range width {
		want := before[l]
		if active>>l&1 != 0 {
			want, _ = in.eval(s.regs[0][l], s.regs[1][l], s.regs[2][l], 0)
			if in.op.Result(0).Type == ir.Pred {
				want &= 1
			}
		}
		if got := s.regs[3][l]; got != want {
			t.Fatalf("%s lane %d mask %#x: %#x %#x %#x gives %#x, want %#x", in.op.Def().Name, l, active, s.regs[0][l], s.regs[1][l], s.regs[2][l], got, want)
		}
	}
}
