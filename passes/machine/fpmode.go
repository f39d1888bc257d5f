package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/ir"
)

// FPMode sets the rounding and denormal mode in which instructions execute.
//
//	v_add_f32.round3 %0, %1
//	=> s_round_mode 15
//	   v_add_f32 %0, %1
//	   s_round_mode 0
//
// A kernel begins in the default mode: to nearest even, denormals kept. Each
// block begins in it, and all but the last end in it, so that the mode does not
// depend on the way that the wave took. Instructions whose result no mode can change stay where they
// are, whatever the mode is: only those with the row flag Float obey it, and
// atomics of LDS. From here on nothing may move a Float instruction across a
// change of mode.
func FPMode(c *Ctx, f *ir.Func) {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		if needsMode(b) {
			fpBlock(c, b)
		}
	}
}

// fpMode is what the MODE register has in its lowest 8 bits, but with the bits
// of denormals inverted: 0 is the default. Both formats' fields are alike.
type fpMode struct{ round, flush uint8 }

func modeWanted(op *ir.Op) fpMode {
	if !amdgpu.RowOf(op.Code).VALU() {
		return fpMode{}
	}
	return fpMode{uint8(amdgpu.FRound.Get(op.Props)), uint8(amdgpu.FFlush.Get(op.Props))}
}

// needsMode reports a block with an instruction that wants another mode.
func needsMode(b *ir.Block) bool {
	for op := b.First(); op != nil; op = op.Next() {
		if amdgpu.IsMachine(op.Code) && modeWanted(op) != (fpMode{}) {
			return true
		}
	}
	return false
}

func fpBlock(c *Ctx, b *ir.Block) {
	var now fpMode
	for op := b.First(); op != nil; op = op.Next() {
		if !amdgpu.IsMachine(op.Code) {
			continue
		}
		r := amdgpu.RowOf(op.Code)
		if !r.Has(amdgpu.Float) && !r.Has(amdgpu.Atomic) && !r.Has(amdgpu.Branches) {
			continue
		}
		if op.Code == amdgpu.TRet {
			return // the mode ends with the wave
		}
		want := modeWanted(op)
		setMode(c, op, now, want)
		now = want
		if r.VALU() {
			op.SetField(amdgpu.FRound, 0)
			op.SetField(amdgpu.FFlush, 0)
		}
	}
}

// hwRegMode is the operand of s_setreg for bits 7 to 0 of the MODE register:
// number 1, offset 0, 8 bits (RDNA3 ISA 3.3.2).
const hwRegMode = 1 | 0<<6 | 7<<11

// setMode changes the mode before op.
func setMode(c *Ctx, op *ir.Op, from, to fpMode) {
	if from == to {
		return
	}
	var bl ir.Builder
	bl.Before(op)
	bl.Loc = op.Loc
	round := uint64(to.round) * 5
	keep := uint64(3^to.flush) * 5
	if c.Target.Generation == target.GFX9 {
		at := bl
		bl.Before(op.Func().Entry().First())
		v := builtin.ConstInt(&bl, ir.B32, keep<<4|round)
		bl = at
		bl.Op(amdgpu.SSetregImm32B32, amdgpu.FImm.Put(hwRegMode), v)
		return
	}
	if from.round != to.round {
		bl.Op(amdgpu.SRoundMode, amdgpu.FImm.Put(round))
	}
	if from.flush != to.flush {
		bl.Op(amdgpu.SDenormMode, amdgpu.FImm.Put(keep))
	}
}
