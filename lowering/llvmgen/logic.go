package llvmgen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/lowering/llvmgen/llx"
)

// Logic, shifts and bit fields (PISA 3). Counts are masked before each LLVM
// shift: one of the width or more would be poison.

// shiftKind is an LLVM shift.
type shiftKind uint8

const (
	shiftLeft shiftKind = iota
	shiftRight
	shiftRightSigned
)

// shift moves x by count, of which bits 5 to 0 count for every width; a count
// of the width or more leaves zeros or signs.
func (q *seq) shift(kind shiftKind, x, count value.Value) value.Value {
	n := uint64(width(x))
	c := q.And(count, k(count, 63))
	if n == 64 { // 0..63: never too far
		return q.shiftBy(kind, x, q.resize(c, types.I64))
	}
	if kind == shiftRightSigned {
		return q.shiftBy(kind, x, q.resize(q.umin(c, k(c, n-1)), bitsType(int(n))))
	}
	in := q.ICmp(enum.IPredULT, c, k(c, n))
	r := q.shiftBy(kind, x, q.resize(q.And(c, k(c, n-1)), bitsType(int(n))))
	return q.Select(in, r, k(r, 0))
}

func (q *seq) shiftBy(kind shiftKind, x, count value.Value) value.Value {
	switch kind {
	case shiftLeft:
		return q.Shl(x, count)
	case shiftRight:
		return q.LShr(x, count)
	}
	return q.AShr(x, count)
}

// shiftPacked shifts the low element by src1[5:0] and the high by src1[21:16].
func (q *seq) shiftPacked(kind shiftKind, x, count value.Value) value.Value {
	lo := q.shift(kind, q.Extract(x, 0), count)
	hi := q.shift(kind, q.Extract(x, 1), q.LShr(count, k(count, 16)))
	return q.pack2(lo, hi)
}

// pack2 is the vector <lo, hi>.
func (q *seq) pack2(lo, hi value.Value) value.Value {
	v := q.Insert(llx.Poison(llx.Vec(2, lo.Type())), lo, 0)
	return q.Insert(v, hi, 1)
}

// bfi inserts the low bits of ins into x: w = src2[5:0] of them at src3[4:0], as
// far as they fit.
func (q *seq) bfi(x, ins, w, off value.Value) value.Value {
	off = q.And(off, k(off, 31))
	m := q.Shl(q.ones(q.fieldWidth(w, off)), off)
	return q.Or(q.And(x, q.Not(m)), q.And(q.Shl(ins, off), m))
}

// fieldWidth is min(w[5:0], 32-off).
func (q *seq) fieldWidth(w, off value.Value) value.Value {
	return q.umin(q.And(w, k(w, 63)), q.Sub(k(off, 32), off))
}

// ones is a mask of the low w bits, w from 0 to 32.
func (q *seq) ones(w value.Value) value.Value {
	m := q.LShr(k(w, ^uint64(0)), q.And(q.Sub(k(w, 32), w), k(w, 31)))
	return q.Select(q.eq(w, k(w, 0)), k(w, 0), m)
}

// bfe extracts the field of width w[5:0] at off[4:0], as far as x goes.
func (q *seq) bfe(signed bool, x, w, off value.Value) value.Value {
	off = q.And(off, k(off, 31))
	w = q.fieldWidth(w, off)
	if !signed {
		return q.And(q.LShr(x, off), q.ones(w))
	}
	up := q.And(q.Sub(q.Sub(k(w, 32), w), off), k(w, 31))
	down := q.And(q.Sub(k(w, 32), w), k(w, 31))
	r := q.AShr(q.Shl(x, up), down)
	return q.Select(q.eq(w, k(w, 0)), k(w, 0), r)
}

// bfn is the bitwise function whose truth table is op, indexed by
// s0 | s1<<1 | s2<<2 (PISA 3.4).
func (q *seq) bfn(op uint8, s ...value.Value) value.Value {
	// By the last operand: f = f0 ^ (s & (f0 ^ f1)).
	n := len(s)
	if n == 0 {
		return kt(types.I32, -uint64(op&1))
	}
	half := uint(1) << (n - 1)
	mask := uint8(1)<<half - 1
	t0, t1 := op&mask, op>>half&mask
	last := s[n-1]
	switch {
	case t0 == t1:
		return q.bfn(t0, s[:n-1]...)
	case t0 == 0 && t1 == mask:
		return last
	case t0 == mask && t1 == 0:
		return q.Not(last)
	case t0 == 0:
		return q.And(last, q.bfn(t1, s[:n-1]...))
	case t1 == 0:
		return q.And(q.Not(last), q.bfn(t0, s[:n-1]...))
	case t1 == mask:
		return q.Or(last, q.bfn(t0, s[:n-1]...))
	case t0 == mask:
		return q.Or(q.Not(last), q.bfn(t1, s[:n-1]...))
	case t0 == ^t1&mask:
		return q.Xor(last, q.bfn(t0, s[:n-1]...))
	}
	f0 := q.bfn(t0, s[:n-1]...)
	return q.Xor(f0, q.And(last, q.bfn(t0^t1, s[:n-1]...)))
}

// findBit is fbh (leading zeros) and fbl (trailing zeros); all ones for zero.
func (q *seq) findBit(base string, x value.Value) value.Value {
	n := q.intr(base, x, llx.I1(false))
	return q.Select(q.eq(x, k(x, 0)), k(x, ^uint64(0)), n)
}
