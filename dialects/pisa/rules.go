package pisa

import "pisac/ir"

// IndexMultipleText is the rule on sub-vectors that only version 0.1 of the
// language has.
const IndexMultipleText = "the index must be a multiple of the number of elements"

// Restrictions of the instruction pages, each with the words of a diagnostic.
var (
	ruleDsatSigned = Rule{Text: "no .dsat with .uu", Props: func(p uint64) bool {
		return !(Has(p, FDsat) && Sign(OpOf(p)) == SignUU)
	}}
	ruleBfn = Rule{Text: "the operation of bfn is 0x01 to 0xfe", Props: func(p uint64) bool {
		return OpOf(p) != 0 && OpOf(p) != 0xff
	}}
	ruleWider = Rule{Text: ".to must be wider than .from", Props: func(p uint64) bool {
		return TypeOf(p).Info().Bits > FromOf(p).Info().Bits
	}}
	ruleNarrower = Rule{Text: ".to must be narrower than .from", Props: func(p uint64) bool {
		return TypeOf(p).Info().Bits < FromOf(p).Info().Bits
	}}
	ruleV3 = Rule{Text: ".v3 needs .32b or .64b", Props: func(p uint64) bool {
		return LanesOf(p) != 3 || TypeOf(p) == T32b || TypeOf(p) == T64b
	}}
	ruleV8 = Rule{Text: ".v8 needs .32b", Props: func(p uint64) bool {
		return LanesOf(p) != 8 || TypeOf(p) == T32b
	}}
	ruleSharedCache = Rule{Text: "no cache control on .shared", Props: func(p uint64) bool {
		return SpaceOf(p) != ir.SpaceShared || Cache(FCache.Get(p)) == CacheNone
	}}
	ruleRelaxedScope = Rule{Text: "a scope needs an order stronger than .relaxed", Level: InAsm, Props: func(p uint64) bool {
		return OrderOf(p) != Relaxed || ScopeOf(p) == NoScope
	}}
	ruleWrap16 = Rule{Text: "no .16b with .incwrap or .decwrap", Props: func(p uint64) bool {
		op := AtomicOp(OpOf(p))
		return TypeOf(p) != T16b || op != AtomIncWrap && op != AtomDecWrap
	}}
	rule128 = Rule{Text: ".128b only with .xchg and .cas", Props: func(p uint64) bool {
		op := AtomicOp(OpOf(p))
		return TypeOf(p) != T128b || op == AtomXchg || op == AtomCas
	}}
	ruleIAtom64 = Rule{Text: ".64b needs .global unless the operation is .cas", Props: func(p uint64) bool {
		return TypeOf(p) != T64b || AtomicOp(OpOf(p)) == AtomCas || SpaceOf(p) == ir.SpaceGlobal
	}}
	ruleFAtomDF = Rule{Text: ".df only with .global and .add or .sub", Props: func(p uint64) bool {
		op := AtomicOp(OpOf(p))
		return TypeOf(p) != DF || SpaceOf(p) == ir.SpaceGlobal && (op == AtomAdd || op == AtomSub)
	}}
	// A10: a warning for .generic, an error for .shared; .generic is left to
	// the assembler.
	ruleAtomic64 = Rule{Text: "atomic .64b needs .global", Props: func(p uint64) bool {
		return TypeOf(p) != T64b || SpaceOf(p) != ir.SpaceShared
	}}
	ruleIncNoSource = Rule{Text: ".inc and .dec take no source operand", Shape: func(p uint64, t []ir.Type) bool {
		return AtomicOp(OpOf(p)).Sources() != 0 || t[2] == ir.None
	}}
	ruleCasSources = Rule{Text: ".cas takes two source operands, the other operations one", Shape: func(p uint64, t []ir.Type) bool {
		n := AtomicOp(OpOf(p)).Sources()
		return n == 0 || (t[2] != ir.None && (t[3] != ir.None) == (n == 2))
	}}
	ruleIndexMultiple = Rule{Text: IndexMultipleText, Level: InAsm, Props: func(p uint64) bool {
		return IndexOf(p)%LanesOf(p) == 0
	}}
	ruleExtractFits = Rule{Text: "the index must lie within the vector", Shape: func(p uint64, t []ir.Type) bool {
		return IndexOf(p)+LanesOf(p) <= t[1].Lanes()
	}}
	ruleInsertFits = Rule{Text: "the index must lie within the vector", Shape: func(p uint64, t []ir.Type) bool {
		return IndexOf(p)+LanesOf(p) <= t[0].Lanes()
	}}
	ruleSReg = Rule{Text: "the result is the register's type, or its element's with a component", Shape: func(p uint64, t []ir.Type) bool {
		if int(OpOf(p)) >= len(SpecialRegs) {
			return false
		}
		want := SpecialRegs[OpOf(p)].Type
		if c := IndexOf(p); c != 0 {
			return want.IsVector() && t[0] == want.Elem()
		}
		return !want.IsVector() && t[0] == want
	}}
	ruleSameBits = Rule{Text: "source and result must have equally many bits", Shape: func(p uint64, t []ir.Type) bool {
		return t[0].IsBits() && t[1].IsBits() && t[0].TotalBits() == t[1].TotalBits()
	}}
	ruleNoOrder = Rule{Text: "no memory order on .private and .const", Level: InAsm, Written: "memorder", Props: func(p uint64) bool {
		return SpaceOf(p) != ir.SpacePrivate && SpaceOf(p) != ir.SpaceConst
	}}
	ruleAtomicScope = Rule{Text: "an atomic access has a scope", Level: InIR, Props: func(p uint64) bool {
		return ScopeOf(p) >= Workgroup
	}}
	ruleWeakScope = Rule{Text: "a weak access has no scope", Props: func(p uint64) bool { return ScopeOf(p) == NoScope }}
)
