// Package flow shapes the control flow of a kernel for waves: many work-items
// that share one program counter. pisa dialect → pisa dialect, and a Plan.
//
// In: a kernel whose calls are inlined, any flow graph. Out: the same kernel
// with blocks in linear order, the order in which a wave executes them, and
// for each block the terminator that the amdgpu dialect needs.
// Promise: every cycle has one entry and one back edge, which leaves the last
// block of the cycle; the blocks of a cycle are contiguous, right behind the one
// block that enters it, which has no other edge; every other edge leads forward; at most one block returns, the last; an edge passes arguments
// only if its source has no other. So lanes that wait at a block are picked up
// by the wave when it comes by, and a block where paths meet comes behind all
// blocks from which lanes may still reach it. Walks are iterative and
// near-linear whatever the graph.
package flow

import (
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Kind is a terminator of the amdgpu dialect. The successors are those of the
// pisa terminator, in its order.
type Kind uint8

const (
	Jump    Kind = iota // t_jump: the wave goes there
	Cond                // t_cond: the wave goes to one of two blocks
	Diverge             // t_diverge: lanes part, the wave goes on to the next block in order; also where the condition is uniform
	Fall                // t_fall: the wave goes on to the next block, which need not be where its lanes go
	Loop                // t_loop: back to the loop's first block while a lane is left
	Ret                 // t_ret
)

// Plan tells how a wave executes the kernel.
type Plan struct {
	f     *ir.Func
	cache *analysis.Cache
	uni   *analysis.Uniformity
	level analysis.Level

	order []*ir.Block
	pos   []int32 // by Block.ID: place in order
	kind  []Kind  // by Block.ID
	args  []bool  // by Block.ID: ScalarArgs

	loops  *analysis.Loops
	kids   [][]*analysis.Loop // by 1 + Loop.Index, 0 for the function: the loops directly in it
	first  []int32            // by Loop.Index: place of the first block
	leaves [][]*ir.Edge       // by Loop.Index: edges that leave it, but not its parent, and at whose target lanes wait
	noted  []bool             // by Block.ID × 2 + edge: in leaves
	wait   places
}

// New shapes f, reorders its blocks, and plans. What cache held is forgotten;
// afterwards it answers for f as it is now.
func New(f *ir.Func, cache *analysis.Cache, t *target.Target) *Plan {
	p := &Plan{f: f, cache: cache, level: analysis.WaveLevel(t.Wave)}
	sh := shaper{f: f, cache: cache}
	sh.run()
	cache.Invalidate(0)
	p.loops = cache.Loops()
	p.linearise()
	// The order of blocks means something to post-dominators of endless loops.
	cache.Invalidate(analysis.KeepDom | analysis.KeepLoops)
	p.uni = cache.Uniformity(p.level)
	p.kinds()
	p.scalarArgs()
	return p
}

// Uniformity returns what lanes agree about in the shaped kernel.
func (p *Plan) Uniformity() *analysis.Uniformity { return p.uni }

// Kind returns the terminator of b.
func (p *Plan) Kind(b *ir.Block) Kind { return p.kind[b.ID] }

// ScalarArgs reports that the wave goes straight from each predecessor of b to
// b, so that arguments that lanes agree about may be in scalar registers.
func (p *Plan) ScalarArgs(b *ir.Block) bool { return p.args[b.ID] }

// scalarArgs fills args.
func (p *Plan) scalarArgs() {
	p.args = make([]bool, p.f.NumBlockIDs())
	for i, b := range p.order {
		all := true
		for e := b.FirstPred(); e != nil; e = e.NextPred() {
			from := e.From()
			switch p.kind[from.ID] {
			case Jump, Cond, Loop:
			case Fall:
				all = all && int(p.pos[from.ID]) == i-1
			default:
				all = false
			}
		}
		p.args[b.ID] = all
	}
}
