package llvmgen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa/fp"
)

// fminmax is fmin and fmax: IEEE 754-2019 minimumNumber and maximumNumber, with
// .nanp minimum and maximum (PISA 2.8). LLVM's minnum leaves the order of the
// zeros and the fate of a signalling NaN open, so it is spelt out.
func (q *seq) fminmax(f fp.Format, max, nanp bool, m fp.Mode, a, b value.Value) value.Value {
	a, b = q.source(f, m, a), q.source(f, m, b)
	x, y := q.value(f, a), q.value(f, b)
	order, signs := enum.FPredOLT, q.Or
	if max {
		order, signs = enum.FPredOGT, q.And
	}
	nanX, nanY := q.FCmp(enum.FPredUNO, x, x), q.FCmp(enum.FPredUNO, y, y)
	first := q.FCmp(order, x, y)
	if !nanp {
		first = q.Or(first, nanY)
	}
	r := q.Select(first, a, b)
	// Equal numbers differ at most in the sign, of zeros.
	r = q.Select(q.FCmp(enum.FPredOEQ, x, y), signs(a, b), r)
	if nanp {
		nan := q.Or(q.Select(nanX, a, b), k(a, quiet(f)))
		r = q.Select(q.Or(nanX, nanY), nan, r)
	} else {
		r = q.Select(q.And(nanX, nanY), q.Or(r, k(a, quiet(f))), r)
	}
	return q.result(f, m, r)
}
