package filecheck

import (
	"errors"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"pisac/tests/filecheck/ere"
)

type kind uint8

const (
	kindPlain kind = iota
	kindNext
	kindSame
	kindNot
	kindDAG
	kindLabel
	kindEmpty
	kindEOF
	kindComment
)

// kinds names the directives: the suffix in the check file, and in the dump.
var kinds = [...]struct{ suffix, short string }{
	kindPlain: {"", "check"},
	kindNext:  {"-NEXT", "next"},
	kindSame:  {"-SAME", "same"},
	kindNot:   {"-NOT", "not"},
	kindDAG:   {"-DAG", "dag"},
	kindLabel: {"-LABEL", "label"},
	kindEmpty: {"-EMPTY", "empty"},
	kindEOF:   {"", "eof"},
}

// pattern is what one directive looks for.
type pattern struct {
	kind    kind
	count   int  // of -COUNT, else 1
	literal bool // {LITERAL}
	line    int  // of the directive, for @LINE; 0 on the command line
	at      slice
	vars    *variables

	fixed   string // if there is no part
	fold    bool
	parts   []ere.Part
	regexp  *ere.Regexp     // if no part depends on variables
	substs  []substitution  // in order
	strings []stringDef     // string variables it defines
	numbers []numberDef     // numeric variables it defines
	lastBar int             // offset of the last '|' in the line
	defAt   map[string]int  // where in strings or numbers a name is
	groups  int             // so far
	example strings.Builder // what fuzzy matching compares with: the expression itself
}

type stringDef struct {
	name        string
	part, group int
}

type numberDef struct {
	variable *numericVar
	part     int
}

// substitution is a part whose expression is the value of a variable or
// numeric expression at the time of the match.
type substitution struct {
	part int
	at   slice
	expr *expression // nil: string variable named at.s
}

// description names the directive in messages.
func (p *pattern) description(prefix string) string {
	switch {
	case p.kind == kindEOF:
		return "implicit EOF"
	case p.count > 1:
		prefix += "-COUNT"
	}
	prefix += kinds[p.kind].suffix
	if p.literal {
		prefix += "{LITERAL}"
	}
	return prefix
}

func (p *pattern) usesVariables() bool {
	return len(p.strings)+len(p.numbers)+len(p.substs) > 0
}

// parse parses the text after the colon of a directive.
func (p *pattern) parse(s slice, prefix string, o *Options) error {
	p.at = s
	p.fold = o.IgnoreCase
	if !o.StrictWhitespace || !o.MatchFullLines {
		s = s.trimRight()
	}
	switch {
	case s.empty() && p.kind != kindEmpty:
		return errorAt(p.at.upTo(0), "found empty check string with prefix '%s:'", prefix)
	case !s.empty() && p.kind == kindEmpty:
		return errorAt(p.at.upTo(0), "found non-empty check string for empty check with prefix '%s:'", prefix)
	case p.kind == kindEmpty:
		p.addConstant("(\n$)")
		return p.compile(s)
	}
	p.lastBar = s.off + strings.LastIndexByte(s.s, '|')
	if p.lastBar < s.off {
		p.lastBar = -1
	}
	fullLine := o.MatchFullLines && p.kind != kindNot
	if p.literal || !fullLine && !strings.Contains(s.s, "{{") && !strings.Contains(s.s, "[[") {
		p.fixed = s.s
		return nil
	}
	margin := ""
	if !o.StrictWhitespace {
		margin = " *"
	}
	if fullLine {
		p.addConstant("^" + margin)
	}
	for rest := s; !rest.empty(); {
		var err error
		switch {
		case strings.HasPrefix(rest.s, "{{"):
			err = p.regexBlock(&rest)
		case strings.HasPrefix(rest.s, "[[") && !strings.HasPrefix(rest.s, "[[["):
			err = p.bracketBlock(&rest)
		default:
			n := fixedLength(rest.s)
			p.parts = append(p.parts, ere.Part{Expr: ere.Literal(rest.s[:n], p.fold)})
			p.example.WriteString(escape(rest.s[:n]))
			rest = rest.from(n)
		}
		if err != nil {
			return err
		}
	}
	if fullLine {
		p.addConstant(margin + "$")
	}
	return p.compile(s)
}

// compile joins the parts if they do not depend on the values of variables.
// Otherwise that is done at each match; here it shows whether it can be.
func (p *pattern) compile(at slice) error {
	parts := p.parts
	if len(p.substs) > 0 {
		parts = append([]ere.Part(nil), parts...)
		for _, s := range p.substs {
			parts[s.part].Expr = ere.Literal("", p.fold)
		}
	}
	r, err := ere.Join(parts)
	if err != nil {
		return errorAt(at.upTo(0), "invalid regex: %v", err)
	}
	if len(p.substs) == 0 {
		p.regexp = r
	}
	return nil
}

// addConstant adds an expression that is known to be valid.
func (p *pattern) addConstant(src string) {
	e, err := ere.Parse(src, p.fold)
	if err != nil {
		panic(err)
	}
	p.addPart(ere.Part{Expr: e}, src)
}

// fixedLength returns how far plain text goes before the next block.
func fixedLength(s string) int {
	for i := 1; i+1 < len(s); i++ {
		if s[i] == s[i+1] && (s[i] == '{' || s[i] == '[') {
			return i
		}
	}
	return len(s)
}

// escape writes text as a regular expression; what Go's escapes is what POSIX's needs.
func escape(text string) string { return regexp.QuoteMeta(text) }

// regexBlock parses {{regex}}.
func (p *pattern) regexBlock(rest *slice) error {
	end := strings.Index(rest.s, "}}")
	if end < 0 {
		return errorAt(rest.upTo(0), "found start of regex string with no end '}}'")
	}
	// The group, which shifts what \1 means, is there only when some '|' follows.
	wrap := p.lastBar >= rest.off
	src := rest.cut(2, end)
	e, err := ere.Parse(src.s, p.fold)
	if err != nil {
		return errorAt(src.upTo(0), "invalid regex: %v", err)
	}
	p.addPart(ere.Part{Expr: e, Wrap: wrap}, src.s)
	*rest = rest.from(end + 2)
	return nil
}

// bracketBlock parses [[...]]: a string variable's definition or use, or a
// numeric block.
func (p *pattern) bracketBlock(rest *slice) error {
	body := rest.from(2)
	end, err := blockEnd(body)
	if err != nil {
		return err
	}
	if end < 0 {
		return errorAt(rest.upTo(0), "Invalid substitution block, no ]] found")
	}
	*rest = body.from(end + 2)
	body = body.upTo(end)
	if body.eat("#") {
		return p.numberBlock(body, false)
	}
	colon := strings.IndexByte(body.s, ':')
	head := body
	if colon >= 0 {
		head = body.upTo(colon)
	}
	if i := strings.IndexAny(head.s, blanks); i >= 0 {
		return errorAt(head.from(i).upTo(0), "unexpected whitespace")
	}
	after := body
	name, pseudo, err := takeName(&after)
	switch {
	case err != nil:
		return err
	case colon >= 0:
		if pseudo || !after.eat(":") {
			return errorAt(name, "invalid name in string variable definition")
		}
		return p.define(name, after)
	case pseudo:
		return p.numberBlock(body, true)
	case !after.empty():
		return errorAt(name, "invalid name in string variable use")
	}
	return p.use(name)
}

// blockEnd finds the "]]" that ends a block, past bracket expressions and
// escapes of the regular expression in it.
func blockEnd(s slice) (int, error) {
	depth := 0
	for i := 0; i < len(s.s); i++ {
		switch c := s.s[i]; {
		case depth == 0 && strings.HasPrefix(s.s[i:], "]]"):
			return i, nil
		case c == '\\':
			i++
		case c == '[':
			depth++
		case c == ']':
			if depth == 0 {
				return 0, errorAt(s.from(i).upTo(0), "missing closing \"]\" for regex variable")
			}
			depth--
		}
	}
	return -1, nil
}

func (p *pattern) define(name, src slice) error {
	if p.vars.numeric[name.s] != nil {
		return errorAt(name, "numeric variable with name '%s' already exists", name.s)
	}
	e := ere.Literal("", p.fold)
	if !src.empty() {
		var err error
		if e, err = ere.Parse(src.s, p.fold); err != nil {
			return errorAt(src.upTo(0), "invalid regex: %v", err)
		}
	}
	p.vars.defined[name.s] = true
	d := stringDef{name.s, len(p.parts), p.groups + 1}
	if i, again := p.enter(name.s, len(p.strings)); again {
		p.strings[i] = d
	} else {
		p.strings = append(p.strings, d)
	}
	p.addPart(ere.Part{Expr: e, Capture: true}, src.s)
	return nil
}

// enter enters a name; the last definition of a name in a pattern counts.
func (p *pattern) enter(name string, next int) (i int, again bool) {
	if i, again = p.defAt[name]; again {
		return i, true
	}
	if p.defAt == nil {
		p.defAt = map[string]int{}
	}
	p.defAt[name] = next
	return next, false
}

// addPart adds a part whose expression was written as src.
func (p *pattern) addPart(part ere.Part, src string) {
	if part.Capture || part.Wrap {
		p.groups++
		src = "(" + src + ")"
	}
	if part.Expr != nil {
		p.groups += part.Expr.Groups()
	}
	p.parts = append(p.parts, part)
	p.example.WriteString(src)
}

func (p *pattern) use(name slice) error {
	if i, here := p.defAt[name.s]; here && i < len(p.strings) && p.strings[i].name == name.s {
		d := p.strings[i]
		p.addPart(ere.Part{Ref: d.part}, "\\"+strconv.Itoa(d.group))
		return nil
	}
	p.substs = append(p.substs, substitution{part: len(p.parts), at: name})
	p.addPart(ere.Part{}, "")
	return nil
}

func (p *pattern) numberBlock(body slice, legacy bool) error {
	np := numberParser{vars: p.vars, line: p.line, legacy: legacy}
	expr, def, err := np.block(body)
	if err != nil {
		return err
	}
	part, wildcard := ere.Part{Capture: def != nil}, ""
	if def != nil {
		p.vars.numeric[def.name] = def
		d := numberDef{def, len(p.parts)}
		if i, again := p.enter(def.name, len(p.numbers)); again {
			p.numbers[i] = d
		} else {
			p.numbers = append(p.numbers, d)
		}
	}
	if expr.code != nil {
		p.substs = append(p.substs, substitution{part: len(p.parts), at: body, expr: expr})
	} else {
		wildcard = expr.format.wildcard()
		if part.Expr, err = ere.Parse(wildcard, p.fold); err != nil {
			panic(err)
		}
	}
	p.addPart(part, wildcard)
	return nil
}

// errNotFound is the absence of a match.
var errNotFound = errors.New("not found")

// match finds the pattern in the input. If it does, it sets the variables that
// the pattern defines. The errors are errNotFound alone, or patternErrors.
func (p *pattern) match(in slice) (at slice, errs []error) {
	switch {
	case p.kind == kindEOF:
		return in.from(len(in.s)), nil
	case p.fixed != "":
		i := strings.Index(in.s, p.fixed)
		if p.fold {
			i = indexFold(in.s, p.fixed)
		}
		if i < 0 {
			return slice{}, []error{errNotFound}
		}
		return in.cut(i, i+len(p.fixed)), nil
	}
	r := p.regexp
	if r == nil {
		if r, errs = p.substitute(); errs != nil {
			return slice{}, errs
		}
	}
	m, captures, found, err := r.Find(in.s)
	if err != nil {
		return slice{}, []error{errorAt(p.at.upTo(0), "%v", err)}
	}
	if !found {
		return slice{}, []error{errNotFound}
	}
	for _, d := range p.strings {
		c := in.cut(captures[d.part].Start, captures[d.part].End)
		p.vars.values[d.name] = capture{c.s, c}
	}
	for _, d := range p.numbers {
		c := in.cut(captures[d.part].Start, captures[d.part].End)
		if p.vars.numeric[d.variable.name] == nil {
			p.vars.numeric[d.variable.name] = d.variable // it was cleared as local
		}
		d.variable.value = d.variable.format.value(c.s)
		d.variable.written = c
	}
	if p.kind == kindEmpty {
		m.Start++ // the newline that ends the line before
	}
	return in.cut(m.Start, m.End), nil
}

// substitute compiles the pattern with the present values of variables.
func (p *pattern) substitute() (*ere.Regexp, []error) {
	parts := append([]ere.Part(nil), p.parts...)
	var errs []error
	for _, s := range p.substs {
		text, failed := p.value(s)
		errs = append(errs, failed...)
		parts[s.part].Expr = ere.Literal(text, p.fold)
	}
	if errs != nil {
		return nil, errs
	}
	r, err := ere.Join(parts)
	if err != nil {
		return nil, []error{errorAt(p.at.upTo(0), "invalid regex: %v", err)}
	}
	return r, nil
}

// value returns the text a substitution stands for.
func (p *pattern) value(s substitution) (string, []error) {
	if s.expr == nil {
		c, ok := p.vars.values[s.at.s]
		if !ok {
			return "", []error{errorAt(s.at, "%v", undefined{s.at})}
		}
		return c.text, nil
	}
	if p.line != 0 {
		p.vars.line.value = big.NewInt(int64(p.line))
	}
	v, errs := s.expr.eval()
	if errs == nil {
		text, err := s.expr.format.text(v)
		if err == nil {
			return text, nil
		}
		errs = []error{err}
	}
	for i, err := range errs {
		at := s.at
		if u, ok := err.(undefined); ok {
			at = u.at
		}
		errs[i] = errorAt(at, "%v", err)
	}
	return "", errs
}

// indexFold is strings.Index without regard to the case of ASCII letters.
func indexFold(s, sub string) int {
	lower := func(c byte) byte {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}
	asciiLower := func(t string) string {
		b := make([]byte, len(t))
		for i := range len(t) {
			b[i] = lower(t[i])
		}
		return string(b)
	}
	return strings.Index(asciiLower(s), asciiLower(sub))
}
