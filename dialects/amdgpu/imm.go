package amdgpu

import (
	"strings"

	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// OperandSlots are the slots of op's plain operands: of the row, without
// optional ones that op lacks, or of the form with a scalar base.
func OperandSlots(op *ir.Op) []Slot {
	r := RowOf(op.Code)
	slots := r.Operands
	switch n := op.NumPlainOperands(); {
	case FSaddr.Get(op.Props) != 0 && r.Family >= Flat && r.Family <= Scratch:
		return r.Saddr
	case n == len(slots) || len(slots) == 0 || slots[len(slots)-1].Any:
	case slots[0].Opt:
		return slots[1:]
	case slots[len(slots)-1].Opt:
		return slots[:len(slots)-1]
	}
	return slots
}

// ImmBits is how wide the instruction sees an immediate in slot s: 16, 32 or
// 64 bits.
func (r *Row) ImmBits(s *Slot) int {
	switch {
	case s.Regs == 2 && r.Family != VOP3P:
		return 64
	case r.half && s.Regs == 1:
		return 16
	}
	return 32
}

// halfSource reports instructions whose operands are of 16 bits. Those of
// packed ones are of 32.
func halfSource(r *Row) bool {
	return r.VALU() && r.Family != VOP3P && (strings.HasSuffix(r.Name, "_f16") || strings.HasSuffix(r.Name, "_i16") || strings.HasSuffix(r.Name, "_u16"))
}

// doubleSource reports instructions whose 64-bit operands are floats: a literal
// is their upper half.
func doubleSource(r *Row) bool { return strings.HasSuffix(r.Name, "_f64") }

// Inline constants that are floats (RDNA3 ISA 6.3): 0.5, 1, 2, 4 with both
// signs, and 1/(2π).
var (
	inlineHalf   = [...]uint64{0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118}
	inlineSingle = [...]uint64{0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983}
	inlineDouble = [...]uint64{0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000, 0xbff0000000000000,
		0x4000000000000000, 0xc000000000000000, 0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882}
)

func among(v uint64, list *[9]uint64) bool {
	for _, x := range list {
		if v == x {
			return true
		}
	}
	return false
}

// ImmValue is the number that slot s of r sees for the immediate x: its bits,
// sign-extended from the width of x or of the slot, whichever is less.
func (r *Row) ImmValue(s *Slot, x *ir.Value) int64 {
	bits, _ := IsImm(x)
	n := min(r.ImmBits(s), max(x.Type.TotalBits(), 1))
	return int64(bits<<(64-n)) >> (64 - n)
}

// Inlines reports whether the immediate x needs no literal in slot s of r.
func (r *Row) Inlines(s *Slot, x *ir.Value) bool {
	v := r.ImmValue(s, x)
	if v >= -16 && v <= 64 {
		return true
	}
	switch r.ImmBits(s) {
	case 16:
		return !s.Int && strings.HasSuffix(r.Name, "_f16") && among(uint64(v)&0xffff, &inlineHalf)
	case 64:
		return among(uint64(v), &inlineDouble)
	}
	if r.Family == VOP3P && r.Has(Packed|Float) {
		return among(uint64(v)&0xffffffff, &inlineHalf) // the upper half is 0
	}
	return among(uint64(v)&0xffffffff, &inlineSingle)
}

// Literal is the 32 bits that encode the immediate x in slot s as a literal;
// ok is false if there are none. Which way a literal of a 64-bit integer is
// extended depends on the instruction, so that bit 31 must be 0.
func (r *Row) Literal(s *Slot, x *ir.Value) (lit uint32, ok bool) {
	v := r.ImmValue(s, x)
	switch {
	case r.ImmBits(s) != 64:
		if r.ImmBits(s) == 16 {
			v &= 0xffff
		}
		return uint32(v), true
	case r.double:
		return uint32(uint64(v) >> 32), v&0xffffffff == 0
	}
	return uint32(v), v >= 0 && v < 1<<31
}

// TakesLiteral reports whether operand i may be a literal on t, as far as the
// row decides: on GFX9 the 64-bit encodings of vector instructions have none,
// so that beside it all operands must be in vector registers, without
// modifiers, masks in vcc, and it comes first.
func (r *Row) TakesLiteral(t *target.Target, i int) bool {
	switch {
	case r.SALU() || r.Family == Pseudo:
		return true
	case !r.VALU() || r.Family == VOP3P && r.Operands[i].Regs == 2,
		r.Code == VReadlaneB32, r.Code == VWritelaneB32 && i > 0:
		return false
	case t.Generation == target.GFX9:
		return i == 0 && isShort(t, r)
	}
	return true
}
