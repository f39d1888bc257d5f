package driver

import (
	"bytes"
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
	"pisac/lowering/llvmgen"
	"pisac/passes"
)

// Input is one text to compile.
type Input struct {
	Name      string
	Text      []byte
	FirstLine int // line of the file on which Text begins
}

// Result is what Compile gives.
type Result struct {
	OK      bool   // no errors; Output is whole
	Output  []byte // the representation of Options.Emit
	Diags   []ir.Diag
	Sources *ir.Sources
	Tool    error // a tool of LLVM is missing or too old
	Bug     error // the compiler is at fault

	reproducer bool // one was written
}

// Compile compiles inputs, linked together, as o says. It reads no files of
// the user, and writes those that dump flags name by o.Save.
func Compile(inputs []Input, o *Options) *Result {
	r := &Result{Sources: &ir.Sources{}}
	c := &compile{o: o, src: r.Sources}
	func() {
		defer func() {
			if x := recover(); x != nil {
				r.Bug = fmt.Errorf("%v\n%s", x, debug.Stack())
			}
		}()
		r.Output = c.run(inputs)
	}()
	if c.bug != nil {
		r.Bug = c.bug
	}
	c.finish(r)
	r.Tool = c.tool
	if o.Werror {
		c.warningsAreErrors()
	}
	if o.NoWarnings {
		c.dropWarnings()
	}
	sortDiags(c.ds.List)
	r.Diags = limitWarnings(c.ds.List)
	r.OK = r.Bug == nil && r.Tool == nil && !c.ds.HasErrors()
	if !r.OK {
		r.Output = nil
	}
	return r
}

// sortDiags puts messages in the order of the text, those without a place last.
func sortDiags(list []ir.Diag) {
	slices.SortStableFunc(list, func(a, b ir.Diag) int { return cmp.Compare(a.Loc-1, b.Loc-1) }) // NoLoc-1 is the largest
}

// maxWarnings is how many warnings a compile keeps; errors have a limit of
// their own (ir.DefaultErrorLimit).
const maxWarnings = 1000

func limitWarnings(list []ir.Diag) []ir.Diag {
	kept, warnings := list[:0], 0
	for _, d := range list {
		if d.Severity == ir.Warning {
			if warnings++; warnings > maxWarnings {
				continue
			}
		}
		kept = append(kept, d)
	}
	if warnings > maxWarnings {
		kept = append(kept, ir.Diag{Severity: ir.Warning, Code: codeManyWarnings, Text: fmt.Sprintf("%d more warnings are not shown", warnings-maxWarnings)})
	}
	return kept
}

// compile is the state of one Compile.
type compile struct {
	o    *Options
	src  *ir.Sources
	ds   ir.Diags
	tool error
	bug  error

	times  []phase
	before []byte // the module's text before the passes, for a reproducer
	header string // of that reproducer

	written   bool           // so it was
	natives   []*passes.Pass // steps of the native backend
	kernels   map[*ir.Func]*nativeKernel
	mode      target.Mode
	optimised *ir.Module // what the passes made of it
}

// run goes from one representation to the next, until the one asked for or an
// error.
func (c *compile) run(inputs []Input) []byte {
	if c.o.Emit == EmitPISA {
		return c.format(inputs)
	}
	p := c.plan()
	if c.ds.HasErrors() {
		return nil
	}
	start := time.Now()
	m := c.module(inputs)
	c.phase("front end", start, nil, nil)
	if c.ds.HasErrors() || c.bug != nil || c.o.Emit == EmitCheck && !p.explicit && !c.o.watches() {
		return nil
	}
	c.optimise(m, p)
	if c.ds.HasErrors() || c.bug != nil || c.o.Emit == EmitCheck {
		return nil
	}
	switch {
	case c.o.Emit == EmitIR || c.o.Emit == EmitAMDGPU:
		return ir.AppendText(nil, m)
	case c.o.isNative():
		return c.nativeOutput(m)
	}
	start = time.Now()
	lm := llvmgen.Emit(m, c.o.target, c.llvmOptions(), &c.ds)
	if lm == nil {
		return nil
	}
	var text bytes.Buffer
	if _, err := lm.WriteTo(&text); err != nil {
		panic(err)
	}
	c.phase("LLVM IR", start, nil, nil)
	if c.o.Emit == EmitLLVM || c.o.Werror && c.warned() {
		return text.Bytes()
	}
	start = time.Now()
	defer func() { c.phase("LLVM", start, nil, nil) }()
	return c.llvm(text.Bytes())
}

// finish writes the reports about the whole compile.
func (c *compile) finish(r *Result) {
	if c.o.TimePasses.Given {
		c.writeTimes()
	}
	r.reproducer = c.written
	if r.Bug != nil && c.optimised != nil { // behind the passes
		c.saveReproducer(c.reproducerHeader(nil, 0, c.o.Emit), firstLine(r.Bug.Error()), ir.AppendText(nil, c.optimised))
	}
}

func (c *compile) llvmOptions() llvmgen.Options {
	var opts llvmgen.Options
	if c.o.FPAtomics == "fast" {
		opts.FPAtomics = llvmgen.FPFast
	}
	switch c.o.SystemAtomic {
	case "native":
		opts.SystemAtomics = llvmgen.SystemNative
	case "cas":
		opts.SystemAtomics = llvmgen.SystemCAS
	}
	return opts
}

// module is the front end: assembly or textual IR to a verified module.
func (c *compile) module(inputs []Input) *ir.Module {
	var files []*asm.File
	for _, in := range inputs {
		f := c.src.AddAt(in.Name, in.Text, in.FirstLine)
		if f == nil {
			c.ds.Error(ir.NoLoc, ir.NoLoc, codeTooLong, fmt.Sprintf("%s: the inputs have more than %d bytes together", in.Name, uint64(ir.MaxSource)))
			return nil
		}
		if !isIR(in.Name, in.Text) {
			files = append(files, asm.Parse(f, c.asmOptions(), &c.ds))
			continue
		}
		if len(inputs) > 1 {
			c.ds.Error(f.Loc(0), ir.NoLoc, codeIRAlone, "textual IR is compiled alone: only modules of PISA assembly are linked")
			return nil
		}
		m := ir.Parse(c.src, f, dialects.All(), &c.ds)
		if m != nil && !c.ds.HasErrors() {
			ir.Verify(m, &c.ds)
		}
		return m
	}
	return c.build(files)
}

func (c *compile) warned() bool {
	for i := range c.ds.List {
		if c.ds.List[i].Severity == ir.Warning {
			return true
		}
	}
	return false
}

// warningsAreErrors is -Werror.
func (c *compile) warningsAreErrors() {
	var ds ir.Diags
	for _, d := range c.ds.List {
		if d.Severity == ir.Warning {
			d.Severity = ir.Error
		}
		ds.Add(d)
	}
	c.ds = ds
}

// dropWarnings is -w.
func (c *compile) dropWarnings() {
	kept := c.ds.List[:0]
	for _, d := range c.ds.List {
		if d.Severity != ir.Warning {
			kept = append(kept, d)
		}
	}
	c.ds.List = kept
}
