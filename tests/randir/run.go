package randir

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Machine runs work-items.
type Machine struct {
	// Visit, if set, sees each value as it is computed, or passed to a block.
	Visit func(v *ir.Value, bits uint64)
	Enter func(b *ir.Block) // if set, sees each block as it is entered
	Fuel  int               // ops left
	Lane  uint64            // what %laneid gives
	Mask  uint64            // what %activemask gives
	mem   map[cell]uint64
	calls int
}

// cell is a 32-bit word of memory; frame tells private variables apart.
type cell struct {
	frame int
	addr  uint64
}

// Run calls f and returns what it did: its result and what memory holds then;
// ok is false if fuel ran out.
func (m *Machine) Run(f *ir.Func, args ...uint64) (did string, ok bool) {
	m.mem, m.calls = map[cell]uint64{}, 0
	r, ok := m.call(f, args)
	return fmt.Sprintf("%#x", r) + dump(m.mem), ok
}

// dump lists what memory holds, private variables not.
func dump(mem map[cell]uint64) string {
	var b strings.Builder
	var cells []cell
	for c := range mem {
		if c.frame == 0 {
			cells = append(cells, c)
		}
	}
	slices.SortFunc(cells, func(a, b cell) int { return int(a.addr) - int(b.addr) })
	for _, c := range cells {
		fmt.Fprintf(&b, " [%#x]=%#x", c.addr, mem[c])
	}
	return b.String()
}

// Frame is one call of a function.
type Frame struct {
	m      *Machine
	f      *ir.Func
	id     int
	vals   []uint64
	vecs   map[uint32][]uint64 // by Value.ID: elements of vectors of 32 bits
	params []uint64            // of a kernel
}

// Group returns frames of n lanes of kernel f that share memory.
func Group(f *ir.Func, n int, params ...uint64) (frames []*Frame) {
	mem := map[cell]uint64{}
	for i := range n {
		m := &Machine{Fuel: 1000, Lane: uint64(i), mem: mem, calls: i << 32}
		frames = append(frames, m.frame(f, params))
	}
	return frames
}

func (m *Machine) frame(f *ir.Func, params []uint64) *Frame {
	m.calls++
	return &Frame{m, f, m.calls, make([]uint64, f.NumValues()), map[uint32][]uint64{}, params}
}

// Value returns what v has.
func (fr *Frame) Value(v *ir.Value) uint64 { return fr.vals[v.ID] }

func (m *Machine) call(f *ir.Func, args []uint64) (uint64, bool) {
	fr := m.frame(f, args)
	b := f.Entry()
	for i, v := range b.Args() {
		fr.set(v, args[i])
	}
	for {
		if m.Enter != nil {
			m.Enter(b)
		}
		for op := b.First(); op != nil; op = op.Next() {
			if m.Fuel--; m.Fuel < 0 {
				return 0, false
			}
			switch op.Code {
			case builtin.Return:
				if op.NumOperands() == 0 {
					return 0, true
				}
				return fr.vals[op.Operand(0).ID], true
			case builtin.Br:
				b = fr.Follow(op.Succ(0))
			case builtin.CondBr:
				k := 1
				if fr.vals[op.Operand(0).ID] != 0 {
					k = 0
				}
				b = fr.Follow(op.Succ(k))
			default:
				if !fr.Exec(op) {
					return 0, false
				}
				continue
			}
			break
		}
	}
}

func (fr *Frame) set(v *ir.Value, bits uint64) {
	fr.vals[v.ID] = bits
	if fr.m.Visit != nil {
		fr.m.Visit(v, bits)
	}
}

// Follow passes the arguments of e and returns its target.
func (fr *Frame) Follow(e *ir.Edge) *ir.Block {
	args, vecs := make([]uint64, e.NumArgs()), make([][]uint64, e.NumArgs())
	for i := range args {
		args[i], vecs[i] = fr.vals[e.Arg(i).ID], fr.vecs[e.Arg(i).ID]
	}
	for i, v := range e.To().Args() {
		fr.set(v, args[i])
		if v.Type.IsVector() {
			fr.vecs[v.ID] = vecs[i]
		}
	}
	return e.To()
}

// Exec executes op, no terminator; false if fuel ran out in a call.
func (fr *Frame) Exec(op *ir.Op) bool {
	val := func(i int) uint64 { return fr.vals[op.Operand(i).ID] }
	m := fr.m
	if fr.vector(op, val) {
		return true
	}
	switch op.Code {
	case builtin.Const:
		fr.set(op.Result(0), op.Props)
	case builtin.Call:
		args := make([]uint64, op.NumOperands())
		for i := range args {
			args[i] = val(i)
		}
		r, ok := m.call(fr.f.Module().Symbol(op.Aux).Func, args)
		if !ok {
			return false
		}
		if op.NumResults() > 0 {
			fr.set(op.Result(0), r)
		}
	case pisa.AddrOf:
		// Variables lie far from each other, and from those of other functions.
		v := fr.f.Module().Symbol(op.Aux).Var
		fr.set(op.Result(0), 0x1000*uint64(v.Symbol()))
	case pisa.Ld:
		fr.set(op.Result(0), m.mem[fr.cell(op, val)])
	case pisa.St:
		m.mem[fr.cell(op, val)] = val(op.NumOperands() - 1)
	case pisa.Fence:
	case pisa.LdParam:
		fr.set(op.Result(0), fr.params[op.Aux-1]&(1<<(op.Result(0).Type.TotalBits()-1)<<1-1))
	case pisa.ReadSReg: // %laneid, or one that is the same everywhere
		x := uint64(7)
		switch pisa.SReg(pisa.OpOf(op.Props)) {
		case pisa.SLaneID:
			x = m.Lane
		case pisa.SActiveMask:
			x = m.Mask
		}
		fr.set(op.Result(0), x)
	case pisa.RedFirstIdx:
		fr.set(op.Result(0), uint64(bits.TrailingZeros32(uint32(val(0)&m.Mask))))
	default:
		var x [4]uint64
		for i := range op.NumOperands() {
			x[i] = val(i)
		}
		r0, r1 := pisa.EvalFn(op.Code, op.Props)(x[0], x[1], x[2], x[3])
		if op.Result(0).Type == ir.Pred {
			r0 &= 1
		}
		fr.set(op.Result(0), r0)
		if op.NumResults() > 1 {
			fr.set(op.Result(1), r1&1)
		}
	}
	return true
}

// vector executes op if it is about vectors of 32-bit elements.
func (fr *Frame) vector(op *ir.Op, val func(int) uint64) bool {
	n := op.NumOperands()
	switch {
	case n > 0 && op.Code == pisa.St && op.Operand(n-1).Type.IsVector():
		c := fr.cell(op, val)
		for i, x := range fr.vecs[op.Operand(n-1).ID] {
			fr.m.mem[cell{c.frame, c.addr + 4*uint64(i)}] = x
		}
		return true
	case op.NumResults() == 0:
		return false
	}
	r, from := op.Result(0), []uint64(nil)
	lanes := r.Type.Lanes()
	if n > 0 {
		from = fr.vecs[op.Operand(0).ID]
	}
	switch {
	case op.Code == pisa.Extract && lanes == 1:
		fr.set(r, from[pisa.IndexOf(op.Props)])
		return true
	case lanes == 1:
		return false
	}
	v := make([]uint64, lanes)
	switch op.Code {
	case builtin.Const:
		for i := range v {
			v[i] = op.Props
		}
	case pisa.Ld:
		c := fr.cell(op, val)
		for i := range v {
			v[i] = fr.m.mem[cell{c.frame, c.addr + 4*uint64(i)}]
		}
	case pisa.Extract:
		copy(v, from[pisa.IndexOf(op.Props):])
	case pisa.Insert:
		copy(v, from)
		x := fr.vecs[op.Operand(1).ID]
		if !op.Operand(1).Type.IsVector() {
			x = []uint64{val(1)}
		}
		copy(v[pisa.IndexOf(op.Props):], x)
	default:
		panic("randir: no vectors in " + op.Def().Name)
	}
	fr.vecs[r.ID] = v
	return true
}

// cell is the word that a 32-bit access of op touches.
func (fr *Frame) cell(op *ir.Op, val func(int) uint64) cell {
	a := val(0)
	if ir.HasOffset.Get(op.Props) != 0 {
		o := val(1)
		if op.Operand(1).Type == ir.B32 {
			o = uint64(int64(int32(o)))
		}
		a += o
	}
	if pisa.SpaceOf(op.Props) == ir.SpacePrivate {
		return cell{fr.id, a & 0xffffffff}
	}
	return cell{0, a}
}
