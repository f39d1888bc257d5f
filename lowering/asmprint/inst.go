package asmprint

import (
	"strconv"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// AppendInst appends the text of one instruction, without line end, symbols
// spelled as in the IR. Ops that
// have no code (live-in registers, undefined values, immediates) append
// nothing. op must be as the machine passes leave it: registers assigned, no
// other pseudo instructions.
func AppendInst(b []byte, t *target.Target, op *ir.Op) []byte { return appendInst(b, t, op, nil) }

func appendInst(b []byte, t *target.Target, op *ir.Op, names symbols) []byte {
	if !amdgpu.IsMachine(op.Code) || op.Code < ir.BaseAMDGPU {
		return b // builtin.const
	}
	r := amdgpu.RowOf(op.Code)
	if r.Family == amdgpu.Pseudo {
		return appendPseudo(b, t, op, names)
	}
	name := r.Mnemonic(t)
	if name == "" {
		panic("asmprint: " + r.Name + " does not exist on " + t.Name)
	}
	p := instPrinter{t: t, op: op, r: r, slots: amdgpu.OperandSlots(op), b: append(b, name...)}
	switch r.Family {
	case amdgpu.SOPP, amdgpu.SOPK:
		p.control()
	case amdgpu.SMEM:
		p.scalarLoad()
	case amdgpu.DS:
		p.all()
		p.dsOffsets()
	case amdgpu.Global, amdgpu.Flat, amdgpu.Scratch:
		p.memory()
	case amdgpu.MUBUF:
		p.cache()
	default:
		p.all()
		p.modifiers()
	}
	return p.b
}

// appendPseudo is for what is still no instruction of the hardware.
func appendPseudo(b []byte, t *target.Target, op *ir.Op, names symbols) []byte {
	switch {
	case isSilent(op.Code):
		return b
	case op.Code == amdgpu.PSymaddr:
		return appendSymaddr(b, t, op, names)
	}
	panic("asmprint: " + amdgpu.RowOf(op.Code).Name + " has no text: a machine pass has left it")
}

// isSilent reports what is no code: names of registers, a block that goes on in
// the next one.
func isSilent(c ir.Code) bool {
	switch c {
	case amdgpu.PLivein, amdgpu.PUndef, amdgpu.PExec, amdgpu.PReg, amdgpu.PAperture, amdgpu.TFall:
		return true
	}
	return false
}

// appendSymaddr is the address of a symbol relative to the program counter
// that s_getpc_b64 gives, which is that of the instruction behind it. The
// relocations count from the places of the two literals.
func appendSymaddr(b []byte, t *target.Target, op *ir.Op, names symbols) []byte {
	v := op.Result(0)
	lo, hi := v.Reg, v.Reg+1
	b = appendRegs(append(b, "s_getpc_b64 "...), v.Reg, 2)
	at := int64(4)
	if t.Has(target.PCZeroExtends) {
		b = append(b, "\n\ts_sext_i32_i16 "...)
		b = appendRegs(b, hi, 1)
		b = appendRegs(append(b, ", "...), hi, 1)
		at += 4
	}
	sum := func(code ir.Code, r ir.Reg, half string, off int64) {
		b = append(append(append(b, "\n\t"...), amdgpu.RowOf(code).Mnemonic(t)...), ' ')
		b = appendRegs(b, r, 1)
		b = appendRegs(append(b, ", "...), r, 1)
		b = appendName(append(b, ", "...), names.of(op.Func().Module(), op.Aux))
		b = append(append(b, half...), '+')
		b = strconv.AppendInt(b, off, 10)
	}
	sum(amdgpu.SAddU32, lo, "@rel32@lo", at)
	sum(amdgpu.SAddcU32, hi, "@rel32@hi", at+8)
	return b
}

type instPrinter struct {
	t     *target.Target
	op    *ir.Op
	r     *amdgpu.Row
	slots []amdgpu.Slot
	b     []byte
	n     int // operands written
}

// sep goes before each operand.
func (p *instPrinter) sep() {
	if p.n++; p.n == 1 {
		p.b = append(p.b, ' ')
	} else {
		p.b = append(p.b, ", "...)
	}
}

func (p *instPrinter) word(s string) {
	p.sep()
	p.b = append(p.b, s...)
}

// results writes the results that the text has: all but scc.
func (p *instPrinter) results() {
	for i := range p.op.NumResults() {
		if v := p.op.Result(i); v.Type.Class() != ir.SCC {
			p.sep()
			p.b = appendValue(p.b, v)
		}
	}
}

// operands writes operands from to to, but scc, a tied one, and a mask that
// the instruction takes from vcc unsaid.
func (p *instPrinter) operands(from, to int) {
	for i := from; i < to; i++ {
		v := p.op.Operand(i)
		switch {
		case v.Type.Class() == ir.SCC,
			p.r.Has(amdgpu.Tied) && i == p.op.NumPlainOperands()-1,
			p.r.Has(amdgpu.FixedVCC) && p.slots[i].Mask:
			continue
		}
		p.sep()
		p.operand(i, v)
	}
}

func (p *instPrinter) all() {
	p.results()
	p.operands(0, p.op.NumPlainOperands())
}

// operand writes operand i with its sign modifiers.
func (p *instPrinter) operand(i int, v *ir.Value) {
	neg, abs := false, false
	if p.r.VALU() && i < 3 {
		props := p.op.Props
		neg = (p.r.Family != amdgpu.VOP3P || p.op.Code == amdgpu.VFmaMixF32) && amdgpu.FNeg.Get(props)>>i&1 != 0
		abs = amdgpu.FAbs.Get(props)>>i&1 != 0
	}
	if neg {
		p.b = append(p.b, '-')
	}
	if abs {
		p.b = append(p.b, '|')
	}
	if v.Type.Class() == ir.NoClass {
		p.immediate(&p.slots[i], v)
	} else {
		p.b = appendValue(p.b, v)
	}
	if abs {
		p.b = append(p.b, '|')
	}
}

// immediate writes a number so that the assembler finds the inline constant of
// these bits by itself, or the literal.
func (p *instPrinter) immediate(s *amdgpu.Slot, x *ir.Value) {
	v := p.r.ImmValue(s, x)
	switch {
	case v >= -16 && v <= 64:
		p.b = strconv.AppendInt(p.b, v, 10)
	case p.r.Inlines(s, x):
		n := p.r.ImmBits(s)
		p.b = appendHex(p.b, uint64(v)<<(64-n)>>(64-n))
	default:
		lit, ok := p.r.Literal(s, x)
		if !ok {
			panic("asmprint: " + p.r.Name + " has an immediate without an encoding")
		}
		p.b = appendHex(p.b, uint64(lit))
	}
}

// scalarLoad: dst, base, offset in bytes or in a register.
func (p *instPrinter) scalarLoad() {
	p.results()
	n := p.op.NumPlainOperands()
	p.operands(0, n)
	if n == 0 {
		return // s_memtime
	}
	off := signed(amdgpu.FOffset, p.op.Props)
	switch {
	case n == 1 && off == 0 && p.t.Generation == target.GFX11:
		p.word("null")
	case n == 1:
		p.sep()
		p.b = appendSignedHex(p.b, off)
	case off != 0 || p.t.Generation == target.GFX12:
		p.b = appendSignedHex(append(p.b, " offset:"...), off)
	}
}

// memory: result, address, data, scalar base or off, offset, cache policy;
// a store has its data behind the addresses, a scratch access both addresses
// in front.
func (p *instPrinter) memory() {
	p.results()
	props, n := p.op.Props, p.op.NumPlainOperands()
	switch saddr := amdgpu.FSaddr.Get(props) != 0; {
	case p.r.Family == amdgpu.Flat:
		p.operands(0, n)
	case p.r.Family == amdgpu.Global && saddr:
		p.operands(0, 1)
		p.operands(2, n)
		p.operands(1, 2)
	case p.r.Family == amdgpu.Global:
		p.operands(0, n)
		p.word("off")
	default:
		p.scratch(saddr)
	}
	if off := signed(amdgpu.FOffset, props); off != 0 {
		p.b = strconv.AppendInt(append(p.b, " offset:"...), off, 10)
	}
	p.cache()
}

// scratch: vector address or off, data of a store, scalar address or off.
func (p *instPrinter) scratch(saddr bool) {
	n, first := p.op.NumPlainOperands(), 0
	address := n > 0 && (saddr || n == len(p.r.Operands))
	if address {
		first = 1
	}
	if address && !saddr {
		p.operands(0, 1)
	} else {
		p.word("off")
	}
	p.operands(first, n)
	if saddr {
		p.operands(0, 1)
	} else {
		p.word("off")
	}
}

func (p *instPrinter) dsOffsets() {
	props := p.op.Props
	put := func(key string, f ir.Field) {
		if v := f.Get(props); v != 0 {
			p.b = strconv.AppendUint(append(p.b, key...), v, 10)
		}
	}
	if p.r.TwoAddresses() {
		put(" offset0:", amdgpu.FOffset0)
		put(" offset1:", amdgpu.FOffset1)
		return
	}
	put(" offset:", amdgpu.FOffset)
}

// cacheWords are the cache policy's words, by bit.
var cacheWords = [...]struct {
	bit  amdgpu.CacheBits
	word string
}{
	{amdgpu.CacheGLC, " glc"}, {amdgpu.CacheSLC, " slc"}, {amdgpu.CacheDLC, " dlc"},
	{amdgpu.CacheSC0, " sc0"}, {amdgpu.CacheNT, " nt"}, {amdgpu.CacheSC1, " sc1"},
}

func (p *instPrinter) cache() {
	bits := amdgpu.CacheBits(amdgpu.FCache.Get(p.op.Props))
	if bits == 0 {
		return
	}
	for i := range cacheWords {
		if bits&cacheWords[i].bit != 0 {
			p.b = append(p.b, cacheWords[i].word...)
		}
	}
	nt, ret := bits&amdgpu.CacheNTHint != 0, bits&amdgpu.CacheReturn != 0
	switch {
	case nt && ret:
		p.b = append(p.b, " th:TH_ATOMIC_NT_RETURN"...)
	case ret:
		p.b = append(p.b, " th:TH_ATOMIC_RETURN"...)
	case nt && p.r.Has(amdgpu.Atomic):
		p.b = append(p.b, " th:TH_ATOMIC_NT"...)
	case nt && p.r.Has(amdgpu.Stores):
		p.b = append(p.b, " th:TH_STORE_NT"...)
	case nt:
		p.b = append(p.b, " th:TH_LOAD_NT"...)
	}
	switch bits & amdgpu.CacheSYS {
	case amdgpu.CacheSE:
		p.b = append(p.b, " scope:SCOPE_SE"...)
	case amdgpu.CacheDEV:
		p.b = append(p.b, " scope:SCOPE_DEV"...)
	case amdgpu.CacheSYS:
		p.b = append(p.b, " scope:SCOPE_SYS"...)
	}
}

// signed reads a field in two's complement.
func signed(f ir.Field, props uint64) int64 {
	return int64(f.Get(props)<<(64-f.Width)) >> (64 - f.Width)
}
