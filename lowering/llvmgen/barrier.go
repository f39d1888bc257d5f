package llvmgen

import (
	"github.com/llir/llvm/ir/types"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/llvmgen/llx"
	"pisac/passes/analysis"
)

// lowerBarrier lowers barrier.workgroup (PISA 9.1), which is a release and an
// acquire at work-group scope on shared and global memory beside the execution
// barrier. The hardware does not wait for outstanding accesses by itself.
//
// On GFX11 the acquire discards the cache of the compute unit, since the
// work-group may run on two. It is left out where it can make no difference to
// any load (analysis.StaleBarriers); GFX9 has one such cache for the work-group.
func lowerBarrier(e *emitter, op *ir.Op) {
	e.release(pisa.Workgroup)
	e.Intrinsic("llvm.amdgcn.s.barrier", types.Void, nil)
	md := ""
	if e.t.Generation == target.GFX11 && e.fn.Kind == ir.FuncKernel {
		if e.stale == nil {
			e.stale = analysis.StaleBarriers(e.fn)
		}
		if !e.stale[op] {
			md = llx.MMRA("local")
		}
	}
	e.Fence(llx.Acquire, llx.ScopeWorkgroup, md)
	e.compilerBarrier()
}
