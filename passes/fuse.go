package passes

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Fusing, the last step: sums go into the addresses that they are computed
// for, an extension and a shift become one product of full width, and a
// product or shifted value with its sum one multiply-add.
//
//	%1 = pisa.zext.64b.32b %i : 64b
//	%2 = pisa.shl.64b %1, 2 : 64b
//	%3 = pisa.iadd.64b %p, %2 : 64b
//	%4 = pisa.ld.global.32b [%3] : 32b
//	=> %2 = pisa.umul.full.32b %i, 4 : 64b
//	   %4 = pisa.ld.global.32b [%p + %2] : 32b
//
// If %3 has uses that are no addresses, or addresses with an offset, it becomes
// pisa.umad.full.32b %i, 4, %p. Canonicalisation prefers the forms on the left,
// which say more, so that this pass comes behind it.
var fusePass = &Pass{
	Name: "fuse", Doc: "Put sums into addresses and form multiply-adds.",
	Stats: []string{"sums in addresses", "full products", "multiply-adds"},
	Needs: PISA, Keeps: analysis.KeepCFG,
	Func: fuse,
}

type fuser struct {
	c       *Ctx
	f       *ir.Func
	bl      ir.Builder
	changed bool
	stopped bool
}

func fuse(c *Ctx, f *ir.Func) bool {
	s := fuser{c: c, f: f}
	s.walk((*fuser).intoAddress, pisa.IAdd)
	s.walk((*fuser).fullProduct, pisa.Shl)
	s.walk((*fuser).multiplyAdd, pisa.IAdd)
	return s.changed
}

// walk tries a rewrite, which may erase the op and its operands, on each op
// with the code.
func (s *fuser) walk(try func(*fuser, *ir.Op), code ir.Code) {
	for b := s.f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil && !s.stopped; {
			next := op.Next()
			if op.Code == code {
				try(s, op)
			}
			op = next
		}
	}
}

// may asks whether a rewrite may be done.
func (s *fuser) may(op *ir.Op, stat int) bool {
	if s.stopped = !s.c.May(); s.stopped {
		return false
	}
	s.changed = true
	s.c.Count(stat, 1)
	s.bl.Before(op)
	s.bl.Loc = op.Loc
	return true
}

// plainSum reports a sum that wraps.
func plainSum(op *ir.Op) bool {
	return op.Code == pisa.IAdd && !pisa.Has(op.Props, pisa.FDsat) && !pisa.TypeOf(op.Props).Packed()
}

// intoAddress gives every user of a sum, if all use it as their address and
// have no offset, its operands as base and offset. A sum outside of the loop
// of a use is not brought into it.
func (s *fuser) intoAddress(op *ir.Op) {
	v := op.Result(0)
	if !plainSum(op) || !v.HasUses() {
		return
	}
	loops := s.c.Loops()
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		m := u.User()
		d := m.Def()
		if d.Addr == 0 || u != &m.Operands()[d.Addr-1] || ir.HasOffset.Get(m.Props) != 0 || loops.Of(m.Block()) != loops.Of(op.Block()) {
			return
		}
	}
	base, off := op.Operand(0), op.Operand(1)
	if s.baseLike(off) > s.baseLike(base) {
		base, off = off, base
	}
	if !s.may(op, 0) {
		return
	}
	whole := off
	off = s.shortOffset(off)
	for v.HasUses() {
		m := v.FirstUse().User()
		at := m.Def().Addr - 1
		m.SetOperand(at, base)
		m.InsertOperand(at+1, off)
		m.Props = ir.HasOffset.Set(m.Props, 1)
	}
	op.Erase()
	if d := whole.Op(); whole != off && !whole.HasUses() {
		d.Erase()
	}
}

// shortOffset returns what an offset is extended from, if the address extends
// it so: 32-bit offsets are signed.
func (s *fuser) shortOffset(v *ir.Value) *ir.Value {
	d := extended(v)
	if d == nil {
		return v
	}
	if f := s.c.Bits().Of(d.Operand(0)); d.Code == pisa.ZExt && !f.NonNegative() {
		return v
	}
	return d.Operand(0)
}

// baseLike is greater for what rather is the base of an address than an offset.
func (s *fuser) baseLike(v *ir.Value) int {
	if p := s.c.Alias().Pointer(v); p.Root.Kind != analysis.RootUnknown {
		return 2
	}
	if d := v.Op(); d != nil {
		switch d.Code {
		case pisa.Shl, pisa.ZExt, pisa.SExt, pisa.UMul, pisa.SMul, pisa.UMad, pisa.SMad:
			return 0
		}
	}
	return 1
}

// extended returns the extension from 32 to 64 bits that defines v.
func extended(v *ir.Value) *ir.Op {
	d := v.Op()
	if d == nil || d.Code != pisa.ZExt && d.Code != pisa.SExt || v.Type != ir.B64 || d.Operand(0).Type != ir.B32 {
		return nil
	}
	return d
}

// shiftAmount returns the amount of a shift of an extension that a factor of 32
// bits can express.
func shiftAmount(op *ir.Op, signed bool) (uint64, bool) {
	if op.Code != pisa.Shl {
		return 0, false
	}
	n, ok := pisa.ConstBits(op.Operand(1))
	return n, ok && (n < 31 || n == 31 && !signed)
}

// fullProduct makes a shifted extension a full product, provided that nothing
// else needs the extension.
func (s *fuser) fullProduct(op *ir.Op) {
	ext := extended(op.Operand(0))
	if ext == nil {
		return
	}
	signed := ext.Code == pisa.SExt
	n, ok := shiftAmount(op, signed)
	if !ok {
		return
	}
	for u := ext.Result(0).FirstUse(); u != nil; u = u.NextUse() {
		if _, ok := shiftAmount(u.User(), signed); !ok {
			return
		}
	}
	if !s.may(op, 1) {
		return
	}
	code := pisa.UMul
	if signed {
		code = pisa.SMul
	}
	p := pisa.FType.Put(uint64(pisa.T32b)) | pisa.FFull.Put(1)
	v := s.bl.Value(code, p, ir.B64, ext.Operand(0), builtin.ConstInt(&s.bl, ir.B32, 1<<n))
	op.Result(0).ReplaceUses(v)
	op.Erase()
	if !ext.Result(0).HasUses() {
		ext.Erase()
	}
}

// multiplyAdd merges a sum with a product, or a shift by a constant, that only
// it uses.
func (s *fuser) multiplyAdd(op *ir.Op) {
	if !plainSum(op) {
		return
	}
	for i := range 2 {
		in := op.Operand(i).Op()
		if in == nil || !op.Operand(i).HasOneUse() || in.Block() != op.Block() {
			continue
		}
		code, p := pisa.UMad, in.Props
		var y *ir.Value
		switch in.Code {
		case pisa.UMul, pisa.SMul:
			if pisa.TypeOf(in.Props).Packed() {
				continue
			}
			y = in.Operand(1)
			if in.Code == pisa.SMul {
				code = pisa.SMad
			}
		case pisa.Shl:
			if n, ok := pisa.ConstBits(in.Operand(1)); !ok || n >= uint64(in.Result(0).Type.TotalBits()) {
				continue
			}
		default:
			continue
		}
		if !s.may(op, 2) {
			return
		}
		if y == nil {
			n, _ := pisa.ConstBits(in.Operand(1))
			y = builtin.ConstInt(&s.bl, in.Result(0).Type, 1<<n)
		}
		v := s.bl.Value(code, p, op.Result(0).Type, in.Operand(0), y, op.Operand(1-i))
		op.Result(0).ReplaceUses(v)
		op.Erase()
		in.Erase()
		return
	}
}
