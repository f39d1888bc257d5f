package pisa

import (
	"fmt"
	"io"
	"strings"

	"pisac/ir"
)

// chapters are the titles of the specification's instruction chapters, by the
// number before the dot of Row.Spec.
var chapters = map[string]string{
	"1": "Integer arithmetic", "2": "Floating-point arithmetic", "3": "Logic, shifts and bit fields",
	"4": "Data movement and conversion", "5": "Comparison and selection", "6": "Control flow",
	"7": "Sub-group operations", "8": "Memory access", "9": "Synchronisation",
}

// WriteReference writes the reference page of the dialect (docs/pisa-ops.md),
// derived from the table alone.
func WriteReference(w io.Writer) error {
	var b strings.Builder
	b.WriteString(`# The ops of the pisa dialect

Made from the table in ` + "`dialects/pisa/ops.go`" + ` by ` + "`go test ./dialects/pisa -run TestReference -update`" + `; not to be edited.

Under each mnemonic: its forms as assembly writes them. ` + "`[.x]`" + ` may be left out, a value in **bold** is then meant.
An operand is written name:type, the type a register width, a qualifier that gives it, ` + "`pred`" + `, or a vector;
` + "`#`" + ` admits an immediate, ` + "`!`" + ` a negated predicate, ` + "`&`" + ` marks a register that is read and written.
The op of the IR is called ` + "`pisa.`" + ` and the mnemonic, with the same qualifiers in the same order; results come first,
a register marked ` + "`&`" + ` is the first operand and a result.
`)
	chapter := ""
	for i := range Table {
		r := &Table[i]
		c, _, _ := strings.Cut(r.Spec, ".")
		if r.IROnly || r.Spec == "" {
			c = "x"
		}
		if c != chapter {
			chapter = c
			if c == "x" {
				b.WriteString("\n## Ops and words beyond the chapters\n")
			} else {
				fmt.Fprintf(&b, "\n## %s %s\n", c, chapters[c])
			}
		}
		r.writeReference(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Row) writeReference(b *strings.Builder) {
	fmt.Fprintf(b, "\n### %s\n\n%s", r.Name, r.Doc)
	if r.Spec != "" {
		fmt.Fprintf(b, " PISA %s.", r.Spec)
	}
	switch {
	case r.Code == 0:
		b.WriteString(" Assembly only: it becomes other ops.")
	case r.IROnly:
		b.WriteString(" IR only.")
	}
	if e := effectWords(r.Effects); e != "" {
		fmt.Fprintf(b, " Effects: %s.", e)
	}
	b.WriteString("\n\n")
	for i := range r.Forms {
		r.Forms[i].writeReference(b, r.Name)
	}
}

func (f *Form) writeReference(b *strings.Builder, mnemonic string) {
	fmt.Fprintf(b, "* %s: `%s", f.Name, mnemonic)
	for i := range f.Quals {
		q := &f.Quals[i]
		if q.Optional {
			fmt.Fprintf(b, "[.%s]", q.Name)
		} else {
			fmt.Fprintf(b, ".%s", q.Name)
		}
	}
	for i := range f.Args {
		a := &f.Args[i]
		sep := ", "
		if i == 0 {
			sep = " "
		}
		b.WriteString(sep + a.Name + a.marks() + ":" + a.Shape.words(a.Kinds))
		if a.Optional {
			b.WriteString("?")
		}
	}
	b.WriteString("`")
	if f.Since != (ir.Version{}) {
		fmt.Fprintf(b, " (since %d.%d)", f.Since.Major, f.Since.Minor)
	}
	b.WriteString("\n")
	for i := range f.Quals {
		q := &f.Quals[i]
		if vals := qualWords(q); vals != "" {
			fmt.Fprintf(b, "  * .%s: %s\n", q.Name, vals)
		}
	}
	for i := range f.Rules {
		note := ""
		switch f.Rules[i].Level {
		case InAsm:
			note = " (assembly)"
		case InIR:
			note = " (IR)"
		}
		fmt.Fprintf(b, "  * rule: %s%s\n", f.Rules[i].Text, note)
	}
}

func (a *Arg) marks() string {
	s := ""
	if a.Role == Tied {
		s += "&"
	}
	if a.Kinds&KImm != 0 {
		s += "#"
	}
	if a.Kinds&KNotPred != 0 {
		s += "!"
	}
	return s
}

// shapeWords is indexed by Shape.
var shapeWords = [...]string{
	ShNone: "", ShPred: "pred", Sh32: "32b", Sh64: "64b", ShType: ".type", Sh2Type: "2×.type", ShTo: ".to",
	ShFrom: ".from", ShPacked: "vector of .type", ShPackFrom: "vector of .from", ShAddr: "address", ShAddrFrom: "address in .from",
	ShVec: ".vec.type", ShVec32: ".vec.32b", ShAny32: "any vector of 32b", ShMov: ".type or swizzle", ShRet: "return type", ShAny: "any",
}

func (s Shape) words(k Kinds) string {
	switch {
	case k&KMem != 0:
		return "[base+offset]"
	case k&KParam != 0:
		return "[parameter+offset]"
	case k&KLabel != 0:
		return "label"
	case k&KArgList != 0:
		return "(registers)"
	case k&KReg == 0 && k&KVar != 0:
		return "@variable"
	case k&KReg == 0 && k&KFunc != 0:
		return "@function"
	}
	return shapeWords[s]
}

func qualWords(q *ir.Qual) string {
	switch q.Form {
	case ir.QualInt:
		return "0 to 63"
	case ir.QualHex:
		return "0x01 to 0xfe"
	case ir.QualFlag:
		return ""
	}
	var vals []string
	for v, name := range q.Names {
		if name == "" || !q.Allows(uint64(v)) {
			continue
		}
		if q.Optional && uint64(v) == q.Default {
			name = "**" + name + "**"
		}
		vals = append(vals, name)
	}
	return strings.Join(vals, " ")
}

var effectNames = []struct {
	bit  ir.Effects
	word string
}{
	{ir.ReadsMem, "reads memory"}, {ir.WritesMem, "writes memory"}, {ir.FenceEffect, "fence"}, {ir.Barrier, "barrier"},
	{ir.Convergent, "depends on the active lanes"}, {ir.Commutes, "src0 and src1 commute"}, {ir.ReadsLane, "differs between lanes"},
}

func effectWords(e ir.Effects) string {
	var words []string
	for _, n := range effectNames {
		if e.Has(n.bit) {
			words = append(words, n.word)
		}
	}
	return strings.Join(words, ", ")
}
