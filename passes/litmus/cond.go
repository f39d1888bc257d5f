package litmus

import (
	"fmt"
	"strconv"
	"strings"
)

// CondKind says what a final condition claims.
type CondKind uint8

const (
	NoCond CondKind = iota
	Exists
	ForAll
	NotExists
)

var condNames = [...]string{"", "exists", "forall", "~exists"}

// Cond is a condition on final states: a formula in postfix form.
type Cond struct {
	Kind CondKind
	Code []CondOp
	Text string
}

// CondOp is a step of the formula.
type CondOp struct {
	Op    byte // '=', '-' never written, '&' '|' '!' 't'rue
	Name  string
	Value uint64
	index int32 // in the state; -1: no such register or location
}

// bind finds the places of the names in a state.
func (p *Program) bind(c *Cond) {
	for i := range c.Code {
		o := &c.Code[i]
		if o.Op == '=' || o.Op == '-' {
			o.index = p.stateIndex(o.Name)
		}
	}
}

// stateIndex is the place of a register or location in a state, -1 if it has
// none.
func (p *Program) stateIndex(name string) int32 {
	for i := range p.Regs {
		if p.Regs[i].Name == name {
			return int32(i) + 1
		}
	}
	for i := range p.Cells {
		if p.Cells[i].Name == name {
			return int32(len(p.Regs)+i) + 1
		}
	}
	return -1
}

// holds evaluates the formula in a state: word 0 has a bit for each register
// that was never written.
func (c *Cond) holds(state []uint64) bool {
	var stack [32]bool
	n := 0
	for i := range c.Code {
		o := &c.Code[i]
		switch o.Op {
		case '=':
			v := false
			if o.index > 0 && (o.index > 64 || state[0]>>(o.index-1)&1 == 0) {
				v = state[o.index] == o.Value
			}
			stack[n] = v
			n++
		case '-':
			stack[n] = o.index > 0 && o.index <= 64 && state[0]>>(o.index-1)&1 != 0
			n++
		case 't':
			stack[n] = true
			n++
		case '!':
			stack[n-1] = !stack[n-1]
		case '&':
			n--
			stack[n-1] = stack[n-1] && stack[n]
		case '|':
			n--
			stack[n-1] = stack[n-1] || stack[n]
		}
	}
	return n > 0 && stack[0]
}

// ParseCond reads `exists (0:%r0 = 1 /\ x = 2)`; also forall, ~exists, \/, not.
func ParseCond(s string) (Cond, error) {
	p := condParser{text: s}
	c := Cond{Text: strings.TrimSpace(s)}
	word := p.word()
	if word == "~" {
		word += p.word()
	}
	for k, n := range condNames {
		if k > 0 && word == n {
			c.Kind = CondKind(k)
		}
	}
	if c.Kind == NoCond {
		return c, fmt.Errorf("a condition begins with exists, forall or ~exists, not %q", word)
	}
	p.out = &c.Code
	if err := p.or(0); err != nil {
		return c, err
	}
	if w := p.word(); w != "" {
		return c, fmt.Errorf("unexpected %q", w)
	}
	return c, nil
}

const maxCondDepth = 12 // the evaluation stack holds 32

type condParser struct {
	text string
	pos  int
	out  *[]CondOp
}

func (p *condParser) peek() string {
	at := p.pos
	w := p.word()
	p.pos = at
	return w
}

// word reads the next token: a sign or a run of other characters.
func (p *condParser) word() string {
	for p.pos < len(p.text) && strings.IndexByte(" \t\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
	rest := p.text[p.pos:]
	for _, s := range []string{"/\\", "\\/", "&&", "||", "==", "(", ")", "=", "~", "!"} {
		if strings.HasPrefix(rest, s) {
			p.pos += len(s)
			return s
		}
	}
	n := strings.IndexAny(rest, " \t\n()=~!/\\&|")
	if n < 0 {
		n = len(rest)
	}
	p.pos += n
	return rest[:n]
}

func (p *condParser) or(depth int) error {
	return p.chain(depth, "\\/", "||", '|', p.and)
}

func (p *condParser) and(depth int) error {
	return p.chain(depth, "/\\", "&&", '&', p.atom)
}

func (p *condParser) chain(depth int, a, b string, op byte, next func(int) error) error {
	if err := next(depth); err != nil {
		return err
	}
	for w := p.peek(); w == a || w == b; w = p.peek() {
		p.word()
		if err := next(depth); err != nil {
			return err
		}
		*p.out = append(*p.out, CondOp{Op: op})
	}
	return nil
}

func (p *condParser) atom(depth int) error {
	if depth > maxCondDepth {
		return fmt.Errorf("the condition is nested too deeply")
	}
	switch w := p.word(); w {
	case "(":
		if err := p.or(depth + 1); err != nil {
			return err
		}
		if w := p.word(); w != ")" {
			return fmt.Errorf("')' expected, not %q", w)
		}
		return nil
	case "~", "!", "not":
		if err := p.atom(depth + 1); err != nil {
			return err
		}
		*p.out = append(*p.out, CondOp{Op: '!'})
		return nil
	case "true":
		*p.out = append(*p.out, CondOp{Op: 't'})
		return nil
	default:
		eq := p.word()
		if eq != "=" && eq != "==" {
			return fmt.Errorf("'=' expected after %q", w)
		}
		v := p.word()
		n, err := parseValue(v)
		if err != nil {
			return fmt.Errorf("value %q of %s", v, w)
		}
		*p.out = append(*p.out, CondOp{Op: '=', Name: w, Value: n})
		return nil
	}
}

func parseValue(s string) (uint64, error) {
	if n, err := strconv.ParseUint(s, 0, 64); err == nil {
		return n, nil
	}
	n, err := strconv.ParseInt(s, 0, 64)
	return uint64(n), err
}
