package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/builtin"
	"pisac/ir"
	"pisac/passes/machine"
)

// expression is what an instruction computes.
type expression struct {
	code     ir.Code
	operands uint8
	aux      ir.Aux
	props    uint64
	srcs     [4]uint32
	result   ir.Type
}

// commonCode replaces instructions that compute what one before them in the
// block did: addresses above all, which each access sums up for itself.
func commonCode(f *ir.Func) {
	seen := map[expression]*ir.Op{}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		clear(seen)
		for op := b.First(); op != nil; {
			next := op.Next()
			if e, ok := expressionOf(op); ok {
				if same := seen[e]; same != nil {
					for i := range op.NumResults() {
						op.Result(i).ReplaceUses(same.Result(i))
					}
					op.Erase()
				} else {
					seen[e] = op
				}
			}
			op = next
		}
	}
}

// expressionOf describes an instruction that depends on its operands only.
func expressionOf(op *ir.Op) (e expression, ok bool) {
	if !amdgpu.IsMachine(op.Code) || op.NumResults() == 0 || op.NumOperands() > len(e.srcs) || op.Result(0).Reg != ir.NoReg {
		return e, false
	}
	switch r := amdgpu.RowOf(op.Code); {
	case op.Code == amdgpu.PBuild, op.Code == amdgpu.PExtract, op.Code == amdgpu.PSymaddr:
	case r.Family == amdgpu.Pseudo, r.Has(amdgpu.ReadsLane), r.Has(amdgpu.Control), !r.VALU() && !r.SALU():
		return e, false
	}
	e = expression{code: op.Code, operands: uint8(op.NumOperands()), aux: op.Aux, props: op.Props, result: op.Result(0).Type}
	for i := range op.NumOperands() {
		x := op.Operand(i)
		if x.Reg == ir.RegExec {
			return e, false
		}
		if c := x.Op(); c != nil && c.Code == amdgpu.PExec {
			return e, false
		}
		e.srcs[i] = x.ID
	}
	return e, true
}

// deadCode erases instructions without effect whose results are not used; an
// ordered load has an effect.
func deadCode(f *ir.Func, sequences []machine.Sequence) {
	ordered := make(map[*ir.Op]bool, len(sequences))
	for i := range sequences {
		ordered[sequences[i].Access] = true
	}
	dead := func(op *ir.Op) bool { return dead(op) && !ordered[op] }
	var work []*ir.Op
	for b := f.LastBlock(); b != nil; b = b.Prev() {
		for op := b.Last(); op != nil; {
			prev := op.Prev()
			if dead(op) {
				work = append(work, op)
			}
			op = prev
		}
	}
	for len(work) > 0 {
		op := work[len(work)-1]
		work = work[:len(work)-1]
		if op.Block() == nil {
			continue
		}
		var sources []*ir.Op
		for i := range op.NumOperands() {
			if d := op.Operand(i).Op(); d != nil {
				sources = append(sources, d)
			}
		}
		op.Erase()
		for _, d := range sources {
			if d.Block() != nil && dead(d) {
				work = append(work, d)
			}
		}
	}
}

// dead reports an instruction that does nothing but compute values nobody uses.
func dead(op *ir.Op) bool {
	if op.Code == builtin.Const {
		return !op.Result(0).HasUses()
	}
	r := amdgpu.RowOf(op.Code)
	if r.Flags&(amdgpu.Control|amdgpu.Branches|amdgpu.Stores|amdgpu.Atomic) != 0 || op.NumResults() == 0 || op.Code == amdgpu.PLivein {
		return false
	}
	for i := range op.NumResults() {
		if v := op.Result(i); v.HasUses() || v.Reg != ir.NoReg {
			return false
		}
	}
	return true
}
