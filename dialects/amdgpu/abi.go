package amdgpu

import (
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// LiveSet is a set of LiveIns: bit 1<<l.
type LiveSet uint8

// Has reports whether l is in the set.
func (s LiveSet) Has(l LiveIn) bool { return s>>l&1 != 0 }

// LiveInRegs gives each live-in of used the register in which the hardware
// leaves it at the start of a wave, and the number of user registers that the
// kernel descriptor states (AMDGPUUsage, initial kernel execution state): first
// the dispatch and kernarg pointers, then work-group ids, of which those not
// used are not loaded.
//
//	gfx1100   the user registers are padded so that 16 are initialised
//	gfx1201   ttmp9 is x, ttmp7 y in bits 15:0 and z in 31:16
func LiveInRegs(t *target.Target, used LiveSet) (regs [NumLiveIns]ir.Reg, user int) {
	for _, l := range [...]LiveIn{LiveDispatch, LiveKernarg} {
		if used.Has(l) {
			regs[l] = ir.SReg(user)
			user += 2
		}
	}
	if used.Has(LiveItems) {
		regs[LiveItems] = ir.VReg(0)
	}
	if t.Has(target.GroupIDsInTTMP) {
		for l, r := range map[LiveIn]ir.Reg{LiveGroupX: ir.RegTTMP + 9, LiveGroupY: ir.RegTTMP + 7, LiveGroupZ: ir.RegTTMP + 7} {
			if used.Has(l) {
				regs[l] = r
			}
		}
		return regs, user
	}
	ids := 0
	for l := LiveGroupX; l <= LiveGroupZ; l++ {
		if used.Has(l) {
			ids++
		}
	}
	if t.Has(target.SGPRInit16) {
		user = max(user, 16-ids)
	}
	at := user
	for l := LiveGroupX; l <= LiveGroupZ; l++ {
		if used.Has(l) {
			regs[l] = ir.SReg(at)
			at++
		}
	}
	return regs, user
}

// LiveIns is the set of live-ins that the entry block of f begins with.
func LiveIns(f *ir.Func) (s LiveSet) {
	for op := f.Entry().First(); op != nil; op = op.Next() {
		if op.Code == PLivein {
			s |= 1 << op.Field(FKind)
		}
	}
	return s
}

// ParamOffsets returns the offset of each kernel parameter in the argument
// segment and the size of them all. PISA places each at the next multiple of
// its alignment, 8 unless .align says otherwise (PISA 5.3).
func ParamOffsets(params []ir.Param) (offs []uint64, size uint64) {
	for i := range params {
		a := uint64(params[i].Align)
		if a == 0 {
			a = 8
		}
		size = (size + a - 1) &^ (a - 1)
		offs = append(offs, size)
		size += uint64(params[i].Size)
	}
	return offs, size
}

// HiddenOffset is where the implicit arguments begin in f's argument segment
// (AMDGPUUsage, "Kernel Argument Segment").
func HiddenOffset(f *ir.Func) uint32 {
	_, size := ParamOffsets(f.Params)
	return uint32((size + 7) &^ 7)
}
