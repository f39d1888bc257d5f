package driver

import (
	"encoding/json"
	"io"
	"os"
	"strconv"
	"unicode/utf8"

	"pisac/ir"
)

// diagPrinter shows diagnostics.
type diagPrinter struct {
	w     io.Writer
	json  bool
	color bool
	buf   []byte
}

func newDiagPrinter(o *Options, w io.Writer) *diagPrinter {
	p := &diagPrinter{w: w, json: o.DiagnosticsFormat == "json"}
	switch o.Color {
	case "always":
		p.color = true
	case "auto":
		p.color = os.Getenv("NO_COLOR") == "" && isTerminal(w)
	}
	return p
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// all shows list in its order.
func (p *diagPrinter) all(src *ir.Sources, list []ir.Diag) {
	p.buf = p.buf[:0]
	for i := range list {
		if p.json {
			p.object(src, &list[i])
		} else {
			p.text(src, &list[i])
		}
	}
	p.w.Write(p.buf)
}

const (
	bold  = "\x1b[1m"
	plain = "\x1b[0m"
	green = "\x1b[1;32m"
)

var severityColor = [...]string{ir.Error: "\x1b[1;31m", ir.Warning: "\x1b[1;35m", ir.Remark: "\x1b[1;34m", ir.Note: "\x1b[1;36m"}

func (p *diagPrinter) text(src *ir.Sources, d *ir.Diag) {
	p.message(src, d.Loc, d.End, d.Severity, d.Text, d.Code)
	for i := range d.Notes {
		n := &d.Notes[i]
		p.message(src, n.Loc, n.End, ir.Note, n.Text, "")
	}
}

func (p *diagPrinter) put(s string) { p.buf = append(p.buf, s...) }

func (p *diagPrinter) style(s string) {
	if p.color {
		p.put(s)
	}
}

// message is `file:line:col: error: text [CODE]`, the line, and carets.
func (p *diagPrinter) message(src *ir.Sources, loc, end ir.Loc, sev ir.Severity, text, code string) {
	p.style(bold)
	if pos := src.Position(loc); pos.Line > 0 {
		p.put(pos.File)
		p.put(":")
		p.buf = strconv.AppendInt(p.buf, int64(pos.Line), 10)
		p.put(":")
		p.buf = strconv.AppendInt(p.buf, int64(pos.Col), 10)
		p.put(": ")
	} else if sev != ir.Note {
		p.put("pisac: ")
	}
	p.style(severityColor[sev])
	p.put(sev.String())
	p.put(": ")
	p.style(plain)
	p.style(bold)
	p.put(text)
	if code != "" {
		p.put(" [")
		p.put(code)
		p.put("]")
	}
	p.style(plain)
	p.put("\n")
	if loc != ir.NoLoc {
		p.excerpt(src, loc, end)
	}
}

// maxExcerpt bounds how much of a line is shown.
const maxExcerpt = 160

// excerpt shows the line of loc and marks [loc, end) in it.
func (p *diagPrinter) excerpt(src *ir.Sources, loc, end ir.Loc) {
	line, col := src.Line(loc)
	width := 1
	if end > loc {
		width = int(end - loc)
	}
	width = max(1, min(width, len(line)-col))
	cutLeft, cutRight := false, false
	if len(line) > maxExcerpt {
		if col > maxExcerpt/2 {
			cut := runeStart(line, col-maxExcerpt/2)
			line, col, cutLeft = line[cut:], col-cut, true
		}
		if len(line) > maxExcerpt {
			line, cutRight = line[:runeStart(line, maxExcerpt)], true
		}
		width = max(1, min(width, len(line)-col))
	}
	marks := make([]byte, 0, maxExcerpt)
	if cutLeft {
		p.put("…")
		marks = append(marks, ' ')
	}
	for i := 0; i <= len(line); {
		r, n := rune(' '), 1
		if i < len(line) {
			r, n = utf8.DecodeRune(line[i:])
			switch {
			case r == utf8.RuneError && n <= 1:
				p.put("?")
			case r < ' ' && r != '\t' || r == 0x7f:
				p.put("?")
			default:
				p.buf = append(p.buf, line[i:i+n]...)
			}
		}
		switch {
		case i >= col+width && i > col:
		case i+n > col && i <= col:
			marks = append(marks, '^')
		case i > col && i < col+width:
			marks = append(marks, '~')
		case r == '\t':
			marks = append(marks, '\t')
		default:
			marks = append(marks, ' ')
		}
		i += n
	}
	if cutRight {
		p.put("…")
	}
	p.put("\n")
	p.style(green)
	p.buf = append(p.buf, marks...)
	p.style(plain)
	p.put("\n")
}

// runeStart moves at left to the beginning of a character.
func runeStart(line []byte, at int) int {
	for k := 0; k < utf8.UTFMax && at > 0 && !utf8.RuneStart(line[at]); k++ {
		at--
	}
	return at
}

// jsonDiag is a diagnostic as --diagnostics-format=json shows it. Lines and
// columns count from 1, columns in bytes; the end is exclusive; 0 is unknown.
type jsonDiag struct {
	File      string     `json:"file,omitempty"`
	Line      int        `json:"line"`
	Column    int        `json:"column"`
	EndLine   int        `json:"endLine,omitempty"`
	EndColumn int        `json:"endColumn,omitempty"`
	Severity  string     `json:"severity"`
	Code      string     `json:"code,omitempty"`
	Message   string     `json:"message"`
	Notes     []jsonDiag `json:"notes,omitempty"`
}

func newJSONDiag(src *ir.Sources, loc, end ir.Loc, sev ir.Severity, code, text string) jsonDiag {
	pos := src.Position(loc)
	j := jsonDiag{File: pos.File, Line: pos.Line, Column: pos.Col, Severity: sev.String(), Code: code, Message: text}
	if end > loc && loc != ir.NoLoc {
		e := src.Position(end)
		j.EndLine, j.EndColumn = e.Line, e.Col
	}
	return j
}

func (p *diagPrinter) object(src *ir.Sources, d *ir.Diag) {
	j := newJSONDiag(src, d.Loc, d.End, d.Severity, d.Code, d.Text)
	for i := range d.Notes {
		n := &d.Notes[i]
		j.Notes = append(j.Notes, newJSONDiag(src, n.Loc, n.End, ir.Note, "", n.Text))
	}
	b, err := json.Marshal(j)
	if err != nil {
		panic(err)
	}
	p.buf = append(append(p.buf, b...), '\n')
}
