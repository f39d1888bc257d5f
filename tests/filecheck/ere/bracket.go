package ere

// bracket parses a bracket expression whose '[' has been consumed.
func (p *parser) bracket() (*node, error) {
	if len(p.src)-p.pos >= 6 {
		// Spencer's word boundaries, which stand where a class would.
		switch p.src[p.pos : p.pos+6] {
		case "[:<:]]":
			p.pos += 6
			return &node{op: opAssert, assert: wordStart}, nil
		case "[:>:]]":
			p.pos += 6
			return &node{op: opAssert, assert: wordEnd}, nil
		}
	}
	set := new(byteSet)
	invert := p.eat('^')
	if p.eat(']') {
		set.add(']')
	} else if p.eat('-') {
		set.add('-')
	}
	for p.more() && !p.see(']') && !(p.see('-') && p.pos+1 < len(p.src) && p.src[p.pos+1] == ']') {
		if err := p.bracketTerm(set); err != nil {
			return nil, err
		}
	}
	if p.eat('-') {
		set.add('-')
	}
	if !p.eat(']') {
		return nil, ErrBracket
	}
	if p.fold {
		set.foldCase()
	}
	if invert {
		for i := range set {
			set[i] = ^set[i]
		}
		set.del('\n')
	}
	return &node{op: opSet, set: set}, nil
}

func (p *parser) bracketTerm(set *byteSet) error {
	switch {
	case p.see('-'):
		return ErrRange
	case p.eatTwo('[', ':'):
		return p.class(set)
	case p.eatTwo('[', '='):
		return p.equivalence(set)
	}
	lo, err := p.bracketSymbol()
	if err != nil {
		return err
	}
	hi := lo
	if p.see('-') && p.pos+1 < len(p.src) && p.src[p.pos+1] != ']' {
		p.pos++
		if p.eat('-') {
			hi = '-'
		} else if hi, err = p.bracketSymbol(); err != nil {
			return err
		}
	}
	if lo > hi {
		return ErrRange
	}
	for c := int(lo); c <= int(hi); c++ {
		set.add(byte(c))
	}
	return nil
}

// classes lists the character classes of the C locale.
var classes = map[string]func(b byte) bool{
	"alnum":  func(b byte) bool { return isAlpha(b) || isDigit(b) },
	"alpha":  isAlpha,
	"blank":  func(b byte) bool { return b == ' ' || b == '\t' },
	"cntrl":  func(b byte) bool { return b < ' ' || b == 0x7f },
	"digit":  isDigit,
	"graph":  func(b byte) bool { return b > ' ' && b < 0x7f },
	"lower":  func(b byte) bool { return b >= 'a' && b <= 'z' },
	"print":  func(b byte) bool { return b >= ' ' && b < 0x7f },
	"punct":  func(b byte) bool { return b > ' ' && b < 0x7f && !isAlpha(b) && !isDigit(b) },
	"space":  func(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' },
	"upper":  func(b byte) bool { return b >= 'A' && b <= 'Z' },
	"xdigit": func(b byte) bool { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' },
}

func isAlpha(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func (p *parser) class(set *byteSet) error {
	if !p.more() {
		return ErrBracket
	}
	if p.see('-') || p.see(']') {
		return ErrClass
	}
	start := p.pos
	for p.more() && isAlpha(p.src[p.pos]) {
		p.pos++
	}
	in := classes[p.src[start:p.pos]]
	if in == nil {
		return ErrClass
	}
	for c := range 256 {
		if in(byte(c)) {
			set.add(byte(c))
		}
	}
	if !p.more() {
		return ErrBracket
	}
	if !p.eatTwo(':', ']') {
		return ErrClass
	}
	return nil
}

// equivalence parses the rest of [=x=]; in the C locale a class of one.
func (p *parser) equivalence(set *byteSet) error {
	if !p.more() {
		return ErrBracket
	}
	if p.see('-') || p.see(']') {
		return ErrCollate
	}
	c, err := p.collating('=')
	if err != nil {
		return err
	}
	set.add(c)
	return nil
}

func (p *parser) bracketSymbol() (byte, error) {
	if !p.more() {
		return 0, ErrBracket
	}
	if p.eatTwo('[', '.') {
		return p.collating('.')
	}
	c := p.src[p.pos]
	p.pos++
	return c, nil
}

// collating parses the name of a collating element up to its closing delimiter.
func (p *parser) collating(delim byte) (byte, error) {
	start := p.pos
	for p.more() && !(p.src[p.pos] == delim && p.pos+1 < len(p.src) && p.src[p.pos+1] == ']') {
		p.pos++
	}
	if !p.more() {
		return 0, ErrBracket
	}
	name := p.src[start:p.pos]
	p.pos += 2
	if len(name) == 1 {
		return name[0], nil
	}
	if c, ok := collatingNames[name]; ok {
		return c, nil
	}
	return 0, ErrCollate
}

// collatingNames are the names of the POSIX portable character set (XBD 6.1).
var collatingNames = map[string]byte{
	"NUL": 0, "SOH": 1, "STX": 2, "ETX": 3, "EOT": 4, "ENQ": 5, "ACK": 6, "BEL": 7, "alert": 7,
	"BS": 8, "backspace": 8, "HT": 9, "tab": 9, "LF": 10, "newline": 10, "VT": 11, "vertical-tab": 11,
	"FF": 12, "form-feed": 12, "CR": 13, "carriage-return": 13, "SO": 14, "SI": 15, "DLE": 16,
	"DC1": 17, "DC2": 18, "DC3": 19, "DC4": 20, "NAK": 21, "SYN": 22, "ETB": 23, "CAN": 24, "EM": 25,
	"SUB": 26, "ESC": 27, "IS4": 28, "FS": 28, "IS3": 29, "GS": 29, "IS2": 30, "RS": 30, "IS1": 31, "US": 31,
	"space": ' ', "exclamation-mark": '!', "quotation-mark": '"', "number-sign": '#', "dollar-sign": '$',
	"percent-sign": '%', "ampersand": '&', "apostrophe": '\'', "left-parenthesis": '(',
	"right-parenthesis": ')', "asterisk": '*', "plus-sign": '+', "comma": ',', "hyphen": '-',
	"hyphen-minus": '-', "period": '.', "full-stop": '.', "slash": '/', "solidus": '/',
	"zero": '0', "one": '1', "two": '2', "three": '3', "four": '4', "five": '5', "six": '6',
	"seven": '7', "eight": '8', "nine": '9', "colon": ':', "semicolon": ';', "less-than-sign": '<',
	"equals-sign": '=', "greater-than-sign": '>', "question-mark": '?', "commercial-at": '@',
	"left-square-bracket": '[', "backslash": '\\', "reverse-solidus": '\\', "right-square-bracket": ']',
	"circumflex": '^', "circumflex-accent": '^', "underscore": '_', "low-line": '_', "grave-accent": '`',
	"left-brace": '{', "left-curly-bracket": '{', "vertical-line": '|', "right-brace": '}',
	"right-curly-bracket": '}', "tilde": '~', "DEL": 0x7f,
}
