package driver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pisac/dialects"
	"pisac/ir"
	"pisac/passes"
)

// A reproducer is a .pir file whose first line holds the flags to compile it
// with:
//
//	// pisac reproducer: --passes=dce --verify-each -O2 --mcpu=gfx1100 --emit=check
//	// pass dce on @f: index out of range
//	module version 1.0 …
const reproducerMark = "// pisac reproducer: "

// reproducerFlags are those that a file may set.
var reproducerFlags = []string{"--passes=", "--start-after=", "--mcpu=", "--emit=", "--backend=", "--opt-bisect-limit=",
	"--verify-each", "--no-verify", "--verify-roundtrip", "--fp-atomics=", "--system-atomics=", "-O"}

// keepReproducer writes the whole module before the passes run, as nothing
// can be written after a stack overflow or an endless loop.
func (c *compile) keepReproducer(m *ir.Module, p *plan) {
	if c.o.CrashReproducer == "" {
		return
	}
	c.before = ir.AppendText(nil, m)
	emit := c.o.Emit
	if emit == EmitIR {
		emit = EmitCheck
	}
	all := append(append(passes.Pipeline{}, p.skipped...), p.pipeline...)
	if c.o.isNative() {
		all = all[:min(p.pisa, len(all))] // the others follow by themselves
	}
	c.header = c.reproducerHeader(all, min(len(p.skipped), len(all)), emit)
	c.saveReproducer(c.header, "the compiler did not come to an end", c.before)
	c.written = true
}

// reproducerHeader is the first line of a file that runs pl[from:].
func (c *compile) reproducerHeader(pl passes.Pipeline, from int, emit Emit) string {
	o := c.o
	flags := []string{"--passes=" + pl.String(), fmt.Sprintf("-O%d", o.OptLevel), "--emit=" + string(emit)}
	if from > 0 {
		n := 0
		for i := range from {
			if pl[i].Pass == pl[from-1].Pass {
				n++
			}
		}
		flags = append(flags, fmt.Sprintf("--start-after=%s,%d", pl[from-1].Pass.Name, n))
	}
	if o.Backend != "" && emit != EmitCheck {
		flags = append(flags, "--backend="+o.Backend)
	}
	if o.target != nil {
		flags = append(flags, "--mcpu="+o.target.Name)
	}
	if o.FPAtomics != "" {
		flags = append(flags, "--fp-atomics="+o.FPAtomics)
	}
	if o.SystemAtomic != "" {
		flags = append(flags, "--system-atomics="+o.SystemAtomic)
	}
	if o.OptBisectLimit != nil {
		flags = append(flags, fmt.Sprintf("--opt-bisect-limit=%d", *o.OptBisectLimit))
	}
	if o.NoVerify {
		flags = append(flags, "--no-verify")
	} else {
		flags = append(flags, "--verify-each")
	}
	if o.VerifyRoundtrip {
		flags = append(flags, "--verify-roundtrip")
	}
	for i := range flags {
		flags[i] = shellQuote(flags[i])
	}
	return reproducerMark + strings.Join(flags, " ")
}

func (c *compile) saveReproducer(header, why string, text []byte) {
	b := []byte(header + "\n")
	for line := range strings.Lines(why) {
		b = append(b, "// "+strings.TrimRight(line, "\n")+"\n"...)
	}
	c.save("crash-reproducer", c.o.CrashReproducer, append(b, text...))
}

// shrinkReproducer replaces the file by one that runs the failing pass alone
// on what it was given, if that fails too.
func (c *compile) shrinkReproducer(p *plan, fault *passes.PassError) {
	if c.o.CrashReproducer == "" {
		return
	}
	c.saveReproducer(c.header, fault.Error(), c.before)
	if c.o.OptBisectLimit != nil || c.o.isNative() && len(p.skipped)+fault.Step >= p.pisa || fault.Step == 0 && len(p.skipped) == 0 && len(p.pipeline) == 1 {
		return // numbers would differ, or it is the shortest already
	}
	have := p.skipped.After(passes.PISA)
	head, last := p.pipeline[:fault.Step], p.pipeline[fault.Step:fault.Step+1]
	m := reparse(c.before)
	if m == nil || c.runner(have).Run(m, head) != nil {
		return
	}
	given := ir.AppendText(nil, m)
	if m = reparse(given); m == nil {
		return
	}
	if last.Check(passes.PISA) != nil {
		return // the pass needs one before it
	}
	var again *passes.PassError
	if err := c.runner(passes.PISA).Run(m, last); errors.As(err, &again) {
		emit := EmitCheck
		c.saveReproducer(c.reproducerHeader(last, 0, emit), again.Error(), given)
	}
}

func (c *compile) runner(have passes.State) *passes.Runner {
	r := &passes.Runner{Target: c.chip(), VerifyEach: !c.o.NoVerify, Have: have, FastFPAtomics: c.o.FPAtomics == "fast"}
	if c.o.VerifyRoundtrip {
		r.Check = roundtrip
	}
	return r
}

func reparse(text []byte) *ir.Module {
	src, ds := &ir.Sources{}, ir.Diags{}
	m := ir.Parse(src, src.Add("IR", text), dialects.All(), &ds)
	if ds.HasErrors() {
		return nil
	}
	return m
}

// reproducerArgs returns the flags that a reproducer asks for; ok tells
// whether the input is one.
func reproducerArgs(inputs []Input) (flags []string, ok bool, err error) {
	if len(inputs) != 1 || !bytes.HasPrefix(inputs[0].Text, []byte(reproducerMark)) {
		return nil, false, nil
	}
	line, _, _ := strings.Cut(string(inputs[0].Text), "\n")
	words, err := shellWords(strings.TrimSuffix(strings.TrimPrefix(line, reproducerMark), "\r"))
	if err != nil {
		return nil, false, fmt.Errorf("%s:%d: %v", inputs[0].Name, inputs[0].FirstLine, err)
	}
	for _, w := range words {
		known := false
		for _, f := range reproducerFlags {
			known = known || w == f || strings.HasPrefix(w, f) && (strings.HasSuffix(f, "=") || f == "-O")
		}
		if !known {
			return nil, false, fmt.Errorf("%s:%d: a reproducer cannot set %s", inputs[0].Name, inputs[0].FirstLine, w)
		}
	}
	return words, true, nil
}

// shellWords undoes shellQuote.
func shellWords(s string) ([]string, error) {
	var words []string
	var w strings.Builder
	in, quoted := false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c != '\'':
			w.WriteByte(c)
		case c == '\'':
			quoted, in = !quoted, true
		case c == '\\' && i+1 < len(s):
			i++
			w.WriteByte(s[i])
			in = true
		case c == ' ':
			if in {
				words = append(words, w.String())
				w.Reset()
			}
			in = false
		default:
			w.WriteByte(c)
			in = true
		}
	}
	if quoted {
		return nil, errors.New("a quote is not closed")
	}
	if in {
		words = append(words, w.String())
	}
	return words, nil
}

// reportReproducer says where the reproducer is.
func reportReproducer(w io.Writer, o *Options) {
	if _, err := os.Stat(o.CrashReproducer); o.CrashReproducer != "" && err == nil {
		fmt.Fprintf(w, "pisac: the module is in %s: pisac %s shows it again\n", o.CrashReproducer, shellQuote(o.CrashReproducer))
	}
}

// dropReproducer removes what keepReproducer wrote when all went well.
func dropReproducer(o *Options, r *Result) {
	if r.reproducer {
		_ = os.Remove(o.CrashReproducer)
	}
}

// saveFile is Options.Save of the command.
func saveFile(o *Options, name string, text []byte, stdout io.Writer) error {
	if o.PrintIRDir != "" && strings.HasPrefix(name, filepath.Clean(o.PrintIRDir)) {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
	}
	return writeOutput(name, text, stdout)
}
