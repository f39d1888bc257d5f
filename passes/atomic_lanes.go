package passes

import (
	"pisac/dialects/pisa"
	"pisac/ir"
)

// How the operands of the lanes that do one operation together combine.
//
// An operand that is the same for all needs no reduction but the number of
// lanes. Others are reduced by ired and fred, which know 16 and 32 bits: of 64
// bits parts are, in a way that loses no carry. Where there is no such
// reduction, or each lane needs what those below it contribute, lanes scan:
// they follow links to the next lower lane, and the highest lane, which sees
// all, does the operation.

// together is an operation and the lanes that do it together, at the
// insertion point.
type together struct {
	*coalescer
	r    *atomicRule
	d    pisa.DType // of the operation
	t    ir.Type
	v    *ir.Value // the lane's operand
	same bool      // for all lanes

	mask, lane *ir.Value
	lower      *ir.Value // lanes of mask below this one; nil until needed
}

func (x *coalescer) together(op *ir.Op, same bool) *together {
	l := &together{coalescer: x, r: ruleOf(op), d: pisa.TypeOf(op.Props), t: op.Result(0).Type, same: same}
	l.v = x.source(op, l.t)
	l.mask, l.lane = x.sreg(pisa.SActiveMask), x.sreg(pisa.SLaneID)
	return l
}

// combine returns the lane that does the operation, its operand, and what
// lower lanes contribute, which is nil if that is not needed, or the operand is
// the same for all.
func (l *together) combine(used bool) (leader, all, below *ir.Value) {
	switch {
	case !l.same && (used || !l.reducible()):
		below = l.scan()
		return l.highest(l.mask), l.with(below, l.v), below
	case used:
		l.below()
	}
	leader = l.bl.Value(pisa.RedFirstIdx, pisa.FType.Put(uint64(pisa.T32b)), ir.B32, l.mask)
	if l.same {
		return leader, l.times(l.mask), nil
	}
	return leader, l.reduce(), nil
}

// below is the lanes of the mask below this one.
func (l *together) below() *ir.Value {
	if l.lower == nil {
		one := l.c32(1)
		l.lower = l.b32(pisa.And, l.mask, l.b32(pisa.ISub, l.b32(pisa.Shl, one, l.lane), one))
	}
	return l.lower
}

// highest is the number of the highest lane of a mask.
func (l *together) highest(mask *ir.Value) *ir.Value {
	return l.b32(pisa.ISub, l.c32(31), l.bl.Value(pisa.Fbh, pisa.FType.Put(uint64(pisa.T32b)), ir.B32, mask))
}

func (l *together) with(a, b *ir.Value) *ir.Value {
	return l.bl.Value(l.r.with, pisa.FType.Put(uint64(l.d)), l.t, a, b)
}

func (l *together) apply(old, v *ir.Value) *ir.Value {
	return l.bl.Value(l.r.apply, pisa.FType.Put(uint64(l.d)), l.t, old, v)
}

// times is the operand combined once for each lane of a mask: the product, or
// of xor the operand if there is an odd number of lanes.
func (l *together) times(lanes *ir.Value) *ir.Value {
	if l.r.again {
		return l.v
	}
	n := l.bl.Value(pisa.Cbit, pisa.FType.Put(uint64(pisa.T32b)), ir.B32, lanes)
	if l.r.kind == kindFAdd {
		n = l.bl.Value(pisa.I2F, pisa.FType.Put(uint64(l.d))|pisa.FFrom.Put(uint64(pisa.U32)), l.t, n)
		return l.bl.Value(pisa.FMul, pisa.FType.Put(uint64(l.d)), l.t, l.v, n)
	}
	if l.r.kind == kindXor {
		n = l.b32(pisa.And, n, l.c32(1))
	}
	return l.binary(pisa.UMul, l.t, l.v, l.from32(n))
}

// result is what a lane would have got: the old value with what lower lanes
// contributed.
func (l *together) result(old, below *ir.Value) *ir.Value {
	switch {
	case below != nil:
		return l.apply(old, below)
	case l.r.again:
		none := l.compare(l.below(), l.c32(0))
		return makeSelect(&l.bl, none, old, l.apply(old, l.v))
	}
	return l.apply(old, l.times(l.below()))
}

// reducible reports that reduce can do it: there is no fred.sum, and fatom of
// 64 bits has sums only.
func (l *together) reducible() bool { return l.r.kind != kindFAdd }

// reduce is what all lanes of the mask together contribute.
func (l *together) reduce() *ir.Value {
	if l.t != ir.B64 {
		return l.reduction(l.r.red, l.d, l.t, l.v)
	}
	switch l.r.kind {
	case kindAdd:
		return l.sum64()
	case kindAnd, kindOr, kindXor:
		return l.join(l.half(l.r.red, l.low(l.v)), l.half(l.r.red, l.high(l.v)))
	}
	return l.extreme64()
}

func (l *together) reduction(red pisa.RedOp, d pisa.DType, t ir.Type, v *ir.Value) *ir.Value {
	code := pisa.IRed
	if red == pisa.RedMin || red == pisa.RedMax {
		code = pisa.FRed
	}
	// No lane is outside of the mask and would keep what it had, the first operand.
	return l.bl.Value(code, pisa.FOp.Put(uint64(red))|pisa.FType.Put(uint64(d)), t, v, v, l.mask)
}

func (l *together) half(red pisa.RedOp, v *ir.Value) *ir.Value {
	return l.reduction(red, pisa.T32b, ir.B32, v)
}

// sum64 adds 27 bits at a time: 32 of them fit into 32 bits.
func (l *together) sum64() *ir.Value {
	const part = 27
	var sum *ir.Value
	for at := uint64(0); at < 64; at += part {
		v := l.v
		if at > 0 {
			v = l.binary(pisa.Shr, ir.B64, v, l.c32(at))
		}
		w := l.low(v)
		if at+part < 64 {
			w = l.b32(pisa.And, w, l.c32(1<<part-1))
		}
		s := l.from32(l.half(pisa.RedSum, w))
		if at == 0 {
			sum = s
			continue
		}
		sum = l.binary(pisa.IAdd, ir.B64, sum, l.binary(pisa.Shl, ir.B64, s, l.c32(at)))
	}
	return sum
}

// extreme64 is the least or greatest high half, and of the operands that have
// it the least or greatest low half.
func (l *together) extreme64() *ir.Value {
	low, none := pisa.RedUMin, uint64(1<<32-1)
	if l.r.kind == kindSMax || l.r.kind == kindUMax {
		low, none = pisa.RedUMax, 0
	}
	own := l.high(l.v)
	high := l.half(l.r.red, own)
	has := l.compare(own, high)
	return l.join(l.half(low, makeSelect(&l.bl, has, l.low(l.v), l.c32(none))), high)
}

// scan is what the lanes below each lane contribute. Each lane holds what a
// stretch of lanes below it contributes and the lane where that ends, and
// takes over those of the lane there; the lowest lane points to itself and
// holds what changes nothing.
func (l *together) scan() *ir.Value {
	none := l.compare(l.below(), l.c32(0))
	link := makeSelect(&l.bl, none, l.lane, l.highest(l.below()))
	sum := makeSelect(&l.bl, none, pisa.MakeConst(&l.bl, l.t, l.r.ident(l.d)), l.shfl(l.v, link))
	for step := range 5 { // stretches of 2, 4, 8, 16 and 32 lanes
		far := l.shfl(sum, link)
		if step < 4 {
			link = l.shfl(link, link)
		}
		sum = l.with(far, sum)
	}
	return sum
}

// shfl reads v of lane idx; lanes exchange 32 bits at a time.
func (l *together) shfl(v, idx *ir.Value) *ir.Value {
	switch v.Type {
	case ir.B64:
		return l.join(l.shfl(l.low(v), idx), l.shfl(l.high(v), idx))
	case ir.B16:
		w := l.bl.Value(pisa.ZExt, pisa.FType.Put(uint64(pisa.T32b))|pisa.FFrom.Put(uint64(pisa.T16b)), ir.B32, v)
		return l.bl.Value(pisa.Trunc, pisa.FType.Put(uint64(pisa.T16b))|pisa.FFrom.Put(uint64(pisa.T32b)), ir.B16, l.shfl(w, idx))
	}
	return l.bl.Value(pisa.Shfl, pisa.FOp.Put(uint64(pisa.ShflIdx))|pisa.FType.Put(uint64(pisa.T32b)), ir.B32, v, v, idx, l.mask)
}

func (l *together) low(v *ir.Value) *ir.Value {
	return l.bl.Value(pisa.Trunc, pisa.FType.Put(uint64(pisa.T32b))|pisa.FFrom.Put(uint64(pisa.T64b)), ir.B32, v)
}

func (l *together) high(v *ir.Value) *ir.Value {
	return l.low(l.binary(pisa.Shr, ir.B64, v, l.c32(32)))
}

// join makes 64 bits of their halves.
func (l *together) join(low, high *ir.Value) *ir.Value {
	wide := func(v *ir.Value) *ir.Value {
		return l.bl.Value(pisa.ZExt, pisa.FType.Put(uint64(pisa.T64b))|pisa.FFrom.Put(uint64(pisa.T32b)), ir.B64, v)
	}
	return l.binary(pisa.Or, ir.B64, wide(low), l.binary(pisa.Shl, ir.B64, wide(high), l.c32(32)))
}

// from32 is a number of 32 bits in the operation's width.
func (l *together) from32(n *ir.Value) *ir.Value {
	switch l.t {
	case ir.B64:
		return l.bl.Value(pisa.ZExt, pisa.FType.Put(uint64(pisa.T64b))|pisa.FFrom.Put(uint64(pisa.T32b)), l.t, n)
	case ir.B16:
		return l.bl.Value(pisa.Trunc, pisa.FType.Put(uint64(pisa.T16b))|pisa.FFrom.Put(uint64(pisa.T32b)), l.t, n)
	}
	return n
}

// compare is whether two numbers of 32 bits are equal.
func (x *coalescer) compare(a, b *ir.Value) *ir.Value {
	return x.bl.Value(pisa.UCmp, pisa.FOp.Put(uint64(pisa.EQ))|pisa.FType.Put(uint64(pisa.T32b)), ir.Pred, a, b)
}

func (x *coalescer) c32(v uint64) *ir.Value { return pisa.MakeConst(&x.bl, ir.B32, v) }

func (x *coalescer) b32(code ir.Code, a, b *ir.Value) *ir.Value { return x.binary(code, ir.B32, a, b) }

func (x *coalescer) sreg(r pisa.SReg) *ir.Value {
	return x.bl.Value(pisa.ReadSReg, pisa.FOp.Put(uint64(r)), ir.B32)
}
