package litmus

import (
	"fmt"
	"strings"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// FromModule makes the litmus program of a module of the pisa dialect: each
// work-item of s runs a function of it. Registers are observed through hidden
// variables (Instrument), so that passes may have changed the functions.
func FromModule(m *ir.Module, s *Spec) (*Program, error) {
	b := &fromIR{m: m, p: &Program{Name: s.Name, Unroll: s.Unroll, Cond: s.Cond}, vars: map[*ir.Var]int32{}, named: map[string]int32{}}
	b.p.Threads = make([]Thread, len(s.Run))
	for _, v := range m.Vars {
		if err := b.variable(v, s); err != nil {
			return nil, err
		}
	}
	for i, it := range s.Run {
		fn := m.Func(it.Func)
		if fn == nil || fn.IsDecl() {
			return nil, &HeaderError{it.Line, fmt.Sprintf("there is no function @%s with a body", it.Func)}
		}
		if len(fn.Sig) > 0 {
			return nil, &ProgramError{fn.Loc, fmt.Sprintf("@%s has parameters; a work-item of a litmus test starts a function without", fn.Name)}
		}
		b.p.Threads[i] = Thread{Name: fmt.Sprintf("work-item %d (@%s)", i, fn.Name), WG: it.WG, SG: it.SG, Host: it.Host}
	}
	for i, it := range s.Run {
		b.t, b.th = i, &b.p.Threads[i]
		if err := b.function(m.Func(it.Func), nil, nil, nil, s); err != nil {
			return nil, err
		}
	}
	for _, w := range s.watched {
		k, ok := b.named[w.hidden]
		if !ok {
			return nil, &HeaderError{1, fmt.Sprintf("the module lost the variable that observes %s", w.full)}
		}
		b.p.Regs = append(b.p.Regs, Observed{Name: w.full, Thread: w.tid, Slot: -1, Hidden: k})
	}
	for name := range s.Init {
		if _, ok := b.named[name]; !ok {
			return nil, &HeaderError{1, fmt.Sprintf("init of @%s, which no work-item can access", name)}
		}
	}
	if len(b.p.Regs) > 64 {
		return nil, &HeaderError{1, "more than 64 registers are observed"}
	}
	if err := b.p.layOut(); err != nil {
		return nil, &HeaderError{1, err.Error()}
	}
	b.p.bind(&b.p.Cond)
	return b.p, nil
}

type fromIR struct {
	m     *ir.Module
	p     *Program
	vars  map[*ir.Var]int32
	named map[string]int32
	t     int
	th    *Thread
	depth int
	err   error
}

func (b *fromIR) fail(loc ir.Loc, format string, args ...any) {
	if b.err == nil {
		b.err = &ProgramError{loc, fmt.Sprintf(format, args...)}
	}
}

// variable adds a variable that work-items may share.
func (b *fromIR) variable(v *ir.Var, s *Spec) error {
	if v.Space != ir.SpaceGlobal && v.Space != ir.SpaceShared {
		return nil
	}
	if k, ok := b.named[v.Name]; ok {
		if b.p.Vars[k].Size != uint32(v.Size) || (b.p.Vars[k].Space == Shared) != (v.Space == ir.SpaceShared) {
			return &ProgramError{v.Loc, fmt.Sprintf("@%s is declared with another size or space in another function", v.Name)}
		}
		b.vars[v] = k
		return nil
	}
	k := int32(len(b.p.Vars))
	out := Var{Name: v.Name, Size: uint32(min(v.Size, 1<<20)), Init: s.Init[v.Name], Hidden: strings.HasPrefix(v.Name, hiddenPrefix)}
	if v.Space == ir.SpaceShared {
		out.Space = Shared
	}
	if out.Init == nil {
		for i := range v.Init {
			if v.Init[i].Sym != 0 {
				return &ProgramError{v.Loc, fmt.Sprintf("@%s is initialised with an address, which is not modelled; store it", v.Name)}
			}
			out.bytes = append(out.bytes, v.Init[i].Bytes...)
			out.bytes = append(out.bytes, make([]byte, min(v.Init[i].Zero, 1<<20))...)
		}
	}
	b.vars[v], b.named[v.Name] = k, k
	b.p.Vars = append(b.p.Vars, out)
	return nil
}

// body is one function while its code is made.
type body struct {
	*fromIR
	fn     *ir.Func
	slots  []int32 // first slot of a value by id, -1: none yet
	start  []int32 // first instruction of a block by id
	fixups []fixup
	result *ir.Value // of the call, in caller
	caller *body
}

type fixup struct {
	at  int
	blk *ir.Block // nil: the end of the function
}

const maxInline = 16

// function appends the code of fn; args are slots of the caller.
func (b *fromIR) function(fn *ir.Func, caller *body, args []*ir.Value, result *ir.Value, s *Spec) error {
	if b.depth++; b.depth > maxInline {
		b.fail(fn.Loc, "calls nest more than %d deep in a litmus test", maxInline)
		return b.err
	}
	defer func() { b.depth-- }()
	for _, v := range fn.Vars {
		if err := b.variable(v, s); err != nil {
			return err
		}
	}
	f := &body{fromIR: b, fn: fn, caller: caller, result: result}
	f.slots = make([]int32, fn.NumValues())
	for i := range f.slots {
		f.slots[i] = -1
	}
	f.start = make([]int32, fn.NumBlockIDs())
	if caller != nil {
		for i, a := range args {
			f.copy(f.of(fn.Entry().Arg(i)), caller.of(a), words(a.Type))
		}
	}
	for _, blk := range layout(fn) {
		f.start[blk.ID] = int32(len(b.th.Code))
		for o := blk.First(); o != nil; o = o.Next() {
			f.op(o, s)
			if b.err != nil {
				return b.err
			}
		}
	}
	for _, x := range f.fixups {
		t := int32(len(b.th.Code))
		if x.blk != nil {
			t = f.start[x.blk.ID]
		}
		b.th.Code[x.at].Target = t
	}
	return b.err
}

// layout lists the reachable blocks in reverse postorder, so that only loops
// jump backwards.
func layout(fn *ir.Func) []*ir.Block {
	type frame struct {
		b *ir.Block
		i int
	}
	seen := make([]bool, fn.NumBlockIDs())
	stack := []frame{{fn.Entry(), 0}}
	seen[fn.Entry().ID] = true
	var post []*ir.Block
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.i < top.b.NumSuccs() {
			n := top.b.Succ(top.b.NumSuccs() - 1 - top.i)
			top.i++
			if !seen[n.ID] {
				seen[n.ID] = true
				stack = append(stack, frame{n, 0})
			}
			continue
		}
		post = append(post, top.b)
		stack = stack[:len(stack)-1]
	}
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	return post
}

// packed reports a vector that pisa.EvalFn takes in one word.
func packed(t ir.Type) bool { return t.IsVector() && t.ElemBits() < 32 && t.TotalBits() <= 32 }

// words is how many slots a value takes.
func words(t ir.Type) int32 {
	if t.IsVector() && !packed(t) {
		return int32(t.Lanes())
	}
	return 1
}

func (f *body) fresh(n int32) int32 {
	s := int32(len(f.th.Slots))
	for range n {
		f.th.Slots = append(f.th.Slots, "")
	}
	return s
}

// of is the first slot of a value.
func (f *body) of(v *ir.Value) int32 {
	if f.slots[v.ID] < 0 {
		if v.Type.ElemBits() > 64 {
			f.fail(f.fn.Loc, "@%s: values of more than 64 bits are not modelled", f.fn.Name)
		}
		f.slots[v.ID] = f.fresh(words(v.Type))
	}
	return f.slots[v.ID]
}

// operand is a value as an operand: constants as such.
func (f *body) operand(v *ir.Value) Operand {
	if c, ok := builtin.IsConst(v); ok && words(v.Type) == 1 {
		if packed(v.Type) {
			e := uint(v.Type.ElemBits())
			var w uint64
			for i := range uint(v.Type.Lanes()) {
				w |= c << (i * e)
			}
			c = w
		}
		return imm(c)
	}
	return slot(f.of(v))
}

func blank(o *ir.Op) Instr {
	in := Instr{Dst: -1, Dst2: -1, Var: -1, A: noOperand, B: noOperand, C: noOperand, D: noOperand, Off: imm(0), Lanes: 1}
	if o != nil {
		in.Loc = o.Loc
	}
	return in
}

func (f *body) emit(in Instr) int {
	f.th.Code = append(f.th.Code, in)
	return len(f.th.Code) - 1
}

func (f *body) copy(dst, src, n int32) {
	for i := range n {
		in := blank(nil)
		in.Op, in.Dst, in.A = OpMove, dst+i, slot(src+i)
		f.emit(in)
	}
}

// op appends the code of one op.
func (f *body) op(o *ir.Op, s *Spec) {
	switch o.Code {
	case builtin.Const:
		f.constant(o)
	case builtin.Br:
		f.edge(o.Succ(0))
	case builtin.CondBr:
		in := blank(o)
		in.Op, in.A, in.Text = OpBranch, f.operand(o.Operand(0)), "cond_br"
		at := f.emit(in)
		f.edge(o.Succ(1))
		f.th.Code[at].Target = int32(len(f.th.Code))
		f.edge(o.Succ(0))
	case builtin.Return:
		if f.caller != nil && o.NumOperands() > 0 {
			v := o.Operand(0)
			f.copyValue(f.caller.of(f.result), v)
		}
		in := blank(o)
		in.Op = OpJump
		f.fixups = append(f.fixups, fixup{f.emit(in), nil})
	case builtin.Call:
		var args []*ir.Value
		for i := range o.NumOperands() {
			a := o.Operand(i)
			f.materialise(a)
			args = append(args, a)
		}
		callee := f.m.Symbol(o.Aux).Func
		if callee.IsDecl() {
			f.fail(o.Loc, "@%s has no body", callee.Name)
			return
		}
		var res *ir.Value
		if o.NumResults() > 0 {
			res = o.Result(0)
		}
		if err := f.function(callee, f, args, res, s); err != nil && f.err == nil {
			f.err = err
		}
	case pisa.Ld, pisa.St, pisa.IAtom, pisa.FAtom:
		f.access(o)
	case pisa.Fence:
		in := blank(o)
		in.Op, in.Order, in.Scope, in.Cover = OpFence, pisa.OrderOf(o.Props), pisa.ScopeOf(o.Props), CoverBoth
		switch pisa.SpaceOf(o.Props) {
		case ir.SpaceGlobal:
			in.Cover = CoverGlobal
		case ir.SpaceShared:
			in.Cover = CoverShared
		}
		if in.Scope == pisa.Subgroup {
			in.Order = pisa.AcqRel // PISA 9.2
		}
		in.Text = o.String()
		f.emit(in)
	case pisa.BarrierWorkgroup:
		in := blank(o)
		in.Op, in.Text = OpBarrier, o.String()
		f.emit(in)
	default:
		f.pure(o)
	}
}

func (f *body) constant(o *ir.Op) {
	v := o.Result(0)
	if words(v.Type) == 1 {
		return // operands take it as such
	}
	f.materialise(v)
}

// materialise puts a constant into its slots.
func (f *body) materialise(v *ir.Value) {
	c, ok := builtin.IsConst(v)
	if !ok {
		return
	}
	dst := f.of(v)
	if words(v.Type) == 1 {
		o := f.operand(v)
		c = o.Imm
	}
	for i := range words(v.Type) {
		in := blank(v.Op())
		in.Op, in.Dst, in.A = OpMove, dst+i, imm(c)
		f.emit(in)
	}
}

func (f *body) copyValue(dst int32, v *ir.Value) {
	f.materialise(v)
	f.copy(dst, f.of(v), words(v.Type))
}

// edge passes the arguments of e, all at once, and jumps.
func (f *body) edge(e *ir.Edge) {
	n := e.NumArgs()
	temps := make([]int32, n)
	for i := range n {
		v := e.Arg(i)
		temps[i] = f.fresh(words(v.Type))
		f.copyValue(temps[i], v)
	}
	for i := range n {
		f.copy(f.of(e.To().Arg(i)), temps[i], words(e.Arg(i).Type))
	}
	in := blank(e.Op())
	in.Op = OpJump
	f.fixups = append(f.fixups, fixup{f.emit(in), e.To()})
}
