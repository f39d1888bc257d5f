package ere

import (
	"errors"
)

// Limits on one expression.
const (
	maxRepeat = 255 // POSIX RE_DUP_MAX, which LLVM uses too
	maxDepth  = 200 // nesting of groups
)

// The reasons for which an expression is refused, in regerror's words.
var (
	ErrCollate    = errors.New("invalid collating element")
	ErrClass      = errors.New("invalid character class")
	ErrEscape     = errors.New("trailing backslash (\\)")
	ErrBackref    = errors.New("invalid backreference number")
	ErrBracket    = errors.New("brackets ([ ]) not balanced")
	ErrParen      = errors.New("parentheses not balanced")
	ErrBrace      = errors.New("braces not balanced")
	ErrRepeat     = errors.New("invalid repetition count(s)")
	ErrRange      = errors.New("invalid character range")
	ErrRepeatOp   = errors.New("repetition-operator operand invalid")
	ErrEmpty      = errors.New("empty (sub)expression")
	ErrTooDeep    = errors.New("parentheses nested too deeply")
	ErrTooLarge   = errors.New("regular expression too large")
	ErrTooCostly  = errors.New("back-references in the pattern take too many steps to match")
	errNoSuchPart = errors.New("reference to a part that captures nothing")
)

type nodeOp uint8

const (
	opEmpty nodeOp = iota
	opSet          // one byte out of set
	opCat
	opAlt
	opRepeat // subs[0], min to max times; max < 0: without end
	opGroup  // subs[0], numbered group
	opBackref
	opAssert
)

type assertion uint8

const (
	lineStart assertion = iota
	lineEnd
	wordStart
	wordEnd
)

type node struct {
	op       nodeOp
	assert   assertion
	group    int // opGroup: number within the expression, from 1; opBackref
	min, max int
	set      *byteSet
	subs     []*node
}

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) del(b byte)      { s[b>>6] &^= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

// foldCase adds the other case of each letter in the set.
func (s *byteSet) foldCase() {
	for b := byte('a'); b <= 'z'; b++ {
		if s.has(b) || s.has(b-'a'+'A') {
			s.add(b)
			s.add(b - 'a' + 'A')
		}
	}
}

// Expr is a parsed regular expression.
type Expr struct {
	root   *node
	groups int
	refs   bool // has \n
}

// Groups returns the number of parenthesised groups.
func (e *Expr) Groups() int { return e.groups }

// Literal returns an expression that matches text itself.
func Literal(text string, ignoreCase bool) *Expr {
	n := &node{op: opCat}
	for i := range len(text) {
		n.subs = append(n.subs, literalNode(text[i], ignoreCase))
	}
	return &Expr{root: n}
}

func literalNode(b byte, ignoreCase bool) *node {
	s := new(byteSet)
	s.add(b)
	if ignoreCase {
		s.foldCase()
	}
	return &node{op: opSet, set: s}
}

// Parse parses one expression, which must not be empty.
func Parse(src string, ignoreCase bool) (*Expr, error) {
	p := parser{src: src, fold: ignoreCase}
	root, err := p.alternatives(0)
	if err != nil {
		return nil, err
	}
	if p.pos < len(p.src) { // only a ')' stops the outermost level early
		return nil, ErrParen
	}
	return &Expr{root: root, groups: p.groups, refs: p.refs}, nil
}

type parser struct {
	src    string
	pos    int
	groups int
	closed []bool // by group number - 1
	fold   bool
	refs   bool
}

func (p *parser) more() bool { return p.pos < len(p.src) }

func (p *parser) see(b byte) bool { return p.pos < len(p.src) && p.src[p.pos] == b }

func (p *parser) eat(b byte) bool {
	if p.see(b) {
		p.pos++
		return true
	}
	return false
}

func (p *parser) eatTwo(a, b byte) bool {
	if p.pos+1 < len(p.src) && p.src[p.pos] == a && p.src[p.pos+1] == b {
		p.pos += 2
		return true
	}
	return false
}

func (p *parser) digitAt(i int) bool {
	return i < len(p.src) && p.src[i] >= '0' && p.src[i] <= '9'
}

// alternatives parses branches separated by '|' up to the end or a ')'.
func (p *parser) alternatives(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, ErrTooDeep
	}
	var branches []*node
	for {
		branch := &node{op: opCat}
		for p.more() && !p.see('|') && !p.see(')') {
			n, err := p.repeated(depth)
			if err != nil {
				return nil, err
			}
			branch.subs = append(branch.subs, n)
		}
		if len(branch.subs) == 0 {
			if depth == 0 && p.see(')') {
				return nil, ErrParen
			}
			return nil, ErrEmpty
		}
		branches = append(branches, branch)
		if !p.eat('|') {
			break
		}
	}
	if len(branches) == 1 {
		return branches[0], nil
	}
	return &node{op: opAlt, subs: branches}, nil
}

// startsRepeat reports whether a repetition operator stands at the position.
// A '{' is one only if a digit follows.
func (p *parser) startsRepeat() bool {
	if !p.more() {
		return false
	}
	switch p.src[p.pos] {
	case '*', '+', '?':
		return true
	case '{':
		return p.digitAt(p.pos + 1)
	}
	return false
}

func (p *parser) repeated(depth int) (*node, error) {
	caret := p.see('^')
	n, err := p.atom(depth)
	if err != nil || !p.startsRepeat() {
		return n, err
	}
	if caret {
		return nil, ErrRepeatOp
	}
	r := &node{op: opRepeat, max: -1, subs: []*node{n}}
	op := p.src[p.pos]
	p.pos++
	switch op {
	case '+':
		r.min = 1
	case '?':
		r.max = 1
	case '{':
		if r.min, r.max, err = p.bounds(); err != nil {
			return nil, err
		}
	}
	if p.startsRepeat() {
		return nil, ErrRepeatOp
	}
	return r, nil
}

// bounds parses "n}", "n,}" and "n,m}".
func (p *parser) bounds() (lo, hi int, err error) {
	if lo, err = p.count(); err != nil {
		return 0, 0, err
	}
	hi = lo
	if p.eat(',') {
		hi = -1
		if p.digitAt(p.pos) {
			if hi, err = p.count(); err != nil {
				return 0, 0, err
			}
			if lo > hi {
				return 0, 0, ErrRepeat
			}
		}
	}
	if !p.eat('}') {
		for p.more() && !p.see('}') {
			p.pos++
		}
		if !p.more() {
			return 0, 0, ErrBrace
		}
		return 0, 0, ErrRepeat
	}
	return lo, hi, nil
}

func (p *parser) count() (int, error) {
	n := 0
	for p.digitAt(p.pos) && n <= maxRepeat {
		n = n*10 + int(p.src[p.pos]-'0')
		p.pos++
	}
	if n > maxRepeat {
		return 0, ErrRepeat
	}
	return n, nil
}

func (p *parser) atom(depth int) (*node, error) {
	c := p.src[p.pos]
	p.pos++
	switch c {
	case '(':
		return p.group(depth)
	case '^':
		return &node{op: opAssert, assert: lineStart}, nil
	case '$':
		return &node{op: opAssert, assert: lineEnd}, nil
	case '*', '+', '?':
		return nil, ErrRepeatOp
	case '{':
		if p.digitAt(p.pos) {
			return nil, ErrRepeatOp
		}
	case '.':
		s := &byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
		s.del('\n')
		return &node{op: opSet, set: s}, nil
	case '[':
		return p.bracket()
	case '\\':
		return p.escape()
	}
	return literalNode(c, p.fold), nil
}

func (p *parser) group(depth int) (*node, error) {
	if !p.more() {
		return nil, ErrParen
	}
	p.groups++
	number := p.groups
	p.closed = append(p.closed, false)
	sub := &node{op: opEmpty}
	if !p.see(')') {
		var err error
		if sub, err = p.alternatives(depth + 1); err != nil {
			return nil, err
		}
	}
	if !p.eat(')') {
		return nil, ErrParen
	}
	p.closed[number-1] = true
	return &node{op: opGroup, group: number, subs: []*node{sub}}, nil
}

func (p *parser) escape() (*node, error) {
	if !p.more() {
		return nil, ErrEscape
	}
	c := p.src[p.pos]
	p.pos++
	if c >= '1' && c <= '9' {
		return p.backref(int(c - '0'))
	}
	return literalNode(c, p.fold), nil
}

func (p *parser) backref(n int) (*node, error) {
	if n < 1 || n > len(p.closed) || !p.closed[n-1] {
		return nil, ErrBackref
	}
	p.refs = true
	return &node{op: opBackref, group: n}, nil
}
