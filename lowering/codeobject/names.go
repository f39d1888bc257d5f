package codeobject

import (
	"fmt"
	"strconv"
	"strings"

	"pisac/ir"
)

// Names gives every symbol its name in the code object. PISA allows names that
// ELF uses otherwise; only kernels and exported variables, which the
// host looks up, must keep theirs.
type Names struct {
	taken    map[string]bool
	reserved map[string]bool // by the code object itself
	next     map[string]int  // by base: next number to try
}

// elfSections are the sections of a code object: a symbol of the same name
// cannot be.
var elfSections = strings.Fields(`.text .data .bss .rodata .data.rel.ro .relro_padding .dynamic .dynsym .dynstr .gnu.hash
	.hash .note .note.GNU-stack .comment .symtab .shstrtab .strtab .AMDGPU.csdata .rela.text .rela.data .rela.data.rel.ro .rela.dyn`)

// NewNames reserves the names of m.
func NewNames(m *ir.Module) *Names {
	n := &Names{taken: map[string]bool{}, reserved: map[string]bool{}, next: map[string]int{}}
	for _, s := range elfSections {
		n.reserved[s] = true
	}
	section := func(v *ir.Var) {
		if v.Section != "" {
			n.reserved[v.Section] = true
			n.reserved[".rela"+v.Section] = true
		}
	}
	for _, f := range m.Funcs {
		n.taken[f.Name] = true
		if f.Kind == ir.FuncKernel {
			n.reserved[f.Name+".kd"] = true // its descriptor (AMDGPUUsage)
		}
		for _, v := range f.Vars {
			section(v)
		}
	}
	for _, v := range m.Vars {
		n.taken[v.Name] = true
		section(v)
	}
	return n
}

// plain reports a name that the code object can have: ELF takes what follows an
// @ for a version, and ends a name at a zero byte.
func (n *Names) plain(name string) bool {
	return !n.reserved[name] && !strings.ContainsAny(name, "@\x00")
}

// Unique is name, or one like it that no symbol has.
func (n *Names) Unique(name string) string {
	u := name
	for n.taken[u] || n.reserved[u] {
		n.next[name]++
		u = name + "." + strconv.Itoa(n.next[name])
	}
	n.taken[u] = true
	return u
}

// Internal is the name of a symbol that the host does not look up.
func (n *Names) Internal(name string) string {
	if n.plain(name) {
		return name
	}
	return n.Unique(strings.Map(func(r rune) rune {
		if r == '@' || r == 0 {
			return '$'
		}
		return r
	}, name))
}

// Kernel is the name of a kernel, which must be kept.
func (n *Names) Kernel(f *ir.Func, diags *ir.Diags) string {
	if !n.plain(f.Name) {
		diags.Error(f.Loc, 0, CodeKernelName, fmt.Sprintf("a code object cannot have a kernel of the name %q", f.Name))
	}
	return f.Name
}

// Var is the name of a module-scope variable.
func (n *Names) Var(v *ir.Var, diags *ir.Diags) string {
	name := n.Internal(v.Name)
	if v.Linkage == ir.LinkExport && !n.plain(v.Name) {
		diags.Warn(v.Loc, 0, CodeRenamed, fmt.Sprintf("the host finds the variable as %q: a code object cannot have one of the name %q", name, v.Name))
	}
	return name
}

// Local is the name of a variable that f declares.
func (n *Names) Local(f *ir.Func, v *ir.Var) string {
	return n.Internal(n.Unique(f.Name + "." + v.Name))
}

// Host is the name by which .host_access lets the host find v; empty if it has
// none.
func (n *Names) Host(v *ir.Var, diags *ir.Diags) string {
	name := v.HostAccess
	switch {
	case name == "" || v.Linkage == ir.LinkImport:
		return ""
	case !n.plain(name) || n.taken[name] && name != v.Name:
		diags.Error(v.Loc, 0, CodeHostName, fmt.Sprintf("the host cannot find the variable as %q: the code object has another symbol of this name, or can have none", name))
		return ""
	}
	n.taken[name] = true
	return name
}
