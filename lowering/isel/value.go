package isel

import (
	"fmt"

	"pisac/dialects/amdgpu"
	"pisac/dialects/builtin"
	"pisac/ir"
)

// regs is the number of 32-bit registers of a value of type t.
func regs(t ir.Type) int { return (t.TotalBits() + 31) / 32 }

// uniform reports that all lanes of a wave agree about v where it is defined.
func (s *sel) uniform(v *ir.Value) bool { return !s.uni.Divergent(v) }

// set gives result i of op its machine value.
func (s *sel) set(op *ir.Op, i int, v *ir.Value) {
	r := op.Result(i)
	if c := v.Type.Class(); c == ir.SGPR || c == ir.VGPR {
		if want := regs(r.Type); !r.Type.IsPred() && v.Type.Lanes() != want {
			panic(fmt.Sprintf("isel: %s: result has %d registers, not %d", op.Def().Name, v.Type.Lanes(), want))
		}
	}
	s.vals[r.ID] = v
}

// arg is the machine value of operand i of op: registers of either class, scc,
// or a constant of a type without class.
func (s *sel) arg(op *ir.Op, i int) *ir.Value {
	x := &op.Operands()[i]
	v := x.Value()
	if _, ok := builtin.IsConst(v); ok {
		return v
	}
	if s.uni.Leaves(x) {
		return s.outOfLoop(v)
	}
	m := s.vals[v.ID]
	if m == nil {
		panic(fmt.Sprintf("isel: @%s: %s uses a value before it is selected", s.f.Name, op.Def().Name))
	}
	return m
}

// outOfLoop is v for uses outside of the loop that defines it, where its lanes
// are of different iterations: a vector copy made at the definition. A
// predicate comes back as a mask made at the use.
func (s *sel) outOfLoop(v *ir.Value) *ir.Value {
	m := s.vals[v.ID]
	if m.Type.Class() == ir.VGPR && !v.Type.IsPred() {
		return m
	}
	k := s.kept[v.ID]
	if k == nil {
		s.elsewhere(m, func() {
			if v.Type.IsPred() {
				k = s.bool32(m)
				if k.Type.Class() == ir.SGPR {
					k = s.Value(amdgpu.PCopy, 0, ir.Regs(ir.VGPR, 1), k)
				}
			} else {
				k = s.Value(amdgpu.PCopy, 0, ir.Regs(ir.VGPR, m.Type.Lanes()), m)
			}
		})
		s.kept[v.ID] = k
	}
	if v.Type.IsPred() {
		return s.val(amdgpu.Cmp(amdgpu.NE, amdgpu.CmpU32), s.imm(0), k)
	}
	return k
}

// elsewhere emits behind the definition of m what emit emits.
func (s *sel) elsewhere(m *ir.Value, emit func()) {
	at, here := s.Builder, s.here
	s.here = false
	s.behind(m)
	emit()
	s.Builder, s.here = at, here
}

// behind positions the builder behind the definition of m and behind the parts
// taken out of it.
func (s *sel) behind(m *ir.Value) {
	var next *ir.Op
	if op := m.Op(); op != nil {
		s.After(op)
		next = op.Next()
	} else {
		next = m.Block().First()
		s.Before(next)
	}
	for next != nil && next.Code == amdgpu.PExtract {
		s.After(next)
		next = next.Next()
	}
}

// constant returns the value of a machine operand that is a constant.
func constant(v *ir.Value) (uint64, bool) { return amdgpu.IsImm(v) }

// constOf returns the constant that operand i of op is.
func constOf(op *ir.Op, i int) (uint64, bool) { return builtin.IsConst(op.Operand(i)) }

type immKey struct {
	v uint64
	t ir.Type
}

// imm is the immediate v of 32 bits.
func (s *sel) imm(v uint32) *ir.Value { return s.immediate(uint64(v), ir.B32) }

// imm64 is the immediate v of 64 bits.
func (s *sel) imm64(v uint64) *ir.Value { return s.immediate(v, ir.B64) }

func (s *sel) immediate(v uint64, t ir.Type) *ir.Value {
	k := immKey{v, t}
	x := s.imms.get(k)
	if x == nil {
		at := s.Builder
		s.Before(s.f.Entry().First())
		x = builtin.ConstInt(&s.Builder, t, v)
		s.Builder = at
		s.imms.put(k, x)
	}
	return x
}

// part is register k of m: an immediate if m is a constant.
func (s *sel) part(m *ir.Value, k int) *ir.Value {
	if c, ok := constant(m); ok {
		return s.imm(constPart(m, c, k))
	}
	if m.Type.Lanes() == 1 {
		return m
	}
	if op := m.Op(); op != nil && op.Code == amdgpu.PBuild {
		at := 0
		for i := range op.NumOperands() {
			x := op.Operand(i)
			n := max(1, x.Type.Lanes())
			if x.Type.Class() == ir.NoClass {
				n = 1
			}
			if k < at+n {
				if n == 1 {
					return x
				}
				return s.part(x, k-at)
			}
			at += n
		}
	}
	return s.slice(m, k, 1)
}

// constPart is 32-bit word k of constant c of the type of m; the constants of
// vectors are splats.
func constPart(m *ir.Value, c uint64, k int) uint32 {
	t := m.Type
	switch w := t.ElemBits(); {
	case w == 128 && k >= 2:
		if a := m.Op().Aux; a != 0 {
			return uint32(m.Op().Func().Module().Wide(a) >> (32 * (k - 2)))
		}
		return 0
	case w >= 64:
		return uint32(c >> (32 * (k % 2)))
	case w == 32:
		return uint32(c)
	case !t.IsVector():
		return uint32(c)
	case w == 16:
		return uint32(c&0xffff) * 0x10001
	}
	return uint32(c&0xff) * 0x1010101
}

// parts are all registers of m, which has n.
func (s *sel) parts(m *ir.Value, n int) []*ir.Value {
	out := make([]*ir.Value, n)
	for k := range out {
		out[k] = s.part(m, k)
	}
	return out
}

// sliceKey is registers [at, at+n) of a tuple.
type sliceKey struct{ at, n uint8 }

// slice is registers [k, k+n) of m, a tuple of the same class.
func (s *sel) slice(m *ir.Value, k, n int) *ir.Value {
	if k == 0 && n == m.Type.Lanes() {
		return m
	}
	key := sliceKey{uint8(k), uint8(n)}
	x := s.slices.get(m.ID, key)
	if x == nil {
		s.elsewhere(m, func() {
			x = s.Value(amdgpu.PExtract, amdgpu.FIndex.Put(uint64(k)), ir.Regs(m.Type.Class(), n), m)
		})
		s.slices.put(m.ID, key, x)
	}
	return x
}

// count is how many registers parts take, an immediate one, and whether one of
// them is a vector register.
func count(parts []*ir.Value) (n int, vector bool) {
	for _, p := range parts {
		switch p.Type.Class() {
		case ir.VGPR:
			vector = true
			n += p.Type.Lanes()
		case ir.SGPR:
			n += p.Type.Lanes()
		default:
			n++
		}
	}
	return n, vector
}

// build is the tuple of parts, scalar if all of them are.
func (s *sel) build(parts ...*ir.Value) *ir.Value {
	n, vector := count(parts)
	if vector {
		return s.tupleOf(ir.VGPR, n, parts)
	}
	return s.tupleOf(ir.SGPR, n, parts)
}

// buildV is build with vector registers.
func (s *sel) buildV(parts ...*ir.Value) *ir.Value {
	n, _ := count(parts)
	if len(parts) == 1 {
		return s.vgpr(parts[0], n)
	}
	return s.tupleOf(ir.VGPR, n, parts)
}

// pairKey is the second of a pair of registers or immediates, and the class of
// the registers that hold them.
type pairKey struct {
	hi    uint32
	class ir.RegClass
}

// tupleOf is the n registers of class that hold parts: those that the parts
// were taken from, a pair that was built already, or a new tuple.
func (s *sel) tupleOf(class ir.RegClass, n int, parts []*ir.Value) *ir.Value {
	if len(parts) == 1 && parts[0].Type.Class() == class {
		return parts[0]
	}
	if m := s.whence(class, n, parts); m != nil {
		return m
	}
	if len(parts) != 2 {
		return s.Value(amdgpu.PBuild, 0, ir.Regs(class, n), parts...)
	}
	lo, k := parts[0].ID, pairKey{parts[1].ID, class}
	if m := s.pairs.get(lo, k); m != nil {
		return m
	}
	m := s.Value(amdgpu.PBuild, 0, ir.Regs(class, n), parts...)
	if s.here {
		s.pairs.put(lo, k, m)
	}
	return m
}

// whence is the tuple, or the part of one that a tuple may be, that single
// registers were taken from in order.
func (s *sel) whence(class ir.RegClass, n int, parts []*ir.Value) *ir.Value {
	e := parts[0].Op()
	if len(parts) != n || n < 2 || e == nil || e.Code != amdgpu.PExtract {
		return nil
	}
	m, k := e.Operand(0), int(amdgpu.FIndex.Get(e.Props))
	if m.Type.Class() != class || k%2 != 0 || n > 2 && k%4 != 0 || !ir.Regs(class, n).Valid() {
		return nil
	}
	for i, x := range parts {
		d := x.Op()
		if x.Type.Class() != class || x.Type.Lanes() != 1 || d == nil || d.Code != amdgpu.PExtract || d.Operand(0) != m || int(amdgpu.FIndex.Get(d.Props)) != k+i {
			return nil
		}
	}
	return s.slice(m, k, n)
}

// vgpr is m in n vector registers.
func (s *sel) vgpr(m *ir.Value, n int) *ir.Value {
	if m.Type.Class() == ir.VGPR {
		return m
	}
	if v := s.copies.get(m.ID); v != nil && v.Type.Lanes() == n {
		return v
	}
	var v *ir.Value
	switch {
	case m.Type.Class() == ir.SGPR:
		v = s.Value(amdgpu.PCopy, 0, ir.Regs(ir.VGPR, n), m)
	case n == 1:
		v = s.Value(amdgpu.VMovB32, 0, ir.Regs(ir.VGPR, 1), s.part(m, 0))
	default:
		v = s.Value(amdgpu.PBuild, 0, ir.Regs(ir.VGPR, n), s.parts(m, n)...)
	}
	s.copies.put(m.ID, v)
	return v
}

// vgprArg is operand i of op in vector registers.
func (s *sel) vgprArg(op *ir.Op, i int) *ir.Value {
	return s.vgpr(s.arg(op, i), regs(op.Operand(i).Type))
}

// salu is m, about which all lanes agree, as an operand of the scalar unit: in
// scalar registers, or a constant.
func (s *sel) salu(m *ir.Value) *ir.Value {
	if m.Type.Class() != ir.VGPR {
		return m
	}
	if v := s.scalar.get(m.ID); v != nil {
		return v
	}
	var v *ir.Value
	s.elsewhere(m, func() {
		lanes := make([]*ir.Value, m.Type.Lanes())
		for k := range lanes {
			lanes[k] = s.Value(amdgpu.VReadfirstlaneB32, 0, ir.Regs(ir.SGPR, 1), s.slice(m, k, 1))
		}
		v = s.build(lanes...)
	})
	s.scalar.put(m.ID, v)
	return v
}

// sgpr is salu with constants in registers: n of them.
func (s *sel) sgpr(m *ir.Value, n int) *ir.Value {
	m = s.salu(m)
	if m.Type.Class() == ir.SGPR {
		return m
	}
	if n == 1 {
		return s.Value(amdgpu.SMovB32, 0, ir.Regs(ir.SGPR, 1), s.part(m, 0))
	}
	return s.Value(amdgpu.PBuild, 0, ir.Regs(ir.SGPR, n), s.parts(m, n)...)
}

// maskImm is a lane mask with all bits set or clear.
func (s *sel) maskImm(set bool) *ir.Value {
	var v uint64
	if set {
		v = ^uint64(0)
	}
	if s.t.Wave == 32 {
		return s.imm(uint32(v))
	}
	return s.imm64(v)
}

// mask is predicate operand i of op as a lane mask, or an immediate.
func (s *sel) mask(op *ir.Op, i int) *ir.Value { return s.maskOf(s.arg(op, i)) }

func (s *sel) maskOf(m *ir.Value) *ir.Value {
	if c, ok := constant(m); ok {
		return s.maskImm(c != 0)
	}
	if m.Type.Class() != ir.SCC {
		return m
	}
	if s.t.Wave == 32 {
		return s.val(amdgpu.SCselectB32, s.maskImm(true), s.imm(0), m)
	}
	return s.val(amdgpu.SCselectB64, s.maskImm(true), s.imm64(0), m)
}

// cond is uniform predicate operand i of op as scc.
func (s *sel) cond(op *ir.Op, i int) *ir.Value { return s.condOf(s.arg(op, i)) }

func (s *sel) condOf(m *ir.Value) *ir.Value {
	if c, ok := constant(m); ok {
		return s.val(amdgpu.SCmpLgU32, s.imm(uint32(c&1)), s.imm(0))
	}
	if m.Type.Class() == ir.SCC {
		return m
	}
	// Lanes that are not active have arbitrary bits.
	return s.emit(s.mask2(amdgpu.SAndB32, amdgpu.SAndB64), 0, m, s.exec()).Result(1)
}

// bool32 is predicate m, a mask or scc, as 0 or 1 in a register: a vector one
// for a mask.
func (s *sel) bool32(m *ir.Value) *ir.Value {
	if m.Type.Class() == ir.SCC {
		return s.val(amdgpu.SCselectB32, s.imm(1), s.imm(0), m)
	}
	return s.val(amdgpu.VCndmaskB32, s.imm(0), s.imm(1), m)
}

// exec is the mask of active lanes.
func (s *sel) exec() *ir.Value { return s.Value(amdgpu.PExec, 0, s.maskT) }

// mask2 picks the instruction on lane masks by the wave's size.
func (s *sel) mask2(b32, b64 ir.Code) ir.Code {
	if s.t.Wave == 32 {
		return b32
	}
	return b64
}
