package llvmgen

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/lowering/llvmgen/llx"
)

// step computes, from the old value, the new one of a read-modify-write, and an
// i1 that says whether to store it at all; nil is "always". Neither may depend
// on lanes other than its own.
type step func(old value.Value) (repl, store value.Value)

// casLoop does a read-modify-write as a loop of compare-and-swap on the word at
// s.ptr, all relaxed, and returns the old value. The comparison is of bits, so
// that a NaN ends the loop. At each trip some lane of every contended word
// succeeds, so that the wave gets on.
func (e *emitter) casLoop(s rmwSite, f step) value.Value {
	t := bitsType(s.bits)
	init := e.Load(t, s.ptr, s.access()) // may be stale: the exchange decides
	head, done, from := e.NewBlock(""), e.NewBlock(""), e.Block
	e.Br(head)
	e.At(head)
	old := e.Phi(t)
	llx.AddIncoming(old, init, from)
	repl, store := f(old)
	if store != nil {
		try := e.NewBlock("")
		e.CondBr(store, try, done)
		e.At(try)
	}
	seen, ok := e.CmpXchg(s.ptr, old, repl, s.access(), llx.Monotonic)
	llx.AddIncoming(old, seen, e.Block)
	e.CondBr(ok, done, head)
	e.At(done)
	return old
}

// wordLoop is casLoop for 32 and 64 bits, casLoop16 for 16.
func (e *emitter) wordLoop(s rmwSite, f step) value.Value {
	if s.bits == 16 {
		return e.casLoop16(s, f)
	}
	return e.casLoop(s, f)
}

// casLoop16 is casLoop for 16 bits, on the aligned word that holds them: the
// hardware's narrowest compare-and-swap is 32 bits. It goes round again where
// only the other half has changed.
func (e *emitter) casLoop16(s rmwSite, f step) value.Value {
	addr := e.addrInt(s.ptr)
	t := addr.Type().(*types.IntType)
	low := e.And(addr, llx.Int(t, 2))
	shift := e.Shl(low, llx.Int(t, 3))
	if t == types.I64 {
		shift = e.Trunc(shift, types.I32)
	}
	mask := e.Shl(llx.I32(0xffff), shift)
	rest := e.Not(mask)
	word := s
	word.bits = 32
	word.ptr = e.IntToPtr(e.And(addr, llx.Int(t, ^uint64(3))), s.ptr.Type())
	half := func(w value.Value) value.Value { return e.Trunc(e.LShr(w, shift), types.I16) }
	old := e.casLoop(word, func(w value.Value) (value.Value, value.Value) {
		repl, store := f(half(w))
		return e.Or(e.And(w, rest), e.Shl(e.ZExt(repl, types.I32), shift)), store
	})
	return half(old)
}
