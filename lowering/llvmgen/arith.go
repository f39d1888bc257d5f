package llvmgen

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// arithRows are the lowerings of integer, logic, floating-point, conversion,
// comparison and packed ops (PISA 1 to 5).
var arithRows = []lowering{
	pisa.Dp4a: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		s := pisa.Sign(pisa.OpOf(p))
		return q.dp4a(s == pisa.SignSS || s == pisa.SignSU, s == pisa.SignSS || s == pisa.SignUS, pisa.Has(p, pisa.FDsat), x[0], x[1], x[2])
	}),
	pisa.IAbs: pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.iabs(x[0]) }),
	pisa.IAdd: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		if pisa.Has(p, pisa.FDsat) {
			return q.addSat(x[0], x[1])
		}
		return q.Add(x[0], x[1])
	}),
	pisa.INeg: pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.Neg(x[0]) }),
	pisa.ISub: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		if pisa.Has(p, pisa.FDsat) {
			return q.subSat(x[0], x[1])
		}
		return q.Sub(x[0], x[1])
	}),
	pisa.SDiv:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.divide(true, isRem(p), x[0], x[1]) }),
	pisa.SMad:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.Add(q.multiply(true, p, x), x[2]) }),
	pisa.SMax:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.smax(x[0], x[1]) }),
	pisa.SMin:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.smin(x[0], x[1]) }),
	pisa.SMul:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.multiply(true, p, x) }),
	pisa.UAddC: carry((*seq).addCarry),
	pisa.USubB: carry((*seq).subBorrow),
	pisa.UDiv:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.divide(false, isRem(p), x[0], x[1]) }),
	pisa.UMad:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.Add(q.multiply(false, p, x), x[2]) }),
	pisa.UMax:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.umax(x[0], x[1]) }),
	pisa.UMin:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.umin(x[0], x[1]) }),
	pisa.UMul:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.multiply(false, p, x) }),

	pisa.FAbs:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.absolute(formatIn(p), modeOf(p), x[0]) }),
	pisa.FAdd:  rounds(fadd),
	pisa.FCos:  computes(fcos),
	pisa.FDiv:  rounds(fdiv), // .fast is .re: it meets every bound
	pisa.FExp2: computes(fexp2),
	pisa.FLog2: computes(flog2),
	pisa.FMad:  rounds(fmad),
	pisa.FMax: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		return q.fminmax(formatIn(p), true, pisa.Has(p, pisa.FNanp), modeOf(p), x[0], x[1])
	}),
	pisa.FMin: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		return q.fminmax(formatIn(p), false, pisa.Has(p, pisa.FNanp), modeOf(p), x[0], x[1])
	}),
	pisa.FMul: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		if pisa.Has(p, pisa.FFull) {
			return q.mulFullFloat(formatIn(p), modeOf(p), x[0], x[1])
		}
		return q.float(fmul, formatIn(p), modeOf(p), x...)
	}),
	pisa.FNeg: pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.negate(formatIn(p), modeOf(p), x[0]) }),
	pisa.FRc:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.frc(modeOf(p), x[0]) }),
	pisa.FRcp: pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.frcp(formatIn(p), modeOf(p), x[0]) }),
	pisa.FRsqrt: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		return q.frsqrt(formatIn(p), modeOf(p), x[0])
	}),
	pisa.FSin:  computes(fsin),
	pisa.FSqrt: rounds(fsqrt),
	pisa.FSub: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		return q.fsub(formatIn(p), modeOf(p), x[0], x[1])
	}),
	pisa.FTanh: computes(ftanh),

	pisa.And:   pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.And(x[0], x[1]) }),
	pisa.Asr:   shifts(shiftRightSigned),
	pisa.Bfi:   pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.bfi(x[0], x[1], x[2], x[3]) }),
	pisa.Bfn:   pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.bfn(pisa.OpOf(p), x...) }),
	pisa.Bfrev: pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.intr("bitreverse", x[0]) }),
	pisa.Cbit:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.intr("ctpop", x[0]) }),
	pisa.Fbh:   pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.findBit("ctlz", x[0]) }),
	pisa.Fbl:   pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.findBit("cttz", x[0]) }),
	pisa.Not:   pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.Not(x[0]) }),
	pisa.Or:    pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.Or(x[0], x[1]) }),
	pisa.Sbfe:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.bfe(true, x[0], x[1], x[2]) }),
	pisa.Shr:   shifts(shiftRight),
	pisa.Shl:   shifts(shiftLeft),
	pisa.Shf: pure(func(q *seq, p uint64, x []value.Value) value.Value { // LLVM takes the amount modulo 32 too
		if pisa.OpOf(p) == pisa.DirL {
			return q.intr("fshl", x...)
		}
		return q.intr("fshr", x...)
	}),
	pisa.Ubfe: pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.bfe(false, x[0], x[1], x[2]) }),
	pisa.Xor:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.Xor(x[0], x[1]) }),

	pisa.F2I: pure(toInt),
	pisa.FExt: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		return q.fext(formatIn(p), formatFrom(p), x[0])
	}),
	pisa.FRnd: pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.frnd(formatIn(p), modeOf(p), x[0]) }),
	pisa.FTrunc: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		return q.ftrunc(formatIn(p), formatFrom(p), modeOf(p), x[0])
	}),
	pisa.FTrunc2: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		lo := q.ftrunc(formatIn(p), fp.F, modeOf(p), x[0])
		return q.pack2(lo, q.ftrunc(formatIn(p), fp.F, modeOf(p), x[1]))
	}),
	pisa.I2F: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		m := modeOf(p)
		return q.i2f(formatIn(p), pisa.FromOf(p).Info().Signed, m.Round, m.DSat, x[0])
	}),
	pisa.PF2I: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		return q.each(x, func(lane []value.Value) value.Value { return toInt(q, p, lane) })
	}),
	pisa.SExt:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.SExt(x[0], typeTo(p)) }),
	pisa.Trunc: pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.Trunc(x[0], typeTo(p)) }),
	pisa.ZExt:  pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.ZExt(x[0], typeTo(p)) }),

	pisa.SCmp: compares(func(q *seq, p uint64, x []value.Value) value.Value { return q.icompare(true, cmpOf(p), x[0], x[1]) }),
	pisa.UCmp: compares(func(q *seq, p uint64, x []value.Value) value.Value { return q.icompare(false, cmpOf(p), x[0], x[1]) }),
	pisa.FCmp: compares(func(q *seq, p uint64, x []value.Value) value.Value {
		return q.fcompare(formatIn(p), pisa.Has(p, pisa.FFtz), cmpOf(p), x[0], x[1])
	}),
	pisa.Sel: pure(func(q *seq, p uint64, x []value.Value) value.Value {
		c := x[2]
		if !c.Type().Equal(types.I1) {
			c = q.ne(c, k(c, 0))
		}
		return q.Select(c, x[0], x[1])
	}),
}

// pureOp computes the one result of an op with qualifiers p from its operands.
type pureOp func(q *seq, p uint64, x []value.Value) value.Value

func pure(f pureOp) lowering {
	return func(e *emitter, op *ir.Op) { e.set(op, 0, f(e.seq(), op.Props, e.args(op))) }
}

// compares is pure for a comparison, whose result is a predicate or a register.
func compares(f pureOp) lowering {
	return func(e *emitter, op *ir.Op) {
		q := e.seq()
		c := f(q, op.Props, e.args(op))
		if !op.Result(0).Type.IsPred() {
			c = q.mask(c)
		}
		e.set(op, 0, c)
	}
}

func rounds(o *floatOp) lowering {
	return pure(func(q *seq, p uint64, x []value.Value) value.Value { return q.float(o, formatIn(p), modeOf(p), x...) })
}

func computes(fn *unaryFunction) lowering {
	return pure(func(q *seq, p uint64, x []value.Value) value.Value {
		return q.function(fn, formatIn(p), modeOf(p), x[0])
	})
}

func shifts(kind shiftKind) lowering {
	return pure(func(q *seq, p uint64, x []value.Value) value.Value {
		if pisa.TypeOf(p).Packed() {
			return q.shiftPacked(kind, x[0], x[1])
		}
		return q.shift(kind, x[0], x[1])
	})
}

// carry is uaddc and usubb: a carry in, a carry out, or both.
func carry(f func(q *seq, x, y, in value.Value) (r, out value.Value)) lowering {
	return func(e *emitter, op *ir.Op) {
		x := e.args(op)
		if len(x) == 2 {
			x = append(x, nil)
		}
		r, out := f(e.seq(), x[0], x[1], x[2])
		e.set(op, 0, r)
		if op.NumResults() == 2 {
			e.set(op, 1, out)
		}
	}
}

// toInt is f2i, and pf2i on one element.
func toInt(q *seq, p uint64, x []value.Value) value.Value {
	t := pisa.TypeOf(p).Info().Elem.Info()
	return q.f2i(t.Bits, t.Signed, formatFrom(p), modeOf(p).Round, x[0])
}

// multiply is smul and umul.
func (q *seq) multiply(signed bool, p uint64, x []value.Value) value.Value {
	if pisa.Has(p, pisa.FFull) {
		return q.mulFull(signed, x[0], x[1])
	}
	return q.Mul(x[0], x[1])
}

// seq returns what the lowerings of arithmetic build on.
func (e *emitter) seq() *seq {
	if e.lib == nil {
		e.lib = newLibrary(e.funcAttrs(), e.names.Unique)
		e.lib.t = e.t
	}
	return &seq{e.Builder, e.lib}
}

// args returns the values of all operands.
func (e *emitter) args(op *ir.Op) []value.Value {
	x := make([]value.Value, op.NumOperands())
	for i := range x {
		x[i] = e.arg(op, i)
	}
	return x
}

func isRem(p uint64) bool            { return pisa.OpOf(p) == pisa.OutRem }
func cmpOf(p uint64) pisa.Cmp        { return pisa.Cmp(pisa.OpOf(p)) }
func typeTo(p uint64) *types.IntType { return bitsType(pisa.TypeOf(p).Info().Bits) }

// modeOf reads the qualifiers of rounding, flushing and clamping.
func modeOf(p uint64) fp.Mode {
	return fp.Mode{Round: fp.Round(pisa.RoundOf(p)), FTZ: pisa.Has(p, pisa.FFtz), DSat: pisa.Has(p, pisa.FDsat)}
}

// formatIn and formatFrom are the formats of .type or .to, and of .from; of the
// elements for packed types.
func formatIn(p uint64) fp.Format   { return pisa.TypeOf(p).Format() }
func formatFrom(p uint64) fp.Format { return pisa.FromOf(p).Format() }
