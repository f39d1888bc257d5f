package interp

import (
	"math/bits"

	"pisac/dialects/pisa"
)

// Registers that nothing has written read as zero (digest 13); a read is worth
// a warning. A frame whose function has such registers tracks, by slot, the
// lanes for which the value is one of them: copies pass it on, any other op
// that reads it warns.

// written notes that in reads its operands and writes its results.
func (s *subgroup) written(in *inst, mask uint32) {
	never := s.fr.never
	if in.args != nil && in.ctl == ctlNone || in.ctl == ctlBr {
		return // copies pass it on
	}
	first := 0
	switch in.op.Code {
	case pisa.IRed, pisa.FRed, pisa.Shfl, pisa.InsertDynamic:
		first = 1 // the old value is kept rather than read
	}
	for i := first; i < in.op.NumPlainOperands(); i++ {
		v := in.op.Operand(i)
		slot := in.src[min(i, len(in.src)-1)]
		if in.ctl == ctlCall || in.ctl == ctlCallIndirect {
			slot = s.argSlot(in, i)
		}
		for w := range int32(shapeOf(v.Type).words) {
			if m := never[slot+w] & mask; m != 0 {
				s.warn(in, bits.TrailingZeros32(m), UninitRegister, "read of a register that nothing has written on this path; it is zero")
				break
			}
		}
	}
	for w := range in.words {
		if in.dst >= 0 {
			never[in.dst+w] &^= mask
		}
	}
	if in.dst2 >= 0 {
		never[in.dst2] &^= mask
	}
}

// argSlot is the slot of operand i of a call.
func (s *subgroup) argSlot(in *inst, i int) int32 {
	at := 0
	if in.ctl == ctlCallIndirect {
		if i == 0 {
			return in.src[0]
		}
		i--
		for k := range i {
			at += shapeOf(in.op.Operand(k + 1).Type).words
		}
		return in.args[at].src
	}
	for k := range i {
		at += shapeOf(in.op.Operand(k).Type).words
	}
	return in.args[at].src
}
