package litmus

import (
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// The machine side: the instruction sequences of a target mode, applied to a
// litmus program, and (machine.go) what the target may do with them.

// Mutation removes one part of one sequence, to see whether it is missed.
type Mutation struct {
	Row  SequenceRow
	Part int // of Before, then After; -1: the cache bits of the access
	Text string
}

// SequenceRow names a row of the sequence table. Class is ClassFence+1 for the
// barrier.
type SequenceRow struct {
	Class target.MemoryClass
	Space ir.Space
	Order pisa.Order
	Scope pisa.Scope
}

const classBarrier = target.ClassFence + 1

// machineOp is what an instruction of the lowered program does.
type machineOp uint8

const (
	opPlain      machineOp = iota // as in the source: registers and control
	opAccess                      // issue a memory access
	opWait                        // until counters are 0
	opBack                        // issue a write-back
	opInv                         // invalidate
	opRendezvous                  // s_barrier
)

// machineInstr is one instruction of a wave.
type machineInstr struct {
	op     machineOp
	in     *Instr
	wait   target.Counter
	scope  pisa.Scope
	cache  target.CacheLevel
	from   int8 // of a load or RMW: the nearest cache that may serve it
	upTo   int8 // of a store or RMW: where it is complete
	class  target.MemoryClass
	target int32
}

// hierarchy is the caches of a mode, nearest first; the memory behind them is
// what every work-item, and the host, sees.
type hierarchy struct {
	// domain[i] is the scope whose work-items surely share an instance of
	// cache i: Subgroup means each work-item may have its own.
	domain []pisa.Scope
	// dirty is the cache that keeps written lines, or -1.
	dirty int
}

// hierarchies by mode name. Placement is the worst: each work-group on another
// shader array (gfx11) or chiplet (gfx942), the waves of a group on both
// compute units of a work-group processor.
var hierarchies = map[string]hierarchy{
	"gfx942":      {[]pisa.Scope{pisa.Workgroup, pisa.Workgroup}, 1},
	"gfx90a":      {[]pisa.Scope{pisa.Workgroup, pisa.GPU}, 1},
	"gfx1100-wgp": {[]pisa.Scope{pisa.Subgroup, pisa.Workgroup}, -1},
	"gfx1100-cu":  {[]pisa.Scope{pisa.Workgroup, pisa.Workgroup}, -1},
	"gfx1200-wgp": {[]pisa.Scope{pisa.Subgroup, pisa.GPU}, 1},
	"gfx1200-cu":  {[]pisa.Scope{pisa.Workgroup, pisa.GPU}, 1},
}

// reach says how far an access with the bits given goes: the nearest cache
// that may serve it, and the level at which a write counts as complete; level
// 2 is memory.
func reach(mode *target.Mode, bits string, c target.MemoryClass, s pisa.Scope) (from, upTo int8) {
	rmw := c != target.ClassLoad && c != target.ClassStore
	has := func(w string) bool { return containsWord(bits, w) }
	switch mode.Generation {
	case target.GFX11: // writes always go to L2, which is memory to us
		if rmw || has("glc") {
			return 2, 2
		}
		return 0, 2
	case target.GFX12:
		switch {
		case has("scope:SCOPE_SYS"):
			return 2, 2
		case rmw || has("scope:SCOPE_DEV") || has("scope:SCOPE_SE"):
			return 1, 1
		}
		return 0, 1
	}
	if mode.Has(target.L2WriteBackAgent) { // gfx942: several L2
		switch {
		case rmw || has("sc1"):
			return 2, 2
		}
		return 0, 1
	}
	// gfx90a: system scope has no bits; memory shared with the host is not
	// kept in L2.
	switch {
	case s == pisa.System:
		return 2, 2
	case rmw || has("glc"):
		return 1, 1
	}
	return 0, 1
}

func containsWord(s, w string) bool {
	for len(s) > 0 {
		i := 0
		for i < len(s) && s[i] != ' ' {
			i++
		}
		if s[:i] == w {
			return true
		}
		if i == len(s) {
			return false
		}
		s = s[i+1:]
	}
	return false
}

// lowering makes the waves of a program.
type lowering struct {
	p    *Program
	mode *target.Mode
	mut  *Mutation
	used map[SequenceRow]bool
}

// wave is the code of a work-item.
type wave []machineInstr

func (l *lowering) wave(t int) wave {
	th := &l.p.Threads[t]
	var w wave
	start := make([]int32, len(th.Code)+1)
	for i := range th.Code {
		start[i] = int32(len(w))
		in := &th.Code[i]
		switch in.Op {
		case OpLoad, OpStore, OpRMW:
			if in.Lit && l.p.Vars[in.Var].Hidden {
				w = append(w, machineInstr{op: opPlain, in: in})
				continue
			}
			w = l.access(w, in, th.Host)
		case OpFence:
			if th.Host {
				continue
			}
			w = l.fence(w, th, i)
		case OpBarrier:
			w = l.steps(w, l.mode.Barrier(), SequenceRow{Class: classBarrier}, 0, in)
		default:
			w = append(w, machineInstr{op: opPlain, in: in, target: in.Target})
		}
	}
	start[len(th.Code)] = int32(len(w))
	for i := range w {
		if in := w[i].in; w[i].op == opPlain && (in.Op == OpJump || in.Op == OpBranch) {
			w[i].target = start[in.Target]
		}
	}
	return w
}

func (l *lowering) steps(w wave, steps []target.Step, row SequenceRow, first int, in *Instr) wave {
	l.used[row] = true
	for i := range steps {
		s := &steps[i]
		if l.mut != nil && l.mut.Row == row && l.mut.Part == first+i {
			continue
		}
		m := machineInstr{in: in, wait: s.Wait, scope: s.Scope, cache: s.Cache}
		switch s.Kind {
		case target.StepWait:
			m.op = opWait
		case target.StepWriteBack:
			m.op = opBack
		case target.StepInvalidate:
			m.op = opInv
		case target.StepBarrier:
			if s.Text == "s_barrier_signal -1" {
				continue // s_barrier_wait does the rest
			}
			m.op = opRendezvous
		}
		w = append(w, m)
	}
	return w
}

func classOf(in *Instr) target.MemoryClass {
	switch in.Op {
	case OpLoad:
		return target.ClassLoad
	case OpStore:
		return target.ClassStore
	}
	c := target.ClassRMW
	if in.Fn == pisa.AtomCas {
		c = target.ClassCas
	}
	if in.Dst < 0 {
		c++
	}
	return c
}

// rowSpace is the address space of an access as the table has it.
func (l *lowering) rowSpace(in *Instr) ir.Space {
	switch {
	case in.Space == ir.SpaceGeneric:
		return in.Space
	case in.Lit && l.p.Vars[in.Var].Space == Shared:
		return ir.SpaceShared
	case in.Lit:
		return ir.SpaceGlobal
	}
	return in.Space
}

// access lowers a load, store or RMW.
func (l *lowering) access(w wave, in *Instr, host bool) wave {
	c := classOf(in)
	row := SequenceRow{c, l.rowSpace(in), in.Order, in.Scope}
	q := l.mode.Sequence(c, row.Space, in.Order, in.Scope)
	if host {
		q = target.Sequence{Access: true}
	}
	if in.Order != pisa.Weak && !host {
		w = l.steps(w, q.Before, row, 0, in)
		if l.mut != nil && l.mut.Row == row && l.mut.Part == -1 {
			q.Bits = ""
			if in.Op == OpRMW && in.Dst >= 0 { // the returning form is not a question of order
				q.Bits = l.mode.Sequence(c, row.Space, pisa.Relaxed, pisa.Workgroup).Bits
			}
		}
	}
	m := machineInstr{op: opAccess, in: in, class: c}
	scope := in.Scope
	if in.Order == pisa.Weak {
		scope = pisa.NoScope
	}
	m.from, m.upTo = reach(l.mode, q.Bits, c, scope)
	w = append(w, m)
	if in.Order != pisa.Weak && !host {
		w = l.steps(w, q.After, row, len(q.Before), in)
	}
	return w
}

// fence lowers a fence. One of shared memory that acquires also waits for the
// atomic reads of global memory before it, if there are any.
func (l *lowering) fence(w wave, th *Thread, i int) wave {
	in := &th.Code[i]
	space := map[Cover]ir.Space{CoverBoth: ir.SpaceGeneric, CoverGlobal: ir.SpaceGlobal, CoverShared: ir.SpaceShared}[in.Cover]
	row := SequenceRow{target.ClassFence, space, in.Order, in.Scope}
	q := l.mode.Sequence(row.Class, space, in.Order, in.Scope)
	before := q.Before
	if space == ir.SpaceShared && in.Order.Acquires() {
		reads, noResult := false, false
		for k := range i {
			if o := &th.Code[k]; (o.Op == OpLoad || o.Op == OpRMW) && o.Order != pisa.Weak && l.rowSpace(o) != ir.SpaceShared {
				reads = true
				noResult = noResult || o.Dst < 0
			}
		}
		if reads {
			before = append(append([]target.Step(nil), before...), l.mode.AtomicReads(noResult)...)
		}
	}
	w = l.steps(w, before, row, 0, in)
	return l.steps(w, q.After, row, len(before), in)
}

// counter is which counter an access counts on until it is complete.
func (l *lowering) counter(class target.MemoryClass, shared bool) target.Counter {
	switch {
	case shared:
		return target.LDS
	case l.mode.Generation == target.GFX9, class == target.ClassLoad, class == target.ClassRMW, class == target.ClassCas:
		return target.Loads
	}
	return target.Stores
}

// backCounter is the counter of a write-back.
func (l *lowering) backCounter() target.Counter {
	if l.mode.Generation == target.GFX9 {
		return target.Loads
	}
	return target.Stores
}
