// Package machine is the passes over the amdgpu dialect, from selected
// instructions to final code.
//
// In: a function of the amdgpu dialect as lowering/isel leaves it: SSA values
// with register classes, logical edges, blocks in linear order, memory-model
// instructions in place and recorded in Ctx.Sequences. Out: the instructions
// that the hardware runs: physical registers, machine branches, waits and
// nops, to be printed by lowering/asmprint, which decides nothing.
// Promise: after each pass the function verifies; what a memory sequence
// demands (target.Mode.Sequence) stands in the final code, which VerifyWaits
// checks by other means than the passes use.
//
// One pass is one file and one function, called alike. pipeline.go has their
// order and says why.
package machine

import (
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Ctx is what a pass is given beside the function. One function is compiled
// with it at a time.
type Ctx struct {
	Target   *target.Target
	Mode     target.Mode // of Target
	Diags    *ir.Diags
	OptLevel int // 0 to 3: at 0 nothing is reordered

	// VGPRs and SGPRs, if not 0, are how many registers allocation may use, if
	// fewer than the target gives: for tests.
	VGPRs, SGPRs int

	// Verify has passes check what they did by other means; a failure panics.
	Verify bool

	// Sequences are the function's ordered accesses, fences and barriers.
	// Passes keep their ops in place: an op of a sequence is never moved across
	// a memory access or another op of a sequence.
	Sequences []Sequence
}

// Sequence records what instruction selection made of one memory-model
// operation, so that the final code can be held to the target's table.
type Sequence struct {
	Class   target.MemoryClass
	Space   ir.Space // of a fence: the one that it names
	Order   pisa.Order
	Scope   pisa.Scope
	Barrier bool   // barrier.workgroup: Class to Scope mean nothing
	Clean   bool   // of a barrier: no load can find stale data in a cache, none is discarded
	Reads   Reads  // an acquiring fence of shared memory after atomic reads of global memory
	Access  *ir.Op // the access or the (last) barrier instruction; nil of a fence
	// Ops are all instructions in order, Access among them. A pass that puts
	// one wait in place of another replaces it here too.
	Ops []*ir.Op
	Loc ir.Loc
}

// Reads tells what atomic reads of global memory a fence of shared memory also
// waits for (target.Mode.AtomicReads).
type Reads uint8

const (
	NoReads       Reads = iota
	ResultReads         // atomic reads with result
	NoResultReads       // … and atomics without
)

// replaceOps puts by[op] in place of every op of the sequences that has one.
func (c *Ctx) replaceOps(by map[*ir.Op]*ir.Op) {
	if len(by) == 0 {
		return
	}
	for i := range c.Sequences {
		s := &c.Sequences[i]
		for k, op := range s.Ops {
			for by[op] != nil {
				op = by[op]
			}
			s.Ops[k] = op
		}
	}
}

// sequenceOps marks the ops of sequences, by Op.ID.
func (c *Ctx) sequenceOps(f *ir.Func) []bool {
	fixed := make([]bool, f.NumOps())
	for i := range c.Sequences {
		for _, op := range c.Sequences[i].Ops {
			fixed[op.ID] = true
		}
	}
	return fixed
}
