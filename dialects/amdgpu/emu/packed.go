package emu

import (
	"math/bits"

	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// packedRow is a VOP3P instruction: fn on each half of the registers. A part is
// of 16 bits, or with letter f of types of 32.
type packedRow struct {
	code    ir.Code
	types   string
	fn      valuFn
	section string
	sat     valuFn
}

func clampInt(x int64, lo, hi int64) uint64 { return uint64(min(max(x, lo), hi)) & 0xffff }
func s16(a uint64) int64                    { return int64(int16(a)) }

func sat16u(f func(a, b, c int64) int64) valuFn {
	return func(_ *fpMode, a, b, c uint64) uint64 {
		return clampInt(f(int64(a), int64(b), int64(c)), 0, 0xffff)
	}
}

func sat16s(f func(a, b, c int64) int64) valuFn {
	return func(_ *fpMode, a, b, c uint64) uint64 {
		return clampInt(f(s16(a), s16(b), s16(c)), -0x8000, 0x7fff)
	}
}

func plus(a, b, _ int64) int64  { return a + b }
func minus(a, b, _ int64) int64 { return a - b }

var (
	pkAdd = binary2(func(a, b uint64) uint64 { return a + b })
	pkSub = binary2(func(a, b uint64) uint64 { return a - b })
)

// packedRows is VOP3P instructions on two parts.
var packedRows = [...]packedRow{
	{amdgpu.VPkAddU16, "www", pkAdd, secVOP3P, sat16u(plus)},
	{amdgpu.VPkAddI16, "www", pkAdd, secVOP3P, sat16s(plus)},
	{amdgpu.VPkSubU16, "www", pkSub, secVOP3P, sat16u(minus)},
	{amdgpu.VPkSubI16, "www", pkSub, secVOP3P, sat16s(minus)},
	{amdgpu.VPkMulLoU16, "www", binary2(func(a, b uint64) uint64 { return a * b }), secVOP3P, nil},
	{amdgpu.VPkMinI16, "www", binary2(func(a, b uint64) uint64 { return uint64(min(s16(a), s16(b))) }), secVOP3P, nil},
	{amdgpu.VPkMaxI16, "www", binary2(func(a, b uint64) uint64 { return uint64(max(s16(a), s16(b))) }), secVOP3P, nil},
	{amdgpu.VPkMinU16, "www", binary2(func(a, b uint64) uint64 { return min(a, b) }), secVOP3P, nil},
	{amdgpu.VPkMaxU16, "www", binary2(func(a, b uint64) uint64 { return max(a, b) }), secVOP3P, nil},
	{amdgpu.VPkLshlrevB16, "www", binary2(func(a, b uint64) uint64 { return b << (a & 15) }), secVOP3P, nil},
	{amdgpu.VPkLshrrevB16, "www", binary2(func(a, b uint64) uint64 { return b >> (a & 15) }), secVOP3P, nil},
	{amdgpu.VPkAshrrevI16, "www", binary2(func(a, b uint64) uint64 { return uint64(s16(b) >> (a & 15)) }), secVOP3P, nil},
	{amdgpu.VPkMadU16, "wwww", ternary(func(a, b, c uint64) uint64 { return a*b + c }), secVOP3P,
		sat16u(func(a, b, c int64) int64 { return a*b + c })},
	{amdgpu.VPkAddF16, "hhh", fAdd(&half), secVOP3P, nil},
	{amdgpu.VPkMulF16, "hhh", fMul(&half), secVOP3P, nil},
	{amdgpu.VPkMinF16, "hhh", fMin(&half), secVOP3P, nil},
	{amdgpu.VPkMaxF16, "hhh", fMax(&half), secVOP3P, nil},
	{amdgpu.VPkFmaF16, "hhhh", fFma(&half), secVOP3P, nil},
	{amdgpu.VPkFmaF32, "ffff", fFma(&single), cdnaPk, nil},
	{amdgpu.VPkMulF32, "fff", fMul(&single), cdnaPk, nil},
	{amdgpu.VPkAddF32, "fff", fAdd(&single), cdnaPk, nil},
}

// wholePacked is the instructions of the VOP3P encoding that are not packed.
var wholePacked = [...]wholeRow{
	{amdgpu.VFmaMixF32, runMix, secVOP3P, (*decoder).mix},
	{amdgpu.VDot4U32U8, runDot, secVOP3P, nil},
	{amdgpu.VDot4I32Iu8, runDot, secVOP3P, nil},
}

// packed decodes VOP3P.
func (d *decoder) packed(in *inst) {
	if in.dpp || amdgpu.FOmod.Get(in.props) != 0 || amdgpu.FOpSel.Get(in.props)&8 != 0 {
		d.fail(in.op, "%s has no such modifier", in.row.Name)
		return
	}
	for k := range in.src {
		in.src[k].imm = lo(in.src[k].imm)
	}
	for i := range wholePacked {
		if r := &wholePacked[i]; r.code == in.op.Code {
			if in.run = r.run; r.decode != nil {
				r.decode(d, in)
			}
			return
		}
	}
	for i := range packedRows {
		r := &packedRows[i]
		if r.code != in.op.Code {
			continue
		}
		in.out = formatOf(r.types[0])
		in.run, in.valu = runPacked, r.fn
		neg := amdgpu.FNeg.Get(in.props) | amdgpu.FNegHi.Get(in.props)
		if neg != 0 && in.out == nil || amdgpu.FAbs.Get(in.props) != 0 {
			d.fail(in.op, "%s has no such modifier", in.row.Name)
		}
		if amdgpu.FClamp.Get(in.props) != 0 {
			if in.post = in.out != nil; !in.post {
				in.valu = r.sat
			}
			if in.valu == nil {
				d.fail(in.op, "%s has no clamp", in.row.Name)
			}
		}
	}
}

// runPacked computes both parts. Of operand i the low part of the result takes
// the half that op_sel says, the high part the one of op_sel_hi.
func runPacked(w *wave, in *inst) {
	sel := [2]uint64{amdgpu.FOpSel.Get(in.props), ^amdgpu.FOpLow.Get(in.props)}
	neg := [2]uint64{amdgpu.FNeg.Get(in.props), amdgpu.FNegHi.Get(in.props)}
	width := uint(16)
	if in.out == &single {
		width = 32
	}
	for e := w.exec(); e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		r := uint64(0)
		for part := range 2 {
			var x [3]uint64
			for i := range in.nsrc {
				v := w.laneValue(&in.src[i], l) >> (width * uint(sel[part]>>i&1)) & ones(uint64(width))
				if neg[part]>>i&1 != 0 {
					v ^= in.out.sign()
				}
				x[i] = v
			}
			y := in.valu(&w.mode, x[0], x[1], x[2]) & ones(uint64(width))
			if in.post {
				y = w.mode.post(in.out, 0, true, y)
			}
			r |= y << (width * uint(part))
		}
		w.setLane(in.dst[0], in.dwid[0], l, r)
	}
}

func (d *decoder) mix(in *inst) {
	in.out = &single
	in.post = amdgpu.FClamp.Get(in.props) != 0
}

// runMix is v_fma_mix_f32: op_sel_hi says that an operand is a half, op_sel
// which; the encoding's neg_hi takes the absolute value.
func runMix(w *wave, in *inst) {
	halves, sel := ^amdgpu.FOpLow.Get(in.props), amdgpu.FOpSel.Get(in.props)
	neg, abs := amdgpu.FNeg.Get(in.props), amdgpu.FNegHi.Get(in.props)|amdgpu.FAbs.Get(in.props)
	for e := w.exec(); e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		var x [3]uint64
		for i := range in.nsrc {
			v := w.laneValue(&in.src[i], l)
			if halves>>i&1 != 0 {
				h := w.mode.in(&half, v>>(16*(sel>>i&1))&0xffff)
				if half.isNaN(h) {
					v = single.nan()
				} else {
					v = single.narrow(half.value(h), roundEven)
				}
			}
			if abs>>i&1 != 0 {
				v &^= single.sign()
			}
			if neg>>i&1 != 0 {
				v ^= single.sign()
			}
			x[i] = v
		}
		w.result(in, l, w.mode.fma(&single, x[0], x[1], x[2]))
	}
}

// runDot sums products of bytes. v_dot4_i32_iu8 has signs by operand in neg_lo;
// GFX9's v_dot4_i32_i8 is signed.
func runDot(w *wave, in *inst) {
	signs := uint64(0)
	if in.op.Code == amdgpu.VDot4I32Iu8 {
		if signs = amdgpu.FNeg.Get(in.props); w.mode.gfx9 {
			signs = 3
		}
	}
	byteOf := func(v uint64, i int, signed bool) int64 {
		if signed {
			return int64(int8(v >> (8 * i)))
		}
		return int64(v >> (8 * i) & 0xff)
	}
	clamp := amdgpu.FClamp.Get(in.props) != 0
	for e := w.exec(); e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		a, b, c := w.laneValue(&in.src[0], l), w.laneValue(&in.src[1], l), w.laneValue(&in.src[2], l)
		sum := int64(0)
		for i := range 4 {
			sum += byteOf(a, i, signs&1 != 0) * byteOf(b, i, signs&2 != 0)
		}
		var r uint64
		switch {
		case in.op.Code == amdgpu.VDot4U32U8 && clamp:
			r = min(uint64(sum)+lo(c), 0xffffffff)
		case clamp:
			r = satS32(sum + s32(c))
		default:
			r = uint64(sum) + c
		}
		w.setLane(in.dst[0], 1, l, r)
	}
}
