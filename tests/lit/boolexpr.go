package lit

import (
	"fmt"
	"regexp"
	"strings"
)

// maxNesting limits parentheses in feature expressions and nested %if.
const maxNesting = 100

// evaluate computes a boolean expression over features:
//
//	or  = and { "||" and }
//	and = not { "&&" not }
//	not = "!" not | "(" or ")" | name
//
// A name may contain {{regex}} pieces; it is true if it matches a feature whole.
func evaluate(expr string, features map[string]bool) (bool, error) {
	e := evaluator{features: features}
	if err := e.tokenize(expr); err != nil {
		return false, fmt.Errorf("%w in expression '%s'", err, expr)
	}
	v, err := e.or(0)
	if err == nil && e.pos < len(e.tokens) {
		err = fmt.Errorf("unexpected '%s'", e.tokens[e.pos])
	}
	if err != nil {
		return false, fmt.Errorf("%w in expression '%s'", err, expr)
	}
	return v, nil
}

type evaluator struct {
	features map[string]bool
	tokens   []string
	pos      int
}

var tokenPattern = regexp.MustCompile(`^(?:[()]|&&|\|\||!|(?:[-+=._a-zA-Z0-9]+|\{\{.+?\}\})+)`)

func (e *evaluator) tokenize(s string) error {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		t := tokenPattern.FindString(s)
		if t == "" {
			return fmt.Errorf("cannot parse '%s'", s)
		}
		e.tokens = append(e.tokens, t)
		s = s[len(t):]
	}
	return nil
}

func (e *evaluator) accept(t string) bool {
	if e.pos < len(e.tokens) && e.tokens[e.pos] == t {
		e.pos++
		return true
	}
	return false
}

func (e *evaluator) or(depth int) (bool, error) {
	v, err := e.and(depth)
	for err == nil && e.accept("||") {
		var w bool
		w, err = e.and(depth)
		v = v || w
	}
	return v, err
}

func (e *evaluator) and(depth int) (bool, error) {
	v, err := e.not(depth)
	for err == nil && e.accept("&&") {
		var w bool
		w, err = e.not(depth)
		v = v && w
	}
	return v, err
}

func (e *evaluator) not(depth int) (bool, error) {
	negate := false
	for e.accept("!") {
		negate = !negate
	}
	if depth > maxNesting {
		return false, fmt.Errorf("nested too deeply")
	}
	var v bool
	var err error
	if e.accept("(") {
		if v, err = e.or(depth + 1); err == nil && !e.accept(")") {
			err = fmt.Errorf("missing ')'")
		}
	} else {
		v, err = e.name()
	}
	return v != negate, err
}

func (e *evaluator) name() (bool, error) {
	if e.pos == len(e.tokens) {
		return false, fmt.Errorf("missing operand")
	}
	t := e.tokens[e.pos]
	if t == "&&" || t == "||" || t == ")" {
		return false, fmt.Errorf("unexpected '%s'", t)
	}
	e.pos++
	if !strings.Contains(t, "{{") {
		return t == "true" || e.features[t], nil
	}
	src := "^(?:"
	for t != "" {
		open := strings.Index(t, "{{")
		if open < 0 {
			src += regexp.QuoteMeta(t)
			break
		}
		end := open + strings.Index(t[open:], "}}")
		src += regexp.QuoteMeta(t[:open]) + "(?:" + t[open+2:end] + ")"
		t = t[end+2:]
	}
	re, err := regexp.Compile(src + ")$")
	if err != nil {
		return false, err
	}
	if re.MatchString("true") {
		return true, nil
	}
	for f := range e.features {
		if re.MatchString(f) {
			return true, nil
		}
	}
	return false, nil
}
