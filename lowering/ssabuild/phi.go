package ssabuild

import (
	"cmp"
	"slices"

	"pisac/dialects/pisa"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
)

// maxEdgeArgs bounds the values that all edges of a function pass, so that a
// small text cannot ask for all the memory there is. Tests lower it.
var maxEdgeArgs = 1 << 24

// phis are the block arguments of a function while they are candidates.
// Candidate k of block i has index at[i]+k; its stand-in is vals[at[i]+k].
type phis struct {
	at         []int32 // by block
	reg, block []int32
	vals       []ir.Value
	// args[argAt[e]+k] is what edge e passes for candidate k of its target; nil
	// is a register that nothing has written.
	argAt []int32
	args  []*ir.Value
	live  []bool
	repl  []*ir.Value // what a candidate became: another value, its block argument, or &zero
	zero  ir.Value    // stands for "never written"

	found []regBlock // in order of registers
	front []int32
}

// regBlock is a register and a block, or a block's position in domTree.walk.
type regBlock struct{ reg, block int32 }

// placePhis decides which registers meet where. It reports false if there are
// too many.
func (b *builder) placePhis() bool {
	ph := &b.phis
	n := len(b.blocks)
	ph.found = ph.found[:0]
	if len(b.graph.order) > 1 {
		b.scan()
		b.front.build(&b.dom, b.blocks)
		if !b.findPhis() {
			return false
		}
	}
	// Sort by block; within one, by register.
	ph.at = resize(ph.at, n+1)
	for _, p := range ph.found {
		ph.at[p.block+1]++
	}
	for i := range n {
		ph.at[i+1] += ph.at[i]
	}
	total := len(ph.found)
	ph.reg, ph.block = resize(ph.reg, total), resize(ph.block, total)
	for k := total - 1; k >= 0; k-- {
		p := ph.found[k]
		ph.at[p.block+1]--
		ph.reg[ph.at[p.block+1]] = p.reg
		ph.block[ph.at[p.block+1]] = p.block
	}
	copy(ph.at, ph.at[1:])
	ph.at[n] = int32(total)

	ph.vals = make([]ir.Value, total) // not reused: operands point into it
	for i := range ph.vals {
		ph.vals[i].ID = uint32(i)
		ph.vals[i].Type = b.src.Regs[ph.reg[i]].Type
	}
	ph.live, ph.repl = resize(ph.live, total), resize(ph.repl, total)
	ph.argAt = resize(ph.argAt, 2*n)
	nargs := int32(0)
	for _, i := range b.dom.walk {
		for s := range b.blocks[i].numSuccs() {
			ph.argAt[2*int(i)+s] = nargs
			to := b.blocks[i].succ[s]
			nargs += ph.at[to+1] - ph.at[to]
		}
	}
	ph.args = resize(ph.args, int(nargs))
	return true
}

// region is a place where block arguments for a register may be needed: below
// a block that writes it, or below the entry.
type region struct{ reg, block int32 }

// findPhis fills b.phis.found: for each register that some block reads before
// writing it, the frontier of the blocks that write it. The entry block counts
// as one, but has no frontier (I2).
//
// A block argument can only matter on a path to such a read that has no write
// on it. Where a write dominates the read, all such paths lie below it: the
// frontiers are needed below the nearest writes that dominate reads only. That
// keeps a counter of an inner loop out of the headers of the loops around it.
func (b *builder) findPhis() bool {
	ph := &b.phis
	b.defAt, b.defPos = byRegister(b.defs, b.regs, b.defAt, b.defPos)
	b.useAt, b.usePos = byRegister(b.uses, b.regs, b.useAt, b.usePos)
	b.regions = b.regions[:0]
	for r := range b.regs {
		if b.regs[r].global {
			b.findRegions(int32(r))
		}
	}
	b.sortRegions()
	nargs := 0
	for _, g := range b.regions {
		defs := b.defPos[b.defAt[g.reg]:b.defAt[g.reg+1]]
		lo, _ := slices.BinarySearch(defs, b.dom.pre[g.block]+1)
		hi, _ := slices.BinarySearch(defs, b.dom.last[g.block]+1)
		if lo == hi {
			continue
		}
		ph.front = b.front.of(&b.dom, g.block, defs[lo:hi], ph.front[:0])
		for _, i := range ph.front {
			ph.found = append(ph.found, regBlock{g.reg, i})
			nargs += len(b.graph.into(i))
		}
		if nargs > maxEdgeArgs {
			return false
		}
	}
	slices.SortFunc(ph.found, func(x, y regBlock) int { return cmp.Compare(x.reg, y.reg) })
	return true
}

// findRegions appends the regions of register r: the outermost of the nearest
// writes that dominate each read.
func (b *builder) findRegions(r int32) {
	t := &b.dom
	defs := b.defPos[b.defAt[r]:b.defAt[r+1]]
	first := len(b.regions)
	open := b.work[:0] // writes whose subtree the walk is in, outermost first
	for _, u := range b.usePos[b.useAt[r]:b.useAt[r+1]] {
		for len(defs) > 0 && defs[0] < u {
			for len(open) > 0 && t.last[t.walk[open[len(open)-1]]] < defs[0] {
				open = open[:len(open)-1]
			}
			open, defs = append(open, defs[0]), defs[1:]
		}
		for len(open) > 0 && t.last[t.walk[open[len(open)-1]]] < u {
			open = open[:len(open)-1]
		}
		at := int32(0) // the entry
		if len(open) > 0 {
			at = t.walk[open[len(open)-1]]
		}
		for len(b.regions) > first && t.within(b.regions[len(b.regions)-1].block, at) {
			b.regions = b.regions[:len(b.regions)-1]
		}
		if len(b.regions) == first || !t.within(at, b.regions[len(b.regions)-1].block) {
			b.regions = append(b.regions, region{r, at})
		}
	}
	b.work = open
}

// sortRegions orders the regions by level.
func (b *builder) sortRegions() {
	slices.SortStableFunc(b.regions, func(x, y region) int {
		return cmp.Compare(b.dom.level[x.block], b.dom.level[y.block])
	})
}

// byRegister groups the pairs of global registers: at[r]:at[r+1] bounds those
// of register r in pos, in order.
func byRegister(pairs []regBlock, regs []regState, at, pos []int32) ([]int32, []int32) {
	at = resize(at, len(regs)+1)
	for _, d := range pairs {
		if regs[d.reg].global {
			at[d.reg+1]++
		}
	}
	for i := range regs {
		at[i+1] += at[i]
	}
	pos = resize(pos, int(at[len(regs)]))
	for k := len(pairs) - 1; k >= 0; k-- {
		if d := pairs[k]; regs[d.reg].global {
			at[d.reg+1]--
			pos[at[d.reg+1]] = d.block
		}
	}
	copy(at, at[1:])
	at[len(regs)] = int32(len(pos))
	return at, pos
}

// scan notes which registers each reachable block writes, and which registers
// some block reads before writing them, in the order of the dominator tree's
// walk: blocks are named by their position in it.
func (b *builder) scan() {
	b.defs, b.uses = b.defs[:0], b.uses[:0]
	for _, r := range b.src.Params {
		b.noteWrite(r, 0)
	}
	for k, i := range b.dom.walk {
		blk, at := &b.blocks[i], int32(k)
		for s := blk.first; s < blk.end; s++ {
			if st := &b.src.Stmts[s]; st.Kind == asm.StmtInstr {
				b.scanInstr(&b.src.Instrs[st.Ref], at, blk.arm)
			}
		}
		switch {
		case blk.kind == termCond:
			if o := &b.src.Operands(&b.src.Instrs[blk.term])[0]; o.Kind == asm.OpReg {
				b.noteRead(o.Ref, at)
			}
		case blk.kind == termReturn:
			ops := b.src.Operands(&b.src.Instrs[blk.term])
			if blk.arm {
				ops = ops[1:]
			}
			for k := range ops {
				if ops[k].Kind == asm.OpReg {
					b.noteRead(ops[k].Ref, at)
				}
			}
		}
	}
}

// scanInstr notes the reads of an instruction, then its writes. Destinations
// come first among the operands.
func (b *builder) scanInstr(in *asm.Instr, at int32, arm bool) {
	ops, args := b.src.Operands(in), in.Form.Args
	if arm {
		ops, args = ops[1:], args[1:]
	}
	ndst := 0
	for ndst < len(args) && args[ndst].Role != pisa.Src {
		o := &ops[ndst]
		if o.Kind == asm.OpReg && (args[ndst].Role == pisa.Tied || o.Swz != 0) {
			b.noteRead(o.Ref, at)
		}
		ndst++
	}
	if in.Row == rowLifetime {
		return
	}
	for k := ndst; k < len(ops); k++ {
		if ops[k].Kind == asm.OpReg {
			b.noteRead(ops[k].Ref, at)
		}
	}
	for k := range ndst {
		if ops[k].Kind == asm.OpReg {
			b.noteWrite(ops[k].Ref, at)
		}
	}
}

func (b *builder) noteRead(r uint32, at int32) {
	st := &b.regs[r]
	if st.defIn != at+1 && st.useIn != at+1 {
		st.useIn, st.global = at+1, true
		b.uses = append(b.uses, regBlock{int32(r), at})
	}
}

func (b *builder) noteWrite(r uint32, at int32) {
	if b.regs[r].defIn != at+1 {
		b.regs[r].defIn = at + 1
		b.defs = append(b.defs, regBlock{int32(r), at})
	}
}
