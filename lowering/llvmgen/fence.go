package llvmgen

import (
	"github.com/llir/llvm/ir/types"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/llvmgen/llx"
)

// The memory model. An ordered access is a relaxed access with fences around
// it, or an acquire load with a barrier for the compiler behind it: LLVM 19's
// load/store vectoriser moves plain loads over an acquire load, but not over
// these. Some fences stand with an explicit wait:
//
//   - after a release on GFX9, because LLVM 19 deletes the wait behind the
//     write-back of the L2 cache, and because it has none at work-group scope,
//     where a third work-item may come to depend on the stores;
//   - after a release of a work-group on GFX11 if some kernel's work-group is one
//     wave: releases of LLVM after 19 take the scope for that of the wave then;
//   - after any release on GFX12, whose fences LLVM 19 leaves without some waits;
//   - before a work-group acquire on GFX9, where LLVM 19 lets an LDS access
//     overtake the global load that it follows.
//
// Where the hardware has s_waitcnt the wait is LLVM's intrinsic, which LLVM
// never deletes but makes one instruction with the waits that it has of its own
// at the place; else it is inline assembly. Beside each stands an empty piece of
// inline assembly that no pass moves accesses over, for the intrinsic is none to
// them. It stands behind an acquire without a wait as well, because LLVM 19 does
// not count a fence as a reason to keep a later uniform load from the scalar
// cache, which no fence invalidates.
//
// Never one of the -one-as scopes: PISA's orders are over all address spaces.
// For the same reason fence.global is a fence without address space: so
// annotated, LLVM would not wait for a flag in shared memory.

var fenceRows = []lowering{
	pisa.Fence:            lowerFence,
	pisa.BarrierWorkgroup: lowerBarrier,
}

var syncScopes = [...]string{
	pisa.NoScope:   llx.ScopeSystem,
	pisa.Subgroup:  llx.ScopeWavefront,
	pisa.Workgroup: llx.ScopeWorkgroup,
	pisa.GPU:       llx.ScopeAgent,
	pisa.System:    llx.ScopeSystem,
}

func syncScope(s pisa.Scope) string { return syncScopes[s] }

// compilerBarrier keeps LLVM from moving memory accesses over the place.
func (e *emitter) compilerBarrier() {
	e.Asm(types.Void, "", "~{memory}", true, nil)
}

// wait places a wait that no pass of LLVM deletes: the operand of s_waitcnt if
// there is one, else text.
func (e *emitter) wait(count uint16, text string) {
	if count == 0 {
		e.Asm(types.Void, text, "~{memory}", true, nil)
		return
	}
	e.Intrinsic("llvm.amdgcn.s.waitcnt", types.Void, vals(llx.I32(uint32(count))))
}

// waitAll waits for all accesses before, also where LLVM would not wait for
// what GFX11 counts with the stores.
func (e *emitter) waitAll() {
	count := e.t.CountAll
	if e.t.Generation != target.GFX9 {
		count = 0
	}
	e.compilerBarrier()
	e.wait(count, e.t.WaitAll)
}

// release orders everything before it for what follows.
func (e *emitter) release(s pisa.Scope) {
	e.Fence(llx.Release, syncScope(s), "")
	if e.t.Generation != target.GFX11 || s <= pisa.Workgroup && e.oneWave {
		e.wait(e.t.CountAll, e.t.WaitAll)
	}
	e.compilerBarrier()
}

// overtaken reports that LLVM's acquire at scope s does not wait for the load.
func (e *emitter) overtaken(s pisa.Scope) bool {
	return e.t.Generation == target.GFX9 && s <= pisa.Workgroup
}

// acquire orders everything after it behind the loads before it.
func (e *emitter) acquire(s pisa.Scope) {
	if e.overtaken(s) {
		e.waitAll()
	}
	e.Fence(llx.Acquire, syncScope(s), "")
	e.compilerBarrier()
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
	if pisa.SpaceOf(op.Props) == ir.SpaceShared {
		e.sharedFence(order)
		return
	}
	if order.Releases() {
		e.release(s)
	}
	if order.Acquires() {
		if order.Releases() { // has waited
			e.Fence(llx.Acquire, syncScope(s), "")
			e.compilerBarrier()
			return
		}
		e.acquire(s)
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
		e.wait(e.t.CountLDS, e.t.WaitLDS)
		e.compilerBarrier()
	}
	if order.Acquires() {
		e.waitAll()
		e.Fence(llx.Acquire, llx.ScopeWorkgroup, md)
		e.compilerBarrier()
	}
}
