package llx

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// Const is a constant of any type, given by the text LLVM reads.
type Const struct {
	Typ  types.Type
	Text string
}

// String is the type-value pair.
func (c *Const) String() string { return c.Typ.String() + " " + c.Text }

// Type returns the type.
func (c *Const) Type() types.Type { return c.Typ }

// Ident returns the value's text.
func (c *Const) Ident() string { return c.Text }

// IsConstant marks Const as a constant.Constant.
func (c *Const) IsConstant() {}

// Int returns an integer constant; bits of v beyond the type's width are
// dropped. It prints in decimal, where llir's own integer chooses between
// decimal and u0x by a measure of entropy.
func Int(t *types.IntType, v uint64) *Const {
	switch {
	case t.BitSize == 1:
		return I1(v&1 != 0)
	case t.BitSize > 64:
		return &Const{t, strconv.FormatUint(v, 10)}
	}
	sh := 64 - t.BitSize
	return &Const{t, strconv.FormatInt(int64(v<<sh)>>sh, 10)}
}

// I1, I8, I16, I32 and I64 are Int at the named width.
func I1(v bool) *Const    { return &Const{types.I1, strconv.FormatBool(v)} }
func I8(v uint8) *Const   { return Int(types.I8, uint64(v)) }
func I16(v uint16) *Const { return Int(types.I16, uint64(v)) }
func I32(v uint32) *Const { return Int(types.I32, uint64(v)) }
func I64(v uint64) *Const { return Int(types.I64, v) }

// Int128 is the i128 hi·2⁶⁴ + lo.
func Int128(lo, hi uint64) *Const {
	if hi == 0 {
		return Int(types.I128, lo)
	}
	n := new(big.Int).SetUint64(hi)
	n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(lo))
	return &Const{types.I128, n.String()}
}

// HalfBits is the half with the given bits.
func HalfBits(b uint16) *Const { return &Const{types.Half, fmt.Sprintf("0xH%04X", b)} }

// BFloatBits is the bfloat with the given bits.
func BFloatBits(b uint16) *Const { return &Const{BFloat, fmt.Sprintf("0xR%04X", b)} }

// FloatBits is the float with the given bits. LLVM's syntax writes a float as
// the double of equal value; a NaN's payload moves to the upper bits.
func FloatBits(b uint32) *Const {
	d := math.Float64bits(float64(math.Float32frombits(b)))
	if b&0x7fffffff > 0x7f800000 {
		d = uint64(b>>31)<<63 | 0x7ff<<52 | uint64(b&0x7fffff)<<29
	}
	return &Const{types.Float, fmt.Sprintf("0x%016X", d)}
}

// DoubleBits is the double with the given bits.
func DoubleBits(b uint64) *Const { return &Const{types.Double, fmt.Sprintf("0x%016X", b)} }

// FPBits is the constant of floating-point type t (half, bfloat, float,
// double) with the given bits.
func FPBits(t types.Type, b uint64) *Const {
	switch {
	case t == types.Half:
		return HalfBits(uint16(b))
	case t == BFloat:
		return BFloatBits(uint16(b))
	case t == types.Float:
		return FloatBits(uint32(b))
	case t == types.Double:
		return DoubleBits(b)
	}
	panic("llx: not a floating-point type: " + t.String())
}

// Splat is c in scalar form for a scalar type, and <n x c> for a vector type t.
func Splat(t types.Type, c constant.Constant) constant.Constant {
	n := VecLen(t)
	if n == 0 {
		return c
	}
	e := make([]constant.Constant, n)
	for i := range e {
		e[i] = c
	}
	return constant.NewVector(t.(*types.VectorType), e...)
}

// Zero is the all-zero value of any type.
func Zero(t types.Type) constant.Constant {
	if it, ok := t.(*types.IntType); ok {
		return Int(it, 0)
	}
	return constant.NewZeroInitializer(t)
}

// Undef and Poison are LLVM's undef and poison of any type.
func Undef(t types.Type) constant.Constant  { return constant.NewUndef(t) }
func Poison(t types.Type) constant.Constant { return constant.NewPoison(t) }

// Null is the all-zero pointer of an address space. In AMDGPU's local and
// private spaces that is a valid address, not the null pointer.
func Null(as int) *Const { return &Const{Ptr(as), "null"} }

// Bytes is an i8 array constant; it prints in linear time.
func Bytes(b []byte) *Const {
	t := types.NewArray(uint64(len(b)), types.I8)
	zero := true
	for _, c := range b {
		if c != 0 {
			zero = false
			break
		}
	}
	if zero {
		return &Const{t, "zeroinitializer"}
	}
	const hex = "0123456789ABCDEF"
	var s strings.Builder
	s.Grow(len(b) + len(b)/2 + 8)
	s.WriteString(`c"`)
	for _, c := range b {
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			s.WriteByte(c)
		} else {
			s.WriteByte('\\')
			s.WriteByte(hex[c>>4])
			s.WriteByte(hex[c&15])
		}
	}
	s.WriteByte('"')
	return &Const{t, s.String()}
}

// MDString is a metadata string as an intrinsic's argument, for example the
// rounding mode of a constrained floating-point intrinsic.
func MDString(s string) value.Value {
	return &Const{types.Metadata, "!" + quote([]byte(s))}
}

// GlobalRef is the address of an llir global variable.
func GlobalRef(g *ir.Global) *Const { return &Const{Ptr(int(g.AddrSpace)), g.Ident()} }

// FuncRef is the address of an llir function.
func FuncRef(f *ir.Func) *Const { return &Const{Ptr(ASFlat), f.Ident()} }

// ConstGEP is base displaced by off bytes.
func ConstGEP(base *Const, off int64) *Const {
	if off == 0 {
		return base
	}
	return &Const{base.Typ, fmt.Sprintf("getelementptr (i8, %s, i64 %d)", base, off)}
}

// ConstCast is a constant cast: op is ptrtoint, inttoptr, addrspacecast,
// bitcast or trunc.
func ConstCast(op string, c constant.Constant, to types.Type) *Const {
	return &Const{to, fmt.Sprintf("%s (%s to %s)", op, c, to)}
}

// quote writes b between double quotes in LLVM's escaping.
func quote(b []byte) string {
	var s strings.Builder
	s.WriteByte('"')
	for _, c := range b {
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			s.WriteByte(c)
		} else {
			fmt.Fprintf(&s, "\\%02X", c)
		}
	}
	s.WriteByte('"')
	return s.String()
}
