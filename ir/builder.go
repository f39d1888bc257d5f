package ir

// Builder creates ops at an insertion point. The zero Builder is positioned
// with At… first. All ops get Loc.
type Builder struct {
	fn    *Func
	block *Block
	pos   *Op // insert before; nil: at the end of block
	Loc   Loc
}

// AtEnd positions the builder at the end of b.
func (bl *Builder) AtEnd(b *Block) { bl.fn, bl.block, bl.pos = b.fn, b, nil }

// Before positions the builder before op.
func (bl *Builder) Before(op *Op) { bl.fn, bl.block, bl.pos = op.block.fn, op.block, op }

// After positions the builder behind op.
func (bl *Builder) After(op *Op) { bl.fn, bl.block, bl.pos = op.block.fn, op.block, op.next }

// Block returns the block in which ops are inserted.
func (bl *Builder) Block() *Block { return bl.block }

// Func returns the function in which ops are inserted.
func (bl *Builder) Func() *Func { return bl.fn }

// Op creates an op without results, successors or payload.
func (bl *Builder) Op(code Code, props uint64, operands ...*Value) *Op {
	return bl.create(code, props, 0, operands, 0)
}

// OpAux is Op with a payload.
func (bl *Builder) OpAux(code Code, props uint64, aux Aux, operands ...*Value) *Op {
	return bl.create(code, props, aux, operands, 0)
}

// Value creates an op with one result of type t and returns the result.
func (bl *Builder) Value(code Code, props uint64, t Type, operands ...*Value) *Value {
	o := bl.create(code, props, 0, operands, 1)
	bl.fn.result(o, 0, t)
	return &o.results[0]
}

// ValueAux is Value with a payload.
func (bl *Builder) ValueAux(code Code, props uint64, aux Aux, t Type, operands ...*Value) *Value {
	o := bl.create(code, props, aux, operands, 1)
	bl.fn.result(o, 0, t)
	return &o.results[0]
}

// OpResults creates an op with any number of results.
func (bl *Builder) OpResults(code Code, props uint64, aux Aux, results []Type, operands ...*Value) *Op {
	o := bl.create(code, props, aux, operands, len(results))
	for i, t := range results {
		bl.fn.result(o, i, t)
	}
	return o
}

// Target is a successor for Branch: a block and the values for its arguments.
type Target struct {
	To   *Block
	Args []*Value
}

// Branch creates a terminator with successors; operands come before the
// arguments of the edges.
func (bl *Builder) Branch(code Code, props uint64, operands []*Value, targets ...Target) *Op {
	n := len(operands)
	for _, t := range targets {
		n += len(t.Args)
	}
	f := bl.fn
	o := f.newOp(code, props, 0, n, 0)
	o.Loc = bl.Loc
	i := 0
	for _, v := range operands {
		o.operands[i] = Operand{user: o}
		o.operands[i].Set(v)
		i++
	}
	o.succs = f.edgeSlab.take(len(targets))
	bl.block.insertBefore(o, bl.pos)
	for k, t := range targets {
		e := &o.succs[k]
		e.op, e.off, e.n = o, uint32(i), uint32(len(t.Args))
		for _, v := range t.Args {
			o.operands[i] = Operand{user: o}
			o.operands[i].Set(v)
			i++
		}
		e.SetTo(t.To)
	}
	return o
}

func (bl *Builder) create(code Code, props uint64, aux Aux, operands []*Value, nresults int) *Op {
	o := bl.fn.newOp(code, props, aux, len(operands), nresults)
	o.Loc = bl.Loc
	for i, v := range operands {
		o.operands[i].user = o
		o.operands[i].Set(v)
	}
	bl.block.insertBefore(o, bl.pos)
	return o
}

func (f *Func) newOp(code Code, props uint64, aux Aux, noperands, nresults int) *Op {
	o := f.opSlab.one()
	o.Code, o.Props, o.Aux, o.ID = code, props, aux, f.nextOp
	f.nextOp++
	o.operands = f.operandSlab.take(noperands)
	o.results = f.valueSlab.take(nresults)
	return o
}

func (f *Func) result(o *Op, i int, t Type) {
	o.results[i] = Value{op: o, ID: f.nextValue, Type: t, index: uint32(i)}
	f.nextValue++
}
