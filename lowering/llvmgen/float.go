package llvmgen

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa/fp"
	"pisac/lowering/llvmgen/llx"
)

// odd is a rounding mode that PISA has not: an inexact result goes to the
// neighbour with an odd last bit. Rounding such a result again, to two bits less
// or fewer, in any mode is as good as rounding once.
const odd = fp.RNA + 1

// modeName names a mode in the names of library functions.
func modeName(r fp.Round) string {
	if r == odd {
		return "odd"
	}
	return r.String()
}

// numType is LLVM's type of the numbers that arithmetic on f is done on. LLVM
// 19 has no bfloat arithmetic on gfx9 and gfx11: a bf is computed on as the
// float whose upper half it is.
func numType(f fp.Format) types.Type {
	switch f {
	case fp.HF:
		return types.Half
	case fp.DF:
		return types.Double
	}
	return types.Float
}

// regType is the integer that holds an f.
func regType(f fp.Format) *types.IntType { return bitsType(f.Bits()) }

// quiet is the bit that is set in a quiet NaN; magnitude is all but the sign.
func quiet(f fp.Format) uint64     { return 1 << (f.Mantissa() - 1) }
func magnitude(f fp.Format) uint64 { return f.SignBit() - 1 }

// value turns a register's bits into a value to compute on.
func (q *seq) value(f fp.Format, bits value.Value) value.Value {
	if f == fp.BF {
		w := q.ZExt(bits, shaped(bits, types.I32))
		return q.Bitcast(q.Shl(w, k(w, 16)), shaped(bits, types.Float))
	}
	return q.Bitcast(bits, shaped(bits, numType(f)))
}

// register turns a computed value into a register's bits. A bf is rounded to
// nearest even from its float, which is right for whatever one addition,
// multiplication, division or square root of bf values gave: 24 bits hold twice
// the 8 of bf and two more.
func (q *seq) register(f fp.Format, v value.Value) value.Value {
	if f == fp.BF {
		return q.toBF(fp.RE, v)
	}
	return q.Bitcast(v, shaped(v, regType(f)))
}

// flush replaces a denormal by the zero of its sign.
func (q *seq) flush(f fp.Format, bits value.Value) value.Value {
	exp := q.And(bits, k(bits, f.Inf()))
	return q.Select(q.eq(exp, k(bits, 0)), q.And(bits, k(bits, f.SignBit())), bits)
}

// source is flush for an instruction with .ftz, and nothing for another.
func (q *seq) source(f fp.Format, m fp.Mode, bits value.Value) value.Value {
	if m.FTZ {
		return q.flush(f, bits)
	}
	return bits
}

// result applies .ftz and .dsat to a rounded result.
func (q *seq) result(f fp.Format, m fp.Mode, bits value.Value) value.Value {
	if m.FTZ {
		bits = q.flush(f, bits)
	}
	if m.DSat {
		bits = q.clamp01(f, bits)
	}
	return bits
}

// clamp01 clamps to [0,1]; NaN and both zeros give +0. As integers: a negative
// float is a negative integer, and 0 ≤ x ≤ 1 is an unsigned comparison.
func (q *seq) clamp01(f fp.Format, bits value.Value) value.Value {
	r := q.smin(bits, k(bits, f.One()))
	r = q.smax(r, k(bits, 0))
	return q.Select(q.isNaN(f, bits), k(bits, 0), r)
}

// isNaN tests a register's bits.
func (q *seq) isNaN(f fp.Format, bits value.Value) value.Value {
	return q.ICmp(enum.IPredUGT, q.And(bits, k(bits, magnitude(f))), k(bits, f.Inf()))
}

// absolute is fabs: the sign is cleared and a signalling NaN made quiet.
func (q *seq) absolute(f fp.Format, m fp.Mode, a value.Value) value.Value {
	x := q.And(a, k(a, magnitude(f)))
	if m.FTZ {
		x = q.flush(f, x)
	}
	nan := q.ICmp(enum.IPredUGT, x, k(a, f.Inf()))
	return q.Select(nan, q.Or(x, k(a, quiet(f))), x)
}

// negate is fneg: only the sign changes, of a NaN too.
func (q *seq) negate(f fp.Format, m fp.Mode, a value.Value) value.Value {
	return q.Xor(q.source(f, m, a), k(a, f.SignBit()))
}

// floatOp is an operation that rounds.
type floatOp struct {
	name string
	// near computes on numbers, or vectors of them, to nearest even; register
	// makes the result of it.
	near func(q *seq, f fp.Format, x []value.Value) value.Value
	// any computes on numbers in any mode and gives register bits.
	any func(q *seq, f fp.Format, r fp.Round, x []value.Value) value.Value
}

var fadd = &floatOp{
	name: "fadd",
	near: func(q *seq, f fp.Format, x []value.Value) value.Value { return q.FAdd(x[0], x[1]) },
	any: func(q *seq, f fp.Format, r fp.Round, x []value.Value) value.Value {
		if f == fp.BF {
			return q.toBF(r, q.sum(odd, r == fp.RD, x[0], x[1]))
		}
		return q.bits(q.sum(r, r == fp.RD, x[0], x[1]))
	},
}

var fmul = &floatOp{
	name: "fmul",
	near: func(q *seq, f fp.Format, x []value.Value) value.Value { return q.FMul(x[0], x[1]) },
	any: func(q *seq, f fp.Format, r fp.Round, x []value.Value) value.Value {
		if f == fp.DF { // adding a zero of the product's sign changes nothing
			sign := q.And(q.Xor(q.bits(x[0]), q.bits(x[1])), i64(dfSign))
			return q.bits(q.fmaDF(r, x[0], x[1], q.Bitcast(sign, types.Double)))
		}
		return q.narrow(f, r, q.product(f, x))
	},
}

// product is the exact product of two numbers of a format below df.
func (q *seq) product(f fp.Format, x []value.Value) value.Value {
	t := exactProduct(f)
	return q.FMul(q.FPExt(x[0], t), q.FPExt(x[1], t))
}

// exactProduct is a type with room for all digits and exponents of a product:
// float for the 22 bits of two hf, double for f, and for bf, which has the
// exponents of f.
func exactProduct(f fp.Format) types.Type {
	if f == fp.HF {
		return types.Float
	}
	return types.Double
}

var fmad = &floatOp{
	name: "fmad",
	near: func(q *seq, f fp.Format, x []value.Value) value.Value { return q.fma(x[0], x[1], x[2]) },
	any: func(q *seq, f fp.Format, r fp.Round, x []value.Value) value.Value {
		if f == fp.DF {
			return q.bits(q.fmaDF(r, x[0], x[1], x[2]))
		}
		if f == fp.BF {
			return q.toBF(r, q.madBF(r == fp.RD, x[0], x[1], x[2]))
		}
		// The sum, rounded to odd in the product's format, stands for the exact one.
		p := q.product(f, x)
		return q.narrow(f, r, q.sum(odd, r == fp.RD, p, q.FPExt(x[2], p.Type())))
	},
}

// madBF is a·b+c for three bf, as a float rounded to odd. zeroDown is as for sum.
func (q *seq) madBF(zeroDown bool, a, b, c value.Value) value.Value {
	// Unless it is out of a float's range the product is exact in one, which most
	// targets compute on many times faster than on a double.
	p := q.FMul(a, b)
	zero, inf := kf(types.Float, 0), kf(types.Float, math.Inf(1))
	factors := func(p enum.FPred, y value.Value) value.Value {
		return q.And(q.FCmp(p, q.fabs(a), y), q.FCmp(p, q.fabs(b), y))
	}
	size := q.fabs(p)
	under := q.And(q.FCmp(enum.FPredOLT, size, kf(types.Float, 0x1p-126)), factors(enum.FPredONE, zero))
	over := q.And(q.FCmp(enum.FPredOEQ, size, inf), factors(enum.FPredOLT, inf))
	near := q.Block
	exact, join := q.NewBlock(""), q.NewBlock("")
	sum := q.sum(odd, zeroDown, p, c)
	q.CondBr(q.Or(under, over), exact, join)
	q.At(exact)
	d := q.product(fp.BF, []value.Value{a, b})
	wide := q.narrow(fp.F, odd, q.sum(odd, zeroDown, d, q.FPExt(c, types.Double)))
	wide = q.Bitcast(wide, types.Float)
	q.Br(join)
	q.At(join)
	r := q.Phi(types.Float)
	llx.AddIncoming(r, sum, near)
	llx.AddIncoming(r, wide, exact)
	return r
}

var fdiv = &floatOp{
	name: "fdiv",
	near: func(q *seq, f fp.Format, x []value.Value) value.Value {
		if f != fp.HF {
			return q.FDiv(x[0], x[1])
		}
		// LLVM 19's own half division rounds an approximate quotient. This one
		// rounds twice, harmlessly: 24 bits are twice 11 and two.
		t := shaped(x[0], types.Float)
		return q.FPTrunc(q.FDiv(q.FPExt(x[0], t), q.FPExt(x[1], t)), x[0].Type())
	},
	any: func(q *seq, f fp.Format, r fp.Round, x []value.Value) value.Value {
		if f == fp.DF {
			return q.bits(q.divDF(r, x[0], x[1]))
		}
		// A quotient of 24-bit numbers is a 25-bit number, or at least 2^-50 of
		// itself away from every one. So the double quotient lies on the same side
		// of all places where rounding turns.
		return q.narrow(f, r, q.FDiv(q.FPExt(x[0], types.Double), q.FPExt(x[1], types.Double)))
	},
}

var fsqrt = &floatOp{
	name: "fsqrt",
	near: func(q *seq, f fp.Format, x []value.Value) value.Value {
		if f != fp.HF {
			return q.sqrt(x[0])
		}
		return q.FPTrunc(q.sqrt(q.FPExt(x[0], shaped(x[0], types.Float))), x[0].Type())
	},
	any: func(q *seq, f fp.Format, r fp.Round, x []value.Value) value.Value {
		if f == fp.DF {
			return q.bits(q.sqrtDF(r, x[0]))
		}
		return q.narrow(f, r, q.sqrt(q.FPExt(x[0], types.Double))) // as for fdiv
	},
}

// float applies op to registers of format f, scalar or packed.
func (q *seq) float(op *floatOp, f fp.Format, m fp.Mode, x ...value.Value) value.Value {
	in := make([]value.Value, len(x))
	for i := range x {
		in[i] = q.source(f, m, x[i])
	}
	// Of three bf the float that near computes is not precise enough to be rounded
	// again, as register does.
	if m.Round == fp.RE && (f != fp.BF || len(x) < 3) {
		return q.result(f, m, q.register(f, op.near(q, f, q.values(f, in))))
	}
	r := q.each(in, func(lane []value.Value) value.Value {
		name := "pisa." + op.name + "." + m.Round.String() + "." + f.String()
		return q.shared(name, regType(f), lane, func(q *seq, y []value.Value) value.Value {
			return op.any(q, f, m.Round, q.values(f, y))
		})
	})
	return q.result(f, m, r)
}

func (q *seq) values(f fp.Format, bits []value.Value) []value.Value {
	v := make([]value.Value, len(bits))
	for i := range bits {
		v[i] = q.value(f, bits[i])
	}
	return v
}

// each applies fn to x, or to the elements of x where they are vectors.
func (q *seq) each(x []value.Value, fn func(lane []value.Value) value.Value) value.Value {
	n := llx.VecLen(x[0].Type())
	if n == 0 {
		return fn(x)
	}
	var r value.Value
	for i := range n {
		lane := make([]value.Value, len(x))
		for j := range x {
			lane[j] = q.Extract(x[j], i)
		}
		e := fn(lane)
		if r == nil {
			r = llx.Poison(llx.Vec(n, e.Type()))
		}
		r = q.Insert(r, e, i)
	}
	return r
}

// sub is fsub: a + -b is the same number in every mode.
func (q *seq) fsub(f fp.Format, m fp.Mode, a, b value.Value) value.Value {
	return q.float(fadd, f, m, a, q.Xor(b, k(b, f.SignBit())))
}

// mulFullFloat is fmul.full: the product of two bf or hf as an f.
func (q *seq) mulFullFloat(f fp.Format, m fp.Mode, a, b value.Value) value.Value {
	x, y := q.value(f, q.source(f, m, a)), q.value(f, q.source(f, m, b))
	var r value.Value
	if f == fp.BF && m.Round == fp.RE {
		r = q.bits(q.FMul(x, y))
	} else {
		r = q.narrow(fp.F, m.Round, q.product(f, []value.Value{x, y}))
	}
	return q.result(fp.F, m, r)
}
