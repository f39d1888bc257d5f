package amdgpu

import "pisac/ir"

// CmpType is the type of a vector comparison's operands.
type CmpType uint8

const (
	CmpI32 CmpType = iota
	CmpU32
	CmpI64
	CmpU64
	CmpI16
	CmpU16
	CmpF32
	CmpF64
	CmpF16
	numIntTypes   = int(CmpF32)
	numFloatTypes = 3
)

// Cond is the condition of a comparison. The unordered ones are the negations
// of ordered ones: true if an operand is NaN.
type Cond uint8

const (
	LT Cond = iota
	EQ
	LE
	GT
	NE
	GE
	// Floats only:
	LG // less or greater
	O  // ordered
	U  // unordered
	NGE
	NLG
	NGT
	NLE
	NEQ
	NLT
	numIntConds   = int(LG)
	numFloatConds = 15
)

var cmpTypes = [...]struct {
	name string
	sig  string
}{
	CmpI32: {"i32", "m = x x"}, CmpU32: {"u32", "m = x x"}, CmpI64: {"i64", "m = x2 x2"}, CmpU64: {"u64", "m = x2 x2"},
	CmpI16: {"i16", "m = x x"}, CmpU16: {"u16", "m = x x"},
	CmpF32: {"f32", "m = x x"}, CmpF64: {"f64", "m = x2 x2"}, CmpF16: {"f16", "m = x x"},
}

var condNames = [...]string{LT: "lt", EQ: "eq", LE: "le", GT: "gt", NE: "ne", GE: "ge", LG: "lg", O: "o", U: "u",
	NGE: "nge", NLG: "nlg", NGT: "ngt", NLE: "nle", NEQ: "neq", NLT: "nlt"}

// Cmp is the code of v_cmp_COND_TYPE. NE of floats is NEQ, true for NaN.
func Cmp(c Cond, t CmpType) ir.Code {
	if t < CmpF32 {
		return firstCmp + ir.Code(int(t)*numIntConds+int(c))
	}
	if c == NE {
		c = NEQ
	}
	return floatCmps(t) + ir.Code(c)
}

// CmpClass is the code of v_cmp_class_TYPE: operand 1 is a set of classes.
func CmpClass(t CmpType) ir.Code { return floatCmps(t) + ir.Code(NE) }

// floatCmps is the first of a float type. NE is no condition of floats: its place
// is the class
// comparison's.
func floatCmps(t CmpType) ir.Code {
	return firstCmp + ir.Code(numIntTypes*numIntConds+int(t-CmpF32)*numFloatConds)
}

// CmpOf is the inverse of Cmp; class reports v_cmp_class.
func CmpOf(code ir.Code) (c Cond, t CmpType, class bool) {
	i := int(code - firstCmp)
	if n := numIntTypes * numIntConds; i >= n {
		i -= n
		c, t = Cond(i%numFloatConds), CmpF32+CmpType(i/numFloatConds)
		return c, t, c == NE
	}
	return Cond(i % numIntConds), CmpType(i / numIntConds), false
}

// swapped is the condition with its operands swapped.
var swapped = [...]Cond{LT: GT, EQ: EQ, LE: GE, GT: LT, NE: NE, GE: LE, LG: LG, O: O, U: U, NGE: NLE, NLG: NLG, NGT: NLT, NLE: NGE, NEQ: NEQ, NLT: NGT}

// Swap is the condition that holds of (b, a) where c holds of (a, b).
func (c Cond) Swap() Cond { return swapped[c] }

// compareRows is VOPC (RDNA3 ISA 16.9).
func compareRows() (rows []Row) {
	for t := CmpI32; t <= CmpF16; t++ {
		n, flags := numIntConds, Flags(0)
		if t >= CmpF32 {
			n, flags = numFloatConds, Float
		}
		if cmpTypes[t].sig != "m = x x" {
			flags |= Double
		}
		for c := LT; int(c) < n; c++ {
			r := Row{Code: Cmp(c, t), Name: "v_cmp_" + condNames[c] + "_" + cmpTypes[t].name, Family: VOPC, Sig: cmpTypes[t].sig, Flags: flags}
			if t >= CmpF32 && c == NE {
				sig := cmpTypes[t].sig
				if t == CmpF64 {
					sig = "m = x2 x"
				}
				r = Row{Code: CmpClass(t), Name: "v_cmp_class_" + cmpTypes[t].name, Family: VOPC, Sig: sig, Flags: flags}
			}
			if swapped[c] == c && r.Code != CmpClass(max(t, CmpF32)) {
				r.Flags |= Commutes
			}
			rows = append(rows, r)
		}
	}
	return rows
}
