package emu

import "pisac/dialects/amdgpu"

// Weak memory: an access reaches memory some time between its issue and the
// wait for it, or the end of its wave.

// newAccess returns an access to be filled.
func (eng *engine) newAccess() *access {
	if n := len(eng.weak.free); n > 0 {
		a := eng.weak.free[n-1]
		eng.weak.free = eng.weak.free[:n-1]
		return a
	}
	return new(access)
}

func (eng *engine) freeAccess(a *access) { eng.weak.free = append(eng.weak.free, a) }

// before reports that a, issued earlier by the same wave, reaches memory
// before b: accesses of LDS stay in order, and so do accesses of one line; a
// write-back comes behind the stores that it is to make visible.
func before(a, b *access) bool {
	if b.back || a.back {
		return b.back
	}
	fa, fb := a.in.mem.family, b.in.mem.family
	if fa == amdgpu.DS && (fb == amdgpu.DS || b.shared != 0) || fb == amdgpu.DS && a.shared != 0 {
		return true
	}
	return a.lines&b.lines != 0
}

// perform lets pend[i] reach memory, after those that come before it.
func (w *wave) perform(i int) {
	p := w.pend[i]
	acc := p.access
	p.access = nil
	for k, q := range w.pend[:i] {
		if q.access != nil && before(q.access, acc) {
			w.perform(k)
		}
	}
	if acc.back {
		w.path.writeBack(acc.in.mem.scope)
	} else {
		w.reach(acc)
	}
	w.g.eng.freeAccess(acc)
}

// drift lets some outstanding accesses of the group's waves reach memory.
func (g *group) drift() {
	r := &g.eng.rng
	for _, w := range g.current() {
		if n := len(w.pend); n > 0 && r.next()%3 == 0 {
			if i := int(r.next() % uint64(n)); w.pend[i].access != nil {
				w.perform(i)
			}
		}
	}
}
