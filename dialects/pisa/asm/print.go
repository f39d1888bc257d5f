package asm

import (
	"strconv"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// AppendText appends the canonical text of f, which parses to f again:
//
//   - one statement a line, blocks indented by two blanks, labels in the first
//     column, comments kept;
//   - qualifiers at their default are left out, except the address space, the
//     rounding mode of fmul and the scope of ordered accesses, on whose
//     defaults readers of the specification may differ;
//   - integers as they were written, decimal or hexadecimal; floats as their
//     bits, so that nothing is lost.
func AppendText(b []byte, f *File) []byte {
	p := &printer{b: b, start: len(b), comments: f.Comments, v10: f.Version.Major > 0}
	p.header(f)
	for i := range f.Decls {
		d := &f.Decls[i]
		body := d.Func != nil && d.Func.HasBody && !d.Proto
		if prev := i - 1; len(p.b) > p.start && (body || prev < 0 || f.Decls[prev].Func != nil && f.Decls[prev].Func.HasBody) {
			p.blank()
		}
		p.flush(d.Loc, 0)
		switch {
		case d.Var != nil:
			p.line(0)
			p.variable(d.Var)
		default:
			p.line(0)
			p.function(d.Func, body)
		}
	}
	p.flush(1<<32-1, 0)
	if len(p.b) > p.start {
		p.b = append(p.b, '\n')
	}
	return p.b
}

type printer struct {
	b        []byte
	start    int       // of this text in b
	comments []Comment // not yet printed
	v10      bool
	gap      bool // a blank line is due
	full     bool // the line ends in a comment
}

// blank asks for an empty line before the next one.
func (p *printer) blank() { p.gap = true }

// maxIndent keeps deep nests from making the text quadratically long.
const maxIndent = 32

// line begins a new line at a depth of blocks.
func (p *printer) line(depth int) {
	if len(p.b) > p.start {
		p.b = append(p.b, '\n')
		if p.gap {
			p.b = append(p.b, '\n')
		}
	}
	p.gap, p.full = false, false
	for i := 0; i < depth && i < maxIndent; i++ {
		p.b = append(p.b, "  "...)
	}
}

// flush prints the comments before loc: those that followed other text at the
// end of the last line, if it has none yet.
func (p *printer) flush(loc ir.Loc, depth int) {
	for len(p.comments) > 0 && p.comments[0].Loc < loc {
		c := &p.comments[0]
		p.comments = p.comments[1:]
		if !c.Own && !p.full && len(p.b) > p.start {
			p.b = append(p.b, " //"...)
		} else {
			p.line(depth)
			p.b = append(p.b, "//"...)
		}
		p.b = append(p.b, c.Text...)
		p.full = true
	}
}

func (p *printer) str(s string) { p.b = append(p.b, s...) }

func (p *printer) uint(v uint64) { p.b = strconv.AppendUint(p.b, v, 10) }

func (p *printer) header(f *File) {
	if f.HasVersion {
		p.flush(f.VersionLoc, 0)
		p.line(0)
		p.str(".version " + versionText(f.Version) + ";")
	}
	if f.HasTarget {
		p.flush(f.TargetLoc, 0)
		p.line(0)
		p.str(".target " + f.Target + ";")
	}
}

var linkageText = [...]string{ir.LinkLocal: "", ir.LinkExport: ".export ", ir.LinkImport: ".import "}

func (p *printer) variable(v *Var) {
	p.str(linkageText[v.Linkage] + "." + v.Space.String() + " ")
	if v.HasAlign {
		p.str(".align ")
		p.uint(uint64(v.Align))
		p.str(" ")
	}
	if v.Section != "" {
		p.str(`.section("` + v.Section + `") `)
	}
	if v.HostAccess != "" {
		p.str(`.host_access("` + v.HostAccess + `") `)
	}
	if v.Elem != ir.None {
		p.str("." + v.Elem.String() + " ")
	}
	p.symbol(v.Name)
	if v.HasSize {
		p.str("[")
		p.uint(v.Count)
		p.str("]")
	}
	if v.HasInit {
		p.str(" = {")
		for i := range v.Init {
			if i > 0 {
				p.str(",")
			}
			p.str(" ")
			p.item(&v.Init[i])
		}
		p.str(" }")
	}
	p.str(";")
}

func (p *printer) item(it *Item) {
	if it.Bits == 0 {
		p.str(".zero ")
		p.uint(it.Value)
		return
	}
	p.str(".")
	p.uint(uint64(it.Bits))
	p.str("b ")
	switch {
	case it.Sym.Name != "":
		p.symbol(it.Sym.Name)
		if it.Off > 0 {
			p.str("+")
		}
		if it.Off != 0 {
			p.b = strconv.AppendInt(p.b, it.Off, 10)
		}
	case it.Hex:
		p.str("0x")
		p.b = strconv.AppendUint(p.b, it.Value, 16)
	case it.Neg:
		p.b = strconv.AppendInt(p.b, signed(it.Value, it.Bits), 10)
	default:
		p.uint(it.Value)
	}
}

// signed reads the low n bits of v as a signed number.
func signed(v uint64, n int) int64 {
	if n >= 64 {
		return int64(v)
	}
	return int64(v<<(64-n)) >> (64 - n)
}

// symbol prints a name behind @, in quotes where it needs them.
func (p *printer) symbol(name string) {
	p.str("@")
	plain := plainName(name)
	if !plain && p.v10 {
		plain = true
		for i := 0; i < len(name); i++ {
			plain = plain && (class[name[i]]&cName != 0 || name[i] == '@')
		}
	}
	if plain {
		p.str(name)
		return
	}
	const hex = "0123456789ABCDEF"
	p.str(`"`)
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '\n':
			p.str(`\n`)
		case c == '"' || c == '\\':
			p.b = append(p.b, '\\', c)
		case c < ' ' || c >= 0x7f:
			p.b = append(p.b, '\\', hex[c>>4], hex[c&15])
		default:
			p.b = append(p.b, c)
		}
	}
	p.str(`"`)
}

func (p *printer) function(f *Func, body bool) {
	if f.Kind == ir.FuncKernel {
		p.kernelHead(f)
	} else {
		p.str(linkageText[f.Linkage] + ".function " + retText(f.Ret) + " ")
		p.symbol(f.Name)
		p.str("(")
		for i, t := range f.ParamTypes {
			if i > 0 {
				p.str(", ")
			}
			p.str(".reg ." + t.String())
			if body {
				p.str(" %" + f.Regs[f.Params[i]].Name)
			}
		}
		p.str(")")
	}
	if !body {
		p.str(";")
		return
	}
	p.str(" {")
	p.body(f)
}

func (p *printer) kernelHead(f *Func) {
	p.str(".kernel ")
	if s := f.ReqdWorkGroupSize; s[0] != 0 {
		p.str(".reqd_work_group_size(")
		for i, n := range s {
			if i > 0 {
				p.str(", ")
			}
			p.uint(uint64(n))
		}
		p.str(") ")
	}
	if f.VecTypeHint != "" {
		p.str(".vec_type_hint(" + f.VecTypeHint + ") ")
	}
	p.symbol(f.Name)
	p.str("(")
	for i := range f.KParams {
		q := &f.KParams[i]
		if i > 0 {
			p.str(", ")
		}
		p.str(".param[")
		p.uint(uint64(q.Size))
		p.str("] ")
		p.paramAttr(".align", uint64(q.Align), 8)
		if q.Space != ir.SpaceNone {
			p.str(".addrspace(" + q.Space.String() + ") ")
		}
		p.paramAttr(".ptr_align", uint64(q.PtrAlign), 0)
		p.str("%" + q.Name)
	}
	p.str(")")
}

func (p *printer) paramAttr(name string, v, def uint64) {
	if v != def {
		p.str(name + "(")
		p.uint(v)
		p.str(") ")
	}
}

func (p *printer) body(f *Func) {
	depth := 1
	for i := range f.Stmts {
		s := &f.Stmts[i]
		p.flush(s.Loc, depth)
		switch s.Kind {
		case StmtInstr:
			p.line(depth)
			p.instr(f, &f.Instrs[s.Ref])
		case StmtLabel:
			p.line(0)
			p.str(f.Labels[s.Ref].Name + ":")
		case StmtReg:
			p.line(depth)
			p.regDecl(f, &f.RegDecls[s.Ref])
		case StmtVar:
			p.line(depth)
			p.variable(f.Vars[s.Ref])
		case StmtOpen:
			p.line(depth)
			p.str("{")
			depth++
		case StmtClose:
			depth--
			p.line(depth)
			p.str("}")
		}
	}
	p.flush(f.BodyEnd, depth)
	p.line(0)
	p.str("}")
}

func (p *printer) regDecl(f *Func, d *RegDecl) {
	if d.Type == ir.Pred {
		p.str(".pred")
	} else {
		p.str(".reg ." + d.Type.String())
	}
	for i, n := range f.RegNames[d.Off : d.Off+d.N] {
		if i > 0 {
			p.str(",")
		}
		p.str(" %" + n.Name)
		if n.Range {
			p.str("<")
			p.uint(uint64(n.Lo))
			p.str("~")
			p.uint(uint64(n.Hi))
			p.str(">")
		}
	}
	p.str(";")
}

func (p *printer) instr(f *Func, in *Instr) {
	p.str(in.Row.Name)
	for i := range in.Form.Quals {
		p.qual(in, &in.Form.Quals[i])
	}
	ops := f.Operands(in)
	sep := " "
	at := 0
	for i := range in.Form.Args {
		a := &in.Form.Args[i]
		op := &ops[at]
		at++
		switch {
		case op.Kind == OpNone:
			continue
		case op.Kind == OpList:
			p.str("(")
			for k := uint32(0); k < op.Ref; k++ {
				if k > 0 {
					p.str(", ")
				}
				p.operand(f, in, a, &ops[at])
				at++
			}
			p.str(")")
			continue
		}
		p.str(sep)
		sep = ", "
		if a.Kinds&(pisa.KMem|pisa.KParam) == 0 {
			p.operand(f, in, a, op)
			continue
		}
		p.str("[")
		p.operand(f, in, a, op)
		if op.HasOff {
			p.offset(f, in, a, &ops[at])
			at++
		}
		p.str("]")
	}
	p.str(";")
}

// qual prints a qualifier unless it is at its default.
func (p *printer) qual(in *Instr, q *ir.Qual) {
	v := q.Field.Get(in.Props)
	silent := q.Optional && v == q.Default
	switch {
	case q.Name == "addrspace", q.Name == "rndmode" && in.Row.Code == pisa.FMul:
		silent = false
	case q.Name == "memscope" && in.Row.Code != pisa.Fence:
		silent = pisa.OrderOf(in.Props) <= pisa.Relaxed
	}
	if silent {
		return
	}
	p.str(".")
	switch q.Form {
	case ir.QualInt:
		p.uint(v)
	case ir.QualHex:
		const hex = "0123456789abcdef"
		p.b = append(p.b, '0', 'x', hex[v>>4&15], hex[v&15])
	default:
		p.str(q.Names[v])
	}
}

var swizzleText = map[Swizzle]string{
	MakeSwizzle(0, 1): ".x", MakeSwizzle(1, 1): ".y", MakeSwizzle(2, 1): ".z", MakeSwizzle(3, 1): ".w",
	MakeSwizzle(0, 2): ".xy", MakeSwizzle(2, 2): ".zw", MakeSwizzle(0, 4): ".xyzw",
}

func (p *printer) operand(f *Func, in *Instr, a *pisa.Arg, op *Operand) {
	switch op.Kind {
	case OpReg:
		if op.Not {
			p.str("!")
		}
		p.str("%" + f.Regs[op.Ref].Name)
	case OpSpecial:
		p.str("%" + pisa.SpecialRegs[op.Ref].Name)
	case OpImm:
		p.immediate(f, in, a, op)
	case OpVar, OpFunc:
		p.symbol(f.Syms[op.Ref].Name)
	case OpParam:
		p.str("%" + f.KParams[op.Ref].Name)
	case OpLabel:
		p.str(f.Labels[op.Ref].Name)
	case OpVoid:
		p.str("void")
	}
	if op.Swz != 0 {
		p.str(swizzleText[op.Swz])
	}
}

func (p *printer) immediate(f *Func, in *Instr, a *pisa.Arg, op *Operand) {
	t := immType(a.Shape, in.Props)
	if a.Shape == pisa.ShRet {
		t = pisa.PlainType(f.Ret)
	}
	info := t.Info()
	switch {
	case info.Float:
		const hex = "0123456789ABCDEF"
		p.str("0x")
		for i := info.Bits - 4; i >= 0; i -= 4 {
			p.b = append(p.b, hex[op.Imm>>i&15])
		}
	case op.Lit == LitHex:
		p.str("0x")
		p.b = strconv.AppendUint(p.b, op.Imm, 16)
	case op.Lit == LitNeg:
		p.b = strconv.AppendInt(p.b, signed(op.Imm, info.Bits), 10)
	default:
		p.uint(op.Imm)
	}
}

func (p *printer) offset(f *Func, in *Instr, a *pisa.Arg, op *Operand) {
	if op.Kind != OpImm {
		p.str(" + ")
		p.operand(f, in, a, op)
		return
	}
	switch v := int64(op.Imm); {
	case v < 0:
		p.str(" - ")
		p.uint(-op.Imm)
	case op.Lit == LitHex:
		p.str(" + 0x")
		p.b = strconv.AppendUint(p.b, op.Imm, 16)
	default:
		p.str(" + ")
		p.uint(op.Imm)
	}
}
