package interp

import (
	"math/bits"
)

// outcome is how a turn of a sub-group ended.
type outcome uint8

const (
	outMore    outcome = iota // used up its turn
	outBlocked                // nothing in it can advance now
	outDone                   // all work-items have exited
	outFault
)

// sampleEvery is how many block entries lie between two looks at whether a
// fragment's state repeats.
const sampleEvery = 128

// run executes up to turn block entries.
func (s *subgroup) run(turn int) outcome {
	for turn > 0 {
		if s.fault != nil {
			return outFault
		}
		if s.live == 0 {
			return outDone
		}
		i := s.pick()
		if i < 0 {
			return outBlocked
		}
		s.cur = i
		if f := &s.frags[i]; s.g.w.steps > s.g.eng.maxSteps {
			s.fail(&f.blk.insts[f.pc], bits.TrailingZeros32(f.mask), StepLimit, "the run has not ended after %d instructions of work-items", s.g.w.steps)
			return outFault
		}
		turn = s.advance(turn)
	}
	if s.fault != nil {
		return outFault
	}
	return outMore
}

// pick returns a fragment that can run: the newest, or any if the launch has a
// seed.
func (s *subgroup) pick() int {
	n := len(s.frags)
	if n > 1 && s.g.w.rng.on {
		k := int(s.g.w.rng.next() % uint64(n))
		for i := range n {
			if j := (k + i) % n; s.runnable(&s.frags[j]) {
				return j
			}
		}
		return -1
	}
	for i := n - 1; i >= 0; i-- {
		if s.runnable(&s.frags[i]) {
			return i
		}
	}
	return -1
}

func (s *subgroup) runnable(f *fragment) bool {
	return f.waiting == nil && (f.parkedAt == 0 || f.parkedAt != s.g.w.version)
}

// advance runs fragment s.cur until it parts, waits, ends or the turn is over.
func (s *subgroup) advance(turn int) int {
	f := &s.frags[s.cur]
	f.parkedAt = 0
	s.regs, s.fr, s.mask = f.fr.regs, f.fr, f.mask
	w := s.g.w
	w.enter(f.blk, f.mask, f.pc == 0)
	for {
		insts := f.blk.insts
		for {
			in := &insts[f.pc]
			if w.trace {
				s.traceInst(in, f)
			}
			if f.fr.never != nil {
				s.written(in, f.mask)
			}
			if in.ctl != ctlNone {
				break
			}
			in.run(s, in, f.mask)
			if s.fault != nil {
				return 0
			}
			f.pc++
			if w.rng.on && in.mem != nil && w.rng.next()&7 == 0 {
				return 0 // seeds interleave within blocks too
			}
		}
		stays := s.control(f, &insts[f.pc])
		if s.fault != nil || !stays {
			return turn - 1
		}
		f = &s.frags[s.cur]
		w.enter(f.blk, f.mask, f.pc == 0)
		if turn--; turn <= 0 {
			return 0
		}
		if f.entries++; f.entries%sampleEvery == 0 && s.repeats(f) {
			return turn
		}
		if w.steps > w.eng.maxSteps {
			return 0
		}
	}
}

// control executes a control-flow instruction of s.frags[s.cur]; it reports
// whether that fragment is still the one to run.
func (s *subgroup) control(f *fragment, in *inst) bool {
	switch in.ctl {
	case ctlBr:
		return s.take(f, &in.edges[0], f.mask)
	case ctlCondBr:
		cond := &s.regs[in.src[0]]
		yes := uint32(0)
		if f.mask == ^uint32(0) {
			for l := range cond {
				yes |= uint32(cond[l]&1) << l
			}
		} else {
			for m := f.mask; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m)
				yes |= uint32(cond[l]&1) << l
			}
		}
		switch no := f.mask &^ yes; {
		case no == 0:
			return s.take(f, &in.edges[0], f.mask)
		case yes == 0:
			return s.take(f, &in.edges[1], f.mask)
		default:
			s.part(f, in, yes, no)
			return false
		}
	case ctlReturn:
		s.ret(f, in)
		return false
	case ctlCall:
		return s.call(f, in)
	case ctlCallIndirect:
		return s.callIndirect(f, in)
	case ctlBarrier:
		if f.skipped {
			s.divergence(f, in)
			return false
		}
		f.waiting = in
		s.g.waiting += bits.OnesCount32(f.mask)
		return false
	case ctlUnreachable:
		s.fail(in, bits.TrailingZeros32(f.mask), EndOfFunction, "the end of function @%s, which returns a value, was reached", s.fr.fn.fn.Name)
		return false
	}
	panic("interp: unknown control")
}

// take moves f along e. It reports whether the fragment goes on there, rather
// than waiting at a join.
func (s *subgroup) take(f *fragment, e *edge, mask uint32) bool {
	s.copies(e.copies, mask)
	f.blk, f.pc = e.to, 0
	if j := f.join; j != nil && j.blk == e.to && j.call == nil {
		skipped := f.skipped
		s.remove(s.cur)
		s.arrive(j, mask, skipped)
		return false
	}
	return true
}

func (s *subgroup) copies(list []copyPair, mask uint32) {
	if n := s.fr.never; n != nil {
		for _, c := range list {
			n[c.dst] = n[c.dst]&^mask | n[c.src]&mask
		}
	}
	for _, c := range list {
		d, r := &s.regs[c.dst], &s.regs[c.src]
		if mask == ^uint32(0) {
			*d = *r
			continue
		}
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			d[l] = r[l]
		}
	}
}

func runCopies(s *subgroup, in *inst, mask uint32) { s.copies(in.args, mask) }

// part splits f at a branch. The side whose block comes first in the layout
// runs first, unless the launch has a seed.
func (s *subgroup) part(f *fragment, in *inst, yes, no uint32) {
	to := f.blk.join
	if to != nil && (f.join == nil || f.join.blk != to || f.join.call != nil) {
		j := s.newJoin()
		j.fr, j.blk, j.expected, j.parent = f.fr, to, f.mask, f.join
		f.join = j
	}
	base := *f
	base.samples, base.savedBlk = 0, nil
	s.remove(s.cur)
	first, second := &in.edges[0], &in.edges[1]
	fm, sm := yes, no
	if second.to.index < first.to.index != (s.g.w.rng.on && s.g.w.rng.next()&1 != 0) {
		first, second, fm, sm = second, first, sm, fm
	}
	s.side(base, second, sm)
	s.side(base, first, fm)
}

// side adds the fragment of one side of a branch.
func (s *subgroup) side(f fragment, e *edge, mask uint32) {
	s.copies(e.copies, mask)
	if j := f.join; j != nil && j.blk == e.to && j.call == nil {
		s.arrive(j, mask, f.skipped)
		return
	}
	f.mask, f.blk, f.pc = mask, e.to, 0
	s.frags = append(s.frags, f)
}

// ret returns the lanes of f from their function.
func (s *subgroup) ret(f *fragment, in *inst) {
	mask, j, fr, skipped := f.mask, f.join, f.fr, f.skipped
	s.remove(s.cur)
	if fr.depth == 0 {
		s.exit(j, mask)
		return
	}
	for j.call == nil {
		next := j.parent
		s.leave(j, mask)
		j = next
	}
	if dst := j.call.dst; dst >= 0 {
		for i := range j.call.words {
			d, r := &j.fr.regs[dst+i], &fr.regs[in.src[0]+i]
			for m := mask; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m)
				d[l] = r[l]
			}
		}
	}
	if fr.fn.privSize > 0 {
		s.leavePrivate(fr, mask)
	}
	s.arrive(j, mask, skipped)
}

// call enters in.callee with all lanes of f.
func (s *subgroup) call(f *fragment, in *inst) bool {
	j := s.callJoin(f, in)
	if j == nil {
		return false
	}
	return s.enterCallee(f, in, in.callee, j, f.mask)
}

// callJoin makes the join behind the call at which f stands.
func (s *subgroup) callJoin(f *fragment, in *inst) *join {
	if f.fr.depth+1 >= s.g.eng.maxDepth {
		s.fail(in, bits.TrailingZeros32(f.mask), CallDepth, "calls nest more than %d deep", s.g.eng.maxDepth)
		return nil
	}
	j := s.newJoin()
	j.fr, j.blk, j.pc, j.call, j.expected, j.parent = f.fr, f.blk, f.pc+1, in, f.mask, f.join
	return j
}

// enterCallee makes f, narrowed to mask, start fn.
func (s *subgroup) enterCallee(f *fragment, in *inst, fn *function, j *join, mask uint32) bool {
	if len(fn.blocks) == 0 {
		s.fail(in, bits.TrailingZeros32(mask), BadCallee, "function @%s has no body", fn.fn.Name)
		return false
	}
	fr := s.frameAt(f.fr.depth+1, fn)
	for _, p := range fn.params {
		if fr.never != nil {
			fr.never[p.dst] &^= mask // the call warned if need be
		}
		d, r := &fr.regs[p.dst], &f.fr.regs[in.args[p.src].src]
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			d[l] = r[l]
		}
	}
	caller := f.fr
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		fr.pbase[l] = caller.pbase[l] + uint32(caller.fn.privSize+15)&^15
	}
	if fn.privSize > 0 && !s.enterPrivate(fr, mask) {
		s.fail(in, bits.TrailingZeros32(mask), PrivateLimit, "private memory of more than %d bytes", uint64(1)<<s.g.eng.privShift)
		return false
	}
	f.mask, f.fr, f.blk, f.pc, f.join = mask, fr, fn.blocks[0], 0, j
	s.regs, s.fr, s.mask = fr.regs, fr, mask
	s.g.w.calls += uint64(bits.OnesCount32(mask))
	return true
}

// callIndirect parts f by the function that each lane calls.
func (s *subgroup) callIndirect(f *fragment, in *inst) bool {
	callee := &s.regs[in.src[0]]
	j := s.callJoin(f, in)
	if j == nil {
		return false
	}
	base, todo := *f, f.mask
	s.remove(s.cur)
	for todo != 0 {
		l := bits.TrailingZeros32(todo)
		fn := s.g.eng.functionAt(callee[l])
		if fn == nil {
			s.fail(in, l, BadCallee, "call through %#x, which is not the address of a function", callee[l])
			return false
		}
		if why := mismatch(fn, in); why != "" {
			s.fail(in, l, BadCallee, "call of @%s through a pointer: %s", fn.fn.Name, why)
			return false
		}
		mask := uint32(0)
		for m := todo; m != 0; m &= m - 1 {
			k := bits.TrailingZeros32(m)
			if callee[k] == callee[l] {
				mask |= 1 << k
			}
		}
		todo &^= mask
		g := base
		if !s.enterCallee(&g, in, fn, j, mask) {
			return false
		}
		s.frags = append(s.frags, g)
		s.regs = base.fr.regs
	}
	return false
}

// mismatch says why the call in does not fit fn.
func mismatch(fn *function, in *inst) string {
	o := in.op
	if o.NumOperands()-1 != len(fn.fn.Sig) {
		return "it takes another number of arguments"
	}
	for i, t := range fn.fn.Sig {
		if o.Operand(i+1).Type != t {
			return "its parameters have other types"
		}
	}
	if o.NumResults() > 0 && o.Result(0).Type != fn.fn.Ret {
		return "it returns another type"
	}
	return ""
}

// repeats samples the state of f at a block entry. If it was the same before
// and no memory has changed since, f can never advance by itself; it is then
// parked until memory changes.
func (s *subgroup) repeats(f *fragment) bool {
	w := s.g.w
	h := s.hash(f)
	if f.savedBlk == f.blk && f.savedVer == w.version && f.savedMsk == f.mask && f.saved == h && f.samples > 0 {
		f.parkedAt = w.version
		return true
	}
	if f.savedVer != w.version {
		f.samples = 0
	}
	f.samples++
	if f.samples&(f.samples-1) == 0 { // Brent: save at powers of two
		f.saved, f.savedBlk, f.savedVer, f.savedMsk = h, f.blk, w.version, f.mask
	}
	return false
}

func (s *subgroup) hash(f *fragment) uint64 {
	h := uint64(f.fr.depth) + 0x9e3779b97f4a7c15
	for i := range f.fr.regs {
		r := &f.fr.regs[i]
		for m := f.mask; m != 0; m &= m - 1 {
			h ^= r[bits.TrailingZeros32(m)]
			h *= 0xff51afd7ed558ccd
			h ^= h >> 29
		}
	}
	return h
}
