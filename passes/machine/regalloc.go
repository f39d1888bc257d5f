package machine

import (
	"sync"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Regalloc gives every value of a register class its physical register.
//
//	%0 = amdgpu.v_add_nc_u32 %a, %b : v1       %0 = amdgpu.v_add_nc_u32 %a, %b : v1@v1
//	%1 = amdgpu.p_build %0, %a : v2        →   %1 = amdgpu.p_build %0, %a : v2@v1
//	amdgpu.global_store_b64 %p, %1             amdgpu.global_store_b64 %p, %1
//
// In: a function behind exec: logical edges, blocks in linear order. Out: the
// same with registers; pseudo copies, tuples and block arguments are still
// there, most of them between equal registers: SSADestroy makes moves of the
// rest.
//
// A vector register is live where a lane's own path needs it, since lanes that
// do not execute keep theirs; a scalar register where the wave's path does
// (LinearSuccs). The live segments of each 32-bit register of a value carry
// what they hold, so that copies of one content do not conflict. Values that
// tuples, copies, edges and tied operands join are merged into units as far as
// their segments allow, the most frequent first; units are coloured in order
// of definition, first fit. What does not fit is spilled (spill.go) and all is
// done again.
func Regalloc(c *Ctx, f *ir.Func) {
	ra := allocators.Get().(*allocator)
	ra.c, ra.f = c, f
	defer func() {
		ra.c, ra.f = nil, nil
		allocators.Put(ra)
	}()
	ra.limits()
	saveSCC(f)
	ra.prepare()
	for round := 0; ; round++ {
		ra.number()
		ra.liveness()
		ra.coalesce(round)
		class := ra.colour()
		if class == ir.NoClass {
			break
		}
		if !ra.spill(class, round) {
			return
		}
	}
	ra.assign()
	if c.Verify {
		preset := func(v *ir.Value) bool { return ra.unit[v.ID] < 0 }
		if wrong := verifyRegisters(f, preset, ra.earlyClobber); wrong != "" {
			panic("machine: register allocation: " + wrong)
		}
	}
}

var allocators = sync.Pool{New: func() any { return &allocator{} }}

// seg is a part [start, end) of the life of one register. Position 2i is where
// instruction i reads, 2i+1 where it writes.
type seg struct {
	start, end int32
	content    int32 // equal numbers: equal bits
}

// allocator is the state of one allocation. Tables by value are indexed by
// Value.ID, tables by block by Block.ID.
type allocator struct {
	c    *Ctx
	f    *ir.Func
	regs target.Registers
	mask int // registers of a lane mask

	// Registers that may be used: vmax in all, vlimit without spill registers;
	// slimit without vcc.
	vmax, vlimit, slimit int
	evenV                bool
	nullMask             bool // a mask that nobody reads may go to null

	// Numbering.
	pos     []int32     // by Op.ID: instruction number
	copyAt  []int32     // by block: number of the copies for its edge; 0: none
	first   []int32     // by block: number of its beginning
	last    []int32     // by block: one more than its last number
	depth   []int32     // by block: loops around
	order   []*ir.Block // linear
	preds   []int32     // linear predecessors, indices into order, by predOff
	predOff []int32     // by block
	npos    int32

	// Values.
	unit    []int32 // union-find parent; itself for a root; -1: not allocated
	offset  []int32 // of the value in its parent, registers
	content []int32 // by contBase + register
	contOff []int32 // by value

	// Units, by their root.
	info  []unitInfo
	lanes [][]seg // of unit u: [info[u].lanes, +size)

	phys    [2][][]seg // what is taken, by register: scalar, vector
	blocked [2][]bool  // registers with preset definitions: never allocated

	arena   []seg
	cands   []candidate
	longest int32 // life of a single register that may become part of a tuple
	sorted  []candidate
	byDepth []int32
	live    liveScratch
	buf     []*ir.Block
	aliases []alias
	sp      spillState
}

// unitInfo is a set of values that lie in one tuple.
type unitInfo struct {
	lanes int32 // first of its lanes
	size  uint8 // registers
	align uint8 // first register ≡ rem modulo align
	rem   uint8 //
	class ir.RegClass
	hint  bool   // vcc would be good
	sink  bool   // nobody reads it and null will do
	fixed ir.Reg // preset first register
	reg   ir.Reg // chosen first register
}

func (ra *allocator) limits() {
	t := ra.c.Target
	ra.regs = t.Registers
	ra.mask = t.Wave / 32
	ra.evenV = t.Generation == target.GFX9
	ra.nullMask = t.Generation != target.GFX9
	items := t.MaxGroup
	if g := ra.f.ReqdWorkGroupSize; g[0] != 0 {
		items = int(g[0]) * int(g[1]) * int(g[2])
	}
	ra.vlimit, ra.slimit = t.MaxVGPRs(items), ra.regs.SGPRs
	if n := ra.c.VGPRs; n > 0 {
		ra.vlimit = min(ra.vlimit, n)
	}
	if n := ra.c.SGPRs; n > 0 {
		ra.slimit = min(ra.slimit, n)
	}
	ra.vmax = ra.vlimit
	ra.sp.reset(ra.f)
}

func isVCC(r ir.Reg) bool { return r == ir.RegVCC || r == ir.RegVCC+1 }

// tracked reports whether the allocator looks after v: it has a class, and if
// its register is preset, it is a live-in's or vcc.
func tracked(v *ir.Value) bool {
	switch v.Type.Class() {
	case ir.SGPR, ir.VGPR:
	default:
		return false
	}
	if isUndef(v) {
		return false
	}
	return v.Reg == ir.NoReg || isVCC(v.Reg) || isLiveIn(v)
}

func isLiveIn(v *ir.Value) bool { return v.Op() != nil && v.Op().Code == amdgpu.PLivein }

// firstLiveIn is the first live-in of v's register: several may share one that
// has parts (amdgpu/abi.go).
func firstLiveIn(v *ir.Value) *ir.Value {
	for op := v.Op().Block().First(); op.Code == amdgpu.PLivein; op = op.Next() {
		if r := op.Result(0); r.Reg == v.Reg && r.Type == v.Type {
			return r
		}
	}
	return v
}

// isUndef reports a value of no content, for which any register will do.
func isUndef(v *ir.Value) bool { return v.Op() != nil && v.Op().Code == amdgpu.PUndef }

func classIndex(c ir.RegClass) int {
	if c == ir.VGPR {
		return 1
	}
	return 0
}

// physical is the index of a register in its class's table.
func physical(r ir.Reg) int { return r.Index() }

// register is the inverse of physical.
func register(c ir.RegClass, i int) ir.Reg {
	if c == ir.VGPR {
		return ir.VReg(i)
	}
	return ir.SReg(i)
}

// assign writes the registers into the values.
func (ra *allocator) assign() {
	for _, b := range ra.order {
		for _, v := range b.Args() {
			ra.setReg(v)
		}
		for op := b.First(); op != nil; op = op.Next() {
			for i := range op.NumResults() {
				ra.setReg(op.Result(i))
			}
		}
	}
	ra.placeSpillLanes()
}

func (ra *allocator) setReg(v *ir.Value) {
	if v.Reg != ir.NoReg {
		return
	}
	if v.Type.Class() == ir.SCC {
		v.Reg = ir.RegSCC
		return
	}
	if isUndef(v) {
		v.Reg = register(v.Type.Class(), 0)
		return
	}
	if ra.unit[v.ID] < 0 {
		return
	}
	u, off := ra.find(int32(v.ID))
	r := ra.info[u].reg
	if r == ir.RegNull {
		v.Reg = r
		return
	}
	v.Reg = r + ir.Reg(off)
}

// grown returns s with n elements, all of them zero.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}
