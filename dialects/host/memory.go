package host

import (
	"fmt"
	"sort"

	"pisac/ir"
)

// Guard is the number of unmapped bytes between objects.
const Guard = 4096

// Object is one object of global or constant memory.
type Object struct {
	Base, Size uint64
	Data       []byte
	Name       string
	Align      uint64 // what the program can rely on
	Readonly   bool
	Num        int // among the objects of its Memory

	v *ir.Var
}

// Memory is the map of global addresses, ascending.
type Memory struct {
	Vars map[*ir.Var]*Object

	objects []*Object
	next    uint64
}

// NewMemory returns an empty map whose first object will be at base.
func NewMemory(base uint64) *Memory {
	return &Memory{Vars: map[*ir.Var]*Object{}, next: base}
}

// Add maps data, at a multiple of align and of 256.
func (m *Memory) Add(data []byte, align uint64, name string) *Object {
	a := &Object{Size: uint64(len(data)), Data: data, Name: name, Align: align, Num: len(m.objects)}
	align = max(align, 256)
	a.Base = (m.next + align - 1) &^ (align - 1)
	m.next = a.Base + a.Size + Guard
	m.objects = append(m.objects, a)
	return a
}

// AddVar maps a global or constant variable, once; its initialiser comes later,
// when all addresses are known.
func (m *Memory) AddVar(v *ir.Var) {
	if m.Vars[v] != nil {
		return
	}
	a := m.Add(make([]byte, v.Size), max(uint64(v.Align), 1), "@"+v.Name)
	a.Readonly, a.v = v.Space == ir.SpaceConst, v
	m.Vars[v] = a
}

// Initialise writes the initialisers. address resolves a symbol.
func (m *Memory) Initialise(address func(ir.Aux) (uint64, bool)) {
	for _, a := range m.objects {
		if a.v != nil {
			a.v.Initialise(a.Data[:a.Size], address)
		}
	}
}

// above is the place of the first object that begins above addr.
func (m *Memory) above(addr uint64) int {
	return sort.Search(len(m.objects), func(i int) bool { return m.objects[i].Base > addr })
}

// Find returns the object that holds addr, or nil.
func (m *Memory) Find(addr uint64) *Object {
	i := m.above(addr)
	if i == 0 {
		return nil
	}
	if a := m.objects[i-1]; addr-a.Base < a.Size {
		return a
	}
	return nil
}

// Describe says what a bad global address is in or next to.
func (m *Memory) Describe(addr uint64) string {
	i := m.above(addr)
	if i > 0 {
		if a := m.objects[i-1]; addr-a.Base < a.Size+Guard {
			if addr-a.Base < a.Size {
				return fmt.Sprintf("%d bytes into %s (%d bytes)", addr-a.Base, a.Name, a.Size)
			}
			return fmt.Sprintf("%d bytes past the end of %s (%d bytes)", addr-a.Base-a.Size, a.Name, a.Size)
		}
	}
	if i < len(m.objects) {
		if a := m.objects[i]; a.Base-addr <= Guard {
			return fmt.Sprintf("%d bytes before %s (%d bytes)", a.Base-addr, a.Name, a.Size)
		}
	}
	return "in no object"
}
