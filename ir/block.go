package ir

// Block is a basic block: arguments, then ops, the last of which is a
// terminator.
type Block struct {
	fn                  *Func
	prev, next          *Block
	first, last         *Op
	firstPred, lastPred *Edge
	args                []*Value
	npreds              int
	ID                  uint32 // dense per function
	Name                string // source label, if any; for printing only
	Loc                 Loc
}

// Func returns the function that holds b.
func (b *Block) Func() *Func { return b.fn }

// Next returns the following block in layout order.
func (b *Block) Next() *Block { return b.next }

// Prev returns the preceding block in layout order.
func (b *Block) Prev() *Block { return b.prev }

// First returns the first op, or nil.
func (b *Block) First() *Op { return b.first }

// Last returns the last op, or nil; in a verified function, the terminator.
func (b *Block) Last() *Op { return b.last }

// NumArgs returns the number of block arguments.
func (b *Block) NumArgs() int { return len(b.args) }

// Arg returns argument i.
func (b *Block) Arg(i int) *Value { return b.args[i] }

// Args returns the arguments; not to be changed.
func (b *Block) Args() []*Value { return b.args }

// FirstPred returns the first edge into b; iterate with Edge.NextPred.
func (b *Block) FirstPred() *Edge { return b.firstPred }

// NumPreds returns the number of edges into b.
func (b *Block) NumPreds() int { return b.npreds }

// NumSuccs returns the number of successors of b's terminator.
func (b *Block) NumSuccs() int {
	if b.last == nil {
		return 0
	}
	return len(b.last.succs)
}

// Succ returns the block that successor i of b's terminator leads to.
func (b *Block) Succ(i int) *Block { return b.last.succs[i].to }

// AddArg appends an argument of type t. The caller appends the value to every
// edge into b (Edge.AppendArg).
func (b *Block) AddArg(t Type) *Value {
	v := b.fn.valueSlab.one()
	*v = Value{block: b, ID: b.fn.nextValue, Type: t, index: uint32(len(b.args))}
	b.fn.nextValue++
	b.args = append(b.args, v)
	return v
}

// GrowArgs makes room for n more arguments, without an allocation of their own.
func (b *Block) GrowArgs(n int) {
	args := b.fn.argSlab.take(len(b.args) + n)
	b.args = args[:copy(args, b.args)]
}

// RemoveArg deletes argument i, which must have no uses, and what each edge
// passes for it.
func (b *Block) RemoveArg(i int) {
	if b.args[i].uses != nil {
		panic("ir: removing a block argument that is used")
	}
	for e := b.firstPred; e != nil; e = e.next {
		e.RemoveArg(i)
	}
	b.args = append(b.args[:i], b.args[i+1:]...)
	for k := i; k < len(b.args); k++ {
		b.args[k].index = uint32(k)
	}
}

// insertBefore links o before pos; at the end if pos is nil.
func (b *Block) insertBefore(o, pos *Op) {
	o.block = b
	o.next = pos
	if pos != nil {
		o.prev = pos.prev
		pos.prev = o
	} else {
		o.prev = b.last
		b.last = o
	}
	if o.prev != nil {
		o.prev.next = o
	} else {
		b.first = o
	}
}

func (b *Block) remove(o *Op) {
	if o.prev != nil {
		o.prev.next = o.next
	} else {
		b.first = o.next
	}
	if o.next != nil {
		o.next.prev = o.prev
	} else {
		b.last = o.prev
	}
	o.prev, o.next, o.block = nil, nil, nil
}

// Erase removes b, which must have no predecessors but itself and whose values
// must have no uses outside b.
func (b *Block) Erase() { b.fn.EraseBlocks(b) }

// EraseBlocks removes blocks, which may branch to each other and use each
// other's values; nothing else may.
func (f *Func) EraseBlocks(blocks ...*Block) {
	for _, b := range blocks {
		for o := b.first; o != nil; o = o.next {
			o.dropRefs()
		}
	}
	for _, b := range blocks {
		if b.npreds != 0 {
			panic("ir: erasing a block that has predecessors")
		}
		for _, v := range b.args {
			if v.uses != nil {
				panic("ir: erasing a block whose argument is used")
			}
		}
		for o := b.last; o != nil; o = b.last {
			o.Erase()
		}
		f.unlinkBlock(b)
	}
}

// MoveAfter moves b behind pos in layout order.
func (b *Block) MoveAfter(pos *Block) {
	if b == pos {
		return
	}
	b.fn.unlinkBlock(b)
	b.fn.linkBlock(b, pos.next)
}
