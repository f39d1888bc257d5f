package driver

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pisac/dialects/host"
	"pisac/dialects/pisa/interp"
	"pisac/driver/launch"
	"pisac/ir"
	"pisac/passes"
)

// runOptions are the command line of `pisac run`.
type runOptions struct {
	Files []string `arg:"" optional:"" name:"file" help:"Inputs: .pisa (assembly) or .pir (textual IR); - is stdin. Several are linked. None if the launch file holds the source, or lies beside it."`

	Kernel  string   `placeholder:"NAME" help:"Kernel to run; not needed if there is only one."`
	Global  string   `placeholder:"X,Y,Z" help:"Work-items in each dimension (default 1)."`
	Local   string   `placeholder:"X,Y,Z" help:"Work-items of a work-group (default: what the kernel requires, else up to 64 along X)."`
	Offset  string   `placeholder:"X,Y,Z" help:"Global offset (default 0)."`
	WorkDim int      `name:"work-dim" placeholder:"N" help:"Value of %workdim (default: the last dimension above 1)."`
	Arg     []string `sep:"none" placeholder:"SPEC" help:"A kernel argument, in order: u32:7 s32:-7 u64:7 f32:1.5 hex32:0x3f800000 buf:u32:1,2,3 buf:u32:64*0 buf:file:PATH shared:BYTES."`
	Launch  string   `placeholder:"FILE.json" help:"Launch file: kernel, range, arguments, expected results."`

	Exec         string        `default:"interp" placeholder:"HOW" help:"interp runs the pisa dialect; emu compiles for --mcpu and runs the machine code."`
	MCPU         string        `name:"mcpu" default:"gfx1100" placeholder:"CHIP" help:"Chip of --exec=emu."`
	Memory       string        `default:"strong" enum:"strong,weak" help:"Memory of --exec=emu: strong, or weak with delays and caches that are not coherent, as --seed decides."`
	Approx       uint64        `placeholder:"SEED" help:"Approximate instructions of --exec=emu (reciprocal, sine, ...) are off by what the hardware may be off, as the seed decides (default 0: correctly rounded)."`
	Seed         uint64        `help:"Order in which work-items and work-groups advance (default 0: the simplest)."`
	CheckRaces   bool          `help:"Report data races."`
	StrictBounds bool          `help:"Report vector loads that read up to 12 bytes over the end of an object."`
	StepLimit    uint64        `placeholder:"N" help:"Give up after N instructions of work-items."`
	Jobs         int           `short:"j" placeholder:"N" help:"Cores to use (default: all); results do not depend on it."`
	Stats        OptionalValue `help:"Print what was executed to stderr; =json as JSON."`
	Trace        bool          `help:"Print each instruction executed to stderr."`

	OptLevel          int    `name:"opt-level" short:"O" default:"0" enum:"0,1,2,3" help:"Run the IR after the passes of -O1, -O2 or -O3 (default -O0: as written)."`
	Passes            string `placeholder:"a,b{opt=1}" help:"Run the IR after exactly these passes."`
	CheckPasses       bool   `help:"Run after each pass of -O (default -O2) or --passes and name the first that changes a result."`
	RelaxedScope      string `default:"system" enum:"system,gpu" help:"Scope of .relaxed atomics, which name none: system or gpu."`
	FMulRounding      string `name:"fmul-default-rounding" default:"re" enum:"re,rz" help:"Rounding of fmul without a mode: re or rz."`
	DiagnosticsFormat string `default:"text" enum:"text,json" help:"Diagnostics as text, or one JSON object a line."`
	Color             string `default:"auto" enum:"auto,always,never" help:"Colour in diagnostics: auto, always or never."`
	Werror            bool   `help:"Treat warnings as errors."`
	NoWarnings        bool   `short:"w" help:"Do not show warnings."`
}

const runDescription = `Runs a kernel of PISA, in the reference interpreter or compiled in the emulator of
AMD's machine code, and prints its buffers.

With a launch file that has expectations the results are compared; the exit code is 1 where they differ.`

// runCommand is `pisac run`.
func runCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseRunArgs(args, stdout, stderr)
	switch {
	case err == errHelp:
		return exitOK
	case err != nil:
		return usage(stderr, err)
	}
	l, err := o.request()
	if err != nil {
		return runFailure(stderr, err)
	}
	inputs, err := o.inputs(l, stdin)
	if err != nil {
		return runFailure(stderr, err)
	}
	co := o.compileOptions()
	c := &compile{o: co, src: &ir.Sources{}}
	show := newDiagPrinter(co, stderr)
	m := c.module(inputs)
	if m != nil && !c.ds.HasErrors() && c.bug == nil {
		if o.CheckPasses {
			if code := o.checkPasses(c, m, l, stderr); code != exitOK {
				show.all(c.src, c.ds.List)
				return code
			}
		} else {
			o.optimise(c, m)
		}
	}
	finish := func() {
		if o.Werror {
			c.warningsAreErrors()
		}
		if o.NoWarnings {
			c.dropWarnings()
		}
		show.all(c.src, c.ds.List)
	}
	if c.bug != nil {
		reportBug(stderr, append([]string{"run"}, args...), c.bug, nil)
		return exitBug
	}
	if m == nil || c.ds.HasErrors() {
		finish()
		return exitInput
	}
	if o.Exec == "emu" {
		after := o.emulate(c, m, l, stderr)
		finish()
		switch {
		case c.bug != nil:
			reportBug(stderr, append([]string{"run"}, args...), c.bug, nil)
			return exitBug
		case after == nil || o.Werror && c.ds.HasErrors():
			return exitInput
		}
		return results(stdout, l, func(i int) []byte { return after[i].Data })
	}
	req := interpLaunch(l, o, m)
	trace := bufio.NewWriter(stderr)
	if o.Trace {
		req.Trace = trace
	}
	st := interp.Run(m, req, &c.ds)
	trace.Flush()
	finish()
	if st == nil || o.Werror && c.ds.HasErrors() {
		return exitInput
	}
	if o.Stats.Given {
		writeStats(stderr, st, o.Stats.Text)
	}
	return results(stdout, l, func(i int) []byte { return req.Args[i].Data })
}

// runFailure says what is wrong with the command line or with a file.
func runFailure(stderr io.Writer, err error) int {
	var u usageError
	if errors.As(err, &u) {
		return usage(stderr, err)
	}
	fmt.Fprintf(stderr, "pisac: error: %v\n", err)
	return exitInput
}

func parseRunArgs(args []string, stdout, stderr io.Writer) (*runOptions, error) {
	o := &runOptions{}
	if err := parseFlags(o, "pisac run", runDescription, args, stdout, stderr); err != nil {
		return nil, err
	}
	return o, o.check()
}

func (o *runOptions) check() error {
	switch {
	case o.Exec != "interp" && o.Exec != "emu":
		return usagef("unknown --exec=%s; there are interp and emu", o.Exec)
	case o.Exec == "emu" && o.CheckRaces:
		return usagef("--check-races is for --exec=interp: machine code has no races to report")
	case o.chipOf() == nil:
		return usagef("unknown --mcpu=%s; pisac list targets names them", o.MCPU)
	case o.WorkDim < 0 || o.WorkDim > 3:
		return usagef("--work-dim=%d; there are 1, 2 and 3", o.WorkDim)
	case o.Launch != "" && len(o.Arg) > 0:
		return usagef("--launch and --arg both give arguments; use one")
	case o.Launch == "" && len(o.Files) == 0:
		return usagef("no input file; - is stdin")
	}
	return o.Stats.checkForm("stats")
}

// compileOptions are those of the front end.
func (o *runOptions) compileOptions() *Options {
	return &Options{Emit: EmitIR, VerifyEach: true, OptLevel: o.OptLevel, target: o.chipOf(), RelaxedScope: o.RelaxedScope, FMulRounding: o.FMulRounding,
		DiagnosticsFormat: o.DiagnosticsFormat, Color: o.Color, Werror: o.Werror, NoWarnings: o.NoWarnings}
}

// pipeline is what -O or --passes ask for; nil if the latter is wrong.
func (o *runOptions) pipeline(c *compile) passes.Pipeline {
	p := &plan{pipeline: passes.Default(o.OptLevel)}
	if o.Passes != "" {
		p.text = c.flag("passes", o.Passes)
		p.pipeline = passes.ParsePipeline(p.text, &c.ds)
	}
	if err := p.pipeline.Check(passes.PISA); err != nil {
		c.pipelineError(p, err)
		return nil
	}
	return p.pipeline
}

// optimise runs the passes asked for on m.
func (o *runOptions) optimise(c *compile, m *ir.Module) {
	pl := o.pipeline(c)
	if len(pl) == 0 || c.ds.HasErrors() {
		return
	}
	if err := c.runner(passes.PISA).Run(m, pl); err != nil {
		c.bug = err
	}
}

// request is the launch file, or what the flags say, which come before it.
func (o *runOptions) request() (*launch.Launch, error) {
	l := &launch.Launch{}
	if o.Launch != "" {
		text, err := os.ReadFile(o.Launch)
		if err != nil {
			return nil, err
		}
		if l, err = launch.Parse(text, filepath.Dir(o.Launch)); err != nil {
			return nil, fmt.Errorf("%s: %w", o.Launch, err)
		}
	}
	for _, spec := range o.Arg {
		a, err := launch.ParseArg(spec)
		if err != nil {
			return nil, usageError{err.Error()}
		}
		l.Args = append(l.Args, a)
	}
	if o.Kernel != "" {
		l.Kernel = strings.TrimPrefix(o.Kernel, "@")
	}
	if o.WorkDim != 0 {
		l.Dims = o.WorkDim
	}
	for _, d := range []struct {
		flag, text string
		to         *[3]uint64
	}{{"global", o.Global, &l.Global}, {"local", o.Local, &l.Local}, {"offset", o.Offset, &l.Offset}} {
		if d.text == "" {
			continue
		}
		v, err := triple(d.text)
		if err != nil {
			return nil, usagef("--%s=%s: %v", d.flag, d.text, err)
		}
		if d.flag != "offset" && slices.Contains(v[:strings.Count(d.text, ",")+1], 0) {
			return nil, usagef("--%s=%s: a range has at least one work-item in each dimension", d.flag, d.text)
		}
		*d.to = v
	}
	return l, nil
}

// triple reads X[,Y[,Z]].
func triple(s string) (v [3]uint64, err error) {
	parts := strings.Split(s, ",")
	if len(parts) > 3 {
		return v, errors.New("there are three dimensions")
	}
	for i, p := range parts {
		if v[i], err = strconv.ParseUint(p, 0, 64); err != nil {
			return v, fmt.Errorf("%q is not a number", p)
		}
	}
	return v, nil
}

// inputs are the files named, or the source that goes with the launch file.
func (o *runOptions) inputs(l *launch.Launch, stdin io.Reader) ([]Input, error) {
	switch {
	case len(o.Files) > 0:
		return readInputs(o.Files, stdin)
	case l.Source != "":
		return []Input{{Name: o.Launch, Text: []byte(l.Source), FirstLine: 1}}, nil
	}
	beside := strings.TrimSuffix(o.Launch, filepath.Ext(o.Launch)) + ".pisa"
	if _, err := os.Stat(beside); err != nil {
		return nil, usagef("no input file: %s holds no source, and there is no %s", o.Launch, beside)
	}
	return readInputs([]string{beside}, stdin)
}

// interpLaunch is the interpreter's form of a launch. Its buffers are copies.
func interpLaunch(l *launch.Launch, o *runOptions, m *ir.Module) *interp.Launch {
	r := &interp.Launch{Kernel: l.Kernel, Global: l.Global, Local: l.Local, Offset: l.Offset, Dims: l.Dims,
		Args: hostArgs(l), Seed: o.Seed, Workers: o.Jobs, CheckRaces: o.CheckRaces, StrictBounds: o.StrictBounds, MaxSteps: o.StepLimit}
	r.WarnUnwritten = o.OptLevel == 0 && o.Passes == ""
	if r.Local == [3]uint64{} {
		r.Local = defaultLocal(m, r.Kernel, r.Global)
	}
	return r
}

// argKinds is the kind of each launch.Kind.
var argKinds = [...]host.ArgKind{launch.Buffer: host.ArgBuffer, launch.Scalar: host.ArgScalar, launch.Shared: host.ArgShared}

// hostArgs copies the arguments of a launch for a run, which changes buffers.
func hostArgs(l *launch.Launch) (args []host.Arg) {
	for _, a := range l.Args {
		args = append(args, host.Arg{Kind: argKinds[a.Kind], Data: append([]byte{}, a.Data...), Size: a.Size})
	}
	return args
}

func defaultLocal(m *ir.Module, kernel string, global [3]uint64) [3]uint64 {
	for _, f := range m.Funcs {
		if s := f.ReqdWorkGroupSize; f.Kind == ir.FuncKernel && (kernel == "" || f.Name == kernel) && s != [3]uint32{} {
			return [3]uint64{uint64(s[0]), uint64(s[1]), uint64(s[2])}
		}
	}
	return [3]uint64{min(max(global[0], 1), 64), 1, 1}
}

func writeStats(w io.Writer, st *interp.Stats, form string) {
	if form == "json" {
		b, err := json.Marshal(st)
		if err != nil {
			panic(err)
		}
		_, _ = w.Write(append(b, '\n'))
		return
	}
	_, _ = w.Write(st.AppendText(nil))
}

// maxDifferences is how many wrong elements of a buffer are shown.
const maxDifferences = 8

// results prints the buffers, and what differs from the expectations.
func results(stdout io.Writer, l *launch.Launch, buffer func(i int) []byte) int {
	w := bufio.NewWriter(stdout)
	var line []byte
	for i := range l.Args {
		a := &l.Args[i]
		if a.Kind != launch.Buffer {
			continue
		}
		line = fmt.Appendf(line[:0], "arg%d: %s:", i, a.Type.Name)
		data := buffer(i)
		for k := range len(data) / a.Type.Size {
			line = a.Type.AppendText(append(line, ' '), a.Type.Get(data, k))
			if len(line) > 1<<15 {
				_, _ = w.Write(line)
				line = line[:0]
			}
		}
		_, _ = w.Write(append(line, '\n'))
	}
	code := exitOK
	for i := range l.Expect {
		e := &l.Expect[i]
		list, total := e.Compare(buffer(e.Arg), maxDifferences)
		for _, d := range list {
			fmt.Fprintln(w, d)
		}
		if total > len(list) {
			fmt.Fprintf(w, "arg%d: %d more elements differ\n", e.Arg, total-len(list))
		}
		if total > 0 {
			code = exitInput
		}
	}
	if len(l.Expect) > 0 && code == exitOK {
		fmt.Fprintln(w, "all results are as expected")
	}
	if err := w.Flush(); err != nil {
		return exitInput
	}
	return code
}
