package asm

import (
	"pisac/dialects/pisa"
	"pisac/ir"
)

// failKind says why an operand does not fit a form.
type failKind uint8

const (
	failNone failKind = iota
	failCount
	failOperandKind
	failNot        // "!" where none may stand
	failWrite      // a special register is written
	failSwizzle    // the register must be whole
	failMulti      // a swizzle of several elements
	failMovVector  // a whole vector in mov
	failMovImm     // an immediate for elements of a vector
	failType       // width or shape
	failImmRange   //
	failImmFloat   // a float for an integer
	failImmInt     // an integer for a float: a warning
	failImmDigits  //
	failImmInf     //
	failImmVector  //
	failSpace      // a variable of another space
	failBase       // base of an address
	failBaseKind   //
	failBaseParam  // something else than a kernel parameter in ld.param
	failOffset     //
	failOffsetKind //
	failOffsetImm  //
	failAddrOf     // address width of a variable
	failKernel     // address of, or call to, a kernel
	failRetNone    // a value returned where there is none
	failRetMissing //
	failCallRet    //
	failCallCount  //
	failCallArg    //
	failCallKind   //
	failRule
)

// failure is why a form does not take the operands: the further it got, the
// better it tells what was meant.
type failure struct {
	kind  failKind
	rank  int
	arg   int // index in Form.Args
	at    int // index in the operands
	want  ir.Type
	rule  *pisa.Rule
	cand  *candidate
	space ir.Space
}

// softWarning is a warning that holds if the form is chosen.
type softWarning struct {
	code       string
	start, end int
	text, note string
}

// match chooses the form of an instruction by its operands and fills in in.
// It says nothing of an instruction that has an error already.
func (p *parser) match(sp *spelling, in *Instr, raws []raw, count, start, end int, quiet bool) {
	var best failure
	for i := range sp.cands {
		c := &sp.cands[i]
		mark := len(p.fn.Args)
		p.soft = p.soft[:0]
		if p.check(c, raws, count) == failNone {
			in.Form, in.Props = c.form, c.props
			in.off, in.n = uint32(mark), uint32(len(p.fn.Args)-mark)
			for _, w := range c.warn {
				p.warn(w.code, start, end, w.text, note(w.note))
			}
			for _, w := range p.soft {
				p.warn(w.code, w.start, w.end, w.text, note(w.note))
			}
			return
		}
		p.fn.Args = p.fn.Args[:mark]
		if p.fail.cand = c; i == 0 || p.fail.rank > best.rank {
			best = p.fail
		}
	}
	if !quiet {
		p.explain(sp, best, raws, count, start, end)
	}
}

// text is an operand as written.
func (p *parser) text(r *raw) string { return p.src[r.start:r.end] }

func (p *parser) at(off uint32) ir.Loc { return p.base + ir.Loc(off) }

// Ranks of failures at one operand.
const (
	rankKind = iota + 1
	rankType
	rankRule = 1000
)

// bad notes a failure at an operand; what else explain needs is set by the
// caller.
func (p *parser) bad(kind failKind, arg, at, rank int) failKind {
	p.fail = failure{kind: kind, arg: arg, at: at, rank: 1 + arg*4 + rank}
	return kind
}

// badType is bad where another type or space is wanted.
func (p *parser) badType(kind failKind, arg, at int, want ir.Type, space ir.Space) failKind {
	p.bad(kind, arg, at, rankType)
	p.fail.want, p.fail.space = want, space
	return kind
}

// check appends the operands to Func.Args if they fit the form c.
func (p *parser) check(c *candidate, raws []raw, count int) failKind {
	form := c.form
	if count < c.min || count > len(form.Args) {
		p.fail = failure{kind: failCount}
		return failCount
	}
	fn := p.fn
	types := &p.types
	poison := false
	at := 0
	for i := range form.Args {
		a := &form.Args[i]
		types[i] = ir.None
		if at == len(raws) {
			if a.Shape == pisa.ShRet && fn.Ret != ir.None && !p.badRet {
				return p.bad(failRetMissing, i, at, rankType)
			}
			fn.Args = append(fn.Args, Operand{Kind: OpNone})
			continue
		}
		r := &raws[at]
		op := Operand{Not: r.not, Swz: r.swz, Ref: r.ref, Loc: p.at(r.start), End: p.at(r.end)}
		switch r.kind {
		case rawReg, rawSpecial:
			if f := p.checkReg(c, a, i, at, r); f != failNone {
				return f
			}
			op.Kind = OpReg
			if r.kind == rawSpecial {
				op.Kind = OpSpecial
			}
			types[i] = r.typ
		case rawPoison:
			poison = true
		case rawImm:
			f := p.checkImm(c, a, i, at, raws, &op)
			if f != failNone {
				return f
			}
		case rawMem:
			f := p.checkAddress(c, a, i, at, raws)
			if f != failNone {
				return f
			}
			at += 1 + int(r.sub)
			continue
		case rawVar, rawFunc:
			if f := p.checkSymbol(c, a, i, at, r); f != failNone {
				return f
			}
			if op.Kind = OpVar; r.kind == rawFunc {
				op.Kind = OpFunc
			}
		case rawWord:
			switch text := p.text(r); {
			case a.Kinds&pisa.KLabel != 0:
				op.Kind, op.Ref = OpLabel, p.label(text, int(r.start))
			case a.Kinds&pisa.KVoid != 0 && text == "void":
				op.Kind = OpVoid
			default:
				return p.bad(failOperandKind, i, at, rankKind)
			}
		case rawList:
			if f := p.checkCall(c, i, at, raws); f != failNone {
				return f
			}
			at += 1 + int(r.sub)
			continue
		}
		fn.Args = append(fn.Args, op)
		at++
	}
	if !poison {
		for _, rule := range c.rules {
			if !rule.Shape(c.props, types[:]) {
				p.fail = failure{kind: failRule, rule: rule, rank: rankRule}
				return failRule
			}
		}
	}
	return failNone
}

func (p *parser) checkReg(c *candidate, a *pisa.Arg, i, at int, r *raw) failKind {
	if r.typ == ir.Pred {
		switch {
		case a.Kinds&pisa.KPred == 0:
			return p.bad(failOperandKind, i, at, rankKind)
		case r.not && a.Kinds&pisa.KNotPred == 0:
			return p.bad(failNot, i, at, rankType)
		}
		return failNone
	}
	switch {
	case a.Kinds&pisa.KReg == 0:
		return p.bad(failOperandKind, i, at, rankKind)
	case r.not:
		return p.bad(failNot, i, at, rankKind)
	case r.kind == rawSpecial && a.Role != pisa.Src:
		return p.bad(failWrite, i, at, rankType)
	}
	if r.swz != 0 && r.kind == rawReg {
		n := r.swz.Count()
		switch {
		case a.NoSwizzle && (!p.v10 || a.Role == pisa.Tied):
			return p.bad(failSwizzle, i, at, rankType)
		case n > 1 && a.Shape != pisa.ShMov && (!p.v10 || n != 2):
			return p.bad(failMulti, i, at, rankType)
		}
	}
	want := c.want[i]
	switch {
	case want != ir.None:
	case a.Shape == pisa.ShMov:
		if r.swz == 0 && r.typ.IsVector() {
			return p.bad(failMovVector, i, at, rankType)
		}
	case a.Shape == pisa.ShRet && a.Role == pisa.Src && !p.badRet:
		if want = p.fn.Ret; want == ir.None {
			return p.bad(failRetNone, i, at, rankType)
		}
	}
	if want != ir.None && r.typ != want || want == ir.None && !a.Shape.Admits(c.props, r.typ) {
		return p.badType(failType, i, at, want, ir.SpaceNone)
	}
	return failNone
}

func (p *parser) checkImm(c *candidate, a *pisa.Arg, i, at int, raws []raw, op *Operand) failKind {
	r := &raws[at]
	if a.Kinds&pisa.KImm == 0 {
		return p.bad(failOperandKind, i, at, rankKind)
	}
	t := c.imm[i]
	switch a.Shape {
	case pisa.ShMov:
		if n := raws[0].swz.Count(); n > 1 || n == 1 && !p.v10 {
			return p.bad(failMovImm, i, at, rankType)
		}
	case pisa.ShRet:
		if p.badRet {
			return failNone
		}
		if p.fn.Ret == ir.None {
			return p.bad(failRetNone, i, at, rankType)
		}
		if t = pisa.PlainType(p.fn.Ret); t == pisa.NoType {
			return p.bad(failImmVector, i, at, rankType)
		}
	}
	if t == pisa.NoType || t.Packed() {
		return p.bad(failOperandKind, i, at, rankKind)
	}
	v, why := immediate(p.text(r), &r.lit, t)
	switch why {
	case failImmInt:
		p.soft = append(p.soft, softWarning{wIntFloat, int(r.start), int(r.end), "an integer for a floating-point operand; " + clip(p.text(r)) + ".0 is meant", "PISA Operands 3.2: a floating-point immediate is a decimal floating-point literal or hexadecimal bits"})
	case failNone:
	default:
		return p.badType(why, i, at, t.Info().Reg, ir.SpaceNone)
	}
	op.Kind, op.Imm, op.Hi, op.Lit = OpImm, v.Imm, v.Hi, v.Lit
	if why == failImmInt {
		op.Lit = LitFloat
	} else if v.Lit == LitNeg && v.Imm == 0 {
		op.Lit = LitDec // -0
	}
	return failNone
}

func (p *parser) checkSymbol(c *candidate, a *pisa.Arg, i, at int, r *raw) failKind {
	ref := &p.fn.Syms[r.ref]
	if r.kind == rawFunc {
		switch {
		case a.Kinds&pisa.KFunc == 0:
			return p.bad(failOperandKind, i, at, rankKind)
		case ref.Func.Kind == ir.FuncKernel:
			return p.bad(failKernel, i, at, rankType)
		}
		return failNone
	}
	switch {
	case a.Kinds&pisa.KVar == 0:
		return p.bad(failOperandKind, i, at, rankKind)
	case a.Shape == pisa.ShAddrFrom && ref.Var.Space != pisa.FromSpaceOf(c.props):
		return p.badType(failSpace, i, at, ir.None, pisa.FromSpaceOf(c.props))
	case a.Shape == pisa.ShNone && ref.Var.Space.AddrBits() != pisa.TypeOf(c.props).Info().Bits:
		return p.bad(failAddrOf, i, at, rankType)
	}
	return failNone
}

// checkAddress checks a base and an offset (PISA Operands 3.3).
func (p *parser) checkAddress(c *candidate, a *pisa.Arg, i, at int, raws []raw) failKind {
	fn := p.fn
	base := &raws[at+1]
	op := Operand{Swz: base.swz, Ref: base.ref, Loc: p.at(base.start), End: p.at(base.end), HasOff: raws[at].sub > 1}
	width := 0
	switch {
	case a.Kinds&pisa.KParam != 0:
		if width = 32; base.kind == rawParam {
			op.Kind = OpParam
		} else if base.kind != rawPoison {
			return p.bad(failBaseParam, i, at+1, rankType)
		}
	case a.Kinds&pisa.KMem == 0:
		return p.bad(failOperandKind, i, at, rankKind)
	default:
		space := pisa.SpaceOf(c.props)
		width = space.AddrBits()
		switch base.kind {
		case rawReg, rawSpecial:
			if base.typ != ir.Bits(width) {
				return p.badType(failBase, i, at+1, ir.Bits(width), space)
			}
			if op.Kind = OpReg; base.kind == rawSpecial {
				op.Kind = OpSpecial
			}
		case rawVar:
			if fn.Syms[base.ref].Var.Space != space {
				return p.badType(failSpace, i, at+1, ir.None, space)
			}
			op.Kind = OpVar
		case rawFunc:
			return p.bad(failBaseKind, i, at+1, rankType)
		}
	}
	fn.Args = append(fn.Args, op)
	if !op.HasOff {
		if op.Kind == OpParam {
			p.checkParamEnd(c, &raws[at], &fn.KParams[op.Ref], 0)
		}
		return failNone
	}
	return p.checkOffset(c, a, i, at, raws, width)
}

func (p *parser) checkOffset(c *candidate, a *pisa.Arg, i, at int, raws []raw, width int) failKind {
	off := &raws[at+2]
	op := Operand{Swz: off.swz, Ref: off.ref, Loc: p.at(off.start), End: p.at(off.end)}
	switch off.kind {
	case rawReg, rawSpecial:
		if op.Kind = OpReg; off.kind == rawSpecial {
			op.Kind = OpSpecial
		}
		switch t := off.typ; {
		case t == ir.B32 || t == ir.Bits(width):
		case t == ir.B16 && p.offset16(c):
			p.soft = append(p.soft, softWarning{wOffset16, int(off.start), int(off.end), "a .16b offset; it is sign-extended", "PISA Operands 3.3: an offset is as wide as an address"})
		default:
			return p.badType(failOffset, i, at+2, ir.Bits(width), ir.SpaceNone)
		}
	case rawImm:
		bits, ok := intBits(off.lit.val, off.lit.neg, width)
		param := a.Kinds&pisa.KParam != 0
		if param && !off.lit.neg && off.lit.val > 1<<31-1 {
			ok = false // an offset in bytes of the parameter, not an address modulo 2^32
		}
		if off.lit.form == LitFloat || off.lit.big || !ok {
			return p.badType(failOffsetImm, i, at+2, ir.Bits(width), ir.SpaceNone)
		}
		op.Kind, op.Lit = OpImm, off.lit.form
		if op.Imm = bits; width == 32 {
			op.Imm = uint64(int64(int32(bits)))
		}
		if int64(op.Imm) < 0 {
			op.Lit = LitNeg
		} else if op.Lit == LitNeg {
			op.Lit = LitDec // -0
		}
		if base := &raws[at+1]; base.kind == rawParam {
			p.checkParamEnd(c, &raws[at], &p.fn.KParams[base.ref], int64(op.Imm))
		}
	}
	p.fn.Args = append(p.fn.Args, op)
	return failNone
}

// offset16 reports the form whose example in the specification has a 16-bit
// offset: ld.
func (p *parser) offset16(c *candidate) bool {
	return c.form.Args[0].Role == pisa.Dst && hasMem(c.form) && len(c.form.Args) == 2
}

// checkParamEnd warns of a read past a kernel parameter's bytes. Version 1.0
// reads parameters wider than declared: LLVM passes an i1 in one byte.
func (p *parser) checkParamEnd(c *candidate, r *raw, q *ir.Param, off int64) {
	if p.v10 {
		return
	}
	size := int64(pisa.LanesOf(c.props) * pisa.TypeOf(c.props).Info().Bits / 8)
	if off < 0 || off+size > int64(q.Size) {
		p.soft = append(p.soft, softWarning{wParamEnd, int(r.start), int(r.end), "the read reaches outside the bytes of %" + q.Name, "PISA Instruction Set 8.4: a kernel parameter is an array of bytes of the declared size"})
	}
}

// checkCall checks the arguments of a call and its result against the callee.
// The result and the target are the two operands before the list.
func (p *parser) checkCall(c *candidate, i, at int, raws []raw) failKind {
	if c.form.Args[i].Kinds&pisa.KArgList == 0 {
		return p.bad(failOperandKind, i, at, rankKind)
	}
	fn := p.fn
	ret, target, list := &raws[at-2], &raws[at-1], &raws[at]
	var callee *Func
	if target.kind == rawFunc {
		callee = fn.Syms[target.ref].Func
	}
	if callee != nil && callee.badSig {
		callee = nil
	}
	if callee != nil {
		have := ret.typ
		if ret.kind == rawWord {
			have = ir.None
		}
		switch {
		case ret.kind != rawPoison && have != callee.Ret:
			return p.badType(failCallRet, i, at-2, callee.Ret, ir.SpaceNone)
		case int(list.sub) != len(callee.ParamTypes):
			return p.bad(failCallCount, i, at, rankType)
		}
	}
	fn.Args = append(fn.Args, Operand{Kind: OpList, Ref: list.sub, Loc: p.at(list.start), End: p.at(list.end)})
	for k := 0; k < int(list.sub); k++ {
		r := &raws[at+1+k]
		op := Operand{Kind: OpReg, Swz: r.swz, Ref: r.ref, Loc: p.at(r.start), End: p.at(r.end)}
		switch r.kind {
		case rawPoison:
			op.Kind = OpNone
		case rawReg, rawSpecial:
			if r.typ == ir.Pred {
				return p.bad(failCallKind, i, at+1+k, rankType)
			}
			if r.kind == rawSpecial {
				op.Kind = OpSpecial
			} else if n := r.swz.Count(); n > 1 && (!p.v10 || n != 2) {
				return p.bad(failMulti, i, at+1+k, rankType)
			}
			if callee != nil && r.typ != callee.ParamTypes[k] {
				return p.badType(failCallArg, i, at+1+k, callee.ParamTypes[k], ir.SpaceNone)
			}
		default:
			return p.bad(failCallKind, i, at+1+k, rankType)
		}
		fn.Args = append(fn.Args, op)
	}
	return failNone
}
