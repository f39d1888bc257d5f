package passes

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Loop-invariant code motion.
//
//	^pre:  builtin.br ^loop(…)
//	^loop: %2 = pisa.umul.32b %0, %1 : 32b   (%0, %1 from outside)
//	=> %2 is computed in ^pre
//
// An op goes to the preheader of the outermost loop that computes none of its
// operands. Ops that read nothing but their operands always go. A weak load
// goes if nothing in the loop may write what it reads or acquires, and if it
// cannot fault: it is executed whenever the loop is, or it reads a variable
// within its bounds. Ops that depend on the active lanes never move.
var licmPass = &Pass{
	Name: "licm", Doc: "Move what does not change out of loops.",
	Stats: []string{"ops moved", "loads moved"},
	Needs: PISA | LoopSimplified, Keeps: analysis.KeepCFG,
	Func: licm,
}

// maxWriters bounds how many ops a load is compared with; loops that write
// more keep their loads.
const maxWriters = 64

// maxLoadLevels is how many loops a load leaves at a time.
const maxLoadLevels = 8

type invariantMotion struct {
	c       *Ctx
	loops   *analysis.Loops
	dom     *ir.Dom
	alias   *analysis.Alias
	writers [][]*ir.Op // by Loop.Index: ops that write or order, of inner loops too
	exits   [][]*ir.Edge
}

func licm(c *Ctx, f *ir.Func) bool {
	m := &invariantMotion{c: c, loops: c.Loops(), dom: c.Dom(), alias: c.Alias()}
	if len(m.loops.All()) == 0 {
		return false
	}
	m.findWriters()
	changed := false
	for _, b := range m.dom.RPO() {
		lp := m.loops.Of(b)
		if lp == nil {
			continue
		}
		for op := b.First(); op != b.Last(); {
			next := op.Next()
			if to := m.target(op, lp); to != nil {
				if !c.May() {
					return changed
				}
				op.MoveBefore(to.Preheader().Last())
				if op.Code == pisa.Ld {
					c.Count(1, 1)
				} else {
					c.Count(0, 1)
				}
				changed = true
			}
			op = next
		}
	}
	return changed
}

func (m *invariantMotion) findWriters() {
	m.writers = make([][]*ir.Op, len(m.loops.All()))
	for _, b := range m.dom.RPO() {
		for op := b.First(); op != nil && m.loops.Of(b) != nil; op = op.Next() {
			const writes = ir.WritesMem | ir.Ordered | ir.FenceEffect | ir.Barrier | ir.Calls
			if op.Def().Effects&writes == 0 || op.Code == pisa.Ld && pisa.OrderOf(op.Props) == pisa.Weak {
				continue
			}
			// A full loop has full ones around it.
			for lp := m.loops.Of(b); lp != nil && len(m.writers[lp.Index()]) <= maxWriters; lp = lp.Parent {
				m.writers[lp.Index()] = append(m.writers[lp.Index()], op)
			}
		}
	}
}

// target returns the outermost loop around op, which lies in lp, that op can
// leave; nil if none.
func (m *invariantMotion) target(op *ir.Op, lp *analysis.Loop) *analysis.Loop {
	load := op.Code == pisa.Ld
	if !load && (!speculatable(op) || op.NumResults() == 0 || op.Code == builtin.ParallelCopy) {
		return nil
	}
	if load && pisa.OrderOf(op.Props) != pisa.Weak {
		return nil
	}
	depth := 0 // of the innermost loop around op that defines an operand
	for i := range op.NumOperands() {
		d := m.loops.Of(op.Operand(i).Block())
		for d != nil && d.Depth > depth && !d.Encloses(lp) {
			d = d.Parent
		}
		if d != nil && d.Depth > depth {
			depth = d.Depth
		}
	}
	if depth >= lp.Depth {
		return nil
	}
	var to *analysis.Loop
	var acc analysis.Access
	if load {
		acc, _ = m.alias.AccessOf(op)
	}
	for l := lp; l != nil && l.Depth > depth; l = l.Parent {
		if load && lp.Depth-l.Depth == maxLoadLevels {
			break
		}
		if load && !m.unmodified(op, &acc, l) || l.Preheader() == nil {
			break
		}
		to = l
	}
	return to
}

// unmodified reports that l's preheader may load what op does.
func (m *invariantMotion) unmodified(op *ir.Op, acc *analysis.Access, l *analysis.Loop) bool {
	if !acc.Immutable() {
		ws := m.writers[l.Index()]
		if len(ws) > maxWriters {
			return false
		}
		for _, w := range ws {
			if m.alias.Writes(w, acc) {
				return false
			}
		}
	}
	return m.inBounds(acc, l) || m.alwaysRuns(op.Block(), l)
}

// inBounds reports an address within a variable.
func (m *invariantMotion) inBounds(acc *analysis.Access, l *analysis.Loop) bool {
	p := &acc.Ptr
	if p.Root.Kind != analysis.RootVar || p.N != 1 || p.Terms[0].Scale != 1 {
		return false
	}
	v := l.Header.Func().Module().Symbol(p.Root.Sym).Var
	o := p.Terms[0].Value.Op()
	return o != nil && o.Code == pisa.AddrOf && p.Off+acc.Size <= v.Size && p.Off < v.Size
}

// alwaysRuns reports that whoever enters l executes b, or never leaves.
func (m *invariantMotion) alwaysRuns(b *ir.Block, l *analysis.Loop) bool {
	if m.exits == nil {
		m.exits = m.loops.ExitEdges()
	}
	for _, e := range m.exits[l.Index()] {
		if !m.dom.Dominates(b, e.From()) {
			return false
		}
	}
	return len(m.exits[l.Index()]) > 0
}
