package driver

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
	"pisac/passes"
)

// optimise runs the pipeline of p on m, with the dumps and reports asked for.
func (c *compile) optimise(m *ir.Module, p *plan) {
	have := p.skipped.After(passes.PISA)
	if err := p.pipeline.Check(have); err != nil {
		c.pipelineError(p, err)
		return
	}
	d := newDumper(c, p, m)
	if c.ds.HasErrors() {
		return
	}
	c.keepReproducer(m, p)
	if c.o.isNative() {
		c.startNative(m)
	}
	r := passes.Runner{Target: c.chip(), VerifyEach: c.o.VerifyEach && !c.o.NoVerify, Have: have, Remarks: p.remarks,
		FastFPAtomics: c.o.FPAtomics == "fast",
		Timing:        c.o.TimePasses.Given, Before: d.beforeHook(), After: d.afterHook(), Out: c.log()}
	r.GivenUp = c.givenUp
	r.Check = c.checks(r.VerifyEach)
	if n := c.o.OptBisectLimit; n != nil {
		r.BisectLog, r.BisectLimit = c.log(), *n
	}
	start := time.Now()
	err := r.Run(m, p.pipeline)
	c.phase("passes", start, p.pipeline, r.Times)
	d.finish()
	c.endNative(m)
	c.remarks(r.List)
	if c.o.Stats.Given {
		c.writeStats(p.pipeline, r.Stats)
	}
	var fault *passes.PassError
	switch {
	case errors.As(err, &fault):
		c.bug = err
		if fault.Stack != "" {
			c.bug = fmt.Errorf("%w\n%s", err, fault.Stack)
		}
		c.shrinkReproducer(p, fault)
	case err != nil:
		c.pipelineError(p, err)
	case c.ds.HasErrors():
	case len(p.pipeline) > 0 && !c.o.VerifyEach && !c.o.NoVerify:
		if c.verify(m, "the passes"); c.bug != nil && c.written {
			c.saveReproducer(c.header, c.bug.Error(), c.before)
		}
	}
	if c.written && c.bug == nil {
		c.optimised = m
	}
}

// checks is what Runner.Check is to be: the questions of the flags.
func (c *compile) checks(verify bool) func(*passes.Step, *ir.Module, *ir.Func) string {
	trip, encode := c.o.VerifyRoundtrip, verify && c.o.isNative()
	if !trip && !encode {
		return nil
	}
	return func(s *passes.Step, m *ir.Module, f *ir.Func) string {
		if trip {
			if text := roundtrip(s, m, f); text != "" {
				return text
			}
		}
		if encode {
			return c.encodable(f)
		}
		return ""
	}
}

// chip is the target that passes ask; Options made without the command line
// have but its name, or none.
func (c *compile) chip() *target.Target {
	if c.o.target != nil {
		return c.o.target
	}
	if t := target.ByName(c.o.MCPU); t != nil {
		return t
	}
	return target.Default()
}

// pipelineError reports a pass that lacks what it needs.
func (c *compile) pipelineError(p *plan, err error) {
	var se *passes.StateError
	if p.text == nil || !errors.As(err, &se) {
		c.ds.Error(ir.NoLoc, ir.NoLoc, codePipeline, err.Error())
		return
	}
	from, to := stepRange(string(p.text.Text), se.Step+len(p.skipped))
	c.ds.Error(p.text.Loc(from), p.text.Loc(to), codePipeline, err.Error())
}

// stepRange finds step i in the text of a pipeline.
func stepRange(text string, i int) (from, to int) {
	depth := 0
	for k, ch := range text {
		switch {
		case ch == '{':
			depth++
		case ch == '}':
			depth--
		case ch == ',' && depth == 0:
			if i == 0 {
				return from, k
			}
			i--
			from = k + 1
		}
	}
	return from, len(text)
}

// log is where dumps and reports go.
func (c *compile) log() io.Writer {
	if c.o.Log == nil {
		return io.Discard
	}
	return c.o.Log
}

// save writes a file that a flag names.
func (c *compile) save(flag, name string, text []byte) {
	if c.o.Save == nil {
		return
	}
	if err := c.o.Save(name, text); err != nil {
		c.ds.Error(ir.NoLoc, ir.NoLoc, codeFile, fmt.Sprintf("--%s: %s", flag, pathError(err)))
	}
}

// roundtrip is what is wrong with the text of f, or of m if f is nil: it must
// be read back as the same IR.
func roundtrip(_ *passes.Step, m *ir.Module, f *ir.Func) string {
	text := func(m *ir.Module, f *ir.Func) []byte {
		if f == nil {
			return ir.AppendText(nil, m)
		}
		return ir.AppendExcerpt(nil, f)
	}
	first := text(m, f)
	src, ds := &ir.Sources{}, ir.Diags{}
	m2 := ir.Parse(src, src.Add("IR", first), dialects.All(), &ds)
	if m2 == nil || ds.HasErrors() {
		var b strings.Builder
		_ = (&ir.Renderer{Sources: src}).Render(&b, &ds)
		return "the printed IR cannot be read back:\n" + b.String()
	}
	f2 := f
	if f != nil {
		f2 = m2.Func(f.Name)
	}
	if second := text(m2, f2); string(first) != string(second) {
		return "printed, read and printed again the IR differs:\n" + unified("printed", "printed again", string(first), string(second))
	}
	return ""
}

// remarks shows the passes' remarks among the diagnostics, or writes them.
func (c *compile) remarks(list []passes.Remark) {
	if name := c.o.RemarksOutput; name != "" {
		var b strings.Builder
		if err := passes.WriteRemarks(&b, c.src, list); err != nil {
			panic(err)
		}
		c.save("remarks-output", name, []byte(b.String()))
		return
	}
	for i := range list {
		r := &list[i]
		text := r.Text
		if r.Kind != passes.Passed {
			text = strings.ToLower(r.Kind.String()) + ": " + text
		}
		c.ds.Add(ir.Diag{Severity: ir.Remark, Code: r.Pass + ":" + r.Name, Loc: r.Loc, Text: text + " (in @" + r.Func + ")"})
	}
}
