package isel

import (
	"sync"

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

// expressions is the instructions of a block by what they compute: a hash table
// with chains, of which only what was used is cleared.
type expressions struct {
	heads []int32 // 1 + index into all; the number of heads is a power of two
	all   []knownOp
}

// tables keeps memory from function to function.
var tables = sync.Pool{New: func() any { return &expressions{} }}

type knownOp struct {
	expression
	hash uint32
	next int32
	op   *ir.Op
}

func (e *expression) hash() uint32 {
	h := uint64(e.code)<<8 + uint64(e.operands) + uint64(e.aux)<<32 + e.props*0x9e3779b97f4a7c15 + uint64(e.result)<<16
	for _, x := range e.srcs {
		h = (h ^ uint64(x)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return uint32(h >> 32)
}

// find returns the instruction that computes e, or enters op as such.
func (t *expressions) find(e *expression, op *ir.Op) *ir.Op {
	if len(t.all) >= len(t.heads) {
		t.grow()
	}
	h := e.hash()
	head := &t.heads[h&uint32(len(t.heads)-1)]
	for i := *head; i != 0; i = t.all[i-1].next {
		if c := &t.all[i-1]; c.hash == h && c.expression == *e {
			return c.op
		}
	}
	t.all = append(t.all, knownOp{*e, h, *head, op})
	*head = int32(len(t.all))
	return nil
}

func (t *expressions) grow() {
	t.heads = make([]int32, max(64, 2*len(t.heads)))
	for i := range t.all {
		c := &t.all[i]
		head := &t.heads[c.hash&uint32(len(t.heads)-1)]
		c.next, *head = *head, int32(i+1)
	}
}

func (t *expressions) clear() {
	for i := range t.all {
		t.heads[t.all[i].hash&uint32(len(t.heads)-1)] = 0
	}
	t.all = t.all[:0]
}

// commonCode replaces instructions that compute what one before them in the
// block did: addresses above all, which each access sums up for itself.
func commonCode(f *ir.Func) {
	seen := tables.Get().(*expressions)
	defer tables.Put(seen)
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		seen.clear()
		for op := b.First(); op != nil; {
			next := op.Next()
			if e, ok := expressionOf(op); ok {
				if same := seen.find(&e, op); same != nil {
					for i := range op.NumResults() {
						op.Result(i).ReplaceUses(same.Result(i))
					}
					op.Erase()
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
	var ordered map[*ir.Op]bool
	if len(sequences) > 0 {
		ordered = make(map[*ir.Op]bool, len(sequences))
	}
	for i := range sequences {
		ordered[sequences[i].Access] = true
	}
	dead := func(op *ir.Op) bool { return dead(op) && (ordered == nil || !ordered[op]) }
	var work, sources []*ir.Op
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
		sources = sources[:0]
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
