package target

import (
	"strings"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// Mode is a target with the choice that its memory sequences depend on: on
// RDNA, whether a work-group runs on the two compute units of a work-group
// processor or on one.
type Mode struct {
	*Target
	WGP  bool
	Name string // "gfx1100-wgp"
	row  *memoryRow
}

// Counter is a set of wait counters. A chip that counts stores together with
// loads has no Stores.
type Counter uint8

const (
	Loads   Counter = 1 << iota // vmcnt, loadcnt: also stores on GFX9
	Stores                      // vscnt, storecnt: stores and atomics without result
	LDS                         // lgkmcnt, dscnt
	Scalars                     // kmcnt; scalar loads count as LDS before GFX12

	// NumCounters is how many there are.
	NumCounters = 4
)

// StepKind is what an instruction of a sequence does.
type StepKind uint8

const (
	StepAccess     StepKind = iota // the access itself, with Text as its cache bits
	StepWait                       // until the counters are 0
	StepWriteBack                  // dirty lines go to where Scope can see them
	StepInvalidate                 // clean lines below the coherence point of Scope are dropped
	StepBarrier                    // s_barrier or a part of it
)

// Step is one instruction of a sequence.
type Step struct {
	Text  string // as the assembler reads it; of an access, its bits
	Kind  StepKind
	Wait  Counter    // of StepWait
	Scope pisa.Scope // of StepWriteBack, StepInvalidate, and of an access' bits
	Cache CacheLevel // of StepInvalidate: which cache
}

// CacheLevel names a cache.
type CacheLevel uint8

const (
	CacheFirst CacheLevel = iota // L1 of GFX9, L0 of RDNA: next to the compute unit
	CacheMid                     // L1 of GFX11, of a shader array
	CacheL2
	CacheAll // several at once
)

// MemoryClass is the sort of a memory operation as sequences tell them apart.
type MemoryClass uint8

const (
	ClassLoad MemoryClass = iota
	ClassStore
	ClassRMW      // atomic with result
	ClassRMWNoRet // atomic without
	ClassCas      // compare-and-swap with result
	ClassCasNoRet
	ClassFence
)

var classNames = [...]string{"load", "store", "rmw-ret", "rmw-noret", "cas-ret", "cas-noret", "fence"}

func (c MemoryClass) String() string { return classNames[c] }

// returns reports a result that the wave waits for as for a load's.
func (c MemoryClass) returns() bool { return c == ClassLoad || c == ClassRMW || c == ClassCas }

// scoped is a value for workgroup, gpu and system scope.
type scoped[T any] [3]T

func scopeIndex(s pisa.Scope) int { return max(int(s)-int(pisa.Workgroup), 0) }

// memoryRow is what the sequences of a mode are made of.
type memoryRow struct {
	name    string
	chip    string
	wgp     bool
	all     []Step         // waits for every earlier access
	lds     []Step         // waits for shared memory
	result  [3][]Step      // waits for a returning access: global, shared, generic
	done    [3][]Step      // waits for one without result
	back    scoped[[]Step] // write-backs
	inv     scoped[[]Step] // invalidates, outer caches first
	load    scoped[string] // cache bits
	store   scoped[string]
	rmw     scoped[string]
	returns string // added to the bits of an RMW with result
	barrier []Step
}

func wait(c Counter, text string) []Step { return []Step{{Text: text, Kind: StepWait, Wait: c}} }

func writeBack(s pisa.Scope, text string) []Step {
	return []Step{{Text: text, Kind: StepWriteBack, Scope: s}}
}

func invalidate(s pisa.Scope, l CacheLevel, text string) []Step {
	return []Step{{Text: text, Kind: StepInvalidate, Scope: s, Cache: l}}
}

func steps(lists ...[]Step) (out []Step) {
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

var (
	gfx9All   = wait(Loads|LDS, "s_waitcnt vmcnt(0) lgkmcnt(0)")
	gfx9VM    = wait(Loads, "s_waitcnt vmcnt(0)")
	lgkm      = wait(LDS, "s_waitcnt lgkmcnt(0)")
	gfx9Op    = [3][]Step{gfx9VM, lgkm, gfx9All}
	vscnt     = wait(Stores, "s_waitcnt_vscnt null, 0x0")
	gfx11All  = steps(gfx9All, vscnt)
	gfx11Op   = [3][]Step{gfx9VM, lgkm, gfx9All}
	gfx11Done = [3][]Step{vscnt, lgkm, steps(lgkm, vscnt)}
	storecnt  = wait(Stores, "s_wait_storecnt 0x0")
	dscnt     = wait(LDS, "s_wait_dscnt 0x0")
	gfx12All  = steps(wait(Loads|LDS, "s_wait_loadcnt_dscnt 0x0"), storecnt)
	gfx12Op   = [3][]Step{wait(Loads, "s_wait_loadcnt 0x0"), dscnt, wait(Loads|LDS, "s_wait_loadcnt_dscnt 0x0")}
	gfx12Done = [3][]Step{storecnt, dscnt, wait(Stores|LDS, "s_wait_storecnt_dscnt 0x0")}
	sBarrier  = []Step{{Text: "s_barrier", Kind: StepBarrier}}
	gfx12Bar  = []Step{{Text: "s_barrier_signal -1", Kind: StepBarrier}, {Text: "s_barrier_wait -1", Kind: StepBarrier}}
	gl0       = invalidate(pisa.Workgroup, CacheFirst, "buffer_gl0_inv")
	gl1gl0    = steps(invalidate(pisa.GPU, CacheMid, "buffer_gl1_inv"), gl0)
	gfx12Dev  = invalidate(pisa.GPU, CacheAll, "global_inv scope:SCOPE_DEV")
	gfx12Sys  = invalidate(pisa.System, CacheAll, "global_inv scope:SCOPE_SYS")
	gfx12WB   = writeBack(pisa.System, "global_wb scope:SCOPE_SYS")
	scopesCU  = scoped[string]{"", "scope:SCOPE_DEV", "scope:SCOPE_SYS"}
	scopesWGP = scoped[string]{"scope:SCOPE_SE", "scope:SCOPE_DEV", "scope:SCOPE_SYS"}
)

// memoryRows are the modes. Why each instruction is there: docs/memory-model.md.
var memoryRows = []memoryRow{
	{name: "gfx942", chip: "gfx942", all: gfx9All, lds: lgkm, result: gfx9Op, done: gfx9Op,
		back: scoped[[]Step]{nil, writeBack(pisa.GPU, "buffer_wbl2 sc1"), writeBack(pisa.System, "buffer_wbl2 sc0 sc1")},
		inv:  scoped[[]Step]{nil, invalidate(pisa.GPU, CacheAll, "buffer_inv sc1"), invalidate(pisa.System, CacheAll, "buffer_inv sc0 sc1")},
		load: scoped[string]{"sc0", "sc1", "sc0 sc1"}, store: scoped[string]{"sc0", "sc1", "sc0 sc1"},
		rmw: scoped[string]{"", "", "sc1"}, returns: "sc0", barrier: sBarrier},
	{name: "gfx90a", chip: "gfx90a", all: gfx9All, lds: lgkm, result: gfx9Op, done: gfx9Op,
		back: scoped[[]Step]{nil, nil, writeBack(pisa.System, "buffer_wbl2")},
		inv: scoped[[]Step]{nil, invalidate(pisa.GPU, CacheFirst, "buffer_wbinvl1_vol"),
			steps(invalidate(pisa.System, CacheL2, "buffer_invl2"), invalidate(pisa.GPU, CacheFirst, "buffer_wbinvl1_vol"))},
		load: scoped[string]{"", "glc", "glc"}, returns: "glc", barrier: sBarrier},
	{name: "gfx1100-wgp", chip: "gfx1100", wgp: true, all: gfx11All, lds: lgkm, result: gfx11Op, done: gfx11Done,
		inv:  scoped[[]Step]{gl0, gl1gl0, gl1gl0},
		load: scoped[string]{"glc", "glc", "glc"}, returns: "glc", barrier: sBarrier},
	{name: "gfx1100-cu", chip: "gfx1100", all: gfx11All, lds: lgkm, result: gfx11Op, done: gfx11Done,
		inv:  scoped[[]Step]{nil, gl1gl0, gl1gl0},
		load: scoped[string]{"", "glc", "glc"}, returns: "glc", barrier: sBarrier},
	{name: "gfx1200-wgp", chip: "gfx1201", wgp: true, all: gfx12All, lds: dscnt, result: gfx12Op, done: gfx12Done,
		back: scoped[[]Step]{nil, nil, gfx12WB},
		inv:  scoped[[]Step]{invalidate(pisa.Workgroup, CacheFirst, "global_inv scope:SCOPE_SE"), gfx12Dev, gfx12Sys},
		load: scopesWGP, store: scopesWGP, rmw: scopesWGP, returns: "th:TH_ATOMIC_RETURN", barrier: gfx12Bar},
	{name: "gfx1200-cu", chip: "gfx1201", all: gfx12All, lds: dscnt, result: gfx12Op, done: gfx12Done,
		back: scoped[[]Step]{nil, nil, gfx12WB},
		inv:  scoped[[]Step]{nil, gfx12Dev, gfx12Sys},
		load: scopesCU, store: scopesCU, rmw: scopesCU, returns: "th:TH_ATOMIC_RETURN", barrier: gfx12Bar},
}

// Modes returns the modes of t, the default first.
func (t *Target) Modes() []Mode {
	var out []Mode
	for i := range memoryRows {
		if r := &memoryRows[i]; r.chip == t.Name {
			out = append(out, Mode{Target: t, WGP: r.wgp, Name: r.name, row: r})
		}
	}
	return out
}

// Sequence is a memory operation with what makes it ordered and visible:
// Before, the access with its cache bits, After. A fence has no access.
type Sequence struct {
	Before []Step
	Bits   string // of the access
	Access bool
	After  []Step
}

// Text is the sequence as one line; OP stands for the access.
func (s *Sequence) Text() string {
	var parts []string
	for i := range s.Before {
		parts = append(parts, s.Before[i].Text)
	}
	if s.Access {
		parts = append(parts, strings.TrimRight("OP "+s.Bits, " "))
	}
	for i := range s.After {
		parts = append(parts, s.After[i].Text)
	}
	return strings.Join(parts, " ; ")
}

// Sequence returns the instructions of a memory operation of class c in
// address space a (of a fence: the space that it names) with order o and scope
// s. Weak accesses are accesses without bits.
//
//	release:  write-back, wait for everything, access
//	acquire:  access, wait for it, invalidate
//	seq_cst load: wait for everything first
func (m *Mode) Sequence(c MemoryClass, a ir.Space, o pisa.Order, s pisa.Scope) Sequence {
	r := m.row
	if c == ClassFence {
		return r.fence(a, o, s)
	}
	q := Sequence{Access: true}
	if o == pisa.Weak {
		return q
	}
	if a == ir.SpaceShared {
		s = pisa.Workgroup // shared memory is one copy for a work-group
	}
	k := scopeIndex(s)
	switch {
	case c == ClassLoad && o == pisa.SeqCst:
		q.Before = r.all
	case c != ClassLoad && o.Releases():
		q.Before = steps(r.back[k], r.all)
	}
	if c != ClassStore && o.Acquires() {
		w := &r.done
		if c.returns() {
			w = &r.result
		}
		q.After = steps(w[spaceIndex(a)], r.inv[k])
	}
	q.Bits = r.bits(c, a, k)
	return q
}

func spaceIndex(a ir.Space) int {
	switch a {
	case ir.SpaceGlobal:
		return 0
	case ir.SpaceShared:
		return 1
	}
	return 2
}

func (r *memoryRow) bits(c MemoryClass, a ir.Space, k int) string {
	if a == ir.SpaceShared {
		return ""
	}
	switch {
	case c == ClassLoad:
		return r.load[k]
	case c == ClassStore:
		return r.store[k]
	case c.returns():
		return strings.TrimSpace(r.returns + " " + r.rmw[k])
	}
	return r.rmw[k]
}

func (r *memoryRow) fence(a ir.Space, o pisa.Order, s pisa.Scope) Sequence {
	if s == pisa.Subgroup {
		return Sequence{} // a sub-group is part of a wave, whose accesses stay in order for it
	}
	if a == ir.SpaceShared {
		return Sequence{Before: r.lds}
	}
	k := scopeIndex(s)
	var q Sequence
	if o.Releases() {
		q.Before = r.back[k]
	}
	q.Before = steps(q.Before, r.all)
	if o.Acquires() {
		q.After = r.inv[k]
	}
	return q
}

// Barrier returns the instructions of barrier.workgroup: release and acquire
// at workgroup scope around the barrier proper.
func (m *Mode) Barrier() []Step {
	return steps(m.row.all, m.row.barrier, m.row.inv[0])
}

// AtomicReads returns the wait for outstanding atomic reads of global memory,
// which an acquiring fence of shared memory needs too if there are any: the
// flag that it waits on may lie there. noResult: one of them is an RMW without
// result, which RDNA counts as a store.
func (m *Mode) AtomicReads(noResult bool) []Step {
	if noResult && m.Generation != GFX9 {
		return steps(m.row.result[0], m.row.done[0])
	}
	return m.row.result[0]
}
