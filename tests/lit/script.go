package lit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// script is what the keywords in a test file say.
type script struct {
	steps       []step
	requires    []string
	unsupported []string
	xfail       []string
	retries     int
}

// step is a RUN, DEFINE or REDEFINE line with its continuations.
type step struct {
	keyword    string
	first, end int    // lines
	text       string // of RUN
	name       string // of DEFINE and REDEFINE
	value      string
}

func (s *step) where() string {
	if s.first == s.end {
		return fmt.Sprintf("at line %d", s.first)
	}
	return fmt.Sprintf("from line %d to %d", s.first, s.end)
}

// keywords are found anywhere in a line; REDEFINE before the DEFINE in it.
var keywords = regexp.MustCompile(`(RUN:|REDEFINE:|DEFINE:|REQUIRES:|UNSUPPORTED:|XFAIL:|ALLOW_RETRIES:|END\.)([^\n]*)`)

// parseScript reads a test file.
func parseScript(text string) (*script, error) {
	s := &script{}
	line, last, retries := 1, 0, 0
	open := map[string]*[]string{} // boolean keywords whose list goes on
	for _, m := range keywords.FindAllStringSubmatchIndex(text, -1) {
		line += strings.Count(text[last:m[0]], "\n")
		last = m[0]
		keyword := text[m[2]:m[3]]
		rest := strings.TrimRight(text[m[4]:m[5]], "\r")
		var err error
		switch keyword {
		case "RUN:", "DEFINE:", "REDEFINE:":
			err = s.addStep(keyword, line, substituteLine(rest, line))
		case "REQUIRES:":
			err = addExpressions(&s.requires, open, keyword, rest)
		case "UNSUPPORTED:":
			err = addExpressions(&s.unsupported, open, keyword, rest)
		case "XFAIL:":
			err = addExpressions(&s.xfail, open, keyword, rest)
		case "ALLOW_RETRIES:":
			if retries++; retries > 1 {
				return nil, fmt.Errorf("test has more than one ALLOW_RETRIES line")
			}
			if s.retries, err = strconv.Atoi(strings.TrimSpace(rest)); err == nil && s.retries < 0 {
				err = fmt.Errorf("negative number of retries")
			}
		case "END.":
			if strings.TrimSpace(rest) == "" {
				return s, s.complete(open)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %s %w", line, keyword, err)
		}
	}
	return s, s.complete(open)
}

// complete checks that nothing is left open and that there is something to run.
func (s *script) complete(open map[string]*[]string) error {
	runs := 0
	for i := range s.steps {
		st := &s.steps[i]
		if continues(st.text) {
			return fmt.Errorf("test has unterminated '%s' directive (with '\\') %s", st.keyword, st.where())
		}
		if st.keyword == "RUN:" {
			runs++
			continue
		}
		if err := st.define(); err != nil {
			return fmt.Errorf("%s %s: %w", st.keyword, st.where(), err)
		}
	}
	for keyword, list := range open {
		if list != nil {
			return fmt.Errorf("test has unterminated '%s' lines (with '\\')", keyword)
		}
	}
	if runs == 0 {
		return fmt.Errorf("test has no 'RUN:' line")
	}
	return nil
}

func continues(text string) bool {
	return strings.HasSuffix(strings.TrimRight(text, " \t"), "\\")
}

func withoutBackslash(text string) string {
	return strings.TrimSuffix(strings.TrimRight(text, " \t"), "\\")
}

func (s *script) addStep(keyword string, line int, rest string) error {
	if n := len(s.steps); n > 0 && s.steps[n-1].keyword == keyword && continues(s.steps[n-1].text) {
		st := &s.steps[n-1]
		st.end = line
		if keyword == "RUN:" {
			st.text = withoutBackslash(st.text) + strings.TrimRight(rest, " \t")
			return nil
		}
		if strings.TrimSpace(rest) == "" {
			return fmt.Errorf("the substitution's continuation is empty")
		}
		st.text = strings.TrimRight(withoutBackslash(st.text), " \t") + " " + strings.TrimLeft(rest, " \t")
		return nil
	}
	s.steps = append(s.steps, step{keyword: keyword, first: line, end: line, text: rest})
	return nil
}

var substitutionName = regexp.MustCompile(`^%\{[_a-zA-Z][-_:0-9a-zA-Z]*\}$`)

// define splits the text of a DEFINE or REDEFINE.
func (st *step) define() error {
	name, value, ok := strings.Cut(st.text, "=")
	if !ok {
		return fmt.Errorf("the substitution's definition does not contain '='")
	}
	st.name, st.value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !substitutionName.MatchString(st.name) {
		return fmt.Errorf("substitution name '%s' is malformed: it must be %%{name}, with letters, digits, '-', '_' and ':'", st.name)
	}
	return nil
}

var lineExpression = regexp.MustCompile(`%\(line(?: *([+-]) *(\d+))?\)`)

// substituteLine replaces %(line), %(line+n) and %(line-n).
func substituteLine(text string, line int) string {
	return lineExpression.ReplaceAllStringFunc(text, func(s string) string {
		m := lineExpression.FindStringSubmatch(s)
		n, err := strconv.Atoi(m[2])
		if m[1] != "" && err != nil {
			return s
		}
		if m[1] == "-" {
			n = -n
		}
		return strconv.Itoa(line + n)
	})
}

// addExpressions adds a line of comma-separated expressions, and checks them.
// open holds the keywords whose last line ended in a backslash.
func addExpressions(list *[]string, open map[string]*[]string, keyword, rest string) error {
	var parts []string
	for _, p := range strings.Split(rest, ",") {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, p)
		}
	}
	if open[keyword] != nil && len(parts) > 0 {
		last := &(*list)[len(*list)-1]
		*last = withoutBackslash(*last) + parts[0]
		parts = parts[1:]
	}
	open[keyword] = nil
	*list = append(*list, parts...)
	for _, e := range *list {
		switch {
		case continues(e):
			open[keyword] = list
		case e == "*" && keyword == "XFAIL:":
		default:
			if _, err := evaluate(e, nil); err != nil {
				return err
			}
		}
	}
	return nil
}
