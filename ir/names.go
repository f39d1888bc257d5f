package ir

// Names numbers the values and blocks of one function as the text does: %0…
// in print order, ^bb0… in layout order. The text of single ops, for
// diagnostics and traces, needs one. It tolerates IR that no verifier would.
type Names struct {
	ByID   bool     // names are ids: they differ from the text, and last
	values []uint32 // by Value.ID: number + 1
	blocks []uint32 // by Block.ID: number + 1
	hidden map[string]struct{}
}

// Number makes n the numbering of f as it is now.
func (n *Names) Number(f *Func) {
	n.values = cleared(n.values, f.NumValues())
	n.blocks = cleared(n.blocks, f.NumBlockIDs())
	nv, nb, ops := uint32(0), uint32(0), uint32(0)
	value := func(v *Value) {
		if nv++; v.ID < f.nextValue {
			n.values[v.ID] = nv
			if n.ByID {
				n.values[v.ID] = v.ID + 1
			}
		}
	}
	// The bounds end the walk over lists that are circular by mistake.
	for b := f.first; b != nil && nb < f.nextBlock; b = b.next {
		if nb++; b.ID < f.nextBlock {
			n.blocks[b.ID] = nb
			if n.ByID {
				n.blocks[b.ID] = b.ID + 1
			}
		}
		for _, v := range b.args {
			value(v)
		}
		for o := b.first; o != nil && ops < f.nextOp; o = o.next {
			ops++
			for i := range o.results {
				value(&o.results[i])
			}
		}
	}
	n.hidden = nil
	if len(f.Vars) > 0 {
		n.hidden = make(map[string]struct{}, len(f.Vars))
		for _, v := range f.Vars {
			n.hidden[v.Name] = struct{}{}
		}
	}
}

func cleared(s []uint32, n int) []uint32 {
	if cap(s) < n {
		return make([]uint32, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (n *Names) blockNumber(b *Block) uint32 {
	if b == nil || int(b.ID) >= len(n.blocks) {
		return 0
	}
	return n.blocks[b.ID]
}

func appendBlockNumber(b []byte, no uint32) []byte {
	if no == 0 {
		return append(b, "^?"...)
	}
	return appendUint(append(b, "^bb"...), uint64(no-1))
}

// AppendBlock appends the label of blk, without colon.
func (n *Names) AppendBlock(b []byte, blk *Block) []byte {
	return appendBlockNumber(b, n.blockNumber(blk))
}

// AppendValue appends the name of v.
func (n *Names) AppendValue(b []byte, v *Value) []byte {
	if v == nil || int(v.ID) >= len(n.values) || n.values[v.ID] == 0 {
		return append(b, "%?"...)
	}
	return appendUint(append(b, '%'), uint64(n.values[v.ID]-1))
}

// AppendOp appends the text of o, without indentation and newline.
func (n *Names) AppendOp(b []byte, o *Op) []byte {
	m := o.block.fn.mod
	for i := range o.results {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = n.AppendValue(b, &o.results[i])
	}
	if len(o.results) > 0 {
		b = append(b, " = "...)
	}
	d := m.Reg.lookup(o.Code)
	if d == nil {
		b = append(b, "<code "...)
		b = appendUint(b, uint64(o.Code))
		b = n.appendOperands(append(b, '>'), &OpDef{}, o, 0, false)
	} else {
		b = n.appendBody(b, m, d, o)
	}
	for i := range o.results {
		if i > 0 {
			b = append(b, ", "...)
		} else {
			b = append(b, " : "...)
		}
		b = o.results[i].appendType(b)
	}
	return b
}

func (n *Names) appendBody(b []byte, m *Module, d *OpDef, o *Op) []byte {
	b = append(b, d.Name...)
	b = d.AppendQuals(b, o.Props)
	switch d.Syntax {
	case SyntaxConst:
		hi := uint64(0)
		if o.Aux != 0 && m.hasWide(o.Aux) {
			hi = m.Wide(o.Aux)
		}
		return appendHex(append(b, " 0x"...), hi, o.Props)
	case SyntaxCall:
		b = append(b, ' ')
		b = n.appendSymbol(b, m, o.Aux)
		return n.appendArgs(b, o.operands)
	case SyntaxCallIndirect:
		if len(o.operands) > 0 {
			b = append(b, ' ')
			b = n.AppendValue(b, o.operands[0].val)
			return n.appendArgs(b, o.operands[1:])
		}
	}
	written := false
	switch {
	case d.Aux == AuxSym:
		b, written = n.appendSymbol(append(b, ' '), m, o.Aux), true
	case d.Aux == AuxParam:
		b, written = append(b, " %"...), true
		if ps := o.block.fn.Params; o.Aux != 0 && int(o.Aux) <= len(ps) {
			b = appendName(b, ps[o.Aux-1].Name)
		} else {
			b = append(b, '?')
		}
	}
	return n.appendOperands(b, d, o, o.NumPlainOperands(), written)
}

func (n *Names) appendArgs(b []byte, args []Operand) []byte {
	b = append(b, '(')
	for i := range args {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = n.AppendValue(b, args[i].val)
	}
	return append(b, ')')
}

// appendOperands appends what stands behind the payload, which is written if
// there is one.
func (n *Names) appendOperands(b []byte, d *OpDef, o *Op, plain int, written bool) []byte {
	sep := " "
	if written {
		sep = ", "
	}
	offset := d.hasOffset(o.Props)
	for i := 0; i < plain && i < len(o.operands); i++ {
		b = append(b, sep...)
		sep = ", "
		if i != d.Addr-1 {
			b = n.AppendValue(b, o.operands[i].val)
			continue
		}
		b = n.AppendValue(append(b, '['), o.operands[i].val)
		if offset && i+1 < len(o.operands) {
			i++
			b = n.AppendValue(append(b, " + "...), o.operands[i].val)
		}
		b = append(b, ']')
	}
	for i := range o.succs {
		b = append(b, sep...)
		sep = ", "
		e := &o.succs[i]
		b = n.AppendBlock(b, e.to)
		if end := int(e.off) + int(e.n); e.n > 0 && end <= len(o.operands) {
			b = n.appendArgs(b, o.operands[e.off:end])
		}
	}
	return b
}

// appendSymbol appends @name, or @@name where a local variable of the
// function hides the module's symbol.
func (n *Names) appendSymbol(b []byte, m *Module, a Aux) []byte {
	var name string
	switch s := m.Symbol(a); {
	case s.Func != nil:
		name = s.Func.Name
	case s.Var != nil && s.Var.Fn != nil:
		return appendName(append(b, '@'), s.Var.Name)
	case s.Var != nil:
		name = s.Var.Name
	default:
		return append(b, "@?"...)
	}
	b = append(b, '@')
	if _, ok := n.hidden[name]; ok {
		b = append(b, '@')
	}
	return appendName(b, name)
}

// AppendQuals appends the qualifiers that props holds, each with its dot.
func (d *OpDef) AppendQuals(b []byte, props uint64) []byte {
	for i := range d.Quals {
		q := &d.Quals[i]
		v := q.Field.Get(props)
		if q.Optional && v == q.Default {
			continue
		}
		switch {
		case q.Form == QualInt:
			b = appendUint(append(b, '.'), v)
		case q.Form == QualKeyed:
			b = appendUint(append(append(b, '.'), q.Name...), v)
		case q.Form == QualSigned:
			b = append(append(b, '.'), q.Name...)
			if v>>(q.Field.Width-1) != 0 {
				b, v = append(b, 'n'), 1<<q.Field.Width-v
			}
			b = appendUint(b, v)
		case q.Form == QualHex:
			b = append(b, ".0x"...)
			b = append(b, hexDigits[v>>4&15], hexDigits[v&15])
		case v < uint64(len(q.Names)) && q.Names[v] != "":
			b = append(b, '.')
			b = append(b, q.Names[v]...)
		default:
			b = append(b, ".?"...)
			b = appendUint(b, v)
		}
	}
	return b
}

const hexDigits = "0123456789abcdef"

// appendHex appends hi:lo without leading zeros.
func appendHex(b []byte, hi, lo uint64) []byte {
	started := false
	for _, w := range [2]uint64{hi, lo} {
		for s := 60; s >= 0; s -= 4 {
			d := w >> s & 15
			if started = started || d != 0; started {
				b = append(b, hexDigits[d])
			}
		}
	}
	if !started {
		b = append(b, '0')
	}
	return b
}

// isNameByte marks the bytes of names that need no quotes.
var isNameByte = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$'
	}
	return t
}()

// appendName appends s, in quotes unless it is plain.
func appendName(b []byte, s string) []byte {
	for i := range len(s) {
		if !isNameByte[s[i]] {
			return appendString(b, s)
		}
	}
	if s == "" {
		return append(b, `""`...)
	}
	return append(b, s...)
}

// appendString appends s in quotes; a byte that is not printable ASCII, a
// quote or a backslash becomes \xx.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			b = append(b, '\\', hexDigits[c>>4], hexDigits[c&15])
			continue
		}
		b = append(b, c)
	}
	return append(b, '"')
}

// appendType appends v's type and, behind an @, its register.
func (v *Value) appendType(b []byte) []byte {
	b = v.Type.AppendText(b)
	if v.Reg != NoReg {
		b = v.Reg.AppendText(append(b, '@'))
	}
	return b
}
