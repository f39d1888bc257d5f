package ir

import (
	"iter"
	"strings"
)

// opWord is what an op's name with qualifiers means; code 0 is a word already
// reported.
type opWord struct {
	code  Code
	props uint64
}

// op reads one op. After a mistake its results count as defined.
func (p *parser) op() bool {
	p.offset = false
	p.results, p.operands, p.edges, p.types, p.regs = p.results[:0], p.operands[:0], p.edges[:0], p.types[:0], p.regs[:0]
	if p.opText() {
		return true
	}
	for _, name := range p.results {
		if p.values.get(name.text) == nil {
			p.values.set(name.text, poison)
		}
	}
	return false
}

func (p *parser) opText() bool {
	if p.tok.kind == tokVal && !p.resultNames() {
		return false
	}
	word := p.tok
	if word.kind != tokWord {
		return p.unexpected("an op")
	}
	p.advance()
	w, ok := p.opWord(word)
	if !ok {
		return false
	}
	d := p.mod.Reg.Def(w.code)
	var sym token
	aux := Aux(0)
	switch d.Syntax {
	case SyntaxConst:
		return p.constant(word, w)
	case SyntaxCall:
		sym, ok = p.symbolName()
		ok = ok && p.args()
	case SyntaxCallIndirect:
		var callee token
		if callee, ok = p.take(tokVal, "%callee"); ok {
			p.operand(callee)
			ok = p.args()
		}
	default:
		sym, aux, ok = p.plain(d)
	}
	if !ok || !p.resultTypes(word) {
		return false
	}
	o := p.build(w, aux, word)
	if sym.text != nil {
		p.useSymbol(o, sym)
	}
	return true
}

func (p *parser) resultNames() bool {
	for {
		name, ok := p.take(tokVal, "%name")
		if !ok {
			return false
		}
		p.results = append(p.results, name)
		if !p.acceptPunct(',') {
			return p.expectPunct('=')
		}
	}
}

// resultTypes reads `: types`; there must be as many as names before `=`.
func (p *parser) resultTypes(word token) bool {
	if !p.tok.first && p.acceptPunct(':') {
		for {
			t, r, ok := p.valueType()
			if !ok {
				return false
			}
			p.types, p.regs = append(p.types, t), append(p.regs, r)
			if !p.acceptPunct(',') {
				break
			}
		}
	}
	if len(p.types) != len(p.results) {
		p.errorAt(word, codeResults, string(appendUint(nil, uint64(len(p.results))))+" results but "+
			string(appendUint(nil, uint64(len(p.types))))+" result types")
		return false
	}
	return true
}

// build creates the op from what was read.
func (p *parser) build(w opWord, aux Aux, at token) *Op {
	f := p.fn
	o := f.newOp(w.code, w.props, aux, len(p.operands), len(p.types))
	o.Loc = p.file.Loc(at.off)
	if p.offset {
		o.Props = HasOffset.Set(o.Props, 1)
	}
	p.block.insertBefore(o, nil)
	for i := range p.operands {
		o.operands[i].user = o
		if v := p.operands[i].val; v == nil {
			p.forwards = append(p.forwards, forward{o, i, p.operands[i].name})
		} else if v != poison {
			o.operands[i].Set(v)
		}
	}
	o.succs = f.edgeSlab.take(len(p.edges))
	for i := range p.edges {
		e := &o.succs[i]
		e.op, e.off, e.n = o, uint32(p.edges[i].off), uint32(p.edges[i].n)
		e.SetTo(p.edges[i].to)
	}
	for i, t := range p.types {
		f.result(o, i, t)
		o.results[i].Reg = p.regs[i]
		p.defineValue(p.results[i], &o.results[i])
	}
	return o
}

func (p *parser) operand(name token) {
	p.operands = append(p.operands, operandRef{p.values.get(name.text), name})
}

// args reads (%a, %b).
func (p *parser) args() bool {
	if !p.expectPunct('(') {
		return false
	}
	for i := 0; !p.acceptPunct(')'); i++ {
		if i > 0 && !p.expectPunct(',') {
			return false
		}
		name, ok := p.take(tokVal, "%name")
		if !ok {
			return false
		}
		p.operand(name)
	}
	return true
}

func (p *parser) symbolName() (token, bool) {
	t := p.tok
	if t.kind != tokSym && t.kind != tokModSym {
		return t, p.expected("@name")
	}
	p.advance()
	return t, true
}

func (p *parser) useSymbol(o *Op, name token) {
	if name.kind == tokSym {
		if a, ok := p.locals[string(name.text)]; ok {
			o.Aux = a
			return
		}
	}
	if a, ok := p.symbols[string(name.text)]; ok {
		o.Aux = a
		return
	}
	p.pending = append(p.pending, symbolRef{op: o, name: name})
}

// plain reads payload, operands and edges.
func (p *parser) plain(d *OpDef) (sym token, aux Aux, ok bool) {
	more := true // an item may follow
	switch d.Aux {
	case AuxSym:
		if sym, ok = p.symbolName(); !ok {
			return sym, 0, false
		}
		more = p.acceptPunct(',')
	case AuxParam:
		name, ok := p.take(tokVal, "%parameter")
		if !ok {
			return sym, 0, false
		}
		if aux = p.params[string(name.text)]; aux == 0 {
			p.errorAt(name, codeUndef, "undefined parameter %"+shown(name.text))
			return sym, 0, false
		}
		more = p.acceptPunct(',')
	default:
		more = !p.tok.first && (p.tok.kind == tokVal || p.tok.kind == tokBlock || p.isPunct('['))
	}
	for more {
		if !p.item(d) {
			return sym, aux, false
		}
		more = p.acceptPunct(',')
	}
	return sym, aux, true
}

// item reads one operand, address or edge.
func (p *parser) item(d *OpDef) bool {
	t := p.tok
	isAddr := d.Addr != 0 && len(p.operands) == d.Addr-1
	switch {
	case t.kind == tokBlock:
		p.advance()
		e := edgeRef{to: p.blockNamed(t), off: len(p.operands)}
		if p.isPunct('(') && !p.args() {
			return false
		}
		e.n = len(p.operands) - e.off
		p.edges = append(p.edges, e)
		return true
	case len(p.edges) > 0:
		return p.expected("^block")
	case isAddr && t.kind == tokVal:
		return p.expected("an address in brackets")
	case t.kind == tokVal:
		p.advance()
		p.operand(t)
		return true
	case isAddr && p.acceptPunct('['):
		return p.address(d)
	}
	return p.expected("an operand")
}

func (p *parser) address(d *OpDef) bool {
	base, ok := p.take(tokVal, "%base")
	if !ok {
		return false
	}
	p.operand(base)
	if p.isPunct('+') {
		p.advance()
		off, ok := p.take(tokVal, "%offset")
		if !ok {
			return false
		}
		p.operand(off)
		p.offset = true
	}
	return p.expectPunct(']')
}

// constant reads VALUE : T behind the op's name.
func (p *parser) constant(word token, w opWord) bool {
	negative := p.acceptPunct('-')
	if p.tok.first {
		return p.expected("a number")
	}
	num, ok := p.take(tokWord, "a number")
	if !ok {
		return false
	}
	hi, lo, ok := parseUint(num.text)
	if !ok || negative && (hi != 0 || lo > 1<<63) {
		p.errorAt(num, codeNumber, "expected a number: decimal of at most 64 bits, or 0x and hexadecimal digits")
		return false
	}
	if !p.resultTypes(word) {
		return false
	}
	bits := 0
	if len(p.types) == 1 { // a vector constant is a splat
		bits = p.types[0].ElemBits()
	}
	if negative && lo != 0 {
		if bits < 64 && bits > 0 && lo > 1<<(bits-1) {
			bits = 0
		}
		if lo = -lo; bits == 128 {
			hi = ^uint64(0)
		} else if bits > 0 {
			lo &= ^uint64(0) >> (64 - bits)
		}
	}
	if bits == 0 || bits <= 64 && hi != 0 || bits < 64 && lo>>bits != 0 {
		p.errorAt(num, codeNumber, "the constant does not fit its type")
		return false
	}
	w.props = lo
	p.build(w, p.mod.InternWide(hi), word)
	return true
}

// opWord finds the op and qualifiers that a word means.
func (p *parser) opWord(t token) (opWord, bool) {
	if w, ok := p.words[string(t.text)]; ok {
		if w.code == 0 {
			p.errorAt(t, codeOp, "not an op (see the first "+shown(t.text)+")")
		}
		return w, w.code != 0
	}
	word := string(t.text)
	w, code, msg := p.mod.Reg.parseWord(word)
	if code != "" {
		p.errorAt(t, code, msg)
		w = opWord{}
	}
	p.words[word] = w
	return w, w.code != 0
}

// parseWord splits a word into op and qualifiers: the longest op name that is
// a prefix of it, then qualifiers in the row's order. On failure it returns a
// diagnostic code and text.
func (r *Registry) parseWord(word string) (w opWord, code, msg string) {
	end := len(word)
	if end > r.longest {
		end = max(strings.LastIndexByte(word[:r.longest+1], '.'), 0)
	}
	names := r.names()
	for {
		if c, ok := names[word[:end]]; ok {
			w.code = c
			break
		}
		if end = strings.LastIndexByte(word[:end], '.'); end < 0 {
			return w, codeOp, "no op is called " + shown([]byte(word)) + r.suggestion(word)
		}
	}
	d := &r.Defs[w.code]
	props, rest, missing := d.ParseQuals(word[end:])
	w.props = props
	if missing != nil {
		return w, codeQual, d.Name + " needs the qualifier ." + missing.Name + missing.choices()
	}
	if rest != "" {
		return w, codeQual, d.Name + " does not have the qualifier " + shown([]byte(rest)) + " here"
	}
	return w, "", ""
}

// ParseQuals reads qualifiers, each with its dot, in the row's order. It
// returns what is left of s, and the qualifier that is missing if one is.
func (d *OpDef) ParseQuals(s string) (props uint64, rest string, missing *Qual) {
	for i := range d.Quals {
		q := &d.Quals[i]
		v, n, ok := q.match(s)
		switch {
		case ok:
			s = s[n:]
		case q.Optional:
			v = q.Default
		default:
			return props, s, q
		}
		props |= q.Field.Put(v)
	}
	return props, s, nil
}

// match reads the qualifier at the beginning of s, which is its dot; n is the
// length read. Of several spellings that fit, the longest counts.
func (q *Qual) match(s string) (v uint64, n int, ok bool) {
	if s == "" {
		return 0, 0, false
	}
	switch q.Form {
	case QualInt, QualHex:
		end := 1
		for end < len(s) && s[end] != '.' {
			end++
		}
		hi, v, ok := parseUint([]byte(s[1:end]))
		return v, end, ok && hi == 0 && q.Allows(v)
	case QualKeyed, QualSigned:
		return q.matchKeyed(s)
	}
	for i, name := range q.Names {
		if name == "" || len(name) < n || !strings.HasPrefix(s[1:], name) {
			continue
		}
		if end := 1 + len(name); (end == len(s) || s[end] == '.') && q.Allows(uint64(i)) {
			v, n, ok = uint64(i), end, true
		}
	}
	return v, n, ok
}

func (q *Qual) matchKeyed(s string) (v uint64, n int, ok bool) {
	end := 1
	for end < len(s) && s[end] != '.' {
		end++
	}
	digits, ok := strings.CutPrefix(s[1:end], q.Name)
	if !ok || digits == "" {
		return 0, 0, false
	}
	negative := q.Form == QualSigned && digits[0] == 'n'
	if negative {
		digits = digits[1:]
	}
	hi, v, ok := parseUint([]byte(digits))
	if !ok || hi != 0 || v >= 1<<q.Field.Width || q.Form == QualSigned && v >= 1<<(q.Field.Width-1) {
		return 0, 0, false
	}
	if negative {
		v = (1<<q.Field.Width - v) & (1<<q.Field.Width - 1)
	}
	return v, end, q.Allows(v)
}

// choices lists the spellings of q for a message.
func (q *Qual) choices() string {
	var sb strings.Builder
	for i, name := range q.Names {
		if name != "" && q.Allows(uint64(i)) {
			if sb.Len() == 0 {
				sb.WriteString(": one of")
			}
			sb.WriteString(" ." + name)
		}
	}
	return sb.String()
}

func (r *Registry) suggestion(word string) string {
	names := func(yield func(string) bool) {
		for i := range r.Defs {
			if r.Defs[i].Name != "" && !yield(r.Defs[i].Name) {
				return
			}
		}
	}
	if s := Nearest(word, names); s != "" {
		return "; did you mean " + s + "?"
	}
	return ""
}

// maxSuggest is the longest word that Nearest looks at.
const maxSuggest = 40

// Nearest returns the first candidate with the least edit distance to word, if
// that is small enough for a "did you mean"; else "".
func Nearest(word string, candidates iter.Seq[string]) string {
	if len(word) > maxSuggest {
		return ""
	}
	best, limit := "", min(len(word)/4, 2)+1
	for c := range candidates {
		if d := EditDistance(word, c, limit); d < limit {
			best, limit = c, d
		}
	}
	return best
}

// EditDistance is the number of insertions, deletions, replacements and swaps
// of neighbours that turn a into b; limit if there are at least as many.
func EditDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit || len(b) > 2*maxSuggest {
		return limit
	}
	var rows [3][2*maxSuggest + 1]int
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur, prev, prev2 := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			d := prev[j-1]
			if a[i-1] != b[j-1] {
				d = 1 + min(d, prev[j], cur[j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, prev2[j-2]+1)
			}
			cur[j] = d
		}
	}
	return min(rows[len(a)%3][len(b)], limit)
}
