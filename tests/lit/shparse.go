package lit

import (
	"fmt"
	"strings"
)

// word is an argument. glob says that an unquoted * or ? is in it.
type word struct {
	text string
	glob bool
}

// redirect is a redirection: op is <, >, >> or, for both outputs, &>; fd is the
// descriptor, or -1 if not given. dup >= 0 means >&dup.
type redirect struct {
	op   string
	fd   int
	dup  int
	file word
}

// command is one element of a pipeline.
type command struct {
	args      []word
	redirects []redirect
}

// pipeline is commands joined by '|', and the operator before it.
type pipeline struct {
	op       string // "" for the first, else ; && ||
	commands []command
}

// token is an operator or a word.
type token struct {
	op   string
	fd   int // number before a redirection, or -1
	word word
}

type shLexer struct {
	text string
	pos  int
}

// operators, longest first where one is the start of another.
var operators = []string{";", "||", "|", "&&", "&>", "&", ">&", ">>", ">", "<&", "<<", "<"}

func (l *shLexer) operator() string {
	for _, op := range operators {
		if strings.HasPrefix(l.text[l.pos:], op) {
			l.pos += len(op)
			return op
		}
	}
	return ""
}

func (l *shLexer) next() (t token, ok bool, err error) {
	for l.pos < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.pos]) >= 0 {
		l.pos++
	}
	if l.pos == len(l.text) {
		return token{}, false, nil
	}
	if op := l.operator(); op != "" {
		return token{op: op, fd: -1}, true, nil
	}
	return l.word()
}

// word lexes an argument, or a number that belongs to a redirection after it.
func (l *shLexer) word() (token, bool, error) {
	var b strings.Builder
	w := word{}
	quoted := false
	for l.pos < len(l.text) {
		c := l.text[l.pos]
		switch {
		case strings.IndexByte(" \t\r\n|&;", c) >= 0:
			w.text = b.String()
			return token{fd: -1, word: w}, true, nil
		case c == '<' || c == '>':
			w.text = b.String()
			if len(w.text) == 1 && isDigit(w.text[0]) && !quoted {
				return token{op: l.operator(), fd: int(w.text[0] - '0')}, true, nil
			}
			return token{fd: -1, word: w}, true, nil
		case c == '\'' || c == '"':
			quoted = true
			if err := l.quoted(&b, c); err != nil {
				return token{}, false, err
			}
		case c == '\\':
			if l.pos+1 == len(l.text) {
				return token{}, false, fmt.Errorf("escape at the end of the command")
			}
			b.WriteByte(l.text[l.pos+1])
			l.pos += 2
		default:
			w.glob = w.glob || c == '*' || c == '?'
			b.WriteByte(c)
			l.pos++
		}
	}
	w.text = b.String()
	return token{fd: -1, word: w}, true, nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// quoted lexes from an opening quote to the closing one. In double quotes a
// backslash escapes only the quote and itself.
func (l *shLexer) quoted(b *strings.Builder, quote byte) error {
	start := l.pos
	for l.pos++; l.pos < len(l.text); l.pos++ {
		c := l.text[l.pos]
		switch {
		case c == quote:
			l.pos++
			return nil
		case c == '\\' && quote == '"' && l.pos+1 < len(l.text):
			l.pos++
			if e := l.text[l.pos]; e != '"' && e != '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(l.text[l.pos])
		default:
			b.WriteByte(c)
		}
	}
	return fmt.Errorf("missing closing quote: %.40s", l.text[start:])
}

// parseShell parses a command line into pipelines. && and || associate to the
// left and bind equally, as in a shell.
func parseShell(text string) ([]pipeline, error) {
	l := shLexer{text: text}
	var list []pipeline
	current := pipeline{}
	cmd := command{}
	endCommand := func() error {
		if len(cmd.args) == 0 {
			return fmt.Errorf("empty command")
		}
		current.commands = append(current.commands, cmd)
		cmd = command{}
		return nil
	}
	for {
		t, ok, err := l.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		switch t.op {
		case "":
			cmd.args = append(cmd.args, t.word)
		case "|":
			err = endCommand()
		case ";", "&&", "||":
			if err = endCommand(); err == nil {
				list = append(list, current)
				current = pipeline{op: t.op}
			}
		case "&":
			err = fmt.Errorf("unsupported shell operator: '&'")
		default:
			err = l.redirect(&cmd, t)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(cmd.args) == 0 && len(cmd.redirects) == 0 && current.op == ";" && len(current.commands) == 0 {
		return list, nil // "a;" ends like "a"
	}
	if err := endCommand(); err != nil {
		return nil, err
	}
	return append(list, current), nil
}

// redirect parses what follows a redirection operator.
func (l *shLexer) redirect(cmd *command, t token) error {
	target, ok, err := l.next()
	if err != nil {
		return err
	}
	if !ok || target.op != "" {
		return fmt.Errorf("syntax error near '%s'", t.op)
	}
	r := redirect{op: t.op, fd: t.fd, dup: -1, file: target.word}
	switch {
	case t.op == "<<" || t.op == "<&" || t.fd > 2 || t.op == "&>" && t.fd >= 0:
		return fmt.Errorf("unsupported redirection '%s'", t.op)
	case t.op == ">&" && (r.file.text == "1" || r.file.text == "2"):
		r.dup = int(r.file.text[0] - '0')
	case t.op == ">&" && t.fd >= 0:
		return fmt.Errorf("unsupported redirection '%d>&%s'", t.fd, r.file.text)
	case t.op == ">&":
		r.op = "&>"
	}
	cmd.redirects = append(cmd.redirects, r)
	return nil
}
