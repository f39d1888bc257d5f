package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/builtin"
	"pisac/ir"
)

// saveSCC makes every value of the scalar condition code live only up to the
// next instruction that overwrites it.
//
//	%p = s_cmp_lt_i32 …                %p = s_cmp_lt_i32 …
//	                                   %s = s_cselect_b32 1, 0, %p
//	%a, %c = s_and_b32 …           →   %a, %c = s_and_b32 …
//	                                   %q = s_cmp_lg_u32 %s, 0
//	%d = s_cselect_b32 …, %p           %d = s_cselect_b32 …, %q
func saveSCC(f *ir.Func) {
	var saved map[*ir.Value]*ir.Value
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		var held *ir.Value // what scc holds
		var of *ir.Value   // the value that held is or restores
		for op := b.First(); op != nil; op = op.Next() {
			for i := range op.NumOperands() {
				v := op.Operand(i)
				if v.Type.Class() != ir.SCC {
					continue
				}
				if v != of {
					if saved == nil {
						saved = make(map[*ir.Value]*ir.Value)
					}
					held, of = restoreSCC(op, savedSCC(saved, v)), v
				}
				if held != v {
					op.SetOperand(i, held)
				}
			}
			for i := range op.NumResults() {
				if r := op.Result(i); r.Type.Class() == ir.SCC {
					held, of = r, r
				}
			}
		}
	}
}

func savedSCC(saved map[*ir.Value]*ir.Value, v *ir.Value) *ir.Value {
	if s := saved[v]; s != nil {
		return s
	}
	if v.IsArg() {
		panic("machine: a block argument in scc")
	}
	var bl ir.Builder
	bl.After(v.Op())
	bl.Loc = v.Op().Loc
	s := bl.Value(amdgpu.SCselectB32, 0, ir.Regs(ir.SGPR, 1), builtin.ConstInt(&bl, ir.B32, 1), builtin.ConstInt(&bl, ir.B32, 0), v)
	saved[v] = s
	return s
}

func restoreSCC(op *ir.Op, s *ir.Value) *ir.Value {
	var bl ir.Builder
	bl.Before(op)
	bl.Loc = op.Loc
	return bl.Value(amdgpu.SCmpLgU32, 0, ir.SCCBit, s, builtin.ConstInt(&bl, ir.B32, 0))
}
