package llx

import (
	"strconv"

	"github.com/llir/llvm/ir/types"
)

// PtrType is an opaque pointer type in an address space.
type PtrType struct {
	AddrSpace int
	text      string
}

// AMDGPU address spaces (AMDGPUUsage, "Address Spaces").
const (
	ASFlat     = 0
	ASGlobal   = 1
	ASRegion   = 2
	ASLocal    = 3
	ASConstant = 4
	ASPrivate  = 5
)

var ptrTypes = func() (p [6]*PtrType) {
	for as := range p {
		text := "ptr"
		if as != 0 {
			text = "ptr addrspace(" + strconv.Itoa(as) + ")"
		}
		p[as] = &PtrType{AddrSpace: as, text: text}
	}
	return p
}()

// Ptr returns the opaque pointer type of an address space (0 to 5). Equal
// types are the same pointer.
func Ptr(as int) *PtrType { return ptrTypes[as] }

// String is the type as LLVM prints it.
func (t *PtrType) String() string { return t.text }

// LLString is String: an opaque pointer has no separate definition.
func (t *PtrType) LLString() string { return t.text }

// Equal reports whether u is a pointer into the same address space.
func (t *PtrType) Equal(u types.Type) bool { p, ok := u.(*PtrType); return ok && p == t }

// Name is empty: pointer types are never named.
func (t *PtrType) Name() string { return "" }

// SetName panics: pointer types are never named.
func (t *PtrType) SetName(string) { panic("llx: a pointer type has no name") }

type bfloatType struct{}

// BFloat is the type bfloat, which llir 0.3.6 lacks.
var BFloat types.Type = bfloatType{}

func (bfloatType) String() string          { return "bfloat" }
func (bfloatType) LLString() string        { return "bfloat" }
func (bfloatType) Equal(u types.Type) bool { _, ok := u.(bfloatType); return ok }
func (bfloatType) Name() string            { return "" }
func (bfloatType) SetName(string)          { panic("llx: bfloat has no name") }

var vecTypes = map[types.Type]*[65]*types.VectorType{}

func init() {
	for _, e := range []types.Type{types.I1, types.I8, types.I16, types.I32, types.I64, types.Half, types.Float, types.Double, BFloat} {
		row := new([65]*types.VectorType)
		for n := range row {
			row[n] = types.NewVector(uint64(n), e)
		}
		vecTypes[e] = row
	}
}

// Vec returns the vector type of n elements, 1 ≤ n ≤ 64; for the usual element
// types it allocates nothing.
func Vec(n int, elem types.Type) *types.VectorType {
	if row := vecTypes[elem]; row != nil {
		return row[n]
	}
	return types.NewVector(uint64(n), elem)
}

// VecLen is the element count of a vector type, and 0 of any other type.
func VecLen(t types.Type) int {
	if v, ok := t.(*types.VectorType); ok {
		return int(v.Len)
	}
	return 0
}

// Elem is the element type of a vector type, and t itself of any other type.
func Elem(t types.Type) types.Type {
	if v, ok := t.(*types.VectorType); ok {
		return v.ElemType
	}
	return t
}
