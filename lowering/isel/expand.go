package isel

import (
	"math"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// Sine, cosine and hyperbolic tangent (PISA 2.3, 2.15, 2.18) as simpler ops of
// the pisa dialect, before anything is selected: the reduction of great
// arguments is a block of its own.
//
//	%1 = fsin.f %0
//	=> cond_br |%0| < 2^17, ^small, ^great; both to ^join(r, rl, quadrant); …
//
// The hardware's own sine has an absolute error only. The greatest error over
// all floats, found by trying them, is beside each function; bf and hf round the
// f, which adds half a step of their own.

// expand replaces these ops in f.
func expand(f *ir.Func) {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		// Last to first: a block is split behind each, and what follows moves.
		for op := b.Last(); op != nil; {
			prev := op.Prev()
			switch op.Code {
			case pisa.FSin, pisa.FCos, pisa.FTanh:
				expandOp(op)
			}
			op = prev
		}
	}
}

// floats builds ops on f, and integers of 32 bits, before op at.
type floats struct {
	ir.Builder
	at *ir.Op
}

func expandOp(op *ir.Op) {
	t := pisa.TypeOf(op.Props)
	f, ftz := t.Format(), pisa.Has(op.Props, pisa.FFtz)
	q := &floats{at: op}
	q.Before(op)
	q.Loc = op.Loc
	x := op.Operand(0)
	one := func(x *ir.Value) *ir.Value { // of an element, in f
		if ftz {
			x = q.Value(pisa.FMul, pisa.FType.Put(uint64(t.Info().Elem))|pisa.FFtz.Put(1), x.Type, x, builtin.ConstInt(&q.Builder, x.Type, f.One()))
		}
		if f != fp.F {
			x = q.Value(pisa.FExt, pisa.FType.Put(uint64(pisa.F))|pisa.FFrom.Put(uint64(t.Info().Elem)), ir.B32, x)
		}
		switch op.Code {
		case pisa.FSin:
			return q.circular(x, f != fp.HF, false)
		case pisa.FCos:
			return q.circular(x, f != fp.HF, true)
		}
		return q.tanh(x)
	}
	flush := pisa.FFtz.Put(uint64(b2i(ftz)))
	var r *ir.Value
	switch {
	case t.Packed():
		a := one(q.Value(pisa.Extract, pisa.FType.Put(uint64(pisa.T16b)), ir.B16, x))
		b := one(q.Value(pisa.Extract, pisa.FType.Put(uint64(pisa.T16b))|pisa.FIndex.Put(1), ir.B16, x))
		r = q.Value(pisa.FTrunc2, pisa.FType.Put(uint64(t))|flush, x.Type, a, b)
	case f != fp.F:
		r = q.Value(pisa.FTrunc, pisa.FType.Put(uint64(t))|pisa.FFrom.Put(uint64(pisa.F))|flush, x.Type, one(x))
	default:
		r = one(x)
		if ftz {
			r = q.Value(pisa.FMul, pisa.FType.Put(uint64(pisa.F))|flush, ir.B32, r, q.c(1))
		}
	}
	op.Result(0).ReplaceUses(r)
	op.Erase()
}

func (q *floats) op(code ir.Code, props uint64, x ...*ir.Value) *ir.Value {
	return q.Value(code, props|pisa.FType.Put(uint64(pisa.F)), ir.B32, x...)
}

func (q *floats) c(v float64) *ir.Value {
	return builtin.ConstInt(&q.Builder, ir.B32, uint64(math.Float32bits(float32(v))))
}

func (q *floats) add(x, y *ir.Value) *ir.Value    { return q.op(pisa.FAdd, 0, x, y) }
func (q *floats) sub(x, y *ir.Value) *ir.Value    { return q.op(pisa.FSub, 0, x, y) }
func (q *floats) mul(x, y *ir.Value) *ir.Value    { return q.op(pisa.FMul, 0, x, y) }
func (q *floats) fma(x, y, z *ir.Value) *ir.Value { return q.op(pisa.FMad, 0, x, y, z) }
func (q *floats) neg(x *ir.Value) *ir.Value       { return q.op(pisa.FNeg, 0, x) }
func (q *floats) abs(x *ir.Value) *ir.Value       { return q.op(pisa.FAbs, 0, x) }

func (q *floats) cmp(c pisa.Cmp, x, y *ir.Value) *ir.Value {
	return q.Value(pisa.FCmp, pisa.FType.Put(uint64(pisa.F))|pisa.FOp.Put(uint64(c)), ir.Pred, x, y)
}

// int is an op on integers of 32 bits.
func (q *floats) int(code ir.Code, x ...*ir.Value) *ir.Value {
	return q.Value(code, pisa.FType.Put(uint64(pisa.T32b)), ir.B32, x...)
}

func (q *floats) k(v uint32) *ir.Value { return builtin.ConstInt(&q.Builder, ir.B32, uint64(v)) }

func (q *floats) sel(cond, x, y *ir.Value) *ir.Value { return q.int(pisa.Sel, x, y, cond) }

// bit reports that some bit of mask is set in x.
func (q *floats) bit(x *ir.Value, mask uint32) *ir.Value {
	return q.Value(pisa.UCmp, pisa.FType.Put(uint64(pisa.T32b))|pisa.FOp.Put(uint64(pisa.NE)), ir.Pred, q.int(pisa.And, x, q.k(mask)), q.k(0))
}

// horner evaluates c[0] + c[1]·x + …
func (q *floats) horner(x *ir.Value, c ...float64) *ir.Value {
	r := q.c(c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		r = q.fma(r, x, q.c(c[i]))
	}
	return r
}

// nearestInt is x·scale rounded to an integer n below 2^22, as an f and as the
// low bits of an integer. Adding 1.5·2^23 leaves no room for a fraction.
func (q *floats) nearestInt(x *ir.Value, scale float64) (n, low *ir.Value) {
	const magic = 0x1.8p23
	y := q.fma(x, q.c(scale), q.c(magic))
	return q.sub(y, q.c(magic)), y
}

// circular is the sine or cosine. Error below 0.9 ulp.
func (q *floats) circular(x *ir.Value, huge, cosine bool) *ir.Value {
	r, rl, quad := q.reduce(x, huge)
	if cosine {
		quad = q.int(pisa.IAdd, quad, q.k(1))
	}
	r2 := q.mul(r, r)
	// sin(r+rl) = r + (rl + r³·S(r²))
	s := q.horner(r2, -0x1.555556p-3, 0x1.11110ep-7, -0x1.a01388p-13, 0x1.6db388p-19)
	s = q.add(r, q.fma(q.mul(r, r2), s, rl))
	// cos(r+rl) = 1 - r²/2 + (r⁴·C(r²) - r·rl), where 1 - r²/2 is rounded to w
	// and its error kept.
	c := q.horner(r2, 0x1.555554p-5, -0x1.6c12bep-10, 0x1.9bcdc6p-16)
	half := q.mul(r2, q.c(0.5))
	w := q.sub(q.c(1), half)
	lost := q.sub(q.sub(q.c(1), w), half)
	tail := q.fma(q.mul(r2, r2), c, q.fma(q.neg(r), rl, lost))
	c = q.add(w, tail)

	v := q.sel(q.bit(quad, 1), c, s)
	v = q.int(pisa.Xor, v, q.int(pisa.Shl, q.int(pisa.And, quad, q.k(2)), q.k(30)))
	if !cosine { // keeps the sign of zero
		v = q.sel(q.cmp(pisa.LT, q.abs(x), q.c(0x1p-12)), x, v)
	}
	finite := q.cmp(pisa.LT, q.abs(x), q.c(math.Inf(1)))
	return q.sel(finite, v, q.sub(x, x))
}

// reduce gives r+rl = x - quad·π/2 in [-π/4, π/4], quad modulo 4 or more. Numbers
// that may be huge have their reduction in a block of its own.
func (q *floats) reduce(x *ir.Value, huge bool) (r, rl, quad *ir.Value) {
	if !huge {
		return q.reduceSmall(x)
	}
	f, b := q.Func(), q.Block()
	large, join := f.NewBlockBefore(b.Next()), f.NewBlockBefore(b.Next())
	large.MoveAfter(b)
	for op := q.at; op != nil; {
		next := op.Next()
		op.MoveToEnd(join)
		op = next
	}
	r, rl, quad = join.AddArg(ir.B32), join.AddArg(ir.B32), join.AddArg(ir.B32)
	q.AtEnd(b)
	r1, rl1, quad1 := q.reduceSmall(x)
	small := q.cmp(pisa.LT, q.abs(x), q.c(0x1p17))
	builtin.Branch(&q.Builder, small, ir.Target{To: join, Args: []*ir.Value{r1, rl1, quad1}}, ir.Target{To: large})
	q.AtEnd(large)
	r2, rl2, quad2 := q.reduceLarge(x)
	builtin.Jump(&q.Builder, join, r2, rl2, quad2)
	q.Before(q.at)
	return r, rl, quad
}

// reduceSmall is for |x| below 2^17: π/2 in three parts of 24 bits.
func (q *floats) reduceSmall(x *ir.Value) (r, rl, quad *ir.Value) {
	const c1, c2, c3 = 0x1.921fb6p+0, -0x1.777a5cp-25, -0x1.ee59dap-50
	n, quad := q.nearestInt(x, 0x1.45f306p-1)
	minus := q.neg(n)
	t := q.fma(minus, q.c(c1), x) // exact: below 1, and a multiple of 2^-24
	p := q.mul(n, q.c(c2))
	lost := q.fma(n, q.c(c2), q.neg(p))
	// Knuth: the difference t-p and its error.
	r = q.sub(t, p)
	b := q.sub(r, t)
	err := q.sub(q.sub(t, q.sub(r, b)), q.add(p, b))
	return r, q.fma(minus, q.c(c3), q.sub(err, lost)), quad
}

// twoOverPi is 2/π below the binary point, preceded by a word of zeros.
var twoOverPi = [...]uint32{0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab}

// reduceLarge is for |x| of 2^17 and more (Payne and Hanek): x is an integer m of
// 24 bits times 2^e, and of 2/π·2^e only the bits from weight 2 downward matter.
// For infinities and NaNs the result means nothing.
func (q *floats) reduceLarge(x *ir.Value) (r, rl, quad *ir.Value) {
	field := q.int(pisa.And, q.int(pisa.Shr, x, q.k(23)), q.k(255))
	m := q.int(pisa.Or, q.int(pisa.And, x, q.k(0x7fffff)), q.k(0x800000))
	// e = field-150, and bit 0 of the window is bit e+32-2 of twoOverPi.
	start := q.int(pisa.ISub, field, q.k(120))
	w := q.window(start)
	times := func(i int, add *ir.Value) *ir.Value { // word i of the window times m, and add
		v := q.Value(pisa.Shf, pisa.FType.Put(uint64(pisa.T32b))|pisa.FOp.Put(pisa.DirL), ir.B32, w[i], w[i+1], start)
		if i == 0 {
			return q.int(pisa.UMad, v, m, add) // what is beyond 32 bits are whole turns
		}
		full := pisa.FType.Put(uint64(pisa.T32b)) | pisa.FFull.Put(1)
		if add == nil {
			return q.Value(pisa.UMul, full, ir.B64, v, m)
		}
		wide := q.Value(pisa.ZExt, pisa.FType.Put(uint64(pisa.T64b))|pisa.FFrom.Put(uint64(pisa.T32b)), ir.B64, add)
		return q.Value(pisa.UMad, full, ir.B64, v, m, wide)
	}
	low := func(v *ir.Value) *ir.Value {
		return q.Value(pisa.Trunc, pisa.FType.Put(uint64(pisa.T32b))|pisa.FFrom.Put(uint64(pisa.T64b)), ir.B32, v)
	}
	high := func(v *ir.Value) *ir.Value {
		return low(q.Value(pisa.Shr, pisa.FType.Put(uint64(pisa.T64b)), ir.B64, v, q.k(32)))
	}
	// 96 bits of product: two of quadrant, then the fraction of a quadrant.
	p2 := times(2, nil)
	p1 := times(1, high(p2))
	top, mid, end := times(0, high(p1)), low(p1), low(p2)
	left2 := func(hi, lo *ir.Value) *ir.Value {
		return q.Value(pisa.Shf, pisa.FType.Put(uint64(pisa.T32b))|pisa.FOp.Put(pisa.DirL), ir.B32, hi, lo, q.k(2))
	}
	hi, lo := left2(top, mid), left2(mid, end)
	// Signed, the fraction is the distance to the nearest multiple.
	quad = q.int(pisa.IAdd, q.int(pisa.Shr, top, q.k(30)), q.int(pisa.Shr, hi, q.k(31)))
	df := pisa.FType.Put(uint64(pisa.DF))
	c := func(v float64) *ir.Value { return builtin.ConstInt(&q.Builder, ir.B64, math.Float64bits(v)) }
	d := q.Value(pisa.I2F, df|pisa.FFrom.Put(uint64(pisa.S32)), ir.B64, hi)
	d = q.Value(pisa.FMad, df, ir.B64, d, c(0x1p32), q.Value(pisa.I2F, df|pisa.FFrom.Put(uint64(pisa.U32)), ir.B64, lo))
	d = q.Value(pisa.FMul, df, ir.B64, d, c(0x1.921fb54442d18p-64))
	toF := pisa.FType.Put(uint64(pisa.F)) | pisa.FFrom.Put(uint64(pisa.DF))
	r = q.Value(pisa.FTrunc, toF, ir.B32, d)
	rl = q.Value(pisa.FSub, df, ir.B64, d, q.Value(pisa.FExt, df|pisa.FFrom.Put(uint64(pisa.F)), ir.B64, r))
	rl = q.Value(pisa.FTrunc, toF, ir.B32, rl)
	// All change their sign with x.
	sign := q.int(pisa.And, x, q.k(1<<31))
	mask := q.int(pisa.Asr, x, q.k(31))
	quad = q.int(pisa.ISub, q.int(pisa.Xor, quad, mask), mask)
	return q.int(pisa.Xor, r, sign), q.int(pisa.Xor, rl, sign), quad
}

// window is words start/32 to start/32+3 of twoOverPi; start is at most 134.
func (q *floats) window(start *ir.Value) (w [4]*ir.Value) {
	var t [7]*ir.Value
	four, two, one := q.bit(start, 128), q.bit(start, 64), q.bit(start, 32)
	for i := range t {
		t[i] = q.k(twoOverPi[i])
		if i < 4 { // a start of 128 and more has no other bit
			t[i] = q.sel(four, q.k(twoOverPi[i+4]), t[i])
		}
	}
	for i := range 5 {
		t[i] = q.sel(two, t[i+2], t[i])
	}
	for i := range w {
		w[i] = q.sel(one, t[i+1], t[i])
	}
	return w
}

// tanh is the hyperbolic tangent. Error below 1.7 ulp.
func (q *floats) tanh(x *ir.Value) *ir.Value {
	a := q.abs(x)
	a = q.sel(q.cmp(pisa.LT, a, q.c(10)), a, q.c(10)) // a NaN comes back below
	z := q.add(a, a)
	// E = exp(z)-1 = 2^n·(exp(r)-1) + 2^n - 1, tanh = E/(E+2).
	n, low := q.nearestInt(z, 0x1.715476p+0)
	r := q.fma(n, q.c(-0x1.62e430p-1), z)
	r = q.fma(n, q.c(0x1.05c610p-29), r)
	g := q.horner(r, 0x1p-1, 0x1.555556p-3, 0x1.5554e8p-5, 0x1.1110e0p-7, 0x1.6d4590p-10, 0x1.a12718p-13)
	p := q.fma(q.mul(r, r), g, r)
	scale := q.int(pisa.Shl, q.int(pisa.IAdd, q.int(pisa.And, low, q.k(63)), q.k(127)), q.k(23))
	e := q.fma(scale, p, q.sub(scale, q.c(1)))
	// The quotient, corrected once: nearly the one to nearest.
	d := q.add(e, q.c(2))
	rcp := q.op(pisa.FRcp, 0, d)
	v := q.mul(e, rcp)
	v = q.fma(q.fma(q.neg(d), v, e), rcp, v)
	sign := q.int(pisa.And, x, q.k(1<<31))
	v = q.int(pisa.Or, v, sign)
	// Near 0: x + x³·T(x²).
	x2 := q.mul(x, x)
	t := q.horner(x2, -0x1.555556p-2, 0x1.1110e0p-3, -0x1.ba0548p-5, 0x1.647206p-6, -0x1.1007acp-7, 0x1.266360p-9)
	t = q.fma(q.mul(x2, x), t, x)
	v = q.sel(q.cmp(pisa.LT, a, q.c(0.625)), t, v)
	v = q.sel(q.cmp(pisa.LT, a, q.c(0x1p-12)), x, v) // keeps the sign of zero
	return q.sel(q.cmp(pisa.NE, x, x), q.add(x, x), v)
}
