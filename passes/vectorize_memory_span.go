package passes

import (
	"slices"

	"pisac/ir"
)

// span is blocks of one function of which each is executed if and only if the
// others are, once and in their order, and what lies between them:
//
//	^a → ^b | ^c → ^d
//
// has the members ^a and ^d. From a member all ways lead to the next one,
// without a loop, an end of the work-item or a way in from elsewhere. Branches
// between may part the lanes; they are together again at the next member. The
// member that lies in a loop that another does not lie in is not of its span.
type span struct {
	blocks []spanBlock
	rpo    []*ir.Block
	number []int32 // by Block.ID: place in rpo; -1 if unreachable
	of     []int32 // by Block.ID: number of the last span that has the block
	from   []int32 // by Block.ID: position of its first op in that span
	taken  []bool  // by Block.ID: member of some span
	at     int     // of rpo: where to look for the next one
	count  int32
	open   []int32 // of join
}

type spanBlock struct {
	block  *ir.Block
	member bool
}

// maxApart bounds the blocks between two members.
const maxApart = 16

func (s *span) init(f *ir.Func, dom *ir.Dom) {
	n := f.NumBlockIDs()
	s.rpo = dom.RPO()
	s.number, s.of, s.from, s.taken = make([]int32, n), make([]int32, n), make([]int32, n), make([]bool, n)
	for i := range s.number {
		s.number[i] = -1
	}
	for i, b := range s.rpo {
		s.number[b.ID] = int32(i)
	}
}

// next makes s the next span of the function; false if there is none.
func (s *span) next(v *vectorizer) bool {
	for s.at < len(s.rpo) && s.taken[s.rpo[s.at].ID] {
		s.at++
	}
	if s.at == len(s.rpo) {
		return false
	}
	s.count++
	s.blocks = s.blocks[:0]
	for b := s.rpo[s.at]; b != nil; b = s.join(v, b) {
		s.blocks = append(s.blocks, spanBlock{b, true})
		s.taken[b.ID] = true
	}
	return true
}

// join appends what lies between a and the next member, and returns that; nil
// if a is the last. Blocks are looked at in reverse post-order: of those that an
// open edge leads to the first, to which all edges into it must be open.
func (s *span) join(v *vectorizer, a *ir.Block) *ir.Block {
	mark := len(s.blocks)
	open := s.open[:0] // where edges out of a and of what is between lead
	b := a
	for {
		var ok bool
		if open, ok = s.leave(v, b, open); !ok || len(open) == 0 {
			break
		}
		slices.SortFunc(open, func(x, y int32) int { return int(x - y) })
		to, n := s.rpo[open[0]], 1
		for n < len(open) && open[n] == open[0] {
			n++
		}
		if s.taken[to.ID] || v.guards(vmGuardEntry, to.NumPreds() != n) {
			break
		}
		if n == len(open) {
			s.open = open
			return to
		}
		if len(s.blocks)-mark == maxApart {
			break
		}
		open = append(open[:0], open[n:]...)
		b = to
		s.blocks = append(s.blocks, spanBlock{to, false})
	}
	s.blocks, s.open = s.blocks[:mark], open
	return nil
}

// leave adds the edges out of b to open; false if one of them leads back or
// there is none.
func (s *span) leave(v *vectorizer, b *ir.Block, open []int32) ([]int32, bool) {
	for i := range b.NumSuccs() {
		to := s.number[b.Succ(i).ID]
		switch {
		case to > s.number[b.ID]:
			open = append(open, to)
		case v.guards(vmGuardLoop, true):
			return open, false
		}
	}
	return open, b.NumSuccs() > 0 || !v.guards(vmGuardExit, true)
}

// begin notes that b's ops begin at position pos.
func (s *span) begin(b *ir.Block, pos int32) { s.of[b.ID], s.from[b.ID] = s.count, pos }

// start returns where b's ops begin, if it is of the span.
func (s *span) start(b *ir.Block) (pos int32, inside bool) {
	return s.from[b.ID], s.of[b.ID] == s.count
}
