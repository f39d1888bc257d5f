package canon

import (
	"math/bits"

	"pisac/dialects/pisa"
	"pisac/ir"
)

var shift = table{
	{Name: "shl-constant", Root: pisa.Shl, Doc: "x << 0 => x; x << c => 0 from the width on; amounts are cut to 6 bits", Apply: shiftConstant},
	{Name: "shr-constant", Root: pisa.Shr, Doc: "x >> 0 => x; x >> c => 0 from the width on", Apply: shiftConstant},
	{Name: "asr-constant", Root: pisa.Asr, Doc: "x >> 0 => x; x >> c => x >> (n - 1) from the width on", Apply: shiftConstant},
	{Name: "shl-zero", Root: pisa.Shl, Doc: "0 << y => 0", Apply: shiftOfZero},
	{Name: "shr-zero", Root: pisa.Shr, Doc: "0 >> y => 0", Apply: shiftOfZero},
	{Name: "asr-zero", Root: pisa.Asr, Doc: "0 >> y => 0", Apply: shiftOfZero},
	{Name: "shl-shl", Root: pisa.Shl, Doc: "(x << c) << d => x << (c + d)", Apply: shiftShift},
	{Name: "shr-shr", Root: pisa.Shr, Doc: "(x >> c) >> d => x >> (c + d)", Apply: shiftShift},
	{Name: "asr-asr", Root: pisa.Asr, Doc: "(x >> c) >> d => x >> (c + d)", Apply: shiftShift},
	{Name: "shr-shl", Root: pisa.Shr, Doc: "(x << c) >> c => x & (~0 >> c)", Apply: func(w rw, op *ir.Op) bool {
		in, c := shiftedBy(op, pisa.Shl)
		if in == nil || !w.Commit() {
			return false
		}
		t := op.Result(0).Type
		w.Replace(op, w.Value(pisa.And, op.Props, t, in.Operand(0), w.Const(t, ones(op)>>c)))
		return true
	}},
	{Name: "shl-shr", Root: pisa.Shl, Doc: "(x >> c) << c => x & (~0 << c)", Apply: func(w rw, op *ir.Op) bool {
		in, c := shiftedBy(op, pisa.Shr)
		if in == nil || !w.Commit() {
			return false
		}
		t := op.Result(0).Type
		w.Replace(op, w.Value(pisa.And, op.Props, t, in.Operand(0), w.Const(t, ones(op)>>c<<c)))
		return true
	}},
	{Name: "asr-shl", Root: pisa.Asr, Doc: "(x << c) >> c => sbfe(x, 32 - c, 0)", Apply: func(w rw, op *ir.Op) bool {
		in, c := shiftedBy(op, pisa.Shl)
		if in == nil || bitsOf(op) != 32 || !w.Commit() {
			return false
		}
		w.Replace(op, w.Value(pisa.Sbfe, op.Props, ir.B32, in.Operand(0), w.Const(ir.B32, 32-c), w.Const(ir.B32, 0)))
		return true
	}},
	{Name: "and-shr", Root: pisa.And, Doc: "(x >> c) & (2^k - 1) => ubfe(x, k, c)", Apply: func(w rw, op *ir.Op) bool {
		in := once(op, 0, pisa.Shr)
		m, ok := val(op, 1)
		if in == nil || !ok || bitsOf(op) != 32 || m == 0 || m&(m+1) != 0 {
			return false
		}
		c, ok := val(in, 1)
		if k := uint64(bits.Len64(m)); !ok || c == 0 || c+k > 32 || !w.Commit() {
			return false
		}
		w.Replace(op, w.Value(pisa.Ubfe, op.Props, ir.B32, in.Operand(0), w.Const(ir.B32, uint64(bits.Len64(m))), w.Const(ir.B32, c)))
		return true
	}},
	{Name: "or-funnel", Root: pisa.Or, Doc: "(x << c) | (y >> (32 - c)) => shf.l(x, y, c)", Apply: funnel},
	{Name: "xor-funnel", Root: pisa.Xor, Doc: "(x << c) ^ (y >> (32 - c)) => shf.l(x, y, c)", Apply: funnel},
	{Name: "add-funnel", Root: pisa.IAdd, Doc: "(x << c) + (y >> (32 - c)) => shf.l(x, y, c)", Apply: funnel},
	{Name: "shf-zero", Root: pisa.Shf, Doc: "shf.l(x, y, 0) => x; shf.r(x, y, 0) => y", Apply: func(w rw, op *ir.Op) bool {
		c, ok := val(op, 2)
		return ok && c&31 == 0 && to(w, op, op.Operand(int(pisa.OpOf(op.Props))))
	}},
	{Name: "ubfe-ends", Root: pisa.Ubfe, Doc: "ubfe(x, 0, y) => 0; ubfe(x, 32, 0) => x", Apply: fieldEnds},
	{Name: "sbfe-ends", Root: pisa.Sbfe, Doc: "sbfe(x, 0, y) => 0; sbfe(x, 32, 0) => x", Apply: fieldEnds},
	{Name: "ubfe-low", Root: pisa.Ubfe, Doc: "ubfe(x, k, 0) => x & (2^k - 1)", Apply: func(w rw, op *ir.Op) bool {
		k, ok := val(op, 1)
		if !ok || !isVal(op, 2, 0) || k&63 == 0 || k&63 >= 32 || !w.Commit() {
			return false
		}
		w.Replace(op, w.Value(pisa.And, op.Props, ir.B32, op.Operand(0), w.Const(ir.B32, 1<<(k&63)-1)))
		return true
	}},
	{Name: "bfi-nothing", Root: pisa.Bfi, Doc: "bfi(x, y, 0, z) => x", Apply: func(w rw, op *ir.Op) bool {
		k, ok := val(op, 2)
		return ok && k&63 == 0 && to(w, op, op.Operand(0))
	}},
	{Name: "bfrev-bfrev", Root: pisa.Bfrev, Doc: "bfrev(bfrev(x)) => x", Apply: func(w rw, op *ir.Op) bool {
		in := def(op, 0, pisa.Bfrev)
		return in != nil && to(w, op, in.Operand(0))
	}},
}

func shiftConstant(w rw, op *ir.Op) bool {
	c, ok := val(op, 1)
	if !ok || !scalar(op) {
		return ok && c == 0 && to(w, op, op.Operand(0))
	}
	n := uint64(bitsOf(op))
	amount := c & 63
	switch {
	case amount == 0:
		return to(w, op, op.Operand(0))
	case amount >= n && op.Code != pisa.Asr:
		return toConst(w, op, 0)
	case amount >= n:
		amount = n - 1
	case amount == c:
		return false
	}
	if !w.Commit() {
		return false
	}
	w.SetOperand(op, 1, w.Const(ir.B32, amount))
	return true
}

func shiftOfZero(w rw, op *ir.Op) bool { return isVal(op, 0, 0) && toConst(w, op, 0) }

// shiftShift merges two constant shifts of one kind.
func shiftShift(w rw, op *ir.Op) bool {
	in := def(op, 0, op.Code)
	if in == nil || !scalar(op) || in.Props != op.Props {
		return false
	}
	c, ok := val(in, 1)
	d, ok2 := val(op, 1)
	n := uint64(bitsOf(op))
	if !ok || !ok2 || c >= n || d >= n {
		return false
	}
	sum := c + d
	if sum >= n {
		if op.Code != pisa.Asr {
			return toConst(w, op, 0)
		}
		sum = n - 1
	}
	if !w.Commit() {
		return false
	}
	w.Replace(op, w.Value(op.Code, op.Props, op.Result(0).Type, in.Operand(0), w.Const(ir.B32, sum)))
	return true
}

// shiftedBy returns the shift of code inner by the constant by which op, a
// scalar shift, shifts too.
func shiftedBy(op *ir.Op, inner ir.Code) (*ir.Op, uint64) {
	in := def(op, 0, inner)
	c, ok := val(op, 1)
	if in == nil || !ok || !scalar(op) || in.Props != op.Props || c >= uint64(bitsOf(op)) || !isVal(in, 1, c) {
		return nil, 0
	}
	return in, c
}

// funnel works for or, xor and add alike: the two parts share no bit.
func funnel(w rw, op *ir.Op) bool {
	if !scalar(op) || bitsOf(op) != 32 || has(op, pisa.FDsat) {
		return false
	}
	for i := range 2 {
		hi, lo := once(op, i, pisa.Shl), once(op, 1-i, pisa.Shr)
		if hi == nil || lo == nil {
			continue
		}
		c, ok := val(hi, 1)
		d, ok2 := val(lo, 1)
		if !ok || !ok2 || c == 0 || d == 0 || c+d != 32 || !w.Commit() {
			continue
		}
		p := typed(pisa.T32b) | pisa.FOp.Put(pisa.DirL)
		w.Replace(op, w.Value(pisa.Shf, p, ir.B32, hi.Operand(0), lo.Operand(0), w.Const(ir.B32, c)))
		return true
	}
	return false
}

func fieldEnds(w rw, op *ir.Op) bool {
	k, ok := val(op, 1)
	switch {
	case !ok:
		return false
	case k&63 == 0:
		return toConst(w, op, 0)
	case k&63 >= 32 && isVal(op, 2, 0):
		return to(w, op, op.Operand(0))
	}
	return false
}
