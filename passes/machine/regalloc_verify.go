package machine

import (
	"fmt"

	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// verifyRegisters holds an allocation to what it promises, by other means than
// those that made it: it walks back from the uses with what each register must
// hold there, a content of a value, until something writes the register. That
// must be of this content. Vector registers are followed along logical edges,
// scalar ones along the wave's. preset tells values whose register the
// allocator was given and which others may define too; clobbers tells ops
// whose first result must not be in an operand's register.
//
// It returns what it finds wrong first, "" if nothing is.
func verifyRegisters(f *ir.Func, preset func(*ir.Value) bool, clobbers func(*ir.Op) bool) string {
	w := &registerCheck{f: f, preset: preset, clobbers: clobbers, in: make([]demand, f.NumBlockIDs())}
	w.preds = make([][]*ir.Block, f.NumBlockIDs())
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for _, s := range LinearSuccs(b, nil) {
			w.preds[s.ID] = append(w.preds[s.ID], b)
		}
	}
	queued := make([]bool, f.NumBlockIDs())
	var work []*ir.Block
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		work = append(work, b)
		queued[b.ID] = true
	}
	for len(work) > 0 && w.wrong == "" {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		queued[b.ID] = false
		if !w.block(b) {
			continue
		}
		add := func(p *ir.Block) {
			if !queued[p.ID] {
				queued[p.ID] = true
				work = append(work, p)
			}
		}
		for e := b.FirstPred(); e != nil; e = e.NextPred() {
			add(e.From())
		}
		for _, p := range w.preds[b.ID] {
			add(p)
		}
	}
	if w.wrong == "" {
		for r, k := range w.in[f.Entry().ID] {
			if r := ir.Reg(r); k != 0 && r.IsV() {
				w.fail(nil, "%v is read where nothing wrote it", r)
				break
			}
		}
	}
	return w.wrong
}

// demand is what each register must hold: 0 is anything.
type demand []content

// content is the number of a register of a value, 64·ID + n + 1.
type content int64

type registerCheck struct {
	f        *ir.Func
	preset   func(*ir.Value) bool
	clobbers func(*ir.Op) bool
	in       []demand
	preds    [][]*ir.Block
	now      demand

	// If needed:
	values []*ir.Value       // by ID
	place  []int             // by Block.ID: in linear order
	behind map[uint32][]bool // by Block.ID: blocks that the wave may come to from there
	wrong  string
}

func (w *registerCheck) fail(op *ir.Op, format string, args ...any) {
	if w.wrong == "" {
		w.wrong = fmt.Sprintf(format, args...)
		if op != nil {
			w.wrong = op.Def().Name + ": " + w.wrong
		}
	}
}

// of is the content of register n of v: that of what it is a copy of, which may
// be a scalar value for all lanes or a constant.
func (w *registerCheck) of(v *ir.Value, n int) content {
	for {
		op := v.Op()
		if op == nil {
			break
		}
		var from *ir.Value
		at := n
		switch op.Code {
		case amdgpu.PLivein:
			v = firstLiveIn(v)
		case amdgpu.PCopy:
			from = op.Operand(0)
		case amdgpu.VMovB32:
			if x := op.Operand(0); op.Props == 0 && constant(x) {
				from = x
			}
		case amdgpu.PExtract:
			from, at = op.Operand(0), n+int(op.Field(amdgpu.FIndex))
		case amdgpu.PBuild:
			for i := range op.NumOperands() {
				x := op.Operand(i)
				if k := registers(x); at < k {
					from = x
					break
				} else {
					at -= k
				}
			}
		}
		if from == nil || w.preset(from) && !constant(from) || isUndef(from) {
			break
		}
		v, n = from, at
	}
	return content(v.ID)*64 + content(n) + 1
}

func constant(v *ir.Value) bool { return v.Op() != nil && isConst(v.Op()) }

func (w *registerCheck) tracked(v *ir.Value) bool {
	c := v.Type.Class()
	return (c == ir.SGPR || c == ir.VGPR) && v.Reg != ir.RegNull && !isUndef(v)
}

// need demands v in front of op; of a tuple only what op takes.
func (w *registerCheck) need(op *ir.Op, v *ir.Value) {
	if !w.tracked(v) || w.preset(v) {
		return
	}
	from, count := 0, v.Type.Lanes()
	if op.Code == amdgpu.PExtract {
		from, count = int(op.Field(amdgpu.FIndex)), op.Result(0).Type.Lanes()
	}
	for n := from; n < from+count; n++ {
		w.want(op, v.Reg+ir.Reg(n), w.of(v, n))
	}
}

func (w *registerCheck) want(op *ir.Op, r ir.Reg, k content) {
	if k == 0 {
		return
	}
	if has := w.now[r]; has != 0 && has != k {
		switch {
		case r.IsV():
		case w.void(op, k):
			return
		case w.void(op, has):
			w.now[r] = k
			return
		}
		w.fail(op, "%v must hold value %d and value %d", r, (k-1)/64, (has-1)/64)
	}
	w.now[r] = k
}

// written satisfies the demand of the registers of v.
func (w *registerCheck) written(op *ir.Op, v *ir.Value) {
	if !w.tracked(v) {
		return
	}
	for n := range v.Type.Lanes() {
		r := v.Reg + ir.Reg(n)
		if k := w.now[r]; k != 0 && (w.preset(v) || k != w.of(v, n)) && (r.IsV() || !w.void(op, k)) {
			w.fail(op, "value %d in %v overwrites value %d", v.ID, r, (k-1)/64)
		}
		w.now[r] = 0
	}
}

// block walks back through b; it reports whether the demand at its head grew.
func (w *registerCheck) block(b *ir.Block) bool {
	w.now = make(demand, ir.RegEnd)
	t := b.Last()
	for i := range t.NumSuccs() {
		w.merge(t, t.Succ(i).To(), true)
	}
	for _, s := range LinearSuccs(b, nil) {
		w.merge(t, s, false)
	}
	for i := range t.NumSuccs() {
		w.edge(t.Succ(i))
	}
	for i := range t.NumPlainOperands() {
		w.need(t, t.Operand(i))
	}
	for op := t.Prev(); op != nil; op = op.Prev() {
		if op.Code == amdgpu.PSkip {
			w.merge(op, skipTarget(b, op), false)
		}
		w.op(op)
	}
	grew := w.in[b.ID] == nil
	if grew {
		w.in[b.ID] = w.now
		return true
	}
	for r, k := range w.now {
		if k != w.in[b.ID][r] {
			w.in[b.ID] = w.now
			return true
		}
	}
	return false
}

// merge adds what block s demands at its head, of vector or scalar registers;
// its arguments are the edges' business.
func (w *registerCheck) merge(op *ir.Op, s *ir.Block, vector bool) {
	for r, k := range w.in[s.ID] {
		if k == 0 || ir.Reg(r).IsV() != vector || !vector && w.later(k, s) {
			continue
		}
		w.want(op, ir.Reg(r), k)
	}
}

// later reports that scalar content k is defined behind block s in linear
// order. What demands it at the head of s comes there without lanes only, by a
// p_skip over the definition: a definition comes before its uses, and around a
// loop it is of no use (see void).
func (w *registerCheck) later(k content, s *ir.Block) bool {
	w.index()
	return w.place[w.values[(k-1)/64].Block().ID] > w.place[s.ID]
}

// index notes where values and blocks are.
func (w *registerCheck) index() {
	if w.values != nil {
		return
	}
	w.values = make([]*ir.Value, w.f.NumValues())
	w.place = make([]int, w.f.NumBlockIDs())
	n := 0
	for b := w.f.FirstBlock(); b != nil; b = b.Next() {
		w.place[b.ID] = n
		n++
		for _, v := range b.Args() {
			w.values[v.ID] = v
		}
		for o := b.First(); o != nil; o = o.Next() {
			for i := range o.NumResults() {
				w.values[o.Result(i).ID] = o.Result(i)
			}
		}
	}
	w.behind = make(map[uint32][]bool)
}

// void reports that the wave cannot have come from where content k is defined
// to op, so that it does not matter here: a wave goes on without lanes where
// none has come from there, as behind a p_skip. In the next iteration of a loop
// around the definition the content is of no use: what lanes take out of a loop
// while others go on is in vector registers.
func (w *registerCheck) void(op *ir.Op, k content) bool {
	w.index()
	v := w.values[(k-1)/64]
	from := v.Block()
	if from == op.Block() {
		if v.IsArg() {
			return false
		}
		for o := v.Op().Next(); o != nil; o = o.Next() {
			if o == op {
				return false
			}
		}
	}
	seen := w.behind[from.ID]
	if seen == nil {
		seen = make([]bool, w.f.NumBlockIDs())
		w.behind[from.ID] = seen
		work := []*ir.Block{from}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			for _, s := range LinearSuccs(b, nil) {
				if !seen[s.ID] && w.place[s.ID] > w.place[from.ID] {
					seen[s.ID] = true
					work = append(work, s)
				}
			}
		}
	}
	return !seen[op.Block().ID]
}

// edge turns the demand of arguments into that of what is passed.
func (w *registerCheck) edge(e *ir.Edge) {
	args := e.To().Args()
	for _, a := range args {
		w.written(e.Op(), a)
	}
	for i := range args {
		w.need(e.Op(), e.Arg(i))
	}
}

func (w *registerCheck) op(op *ir.Op) {
	for i := range op.NumResults() {
		w.written(op, op.Result(i))
		for k := range i {
			if overlap(op.Result(i), op.Result(k)) {
				w.fail(op, "two results are in %v", op.Result(i).Reg)
			}
		}
	}
	for i := range op.NumPlainOperands() {
		x := op.Operand(i)
		w.need(op, x)
		if w.clobbers(op) && overlap(x, op.Result(0)) {
			w.fail(op, "the result is in an operand's register")
		}
	}
}

func overlap(a, b *ir.Value) bool {
	if a.Type.Class() != b.Type.Class() || a.Type.Class() != ir.SGPR && a.Type.Class() != ir.VGPR || a.Reg == ir.RegNull {
		return false
	}
	return a.Reg < b.Reg+ir.Reg(b.Type.Lanes()) && b.Reg < a.Reg+ir.Reg(a.Type.Lanes())
}
