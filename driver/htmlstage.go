package driver

import "pisac/ir"

// stage is a function as it was at one point of the pipeline: a column of
// --dump-html. Values and blocks are named by id, so that they keep their
// names from column to column.
type stage struct {
	name   string // the pass
	title  string // with options
	gone   bool   // the function was removed
	ops    int
	blocks []stageBlock
}

type stageBlock struct {
	id    uint32
	label string
	ops   []stageOp
	succs []uint32 // ids
}

type stageOp struct {
	text string
	loc  ir.Loc
	dead bool // no effect and no use
}

// newStage records f.
func newStage(name, title string, f *ir.Func) stage {
	s := stage{name: name, title: title}
	names := ir.Names{ByID: true}
	names.Number(f)
	var buf []byte
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		buf = names.AppendBlock(buf[:0], b)
		for i, v := range b.Args() {
			sep := ", "
			if i == 0 {
				sep = "("
			}
			buf = names.AppendValue(append(buf, sep...), v)
			buf = v.Type.AppendText(append(buf, ": "...))
		}
		if b.NumArgs() > 0 {
			buf = append(buf, ')')
		}
		sb := stageBlock{id: b.ID, label: string(buf)}
		for op := b.First(); op != nil; op = op.Next() {
			buf = names.AppendOp(buf[:0], op)
			sb.ops = append(sb.ops, stageOp{string(buf), op.Loc, dead(op)})
			s.ops++
		}
		for i := range b.NumSuccs() {
			sb.succs = append(sb.succs, b.Succ(i).ID)
		}
		s.blocks = append(s.blocks, sb)
	}
	return s
}

func dead(op *ir.Op) bool {
	if op.Def().Effects&^(ir.ReadsMem|ir.Commutes|ir.ReadsLane) != 0 {
		return false
	}
	for i := range op.NumResults() {
		if op.Result(i).HasUses() {
			return false
		}
	}
	return true
}

// appendMarked appends text as HTML with every %value and ^block an element
// that can be clicked.
func appendMarked(b []byte, text string) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		end := i + 1
		if c == '%' || c == '^' {
			for end < len(text) && (isWord(text[end]) || c == '%' && text[end] == '"') {
				if text[end] == '"' { // a quoted name
					for end++; end < len(text) && text[end] != '"'; end++ {
					}
				}
				end = min(end+1, len(text))
			}
		}
		if end == i+1 {
			b = appendEscaped(b, text[i:end])
		} else {
			b = append(b, `<b data-v="`...)
			b = appendEscaped(b, text[i:end])
			b = append(b, `">`...)
			b = appendEscaped(b, text[i:end])
			b = append(b, "</b>"...)
		}
		i = end
	}
	return b
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$'
}

// appendEscaped appends s for HTML text or a quoted attribute. Bytes that are
// not UTF-8 become U+FFFD; control characters, which HTML has not, too.
func appendEscaped(b []byte, s string) []byte {
	for _, c := range s {
		switch {
		case c == '&':
			b = append(b, "&amp;"...)
		case c == '<':
			b = append(b, "&lt;"...)
		case c == '>':
			b = append(b, "&gt;"...)
		case c == '"':
			b = append(b, "&#34;"...)
		case c < ' ' && c != '\t' && c != '\n' || c >= 0x7f && c < 0xa0:
			b = append(b, "\uFFFD"...)
		default:
			b = append(b, string(c)...)
		}
	}
	return b
}
