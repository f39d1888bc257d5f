package isel

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// val emits an instruction and returns its first result.
func (s *sel) val(code ir.Code, srcs ...*ir.Value) *ir.Value {
	return s.emit(code, 0, srcs...).Result(0)
}

// emit emits an instruction whose operands need not fit its encoding yet:
// constants and scalars beyond what it can take are put into registers. Results
// are those of the row, but for optional ones.
func (s *sel) emit(code ir.Code, props uint64, srcs ...*ir.Value) *ir.Op {
	r := amdgpu.RowOf(code)
	switch {
	case r.VALU():
		code, props, srcs = s.fitVALU(r, props, srcs)
	case r.SALU():
		srcs = s.fitSALU(r, srcs)
	}
	var types [2]ir.Type
	n := 0
	for i := range r.Results {
		if slot := &r.Results[i]; !slot.Opt {
			types[n] = s.slotType(slot)
			n++
		}
	}
	return s.OpResults(code, props, 0, types[:n], srcs...)
}

func (s *sel) slotType(slot *amdgpu.Slot) ir.Type {
	switch {
	case slot.Mask:
		return s.maskT
	case slot.Kinds&amdgpu.KSCC != 0:
		return ir.SCCBit
	case slot.Kinds&amdgpu.KV != 0:
		return ir.Regs(ir.VGPR, int(slot.Regs))
	}
	return ir.Regs(ir.SGPR, int(slot.Regs))
}

// swap returns the code and operands of the instruction with its first two
// operands exchanged, if there is one.
func swap(r *amdgpu.Row, props uint64) (ir.Code, uint64, bool) {
	code, ok := r.Code, r.Has(amdgpu.Commutes)
	if r.Family == amdgpu.VOPC {
		c, t, class := amdgpu.CmpOf(code)
		if class {
			return code, props, false
		}
		code, ok = amdgpu.Cmp(c.Swap(), t), true
	}
	for _, p := range reversed {
		switch code {
		case p[0]:
			code, ok = p[1], true
		case p[1]:
			code, ok = p[0], true
		default:
			continue
		}
		break
	}
	if !ok {
		return code, props, false
	}
	for _, f := range []ir.Field{amdgpu.FNeg, amdgpu.FAbs, amdgpu.FNegHi, amdgpu.FOpSel, amdgpu.FOpLow} {
		v := f.Get(props)
		props = f.Set(props, v&^3|v>>1&1|v<<1&2)
	}
	return code, props, true
}

var reversed = [][2]ir.Code{
	{amdgpu.VSubNcU32, amdgpu.VSubrevNcU32},
	{amdgpu.VSubF32, amdgpu.VSubrevF32},
	{amdgpu.VSubF16, amdgpu.VSubrevF16},
	{amdgpu.VSubCoU32, amdgpu.VSubrevCoU32},
	{amdgpu.VSubCoCiU32, amdgpu.VSubrevCoCiU32},
}

// fitVALU makes operands fit a vector instruction: how many scalars and
// literals it can read depends on the generation and on the encoding, and
// decides whether the short one will do.
func (s *sel) fitVALU(r *amdgpu.Row, props uint64, srcs []*ir.Value) (ir.Code, uint64, []*ir.Value) {
	code := r.Code
	short := r.Family == amdgpu.VOP1 || r.Family == amdgpu.VOP2 || r.Family == amdgpu.VOPC
	if len(srcs) >= 2 && short && srcs[1].Type.Class() != ir.VGPR && srcs[0].Type.Class() == ir.VGPR {
		if c, p, ok := swap(r, props); ok {
			code, props = c, p
			srcs = append([]*ir.Value{srcs[1], srcs[0]}, srcs[2:]...)
			r = amdgpu.RowOf(code)
		}
	}
	short = short && amdgpu.FFlush.Set(amdgpu.FRound.Set(props, 0), 0) == 0 && (len(srcs) < 2 || srcs[1].Type.Class() == ir.VGPR)
	limit, literals := 2, 1
	if s.t.Generation == target.GFX9 {
		limit = 1
		// A comparison gets the short encoding only if its result is in vcc,
		// which is not known yet; a mask operand likewise.
		if !short || r.Family == amdgpu.VOPC || len(srcs) > 2 || len(r.Results) > 1 || r.Family == amdgpu.VOP3 {
			literals = 0
		}
	} else if code == amdgpu.VLshlrevB64 || code == amdgpu.VLshrrevB64 || code == amdgpu.VAshrrevI64 {
		limit = 1
	}
	out := append(make([]*ir.Value, 0, 4), srcs...)
	var seen [4]*ir.Value
	bus := 0
	for i, x := range out { // masks must be scalars: they come first
		if i < len(r.Operands) && r.Operands[i].Kinds&amdgpu.KV == 0 && x.Type.Class() == ir.SGPR {
			seen[bus] = x
			bus++
		}
	}
	var literal *uint32
	for i, x := range out {
		slot := &r.Operands[min(i, len(r.Operands)-1)]
		if slot.Kinds&amdgpu.KV == 0 {
			continue
		}
		if slot.Kinds&(amdgpu.KS|amdgpu.KImm) == 0 {
			out[i] = s.vgpr(x, int(slot.Regs))
			continue
		}
		if x.Type.Class() == ir.SGPR {
			if known := seen[0] == x || seen[1] == x; !known {
				if bus >= limit {
					out[i] = s.vgpr(x, int(slot.Regs))
					continue
				}
				seen[bus] = x
				bus++
			}
			continue
		}
		c, ok := constant(x)
		if !ok {
			continue
		}
		if slot.Regs == 2 {
			c = uint64(constPart(x, c, 1))<<32 | uint64(constPart(x, c, 0))
			if out[i] = s.imm64(c); !r.Inlines(slot, out[i]) {
				out[i] = s.wide(c, bus < limit)
				if out[i].Type.Class() == ir.SGPR {
					seen[bus] = out[i]
					bus++
				}
			}
			continue
		}
		v := constPart(x, c, 0)
		out[i] = s.imm(v)
		if r.Inlines(slot, out[i]) {
			continue
		}
		fits := i == 0 || r.Family == amdgpu.VOP3 || r.Family == amdgpu.VOP3P || s.t.Generation != target.GFX9
		switch {
		case literal != nil && *literal == v && literals > 0 && fits:
		case literal == nil && literals > 0 && fits && bus < limit:
			literal = &v
			bus++
		case bus < limit:
			out[i] = s.literal(v)
			seen[bus] = out[i]
			bus++
		default:
			out[i] = s.vgpr(s.imm(v), 1)
		}
	}
	return code, props, out
}

// maxLiterals is how many literals are kept in scalar registers from the entry
// on; further ones are made where they are used.
const maxLiterals = 24

// literal is constant v in a scalar register.
func (s *sel) literal(v uint32) *ir.Value {
	k := immKey{uint64(v), ir.Regs(ir.SGPR, 1)}
	if x := s.imms.get(k); x != nil {
		return x
	}
	if s.literals >= maxLiterals {
		return s.Value(amdgpu.SMovB32, 0, ir.Regs(ir.SGPR, 1), s.imm(v))
	}
	s.literals++
	c := s.imm(v)
	at := s.Builder
	s.After(c.Op())
	x := s.Value(amdgpu.SMovB32, 0, ir.Regs(ir.SGPR, 1), c)
	s.Builder = at
	s.imms.put(k, x)
	return x
}

// wide is the 64-bit constant c in registers.
func (s *sel) wide(c uint64, scalar bool) *ir.Value {
	lo, hi := s.imm(uint32(c)), s.imm(uint32(c>>32))
	if scalar {
		return s.Value(amdgpu.PBuild, 0, ir.Regs(ir.SGPR, 2), lo, hi)
	}
	return s.Value(amdgpu.PBuild, 0, ir.Regs(ir.VGPR, 2), lo, hi)
}

// fitSALU puts a second literal and 64-bit ones into registers, and reads
// vector registers of uniform values back.
func (s *sel) fitSALU(r *amdgpu.Row, srcs []*ir.Value) []*ir.Value {
	out := append(make([]*ir.Value, 0, 4), srcs...)
	var literal *uint32
	for i, x := range out {
		slot := &r.Operands[i]
		if slot.Kinds&(amdgpu.KS|amdgpu.KSCC) == 0 {
			continue
		}
		if x.Type.Class() == ir.VGPR {
			out[i] = s.salu(x)
			continue
		}
		c, ok := constant(x)
		if !ok {
			continue
		}
		if slot.Regs == 2 || slot.Mask && s.t.Wave == 64 {
			c = uint64(constPart(x, c, 1))<<32 | uint64(constPart(x, c, 0))
			if out[i] = s.imm64(c); !r.Inlines(slot, out[i]) {
				out[i] = s.wide(c, true)
			}
			continue
		}
		v := constPart(x, c, 0)
		out[i] = s.imm(v)
		if r.Inlines(slot, out[i]) {
			continue
		}
		if literal != nil && *literal != v {
			out[i] = s.Value(amdgpu.SMovB32, 0, ir.Regs(ir.SGPR, 1), s.imm(v))
			continue
		}
		literal = &v
	}
	return out
}
