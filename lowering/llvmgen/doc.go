// Package llvmgen lowers the pisa dialect → LLVM IR for AMDGPU, which llc of
// LLVM 19 turns into machine code.
//
// In: a verified module of the builtin and pisa dialects, and a target row.
// Out: an llir module (Emit), printed by WriteTo or String.
// Promise: the LLVM IR means what the PISA module means on that target, also
// after llc's optimisations; where LLVM 19 gets something wrong the code is
// written so that the fault does not show (docs/llvm-faults.md). What the
// hardware cannot do at all is a located error, never weaker code.
//
// Reading order: emitter.go (the state and the table of lowerings), module.go,
// kernel.go and special.go (the ABI of code object version 5), func.go (control
// flow), vars.go, addr.go and access.go (memory), fence.go (the memory model),
// atomic.go and casloop.go (read-modify-write), subgroup.go, call.go; arith*.go
// hold the scalar operations.
//
// # Values
//
// A register value is an LLVM integer or vector of integers of its bits,
// whatever PISA type an instruction sees in it; a predicate is an i1. Addresses
// are integers too, as in PISA; an address that is known to come from a
// variable is kept as a pointer beside it (emitter.ptrs).
package llvmgen
