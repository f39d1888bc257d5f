package llvmgen

import (
	"fmt"
	"math"

	lir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/amdgpu/target"
	"pisac/lowering/llvmgen/llx"
)

// seq builds the arithmetic of single PISA instructions. The same code serves
// inside a kernel and inside the functions of a library.
type seq struct {
	*llx.Builder
	lib *library
}

// library holds the internal, always inlined functions for arithmetic that
// takes many instructions. Each is added to the module on first use.
type library struct {
	// attrs go on every function: they must agree with the callers', or LLVM
	// would evaluate the body under another float mode.
	attrs  []lir.FuncAttribute
	unique func(name string) string // name, or one like it that no symbol has
	funcs  map[string]*lir.Func
	t      *target.Target // nil: no features
}

func newLibrary(attrs []lir.FuncAttribute, unique func(string) string) *library {
	return &library{attrs: attrs, unique: unique, funcs: map[string]*lir.Func{}}
}

// shared calls the library function of that name; body builds it if it is not
// there yet.
func (q *seq) shared(name string, ret types.Type, args []value.Value, body func(q *seq, args []value.Value) value.Value) value.Value {
	f := q.lib.funcs[name]
	if f == nil {
		f = q.define(name, ret, args)
		q.lib.funcs[name] = f
		caller, at := q.F, q.Block
		q.F = f
		q.At(f.NewBlock(""))
		params := make([]value.Value, len(f.Params))
		for i, p := range f.Params {
			params[i] = p
		}
		q.Ret(body(q, params))
		q.F = caller
		q.At(at)
	}
	return q.Call(f, args)
}

func (q *seq) define(name string, ret types.Type, args []value.Value) *lir.Func {
	params := make([]*lir.Param, len(args))
	for i, a := range args {
		params[i] = lir.NewParam("", a.Type())
	}
	f := q.M.NewFunc(q.lib.unique(name), ret, params...)
	f.Linkage = enum.LinkageInternal
	f.FuncAttrs = append(f.FuncAttrs, enum.FuncAttrAlwaysInline)
	f.FuncAttrs = append(f.FuncAttrs, q.lib.attrs...)
	return f
}

// intr calls an intrinsic overloaded on the type of its first argument, which is
// also the type of its result. Arguments of type i1 may follow.
func (q *seq) intr(base string, args ...value.Value) value.Value {
	t := args[0].Type()
	return q.Intrinsic("llvm."+base+"."+mangle(t), t, args)
}

// mangle is the suffix that LLVM gives an overloaded intrinsic for type t.
func mangle(t types.Type) string {
	switch t := t.(type) {
	case *types.IntType:
		return fmt.Sprintf("i%d", t.BitSize)
	case *types.FloatType:
		return fmt.Sprintf("f%d", floatWidth(t))
	case *types.VectorType:
		return fmt.Sprintf("v%d%s", t.Len, mangle(t.ElemType))
	}
	panic("llvmgen: no intrinsic suffix for " + t.String())
}

func floatWidth(t *types.FloatType) int {
	switch t.Kind {
	case types.FloatKindHalf:
		return 16
	case types.FloatKindFloat:
		return 32
	case types.FloatKindDouble:
		return 64
	}
	panic("llvmgen: no arithmetic on " + t.String())
}

// kt is the integer constant v of type t; a vector has v in every element.
func kt(t types.Type, v uint64) constant.Constant {
	return llx.Splat(t, llx.Int(llx.Elem(t).(*types.IntType), v))
}

// k is the integer constant v of the type of like.
func k(like value.Value, v uint64) constant.Constant { return kt(like.Type(), v) }

// kf is the float or double constant v, which must be exact in t.
func kf(t types.Type, v float64) value.Value {
	if llx.Elem(t).Equal(types.Float) {
		return llx.Splat(t, llx.FloatBits(math.Float32bits(float32(v))))
	}
	return llx.Splat(t, llx.DoubleBits(math.Float64bits(v)))
}

// shaped is t for a scalar x, and the vector of t with x's element count for a
// vector.
func shaped(x value.Value, t types.Type) types.Type {
	if n := llx.VecLen(x.Type()); n != 0 {
		return llx.Vec(n, t)
	}
	return t
}

// width is the number of bits of a scalar or of one element.
func width(x value.Value) int {
	switch t := llx.Elem(x.Type()).(type) {
	case *types.IntType:
		return int(t.BitSize)
	case *types.FloatType:
		return floatWidth(t)
	}
	panic("llvmgen: no width of " + x.Type().String())
}

// resize truncates or zero-extends an integer.
func (q *seq) resize(x value.Value, t *types.IntType) value.Value {
	switch from := width(x); {
	case from < int(t.BitSize):
		return q.ZExt(x, t)
	case from > int(t.BitSize):
		return q.Trunc(x, t)
	}
	return x
}

// bits is a float's bit pattern as an integer.
func (q *seq) bits(x value.Value) value.Value { return q.Bitcast(x, shaped(x, bitsType(width(x)))) }

func (q *seq) eq(x, y value.Value) value.Value { return q.ICmp(enum.IPredEQ, x, y) }
func (q *seq) ne(x, y value.Value) value.Value { return q.ICmp(enum.IPredNE, x, y) }

func (q *seq) umin(x, y value.Value) value.Value { return q.intr("umin", x, y) }
func (q *seq) umax(x, y value.Value) value.Value { return q.intr("umax", x, y) }
func (q *seq) smin(x, y value.Value) value.Value { return q.intr("smin", x, y) }
func (q *seq) smax(x, y value.Value) value.Value { return q.intr("smax", x, y) }

// ctlz counts leading zeros; of 0 it is the width.
func (q *seq) ctlz(x value.Value) value.Value { return q.intr("ctlz", x, llx.I1(false)) }

func (q *seq) fma(x, y, z value.Value) value.Value { return q.intr("fma", x, y, z) }
func (q *seq) fabs(x value.Value) value.Value      { return q.intr("fabs", x) }
func (q *seq) sqrt(x value.Value) value.Value      { return q.intr("sqrt", x) }
