// Package asm is PISA assembly: lexer, parser with recovery, name resolution
// and checks (one pass over the text), linker of several modules, and the
// canonical printer. In: source text. Out: a File that satisfies every rule
// of the language, or Diags. Promise: every mistake of a file is reported in
// one run, nothing the input says can make the parser recurse, allocate out of
// proportion to the text, or panic.
//
// # How
//
// Parse is one pass over the bytes (lex.go, parse.go, decl.go, func.go,
// body.go). A mnemonic with its qualifiers is looked up as one word; the first
// time it is matched with the forms of the dialect's table (spell.go,
// spellerr.go), and what follows from the qualifiers alone is settled once.
// Operands are read without regard to the form (operand.go), names are bound
// through one entry for each spelling with an undo log for blocks (names.go,
// symbols.go), and then the operands choose the form (match.go, explain.go,
// imm.go). Instructions that name a symbol of the module which is not declared
// yet wait for the end of the module (finish.go). Link (link.go) binds the
// imports of several modules; AppendText (print.go) is the canonical text.
// codes.go lists every diagnostic, limits.go every limit.
package asm

import (
	"pisac/dialects/pisa"
	"pisac/ir"
)

// File is one assembly module, resolved and checked.
type File struct {
	Src     *ir.SourceFile
	Version ir.Version
	Target  string // "" if not stated
	// Which header lines the text has, and where.
	HasVersion, HasTarget bool
	VersionLoc, TargetLoc ir.Loc
	Decls                 []Decl // in source order
	Vars                  []*Var // module scope
	Funcs                 []*Func
	Comments              []Comment // in source order, for the formatter
}

// Decl is one declaration at module scope: one of Var and Func is set.
type Decl struct {
	Var   *Var
	Func  *Func
	Proto bool   // a declaration of a function that is defined elsewhere in the file
	Loc   ir.Loc // of its first word
}

// Comment is a `//` comment.
type Comment struct {
	Loc  ir.Loc
	Text string // without the slashes and trailing blanks
	Own  bool   // alone on its line
}

// Var is a memory variable, of the module or of a function.
type Var struct {
	Name       string
	Space      ir.Space
	Linkage    ir.Linkage
	Align      uint32 // 1 if not declared
	HasAlign   bool
	Elem       ir.Type // element type written before the name (digest A6); None
	Count      uint64  // number in brackets
	HasSize    bool
	Size       uint64 // bytes
	Section    string
	HostAccess string
	Init       []Item
	HasInit    bool
	Fn         *Func // nil at module scope
	Loc, End   ir.Loc
	IR         *ir.Var // set when linked into a module

	to *Var // of an import that is linked: the definition
}

// Item is one item of an initialiser.
type Item struct {
	Bits     int    // width of a number or symbol; 0 for .zero
	Value    uint64 // low bits of the number, or count of .zero
	Hex      bool   // written in hexadecimal
	Neg      bool   // written with a minus sign
	Sym      SymRef // 64-bit address of a symbol
	Off      int64  // added to Sym
	Loc, End ir.Loc
}

// SymRef is a reference to a symbol by name: exactly one pointer is set after
// resolution.
type SymRef struct {
	Name string
	Var  *Var
	Func *Func
}

// Func is a kernel or function.
type Func struct {
	Name              string
	Kind              ir.FuncKind
	Linkage           ir.Linkage
	Ret               ir.Type    // None for void
	KParams           []ir.Param // kernel parameters
	Params            []uint32   // device function parameters: indices into Regs
	ParamTypes        []ir.Type
	ReqdWorkGroupSize [3]uint32
	VecTypeHint       string
	HasBody           bool

	Regs   []Reg   // registers and predicates: parameters, then those that the body mentions
	Vars   []*Var  // variables declared in the body
	Labels []Label // by index
	// RegDecls are the .reg and .pred declarations as written, RegNames their
	// names; Stmt.Ref of StmtReg indexes RegDecls.
	RegDecls []RegDecl
	RegNames []RegName
	Syms     []SymRef
	Stmts    []Stmt // the body, flat: nested blocks are Open … Close
	Instrs   []Instr
	Args     []Operand // operands of all instructions

	Loc, End ir.Loc // of the name
	BodyEnd  ir.Loc // of the closing brace
	IR       *ir.Func

	to     *Func // of an import that is linked: the definition
	proto  bool  // declared, not yet defined
	badSig bool  // the signature has errors: calls are not checked
}

// Reg is a register or predicate that the body mentions.
type Reg struct {
	Name string // without %
	Type ir.Type
	Loc  ir.Loc // of the declaration
}

// RegDecl is one .reg or .pred declaration: RegNames[Off:Off+N] of its Func.
type RegDecl struct {
	Type   ir.Type
	Off, N uint32
}

// RegName is one name of a RegDecl: a register, or the registers Name‹Lo› to
// Name‹Hi-1› of a range, which is never expanded.
type RegName struct {
	Name     string // without %
	Range    bool
	Lo, Hi   uint32
	Loc, End ir.Loc

	reg uint32 // 1 + index in Func.Regs of a plain name that the body mentions
	typ ir.Type
}

// Label of a function.
type Label struct {
	Name string
	Loc  ir.Loc
}

// StmtKind is the sort of a Stmt.
type StmtKind uint8

const (
	StmtInstr StmtKind = iota // Ref indexes Func.Instrs
	StmtLabel                 // Ref indexes Func.Labels
	StmtReg                   // .reg or .pred declaration; Ref indexes Func.RegDecls of the printer
	StmtVar                   // Ref indexes Func.Vars
	StmtOpen                  // {
	StmtClose                 // }
)

// Stmt is one statement of a body.
type Stmt struct {
	Kind StmtKind
	Ref  uint32
	Loc  ir.Loc
}

// Instr is one instruction, resolved to its form.
type Instr struct {
	Row      *pisa.Row
	Form     *pisa.Form
	Props    uint64 // qualifiers with defaults filled in
	off, n   uint32 // operands: Func.Args[off:off+n], in the order of Form.Args
	Loc, End ir.Loc
}

// Operands returns the operands of i in the order of Form.Args: an argument
// list and an address take as many entries as they need (see Operand).
func (f *Func) Operands(i *Instr) []Operand { return f.Args[i.off : i.off+i.n] }

// OperandKind is the sort of an Operand.
type OperandKind uint8

const (
	OpNone    OperandKind = iota // an optional operand that is not written
	OpReg                        // Ref indexes Func.Regs
	OpSpecial                    // special register: Ref is a pisa.SReg
	OpImm                        // Imm holds the bits, cut to the operand's width
	OpVar                        // Ref indexes Func.Syms; a memory variable
	OpFunc                       // Ref indexes Func.Syms; a function
	OpParam                      // Ref indexes Func.KParams
	OpLabel                      // Ref indexes Func.Labels
	OpVoid                       // the word void
	OpList                       // Ref operands follow: the arguments of a call
)

// Operand is one operand. A memory address is its base (OpReg, OpVar,
// OpSpecial or OpParam) with HasOff set if the next entry of the list is its
// offset (OpReg, OpSpecial or OpImm, the latter a signed 64-bit number).
type Operand struct {
	Kind     OperandKind
	Swz      Swizzle
	Not      bool // predicate with "!"
	HasOff   bool
	Ref      uint32
	Loc, End ir.Loc
	Imm      uint64
	Hi       bool // 128-bit immediate: the upper half is all ones, else zeros
	Lit      Lit  // how an immediate is written
}

// Lit is how an immediate is written; it matters to the printer only.
type Lit uint8

const (
	LitDec   Lit = iota // decimal integer
	LitNeg              // decimal integer with a minus sign
	LitHex              // hexadecimal
	LitFloat            // decimal floating-point literal
)

// Swizzle selects elements of a vector register: 0 is "all"; else the first
// element and the count (.x .y .z .w, .xy .zw, .xyzw).
type Swizzle uint8

// MakeSwizzle returns the swizzle of count elements from first.
func MakeSwizzle(first, count int) Swizzle { return Swizzle(count<<4 | first) }

// First returns the first element.
func (s Swizzle) First() int { return int(s & 15) }

// Count returns the number of elements; 0 if s selects the whole register.
func (s Swizzle) Count() int { return int(s >> 4) }
