package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Delay tells the scheduler of the hardware how long a wave has nothing to do,
// so that it turns to another one at once:
//
//	v1 = v_add_f32 …             v1 = v_add_f32 …
//	v2 = v_mul_f32 v1, …    →    s_delay_alu instid0(VALU_DEP_1)
//	                             v2 = v_mul_f32 v1, …
//
// It is a hint, and given only within a block.
func Delay(c *Ctx, f *ir.Func) {
	if c.Target.Generation == target.GFX9 {
		return
	}
	d := delay{results: make([]delayResult, ir.RegEnd)}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		d.forget()
		d.last = nil
		for op := b.First(); op != nil; op = op.Next() {
			if amdgpu.Encoded(op) {
				d.step(op)
			}
		}
	}
}

// Identifiers of s_delay_alu (RDNA3 ISA 16.5): the nth last VALU or
// transcendental instruction, or so many cycles of SALU.
const (
	delayVALU  = 1 // to 4
	delayTrans = 5 // to 7
	delaySALU  = 9 // to 11

	maxDelayVALU  = 4
	maxDelayTrans = 3
	maxDelaySALU  = 3

	delaySkipShift   = 4
	delaySecondShift = 7
	maxDelaySkip     = 5
)

type delayUnit uint8

const (
	unitOther delayUnit = iota
	unitVALU
	unitTrans
	unitSALU
)

// delayResult is the last instruction that wrote a register: its unit, when
// its result is there, and its number among those of its unit.
type delayResult struct {
	epoch       uint32
	ready       int32 // cycle
	valu, trans int32
	unit        delayUnit
}

type delay struct {
	results     []delayResult
	epoch       uint32 // results of another one are of no interest
	cycle       int32
	valu, trans int32  // instructions so far
	last        *ir.Op // s_delay_alu with room for another delay
	skip        int    // instructions behind it
	afterFirst  bool   // the instruction before is the first half of a pair
}

func (d *delay) forget() { d.epoch++ }

func (d *delay) step(op *ir.Op) {
	r := amdgpu.RowOf(op.Code)
	unit := delayUnitOf(r)
	switch {
	case r.Family >= amdgpu.DS, op.Code == amdgpu.PSymaddr,
		op.Code == amdgpu.SWaitcntDepctr && amdgpu.FImm.Get(op.Props) == target.DepctrVaVdst:
		d.forget() // it waits for VALU results itself
	case unit != unitOther && !d.afterFirst:
		var second *ir.Op
		if amdgpu.DualFirst(op) {
			second = amdgpu.DualSecond(op)
		}
		if imm := d.need(op, second); imm != 0 {
			d.emit(op, imm)
		}
	}
	// A pair is one instruction.
	d.afterFirst = amdgpu.DualFirst(op)
	if d.last != nil && !d.afterFirst {
		d.skip++
	}
	if unit != unitOther {
		lat := int32(delayLatency(r))
		for i := range op.NumResults() {
			v := op.Result(i)
			if v.Reg == ir.NoReg || v.Reg == ir.RegSCC {
				continue
			}
			for k := v.Reg; k < v.Reg+ir.Reg(v.Type.Lanes()); k++ {
				d.results[k] = delayResult{d.epoch, d.cycle + lat, d.valu, d.trans, unit}
			}
		}
	}
	if d.afterFirst {
		return
	}
	d.cycle++
	switch unit {
	case unitVALU:
		d.valu++
	case unitTrans:
		d.trans++
	}
}

func delayUnitOf(r *amdgpu.Row) delayUnit {
	switch {
	case r.Has(amdgpu.Trans):
		return unitTrans
	case r.VALU():
		return unitVALU
	case r.SALU():
		return unitSALU
	}
	return unitOther
}

// delayLatency is in cycles of the scheduler (LLVM's model of GFX11).
func delayLatency(r *amdgpu.Row) int {
	switch r.Lat {
	case amdgpu.LatSALU:
		return 2
	case amdgpu.LatTrans:
		return 10
	case amdgpu.LatDouble:
		if r.Has(amdgpu.Float) {
			return 38
		}
		return 8
	}
	return 5
}

// need is the immediate of the s_delay_alu that op wants, 0 for none; second,
// if not nil, is issued with it.
func (d *delay) need(op, second *ir.Op) int {
	valu, trans, transVALU, salu := int32(maxDelayVALU+1), int32(maxDelayTrans+1), int32(maxDelayVALU+1), int32(0)
	n := op.NumPlainOperands()
	if second != nil {
		n += second.NumPlainOperands()
	}
	for i := range n {
		var v *ir.Value
		if k := i - op.NumPlainOperands(); k >= 0 {
			v = second.Operand(k)
		} else {
			v = op.Operand(i)
		}
		// vcc is mostly read by encodings that forward it.
		if v.Reg == ir.NoReg || v.Reg == ir.RegSCC || v.Reg == ir.RegVCC || v.Reg == ir.RegExec {
			continue
		}
		for k := v.Reg; k < v.Reg+ir.Reg(v.Type.Lanes()); k++ {
			r := &d.results[k]
			if r.epoch != d.epoch || r.ready <= d.cycle {
				continue
			}
			switch r.unit {
			case unitVALU:
				valu = min(valu, d.valu-r.valu)
			case unitTrans:
				if n := d.trans - r.trans; n < trans {
					trans, transVALU = n, d.valu-r.valu
				}
			case unitSALU:
				salu = max(salu, r.ready-d.cycle)
			}
			r.epoch = 0 // waited for once
		}
	}
	imm := 0
	add := func(id int) {
		switch {
		case imm == 0:
			imm = id
		case imm>>delaySecondShift == 0:
			imm |= id << delaySecondShift
		}
	}
	if trans <= maxDelayTrans {
		add(delayTrans + int(trans) - 1)
	}
	if valu <= maxDelayVALU && (trans > maxDelayTrans || valu <= transVALU) {
		add(delayVALU + int(valu) - 1)
	}
	if salu > 0 {
		add(delaySALU + int(min(salu, maxDelaySALU)) - 1)
	}
	return imm
}

// emit delays op, by the second half of the last s_delay_alu if that is near.
func (d *delay) emit(op *ir.Op, imm int) {
	if d.last != nil && imm>>delaySecondShift == 0 && d.skip <= maxDelaySkip {
		have := int(amdgpu.FImm.Get(d.last.Props))
		d.last.SetField(amdgpu.FImm, uint64(have|d.skip<<delaySkipShift|imm<<delaySecondShift))
		d.last = nil
		return
	}
	var bl ir.Builder
	bl.Before(op)
	bl.Loc = op.Loc
	d.last, d.skip = bl.Op(amdgpu.SDelayAlu, amdgpu.FImm.Set(0, uint64(imm))), 0
	if imm>>delaySecondShift != 0 {
		d.last = nil
	}
}
