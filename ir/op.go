package ir

// Code identifies an op of any dialect; it indexes Registry.Defs. Each dialect
// owns a fixed range (see the Base constants), so codes are constants.
type Code uint16

// First codes of the dialects.
const (
	BaseBuiltin Code = 1
	BasePISA    Code = 32
	BaseAMDGPU  Code = 256
	MaxCode     Code = 4096
)

// Aux is the one out-of-line payload of an op; its meaning is the row's
// AuxKind: a symbol of the module, a parameter of the kernel, or the upper
// half of a 128-bit constant. 0 is "none".
type Aux uint32

// Op is one operation. Operands, results and edges are carved from the
// function's slabs; the lists that they form are kept in step by the methods.
type Op struct {
	prev, next *Op
	block      *Block
	Props      uint64 // packed qualifiers, laid out by the row's Fields
	operands   []Operand
	results    []Value
	succs      []Edge
	Aux        Aux
	Loc        Loc
	ID         uint32 // dense per function
	Code       Code
}

// Edge is one successor of a terminator. It owns the operands [off, off+n) of
// its op, which are passed to the target's arguments, and it is a node of the
// target's predecessor list.
type Edge struct {
	op         *Op
	to         *Block
	prev, next *Edge
	off, n     uint32
}

// Op returns the terminator that owns e.
func (e *Edge) Op() *Op { return e.op }

// To returns the target block.
func (e *Edge) To() *Block { return e.to }

// From returns the block that e leaves.
func (e *Edge) From() *Block { return e.op.block }

// NextPred returns the next edge into the same block.
func (e *Edge) NextPred() *Edge { return e.next }

// NumArgs returns the number of values passed.
func (e *Edge) NumArgs() int { return int(e.n) }

// Arg returns the value passed for the target's argument i.
func (e *Edge) Arg(i int) *Value { return e.op.operands[int(e.off)+i].val }

// SetArg changes the value passed for argument i.
func (e *Edge) SetArg(i int, v *Value) { e.op.operands[int(e.off)+i].Set(v) }

// Args returns the operands that e owns.
func (e *Edge) Args() []Operand { return e.op.operands[e.off : e.off+e.n] }

// Index returns which successor of its op e is.
func (e *Edge) Index() int {
	for i := range e.op.succs {
		if &e.op.succs[i] == e {
			return i
		}
	}
	panic("ir: edge is not of its op")
}

// AppendArg passes one more value along e.
func (e *Edge) AppendArg(v *Value) {
	at := int(e.off + e.n)
	e.op.insertOperand(at, v)
	e.n++
	// Edges without arguments may share an offset: order decides, not off.
	for i := e.Index() + 1; i < len(e.op.succs); i++ {
		e.op.succs[i].off++
	}
}

// RemoveArg stops passing argument i.
func (e *Edge) RemoveArg(i int) {
	at := int(e.off) + i
	e.op.removeOperand(at)
	e.n--
	for k := e.Index() + 1; k < len(e.op.succs); k++ {
		e.op.succs[k].off--
	}
}

// SetTo redirects e to block b; the arguments are kept.
func (e *Edge) SetTo(b *Block) {
	if e.to != nil {
		e.unlink()
	}
	e.to = b
	if b != nil {
		e.link()
	}
}

// link appends, so that predecessors come in creation order.
func (e *Edge) link() {
	b := e.to
	e.prev, e.next = b.lastPred, nil
	if b.lastPred != nil {
		b.lastPred.next = e
	} else {
		b.firstPred = e
	}
	b.lastPred = e
	b.npreds++
}

func (e *Edge) unlink() {
	b := e.to
	if e.prev != nil {
		e.prev.next = e.next
	} else {
		b.firstPred = e.next
	}
	if e.next != nil {
		e.next.prev = e.prev
	} else {
		b.lastPred = e.prev
	}
	e.prev, e.next = nil, nil
	b.npreds--
}

// Block returns the block that holds the op, nil if it is not inserted.
func (o *Op) Block() *Block { return o.block }

// Func returns the function that holds the op.
func (o *Op) Func() *Func { return o.block.fn }

// Next returns the following op of the block.
func (o *Op) Next() *Op { return o.next }

// Prev returns the preceding op of the block.
func (o *Op) Prev() *Op { return o.prev }

// NumOperands returns the number of operands, those of edges included.
func (o *Op) NumOperands() int { return len(o.operands) }

// Operand returns the value of operand i.
func (o *Op) Operand(i int) *Value { return o.operands[i].val }

// Operands returns the operand nodes; not to be appended to.
func (o *Op) Operands() []Operand { return o.operands }

// SetOperand makes operand i use v.
func (o *Op) SetOperand(i int, v *Value) { o.operands[i].Set(v) }

// NumResults returns the number of results.
func (o *Op) NumResults() int { return len(o.results) }

// Result returns result i.
func (o *Op) Result(i int) *Value { return &o.results[i] }

// NumSuccs returns the number of successors.
func (o *Op) NumSuccs() int { return len(o.succs) }

// Succ returns successor i.
func (o *Op) Succ(i int) *Edge { return &o.succs[i] }

// NumPlainOperands returns the number of operands that no edge owns; they come
// first.
func (o *Op) NumPlainOperands() int {
	if len(o.succs) == 0 {
		return len(o.operands)
	}
	return int(o.succs[0].off)
}

// Def returns the op's table row.
func (o *Op) Def() *OpDef { return o.block.fn.mod.Reg.Def(o.Code) }

// Field reads a field of Props.
func (o *Op) Field(f Field) uint64 { return f.Get(o.Props) }

// SetField writes a field of Props.
func (o *Op) SetField(f Field, v uint64) { o.Props = f.Set(o.Props, v) }

// insertOperand opens a place at index i; amortised by slab storage with slack.
func (o *Op) insertOperand(i int, v *Value) {
	n := len(o.operands)
	if n == cap(o.operands) {
		old := o.operands
		o.operands = o.block.fn.operandSlab.take(max(2*n, 2))[:n+1]
		for k := range i {
			o.operands[k].relocate(&old[k])
		}
		for k := n; k > i; k-- {
			o.operands[k].relocate(&old[k-1])
		}
	} else {
		o.operands = o.operands[:n+1]
		for k := n; k > i; k-- {
			o.operands[k].relocate(&o.operands[k-1])
		}
	}
	o.operands[i] = Operand{user: o}
	o.operands[i].Set(v)
}

func (o *Op) removeOperand(i int) {
	o.operands[i].Set(nil)
	n := len(o.operands) - 1
	for k := i; k < n; k++ {
		o.operands[k].relocate(&o.operands[k+1])
	}
	o.operands[n] = Operand{}
	o.operands = o.operands[:n]
}

// AppendOperand adds a plain operand to an op without successors.
func (o *Op) AppendOperand(v *Value) {
	if len(o.succs) != 0 {
		panic("ir: AppendOperand on an op with successors")
	}
	o.insertOperand(len(o.operands), v)
}

// InsertOperand adds a plain operand before operand i of an op without
// successors.
func (o *Op) InsertOperand(i int, v *Value) {
	if len(o.succs) != 0 {
		panic("ir: InsertOperand on an op with successors")
	}
	o.insertOperand(i, v)
}

// RemoveOperand removes plain operand i of an op without successors.
func (o *Op) RemoveOperand(i int) {
	if len(o.succs) != 0 {
		panic("ir: RemoveOperand on an op with successors")
	}
	o.removeOperand(i)
}

// dropRefs unlinks the op from use lists and predecessor lists.
func (o *Op) dropRefs() {
	for i := range o.operands {
		o.operands[i].Set(nil)
	}
	for i := range o.succs {
		o.succs[i].SetTo(nil)
	}
}

// Erase removes the op from its block and from all lists. Its results must
// have no uses.
func (o *Op) Erase() {
	for i := range o.results {
		if o.results[i].uses != nil {
			panic("ir: erasing an op whose result is used")
		}
	}
	o.dropRefs()
	o.block.remove(o)
}

// MoveBefore moves the op before pos, which may be in another block of the
// same function.
func (o *Op) MoveBefore(pos *Op) {
	if o == pos {
		return
	}
	o.block.remove(o)
	pos.block.insertBefore(o, pos)
}

// MoveToEnd moves the op to the end of b.
func (o *Op) MoveToEnd(b *Block) {
	o.block.remove(o)
	b.insertBefore(o, nil)
}
