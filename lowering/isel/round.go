package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// Rounding that the hardware has not: to nearest with ties away from zero
// (.rna), and to bf.

// odd is a result of f or df rounded to odd: an inexact one is the neighbour
// whose last bit is set. Rounding it again, to two bits less or fewer, in any
// mode is as good as rounding once. emit computes it by the given mode: rounded
// down and rounded up are neighbours, or equal.
func (u fpu) odd(emit func(round uint64) num) num {
	down, up := emit(rounding(fp.RD)), emit(rounding(fp.RU))
	i := unit{u.sel, false}
	last := i.and(u.imm(1), u.part(down.v, 0))
	isOdd := i.compare(amdgpu.NE, false, u.imm(0), last)
	return u.pick(isOdd, down, up)
}

// nudged sets the last bit of x, a result of f or df that was cut off (.rz), and
// leaves infinities alone. Rounding that to nearest, to two bits less or fewer,
// is rounding the exact value to nearest with ties away from zero: a tie is no
// tie any more, and nothing gets near one.
func (u fpu) nudged(x num) num {
	i := unit{u.sel, false}
	lo := i.or(u.imm(1), u.part(x.v, 0))
	lo = i.choose(u.class(x, classInf), u.part(x.v, 0), lo)
	if u.f == fp.DF {
		return num{v: u.build(lo, u.part(x.v, 1))}
	}
	return num{v: lo}
}

// wider is the format that nudged numbers of f have.
func wider(f fp.Format) fp.Format {
	if f == fp.HF {
		return fp.F
	}
	return fp.DF
}

// widen converts x from u's format, hf or f, to the next, exactly.
func (u fpu) widen(x num) num {
	if u.f == fp.HF {
		if c, ok := constant(x.v); ok {
			return num{v: u.imm(uint32(fp.Convert(fp.F, fp.HF, fp.Mode{}, signed(fp.HF, c&0xffff, x))))}
		}
		return u.num(amdgpu.VCvtF32F16, x)
	}
	if c, ok := constant(x.v); ok {
		return num{v: u.imm64(fp.Convert(fp.DF, fp.F, fp.Mode{}, signed(fp.F, c, x)))}
	}
	return u.num(amdgpu.VCvtF64F32, x)
}

// narrow rounds x to u's format, hf or f, from the next wider.
func (u fpu) narrow(x num) num {
	v := fpu{u.sel, wider(u.f), u.props}
	if u.f == fp.HF {
		return v.num(amdgpu.VCvtF16F32, x)
	}
	return v.num(amdgpu.VCvtF32F64, x)
}

// roundAway is k of x rounded by .rna.
func (u fpu) roundAway(k *arithOp, f fp.Format, m fp.Mode, x []num) num {
	in := make([]num, len(x))
	for i := range x {
		in[i] = x[i]
		if m.FTZ {
			in[i] = u.flushed(x[i])
		}
	}
	cut := rounding(fp.RZ)
	switch f {
	case fp.BF:
		return u.roundBF(fp.RNA, k.emit(u.with(cut), in), false)
	case fp.DF:
		switch k {
		case &sumOp:
			return u.sumAway(in[0], in[1])
		case &differenceOp:
			return u.sumAway(in[0], in[1].minus())
		case &productOp:
			return u.productAway(in[0], in[1])
		}
		return u.madAway(in[0], in[1], in[2])
	}
	for i := range in {
		in[i] = u.widen(in[i])
	}
	w := fpu{sel: u.sel, f: wider(u.f)}
	return u.narrow(w.nudged(k.emit(w.with(cut), in)))
}

// roundBF rounds an f to bf, which is the upper half of the result. Without
// anyNaN the lower half of a NaN is zero.
func (u fpu) roundBF(r fp.Round, x num, anyNaN bool) num {
	i := unit{u.sel, false}
	b := u.plain(x).v
	var y *ir.Value
	switch r {
	case fp.RE:
		y = i.val(amdgpu.VAdd3U32, b, i.val(amdgpu.VBfeU32, b, u.imm(16), u.imm(1)), u.imm(0x7fff))
	case fp.RNA:
		y = i.add(b, u.imm(0x8000))
	case fp.RD, fp.RU:
		c := amdgpu.GT
		if r == fp.RU {
			c = amdgpu.LE
		}
		away := i.compare(c, true, u.imm(0), b)
		y = i.add(b, i.choose(away, u.imm(0xffff), u.imm(0)))
	default:
		y = b // cut off
	}
	if anyNaN {
		y = i.choose(u.cmp(amdgpu.U, x, x), i.or(b, u.imm(0x400000)), y)
	}
	return num{v: y}
}

// next is the number beside x away from zero: the next bit pattern.
func (u fpu) next(x num) num { return u.step(x, 1) }

// sumAway is x+y on df by .rna: the sum to nearest, but where the exact one lies
// half-way to the next number away from zero, that. The error of a sum is a
// number (Knuth); beside infinities it is NaN, which equals nothing.
func (u fpu) sumAway(x, y num) num {
	err, s := u.twoSum(x, y)
	next := u.next(s)
	tie := u.cmp(amdgpu.EQ, u.sub(next, s), u.add(err, err))
	return u.pick(tie, next, s)
}

// productAway is x·y on df by .rna, as sumAway. The error is that of the
// significands, computed down and up: if both are the same it is exact.
func (u fpu) productAway(x, y num) num {
	i := unit{u.sel, false}
	r := u.mul(x, y)
	e := i.add(u.exponent(x), u.exponent(y))
	next := u.next(r)
	return u.pick(u.tieOf(r, next, u.significand(x).size(), u.significand(y).size(), i.sub(u.imm(0), e)), next, r)
}

// tieOf reports that x·y × 2^-scale lies half-way from r to next.
func (u fpu) tieOf(r, next, x, y num, scale *ir.Value) *ir.Value {
	a, b := u.ldexp(r.size(), scale), u.ldexp(next.size(), scale)
	step := u.sub(b, a)
	down := u.with(rounding(fp.RD)).fma(x, y, a.minus())
	up := u.with(rounding(fp.RU)).fma(x, y, a.minus())
	c := u.cmp(amdgpu.EQ, u.add(down, down), step)
	d := u.cmp(amdgpu.EQ, u.add(up, up), step)
	and := u.mask2(amdgpu.SAndB32, amdgpu.SAndB64)
	return u.val(and, u.val(and, c, d), u.cmp(amdgpu.LG, step, u.c(0))) // of a product 0 the step may vanish
}

// significand is x in [½, 1), exponent the power of two that it lacks.
func (u fpu) significand(x num) num { return u.num(floatCodes[u.f].mant, x) }

func (u fpu) exponent(x num) *ir.Value { return u.op(floatCodes[u.f].exp, num{v: x.v}).Result(0) }

// madAway is x·y+z on df by .rna: the sum r to nearest, or the next number away
// from zero if x·y + z - r - half the step to that is zero. Those are five
// numbers, as the product is p + e, exactly, once it is away from the ends of the
// range: k scales it. Adding two numbers with the error kept, over and over,
// leaves nothing if the sum is zero: in a tie none of them has bits below 2^-107
// of the greatest, and each pass takes 52 bits.
func (u fpu) madAway(x, y, z num) num {
	and := u.mask2(amdgpu.SAndB32, amdgpu.SAndB64)
	or := u.mask2(amdgpu.SOrB32, amdgpu.SOrB64)
	r := u.fma(x, y, z)
	next := u.next(r)
	p := u.mul(x, y)
	small := u.cmp(amdgpu.LT, p.size(), u.c(0x1p-900))
	big := u.cmp(amdgpu.GE, p.size(), u.c(0x1p1000))
	k := unit{u.sel, false}.choose(small, u.imm(256), u.pickInt(big, -256, 0))
	x, z1, r1, next1 := u.ldexp(x, k), u.ldexp(z, k), u.ldexp(r, k), u.ldexp(next, k)
	p = u.mul(x, y)
	half := u.mul(u.sub(next1, r1), u.c(0.5))
	terms := []num{p, u.fma(x, y, p.minus()), z1, r1.minus(), half.minus()}
	for range 4 {
		for i := range len(terms) - 1 {
			terms[i], terms[i+1] = u.twoSum(terms[i], terms[i+1])
		}
	}
	tie := u.cmp(amdgpu.LG, half, u.c(0))
	for _, t := range terms {
		tie = u.val(and, tie, u.cmp(amdgpu.EQ, t, u.c(0)))
	}
	// Where scaling might lose bits, x·y and z are too far apart for a tie.
	near := u.cmp(amdgpu.LT, z.size(), u.c(0x1p-500))
	far := u.val(or, u.cmp(amdgpu.GE, z.size(), u.c(0x1p-700)), u.cmp(amdgpu.EQ, z, u.c(0)))
	// tie ∧ (¬small ∨ near) ∧ (¬big ∨ far)
	not := u.mask2(amdgpu.SOrNot1B32, amdgpu.SOrNot1B64)
	tie = u.val(and, tie, u.val(not, near, small))
	tie = u.val(and, tie, u.val(not, far, big))
	return u.pick(tie, next, r)
}

// twoSum is the error of a+b and a+b (Knuth).
func (u fpu) twoSum(a, b num) (err, sum num) {
	s := u.add(a, b)
	t := u.sub(s, a)
	return u.add(u.sub(a, u.sub(s, t)), u.sub(b, t)), s
}
