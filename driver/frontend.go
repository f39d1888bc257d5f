package driver

import (
	"errors"
	"fmt"
	"strings"

	"pisac/dialects"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
	"pisac/lowering/ssabuild"
)

// isIR tells textual IR from assembly: by the name, or by the first word,
// which in assembly begins with a dot.
func isIR(name string, text []byte) bool {
	switch {
	case strings.HasSuffix(name, ".pir"):
		return true
	case strings.HasSuffix(name, ".pisa"):
		return false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		case c == '/' && i+1 < len(text) && text[i+1] == '/':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		default:
			return c >= 'a' && c <= 'z'
		}
	}
	return false
}

func (c *compile) asmOptions() asm.Options {
	var opts asm.Options
	if c.o.FMulRounding == "rz" {
		opts.FMulDefaultRounding = pisa.RZ
	}
	opts.RelaxedScope = c.relaxedScope()
	return opts
}

func (c *compile) relaxedScope() pisa.Scope {
	if c.o.RelaxedScope == "gpu" {
		return pisa.GPU
	}
	return pisa.System
}

// build links files and builds their IR.
func (c *compile) build(files []*asm.File) *ir.Module {
	if c.ds.HasErrors() {
		return nil
	}
	prog := asm.Link(files, &c.ds)
	if c.o.Emit == EmitHSACO {
		prog.RequireDefinitions(&c.ds)
	}
	if c.ds.HasErrors() {
		return nil
	}
	m := ssabuild.Build(dialects.All(), c.src, prog, &c.ds)
	if c.ds.HasErrors() {
		return nil
	}
	if !c.o.NoVerify {
		c.verify(m, "ssabuild")
	}
	return m
}

// verify checks what a step of the compiler made: a violation is a fault of
// that step.
func (c *compile) verify(m *ir.Module, step string) {
	var ds ir.Diags
	if ir.Verify(m, &ds) {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "the IR is invalid after %s:", step)
	for i := range ds.List {
		d := &ds.List[i]
		pos := c.src.Position(d.Loc)
		fmt.Fprintf(&b, "\n  %s:%d:%d: %s", pos.File, pos.Line, pos.Col, d.Text)
		if i == 9 {
			break
		}
	}
	c.bug = errors.New(b.String())
}

// format is --emit=pisa: the canonical text of one module.
func (c *compile) format(inputs []Input) []byte {
	if len(inputs) != 1 {
		c.ds.Error(ir.NoLoc, ir.NoLoc, codeFormatOne, "--emit=pisa takes one module of assembly")
		return nil
	}
	in := inputs[0]
	f := c.src.AddAt(in.Name, in.Text, in.FirstLine)
	switch {
	case f == nil:
		c.ds.Error(ir.NoLoc, ir.NoLoc, codeTooLong, fmt.Sprintf("%s has more than %d bytes", in.Name, uint64(ir.MaxSource)))
		return nil
	case isIR(in.Name, in.Text):
		c.ds.Error(f.Loc(0), ir.NoLoc, codeFormatOne, "--emit=pisa prints assembly, and this is textual IR")
		return nil
	}
	file := asm.Parse(f, c.asmOptions(), &c.ds)
	if c.ds.HasErrors() {
		return nil
	}
	return asm.AppendText(nil, file)
}
