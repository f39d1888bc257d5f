package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Where no lane waits elsewhere the active lanes of a wave are its first ones:
// all, but in the last wave of a work-group. Then a lane that is active has all
// lower ones beside it, and data-parallel moves, which leave a lane alone that
// would read an inactive one, do for reductions.

// together reports that all lanes that the wave has execute op, and take part in
// it by mask operand i.
func (s *sel) together(op *ir.Op, i int) bool {
	return !s.uni.Partial(op.Block()) && s.everyLane(op, i)
}

// dpp_ctrl (RDNA3 ISA 7.7, CDNA3 ISA 3.9).
const (
	dppRowShr     = 0x110 // + n: of lane i-n of the row of 16
	dppRowBcast15 = 0x142 // of the last lane of the row before; GFX9
)

// scans are the operations of reductions with an operand of another lane.
var scans = [...]ir.Code{
	pisa.RedSum: amdgpu.VAddNcU32Dpp, pisa.RedSMin: amdgpu.VMinI32Dpp, pisa.RedSMax: amdgpu.VMaxI32Dpp,
	pisa.RedUMin: amdgpu.VMinU32Dpp, pisa.RedUMax: amdgpu.VMaxU32Dpp, pisa.RedAnd: amdgpu.VAndB32Dpp,
	pisa.RedOr: amdgpu.VOrB32Dpp, pisa.RedXor: amdgpu.VXorB32Dpp, pisa.RedAbsMax: amdgpu.VMaxU32Dpp,
}

// scan is code of x and of x of another lane; lanes that read none keep x. skip
// is the rows that do.
func (u unit) scan(code ir.Code, x *ir.Value, ctrl, skip uint64) *ir.Value {
	props := amdgpu.FDpp.Put(1) | amdgpu.FDppCtl.Put(ctrl) | amdgpu.FRowMsk.Put(skip)
	return u.Value(code, props, ir.Regs(ir.VGPR, 1), x, x, x)
}

// total combines x over the lanes of the sub-group: within rows of 16 lanes
// first, each lane taking in all lower ones, then the rows. The last lane has
// the result.
func (u unit) total(x *ir.Value, code, dpp ir.Code) *ir.Value {
	x = u.vgpr(x, 1)
	for n := uint64(1); n < 16; n *= 2 {
		x = u.scan(dpp, x, dppRowShr+n, 0)
	}
	readLane := func(l *ir.Value) *ir.Value { return u.val(amdgpu.VReadlaneB32, x, l) }
	s := unit{u.sel, true}
	last := func(mask *ir.Value) *ir.Value { return s.xor(u.val(amdgpu.SClzI32U32, mask), u.imm(31)) }
	if u.t.Subgroups() == 1 {
		lower := readLane(u.imm(15))
		x = u.val(amdgpu.VCndmaskB32, x, u.val(code, lower, x), u.laneMask(0xffff0000))
		return readLane(last(u.Value(amdgpu.PCopy, 0, ir.Regs(ir.SGPR, 1), u.exec())))
	}
	x = u.scan(dpp, x, dppRowBcast15, 0b0101)
	active := u.Value(amdgpu.PCopy, 0, ir.Regs(ir.SGPR, 2), u.exec())
	first := readLane(last(u.slice(active, 0, 1)))
	second := readLane(s.add(last(u.slice(active, 1, 1)), u.imm(32)))
	return u.val(amdgpu.VCndmaskB32, first, second, u.laneMask(0xffffffff00000000))
}

// laneMask is a mask of lanes known now.
func (u unit) laneMask(bits uint64) *ir.Value {
	if u.t.Wave == 32 {
		return u.literal(uint32(bits))
	}
	return u.wide(bits, true)
}

// shflTogether is shfl by a constant where lanes are together: a source is there
// if it is in the sub-group and below the number of lanes. It returns nil if op
// is another.
func (u unit) shflTogether(op *ir.Op, kind pisa.ShflOp, x *ir.Value) *ir.Value {
	c, ok := constOf(op, 2)
	if !ok || !u.together(op, 3) || pisa.Has(op.Props, pisa.FSg) || kind == pisa.ShflIdx {
		return nil
	}
	off := uint32(c & 31)
	lane := u.waveLane()
	at := u.shl(lane, u.imm(2)) // addresses count bytes
	var from, valid *ir.Value
	within := lane
	if u.t.Subgroups() > 1 {
		within = u.and(lane, u.imm(31))
	}
	switch kind {
	case pisa.ShflUp:
		from = u.sub(at, u.imm(4*off))
		valid = u.compare(amdgpu.LE, false, u.imm(off), within)
	case pisa.ShflDn:
		from = u.add(at, u.imm(4*off))
		valid = u.compare(amdgpu.GT, false, u.lanes4(), from)
		if u.t.Subgroups() > 1 {
			valid = u.both(valid, u.compare(amdgpu.GT, false, u.imm(32-off), within))
		}
	default:
		from = u.xor(at, u.imm(4*off))
		valid = u.compare(amdgpu.GT, false, u.lanes4(), from)
	}
	return u.Value(amdgpu.DsBpermuteB32, 0, ir.Regs(ir.VGPR, 1), u.choose(valid, from, at), u.vgpr(x, 1))
}

// lanes4 is four times the number of active lanes.
func (u unit) lanes4() *ir.Value {
	s := unit{u.sel, true}
	code := u.mask2(amdgpu.SBcnt1I32B32, amdgpu.SBcnt1I32B64)
	return s.shl(u.val(code, u.Value(amdgpu.PCopy, 0, u.maskT, u.exec())), u.imm(2))
}

// waveLane is the lane of the wave.
func (s *sel) waveLane() *ir.Value {
	v := s.val(amdgpu.VMbcntLoU32B32, s.imm(0xffffffff), s.imm(0))
	if s.t.Subgroups() > 1 {
		v = s.val(amdgpu.VMbcntHiU32B32, s.imm(0xffffffff), v)
	}
	return v
}
