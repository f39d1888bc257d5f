package amdgpu

import "pisac/ir"

// Elem is what a global, flat or scratch instruction does.
type Elem uint8

const (
	LoadU8 Elem = iota
	LoadI8
	LoadU16
	LoadI16
	LoadB32
	LoadB64
	LoadB96
	LoadB128
	StoreB8
	StoreB16
	StoreB32
	StoreB64
	StoreB96
	StoreB128
	// Read-modify-writes; those of 64 bits are one further on. They give the
	// old value if they have a result, which the cache bits must say too.
	AtomicAdd
	AtomicAdd64
	AtomicSub
	AtomicSub64
	AtomicMinI
	AtomicMinI64
	AtomicMinU
	AtomicMinU64
	AtomicMaxI
	AtomicMaxI64
	AtomicMaxU
	AtomicMaxU64
	AtomicAnd
	AtomicAnd64
	AtomicOr
	AtomicOr64
	AtomicXor
	AtomicXor64
	AtomicSwap
	AtomicSwap64
	AtomicCmpSwap // data: new value, then the one compared with
	AtomicCmpSwap64
	AtomicInc
	AtomicInc64
	AtomicDec
	AtomicDec64
	AtomicAddF32
	AtomicMinF32
	AtomicMaxF32
	AtomicAddF64
	numElems
)

// elems: name behind the family's, on GFX9, on GFX12; results; data operands.
var elems = [numElems]struct{ name, gfx9, gfx12, result, data, only string }{
	LoadU8:          {"load_u8", "load_ubyte", "", "v", "", ""},
	LoadI8:          {"load_i8", "load_sbyte", "", "v", "", ""},
	LoadU16:         {"load_u16", "load_ushort", "", "v", "", ""},
	LoadI16:         {"load_i16", "load_sshort", "", "v", "", ""},
	LoadB32:         {"load_b32", "load_dword", "", "v", "", ""},
	LoadB64:         {"load_b64", "load_dwordx2", "", "v2", "", ""},
	LoadB96:         {"load_b96", "load_dwordx3", "", "v3", "", ""},
	LoadB128:        {"load_b128", "load_dwordx4", "", "v4", "", ""},
	StoreB8:         {"store_b8", "store_byte", "", "", "v", ""},
	StoreB16:        {"store_b16", "store_short", "", "", "v", ""},
	StoreB32:        {"store_b32", "store_dword", "", "", "v", ""},
	StoreB64:        {"store_b64", "store_dwordx2", "", "", "v2", ""},
	StoreB96:        {"store_b96", "store_dwordx3", "", "", "v3", ""},
	StoreB128:       {"store_b128", "store_dwordx4", "", "", "v4", ""},
	AtomicAdd:       {"atomic_add_u32", "atomic_add", "", "v?", "v", ""},
	AtomicAdd64:     {"atomic_add_u64", "atomic_add_x2", "", "v2?", "v2", ""},
	AtomicSub:       {"atomic_sub_u32", "atomic_sub", "", "v?", "v", ""},
	AtomicSub64:     {"atomic_sub_u64", "atomic_sub_x2", "", "v2?", "v2", ""},
	AtomicMinI:      {"atomic_min_i32", "atomic_smin", "", "v?", "v", ""},
	AtomicMinI64:    {"atomic_min_i64", "atomic_smin_x2", "", "v2?", "v2", ""},
	AtomicMinU:      {"atomic_min_u32", "atomic_umin", "", "v?", "v", ""},
	AtomicMinU64:    {"atomic_min_u64", "atomic_umin_x2", "", "v2?", "v2", ""},
	AtomicMaxI:      {"atomic_max_i32", "atomic_smax", "", "v?", "v", ""},
	AtomicMaxI64:    {"atomic_max_i64", "atomic_smax_x2", "", "v2?", "v2", ""},
	AtomicMaxU:      {"atomic_max_u32", "atomic_umax", "", "v?", "v", ""},
	AtomicMaxU64:    {"atomic_max_u64", "atomic_umax_x2", "", "v2?", "v2", ""},
	AtomicAnd:       {"atomic_and_b32", "atomic_and", "", "v?", "v", ""},
	AtomicAnd64:     {"atomic_and_b64", "atomic_and_x2", "", "v2?", "v2", ""},
	AtomicOr:        {"atomic_or_b32", "atomic_or", "", "v?", "v", ""},
	AtomicOr64:      {"atomic_or_b64", "atomic_or_x2", "", "v2?", "v2", ""},
	AtomicXor:       {"atomic_xor_b32", "atomic_xor", "", "v?", "v", ""},
	AtomicXor64:     {"atomic_xor_b64", "atomic_xor_x2", "", "v2?", "v2", ""},
	AtomicSwap:      {"atomic_swap_b32", "atomic_swap", "", "v?", "v", ""},
	AtomicSwap64:    {"atomic_swap_b64", "atomic_swap_x2", "", "v2?", "v2", ""},
	AtomicCmpSwap:   {"atomic_cmpswap_b32", "atomic_cmpswap", "", "v?", "v2", ""},
	AtomicCmpSwap64: {"atomic_cmpswap_b64", "atomic_cmpswap_x2", "", "v2?", "v4", ""},
	AtomicInc:       {"atomic_inc_u32", "atomic_inc", "", "v?", "v", ""},
	AtomicInc64:     {"atomic_inc_u64", "atomic_inc_x2", "", "v2?", "v2", ""},
	AtomicDec:       {"atomic_dec_u32", "atomic_dec", "", "v?", "v", ""},
	AtomicDec64:     {"atomic_dec_u64", "atomic_dec_x2", "", "v2?", "v2", ""},
	AtomicAddF32:    {"atomic_add_f32", "", "", "v?", "v", ""},
	AtomicMinF32:    {"atomic_min_f32", "", "atomic_min_num_f32", "v?", "v", "gfx11 gfx12"},
	AtomicMaxF32:    {"atomic_max_f32", "", "atomic_max_num_f32", "v?", "v", "gfx11 gfx12"},
	AtomicAddF64:    {"atomic_add_f64", "", "", "v2?", "v2", "gfx9"},
}

var memoryFamilies = [...]struct {
	family       Family
	prefix, addr string
}{
	{Global, "global_", "v2 "}, {Flat, "flat_", "v2 "}, {Scratch, "scratch_", "v? "},
}

// Mem is the code of e in the Global, Flat or Scratch family.
func Mem(f Family, e Elem) ir.Code {
	for i := range memoryFamilies {
		if memoryFamilies[i].family == f {
			return firstMemory + ir.Code(i*int(numElems)+int(e))
		}
	}
	panic("amdgpu: no such memory family")
}

// MemOf is the inverse of Mem; ok is false if code is no such instruction.
func MemOf(code ir.Code) (f Family, e Elem, ok bool) {
	if code < firstMemory || code >= NumCodes {
		return Pseudo, 0, false
	}
	i := int(code - firstMemory)
	return memoryFamilies[i/int(numElems)].family, Elem(i % int(numElems)), true
}

// Bytes is how much memory e touches.
func (e Elem) Bytes() int {
	switch {
	case e == LoadU8 || e == LoadI8 || e == StoreB8:
		return 1
	case e == LoadU16 || e == LoadI16 || e == StoreB16:
		return 2
	case e < AtomicAdd:
		s := elems[e].result + elems[e].data
		return 4 * int(slot(s).Regs)
	}
	return 4 * int(slot(elems[e].result).Regs)
}

// memoryRows is FLAT, GLOBAL and SCRATCH (RDNA3 ISA 16.16). A global access
// with FSaddr has a 32-bit vector offset and a scalar base instead of the
// 64-bit vector address. A scratch access has a vector address, or with FSaddr
// a scalar one, or neither. Scratch memory has no atomics: those rows are on
// no chip.
func memoryRows() (rows []Row) {
	for _, fam := range memoryFamilies {
		for e := range elems {
			x := &elems[e]
			r := Row{Code: Mem(fam.family, Elem(e)), Name: fam.prefix + x.name, Family: fam.family, Only: x.only,
				Sig: x.result + " = " + fam.addr + x.data, Flags: Loads}
			if x.gfx9 != "" {
				r.GFX9 = fam.prefix + x.gfx9
			}
			if x.gfx12 != "" {
				r.GFX12 = fam.prefix + x.gfx12
			}
			if fam.family == Flat && Elem(e) == AtomicAddF32 {
				r.Only = "gfx942 gfx11 gfx12"
			}
			switch {
			case Elem(e) >= AtomicAdd:
				r.Flags = Atomic
				if fam.family == Scratch {
					r.Only = "none"
				}
			case Elem(e) >= StoreB8:
				r.Flags = Stores
			}
			rows = append(rows, r)
		}
	}
	return rows
}
