package interp

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// control says what an instruction does to the flow of its fragment.
type control uint8

const (
	ctlNone control = iota // inst.run does it all
	ctlBr
	ctlCondBr
	ctlReturn
	ctlCall
	ctlCallIndirect
	ctlBarrier
	ctlUnreachable
)

// inst is a decoded op.
type inst struct {
	run       func(s *subgroup, in *inst, mask uint32)
	eval      pisa.Eval // of pure scalar ops
	fold, pre pisa.Eval // of reductions and atomics: combines; applied first
	op        *ir.Op
	mem       *memInst
	callee    *function
	pieces    *pieces
	edges     [2]edge
	args      []copyPair // copies; of a call, the words of its arguments in src
	imm       uint64     // a constant of run's own: value, offset, element count, mask
	src       [4]int32   // slots of the first operands
	dst, dst2 int32      // slots of the results; -1: none
	words     int32      // of the first result; of a return's value
	ctl       control
	variant   uint8 // direction, address tag or operand count, as run wants it
	segmented bool  // shfl.sg
}

// copyPair copies one word of a value.
type copyPair struct{ dst, src int32 }

// edge is a branch to a block: copies make its arguments, in an order that
// overwrites nothing still needed.
type edge struct {
	to     *block
	copies []copyPair
}

type block struct {
	insts []inst
	index int32  // in layout order
	join  *block // immediate post-dominator; nil: the end of the function
	ops   uint64
	moves uint64 // of these, those that name parts of registers
	count int    // index of its counters
}

// function is a decoded ir.Func.
type function struct {
	fn       *ir.Func
	blocks   []*block
	nslots   int32
	consts   []constSlot
	params   []copyPair // dst: slot of the parameter's word; src: its number in the call
	privSize uint64
	privInit []byte // shadow of a frame's private memory
	privVars []object
	code     uint64 // address
	taint    bool   // some constant stands for a register that nothing has written
}

// program is a decoded module for one launch.
type program struct {
	mod       *ir.Module
	funcs     map[*ir.Func]*function
	list      []*function
	shared    []object
	sharedLen uint64
	sharedFor []byte // initial shadow
	nblocks   int
	nmem      int
	blocks    []*block
	privNeed  bool
	crossing  bool // accesses to non-shared memory that synchronise groups
}

// object is a variable in shared or private memory.
type object struct {
	off, size uint64
	name      string
	v         *ir.Var
}

func (p *program) decode(eng *engine, fn *ir.Func) *function {
	if f := p.funcs[fn]; f != nil {
		return f
	}
	f := &function{fn: fn}
	p.funcs[fn] = f
	p.list = append(p.list, f)
	for _, v := range fn.Vars {
		if !eng.fits(v) {
			continue
		}
		switch v.Space {
		case ir.SpaceShared:
			p.placeShared(v, v.Size, v.Align, "@"+v.Name)
		case ir.SpacePrivate:
			f.placePrivate(v)
		case ir.SpaceConst:
			eng.mem.AddVar(v)
		}
	}
	if f.privSize > 0 {
		p.privNeed = true
	}
	return f
}

// fits reports that there is room for v in its memory; if not, the launch
// fails.
func (eng *engine) fits(v *ir.Var) bool {
	used, limit := &eng.globalLen, uint64(maxGlobal)
	switch v.Space {
	case ir.SpaceShared:
		used, limit = &eng.sharedLen, maxShared
	case ir.SpacePrivate:
		used, limit = new(uint64), maxPrivate
	}
	need := v.Size + uint64(v.Align) + redzone
	if v.Size > limit || *used+need > limit {
		if eng.tooLarge == nil {
			eng.tooLarge = badLaunch(v.Loc, "variable @%s of %d bytes: a run has at most %d bytes of %s memory", v.Name, v.Size, limit, v.Space)
		}
		return false
	}
	*used += need
	return true
}

// Shared memory is padded so that variables do not touch: an access that runs
// over the end of one is seen.
const redzone = 32

func (p *program) placeShared(v *ir.Var, size uint64, align uint32, name string) object {
	a := max(uint64(align), 16)
	off := (p.sharedLen + a - 1) &^ (a - 1)
	o := object{off, size, name, v}
	p.shared = append(p.shared, o)
	p.sharedLen = off + (size+15)&^15 + redzone
	p.sharedFor = shadowOf(p.sharedFor, p.sharedLen, off, size)
	return o
}

func (f *function) placePrivate(v *ir.Var) {
	a := max(uint64(v.Align), 16)
	off := (f.privSize + a - 1) &^ (a - 1)
	f.privVars = append(f.privVars, object{off, v.Size, "@" + v.Name, v})
	f.privSize = off + (v.Size+15)&^15 + redzone
	f.privInit = shadowOf(f.privInit, f.privSize, off, v.Size)
}

func shadowOf(s []byte, total, off, size uint64) []byte {
	for uint64(len(s)) < total {
		s = append(s, shNone)
	}
	for i := range size {
		s[off+i] = shUninit
	}
	return s
}

// build decodes the body of f.
func (f *function) build(eng *engine) {
	p := eng.prog
	fn := f.fn
	slots := allocSlots(fn, eng.launch.WarnUnwritten)
	irBlocks := make([]*ir.Block, 0, fn.NumBlocks())
	index := make([]int32, fn.NumBlockIDs())
	for b := fn.FirstBlock(); b != nil; b = b.Next() {
		index[b.ID] = int32(len(irBlocks))
		f.blocks = append(f.blocks, &block{index: int32(len(irBlocks)), count: p.nblocks})
		p.nblocks++
		irBlocks = append(irBlocks, b)
	}
	p.blocks = append(p.blocks, f.blocks...)
	var post ir.PostDom // lanes that parted meet again at the post-dominator
	post.Compute(fn)
	for i, b := range irBlocks {
		if j := post.Ipdom(b); j != nil {
			f.blocks[i].join = f.blocks[index[j.ID]]
		}
	}
	d := decoder{eng: eng, f: f, slots: slots, index: index}
	for i, b := range irBlocks {
		d.block(f.blocks[i], b)
	}
	if entry := fn.Entry(); entry != nil && fn.Kind == ir.FuncDevice {
		word := int32(0)
		for _, v := range entry.Args() {
			for w := range int32(shapeOf(v.Type).words) {
				f.params = append(f.params, copyPair{slots.of(v) + w, word})
				word++
			}
		}
	}
	f.nslots, f.consts = slots.n, slots.consts
	for _, c := range f.consts {
		f.taint = f.taint || c.never
	}
}

type decoder struct {
	eng   *engine
	f     *function
	slots *slotAlloc
	index []int32
}

func (d *decoder) block(b *block, src *ir.Block) {
	n := 0
	for o := src.First(); o != nil; o = o.Next() {
		if o.Code != builtin.Const {
			n++
		}
	}
	b.insts = make([]inst, 0, n)
	for o := src.First(); o != nil; o = o.Next() {
		if o.Code == builtin.Const {
			continue
		}
		switch o.Code {
		case pisa.Extract, pisa.Insert, pisa.Bitcast:
			b.moves++
		}
		b.insts = append(b.insts, inst{op: o, dst: -1, dst2: -1})
		d.inst(&b.insts[len(b.insts)-1], o)
	}
	b.ops = uint64(n)
}

// inst decodes o into in.
func (d *decoder) inst(in *inst, o *ir.Op) {
	if o.NumResults() > 0 {
		in.dst = d.slots.of(o.Result(0))
		in.words = int32(shapeOf(o.Result(0).Type).words)
	}
	if o.NumResults() > 1 {
		in.dst2 = d.slots.of(o.Result(1))
	}
	for i := 0; i < min(o.NumPlainOperands(), 4); i++ {
		in.src[i] = d.slots.of(o.Operand(i))
	}
	switch o.Code {
	case builtin.Br:
		in.ctl = ctlBr
		in.edges[0] = d.edge(o.Succ(0))
	case builtin.CondBr:
		in.ctl = ctlCondBr
		in.edges[0], in.edges[1] = d.edge(o.Succ(0)), d.edge(o.Succ(1))
	case builtin.Return:
		in.ctl = ctlReturn
		in.words = 0
		if o.NumOperands() > 0 {
			in.words = int32(shapeOf(o.Operand(0).Type).words)
		}
	case builtin.Call:
		in.ctl = ctlCall
		in.callee = d.eng.prog.funcs[d.f.fn.Module().Symbol(o.Aux).Func]
		in.args = d.callArgs(o, 0)
	case builtin.CallIndirect:
		in.ctl = ctlCallIndirect
		in.args = d.callArgs(o, 1)
	case builtin.Unreachable:
		in.ctl = ctlUnreachable
	case builtin.ParallelCopy:
		in.run = runCopies
		for i := range o.NumOperands() {
			in.args = d.words(in.args, d.slots.of(o.Result(i)), d.slots.of(o.Operand(i)), o.Operand(i).Type)
		}
		in.args = d.sequence(in.args)
	case pisa.BarrierWorkgroup:
		in.ctl = ctlBarrier
	default:
		d.pisa(in, o)
	}
}

// callArgs lists the words of o's operands from the first on; their dst is not
// used.
func (d *decoder) callArgs(o *ir.Op, first int) []copyPair {
	var out []copyPair
	for i := first; i < o.NumOperands(); i++ {
		out = d.words(out, 0, d.slots.of(o.Operand(i)), o.Operand(i).Type)
	}
	return out
}

func (d *decoder) words(out []copyPair, dst, src int32, t ir.Type) []copyPair {
	for w := range int32(shapeOf(t).words) {
		out = append(out, copyPair{dst + w, src + w})
	}
	return out
}

func (d *decoder) edge(e *ir.Edge) edge {
	out := edge{to: d.f.blocks[d.index[e.To().ID]]}
	for i := range e.NumArgs() {
		out.copies = d.words(out.copies, d.slots.of(e.To().Arg(i)), d.slots.of(e.Arg(i)), e.Arg(i).Type)
	}
	out.copies = d.sequence(out.copies)
	return out
}

// sequence orders parallel copies so that none overwrites the source of a
// later one; cycles go through a spare slot.
func (d *decoder) sequence(in []copyPair) []copyPair {
	readers := make(map[int32]int, len(in)) // pending copies that read a slot
	pending := make(map[int32]copyPair, len(in))
	var todo []int32
	for _, c := range in {
		if c.dst != c.src {
			readers[c.src]++
			pending[c.dst] = c
			todo = append(todo, c.dst)
		}
	}
	out := make([]copyPair, 0, len(pending))
	ready := make([]int32, 0, len(todo))
	for _, t := range todo {
		if readers[t] == 0 {
			ready = append(ready, t)
		}
	}
	for next := 0; len(pending) > 0; {
		for len(ready) > 0 {
			t := ready[len(ready)-1]
			ready = ready[:len(ready)-1]
			c, ok := pending[t]
			if !ok {
				continue
			}
			delete(pending, t)
			out = append(out, c)
			if readers[c.src]--; readers[c.src] == 0 {
				if _, waits := pending[c.src]; waits {
					ready = append(ready, c.src)
				}
			}
		}
		for next < len(todo) {
			if _, ok := pending[todo[next]]; ok {
				break
			}
			next++
		}
		if len(pending) == 0 {
			break
		}
		// Every slot left is read by another copy: save one and let its
		// readers take the spare.
		t := todo[next]
		spare := d.slots.fresh(1)
		out = append(out, copyPair{spare, t})
		for _, u := range todo {
			if c, ok := pending[u]; ok && c.src == t {
				c.src = spare
				pending[u] = c
			}
		}
		readers[t] = 0
		ready = append(ready, t)
	}
	return out
}
