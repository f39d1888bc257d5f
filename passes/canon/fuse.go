package canon

import (
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Fusing of 32-bit logic into bfn, the op for any function of three inputs:
// a tree of and, or, xor, not and bfn whose inner ops have no other use and
// which has two or three inputs in all becomes one op. Truth tables are those
// of PISA 3.4: bit s0 | s1<<1 | s2<<2.
var fuse = table{
	{Name: "and-bfn", Root: pisa.And, Doc: "(x op y) & z => bfn(x, y, z)", Apply: fuseLogic},
	{Name: "or-bfn", Root: pisa.Or, Doc: "(x op y) | z => bfn(x, y, z)", Apply: fuseLogic},
	{Name: "xor-bfn", Root: pisa.Xor, Doc: "(x op y) ^ z => bfn(x, y, z)", Apply: fuseLogic},
	{Name: "not-bfn", Root: pisa.Not, Doc: "~(x op y) => bfn(x, y, y)", Apply: fuseLogic},
	{Name: "bfn-simplify", Root: pisa.Bfn, Doc: "bfn that ignores inputs, or has equal or constant ones => a smaller op", Apply: simplifyBfn},
	{Name: "bfn-bfn", Root: pisa.Bfn, Doc: "bfn(x op y, z, z) => bfn(x, y, z)", Apply: fuseLogic},
}

// Truth tables of the three inputs.
var inputTables = [3]uint8{0xaa, 0xcc, 0xf0}

// tree gathers the inputs of a fused op.
type tree struct {
	in [3]*ir.Value
	n  int
	ok bool
}

// table returns the truth table of v over the inputs gathered so far.
func (t *tree) input(v *ir.Value) uint8 {
	if c, ok := pisa.ConstBits(v); ok && (c == 0 || c == 0xffffffff) {
		return uint8(c)
	}
	for i := range t.n {
		if t.in[i] == v {
			return inputTables[i]
		}
	}
	if t.n == 3 {
		t.ok = false
		return 0
	}
	t.in[t.n] = v
	t.n++
	return inputTables[t.n-1]
}

// apply returns the table of op given the tables of its operands.
func apply(op *ir.Op, x []uint8) uint8 {
	switch op.Code {
	case pisa.And:
		return x[0] & x[1]
	case pisa.Or:
		return x[0] | x[1]
	case pisa.Xor:
		return x[0] ^ x[1]
	case pisa.Not:
		return ^x[0]
	}
	r, _ := pisa.EvalFn(pisa.Bfn, op.Props)(uint64(x[0]), uint64(x[1]), uint64(x[2]), 0)
	return uint8(r)
}

func isLogic32(op *ir.Op) bool {
	switch op.Code {
	case pisa.And, pisa.Or, pisa.Xor, pisa.Not, pisa.Bfn:
		return pisa.TypeOf(op.Props) == pisa.T32b
	}
	return false
}

// fuseLogic merges op with one operand's op (a not under both too).
func fuseLogic(w rw, op *ir.Op) bool {
	if !isLogic32(op) {
		return false
	}
	for i := range op.NumOperands() {
		in := op.Operand(i).Op()
		if in == nil || !isLogic32(in) || !op.Operand(i).HasOneUse() {
			continue
		}
		t := tree{ok: true}
		var inner, outer [3]uint8
		for k := range in.NumOperands() {
			inner[k] = t.input(in.Operand(k))
		}
		mid := apply(in, inner[:])
		for k := range op.NumOperands() {
			if k == i {
				outer[k] = mid
			} else {
				outer[k] = t.input(op.Operand(k))
			}
		}
		if !t.ok {
			continue
		}
		return emitTable(w, op, &t, apply(op, outer[:]), true)
	}
	return false
}

// simplifyBfn rewrites a bfn that has fewer than three proper inputs.
func simplifyBfn(w rw, op *ir.Op) bool {
	t := tree{ok: true}
	var x [3]uint8
	for k := range 3 {
		x[k] = t.input(op.Operand(k))
	}
	return emitTable(w, op, &t, apply(op, x[:]), false)
}

// emitTable replaces op by the smallest op with the given truth table. grown
// allows a bfn of three inputs.
func emitTable(w rw, op *ir.Op, t *tree, f uint8, grown bool) bool {
	used := t.in[:0:0]
	for i := range t.n { // drop inputs that do not matter
		half := inputTables[i]
		sh := uint(1) << i
		if f&half>>sh != f&^half {
			used = append(used, t.in[i])
			continue
		}
		f = dropInput(f, i, t.n)
		copy(t.in[i:], t.in[i+1:])
		t.n--
		return emitTable(w, op, t, f, grown)
	}
	p := typed(pisa.T32b)
	switch len(used) {
	case 0:
		return toConst(w, op, uint64(int64(int8(f&1<<7)>>7))&0xffffffff)
	case 1:
		if f&3 == 2 {
			return to(w, op, used[0])
		}
		return toOp(w, op, pisa.Not, p, used[0])
	case 2:
		for _, c := range []struct {
			code  ir.Code
			table uint8
		}{{pisa.And, 8}, {pisa.Or, 14}, {pisa.Xor, 6}} {
			if f&15 == c.table {
				return toOp(w, op, c.code, p, used[0], used[1])
			}
		}
		if !grown && op.Operand(0) == used[0] && op.Operand(1) == used[1] && op.Operand(2) == used[1] && pisa.OpOf(op.Props) == f {
			return false
		}
		return toOp(w, op, pisa.Bfn, p|pisa.FOp.Put(uint64(f)), used[0], used[1], used[1])
	}
	if !grown {
		return false
	}
	return toOp(w, op, pisa.Bfn, p|pisa.FOp.Put(uint64(f)), used[0], used[1], used[2])
}

// dropInput renumbers the table of n inputs without input i, on which it does
// not depend.
func dropInput(f uint8, i, n int) uint8 {
	var g uint8
	for k := range uint(8) {
		rest := k & (1<<(n-1) - 1) // assignment of the inputs that stay
		low := rest & (1<<i - 1)
		g |= f >> (low | rest>>i<<(i+1)) & 1 << k
	}
	return g
}
