package isel

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"pisac/dialects/amdgpu"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa/fp"
	"pisac/ir"
)

// lane executes what Select makes of a kernel for one lane alone: the logical
// edges, values by name, no registers, no waits. It knows the instructions that
// arithmetic is made of, by their semantics in AMD's ISA documents; sums and
// products come from package fp, which rounds by any mode.
type lane struct {
	f       *ir.Func
	params  []byte
	perturb int // approximations are off by so many steps, or −7: at random
	seed    uint64

	regs   [][]uint32 // by Value.ID; a mask or scc is all ones or zero
	stored []uint32
}

func (l *lane) run() []uint32 {
	if n := l.f.NumValues(); len(l.regs) < n {
		l.regs = make([][]uint32, n)
	}
	b := l.f.Entry()
	for steps := 0; steps < 1000; steps++ {
		for op := b.First(); ; op = op.Next() {
			if amdgpu.IsMachine(op.Code) && amdgpu.RowOf(op.Code).Has(amdgpu.Branches) {
				e := l.edge(op)
				if e == nil {
					return l.stored
				}
				var args [][]uint32
				for i := range e.NumArgs() {
					args = append(args, l.get(e.Arg(i), 0))
				}
				b = e.To()
				for i := range args {
					l.regs[b.Arg(i).ID] = args[i]
				}
				break
			}
			l.exec(op)
		}
	}
	panic("lane: endless")
}

func (l *lane) edge(op *ir.Op) *ir.Edge {
	switch op.Code {
	case amdgpu.TRet:
		return nil
	case amdgpu.TCond, amdgpu.TDiverge:
		if l.get(op.Operand(0), 1)[0] == 0 {
			return op.Succ(1)
		}
	}
	return op.Succ(0)
}

// get is v in n registers, 0: as many as it has.
func (l *lane) get(v *ir.Value, n int) []uint32 {
	if c, ok := amdgpu.IsImm(v); ok {
		if n == 2 {
			if v.Type == ir.B32 && int32(c) < 0 {
				return []uint32{uint32(c), ^uint32(0)}
			}
			return []uint32{uint32(c), uint32(c >> 32)}
		}
		return []uint32{constPart(v, c, 0)}
	}
	r := l.regs[v.ID]
	if r == nil {
		panic(fmt.Sprintf("lane: no value for operand of %v", v.Type))
	}
	return r
}

func u64(r []uint32) uint64 {
	if len(r) == 1 {
		return uint64(r[0])
	}
	return uint64(r[1])<<32 | uint64(r[0])
}

func words(v uint64, n int) []uint32 {
	if n == 2 {
		return []uint32{uint32(v), uint32(v >> 32)}
	}
	return []uint32{uint32(v)}
}

func (l *lane) exec(op *ir.Op) {
	set := func(i int, v ...uint32) { l.regs[op.Result(i).ID] = v }
	switch op.Code {
	case builtin.Const, amdgpu.PLivein, amdgpu.PUndef:
		if op.Code != builtin.Const {
			set(0, make([]uint32, op.Result(0).Type.Lanes())...)
		}
		return
	case amdgpu.PBuild:
		var out []uint32
		for i := range op.NumOperands() {
			out = append(out, l.get(op.Operand(i), 0)...)
		}
		set(0, out...)
		return
	case amdgpu.PExtract:
		k := amdgpu.FIndex.Get(op.Props)
		set(0, l.get(op.Operand(0), 0)[k:][:op.Result(0).Type.Lanes()]...)
		return
	case amdgpu.PCopy, amdgpu.VMovB32, amdgpu.SMovB32, amdgpu.VReadfirstlaneB32, amdgpu.SMovB64:
		set(0, l.get(op.Operand(0), op.Result(0).Type.Lanes())...)
		return
	case amdgpu.PExec:
		set(0, ^uint32(0), ^uint32(0))
		return
	case amdgpu.SLoadB32, amdgpu.SLoadB64, amdgpu.SLoadB128, amdgpu.SLoadB256, amdgpu.SLoadB512:
		at := amdgpu.FOffset.Get(op.Props)
		out := make([]uint32, op.Result(0).Type.Lanes())
		for i := range out {
			for k := range 4 {
				if n := int(at) + 4*i + k; n < len(l.params) {
					out[i] |= uint32(l.params[n]) << (8 * k)
				}
			}
		}
		set(0, out...)
		return
	}
	r := amdgpu.RowOf(op.Code)
	if r.Has(amdgpu.Stores) {
		l.stored = append([]uint32{}, l.get(op.Operand(op.NumOperands()-1), 0)...)
		return
	}
	var x [4]uint64
	for i := range op.NumOperands() {
		x[i] = u64(l.get(op.Operand(i), int(r.Operands[i].Regs)))
	}
	if f, ok := intOps[op.Code]; ok {
		v := f(x)
		set(0, words(v, op.Result(0).Type.Lanes())...)
		if op.NumResults() > 1 { // scc of a logic operation
			set(1, mask(v != 0)...)
		}
		return
	}
	l.float(op, r, x, set)
}

func mask(b bool) []uint32 {
	if b {
		return []uint32{^uint32(0), ^uint32(0)}
	}
	return []uint32{0, 0}
}

func choose(c bool, a, b uint64) uint64 {
	if c {
		return a
	}
	return b
}

// intOps are the integer instructions with one result.
var intOps = map[ir.Code]func(x [4]uint64) uint64{
	amdgpu.VAndB32: func(x [4]uint64) uint64 { return x[0] & x[1] }, amdgpu.SAndB32: func(x [4]uint64) uint64 { return x[0] & x[1] },
	amdgpu.SAndB64: func(x [4]uint64) uint64 { return x[0] & x[1] },
	amdgpu.VOrB32:  func(x [4]uint64) uint64 { return x[0] | x[1] }, amdgpu.SOrB32: func(x [4]uint64) uint64 { return x[0] | x[1] },
	amdgpu.SOrB64:     func(x [4]uint64) uint64 { return x[0] | x[1] },
	amdgpu.SOrNot1B32: func(x [4]uint64) uint64 { return uint64(uint32(x[0] | ^x[1])) }, amdgpu.SOrNot1B64: func(x [4]uint64) uint64 { return x[0] | ^x[1] },
	amdgpu.VXorB32: func(x [4]uint64) uint64 { return x[0] ^ x[1] }, amdgpu.SXorB32: func(x [4]uint64) uint64 { return x[0] ^ x[1] },
	amdgpu.VNotB32:      func(x [4]uint64) uint64 { return uint64(^uint32(x[0])) },
	amdgpu.VAddNcU32:    func(x [4]uint64) uint64 { return uint64(uint32(x[0] + x[1])) },
	amdgpu.VSubNcU32:    func(x [4]uint64) uint64 { return uint64(uint32(x[0] - x[1])) },
	amdgpu.VSubrevNcU32: func(x [4]uint64) uint64 { return uint64(uint32(x[1] - x[0])) },
	amdgpu.VAdd3U32:     func(x [4]uint64) uint64 { return uint64(uint32(x[0] + x[1] + x[2])) },
	amdgpu.VMulLoU32:    func(x [4]uint64) uint64 { return uint64(uint32(x[0] * x[1])) },
	amdgpu.VLshlrevB32:  func(x [4]uint64) uint64 { return uint64(uint32(x[1]) << (x[0] & 31)) },
	amdgpu.VLshrrevB32:  func(x [4]uint64) uint64 { return uint64(uint32(x[1]) >> (x[0] & 31)) },
	amdgpu.VAshrrevI32:  func(x [4]uint64) uint64 { return uint64(uint32(int32(x[1]) >> (x[0] & 31))) },
	amdgpu.SLshlB32:     func(x [4]uint64) uint64 { return uint64(uint32(x[0]) << (x[1] & 31)) },
	amdgpu.SLshrB32:     func(x [4]uint64) uint64 { return uint64(uint32(x[0]) >> (x[1] & 31)) },
	amdgpu.SAshrI32:     func(x [4]uint64) uint64 { return uint64(uint32(int32(x[0]) >> (x[1] & 31))) },
	amdgpu.VLshlrevB64:  func(x [4]uint64) uint64 { return x[1] << (x[0] & 63) },
	amdgpu.VLshrrevB64:  func(x [4]uint64) uint64 { return x[1] >> (x[0] & 63) },
	amdgpu.VBfeU32:      func(x [4]uint64) uint64 { return x[0] >> (x[1] & 31) & (1<<(x[2]&31) - 1) },
	amdgpu.VBfeI32: func(x [4]uint64) uint64 {
		o, w := x[1]&31, x[2]&31
		return uint64(uint32(int32(uint32(x[0])<<(32-w-o)) >> (32 - w)))
	},
	amdgpu.SBfeU32:      func(x [4]uint64) uint64 { return uint64(uint32(x[0])) >> (x[1] & 31) & (1<<(x[1]>>16&127) - 1) },
	amdgpu.VBfiB32:      func(x [4]uint64) uint64 { return x[0]&x[1] | ^x[0]&x[2] },
	amdgpu.VAlignbitB32: func(x [4]uint64) uint64 { return uint64(uint32((x[0]<<32 | x[1]) >> (x[2] & 31))) },
	amdgpu.VAndOrB32:    func(x [4]uint64) uint64 { return x[0]&x[1] | x[2] },
	amdgpu.VOr3B32:      func(x [4]uint64) uint64 { return x[0] | x[1] | x[2] },
	amdgpu.VLshlOrB32:   func(x [4]uint64) uint64 { return uint64(uint32(x[0])<<(x[1]&31)) | x[2] },
	amdgpu.VMinU32:      func(x [4]uint64) uint64 { return min(x[0], x[1]) },
	amdgpu.VMed3I32: func(x [4]uint64) uint64 {
		a, b, c := int32(x[0]), int32(x[1]), int32(x[2])
		return uint64(uint32(max(min(a, b), min(max(a, b), c))))
	},
	amdgpu.VClzI32U32: func(x [4]uint64) uint64 {
		if x[0] == 0 {
			return 0xffffffff
		}
		return uint64(bits.LeadingZeros32(uint32(x[0])))
	},
	amdgpu.VClsI32: func(x [4]uint64) uint64 {
		v := uint32(x[0])
		if int32(v) < 0 {
			v = ^v
		}
		if v == 0 {
			return 0xffffffff
		}
		return uint64(bits.LeadingZeros32(v))
	},
	amdgpu.SCmpLgU32: func(x [4]uint64) uint64 { return choose(x[0] != x[1], 1, 0) }, amdgpu.SCmpEqU32: func(x [4]uint64) uint64 { return choose(x[0] == x[1], 1, 0) },
	amdgpu.SAddNcU64: func(x [4]uint64) uint64 { return x[0] + x[1] }, amdgpu.SMulU64: func(x [4]uint64) uint64 { return x[0] * x[1] },
	amdgpu.SMulI32:     func(x [4]uint64) uint64 { return uint64(uint32(x[0] * x[1])) },
	amdgpu.SMulHiU32:   func(x [4]uint64) uint64 { return x[0] * x[1] >> 32 },
	amdgpu.VMulHiU32:   func(x [4]uint64) uint64 { return x[0] * x[1] >> 32 },
	amdgpu.SLshlB64:    func(x [4]uint64) uint64 { return x[0] << (x[1] & 63) },
	amdgpu.SLshrB64:    func(x [4]uint64) uint64 { return x[0] >> (x[1] & 63) },
	amdgpu.VLshlAddU64: func(x [4]uint64) uint64 { return x[0]<<x[1] + x[2] },
	amdgpu.VPermB32: func(x [4]uint64) uint64 {
		var r uint64
		for i := range 4 {
			n := x[2] >> (8 * i) & 0xff
			r |= (x[0]<<32 | x[1]) >> (8 * n) & 0xff << (8 * i)
		}
		return r
	},
	amdgpu.SSextI32I16: func(x [4]uint64) uint64 { return uint64(uint32(int16(x[0]))) },
	amdgpu.SSextI32I8:  func(x [4]uint64) uint64 { return uint64(uint32(int8(x[0]))) },
}

// formatOfName is the format that an instruction's name ends in.
func formatOfName(name string) fp.Format {
	switch name[len(name)-3:] {
	case "f16", "u16", "i16":
		return fp.HF
	case "f64":
		return fp.DF
	}
	return fp.F
}

// float executes the rest. Modifiers of sources first, then denormals flushed.
func (l *lane) float(op *ir.Op, r *amdgpu.Row, x [4]uint64, set func(i int, v ...uint32)) {
	p := op.Props
	f := formatOfName(r.Name)
	if from, ok := sourceFormats[op.Code]; ok {
		f = from
	}
	flush := amdgpu.FFlush.Get(p)
	if r.Has(amdgpu.Float) {
		for i := range op.NumOperands() {
			if r.Operands[i].Mask || op.Code == amdgpu.VFmaMixF32 || r.Has(amdgpu.Packed) {
				continue
			}
			if f == fp.HF && !isInt(op.Code) {
				x[i] &= 0xffff
			}
			if amdgpu.FAbs.Get(p)>>i&1 != 0 {
				x[i] &^= f.SignBit()
			}
			if amdgpu.FNeg.Get(p)>>i&1 != 0 {
				x[i] ^= f.SignBit()
			}
			if flush&1 != 0 && !isInt(op.Code) {
				x[i] = flushed(f, x[i])
			}
		}
	}
	m := fp.Mode{Round: [...]fp.Round{fp.RE, fp.RU, fp.RD, fp.RZ}[amdgpu.FRound.Get(p)]}
	finish := func(to fp.Format, v uint64) {
		if flush&2 != 0 {
			v = flushed(to, v)
		}
		if amdgpu.FClamp.Get(p) != 0 {
			v = fp.Add(to, fp.Mode{DSat: true}, v, to.SignBit())
		}
		if to == fp.HF {
			v |= 0xdead0000 // what the upper half holds is not said
		}
		set(0, words(v, op.Result(0).Type.Lanes())...)
	}
	if op.Code >= amdgpu.Cmp(amdgpu.LT, amdgpu.CmpI32) && r.Family == amdgpu.VOPC {
		set(0, mask(compare(op.Code, f, x))...)
		return
	}
	switch op.Code {
	case amdgpu.VAddF16, amdgpu.VAddF32, amdgpu.VAddF64:
		finish(f, fp.Add(f, m, x[0], x[1]))
	case amdgpu.VSubF16, amdgpu.VSubF32:
		finish(f, fp.Sub(f, m, x[0], x[1]))
	case amdgpu.VSubrevF16, amdgpu.VSubrevF32:
		finish(f, fp.Sub(f, m, x[1], x[0]))
	case amdgpu.VMulF16, amdgpu.VMulF32, amdgpu.VMulF64:
		finish(f, fp.Mul(f, m, x[0], x[1]))
	case amdgpu.VFmaF16, amdgpu.VFmaF32, amdgpu.VFmaF64:
		finish(f, fp.Mad(f, m, x[0], x[1], x[2]))
	case amdgpu.VMinF16, amdgpu.VMinF32, amdgpu.VMinF64:
		finish(f, fp.Min(f, m, false, x[0], x[1]))
	case amdgpu.VMaxF16, amdgpu.VMaxF32, amdgpu.VMaxF64:
		finish(f, fp.Max(f, m, false, x[0], x[1]))
	case amdgpu.VPkAddF16, amdgpu.VPkMulF16, amdgpu.VPkFmaF16, amdgpu.VPkMinF16, amdgpu.VPkMaxF16:
		var v uint64
		for h := range 2 {
			var y [3]uint64
			for i := range op.NumOperands() {
				y[i] = x[i] >> (16 * h) & 0xffff
				neg := amdgpu.FNeg
				if h == 1 {
					neg = amdgpu.FNegHi
				}
				y[i] ^= neg.Get(p) >> i & 1 << 15
				if flush&1 != 0 {
					y[i] = flushed(fp.HF, y[i])
				}
			}
			var z uint64
			switch op.Code {
			case amdgpu.VPkAddF16:
				z = fp.Add(fp.HF, m, y[0], y[1])
			case amdgpu.VPkMulF16:
				z = fp.Mul(fp.HF, m, y[0], y[1])
			case amdgpu.VPkFmaF16:
				z = fp.Mad(fp.HF, m, y[0], y[1], y[2])
			case amdgpu.VPkMinF16:
				z = fp.Min(fp.HF, m, false, y[0], y[1])
			default:
				z = fp.Max(fp.HF, m, false, y[0], y[1])
			}
			if flush&2 != 0 {
				z = flushed(fp.HF, z)
			}
			if amdgpu.FClamp.Get(p) != 0 {
				z = fp.Add(fp.HF, fp.Mode{DSat: true}, z, 0x8000)
			}
			v |= z << (16 * h)
		}
		set(0, uint32(v))
	case amdgpu.VFmaMixF32:
		for i := range 3 {
			if amdgpu.FOpLow.Get(p)>>i&1 == 0 {
				x[i] = fp.Convert(fp.F, fp.HF, fp.Mode{}, x[i]&0xffff)
			}
			if amdgpu.FNeg.Get(p)>>i&1 != 0 {
				x[i] ^= 1 << 31
			}
		}
		finish(fp.F, fp.Mad(fp.F, m, x[0], x[1], x[2]))
	case amdgpu.VRndneF16, amdgpu.VRndneF32, amdgpu.VRndneF64:
		finish(f, fp.Rnd(f, fp.RE, false, x[0]))
	case amdgpu.VFloorF16, amdgpu.VFloorF32, amdgpu.VFloorF64:
		finish(f, fp.Rnd(f, fp.RD, false, x[0]))
	case amdgpu.VCeilF16, amdgpu.VCeilF32, amdgpu.VCeilF64:
		finish(f, fp.Rnd(f, fp.RU, false, x[0]))
	case amdgpu.VTruncF16, amdgpu.VTruncF32, amdgpu.VTruncF64:
		finish(f, fp.Rnd(f, fp.RZ, false, x[0]))
	case amdgpu.VFractF32:
		finish(f, fp.Frc(f, false, x[0]))
	case amdgpu.VLdexpF32, amdgpu.VLdexpF64:
		finish(f, ldexp(f, m, x[0], int32(x[1])))
	case amdgpu.VFrexpMantF32, amdgpu.VFrexpMantF64:
		v, _ := frexp(f, x[0])
		finish(f, v)
	case amdgpu.VFrexpExpI32F32, amdgpu.VFrexpExpI32F64:
		_, e := frexp(f, x[0])
		set(0, uint32(e))
	case amdgpu.VCvtF32F16:
		finish(fp.F, fp.Convert(fp.F, fp.HF, m, x[0]))
	case amdgpu.VCvtF16F32:
		finish(fp.HF, fp.Convert(fp.HF, fp.F, m, x[0]))
	case amdgpu.VCvtF32F64:
		finish(fp.F, fp.Convert(fp.F, fp.DF, m, x[0]))
	case amdgpu.VCvtF64F32:
		finish(fp.DF, fp.Convert(fp.DF, fp.F, m, x[0]))
	case amdgpu.VCvtI32F32, amdgpu.VCvtI32F64:
		set(0, uint32(fp.ToInt(32, true, f, fp.RZ, x[0])))
	case amdgpu.VCvtU32F32, amdgpu.VCvtU32F64:
		set(0, uint32(fp.ToInt(32, false, f, fp.RZ, x[0])))
	case amdgpu.VCvtF32I32:
		finish(fp.F, fp.FromInt(fp.F, 32, true, m, x[0]))
	case amdgpu.VCvtF32U32:
		finish(fp.F, fp.FromInt(fp.F, 32, false, m, x[0]))
	case amdgpu.VCvtF64I32:
		finish(fp.DF, fp.FromInt(fp.DF, 32, true, m, x[0]))
	case amdgpu.VCvtF64U32:
		finish(fp.DF, fp.FromInt(fp.DF, 32, false, m, x[0]))
	case amdgpu.VCvtF32Ubyte0:
		finish(fp.F, fp.FromInt(fp.F, 8, false, m, x[0]&0xff))
	case amdgpu.VCvtF16U16:
		finish(fp.HF, fp.FromInt(fp.HF, 16, false, m, x[0]&0xffff))
	case amdgpu.VCvtF16I16:
		finish(fp.HF, fp.FromInt(fp.HF, 16, true, m, x[0]&0xffff))
	case amdgpu.VRcpF16, amdgpu.VRcpF32:
		finish(f, l.approx(f, fp.Rcp, x[0]))
	case amdgpu.VRsqF16, amdgpu.VRsqF32:
		finish(f, l.approx(f, fp.Rsqrt, x[0]))
	case amdgpu.VSqrtF16, amdgpu.VSqrtF32:
		finish(f, l.approx(f, func(f fp.Format, _ bool, a uint64) uint64 { return fp.Sqrt(f, fp.Mode{}, a) }, x[0]))
	case amdgpu.VExpF16, amdgpu.VExpF32:
		finish(f, l.approx(f, fp.Exp2, x[0]))
	case amdgpu.VLogF16, amdgpu.VLogF32:
		finish(f, l.approx(f, fp.Log2, x[0]))
	case amdgpu.VRcpF64:
		finish(f, l.coarse(fp.Rcp(f, false, x[0])))
	case amdgpu.VRsqF64:
		finish(f, l.coarse(fp.Rsqrt(f, false, x[0])))
	case amdgpu.VCndmaskB32:
		set(0, uint32(choose(x[2] != 0, x[1], x[0])))
	case amdgpu.SAddU32:
		set(0, uint32(x[0]+x[1]))
		set(1, uint32((x[0]+x[1])>>32))
	case amdgpu.SSubU32:
		set(0, uint32(x[0]-x[1]))
		set(1, uint32(choose(x[0] < x[1], 1, 0)))
	case amdgpu.SAddcU32:
		v := x[0] + x[1] + x[2]&1
		set(0, uint32(v))
		set(1, uint32(v>>32))
	case amdgpu.SCselectB32, amdgpu.SCselectB64:
		set(0, words(choose(x[2] != 0, x[0], x[1]), op.Result(0).Type.Lanes())...)
	case amdgpu.VAddCoU32:
		set(0, uint32(x[0]+x[1]))
		set(1, mask((x[0]+x[1])>>32 != 0)...)
	case amdgpu.VAddCoCiU32:
		v := x[0] + x[1] + x[2]&1
		set(0, uint32(v))
		set(1, mask(v>>32 != 0)...)
	case amdgpu.VMadU64U32:
		set(0, words(x[0]*x[1]+x[2], 2)...)
		set(1, 0, 0)
	case amdgpu.VDivScaleF32, amdgpu.VDivScaleF64:
		v, c := divScale(f, x[0], x[1], x[2])
		set(0, words(v, op.Result(0).Type.Lanes())...)
		set(1, mask(c)...)
	case amdgpu.VDivFmasF32, amdgpu.VDivFmasF64:
		finish(f, divFmas(f, m, x[0], x[1], x[2], x[3] != 0))
	case amdgpu.VDivFixupF32, amdgpu.VDivFixupF64:
		finish(f, divFixup(f, x[0], x[1], x[2]))
	default:
		panic("lane: no semantics of " + r.Name)
	}
}

var sourceFormats = map[ir.Code]fp.Format{
	amdgpu.VCvtF32F16: fp.HF, amdgpu.VCvtF16F32: fp.F, amdgpu.VCvtF32F64: fp.DF, amdgpu.VCvtF64F32: fp.F,
	amdgpu.VCvtI32F64: fp.DF, amdgpu.VCvtU32F64: fp.DF,
}

func isInt(c ir.Code) bool {
	switch c {
	case amdgpu.VCvtF32I32, amdgpu.VCvtF32U32, amdgpu.VCvtF64I32, amdgpu.VCvtF64U32, amdgpu.VCvtF16U16, amdgpu.VCvtF16I16, amdgpu.VCvtF32Ubyte0:
		return true
	}
	return false
}

func flushed(f fp.Format, a uint64) uint64 {
	if a&f.Inf() == 0 {
		return a & f.SignBit()
	}
	return a
}

// approx is a function of the transcendental unit: 1 ULP; those of f flush.
func (l *lane) approx(f fp.Format, fn func(fp.Format, bool, uint64) uint64, a uint64) uint64 {
	if f == fp.F {
		a = flushed(f, a)
	}
	v := fn(f, false, a)
	if mag := v &^ f.SignBit(); mag != 0 && mag < f.Inf() && mag != f.One() {
		d := l.perturb
		if d == -7 {
			l.seed = l.seed*6364136223846793005 + 1442695040888963407
			d = int(l.seed>>60)%3 - 1
		}
		v += uint64(d)
		v &= f.SignBit()<<1 - 1
	}
	if f == fp.F {
		v = flushed(f, v)
	}
	return v
}

// coarse keeps about 24 bits of a df.
func (l *lane) coarse(v uint64) uint64 {
	if v&fp.DF.Inf() == fp.DF.Inf() || v&fp.DF.Inf() == 0 {
		return v
	}
	v &^= 1<<29 - 1
	switch l.perturb {
	case 1:
		v |= 1<<29 - 1
	case -7:
		l.seed = l.seed*6364136223846793005 + 1442695040888963407
		v |= l.seed >> 35
	}
	return v
}

func exponent(f fp.Format, a uint64) int { return int(a &^ f.SignBit() >> f.Mantissa()) }

// frexp: of infinities and NaN the number itself and 0.
func frexp(f fp.Format, a uint64) (uint64, int) {
	mag := a &^ f.SignBit()
	if mag == 0 || mag >= f.Inf() {
		return a, 0
	}
	e := exponent(f, a)
	if e == 0 {
		n := f.Mantissa() + 1 - bits.Len64(mag)
		mag, e = mag<<n, 1-n
	}
	half := f.One() - 1<<f.Mantissa()
	return a&f.SignBit() | half | mag&(1<<f.Mantissa()-1), e - f.Bias() + 1
}

// ldexp multiplies by a power of two, rounding once.
func ldexp(f fp.Format, m fp.Mode, a uint64, e int32) uint64 {
	mag := a &^ f.SignBit()
	if mag == 0 || mag >= f.Inf() {
		return fp.Add(f, fp.Mode{}, a, a&f.SignBit())
	}
	v, k := frexp(f, a)
	k += int(max(min(e, 5000), -5000))
	// v in [½, 1): one exact multiplication, then one that rounds, in any mode.
	scale := func(n int) uint64 { return uint64(n+f.Bias()) << f.Mantissa() }
	lim := f.Bias() - 1
	if k >= 0 {
		k1 := min(k, lim)
		v = fp.Mul(f, m, v, scale(k1))
		for k -= k1; k > 0; k -= k1 {
			k1 = min(k, lim)
			v = fp.Mul(f, m, v, scale(k1))
		}
		return v
	}
	if k < -2*lim-200 {
		k = -2*lim - 200
	}
	// down to a number that is still normal first
	k1 := max(k, -lim+1)
	v = fp.Mul(f, m, v, scale(k1))
	if k == k1 {
		return v
	}
	k -= k1
	if k < -lim {
		tiny := uint64(1)
		return fp.Mul(f, m, v, fp.Mul(f, fp.Mode{Round: fp.RU}, tiny, tiny))
	}
	return fp.Mul(f, m, v, scale(k))
}

// divScale is V_DIV_SCALE (RDNA3 ISA 16.12): x is the denominator d or the
// numerator n.
func divScale(f fp.Format, x, d, n uint64) (uint64, bool) {
	far, tiny, by := 96, 23, int32(64)
	if f == fp.DF {
		far, tiny, by = 768, 53, 128
	}
	zero := func(a uint64) bool { return a&^f.SignBit() == 0 }
	denorm := func(a uint64) bool { return exponent(f, a) == 0 && !zero(a) }
	rcp := fp.Rcp(f, false, d)
	quo := fp.Div(f, fp.Mode{}, n, d)
	switch {
	case zero(n) || zero(d):
		return f.NaN(), false
	case exponent(f, n)-exponent(f, d) >= far:
		if x == d {
			return ldexp(f, fp.Mode{}, x, by), true
		}
		return x, true
	case denorm(d):
		return ldexp(f, fp.Mode{}, x, by), false
	case (denorm(rcp)) && (denorm(quo) || zero(quo)):
		if x == d { // the document has 2^64 here, which is infinite
			return ldexp(f, fp.Mode{}, x, -by), true
		}
		return x, true
	case denorm(rcp):
		return ldexp(f, fp.Mode{}, x, -by), false
	case denorm(quo) || zero(quo):
		if x == n {
			return ldexp(f, fp.Mode{}, x, by), true
		}
		return x, true
	case exponent(f, n) <= tiny:
		return ldexp(f, fp.Mode{}, x, by), false
	}
	return x, false
}

// divFmas is a·b+c, scaled back where divScale says so, rounded once.
func divFmas(f fp.Format, m fp.Mode, a, b, c uint64, scaled bool) uint64 {
	if !scaled {
		return fp.Mad(f, m, a, b, c)
	}
	by := 64
	if f == fp.DF {
		by = 128
	}
	if exponent(f, c) <= f.Bias() {
		by = -by
	}
	r := fp.Mad(f, m, a, b, c)
	if mag := r &^ f.SignBit(); mag == 0 || mag >= f.Inf() {
		return r
	}
	num := func(a uint64) *big.Float {
		return new(big.Float).SetPrec(4000).SetFloat64(math.Float64frombits(fp.Convert(fp.DF, f, fp.Mode{}, a)))
	}
	e := new(big.Float).SetPrec(4000).Mul(num(a), num(b))
	e.Add(e, num(c))
	e.SetMantExp(e, by)
	// Twice the bits, rounded to odd, then to f.
	sign := uint64(0)
	if e.Sign() < 0 {
		sign = f.SignBit()
	}
	unit := -f.Bias() - f.Mantissa() + 1 // exponent of the least denormal
	k := e.MantExp(nil) - f.Mantissa() - 1
	k = max(k, unit)
	q := new(big.Float).SetMantExp(new(big.Float).Abs(e), -k)
	n, _ := q.Uint64()
	rest := new(big.Float).Sub(q, new(big.Float).SetUint64(n))
	up := false
	switch half := rest.Cmp(big.NewFloat(0.5)); m.Round {
	case fp.RE:
		up = half > 0 || half == 0 && n&1 != 0
	case fp.RU:
		up = rest.Sign() > 0 && sign == 0
	case fp.RD:
		up = rest.Sign() > 0 && sign != 0
	}
	if up {
		n++
	}
	v := new(big.Float).SetMantExp(new(big.Float).SetUint64(n), k)
	d, _ := v.Float64()
	return sign | fp.Convert(f, fp.DF, fp.Mode{}, math.Float64bits(d))
}

func divFixup(f fp.Format, q, d, n uint64) uint64 {
	sign := (d ^ n) & f.SignBit()
	md, mn := d&^f.SignBit(), n&^f.SignBit()
	switch {
	case mn > f.Inf():
		return n | 1<<(f.Mantissa()-1)
	case md > f.Inf():
		return d | 1<<(f.Mantissa()-1)
	case mn == 0 && md == 0 || mn == f.Inf() && md == f.Inf():
		return f.NaN()
	case md == 0 || mn == f.Inf():
		return sign | f.Inf()
	case md == f.Inf() || mn == 0, exponent(f, n)-exponent(f, d) < -f.Bias()-f.Mantissa():
		return sign
	case f.IsNaN(q):
		return sign | f.Inf()
	}
	return sign | q&^f.SignBit()
}

func compare(code ir.Code, f fp.Format, x [4]uint64) bool {
	c, t, class := amdgpu.CmpOf(code)
	if class {
		return x[1]>>classOf(f, x[0])&1 != 0
	}
	if t < amdgpu.CmpF32 {
		a, b := int64(x[0]), int64(x[1])
		switch t {
		case amdgpu.CmpI32:
			a, b = int64(int32(a)), int64(int32(b))
		case amdgpu.CmpU64:
			a, b = a^math.MinInt64, b^math.MinInt64
		}
		return [...]bool{amdgpu.LT: a < b, amdgpu.EQ: a == b, amdgpu.LE: a <= b, amdgpu.GT: a > b, amdgpu.NE: a != b, amdgpu.GE: a >= b}[c]
	}
	is := func(c fp.Cmp) bool { return fp.Compare(f, false, c, x[0], x[1]) }
	un := f.IsNaN(x[0]) || f.IsNaN(x[1])
	switch c {
	case amdgpu.LT:
		return is(fp.LT)
	case amdgpu.EQ:
		return is(fp.EQ)
	case amdgpu.LE:
		return is(fp.LE)
	case amdgpu.GT:
		return is(fp.GT)
	case amdgpu.GE:
		return is(fp.GE)
	case amdgpu.LG:
		return is(fp.LT) || is(fp.GT)
	case amdgpu.NEQ:
		return is(fp.NE)
	case amdgpu.U:
		return un
	}
	panic("lane: no such comparison")
}

func classOf(f fp.Format, a uint64) int {
	mag, neg := a&^f.SignBit(), a&f.SignBit() != 0
	pick := func(n, p int) int {
		if neg {
			return n
		}
		return p
	}
	switch {
	case mag > f.Inf() && mag>>(f.Mantissa()-1)&1 == 0:
		return 0
	case mag > f.Inf():
		return 1
	case mag == f.Inf():
		return pick(2, 9)
	case exponent(f, a) != 0:
		return pick(3, 8)
	case mag != 0:
		return pick(4, 7)
	}
	return pick(5, 6)
}
