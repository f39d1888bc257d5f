package ssabuild

import (
	"fmt"

	"pisac/dialects/pisa/asm"
	"pisac/ir"
)

// builder is the state of one Build. What one function needs is reused for the
// next.
type builder struct {
	mod  *ir.Module
	ds   *ir.Diags
	warn bool // about registers that are never written
	bl   ir.Builder

	src        *asm.Func
	fn         *ir.Func
	blocks     []block
	labelBlock []int32
	graph      graph
	order      []int32 // reachable blocks in text order
	dom        domTree
	front      frontiers
	phis       phis

	regs          []regState
	defs, uses    []regBlock // writes by block; reads ahead of the block's writes
	defAt, defPos []int32    // the same by register, of global ones
	useAt, usePos []int32
	regions       []region
	work          []int32

	undo     []undo
	undoMark []int32 // by block: length of undo at its end
	args     []*ir.Value
	edgeArgs [2][]*ir.Value
	types    [4]ir.Type
	consts   [constCache]cachedConst
	serial   uint32
}

// regState is what is known of a register of the function being built.
type regState struct {
	cur    *ir.Value // its value at the point where ops are being created; nil: never written
	defIn  int32     // 1 + position in domTree.walk of the block that scan saw it written in last
	useIn  int32     // the same of reads
	global bool      // some block reads it before writing it
	warned bool
}

// undo restores a register when the walk leaves a subtree.
type undo struct {
	reg uint32
	old *ir.Value
}

// function builds the body of f.
func (b *builder) function(f *asm.Func) {
	b.src, b.fn = f, f.IR
	b.splitBlocks()
	b.graph.build(b.blocks)
	b.dom.build(&b.graph, len(b.blocks))
	b.order = b.order[:0]
	for i := range b.blocks {
		if b.graph.num[i] >= 0 {
			b.order = append(b.order, int32(i))
		}
	}
	b.regs = resize(b.regs, len(f.Regs))
	if !b.placePhis() {
		b.ds.Error(f.Loc, f.End, codeTangled, fmt.Sprintf("the control flow of @%s is too tangled: its edges would pass more than %d values", f.Name, maxEdgeArgs))
		return
	}
	for _, i := range b.order {
		blk := &b.blocks[i]
		blk.ir = b.fn.NewBlock()
		if blk.label >= 0 {
			blk.ir.Name, blk.ir.Loc = f.Labels[blk.label].Name, f.Labels[blk.label].Loc
		}
	}
	entry := b.blocks[0].ir
	for k, r := range f.Params {
		b.regs[r].cur = entry.AddArg(f.ParamTypes[k])
	}
	b.walk()
	b.finish()
}

// walk creates the ops of each block, dominators first, so that every register
// has its value at hand: that of the dominating write, or a stand-in.
func (b *builder) walk() {
	ph := &b.phis
	b.undo = b.undo[:0]
	b.undoMark = resize(b.undoMark, len(b.blocks))
	for _, i := range b.dom.walk {
		if up := b.dom.idom[i]; up >= 0 {
			b.rewind(int(b.undoMark[up]))
		}
		b.bl.AtEnd(b.blocks[i].ir)
		b.newBlockConsts()
		for k := ph.at[i]; k < ph.at[i+1]; k++ {
			b.set(uint32(ph.reg[k]), &ph.vals[k])
		}
		b.body(&b.blocks[i])
		b.undoMark[i] = int32(len(b.undo))
		for s := range b.blocks[i].numSuccs() {
			to := b.blocks[i].succ[s]
			base := ph.argAt[2*i+int32(s)] - ph.at[to]
			for k := ph.at[to]; k < ph.at[to+1]; k++ {
				ph.args[base+k] = b.regs[ph.reg[k]].cur
			}
		}
	}
}

func (b *builder) rewind(n int) {
	for k := len(b.undo) - 1; k >= n; k-- {
		u := &b.undo[k]
		b.regs[u.reg].cur = u.old
	}
	b.undo = b.undo[:n]
}

// set makes v the value of a register. Only registers that live across blocks
// need their old value back when the walk turns to another branch of the tree.
func (b *builder) set(r uint32, v *ir.Value) {
	st := &b.regs[r]
	if st.global {
		b.undo = append(b.undo, undo{r, st.cur})
	}
	st.cur = v
}

// body creates the ops of a block, up to its terminator, whose condition or
// value it notes.
func (b *builder) body(blk *block) {
	f := b.src
	for s := blk.first; s < blk.end; s++ {
		if st := &f.Stmts[s]; st.Kind == asm.StmtInstr {
			in := &f.Instrs[st.Ref]
			b.bl.Loc = in.Loc
			b.instr(in, blk.arm)
		}
	}
	switch blk.kind {
	case termCond:
		in := &f.Instrs[blk.term]
		b.bl.Loc = in.Loc
		blk.val = b.read(&f.Operands(in)[0], ir.Pred)
	case termReturn:
		in := &f.Instrs[blk.term]
		b.bl.Loc = in.Loc
		ops := f.Operands(in)
		if blk.arm {
			ops = ops[1:]
		}
		if len(ops) > 0 && ops[0].Kind != asm.OpNone {
			blk.val = b.read(&ops[0], b.fn.Ret)
		}
	}
}
