package ir

import (
	"fmt"
	"sync"
)

// Verify checks every invariant of m and reports what is broken to ds. It
// takes any IR, however damaged, and time nearly linear in its size.
func Verify(m *Module, ds *Diags) bool {
	v := newVerifier(ds)
	before := ds.Errors()
	v.module(m)
	for _, f := range m.Funcs {
		v.function(f)
	}
	v.release()
	return ds.Errors() == before
}

// VerifyFunc checks the invariants of one function; those of the module's
// symbols are left out. Functions may be verified concurrently.
func VerifyFunc(f *Func, ds *Diags) bool {
	v := newVerifier(ds)
	before := ds.Errors()
	v.function(f)
	v.release()
	return ds.Errors() == before
}

// Verifier is the state of a verification; op hooks report through it.
type Verifier struct {
	Fn    *Func
	Diags *Diags

	dom    Dom
	names  Names
	named  bool      // names are those of Fn
	blocks []*Block  // by Block.ID: the block seen
	values []*Value  // by Value.ID: the value seen
	uses   []uint32  // by Value.ID: operands seen
	shapes []opShape // by Code: of the last op found right
	shaped []Code    // whose shapes are set
	order  []uint32  // by Op.ID: 1 + position in the function
}

// verifiers keeps memory from one verification to the next.
var verifiers = sync.Pool{New: func() any { return &Verifier{} }}

func newVerifier(ds *Diags) *Verifier {
	v := verifiers.Get().(*Verifier)
	v.Diags = ds
	return v
}

func (v *Verifier) release() {
	v.Fn, v.Diags, v.named = nil, nil, false
	for _, c := range v.shaped {
		v.shapes[c] = opShape{}
	}
	v.shaped = v.shaped[:0]
	verifiers.Put(v)
}

// Errorf reports that op breaks invariant inv.
func (v *Verifier) Errorf(op *Op, inv int, format string, args ...any) {
	if v.Diags.full() {
		v.Diags.Error(op.Loc, NoLoc, invariantCode(inv), "")
		return
	}
	text := fmt.Sprintf(format, args...)
	if d := v.Fn.mod.Reg.lookup(op.Code); d != nil {
		text = d.Name + ": " + text
	}
	v.report(op.Loc, inv, text, op)
}

// report adds an error with a note that shows the op, or the function if op
// is nil.
func (v *Verifier) report(loc Loc, inv int, text string, op *Op) {
	note := DiagNote{Text: "in @" + shown([]byte(v.Fn.Name))}
	if op != nil && op.block != nil && op.block.fn == v.Fn {
		if !v.named {
			v.names.Number(v.Fn)
			v.named = true
		}
		b := append([]byte(note.Text), ", "...)
		b = v.names.AppendBlock(b, op.block)
		at := len(b)
		b = v.names.AppendOp(append(b, ": "...), op)
		if most := at + 160; len(b) > most {
			b = append(b[:most], "…"...)
		}
		note.Text = string(b)
	}
	v.Diags.Error(loc, NoLoc, invariantCode(inv), fmt.Sprintf("I%d: %s", inv, text), note)
}

func invariantCode(inv int) string { return "IR-I" + string(appendUint(nil, uint64(inv))) }

func (v *Verifier) blockErrorf(b *Block, inv int, format string, args ...any) {
	if v.Diags.full() {
		v.Diags.Error(b.Loc, NoLoc, invariantCode(inv), "")
		return
	}
	if !v.named {
		v.names.Number(v.Fn)
		v.named = true
	}
	v.report(b.Loc, inv, string(v.names.AppendBlock(nil, b))+": "+fmt.Sprintf(format, args...), nil)
}

func (v *Verifier) funcErrorf(inv int, format string, args ...any) {
	v.report(v.Fn.Loc, inv, fmt.Sprintf(format, args...), nil)
}

// OperandType checks that operand i of op has type want (I9).
func (v *Verifier) OperandType(op *Op, i int, want Type) bool {
	got := op.operands[i].val.Type
	if got != want {
		v.Errorf(op, 9, "operand %s is %v, not %v", v.OperandName(op, i), got, want)
	}
	return got == want
}

// ResultType checks that result i of op has type want (I9).
func (v *Verifier) ResultType(op *Op, i int, want Type) bool {
	got := op.results[i].Type
	if got != want {
		v.Errorf(op, 9, "result %d is %v, not %v", i, got, want)
	}
	return got == want
}

// OperandName names operand i of op for a message: "1 (src1)".
func (v *Verifier) OperandName(op *Op, i int) string {
	d := v.Fn.mod.Reg.lookup(op.Code)
	switch {
	case d == nil || len(d.Operands) == 0:
	case i < len(d.Operands):
		return fmt.Sprintf("%d (%s)", i, d.Operands[i].Name)
	case d.Operands[len(d.Operands)-1].Variadic:
		return fmt.Sprintf("%d (%s)", i, d.Operands[len(d.Operands)-1].Name)
	}
	return fmt.Sprint(i)
}

// function checks structure first; what else is checked relies on it.
func (v *Verifier) function(f *Func) {
	v.Fn, v.named = f, false
	v.head()
	v.vars(f.Vars)
	if f.first == nil || !v.structure() {
		return
	}
	v.entry()
	v.dom.Compute(f)
	for b := f.first; b != nil; b = b.next {
		for _, a := range b.args {
			v.valueType(a, b.first)
		}
		for o := b.first; o != nil; o = o.next {
			v.op(o)
		}
	}
}

// head checks the declaration (I9, I11, I12, I13).
func (v *Verifier) head() {
	f := v.Fn
	if (f.first == nil) != (f.Linkage == LinkImport) {
		if f.first == nil {
			v.funcErrorf(11, "@%s has no body but is not imported", f.Name)
		} else {
			v.funcErrorf(11, "@%s is imported but has a body", f.Name)
		}
	}
	if f.Kind == FuncKernel && (f.Ret != None || len(f.Sig) > 0) {
		v.funcErrorf(12, "kernel @%s returns %v and has a signature of %d types", f.Name, f.Ret, len(f.Sig))
	}
	if f.Kind == FuncDevice && len(f.Params) > 0 {
		v.funcErrorf(2, "function @%s has kernel parameters", f.Name)
	}
	if f.Ret != None && !f.Ret.Valid() {
		v.funcErrorf(9, "@%s returns an invalid type", f.Name)
	}
	for i, t := range f.Sig {
		if t == None || !t.Valid() {
			v.funcErrorf(9, "parameter %d of @%s has an invalid type", i, f.Name)
		}
	}
	if len(f.Params) == 0 {
		return
	}
	seen := make(map[string]struct{}, len(f.Params))
	for i := range f.Params {
		p := &f.Params[i]
		if _, dup := seen[p.Name]; dup {
			v.funcErrorf(11, "two parameters of @%s are called %%%s", f.Name, p.Name)
		}
		seen[p.Name] = struct{}{}
		if !isPow2(p.Align) || p.PtrAlign != 0 && !isPow2(p.PtrAlign) {
			v.funcErrorf(13, "an alignment of parameter %%%s is not a power of two", p.Name)
		}
	}
}

func isPow2(n uint32) bool { return n != 0 && n&(n-1) == 0 }

// entry checks I2.
func (v *Verifier) entry() {
	f := v.Fn
	b := f.first
	if b.npreds != 0 {
		v.blockErrorf(b, 2, "the entry block has predecessors")
	}
	if len(b.args) != len(f.Sig) {
		v.blockErrorf(b, 2, "the entry block has %d arguments, the signature %d parameters", len(b.args), len(f.Sig))
		return
	}
	for i, a := range b.args {
		if a.Type != f.Sig[i] {
			v.blockErrorf(b, 2, "argument %d is %v, the signature says %v", i, a.Type, f.Sig[i])
		}
	}
}

func (v *Verifier) valueType(x *Value, at *Op) {
	if x.Type == None || !x.Type.Valid() {
		v.Errorf(at, 9, "a value has the invalid type %v (%#x)", x.Type, uint32(x.Type))
	}
}

// op checks one op whose structure is sound.
func (v *Verifier) op(o *Op) {
	d := v.Fn.mod.Reg.Def(o.Code)
	known := d.ByShape && v.known(o)
	ok := known || v.quals(o, d)
	ok = v.aux(o, d) && ok
	for i := range o.results {
		v.valueType(&o.results[i], o)
	}
	for i := range o.operands {
		v.dominance(o, i)
	}
	for i := range o.succs {
		v.edge(o, &o.succs[i])
	}
	if !ok || known || d.Verify == nil {
		return
	}
	before := v.Diags.errors
	d.Verify(v, o)
	if d.ByShape && v.Diags.errors == before {
		v.remember(o)
	}
}

// opShape is what the hook of a row that is ByShape looks at.
type opShape struct {
	props             uint64
	operands, results uint8
	types             [6]Type
}

// shapeOf reports false for an op with more values than a shape holds.
func shapeOf(o *Op) (s opShape, ok bool) {
	n := len(o.results)
	if n+len(o.operands) > len(s.types) {
		return s, false
	}
	s.props, s.operands, s.results = o.Props, uint8(len(o.operands)), uint8(n)
	for i := range o.results {
		s.types[i] = o.results[i].Type
	}
	for i := range o.operands {
		x := o.operands[i].val
		if x == nil {
			return s, false
		}
		s.types[n+i] = x.Type
	}
	return s, true
}

// known reports that the last op with o's code that was found right had o's
// shape.
func (v *Verifier) known(o *Op) bool {
	if int(o.Code) >= len(v.shapes) {
		return false
	}
	s, ok := shapeOf(o)
	return ok && s == v.shapes[o.Code] && s.results+s.operands > 0
}

func (v *Verifier) remember(o *Op) {
	if s, ok := shapeOf(o); ok {
		if n := int(o.Code) + 1 - len(v.shapes); n > 0 {
			v.shapes = append(v.shapes, make([]opShape, n)...)
		}
		if old := &v.shapes[o.Code]; old.results+old.operands == 0 && s.results+s.operands > 0 {
			v.shaped = append(v.shaped, o.Code)
		}
		if s.results+s.operands > 0 {
			v.shapes[o.Code] = s
		}
	}
}

// quals checks I7.
func (v *Verifier) quals(o *Op, d *OpDef) bool {
	if d.Syntax == SyntaxConst {
		return true // all of Props is the constant
	}
	rest := o.Props
	if d.Addr != 0 {
		rest = HasOffset.Set(rest, 0)
	}
	ok := true
	for i := range d.Quals {
		q := &d.Quals[i]
		x := q.Field.Get(o.Props)
		rest &^= q.Field.Put(1<<q.Field.Width - 1)
		if !q.Allows(x) {
			v.Errorf(o, 7, "qualifier .%s has the value %d, which the row does not allow", q.Name, x)
			ok = false
		}
	}
	if rest != 0 {
		v.Errorf(o, 7, "Props has bits %#x outside of the row's qualifiers", rest)
		ok = false
	}
	return ok
}

// aux checks I8.
func (v *Verifier) aux(o *Op, d *OpDef) bool {
	f := v.Fn
	switch d.Aux {
	case AuxNone:
		if o.Aux != 0 {
			v.Errorf(o, 8, "has a payload but its row has none")
			return false
		}
	case AuxSym:
		s := f.mod.Symbol(o.Aux)
		if s == (Symbol{}) {
			v.Errorf(o, 8, "names no symbol of the module")
			return false
		}
		if s.Var != nil && s.Var.Fn != nil && s.Var.Fn != f {
			v.Errorf(o, 8, "names the variable @%s of function @%s", s.Var.Name, s.Var.Fn.Name)
			return false
		}
	case AuxParam:
		if o.Aux == 0 || int(o.Aux) > len(f.Params) {
			v.Errorf(o, 8, "names no parameter of the kernel")
			return false
		}
	case AuxWide:
		if o.Aux != 0 && !f.mod.hasWide(o.Aux) {
			v.Errorf(o, 8, "names no upper half of a constant")
			return false
		}
	}
	return true
}

// dominance checks I4.
func (v *Verifier) dominance(o *Op, i int) {
	x := o.operands[i].val
	if x.Reg != NoReg {
		return // a register has any number of definitions
	}
	def := x.Block()
	if def == o.block {
		if x.op == nil || v.order[x.op.ID] < v.order[o.ID] || !v.dom.Reachable(def) {
			return
		}
	} else if v.dom.Dominates(def, o.block) {
		return
	}
	v.Errorf(o, 4, "operand %s is not dominated by its definition", v.OperandName(o, i))
}

// edge checks I3.
func (v *Verifier) edge(o *Op, e *Edge) {
	if int(e.n) != len(e.to.args) {
		v.Errorf(o, 3, "passes %d values to a block of %d arguments", e.n, len(e.to.args))
		return
	}
	for i, a := range e.to.args {
		if t := e.Arg(i).Type; t != a.Type {
			v.Errorf(o, 3, "passes %v for argument %d, which is %v", t, i, a.Type)
		}
	}
}
