package llvmgen

import (
	"github.com/llir/llvm/ir/types"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/llvmgen/llx"
)

// The memory model. An ordered access is a relaxed access with fences around
// it: LLVM 19's load/store vectoriser moves plain loads over an acquire load,
// but not over a fence. Each fence stands with an explicit wait, in inline
// assembly that LLVM does not look into:
//
//   - after a release, because LLVM 19 deletes the wait behind the write-back of
//     the L2 cache, and because on GFX9 it has none at work-group scope, where a
//     third work-item may come to depend on the stores;
//   - before a work-group acquire on GFX9, where LLVM 19 lets an LDS access
//     overtake the global load that it follows;
//   - behind any other acquire an empty one, because LLVM 19 does not count a
//     fence as a reason to keep a later uniform load from the scalar cache, which
//     no fence invalidates.
//
// Never one of the -one-as scopes: PISA's orders are over all address spaces.

var fenceRows = []lowering{
	pisa.Fence:            lowerFence,
	pisa.BarrierWorkgroup: lowerBarrier,
}

// scopeOf is the scope that op has on this hardware. Shared memory is visible
// in the work-group only, so that no wider scope means more there. A relaxed
// access without scope is one of the system (PISA 6 knows none narrower).
func (e *emitter) scopeOf(op *ir.Op) pisa.Scope {
	if pisa.SpaceOf(op.Props) == ir.SpaceShared {
		return pisa.Workgroup
	}
	if s := pisa.ScopeOf(op.Props); s != pisa.NoScope {
		return s
	}
	if pisa.OrderOf(op.Props) == pisa.Relaxed {
		return pisa.System
	}
	return pisa.GPU
}

var syncScopes = [...]string{
	pisa.NoScope:   llx.ScopeSystem,
	pisa.Subgroup:  llx.ScopeWavefront,
	pisa.Workgroup: llx.ScopeWorkgroup,
	pisa.GPU:       llx.ScopeAgent,
	pisa.System:    llx.ScopeSystem,
}

func syncScope(s pisa.Scope) string { return syncScopes[s] }

// wait places wait instructions that no pass of LLVM moves memory accesses
// over or deletes; an empty text is a barrier for the compiler only.
func (e *emitter) wait(text string) {
	e.Asm(types.Void, text, "~{memory}", true, nil)
}

// release orders everything before it for what follows. md restricts the
// fence to an address space (llx.MMRA), or is empty.
func (e *emitter) release(s pisa.Scope, md string) {
	e.Fence(llx.Release, syncScope(s), md)
	e.wait(e.t.WaitAll)
}

// acquire orders everything after it behind the loads before it.
func (e *emitter) acquire(s pisa.Scope, md string) {
	if e.t.Generation == target.GFX9 && s <= pisa.Workgroup || md != "" {
		e.wait(e.t.WaitAll)
		e.Fence(llx.Acquire, syncScope(s), md)
		return
	}
	e.Fence(llx.Acquire, syncScope(s), md)
	e.wait("")
}

// lowerFence lowers fence (PISA 9.2). acq_rel and seq_cst are a release and an
// acquire, with the wait between them: the caches must be written back before
// they are invalidated.
func lowerFence(e *emitter, op *ir.Op) {
	s := pisa.ScopeOf(op.Props)
	if s == pisa.Subgroup {
		// No instruction: a sub-group is part of a wave, whose accesses are in
		// order. LLVM moves no access over the fence.
		e.Fence(llx.SeqCst, llx.ScopeWavefront, "")
		return
	}
	order := pisa.OrderOf(op.Props)
	switch pisa.SpaceOf(op.Props) {
	case ir.SpaceShared:
		e.sharedFence(order)
	case ir.SpaceGlobal:
		e.bothFences(order, s, llx.MMRA("global"))
	default:
		e.bothFences(order, s, "")
	}
}

func (e *emitter) bothFences(order pisa.Order, s pisa.Scope, md string) {
	switch order {
	case pisa.Acquire:
		e.acquire(s, md)
	case pisa.Release:
		e.release(s, md)
	default:
		e.release(s, md)
		e.Fence(llx.Acquire, syncScope(s), md)
	}
}

// sharedFence orders accesses to shared memory, in which every scope is the
// work-group's. The acquire waits for global accesses as well: the flag may be
// in global memory, read by a load or by an atomic whose result is not used,
// which RDNA counts with the stores.
func (e *emitter) sharedFence(order pisa.Order) {
	md := llx.MMRA("local")
	if e.t.Generation == target.GFX12 {
		md = "" // LLVM 19 emits nothing for a release so annotated
	}
	if order.Releases() {
		e.Fence(llx.Release, llx.ScopeWorkgroup, md)
		e.wait(e.t.WaitLDS)
	}
	if order.Acquires() {
		e.wait(e.t.WaitAll)
		e.Fence(llx.Acquire, llx.ScopeWorkgroup, md)
	}
}

// lowerBarrier lowers barrier.workgroup (PISA 9.1), which is a release and an
// acquire at work-group scope on shared and global memory beside the execution
// barrier. The hardware does not wait for outstanding accesses by itself.
func lowerBarrier(e *emitter, _ *ir.Op) {
	e.release(pisa.Workgroup, "")
	e.Intrinsic("llvm.amdgcn.s.barrier", types.Void, nil)
	e.Fence(llx.Acquire, llx.ScopeWorkgroup, "")
	e.wait("")
}
