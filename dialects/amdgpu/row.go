package amdgpu

import (
	"slices"
	"strings"

	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Family is an encoding family.
type Family uint8

const (
	Pseudo Family = iota // no encoding: gone, or expanded by fixed text, when printed
	SOP1
	SOP2
	SOPC
	SOPK
	SOPP
	SMEM
	VOP1
	VOP2
	VOP3 // only the 64-bit encoding
	VOP3P
	VOPC
	DS
	Flat
	Global
	Scratch
	MUBUF // cache control
	NumFamilies
)

// Flags are properties of a row.
type Flags uint16

const (
	Commutes  Flags = 1 << iota // operands 0 and 1 may be swapped
	Tied                        // the last operand and result 0 are one register
	Loads                       // memory is read
	Stores                      // memory is written
	Atomic                      // read-modify-write
	Control                     // cache control, wait, barrier, message: never moved, never removed
	Branches                    // a terminator
	Trans                       // computed by the transcendental unit
	Float                       // obeys and may carry float modifiers (neg, abs, clamp, omod)
	Double                      // 64-bit float or multiply: a quarter of the rate or less
	FixedVCC                    // the lane-mask operand is vcc
	ReadsLane                   // reads other lanes
	Packed                      // Float: two 16-bit halves
	DPP                         // only in the form that reads other lanes (FDpp); tied to what lanes keep that have none to read
	NoReorder                   // Control, but only with respect to its own kind
)

// Latency is a class of delay until the result can be used.
type Latency uint8

const (
	LatNone Latency = iota
	LatSALU
	LatVALU
	LatTrans
	LatDouble
	LatLDS
	LatSMEM
	LatVMEM
)

// Kinds of an operand slot.
const (
	KS   = 1 << iota // scalar registers
	KV               // vector registers
	KImm             // inline constant or literal
	KSCC
)

// Slot is one operand or result of a row.
type Slot struct {
	Kinds uint8
	Regs  uint8 // 32-bit registers; 0: any number (pseudo instructions)
	Mask  bool  // a lane mask: as many registers as the wave needs
	Opt   bool  // may be missing
	Any   bool  // any number of operands from here on
	Int   bool  // an integer among floats
}

// Row is one instruction.
type Row struct {
	Code   ir.Code
	Name   string // RDNA 3's mnemonic, which is also the op's name
	GFX9   string // CDNA's, if another
	GFX12  string // RDNA 4's, if another
	Only   string // generations or chips that have it, if not all: "gfx9 gfx11", "gfx942"
	Family Family
	Sig    string // "results = operands", see slot
	Flags  Flags
	Lat    Latency // if not the family's

	Results  []Slot // from Sig
	Operands []Slot
	Saddr    []Slot // operands with FSaddr, of memory instructions that may have it

	half, double bool // operands are 16-bit numbers; 64-bit floats
}

// Mnemonic is the instruction's name on t, "" if t does not have it.
func (r *Row) Mnemonic(t *target.Target) string {
	if r.Only != "" && !r.listed(generationNames[t.Generation]) && !r.listed(t.Name) {
		return ""
	}
	switch {
	case t.Generation == target.GFX9 && r.GFX9 != "":
		return r.GFX9
	case t.Generation == target.GFX12 && r.GFX12 != "":
		return r.GFX12
	}
	return r.Name
}

// Has reports whether all of f are set.
func (r *Row) Has(f Flags) bool { return r.Flags&f == f }

// Vector reports an instruction that executes under exec.
func (r *Row) Vector() bool { return r.VALU() || r.Family >= DS && r.Family <= Scratch }

// VALU reports an instruction of the vector ALU.
func (r *Row) VALU() bool { return r.Family >= VOP1 && r.Family <= VOPC }

// SALU reports an instruction of the scalar ALU.
func (r *Row) SALU() bool { return r.Family >= SOP1 && r.Family <= SOPK }

// Memory reports an access to memory, LDS included.
func (r *Row) Memory() bool { return r.Flags&(Loads|Stores|Atomic) != 0 }

// slot reads one word of a signature:
//
//	s s2 s4 …    scalar registers        v v2 v4 …    vector registers
//	i i2         scalar or immediate     x x2 x3 x4   vector, scalar or immediate
//	m            lane mask               M            lane mask or immediate
//	c            scc                     k            immediate
//	S V X        any number of scalar, vector or any registers
//
// A ? behind it says that it may be missing, a * that any number follows.
func slot(w string) Slot {
	var s Slot
	if strings.HasSuffix(w, "*") {
		s.Any, w = true, w[:len(w)-1]
	}
	if strings.HasSuffix(w, "?") {
		s.Opt, w = true, w[:len(w)-1]
	}
	s.Regs = 1
	switch n := w[1:]; n {
	case "":
	case "16":
		s.Regs = 16
	default:
		s.Regs = n[0] - '0'
	}
	switch w[0] {
	case 's':
		s.Kinds = KS
	case 'v':
		s.Kinds = KV
	case 'i':
		s.Kinds = KS | KImm
	case 'x':
		s.Kinds = KS | KV | KImm
	case 'm':
		s.Kinds, s.Mask = KS, true
	case 'M':
		s.Kinds, s.Mask = KS|KImm, true
	case 'c':
		s.Kinds = KSCC
	case 'k':
		s.Kinds = KImm
	case 'S':
		s.Kinds, s.Regs = KS|KImm, 0
	case 'V':
		s.Kinds, s.Regs = KV, 0
	case 'X':
		s.Kinds, s.Regs = KS|KV|KImm, 0
	default:
		panic("amdgpu: no slot " + w)
	}
	return s
}

// slotLists are the lists of slots by their words: hundreds of rows have the
// same few.
type slotLists map[string][]Slot

func (l slotLists) slots(words string) []Slot {
	list, ok := l[words]
	if !ok {
		for _, w := range strings.Fields(words) {
			list = append(list, slot(w))
		}
		l[words] = list
	}
	return list
}

// rows is indexed by Code - ir.BaseAMDGPU.
var rows = buildRows(pseudoRows, salu, smemRows, valu, compareRows(), packedRows, ldsRows, memoryRows(), cacheRows)

func buildRows(tables ...[]Row) []Row {
	all := make([]Row, NumCodes-ir.BaseAMDGPU)
	lists := slotLists{}
	for _, t := range tables {
		for _, r := range t {
			at := &all[r.Code-ir.BaseAMDGPU]
			if at.Name != "" {
				panic("amdgpu: two rows of one code: " + at.Name + ", " + r.Name)
			}
			results, operands, _ := strings.Cut(r.Sig, "=")
			r.Results, r.Operands = lists.slots(results), lists.slots(operands)
			if r.Family >= Flat && r.Family <= Scratch {
				r.Saddr = saddrOperands(&r)
			}
			if secondInt[r.Code] {
				r.Operands = slices.Clone(r.Operands)
				r.Operands[1].Int = true
			}
			r.half, r.double = halfSource(&r), doubleSource(&r)
			if r.Lat == LatNone {
				r.Lat = familyLatency[r.Family]
				if r.Has(Trans) {
					r.Lat = LatTrans
				} else if r.Has(Double) {
					r.Lat = LatDouble
				}
			}
			*at = r
		}
	}
	for i := range all {
		if all[i].Name == "" {
			panic("amdgpu: a code has no row")
		}
	}
	return all
}

// listed reports whether Only has the word name.
func (r *Row) listed(name string) bool {
	for rest := r.Only; rest != ""; {
		var w string
		if w, rest, _ = strings.Cut(rest, " "); w == name {
			return true
		}
	}
	return false
}

var generationNames = [...]string{target.GFX9: "gfx9", target.GFX11: "gfx11", target.GFX12: "gfx12"}

var familyLatency = [NumFamilies]Latency{
	SOP1: LatSALU, SOP2: LatSALU, SOPC: LatSALU, SOPK: LatSALU, SMEM: LatSMEM,
	VOP1: LatVALU, VOP2: LatVALU, VOP3: LatVALU, VOP3P: LatVALU, VOPC: LatVALU,
	DS: LatLDS, Flat: LatVMEM, Global: LatVMEM, Scratch: LatVMEM,
}

// Rows returns all rows, in the order of their codes.
func Rows() []Row { return rows }

// RowOf returns the row of a code of the dialect.
func RowOf(c ir.Code) *Row { return &rows[c-ir.BaseAMDGPU] }

// IsMachine reports a code of the dialect.
func IsMachine(c ir.Code) bool { return c >= ir.BaseAMDGPU && c < NumCodes }
