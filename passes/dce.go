package passes

import (
	"pisac/ir"
	"pisac/passes/analysis"
	"pisac/passes/rewrite"
)

// Dead code elimination: what no effect and no branch depends on goes, cycles
// through block arguments included.
//
//	%1 = pisa.umul.32b %0, %0 : 32b      (no use)
//	^bb1(%2: 32b): … builtin.br ^bb1(%3)  (%2 used only for %3)
//	=> both gone, the argument and what is passed for it too
//
// A weak load without uses is dead: PISA has no volatile. Ordered accesses,
// fences, barriers and calls stay.
var dcePass = &Pass{
	Name: "dce", Doc: "Remove code without effect, dead block arguments included.",
	Stats: []string{"ops removed", "block arguments removed"},
	Needs: PISA, Keeps: analysis.KeepCFG,
	Func: dce,
}

type deadCode struct {
	live  []bool // by Value.ID
	ops   []bool // by Op.ID
	stack []*ir.Value
}

func dce(c *Ctx, f *ir.Func) bool {
	ops, args, _ := reachable(f).sweep(c, f)
	c.Count(0, ops)
	c.Count(1, args)
	return ops+args > 0
}

// reachable marks what effects and branches depend on.
func reachable(f *ir.Func) *deadCode {
	d := &deadCode{live: make([]bool, f.NumValues()), ops: make([]bool, f.NumOps())}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if rewrite.HasEffect(op) {
				d.keep(op)
			}
		}
	}
	for len(d.stack) > 0 {
		v := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		d.reach(v)
	}
	return d
}

// keep marks the operands of op, those of its edges only through the
// arguments that they feed.
func (d *deadCode) keep(op *ir.Op) {
	if d.ops[op.ID] {
		return
	}
	d.ops[op.ID] = true
	for i := range op.NumPlainOperands() {
		d.use(op.Operand(i))
	}
}

func (d *deadCode) use(v *ir.Value) {
	if !d.live[v.ID] {
		d.live[v.ID] = true
		d.stack = append(d.stack, v)
	}
}

func (d *deadCode) reach(v *ir.Value) {
	if !v.IsArg() {
		d.keep(v.Op())
		return
	}
	for e := v.Block().FirstPred(); e != nil; e = e.NextPred() {
		d.use(e.Arg(v.Index()))
	}
}

// sweep erases what is not marked: first what has no uses, one op at a time,
// then the rest, which is cycles, all at once. It counts ops and block
// arguments; all is false if it was stopped.
func (d *deadCode) sweep(c *Ctx, f *ir.Func) (removed, unpassed int, all bool) {
	var ops []*ir.Op // dead, in reverse order
	var args []*ir.Value
	for b := f.LastBlock(); b != nil; b = b.Prev() {
		for op := b.Last(); op != nil; op = op.Prev() {
			if !d.ops[op.ID] {
				ops = append(ops, op)
			}
		}
		for i := b.NumArgs() - 1; i >= 0 && b != f.Entry(); i-- {
			if v := b.Arg(i); !d.live[v.ID] {
				args = append(args, v)
			}
		}
	}
	rest := ops[:0]
	for _, op := range ops {
		if used(op) {
			rest = append(rest, op)
			continue
		}
		if !c.May() {
			return removed, 0, false
		}
		op.Erase()
		removed++
	}
	if len(rest)+len(args) == 0 {
		return removed, 0, true
	}
	if !c.May() {
		return removed, 0, false
	}
	for _, op := range rest {
		for i := range op.NumOperands() {
			op.SetOperand(i, nil)
		}
	}
	for _, v := range args {
		for e := v.Block().FirstPred(); e != nil; e = e.NextPred() {
			e.SetArg(v.Index(), nil)
		}
	}
	for _, op := range rest {
		op.Erase()
	}
	for _, v := range args { // of each block the last first
		v.Block().RemoveArg(v.Index())
	}
	return removed + len(rest), len(args), true
}

func used(op *ir.Op) bool {
	for i := range op.NumResults() {
		if op.Result(i).HasUses() {
			return true
		}
	}
	return false
}
