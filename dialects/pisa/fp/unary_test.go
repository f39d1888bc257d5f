package fp

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func edge(n int64) *big.Int { return big.NewInt(n) }

// sources lists what the unary tests run over: every value of the 16-bit
// formats, edges and random patterns of the others.
func sources(f Format) []uint64 {
	if f.Bits() == 16 {
		list := make([]uint64, 1<<16)
		for i := range list {
			list[i] = uint64(i)
		}
		return list
	}
	list := edges(f, 500)
	rng := rand.New(rand.NewPCG(3, uint64(f)))
	for range 20000 {
		list = append(list, pattern(rng, f))
	}
	return list
}

// eachFormat runs a test once a format, in parallel.
func eachFormat(t *testing.T, test func(*testing.T, Format)) {
	for _, f := range allFormats {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			test(t, f)
		})
	}
}

func TestSqrt(t *testing.T) {
	eachFormat(t, func(t *testing.T, f Format) {
		s := &specs[f]
		for _, a := range sources(f) {
			want := s.sqrt(a)
			for _, r := range allRounds {
				check(t, Sqrt(f, Mode{Round: r}, a), s.round(r, want), "sqrt.%v.%v %#x", r, f, a)
			}
			check(t, Rsqrt(f, false, a), s.round(RE, s.rsqrt(a)), "rsqrt.%v %#x", f, a)
		}
	})
}

// TestRsqrt64 checks all 64 bits, more than any rounding of today's formats
// tells apart.
func TestRsqrt64(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range 20000 {
		v := math.Float64frombits(0x3ff<<52 + rng.Uint64N(2<<52))
		if i < 100 {
			v = math.Float64frombits(0x3ff<<52 + uint64(i+1))
		} else if i < 200 {
			v = math.Float64frombits(0x401<<52 - uint64(i-99))
		}
		// The root of 2^128 / v, where v has at most 52 fraction bits.
		n := new(big.Int).Lsh(edge(1), 128+52)
		n.Sqrt(n.Quo(n, edge(int64(v*0x1p52))))
		check(t, rsqrt64(v), n.Uint64(), "rsqrt64(%x)", v)
	}
}

// TestRsqrtHard takes the neighbours of powers of four, whose inverse roots
// nearly are representable.
func TestRsqrtHard(t *testing.T) {
	for _, f := range allFormats {
		s := &specs[f]
		least := uint64(1) << s.man
		for field := least; field < s.inf; field += least * max(1, s.inf/least/300) {
			for d := range uint64(9) {
				a := field + d - 4
				check(t, Rsqrt(f, false, a), s.round(RE, s.rsqrt(a)), "rsqrt.%v %#x", f, a)
			}
		}
	}
}

func TestRcp(t *testing.T) {
	eachFormat(t, func(t *testing.T, f Format) {
		s := &specs[f]
		one := uint64(s.bias) << s.man
		for _, a := range sources(f) {
			check(t, Rcp(f, false, a), s.round(RE, s.div(one, a)), "rcp.%v %#x", f, a)
			flushed := s.flushed(s.round(RE, s.div(one, s.flushed(a))))
			check(t, Rcp(f, true, a), flushed, "rcp.ftz.%v %#x", f, a)
		}
	})
}

func TestConvert(t *testing.T) {
	eachFormat(t, func(t *testing.T, from Format) {
		for _, to := range allFormats {
			s, d := &specs[from], &specs[to]
			for _, a := range sources(from) {
				want := d.convert(s, a)
				flushed := want
				if a&s.inf == 0 {
					flushed = d.convert(s, a&s.sign)
				}
				for _, r := range allRounds {
					z := d.round(r, want)
					check(t, Convert(to, from, Mode{Round: r}, a), z, "convert.%v.%v.%v %#x", to, from, r, a)
					if d.isInf(z) {
						z--
					}
					check(t, Convert(to, from, Mode{Round: r, DSat: true}, a), z, "convert.dsat.%v.%v.%v %#x", to, from, r, a)
					z = d.flushed(d.round(r, flushed))
					check(t, Convert(to, from, Mode{Round: r, FTZ: true}, a), z, "convert.ftz.%v.%v.%v %#x", to, from, r, a)
				}
			}
		}
	})
}

func TestRnd(t *testing.T) {
	eachFormat(t, func(t *testing.T, f Format) {
		s := &specs[f]
		for _, a := range sources(f) {
			var want [numRounds]uint64
			special, neg, c := s.isNaN(a) || s.isInf(a) || s.isZero(a), false, cut{}
			if !special {
				neg, c = s.integral(a)
			}
			for _, r := range allRounds {
				switch {
				case s.isNaN(a):
					want[r] = s.quieted(a)
				case special:
					want[r] = a
				default:
					want[r] = s.encode(c.rounded(r, neg), a&s.sign)
				}
				check(t, Rnd(f, r, false, a), want[r], "rnd.%v.%v %#x", r, f, a)
				if a&s.inf == 0 {
					want[r] = a & s.sign
				}
				check(t, Rnd(f, r, true, a), want[r], "rnd.%v.ftz.%v %#x", r, f, a)
			}
		}
	})
}

func TestFrc(t *testing.T) {
	eachFormat(t, func(t *testing.T, f Format) {
		s := &specs[f]
		one := uint64(s.bias) << s.man
		for _, a := range sources(f) {
			var want uint64
			switch {
			case s.isNaN(a):
				want = s.quieted(a)
			case s.isInf(a):
				want = s.nan
			default:
				floor := dyadic{s.integer(RD, a), 0}
				v := s.value(a).plus(dyadic{floor.mant.Neg(floor.mant), 0})
				if v.mant.Sign() != 0 {
					want = min(s.round(RE, s.ratio(v, unit)), one-1)
				}
			}
			check(t, Frc(f, false, a), want, "frc.%v %#x", f, a)
		}
	})
	require.Equal(t, uint64(0), Frc(F, true, 0x80000001))
	require.Equal(t, uint64(0x3f7fffff), Frc(F, false, 0x80000001))
	require.Equal(t, uint64(0x3f400000), Frc(F, false, 0xbe800000))
}

func TestToInt(t *testing.T) {
	type integers struct {
		width          uint
		signed         bool
		lo, hi, modulo *big.Int
	}
	var types []integers
	for _, width := range []uint{8, 16, 32, 64} {
		modulo := new(big.Int).Lsh(edge(1), width)
		half := new(big.Int).Rsh(modulo, 1)
		types = append(types,
			integers{width, false, edge(0), new(big.Int).Sub(modulo, edge(1)), modulo},
			integers{width, true, new(big.Int).Neg(half), new(big.Int).Sub(half, edge(1)), modulo})
	}
	clamp := func(n *big.Int, i *integers) uint64 {
		if n.Cmp(i.lo) < 0 {
			n = i.lo
		} else if n.Cmp(i.hi) > 0 {
			n = i.hi
		}
		if n.Sign() < 0 {
			n = new(big.Int).Add(n, i.modulo)
		}
		return n.Uint64()
	}
	huge := new(big.Int).Lsh(edge(1), 2000)
	eachFormat(t, func(t *testing.T, f Format) {
		s := &specs[f]
		list := sources(f)
		if f == BF {
			list = edges(f, 8000)
		}
		for _, a := range list {
			for _, r := range allRounds {
				var n *big.Int
				switch {
				case s.isNaN(a):
					n = new(big.Int)
				case a == s.inf:
					n = huge
				case s.isInf(a):
					n = new(big.Int).Neg(huge)
				default:
					n = s.integer(r, a)
				}
				for i := range types {
					n, i := clamp(n, &types[i]), &types[i]
					check(t, ToInt(i.width, i.signed, f, r, a), n, "toint%d signed=%v.%v.%v %#x", i.width, i.signed, f, r, a)
				}
			}
		}
	})
}

func TestFromInt(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	list := []uint64{0, 1, 2, 3, 1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<64 - 1, 65504, 65519, 65520, 65535, 65536, 1<<24 + 1, 1<<53 + 1}
	for i := range uint(64) {
		list = append(list, 1<<i, 1<<i+1, 1<<i-1, -(1 << i), 3<<i+1)
	}
	for range 5000 {
		list = append(list, rng.Uint64()>>rng.UintN(64), rng.Uint64()<<rng.UintN(64))
	}
	for _, to := range allFormats {
		s := &specs[to]
		for _, v := range list {
			for _, width := range []uint{8, 16, 32, 64} {
				for _, signed := range []bool{false, true} {
					n := new(big.Int).SetUint64(v << (64 - width) >> (64 - width))
					if signed && n.Bit(int(width)-1) == 1 {
						n.Sub(n, new(big.Int).Lsh(edge(1), width))
					}
					want := just(0)
					if n.Sign() != 0 {
						want = s.ratio(dyadic{n, 0}, unit)
					}
					for _, r := range allRounds {
						z := s.round(r, want)
						check(t, FromInt(to, width, signed, Mode{Round: r}, v), z, "fromint.%v %d %v %v %#x", to, width, signed, r, v)
						if s.isInf(z) {
							z--
						}
						check(t, FromInt(to, width, signed, Mode{Round: r, DSat: true}, v), z, "fromint.dsat.%v %d %v %v %#x", to, width, signed, r, v)
					}
				}
			}
		}
	}
}

func TestAbsNeg(t *testing.T) {
	for _, f := range allFormats {
		s := &specs[f]
		for _, a := range sources(f) {
			abs := a &^ s.sign
			if s.isNaN(a) {
				abs = s.quieted(abs)
			}
			check(t, Abs(f, false, a), abs, "abs.%v %#x", f, a)
			check(t, Abs(f, true, a), s.flushed(abs), "abs.ftz.%v %#x", f, a)
			check(t, Neg(f, false, a), a^s.sign, "neg.%v %#x", f, a)
			check(t, Neg(f, true, a), s.flushed(a)^s.sign, "neg.ftz.%v %#x", f, a)
		}
	}
}

// compared is the order of two numbers: the sign of a - b.
func (s *spec) compared(a, b uint64) int {
	switch {
	case a == b:
		return 0
	case a == s.inf || b == s.inf|s.sign:
		return 1
	case b == s.inf || a == s.inf|s.sign:
		return -1
	}
	minus := s.value(b)
	minus.mant.Neg(minus.mant)
	return s.value(a).plus(minus).mant.Sign()
}

func TestMinMaxCompare(t *testing.T) {
	eachFormat(t, func(t *testing.T, f Format) {
		s := &specs[f]
		list := edges(f, 200)
		for _, a := range list {
			for _, b := range list {
				for _, ftz := range []bool{false, true} {
					x, y := a, b
					if ftz {
						x, y = s.flushed(a), s.flushed(b)
					}
					nan, unordered := s.firstNaN(x, y)
					order := 0
					if !unordered {
						order = s.compared(x, y)
					}
					truth := [...]bool{EQ: order == 0, NE: order != 0, GT: order > 0, GE: order >= 0, LT: order < 0, LE: order <= 0}
					for c, want := range truth {
						if unordered {
							want = Cmp(c) == NE
						}
						if Compare(f, ftz, Cmp(c), a, b) != want {
							t.Fatalf("%v.%v ftz=%v %#x %#x: want %v", Cmp(c), f, ftz, a, b, want)
						}
					}
					lesser, greater := x, y
					if order > 0 || order == 0 && y&s.sign != 0 {
						lesser, greater = y, x
					}
					if unordered {
						number := x
						if s.isNaN(x) {
							number = y
						}
						if s.isNaN(number) {
							number = nan
						}
						lesser, greater = number, number
					}
					m := Mode{FTZ: ftz}
					check(t, Min(f, m, false, a, b), lesser, "min.%v %+v %#x %#x", f, m, a, b)
					check(t, Max(f, m, false, a, b), greater, "max.%v %+v %#x %#x", f, m, a, b)
					m.DSat = true
					check(t, Min(f, m, false, a, b), s.unitInterval(lesser), "min.dsat.%v %+v %#x %#x", f, m, a, b)
					if unordered {
						lesser, greater = nan, nan
					}
					m.DSat = false
					check(t, Min(f, m, true, a, b), lesser, "min.nanp.%v %+v %#x %#x", f, m, a, b)
					check(t, Max(f, m, true, a, b), greater, "max.nanp.%v %+v %#x %#x", f, m, a, b)
					m.DSat = true
					check(t, Max(f, m, true, a, b), s.unitInterval(greater), "max.nanp.dsat.%v %+v %#x %#x", f, m, a, b)
				}
			}
		}
	})
}
