package isel

import (
	"math"

	"pisac/dialects/amdgpu"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// num is an operand of a float instruction: registers or an immediate, of which
// the instruction takes the magnitude, then the negative.
type num struct {
	v        *ir.Value
	neg, abs bool
	flat     bool // certainly no denormal
}

func (x num) minus() num { x.neg = !x.neg; return x }
func (x num) size() num  { x.neg, x.abs = false, true; return x }

// fpu emits float instructions on numbers of one format: hf, f or df.
type fpu struct {
	*sel
	f     fp.Format
	props uint64 // rounding, flushing and clamping of each instruction
}

// instructions of the formats.
var floatCodes = [...]struct {
	add, sub, mul, fma, min, max    ir.Code
	even, floor, ceil, trunc, ldexp ir.Code
	mant, exp                       ir.Code
	cmp                             amdgpu.CmpType
}{
	fp.HF: {amdgpu.VAddF16, amdgpu.VSubF16, amdgpu.VMulF16, amdgpu.VFmaF16, amdgpu.VMinF16, amdgpu.VMaxF16,
		amdgpu.VRndneF16, amdgpu.VFloorF16, amdgpu.VCeilF16, amdgpu.VTruncF16, amdgpu.VLdexpF16,
		amdgpu.VFrexpMantF16, amdgpu.VFrexpExpI16F16, amdgpu.CmpF16},
	fp.F: {amdgpu.VAddF32, amdgpu.VSubF32, amdgpu.VMulF32, amdgpu.VFmaF32, amdgpu.VMinF32, amdgpu.VMaxF32,
		amdgpu.VRndneF32, amdgpu.VFloorF32, amdgpu.VCeilF32, amdgpu.VTruncF32, amdgpu.VLdexpF32,
		amdgpu.VFrexpMantF32, amdgpu.VFrexpExpI32F32, amdgpu.CmpF32},
	fp.DF: {amdgpu.VAddF64, 0, amdgpu.VMulF64, amdgpu.VFmaF64, amdgpu.VMinF64, amdgpu.VMaxF64,
		amdgpu.VRndneF64, amdgpu.VFloorF64, amdgpu.VCeilF64, amdgpu.VTruncF64, amdgpu.VLdexpF64,
		amdgpu.VFrexpMantF64, amdgpu.VFrexpExpI32F64, amdgpu.CmpF64},
}

// computed is the format in which numbers of f are computed.
func computed(f fp.Format) fp.Format {
	if f == fp.BF {
		return fp.F
	}
	return f
}

// op emits an instruction; constants have their modifiers applied.
func (u fpu) op(code ir.Code, xs ...num) *ir.Op {
	var buf [4]*ir.Value
	srcs := buf[:len(xs)]
	props := u.props
	for i, x := range xs {
		if c, ok := constant(x.v); ok && (x.neg || x.abs) {
			x = u.bits(signed(u.f, c, x))
		}
		srcs[i] = x.v
		if x.neg {
			props |= amdgpu.FNeg.Put(1 << i)
		}
		if x.abs {
			props |= amdgpu.FAbs.Put(1 << i)
		}
	}
	return u.emit(code, props, srcs...)
}

// signed applies the modifiers of x to constant c.
func signed(f fp.Format, c uint64, x num) uint64 {
	if x.abs {
		c &^= f.SignBit()
	}
	if x.neg {
		c ^= f.SignBit()
	}
	return c
}

func (u fpu) num(code ir.Code, xs ...num) num { return num{v: u.op(code, xs...).Result(0)} }

// with sets further properties.
func (u fpu) with(props uint64) fpu { u.props |= props; return u }

// bits is the constant with the bit pattern b.
func (u fpu) bits(b uint64) num {
	if u.f == fp.DF {
		return num{v: u.imm64(b)}
	}
	return num{v: u.imm(uint32(b))}
}

// c is the constant v, of f or df.
func (u fpu) c(v float64) num {
	if u.f == fp.F {
		return u.bits(uint64(math.Float32bits(float32(v))))
	}
	return u.bits(math.Float64bits(v))
}

func (u fpu) one() num { return u.bits(u.f.One()) }

func (u fpu) add(x, y num) num {
	codes := &floatCodes[u.f]
	if codes.sub != 0 && !x.abs && !y.abs && x.neg != y.neg {
		if x.neg {
			x, y = y, x
		}
		y.neg = false
		return u.num(codes.sub, x, y)
	}
	return u.num(codes.add, x, y)
}

func (u fpu) sub(x, y num) num    { return u.add(x, y.minus()) }
func (u fpu) mul(x, y num) num    { return u.num(floatCodes[u.f].mul, x, y) }
func (u fpu) fma(x, y, z num) num { return u.num(floatCodes[u.f].fma, x, y, z) }

// ldexp is x × 2^e; e is an integer.
func (u fpu) ldexp(x num, e *ir.Value) num { return u.num(floatCodes[u.f].ldexp, x, num{v: e}) }

// cmp is a lane mask. class tells whether x is of a set of classes.
func (u fpu) cmp(c amdgpu.Cond, x, y num) *ir.Value {
	u.props = 0
	return u.op(amdgpu.Cmp(c, floatCodes[u.f].cmp), x, y).Result(0)
}

func (u fpu) class(x num, set uint32) *ir.Value {
	u.props = 0
	return u.op(amdgpu.CmpClass(floatCodes[u.f].cmp), x, num{v: u.imm(set)}).Result(0)
}

// Classes of numbers, as v_cmp_class has them (RDNA3 ISA 16.9).
const (
	classNaN     = 1<<0 | 1<<1
	classInf     = 1<<2 | 1<<9
	classZero    = 1<<5 | 1<<6
	classNumbers = 1<<3 | 1<<4 | 1<<7 | 1<<8 // finite but zero
	classPosInf  = 1 << 9
)

// pick is a where the lanes of mask are set, else b; both without modifiers.
func (u fpu) pick(mask *ir.Value, a, b num) num {
	i := unit{u.sel, false}
	if u.f == fp.DF {
		p := i.choose64(mask, u.pairOf(a.v), u.pairOf(b.v))
		return num{v: u.operand64(p)}
	}
	return num{v: i.choose(mask, a.v, b.v)}
}

// pickInt is an integer of 32 bits.
func (u fpu) pickInt(mask *ir.Value, a, b int32) *ir.Value {
	return unit{u.sel, false}.choose(mask, u.imm(uint32(a)), u.imm(uint32(b)))
}

// plain is x without modifiers.
func (u fpu) plain(x num) num {
	if !x.neg && !x.abs {
		return x
	}
	if c, ok := constant(x.v); ok {
		return u.bits(signed(u.f, c, x))
	}
	i := unit{u.sel, false}
	top := 0
	if u.f == fp.DF {
		top = 1
	}
	hi, sign := u.part(x.v, top), uint32(1)<<((u.f.Bits()-1)&31)
	switch {
	case x.abs && x.neg:
		hi = i.or(hi, u.imm(sign))
	case x.abs:
		hi = i.and(hi, u.imm(sign-1))
	default:
		hi = i.xor(hi, u.imm(sign))
	}
	if u.f == fp.DF {
		return num{v: u.build(u.part(x.v, 0), hi)}
	}
	return num{v: hi}
}

// flushed is x with the zero of its sign in the place of a denormal. A
// multiplication does what a mode does to its sources, exactly; NaN stays.
func (u fpu) flushed(x num) num {
	if x.flat && u.props&amdgpu.FClamp.Put(1) == 0 {
		return x
	}
	if c, ok := constant(x.v); ok {
		c = signed(u.f, c, x)
		if c&u.f.Inf() == 0 {
			c &= u.f.SignBit()
		}
		return u.bits(c)
	}
	u.props = u.props&(amdgpu.FClamp.Put(1)|amdgpu.FRound.Put(3)) | amdgpu.FFlush.Put(amdgpu.FlushSources)
	return u.mul(u.one(), x)
}

// clamped is x clamped to [0, 1], NaN giving 0.
func (u fpu) clamped(x num) num {
	u.props = amdgpu.FClamp.Put(1)
	return u.num(floatCodes[u.f].max, x, x)
}

// mix is x·y in f, of numbers in hf.
func (u fpu) mix(x, y num) num {
	props := u.props | amdgpu.FOpLow.Put(4)
	srcs := make([]*ir.Value, 2, 3)
	for i, n := range []num{x, y} {
		n.v = u.vgpr(u.plain(n).v, 1) // constants of hf have no place beside f
		srcs[i] = n.v
	}
	return num{v: u.emit(amdgpu.VFmaMixF32, props, append(srcs, u.literal(1<<31))...).Result(0)}
}
