package fp

import (
	"math/big"
	"math/rand/v2"
)

// The oracle: the same operations over exact rational numbers of math/big, with
// its own reading of the formats. It shares no code with the package.

type spec struct {
	exp, man uint
	bias     int
	inf, nan uint64
	sign     uint64
}

var specs = [...]spec{
	HF: {5, 10, 15, 0x7c00, 0x7e00, 0x8000},
	BF: {8, 7, 127, 0x7f80, 0x7fc0, 0x8000},
	F:  {8, 23, 127, 0x7f800000, 0x7fc00000, 0x80000000},
	DF: {11, 52, 1023, 0x7ff0000000000000, 0x7ff8000000000000, 0x8000000000000000},
}

var (
	allFormats = []Format{HF, BF, F, DF}
	allRounds  = []Round{RE, RD, RU, RZ, RNA}
)

func (s *spec) isNaN(a uint64) bool     { return a&^s.sign > s.inf }
func (s *spec) isInf(a uint64) bool     { return a&^s.sign == s.inf }
func (s *spec) isZero(a uint64) bool    { return a&^s.sign == 0 }
func (s *spec) quieted(a uint64) uint64 { return a | 1<<(s.man-1) }

func (s *spec) flushed(a uint64) uint64 {
	if a&s.inf == 0 {
		return a & s.sign
	}
	return a
}

// firstNaN returns the quieted first NaN among the operands.
func (s *spec) firstNaN(ops ...uint64) (uint64, bool) {
	for _, a := range ops {
		if s.isNaN(a) {
			return s.quieted(a), true
		}
	}
	return 0, false
}

// dyadic is mant * 2^exp.
type dyadic struct {
	mant *big.Int
	exp  int
}

func (s *spec) value(a uint64) dyadic {
	field := int(a & s.inf >> s.man)
	frac := int64(a & (1<<s.man - 1))
	if field == 0 {
		field = 1
	} else {
		frac |= 1 << s.man
	}
	if a&s.sign != 0 {
		frac = -frac
	}
	return dyadic{big.NewInt(frac), field - s.bias - int(s.man)}
}

func (a dyadic) times(b dyadic) dyadic {
	return dyadic{new(big.Int).Mul(a.mant, b.mant), a.exp + b.exp}
}

func (a dyadic) plus(b dyadic) dyadic {
	if a.exp < b.exp {
		a, b = b, a
	}
	m := new(big.Int).Lsh(a.mant, uint(a.exp-b.exp))
	return dyadic{m.Add(m, b.mant), b.exp}
}

// over splits a/b into sign, numerator and denominator.
func (a dyadic) over(b dyadic) (bool, *big.Int, *big.Int) {
	num, den := new(big.Int).Abs(a.mant), new(big.Int).Abs(b.mant)
	if a.exp > b.exp {
		num.Lsh(num, uint(a.exp-b.exp))
	} else {
		den.Lsh(den, uint(b.exp-a.exp))
	}
	return a.mant.Sign()*b.mant.Sign() < 0, num, den
}

var unit = dyadic{big.NewInt(1), 0}

// cut is a positive value between two neighbours of a format: n quanta of 2^q
// and a rest that is nothing (0), below (1), at (2) or above (3) the middle.
type cut struct {
	n    *big.Int
	q    int
	rest int
}

// quantum is the distance of neighbours at a value of the given binary exponent.
func (s *spec) quantum(e int) int { return max(e, 1-s.bias) - int(s.man) }

func scaled(num, den *big.Int, q int) (*big.Int, *big.Int) {
	if q > 0 {
		return num, new(big.Int).Lsh(den, uint(q))
	}
	return new(big.Int).Lsh(num, uint(-q)), den
}

// ilog2 is the binary exponent of num/den.
func ilog2(num, den *big.Int) int {
	e := num.BitLen() - den.BitLen()
	n, d := scaled(num, den, e)
	if n.Cmp(d) < 0 {
		e--
	}
	return e
}

func (s *spec) cutRatio(num, den *big.Int) cut {
	q := s.quantum(ilog2(num, den))
	return cutAt(num, den, q)
}

func cutAt(num, den *big.Int, q int) cut {
	n, d := scaled(num, den, q)
	quo, rem := new(big.Int).QuoRem(n, d, new(big.Int))
	rest := 0
	if rem.Sign() != 0 {
		rest = 2 + rem.Lsh(rem, 1).Cmp(d)
	}
	return cut{quo, q, rest}
}

// cutSqrt cuts the root of num/den.
func (s *spec) cutSqrt(num, den *big.Int) cut {
	e := ilog2(num, den)
	q := s.quantum(e >> 1)
	n, d := scaled(num, den, 2*q)
	v := new(big.Int).Quo(n, d)
	r := new(big.Int).Sqrt(v)
	// 4v against (2r)² and (2r+1)², all over d
	n4 := new(big.Int).Lsh(n, 2)
	at := func(x *big.Int) int {
		sq := new(big.Int).Mul(x, x)
		return n4.Cmp(sq.Mul(sq, d))
	}
	twice := new(big.Int).Lsh(r, 1)
	rest := 0
	if at(twice) != 0 {
		rest = 2 + at(twice.Add(twice, big.NewInt(1)))
	}
	return cut{r, q, rest}
}

func (c cut) rounded(r Round, neg bool) *big.Int {
	up := false
	switch r {
	case RE:
		up = c.rest == 3 || c.rest == 2 && c.n.Bit(0) == 1
	case RNA:
		up = c.rest >= 2
	case RD:
		up = c.rest > 0 && neg
	case RU:
		up = c.rest > 0 && !neg
	}
	if up {
		return new(big.Int).Add(c.n, big.NewInt(1))
	}
	return c.n
}

// bits encodes a cut that was made at the format's quantum.
func (s *spec) bits(r Round, neg bool, c cut) uint64 {
	n := c.rounded(r, neg).Uint64()
	sign := uint64(0)
	if neg {
		sign = s.sign
	}
	q := c.q
	if n == 1<<(s.man+1) {
		n >>= 1
		q++
	}
	if n < 1<<s.man {
		return sign | n
	}
	field := q + int(s.man) + s.bias
	if field >= 1<<s.exp-1 {
		toMax := r == RZ || r == RD && !neg || r == RU && neg
		if toMax {
			return sign | (s.inf - 1)
		}
		return sign | s.inf
	}
	return sign | uint64(field)<<s.man | n&(1<<s.man-1)
}

// result is an operation's outcome before rounding: a value to be rounded, or
// bits when there is nothing to round.
type result struct {
	exact bool
	bits  uint64
	zero  bool // a sum of opposites: the sign follows the rounding mode
	neg   bool
	c     cut
}

func (s *spec) round(r Round, x result) uint64 {
	switch {
	case x.zero && r == RD:
		return s.sign
	case x.zero:
		return 0
	case x.exact:
		return x.bits
	}
	return s.bits(r, x.neg, x.c)
}

func just(b uint64) result { return result{exact: true, bits: b} }

func (s *spec) ratio(a, b dyadic) result {
	neg, num, den := a.over(b)
	return result{neg: neg, c: s.cutRatio(num, den)}
}

func (s *spec) add(a, b uint64) result {
	if n, ok := s.firstNaN(a, b); ok {
		return just(n)
	}
	switch {
	case s.isInf(a) && s.isInf(b) && a != b:
		return just(s.nan)
	case s.isInf(a):
		return just(a)
	case s.isInf(b):
		return just(b)
	case s.isZero(a) && s.isZero(b) && a == b:
		return just(a)
	}
	v := s.value(a).plus(s.value(b))
	if v.mant.Sign() == 0 {
		return result{zero: true}
	}
	return s.ratio(v, unit)
}

func (s *spec) sub(a, b uint64) result {
	if s.isNaN(b) {
		return s.add(a, b)
	}
	return s.add(a, b^s.sign)
}

func (s *spec) mul(a, b uint64) result {
	if n, ok := s.firstNaN(a, b); ok {
		return just(n)
	}
	sign := (a ^ b) & s.sign
	switch {
	case s.isInf(a) && s.isZero(b), s.isZero(a) && s.isInf(b):
		return just(s.nan)
	case s.isInf(a), s.isInf(b):
		return just(sign | s.inf)
	case s.isZero(a), s.isZero(b):
		return just(sign)
	}
	return s.ratio(s.value(a).times(s.value(b)), unit)
}

func (s *spec) div(a, b uint64) result {
	if n, ok := s.firstNaN(a, b); ok {
		return just(n)
	}
	sign := (a ^ b) & s.sign
	switch {
	case s.isInf(a) && s.isInf(b), s.isZero(a) && s.isZero(b):
		return just(s.nan)
	case s.isInf(a), s.isZero(b):
		return just(sign | s.inf)
	case s.isInf(b), s.isZero(a):
		return just(sign)
	}
	return s.ratio(s.value(a), s.value(b))
}

func (s *spec) mad(a, b, c uint64) result {
	if n, ok := s.firstNaN(a, b, c); ok {
		return just(n)
	}
	sign := (a ^ b) & s.sign
	switch {
	case s.isInf(a) && s.isZero(b), s.isZero(a) && s.isInf(b):
		return just(s.nan)
	case s.isInf(a), s.isInf(b):
		if s.isInf(c) && c&s.sign != sign {
			return just(s.nan)
		}
		return just(sign | s.inf)
	case s.isInf(c):
		return just(c)
	case (s.isZero(a) || s.isZero(b)) && s.isZero(c):
		if sign == c {
			return just(c)
		}
		return result{zero: true}
	}
	v := s.value(a).times(s.value(b)).plus(s.value(c))
	if v.mant.Sign() == 0 {
		return result{zero: true}
	}
	return s.ratio(v, unit)
}

func (s *spec) sqrt(a uint64) result {
	switch {
	case s.isNaN(a):
		return just(s.quieted(a))
	case s.isZero(a), a == s.inf:
		return just(a)
	case a&s.sign != 0:
		return just(s.nan)
	}
	_, num, den := s.value(a).over(unit)
	return result{c: s.cutSqrt(num, den)}
}

func (s *spec) rsqrt(a uint64) result {
	switch {
	case s.isNaN(a):
		return just(s.quieted(a))
	case s.isZero(a):
		return just(a&s.sign | s.inf)
	case a&s.sign != 0:
		return just(s.nan)
	case a == s.inf:
		return just(0)
	}
	_, num, den := unit.over(s.value(a))
	return result{c: s.cutSqrt(num, den)}
}

func (s *spec) convert(from *spec, a uint64) result {
	sign := uint64(0)
	if a&from.sign != 0 {
		sign = s.sign
	}
	switch {
	case from.isNaN(a):
		payload := a & (1<<from.man - 1)
		if s.man > from.man {
			payload <<= s.man - from.man
		} else {
			payload >>= from.man - s.man
		}
		return just(sign | s.nan | payload)
	case from.isInf(a):
		return just(sign | s.inf)
	case from.isZero(a):
		return just(sign)
	}
	return s.ratio(from.value(a), unit)
}

// integral cuts a finite value other than zero into integers.
func (s *spec) integral(a uint64) (bool, cut) {
	neg, num, den := s.value(a).over(unit)
	return neg, cutAt(num, den, 0)
}

// integer rounds a finite value.
func (s *spec) integer(r Round, a uint64) *big.Int {
	if s.isZero(a) {
		return new(big.Int)
	}
	neg, c := s.integral(a)
	n := new(big.Int).Set(c.rounded(r, neg))
	if neg {
		n.Neg(n)
	}
	return n
}

// encode is the value of an integer that the format represents.
func (s *spec) encode(n *big.Int, sign uint64) uint64 {
	if n.Sign() == 0 {
		return sign
	}
	return sign | s.bits(RZ, false, s.cutRatio(n, big.NewInt(1)))
}

// unitInterval clamps a result to [0, 1].
func (s *spec) unitInterval(z uint64) uint64 {
	one := uint64(s.bias) << s.man
	switch {
	case s.isNaN(z), z&s.sign != 0:
		return 0
	case z > one:
		return one
	}
	return z
}

// edges lists n values where things go wrong: all kinds of special values, the
// ends of the ranges, powers of two and their neighbours, integers, and then
// patterns with few set bits and random ones.
func edges(f Format, n int) []uint64 {
	s := &specs[f]
	one := uint64(s.bias) << s.man
	least := uint64(1) << s.man
	base := []uint64{
		0, 1, 2, 3, least / 2, least - 1, least, least + 1, 2 * least, s.inf - 1, s.inf, s.nan, s.nan | 5, s.inf | 1,
		s.inf - least, s.inf - least/2, one, one + 1, one - 1, one + 2, one - 2, one + least, one - least, one | least/2,
		one + least/2 + 1, one + 2*least, one + 3*least - 1, one - 2*least,
		one + uint64(s.man)*least, one + uint64(s.man)*least + 1, one + uint64(s.man+1)*least - 1, one - uint64(s.man)*least,
		one - uint64(s.man+1)*least, one - uint64(s.man+1)*least + 1, one - uint64(s.man+2)*least,
		(one + s.inf) / 2, one / 2, one/2 + 1, one/2 - 1, one/2 - uint64(s.man)*least/2,
	}
	var list []uint64
	for _, a := range base {
		list = append(list, a, a|s.sign)
	}
	rng := rand.New(rand.NewPCG(uint64(f), 17))
	for len(list) < n {
		list = append(list, pattern(rng, f))
	}
	return list[:n]
}

// pattern draws a value: sparse or dense mantissas, exponents anywhere, near
// one, or at the ends.
func pattern(rng *rand.Rand, f Format) uint64 {
	s := &specs[f]
	top := uint64(1)<<s.exp - 1
	var field uint64
	switch rng.IntN(8) {
	case 0:
		field = rng.Uint64N(3)
	case 1:
		field = top - rng.Uint64N(3)
	case 2, 3, 4:
		field = uint64(s.bias) + rng.Uint64N(2*uint64(s.man)) - uint64(s.man)
	default:
		field = rng.Uint64N(top + 1)
	}
	var frac uint64
	switch rng.IntN(5) {
	case 0:
		frac = 1 << rng.UintN(s.man)
	case 1:
		frac = -(uint64(1) << rng.UintN(s.man))
	case 2:
		frac = uint64(1)<<rng.UintN(s.man) + 1<<rng.UintN(s.man) - rng.Uint64N(2)
	default:
		frac = rng.Uint64()
	}
	return field<<s.man&s.inf | frac&(1<<s.man-1) | rng.Uint64N(2)*s.sign
}

// near draws a value whose exponent is close to a's, so that sums cancel and
// sticky bits fall around the rounding position.
func near(rng *rand.Rand, f Format, a uint64) uint64 {
	s := &specs[f]
	span := 2*int64(s.man) + 6
	field := int64(a&s.inf>>s.man) + rng.Int64N(2*span+1) - span
	field = min(max(field, 0), int64(1)<<s.exp-2)
	return uint64(field)<<s.man | pattern(rng, f)&^s.inf
}
