package llvmgen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa/fp"
	"pisac/lowering/llvmgen/llx"
)

// AMD hardware rounds in the mode of a register, which LLVM 19 does not keep
// apart from its own expansions of division and square root (they need .re),
// and has no .rna at all. So a named mode is computed here from operations in
// .re: the error of an addition is itself a float, and says on which side of
// the result the exact value lies.

// sum is x+y rounded in mode m, for x and y of any one float type. zeroDown: an
// exact zero is -0 unless both are +0, the rule of .rd; it is apart from m
// because a sum rounded to odd may be on its way to .rd.
func (q *seq) sum(m fp.Round, zeroDown bool, x, y value.Value) value.Value {
	t := x.Type()
	it := bitsType(width(x))
	// Dekker: with |hi| ≥ |lo| the error of s is lo-(s-hi), exactly; if s is
	// infinite by overflow, err is the opposite infinity, which points at the
	// greatest finite number as it should. For infinite sources it is NaN, which
	// no ordered comparison accepts.
	swap := q.FCmp(enum.FPredOLT, q.fabs(x), q.fabs(y))
	hi, lo := q.Select(swap, y, x), q.Select(swap, x, y)
	s := q.FAdd(hi, lo)
	err := q.FSub(lo, q.FSub(s, hi))
	b := q.bits(s)
	inexact := q.FCmp(enum.FPredONE, err, kzero(t))
	away := q.eq(q.sign(s), q.sign(err)) // the exact value is further from 0 than s
	step := q.Select(away, kt(it, 1), kt(it, ^uint64(0)))
	var move value.Value
	switch m {
	case fp.RZ:
		move = q.And(inexact, q.Not(away))
	case fp.RD:
		move = q.FCmp(enum.FPredOLT, err, kzero(t))
	case fp.RU:
		move = q.FCmp(enum.FPredOGT, err, kzero(t))
	case odd:
		move = q.And(inexact, q.eq(q.And(b, kt(it, 1)), kt(it, 0)))
	case fp.RNA:
		next := q.Bitcast(q.Add(b, step), t)
		tie := q.FCmp(enum.FPredOEQ, q.FSub(next, s), q.FAdd(err, err))
		move = q.And(q.And(inexact, away), tie)
	}
	b = q.Select(move, q.Add(b, step), b)
	if zeroDown {
		minus := q.And(q.Or(q.bits(x), q.bits(y)), kt(it, 1<<(it.BitSize-1)))
		b = q.Select(q.FCmp(enum.FPredOEQ, s, kzero(t)), minus, b)
	}
	return q.Bitcast(b, t)
}

// kzero is +0 of float type t.
func kzero(t types.Type) value.Value { return llx.FPBits(t, 0) }

// sign is 1 for a float with its sign bit set, as i1.
func (q *seq) sign(x value.Value) value.Value {
	b := q.bits(x)
	return q.ICmp(enum.IPredSLT, b, k(b, 0))
}

// narrow rounds a wider value to fp.Format f in mode m and gives the register's
// bits: from double to any, from float to bf and hf.
func (q *seq) narrow(f fp.Format, m fp.Round, x value.Value) value.Value {
	switch {
	case f == fp.BF && width(x) == 32:
		return q.toBF(m, x)
	case f == fp.BF || f == fp.HF && width(x) == 64:
		if m == fp.RE && f == fp.HF {
			break
		}
		return q.narrow(f, m, q.Bitcast(q.narrow(fp.F, odd, x), types.Float))
	case f == fp.F && width(x) == 32, f == fp.DF:
		return q.bits(x)
	}
	if f == fp.HF && width(x) == 64 {
		x = q.Bitcast(q.narrow(fp.F, odd, x), types.Float)
	}
	wide, t, it := x.Type(), numType(f), regType(f)
	r := q.FPTrunc(x, t)
	if m == fp.RE {
		return q.Bitcast(r, it)
	}
	b := q.bits(r)
	back := q.FPExt(r, wide)
	ax, ab := q.fabs(x), q.fabs(back)
	one, minus := kt(it, 1), kt(it, ^uint64(0))
	switch m {
	case fp.RZ:
		return q.Select(q.FCmp(enum.FPredOGT, ab, ax), q.Sub(b, one), b)
	case fp.RD:
		return q.Select(q.FCmp(enum.FPredOGT, back, x), q.Add(b, q.Select(q.sign(r), one, minus)), b)
	case fp.RU:
		return q.Select(q.FCmp(enum.FPredOLT, back, x), q.Add(b, q.Select(q.sign(r), minus, one)), b)
	case odd:
		step := q.Select(q.FCmp(enum.FPredOGT, ab, ax), minus, one)
		move := q.And(q.FCmp(enum.FPredONE, ab, ax), q.eq(q.And(b, one), kt(it, 0)))
		return q.Select(move, q.Add(b, step), b)
	}
	// rna: like re, but a tie that went toward zero goes away from it. The two
	// differences are exact wherever they are equal.
	up := q.Add(b, one)
	next := q.FPExt(q.Bitcast(up, t), wide)
	tie := q.FCmp(enum.FPredOEQ, q.FSub(next, x), q.FSub(x, back))
	return q.Select(q.And(q.FCmp(enum.FPredOGT, ax, ab), tie), up, b)
}

// toBF rounds a float to bf: the formats share their exponents, so it is integer
// rounding of the bit pattern, overflow to infinity included.
func (q *seq) toBF(m fp.Round, x value.Value) value.Value {
	b := q.bits(x)
	c := func(v uint64) value.Value { return k(b, v) }
	half := q.LShr(b, c(16))
	r := half
	switch m {
	case fp.RE:
		r = q.LShr(q.Add(q.Add(b, c(0x7fff)), q.And(half, c(1))), c(16))
	case fp.RNA:
		r = q.LShr(q.Add(b, c(0x8000)), c(16))
	case fp.RD:
		r = q.LShr(q.Add(b, q.Select(q.sign(x), c(0xffff), c(0))), c(16))
	case fp.RU:
		r = q.LShr(q.Add(b, q.Select(q.sign(x), c(0), c(0xffff))), c(16))
	}
	nan := q.FCmp(enum.FPredUNO, x, x)
	return q.Trunc(q.Select(nan, q.Or(half, c(0x40)), r), shaped(x, types.I16))
}
