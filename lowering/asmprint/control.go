package asmprint

import (
	"strconv"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// control writes the operand of program control: a label, wait counts, or the
// immediate in the form that the disassembler gives it.
func (p *instPrinter) control() {
	imm := amdgpu.FImm.Get(p.op.Props)
	switch p.op.Code {
	case amdgpu.SEndpgm, amdgpu.SBarrier, amdgpu.SCodeEnd:
	case amdgpu.SMovkI32:
		p.results()
		p.sep()
		p.b = appendHex(p.b, imm)
	case amdgpu.SSetregImm32B32:
		p.sep()
		p.b = appendHwreg(p.b, imm)
		p.operands(0, 1)
	case amdgpu.SWaitcntVscnt:
		p.word("null")
		p.sep()
		p.b = appendHex(p.b, imm)
	case amdgpu.SWaitcnt:
		p.waitcnt()
	case amdgpu.SDelayAlu:
		p.sep()
		p.b = appendDelay(p.b, imm)
	case amdgpu.SWaitcntDepctr:
		p.sep()
		p.b = appendDepctr(p.b, imm)
	case amdgpu.SNop, amdgpu.SSleep, amdgpu.SDenormMode:
		p.sep()
		p.b = strconv.AppendUint(p.b, imm, 10)
	case amdgpu.SBarrierSignal, amdgpu.SBarrierWait:
		p.sep()
		p.b = strconv.AppendInt(p.b, int64(int16(imm)), 10)
	default:
		p.sep()
		if p.r.Has(amdgpu.Branches) {
			p.b = appendLabel(p.b, p.op.Succ(0).To())
		} else {
			p.b = appendHex(p.b, imm)
		}
	}
}

// maxLGKM9 is the largest lgkmcnt of GFX9, which waits for nothing.
const maxLGKM9 = 15

// waitcnt writes the counters that are waited for; all of them at their
// largest value if none is.
func (p *instPrinter) waitcnt() {
	vm, lgkm := amdgpu.FVM.Get(p.op.Props), amdgpu.FLGKM.Get(p.op.Props)
	if p.t.Generation == target.GFX9 && lgkm == maxLGKM9 {
		lgkm = amdgpu.NoWait
	}
	b := append(p.b, ' ')
	if vm == amdgpu.NoWait && lgkm == amdgpu.NoWait {
		b = append(b, "vmcnt(63) expcnt(7) lgkmcnt("...)
		n := uint64(amdgpu.NoWait)
		if p.t.Generation == target.GFX9 {
			n = maxLGKM9
		}
		p.b = append(strconv.AppendUint(b, n, 10), ')')
		return
	}
	if vm != amdgpu.NoWait {
		b = append(strconv.AppendUint(append(b, "vmcnt("...), vm, 10), ')')
	}
	if lgkm != amdgpu.NoWait {
		if vm != amdgpu.NoWait {
			b = append(b, ' ')
		}
		b = append(strconv.AppendUint(append(b, "lgkmcnt("...), lgkm, 10), ')')
	}
	p.b = b
}

// hwregMode is the number of the register MODE.
const hwregMode = 1

// appendHwreg writes a part of a hardware register: id in bits 5:0, first bit
// in 10:6, width less one in 15:11 (RDNA3 ISA 16.2, s_setreg_b32).
func appendHwreg(b []byte, imm uint64) []byte {
	b = append(b, "hwreg("...)
	if id := imm & 63; id == hwregMode {
		b = append(b, "HW_REG_MODE"...)
	} else {
		b = strconv.AppendUint(b, id, 10)
	}
	b = strconv.AppendUint(append(b, ", "...), imm>>6&31, 10)
	b = strconv.AppendUint(append(b, ", "...), imm>>11&31+1, 10)
	return append(b, ')')
}

// delayInsts and delaySkips name the fields of s_delay_alu (RDNA3 ISA 16.5).
var (
	delayInsts = [...]string{"NO_DEP", "VALU_DEP_1", "VALU_DEP_2", "VALU_DEP_3", "VALU_DEP_4",
		"TRANS32_DEP_1", "TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1", "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3"}
	delaySkips = [...]string{"SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"}
)

// appendDelay writes the immediate of s_delay_alu: instid0 in bits 3:0,
// instskip in 6:4, instid1 in 10:7.
func appendDelay(b []byte, imm uint64) []byte {
	id0, skip, id1 := imm&15, imm>>4&7, imm>>7&15
	if id0 >= uint64(len(delayInsts)) || id1 >= uint64(len(delayInsts)) || skip >= uint64(len(delaySkips)) || imm>>11 != 0 {
		return appendHex(b, imm)
	}
	b = append(append(append(b, "instid0("...), delayInsts[id0]...), ')')
	if skip != 0 {
		b = append(append(append(b, " | instskip("...), delaySkips[skip]...), ')')
	}
	if id1 != 0 {
		b = append(append(append(b, " | instid1("...), delayInsts[id1]...), ')')
	}
	return b
}

// depctrFields are the counters of s_waitcnt_depctr; all bits set: no wait.
var depctrFields = [...]struct {
	name         string
	shift, width uint8
}{{"hold_cnt", 7, 1}, {"sa_sdst", 0, 1}, {"va_vdst", 12, 4}, {"va_sdst", 9, 3}, {"va_ssrc", 8, 1}, {"va_vcc", 1, 1}, {"vm_vsrc", 2, 3}}

func appendDepctr(b []byte, imm uint64) []byte {
	if imm == 0xffff {
		return appendHex(b, imm)
	}
	n := 0
	for _, f := range depctrFields {
		all := uint64(1)<<f.width - 1
		if v := imm >> f.shift & all; v != all {
			if n++; n > 1 {
				b = append(b, ' ')
			}
			b = append(append(append(b, "depctr_"...), f.name...), '(')
			b = append(strconv.AppendUint(b, v, 10), ')')
		}
	}
	return b
}

// appendLabel writes the name of a block: .LBB, the function's number in the
// module, the block's.
func appendLabel(b []byte, to *ir.Block) []byte {
	b = strconv.AppendUint(append(b, ".LBB"...), uint64(to.Func().Symbol()), 10)
	return strconv.AppendUint(append(b, '_'), uint64(to.ID), 10)
}

// appendValue writes the registers of v.
func appendValue(b []byte, v *ir.Value) []byte {
	if v.Reg == ir.NoReg {
		panic("asmprint: a value has no register")
	}
	return appendRegs(b, v.Reg, v.Type.Lanes())
}

// appendRegs writes n registers from r on as the assembler names them. vcc and
// exec are names of pairs, which a wave of 32 has half of.
func appendRegs(b []byte, r ir.Reg, n int) []byte {
	switch {
	case r == ir.RegVCC && n == 1:
		return append(b, "vcc_lo"...)
	case r == ir.RegExec && n == 1:
		return append(b, "exec_lo"...)
	case n == 1 || r.Index() >= 106 && !r.IsV():
		return r.AppendText(b)
	case r.IsV():
		b = append(b, "v["...)
	default:
		b = append(b, "s["...)
	}
	b = strconv.AppendInt(b, int64(r.Index()), 10)
	b = strconv.AppendInt(append(b, ':'), int64(r.Index()+n-1), 10)
	return append(b, ']')
}

func appendHex(b []byte, v uint64) []byte { return strconv.AppendUint(append(b, "0x"...), v, 16) }

func appendSignedHex(b []byte, v int64) []byte {
	if v < 0 {
		return appendHex(append(b, '-'), uint64(-v))
	}
	return appendHex(b, uint64(v))
}
