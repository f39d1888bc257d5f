package emu

import (
	"fmt"

	"pisac/dialects/amdgpu"
	"pisac/ir"
)

type waveState uint8

const (
	running waveState = iota
	atBarrier
	ended
)

// maxLanes is the width of the widest wave.
const maxLanes = 64

// lanes is one vector register.
type lanes [maxLanes]uint32

// wave is a wave in progress.
type wave struct {
	g     *group
	prog  *program
	index int // in the work-group
	lanes int
	pc    int32
	state waveState
	yield bool
	nap   int // turns that it lets pass

	s    [256]uint32 // scalar registers by encoding; exec is 126 and 127
	scc  bool
	v    []lanes
	mode fpMode

	scratch [][]byte // of each lane
	dpp     [maxLanes]uint64

	pend     []*pending
	pendFree []*pending
	sBusy    [numSRegs]*pending
	vBusy    []uint64 // lanes that outstanding instructions write
	hazards  hazardState
	signals  uint64 // s_barrier_signal executed
	path     cachePath
	tmp      access
}

func (w *wave) exec() uint64 {
	return uint64(w.s[regExec]) | uint64(w.s[regExec+1])<<32
}

func (w *wave) vcc() uint64 {
	v := uint64(w.s[regVCC])
	if w.lanes > 32 {
		v |= uint64(w.s[regVCC+1]) << 32
	}
	return v
}

// scalarValue reads an immediate or up to two scalar registers.
func (w *wave) scalarValue(o *operand) uint64 {
	switch o.words {
	case 0:
		return o.imm
	case 1:
		return uint64(w.s[o.reg])
	}
	return uint64(w.s[o.reg]) | uint64(w.s[o.reg+1])<<32
}

// setScalar writes up to two scalar registers. Writes to null are lost.
func (w *wave) setScalar(reg uint16, words uint8, v uint64) {
	if reg == regNull {
		return
	}
	w.s[reg] = uint32(v)
	if words > 1 {
		w.s[reg+1] = uint32(v >> 32)
	}
}

// maskValue reads a lane mask.
func (w *wave) maskValue(o *operand) uint64 {
	v := w.scalarValue(o)
	if w.lanes == 32 {
		v = lo(v)
	}
	return v
}

// run executes up to n instructions and returns how many it did.
func (w *wave) run(n uint64) (done uint64) {
	eng := w.g.eng
	w.yield = false
	for done < n && w.state == running && !w.yield && eng.fault == nil {
		in := &w.prog.insts[w.pc]
		if eng.launch.Trace != nil {
			w.trace(in)
		}
		w.pc++
		done++
		if len(w.pend) != 0 && !w.checkBusy(in) {
			return done
		}
		if eng.hazards != nil && !w.checkHazards(in) {
			return done
		}
		in.run(w, in)
		eng.counts[in.row.Family]++
	}
	return done
}

func (w *wave) trace(in *inst) {
	b := fmt.Appendf(nil, "group (%d,%d,%d) wave %d exec %#x | ", w.g.id[0], w.g.id[1], w.g.id[2], w.index, w.exec())
	b = w.prog.names.AppendOp(b, in.op)
	for i := range in.nsrc {
		o := &in.src[i]
		switch {
		case o.words == 0:
		case o.reg == regSCC:
			b = fmt.Appendf(b, " scc=%t", w.scc)
		case o.vector():
			b = fmt.Appendf(b, " %v=%#x", ir.Reg(o.reg+1), w.laneValue(o, w.firstLane()))
		default:
			b = fmt.Appendf(b, " %v=%#x", ir.Reg(o.reg+1), w.scalarValue(o))
		}
	}
	_, _ = w.g.eng.launch.Trace.Write(append(b, '\n'))
}

// end finishes the wave. With weak memory, what is outstanding reaches memory
// later.
func (w *wave) end() {
	if w.g.eng.launch.Memory == Strong {
		w.completeAll()
	}
	w.state = ended
	w.g.live--
}

// start puts the wave at the entry of the program.
func (w *wave) start(g *group, index int) {
	eng := g.eng
	p := eng.prog
	w.g, w.prog, w.index, w.lanes = g, p, index, eng.mode.Wave
	w.pc, w.state, w.signals, w.nap = 0, running, 0, 0
	w.completeAll()
	if w.v == nil {
		w.v = make([]lanes, eng.vgprs)
		w.vBusy = make([]uint64, eng.vgprs)
	}
	w.garbage(&eng.rng)
	n := min(w.lanes, g.items-index*w.lanes)
	w.setScalar(regExec, 2, ones(uint64(n)))
	w.scc = eng.rng.next()&1 != 0
	w.mode = fpMode{gfx9: eng.gfx9(), num: eng.gfx12(), approx: eng.launch.Approx}
	w.mode.setMode(eng.fpMode)
	if eng.hazards != nil {
		w.hazards.reset(eng.vgprs)
	}
	for _, l := range p.live {
		w.liveIn(l, n)
	}
	w.scratchStart()
}

// garbage is what registers hold that the dispatcher does not set.
func (w *wave) garbage(r *rng) {
	seed := r.next()
	for i := range w.s {
		w.s[i] = uint32(mix(seed + uint64(i)))
	}
	w.s[regNull] = 0
	w.setScalar(regSharedBase, 2, sharedBase)
	w.setScalar(regPrivateBase, 2, privateBase)
	w.s[regExec+1] = 0
	for i := range w.v {
		for l := range w.v[i] {
			w.v[i][l] = uint32(mix(seed ^ uint64(i<<8|l)))
		}
	}
}

func (w *wave) liveIn(l liveIn, items int) {
	g := w.g
	switch l.kind {
	case amdgpu.LiveKernarg:
		w.setScalar(l.reg, 2, g.eng.kernarg)
	case amdgpu.LiveDispatch:
		w.setScalar(l.reg, 2, g.eng.packet)
	case amdgpu.LiveGroupX, amdgpu.LiveGroupY, amdgpu.LiveGroupZ:
		id := g.id[l.kind-amdgpu.LiveGroupX]
		if g.eng.gfx12() && l.kind != amdgpu.LiveGroupX {
			id = g.id[1]&0xffff | g.id[2]<<16 // both in one register
		}
		w.setScalar(l.reg, 1, id)
	case amdgpu.LiveItems:
		for i := range items {
			x, y, z := g.local(w.index*w.lanes + i)
			w.v[l.reg-regV0][i] = uint32(x | y<<10 | z<<20)
		}
	}
}
