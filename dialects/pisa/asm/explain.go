package asm

import (
	"strconv"
	"strings"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// explain reports the failure f of the form that fits best.
func (p *parser) explain(sp *spelling, f failure, raws []raw, count, start, end int) {
	if f.kind == failCount {
		p.explainCount(sp, count, start, end)
		return
	}
	spec := specNote(sp.row)
	if f.kind == failRule {
		p.err(eRule, start, end, f.rule.Text, spec)
		return
	}
	a := &f.cand.form.Args[f.arg]
	if f.kind == failRetMissing {
		p.err(eReturn, start, end, "return needs a value: the function returns "+dotted(p.fn.Ret), note("PISA Calling Convention 4.5: return"))
		return
	}
	r := &raws[f.at]
	at, to := int(r.start), int(r.end)
	notes := []ir.DiagNote{spec}
	if r.kind == rawReg {
		if reg := &p.fn.Regs[r.ref]; reg.Loc != 0 {
			notes = append(notes, p.noteAt(reg.Loc, 0, "%"+reg.Name+" is declared here as "+dotted(reg.Type)))
		}
	}
	switch f.kind {
	case failOperandKind:
		p.err(eKind, at, to, a.Name+" must be "+kindsText(a.Kinds)+", not "+p.rawText(r), notes...)
	case failNot:
		p.err(eKind, at, to, "'!' may stand only before the condition of sel and of the .cond forms", notes...)
	case failWrite:
		p.err(eSpecial, at, to, "special registers cannot be written", note("PISA Special Registers 4: special registers are read only"))
	case failSwizzle, failMulti:
		p.explainSwizzle(&f, a, r, notes)
	case failMovVector:
		p.err(eSwizzle, at, to, "mov takes vectors through .xy, .zw or .xyzw only", spec)
	case failMovImm:
		if raws[0].swz.Count() == 1 {
			p.later(eKind, at, to, "an immediate for an element of a vector", spec)
			return
		}
		p.err(eKind, at, to, "elements of a vector take a register, not an immediate", spec)
	case failType:
		want := dotted(f.want)
		if f.want == ir.None {
			want = shapeText(a.Shape, f.cand.props)
		}
		p.err(codeOfType(a), at, to, a.Name+" is "+dotted(r.typ)+", must be "+want, notes...)
	case failRetNone:
		what := "a void function"
		if p.fn.Kind == ir.FuncKernel {
			what = "a kernel"
		}
		p.err(eReturn, at, to, what+" returns no value", note("PISA Instruction Set 6.3: the value is left out in kernels and void functions"))
	case failImmVector:
		p.err(eKind, at, to, "an immediate cannot be a vector", note("PISA Operands 3.2: there are no vectors of immediate values"))
	case failImmRange:
		p.err(eImmRange, at, to, clip(p.text(r))+" does not fit "+dotted(f.want)+": "+immRangeText(f.want.ElemBits()), note("PISA Operands 3.2: an immediate lies in the signed or unsigned range of its operand"))
	case failImmFloat:
		p.err(eImmForm, at, to, a.Name+" is an integer, "+clip(p.text(r))+" is not", note("PISA Operands 3.2"))
	case failImmDigits:
		p.err(eImmForm, at, to, "the bits of a floating-point operand of "+dotted(f.want)+" are "+strconv.Itoa(f.want.ElemBits()/4)+" hexadecimal digits", note("PISA Operands 3.2: the size of a hexadecimal floating-point value must match the operand"))
	case failImmInf:
		p.err(eImmRange, at, to, clip(p.text(r))+" exceeds the type's range", note("infinity is written as its bits in hexadecimal"))
	default:
		p.explainPlace(&f, r, notes)
	}
}

// explainPlace is explain for addresses, symbols and calls.
func (p *parser) explainPlace(f *failure, r *raw, notes []ir.DiagNote) {
	at, to := int(r.start), int(r.end)
	switch f.kind {
	case failSpace:
		v := p.fn.Syms[r.ref].Var
		p.err(eSpace, at, to, "@"+clip(v.Name)+" lies in ."+v.Space.String()+", not in ."+f.space.String(), p.noteAt(v.Loc, v.End, "declared here"))
	case failBase:
		p.err(eAddress, at, to, "the base of a ."+f.space.String()+" address is "+dotted(f.want)+", not "+dotted(r.typ), notes...)
	case failBaseKind:
		p.err(eAddress, at, to, "a function is not memory", notes...)
	case failBaseParam:
		p.err(eParamUse, at, to, "the base of ld.param is a kernel parameter", notes...)
	case failOffset:
		want := ".32b"
		if f.want != ir.B32 {
			want += " or " + dotted(f.want)
		}
		p.err(eAddress, at, to, "the offset must be "+want+", not "+dotted(r.typ), notes...)
	case failOffsetImm:
		limits := immRangeText(f.want.ElemBits())
		if f.cand.form.Args[f.arg].Kinds&pisa.KParam != 0 {
			limits = "-2147483648 to 2147483647"
		}
		p.err(eImmRange, at, to, "the offset must be an integer from "+limits, note("PISA Operands 3.3"))
	case failAddrOf:
		v := p.fn.Syms[r.ref].Var
		p.err(eOperand, at, to, "an address in ."+v.Space.String()+" has "+strconv.Itoa(v.Space.AddrBits())+" bits", append(notes, p.noteAt(v.Loc, v.End, "declared here"))...)
	case failKernel:
		k := p.fn.Syms[r.ref].Func
		p.err(eCall, at, to, "@"+clip(k.Name)+" is a kernel; only the host invokes it", note("PISA Calling Convention 4.1"), p.noteAt(k.Loc, k.End, "declared here"))
	case failCallRet:
		want := dotted(f.want)
		if f.want == ir.None {
			want = "void"
		}
		have := dotted(r.typ)
		if r.kind == rawWord {
			have = "void"
		}
		p.err(eCall, at, to, "the result is "+have+", the function returns "+want, note("PISA Instruction Set 6.1: the type of retval must match the function's return type"))
	case failCallCount:
		p.err(eCall, at, to, "wrong number of arguments", note("PISA Calling Convention 4.4"))
	case failCallArg:
		p.err(eCall, at, to, "the argument is "+dotted(r.typ)+", the parameter "+dotted(f.want), append([]ir.DiagNote{note("PISA Calling Convention 4.4: arguments are not converted")}, notes[1:]...)...)
	case failCallKind:
		p.err(eCall, at, to, "an argument must be a register", note("PISA Calling Convention 4.4: immediates and predicates are not allowed"))
	}
}

// codeOfType keeps returns apart from operands.
func codeOfType(a *pisa.Arg) string {
	if a.Shape == pisa.ShRet {
		return eReturn
	}
	return eOperand
}

func (p *parser) explainSwizzle(f *failure, a *pisa.Arg, r *raw, notes []ir.DiagNote) {
	switch {
	case p.v10 && a.NoSwizzle:
		p.err(eSwizzle, int(r.start), int(r.end), a.Name+" must be a whole register", notes...)
	case p.v10:
		p.err(eSwizzle, int(r.start), int(r.end), "only mov takes .xyzw", notes...)
	case f.kind == failSwizzle:
		p.later(eSwizzle, int(r.start), int(r.end), "a swizzle of "+a.Name, notes...)
	case r.swz.Count() > 2:
		p.err(eSwizzle, int(r.start), int(r.end), "only mov takes .xyzw", notes...)
	default:
		p.later(eSwizzle, int(r.start), int(r.end), "a two-element swizzle outside mov", notes...)
	}
}

func (p *parser) explainCount(sp *spelling, count, start, end int) {
	var want []string
	for i := range sp.cands {
		c := &sp.cands[i]
		for n := c.min; n <= len(c.form.Args); n++ {
			if s := strconv.Itoa(n); !contains(want, s) {
				want = append(want, s)
			}
		}
	}
	var args []string
	for i := range sp.cands[0].form.Args {
		a := &sp.cands[0].form.Args[i]
		name := a.Name
		if a.Kinds&pisa.KVoid != 0 {
			name += " (or void)"
		}
		args = append(args, name)
	}
	noun := " operands, not "
	if len(want) == 1 && want[0] == "1" {
		noun = " operand, not "
	}
	p.err(eCount, start, end, sp.row.Name+" takes "+strings.Join(want, " or ")+noun+strconv.Itoa(count), note(specNote(sp.row).Text+" "+strings.Join(args, ", ")))
}

func dotted(t ir.Type) string {
	if t == ir.Pred {
		return "a predicate"
	}
	return "." + t.String()
}

func shapeText(s pisa.Shape, props uint64) string {
	switch s {
	case pisa.ShAny32:
		return "a vector of .32b"
	case pisa.ShMov:
		return strconv.Itoa(pisa.TypeOf(props).Info().Bits) + " bits in all"
	}
	return "another type"
}

var kindNames = []struct {
	kind pisa.Kinds
	name string
}{
	{pisa.KReg, "a register"}, {pisa.KPred, "a predicate"}, {pisa.KVar, "a memory variable"},
	{pisa.KFunc, "a function"}, {pisa.KImm, "an immediate"}, {pisa.KMem, "an address in brackets"},
	{pisa.KParam, "a kernel parameter in brackets"}, {pisa.KLabel, "a label"}, {pisa.KVoid, "void"},
	{pisa.KArgList, "a list of arguments in parentheses"},
}

func kindsText(k pisa.Kinds) string {
	var names []string
	for _, x := range kindNames {
		if k&x.kind != 0 {
			names = append(names, x.name)
		}
	}
	return strings.Join(names, " or ")
}

func (p *parser) rawText(r *raw) string {
	switch r.kind {
	case rawReg, rawSpecial:
		if r.typ == ir.Pred {
			return "a predicate"
		}
		return "a register"
	case rawImm:
		return "an immediate"
	case rawMem:
		return "an address"
	case rawVar:
		return "a variable"
	case rawFunc:
		return "a function"
	case rawList:
		return "a list in parentheses"
	}
	return "'" + clip(p.text(r)) + "'"
}
