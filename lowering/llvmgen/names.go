package llvmgen

import (
	"fmt"
	"strconv"
	"strings"

	"pisac/ir"
)

// names gives every symbol its name in the code object. PISA allows names that
// ELF and LLVM use otherwise; only kernels and exported variables, which the
// host looks up, must keep theirs.
type names struct {
	taken    map[string]bool
	reserved map[string]bool // by the code object itself
	next     map[string]int  // by base: next number to try
}

// elfSections are the sections of a code object: a symbol of the same name
// cannot be.
var elfSections = strings.Fields(`.text .data .bss .rodata .data.rel.ro .relro_padding .dynamic .dynsym .dynstr .gnu.hash
	.hash .note .note.GNU-stack .comment .symtab .shstrtab .strtab .AMDGPU.csdata .rela.text .rela.data .rela.data.rel.ro .rela.dyn`)

func newNames(m *ir.Module) *names {
	n := &names{taken: map[string]bool{}, reserved: map[string]bool{}, next: map[string]int{}}
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
func (n *names) plain(name string) bool {
	return !n.reserved[name] && !strings.ContainsAny(name, "@\x00")
}

// unique is name, or one like it that no symbol has.
func (n *names) unique(name string) string {
	u := name
	for n.taken[u] || n.reserved[u] {
		n.next[name]++
		u = name + "." + strconv.Itoa(n.next[name])
	}
	n.taken[u] = true
	return u
}

// internal is the name of a symbol that the host does not look up.
func (n *names) internal(name string) string {
	if n.plain(name) {
		return llvmName(name)
	}
	return llvmName(n.unique(strings.Map(func(r rune) rune {
		if r == '@' || r == 0 {
			return '$'
		}
		return r
	}, name)))
}

// llvmName keeps LLVM from taking a name that begins with "llvm." for an
// intrinsic: after \01 it takes the rest as it stands.
func llvmName(name string) string {
	if strings.HasPrefix(name, "llvm.") || strings.HasPrefix(name, "\x01") {
		return "\x01" + name
	}
	return name
}

// kernelName is the name of a kernel, which must be kept.
func (e *emitter) kernelName(f *ir.Func) string {
	if !e.names.plain(f.Name) {
		e.diags.Error(f.Loc, 0, codeKernelName, fmt.Sprintf("a code object cannot have a kernel of the name %q", f.Name))
	}
	return llvmName(f.Name)
}

// varName is the name of a module-scope variable.
func (e *emitter) varName(v *ir.Var) string {
	name := e.names.internal(v.Name)
	if v.Linkage == ir.LinkExport && !e.names.plain(v.Name) {
		e.diags.Warn(v.Loc, 0, codeRenamed, fmt.Sprintf("the host finds the variable as %q: a code object cannot have one of the name %q", name, v.Name))
	}
	return name
}
