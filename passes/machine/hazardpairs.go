package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// classify finds of which hazards each op can be the producer or the consumer.
func (h *hazards) classify(f *ir.Func) {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		var read uint64
		if h.read != nil {
			read = h.read[b.ID]
		}
		for op := b.First(); op != nil; op = op.Next() {
			if !amdgpu.Encoded(op) {
				continue
			}
			r := amdgpu.RowOf(op.Code)
			o := &h.ops[op.ID]
			o.produces = producesKinds(op, r) & h.kinds
			o.consumes = consumesKinds(op, r) & h.kinds
			if o.produces>>target.SALUAfterVALURead&1 != 0 && read&scalarPairs(op, true) == 0 {
				o.produces &^= 1 << target.SALUAfterVALURead
			}
			if r.VALU() {
				read |= scalarPairs(op, false)
			}
		}
	}
}

func producesKinds(op *ir.Op, r *amdgpu.Row) (k kindSet) {
	switch {
	case r.VALU():
		k = valuProduces(op, r)
	case r.SALU():
		if op.Code == amdgpu.SSetregImm32B32 {
			k |= 1 << target.SetregToSetreg
		}
		if scalarPairs(op, true) != 0 {
			k |= 1 << target.SALUAfterVALURead
		}
	case op.Code == amdgpu.PSymaddr:
		k |= 1 << target.SALUAfterVALURead
	default:
		if d := storeData(op, r); d != nil && d.Type.Lanes() > 2 {
			k |= 1 << target.StoreDataToVALU
		}
		if writes(op, ir.VGPR) {
			k |= 1 << target.WriteToDPP
		}
	}
	return k
}

func valuProduces(op *ir.Op, r *amdgpu.Row) (k kindSet) {
	for i := range op.NumResults() {
		v := op.Result(i)
		switch {
		case v.Reg == ir.RegExec:
			k |= 1<<target.VALUExecToDPP | 1<<target.VALUExecToLane
		case v.Type.Class() == ir.SGPR:
			k |= 1<<target.VALUSGPRToVMEM | 1<<target.VALUSGPRToLane | 1<<target.VALUSGPRToVALU
			if v.Reg == ir.RegVCC {
				k |= 1 << target.VALUVCCToDivFmas
			}
		case v.Type.Class() == ir.VGPR:
			k |= 1<<target.WriteToDPP | 1<<target.VALUToReadlane
			if r.Has(amdgpu.Trans) {
				k |= 1<<target.TransToVALU | 1<<target.TransUse
			}
			if isDot(op.Code) {
				k |= 1 << target.DotToOther
			}
			if r.Family != amdgpu.VOP3P && amdgpu.FOpSel.Get(op.Props)>>3 != 0 {
				k |= 1 << target.HalfToVALU
			}
		}
	}
	return k
}

func consumesKinds(op *ir.Op, r *amdgpu.Row) (k kindSet) {
	switch {
	case r.VALU():
		k = 1<<target.HalfToVALU | 1<<target.VALUSGPRToVALU | 1<<target.StoreDataToVALU |
			1<<target.TransUse | 1<<target.DotToOther | 1<<target.SALUAfterVALURead
		if !r.Has(amdgpu.Trans) {
			k |= 1 << target.TransToVALU
		}
		if amdgpu.FDpp.Get(op.Props) != 0 {
			k |= 1<<target.VALUExecToDPP | 1<<target.WriteToDPP
		}
		switch op.Code {
		case amdgpu.VDivFmasF32, amdgpu.VDivFmasF64:
			k |= 1 << target.VALUVCCToDivFmas
		case amdgpu.VReadlaneB32:
			k |= 1<<target.VALUSGPRToLane | 1<<target.VALUToReadlane | 1<<target.VALUExecToLane
		case amdgpu.VReadfirstlaneB32:
			k |= 1<<target.VALUToReadlane | 1<<target.VALUExecToLane
		case amdgpu.VWritelaneB32:
			k |= 1<<target.VALUSGPRToLane | 1<<target.VALUExecToLane
		}
	case r.SALU():
		k = 1 << target.SALUAfterVALURead
		if op.Code == amdgpu.SSetregImm32B32 {
			k |= 1 << target.SetregToSetreg
		}
	case r.Family == amdgpu.DS:
		k = 1 << target.DotToOther
	case r.Family >= amdgpu.Flat && r.Family <= amdgpu.Scratch:
		k = 1<<target.VALUSGPRToVMEM | 1<<target.DotToOther
	}
	return k
}

// hazardPair reports whether the registers of producer p and consumer op make
// a hazard of kind k, given that both can be part of one.
func hazardPair(k target.HazardKind, p, op *ir.Op) bool {
	switch k {
	case target.VALUExecToDPP, target.VALUExecToLane:
		return true
	case target.VALUSGPRToLane:
		return classOverlaps(p, ir.SGPR, op.Operand(1))
	case target.VALUSGPRToVMEM, target.VALUSGPRToVALU:
		return readsClassOf(op, p, ir.SGPR)
	case target.TransToVALU, target.HalfToVALU, target.VALUToReadlane, target.TransUse:
		return readsClassOf(op, p, ir.VGPR)
	case target.StoreDataToVALU:
		d := storeData(p, amdgpu.RowOf(p.Code))
		for i := range op.NumResults() {
			if sameRegs(d, op.Result(i)) {
				return true
			}
		}
		return false
	case target.SetregToSetreg:
		// Bits 5:0 name the hardware register.
		return amdgpu.FImm.Get(p.Props)&0x3f == amdgpu.FImm.Get(op.Props)&0x3f
	case target.VALUVCCToDivFmas:
		return true
	case target.DotToOther:
		return dotPair(p, op)
	case target.WriteToDPP:
		// Lanes that are not written keep the result's old value.
		return readsClassOf(op, p, ir.VGPR) || overlaps(p, op.Result(0))
	case target.SALUAfterVALURead:
		return scalarPairs(p, true)&scalarPairs(op, false) != 0
	}
	panic("machine: no pairs of this kind of hazard")
}

// readsClassOf reports whether op reads a register of class c that p writes.
func readsClassOf(op, p *ir.Op, c ir.RegClass) bool {
	for i := range op.NumPlainOperands() {
		if classOverlaps(p, c, op.Operand(i)) {
			return true
		}
	}
	return false
}

// classOverlaps reports whether a result of p of class c shares a register with
// v.
func classOverlaps(p *ir.Op, c ir.RegClass, v *ir.Value) bool {
	for i := range p.NumResults() {
		if p.Result(i).Type.Class() == c && sameRegs(p.Result(i), v) {
			return true
		}
	}
	return false
}

// dotPair: the accumulator is forwarded between dot products of one kind.
func dotPair(p, op *ir.Op) bool {
	for i := range op.NumPlainOperands() {
		if overlaps(p, op.Operand(i)) && (op.Code != p.Code || i < 2) {
			return true
		}
	}
	if op.Code == p.Code {
		return false
	}
	for i := range op.NumResults() {
		if overlaps(p, op.Result(i)) {
			return true
		}
	}
	return false
}

func isDot(c ir.Code) bool { return c == amdgpu.VDot4U32U8 || c == amdgpu.VDot4I32Iu8 }

// storeData is the data operand of a vector store, nil of anything else.
func storeData(op *ir.Op, r *amdgpu.Row) *ir.Value {
	if !r.Has(amdgpu.Stores) || r.Family < amdgpu.Flat || r.Family > amdgpu.Scratch {
		return nil
	}
	return op.Operand(op.NumPlainOperands() - 1)
}

func writes(op *ir.Op, c ir.RegClass) bool {
	for i := range op.NumResults() {
		if op.Result(i).Type.Class() == c {
			return true
		}
	}
	return false
}

// readsResultOf reports whether op reads a register that p writes; scc aside.
func readsResultOf(op, p *ir.Op) bool {
	for i := range op.NumPlainOperands() {
		if overlaps(p, op.Operand(i)) {
			return true
		}
	}
	return false
}

// overlaps reports whether a result of p shares a register with v.
func overlaps(p *ir.Op, v *ir.Value) bool {
	for i := range p.NumResults() {
		if sameRegs(p.Result(i), v) {
			return true
		}
	}
	return false
}

func sameRegs(a, b *ir.Value) bool {
	return a.Reg != ir.NoReg && b.Reg != ir.NoReg && a.Reg != ir.RegSCC && b.Reg != ir.RegSCC &&
		a.Reg < b.Reg+ir.Reg(b.Type.Lanes()) && b.Reg < a.Reg+ir.Reg(a.Type.Lanes())
}

// scalarPairs is the set of pairs of scalar registers, vcc included, that op
// writes, or else reads.
func scalarPairs(op *ir.Op, written bool) (set uint64) {
	add := func(v *ir.Value) {
		if v.Type.Class() != ir.SGPR || v.Reg == ir.NoReg || v.Reg >= ir.RegM0 {
			return
		}
		for r := v.Reg; r < v.Reg+ir.Reg(v.Type.Lanes()); r++ {
			set |= 1 << ((r - ir.RegS0) / 2)
		}
	}
	if written {
		for i := range op.NumResults() {
			add(op.Result(i))
		}
	} else {
		for i := range op.NumPlainOperands() {
			add(op.Operand(i))
		}
	}
	return set
}

// markReadPairs finds which pairs of scalar registers a VALU instruction may
// have read before each block.
func (h *hazards) markReadPairs(f *ir.Func) {
	h.read = make([]uint64, f.NumBlockIDs())
	own := make([]uint64, f.NumBlockIDs())
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if amdgpu.Encoded(op) && amdgpu.RowOf(op.Code).VALU() {
				own[b.ID] |= scalarPairs(op, false)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			for i := range b.NumSuccs() {
				to := &h.read[b.Succ(i).ID]
				if in := *to | h.read[b.ID] | own[b.ID]; in != *to {
					*to, changed = in, true
				}
			}
		}
	}
}

// replay is a run of adjacent memory instructions of one kind on a chip that
// issues them again after a page fault (target.ReplayClause).
type replay struct {
	scalar bool
	ops    []*ir.Op
	loads  bool
}

// clauseKind is 1 for scalar loads, 2 for vector memory instructions, else 0.
func clauseKind(op *ir.Op) int {
	switch r := amdgpu.RowOf(op.Code); {
	case r.Family == amdgpu.SMEM:
		return 1
	case r.Family >= amdgpu.Flat && r.Family <= amdgpu.Scratch:
		return 2
	}
	return 0
}

// breaks reports whether op must not follow the run at once.
func (c *replay) breaks(op *ir.Op) bool {
	k := clauseKind(op)
	if k == 0 || len(c.ops) == 0 || c.scalar != (k == 1) || !c.loads {
		return false
	}
	if r := amdgpu.RowOf(op.Code); r.Flags&(amdgpu.Stores|amdgpu.Atomic) != 0 {
		return true
	}
	if len(c.ops) == maxReplay || readsResultOf(op, op) {
		return true
	}
	for _, p := range c.ops {
		if readsResultOf(op, p) || readsResultOf(p, op) || readsResultOf(p, p) {
			return true
		}
	}
	return false
}

// maxReplay is where a run is cut, to bound the search.
const maxReplay = 64

// add lets op follow the run, or nops and then op.
func (c *replay) add(op *ir.Op, nops bool) {
	k := clauseKind(op)
	if nops || k == 0 || c.scalar != (k == 1) || len(c.ops) == maxReplay {
		c.ops, c.loads = c.ops[:0], false
	}
	if k != 0 {
		c.scalar = k == 1
		c.ops = append(c.ops, op)
		c.loads = c.loads || op.NumResults() > 0
	}
}
