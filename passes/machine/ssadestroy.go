package machine

import (
	"sync"

	"pisac/dialects/amdgpu"
	"pisac/dialects/builtin"
	"pisac/ir"
)

// SSADestroy makes instructions of what Regalloc left of SSA form.
//
//	%2 = p_build %0, %1 : v2@v4      (%0 in v4, %1 in v7)    %3 = p_reg : v1@v7
//	                                                     →   %4 = v_mov_b32 %3 : v1@v5
//	global_store_b64 %p, %2                                  %2 = p_reg : v2@v4, and so on
//	t_jump ^bb1(%x)                  (%x in v3, ^bb1(%a: v1@v3))    t_jump ^bb1
//
// In: every value in its register. Out: no copies, tuples or block arguments;
// what they named is named by a p_reg at the entry, which is no code. All
// copies of one place happen at once: they are put in an order in which none
// overwrites what another still reads, and cycles are broken by m0 or by
// exchanges. Copies for edges stand before the instructions that pass exec on
// at a block's end. No copy changes scc.
func SSADestroy(c *Ctx, f *ir.Func) {
	d := destroyers.Get().(*destroyer)
	defer destroyers.Put(d)
	d.c, d.f = c, f
	d.wideV = amdgpu.RowOf(amdgpu.VMovB64).Mnemonic(c.Target) != ""
	clear(d.names)
	d.nameAt = f.Entry().First()
	for d.nameAt.Code == amdgpu.PLivein {
		d.nameAt = d.nameAt.Next()
	}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		d.block(b)
	}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		d.args(b)
	}
	d.erase()
}

var destroyers = sync.Pool{New: func() any { return &destroyer{names: make(map[nameKey]*ir.Value)} }}

type nameKey struct {
	reg ir.Reg
	typ ir.Type
}

// move is a copy of one register.
type move struct {
	dst, src ir.Reg // src NoReg: the constant
	imm      uint32
	done     bool
}

type destroyer struct {
	c      *Ctx
	f      *ir.Func
	wideV  bool // v_mov_b64 exists
	names  map[nameKey]*ir.Value
	nameAt *ir.Op
	dead   []*ir.Op

	moves  []move
	readBy [ir.RegEnd]uint16 // moves to be done that read the register
	into   [ir.RegEnd]uint16 // 1 + the move that writes it
	ready  []int
	bl     ir.Builder
}

// name is a value that stands for what is in a register.
func (d *destroyer) name(r ir.Reg, t ir.Type) *ir.Value {
	k := nameKey{r, t}
	if v := d.names[k]; v != nil {
		return v
	}
	var bl ir.Builder
	bl.Before(d.nameAt)
	v := bl.Value(amdgpu.PReg, 0, t)
	v.Reg = r
	d.names[k] = v
	return v
}

func (d *destroyer) block(b *ir.Block) {
	for op := b.First(); op != nil; op = op.Next() {
		switch op.Code {
		case amdgpu.PCopy:
			d.add(op.Result(0).Reg, op.Operand(0), 0, op.Result(0).Type.Lanes())
		case amdgpu.PExtract:
			d.add(op.Result(0).Reg, op.Operand(0), int(op.Field(amdgpu.FIndex)), op.Result(0).Type.Lanes())
		case amdgpu.PBuild:
			r := op.Result(0).Reg
			for i := range op.NumOperands() {
				n := registers(op.Operand(i))
				d.add(r, op.Operand(i), 0, n)
				r += ir.Reg(n)
			}
		case builtin.ParallelCopy:
			for i := range op.NumResults() {
				d.add(op.Result(i).Reg, op.Operand(i), 0, registers(op.Operand(i)))
			}
		case amdgpu.PUndef:
			d.dead = append(d.dead, op)
			continue
		default:
			continue
		}
		d.dead = append(d.dead, op)
		d.bl.Before(op)
		d.bl.Loc = op.Loc
		d.sequence()
	}
	if at := copyPoint(b); at != nil {
		e := b.Last().Succ(0)
		for i, v := range e.To().Args() {
			d.add(v.Reg, e.Arg(i), 0, v.Type.Lanes())
		}
		d.bl.Before(at)
		d.bl.Loc = b.Last().Loc
		d.sequence()
	}
}

// registers is how many registers operand x takes in a tuple.
func registers(x *ir.Value) int {
	if x.Type.Class() != ir.NoClass {
		return x.Type.Lanes()
	}
	return max(x.Type.TotalBits()/32, 1)
}

// add asks for n registers of x, from register from on, in dst and behind.
func (d *destroyer) add(dst ir.Reg, x *ir.Value, from, n int) {
	if isUndef(x) || dst == ir.RegNull {
		return
	}
	bits, imm := amdgpu.IsImm(x)
	for l := range n {
		m := move{dst: dst + ir.Reg(l)}
		if imm {
			m.imm = uint32(bits >> (32 * (l + from)))
		} else if m.src = x.Reg + ir.Reg(l+from); m.src == m.dst {
			continue
		}
		d.moves = append(d.moves, m)
	}
}

// args replaces the arguments of b by names.
func (d *destroyer) args(b *ir.Block) {
	for i := b.NumArgs() - 1; i >= 0; i-- {
		v := b.Arg(i)
		if v.HasUses() {
			v.ReplaceUses(d.name(v.Reg, v.Type))
		}
		b.RemoveArg(i)
	}
}

// erase removes the ops whose results are names now.
func (d *destroyer) erase() {
	for _, op := range d.dead {
		for i := range op.NumResults() {
			if v := op.Result(i); v.HasUses() {
				v.ReplaceUses(d.name(v.Reg, v.Type))
			}
		}
	}
	for _, op := range d.dead {
		op.Erase()
	}
	clear(d.dead)
	d.dead = d.dead[:0]
}

// sequence emits the moves asked for, as if all happened at once.
func (d *destroyer) sequence() {
	if len(d.moves) == 0 {
		return
	}
	for i := range d.moves {
		m := &d.moves[i]
		d.into[m.dst] = uint16(i + 1)
		if m.src != ir.NoReg {
			d.readBy[m.src]++
		}
	}
	d.ready = d.ready[:0]
	for i := len(d.moves) - 1; i >= 0; i-- {
		if d.readBy[d.moves[i].dst] == 0 {
			d.ready = append(d.ready, i)
		}
	}
	d.drain()
	for i := range d.moves {
		if !d.moves[i].done {
			d.breakCycle(i)
			d.drain()
		}
	}
	for i := range d.moves {
		d.into[d.moves[i].dst] = 0
	}
	d.moves = d.moves[:0]
}

// drain emits moves until none is ready.
func (d *destroyer) drain() {
	for len(d.ready) > 0 {
		i := d.ready[len(d.ready)-1]
		d.ready = d.ready[:len(d.ready)-1]
		if d.moves[i].done {
			continue
		}
		if k := d.partner(i); k >= 0 {
			d.emit64(min(i, k), max(i, k))
			continue
		}
		d.emit32(&d.moves[i])
		d.finish(i)
	}
}

// finish notes that move i is done.
func (d *destroyer) finish(i int) {
	m := &d.moves[i]
	m.done = true
	if m.src == ir.NoReg {
		return
	}
	if d.readBy[m.src]--; d.readBy[m.src] == 0 && d.into[m.src] != 0 {
		d.ready = append(d.ready, int(d.into[m.src]-1))
	}
}

// partner is a move that can be done together with move i by one of 64 bits;
// -1 if there is none.
func (d *destroyer) partner(i int) int {
	m := &d.moves[i]
	if m.dst.IsV() && !d.wideV || m.dst == ir.RegM0 || m.src == ir.RegM0 {
		return -1
	}
	other := ir.SReg(m.dst.Index() ^ 1)
	if m.dst.IsV() {
		other = ir.VReg(m.dst.Index() ^ 1)
	}
	k := int(d.into[other]) - 1
	if k < 0 || d.moves[k].done || d.readBy[other] != 0 {
		return -1
	}
	lo, hi := m, &d.moves[k]
	if hi.dst < lo.dst {
		lo, hi = hi, lo
	}
	if lo.src == ir.NoReg || hi.src == ir.NoReg {
		if v := int64(uint64(hi.imm)<<32 | uint64(lo.imm)); lo.src != hi.src || v < -16 || v > 64 {
			return -1
		}
		return k
	}
	if lo.src.IsV() != hi.src.IsV() || lo.src.Index()%2 != 0 || hi.src != lo.src+1 || hi.src == ir.RegNull {
		return -1
	}
	return k
}

func (d *destroyer) emit64(i, k int) {
	lo, hi := &d.moves[i], &d.moves[k]
	if hi.dst < lo.dst {
		lo, hi = hi, lo
	}
	code, class := amdgpu.SMovB64, ir.SGPR
	if lo.dst.IsV() {
		code, class = amdgpu.VMovB64, ir.VGPR
	}
	var src *ir.Value
	switch {
	case lo.src == ir.NoReg:
		src = builtin.ConstInt(&d.bl, ir.B64, uint64(hi.imm)<<32|uint64(lo.imm))
	case lo.src.IsV():
		src = d.name(lo.src, ir.Regs(ir.VGPR, 2))
	default:
		src = d.name(lo.src, ir.Regs(ir.SGPR, 2))
	}
	d.bl.Value(code, 0, ir.Regs(class, 2), src).Reg = lo.dst
	d.finish(i)
	d.finish(k)
}

func (d *destroyer) emit32(m *move) {
	code, class := amdgpu.SMovB32, ir.SGPR
	if m.dst.IsV() {
		code, class = amdgpu.VMovB32, ir.VGPR
	}
	var src *ir.Value
	switch {
	case m.src == ir.NoReg:
		src = builtin.ConstInt(&d.bl, ir.B32, uint64(m.imm))
	case m.src.IsV():
		if !m.dst.IsV() {
			panic("machine: a copy from a vector to a scalar register")
		}
		src = d.name(m.src, ir.Regs(ir.VGPR, 1))
	default:
		src = d.name(m.src, ir.Regs(ir.SGPR, 1))
	}
	d.bl.Value(code, 0, ir.Regs(class, 1), src).Reg = m.dst
}

// breakCycle makes the moves of a cycle, that of move i among them, ready.
func (d *destroyer) breakCycle(i int) {
	m := &d.moves[i]
	if !m.dst.IsV() {
		// Whoever reads the destination reads m0 instead. Nothing else uses m0:
		// LDS instructions of GFX9 and later do not.
		d.emit32(&move{dst: ir.RegM0, src: m.dst})
		d.redirect(m.dst, ir.RegM0)
		d.ready = append(d.ready, i)
		return
	}
	d.swap(m.dst, m.src)
	// The destination has its value now, and its old one is in the source.
	from, to := m.src, m.dst
	d.readBy[from]--
	m.done = true
	d.redirect(to, from)
	for k := range d.moves {
		x := &d.moves[k]
		if !x.done && x.src == x.dst {
			x.done = true
			d.readBy[x.src]--
		}
	}
	if k := int(d.into[from]) - 1; k >= 0 && !d.moves[k].done && d.readBy[from] == 0 {
		d.ready = append(d.ready, k)
	}
}

// redirect makes the moves that read register from read to.
func (d *destroyer) redirect(from, to ir.Reg) {
	for k := range d.moves {
		if x := &d.moves[k]; !x.done && x.src == from {
			x.src = to
			d.readBy[from]--
			d.readBy[to]++
		}
	}
}

// swap exchanges two vector registers.
func (d *destroyer) swap(x, y ir.Reg) {
	t := ir.Regs(ir.VGPR, 1)
	vx, vy := d.name(x, t), d.name(y, t)
	d.bl.Value(amdgpu.VXorB32, 0, t, vx, vy).Reg = x
	d.bl.Value(amdgpu.VXorB32, 0, t, vx, vy).Reg = y
	d.bl.Value(amdgpu.VXorB32, 0, t, vx, vy).Reg = x
}
