package interp

import (
	"encoding/binary"
	"math/bits"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// laneLoop is inst.run.
type laneLoop = func(*subgroup, *inst, uint32)

// fastRun returns a lane loop for an op that is hot in most kernels; nil for
// others, which go through pisa.EvalFn lane by lane. TestFastLoops holds the
// loops to EvalFn.
// They are short only where all lanes are active; other masks go lane by lane
// too.
func fastRun(o *ir.Op) laneLoop {
	p := o.Props
	if ir.HasOffset.Get(p) != 0 || pisa.TypeOf(p).Packed() {
		return nil
	}
	wide := pisa.TypeOf(p) == pisa.T64b
	if !wide && pisa.TypeOf(p) != pisa.T32b || pisa.Has(p, pisa.FDsat) || pisa.Has(p, pisa.FFull) {
		return nil
	}
	pick := func(narrow, wideLoop laneLoop) laneLoop {
		if wide {
			return wideLoop
		}
		return narrow
	}
	switch o.Code {
	case pisa.IAdd:
		return pick(loopAdd32, loopAdd64)
	case pisa.ISub:
		return pick(loopSub32, loopSub64)
	case pisa.UMul, pisa.SMul:
		return pick(loopMul32, loopMul64)
	case pisa.UMad, pisa.SMad:
		return pick(loopMad32, loopMad64)
	case pisa.And:
		return loopAnd
	case pisa.Or:
		return loopOr
	case pisa.Xor:
		return loopXor
	case pisa.Shl:
		return pick(loopShl32, loopShl64)
	case pisa.Shr:
		return loopShr
	case pisa.ZExt:
		return loopZExt
	case pisa.UCmp:
		if o.Result(0).Type == ir.Pred {
			return compareLoop[pisa.OpOf(p)]
		}
	}
	return nil
}

// binary2 gives the operands of a loop over all lanes; ok is false if the mask
// is not full, and then the lanes have been done one by one.
func (s *subgroup) binary2(in *inst, mask uint32) (d, a, b *lanes, ok bool) {
	if mask != full {
		runBinary(s, in, mask)
		return nil, nil, nil, false
	}
	return &s.regs[in.dst], &s.regs[in.src[0]], &s.regs[in.src[1]], true
}

func loopAdd32(s *subgroup, in *inst, mask uint32) {
	if d, a, b, ok := s.binary2(in, mask); ok {
		for l := range d {
			d[l] = uint64(uint32(a[l] + b[l]))
		}
	}
}

func loopAdd64(s *subgroup, in *inst, mask uint32) {
	if d, a, b, ok := s.binary2(in, mask); ok {
		for l := range d {
			d[l] = a[l] + b[l]
		}
	}
}

func loopSub32(s *subgroup, in *inst, mask uint32) {
	if d, a, b, ok := s.binary2(in, mask); ok {
		for l := range d {
			d[l] = uint64(uint32(a[l] - b[l]))
		}
	}
}

func loopSub64(s *subgroup, in *inst, mask uint32) {
	if d, a, b, ok := s.binary2(in, mask); ok {
		for l := range d {
			d[l] = a[l] - b[l]
		}
	}
}

func loopMul32(s *subgroup, in *inst, mask uint32) {
	if d, a, b, ok := s.binary2(in, mask); ok {
		for l := range d {
			d[l] = uint64(uint32(a[l] * b[l]))
		}
	}
}

func loopMul64(s *subgroup, in *inst, mask uint32) {
	if d, a, b, ok := s.binary2(in, mask); ok {
		for l := range d {
			d[l] = a[l] * b[l]
		}
	}
}

func loopAnd(s *subgroup, in *inst, mask uint32) {
	if d, a, b, ok := s.binary2(in, mask); ok {
		for l := range d {
			d[l] = a[l] & b[l]
		}
	}
}

func loopOr(s *subgroup, in *inst, mask uint32) {
	if d, a, b, ok := s.binary2(in, mask); ok {
		for l := range d {
			d[l] = a[l] | b[l]
		}
	}
}

func loopXor(s *subgroup, in *inst, mask uint32) {
	if d, a, b, ok := s.binary2(in, mask); ok {
		for l := range d {
			d[l] = a[l] ^ b[l]
		}
	}
}

// Shift counts are the low six bits (PISA 3.2).

func loopShl32(s *subgroup, in *inst, mask uint32) {
	if d, a, b, ok := s.binary2(in, mask); ok {
		for l := range d {
			d[l] = uint64(uint32(a[l] << (b[l] & 63)))
		}
	}
}

func loopShl64(s *subgroup, in *inst, mask uint32) {
	if d, a, b, ok := s.binary2(in, mask); ok {
		for l := range d {
			d[l] = a[l] << (b[l] & 63)
		}
	}
}

func loopShr(s *subgroup, in *inst, mask uint32) {
	if d, a, b, ok := s.binary2(in, mask); ok {
		for l := range d {
			d[l] = a[l] >> (b[l] & 63)
		}
	}
}

func loopMad32(s *subgroup, in *inst, mask uint32) {
	if mask != full {
		runTernary(s, in, mask)
		return
	}
	d, a, b, c := &s.regs[in.dst], &s.regs[in.src[0]], &s.regs[in.src[1]], &s.regs[in.src[2]]
	for l := range d {
		d[l] = uint64(uint32(a[l]*b[l] + c[l]))
	}
}

func loopMad64(s *subgroup, in *inst, mask uint32) {
	if mask != full {
		runTernary(s, in, mask)
		return
	}
	d, a, b, c := &s.regs[in.dst], &s.regs[in.src[0]], &s.regs[in.src[1]], &s.regs[in.src[2]]
	for l := range d {
		d[l] = a[l]*b[l] + c[l]
	}
}

// loopZExt copies: bits above the width of a value are zero.
func loopZExt(s *subgroup, in *inst, mask uint32) {
	d, a := &s.regs[in.dst], &s.regs[in.src[0]]
	if mask == full {
		*d = *a
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l] = a[l]
	}
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// compareLoop is indexed by pisa.Cmp; operands of ucmp are compared whole,
// their upper bits are zero.
var compareLoop = [...]laneLoop{
	pisa.EQ: func(s *subgroup, in *inst, mask uint32) {
		d, a, b := &s.regs[in.dst], &s.regs[in.src[0]], &s.regs[in.src[1]]
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			d[l] = truth(a[l] == b[l])
		}
	},
	pisa.NE: func(s *subgroup, in *inst, mask uint32) {
		d, a, b := &s.regs[in.dst], &s.regs[in.src[0]], &s.regs[in.src[1]]
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			d[l] = truth(a[l] != b[l])
		}
	},
	pisa.LT: func(s *subgroup, in *inst, mask uint32) {
		d, a, b := &s.regs[in.dst], &s.regs[in.src[0]], &s.regs[in.src[1]]
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			d[l] = truth(a[l] < b[l])
		}
	},
	pisa.LE: nil,
}

// quick reports an access that loads and stores of one word of 4 or 8 bytes
// may take the short way with: global or shared, no race check.
func (s *subgroup) quick(m *memInst) bool {
	return m.words == 1 && (m.step == 4 || m.step == 8) && s.g.eng.races == nil
}

// fastLoad does a load whose lanes are all aligned, in bounds, initialised,
// and for global memory in one object. It reports false, having done nothing
// that matters, where a lane is not; the long way then finds out why.
func fastLoad(s *subgroup, in *inst, mask uint32, d *lanes) bool {
	m := in.mem
	low := uint64(m.step - 1)
	switch m.space {
	case ir.SpaceGlobal, ir.SpaceConst:
		a := s.g.w.caches[m.cache]
		if a == nil || a.Size < 8 {
			return false
		}
		data, base, top := a.Data, a.Base, a.Size-uint64(m.step)
		for k := mask; k != 0; k &= k - 1 {
			l := bits.TrailingZeros32(k)
			off := s.addr[l] - base
			if off > top || s.addr[l]&low != 0 {
				return false
			}
			if m.step == 4 {
				d[l] = uint64(binary.LittleEndian.Uint32(data[off:]))
			} else {
				d[l] = binary.LittleEndian.Uint64(data[off:])
			}
		}
		return true
	case ir.SpaceShared:
		if m.step != 4 {
			return false
		}
		data, shadow := s.g.shared, s.g.shadow
		top := uint64(len(data)) - 4 // shared memory that exists has a redzone
		if len(data) < 4 {
			return false
		}
		for k := mask; k != 0; k &= k - 1 {
			l := bits.TrailingZeros32(k)
			off := s.addr[l]
			if off > top || off&low != 0 || binary.LittleEndian.Uint32(shadow[off:]) != 0x03030303 {
				return false
			}
			d[l] = uint64(binary.LittleEndian.Uint32(data[off:]))
		}
		return true
	}
	return false
}

// fastStore is fastLoad's counterpart. Where it reports false, some lanes may
// have been stored; the long way stores them again.
func fastStore(s *subgroup, in *inst, mask uint32, v *lanes) bool {
	m := in.mem
	low := uint64(m.step - 1)
	switch m.space {
	case ir.SpaceGlobal:
		a := s.g.w.caches[m.cache]
		if a == nil || a.Size < 8 || a.Readonly {
			return false
		}
		data, base, top := a.Data, a.Base, a.Size-uint64(m.step)
		for k := mask; k != 0; k &= k - 1 {
			l := bits.TrailingZeros32(k)
			off := s.addr[l] - base
			if off > top || s.addr[l]&low != 0 {
				return false
			}
			if m.step == 4 {
				binary.LittleEndian.PutUint32(data[off:], uint32(v[l]))
			} else {
				binary.LittleEndian.PutUint64(data[off:], v[l])
			}
		}
		return true
	case ir.SpaceShared:
		if m.step != 4 {
			return false
		}
		data, shadow := s.g.shared, s.g.shadow
		if len(data) < 4 {
			return false
		}
		top := uint64(len(data)) - 4
		for k := mask; k != 0; k &= k - 1 {
			l := bits.TrailingZeros32(k)
			off := s.addr[l]
			if off > top || off&low != 0 || binary.LittleEndian.Uint32(shadow[off:])&0x01010101 != 0x01010101 {
				return false
			}
			binary.LittleEndian.PutUint32(data[off:], uint32(v[l]))
			binary.LittleEndian.PutUint32(shadow[off:], 0x03030303)
		}
		return true
	}
	return false
}
