package filecheck

import (
	"fmt"
	"math/big"
	"strings"
)

// patternError is a mistake in a pattern, at a place.
type patternError struct {
	at   slice
	text string
}

func (e *patternError) Error() string { return e.text }

func errorAt(at slice, text string, args ...any) error {
	return &patternError{at, fmt.Sprintf(text, args...)}
}

// maxNesting limits parentheses and calls in numeric expressions.
const maxNesting = 100

// variables holds the state that patterns share.
type variables struct {
	values  map[string]capture     // string variables that have a value
	defined map[string]bool        // string variables that some pattern defines
	numeric map[string]*numericVar // numeric variables by name
	line    *numericVar            // @LINE
}

// capture is the value of a string variable and where in the input it is from.
type capture struct {
	text string
	at   slice // src is nil if it is from the command line
}

func newVariables() *variables {
	return &variables{
		values:  map[string]capture{},
		defined: map[string]bool{},
		numeric: map[string]*numericVar{},
	}
}

// clearLocals forgets the variables whose names do not start with '$'.
func (v *variables) clearLocals() {
	for name := range v.values {
		if name[0] != '$' {
			delete(v.values, name)
		}
	}
	for name, n := range v.numeric {
		if name[0] != '$' {
			n.value = nil
			delete(v.numeric, name)
		}
	}
}

// takeName takes a variable's name off the front of s.
func takeName(s *slice) (name slice, pseudo bool, err error) {
	if s.empty() {
		return slice{}, false, errorAt(*s, "empty variable name")
	}
	i := 0
	kind := "global"
	switch s.s[0] {
	case '@':
		pseudo, kind = true, "pseudo"
		i = 1
	case '$':
		i = 1
	}
	if i == len(s.s) {
		return slice{}, false, errorAt(s.from(i), "empty %s variable name", kind)
	}
	if c := s.s[i]; c != '_' && !isAlpha(c) {
		return slice{}, false, errorAt(*s, "invalid variable name")
	}
	for i < len(s.s) && (s.s[i] == '_' || isAlpha(s.s[i]) || isDigit(s.s[i])) {
		i++
	}
	name = s.upTo(i)
	*s = s.from(i)
	return name, pseudo, nil
}

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// numberParser parses the inside of a numeric substitution block.
type numberParser struct {
	vars   *variables
	line   int // of the directive, 0 on the command line
	legacy bool
}

// operand is a parsed subexpression. Its implicit format is that of the
// variables in it; clash is the error if they disagree.
type operand struct {
	code   []term
	format format
	clash  error
	text   string
}

// block parses "%format, NAME: ==expression", all parts optional. The result
// has no code if there is no expression.
func (p *numberParser) block(s slice) (e *expression, def *numericVar, err error) {
	var explicit format
	if comma := strings.IndexByte(s.s, ','); comma >= 0 {
		if paren := strings.IndexByte(s.s, '('); paren < 0 || comma < paren {
			if explicit, err = parseFormat(s.upTo(comma)); err != nil {
				return nil, nil, err
			}
			s = s.from(comma + 1)
		}
	}
	defName := slice{}
	if colon := strings.IndexByte(s.s, ':'); colon >= 0 {
		defName = s.upTo(colon)
		s = s.from(colon + 1)
	}
	s = s.trimLeft()
	constraint := s.eat("==")
	s = s.trimLeft()
	e = &expression{format: explicit}
	if s.empty() {
		if constraint {
			return nil, nil, errorAt(s, "empty numeric expression should not have a constraint")
		}
	} else {
		o, err := p.whole(s.trimRight(), constraint)
		if err != nil {
			return nil, nil, err
		}
		e.code = o.code
		if explicit.verb == 0 {
			if o.clash != nil {
				return nil, nil, o.clash
			}
			if o.format.verb != 0 {
				e.format = o.format
			}
		}
	}
	if e.format.verb == 0 {
		e.format.verb = 'u'
	}
	if defName.src != nil {
		if def, err = p.definition(defName.trimLeft(), e.format); err != nil {
			return nil, nil, err
		}
	}
	return e, def, nil
}

func parseFormat(s slice) (f format, err error) {
	s = s.trimRight().trimLeft()
	if !s.eat("%") {
		return f, errorAt(s, "invalid matching format specification in expression")
	}
	flag := s
	f.alternate = s.eat("#")
	if s.eat(".") {
		i := 0
		for i < len(s.s) && isDigit(s.s[i]) && f.precision <= maxPrecision {
			f.precision = f.precision*10 + int(s.s[i]-'0')
			i++
		}
		if i == 0 || f.precision > maxPrecision {
			return f, errorAt(s, "invalid precision in format specifier")
		}
		s = s.from(i)
	}
	if !s.empty() {
		if strings.IndexByte("udxX", s.s[0]) < 0 {
			return f, errorAt(s, "invalid format specifier in expression")
		}
		f.verb = s.s[0]
		s = s.from(1)
	}
	if f.alternate && f.verb != 'x' && f.verb != 'X' {
		return f, errorAt(flag, "alternate form only supported for hex values")
	}
	if s = s.trimLeft(); !s.empty() {
		return f, errorAt(s, "invalid matching format specification in expression")
	}
	return f, nil
}

func (p *numberParser) definition(s slice, f format) (*numericVar, error) {
	name, pseudo, err := takeName(&s)
	if err != nil {
		return nil, err
	}
	if pseudo {
		return nil, errorAt(name, "definition of pseudo numeric variable unsupported")
	}
	if p.vars.defined[name.s] {
		return nil, errorAt(name, "string variable with name '%s' already exists", name.s)
	}
	if s = s.trimLeft(); !s.empty() {
		return nil, errorAt(s, "unexpected characters after numeric variable name")
	}
	if v := p.vars.numeric[name.s]; v != nil {
		if v.format != f {
			return nil, errorAt(s, "format different from previous variable definition")
		}
		return v, nil
	}
	return &numericVar{name: name.s, format: f, line: p.line}, nil
}

// whole parses an expression that must take up all of s.
func (p *numberParser) whole(s slice, constraint bool) (operand, error) {
	all := s
	o, err := p.operand(&s, !constraint, false, 0)
	for err == nil && !s.empty() {
		o, err = p.operation(all, &s, o, 0)
		if err == nil && p.legacy && !s.empty() {
			err = errorAt(s, "unexpected characters at end of expression '%s'", s.s)
		}
	}
	return o, err
}

// operand parses a literal, variable, call or parenthesised expression. In a
// legacy @LINE expression the first operand is a variable, the second a decimal
// literal.
func (p *numberParser) operand(s *slice, maybeConstraint, second bool, depth int) (operand, error) {
	if depth > maxNesting {
		return operand{}, errorAt(*s, "expression nested too deeply")
	}
	if strings.HasPrefix(s.s, "(") {
		if p.legacy {
			return operand{}, errorAt(*s, "parenthesized expression not permitted here")
		}
		return p.parenthesised(s, depth)
	}
	if !p.legacy || !second {
		rest := *s
		name, pseudo, err := takeName(&rest)
		if err == nil {
			*s = rest
			if strings.HasPrefix(rest.trimLeft().s, "(") {
				if p.legacy {
					return operand{}, errorAt(name, "unexpected function call")
				}
				return p.call(s, name, depth)
			}
			return p.use(name, pseudo)
		}
		if p.legacy {
			return operand{}, err
		}
	}
	v, n := takeLiteral(s.s, p.legacy)
	if n == 0 {
		what := "operand format"
		if maybeConstraint {
			what = "matching constraint or operand format"
		}
		return operand{}, errorAt(*s, "invalid %s", what)
	}
	text := s.s[:n]
	*s = s.from(n)
	return operand{code: []term{{literal: v}}, text: text}, nil
}

// takeLiteral reads an integer at the front of s; n is 0 if there is none.
func takeLiteral(s string, decimal bool) (v *big.Int, n int) {
	rest := strings.TrimPrefix(s, "-")
	base, isOf := 10, isDigit
	if !decimal && len(rest) > 1 && rest[0] == '0' {
		switch {
		case rest[1]|0x20 == 'x':
			base, rest = 16, rest[2:]
			isOf = func(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
		case rest[1]|0x20 == 'b':
			base, rest = 2, rest[2:]
			isOf = func(c byte) bool { return c == '0' || c == '1' }
		case rest[1] == 'o':
			base, rest = 8, rest[2:]
			isOf = func(c byte) bool { return c >= '0' && c <= '7' }
		case isDigit(rest[1]):
			base, rest = 8, rest[1:]
			isOf = func(c byte) bool { return c >= '0' && c <= '7' }
		}
	}
	digits := 0
	for digits < len(rest) && isOf(rest[digits]) {
		digits++
	}
	if digits == 0 {
		return nil, 0
	}
	v, _ = new(big.Int).SetString(rest[:digits], base)
	if s[0] == '-' {
		v.Neg(v)
	}
	return v, len(s) - len(rest) + digits
}

func (p *numberParser) use(name slice, pseudo bool) (operand, error) {
	if pseudo && name.s != "@LINE" {
		return operand{}, errorAt(name, "invalid pseudo numeric variable '%s'", name.s)
	}
	v := p.vars.numeric[name.s]
	if v == nil {
		// Whether it has a value by then shows when it is evaluated.
		v = &numericVar{name: name.s, format: format{verb: 'u'}}
		p.vars.numeric[name.s] = v
	}
	if v.line != 0 && v.line == p.line {
		return operand{}, errorAt(name, "numeric variable '%s' defined earlier in the same CHECK directive", name.s)
	}
	return operand{code: []term{{variable: v, at: name}}, format: v.format, text: name.s}, nil
}

// operation parses "+ operand" or "- operand" after the left operand.
func (p *numberParser) operation(all slice, s *slice, left operand, depth int) (operand, error) {
	*s = s.trimLeft()
	if s.empty() {
		return left, nil
	}
	var apply binary
	switch op := s.s[0]; op {
	case '+':
		apply = functions["add"]
	case '-':
		apply = functions["sub"]
	default:
		return operand{}, errorAt(*s, "unsupported operation '%c'", op)
	}
	*s = s.from(1).trimLeft()
	if s.empty() {
		return operand{}, errorAt(*s, "missing operand in expression")
	}
	right, err := p.operand(s, false, true, depth)
	if err != nil {
		return operand{}, err
	}
	return combine(all.upTo(s.off-all.off), left, right, apply), nil
}

func combine(at slice, left, right operand, apply binary) operand {
	o := operand{
		code:   append(append(left.code, right.code...), term{apply: apply}),
		format: left.format,
		clash:  left.clash,
		text:   at.s,
	}
	if o.clash == nil {
		o.clash = right.clash
	}
	switch {
	case left.format.verb == 0:
		o.format = right.format
	case right.format.verb != 0 && left.format != right.format && o.clash == nil:
		o.clash = errorAt(at, "implicit format conflict between '%s' (%s) and '%s' (%s), need an explicit format specifier",
			left.text, left.format, right.text, right.format)
	}
	return o
}

func (p *numberParser) parenthesised(s *slice, depth int) (operand, error) {
	*s = s.from(1).trimLeft()
	if s.empty() {
		return operand{}, errorAt(*s, "missing operand in expression")
	}
	o, err := p.operand(s, false, false, depth+1)
	*s = s.trimLeft()
	for err == nil && !s.empty() && s.s[0] != ')' {
		o, err = p.operation(*s, s, o, depth+1)
		*s = s.trimLeft()
	}
	if err != nil {
		return operand{}, err
	}
	if !s.eat(")") {
		return operand{}, errorAt(*s, "missing ')' at end of nested expression")
	}
	return o, nil
}

// call parses a function's arguments; name has been taken.
func (p *numberParser) call(s *slice, name slice, depth int) (operand, error) {
	apply := functions[name.s]
	if apply == nil {
		return operand{}, errorAt(name, "call to undefined function '%s'", name.s)
	}
	*s = s.trimLeft().from(1).trimLeft()
	var args []operand
	for !s.empty() && s.s[0] != ')' {
		if s.s[0] == ',' {
			return operand{}, errorAt(*s, "missing argument")
		}
		all := *s
		arg, err := p.operand(s, false, false, depth+1)
		for err == nil && !s.empty() {
			if *s = s.trimLeft(); !s.empty() && (s.s[0] == ',' || s.s[0] == ')') {
				break
			}
			arg, err = p.operation(all, s, arg, depth+1)
		}
		if err != nil {
			return operand{}, err
		}
		args = append(args, arg)
		if *s = s.trimLeft(); !s.eat(",") {
			break
		}
		if *s = s.trimLeft(); strings.HasPrefix(s.s, ")") {
			return operand{}, errorAt(*s, "missing argument")
		}
	}
	if !s.eat(")") {
		return operand{}, errorAt(*s, "missing ')' at end of call expression")
	}
	if len(args) != 2 {
		return operand{}, errorAt(name, "function '%s' takes 2 arguments but %d given", name.s, len(args))
	}
	return combine(name, args[0], args[1], apply), nil
}
