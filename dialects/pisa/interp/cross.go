package interp

import (
	"math/bits"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// Sub-group operations (PISA 7). All sources are read before any lane is
// written; lanes outside the mask keep the old value, the first operand.

// reduce decodes ired and fred as folds over the scalar evaluator.
func (d *decoder) reduce(in *inst, o *ir.Op) {
	t := pisa.FType.Put(uint64(pisa.TypeOf(o.Props)))
	op := pisa.RedOp(pisa.OpOf(o.Props))
	fn := func(code ir.Code, p uint64) pisa.Eval { return pisa.EvalFn(code, t|p) }
	if o.Code == pisa.FRed {
		nanp := pisa.FNanp.Put(pisa.FNanp.Get(o.Props))
		switch op {
		case pisa.RedMin:
			in.fold = fn(pisa.FMin, nanp)
		case pisa.RedAbsMax:
			in.pre, in.fold = fn(pisa.FAbs, 0), fn(pisa.FMax, nanp)
		default:
			in.fold = fn(pisa.FMax, nanp)
		}
	} else {
		in.fold = fn(reduceCode[op], 0)
		if op == pisa.RedAbsMax {
			in.pre = fn(pisa.IAbs, 0)
		}
	}
	in.run = runReduce
}

var reduceCode = [...]ir.Code{
	pisa.RedSum: pisa.IAdd, pisa.RedSMin: pisa.SMin, pisa.RedSMax: pisa.SMax,
	pisa.RedUMin: pisa.UMin, pisa.RedUMax: pisa.UMax, pisa.RedAnd: pisa.And,
	pisa.RedOr: pisa.Or, pisa.RedXor: pisa.Xor, pisa.RedAbsMax: pisa.UMax,
}

func runReduce(s *subgroup, in *inst, mask uint32) {
	d, old, v, who := &s.regs[in.dst], &s.regs[in.src[0]], &s.regs[in.src[1]], &s.regs[in.src[2]]
	part := uint32(who[bits.TrailingZeros32(mask)]) & mask
	acc, first := uint64(0), true
	for m := part; m != 0; m &= m - 1 {
		x := v[bits.TrailingZeros32(m)]
		if in.pre != nil {
			x, _ = in.pre(x, 0, 0, 0)
		}
		switch {
		case !first:
			acc, _ = in.fold(acc, x, 0, 0)
		case in.op.Code == pisa.FRed:
			acc, _ = in.fold(x, x, 0, 0) // quiets a NaN
		default:
			acc = x
		}
		first = false
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		// A mask that differs between lanes is undefined (digest A36): each
		// lane goes by its own membership.
		if part>>l&1 != 0 {
			d[l] = acc
		} else {
			d[l] = old[l]
		}
	}
}

func runFirst(s *subgroup, in *inst, mask uint32) {
	d, who := &s.regs[in.dst], &s.regs[in.src[0]]
	l0 := bits.TrailingZeros32(mask)
	part := uint32(who[l0]) & mask
	if part == 0 {
		s.fail(in, l0, EmptyMask, "redfirstidx of mask %#x: none of its lanes is active (%%activemask is %#x)", who[l0], mask)
		return
	}
	v := uint64(bits.TrailingZeros32(part))
	for m := mask; m != 0; m &= m - 1 {
		d[bits.TrailingZeros32(m)] = v
	}
}

func runShfl(s *subgroup, in *inst, mask uint32) {
	d, old, v, how, who := &s.regs[in.dst], &s.regs[in.src[0]], &s.regs[in.src[1]], &s.regs[in.src[2]], &s.regs[in.src[3]]
	var out lanes
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		part := uint32(who[l]) & mask
		if part>>l&1 == 0 {
			out[l] = old[l]
			continue
		}
		out[l] = v[l]
		if from, ok := shflSource(pisa.ShflOp(in.variant), in.segmented, l, uint32(how[l])); ok && part>>from&1 != 0 {
			out[l] = v[from]
		}
	}
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l] = out[l]
	}
}

// shflSource is the lane that lane l reads (PISA 7.4).
func shflSource(op pisa.ShflOp, sg bool, l int, how uint32) (int, bool) {
	o := int(how & 31)
	cval, seg := 31, 0
	if op == pisa.ShflUp {
		cval = 0
	}
	if sg {
		cval, seg = int(how>>8&31), int(how>>16&31)
	}
	clamp := l&seg | cval&^seg
	switch op {
	case pisa.ShflUp:
		return l - o, l-o >= clamp && l-o >= 0
	case pisa.ShflDn:
		return l + o, l+o <= clamp
	case pisa.ShflXor:
		return l ^ o, l^o <= clamp
	}
	i := l&seg | o&^seg
	return i, i <= clamp
}
