package analysis

import "pisac/ir"

// Loop is a natural loop: the blocks that reach a back edge into Header, which
// dominates them all, without passing through Header.
type Loop struct {
	Header *ir.Block
	Parent *Loop // the innermost loop around; nil for an outermost one
	Depth  int   // 1 for an outermost one
	// Irreducible: blocks of the loop, but of no inner one, form a cycle with
	// several entries.
	Irreducible bool

	set         *Loops
	index, last int32 // preorder in the forest: inner loops are (index, last]
	first, end  int32 // into set.blocks
}

// Loops is the forest of natural loops of a function's reachable blocks, and
// what cycles there are beside them.
type Loops struct {
	loops  []*Loop // preorder: outer first, siblings in reverse postorder
	of     []int32 // by Block.ID: innermost loop, -1 for none
	blocks []*ir.Block
	region []int32 // by Block.ID: irreducible region, -1 for none
	dom    *ir.Dom

	pos   []int32 // by Block.ID: place in reverse postorder
	outer []int32 // union-find: by loop, the outermost found so far
	work  []*ir.Block
	scc   sccState
}

// compute finds the loops of f.
func (l *Loops) compute(f *ir.Func, dom *ir.Dom) {
	l.dom = dom
	n := f.NumBlockIDs()
	l.of, l.pos, l.region = fill(l.of, n, -1), fill(l.pos, n, -1), fill(l.region, n, -1)
	rpo := dom.RPO()
	for i, b := range rpo {
		l.pos[b.ID] = int32(i)
	}
	var found []*Loop
	l.outer = l.outer[:0]
	retreats := false
	l.scc.size = l.scc.size[:0]
	for i := len(rpo) - 1; i >= 0; i-- { // inner headers come first
		h := rpo[i]
		l.work = l.work[:0]
		for e := h.FirstPred(); e != nil; e = e.NextPred() {
			switch p := e.From(); {
			case l.pos[p.ID] < int32(i): // forward, or unreachable
			case dom.Dominates(h, p):
				l.work = append(l.work, p)
			default:
				retreats = true
			}
		}
		if len(l.work) > 0 {
			lp := &Loop{Header: h, set: l}
			found = append(found, lp)
			l.outer = append(l.outer, int32(len(l.outer)))
			l.collect(found, int32(len(found)-1))
		}
	}
	l.arrange(found)
	if retreats {
		l.irreducible()
	}
}

// collect walks back from the latches in work to the header of loop k. A block
// of an inner loop stands for the outermost loop around it that is known.
func (l *Loops) collect(found []*Loop, k int32) {
	h := found[k].Header
	for len(l.work) > 0 {
		b := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		in := l.of[b.ID]
		if in < 0 {
			l.of[b.ID] = k
		} else {
			in = l.find(in)
			if in == k {
				continue
			}
			found[in].Parent = found[k]
			l.outer[in] = k
			b = found[in].Header
		}
		if b == h {
			continue
		}
		for e := b.FirstPred(); e != nil; e = e.NextPred() {
			// Not yet in the loop; latches of an inner loop are.
			if p := e.From(); l.pos[p.ID] >= 0 {
				l.work = append(l.work, p)
			}
		}
	}
	if l.of[h.ID] < 0 {
		l.of[h.ID] = k
	}
}

func (l *Loops) find(k int32) int32 {
	for l.outer[k] != k {
		l.outer[k] = l.outer[l.outer[k]]
		k = l.outer[k]
	}
	return k
}

// arrange numbers the loops in preorder and lays their blocks out so that
// those of each loop are contiguous, its header first.
func (l *Loops) arrange(found []*Loop) {
	n := len(found)
	// found is in reverse order of headers: an outer loop comes after its
	// inner ones, so walking back meets parents first.
	size := make([]int32, n) // loops in the subtree
	for i, lp := range found {
		lp.first = int32(i) // for now
	}
	for i, lp := range found {
		size[i]++
		if lp.Parent != nil {
			size[lp.Parent.first] += size[i]
		}
	}
	l.loops = make([]*Loop, n)
	next, free := make([]int32, n), int32(0)
	for i := n - 1; i >= 0; i-- {
		lp := found[i]
		place := &free
		if lp.Parent != nil {
			place = &next[lp.Parent.first]
			lp.Depth = lp.Parent.Depth
		}
		lp.Depth++
		lp.index = *place
		*place += size[i]
		next[i] = lp.index + 1
		lp.last = lp.index + size[i] - 1
		l.loops[lp.index] = lp
	}
	count := make([]int32, n+1)
	rpo := l.dom.RPO()
	for _, b := range rpo {
		if k := l.of[b.ID]; k >= 0 {
			l.of[b.ID] = found[k].index
			count[found[k].index+1]++
		}
	}
	for i := range n {
		count[i+1] += count[i]
	}
	for _, lp := range l.loops {
		lp.first, lp.end = count[lp.index], count[lp.last+1]
	}
	l.blocks = append(l.blocks[:0], make([]*ir.Block, count[n])...)
	for _, b := range rpo {
		if k := l.of[b.ID]; k >= 0 {
			l.blocks[count[k]] = b
			count[k]++
		}
	}
}

// irreducible marks the cycles that remain without the back edges of natural
// loops.
func (l *Loops) irreducible() {
	s := &l.scc
	s.run(l)
	for i, b := range l.dom.RPO() {
		c := s.comp[i]
		if s.size[c] < 2 {
			continue
		}
		l.region[b.ID] = c
		if lp := l.Of(b); lp != nil {
			lp.Irreducible = true
		}
	}
}

// sccState is Tarjan's algorithm on the reachable blocks by place in reverse
// postorder, back edges of natural loops left out.
type sccState struct {
	num, low, comp, size []int32
	stack                []int32
	frames               []sccFrame
}

type sccFrame struct {
	node int32
	succ int
}

func (s *sccState) run(l *Loops) {
	rpo := l.dom.RPO()
	n := len(rpo)
	s.num, s.low, s.comp = fill(s.num, n, -1), fill(s.low, n, -1), fill(s.comp, n, -1)
	s.size, s.stack = s.size[:0], s.stack[:0]
	next := int32(0)
	for root := range n {
		if s.num[root] >= 0 {
			continue
		}
		s.frames = append(s.frames[:0], sccFrame{node: int32(root)})
		for len(s.frames) > 0 {
			top := &s.frames[len(s.frames)-1]
			v := top.node
			b := rpo[v]
			if top.succ == 0 && s.num[v] < 0 {
				s.num[v], s.low[v] = next, next
				next++
				s.stack = append(s.stack, v)
			}
			if top.succ < b.NumSuccs() {
				to := b.Succ(top.succ)
				top.succ++
				w := l.pos[to.ID]
				switch {
				case l.dom.Dominates(to, b): // a back edge
				case s.num[w] < 0:
					s.frames = append(s.frames, sccFrame{node: w})
				case s.comp[w] < 0:
					s.low[v] = min(s.low[v], s.num[w])
				}
				continue
			}
			s.frames = s.frames[:len(s.frames)-1]
			if len(s.frames) > 0 {
				p := s.frames[len(s.frames)-1].node
				s.low[p] = min(s.low[p], s.low[v])
			}
			if s.low[v] == s.num[v] {
				s.pop(v)
			}
		}
	}
}

func (s *sccState) pop(v int32) {
	c := int32(len(s.size))
	s.size = append(s.size, 0)
	for {
		w := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		s.comp[w] = c
		s.size[c]++
		if w == v {
			return
		}
	}
}

func fill(s []int32, n int, v int32) []int32 {
	if cap(s) < n {
		s = make([]int32, n)
	}
	s = s[:n]
	for i := range s {
		s[i] = v
	}
	return s
}

// All returns the loops, outer ones before those in them.
func (l *Loops) All() []*Loop { return l.loops }

// Of returns the innermost loop that holds b, or nil.
func (l *Loops) Of(b *ir.Block) *Loop {
	if int(b.ID) >= len(l.of) || l.of[b.ID] < 0 {
		return nil
	}
	return l.loops[l.of[b.ID]]
}

// Depth returns the number of loops around b.
func (l *Loops) Depth(b *ir.Block) int {
	if lp := l.Of(b); lp != nil {
		return lp.Depth
	}
	return 0
}

// Region returns the number of the irreducible region that b belongs to, -1
// if none: blocks that reach each other without back edges of natural loops.
func (l *Loops) Region(b *ir.Block) int32 { return l.region[b.ID] }

// Contains reports whether b lies in the loop or in one inside it.
func (lp *Loop) Contains(b *ir.Block) bool {
	l := lp.set
	if int(b.ID) >= len(l.of) {
		return false
	}
	k := l.of[b.ID]
	return k >= lp.index && k <= lp.last
}

// Encloses reports whether in is lp or lies inside it.
func (lp *Loop) Encloses(in *Loop) bool { return in.index >= lp.index && in.index <= lp.last }

// Innermost reports a loop without loops inside.
func (lp *Loop) Innermost() bool { return lp.index == lp.last }

// Blocks returns the blocks of the loop, inner loops included, the header
// first; not to be changed.
func (lp *Loop) Blocks() []*ir.Block { return lp.set.blocks[lp.first:lp.end] }

// Latches returns the blocks with a back edge to the header.
func (lp *Loop) Latches() (out []*ir.Block) {
	var last *ir.Block
	for e := lp.Header.FirstPred(); e != nil; e = e.NextPred() {
		if b := e.From(); lp.Contains(b) && b != last {
			out = append(out, b)
			last = b
		}
	}
	return out
}

// Latch returns the source of the only back edge, or nil if there are more.
func (lp *Loop) Latch() *ir.Block {
	var latch *ir.Block
	for e := lp.Header.FirstPred(); e != nil; e = e.NextPred() {
		if lp.Contains(e.From()) {
			if latch != nil {
				return nil
			}
			latch = e.From()
		}
	}
	return latch
}

// Preheader returns the block outside whose only successor is the header, if
// no other edge enters the loop; else nil.
func (lp *Loop) Preheader() *ir.Block {
	var pre *ir.Block
	for e := lp.Header.FirstPred(); e != nil; e = e.NextPred() {
		if lp.Contains(e.From()) {
			continue
		}
		if pre != nil || e.From().NumSuccs() != 1 {
			return nil
		}
		pre = e.From()
	}
	return pre
}

// Exits returns the edges that leave the loop, in order of the blocks.
func (lp *Loop) Exits() (out []*ir.Edge) {
	for _, b := range lp.Blocks() {
		for i := range b.NumSuccs() {
			if e := b.Last().Succ(i); !lp.Contains(e.To()) {
				out = append(out, e)
			}
		}
	}
	return out
}

// Index returns the loop's place in All.
func (lp *Loop) Index() int { return int(lp.index) }

// ExitEdges returns, by Loop.Index, the edges that leave each loop, in time
// proportional to the answer.
func (l *Loops) ExitEdges() [][]*ir.Edge {
	out := make([][]*ir.Edge, len(l.loops))
	for _, b := range l.blocks {
		for i := range b.NumSuccs() {
			e := b.Last().Succ(i)
			for lp := l.Of(b); lp != nil && !lp.Contains(e.To()); lp = lp.Parent {
				out[lp.index] = append(out[lp.index], e)
			}
		}
	}
	return out
}
