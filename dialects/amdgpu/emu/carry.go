package emu

import (
	"math/bits"

	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// carryFn is a vector instruction with a flag for each lane going in or out.
type carryFn func(m *fpMode, a, b, c uint64, flag bool) (uint64, bool)

type carryRow struct {
	code    ir.Code
	types   string // as valuSpec has them, without masks
	fn      carryFn
	section string
}

func madWide(signed bool) carryFn {
	return func(_ *fpMode, a, b, c uint64, _ bool) (uint64, bool) {
		if !signed {
			r, carry := bits.Add64(lo(a)*lo(b), c, 0)
			return r, carry != 0
		}
		p := s32(a) * s32(b)
		r := p + int64(c)
		return uint64(r), (p < 0) == (int64(c) < 0) && (r < 0) != (p < 0)
	}
}

func carrying(f saluFn, swap bool) carryFn {
	return func(_ *fpMode, a, b, _ uint64, flag bool) (uint64, bool) {
		if swap {
			a, b = b, a
		}
		return f(a, b, flag)
	}
}

// carryRows: carry or borrow, division, and the selection by mask.
var carryRows = [...]carryRow{
	{amdgpu.VAddCoU32, "iii", carrying(add32, false), secVOP3},
	{amdgpu.VSubCoU32, "iii", carrying(sub32, false), secVOP3},
	{amdgpu.VSubrevCoU32, "iii", carrying(sub32, true), secVOP3},
	{amdgpu.VAddCoCiU32, "iii", carrying(add32, false), secVOP2},
	{amdgpu.VSubCoCiU32, "iii", carrying(sub32, false), secVOP2},
	{amdgpu.VSubrevCoCiU32, "iii", carrying(sub32, true), secVOP2},
	{amdgpu.VMadU64U32, "liil", madWide(false), secVOP3},
	{amdgpu.VMadI64I32, "liil", madWide(true), secVOP3},
	{amdgpu.VDivScaleF32, "ffff", divScale(&single, 64, 96, 23), secVOP3},
	{amdgpu.VDivScaleF64, "dddd", divScale(&double, 128, 768, 53), secVOP3},
	{amdgpu.VDivFmasF32, "ffff", divFmas(&single, 64), secVOP3},
	{amdgpu.VDivFmasF64, "dddd", divFmas(&double, 128), secVOP3},
	{amdgpu.VCndmaskB32, "fff", func(_ *fpMode, a, b, _ uint64, flag bool) (uint64, bool) {
		if flag {
			return b, false
		}
		return a, false
	}, secVOP2},
}

// special decodes vector instructions that are in none of the plain tables.
func (d *decoder) special(in *inst) {
	for i := range carryRows {
		if r := &carryRows[i]; r.code == in.op.Code {
			in.cin, in.run = r.fn, runCarry
			d.modifiers(in, r.types)
			if amdgpu.FClamp.Get(in.props) != 0 {
				d.fail(in.op, "clamp of %s is not modelled", in.row.Name)
			}
			return
		}
	}
	d.crossing(in)
}

// runCarry executes an instruction of carryRows. The mask in is the last
// operand, the mask out the second result; its bits of inactive lanes are 0.
func runCarry(w *wave, in *inst) {
	flags := uint64(0)
	if o := &in.src[in.nsrc-1]; in.row.Operands[in.nsrc-1].Mask {
		flags = w.maskValue(o)
	}
	out := uint64(0)
	for e := w.sourceLanes(in); e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		x := w.sources(in, l)
		r, flag := in.cin(&w.mode, x[0], x[1], x[2], flags>>l&1 != 0)
		w.result(in, l, r)
		if flag {
			out |= 1 << l
		}
	}
	if in.dwid[1] != 0 {
		w.setScalar(in.dst[1], in.dwid[1], out)
	}
}
