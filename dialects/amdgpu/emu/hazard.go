package emu

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// hazardKind is a pair of instructions that the hardware does not keep apart.
// The table is read from the documents apart from package target's, which the
// compiler uses.
type hazardKind uint8

const (
	hzScalarToMemory hazardKind = iota // VALU writes a scalar register; vector memory reads it
	hzScalarToLane                     // … v_readlane, v_writelane have it as lane number
	hzVCCToFmas                        // VALU writes vcc; v_div_fmas
	hzVectorToDPP                      // VALU writes a vector register; DPP reads it
	hzExecToDPP                        // VALU writes exec; DPP
	hzSetreg                           // s_setreg; s_setreg of the same register
	hzStoreData                        // store of more than 64 bits; VALU writes the data registers
	hzTransToVector                    // transcendental; another VALU instruction reads the result
	hzHalfToVector                     // result in the upper half; VALU reads it
	hzScalarToVector                   // VALU writes a scalar register; VALU reads it
	hzVectorToRead                     // VALU writes a vector register; v_readlane, v_readfirstlane read it
	hzExecToLane                       // VALU writes exec; v_readlane, v_readfirstlane, v_writelane
	hzDot                              // dot product; the result is used by another instruction
	hzTransUse                         // transcendental; VALU reads the result: counted in VALU instructions
	hzScalarReuse                      // VALU reads a pair of scalar registers, SALU writes it, VALU or SALU reads it: counted in SALU instructions
	numHazards
)

// hazardRow says how many wait states must lie between the two.
type hazardRow struct {
	what           string
	gfx90a, gfx942 int
	gfx1100        int
	gfx1201        int
	source         string
}

const (
	cdnaWaits = "CDNA3 ISA 4.5"
	llvmWaits = "LLVM GCNHazardRecognizer"
)

var hazardRows = [numHazards]hazardRow{
	hzScalarToMemory: {"a VALU instruction wrote this scalar register", 5, 5, 0, 0, cdnaWaits},
	hzScalarToLane:   {"a VALU instruction wrote the lane number", 4, 4, 0, 0, cdnaWaits},
	hzVCCToFmas:      {"a VALU instruction wrote vcc", 4, 4, 0, 0, cdnaWaits},
	hzVectorToDPP:    {"a VALU instruction wrote what DPP reads", 2, 2, 0, 0, cdnaWaits},
	hzExecToDPP:      {"a VALU instruction wrote exec", 5, 5, 0, 0, cdnaWaits},
	hzSetreg:         {"s_setreg wrote the same hardware register", 2, 2, 0, 0, cdnaWaits},
	hzStoreData:      {"a store may not have read this register yet", 1, 2, 0, 0, cdnaWaits},
	hzTransToVector:  {"a transcendental instruction wrote this register", 0, 1, 0, 0, cdnaWaits},
	hzHalfToVector:   {"an instruction wrote the upper half of this register", 0, 1, 0, 0, cdnaWaits},
	hzScalarToVector: {"a VALU instruction wrote this scalar register", 0, 2, 0, 0, cdnaWaits},
	hzVectorToRead:   {"a VALU instruction wrote this vector register", 0, 1, 0, 0, cdnaWaits},
	hzExecToLane:     {"a VALU instruction wrote exec", 0, 4, 0, 0, cdnaWaits},
	hzDot:            {"a dot product wrote this register", 3, 3, 0, 0, llvmWaits},
	hzTransUse:       {"a transcendental instruction wrote this register", 0, 0, 6, 0, llvmWaits},
	hzScalarReuse:    {"a SALU instruction wrote this register, which a VALU instruction had read", 0, 0, 0, 11, llvmWaits},
}

// hazardWaits is the table of one chip; nil if it has none.
type hazardWaits [numHazards]int32

func hazardsOf(t *target.Target) *hazardWaits {
	w, some := &hazardWaits{}, false
	for k := range hazardRows {
		r := &hazardRows[k]
		n := map[string]int{"gfx90a": r.gfx90a, "gfx942": r.gfx942, "gfx1100": r.gfx1100, "gfx1201": r.gfx1201}[t.Name]
		w[k] = int32(n)
		some = some || n > 0
	}
	if !some {
		return nil
	}
	return w
}

// hazardInfo is what of an instruction hazards depend on.
type hazardInfo struct {
	valu, trans, vmem bool
	salu              bool
	paired            bool // issued with the next one
	dot, half, dpp    bool
	lane, first       bool // v_readlane, v_writelane; v_readfirstlane too
	readsVector       bool // v_readlane, v_readfirstlane
	setreg            bool
	fmas              bool
	flush             bool // s_waitcnt_depctr va_vdst(0), memory instructions
	flushScalar       bool // s_wait_alu sa_sdst(0)
	states            int32
	storeReg          uint16 // data of a store of more than 64 bits
	storeWords        uint8
}

func hazardInfoOf(in *inst) (h hazardInfo) {
	r, code := in.row, in.op.Code
	h.states = 1
	h.valu, h.trans, h.dpp = r.VALU(), r.Has(amdgpu.Trans), in.dpp
	h.vmem = r.Family >= amdgpu.Flat && r.Family <= amdgpu.Scratch
	h.half = in.half && in.high
	h.salu = r.SALU() || code == amdgpu.PSymaddr
	h.paired = h.valu && amdgpu.FDual.Get(in.props) != 0
	h.flush = h.vmem || r.Family == amdgpu.DS
	switch code {
	case amdgpu.SNop:
		h.states = int32(in.imm()&15) + 1
	case amdgpu.PSymaddr:
		h.states = 3 // instructions
	case amdgpu.SWaitcntDepctr:
		h.flush, h.flushScalar = in.imm()>>12&15 == 0, in.imm()&1 == 0
	case amdgpu.VDot4U32U8, amdgpu.VDot4I32Iu8:
		h.dot = true
	case amdgpu.VReadlaneB32:
		h.lane, h.first, h.readsVector = true, true, true
	case amdgpu.VWritelaneB32:
		h.lane, h.first = true, true
	case amdgpu.VReadfirstlaneB32:
		h.first, h.readsVector = true, true
	case amdgpu.SSetregImm32B32:
		h.setreg = true
	case amdgpu.VDivFmasF32, amdgpu.VDivFmasF64:
		h.fmas = true
	}
	if m := in.mem; h.vmem && m != nil && m.kind == memStore && m.bytes > 8 {
		o := &in.src[m.data[0]]
		h.storeReg, h.storeWords = o.reg, o.words
	}
	return h
}

// written is when, in wait states, a register was last written, by each sort
// of instruction that matters, and by which.
type written struct {
	at               int32
	trans, half, dot bool
	in               *inst
	valus, transes   int32 // executed by then
}

const longAgo = -1 << 20

// hazardState is the history of a wave.
type hazardState struct {
	now     int32
	valus   int32 // VALU instructions so far; of these, transcendental ones
	transes int32
	flushed int32             // valus at the last instruction that waited for all results
	scalar  [numSRegs]written // by VALU instructions
	vector  []written         // by VALU instructions
	store   []written         // data of wide stores
	setreg  written

	pairs     uint64 // of scalar registers that VALU instructions have read
	salus     int32  // SALU instructions so far
	saFlushed int32  // salus at the last wait for their results
	reused    [numSRegs]written
}

func (h *hazardState) reset(vgprs int) {
	if h.vector == nil {
		h.vector, h.store = make([]written, vgprs), make([]written, vgprs)
	}
	h.now, h.valus, h.transes, h.flushed = 0, 0, 0, 0
	h.pairs, h.salus, h.saFlushed = 0, 0, 0
	clear(h.reused[:])
	old := written{at: longAgo}
	for i := range h.scalar {
		h.scalar[i] = old
	}
	for i := range h.vector {
		h.vector[i], h.store[i] = old, old
	}
	h.setreg = old
}

// checkHazards reports whether in may come now, and notes what it writes.
func (w *wave) checkHazards(in *inst) bool {
	h, z := &w.hazards, &in.hz
	if z.valu || z.salu || z.vmem || in.row.Family == amdgpu.DS {
		if !w.hazardFree(in) {
			return false
		}
	}
	h.now += z.states
	h.note(in)
	return true
}

// near reports fewer than the wait states that kind k wants since p.
func (w *wave) near(k hazardKind, p *written) bool {
	return w.hazards.now-p.at < w.g.eng.hazards[k]
}

// clash reports a hazard that is counted in wait states.
func (w *wave) clash(in *inst, k hazardKind, p *written, r uint16) bool {
	return w.early(in, k, p, r, w.hazards.now-p.at)
}

// early reports that only got of what must lie between p and in does.
func (w *wave) early(in *inst, k hazardKind, p *written, r uint16, got int32) bool {
	eng := w.g.eng
	unit := "wait states"
	switch k {
	case hzTransUse:
		unit = "VALU instructions, or a wait for va_vdst,"
	case hzScalarReuse:
		unit = "SALU instructions, or a wait for sa_sdst,"
	}
	f := w.fail(in, Hazard, "%s comes too early: %s (%v), and of the %d %s that must lie between there are %d (%s)", in.row.Mnemonic(eng.mode.Target),
		hazardRows[k].what, ir.Reg(r+1), eng.hazards[k], unit, got, hazardRows[k].source)
	f.notes = append(f.notes, ir.DiagNote{Loc: p.in.op.Loc, Text: "before: " + w.prog.text(p.in.op)})
	return false
}

func (w *wave) hazardFree(in *inst) bool {
	h, z := &w.hazards, &in.hz
	if p := &h.setreg; z.setreg && w.near(hzSetreg, p) {
		return w.clash(in, hzSetreg, p, hwRegMode)
	}
	if p := &h.scalar[regExec]; z.valu {
		switch {
		case z.dpp && w.near(hzExecToDPP, p):
			return w.clash(in, hzExecToDPP, p, regExec)
		case z.first && w.near(hzExecToLane, p):
			return w.clash(in, hzExecToLane, p, regExec)
		}
	}
	for i, r := range in.reads {
		if r >= regV0 {
			if !w.vectorFree(in, r, in.accumulates(i)) {
				return false
			}
			continue
		}
		if r >= numSRegs {
			continue
		}
		p := &h.scalar[r]
		if q := &h.reused[r]; q.in != nil && (z.valu || z.salu) && q.valus > h.saFlushed && h.salus-q.valus < w.g.eng.hazards[hzScalarReuse] {
			return w.early(in, hzScalarReuse, q, r, h.salus-q.valus)
		}
		switch {
		case z.vmem && w.near(hzScalarToMemory, p):
			return w.clash(in, hzScalarToMemory, p, r)
		case z.lane && in.nsrc > 1 && r == in.src[1].reg && w.near(hzScalarToLane, p):
			return w.clash(in, hzScalarToLane, p, r)
		case z.fmas && (r == regVCC || r == regVCC+1) && w.near(hzVCCToFmas, p):
			return w.clash(in, hzVCCToFmas, p, r)
		case z.valu && w.near(hzScalarToVector, p):
			return w.clash(in, hzScalarToVector, p, r)
		}
	}
	if z.valu {
		for _, r := range in.writes {
			if r < regV0 {
				continue
			}
			if p := &h.store[r-regV0]; w.near(hzStoreData, p) {
				return w.clash(in, hzStoreData, p, r)
			}
			if p := &h.vector[r-regV0]; p.dot && p.in.op.Code != in.op.Code && w.near(hzDot, p) {
				return w.clash(in, hzDot, p, r)
			}
		}
	}
	return true
}

// accumulates reports that read i is the accumulator of a dot product, which
// is forwarded between those of one kind.
func (in *inst) accumulates(i int) bool {
	return in.hz.dot && in.nsrc == 3 && in.reads[i] == in.src[2].reg
}

func (w *wave) vectorFree(in *inst, r uint16, acc bool) bool {
	h, z := &w.hazards, &in.hz
	p := &h.vector[r-regV0]
	if p.dot && !(acc && p.in.op.Code == in.op.Code) && w.near(hzDot, p) {
		return w.clash(in, hzDot, p, r)
	}
	if !z.valu {
		return true
	}
	switch {
	case z.dpp && w.near(hzVectorToDPP, p):
		return w.clash(in, hzVectorToDPP, p, r)
	case z.readsVector && w.near(hzVectorToRead, p):
		return w.clash(in, hzVectorToRead, p, r)
	case p.trans && !z.trans && w.near(hzTransToVector, p):
		return w.clash(in, hzTransToVector, p, r)
	case p.half && w.near(hzHalfToVector, p):
		return w.clash(in, hzHalfToVector, p, r)
	}
	if n := w.g.eng.hazards[hzTransUse]; p.trans && p.valus > h.flushed && h.valus-p.valus < n && h.transes-p.transes <= 1 {
		return w.early(in, hzTransUse, p, r, h.valus-p.valus)
	}
	return true
}

// note records what in writes.
func (h *hazardState) note(in *inst) {
	z := &in.hz
	if z.flush {
		h.flushed = h.valus
	}
	if z.setreg {
		h.setreg = written{at: h.now, in: in}
	}
	for k := range uint16(z.storeWords) {
		h.store[z.storeReg-regV0+k] = written{at: h.now, in: in}
	}
	if z.valu && !z.paired { // a pair counts once
		h.valus++
	}
	if z.trans {
		h.transes++
	}
	h.reuse(in)
	for _, r := range in.writes {
		p := written{at: longAgo}
		if z.valu {
			p = written{at: h.now, in: in, trans: z.trans, half: z.half, dot: z.dot, valus: h.valus, transes: h.transes}
		}
		switch {
		case r >= regV0:
			h.vector[r-regV0] = p
		case r < numSRegs:
			h.scalar[r] = p
		}
	}
}

// reuse follows scalar registers, by pairs, that VALU instructions read and SALU
// instructions then write.
func (h *hazardState) reuse(in *inst) {
	z := &in.hz
	if z.flushScalar {
		h.saFlushed = h.salus
	}
	if z.salu {
		h.salus++
		for _, r := range in.writes {
			if r < regVCC+2 && h.pairs>>(r/2)&1 != 0 {
				p := written{in: in, valus: h.salus}
				h.reused[r&^1], h.reused[r|1] = p, p
			}
		}
	}
	if z.valu {
		for _, r := range in.reads {
			if r < regVCC+2 {
				h.pairs |= 1 << (r / 2)
			}
		}
	}
}
