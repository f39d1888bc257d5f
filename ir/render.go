package ir

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// Renderer writes diagnostics for people.
type Renderer struct {
	Sources *Sources
	Color   bool
}

// maxLine is how many bytes of a source line are shown around the caret.
const maxLine = 200

const (
	colorReset = "\x1b[0m"
	colorBold  = "\x1b[1m"
	colorCaret = "\x1b[1;32m"
)

var severityColor = [...]string{Error: "\x1b[1;31m", Warning: "\x1b[1;35m", Remark: "\x1b[1;34m", Note: "\x1b[1;36m"}

// Render writes every message of ds, each with its source line and notes.
func (r *Renderer) Render(w io.Writer, ds *Diags) error {
	var b []byte
	for i := range ds.List {
		d := &ds.List[i]
		b = r.AppendDiag(b[:0], d)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// AppendDiag appends one message with its notes.
func (r *Renderer) AppendDiag(b []byte, d *Diag) []byte {
	b = r.entry(b, d.Severity, d.Code, d.Loc, d.End, d.Text)
	for i := range d.Notes {
		n := &d.Notes[i]
		b = r.entry(b, Note, "", n.Loc, n.End, n.Text)
	}
	return b
}

// entry appends `file:line:col: severity: text [CODE]`, then the line and the
// caret if the location is known.
func (r *Renderer) entry(b []byte, sev Severity, code string, loc, end Loc, text string) []byte {
	pos := r.Sources.Position(loc)
	if r.Color {
		b = append(b, colorBold...)
	}
	if pos.Line > 0 {
		b = appendShown(b, []byte(pos.File))
		b = append(b, ':')
		b = appendUint(b, uint64(pos.Line))
		b = append(b, ':')
		b = appendUint(b, uint64(pos.Col))
		b = append(b, ": "...)
	}
	if r.Color {
		b = append(b, severityColor[sev]...)
	}
	b = append(b, sev.String()...)
	b = append(b, ": "...)
	if r.Color {
		b = append(b, colorReset...)
		b = append(b, colorBold...)
	}
	b = appendShown(b, []byte(text))
	if r.Color {
		b = append(b, colorReset...)
	}
	if code != "" {
		b = append(b, " ["...)
		b = append(b, code...)
		b = append(b, ']')
	}
	b = append(b, '\n')
	if pos.Line == 0 {
		return b
	}
	line, col := r.Sources.Line(loc)
	length := 1
	if end > loc {
		length = int(end - loc)
	}
	return r.source(b, line, col, length)
}

// source appends the line, clipped around the caret range, and the carets.
func (r *Renderer) source(b, line []byte, col, length int) []byte {
	length = max(min(length, len(line)-col), 1)
	lo, hi := 0, len(line)
	if hi > maxLine {
		lo = runeStart(line, max(0, min(col-maxLine/4, hi-maxLine)))
		hi = runeStart(line, min(lo+maxLine, hi))
	}
	if lo > 0 {
		b = append(b, "..."...)
	}
	b = appendShown(b, line[lo:hi])
	if hi < len(line) {
		b = append(b, "..."...)
	}
	b = append(b, '\n')
	if lo > 0 {
		b = append(b, "   "...)
	}
	b = appendPad(b, line[lo:col])
	if r.Color {
		b = append(b, colorCaret...)
	}
	b = append(b, '^')
	if stop := min(col+length, hi); stop > col {
		for n := columns(line[col:stop]) - 1; n > 0; n-- {
			b = append(b, '~')
		}
	}
	if r.Color {
		b = append(b, colorReset...)
	}
	return append(b, '\n')
}

// runeStart moves i back to the beginning of a UTF-8 sequence.
func runeStart(s []byte, i int) int {
	for k := i; k > 0 && k < len(s) && k > i-utf8.UTFMax; k-- {
		if utf8.RuneStart(s[k]) {
			return k
		}
	}
	return i
}

// appendShown appends s with every byte that a terminal might take amiss as
// <xx>: control characters but tab, and what is not UTF-8.
func appendShown(b, s []byte) []byte {
	for len(s) > 0 {
		c, n := utf8.DecodeRune(s)
		if c == '\t' || c >= ' ' && c != 0x7f && !(c >= 0x80 && c < 0xa0) && !(c == utf8.RuneError && n == 1) {
			b = append(b, s[:n]...)
		} else {
			for _, x := range s[:n] {
				b = append(b, '<', hexDigits[x>>4], hexDigits[x&15], '>')
			}
		}
		s = s[n:]
	}
	return b
}

// columns is the width of what appendShown makes of s, a tab being one.
func columns(s []byte) int {
	n := 0
	for len(s) > 0 {
		c, k := utf8.DecodeRune(s)
		if c == '\t' || c >= ' ' && c != 0x7f && !(c >= 0x80 && c < 0xa0) && !(c == utf8.RuneError && k == 1) {
			n++
		} else {
			n += 4 * k
		}
		s = s[k:]
	}
	return n
}

// appendPad appends blanks as wide as s, keeping its tabs.
func appendPad(b, s []byte) []byte {
	for len(s) > 0 {
		i := bytes.IndexByte(s, '\t')
		part := s
		if i >= 0 {
			part = s[:i]
		}
		for n := columns(part); n > 0; n-- {
			b = append(b, ' ')
		}
		if i < 0 {
			return b
		}
		b = append(b, '\t')
		s = s[i+1:]
	}
	return b
}

// RenderJSON writes one JSON object per message and line: file, line, col,
// endCol (one past the range, on the same line), severity, code, text, notes.
func RenderJSON(w io.Writer, src *Sources, ds *Diags) error {
	var b []byte
	for i := range ds.List {
		d := &ds.List[i]
		b = appendJSON(append(b[:0], '{'), src, d.Severity, d.Code, d.Loc, d.End, d.Text)
		b = append(b, `,"notes":[`...)
		for k := range d.Notes {
			n := &d.Notes[k]
			if k > 0 {
				b = append(b, ',')
			}
			b = appendJSON(append(b, '{'), src, Note, "", n.Loc, n.End, n.Text)
			b = append(b, '}')
		}
		b = append(b, "]}\n"...)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

func appendJSON(b []byte, src *Sources, sev Severity, code string, loc, end Loc, text string) []byte {
	pos := src.Position(loc)
	endCol := pos.Col
	if pos.Line > 0 {
		endCol++
		if end > loc {
			line, col := src.Line(loc)
			endCol = pos.Col + max(min(int(end-loc), len(line)-col), 1)
		}
	}
	b = appendJSONString(append(b, `"file":`...), pos.File)
	b = appendUint(append(b, `,"line":`...), uint64(pos.Line))
	b = appendUint(append(b, `,"col":`...), uint64(pos.Col))
	b = appendUint(append(b, `,"endCol":`...), uint64(endCol))
	b = appendJSONString(append(b, `,"severity":`...), sev.String())
	b = appendJSONString(append(b, `,"code":`...), code)
	return appendJSONString(append(b, `,"text":`...), text)
}

// appendJSONString appends s quoted; bytes that are not UTF-8 become U+FFFD.
func appendJSONString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c < ' ' || c == 0x7f || c == '\u2028' || c == '\u2029':
			b = append(b, '\\', 'u', hexDigits[c>>12&15], hexDigits[c>>8&15], hexDigits[c>>4&15], hexDigits[c&15])
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return append(b, '"')
}
