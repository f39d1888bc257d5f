package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// insertWait puts the instructions that wait for need before op, or makes
// waits that stand there already stronger.
func insertWait(t *target.Target, op *ir.Op, need amdgpu.WaitFor) {
	for p := op.Prev(); p != nil && need != amdgpu.NoWaits; p = p.Prev() {
		if have, ok := amdgpu.WaitOf(p); ok {
			strengthen(t, p, have, &need)
		} else if amdgpu.Encoded(p) {
			break
		}
	}
	if need == amdgpu.NoWaits {
		return
	}
	var bl ir.Builder
	bl.Before(op)
	bl.Loc = op.Loc
	for need != amdgpu.NoWaits {
		code := waitCode(t, need)
		w := bl.Op(code, 0)
		have := amdgpu.NoWaits
		for c := range need {
			if waitFields(code)>>c&1 != 0 {
				have[c], need[c] = need[c], -1
			}
		}
		amdgpu.SetWait(w, have)
	}
}

// strengthen lets p do as much of need as its fields can say.
func strengthen(t *target.Target, p *ir.Op, have amdgpu.WaitFor, need *amdgpu.WaitFor) {
	for c := range need {
		if need[c] >= 0 && waitFields(p.Code)>>c&1 != 0 {
			if have[c] < 0 || need[c] < have[c] {
				have[c] = need[c]
			}
			need[c] = -1
		}
	}
	amdgpu.SetWait(p, have)
}

// waitFields is the set of counters that a wait instruction can wait for.
func waitFields(code ir.Code) target.Counter {
	switch code {
	case amdgpu.SWaitcnt, amdgpu.SWaitLoadcntDscnt:
		return target.Loads | target.LDS
	case amdgpu.SWaitcntVscnt, amdgpu.SWaitStorecnt:
		return target.Stores
	case amdgpu.SWaitLoadcnt:
		return target.Loads
	case amdgpu.SWaitDscnt:
		return target.LDS
	case amdgpu.SWaitKmcnt:
		return target.Scalars
	case amdgpu.SWaitStorecntDscnt:
		return target.Stores | target.LDS
	}
	return 0
}

// waitCode is the instruction that waits for most of need.
func waitCode(t *target.Target, need amdgpu.WaitFor) ir.Code {
	load, lds := need[amdgpu.WaitLoads] >= 0, need[amdgpu.WaitLDS] >= 0
	if t.Generation != target.GFX12 {
		if load || lds {
			return amdgpu.SWaitcnt
		}
		return amdgpu.SWaitcntVscnt
	}
	switch {
	case load && lds:
		return amdgpu.SWaitLoadcntDscnt
	case load:
		return amdgpu.SWaitLoadcnt
	case need[amdgpu.WaitStores] >= 0 && lds:
		return amdgpu.SWaitStorecntDscnt
	case need[amdgpu.WaitStores] >= 0:
		return amdgpu.SWaitStorecnt
	case lds:
		return amdgpu.SWaitDscnt
	}
	return amdgpu.SWaitKmcnt
}

// mergeWaits removes a wait that follows another one of its kind with nothing
// but waits between; the first becomes as strong as both and is noted in by.
func mergeWaits(c *Ctx, b *ir.Block, by map[*ir.Op]*ir.Op) {
	var run []*ir.Op // waits since the last other instruction
	var next *ir.Op
	for op := b.First(); op != nil; op = next {
		next = op.Next()
		have, ok := amdgpu.WaitOf(op)
		if !ok {
			if amdgpu.Encoded(op) {
				run = run[:0]
			}
			continue
		}
		first := true
		for _, p := range run {
			if p.Code == op.Code {
				before, _ := amdgpu.WaitOf(p)
				strengthen(c.Target, p, before, &have)
				by[op] = p
				op.Erase()
				first = false
				break
			}
		}
		if first {
			run = append(run, op)
		}
	}
}
