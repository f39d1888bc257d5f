package llvmgen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/llvmgen/llx"
)

// A PISA sub-group is 32 work-items. A wave64 holds two: lanes 0 to 31 and 32
// to 63. "Lane" below is the PISA lane, 0 to 31; half is 0 or 32, which half of
// the wave a lane lies in. What crosses lanes goes by ds_bpermute_b32, which
// reads only active lanes here, or by data-parallel moves, which leave the
// destination where they would read an inactive lane (lanemove.go): no lane
// needs to be switched on.

var subgroupRows = []lowering{
	pisa.IRed:        lowerIRed,
	pisa.FRed:        lowerFRed,
	pisa.RedFirstIdx: lowerRedFirstIdx,
	pisa.Shfl:        lowerShfl,
}

// waveLane is the lane of the wave: 0 to 31, or 0 to 63 in a wave64.
func (e *emitter) waveLane() value.Value {
	lo := e.Intrinsic("llvm.amdgcn.mbcnt.lo", types.I32, vals(llx.I32(^uint32(0)), llx.I32(0)))
	if e.t.Subgroups() == 1 {
		return lo
	}
	return e.Intrinsic("llvm.amdgcn.mbcnt.hi", types.I32, vals(llx.I32(^uint32(0)), lo))
}

// lanes returns the PISA lane and, in a wave64, the half (nil otherwise).
func (e *emitter) lanes() (lane, half value.Value) {
	w := e.waveLane()
	if e.t.Subgroups() == 1 {
		return w, nil
	}
	return e.And(w, llx.I32(31)), e.And(w, llx.I32(32))
}

// laneID is %laneid, the PISA lane.
func (e *emitter) laneID() value.Value {
	w := e.waveLane()
	if e.t.Subgroups() == 1 {
		return w
	}
	return e.And(w, llx.I32(31))
}

// activeMask is %activemask: the active lanes of the sub-group. The ballot is
// convergent, so that LLVM keeps it where it stands.
func (e *emitter) activeMask() value.Value {
	if e.t.Subgroups() == 1 {
		return e.Intrinsic("llvm.amdgcn.ballot.i32", types.I32, vals(llx.I1(true)))
	}
	half := e.And(e.waveLane(), llx.I32(32))
	b := e.Intrinsic("llvm.amdgcn.ballot.i64", types.I64, vals(llx.I1(true)))
	return e.Trunc(e.LShr(b, e.ZExt(half, types.I64)), types.I32)
}

// readLane reads x, 32 bits, of PISA lane from of the same sub-group, which
// must be active.
func (e *emitter) readLane(x, from, half value.Value) value.Value {
	if half != nil {
		from = e.Or(from, half)
	}
	return e.Intrinsic("llvm.amdgcn.ds.bpermute", types.I32, vals(e.Shl(from, llx.I32(2)), x))
}

// testBit is bit i of mask.
func (e *emitter) testBit(mask, i value.Value) value.Value {
	return e.ICmp(enum.IPredNE, e.And(e.LShr(mask, i), llx.I32(1)), llx.I32(0))
}

// lowerRedFirstIdx is the lowest active lane of a mask (PISA 7.3).
func lowerRedFirstIdx(e *emitter, op *ir.Op) {
	m := e.And(e.arg(op, 0), e.activeMask())
	e.set(op, 0, e.Intrinsic("llvm.cttz.i32", types.I32, vals(m, llx.I1(false))))
}

// lowerShfl reads a register of another lane (PISA 7.4): the pseudocode of the
// specification, with P the lanes of src2 that are active.
func lowerShfl(e *emitter, op *ir.Op) {
	dst, x, ctl, mask := e.arg(op, 0), e.arg(op, 1), e.arg(op, 2), e.arg(op, 3)
	kind := pisa.ShflOp(pisa.OpOf(op.Props))
	if y := e.shflByMove(op, kind, x); y != nil {
		e.set(op, 0, y)
		return
	}
	lane, half := e.lanes()
	part := e.And(mask, e.activeMask())
	field := func(at uint32) value.Value { return e.And(e.LShr(ctl, llx.I32(at)), llx.I32(31)) }
	off := e.And(ctl, llx.I32(31))

	var seg, cval value.Value = llx.I32(0), llx.I32(31)
	if kind == pisa.ShflUp {
		cval = llx.I32(0)
	}
	if pisa.Has(op.Props, pisa.FSg) {
		cval, seg = field(8), field(16)
	}
	notSeg := e.Not(seg)
	base := e.And(lane, seg)
	clamp := e.Or(base, e.And(cval, notSeg))
	var from value.Value
	inside := enum.IPredSLE
	switch kind {
	case pisa.ShflUp:
		from, inside = e.Sub(lane, off), enum.IPredSGE
	case pisa.ShflDn:
		from = e.Add(lane, off)
	case pisa.ShflXor:
		from = e.Xor(lane, off)
	default:
		from = e.Or(base, e.And(off, notSeg))
	}
	// A source beyond the sub-group (up below 0, dn above 31) is out of bounds
	// also where the clamp admits it.
	valid := e.And(e.ICmp(inside, from, clamp), e.ICmp(enum.IPredULT, from, llx.I32(32)))
	valid = e.And(valid, e.testBit(part, e.And(from, llx.I32(31))))
	y := e.readLane(x, e.Select(valid, from, lane), half)
	e.set(op, 0, e.Select(e.testBit(part, lane), y, dst))
}

// reduce combines x, 32 bits, over the lanes of part by f, which is
// associative and commutative, in five steps. Before step k every lane of part
// holds the result of its block of 2^k lanes; it then takes in the result of
// the neighbouring block from the lowest lane of part there, if there is one.
// Lanes outside part compute something that is not used.
func (e *emitter) reduce(x, part value.Value, f func(x, y value.Value) value.Value) value.Value {
	lane, half := e.lanes()
	for size := uint32(1); size < 32; size *= 2 {
		base := e.And(e.Xor(lane, llx.I32(size)), llx.I32(^(size-1)&31))
		there := e.And(e.LShr(part, base), llx.I32(1<<size-1))
		some := e.ICmp(enum.IPredNE, there, llx.I32(0))
		first := e.Add(base, e.Intrinsic("llvm.cttz.i32", types.I32, vals(there, llx.I1(false))))
		y := e.readLane(x, e.Select(some, first, lane), half)
		x = e.Select(some, f(x, y), x)
	}
	return x
}

// lowerIRed lowers ired (PISA 7.2).
func lowerIRed(e *emitter, op *ir.Op) {
	dst, x := e.arg(op, 0), e.arg(op, 1)
	kind := pisa.RedOp(pisa.OpOf(op.Props))
	part := e.And(e.arg(op, 2), e.activeMask())
	t := x.Type()
	narrow := t == types.I16
	if narrow {
		switch kind {
		case pisa.RedSMin, pisa.RedSMax, pisa.RedAbsMax:
			x = e.SExt(x, types.I32)
		default:
			x = e.ZExt(x, types.I32)
		}
	}
	if kind == pisa.RedAbsMax {
		// The most negative integer is the largest: compared unsigned.
		x = e.Select(e.ICmp(enum.IPredSLT, x, llx.I32(0)), e.Neg(x), x)
	}
	row := &intReds[kind]
	if row.combine == nil {
		panic("llvmgen: unknown operation of ired")
	}
	lane := e.laneID()
	inside := e.testBit(part, lane)
	r := e.reduceInt(e.Select(inside, x, llx.I32(row.identity)), row)
	if narrow {
		r = e.Trunc(r, t)
	}
	e.set(op, 0, e.Select(inside, r, dst))
}

// lowerFRed lowers fred (PISA 7.1): minimum, maximum, maximum of magnitudes;
// NaNs give way to numbers unless .nanp.
func lowerFRed(e *emitter, op *ir.Op) {
	dst, x := e.arg(op, 0), e.arg(op, 1)
	kind, t := pisa.RedOp(pisa.OpOf(op.Props)), pisa.TypeOf(op.Props)
	part := e.And(e.arg(op, 2), e.activeMask())
	bits := x.Type()
	f := formatOf(t)
	if kind == pisa.RedAbsMax {
		x = e.magnitude(f, x)
	}
	// A lane that is alone must not give a signalling NaN.
	x = e.Select(e.isNaN(f, x), e.Or(x, like(x, f.quiet)), x)
	to32 := func(v value.Value) value.Value {
		if bits == types.I16 {
			return e.ZExt(v, types.I32)
		}
		return e.Bitcast(v, types.I32)
	}
	from32 := func(v value.Value) value.Value {
		if bits == types.I16 {
			return e.Trunc(v, bits)
		}
		return e.Bitcast(v, bits)
	}
	combine := e.minMaxNumber
	if pisa.Has(op.Props, pisa.FNanp) {
		combine = e.minMaxNaN
	}
	r := e.reduce(to32(x), part, func(x, y value.Value) value.Value {
		return to32(combine(t, kind != pisa.RedMin, from32(x), from32(y)))
	})
	e.set(op, 0, e.Select(e.testBit(part, e.laneID()), from32(r), dst))
}
