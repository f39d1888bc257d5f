package emu

import (
	"math/bits"
	"slices"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Weak memory: what work-groups on different compute units see of each other.
// The caches never evict by themselves, so that what a program forgets to
// invalidate stays stale, and what it forgets to write back stays hidden. With
// several agents, an agent with several L2 caches also has one common level
// behind them, which stands for whatever is coherent inside the agent only.

const lineBytes = 64

type line struct {
	data         [lineBytes]byte
	valid, dirty uint64 // by byte
}

// cache is one cache; unbounded.
type cache struct {
	lines map[uint64]*line
	dirty []uint64  // addresses of lines that have been dirty, if the cache drains
	path  cachePath // from it to memory, if it does
}

func (c *cache) at(addr uint64) *line {
	l := c.lines[addr]
	if l == nil {
		l = new(line)
		c.lines[addr] = l
	}
	return l
}

// unit is what has a cache of its own.
type unit uint8

const (
	perCU unit = iota
	perArray
	perXCD
	perAgent
)

// level is a kind of cache. Waves within scope covers share one.
type level struct {
	unit      unit
	writeBack bool // else writes go through it
	drains    bool // dirty lines go out by themselves, some time
	covers    scope
}

// cacheLevels are the caches of a mode, innermost first (AMDGPUUsage, memory
// model of the chip; RDNA3 ISA 9; CDNA3 ISA 9).
func cacheLevels(m *target.Mode, agents int) []level {
	first := level{unit: perCU, covers: scopeGroup}
	if m.WGP {
		first.covers = scopeWave // a work-group runs on two of them
	}
	l2 := level{unit: perAgent, writeBack: true, covers: scopeAgent}
	switch {
	case m.Has(target.L2WriteBackAgent):
		levels := []level{first, {unit: perXCD, writeBack: true, covers: scopeGroup}}
		if agents > 1 {
			levels = append(levels, l2)
		}
		return levels
	case m.Generation == target.GFX9:
		// Stores of gfx90a have no bits for their scope: those to memory
		// that agents share leave the cache nevertheless.
		l2.drains = true
	case m.Generation == target.GFX11: // its L2 is coherent with the system
		return []level{first, {unit: perArray, covers: scopeGroup}}
	}
	return []level{first, l2}
}

// weakMemory is all caches of a run.
type weakMemory struct {
	levels []level
	caches []map[uint64]*cache // by level and number of the unit
	agents uint64
	free   []*access

	draining []*cache
}

// drain writes back a dirty line of a cache that does so by itself.
func (m *weakMemory) drain(r *rng) {
	for _, c := range m.draining {
		n := uint64(len(c.dirty))
		if n == 0 || r.next()%4 != 0 {
			continue
		}
		i := r.next() % n
		a := c.dirty[i]
		c.dirty[i] = c.dirty[n-1]
		c.dirty = c.dirty[:n-1]
		if l := c.lines[a]; l != nil && l.dirty != 0 {
			c.path.put(1, a, l.dirty, &l.data, scopeWave)
			l.dirty = 0
		}
	}
}

func (m *weakMemory) init(eng *engine) {
	if eng.launch.Memory != Weak {
		return
	}
	m.agents = uint64(max(eng.launch.Agents, 1))
	m.levels = cacheLevels(eng.mode, int(m.agents))
	m.caches = make([]map[uint64]*cache, len(m.levels))
	for i := range m.caches {
		m.caches[i] = map[uint64]*cache{}
	}
}

// cachePath is the caches between a wave and memory.
type cachePath struct {
	eng    *engine
	levels []level
	caches []*cache
}

// Compute units of an L2, shader arrays and L2 caches of an agent: enough for
// neighbours to differ.
const (
	cusPerL2       = 2
	arraysPerAgent = 2
	xcdsPerAgent   = 2
)

// pathOf places wave i of g: work-groups go round agents, then L2 caches or
// shader arrays, then compute units; the waves of a group, in WGP mode, round
// the two units of a processor.
func (eng *engine) pathOf(g *group, i int) cachePath {
	m := &eng.weak
	if m.levels == nil {
		return cachePath{}
	}
	agent, rest := g.linear%m.agents, g.linear/m.agents
	xcd, array := agent*xcdsPerAgent+rest%xcdsPerAgent, agent*arraysPerAgent+rest%arraysPerAgent
	cu := xcd*cusPerL2 + rest/xcdsPerAgent%cusPerL2
	if eng.mode.WGP {
		cu = 2*cu + uint64(i)%2
	}
	p := cachePath{eng: eng, levels: m.levels}
	numbers := [...]uint64{perCU: cu, perArray: array, perXCD: xcd, perAgent: agent}
	for k := range m.levels {
		n := numbers[m.levels[k].unit]
		c := m.caches[k][n]
		if c == nil {
			c = &cache{lines: map[uint64]*line{}}
			m.caches[k][n] = c
			if m.levels[k].drains {
				m.draining = append(m.draining, c)
			}
		}
		p.caches = append(p.caches, c)
	}
	for k, c := range p.caches {
		c.path = cachePath{eng: eng, levels: p.levels[k:], caches: p.caches[k:]}
	}
	return p
}

// memoryLine is the bytes of memory of a line: shorter at the end of an object.
func (eng *engine) memoryLine(addr uint64) []byte {
	a := eng.mem.Find(addr)
	if a == nil {
		return nil
	}
	off := addr - a.Base
	return a.Data[off:min(off+lineBytes, a.Size)]
}

// fetch returns the line at addr as an access of scope s finds it behind the
// levels below k. Only the bytes in need are sure to be there.
func (p *cachePath) fetch(k int, addr, need uint64, s scope) (buf [lineBytes]byte) {
	if k == len(p.levels) {
		copy(buf[:], p.eng.memoryLine(addr))
		return buf
	}
	l := p.caches[k].at(addr)
	hits := p.levels[k].covers >= s
	usable := l.dirty
	if hits {
		usable = l.valid
	}
	if need&^usable == 0 {
		return l.data
	}
	buf = p.fetch(k+1, addr, ^uint64(0), s)
	for u := usable; u != 0; u &= u - 1 {
		i := bits.TrailingZeros64(u)
		buf[i] = l.data[i]
	}
	if hits {
		l.data, l.valid = buf, ^uint64(0)
	} else {
		l.valid = l.dirty // the line misses and goes
	}
	return buf
}

// put writes the bytes in mask of data to level k and, where that writes
// through or is too near for scope s, further out.
func (p *cachePath) put(k int, addr, mask uint64, data *[lineBytes]byte, s scope) {
	for ; k < len(p.levels); k++ {
		stays := p.levels[k].writeBack && p.levels[k].covers >= s
		l := p.caches[k].lines[addr]
		if l == nil && stays {
			l = p.caches[k].at(addr)
		}
		if l == nil {
			continue
		}
		for u := mask; u != 0; u &= u - 1 {
			i := bits.TrailingZeros64(u)
			l.data[i] = data[i]
		}
		l.dirty &^= mask
		if stays {
			if p.levels[k].drains && l.dirty == 0 {
				p.caches[k].dirty = append(p.caches[k].dirty, addr)
			}
			l.valid |= mask
			l.dirty |= mask
			return
		}
	}
	mem := p.eng.memoryLine(addr)
	for u := mask; u != 0; u &= u - 1 {
		if i := bits.TrailingZeros64(u); i < len(mem) {
			mem[i] = data[i]
		}
	}
}

// eachLine calls f for the lines of n bytes at addr, with the bytes' place in
// the line and in the access.
func eachLine(addr uint64, n int, f func(addr uint64, first, from, count int)) {
	for from := 0; from < n; {
		a := addr + uint64(from)
		first := int(a % lineBytes)
		count := min(n-from, lineBytes-first)
		f(a-uint64(first), first, from, count)
		from += count
	}
}

func byteMask(first, count int) uint64 { return ones(uint64(count)) << first }

func (p *cachePath) read(k int, addr uint64, b []byte, s scope) {
	eachLine(addr, len(b), func(a uint64, first, from, count int) {
		buf := p.fetch(k, a, byteMask(first, count), s)
		copy(b[from:from+count], buf[first:])
	})
}

func (p *cachePath) write(k int, addr uint64, b []byte, s scope) {
	eachLine(addr, len(b), func(a uint64, first, from, count int) {
		var buf [lineBytes]byte
		copy(buf[first:], b[from:from+count])
		p.put(k, a, byteMask(first, count), &buf, s)
	})
}

func (p *cachePath) load(addr uint64, b []byte, s scope)  { p.read(0, addr, b, s) }
func (p *cachePath) store(addr uint64, b []byte, s scope) { p.write(0, addr, b, s) }

// scalar loads go to L2: the scalar cache holds only what never changes.
func (p *cachePath) scalar(addr uint64, b []byte) { p.read(p.shared(), addr, b, scopeWave) }

// shared is the first level that more than a compute unit uses and that keeps
// writes.
func (p *cachePath) shared() int {
	for k := range p.levels {
		if p.levels[k].writeBack {
			return k
		}
	}
	return len(p.levels)
}

// home is the level at which a read-modify-write of scope s is done.
func (p *cachePath) home(s scope) int {
	for k := range p.levels {
		if p.levels[k].writeBack && p.levels[k].covers >= s {
			return k
		}
	}
	return len(p.levels)
}

// atomic reads the old value; levels before home lose the line.
func (p *cachePath) atomic(addr uint64, b []byte, s scope) {
	home := p.home(s)
	eachLine(addr, len(b), func(a uint64, _, _, _ int) {
		for k := range home {
			p.evict(k, a)
		}
	})
	p.read(home, addr, b, scopeWave)
}

func (p *cachePath) atomicDone(addr uint64, b []byte, s scope) {
	p.write(p.home(s), addr, b, scopeWave)
}

func (p *cachePath) evict(k int, addr uint64) {
	if l := p.caches[k].lines[addr]; l != nil {
		delete(p.caches[k].lines, addr)
		if l.dirty != 0 {
			p.put(k+1, addr, l.dirty, &l.data, scopeWave)
		}
	}
}

// writeBack makes dirty bytes of levels too near for scope s visible there.
func (p *cachePath) writeBack(s scope) {
	for k := range p.levels {
		if !p.levels[k].writeBack || p.levels[k].covers >= s {
			continue
		}
		for a, l := range p.caches[k].lines { // lines do not meet: any order
			if l.dirty != 0 {
				p.put(k+1, a, l.dirty, &l.data, scopeWave)
				l.dirty = 0
			}
		}
	}
}

// invalidate drops clean bytes of level k.
func (p *cachePath) invalidate(k int) {
	for a, l := range p.caches[k].lines {
		if l.valid = l.dirty; l.dirty == 0 {
			delete(p.caches[k].lines, a)
		}
	}
}

// flush makes all stores visible to the host: the end of a kernel. Caches of
// one level hold the same dirty byte only after a data race.
func (m *weakMemory) flush(eng *engine) {
	for k := range m.levels {
		numbers := make([]uint64, 0, len(m.caches[k]))
		for n := range m.caches[k] {
			numbers = append(numbers, n)
		}
		slices.Sort(numbers)
		for _, n := range numbers {
			// Outer levels are older: what they hold goes first.
			defer m.empty(eng, m.caches[k][n])
		}
	}
}

func (m *weakMemory) empty(eng *engine, c *cache) {
	out := cachePath{eng: eng}
	for a, l := range c.lines {
		if l.dirty != 0 {
			out.put(0, a, l.dirty, &l.data, scopeSystem)
			l.dirty = 0
		}
	}
}

// invalidation is what an instruction drops: the levels of a unit, or all that
// are too near for its scope.
type invalidation struct {
	code ir.Code
	unit unit
	all  bool
}

var invalidations = [...]invalidation{
	{amdgpu.BufferInv, 0, true},
	{amdgpu.GlobalInv, 0, true},
	{amdgpu.BufferGl0Inv, perCU, false},
	{amdgpu.BufferGl1Inv, perArray, false},
	{amdgpu.BufferWbinvl1Vol, perCU, false},
	{amdgpu.BufferInvl2, perAgent, false},
}

func runInvalidate(w *wave, in *inst) {
	p := &w.path
	for i := range invalidations {
		r := &invalidations[i]
		if r.code != in.op.Code {
			continue
		}
		for k := range p.levels {
			if r.all && p.levels[k].covers < in.mem.scope || !r.all && p.levels[k].unit == r.unit {
				p.invalidate(k)
			}
		}
	}
	if w.g.eng.gfx12() {
		w.issue(in, 0, in.mem.counters, false, nil)
	}
}

// runWriteBack starts a write-back, which is done when its counter says so.
func runWriteBack(w *wave, in *inst) {
	var acc *access
	if w.g.eng.launch.Memory == Weak {
		acc = w.g.eng.newAccess()
		acc.in, acc.exec, acc.shared, acc.private, acc.lines, acc.back = in, 0, 0, 0, 0, true
	}
	w.issue(in, 0, in.mem.counters, false, acc)
}
