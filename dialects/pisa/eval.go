package pisa

import "pisac/ir"

// Eval computes one pure op for one lane. Operands and results are raw bits in
// the low bits of a word, bits above the width zero; a packed vector is one
// word, low element first; a predicate operand is 0 or 1, and a
// predicate result is bit 0 of r0 (comparisons give all ones, as their register
// forms want). r1 is the second result (carry-out, borrow-out), 0 for others.
type Eval func(a, b, c, d uint64) (r0, r1 uint64)

// EvalFn returns the semantics of the op with qualifiers props; nil if the op
// is not a function of at most four words (memory, sub-group operations,
// control flow, addresses, registers wider than 64 bits). This is the one
// place where PISA's scalar semantics is written: folding, the interpreter and
// the tests of the backends all use it.
func EvalFn(code ir.Code, props uint64) Eval {
	if code < ir.BasePISA || code >= NumCodes {
		return nil
	}
	if mk := evals[code-ir.BasePISA]; mk != nil {
		return mk(code, props)
	}
	return nil
}

// evals holds, for each pure op, what makes its Eval from the qualifiers.
var evals = [NumCodes - ir.BasePISA]func(code ir.Code, p uint64) Eval{
	Dp4a - ir.BasePISA:  evalDp4a,
	IAbs - ir.BasePISA:  unary(func(w uint) func(uint64) uint64 { return func(a uint64) uint64 { return abs(w, a) } }),
	IAdd - ir.BasePISA:  addSub(false),
	INeg - ir.BasePISA:  unary(func(uint) func(uint64) uint64 { return func(a uint64) uint64 { return -a } }),
	ISub - ir.BasePISA:  addSub(true),
	SDiv - ir.BasePISA:  evalSDiv,
	SMad - ir.BasePISA:  mulAdd(true),
	SMax - ir.BasePISA:  binary(func(w uint) func(a, b uint64) uint64 { return pickSigned(w, true) }),
	SMin - ir.BasePISA:  binary(func(w uint) func(a, b uint64) uint64 { return pickSigned(w, false) }),
	SMul - ir.BasePISA:  mulAdd(true),
	UAddC - ir.BasePISA: evalCarry(false),
	USubB - ir.BasePISA: evalCarry(true),
	UDiv - ir.BasePISA:  evalUDiv,
	UMad - ir.BasePISA:  mulAdd(false),
	UMax - ir.BasePISA:  binary(func(uint) func(a, b uint64) uint64 { return umax }),
	UMin - ir.BasePISA:  binary(func(uint) func(a, b uint64) uint64 { return umin }),
	UMul - ir.BasePISA:  mulAdd(false),

	FAbs - ir.BasePISA:   evalFloat,
	FAdd - ir.BasePISA:   evalFloat,
	FCos - ir.BasePISA:   evalFloat,
	FDiv - ir.BasePISA:   evalFloat,
	FExp2 - ir.BasePISA:  evalFloat,
	FLog2 - ir.BasePISA:  evalFloat,
	FMad - ir.BasePISA:   evalFloat,
	FMax - ir.BasePISA:   evalFloat,
	FMin - ir.BasePISA:   evalFloat,
	FMul - ir.BasePISA:   evalFloat,
	FNeg - ir.BasePISA:   evalFloat,
	FRc - ir.BasePISA:    evalFloat,
	FRcp - ir.BasePISA:   evalFloat,
	FRsqrt - ir.BasePISA: evalFloat,
	FSin - ir.BasePISA:   evalFloat,
	FSqrt - ir.BasePISA:  evalFloat,
	FSub - ir.BasePISA:   evalFloat,
	FTanh - ir.BasePISA:  evalFloat,
	FRnd - ir.BasePISA:   evalFloat,

	And - ir.BasePISA:   logic2(func(a, b uint64) uint64 { return a & b }),
	Asr - ir.BasePISA:   evalShift,
	Bfi - ir.BasePISA:   func(ir.Code, uint64) Eval { return bfi },
	Bfn - ir.BasePISA:   evalBfn,
	Bfrev - ir.BasePISA: func(ir.Code, uint64) Eval { return bfrev },
	Cbit - ir.BasePISA:  unary(func(uint) func(uint64) uint64 { return popcount }),
	Fbh - ir.BasePISA:   unary(findHigh),
	Fbl - ir.BasePISA:   unary(findLow),
	Not - ir.BasePISA:   unary(func(uint) func(uint64) uint64 { return func(a uint64) uint64 { return ^a } }),
	Or - ir.BasePISA:    logic2(func(a, b uint64) uint64 { return a | b }),
	Sbfe - ir.BasePISA:  func(ir.Code, uint64) Eval { return sbfe },
	Shr - ir.BasePISA:   evalShift,
	Shl - ir.BasePISA:   evalShift,
	Shf - ir.BasePISA:   evalShf,
	Ubfe - ir.BasePISA:  func(ir.Code, uint64) Eval { return ubfe },
	Xor - ir.BasePISA:   logic2(func(a, b uint64) uint64 { return a ^ b }),

	F2I - ir.BasePISA:     evalToInt,
	FExt - ir.BasePISA:    evalConvert,
	FTrunc - ir.BasePISA:  evalConvert,
	FTrunc2 - ir.BasePISA: evalConvert,
	I2F - ir.BasePISA:     evalFromInt,
	PF2I - ir.BasePISA:    evalToInt,
	SExt - ir.BasePISA:    evalExtend,
	Trunc - ir.BasePISA:   evalExtend,
	ZExt - ir.BasePISA:    evalExtend,

	SCmp - ir.BasePISA: evalCompare(true),
	UCmp - ir.BasePISA: evalCompare(false),
	FCmp - ir.BasePISA: evalFCmp,
	Sel - ir.BasePISA:  func(ir.Code, uint64) Eval { return sel },
}

// mask returns the low w bits.
func mask(w uint) uint64 { return 1<<(w-1)<<1 - 1 }

// sext sign-extends the low w bits.
func sext(w uint, a uint64) int64 { return int64(a<<(64-w)) >> (64 - w) }

// width is the bits of one element of .type.
func width(p uint64) uint { return uint(TypeOf(p).Info().Bits) }

// unary makes the semantics of a one-operand integer op from that of the
// element; it may leave junk above the width.
func unary(of func(w uint) func(uint64) uint64) func(ir.Code, uint64) Eval {
	return func(_ ir.Code, p uint64) Eval {
		w := width(p)
		m, f := mask(w), of(w)
		return func(a, _, _, _ uint64) (uint64, uint64) { return f(a) & m, 0 }
	}
}

// logic2 is a two-operand op on bits that keeps zeros above the width.
func logic2(f func(a, b uint64) uint64) func(ir.Code, uint64) Eval {
	return func(ir.Code, uint64) Eval {
		return func(a, b, _, _ uint64) (uint64, uint64) { return f(a, b), 0 }
	}
}

// binary makes a two-operand integer op, element by element if packed.
func binary(of func(w uint) func(a, b uint64) uint64) func(ir.Code, uint64) Eval {
	return func(_ ir.Code, p uint64) Eval {
		w := width(p)
		m, f := mask(w), of(w)
		if n := uint(TypeOf(p).Info().Lanes); n > 1 {
			return func(a, b, _, _ uint64) (r, _ uint64) {
				for s := uint(0); s < n*w; s += w {
					r |= f(a>>s&m, b>>s&m) & m << s
				}
				return r, 0
			}
		}
		return func(a, b, _, _ uint64) (uint64, uint64) { return f(a, b) & m, 0 }
	}
}

// perHalf applies f to the two 16-bit elements of a packed type.
func perHalf(f func(a, b, c uint64) uint64) Eval {
	return func(a, b, c, _ uint64) (uint64, uint64) {
		return f(a&0xffff, b&0xffff, c&0xffff) | f(a>>16&0xffff, b>>16&0xffff, c>>16&0xffff)<<16, 0
	}
}

// sel picks src0 if the condition, a predicate or a register, is not zero
// (PISA 5.4).
func sel(a, b, cond, _ uint64) (uint64, uint64) {
	if cond != 0 {
		return a, 0
	}
	return b, 0
}
