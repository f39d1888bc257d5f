package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// Division, roots and reciprocals (PISA 2.4, 2.13, 2.14, 2.16). The hardware's
// approximations are good to 1 ULP on hf and f and to 2^29 on df; those on f
// take and give zeros for denormals (RDNA3 ISA 16.8).
var divideRows = []lowering{
	pisa.FDiv:   lowerFDiv,
	pisa.FRcp:   func(s *sel, op *ir.Op) { s.approximate(op, fpu.reciprocal) },
	pisa.FRsqrt: func(s *sel, op *ir.Op) { s.approximate(op, fpu.reciprocalRoot) },
	pisa.FSqrt:  lowerFSqrt,
}

// approximate sets the result of a unary op, scalar or packed, on whose error
// the specification sets a bound: fn computes it in u's format, f for bf.
func (s *sel) approximate(op *ir.Op, fn func(fpu, num) num) {
	t := pisa.TypeOf(op.Props)
	f, m := t.Format(), modeOf(op.Props)
	u := fpu{sel: s, f: computed(f)}
	lane := func(x []num) num {
		a := x[0]
		if m.FTZ {
			a = u.flushed(a)
		}
		r := fn(u, a)
		if f == fp.BF {
			r = u.roundBF(fp.RE, r, true)
		}
		return u.finish(f, fp.Mode{FTZ: m.FTZ}, r)
	}
	if t.Packed() {
		s.lanes(op, f, lane)
		return
	}
	s.setNum(op, f, lane(s.sources(op, f)))
}

func lowerFDiv(s *sel, op *ir.Op) {
	f, m := pisa.TypeOf(op.Props).Format(), modeOf(op.Props)
	x := s.sources(op, f)
	u := fpu{sel: s, f: computed(f)}
	if m.FTZ {
		x[0], x[1] = u.flushed(x[0]), u.flushed(x[1])
	}
	a, b := u.plain(x[0]), u.plain(x[1])
	var r num
	switch {
	case f == fp.HF:
		r = u.halfQuotient(a, b)
	case f == fp.BF: // must be right to the last bit; so is an f that is
		r = u.roundBF(fp.RE, u.quotient(a, b), false)
	case f == fp.F && pisa.Has(op.Props, pisa.FFast):
		r = u.quickQuotient(a, b)
	case m.Round == fp.RE:
		r = u.quotient(a, b)
	case f == fp.F:
		// A quotient of 24-bit numbers is a 25-bit number, or at least 2^-50 of
		// itself away from every one: the df to nearest lies on the same side of
		// all places where rounding turns.
		w := fpu{sel: s, f: fp.DF}
		q := w.quotient(u.widen(a), u.widen(b))
		if m.Round == fp.RNA {
			r = u.narrow(w.nudged(q))
		} else {
			r = u.with(rounding(m.Round)).narrow(q)
		}
	case m.Round == fp.RNA:
		r = u.quotientAway(a, b)
	default:
		r = u.directedQuotient(m.Round, a, b)
	}
	s.setNum(op, f, u.finish(f, fp.Mode{FTZ: m.FTZ}, r))
}

// divCodes are the instructions of division, by format.
var divCodes = [...]struct{ scale, fmas, fixup, rcp, rsq, sqrt ir.Code }{
	fp.HF: {fixup: amdgpu.VDivFixupF16, rcp: amdgpu.VRcpF16, rsq: amdgpu.VRsqF16, sqrt: amdgpu.VSqrtF16},
	fp.F:  {amdgpu.VDivScaleF32, amdgpu.VDivFmasF32, amdgpu.VDivFixupF32, amdgpu.VRcpF32, amdgpu.VRsqF32, amdgpu.VSqrtF32},
	fp.DF: {amdgpu.VDivScaleF64, amdgpu.VDivFmasF64, amdgpu.VDivFixupF64, amdgpu.VRcpF64, amdgpu.VRsqF64, amdgpu.VSqrtF64},
}

// quotient is a/b to nearest even on f or df: Newton and Markstein on operands
// that v_div_scale keeps away from the ends of the range. The quotient before
// the last step is off by little more than half a step, and its remainder is
// exact: what decides is that reciprocal r is the one to nearest.
func (u fpu) quotient(a, b num) num {
	c := &divCodes[u.f]
	d := u.num(c.scale, b, b, a)
	n := u.op(c.scale, a, b, a)
	top := num{v: n.Result(0)}
	r := u.refine(u.num(c.rcp, d), d)
	q := u.mul(top, r)
	q = u.fma(u.fma(d.minus(), q, top), r, q)
	e := u.fma(d.minus(), q, top)
	q = num{v: u.emit(c.fmas, u.props, e.v, r.v, q.v, n.Result(1)).Result(0)}
	return u.num(c.fixup, q, b, a)
}

// refine is the reciprocal of d from approximation r: a step of Newton, on df
// two. Newton's steps come from below, and that of 2-k·2^-p lies k²·2^-2p beyond
// the middle of two numbers for odd k: without a bias, greater than the square
// of r's error and far below half a step, the lower one would win, and with it
// a quotient that is just beyond a middle would be rounded as a tie. For other d
// less than half a step and a bias is near enough.
func (u fpu) refine(r, d num) num {
	bias := 0x1p-43
	if u.f == fp.DF {
		r = u.fma(u.fma(d.minus(), r, u.one()), r, r)
		bias = 0x1p-84
	}
	e := u.add(u.fma(d.minus(), r, u.one()), u.c(bias))
	return u.fma(e, r, r)
}

// directedQuotient is a/b on df by a directed mode. Of the significands the
// quotient to nearest has an exact remainder, which points to the side of it on
// which the exact one lies; rounding in two steps is rounding once.
func (u fpu) directedQuotient(m fp.Round, a, b num) num {
	q, rest, r := u.significantQuotient(a, b)
	e := unit{u.sel, false}.sub(u.exponent(a), u.exponent(b))
	to := u.with(rounding(m))
	q = to.ldexp(to.fma(rest, r, q), e)
	special := u.num(divCodes[u.f].fixup, q, b, a)
	ok := u.val(u.mask2(amdgpu.SAndB32, amdgpu.SAndB64), u.class(a, classNumbers), u.class(b, classNumbers))
	return u.pick(ok, q, special)
}

// significantQuotient is the quotient of the significands of a and b to nearest
// even, its remainder, and about the reciprocal of the divisor.
func (u fpu) significantQuotient(a, b num) (q, rest, r num) {
	x, y := u.significand(a), u.significand(b)
	r = u.refine(u.num(divCodes[u.f].rcp, y), y)
	q = u.mul(x, r)
	q = u.fma(u.fma(y.minus(), q, x), r, q)
	q = u.fma(u.fma(y.minus(), q, x), r, q)
	return q, u.fma(y.minus(), q, x), r
}

// quotientAway is a/b on df by .rna. A quotient lies half-way between numbers
// only if it is a denormal: then, if twice the quotient r to nearest plus one
// step, times b, is 2a, it is the next number. All of it is scaled by 2^200.
func (u fpu) quotientAway(a, b num) num {
	r := u.quotient(a, b)
	k := u.imm(200)
	middle := u.add(u.ldexp(r.size(), k), u.c(0x1p-875))
	rest := u.fma(middle, b.size(), u.ldexp(a.size(), k).minus())
	and := u.mask2(amdgpu.SAndB32, amdgpu.SAndB64)
	tie := u.val(and, u.cmp(amdgpu.EQ, rest, u.c(0)), u.cmp(amdgpu.LT, r.size(), u.c(0x1p-1022)))
	tie = u.val(and, tie, u.class(a, classNumbers))
	return u.pick(tie, u.next(r), r)
}

// halfQuotient is a/b on hf to nearest even. Both are f, far from the ends of
// the range; a quotient that is no 12-bit number is at least 2^-23 of itself
// away from every one, more than the error of this f.
func (u fpu) halfQuotient(a, b num) num {
	w := fpu{sel: u.sel, f: fp.F}
	x, y := u.widen(a), u.widen(b)
	r := w.num(amdgpu.VRcpF32, y)
	q := w.mul(x, r)
	q = w.fma(w.fma(y.minus(), q, x), r, q)
	return u.narrow(w.num(amdgpu.VDivFixupF32, q, y, x))
}

// quickQuotient is a/b on f, good to 1 ULP (.fast): the significands' quotient,
// corrected once, scaled.
func (u fpu) quickQuotient(a, b num) num {
	x, y := u.significand(a), u.significand(b)
	r := u.num(amdgpu.VRcpF32, y)
	e := unit{u.sel, false}.sub(u.exponent(a), u.exponent(b))
	q := u.mul(x, r)
	q = u.pick(u.class(q, classNumbers), u.fma(u.fma(y.minus(), q, x), r, q), q)
	return u.ldexp(q, e)
}

// reciprocal is 1/x on hf or f.
func (u fpu) reciprocal(x num) num {
	if u.f == fp.HF {
		return u.num(amdgpu.VRcpF16, x)
	}
	r := u.num(amdgpu.VRcpF32, u.significand(x))
	return u.ldexp(r, unit{u.sel, false}.sub(u.imm(0), u.exponent(x)))
}

// tiny reports a denormal, or a number below zero.
func (u fpu) tiny(x num) *ir.Value { return u.cmp(amdgpu.LT, x, u.c(0x1p-126)) }

// scaled is fn of an f that may be a denormal, whose results by the way are
// none: x·2^up stands for it, and the result is scaled by 2^down.
func (u fpu) scaled(code ir.Code, x num, up, down int32) num {
	tiny := u.tiny(x)
	y := u.num(code, u.ldexp(x, u.pickInt(tiny, up, 0)))
	return u.ldexp(y, u.pickInt(tiny, down, 0))
}

// reciprocalRoot is 1/√x.
func (u fpu) reciprocalRoot(x num) num {
	switch u.f {
	case fp.HF:
		return u.num(amdgpu.VRsqF16, x)
	case fp.F:
		return u.scaled(amdgpu.VRsqF32, x, 24, 12)
	}
	// One step of third order, from 23 bits to 69.
	y := u.num(amdgpu.VRsqF64, x)
	e := u.fma(u.mul(x, y).minus(), y, u.one())
	r := u.fma(u.mul(y, e), u.fma(e, u.c(0.375), u.c(0.5)), y)
	return u.pick(u.class(x, classZero|classPosInf), y, r)
}

func lowerFSqrt(s *sel, op *ir.Op) {
	t := pisa.TypeOf(op.Props)
	f, m := t.Format(), modeOf(op.Props)
	switch {
	case f == fp.DF:
		s.approximate(op, func(u fpu, x num) num { return u.rootDF(m.Round, x) })
	case f == fp.HF:
		s.approximate(op, func(u fpu, x num) num { return u.num(amdgpu.VSqrtF16, x) })
	case pisa.Has(op.Props, pisa.FFast):
		s.approximate(op, func(u fpu, x num) num { return u.scaled(amdgpu.VSqrtF32, x, 32, -16) })
	default:
		s.approximate(op, func(u fpu, x num) num { return u.root(m.Round, x) })
	}
}

// root is √x on f in any mode.
func (u fpu) root(m fp.Round, x num) num {
	tiny := u.cmp(amdgpu.LT, x, u.c(0x1p-96))
	x = u.ldexp(x, u.pickInt(tiny, 32, 0))
	s := u.nearestRoot(u.num(amdgpu.VSqrtF32, x), x)
	rest := u.fma(s.minus(), s, x)
	switch m {
	case fp.RZ, fp.RD:
		s = u.pick(u.cmp(amdgpu.LT, rest, u.c(0)), u.step(s, -1), s)
	case fp.RU:
		s = u.pick(u.cmp(amdgpu.GT, rest, u.c(0)), u.step(s, 1), s)
	}
	s = u.ldexp(s, u.pickInt(tiny, -16, 0))
	return u.pick(u.class(x, classZero|classPosInf), u.plain(x), s)
}

// nearestRoot is √x to nearest, if s is off from that by one step at most: the
// products of s with its neighbours tell (Tuckerman). A root never lies half-way
// between numbers: .rna is .re.
func (u fpu) nearestRoot(s, x num) num {
	down, up := u.step(s, -1), u.step(s, 1)
	below := u.cmp(amdgpu.LE, u.fma(down.minus(), s, x), u.c(0))
	above := u.cmp(amdgpu.GT, u.fma(up.minus(), s, x), u.c(0))
	return u.pick(above, up, u.pick(below, down, s))
}

// step is the bit pattern of x plus n.
func (u fpu) step(x num, n int32) num {
	i := unit{u.sel, false}
	lo, hi := u.imm(uint32(n)), u.imm(uint32(n>>31))
	if u.f == fp.DF {
		return num{v: u.operand64(i.add64(u.pairOf(x.v), pair{lo, hi}))}
	}
	return num{v: i.add(x.v, lo)}
}

// rootDF is √x on df in any mode: Goldschmidt, then the remainder of the root to
// nearest, which is exact, added by the mode.
func (u fpu) rootDF(m fp.Round, x num) num {
	tiny := u.cmp(amdgpu.LT, x, u.c(0x1p-767))
	x = u.ldexp(x, u.pickInt(tiny, 256, 0))
	y := u.num(amdgpu.VRsqF64, x)
	g, h := u.mul(x, y), u.mul(y, u.c(0.5))
	r := u.fma(h.minus(), g, u.c(0.5))
	g, h = u.fma(g, r, g), u.fma(h, r, h)
	g = u.nearestRoot(u.fma(u.fma(g.minus(), g, x), h, g), x)
	if m != fp.RE && m != fp.RNA {
		rest := u.fma(g.minus(), g, x)
		g = u.with(rounding(m)).fma(rest, h, g)
	}
	g = u.ldexp(g, u.pickInt(tiny, -128, 0))
	return u.pick(u.class(x, classZero|classPosInf), u.plain(x), g)
}
