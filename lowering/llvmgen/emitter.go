package llvmgen

import (
	"fmt"

	lir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/ir"
	"pisac/lowering/codeobject"
	"pisac/lowering/llvmgen/llx"
)

// FPAtomics says which floating-point atomics may use the hardware's own.
type FPAtomics uint8

const (
	FPStrict FPAtomics = iota // only those that keep denormals and PISA's NaN rules
	FPFast                    // also those that flush or keep a NaN in memory
)

// SystemAtomics says how read-modify-write operations that PCIe does not carry
// (all but add, sub, exchange and compare-and-swap) are done where the memory
// may be the host's.
type SystemAtomics uint8

const (
	// SystemDefault: a loop of compare-and-swap at scope .system; the native
	// operation for .relaxed, which names no scope.
	SystemDefault SystemAtomics = iota
	// SystemNative: always the native operation.
	SystemNative
	// SystemCAS: the loop also for .relaxed at system scope.
	SystemCAS
)

// Options are the user's choices that reach the generated code.
type Options struct {
	FPAtomics     FPAtomics
	SystemAtomics SystemAtomics
}

// lowering emits the LLVM IR of one op and sets its results.
type lowering func(e *emitter, op *ir.Op)

// lowerings is indexed by ir.Code; the rows stand beside the functions.
var lowerings = mergeRows(
	flowRows, vectorRows, addressRows, accessRows, atomicRows, fenceRows, subgroupRows, specialRows,
	arithRows,
)

func mergeRows(tables ...[]lowering) []lowering {
	var all []lowering
	for _, t := range tables {
		for c, f := range t {
			if f == nil {
				continue
			}
			for len(all) <= c {
				all = append(all, nil)
			}
			if all[c] != nil {
				panic(fmt.Sprintf("llvmgen: two lowerings of op code %d", c))
			}
			all[c] = f
		}
	}
	return all
}

// emitter is the state of one Emit. The embedded Builder stands at the end of
// the LLVM block that is being filled.
type emitter struct {
	*llx.Builder
	mod   *ir.Module
	t     *target.Target
	opts  Options
	diags *ir.Diags

	funcs   []*lir.Func   // by ir.Aux
	vars    []value.Value // by ir.Aux: address of a module-scope or shared or const variable
	globals []varGlobal
	calls   *callGraph
	dropped map[*ir.Func]bool // functions that get no code
	sregs   sregUse           // special registers read anywhere in the module
	oneWave bool              // some kernel's work-group fits in a wave
	names   *codeobject.Names
	lib     *library // arithmetic in functions of its own; nil until needed

	// Of the function being emitted:
	fn     *ir.Func
	vals   []value.Value             // by Value.ID
	ptrs   []value.Value             // by Value.ID: the value as a pointer, if known
	first  []*lir.Block              // by Block.ID: the LLVM block that begins it; nil if unreachable
	last   []*lir.Block              // by Block.ID: the one that ends it
	params []value.Value             // kernel: pointer to each parameter
	early  map[paramLoad]value.Value // parameters that the entry loads
	stale  map[*ir.Op]bool           // barriers that discard the cache; nil if not known yet
	locals map[ir.Aux]value.Value    // .private variables
	merged map[*ir.Op][]value.Value  // arguments of a cond_br whose successors are one block
}

// val returns the LLVM value of v: an integer, a vector of integers or an i1.
func (e *emitter) val(v *ir.Value) value.Value {
	if x := e.vals[v.ID]; x != nil {
		return x
	}
	if p := e.ptrs[v.ID]; p != nil {
		return e.addrInt(p)
	}
	panic(fmt.Sprintf("llvmgen: @%s: value %d is used before it is emitted", e.fn.Name, v.ID))
}

// arg is val of operand i.
func (e *emitter) arg(op *ir.Op, i int) value.Value { return e.val(op.Operand(i)) }

// set gives result i of op its LLVM value.
func (e *emitter) set(op *ir.Op, i int, x value.Value) {
	r := op.Result(i)
	if want := llType(r.Type); !x.Type().Equal(want) {
		panic(fmt.Sprintf("llvmgen: @%s: %s: result is %s, not %s", e.fn.Name, op.Def().Name, x.Type(), want))
	}
	e.vals[r.ID] = x
}

// llType is the LLVM type of a register type.
func llType(t ir.Type) types.Type {
	if t == ir.None {
		return types.Void
	}
	elem := bitsType(t.ElemBits())
	if n := t.Lanes(); n > 1 {
		return llx.Vec(n, elem)
	}
	return elem
}

// bitsType is iN.
func bitsType(n int) *types.IntType {
	switch n {
	case 1:
		return types.I1
	case 8:
		return types.I8
	case 16:
		return types.I16
	case 32:
		return types.I32
	case 64:
		return types.I64
	case 128:
		return types.I128
	}
	panic(fmt.Sprintf("llvmgen: no integer of %d bits", n))
}

// constOf returns the value of v if it is a builtin.const.
func constOf(v *ir.Value) (uint64, bool) { return builtin.IsConst(v) }

// errorf reports that op cannot be compiled.
func (e *emitter) errorf(op *ir.Op, code, format string, args ...any) {
	e.diags.Error(op.Loc, 0, code, fmt.Sprintf(format, args...))
}

// undefResults gives every result of op an arbitrary value, so that emission
// can go on after an error.
func (e *emitter) undefResults(op *ir.Op) {
	for i := range op.NumResults() {
		e.set(op, i, llx.Zero(llType(op.Result(i).Type)))
	}
}

func vals(v ...value.Value) []value.Value { return v }
