package amdgpu

import (
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Two vector instructions of a wave of 32 may be one, a dual-issue instruction
// (RDNA3 ISA 7.6, VOPD): the first has FDual and the second follows at once.
// What they do is what they do one after the other, since neither reads or
// writes the result of the other.

// dualRow is an instruction that can be half of a pair.
type dualRow struct {
	name string // behind v_dual_
	only bool   // only as the second half, Y
}

var dualRows = map[ir.Code]dualRow{
	VMulF32: {name: "mul_f32"}, VAddF32: {name: "add_f32"}, VSubF32: {name: "sub_f32"}, VSubrevF32: {name: "subrev_f32"},
	VMovB32: {name: "mov_b32"}, VCndmaskB32: {name: "cndmask_b32"}, VMaxF32: {name: "max_f32"}, VMinF32: {name: "min_f32"},
	VFmaF32:   {name: "fmac_f32"}, // its addend is its result
	VAddNcU32: {name: "add_nc_u32", only: true}, VLshlrevB32: {name: "lshlrev_b32", only: true}, VAndB32: {name: "and_b32", only: true},
}

// DualName is the mnemonic of half of a pair, "" if op cannot be one whatever
// the other is; x reports whether it can be the first half, X.
func DualName(op *ir.Op) (name string, x bool) {
	r, ok := dualRows[op.Code]
	if !ok {
		return "", false
	}
	return "v_dual_" + r.name, !r.only
}

// CanDual reports whether a and b are a pair as they stand, with their
// operands in this order; a comes first.
func CanDual(t *target.Target, a, b *ir.Op) bool {
	if t.Generation != target.GFX11 || t.Wave != 32 {
		return false // GFX12 has other rules for moves, and other names
	}
	ra, ok := dualRows[a.Code]
	rb, ok2 := dualRows[b.Code]
	if !ok || !ok2 || ra.only && rb.only || !dualHalf(a) || !dualHalf(b) {
		return false
	}
	x, y := a.Result(0), b.Result(0)
	if x.Reg.Index()&1 == y.Reg.Index()&1 {
		return false
	}
	for i := range b.NumPlainOperands() {
		if b.Operand(i).Reg == x.Reg {
			return false
		}
	}
	// Sources at one place come from different banks.
	for i := range min(a.NumPlainOperands(), b.NumPlainOperands(), 2) {
		p, q := a.Operand(i).Reg, b.Operand(i).Reg
		if p.IsV() && q.IsV() && p.Index()&3 == q.Index()&3 {
			return false
		}
	}
	return dualScalars(a, b)
}

// dualHalf reports whether op's operands fit into half of a pair.
func dualHalf(op *ir.Op) bool {
	if op.Props&^FDual.Set(0, 1) != 0 || !op.Result(0).Reg.IsV() {
		return false
	}
	if op.NumPlainOperands() > 1 && !op.Operand(1).Reg.IsV() {
		return false
	}
	switch op.Code {
	case VFmaF32:
		return op.Operand(2).Reg == op.Result(0).Reg
	case VCndmaskB32:
		return op.Operand(2).Reg == ir.RegVCC
	}
	return true
}

// dualScalars holds the pair to two different scalar registers or literals
// together, one literal at most.
func dualScalars(a, b *ir.Op) bool {
	var regs [4]ir.Reg
	n, literals := 0, 0
	var literal uint32
	add := func(r ir.Reg) {
		for _, have := range regs[:n] {
			if have == r {
				return
			}
		}
		regs[n] = r
		n++
	}
	for _, op := range [...]*ir.Op{a, b} {
		r := RowOf(op.Code)
		switch v := op.Operand(0); {
		case v.Reg != ir.NoReg && !v.Reg.IsV():
			add(v.Reg)
		case v.Reg == ir.NoReg:
			if l, _ := r.Literal(&r.Operands[0], v); !r.Inlines(&r.Operands[0], v) && (literals == 0 || l != literal) {
				literal = l
				literals++
			}
		}
		if op.Code == VCndmaskB32 {
			add(ir.RegVCC)
		}
	}
	return literals <= 1 && n+literals <= 2
}

// DualFirst reports the first half of a pair.
func DualFirst(op *ir.Op) bool {
	return FDual.Get(op.Props) != 0 && IsMachine(op.Code) && RowOf(op.Code).VALU()
}

// DualSecond is the other half of the pair whose first half is a.
func DualSecond(a *ir.Op) *ir.Op {
	b := a.Next()
	for !Encoded(b) {
		b = b.Next()
	}
	return b
}
