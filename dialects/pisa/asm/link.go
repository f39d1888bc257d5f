package asm

import (
	"strconv"

	"pisac/ir"
)

// Program is a set of modules linked into one.
type Program struct {
	Files   []*File
	Version ir.Version
	Target  string // the most demanding of the modules'; "" if none states one
	// Vars and Funcs are the declarations that are left, in the order of the
	// files: imports that another module satisfies are gone, and every SymRef
	// names what is left.
	Vars  []*Var
	Funcs []*Func
}

// targetRank orders the targets: each can execute those before it (PISA Compatibility 6.2),
// so that modules of any two can be linked.
var targetRank = map[string]int{"": 0, "100": 1, "100c": 2, "100ca": 3}

// Link combines modules that were parsed without errors: imports are bound to
// exports of other modules, and names that are local to two modules are made
// distinct by a number. Imports that no module satisfies stay, as declarations
// (RequireDefinitions).
func Link(files []*File, ds *ir.Diags) *Program {
	l := &linker{ds: ds, prog: &Program{Files: files}, defs: make(map[string]definition)}
	l.versions()
	for _, f := range files {
		l.exports(f)
	}
	for _, f := range files {
		l.imports(f)
	}
	l.rename()
	if len(files) > 1 {
		for _, f := range files {
			rebind(f)
		}
	}
	return l.prog
}

// RequireDefinitions reports imports that no module satisfies: whole programs
// have none.
func (p *Program) RequireDefinitions(ds *ir.Diags) {
	for _, v := range p.Vars {
		if v.Linkage == ir.LinkImport {
			ds.Error(v.Loc, v.End, eLinkUndef, "no module exports the variable @"+clip(v.Name), note("PISA Variables 2.5.2: an imported variable is defined in another module"))
		}
	}
	for _, f := range p.Funcs {
		if f.Linkage == ir.LinkImport {
			ds.Error(f.Loc, f.End, eLinkUndef, "no module exports the function @"+clip(f.Name), note("PISA Calling Convention 4.3.1: an imported function is defined in another module"))
		}
	}
}

type linker struct {
	ds   *ir.Diags
	prog *Program
	defs map[string]definition // what other modules see
}

// definition is an exported symbol, a kernel, or the first import of a symbol
// that no module exports.
type definition struct {
	v    *Var
	f    *Func
	file *File
}

func (d definition) loc() (loc, end ir.Loc) {
	if d.v != nil {
		return d.v.Loc, d.v.End
	}
	return d.f.Loc, d.f.End
}

// versions joins versions and targets (PISA Compatibility 6.1).
func (l *linker) versions() {
	p := l.prog
	for i, f := range p.Files {
		switch v := f.Version; {
		case i == 0:
			p.Version, p.Target = v, f.Target
		case v.Major != p.Version.Major:
			first := p.Files[0]
			l.ds.Error(at(f.VersionLoc, f), 0, eLinkVersion, "version "+versionText(v)+" cannot be linked with version "+versionText(first.Version),
				note("PISA Compatibility 6.1.1: linked modules have one major version"), ir.DiagNote{Loc: at(first.VersionLoc, first), Text: "the other module"})
		case v.Minor > p.Version.Minor:
			p.Version = v
		}
		if targetRank[f.Target] > targetRank[p.Target] {
			p.Target = f.Target
		}
	}
}

// at is loc, or the start of f.
func at(loc ir.Loc, f *File) ir.Loc {
	if loc == ir.NoLoc {
		return f.Src.Loc(0)
	}
	return loc
}

func versionText(v ir.Version) string {
	return strconv.Itoa(int(v.Major)) + "." + strconv.Itoa(int(v.Minor))
}

// exports enters what other modules, or the host, find by name.
func (l *linker) exports(f *File) {
	for _, v := range f.Vars {
		if v.Linkage == ir.LinkExport {
			l.export(v.Name, definition{v: v, file: f})
		}
	}
	for _, fn := range f.Funcs {
		if fn.Linkage == ir.LinkExport || fn.Kind == ir.FuncKernel {
			l.export(fn.Name, definition{f: fn, file: f})
		}
	}
}

func (l *linker) export(name string, d definition) {
	old, dup := l.defs[name]
	if !dup {
		l.defs[name] = d
		return
	}
	if d.f != nil && old.f != nil && d.f.Kind == ir.FuncDevice && old.f.Kind == ir.FuncDevice &&
		d.file.Version.Major > 0 && old.file.Version.Major > 0 && sameSignature(d.f, old.f) {
		d.f.to = old.f // an inline function of C++ that two modules have
		return
	}
	loc, end := d.loc()
	other, otherEnd := old.loc()
	what := "exported"
	if d.f != nil && d.f.Kind == ir.FuncKernel || old.f != nil && old.f.Kind == ir.FuncKernel {
		what = "visible outside its module"
	}
	notes := []ir.DiagNote{{Loc: other, End: otherEnd, Text: "the other one"}}
	if d.file.Version.Major == 0 && d.f != nil && old.f != nil && sameSignature(d.f, old.f) && d.f.Kind == ir.FuncDevice {
		notes = append(notes, note("`.version 1.0` allows it for functions of one signature"))
	}
	l.ds.Error(loc, end, eLinkDup, "@"+clip(name)+" is "+what+" twice", notes...)
}

// imports binds the imports of f and collects what is left of it.
func (l *linker) imports(f *File) {
	p := l.prog
	for _, v := range f.Vars {
		if v.Linkage == ir.LinkImport {
			d, ok := l.defs[v.Name]
			if !ok {
				l.defs[v.Name] = definition{v: v, file: f}
				p.Vars = append(p.Vars, v)
				continue
			}
			if d.v == nil || d.v.Space != v.Space || d.v.Size != v.Size {
				l.mismatch(v.Name, v.Loc, v.End, d)
			} else if d.v != v {
				v.to = d.v
				d.v.Align = max(d.v.Align, v.Align)
			}
			continue
		}
		p.Vars = append(p.Vars, v)
	}
	for _, fn := range f.Funcs {
		switch {
		case fn.to != nil: // an earlier module has the same one
		case fn.Linkage != ir.LinkImport:
			p.Funcs = append(p.Funcs, fn)
		default:
			d, ok := l.defs[fn.Name]
			if !ok {
				l.defs[fn.Name] = definition{f: fn, file: f}
				p.Funcs = append(p.Funcs, fn)
				continue
			}
			if d.f == nil || d.f.Kind == ir.FuncKernel || !sameSignature(d.f, fn) {
				l.mismatch(fn.Name, fn.Loc, fn.End, d)
			} else if d.f != fn {
				fn.to = d.f
			}
		}
	}
}

func (l *linker) mismatch(name string, loc, end ir.Loc, d definition) {
	other, otherEnd := d.loc()
	what := "the definition"
	if d.v != nil && d.v.Linkage == ir.LinkImport || d.f != nil && d.f.Linkage == ir.LinkImport {
		what = "the other import"
	}
	text := "the import of @" + clip(name) + " differs from " + what + ": "
	switch {
	case d.v != nil:
		text += "." + d.v.Space.String() + " variable of " + strconv.FormatUint(d.v.Size, 10) + " bytes"
	case d.f.Kind == ir.FuncKernel:
		text += "a kernel"
	default:
		text += "function " + signatureText(d.f)
	}
	l.ds.Error(loc, end, eLinkType, text, note("PISA Variables 2.5.2; Calling Convention 4.3.1, 4.4: nothing is converted"), ir.DiagNote{Loc: other, End: otherEnd, Text: what})
}

func signatureText(f *Func) string {
	b := append([]byte(nil), retText(f.Ret)...)
	b = append(b, '(')
	for i, t := range f.ParamTypes {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = t.AppendText(append(b, '.'))
	}
	return string(append(b, ')'))
}

func retText(t ir.Type) string {
	if t == ir.None {
		return "void"
	}
	return "." + t.String()
}

// rename numbers local symbols whose name another symbol has: x, x.1, x.2 in
// the order of the files. A number that makes a name of the modules' own is
// passed over.
func (l *linker) rename() {
	next := make(map[string]int) // by name in use: the last number tried
	claimed := make(map[string]bool)
	local := func(name *string) {
		if _, visible := l.defs[*name]; !visible && !claimed[*name] {
			claimed[*name] = true
			return
		}
		for s := ""; ; {
			next[*name]++
			s = *name + "." + strconv.Itoa(next[*name])
			if _, taken := next[s]; !taken {
				next[s] = 0
				*name = s
				return
			}
		}
	}
	var names []*string
	for _, v := range l.prog.Vars {
		if next[v.Name] = 0; v.Linkage == ir.LinkLocal {
			names = append(names, &v.Name)
		}
	}
	for _, f := range l.prog.Funcs {
		if next[f.Name] = 0; f.Linkage == ir.LinkLocal && f.Kind == ir.FuncDevice {
			names = append(names, &f.Name)
		}
	}
	for _, name := range names {
		local(name)
	}
}

// rebind moves references from imports to definitions.
func rebind(f *File) {
	vars := func(vs []*Var) {
		for _, v := range vs {
			for i := range v.Init {
				v.Init[i].Sym.follow()
			}
		}
	}
	vars(f.Vars)
	for _, fn := range f.Funcs {
		vars(fn.Vars)
		for i := range fn.Syms {
			fn.Syms[i].follow()
		}
	}
}

func (s *SymRef) follow() {
	switch {
	case s.Var != nil && s.Var.to != nil:
		s.Var = s.Var.to
	case s.Func != nil && s.Func.to != nil:
		s.Func = s.Func.to
	}
}
