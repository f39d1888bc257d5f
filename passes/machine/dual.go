package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Dual makes dual-issue instructions of independent vector instructions:
//
//	v0 = v_mul_f32 v1, v2        v0 = v_mul_f32.dual v1, v2
//	s0 = s_add_u32 …        →    v3 = v_add_f32 v4, v5
//	v3 = v_add_f32 v4, v5        s0 = s_add_u32 …
//
// The second one goes up to the first, over instructions that have nothing to
// do with it, but over no wait.
func Dual(c *Ctx, f *ir.Func) {
	if c.Target.Generation != target.GFX11 || c.Target.Wave != 32 {
		return
	}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if name, _ := amdgpu.DualName(op); name == "" {
				continue
			}
			if second := partner(c.Target, op); second != nil {
				for m := op.Next(); m != second; { // constants cost nothing, wherever they are
					next := m.Next()
					if isConst(m) {
						m.MoveBefore(op)
					}
					m = next
				}
				second.MoveBefore(op.Next())
				op.SetField(amdgpu.FDual, 1)
				op = second
			}
		}
	}
}

// dualReach is how many instructions the second of a pair may overtake.
const dualReach = 6

// partner finds the second instruction for a, nil if there is none near.
func partner(t *target.Target, a *ir.Op) *ir.Op {
	passed := 0
	for b := a.Next(); b != nil && passed <= dualReach; b = b.Next() {
		if !amdgpu.Encoded(b) {
			continue
		}
		if r := amdgpu.RowOf(b.Code); r.Has(amdgpu.Control) || r.Has(amdgpu.Branches) || writesExec(b) || b.Code == amdgpu.PSymaddr {
			return nil
		}
		if name, _ := amdgpu.DualName(b); name != "" && passes(a, b) && pairUp(t, a, b) {
			return b
		}
		passed++
	}
	return nil
}

// passes reports whether b may go up to a.
func passes(a, b *ir.Op) bool {
	for m := a.Next(); m != b; m = m.Next() {
		if !amdgpu.Encoded(m) {
			continue
		}
		for i := range b.NumPlainOperands() {
			if overlaps(m, b.Operand(i)) {
				return false
			}
		}
		for i := range m.NumPlainOperands() {
			if sameRegs(m.Operand(i), b.Result(0)) {
				return false
			}
		}
		if overlaps(m, b.Result(0)) {
			return false
		}
	}
	return true
}

// pairUp reports whether a and b are a pair, with the operands of either
// swapped if need be.
func pairUp(t *target.Target, a, b *ir.Op) bool {
	for range 2 {
		for range 2 {
			if amdgpu.CanDual(t, a, b) {
				return true
			}
			if !swapOperands(b) {
				break
			}
		}
		if !swapOperands(a) {
			break
		}
	}
	return false
}

// swapOperands exchanges the factors or terms of op; twice it is as before.
func swapOperands(op *ir.Op) bool {
	if op.Code != amdgpu.VFmaF32 && !amdgpu.RowOf(op.Code).Has(amdgpu.Commutes) || amdgpu.FNeg.Get(op.Props)|amdgpu.FAbs.Get(op.Props)|amdgpu.FOpSel.Get(op.Props) != 0 {
		return false
	}
	x, y := op.Operand(0), op.Operand(1)
	op.SetOperand(0, y)
	op.SetOperand(1, x)
	return true
}
