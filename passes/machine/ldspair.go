package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// LDSPair makes one instruction of two accesses to local memory from one
// address register:
//
//	%a = ds_load_b32 %p               %t = ds_load_2addr_b32 %p, offsets 0 and 64
//	%b = ds_load_b32 %p, offset 256 → %a = p_extract %t, 0
//	                                  %b = p_extract %t, 1
//
// The second load goes up to the first, the first store down to the second, so
// that nothing that may touch local memory otherwise, and no instruction of a
// memory sequence, may stand between.
func LDSPair(c *Ctx, f *ir.Func) {
	p := ldsPairs{fixed: c.sequenceOps(f)}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		p.loads, p.store = p.loads[:0], nil
		var next *ir.Op
		at := 0
		for op := b.First(); op != nil; op = next {
			next = op.Next()
			at++
			p.visit(op, at)
		}
	}
}

type ldsPairs struct {
	fixed []bool
	loads []ldsLoad // since the last write of local memory, without partner
	store *ir.Op    // with nothing of local memory behind it
}

type ldsLoad struct {
	op *ir.Op
	at int // in its block
}

// ldsReach is how many instructions a load may go up, and how many loads
// without partner are looked at: longer lives cost registers.
const (
	ldsReach = 64
	ldsTries = 16
)

func (p *ldsPairs) visit(op *ir.Op, at int) {
	if int(op.ID) < len(p.fixed) && p.fixed[op.ID] || isBound(op) {
		p.loads, p.store = p.loads[:0], nil
		return
	}
	if !amdgpu.IsMachine(op.Code) {
		return
	}
	switch r := amdgpu.RowOf(op.Code); {
	case r.Family != amdgpu.DS && r.Family != amdgpu.Flat || !r.Memory():
	case op.Code == amdgpu.DsLoadB32 || op.Code == amdgpu.DsLoadB64:
		p.store = nil
		p.load(op, at)
	case op.Code == amdgpu.DsStoreB32 || op.Code == amdgpu.DsStoreB64:
		p.loads = p.loads[:0]
		p.pairStore(op)
	case r.Flags&(amdgpu.Stores|amdgpu.Atomic) != 0:
		p.loads, p.store = p.loads[:0], nil
	default:
		p.store = nil
	}
}

// load pairs op with a load before it.
func (p *ldsPairs) load(op *ir.Op, at int) {
	for i := len(p.loads) - 1; i >= max(0, len(p.loads)-ldsTries) && at-p.loads[i].at <= ldsReach; i-- {
		first := p.loads[i].op
		code, props, ok := pairCode(first, op)
		if !ok {
			continue
		}
		n := op.Result(0).Type.Lanes()
		var bl ir.Builder
		bl.Before(first)
		bl.Loc = first.Loc
		both := bl.Value(code, props, ir.Regs(ir.VGPR, 2*n), first.Operand(0))
		for k, old := range [...]*ir.Op{first, op} {
			part := bl.Value(amdgpu.PExtract, amdgpu.FIndex.Set(0, uint64(k*n)), ir.Regs(ir.VGPR, n), both)
			old.Result(0).ReplaceUses(part)
		}
		first.Erase()
		op.Erase()
		p.loads = append(p.loads[:i], p.loads[i+1:]...)
		return
	}
	p.loads = append(p.loads, ldsLoad{op, at})
}

// pairStore pairs op with the store before it.
func (p *ldsPairs) pairStore(op *ir.Op) {
	if p.store != nil {
		if code, props, ok := pairCode(p.store, op); ok {
			var bl ir.Builder
			bl.Before(op)
			bl.Loc = op.Loc
			bl.Op(code, props, op.Operand(0), p.store.Operand(1), op.Operand(1))
			p.store.Erase()
			op.Erase()
			p.store = nil
			return
		}
	}
	p.store = op
}

// ldsPairCodes are the instructions for two of a kind, with offsets in
// elements and in 64 elements.
var ldsPairCodes = [...]struct {
	one, two, two64 ir.Code
	bytes           uint64
}{
	{amdgpu.DsLoadB32, amdgpu.DsLoad2addrB32, amdgpu.DsLoad2addrStride64B32, 4},
	{amdgpu.DsLoadB64, amdgpu.DsLoad2addrB64, amdgpu.DsLoad2addrStride64B64, 8},
	{amdgpu.DsStoreB32, amdgpu.DsStore2addrB32, amdgpu.DsStore2addrStride64B32, 4},
	{amdgpu.DsStoreB64, amdgpu.DsStore2addrB64, amdgpu.DsStore2addrStride64B64, 8},
}

// pairCode is the instruction that does what a and b do.
func pairCode(a, b *ir.Op) (code ir.Code, props uint64, ok bool) {
	x, y := amdgpu.FOffset.Get(a.Props), amdgpu.FOffset.Get(b.Props)
	if a.Code != b.Code || a.Operand(0) != b.Operand(0) || x == y {
		return 0, 0, false
	}
	for i := range ldsPairCodes {
		r := &ldsPairCodes[i]
		if r.one != a.Code {
			continue
		}
		code, unit := r.two, r.bytes
		if max(x, y)/unit > 0xff {
			code, unit = r.two64, 64*r.bytes
		}
		if x%unit != 0 || y%unit != 0 || max(x, y)/unit > 0xff {
			return 0, 0, false
		}
		return code, amdgpu.FOffset1.Set(amdgpu.FOffset0.Set(0, x/unit), y/unit), true
	}
	return 0, 0, false
}
