package asm

import (
	"sync"
	"unsafe"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// Options are the choices that PISA leaves to the implementation.
type Options struct {
	// FMulDefaultRounding is the rounding mode of an fmul that states none:
	// the specification's chapters contradict each other.
	FMulDefaultRounding pisa.Round
	// RelaxedScope is the scope of relaxed accesses, which assembly does not
	// write; NoScope means System.
	RelaxedScope pisa.Scope
}

// parser holds the state of one Parse. Slices are reused from function to
// function.
type parser struct {
	src     string
	base    ir.Loc
	pos     int
	prevEnd int // end of the last token
	line    int // start of the line of the last comment or token
	stop    bool

	// A header line whose absence at its place was reported may come later.
	lateVersion, lateTarget bool
	inInit                  bool // in the braces of an initialiser

	file     *File
	v10      bool
	opts     Options
	ds       ir.Diags
	errLimit int

	spellings map[string]*spelling

	names       []regName
	nameIDs     internTable
	recent      *[1 << recentBits]recentName
	trie        []trieNode
	undo        []undo
	scopes      []scope
	spans       []span
	decls       []decl
	hidden      map[uint64]uint32 // registers of ranges by item and number, while another item hides them
	epoch       uint32            // counts changes of the ranges in sight
	ranges      int               // in sight
	stems       map[string]uint32 // roots in trie of the texts that ranges begin with
	shadowSteps int

	syms   []symbol
	symIDs internTable

	labels   []labelName
	labelIDs internTable
	gotos    []gotoUse // to labels not yet defined

	fn       *Func
	fnNo     uint32 // 1, 2, …
	badRet   bool   // the return type is unknown: returns are not checked
	badTail  bool   // the last statement has an error
	unnamed  []int  // parameters without a name
	locals   []localVar
	protos   []proto
	symItems []symItem

	raws        []raw            // operands of the current instruction
	types       [maxArgs]ir.Type // of the operands, for rules
	fail        failure
	named       bool // one of them is a symbol
	soft        []softWarning
	poisoned    []uint32 // names reported as undefined in this function
	pending     []pendingInstr
	kept        []raw   // operands of pending instructions
	bodyEnd     int     // how far buffers has looked for the end of a body
	instrs      []Instr // buffers of fn, reused if it stays small
	args        []Operand
	stmts       []Stmt
	regs        []Reg
	regNames    []RegName
	regDecls    []RegDecl
	instrSlab   slab[Instr]
	argSlab     slab[Operand]
	stmtSlab    slab[Stmt]
	regSlab     slab[Reg]
	regNameSlab slab[RegName]
	regDeclSlab slab[RegDecl]
}

// Parse reads one module. The result is never nil; it is complete and
// satisfies every rule of the language if no error was added to ds.
func Parse(src *ir.SourceFile, opts Options, ds *ir.Diags) *File {
	p := &parser{
		base: src.Loc(0), file: &File{Src: src}, opts: opts,
		spellings: make(map[string]*spelling), nameIDs: newInternTable(),
		symIDs: newInternTable(), labelIDs: newInternTable(), hidden: make(map[uint64]uint32), stems: make(map[string]uint32),
		syms: make([]symbol, 1), labels: make([]labelName, 1),
	}
	b := spare.Get().(*buffers)
	p.instrs, p.args, p.stmts, p.names = b.instrs, b.args, b.stmts, b.names[:0]
	p.recent = &b.recent
	if len(src.Text) > 0 {
		p.src = unsafe.String(&src.Text[0], len(src.Text)) // inputs are not modified while a File lives
	}
	p.ds.Limit = ds.Limit
	if p.errLimit = ds.Limit; p.errLimit == 0 {
		p.errLimit = ir.DefaultErrorLimit
	}
	p.internSpecials()
	p.header()
	p.module()
	p.finish()
	p.ds.Sort()
	ds.Append(&p.ds)
	clear(p.names) // which hold on to the text
	clear(b.recent[:])
	b.instrs, b.args, b.stmts, b.names = p.instrs, p.args, p.stmts, p.names
	spare.Put(b)
	return p.file
}

// buffers are memory that one Parse leaves to the next.
type buffers struct {
	instrs []Instr
	args   []Operand
	stmts  []Stmt
	names  []regName
	recent [1 << recentBits]recentName
}

var spare = sync.Pool{New: func() any { return &buffers{} }}

// header reads .version and .target.
func (p *parser) header() {
	f := p.file
	f.Version = ir.Version{Major: 1}
	p.v10 = true
	start := p.mark()
	if p.ahead() != ".version" {
		switch {
		case p.ahead() == ".target":
			p.lateVersion = true
			p.err(eHeader, start, start+len(".target"), ".version must come first, before .target", note("PISA Compatibility 6.1: .version is the first statement of a module, .target the second"))
		default:
			p.warn(wHeader, start, start, "no .version at the start of the module; 1.0 is assumed", note("PISA Compatibility 6.1: a module starts with .version and .target"))
		}
	} else {
		f.VersionLoc = p.loc(start)
		p.word()
		p.version()
	}
	if p.ahead() == ".target" {
		f.TargetLoc = p.loc(p.pos)
		p.word()
		p.target()
	} else if f.HasVersion && !p.v10 {
		at := p.mark()
		end := at + max(p.nameLen(at), min(1, len(p.src)-at))
		p.err(eHeader, at, end, ".target must be the second statement of the module", note("PISA Compatibility 6.1.2; only `.version 1.0` may do without"))
		p.lateTarget = true
	}
}

func (p *parser) mark() int {
	p.skip()
	return p.pos
}

// ahead returns the next word without consuming it.
func (p *parser) ahead() string {
	if class[p.peek()]&cStart == 0 {
		return ""
	}
	return p.src[p.pos : p.pos+p.nameLen(p.pos)]
}

func (p *parser) version() {
	f := p.file
	at := p.mark()
	n := p.nameLen(at)
	text := p.src[at : at+n]
	p.take(n)
	f.HasVersion = true
	switch text {
	case "0.1":
		f.Version, p.v10 = ir.Version{Major: 0, Minor: 1}, false
	case "1.0":
	case "":
		p.unexpected("a version")
	default:
		p.err(eVersion, at, at+n, "unknown version "+clip(text), note("PISA Compatibility 6.1.1: known are 0.1 and 1.0"))
	}
	p.endHeader()
}

func (p *parser) target() {
	f := p.file
	at := p.mark()
	n := p.nameLen(at)
	text := p.src[at : at+n]
	p.take(n)
	f.HasTarget = true
	switch text {
	case "100", "100c", "100ca":
		f.Target = text
	case "":
		p.unexpected("a target")
	default:
		p.err(eTarget, at, at+n, "unknown target "+clip(text), note("PISA Compatibility 6.2: known are 100, 100c and 100ca"))
	}
	p.endHeader()
}

func (p *parser) endHeader() {
	if !p.endStatement("after the header line") {
		p.recover()
	}
}

// endStatement expects a semicolon. If it is missing at the end of a line, the
// error is placed there and the next line is taken as a new statement.
func (p *parser) endStatement(where string) bool {
	if p.accept(';') {
		return true
	}
	if p.pos >= len(p.src) || p.line > p.prevEnd || p.src[p.pos] == '}' {
		p.err(eSyntax, p.prevEnd, p.prevEnd, "expected ';' "+where)
		return true
	}
	p.unexpected("';' " + where)
	return false
}

// module reads the declarations.
func (p *parser) module() {
	for !p.stop {
		c := p.peek()
		if p.pos >= len(p.src) {
			return
		}
		start := p.pos
		w := p.word()
		switch w {
		case ".global", ".const", ".private", ".shared":
			p.moduleVar(start, start, w, ir.LinkLocal)
		case ".kernel":
			p.kernel(start)
		case ".function":
			p.function(start, ir.LinkLocal)
		case ".export", ".import":
			p.linked(start, w)
		case ".version", ".target":
			p.lateHeader(start, w)
		case ".reg", ".pred":
			p.err(ePlace, start, p.pos, w+" belongs inside a kernel or function", note("PISA Variables 2.2: registers are declared inside a function or a kernel"))
			p.recover()
		case "":
			if c == '}' {
				p.err(eSyntax, start, start+1, "'}' closes nothing")
				p.take(1)
				continue
			}
			p.unexpected("a declaration")
			p.take(1)
			p.recover()
		default:
			p.unknownDirective(start, w)
			p.recover()
		}
	}
}

func (p *parser) lateHeader(start int, w string) {
	had, reported := p.file.HasVersion, &p.lateVersion
	if w == ".target" {
		had, reported = p.file.HasTarget, &p.lateTarget
	}
	switch {
	case *reported:
		*reported = false
	case had:
		p.err(eHeader, start, p.pos, "a second "+w, note("PISA Compatibility 6.1: .version is the first statement of a module, .target the second"))
	default:
		p.err(eHeader, start, p.pos, w+" must stand at the start of the module", note("PISA Compatibility 6.1: .version is the first statement of a module, .target the second"))
	}
	p.recover()
}

func (p *parser) linked(start int, w string) {
	link := ir.LinkExport
	if w == ".import" {
		link = ir.LinkImport
	}
	at := p.mark()
	switch next := p.word(); next {
	case ".function":
		p.function(start, link)
	case ".global", ".const", ".private", ".shared":
		p.moduleVar(start, at, next, link)
	case ".kernel":
		p.err(eLinkage, start, start+len(w), w+" does not apply to kernels", note("PISA Variables 2.5.2; Calling Convention 4.3.1: linkage is for variables and functions; the host finds kernels by name"))
		p.kernel(start)
	default:
		p.pos, p.prevEnd = at, start+len(w)
		p.unexpected(".function, .global or .const after " + w)
		p.recover()
	}
}

var moduleDirectives = []string{".global", ".const", ".kernel", ".function", ".export", ".import", ".version", ".target"}

func (p *parser) unknownDirective(start int, w string) {
	if w[0] != '.' {
		p.err(eSyntax, start, start+len(w), "expected a declaration, found '"+clip(w)+"'"+didYouMean("."+w, moduleDirectives))
		return
	}
	p.err(eDirective, start, start+len(w), "unknown directive "+clip(w)+didYouMean(w, moduleDirectives))
}

// recover skips the rest of a faulty statement: past a semicolon, to a closing
// brace, or to a line that begins like a statement. Braces that open on the
// way are skipped with what they hold.
func (p *parser) recover() {
	depth := 0
	if p.inInit {
		depth, p.inInit = 1, false
	}
	for p.pos < len(p.src) {
		c := p.peek()
		if p.pos >= len(p.src) {
			return
		}
		newLine := p.line > p.prevEnd
		switch {
		case c == ';' && depth == 0:
			p.take(1)
			return
		case c == '{':
			if newLine && depth == 0 && p.fn != nil {
				return
			}
			depth++
		case c == '}':
			if depth == 0 {
				if p.fn != nil {
					return
				}
			} else if depth--; depth == 0 && p.fn == nil {
				p.take(1)
				p.accept(';')
				return
			}
		case c == '"':
			p.skipString()
			continue
		case class[c]&cStart != 0:
			n := p.nameLen(p.pos)
			if newLine && p.beginsStatement(p.src[p.pos:p.pos+n], depth) {
				return
			}
			p.take(n)
			continue
		}
		p.take(1)
	}
}

func (p *parser) skipString() {
	p.take(1)
	for p.pos < len(p.src) && p.src[p.pos] != '\n' {
		c := p.src[p.pos]
		p.take(1)
		if c == '"' {
			return
		}
		if c == '\\' && p.pos < len(p.src) && p.src[p.pos] != '\n' {
			p.take(1)
		}
	}
}

// beginsStatement reports a word at the start of a line at which recovery may
// stop; inside skipped braces only what stands at module scope counts.
func (p *parser) beginsStatement(w string, depth int) bool {
	switch w {
	case ".kernel", ".function", ".export", ".import", ".global":
		return true
	case ".version", ".target":
		return depth == 0 && p.fn == nil
	case ".reg", ".pred", ".shared", ".private", ".const":
		return depth == 0
	}
	if p.fn == nil || depth > 0 {
		return false
	}
	row, _ := mnemonic(w)
	return row != nil
}
