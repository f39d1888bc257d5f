package interp

import (
	"math/bits"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// rmwKind is how a read-modify-write makes its new value.
type rmwKind uint8

const (
	rmwEval rmwKind = iota // by the scalar evaluator: new = f(old, src0)
	rmwXchg
	rmwCas  // bitwise
	rmwFCas // as the type's floating-point equality
	rmwInc
	rmwDec
	rmwIncWrap
	rmwDecWrap
)

// atomCode is the scalar op that computes an atomic's new value.
var atomCode = [...]ir.Code{
	pisa.AtomAdd: pisa.IAdd, pisa.AtomSub: pisa.ISub,
	pisa.AtomSMin: pisa.SMin, pisa.AtomSMax: pisa.SMax, pisa.AtomUMin: pisa.UMin, pisa.AtomUMax: pisa.UMax,
	pisa.AtomAnd: pisa.And, pisa.AtomOr: pisa.Or, pisa.AtomXor: pisa.Xor,
}

var atomFloat = [...]ir.Code{
	pisa.AtomAdd: pisa.FAdd, pisa.AtomSub: pisa.FSub, pisa.AtomMin: pisa.FMin, pisa.AtomMax: pisa.FMax, pisa.AtomCas: pisa.FCmp,
}

// rmw decodes iatom and fatom; its sources start at operand next.
func (d *decoder) rmw(in *inst, o *ir.Op, next int) {
	m := in.mem
	t := pisa.FType.Put(uint64(pisa.TypeOf(o.Props)))
	op := pisa.AtomicOp(pisa.OpOf(o.Props))
	in.run = runAtomic
	m.wide = pisa.TypeOf(o.Props) == pisa.T128b
	in.imm = shape{wordBits: min(pisa.TypeOf(o.Props).Info().Bits, 64)}.mask()
	if op.Sources() > 0 {
		m.data = d.slots.of(o.Operand(next))
	}
	if op.Sources() > 1 {
		m.src1 = d.slots.of(o.Operand(next + 1))
	}
	switch op {
	case pisa.AtomXchg:
		m.rmw = rmwXchg
	case pisa.AtomInc:
		m.rmw = rmwInc
	case pisa.AtomDec:
		m.rmw = rmwDec
	case pisa.AtomIncWrap:
		m.rmw = rmwIncWrap
	case pisa.AtomDecWrap:
		m.rmw = rmwDecWrap
	case pisa.AtomCas:
		m.rmw = rmwCas
		if o.Code == pisa.FAtom { // +0 equals -0, NaN equals nothing (digest 13)
			m.rmw = rmwFCas
			in.fold = pisa.EvalFn(pisa.FCmp, t|pisa.FOp.Put(uint64(pisa.EQ)))
		}
	default:
		m.rmw = rmwEval
		code := ir.Code(0)
		if o.Code == pisa.FAtom {
			code = atomFloat[op]
		} else {
			code = atomCode[op]
		}
		in.fold = pisa.EvalFn(code, t)
	}
}

// runAtomic does the lanes one after another, in order.
func runAtomic(s *subgroup, in *inst, mask uint32) {
	s.addresses(in, mask)
	m, w := in.mem, s.g.w
	for ; mask != 0; mask &= mask - 1 {
		l := bits.TrailingZeros32(mask)
		data, shadow := s.place(in, l)
		if data == nil {
			return
		}
		if shadow != nil {
			if !allInit(shadow) {
				s.uninit(in, l)
			}
			setInit(shadow)
		}
		if m.wide {
			if !s.atomicWide(in, l, data) {
				return
			}
			continue
		}
		old := loadWord(data, m.step)
		now, stores := s.modify(in, l, old)
		if !s.race(in, l, stores) {
			return
		}
		if in.dst >= 0 {
			s.regs[in.dst][l] = old
		}
		if now != old {
			w.version++
			storeWord(data, m.step, now)
		}
	}
}

// modify is the value that replaces old, and whether the operation writes: a
// compare-and-swap that fails is a read only.
func (s *subgroup) modify(in *inst, l int, old uint64) (now uint64, stores bool) {
	m := in.mem
	switch m.rmw {
	case rmwXchg:
		return s.regs[m.data][l], true
	case rmwCas:
		if old == s.regs[m.data][l] {
			return s.regs[m.src1][l], true
		}
		return old, false
	case rmwFCas:
		if eq, _ := in.fold(old, s.regs[m.data][l], 0, 0); eq&1 != 0 {
			return s.regs[m.src1][l], true
		}
		return old, false
	case rmwInc:
		return (old + 1) & in.imm, true
	case rmwDec:
		return (old - 1) & in.imm, true
	case rmwIncWrap:
		if old >= s.regs[m.data][l] {
			return 0, true
		}
		return old + 1, true
	case rmwDecWrap:
		if top := s.regs[m.data][l]; old == 0 || old > top {
			return top, true
		}
		return old - 1, true
	}
	now, _ = in.fold(old, s.regs[m.data][l], 0, 0)
	return now, true
}

// atomicWide is xchg and cas of 128 bits.
func (s *subgroup) atomicWide(in *inst, l int, data []byte) bool {
	m := in.mem
	lo, hi := loadWord(data, 8), loadWord(data[8:], 8)
	newLo, newHi, stores := s.regs[m.data][l], s.regs[m.data+1][l], true
	if m.rmw == rmwCas {
		if lo == newLo && hi == newHi {
			newLo, newHi = s.regs[m.src1][l], s.regs[m.src1+1][l]
		} else {
			newLo, newHi, stores = lo, hi, false
		}
	}
	if !s.race(in, l, stores) {
		return false
	}
	if in.dst >= 0 {
		s.regs[in.dst][l], s.regs[in.dst+1][l] = lo, hi
	}
	if newLo != lo || newHi != hi {
		s.g.w.version++
		storeWord(data, 8, newLo)
		storeWord(data[8:], 8, newHi)
	}
	return true
}
