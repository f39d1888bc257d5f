package ssabuild

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
)

// instr creates the ops of one instruction that ends no block.
func (b *builder) instr(in *asm.Instr, arm bool) {
	if in.Row.Code != 0 {
		b.op(in, in.Row.Code)
		return
	}
	switch in.Row {
	case rowMov:
		b.mov(in)
	case rowCall:
		ops := b.src.Operands(in)
		if arm {
			ops = ops[1:]
		}
		b.call(ops)
	case rowBfe:
		b.op(in, pisa.Ubfe)
	case rowLifetime:
	default:
		panic("ssabuild: no lowering of " + in.Row.Name)
	}
}

// op creates the op of an instruction that has one: sources in the order of
// the form, then the results into their destinations.
func (b *builder) op(in *asm.Instr, code ir.Code) {
	ops := b.src.Operands(in)
	props := in.Props | in.Form.Absent()
	aux := ir.Aux(0)
	b.args = b.args[:0]
	nres, k := 0, 0
	for i := range in.Form.Args {
		a, o := &in.Form.Args[i], &ops[k]
		k++
		if a.Role != pisa.Src {
			if a.Role == pisa.Tied {
				b.args = append(b.args, b.old(o))
			}
			b.types[nres] = b.slotType(o)
			nres++
			continue
		}
		switch {
		case a.Kinds&pisa.KMem != 0:
			space := pisa.SpaceOf(props)
			b.args = append(b.args, b.base(o, space))
			if o.HasOff {
				b.args = append(b.args, b.offset(&ops[k], ir.Bits(space.AddrBits())))
				props |= ir.HasOffset.Put(1)
				k++
			}
		case o.Kind == asm.OpParam:
			aux = ir.Aux(1 + o.Ref)
			if o.HasOff {
				b.args = append(b.args, b.offset(&ops[k], ir.B32))
				k++
			}
		case o.Kind == asm.OpVar && code == pisa.AddrCast:
			from := pisa.FromSpaceOf(props)
			b.args = append(b.args, b.addrOf(o, from))
		case o.Kind == asm.OpVar, o.Kind == asm.OpFunc:
			aux = b.symbol(o)
		case o.Kind == asm.OpNone:
		default:
			t := ir.None
			if o.Kind == asm.OpImm {
				t = a.Shape.Type(props)
			}
			b.args = append(b.args, b.read(o, t))
		}
	}
	if code == pisa.Sel {
		props = b.selProps(props, &ops[len(ops)-1])
	}
	switch nres {
	case 0:
		b.bl.OpAux(code, props, aux, b.args...)
	case 1:
		b.write(&ops[0], b.bl.ValueAux(code, props, aux, b.types[0], b.args...))
	default:
		op := b.bl.OpResults(code, props, aux, b.types[:nres], b.args...)
		for i := range nres { // destinations come first
			b.write(&ops[i], op.Result(i))
		}
	}
}

// selProps makes `sel c, x, y, !p` the op sel c, y, x, p, and sel.f one of the
// same width: the op only moves bits.
func (b *builder) selProps(props uint64, cond *asm.Operand) uint64 {
	if cond.Not {
		b.args[0], b.args[1] = b.args[1], b.args[0]
	}
	return pisa.FType.Set(props, uint64(pisa.PlainType(pisa.TypeOf(props).Info().Reg)))
}

// mov copies bits. Between places of one shape there is no op: the register
// now has the other's value.
func (b *builder) mov(in *asm.Instr) {
	ops := b.src.Operands(in)
	t := b.slotType(&ops[0])
	imm := pisa.TypeOf(in.Props).Info().Reg
	b.write(&ops[0], b.reshape(b.read(&ops[1], imm), t))
}

// reshape gives v's bits the type t.
func (b *builder) reshape(v *ir.Value, t ir.Type) *ir.Value {
	if v.Type == t {
		return v
	}
	return b.bl.Value(pisa.Bitcast, 0, t, v)
}

// call creates a call from the operands retval, target, argument list.
func (b *builder) call(ops []asm.Operand) {
	ret, target := &ops[0], &ops[1]
	b.args = b.args[:0]
	if target.Kind != asm.OpFunc {
		b.args = append(b.args, b.read(target, ir.B64))
	}
	for k := range ops[2].Ref {
		b.args = append(b.args, b.read(&ops[3+k], ir.None))
	}
	code, aux := builtin.CallIndirect, ir.Aux(0)
	if target.Kind == asm.OpFunc {
		code, aux = builtin.Call, b.symbol(target)
	}
	if ret.Kind != asm.OpReg {
		b.bl.OpAux(code, 0, aux, b.args...)
		return
	}
	b.write(ret, b.bl.ValueAux(code, 0, aux, b.slotType(ret), b.args...))
}
