package llx

import (
	"strconv"
	"strings"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// Inst is an instruction whose text is composed here: mnemonic and operands are
// kept apart until printing, because llir numbers unnamed values only then.
//
// The embedded ir.Instruction is nil: it lends the unexported method by which
// llir recognises instructions.
type Inst struct {
	ir.Instruction
	ir.LocalIdent
	typ   types.Type
	parts []part
}

// part is literal text, followed by an operand where v is not nil, printed with
// its type unless bare.
type part struct {
	text string
	v    value.Value
	bare bool
}

// Type returns the result's type; void for none.
func (i *Inst) Type() types.Type { return i.typ }

// String is the result as a type-value pair.
func (i *Inst) String() string { return i.typ.String() + " " + i.Ident() }

// Operands returns nothing: no consumer of llir's def-use walk is used on
// instructions of this package.
func (i *Inst) Operands() []*value.Value { return nil }

// LLString returns the instruction in LLVM's syntax.
func (i *Inst) LLString() string {
	var s strings.Builder
	if i.typ != types.Void {
		s.WriteString(i.Ident())
		s.WriteString(" = ")
	}
	for _, p := range i.parts {
		s.WriteString(p.text)
		switch {
		case p.v == nil:
		case p.bare:
			s.WriteString(p.v.Ident())
		default:
			s.WriteString(p.v.String())
		}
	}
	return s.String()
}

func newInst(t types.Type, parts ...part) *Inst { return &Inst{typ: t, parts: parts} }

// Order is an LLVM memory ordering.
type Order uint8

// Orderings, weakest first; NotAtomic is a plain access.
const (
	NotAtomic Order = iota
	Monotonic
	Acquire
	Release
	AcqRel
	SeqCst
)

var orderText = [...]string{"", "monotonic", "acquire", "release", "acq_rel", "seq_cst"}

// String is LLVM's word for the ordering.
func (o Order) String() string { return orderText[o] }

// Sync scopes of the AMDGPU target. None of the -one-as scopes is here: PISA's
// orders are over all address spaces.
const (
	ScopeSystem    = ""
	ScopeAgent     = "agent"
	ScopeWorkgroup = "workgroup"
	ScopeWavefront = "wavefront"
)

// Access describes a memory access.
type Access struct {
	Align int    // bytes; 0 leaves it to LLVM
	Order Order  // NotAtomic for a plain access
	Scope string // sync scope of an atomic access
	MD    string // attachments as text, for example "!nontemporal !0"
}

func (a Access) tail() string {
	var s strings.Builder
	if a.Order != NotAtomic {
		if a.Scope != "" {
			s.WriteString(" syncscope(\"" + a.Scope + "\")")
		}
		s.WriteString(" " + a.Order.String())
	}
	if a.Align != 0 {
		s.WriteString(", align " + strconv.Itoa(a.Align))
	}
	if a.MD != "" {
		s.WriteString(", " + a.MD)
	}
	return s.String()
}

func atomicWord(o Order) string {
	if o == NotAtomic {
		return ""
	}
	return "atomic "
}
