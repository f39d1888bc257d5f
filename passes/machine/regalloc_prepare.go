package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// prepare makes what the instructions demand of single registers into copies,
// which coalescing then removes where it can, and finds the registers that are
// not to be allocated.
func (ra *allocator) prepare() {
	n := [2]int{int(ir.RegVCC-ir.RegS0) + 2, ra.regs.VGPRs}
	for k := range n {
		ra.blocked[k] = grown(ra.blocked[k], n[k])
	}
	for b := ra.f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if !amdgpu.IsMachine(op.Code) {
				continue
			}
			row := amdgpu.RowOf(op.Code)
			if op.Code == amdgpu.PExec {
				ra.keepExec(op)
			}
			if row.Has(amdgpu.FixedVCC) {
				copyOperand(op, op.NumPlainOperands()-1, ir.RegVCC)
			}
			if row.Has(amdgpu.Tied) {
				copyOperand(op, op.NumPlainOperands()-1, ir.NoReg)
			}
			for i := range op.NumResults() {
				ra.block(op.Result(i))
			}
		}
	}
}

// block excludes the registers of a preset value from allocation.
func (ra *allocator) block(v *ir.Value) {
	if v.Reg == ir.NoReg || tracked(v) {
		return
	}
	k := classIndex(v.Type.Class())
	for i := range v.Type.Lanes() {
		if r := physical(v.Reg) + i; r >= 0 && r < len(ra.blocked[k]) {
			ra.blocked[k][r] = true
		}
	}
}

// copyOperand puts a copy of operand i before op, in register r if that is
// given.
func copyOperand(op *ir.Op, i int, r ir.Reg) {
	x := op.Operand(i)
	if x.Reg != ir.NoReg && x.Reg == r && !isLiveIn(x) {
		return
	}
	var bl ir.Builder
	bl.Before(op)
	bl.Loc = op.Loc
	c := bl.Value(amdgpu.PCopy, 0, x.Type, x)
	c.Reg = r
	op.SetOperand(i, c)
}

// alias is a value that is exec, or a part or a copy of it, as long as nothing
// writes that.
type alias struct {
	v    *ir.Value
	far  int32 // uses that were not met yet
	part ir.Reg
}

// keepExec makes the result of a p_exec, and copies and parts of it, the
// register exec if all their uses stand in front of the next instruction that
// writes exec. Else the p_exec is copied for the uses that do not.
func (ra *allocator) keepExec(op *ir.Op) {
	v := op.Result(0)
	v.Reg = ir.RegExec
	ra.aliases = append(ra.aliases[:0], alias{v, uses(v), 0})
	far := ra.aliases[0].far
	for at := op.Next(); at != nil && far > 0; at = at.Next() {
		for i := range at.NumOperands() {
			x := at.Operand(i)
			if x.Type.Class() != ir.SGPR {
				continue
			}
			for k := range ra.aliases {
				if ra.aliases[k].v != x {
					continue
				}
				ra.aliases[k].far--
				far--
				if n, ok := partOf(at); ok {
					r := at.Result(0)
					ra.aliases = append(ra.aliases, alias{r, uses(r), ra.aliases[k].part + n})
					far += uses(r)
				}
				break
			}
		}
		if writesExec(at) {
			break
		}
	}
	for _, a := range ra.aliases[1:] {
		if a.far == 0 {
			a.v.Reg = ir.RegExec + a.part
		}
	}
	if ra.aliases[0].far == 0 {
		return
	}
	var bl ir.Builder
	bl.After(op)
	bl.Loc = op.Loc
	c := bl.Value(amdgpu.PCopy, 0, v.Type, v)
	for u := v.FirstUse(); u != nil; {
		next := u.NextUse()
		if u.User() != c.Op() && !beforeExecWrite(op, u.User()) {
			u.Set(c)
		}
		u = next
	}
}

// partOf reports whether op copies its operand, or a part of it, to scalar
// registers, and from which register on.
func partOf(op *ir.Op) (first ir.Reg, ok bool) {
	switch op.Code {
	case amdgpu.PCopy:
		ok = true
	case amdgpu.PExtract:
		first, ok = ir.Reg(op.Field(amdgpu.FIndex)), true
	}
	return first, ok && op.Result(0).Type.Class() == ir.SGPR && op.Result(0).Reg == ir.NoReg
}

func uses(v *ir.Value) (n int32) {
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		n++
	}
	return n
}

// beforeExecWrite reports whether user stands behind op in its block, with no
// writer of exec between them.
func beforeExecWrite(op, user *ir.Op) bool {
	if user.Block() != op.Block() {
		return false
	}
	for at := op.Next(); at != nil; at = at.Next() {
		if at == user {
			return true
		}
		if writesExec(at) {
			return false
		}
	}
	return false
}

// writesExec reports whether op changes the execution mask.
func writesExec(op *ir.Op) bool {
	switch op.Code {
	case amdgpu.SAndSaveexecB32, amdgpu.SAndSaveexecB64, amdgpu.SOrSaveexecB32, amdgpu.SOrSaveexecB64,
		amdgpu.SAndNot0SaveexecB32, amdgpu.SAndNot0SaveexecB64:
		return true
	case amdgpu.PExec:
		return false
	}
	for i := range op.NumResults() {
		if op.Result(i).Reg == ir.RegExec {
			return true
		}
	}
	return false
}
