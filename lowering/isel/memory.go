package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
)

var memoryRows = []lowering{
	pisa.Ld:      lowerLd,
	pisa.LdParam: lowerLdParam,
	pisa.St:      lowerSt,
}

// source is the index of the first operand behind the address at operand at.
func source(op *ir.Op, at int) int {
	if ir.HasOffset.Get(op.Props) != 0 {
		return at + 2
	}
	return at + 1
}

// bytesOf is the size of a load or store.
func bytesOf(op *ir.Op) int {
	return pisa.TypeOf(op.Props).Info().Bits / 8 * pisa.LanesOf(op.Props)
}

// elementAlign is the alignment that PISA guarantees: that of an element, or of
// the whole vector where elements are narrower than 32 bits (PISA 8.3).
func elementAlign(op *ir.Op) int {
	bits, lanes := pisa.TypeOf(op.Props).Info().Bits, pisa.LanesOf(op.Props)
	if lanes > 1 && bits < 32 {
		return bits / 8 * lanes
	}
	return bits / 8
}

// no128 refuses a 128-bit atomic access.
func (s *sel) no128(op *ir.Op) bool {
	if pisa.TypeOf(op.Props) != pisa.T128b {
		return false
	}
	s.errorf(op, codeAtomic128, "%s has no 128-bit atomic instruction: its widest compare-and-swap is 64 bits, and a 16-byte access may be split", s.t.Name)
	return true
}

func lowerLd(s *sel, op *ir.Op) {
	if pisa.OrderOf(op.Props) != pisa.Weak && s.no128(op) {
		return
	}
	n := bytesOf(op)
	p := s.place(op, 0, int64(n))
	p.align = max(p.align, elementAlign(op))
	if pisa.OrderOf(op.Props) == pisa.Weak {
		if s.scalarLoad(op, &p, n) {
			return
		}
		s.setParts(op, s.load(op, &p, n, 0))
		return
	}
	space := s.sequenceSpace(p.family)
	s.ordered(op, target.ClassLoad, space, func(bits amdgpu.CacheBits) *ir.Op {
		parts := s.load(op, &p, n, bits)
		access := parts[0].Op()
		if access.Code == amdgpu.PExtract {
			access = access.Operand(0).Op()
		}
		s.setParts(op, parts)
		return access
	})
}

func lowerSt(s *sel, op *ir.Op) {
	if pisa.OrderOf(op.Props) != pisa.Weak && s.no128(op) {
		return
	}
	n := bytesOf(op)
	p := s.place(op, 0, int64(n))
	p.align = max(p.align, elementAlign(op))
	at := source(op, 0)
	parts := s.parts(s.arg(op, at), (n+3)/4)
	if pisa.OrderOf(op.Props) == pisa.Weak {
		s.store(&p, parts, n, 0)
		return
	}
	s.ordered(op, target.ClassStore, s.sequenceSpace(p.family), func(bits amdgpu.CacheBits) *ir.Op {
		return s.store(&p, parts, n, bits)
	})
}

// sequenceSpace is the address space that the memory model sees in accesses of
// a family.
func (s *sel) sequenceSpace(f amdgpu.Family) ir.Space {
	switch f {
	case amdgpu.DS:
		return ir.SpaceShared
	case amdgpu.Flat:
		return ir.SpaceGeneric
	}
	return ir.SpaceGlobal
}

// chunk is the size of the widest access of at most n bytes at an address
// aligned to align: of local memory by the alignment, elsewhere any that the
// instructions have.
func chunk(f amdgpu.Family, n, align int) int {
	if f != amdgpu.DS {
		switch {
		case n >= 16:
			return 16
		case n >= 12:
			return 12
		case n >= 8:
			return 8
		case n >= 4:
			return 4
		case n >= 2:
			return 2
		}
		return 1
	}
	switch {
	case n >= 16 && align >= 8: // of 8: two addresses
		return 16
	case n >= 12 && align >= 16:
		return 12
	case n >= 8 && align >= 4: // of 4: two addresses
		return 8
	case n >= 4 && align >= 4:
		return 4
	case n >= 2 && align >= 2:
		return 2
	}
	return 1
}

// Instructions by size in bytes: 1, 2, 4, 8, 12, 16.
var (
	loadElems  = [17]amdgpu.Elem{1: amdgpu.LoadU8, 2: amdgpu.LoadU16, 4: amdgpu.LoadB32, 8: amdgpu.LoadB64, 12: amdgpu.LoadB96, 16: amdgpu.LoadB128}
	storeElems = [17]amdgpu.Elem{1: amdgpu.StoreB8, 2: amdgpu.StoreB16, 4: amdgpu.StoreB32, 8: amdgpu.StoreB64, 12: amdgpu.StoreB96, 16: amdgpu.StoreB128}
	dsLoads    = [17]ir.Code{1: amdgpu.DsLoadU8, 2: amdgpu.DsLoadU16, 4: amdgpu.DsLoadB32, 8: amdgpu.DsLoadB64, 12: amdgpu.DsLoadB96, 16: amdgpu.DsLoadB128}
	dsStores   = [17]ir.Code{1: amdgpu.DsStoreB8, 2: amdgpu.DsStoreB16, 4: amdgpu.DsStoreB32, 8: amdgpu.DsStoreB64, 12: amdgpu.DsStoreB96, 16: amdgpu.DsStoreB128}
)

// offset is the props of an access at byte at behind p.
func (p *place) at(at int, bits amdgpu.CacheBits) uint64 {
	f := amdgpu.FOffset
	return p.props | f.Put(uint64(p.offset+int64(at))&(1<<f.Width-1)) | amdgpu.FCache.Put(uint64(bits))
}

// alignedAt is the alignment of byte at behind p.
func (p *place) alignedAt(at int) int { return min(p.align, trailing(int64(at))) }

// twoOffsets are the props of a DS access to two elements of size bytes.
func (p *place) twoOffsets(at, size int) (uint64, bool) {
	o := p.offset + int64(at)
	if o%int64(size) != 0 || o/int64(size)+1 > 255 {
		return 0, false
	}
	k := uint64(o) / uint64(size)
	return amdgpu.FOffset0.Put(k) | amdgpu.FOffset1.Put(k+1), true
}

// load reads n bytes and gives the registers that hold them.
func (s *sel) load(op *ir.Op, p *place, n int, bits amdgpu.CacheBits) []*ir.Value {
	var parts []*ir.Value
	for at := 0; at < n; {
		size := chunk(p.family, n-at, p.alignedAt(at))
		if size == 3 {
			size = 2
		}
		v := s.loadChunk(op, p, at, &size, bits)
		k := (size + 3) / 4
		if size < 4 && at%4 != 0 { // bytes of a register begun already
			u := unit{s, false}
			parts[at/4] = u.replace(parts[at/4], v, uint32(at%4*8), uint32(size*8))
		} else if k == 1 {
			parts = append(parts, v)
		} else {
			for i := range k {
				parts = append(parts, s.slice(v, i, 1))
			}
		}
		at += size
	}
	return parts
}

// loadChunk emits one load of *size bytes, or of fewer if the offsets of two
// elements do not fit.
func (s *sel) loadChunk(op *ir.Op, p *place, at int, size *int, bits amdgpu.CacheBits) *ir.Value {
	if p.family != amdgpu.DS {
		e := loadElems[*size]
		if *size < 4 && s.wantsSigned(op, *size) {
			e++
		}
		t := ir.Regs(ir.VGPR, (*size+3)/4)
		return s.Value(amdgpu.Mem(p.family, e), p.at(at, bits), t, p.operands...)
	}
	align := p.alignedAt(at)
	if *size == 16 && align < 16 || *size == 8 && align < 8 {
		code := amdgpu.DsLoad2addrB64
		if *size == 8 {
			code = amdgpu.DsLoad2addrB32
		}
		if props, ok := p.twoOffsets(at, *size/2); ok {
			return s.Value(code, props, ir.Regs(ir.VGPR, *size/4), p.operands...)
		}
		*size /= 2
		return s.loadChunk(op, p, at, size, bits)
	}
	code := dsLoads[*size]
	if *size < 4 && s.wantsSigned(op, *size) {
		code = map[int]ir.Code{1: amdgpu.DsLoadI8, 2: amdgpu.DsLoadI16}[*size]
	}
	return s.Value(code, p.at(at, 0), ir.Regs(ir.VGPR, (*size+3)/4), p.operands...)
}

// wantsSigned reports a narrow load all uses of which extend its sign.
func (s *sel) wantsSigned(op *ir.Op, size int) bool {
	r := op.Result(0)
	if r.Type.TotalBits() != 8*size || !r.HasUses() {
		return false
	}
	for x := r.FirstUse(); x != nil; x = x.NextUse() {
		if x.User().Code != pisa.SExt {
			return false
		}
	}
	return true
}

// store writes the low n bytes of parts and returns its last instruction.
func (s *sel) store(p *place, parts []*ir.Value, n int, bits amdgpu.CacheBits) (last *ir.Op) {
	u := unit{s, false}
	for at := 0; at < n; {
		size := chunk(p.family, n-at, p.alignedAt(at))
		two, both := uint64(0), false
		if align := p.alignedAt(at); p.family == amdgpu.DS && (size == 16 && align < 16 || size == 8 && align < 8) {
			if two, both = p.twoOffsets(at, size/2); !both {
				size /= 2
			}
		}
		k := (size + 3) / 4
		data := parts[at/4 : at/4+k]
		if size < 4 && at%4 != 0 {
			data = []*ir.Value{u.shr(data[0], s.imm(uint32(at%4*8)))}
		}
		switch {
		case both:
			code, h := amdgpu.DsStore2addrB64, k/2
			if size == 8 {
				code = amdgpu.DsStore2addrB32
			}
			last = s.Op(code, two, append(append([]*ir.Value{}, p.operands...), s.buildV(data[:h]...), s.buildV(data[h:]...))...)
		case p.family == amdgpu.DS:
			last = s.Op(dsStores[size], p.at(at, 0), append(append([]*ir.Value{}, p.operands...), s.buildV(data...))...)
		default:
			last = s.Op(amdgpu.Mem(p.family, storeElems[size]), p.at(at, bits), s.memOperands(p, s.buildV(data...))...)
		}
		at += size
	}
	return last
}

// memOperands are the operands of an access with data: vector address, data,
// scalar base come as the row has them.
func (s *sel) memOperands(p *place, data ...*ir.Value) []*ir.Value {
	return append(append(make([]*ir.Value, 0, 4), p.operands...), data...)
}

// scalarLoad reads memory that nobody writes, at a uniform address, by the
// scalar unit: .const, and global memory that the kernel does not write. The
// scalar cache is not coherent, so that nothing else will do.
func (s *sel) scalarLoad(op *ir.Op, p *place, n int) bool {
	if !p.uniform || n%4 != 0 || p.align < 4 || !s.neverWritten(op) {
		return false
	}
	off := p.offset
	base := unit{s, true}.whole(p.base)
	var parts []*ir.Value
	for at := 0; at < n; {
		for _, l := range scalarLoads {
			if l.words*4 > n-at || l.words > 16 {
				continue
			}
			f := amdgpu.FOffset
			v := s.Value(l.code, f.Put(uint64(off+int64(at))&(1<<f.Width-1)), ir.Regs(ir.SGPR, l.words), base)
			parts = append(parts, s.parts(v, l.words)...)
			at += 4 * l.words
			break
		}
	}
	s.setParts(op, parts)
	return true
}

// maxWriters bounds how many stores a load is compared with.
const maxWriters = 16

// neverWritten reports a load of memory that does not change while the kernel
// runs.
func (s *sel) neverWritten(op *ir.Op) bool {
	acc, ok := s.alias.AccessOf(op)
	if !ok {
		return false
	}
	if acc.Immutable() {
		return true
	}
	if len(s.writers) > maxWriters {
		return false
	}
	for _, w := range s.writers {
		if s.alias.Writes(w, &acc) {
			return false
		}
	}
	return true
}

// loadArgument reads the argument segment at a place known at run time only.
func (s *sel) loadArgument(op *ir.Op) {
	u := s.unitOf(op)
	off := s.arg(op, 0)
	lo := u.sext(s.part(off, 0), min(op.Operand(0).Type.TotalBits(), 32))
	hi := u.asr(lo, s.imm(31))
	if op.Operand(0).Type.TotalBits() == 64 {
		hi = s.part(off, 1)
	}
	sum := u.add64(s.pairOf(s.liveIn(amdgpu.LiveKernarg)), pair{lo, hi})
	p := s.globalBase(place{family: amdgpu.Global, align: elementAlign(op)}, u, sum)
	p.offset = int64(s.offsets[op.Aux-1])
	if _, most := s.offsetRange(amdgpu.Global); p.offset+int64(bytesOf(op)) > most {
		sum = u.add64(sum, pair{s.imm(uint32(p.offset)), s.imm(0)})
		p = s.globalBase(place{family: amdgpu.Global, align: elementAlign(op)}, u, sum)
	}
	s.setParts(op, s.load(op, &p, bytesOf(op), 0))
}
