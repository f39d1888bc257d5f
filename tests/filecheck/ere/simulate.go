package ere

// thread is a state of the simulated automaton and where its match began.
type thread struct {
	pc    int32
	start int
}

// threads is a set of states in order of arrival.
type threads struct {
	list  []thread
	index []int32 // by pc, into list; valid if list[index[pc]].pc == pc
}

func newThreads(p *prog) *threads {
	return &threads{index: make([]int32, len(p.insts))}
}

func (t *threads) has(pc int32) bool {
	i := t.index[pc]
	return int(i) < len(t.list) && t.list[i].pc == pc
}

// simulation runs a program over all its states at once.
type simulation struct {
	prog      *prog
	text      string
	now, next *threads
	stack     []int32
	steps     int
}

func newSimulation(p *prog, text string) *simulation {
	return &simulation{prog: p, text: text, now: newThreads(p), next: newThreads(p)}
}

// add enters pc and all that it leads to without consuming a byte. States that
// are there already keep their start, which came first and is therefore lower.
func (s *simulation) add(to *threads, pc int32, start, pos int) {
	s.stack = append(s.stack[:0], pc)
	for len(s.stack) > 0 {
		pc := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		if to.has(pc) {
			continue
		}
		to.index[pc] = int32(len(to.list))
		to.list = append(to.list, thread{pc, start})
		switch i := &s.prog.insts[pc]; i.op {
		case iSplit:
			s.stack = append(s.stack, i.y, i.x)
		case iAssert:
			if holds(i.assert, s.text, pos) {
				s.stack = append(s.stack, i.x)
			}
		}
	}
}

// longest finds the leftmost longest match that begins at or after from.
// Threads stay ordered by where they began, so the first to reach a state is
// the one that POSIX prefers. steps, if given, counts the work.
func (r *Regexp) longest(text string, from int, steps *int) (Span, bool) {
	s := newSimulation(r.search, text)
	best := Span{-1, -1}
	for pos := from; pos <= len(text); pos++ {
		if best.Start < 0 {
			if len(s.now.list) == 0 {
				if pos = r.skip(text, pos); pos < 0 {
					break
				}
			}
			s.add(s.now, s.prog.start, pos, pos)
		}
		if len(s.now.list) == 0 {
			break
		}
		s.step(pos, &best)
	}
	if steps != nil {
		*steps += s.steps
	}
	return best, best.Start >= 0
}

// step lets the threads consume text[pos].
func (s *simulation) step(pos int, best *Span) {
	s.steps += len(s.now.list) + 1
	for _, t := range s.now.list {
		if best.Start >= 0 && t.start > best.Start {
			break
		}
		switch i := &s.prog.insts[t.pc]; i.op {
		case iMatch:
			if best.Start < 0 || t.start < best.Start || pos > best.End {
				*best = Span{t.start, pos}
			}
		case iSet:
			if pos < len(s.text) && i.set.has(s.text[pos]) {
				s.add(s.next, i.x, t.start, pos+1)
			}
		}
	}
	s.now, s.next = s.next, s.now
	s.next.list = s.next.list[:0]
}

// positions is a set of positions relative to the start of a match.
type positions []uint64

func newPositions(n int) positions      { return make(positions, (n+63)/64) }
func (p positions) add(i int)           { p[i>>6] |= 1 << (i & 63) }
func (p positions) contains(i int) bool { return p[i>>6]&(1<<(i&63)) != 0 }

// divide finds the extents of the captured parts within a match. For each
// element from the last to the first it finds from where the elements from
// there on can match up to the end; then each element from the first on takes
// the most that lets the rest match.
func (r *Regexp) divide(text string, m Span) []Span {
	n := len(r.elements)
	from := make([]positions, n+1)
	from[n] = newPositions(m.End - m.Start + 1)
	from[n].add(m.End - m.Start)
	for k := n - 1; k >= 1; k-- {
		from[k] = reverseFrom(r.elements[k].reverse, text, m, from[k+1])
	}
	captures := make([]Span, len(r.parts))
	pos := m.Start
	for k := 0; k <= r.last; k++ {
		end := forwardTo(r.elements[k].forward, text, m, pos, from[k+1])
		if end < 0 {
			panic("ere: a match that cannot be divided among its parts")
		}
		if p := r.elements[k].part; p >= 0 {
			captures[p] = Span{pos, end}
		}
		pos = end
	}
	return captures
}

// reverseFrom returns the positions from which p matches up to one of ends.
func reverseFrom(p *prog, text string, m Span, ends positions) positions {
	s := newSimulation(p, text)
	found := newPositions(m.End - m.Start + 1)
	for pos := m.End; ; pos-- {
		if ends.contains(pos - m.Start) {
			s.add(s.now, p.start, 0, pos)
		}
		for _, t := range s.now.list {
			switch i := &p.insts[t.pc]; i.op {
			case iMatch:
				found.add(pos - m.Start)
			case iSet:
				if pos > m.Start && i.set.has(text[pos-1]) {
					s.add(s.next, i.x, 0, pos-1)
				}
			}
		}
		if pos == m.Start {
			return found
		}
		s.now, s.next = s.next, s.now
		s.next.list = s.next.list[:0]
	}
}

// forwardTo returns the last of ends that p can match up to from pos, or -1.
func forwardTo(p *prog, text string, m Span, pos int, ends positions) int {
	s := newSimulation(p, text)
	s.add(s.now, p.start, 0, pos)
	last := -1
	for ; len(s.now.list) > 0; pos++ {
		for _, t := range s.now.list {
			switch i := &p.insts[t.pc]; i.op {
			case iMatch:
				if ends.contains(pos - m.Start) {
					last = pos
				}
			case iSet:
				if pos < m.End && i.set.has(text[pos]) {
					s.add(s.next, i.x, 0, pos+1)
				}
			}
		}
		s.now, s.next = s.next, s.now
		s.next.list = s.next.list[:0]
	}
	return last
}
