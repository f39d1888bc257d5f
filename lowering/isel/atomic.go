package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
)

var atomicRows = []lowering{
	pisa.IAtom: lowerIAtom,
	pisa.FAtom: lowerFAtom,
}

// intAtomic is one operation of iatom: the instructions of 32 bits; those of 64
// are beside them.
type intAtomic struct {
	elem  amdgpu.Elem
	ds    ir.Code // without result
	rtn   ir.Code // with
	ds64  ir.Code
	rtn64 ir.Code
	pcie  bool // PCIe carries it, so that it works on host memory
}

var intAtomics = [...]intAtomic{
	pisa.AtomAdd:  {amdgpu.AtomicAdd, amdgpu.DsAddU32, amdgpu.DsAddRtnU32, amdgpu.DsAddU64, amdgpu.DsAddRtnU64, true},
	pisa.AtomSub:  {amdgpu.AtomicSub, amdgpu.DsSubU32, amdgpu.DsSubRtnU32, amdgpu.DsSubU64, amdgpu.DsSubRtnU64, true},
	pisa.AtomSMin: {amdgpu.AtomicMinI, amdgpu.DsMinI32, amdgpu.DsMinRtnI32, amdgpu.DsMinI64, amdgpu.DsMinRtnI64, false},
	pisa.AtomSMax: {amdgpu.AtomicMaxI, amdgpu.DsMaxI32, amdgpu.DsMaxRtnI32, amdgpu.DsMaxI64, amdgpu.DsMaxRtnI64, false},
	pisa.AtomUMin: {amdgpu.AtomicMinU, amdgpu.DsMinU32, amdgpu.DsMinRtnU32, amdgpu.DsMinU64, amdgpu.DsMinRtnU64, false},
	pisa.AtomUMax: {amdgpu.AtomicMaxU, amdgpu.DsMaxU32, amdgpu.DsMaxRtnU32, amdgpu.DsMaxU64, amdgpu.DsMaxRtnU64, false},
	pisa.AtomAnd:  {amdgpu.AtomicAnd, amdgpu.DsAndB32, amdgpu.DsAndRtnB32, amdgpu.DsAndB64, amdgpu.DsAndRtnB64, false},
	pisa.AtomOr:   {amdgpu.AtomicOr, amdgpu.DsOrB32, amdgpu.DsOrRtnB32, amdgpu.DsOrB64, amdgpu.DsOrRtnB64, false},
	pisa.AtomXor:  {amdgpu.AtomicXor, amdgpu.DsXorB32, amdgpu.DsXorRtnB32, amdgpu.DsXorB64, amdgpu.DsXorRtnB64, false},
	// An exchange of shared memory always has a result.
	pisa.AtomXchg: {amdgpu.AtomicSwap, amdgpu.DsStorexchgRtnB32, amdgpu.DsStorexchgRtnB32, amdgpu.DsStorexchgRtnB64, amdgpu.DsStorexchgRtnB64, true},
	pisa.AtomCas:  {amdgpu.AtomicCmpSwap, amdgpu.DsCmpstoreB32, amdgpu.DsCmpstoreRtnB32, amdgpu.DsCmpstoreB64, amdgpu.DsCmpstoreRtnB64, true},
	// inc and dec add ±1: the hardware's inc and dec wrap, and PCIe has none.
	pisa.AtomInc:     {amdgpu.AtomicAdd, amdgpu.DsAddU32, amdgpu.DsAddRtnU32, amdgpu.DsAddU64, amdgpu.DsAddRtnU64, true},
	pisa.AtomDec:     {amdgpu.AtomicAdd, amdgpu.DsAddU32, amdgpu.DsAddRtnU32, amdgpu.DsAddU64, amdgpu.DsAddRtnU64, true},
	pisa.AtomIncWrap: {amdgpu.AtomicInc, amdgpu.DsIncU32, amdgpu.DsIncRtnU32, amdgpu.DsIncU64, amdgpu.DsIncRtnU64, false},
	pisa.AtomDecWrap: {amdgpu.AtomicDec, amdgpu.DsDecU32, amdgpu.DsDecRtnU32, amdgpu.DsDecU64, amdgpu.DsDecRtnU64, false},
}

// hostMemory reports whether the access may be one to the host's memory by
// PCIe, which does not carry every operation.
func (s *sel) hostMemory(op *ir.Op, space ir.Space) bool {
	if space == ir.SpaceShared || pisa.VisibleScope(op.Props) != pisa.System || s.o.SystemAtomics == SystemNative {
		return false
	}
	return pisa.OrderOf(op.Props) > pisa.Relaxed || s.o.SystemAtomics == SystemCAS
}

func lowerIAtom(s *sel, op *ir.Op) {
	if s.no128(op) {
		return
	}
	bits := pisa.TypeOf(op.Props).Info().Bits
	kind := pisa.AtomicOp(pisa.OpOf(op.Props))
	p := s.place(op, 0, int64(bits/8))
	row := &intAtomics[kind]
	space := s.sequenceSpace(p.family)
	at := source(op, 0)
	n := bits / 32
	var data []*ir.Value
	u := unit{s, false}
	switch {
	case kind == pisa.AtomInc:
		data = append(data, s.vgpr(s.immediate(1, ir.Bits(bits)), n))
	case kind == pisa.AtomDec:
		data = append(data, s.vgpr(s.immediate(^uint64(0)>>(64-bits), ir.Bits(bits)), n))
	case kind == pisa.AtomSub && pisa.VisibleScope(op.Props) == pisa.System && space != ir.SpaceShared: // PCIe has FetchAdd only
		row = &intAtomics[pisa.AtomAdd]
		m := s.arg(op, at)
		if n == 1 {
			data = append(data, u.sub(s.imm(0), m))
		} else {
			data = append(data, u.whole(u.neg64(s.pairOf(m))))
		}
	default:
		for i := range kind.Sources() {
			data = append(data, s.vgprArg(op, at+i))
		}
	}
	s.rmw(op, &p, row, kind == pisa.AtomCas, n, data)
}

// rmw emits a read-modify-write of n words with its sequence. Without uses of
// the result it is the form that has none.
func (s *sel) rmw(op *ir.Op, p *place, row *intAtomic, cas bool, n int, data []*ir.Value) {
	result := op.Result(0).HasUses()
	space := s.sequenceSpace(p.family)
	class := target.ClassRMWNoRet
	switch {
	case cas && result:
		class = target.ClassCas
	case cas:
		class = target.ClassCasNoRet
	case result:
		class = target.ClassRMW
	}
	if cas {
		data = s.casData(p.family, n, data)
	}
	s.ordered(op, class, space, func(bits amdgpu.CacheBits) *ir.Op {
		var code ir.Code
		switch {
		case p.family == amdgpu.DS && n == 1 && result:
			code = row.rtn
		case p.family == amdgpu.DS && n == 1:
			code = row.ds
		case p.family == amdgpu.DS && result:
			code = row.rtn64
		case p.family == amdgpu.DS:
			code = row.ds64
		case n == 2:
			code = amdgpu.Mem(p.family, row.elem+1)
		default:
			code = amdgpu.Mem(p.family, row.elem)
		}
		var types []ir.Type
		if result || p.family == amdgpu.DS && len(amdgpu.RowOf(code).Results) > 0 {
			types = []ir.Type{ir.Regs(ir.VGPR, n)}
		}
		access := s.OpResults(code, p.at(0, bits), 0, types, s.memOperands(p, data...)...)
		if result {
			s.set(op, 0, access.Result(0))
		} else {
			s.set(op, 0, s.Value(amdgpu.PUndef, 0, ir.Regs(ir.VGPR, n)))
		}
		return access
	})
}

// casData arranges the value compared with and the new one, which PISA has in
// this order: GFX9's local memory too, GFX11's and later the other way round,
// global memory in one tuple, the new one first.
func (s *sel) casData(f amdgpu.Family, n int, data []*ir.Value) []*ir.Value {
	compare, repl := data[0], data[1]
	switch {
	case f != amdgpu.DS:
		return []*ir.Value{s.buildV(append(s.parts(repl, n), s.parts(compare, n)...)...)}
	case s.t.Generation == target.GFX9:
		return data
	}
	return []*ir.Value{repl, compare}
}

// floatAtomics: add, min and max of 32 bits, add of 64.
var (
	floatAdd = intAtomic{elem: amdgpu.AtomicAddF32, ds: amdgpu.DsAddF32, rtn: amdgpu.DsAddRtnF32}
	floatMin = intAtomic{elem: amdgpu.AtomicMinF32, ds: amdgpu.DsMinF32, rtn: amdgpu.DsMinRtnF32}
	floatMax = intAtomic{elem: amdgpu.AtomicMaxF32, ds: amdgpu.DsMaxF32, rtn: amdgpu.DsMaxRtnF32}
	// One before, since 64 bits are one further on.
	doubleAdd = intAtomic{elem: amdgpu.AtomicAddF64 - 1}
)

func lowerFAtom(s *sel, op *ir.Op) {
	kind, t := pisa.AtomicOp(pisa.OpOf(op.Props)), pisa.TypeOf(op.Props)
	p := s.place(op, 0, int64(t.Info().Bits/8))
	row := s.nativeFAtom(op, kind, t, pisa.SpaceOf(op.Props))
	src := s.vgprArg(op, source(op, 0))
	n := regs(op.Result(0).Type)
	if kind == pisa.AtomSub { // x - y is x + -y; the hardware has no sub
		u := unit{s, false}
		parts := s.parts(src, n)
		parts[n-1] = u.xor(parts[n-1], s.imm(1<<31))
		src = s.buildV(parts...)
	}
	s.rmw(op, &p, row, false, n, []*ir.Value{src})
}

// nativeFAtom is the hardware's operation if it may be used. What a feature
// calls …Flush, and min and max that keep a NaN in memory, are for
// --fp-atomics=fast.
func (s *sel) nativeFAtom(op *ir.Op, kind pisa.AtomicOp, t pisa.DType, space ir.Space) *intAtomic {
	fast := s.o.FastFPAtomics
	has := func(exact, loose target.Feature) bool {
		return exact != 0 && s.t.Has(exact) || fast && loose != 0 && s.t.Has(loose)
	}
	// PCIe has no floating-point operation.
	system := pisa.VisibleScope(op.Props) == pisa.System && (!s.t.Has(target.FAddF32System) || s.hostMemory(op, space))
	add := kind == pisa.AtomAdd || kind == pisa.AtomSub
	switch {
	case t == pisa.F && add:
		ok := true // of shared memory: keeps denormals by the mode register
		switch space {
		case ir.SpaceGlobal:
			ok = !system && has(target.FAddF32Global, target.FAddF32GlobalFlush)
		case ir.SpaceGeneric:
			ok = !system && has(target.FAddF32Flat, target.FAddF32FlatFlush)
		}
		if ok {
			return &floatAdd
		}
	case t == pisa.DF && add:
		if space == ir.SpaceGlobal && !system && has(target.FAddF64Global, target.FAddF64GlobalNoFine) {
			return &doubleAdd
		}
	case t == pisa.F && (kind == pisa.AtomMin || kind == pisa.AtomMax):
		ok := fast || space == ir.SpaceShared && s.t.Has(target.MinimumNumber)
		if space != ir.SpaceShared {
			ok = ok && s.t.Has(target.FMinF32Global) && pisa.VisibleScope(op.Props) != pisa.System
		}
		if ok && kind == pisa.AtomMin {
			return &floatMin
		} else if ok {
			return &floatMax
		}
	}
	return nil
}
