package asm

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/ir"
)

// parsed is a module read for a test.
type parsed struct {
	*File
	src *ir.Sources
	ds  *ir.Diags
}

func parse(t testing.TB, text string) parsed { return parseWith(t, text, Options{}) }

func parseWith(t testing.TB, text string, opts Options) parsed {
	t.Helper()
	src, ds := &ir.Sources{}, &ir.Diags{}
	f := Parse(src.Add("test.pisa", []byte(text)), opts, ds)
	return parsed{f, src, ds}
}

// messages shows diagnostics as "line: severity CODE: text".
func (p parsed) messages(min ir.Severity) string {
	var b strings.Builder
	for _, d := range p.ds.List {
		if d.Severity <= min {
			pos := p.src.Position(d.Loc)
			fmt.Fprintf(&b, "%d:%d: %s %s: %s\n", pos.Line, pos.Col, d.Severity, d.Code, d.Text)
		}
	}
	return b.String()
}

// accept parses a module that must have no error.
func accept(t testing.TB, text string) parsed {
	t.Helper()
	p := parse(t, text)
	if p.ds.HasErrors() {
		t.Fatalf("errors in an acceptable module:\n%s\n%s", p.messages(ir.Error), text)
	}
	return p
}

type conformance struct {
	Name    string
	Pisa    string
	Line    int
	LineAlt []int `json:"line_alt"`
	Rule    string
}

func readConformance(t *testing.T, name string) (cases []conformance) {
	data, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &cases))
	return cases
}

func TestAccept(t *testing.T) {
	cases := readConformance(t, "accept.json")
	require.NotEmpty(t, cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) { accept(t, c.Pisa) })
	}
}

// TestReject demands one error on the stated line, and none elsewhere: a
// mistake has no consequences.
func TestReject(t *testing.T) {
	cases := readConformance(t, "reject.json")
	require.NotEmpty(t, cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			p := parse(t, c.Pisa)
			lines := append([]int{c.Line}, c.LineAlt...)
			var errors []ir.Diag
			for _, d := range p.ds.List {
				if d.Severity == ir.Error {
					errors = append(errors, d)
				}
			}
			require.Len(t, errors, 1, "%s: %s", c.Rule, p.messages(ir.Error))
			require.Contains(t, lines, p.src.Position(errors[0].Loc).Line, "%s: %s", c.Rule, p.messages(ir.Error))
			_, known := Explain(errors[0].Code)
			require.True(t, known)
			if os.Getenv("SHOW") != "" {
				fmt.Print(c.Name, ": ", p.messages(ir.Error))
				for _, n := range errors[0].Notes {
					fmt.Println("      note:", n.Text)
				}
			}
		})
	}
}
