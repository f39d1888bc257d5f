package passes

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/rewrite"
)

// Sparse conditional constant propagation (Wegman and Zadeck).
//
//	^bb1(%i: 32b):  (1 from the entry, and %i + 0 from a branch never taken)
//	  %c = pisa.ucmp.eq.32b %i, 1 : pred
//	  builtin.cond_br %c, ^bb2, ^bb1(…)
//	=> %i is 1, %c is true, builtin.br ^bb2
//
// A value is a constant if it is one on all paths that can be executed, which
// are found out at the same time. Ops are computed by pisa.EvalFn. Where a
// block is entered only if a predicate holds, or a comparison for equality
// with a constant does, the predicate, or the value, is that constant.
var sccpPass = &Pass{
	Name: "sccp", Doc: "Propagate constants along the paths that can be executed.",
	Stats: []string{"values replaced", "branches decided"},
	Needs: PISA, Breaks: LoopSimplified,
	Func: sccp,
}

// lattice is what is known of a value of at most 64 bits.
type lattice struct {
	kind uint8
	bits uint64
}

const (
	top      = iota // no path yet
	constant        // bits
	bottom          // not a constant
)

type constProp struct {
	f      *ir.Func
	vals   []lattice // by Value.ID
	block  []bool    // by Block.ID: can be executed
	edge   [][2]bool // by Block.ID and successor, of branches: can be taken
	blocks []*ir.Block
	values []*ir.Value
}

func sccp(c *Ctx, f *ir.Func) bool {
	changed := assumeConditions(c, f)
	s := &constProp{f: f, vals: make([]lattice, f.NumValues()), block: make([]bool, f.NumBlockIDs()), edge: make([][2]bool, f.NumBlockIDs())}
	for _, v := range f.Entry().Args() {
		s.vals[v.ID].kind = bottom
	}
	s.enter(f.Entry())
	for len(s.blocks)+len(s.values) > 0 {
		if n := len(s.values) - 1; n >= 0 {
			v := s.values[n]
			s.values = s.values[:n]
			for u := v.FirstUse(); u != nil; u = u.NextUse() {
				if op := u.User(); s.block[op.Block().ID] {
					s.visit(op)
				}
			}
			continue
		}
		n := len(s.blocks) - 1
		b := s.blocks[n]
		s.blocks = s.blocks[:n]
		for op := b.First(); op != nil; op = op.Next() {
			s.visit(op)
		}
	}
	return s.replace(c) || changed
}

func (s *constProp) enter(b *ir.Block) {
	if !s.block[b.ID] {
		s.block[b.ID] = true
		s.blocks = append(s.blocks, b)
	}
}

func (s *constProp) lower(v *ir.Value, l lattice) {
	old := &s.vals[v.ID]
	if old.kind == bottom || l.kind == top {
		return
	}
	if old.kind == constant && (l.kind == bottom || l.bits != old.bits) {
		l = lattice{kind: bottom}
	} else if old.kind == constant {
		return
	}
	*old = l
	s.values = append(s.values, v)
}

func (s *constProp) visit(op *ir.Op) {
	switch op.Code {
	case builtin.Br:
		s.take(op, 0)
	case builtin.CondBr:
		switch c := s.vals[op.Operand(0).ID]; {
		case c.kind == bottom:
			s.take(op, 0)
			s.take(op, 1)
		case c.kind == constant && c.bits != 0:
			s.take(op, 0)
		case c.kind == constant:
			s.take(op, 1)
		}
	default:
		s.eval(op)
	}
}

// take passes values along an edge that can be taken.
func (s *constProp) take(op *ir.Op, k int) {
	s.edge[op.Block().ID][k] = true
	e := op.Succ(k)
	for i, v := range e.To().Args() {
		s.lower(v, s.vals[e.Arg(i).ID])
	}
	s.enter(e.To())
}

func (s *constProp) eval(op *ir.Op) {
	n := op.NumResults()
	if n == 0 {
		return
	}
	if op.Code == builtin.Const || op.Code == pisa.Bitcast {
		l := lattice{kind: bottom}
		if bits, ok := pisa.ConstBits(op.Result(0)); ok {
			l = lattice{constant, bits}
		} else if op.Code == pisa.Bitcast && op.Result(0).Type.TotalBits() <= 64 {
			l = s.vals[op.Operand(0).ID]
		}
		s.lower(op.Result(0), l)
		return
	}
	var x [4]uint64
	known, mayKnow := true, op.NumOperands() <= 4 && op.NumOperands() > 0
	for i := 0; mayKnow && i < op.NumOperands(); i++ {
		l := s.vals[op.Operand(i).ID]
		mayKnow = l.kind != bottom
		known = known && l.kind == constant
		x[i] = l.bits
	}
	fn := pisa.Eval(nil)
	if mayKnow {
		if fn = pisa.EvalFn(op.Code, op.Props); fn != nil && !known {
			return // later
		}
	}
	var r [2]uint64
	if fn != nil {
		r[0], r[1] = fn(x[0], x[1], x[2], x[3])
	}
	for i := range n {
		v := op.Result(i)
		if w := v.Type.TotalBits(); fn == nil || w > 64 {
			s.lower(v, lattice{kind: bottom})
		} else {
			s.lower(v, lattice{constant, r[i] & (1<<(w-1)<<1 - 1)})
		}
	}
}

// replace puts constants where values are known, and jumps where branches are
// decided; dce and simplifycfg remove what is left.
func (s *constProp) replace(c *Ctx) bool {
	changed := false
	var bl ir.Builder
	for b := s.f.FirstBlock(); b != nil; b = b.Next() {
		if !s.block[b.ID] {
			continue
		}
		for _, v := range b.Args() {
			if l := s.known(v); l != nil {
				if !c.May() {
					return changed
				}
				bl.Before(b.First())
				bl.Loc = b.Loc
				v.ReplaceUses(pisa.MakeConst(&bl, v.Type, l.bits))
				c.Count(0, 1)
				changed = true
			}
		}
		for op := b.First(); op != nil; op = op.Next() {
			for i := range op.NumResults() {
				v := op.Result(i)
				l := s.known(v)
				if l == nil || op.Code == builtin.Const || op.Code == pisa.Bitcast && isConst(v) {
					continue
				}
				if !c.May() {
					return changed
				}
				bl.Before(op)
				bl.Loc = op.Loc
				v.ReplaceUses(pisa.MakeConst(&bl, v.Type, l.bits))
				c.Count(0, 1)
				changed = true
			}
		}
		t := b.Last()
		if t.Code != builtin.CondBr || s.edge[b.ID][0] == s.edge[b.ID][1] {
			continue
		}
		if !c.May() {
			return changed
		}
		e := t.Succ(0)
		if !s.edge[b.ID][0] {
			e = t.Succ(1)
		}
		jumpInstead(b, e.To(), passed(e))
		c.Count(1, 1)
		changed = true
	}
	return changed
}

func isConst(v *ir.Value) bool { _, ok := pisa.ConstBits(v); return ok }

// known returns the constant that v is, if it has uses.
func (s *constProp) known(v *ir.Value) *lattice {
	if int(v.ID) >= len(s.vals) || s.vals[v.ID].kind != constant || !v.HasUses() || v.Type.TotalBits() > 64 {
		return nil
	}
	return &s.vals[v.ID]
}

// assumeConditions replaces, in what a branch's target dominates, the
// predicate by its outcome, and a value by the constant that it equals there.
func assumeConditions(c *Ctx, f *ir.Func) bool {
	dom := c.Dom()
	changed := false
	// Uses are searched once for each condition: enough for real code, but a
	// value compared with thousands of constants must not cost the square.
	budget := 8*f.NumOps() + 1024
	for _, b := range dom.RPO() {
		t := b.Last()
		if t.Code != builtin.CondBr || t.Succ(0).To() == t.Succ(1).To() {
			continue
		}
		for k := range 2 {
			to := t.Succ(k).To()
			if to.NumPreds() != 1 {
				continue
			}
			p := t.Operand(0)
			if _, ok := builtin.IsConst(p); !ok {
				if !assume(c, dom, p, uint64(1-k), to, &changed, &budget) {
					return changed
				}
			}
			if v, bits, ok := equality(p.Op(), k == 0); ok {
				if !assume(c, dom, v, bits, to, &changed, &budget) {
					return changed
				}
			}
		}
	}
	return changed
}

// equality returns the value and constant that are equal if cmp is sense.
func equality(cmp *ir.Op, sense bool) (v *ir.Value, bits uint64, ok bool) {
	if cmp == nil || cmp.Code != pisa.UCmp && cmp.Code != pisa.SCmp || cmp.Result(0).Type != ir.Pred {
		return nil, 0, false
	}
	want := pisa.EQ
	if !sense {
		want = pisa.NE
	}
	if pisa.Cmp(pisa.OpOf(cmp.Props)) != want {
		return nil, 0, false
	}
	a, b := cmp.Operand(0), cmp.Operand(1)
	if isConst(a) {
		a, b = b, a
	}
	bits, ok = pisa.ConstBits(b)
	return a, bits, ok && !isConst(a)
}

// assume replaces uses of v in blocks that to dominates; false if it may not.
func assume(c *Ctx, dom *ir.Dom, v *ir.Value, bits uint64, to *ir.Block, changed *bool, budget *int) bool {
	var k *ir.Value
	for u := v.FirstUse(); u != nil && *budget > 0; *budget-- {
		next := u.NextUse()
		if ub := u.User().Block(); dom.Reachable(ub) && dom.Dominates(to, ub) && !(rewrite.Dead(u.User())) {
			if k == nil {
				if !c.May() {
					return false
				}
				var bl ir.Builder
				bl.Before(to.First())
				bl.Loc = to.First().Loc
				k = pisa.MakeConst(&bl, v.Type, bits)
				c.Count(0, 1)
				*changed = true
			}
			u.Set(k)
		}
		u = next
	}
	return true
}
