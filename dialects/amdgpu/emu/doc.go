// Package emu runs machine code of the amdgpu dialect: the judge of the native
// backend, and what `pisac run --exec=emu` executes.
//
// In: a module whose kernel is final (every value has its register, branches
// are machine branches, waits and nops stand), a target mode and a Launch.
// Out: the buffers as the kernel leaves them, and Stats; or one located error
// that names the instruction, the wave and the cause.
// Promise: an instruction does what AMD's instruction-set documents say, each
// row citing the section; nothing here is shared with the pisa dialect's
// evaluation. The run ends (a deadlock or the step limit is an error), depends
// on the Launch alone, and never touches memory outside what the launch
// allocated.
//
// What real hardware leaves to the program is checked, not assumed:
//
//   - A register that an outstanding memory instruction will write must not be
//     read or written before a wait counter says that it is there (wait.go).
//   - Wait states that the hardware wants between two instructions must be
//     there (hazard.go).
//   - With Launch.Memory = Weak, accesses reach memory some time between issue
//     and wait, LDS and global memory independently, through caches that hold
//     stale lines until they are invalidated and dirty ones until they are
//     written back (queue.go, cache.go).
//   - Approximations (reciprocal, exponential, sine, …) may be off by what the
//     documents allow, if Launch.Approx says so (approx.go).
//   - Registers and LDS hold garbage at first.
//
// # Reading order
//
// launch.go is the request; engine.go prepares it and schedules work-groups;
// group.go is one work-group and its waves; wave.go is the state of a wave and
// the loop that executes it; program.go decodes ops once into instructions.
// salu.go, control.go, int.go, float.go, convert.go, compare.go, carry.go,
// packed.go, lane.go are the tables of semantics, vector.go what vector
// instructions share, fp.go and approx.go the arithmetic. access.go and
// atomic.go are memory instructions, memory.go the address map.
package emu
