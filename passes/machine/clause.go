package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// maxClause is the most instructions of a clause (RDNA3 ISA 16.5, S_CLAUSE).
const maxClause = 32

// Clause keeps adjacent memory instructions of a kind together:
//
//	v1 = global_load_b32 …        s_clause 1
//	v2 = global_load_b32 …    →   v1 = global_load_b32 …
//	                              v2 = global_load_b32 …
//
// They are then issued without another wave's between, which hits the same
// cache lines. It is a hint.
func Clause(c *Ctx, f *ir.Func) {
	if c.Target.Generation == target.GFX9 {
		return
	}
	var bl ir.Builder
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		var first *ir.Op
		kind, n := clauseNone, 0
		end := func() {
			if kind != clauseNone && n >= 2 {
				bl.Before(first)
				bl.Loc = first.Loc
				bl.Op(amdgpu.SClause, amdgpu.FImm.Set(0, uint64(n-1)))
			}
			n = 0
		}
		for op := b.First(); op != nil; op = op.Next() {
			if !amdgpu.Encoded(op) {
				continue
			}
			k := clauseOf(op)
			if k != kind || n == maxClause {
				end()
				first, kind = op, k
			}
			n++
		}
		end()
	}
}

// clauseClass is what the instructions of a clause have in common.
type clauseClass uint8

const (
	clauseNone clauseClass = iota
	clauseScalar
	clauseLoad
	clauseStore
	clauseFlatLoad
	clauseFlatStore
)

func clauseOf(op *ir.Op) clauseClass {
	r := amdgpu.RowOf(op.Code)
	switch {
	case r.Family == amdgpu.SMEM && r.Has(amdgpu.Loads):
		return clauseScalar
	case r.Has(amdgpu.Atomic):
	case r.Family == amdgpu.Global, r.Family == amdgpu.Scratch:
		if r.Has(amdgpu.Loads) {
			return clauseLoad
		}
		return clauseStore
	case r.Family == amdgpu.Flat:
		if r.Has(amdgpu.Loads) {
			return clauseFlatLoad
		}
		return clauseFlatStore
	}
	return clauseNone
}
