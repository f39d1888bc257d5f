package ir

// tokKind is the kind of a token of the textual IR.
type tokKind uint8

const (
	tokEOF    tokKind = iota
	tokWord           // name, op, number or type: [A-Za-z0-9_.$]+
	tokSym            // @name
	tokModSym         // @@name
	tokVal            // %name
	tokBlock          // ^name
	tokString         // "…"
	tokArrow          // ->
	tokPunct          // one of ( ) { } [ ] , : + - =
	tokBad            // reported by the lexer
)

// token is one token. text is the name without its sigil or quotes, escapes
// resolved; it usually lies in the source.
type token struct {
	kind  tokKind
	punct byte // of tokPunct
	first bool // first of its line
	off   int
	end   int
	text  []byte
}

// lexer cuts the source into tokens. A bad byte is a tokBad, so that the
// parser's recovery handles it like any unexpected token.
type lexer struct {
	src []byte
	pos int
	bad string // what is wrong with the last tokBad
}

func (lx *lexer) next() token {
	first := lx.skipBlank()
	t := token{first: first, off: lx.pos}
	if lx.pos >= len(lx.src) {
		t.end = lx.pos
		t.first = true
		return t
	}
	switch c := lx.src[lx.pos]; c {
	case '(', ')', '{', '}', '[', ']', ',', ':', '+', '=':
		t.kind, t.punct = tokPunct, c
		lx.pos++
	case '-':
		t.kind, t.punct = tokPunct, c
		if lx.pos++; lx.pos < len(lx.src) && lx.src[lx.pos] == '>' {
			t.kind = tokArrow
			lx.pos++
		}
	case '@':
		t.kind = tokSym
		if lx.pos++; lx.pos < len(lx.src) && lx.src[lx.pos] == '@' {
			t.kind = tokModSym
			lx.pos++
		}
		lx.name(&t)
	case '%':
		t.kind = tokVal
		lx.pos++
		lx.name(&t)
	case '^':
		t.kind = tokBlock
		lx.pos++
		lx.name(&t)
	case '"':
		t.kind = tokString
		lx.quoted(&t)
	default:
		if isNameByte[c] {
			t.kind = tokWord
			lx.name(&t)
			break
		}
		t.kind, lx.bad = tokBad, "unexpected character"
		lx.pos++
	}
	t.end = lx.pos
	return t
}

// skipBlank skips white space and comments; it reports whether a line began.
func (lx *lexer) skipBlank() bool {
	first := lx.pos == 0
	for lx.pos < len(lx.src) {
		switch c := lx.src[lx.pos]; {
		case c == '\n':
			first = true
			lx.pos++
		case c == ' ' || c == '\t' || c == '\r':
			lx.pos++
		case c == '/' && lx.pos+1 < len(lx.src) && lx.src[lx.pos+1] == '/':
			for lx.pos < len(lx.src) && lx.src[lx.pos] != '\n' {
				lx.pos++
			}
		default:
			return first
		}
	}
	return first
}

// name reads a plain or quoted name at pos into t.
func (lx *lexer) name(t *token) {
	start := lx.pos
	for lx.pos < len(lx.src) && isNameByte[lx.src[lx.pos]] {
		lx.pos++
	}
	if lx.pos > start {
		t.text = lx.src[start:lx.pos]
		return
	}
	if lx.pos < len(lx.src) && lx.src[lx.pos] == '"' {
		lx.quoted(t)
		return
	}
	t.kind, lx.bad = tokBad, "expected a name behind the sigil"
}

// quoted reads a string at pos into t. It ends on its line.
func (lx *lexer) quoted(t *token) {
	lx.pos++
	start := lx.pos
	escaped := false
	for lx.pos < len(lx.src) && lx.src[lx.pos] != '"' && lx.src[lx.pos] != '\n' {
		escaped = escaped || lx.src[lx.pos] == '\\'
		lx.pos++
	}
	if lx.pos >= len(lx.src) || lx.src[lx.pos] != '"' {
		t.kind, lx.bad = tokBad, "string without closing quote"
		return
	}
	t.text = lx.src[start:lx.pos]
	lx.pos++
	if !escaped {
		return
	}
	raw := t.text
	t.text = make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '\\' {
			hi, lo := -1, -1
			if i+2 < len(raw) {
				hi, lo = hexValue(raw[i+1]), hexValue(raw[i+2])
			}
			if hi < 0 || lo < 0 {
				t.kind, lx.bad = tokBad, `a backslash needs two hexadecimal digits behind it`
				return
			}
			c = byte(hi<<4 | lo)
			i += 2
		}
		t.text = append(t.text, c)
	}
}

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// parseUint reads decimal or 0x digits, up to 128 bits in hexadecimal.
func parseUint(s []byte) (hi, lo uint64, ok bool) {
	if len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		for _, c := range s[2:] {
			d := hexValue(c)
			if d < 0 || hi>>60 != 0 {
				return 0, 0, false
			}
			hi, lo = hi<<4|lo>>60, lo<<4|uint64(d)
		}
		return hi, lo, true
	}
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, 0, false
		}
		d := uint64(c - '0')
		if lo > (1<<64-1-d)/10 {
			return 0, 0, false
		}
		lo = lo*10 + d
	}
	return 0, lo, len(s) > 0
}
