package ir

// Parse reads the textual form of a module. It reports every mistake it finds
// to ds and returns nil if there was any. What it returns is well formed but
// not verified.
func Parse(src *Sources, file *SourceFile, reg *Registry, ds *Diags) *Module {
	p := parser{
		lx:      lexer{src: file.Text},
		file:    file,
		ds:      ds,
		mod:     NewModule(reg, src),
		symbols: make(map[string]Aux),
		words:   make(map[string]opWord),
		blocks:  nameTable[Block]{prefix: "bb"},
	}
	before := ds.Errors()
	p.advance()
	p.module()
	p.resolve()
	if ds.Errors() > before {
		return nil
	}
	return p.mod
}

type parser struct {
	lx   lexer
	tok  token
	prev int // end of the token before
	file *SourceFile
	ds   *Diags
	mod  *Module

	symbols map[string]Aux // module scope
	pending []symbolRef    // to symbols not yet defined
	words   map[string]opWord

	fn       *Func
	block    *Block // being filled
	locals   map[string]Aux
	params   map[string]Aux
	values   nameTable[Value]
	blocks   nameTable[Block]
	labels   []labelInfo // by Block.ID
	forwards []forward
	inits    []symbolRef // of the function's variables

	results  []token
	offset   bool // the op's address has an offset
	operands []operandRef
	edges    []edgeRef
	types    []Type
	regs     []Reg // of the results whose types are in types
}

// symbolRef is a use of a symbol that is looked up later: by op, or by item
// of the initialiser of v.
type symbolRef struct {
	op   *Op
	v    *Var
	item int
	name token
}

// forward is a use of a value that is looked up at the end of its function.
type forward struct {
	op      *Op
	operand int
	name    token
}

type operandRef struct {
	val  *Value // nil: not yet defined
	name token
}

type edgeRef struct {
	to     *Block
	off, n int
}

type labelInfo struct {
	defined bool
	use     token // first mention
}

// poison stands for the results of ops that did not parse: their uses are not
// reported.
var poison = new(Value)

func (p *parser) advance() {
	p.prev = p.tok.end
	p.tok = p.lx.next()
}

func (p *parser) errorAt(t token, code, text string, notes ...DiagNote) {
	p.ds.Error(p.file.Loc(t.off), p.file.Loc(t.end), code, text, notes...)
}

// expected reports that the current token does not go on with what is wanted;
// at the end of the line before if that is where it is missing.
func (p *parser) expected(what string) bool {
	if p.tok.first && p.prev > 0 {
		p.errorAt(token{off: p.prev, end: p.prev}, codeSyntax, "expected "+what)
		return false
	}
	return p.unexpected(what)
}

// unexpected reports the current token: it begins something, but nothing that
// is wanted.
func (p *parser) unexpected(want string) bool {
	switch p.tok.kind {
	case tokBad:
		p.errorAt(p.tok, codeSyntax, p.lx.bad)
	case tokEOF:
		p.errorAt(p.tok, codeSyntax, "expected "+want+" before the end of the file")
	default:
		p.errorAt(p.tok, codeSyntax, "expected "+want)
	}
	return false
}

func (p *parser) isPunct(c byte) bool { return p.tok.kind == tokPunct && p.tok.punct == c }

func (p *parser) acceptPunct(c byte) bool {
	if !p.isPunct(c) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expectPunct(c byte) bool {
	return p.acceptPunct(c) || p.expected("'"+string(rune(c))+"'")
}

func (p *parser) isWord(w string) bool { return p.tok.kind == tokWord && string(p.tok.text) == w }

func (p *parser) acceptWord(w string) bool {
	if !p.isWord(w) {
		return false
	}
	p.advance()
	return true
}

// take returns the current token if it is of the kind.
func (p *parser) take(k tokKind, what string) (token, bool) {
	t := p.tok
	if t.kind != k {
		return t, p.expected(what)
	}
	p.advance()
	return t, true
}

// number reads an unsigned number of at most max.
func (p *parser) number(max uint64) (uint64, bool) {
	t, ok := p.take(tokWord, "a number")
	if !ok {
		return 0, false
	}
	hi, lo, ok := parseUint(t.text)
	if !ok || hi != 0 || lo > max {
		p.errorAt(t, codeNumber, "expected a number of at most "+string(appendUint(nil, max)))
		return 0, false
	}
	return lo, true
}

func (p *parser) typ() (Type, bool) {
	t, ok := p.take(tokWord, "a type")
	if !ok {
		return None, false
	}
	ty, ok := ParseType(string(t.text))
	if !ok || ty == None {
		p.errorAt(t, codeType, shown(t.text)+" is not the type of a value")
		return None, false
	}
	return ty, true
}

// valueType reads a type and the register behind it, if any.
func (p *parser) valueType() (Type, Reg, bool) {
	t, ok := p.typ()
	if !ok || p.tok.kind != tokSym || p.tok.first {
		return t, NoReg, ok
	}
	r, ok := ParseReg(string(p.tok.text))
	if !ok {
		p.errorAt(p.tok, codeType, shown(p.tok.text)+" is not a register")
		return None, NoReg, false
	}
	p.advance()
	return t, r, true
}

// skipLine skips to the first token of a line.
func (p *parser) skipLine() {
	for p.advance(); !p.tok.first; p.advance() {
	}
}

// skipItem skips to a line that begins an item of the module.
func (p *parser) skipItem() {
	for !p.tok.first || !p.atItem() {
		p.skipLine()
	}
}

func (p *parser) atItem() bool {
	return p.tok.kind == tokEOF || p.isWord("var") || p.isWord("kernel") || p.isWord("function")
}

func (p *parser) module() {
	if p.isWord("module") && !p.header() {
		p.skipItem()
	}
	for p.tok.kind != tokEOF {
		ok := false
		switch {
		case p.acceptWord("var"):
			ok = p.variable(nil)
		case p.acceptWord("kernel"):
			ok = p.function(FuncKernel)
		case p.acceptWord("function"):
			ok = p.function(FuncDevice)
		default:
			p.unexpected("var, kernel or function")
		}
		if ok && !p.tok.first {
			ok = p.expected("a new line")
		}
		if !ok {
			p.skipItem()
		}
	}
}

func (p *parser) header() bool {
	p.advance()
	if !p.acceptWord("version") {
		return p.expected("version")
	}
	t, ok := p.take(tokWord, "a version")
	if !ok {
		return false
	}
	major, minor, ok := splitVersion(t.text)
	if !ok {
		p.errorAt(t, codeNumber, "a version is two numbers of at most 255")
		return false
	}
	p.mod.Version = Version{major, minor}
	if !p.tok.first && p.acceptWord("target") {
		if p.tok.kind != tokWord && p.tok.kind != tokString {
			return p.expected("a target")
		}
		p.mod.Target = string(p.tok.text)
		p.advance()
	}
	return p.tok.first || p.expected("a new line")
}

func splitVersion(s []byte) (major, minor uint8, ok bool) {
	for i, c := range s {
		if c == '.' {
			_, a, okA := parseUint(s[:i])
			_, b, okB := parseUint(s[i+1:])
			return uint8(a), uint8(b), okA && okB && a <= 255 && b <= 255
		}
	}
	return 0, 0, false
}

// define enters a symbol; it reports a second definition.
func (p *parser) define(table map[string]Aux, name token, a Aux) {
	if old, dup := table[string(name.text)]; dup {
		p.errorAt(name, codeRedef, "redefinition of @"+shown(name.text),
			DiagNote{Loc: p.symbolLoc(old), Text: "first defined here"})
		return
	}
	table[string(name.text)] = a
}

func (p *parser) symbolLoc(a Aux) Loc {
	if s := p.mod.Symbol(a); s.Func != nil {
		return s.Func.Loc
	} else if s.Var != nil {
		return s.Var.Loc
	}
	return NoLoc
}

// variable reads a variable behind its keyword; of fn, or of the module if fn
// is nil.
func (p *parser) variable(fn *Func) bool {
	name, ok := p.take(tokSym, "@name")
	if !ok {
		return false
	}
	v := p.mod.NewVar(string(name.text), SpaceNone, fn)
	v.Loc = p.file.Loc(name.off)
	if fn == nil {
		p.define(p.symbols, name, v.sym)
	} else {
		if p.locals == nil {
			p.locals = make(map[string]Aux)
		}
		p.define(p.locals, name, v.sym)
	}
	if v.Space, ok = p.space(); !ok {
		return false
	}
	for !p.tok.first {
		ok := false
		switch {
		case p.acceptWord("size"):
			v.Size, ok = p.number(1<<63 - 1)
		case p.acceptWord("align"):
			v.Align, ok = p.number32()
		case p.acceptWord("section"):
			v.Section, ok = p.str()
		case p.acceptWord("host_access"):
			v.HostAccess, ok = p.str()
		case p.acceptPunct('='):
			return p.initialiser(v)
		default:
			v.Linkage, ok = p.linkage()
		}
		if !ok {
			return false
		}
	}
	return true
}

func (p *parser) number32() (uint32, bool) {
	n, ok := p.number(1<<32 - 1)
	return uint32(n), ok
}

func (p *parser) str() (string, bool) {
	t, ok := p.take(tokString, "a string")
	return string(t.text), ok
}

func (p *parser) linkage() (Linkage, bool) {
	switch {
	case p.acceptWord("export"):
		return LinkExport, true
	case p.acceptWord("import"):
		return LinkImport, true
	}
	return LinkLocal, p.expected("an attribute")
}

func (p *parser) space() (Space, bool) {
	if p.tok.kind == tokWord {
		for i, name := range spaceNames {
			if string(p.tok.text) == name {
				p.advance()
				return Space(i), true
			}
		}
	}
	return SpaceNone, p.expected("an address space")
}

func (p *parser) initialiser(v *Var) bool {
	if !p.expectPunct('{') {
		return false
	}
	v.Init = []Init{}
	for !p.acceptPunct('}') {
		if len(v.Init) > 0 && !p.expectPunct(',') {
			return false
		}
		if !p.initItem(v) {
			return false
		}
	}
	return true
}

func (p *parser) initItem(v *Var) bool {
	var it Init
	ok := true
	switch {
	case p.acceptWord("zero"):
		it.Zero, ok = p.number(1<<63 - 1)
	case p.acceptWord("bytes"):
		it.Bytes, ok = p.initBytes()
	case p.acceptWord("sym"):
		name := p.tok
		if name.kind != tokSym && name.kind != tokModSym {
			return p.expected("@name")
		}
		p.advance()
		ref := symbolRef{v: v, item: len(v.Init), name: name}
		if v.Fn != nil && name.kind == tokSym {
			p.inits = append(p.inits, ref)
		} else {
			p.pending = append(p.pending, ref)
		}
		it.Off, ok = p.symbolOffset()
	default:
		ok = p.expected("bytes, zero or sym")
	}
	v.Init = append(v.Init, it)
	return ok
}

func (p *parser) initBytes() ([]byte, bool) {
	t, ok := p.take(tokWord, "hexadecimal digits")
	if !ok {
		return nil, false
	}
	s := t.text
	if len(s) < 4 || len(s)%2 != 0 || s[0] != '0' || s[1] != 'x' {
		p.errorAt(t, codeNumber, "bytes are written 0x and two hexadecimal digits each")
		return nil, false
	}
	out := make([]byte, 0, len(s)/2-1)
	for i := 2; i < len(s); i += 2 {
		hi, lo := hexValue(s[i]), hexValue(s[i+1])
		if hi < 0 || lo < 0 {
			p.errorAt(t, codeNumber, "bytes are written 0x and two hexadecimal digits each")
			return nil, false
		}
		out = append(out, byte(hi<<4|lo))
	}
	return out, true
}

func (p *parser) symbolOffset() (int64, bool) {
	switch {
	case p.acceptPunct('+'):
		n, ok := p.number(1<<63 - 1)
		return int64(n), ok
	case p.acceptPunct('-'):
		n, ok := p.number(1 << 63)
		return -int64(n), ok
	}
	return 0, true
}

// resolve looks up the symbols that were used before their definition.
func (p *parser) resolve() {
	for i := range p.pending {
		ref := &p.pending[i]
		a, ok := p.symbols[string(ref.name.text)]
		if !ok {
			p.errorAt(ref.name, codeUndef, "undefined symbol @"+shown(ref.name.text))
			continue
		}
		ref.set(a)
	}
}

func (r *symbolRef) set(a Aux) {
	if r.op != nil {
		r.op.Aux = a
	} else {
		r.v.Init[r.item].Sym = a
	}
}

// shown is a name or word for a message: quoted if need be, and clipped.
func shown(s []byte) string {
	const most = 60
	if len(s) <= most {
		return string(appendName(nil, string(s)))
	}
	return string(appendName(nil, string(s[:most]))) + "…"
}
