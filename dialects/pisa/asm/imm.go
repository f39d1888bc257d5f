package asm

import (
	"math"
	"strconv"

	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
)

var fpFormat = [...]fp.Format{pisa.HF: fp.HF, pisa.BF: fp.BF, pisa.F: fp.F, pisa.DF: fp.DF}

// immediate converts a literal to the bits of an operand of type t (PISA Operands 3.2);
// failNone if it is one.
func immediate(text string, n *literal, t pisa.DType) (op Operand, why failKind) {
	info := t.Info()
	op = Operand{Kind: OpImm, Lit: n.form}
	if info.Float {
		op.Imm, why = floatBits(text, n, t)
		return op, why
	}
	if n.form == LitFloat {
		return op, failImmFloat
	}
	if n.big {
		return op, failImmRange
	}
	bits, ok := intBits(n.val, n.neg, min(info.Bits, 64))
	if !ok {
		return op, failImmRange
	}
	op.Imm = bits
	op.Hi = info.Bits == 128 && n.neg && n.val != 0
	return op, failNone
}

// intBits cuts ±val to n bits, if it lies in the signed or unsigned range.
func intBits(val uint64, neg bool, n int) (bits uint64, ok bool) {
	mask := uint64(math.MaxUint64) >> (64 - n)
	if neg {
		return -val & mask, val <= 1<<(n-1)
	}
	return val, val <= mask
}

func floatBits(text string, n *literal, t pisa.DType) (uint64, failKind) {
	if n.form == LitHex {
		if len(text)-2 != t.Info().Bits/4 {
			return 0, failImmDigits
		}
		return n.val, failNone
	}
	format := fpFormat[t]
	bits, err := fp.Parse(format, text)
	if err != nil || bits&^format.SignBit() == format.Inf() {
		return 0, failImmInf
	}
	if n.form == LitDec || n.form == LitNeg {
		return bits, failImmInt // a warning
	}
	return bits, failNone
}

func immRangeText(n int) string {
	bits := uint64(math.MaxUint64) >> (64 - min(n, 64))
	return "-" + strconv.FormatUint(bits/2+1, 10) + " to " + strconv.FormatUint(bits, 10)
}
