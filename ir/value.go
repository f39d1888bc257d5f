package ir

// Value is an SSA value: a result of an op or an argument of a block.
type Value struct {
	uses  *Operand // head of the intrusive use list, newest first
	op    *Op      // defining op, or nil for a block argument
	block *Block   // block of an argument; nil for a result
	ID    uint32   // dense per function
	Type  Type
	Reg   Reg    // physical register after allocation; NoReg before
	index uint32 // among the results or the arguments
}

// Op returns the op that defines v, or nil if v is a block argument.
func (v *Value) Op() *Op { return v.op }

// Block returns the block in which v is defined.
func (v *Value) Block() *Block {
	if v.op != nil {
		return v.op.block
	}
	return v.block
}

// IsArg reports whether v is a block argument.
func (v *Value) IsArg() bool { return v.op == nil }

// Index returns v's position among its op's results or its block's arguments.
func (v *Value) Index() int { return int(v.index) }

// FirstUse returns the head of the use list; iterate with Operand.NextUse.
func (v *Value) FirstUse() *Operand { return v.uses }

// HasUses reports whether any op uses v.
func (v *Value) HasUses() bool { return v.uses != nil }

// HasOneUse reports exactly one use.
func (v *Value) HasOneUse() bool { return v.uses != nil && v.uses.next == nil }

// ReplaceUses makes every user of v use w.
func (v *Value) ReplaceUses(w *Value) {
	if v == w {
		return
	}
	for v.uses != nil {
		v.uses.Set(w)
	}
}

// Operand is one use of a value by an op: a node of that value's use list.
type Operand struct {
	val        *Value
	user       *Op
	next, prev *Operand
}

// Value returns the value used.
func (o *Operand) Value() *Value { return o.val }

// User returns the op that owns the operand.
func (o *Operand) User() *Op { return o.user }

// NextUse returns the next use of the same value.
func (o *Operand) NextUse() *Operand { return o.next }

// Set makes the operand use v; nil unlinks it.
func (o *Operand) Set(v *Value) {
	if o.val != nil {
		o.unlink()
	}
	o.val = v
	if v != nil {
		o.link()
	}
}

func (o *Operand) link() {
	o.prev, o.next = nil, o.val.uses
	if o.next != nil {
		o.next.prev = o
	}
	o.val.uses = o
}

func (o *Operand) unlink() {
	if o.prev != nil {
		o.prev.next = o.next
	} else {
		o.val.uses = o.next
	}
	if o.next != nil {
		o.next.prev = o.prev
	}
	o.next, o.prev = nil, nil
}

// relocate moves the node from to o (operand storage was enlarged).
func (o *Operand) relocate(from *Operand) {
	*o = *from
	if o.val == nil {
		return
	}
	if o.prev != nil {
		o.prev.next = o
	} else {
		o.val.uses = o
	}
	if o.next != nil {
		o.next.prev = o
	}
}
