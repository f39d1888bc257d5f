package llvmgen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa/fp"
	"pisac/lowering/llvmgen/llx"
)

// df has no wider format, and the error of a df product or quotient is no df
// when it is too small. So a named mode of fmul, fmad and fdiv on df works on
// significands as integers.

const (
	dfFraction = 1<<52 - 1
	dfInf      = 0x7ff << 52
	dfSign     = 1 << 63
)

func i64(v uint64) value.Value { return llx.I64(v) }

// unpacked is a finite df as ±m·2^e, with bit 63 of m set unless the number is 0.
type unpacked struct {
	sign    value.Value // i1
	e       value.Value // i64
	m       value.Value // i64
	special value.Value // i1: infinite or NaN, and the rest means nothing
	zero    value.Value // i1
}

func (q *seq) unpack(x value.Value) unpacked {
	b := q.bits(x)
	field := q.And(q.LShr(b, i64(52)), i64(0x7ff))
	normal := q.ne(field, i64(0))
	m := q.Or(q.And(b, i64(dfFraction)), q.Select(normal, i64(1<<52), i64(0)))
	lz := q.ctlz(m)
	e := q.Sub(q.Sub(q.umax(field, i64(1)), i64(1075)), lz)
	return unpacked{
		sign:    q.ICmp(enum.IPredSLT, b, i64(0)),
		e:       e,
		m:       q.Shl(m, q.And(lz, i64(63))),
		special: q.eq(field, i64(0x7ff)),
		zero:    q.eq(m, i64(0)),
	}
}

// pack rounds m·2^e to df, for bit 63 of m set and the lowest bit of m standing
// for all that lies below it.
func (q *seq) pack(mode fp.Round, sign, e, m value.Value) value.Value {
	biased := q.Add(e, i64(63+1023))
	// Two bits of headroom, so that shifting out everything leaves less than half.
	m = q.Or(q.LShr(m, i64(2)), q.ZExt(q.ne(q.And(m, i64(3)), i64(0)), types.I64))
	below := q.smax(q.Sub(i64(1), biased), i64(0)) // how far into the denormals
	shift := q.smin(q.Add(below, i64(9)), i64(63))
	kept := q.LShr(m, shift)
	rest := q.Sub(m, q.Shl(kept, shift))
	half := q.Shl(i64(1), q.Sub(shift, i64(1)))
	var up value.Value
	switch mode {
	case fp.RE:
		odd := q.ne(q.And(kept, i64(1)), i64(0))
		up = q.Or(q.ICmp(enum.IPredUGT, rest, half), q.And(q.eq(rest, half), odd))
	case fp.RNA:
		up = q.ICmp(enum.IPredUGE, rest, half)
	case fp.RZ:
		up = kt(types.I1, 0)
	case fp.RD:
		up = q.And(sign, q.ne(rest, i64(0)))
	case fp.RU:
		up = q.And(q.Not(sign), q.ne(rest, i64(0)))
	}
	field := q.smin(q.smax(q.Sub(biased, i64(1)), i64(0)), i64(2046))
	b := q.Add(q.Add(q.Shl(field, i64(52)), kept), q.ZExt(up, types.I64))
	var over value.Value
	switch mode {
	case fp.RE, fp.RNA:
		over = i64(dfInf)
	case fp.RZ:
		over = i64(dfInf - 1)
	case fp.RD:
		over = q.Select(sign, i64(dfInf), i64(dfInf-1))
	case fp.RU:
		over = q.Select(sign, i64(dfInf-1), i64(dfInf))
	}
	b = q.Select(q.ICmp(enum.IPredUGE, b, i64(dfInf)), over, b)
	return q.Or(b, q.Select(sign, i64(dfSign), i64(0)))
}

// fmaDF is a·b+c on doubles, rounded once in mode m.
func (q *seq) fmaDF(m fp.Round, a, b, c value.Value) value.Value {
	wide := func(v uint64) value.Value { return kt(types.I128, v) }
	ua, ub, uc := q.unpack(a), q.unpack(b), q.unpack(c)
	// Both terms with bit 125 set: nothing is lost, a product has 106 bits.
	p := q.LShr(q.Mul(q.ZExt(ua.m, types.I128), q.ZExt(ub.m, types.I128)), wide(2))
	small := q.eq(q.LShr(p, wide(125)), wide(0))
	p = q.Select(small, q.Shl(p, wide(1)), p)
	pe := q.Add(q.Add(ua.e, ub.e), q.Select(small, i64(1), i64(2)))
	ps := q.Xor(ua.sign, ub.sign)
	t := q.Shl(q.ZExt(uc.m, types.I128), wide(62))
	te := q.Sub(uc.e, i64(62))
	// A zero is far below everything.
	far := i64(^uint64(1<<20 - 1))
	pe = q.Select(q.Or(ua.zero, ub.zero), far, pe)
	te = q.Select(uc.zero, far, te)

	swap := q.ICmp(enum.IPredSLT, pe, te)
	hi, lo := q.Select(swap, t, p), q.Select(swap, p, t)
	he, le := q.Select(swap, te, pe), q.Select(swap, pe, te)
	hs, ls := q.Select(swap, uc.sign, ps), q.Select(swap, ps, uc.sign)
	d := q.ZExt(q.umin(q.Sub(he, le), i64(127)), types.I128)
	// Bits of lo that are shifted out leave a mark. Both terms end in 20 zeros at
	// least, so where bits are lost at most one leading bit cancels.
	shifted := q.LShr(lo, d)
	lost := q.ne(q.Shl(shifted, d), lo)
	shifted = q.Or(shifted, q.ZExt(lost, types.I128))
	sum := q.Select(q.Xor(hs, ls), q.Sub(hi, shifted), q.Add(hi, shifted))
	negative := q.ICmp(enum.IPredSLT, sum, wide(0))
	sum = q.Select(negative, q.Neg(sum), sum)
	sign := q.Xor(hs, negative)

	lz := q.ctlz(sum)
	zero := q.eq(sum, wide(0))
	sum = q.Shl(sum, q.And(lz, wide(127)))
	top := q.Trunc(q.LShr(sum, wide(64)), types.I64)
	rest := q.ne(q.Trunc(sum, types.I64), i64(0))
	top = q.Or(top, q.ZExt(rest, types.I64))
	e := q.Add(q.Sub(he, q.Trunc(lz, types.I64)), i64(64))
	r := q.pack(m, sign, e, top)

	// Infinities, NaNs and exact zeros are the same in every mode, but for the
	// sign of a zero in .rd.
	native := q.bits(q.fma(a, b, c))
	exact := q.Or(q.Or(ua.special, ub.special), uc.special)
	r = q.Select(q.Or(exact, zero), native, r)
	if m == fp.RD {
		minus := q.And(q.Or(ps, uc.sign), q.And(zero, q.Not(exact)))
		r = q.Select(minus, i64(dfSign), r)
	}
	return q.Bitcast(r, types.Double)
}

// divDF is a/b on doubles, rounded in mode m.
func (q *seq) divDF(m fp.Round, a, b value.Value) value.Value {
	ua, ub := q.unpack(a), q.unpack(b)
	// Both significands as doubles in [1,2): quotient and error are far from the
	// ends of the format, and the error of a quotient is a double.
	one := func(u unpacked) value.Value {
		f := q.And(q.LShr(u.m, i64(11)), i64(dfFraction))
		return q.Bitcast(q.Or(f, i64(1023<<52)), types.Double)
	}
	x, y := one(ua), one(ub)
	quo := q.FDiv(x, y)
	err := q.fma(q.FNeg(quo), y, x)
	uq := q.unpack(quo)
	// One bit of headroom, then a last bit that says where the exact value is.
	sig := q.LShr(uq.m, i64(1))
	zero := kf(types.Double, 0)
	sig = q.Add(sig, q.ZExt(q.FCmp(enum.FPredOGT, err, zero), types.I64))
	sig = q.Sub(sig, q.ZExt(q.FCmp(enum.FPredOLT, err, zero), types.I64))
	lz := q.ctlz(sig)
	e := q.Add(q.Sub(ua.e, ub.e), q.Add(uq.e, i64(1)))
	e = q.Sub(e, lz)
	r := q.pack(m, q.Xor(ua.sign, ub.sign), e, q.Shl(sig, q.And(lz, i64(63))))
	exact := q.Or(q.Or(ua.special, ub.special), q.Or(ua.zero, ub.zero))
	r = q.Select(exact, q.bits(q.FDiv(a, b)), r)
	return q.Bitcast(r, types.Double)
}

// sqrtDF is the square root of a double, rounded in mode m.
func (q *seq) sqrtDF(m fp.Round, a value.Value) value.Value {
	// Small numbers are scaled up, or the error would be no double; the scaling
	// of the root back down is exact, since a root is never denormal.
	small := q.FCmp(enum.FPredOLT, a, kf(types.Double, 0x1p-900))
	x := q.Select(small, q.FMul(a, kf(types.Double, 0x1p+200)), a)
	s := q.sqrt(x)
	err := q.fma(q.FNeg(s), s, x)
	zero := kf(types.Double, 0)
	b := q.bits(s)
	switch m {
	case fp.RZ, fp.RD:
		b = q.Sub(b, q.ZExt(q.FCmp(enum.FPredOLT, err, zero), types.I64))
	case fp.RU:
		b = q.Add(b, q.ZExt(q.FCmp(enum.FPredOGT, err, zero), types.I64))
	} // A root is never half-way between doubles: .rna is .re.
	s = q.Bitcast(b, types.Double)
	return q.Select(small, q.FMul(s, kf(types.Double, 0x1p-100)), s)
}
