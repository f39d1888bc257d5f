package emu

import (
	"math"
	"math/big"

	"pisac/dialects/amdgpu"
)

func fAdd(f *format) valuFn {
	return func(m *fpMode, a, b, _ uint64) uint64 { return m.add(f, a, b) }
}

func fSub(f *format) valuFn {
	return func(m *fpMode, a, b, _ uint64) uint64 { return m.add(f, a, b^f.sign()) }
}

func fSubrev(f *format) valuFn {
	return func(m *fpMode, a, b, _ uint64) uint64 { return m.add(f, b, a^f.sign()) }
}

func fMul(f *format) valuFn {
	return func(m *fpMode, a, b, _ uint64) uint64 { return m.mul(f, a, b) }
}

func fFma(f *format) valuFn {
	return func(m *fpMode, a, b, c uint64) uint64 { return m.fma(f, a, b, c) }
}

func fMin(f *format) valuFn {
	return func(m *fpMode, a, b, _ uint64) uint64 { return m.minMax(f, a, b, false) }
}

func fMax(f *format) valuFn {
	return func(m *fpMode, a, b, _ uint64) uint64 { return m.minMax(f, a, b, true) }
}

func fMin3(m *fpMode, a, b, c uint64) uint64 {
	return m.minMax(&single, m.minMax(&single, a, b, false), c, false)
}

func fMax3(m *fpMode, a, b, c uint64) uint64 {
	return m.minMax(&single, m.minMax(&single, a, b, true), c, true)
}

// fMed3 is the middle one; with a NaN, the least of the three.
func fMed3(m *fpMode, a, b, c uint64) uint64 {
	f := &single
	if f.isNaN(a) || f.isNaN(b) || f.isNaN(c) {
		return fMin3(m, a, b, c)
	}
	switch top := fMax3(m, a, b, c); top {
	case m.in(f, a):
		return m.minMax(f, b, c, true)
	case m.in(f, b):
		return m.minMax(f, a, c, true)
	}
	return m.minMax(f, a, b, true)
}

// fRound rounds to an integer by g; NaN becomes quiet.
func fRound(f *format, g func(float64) float64) valuFn {
	return func(m *fpMode, a, _, _ uint64) uint64 {
		a = m.in(f, a)
		if f.isNaN(a) {
			return a | f.quiet()
		}
		return m.out(f, f.narrow(g(f.value(a)), roundEven))
	}
}

// fFract is a - floor(a), below 1 also where that rounds up.
func fFract(f *format) valuFn {
	return func(m *fpMode, a, _, _ uint64) uint64 {
		a = m.in(f, a)
		if f.isNaN(a) {
			return a | f.quiet()
		}
		x := f.value(a)
		if math.IsInf(x, 0) {
			return f.nan()
		}
		r := m.add(f, a, f.narrow(-math.Floor(x), roundEven))
		if r&^f.sign() >= f.one() {
			return f.one() - 1
		}
		return r
	}
}

// frexp is the significand in [1/2, 1) and the exponent; denormal numbers are
// not flushed.
func frexp(f *format, a uint64) (frac uint64, exp int) {
	x := f.value(a)
	switch {
	case f.isNaN(a):
		return a | f.quiet(), 0
	case x == 0 || math.IsInf(x, 0):
		return a, 0
	}
	m, e := math.Frexp(x)
	return f.narrow(m, roundEven), e
}

func fMant(f *format) valuFn {
	return func(m *fpMode, a, _, _ uint64) uint64 {
		r, _ := frexp(f, m.in(f, a))
		return r
	}
}

func fExp(f *format) valuFn {
	return func(m *fpMode, a, _, _ uint64) uint64 {
		_, e := frexp(f, m.in(f, a))
		return lo(uint64(int64(e)))
	}
}

// ldexp is a × 2^n, rounded once.
func (m *fpMode) ldexp(f *format, a uint64, n int64) uint64 {
	a = m.in(f, a)
	if f.isNaN(a) {
		return a | f.quiet()
	}
	x := f.value(a)
	if x == 0 || math.IsInf(x, 0) {
		return a
	}
	n = min(max(n, -5000), 5000)
	frac, e := math.Frexp(x)
	e += int(n)
	if f.mant != 52 {
		// Doubles hold the whole range, and then some.
		return m.out(f, f.narrow(math.Ldexp(frac, min(max(e, -1000), 1000)), m.round(f)))
	}
	return m.out(f, scaleDouble(frac, e, m.round64))
}

// scaleDouble is frac × 2^e rounded by mode rm.
func scaleDouble(frac float64, e int, rm uint8) uint64 {
	neg := frac < 0
	sign := math.Float64bits(frac) & double.sign()
	if e > 1024 {
		return sign | double.overflow(rm, neg)
	}
	if e > -1021 {
		return math.Float64bits(math.Ldexp(frac, e))
	}
	sig := math.Float64bits(frac)&(1<<52-1) | 1<<52
	q, up := roundBits(sig, -1021-e, rm, neg)
	if up {
		q++
	}
	return sign | q
}

func approx(f *format, k approxKind) valuFn {
	return func(m *fpMode, a, _, _ uint64) uint64 { return m.approx32(f, k, a) }
}

func approxDouble(k approxKind) valuFn {
	return func(m *fpMode, a, _, _ uint64) uint64 { return m.approx64(k, a) }
}

// exponent is the biased exponent field.
func (f *format) exponent(a uint64) int { return int(a >> f.mant & (1<<f.exp - 1)) }

// divScale is v_div_scale: a is the denominator b or the numerator c, scaled so
// that the steps of a division neither overflow nor lose bits; the flag tells
// v_div_fmas to scale the quotient back. up is the scale's exponent, far the
// difference of exponents beyond which the quotient may overflow, tiny the
// numerator's exponent below which the residuals are denormal.
func divScale(f *format, up int64, far, tiny int) carryFn {
	return func(m *fpMode, a, b, c uint64, _ bool) (uint64, bool) {
		scale := func(n int64) uint64 { return m.ldexp(f, a, n) }
		x, y := f.value(b), f.value(c)
		quotient := f.narrow(y/x, roundEven)
		inverse := f.narrow(1/x, roundEven)
		switch {
		case f.isZero(b) || f.isZero(c):
			return f.nan(), false
		case f.isNaN(b) || f.isNaN(c) || math.IsInf(x, 0) || math.IsInf(y, 0):
			return a, false // v_div_fixup decides
		case f.exponent(c)-f.exponent(b) >= far:
			if a == b {
				return scale(up), true
			}
			return a, true
		case f.isDenorm(b):
			return scale(up), false
		case f.isDenorm(inverse) && (f.isDenorm(quotient) || f.isZero(quotient)):
			// The documents print +up here, which would overflow.
			if a == b {
				return scale(-up), true
			}
			return a, true
		case f.isDenorm(inverse):
			return scale(-up), false
		case f.isDenorm(quotient) || f.isZero(quotient):
			if a == c {
				return scale(up), true
			}
			return a, true
		case f.exponent(c) <= tiny:
			return scale(up), false
		}
		return a, false
	}
}

// divFmas is v_div_fmas: a fused multiply-add, scaled by 2^up or 2^-up if the
// flag is set; which, depends on c, the quotient so far.
func divFmas(f *format, up int64) carryFn {
	return func(m *fpMode, a, b, c uint64, flag bool) (uint64, bool) {
		if !flag {
			return m.fma(f, a, b, c), false
		}
		n := -up
		if f.exponent(c) > f.bias() {
			n = up
		}
		return m.scaledFma(f, a, b, c, n), false
	}
}

// scaledFma rounds (a×b+c)×2^n once.
func (m *fpMode) scaledFma(f *format, a, b, c uint64, n int64) uint64 {
	a, b, c = m.in(f, a), m.in(f, b), m.in(f, c)
	r := m.fma(f, a, b, c)
	if f.isNaN(r) || f.isZero(r) || r&^f.sign() == f.inf() {
		return r
	}
	x, y, z := f.value(a), f.value(b), f.value(c)
	if f.mant != 52 {
		return m.out(f, f.narrow(math.Ldexp(sumOdd(float64(x*y), z), int(n)), m.round(f)))
	}
	e := new(big.Float).SetPrec(exact).Mul(big.NewFloat(x), big.NewFloat(y))
	e.Add(e, big.NewFloat(z))
	return m.out(f, roundBig(e.SetMantExp(e, int(n)), m.round64))
}

// divFixup is v_div_fixup: a is the quotient, b the denominator, c the numerator.
func divFixup(f *format) valuFn {
	return func(m *fpMode, a, b, c uint64) uint64 {
		sign := (b ^ c) & f.sign()
		inf := func(x uint64) bool { return x&^f.sign() == f.inf() }
		switch {
		case f.isNaN(c):
			return c | f.quiet()
		case f.isNaN(b):
			return b | f.quiet()
		case f.isZero(b) && f.isZero(c), inf(b) && inf(c):
			return f.nan() | f.sign()
		case f.isZero(b) || inf(c):
			return sign | f.inf()
		case inf(b) || f.isZero(c):
			return sign
		}
		return m.fixed(f, a, b, c) | sign
	}
}

// fixed is the absolute quotient; where exponents say that it underflows or
// overflows, that is the answer whatever the steps before gave.
func (m *fpMode) fixed(f *format, a, b, c uint64) uint64 {
	switch d := f.exponent(c) - f.exponent(b); {
	case f.mant != 10 && d < -f.bias()-f.mant:
		return m.out(f, f.underflow(m.round(f), (b^c)&f.sign() != 0))
	case f.isNaN(a):
		return f.inf()
	}
	return a &^ f.sign()
}

// underflow is what a number below half the least denormal rounds to.
func (f *format) underflow(rm uint8, neg bool) uint64 {
	if rm == roundUp && !neg || rm == roundDown && neg {
		return 1
	}
	return 0
}

// floatRows is the vector instructions on floats.
var floatRows = []valuSpec{
	{amdgpu.VAddF32, "fff", fAdd(&single), secVOP2, nil},
	{amdgpu.VSubF32, "fff", fSub(&single), secVOP2, nil},
	{amdgpu.VSubrevF32, "fff", fSubrev(&single), secVOP2, nil},
	{amdgpu.VMulF32, "fff", fMul(&single), secVOP2, nil},
	{amdgpu.VMinF32, "fff", fMin(&single), secVOP2, nil},
	{amdgpu.VMaxF32, "fff", fMax(&single), secVOP2, nil},
	{amdgpu.VAddF16, "hhh", fAdd(&half), secVOP2, nil},
	{amdgpu.VSubF16, "hhh", fSub(&half), secVOP2, nil},
	{amdgpu.VSubrevF16, "hhh", fSubrev(&half), secVOP2, nil},
	{amdgpu.VMulF16, "hhh", fMul(&half), secVOP2, nil},
	{amdgpu.VMinF16, "hhh", fMin(&half), secVOP2, nil},
	{amdgpu.VMaxF16, "hhh", fMax(&half), secVOP2, nil},
	{amdgpu.VLdexpF16, "hhw", func(m *fpMode, a, b, _ uint64) uint64 { return m.ldexp(&half, a, int64(int16(b))) }, secVOP2, nil},
	{amdgpu.VFmacF32, "ffff", fFma(&single), secVOP2, nil},
	{amdgpu.VFmacF64, "dddd", fFma(&double), secVOP2, nil},
	{amdgpu.VFmacF16, "hhhh", fFma(&half), secVOP2, nil},
	{amdgpu.VFmaF32, "ffff", fFma(&single), secVOP3, nil},
	{amdgpu.VFmaF64, "dddd", fFma(&double), secVOP3, nil},
	{amdgpu.VFmaF16, "hhhh", fFma(&half), secVOP3, nil},
	{amdgpu.VAddF64, "ddd", fAdd(&double), secVOP3, nil},
	{amdgpu.VMulF64, "ddd", fMul(&double), secVOP3, nil},
	{amdgpu.VMinF64, "ddd", fMin(&double), secVOP3, nil},
	{amdgpu.VMaxF64, "ddd", fMax(&double), secVOP3, nil},
	{amdgpu.VLdexpF32, "ffi", func(m *fpMode, a, b, _ uint64) uint64 { return m.ldexp(&single, a, s32(b)) }, secVOP3, nil},
	{amdgpu.VLdexpF64, "ddi", func(m *fpMode, a, b, _ uint64) uint64 { return m.ldexp(&double, a, s32(b)) }, secVOP3, nil},
	{amdgpu.VMin3F32, "ffff", fMin3, secVOP3, nil},
	{amdgpu.VMax3F32, "ffff", fMax3, secVOP3, nil},
	{amdgpu.VMed3F32, "ffff", fMed3, secVOP3, nil},
	{amdgpu.VDivFixupF32, "ffff", divFixup(&single), secVOP3, nil},
	{amdgpu.VDivFixupF64, "dddd", divFixup(&double), secVOP3, nil},
	{amdgpu.VDivFixupF16, "hhhh", divFixup(&half), secVOP3, nil},
	{amdgpu.VTrigPreopF64, "ddi", func(m *fpMode, a, b, _ uint64) uint64 { return m.trigPreop(a, b) }, secVOP3, nil},
	{amdgpu.VPackB32F16, "ihh", func(m *fpMode, a, b, _ uint64) uint64 {
		return m.out(&half, m.in(&half, a)) | m.out(&half, m.in(&half, b))<<16
	}, secVOP3, nil},

	{amdgpu.VRcpF32, "ff", approx(&single, apRcp), secVOP1, nil},
	{amdgpu.VRsqF32, "ff", approx(&single, apRsq), secVOP1, nil},
	{amdgpu.VSqrtF32, "ff", approx(&single, apSqrt), secVOP1, nil},
	{amdgpu.VExpF32, "ff", approx(&single, apExp), secVOP1, nil},
	{amdgpu.VLogF32, "ff", approx(&single, apLog), secVOP1, nil},
	{amdgpu.VSinF32, "ff", approx(&single, apSin), secVOP1, nil},
	{amdgpu.VCosF32, "ff", approx(&single, apCos), secVOP1, nil},
	{amdgpu.VRcpIflagF32, "ff", approx(&single, apRcp), secVOP1, nil},
	{amdgpu.VRcpF16, "hh", approx(&half, apRcp), secVOP1, nil},
	{amdgpu.VRsqF16, "hh", approx(&half, apRsq), secVOP1, nil},
	{amdgpu.VSqrtF16, "hh", approx(&half, apSqrt), secVOP1, nil},
	{amdgpu.VExpF16, "hh", approx(&half, apExp), secVOP1, nil},
	{amdgpu.VLogF16, "hh", approx(&half, apLog), secVOP1, nil},
	{amdgpu.VSinF16, "hh", approx(&half, apSin), secVOP1, nil},
	{amdgpu.VCosF16, "hh", approx(&half, apCos), secVOP1, nil},
	{amdgpu.VRcpF64, "dd", approxDouble(apRcp), secVOP1, nil},
	{amdgpu.VRsqF64, "dd", approxDouble(apRsq), secVOP1, nil},
	{amdgpu.VSqrtF64, "dd", approxDouble(apSqrt), secVOP1, nil},

	{amdgpu.VTruncF32, "ff", fRound(&single, math.Trunc), secVOP1, nil},
	{amdgpu.VTruncF64, "dd", fRound(&double, math.Trunc), secVOP1, nil},
	{amdgpu.VTruncF16, "hh", fRound(&half, math.Trunc), secVOP1, nil},
	{amdgpu.VCeilF32, "ff", fRound(&single, math.Ceil), secVOP1, nil},
	{amdgpu.VCeilF64, "dd", fRound(&double, math.Ceil), secVOP1, nil},
	{amdgpu.VCeilF16, "hh", fRound(&half, math.Ceil), secVOP1, nil},
	{amdgpu.VRndneF32, "ff", fRound(&single, math.RoundToEven), secVOP1, nil},
	{amdgpu.VRndneF64, "dd", fRound(&double, math.RoundToEven), secVOP1, nil},
	{amdgpu.VRndneF16, "hh", fRound(&half, math.RoundToEven), secVOP1, nil},
	{amdgpu.VFloorF32, "ff", fRound(&single, math.Floor), secVOP1, nil},
	{amdgpu.VFloorF64, "dd", fRound(&double, math.Floor), secVOP1, nil},
	{amdgpu.VFloorF16, "hh", fRound(&half, math.Floor), secVOP1, nil},
	{amdgpu.VFractF32, "ff", fFract(&single), secVOP1, nil},
	{amdgpu.VFractF64, "dd", fFract(&double), secVOP1, nil},
	{amdgpu.VFractF16, "hh", fFract(&half), secVOP1, nil},
	{amdgpu.VFrexpMantF32, "ff", fMant(&single), secVOP1, nil},
	{amdgpu.VFrexpMantF64, "dd", fMant(&double), secVOP1, nil},
	{amdgpu.VFrexpMantF16, "hh", fMant(&half), secVOP1, nil},
	{amdgpu.VFrexpExpI32F32, "if", fExp(&single), secVOP1, nil},
	{amdgpu.VFrexpExpI32F64, "id", fExp(&double), secVOP1, nil},
	{amdgpu.VFrexpExpI16F16, "wh", fExp(&half), secVOP1, nil},
}
