package litmus

// findTwins finds neighbouring work-items that can change places: equal code
// and the same relation to all others.
func (x *explorer) findTwins() {
	x.twins = x.twins[:0]
	if !x.opt.Symmetry || x.guess {
		return
	}
	p := x.p
	for i := range p.Threads {
		for j := i + 1; j < len(p.Threads); j++ {
			if p.interchangeable(i, j) {
				x.twins = append(x.twins, pair{i, j})
				break
			}
		}
	}
}

// interchangeable reports whether swapping work-items i and j maps the program
// onto itself.
func (p *Program) interchangeable(i, j int) bool {
	a, b := &p.Threads[i], &p.Threads[j]
	if a.Host != b.Host || len(a.Code) != len(b.Code) || len(a.Slots) != len(b.Slots) {
		return false
	}
	for k := range a.Code {
		if !sameInstr(&a.Code[k], &b.Code[k]) {
			return false
		}
	}
	if a.WG != b.WG {
		for v := range p.Vars {
			if p.Vars[v].Space == Shared {
				return false
			}
		}
	}
	for k := range p.Threads {
		if k == i || k == j {
			continue
		}
		c := &p.Threads[k]
		if (c.WG == a.WG) != (c.WG == b.WG) || (c.WG == a.WG && c.SG == a.SG) != (c.WG == b.WG && c.SG == b.SG) {
			return false
		}
	}
	for o := range p.Regs {
		r := &p.Regs[o]
		if r.Hidden >= 0 && (r.Thread == i || r.Thread == j) {
			return false
		}
		if r.Thread == i && p.mirror(o, i, j) < 0 || r.Thread == j && p.mirror(o, j, i) < 0 {
			return false
		}
	}
	return true
}

// mirror is the observed register of work-item j that corresponds to register
// o of work-item i; -1 if it is not observed.
func (p *Program) mirror(o, i, j int) int {
	for k := range p.Regs {
		if p.Regs[k].Thread == j && p.Regs[k].Slot == p.Regs[o].Slot {
			return k
		}
	}
	return -1
}

// sameInstr compares what two instructions do; pure ones by their text.
func sameInstr(a, b *Instr) bool {
	return a.Op == b.Op && a.Fn == b.Fn && a.Order == b.Order && a.Scope == b.Scope && a.Cover == b.Cover &&
		a.Lanes == b.Lanes && a.Width == b.Width && a.Neg == b.Neg && a.Lit == b.Lit && a.Dst == b.Dst && a.Dst2 == b.Dst2 &&
		a.Var == b.Var && a.Target == b.Target && a.Space == b.Space && a.Type == b.Type &&
		a.A == b.A && a.Off == b.Off && a.B == b.B && a.C == b.C && a.D == b.D &&
		(a.Op != OpEval && a.Op != OpRMW || a.Text == b.Text)
}

// firstAllowed holds back the first read of a work-item until its lower twin
// has read: the mirrored executions are the other order.
func (x *explorer) firstAllowed(t int) bool {
	if x.firstSrc[t] {
		return true
	}
	for _, w := range x.twins {
		if w.second == t && !x.firstSrc[w.first] && x.it[w.first].status == atRead {
			return false
		}
	}
	return true
}

// mirrorStates adds the states in which twins have changed places until no new
// ones come.
func (x *explorer) mirrorStates() {
	if len(x.twins) == 0 {
		return
	}
	p := x.p
	for s := 0; s < x.states.len(); s++ {
		for _, w := range x.twins {
			st := x.states.at(s)
			copy(x.scratch, st)
			for o := range p.Regs {
				if p.Regs[o].Thread != w.first {
					continue
				}
				k := p.mirror(o, w.first, w.second)
				x.scratch[o+1], x.scratch[k+1] = st[k+1], st[o+1]
				bo, bk := st[0]>>o&1, st[0]>>k&1
				x.scratch[0] = x.scratch[0]&^(1<<o|1<<k) | bo<<k | bk<<o
			}
			x.states.add(x.scratch, 0)
		}
	}
}
