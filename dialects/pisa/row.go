package pisa

import (
	"pisac/ir"
)

// Row is one mnemonic of PISA: its forms, and the op of the dialect that they
// become. Grammar, printing, verification, the reference page and the tests
// follow from it.
type Row struct {
	Code    ir.Code // 0: assembly only, lowered to other ops by ssabuild
	Name    string  // mnemonic
	Spec    string  // section: "1.3"
	Doc     string  // one sentence
	Effects ir.Effects
	Forms   []Form
	// IRTypes are values of .type that the op has beyond those of assembly.
	IRTypes uint64
	// IROnly rows have no mnemonic in assembly.
	IROnly bool

	quals []ir.Qual // union of the forms', in written order
}

// Quals returns the qualifiers of all forms in written order, as the op has
// them: those that some form lacks are optional.
func (r *Row) Quals() []ir.Qual { return r.quals }

// Form is one instruction form: qualifiers in order, operands in order,
// restrictions (one line of the specification's syntax blocks).
type Form struct {
	Name  string
	Quals []ir.Qual
	Args  []Arg
	Rules []Rule
	Since ir.Version // {1, 0}: only in modules of that version

	checks formCheck
}

// Absent is what the qualifiers that the form has not, but the op has, hold in
// the op's Props: their defaults.
func (f *Form) Absent() uint64 { return f.checks.absent }

// Role says what an operand of assembly becomes in the IR.
type Role uint8

const (
	Src  Role = iota // an operand
	Dst              // a result
	Tied             // read and written: an operand, and a result
)

// Kinds is a set of operand kinds.
type Kinds uint16

const (
	KReg     Kinds = 1 << iota
	KImm           // immediate
	KPred          // predicate register
	KNotPred       // predicate register with "!"
	KVar           // @variable
	KFunc          // @function
	KMem           // address [base + offset]
	KParam         // address whose base is a kernel parameter
	KLabel
	KVoid    // the word void
	KArgList // parenthesised register list of a call
)

// Shape is the type rule of an operand.
type Shape uint8

const (
	ShNone     Shape = iota
	ShPred           // predicate
	Sh32             // .32b scalar
	Sh64             // .64b scalar
	ShType           // register of .type (scalar)
	Sh2Type          // scalar twice as wide as .type
	ShTo             // register of .to
	ShFrom           // register of .from
	ShPacked         // register vector of a packed .type (.v4.8b, .v2.16b)
	ShPackFrom       // register vector of a packed .from
	ShAddr           // scalar as wide as an address of .addrspace
	ShAddrFrom       // scalar as wide as an address of .from (addrcast)
	ShVec            // .vec elements of .type
	ShVec32          // .vec elements of .32b
	ShAny32          // any vector of .32b
	ShMov            // mov: scalar or swizzle of .type's width in all
	ShRet            // the return type of the callee or of this function
	ShAny            // any register
)

// Arg is one operand of a form.
type Arg struct {
	Name  string
	Role  Role
	Kinds Kinds
	Shape Shape
	// Optional operands may be missing; a Rule says when.
	Optional bool
	// NoSwizzle: the register must be written whole.
	NoSwizzle bool
}

// Rule is a restriction that the operand shapes do not express.
type Rule struct {
	Text string // as a diagnostic says it: "no .cc on .shared"
	// Props reports whether qualifiers satisfy the rule; nil: not about them.
	Props func(p uint64) bool
	// Level says where the rule holds.
	Level Level
	// Written: the rule breaks only if the qualifier of this name is written
	// out (assembly only).
	Written string
	// Shape checks operand types; nil: not about them. t holds the type of
	// each Arg by index, None where absent or not a value.
	Shape func(p uint64, t []ir.Type) bool
}

// Level is where a Rule holds.
type Level uint8

const (
	Everywhere Level = iota
	InAsm            // only about how assembly is written
	InIR             // only about the op, which states what assembly leaves out
)

// Type returns the register type that s demands under qualifiers p; None if
// the rule admits several types (Admits decides).
func (s Shape) Type(p uint64) ir.Type {
	switch s {
	case ShPred:
		return ir.Pred
	case Sh32:
		return ir.B32
	case Sh64:
		return ir.B64
	case ShType, ShTo, ShPacked:
		return TypeOf(p).Info().Reg
	case Sh2Type:
		return ir.Bits(2 * TypeOf(p).Info().Bits)
	case ShFrom, ShPackFrom:
		return FromOf(p).Info().Reg
	case ShAddr:
		return ir.Bits(SpaceOf(p).AddrBits())
	case ShAddrFrom:
		return ir.Bits(FromSpaceOf(p).AddrBits())
	case ShVec:
		return ir.Vector(LanesOf(p), TypeOf(p).Info().Reg)
	case ShVec32:
		return ir.Vector(LanesOf(p), ir.B32)
	}
	return ir.None
}

// Admits reports whether a value of type t satisfies s under qualifiers p.
func (s Shape) Admits(p uint64, t ir.Type) bool {
	switch s {
	case ShAny32:
		return t.IsVector() && t.Elem() == ir.B32
	case ShMov:
		return t.IsBits() && t.TotalBits() == TypeOf(p).Info().Bits
	case ShRet, ShAny:
		return t != ir.None
	}
	return t == s.Type(p)
}

// RowOf returns the row of an op code of this dialect.
func RowOf(c ir.Code) *Row { return rowByCode[c-ir.BasePISA] }

// Mnemonic returns the row of an assembly mnemonic, nil if there is none.
func Mnemonic(name string) *Row { return rowByName[name] }

var (
	rowByCode = make([]*Row, NumCodes-ir.BasePISA)
	rowByName = make(map[string]*Row, len(Table))
)

func init() {
	for i := range Table {
		r := &Table[i]
		r.quals = r.mergedQuals()
		for k := range r.Forms {
			r.Forms[k].checks = r.Forms[k].newCheck(r)
		}
		if r.Code != 0 {
			rowByCode[r.Code-ir.BasePISA] = r
		}
		if !r.IROnly {
			rowByName[r.Name] = r
		}
	}
}

// Defs derives the dialect's op definitions from the table.
func Defs() []ir.OpDef {
	var defs []ir.OpDef
	for i := range Table {
		if r := &Table[i]; r.Code != 0 {
			defs = append(defs, r.def())
		}
	}
	return defs
}

func (r *Row) def() ir.OpDef {
	d := ir.OpDef{
		Name: "pisa." + r.Name, Code: r.Code, Doc: r.Doc, Effects: r.Effects,
		Quals: r.quals, Verify: verifyOp, ByShape: true,
	}
	if r.Spec != "" {
		d.Spec = "PISA " + r.Spec
	}
	main := &r.Forms[0]
	for i := range r.Forms { // the form with most operands names them
		if len(r.Forms[i].Args) > len(main.Args) {
			main = &r.Forms[i]
		}
	}
	for i := range main.Args {
		a := &main.Args[i]
		od := ir.OperandDef{Name: a.Name, Optional: a.Optional}
		switch {
		case a.Kinds&(KVar|KFunc) != 0 && a.Kinds&KReg == 0:
			d.Aux = ir.AuxSym
			continue
		case a.Kinds&KParam != 0:
			d.Aux = ir.AuxParam
			d.Operands = append(d.Operands, ir.OperandDef{Name: "offset", Optional: true})
			continue
		case a.Kinds&KMem != 0:
			d.Addr = len(d.Operands) + 1
		}
		if a.Role != Src {
			res := od
			res.Optional = res.Optional || !r.always(a.Name)
			d.Results = append(d.Results, res)
		}
		if a.Role != Dst {
			od.Optional = od.Optional || !r.always(a.Name)
			d.Operands = append(d.Operands, od)
		}
	}
	return d
}

// always reports whether every form has the operand.
func (r *Row) always(name string) bool {
	for i := range r.Forms {
		if !r.Forms[i].has(name) {
			return false
		}
	}
	return true
}

func (f *Form) has(name string) bool {
	for i := range f.Args {
		if f.Args[i].Name == name {
			return true
		}
	}
	return false
}

// mergedQuals is the union of the forms' qualifiers in written order: each
// form's order is a subsequence of it.
func (r *Row) mergedQuals() []ir.Qual {
	var out []ir.Qual
	for fi := range r.Forms {
		at := 0 // where the form's next qualifier goes if it is new
		for _, q := range r.Forms[fi].Quals {
			k := 0
			for k < len(out) && out[k].Name != q.Name {
				k++
			}
			if k == len(out) {
				if fi > 0 { // the earlier forms do without it
					q = absent(q)
				}
				out = append(out, ir.Qual{})
				copy(out[at+1:], out[at:])
				out[at] = q
				at++
				continue
			}
			m := &out[k]
			if m.Allowed != 0 {
				if q.Allowed == 0 {
					m.Allowed = 0
				} else {
					m.Allowed |= q.Allowed
				}
			}
			at = k + 1
		}
		for k := range out {
			if !r.Forms[fi].hasQual(out[k].Name) {
				out[k] = absent(out[k])
			}
		}
	}
	for k := range out {
		q := &out[k]
		switch q.Name {
		case "memscope":
			*q = opt(*q, NoScope) // the IR states the scope of every atomic
			q.Allowed = 0
		case "type":
			if q.Allowed != 0 {
				q.Allowed |= r.IRTypes
			}
		case "memorder":
			if !q.Optional { // atomic forms only
				continue
			}
		}
	}
	return out
}

func (f *Form) hasQual(name string) bool {
	for i := range f.Quals {
		if f.Quals[i].Name == name {
			return true
		}
	}
	return false
}

// absent makes q optional: some form of the mnemonic is without it.
func absent(q ir.Qual) ir.Qual {
	if !q.Optional {
		q.Optional, q.Default = true, 0
	}
	return q
}
