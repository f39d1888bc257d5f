package passes

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"pisac/ir"
)

// RemarkKind is the sort of a Remark, as LLVM names them.
type RemarkKind uint8

const (
	Passed   RemarkKind = iota // a rewrite was done
	Missed                     // a rewrite was not done; the text says why
	Analysis                   // a fact
)

var remarkNames = [...]string{"Passed", "Missed", "Analysis"}

func (k RemarkKind) String() string { return remarkNames[k] }

// Remark is one line of --remarks.
type Remark struct {
	Kind RemarkKind
	Pass string
	Name string // CamelCase, stable
	Func string
	Loc  ir.Loc
	Text string
}

// WriteRemarks writes rs in LLVM's YAML remark format.
func WriteRemarks(w io.Writer, src *ir.Sources, rs []Remark) error {
	var b strings.Builder
	for i := range rs {
		r := &rs[i]
		b.WriteString("--- !" + r.Kind.String() + "\nPass:            " + r.Pass + "\nName:            " + r.Name + "\n")
		if p := src.Position(r.Loc); p.Line != 0 {
			b.WriteString("DebugLoc:        { File: " + yamlString(p.File) + ", Line: " + strconv.Itoa(p.Line) + ", Column: " + strconv.Itoa(p.Col) + " }\n")
		}
		b.WriteString("Function:        " + yamlString(r.Func) + "\nArgs:\n  - String:          " + yamlString(r.Text) + "\n...\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// yamlString quotes s as LLVM does: single quotes, doubled inside, or double
// ones if a byte needs an escape. What is not UTF-8 becomes U+FFFD.
func yamlString(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	plain := true
	for _, c := range s {
		plain = plain && strconv.IsPrint(c)
	}
	if plain {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case strconv.IsPrint(c):
			b.WriteRune(c)
		default:
			fmt.Fprintf(&b, "\\U%08x", c)
		}
	}
	return b.String() + "\""
}
