package passes

import (
	"cmp"
	"slices"

	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Scalar replacement of private variables whose accesses all have constant
// offsets: each element becomes a value, passed through block arguments where
// control flow joins.
//
//	%a = pisa.addrof.32b @v : 32b
//	pisa.st.private.32b [%a + 4], %x
//	%l = pisa.ld.private.32b [%a + 4] : 32b
//	=> %l is %x, and @v is gone
//
// A variable stays, with a remark that says why, if its address is used for
// anything else, if an access is out of its bounds, or if accesses of different
// element size or phase overlap. Bytes that nothing has written read as zero,
// as in the interpreter.
var sroaPass = &Pass{
	Name: "sroa", Doc: "Split private variables into values.",
	Stats: []string{"variables", "loads", "stores", "block arguments"},
	Needs: PISA, Keeps: analysis.KeepCFG,
	Func: sroa,
}

// slot is one element of a variable: what becomes a value.
type slot struct {
	v        int32 // index into splitter.vars
	off      uint32
	typ      ir.Type
	live     []*ir.Block // live into
	defs     []*ir.Block // written in
	exposed  []*ir.Block // read before it is written
	lastSeen *ir.Block   // the block of the last access, in order of the walk
}

// access is a load or store of consecutive slots.
type access struct {
	op    *ir.Op
	v     int32
	off   uint32
	first int32 // slot; -1 before there are slots
	n     int32
}

// candidate is a private variable under study.
type candidate struct {
	v        *ir.Var
	accesses []access
	address  []*ir.Op // addrof, and sums of it and constants; a sum behind its operands
	reason   string   // why it stays; "" if it need not
	at       ir.Loc
	gone     bool // it becomes values
}

// lane is a value, or an element of a vector not yet extracted.
type lane struct {
	v     *ir.Value
	index int // -1: all of v
}

type splitter struct {
	c     *Ctx
	f     *ir.Func
	vars  []candidate
	slots []slot
	byOp  []access // by Op.ID; op nil: none
	in    [][]int32
	entry [][]lane // by Block.ID: values of in, for blocks with one predecessor
	cur   []lane   // by slot
	args  []*ir.Value
	bl    ir.Builder
	zero  [4]*ir.Value // of 8, 16, 32 and 64 bits, in the entry block
}

func sroa(c *Ctx, f *ir.Func) bool {
	s := splitter{c: c, f: f}
	for _, v := range f.Vars {
		if v.Space == ir.SpacePrivate {
			s.vars = append(s.vars, candidate{v: v})
		}
	}
	if len(s.vars) == 0 {
		return false
	}
	s.collect()
	for i := range s.vars {
		s.cut(int32(i))
	}
	if len(s.slots) == 0 {
		s.remarks()
		return false
	}
	s.liveness()
	gone := 0
	for i := range s.vars {
		if v := &s.vars[i]; v.reason == "" && len(v.address) > 0 && c.May() {
			v.gone = true
			gone++
		}
	}
	s.remarks()
	if gone == 0 {
		return false
	}
	s.promote()
	c.Count(0, gone)
	return true
}

// collect finds the uses of each variable's address.
func (s *splitter) collect() {
	index := make(map[ir.Aux]int32, len(s.vars))
	for i := range s.vars {
		index[s.vars[i].v.Symbol()] = int32(i)
	}
	for b := s.f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code != pisa.AddrOf && op.Code != pisa.AddrCast || op.Aux == 0 {
				continue
			}
			if i, ok := index[op.Aux]; ok {
				s.follow(&s.vars[i], i, op)
			}
		}
	}
}

// follow walks from an addrof to all uses.
func (s *splitter) follow(c *candidate, index int32, root *ir.Op) {
	if root.Code != pisa.AddrOf {
		c.keep(root, "its address is converted to the generic space")
		return
	}
	type addr struct {
		op  *ir.Op
		off uint32
	}
	work := []addr{{root, 0}}
	for len(work) > 0 {
		a := work[len(work)-1]
		work = work[:len(work)-1]
		c.address = append(c.address, a.op)
		v := a.op.Result(0)
		for u := v.FirstUse(); u != nil; u = u.NextUse() {
			op := u.User()
			switch op.Code {
			case pisa.IAdd:
				d, ok := pisa.ConstBits(op.Operand(1))
				if op.Operand(1) == v {
					d, ok = pisa.ConstBits(op.Operand(0))
				}
				if !ok || pisa.Has(op.Props, pisa.FDsat) {
					c.keep(op, "it is accessed at an offset that is not constant")
					return
				}
				work = append(work, addr{op, a.off + uint32(d)})
			case pisa.Ld, pisa.St:
				off, ok := accessOffset(op, v)
				if !ok {
					c.keep(op, "it is accessed at an offset that is not constant, or its address is stored")
					return
				}
				x := access{op: op, v: index, off: a.off + off, first: -1, n: int32(pisa.LanesOf(op.Props))}
				if size := uint64(pisa.TypeOf(op.Props).Info().Bits/8) * uint64(x.n); uint64(x.off)+size > c.v.Size {
					c.keep(op, "an access is not within its bounds")
					return
				}
				c.accesses = append(c.accesses, x)
			default:
				c.keep(op, "its address is used by "+op.Def().Name)
				return
			}
		}
	}
}

// accessOffset returns the constant offset of a weak private access whose base,
// and nothing else, is v.
func accessOffset(op *ir.Op, v *ir.Value) (uint32, bool) {
	if pisa.SpaceOf(op.Props) != ir.SpacePrivate || pisa.OrderOf(op.Props) != pisa.Weak || op.Operand(0) != v {
		return 0, false
	}
	n, off, ok := 1, uint64(0), true
	if ir.HasOffset.Get(op.Props) != 0 {
		off, ok = pisa.ConstBits(op.Operand(1))
		if op.Operand(1).Type == ir.B16 {
			off = uint64(int64(int16(off)))
		}
		n = 2
	}
	return uint32(off), ok && (op.Code == pisa.Ld || op.Operand(n) != v)
}

func (c *candidate) keep(op *ir.Op, reason string) { c.reason, c.at = reason, op.Loc }

// cut divides variable i into slots.
func (s *splitter) cut(i int32) {
	c := &s.vars[i]
	if c.reason != "" || len(c.accesses) == 0 {
		return
	}
	slices.SortStableFunc(c.accesses, func(a, b access) int { return cmp.Compare(a.off, b.off) })
	first, end := len(s.slots), uint64(0) // end of the last slot
	for k := range c.accesses {
		a := &c.accesses[k]
		t := pisa.TypeOf(a.op.Props).Info().Reg
		size := uint32(t.ElemBits() / 8)
		for l := range uint32(a.n) {
			off := a.off + l*size
			at := len(s.slots)
			for at > first && s.slots[at-1].off > off {
				at--
			}
			if at > first && s.slots[at-1].off == off && s.slots[at-1].typ == t {
				at--
			} else if at == len(s.slots) && uint64(off) >= end {
				s.slots = append(s.slots, slot{v: i, off: off, typ: t})
				end = uint64(off) + uint64(size)
			} else {
				c.keep(a.op, "accesses of different parts overlap")
				s.slots = s.slots[:first]
				return
			}
			if l == 0 {
				a.first = int32(at)
			}
		}
	}
}

// liveness finds where slots are live into blocks. A variable whose slots are
// live in so many blocks that arguments would outnumber the ops stays.
func (s *splitter) liveness() {
	s.byOp = make([]access, s.f.NumOps())
	for i := range s.vars {
		if c := &s.vars[i]; c.reason == "" {
			for _, a := range c.accesses {
				s.byOp[a.op.ID] = a
			}
		}
	}
	dom := s.c.Dom()
	for _, b := range dom.RPO() {
		for op := b.First(); op != nil; op = op.Next() {
			a := &s.byOp[op.ID]
			if a.op == nil {
				continue
			}
			for k := a.first; k < a.first+a.n; k++ {
				s.touch(&s.slots[k], b, op.Code == pisa.St)
			}
		}
	}
	written := make([]int32, s.f.NumBlockIDs()) // 1 + the last slot written in the block
	seen := make([]int32, s.f.NumBlockIDs())
	budget := 4*s.f.NumOps() + 4096
	var work []*ir.Block
	for k := range s.slots {
		sl, id := &s.slots[k], int32(k)+1
		for _, b := range sl.defs {
			written[b.ID] = id
		}
		reach := func(b *ir.Block) {
			if seen[b.ID] != id && dom.Reachable(b) {
				seen[b.ID] = id
				sl.live = append(sl.live, b)
				work = append(work, b)
			}
		}
		for _, b := range sl.exposed {
			reach(b)
		}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if len(sl.live) > budget {
				s.vars[sl.v].keep(s.vars[sl.v].accesses[0].op, "it is live in too many blocks")
				work = work[:0]
				break
			}
			for e := b.FirstPred(); e != nil; e = e.NextPred() {
				if written[e.From().ID] != id {
					reach(e.From())
				}
			}
		}
		budget -= len(sl.live)
	}
}

// touch notes an access; blocks come in reverse postorder.
func (s *splitter) touch(sl *slot, b *ir.Block, write bool) {
	first := sl.lastSeen != b
	sl.lastSeen = b
	switch {
	case !write && first:
		sl.exposed = append(sl.exposed, b)
	case write && (len(sl.defs) == 0 || sl.defs[len(sl.defs)-1] != b):
		sl.defs = append(sl.defs, b)
	}
}

func (s *splitter) remarks() {
	if !s.c.WantsRemarks() {
		return
	}
	for i := range s.vars {
		c := &s.vars[i]
		switch {
		case c.gone:
			s.c.Remark(Passed, "Promoted", s.f, c.v.Loc, "private variable @%s of %d bytes became values", c.v.Name, c.v.Size)
		case c.reason != "":
			s.c.Remark(Missed, "NotPromoted", s.f, c.at, "private variable @%s stays in memory: %s", c.v.Name, c.reason)
		}
	}
}

// promote replaces the variables' accesses by values.
func (s *splitter) promote() {
	s.in = make([][]int32, s.f.NumBlockIDs())
	s.entry = make([][]lane, s.f.NumBlockIDs())
	for k := range s.slots {
		if s.vars[s.slots[k].v].gone {
			for _, b := range s.slots[k].live {
				s.in[b.ID] = append(s.in[b.ID], int32(k))
			}
		}
	}
	for i := range s.vars {
		if !s.vars[i].gone {
			for _, a := range s.vars[i].accesses {
				s.byOp[a.op.ID] = access{}
			}
		}
	}
	dom := s.c.Dom()
	for _, b := range dom.RPO() {
		if b.NumPreds() > 1 {
			for _, k := range s.in[b.ID] {
				s.args = append(s.args, b.AddArg(s.slots[k].typ))
			}
		}
	}
	s.cur = make([]lane, len(s.slots))
	for _, b := range dom.RPO() {
		s.block(b)
	}
	if len(dom.RPO()) < s.f.NumBlocks() {
		s.unreachable(dom)
	}
	s.c.Count(3, len(s.args)-foldArgs(s.args))
	dead := make(map[*ir.Var]bool, len(s.vars))
	for i := range s.vars {
		v := &s.vars[i]
		for k := len(v.address) - 1; k >= 0 && v.gone; k-- {
			v.address[k].Erase()
		}
		dead[v.v] = v.gone
	}
	s.f.Vars = slices.DeleteFunc(s.f.Vars, func(v *ir.Var) bool { return dead[v] })
}

// unreachable renames in blocks that are never executed, where any value will
// do.
func (s *splitter) unreachable(dom *ir.Dom) {
	for k := range s.cur {
		s.cur[k] = lane{s.zeroOf(s.slots[k].typ), -1}
	}
	for b := s.f.FirstBlock(); b != nil; b = b.Next() {
		if !dom.Reachable(b) {
			s.block(b)
		}
	}
}

// block renames within b, whose predecessors' ends are known if it is not a
// join.
func (s *splitter) block(b *ir.Block) {
	in := s.in[b.ID]
	for i, k := range in {
		switch {
		case b.NumPreds() > 1:
			s.cur[k] = lane{b.Arg(b.NumArgs() - len(in) + i), -1}
		case s.entry[b.ID] != nil:
			s.cur[k] = s.entry[b.ID][i]
		default: // the function's entry
			s.cur[k] = lane{s.zeroOf(s.slots[k].typ), -1}
		}
	}
	for op := b.First(); op != nil; {
		next := op.Next()
		if int(op.ID) < len(s.byOp) && s.byOp[op.ID].op != nil {
			s.replace(op, &s.byOp[op.ID])
		}
		op = next
	}
	last := b.Last()
	s.bl.Before(last)
	s.bl.Loc = last.Loc
	for i := range last.NumSuccs() {
		e := last.Succ(i)
		to := e.To()
		for _, k := range s.in[to.ID] {
			if to.NumPreds() > 1 {
				e.AppendArg(s.value(k))
			} else {
				s.entry[to.ID] = append(s.entry[to.ID], s.cur[k])
			}
		}
	}
}

// replace does away with one access.
func (s *splitter) replace(op *ir.Op, a *access) {
	if op.Code == pisa.St {
		v := op.Operand(op.NumOperands() - 1)
		for i := range a.n {
			s.cur[a.first+i] = lane{v, int(i)}
			if a.n == 1 {
				s.cur[a.first].index = -1
			}
		}
		op.Erase()
		s.c.Count(2, 1)
		return
	}
	s.bl.Before(op)
	s.bl.Loc = op.Loc
	op.Result(0).ReplaceUses(s.whole(a, op.Result(0).Type))
	op.Erase()
	s.c.Count(1, 1)
}

// whole returns the slots of a load as one value of type t.
func (s *splitter) whole(a *access, t ir.Type) *ir.Value {
	if a.n == 1 {
		return s.value(a.first)
	}
	from, one := s.cur[a.first].v, s.cur[a.first].v.Type == t
	for i := range a.n {
		l := s.cur[a.first+i]
		one = one && l.v == from && l.index == int(i)
	}
	if one {
		return from
	}
	v := builtin.ConstInt(&s.bl, t, 0)
	for i := range a.n {
		v = s.bl.Value(pisa.Insert, elemProps(t, int(i)), t, v, s.value(a.first+i))
	}
	return v
}

// elemProps is the Props of an extract or insert of element i of t.
func elemProps(t ir.Type, i int) uint64 {
	return pisa.FType.Put(uint64(pisa.PlainType(t.Elem()))) | pisa.FIndex.Put(uint64(i))
}

// value returns slot k as a scalar at the insertion point.
func (s *splitter) value(k int32) *ir.Value {
	if l := s.cur[k]; l.index >= 0 {
		t := l.v.Type.Elem()
		s.cur[k] = lane{s.bl.Value(pisa.Extract, elemProps(t, l.index), t, l.v), -1}
	}
	return s.cur[k].v
}

// foldArgs removes block arguments, in reverse postorder, for which every edge
// passes one value or the argument itself, and returns how many. In irreducible
// graphs some stay.
func foldArgs(args []*ir.Value) (removed int) {
	const rounds = 8 // one for each level of loops that values are carried around unchanged
	gone := make([]bool, len(args))
	for range rounds {
		before := removed
		for i, v := range args {
			if x := onlyInput(v); x != nil && !gone[i] {
				v.ReplaceUses(x)
				gone[i] = true
				removed++
			}
		}
		if removed == before {
			break
		}
	}
	for i := len(args) - 1; i >= 0; i-- {
		if gone[i] {
			args[i].Block().RemoveArg(args[i].Index())
		}
	}
	return removed
}

// onlyInput returns the one value beside itself that block argument v takes.
func onlyInput(v *ir.Value) (only *ir.Value) {
	for e := v.Block().FirstPred(); e != nil; e = e.NextPred() {
		switch x := e.Arg(v.Index()); {
		case x == v || x == only:
		case only == nil:
			only = x
		default:
			return nil
		}
	}
	return only
}

func (s *splitter) zeroOf(t ir.Type) *ir.Value {
	z := &s.zero[t.ElemBits()/16&3]
	if t == ir.B64 {
		z = &s.zero[3]
	}
	if *z == nil {
		bl := ir.Builder{}
		bl.Before(s.f.Entry().First())
		*z = builtin.ConstInt(&bl, t, 0)
	}
	return *z
}
