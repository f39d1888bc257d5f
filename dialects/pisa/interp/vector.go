package interp

import (
	"math/bits"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// pieces is how the elements of an extract, insert or bitcast lie in words.
type pieces struct {
	src, dst             shape // bitcast
	bits, n              int   // extract, insert: of an element; elements copied
	srcAt, dstAt         int   // first element on each side
	srcPacked, dstPacked bool  // the elements share one word
	srcSlot, dstSlot     int32
}

// extract copies elements [index, index+n) of the source.
func (d *decoder) extract(in *inst, o *ir.Op) {
	src, dst := o.Operand(0).Type, o.Result(0).Type
	first, n := pisa.IndexOf(o.Props), pisa.LanesOf(o.Props)
	d.moves(in, src, first, dst, 0, n, in.src[0], in.dst)
}

// insert copies the old value, then the elements of the second operand.
func (d *decoder) insert(in *inst, o *ir.Op) {
	old, part := o.Operand(0).Type, o.Operand(1).Type
	first, n := pisa.IndexOf(o.Props), pisa.LanesOf(o.Props)
	in.args = d.words(nil, in.dst, in.src[0], old)
	whole := in.args
	d.moves(in, part, 0, old, first, n, in.src[1], in.dst)
	if in.pieces == nil { // whole words: those replaced need no copy
		moved := in.args
		in.args = nil
		for _, c := range whole {
			replaced := false
			for _, m := range moved {
				replaced = replaced || m.dst == c.dst
			}
			if !replaced {
				in.args = append(in.args, c)
			}
		}
		in.args = append(in.args, moved...)
		return
	}
	in.args = whole
}

// moves makes in copy n elements; by words if both sides have one word for
// each element.
func (d *decoder) moves(in *inst, src ir.Type, si int, dst ir.Type, di, n int, from, to int32) {
	packedSrc := src.IsVector() && shapeOf(src).words == 1
	packedDst := dst.IsVector() && shapeOf(dst).words == 1
	if !packedSrc && !packedDst {
		in.run = runCopies
		in.args = nil
		for i := range n {
			in.args = append(in.args, copyPair{to + int32(di+i), from + int32(si+i)})
		}
		return
	}
	in.run = runElements
	in.pieces = &pieces{bits: dst.ElemBits(), n: n, srcAt: si, dstAt: di, srcPacked: packedSrc, dstPacked: packedDst, srcSlot: from, dstSlot: to}
}

// runElements copies elements of packed words.
func runElements(s *subgroup, in *inst, mask uint32) {
	p := in.pieces
	s.copies(in.args, mask)
	if s.fr.never != nil { // a packed word with one element written counts as written
		s.fr.never[in.dst] &^= mask
	}
	em := uint64(1)<<p.bits - 1
	for i := range p.n {
		sw, ss := p.srcAt+i, 0
		if p.srcPacked {
			sw, ss = 0, (p.srcAt+i)*p.bits
		}
		dw, ds := p.dstAt+i, 0
		if p.dstPacked {
			dw, ds = 0, (p.dstAt+i)*p.bits
		}
		r, d := &s.regs[p.srcSlot+int32(sw)], &s.regs[p.dstSlot+int32(dw)]
		fresh := in.op.Code == pisa.Extract && i == 0
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			v := r[l] >> ss & em
			switch {
			case !p.dstPacked:
				d[l] = v
			case fresh:
				d[l] = v << ds
			default:
				d[l] = d[l]&^(em<<ds) | v<<ds
			}
		}
	}
}

// bitcast regroups the bits of words.
func (d *decoder) bitcast(in *inst, o *ir.Op) {
	src, dst := shapeOf(o.Operand(0).Type), shapeOf(o.Result(0).Type)
	if src == dst {
		in.run = runCopies
		in.args = d.words(nil, in.dst, in.src[0], o.Result(0).Type)
		return
	}
	in.run = runBitcast
	in.pieces = &pieces{src: src, dst: dst}
}

func runBitcast(s *subgroup, in *inst, mask uint32) {
	p := in.pieces
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		var buf [32]uint64 // 2048 bits: the largest register
		at := 0
		for w := range p.src.words {
			v := s.regs[in.src[0]+int32(w)][l] & p.src.mask()
			buf[at>>6] |= v << (at & 63)
			if at&63+p.src.wordBits > 64 {
				buf[at>>6+1] |= v >> (64 - at&63)
			}
			at += p.src.wordBits
		}
		at = 0
		for w := range p.dst.words {
			v := buf[at>>6] >> (at & 63)
			if at&63+p.dst.wordBits > 64 {
				v |= buf[at>>6+1] << (64 - at&63)
			}
			s.regs[in.dst+int32(w)][l] = v & p.dst.mask()
			at += p.dst.wordBits
		}
	}
}

// inVector checks a dynamic index.
func (s *subgroup) inVector(in *inst, lane int, i uint64) bool {
	if i >= in.imm {
		s.fail(in, lane, IndexRange, "index %d of a vector of %d elements", i, in.imm)
		return false
	}
	return true
}

func runExtractDynamic(s *subgroup, in *inst, mask uint32) {
	d, x := &s.regs[in.dst], &s.regs[in.src[1]]
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		if !s.inVector(in, l, x[l]) {
			return
		}
		d[l] = s.regs[in.src[0]+int32(x[l])][l]
	}
}

func runInsertDynamic(s *subgroup, in *inst, mask uint32) {
	v, x := &s.regs[in.src[1]], &s.regs[in.src[2]]
	for w := range int32(in.imm) {
		d, r := &s.regs[in.dst+w], &s.regs[in.src[0]+w]
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			d[l] = r[l]
		}
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		if !s.inVector(in, l, x[l]) {
			return
		}
		s.regs[in.dst+int32(x[l])][l] = v[l]
	}
}
