package llvmgen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
)

// Comparison and selection (PISA 5).

// comparisons is indexed by pisa.Cmp. With a NaN only .ne holds.
var comparisons = [...]struct {
	signed, unsigned enum.IPred
	float            enum.FPred
}{
	pisa.EQ: {enum.IPredEQ, enum.IPredEQ, enum.FPredOEQ},
	pisa.NE: {enum.IPredNE, enum.IPredNE, enum.FPredUNE},
	pisa.GT: {enum.IPredSGT, enum.IPredUGT, enum.FPredOGT},
	pisa.GE: {enum.IPredSGE, enum.IPredUGE, enum.FPredOGE},
	pisa.LT: {enum.IPredSLT, enum.IPredULT, enum.FPredOLT},
	pisa.LE: {enum.IPredSLE, enum.IPredULE, enum.FPredOLE},
}

// icompare is scmp and ucmp.
func (q *seq) icompare(signed bool, c pisa.Cmp, x, y value.Value) value.Value {
	if signed {
		return q.ICmp(comparisons[c].signed, x, y)
	}
	return q.ICmp(comparisons[c].unsigned, x, y)
}

// fcompare is fcmp.
func (q *seq) fcompare(f fp.Format, ftz bool, c pisa.Cmp, a, b value.Value) value.Value {
	m := fp.Mode{FTZ: ftz}
	x, y := q.value(f, q.source(f, m, a)), q.value(f, q.source(f, m, b))
	return q.FCmp(comparisons[c].float, x, y)
}

// mask turns a comparison's result into a register: all ones or zero, 32 bits
// wide for scalars and 16 an element for packed ones.
func (q *seq) mask(c value.Value) value.Value {
	if t := shaped(c, types.I16); !t.Equal(types.I16) {
		return q.SExt(c, t)
	}
	return q.SExt(c, types.I32)
}
