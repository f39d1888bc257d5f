package driver

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"pisac/ir"
	"pisac/passes"
)

// Codes of diagnostics about these options.
const (
	codeFlag = "PISAC-E010"
	codeFile = "PISAC-E011"
)

var passCodes = []ir.CodeDoc{
	{Code: codeFlag, Text: "The value of an option is not what it should be: the name of a pass (pisac --list-passes), a regular expression in Go's syntax, or one that matches a function."},
	{Code: codeFile, Text: "A file that an option names cannot be written."},
	{Code: "PASS-E001", Text: "A pipeline is passes with commas between them, each with options in braces if need be: a,b{opt=1 flag},c (pisac --list-passes)."},
}

// PassFlags are the options about passes.
type PassFlags struct {
	Passes     *string `placeholder:"a,b{opt=1}" help:"Run exactly these passes, not those of -O; none if empty."`
	ListPasses bool    `help:"List the passes, with their options, and leave."`
	StartAfter string  `placeholder:"P[,N]" help:"Leave out the pipeline up to pass P, the N-th of this name."`
	StopAfter  string  `placeholder:"P[,N]" help:"Leave out what follows pass P; --emit=ir is then the default, or amdgpu."`
	StopBefore string  `placeholder:"P[,N]" help:"Leave out pass P and what follows; --emit=ir is then the default."`

	VerifyRoundtrip bool `help:"Print, parse and print the IR after each pass, and compare."`

	PrintIRBefore      OptionalValue `name:"print-ir-before" help:"Print the IR before each pass, or =P,Q before these (to stderr, as all dumps)."`
	PrintIRAfter       OptionalValue `name:"print-ir-after" help:"Print the IR after each pass, or =P,Q after these."`
	PrintIRAfterAll    bool          `name:"print-ir-after-all" help:"Print the IR after each pass."`
	PrintIRAfterChange bool          `name:"print-ir-after-change" help:"Print the IR of functions that a pass changed."`
	PrintIRDiff        bool          `name:"print-ir-diff" help:"Print what a pass changed, as a unified diff; values are named by their id."`
	PrintIRDir         string        `name:"print-ir-dir" placeholder:"DIR" help:"Write dumps to numbered files DIR/FUNCTION/NNN-PASS.pir instead."`
	FilterFunc         string        `name:"filter-func" placeholder:"RE" help:"Dump only functions whose name matches."`
	DumpHTML           string        `name:"dump-html" placeholder:"FILE" help:"Write a page that shows each function after each pass that changed it."`

	TimePasses     OptionalValue `help:"Print how long each step took; =json as JSON."`
	Stats          OptionalValue `help:"Print what passes counted; =json as JSON."`
	Remarks        OptionalValue `help:"Show what passes did, or did not and why; =RE for passes whose name matches."`
	RemarksOutput  string        `placeholder:"FILE" help:"Write remarks to FILE in LLVM's YAML format instead."`
	OptBisectLimit *int          `placeholder:"N" help:"Do only the first N passes and single rewrites (-1: all), and print their numbers."`

	CrashReproducer string `placeholder:"FILE" help:"If a pass fails, write to FILE a module that shows it: pisac FILE runs it again."`
}

// OptionalValue is a flag that may stand alone or have a value behind '='.
// Values of several occurrences are joined by commas.
type OptionalValue struct {
	Given bool
	Text  string
}

// Decode implements kong.MapperValue.
func (v *OptionalValue) Decode(ctx *kong.DecodeContext) error {
	v.Given = true
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		return nil
	}
	if v.Text != "" {
		v.Text += ","
	}
	v.Text += ctx.Scan.Pop().String()
	return nil
}

// IsBool implements kong.BoolMapperValue: the flag takes no further word.
func (*OptionalValue) IsBool() bool { return true }

// checkForm is a usage error unless v is plain or =json.
func (v *OptionalValue) checkForm(flag string) error {
	if v.Text != "" && v.Text != "json" {
		return usagef("unknown --%s=%s; there are --%s and --%s=json", flag, v.Text, flag, flag)
	}
	return nil
}

// resolvePasses checks what needs no input.
func (o *Options) resolvePasses() error {
	if o.SplitInputFile {
		for _, f := range []struct{ name, val string }{{"print-ir-dir", o.PrintIRDir}, {"dump-html", o.DumpHTML}, {"crash-reproducer", o.CrashReproducer}, {"remarks-output", o.RemarksOutput}} {
			if f.val != "" {
				return usagef("--%s takes one module: leave out --split-input-file", f.name)
			}
		}
	}
	if slices.Contains(o.Files, o.CrashReproducer) {
		return usagef("--crash-reproducer=%s would overwrite the input", o.CrashReproducer)
	}
	return errors.Join(o.TimePasses.checkForm("time-passes"), o.Stats.checkForm("stats"))
}

// watches reports that a flag asks what the passes do, so that they run even
// for --emit=check.
func (f *PassFlags) watches() bool {
	return f.PrintIRBefore.Given || f.PrintIRAfter.Given || f.PrintIRAfterAll || f.PrintIRAfterChange || f.PrintIRDiff ||
		f.PrintIRDir != "" || f.DumpHTML != "" || f.Stats.Given || f.Remarks.Given || f.RemarksOutput != "" ||
		f.OptBisectLimit != nil || f.CrashReproducer != "" || f.VerifyRoundtrip
}

// plan is what PassFlags mean.
type plan struct {
	pipeline passes.Pipeline
	skipped  passes.Pipeline // what --start-after left out
	pisa     int             // steps before those of the native backend, if it runs
	explicit bool            // the pipeline was given by --passes
	text     *ir.SourceFile  // of --passes
	before   []bool          // by step: dump
	after    []bool
	filter   *regexp.Regexp
	filterAt *ir.SourceFile
	remarks  *regexp.Regexp
}

// plan reads the flags that hold text; mistakes get a caret into it.
func (c *compile) plan() *plan {
	o := c.o
	p := &plan{}
	if o.Passes != nil {
		p.explicit = true
		if *o.Passes != "" {
			p.text = c.flag("passes", *o.Passes)
			p.pipeline = passes.ParsePipeline(p.text, &c.ds)
		}
	} else {
		p.pipeline = passes.Default(o.OptLevel)
	}
	if o.isNative() {
		p.pisa = len(p.pipeline)
		p.pipeline = append(p.pipeline[:p.pisa:p.pisa], c.nativeSteps()...)
	}
	if !c.ds.HasErrors() {
		c.cut(p)
	}
	p.before = c.selected(p, "print-ir-before", &o.PrintIRBefore, false)
	p.after = c.selected(p, "print-ir-after", &o.PrintIRAfter, o.PrintIRAfterAll)
	if o.FilterFunc != "" {
		p.filterAt = c.flag("filter-func", o.FilterFunc)
		p.filter = c.regexp(p.filterAt)
	}
	if o.Remarks.Given || o.RemarksOutput != "" {
		p.remarks = c.regexp(c.flag("remarks", o.Remarks.Text))
	}
	return p
}

// flag registers the text of a flag, for carets.
func (c *compile) flag(name, text string) *ir.SourceFile {
	return c.src.Add("--"+name, []byte(text))
}

func (c *compile) flagError(f *ir.SourceFile, from, to int, text string) {
	c.ds.Error(f.Loc(from), f.Loc(to), codeFlag, text)
}

// regexp compiles a flag's text.
func (c *compile) regexp(f *ir.SourceFile) *regexp.Regexp {
	text := string(f.Text)
	re, err := regexp.Compile(text)
	if err == nil {
		return re
	}
	from, to, why := 0, len(text), err.Error()
	var se *syntax.Error
	if errors.As(err, &se) {
		why = string(se.Code)
		if i := strings.LastIndex(text, se.Expr); i >= 0 {
			from, to = i, i+len(se.Expr)
		}
	}
	c.flagError(f, from, to, "bad regular expression: "+why)
	return nil
}

// passName reports a mistake unless text[from:to] is a pass.
func (c *compile) passName(f *ir.SourceFile, from, to int) *passes.Pass {
	name := string(f.Text[from:to])
	p := passes.Lookup(name)
	for _, q := range c.nativePasses() {
		if q.Name == name {
			p = q
		}
	}
	if p == nil {
		var names []string
		for _, q := range passes.All() {
			names = append(names, q.Name)
		}
		for _, q := range c.nativePasses() {
			names = append(names, q.Name)
		}
		c.flagError(f, from, to, fmt.Sprintf("'%s' is not a pass%s (--list-passes)", name, didYouMean(name, names)))
	}
	return p
}

// selected marks the steps that a dump flag names: all if it has no value.
func (c *compile) selected(p *plan, flag string, v *OptionalValue, all bool) []bool {
	marks := make([]bool, len(p.pipeline))
	if v.Given && v.Text == "" || all {
		for i := range marks {
			marks[i] = true
		}
	}
	if v.Text == "" {
		return marks
	}
	f := c.flag(flag, v.Text)
	for at := 0; at <= len(v.Text); {
		end := len(v.Text)
		if k := strings.IndexByte(v.Text[at:], ','); k >= 0 {
			end = at + k
		}
		if q := c.passName(f, at, end); q != nil {
			for i := range p.pipeline {
				marks[i] = marks[i] || p.pipeline[i].Pass == q
			}
		}
		at = end + 1
	}
	return marks
}

// cut applies --start-after, --stop-after and --stop-before.
func (c *compile) cut(p *plan) {
	start, stop := 0, len(p.pipeline)
	for _, f := range []struct {
		name, text string
		to         *int
		add        int
	}{
		{"start-after", c.o.StartAfter, &start, 1},
		{"stop-after", c.o.StopAfter, &stop, 1},
		{"stop-before", c.o.StopBefore, &stop, 0},
	} {
		if f.text == "" {
			continue
		}
		file := c.flag(f.name, f.text)
		i, ok := c.step(p.pipeline, file)
		if !ok {
			return
		}
		switch {
		case f.to == &start:
			start = i + f.add
		case i+f.add < start:
			c.flagError(file, 0, len(f.text), fmt.Sprintf("the pipeline would stop before --start-after=%s", c.o.StartAfter))
			return
		default:
			stop = min(stop, i+f.add)
		}
	}
	p.skipped, p.pipeline = p.pipeline[:start], p.pipeline[start:stop]
}

// step finds the step that P or P,N names.
func (c *compile) step(pl passes.Pipeline, f *ir.SourceFile) (int, bool) {
	text := string(f.Text)
	name, nth, hasNth := strings.Cut(text, ",")
	n := 1
	if hasNth {
		var err error
		if n, err = strconv.Atoi(nth); err != nil || n < 1 {
			c.flagError(f, len(name)+1, len(text), "expected which pass of this name: 1, 2, …")
			return 0, false
		}
	}
	q := c.passName(f, 0, len(name))
	if q == nil {
		return 0, false
	}
	seen := 0
	for i := range pl {
		if pl[i].Pass == q {
			if seen++; seen == n {
				return i, true
			}
		}
	}
	switch seen {
	case 0:
		c.flagError(f, 0, len(name), fmt.Sprintf("pass %s is not in the pipeline: %s", name, shown(pl)))
	default:
		c.flagError(f, len(name)+1, len(text), fmt.Sprintf("the pipeline has %s only %d times: %s", name, seen, shown(pl)))
	}
	return 0, false
}

func shown(pl passes.Pipeline) string {
	if len(pl) == 0 {
		return "it is empty"
	}
	return pl.String()
}

// matching returns the functions with a body that --filter-func lets through.
func (c *compile) matching(p *plan, m *ir.Module) []*ir.Func {
	var set []*ir.Func
	var names []string
	for _, f := range m.Funcs {
		if f.IsDecl() {
			continue
		}
		names = append(names, f.Name)
		if p.filter == nil || p.filter.MatchString(f.Name) {
			set = append(set, f)
		}
	}
	if p.filter != nil && len(set) == 0 {
		text := "no function of the module matches"
		if near := didYouMean(c.o.FilterFunc, names); near != "" {
			text += near
		} else if len(names) > 0 {
			text += ": it has @" + strings.Join(names[:min(len(names), 8)], ", @")
			if len(names) > 8 {
				text += fmt.Sprintf(" and %d more", len(names)-8)
			}
		}
		c.flagError(p.filterAt, 0, len(p.filterAt.Text), text)
	}
	return set
}
