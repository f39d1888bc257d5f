package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// lowerBfn: see pisa.evalBfn. The function is split by its last operand:
// f = f0 ^ (c & (f0 ^ f1)), until it is trivial.
func lowerBfn(s *sel, op *ir.Op) {
	u := s.unitOf(op)
	srcs := []*ir.Value{s.arg(op, 0), s.arg(op, 1), s.arg(op, 2)}
	s.set(op, 0, u.inRegister(u.bfn(withoutRepeats(pisa.OpOf(op.Props), srcs), srcs)))
}

// withoutRepeats is a table of the same function that does not look at an
// operand that an earlier one is equal to.
func withoutRepeats(table uint8, srcs []*ir.Value) uint8 {
	for i := 1; i < len(srcs); i++ {
		for k := range i {
			if srcs[i] != srcs[k] {
				continue
			}
			var t uint8
			for row := range uint8(8) {
				t |= table >> (row&^(1<<i) | row>>k&1<<i) & 1 << row
			}
			table = t
		}
	}
	return table
}

// inRegister is m in a register, if it is a constant.
func (u unit) inRegister(m *ir.Value) *ir.Value {
	if _, ok := constant(m); ok {
		if u.scalar {
			return u.val(amdgpu.SMovB32, m)
		}
		return u.vgpr(m, 1)
	}
	return m
}

// andNot is a & ^b, orNot a | ^b.
func (u unit) andNot(a, b *ir.Value) *ir.Value {
	if u.scalar {
		return u.val(amdgpu.SAndNot1B32, a, b)
	}
	return u.val(amdgpu.VBfiB32, b, u.imm(0), a)
}

func (u unit) orNot(a, b *ir.Value) *ir.Value {
	if u.scalar {
		return u.val(amdgpu.SOrNot1B32, a, b)
	}
	return u.val(amdgpu.VBfiB32, b, a, u.imm(0xffffffff))
}

func (u unit) bfn(table uint8, srcs []*ir.Value) *ir.Value {
	n := len(srcs)
	if n == 0 {
		return u.imm(-uint32(table & 1))
	}
	half := uint(1) << (n - 1)
	mask := uint8(1)<<half - 1
	t0, t1 := table&mask, table>>half&mask
	c := srcs[n-1]
	rest := srcs[:n-1]
	inverted := func(t uint8) *ir.Value { return u.bfn(^t&mask, rest) }
	simple := func(t uint8) bool { // an operand or a constant, nothing to compute
		return n == 1 || n == 2 && (t == 2 || t == 0 || t == 3) || n == 3 && (t == 0xa || t == 0xc)
	}
	switch {
	case t0 == t1:
		return u.bfn(t0, rest)
	case t0 == 0 && t1 == mask:
		return c
	case t0 == mask && t1 == 0:
		return u.not(c)
	case t0 == 0 && simple(^t1&mask):
		return u.andNot(c, inverted(t1))
	case t0 == 0:
		return u.and(c, u.bfn(t1, rest))
	case t1 == 0:
		return u.andNot(u.bfn(t0, rest), c)
	case t1 == mask && simple(^t0&mask):
		return u.orNot(c, inverted(t0))
	case t1 == mask:
		return u.or(c, u.bfn(t0, rest))
	case t0 == mask:
		return u.orNot(u.bfn(t1, rest), c)
	case t0 == ^t1&mask:
		return u.xor(c, u.bfn(t0, rest))
	case !u.scalar:
		return u.val(amdgpu.VBfiB32, c, u.bfn(t1, rest), u.bfn(t0, rest))
	}
	f0 := u.bfn(t0, rest)
	return u.xor(f0, u.and(c, u.bfn(t0^t1, rest)))
}
