package litmus

import (
	"fmt"
	"math/bits"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// status is where a work-item stands.
type status uint8

const (
	running   status = iota
	atRead           // the next event reads
	atBarrier        // it has entered a barrier
	done
	spun // it needs more unrolling than allowed: the execution is left out
)

// item is the state of a work-item that a choice saves and restores; its
// registers are restored by the trail.
type item struct {
	ctrl    uint64 // reads that decided its branches
	written uint64 // observed registers that were written
	addrDep uint64
	pc      int32
	cell    int32 // of the pending read
	since   int32 // only writes from this event on are new to the pending read
	nbar    int16
	back    int16
	lane    uint8
	status  status
}

// undo is an entry of the trail.
type undo struct {
	val, dep uint64
	at       int32
}

func (x *explorer) get(t int, o *Operand) uint64 {
	if o.Slot < 0 {
		return o.Imm
	}
	return x.regs[x.base[t]+o.Slot]
}

func (x *explorer) dep(t int, o *Operand) uint64 {
	if o.Slot < 0 {
		return 0
	}
	return x.deps[x.base[t]+o.Slot]
}

func (x *explorer) set(t int, slot int32, v, dep uint64) {
	if slot < 0 {
		return
	}
	k := x.base[t] + slot
	x.trail = append(x.trail, undo{x.regs[k], x.deps[k], k})
	x.regs[k], x.deps[k] = v, dep
	if o := x.observed[k]; o >= 0 {
		x.it[t].written |= 1 << o
	}
}

// rewind restores registers to an earlier length of the trail.
func (x *explorer) rewind(n int) {
	for i := len(x.trail) - 1; i >= n; i-- {
		u := &x.trail[i]
		x.regs[u.at], x.deps[u.at] = u.val, u.dep
	}
	x.trail = x.trail[:n]
}

func (x *explorer) fail(t int, in *Instr, format string, args ...any) {
	if x.err == nil {
		where := in.Text
		if where == "" {
			where = "instruction"
		}
		x.err = &ProgramError{Loc: in.Loc, Msg: fmt.Sprintf("%s: %s: %s", x.p.Threads[t].Name, where, fmt.Sprintf(format, args...))}
	}
	x.it[t].status = spun
}

// ProgramError is a litmus program that cannot be judged.
type ProgramError struct {
	Loc ir.Loc // of the instruction; zero if it has none
	Msg string
}

func (e *ProgramError) Error() string { return e.Msg }

// advance runs work-item t until it must wait.
func (x *explorer) advance(t int) {
	it := &x.it[t]
	code := x.p.Threads[t].Code
	for it.status == running {
		if int(it.pc) >= len(code) {
			x.event(t, nil, Event{Kind: EvExit, Cell: -1})
			if x.err == nil {
				it.status = done
			}
			return
		}
		if int(it.back) > x.p.Unroll {
			it.status = spun
			x.bounded = true
			return
		}
		in := &code[it.pc]
		switch in.Op {
		case OpEval:
			r0, r1 := x.eval(in, x.get(t, &in.A), x.get(t, &in.B), x.get(t, &in.C), x.get(t, &in.D))
			d := x.dep(t, &in.A) | x.dep(t, &in.B) | x.dep(t, &in.C) | x.dep(t, &in.D)
			x.set(t, in.Dst, r0, d)
			x.set(t, in.Dst2, r1, d)
			it.pc++
		case OpMove:
			x.set(t, in.Dst, x.get(t, &in.A), x.dep(t, &in.A))
			it.pc++
		case OpLoad, OpRMW:
			x.reach(t, in)
		case OpStore:
			x.store(t, in)
		case OpFence:
			x.event(t, in, Event{Kind: EvFence, Order: in.Order, Scope: in.Scope, Cover: in.Cover, Cell: -1})
			it.pc++
		case OpBarrier:
			x.event(t, in, Event{Kind: EvBarrierIn, Cell: -1, Bar: it.nbar})
			it.status = atBarrier
		case OpJump:
			x.jump(it, in.Target)
		case OpBranch:
			if !x.opt.Model.noControl {
				it.ctrl |= x.dep(t, &in.A)
			}
			if x.get(t, &in.A)&1 != 0 != in.Neg {
				x.jump(it, in.Target)
			} else {
				it.pc++
			}
		case OpReturn:
			it.pc = int32(len(code))
		}
	}
}

// eval is the semantics of a pure instruction; a predicate is its lowest bit.
func (x *explorer) eval(in *Instr, a, b, c, d uint64) (r0, r1 uint64) {
	r0, r1 = in.Eval(a, b, c, d)
	if in.Pred {
		r0 &= 1
	}
	return r0, r1
}

func (x *explorer) jump(it *item, target int32) {
	if target <= it.pc {
		it.back++
	}
	it.pc = target
}

// event appends an event of work-item t and closes its happens-before.
func (x *explorer) event(t int, in *Instr, e Event) int {
	if x.g.n >= MaxEvents-1 {
		if in == nil {
			in = &Instr{Text: "its end"}
		}
		x.fail(t, in, "an execution has more than %d events", MaxEvents)
		return 0
	}
	e.Tid, e.In = int8(t), in
	if !e.reads() {
		e.Src = -1
	}
	i := x.g.append(e)
	x.g.settle(i)
	return i
}

// locate finds the location of lane l of the access of in; false if there is
// none, which ends the enumeration.
func (x *explorer) locate(t int, in *Instr, l uint8) (int32, bool) {
	v, off := in.Var, int64(x.get(t, &in.Off))
	if !in.Lit {
		addr := x.get(t, &in.A) + uint64(off)
		if in.Space == ir.SpaceShared {
			addr = uint64(uint32(addr))
		}
		var ok bool
		if v, off, ok = x.p.resolve(addr, in.Space); !ok {
			x.fail(t, in, "address %#x is not in a variable that work-items share", addr)
			return 0, false
		}
	}
	off += int64(l) * int64(in.Width)
	va := &x.p.Vars[v]
	if va.Width == 0 { // the first access decides; the enumeration starts again
		va.Width = uint32(in.Width)
		x.relayout = true
		x.it[t].status = spun
		return 0, false
	}
	switch c := x.p.cellAt(v, off, in.Width, x.p.Threads[t].WG); c {
	case -1:
		x.fail(t, in, "bytes %d to %d are outside %s or misaligned", off, off+int64(in.Width)-1, va.Name)
		return 0, false
	case -2:
		x.fail(t, in, "%s is accessed as elements of %d and of %d bytes; accesses of mixed size are not modelled", va.Name, va.Width, in.Width)
		return 0, false
	default:
		return c, true
	}
}

// initial makes sure that the location has its initial write.
func (x *explorer) initial(t int, in *Instr, c int32) {
	if x.g.acc[c] != 0 {
		return
	}
	if x.g.n >= MaxEvents-1 {
		x.fail(t, in, "an execution has more than %d events", MaxEvents)
		return
	}
	cell := &x.p.Cells[c]
	i := x.g.append(Event{Kind: EvInit, Cell: c, Space: cell.Space, WV: cell.Init, Tid: -1, Src: -1})
	x.g.settle(i)
}

// reach stops at a read.
func (x *explorer) reach(t int, in *Instr) {
	it := &x.it[t]
	c, ok := x.locate(t, in, it.lane)
	if !ok {
		return
	}
	x.initial(t, in, c)
	it.addrDep = x.dep(t, &in.Off)
	if !in.Lit {
		it.addrDep |= x.dep(t, &in.A)
	}
	it.cell, it.since, it.status = c, 0, atRead
}

func (x *explorer) store(t int, in *Instr) {
	it := &x.it[t]
	if in.Lit && x.p.Vars[in.Var].Hidden {
		x.hide(t, in)
		return
	}
	for l := range in.Lanes {
		c, ok := x.locate(t, in, l)
		if !ok {
			return
		}
		x.initial(t, in, c)
		if x.err != nil {
			return
		}
		src := in.B
		if src.Slot >= 0 {
			src.Slot += int32(l)
		}
		d := it.ctrl | x.dep(t, &src) | x.dep(t, &in.Off)
		if !in.Lit {
			d |= x.dep(t, &in.A)
		}
		x.event(t, in, Event{Kind: EvWrite, Order: in.Order, Scope: in.Scope, Cover: CoverBoth, Cell: c,
			Space: x.p.Cells[c].Space, WV: x.get(t, &src), Dep: d})
	}
	it.pc++
}

// hide records an observed register instead of an event.
func (x *explorer) hide(t int, in *Instr) {
	for o := range x.p.Regs {
		if r := &x.p.Regs[o]; r.Thread == t && r.Hidden == in.Var {
			x.set(t, x.hiddenSlot(int8(o)), x.get(t, &in.B), x.dep(t, &in.B))
			x.it[t].written |= 1 << o
		}
	}
	x.it[t].pc++
}

// read makes the pending read of work-item t an event that reads w, or value v
// of a write to come if w is -1.
func (x *explorer) read(t, w int, v uint64) {
	it := &x.it[t]
	in := &x.p.Threads[t].Code[it.pc]
	if w >= 0 {
		v = x.g.ev[w].WV
	}
	e := Event{Kind: EvRead, Order: in.Order, Scope: in.Scope, Cover: CoverBoth, Cell: it.cell,
		Space: x.p.Cells[it.cell].Space, RV: v, Src: int8(w), Dep: it.ctrl | it.addrDep}
	if in.Op == OpRMW {
		e.Dep |= x.dep(t, &in.B) | x.dep(t, &in.C)
		b := x.get(t, &in.B)
		if in.Fn == pisa.AtomCas && !sameValue(in, v, b) {
			e.Order = failOrder(in.Order)
		} else {
			e.Kind = EvRMW
			e.WV = rmwValue(in, v, b, x.get(t, &in.C))
		}
	}
	i := x.event(t, in, e)
	if x.err != nil {
		return
	}
	if in.Dst >= 0 {
		x.set(t, in.Dst+int32(it.lane), v, 1<<i)
	}
	it.status = running
	if it.lane++; it.lane >= in.Lanes {
		it.lane = 0
		it.pc++
	}
}

func sameValue(in *Instr, old, cmp uint64) bool {
	if in.Float { // fatom.cas compares as floats (PISA 8.1)
		r, _ := pisa.EvalFn(pisa.FCmp, pisa.FType.Set(0, uint64(in.Type)))(old, cmp, 0, 0)
		return r&1 != 0
	}
	return old == cmp
}

var rmwInt = [...]ir.Code{
	pisa.AtomAdd: pisa.IAdd, pisa.AtomSub: pisa.ISub, pisa.AtomSMin: pisa.SMin, pisa.AtomSMax: pisa.SMax,
	pisa.AtomUMin: pisa.UMin, pisa.AtomUMax: pisa.UMax, pisa.AtomAnd: pisa.And, pisa.AtomOr: pisa.Or, pisa.AtomXor: pisa.Xor,
}

var rmwFloat = [...]ir.Code{pisa.AtomAdd: pisa.FAdd, pisa.AtomSub: pisa.FSub, pisa.AtomMin: pisa.FMin, pisa.AtomMax: pisa.FMax}

// rmwValue is what the operation of in writes over old (PISA 8.1, 8.2).
func rmwValue(in *Instr, old, a, b uint64) uint64 {
	w := uint(in.Width) * 8
	m := uint64(1)<<(w-1)<<1 - 1
	switch in.Fn {
	case pisa.AtomXchg:
		return a
	case pisa.AtomCas:
		return b
	case pisa.AtomInc:
		return (old + 1) & m
	case pisa.AtomDec:
		return (old - 1) & m
	case pisa.AtomIncWrap:
		if old >= a {
			return 0
		}
		return old + 1
	case pisa.AtomDecWrap:
		if old == 0 || old > a {
			return a
		}
		return old - 1
	}
	if in.Eval == nil {
		panic("litmus: RMW without semantics")
	}
	r, _ := in.Eval(old, a, 0, 0)
	return r
}

// rmwEval prepares the semantics of an RMW's instruction.
func (in *Instr) rmwEval() {
	table := rmwInt[:]
	if in.Float {
		table = rmwFloat[:]
	}
	if int(in.Fn) < len(table) && table[in.Fn] != 0 {
		in.Eval = pisa.EvalFn(table[in.Fn], pisa.FType.Set(0, uint64(in.Type)))
	}
}

// lowest returns the lowest set bit's index and the rest.
func lowest(m uint64) (int, uint64) { return bits.TrailingZeros64(m), m & (m - 1) }
