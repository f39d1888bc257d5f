package emu

import (
	"pisac/dialects/host"
	"pisac/ir"
)

// Address map. The apertures are where Linux puts them.
const (
	globalBase  = 0x7f00_0000_0000      // first data address
	sharedBase  = 0x0001_0000_0000_0000 // LDS, by flat addresses
	privateBase = 0x0002_0000_0000_0000
	aperture    = 1 << 32
)

// Most bytes of variables.
const maxGlobal = 1 << 33

// fits counts v among the global and constant variables of the run.
func (eng *engine) fits(v *ir.Var) bool {
	eng.globalLen += min(v.Size, maxGlobal)
	return eng.globalLen <= maxGlobal && v.Size <= maxGlobal
}

// describe says what a bad global address is in or next to.
func (eng *engine) describe(addr uint64) string {
	if addr < host.Guard {
		return "near the null pointer"
	}
	return eng.mem.Describe(addr)
}
