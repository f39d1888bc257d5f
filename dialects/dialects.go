// Package dialects is the one place where op tables are registered. In: the
// dialects' rows. Out: one Registry of all of them. Promise: nothing registers
// itself; what All returns is never changed.
package dialects

import (
	"sync"

	"pisac/dialects/amdgpu"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

var all = sync.OnceValue(func() *ir.Registry {
	return ir.NewRegistry(builtin.Defs(), pisa.Defs(), amdgpu.Defs())
})

// All returns the registry of every dialect.
func All() *ir.Registry { return all() }
