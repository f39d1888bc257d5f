package litmus

import (
	"fmt"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// Bounds of a program. An execution's relations are rows of one 64-bit word.
const (
	MaxWorkItems = 8
	MaxEvents    = 64 // initial writes, fences, barriers and exits included
	MaxCells     = 64
)

// Space is an address space as ordering sees it.
type Space uint8

const (
	Global Space = iota
	Shared
)

// Cover is the set of address spaces that a fence or access orders.
type Cover uint8

const (
	CoverGlobal Cover = 1 << Global
	CoverShared Cover = 1 << Shared
	CoverBoth         = CoverGlobal | CoverShared
)

// Program is a litmus test.
type Program struct {
	Name    string
	Vars    []Var
	Threads []Thread
	Cells   []Cell
	Regs    []Observed // registers that are part of a final state
	Cond    Cond       // the final condition; Kind NoCond if none
	// Unroll is how many backward jumps a work-item may take; an execution
	// that needs more is left out and the result says so.
	Unroll int
}

// Var is a variable. A shared variable has an instance per work-group.
type Var struct {
	Name  string
	Space Space
	Size  uint32 // bytes
	Width uint32 // bytes of a cell; 0: not accessed
	Init  []uint64
	// Hidden variables hold observed registers: writing one is not an event.
	Hidden bool
	bytes  []byte  // initial contents, where Init is nil
	first  []int32 // index of the first cell, by instance
}

// Cell is one memory location: Width bytes of an instance of a variable.
type Cell struct {
	Name  string
	Space Space
	Init  uint64
}

// Thread is a work-item (or a thread of the host) and where it runs.
type Thread struct {
	Name   string
	WG, SG int
	Host   bool
	Code   []Instr
	Slots  []string // names of register slots; "" for temporaries
}

// Observed is a register that a final state shows.
type Observed struct {
	Name   string // "1:%r0"
	Thread int
	Slot   int32
	Hidden int32 // the hidden variable that holds it; -1: Slot does
}

// Opcode is what an Instr does.
type Opcode uint8

const (
	OpEval Opcode = iota // pure, by pisa.EvalFn
	OpMove
	OpLoad
	OpStore
	OpRMW
	OpFence
	OpBarrier
	OpJump
	OpBranch // to Target if A's truth is not Neg
	OpReturn
)

// Operand is a register slot or, if Slot is negative, the constant Imm.
type Operand struct {
	Imm  uint64
	Slot int32
}

func imm(v uint64) Operand { return Operand{Imm: v, Slot: -1} }
func slot(i int32) Operand { return Operand{Slot: i} }

var noOperand = Operand{Slot: -2}

// Instr is one instruction. Vectors take consecutive slots.
type Instr struct {
	Op      Opcode
	Fn      pisa.AtomicOp
	Float   bool // RMW on .f: Fn is a float operation
	Order   pisa.Order
	Scope   pisa.Scope
	Cover   Cover
	Lanes   uint8
	Width   uint8 // bytes of an element
	Neg     bool
	Pred    bool  // OpEval gives a predicate
	Lit     bool  // Var names the location's variable; else A is an address
	Dst     int32 // first slot; -1: none
	Dst2    int32
	Var     int32
	Target  int32
	Space   ir.Space // of the address in A
	A       Operand  // address or first source
	Off     Operand  // byte offset of the address
	B, C, D Operand
	Eval    pisa.Eval
	Type    pisa.DType // of an RMW
	Text    string
	Loc     ir.Loc
}

// Addresses of variables: regions far apart, so that arithmetic on them works
// and leaving a variable is noticed. Generic addresses of shared memory carry
// the aperture bit.
const (
	regionShift    = 16
	sharedAperture = 1 << 40
)

func (p *Program) addressOf(v int32) uint64 { return uint64(v+1) << regionShift }

// layOut gives variables their cells. Widths must be set.
func (p *Program) layOut() error {
	p.Cells = p.Cells[:0]
	groups := 0
	for i := range p.Threads {
		groups = max(groups, p.Threads[i].WG+1)
	}
	for vi := range p.Vars {
		v := &p.Vars[vi]
		v.first = v.first[:0]
		if v.Hidden {
			continue
		}
		w := v.Width
		if w == 0 {
			w = min(4, max(v.Size, 1))
		}
		n := 1
		if v.Space == Shared {
			n = groups
		}
		if v.Size > 1<<regionShift {
			return fmt.Errorf("variable %s: %d bytes are too many for a litmus test", v.Name, v.Size)
		}
		for g := range n {
			v.first = append(v.first, int32(len(p.Cells)))
			if v.Space == Shared && !p.groupExists(g) {
				continue
			}
			for off := uint32(0); off < v.Size; off += w {
				c := Cell{Name: v.Name, Space: v.Space}
				if off > 0 {
					c.Name = fmt.Sprintf("%s+%d", v.Name, off)
				}
				if v.Space == Shared {
					c.Name = fmt.Sprintf("%s@wg%d", c.Name, g)
				}
				if k := int(off / w); k < len(v.Init) {
					c.Init = v.Init[k]
				}
				for k := range w {
					if v.Init == nil && off+k < uint32(len(v.bytes)) {
						c.Init |= uint64(v.bytes[off+k]) << (8 * k)
					}
				}
				p.Cells = append(p.Cells, c)
			}
		}
	}
	if len(p.Cells) > MaxCells {
		return fmt.Errorf("%d memory locations; at most %d are possible", len(p.Cells), MaxCells)
	}
	return nil
}

func (p *Program) groupExists(g int) bool {
	for i := range p.Threads {
		if p.Threads[i].WG == g {
			return true
		}
	}
	return false
}

// cellAt resolves an access of width bytes at byte off of variable v by a
// work-item of group wg; -1 if it is outside the variable or misaligned, -2
// if the variable is accessed with another width too.
func (p *Program) cellAt(v int32, off int64, width uint8, wg int) int32 {
	va := &p.Vars[v]
	if off < 0 || off+int64(width) > int64(va.Size) || off%int64(width) != 0 {
		return -1
	}
	if va.Width != uint32(width) {
		return -2
	}
	inst := 0
	if va.Space == Shared {
		inst = wg
	}
	return va.first[inst] + int32(off/int64(width))
}

// resolve finds the variable and offset of an address in space s; ok is false
// if it is none.
func (p *Program) resolve(addr uint64, s ir.Space) (v int32, off int64, ok bool) {
	shared := s == ir.SpaceShared
	if s == ir.SpaceGeneric && addr&sharedAperture != 0 {
		shared, addr = true, addr&^sharedAperture
	}
	v = int32(addr>>regionShift) - 1
	if addr>>regionShift == 0 || addr>>regionShift > uint64(len(p.Vars)) {
		return 0, 0, false
	}
	if (p.Vars[v].Space == Shared) != shared {
		return 0, 0, false
	}
	return v, int64(addr & (1<<regionShift - 1)), true
}
