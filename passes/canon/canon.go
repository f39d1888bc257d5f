// Package canon is the canonicalisation rules of the pisa dialect, cut by
// topic: integer.go, logic.go, shift.go, compare.go, convert.go, float.go,
// vector.go, address.go.
//
// In: an op. Out: an equal op, or value, that is simpler or the one spelling
// that later passes look for: constants on the right, adding instead of
// subtracting them, unsigned forms where signedness makes no difference, the
// cheapest op of several equal ones. Promised: every rule holds for all bit
// patterns, NaNs, negative zeros, wrap-around and shift amounts included;
// PISA has no undefined value and no rule invents one. Each rule's algebra is
// its Doc; TestRules checks it against the evaluator.
package canon

import (
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/rewrite"
)

// Rules returns every rule.
func Rules() *rewrite.Rules { return rules }

var rules = rewrite.NewRules(commute(), integer, logic, fuse, shift, compare, convert, float, vector, address)

type (
	rw    = *rewrite.Rewriter
	table = []rewrite.Rule
)

// val returns the bits of a constant operand.
func val(op *ir.Op, i int) (uint64, bool) { return pisa.ConstBits(op.Operand(i)) }

// isVal reports that operand i is the constant bits.
func isVal(op *ir.Op, i int, bits uint64) bool {
	v, ok := val(op, i)
	return ok && v == bits
}

// ones is all ones of the op's result, whose total width is at most 64.
func ones(op *ir.Op) uint64 { return onesOf(op.Result(0).Type) }

func onesOf(t ir.Type) uint64 { return ^uint64(0) >> (64 - t.TotalBits()) }

// scalar reports an op on a plain integer type.
func scalar(op *ir.Op) bool { return !pisa.TypeOf(op.Props).Packed() }

// bitsOf is the width of .type.
func bitsOf(op *ir.Op) int { return pisa.TypeOf(op.Props).Info().Bits }

// def returns the op that defines operand i if its code is c, else nil.
func def(op *ir.Op, i int, c ir.Code) *ir.Op { return defOf(op.Operand(i), c) }

func defOf(v *ir.Value, c ir.Code) *ir.Op {
	if d := v.Op(); d != nil && d.Code == c {
		return d
	}
	return nil
}

// once is def for a value that only op uses, so that it dies when op goes.
func once(op *ir.Op, i int, c ir.Code) *ir.Op {
	if d := def(op, i, c); d != nil && op.Operand(i).HasOneUse() {
		return d
	}
	return nil
}

func has(op *ir.Op, f ir.Field) bool { return f.Get(op.Props) != 0 }

// typed returns Props of nothing but .type.
func typed(t pisa.DType) uint64 { return pisa.FType.Put(uint64(t)) }

// to replaces op by v if the rewrite may be done.
func to(w rw, op *ir.Op, v *ir.Value) bool {
	if !w.Commit() {
		return false
	}
	w.Replace(op, v)
	return true
}

// toConst replaces op by a constant.
func toConst(w rw, op *ir.Op, bits uint64) bool {
	if !w.Commit() {
		return false
	}
	w.Replace(op, w.Const(op.Result(0).Type, bits))
	return true
}

// toOp replaces op by a new one of the same result type.
func toOp(w rw, op *ir.Op, code ir.Code, props uint64, operands ...*ir.Value) bool {
	if !w.Commit() {
		return false
	}
	w.Replace(op, w.Value(code, props, op.Result(0).Type, operands...))
	return true
}

// commute puts a constant first operand of every commuting op second.
func commute() table {
	var t table
	for i := range pisa.Table {
		r := &pisa.Table[i]
		if r.Code == 0 || !r.Effects.Has(ir.Commutes) {
			continue
		}
		t = append(t, rewrite.Rule{Name: r.Name + "-constant-right", Root: r.Code, Doc: "c op x => x op c", Apply: constRight})
	}
	return t
}

// constRight leaves a NaN where it is: the first of two is the result.
func constRight(w rw, op *ir.Op) bool {
	c, ok := val(op, 0)
	if t := pisa.TypeOf(op.Props); !ok || t.Info().Float && (t.Format().IsNaN(c&onesOf(t.Info().Elem.Info().Reg)) || t.Packed() && t.Format().IsNaN(c>>16)) {
		return false
	}
	if _, ok := val(op, 1); ok || !w.Commit() {
		return false
	}
	swapOperands(op)
	return true
}

func swapOperands(op *ir.Op) {
	a, b := op.Operand(0), op.Operand(1)
	op.SetOperand(0, b)
	op.SetOperand(1, a)
}
