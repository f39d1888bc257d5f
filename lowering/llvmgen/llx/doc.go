// Package llx extends github.com/llir/llvm v0.3.6 (LLVM 13 syntax) by the
// constructs of later LLVM releases that AMDGPU code needs.
//
// In: calls on a Builder that is positioned at a block of an llir function.
// Out: llir instructions, appended to that block, whose printed form LLVM 19
// reads.
// Promise: nothing printed here contains a typed pointer; no constructor looks
// into a pointer's element type (opaque pointers have none).
//
// What llir lacks and this package supplies:
//
//   - types: Ptr (opaque pointers), BFloat;
//   - constants: Float16Bits, BFloatBits, FloatBits, DoubleBits by bit pattern,
//     Null, Bytes, MDString (a metadata operand of an intrinsic), GlobalRef and
//     FuncRef (the address of an llir global or function as an opaque pointer;
//     an *ir.Func or *ir.Global prints as a typed pointer when used as an
//     operand), ConstGEP and ConstCast;
//   - instructions: getelementptr, alloca, icmp and fcmp on new types, calls
//     through a pointer, atomicrmw with any operation name (fmin, uinc_wrap, …),
//     alignment on atomics, inline assembly, and calls with attributes.
//
// Where llir's own instruction prints rightly, Builder uses it; values of both
// kinds mix freely, since all are value.Value.
//
// A Builder is used by one goroutine at a time.
package llx
