package llvmgen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa"
	"pisac/lowering/llvmgen/llx"
)

// Floating-point comparison, minimum and maximum by integer operations, for the
// loops and reductions: exact in all cases, whatever the mode register says,
// and with -0 < +0. Values are the bits; vectors work element by element.

// floatFormat is what the bits of a format mean.
type floatFormat struct {
	bits             int
	sign, inf, quiet uint64
}

func formatOf(t pisa.DType) floatFormat {
	switch t.Info().Elem {
	case pisa.HF:
		return floatFormat{16, 1 << 15, 0x7c00, 1 << 9}
	case pisa.BF:
		return floatFormat{16, 1 << 15, 0x7f80, 1 << 6}
	case pisa.F:
		return floatFormat{32, 1 << 31, 0x7f800000, 1 << 22}
	case pisa.DF:
		return floatFormat{64, 1 << 63, 0x7ff << 52, 1 << 51}
	}
	panic("llvmgen: not a floating-point type: " + t.String())
}

// like is the constant c in the shape of v.
func like(v value.Value, c uint64) value.Value {
	t := v.Type()
	return llx.Splat(t, llx.Int(llx.Elem(t).(*types.IntType), c))
}

// magnitude clears the sign bit.
func (e *emitter) magnitude(f floatFormat, x value.Value) value.Value {
	return e.And(x, like(x, f.sign-1))
}

// isNaN is |x| > inf.
func (e *emitter) isNaN(f floatFormat, x value.Value) value.Value {
	m := e.magnitude(f, x)
	return e.ICmp(enum.IPredUGT, m, like(m, f.inf))
}

// floatBitsEqual is floating-point equality: +0 equals -0, a NaN nothing.
func (e *emitter) floatBitsEqual(t pisa.DType, x, y value.Value) value.Value {
	f := formatOf(t)
	same := e.And(e.ICmp(enum.IPredEQ, x, y), e.Not(e.isNaN(f, x)))
	zeros := e.magnitude(f, e.Or(x, y))
	return e.Or(same, e.ICmp(enum.IPredEQ, zeros, like(zeros, 0)))
}

// orderKey maps the bits of numbers to integers of the same signed order:
// x < 0 ? x ^ 0x7f…f : x.
func (e *emitter) orderKey(f floatFormat, x value.Value) value.Value {
	neg := e.AShr(x, like(x, uint64(f.bits-1)))
	return e.Xor(x, e.And(neg, like(x, f.sign-1)))
}

// minMaxNumber is fmin or fmax without .nanp (PISA 2.8, 2.9): IEEE 754-2019
// minimumNumber and maximumNumber. One NaN gives way to a number; of two, one
// is given, quiet.
func (e *emitter) minMaxNumber(t pisa.DType, max bool, x, y value.Value) value.Value {
	f := formatOf(t)
	better := e.ICmp(cmpFor(max), e.orderKey(f, x), e.orderKey(f, y))
	xn, yn := e.isNaN(f, x), e.isNaN(f, y)
	r := e.Select(better, x, y)
	r = e.Select(xn, y, r)
	r = e.Select(yn, x, r)
	return e.Select(e.And(xn, yn), e.Or(x, like(x, f.quiet)), r)
}

// minMaxNaN is fmin or fmax with .nanp: IEEE 754-2019 minimum and maximum. Any
// NaN is given, quiet.
func (e *emitter) minMaxNaN(t pisa.DType, max bool, x, y value.Value) value.Value {
	f := formatOf(t)
	better := e.ICmp(cmpFor(max), e.orderKey(f, x), e.orderKey(f, y))
	r := e.Select(better, x, y)
	r = e.Select(e.isNaN(f, y), e.Or(y, like(y, f.quiet)), r)
	return e.Select(e.isNaN(f, x), e.Or(x, like(x, f.quiet)), r)
}

func cmpFor(max bool) enum.IPred {
	if max {
		return enum.IPredSGT
	}
	return enum.IPredSLT
}

// floatAtomicResult is the value that fatom stores: fmin and fmax as without
// .nanp, sums rounded to nearest even with denormals kept (PISA 8.1).
func (e *emitter) floatAtomicResult(kind pisa.AtomicOp, t pisa.DType, old, src value.Value) value.Value {
	switch kind {
	case pisa.AtomMin, pisa.AtomMax:
		return e.minMaxNumber(t, kind == pisa.AtomMax, old, src)
	case pisa.AtomSub:
		src = e.Xor(src, like(src, formatOf(t).sign))
	}
	return e.addNearest(t, old, src)
}

// addNearest is the sum of x and y rounded to nearest even. The sum of two
// bfloats is exact enough in float (24 ≥ 2·8+2 bits) that rounding twice is
// rounding once.
func (e *emitter) addNearest(t pisa.DType, x, y value.Value) value.Value {
	if t != pisa.BF {
		ft := floatType(t)
		return e.Bitcast(e.FAdd(e.Bitcast(x, ft), e.Bitcast(y, ft)), x.Type())
	}
	widen := func(v value.Value) value.Value {
		return e.Bitcast(e.Shl(e.ZExt(v, types.I32), llx.I32(16)), types.Float)
	}
	w := e.Bitcast(e.FAdd(widen(x), widen(y)), types.I32)
	odd := e.And(e.LShr(w, llx.I32(16)), llx.I32(1))
	rounded := e.Add(w, e.Add(odd, llx.I32(0x7fff)))
	nan := e.isNaN(formatOf(pisa.F), w)
	r := e.Select(nan, e.Or(w, llx.I32(0x400000)), rounded)
	return e.Trunc(e.LShr(r, llx.I32(16)), types.I16)
}
