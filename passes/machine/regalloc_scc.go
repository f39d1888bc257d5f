package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/builtin"
	"pisac/ir"
)

// saveSCC makes every value of the scalar condition code live only up to the
// next instruction that overwrites it. A comparison is made again where it is
// needed; a result's being other than 0 is tested again; else scc is saved.
//
//	%p = s_cmp_lt_i32 %x, %y           %s, %q = s_add_u32 …
//	%s, %q = s_add_u32 …               %c = s_cselect_b32 1, 0, %q
//	%a, %r = s_and_b32 …           →   %a, %r = s_and_b32 …
//	%d = s_cselect_b32 …, %p           %p' = s_cmp_lt_i32 %x, %y
//	%e = s_addc_u32 …, %q              %d = s_cselect_b32 …, %p'
//	                                   %q' = s_cmp_lg_u32 %c, 0
//	                                   %e = s_addc_u32 …, %q'
func saveSCC(f *ir.Func) {
	var saved map[*ir.Value]*ir.Value
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		var held *ir.Value // what scc holds
		var of *ir.Value   // the value that held is or restores
		for op := b.First(); op != nil; {
			for i := range op.NumOperands() {
				v := op.Operand(i)
				if v.Type.Class() != ir.SCC {
					continue
				}
				if v != of {
					if saved == nil {
						saved = make(map[*ir.Value]*ir.Value)
					}
					held, of = restoreSCC(op, v, saved), v
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
			op = op.Next()
		}
	}
	if saved != nil {
		dropCompares(f)
	}
}

// dropCompares erases comparisons that were made again wherever they are used.
func dropCompares(f *ir.Func) {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; {
			next := op.Next()
			if amdgpu.IsMachine(op.Code) && amdgpu.RowOf(op.Code).Family == amdgpu.SOPC && !op.Result(0).HasUses() {
				op.Erase()
			}
			op = next
		}
	}
}

// restoreSCC makes v again in front of op. saved has the registers that hold
// values which cannot be made again.
func restoreSCC(op *ir.Op, v *ir.Value, saved map[*ir.Value]*ir.Value) *ir.Value {
	def := v.Op()
	if def == nil {
		panic("machine: a block argument in scc")
	}
	var bl ir.Builder
	bl.Before(op)
	bl.Loc = op.Loc
	row := amdgpu.RowOf(def.Code)
	s := saved[v]
	switch {
	case s != nil:
	case row.Family == amdgpu.SOPC && lasting(def):
		saved[v] = nil
		return bl.Value(def.Code, def.Props, ir.SCCBit, operandsOf(def)...)
	case notZero(def.Code) && def.Result(0).Reg == ir.NoReg:
		s = def.Result(0)
	default:
		bl.After(def)
		s = bl.Value(amdgpu.SCselectB32, 0, ir.Regs(ir.SGPR, 1), builtin.ConstInt(&bl, ir.B32, 1), builtin.ConstInt(&bl, ir.B32, 0), v)
		bl.Before(op)
	}
	saved[v] = s
	code, t := amdgpu.SCmpLgU32, ir.B32
	if s.Type.Lanes() == 2 {
		code, t = amdgpu.SCmpLgU64, ir.B64
	}
	return bl.Value(code, 0, ir.SCCBit, s, builtin.ConstInt(&bl, t, 0))
}

// lasting reports that the operands of op hold what they hold as long as they
// live: none is in a register that has many definitions, such as exec.
func lasting(op *ir.Op) bool {
	for i := range op.NumOperands() {
		if x := op.Operand(i); x.Reg != ir.NoReg && !isLiveIn(x) {
			return false
		}
	}
	return true
}

// notZero reports an instruction that sets scc to whether its result is other
// than 0 (RDNA3 ISA 16.1, 16.3).
func notZero(c ir.Code) bool {
	switch c {
	case amdgpu.SAndB32, amdgpu.SAndB64, amdgpu.SOrB32, amdgpu.SOrB64, amdgpu.SXorB32, amdgpu.SXorB64,
		amdgpu.SNandB32, amdgpu.SNandB64, amdgpu.SNorB32, amdgpu.SNorB64, amdgpu.SXnorB32, amdgpu.SXnorB64,
		amdgpu.SAndNot1B32, amdgpu.SAndNot1B64, amdgpu.SOrNot1B32, amdgpu.SOrNot1B64,
		amdgpu.SLshlB32, amdgpu.SLshlB64, amdgpu.SLshrB32, amdgpu.SLshrB64, amdgpu.SAshrI32, amdgpu.SAshrI64,
		amdgpu.SBfeU32, amdgpu.SBfeI32, amdgpu.SBfeU64, amdgpu.SBfeI64, amdgpu.SNotB32, amdgpu.SNotB64,
		amdgpu.SBcnt1I32B32, amdgpu.SBcnt1I32B64, amdgpu.SAbsI32, amdgpu.SAbsdiffI32:
		return true
	}
	return false
}
