package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/dialects/builtin"
	"pisac/ir"
)

// reload is what an operand of the op at hand became.
type reload struct{ of, value *ir.Value }

func (s *spillState) isTemp(v *ir.Value) bool { return int(v.ID) < len(s.temp) && s.temp[v.ID] }

// mark makes v a temporary: spilled no more.
func (s *spillState) mark(v *ir.Value) *ir.Value {
	for int(v.ID) >= len(s.temp) {
		s.temp = append(s.temp, false)
	}
	s.temp[v.ID] = true
	return v
}

// placeOf is where v is in memory, and its register's number there; nil if it
// is not spilled.
func (ra *allocator) placeOf(v *ir.Value) (p *place, off int) {
	if int(v.ID) >= len(ra.unit) || ra.unit[v.ID] < 0 {
		return nil, 0
	}
	u, o := ra.find(int32(v.ID))
	if k := ra.sp.chosen[u]; k != 0 {
		return &ra.sp.places[k-1], int(o)
	}
	return nil, 0
}

// rewrite puts in the loads and stores of the units chosen.
func (ra *allocator) rewrite() {
	s := &ra.sp
	s.dead, s.spilled = s.dead[:0], s.spilled[:0]
	old := uint32(ra.f.NumOps())
	for _, b := range ra.order {
		at := copyPoint(b)
		for op := b.First(); op != nil; {
			next := op.Next()
			if op == at {
				ra.rewriteEdge(b, at)
			}
			if op.ID < old {
				ra.rewriteOp(op)
			}
			op = next
		}
	}
	for _, b := range ra.order {
		for i, v := range b.Args() {
			if p, _ := ra.placeOf(v); p != nil {
				s.spilled = append(s.spilled, v)
				for e := b.FirstPred(); e != nil; e = e.NextPred() {
					e.SetArg(i, nil)
				}
			}
		}
	}
	for i := len(s.dead) - 1; i >= 0; i-- {
		s.dead[i].Erase()
	}
	for i := len(s.spilled) - 1; i >= 0; i-- {
		v := s.spilled[i]
		v.Block().RemoveArg(v.Index())
	}
	wave := ra.c.Target.Wave
	ra.vlimit = ra.vmax - (s.lanes+wave-1)/wave
}

// rewriteOp loads spilled operands and stores spilled results of op.
func (ra *allocator) rewriteOp(op *ir.Op) {
	s := &ra.sp
	s.bl.Before(op)
	s.bl.Loc = op.Loc
	switch op.Code {
	case amdgpu.PCopy, amdgpu.PExtract, amdgpu.PBuild:
		if ra.rewriteCopy(op) {
			return
		}
	}
	s.loads = s.loads[:0]
	for i := range op.NumPlainOperands() {
		x := op.Operand(i)
		p, off := ra.placeOf(x)
		if p == nil {
			continue
		}
		var v *ir.Value
		for _, l := range s.loads {
			if l.of == x {
				v = l.value
			}
		}
		if v == nil {
			v = s.mark(ra.load(p, off, x.Type.Lanes()))
			s.loads = append(s.loads, reload{x, v})
		}
		op.SetOperand(i, v)
	}
	for i := range op.NumResults() {
		r := op.Result(i)
		p, off := ra.placeOf(r)
		if p == nil {
			continue
		}
		if p.remat != nil {
			s.dead = append(s.dead, op)
			continue
		}
		s.mark(r)
		after := op
		for after.Code == amdgpu.PLivein && after.Next().Code == amdgpu.PLivein {
			after = after.Next()
		}
		s.bl.Before(after.Next())
		ra.store(p, off, r)
	}
}

// rewriteCopy treats a copy, or a part or a whole of a tuple; it reports
// whether that is all.
func (ra *allocator) rewriteCopy(op *ir.Op) bool {
	s := &ra.sp
	r := op.Result(0)
	pr, offR := ra.placeOf(r)
	if op.Code == amdgpu.PExtract {
		x := op.Operand(0)
		px, offX := ra.placeOf(x)
		if px == nil {
			return false
		}
		offX += int(op.Field(amdgpu.FIndex))
		switch {
		case pr == nil:
			r.ReplaceUses(ra.load(px, offX, r.Type.Lanes()))
		case pr != px || offR != offX:
			ra.store(pr, offR, s.mark(ra.load(px, offX, r.Type.Lanes())))
		}
		s.dead = append(s.dead, op)
		return true
	}
	if pr == nil || pr.remat != nil {
		return false
	}
	// Parts that change places within the unit are all loaded before any is
	// stored.
	s.loads = s.loads[:0]
	for i, at := 0, offR; i < op.NumOperands(); i++ {
		x := op.Operand(i)
		if px, offX := ra.placeOf(x); px == pr && offX != at {
			s.loads = append(s.loads, reload{x, ra.inRegister(x, pr.class)})
		}
		at += registers(x)
	}
	loaded := 0
	for i := range op.NumOperands() {
		x := op.Operand(i)
		n := registers(x)
		switch px, offX := ra.placeOf(x); {
		case px != pr:
			ra.store(pr, offR, ra.inRegister(x, pr.class))
		case offX != offR:
			ra.store(pr, offR, s.loads[loaded].value)
			loaded++
		}
		offR += n
	}
	s.dead = append(s.dead, op)
	return true
}

// inRegister is x in registers of the class.
func (ra *allocator) inRegister(x *ir.Value, class ir.RegClass) *ir.Value {
	s := &ra.sp
	p, off := ra.placeOf(x)
	switch {
	case p != nil:
		x = s.mark(ra.load(p, off, x.Type.Lanes()))
		if x.Type.Class() == class {
			return x
		}
	case x.Type.Class() == class:
		return x
	}
	return s.mark(s.bl.Value(amdgpu.PCopy, 0, ir.Regs(class, registers(x)), x))
}

// transfer is what an edge passes to a spilled argument.
type transfer struct {
	to     *place
	off    int
	x      *ir.Value
	loaded *ir.Value
	done   bool
}

// rewriteEdge loads and stores what the edge of b passes, before op at.
func (ra *allocator) rewriteEdge(b *ir.Block, at *ir.Op) {
	s := &ra.sp
	s.bl.Before(at)
	s.bl.Loc = b.Last().Loc
	e := b.Last().Succ(0)
	var list []transfer
	for i, a := range e.To().Args() {
		x := e.Arg(i)
		pa, offA := ra.placeOf(a)
		px, offX := ra.placeOf(x)
		switch {
		case pa == nil && px != nil:
			e.SetArg(i, ra.load(px, offX, a.Type.Lanes()))
		case pa != nil && (px != pa || offX != offA):
			list = append(list, transfer{to: pa, off: offA, x: x})
		}
	}
	for left := len(list); left > 0; {
		before := left
		for i := range list {
			if t := &list[i]; !t.done && !ra.readLater(list, i) {
				ra.store(t.to, t.off, ra.inRegister(t.x, t.to.class))
				t.done = true
				left--
			}
		}
		if left < before {
			continue
		}
		for i := range list {
			if t := &list[i]; !t.done {
				t.loaded = ra.inRegister(t.x, t.to.class)
			}
		}
		for i := range list {
			if t := &list[i]; !t.done {
				ra.store(t.to, t.off, t.loaded)
			}
		}
		return
	}
}

// readLater reports whether another transfer that is still to be done reads
// the place that transfer i writes.
func (ra *allocator) readLater(list []transfer, i int) bool {
	for k := range list {
		if k == i || list[k].done {
			continue
		}
		if p, _ := ra.placeOf(list[k].x); p == list[i].to {
			return true
		}
	}
	return false
}

// load makes n registers of what is at p, from its register off on.
func (ra *allocator) load(p *place, off, n int) *ir.Value {
	s := &ra.sp
	if p.remat != nil {
		return s.bl.Value(p.remat.Code, p.remat.Props, p.remat.Result(0).Type, operandsOf(p.remat)...)
	}
	var parts []*ir.Value
	if p.class == ir.SGPR {
		for l := range n {
			reg, lane := ra.spillLane(p.at + off + l)
			parts = append(parts, s.bl.Value(amdgpu.VReadlaneB32, 0, ir.Regs(ir.SGPR, 1), reg, lane))
		}
	} else {
		for k := 0; k < n; k += 4 {
			c := min(n-k, 4)
			code, props, operands := ra.scratch(amdgpu.LoadB32, c, p.at+off+k)
			parts = append(parts, s.bl.Value(code, props, ir.Regs(ir.VGPR, c), operands...))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	for _, v := range parts {
		s.mark(v)
	}
	return s.bl.Value(amdgpu.PBuild, 0, ir.Regs(p.class, n), parts...)
}

func operandsOf(op *ir.Op) (vs []*ir.Value) {
	for i := range op.NumOperands() {
		vs = append(vs, op.Operand(i))
	}
	return vs
}

// store puts the registers of v at p, its register off and on.
func (ra *allocator) store(p *place, off int, v *ir.Value) {
	s := &ra.sp
	n := v.Type.Lanes()
	part := func(k, c int) *ir.Value {
		if c == n {
			return v
		}
		return s.mark(s.bl.Value(amdgpu.PExtract, amdgpu.FIndex.Put(uint64(k)), ir.Regs(p.class, c), v))
	}
	if p.class == ir.SGPR {
		for l := range n {
			reg, lane := ra.spillLane(p.at + off + l)
			x := part(l, 1)
			s.bl.Value(amdgpu.VWritelaneB32, 0, reg.Type, x, lane, reg).Reg = reg.Reg
		}
		return
	}
	for k := 0; k < n; k += 4 {
		c := min(n-k, 4)
		x := part(k, c)
		code, props, operands := ra.scratch(amdgpu.StoreB32, c, p.at+off+k)
		s.bl.Op(code, props, append(operands, x)...)
	}
}

// scratch is the instruction for n registers at a dword of scratch memory:
// first is that for one register.
func (ra *allocator) scratch(first amdgpu.Elem, n, dword int) (code ir.Code, props uint64, operands []*ir.Value) {
	s := &ra.sp
	code = amdgpu.Mem(amdgpu.Scratch, first+amdgpu.Elem(n-1))
	_, hi := amdgpu.OffsetRange(ra.c.Target, amdgpu.Scratch)
	at := uint64(4 * dword)
	if at <= uint64(hi) {
		return code, amdgpu.FOffset.Put(at), nil
	}
	m0 := s.bl.Value(amdgpu.SMovB32, 0, ir.Regs(ir.SGPR, 1), builtin.ConstInt(&s.bl, ir.B32, at))
	m0.Reg = ir.RegM0
	return code, amdgpu.FSaddr.Put(1), []*ir.Value{m0}
}

// spillLane is the register that holds a spilled scalar register, and the lane.
func (ra *allocator) spillLane(k int) (reg, lane *ir.Value) {
	s := &ra.sp
	wave := ra.c.Target.Wave
	for len(s.regs) <= k/wave {
		at := ra.f.Entry().First()
		for at.Code == amdgpu.PLivein {
			at = at.Next()
		}
		var bl ir.Builder
		bl.Before(at)
		v := bl.Value(amdgpu.PReg, 0, ir.Regs(ir.VGPR, 1))
		v.Reg = spillReg(len(s.regs))
		s.regs = append(s.regs, v)
	}
	return s.regs[k/wave], builtin.ConstInt(&s.bl, ir.B32, uint64(k%wave))
}

// placeSpillLanes gives the spill registers those behind all others.
func (ra *allocator) placeSpillLanes() {
	if len(ra.sp.regs) == 0 {
		return
	}
	used := 0
	each := func(fn func(v *ir.Value)) {
		for _, b := range ra.order {
			for _, v := range b.Args() {
				fn(v)
			}
			for op := b.First(); op != nil; op = op.Next() {
				for i := range op.NumResults() {
					fn(op.Result(i))
				}
			}
		}
	}
	each(func(v *ir.Value) {
		if v.Reg.IsV() && v.Reg < spillReg(0) {
			used = max(used, v.Reg.Index()+v.Type.Lanes())
		}
	})
	each(func(v *ir.Value) {
		if v.Reg >= spillReg(0) {
			v.Reg = ir.VReg(used + int(v.Reg-spillReg(0)))
		}
	})
}

// SpillCounts is how many vector and scalar registers of f were spilled, and
// how many bytes of scratch memory a work-item needs for that and for its
// private variables. It looks at the instructions.
func SpillCounts(f *ir.Func) (vgprs, sgprs, scratchBytes int) {
	_, size := amdgpu.PrivateLayout(f)
	private := int(size)
	scratchBytes = private
	lanes := make(map[[2]uint32]bool)
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code == amdgpu.VWritelaneB32 {
				lane, _ := amdgpu.IsImm(op.Operand(1))
				lanes[[2]uint32{uint32(op.Result(0).Reg), uint32(lane)}] = true
			}
			fam, e, ok := amdgpu.MemOf(op.Code)
			if !ok || fam != amdgpu.Scratch {
				continue
			}
			at := int(op.Field(amdgpu.FOffset))
			if op.Field(amdgpu.FSaddr) != 0 && op.Operand(0).Reg == ir.RegM0 {
				x, _ := amdgpu.IsImm(op.Operand(0).Op().Operand(0))
				at = int(x)
			} else if op.NumOperands() == len(amdgpu.RowOf(op.Code).Operands) || at < private {
				continue // a private variable: at a vector address, or before all spills
			}
			scratchBytes = max(scratchBytes, at+e.Bytes())
		}
	}
	return (scratchBytes - private) / 4, len(lanes), scratchBytes
}
