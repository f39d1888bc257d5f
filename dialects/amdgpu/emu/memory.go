package emu

import (
	"fmt"
	"sort"

	"pisac/ir"
)

// Address map. The apertures are where Linux puts them.
const (
	globalBase  = 0x7f00_0000_0000      // first data address
	sharedBase  = 0x0001_0000_0000_0000 // LDS, by flat addresses
	privateBase = 0x0002_0000_0000_0000
	aperture    = 1 << 32
	guard       = 4096 // unmapped bytes between objects
)

// Most bytes of variables.
const maxGlobal = 1 << 33

// alloc is one object of global memory.
type alloc struct {
	base, size uint64
	data       []byte
	name       string
	readonly   bool
	v          *ir.Var
}

// memory is the global address map, ascending.
type memory struct {
	allocs []*alloc
	vars   map[*ir.Var]*alloc
	next   uint64
	total  uint64
}

func newMemory() *memory {
	return &memory{vars: map[*ir.Var]*alloc{}, next: globalBase}
}

func (m *memory) add(data []byte, align uint64, name string) *alloc {
	a := &alloc{size: uint64(len(data)), data: data, name: name}
	align = max(align, 256)
	a.base = (m.next + align - 1) &^ (align - 1)
	m.next = a.base + a.size + guard
	m.allocs = append(m.allocs, a)
	return a
}

// addVar maps a global or constant variable; false if it does not fit.
func (m *memory) addVar(v *ir.Var) bool {
	if m.vars[v] != nil {
		return true
	}
	if m.total += min(v.Size, maxGlobal); m.total > maxGlobal || v.Size > maxGlobal {
		return false
	}
	a := m.add(make([]byte, v.Size), uint64(v.Align), "@"+v.Name)
	a.readonly, a.v = v.Space == ir.SpaceConst, v
	m.vars[v] = a
	return true
}

// initialise writes the initialisers. address resolves a symbol.
func (m *memory) initialise(address func(ir.Aux) (uint64, bool)) {
	for _, a := range m.allocs {
		if a.v != nil {
			a.v.Initialise(a.data[:a.size], address)
		}
	}
}

// find returns the object that holds addr, or nil.
func (m *memory) find(addr uint64) *alloc {
	i := sort.Search(len(m.allocs), func(i int) bool { return m.allocs[i].base > addr })
	if i == 0 {
		return nil
	}
	if a := m.allocs[i-1]; addr-a.base < a.size {
		return a
	}
	return nil
}

// describe says what a bad global address is next to.
func (m *memory) describe(addr uint64) string {
	if addr < guard {
		return "near the null pointer"
	}
	i := sort.Search(len(m.allocs), func(i int) bool { return m.allocs[i].base > addr })
	if i > 0 {
		if a := m.allocs[i-1]; addr-a.base < a.size+guard {
			return fmt.Sprintf("%d bytes past the end of %s (%d bytes)", addr-a.base-a.size, a.name, a.size)
		}
	}
	if i < len(m.allocs) {
		if a := m.allocs[i]; a.base-addr <= guard {
			return fmt.Sprintf("%d bytes before %s (%d bytes)", a.base-addr, a.name, a.size)
		}
	}
	return "in no object"
}
