package llvmgen

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/llvmgen/llx"
)

// Controls of a data-parallel move: from which lane of its row, 16 lanes, each
// lane reads.
const (
	dppQuadPerm   = 0x000 // two bits for each lane of four
	dppRotate     = 0x120 // + n: of lane i-n, around the row
	dppMirror     = 0x140
	dppHalfMirror = 0x141
	dppShare      = 0x150 // + n: of lane n
	dppXor        = 0x160 // + n: of lane i^n; not on GFX9
)

// move reads x of another lane of the row, and gives old where that lane is not
// active.
func (e *emitter) move(old, x value.Value, ctrl uint32) value.Value {
	return e.Intrinsic("llvm.amdgcn.update.dpp.i32", types.I32,
		vals(old, x, llx.I32(ctrl), llx.I32(15), llx.I32(15), llx.I1(false)))
}

// xorControls are the moves from lane i^n that every target has.
var xorControls = map[uint64]uint32{
	1: dppQuadPerm | 1 | 0<<2 | 3<<4 | 2<<6,
	2: dppQuadPerm | 2 | 3<<2 | 0<<4 | 1<<6,
	3: dppQuadPerm | 3 | 2<<2 | 1<<4 | 0<<6,
	7: dppHalfMirror, 8: dppRotate + 8, 15: dppMirror,
}

// shflByMove lowers shfl.xor of a constant within a row over all lanes as one
// move: where the other lane is not active, PISA gives the lane's own value. It
// returns nil if op is another.
func (e *emitter) shflByMove(op *ir.Op, kind pisa.ShflOp, x value.Value) value.Value {
	ctl, ok := constOf(op.Operand(2))
	mask, full := constOf(op.Operand(3))
	if !ok || !full || uint32(mask) != math.MaxUint32 || kind != pisa.ShflXor || pisa.Has(op.Props, pisa.FSg) {
		return nil
	}
	ctl &= 31
	if ctrl := xorControls[ctl]; ctrl != 0 {
		return e.move(x, x, ctrl)
	}
	if ctl > 0 && ctl < 16 && e.t.Generation != target.GFX9 {
		return e.move(x, x, dppXor+uint32(ctl))
	}
	return nil
}

// intRed is one operation of ired on 32 bits.
type intRed struct {
	identity uint32
	combine  func(e *emitter, x, y value.Value) value.Value
}

var intReds = [...]intRed{
	pisa.RedSum:    {0, func(e *emitter, x, y value.Value) value.Value { return e.Add(x, y) }},
	pisa.RedSMin:   {math.MaxInt32, pickBy(enum.IPredSLT)},
	pisa.RedSMax:   {1 << 31, pickBy(enum.IPredSGT)},
	pisa.RedUMin:   {math.MaxUint32, pickBy(enum.IPredULT)},
	pisa.RedUMax:   {0, pickBy(enum.IPredUGT)},
	pisa.RedAnd:    {math.MaxUint32, func(e *emitter, x, y value.Value) value.Value { return e.And(x, y) }},
	pisa.RedOr:     {0, func(e *emitter, x, y value.Value) value.Value { return e.Or(x, y) }},
	pisa.RedXor:    {0, func(e *emitter, x, y value.Value) value.Value { return e.Xor(x, y) }},
	pisa.RedAbsMax: {0, pickBy(enum.IPredUGT)}, // of magnitudes
}

// reduceInt combines x, 32 bits, over the active lanes of the sub-group: each
// lane first over its row, and then over the rows by reading one active lane of
// each. The operation is associative and commutative.
func (e *emitter) reduceInt(x value.Value, row *intRed) value.Value {
	none := llx.I32(row.identity)
	var r value.Value
	for n := range uint32(16) {
		y := e.move(none, x, dppShare+n)
		if r == nil {
			r = y
			continue
		}
		r = row.combine(e, r, y)
	}
	var active value.Value
	if e.t.Subgroups() == 1 {
		active = e.Intrinsic("llvm.amdgcn.ballot.i32", types.I32, vals(llx.I1(true)))
	} else {
		active = e.Intrinsic("llvm.amdgcn.ballot.i64", types.I64, vals(llx.I1(true)))
	}
	var halves []value.Value
	for h := range e.t.Subgroups() {
		var sum value.Value
		for at := uint32(h) * 32; at < uint32(h)*32+32; at += 16 {
			y := e.rowValue(r, active, at, none)
			if sum == nil {
				sum = y
				continue
			}
			sum = row.combine(e, sum, y)
		}
		halves = append(halves, sum)
	}
	if len(halves) == 1 {
		return halves[0]
	}
	return e.Select(e.ICmp(enum.IPredULT, e.waveLane(), llx.I32(32)), halves[0], halves[1])
}

// rowValue is x of the first active lane of the row that begins at lane at, or
// none if there is no active one.
func (e *emitter) rowValue(x, active value.Value, at uint32, none value.Value) value.Value {
	t := active.Type().(*types.IntType)
	m := e.And(e.LShr(active, llx.Int(t, uint64(at))), llx.Int(t, 0xffff))
	if t == types.I64 {
		m = e.Trunc(m, types.I32)
	}
	// With a bit behind the row's, the lane is one of the wave also if none is active.
	first := e.Intrinsic("llvm.cttz.i32", types.I32, vals(e.Or(m, llx.I32(1<<15)), llx.I1(true)))
	y := e.Intrinsic("llvm.amdgcn.readlane.i32", types.I32, vals(x, e.Add(first, llx.I32(at))))
	return e.Select(e.ICmp(enum.IPredNE, m, llx.I32(0)), y, none)
}
