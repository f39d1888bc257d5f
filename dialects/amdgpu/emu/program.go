package emu

import (
	"fmt"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Registers by the numbers of AMD's source-operand encoding (ir.Reg - 1).
const (
	regVCC   = uint16(ir.RegVCC - 1)
	regNull  = uint16(ir.RegNull - 1)
	regExec  = uint16(ir.RegExec - 1)
	regSCC   = uint16(ir.RegSCC - 1)
	regV0    = uint16(ir.RegV0 - 1)
	numRegs  = int(ir.RegEnd - 1)
	numSRegs = 128

	// The aperture registers (RDNA3 ISA 6.2): 64-bit sources.
	regSharedBase  = uint16(ir.RegSharedBase - 1)
	regPrivateBase = uint16(ir.RegPrivateBase - 1)
)

// operand is a decoded source.
type operand struct {
	reg   uint16
	words uint8 // registers; 0: an immediate
	fmt   *format
	neg   bool
	abs   bool
	half  bool // 16 bits
	hi    bool // op_sel: the upper ones
	imm   uint64
}

func (o *operand) vector() bool { return o.words != 0 && o.reg >= regV0 }

// inst is one decoded instruction.
type inst struct {
	run   func(w *wave, in *inst)
	op    *ir.Op
	row   *amdgpu.Row
	src   [4]operand
	nsrc  uint8
	dst   [2]uint16
	dwid  [2]uint8 // registers of each result; 0: none
	to    int32    // taken branch
	props uint64

	salu saluFn
	valu valuFn
	cin  carryFn
	cmp  compareFn
	spec *valuSpec
	mem  *memInst
	dpp  bool
	mods bool // a source has neg, abs or op_sel

	out  *format // of the result, if it is a float
	post bool    // output modifier or clamp of a float
	half bool    // the result has 16 bits
	high bool    // and goes to the upper half
	keep bool    // the other half stays

	setsSCC  bool // the last result is scc
	allLanes bool // lanes are read or written whatever exec says
	waits    [numCounters]int16

	reads  []uint16 // registers, for wait counters and hazards
	writes []uint16
	hz     hazardInfo
}

// program is a decoded kernel.
type program struct {
	mod   *ir.Module
	fn    *ir.Func
	mode  *target.Mode
	insts []inst
	live  []liveIn
	names ir.Names
}

type liveIn struct {
	kind amdgpu.LiveIn
	reg  uint16
}

// decoder turns ops into instructions.
type decoder struct {
	p      *program
	t      *target.Target
	starts map[*ir.Block]int32
	addr   func(ir.Aux) (uint64, bool)
	bad    *fault
}

func (d *decoder) fail(op *ir.Op, format string, args ...any) {
	if d.bad == nil {
		d.bad = &fault{kind: BadCode, loc: op.Loc, text: fmt.Sprintf(format, args...),
			notes: []ir.DiagNote{{Text: "instruction: " + d.p.text(op)}}}
	}
}

func (p *program) text(op *ir.Op) string { return string(p.names.AppendOp(nil, op)) }

// decode makes the program of f. addr gives the addresses of symbols.
func decode(m *ir.Module, f *ir.Func, mode *target.Mode, addr func(ir.Aux) (uint64, bool)) (*program, *fault) {
	p := &program{mod: m, fn: f, mode: mode}
	p.names.Number(f)
	d := &decoder{p: p, t: mode.Target, starts: map[*ir.Block]int32{}, addr: addr}
	n := int32(0)
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		d.starts[b] = n
		for op := b.First(); op != nil; op = op.Next() {
			if d.keeps(op) {
				n++
			}
		}
	}
	p.insts = make([]inst, 0, n)
	for b := f.FirstBlock(); b != nil && d.bad == nil; b = b.Next() {
		for op := b.First(); op != nil && d.bad == nil; op = op.Next() {
			if d.keeps(op) {
				p.insts = append(p.insts, inst{})
				d.inst(&p.insts[len(p.insts)-1], op)
			} else if op.Code == amdgpu.PLivein {
				d.livein(op)
			}
		}
	}
	if d.bad == nil && (len(p.insts) == 0 || !ends(p.insts[len(p.insts)-1].op)) {
		d.bad = &fault{kind: BadCode, loc: f.Loc, text: fmt.Sprintf("the code of @%s runs over its end", f.Name)}
	}
	return p, d.bad
}

// ends reports an instruction that does not go on to the next one.
func ends(op *ir.Op) bool { return op.Code == amdgpu.SEndpgm || op.Code == amdgpu.SBranch }

// keeps reports an op that is an instruction, or that cannot be one and is to
// be refused.
func (d *decoder) keeps(op *ir.Op) bool {
	if !amdgpu.IsMachine(op.Code) {
		_, imm := amdgpu.IsImm(result0(op))
		return !imm
	}
	switch op.Code {
	case amdgpu.PLivein, amdgpu.PUndef, amdgpu.PReg, amdgpu.SCodeEnd:
		return false
	case amdgpu.PAperture:
		return op.Result(0).Reg != ir.RegSharedBase && op.Result(0).Reg != ir.RegPrivateBase
	case amdgpu.PExec, amdgpu.PCopy, amdgpu.PBuild, amdgpu.PExtract:
		return !d.placed(op)
	case amdgpu.TFall, amdgpu.TJump, amdgpu.SBranch:
		// Falls through: no code.
		return op.Succ(0).To() != op.Block().Next()
	}
	return true
}

var noValue ir.Value

func result0(op *ir.Op) *ir.Value {
	if op.NumResults() == 0 {
		return &noValue
	}
	return op.Result(0)
}

// placed reports a pseudo move whose operands already lie where the results do.
func (d *decoder) placed(op *ir.Op) bool {
	r := op.Result(0)
	switch op.Code {
	case amdgpu.PExec:
		return r.Reg == ir.RegExec
	case amdgpu.PExtract:
		return r.Reg != ir.NoReg && r.Reg == op.Operand(0).Reg+ir.Reg(op.Field(amdgpu.FIndex))
	}
	at := r.Reg
	for i := range op.NumOperands() {
		o := op.Operand(i)
		if at == ir.NoReg || o.Reg != at {
			return false
		}
		at += ir.Reg(o.Type.Lanes())
	}
	return true
}

func (d *decoder) livein(op *ir.Op) {
	r := op.Result(0)
	if r.Reg == ir.NoReg {
		d.fail(op, "a live-in has no register")
		return
	}
	if kind := amdgpu.LiveIn(op.Field(amdgpu.FKind)); kind >= amdgpu.NumLiveIns || (kind == amdgpu.LiveItems) != r.Reg.IsV() {
		d.fail(op, "a live-in is in %v, a register of the wrong class", r.Reg)
		return
	}
	d.p.live = append(d.p.live, liveIn{amdgpu.LiveIn(op.Field(amdgpu.FKind)), uint16(r.Reg - 1)})
}

// inst decodes op.
func (d *decoder) inst(in *inst, op *ir.Op) {
	in.op, in.props = op, op.Props
	if !amdgpu.IsMachine(op.Code) {
		d.fail(op, "%s is no machine instruction", op.Def().Name)
		return
	}
	in.row = amdgpu.RowOf(op.Code)
	for i := range in.row.Results {
		in.setsSCC = in.setsSCC || in.row.Results[i].Kinds == amdgpu.KSCC
	}
	r := in.row
	if r.Mnemonic(d.t) == "" {
		d.fail(op, "%s has no instruction %s", d.t.Name, r.Name)
		return
	}
	d.operands(in)
	d.results(in)
	if d.bad != nil {
		return
	}
	switch {
	case r.Family == amdgpu.Pseudo:
		d.pseudo(in)
	case r.SALU():
		d.scalar(in)
	case r.Family == amdgpu.SOPP:
		d.control(in)
	case r.VALU():
		d.vector(in)
	default:
		d.memory(in)
	}
	if in.run == nil && d.bad == nil {
		panic("emu: no semantics of " + r.Name)
	}
	if d.bad == nil {
		in.hz = hazardInfoOf(in)
	}
}

func (d *decoder) operands(in *inst) {
	op, r := in.op, in.row
	slots := amdgpu.OperandSlots(op)
	n := op.NumPlainOperands()
	if n > len(in.src) {
		d.fail(op, "%d operands are too many", n)
		return
	}
	in.nsrc = uint8(n)
	for i := range n {
		v, o := op.Operand(i), &in.src[i]
		if v.Type.Class() == ir.NoClass {
			o.imm = uint64(r.ImmValue(&slots[min(i, len(slots)-1)], v))
			continue
		}
		if v.Type.Class() == ir.SCC {
			o.reg, o.words = regSCC, 1
			in.reads = append(in.reads, regSCC)
			continue
		}
		if v.Reg == ir.NoReg {
			d.fail(op, "operand %d has no register", i)
			return
		}
		o.reg, o.words = uint16(v.Reg-1), uint8(v.Type.Lanes())
		in.reads = appendRegs(in.reads, o.reg, o.words)
	}
	if r.Has(amdgpu.FixedVCC) && n > 0 && in.src[n-1].words != 0 && in.src[n-1].reg != regVCC {
		d.fail(op, "the mask of %s is in %v, not in vcc", r.Name, ir.Reg(in.src[n-1].reg+1))
	}
}

func (d *decoder) results(in *inst) {
	op := in.op
	if op.NumResults() > 2 {
		d.fail(op, "%d results are too many", op.NumResults())
		return
	}
	for i := range op.NumResults() {
		v := op.Result(i)
		if v.Type.Class() == ir.SCC {
			in.dst[i], in.dwid[i] = regSCC, 1
			in.writes = append(in.writes, regSCC)
			continue
		}
		if v.Reg == ir.NoReg {
			d.fail(op, "result %d has no register", i)
			return
		}
		in.dst[i], in.dwid[i] = uint16(v.Reg-1), uint8(v.Type.Lanes())
		in.writes = appendRegs(in.writes, in.dst[i], in.dwid[i])
	}
}

func appendRegs(list []uint16, reg uint16, n uint8) []uint16 {
	for k := range uint16(n) {
		list = append(list, reg+k)
	}
	return list
}

// branchTo resolves successor 0 and checks that the other one follows.
func (d *decoder) branchTo(in *inst) {
	op := in.op
	in.to = d.starts[op.Succ(0).To()]
	if op.NumSuccs() == 2 && op.Succ(1).To() != op.Block().Next() {
		d.fail(op, "the block that %s falls through to does not follow", in.row.Name)
	}
	for i := range op.NumSuccs() {
		e := op.Succ(i)
		for k := range e.NumArgs() {
			if a, to := e.Arg(k), e.To().Arg(k); a.Reg != to.Reg {
				d.fail(op, "block argument %d is in %v, the value passed in %v", k, to.Reg, a.Reg)
				return
			}
		}
	}
}
