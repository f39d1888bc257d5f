package llvmgen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/llvmgen/llx"
)

var atomicRows = []lowering{
	pisa.IAtom: lowerIAtom,
	pisa.FAtom: lowerFAtom,
}

// intAtomic is one operation of iatom.
type intAtomic struct {
	rmw  string // LLVM's atomicrmw operation
	pcie bool   // PCIe carries it, so that it works on host memory
	// apply computes the new value, for loops of compare-and-swap.
	apply func(e *emitter, old, src value.Value) value.Value
}

var intAtomics = [...]intAtomic{
	pisa.AtomAdd:  {"add", true, func(e *emitter, old, src value.Value) value.Value { return e.Add(old, src) }},
	pisa.AtomSub:  {"sub", true, func(e *emitter, old, src value.Value) value.Value { return e.Sub(old, src) }},
	pisa.AtomSMin: {"min", false, pickBy(enum.IPredSLT)},
	pisa.AtomSMax: {"max", false, pickBy(enum.IPredSGT)},
	pisa.AtomUMin: {"umin", false, pickBy(enum.IPredULT)},
	pisa.AtomUMax: {"umax", false, pickBy(enum.IPredUGT)},
	pisa.AtomAnd:  {"and", false, func(e *emitter, old, src value.Value) value.Value { return e.And(old, src) }},
	pisa.AtomOr:   {"or", false, func(e *emitter, old, src value.Value) value.Value { return e.Or(old, src) }},
	pisa.AtomXor:  {"xor", false, func(e *emitter, old, src value.Value) value.Value { return e.Xor(old, src) }},
	pisa.AtomXchg: {"xchg", true, func(_ *emitter, _, src value.Value) value.Value { return src }},
	pisa.AtomCas:  {"", true, nil},
	// inc and dec add ±1: the hardware's inc and dec wrap, and PCIe has none.
	pisa.AtomInc: {"add", true, func(e *emitter, old, src value.Value) value.Value { return e.Add(old, src) }},
	pisa.AtomDec: {"add", true, func(e *emitter, old, src value.Value) value.Value { return e.Add(old, src) }},
	pisa.AtomIncWrap: {"uinc_wrap", false, func(e *emitter, old, src value.Value) value.Value {
		one := llx.Int(old.Type().(*types.IntType), 1)
		return e.Select(e.ICmp(enum.IPredUGE, old, src), llx.Zero(old.Type()), e.Add(old, one))
	}},
	pisa.AtomDecWrap: {"udec_wrap", false, func(e *emitter, old, src value.Value) value.Value {
		one := llx.Int(old.Type().(*types.IntType), 1)
		wrap := e.Or(e.ICmp(enum.IPredEQ, old, llx.Zero(old.Type())), e.ICmp(enum.IPredUGT, old, src))
		return e.Select(wrap, src, e.Sub(old, one))
	}},
}

func pickBy(p enum.IPred) func(e *emitter, old, src value.Value) value.Value {
	return func(e *emitter, old, src value.Value) value.Value {
		return e.Select(e.ICmp(p, old, src), old, src)
	}
}

// rmwSite is where a read-modify-write operation acts.
type rmwSite struct {
	ptr   value.Value
	bits  int
	space ir.Space
	order pisa.Order
	scope pisa.Scope
}

func (e *emitter) rmwSite(op *ir.Op) rmwSite {
	return rmwSite{
		ptr: e.address(op, 0), bits: pisa.TypeOf(op.Props).Info().Bits,
		space: pisa.SpaceOf(op.Props), order: pisa.OrderOf(op.Props), scope: pisa.VisibleScope(op.Props),
	}
}

// hostMemory reports whether the access may be one to the host's memory by
// PCIe, which does not carry every operation (Options.SystemAtomics).
func (e *emitter) hostMemory(s rmwSite) bool {
	if s.scope != pisa.System || e.opts.SystemAtomics == SystemNative {
		return false
	}
	return s.order != pisa.Relaxed || e.opts.SystemAtomics == SystemCAS
}

func (s rmwSite) access() llx.Access {
	return llx.Access{Align: max(s.bits/8, 4), Order: llx.Monotonic, Scope: syncScope(s.scope)}
}

// ordered puts the fences of the site's order around what emit emits. They
// stand outside loops: LLVM's own would write back the cache at every trip.
func (e *emitter) ordered(s rmwSite, emit func() value.Value) value.Value {
	if s.order.Releases() {
		e.release(s.scope)
	}
	v := emit()
	if s.order.Acquires() {
		e.acquire(s.scope)
	}
	return v
}

// lowerIAtom lowers iatom (PISA 8.2).
func lowerIAtom(e *emitter, op *ir.Op) {
	if e.no128(op) {
		return
	}
	s := e.rmwSite(op)
	kind := pisa.AtomicOp(pisa.OpOf(op.Props))
	at := source(op, 0)
	t := bitsType(s.bits)
	var src, repl value.Value
	switch kind.Sources() {
	case 0:
		src = llx.Int(t, 1)
		if kind == pisa.AtomDec {
			src = llx.Int(t, ^uint64(0))
		}
	case 1:
		src = e.arg(op, at)
	case 2:
		src, repl = e.arg(op, at), e.arg(op, at+1)
	}
	if ofLeader(op) {
		s.ptr = e.differing(s.ptr)
	}
	e.set(op, 0, e.ordered(s, func() value.Value { return e.intRMW(s, kind, src, repl) }))
}

// ofLeader reports whether one lane executes op, elected as the lowest or the
// highest that is active: passes have aggregated the operation over the
// sub-group, and LLVM's atomic optimiser would do it again, for one lane.
func ofLeader(op *ir.Op) bool {
	b := op.Block()
	if b.NumPreds() != 1 {
		return false
	}
	in := b.FirstPred()
	br := in.From().Last()
	if br.Code != builtin.CondBr || in.Index() != 0 {
		return false
	}
	cmp := br.Operand(0).Op()
	if cmp == nil || cmp.Code != pisa.UCmp || pisa.Cmp(pisa.OpOf(cmp.Props)) != pisa.EQ {
		return false
	}
	x, y := cmp.Operand(0), cmp.Operand(1)
	return readsSReg(x, pisa.SLaneID) && elected(y) || readsSReg(y, pisa.SLaneID) && elected(x)
}

// elected reports the lowest or highest lane of the active mask.
func elected(v *ir.Value) bool {
	op := v.Op()
	if op == nil || op.Code == pisa.RedFirstIdx {
		return op != nil
	}
	if op.Code != pisa.ISub {
		return false
	}
	bits := op.Operand(1).Op()
	return bits != nil && bits.Code == pisa.Fbh && readsSReg(bits.Operand(0), pisa.SActiveMask)
}

func readsSReg(v *ir.Value, r pisa.SReg) bool {
	op := v.Op()
	return op != nil && op.Code == pisa.ReadSReg && pisa.SReg(pisa.OpOf(op.Props)) == r
}

// differing is an address that differs between lanes for LLVM, which leaves
// atomics there as they are.
func (e *emitter) differing(p value.Value) value.Value {
	return e.Asm(p.Type(), "", "=v,0", false, vals(p))
}

// intRMW does one relaxed operation and returns the old value.
func (e *emitter) intRMW(s rmwSite, kind pisa.AtomicOp, src, repl value.Value) value.Value {
	row := &intAtomics[kind]
	switch {
	case kind == pisa.AtomCas && s.bits == 16:
		return e.casLoop16(s, func(old value.Value) (value.Value, value.Value) {
			return repl, e.ICmp(enum.IPredEQ, old, src)
		})
	case kind == pisa.AtomCas:
		old, _ := e.CmpXchg(s.ptr, src, repl, s.access(), llx.Monotonic)
		return old
	case s.bits == 16:
		return e.casLoop16(s, func(old value.Value) (value.Value, value.Value) { return row.apply(e, old, src), nil })
	case kind == pisa.AtomSub && s.scope == pisa.System:
		return e.AtomicRMW("add", s.ptr, e.Neg(src), s.access()) // PCIe has FetchAdd only
	case !row.pcie && e.hostMemory(s):
		return e.casLoop(s, func(old value.Value) (value.Value, value.Value) { return row.apply(e, old, src), nil })
	}
	return e.AtomicRMW(row.rmw, s.ptr, src, s.access())
}

// lowerFAtom lowers fatom (PISA 8.1).
func lowerFAtom(e *emitter, op *ir.Op) {
	s := e.rmwSite(op)
	kind, t := pisa.AtomicOp(pisa.OpOf(op.Props)), pisa.TypeOf(op.Props)
	at := source(op, 0)
	src := e.arg(op, at)
	e.set(op, 0, e.ordered(s, func() value.Value {
		if kind == pisa.AtomCas {
			repl := e.arg(op, at+1)
			return e.wordLoop(s, func(old value.Value) (value.Value, value.Value) {
				return repl, e.floatBitsEqual(t, old, src)
			})
		}
		if name := e.nativeFAtom(kind, t, s); name != "" {
			return e.nativeFloatRMW(name, kind, t, s, src)
		}
		return e.wordLoop(s, func(old value.Value) (value.Value, value.Value) {
			return e.floatAtomicResult(kind, t, old, src), nil
		})
	}))
}

// nativeFAtom names LLVM's operation if the hardware's may be used: min and max
// of global memory, add and sub of all; "" if a loop is needed. What a row of
// target calls …Flush or keeps NaNs is for --fp-atomics=fast.
func (e *emitter) nativeFAtom(kind pisa.AtomicOp, t pisa.DType, s rmwSite) string {
	fast := e.opts.FPAtomics == FPFast
	has := func(exact, loose target.Feature) bool {
		return exact != 0 && e.t.Has(exact) || fast && loose != 0 && e.t.Has(loose)
	}
	// PCIe has no floating-point operation.
	system := s.scope == pisa.System && (!e.t.Has(target.FAddF32System) || e.hostMemory(s))
	add := kind == pisa.AtomAdd || kind == pisa.AtomSub
	switch {
	case t == pisa.F && add:
		switch s.space {
		case ir.SpaceShared: // keeps denormals by the mode register; rounds to nearest even
			return "fadd"
		case ir.SpaceGlobal:
			if !system && has(target.FAddF32Global, target.FAddF32GlobalFlush) {
				return "fadd"
			}
		default:
			if !system && has(target.FAddF32Flat, target.FAddF32FlatFlush) {
				return "fadd"
			}
		}
	case t == pisa.DF && add:
		if s.space == ir.SpaceGlobal && !system && has(target.FAddF64Global, target.FAddF64GlobalNoFine) {
			return "fadd"
		}
	case t == pisa.F:
		ok := fast || s.space == ir.SpaceShared && e.t.Has(target.MinimumNumber)
		if s.space != ir.SpaceShared {
			ok = ok && e.t.Has(target.FMinF32Global) && s.scope != pisa.System
		}
		if ok && kind == pisa.AtomMin {
			return "fmin"
		} else if ok {
			return "fmax"
		}
	}
	return ""
}

// nativeFloatRMW does the hardware's operation, lane by lane: LLVM's atomic
// optimiser would otherwise add up the lanes' operands first and add the sum to
// memory, which rounds differently from adding one by one.
func (e *emitter) nativeFloatRMW(name string, kind pisa.AtomicOp, t pisa.DType, s rmwSite, src value.Value) value.Value {
	ft := floatType(t)
	if kind == pisa.AtomSub { // x - y is x + -y; the hardware has no sub
		src = e.Xor(src, llx.Int(bitsType(s.bits), 1<<(s.bits-1)))
	}
	old := e.AtomicRMW(name, e.differing(s.ptr), e.Bitcast(src, ft), s.access())
	return e.Bitcast(old, bitsType(s.bits))
}

// floatType is the LLVM type of a PISA floating-point type.
func floatType(t pisa.DType) types.Type {
	switch t.Info().Elem {
	case pisa.HF:
		return types.Half
	case pisa.BF:
		return llx.BFloat
	case pisa.F:
		return types.Float
	case pisa.DF:
		return types.Double
	}
	panic("llvmgen: not a floating-point type: " + t.String())
}
