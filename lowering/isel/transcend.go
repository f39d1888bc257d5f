package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// Powers and logarithms (PISA 2.5, 2.6): the hardware's are good to 1 ULP, those
// on f but for denormals. Sine, cosine and hyperbolic tangent are gone by now
// (expand.go).
var transcendentalRows = []lowering{
	pisa.FExp2: func(s *sel, op *ir.Op) { s.approximate(op, fpu.exp2) },
	pisa.FLog2: func(s *sel, op *ir.Op) { s.approximate(op, fpu.log2) },
}

// exp2 is 2^x. What is a denormal, or might become one by the error of the
// instruction, is computed 2^64 times as great.
func (u fpu) exp2(x num) num {
	if u.f == fp.HF {
		return u.num(amdgpu.VExpF16, x)
	}
	small := u.cmp(amdgpu.LT, x, u.c(-125))
	lift := unit{u.sel, false}.choose(small, u.c(64).v, u.imm(0))
	y := u.num(amdgpu.VExpF32, u.add(x, num{v: lift}))
	return u.ldexp(y, u.pickInt(small, -64, 0))
}

// log2 of a denormal is that of the number times 2^32, less 32.
func (u fpu) log2(x num) num {
	if u.f == fp.HF {
		return u.num(amdgpu.VLogF16, x)
	}
	tiny := u.tiny(x)
	y := u.num(amdgpu.VLogF32, u.ldexp(x, u.pickInt(tiny, 32, 0)))
	return u.sub(y, num{v: unit{u.sel, false}.choose(tiny, u.c(32).v, u.imm(0))})
}
