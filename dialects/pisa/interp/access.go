package interp

import (
	"fmt"
	"math/bits"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// memInst is the decoded part of a memory access.
type memInst struct {
	space  ir.Space
	order  pisa.Order
	scope  pisa.Scope
	write  bool // stores and read-modify-writes
	atomic bool
	vector bool
	words  int // words of a value
	step   int // bytes of a word
	size   uint64
	align  uint64
	data   int32 // slot of the value stored
	off    int32 // slot of the offset; -1: none
	sext   bool  // the offset is 32-bit, the base 64-bit
	narrow bool  // 32-bit addresses
	cache  int
	verb   string
	rmw    rmwKind
	wide   bool // 128-bit read-modify-write
	src1   int32
}

// memory decodes ld, st, iatom and fatom.
func (d *decoder) memory(in *inst, o *ir.Op) {
	p := o.Props
	m := &memInst{space: pisa.SpaceOf(p), order: pisa.OrderOf(p), scope: pisa.ScopeOf(p), off: -1, cache: d.eng.prog.nmem}
	d.eng.prog.nmem++
	in.mem = m
	m.atomic = m.order != pisa.Weak
	next := 1
	if ir.HasOffset.Get(p) != 0 {
		m.off = in.src[1]
		m.sext = o.Operand(0).Type == ir.B64 && o.Operand(1).Type == ir.B32
		next = 2
	}
	m.narrow = o.Operand(0).Type == ir.B32
	ti := pisa.TypeOf(p).Info()
	es, n := uint64(ti.Bits/8), pisa.LanesOf(p)
	m.size = es * uint64(n)
	m.align = es
	if es < 4 {
		m.align = m.size
	}
	m.vector = n > 1
	m.words, m.step = 1, int(m.size)
	switch {
	case ti.Bits == 128:
		m.words, m.step = 2, 8
	case n > 1 && m.size > 4:
		m.words, m.step = n, int(es)
	}
	switch o.Code {
	case pisa.Ld:
		m.verb = "load"
		in.run = runLoad
	case pisa.St:
		m.verb, m.write = "store", true
		m.data = in.src[next]
		in.run = runStore
	default:
		m.verb, m.write, m.atomic = "atomic", true, true
		d.rmw(in, o, next)
	}
}

// addresses computes the address of each lane of mask.
func (s *subgroup) addresses(in *inst, mask uint32) {
	m := in.mem
	base := &s.regs[in.src[0]]
	if m.off < 0 {
		s.addr = [width]uint64(*base)
		return
	}
	off := &s.regs[m.off]
	switch {
	case m.narrow:
		for l := range base {
			s.addr[l] = (base[l] + off[l]) & 0xffff_ffff
		}
	case m.sext:
		for l := range base {
			s.addr[l] = base[l] + uint64(int64(int32(off[l])))
		}
	default:
		for l := range base {
			s.addr[l] = base[l] + off[l]
		}
	}
}

// hit is where an access went, for the race check.
type hit struct {
	cells  []cell // nil: private memory
	off    uint64
	where  string
	shared bool
}

// race checks the access that place resolved last.
func (s *subgroup) race(in *inst, lane int, write bool) bool {
	r := s.g.eng.races
	if r == nil || s.hit.cells == nil {
		return true
	}
	r.access(s, in, lane, write)
	return s.fault == nil
}

// place resolves the access of one lane: the bytes, and for shared and private
// memory their shadow. nil: it failed.
func (s *subgroup) place(in *inst, lane int) (data, shadow []byte) {
	m, addr := in.mem, s.addr[lane]
	if addr&(m.align-1) != 0 {
		s.fail(in, lane, Misaligned, "misaligned %s of %d bytes at %s address %#x, which is not a multiple of %d", m.verb, m.size, m.space, addr, m.align)
		return nil, nil
	}
	space := m.space
	if space == ir.SpaceGeneric {
		switch addr >> tagShift {
		case tagShared, tagPrivate:
			if addr>>ownerShift&ownerMask != s.owner(addr>>tagShift, lane) {
				s.fail(in, lane, ForeignPointer, "%s of %d bytes at generic address %#x, which is %s", m.verb, m.size, addr, s.foreign(addr))
				return nil, nil
			}
			space = ir.SpaceShared
			if addr>>tagShift == tagPrivate {
				space = ir.SpacePrivate
			}
			addr &= 0xffff_ffff
		}
	}
	switch space {
	case ir.SpaceShared:
		return s.shared(in, lane, addr)
	case ir.SpacePrivate:
		s.hit = hit{}
		return s.private(in, lane, addr)
	}
	return s.globalBytes(in, lane, addr), nil
}

func (s *subgroup) globalBytes(in *inst, lane int, addr uint64) []byte {
	m, w := in.mem, s.g.w
	a := w.caches[m.cache]
	if a == nil || addr-a.Base >= a.Size {
		a = w.eng.mem.Find(addr)
		if a == nil {
			s.outOfBounds(in, lane, w.eng.describe(addr))
			return nil
		}
		w.caches[m.cache] = a
	}
	off := addr - a.Base
	if a.Readonly && m.write {
		s.fail(in, lane, ReadOnly, "%s to constant memory at %#x, %d bytes into %s", m.verb, addr, off, a.Name)
		return nil
	}
	if w.eng.races != nil {
		s.hit = hit{cells: w.eng.races.history(a), off: off, where: a.Name}
	}
	if off+m.size > a.Size {
		return s.overRead(in, lane, a.Data, off, a.Size, a.Align, a.Name)
	}
	return a.Data[off : off+m.size]
}

// describe says what a bad global address is in or next to.
func (eng *engine) describe(addr uint64) string {
	if addr == 0 {
		return "the null pointer"
	}
	if f := eng.functionAt(addr &^ (codeStep - 1)); f != nil {
		return "in the code of @" + f.fn.Name
	}
	return eng.mem.Describe(addr)
}

// overRead allows a vector load that starts in an object and runs up to 12
// bytes over its end: LLVM widens loads so (digest 13). The bytes are zero.
func (s *subgroup) overRead(in *inst, lane int, data []byte, off, size, align uint64, name string) []byte {
	m := in.mem
	over := off + m.size - size
	if m.write || !m.vector || over > 12 || align < 8 || s.g.eng.launch.StrictBounds {
		s.outOfBounds(in, lane, fmt.Sprintf("%d of its bytes past the end of %s (%d bytes)", over, name, size))
		return nil
	}
	buf := s.scratch[:m.size]
	clear(buf)
	copy(buf, data[off:size])
	return buf
}

func (s *subgroup) outOfBounds(in *inst, lane int, where string) {
	m := in.mem
	s.fail(in, lane, OutOfBounds, "out-of-bounds %s of %d bytes at %s address %#x, %s", m.verb, m.size, m.space, s.addr[lane], where)
}

func (s *subgroup) shared(in *inst, lane int, addr uint64) (data, shadow []byte) {
	m, g := in.mem, s.g
	if addr+m.size > uint64(len(g.shared)) {
		s.outOfBounds(in, lane, nullOr(addr, g.eng.prog.shared, addr))
		return nil, nil
	}
	if g.eng.races != nil {
		s.hit = hit{cells: g.cells, off: addr, where: "shared memory", shared: true}
	}
	shadow = g.shadow[addr : addr+m.size]
	if !bounded(shadow) {
		if !s.padded(in, shadow) {
			s.outOfBounds(in, lane, nullOr(addr, g.eng.prog.shared, addr))
			return nil, nil
		}
		return g.shared[addr : addr+m.size], nil
	}
	return g.shared[addr : addr+m.size], shadow
}

// padded allows a vector load over the end of a shared object (digest 13).
func (s *subgroup) padded(in *inst, shadow []byte) bool {
	m := in.mem
	if m.write || !m.vector || s.g.eng.launch.StrictBounds || shadow[0] == shNone {
		return false
	}
	over := 0
	for _, b := range shadow {
		if b == shNone {
			over++
		}
	}
	return over <= 12
}

func nullOr(addr uint64, objs []object, off uint64) string {
	if addr == null32 {
		return "the null pointer"
	}
	return objectAt(objs, off)
}

func (s *subgroup) private(in *inst, lane int, addr uint64) (data, shadow []byte) {
	m, p := in.mem, &s.priv[lane]
	off := uint64(uint32(addr) - p.base)
	if off+m.size > uint64(len(p.data)) {
		sh := s.g.eng.privShift
		if owner := addr >> sh; addr != null32 && owner != uint64(p.base)>>sh && int(owner) < s.g.items {
			s.fail(in, lane, ForeignPointer, "%s of %d bytes at private address %#x, which is of another work-item of the work-group", m.verb, m.size, addr)
			return nil, nil
		}
		s.outOfBounds(in, lane, nullOr(addr, s.fr.fn.privVars, off-uint64(s.fr.pbase[lane])))
		return nil, nil
	}
	shadow = p.shadow[off : off+m.size]
	if !bounded(shadow) {
		if !s.padded(in, shadow) {
			s.outOfBounds(in, lane, objectAt(s.fr.fn.privVars, off-uint64(s.fr.pbase[lane])))
			return nil, nil
		}
		return p.data[off : off+m.size], nil
	}
	return p.data[off : off+m.size], shadow
}

// uninit warns about a read of bytes that nothing has written.
func (s *subgroup) uninit(in *inst, lane int) {
	m := in.mem
	if m.space == ir.SpacePrivate || m.space == ir.SpaceGeneric && s.addr[lane]>>tagShift == tagPrivate {
		s.warn(in, lane, UninitPrivate, "%s of %d bytes at private address %#x that nothing has written", m.verb, m.size, s.addr[lane])
		return
	}
	s.warn(in, lane, UninitShared, "%s of %d bytes at shared address %#x that nothing has written", m.verb, m.size, s.addr[lane])
}

func runLoad(s *subgroup, in *inst, mask uint32) {
	s.addresses(in, mask)
	m := in.mem
	d := &s.regs[in.dst]
	if s.quick(m) && fastLoad(s, in, mask, d) {
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		l := bits.TrailingZeros32(mask)
		data, shadow := s.place(in, l)
		if data == nil || !s.race(in, l, false) {
			return
		}
		if shadow != nil && !allInit(shadow) {
			s.uninit(in, l)
		}
		if m.words == 1 {
			d[l] = loadWord(data, m.step)
			continue
		}
		for w := range m.words {
			s.regs[in.dst+int32(w)][l] = loadWord(data[w*m.step:], m.step)
		}
	}
}

func runStore(s *subgroup, in *inst, mask uint32) {
	s.addresses(in, mask)
	m := in.mem
	s.g.w.version++
	if s.quick(m) && fastStore(s, in, mask, &s.regs[m.data]) {
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		l := bits.TrailingZeros32(mask)
		data, shadow := s.place(in, l)
		if data == nil || !s.race(in, l, true) {
			return
		}
		if shadow != nil {
			setInit(shadow)
		}
		if m.words == 1 {
			storeWord(data, m.step, s.regs[m.data][l])
			continue
		}
		for w := range m.words {
			storeWord(data[w*m.step:], m.step, s.regs[m.data+int32(w)][l])
		}
	}
}

// loadParam decodes ld.param: with a constant offset, the same for all lanes.
func (d *decoder) loadParam(in *inst, o *ir.Op) {
	in.imm = d.eng.paramOff[o.Aux-1]
	ti := pisa.TypeOf(o.Props).Info()
	n := pisa.LanesOf(o.Props)
	m := &memInst{space: ir.SpaceParam, verb: "load", words: 1, step: ti.Bits / 8 * n, size: uint64(ti.Bits / 8 * n), off: -1}
	if n > 1 && m.size > 4 {
		m.words, m.step = n, ti.Bits/8
	}
	in.mem = m
	if o.NumOperands() > 0 {
		m.off = in.src[0]
	} else if m.words == 1 && in.imm+m.size <= uint64(len(d.eng.params)) {
		in.imm = loadWord(d.eng.params[in.imm:], m.step)
		in.run = runUniform
		return
	}
	in.run = runLoadParam
}

func runLoadParam(s *subgroup, in *inst, mask uint32) {
	m, params := in.mem, s.g.eng.params
	for ; mask != 0; mask &= mask - 1 {
		l := bits.TrailingZeros32(mask)
		at := in.imm
		if m.off >= 0 {
			at += uint64(int64(int32(s.regs[m.off][l])))
		}
		if at+m.size > uint64(len(params)) || at+m.size < at {
			s.fail(in, l, OutOfBounds, "load of %d bytes at offset %d of the kernel's arguments, which have %d bytes", m.size, int64(at), len(params)-paramSlack)
			return
		}
		for w := range m.words {
			s.regs[in.dst+int32(w)][l] = loadWord(params[at+uint64(w*m.step):], m.step)
		}
	}
}
