package emu

import (
	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// wholeRow is an instruction that needs the wave, not only operands.
type wholeRow struct {
	code    ir.Code
	run     func(w *wave, in *inst)
	section string
	decode  func(d *decoder, in *inst)
}

const memModel = "AMDGPUUsage, memory model"

// wholeRows is scalar instructions with effects on the wave, program control,
// and pseudo instructions that the printer writes as fixed text.
var wholeRows = [...]wholeRow{
	{amdgpu.SAndSaveexecB32, runAndSaveexec, secSOP1, writesExec},
	{amdgpu.SAndSaveexecB64, runAndSaveexec, secSOP1, writesExec},
	{amdgpu.SOrSaveexecB32, runOrSaveexec, secSOP1, writesExec},
	{amdgpu.SOrSaveexecB64, runOrSaveexec, secSOP1, writesExec},
	{amdgpu.SAndNot0SaveexecB32, runAndNot0Saveexec, secSOP1, writesExec},
	{amdgpu.SAndNot0SaveexecB64, runAndNot0Saveexec, secSOP1, writesExec},
	{amdgpu.SGetpcB64, runGetpc, secSOP1, nil},
	{amdgpu.SMovkI32, func(w *wave, in *inst) {
		w.setScalar(in.dst[0], 1, uint64(int64(int16(in.imm()))))
	}, secSOPK, nil},
	{amdgpu.SSetregImm32B32, runSetreg, secSOPK, decodeSetreg},
	{amdgpu.SWaitcntVscnt, runWait, secSOPK, waitOf(cntStore)},

	{amdgpu.SNop, runNothing, secSOPP, nil},
	{amdgpu.SEndpgm, runEnd, secSOPP, nil},
	{amdgpu.SBranch, func(w *wave, in *inst) { w.pc = in.to }, secSOPP, (*decoder).branchTo},
	{amdgpu.SCbranchScc0, func(w *wave, in *inst) { w.branch(in, !w.scc) }, secSOPP, (*decoder).branchTo},
	{amdgpu.SCbranchScc1, func(w *wave, in *inst) { w.branch(in, w.scc) }, secSOPP, (*decoder).branchTo},
	{amdgpu.SCbranchVccz, func(w *wave, in *inst) { w.branch(in, w.vcc() == 0) }, secSOPP, (*decoder).branchTo},
	{amdgpu.SCbranchVccnz, func(w *wave, in *inst) { w.branch(in, w.vcc() != 0) }, secSOPP, (*decoder).branchTo},
	{amdgpu.SCbranchExecz, func(w *wave, in *inst) { w.branch(in, w.exec() == 0) }, secSOPP, (*decoder).branchTo},
	{amdgpu.SCbranchExecnz, func(w *wave, in *inst) { w.branch(in, w.exec() != 0) }, secSOPP, (*decoder).branchTo},
	{amdgpu.SBarrier, runBarrier, secSOPP, nil},
	{amdgpu.SBarrierSignal, runSignal, "RDNA4 ISA 16.3", nil},
	{amdgpu.SBarrierWait, runBarrierWait, "RDNA4 ISA 16.5", nil},
	{amdgpu.SWaitcnt, runWait, secSOPP, decodeWaitcnt},
	{amdgpu.SWaitcntDepctr, runNothing, secSOPP, nil},
	{amdgpu.SWaitLoadcnt, runWait, "RDNA4 ISA 16.5", waitOf(cntLoad)},
	{amdgpu.SWaitStorecnt, runWait, "RDNA4 ISA 16.5", waitOf(cntStore)},
	{amdgpu.SWaitDscnt, runWait, "RDNA4 ISA 16.5", waitOf(cntLDS)},
	{amdgpu.SWaitKmcnt, runWait, "RDNA4 ISA 16.5", waitOf(cntScalar)},
	{amdgpu.SWaitLoadcntDscnt, runWait, "RDNA4 ISA 16.5", decodeWaitPair(cntLoad)},
	{amdgpu.SWaitStorecntDscnt, runWait, "RDNA4 ISA 16.5", decodeWaitPair(cntStore)},
	{amdgpu.SSleep, func(w *wave, _ *inst) { w.yield = true }, secSOPP, nil},
	{amdgpu.SClause, runNothing, secSOPP, nil},
	{amdgpu.SDelayAlu, runNothing, secSOPP, nil},
	{amdgpu.SRoundMode, func(w *wave, in *inst) { w.mode.setMode(w.mode.bits()&0xf0 | uint8(in.imm()&15)) }, secSOPP, nil},
	{amdgpu.SDenormMode, func(w *wave, in *inst) { w.mode.setMode(w.mode.bits()&0x0f | uint8(in.imm()&15)<<4) }, secSOPP, nil},

	{amdgpu.SMemtime, func(w *wave, in *inst) { w.issueScalar(in, nil, w.g.eng.steps) }, "CDNA3 ISA 12.6", nil},
	{amdgpu.PSymaddr, func(w *wave, in *inst) {
		w.setScalar(in.dst[0], 2, in.src[0].imm)
		w.scc = false
	}, "pisac", (*decoder).symaddr},

	{amdgpu.BufferWbl2, runWriteBack, memModel, nil},
	{amdgpu.BufferInv, runInvalidate, memModel, nil},
	{amdgpu.BufferGl0Inv, runInvalidate, memModel, nil},
	{amdgpu.BufferGl1Inv, runInvalidate, memModel, nil},
	{amdgpu.BufferWbinvl1Vol, runInvalidate, memModel, nil},
	{amdgpu.BufferInvl2, runInvalidate, memModel, nil},
	{amdgpu.GlobalInv, runInvalidate, memModel, nil},
	{amdgpu.GlobalWb, runWriteBack, memModel, nil},
}

func (in *inst) imm() uint64 { return amdgpu.FImm.Get(in.props) }

// control decodes SOPP.
func (d *decoder) control(in *inst) { d.scalar(in) }

// pseudo decodes what is left of pseudo instructions when code is final.
func (d *decoder) pseudo(in *inst) {
	if in.op.Code == amdgpu.PSymaddr {
		d.scalar(in)
		return
	}
	d.fail(in.op, "%s is left in final code", in.row.Name)
}

func (d *decoder) symaddr(in *inst) {
	a, ok := d.addr(in.op.Aux)
	if !ok {
		d.fail(in.op, "the symbol has no address")
	}
	in.src[0].imm = a
}

func runNothing(*wave, *inst) {}

func (w *wave) branch(in *inst, taken bool) {
	if taken {
		w.pc = in.to
	}
}

func writesExec(d *decoder, in *inst) { in.writes = append(in.writes, regExec, regExec+1) }

func runAndSaveexec(w *wave, in *inst) {
	a, old := w.scalarValue(&in.src[0]), w.execBits(in.dwid[0])
	w.saveexec(in, old, a&old)
}

func runOrSaveexec(w *wave, in *inst) {
	a, old := w.scalarValue(&in.src[0]), w.execBits(in.dwid[0])
	w.saveexec(in, old, a|old)
}

func runAndNot0Saveexec(w *wave, in *inst) {
	a, old := w.scalarValue(&in.src[0]), w.execBits(in.dwid[0])
	w.saveexec(in, old, ^a&old)
}

// execBits is exec as an instruction of n words reads it.
func (w *wave) execBits(n uint8) uint64 {
	if n == 1 {
		return uint64(w.s[regExec])
	}
	return w.exec()
}

func (w *wave) saveexec(in *inst, old, now uint64) {
	w.setScalar(in.dst[0], in.dwid[0], old)
	w.setScalar(regExec, in.dwid[0], now)
	if in.dwid[0] == 1 {
		now = lo(now)
	}
	w.scc = now != 0
}

// codeBase is where the code lies, as far as programs can tell.
const codeBase = 0x7000_0000_0000

func runGetpc(w *wave, in *inst) { w.setScalar(in.dst[0], 2, codeBase+4*uint64(w.pc)) }

// Hardware registers (RDNA3 ISA 3.3.2): HW_REG_MODE is number 1.
const hwRegMode = 1

func decodeSetreg(d *decoder, in *inst) {
	imm := in.imm()
	id, off, n := imm&63, imm>>6&31, imm>>11&31+1
	if id != hwRegMode || off+n > 8 {
		d.fail(in.op, "s_setreg_imm32_b32 of hardware register %d, bits %d to %d: only rounding and denormal modes (register 1, bits 0 to 7) are modelled", id, off, off+n-1)
	}
}

func runSetreg(w *wave, in *inst) {
	imm := in.imm()
	off, n := imm>>6&31, imm>>11&31+1
	mask := ones(n) << off
	v := uint64(w.mode.bits())&^mask | in.src[0].imm<<off&mask
	w.mode.setMode(uint8(v))
}

func runEnd(w *wave, _ *inst) { w.end() }
