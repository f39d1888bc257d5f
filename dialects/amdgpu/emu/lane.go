package emu

import (
	"math/bits"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
)

// crossRows is vector instructions that read or write other lanes, or ask for
// their lane's number.
var crossRows = [...]wholeRow{
	{amdgpu.VReadfirstlaneB32, runReadFirst, secVOP1, nil},
	{amdgpu.VReadlaneB32, runReadLane, secVOP3, nil},
	{amdgpu.VWritelaneB32, runWriteLane, secVOP3, nil},
	{amdgpu.VMbcntLoU32B32, runMbcnt, secVOP3, nil},
	{amdgpu.VMbcntHiU32B32, runMbcnt, secVOP3, nil},
	{amdgpu.VPermlane16B32, runPermlane, secVOP3, nil},
	{amdgpu.VPermlanex16B32, runPermlane, secVOP3, nil},
}

// permuteRows is the DS instructions that move data between lanes.
var permuteRows = [...]wholeRow{
	{amdgpu.DsBpermuteB32, runBpermute, secDS, nil},
	{amdgpu.DsPermuteB32, runPermute, secDS, nil},
	{amdgpu.DsSwizzleB32, runSwizzle, secDS, (*decoder).swizzle},
}

func (d *decoder) crossing(in *inst) {
	for i := range crossRows {
		r := &crossRows[i]
		if r.code != in.op.Code {
			continue
		}
		in.run = r.run
		in.allLanes = in.row.Has(amdgpu.ReadsLane)
		if in.dpp {
			d.fail(in.op, "%s has no DPP form", in.row.Name)
		}
		for k := range in.src {
			in.src[k].imm = lo(in.src[k].imm)
		}
	}
}

func runReadFirst(w *wave, in *inst) {
	w.setScalar(in.dst[0], 1, w.laneValue(&in.src[0], w.firstLane()))
}

func runReadLane(w *wave, in *inst) {
	l := int(w.scalarValue(&in.src[1])) & (w.lanes - 1)
	w.setScalar(in.dst[0], 1, w.laneValue(&in.src[0], l))
}

func runWriteLane(w *wave, in *inst) {
	l := int(w.scalarValue(&in.src[1])) & (w.lanes - 1)
	w.setLane(in.dst[0], 1, l, w.scalarValue(&in.src[0]))
}

// runMbcnt counts the bits of a mask below the lane's own.
func runMbcnt(w *wave, in *inst) {
	first := 0
	if in.op.Code == amdgpu.VMbcntHiU32B32 {
		first = 32
	}
	for e := w.exec(); e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		below := ones(uint64(min(max(l-first, 0), 32)))
		n := bits.OnesCount64(lo(w.laneValue(&in.src[0], l)) & below)
		w.setLane(in.dst[0], 1, l, uint64(n)+w.laneValue(&in.src[1], l))
	}
}

// runPermlane takes each lane's value from the lane of its row (permlanex16:
// of the other row of the pair) that a nibble of operands 1 and 2 names.
// op_sel bit 0 fetches from inactive lanes, bit 1 gives 0 instead of nothing.
func runPermlane(w *wave, in *inst) {
	sel := lo(w.scalarValue(&in.src[1])) | w.scalarValue(&in.src[2])<<32
	opsel := amdgpu.FOpSel.Get(in.props)
	exec, src := w.exec(), w.v[in.src[0].reg-regV0]
	for e := exec; e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		from := l&^15 | int(sel>>(4*(l&15))&15)
		if in.op.Code == amdgpu.VPermlanex16B32 {
			from ^= 16
		}
		switch {
		case exec>>from&1 != 0 || opsel&1 != 0:
			w.setLane(in.dst[0], 1, l, uint64(src[from]))
		case opsel&2 != 0:
			w.setLane(in.dst[0], 1, l, 0)
		}
	}
}

// DPP (RDNA3 ISA 7.7, CDNA3 ISA 3.9): dpp_ctrl.
const (
	dppRowShl     = 0x100
	dppRowShr     = 0x110
	dppRowRor     = 0x120
	dppWaveShl    = 0x130
	dppWaveRol    = 0x134
	dppWaveShr    = 0x138
	dppWaveRor    = 0x13c
	dppRowMirror  = 0x140
	dppHalfMirror = 0x141
	dppRowBcast15 = 0x142
	dppRowBcast31 = 0x143
	dppRowShare   = 0x150 // GFX9: row_newbcast of gfx90a and later
	dppRowXmask   = 0x160
	dppEnd        = 0x170
)

func (d *decoder) dppControl(in *inst) {
	if amdgpu.FDpp.Get(in.props) == 0 && !in.row.Has(amdgpu.DPP) {
		return
	}
	in.dpp, in.allLanes = true, true
	c := amdgpu.FDppCtl.Get(in.props)
	gfx9 := d.t.Generation == target.GFX9
	wave := c >= dppWaveShl && c < dppRowMirror || c == dppRowBcast15 || c == dppRowBcast31
	if wave && !gfx9 || c >= dppRowXmask && gfx9 || c >= dppEnd || c == dppRowShl || c == dppRowShr || c == dppRowRor {
		d.fail(in.op, "%s has no dpp_ctrl %#x", d.t.Name, c)
	}
	if !in.src[0].vector() {
		d.fail(in.op, "operand 0 of a DPP instruction is in no vector register")
	}
}

// dppLane is the lane that lane l reads from; -1: none.
func dppLane(c uint64, l, lanes int) int {
	row, i := l&^15, l&15
	n := int(c & 15)
	inRow := func(k int) int {
		if k < 0 || k > 15 {
			return -1
		}
		return row | k
	}
	switch {
	case c < dppRowShl:
		return l&^3 | int(c>>(2*(l&3))&3)
	case c < dppRowShr:
		return inRow(i + n)
	case c < dppRowRor:
		return inRow(i - n)
	case c < dppWaveShl:
		return row | (i-n)&15
	case c == dppWaveShl && l+1 < lanes, c == dppWaveRol:
		return (l + 1) % lanes
	case c == dppWaveShr && l > 0, c == dppWaveRor:
		return (l - 1 + lanes) % lanes
	case c == dppRowMirror:
		return row | 15 - i
	case c == dppHalfMirror:
		return l&^7 | 7 - l&7
	case c == dppRowBcast15 && l >= 16:
		return row - 1
	case c == dppRowBcast31 && l >= 32:
		return 31
	case c >= dppRowXmask:
		return row | i ^ n
	case c >= dppRowShare:
		return row | n
	}
	return -1
}

// sourceLanes is the lanes that in writes. Of a DPP instruction it also fetches
// operand 0 from where it comes: a lane without source, or whose source is
// inactive, reads 0 with bound_ctrl and is not written without.
func (w *wave) sourceLanes(in *inst) uint64 {
	exec := w.exec()
	if !in.dpp {
		return exec
	}
	c, bound := amdgpu.FDppCtl.Get(in.props), amdgpu.FBound.Get(in.props) != 0
	rows, banks := amdgpu.FRowMsk.Get(in.props), amdgpu.FBnkMsk.Get(in.props)
	out := uint64(0)
	for e := exec; e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		if rows>>(l/16)&1 != 0 || banks>>(l%16/4)&1 != 0 {
			continue
		}
		from := dppLane(c, l, w.lanes)
		switch {
		case from >= 0 && exec>>from&1 != 0:
			w.dpp[l] = w.laneValue(&in.src[0], from)
		case bound:
			w.dpp[l] = 0
		default:
			continue
		}
		out |= 1 << l
	}
	return out
}

// permute decodes DS instructions that move data between lanes.
func (d *decoder) permute(in *inst) {
	for i := range permuteRows {
		r := &permuteRows[i]
		if r.code != in.op.Code {
			continue
		}
		in.run = r.run
		in.mem = &memInst{addr: -1, base: -1}
		if r.decode != nil {
			r.decode(d, in)
		}
	}
}

// crossIssue is the end of every such instruction.
func (w *wave) crossIssue(in *inst, to *lanes) {
	exec := w.exec()
	for e := exec; e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		w.v[in.dst[0]-regV0][l] = to[l]
	}
	w.issue(in, exec, in.mem.counters, false, nil)
}

func (w *wave) permuteLane(in *inst, l int) int {
	return int(w.laneValue(&in.src[0], l)+amdgpu.FOffset.Get(in.props)) / 4 & (w.lanes - 1)
}

func runBpermute(w *wave, in *inst) {
	var to lanes
	exec := w.exec()
	for e := exec; e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		if from := w.permuteLane(in, l); exec>>from&1 != 0 {
			to[l] = uint32(w.laneValue(&in.src[1], from))
		}
	}
	w.crossIssue(in, &to)
}

func runPermute(w *wave, in *inst) {
	var to lanes
	for e := w.exec(); e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		to[w.permuteLane(in, l)] = uint32(w.laneValue(&in.src[1], l))
	}
	w.crossIssue(in, &to)
}

// swizzle: the offset is a quad permutation, a rotation (RDNA), or and, or and
// xor masks of the lane number within 32.
func (d *decoder) swizzle(in *inst) {
	off := amdgpu.FOffset.Get(in.props)
	if off >= 0xe000 || off>>15 != 0 && off < 0xc000 && off&0x7f00 != 0 || off >= 0xc000 && d.t.Generation == target.GFX9 {
		d.fail(in.op, "ds_swizzle_b32 with offset %#x is not modelled", off)
	}
}

func swizzleLane(off uint64, l int) int {
	if off < 0x8000 {
		return l&^31 | int((uint64(l&31)&(off&31)|off>>5&31)^off>>10&31)
	}
	if off < 0xc000 {
		return l&^3 | int(off>>(2*(l&3))&3)
	}
	mask, n := int(off&31), int(off>>5&31)
	if off>>10&1 != 0 {
		n = -n
	}
	return l&^31 | l&mask | (l+n)&^mask&31
}

func runSwizzle(w *wave, in *inst) {
	var to lanes
	exec := w.exec()
	for e := exec; e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		if from := swizzleLane(amdgpu.FOffset.Get(in.props), l); exec>>from&1 != 0 {
			to[l] = uint32(w.laneValue(&in.src[0], from))
		}
	}
	w.crossIssue(in, &to)
}
