package isel

import (
	"slices"

	"pisac/dialects/amdgpu"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/codeobject"
)

// Kernel arguments are read once, at the entry, by as few scalar loads as the
// words that are needed allow.

// argumentLoads emits the loads of all words of the argument segment that the
// kernel reads at constant places.
func (s *sel) argumentLoads(order []*ir.Block) {
	s.offsets, _ = amdgpu.ParamOffsets(s.f.Params)
	s.words = map[uint32]*ir.Value{}
	var need []uint32
	want := func(off, n uint32) {
		for w := off / 4; w < (off+n+3)/4; w++ {
			need = append(need, w)
		}
	}
	for _, b := range order {
		for op := b.First(); op != nil; op = op.Next() {
			switch op.Code {
			case pisa.LdParam:
				if off, ok := s.paramOffset(op); ok {
					want(off, uint32(op.Result(0).Type.TotalBits()+7)/8)
				}
			case pisa.ReadSReg:
				s.hiddenWords(op, want)
			}
		}
	}
	slices.Sort(need)
	need = slices.Compact(need)
	for i := 0; i < len(need); {
		i += s.loadWords(need[i:])
	}
}

// paramOffset is the place of an ld.param in the argument segment, if it is
// known.
func (s *sel) paramOffset(op *ir.Op) (uint32, bool) {
	off := s.offsets[op.Aux-1]
	if op.NumOperands() > 0 {
		c, ok := builtin.IsConst(op.Operand(0))
		if !ok {
			return 0, false
		}
		n := 64 - op.Operand(0).Type.TotalBits()
		off += uint64(int64(c<<n) >> n)
	}
	return uint32(off), off < 1<<31
}

// hiddenWords asks for the implicit arguments that a special register needs.
func (s *sel) hiddenWords(op *ir.Op, want func(off, n uint32)) {
	start := s.hiddenStart()
	r := pisa.SReg(pisa.OpOf(op.Props))
	lo, hi := pisa.IndexOf(op.Props)-1, pisa.IndexOf(op.Props)
	if lo < 0 {
		lo, hi = 0, 3
	}
	for c := uint32(lo); c < uint32(hi); c++ {
		size := func() {
			if s.f.ReqdWorkGroupSize[0] == 0 {
				want(start+codeobject.HiddenGroupSize+2*c, 2)
			}
		}
		switch r {
		case pisa.SEnqueuedLocalSize:
			size()
		case pisa.SLocalSize, pisa.SGlobalSize:
			size()
			want(start+codeobject.HiddenBlockCount+4*c, 4)
			want(start+codeobject.HiddenRemainder+2*c, 2)
		case pisa.SGroupCount:
			want(start+codeobject.HiddenBlockCount+4*c, 4)
			want(start+codeobject.HiddenRemainder+2*c, 2)
		case pisa.SGlobalOffset:
			want(start+codeobject.HiddenGlobalOffset+8*c, 8)
		case pisa.SWorkDim:
			want(start+codeobject.HiddenGridDims, 2)
		case pisa.SPrintfBuffer:
			want(start+codeobject.HiddenPrintfBuffer, 8)
		}
	}
}

var scalarLoads = [...]struct {
	words int
	code  ir.Code
}{{16, amdgpu.SLoadB512}, {8, amdgpu.SLoadB256}, {4, amdgpu.SLoadB128}, {2, amdgpu.SLoadB64}, {1, amdgpu.SLoadB32}}

// loadWords loads the first of the words listed, and as many of the others as
// one load reaches; it returns how many. The load may read words that nobody
// wants, as far as the segment goes.
func (s *sel) loadWords(need []uint32) int {
	first := need[0]
	end := s.segmentWords(need[len(need)-1])
	var load ir.Code
	words, covered := uint32(0), 0
	for _, l := range scalarLoads { // the smallest that covers the most
		if k := uint32(l.words); first+k <= end {
			n := 0
			for n < len(need) && need[n] < first+k {
				n++
			}
			if n >= covered {
				load, words, covered = l.code, k, n
			}
		}
	}
	base := s.liveIn(amdgpu.LiveKernarg)
	s.After(base.Op())
	v := s.Value(load, amdgpu.FOffset.Put(uint64(4*first)), ir.Regs(ir.SGPR, int(words)), base)
	for _, w := range need[:covered] {
		s.words[w] = s.part(v, int(w-first))
	}
	return covered
}

// segmentWords is the size of the argument segment in words: with the implicit
// arguments, which take 256 bytes, if the last word wanted is one of them.
func (s *sel) segmentWords(last uint32) uint32 {
	if start := s.hiddenStart(); 4*last >= start {
		return (start + 256) / 4
	}
	_, size := amdgpu.ParamOffsets(s.f.Params)
	return uint32((size + 3) / 4)
}

// kernarg is n words of the argument segment from byte off, a multiple of 4.
func (s *sel) kernarg(off uint32, n int) *ir.Value {
	parts := make([]*ir.Value, n)
	for i := range parts {
		w := s.words[off/4+uint32(i)]
		if w == nil {
			panic("isel: an argument that argumentLoads has not seen")
		}
		parts[i] = w
	}
	return s.build(parts...)
}

// lowerLdParam reads an argument (PISA 8.4).
func lowerLdParam(s *sel, op *ir.Op) {
	off, ok := s.paramOffset(op)
	if !ok {
		s.loadArgument(op)
		return
	}
	u := unit{s, true}
	n := regs(op.Result(0).Type)
	parts := make([]*ir.Value, n)
	for i := range parts {
		at := off + 4*uint32(i)
		switch bits := op.Result(0).Type.TotalBits() - 32*i; {
		case at%4 == 0:
			parts[i] = s.kernarg(at, 1)
		case bits <= 32-int(at%4*8):
			parts[i] = u.shr(s.kernarg(at&^3, 1), s.imm(at%4*8))
		default:
			parts[i] = u.shr64(s.pairOf(s.kernarg(at&^3, 2)), s.imm(at%4*8)).lo
		}
	}
	s.setParts(op, parts)
}
