package driver

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
	"pisac/passes"
	"pisac/passes/litmus"
)

const codeLitmus = "PISAC-E006"

// litmusOptions are the command line of `pisac litmus`.
type litmusOptions struct {
	Files []string `arg:"" name:"file" help:"Litmus tests: .pisa with a header of //@ lines, or .json; - is stdin."`

	Model    string `default:"base" placeholder:"M,…" help:"Memory models, each of words joined by +: base cxx20 lb none lenient own fence_before fence (docs/memory-model.md)."`
	Format   string `default:"text" enum:"text,json" help:"text, or json: one object a line for each file and model."`
	Witness  bool   `help:"Print the execution that decides the condition, or the one with the race."`
	DOT      string `name:"dot" placeholder:"FILE" help:"Write that execution for Graphviz; - is stdout."`
	SVG      string `name:"svg" placeholder:"FILE" help:"Write that execution as a picture; - is stdout."`
	Export   string `placeholder:"KIND" help:"Instead of checking, print the test as pisa, c (herd7, C11) or opencl (Dartagnan)."`
	Passes   string `placeholder:"a,b{opt=1}" help:"Run these passes and report the final states and races that they add."`
	Target   string `placeholder:"CHIP" help:"Check what the chip's instruction sequences do to the test against the model lb."`
	Symmetry bool   `help:"Explore equal work-items in one order only; counts are then of that order."`

	RelaxedScope      string `default:"system" enum:"system,gpu" help:"Scope of .relaxed atomics, which name none: system or gpu."`
	DiagnosticsFormat string `default:"text" enum:"text,json" help:"Diagnostics as text, or one JSON object a line."`
	Color             string `default:"auto" enum:"auto,always,never" help:"Colour in diagnostics: auto, always or never."`

	models []litmus.Model
	chip   *target.Target
}

const litmusDescription = `Says which final states a small concurrent program may have under PISA's memory model.

The exit code is 1 if a file is at fault, a pass adds an outcome, or a target's code does.`

// litmusTest is one file, ready to check.
type litmusTest struct {
	name    string
	program func() (*litmus.Program, error)
	json    *litmus.File
	module  func() (*ir.Module, *litmus.Spec) // nil for JSON
}

// litmusCommand is `pisac litmus`.
func litmusCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseLitmusArgs(args, stdout, stderr)
	switch {
	case err == errHelp:
		return exitOK
	case err != nil:
		return usage(stderr, err)
	}
	out := bufio.NewWriter(stdout)
	defer out.Flush()
	code := exitOK
	for _, name := range o.Files {
		inputs, err := readInputs([]string{name}, stdin)
		if err != nil {
			fmt.Fprintf(stderr, "pisac: error: %v\n", err)
			code = exitInput
			continue
		}
		if c := o.file(inputs[0], out, stderr, args); c != exitOK {
			if code = c; c == exitBug {
				return code
			}
		}
	}
	return code
}

func parseLitmusArgs(args []string, stdout, stderr io.Writer) (*litmusOptions, error) {
	o := &litmusOptions{}
	if err := parseFlags(o, "pisac litmus", litmusDescription+"\n\nModels:\n"+litmus.ModelHelp(), args, stdout, stderr); err != nil {
		return nil, err
	}
	for w := range strings.SplitSeq(o.Model, ",") {
		m, err := litmus.ParseModel(w)
		if err != nil {
			return nil, usageError{err.Error()}
		}
		o.models = append(o.models, m)
	}
	switch {
	case o.Export != "" && o.Export != "pisa" && o.Export != "c" && o.Export != "opencl":
		return nil, usagef("unknown --export=%s; there are pisa, c and opencl", o.Export)
	case o.Target != "":
		if o.chip = target.ByName(o.Target); o.chip == nil {
			return nil, usagef("unknown --target=%s; pisac list targets shows them", o.Target)
		}
	}
	return o, nil
}

// file checks one litmus test under every model.
func (o *litmusOptions) file(in Input, w *bufio.Writer, stderr io.Writer, args []string) int {
	co := &Options{Emit: EmitIR, VerifyEach: true, RelaxedScope: o.RelaxedScope, DiagnosticsFormat: o.DiagnosticsFormat, Color: o.Color}
	c := &compile{o: co, src: &ir.Sources{}}
	show := newDiagPrinter(co, stderr)
	fail := func(err error) int {
		c.litmusError(in, err)
		show.all(c.src, c.ds.List)
		return exitInput
	}
	t, err := o.read(c, in)
	if c.bug != nil {
		reportBug(stderr, append([]string{"litmus"}, args...), c.bug, nil)
		return exitBug
	}
	if err != nil || c.ds.HasErrors() {
		return fail(err)
	}
	show.all(c.src, c.ds.List)
	c.ds.List = nil
	switch {
	case o.Export != "":
		return o.export(t, w, fail)
	case o.Passes != "":
		return o.comparePasses(c, t, w, fail, stderr, args)
	case o.chip != nil:
		return o.machine(t, w, fail)
	}
	var checker litmus.Checker
	for _, m := range o.models {
		p, err := t.program()
		if err != nil {
			return fail(err)
		}
		r, err := checker.Check(p, litmus.Options{Model: m, Symmetry: o.Symmetry})
		if err != nil {
			return fail(err)
		}
		if o.Format == "json" {
			w.Write(r.JSON(in.Name))
		} else {
			r.WriteText(w, o.Witness)
		}
		if err := o.pictures(r, w); err != nil {
			fmt.Fprintf(stderr, "pisac: error: %v\n", err)
			return exitInput
		}
	}
	return exitOK
}

// litmusError adds err as a diagnostic of the file.
func (c *compile) litmusError(in Input, err error) {
	var he *litmus.HeaderError
	var pe *litmus.ProgramError
	loc := ir.NoLoc
	switch {
	case err == nil:
		return
	case errors.As(err, &pe):
		c.ds.Error(pe.Loc, ir.NoLoc, codeLitmus, pe.Msg)
		return
	case errors.As(err, &he):
		c.ds.Error(ir.NoLoc, ir.NoLoc, codeLitmus, fmt.Sprintf("%s:%d: %s", in.Name, he.Line, he.Msg))
		return
	}
	c.ds.Error(loc, ir.NoLoc, codeLitmus, fmt.Sprintf("%s: %v", in.Name, err))
}

// read makes a test of a file: JSON by its first character, else assembly.
func (o *litmusOptions) read(c *compile, in Input) (*litmusTest, error) {
	if trimmed := strings.TrimSpace(string(in.Text)); strings.HasPrefix(trimmed, "{") {
		p, f, err := litmus.ReadJSON(in.Text)
		if err != nil {
			return nil, err
		}
		first := p
		return &litmusTest{name: in.Name, json: f, program: func() (*litmus.Program, error) {
			if first != nil { // a program is used for one check at a time
				p, first = first, nil
				return p, nil
			}
			return f.Program()
		}}, nil
	}
	spec, err := litmus.ParseHeader(in.Text)
	if err != nil {
		return nil, err
	}
	src := c.src.AddAt(in.Name, in.Text, 1)
	if src == nil {
		return nil, fmt.Errorf("the file is too long")
	}
	parsed := asm.Parse(src, c.asmOptions(), &c.ds)
	if c.ds.HasErrors() {
		return nil, nil
	}
	text, err := litmus.Instrument(parsed, in.Text, spec)
	if err != nil {
		return nil, err
	}
	src = c.src.AddAt(in.Name, text, 1)
	if src == nil {
		return nil, fmt.Errorf("the file is too long")
	}
	files := []*asm.File{asm.Parse(src, c.asmOptions(), &c.ds)}
	if c.ds.HasErrors() {
		return nil, nil
	}
	build := func() *ir.Module {
		var fresh compile = *c
		fresh.ds = ir.Diags{}
		f := []*asm.File{asm.Parse(src, c.asmOptions(), &fresh.ds)}
		m := fresh.build(f)
		for _, it := range spec.Run { // something starts them, so that passes keep them
			m.Func(it.Func).Linkage = ir.LinkExport
		}
		return m
	}
	m := c.build(files)
	if m == nil {
		return nil, nil
	}
	c.dropWarnings() // of registers that only the header reads
	return &litmusTest{name: in.Name,
		program: func() (*litmus.Program, error) { return litmus.FromModule(m, spec) },
		module:  func() (*ir.Module, *litmus.Spec) { return build(), spec },
	}, nil
}

// pictures writes the witness of r where --dot and --svg say.
func (o *litmusOptions) pictures(r *litmus.Result, w io.Writer) error {
	exec := r.Witness
	if r.Race != nil {
		exec = r.Race.Exec
	}
	for _, p := range []struct {
		file  string
		write func(*litmus.Execution, io.Writer)
	}{{o.DOT, (*litmus.Execution).WriteDOT}, {o.SVG, (*litmus.Execution).WriteSVG}} {
		switch {
		case p.file == "":
		case exec == nil:
			return fmt.Errorf("%s: nothing to draw: no execution decides the condition and none has a race", p.file)
		case p.file == "-":
			p.write(exec, w)
		default:
			f, err := os.Create(p.file)
			if err != nil {
				return err
			}
			p.write(exec, f)
			if err := f.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}

// export prints the test in another form.
func (o *litmusOptions) export(t *litmusTest, w io.Writer, fail func(error) int) int {
	var text []byte
	var err error
	switch {
	case t.json == nil && o.Export == "pisa":
		return fail(fmt.Errorf("the test is PISA already"))
	case o.Export == "pisa":
		text, err = t.json.PISA()
	default:
		var p *litmus.Program
		if p, err = t.program(); err == nil {
			text, err = p.Export(o.Export == "opencl")
		}
	}
	if err != nil {
		return fail(err)
	}
	w.Write(text)
	return exitOK
}

// comparePasses reports what --passes adds to the test.
func (o *litmusOptions) comparePasses(c *compile, t *litmusTest, w io.Writer, fail func(error) int, stderr io.Writer, args []string) int {
	if t.module == nil {
		text, err := t.json.PISA()
		if err == nil {
			t, err = o.read(c, Input{Name: t.name, Text: text, FirstLine: 1})
		}
		if err != nil || c.ds.HasErrors() {
			return fail(err)
		}
	}
	pl := passes.ParsePipeline(c.src.Add("--passes", []byte(o.Passes)), &c.ds)
	if c.ds.HasErrors() {
		return fail(nil)
	}
	code := exitOK
	for _, m := range o.models {
		before, spec := t.module()
		after, _ := t.module()
		r := passes.Runner{Target: target.Default(), VerifyEach: true}
		var fault *passes.PassError
		switch err := r.Run(after, pl); {
		case errors.As(err, &fault):
			reportBug(stderr, append([]string{"litmus"}, args...), err, nil)
			return exitBug
		case err != nil:
			return fail(err)
		}
		d, err := litmus.CompareModules(before, after, spec, m)
		if err != nil {
			return fail(err)
		}
		if !d.Sound() {
			code = exitInput
		}
		if o.Format == "json" {
			w.Write(d.JSON(t.name))
		} else {
			d.WriteText(w)
		}
	}
	return code
}

// machine checks the code that the target's tables give against the model.
func (o *litmusOptions) machine(t *litmusTest, w io.Writer, fail func(error) int) int {
	code := exitOK
	for _, mode := range o.chip.Modes() {
		p, err := t.program()
		if err != nil {
			return fail(err)
		}
		r, err := litmus.CheckMachine(p, mode)
		if err != nil {
			return fail(err)
		}
		if len(r.Outside) > 0 {
			code = exitInput
		}
		if o.Format == "json" {
			w.Write(r.JSON(t.name))
		} else {
			r.WriteText(w)
		}
	}
	return code
}
