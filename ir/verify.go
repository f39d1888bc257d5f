package ir

import "fmt"

// Verifier is given to op hooks.
type Verifier struct {
	Fn    *Func
	Diags *Diags
}

// Errorf reports that op breaks invariant inv.
func (v *Verifier) Errorf(op *Op, inv int, format string, args ...any) {
	v.Diags.Error(op.Loc, NoLoc, "IR-I"+string(appendUint(nil, uint64(inv))), fmt.Sprintf("I%d: %s: ", inv, op.Def().Name)+fmt.Sprintf(format, args...))
}

// OperandType checks that operand i of op has type want.
func (v *Verifier) OperandType(op *Op, i int, want Type) bool {
	got := op.operands[i].val.Type
	if got != want {
		v.Errorf(op, 9, "operand %d is %v, not %v", i, got, want)
	}
	return got == want
}

// ResultType checks that result i of op has type want.
func (v *Verifier) ResultType(op *Op, i int, want Type) bool {
	got := op.results[i].Type
	if got != want {
		v.Errorf(op, 9, "result %d is %v, not %v", i, got, want)
	}
	return got == want
}
