package asmprint

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pisac/ir"
	"pisac/lowering/codeobject"
)

// symbols are the names of a module's symbols in the code object, by ir.Aux. A
// nil one spells symbols as the IR does.
type symbols []string

// spells reports a name that can stand between quotes in assembly: what is
// between them is taken as it is, so that quotes and line ends cannot be there,
// nor a backslash before the closing quote.
func spells(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsAny(name, "\"\n\r\x00") && !strings.HasSuffix(name, `\`) && !strings.Contains(name, `\"`)
}

// newSymbols names what m defines, and what .host_access calls variables. Errors are about kernels and exported
// variables, which must keep their names.
func newSymbols(m *ir.Module, diags *ir.Diags) (s symbols, host map[*ir.Var]string) {
	names := codeobject.NewNames(m)
	host = map[*ir.Var]string{}
	set := func(a ir.Aux, name string) {
		for len(s) <= int(a) {
			s = append(s, "")
		}
		s[a] = name
	}
	internal := func(name string) string {
		if spells(name) {
			return name
		}
		return names.Internal(names.Unique(strings.Map(func(r rune) rune {
			if r == '"' || r == '\\' || r == '\n' || r == '\r' || r == utf8.RuneError {
				return '$'
			}
			return r
		}, name)))
	}
	for _, f := range m.Funcs {
		if f.Kind != ir.FuncKernel {
			set(f.Symbol(), internal(names.Internal(f.Name)))
			continue
		}
		name := names.Kernel(f, diags)
		if !spells(name) {
			diags.Error(f.Loc, 0, codeSpelling, fmt.Sprintf("the assembler cannot spell the name of kernel %q", f.Name))
		}
		set(f.Symbol(), name)
	}
	for _, v := range m.Vars {
		name := names.Var(v, diags)
		if v.Linkage == ir.LinkExport && !spells(name) {
			diags.Error(v.Loc, 0, codeSpelling, fmt.Sprintf("the assembler cannot spell the name of variable %q", v.Name))
		}
		set(v.Symbol(), internal(name))
		if h := names.Host(v, diags); h != "" && !spells(h) {
			diags.Error(v.Loc, 0, codeSpelling, fmt.Sprintf("the assembler cannot spell the name %q of .host_access", h))
		} else if h != "" {
			host[v] = h
		}
	}
	for _, f := range m.Funcs {
		for _, v := range f.Vars {
			if v.Space == ir.SpaceConst {
				set(v.Symbol(), internal(names.Local(f, v)))
			}
		}
	}
	return s, host
}

// of is the name of symbol a.
func (s symbols) of(m *ir.Module, a ir.Aux) string {
	if s != nil {
		return s[a]
	}
	if x := m.Symbol(a); x.Func != nil {
		return x.Func.Name
	} else {
		return x.Var.Name
	}
}

// appendName appends a symbol, in quotes unless the assembler takes it for a
// name as it is.
func appendName(b []byte, name string) []byte {
	if plainName(name) {
		return append(b, name...)
	}
	return append(append(append(b, '"'), name...), '"')
}

func plainName(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if !(c >= 'a' && c <= 'z' || s[i] == '_' || s[i] == '.' || s[i] == '$' || i > 0 && s[i] >= '0' && s[i] <= '9') {
			return false
		}
	}
	return s != "" && s != "."
}
