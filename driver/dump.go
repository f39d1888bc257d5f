package driver

import (
	"fmt"
	"hash/fnv"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/aymanbagabas/go-udiff"

	"pisac/ir"
	"pisac/passes"
)

// dumper shows the IR around passes as the flags say. Its hooks are called
// for several functions at a time.
type dumper struct {
	c     *compile
	p     *plan
	m     *ir.Module
	funcs map[*ir.Func]*dumped // those to dump; not changed after newDumper
	order []*ir.Func           // they in the order of the module
	once  sync.Once            // reports the first file that cannot be written
}

// dumped is what is remembered of a function.
type dumped struct {
	last   string // its text, values named by id
	files  int    // written to --print-ir-dir
	gone   bool   // a module pass removed the function
	stages []stage
}

func newDumper(c *compile, p *plan, m *ir.Module) *dumper {
	d := &dumper{c: c, p: p, m: m, funcs: map[*ir.Func]*dumped{}}
	d.order = c.matching(p, m)
	for _, f := range d.order {
		d.funcs[f] = &dumped{}
		if d.changes() {
			d.funcs[f].last = stableText(f)
		}
		if c.o.DumpHTML != "" {
			d.funcs[f].stages = []stage{newStage("input", "", f)}
		}
	}
	return d
}

// changes reports whether functions are compared with what they were.
func (d *dumper) changes() bool {
	return d.c.o.PrintIRAfterChange || d.c.o.PrintIRDiff || d.c.o.DumpHTML != ""
}

// stableText is the text of f with names that last.
func stableText(f *ir.Func) string {
	var b strings.Builder
	p := ir.NewPrinter(&b)
	p.ByID = true
	_ = p.Func(f) // a Builder takes everything
	return b.String()
}

// beforeHook returns what Runner.Before is to be; nil if nothing.
func (d *dumper) beforeHook() func(io.Writer, int, *passes.Step, *ir.Module, *ir.Func) {
	if !d.c.o.PrintIRBefore.Given {
		return nil
	}
	return func(out io.Writer, i int, s *passes.Step, m *ir.Module, f *ir.Func) {
		if d.p.before[i] {
			d.dump(out, "Before", s.Pass, m, f)
		}
	}
}

// afterHook returns what Runner.After is to be; nil if nothing.
func (d *dumper) afterHook() func(io.Writer, int, *passes.Step, *ir.Module, *ir.Func, bool) {
	o := d.c.o
	all := o.PrintIRAfter.Given || o.PrintIRAfterAll
	if o.PrintIRDir != "" && !all && !o.PrintIRBefore.Given && !o.PrintIRAfterChange && !o.PrintIRDiff {
		all = true // a directory alone takes everything
		for i := range d.p.after {
			d.p.after[i] = true
		}
	}
	if !all && !d.changes() {
		return nil
	}
	return func(out io.Writer, i int, s *passes.Step, m *ir.Module, f *ir.Func, changed bool) {
		if d.p.after[i] {
			d.dump(out, "After", s.Pass, m, f)
		}
		if !changed || !d.changes() {
			return
		}
		if f != nil {
			d.change(out, s, f, d.p.after[i])
			return
		}
		left := make(map[*ir.Func]bool, len(m.Funcs))
		for _, g := range m.Funcs {
			left[g] = true
		}
		for _, g := range d.order {
			if st := d.funcs[g]; !left[g] && !st.gone {
				st.gone = true
				d.changed(out, s, g, "")
			} else if left[g] {
				d.change(out, s, g, d.p.after[i])
			}
		}
	}
}

// dump shows f, or if it is nil every function.
func (d *dumper) dump(out io.Writer, when string, p *passes.Pass, m *ir.Module, f *ir.Func) {
	switch {
	case f != nil:
		d.function(out, when, p, f)
	case d.p.filter == nil && d.c.o.PrintIRDir == "":
		_, _ = fmt.Fprintf(out, "%s%s\n", banner(when, p), ir.AppendText(nil, m))
	default:
		for _, g := range m.Funcs {
			d.function(out, when, p, g)
		}
	}
}

func (d *dumper) function(out io.Writer, when string, p *passes.Pass, f *ir.Func) {
	s := d.funcs[f]
	switch {
	case s == nil:
	case d.c.o.PrintIRDir != "":
		name := p.Name
		if when == "Before" {
			name = "before-" + name
		}
		d.file(s, f, name+".pir", ir.AppendExcerpt([]byte(banner(when, p)), f))
	default:
		_, _ = fmt.Fprintf(out, "%s%s\n", banner(when, p), ir.AppendFunc(nil, f))
	}
}

// change shows f if a pass changed it; shown says that its text was.
func (d *dumper) change(out io.Writer, st *passes.Step, f *ir.Func, shown bool) {
	s := d.funcs[f]
	if s == nil {
		return
	}
	text := stableText(f)
	if text == s.last {
		return
	}
	if d.c.o.PrintIRAfterChange && !shown {
		d.function(out, "After", st.Pass, f)
	}
	d.changed(out, st, f, text)
}

// changed notes the new text of f, which is empty if it was removed.
func (d *dumper) changed(out io.Writer, st *passes.Step, f *ir.Func, text string) {
	s := d.funcs[f]
	if d.c.o.PrintIRDiff {
		diff := unified("before "+st.Pass.Name, "after "+st.Pass.Name, s.last, text)
		if d.c.o.PrintIRDir != "" {
			d.file(s, f, st.Pass.Name+".diff", []byte(diff))
		} else {
			if d.c.o.LogColor {
				diff = coloured(diff)
			}
			_, _ = fmt.Fprintf(out, "%s%s\n", banner("After", st.Pass), diff)
		}
	}
	if d.c.o.DumpHTML != "" {
		if s.gone {
			s.stages = append(s.stages, stage{name: st.Pass.Name, title: st.String(), gone: true})
		} else {
			s.stages = append(s.stages, newStage(st.Pass.Name, st.String(), f))
		}
	}
	s.last = text
}

// banner is MLIR's, so that viewers of its dumps find the passes.
func banner(when string, p *passes.Pass) string {
	return "// -----// IR Dump " + when + " " + camel(p.Name) + " (" + p.Name + ") //----- //\n"
}

// camel spells store-forward as StoreForward.
func camel(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// file writes the next file of f.
func (d *dumper) file(s *dumped, f *ir.Func, name string, text []byte) {
	path := filepath.Join(d.c.o.PrintIRDir, fileName(f.Name), fmt.Sprintf("%03d-%s", s.files, name))
	s.files++
	if d.c.o.Save == nil {
		return
	}
	if err := d.c.o.Save(path, text); err != nil {
		d.once.Do(func() { d.c.ds.Error(ir.NoLoc, ir.NoLoc, codeFile, "--print-ir-dir: "+pathError(err)) })
	}
}

// maxFileName is how long the name of a function's directory gets.
const maxFileName = 100

// fileName makes a name of a directory out of any symbol, different ones for
// different symbols.
func fileName(sym string) string {
	if sym == "" {
		return "%"
	}
	var b strings.Builder
	for i := range len(sym) {
		c := sym[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '.' && i > 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	if b.Len() > maxFileName {
		h := fnv.New64a()
		_, _ = io.WriteString(h, sym)
		return fmt.Sprintf("%s%%%016x", b.String()[:maxFileName], h.Sum64())
	}
	return b.String()
}

// finish writes what all passes together gave.
func (d *dumper) finish() {
	if name := d.c.o.DumpHTML; name != "" {
		d.c.save("dump-html", name, d.html())
	}
}

// unified is the difference between two texts.
func unified(from, to, a, b string) string { return udiff.Unified(from, to, a, b) }

// coloured colours a unified diff for a terminal.
func coloured(diff string) string {
	const red, green, cyan, bold, reset = "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[1m", "\x1b[0m"
	var b strings.Builder
	for line := range strings.Lines(diff) {
		text := strings.TrimSuffix(line, "\n")
		color := ""
		switch {
		case strings.HasPrefix(text, "+++ "), strings.HasPrefix(text, "--- "):
			color = bold
		case strings.HasPrefix(text, "@@"):
			color = cyan
		case strings.HasPrefix(text, "+"):
			color = green
		case strings.HasPrefix(text, "-"):
			color = red
		}
		if color == "" {
			b.WriteString(line)
		} else {
			b.WriteString(color + text + reset + "\n")
		}
	}
	return b.String()
}
