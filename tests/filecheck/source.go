package filecheck

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

// source is a text that diagnostics point into.
type source struct {
	name  string
	text  string
	lines []int // offsets of line starts, filled at first use
}

// slice is a part of a source that knows where it is.
type slice struct {
	src *source
	off int
	s   string
}

func (s *source) all() slice { return slice{s, 0, s.text} }

func (s slice) from(i int) slice { return slice{s.src, s.off + i, s.s[i:]} }
func (s slice) upTo(i int) slice { return slice{s.src, s.off, s.s[:i]} }
func (s slice) empty() bool      { return s.s == "" }

// cut returns the part from i to j.
func (s slice) cut(i, j int) slice { return slice{s.src, s.off + i, s.s[i:j]} }

func (s slice) trimLeft() slice {
	return s.from(len(s.s) - len(strings.TrimLeft(s.s, blanks)))
}

func (s slice) trimRight() slice { return s.upTo(len(strings.TrimRight(s.s, blanks))) }

// eat removes prefix from the front if it is there.
func (s *slice) eat(prefix string) bool {
	if !strings.HasPrefix(s.s, prefix) {
		return false
	}
	*s = s.from(len(prefix))
	return true
}

// blanks are the horizontal white space characters.
const blanks = " \t"

// position returns the line and column, both from 1, of an offset.
func (s *source) position(off int) (line, col int) {
	if s.lines == nil {
		s.lines = append(s.lines, 0)
		for i := range len(s.text) {
			if s.text[i] == '\n' {
				s.lines = append(s.lines, i+1)
			}
		}
	}
	line = sort.SearchInts(s.lines, off+1)
	return line, off - s.lines[line-1] + 1
}

type severity uint8

const (
	sevError severity = iota
	sevRemark
	sevNote
)

var severities = [...]struct{ name, colour string }{
	sevError:  {"error", "\x1b[0;1;31m"},
	sevRemark: {"remark", "\x1b[0;1;34m"},
	sevNote:   {"note", "\x1b[0;1;30m"},
}

const (
	bold    = "\x1b[1m"
	caretOn = "\x1b[0;1;32m"
	reset   = "\x1b[0m"
)

// printer writes diagnostics with the source line and a caret.
type printer struct {
	w      io.Writer
	colour bool
}

func (p *printer) style(code string) string {
	if p.colour {
		return code
	}
	return ""
}

// message points at at.off and underlines all of at.
func (p *printer) message(at slice, sev severity, text string) {
	line, col := at.src.position(at.off)
	start := at.off - (col - 1)
	// A carriage return ends a line for display too.
	if i := strings.LastIndexByte(at.src.text[start:at.off], '\r'); i >= 0 {
		start += i + 1
	}
	content := at.src.text[start:]
	if i := strings.IndexAny(content, "\n\r"); i >= 0 {
		content = content[:i]
	}
	fmt.Fprintf(p.w, "%s%s:%d:%d: %s%s%s: %s%s%s\n%s", p.style(bold), at.src.name, line, col,
		p.style(reset+severities[sev].colour), severities[sev].name, p.style(""),
		p.style(reset+bold), text, "", p.style(reset))
	io.WriteString(p.w, expandTabs(content, content)+"\n")
	for i := range len(content) {
		if content[i] >= 0x80 { // columns are bytes, so a caret would mislead
			return
		}
	}
	caret := []byte(strings.Repeat(" ", len(content)+1))
	from := min(at.off-start, len(content))
	for i := from; i < min(from+len(at.s), len(content)); i++ {
		caret[i] = '~'
	}
	caret[from] = '^'
	fmt.Fprintf(p.w, "%s%s\n%s", p.style(caretOn),
		strings.TrimRight(expandTabs(string(caret), content), " "), p.style(reset))
}

// expandTabs repeats the characters of s that stand under tabs in line.
func expandTabs(s, line string) string {
	if !strings.Contains(line, "\t") {
		return s
	}
	const tabStop = 8
	var b strings.Builder
	for i := range len(s) {
		if i >= len(line) || line[i] != '\t' {
			b.WriteByte(s[i])
			continue
		}
		c := s[i]
		if c == '\t' {
			c = ' '
		}
		b.WriteByte(c)
		for b.Len()%tabStop != 0 {
			b.WriteByte(c)
		}
	}
	return b.String()
}
