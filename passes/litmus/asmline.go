package litmus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// lineReader turns PISA instructions in the simplified form of litmus files
// (names of variables in addresses, vector constants in braces) into Instrs.
type lineReader struct {
	vars    map[string]int32
	slots   map[string]int32
	thread  *Thread
	labels  map[string]int32
	targets []string // by instruction; "" if it does not jump
}

func newLineReader(vars map[string]int32, t *Thread) *lineReader {
	return &lineReader{vars: vars, slots: map[string]int32{}, labels: map[string]int32{}, thread: t}
}

// parsed is a split instruction.
type parsed struct {
	text  string
	op    string
	quals []string
	ops   []string
}

func splitLine(line string) parsed {
	if i := strings.Index(line, "//"); i >= 0 {
		line = line[:i]
	}
	p := parsed{text: strings.TrimSpace(line)}
	s := strings.TrimSpace(strings.TrimSuffix(p.text, ";"))
	mn, rest, _ := strings.Cut(s, " ")
	q := strings.Split(mn, ".")
	p.op, p.quals = q[0], q[1:]
	depth, start := 0, 0
	if rest = strings.TrimSpace(rest); rest == "" {
		return p
	}
	for i := range len(rest) {
		switch rest[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth == 0 {
				p.ops = append(p.ops, strings.TrimSpace(rest[start:i]))
				start = i + 1
			}
		}
	}
	p.ops = append(p.ops, strings.TrimSpace(rest[start:]))
	return p
}

// add appends the instruction of a line.
func (r *lineReader) add(line string) error {
	p := splitLine(line)
	if p.text == "" {
		return nil
	}
	if name, ok := strings.CutSuffix(p.text, ":"); ok {
		if _, dup := r.labels[name]; dup {
			return fmt.Errorf("label %s is defined twice", name)
		}
		r.labels[name] = int32(len(r.thread.Code))
		return nil
	}
	in := Instr{Dst: -1, Dst2: -1, Var: -1, A: noOperand, B: noOperand, C: noOperand, D: noOperand, Lanes: 1, Width: 4, Text: p.text}
	target := ""
	err := r.instr(&p, &in, &target)
	if err != nil {
		return fmt.Errorf("%s: %w", p.text, err)
	}
	r.thread.Code = append(r.thread.Code, in)
	r.targets = append(r.targets, target)
	return nil
}

// finish resolves labels.
func (r *lineReader) finish() error {
	for i, t := range r.targets {
		if t == "" {
			continue
		}
		at, ok := r.labels[t]
		if !ok {
			return fmt.Errorf("%s: no label %s", r.thread.Code[i].Text, t)
		}
		r.thread.Code[i].Target = at
	}
	return nil
}

var lineOps = map[string]func(*lineReader, *parsed, *Instr, *string) error{
	"ld": (*lineReader).load, "st": (*lineReader).store, "iatom": (*lineReader).atom,
	"fence": (*lineReader).fence, "barrier": (*lineReader).barrier, "mov": (*lineReader).mov,
	"iadd": (*lineReader).pure, "xor": (*lineReader).pure, "and": (*lineReader).pure,
	"ucmp": (*lineReader).compare, "scmp": (*lineReader).compare,
	"goto": (*lineReader).jump, "return": (*lineReader).ret,
}

func (r *lineReader) instr(p *parsed, in *Instr, target *string) error {
	f := lineOps[p.op]
	if f == nil {
		return fmt.Errorf("no litmus instruction %q", p.op)
	}
	return f(r, p, in, target)
}

// slot finds or makes the register called name; a vector has eight slots.
func (r *lineReader) slot(name string, vector bool) (int32, error) {
	base, comp := name, 0
	if b, c, ok := strings.Cut(name, "."); ok {
		comp = strings.Index("xyzwabcd", c)
		if len(c) != 1 || comp < 0 {
			return 0, fmt.Errorf("register %s", name)
		}
		base, vector = b, true
	}
	if len(base) < 2 || base[0] != '%' {
		return 0, fmt.Errorf("%q is no register", name)
	}
	s, ok := r.slots[base]
	if !ok {
		s = int32(len(r.thread.Slots))
		r.slots[base] = s
		if vector {
			for i := range 8 {
				r.thread.Slots = append(r.thread.Slots, fmt.Sprintf("%s.%c", base, "xyzwabcd"[i]))
			}
		} else {
			r.thread.Slots = append(r.thread.Slots, base)
		}
	}
	if vector && r.thread.Slots[s] == base {
		return 0, fmt.Errorf("%s is scalar elsewhere", base)
	}
	return s + int32(comp), nil
}

func (r *lineReader) operand(s string) (Operand, error) {
	if strings.HasPrefix(s, "%") {
		i, err := r.slot(s, false)
		return slot(i), err
	}
	if strings.HasPrefix(s, "@") {
		v, ok := r.vars[s[1:]]
		if !ok {
			return Operand{}, fmt.Errorf("no variable %s", s)
		}
		return imm(uint64(v+1) << regionShift), nil
	}
	n, err := strconv.ParseInt(s, 0, 64)
	return imm(uint64(n)), err
}

func (r *lineReader) address(s string, in *Instr) error {
	body, ok := strings.CutPrefix(s, "[")
	body, ok2 := strings.CutSuffix(body, "]")
	if !ok || !ok2 {
		return fmt.Errorf("address %s", s)
	}
	base, off, plus := strings.Cut(body, "+")
	base = strings.TrimSpace(base)
	in.Off = imm(0)
	var err error
	if plus {
		if in.Off, err = r.operand(strings.TrimSpace(off)); err != nil {
			return err
		}
	}
	if strings.HasPrefix(base, "@") {
		v, ok := r.vars[base[1:]]
		if !ok {
			return fmt.Errorf("no variable %s", base)
		}
		in.Lit, in.Var = true, v
		return nil
	}
	if in.Space == ir.SpaceNone {
		in.Space = ir.SpaceGlobal
	}
	in.A, err = r.operand(base)
	return err
}

var (
	lineOrders = map[string]pisa.Order{"weak": pisa.Weak, "relaxed": pisa.Relaxed, "acquire": pisa.Acquire,
		"release": pisa.Release, "acq_rel": pisa.AcqRel, "seq_cst": pisa.SeqCst}
	lineScopes = map[string]pisa.Scope{"subgroup": pisa.Subgroup, "workgroup": pisa.Workgroup, "gpu": pisa.GPU, "system": pisa.System}
	lineAtoms  = map[string]pisa.AtomicOp{"add": pisa.AtomAdd, "sub": pisa.AtomSub, "smin": pisa.AtomSMin, "smax": pisa.AtomSMax,
		"umin": pisa.AtomUMin, "umax": pisa.AtomUMax, "and": pisa.AtomAnd, "or": pisa.AtomOr, "xor": pisa.AtomXor,
		"xchg": pisa.AtomXchg, "cas": pisa.AtomCas, "inc": pisa.AtomInc, "dec": pisa.AtomDec,
		"incwrap": pisa.AtomIncWrap, "decwrap": pisa.AtomDecWrap}
)

// order reads order and scope of an access: PISA 8, the scope is gpu unless
// written, and relaxed, which takes none, is of system scope.
func (p *parsed) order(in *Instr, def pisa.Order, allowed string) error {
	in.Order = def
	if slices.Contains(p.quals, "generic") {
		in.Space = ir.SpaceGeneric
	}
	scope := pisa.NoScope
	for _, q := range p.quals {
		if o, ok := lineOrders[q]; ok {
			if !strings.Contains(allowed, q) {
				return fmt.Errorf("order %s is not possible here", q)
			}
			in.Order = o
		}
		if s, ok := lineScopes[q]; ok {
			scope = s
		}
	}
	switch {
	case in.Order <= pisa.Relaxed && scope != pisa.NoScope:
		return fmt.Errorf("weak and relaxed accesses take no scope")
	case scope == pisa.Subgroup:
		return fmt.Errorf("only fence takes .subgroup")
	case in.Order <= pisa.Relaxed:
		scope = pisa.System
	case scope == pisa.NoScope:
		scope = pisa.GPU
	}
	in.Scope = scope
	return nil
}

func (p *parsed) lanes() uint8 {
	for _, q := range p.quals {
		if len(q) == 2 && q[0] == 'v' && q[1] >= '2' && q[1] <= '8' {
			return q[1] - '0'
		}
	}
	return 1
}

func (p *parsed) want(n int) error {
	if len(p.ops) != n {
		return fmt.Errorf("%d operands instead of %d", len(p.ops), n)
	}
	return nil
}

func (r *lineReader) load(p *parsed, in *Instr, _ *string) (err error) {
	in.Op, in.Lanes = OpLoad, p.lanes()
	if err = p.want(2); err == nil {
		err = p.order(in, pisa.Weak, "weak relaxed acquire seq_cst")
	}
	if err == nil && in.Lanes > 1 && in.Order != pisa.Weak {
		err = fmt.Errorf("vector accesses are weak")
	}
	if err == nil {
		in.Dst, err = r.slot(p.ops[0], in.Lanes > 1)
	}
	if err == nil {
		err = r.address(p.ops[1], in)
	}
	return err
}

func (r *lineReader) store(p *parsed, in *Instr, _ *string) (err error) {
	in.Op, in.Lanes = OpStore, p.lanes()
	if err = p.want(2); err == nil {
		err = p.order(in, pisa.Weak, "weak relaxed release seq_cst")
	}
	if err == nil && in.Lanes > 1 && in.Order != pisa.Weak {
		err = fmt.Errorf("vector accesses are weak")
	}
	if err == nil {
		err = r.address(p.ops[0], in)
	}
	if err != nil {
		return err
	}
	if body, ok := strings.CutPrefix(p.ops[1], "{"); ok { // a constant vector, element by element
		fields := strings.Split(strings.TrimSuffix(body, "}"), ",")
		if len(fields) != int(in.Lanes) {
			return fmt.Errorf("%d elements for %d lanes", len(fields), in.Lanes)
		}
		base := int32(len(r.thread.Slots))
		for i, f := range fields {
			r.thread.Slots = append(r.thread.Slots, "")
			o, err := r.operand(strings.TrimSpace(f))
			if err != nil {
				return err
			}
			mov := Instr{Op: OpMove, Dst: base + int32(i), Dst2: -1, Var: -1, A: o, Lanes: 1, Width: 4, Text: p.text}
			r.thread.Code = append(r.thread.Code, mov)
			r.targets = append(r.targets, "")
		}
		in.B = slot(base)
		return nil
	}
	if in.Lanes > 1 {
		s, err := r.slot(p.ops[1], true)
		in.B = slot(s)
		return err
	}
	in.B, err = r.operand(p.ops[1])
	return err
}

func (r *lineReader) atom(p *parsed, in *Instr, _ *string) (err error) {
	in.Op, in.Type = OpRMW, pisa.T32b
	if len(p.quals) < 2 || len(p.ops) < 2 {
		return fmt.Errorf("incomplete")
	}
	fn, ok := lineAtoms[p.quals[len(p.quals)-2]]
	if !ok {
		return fmt.Errorf("operation %s", p.quals[len(p.quals)-2])
	}
	in.Fn = fn
	if err = p.order(in, pisa.Relaxed, "relaxed acquire release acq_rel"); err != nil {
		return err
	}
	if p.ops[0] != "_" {
		if in.Dst, err = r.slot(p.ops[0], false); err != nil {
			return err
		}
	}
	if err = r.address(p.ops[1], in); err != nil {
		return err
	}
	if err = p.want(2 + fn.Sources()); err != nil {
		return err
	}
	if fn.Sources() > 0 {
		if in.B, err = r.operand(p.ops[2]); err != nil {
			return err
		}
	}
	if fn.Sources() > 1 {
		in.C, err = r.operand(p.ops[3])
	}
	in.rmwEval()
	return err
}

func (r *lineReader) fence(p *parsed, in *Instr, _ *string) error {
	in.Op, in.Order, in.Cover = OpFence, pisa.AcqRel, CoverBoth
	bare := true
	for _, q := range p.quals {
		if o, ok := lineOrders[q]; ok {
			if o < pisa.Acquire {
				return fmt.Errorf("a fence is not %s", q)
			}
			in.Order, bare = o, false
		} else if s, ok := lineScopes[q]; ok {
			in.Scope = s
		} else {
			switch q {
			case "global":
				in.Cover, bare = CoverGlobal, false
			case "shared":
				in.Cover, bare = CoverShared, false
			case "generic":
			default:
				return fmt.Errorf("qualifier %s", q)
			}
		}
	}
	switch {
	case in.Scope == pisa.NoScope:
		return fmt.Errorf("a fence needs a scope")
	case in.Scope == pisa.Subgroup && !bare:
		return fmt.Errorf("fence.subgroup takes no qualifier")
	case in.Scope == pisa.System && in.Cover != CoverGlobal:
		return fmt.Errorf("only fence.global takes .system")
	}
	return nil
}

func (r *lineReader) barrier(_ *parsed, in *Instr, _ *string) error {
	in.Op = OpBarrier
	return nil
}

func (r *lineReader) mov(p *parsed, in *Instr, _ *string) (err error) {
	in.Op = OpMove
	if err = p.want(2); err == nil {
		in.Dst, err = r.slot(p.ops[0], false)
	}
	if err == nil {
		in.A, err = r.operand(p.ops[1])
	}
	return err
}

// binary reads dst, a, b and takes the semantics from the dialect.
func (r *lineReader) binary(p *parsed, in *Instr, code ir.Code, props uint64) (err error) {
	in.Op = OpEval
	in.Eval = pisa.EvalFn(code, pisa.FType.Set(props, uint64(pisa.T32b)))
	if err = p.want(3); err == nil {
		in.Dst, err = r.slot(p.ops[0], false)
	}
	if err == nil {
		in.A, err = r.operand(p.ops[1])
	}
	if err == nil {
		in.B, err = r.operand(p.ops[2])
	}
	return err
}

func (r *lineReader) pure(p *parsed, in *Instr, _ *string) error {
	code := map[string]ir.Code{"iadd": pisa.IAdd, "xor": pisa.Xor, "and": pisa.And}[p.op]
	return r.binary(p, in, code, 0)
}

func (r *lineReader) compare(p *parsed, in *Instr, _ *string) error {
	if len(p.quals) == 0 {
		return fmt.Errorf("no comparison")
	}
	cop := strings.Index("eqnegtgeltle", p.quals[0])
	if len(p.quals[0]) != 2 || cop < 0 || cop%2 != 0 {
		return fmt.Errorf("comparison %s", p.quals[0])
	}
	code := pisa.UCmp
	if p.op == "scmp" {
		code = pisa.SCmp
	}
	return r.binary(p, in, code, pisa.FOp.Set(0, uint64(cop/2)))
}

func (r *lineReader) jump(p *parsed, in *Instr, target *string) (err error) {
	in.Op = OpJump
	if len(p.quals) == 0 {
		if err = p.want(1); err == nil {
			*target = p.ops[0]
		}
		return err
	}
	in.Op = OpBranch
	if err = p.want(2); err != nil {
		return err
	}
	name, neg := strings.CutPrefix(p.ops[0], "!")
	in.Neg, *target = neg, p.ops[1]
	in.A, err = r.operand(name)
	return err
}

func (r *lineReader) ret(_ *parsed, in *Instr, _ *string) error {
	in.Op = OpReturn
	return nil
}
