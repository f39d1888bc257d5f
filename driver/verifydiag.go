package driver

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pisac/ir"
)

// splitMarker separates the parts of --split-input-file.
const splitMarker = "// -----"

// splitInput cuts an input at lines that begin with splitMarker.
func splitInput(in Input) [][]Input {
	var jobs [][]Input
	start, line, first := 0, in.FirstLine, in.FirstLine
	for at := 0; at < len(in.Text); {
		end := bytes.IndexByte(in.Text[at:], '\n')
		next := len(in.Text)
		if end >= 0 {
			next = at + end + 1
		}
		text := bytes.TrimRight(in.Text[at:next], "\r\n \t")
		if string(text) == splitMarker {
			jobs = append(jobs, []Input{{in.Name, in.Text[start:at], first}})
			start, first = next, line+1
		}
		at, line = next, line+1
	}
	return append(jobs, []Input{{in.Name, in.Text[start:], first}})
}

// expectation is one `expected-error {{…}}` comment.
type expectation struct {
	sev   ir.Severity
	file  string
	line  int // 0: @unknown, a diagnostic without location
	text  string
	re    *regexp.Regexp // of expected-…-re
	count int            // how many are still to come
	at    ir.Loc
}

func (e *expectation) matches(text string) bool {
	if e.re != nil {
		return e.re.MatchString(text)
	}
	return strings.Contains(text, e.text)
}

var expectRE = regexp.MustCompile(`expected-(error|warning|remark|note)(-re)?[ \t]*(?:@([+-][0-9]+|above|below|unknown))?[ \t]*([0-9]+)?[ \t]*\{\{(.*?)\}\}`)

// expectWord matches what was meant as an expectation: `expected-` and a word
// at the beginning of a line's comment.
var expectWord = regexp.MustCompile(`^[^/]*(//[ \t]*expected-[a-z])`)

var severities = map[string]ir.Severity{"error": ir.Error, "warning": ir.Warning, "remark": ir.Remark, "note": ir.Note}

// verifyDiagnostics compares the diagnostics of r with the comments
//
//	// expected-error@+1 {{substring}}
//	// expected-warning-re@above {{text {{regex}} text}}
//	// expected-note@below 2 {{twice}}
//
// of its sources, as mlir-opt does: each expectation must be met as often as
// it says, by a diagnostic of its severity on its line, and no diagnostic may
// be left over. @+n and @-n count lines; @above and @below are the nearest
// lines without an expectation. Notes are diagnostics; those without location
// may be expected on the line of what they are attached to. The result is what
// is wrong, nil if nothing is.
func verifyDiagnostics(r *Result) []ir.Diag {
	var ds ir.Diags
	var exps []*expectation
	for _, f := range r.Sources.Files() {
		exps = append(exps, expectations(r.Sources, f, &ds)...)
	}
	check := func(sev ir.Severity, loc, end ir.Loc, pos ir.Position, text string, must bool) {
		for _, e := range exps {
			if e.count > 0 && e.sev == sev && e.line == pos.Line && (e.line == 0 || e.file == pos.File) && e.matches(text) {
				e.count--
				return
			}
		}
		if must {
			ds.Error(loc, end, "", fmt.Sprintf("unexpected %s: %s", sev, text))
		}
	}
	for i := range r.Diags {
		d := &r.Diags[i]
		pos := r.Sources.Position(d.Loc)
		check(d.Severity, d.Loc, d.End, pos, d.Text, true)
		for k := range d.Notes {
			n := &d.Notes[k]
			if n.Loc != ir.NoLoc {
				check(ir.Note, n.Loc, n.End, r.Sources.Position(n.Loc), n.Text, true)
			} else {
				check(ir.Note, n.Loc, n.End, pos, n.Text, false)
			}
		}
	}
	for _, e := range exps {
		if e.count > 0 {
			text := fmt.Sprintf("expected %s %q was not produced", e.sev, e.text)
			if e.count > 1 {
				text = fmt.Sprintf("expected %s %q was not produced; %d are missing", e.sev, e.text, e.count)
			}
			ds.Error(e.at, ir.NoLoc, "", text)
		}
	}
	ds.Sort()
	return ds.List
}

// expectations finds the expectations of one source.
func expectations(src *ir.Sources, f *ir.SourceFile, ds *ir.Diags) []*expectation {
	var out, below []*expectation
	above := 0 // the last line without expectations
	at := 0
	for at < len(f.Text) {
		end := len(f.Text)
		if n := bytes.IndexByte(f.Text[at:], '\n'); n >= 0 {
			end = at + n
		}
		var found [][]int
		if bytes.Contains(f.Text[at:end], []byte("expected-")) {
			found = expectRE.FindAllSubmatchIndex(f.Text[at:end], -1)
			if m := expectWord.FindSubmatchIndex(f.Text[at:end]); m != nil && len(found) == 0 {
				ds.Error(f.Loc(at+m[2]), ir.NoLoc, "", "this is no expectation: there are expected-error, -warning, -remark and -note, with {{text}}")
			}
		}
		line := src.Position(f.Loc(at)).Line
		if len(found) == 0 {
			for _, e := range below {
				e.line = line
			}
			below, above = below[:0], line
		}
		for _, m := range found {
			sub := func(k int) string {
				if m[2*k] < 0 {
					return ""
				}
				return string(f.Text[at+m[2*k] : at+m[2*k+1]])
			}
			e := &expectation{sev: severities[sub(1)], file: f.Name, line: line, text: sub(5), count: 1, at: f.Loc(at + m[0])}
			if sub(2) != "" {
				text, rest := regexText(string(f.Text[at+m[2*5] : end]))
				e.text = text
				if e.re = rest; e.re == nil {
					ds.Error(e.at, ir.NoLoc, "", "malformed regular expression in expected-…-re")
					continue
				}
			}
			if n, err := strconv.Atoi(sub(4)); err == nil {
				e.count = n
			}
			switch where := sub(3); where {
			case "":
			case "above":
				e.line = above
			case "below":
				e.line = -1 // unless a line follows
				below = append(below, e)
			case "unknown":
				e.line = 0
			default:
				n, _ := strconv.Atoi(where)
				e.line += n
			}
			out = append(out, e)
		}
		at = end + 1
	}
	return out
}

// regexText reads the text of an expected-…-re, whose {{…}} hold regular
// expressions, up to the closing braces.
func regexText(s string) (string, *regexp.Regexp) {
	var b strings.Builder
	rest := s
	for {
		open, shut := strings.Index(rest, "{{"), strings.Index(rest, "}}")
		if shut < 0 {
			return s, nil
		}
		if open < 0 || shut < open {
			b.WriteString(regexp.QuoteMeta(rest[:shut]))
			text := s[:len(s)-len(rest)+shut]
			re, err := regexp.Compile(b.String())
			if err != nil {
				return text, nil
			}
			return text, re
		}
		b.WriteString(regexp.QuoteMeta(rest[:open]))
		rest = rest[open+2:]
		shut = strings.Index(rest, "}}")
		if shut < 0 {
			return s, nil
		}
		b.WriteString("(?:" + rest[:shut] + ")")
		rest = rest[shut+2:]
	}
}
