package ir

// Type is a packed value type: kind, bits per element, element count, address
// space and register class. The set of types is closed, so == is equality and
// a Type is a map key or a switch case.
//
//	bit  0..3   Kind
//	bit  4..11  bits of one element (1, 8, 16, 32, 64, 128)
//	bit 12..18  elements (1 for a scalar; at most 64)
//	bit 20..23  address space (amdgpu dialect only; 0 elsewhere)
//	bit 24..27  register class (amdgpu dialect only; 0 elsewhere)
type Type uint32

// Kind is the sort of a Type.
type Kind uint8

const (
	KindNone Kind = iota // no value
	KindPred             // one truth value per work-item (PISA `.pred`)
	KindBits             // untyped bits, scalar or vector (PISA `.32b`, `.v4.32b`)
)

// RegClass is a register class of the amdgpu dialect. A value without one is
// of another dialect, or an immediate.
type RegClass uint8

const (
	NoClass RegClass = iota
	SGPR             // scalar registers, one value for the wave
	VGPR             // vector registers, one value for each lane
	SCC              // the scalar condition code
)

var classLetters = [...]byte{SGPR: 's', VGPR: 'v'}

// The types of PISA registers (PISA 4, registers).
const (
	None Type = 0
	Pred      = Type(KindPred) | 1<<4 | 1<<12
	B8        = Type(KindBits) | 8<<4 | 1<<12
	B16       = Type(KindBits) | 16<<4 | 1<<12
	B32       = Type(KindBits) | 32<<4 | 1<<12
	B64       = Type(KindBits) | 64<<4 | 1<<12
	B128      = Type(KindBits) | 128<<4 | 1<<12
)

// MaxLanes is the largest element count of a register vector (PISA: .v64.32b).
const MaxLanes = 64

// Bits returns the scalar type of n bits.
func Bits(n int) Type { return Type(KindBits) | Type(n)<<4 | 1<<12 }

// Vector returns the vector of lanes elements of type elem; lanes 1 is elem.
func Vector(lanes int, elem Type) Type { return elem&^(0x7f<<12) | Type(lanes)<<12 }

// Kind returns the sort of t.
func (t Type) Kind() Kind { return Kind(t & 0xf) }

// ElemBits returns the bits of one element; 0 for None.
func (t Type) ElemBits() int { return int(t >> 4 & 0xff) }

// Lanes returns the element count; 1 for scalars and predicates.
func (t Type) Lanes() int { return int(t >> 12 & 0x7f) }

// TotalBits returns ElemBits × Lanes.
func (t Type) TotalBits() int { return t.ElemBits() * t.Lanes() }

// Elem returns the element type.
func (t Type) Elem() Type { return Vector(1, t) }

// IsVector reports more than one element.
func (t Type) IsVector() bool { return t.Lanes() > 1 }

// IsPred reports the predicate type.
func (t Type) IsPred() bool { return t == Pred }

// IsBits reports a scalar or vector of untyped bits.
func (t Type) IsBits() bool { return t.Kind() == KindBits }

// Space returns the address space field.
func (t Type) Space() uint8 { return uint8(t >> 20 & 0xf) }

// Class returns the register class field.
func (t Type) Class() RegClass { return RegClass(t >> 24 & 0xf) }

// Regs returns the type of n consecutive 32-bit registers of class c.
func Regs(c RegClass, n int) Type { return Vector(n, B32) | Type(c)<<24 }

// SCCBit is the type of the scalar condition code.
const SCCBit = Pred | Type(SCC)<<24

// Valid reports whether t is None, Pred or a register type that PISA declares:
// .8b .16b .64b ×1..4, .32b ×1..8, 16, 32, 64, .128b; or registers of a class
// of the amdgpu dialect.
func (t Type) Valid() bool {
	switch t.Kind() {
	case KindNone:
		return t == None
	case KindPred:
		return t == Pred || t == SCCBit
	case KindBits:
		n := t.Lanes()
		if c := t.Class(); c != NoClass {
			return (c == SGPR || c == VGPR) && t == Regs(c, n) && Vector(n, B32).Valid()
		}
		if t != Vector(n, Bits(t.ElemBits())) {
			return false // bits that mean nothing
		}
		switch t.ElemBits() {
		case 8, 16, 64:
			return n >= 1 && n <= 4
		case 32:
			return n >= 1 && n <= 8 || n == 16 || n == 32 || n == 64
		case 128:
			return n == 1
		}
	}
	return false
}

// String spells t as the textual IR does: "32b", "v4.32b", "pred", "none";
// registers of a class "s2", "v4", "scc".
func (t Type) String() string { return string(t.AppendText(nil)) }

// AppendText appends the spelling of t to b.
func (t Type) AppendText(b []byte) []byte {
	switch t.Kind() {
	case KindNone:
		return append(b, "none"...)
	case KindPred:
		if t.Class() == SCC {
			return append(b, "scc"...)
		}
		return append(b, "pred"...)
	}
	if c := t.Class(); c == SGPR || c == VGPR {
		return appendUint(append(b, classLetters[c]), uint64(t.Lanes()))
	}
	if n := t.Lanes(); n != 1 {
		b = append(b, 'v')
		b = appendUint(b, uint64(n))
		b = append(b, '.')
	}
	b = appendUint(b, uint64(t.ElemBits()))
	return append(b, 'b')
}

func appendUint(b []byte, v uint64) []byte {
	var buf [20]byte
	i := len(buf)
	for {
		i--
		buf[i] = byte('0' + v%10)
		if v /= 10; v == 0 {
			return append(b, buf[i:]...)
		}
	}
}

// ParseType reads the spelling that String gives.
func ParseType(s string) (Type, bool) {
	switch s {
	case "none":
		return None, true
	case "pred":
		return Pred, true
	case "scc":
		return SCCBit, true
	}
	if t := parseRegs(s); t != None {
		return t, t.Valid()
	}
	lanes := 1
	if len(s) > 1 && s[0] == 'v' {
		n, rest := 0, s[1:]
		for rest != "" && rest[0] >= '0' && rest[0] <= '9' && n < 1000 {
			n, rest = n*10+int(rest[0]-'0'), rest[1:]
		}
		if n < 2 || n > MaxLanes || s[1] == '0' || rest == "" || rest[0] != '.' {
			return None, false
		}
		lanes, s = n, rest[1:]
	}
	var t Type
	switch s {
	case "8b":
		t = B8
	case "16b":
		t = B16
	case "32b":
		t = B32
	case "64b":
		t = B64
	case "128b":
		t = B128
	default:
		return None, false
	}
	t = Vector(lanes, t)
	return t, t.Valid()
}

// parseRegs reads "s2" or "v4"; None if s is no such text.
func parseRegs(s string) Type {
	if len(s) < 2 || len(s) > 3 || s[1] == '0' {
		return None
	}
	n := 0
	for _, c := range []byte(s[1:]) {
		if c < '0' || c > '9' {
			return None
		}
		n = n*10 + int(c-'0')
	}
	switch {
	case n > MaxLanes:
		return None
	case s[0] == classLetters[SGPR]:
		return Regs(SGPR, n)
	case s[0] == classLetters[VGPR]:
		return Regs(VGPR, n)
	}
	return None
}
