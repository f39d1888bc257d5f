package pisa

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/ir"
)

// The oracle of this file is math/big over unbounded integers and loops over
// single bits; none of it shares code with eval_int.go.

func bigOf(w uint, signed bool, v uint64) *big.Int {
	x := new(big.Int).SetUint64(v)
	if signed && v>>(w-1)&1 != 0 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), w))
	}
	return x
}

func wrap(w uint, x *big.Int) uint64 {
	m := new(big.Int).Lsh(big.NewInt(1), w)
	return new(big.Int).Mod(x, m).Uint64()
}

func clampSigned(w uint, x *big.Int) uint64 {
	hi := new(big.Int).Lsh(big.NewInt(1), w-1)
	lo := new(big.Int).Neg(hi)
	hi.Sub(hi, big.NewInt(1))
	if x.Cmp(lo) < 0 {
		x = lo
	} else if x.Cmp(hi) > 0 {
		x = hi
	}
	return wrap(w, x)
}

// edges returns values of width w that favour the ends of the ranges.
func edges(w uint) []uint64 {
	m := ^uint64(0) >> (64 - w)
	h := uint64(1) << (w - 1)
	vs := []uint64{0, 1, 2, 3, 7, 31, 32, 33, 63, 64, h - 1, h, h + 1, m - 1, m, 0x5555555555555555 & m}
	r := rand.New(rand.NewPCG(1, uint64(w)))
	for range 24 {
		vs = append(vs, r.Uint64()&m, r.Uint64()&m>>(r.Uint32()%uint32(w)))
	}
	return vs
}

var intTypes = map[DType]uint{T16b: 16, T32b: 32, T64b: 64}

func fn(t testing.TB, code ir.Code, p uint64) Eval {
	f := EvalFn(code, p)
	require.NotNil(t, f)
	return f
}

func TestEvalIntegerBinary(t *testing.T) {
	type spec struct {
		code   ir.Code
		props  uint64
		signed bool
		want   func(w uint, a, b *big.Int) uint64
	}
	b := func(f func(z, a, b *big.Int) *big.Int) func(uint, *big.Int, *big.Int) uint64 {
		return func(w uint, x, y *big.Int) uint64 { return wrap(w, f(new(big.Int), x, y)) }
	}
	pick := func(sign int) func(uint, *big.Int, *big.Int) uint64 {
		return func(w uint, x, y *big.Int) uint64 {
			if x.Cmp(y)*sign > 0 {
				return wrap(w, x)
			}
			return wrap(w, y)
		}
	}
	specs := []spec{
		{IAdd, 0, true, b((*big.Int).Add)},
		{ISub, 0, true, b((*big.Int).Sub)},
		{SMul, 0, true, b((*big.Int).Mul)},
		{UMul, 0, false, b((*big.Int).Mul)},
		{SMax, 0, true, pick(1)}, {SMin, 0, true, pick(-1)}, {UMax, 0, false, pick(1)}, {UMin, 0, false, pick(-1)},
		{And, 0, false, b((*big.Int).And)}, {Or, 0, false, b((*big.Int).Or)}, {Xor, 0, false, b((*big.Int).Xor)},
		{IAdd, FDsat.Put(1), true, func(w uint, x, y *big.Int) uint64 { return clampSigned(w, new(big.Int).Add(x, y)) }},
		{ISub, FDsat.Put(1), true, func(w uint, x, y *big.Int) uint64 { return clampSigned(w, new(big.Int).Sub(x, y)) }},
		// Quo and Rem of math/big truncate. A zero divisor may give anything.
		{SDiv, FOp.Put(OutQuo), true, b((*big.Int).Quo)}, {SDiv, FOp.Put(OutRem), true, b((*big.Int).Rem)},
		{UDiv, FOp.Put(OutQuo), false, b((*big.Int).Quo)}, {UDiv, FOp.Put(OutRem), false, b((*big.Int).Rem)},
	}
	for _, s := range specs {
		for ty, w := range intTypes {
			f := fn(t, s.code, s.props|FType.Put(uint64(ty)))
			for _, x := range edges(w) {
				for _, y := range edges(w) {
					if (s.code == SDiv || s.code == UDiv) && y == 0 {
						continue
					}
					got, _ := f(x, y, 0, 0)
					want := s.want(w, bigOf(w, s.signed, x), bigOf(w, s.signed, y))
					require.Equal(t, want, got, "op %d props %#x width %d: %#x, %#x", s.code, s.props, w, x, y)
				}
			}
		}
	}
}

func TestEvalMad(t *testing.T) {
	for _, signed := range []bool{true, false} {
		mul, mad := UMul, UMad
		if signed {
			mul, mad = SMul, SMad
		}
		for ty, w := range intTypes {
			for _, full := range []bool{false, true} {
				if full && ty == T64b {
					continue
				}
				p, wr := FType.Put(uint64(ty)), w
				if full {
					p, wr = p|FFull.Put(1), 2*w
				}
				fm, fa := fn(t, mul, p), fn(t, mad, p)
				for i, x := range edges(w) {
					for k, y := range edges(w) {
						z := edges(wr)[(i*7+k)%len(edges(wr))]
						prod := new(big.Int).Mul(bigOf(w, signed, x), bigOf(w, signed, y))
						got, _ := fm(x, y, 0, 0)
						require.Equal(t, wrap(wr, prod), got, "mul full=%v %d: %#x %#x", full, w, x, y)
						got, _ = fa(x, y, z, 0)
						sum := prod.Add(prod, bigOf(wr, signed, z))
						require.Equal(t, wrap(wr, sum), got, "mad full=%v %d: %#x %#x %#x", full, w, x, y, z)
					}
				}
			}
		}
	}
}

func TestEvalUnaryAndShifts(t *testing.T) {
	for ty, w := range intTypes {
		p := FType.Put(uint64(ty))
		for _, x := range edges(w) {
			bx := bigOf(w, true, x)
			check := func(code ir.Code, want uint64) {
				got, _ := fn(t, code, p)(x, 0, 0, 0)
				require.Equal(t, want, got, "op %d width %d: %#x", code, w, x)
			}
			check(IAbs, wrap(w, new(big.Int).Abs(bx)))
			check(INeg, wrap(w, new(big.Int).Neg(bx)))
			check(Not, wrap(w, new(big.Int).Not(bx)))
			if ty != T64b {
				count, high, low := uint64(0), mask(w), mask(w)
				for i := range w {
					if x>>i&1 != 0 {
						count++
						high = uint64(w - 1 - i)
						if low == mask(w) {
							low = uint64(i)
						}
					}
				}
				check(Cbit, count)
				check(Fbh, high)
				check(Fbl, low)
			}
			for _, n := range []uint64{0, 1, 5, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 0xffffffff, 0x80000000} {
				s := uint(n & 63)
				for code, want := range map[ir.Code]uint64{
					Shl: wrap(w, new(big.Int).Lsh(bx, s)),
					Shr: wrap(w, new(big.Int).Rsh(bigOf(w, false, x), s)),
					Asr: wrap(w, new(big.Int).Rsh(bx, s)), // Rsh of math/big rounds down
				} {
					got, _ := fn(t, code, p)(x, n, 0, 0)
					require.Equal(t, want, got, "shift %d width %d: %#x by %#x", code, w, x, n)
				}
			}
		}
	}
}

func TestEvalBits(t *testing.T) {
	p := FType.Put(uint64(T32b))
	r := rand.New(rand.NewPCG(2, 2))
	for range 20000 {
		a, b, c := uint64(r.Uint32()), uint64(r.Uint32()), uint64(r.Uint32())
		n, o := uint64(r.Uint32()%70), uint64(r.Uint32()%40)
		var wantBfi, wantUbfe, wantRev uint64 = a, 0, 0
		w := n & 63
		off := o & 31
		for i := uint64(0); i < w && off+i < 32; i++ {
			wantBfi = wantBfi&^(1<<(off+i)) | b>>i&1<<(off+i)
			wantUbfe |= a >> (off + i) & 1 << i
		}
		wantSbfe := wantUbfe
		if k := min(w, 32-off); k > 0 && wantUbfe>>(k-1)&1 != 0 {
			for i := k; i < 32; i++ {
				wantSbfe |= 1 << i
			}
		}
		for i := range 32 {
			wantRev |= a >> i & 1 << (31 - i)
		}
		got, _ := fn(t, Bfi, p)(a, b, n, o)
		require.Equal(t, wantBfi, got)
		got, _ = fn(t, Ubfe, p)(a, n, o, 0)
		require.Equal(t, wantUbfe, got)
		got, _ = fn(t, Sbfe, p)(a, n, o, 0)
		require.Equal(t, wantSbfe, got, "%#x %d %d", a, n, o)
		got, _ = fn(t, Bfrev, p)(a, 0, 0, 0)
		require.Equal(t, wantRev, got)

		table := uint64(1 + r.Uint32()%254)
		var wantBfn uint64
		for i := range 32 {
			k := a>>i&1 | b>>i&1<<1 | c>>i&1<<2
			wantBfn |= table >> k & 1 << i
		}
		got, _ = fn(t, Bfn, p|FOp.Put(table))(a, b, c, 0)
		require.Equal(t, wantBfn, got)

		v := new(big.Int).SetUint64(a<<32 | b)
		s := uint(c & 31)
		got, _ = fn(t, Shf, p|FOp.Put(DirL))(a, b, c, 0)
		require.Equal(t, wrap(32, new(big.Int).Rsh(new(big.Int).Lsh(v, s), 32)), got)
		got, _ = fn(t, Shf, p|FOp.Put(DirR))(a, b, c, 0)
		require.Equal(t, wrap(32, new(big.Int).Rsh(v, s)), got)
	}
}

func TestEvalCarryAndDot(t *testing.T) {
	p := FType.Put(uint64(T32b))
	for _, x := range edges(32) {
		for _, y := range edges(32) {
			for ci := range uint64(2) {
				s, co := fn(t, UAddC, p)(x, y, ci, 0)
				require.Equal(t, x+y+ci, s|co<<32)
				d, bo := fn(t, USubB, p)(x, y, ci, 0)
				diff := int64(x) - int64(y) - int64(ci)
				require.Equal(t, uint64(uint32(diff)), d)
				require.Equal(t, diff < 0, bo == 1)
			}
			for sign := SignSS; sign <= SignUU; sign++ {
				sum := bigOf(32, true, 0x7fff0000)
				for s := uint(0); s < 32; s += 8 {
					bx := bigOf(8, sign == SignSS || sign == SignSU, x>>s&0xff)
					by := bigOf(8, sign == SignSS || sign == SignUS, y>>s&0xff)
					sum.Add(sum, bx.Mul(bx, by))
				}
				got, _ := fn(t, Dp4a, p|FOp.Put(uint64(sign)))(0x7fff0000, x, y, 0)
				require.Equal(t, wrap(32, sum), got)
				if sign != SignUU {
					got, _ = fn(t, Dp4a, p|FOp.Put(uint64(sign))|FDsat.Put(1))(0x7fff0000, x, y, 0)
					require.Equal(t, clampSigned(32, sum), got)
				}
			}
		}
	}
}

func TestEvalCompareAndExtend(t *testing.T) {
	holds := map[Cmp]func(int) bool{
		EQ: func(c int) bool { return c == 0 }, NE: func(c int) bool { return c != 0 }, GT: func(c int) bool { return c > 0 },
		GE: func(c int) bool { return c >= 0 }, LT: func(c int) bool { return c < 0 }, LE: func(c int) bool { return c <= 0 },
	}
	for ty, w := range intTypes {
		for c, ok := range holds {
			for code, signed := range map[ir.Code]bool{SCmp: true, UCmp: false} {
				f := fn(t, code, FType.Put(uint64(ty))|FOp.Put(uint64(c)))
				for _, x := range edges(w) {
					for _, y := range edges(w) {
						want := uint64(0)
						if ok(bigOf(w, signed, x).Cmp(bigOf(w, signed, y))) {
							want = 0xffffffff
						}
						got, _ := f(x, y, 0, 0)
						require.Equal(t, want, got)
					}
				}
			}
		}
	}
	for from, fw := range map[DType]uint{T8b: 8, T16b: 16, T32b: 32} {
		for to, tw := range map[DType]uint{T16b: 16, T32b: 32, T64b: 64} {
			if tw <= fw {
				continue
			}
			p := FType.Put(uint64(to)) | FFrom.Put(uint64(from))
			for _, x := range edges(fw) {
				got, _ := fn(t, SExt, p)(x, 0, 0, 0)
				require.Equal(t, wrap(tw, bigOf(fw, true, x)), got)
				got, _ = fn(t, ZExt, p)(x, 0, 0, 0)
				require.Equal(t, x, got)
			}
			q := FType.Put(uint64(from)) | FFrom.Put(uint64(to))
			for _, x := range edges(tw) {
				got, _ := fn(t, Trunc, q)(x, 0, 0, 0)
				require.Equal(t, x%(1<<fw), got)
			}
		}
	}
}

// TestEvalPacked holds each packed integer op to its scalar form, element by
// element.
func TestEvalPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, code := range []ir.Code{IAdd, ISub, SMax, SMin, UMax, UMin, SMul, SMad, Shl, Shr, Asr} {
		packed, scalar := fn(t, code, FType.Put(uint64(T16bx2))), fn(t, code, FType.Put(uint64(T16b)))
		for range 2000 {
			a, b, c := uint64(r.Uint32()), uint64(r.Uint32()), uint64(r.Uint32())
			got, _ := packed(a, b, c, 0)
			lo, _ := scalar(a&0xffff, b&0xffff, c&0xffff, 0)
			hi, _ := scalar(a>>16, b>>16, c>>16, 0)
			require.Equal(t, lo|hi<<16, got, "op %d %#x %#x %#x", code, a, b, c)
		}
	}
	sat := fn(t, IAdd, FType.Put(uint64(T8bx4))|FDsat.Put(1))
	got, _ := sat(0x7f_80_01_ff, 0x01_ff_02_01, 0, 0)
	assert.Equal(t, uint64(0x7f_80_03_00), got)
}

// TestEvalFloatForms checks what eval adds to package fp: the choice of
// operation, format and flags. Values worked out by hand.
func TestEvalFloatForms(t *testing.T) {
	for _, c := range []struct {
		name       string
		code       ir.Code
		p          uint64
		a, b, c, w uint64
	}{
		{"fadd.f 1+2", FAdd, FType.Put(uint64(F)), 0x3f800000, 0x40000000, 0, 0x40400000},
		{"fadd.hfx2 (1,2)+(1,1)", FAdd, FType.Put(uint64(HFx2)), 0x4000_3c00, 0x3c00_3c00, 0, 0x4200_4000},
		{"fsub.dsat.f 1-2 is 0", FSub, FType.Put(uint64(F)) | FDsat.Put(1), 0x3f800000, 0x40000000, 0, 0},
		{"fmul.full.hf 1.5*1.5 is 2.25f", FMul, FType.Put(uint64(HF)) | FFull.Put(1), 0x3e00, 0x3e00, 0, 0x40100000},
		{"fmad.ru.f 1*1+2^-24", FMad, FType.Put(uint64(F)) | FRound.Put(uint64(RU)), 0x3f800000, 0x3f800000, 0x33800000, 0x3f800001},
		{"fmax.nanp.f", FMax, FType.Put(uint64(F)) | FNanp.Put(1), 0x7fc00000, 0x3f800000, 0, 0x7fc00000},
		{"fmax.f", FMax, FType.Put(uint64(F)), 0x7fc00000, 0x3f800000, 0, 0x3f800000},
		{"fneg.bfx2", FNeg, FType.Put(uint64(BFx2)), 0xbf80_3f80, 0, 0, 0x3f80_bf80},
		{"f2i.s32.f.rna 2.5 is 3", F2I, FType.Put(uint64(S32)) | FFrom.Put(uint64(F)) | FRound.Put(uint64(RNA)), 0x40200000, 0, 0, 3},
		{"pf2i.u16x2.hfx2 (-1,2)", PF2I, FType.Put(uint64(U16x2)) | FFrom.Put(uint64(HFx2)) | FRound.Put(uint64(RZ)), 0x4000_bc00, 0, 0, 0x0002_0000},
		{"i2f.f.s8 -1", I2F, FType.Put(uint64(F)) | FFrom.Put(uint64(S8)), 0xff, 0, 0, 0xbf800000},
		{"fext.df.f 1.5", FExt, FType.Put(uint64(DF)) | FFrom.Put(uint64(F)), 0x3fc00000, 0, 0, 0x3ff8000000000000},
		{"ftrunc2.hfx2 (1,2)", FTrunc2, FType.Put(uint64(HFx2)), 0x3f800000, 0x40000000, 0, 0x4000_3c00},
		{"fcmp.lt.bfx2 (1<2, 2<1)", FCmp, FType.Put(uint64(BFx2)) | FOp.Put(uint64(LT)), 0x4000_3f80, 0x3f80_4000, 0, 0x0000_ffff},
		{"frnd.rd.f -0.5 is -1", FRnd, FType.Put(uint64(F)) | FRound.Put(uint64(RD)), 0xbf000000, 0, 0, 0xbf800000},
		{"fsqrt.df 4", FSqrt, FType.Put(uint64(DF)), 0x4010000000000000, 0, 0, 0x4000000000000000},
		{"frsqrt.f 4", FRsqrt, FType.Put(uint64(F)) | FFast.Put(1), 0x40800000, 0, 0, 0x3f000000},
		{"fexp2.f 3", FExp2, FType.Put(uint64(F)), 0x40400000, 0, 0, 0x41000000},
		{"fabs.ftz.hf of a denormal", FAbs, FType.Put(uint64(HF)) | FFtz.Put(1), 0x8001, 0, 0, 0},
	} {
		got, _ := fn(t, c.code, c.p)(c.a, c.b, c.c, 0)
		assert.Equal(t, c.w, got, "%s: %#x", c.name, got)
	}
	assert.Nil(t, EvalFn(Ld, 0))
	assert.Nil(t, EvalFn(Shfl, 0))
	assert.Nil(t, EvalFn(1, 0))
}
