package llvmgen

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa/fp"
	"pisac/lowering/llvmgen/llx"
)

// Transcendental functions (PISA 2.3, 2.5, 2.6, 2.13 to 2.15, 2.18): the
// hardware's own flush denormals and are too coarse or have no stated error, so
// they are computed on floats, in arithmetic that the host executes too. The
// greatest error over all floats, found by trying them, is beside each function;
// bf and hf round the float's result, which adds half a step of their own.

// unaryFunction is a function of one float.
type unaryFunction struct {
	name string
	// float computes it; huge says whether arguments beyond those of hf occur.
	float func(q *seq, x value.Value, huge bool) value.Value
}

var (
	fsin  = &unaryFunction{"fsin", func(q *seq, x value.Value, huge bool) value.Value { return q.circular(x, huge, false) }}
	fcos  = &unaryFunction{"fcos", func(q *seq, x value.Value, huge bool) value.Value { return q.circular(x, huge, true) }}
	fexp2 = &unaryFunction{"fexp2", func(q *seq, x value.Value, huge bool) value.Value { return q.exp2(x) }}
	flog2 = &unaryFunction{"flog2", func(q *seq, x value.Value, huge bool) value.Value { return q.log2(x) }}
	ftanh = &unaryFunction{"ftanh", func(q *seq, x value.Value, huge bool) value.Value { return q.tanh(x) }}
)

// function applies fn to a register of format bf, hf or f, scalar or packed.
func (q *seq) function(fn *unaryFunction, f fp.Format, m fp.Mode, a value.Value) value.Value {
	a = q.source(f, m, a)
	r := q.each([]value.Value{a}, func(lane []value.Value) value.Value {
		x := q.wide(f, lane[0])
		name := "pisa." + fn.name
		if f == fp.HF {
			name += ".hf"
		}
		y := q.shared(name, types.Float, []value.Value{x}, func(q *seq, x []value.Value) value.Value {
			return fn.float(q, x[0], f != fp.HF)
		})
		return q.narrow(f, fp.RE, y)
	})
	return q.result(f, m, r)
}

func kF(v float64) value.Value { return kf(types.Float, v) }

// horner evaluates c[0] + c[1]·x + …
func (q *seq) horner(x value.Value, c ...float64) value.Value {
	r := kF(c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		r = q.fma(r, x, kF(c[i]))
	}
	return r
}

// nearestInt is x·scale rounded to an integer n below 2^22, as a float and as the
// low bits of an i32. Adding 1.5·2^23 leaves no room for a fraction.
func (q *seq) nearestInt(x value.Value, scale float64) (n, low value.Value) {
	const magic = 0x1.8p23
	y := q.fma(x, kF(scale), kF(magic))
	return q.FSub(y, kF(magic)), q.bits(y)
}

// circular is the sine or cosine. Error below 0.9 ulp.
func (q *seq) circular(x value.Value, huge, cosine bool) value.Value {
	r, rl, quad := q.reduce(x, huge)
	if cosine {
		quad = q.Add(quad, k(quad, 1))
	}
	r2 := q.FMul(r, r)
	// sin(r+rl) = r + (rl + r³·S(r²))
	s := q.horner(r2, -0x1.555556p-3, 0x1.11110ep-7, -0x1.a01388p-13, 0x1.6db388p-19)
	s = q.FAdd(r, q.fma(q.FMul(r, r2), s, rl))
	// cos(r+rl) = 1 - r²/2 + (r⁴·C(r²) - r·rl), where 1 - r²/2 is rounded to w
	// and its error kept.
	c := q.horner(r2, 0x1.555554p-5, -0x1.6c12bep-10, 0x1.9bcdc6p-16)
	half := q.FMul(r2, kF(0.5))
	w := q.FSub(kF(1), half)
	lost := q.FSub(q.FSub(kF(1), w), half)
	tail := q.fma(q.FMul(r2, r2), c, q.fma(q.fneg(r), rl, lost))
	c = q.FAdd(w, tail)

	v := q.Select(q.ne(q.And(quad, k(quad, 1)), k(quad, 0)), c, s)
	v = q.Select(q.ne(q.And(quad, k(quad, 2)), k(quad, 0)), q.fneg(v), v)
	if !cosine { // keeps the sign of zero
		v = q.Select(q.FCmp(enum.FPredOLT, q.fabs(x), kF(0x1p-12)), x, v)
	}
	finite := q.FCmp(enum.FPredOLT, q.fabs(x), kF(math.Inf(1)))
	return q.Select(finite, v, q.FSub(x, x))
}

func (q *seq) fneg(x value.Value) value.Value { return q.FNeg(x) }

// reduce gives r+rl = x - quad·π/2 in [-π/4, π/4], quad modulo 4 or more.
func (q *seq) reduce(x value.Value, huge bool) (r, rl, quad value.Value) {
	if !huge {
		return q.reduceSmall(x)
	}
	small, large, join := q.NewBlock(""), q.NewBlock(""), q.NewBlock("")
	q.CondBr(q.FCmp(enum.FPredOLT, q.fabs(x), kF(0x1p17)), small, large)
	q.At(small)
	r1, rl1, quad1 := q.reduceSmall(x)
	q.Br(join)
	q.At(large)
	r2, rl2, quad2 := q.reduceLarge(x)
	q.Br(join)
	q.At(join)
	phi := func(a, b value.Value) value.Value {
		p := q.Phi(a.Type())
		llx.AddIncoming(p, a, small)
		llx.AddIncoming(p, b, large)
		return p
	}
	return phi(r1, r2), phi(rl1, rl2), phi(quad1, quad2)
}

// reduceSmall is for |x| below 2^17: π/2 in three parts of 24 bits.
func (q *seq) reduceSmall(x value.Value) (r, rl, quad value.Value) {
	const c1, c2, c3 = 0x1.921fb6p+0, -0x1.777a5cp-25, -0x1.ee59dap-50
	n, quad := q.nearestInt(x, 0x1.45f306p-1)
	minus := q.fneg(n)
	t := q.fma(minus, kF(c1), x) // exact: below 1, and a multiple of 2^-24
	p := q.FMul(n, kF(c2))
	lost := q.fma(n, kF(c2), q.fneg(p))
	// Knuth: the difference t-p and its error.
	r = q.FSub(t, p)
	b := q.FSub(r, t)
	err := q.FSub(q.FSub(t, q.FSub(r, b)), q.FAdd(p, b))
	return r, q.fma(minus, kF(c3), q.FSub(err, lost)), quad
}

// twoOverPi is 2/π below the binary point, preceded by a word of zeros.
var twoOverPi = [...]uint32{0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab}

// reduceLarge is for |x| of 2^17 and more (Payne and Hanek): x is an integer m of
// 24 bits times 2^e, and of 2/π·2^e only the bits from weight 2 downward matter.
// For infinities and NaNs the result means nothing.
func (q *seq) reduceLarge(x value.Value) (r, rl, quad value.Value) {
	c := func(v uint64) value.Value { return llx.Int(types.I32, v) }
	b := q.bits(x)
	field := q.And(q.LShr(b, c(23)), c(255))
	m := q.ZExt(q.Or(q.And(b, c(0x7fffff)), c(0x800000)), types.I64)
	// e = field-150, and bit 0 of the window is bit e+32-2 of twoOverPi.
	start := q.Sub(field, c(120))
	word, off := q.LShr(start, c(5)), q.And(start, c(31))
	pick := func(i int) value.Value { // twoOverPi[word+i]; word is at most 4
		w := value.Value(c(uint64(twoOverPi[i])))
		for j := 1; j <= 4 && i+j < len(twoOverPi); j++ {
			w = q.Select(q.eq(word, c(uint64(j))), c(uint64(twoOverPi[i+j])), w)
		}
		return w
	}
	var w [4]value.Value
	for i := range w {
		w[i] = pick(i)
	}
	times := func(hi, lo value.Value) value.Value {
		return q.Mul(q.ZExt(q.intr("fshl", hi, lo, off), types.I64), m)
	}
	// 96 bits of product: two of quadrant, then the fraction of a quadrant.
	p2 := times(w[2], w[3])
	p1 := q.Add(times(w[1], w[2]), q.LShr(p2, i64(32)))
	p0 := q.Add(times(w[0], w[1]), q.LShr(p1, i64(32)))
	top := q.Or(q.Shl(p0, i64(32)), q.And(p1, i64(0xffffffff)))
	frac := q.Or(q.Shl(top, i64(2)), q.And(q.LShr(p2, i64(30)), i64(3)))
	quad = q.Trunc(q.LShr(top, i64(62)), types.I32)
	// Signed, the fraction is the distance to the nearest multiple.
	quad = q.Add(quad, q.Trunc(q.LShr(frac, i64(63)), types.I32))
	d := q.FMul(q.SIToFP(frac, types.Double), kf(types.Double, 0x1.921fb54442d18p-64))
	negative := q.sign(x)
	d = q.Select(negative, q.fneg(d), d)
	quad = q.Select(negative, q.Neg(quad), quad)
	r = q.FPTrunc(d, types.Float)
	rl = q.FPTrunc(q.FSub(d, q.FPExt(r, types.Double)), types.Float)
	return r, rl, quad
}

// exp2 is 2^x. Error below 0.9 ulp.
func (q *seq) exp2(x value.Value) value.Value {
	// Beyond these the result is 0 or infinite; a NaN passes.
	x = q.Select(q.FCmp(enum.FPredOGT, x, kF(130)), kF(130), x)
	x = q.Select(q.FCmp(enum.FPredOLT, x, kF(-160)), kF(-160), x)
	n, low := q.nearestInt(x, 1)
	f := q.FSub(x, n)
	g := q.horner(f, 0x1.62e430p-1, 0x1.ebfbe0p-3, 0x1.c6b08ep-5, 0x1.3b2a1cp-7, 0x1.5d879ep-10, 0x1.444020p-13, 0x1.00a594p-16)
	p := q.fma(f, g, kF(1))
	e := q.AShr(q.Shl(low, k(low, 16)), k(low, 16))
	return q.ldexp(p, e)
}

// ldexp is x·2^e for x near 1 and |e| below 252, in two exact steps but for the
// last: 2^e itself may be no float.
func (q *seq) ldexp(x, e value.Value) value.Value {
	c := func(v uint64) value.Value { return llx.Int(types.I32, v) }
	half := q.AShr(e, c(1))
	power := func(e value.Value) value.Value {
		return q.Bitcast(q.Shl(q.Add(e, c(127)), c(23)), types.Float)
	}
	return q.FMul(q.FMul(x, power(half)), power(q.Sub(e, half)))
}

// log2 is the logarithm to base 2. Error below 0.72 ulp.
func (q *seq) log2(x value.Value) value.Value {
	c := func(v uint64) value.Value { return llx.Int(types.I32, v) }
	denormal := q.FCmp(enum.FPredOLT, x, kF(0x1p-126))
	y := q.Select(denormal, q.FMul(x, kF(0x1p24)), x)
	b := q.bits(y)
	// m in [√½, √2), x = m·2^e.
	up := q.Sub(b, c(0x3f3504f3))
	e := q.AShr(up, c(23))
	m := q.Bitcast(q.Sub(b, q.Shl(e, c(23))), types.Float)
	e = q.Sub(e, q.Select(denormal, c(24), c(0)))
	f := q.FSub(m, kF(1)) // exact
	// log2(1+f) = f·log2(e) - f²·log2(e)/2 + f³·R(f), the first two terms with
	// their errors.
	const hi, lo, c0 = 0x1.715476p+0, 0x1.4ae0c0p-26, -0x1.715476p-1
	p := q.FMul(f, kF(hi))
	tail := q.fma(f, kF(lo), q.fma(f, kF(hi), q.fneg(p)))
	f2 := q.FMul(f, f)
	p2 := q.FMul(f2, kF(c0))
	lost := q.fma(q.fma(f, f, q.fneg(f2)), kF(c0), q.fma(f2, kF(c0), q.fneg(p2)))
	series := q.horner(f, 0x1.ec7094p-2, -0x1.715480p-2, 0x1.277c5cp-2, -0x1.ec77b4p-3,
		0x1.a47dc4p-3, -0x1.6eee36p-3, 0x1.5d2436p-3, -0x1.55f746p-3, 0x1.90947cp-4)
	tail = q.fma(q.FMul(f2, f), series, q.FAdd(tail, lost))
	ef := q.SIToFP(e, types.Float)
	s := q.FAdd(ef, p) // |e| is 0 or more than |p|
	tail = q.FAdd(tail, q.FSub(p, q.FSub(s, ef)))
	s2 := q.FAdd(s, p2) // |s| is more than |p2|
	tail = q.FAdd(tail, q.FSub(p2, q.FSub(s2, s)))
	r := q.FAdd(s2, tail)
	// The ends: log2(±0) = -∞, log2(∞) = ∞, NaN for NaN and below 0.
	inf := math.Inf(1)
	r = q.Select(q.FCmp(enum.FPredOLT, x, kF(inf)), r, x)
	r = q.Select(q.FCmp(enum.FPredOEQ, x, kF(0)), kF(-inf), r)
	bad := q.FCmp(enum.FPredULT, x, kF(0)) // NaN too
	return q.Select(bad, llx.FloatBits(0x7fc00000), r)
}

// tanh is the hyperbolic tangent. Error below 1.6 ulp.
func (q *seq) tanh(x value.Value) value.Value {
	a := q.fabs(x)
	a = q.Select(q.FCmp(enum.FPredOLT, a, kF(10)), a, kF(10)) // a NaN comes back below
	z := q.FAdd(a, a)
	// E = exp(z)-1 = 2^n·(exp(r)-1) + 2^n - 1, tanh = E/(E+2).
	n, low := q.nearestInt(z, 0x1.715476p+0)
	r := q.fma(n, kF(-0x1.62e430p-1), z)
	r = q.fma(n, kF(0x1.05c610p-29), r)
	g := q.horner(r, 0x1p-1, 0x1.555556p-3, 0x1.5554e8p-5, 0x1.1110e0p-7, 0x1.6d4590p-10, 0x1.a12718p-13)
	p := q.fma(q.FMul(r, r), g, r)
	scale := q.Bitcast(q.Shl(q.Add(q.And(low, k(low, 63)), k(low, 127)), k(low, 23)), types.Float)
	e := q.fma(scale, p, q.FSub(scale, kF(1)))
	v := q.intr("copysign", q.FDiv(e, q.FAdd(e, kF(2))), x)
	// Near 0: x + x³·T(x²).
	x2 := q.FMul(x, x)
	t := q.horner(x2, -0x1.555556p-2, 0x1.1110e0p-3, -0x1.ba0548p-5, 0x1.647206p-6, -0x1.1007acp-7, 0x1.266360p-9)
	t = q.fma(q.FMul(x2, x), t, x)
	v = q.Select(q.FCmp(enum.FPredOLT, a, kF(0.625)), t, v)
	v = q.Select(q.FCmp(enum.FPredOLT, a, kF(0x1p-12)), x, v) // keeps the sign of zero
	return q.Select(q.FCmp(enum.FPredUNO, x, x), q.FAdd(x, x), v)
}

// frcp is 1/x, correctly rounded.
func (q *seq) frcp(f fp.Format, m fp.Mode, a value.Value) value.Value {
	return q.float(fdiv, f, m, k(a, f.One()), a)
}

// frsqrt is 1/√x. Error below 0.6 ulp: one step of Newton from a result that is
// off by less than two, with the error of x·y² computed exactly.
func (q *seq) frsqrt(f fp.Format, m fp.Mode, a value.Value) value.Value {
	x := q.value(f, q.source(f, m, a))
	if f == fp.HF {
		x = q.FPExt(x, shaped(x, types.Float))
	}
	one := kf(x.Type(), 1)
	y := q.FDiv(one, q.sqrt(x))
	if f == fp.F || f == fp.DF {
		h := q.FMul(x, y)
		lost := q.fma(x, y, q.fneg(h))
		d := q.fma(q.fneg(h), y, one)
		d = q.fma(q.fneg(lost), y, d)
		better := q.fma(q.FMul(y, kf(x.Type(), 0.5)), d, y)
		// No number: x is 0, infinite or NaN, and y is right.
		y = q.Select(q.FCmp(enum.FPredORD, d, d), better, y)
	}
	if f == fp.HF {
		y = q.FPTrunc(y, shaped(y, types.Half))
	}
	return q.result(f, m, q.register(f, y))
}
