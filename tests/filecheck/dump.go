package filecheck

import (
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"
)

// DumpFilter selects the input lines that a dump shows.
type DumpFilter uint8

// The filters, the one that shows most first. By default a dump after a failure
// shows errors, and any other dump everything.
const (
	FilterDefault DumpFilter = iota
	FilterAll
	FilterAnnotationFull
	FilterAnnotation
	FilterError
)

// marker is how an outcome looks in the dump.
type marker struct {
	lead   byte
	colour string
	note   string
	failed bool
}

const (
	red     = "\x1b[0;1;31m"
	green   = "\x1b[0;1;32m"
	magenta = "\x1b[0;1;35m"
	cyan    = "\x1b[0;1;36m"
	black   = "\x1b[0;1;30m"
	onCyan  = "\x1b[0;1;46m"
)

var markers = [...]marker{
	foundExpected:  {'^', green, "", false},
	foundExcluded:  {'!', red, "error: no match expected", true},
	foundWrongLine: {'!', red, "error: match on wrong line", true},
	foundDiscarded: {'!', cyan, "discard: overlaps earlier match", false},
	noneExcluded:   {'X', green, "", false},
	noneExpected:   {'X', red, "error: no match found", true},
	noneInvalid:    {'X', red, "error: match failed for invalid pattern", true},
	fuzzy:          {'?', magenta, "possible intended match", true},
}

// drawn is the part of an annotation on one input line.
type drawn struct {
	marker
	label    string
	order    int
	first    bool // the annotation starts here
	line     int
	from, to int // columns from 1, to exclusive
	good     bool
}

// dump writes the input with the annotations under its lines.
type dump struct {
	w       io.Writer
	o       *Options
	filter  DumpFilter
	text    string
	drawn   []drawn
	width   int // of the label column
	elided  strings.Builder
	current io.Writer
}

func (r *reporter) dumpInput(file *checkFile, input *source, filter DumpFilter) {
	d := &dump{w: r.w, o: r.o, filter: filter, text: input.text, drawn: r.draw(file)}
	io.WriteString(r.w, "Input was:\n<<<<<<\n"+d.style(bold+reset))
	sort.SliceStable(d.drawn, func(i, j int) bool {
		a, b := &d.drawn[i], &d.drawn[j]
		if a.line != b.line {
			return a.line < b.line
		}
		return a.order < b.order
	})
	d.measure()
	d.lines()
	io.WriteString(r.w, ">>>>>>\n")
}

// draw labels the annotations and divides them by line.
func (r *reporter) draw(file *checkFile) []drawn {
	count, seen := map[*pattern]int{}, map[*pattern]int{}
	for _, m := range r.marks {
		count[m.pattern]++
	}
	var out []drawn
	for i, m := range r.marks {
		d := drawn{marker: markers[m.outcome], order: i, first: true, good: m.outcome == foundExpected}
		d.label = label(file, m.pattern)
		if count[m.pattern] > 1 {
			d.label += "'" + strconv.Itoa(seen[m.pattern])
			seen[m.pattern]++
		}
		if m.note != "" {
			d.note = m.note
			if m.at.empty() {
				d.lead = ' '
			}
		}
		line, col := m.at.src.position(m.at.off)
		endLine, endCol := m.at.src.position(m.at.off + len(m.at.s))
		d.line, d.from, d.to = line, col, math.MaxInt
		if line == endLine {
			d.to = max(col+1, endCol)
		}
		out = append(out, d)
		for line++; line <= endLine && !(line == endLine && endCol == 1); line++ {
			d.lead, d.note, d.first = '~', "", false
			d.line, d.from, d.to = line, 1, math.MaxInt
			if line == endLine {
				d.to = endCol
			}
			out = append(out, d)
		}
	}
	return out
}

// label names a directive: its kind, and its line or the number of the option.
func label(file *checkFile, p *pattern) string {
	short := kinds[p.kind].short
	if p.count > 1 {
		short = "count"
	}
	for i, s := range file.implicit {
		if p.at.src == s {
			return fmt.Sprintf("%s:imp%d", short, i+1)
		}
	}
	line, _ := p.at.src.position(p.at.off)
	return fmt.Sprintf("%s:%d", short, line)
}

// measure computes the width of the label column.
func (d *dump) measure() {
	lines := strings.Count(d.text, "\n")
	if !strings.HasSuffix(d.text, "\n") {
		lines++
	}
	d.width = len(strconv.Itoa(lines))
	for i := range d.drawn {
		d.width = max(d.width, len(d.drawn[i].label))
	}
	d.width += 3
}

func (d *dump) style(code string) string {
	if d.o.Color {
		return code
	}
	return ""
}

// lines writes the lines within the context of those that the filter selects.
func (d *dump) lines() {
	text, rest := d.text, d.drawn
	previous, next := 0, 0
	for line := 1; text != "" || len(rest) > 0; line++ {
		if next < line {
			next = d.nextSelected(line, rest)
		}
		if next == line {
			previous = line
		}
		near := previous != 0 && line-previous <= d.o.DumpContext || next-line <= d.o.DumpContext
		if near {
			d.flush()
			d.current = d.w
		} else {
			d.current = &d.elided
		}
		n := 0
		for n < len(rest) && rest[n].line == line {
			n++
		}
		content, remaining, newline := strings.Cut(text, "\n")
		d.inputLine(line, content, newline, rest[:n])
		width := len(content)
		if newline {
			width++
		}
		for i := range rest[:n] {
			d.annotationLine(&rest[i], width)
		}
		text, rest = remaining, rest[n:]
	}
	d.flush()
}

// nextSelected returns the first line from here on that the filter selects.
func (d *dump) nextSelected(line int, rest []drawn) int {
	if d.filter == FilterAll {
		return line
	}
	for i := range rest {
		a := &rest[i]
		if d.filter == FilterAnnotationFull || a.first && (d.filter == FilterAnnotation || a.failed) {
			return a.line
		}
	}
	return math.MaxInt
}

// flush writes the elided lines, or an ellipsis if that is shorter.
func (d *dump) flush() {
	const ellipsis = 3
	text := d.elided.String()
	d.elided.Reset()
	if strings.Count(text, "\n") <= ellipsis {
		io.WriteString(d.w, text)
		return
	}
	for range ellipsis {
		fmt.Fprintf(d.w, "%s%*s%s\n", d.style(black), d.width, ".", d.style(reset))
	}
}

// inputLine writes a line of the input. With -v and colours, what no directive
// has matched stands out.
func (d *dump) inputLine(line int, content string, newline bool, marks []drawn) {
	fmt.Fprintf(d.current, "%s%*d: %s", d.style(black), d.width, line, d.style(reset+bold))
	if newline {
		content += " "
	}
	if !d.o.Color || !d.o.Verbose {
		io.WriteString(d.current, content+d.style(reset)+"\n")
		return
	}
	matched := make([]bool, len(content))
	for _, m := range marks {
		for col := m.from; m.good && col < m.to && col <= len(content); col++ {
			matched[col-1] = true
		}
	}
	var b strings.Builder
	b.WriteString(onCyan)
	for i := range len(content) {
		if was := i > 0 && matched[i-1]; was != matched[i] {
			if was {
				b.WriteString(onCyan)
			} else {
				b.WriteString(reset)
			}
		}
		b.WriteByte(content[i])
	}
	io.WriteString(d.current, b.String()+reset+"\n")
}

func (d *dump) annotationLine(a *drawn, width int) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%-*s  ", d.style(a.colour), d.width, a.label)
	b.WriteString(strings.Repeat(" ", a.from-1))
	b.WriteByte(a.lead)
	col := a.from + 1
	for ; col < a.to && col <= width; col++ {
		b.WriteByte('~')
	}
	if a.note != "" {
		b.WriteString(strings.Repeat(" ", max(0, width+1-col)))
		b.WriteString(" " + a.note)
	}
	io.WriteString(d.current, b.String()+"\n"+d.style(reset))
}

// dumpHelp explains the dump.
const dumpHelp = `The input dump that -dump-input requests shows the input, one numbered line
after the other, and under each line what directives found in it.

Options:
  -dump-input=always|fail|never  when to dump
  -dump-input-filter=KIND        which lines: all, annotation-full, annotation, error
  -dump-input-context=N          how many lines around those
  -v, -vv                        add annotations for what went well
  -color                         mark outcomes by colour
All of them can be given in the environment variable FILECHECK_OPTS too:
  FILECHECK_OPTS='-dump-input-filter=all -vv -color'

Notation:
  - L:     input line L; the space at its end stands for the newline
  - T:L    the result of the directive of type T on line L of the check file, or
           of the I-th --implicit-check-not where L is "imp" and the number I
  - T:L'N  the N-th result of such a directive
  - ^~~    a good match (with -v)
  - !~~    a bad match: on the wrong line, of a -NOT, or (with -vv) a -DAG match
           discarded because it overlaps another
  - X~~    the range searched when there was no match: an error, or (with -vv)
           the success of a -NOT
  - ?      what looks most like the directive that was not matched
  - ...    lines left out
`
