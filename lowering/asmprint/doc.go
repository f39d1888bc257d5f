// Package asmprint prints the amdgpu dialect → assembly text that llvm-mc
// reads.
//
// In: a module whose kernels went through the machine passes: registers
// assigned, branches of the wave, waits in place. Out: the text of one
// instruction (AppendInst) or of a complete assembly file (Module) with kernel
// descriptors, metadata of code object version 5, and variables.
// Promise: it decides nothing. What the text says is what the ops say; the
// counts in a descriptor are those of the registers that the code uses.
package asmprint
