package driver

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/ir"
)

// diagAt is an error on a line of the text under test.
func diagAt(line int, sev ir.Severity, text string) func(f *ir.SourceFile) ir.Diag {
	return func(f *ir.SourceFile) ir.Diag {
		if line == 0 {
			return ir.Diag{Severity: sev, Text: text}
		}
		off, n := 0, 1
		for ; n < line; off++ {
			if f.Text[off] == '\n' {
				n++
			}
		}
		return ir.Diag{Severity: sev, Loc: f.Loc(off), Text: text}
	}
}

func TestVerifyDiagnostics(t *testing.T) {
	err := ir.Error
	type diag = func(f *ir.SourceFile) ir.Diag
	for _, c := range []struct {
		name, text string
		diags      []diag
		want       []string // what is wrong
	}{
		{"none", "x\n", nil, nil},
		{"met", "x // expected-error {{bad}}\n", []diag{diagAt(1, err, "very bad thing")}, nil},
		{"unexpected", "x\n", []diag{diagAt(1, err, "bad")}, []string{"unexpected error: bad"}},
		{"missing", "x // expected-error {{bad}}\n", nil, []string{`expected error "bad" was not produced`}},
		{"other line", "// expected-error {{bad}}\nx\n", []diag{diagAt(2, err, "bad")},
			[]string{`expected error "bad" was not produced`, "unexpected error: bad"}},
		{"other severity", "x // expected-warning {{bad}}\n", []diag{diagAt(1, err, "bad")},
			[]string{"unexpected error: bad", `expected warning "bad" was not produced`}},
		{"plus", "// expected-error@+1 {{bad}}\nx\n", []diag{diagAt(2, err, "bad")}, nil},
		{"minus", "y\nx\n// expected-error@-2 {{bad}}\n", []diag{diagAt(1, err, "bad")}, nil},
		{"above and below", "x\n// expected-error@above {{one}}\n// expected-error@below {{two}}\n// expected-error@below {{three}}\ny\n",
			[]diag{diagAt(1, err, "one"), diagAt(5, err, "two"), diagAt(5, err, "three")}, nil},
		{"twice", "x // expected-error 2 {{bad}}\n", []diag{diagAt(1, err, "bad"), diagAt(1, err, "bad")}, nil},
		{"once of two", "x // expected-error 2 {{bad}}\n", []diag{diagAt(1, err, "bad")}, []string{`expected error "bad" was not produced`}},
		{"two of one", "x // expected-error {{bad}}\n", []diag{diagAt(1, err, "bad"), diagAt(1, err, "bad")}, []string{"unexpected error: bad"}},
		{"two on a line", "x // expected-error {{a}} expected-error {{b}}\n", []diag{diagAt(1, err, "b"), diagAt(1, err, "a")}, nil},
		{"regular expression", "x // expected-error-re {{(a.c) {{[0-9]+}} of {{.}}}}\n", []diag{diagAt(1, err, "(a.c) 17 of x!")}, nil},
		{"no match", "x // expected-error-re {{a.c {{[0-9]+}}}}\n", []diag{diagAt(1, err, "abc 17")},
			[]string{"unexpected error: abc 17", `expected error "a.c {{[0-9]+}}" was not produced`}},
		{"malformed", "x // expected-error-re {{ {{[}} }}\n", nil, []string{"malformed regular expression"}},
		{"misspelt", "x // expected-errors {{bad}}\n", nil, []string{"this is no expectation"}},
		{"no braces", "x // expected-error bad\n", nil, []string{"this is no expectation"}},
		{"prose", "x // this error is expected-ish; see expected-error comments\n", nil, nil},
		{"unknown place", "// expected-error@unknown {{bad}}\n", []diag{diagAt(0, err, "bad")}, nil},
		{"below the end", "// expected-error@below {{bad}}\n", []diag{diagAt(1, err, "bad")},
			[]string{`expected error "bad" was not produced`, "unexpected error: bad"}},
		{"note", "x // expected-error {{bad}} expected-note {{why}}\n", []diag{func(f *ir.SourceFile) ir.Diag {
			return ir.Diag{Loc: f.Loc(0), Text: "bad", Notes: []ir.DiagNote{{Loc: f.Loc(0), Text: "why"}}}
		}}, nil},
		{"unexpected note", "x // expected-error {{bad}}\n", []diag{func(f *ir.SourceFile) ir.Diag {
			return ir.Diag{Loc: f.Loc(0), Text: "bad", Notes: []ir.DiagNote{{Loc: f.Loc(0), Text: "why"}, {Text: "PISA 1"}}}
		}}, []string{"unexpected note: why"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Result{Sources: &ir.Sources{}}
			f := r.Sources.Add("f", []byte(c.text))
			for _, d := range c.diags {
				r.Diags = append(r.Diags, d(f))
			}
			got := verifyDiagnostics(r)
			require.Len(t, got, len(c.want), "%v", got)
			for _, want := range c.want {
				found := false
				for _, d := range got {
					found = found || len(d.Text) >= len(want) && d.Text[:len(want)] == want
				}
				require.True(t, found, "%s in %v", want, got)
			}
		})
	}
}

func TestSplitInput(t *testing.T) {
	jobs := splitInput(Input{"f", []byte("a\n// -----\nb\nb\n// ----- \r\n// ----- no\nc"), 1})
	require.Equal(t, [][]Input{
		{{"f", []byte("a\n"), 1}}, {{"f", []byte("b\nb\n"), 3}}, {{"f", []byte("// ----- no\nc"), 6}},
	}, jobs)
	require.Len(t, splitInput(Input{"f", nil, 1}), 1)
}
