package ere

import "strings"

// maxSteps limits the work of one search with back-references: matching them
// is NP-hard in general.
const maxSteps = 10_000_000

// findExact searches with back-references. The automaton, in which a reference
// stands for its group's whole expression, proposes where a match may begin;
// the backtracking search confirms it.
func (r *Regexp) findExact(text string) (Span, []Span, bool, error) {
	steps := 0
	for from := 0; from <= len(text); {
		candidate, ok := r.longest(text, from, &steps)
		if !ok {
			return Span{}, nil, false, nil
		}
		b := backtracker{r: r, text: text, steps: &steps, best: -1}
		if err := b.run(candidate.Start); err != nil {
			return Span{}, nil, false, err
		}
		if b.best >= 0 {
			captures := make([]Span, len(r.parts))
			for i, g := range r.groupOf {
				if r.parts[i].Capture {
					captures[i] = Span{b.bestSlots[2*g], b.bestSlots[2*g+1]}
				}
			}
			return Span{candidate.Start, b.best}, captures, true, nil
		}
		if steps > maxSteps {
			return Span{}, nil, false, ErrTooCostly
		}
		from = candidate.Start + 1
	}
	return Span{}, nil, false, nil
}

// backtracker explores the exact program depth first from one position and
// keeps the longest match; of equally long ones, the first in priority.
type backtracker struct {
	r         *Regexp
	text      string
	steps     *int
	slots     []int
	best      int
	bestSlots []int
	seen      map[string]struct{}
	key       []byte
	stack     []frame
}

// frame is a state to try, or (pc < 0) a slot to restore on the way back.
type frame struct {
	pc    int32
	value int // position, or the slot's earlier value
	slot  int32
}

func (b *backtracker) run(start int) error {
	highest := int32(1)
	for i := range b.r.exact.insts {
		if in := &b.r.exact.insts[i]; in.op == iSave {
			highest = max(highest, in.slot)
		}
	}
	b.slots = make([]int, highest+1)
	for i := range b.slots {
		b.slots[i] = -1
	}
	b.seen = map[string]struct{}{}
	b.stack = append(b.stack, frame{pc: b.r.exact.start, value: start})
	for len(b.stack) > 0 {
		f := b.stack[len(b.stack)-1]
		b.stack = b.stack[:len(b.stack)-1]
		if f.pc < 0 {
			b.slots[f.slot] = f.value
			continue
		}
		b.follow(f.pc, f.value)
		if *b.steps > maxSteps {
			return ErrTooCostly
		}
	}
	return nil
}

// follow runs from a state until it fails, matches or has been seen before.
func (b *backtracker) follow(pc int32, pos int) {
	for {
		*b.steps++
		i := &b.r.exact.insts[pc]
		switch i.op {
		case iSet:
			if pos >= len(b.text) || !i.set.has(b.text[pos]) {
				return
			}
			pos++
		case iAssert:
			if !holds(i.assert, b.text, pos) {
				return
			}
		case iSave:
			b.stack = append(b.stack, frame{pc: -1, slot: i.slot, value: b.slots[i.slot]})
			b.slots[i.slot] = pos
		case iBackref:
			start, end := b.slots[2*i.slot], b.slots[2*i.slot+1]
			if start < 0 || end < start || !strings.HasPrefix(b.text[pos:], b.text[start:end]) {
				return
			}
			pos += end - start
			*b.steps += (end - start) / 8
		case iMatch:
			if pos > b.best {
				b.best = pos
				b.bestSlots = append(b.bestSlots[:0], b.slots...)
			}
			return
		case iSplit:
			if b.visited(pc, pos) {
				return
			}
			b.stack = append(b.stack, frame{pc: i.y, value: pos})
		}
		pc = i.x
	}
}

// visited reports whether the state, with the captures that decide how it goes
// on, has been explored, and marks it.
func (b *backtracker) visited(pc int32, pos int) bool {
	b.key = appendInt(appendInt(b.key[:0], int(pc)), pos)
	for _, slot := range b.r.slots {
		b.key = appendInt(b.key, b.slots[slot])
	}
	if _, ok := b.seen[string(b.key)]; ok {
		return true
	}
	b.seen[string(b.key)] = struct{}{}
	*b.steps += 16 // remembering costs more than stepping
	return false
}

func appendInt(b []byte, n int) []byte {
	return append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
}
