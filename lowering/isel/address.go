package isel

import (
	"math/bits"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

var addressRows = []lowering{
	pisa.AddrOf:   lowerAddrOf,
	pisa.AddrCast: lowerAddrCast,
	pisa.IsAddr:   lowerIsAddr,
}

// lowerAddrOf: a shared variable is at a constant offset of local memory; others
// have 64-bit addresses, which the linker knows relative to the code.
func lowerAddrOf(s *sel, op *ir.Op) {
	sym := s.mod.Symbol(op.Aux)
	switch {
	case sym.Func != nil:
		s.errorf(op, codeCall, "the address of function @%s is taken, and the native backend has no calls", sym.Func.Name)
	case sym.Var.Space == ir.SpaceShared:
		s.set(op, 0, s.imm(s.offsetOf(sym.Var, s.lds)))
	case sym.Var.Space == ir.SpacePrivate:
		s.set(op, 0, s.imm(s.offsetOf(sym.Var, s.private)))
	default:
		// Relative to the program counter, which a move would change: one
		// instruction group, where it stands (p_symaddr).
		r := s.OpResults(amdgpu.PSymaddr, 0, op.Aux, []ir.Type{ir.Regs(ir.SGPR, 2), ir.SCCBit})
		s.set(op, 0, r.Result(0))
	}
}

// offsetOf is where variable v of the kernel lies in its memory.
func (s *sel) offsetOf(v *ir.Var, layout []uint64) uint32 {
	for i, x := range s.f.Vars {
		if x == v {
			return uint32(layout[i])
		}
	}
	panic("isel: a variable of another function")
}

// lowerAddrCast: the generic address of global and constant memory is the
// address itself; those of shared and private memory have an aperture in their
// upper half (PISA 4.1).
func lowerAddrCast(s *sel, op *ir.Op) {
	to, from := pisa.SpaceOf(op.Props), pisa.FromSpaceOf(op.Props)
	m := s.arg(op, 0)
	narrow := func(a ir.Space) bool { return a == ir.SpaceShared || a == ir.SpacePrivate }
	switch {
	case narrow(from):
		s.unitOf(op).setPair(op, 0, pair{m, s.aperture(from)})
	case narrow(to):
		s.set(op, 0, s.part(m, 0))
	default:
		s.set(op, 0, m)
	}
}

// aperture is the upper half of generic addresses of shared or private memory.
func (s *sel) aperture(a ir.Space) *ir.Value {
	base := s.Value(amdgpu.PAperture, 0, ir.Regs(ir.SGPR, 2))
	base.Reg = ir.RegSharedBase
	if a == ir.SpacePrivate {
		base.Reg = ir.RegPrivateBase
	}
	return s.slice(s.Value(amdgpu.SMovB64, 0, ir.Regs(ir.SGPR, 2), base), 1, 1)
}

// lowerIsAddr: an address is in shared or private memory if its upper half is
// the aperture's; all else is global.
func lowerIsAddr(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	hi := s.part(s.arg(op, 0), 1)
	is := func(a ir.Space, yes, no *ir.Value) *ir.Value {
		return u.choose(u.compare(amdgpu.EQ, false, hi, s.aperture(a)), yes, no)
	}
	ones, zero := s.imm(0xffffffff), s.imm(0)
	switch a := pisa.SpaceOf(op.Props); a {
	case ir.SpaceShared, ir.SpacePrivate:
		s.set(op, 0, is(a, ones, zero))
	default:
		s.set(op, 0, is(ir.SpaceShared, zero, is(ir.SpacePrivate, zero, ones)))
	}
}

// place is where an access goes: an instruction family, its address operands
// and the offset in the instruction.
type place struct {
	family   amdgpu.Family
	operands []*ir.Value
	props    uint64
	offset   int64
	align    int  // bytes, at least
	uniform  bool // one address for the wave
	base     pair // of a uniform one
}

// place resolves the address of access op, whose base is operand at, for accesses
// of up to size bytes behind it.
func (s *sel) place(op *ir.Op, at int, size int64) place {
	space := pisa.SpaceOf(op.Props)
	if acc, ok := s.alias.AccessOf(op); ok && space == ir.SpaceGeneric {
		switch acc.Ptr.Space { // what it is derived from tells more
		case ir.SpaceGlobal, ir.SpaceConst:
			space = acc.Ptr.Space
		}
	}
	a := s.peel(op, at, space == ir.SpaceShared || space == ir.SpacePrivate)
	switch space {
	case ir.SpacePrivate:
		return s.privatePlace(a, size)
	case ir.SpaceShared:
		return s.sharedPlace(op, a, size)
	case ir.SpaceGlobal, ir.SpaceConst:
		return s.globalPlace(op, a, size)
	case ir.SpaceGeneric:
		return s.flatPlace(op, a, size)
	}
	panic("isel: unknown address space")
}

// peeled is an address without the constants that were added to it last.
type peeled struct {
	op     *ir.Op
	index  int       // operand of op that is the base; of a const it is gone
	base   *ir.Value // machine value; nil: none
	pisa   *ir.Value
	plus   *ir.Value // register offset that is still to be added, as a pisa value
	at     int       // its operand index in op
	offset int64
	closed bool // the base leaves a loop: what it was computed from is gone
}

// peel takes constants off the address of op.
func (s *sel) peel(op *ir.Op, at int, shared bool) peeled {
	a := peeled{op: op, index: at, pisa: op.Operand(at), at: -1}
	if ir.HasOffset.Get(op.Props) != 0 {
		off := op.Operand(at + 1)
		if c, ok := builtin.IsConst(off); ok {
			n := 64 - off.Type.TotalBits()
			a.offset = int64(c<<n) >> n
		} else {
			a.plus, a.at = off, at+1
		}
	}
	holder, k := op, at
	for range 4 {
		d := a.pisa.Op()
		if d == nil || d.Code != pisa.IAdd || packed(d) > 1 || pisa.Has(d.Props, pisa.FDsat) || s.uni.Leaves(&holder.Operands()[k]) {
			break
		}
		c, ok := constOf(d, 1)
		i := 0
		if !ok {
			if c, ok = constOf(d, 0); !ok {
				break
			}
			i = 1
		}
		n := 64 - d.Result(0).Type.TotalBits()
		sum := a.offset + int64(c<<n)>>n
		if sum < -4096 || sum > 1<<16 || shared && sum < 0 {
			break
		}
		a.offset = sum
		holder, k = d, i
		a.pisa = d.Operand(i)
	}
	a.base = s.arg(holder, k)
	a.closed = s.uni.Leaves(&holder.Operands()[k])
	if c, ok := constant(a.base); ok && shared {
		a.offset += int64(uint32(c))
		a.base = nil
	}
	return a
}

// trailing is the alignment of an offset in bytes, at most 16.
func trailing(v int64) int {
	if v == 0 {
		return 16
	}
	return 1 << min(bits.TrailingZeros64(uint64(v)), 4)
}

// alignment of a sum of peeled parts.
func (s *sel) alignment(a *peeled) int {
	n := trailing(a.offset)
	if a.base != nil {
		n = min(n, s.alignOf(a.pisa, a.op.Block()))
	}
	if a.plus != nil {
		n = min(n, s.alignOf(a.plus, a.op.Block()))
	}
	return n
}

func (s *sel) alignOf(v *ir.Value, b *ir.Block) int {
	f := s.bits.At(v, b)
	n := 1 << min(f.TrailingZeros(), 4)
	// A sum with a shared variable's address: the variables lie at multiples of
	// 16.
	if op := v.Op(); op != nil && op.Code == pisa.IAdd {
		for i := range 2 {
			if d := op.Operand(i).Op(); d != nil && d.Code == pisa.AddrOf {
				g := s.bits.At(op.Operand(1-i), b)
				n = max(n, 1<<min(g.TrailingZeros(), 4))
			}
		}
	}
	return n
}

// offsetReg is the register offset of a, 32 or 64 bits of it.
func (s *sel) offsetReg(a *peeled) *ir.Value { return s.arg(a.op, a.at) }

func (s *sel) sharedPlace(op *ir.Op, a peeled, size int64) place {
	p := place{family: amdgpu.DS, align: s.alignment(&a)}
	v := unit{s, false}
	base := a.base
	if a.plus != nil {
		x := s.part(s.offsetReg(&a), 0)
		if w := a.plus.Type.TotalBits(); w < 32 {
			x = v.sext(x, w)
		}
		if base == nil {
			base = x
		} else {
			base = v.add(s.part(base, 0), x)
		}
	}
	if base == nil {
		base = s.zero()
	} else {
		base = s.part(base, 0)
	}
	if a.offset < 0 || a.offset+size > 1<<16 {
		base = v.add(base, s.imm(uint32(a.offset)))
		a.offset = 0
	}
	// The variable's address is the first operand of the sum: it goes into the
	// instruction too.
	if x, c, ok := s.sharedBase(&a, base, size); ok {
		base, a.offset = x, a.offset+c
	}
	p.offset = a.offset
	p.operands = []*ir.Value{s.vgpr(base, 1)}
	return p
}

// privatePlace: the offset in scratch memory is a vector register and the
// instruction's, which is signed.
func (s *sel) privatePlace(a peeled, size int64) place {
	p := place{family: amdgpu.Scratch, align: s.alignment(&a)}
	v := unit{s, false}
	base := a.base
	if base != nil {
		base = s.part(base, 0)
	}
	if a.plus != nil {
		x := s.part(s.offsetReg(&a), 0)
		if w := a.plus.Type.TotalBits(); w < 32 {
			x = v.sext(x, w)
		}
		if base == nil {
			base = x
		} else {
			base = v.add(base, x)
		}
	}
	if _, hi := s.offsetRange(amdgpu.Scratch); a.offset < 0 || a.offset+size-1 > hi {
		if base == nil {
			base = s.imm(0)
		}
		base = v.add(base, s.imm(uint32(a.offset)))
		a.offset = 0
	}
	p.offset = a.offset
	if base != nil {
		p.operands = []*ir.Value{s.vgpr(base, 1)}
	}
	return p
}

// sharedBase splits the address of a shared variable off a sum.
func (s *sel) sharedBase(a *peeled, base *ir.Value, size int64) (*ir.Value, int64, bool) {
	d := a.pisa.Op()
	if a.closed || a.base == nil || a.plus != nil || a.offset < 0 || d == nil || d.Code != pisa.IAdd || base != a.base {
		return nil, 0, false
	}
	for i := range 2 {
		v := d.Operand(i).Op()
		if v == nil || v.Code != pisa.AddrOf || s.uni.Leaves(&d.Operands()[1-i]) {
			continue
		}
		sym := s.mod.Symbol(v.Aux)
		if sym.Var == nil || sym.Var.Space != ir.SpaceShared {
			continue
		}
		c := int64(s.offsetOf(sym.Var, s.lds))
		// The rest of the sum must not be negative: the hardware adds without
		// wrapping.
		if f := s.bits.At(d.Operand(1-i), a.op.Block()); f.UMax >= 1<<31 || a.offset+c+size > 1<<16 {
			continue
		}
		return s.part(s.arg(d, 1-i), 0), c, true
	}
	return nil, 0, false
}

// offsetRange is the instruction's offset of global accesses.
func (s *sel) offsetRange(f amdgpu.Family) (lo, hi int64) {
	switch {
	case s.t.Generation == target.GFX12 && f == amdgpu.Flat:
		return 0, 1<<23 - 1
	case s.t.Generation == target.GFX12:
		return -1 << 23, 1<<23 - 1
	case f == amdgpu.Flat:
		return 0, 1<<12 - 1
	}
	return -1 << 12, 1<<12 - 1
}

// sum64 is the base and the register offset of a, by unit u.
func (s *sel) sum64(u unit, a *peeled) pair {
	p := s.pairOf(a.base)
	if a.plus == nil {
		return p
	}
	x := s.offsetReg(a)
	switch w := a.plus.Type.TotalBits(); {
	case w == 64:
		return u.add64(p, s.pairOf(x))
	default:
		lo := u.sext(s.part(x, 0), w)
		hi := s.imm(0)
		if f := s.bits.At(a.plus, a.op.Block()); f.SMin < 0 {
			hi = u.asr(lo, s.imm(31))
		}
		return u.add64(p, pair{lo, hi})
	}
}

func (s *sel) isUniform(a *peeled) bool {
	return a.base.Type.Class() != ir.VGPR && (a.plus == nil || s.offsetReg(a).Type.Class() != ir.VGPR)
}

func (s *sel) globalPlace(op *ir.Op, a peeled, size int64) place {
	p := place{family: amdgpu.Global, align: s.alignment(&a)}
	lo, hi := s.offsetRange(amdgpu.Global)
	if a.offset < lo || a.offset+size-1 > hi {
		u := unit{s, s.isUniform(&a)}
		p.offset = 0
		base := u.add64(s.sum64(u, &a), pair{s.imm(uint32(a.offset)), s.imm(uint32(a.offset >> 32))})
		return s.globalBase(p, u, base)
	}
	p.offset = a.offset
	if s.isUniform(&a) {
		u := unit{s, true}
		return s.globalBase(p, u, s.sum64(u, &a))
	}
	// Scalar base and 32-bit vector offset.
	if base, off, ok := s.splitBase(&a); ok {
		p.operands = []*ir.Value{s.vgpr(off, 1), s.sgpr(base, 2)}
		p.props = amdgpu.FSaddr.Put(1)
		return p
	}
	u := unit{s, false}
	return s.globalBase(p, u, s.sum64(u, &a))
}

// globalBase completes p with a 64-bit address.
func (s *sel) globalBase(p place, u unit, base pair) place {
	if u.scalar {
		p.uniform, p.base = true, base
		p.operands = []*ir.Value{s.zero(), u.whole(base)}
		p.props = amdgpu.FSaddr.Put(1)
		return p
	}
	p.operands = []*ir.Value{u.whole(base)}
	return p
}

// zero is 0 in a vector register, from the entry on: the offset of accesses at a
// scalar address.
func (s *sel) zero() *ir.Value {
	if s.zeroReg == nil {
		c := s.imm(0)
		s.elsewhere(c, func() { s.zeroReg = s.Value(amdgpu.VMovB32, 0, ir.Regs(ir.VGPR, 1), c) })
	}
	return s.zeroReg
}

// splitBase finds a uniform 64-bit base and a vector offset known to be an
// unsigned 32-bit number.
func (s *sel) splitBase(a *peeled) (base, off *ir.Value, ok bool) {
	small := func(v *ir.Value) bool { return s.bits.At(v, a.op.Block()).UMax < 1<<32 }
	if a.plus != nil {
		f, w, off := s.bits.At(a.plus, a.op.Block()), a.plus.Type.TotalBits(), s.offsetReg(a)
		switch {
		case a.base.Type.Class() == ir.SGPR && (w == 64 && f.UMax < 1<<32 || w == 32 && f.UMax < 1<<31):
			return a.base, s.part(off, 0), true
		case off.Type.Class() == ir.SGPR && w == 64 && small(a.pisa):
			return off, s.part(a.base, 0), true
		}
		return nil, nil, false
	}
	d := a.pisa.Op()
	if a.closed || d == nil || d.Code != pisa.IAdd || width(d) != 64 || pisa.Has(d.Props, pisa.FDsat) {
		return nil, nil, false
	}
	for i := range 2 {
		if s.uni.Leaves(&d.Operands()[0]) || s.uni.Leaves(&d.Operands()[1]) {
			break
		}
		x := s.arg(d, i)
		if x.Type.Class() == ir.SGPR && small(d.Operand(1-i)) {
			return x, s.part(s.arg(d, 1-i), 0), true
		}
	}
	return nil, nil, false
}

func (s *sel) flatPlace(op *ir.Op, a peeled, size int64) place {
	p := place{family: amdgpu.Flat, align: s.alignment(&a)}
	u := unit{s, s.isUniform(&a)}
	base := s.sum64(u, &a)
	if lo, hi := s.offsetRange(amdgpu.Flat); a.offset < lo || a.offset+size-1 > hi {
		base = u.add64(base, pair{s.imm(uint32(a.offset)), s.imm(uint32(a.offset >> 32))})
		a.offset = 0
	}
	p.offset = a.offset
	p.operands = []*ir.Value{s.vgpr(u.whole(base), 2)}
	return p
}
