package asm

import (
	"strconv"
	"strings"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// spelling is a mnemonic with its qualifiers, "ld.global.v2.32b", read once per
// module: the forms that it may be, each with the properties that follow.
type spelling struct {
	row   *pisa.Row
	cands []candidate
	param bool // the address is based on a kernel parameter
}

// candidate is a form that a spelling may be; operands decide between several.
type candidate struct {
	form  *pisa.Form
	props uint64
	want  [maxArgs]ir.Type    // type of each operand; None: Shape.Admits decides
	imm   [maxArgs]pisa.DType // type of an immediate there
	min   int                 // operands that are not optional
	rules []*pisa.Rule        // rules about operands
	warn  []warning           // of every use
}

type warning struct {
	code, text, note string
}

// maxArgs is the largest number of operands of a form.
const maxArgs = 6

// mnemonic finds the row of the longest run of dotted words at the start of w
// that is an instruction's name, and its length.
func mnemonic(w string) (*pisa.Row, int) {
	var best *pisa.Row
	n := 0
	for i, words := 0, 0; i <= len(w) && words < mnemonicWords; i++ {
		if i == len(w) || w[i] == '.' {
			words++
			if r := pisa.Mnemonic(w[:i]); r != nil {
				best, n = r, i
			}
		}
	}
	return best, n
}

var mnemonicWords = longestMnemonic()

func longestMnemonic() (n int) {
	for i := range pisa.Table {
		n = max(n, 1+strings.Count(pisa.Table[i].Name, "."))
	}
	return n
}

// token is one dotted part behind a mnemonic.
type token struct {
	text  string
	start int // offset in the source
}

func splitTokens(w string, start int) (ts []token) {
	for i, from := 0, 0; i <= len(w); i++ {
		if i == len(w) || w[i] == '.' {
			ts = append(ts, token{w[from:i], start + from})
			from = i + 1
		}
	}
	return ts
}

// spell reads the mnemonic and qualifiers w, which begin at start; nil after
// an error.
func (p *parser) spell(w string, start int) *spelling {
	row, n := mnemonic(w)
	if row == nil {
		p.unknownMnemonic(w, start)
		return nil
	}
	var ts []token
	if n < len(w) {
		ts = splitTokens(w[n+1:], start+n+1)
	}
	sp := &spelling{row: row}
	since := false
	var broken *pisa.Rule
	for i := range row.Forms {
		f := &row.Forms[i]
		written, has, ok := matchForm(f, ts)
		switch {
		case !ok:
		case f.Since.Major > 0 && !p.v10:
			since = true
		default:
			c, rule := p.candidate(row, f, written, has)
			if rule != nil {
				broken = rule
			} else {
				sp.cands = append(sp.cands, c)
			}
		}
	}
	end := start + len(w)
	switch {
	case len(sp.cands) > 0:
	case broken != nil:
		notes := []ir.DiagNote{specNote(row)}
		if onlyIn01(broken) {
			notes = append(notes, note("`.version 1.0` does not ask for it"))
		}
		p.err(eRule, start, end, broken.Text, notes...)
		return nil
	case since:
		p.later(eSince, start, end, clip(w))
		return nil
	default:
		p.explainQuals(row, ts, start, end)
		return nil
	}
	for i := range sp.cands[0].form.Args {
		sp.param = sp.param || sp.cands[0].form.Args[i].Kinds&pisa.KParam != 0
	}
	p.spellings[w] = sp
	return sp
}

// specNote names the page of an instruction; those of LLVM alone have none.
func specNote(row *pisa.Row) ir.DiagNote {
	if row.Spec == "" {
		return note(row.Name + " is an instruction of version 1.0")
	}
	return note("PISA Instruction Set " + row.Spec + ": " + row.Name)
}

func (p *parser) unknownMnemonic(w string, start int) {
	head := w
	if i := strings.IndexByte(w[1:], '.'); i >= 0 {
		head = w[:i+1]
	}
	near := nearest(head, mnemonics(p.v10))
	if two := nearest(w, mnemonics(p.v10)); near == "" {
		near = two // barrier.workgrup
	}
	text := "unknown instruction '" + clip(head) + "'"
	if near != "" {
		text += "; did you mean " + near + "?"
	}
	p.err(eMnemonic, start, start+len(head), text)
}

// matchForm reads ts as the qualifiers of f. has is the set of qualifiers, by
// index in f.Quals, that are written.
func matchForm(f *pisa.Form, ts []token) (props uint64, has uint64, ok bool) {
	i := 0
	for q := range f.Quals {
		qual := &f.Quals[q]
		v, n := matchQual(qual, ts[i:])
		switch {
		case n > 0:
			props |= qual.Field.Put(v)
			has |= 1 << q
			i += n
		case !qual.Optional:
			return 0, 0, false
		default:
			props |= qual.Field.Put(qual.Default)
		}
	}
	return props, has, i == len(ts)
}

// matchQual reads the value of q at the start of ts: n tokens, 0 if ts does
// not begin with a value that q allows.
func matchQual(q *ir.Qual, ts []token) (v uint64, n int) {
	if len(ts) == 0 {
		return 0, 0
	}
	t := ts[0].text
	switch q.Form {
	case ir.QualFlag:
		if t == q.Names[1] {
			return 1, 1
		}
	case ir.QualInt:
		if v, err := strconv.ParseUint(t, 10, 64); err == nil && v < 1<<q.Field.Width && t == strconv.FormatUint(v, 10) {
			return v, 1
		}
	case ir.QualHex:
		if len(t) == 4 && t[0] == '0' && t[1] == 'x' && strings.ToLower(t) == t {
			if v, err := strconv.ParseUint(t[2:], 16, 64); err == nil {
				return v, 1
			}
		}
	case ir.QualEnum:
		for i, name := range q.Names {
			if name == "" || q.Allowed != 0 && q.Allowed>>i&1 == 0 {
				continue
			}
			if n := matchName(name, ts); n > 0 {
				return uint64(i), n
			}
		}
	}
	return 0, 0
}

// matchName reports how many tokens spell name, which may contain dots.
func matchName(name string, ts []token) (n int) {
	for {
		i := strings.IndexByte(name, '.')
		if i < 0 {
			if n < len(ts) && ts[n].text == name {
				return n + 1
			}
			return 0
		}
		if n >= len(ts) || ts[n].text != name[:i] {
			return 0
		}
		n, name = n+1, name[i+1:]
	}
}

// candidate completes the properties of form f of row and checks the rules
// that are about qualifiers.
func (p *parser) candidate(row *pisa.Row, f *pisa.Form, props, has uint64) (c candidate, broken *pisa.Rule) {
	c.form = f
	written := func(name string) bool {
		for i := range f.Quals {
			if f.Quals[i].Name == name {
				return has>>i&1 != 0
			}
		}
		return false
	}
	if row.Code == pisa.FMul && !written("rndmode") {
		props = pisa.FRound.Set(props, uint64(p.opts.FMulDefaultRounding))
	}
	for i := range f.Rules {
		rule := &f.Rules[i]
		switch {
		case rule.Level == pisa.InIR || rule.Written != "" && !written(rule.Written):
			continue
		case p.v10 && onlyIn01(rule):
			continue
		case rule.Shape != nil:
			c.rules = append(c.rules, rule)
		}
		if rule.Props != nil && !rule.Props(props) {
			if w, fixed, ok := tolerated(row, f, props); ok && rule.Props(fixed) {
				c.warn, props = append(c.warn, w), fixed
				continue
			}
			broken = rule
		}
	}
	if row.Code == pisa.Ld || row.Code == pisa.St {
		if f.Name == "atomic" && pisa.TypeOf(props) == pisa.T64b && pisa.SpaceOf(props) == ir.SpaceGeneric {
			c.warn = append(c.warn, warning{wAtomic64, "atomic .64b on .generic; PISA allows it on .global only", "PISA Instruction Set " + row.Spec})
		}
	}
	if broken != nil {
		return c, broken
	}
	c.props = p.complete(row, f, props, written("memscope"))
	for i := range f.Args {
		a := &f.Args[i]
		c.want[i] = a.Shape.Type(c.props)
		c.imm[i] = immType(a.Shape, c.props)
		if !a.Optional {
			c.min++
		}
	}
	return c, nil
}

// onlyIn01 reports the rule that version 1.0 drops: sub-vectors may begin at
// any index at which they fit.
func onlyIn01(rule *pisa.Rule) bool { return rule.Text == pisa.IndexMultipleText }

// tolerated accepts, with a warning, what an example of the specification has
// although its own page forbids it: a cache control on ld.shared.
func tolerated(row *pisa.Row, f *pisa.Form, props uint64) (w warning, fixed uint64, ok bool) {
	if row.Code == pisa.Ld && f.Name == "weak" && pisa.SpaceOf(props) == ir.SpaceShared && pisa.FCache.Get(props) != 0 {
		return warning{wLdShared, "cache control on .shared has no effect", "PISA Instruction Set 8.3: cache controls are not allowed with .shared"}, pisa.FCache.Set(props, 0), true
	}
	return warning{}, props, false
}

// complete fills in what assembly leaves out: the scope of atomic accesses and
// the defaults of qualifiers that only other forms have.
func (p *parser) complete(row *pisa.Row, f *pisa.Form, props uint64, scoped bool) uint64 {
	quals := row.Quals()
	for i := range quals {
		q := &quals[i]
		if !hasQual(f, q.Name) {
			props = q.Field.Set(props, q.Default)
		}
	}
	if hasQual(f, "memscope") && row.Code != pisa.Fence && !scoped {
		switch order := pisa.OrderOf(props); {
		case order == pisa.Relaxed && p.opts.RelaxedScope != pisa.NoScope:
			props = pisa.FScope.Set(props, uint64(p.opts.RelaxedScope))
		case order == pisa.Relaxed:
			props = pisa.FScope.Set(props, uint64(pisa.System))
		case order != pisa.Weak:
			props = pisa.FScope.Set(props, uint64(pisa.GPU))
		}
	}
	return props
}

func hasQual(f *pisa.Form, name string) bool {
	for i := range f.Quals {
		if f.Quals[i].Name == name {
			return true
		}
	}
	return false
}

// immType is the type in which an operand of shape s reads an immediate.
func immType(s pisa.Shape, props uint64) pisa.DType {
	switch s {
	case pisa.Sh32:
		return pisa.T32b
	case pisa.Sh64:
		return pisa.T64b
	case pisa.ShType, pisa.ShTo, pisa.ShMov:
		return pisa.TypeOf(props)
	case pisa.ShFrom:
		return pisa.FromOf(props)
	case pisa.Sh2Type:
		switch 2 * pisa.TypeOf(props).Info().Bits {
		case 32:
			return pisa.T32b
		case 64:
			return pisa.T64b
		case 128:
			return pisa.T128b
		}
	}
	return pisa.NoType
}
