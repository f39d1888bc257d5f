package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/codeobject"
)

var specialRows = []lowering{
	pisa.ReadSReg: lowerReadSReg,
}

// lowerReadSReg reads a special register or one component of it (PISA 4.4).
func lowerReadSReg(s *sel, op *ir.Op) {
	r := pisa.SReg(pisa.OpOf(op.Props))
	if c := pisa.IndexOf(op.Props) - 1; c >= 0 || pisa.SpecialRegs[r].Type.Lanes() == 1 {
		s.set(op, 0, s.special(op, r, c))
		return
	}
	var parts []*ir.Value
	n := regs(pisa.SpecialRegs[r].Type.Elem())
	for c := range pisa.SpecialRegs[r].Type.Lanes() {
		parts = append(parts, s.parts(s.special(op, r, c), n)...)
	}
	s.setParts(op, parts)
}

// special is component c of register r.
func (s *sel) special(op *ir.Op, r pisa.SReg, c int) *ir.Value {
	u := unit{s, true}
	switch r {
	case pisa.SActiveMask:
		return s.activeMask()
	case pisa.SLaneID:
		lane, _ := s.lanes32()
		return lane
	case pisa.SSubgroupSize:
		return s.imm(32)
	case pisa.SLocalID:
		ids := s.liveIn(amdgpu.LiveItems)
		if g := s.f.ReqdWorkGroupSize; g[0] != 0 && g[c] == 1 {
			return s.imm(0)
		}
		return unit{s, false}.field(false, ids, uint32(10*c), 10)
	case pisa.SGroupID:
		return s.groupID(c)
	case pisa.SEnqueuedLocalSize:
		return s.groupSize(u, c)
	case pisa.SLocalSize:
		// The last work-group of a dimension may be smaller.
		size, rest := s.groupSize(u, c), s.hidden16(u, codeobject.HiddenRemainder, c)
		return u.choose(u.compare(amdgpu.LT, false, s.groupID(c), s.hidden32(codeobject.HiddenBlockCount, c)), size, rest)
	case pisa.SGroupCount:
		// The hidden count leaves out an incomplete work-group.
		rest := s.val(amdgpu.SMinU32, s.hidden16(u, codeobject.HiddenRemainder, c), s.imm(1))
		return u.add(s.hidden32(codeobject.HiddenBlockCount, c), rest)
	case pisa.SGlobalSize:
		size := s.groupSize(u, c)
		p := u.mulFull(false, s.hidden32(codeobject.HiddenBlockCount, c), size)
		return u.whole(u.add64(p, pair{s.hidden16(u, codeobject.HiddenRemainder, c), s.imm(0)}))
	case pisa.SGlobalOffset:
		off := s.hiddenStart() + codeobject.HiddenGlobalOffset + 8*uint32(c)
		return s.sgpr(s.build(s.kernarg(off, 1), s.kernarg(off+4, 1)), 2)
	case pisa.SWorkDim:
		return s.hidden16(u, codeobject.HiddenGridDims, 0)
	case pisa.SPrintfBuffer:
		off := s.hiddenStart() + codeobject.HiddenPrintfBuffer
		return s.sgpr(s.build(s.kernarg(off, 1), s.kernarg(off+4, 1)), 2)
	}
	panic("isel: unknown special register")
}

// groupID is the work-group's index. In trap registers y and z share one.
func (s *sel) groupID(c int) *ir.Value {
	v := s.liveIn(amdgpu.LiveGroupX + amdgpu.LiveIn(c))
	if c == 0 || !s.t.Has(target.GroupIDsInTTMP) {
		return v
	}
	return unit{s, true}.field(false, v, 16*uint32(c-1), 16)
}

// groupSize is the size of a complete work-group.
func (s *sel) groupSize(u unit, c int) *ir.Value {
	if g := s.f.ReqdWorkGroupSize; g[0] != 0 {
		return s.imm(g[c])
	}
	return s.hidden16(u, codeobject.HiddenGroupSize, c)
}

// activeMask is the active lanes of the work-item's sub-group: in a wave of 64,
// of its own half.
func (s *sel) activeMask() *ir.Value {
	e := s.exec()
	if s.t.Wave == 32 {
		return s.Value(amdgpu.PCopy, 0, ir.Regs(ir.SGPR, 1), e)
	}
	m := s.Value(amdgpu.PCopy, 0, ir.Regs(ir.SGPR, 2), e)
	upper := s.wide(0xffffffff00000000, true)
	return s.val(amdgpu.VCndmaskB32, s.vgpr(s.slice(m, 0, 1), 1), s.vgpr(s.slice(m, 1, 1), 1), upper)
}

func (s *sel) hiddenStart() uint32 { return amdgpu.HiddenOffset(s.f) }

func (s *sel) hidden32(off uint32, c int) *ir.Value {
	return s.kernarg(s.hiddenStart()+off+4*uint32(c), 1)
}

// hidden16 is a 16-bit implicit argument, zero-extended.
func (s *sel) hidden16(u unit, off uint32, c int) *ir.Value {
	at := s.hiddenStart() + off + 2*uint32(c)
	return u.field(false, s.kernarg(at&^3, 1), at%4*8, 16)
}

// liveIn is what a register holds when the wave starts.
func (s *sel) liveIn(k amdgpu.LiveIn) *ir.Value {
	if v := s.live[k]; v != nil {
		return v
	}
	t := ir.Regs(ir.SGPR, 1)
	switch k {
	case amdgpu.LiveKernarg, amdgpu.LiveDispatch:
		t = ir.Regs(ir.SGPR, 2)
	case amdgpu.LiveItems:
		t = ir.Regs(ir.VGPR, 1)
	}
	at := s.Builder
	s.Before(s.f.Entry().First())
	v := s.Value(amdgpu.PLivein, amdgpu.FKind.Put(uint64(k)), t)
	s.Builder = at
	s.live[k] = v
	return v
}

// finishLiveIns puts the live-ins first and gives them the registers of the
// ABI.
func (s *sel) finishLiveIns() {
	var used amdgpu.LiveSet
	for k, v := range s.live {
		if v != nil {
			used |= 1 << k
		}
	}
	at, _ := amdgpu.LiveInRegs(s.t, used)
	for k := len(s.live) - 1; k >= 0; k-- {
		v := s.live[k]
		if v == nil {
			continue
		}
		if first := s.f.Entry().First(); v.Op() != first {
			v.Op().MoveBefore(first)
		}
		v.Reg = at[k]
	}
	// Two in one register are one value, the last that is defined.
	if y, z := s.live[amdgpu.LiveGroupY], s.live[amdgpu.LiveGroupZ]; y != nil && z != nil && y.Reg == z.Reg {
		y.ReplaceUses(z)
	}
}
