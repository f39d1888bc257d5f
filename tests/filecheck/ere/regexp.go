package ere

import "strings"

// Part is one element of the sequence a Regexp matches.
type Part struct {
	Expr *Expr
	// Capture makes the part a parenthesised group whose extent is reported.
	Capture bool
	// Wrap makes the part a group that is not reported. It only shifts the
	// numbers that \1 and the like in later expressions refer to.
	Wrap bool
	// Ref, if Expr is nil, is the index of an earlier captured part whose text
	// must occur again.
	Ref int
}

// Span is a range of the searched text.
type Span struct{ Start, End int }

// Regexp is a compiled sequence of parts. It may be used concurrently.
type Regexp struct {
	parts    []Part
	groupOf  []int   // absolute group number by part, 0 for none
	search   *prog   // without captures; an over-approximation if exact != nil
	exact    *prog   // for the backtracking search, if there are back-references
	slots    []int32 // exact: slots whose values decide how a search goes on
	elements []element
	last     int // index of the last captured element, -1 for none
	prefix   string
	first    *byteSet // nil if a match may begin with any byte or none
}

// maxElements limits what dividing a match costs: memory for each element is
// proportional to the length of the match.
const maxElements = 4096

// element is a piece of the outermost sequence, to divide a match by.
type element struct {
	part             int // index of the captured part, or -1
	forward, reverse *prog
}

// Join compiles a sequence of parts.
func Join(parts []Part) (*Regexp, error) {
	r := &Regexp{parts: parts, groupOf: make([]int, len(parts)), last: -1}
	groups := map[int]groupNode{}
	refs := map[int]bool{}
	bases := make([]int, len(parts))
	next := 1
	for i, p := range parts {
		if p.Expr == nil {
			if p.Ref < 0 || p.Ref >= i || !parts[p.Ref].Capture {
				return nil, errNoSuchPart
			}
			refs[r.groupOf[p.Ref]] = true
			continue
		}
		if p.Capture || p.Wrap {
			r.groupOf[i] = next
			next++
		}
		bases[i] = next - 1
		if err := p.Expr.collect(groups, refs, bases[i]); err != nil {
			return nil, err
		}
		if r.groupOf[i] != 0 {
			groups[r.groupOf[i]] = groupNode{p.Expr.root, bases[i]}
		}
		next += p.Expr.groups
	}
	var err error
	if r.search, err = r.compile(&compiler{groups: groups}, bases); err != nil {
		return nil, err
	}
	r.first, _ = r.search.firstSet()
	r.findPrefix()
	if len(refs) > 0 {
		return r, r.compileExact(groups, refs, bases)
	}
	return r, r.compileElements(bases)
}

// collect enters the expression's groups, and the groups it refers to, which
// must be closed by then.
func (e *Expr) collect(groups map[int]groupNode, refs map[int]bool, base int) error {
	if e.groups == 0 && !e.refs {
		return nil
	}
	var visit func(n *node) error
	visit = func(n *node) error {
		for _, sub := range n.subs {
			if err := visit(sub); err != nil {
				return err
			}
		}
		switch n.op {
		case opGroup:
			groups[base+n.group] = groupNode{n.subs[0], base}
		case opBackref:
			if _, closed := groups[n.group]; !closed {
				return ErrBackref
			}
			refs[n.group] = true
		}
		return nil
	}
	return visit(e.root)
}

func (r *Regexp) compile(c *compiler, bases []int) (*prog, error) {
	at := c.emit(inst{op: iMatch})
	for i := len(r.parts) - 1; i >= 0; i-- {
		p := r.parts[i]
		switch {
		case p.Expr == nil:
			at = c.backref(r.groupOf[p.Ref], at)
		case r.groupOf[i] != 0:
			c.base = bases[i]
			at = c.group(p.Expr.root, r.groupOf[i], at)
		default:
			c.base = bases[i]
			at = c.node(p.Expr.root, at)
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	return &prog{insts: c.insts, start: at}, nil
}

func (r *Regexp) compileExact(groups map[int]groupNode, refs map[int]bool, bases []int) error {
	saved := map[int]bool{}
	for n := range refs {
		saved[n] = true
		r.slots = append(r.slots, int32(2*n), int32(2*n+1))
	}
	for i, p := range r.parts {
		if p.Capture {
			saved[r.groupOf[i]] = true
		}
	}
	var err error
	r.exact, err = r.compile(&compiler{groups: groups, exact: true, saved: saved}, bases)
	return err
}

// compileElements prepares to divide a match among its parts, as far as the
// last captured one. An expression that is not a group counts as its top-level
// pieces, because POSIX lets each of those in turn take as much as it can.
func (r *Regexp) compileElements(bases []int) error {
	lastPart := -1
	for i, p := range r.parts {
		if p.Capture {
			lastPart = i
		}
	}
	if lastPart < 0 {
		return nil
	}
	var tail []*node
	for _, p := range r.parts[lastPart+1:] {
		tail = append(tail, p.Expr.root)
	}
	for i, p := range r.parts[:lastPart+1] {
		subs := []*node{p.Expr.root}
		if r.groupOf[i] == 0 && p.Expr.root.op == opCat && !p.Expr.isLiteral() {
			subs = p.Expr.root.subs
		}
		for _, n := range subs {
			e := element{part: -1}
			if p.Capture {
				e.part = i
				r.last = len(r.elements)
			}
			if err := e.compile([]*node{n}); err != nil {
				return err
			}
			if len(r.elements) == maxElements {
				return ErrTooLarge
			}
			r.elements = append(r.elements, e)
		}
	}
	e := element{part: -1}
	if err := e.compile(tail); err != nil {
		return err
	}
	r.elements = append(r.elements, e)
	return nil
}

func (e *element) compile(subs []*node) (err error) {
	if e.forward, err = (&compiler{}).finish(subs); err == nil {
		e.reverse, err = (&compiler{reverse: true}).finish(subs)
	}
	return err
}

func (e *Expr) isLiteral() bool {
	if e.root.op != opCat {
		return false
	}
	for _, n := range e.root.subs {
		if n.op != opSet {
			return false
		}
	}
	return true
}

// findPrefix finds the bytes every match begins with.
func (r *Regexp) findPrefix() {
	var prefix []byte
	defer func() { r.prefix = string(prefix) }()
	for pc := r.search.start; ; pc = r.search.insts[pc].x {
		i := &r.search.insts[pc]
		if i.op != iSet {
			return
		}
		b, ok := i.set.single()
		if !ok {
			return
		}
		prefix = append(prefix, b)
	}
}

// single returns the set's member if it has just one.
func (s *byteSet) single() (byte, bool) {
	count, member := 0, byte(0)
	for b := range 256 {
		if s.has(byte(b)) {
			count++
			member = byte(b)
		}
	}
	return member, count == 1
}

// skip returns the first position from pos on where a match can begin, or -1.
func (r *Regexp) skip(text string, pos int) int {
	if len(r.prefix) > 0 {
		i := strings.Index(text[pos:], r.prefix)
		if i < 0 {
			return -1
		}
		return pos + i
	}
	if r.first == nil {
		return pos
	}
	for ; pos < len(text); pos++ {
		if r.first.has(text[pos]) {
			return pos
		}
	}
	return -1
}

// Find searches text. It returns the match and, by index of part, the extents
// of the captured parts. The error is ErrTooCostly or nil.
func (r *Regexp) Find(text string) (match Span, captures []Span, found bool, err error) {
	if r.exact != nil {
		return r.findExact(text)
	}
	match, found = r.longest(text, 0, nil)
	if !found || r.last < 0 {
		return match, nil, found, nil
	}
	return match, r.divide(text, match), true, nil
}
