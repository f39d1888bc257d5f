// Package rewrite applies local rewrite rules until none applies.
//
// In: a function and rules, rows of {name, root op, algebra, function}. Out:
// the function with every op that a rule covers rewritten, constants folded,
// and pure ops without uses gone. Promised: the order of rewrites depends on
// the function alone; each op is looked at once, and again when an operand or
// a user changed; a set of rules that does not converge is stopped, and the
// panic names the rule.
package rewrite

import (
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Rule is one rewrite of ops with code Root.
type Rule struct {
	Name string // kebab-case, unique
	Root ir.Code
	Doc  string // algebra on one line: "x + 0 => x"
	// Apply tries the rule at op. Having called Rewriter.Replace or changed op
	// it returns true; having returned false it must have created nothing.
	Apply func(w *Rewriter, op *ir.Op) bool
}

// Rules is a rule set, indexed by root.
type Rules struct{ byRoot [][]*Rule }

// NewRules indexes tables of rules; within a root, their order is kept.
func NewRules(tables ...[]Rule) *Rules {
	r := &Rules{byRoot: make([][]*Rule, pisa.NumCodes)}
	for _, t := range tables {
		for i := range t {
			r.byRoot[t[i].Root] = append(r.byRoot[t[i].Root], &t[i])
		}
	}
	return r
}

// All returns every rule, by root.
func (r *Rules) All() (all []*Rule) {
	for _, rs := range r.byRoot {
		all = append(all, rs...)
	}
	return all
}

// Rewriter creates ops before the op at hand and keeps the worklist.
type Rewriter struct {
	ir.Builder
	may     func() bool // whether one more rewrite may be done
	rules   *Rules
	work    []*ir.Op
	in      []bool // by Op.ID: is in work
	stopped bool   // may said no

	Rewrites int // done
	Folded   int // ops replaced by constants
	Erased   int // dead ops
}

// Run rewrites f to a fixed point and reports whether it changed anything.
func (w *Rewriter) Run(f *ir.Func, rules *Rules, may func() bool) bool {
	w.may, w.rules, w.stopped = may, rules, false
	w.work = w.work[:0]
	w.in = append(w.in[:0], make([]bool, f.NumOps())...)
	w.Rewrites, w.Folded, w.Erased = 0, 0, 0
	for b := f.LastBlock(); b != nil; b = b.Prev() { // last in, first out: program order
		for op := b.Last(); op != nil; op = op.Prev() {
			w.push(op)
		}
	}
	limit := 64*f.NumOps() + 1024
	for len(w.work) > 0 {
		op := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		w.in[op.ID] = false
		if op.Block() == nil { // erased since
			continue
		}
		rule := w.visit(f, op)
		if w.stopped {
			break
		}
		if w.Rewrites > limit {
			panic("rewrite: no end of rewrites; the last rule was " + rule.Name)
		}
	}
	return w.Rewrites+w.Folded+w.Erased > 0
}

// visit does one thing to op, and returns the rule that did it, if one did.
func (w *Rewriter) visit(f *ir.Func, op *ir.Op) *Rule {
	w.Loc = op.Loc
	w.Before(op)
	if Dead(op) {
		if w.Commit() {
			w.Erased++
			w.erase(op)
		}
		return nil
	}
	var bits [2]uint64
	if pisa.Fold(op, &bits) {
		if w.Commit() {
			w.Folded++
			w.fold(op, bits)
		}
		return nil
	}
	if int(op.Code) >= len(w.rules.byRoot) {
		return nil
	}
	for _, r := range w.rules.byRoot[op.Code] {
		before := f.NumOps()
		if !r.Apply(w, op) {
			if f.NumOps() != before {
				panic("rewrite: rule " + r.Name + " created ops and returned false")
			}
			if w.stopped {
				return nil
			}
			continue
		}
		w.Rewrites++
		if op.Block() != nil {
			w.push(op)
			w.pushAllUsers(op)
		}
		return r
	}
	return nil
}

func (w *Rewriter) fold(op *ir.Op, bits [2]uint64) {
	for i := range op.NumResults() {
		if r := op.Result(i); r.HasUses() {
			w.pushUsers(r)
			r.ReplaceUses(pisa.MakeConst(&w.Builder, r.Type, bits[i]))
		}
	}
	w.erase(op)
}

// Commit asks whether a rewrite may be done. A rule calls it once it matches
// and before it changes or creates anything; if the answer is no, the rule
// returns false.
func (w *Rewriter) Commit() bool {
	w.stopped = !w.may()
	return !w.stopped
}

// Replace makes all users of op's only result use v, and erases op.
func (w *Rewriter) Replace(op *ir.Op, v *ir.Value) {
	w.pushUsers(op.Result(0))
	op.Result(0).ReplaceUses(v)
	w.erase(op)
}

// ReplaceAll is Replace for an op with several results.
func (w *Rewriter) ReplaceAll(op *ir.Op, vs ...*ir.Value) {
	for i, v := range vs {
		w.pushUsers(op.Result(i))
		op.Result(i).ReplaceUses(v)
	}
	w.erase(op)
}

// SetOperand changes an operand; what defined the old one may be dead now.
func (w *Rewriter) SetOperand(op *ir.Op, i int, v *ir.Value) {
	w.Release(op.Operand(i))
	op.SetOperand(i, v)
}

// Release queues what defines v, of which a use is about to go.
func (w *Rewriter) Release(v *ir.Value) {
	if d := v.Op(); d != nil {
		w.push(d)
	}
}

// Value is Builder.Value; the new op is looked at in its turn.
func (w *Rewriter) Value(code ir.Code, props uint64, t ir.Type, operands ...*ir.Value) *ir.Value {
	v := w.Builder.Value(code, props, t, operands...)
	w.push(v.Op())
	return v
}

// Const creates a constant of type t before the op at hand.
func (w *Rewriter) Const(t ir.Type, bits uint64) *ir.Value {
	return pisa.MakeConst(&w.Builder, t, bits)
}

// Dead reports an op without effects whose results have no uses.
func Dead(op *ir.Op) bool {
	if op.NumResults() == 0 {
		return false
	}
	for i := range op.NumResults() {
		if op.Result(i).HasUses() {
			return false
		}
	}
	return !HasEffect(op)
}

// HasEffect reports an op that must stay although no value of it is used: one
// that writes, orders, calls or ends a block. A weak load has none, since PISA
// has no volatile access.
func HasEffect(op *ir.Op) bool {
	if op.Code == pisa.Ld {
		return pisa.OrderOf(op.Props) != pisa.Weak
	}
	const keep = ir.WritesMem | ir.FenceEffect | ir.Barrier | ir.Calls | ir.Terminator
	return op.Def().Effects&keep != 0
}

func (w *Rewriter) erase(op *ir.Op) {
	for i := range op.NumOperands() {
		if d := op.Operand(i).Op(); d != nil {
			w.push(d)
		}
	}
	op.Erase()
}

func (w *Rewriter) push(op *ir.Op) {
	if int(op.ID) >= len(w.in) {
		w.in = append(w.in, make([]bool, int(op.ID)+1-len(w.in))...)
	}
	if !w.in[op.ID] {
		w.in[op.ID] = true
		w.work = append(w.work, op)
	}
}

func (w *Rewriter) pushUsers(v *ir.Value) {
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		w.push(u.User())
	}
}

func (w *Rewriter) pushAllUsers(op *ir.Op) {
	for i := range op.NumResults() {
		w.pushUsers(op.Result(i))
	}
}
