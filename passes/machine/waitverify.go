package machine

import (
	"fmt"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Problem is something that the final code does not wait for.
type Problem struct {
	Op   *ir.Op // at fault; nil if it is not there any more
	Loc  ir.Loc
	Text string
}

// VerifyWaits walks the final code of f along all paths and reports every
// register that is used while a memory instruction may still write it, and
// every instruction that a memory sequence demands and that does not stand.
// It shares the facts with the passes (what counts, what a wait says), but
// none of their code.
func VerifyWaits(c *Ctx, f *ir.Func) []Problem {
	v := waitVerifier{ctx: c, counters: c.Target.Counters(), at: make([]outstanding, f.NumBlockIDs()), queued: make([]bool, f.NumBlockIDs())}
	v.registers(f)
	for i := range c.Sequences {
		v.sequence(f, &c.Sequences[i])
	}
	return v.problems
}

type waitVerifier struct {
	ctx      *Ctx
	counters *target.Counters
	at       []outstanding // by block: at its head
	queued   []bool
	problems []Problem
}

func (v *waitVerifier) report(op *ir.Op, loc ir.Loc, format string, args ...any) {
	v.problems = append(v.problems, Problem{op, loc, fmt.Sprintf(format, args...)})
}

// write is a register of which a memory instruction may be outstanding.
type write struct {
	reg     ir.Reg
	counter uint8
}

// outstanding is what may not be complete: of each register's write, how many
// events of its counter are younger, at least; and whether a counter has
// events that complete in any order.
type outstanding struct {
	reached  bool
	younger  map[write]int
	anyOrder [target.NumCounters]bool
}

// registers checks uses of registers by iterating to a fixpoint, then once
// more to report.
func (v *waitVerifier) registers(f *ir.Func) {
	work := []*ir.Block{f.Entry()}
	v.at[f.Entry().ID] = outstanding{reached: true, younger: map[write]int{}}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		v.queued[b.ID] = false
		out := v.walk(b, false)
		for i := range b.NumSuccs() {
			to := b.Succ(i)
			if v.at[to.ID].join(&out) && !v.queued[to.ID] {
				v.queued[to.ID] = true
				work = append(work, to)
			}
		}
	}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		if v.at[b.ID].reached {
			v.walk(b, true)
		}
	}
}

// join adds what comes along one more edge and reports whether that is news.
func (o *outstanding) join(p *outstanding) (news bool) {
	if !o.reached {
		o.reached, news = true, true
		o.younger = make(map[write]int, len(p.younger))
	}
	for w, n := range p.younger {
		if have, ok := o.younger[w]; !ok || n < have {
			o.younger[w], news = n, true
		}
	}
	for c := range o.anyOrder {
		if p.anyOrder[c] && !o.anyOrder[c] {
			o.anyOrder[c], news = true, true
		}
	}
	return news
}

// walk takes what is outstanding through b.
func (v *waitVerifier) walk(b *ir.Block, report bool) outstanding {
	head := &v.at[b.ID]
	o := outstanding{reached: true, younger: make(map[write]int, len(head.younger)), anyOrder: head.anyOrder}
	for w, n := range head.younger {
		o.younger[w] = n
	}
	for op := b.First(); op != nil; op = op.Next() {
		if w, ok := amdgpu.WaitOf(op); ok {
			o.complete(w)
			continue
		}
		if !amdgpu.IsMachine(op.Code) {
			continue
		}
		if report && len(o.younger) > 0 {
			for i := range op.NumPlainOperands() {
				v.used(&o, op, op.Operand(i), "read")
			}
			for i := range op.NumResults() {
				v.used(&o, op, op.Result(i), "written")
			}
		}
		if e, ok := amdgpu.EventOf(op); ok {
			o.issue(op, e, v.counters)
		}
	}
	return o
}

func (v *waitVerifier) used(o *outstanding, op *ir.Op, x *ir.Value, how string) {
	if x.Reg == ir.NoReg {
		return
	}
	for r := x.Reg; r < x.Reg+ir.Reg(x.Type.Lanes()); r++ {
		for c := range target.NumCounters {
			if _, ok := o.younger[write{r, uint8(c)}]; ok {
				v.report(op, op.Loc, "%s: %v is %s while a load may still write it", amdgpu.RowOf(op.Code).Name, r, how)
				return
			}
		}
	}
}

// complete removes what is complete when no more than w are outstanding.
func (o *outstanding) complete(w amdgpu.WaitFor) {
	for k, younger := range o.younger {
		if left := w[k.counter]; left == 0 || left > 0 && younger >= left && !o.anyOrder[k.counter] {
			delete(o.younger, k)
		}
	}
	for c, left := range w {
		if left == 0 {
			o.anyOrder[c] = false
		}
	}
}

func (o *outstanding) issue(op *ir.Op, e target.Event, counters *target.Counters) {
	if e == target.EventWriteBack || e == target.EventInv {
		return // not relied on to be counted
	}
	for c := range target.NumCounters {
		if counters.Of[e]>>c&1 == 0 {
			continue
		}
		for k, n := range o.younger {
			if int(k.counter) == c && n < counters.Max[c] {
				o.younger[k] = n + 1
			}
		}
		flat := e == target.EventFlatLoad || e == target.EventFlatStore
		if e == target.EventScalar || flat && !counters.FlatInOrder {
			o.anyOrder[c] = true
		}
		for i := range op.NumResults() {
			x := op.Result(i)
			for r := x.Reg; r != ir.NoReg && r != ir.RegSCC && r < x.Reg+ir.Reg(x.Type.Lanes()); r++ {
				o.younger[write{r, uint8(c)}] = 0
			}
		}
	}
}
