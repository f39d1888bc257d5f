package ir

import (
	"encoding/binary"
	"sync"
)

// Space is an address space of PISA (PISA 3, memory).
type Space uint8

const (
	SpaceNone Space = iota
	SpaceGeneric
	SpaceGlobal
	SpaceShared
	SpacePrivate
	SpaceConst
	SpaceParam
)

var spaceNames = [...]string{"none", "generic", "global", "shared", "private", "const", "param"}

func (s Space) String() string { return spaceNames[s] }

// AddrBits returns the width of an address in s: 32 or 64; 0 for none.
func (s Space) AddrBits() int {
	switch s {
	case SpaceShared, SpacePrivate:
		return 32
	case SpaceGeneric, SpaceGlobal, SpaceConst:
		return 64
	}
	return 0
}

// Init is one item of a variable's initialiser. Exactly one of the three forms
// is used: Bytes, Zero bytes, or the 64-bit address Sym + Off.
type Init struct {
	Bytes []byte // little-endian
	Zero  uint64 // number of zero bytes
	Sym   Aux
	Off   int64
}

// Size returns the bytes that the item covers.
func (i *Init) Size() uint64 {
	switch {
	case i.Sym != 0:
		return 8
	case i.Zero != 0:
		return i.Zero
	}
	return uint64(len(i.Bytes))
}

// Var is a memory variable (PISA 4.3).
type Var struct {
	Name       string // without @
	Space      Space
	Size       uint64 // bytes
	Align      uint32 // bytes
	Linkage    Linkage
	Section    string
	HostAccess string
	Init       []Init // nil: not initialised
	Fn         *Func  // function in which it is declared; nil at module scope
	Loc        Loc
	sym        Aux
}

// Symbol returns the handle that names v in Op.Aux.
func (v *Var) Symbol() Aux { return v.sym }

// Initialise writes v's initialisers to data, which is v's memory. address
// gives the address of a symbol, 0 if it has none.
func (v *Var) Initialise(data []byte, address func(Aux) (uint64, bool)) {
	at := uint64(0)
	for i := range v.Init {
		it := &v.Init[i]
		switch {
		case at+it.Size() > uint64(len(data)):
			return // not a verified module
		case it.Sym != 0:
			base, _ := address(it.Sym)
			binary.LittleEndian.PutUint64(data[at:], base+uint64(it.Off))
		default:
			copy(data[at:], it.Bytes)
		}
		at += it.Size()
	}
}

// Symbol is what an Aux of AuxSym names: exactly one field is set.
type Symbol struct {
	Var  *Var
	Func *Func
}

// Version is a PISA language version.
type Version struct{ Major, Minor uint8 }

// Module is a linked set of PISA modules.
type Module struct {
	Reg     *Registry
	Sources *Sources
	Version Version
	Target  string // "100", "100c", "100ca"; empty if not stated
	Funcs   []*Func
	Vars    []*Var // module scope

	syms []Symbol // indexed by Aux; [0] unused

	wideMu sync.Mutex
	wide   []uint64 // upper halves of 128-bit constants; [0] is 0
	wideIx map[uint64]Aux
}

// NewModule returns an empty module whose ops come from reg.
func NewModule(reg *Registry, src *Sources) *Module {
	return &Module{Reg: reg, Sources: src, Version: Version{1, 0}, syms: make([]Symbol, 1), wide: []uint64{0}}
}

// NewFunc appends a function.
func (m *Module) NewFunc(name string, kind FuncKind) *Func {
	f := &Func{Name: name, Kind: kind, mod: m, sym: Aux(len(m.syms))}
	m.syms = append(m.syms, Symbol{Func: f})
	m.Funcs = append(m.Funcs, f)
	return f
}

// NewVar appends a module-scope variable, or a local one of fn if not nil.
func (m *Module) NewVar(name string, space Space, fn *Func) *Var {
	v := &Var{Name: name, Space: space, Align: 1, Fn: fn, sym: Aux(len(m.syms))}
	m.syms = append(m.syms, Symbol{Var: v})
	if fn != nil {
		fn.Vars = append(fn.Vars, v)
	} else {
		m.Vars = append(m.Vars, v)
	}
	return v
}

// Symbol resolves a handle; the zero Symbol if a is not one.
func (m *Module) Symbol(a Aux) Symbol {
	if int(a) >= len(m.syms) {
		return Symbol{}
	}
	return m.syms[a]
}

// Func returns the function called name, or nil. Linear: for drivers and
// tests.
func (m *Module) Func(name string) *Func {
	for _, f := range m.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// InternWide returns the handle of the upper 64 bits of a 128-bit constant;
// 0 for 0. Safe for concurrent use.
func (m *Module) InternWide(hi uint64) Aux {
	if hi == 0 {
		return 0
	}
	m.wideMu.Lock()
	defer m.wideMu.Unlock()
	if a, ok := m.wideIx[hi]; ok {
		return a
	}
	if m.wideIx == nil {
		m.wideIx = make(map[uint64]Aux)
	}
	a := Aux(len(m.wide))
	m.wide = append(m.wide, hi)
	m.wideIx[hi] = a
	return a
}

// hasWide reports whether a names upper bits.
func (m *Module) hasWide(a Aux) bool {
	m.wideMu.Lock()
	defer m.wideMu.Unlock()
	return int(a) < len(m.wide)
}

// Wide returns the upper 64 bits that a names.
func (m *Module) Wide(a Aux) uint64 {
	if a == 0 {
		return 0
	}
	m.wideMu.Lock()
	defer m.wideMu.Unlock()
	return m.wide[a]
}
