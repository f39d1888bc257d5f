package emu

import (
	"encoding/binary"
	"math/bits"
	"strings"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/host"
)

// scope is how far an access must be coherent (AMDGPUUsage, memory model).
type scope uint8

const (
	scopeWave scope = iota
	scopeGroup
	scopeAgent
	scopeSystem
)

type memKind uint8

const (
	memLoad memKind = iota
	memStore
	memAtomic
)

var memVerbs = [...]string{"load", "store", "atomic"}

// memInst is what is special to a memory instruction.
type memInst struct {
	kind     memKind
	family   amdgpu.Family
	bytes    uint64 // of one part
	parts    int    // DS instructions with two addresses: 2
	step     int    // bytes that go to or come from one register; below 4: extended
	signed   bool
	atomic   atomicOp
	offset   [2]int64
	addr     int // operand of the address, -1: none
	base     int // operand of the scalar base, -1: none
	data     [2]int
	scope    scope
	align    uint64 // of the address
	counters uint8
	unsorted bool
	last     *host.Object // the object hit last
}

// access is one execution of a memory instruction: what it needs when it
// reaches memory.
type access struct {
	in   *inst
	exec uint64
	// Lanes whose flat address is in LDS, or in their own scratch memory.
	shared, private uint64
	addr            [maxLanes]uint64
	data            [maxLanes][4]uint32
	lines           uint64 // a set of the lines touched, by hash
	back            bool   // a write-back of caches, no access
}

const secDS, secVMEM = "RDNA3 ISA 16.15", "RDNA3 ISA 16.16"

// memory decodes SMEM, DS, FLAT, GLOBAL and SCRATCH.
func (d *decoder) memory(in *inst) {
	r := in.row
	switch {
	case r.Family == amdgpu.MUBUF || in.op.Code == amdgpu.SMemtime:
		d.scalar(in)
		if r.Family == amdgpu.MUBUF {
			in.mem = d.cacheControl(in)
		}
	case r.Family == amdgpu.SMEM:
		d.scalarLoad(in)
	case r.Family == amdgpu.DS:
		d.local(in)
	default:
		d.vectorMemory(in)
	}
	if m := in.mem; m != nil {
		m.family = r.Family
		d.counted(in, m)
	}
}

// counted sets which counters the instruction raises.
func (d *decoder) counted(in *inst, m *memInst) {
	g := &raises[d.t.Generation]
	vm := g.load
	if m.kind == memStore || m.kind == memAtomic && in.dwid[0] == 0 {
		vm = g.store
	}
	switch m.family {
	case amdgpu.SMEM:
		m.counters, m.unsorted = 1<<g.scalar, true
	case amdgpu.DS:
		m.counters = 1 << g.lds
	case amdgpu.Flat:
		m.counters, m.unsorted = 1<<vm|1<<g.lds, !g.flatInOrder
	default:
		m.counters = 1 << vm
	}
}

// cacheScope is the scope that the cache bits of a load, store or cache
// operation say.
func (d *decoder) cacheScope(in *inst) scope {
	c := amdgpu.CacheBits(amdgpu.FCache.Get(in.props))
	switch d.t.Generation {
	case target.GFX12:
		return scope(c >> 8 & 3)
	case target.GFX11:
		if c&amdgpu.CacheGLC != 0 {
			return scopeSystem
		}
		return scopeWave
	}
	switch {
	case c&(amdgpu.CacheSC0|amdgpu.CacheSC1) == amdgpu.CacheSC0|amdgpu.CacheSC1, c&amdgpu.CacheGLC != 0:
		return scopeSystem
	case c&amdgpu.CacheSC1 != 0:
		return scopeAgent
	case c&amdgpu.CacheSC0 != 0:
		return scopeGroup
	}
	return scopeWave
}

// cacheControl: a write-back counts as a store, an invalidate as a load.
func (d *decoder) cacheControl(in *inst) *memInst {
	m := &memInst{scope: d.cacheScope(in)}
	switch in.op.Code {
	case amdgpu.BufferWbl2, amdgpu.GlobalWb:
		if m.kind = memStore; !d.t.Has(target.L2WriteBackAgent) && d.t.Generation == target.GFX9 {
			m.scope = scopeSystem // gfx90a: no bits
		}
	}
	return m
}

// atomicScope is where a read-modify-write is done: GFX12 names it; gfx942 has
// one bit for the system; the others reach memory's own coherence point.
func (d *decoder) atomicScope(in *inst) scope {
	c := amdgpu.CacheBits(amdgpu.FCache.Get(in.props))
	switch {
	case d.t.Generation == target.GFX12:
		return max(d.cacheScope(in), scopeGroup)
	case d.t.Has(target.L2WriteBackAgent) && c&amdgpu.CacheSC1 == 0:
		return scopeAgent
	}
	return scopeSystem
}

const returnBits = amdgpu.CacheGLC | amdgpu.CacheSC0 | amdgpu.CacheReturn

func (d *decoder) vectorMemory(in *inst) {
	family, e, _ := amdgpu.MemOf(in.op.Code)
	m := &memInst{parts: 1, bytes: uint64(e.Bytes()), addr: 0, base: -1, data: [2]int{1, -1}}
	in.mem, in.run = m, runVector
	m.offset[0] = int64(amdgpu.FOffset.Get(in.props)<<40) >> 40
	saddr := amdgpu.FSaddr.Get(in.props) != 0
	switch {
	case family == amdgpu.Scratch && saddr:
		m.addr, m.base = -1, 0
	case family == amdgpu.Scratch && in.src[0].words == 0, family == amdgpu.Scratch && int(in.nsrc) < len(in.row.Operands):
		m.addr, m.data[0] = -1, 0
	case saddr && family == amdgpu.Flat && d.t.Generation != target.GFX12:
		d.fail(in.op, "flat instructions of %s have no scalar base", d.t.Name)
	case saddr:
		m.base, m.data[0] = 1, 2
	}
	m.step = int(min(m.bytes, 4))
	m.scope = d.cacheScope(in)
	switch {
	case e >= amdgpu.AtomicAdd:
		m.kind, m.atomic, m.align = memAtomic, elemAtomics[e], m.bytes
		m.scope = d.atomicScope(in)
		c := amdgpu.CacheBits(amdgpu.FCache.Get(in.props))
		if (c&returnBits != 0) != (in.dwid[0] != 0) {
			d.fail(in.op, "the cache bits of the atomic and its result do not agree")
		}
	case e >= amdgpu.StoreB8:
		m.kind = memStore
	default:
		m.signed = e == amdgpu.LoadI8 || e == amdgpu.LoadI16
	}
}

// local decodes DS.
func (d *decoder) local(in *inst) {
	if in.op.Code == amdgpu.DsBpermuteB32 || in.op.Code == amdgpu.DsPermuteB32 || in.op.Code == amdgpu.DsSwizzleB32 {
		d.permute(in)
		return
	}
	r := in.row
	m := &memInst{parts: 1, addr: 0, base: -1, data: [2]int{1, 2}}
	in.mem, in.run = m, runVector
	m.offset[0] = int64(amdgpu.FOffset.Get(in.props) & 0xffff)
	at := &r.Results
	switch {
	case r.Has(amdgpu.Atomic):
		m.kind, m.atomic = memAtomic, localAtomic(r.Name)
		m.bytes = 4 * uint64(r.Operands[1].Regs)
		m.align, m.step = m.bytes, 4
		return
	case r.Has(amdgpu.Stores):
		m.kind = memStore
		s := r.Operands[1:2]
		at = &s
	}
	m.bytes = 4 * uint64((*at)[0].Regs)
	if r.TwoAddresses() {
		m.parts = 2
		if m.kind == memLoad {
			m.bytes /= 2
		}
		unit := int64(m.bytes)
		if strings.Contains(r.Name, "stride64") {
			unit *= 64
		}
		m.offset = [2]int64{int64(amdgpu.FOffset0.Get(in.props)) * unit, int64(amdgpu.FOffset1.Get(in.props)) * unit}
	}
	switch name := r.Name; {
	case strings.HasSuffix(name, "8") && !strings.HasSuffix(name, "128"):
		m.bytes, m.signed = 1, strings.HasSuffix(name, "_i8")
	case strings.HasSuffix(name, "16"):
		m.bytes, m.signed = 2, strings.HasSuffix(name, "_i16")
	}
	m.step = int(min(m.bytes, 4))
}

// runVector executes DS, FLAT, GLOBAL and SCRATCH.
func runVector(w *wave, in *inst) {
	acc := &w.tmp
	weak := w.g.eng.launch.Memory == Weak
	if weak {
		acc = w.g.eng.newAccess()
	}
	acc.in, acc.exec, acc.shared, acc.private, acc.lines, acc.back = in, w.exec(), 0, 0, 0, false
	if !w.gather(acc) {
		return
	}
	m := in.mem
	if !weak {
		w.reach(acc)
		acc = nil
	}
	exec := w.exec()
	if in.dwid[0] == 0 {
		exec = 0
	}
	w.issue(in, exec, m.counters, m.unsorted, acc)
}

// gather computes addresses, checks them, and takes the data.
func (w *wave) gather(acc *access) bool {
	in, m := acc.in, acc.in.mem
	base := uint64(0)
	if m.base >= 0 {
		base = w.scalarValue(&in.src[m.base])
	}
	for e := acc.exec; e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		a := base
		if m.addr >= 0 {
			a += w.laneValue(&in.src[m.addr], l)
		}
		switch m.family {
		case amdgpu.DS:
			a = lo(a)
		case amdgpu.Scratch:
			a = lo(a + uint64(m.offset[0]))
		default:
			a += uint64(m.offset[0])
		}
		if !w.checkAddress(acc, l, a) {
			return false
		}
		acc.addr[l] = a
		if acc.private>>l&1 != 0 { // the lines that scratch instructions name by offsets
			a -= privateBase
		}
		acc.lines |= lineBit(a) | lineBit(a+m.bytes-1)
		if m.kind != memLoad {
			w.takeData(acc, l)
		}
	}
	return true
}

func lineBit(a uint64) uint64 { return 1 << (mix(a>>6) & 63) }

// takeData copies the data registers of lane l: all there is at issue.
func (w *wave) takeData(acc *access, l int) {
	d, k := &acc.data[l], 0
	for _, i := range acc.in.mem.data {
		if i < 0 || i >= int(acc.in.nsrc) {
			continue
		}
		o := &acc.in.src[i]
		for n := range uint16(o.words) {
			if k < len(d) {
				d[k] = w.v[o.reg-regV0+n][l]
				k++
			}
		}
	}
}

// checkAddress reports whether every part of the access is inside an object.
func (w *wave) checkAddress(acc *access, l int, a uint64) bool {
	in, m := acc.in, acc.in.mem
	for p := range m.parts {
		at := a
		if m.family == amdgpu.DS {
			at += uint64(m.offset[p])
		}
		if m.align > 1 && at%m.align != 0 {
			w.fail(in, Misaligned, "%s of %d bytes at %#x, which is not a multiple of %d (%s)", memVerbs[m.kind], m.bytes, at, m.align, w.item(l))
			return false
		}
		switch {
		case m.family == amdgpu.DS:
			if !w.checkLocal(in, l, at) {
				return false
			}
		case m.family == amdgpu.Scratch:
			if !w.checkScratch(in, l, at) {
				return false
			}
		case m.family == amdgpu.Flat && at-privateBase < aperture:
			acc.private |= 1 << l
			if !w.checkScratch(in, l, at-privateBase) {
				return false
			}
		case m.family == amdgpu.Flat && at-sharedBase < aperture:
			acc.shared |= 1 << l
			if !w.checkLocal(in, l, at-sharedBase) {
				return false
			}
		case !w.checkGlobal(in, l, at):
			return false
		}
	}
	return true
}

func (w *wave) checkScratch(in *inst, l int, at uint64) bool {
	m := in.mem
	if at+m.bytes <= uint64(len(w.scratch[l])) {
		return true
	}
	w.fail(in, OutOfBounds, "out-of-bounds %s of %d bytes at scratch address %#x; a work-item has %d bytes (%s)", memVerbs[m.kind], m.bytes, at, len(w.scratch[l]), w.item(l))
	return false
}

func (w *wave) checkLocal(in *inst, l int, at uint64) bool {
	m := in.mem
	if at+m.bytes <= uint64(len(w.g.lds)) {
		return true
	}
	w.fail(in, OutOfBounds, "out-of-bounds %s of %d bytes at shared address %#x; the work-group has %d bytes (%s)", memVerbs[m.kind], m.bytes, at, len(w.g.lds), w.item(l))
	return false
}

// maxOver is how far over the end of an object a load of several registers may
// read: loads are widened so.
const maxOver = 12

func (w *wave) checkGlobal(in *inst, l int, at uint64) bool {
	m := in.mem
	a := m.last
	if a == nil || at-a.Base >= a.Size {
		if a = w.g.eng.mem.Find(at); a == nil {
			w.fail(in, OutOfBounds, "out-of-bounds %s of %d bytes at global address %#x, %s (%s)", memVerbs[m.kind], m.bytes, at, w.g.eng.describe(at), w.item(l))
			return false
		}
		m.last = a
	}
	if a.Readonly && m.kind != memLoad {
		w.fail(in, ReadOnly, "%s to constant memory at %#x, %d bytes into %s (%s)", memVerbs[m.kind], at, at-a.Base, a.Name, w.item(l))
		return false
	}
	if over := int64(at + m.bytes - a.Base - a.Size); over > 0 && (m.kind != memLoad || m.bytes <= 4 || over > maxOver) {
		w.fail(in, OutOfBounds, "out-of-bounds %s of %d bytes at global address %#x, %d of them past the end of %s (%d bytes) (%s)", memVerbs[m.kind], m.bytes, at, over, a.Name, a.Size, w.item(l))
		return false
	}
	return true
}

// reach does what acc says to memory.
func (w *wave) reach(acc *access) {
	m := acc.in.mem
	w.g.eng.version++
	for e := acc.exec; e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		switch m.kind {
		case memLoad:
			w.loadLane(acc, l)
		case memStore:
			w.storeLane(acc, l)
		default:
			w.atomicLane(acc, l)
		}
	}
}

// bytesAt returns the bytes of memory that part p of lane l touches, nil if
// they are to be had through caches. Bytes past the end of an object are in a
// copy.
func (w *wave) bytesAt(acc *access, l, p int) []byte {
	m := acc.in.mem
	a := acc.addr[l]
	switch {
	case m.family == amdgpu.DS:
		a = lo(a) + uint64(m.offset[p])
		return w.g.lds[a : a+m.bytes]
	case m.family == amdgpu.Scratch:
		return w.scratch[l][a : a+m.bytes]
	case acc.private>>l&1 != 0:
		a -= privateBase
		return w.scratch[l][a : a+m.bytes]
	case acc.shared>>l&1 != 0:
		a -= sharedBase
		return w.g.lds[a : a+m.bytes]
	case w.g.eng.launch.Memory == Weak:
		return nil
	}
	return w.g.eng.globalBytes(m, a, m.bytes)
}

// globalBytes is n bytes of memory at a, which starts in an object.
func (eng *engine) globalBytes(m *memInst, a, n uint64) []byte {
	o := m.last
	if o == nil || a-o.Base >= o.Size {
		o = eng.mem.Find(a)
		m.last = o
	}
	off := a - o.Base
	if off+n <= o.Size {
		return o.Data[off : off+n]
	}
	buf := eng.over[:n]
	clear(buf)
	copy(buf, o.Data[off:])
	return buf
}

func (w *wave) loadLane(acc *access, l int) {
	in, m := acc.in, acc.in.mem
	reg := in.dst[0] - regV0
	for p := range m.parts {
		b := w.bytesAt(acc, l, p)
		if b == nil {
			b = w.g.eng.over[:m.bytes]
			w.path.load(acc.addr[l], b, m.scope)
		}
		if m.step < 4 {
			w.v[reg][l] = extend(b, m.signed)
			continue
		}
		for k := 0; k < len(b); k += 4 {
			w.v[reg][l] = binary.LittleEndian.Uint32(b[k:])
			reg++
		}
	}
}

// extend is the 8 or 16 bits of b as 32.
func extend(b []byte, signed bool) uint32 {
	if len(b) == 1 {
		if signed {
			return uint32(int32(int8(b[0])))
		}
		return uint32(b[0])
	}
	x := binary.LittleEndian.Uint16(b)
	if signed {
		return uint32(int32(int16(x)))
	}
	return uint32(x)
}

func (w *wave) storeLane(acc *access, l int) {
	m := acc.in.mem
	k := 0
	for p := range m.parts {
		b := w.bytesAt(acc, l, p)
		through := b == nil
		if through {
			b = w.g.eng.over[:m.bytes]
		}
		switch m.bytes {
		case 1:
			b[0] = byte(acc.data[l][0])
		case 2:
			binary.LittleEndian.PutUint16(b, uint16(acc.data[l][0]))
		default:
			for i := 0; i < len(b); i += 4 {
				binary.LittleEndian.PutUint32(b[i:], acc.data[l][k])
				k++
			}
		}
		if through {
			w.path.store(acc.addr[l], b, m.scope)
		}
	}
}

// scalarLoad decodes SMEM.
func (d *decoder) scalarLoad(in *inst) {
	m := &memInst{parts: 1, bytes: 4 * uint64(in.dwid[0]), step: 4, align: 4}
	m.offset[0] = int64(amdgpu.FOffset.Get(in.props)<<40) >> 40
	in.mem, in.run = m, runScalarLoad
	if (in.nsrc == 2) != (amdgpu.FSoff.Get(in.props) != 0) {
		d.fail(in.op, "soffset and the number of operands do not agree")
	}
}

// maxScalarOver is how far over the end of an object a scalar load may read:
// inside the cache line of 64 bytes that holds its last byte.
const scalarLine = 64

func runScalarLoad(w *wave, in *inst) {
	m, eng := in.mem, w.g.eng
	at := w.scalarValue(&in.src[0]) + uint64(m.offset[0])
	if in.nsrc > 1 {
		at += w.scalarValue(&in.src[1])
	}
	if at%4 != 0 {
		w.fail(in, Misaligned, "scalar load at %#x, which is not a multiple of 4", at)
		return
	}
	a := eng.mem.Find(at)
	if a == nil {
		w.fail(in, OutOfBounds, "out-of-bounds scalar load of %d bytes at %#x, %s", m.bytes, at, eng.describe(at))
		return
	}
	end := a.Base + a.Size
	if line := (end + scalarLine - 1) &^ (scalarLine - 1); at+m.bytes > line {
		w.fail(in, OutOfBounds, "out-of-bounds scalar load of %d bytes at %#x, %d of them past the end of %s (%d bytes)", m.bytes, at, at+m.bytes-end, a.Name, a.Size)
		return
	}
	b := eng.wide[:m.bytes]
	clear(b)
	copy(b, a.Data[at-a.Base:])
	if eng.launch.Memory == Weak {
		w.path.scalar(at, b[:min(m.bytes, end-at)])
	}
	for k := range uint16(in.dwid[0]) {
		w.setScalar(in.dst[0]+k, 1, uint64(binary.LittleEndian.Uint32(b[4*k:])))
	}
	w.issue(in, 0, m.counters, true, nil)
}

// issueScalar delivers v to the result of a scalar memory instruction.
func (w *wave) issueScalar(in *inst, _ *memInst, v uint64) {
	w.setScalar(in.dst[0], in.dwid[0], v)
	w.issue(in, 0, 1<<raises[w.g.eng.mode.Generation].scalar, true, nil)
}

// scratchStart gives each lane its private memory, with garbage in it.
func (w *wave) scratchStart() {
	n := w.g.eng.scratch
	if w.scratch == nil {
		w.scratch = make([][]byte, w.lanes)
		all := make([]byte, uint64(w.lanes)*n)
		for l := range w.scratch {
			w.scratch[l] = all[uint64(l)*n : uint64(l+1)*n]
		}
	}
	seed := byte(w.g.eng.rng.next())
	for l := range w.scratch {
		for i := range w.scratch[l] {
			w.scratch[l][i] = seed + byte(i*7+l)
		}
	}
}

// scratchNeed is the private memory that variables take and that the constant
// offsets of the code reach.
func (p *program) scratchNeed() uint64 {
	_, n := amdgpu.PrivateLayout(p.fn)
	for i := range p.insts {
		m := p.insts[i].mem
		if m == nil || m.family != amdgpu.Scratch {
			continue
		}
		n = max(n, uint64(m.offset[0])+m.bytes)
	}
	return n
}
