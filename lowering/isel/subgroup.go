package isel

import (
	"math"

	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// A PISA sub-group is 32 work-items; a wave of 64 holds two: lanes 0 to 31 and
// 32 to 63. "Lane" below is the PISA lane. What crosses lanes goes by
// ds_bpermute_b32, which reads active lanes only here: no lane needs to be
// switched on (PISA 7).
var subgroupRows = []lowering{
	pisa.IRed:        lowerIRed,
	pisa.FRed:        lowerFRed,
	pisa.RedFirstIdx: lowerRedFirstIdx,
	pisa.Shfl:        lowerShfl,
}

// lanes32 is the PISA lane, and which half of the wave it is in, 0 or 32; nil if
// the wave is one sub-group.
func (s *sel) lanes32() (lane, half *ir.Value) {
	v := s.waveLane()
	if s.t.Subgroups() == 1 {
		return v, nil
	}
	return s.val(amdgpu.VAndB32, s.imm(31), v), s.val(amdgpu.VAndB32, s.imm(32), v)
}

// readLane reads x of lane from of the same sub-group, which must be active.
func (u unit) readLane(x, from, half *ir.Value) *ir.Value {
	addr := u.shl(from, u.imm(2))
	if half != nil {
		addr = u.val(amdgpu.VLshlOrB32, half, u.imm(2), addr)
	}
	return u.Value(amdgpu.DsBpermuteB32, 0, ir.Regs(ir.VGPR, 1), addr, u.vgpr(x, 1))
}

// bit is the mask of lanes for which bit i of m is set.
func (u unit) bit(m, i *ir.Value) *ir.Value {
	return u.compare(amdgpu.NE, false, u.val(amdgpu.VBfeU32, m, i, u.imm(1)), u.imm(0))
}

// everyLane reports that mask operand i of op has all lanes that execute op.
func (s *sel) everyLane(op *ir.Op, i int) bool {
	if c, ok := constOf(op, i); ok {
		return uint32(c) == math.MaxUint32
	}
	// The mask of the same block: no lane has come or gone since.
	d := op.Operand(i).Op()
	return d != nil && d.Block() == op.Block() && d.Code == pisa.ReadSReg && pisa.SReg(pisa.OpOf(d.Props)) == pisa.SActiveMask
}

// participants are the active lanes of mask operand i.
func (s *sel) participants(op *ir.Op, i int) *ir.Value {
	if s.everyLane(op, i) {
		return s.activeMask()
	}
	m, active := s.arg(op, i), s.activeMask()
	u := unit{s, m.Type.Class() != ir.VGPR && active.Type.Class() == ir.SGPR}
	return u.and(m, active)
}

// lowerRedFirstIdx is the lowest active lane of a mask, all ones if there is
// none (PISA 7.3).
func lowerRedFirstIdx(s *sel, op *ir.Op) {
	m := s.participants(op, 0)
	u := unit{s, m.Type.Class() == ir.SGPR}
	s.set(op, 0, u.either(amdgpu.SCtzI32B32, amdgpu.VCtzI32B32, m))
}

// lowerShfl reads a register of another lane (PISA 7.4): the pseudocode of the
// specification.
func lowerShfl(s *sel, op *ir.Op) {
	u := unit{s, false}
	dst, x, ctl := s.arg(op, 0), s.arg(op, 1), s.arg(op, 2)
	kind := pisa.ShflOp(pisa.OpOf(op.Props))
	if y := u.shflTogether(op, kind, x); y != nil {
		s.set(op, 0, y)
		return
	}
	lane, half := s.lanes32()
	part := s.participants(op, 3)
	field := func(at uint32) *ir.Value { return u.field(false, u.vector(ctl), at, 5) }
	off := field(0)
	var seg, cval *ir.Value = s.imm(0), s.imm(31)
	if kind == pisa.ShflUp {
		cval = s.imm(0)
	}
	if pisa.Has(op.Props, pisa.FSg) {
		cval, seg = field(8), field(16)
	}
	// base | x &^ seg
	within := func(x *ir.Value) *ir.Value {
		if c, ok := constant(seg); ok && c == 0 {
			return x
		}
		return s.val(amdgpu.VBfiB32, seg, lane, x)
	}
	clamp := within(cval)
	var from *ir.Value
	inside := amdgpu.LE
	switch kind {
	case pisa.ShflUp:
		from, inside = u.sub(lane, off), amdgpu.GE
	case pisa.ShflDn:
		from = u.add(lane, off)
	case pisa.ShflXor:
		from = u.xor(lane, off)
	default:
		from = within(off)
	}
	// A source beyond the sub-group is out of bounds also where the clamp admits
	// it.
	valid := u.both(u.compare(inside, true, from, clamp), u.compare(amdgpu.LT, false, from, s.imm(32)))
	valid = u.both(valid, u.bit(part, from))
	y := u.readLane(x, u.choose(valid, from, lane), half)
	s.set(op, 0, u.ofParticipants(op, 3, part, lane, y, dst))
}

// ofParticipants is y in the lanes of part, which are those of mask operand i,
// and old in others.
func (u unit) ofParticipants(op *ir.Op, i int, part, lane, y, old *ir.Value) *ir.Value {
	if u.everyLane(op, i) {
		return y
	}
	return u.choose(u.bit(part, lane), y, old)
}

// vector is a constant in a register, else x.
func (u unit) vector(x *ir.Value) *ir.Value {
	if _, ok := constant(x); ok {
		return u.vgpr(x, 1)
	}
	return x
}

// both is the lanes of two masks.
func (u unit) both(a, b *ir.Value) *ir.Value {
	return u.emit(u.mask2(amdgpu.SAndB32, amdgpu.SAndB64), 0, a, b).Result(0)
}

// reduce combines x over the lanes of part by f, which is associative and
// commutative, in five steps. Before step k every lane of part holds the result
// of its block of 2^k lanes; it then takes in the result of the neighbouring
// block from the lowest lane of part there, if there is one. Lanes outside part
// compute something that is not used.
func (u unit) reduce(x, part, lane, half *ir.Value, f func(x, y *ir.Value) *ir.Value) *ir.Value {
	for size := uint32(1); size < 32; size *= 2 {
		base := u.and(u.xor(lane, u.imm(size)), u.imm(^(size-1)&31))
		there := u.val(amdgpu.VBfeU32, part, base, u.imm(size))
		some := u.compare(amdgpu.NE, false, there, u.imm(0))
		first := u.add(base, u.val(amdgpu.VCtzI32B32, there))
		y := u.readLane(x, u.choose(some, first, lane), half)
		x = u.choose(some, f(x, y), x)
	}
	return x
}

var reductions = [...]ir.Code{
	pisa.RedSum:    amdgpu.VAddNcU32,
	pisa.RedSMin:   amdgpu.VMinI32,
	pisa.RedSMax:   amdgpu.VMaxI32,
	pisa.RedUMin:   amdgpu.VMinU32,
	pisa.RedUMax:   amdgpu.VMaxU32,
	pisa.RedAnd:    amdgpu.VAndB32,
	pisa.RedOr:     amdgpu.VOrB32,
	pisa.RedXor:    amdgpu.VXorB32,
	pisa.RedAbsMax: amdgpu.VMaxU32, // of magnitudes: the most negative integer is the largest
}

// lowerIRed reduces integers over the lanes of a mask; others keep the old
// value (PISA 7.2).
func lowerIRed(s *sel, op *ir.Op) {
	u := unit{s, false}
	kind := pisa.RedOp(pisa.OpOf(op.Props))
	x := s.arg(op, 1)
	if width(op) == 16 {
		x = u.ext(kind == pisa.RedSMin || kind == pisa.RedSMax || kind == pisa.RedAbsMax, x, 16)
	}
	if kind == pisa.RedAbsMax {
		x = u.abs(u.vgpr(x, 1))
	}
	if s.together(op, 2) {
		s.set(op, 0, u.total(x, reductions[kind], scans[kind]))
		return
	}
	lane, half := s.lanes32()
	part := s.participants(op, 2)
	r := u.reduce(x, part, lane, half, func(a, b *ir.Value) *ir.Value { return s.val(reductions[kind], a, b) })
	s.set(op, 0, u.ofParticipants(op, 2, part, lane, r, s.arg(op, 0)))
}

// lowerFRed is minimum, maximum and maximum of magnitudes; NaNs give way to
// numbers unless .nanp (PISA 7.1).
func lowerFRed(s *sel, op *ir.Op) {
	t, kind := pisa.TypeOf(op.Props), pisa.RedOp(pisa.OpOf(op.Props))
	nanp := pisa.Has(op.Props, pisa.FNanp)
	f := t.Format()
	v := fpu{sel: s, f: computed(f)}
	code := floatCodes[v.f].max
	if kind == pisa.RedMin {
		code = floatCodes[v.f].min
	}
	combine := func(a, b num) num {
		r := v.num(code, a, b)
		if nanp {
			r = v.pick(v.cmp(amdgpu.U, a, b), v.bits(v.f.NaN()), r)
		}
		return r
	}
	// A lane that is alone must not give a signalling NaN: combined with itself
	// it is quiet.
	prepare := func(a num) num {
		if kind == pisa.RedAbsMax {
			a = a.size()
		}
		return v.num(floatCodes[v.f].max, a, a)
	}
	lane, half := s.lanes32()
	part := s.participants(op, 2)
	u := unit{s, false}
	reduced := func(x num) num {
		return num{v: u.reduce(v.plain(prepare(x)).v, part, lane, half, func(a, b *ir.Value) *ir.Value {
			return v.plain(combine(num{v: a}, num{v: b})).v
		})}
	}
	var r *ir.Value
	if t.Packed() {
		lo, hi := s.halves(f, s.arg(op, 1))
		low := reduced(num{v: lo})
		r = s.join(f, low, reduced(num{v: hi}))
	} else if r = reduced(s.source(op, 1, f)).v; f == fp.BF {
		r = u.shr16(r)
	}
	s.set(op, 0, u.ofParticipants(op, 2, part, lane, r, s.arg(op, 0)))
}
