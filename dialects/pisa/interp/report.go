package interp

import (
	"fmt"
	"math/bits"
	"sort"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// warnings adds what the workers warned of, once for each instruction, in
// source order.
func (eng *engine) warnings(workers []*worker, ds *ir.Diags) {
	all := map[*ir.Op]*fault{}
	for _, w := range workers {
		for op, f := range w.warned {
			if old := all[op]; old == nil || f.group < old.group {
				all[op] = f
			}
		}
	}
	list := make([]*fault, 0, len(all))
	for _, f := range all {
		list = append(list, f)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].loc != list[j].loc {
			return list[i].loc < list[j].loc
		}
		return list[i].text < list[j].text
	})
	said := map[ir.Position]bool{} // lines that the front end has warned of
	for i := range ds.List {
		said[eng.line(ds.List[i].Loc)] = true
	}
	for _, f := range list {
		if f.kind == UninitRegister && said[eng.line(f.loc)] {
			continue
		}
		ds.Warn(f.loc, ir.NoLoc, Kinds[f.kind].Code, f.text, f.notes...)
	}
}

func (eng *engine) line(l ir.Loc) ir.Position {
	p := eng.prog.mod.Sources.Position(l)
	p.Col = 0
	return p
}

// stats derives the counts from how often each block was entered.
func (eng *engine) stats(workers []*worker) *Stats {
	st := &Stats{Kernel: eng.kernel.fn.Name, WorkGroups: eng.Groups, WorkItems: eng.Global[0] * eng.Global[1] * eng.Global[2],
		Loads: map[string]uint64{}, Stores: map[string]uint64{}, Atomics: map[string]uint64{}}
	for _, w := range workers {
		st.Barriers += w.barriers
		st.Calls += w.calls
		for _, b := range eng.prog.blocks {
			c := w.counts[b.count]
			if c.issued == 0 {
				continue
			}
			n := b.ops - b.moves
			st.Instructions += c.items * n
			st.Issued += c.issued * n
			for i := range b.insts {
				st.count(b.insts[i].op, c.items)
			}
		}
	}
	return st
}

func (st *Stats) count(o *ir.Op, n uint64) {
	space := pisa.SpaceOf(o.Props).String()
	switch o.Code {
	case pisa.Ld, pisa.St:
		switch {
		case pisa.OrderOf(o.Props) != pisa.Weak:
			st.Atomics[space] += n
		case o.Code == pisa.Ld:
			st.Loads[space] += n
		default:
			st.Stores[space] += n
		}
	case pisa.IAtom, pisa.FAtom:
		st.Atomics[space] += n
	case pisa.LdParam:
		st.Loads["param"] += n
	case pisa.Fence:
		st.Fences += n
	}
}

// AppendText appends the counts as lines for people.
func (st *Stats) AppendText(b []byte) []byte {
	b = fmt.Appendf(b, "kernel @%s: %d work-groups, %d work-items\n", st.Kernel, st.WorkGroups, st.WorkItems)
	b = fmt.Appendf(b, "%12d instructions (of work-items)\n%12d instructions issued (of sub-groups)\n", st.Instructions, st.Issued)
	kinds := []struct {
		name string
		m    map[string]uint64
	}{{"loads", st.Loads}, {"stores", st.Stores}, {"atomics", st.Atomics}}
	for _, k := range kinds {
		spaces := make([]string, 0, len(k.m))
		for s := range k.m {
			spaces = append(spaces, s)
		}
		sort.Strings(spaces)
		for _, s := range spaces {
			b = fmt.Appendf(b, "%12d %s %s\n", k.m[s], s, k.name)
		}
	}
	return fmt.Appendf(b, "%12d fences\n%12d barriers\n%12d calls\n", st.Fences, st.Barriers, st.Calls)
}

// traceInst writes a line for in, before it is executed by f.
func (s *subgroup) traceInst(in *inst, f *fragment) {
	eng := s.g.eng
	n := s.g.w.names[f.fr.fn]
	if n == nil {
		n = new(ir.Names)
		n.Number(f.fr.fn.fn)
		s.g.w.names[f.fr.fn] = n
	}
	b := fmt.Appendf(nil, "group (%d,%d,%d) sub-group %d mask %08x @%s ", s.g.id[0], s.g.id[1], s.g.id[2], s.index, f.mask, f.fr.fn.fn.Name)
	if pos := eng.prog.mod.Sources.Position(in.op.Loc); pos.Line != 0 {
		b = fmt.Appendf(b, "line %d ", pos.Line)
	}
	b = append(n.AppendOp(append(b, "| "...), in.op), " |"...)
	l := bits.TrailingZeros32(f.mask)
	for i := range in.op.NumPlainOperands() {
		v := in.op.Operand(i)
		if v.Op() != nil && v.Op().Code == builtin.Const {
			continue
		}
		if i < len(in.src) && in.ctl != ctlCall && in.ctl != ctlCallIndirect {
			b = n.AppendValue(append(b, ' '), v)
			b = fmt.Appendf(b, "=%#x", s.regs[in.src[i]][l])
		}
	}
	b = fmt.Appendf(b, " (lane %d)\n", l)
	_, _ = eng.launch.Trace.Write(b)
}
