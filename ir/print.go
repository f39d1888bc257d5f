package ir

import (
	"io"
	"slices"
)

// Print writes m as text. The same IR gives the same bytes, and Parse reads
// them back.
func Print(w io.Writer, m *Module) error {
	p := Printer{w: w}
	p.module(m)
	p.flush()
	return p.err
}

// AppendText appends the text of m to b.
func AppendText(b []byte, m *Module) []byte {
	p := Printer{buf: b}
	p.module(m)
	return p.buf
}

// AppendFunc appends the text of f to b.
func AppendFunc(b []byte, f *Func) []byte {
	p := Printer{buf: b}
	p.fn(f)
	return p.buf
}

// String gives the op as text. It numbers the whole function: for debugging;
// diagnostics on many ops share one Names.
func (o *Op) String() string {
	if o.block == nil {
		return "<op outside of a block>"
	}
	var n Names
	n.Number(o.block.fn)
	return string(n.AppendOp(nil, o))
}

// Printer writes functions one after another with the same scratch memory.
type Printer struct {
	// Locs adds to each op its source location and to each block its source
	// label, as comments.
	Locs bool
	// ByID names values and blocks by their id instead of by their place, so
	// that what a pass left alone keeps its name.
	ByID  bool
	names Names
	preds []uint32
	buf   []byte
	w     io.Writer
	err   error
}

// NewPrinter returns a printer to w.
func NewPrinter(w io.Writer) *Printer { return &Printer{w: w} }

// Module writes m.
func (p *Printer) Module(m *Module) error {
	p.module(m)
	p.flush()
	return p.err
}

// Func writes f.
func (p *Printer) Func(f *Func) error {
	p.fn(f)
	p.flush()
	return p.err
}

const printChunk = 1 << 16

// spill writes out what has gathered, so that a long function needs no memory
// of its text's size.
func (p *Printer) spill() {
	if p.w != nil && len(p.buf) >= printChunk {
		p.flush()
	}
}

func (p *Printer) flush() {
	if p.err == nil && len(p.buf) > 0 {
		_, p.err = p.w.Write(p.buf)
	}
	p.buf = p.buf[:0]
}

func (p *Printer) module(m *Module) {
	p.header(m)
	for i, v := range m.Vars {
		if i == 0 {
			p.buf = append(p.buf, '\n')
		}
		p.variable(m, v)
	}
	for _, f := range m.Funcs {
		p.buf = append(p.buf, '\n')
		p.fn(f)
	}
}

func (p *Printer) header(m *Module) {
	p.names.hidden = nil
	b := append(p.buf, "module version "...)
	b = appendUint(b, uint64(m.Version.Major))
	b = append(b, '.')
	b = appendUint(b, uint64(m.Version.Minor))
	if m.Target != "" {
		b = append(b, " target "...)
		b = appendName(b, m.Target)
	}
	p.buf = append(b, '\n')
}

func (p *Printer) variable(m *Module, v *Var) {
	b := append(p.buf, "var @"...)
	b = appendName(b, v.Name)
	b = append(b, ' ')
	b = append(b, v.Space.String()...)
	b = append(b, " size "...)
	b = appendUint(b, v.Size)
	b = append(b, " align "...)
	b = appendUint(b, uint64(v.Align))
	b = appendLinkage(b, v.Linkage)
	if v.Section != "" {
		b = append(b, " section "...)
		b = appendString(b, v.Section)
	}
	if v.HostAccess != "" {
		b = append(b, " host_access "...)
		b = appendString(b, v.HostAccess)
	}
	if v.Init == nil {
		p.buf = append(b, '\n')
		return
	}
	b = append(b, " = {"...)
	for i := range v.Init {
		if i > 0 {
			b = append(b, ',')
		}
		b = p.names.appendInit(append(b, ' '), m, &v.Init[i])
		p.buf = b
		p.spill()
		b = p.buf
	}
	p.buf = append(b, " }\n"...)
}

func (n *Names) appendInit(b []byte, m *Module, it *Init) []byte {
	switch {
	case it.Sym != 0:
		b = append(b, "sym "...)
		b = n.appendSymbol(b, m, it.Sym)
		if it.Off > 0 {
			b = append(b, " + "...)
			b = appendUint(b, uint64(it.Off))
		} else if it.Off < 0 {
			b = append(b, " - "...)
			b = appendUint(b, -uint64(it.Off))
		}
	case len(it.Bytes) == 0:
		b = append(b, "zero "...)
		b = appendUint(b, it.Zero)
	default:
		b = append(b, "bytes 0x"...)
		for _, c := range it.Bytes {
			b = append(b, hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return b
}

func (p *Printer) fn(f *Func) {
	p.names.ByID = p.ByID
	p.names.Number(f)
	b := p.signature(f)
	if f.first == nil && len(f.Vars) == 0 {
		p.buf = append(b, '\n')
		return
	}
	p.buf = append(b, " {\n"...)
	for _, v := range f.Vars {
		p.buf = append(p.buf, "  "...)
		p.variable(f.mod, v)
	}
	for blk := f.first; blk != nil; blk = blk.next {
		p.block(blk)
	}
	p.buf = append(p.buf, "}\n"...)
}

func (p *Printer) signature(f *Func) []byte {
	b := p.buf
	if f.Kind == FuncKernel {
		b = append(b, "kernel @"...)
		b = appendName(b, f.Name)
		b = append(b, '(')
		for i := range f.Params {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendParam(b, &f.Params[i])
		}
		b = append(b, ')')
	} else {
		b = append(b, "function @"...)
		b = appendName(b, f.Name)
		b = append(b, '(')
		for i, t := range f.Sig {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = t.AppendText(b)
			if i < len(f.ParamNames) && f.ParamNames[i] != "" {
				b = append(b, " %"...)
				b = appendName(b, f.ParamNames[i])
			}
		}
		b = append(b, ')')
	}
	if f.Ret != None {
		b = append(b, " -> "...)
		b = f.Ret.AppendText(b)
	}
	b = appendLinkage(b, f.Linkage)
	if f.ReqdWorkGroupSize != [3]uint32{} {
		b = append(b, " reqd_work_group_size("...)
		for i, n := range f.ReqdWorkGroupSize {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendUint(b, uint64(n))
		}
		b = append(b, ')')
	}
	if f.VecTypeHint != "" {
		b = append(b, " vec_type_hint "...)
		b = appendString(b, f.VecTypeHint)
	}
	return b
}

func appendParam(b []byte, a *Param) []byte {
	b = append(b, "param %"...)
	b = appendName(b, a.Name)
	b = append(b, " size "...)
	b = appendUint(b, uint64(a.Size))
	b = append(b, " align "...)
	b = appendUint(b, uint64(a.Align))
	if a.Space != SpaceNone {
		b = append(b, " space "...)
		b = append(b, a.Space.String()...)
	}
	if a.PtrAlign != 0 {
		b = append(b, " ptr_align "...)
		b = appendUint(b, uint64(a.PtrAlign))
	}
	return b
}

func appendLinkage(b []byte, l Linkage) []byte {
	switch l {
	case LinkExport:
		return append(b, " export"...)
	case LinkImport:
		return append(b, " import"...)
	}
	return b
}

// maxShownPreds bounds the comment behind a label.
const maxShownPreds = 16

func (p *Printer) block(blk *Block) {
	b := p.names.AppendBlock(p.buf, blk)
	if len(blk.args) > 0 {
		b = append(b, '(')
		for i, v := range blk.args {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = p.names.AppendValue(b, v)
			b = append(b, ": "...)
			b = v.appendType(b)
		}
		b = append(b, ')')
	}
	b = append(b, ':')
	if blk.firstPred != nil {
		b = p.appendPreds(append(b, "  // preds:"...), blk)
	}
	if p.Locs && blk.Name != "" {
		b = append(b, "  // label "...)
		b = appendName(b, blk.Name)
	}
	p.buf = append(b, '\n')
	for o := blk.first; o != nil; o = o.next {
		b = append(p.buf, "  "...)
		b = p.names.AppendOp(b, o)
		if p.Locs && o.Loc != NoLoc {
			b = appendPosition(append(b, "  // "...), blk.fn.mod.Sources.Position(o.Loc))
		}
		p.buf = append(b, '\n')
		p.spill()
	}
}

// appendPreds lists predecessors in layout order, whatever order their edges
// were made in.
func (p *Printer) appendPreds(b []byte, blk *Block) []byte {
	p.preds = p.preds[:0]
	for e := blk.firstPred; e != nil; e = e.next {
		p.preds = append(p.preds, p.names.blockNumber(e.op.block))
	}
	slices.Sort(p.preds)
	p.preds = slices.Compact(p.preds)
	for i, n := range p.preds {
		if i == maxShownPreds {
			b = append(b, " and "...)
			b = appendUint(b, uint64(len(p.preds)-i))
			return append(b, " more"...)
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = appendBlockNumber(append(b, ' '), n)
	}
	return b
}

func appendPosition(b []byte, pos Position) []byte {
	b = appendName(b, pos.File)
	b = append(b, ':')
	b = appendUint(b, uint64(pos.Line))
	b = append(b, ':')
	return appendUint(b, uint64(pos.Col))
}
