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
		return b.back && !a.back && a.in.mem.kind != memLoad
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

// maxNap is for how many turns a wave may stand still behind an access.
const maxNap = 24

// A temper is how soon accesses that nobody waits for reach memory: in 1 of so
// many chances; 0: never.
type temper struct{ loads, stores uint64 }

// tempers: a run has one, by its seed. What goes wrong without a wait mostly
// does so if one sort of access is early and the other late.
var tempers = [...]temper{{0, 1}, {1, 0}, {3, 3}, {0, 0}, {6, 2}, {2, 6}}

// drift lets some outstanding accesses of the group's waves reach memory, and
// lines go from caches that write back by themselves. It reports whether
// accesses of waves that have ended are left.
func (g *group) drift() (left bool) {
	eng := g.eng
	r := &eng.rng
	t := tempers[eng.launch.Seed%uint64(len(tempers))]
	for _, w := range g.current() {
		n := len(w.pend)
		if n == 0 {
			continue
		}
		i := int(r.next() % uint64(n))
		if p := w.pend[i]; p.access != nil {
			chance := t.stores
			if p.in.dwid[0] != 0 {
				chance = t.loads
			}
			if w.state == ended {
				chance = 3
			}
			if chance != 0 && r.next()%chance == 0 {
				w.perform(i)
			}
		}
		for _, p := range w.pend {
			left = left || w.state == ended && p.access != nil
		}
	}
	eng.weak.drain(r)
	return left
}
