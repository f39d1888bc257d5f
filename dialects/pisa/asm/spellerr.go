package asm

import (
	"strconv"
	"strings"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// explainQuals says why no form of row has the qualifiers ts.
func (p *parser) explainQuals(row *pisa.Row, ts []token, start, end int) {
	quals := row.Quals()
	at := 0            // index in quals behind the last one written
	first := [64]int{} // 1 + token at which each qualifier was written
	for i := 0; i < len(ts); {
		k, n := p.findQual(row, quals, ts[i:], at)
		from, to := ts[i].start-1, ts[i].start+len(ts[i].text)
		if n > 0 {
			to = ts[i+n-1].start + len(ts[i+n-1].text)
		}
		word := "." + ts[i].text
		if q := wrongValue(row, quals, ts[i:], at); q != nil {
			p.err(eQual, from, to, row.Name+" has no "+word+"; ."+q.Name+" is "+allowed(row, q.Name), orderNote(row))
			return
		}
		switch {
		case k < 0:
			p.unknownQual(row, ts[i], from, to)
			return
		case n == 0: // a value of the qualifier, but not here
			p.err(eQual, from, to, row.Name+" has no "+word+"; ."+quals[k].Name+" is "+allowed(row, quals[k].Name), specNote(row))
			return
		case first[k] != 0:
			prev := ts[first[k]-1]
			p.err(eQualTwice, from, to, "."+quals[k].Name+" is given twice: ."+prev.text+" and "+word, specNote(row))
			return
		case k < at:
			p.err(eQualOrder, from, to, word+" stands too late: it must come before ."+lastWritten(first[:], ts, k), orderNote(row))
			return
		}
		first[k] = i + 1
		at = k + 1
		i += n
	}
	p.explainMix(row, quals, first[:len(quals)], ts, start, end)
}

// wrongValue finds the mandatory qualifier that is to come, if ts begins with
// a word of it that the row does not allow: ".const" as the .to of addrcast,
// though the row's .from has it.
func wrongValue(row *pisa.Row, quals []ir.Qual, ts []token, at int) *ir.Qual {
	for k := at; k < len(quals); k++ {
		q := quals[k]
		if matchRow(row, q.Name, ts) > 0 {
			return nil
		}
		if q.Optional {
			continue
		}
		q.Allowed = 0
		if _, n := matchQual(&q, ts); n > 0 {
			return &quals[k]
		}
		return nil
	}
	return nil
}

// lastWritten is the text of the first token that belongs behind qualifier k.
func lastWritten(first []int, ts []token, k int) string {
	for j := k + 1; j < len(first); j++ {
		if first[j] != 0 {
			return ts[first[j]-1].text
		}
	}
	return ""
}

// findQual finds the qualifier that has the value at the start of ts, from
// index at on if possible. n is 0 if the value is a word of the qualifier
// that the row does not allow; k is -1 if no qualifier knows it.
func (p *parser) findQual(row *pisa.Row, quals []ir.Qual, ts []token, at int) (k, n int) {
	for d := range quals {
		k := (at + d) % len(quals)
		if n := matchRow(row, quals[k].Name, ts); n > 0 {
			return k, n
		}
	}
	for k := range quals {
		q := quals[k]
		q.Allowed = 0
		if _, n := matchQual(&q, ts); n > 0 {
			return k, 0
		}
		if (q.Form == ir.QualInt || q.Form == ir.QualHex) && ts[0].text != "" && class[ts[0].text[0]]&cDigit != 0 && !strings.HasSuffix(ts[0].text, "b") {
			return k, 0
		}
	}
	return -1, 0
}

// matchRow matches ts with the qualifier called name of any form of row.
func matchRow(row *pisa.Row, name string, ts []token) int {
	for i := range row.Forms {
		f := &row.Forms[i]
		for j := range f.Quals {
			if f.Quals[j].Name == name {
				if _, n := matchQual(&f.Quals[j], ts); n > 0 {
					return n
				}
			}
		}
	}
	return 0
}

func (p *parser) unknownQual(row *pisa.Row, t token, from, to int) {
	if t.text == "" {
		p.err(eQual, from, max(to, from+1), "a qualifier must follow '.'")
		return
	}
	var all []string
	for i := range row.Forms {
		for j := range row.Forms[i].Quals {
			all = append(all, values(&row.Forms[i].Quals[j])...)
		}
	}
	text := row.Name + " has no qualifier ." + clip(t.text)
	if near := nearest(t.text, all); near != "" {
		text += "; did you mean ." + near + "?"
	}
	p.err(eQual, from, to, text, orderNote(row))
}

// explainMix is for qualifiers that are known and in order: one is missing, or
// two do not go together. The form that takes most of them tells.
func (p *parser) explainMix(row *pisa.Row, quals []ir.Qual, first []int, ts []token, start, end int) {
	best, bestScore := 0, -1<<30
	for i := range row.Forms {
		score := leading(&row.Forms[i], quals, first, ts) // of two equal ones, that which reads further
		for k := range quals {
			q := formQual(&row.Forms[i], quals[k].Name)
			switch {
			case first[k] == 0 && q != nil && !q.Optional:
				score -= 200
			case first[k] == 0:
			case q == nil:
				score -= 300
			default:
				switch _, n := matchQual(q, ts[first[k]-1:]); {
				case n == 0:
					score -= 300
				case q.Optional:
					score += 100
				default:
					score += 200
				}
			}
		}
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	f := &row.Forms[best]
	for k := range quals {
		if first[k] == 0 {
			continue
		}
		t := ts[first[k]-1]
		from, to := t.start-1, t.start+len(t.text)
		q := formQual(f, quals[k].Name)
		if q == nil {
			p.err(eQualMix, from, to, "."+t.text+" does not go with the other qualifiers: the "+f.Name+" form of "+row.Name+" has no ."+quals[k].Name, formNote(row, f))
			return
		}
		if _, n := matchQual(q, ts[first[k]-1:]); n == 0 {
			p.err(eQualMix, from, to, "."+t.text+" does not go with the other qualifiers: in the "+f.Name+" form of "+row.Name+" ."+q.Name+" is "+oneOf(q), formNote(row, f))
			return
		}
	}
	for k := range quals {
		q := formQual(f, quals[k].Name)
		if q != nil && !q.Optional && first[k] == 0 {
			p.err(eQualMissing, start, end, row.Name+" needs ."+q.Name+": "+oneOf(q), formNote(row, f))
			return
		}
	}
	p.err(eQualMix, start, end, "these qualifiers of "+row.Name+" do not go together", orderNote(row))
}

// leading is how many qualifiers from the first on belong to f.
func leading(f *pisa.Form, quals []ir.Qual, first []int, ts []token) (n int) {
	for k := range quals {
		if first[k] == 0 {
			continue
		}
		q := formQual(f, quals[k].Name)
		if q == nil {
			return n
		}
		if _, m := matchQual(q, ts[first[k]-1:]); m == 0 {
			return n
		}
		n++
	}
	return n
}

func formQual(f *pisa.Form, name string) *ir.Qual {
	for i := range f.Quals {
		if f.Quals[i].Name == name {
			return &f.Quals[i]
		}
	}
	return nil
}

// values lists the spellings of q.
func values(q *ir.Qual) (out []string) {
	switch q.Form {
	case ir.QualFlag:
		return []string{q.Names[1]}
	case ir.QualInt, ir.QualHex:
		return nil
	}
	for i, name := range q.Names {
		if name != "" && (q.Allowed == 0 || q.Allowed>>i&1 != 0) {
			out = append(out, name)
		}
	}
	return out
}

// oneOf lists what q may be, for "… is".
func oneOf(q *ir.Qual) string {
	switch q.Form {
	case ir.QualInt:
		return "a number from .0 to ." + strconv.Itoa(1<<q.Field.Width-1)
	case ir.QualHex:
		return "two hexadecimal digits in lower case, .0x01 to .0xfe"
	}
	return "one of " + list(values(q))
}

func list(vs []string) string {
	return "." + strings.Join(vs, " .")
}

// allowed lists the values of the qualifier called name in all forms.
func allowed(row *pisa.Row, name string) string {
	var out []string
	for i := range row.Forms {
		q := formQual(&row.Forms[i], name)
		if q == nil {
			continue
		}
		if q.Form != ir.QualEnum {
			return oneOf(q)
		}
		for _, v := range values(q) {
			if !contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return "one of " + list(out)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// orderNote shows the qualifiers of all forms in order.
func orderNote(row *pisa.Row) ir.DiagNote {
	b := specNote(row).Text
	quals := row.Quals()
	for i := range quals {
		b += qualText(&quals[i])
	}
	return note(b)
}

func formNote(row *pisa.Row, f *pisa.Form) ir.DiagNote {
	b := specNote(row).Text
	for i := range f.Quals {
		b += qualText(&f.Quals[i])
	}
	return note(b)
}

func qualText(q *ir.Qual) string {
	s := "." + q.Name
	if q.Optional {
		return "<" + s + ">"
	}
	return s
}
