package pisa

import (
	"pisac/ir"
)

// verifyOp is the hook of every row: some form must accept the op's
// qualifiers, its types, and its rules. The error is that of the form which
// got furthest.
func verifyOp(v *ir.Verifier, op *ir.Op) {
	r := RowOf(op.Code)
	for i := range r.Forms {
		if stage, _ := r.Forms[i].check(r, op, false); stage == accepted {
			return
		}
	}
	best, text := -1, ""
	for i := range r.Forms {
		if stage, why := r.Forms[i].check(r, op, true); stage > best {
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

// formCheck is what a form needs of Props, derived from its qualifiers.
type formCheck struct {
	mask   uint64 // the places of its qualifiers
	absent uint64 // what all other places hold
	quals  []qualCheck
}

// qualCheck is the set of values of one qualifier.
type qualCheck struct {
	field ir.Field
	any   bool
	set   uint64
}

func (f *Form) newCheck(r *Row) formCheck {
	c := formCheck{absent: f.absentProps(r)}
	for i := range f.Quals {
		q := &f.Quals[i]
		c.mask |= q.Field.Put(1<<q.Field.Width - 1)
		qc := qualCheck{field: q.Field, any: q.Field.Width > 6 && q.Form != ir.QualEnum}
		for val := range uint64(64) {
			ok := q.Allows(val) || q.Name == "type" && r.IRTypes>>val&1 != 0
			switch {
			case q.Form == ir.QualFlag && !q.Optional:
				ok = val == 1
			case q.Name == "memscope":
				ok = ok || val == uint64(NoScope) || val == uint64(GPU)
			}
			if ok {
				qc.set |= 1 << val
			}
		}
		c.quals = append(c.quals, qc)
	}
	return c
}

// check reports how far op is the form's, and if tell is set, why no farther.
func (f *Form) check(r *Row, op *ir.Op, tell bool) (stage int, why string) {
	p := op.Props &^ ir.HasOffset.Put(1)
	for i := range f.checks.quals {
		q := &f.checks.quals[i]
		if val := q.field.Get(p); !q.any && (val > 63 || q.set>>val&1 == 0) {
			return badQuals, told(tell, ".", f.Quals[i].Name, " is not one of the form's")
		}
	}
	if p&^f.checks.mask != f.checks.absent {
		return badQuals, told(tell, "the ", f.Name, " form lacks one of the qualifiers")
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
				return badCount, told(tell, "result ", a.Name, " is missing")
			}
			types[i] = op.Result(nres).Type
			nres++
			if !a.admits(r, op.Props, types[i]) {
				return badTypes, a.mismatch(tell, op.Props, types[i])
			}
		}
		if a.Role != Dst {
			if nop == op.NumOperands() {
				return badCount, told(tell, "operand ", a.Name, " is missing")
			}
			types[i] = op.Operand(nop).Type
			if a.Role == Tied && types[i] != op.Result(nres-1).Type {
				return badTypes, "the old value and the result must be of one type"
			}
			nop++
			if !a.admits(r, op.Props, types[i]) {
				return badTypes, a.mismatch(tell, op.Props, types[i])
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
		return badCount, told(tell, "too many operands or results for the ", f.Name, " form")
	}
	for i := range f.Rules {
		rule := &f.Rules[i]
		if rule.Level == InAsm {
			continue
		}
		if rule.Props != nil && !rule.Props(op.Props) {
			return badRule, rule.Text
		}
		if rule.Shape != nil {
			t := types // a copy, so that only ops with such a rule cost an allocation
			if !rule.Shape(op.Props, t[:]) {
				return badRule, rule.Text
			}
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

// told joins the parts of a reason that somebody wants to hear.
func told(tell bool, a, b, c string) string {
	if !tell {
		return ""
	}
	return a + b + c
}

func (a *Arg) mismatch(tell bool, p uint64, t ir.Type) string {
	if !tell {
		return ""
	}
	if want := a.Shape.Type(p); want != ir.None {
		return a.Name + " is " + t.String() + ", must be " + want.String()
	}
	return a.Name + " cannot be " + t.String()
}
