// Package target describes the GPUs that pisac generates code for.
//
// In: a processor name as LLVM spells it ("gfx1100").
// Out: its row: generation, wave size, memory limits, features, and the wait
// sequences of the memory model.
// Promise: code elsewhere asks a row for features and never compares names.
package target

// Generation is an instruction-set generation.
type Generation uint8

const (
	GFX9  Generation = iota // CDNA: wave64, vmcnt and lgkmcnt
	GFX11                   // RDNA3: wave32, vmcnt, vscnt and lgkmcnt
	GFX12                   // RDNA4: wave32, a counter per kind of access
)

// Feature is a set of properties of a chip.
type Feature uint32

const (
	// FAddF32Global: the global f32 add is exact (keeps denormals).
	FAddF32Global Feature = 1 << iota
	// FAddF32GlobalFlush: it exists but may flush denormals, which PISA keeps:
	// only for --fp-atomics=fast.
	FAddF32GlobalFlush
	// FAddF32Flat and FAddF32FlatFlush: the same through generic addresses.
	FAddF32Flat
	FAddF32FlatFlush
	// FAddF32System: the global f32 add reaches system scope.
	FAddF32System
	// FAddF64Global and FAddF64GlobalNoFine: the global f64 add, the latter not
	// on fine-grained memory: only for --fp-atomics=fast.
	FAddF64Global
	FAddF64GlobalNoFine
	// FMinF32Global: f32 min and max of global and generic memory exist. Before
	// MinimumNumber they keep a NaN in memory, where PISA's fmin gives the
	// number: only for --fp-atomics=fast.
	FMinF32Global
	// MinimumNumber: f32 min and max of memory are IEEE 754-2019
	// minimumNumber and maximumNumber, as PISA's are.
	MinimumNumber
	// L2WriteBackAgent: several L2 caches per agent, so that a release at gpu
	// scope writes back.
	L2WriteBackAgent
	// L2WriteBackSystem: a release at system scope writes back.
	L2WriteBackSystem
	// PackedIDs: work-item ids arrive in one register.
	PackedIDs
	// LshlAddU64: a 64-bit sum with a shifted value is one vector instruction.
	LshlAddU64
	// SGPRInit16: in waves of 32 the hardware must be told to initialise at
	// least 16 scalar registers.
	SGPRInit16
	// GroupIDsInTTMP: work-group ids arrive in registers of the trap handler.
	GroupIDsInTTMP
	// PCZeroExtends: s_getpc_b64 does not extend the sign of the address.
	PCZeroExtends
	// ArchitectedScratch: scratch accesses find the wave's memory by themselves
	// and may do without an address.
	ArchitectedScratch
)

// Target is one chip.
type Target struct {
	Name string // as --mcpu and LLVM spell it
	Doc  string
	Generation
	Wave     int // lanes of a wave
	Features Feature
	LDSBytes int // shared memory of a work-group, bytes
	// PrivateBytes is the most private memory of a work-item.
	PrivateBytes int
	MaxGroup     int // work-items of a work-group
	Registers    Registers

	// WaitAll waits until every earlier memory access of the wave is complete.
	WaitAll string
	// WaitLDS waits for shared-memory accesses only.
	WaitLDS string
	// CountAll and CountLDS are the operands of s_waitcnt that wait for loads
	// and shared-memory accesses, and for the latter only; 0 where the
	// instruction does not exist.
	CountAll, CountLDS uint16
}

// Has reports whether all features of f are present.
func (t *Target) Has(f Feature) bool { return t.Features&f == f }

// Subgroups is the number of PISA sub-groups, 32 work-items each, in a wave.
func (t *Target) Subgroups() int { return t.Wave / 32 }

const (
	gfx9WaitAll  = "s_waitcnt vmcnt(0) lgkmcnt(0)"
	gfx11WaitAll = "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_waitcnt_vscnt null, 0x0"
	gfx12WaitAll = "s_wait_loadcnt_dscnt 0x0\ns_wait_storecnt 0x0"
)

// targets are in the order of --mcpu=help; the first is the default.
var targets = []Target{
	{
		Name: "gfx1100", Doc: "RDNA 3 (Radeon RX 7900), wave32", Generation: GFX11, Wave: 32,
		Features: FAddF32GlobalFlush | FAddF32FlatFlush | FMinF32Global | PackedIDs | SGPRInit16 | ArchitectedScratch,
		LDSBytes: 65536, PrivateBytes: 262136, MaxGroup: 1024,
		Registers: Registers{VGPRs: 256, SGPRs: 106, File: 1536, Granule: 24, MaxWaves: 16, SIMDs: 4},
		WaitAll:   gfx11WaitAll, WaitLDS: "s_waitcnt lgkmcnt(0)", CountAll: 0x0007, CountLDS: 0xfc07,
	},
	{
		Name: "gfx942", Doc: "CDNA 3 (Instinct MI300), wave64", Generation: GFX9, Wave: 64,
		Features: FAddF32Global | FAddF32Flat | FAddF32System | FAddF64Global |
			L2WriteBackAgent | L2WriteBackSystem | PackedIDs | LshlAddU64 | ArchitectedScratch,
		LDSBytes: 65536, PrivateBytes: 131056, MaxGroup: 1024,
		Registers: Registers{VGPRs: 256, SGPRs: 102, File: 512, Granule: 8, MaxWaves: 8, SIMDs: 4},
		WaitAll:   gfx9WaitAll, WaitLDS: "s_waitcnt lgkmcnt(0)", CountAll: 0x0070, CountLDS: 0xc07f,
	},
	{
		Name: "gfx90a", Doc: "CDNA 2 (Instinct MI200), wave64", Generation: GFX9, Wave: 64,
		Features: FAddF32GlobalFlush | FAddF64GlobalNoFine | L2WriteBackSystem | PackedIDs,
		LDSBytes: 65536, PrivateBytes: 131056, MaxGroup: 1024,
		Registers: Registers{VGPRs: 256, SGPRs: 102, File: 512, Granule: 8, MaxWaves: 8, SIMDs: 4},
		WaitAll:   gfx9WaitAll, WaitLDS: "s_waitcnt lgkmcnt(0)", CountAll: 0x0070, CountLDS: 0xc07f,
	},
	{
		Name: "gfx1201", Doc: "RDNA 4 (Radeon RX 9070), wave32", Generation: GFX12, Wave: 32,
		Features: FAddF32Global | FAddF32Flat | FMinF32Global | MinimumNumber |
			L2WriteBackSystem | PackedIDs | GroupIDsInTTMP | PCZeroExtends | ArchitectedScratch,
		LDSBytes: 65536, PrivateBytes: 2097144, MaxGroup: 1024,
		Registers: Registers{VGPRs: 256, SGPRs: 106, File: 1536, Granule: 24, MaxWaves: 16, SIMDs: 4},
		WaitAll:   gfx12WaitAll, WaitLDS: "s_wait_dscnt 0x0",
	},
}

// All returns the targets, the default first.
func All() []Target { return targets }

// Default is the target of a compile that names none.
func Default() *Target { return &targets[0] }

// ByName finds a target; nil if there is none of that name.
func ByName(name string) *Target {
	for i := range targets {
		if targets[i].Name == name {
			return &targets[i]
		}
	}
	return nil
}
