package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// Conversions (PISA 4).
var conversionRows = []lowering{
	pisa.F2I:     lowerF2I,
	pisa.FExt:    lowerFExt,
	pisa.FRc:     lowerFRc,
	pisa.FRnd:    lowerFRnd,
	pisa.FTrunc:  lowerFTrunc,
	pisa.FTrunc2: lowerFTrunc2,
	pisa.I2F:     lowerI2F,
	pisa.PF2I:    lowerPF2I,
}

// lowerFRc: the fraction, which is never 1 (PISA 2.12).
func lowerFRc(s *sel, op *ir.Op) {
	s.approximate(op, func(u fpu, x num) num { return u.num(amdgpu.VFractF32, x) })
}

// integral rounds x to an integral number; a zero keeps its sign.
func (u fpu) integral(m fp.Round, x num) num {
	c := &floatCodes[u.f]
	switch m {
	case fp.RE:
		return u.num(c.even, x)
	case fp.RD:
		return u.num(c.floor, x)
	case fp.RU:
		return u.num(c.ceil, x)
	case fp.RZ:
		return u.num(c.trunc, x)
	}
	t := u.num(c.trunc, x)
	half := u.bits(u.f.One() - 1<<u.f.Mantissa())
	far := u.cmp(amdgpu.GE, u.sub(x, t).size(), half) // the difference is exact
	i := unit{u.sel, false}
	top := func(a num) *ir.Value {
		if u.f == fp.DF {
			return u.part(a.v, 1)
		}
		return a.v
	}
	step := i.choose(far, top(u.one()), u.imm(0))
	mask := uint32(1)<<((u.f.Bits()-1)&31) - 1
	step = u.val(amdgpu.VBfiB32, u.imm(mask), step, top(u.plain(x)))
	if u.f == fp.DF {
		return u.add(t, num{v: u.build(u.imm(0), step)})
	}
	return u.add(t, num{v: step})
}

func lowerFRnd(s *sel, op *ir.Op) {
	f, m := pisa.TypeOf(op.Props).Format(), modeOf(op.Props)
	u := fpu{sel: s, f: computed(f)}
	x := s.source(op, 0, f)
	if m.FTZ {
		x = u.flushed(x)
	}
	s.setNum(op, f, u.integral(m.Round, x)) // no more digits than x: a bf is a bf
}

// lowerFExt: exact (PISA 4.6).
func lowerFExt(s *sel, op *ir.Op) {
	to, from := pisa.TypeOf(op.Props).Format(), pisa.FromOf(op.Props).Format()
	x := s.source(op, 0, from)
	u := fpu{sel: s, f: computed(from)}
	if u.f == fp.HF {
		x, u.f = u.widen(x), fp.F
	}
	if to == fp.DF {
		x = u.widen(x)
	}
	s.set(op, 0, u.plain(x).v)
}

// lowerFTrunc rounds to a narrower format (PISA 4.8).
func lowerFTrunc(s *sel, op *ir.Op) {
	to, from, m := pisa.TypeOf(op.Props).Format(), pisa.FromOf(op.Props).Format(), modeOf(op.Props)
	s.setNum(op, to, s.truncate(to, from, m, s.source(op, 0, from)))
}

// lowerFTrunc2: two f to a pair (PISA 4.9).
func lowerFTrunc2(s *sel, op *ir.Op) {
	to, m := pisa.TypeOf(op.Props).Format(), modeOf(op.Props)
	lo := s.truncate(to, fp.F, m, s.source(op, 0, fp.F))
	s.set(op, 0, s.join(to, lo, s.truncate(to, fp.F, m, s.source(op, 1, fp.F))))
}

// truncate rounds x, an f or df, to format to; a bf is in the upper half.
func (s *sel) truncate(to, from fp.Format, m fp.Mode, x num) num {
	u := fpu{sel: s, f: from}
	if m.FTZ {
		x = u.flushed(x)
	}
	t := fpu{sel: s, f: computed(to)}
	var r num
	switch {
	case from == fp.F && to == fp.BF:
		r = t.roundBF(m.Round, x, true)
	case from == fp.DF && to != fp.F:
		r = s.truncate2(to, m.Round, x)
	case m.Round == fp.RNA:
		r = t.narrow(u.nudged(u.plain(x)))
	default:
		r = t.with(rounding(m.Round)).narrow(x)
	}
	if m.FTZ {
		r = t.finish(to, fp.Mode{FTZ: true}, r)
	}
	if m.DSat {
		r = t.finite(to, r)
	}
	return r
}

// truncate2 rounds a df to hf or bf by way of an f.
func (s *sel) truncate2(to fp.Format, m fp.Round, x num) num {
	f := fpu{sel: s, f: fp.F}
	var y num
	switch m {
	case fp.RE:
		y = f.odd(func(round uint64) num { return f.with(round).narrow(x) })
	case fp.RNA:
		y = f.with(rounding(fp.RZ)).narrow(x)
	default: // directed: in two steps as in one
		y = f.with(rounding(m)).narrow(x)
	}
	if to == fp.BF {
		return f.roundBF(m, y, true)
	}
	h := fpu{sel: s, f: fp.HF}
	if m == fp.RNA {
		return h.narrow(f.nudged(y))
	}
	return h.with(rounding(m)).narrow(y)
}

// finite is .dsat of a conversion: an infinity becomes the greatest finite
// number of its sign, the bit pattern before it; NaN stays.
func (u fpu) finite(f fp.Format, x num) num {
	i := unit{u.sel, false}
	if f == fp.DF {
		return x // no conversion to df overflows
	}
	less := uint32(0xffffffff)
	if f == fp.BF { // in the upper half; the lower half may hold bits that are cut off
		x.v = i.and(x.v, u.imm(0xffff0000))
		less = 0xffff0000
	}
	return u.pick(u.class(x, classInf), num{v: i.add(x.v, u.imm(less))}, x)
}

// lowerF2I rounds, then clamps; NaN gives 0 (PISA 4.5).
func lowerF2I(s *sel, op *ir.Op) {
	to := pisa.TypeOf(op.Props).Info()
	from, m := pisa.FromOf(op.Props).Format(), modeOf(op.Props).Round
	r := s.toInt(to.Bits, to.Signed, from, m, s.source(op, 0, from))
	if to.Bits == 64 {
		unit{s, false}.setPair(op, 0, s.pairOf(r))
		return
	}
	s.set(op, 0, r)
}

func lowerPF2I(s *sel, op *ir.Op) {
	to := pisa.TypeOf(op.Props).Info().Elem.Info()
	from, m := pisa.FromOf(op.Props).Format(), modeOf(op.Props).Round
	lo, hi := s.packedSources(op, from)
	a := s.toInt(16, to.Signed, from, m, lo[0])
	s.set(op, 0, s.join(fp.HF, num{v: a}, num{v: s.toInt(16, to.Signed, from, m, hi[0])}))
}

// toInt converts x to an integer. The instructions round to zero, clamp to 32
// bits and give 0 for NaN.
func (s *sel) toInt(bits int, sign bool, from fp.Format, m fp.Round, x num) *ir.Value {
	u := fpu{sel: s, f: computed(from)}
	if m != fp.RZ {
		x = u.integral(m, x)
	}
	if u.f == fp.HF {
		x, u.f = u.widen(x), fp.F
	}
	if bits == 64 {
		if u.f == fp.F {
			x, u.f = u.widen(x), fp.DF
		}
		return u.toInt64(sign, x)
	}
	code := amdgpu.VCvtU32F32
	switch {
	case u.f == fp.DF && sign:
		code = amdgpu.VCvtI32F64
	case u.f == fp.DF:
		code = amdgpu.VCvtU32F64
	case sign:
		code = amdgpu.VCvtI32F32
	}
	r := u.num(code, x).v
	if bits == 32 {
		return r
	}
	top := uint32(1)<<(bits-1) - 1
	if sign {
		return s.val(amdgpu.VMed3I32, r, s.imm(^top), s.imm(top))
	}
	return s.val(amdgpu.VMinU32, s.imm(2*top+1), r)
}

// toInt64 cuts x, a df, off to 64 bits: the upper half is ⌊x·2^-32⌋, what is left
// the lower one. Both instructions clamp, but not at the ends of 64 bits.
func (u fpu) toInt64(sign bool, x num) *ir.Value {
	i := unit{u.sel, false}
	t := u.num(amdgpu.VTruncF64, x)
	least, limit, code := 0.0, 0x1p64, amdgpu.VCvtU32F64
	if sign {
		least, limit, code = -0x1p63, 0x1p63, amdgpu.VCvtI32F64
	}
	t = u.num(amdgpu.VMaxF64, t, u.c(least)) // also of a NaN
	high := u.num(amdgpu.VFloorF64, u.mul(t, u.c(0x1p-32)))
	low := u.fma(high, u.c(-0x1p32), t)
	hi, lo := u.num(code, high).v, u.num(amdgpu.VCvtU32F64, low).v
	lo = i.choose(u.cmp(amdgpu.GE, t, u.c(limit)), u.imm(0xffffffff), lo)
	if sign {
		nan := u.class(x, classNaN)
		hi = i.choose(nan, u.imm(0), hi)
		lo = i.choose(nan, u.imm(0), lo)
	}
	return u.build(lo, hi)
}

// lowerI2F rounds an integer to a float (PISA 4.10).
func lowerI2F(s *sel, op *ir.Op) {
	to, from, m := pisa.TypeOf(op.Props).Format(), pisa.FromOf(op.Props).Info(), modeOf(op.Props)
	x := s.arg(op, 0)
	if c, ok := constant(x); ok {
		v := num{v: s.imm64(fp.FromInt(to, uint(from.Bits), from.Signed, m, c))}
		if to != fp.DF {
			c, _ := constant(v.v)
			v.v = s.imm(uint32(c))
		}
		s.set(op, 0, v.v)
		return
	}
	u := fpu{sel: s, f: computed(to)}
	switch {
	case to == fp.HF:
		s.setNum(op, to, u.halfFromInt(from, m, x))
	case to == fp.DF && from.Bits == 64:
		s.setNum(op, to, u.doubleFromInt64(from.Signed, m.Round, s.pairOf(x)))
	case to == fp.DF:
		s.setNum(op, to, u.exactFromInt(from, x))
	case from.Bits <= 16: // an exact f
		r := u.exactFromInt(from, x)
		if to == fp.BF {
			r = u.roundBF(m.Round, r, false)
		}
		s.setNum(op, to, r)
	default:
		s.setNum(op, to, u.fromInt(to, from, m.Round, x))
	}
}

// exactFromInt converts an integer of 8 or 16 bits to f, or of up to 32 to df.
func (u fpu) exactFromInt(from *pisa.TypeInfo, x *ir.Value) num {
	i := unit{u.sel, false}
	if from.Bits == 8 && !from.Signed && u.f == fp.F {
		return u.num(amdgpu.VCvtF32Ubyte0, num{v: x})
	}
	x = i.ext(from.Signed, x, from.Bits)
	return u.num(intCodes[u.f][b2i(from.Signed)], num{v: x})
}

// intCodes convert 32 bits, unsigned and signed.
var intCodes = [...][2]ir.Code{
	fp.F:  {amdgpu.VCvtF32U32, amdgpu.VCvtF32I32},
	fp.DF: {amdgpu.VCvtF64U32, amdgpu.VCvtF64I32},
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fromInt converts 32 or 64 bits to f or bf.
func (u fpu) fromInt(to fp.Format, from *pisa.TypeInfo, m fp.Round, x *ir.Value) num {
	i := unit{u.sel, false}
	var scale *ir.Value
	if from.Bits == 64 {
		x, scale = i.leading(from.Signed, u.pairOf(x))
	}
	code := intCodes[fp.F][b2i(from.Signed)]
	convert := func(round uint64) num { return u.with(round).num(code, num{v: x}) }
	var r num
	switch {
	case to == fp.F && m == fp.RNA:
		w := fpu{sel: u.sel, f: fp.DF}
		r = u.narrow(w.nudged(w.num(intCodes[fp.DF][b2i(from.Signed)], num{v: x})))
	case to == fp.BF && m == fp.RE:
		r = u.odd(convert)
	case m == fp.RNA:
		r = convert(rounding(fp.RZ))
	default:
		r = convert(rounding(m))
	}
	if scale != nil {
		r = u.ldexp(r, scale)
	}
	if to == fp.BF {
		r = u.roundBF(m, r, false)
	}
	return r
}

// leading is the upper 32 bits of a, shifted left until all of them count, whose
// last bit is set if a bit below is; a is about that times 2^scale.
func (u unit) leading(sign bool, a pair) (top, scale *ir.Value) {
	var n *ir.Value
	if sign {
		// One sign bit stays. If the upper half is sign only, the lower half's
		// first bit tells whether 31 or 32 places are free.
		free := u.add(u.asr(u.xor(a.lo, a.hi), u.imm(31)), u.imm(32))
		n = u.val(amdgpu.VMinU32, u.add(u.val(amdgpu.VClsI32, a.hi), u.imm(0xffffffff)), free)
	} else {
		n = u.val(amdgpu.VMinU32, u.imm(32), u.val(amdgpu.VClzI32U32, a.hi))
	}
	sh := u.shl64(a, n)
	top = u.or(sh.hi, u.val(amdgpu.VMinU32, u.imm(1), sh.lo))
	return top, u.sub(u.imm(32), n)
}

// doubleFromInt64: both halves are exact, and their sum is rounded.
func (u fpu) doubleFromInt64(sign bool, m fp.Round, a pair) num {
	hi := u.num(intCodes[fp.DF][b2i(sign)], num{v: a.hi})
	hi = u.ldexp(hi, u.imm(32))
	lo := u.num(amdgpu.VCvtF64U32, num{v: a.lo})
	if m == fp.RNA {
		return u.sumAway(hi, lo)
	}
	return u.with(rounding(m)).add(hi, lo)
}

// halfFromInt: what is beyond hf's range rounds as any other such number, so
// that clamped integers are exact in f. With .dsat they are clamped to it.
func (u fpu) halfFromInt(from *pisa.TypeInfo, m fp.Mode, x *ir.Value) num {
	i := unit{u.sel, false}
	limit := uint32(1 << 17)
	if m.DSat {
		limit = 65504
	}
	small := from.Bits < 32 && (from.Signed || from.Bits == 8 || !m.DSat)
	switch {
	case from.Bits == 16 && m.Round != fp.RNA && small:
		code := amdgpu.VCvtF16U16
		if from.Signed {
			code = amdgpu.VCvtF16I16
		}
		return u.with(rounding(m.Round)).num(code, num{v: x})
	case from.Bits == 64:
		x = i.clamp64(from.Signed, u.pairOf(x), limit)
	case small:
	case from.Signed:
		x = u.val(amdgpu.VMed3I32, i.sext(x, from.Bits), u.imm(-limit), u.imm(limit))
	default:
		x = u.val(amdgpu.VMinU32, u.imm(limit), i.zext(x, from.Bits))
	}
	w := fpu{sel: u.sel, f: fp.F}
	var y num
	if small {
		y = w.exactFromInt(from, x)
	} else {
		y = w.num(intCodes[fp.F][b2i(from.Signed)], num{v: x})
	}
	if m.Round == fp.RNA {
		return u.narrow(w.nudged(y))
	}
	return u.with(rounding(m.Round)).narrow(y)
}

// clamp64 is a clamped to [-limit, limit], in 32 bits.
func (u unit) clamp64(sign bool, a pair, limit uint32) *ir.Value {
	zero := u.imm(0)
	top := pair{u.imm(limit), zero}
	x := u.choose(u.compare64(amdgpu.GT, sign, a, top), top.lo, a.lo)
	if sign {
		least := pair{u.imm(-limit), u.imm(0xffffffff)}
		x = u.choose(u.compare64(amdgpu.LT, true, a, least), least.lo, x)
	}
	return x
}
