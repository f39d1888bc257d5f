package emu

import (
	"encoding/binary"
	"strings"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
)

type atomicOp uint8

const (
	atAdd atomicOp = iota
	atSub
	atMinI
	atMinU
	atMaxI
	atMaxU
	atAnd
	atOr
	atXor
	atSwap
	atCmpSwap
	atInc
	atDec
	atAddF
	atMinF
	atMaxF
)

// elemAtomics is RDNA3 ISA 16.16, by the table's elements.
var elemAtomics = map[amdgpu.Elem]atomicOp{
	amdgpu.AtomicAdd: atAdd, amdgpu.AtomicAdd64: atAdd, amdgpu.AtomicSub: atSub, amdgpu.AtomicSub64: atSub,
	amdgpu.AtomicMinI: atMinI, amdgpu.AtomicMinI64: atMinI, amdgpu.AtomicMinU: atMinU, amdgpu.AtomicMinU64: atMinU,
	amdgpu.AtomicMaxI: atMaxI, amdgpu.AtomicMaxI64: atMaxI, amdgpu.AtomicMaxU: atMaxU, amdgpu.AtomicMaxU64: atMaxU,
	amdgpu.AtomicAnd: atAnd, amdgpu.AtomicAnd64: atAnd, amdgpu.AtomicOr: atOr, amdgpu.AtomicOr64: atOr,
	amdgpu.AtomicXor: atXor, amdgpu.AtomicXor64: atXor, amdgpu.AtomicSwap: atSwap, amdgpu.AtomicSwap64: atSwap,
	amdgpu.AtomicCmpSwap: atCmpSwap, amdgpu.AtomicCmpSwap64: atCmpSwap, amdgpu.AtomicInc: atInc, amdgpu.AtomicInc64: atInc,
	amdgpu.AtomicDec: atDec, amdgpu.AtomicDec64: atDec,
	amdgpu.AtomicAddF32: atAddF, amdgpu.AtomicMinF32: atMinF, amdgpu.AtomicMaxF32: atMaxF, amdgpu.AtomicAddF64: atAddF,
}

// localAtomics is RDNA3 ISA 16.15, by the name between ds_ and the type; _rtn
// is left out.
var localAtomics = map[string]atomicOp{
	"add_u": atAdd, "sub_u": atSub, "inc_u": atInc, "dec_u": atDec, "min_i": atMinI, "max_i": atMaxI, "min_u": atMinU, "max_u": atMaxU,
	"and_b": atAnd, "or_b": atOr, "xor_b": atXor, "storexchg_b": atSwap, "cmpstore_b": atCmpSwap,
	"add_f": atAddF, "min_f": atMinF, "max_f": atMaxF,
}

func localAtomic(name string) atomicOp {
	key := strings.TrimRight(strings.Replace(strings.TrimPrefix(name, "ds_"), "_rtn", "", 1), "0123456789")
	op, ok := localAtomics[key]
	if !ok {
		panic("emu: no semantics of " + name)
	}
	return op
}

// atomicLane does the read-modify-write of lane l.
func (w *wave) atomicLane(acc *access, l int) {
	in, m := acc.in, acc.in.mem
	b := w.bytesAt(acc, l, 0)
	through := b == nil
	if through {
		b = w.g.eng.over[:m.bytes]
		w.path.atomic(acc.addr[l], b, m.scope)
	}
	words := m.bytes / 4
	data, cmp := join(acc.data[l][:words]), join(acc.data[l][words:min(2*words, 4)])
	if m.family == amdgpu.DS && w.mode.gfx9 && m.atomic == atCmpSwap {
		data, cmp = cmp, data // GFX9's ds_cmpst has the compared value first
	}
	old := join2(b)
	now := w.modify(m, old, data, cmp)
	if words == 1 {
		binary.LittleEndian.PutUint32(b, uint32(now))
	} else {
		binary.LittleEndian.PutUint64(b, now)
	}
	if through {
		w.path.atomicDone(acc.addr[l], b, m.scope)
	}
	for k := range uint16(in.dwid[0]) {
		w.v[in.dst[0]-regV0+k][l] = uint32(old >> (32 * k))
	}
}

func join(words []uint32) (v uint64) {
	for i, x := range words {
		v |= uint64(x) << (32 * i)
	}
	return v
}

func join2(b []byte) uint64 {
	if len(b) == 4 {
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// modify is the new value of memory.
func (w *wave) modify(m *memInst, old, data, cmp uint64) uint64 {
	sx := func(v uint64) int64 { return int64(v) }
	if m.bytes == 4 {
		sx = s32
	}
	switch m.atomic {
	case atAdd:
		return old + data
	case atSub:
		return old - data
	case atMinI:
		return uint64(min(sx(old), sx(data)))
	case atMaxI:
		return uint64(max(sx(old), sx(data)))
	case atMinU:
		return min(old, data)
	case atMaxU:
		return max(old, data)
	case atAnd:
		return old & data
	case atOr:
		return old | data
	case atXor:
		return old ^ data
	case atSwap:
		return data
	case atCmpSwap:
		if old == cmp {
			return data
		}
		return old
	case atInc:
		if old >= data {
			return 0
		}
		return old + 1
	case atDec:
		if old == 0 || old > data {
			return data
		}
		return old - 1
	}
	return w.modifyFloat(m, old, data)
}

// modifyFloat: LDS obeys MODE's denormals; global memory rounds to nearest and
// keeps denormals only where the chip's row says so. Before GFX12 min and max
// are comparisons, which a NaN in memory survives.
func (w *wave) modifyFloat(m *memInst, old, data uint64) uint64 {
	f := &single
	if m.bytes == 8 {
		f = &double
	}
	mode := fpMode{den32: 3, den64: 3}
	switch {
	case m.family == amdgpu.DS:
		mode.den32, mode.den64 = w.mode.den32, w.mode.den64
	case f == &single && !w.g.eng.mode.Has(target.FAddF32Global):
		mode.den32 = 0
	}
	if m.atomic == atAddF {
		return mode.add(f, old, data)
	}
	if w.mode.num {
		mode.num = true
		return mode.minMax(f, old, data, m.atomic == atMaxF)
	}
	a, b := f.value(data), f.value(old)
	if m.atomic == atMinF && a < b || m.atomic == atMaxF && a > b {
		return data
	}
	return old
}
