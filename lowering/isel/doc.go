// Package isel lowers the pisa dialect → the amdgpu dialect.
//
// In: a kernel of the pisa dialect whose calls are inlined, and a target. Out:
// the same function with machine instructions in virtual registers, blocks in
// the order in which a wave executes them, logical edges (Select).
// Promise: the instructions mean what the PISA ones did; each has an encoding
// on the target as far as operand kinds go; what the hardware or this backend
// cannot do is a located error, and then the function is not to be used.
//
// Reading order: isel.go (the state, the table of lowerings), value.go (where
// PISA values live), emit.go (instructions whose operands fit), branch.go
// (blocks and terminators), integer.go, logic.go, divide.go, compare.go,
// vector.go, special.go, memory*.go; expand.go (ops that become simpler PISA ops
// first), fpu.go (float instructions), float.go (arithmetic and modes), packed.go,
// round.go (rounding that the hardware has not), fdivide.go, transcend.go,
// convert.go.
//
// # Values
//
// A value of n bits takes ⌈n/32⌉ registers: scalar ones if all lanes of a wave
// agree about it and the scalar unit computed it, else vector ones. Bits of a
// register above the value's width are arbitrary. A predicate is a lane mask,
// or, if uniform and computed by the scalar unit, the scalar condition code; as
// a block argument it is a register with 0 or 1. Constants are immediates.
package isel
