package pisa

import (
	"pisac/ir"
)

// verifyOp is the hook of every row: some form must accept the op's
// qualifiers, its types, and its rules. The error is that of the form which
// got furthest.
func verifyOp(v *ir.Verifier, op *ir.Op) {
	r := RowOf(op.Code)
	best, text := -1, ""
	for i := range r.Forms {
		stage, why := r.Forms[i].check(r, op)
		if stage == accepted {
			return
		}
		if stage > best {
			best, text = stage, why
		}
	}
	v.Errorf(op, 9, "%s", text)
}

// Stages of Form.check, in the order of the checks.
const (
	badQuals = iota
	badCount
	badTypes
	badRule
	accepted
)

func (f *Form) check(r *Row, op *ir.Op) (stage int, why string) {
	p := op.Props &^ ir.HasOffset.Put(1)
	rest := p
	for i := range f.Quals {
		q := &f.Quals[i]
		val := q.Field.Get(p)
		rest = q.Field.Set(rest, 0)
		ok := q.Allows(val) || q.Name == "type" && r.IRTypes>>val&1 != 0
		switch {
		case q.Form == ir.QualFlag && !q.Optional:
			ok = val == 1
		case q.Name == "memscope":
			ok = ok || val == uint64(NoScope) || val == uint64(GPU)
		}
		if !ok {
			return badQuals, "." + q.Name + " is not one of the form's"
		}
	}
	if rest != f.absent {
		return badQuals, "the " + f.Name + " form lacks one of the qualifiers"
	}
	var types [6]ir.Type
	nop, nres := 0, 0
	fixed := op.NumOperands() - f.minOperands(op)
	for i := range f.Args {
		a := &f.Args[i]
		switch {
		case a.Kinds&KReg == 0 && a.Kinds&(KVar|KFunc) != 0:
			continue // in Aux
		case a.Kinds&KParam != 0:
			if fixed > 0 {
				if op.NumOperands() != 1 || op.Operand(0).Type != ir.B32 {
					return badTypes, "the offset must be 32b"
				}
				nop++
				fixed--
			}
			continue
		case a.Optional:
			if fixed <= 0 {
				continue
			}
			fixed--
		}
		if a.Role != Src {
			if nres == op.NumResults() {
				return badCount, "result " + a.Name + " is missing"
			}
			types[i] = op.Result(nres).Type
			nres++
			if !a.admits(r, op.Props, types[i]) {
				return badTypes, a.mismatch(op.Props, types[i])
			}
		}
		if a.Role != Dst {
			if nop == op.NumOperands() {
				return badCount, "operand " + a.Name + " is missing"
			}
			types[i] = op.Operand(nop).Type
			if a.Role == Tied && types[i] != op.Result(nres-1).Type {
				return badTypes, "the old value and the result must be of one type"
			}
			nop++
			if !a.admits(r, op.Props, types[i]) {
				return badTypes, a.mismatch(op.Props, types[i])
			}
			if a.Kinds&KMem != 0 && ir.HasOffset.Get(op.Props) != 0 {
				if nop == op.NumOperands() {
					return badCount, "the offset of the address is missing"
				}
				off := op.Operand(nop).Type
				if off != ir.B32 && off != types[i] {
					return badTypes, "an offset must be 32b or as wide as the base"
				}
				nop++
			}
		}
	}
	if nop != op.NumOperands() || nres != op.NumResults() {
		return badCount, "too many operands or results for the " + f.Name + " form"
	}
	for i := range f.Rules {
		rule := &f.Rules[i]
		if rule.Level == InAsm {
			continue
		}
		if rule.Props != nil && !rule.Props(op.Props) || rule.Shape != nil && !rule.Shape(op.Props, types[:]) {
			return badRule, rule.Text
		}
	}
	return accepted, ""
}

// minOperands is the number of operands that the form has without its
// optional ones.
func (f *Form) minOperands(op *ir.Op) int {
	n := int(ir.HasOffset.Get(op.Props))
	for i := range f.Args {
		a := &f.Args[i]
		if a.Role != Dst && !a.Optional && a.Kinds&(KReg|KImm|KPred|KMem) != 0 {
			n++
		}
	}
	return n
}

// absentProps is what the qualifiers that the form has not, but the op has,
// hold: their defaults.
func (f *Form) absentProps(r *Row) (p uint64) {
	for i := range r.quals {
		q := &r.quals[i]
		if !f.hasQual(q.Name) {
			p = q.Field.Set(p, q.Default)
		}
	}
	return p
}

func (a *Arg) admits(r *Row, p uint64, t ir.Type) bool {
	if r.IRTypes != 0 && t.IsBits() { // extract, insert: elements of any width
		elem := TypeOf(p).Info().Reg
		switch a.Shape {
		case Sh32:
			return t == elem
		case ShVec32:
			return t == ir.Vector(LanesOf(p), elem)
		case ShAny32:
			return t.IsVector() && t.Elem() == elem
		}
	}
	return a.Shape.Admits(p, t)
}

func (a *Arg) mismatch(p uint64, t ir.Type) string {
	if want := a.Shape.Type(p); want != ir.None {
		return a.Name + " is " + t.String() + ", must be " + want.String()
	}
	return a.Name + " cannot be " + t.String()
}
