package ere

// maxProgram limits the instructions of one compiled expression: counted
// repetitions are expanded, and their nesting multiplies.
const maxProgram = 1 << 16

type instOp uint8

const (
	iSet     instOp = iota // consume a byte in set, go to x
	iSplit                 // try x, then y
	iAssert                // go to x if assert holds
	iSave                  // record the position in slot, go to x
	iBackref               // consume what group matched, go to x
	iMatch
)

type inst struct {
	op     instOp
	assert assertion
	slot   int32 // iSave; iBackref: group
	x, y   int32
	set    *byteSet
}

type prog struct {
	insts []inst
	start int32
}

// compiler turns nodes into instructions from the end backwards: each node is
// given the instruction to continue with and returns the one to enter at.
type compiler struct {
	insts    []inst
	reverse  bool
	exact    bool              // emit iSave and iBackref; otherwise a reference stands for its group's expression
	groups   map[int]groupNode // by absolute number
	saved    map[int]bool      // exact: the groups whose extent matters
	base     int               // absolute number of the current expression's group 0
	expanded int               // references expanded so far
	err      error
}

type groupNode struct {
	sub  *node
	base int
}

func (c *compiler) emit(i inst) int32 {
	if len(c.insts) >= maxProgram {
		c.err = ErrTooLarge
		return 0
	}
	c.insts = append(c.insts, i)
	return int32(len(c.insts) - 1)
}

func (c *compiler) node(n *node, next int32) int32 {
	if c.err != nil {
		return 0
	}
	switch n.op {
	case opSet:
		return c.emit(inst{op: iSet, set: n.set, x: next})
	case opAssert:
		return c.emit(inst{op: iAssert, assert: n.assert, x: next})
	case opCat:
		return c.sequence(n.subs, next)
	case opAlt:
		at := c.node(n.subs[len(n.subs)-1], next)
		for i := len(n.subs) - 2; i >= 0 && c.err == nil; i-- {
			at = c.emit(inst{op: iSplit, x: c.node(n.subs[i], next), y: at})
		}
		return at
	case opRepeat:
		return c.repeat(n, next)
	case opGroup:
		return c.group(n.subs[0], c.base+n.group, next)
	case opBackref:
		return c.backref(n.group, next)
	}
	return next // opEmpty
}

func (c *compiler) sequence(subs []*node, next int32) int32 {
	for i := range subs {
		if !c.reverse {
			i = len(subs) - 1 - i
		}
		next = c.node(subs[i], next)
	}
	return next
}

func (c *compiler) repeat(n *node, next int32) int32 {
	at := next
	if n.max < 0 {
		at = c.emit(inst{op: iSplit, y: next})
		body := c.node(n.subs[0], at)
		if c.err == nil {
			c.insts[at].x = body
		}
	} else {
		for i := n.min; i < n.max && c.err == nil; i++ {
			at = c.emit(inst{op: iSplit, x: c.node(n.subs[0], at), y: next})
		}
	}
	for i := 0; i < n.min && c.err == nil; i++ {
		at = c.node(n.subs[0], at)
	}
	return at
}

func (c *compiler) group(sub *node, number int, next int32) int32 {
	if !c.exact || !c.saved[number] {
		return c.node(sub, next)
	}
	end := c.emit(inst{op: iSave, slot: int32(2*number + 1), x: next})
	return c.emit(inst{op: iSave, slot: int32(2 * number), x: c.node(sub, end)})
}

func (c *compiler) backref(number int, next int32) int32 {
	if c.exact {
		return c.emit(inst{op: iBackref, slot: int32(number), x: next})
	}
	if c.expanded++; c.expanded > maxProgram { // a group may be empty and hold more references
		c.err = ErrTooLarge
		return 0
	}
	g := c.groups[number]
	base := c.base
	c.base = g.base
	at := c.node(g.sub, next)
	c.base = base
	return at
}

// finish compiles n and returns the program.
func (c *compiler) finish(subs []*node) (*prog, error) {
	start := c.sequence(subs, c.emit(inst{op: iMatch}))
	if c.err != nil {
		return nil, c.err
	}
	return &prog{insts: c.insts, start: start}, nil
}

// holds reports whether an assertion holds between text[pos-1] and text[pos].
func holds(a assertion, text string, pos int) bool {
	switch a {
	case lineStart:
		return pos == 0 || text[pos-1] == '\n'
	case lineEnd:
		return pos == len(text) || text[pos] == '\n'
	}
	before := pos > 0 && isWord(text[pos-1])
	after := pos < len(text) && isWord(text[pos])
	if a == wordStart {
		return !before && after
	}
	return before && !after
}

func isWord(b byte) bool { return isAlpha(b) || isDigit(b) || b == '_' }

// firstSet returns the bytes a match can begin with, and false if a match may
// begin without consuming one.
func (p *prog) firstSet() (*byteSet, bool) {
	set := new(byteSet)
	seen := make([]bool, len(p.insts))
	stack := []int32{p.start}
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch i := &p.insts[pc]; i.op {
		case iSet:
			for w := range set {
				set[w] |= i.set[w]
			}
		case iSplit:
			stack = append(stack, i.x, i.y)
		case iAssert, iSave:
			stack = append(stack, i.x)
		default:
			return nil, false
		}
	}
	return set, true
}
