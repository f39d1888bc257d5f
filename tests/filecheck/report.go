package filecheck

import (
	"fmt"
	"sort"
	"strings"
)

// outcome says what an annotation of the dumped input is about.
type outcome uint8

const (
	foundExpected outcome = iota
	foundExcluded
	foundWrongLine
	foundDiscarded
	noneExcluded
	noneExpected
	noneInvalid
	fuzzy
)

// annotation marks a range of the dumped input.
type annotation struct {
	pattern *pattern
	outcome outcome
	at      slice
	note    string // instead of the outcome's own; such notes have no marker if at is empty
}

// reporter prints diagnostics, and collects annotations if the input may be dumped.
type reporter struct {
	printer
	o       *Options
	collect bool
	marks   []annotation
}

func (r *reporter) mark(p *pattern, o outcome, at slice, note string) {
	if r.collect {
		r.marks = append(r.marks, annotation{p, o, at, note})
	}
}

// result reports one attempt to match a pattern in a region and says whether
// it came out as expected. A match is at at if there are no errors.
func (r *reporter) result(expected bool, prefix string, p *pattern, n int, in, at slice, errs []error) bool {
	if len(errs) == 0 {
		return r.found(expected, prefix, p, n, at)
	}
	return r.notFound(expected, prefix, p, n, in, errs)
}

func (r *reporter) found(expected bool, prefix string, p *pattern, n int, at slice) bool {
	if expected && (!r.o.Verbose || p.kind == kindEOF && !r.o.VeryVerbose) {
		return true
	}
	what, sev, adjective := foundExpected, sevRemark, "expected"
	if !expected {
		what, sev, adjective = foundExcluded, sevError, "excluded"
	}
	r.mark(p, what, at, "")
	values, captures := substitutionNotes(p), captureNotes(p)
	for _, text := range values {
		r.mark(p, what, at.upTo(0), text)
	}
	for _, c := range captures {
		r.mark(p, what, c.at, c.text)
	}
	if expected && r.collect { // the dump will show it
		return true
	}
	r.message(p.at.upTo(0), sev, fmt.Sprintf("%s: %s string found in input%s", p.description(prefix), adjective, outOf(p, n)))
	r.message(at, sevNote, "found here")
	for _, text := range values {
		r.message(at.upTo(0), sevNote, text)
	}
	for _, c := range captures {
		r.message(c.at, sevNote, c.text)
	}
	return expected
}

func outOf(p *pattern, n int) string {
	if p.count > 1 {
		return fmt.Sprintf(" (%d out of %d)", n, p.count)
	}
	return ""
}

func (r *reporter) notFound(expected bool, prefix string, p *pattern, n int, in slice, errs []error) bool {
	what, sev, adjective := noneExcluded, sevRemark, "excluded"
	if expected {
		what, sev, adjective = noneExpected, sevError, "expected"
	}
	var invalid []string
	for _, err := range errs {
		if e, ok := err.(*patternError); ok {
			what = noneInvalid
			r.message(e.at.upTo(0), sevError, e.text)
			invalid = append(invalid, e.text)
		}
	}
	failed := expected || invalid != nil
	if !failed && !r.o.VeryVerbose {
		return true
	}
	r.mark(p, what, in, "")
	for _, text := range invalid {
		r.mark(p, what, in.upTo(0), text)
	}
	values := substitutionNotes(p)
	for _, text := range values {
		r.mark(p, what, in.upTo(0), text)
	}
	if !failed && r.collect {
		return true
	}
	if invalid == nil {
		r.message(p.at.upTo(0), sev, fmt.Sprintf("%s: %s string not found in input%s", p.description(prefix), adjective, outOf(p, n)))
		r.message(in.upTo(0), sevNote, "scanning from here")
	}
	for _, text := range values {
		r.message(in.upTo(0), sevNote, text)
	}
	if expected {
		if at, ok := p.nearest(in); ok {
			r.mark(p, fuzzy, at, "")
			r.message(at, sevNote, "possible intended match here")
		}
	}
	return !failed
}

// wrongLine marks the match that rightLine refused.
func (r *reporter) wrongLine(p *pattern, at slice) {
	if r.o.Verbose {
		r.remark(foundWrongLine)
		return
	}
	r.mark(p, foundWrongLine, at, "")
}

// discarded reports that the last match overlaps one before it.
func (r *reporter) discarded(earlier slice) {
	switch {
	case !r.o.VeryVerbose:
	case r.collect:
		r.remark(foundDiscarded)
	default:
		r.message(earlier, sevNote, "match discarded, overlaps earlier DAG match here")
	}
}

// remark changes the outcome of the last pattern's annotations.
func (r *reporter) remark(o outcome) {
	for i := len(r.marks) - 1; i >= 0 && r.marks[i].pattern == r.marks[len(r.marks)-1].pattern; i-- {
		r.marks[i].outcome = o
	}
}

// substitutionNotes says what the variables and expressions in a pattern stand
// for. Those that stand for nothing are errors and reported as such.
func substitutionNotes(p *pattern) []string {
	var notes []string
	for _, s := range p.substs {
		text, errs := p.value(s)
		if errs != nil {
			continue
		}
		note := `"` + text + `"`
		if s.expr == nil && strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c > '~' || c == '"' }) >= 0 {
			note = `"` + cEscape(text) + `" (escaped value)`
		}
		notes = append(notes, `with "`+cEscape(s.at.s)+`" equal to `+note)
	}
	return notes
}

// cEscape writes the bytes that do not print as LLVM's dumps do.
func cEscape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			b.WriteString(`\\`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '"':
			b.WriteString(`\"`)
		case c >= ' ' && c <= '~':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	return b.String()
}

type captureNote struct {
	at   slice
	text string
}

// captureNotes says what a matched pattern captured, in order of the input.
func captureNotes(p *pattern) []captureNote {
	var notes []captureNote
	for _, d := range p.strings {
		notes = append(notes, captureNote{p.vars.values[d.name].at, fmt.Sprintf("captured var %q", d.name)})
	}
	for _, d := range p.numbers {
		notes = append(notes, captureNote{d.variable.written, fmt.Sprintf("captured var %q", d.variable.name)})
	}
	sort.SliceStable(notes, func(i, j int) bool { return notes[i].at.off < notes[j].at.off })
	return notes
}
