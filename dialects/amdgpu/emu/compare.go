package emu

import (
	"math/bits"

	"pisac/dialects/amdgpu"
)

// compareFn is a vector comparison of one lane.
type compareFn func(m *fpMode, a, b uint64) bool

// Outcomes of a comparison.
const (
	isLess = 1 << iota
	isEqual
	isGreater
	isUnordered
)

// condRows: the outcomes of which a condition holds (RDNA3 ISA 16.9).
var condRows = [...]uint8{
	amdgpu.LT: isLess, amdgpu.EQ: isEqual, amdgpu.LE: isLess | isEqual, amdgpu.GT: isGreater,
	amdgpu.NE: isLess | isGreater, amdgpu.GE: isGreater | isEqual, amdgpu.LG: isLess | isGreater,
	amdgpu.O: isLess | isEqual | isGreater, amdgpu.U: isUnordered,
	amdgpu.NGE: isLess | isUnordered, amdgpu.NLG: isEqual | isUnordered, amdgpu.NGT: isLess | isEqual | isUnordered,
	amdgpu.NLE: isGreater | isUnordered, amdgpu.NEQ: isLess | isGreater | isUnordered, amdgpu.NLT: isEqual | isGreater | isUnordered,
}

func ordering[T int64 | uint64 | float64](a, b T) uint8 {
	switch {
	case a < b:
		return isLess
	case a > b:
		return isGreater
	case a == b:
		return isEqual
	}
	return isUnordered
}

func floatOrdering(f *format) func(m *fpMode, a, b uint64) uint8 {
	return func(m *fpMode, a, b uint64) uint8 { return ordering(f.value(m.in(f, a)), f.value(m.in(f, b))) }
}

// cmpTypeRows is how values of a comparison's type are ordered.
var cmpTypeRows = [...]struct {
	types string
	order func(m *fpMode, a, b uint64) uint8
}{
	amdgpu.CmpI32: {"iii", func(_ *fpMode, a, b uint64) uint8 { return ordering(s32(a), s32(b)) }},
	amdgpu.CmpU32: {"iii", func(_ *fpMode, a, b uint64) uint8 { return ordering(lo(a), lo(b)) }},
	amdgpu.CmpI64: {"ill", func(_ *fpMode, a, b uint64) uint8 { return ordering(int64(a), int64(b)) }},
	amdgpu.CmpU64: {"ill", func(_ *fpMode, a, b uint64) uint8 { return ordering(a, b) }},
	amdgpu.CmpI16: {"iww", func(_ *fpMode, a, b uint64) uint8 { return ordering(int64(int16(a)), int64(int16(b))) }},
	amdgpu.CmpU16: {"iww", func(_ *fpMode, a, b uint64) uint8 { return ordering(a&0xffff, b&0xffff) }},
	amdgpu.CmpF32: {"iff", floatOrdering(&single)},
	amdgpu.CmpF64: {"idd", floatOrdering(&double)},
	amdgpu.CmpF16: {"ihh", floatOrdering(&half)},
}

// class is the bit of a's class as v_cmp_class numbers them.
func (f *format) class(a uint64) uint64 {
	neg := a&f.sign() != 0
	pick := func(n, p uint64) uint64 {
		if neg {
			return 1 << n
		}
		return 1 << p
	}
	switch mag := a &^ f.sign(); {
	case mag > f.inf() && a&f.quiet() == 0:
		return 1
	case mag > f.inf():
		return 2
	case mag == f.inf():
		return pick(2, 9)
	case mag == 0:
		return pick(5, 6)
	case f.isDenorm(a):
		return pick(4, 7)
	}
	return pick(3, 8)
}

// compare decodes VOPC.
func (d *decoder) compare(in *inst) {
	cond, typ, class := amdgpu.CmpOf(in.op.Code)
	row := &cmpTypeRows[typ]
	types := row.types
	in.run = runCompare
	if class {
		types = types[:2] + "i"
		f := formatOf(types[1])
		in.cmp = func(m *fpMode, a, b uint64) bool { return f.class(m.in(f, a))&b != 0 }
	} else {
		set, order := condRows[cond], row.order
		in.cmp = func(m *fpMode, a, b uint64) bool { return order(m, a, b)&set != 0 }
	}
	d.modifiers(in, types)
}

// runCompare writes a mask; the bits of inactive lanes are 0.
func runCompare(w *wave, in *inst) {
	mask := uint64(0)
	for e := w.sourceLanes(in); e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		x := w.sources(in, l)
		if in.cmp(&w.mode, x[0], x[1]) {
			mask |= 1 << l
		}
	}
	w.setScalar(in.dst[0], in.dwid[0], mask)
}
