package ssabuild

import (
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
)

// maxEdgeArgs bounds the values that all edges of a function pass, so that a
// small text cannot ask for all the memory there is.
const maxEdgeArgs = 1 << 26

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

	found []regBlock // pairs in order of registers
	front []int32
}

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

// findPhis fills b.phis.found: for each register that some block reads before
// writing it, the frontier of the blocks that write it. The entry block counts
// as one, but has no frontier (I2).
func (b *builder) findPhis() bool {
	ph := &b.phis
	defAt := resize(b.defAt, len(b.regs)+1)
	b.defAt = defAt
	for _, d := range b.defs {
		if b.regs[d.reg].global {
			defAt[d.reg+1]++
		}
	}
	for i := range b.regs {
		defAt[i+1] += defAt[i]
	}
	b.defBlocks = resize(b.defBlocks, int(defAt[len(b.regs)]))
	for k := len(b.defs) - 1; k >= 0; k-- {
		if d := b.defs[k]; b.regs[d.reg].global {
			defAt[d.reg+1]--
			b.defBlocks[defAt[d.reg+1]] = d.block
		}
	}
	nargs := 0
	end := int32(len(b.defBlocks))
	for r := len(b.regs) - 1; r >= 0; r-- {
		first := defAt[r+1]
		if first < end {
			ph.front = b.front.of(&b.dom, b.defBlocks[first:end], ph.front[:0])
			for _, i := range ph.front {
				ph.found = append(ph.found, regBlock{int32(r), i})
				nargs += len(b.graph.into(i))
			}
			if nargs > maxEdgeArgs {
				return false
			}
		}
		end = first
	}
	// Registers came last to first.
	for i, j := 0, len(ph.found)-1; i < j; i, j = i+1, j-1 {
		ph.found[i], ph.found[j] = ph.found[j], ph.found[i]
	}
	return true
}

// scan notes which registers each reachable block writes, and which registers
// some block reads before writing them.
func (b *builder) scan() {
	b.defs = b.defs[:0]
	for _, r := range b.src.Params {
		b.noteWrite(r, 0)
	}
	for i := range b.blocks {
		if b.graph.num[i] < 0 {
			continue
		}
		blk, at := &b.blocks[i], int32(i)
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
	if b.regs[r].defIn != at+1 {
		b.regs[r].global = true
	}
}

func (b *builder) noteWrite(r uint32, at int32) {
	if b.regs[r].defIn != at+1 {
		b.regs[r].defIn = at + 1
		b.defs = append(b.defs, regBlock{int32(r), at})
	}
}
