package isel

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Read-modify-write operations that the hardware does not have become loops of
// compare-and-swap, in the pisa dialect, before anything is selected:
//
//	%old = iatom.global.acq_rel.gpu.smax.16b [%p], %x
//	=> fence.release.gpu
//	   %w = ld.relaxed [word]                      // may be stale
//	   ^loop(%seen): %new = …; %got = iatom.relaxed.cas [word], %seen, %new
//	                 cond_br %got == %seen, ^done, ^loop(%got)
//	   ^done: fence.acquire.gpu
//
// The order's fences stand outside the loop: a cache is written back once. The
// comparison is of bits, so that a NaN ends the loop, and at each trip some lane
// of every contended word succeeds, so that the wave gets on.

// expandLoops replaces these operations in f.
func (s *sel) expandLoops(f *ir.Func) {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		// Last to first: what follows an op moves to a block of its own.
		for op := b.Last(); op != nil; {
			prev := op.Prev()
			if s.needsLoop(op) {
				expandLoop(op)
			}
			op = prev
		}
	}
}

func (s *sel) needsLoop(op *ir.Op) bool {
	kind, t := pisa.AtomicOp(pisa.OpOf(op.Props)), pisa.TypeOf(op.Props)
	space := pisa.SpaceOf(op.Props)
	switch op.Code {
	case pisa.IAtom:
		return t == pisa.T16b || t != pisa.T128b && !intAtomics[kind].pcie && s.hostMemory(op, space)
	case pisa.FAtom:
		return s.nativeFAtom(op, kind, t, space) == nil
	}
	return false
}

// loop is the operation that is being replaced.
type loop struct {
	ir.Builder
	op    *ir.Op
	bits  int
	space ir.Space
	scope pisa.Scope
	word  ir.Type
	addr  *ir.Value
	shift *ir.Value // of 16 bits: of the half in its word
}

func expandLoop(op *ir.Op) {
	l := &loop{op: op, bits: pisa.TypeOf(op.Props).Info().Bits, space: pisa.SpaceOf(op.Props), scope: pisa.VisibleScope(op.Props)}
	l.Before(op)
	l.Loc = op.Loc
	l.word = ir.Bits(max(l.bits, 32))
	l.address()
	order := max(pisa.OrderOf(op.Props), pisa.Relaxed)
	if order.Releases() {
		l.fence(pisa.Release)
	}
	first := l.Value(pisa.Ld, l.access(), l.word, l.addr)

	f, b := op.Func(), op.Block()
	head, try, done := f.NewBlockBefore(b.Next()), f.NewBlockBefore(b.Next()), f.NewBlockBefore(b.Next())
	head.MoveAfter(b)
	try.MoveAfter(head)
	done.MoveAfter(try)
	for x := op; x != nil; {
		next := x.Next()
		x.MoveToEnd(done)
		x = next
	}
	l.AtEnd(b)
	builtin.Jump(&l.Builder, head, first)

	seen := head.AddArg(l.word)
	l.AtEnd(head)
	old := l.half(seen)
	repl, store := l.apply(old)
	if store != nil {
		builtin.Branch(&l.Builder, store, ir.Target{To: try}, ir.Target{To: done})
	} else {
		builtin.Jump(&l.Builder, try)
	}
	l.AtEnd(try)
	got := l.Value(pisa.IAtom, l.access()|pisa.FOp.Put(uint64(pisa.AtomCas)), l.word, l.addr, seen, l.merge(seen, repl))
	same := l.Value(pisa.UCmp, typed(l.word)|pisa.FOp.Put(uint64(pisa.EQ)), ir.Pred, got, seen)
	builtin.Branch(&l.Builder, same, ir.Target{To: done}, ir.Target{To: head, Args: []*ir.Value{got}})

	l.Before(op)
	if order.Acquires() {
		l.fence(pisa.Acquire)
	}
	op.Result(0).ReplaceUses(old)
	op.Erase()
}

// typed is the .type of an op on registers of type t.
func typed(t ir.Type) uint64 { return pisa.FType.Put(uint64(pisa.PlainType(t))) }

// access is the qualifiers of a relaxed access to the word.
func (l *loop) access() uint64 {
	return typed(l.word) | pisa.FSpace.Put(uint64(l.space)) | pisa.FOrder.Put(uint64(pisa.Relaxed)) | pisa.FScope.Put(uint64(l.scope))
}

func (l *loop) fence(o pisa.Order) {
	l.Op(pisa.Fence, pisa.FSpace.Put(uint64(ir.SpaceGeneric))|pisa.FOrder.Put(uint64(o))|pisa.FScope.Put(uint64(l.scope)))
}

// math is an op on registers of the type of x.
func (l *loop) math(code ir.Code, x, y *ir.Value) *ir.Value {
	return l.Value(code, typed(x.Type), x.Type, x, y)
}

func (l *loop) k(t ir.Type, v uint64) *ir.Value { return builtin.ConstInt(&l.Builder, t, v) }

func (l *loop) convert(code ir.Code, to ir.Type, x *ir.Value) *ir.Value {
	if x.Type == to {
		return x
	}
	return l.Value(code, typed(to)|pisa.FFrom.Put(uint64(pisa.PlainType(x.Type))), to, x)
}

// address is the address of the word: of 16 bits, the aligned one that holds
// them, since the narrowest compare-and-swap has 32.
func (l *loop) address() {
	l.addr = l.op.Operand(0)
	t := l.addr.Type
	if ir.HasOffset.Get(l.op.Props) != 0 {
		off := l.op.Operand(1)
		if c, ok := builtin.IsConst(off); ok {
			n := 64 - off.Type.TotalBits()
			off = l.k(t, uint64(int64(c<<n)>>n))
		} else {
			off = l.convert(pisa.SExt, t, off)
		}
		l.addr = l.math(pisa.IAdd, l.addr, off)
	}
	if l.bits != 16 {
		return
	}
	low := l.math(pisa.And, l.addr, l.k(t, 2))
	l.shift = l.math(pisa.Shl, l.convert(pisa.Trunc, ir.B32, low), l.k(ir.B32, 3))
	l.addr = l.math(pisa.And, l.addr, l.k(t, ^uint64(3)))
}

// half is the operand in word w.
func (l *loop) half(w *ir.Value) *ir.Value {
	if l.shift == nil {
		return w
	}
	return l.convert(pisa.Trunc, ir.B16, l.math(pisa.Shr, w, l.shift))
}

// merge is word w with x in the operand's place.
func (l *loop) merge(w, x *ir.Value) *ir.Value {
	if l.shift == nil {
		return x
	}
	mask := l.math(pisa.Shl, l.k(ir.B32, 0xffff), l.shift)
	rest := l.math(pisa.And, w, l.Value(pisa.Not, typed(ir.B32), ir.B32, mask))
	return l.math(pisa.Or, rest, l.math(pisa.Shl, l.convert(pisa.ZExt, ir.B32, x), l.shift))
}

func (l *loop) compare(code ir.Code, c pisa.Cmp, t uint64, x, y *ir.Value) *ir.Value {
	return l.Value(code, t|pisa.FOp.Put(uint64(c)), ir.Pred, x, y)
}

func (l *loop) pick(cond, x, y *ir.Value) *ir.Value {
	return l.Value(pisa.Sel, typed(x.Type), x.Type, x, y, cond)
}

// plain are the operations that are one op of the dialect.
var plain = map[pisa.AtomicOp]ir.Code{
	pisa.AtomAdd: pisa.IAdd, pisa.AtomSub: pisa.ISub, pisa.AtomSMin: pisa.SMin, pisa.AtomSMax: pisa.SMax,
	pisa.AtomUMin: pisa.UMin, pisa.AtomUMax: pisa.UMax, pisa.AtomAnd: pisa.And, pisa.AtomOr: pisa.Or, pisa.AtomXor: pisa.Xor,
}

// apply computes the new value from the old one, and whether to store it; nil
// is always (PISA 8.1, 8.2).
func (l *loop) apply(old *ir.Value) (repl, store *ir.Value) {
	kind, at := pisa.AtomicOp(pisa.OpOf(l.op.Props)), source(l.op, 0)
	var x *ir.Value
	if kind.Sources() > 0 {
		x = l.op.Operand(at)
	}
	t := typed(old.Type)
	if l.op.Code == pisa.FAtom {
		return l.applyFloat(kind, old, x)
	}
	one := l.k(old.Type, 1)
	switch kind {
	case pisa.AtomXchg:
		return x, nil
	case pisa.AtomCas:
		return l.op.Operand(at + 1), l.compare(pisa.UCmp, pisa.EQ, t, old, x)
	case pisa.AtomInc:
		return l.math(pisa.IAdd, old, one), nil
	case pisa.AtomDec:
		return l.math(pisa.ISub, old, one), nil
	case pisa.AtomIncWrap:
		return l.pick(l.compare(pisa.UCmp, pisa.GE, t, old, x), l.k(old.Type, 0), l.math(pisa.IAdd, old, one)), nil
	case pisa.AtomDecWrap:
		// The predecessor of 0 is the greatest number: never below x.
		less := l.math(pisa.ISub, old, one)
		return l.pick(l.compare(pisa.UCmp, pisa.GE, t, less, x), x, less), nil
	}
	return l.math(plain[kind], old, x), nil
}

// applyFloat: cas compares as floats, so that a NaN is never equal.
func (l *loop) applyFloat(kind pisa.AtomicOp, old, x *ir.Value) (repl, store *ir.Value) {
	t := pisa.FType.Put(uint64(pisa.TypeOf(l.op.Props)))
	code := map[pisa.AtomicOp]ir.Code{pisa.AtomAdd: pisa.FAdd, pisa.AtomSub: pisa.FSub, pisa.AtomMin: pisa.FMin, pisa.AtomMax: pisa.FMax}[kind]
	if kind == pisa.AtomCas {
		return l.op.Operand(source(l.op, 0) + 1), l.compare(pisa.FCmp, pisa.EQ, t, old, x)
	}
	return l.Value(code, t, old.Type, old, x), nil
}
