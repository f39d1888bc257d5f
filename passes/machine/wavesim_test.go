package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/builtin"
	"pisac/ir"
)

// waveSim runs a function of the amdgpu dialect before layout a wave at a time,
// by values before register allocation and by registers behind it. What an
// instruction computes is a hash of its operands, but for copies and what
// allocation itself makes. Lanes take their logical path; the wave takes its
// linear one. The trace is what stores are given.
type waveSim struct {
	lanes     int
	registers bool // by registers
	s         map[uint32][]uint32
	v         []map[uint32][]uint32 // by lane
	sreg      map[ir.Reg]uint32
	vreg      []map[ir.Reg]uint32
	scratch   []map[int]uint32
	want      []*ir.Block // by lane: where it is to continue
	trace     []uint64
	ops       []*ir.Op // that traced
	steps     int
}

func newWaveSim(lanes int, registers bool) *waveSim {
	w := &waveSim{lanes: lanes, registers: registers, s: map[uint32][]uint32{}, sreg: map[ir.Reg]uint32{}}
	for range 64 { // lanes that never execute hold spilled registers
		w.v = append(w.v, map[uint32][]uint32{})
		w.vreg = append(w.vreg, map[ir.Reg]uint32{})
		w.scratch = append(w.scratch, map[int]uint32{})
	}
	w.want = make([]*ir.Block, lanes)
	return w
}

func mix(h uint64, x uint64) uint64 {
	h ^= x + 0x9e3779b97f4a7c15 + h<<6 + h>>2
	h *= 0xff51afd7ed558ccd
	return h ^ h>>33
}

func (w *waveSim) read(v *ir.Value, lane int) []uint32 {
	if x, ok := amdgpu.IsImm(v); ok {
		n := max(v.Type.TotalBits()/32, 1)
		return []uint32{uint32(x), uint32(x >> 32)}[:n]
	}
	n := 1
	if v.Type.Class() != ir.SCC {
		n = v.Type.Lanes()
	}
	if w.registers {
		out := make([]uint32, n)
		for i := range out {
			if v.Reg.IsV() {
				out[i] = w.vreg[lane][v.Reg+ir.Reg(i)]
			} else {
				out[i] = w.sreg[v.Reg+ir.Reg(i)]
			}
		}
		return out
	}
	m := w.s
	if v.Type.Class() == ir.VGPR {
		m = w.v[lane]
	}
	if x := m[v.ID]; x != nil {
		return x
	}
	return make([]uint32, n)
}

func (w *waveSim) write(v *ir.Value, lane int, x []uint32) {
	if w.registers {
		if v.Reg == ir.RegNull {
			return
		}
		for i := range x {
			if v.Reg.IsV() {
				w.vreg[lane][v.Reg+ir.Reg(i)] = x[i]
			} else {
				w.sreg[v.Reg+ir.Reg(i)] = x[i]
			}
		}
		return
	}
	if v.Type.Class() == ir.VGPR {
		w.v[lane][v.ID] = x
	} else {
		w.s[v.ID] = x
	}
}

// run returns false if the function does not end soon.
func (w *waveSim) run(f *ir.Func) bool {
	b := f.Entry()
	for l := range w.want {
		w.want[l] = b
	}
	for b != nil {
		if w.steps++; w.steps > 4000 {
			return false
		}
		b = w.block(b)
	}
	return true
}

func (w *waveSim) block(b *ir.Block) *ir.Block {
	var active []int
	for l, x := range w.want {
		if x == b {
			active = append(active, l)
		}
	}
	mask := make([]uint32, 2)
	for _, l := range active {
		mask[l/32] |= 1 << (l % 32)
	}
	w.sreg[ir.RegExec], w.sreg[ir.RegExec+1] = mask[0], mask[1]
	for op := b.First(); ; op = op.Next() {
		if op.Code == amdgpu.PExec && !w.registers {
			w.write(op.Result(0), 0, mask[:op.Result(0).Type.Lanes()])
			continue
		}
		if op.Code == amdgpu.PSkip {
			if len(active) == 0 {
				return skipTarget(b, op)
			}
			continue
		}
		if op.NumSuccs() > 0 || op.Code == amdgpu.TRet {
			return w.leave(b, op, active)
		}
		w.op(op, active)
	}
}

// pass copies what an edge passes, for the lanes that take it.
func (w *waveSim) pass(e *ir.Edge, active []int) {
	for _, l := range active {
		w.want[l] = e.To()
	}
	vals := make([][][]uint32, e.NumArgs())
	for i := range vals {
		for l := range w.lanes {
			vals[i] = append(vals[i], w.read(e.Arg(i), l))
		}
	}
	for i, a := range e.To().Args() {
		if a.Type.Class() == ir.SGPR {
			w.write(a, 0, vals[i][0])
			continue
		}
		for _, l := range active {
			w.write(a, l, vals[i][l])
		}
	}
}

func (w *waveSim) leave(b *ir.Block, t *ir.Op, active []int) *ir.Block {
	switch t.Code {
	case amdgpu.TRet:
		return nil
	case amdgpu.TJump:
		w.pass(t.Succ(0), active)
		return t.Succ(0).To()
	case amdgpu.TFall:
		w.pass(t.Succ(0), active)
		return b.Next()
	case amdgpu.TLoop:
		w.pass(t.Succ(0), active)
		for _, x := range w.want {
			if x == t.Succ(0).To() {
				return x
			}
		}
		return b.Next()
	case amdgpu.TCond:
		k := 1
		if w.read(t.Operand(0), 0)[0]&1 != 0 {
			k = 0
		}
		w.pass(t.Succ(k), active)
		return t.Succ(k).To()
	case amdgpu.TDiverge:
		m := w.read(t.Operand(0), 0)
		var to [2][]int
		for _, l := range active {
			k := 1
			if m[l/32]>>(l%32)&1 != 0 {
				k = 0
			}
			to[k] = append(to[k], l)
		}
		w.pass(t.Succ(0), to[0])
		w.pass(t.Succ(1), to[1])
		return b.Next()
	}
	panic("terminator")
}

func (w *waveSim) op(op *ir.Op, active []int) {
	if op.Code == builtin.Const || op.Code == amdgpu.PReg || op.Code == amdgpu.PExec {
		return
	}
	row := amdgpu.RowOf(op.Code)
	scalarOnly := !row.Vector()
	if row.Family == amdgpu.Pseudo && op.NumResults() == 1 && op.Result(0).Type.Class() == ir.VGPR {
		scalarOnly = false
	}
	if scalarOnly {
		w.results(op, 0, w.compute(op, 0))
		return
	}
	switch op.Code {
	case amdgpu.VReadfirstlaneB32:
		l := 0
		if len(active) > 0 {
			l = active[0]
		}
		w.write(op.Result(0), 0, w.read(op.Operand(0), l))
		return
	case amdgpu.VReadlaneB32:
		w.write(op.Result(0), 0, w.read(op.Operand(0), int(w.read(op.Operand(1), 0)[0])%64))
		return
	case amdgpu.VWritelaneB32:
		k := int(w.read(op.Operand(1), 0)[0]) % 64
		x := w.read(op.Operand(0), 0)
		for l := range 64 {
			y := w.read(op.Operand(2), l)
			if l == k {
				y = x
			}
			w.write(op.Result(0), l, y)
		}
		return
	}
	outs := make([][][]uint32, w.lanes)
	for _, l := range active {
		outs[l] = w.compute(op, l)
	}
	// Masks are written whole, with 0 for lanes that do not execute.
	for i := range op.NumResults() {
		r := op.Result(i)
		if r.Type.Class() == ir.SGPR {
			m := make([]uint32, r.Type.Lanes())
			for _, l := range active {
				m[l/32] |= outs[l][i][0] & 1 << (l % 32)
			}
			w.write(r, 0, m)
			continue
		}
		for _, l := range active {
			w.write(r, l, outs[l][i])
		}
	}
}

func (w *waveSim) results(op *ir.Op, l int, out [][]uint32) {
	for i := range op.NumResults() {
		w.write(op.Result(i), l, out[i])
	}
}

// compute is what op gives for lane l.
func (w *waveSim) compute(op *ir.Op, l int) [][]uint32 {
	in := make([][]uint32, op.NumOperands())
	row := amdgpu.RowOf(op.Code)
	for i := range in {
		in[i] = w.read(op.Operand(i), l)
		if row.Family != amdgpu.Pseudo && row.VALU() && i < len(row.Operands) && row.Operands[i].Mask {
			in[i] = []uint32{in[i][l/32] >> (l % 32) & 1}
		}
	}
	switch op.Code {
	case amdgpu.PCopy, amdgpu.VMovB32, amdgpu.SMovB32:
		return in
	case amdgpu.VMovB64, amdgpu.SMovB64:
		return [][]uint32{in[0][:2]}
	case amdgpu.PExtract:
		k := int(op.Field(amdgpu.FIndex))
		return [][]uint32{in[0][k : k+op.Result(0).Type.Lanes()]}
	case amdgpu.PBuild:
		var out []uint32
		for _, x := range in {
			out = append(out, x...)
		}
		return [][]uint32{out}
	case amdgpu.VXorB32:
		return [][]uint32{{in[0][0] ^ in[1][0]}}
	case amdgpu.SCselectB32:
		if in[2][0]&1 != 0 {
			return in[:1]
		}
		return in[1:2]
	case amdgpu.SCmpLgU32:
		if in[0][0] != in[1][0] {
			return [][]uint32{{1}}
		}
		return [][]uint32{{0}}
	case amdgpu.VCndmaskB32:
		return [][]uint32{in[in[2][0]]}
	}
	if fam, e, ok := amdgpu.MemOf(op.Code); ok && fam == amdgpu.Scratch {
		return w.scratchOp(op, e, in, l)
	}
	h := mix(uint64(op.Code), op.Props)
	for _, x := range in {
		for _, y := range x {
			h = mix(h, uint64(y))
		}
	}
	if row.Has(amdgpu.Stores) {
		w.trace = append(w.trace, mix(h, uint64(l)))
		w.ops = append(w.ops, op)
	}
	if op.Code == amdgpu.PLivein && op.Result(0).Type.Class() == ir.VGPR {
		h = mix(h, uint64(l))
	}
	var out [][]uint32
	for i := range op.NumResults() {
		n := 1
		if t := op.Result(i).Type; t.Class() != ir.SCC && !(i < len(row.Results) && row.Results[i].Mask) {
			n = t.Lanes()
		}
		var x []uint32
		for k := range n {
			x = append(x, uint32(mix(h, uint64(i*64+k+1))))
		}
		out = append(out, x)
	}
	if notZero(op.Code) {
		out[0][0] &= 1
		out[1][0] = out[0][0]
	}
	return out
}

// scratchOp is a spill or a reload.
func (w *waveSim) scratchOp(op *ir.Op, e amdgpu.Elem, in [][]uint32, l int) [][]uint32 {
	at := int(op.Field(amdgpu.FOffset))
	if op.Field(amdgpu.FSaddr) != 0 {
		at += int(in[0][0])
		in = in[1:]
	}
	if op.NumResults() == 0 {
		for i, x := range in[0] {
			w.scratch[l][at+4*i] = x
		}
		return nil
	}
	var x []uint32
	for i := range op.Result(0).Type.Lanes() {
		x = append(x, w.scratch[l][at+4*i])
	}
	return [][]uint32{x}
}
