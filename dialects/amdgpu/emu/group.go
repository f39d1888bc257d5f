package emu

// group is a work-group in progress.
type group struct {
	eng     *engine
	linear  uint64
	id      [3]uint64
	size    [3]uint64 // smaller than the launch's at the edges of the range
	items   int
	waves   []*wave
	live    int // waves not yet ended
	turn    int
	lds     []byte
	stuckAt uint64 // memory version at which it could only wait; 0: can advance
}

// start makes g the work-group of number linear.
func (eng *engine) start(linear uint64) *group {
	var g *group
	if n := len(eng.freeGroups); n > 0 {
		g, eng.freeGroups = eng.freeGroups[n-1], eng.freeGroups[:n-1]
	} else {
		g = &group{eng: eng, lds: make([]byte, eng.ldsBytes)}
	}
	g.linear, g.turn, g.stuckAt = linear, 0, 0
	rest := linear
	g.items = 1
	for i := range 3 {
		g.id[i] = rest % eng.Count[i]
		rest /= eng.Count[i]
		g.size[i] = min(eng.Local[i], eng.Global[i]-g.id[i]*eng.Local[i])
		g.items *= int(g.size[i])
	}
	seed := eng.rng.next()
	for i := range g.lds {
		g.lds[i] = byte(mix(seed + uint64(i)))
	}
	n := (g.items + eng.mode.Wave - 1) / eng.mode.Wave
	for len(g.waves) < n {
		g.waves = append(g.waves, &wave{})
	}
	g.live = n
	for i, w := range g.waves[:n] {
		w.start(g, i)
		w.path = eng.pathOf(g, i)
	}
	eng.waves += uint64(n)
	return g
}

// running is the waves of the group at hand.
func (g *group) current() []*wave {
	return g.waves[:(g.items+g.eng.mode.Wave-1)/g.eng.mode.Wave]
}

// local is the local id of work-item i.
func (g *group) local(i int) (x, y, z uint64) {
	n := uint64(i)
	return n % g.size[0], n / g.size[0] % g.size[1], n / (g.size[0] * g.size[1])
}

// turnLength is how many instructions a wave executes before the next one.
const turnLength = 48

// run gives each wave up to n turns. It reports whether the group has ended.
func (g *group) run(n int) (over bool) {
	eng := g.eng
	waves := g.current()
	for range n {
		moved := false
		for range waves {
			w := waves[g.turn%len(waves)]
			g.turn++
			if w.state != running {
				continue
			}
			if w.nap > 0 {
				w.nap--
				moved = true
				g.drift()
				continue
			}
			length := uint64(turnLength)
			if eng.seeded {
				length = 1 + eng.rng.next()%turnLength
			}
			done := w.run(length)
			if eng.steps += done; eng.steps > eng.maxSteps && eng.fault == nil {
				w.fail(&w.prog.insts[max(w.pc-1, 0)], StepLimit, "the run did not end within %d instructions", eng.maxSteps)
			}
			if eng.fault != nil {
				return true
			}
			moved = true
			if eng.launch.Memory == Weak {
				g.drift()
			}
		}
		if g.live == 0 && (eng.launch.Memory == Strong || !g.drift()) {
			return true
		}
		if !moved && g.live != 0 && !g.release() {
			w := waves[0]
			for _, x := range waves {
				if x.state == atBarrier {
					w = x
				}
			}
			w.fail(&w.prog.insts[w.pc-1], Deadlock, "the barrier is never passed: %d waves wait at it, %d have ended", g.waiting(), len(waves)-g.live)
			return true
		}
		if eng.seeded && len(waves) > 1 {
			g.turn += int(eng.rng.next() % uint64(len(waves)))
		}
	}
	return false
}

func (g *group) waiting() (n int) {
	for _, w := range g.current() {
		if w.state == atBarrier {
			n++
		}
	}
	return n
}

// release lets waves pass the barrier if all that have not ended are at it. It
// reports whether it did.
func (g *group) release() bool {
	if g.live == 0 || g.waiting() != g.live {
		return false
	}
	if g.eng.gfx12() && !g.signalled() {
		return false
	}
	for _, w := range g.current() {
		if w.state == atBarrier {
			w.state = running
		}
	}
	return true
}

// signalled reports that every wave has signalled as often as the others.
func (g *group) signalled() bool {
	waves := g.current()
	var n uint64
	for _, w := range waves {
		if w.state != ended {
			n = max(n, w.signals)
		}
	}
	for _, w := range waves {
		if w.state != ended && w.signals != n {
			return false
		}
	}
	return true
}

func runBarrier(w *wave, _ *inst) {
	w.state = atBarrier
	w.g.release()
}

func runSignal(w *wave, _ *inst) { w.signals++ }

// runBarrierWait waits until every wave has signalled as often as this one.
func runBarrierWait(w *wave, in *inst) {
	if w.signals == 0 {
		w.fail(in, BarrierMismatch, "s_barrier_wait without s_barrier_signal before it")
		return
	}
	w.state = atBarrier
	w.g.release()
}
