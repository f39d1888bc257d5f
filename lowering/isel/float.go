package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// Floating-point arithmetic (PISA 2). Kernels run with denormals kept, to
// nearest even, IEEE mode off and DX10 clamp on. An instruction that needs
// another rounding mode, or flushed denormals, says so (amdgpu.FRound, FFlush),
// and the pass FPMode switches. The hardware has no .rna: see round.go.
//
// hf, f and df are computed on as they are. There is no arithmetic on bf: one
// is computed on as the f whose upper half it is.
var floatRows = mergeRows(arithRows, divideRows, transcendentalRows, conversionRows)

var arithRows = []lowering{
	pisa.FAbs: lowerFAbs,
	pisa.FAdd: arithmetic(&sumOp),
	pisa.FCmp: lowerFCmp,
	pisa.FMad: arithmetic(&madOp),
	pisa.FMax: func(s *sel, op *ir.Op) { lowerMinMax(s, op, true) },
	pisa.FMin: func(s *sel, op *ir.Op) { lowerMinMax(s, op, false) },
	pisa.FMul: lowerFMul,
	pisa.FNeg: lowerFNeg,
	pisa.FSub: arithmetic(&differenceOp),
}

// modeOf reads the qualifiers of rounding, flushing and clamping.
func modeOf(p uint64) fp.Mode {
	return fp.Mode{Round: fp.Round(pisa.RoundOf(p)), FTZ: pisa.Has(p, pisa.FFtz), DSat: pisa.Has(p, pisa.FDsat)}
}

var roundings = [...]amdgpu.Rounding{fp.RE: amdgpu.RoundEven, fp.RD: amdgpu.RoundDown, fp.RU: amdgpu.RoundUp, fp.RZ: amdgpu.RoundZero}

// rounding is the property of an instruction that rounds by r, which is not
// .rna.
func rounding(r fp.Round) uint64 { return amdgpu.FRound.Put(uint64(roundings[r])) }

// source is operand i of op, a number of format f as it is computed on. Changes
// of sign in the same block become modifiers.
func (s *sel) source(op *ir.Op, i int, f fp.Format) num {
	var x num
	for at := op; ; {
		d := at.Operand(i).Op()
		if d == nil || d.Block() != op.Block() || d.Code != pisa.FNeg && d.Code != pisa.FAbs ||
			pisa.TypeOf(d.Props).Packed() || pisa.TypeOf(d.Props).Format() != f || pisa.Has(d.Props, pisa.FFtz) {
			x.v, x.flat = s.arg(at, i), flattened(d, f, false)
			break
		}
		if d.Code == pisa.FAbs {
			x.abs = true
		} else if !x.abs {
			x.neg = !x.neg
		}
		at, i = d, 0
	}
	if f == fp.BF {
		x.v = unit{s, false}.shl16(x.v)
	}
	return x
}

// flattened reports an op whose result has no denormals: .ftz took them.
func flattened(d *ir.Op, f fp.Format, packed bool) bool {
	if d == nil || (d.Code < pisa.FAbs || d.Code > pisa.FTanh || d.Code == pisa.FRc) && d.Code != pisa.FRnd {
		return false
	}
	t := pisa.TypeOf(d.Props)
	return pisa.Has(d.Props, pisa.FFtz) && !pisa.Has(d.Props, pisa.FFull) && t.Format() == f && t.Packed() == packed
}

// flushedLater reports that all uses of op's result flush it by their mode: then
// op, which has .ftz, need not.
func flushedLater(op *ir.Op) bool {
	r := op.Result(0)
	for x := r.FirstUse(); x != nil; x = x.NextUse() {
		switch d := x.User(); {
		case d.Code != pisa.FAdd && d.Code != pisa.FSub && d.Code != pisa.FMul && d.Code != pisa.FMad,
			!pisa.Has(d.Props, pisa.FFtz), pisa.Has(d.Props, pisa.FFull),
			pisa.TypeOf(d.Props) != pisa.TypeOf(op.Props), modeOf(d.Props).Round == fp.RNA:
			return false
		}
	}
	return r.HasUses()
}

// shl16 is a in the upper half, zero below.
func (u unit) shl16(a *ir.Value) *ir.Value {
	if c, ok := constant(a); ok {
		return u.imm(constPart(a, c, 0) << 16)
	}
	return u.shl(a, u.imm(16))
}

func (u unit) shr16(a *ir.Value) *ir.Value {
	if c, ok := constant(a); ok {
		return u.imm(constPart(a, c, 0) >> 16)
	}
	return u.shr(a, u.imm(16))
}

// sources are all operands of op.
func (s *sel) sources(op *ir.Op, f fp.Format) []num {
	x := make([]num, op.NumOperands())
	for i := range x {
		x[i] = s.source(op, i, f)
	}
	return x
}

// setNum sets the result of op to x, a number of format f as it is computed.
func (s *sel) setNum(op *ir.Op, f fp.Format, x num) {
	if f == fp.BF {
		x.v = unit{s, false}.shr16(x.v)
	}
	if c, ok := constant(x.v); ok && f == fp.DF {
		x.v = s.imm64(c)
	}
	s.set(op, 0, x.v)
}

// arithOp is an operation that the hardware rounds by any mode but .rna.
type arithOp struct {
	emit func(u fpu, x []num) num
	// exact reports that a denormal result is never rounded.
	exact bool
	// pk is the packed instruction on hf.
	pk ir.Code
}

var (
	sumOp        = arithOp{emit: func(u fpu, x []num) num { return u.add(x[0], x[1]) }, exact: true, pk: amdgpu.VPkAddF16}
	differenceOp = arithOp{emit: func(u fpu, x []num) num { return u.sub(x[0], x[1]) }, exact: true, pk: amdgpu.VPkAddF16}
	productOp    = arithOp{emit: func(u fpu, x []num) num { return u.mul(x[0], x[1]) }, pk: amdgpu.VPkMulF16}
	madOp        = arithOp{emit: func(u fpu, x []num) num { return u.fma(x[0], x[1], x[2]) }, pk: amdgpu.VPkFmaF16}
)

func arithmetic(k *arithOp) lowering {
	return func(s *sel, op *ir.Op) { s.arithmetic(op, k) }
}

func (s *sel) arithmetic(op *ir.Op, k *arithOp) {
	t := pisa.TypeOf(op.Props)
	f, m := t.Format(), modeOf(op.Props)
	if !t.Packed() {
		if k == &madOp && t == pisa.F && s.mixed(op, m) {
			return
		}
		s.setNum(op, f, s.compute(k, f, m, flushedLater(op), s.sources(op, f)))
		return
	}
	if f == fp.HF && m.Round != fp.RNA {
		s.packedArithmetic(op, k, m)
		return
	}
	lazy := flushedLater(op)
	s.lanes(op, f, func(x []num) num { return s.compute(k, f, m, lazy, x) })
}

// compute is k of x, rounded, flushed and clamped; a bf is in the upper half of
// the result, with anything below it. A lazy one is flushed by its uses.
func (s *sel) compute(k *arithOp, f fp.Format, m fp.Mode, lazy bool, x []num) num {
	u := fpu{sel: s, f: computed(f)}
	if m.Round == fp.RNA {
		return u.finish(f, m, u.roundAway(k, f, m, x))
	}
	props := rounding(m.Round)
	later := m
	if m.FTZ {
		flush := uint64(amdgpu.FlushSources)
		if lazy {
			later.FTZ = false
		} else if k.exact {
			flush |= amdgpu.FlushResult
			later.FTZ = false
		}
		props |= amdgpu.FFlush.Put(flush)
	}
	if m.DSat && !later.FTZ {
		props |= amdgpu.FClamp.Put(1)
		later.DSat = false
	}
	if f != fp.BF {
		return u.finish(f, later, k.emit(u.with(props), x))
	}
	var r num
	if len(x) == 3 && m.Round == fp.RE {
		// Rounding to f first would spoil the rounding to bf.
		r = u.odd(func(round uint64) num { return k.emit(u.with(props|round), x) })
	} else {
		// 24 bits are twice 8 and two more, and directed rounding may be done in
		// steps.
		r = k.emit(u.with(props), x)
	}
	return u.finish(f, later, u.roundBF(m.Round, r, false))
}

// finish applies .ftz and .dsat to a rounded result.
func (u fpu) finish(f fp.Format, m fp.Mode, x num) num {
	if !m.FTZ && !m.DSat {
		return x
	}
	if f == fp.BF {
		x.v = unit{u.sel, false}.and(x.v, u.imm(0xffff0000))
	}
	if !m.FTZ {
		return u.clamped(x)
	}
	if m.Round != fp.RNA { // exact in any mode: it stays in that of the operation
		u.props |= rounding(m.Round)
	}
	if m.DSat {
		u.props |= amdgpu.FClamp.Put(1)
	}
	return u.flushed(x)
}

// lowerFMul: the product of two hf or bf as an f (.full) needs no wider format.
func lowerFMul(s *sel, op *ir.Op) {
	if !pisa.Has(op.Props, pisa.FFull) {
		s.arithmetic(op, &productOp)
		return
	}
	f, m := pisa.TypeOf(op.Props).Format(), modeOf(op.Props)
	x := s.sources(op, f)
	if f == fp.BF {
		s.set(op, 0, s.compute(&productOp, fp.F, m, false, x).v)
		return
	}
	h := fpu{sel: s, f: fp.HF}
	for i := range x {
		if m.FTZ {
			x[i] = h.flushed(x[i])
		}
	}
	// 22 bits, far from the ends of f's range: exact. With -0 as an addend a
	// zero keeps its sign.
	u := fpu{sel: s, f: fp.HF}
	if m.DSat {
		u.props = amdgpu.FClamp.Put(1)
	}
	s.set(op, 0, u.mix(x[0], x[1]).v)
}

// mixed is fmad.f of hf that are extended for it alone: one instruction extends
// any of its sources. What constants mean there depends on the extensions.
func (s *sel) mixed(op *ir.Op, m fp.Mode) bool {
	if m.FTZ || m.Round == fp.RNA {
		return false
	}
	var halves uint64
	for i := range 3 {
		d := op.Operand(i).Op()
		if _, ok := constOf(op, i); ok {
			return false
		}
		if d != nil && d.Code == pisa.FExt && d.Block() == op.Block() && pisa.FromOf(d.Props) == pisa.HF && d.Result(0).HasOneUse() {
			if _, ok := constOf(d, 0); !ok {
				halves |= 1 << i
			}
		}
	}
	if halves == 0 {
		return false
	}
	props := rounding(m.Round) | amdgpu.FOpLow.Put(^halves&7)
	if m.DSat {
		props |= amdgpu.FClamp.Put(1)
	}
	var srcs [3]*ir.Value
	for i := range 3 {
		if halves>>i&1 != 0 {
			srcs[i] = s.arg(op.Operand(i).Op(), 0)
			continue
		}
		x := s.source(op, i, fp.F)
		u := fpu{sel: s, f: fp.F}
		if x.abs {
			x = u.plain(x)
		}
		if _, ok := constant(x.v); ok {
			x = num{v: s.vgpr(u.plain(x).v, 1)}
		}
		srcs[i] = x.v
		if x.neg {
			props |= amdgpu.FNeg.Put(1 << i)
		}
	}
	s.set(op, 0, s.emit(amdgpu.VFmaMixF32, props, srcs[:]...).Result(0))
	return true
}

// lowerFAbs: a signalling NaN becomes quiet, as by any arithmetic.
func lowerFAbs(s *sel, op *ir.Op) {
	t := pisa.TypeOf(op.Props)
	f := t.Format()
	u := fpu{sel: s, f: computed(f)}
	if pisa.Has(op.Props, pisa.FFtz) {
		u.props = amdgpu.FFlush.Put(amdgpu.FlushSources)
	}
	lane := func(x []num) num { return u.mul(u.one(), x[0].size()) }
	if t.Packed() {
		s.lanes(op, f, lane)
		return
	}
	s.setNum(op, f, lane(s.sources(op, f)))
}

// lowerFNeg changes the sign bit and nothing else, also of a NaN.
func lowerFNeg(s *sel, op *ir.Op) {
	t := pisa.TypeOf(op.Props)
	f := t.Format()
	x := s.arg(op, 0)
	u := s.unitOf(op)
	if pisa.Has(op.Props, pisa.FFtz) && !flattened(op.Operand(0).Op(), f, t.Packed()) {
		u.scalar = false
		x = s.flushRegister(t, x)
	}
	sign := uint32(1) << ((f.Bits() - 1) & 31)
	switch {
	case t.Packed():
		s.set(op, 0, u.xor(s.part(x, 0), s.imm(sign*0x10001)))
	case f == fp.DF:
		u.setPair(op, 0, pair{s.part(x, 0), u.xor(s.part(x, 1), s.imm(sign))})
	default:
		s.set(op, 0, u.xor(s.part(x, 0), s.imm(sign)))
	}
}

// flushRegister flushes the elements of a register of type t.
func (s *sel) flushRegister(t pisa.DType, x *ir.Value) *ir.Value {
	f := t.Format()
	u := fpu{sel: s, f: computed(f)}
	switch {
	case f != fp.BF && !t.Packed():
		return u.flushed(num{v: x}).v
	case f == fp.BF && !t.Packed():
		i := unit{s, false}
		return i.shr16(u.flushed(num{v: i.shl16(x)}).v)
	case f == fp.HF:
		return s.emit(amdgpu.VPkMulF16, amdgpu.FFlush.Put(amdgpu.FlushSources), s.imm(0x3c003c00), s.part(x, 0)).Result(0)
	}
	lo, hi := s.halves(f, x)
	return s.join(f, u.flushed(num{v: lo}), u.flushed(num{v: hi}))
}

// lowerMinMax is fmin and fmax. With IEEE mode off, v_min and v_max are
// minimumNumber and maximumNumber, with -0 below +0 (RDNA3 ISA 16.7).
func lowerMinMax(s *sel, op *ir.Op, greater bool) {
	t := pisa.TypeOf(op.Props)
	f, m, nanp := t.Format(), modeOf(op.Props), pisa.Has(op.Props, pisa.FNanp)
	u := fpu{sel: s, f: computed(f)}
	code := floatCodes[u.f].min
	if greater {
		code = floatCodes[u.f].max
	}
	if t == pisa.HFx2 && !nanp {
		pk := amdgpu.VPkMinF16
		if greater {
			pk = amdgpu.VPkMaxF16
		}
		s.packedArithmetic(op, &arithOp{pk: pk}, m)
		return
	}
	// Flushing keeps the order of numbers, so that of the result is enough.
	lane := func(x []num) num {
		v := u
		if m.DSat && !m.FTZ {
			v.props = amdgpu.FClamp.Put(1)
		}
		r := v.num(code, x[0], x[1])
		if nanp {
			nan := u.bits(u.f.NaN())
			if m.DSat {
				nan = u.bits(0)
			}
			r = u.pick(u.cmp(amdgpu.U, x[0], x[1]), nan, r)
		}
		return u.finish(f, fp.Mode{FTZ: m.FTZ, DSat: m.DSat && m.FTZ}, r)
	}
	if t.Packed() {
		s.lanes(op, f, lane)
		return
	}
	s.setNum(op, f, lane(s.sources(op, f)))
}

// lowerFCmp: with a NaN only .ne holds (PISA 5.3).
func lowerFCmp(s *sel, op *ir.Op) {
	t := pisa.TypeOf(op.Props)
	f := t.Format()
	u := fpu{sel: s, f: computed(f)}
	c := conds[pisa.Cmp(pisa.OpOf(op.Props))]
	mask := func(x []num) *ir.Value {
		if pisa.Has(op.Props, pisa.FFtz) {
			x[0], x[1] = u.flushed(x[0]), u.flushed(x[1])
		}
		return u.cmp(c, x[0], x[1])
	}
	i := unit{s, false}
	if !t.Packed() {
		s.setCompare(i, op, mask(s.sources(op, f)))
		return
	}
	lo, hi := s.packedSources(op, f)
	a := i.choose(mask(lo), s.imm(0xffff), s.imm(0))
	b := i.choose(mask(hi), s.imm(0xffff0000), s.imm(0))
	s.set(op, 0, i.or(a, b))
}
