// Package host executes the LLVM IR that llvmgen writes for AMDGPU, on the
// host: LLVM 19 compiles it for x86-64, and a small runtime in C stands for the
// device.
//
// In: modules as LLVM IR text, and launches. Out: the buffers after each launch.
// Promise: what llvmgen says in generic LLVM IR (arithmetic, control flow,
// memory, atomics) is executed as LLVM defines it; work-items are threads of
// control of their own, and the operations of a wave (ballot and those that read
// other lanes) and the barrier join them as the hardware does, for waves of 32 and of 64.
// Memory orders and scopes, and the machine code for AMDGPU, are not what it
// tests: one work-item runs at a time.
package host
