package isel

import (
	"fmt"
	"strings"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/machine"
)

var fenceRows = []lowering{
	pisa.Fence:            lowerFence,
	pisa.BarrierWorkgroup: lowerBarrier,
}

// ordered emits the sequence of an ordered access around what access emits.
func (s *sel) ordered(op *ir.Op, class target.MemoryClass, space ir.Space, access func(amdgpu.CacheBits) *ir.Op) {
	order, scope := pisa.OrderOf(op.Props), pisa.VisibleScope(op.Props)
	if order == pisa.Weak { // of a read-modify-write: relaxed
		order = pisa.Relaxed
	}
	q := s.mode.Sequence(class, space, order, scope)
	r := machine.Sequence{Class: class, Space: space, Order: order, Scope: scope, Loc: op.Loc}
	r.Ops = s.steps(r.Ops, q.Before)
	r.Access = access(cacheBits(q.Bits))
	r.Ops = append(r.Ops, r.Access)
	r.Ops = s.steps(r.Ops, q.After)
	s.c.Sequences = append(s.c.Sequences, r)
}

// steps emits the instructions of a sequence.
func (s *sel) steps(ops []*ir.Op, steps []target.Step) []*ir.Op {
	for i := range steps {
		ops = append(ops, s.step(steps[i].Text))
	}
	return ops
}

// step emits a wait, a cache operation or a barrier as the sequence table
// spells it.
func (s *sel) step(text string) *ir.Op {
	name, rest, _ := strings.Cut(text, " ")
	code, ok := stepCodes[name]
	if !ok {
		panic("isel: unknown step of a memory sequence: " + text)
	}
	switch amdgpu.RowOf(code).Family {
	case amdgpu.MUBUF:
		return s.Op(code, amdgpu.FCache.Put(uint64(cacheBits(rest))))
	case amdgpu.SOPK, amdgpu.SOPP:
	default:
		panic("isel: a step that is neither a wait nor a cache operation: " + text)
	}
	op := s.Op(code, 0)
	if code == amdgpu.SBarrierSignal || code == amdgpu.SBarrierWait {
		op.SetField(amdgpu.FImm, 0xffff)
	}
	if _, ok := amdgpu.WaitOf(op); ok {
		w := amdgpu.NoWaits
		if code != amdgpu.SWaitcnt || strings.Contains(rest, "vmcnt(0)") {
			w[amdgpu.WaitLoads] = 0
		}
		if strings.Contains(rest, "lgkmcnt(0)") || code != amdgpu.SWaitcnt {
			w[amdgpu.WaitLDS] = 0
		}
		if code != amdgpu.SWaitcnt {
			w[amdgpu.WaitStores], w[amdgpu.WaitScalars] = 0, 0
		}
		amdgpu.SetWait(op, w)
	}
	return op
}

// stepCodes are the instructions of sequences by name.
var stepCodes = map[string]ir.Code{
	"s_waitcnt": amdgpu.SWaitcnt, "s_waitcnt_vscnt": amdgpu.SWaitcntVscnt,
	"s_wait_loadcnt": amdgpu.SWaitLoadcnt, "s_wait_storecnt": amdgpu.SWaitStorecnt, "s_wait_dscnt": amdgpu.SWaitDscnt,
	"s_wait_loadcnt_dscnt": amdgpu.SWaitLoadcntDscnt, "s_wait_storecnt_dscnt": amdgpu.SWaitStorecntDscnt,
	"buffer_wbl2": amdgpu.BufferWbl2, "buffer_inv": amdgpu.BufferInv, "buffer_gl0_inv": amdgpu.BufferGl0Inv,
	"buffer_gl1_inv": amdgpu.BufferGl1Inv, "buffer_wbinvl1_vol": amdgpu.BufferWbinvl1Vol, "buffer_invl2": amdgpu.BufferInvl2,
	"global_inv": amdgpu.GlobalInv, "global_wb": amdgpu.GlobalWb,
	"s_barrier": amdgpu.SBarrier, "s_barrier_signal": amdgpu.SBarrierSignal, "s_barrier_wait": amdgpu.SBarrierWait,
}

var cacheWords = map[string]amdgpu.CacheBits{
	"glc": amdgpu.CacheGLC, "slc": amdgpu.CacheSLC, "dlc": amdgpu.CacheDLC, "sc0": amdgpu.CacheSC0, "sc1": amdgpu.CacheSC1, "nt": amdgpu.CacheNT,
	"th:TH_ATOMIC_RETURN": amdgpu.CacheReturn,
	"scope:SCOPE_SE":      amdgpu.CacheSE, "scope:SCOPE_DEV": amdgpu.CacheDEV, "scope:SCOPE_SYS": amdgpu.CacheSYS,
}

// cacheBits reads the cache bits of a sequence.
func cacheBits(text string) (bits amdgpu.CacheBits) {
	for _, w := range strings.Fields(text) {
		b, ok := cacheWords[w]
		if !ok {
			panic(fmt.Sprintf("isel: unknown cache bit %q", w))
		}
		bits |= b
	}
	return bits
}

// lowerFence lowers fence (PISA 9.2). The acquire of a fence of shared memory
// also waits for atomic reads of global memory, where the flag may lie.
func lowerFence(s *sel, op *ir.Op) {
	scope, order, space := pisa.ScopeOf(op.Props), pisa.OrderOf(op.Props), pisa.SpaceOf(op.Props)
	q := s.mode.Sequence(target.ClassFence, space, order, scope)
	r := machine.Sequence{Class: target.ClassFence, Space: space, Order: order, Scope: scope, Loc: op.Loc}
	if space == ir.SpaceShared && scope != pisa.Subgroup && order.Acquires() && s.reads != machine.NoReads {
		r.Reads = s.reads
		r.Ops = s.steps(r.Ops, s.mode.AtomicReads(s.reads == machine.NoResultReads))
	}
	r.Ops = s.steps(r.Ops, q.Before)
	r.Ops = s.steps(r.Ops, q.After)
	s.c.Sequences = append(s.c.Sequences, r)
}

// lowerBarrier lowers barrier.workgroup (PISA 9.1). Where the cache of the
// compute unit cannot hold anything stale that a load may find, it is not
// discarded.
func lowerBarrier(s *sel, op *ir.Op) {
	r := machine.Sequence{Barrier: true, Clean: !s.stale[op], Loc: op.Loc}
	for _, t := range s.mode.Barrier() {
		if r.Clean && t.Kind == target.StepInvalidate {
			continue
		}
		o := s.step(t.Text)
		if t.Kind == target.StepBarrier {
			r.Access = o
		}
		r.Ops = append(r.Ops, o)
	}
	s.c.Sequences = append(s.c.Sequences, r)
}
