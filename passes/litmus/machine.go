package litmus

import (
	"encoding/json"
	"fmt"
	"io"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
)

// The operational model. A wave issues its instructions in order; accesses
// that were issued are performed in any order, except that accesses of one
// wave to one location stay in order and shared memory is one queue. A load is
// served by a cache that has the line, or by the next one; a store reaches one
// cache after the other and is complete where its bits say; a dirty line may
// go to memory at any time. Assumptions: docs/memory-model.md.

const (
	maxPending = 10
	maxCaches  = 2
)

// pending is an access that was issued and is not complete.
type pending struct {
	kind  uint8 // 'l' 's' 'u' 'b'
	cell  uint8
	at    int8 // of a store: the level reached, -1: none
	from  int8
	upTo  int8
	count target.Counter
	instr int16 // index in the wave
	lane  uint8
	stamp uint8      // order of issue among the work-items of a sub-group
	scope pisa.Scope // of a write-back
	val   uint64
	cmp   uint64
}

// line is a copy of a location in a cache.
type line struct {
	val            uint64
	present, dirty bool
}

// waveState is a wave that runs.
type waveState struct {
	pc      int16
	back    int8
	n       int8 // of pending
	waiting bool // at a barrier
	ended   bool
	spun    bool // it needs more unrolling than allowed
	bars    int8
	written uint64
	pend    [maxPending]pending
}

// machineState is everything.
type machineState struct {
	waves  []waveState
	regs   []uint64
	lines  []line // by cache, instance and location
	mem    []uint64
	issued uint8 // accesses of work-items that share a sub-group
}

func (s *machineState) copyFrom(o *machineState) {
	s.waves = append(s.waves[:0], o.waves...)
	s.regs = append(s.regs[:0], o.regs...)
	s.lines = append(s.lines[:0], o.lines...)
	s.mem = append(s.mem[:0], o.mem...)
	s.issued = o.issued
}

// machine enumerates what a mode may do with a program.
type machine struct {
	lowering
	code  []wave
	hier  hierarchy
	base  []int32
	cells int
	nt    int
	seen  map[string]struct{}
	out   stateSet
	word  []uint64
	key   []byte
	free  []*machineState
	obs   []int8
	mates [MaxWorkItems]uint8 // other work-items of the sub-group: one wave
	err   error
	limit int
	bound bool
	stop  func([]uint64) bool // of a final state: end the enumeration
	done  bool
}

// maxMachineStates bounds an enumeration.
const maxMachineStates = 4_000_000

func newMachine(p *Program, mode *target.Mode, mut *Mutation) *machine {
	m := &machine{lowering: lowering{p: p, mode: mode, mut: mut, used: map[SequenceRow]bool{}}, hier: hierarchies[mode.Name],
		nt: len(p.Threads), cells: len(p.Cells), seen: map[string]struct{}{}, limit: maxMachineStates}
	n := int32(0)
	for t := range p.Threads {
		m.base = append(m.base, n)
		n += int32(len(p.Threads[t].Slots))
		m.code = append(m.code, m.wave(t))
	}
	m.base = append(m.base, n)
	n += int32(len(p.Regs))
	m.obs = resizeFill(nil, int(n), -1)
	for i := range p.Regs {
		r := &p.Regs[i]
		if r.Slot >= 0 {
			m.obs[m.base[r.Thread]+r.Slot] = int8(i)
		}
	}
	for t := range m.nt {
		for u := range m.nt {
			a, b := &p.Threads[t], &p.Threads[u]
			if t != u && !a.Host && !b.Host && a.WG == b.WG && a.SG == b.SG {
				m.mates[t] |= 1 << u
			}
		}
	}
	m.out.reset(1 + len(p.Regs) + m.cells)
	m.word = make([]uint64, 1+len(p.Regs)+m.cells)
	return m
}

func (m *machine) run() {
	s := &machineState{waves: make([]waveState, m.nt), regs: make([]uint64, len(m.obs))}
	for i := range m.p.Cells {
		s.mem = append(s.mem, m.p.Cells[i].Init)
	}
	for range len(m.hier.domain) * m.nt { // every cache may hold everything from before
		for i := range m.p.Cells {
			s.lines = append(s.lines, line{m.p.Cells[i].Init, true, false})
		}
	}
	m.explore(s)
}

// line finds the line of a location in the cache of a level that serves a
// work-item. Instances are named by their lowest work-item.
func (m *machine) line(s *machineState, level int, t int, cell int) *line {
	return &s.lines[(level*m.nt+m.instance(level, t))*m.cells+cell]
}

func (m *machine) instance(level, t int) int {
	d := m.hier.domain[level]
	for u := range t {
		a, b := &m.p.Threads[u], &m.p.Threads[t]
		if a.Host || b.Host {
			continue
		}
		if d == pisa.GPU || a.WG == b.WG && (d == pisa.Workgroup || a.SG == b.SG) {
			return u
		}
	}
	return t
}

func (m *machine) state() *machineState {
	if n := len(m.free); n > 0 {
		s := m.free[n-1]
		m.free = m.free[:n-1]
		return s
	}
	return &machineState{}
}

// explore runs what needs no choice, then tries every step.
func (m *machine) explore(s *machineState) {
	for m.advanceAll(s) {
		if m.err != nil || m.done {
			return
		}
	}
	if m.err != nil || m.done || !m.fresh(s) {
		return
	}
	moved := false
	try := func(f func(*machineState)) {
		moved = true
		if m.done || m.err != nil {
			return
		}
		n := m.state()
		n.copyFrom(s)
		f(n)
		m.explore(n)
		m.free = append(m.free, n)
	}
	for t := range s.waves {
		w := &s.waves[t]
		if !w.ended && !w.waiting && !w.spun && int(w.pc) < len(m.code[t]) && m.code[t][w.pc].op == opInv {
			try(func(n *machineState) { m.invalidate(n, t) })
		}
		if m.mates[t] != 0 && m.atAccess(s, t) {
			before := w.n
			probe := m.state()
			probe.copyFrom(s)
			m.issue(probe, t)
			issues := probe.waves[t].n != before
			m.free = append(m.free, probe)
			if issues {
				try(func(n *machineState) { m.issue(n, t) })
			}
		}
		for k := range int(w.n) {
			m.perform(s, t, k, try)
		}
	}
	if d := m.hier.dirty; d >= 0 {
		for t := range s.waves {
			if m.instance(d, t) != t {
				continue
			}
			for c := range m.cells {
				if l := m.line(s, d, t, c); l.dirty && m.inTransit(s, d, t, c) == nil {
					try(func(n *machineState) { m.writeBack(n, d, t, c) })
				}
			}
		}
	}
	if !moved {
		m.final(s)
	}
}

// fresh remembers the state and reports whether it is new.
func (m *machine) fresh(s *machineState) bool {
	b := m.key[:0]
	num := func(v uint64) {
		for v >= 0x80 {
			b = append(b, byte(v)|0x80)
			v >>= 7
		}
		b = append(b, byte(v))
	}
	for t := range s.waves {
		w := &s.waves[t]
		b = append(b, byte(w.pc), byte(w.pc>>8), byte(w.back), byte(w.n), boolByte(w.waiting)|boolByte(w.ended)<<1|boolByte(w.spun)<<2, byte(w.bars))
		num(w.written)
		for k := range int(w.n) {
			p := &w.pend[k]
			b = append(b, p.kind, p.cell, p.stamp, byte(p.at+1), byte(p.instr), byte(p.instr>>8), p.lane)
			num(p.val)
			num(p.cmp)
		}
	}
	for _, v := range s.regs {
		num(v)
	}
	for i := range s.lines {
		l := &s.lines[i]
		b = append(b, boolByte(l.present)|boolByte(l.dirty)<<1)
		if l.present {
			num(l.val)
		}
	}
	for _, v := range s.mem {
		num(v)
	}
	m.key = b
	if _, ok := m.seen[string(b)]; ok {
		return false
	}
	if len(m.seen) >= m.limit {
		m.err = fmt.Errorf("the machine model has more than %d states", m.limit)
		return false
	}
	m.seen[string(b)] = struct{}{}
	return true
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// final records the outcome of a state in which nothing can happen.
func (m *machine) final(s *machineState) {
	for t := range s.waves {
		if w := &s.waves[t]; !w.ended {
			return // left out: a loop beyond the bound
		}
	}
	p := m.p
	var written uint64
	for t := range s.waves {
		written |= s.waves[t].written
	}
	m.word[0] = 0
	for i := range p.Regs {
		r := &p.Regs[i]
		m.word[1+i] = 0
		if written>>i&1 == 0 {
			m.word[0] |= 1 << i
			continue
		}
		if r.Slot >= 0 {
			m.word[1+i] = s.regs[m.base[r.Thread]+r.Slot]
		} else {
			m.word[1+i] = s.regs[m.base[len(p.Threads)]+int32(i)]
		}
	}
	copy(m.word[1+len(p.Regs):], s.mem)
	m.out.add(m.word, 1)
	if m.stop != nil && m.stop(m.word) {
		m.done = true
	}
}

// MachineResult is what the machine side says of a program on a mode.
type MachineResult struct {
	Program *Program
	Mode    string
	Source  *Result // under the model lb
	// SourceRaces: the program is undefined, and nothing was checked.
	SourceRaces bool
	Outcomes    int
	States      int      // of the machine
	Outside     []string // outcomes that the model forbids
	Bounded     bool
}

// CheckMachine enumerates the outcomes of p's code on a mode and compares them
// with those that the dependency-based model allows.
func CheckMachine(p *Program, mode target.Mode) (*MachineResult, error) {
	var c Checker
	src, err := c.Check(p, Options{Model: Model{ThinAir: Dependencies}})
	if err != nil {
		return nil, err
	}
	r := &MachineResult{Program: p, Mode: mode.Name, Source: src, Bounded: src.Bounded}
	if src.Race != nil {
		r.SourceRaces = true
		return r, nil
	}
	m := newMachine(p, &mode, nil)
	m.run()
	if m.err != nil {
		return nil, m.err
	}
	r.Outcomes, r.States = m.out.len(), len(m.seen)
	for i := range m.out.len() {
		if k, _ := c.x.states.find(m.out.at(i)); k < 0 {
			r.Outside = append(r.Outside, p.stateText(m.out.at(i)))
		}
	}
	return r, nil
}

// WriteText prints the result.
func (r *MachineResult) WriteText(w io.Writer) {
	switch {
	case r.SourceRaces:
		fmt.Fprintf(w, "%s on %s: the program has a data race, so any code is right\n", r.Program.Name, r.Mode)
	case len(r.Outside) == 0:
		fmt.Fprintf(w, "%s on %s: %d outcomes, all of the %d that the model allows or fewer (%d machine states)\n", r.Program.Name, r.Mode, r.Outcomes, len(r.Source.States), r.States)
	default:
		for _, o := range r.Outside {
			fmt.Fprintf(w, "%s on %s: FORBIDDEN outcome %s\n", r.Program.Name, r.Mode, o)
		}
	}
}

// JSON is the result as one line.
func (r *MachineResult) JSON(file string) []byte {
	verdict := "within"
	switch {
	case r.SourceRaces:
		verdict = "racy"
	case len(r.Outside) > 0:
		verdict = "outside"
	}
	out, err := json.Marshal(map[string]any{"file": file, "name": r.Program.Name, "target": r.Mode, "model": r.Source.Model.String(),
		"verdict": verdict, "outcomes": r.Outcomes, "outside": r.Outside})
	if err != nil {
		panic(err)
	}
	return append(out, '\n')
}
