package emu

import (
	"fmt"
	"math/bits"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Wait counters (CDNA3 ISA 4.4, RDNA3 ISA 5.6, RDNA4 ISA 5.8). Which counter an
// instruction raises is stated here anew, apart from package target.
type counter uint8

const (
	cntLoad   counter = iota // vmcnt, loadcnt
	cntStore                 // vscnt, storecnt
	cntLDS                   // lgkmcnt, dscnt
	cntScalar                // kmcnt
	numCounters
)

// raises is the counters that the kinds of instruction raise on a generation.
var raises = [...]struct {
	load, store, lds, scalar counter
	flatInOrder              bool // flat ones count down in order with others
	names                    [numCounters]string
}{
	target.GFX9:  {cntLoad, cntLoad, cntLDS, cntLDS, false, [...]string{"vmcnt", "", "lgkmcnt", ""}},
	target.GFX11: {cntLoad, cntStore, cntLDS, cntLDS, true, [...]string{"vmcnt", "vscnt", "lgkmcnt", ""}},
	target.GFX12: {cntLoad, cntStore, cntLDS, cntScalar, true, [...]string{"loadcnt", "storecnt", "dscnt", "kmcnt"}},
}

// pending is an outstanding memory instruction.
type pending struct {
	in       *inst
	counters uint8 // not yet waited for, a bit each
	all      uint8
	unsorted bool   // may complete before older ones of its counters
	exec     uint64 // lanes that it writes
	access   *access
}

// issue notes that in is outstanding. acc is what has not reached memory yet,
// nil if it has.
func (w *wave) issue(in *inst, exec uint64, counters uint8, unsorted bool, acc *access) {
	if len(w.pend) >= maxPending {
		w.retire()
	}
	var p *pending
	if n := len(w.pendFree); n > 0 {
		p, w.pendFree = w.pendFree[n-1], w.pendFree[:n-1]
	} else {
		p = new(pending)
	}
	*p = pending{in: in, counters: counters, all: counters, unsorted: unsorted, exec: exec, access: acc}
	w.pend = append(w.pend, p)
	w.mark(p)
	if r := &w.g.eng.rng; acc != nil && r.next()%2 == 0 {
		w.yield, w.nap = true, int(r.next()%maxNap) // others see it outstanding
	}
}

// maxPending is more instructions than counters count: the hardware stalls.
const maxPending = 160

// retire completes the oldest instruction without result.
func (w *wave) retire() {
	for i, p := range w.pend {
		if p.exec == 0 && (len(p.in.writes) == 0 || p.in.writes[0] >= regV0) {
			w.complete(i)
			return
		}
	}
}

// mark makes the registers that p writes unusable.
func (w *wave) mark(p *pending) {
	for _, r := range p.in.writes {
		switch {
		case r >= regV0:
			w.vBusy[r-regV0] |= p.exec
		case r != regNull && r < numSRegs:
			w.sBusy[r] = p
		}
	}
}

// complete delivers pend[i] and forgets it.
func (w *wave) complete(i int) {
	p := w.pend[i]
	if p.access != nil {
		w.perform(i)
	}
	w.pend = append(w.pend[:i], w.pend[i+1:]...)
	for _, r := range p.in.writes {
		switch {
		case r >= regV0:
			w.vBusy[r-regV0] = 0
		case r < numSRegs:
			w.sBusy[r] = nil
		}
	}
	for _, q := range w.pend { // a younger one may write the same registers
		w.mark(q)
	}
	w.pendFree = append(w.pendFree, p)
}

func (w *wave) completeAll() {
	for len(w.pend) > 0 {
		w.complete(0)
	}
}

// waitFor makes the counter at most n.
func (w *wave) waitFor(c counter, n int) {
	bit := uint8(1) << c
	count, sorted := 0, true
	for _, p := range w.pend {
		if p.counters&bit != 0 {
			count++
			sorted = sorted && !p.unsorted
		}
	}
	if count <= n || n > 0 && !sorted {
		return // if they come in any order, only 0 tells which are there
	}
	for i := 0; i < len(w.pend) && count > n; {
		p := w.pend[i]
		if p.counters&bit == 0 {
			i++
			continue
		}
		count--
		if p.counters &^= bit; p.counters != 0 {
			i++
			continue
		}
		w.complete(i)
	}
}

func waitOf(c counter) func(*decoder, *inst) {
	return func(_ *decoder, in *inst) {
		in.waits = noWaits
		in.waits[c] = int16(in.imm())
	}
}

var noWaits = [numCounters]int16{-1, -1, -1, -1}

// decodeWaitPair is s_wait_loadcnt_dscnt: dscnt in bits 5:0, the other in 13:8.
func decodeWaitPair(c counter) func(*decoder, *inst) {
	return func(_ *decoder, in *inst) {
		in.waits = noWaits
		in.waits[cntLDS], in.waits[c] = int16(in.imm()&63), int16(in.imm()>>8&63)
	}
}

func decodeWaitcnt(_ *decoder, in *inst) {
	in.waits = noWaits
	if n := amdgpu.FVM.Get(in.props); n != amdgpu.NoWait {
		in.waits[cntLoad] = int16(n)
	}
	if n := amdgpu.FLGKM.Get(in.props); n != amdgpu.NoWait {
		in.waits[cntLDS] = int16(n)
	}
}

func runWait(w *wave, in *inst) {
	for c, n := range in.waits {
		if n >= 0 {
			w.waitFor(counter(c), int(n))
		}
	}
}

// checkBusy reports whether in may use its registers now.
func (w *wave) checkBusy(in *inst) bool {
	reads, writes := w.exec(), w.exec()
	switch {
	case in.op.Code == amdgpu.VReadfirstlaneB32:
		reads = 1 << w.firstLane()
	case in.op.Code == amdgpu.VWritelaneB32:
		reads, writes = ^uint64(0), ^uint64(0)
	case in.allLanes:
		reads = ^uint64(0)
	}
	for _, r := range in.reads {
		if w.busy(r, reads) {
			w.unwaited(in, r, reads, "read")
			return false
		}
	}
	for _, r := range in.writes {
		if w.busy(r, writes) && w.overtakes(in, r) {
			w.unwaited(in, r, writes, "written")
			return false
		}
	}
	return true
}

// busy reports that an outstanding instruction will write lanes of r.
func (w *wave) busy(r uint16, lanes uint64) bool {
	return r >= regV0 && w.vBusy[r-regV0]&lanes != 0 || r < numSRegs && w.sBusy[r] != nil
}

// overtakes reports whether in could write r before an outstanding instruction
// that writes it does.
func (w *wave) overtakes(in *inst, r uint16) bool {
	if in.mem == nil || in.mem.unsorted {
		return true
	}
	for _, p := range w.pend {
		if writes(p.in, r) && (p.unsorted || p.all != in.mem.counters) {
			return true
		}
	}
	return false
}

func writes(in *inst, r uint16) bool {
	for _, x := range in.writes {
		if x == r {
			return true
		}
	}
	return false
}

func (w *wave) unwaited(in *inst, r uint16, exec uint64, how string) {
	for i := len(w.pend) - 1; i >= 0; i-- {
		p := w.pend[i]
		if !writes(p.in, r) || r >= regV0 && p.exec&exec == 0 {
			continue
		}
		f := w.fail(in, Unwaited, "%v is %s by %s before the result of %s is there: no wait for %s since", ir.Reg(r+1), how,
			in.row.Mnemonic(w.prog.mode.Target), p.in.row.Mnemonic(w.prog.mode.Target), w.counterNames(p.counters))
		f.notes = append(f.notes, ir.DiagNote{Loc: p.in.op.Loc, Text: "outstanding: " + w.prog.text(p.in.op)})
		return
	}
	panic(fmt.Sprintf("emu: nothing writes %v", ir.Reg(r+1)))
}

func (w *wave) counterNames(set uint8) string {
	text := ""
	for ; set != 0; set &= set - 1 {
		if text != "" {
			text += " and "
		}
		text += raises[w.g.eng.mode.Generation].names[bits.TrailingZeros8(set)]
	}
	return text
}
