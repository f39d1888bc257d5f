package ir

import (
	"fmt"
	"math"
	"sync"
)

// Field is the place of a qualifier in Op.Props.
type Field struct{ Shift, Width uint8 }

// Get reads the field of p.
func (f Field) Get(p uint64) uint64 { return p >> f.Shift & (1<<f.Width - 1) }

// Set returns p with the field set to v.
func (f Field) Set(p, v uint64) uint64 {
	mask := uint64(1)<<f.Width - 1
	return p&^(mask<<f.Shift) | (v&mask)<<f.Shift
}

// Put returns v at the field's place, for composing Props with |.
func (f Field) Put(v uint64) uint64 { return v << f.Shift }

// QualForm is how a qualifier is spelled.
type QualForm uint8

const (
	QualEnum   QualForm = iota // one of Names
	QualFlag                   // present or absent; Names[1] is the spelling
	QualInt                    // a decimal number
	QualHex                    // 0x and two lower-case hex digits (bfn)
	QualKeyed                  // the qualifier's name and a decimal number: .offset16
	QualSigned                 // the same of a signed field: .offsetn16 is -16
)

// Qual describes one qualifier of an op: its place in Props and its spelling
// after the mnemonic. Qualifiers are written in the row's order.
type Qual struct {
	Name  string // as the spec names it: "rndmode", "type"
	Field Field
	Form  QualForm
	Names []string // by value; "" is not a value. Names[0]=="" is "not written"
	// Optional qualifiers may be left out; they then have the value Default.
	Optional bool
	Default  uint64
	Allowed  uint64 // bit set of the values allowed; 0: all of Names
}

// Allows reports whether value v is in the qualifier's set.
func (q *Qual) Allows(v uint64) bool {
	switch q.Form {
	case QualEnum:
		return v < uint64(len(q.Names)) && (q.Names[v] != "" || q.Optional && v == q.Default) &&
			(q.Allowed == 0 || q.Allowed>>v&1 != 0 || q.Optional && v == q.Default)
	case QualSigned:
		return v < 1<<q.Field.Width && v != 1<<(q.Field.Width-1)
	case QualFlag:
		return v == 1 || v == 0 && q.Optional
	}
	return v < 1<<q.Field.Width
}

// Effects is what an op does beside computing its results.
type Effects uint32

const (
	Pure        Effects = 0
	ReadsMem    Effects = 1 << iota // reads memory
	WritesMem                       // writes memory
	Ordered                         // may order other accesses: order, scope in Props
	FenceEffect                     // orders without accessing
	Barrier                         // execution barrier of the work-group
	Convergent                      // depends on the set of active lanes
	Calls                           // may do whatever the callee does
	Terminator                      // ends a block
	Commutes                        // the first two operands may be swapped
	ReadsLane                       // differs between lanes with equal operands
)

// Has reports whether all of x are set.
func (e Effects) Has(x Effects) bool { return e&x == x }

// AuxKind is the meaning of Op.Aux.
type AuxKind uint8

const (
	AuxNone  AuxKind = iota
	AuxSym           // a Symbol of the module
	AuxParam         // 1 + index into Func.Params
	AuxWide          // upper half of a 128-bit constant (Module.Wide)
)

// HasOffset is set in Props of an op whose address has an offset.
var HasOffset = Field{Shift: 63, Width: 1}

// OperandDef names an operand or result in diagnostics and documentation.
type OperandDef struct {
	Name     string
	Optional bool // only the last ones
	Variadic bool // only the last one: any number
}

// Syntax is the shape of an op's text behind its name and qualifiers.
type Syntax uint8

const (
	SyntaxPlain        Syntax = iota // payload, operands, edges
	SyntaxConst                      // the constant in Props and Aux, as a number
	SyntaxCall                       // @callee(operands)
	SyntaxCallIndirect               // %callee(further operands)
)

// OpDef is one row of a dialect's op table.
type OpDef struct {
	Name     string // with the dialect: "pisa.iadd"
	Code     Code
	Doc      string // one sentence
	Spec     string // section: "PISA 7.1.3"
	Operands []OperandDef
	Results  []OperandDef
	Quals    []Qual // in written order
	Syntax   Syntax
	Aux      AuxKind
	Effects  Effects
	Succs    int // number of successors
	// Addr is 1 + the index of the operand that is an address, written `[base]`
	// or, if HasOffset is set in Props, `[base + offset]`; 0 if none. The offset
	// is an operand more than Operands lists, behind the base.
	Addr int
	// Verify checks what the generic verifier cannot: types and restrictions.
	// It reports through v.
	Verify func(v *Verifier, op *Op)
	// ByShape says that Verify looks at Props and types only, so that one
	// check does for all ops of a shape.
	ByShape bool
}

// bounds returns how few and how many the row's operands or results may be.
func bounds(defs []OperandDef) (lo, hi int) {
	hi = len(defs)
	for i := range defs {
		if defs[i].Variadic {
			hi = math.MaxInt
		} else if !defs[i].Optional {
			lo++
		}
	}
	return lo, hi
}

// hasOffset reports whether the address of an op with these Props has an
// offset, one operand more than the row has.
func (d *OpDef) hasOffset(props uint64) bool { return d.Addr != 0 && HasOffset.Get(props) != 0 }

// Registry holds the op tables of all dialects.
type Registry struct {
	Defs    []OpDef                // by Code; Code 0 is unused
	names   func() map[string]Code // made when a text is first parsed
	longest int                    // op name
}

// NewRegistry builds a registry from dialect tables.
func NewRegistry(tables ...[]OpDef) *Registry {
	n := Code(0)
	for _, t := range tables {
		for i := range t {
			n = max(n, t[i].Code)
		}
	}
	r := &Registry{Defs: make([]OpDef, n+1)}
	r.names = sync.OnceValue(r.byName)
	for _, t := range tables {
		for i := range t {
			d := &t[i]
			if d.Name == "" {
				continue
			}
			if d.Code == 0 || r.Defs[d.Code].Name != "" {
				panic(fmt.Sprintf("ir: op %q: code %d is taken", d.Name, d.Code))
			}
			for k := range d.Quals {
				if f := d.Quals[k].Field; d.Addr != 0 && f.Shift+f.Width > HasOffset.Shift {
					panic(fmt.Sprintf("ir: op %q: a qualifier takes the bit of HasOffset", d.Name))
				}
			}
			r.Defs[d.Code] = *d
			r.longest = max(r.longest, len(d.Name))
		}
	}
	return r
}

func (r *Registry) byName() map[string]Code {
	m := make(map[string]Code, len(r.Defs))
	for i := range r.Defs {
		d := &r.Defs[i]
		if d.Name == "" {
			continue
		}
		if _, dup := m[d.Name]; dup {
			panic(fmt.Sprintf("ir: op %q registered twice", d.Name))
		}
		m[d.Name] = d.Code
	}
	return m
}

// Def returns the row of code c.
func (r *Registry) Def(c Code) *OpDef { return &r.Defs[c] }

// lookup is Def for a code that may be none.
func (r *Registry) lookup(c Code) *OpDef {
	if int(c) >= len(r.Defs) || r.Defs[c].Name == "" {
		return nil
	}
	return &r.Defs[c]
}

// Lookup returns the code of the op called name.
func (r *Registry) Lookup(name string) (Code, bool) {
	c, ok := r.names()[name]
	return c, ok
}
