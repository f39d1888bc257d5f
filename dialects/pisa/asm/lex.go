package asm

import (
	"strconv"

	"pisac/ir"
)

// Classes of bytes.
const (
	cSpace = 1 << iota
	cStart // may begin a name
	cName  // may stand in a name
	cDigit
	cHex
)

var class = classTable()

func classTable() (t [256]uint8) {
	for c := 0; c < 256; c++ {
		switch {
		case c == ' ' || c >= '\t' && c <= '\r':
			t[c] = cSpace
		case c >= '0' && c <= '9':
			t[c] = cDigit | cName | cHex
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '.':
			t[c] = cStart | cName
		}
		if c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' {
			t[c] |= cHex
		}
	}
	return t
}

// skip moves to the next token and keeps comments.
func (p *parser) skip() {
	src := p.src
	for p.pos < len(src) {
		c := src[p.pos]
		switch {
		case class[c]&cSpace != 0:
			if c == '\n' {
				p.line = p.pos + 1
			}
			p.pos++
		case c == '/' && p.pos+1 < len(src) && src[p.pos+1] == '/':
			p.comment()
		default:
			return
		}
	}
}

func (p *parser) comment() {
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos] != '\n' {
		p.pos++
	}
	end := p.pos
	for end > start+2 && class[p.src[end-1]]&cSpace != 0 {
		end--
	}
	p.file.Comments = append(p.file.Comments, Comment{
		Loc: p.loc(start), Text: p.src[start+2 : end], Own: p.prevEnd <= p.line,
	})
}

// peek skips to the next token and returns its first byte, 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		if c := p.src[p.pos]; c > ' ' && c != '/' {
			return c
		}
	}
	return p.peekFar()
}

func (p *parser) peekFar() byte {
	p.skip()
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// take consumes n bytes as a token.
func (p *parser) take(n int) {
	p.pos += n
	p.prevEnd = p.pos
}

// accept consumes the punctuation c if it is next.
func (p *parser) accept(c byte) bool {
	if p.peek() != c || c == 0 {
		return false
	}
	p.take(1)
	return true
}

// expect is accept with an error at what stands there instead.
func (p *parser) expect(c byte, where string) bool {
	if p.accept(c) {
		return true
	}
	want := "'" + string(rune(c)) + "' " + where
	if p.line > p.prevEnd && p.pos < len(p.src) { // it is missing at the end of a line
		p.err(eSyntax, p.prevEnd, p.prevEnd, "expected "+want)
		return false
	}
	p.unexpected(want)
	return false
}

// word reads a name, directive or mnemonic: "" if none is next. It includes
// dots: ".v4.32b" and "ld.global.32b" are one word.
func (p *parser) word() string {
	c := p.peek()
	if class[c]&cStart == 0 {
		return ""
	}
	start := p.pos
	p.take(p.nameLen(start))
	return p.src[start:p.pos]
}

func (p *parser) nameLen(from int) int {
	i, src := from, p.src
	for i < len(src) && class[src[i]]&cName != 0 {
		i++
	}
	return i - from
}

// regName reads the name after a %.
func (p *parser) regName() (string, bool) {
	start := p.pos
	n := p.nameLen(start + 1)
	p.take(1 + n)
	switch {
	case n == 0:
		p.err(eName, start, start+1, "a name must follow '%'")
		return "", false
	case n > MaxName:
		p.err(eLimit, start, start+1+n, "name of more than "+strconv.Itoa(MaxName)+" bytes")
		return "", false
	case class[p.src[start+1]]&cStart == 0:
		p.err(eName, start, p.pos, "a name cannot begin with a digit", note("PISA Syntax 1.3: a name matches [a-zA-Z$._][a-zA-Z$._0-9]*"))
		return "", false
	}
	return p.src[start+1 : p.pos], true
}

// symbolName reads the name after an @, in quotes or not.
func (p *parser) symbolName() (string, bool) {
	start := p.pos
	if start+1 < len(p.src) && p.src[start+1] == '"' {
		p.pos++
		s, ok := p.quoted(true)
		if !ok {
			return "", false
		}
		switch {
		case s == "":
			p.err(eName, start, p.pos, "a name must not be empty")
			return "", false
		case !p.v10:
			p.later(eName, start, p.pos, "a name in quotes")
		}
		return s, true
	}
	i, src := start+1, p.src
	for i < len(src) && (class[src[i]]&cName != 0 || src[i] == '@') {
		i++
	}
	p.take(i - start)
	name := src[start+1 : i]
	switch {
	case name == "":
		p.err(eName, start, start+1, "a name must follow '@'")
		return "", false
	case len(name) > MaxName:
		p.err(eLimit, start, i, "name of more than "+strconv.Itoa(MaxName)+" bytes")
		return "", false
	case !p.v10 && !plainName(name):
		p.later(eName, start, i, "a name that begins with a digit or contains '@'")
	}
	return name, true
}

// plainName reports a name of PISA Syntax 1.3.
func plainName(s string) bool {
	for i := 0; i < len(s); i++ {
		if class[s[i]]&cName == 0 {
			return false
		}
	}
	return s != "" && class[s[0]]&cStart != 0
}

// quoted reads a string; escapes are those of a quoted name.
func (p *parser) quoted(escapes bool) (string, bool) {
	start := p.pos
	var buf []byte // only if there are escapes
	from := start + 1
	i := from
	for ; i < len(p.src) && p.src[i] != '"'; i++ {
		switch c := p.src[i]; {
		case c == '\n':
			p.take(i - start)
			p.err(eString, start, i, "the string is not closed on its line")
			return "", false
		case c == '\\' && escapes:
			b, n := unescape(p.src[i:])
			if n == 0 {
				p.take(i + 1 - start)
				p.err(eString, i, min(i+2, len(p.src)), `unknown escape; there are \n, \", \\ and \ with two hexadecimal digits`)
				return "", false
			}
			buf = append(append(buf, p.src[from:i]...), b)
			i += n - 1
			from = i + 1
		}
	}
	if i >= len(p.src) {
		p.take(len(p.src) - start)
		p.err(eString, start, start+1, "the string is not closed")
		return "", false
	}
	p.take(i + 1 - start)
	if i-start > MaxString {
		p.err(eLimit, start, i, "string of more than "+strconv.Itoa(MaxString)+" bytes")
		return "", false
	}
	if buf == nil {
		return p.src[from:i], true
	}
	return string(append(buf, p.src[from:i]...)), true
}

// unescape decodes the escape at the start of s; n is its length, 0 if bad.
func unescape(s string) (b byte, n int) {
	switch {
	case len(s) < 2:
		return 0, 0
	case s[1] == 'n':
		return '\n', 2
	case s[1] == '"' || s[1] == '\\':
		return s[1], 2
	case len(s) >= 3 && class[s[1]]&cHex != 0 && class[s[2]]&cHex != 0:
		return hexValue(s[1])<<4 | hexValue(s[2]), 3
	}
	return 0, 0
}

func hexValue(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}

// literal is a number's value as far as its text alone gives it.
type literal struct {
	val  uint64 // magnitude of an integer
	form Lit
	neg  bool
	big  bool // an integer of more than 64 bits
}

// number is a literal and where it stands.
type number struct {
	literal
	start, end int
}

// number reads a literal that begins with a digit, a point or a minus sign.
func (p *parser) number() (n number, ok bool) {
	src, i := p.src, p.pos
	n.start = i
	if src[i] == '-' {
		n.neg = true
		i++
	}
	digits := i
	if n.neg {
		n.form = LitNeg
	}
	if i+1 < len(src) && src[i] == '0' && src[i+1]|0x20 == 'x' {
		n.form = LitHex
		for i += 2; i < len(src) && class[src[i]]&cHex != 0; i++ {
			n.big = n.big || n.val>>60 != 0
			n.val = n.val<<4 | uint64(hexValue(src[i]))
		}
		if i == digits+2 || n.neg {
			return n, p.badNumber(&n, i)
		}
	} else {
		for ; i < len(src) && class[src[i]]&cDigit != 0; i++ {
			d := uint64(src[i] - '0')
			n.big = n.big || n.val > (1<<64-1)/10 || n.val == (1<<64-1)/10 && d > (1<<64-1)%10
			n.val = n.val*10 + d
		}
		whole := i - digits
		if i < len(src) && (src[i] == '.' || src[i]|0x20 == 'e' && whole > 0) {
			n.form = LitFloat
			if i = fraction(src, i, whole); i < 0 {
				return n, p.badNumber(&n, digits)
			}
		} else if whole == 0 {
			return n, p.badNumber(&n, i)
		}
	}
	if i < len(src) && (class[src[i]]&cName != 0 || src[i] >= 0x80) {
		return n, p.badNumber(&n, i)
	}
	n.end = i
	p.take(i - p.pos)
	return n, true
}

// fraction scans from the point or exponent of a float: -1 if it is none.
func fraction(src string, i, whole int) int {
	if src[i] == '.' {
		from := i + 1
		for i = from; i < len(src) && class[src[i]]&cDigit != 0; i++ {
		}
		if i == from && whole == 0 {
			return -1
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		from := i
		for ; i < len(src) && class[src[i]]&cDigit != 0; i++ {
		}
		if i == from {
			return -1
		}
	}
	return i
}

func (p *parser) badNumber(n *number, at int) bool {
	end := at + p.nameLen(at)
	if end == at && end < len(p.src) && class[p.src[at]]&cSpace == 0 {
		end++
	}
	text := "malformed number"
	if n.form == LitHex && n.neg {
		text = "a minus sign cannot precede a hexadecimal number"
	} else if at+1 >= len(p.src) || n.neg && class[p.src[at]]&cName == 0 {
		text = "a number must follow '-'"
	}
	p.take(end - p.pos)
	p.err(eNumber, n.start, end, text, note("PISA Operands 3.2: decimal digits, 0x and hexadecimal digits, or a decimal floating-point literal"))
	return false
}

// integer reads a non-negative number of at most limit, saying what it is.
func (p *parser) integer(what string, limit uint64) (uint64, bool) {
	if class[p.peek()]&cDigit == 0 {
		p.unexpected("a number: " + what)
		return 0, false
	}
	n, ok := p.number()
	switch {
	case !ok:
		return 0, false
	case n.form == LitFloat:
		p.err(eNumber, n.start, n.end, what+" is an integer")
		return 0, false
	case n.big || n.val > limit:
		p.err(eLimit, n.start, n.end, what+" must be at most "+strconv.FormatUint(limit, 10))
		return 0, false
	}
	return n.val, true
}

// unexpected reports what stands at the next token.
func (p *parser) unexpected(want string) {
	c := p.peek()
	start, end := p.pos, p.pos
	switch {
	case p.pos >= len(p.src):
		p.err(eSyntax, max(p.prevEnd, 0), p.prevEnd, "the text ends where "+want+" is expected")
		return
	case class[c]&cName != 0:
		end += p.nameLen(start)
	case c == '%' || c == '@':
		end += 1 + p.nameLen(start+1)
	case c < ' ' || c >= 0x7f || c == '`' || c == '\'' || c == '\\' || c == '#' || c == '?' || c == '|' || c == '&' || c == '^' || c == '*' || c == '/':
		p.err(eChar, start, start+1, "unexpected byte "+byteName(c)+"; expected "+want)
		return
	default:
		end++
	}
	p.err(eSyntax, start, end, "expected "+want+", found '"+clip(p.src[start:end])+"'")
}

func byteName(c byte) string {
	if c > ' ' && c < 0x7f {
		return "'" + string(rune(c)) + "'"
	}
	const hex = "0123456789abcdef"
	return "0x" + string(hex[c>>4]) + string(hex[c&15])
}

// clip keeps a piece of the input in a message short.
func clip(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}

func (p *parser) loc(off int) ir.Loc { return p.base + ir.Loc(off) }

func note(text string) ir.DiagNote { return ir.DiagNote{Text: text} }

func (p *parser) noteAt(loc, end ir.Loc, text string) ir.DiagNote {
	return ir.DiagNote{Loc: loc, End: end, Text: text}
}

func (p *parser) err(code string, start, end int, text string, notes ...ir.DiagNote) {
	p.ds.Error(p.loc(start), p.loc(end), code, text, notes...)
	if p.ds.Errors() > p.errLimit {
		p.pos, p.stop = len(p.src), true // more would not be shown
	}
}

func (p *parser) warn(code string, start, end int, text string, notes ...ir.DiagNote) {
	p.ds.Warn(p.loc(start), p.loc(end), code, text, notes...)
}

// later reports what only version 1.0 has.
func (p *parser) later(code string, start, end int, what string, notes ...ir.DiagNote) {
	p.err(code, start, end, what+" is not in version 0.1", append(notes, note("`.version 1.0` has it"))...)
}
