package asmprint

import (
	"pisac/ir"
)

// SymbolName is the name of a symbol in the code object.
func SymbolName(m *ir.Module, a ir.Aux) string {
	s := m.Symbol(a)
	if s.Func != nil {
		return s.Func.Name
	}
	return s.Var.Name
}

func appendSymbol(b []byte, name string) []byte { return append(b, name...) }
