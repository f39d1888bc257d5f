package pisa

import (
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// formats is indexed by DType: the format of a float type's elements.
var formats = [...]fp.Format{HF: fp.HF, BF: fp.BF, F: fp.F, DF: fp.DF, HFx2: fp.HF, BFx2: fp.BF}

// Format returns the format of the elements of a float type.
func (t DType) Format() fp.Format { return formats[t] }

// mode collects the rounding qualifiers.
func mode(p uint64) fp.Mode {
	return fp.Mode{Round: fp.Round(RoundOf(p)), FTZ: Has(p, FFtz), DSat: Has(p, FDsat)}
}

// evalFloat is the ops of chapter 2 and frnd, element by element if packed.
func evalFloat(code ir.Code, p uint64) Eval {
	f := floatElem(code, TypeOf(p).Format(), p)
	if TypeOf(p).Packed() {
		return perHalf(f)
	}
	return func(a, b, c, _ uint64) (uint64, uint64) { return f(a, b, c), 0 }
}

func floatElem(code ir.Code, f fp.Format, p uint64) func(a, b, c uint64) uint64 {
	m, ftz, nanp := mode(p), Has(p, FFtz), Has(p, FNanp)
	switch code {
	case FAdd:
		return func(a, b, _ uint64) uint64 { return fp.Add(f, m, a, b) }
	case FSub:
		return func(a, b, _ uint64) uint64 { return fp.Sub(f, m, a, b) }
	case FMul:
		if Has(p, FFull) {
			return func(a, b, _ uint64) uint64 { return fp.MulFull(f, m, a, b) }
		}
		return func(a, b, _ uint64) uint64 { return fp.Mul(f, m, a, b) }
	case FMad:
		return func(a, b, c uint64) uint64 { return fp.Mad(f, m, a, b, c) }
	case FDiv:
		return func(a, b, _ uint64) uint64 { return fp.Div(f, m, a, b) }
	case FSqrt:
		return func(a, _, _ uint64) uint64 { return fp.Sqrt(f, m, a) }
	case FMin:
		return func(a, b, _ uint64) uint64 { return fp.Min(f, m, nanp, a, b) }
	case FMax:
		return func(a, b, _ uint64) uint64 { return fp.Max(f, m, nanp, a, b) }
	case FRnd:
		return func(a, _, _ uint64) uint64 { return fp.Rnd(f, m.Round, ftz, a) }
	}
	return unaryFloat(unaryFloats[code-ir.BasePISA], f, ftz)
}

func unaryFloat(op func(fp.Format, bool, uint64) uint64, f fp.Format, ftz bool) func(a, b, c uint64) uint64 {
	return func(a, _, _ uint64) uint64 { return op(f, ftz, a) }
}

var unaryFloats = [NumCodes - ir.BasePISA]func(fp.Format, bool, uint64) uint64{
	FAbs - ir.BasePISA: fp.Abs, FNeg - ir.BasePISA: fp.Neg, FRc - ir.BasePISA: fp.Frc,
	FRcp - ir.BasePISA: fp.Rcp, FRsqrt - ir.BasePISA: fp.Rsqrt,
	FSin - ir.BasePISA: fp.Sin, FCos - ir.BasePISA: fp.Cos,
	FExp2 - ir.BasePISA: fp.Exp2, FLog2 - ir.BasePISA: fp.Log2, FTanh - ir.BasePISA: fp.Tanh,
}

// evalFCmp is fcmp: all ones for true, of 32 bits or of each element
// (PISA 5.3).
func evalFCmp(_ ir.Code, p uint64) Eval {
	f, ftz, c := TypeOf(p).Format(), Has(p, FFtz), fp.Cmp(OpOf(p))
	if TypeOf(p).Packed() {
		return perHalf(func(a, b, _ uint64) uint64 { return ones(fp.Compare(f, ftz, c, a, b), 16) })
	}
	return func(a, b, _, _ uint64) (uint64, uint64) { return ones(fp.Compare(f, ftz, c, a, b), 32), 0 }
}

// evalToInt is f2i and pf2i (PISA 4.5, 4.15).
func evalToInt(_ ir.Code, p uint64) Eval {
	to, from, r := TypeOf(p).Info(), FromOf(p).Format(), fp.Round(RoundOf(p))
	w, signed := uint(to.Bits), to.Signed
	if to.Lanes > 1 {
		return perHalf(func(a, _, _ uint64) uint64 { return fp.ToInt(w, signed, from, r, a) })
	}
	return func(a, _, _, _ uint64) (uint64, uint64) { return fp.ToInt(w, signed, from, r, a), 0 }
}

// evalFromInt is i2f (PISA 4.10).
func evalFromInt(_ ir.Code, p uint64) Eval {
	to, from, m := TypeOf(p).Format(), FromOf(p).Info(), mode(p)
	return func(a, _, _, _ uint64) (uint64, uint64) {
		return fp.FromInt(to, uint(from.Bits), from.Signed, m, a), 0
	}
}

// evalConvert is fext, ftrunc and ftrunc2, whose sources are .f (PISA 4.6,
// 4.8, 4.9).
func evalConvert(code ir.Code, p uint64) Eval {
	to, m := TypeOf(p).Format(), mode(p)
	if code == FTrunc2 {
		return func(a, b, _, _ uint64) (uint64, uint64) {
			return fp.Convert(to, fp.F, m, a) | fp.Convert(to, fp.F, m, b)<<16, 0
		}
	}
	from := FromOf(p).Format()
	return func(a, _, _, _ uint64) (uint64, uint64) { return fp.Convert(to, from, m, a), 0 }
}
