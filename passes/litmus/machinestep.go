package litmus

import (
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
)

// advanceAll runs each wave as far as no choice is needed and reports whether
// something moved.
func (m *machine) advanceAll(s *machineState) bool {
	moved := false
	for t := range s.waves {
		for m.advance(s, t) {
			moved = true
			if m.err != nil {
				return false
			}
		}
	}
	return m.rendezvous(s) || moved
}

// rendezvous lets a work-group whose waves all wait or have ended go on.
func (m *machine) rendezvous(s *machineState) bool {
	moved := false
	for t := range s.waves {
		if !s.waves[t].waiting {
			continue
		}
		open := true
		for u := range s.waves {
			if m.p.Threads[u].WG == m.p.Threads[t].WG && !s.waves[u].ended && !(s.waves[u].waiting && s.waves[u].bars == s.waves[t].bars) && s.waves[u].bars <= s.waves[t].bars {
				open = false
			}
		}
		if open {
			moved = true
			for u := range s.waves {
				if w := &s.waves[u]; m.p.Threads[u].WG == m.p.Threads[t].WG && w.waiting && w.bars == s.waves[t].bars && u != t {
					w.waiting = false
					w.bars++
				}
			}
			s.waves[t].waiting = false
			s.waves[t].bars++
		}
	}
	return moved
}

// ready reports whether no pending access will write the register.
func (m *machine) ready(w *waveState, code wave, slot int32) bool {
	if slot < 0 {
		return true
	}
	for k := range int(w.n) {
		p := &w.pend[k]
		if p.kind == 's' || p.kind == 'b' {
			continue
		}
		if in := code[p.instr].in; in.Dst >= 0 && in.Dst+int32(p.lane) == slot {
			return false
		}
	}
	return true
}

func (m *machine) value(s *machineState, t int, o *Operand) uint64 {
	if o.Slot < 0 {
		return o.Imm
	}
	return s.regs[m.base[t]+o.Slot]
}

func (m *machine) setReg(s *machineState, t int, slot int32, v uint64) {
	if slot < 0 {
		return
	}
	k := m.base[t] + slot
	s.regs[k] = v
	if o := m.obs[k]; o >= 0 {
		s.waves[t].written |= 1 << o
	}
}

// advance runs one instruction of a wave if it needs no choice.
func (m *machine) advance(s *machineState, t int) bool {
	w := &s.waves[t]
	code := m.code[t]
	if w.ended || w.waiting || w.spun {
		return false
	}
	if int(w.pc) >= len(code) {
		w.ended = true
		return true
	}
	i := &code[w.pc]
	switch i.op {
	case opInv:
		return false
	case opWait:
		for k := range int(w.n) {
			if w.pend[k].count&i.wait != 0 {
				return false
			}
		}
		w.pc++
		return true
	case opRendezvous:
		w.waiting = true
		w.pc++
		return true
	case opBack:
		if int(w.n) == maxPending {
			return false
		}
		w.pend[w.n] = pending{kind: 'b', instr: w.pc, count: m.backCounter(), scope: i.scope}
		w.n++
		w.pc++
		return true
	case opAccess:
		if m.mates[t] != 0 {
			return false // the order in which lanes of one wave issue is a choice
		}
		return m.issue(s, t)
	}
	return m.plain(s, t)
}

// plain runs an instruction of registers and control.
func (m *machine) plain(s *machineState, t int) bool {
	w := &s.waves[t]
	code := m.code[t]
	i := &code[w.pc]
	in := i.in
	for _, slot := range [...]int32{in.A.Slot, in.B.Slot, in.C.Slot, in.D.Slot, in.Dst, in.Dst2} {
		if !m.ready(w, code, slot) {
			return false
		}
	}
	jump := func() {
		if i.target <= int32(w.pc) {
			w.back++
		}
		w.pc = int16(i.target)
	}
	switch in.Op {
	case OpEval:
		r0, r1 := in.Eval(m.value(s, t, &in.A), m.value(s, t, &in.B), m.value(s, t, &in.C), m.value(s, t, &in.D))
		if in.Pred {
			r0 &= 1
		}
		m.setReg(s, t, in.Dst, r0)
		m.setReg(s, t, in.Dst2, r1)
		w.pc++
	case OpMove:
		m.setReg(s, t, in.Dst, m.value(s, t, &in.A))
		w.pc++
	case OpStore: // of an observed register
		for o := range m.p.Regs {
			if r := &m.p.Regs[o]; r.Thread == t && r.Hidden == in.Var {
				s.regs[m.base[m.nt]+int32(o)] = m.value(s, t, &in.B)
				w.written |= 1 << o
			}
		}
		w.pc++
	case OpJump:
		jump()
	case OpBranch:
		if m.value(s, t, &in.A)&1 != 0 != in.Neg {
			jump()
		} else {
			w.pc++
		}
	case OpReturn:
		w.pc = int16(len(code))
	}
	if int(w.back) > m.p.Unroll {
		m.bound = true
		w.spun = true // this execution is left out
	}
	return true
}

// issue appends the accesses of an instruction to what is pending.
func (m *machine) issue(s *machineState, t int) bool {
	w := &s.waves[t]
	code := m.code[t]
	i := &code[w.pc]
	in := i.in
	if int(w.n)+int(in.Lanes) > maxPending || !m.ready(w, code, in.A.Slot) || !m.ready(w, code, in.Off.Slot) || !m.ready(w, code, in.C.Slot) {
		return false
	}
	for l := range int32(in.Lanes) {
		if in.B.Slot >= 0 && !m.ready(w, code, in.B.Slot+l) || in.Dst >= 0 && !m.ready(w, code, in.Dst+l) {
			return false
		}
	}
	for l := range in.Lanes {
		v, off := in.Var, int64(m.value(s, t, &in.Off))
		if !in.Lit {
			v, off, _ = m.p.resolve(m.value(s, t, &in.A)+uint64(off), in.Space)
		}
		cell := m.p.cellAt(v, off+int64(l)*int64(in.Width), in.Width, m.p.Threads[t].WG)
		if cell < 0 {
			m.err = &ProgramError{in.Loc, in.Text + ": an address outside of its variable"}
			return false
		}
		p := pending{kind: 'l', cell: uint8(cell), at: -1, from: i.from, upTo: i.upTo, instr: w.pc, lane: l}
		p.count = m.counter(i.class, m.p.Cells[cell].Space == Shared)
		switch in.Op {
		case OpStore:
			b := in.B
			if b.Slot >= 0 {
				b.Slot += int32(l)
			}
			p.kind, p.val = 's', m.value(s, t, &b)
		case OpRMW:
			p.kind, p.val, p.cmp = 'u', m.value(s, t, &in.B), m.value(s, t, &in.C)
		}
		if m.mates[t] != 0 {
			s.issued++
			p.stamp = s.issued
		}
		w.pend[w.n] = p
		w.n++
	}
	w.pc++
	return true
}

// atAccess reports a wave that would issue an access next.
func (m *machine) atAccess(s *machineState, t int) bool {
	w := &s.waves[t]
	return !w.ended && !w.waiting && !w.spun && int(w.pc) < len(m.code[t]) && m.code[t][w.pc].op == opAccess
}

// matesFirst reports whether an access of another lane of the wave, issued
// earlier to the same location, has not come as far as level.
func (m *machine) matesFirst(s *machineState, t int, p *pending, level int8) bool {
	for u := range s.waves {
		if m.mates[t]>>u&1 == 0 {
			continue
		}
		for k := range int(s.waves[u].n) {
			if q := &s.waves[u].pend[k]; q.kind != 'b' && q.cell == p.cell && q.stamp < p.stamp && (q.kind != 's' || q.at < level) {
				return true
			}
		}
	}
	return false
}

// complete removes pending access k of wave t.
func (s *machineState) complete(t, k int) {
	w := &s.waves[t]
	copy(w.pend[k:w.n-1], w.pend[k+1:w.n])
	w.n--
	w.pend[w.n] = pending{}
}

// perform tries every way in which pending access k of wave t can go on.
func (m *machine) perform(s *machineState, t, k int, try func(func(*machineState))) {
	w := &s.waves[t]
	p := w.pend[k]
	switch {
	case p.kind == 'b':
		for j := range k {
			if w.pend[j].kind != 'l' {
				return // it follows the wave's earlier writes
			}
		}
		try(func(n *machineState) { m.writeBackAll(n, t, p.scope); n.complete(t, k) })
	case m.p.Cells[p.cell].Space == Shared:
		for j := range k {
			if q := &w.pend[j]; q.kind != 'b' && m.p.Cells[q.cell].Space == Shared {
				return // one queue
			}
		}
		try(func(n *machineState) { m.direct(n, t, k) })
	case m.p.Threads[t].Host:
		if k == 0 { // in order, straight to memory
			try(func(n *machineState) { m.direct(n, t, k) })
		}
	case p.kind == 's':
		m.moveStore(s, t, k, try)
	default:
		m.serve(s, t, k, try)
	}
}

// direct performs an access where there is one copy of the location.
func (m *machine) direct(n *machineState, t, k int) {
	p := n.waves[t].pend[k]
	old := n.mem[p.cell]
	n.complete(t, k)
	if p.kind == 's' {
		n.mem[p.cell] = p.val
		return
	}
	n.mem[p.cell] = m.update(&p, t, old)
	m.result(n, t, &p, old)
}

// update is what an RMW writes over old; old itself for a load.
func (m *machine) update(p *pending, t int, old uint64) uint64 {
	in := m.code[t][p.instr].in
	if p.kind != 'u' || in.Fn == pisa.AtomCas && !sameValue(in, old, p.val) {
		return old
	}
	return rmwValue(in, old, p.val, p.cmp)
}

func (m *machine) result(n *machineState, t int, p *pending, old uint64) {
	if in := m.code[t][p.instr].in; in.Dst >= 0 {
		m.setReg(n, t, in.Dst+int32(p.lane), old)
	}
}

// inTransit finds a store that has reached a cache and not yet the next level.
func (m *machine) inTransit(s *machineState, level, t, cell int) *pending {
	inst := m.instance(level, t)
	for u := range s.waves {
		if m.p.Threads[u].Host || m.instance(level, u) != inst {
			continue
		}
		w := &s.waves[u]
		for k := range int(w.n) {
			if p := &w.pend[k]; p.kind == 's' && int(p.cell) == cell && int(p.at) == level && p.upTo > p.at {
				return p
			}
		}
	}
	return nil
}

// moveStore takes a store one level further.
func (m *machine) moveStore(s *machineState, t, k int, try func(func(*machineState))) {
	w := &s.waves[t]
	p := w.pend[k]
	next := p.at + 1
	for j := range k { // the wave's own accesses to the location, in order
		if q := &w.pend[j]; q.kind != 'b' && q.cell == p.cell && (q.kind != 's' || q.at < next) {
			return
		}
	}
	if m.matesFirst(s, t, &p, next) {
		return
	}
	if int(next) < len(m.hier.domain) && m.inTransit(s, int(next), t, int(p.cell)) != nil {
		return
	}
	try(func(n *machineState) {
		q := &n.waves[t].pend[k]
		q.at = next
		if int(next) == len(m.hier.domain) {
			n.mem[p.cell] = p.val
		} else {
			*m.line(n, int(next), t, int(p.cell)) = line{p.val, true, p.upTo == next}
		}
		if next == p.upTo {
			n.complete(t, k)
		}
	})
}

// serve performs a load, or an RMW at its level.
func (m *machine) serve(s *machineState, t, k int, try func(func(*machineState))) {
	w := &s.waves[t]
	p := w.pend[k]
	for j := range k {
		q := &w.pend[j]
		if q.kind == 'b' || q.cell != p.cell {
			continue
		}
		if q.kind != 's' || q.at < p.from {
			return
		}
	}
	if m.matesFirst(s, t, &p, p.from) {
		return
	}
	levels := int8(len(m.hier.domain))
	for i := int8(0); i < p.from; i++ {
		if m.inTransit(s, int(i), t, int(p.cell)) != nil {
			return // it may not overtake a store of the same cache
		}
	}
	for i := p.from; i < levels; i++ {
		l := m.line(s, int(i), t, int(p.cell))
		transit := m.inTransit(s, int(i), t, int(p.cell)) != nil
		if l.present && (p.kind == 'l' || i == p.from) {
			try(func(n *machineState) { m.serveAt(n, t, k, i) })
		}
		if transit || l.dirty {
			return
		}
		if p.kind == 'u' && l.present {
			return
		}
	}
	try(func(n *machineState) { m.serveAt(n, t, k, levels) })
}

// serveAt takes the value from a level, and leaves copies below it.
func (m *machine) serveAt(n *machineState, t, k int, level int8) {
	p := n.waves[t].pend[k]
	c := int(p.cell)
	for i := range p.from { // a dirty line below goes ahead of the access
		if m.line(n, int(i), t, c).dirty {
			m.writeBack(n, int(i), t, c)
		}
	}
	var old uint64
	if int(level) == len(m.hier.domain) {
		old = n.mem[c]
	} else {
		old = m.line(n, int(level), t, c).val
	}
	v := m.update(&p, t, old)
	at := level
	if p.kind == 'u' {
		at = p.upTo
		if int(at) == len(m.hier.domain) {
			n.mem[c] = v
		} else {
			*m.line(n, int(at), t, c) = line{v, true, true}
		}
	}
	for i := range at {
		*m.line(n, int(i), t, c) = line{v, true, false}
	}
	n.complete(t, k)
	m.result(n, t, &p, old)
}

// writeBack takes a dirty line to memory.
func (m *machine) writeBack(n *machineState, level, t, cell int) {
	l := m.line(n, level, t, cell)
	n.mem[cell] = l.val
	l.dirty = false
}

// writeBackAll performs a write-back of a scope: dirty lines of caches that the
// scope's work-items do not share.
func (m *machine) writeBackAll(n *machineState, t int, scope pisa.Scope) {
	d := m.hier.dirty
	if d < 0 || m.hier.domain[d] >= scope {
		return
	}
	for c := range m.cells {
		if m.line(n, d, t, c).dirty {
			m.writeBack(n, d, t, c)
		}
	}
}

// invalidate drops clean lines.
func (m *machine) invalidate(n *machineState, t int) {
	i := &m.code[t][n.waves[t].pc]
	n.waves[t].pc++
	for level, d := range m.hier.domain {
		var hit bool
		switch i.cache {
		case target.CacheFirst:
			hit = level == 0
		case target.CacheMid, target.CacheL2:
			hit = level == 1
		default:
			hit = d < i.scope
		}
		for c := range m.cells {
			if l := m.line(n, level, t, c); hit && !l.dirty && m.inTransit(n, level, t, c) == nil {
				*l = line{}
			}
		}
	}
}
