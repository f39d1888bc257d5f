package interp

import "math/bits"

// frame is the registers of one function at one call depth, for all lanes of
// a sub-group that are in it.
type frame struct {
	fn    *function
	depth int
	regs  []lanes
	pbase [width]uint32 // offset of the function's private memory, by lane
	never []uint32      // by slot, lanes whose value nothing has written; nil: not tracked
}

// join is where the parts of a fragment wait for each other: the start of a
// block, or the instruction behind a call.
type join struct {
	fr       *frame
	blk      *block
	pc       int32
	call     *inst // not nil: the join of a call, which its callees return to
	expected uint32
	arrived  uint32
	parent   *join
	skips    bool // some of those that arrived may not meet a barrier (PISA 9.1)
}

// fragment is lanes at one point of the program.
type fragment struct {
	mask    uint32
	pc      int32
	fr      *frame
	blk     *block
	join    *join // innermost that the lanes will arrive at
	waiting *inst // the barrier at which the lanes wait
	skipped bool  // went past a join whose other lanes wait at a barrier

	// Detection of cycles: the state at one block entry.
	entries  uint32
	samples  uint32
	savedBlk *block
	saved    uint64
	savedVer uint64
	savedMsk uint32
	parkedAt uint64 // memory version at which the fragment was seen to repeat; 0: not parked
}

// subgroup is 32 work-items that run in lockstep where they agree.
type subgroup struct {
	g       *group
	index   int
	lanes   int    // work-items in it: 32 but for the last of a group
	live    uint32 // not yet exited
	frags   []fragment
	cur     int        // fragment running
	frames  [][]*frame // by depth
	joins   []*join    // free
	open    []*join    // live, oldest first
	regs    []lanes    // of the running fragment
	fr      *frame
	mask    uint32
	addr    [width]uint64
	lid     [3]lanes
	linear  lanes // linear local id
	fault   *fault
	priv    [width]private
	scratch [64]byte
	hit     hit
}

// private is one work-item's private memory.
type private struct {
	data, shadow []byte
	base         uint32 // address of its first byte
}

func (s *subgroup) localID(lane int) [3]uint32 {
	return [3]uint32{uint32(s.lid[0][lane]), uint32(s.lid[1][lane]), uint32(s.lid[2][lane])}
}

// reset places the sub-group at the start of the kernel.
func (s *subgroup) reset(g *group, index int) {
	s.g, s.index, s.fault = g, index, nil
	s.lanes = min(width, g.items-index*width)
	s.live = uint32(1<<s.lanes - 1)
	n := uint64(index * width)
	x, y, z := n%g.size[0], n/g.size[0]%g.size[1], n/g.size[0]/g.size[1]
	for l := range s.lanes {
		s.linear[l], s.lid[0][l], s.lid[1][l], s.lid[2][l] = n, x, y, z
		if x++; x == g.size[0] {
			x = 0
			if y++; y == g.size[1] {
				y = 0
				z++
			}
		}
		n++
		if g.eng.prog.privNeed {
			p := &s.priv[l]
			p.base = uint32(n-1) << g.eng.privShift
			clear(p.shadow)
		}
	}
	for len(s.open) > 0 {
		s.freeJoin(s.open[len(s.open)-1])
	}
	s.frags = s.frags[:0]
	fr := s.frameAt(0, g.eng.kernel)
	s.frags = append(s.frags, fragment{mask: s.live, fr: fr, blk: fr.fn.blocks[0]})
	for l := range s.lanes {
		fr.pbase[l] = privStart
	}
	if fr.fn.privSize > 0 && !s.enterPrivate(fr, s.live) {
		s.fail(&fr.fn.blocks[0].insts[0], 0, PrivateLimit, "private memory of more than %d bytes", uint64(1)<<g.eng.privShift)
	}
}

// privStart keeps offset 0 out of private memory.
const privStart = 16

// frameAt returns the frame of fn at depth.
func (s *subgroup) frameAt(depth int, fn *function) *frame {
	for len(s.frames) <= depth {
		s.frames = append(s.frames, nil)
	}
	for _, fr := range s.frames[depth] {
		if fr.fn == fn {
			return fr
		}
	}
	fr := &frame{fn: fn, depth: depth, regs: make([]lanes, fn.nslots)}
	if fn.taint {
		fr.never = make([]uint32, fn.nslots)
	}
	for _, c := range fn.consts {
		r := &fr.regs[c.slot]
		for l := range r {
			r[l] = c.v
		}
		if c.never {
			fr.never[c.slot] = full
		}
	}
	s.frames[depth] = append(s.frames[depth], fr)
	return fr
}

// enterPrivate makes the private variables of fr's function for lanes of mask.
func (s *subgroup) enterPrivate(fr *frame, mask uint32) bool {
	size := fr.fn.privSize
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		p := &s.priv[l]
		top := uint64(fr.pbase[l]) + size
		if top > 1<<s.g.eng.privShift {
			return false
		}
		if n := uint64(len(p.data)); n < top {
			p.data = append(p.data, make([]byte, max(top, 2*n)-n)...)
			p.shadow = append(p.shadow, make([]byte, max(top, 2*n)-n)...)
		}
		copy(p.shadow[fr.pbase[l]:], fr.fn.privInit)
	}
	return true
}

// leavePrivate ends their lives: a pointer to them is out of bounds now.
func (s *subgroup) leavePrivate(fr *frame, mask uint32) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		clear(s.priv[l].shadow[fr.pbase[l] : uint64(fr.pbase[l])+fr.fn.privSize])
	}
}

func (s *subgroup) newJoin() *join {
	var j *join
	if n := len(s.joins); n > 0 {
		j, s.joins = s.joins[n-1], s.joins[:n-1]
		*j = join{}
	} else {
		j = new(join)
	}
	s.open = append(s.open, j)
	return j
}

func (s *subgroup) freeJoin(j *join) {
	for i := len(s.open) - 1; i >= 0; i-- {
		if s.open[i] == j {
			s.open = append(s.open[:i], s.open[i+1:]...)
			break
		}
	}
	s.joins = append(s.joins, j)
}

// arrive puts mask at join j, where its lanes wait; when they are all there,
// they go on as one fragment.
func (s *subgroup) arrive(j *join, mask uint32, skipped bool) {
	j.arrived |= mask
	j.skips = j.skips || skipped
	s.settle(j)
}

// leave takes lanes that will not arrive out of join j.
func (s *subgroup) leave(j *join, mask uint32) {
	j.expected &^= mask
	s.settle(j)
}

// settle lets the lanes of j pass if all are there.
func (s *subgroup) settle(j *join) {
	if j.expected == 0 {
		s.freeJoin(j)
		return
	}
	if j.arrived == j.expected {
		s.release(j, j.arrived, j.skips)
		s.freeJoin(j)
	}
}

// release starts lanes behind join j. They may be at once at an outer one.
func (s *subgroup) release(j *join, mask uint32, skipped bool) {
	f := fragment{mask: mask, pc: j.pc, fr: j.fr, blk: j.blk, join: j.parent, skipped: skipped}
	if p := f.join; p != nil && p.call == nil && p.blk == f.blk && f.pc == 0 {
		s.arrive(p, mask, skipped)
		return
	}
	s.frags = append(s.frags, f)
}

// remove deletes fragment i, keeping the order of the others.
func (s *subgroup) remove(i int) {
	s.frags = append(s.frags[:i], s.frags[i+1:]...)
}

// exit ends the work-items of a fragment, which is already out of the list.
func (s *subgroup) exit(j *join, mask uint32) {
	s.live &^= mask
	s.g.exited(s, mask)
	for j != nil {
		next := j.parent
		s.leave(j, mask)
		j = next
	}
}
