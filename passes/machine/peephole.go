package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// Peephole removes instructions that final registers and final order make
// needless:
//
//	s_cbranch_scc0 ^exit, ^b         s_cbranch_scc1 ^loop, ^exit
//	^b: s_branch ^loop          →    ^exit: …
//	^exit: …
//
// and moves of a register to itself, and masks for exec that nothing executes
// under.
func Peephole(c *Ctx, f *ir.Func) {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		var next *ir.Op
		for op := b.First(); op != nil; op = next {
			next = op.Next()
			if selfMove(op) || deadExec(op) {
				op.Erase()
			}
		}
	}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		foldBranch(b)
	}
}

// selfMove reports a move of a register to itself.
func selfMove(op *ir.Op) bool {
	switch op.Code {
	case amdgpu.VMovB32, amdgpu.VMovB64, amdgpu.SMovB32, amdgpu.SMovB64:
		return op.Operand(0).Reg == op.Result(0).Reg && op.Props == 0 && !op.Result(0).HasUses()
	}
	return false
}

// deadExec reports a write of exec, and of nothing else, that is overwritten
// before anything depends on it.
func deadExec(op *ir.Op) bool {
	if !amdgpu.IsMachine(op.Code) || op.NumResults() == 0 || op.Result(0).Reg != ir.RegExec || op.Result(0).HasUses() {
		return false
	}
	if op.NumResults() > 1 && op.Code != amdgpu.SMovB32 && op.Code != amdgpu.SMovB64 {
		return false // scc may be of use
	}
	for n := op.Next(); n != nil; n = n.Next() {
		if n.Code == amdgpu.PSkip {
			return false
		}
		if !amdgpu.Encoded(n) {
			continue
		}
		r := amdgpu.RowOf(n.Code)
		if r.Vector() || !r.SALU() || readsExec(n) {
			return false
		}
		if writesExec(n) {
			return n.Result(0).Reg == ir.RegExec // not one that saves it first
		}
	}
	return false
}

// readsExec reports an operand in exec.
func readsExec(op *ir.Op) bool {
	for i := range op.NumPlainOperands() {
		if r := op.Operand(i).Reg; r == ir.RegExec || r == ir.RegExec+1 {
			return true
		}
	}
	return false
}

// inverse is the branch on the opposite condition.
var inverse = map[ir.Code]ir.Code{
	amdgpu.SCbranchScc0: amdgpu.SCbranchScc1, amdgpu.SCbranchScc1: amdgpu.SCbranchScc0,
	amdgpu.SCbranchVccz: amdgpu.SCbranchVccnz, amdgpu.SCbranchVccnz: amdgpu.SCbranchVccz,
	amdgpu.SCbranchExecz: amdgpu.SCbranchExecnz, amdgpu.SCbranchExecnz: amdgpu.SCbranchExecz,
}

// foldBranch lets b's conditional branch, over a block that only branches, do
// that block's branch.
func foldBranch(b *ir.Block) {
	t := b.Last()
	not, ok := inverse[t.Code]
	if !ok {
		return
	}
	between := b.Next()
	if between == nil || between.NumPreds() != 1 || t.Succ(1).To() != between || t.Succ(0).To() != between.Next() || between == t.Succ(0).To() {
		return
	}
	j := between.First()
	for j != nil && !amdgpu.Encoded(j) && j != between.Last() {
		j = j.Next()
	}
	if j == nil || j != between.Last() || t.Succ(0).NumArgs() != 0 || between.NumArgs() != 0 {
		return
	}
	// The condition still holds in between: a branch on it, too, is taken.
	if j.Code != amdgpu.SBranch && (j.Code != not || not != amdgpu.SCbranchExecnz && not != amdgpu.SCbranchExecz) {
		return
	}
	to := j.Succ(0).To()
	if j.Succ(0).NumArgs() != 0 || to == between {
		return
	}
	exit := t.Succ(0).To()
	var bl ir.Builder
	bl.Before(t)
	bl.Loc = t.Loc
	var cond []*ir.Value
	for i := range t.NumPlainOperands() {
		cond = append(cond, t.Operand(i))
	}
	t.Erase()
	bl.AtEnd(b)
	bl.Branch(not, 0, cond, ir.Target{To: to}, ir.Target{To: exit})
	between.Erase()
}
