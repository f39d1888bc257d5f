package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/host"
	"pisac/dialects/pisa/asm"
	"pisac/dialects/pisa/interp"
	"pisac/driver/launch"
	"pisac/ir"
	"pisac/lowering/ssabuild"
)

// program is one launch file with its module.
type program struct {
	name   string
	module *ir.Module
	launch *launch.Launch
}

// programs reads every launch file of a folder.
func programs(t testing.TB, dir string) []program {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var out []program
	for _, f := range files {
		out = append(out, load(t, f))
	}
	return out
}

// load reads a launch file and builds its module, from the source in the file
// or beside it.
func load(t testing.TB, file string) program {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	l, err := launch.Parse(text, filepath.Dir(file))
	require.NoError(t, err, file)
	name, source := file, l.Source
	if source == "" {
		name = strings.TrimSuffix(file, ".json") + ".pisa"
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		source = string(b)
	}
	return program{strings.TrimSuffix(filepath.Base(file), ".json"), build(t, name, source), l}
}

// build compiles assembly to the pisa dialect.
func build(t testing.TB, name, source string) *ir.Module {
	m, _ := buildWarned(t, name, source)
	return m
}

// buildWarned is build that gives the warnings too.
func buildWarned(t testing.TB, name, source string) (*ir.Module, *ir.Diags) {
	src := &ir.Sources{}
	var ds ir.Diags
	f := asm.Parse(src.Add(name, []byte(source)), asm.Options{}, &ds)
	require.False(t, ds.HasErrors(), "%s: %s", name, diags(src, ds.List))
	prog := asm.Link([]*asm.File{f}, &ds)
	m := ssabuild.Build(dialects.All(), src, prog, &ds)
	require.False(t, ds.HasErrors(), "%s: %s", name, diags(src, ds.List))
	ir.Verify(m, &ds)
	require.False(t, ds.HasErrors(), "%s: %s", name, diags(src, ds.List))
	return m, &ds
}

// diags is the messages as lines.
func diags(src *ir.Sources, list []ir.Diag) string {
	var b strings.Builder
	line := func(l ir.Loc, text string) {
		if p := src.Position(l); p.Line != 0 {
			b.WriteString(p.File + ":" + itoa(p.Line) + ": ")
		}
		b.WriteString(text + "\n")
	}
	for _, d := range list {
		line(d.Loc, d.Severity.String()+": "+d.Text+" ["+d.Code+"]")
		for _, n := range d.Notes {
			line(n.Loc, "note: "+n.Text)
		}
	}
	return b.String()
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// request is the interpreter's form of a launch, with buffers of its own.
func request(l *launch.Launch) *interp.Launch {
	r := &interp.Launch{Kernel: l.Kernel, Global: l.Global, Local: l.Local, Offset: l.Offset, Dims: l.Dims, WarnUnwritten: true}
	for _, a := range l.Args {
		r.Args = append(r.Args, host.Arg{Kind: host.ArgKind(a.Kind), Data: append([]byte{}, a.Data...), Size: a.Size})
	}
	return r
}

// run executes p and returns what differs from its expectations; set changes
// the launch first.
func run(p program, set func(*interp.Launch)) (report string) {
	r := request(p.launch)
	if set != nil {
		set(r)
	}
	var ds ir.Diags
	if interp.Run(p.module, r, &ds); ds.HasErrors() {
		return diags(p.module.Sources, ds.List)
	}
	var b strings.Builder
	for i := range p.launch.Expect {
		e := &p.launch.Expect[i]
		list, total := e.Compare(r.Args[e.Arg].Data, 4)
		for _, d := range list {
			b.WriteString(d.String() + "\n")
		}
		if total > len(list) {
			b.WriteString(itoa(total-len(list)) + " more\n")
		}
	}
	return b.String()
}
