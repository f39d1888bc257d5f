package interp

import (
	"math/bits"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// pisa decodes an op of the dialect.
func (d *decoder) pisa(in *inst, o *ir.Op) {
	switch o.Code {
	case pisa.ReadSReg:
		d.sreg(in, o)
	case pisa.AddrOf:
		d.addrOf(in, o)
	case pisa.AddrCast:
		d.addrCast(in, o)
	case pisa.IsAddr:
		in.run = runIsAddr
		in.variant = uint8(isAddrTag(pisa.SpaceOf(o.Props)))
	case pisa.Bitcast:
		d.bitcast(in, o)
	case pisa.Extract:
		d.extract(in, o)
	case pisa.Insert:
		d.insert(in, o)
	case pisa.ExtractDynamic:
		in.run = runExtractDynamic
		in.imm = uint64(o.Operand(0).Type.Lanes())
	case pisa.InsertDynamic:
		in.run = runInsertDynamic
		in.imm = uint64(o.Operand(0).Type.Lanes())
	case pisa.IRed, pisa.FRed:
		d.reduce(in, o)
	case pisa.RedFirstIdx:
		in.run = runFirst
	case pisa.Shfl:
		in.run = runShfl
		in.variant = pisa.OpOf(o.Props)
		in.segmented = pisa.Has(o.Props, pisa.FSg)
	case pisa.LdParam:
		d.loadParam(in, o)
	case pisa.Ld, pisa.St, pisa.IAtom, pisa.FAtom:
		d.memory(in, o)
	case pisa.Fence:
		in.run = runNothing
		if d.eng.races != nil {
			in.run = runFence
		}
	default:
		d.eval(in, o)
	}
}

func runNothing(*subgroup, *inst, uint32) {}

// eval decodes a pure scalar op.
func (d *decoder) eval(in *inst, o *ir.Op) {
	in.eval = pisa.EvalFn(o.Code, o.Props)
	if in.eval == nil {
		panic("interp: no evaluator for " + o.Def().Name)
	}
	if fast := fastRun(o); fast != nil {
		in.run = fast
		return
	}
	in.variant = uint8(o.NumOperands())
	switch {
	case in.dst2 >= 0:
		in.run = runEval2
	case o.Result(0).Type == ir.Pred:
		in.run = runCompare
	case o.Code == pisa.SDiv || o.Code == pisa.UDiv:
		in.run = runDivide
		in.imm = shapeOf(o.Operand(1).Type).mask()
	case o.NumOperands() == 1:
		in.run = runUnary
	case o.NumOperands() == 2:
		in.run = runBinary
	case o.NumOperands() == 3:
		in.run = runTernary
	default:
		in.run = runEval4
	}
}

const full = ^uint32(0)

func runUnary(s *subgroup, in *inst, mask uint32) {
	d, a, f := &s.regs[in.dst], &s.regs[in.src[0]], in.eval
	if mask == full {
		for l := range d {
			d[l], _ = f(a[l], 0, 0, 0)
		}
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l], _ = f(a[l], 0, 0, 0)
	}
}

func runBinary(s *subgroup, in *inst, mask uint32) {
	d, a, b, f := &s.regs[in.dst], &s.regs[in.src[0]], &s.regs[in.src[1]], in.eval
	if mask == full {
		for l := range d {
			d[l], _ = f(a[l], b[l], 0, 0)
		}
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l], _ = f(a[l], b[l], 0, 0)
	}
}

// runCompare is for predicate results, of which EvalFn defines only bit 0.
func runCompare(s *subgroup, in *inst, mask uint32) {
	d, a, b, f := &s.regs[in.dst], &s.regs[in.src[0]], &s.regs[in.src[1]], in.eval
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		r, _ := f(a[l], b[l], 0, 0)
		d[l] = r & 1
	}
}

func runTernary(s *subgroup, in *inst, mask uint32) {
	d, a, b, c, f := &s.regs[in.dst], &s.regs[in.src[0]], &s.regs[in.src[1]], &s.regs[in.src[2]], in.eval
	if mask == full {
		for l := range d {
			d[l], _ = f(a[l], b[l], c[l], 0)
		}
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l], _ = f(a[l], b[l], c[l], 0)
	}
}

func runEval4(s *subgroup, in *inst, mask uint32) {
	d, a, b, c, e, f := &s.regs[in.dst], &s.regs[in.src[0]], &s.regs[in.src[1]], &s.regs[in.src[2]], &s.regs[in.src[3]], in.eval
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l], _ = f(a[l], b[l], c[l], e[l])
	}
}

// runEval2 is for ops with a second result: carries.
func runEval2(s *subgroup, in *inst, mask uint32) {
	d, d2, a, b, c, f := &s.regs[in.dst], &s.regs[in.dst2], &s.regs[in.src[0]], &s.regs[in.src[1]], &s.regs[in.src[2]], in.eval
	if in.variant < 3 {
		c = new(lanes)
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l], d2[l] = f(a[l], b[l], c[l], 0)
	}
}

func runDivide(s *subgroup, in *inst, mask uint32) {
	b := &s.regs[in.src[1]]
	for m := mask; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros32(m); b[l] == 0 {
			s.fail(in, l, DivisionByZero, "division by zero")
			return
		}
	}
	runBinary(s, in, mask)
}

func (d *decoder) sreg(in *inst, o *ir.Op) {
	r, c := pisa.SReg(pisa.OpOf(o.Props)), pisa.IndexOf(o.Props)-1
	in.imm = uint64(max(c, 0))
	eng := d.eng
	uniform := func(v uint64) {
		in.imm = v
		in.run = runUniform
	}
	i := max(c, 0)
	switch r {
	case pisa.SActiveMask:
		in.run = runActiveMask
	case pisa.SEnqueuedLocalSize:
		uniform(eng.Local[i])
	case pisa.SGlobalOffset:
		uniform(eng.launch.Offset[i])
	case pisa.SGlobalSize:
		uniform(eng.Global[i])
	case pisa.SGroupCount:
		uniform(eng.Count[i])
	case pisa.SGroupID:
		in.run = runGroupID
	case pisa.SLaneID:
		in.run = runLaneID
	case pisa.SLocalID:
		in.run = runLocalID
	case pisa.SLocalSize:
		in.run = runLocalSize
	case pisa.SSubgroupSize:
		uniform(width)
	case pisa.SWorkDim:
		uniform(uint64(eng.Dims))
	default: // %printfbuffer: the run has none
		uniform(0)
	}
}

// broadcast writes v to the lanes of mask.
func (s *subgroup) broadcast(slot int32, v uint64, mask uint32) {
	d := &s.regs[slot]
	if mask == full {
		for l := range d {
			d[l] = v
		}
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		d[bits.TrailingZeros32(m)] = v
	}
}

func runUniform(s *subgroup, in *inst, mask uint32) { s.broadcast(in.dst, in.imm, mask) }

func runActiveMask(s *subgroup, in *inst, mask uint32) { s.broadcast(in.dst, uint64(mask), mask) }

func runGroupID(s *subgroup, in *inst, mask uint32) { s.broadcast(in.dst, s.g.id[in.imm], mask) }

func runLocalSize(s *subgroup, in *inst, mask uint32) { s.broadcast(in.dst, s.g.size[in.imm], mask) }

func runLaneID(s *subgroup, in *inst, mask uint32) {
	d := &s.regs[in.dst]
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l] = uint64(l)
	}
}

func runLocalID(s *subgroup, in *inst, mask uint32) {
	d, v := &s.regs[in.dst], &s.lid[in.imm]
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l] = v[l]
	}
}

func (d *decoder) addrOf(in *inst, o *ir.Op) {
	sym := d.f.fn.Module().Symbol(o.Aux)
	in.run = runUniform
	switch {
	case sym.Var == nil || sym.Var.Space == ir.SpaceGlobal || sym.Var.Space == ir.SpaceConst:
		in.imm, _ = d.eng.symbol(o.Aux)
	case sym.Var.Space == ir.SpaceShared:
		in.imm = objectOf(d.eng.prog.shared, sym.Var).off
	default:
		in.imm = objectOf(d.f.privVars, sym.Var).off
		in.run = runPrivateAddr
	}
}

func objectOf(objs []object, v *ir.Var) *object {
	for i := range objs {
		if objs[i].v == v {
			return &objs[i]
		}
	}
	panic("interp: variable @" + v.Name + " has no place")
}

func runPrivateAddr(s *subgroup, in *inst, mask uint32) {
	d := &s.regs[in.dst]
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l] = uint64(s.priv[l].base + s.fr.pbase[l] + uint32(in.imm))
	}
}

func isAddrTag(sp ir.Space) uint64 {
	switch sp {
	case ir.SpaceShared:
		return tagShared
	case ir.SpacePrivate:
		return tagPrivate
	}
	return tagGlobal
}

func (d *decoder) addrCast(in *inst, o *ir.Op) {
	to, from := pisa.SpaceOf(o.Props), pisa.FromSpaceOf(o.Props)
	switch {
	case to == ir.SpaceGeneric && (from == ir.SpaceShared || from == ir.SpacePrivate):
		in.variant = uint8(isAddrTag(from))
		in.run = runToGeneric
	case to == ir.SpaceShared || to == ir.SpacePrivate:
		in.variant = uint8(isAddrTag(to))
		in.run = runFromGeneric
	default: // global, constant and generic addresses are the same value
		in.run = runCopies
		in.args = []copyPair{{in.dst, in.src[0]}}
	}
}

// runToGeneric adds the aperture and the owner; null becomes null.
func runToGeneric(s *subgroup, in *inst, mask uint32) {
	d, a := &s.regs[in.dst], &s.regs[in.src[0]]
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		if a[l] == null32 {
			d[l] = 0
			continue
		}
		d[l] = uint64(in.variant)<<tagShift | s.owner(uint64(in.variant), l)<<ownerShift | a[l]
	}
}

// owner is who may use a generic address with the given tag.
func (s *subgroup) owner(tag uint64, lane int) uint64 {
	if tag == tagShared {
		return s.g.linear & ownerMask
	}
	e := s.g.eng
	return (s.g.linear*e.Local[0]*e.Local[1]*e.Local[2] + s.linear[lane]) & ownerMask
}

// runFromGeneric gives the address, or null for one of another space.
func runFromGeneric(s *subgroup, in *inst, mask uint32) {
	d, a := &s.regs[in.dst], &s.regs[in.src[0]]
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		v := a[l]
		tag := v >> tagShift
		d[l] = null32
		if tag != uint64(in.variant) {
			continue
		}
		if v>>ownerShift&ownerMask != s.owner(tag, l) {
			s.fail(in, l, ForeignPointer, "generic address %#x is %s", v, s.foreign(v))
			return
		}
		d[l] = v & 0xffff_ffff
	}
}

// foreign says whose a generic address is.
func (s *subgroup) foreign(v uint64) string {
	if v>>tagShift == tagShared {
		return "a shared pointer of another work-group"
	}
	return "a private pointer of another work-item"
}

func runIsAddr(s *subgroup, in *inst, mask uint32) {
	d, a := &s.regs[in.dst], &s.regs[in.src[0]]
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l] = 0
		if a[l]>>tagShift == uint64(in.variant) {
			d[l] = 0xffff_ffff
		}
	}
}
