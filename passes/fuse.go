package passes

import (
	"math"

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
	Stats: []string{"sums in addresses", "full products", "multiply-adds", "offsets of 32 bits"},
	Needs: PISA, Keeps: analysis.KeepCFG,
	Func: fuse,
}

type fuser struct {
	c       *Ctx
	f       *ir.Func
	bl      ir.Builder
	work    []*ir.Op
	changed bool
	stopped bool
}

func fuse(c *Ctx, f *ir.Func) bool {
	s := fuser{c: c, f: f}
	for _, code := range []ir.Code{pisa.Ld, pisa.St, pisa.IAtom, pisa.FAtom} {
		s.walk((*fuser).shorten, code)
	}
	s.walk((*fuser).intoAddress, pisa.IAdd)
	s.walk((*fuser).fullProduct, pisa.ZExt)
	s.walk((*fuser).fullProduct, pisa.SExt)
	s.walk((*fuser).multiplyAdd, pisa.IAdd)
	return s.changed
}

// walk tries a rewrite, which may erase any ops, on each op with the code.
func (s *fuser) walk(try func(*fuser, *ir.Op), code ir.Code) {
	s.work = s.work[:0]
	for b := s.f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code == code {
				s.work = append(s.work, op)
			}
		}
	}
	for _, op := range s.work {
		if op.Block() != nil && !s.stopped {
			try(s, op)
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
	if s.c.WantsRemarks() {
		s.c.Remark(Passed, [...]string{"SumInAddress", "FullProduct", "MultiplyAdd", "ShortOffset"}[stat], s.f, op.Loc, "%s becomes %s", op.Def().Name,
			[...]string{"base and offset of its accesses", "the product of full width that it is scaled to", "a multiply-add with its factor", "an access with a 32-bit offset"}[stat])
	}
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

// shorten gives an access what its offset is extended from.
func (s *fuser) shorten(op *ir.Op) {
	at := op.Def().Addr
	if ir.HasOffset.Get(op.Props) == 0 {
		return
	}
	whole := op.Operand(at)
	off := s.shortOffset(whole)
	if off == whole || !s.may(op, 3) {
		return
	}
	op.SetOperand(at, off)
	if !whole.HasUses() {
		whole.Op().Erase()
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

// factor returns the number of 32 bits by which op multiplies the extension ext
// of a 32-bit value, if op shifts it or multiplies it by a constant.
func factor(op, ext *ir.Op) (uint64, bool) {
	signed := ext.Code == pisa.SExt
	if pisa.Has(op.Props, pisa.FFull) || pisa.TypeOf(op.Props) != pisa.T64b || op.Operand(0) != ext.Result(0) {
		return 0, false
	}
	var c uint64
	switch op.Code {
	case pisa.Shl:
		n, ok := pisa.ConstBits(op.Operand(1))
		if !ok || n > 31 {
			return 0, false
		}
		c = 1 << n
	case pisa.UMul, pisa.UMad:
		k, ok := pisa.ConstBits(op.Operand(1))
		if !ok || op.Code == pisa.UMad && op.Operand(2) == ext.Result(0) {
			return 0, false
		}
		c = k
	default:
		return 0, false
	}
	if signed {
		return c & math.MaxUint32, int64(c) == int64(int32(c))
	}
	return c, c <= math.MaxUint32
}

// fullProduct makes products of an extension full products, provided that
// nothing else needs the extension.
func (s *fuser) fullProduct(ext *ir.Op) {
	v := ext.Result(0)
	if extended(v) == nil || !v.HasUses() {
		return
	}
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		if _, ok := factor(u.User(), ext); !ok {
			return
		}
	}
	if !s.may(ext, 1) {
		return
	}
	p := pisa.FType.Put(uint64(pisa.T32b)) | pisa.FFull.Put(1)
	for v.HasUses() {
		op := v.FirstUse().User()
		s.bl.Before(op)
		s.bl.Loc = op.Loc
		c, _ := factor(op, ext)
		in := []*ir.Value{ext.Operand(0), builtin.ConstInt(&s.bl, ir.B32, c)}
		code := pisa.UMul
		if op.Code == pisa.UMad {
			code, in = pisa.UMad, append(in, op.Operand(2))
		}
		if ext.Code == pisa.SExt {
			code = signedForm(code)
		}
		op.Result(0).ReplaceUses(s.bl.Value(code, p, ir.B64, in...))
		op.Erase()
	}
	ext.Erase()
}

func signedForm(code ir.Code) ir.Code {
	if code == pisa.UMad {
		return pisa.SMad
	}
	return pisa.SMul
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
