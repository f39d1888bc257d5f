package fp

// Convert changes the format (PISA 4.6 fext, 4.8 ftrunc). FTZ flushes denormals
// of both formats; DSat turns an infinite result into the greatest finite value
// of its sign and leaves NaN alone. A NaN keeps the upper bits of its payload.
func Convert(to, from Format, m Mode, a uint64) uint64 {
	l, t := &layouts[from], &layouts[to]
	sign := a & l.sign >> (l.width - 1) << (t.width - 1)
	mag := a &^ l.sign
	if m.FTZ {
		mag = l.flush(mag)
	}
	var z uint64
	switch {
	case mag == 0:
		return sign
	case mag > l.inf:
		return sign | t.nan | mag&l.frac<<l.drop>>t.drop
	case mag == l.inf:
		z = sign | t.inf
	default:
		e, x := l.unpack(mag)
		z = t.pack(m.Round, sign, e, x)
	}
	return t.finishConversion(m, z)
}

// finishConversion applies the flags of a conversion to a result that is not
// NaN.
func (l *layout) finishConversion(m Mode, z uint64) uint64 {
	if m.FTZ {
		z = l.flush(z)
	}
	if m.DSat && z&^l.sign == l.inf {
		z--
	}
	return z
}

// ToInt rounds a to an integer of 1 to 64 bits, clamps it to the range of that
// type and returns it in the low bits; NaN gives 0 (PISA 4.5).
func ToInt(width uint, signed bool, from Format, r Round, a uint64) uint64 {
	l := &layouts[from]
	mag := a &^ l.sign
	negative := a >= l.sign
	if mag > l.inf {
		return 0
	}
	least, greatest := uint64(0), uint64(1)<<width-1
	if signed {
		least, greatest = 1<<(width-1), 1<<(width-1)-1
	}
	limit := greatest
	if negative {
		limit = least
	}
	n := limit
	if mag < l.inf {
		if i, ok := l.integer(r, negative, mag); ok {
			n = min(i, limit)
		}
	}
	if negative {
		n = -n
	}
	return n << (64 - width) >> (64 - width)
}

// integer rounds a finite magnitude to an integer; false if it needs more than
// 64 bits.
func (l *layout) integer(r Round, negative bool, mag uint64) (uint64, bool) {
	if mag == 0 {
		return 0, true
	}
	e, m := l.unpack(mag)
	var keep uint64
	switch {
	case e > 63:
		return 0, false
	case e < -1:
		m = 1
	case e >= 0:
		keep, m = m>>uint(63-e), m<<uint(e+1)
	}
	if r.up(negative, m, keep) {
		keep++
	}
	return keep, true
}

// FromInt converts the low width bits of v, an integer (PISA 4.10). Only
// m.Round and m.DSat matter: no integer is denormal.
func FromInt(to Format, width uint, signed bool, m Mode, v uint64) uint64 {
	l := &layouts[to]
	v <<= 64 - width
	sign := uint64(0)
	if signed && int64(v) < 0 {
		sign = l.sign
		v = uint64(-(int64(v) >> (64 - width)))
	} else {
		v >>= 64 - width
	}
	if v == 0 {
		return 0
	}
	x, n := normalize(v)
	return l.finishConversion(m, l.pack(m.Round, sign, 63-n, x))
}

// Rnd rounds to an integral value in the same format; a zero result keeps the
// sign (PISA 4.7).
func Rnd(f Format, r Round, ftz bool, a uint64) uint64 {
	l := &layouts[f]
	sign, mag := a&l.sign, a&^l.sign
	if ftz {
		mag = l.flush(mag)
	}
	if mag > l.inf {
		return a | l.quiet
	}
	e := int(mag>>l.man) - l.bias
	switch {
	case mag == 0 || e >= int(l.man):
		return sign | mag
	case e < 0:
		rest := uint64(1)
		if e == -1 {
			_, rest = l.unpack(mag)
		}
		if r.up(sign != 0, rest, 0) {
			return sign | l.one
		}
		return sign
	}
	k := l.man - uint(e)
	keep := (mag&l.frac | 1<<l.man) >> k
	z := mag >> k << k
	if r.up(sign != 0, mag<<(64-k), keep) {
		z += 1 << k // a carry moves to the next binade
	}
	return sign | z
}

// Frc returns the fraction a - floor(a), +0 for an integral value, NaN for an
// infinity (PISA 2.12). The difference is rounded to nearest, but never to 1:
// the greatest value below is returned instead.
func Frc(f Format, ftz bool, a uint64) uint64 {
	l := &layouts[f]
	if ftz {
		a = l.flush(a)
	}
	floor := Rnd(f, RD, false, a)
	z := Sub(f, Mode{FTZ: ftz}, a, floor)
	if z == l.one {
		return z - 1
	}
	return z
}
