package ssabuild

import (
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
)

// The mnemonics that are no ops of the dialect.
var (
	rowCall     = pisa.Mnemonic("call")
	rowGoto     = pisa.Mnemonic("goto")
	rowReturn   = pisa.Mnemonic("return")
	rowMov      = pisa.Mnemonic("mov")
	rowBfe      = pisa.Mnemonic("bfe")
	rowLifetime = pisa.Mnemonic("lifetime.start")
)

// termKind is how a block ends.
type termKind uint8

const (
	termFall   termKind = iota // continues at succ[0]
	termCond                   // at succ[0] where the condition of term holds, else at succ[1]
	termReturn                 // returns what term says
	termEnd                    // the end of the body
)

// block is a basic block before it has ops. Indices are int32 throughout: a
// function has at most as many blocks as its text has bytes.
type block struct {
	first, end int32 // Func.Stmts[first:end]
	term       int32 // instruction behind termCond, termReturn
	succ       [2]int32
	kind       termKind
	// arm is the block of a call.cond or return.cond alone: the condition is
	// the preceding block's.
	arm   bool
	label int32 // the first label that leads here, -1 if none
	ir    *ir.Block
	val   *ir.Value // condition or return value, until the terminator is made
}

// numSuccs returns how many of succ are used.
func (b *block) numSuccs() int {
	switch b.kind {
	case termFall:
		return 1
	case termCond:
		return 2
	}
	return 0
}

// What labelBlock holds of a label before its block is known.
const (
	untargeted = -1 - iota // no goto names it: it starts no block
	targeted
)

// splitBlocks cuts the body into b.blocks.
func (b *builder) splitBlocks() {
	f := b.src
	b.labelBlock = resize(b.labelBlock, len(f.Labels))
	for i := range b.labelBlock {
		b.labelBlock[i] = untargeted
	}
	most := 1 // how many blocks there can be
	for i := range f.Instrs {
		switch in := &f.Instrs[i]; in.Row {
		case rowGoto:
			b.labelBlock[gotoLabel(f, in)] = targeted
			most += 2
		case rowReturn, rowCall:
			most += 2
		}
	}
	if cap(b.blocks) < most {
		b.blocks = make([]block, 0, most)
	}
	b.blocks = append(b.blocks[:0], block{label: -1})
	c := cutter{b: b}
	for at := range f.Stmts {
		switch st := &f.Stmts[at]; st.Kind {
		case asm.StmtLabel:
			c.labelAt(at, st.Ref)
		case asm.StmtInstr:
			c.instrAt(at, st.Ref)
		}
	}
	c.close(len(f.Stmts), termEnd, -1, 0, 0)
	for i := range b.blocks {
		blk := &b.blocks[i]
		for s := range blk.numSuccs() {
			if blk.succ[s] < 0 {
				blk.succ[s] = b.labelBlock[^blk.succ[s]]
			}
		}
	}
}

// cutter is the state of splitBlocks: the last of b.blocks is being filled.
type cutter struct {
	b      *builder
	cur    int32 // its index
	filled bool  // it has an instruction
}

// start begins a block at statement at.
func (c *cutter) start(at int) {
	c.b.blocks = append(c.b.blocks, block{first: int32(at), end: int32(at), label: -1})
	c.cur, c.filled = c.cur+1, false
}

// close ends the block ahead of statement end. A negative successor is the
// complement of a label.
func (c *cutter) close(end int, kind termKind, term, succ0, succ1 int32) {
	blk := &c.b.blocks[c.cur]
	blk.end, blk.kind, blk.term, blk.succ = int32(end), kind, term, [2]int32{succ0, succ1}
}

func (c *cutter) labelAt(at int, label uint32) {
	if c.b.labelBlock[label] == untargeted {
		return
	}
	if c.filled || c.cur == 0 { // the entry block must have no predecessors (I2)
		c.close(at, termFall, -1, c.cur+1, 0)
		c.start(at)
	}
	if blk := &c.b.blocks[c.cur]; blk.label < 0 {
		blk.label = int32(label)
	}
	c.b.labelBlock[label] = c.cur
}

func (c *cutter) instrAt(at int, ref uint32) {
	f := c.b.src
	in, term, next := &f.Instrs[ref], int32(ref), c.cur+1
	cond := len(in.Form.Quals) > 0 // of the three below
	switch {
	case in.Row == rowGoto && !cond:
		c.close(at, termFall, term, ^int32(gotoLabel(f, in)), 0)
		c.start(at + 1)
	case in.Row == rowGoto:
		c.close(at, termCond, term, ^int32(gotoLabel(f, in)), next)
		c.start(at + 1)
	case in.Row == rowReturn && !cond:
		c.close(at, termReturn, term, 0, 0)
		c.start(at + 1)
	case in.Row == rowReturn: // around a block that returns
		c.close(at, termCond, term, next, next+1)
		c.start(at)
		c.b.blocks[c.cur].arm = true
		c.close(at, termReturn, term, 0, 0)
		c.start(at + 1)
	case in.Row == rowCall && cond: // around a block that calls
		c.close(at, termCond, term, next, next+1)
		c.start(at)
		c.b.blocks[c.cur].arm = true
		c.close(at+1, termFall, -1, next+1, 0)
		c.start(at + 1)
	default:
		c.filled = true
	}
}

// gotoLabel is the label that a goto names: its last operand.
func gotoLabel(f *asm.Func, in *asm.Instr) uint32 {
	ops := f.Operands(in)
	return ops[len(ops)-1].Ref
}

// graph is the control flow between reachable blocks.
type graph struct {
	// order has the reachable blocks in depth-first preorder, parent the
	// position in order of each one's tree parent, num the position by block,
	// -1 if the block is unreachable.
	order, parent, num []int32
	// preds[predAt[b]:predAt[b+1]] are the edges into block b; edge 2*p+s is
	// succ[s] of block p.
	predAt, preds []int32
	stack         []int32
}

func (g *graph) build(blocks []block) {
	n := len(blocks)
	g.num = resize(g.num, n)
	for i := range g.num {
		g.num[i] = -1
	}
	g.order, g.parent = g.order[:0], g.parent[:0]
	g.stack = append(g.stack[:0], 0, 0) // pairs: block, position of the parent
	for len(g.stack) > 0 {
		k := len(g.stack) - 2
		i, from := g.stack[k], g.stack[k+1]
		g.stack = g.stack[:k]
		if g.num[i] >= 0 {
			continue
		}
		at := int32(len(g.order))
		g.num[i] = at
		g.order = append(g.order, i)
		g.parent = append(g.parent, from)
		for s := blocks[i].numSuccs() - 1; s >= 0; s-- {
			if to := blocks[i].succ[s]; g.num[to] < 0 {
				g.stack = append(g.stack, to, at)
			}
		}
	}
	g.predAt = resize(g.predAt, n+1)
	for i := range blocks {
		if g.num[i] >= 0 {
			for s := range blocks[i].numSuccs() {
				g.predAt[blocks[i].succ[s]+1]++
			}
		}
	}
	for i := range n {
		g.predAt[i+1] += g.predAt[i]
	}
	g.preds = resize(g.preds, int(g.predAt[n]))
	for i := n - 1; i >= 0; i-- { // fills each list from its end, keeping text order
		if g.num[i] < 0 {
			continue
		}
		for s := blocks[i].numSuccs() - 1; s >= 0; s-- {
			to := blocks[i].succ[s]
			g.predAt[to+1]--
			g.preds[g.predAt[to+1]] = int32(2*i + s)
		}
	}
	// predAt[to+1] is now the start of list to: move the bounds back.
	copy(g.predAt, g.predAt[1:])
	g.predAt[n] = int32(len(g.preds))
}

// into returns the edges into block i.
func (g *graph) into(i int32) []int32 { return g.preds[g.predAt[i]:g.predAt[i+1]] }

// resize returns s with length n and all elements zero.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}
