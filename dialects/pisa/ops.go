// Package pisa is the dialect of PISA's own instructions: one Row per
// mnemonic, with the specification's words. In goes nothing but the table;
// out come the op definitions for package ir, the grammar of the assembler
// (asm), the semantics (eval, interp) and the reference page docs/pisa-ops.md.
// Section numbers are those of the specification's instruction chapters.
package pisa

import "pisac/ir"

// Codes of the dialect's ops.
const (
	Dp4a ir.Code = ir.BasePISA + iota
	IAbs
	IAdd
	INeg
	ISub
	SDiv
	SMad
	SMax
	SMin
	SMul
	UAddC
	USubB
	UDiv
	UMad
	UMax
	UMin
	UMul
	FAbs
	FAdd
	FCos
	FDiv
	FExp2
	FLog2
	FMad
	FMax
	FMin
	FMul
	FNeg
	FRc
	FRcp
	FRsqrt
	FSin
	FSqrt
	FSub
	FTanh
	And
	Asr
	Bfi
	Bfn
	Bfrev
	Cbit
	Fbh
	Fbl
	Not
	Or
	Sbfe
	Shr
	Shl
	Shf
	Ubfe
	Xor
	AddrCast
	AddrOf
	ExtractDynamic
	Extract
	F2I
	FExt
	FRnd
	FTrunc
	FTrunc2
	I2F
	InsertDynamic
	Insert
	IsAddr
	PF2I
	SExt
	Trunc
	ZExt
	SCmp
	UCmp
	FCmp
	Sel
	FRed
	IRed
	RedFirstIdx
	Shfl
	FAtom
	IAtom
	Ld
	LdParam
	St
	BarrierWorkgroup
	Fence
	ReadSReg
	Bitcast
	NumCodes
)

// Operands as the rows use them.
func dst(s Shape) Arg              { return Arg{Name: "dst", Role: Dst, Kinds: KReg, Shape: s} }
func tied(s Shape) Arg             { return Arg{Name: "dst", Role: Tied, Kinds: KReg, Shape: s} }
func src(name string, s Shape) Arg { return Arg{Name: name, Kinds: KReg | KImm, Shape: s} }
func reg(name string, s Shape) Arg { return Arg{Name: name, Kinds: KReg, Shape: s} }
func optArg(a Arg) Arg             { a.Optional = true; return a }
func whole(a Arg) Arg              { a.NoSwizzle = true; return a }
func pred(name string, r Role) Arg { return Arg{Name: name, Role: r, Kinds: KPred, Shape: ShPred} }
func np(name string) Arg           { return Arg{Name: name, Kinds: KPred | KNotPred, Shape: ShPred} }
func mem() Arg                     { return Arg{Name: "addr", Kinds: KMem, Shape: ShAddr} }

var (
	dT, s0T, s1T, s2T = dst(ShType), src("src0", ShType), src("src1", ShType), src("src2", ShType)
	dP, s0P, s1P, s2P = dst(ShPacked), reg("src0", ShPacked), reg("src1", ShPacked), reg("src2", ShPacked)
	d32, s032, s132   = dst(Sh32), src("src0", Sh32), src("src1", Sh32)
	s232, s332        = src("src2", Sh32), src("src3", Sh32)
	dPred             = pred("pred", Dst)
	cOut, cIn         = pred("carry-out", Dst), pred("carry-in", Src)
	bOut, bIn         = pred("borrow-out", Dst), pred("borrow-in", Src)

	un, bin, tern    = []Arg{dT, s0T}, []Arg{dT, s0T, s1T}, []Arg{dT, s0T, s1T, s2T}
	unP, binP, ternP = []Arg{dP, s0P}, []Arg{dP, s0P, s1P}, []Arg{dP, s0P, s1P, s2P}
	shift, shiftP    = []Arg{dT, s0T, s132}, []Arg{dP, s0P, s132}
	wideBin          = []Arg{dst(Sh2Type), s0T, s1T}
	wideTern         = []Arg{dst(Sh2Type), s0T, s1T, src("src2", Sh2Type)}
	cmpReg           = []Arg{d32, s0T, s1T}
	cmpPred          = []Arg{dPred, s0T, s1T}
)

type qs = []ir.Qual

// since10 marks a form that only language version 1.0 has.
var since10 = ir.Version{Major: 1, Minor: 0}

// bin3 is the forms of a plain binary op: scalar and packed.
func intForms(scalar qs, packed ir.Qual) []Form {
	fs := []Form{{Name: "scalar", Quals: append(append(qs{}, scalar...), tInt), Args: bin}}
	return append(fs, Form{Name: "packed", Quals: append(append(qs{}, scalar...), packed), Args: binP})
}

// mulForms is the forms of smul and umul.
func mulForms(packed bool) []Form {
	fs := []Form{
		{Name: "full", Quals: qs{qFull, typ(T16b, T32b)}, Args: wideBin},
		{Name: "scalar", Quals: qs{tInt}, Args: bin},
	}
	if packed {
		fs = append(fs, Form{Name: "packed", Quals: qs{t16x2}, Args: binP})
	}
	return fs
}

func madForms(packed bool) []Form {
	fs := []Form{
		{Name: "full", Quals: qs{qFull, typ(T16b, T32b)}, Args: wideTern},
		{Name: "scalar", Quals: qs{tInt}, Args: tern},
	}
	if packed {
		fs = append(fs, Form{Name: "packed", Quals: qs{t16x2}, Args: ternP})
	}
	return fs
}

// floatForms is a scalar form on the types of t and a packed one.
func floatForms(quals qs, t ir.Qual, scalar, packed []Arg) []Form {
	return []Form{
		{Name: "scalar", Quals: append(append(qs{}, quals...), t), Args: scalar},
		{Name: "packed", Quals: append(append(qs{}, quals...), tPk), Args: packed},
	}
}

func carryForms(out, in Arg, since ir.Version) []Form {
	return []Form{
		{Name: "ci.co", Quals: qs{qCi, qCo, t32}, Args: []Arg{d32, out, s032, s132, in}, Since: since},
		{Name: "ci", Quals: qs{qCi, t32}, Args: []Arg{d32, s032, s132, in}, Since: since},
		{Name: "co", Quals: qs{qCo, t32}, Args: []Arg{d32, out, s032, s132}, Since: since},
	}
}

func shiftForms() []Form {
	return []Form{
		{Name: "scalar", Quals: qs{tInt}, Args: shift},
		{Name: "packed", Quals: qs{t16x2}, Args: shiftP},
	}
}

var (
	allSpaces  = space(ir.SpaceGlobal, ir.SpaceGeneric, ir.SpaceShared)
	rmwOrder   = opt(order(Relaxed, Release, Acquire, AcqRel), Relaxed)
	rmwScope   = opt(scope(Workgroup, GPU, System), NoScope)
	atomSource = []Arg{dT, mem(), reg("src0", ShType), optArg(reg("src1", ShType))}
	incSource  = []Arg{dT, mem(), optArg(reg("src0", ShType)), optArg(reg("src1", ShType))} // .inc and .dec take none
)

// Table is the dialect, in the order of the specification's chapters.
var Table = [...]Row{
	// 1 Integer arithmetic.
	{Code: Dp4a, Name: "dp4a", Spec: "1.1", Doc: "Sum of four products of bytes, added to an accumulator.",
		Forms: []Form{{Name: "base", Quals: qs{enum("signedness", FOp, signNames, 0), qDsat, t32},
			Args: []Arg{d32, s032, s132, s232}, Rules: []Rule{ruleDsatSigned}}}},
	{Code: IAbs, Name: "iabs", Spec: "1.2", Doc: "Absolute value; the most negative integer is its own.",
		Forms: []Form{{Name: "base", Quals: qs{tInt}, Args: un}}},
	{Code: IAdd, Name: "iadd", Spec: "1.3", Doc: "Sum, modulo 2^n or clamped to the signed range.", Effects: ir.Commutes,
		Forms: intForms(qs{qDsat}, typ(T8bx4, T16bx2))},
	{Code: INeg, Name: "ineg", Spec: "1.4", Doc: "Two's complement negation.",
		Forms: []Form{{Name: "base", Quals: qs{tInt}, Args: un}}},
	{Code: ISub, Name: "isub", Spec: "1.5", Doc: "Difference, modulo 2^n or clamped to the signed range.",
		Forms: intForms(qs{qDsat}, t16x2)},
	{Code: SDiv, Name: "sdiv", Spec: "1.6", Doc: "Signed quotient, truncated, or remainder with the dividend's sign.",
		Forms: []Form{{Name: "base", Quals: qs{qOut, tInt}, Args: bin}}},
	{Code: SMad, Name: "smad", Spec: "1.7", Doc: "Signed product plus addend.", Effects: ir.Commutes, Forms: madForms(true)},
	{Code: SMax, Name: "smax", Spec: "1.8", Doc: "Signed maximum.", Effects: ir.Commutes, Forms: intForms(nil, typ(T8bx4, T16bx2))},
	{Code: SMin, Name: "smin", Spec: "1.9", Doc: "Signed minimum.", Effects: ir.Commutes, Forms: intForms(nil, typ(T8bx4, T16bx2))},
	{Code: SMul, Name: "smul", Spec: "1.10", Doc: "Signed product; .full is twice as wide.", Effects: ir.Commutes, Forms: mulForms(true)},
	{Code: UAddC, Name: "uaddc", Spec: "1.11", Doc: "Sum with carry in and carry out.", Forms: carryForms(cOut, cIn, ir.Version{})},
	{Code: USubB, Name: "usubb", Spec: "1.11", Doc: "Difference with borrow in and borrow out.", Forms: carryForms(bOut, bIn, since10)},
	{Code: UDiv, Name: "udiv", Spec: "1.12", Doc: "Unsigned quotient or remainder.",
		Forms: []Form{{Name: "base", Quals: qs{qOut, tInt}, Args: bin}}},
	{Code: UMad, Name: "umad", Spec: "1.13", Doc: "Unsigned product plus addend.", Effects: ir.Commutes, Forms: madForms(false)},
	{Code: UMax, Name: "umax", Spec: "1.14", Doc: "Unsigned maximum.", Effects: ir.Commutes, Forms: intForms(nil, t16x2)},
	{Code: UMin, Name: "umin", Spec: "1.15", Doc: "Unsigned minimum.", Effects: ir.Commutes, Forms: intForms(nil, t16x2)},
	{Code: UMul, Name: "umul", Spec: "1.16", Doc: "Unsigned product; .full is twice as wide.", Effects: ir.Commutes, Forms: mulForms(false)},

	// 2 Floating-point arithmetic.
	{Code: FAbs, Name: "fabs", Spec: "2.1", Doc: "Absolute value.", Forms: floatForms(qs{qFtz}, tFloat, un, unP)},
	{Code: FAdd, Name: "fadd", Spec: "2.2", Doc: "Sum.", Effects: ir.Commutes, Forms: floatForms(qs{qRound, qFtz, qDsat}, tFloat, bin, binP)},
	{Code: FCos, Name: "fcos", Spec: "2.3", Doc: "Cosine of an angle in radians.", Forms: floatForms(qs{qFtz}, tTrans, un, unP)},
	{Code: FDiv, Name: "fdiv", Spec: "2.4", Doc: "Quotient.", Forms: []Form{
		{Name: "ieee", Quals: qs{qRound, qFtz, typ(F, DF)}, Args: bin},
		{Name: "fast", Quals: qs{qFtz, qFast, tFloat}, Args: bin}}},
	{Code: FExp2, Name: "fexp2", Spec: "2.5", Doc: "Power of two.", Forms: floatForms(qs{qFtz}, tTrans, un, unP)},
	{Code: FLog2, Name: "flog2", Spec: "2.6", Doc: "Logarithm to base two.", Forms: floatForms(qs{qFtz}, tTrans, un, unP)},
	{Code: FMad, Name: "fmad", Spec: "2.7", Doc: "Product plus addend, rounded once.", Effects: ir.Commutes, Forms: floatForms(qs{qRound, qFtz, qDsat}, tFloat, tern, ternP)},
	{Code: FMax, Name: "fmax", Spec: "2.8", Doc: "Maximum; a NaN gives way to a number unless .nanp.", Effects: ir.Commutes, Forms: floatForms(qs{qFtz, qDsat, qNanp}, tFloat, bin, binP)},
	{Code: FMin, Name: "fmin", Spec: "2.9", Doc: "Minimum; a NaN gives way to a number unless .nanp.", Effects: ir.Commutes, Forms: floatForms(qs{qFtz, qDsat, qNanp}, tFloat, bin, binP)},
	{Code: FMul, Name: "fmul", Spec: "2.10", Doc: "Product; .full gives .f from .hf or .bf.", Effects: ir.Commutes, Forms: append([]Form{
		{Name: "full", Quals: qs{qFull, qRound, qFtz, qDsat, typ(BF, HF)}, Args: wideBin}},
		floatForms(qs{qRound, qFtz, qDsat}, tFloat, bin, binP)...)},
	{Code: FNeg, Name: "fneg", Spec: "2.11", Doc: "Flips the sign bit.", Forms: floatForms(qs{qFtz}, tFloat, un, unP)},
	{Code: FRc, Name: "frc", Spec: "2.12", Doc: "Fraction: x minus its floor.", Forms: []Form{{Name: "base", Quals: qs{qFtz, typ(F)}, Args: un}}},
	{Code: FRcp, Name: "frcp", Spec: "2.13", Doc: "Reciprocal.", Forms: floatForms(qs{qFtz}, tTrans, un, unP)},
	{Code: FRsqrt, Name: "frsqrt", Spec: "2.14", Doc: "Reciprocal square root.", Forms: floatForms(qs{qFtz, qFast}, tFloat, un, unP)},
	{Code: FSin, Name: "fsin", Spec: "2.15", Doc: "Sine of an angle in radians.", Forms: floatForms(qs{qFtz}, tTrans, un, unP)},
	{Code: FSqrt, Name: "fsqrt", Spec: "2.16", Doc: "Square root.", Forms: []Form{
		{Name: "ieee", Quals: qs{qRound, qFtz, typ(F, DF)}, Args: un},
		{Name: "fast", Quals: qs{qFtz, qFast, tFloat}, Args: un},
		{Name: "packed", Quals: qs{qFtz, qFast, tPk}, Args: unP}}},
	{Code: FSub, Name: "fsub", Spec: "2.17", Doc: "Difference.", Forms: floatForms(qs{qRound, qFtz, qDsat}, tFloat, bin, binP)},
	{Code: FTanh, Name: "ftanh", Spec: "2.18", Doc: "Hyperbolic tangent.", Forms: floatForms(qs{qFtz}, tTrans, un, unP)},

	// 3 Logic, shifts, bit fields.
	{Code: And, Name: "and", Spec: "3.1", Doc: "Bitwise and.", Effects: ir.Commutes, Forms: []Form{{Name: "base", Quals: qs{tInt}, Args: bin}}},
	{Code: Asr, Name: "asr", Spec: "3.2", Doc: "Arithmetic shift right by src1[5:0].", Forms: shiftForms()},
	{Code: Bfi, Name: "bfi", Spec: "3.3", Doc: "Inserts src1's low bits into src0 at an offset.",
		Forms: []Form{{Name: "base", Quals: qs{t32}, Args: []Arg{d32, s032, s132, s232, s332}}}},
	{Code: Bfn, Name: "bfn", Spec: "3.4", Doc: "Any bitwise function of three operands, by truth table.",
		Forms: []Form{{Name: "base", Quals: qs{qBfn, t32}, Args: []Arg{d32, s032, s132, s232}, Rules: []Rule{ruleBfn}}}},
	{Code: Bfrev, Name: "bfrev", Spec: "3.5", Doc: "Reverses the bits.", Forms: []Form{{Name: "base", Quals: qs{t32}, Args: []Arg{d32, s032}}}},
	{Code: Cbit, Name: "cbit", Spec: "3.6", Doc: "Counts set bits.", Forms: []Form{{Name: "base", Quals: qs{typ(T16b, T32b)}, Args: un}}},
	{Code: Fbh, Name: "fbh", Spec: "3.7", Doc: "Zeros above the highest set bit; all ones for 0.", Forms: []Form{{Name: "base", Quals: qs{typ(T16b, T32b)}, Args: un}}},
	{Code: Fbl, Name: "fbl", Spec: "3.8", Doc: "Index of the lowest set bit; all ones for 0.", Forms: []Form{{Name: "base", Quals: qs{typ(T16b, T32b)}, Args: un}}},
	{Code: Not, Name: "not", Spec: "3.9", Doc: "Bitwise complement.", Forms: []Form{{Name: "base", Quals: qs{tInt}, Args: un}}},
	{Code: Or, Name: "or", Spec: "3.10", Doc: "Bitwise or.", Effects: ir.Commutes, Forms: []Form{{Name: "base", Quals: qs{tInt}, Args: bin}}},
	{Code: Sbfe, Name: "sbfe", Spec: "3.11", Doc: "Signed bit field.", Forms: []Form{{Name: "base", Quals: qs{t32}, Args: []Arg{d32, s032, s132, s232}}}},
	{Code: Shr, Name: "shr", Spec: "3.12", Doc: "Logical shift right by src1[5:0].", Forms: shiftForms()},
	{Code: Shl, Name: "shl", Spec: "3.13", Doc: "Shift left by src1[5:0].", Forms: shiftForms()},
	{Code: Shf, Name: "shf", Spec: "3.14", Doc: "Funnel shift of {src0:src1} by src2[4:0].",
		Forms: []Form{{Name: "base", Quals: qs{enum("dir", FOp, dirNames, 0), t32}, Args: []Arg{d32, s032, s132, s232}}}},
	{Code: Ubfe, Name: "ubfe", Spec: "3.15", Doc: "Unsigned bit field.", Forms: []Form{{Name: "base", Quals: qs{t32}, Args: []Arg{d32, s032, s132, s232}}}},
	{Name: "bfe", Spec: "3.15", Doc: "Alias of ubfe.", Forms: []Form{{Name: "base", Quals: qs{t32}, Args: []Arg{d32, s032, s132, s232}, Since: since10}}},
	{Code: Xor, Name: "xor", Spec: "3.16", Doc: "Bitwise exclusive or.", Effects: ir.Commutes, Forms: []Form{{Name: "base", Quals: qs{tInt}, Args: bin}}},

	// 4 Data movement and conversion.
	{Code: AddrCast, Name: "addrcast", Spec: "4.1", Doc: "Converts an address to or from the generic space.", Forms: []Form{
		{Name: "to_generic", Quals: qs{castTo(ir.SpaceGeneric), castFrom(ir.SpacePrivate, ir.SpaceShared, ir.SpaceGlobal, ir.SpaceConst)},
			Args: []Arg{dst(Sh64), {Name: "src0", Kinds: KReg | KVar, Shape: ShAddrFrom}}},
		{Name: "from_generic", Quals: qs{castTo(ir.SpaceGlobal, ir.SpacePrivate, ir.SpaceShared), castFrom(ir.SpaceGeneric)},
			Args: []Arg{dst(ShAddr), reg("src0", Sh64)}}}},
	{Code: AddrOf, Name: "addrof", Spec: "4.2", Doc: "Address of a variable or function.", Forms: []Form{
		{Name: "var", Quals: qs{typ(T32b, T64b)}, Args: []Arg{dT, {Name: "src0", Kinds: KVar}}},
		{Name: "func", Quals: qs{typ(T64b)}, Args: []Arg{dT, {Name: "src0", Kinds: KFunc}}}}},
	{Code: ExtractDynamic, Name: "extract.dynamic", Spec: "4.3", Doc: "Element of a vector at a run-time index.",
		Forms: []Form{{Name: "base", Quals: qs{qAnyVec, t32}, Args: []Arg{d32, whole(reg("src0", ShVec32)), reg("index", Sh32)}}}},
	{Code: Extract, Name: "extract", Spec: "4.4", Doc: "Element or sub-vector at a constant index.", IRTypes: set(T8b, T16b, T64b), Forms: []Form{
		{Name: "scalar", Quals: qs{qIndex, t32}, Args: []Arg{whole(d32), whole(reg("src0", ShAny32))}, Rules: []Rule{ruleExtractFits}},
		{Name: "vec", Quals: qs{qIndex, qAnyVec, t32}, Args: []Arg{whole(dst(ShVec32)), whole(reg("src0", ShAny32))}, Rules: []Rule{ruleIndexMultiple, ruleExtractFits}}}},
	{Code: F2I, Name: "f2i", Spec: "4.5", Doc: "Float to integer, rounded, then clamped; NaN gives 0.",
		Forms: []Form{{Name: "base", Quals: qs{toT(U8, S8, U16, S16, U32, S32, U64, S64), fromT(BF, HF, F, DF), qRoundZ}, Args: []Arg{dst(ShTo), src("src0", ShFrom)}}}},
	{Code: FExt, Name: "fext", Spec: "4.6", Doc: "To a wider float format, exactly.",
		Forms: []Form{{Name: "base", Quals: qs{toT(F, DF), fromT(BF, HF, F)}, Args: []Arg{dst(ShTo), src("src0", ShFrom)}, Rules: []Rule{ruleWider}}}},
	{Code: FRnd, Name: "frnd", Spec: "4.7", Doc: "Rounds to an integral value.",
		Forms: []Form{{Name: "base", Quals: qs{qRoundM, qFtz, tFloat}, Args: un}}},
	{Code: FTrunc, Name: "ftrunc", Spec: "4.8", Doc: "To a narrower float format.",
		Forms: []Form{{Name: "base", Quals: qs{toT(BF, HF, F), fromT(F, DF), qRound, qFtz, qDsat}, Args: []Arg{dst(ShTo), src("src0", ShFrom)}, Rules: []Rule{ruleNarrower}}}},
	{Code: FTrunc2, Name: "ftrunc2", Spec: "4.9", Doc: "Two floats to a packed pair: low from src0, high from src1.",
		Forms: []Form{{Name: "base", Quals: qs{toT(BFx2, HFx2), qRound, qFtz, qDsat}, Args: []Arg{dst(ShPacked), reg("src0", Sh32), reg("src1", Sh32)}}}},
	{Code: I2F, Name: "i2f", Spec: "4.10", Doc: "Integer to float.",
		Forms: []Form{{Name: "base", Quals: qs{toT(BF, HF, F, DF), fromT(U8, S8, U16, S16, U32, S32, U64, S64), qRound, qDsat}, Args: []Arg{dst(ShTo), src("src0", ShFrom)}}}},
	{Code: InsertDynamic, Name: "insert.dynamic", Spec: "4.11", Doc: "Replaces the element at a run-time index.",
		Forms: []Form{{Name: "base", Quals: qs{qAnyVec, t32}, Args: []Arg{whole(tied(ShVec32)), reg("src0", Sh32), reg("index", Sh32)}}}},
	{Code: Insert, Name: "insert", Spec: "4.12", Doc: "Replaces an element or sub-vector at a constant index.", IRTypes: set(T8b, T16b, T64b), Forms: []Form{
		{Name: "scalar", Quals: qs{qIndex, t32}, Args: []Arg{whole(tied(ShAny32)), whole(reg("src0", Sh32))}, Rules: []Rule{ruleInsertFits}},
		{Name: "vec", Quals: qs{qIndex, qAnyVec, t32}, Args: []Arg{whole(tied(ShAny32)), whole(reg("src0", ShVec32))}, Rules: []Rule{ruleIndexMultiple, ruleInsertFits}}}},
	{Code: IsAddr, Name: "isaddr", Spec: "4.13", Doc: "All ones if a generic address lies in the space, else 0.",
		Forms: []Form{{Name: "base", Quals: qs{space(ir.SpacePrivate, ir.SpaceShared, ir.SpaceGlobal)}, Args: []Arg{d32, reg("src0", Sh64)}}}},
	{Name: "mov", Spec: "4.14", Doc: "Copies bits; swizzles select elements of vectors.",
		Forms: []Form{{Name: "base", Quals: qs{typ(T8b, T16b, T32b, T64b, T128b)}, Args: []Arg{dst(ShMov), src("src0", ShMov)}}}},
	{Code: PF2I, Name: "pf2i", Spec: "4.15", Doc: "Packed floats to packed integers, rounded, then clamped.",
		Forms: []Form{{Name: "base", Quals: qs{toT(U16x2, S16x2), fromT(BFx2, HFx2), qRoundZ}, Args: []Arg{dst(ShPacked), reg("src0", ShPackFrom)}}}},
	{Code: SExt, Name: "sext", Spec: "4.16", Doc: "Sign extension.",
		Forms: []Form{{Name: "base", Quals: qs{toT(T16b, T32b, T64b), fromT(T8b, T16b, T32b)}, Args: []Arg{dst(ShTo), src("src0", ShFrom)}, Rules: []Rule{ruleWider}}}},
	{Code: Trunc, Name: "trunc", Spec: "4.17", Doc: "Low bits.",
		Forms: []Form{{Name: "base", Quals: qs{toT(T8b, T16b, T32b), fromT(T16b, T32b, T64b)}, Args: []Arg{dst(ShTo), src("src0", ShFrom)}, Rules: []Rule{ruleNarrower}}}},
	{Code: ZExt, Name: "zext", Spec: "4.18", Doc: "Zero extension.",
		Forms: []Form{{Name: "base", Quals: qs{toT(T16b, T32b, T64b), fromT(T8b, T16b, T32b)}, Args: []Arg{dst(ShTo), src("src0", ShFrom)}, Rules: []Rule{ruleWider}}}},

	// 5 Comparison and selection.
	{Code: SCmp, Name: "scmp", Spec: "5.1", Doc: "Signed comparison.", Forms: []Form{
		{Name: "pred", Quals: qs{qCop, tInt}, Args: cmpPred},
		{Name: "reg", Quals: qs{qCop, tInt}, Args: cmpReg}}},
	{Code: UCmp, Name: "ucmp", Spec: "5.2", Doc: "Unsigned comparison.", Forms: []Form{
		{Name: "pred", Quals: qs{qCop, tInt}, Args: cmpPred},
		{Name: "reg", Quals: qs{qCop, tInt}, Args: cmpReg},
		{Name: "packed", Quals: qs{qCop, t16x2}, Args: binP}}},
	{Code: FCmp, Name: "fcmp", Spec: "5.3", Doc: "Floating-point comparison; with a NaN only ne holds.", Forms: []Form{
		{Name: "pred", Quals: qs{qCop, qFtz, tFloat}, Args: cmpPred},
		{Name: "reg", Quals: qs{qCop, qFtz, tFloat}, Args: cmpReg},
		{Name: "packed", Quals: qs{qCop, qFtz, tPk}, Args: binP}}},
	{Code: Sel, Name: "sel", Spec: "5.4", Doc: "src0 if the condition holds, else src1.", Forms: []Form{
		{Name: "reg", Quals: qs{tInt}, Args: []Arg{dT, s0T, s1T, reg("cond", ShType)}},
		{Name: "pred", Quals: qs{tInt}, Args: []Arg{dT, s0T, s1T, np("cond")}},
		{Name: "pred-float", Quals: qs{tFloat}, Args: []Arg{dT, s0T, s1T, np("cond")}, Since: since10}}},

	// 6 Control flow: builtin ops after ssabuild.
	{Name: "call", Spec: "6.1", Doc: "Calls a function.", Forms: []Form{
		{Name: "uncond", Args: callArgs},
		{Name: "cond", Quals: qs{qCond}, Args: append([]Arg{np("pred")}, callArgs...)}}},
	{Name: "goto", Spec: "6.2", Doc: "Branches to a label.", Forms: []Form{
		{Name: "uncond", Args: []Arg{label}},
		{Name: "cond", Quals: qs{qCond}, Args: []Arg{np("pred"), label}}}},
	{Name: "return", Spec: "6.3", Doc: "Ends the work-item's call.", Forms: []Form{
		{Name: "uncond", Args: []Arg{optArg(src("retval", ShRet))}},
		{Name: "cond", Quals: qs{qCond}, Args: []Arg{np("pred"), optArg(src("retval", ShRet))}}}},

	// 7 Sub-group operations.
	{Code: FRed, Name: "fred", Spec: "7.1", Doc: "Reduction of floats over lanes of a mask.", Effects: ir.Convergent, Forms: []Form{
		{Name: "scalar", Quals: qs{red(RedMin, RedMax, RedAbsMax), qNanp, tTrans}, Args: []Arg{tied(ShType), reg("src0", ShType), s132}},
		{Name: "packed", Quals: qs{red(RedMin, RedMax, RedAbsMax), qNanp, tPk}, Args: []Arg{tied(ShPacked), s0P, s132}}}},
	{Code: IRed, Name: "ired", Spec: "7.2", Doc: "Reduction of integers over lanes of a mask.", Effects: ir.Convergent, Forms: []Form{
		{Name: "base", Quals: qs{red(RedSum, RedSMin, RedSMax, RedUMin, RedUMax, RedAnd, RedOr, RedXor, RedAbsMax), typ(T16b, T32b)},
			Args: []Arg{tied(ShType), reg("src0", ShType), s132}}}},
	{Code: RedFirstIdx, Name: "redfirstidx", Spec: "7.3", Doc: "Lowest active lane of a mask.", Effects: ir.Convergent,
		Forms: []Form{{Name: "base", Quals: qs{t32}, Args: []Arg{d32, s032}}}},
	{Code: Shfl, Name: "shfl", Spec: "7.4", Doc: "Reads a register of another lane.", Effects: ir.Convergent,
		Forms: []Form{{Name: "base", Quals: qs{enum("op", FOp, shflNames, 0), qSg, t32}, Args: []Arg{tied(Sh32), reg("src0", Sh32), s132, s232}}}},

	// 8 Memory access.
	{Code: FAtom, Name: "fatom", Spec: "8.1", Doc: "Atomic read-modify-write of a float; gives the old value.", Effects: ir.ReadsMem | ir.WritesMem | ir.Ordered,
		Forms: []Form{{Name: "base", Quals: qs{allSpaces, rmwOrder, rmwScope, cache(ccAtomic), atom(AtomAdd, AtomSub, AtomMin, AtomMax, AtomCas), tFloat},
			Args: atomSource, Rules: []Rule{ruleCasSources, ruleSharedCache, ruleRelaxedScope, ruleAtomicScope, ruleFAtomDF}}}},
	{Code: IAtom, Name: "iatom", Spec: "8.2", Doc: "Atomic read-modify-write of an integer; gives the old value.", Effects: ir.ReadsMem | ir.WritesMem | ir.Ordered,
		Forms: []Form{{Name: "base", Quals: qs{allSpaces, rmwOrder, rmwScope, cache(ccAtomic),
			atom(AtomAdd, AtomSub, AtomSMin, AtomSMax, AtomUMin, AtomUMax, AtomAnd, AtomOr, AtomXor, AtomXchg, AtomCas, AtomInc, AtomDec, AtomIncWrap, AtomDecWrap),
			typ(T16b, T32b, T64b, T128b)},
			Args: incSource, Rules: []Rule{ruleIncNoSource, ruleCasSources, ruleSharedCache, ruleRelaxedScope, ruleAtomicScope, ruleWrap16, rule128, ruleIAtom64}}}},
	{Code: Ld, Name: "ld", Spec: "8.3", Doc: "Loads from memory.", Effects: ir.ReadsMem | ir.Ordered, Forms: []Form{
		{Name: "weak", Quals: qs{opt(space(ir.SpaceGlobal, ir.SpaceGeneric, ir.SpaceShared, ir.SpacePrivate, ir.SpaceConst), ir.SpaceGeneric), opt(order(Weak), Weak), cache(ccLoad), qMemVec, typ(T8b, T16b, T32b, T64b)},
			Args: []Arg{dst(ShVec), mem()}, Rules: []Rule{ruleV3, ruleV8, ruleSharedCache, ruleNoOrder, ruleWeakScope}},
		{Name: "atomic", Quals: qs{opt(allSpaces, ir.SpaceGeneric), order(Relaxed, Acquire, SeqCst), rmwScope, cache(ccAtomic), typ(T16b, T32b, T64b, T128b)},
			Args: []Arg{dT, mem()}, Rules: []Rule{ruleSharedCache, ruleRelaxedScope, ruleAtomicScope, ruleAtomic64}}}},
	{Code: LdParam, Name: "ld.param", Spec: "8.4", Doc: "Loads a kernel argument.",
		Forms: []Form{{Name: "base", Quals: qs{qMemVec, typ(T8b, T16b, T32b, T64b)},
			Args: []Arg{dst(ShVec), {Name: "vaddr", Kinds: KParam}}, Rules: []Rule{ruleV3, ruleV8}}}},
	{Code: St, Name: "st", Spec: "8.5", Doc: "Stores to memory.", Effects: ir.WritesMem | ir.Ordered, Forms: []Form{
		{Name: "weak", Quals: qs{opt(space(ir.SpaceGlobal, ir.SpaceGeneric, ir.SpaceShared, ir.SpacePrivate), ir.SpaceGeneric), opt(order(Weak), Weak), cache(ccStore), qMemVec, typ(T8b, T16b, T32b, T64b)},
			Args: []Arg{mem(), reg("src0", ShVec)}, Rules: []Rule{ruleV3, ruleV8, ruleSharedCache, ruleNoOrder, ruleWeakScope}},
		{Name: "atomic", Quals: qs{opt(allSpaces, ir.SpaceGeneric), order(Relaxed, Release, SeqCst), rmwScope, cache(ccAtomic), typ(T16b, T32b, T64b, T128b)},
			Args: []Arg{mem(), reg("src0", ShType)}, Rules: []Rule{ruleSharedCache, ruleRelaxedScope, ruleAtomicScope, ruleAtomic64}}}},

	// 9 Synchronisation.
	{Code: BarrierWorkgroup, Name: "barrier.workgroup", Spec: "9.1", Doc: "Waits for all work-items of the work-group.", Effects: ir.Barrier | ir.FenceEffect | ir.Convergent | ir.ReadsMem | ir.WritesMem,
		Forms: []Form{{Name: "base"}}},
	{Code: Fence, Name: "fence", Spec: "9.2", Doc: "Orders memory accesses.", Effects: ir.FenceEffect | ir.Ordered | ir.ReadsMem | ir.WritesMem, Forms: []Form{
		{Name: "shared_generic", Quals: qs{opt(space(ir.SpaceShared, ir.SpaceGeneric), ir.SpaceGeneric), fenceOrder, scope(Workgroup, GPU)}},
		{Name: "global", Quals: qs{space(ir.SpaceGlobal), fenceOrder, scope(Workgroup, GPU, System)}},
		{Name: "subgroup", Quals: qs{scope(Subgroup)}}}},

	// Ops that assembly writes otherwise.
	{Code: ReadSReg, Name: "sreg", Spec: "4.4", Doc: "Reads a special register or one component of it.", Effects: ir.ReadsLane, IROnly: true,
		Forms: []Form{{Name: "base", Quals: qs{enum("register", FOp, sregNames, 0), opt(enum("component", FIndex, compNames, 0), uint8(0))},
			Args: []Arg{dst(ShAny)}, Rules: []Rule{ruleSReg}}}},
	{Code: Bitcast, Name: "bitcast", Doc: "The same bits as another register shape, low element first (mov with a swizzle).", IROnly: true,
		Forms: []Form{{Name: "base", Args: []Arg{dst(ShAny), reg("src0", ShAny)}, Rules: []Rule{ruleSameBits}}}},
	{Name: "lifetime.start", Doc: "The register's old value is dead; no code.",
		Forms: []Form{{Name: "base", Args: []Arg{{Name: "r", Kinds: KReg | KPred, Shape: ShAny}}, Since: since10}}},
}

var (
	qCond      = must(flagQual("cond", ir.Field{Shift: 39, Width: 1}))
	label      = Arg{Name: "label", Kinds: KLabel}
	callArgs   = []Arg{{Name: "retval", Role: Dst, Kinds: KReg | KVoid, Shape: ShRet}, {Name: "target", Kinds: KFunc | KReg, Shape: Sh64}, {Name: "args", Kinds: KArgList}}
	fenceOrder = opt(order(Acquire, Release, AcqRel, SeqCst), AcqRel)
)

func castTo(s ...ir.Space) ir.Qual { return enum("to", FSpace, spaceNames, set(s...)) }

func castFrom(s ...ir.Space) ir.Qual { return enum("from", FSpFr, spaceNames, set(s...)) }
