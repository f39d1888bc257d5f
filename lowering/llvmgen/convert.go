package llvmgen

import (
	"fmt"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa/fp"
	"pisac/lowering/llvmgen/llx"
)

// Conversions (PISA 4).

// integral rounds a float or double to an integral value; the sign of a zero
// stays.
func (q *seq) integral(m fp.Round, x value.Value) value.Value {
	switch m {
	case fp.RD:
		return q.intr("floor", x)
	case fp.RU:
		return q.intr("ceil", x)
	case fp.RZ:
		return q.intr("trunc", x)
	case fp.RE:
		return q.intr("roundeven", x)
	}
	t := q.intr("trunc", x)
	far := q.FCmp(enum.FPredOGE, q.fabs(q.FSub(x, t)), kf(x.Type(), 0.5)) // exact
	step := q.Select(far, kf(x.Type(), 1), kf(x.Type(), 0))
	return q.FAdd(t, q.intr("copysign", step, x))
}

// wide is value in a format that LLVM 19 rounds and converts without fault: a
// float instead of a half.
func (q *seq) wide(f fp.Format, bits value.Value) value.Value {
	v := q.value(f, bits)
	if f == fp.HF {
		return q.FPExt(v, shaped(v, types.Float))
	}
	return v
}

// frnd rounds to an integral float. Such a number has no more digits than its
// source, so the way back is exact.
func (q *seq) frnd(f fp.Format, m fp.Mode, a value.Value) value.Value {
	v := q.integral(m.Round, q.wide(f, q.source(f, m, a)))
	if f == fp.HF {
		v = q.FPTrunc(v, shaped(v, types.Half))
	}
	return q.register(f, v)
}

// frc is x - floor(x), and never 1.
func (q *seq) frc(m fp.Mode, a value.Value) value.Value {
	x := q.value(fp.F, q.source(fp.F, m, a))
	r := q.FSub(x, q.intr("floor", x))
	below := llx.FloatBits(0x3f7fffff)
	r = q.Select(q.FCmp(enum.FPredOEQ, r, kf(types.Float, 1)), below, r)
	return q.result(fp.F, m, q.bits(r))
}

// f2i rounds, then clamps; NaN gives 0.
func (q *seq) f2i(bits int, signed bool, from fp.Format, m fp.Round, a value.Value) value.Value {
	x := q.wide(from, a)
	if m != fp.RZ {
		x = q.integral(m, x)
	}
	t := bitsType(max(bits, 32))
	op := "fptoui"
	if signed {
		op = "fptosi"
	}
	r := q.Intrinsic(fmt.Sprintf("llvm.%s.sat.%s.%s", op, mangle(t), mangle(x.Type())), t, []value.Value{x})
	if bits >= 32 {
		return r
	}
	if signed {
		top := uint64(1)<<(bits-1) - 1
		r = q.smax(q.smin(r, k(r, top)), k(r, ^top))
	} else {
		r = q.umin(r, k(r, 1<<bits-1))
	}
	return q.Trunc(r, bitsType(bits))
}

// i2f rounds an integer to a format; dsat replaces infinities.
func (q *seq) i2f(to fp.Format, signed bool, m fp.Round, dsat bool, a value.Value) value.Value {
	exact := types.Double // of 32 bits
	if width(a) < 32 {
		exact = types.Float
		a = q.extend(signed, a, types.I32)
	}
	var r value.Value
	switch {
	case m == fp.RE && (to == fp.DF || to == fp.F):
		r = q.bits(q.toFloat(signed, a, numType(to)))
	case width(a) == 32 && to == fp.DF:
		r = q.bits(q.toFloat(signed, a, types.Double))
	case width(a) == 32:
		r = q.narrow(to, m, q.toFloat(signed, a, exact))
	default:
		name := fmt.Sprintf("pisa.i2f.%s.%s.%s64", modeName(m), to.String(), signName(signed))
		r = q.shared(name, regType(to), []value.Value{a}, func(q *seq, x []value.Value) value.Value {
			// Both halves are doubles; their sum has all 64 bits.
			hi := q.toFloat(signed, q.Trunc(q.LShr(x[0], i64(32)), types.I32), types.Double)
			hi = q.FMul(hi, kf(types.Double, 0x1p32))
			lo := q.toFloat(false, q.Trunc(x[0], types.I32), types.Double)
			if to == fp.DF {
				return q.bits(q.sum(m, false, hi, lo))
			}
			return q.narrow(to, m, q.sum(odd, false, hi, lo))
		})
	}
	if dsat {
		r = q.clampFinite(to, r)
	}
	return r
}

func signName(signed bool) string {
	if signed {
		return "s"
	}
	return "u"
}

func (q *seq) toFloat(signed bool, x value.Value, t types.Type) value.Value {
	if signed {
		return q.SIToFP(x, t)
	}
	return q.UIToFP(x, t)
}

// clampFinite is .dsat of a conversion: infinities become the greatest finite
// number of their sign.
func (q *seq) clampFinite(f fp.Format, bits value.Value) value.Value {
	m := q.And(bits, k(bits, magnitude(f)))
	return q.Select(q.eq(m, k(bits, f.Inf())), q.Sub(bits, k(bits, 1)), bits)
}

// fext converts to a wider format, exactly; a NaN becomes quiet.
func (q *seq) fext(to, from fp.Format, a value.Value) value.Value {
	if from == fp.BF {
		nan := q.isNaN(fp.BF, a)
		a = q.Select(nan, q.Or(a, k(a, quiet(fp.BF))), a)
	}
	v := q.value(from, a)
	if from == fp.BF && to == fp.F {
		return q.bits(v)
	}
	return q.bits(q.FPExt(v, numType(to)))
}

// ftrunc converts to a narrower format.
func (q *seq) ftrunc(to, from fp.Format, m fp.Mode, a value.Value) value.Value {
	r := q.narrow(to, m.Round, q.value(from, q.source(from, m, a)))
	if m.FTZ {
		r = q.flush(to, r)
	}
	if m.DSat {
		r = q.clampFinite(to, r)
	}
	return r
}
