package isel

import (
	"fmt"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/isel/flow"
	"pisac/passes/analysis"
	"pisac/passes/machine"
)

// lowering emits the instructions of one op and sets its results.
type lowering func(s *sel, op *ir.Op)

// lowerings is indexed by ir.Code; the rows stand beside the functions.
var lowerings = mergeRows(
	integerRows, logicRows, compareRows, vectorRows, specialRows, addressRows, memoryRows, atomicRows, fenceRows, subgroupRows,
	floatRows,
)

func mergeRows(tables ...[]lowering) []lowering {
	all := make([]lowering, pisa.NumCodes)
	for _, t := range tables {
		for c, f := range t {
			if f == nil {
				continue
			}
			if all[c] != nil {
				panic(fmt.Sprintf("isel: two lowerings of op code %d", c))
			}
			all[c] = f
		}
	}
	return all
}

// SystemAtomics says how read-modify-write operations that PCIe does not carry
// are done where the memory may be the host's (llvmgen.SystemAtomics).
type SystemAtomics uint8

const (
	SystemDefault SystemAtomics = iota
	SystemNative
	SystemCAS
)

// Options are the user's choices that reach the code.
type Options struct {
	FastFPAtomics bool
	SystemAtomics SystemAtomics
	// Cache, if not nil, is one of the function's, whose memory is used again;
	// what it says is not.
	Cache *analysis.Cache
}

// sel is the state of selecting one function.
type sel struct {
	ir.Builder
	c     *machine.Ctx
	o     Options
	t     *target.Target
	mode  *target.Mode
	mod   *ir.Module
	f     *ir.Func
	uni   *analysis.Uniformity
	bits  *analysis.Bits
	alias *analysis.Alias
	plan  *flow.Plan

	maskT ir.Type // of a lane mask

	vals     []*ir.Value // by Value.ID of the pisa value
	kept     []*ir.Value // by Value.ID: the vector copy that lanes take out of a loop
	copies   ofBlock     // by Value.ID of a machine value: its vector copy in this block
	scalar   byID        // by Value.ID of a vector register: its scalar copy, made where it is defined
	imms     immediates
	slices   lists[sliceKey]      // registers of tuples, taken where the tuple is defined
	pairs    lists[pairKey]       // built in this block
	here     bool                 // the builder stands at the op that is being lowered, not at a definition before it
	offsets  []uint64             // of parameters in the argument segment
	words    map[uint32]*ir.Value // of the argument segment, loaded at the entry
	live     [amdgpu.NumLiveIns]*ir.Value
	literals int // in scalar registers from the entry on
	failed   bool
	zeroReg  *ir.Value       // see zero
	lds      []uint64        // offsets of the shared variables in local memory
	private  []uint64        // offsets of the private variables in scratch memory
	writers  []*ir.Op        // stores and atomics, up to a bound
	stale    map[*ir.Op]bool // barriers that discard the cache
	reads    machine.Reads   // what atomic reads of global memory there are
}

// Select replaces the pisa ops of kernel f by machine instructions. It reports
// whether it could; if not, errors are in c.Diags.
func Select(c *machine.Ctx, f *ir.Func, o Options) bool {
	s := &sel{
		c: c, o: o, t: c.Target, mode: &c.Mode, mod: f.Module(), f: f,
		maskT: ir.Regs(ir.SGPR, c.Target.Wave/32),
	}
	expand(f)
	s.expandLoops(f)
	cache := o.Cache
	if cache == nil {
		cache = analysis.New(f)
	}
	cache.Invalidate(0)
	s.plan = flow.New(f, cache, c.Target)
	s.stale = analysis.StaleBarriers(f)
	s.uni, s.bits, s.alias = s.plan.Uniformity(), cache.Bits(), cache.Alias()
	s.vals, s.kept = make([]*ir.Value, f.NumValues()), make([]*ir.Value, f.NumValues())
	order := cache.Dom().RPO()
	s.survey(order)
	s.argumentLoads(order)
	s.blockArgs(order)
	for _, b := range order {
		s.block(b)
	}
	if s.failed {
		return false
	}
	s.finishLiveIns()
	s.erase(order)
	commonCode(f)
	deadCode(f, s.c.Sequences)
	return true
}

// survey looks at the memory accesses, and places the shared variables.
func (s *sel) survey(order []*ir.Block) {
	var total uint64
	if s.lds, total = amdgpu.LDSLayout(s.f); total > uint64(s.t.LDSBytes) {
		s.failed = true
		s.c.Diags.Error(s.f.Loc, 0, codeLDS, fmt.Sprintf("the shared variables of @%s take %d bytes; a work-group has %d on %s", s.f.Name, total, s.t.LDSBytes, s.t.Name))
	}
	if s.private, total = amdgpu.PrivateLayout(s.f); total > uint64(s.scratchLimit()) {
		s.failed = true
		s.c.Diags.Error(s.f.Loc, 0, codePrivate, fmt.Sprintf("the private variables of @%s take %d bytes; the native backend gives a work-item %d on %s", s.f.Name, total, s.scratchLimit(), s.t.Name))
	}
	for _, b := range order {
		for op := b.First(); op != nil; op = op.Next() {
			acc, ok := s.alias.AccessOf(op)
			if !ok {
				continue
			}
			if acc.Writes && len(s.writers) <= maxWriters {
				s.writers = append(s.writers, op)
			}
			if acc.Atomic && acc.Reads && pisa.SpaceOf(op.Props) != ir.SpaceShared {
				if op.NumResults() > 0 && op.Result(0).HasUses() {
					s.reads = max(s.reads, machine.ResultReads)
				} else {
					s.reads = machine.NoResultReads
				}
			}
		}
	}
}

// scratchLimit is how much private memory a work-item can have: where scratch
// memory needs a descriptor, it has none.
func (s *sel) scratchLimit() int {
	if !s.t.Has(target.ArchitectedScratch) {
		return 0
	}
	return s.t.PrivateBytes
}

func (s *sel) block(b *ir.Block) {
	s.copies.clear()
	s.pairs.clear()
	last := b.Last()
	for op := b.First(); op != nil; {
		next := op.Next() // what is emitted comes before op
		if !amdgpu.IsMachine(op.Code) && op.Code != builtin.Const {
			s.Before(op)
			s.Loc, s.here = op.Loc, true
			s.lower(op)
		}
		if op == last {
			break
		}
		op = next
	}
}

func (s *sel) lower(op *ir.Op) {
	switch op.Code {
	case builtin.Br, builtin.CondBr, builtin.Return, builtin.Unreachable:
		s.terminator(op)
		return
	case builtin.Call, builtin.CallIndirect:
		s.errorf(op, codeCall, "the call is not inlined, and the native backend has no calls")
		return
	}
	if int(op.Code) >= len(lowerings) || lowerings[op.Code] == nil {
		panic("isel: no lowering of " + op.Def().Name)
	}
	lowerings[op.Code](s, op)
}

// errorf reports that op cannot be compiled, and gives its results values, so
// that selection goes on to the next error.
func (s *sel) errorf(op *ir.Op, code, format string, args ...any) {
	s.failed = true
	s.c.Diags.Error(op.Loc, 0, code, fmt.Sprintf(format, args...))
	for i := range op.NumResults() {
		r := op.Result(i)
		if r.Type.IsPred() {
			s.vals[r.ID] = s.Value(amdgpu.PUndef, 0, s.maskT)
		} else {
			s.vals[r.ID] = s.Value(amdgpu.PUndef, 0, ir.Regs(ir.VGPR, regs(r.Type)))
		}
	}
}

// erase removes the pisa ops and block arguments. Blocks come last to first, so
// that uses go before definitions.
func (s *sel) erase(order []*ir.Block) {
	for _, b := range order {
		if t := b.Last().Prev(); t != nil && amdgpu.IsMachine(t.Code) && amdgpu.RowOf(t.Code).Has(amdgpu.Branches) {
			b.Last().Erase()
		}
	}
	for _, b := range order {
		n := b.NumArgs() / 2
		for i := n - 1; i >= 0; i-- {
			s.clearUses(b.Arg(i))
			b.RemoveArg(i)
		}
	}
	for k := len(order) - 1; k >= 0; k-- {
		for op := order[k].Last(); op != nil; {
			prev := op.Prev()
			if !amdgpu.IsMachine(op.Code) && op.Code != builtin.Const {
				for i := range op.NumResults() {
					s.clearUses(op.Result(i))
				}
				op.Erase()
			}
			op = prev
		}
	}
}

// clearUses unlinks v from the pisa ops that still use it.
func (s *sel) clearUses(v *ir.Value) {
	for x := v.FirstUse(); x != nil; x = v.FirstUse() {
		if amdgpu.IsMachine(x.User().Code) && x.User().NumSuccs() == 0 {
			panic(fmt.Sprintf("isel: %s uses a value of the pisa dialect", x.User().Def().Name))
		}
		x.Set(nil)
	}
}
