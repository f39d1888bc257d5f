package llvmgen

import (
	"math/bits"
	"strconv"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/amdgpu/target"
	"pisac/lowering/llvmgen/llx"
)

// Integer arithmetic (PISA 1). All of it wraps modulo 2^n, so no instruction
// carries nsw or nuw; packed types are LLVM vectors and take the same path.

// addSat and subSat clamp to the signed range.
func (q *seq) addSat(x, y value.Value) value.Value { return q.intr("sadd.sat", x, y) }
func (q *seq) subSat(x, y value.Value) value.Value { return q.intr("ssub.sat", x, y) }

// iabs: the most negative integer is its own absolute value.
func (q *seq) iabs(x value.Value) value.Value { return q.intr("abs", x, llx.I1(false)) }

// extend widens by sign or by zeros.
func (q *seq) extend(signed bool, x value.Value, t types.Type) value.Value {
	if signed {
		return q.SExt(x, t)
	}
	return q.ZExt(x, t)
}

// mulFull is the product in twice the width. llc makes a multiply-add of it and
// a sum, one instruction. By a power of two a shift is better if the hardware
// has one that adds.
func (q *seq) mulFull(signed bool, x, y value.Value) value.Value {
	t := bitsType(2 * width(x))
	wide := q.extend(signed, x, t)
	if c, ok := y.(*llx.Const); ok && q.lib.t != nil && q.lib.t.Has(target.LshlAddU64) {
		// A negative factor has a sign, and is no power of two.
		p, err := strconv.ParseUint(c.Text, 10, 64)
		if n := bits.Len64(p) - 1; err == nil && bits.OnesCount64(p) == 1 && (!signed || n < width(x)-1) {
			return q.Shl(wide, k(wide, uint64(n)))
		}
	}
	return q.Mul(wide, q.extend(signed, y, t))
}

// divide is sdiv and udiv. PISA leaves division by zero undefined, but it must
// not trap: the quotient is all ones and the remainder the dividend, as in
// pisa.EvalFn. MIN/-1 is MIN, remainder 0 (PISA 1.6). To LLVM both are undefined
// behaviour, so the divisors are replaced before it sees them.
func (q *seq) divide(signed, rem bool, x, y value.Value) value.Value {
	t := x.Type().(*types.IntType)
	if width(x) == 16 {
		x, y = q.extend(signed, x, types.I32), q.extend(signed, y, types.I32)
	} else {
		x = q.opaque(x)
	}
	zero := q.eq(y, k(y, 0))
	d := q.Select(zero, k(y, 1), y)
	var minus, r value.Value
	if signed {
		minus = q.eq(y, k(y, ^uint64(0)))
		d = q.Select(minus, k(y, 1), d)
	}
	switch {
	case signed && rem: // by 1 for -1: 0 both
		r = q.SRem(x, d)
	case signed:
		r = q.Select(minus, q.Neg(x), q.SDiv(x, d))
	case rem:
		r = q.URem(x, d)
	default:
		r = q.UDiv(x, d)
	}
	if rem {
		r = q.Select(zero, x, r)
	} else {
		r = q.Select(zero, k(r, ^uint64(0)), r)
	}
	return q.resize(r, t)
}

// opaque hides from LLVM where x comes from. LLVM 19 divides 32- and 64-bit
// numbers in 24-bit float arithmetic if all their leading bits are equal: for
// unsigned ones also if these are ones, so that a sign-extended -1 is divided
// wrongly, and for 24 bits with a reciprocal that need not be precise enough. Of
// 16 bits, extended here, the shortcut is right.
func (q *seq) opaque(x value.Value) value.Value {
	return q.Asm(x.Type(), "", "=v,0", false, []value.Value{x})
}

// dp4a is acc plus four products of bytes. s1 and s2: signed bytes.
func (q *seq) dp4a(s1, s2, dsat bool, acc, x, y value.Value) value.Value {
	var sum value.Value
	for i := uint64(0); i < 4; i++ {
		a := q.extend(s1, q.Trunc(q.LShr(x, k(x, 8*i)), types.I8), types.I32)
		b := q.extend(s2, q.Trunc(q.LShr(y, k(y, 8*i)), types.I8), types.I32)
		p := q.Mul(a, b)
		if sum == nil {
			sum = p
		} else {
			sum = q.Add(sum, p)
		}
	}
	if dsat { // the products' sum fits easily: only the last addition clamps
		return q.addSat(acc, sum)
	}
	return q.Add(acc, sum)
}

// addCarry is x+y+carry and whether that exceeds 32 bits; carry may be nil.
func (q *seq) addCarry(x, y, carry value.Value) (sum, out value.Value) {
	sum = q.Add(x, y)
	out = q.ICmp(enum.IPredULT, sum, x)
	if carry != nil {
		s := q.Add(sum, q.ZExt(carry, x.Type()))
		out = q.Or(out, q.ICmp(enum.IPredULT, s, sum))
		sum = s
	}
	return sum, out
}

// subBorrow is x-y-borrow and whether y+borrow exceeds x; borrow may be nil.
func (q *seq) subBorrow(x, y, borrow value.Value) (diff, out value.Value) {
	diff = q.Sub(x, y)
	out = q.ICmp(enum.IPredULT, x, y)
	if borrow != nil {
		b := q.ZExt(borrow, x.Type())
		out = q.Or(out, q.ICmp(enum.IPredULT, diff, b))
		diff = q.Sub(diff, b)
	}
	return diff, out
}
