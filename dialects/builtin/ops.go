// Package builtin is the dialect of what every level of the IR needs: control
// flow, calls, constants and the parallel copy of SSA destruction.
//
// In: nothing. Out: the op table (Defs) and constructors over ir.Builder.
// Promise: the ops mean the same before and after every lowering.
package builtin

import "pisac/ir"

// The ops of the dialect.
const (
	Br           = ir.BaseBuiltin + iota // unconditional branch
	CondBr                               // branch on a predicate: taken, not taken
	Return                               // end of the function or of the work-item
	Call                                 // call of a function of the module
	CallIndirect                         // call through a 64-bit code address
	Const                                // constant
	Unreachable                          // never executed
	ParallelCopy                         // all operands to all results at once
)

var defs = []ir.OpDef{
	{
		Name: "builtin.br", Code: Br, Succs: 1, Effects: ir.Terminator,
		Doc:  "Continues at the target block, whose arguments take the values passed.",
		Spec: "PISA goto",
	},
	{
		Name: "builtin.cond_br", Code: CondBr, Succs: 2, Effects: ir.Terminator,
		Doc:      "Continues at the first target where the predicate is true, at the second elsewhere; work-items may part.",
		Spec:     "PISA goto.cond",
		Operands: []ir.OperandDef{{Name: "cond"}},
		Verify:   verifyCondBr,
	},
	{
		Name: "builtin.return", Code: Return, Effects: ir.Terminator,
		Doc:      "Returns from the function with its value if it has one; in a kernel, ends the work-item.",
		Spec:     "PISA return",
		Operands: []ir.OperandDef{{Name: "value", Optional: true}},
		Verify:   verifyReturn,
	},
	{
		Name: "builtin.call", Code: Call, Syntax: ir.SyntaxCall, Aux: ir.AuxSym, Effects: ir.Calls,
		Doc:      "Calls a device function of the module; arguments and result are those of its signature.",
		Spec:     "PISA call",
		Operands: []ir.OperandDef{{Name: "arg", Variadic: true}},
		Results:  []ir.OperandDef{{Name: "result", Optional: true}},
		Verify:   verifyCall,
	},
	{
		Name: "builtin.call_indirect", Code: CallIndirect, Syntax: ir.SyntaxCallIndirect, Effects: ir.Calls,
		Doc:      "Calls the function at a 64-bit code address, which may differ between work-items; the signature is that of the call.",
		Spec:     "PISA call",
		Operands: []ir.OperandDef{{Name: "callee"}, {Name: "arg", Variadic: true}},
		Results:  []ir.OperandDef{{Name: "result", Optional: true}},
		Verify:   verifyCallIndirect,
	},
	{
		Name: "builtin.const", Code: Const, Syntax: ir.SyntaxConst, Aux: ir.AuxWide,
		Doc:     "The value written, in every element of a vector: Props holds the low 64 bits, Aux the upper half of a 128-bit one.",
		Results: []ir.OperandDef{{Name: "result"}},
		Verify:  verifyConst,
	},
	{
		Name: "builtin.unreachable", Code: Unreachable, Effects: ir.Terminator,
		Doc: "Is never executed: falling off the end of a function that returns a value.",
	},
	{
		Name: "builtin.parallel_copy", Code: ParallelCopy,
		Doc:      "Copies operand i to result i, all at once, so that results may have the registers of other operands.",
		Operands: []ir.OperandDef{{Name: "src", Variadic: true}},
		Results:  []ir.OperandDef{{Name: "dst", Variadic: true}},
		Verify:   verifyParallelCopy,
	},
}

// Defs returns the rows of the dialect.
func Defs() []ir.OpDef { return defs }
