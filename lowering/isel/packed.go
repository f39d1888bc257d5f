package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// Packed floats: two hf or bf in one register, the first in the lower half.

// packedArithmetic computes on both hf at once.
func (s *sel) packedArithmetic(op *ir.Op, k *arithOp, m fp.Mode) {
	props := rounding(m.Round)
	if k.emit == nil { // fmin, fmax: flushing the result is enough
		props = 0
	} else if m.FTZ {
		flush := uint64(amdgpu.FlushSources)
		if k.exact {
			flush |= amdgpu.FlushResult
		}
		props |= amdgpu.FFlush.Put(flush)
	}
	post := m.FTZ && !k.exact && (k.emit == nil || !flushedLater(op))
	if m.DSat && !post {
		props |= amdgpu.FClamp.Put(1)
	}
	var buf [3]*ir.Value
	srcs := buf[:op.NumOperands()]
	for i := range srcs {
		x := s.packedSource(op, i)
		if k == &differenceOp && i == 1 {
			x.neg = !x.neg
		}
		srcs[i] = x.v
		if x.neg {
			props |= amdgpu.FNeg.Put(1<<i) | amdgpu.FNegHi.Put(1<<i)
		}
	}
	r := s.emit(k.pk, props, srcs...).Result(0)
	if post {
		props := amdgpu.FFlush.Put(amdgpu.FlushSources)
		if m.DSat {
			props |= amdgpu.FClamp.Put(1)
		}
		r = s.emit(amdgpu.VPkMulF16, props, s.imm(0x3c003c00), r).Result(0)
	}
	s.set(op, 0, r)
}

// packedSource is operand i of op; a negation of both halves in the same block
// becomes a modifier.
func (s *sel) packedSource(op *ir.Op, i int) num {
	var x num
	for at := op; ; {
		d := at.Operand(i).Op()
		if d == nil || d.Block() != op.Block() || d.Code != pisa.FNeg || pisa.TypeOf(d.Props) != pisa.HFx2 || pisa.Has(d.Props, pisa.FFtz) {
			x.v = s.arg(at, i)
			if c, ok := constant(x.v); ok && x.neg {
				x = num{v: s.imm(constPart(x.v, c, 0) ^ 0x80008000)}
			}
			return x
		}
		x.neg = !x.neg
		at, i = d, 0
	}
}

// halves are the elements of packed register x as they are computed on.
func (s *sel) halves(f fp.Format, x *ir.Value) (lo, hi *ir.Value) {
	u := unit{s, false}
	x = s.part(x, 0)
	if f == fp.BF {
		if c, ok := constant(x); ok {
			return u.shl16(x), s.imm(uint32(c) & 0xffff0000)
		}
		return u.shl16(x), u.and(x, s.imm(0xffff0000))
	}
	if c, ok := constant(x); ok {
		return s.imm(uint32(c) & 0xffff), u.shr16(x)
	}
	return x, u.shr16(x)
}

// join packs two numbers of format f as they are computed.
func (s *sel) join(f fp.Format, lo, hi num) *ir.Value {
	sel := uint32(0x05040100)
	if f == fp.BF {
		sel = 0x07060302
	}
	return s.val(amdgpu.VPermB32, hi.v, lo.v, s.imm(sel))
}

// packedSources are the elements of all operands, low ones and high ones.
func (s *sel) packedSources(op *ir.Op, f fp.Format) (lo, hi []num) {
	for i := range op.NumOperands() {
		l, h := s.halves(f, s.arg(op, i))
		flat := flattened(op.Operand(i).Op(), f, true)
		lo, hi = append(lo, num{v: l, flat: flat}), append(hi, num{v: h, flat: flat})
	}
	return lo, hi
}

// lanes sets the result of a packed op whose elements fn computes.
func (s *sel) lanes(op *ir.Op, f fp.Format, fn func(x []num) num) {
	lo, hi := s.packedSources(op, f)
	a := fn(lo)
	s.set(op, 0, s.join(f, a, fn(hi)))
}
