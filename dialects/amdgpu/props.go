package amdgpu

import "pisac/ir"

// Layout of Op.Props. Fields of families that never meet share a place.
var (
	// Of memory instructions.
	FOffset  = ir.Field{Shift: 0, Width: 24}  // signed byte offset; DS: unsigned 16 bits
	FOffset0 = ir.Field{Shift: 0, Width: 8}   // of a DS instruction with two addresses, in elements
	FOffset1 = ir.Field{Shift: 8, Width: 8}   // the second
	FCache   = ir.Field{Shift: 24, Width: 10} // a set of CacheBits
	FSaddr   = ir.Field{Shift: 34, Width: 1}  // operands: 32-bit vector offset, scalar 64-bit base, …
	FSoff    = ir.Field{Shift: 35, Width: 1}  // SMEM: a scalar offset is the last operand

	// Of vector instructions.
	FNeg    = ir.Field{Shift: 0, Width: 3}  // operand i negated; VOP3P: neg_lo
	FAbs    = ir.Field{Shift: 3, Width: 3}  // operand i without sign
	FNegHi  = ir.Field{Shift: 6, Width: 3}  // VOP3P
	FClamp  = ir.Field{Shift: 9, Width: 1}  // result clamped: floats to [0, 1], integers saturate
	FOmod   = ir.Field{Shift: 10, Width: 2} // result × 2, × 4, ÷ 2 (1, 2, 3)
	FOpSel  = ir.Field{Shift: 12, Width: 4} // high half of operand i, bit 3: of the result
	FOpLow  = ir.Field{Shift: 16, Width: 3} // VOP3P: op_sel_hi bit i is 0 (the default is 1)
	FDpp    = ir.Field{Shift: 20, Width: 1} // operand 0 comes from another lane:
	FDppCtl = ir.Field{Shift: 21, Width: 9} // … dpp_ctrl
	FRowMsk = ir.Field{Shift: 30, Width: 4} // … rows that are not written, inverted row_mask
	FBnkMsk = ir.Field{Shift: 34, Width: 4} // … inverted bank_mask
	FBound  = ir.Field{Shift: 38, Width: 1} // … bound_ctrl: lanes outside give 0
	FDual   = ir.Field{Shift: 43, Width: 1} // issued together with the next instruction, see DualName
	FRound  = ir.Field{Shift: 39, Width: 2} // until passes/machine.FPMode: a Rounding that the instruction needs
	FFlush  = ir.Field{Shift: 41, Width: 2} // until then: FlushSources, FlushResult

	// Of scalar program control.
	FImm  = ir.Field{Shift: 0, Width: 16} // SOPP, SOPK: the immediate
	FVM   = ir.Field{Shift: 0, Width: 6}  // s_waitcnt: at most so many; 63: not waited for
	FLGKM = ir.Field{Shift: 6, Width: 6}

	// Of pseudo instructions.
	FIndex = ir.Field{Shift: 0, Width: 6}  // p_extract: first register
	FKind  = ir.Field{Shift: 0, Width: 5}  // p_livein: a LiveIn
	FSkip  = ir.Field{Shift: 0, Width: 32} // p_skip: how many blocks further on
)

// CacheBits is the cache policy of a memory instruction, as the generations
// spell it.
type CacheBits uint16

const (
	CacheGLC    CacheBits = 1 << iota // GFX11, gfx90a; of an atomic: gives the old value
	CacheSLC                          // GFX11, gfx90a
	CacheDLC                          // GFX11
	CacheSC0                          // gfx942; of an atomic: gives the old value
	CacheSC1                          // gfx942
	CacheNT                           // gfx942
	CacheReturn                       // GFX12: th:TH_ATOMIC_RETURN
	CacheNTHint                       // GFX12: th:TH_LOAD_NT, th:TH_STORE_NT
	// GFX12's scope, two bits.
	CacheSE  CacheBits = 1 << 8 // scope:SCOPE_SE
	CacheDEV CacheBits = 2 << 8 // scope:SCOPE_DEV
	CacheSYS CacheBits = 3 << 8 // scope:SCOPE_SYS
)

// Rounding is a rounding mode as the MODE register has it (RDNA3 ISA 3.3.2).
type Rounding uint8

const (
	RoundEven Rounding = iota
	RoundUp
	RoundDown
	RoundZero
)

// What an instruction flushes (FFlush): denormals are kept by default.
const (
	FlushSources = 1
	FlushResult  = 2
)

// LiveIn is what a register holds when a wave starts (ABI of code object 5).
type LiveIn uint8

const (
	LiveKernarg  LiveIn = iota // s2: address of the argument segment
	LiveDispatch               // s2: address of the dispatch packet
	LiveGroupX                 // s1: work-group id
	LiveGroupY                 // s1
	LiveGroupZ                 // s1
	LiveItems                  // v1: work-item ids, x in bits 9:0, y in 19:10, z in 29:20
	NumLiveIns
)

var liveInNames = []string{"kernarg", "dispatch_ptr", "workgroup_id_x", "workgroup_id_y", "workgroup_id_z", "workitem_id"}

func (l LiveIn) String() string { return liveInNames[l] }
