package litmus

import (
	"pisac/dialects/pisa"
	"pisac/ir"
)

// access appends a load, store or atomic.
func (f *body) access(o *ir.Op) {
	p := o.Props
	in := blank(o)
	in.Space, in.Order, in.Scope, in.Type = pisa.SpaceOf(p), pisa.OrderOf(p), pisa.ScopeOf(p), pisa.TypeOf(p)
	in.Text = o.String()
	info := in.Type.Info()
	if info.Bits > 64 {
		f.fail(o.Loc, "accesses of %d bits are not modelled", info.Bits)
		return
	}
	switch in.Space {
	case ir.SpaceGlobal, ir.SpaceShared, ir.SpaceGeneric:
	default:
		f.fail(o.Loc, "accesses of .%v memory are not modelled: only .global, .shared and .generic", in.Space)
		return
	}
	in.Width = uint8(info.Bits / 8)
	next := o.Def().Addr
	f.address(&in, o, o.Operand(next-1))
	if ir.HasOffset.Get(p) != 0 {
		f.offset(&in, o, o.Operand(next))
		next++
	}
	switch o.Code {
	case pisa.Ld:
		in.Op, in.Lanes = OpLoad, uint8(pisa.LanesOf(p))
		f.load(in, o.Result(0))
	case pisa.St:
		in.Op, in.Lanes = OpStore, uint8(pisa.LanesOf(p))
		v := o.Operand(next)
		if in.Lanes > 1 {
			elems := f.elements(v)
			if in.B = elems[0]; packed(v.Type) || in.B.Slot < 0 {
				base := f.fresh(int32(in.Lanes))
				for i, e := range elems {
					f.eval(o, base+int32(i), e, noOperand, func(a, _, _, _ uint64) (uint64, uint64) { return a, 0 })
				}
				in.B = slot(base)
			}
		} else {
			in.B = f.operand(v)
		}
		f.emit(in)
	default:
		in.Op, in.Fn, in.Float = OpRMW, pisa.AtomicOp(pisa.OpOf(p)), o.Code == pisa.FAtom
		if n := o.NumOperands() - next; n > 0 {
			in.B = f.operand(o.Operand(next))
			if n > 1 {
				in.C = f.operand(o.Operand(next + 1))
			}
		}
		in.Dst = f.of(o.Result(0))
		in.rmwEval()
		f.emit(in)
	}
}

// load appends a load; one of packed elements goes through spare slots.
func (f *body) load(in Instr, v *ir.Value) {
	if in.Lanes == 1 || !packed(v.Type) {
		in.Dst = f.of(v)
		f.emit(in)
		return
	}
	n := int32(in.Lanes)
	in.Dst = f.fresh(n)
	f.emit(in)
	elems := make([]Operand, n)
	for i := range n {
		elems[i] = slot(in.Dst + i)
	}
	f.setElements(v, elems)
}

// address fills in the base of an access: a variable by name where it is one.
func (f *body) address(in *Instr, o *ir.Op, v *ir.Value) {
	if d := v.Op(); d != nil && d.Code == pisa.AddrOf {
		if va := f.m.Symbol(d.Aux).Var; va != nil {
			if k, ok := f.vars[va]; ok && (in.Space == ir.SpaceShared) == (f.p.Vars[k].Space == Shared) && in.Space != ir.SpaceGeneric {
				in.Lit, in.Var = true, k
				return
			}
			f.known(o, va)
		}
	}
	in.A = f.operand(v)
}

// known reports a variable that is not modelled.
func (f *body) known(o *ir.Op, va *ir.Var) bool {
	if _, ok := f.vars[va]; !ok {
		f.fail(o.Loc, "@%s is in .%v memory, which is not modelled: only .global and .shared", va.Name, va.Space)
		return false
	}
	return true
}

func (f *body) offset(in *Instr, o *ir.Op, v *ir.Value) {
	in.Off = f.operand(v)
	if v.Type != ir.B32 {
		return
	}
	if in.Off.Slot < 0 {
		in.Off.Imm = uint64(int64(int32(in.Off.Imm)))
		return
	}
	at := f.fresh(1) // a 32-bit offset is signed
	f.eval(o, at, in.Off, noOperand, func(a, _, _, _ uint64) (uint64, uint64) { return uint64(int64(int32(a))), 0 })
	in.Off = slot(at)
}

// eval appends a computation of this package's own.
func (f *body) eval(o *ir.Op, dst int32, a, b Operand, fn pisa.Eval) {
	in := blank(o)
	in.Op, in.Dst, in.A, in.B, in.Eval = OpEval, dst, a, b, fn
	f.emit(in)
}

// pure appends an op without memory.
func (f *body) pure(o *ir.Op) {
	if e := pisa.EvalFn(o.Code, o.Props); e != nil && o.NumOperands() <= 4 {
		in := blank(o)
		in.Op, in.Eval, in.Text = OpEval, e, o.String()
		for i, dst := range []*Operand{&in.A, &in.B, &in.C, &in.D} {
			if i < o.NumOperands() {
				*dst = f.operand(o.Operand(i))
			}
		}
		in.Dst = f.of(o.Result(0))
		in.Pred = o.Result(0).Type == ir.Pred
		if o.NumResults() > 1 {
			in.Dst2 = f.of(o.Result(1))
		}
		f.emit(in)
		return
	}
	switch o.Code {
	case pisa.AddrOf:
		va := f.m.Symbol(o.Aux).Var
		if va == nil {
			f.fail(o.Loc, "addresses of functions are not modelled")
			return
		}
		if f.known(o, va) {
			in := blank(o)
			in.Op, in.Dst, in.A = OpMove, f.of(o.Result(0)), imm(f.p.addressOf(f.vars[va]))
			f.emit(in)
		}
	case pisa.AddrCast:
		f.addrCast(o)
	case pisa.IsAddr:
		shared := pisa.SpaceOf(o.Props) == ir.SpaceShared
		private := pisa.SpaceOf(o.Props) == ir.SpacePrivate
		f.eval(o, f.of(o.Result(0)), f.operand(o.Operand(0)), noOperand, func(a, _, _, _ uint64) (uint64, uint64) {
			if !private && (a&sharedAperture != 0) == shared {
				return 0xffffffff, 0
			}
			return 0, 0
		})
	case pisa.Extract:
		first, n := pisa.IndexOf(o.Props), pisa.LanesOf(o.Props)
		f.setElements(o.Result(0), f.elements(o.Operand(0))[first:first+n])
	case pisa.Insert:
		elems := append([]Operand(nil), f.elements(o.Operand(0))...)
		copy(elems[pisa.IndexOf(o.Props):], f.elements(o.Operand(1)))
		f.setElements(o.Result(0), elems)
	case pisa.Bitcast:
		f.bitcast(o)
	case pisa.ReadSReg:
		f.special(o)
	default:
		f.fail(o.Loc, "%s is not modelled in litmus tests", o.Def().Name)
	}
}

func (f *body) addrCast(o *ir.Op) {
	to, from := pisa.SpaceOf(o.Props), pisa.FromSpaceOf(o.Props)
	var bit, mask uint64 = 0, ^uint64(0)
	switch {
	case to == ir.SpaceGeneric && from == ir.SpaceShared:
		bit = sharedAperture
	case to == ir.SpaceShared:
		mask = 0xffffffff
	case to == ir.SpaceGeneric && from == ir.SpaceGlobal, to == ir.SpaceGlobal:
	default:
		f.fail(o.Loc, "addresses of .%v and .%v memory are not modelled", to, from)
		return
	}
	var src Operand
	if o.NumOperands() > 0 {
		src = f.operand(o.Operand(0))
	} else if va := f.m.Symbol(o.Aux).Var; va != nil && f.known(o, va) {
		src = imm(f.p.addressOf(f.vars[va]))
	}
	f.eval(o, f.of(o.Result(0)), src, noOperand, func(a, _, _, _ uint64) (uint64, uint64) { return a&mask | bit, 0 })
}

// elements are the elements of a value, those of a packed one taken apart.
func (f *body) elements(v *ir.Value) []Operand {
	if !v.Type.IsVector() {
		return []Operand{f.operand(v)}
	}
	f.materialise(v)
	n := v.Type.Lanes()
	out := make([]Operand, n)
	if !packed(v.Type) {
		for i := range n {
			out[i] = slot(f.of(v) + int32(i))
		}
		return out
	}
	w := uint(v.Type.ElemBits())
	for i := range n {
		at, sh := f.fresh(1), uint(i)*w
		f.eval(v.Op(), at, slot(f.of(v)), noOperand, func(a, _, _, _ uint64) (uint64, uint64) { return a >> sh & (1<<w - 1), 0 })
		out[i] = slot(at)
	}
	return out
}

// setElements makes v of elements.
func (f *body) setElements(v *ir.Value, elems []Operand) {
	dst := f.of(v)
	if !packed(v.Type) {
		for i, e := range elems {
			in := blank(v.Op())
			in.Op, in.Dst, in.A = OpMove, dst+int32(i), e
			f.emit(in)
		}
		return
	}
	w := uint(v.Type.ElemBits())
	acc := imm(0)
	for i, e := range elems {
		at, sh := dst, uint(i)*w
		if i < len(elems)-1 {
			at = f.fresh(1)
		}
		f.eval(v.Op(), at, acc, e, func(a, b, _, _ uint64) (uint64, uint64) { return a | b<<sh, 0 })
		acc = slot(at)
	}
}

// bitcast regroups bits, low element first.
func (f *body) bitcast(o *ir.Op) {
	src, v := f.elements(o.Operand(0)), o.Result(0)
	sw, dw := o.Operand(0).Type.ElemBits(), v.Type.ElemBits()
	if sw > 64 || dw > 64 {
		f.fail(o.Loc, "values of more than 64 bits are not modelled")
		return
	}
	var out []Operand
	for i := 0; i*dw < sw*len(src); i++ {
		acc := imm(0)
		for k, e := range src {
			if (k+1)*sw <= i*dw || k*sw >= (i+1)*dw {
				continue
			}
			at, shift := f.fresh(1), k*sw-i*dw
			f.eval(o, at, acc, e, func(a, b, _, _ uint64) (uint64, uint64) {
				if shift >= 0 {
					b <<= uint(shift)
				} else {
					b >>= uint(-shift)
				}
				return a | b&(1<<(dw-1)<<1-1), 0
			})
			acc = slot(at)
		}
		out = append(out, acc)
	}
	f.setElements(v, out)
}

// special reads a special register: where the work-item stands.
func (f *body) special(o *ir.Op) {
	rank, lane := 0, 0
	for i := range f.t {
		if u := &f.p.Threads[i]; u.WG == f.th.WG {
			rank++
			if u.SG == f.th.SG {
				lane++
			}
		}
	}
	var first uint64
	switch pisa.SReg(pisa.OpOf(o.Props)) {
	case pisa.SLocalID:
		first = uint64(rank)
	case pisa.SGroupID:
		first = uint64(f.th.WG)
	case pisa.SLaneID:
		first = uint64(lane)
	case pisa.SSubgroupSize:
		first = 32
	default:
		f.fail(o.Loc, "%s: of the special registers only localid, groupid, laneid and subgroupsize are known to a litmus test", o)
		return
	}
	if c := pisa.IndexOf(o.Props); c > 1 {
		first = 0 // .y, .z
	}
	dst := f.of(o.Result(0))
	for i := range words(o.Result(0).Type) {
		in := blank(o)
		in.Op, in.Dst, in.A = OpMove, dst+i, imm(first)
		f.emit(in)
		first = 0
	}
}
