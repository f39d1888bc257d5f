package amdgpu

import (
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// EventOf is what op adds to the wait counters; ok is false if nothing.
func EventOf(op *ir.Op) (e target.Event, ok bool) {
	if !IsMachine(op.Code) {
		return 0, false
	}
	switch RowOf(op.Code).Family {
	case SMEM:
		return target.EventScalar, true
	case DS:
		return target.EventLDS, true
	case Flat:
		if op.NumResults() > 0 {
			return target.EventFlatLoad, true
		}
		return target.EventFlatStore, true
	case Global, Scratch:
		if op.NumResults() > 0 {
			return target.EventLoad, true
		}
		return target.EventStore, true
	case MUBUF:
		if op.Code == BufferWbl2 || op.Code == GlobalWb {
			return target.EventWriteBack, true
		}
		return target.EventInv, true
	}
	return 0, false
}

// WaitFor is how many events a wait instruction leaves outstanding, by bit
// number of the counter; negative: any number.
type WaitFor [target.NumCounters]int

// NoWaits waits for nothing.
var NoWaits = WaitFor{-1, -1, -1, -1}

// Indexes into WaitFor: the bit numbers of target.Counter.
const (
	WaitLoads = iota
	WaitStores
	WaitLDS
	WaitScalars
)

// WaitOf is what op waits for; ok is false if it is no instruction that waits
// for memory.
func WaitOf(op *ir.Op) (w WaitFor, ok bool) {
	w = NoWaits
	imm := int(FImm.Get(op.Props))
	switch op.Code {
	case SWaitcnt:
		if n := int(FVM.Get(op.Props)); n != NoWait {
			w[WaitLoads] = n
		}
		if n := int(FLGKM.Get(op.Props)); n != NoWait {
			w[WaitLDS] = n
		}
	case SWaitcntVscnt, SWaitStorecnt:
		w[WaitStores] = imm
	case SWaitLoadcnt:
		w[WaitLoads] = imm
	case SWaitDscnt:
		w[WaitLDS] = imm
	case SWaitKmcnt:
		w[WaitScalars] = imm
	case SWaitLoadcntDscnt:
		w[WaitLoads], w[WaitLDS] = imm>>8, imm&0xff
	case SWaitStorecntDscnt:
		w[WaitStores], w[WaitLDS] = imm>>8, imm&0xff
	default:
		return w, false
	}
	return w, true
}

// SetWait makes op, a wait instruction, wait for w; what it has no field for
// must be negative.
func SetWait(op *ir.Op, w WaitFor) {
	n := func(i int) uint64 {
		if w[i] < 0 {
			return NoWait
		}
		return uint64(w[i])
	}
	switch op.Code {
	case SWaitcnt:
		op.SetField(FVM, n(WaitLoads))
		op.SetField(FLGKM, n(WaitLDS))
	case SWaitcntVscnt, SWaitStorecnt:
		op.SetField(FImm, n(WaitStores))
	case SWaitLoadcnt:
		op.SetField(FImm, n(WaitLoads))
	case SWaitDscnt:
		op.SetField(FImm, n(WaitLDS))
	case SWaitKmcnt:
		op.SetField(FImm, n(WaitScalars))
	case SWaitLoadcntDscnt:
		op.SetField(FImm, n(WaitLoads)<<8|n(WaitLDS))
	case SWaitStorecntDscnt:
		op.SetField(FImm, n(WaitStores)<<8|n(WaitLDS))
	default:
		panic("amdgpu: no wait instruction")
	}
}

// Waits reports whether op is one of the wait instructions for memory.
func Waits(op *ir.Op) bool {
	_, ok := WaitOf(op)
	return ok
}

// Encoded reports an op that becomes instructions: one, but for p_symaddr.
func Encoded(op *ir.Op) bool {
	return IsMachine(op.Code) && (RowOf(op.Code).Family != Pseudo || op.Code == PSymaddr)
}
