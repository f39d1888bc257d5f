package machine

import (
	"math/bits"
	"sync"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Hazards keeps apart what the hardware does not (target.Hazards):
//
//	vcc = v_cmp_eq_u32 …           vcc = v_cmp_eq_u32 …
//	v1 = v_cndmask_b32 …, vcc  →   s_nop 1
//	                               v1 = v_cndmask_b32 …, vcc
//
// It runs on the final order of instructions, but for hints.
func Hazards(c *Ctx, f *ir.Func) {
	rows := c.Target.Hazards()
	if len(rows) == 0 {
		return
	}
	scratch := hazardOps.Get().(*[]hazardOp)
	defer hazardOps.Put(scratch)
	*scratch = grown(*scratch, f.NumOps())
	h := hazards{ctx: c, ops: *scratch}
	for i := range rows {
		h.rows[rows[i].Kind] = &rows[i]
		h.kinds |= 1 << rows[i].Kind
	}
	if h.has(target.SALUAfterVALURead) {
		h.markReadPairs(f)
	}
	h.classify(f)
	h.solve(f)
	h.insert(f)
}

// hazardOps keeps memory from function to function.
var hazardOps = sync.Pool{New: func() any { return new([]hazardOp) }}

// kindSet is a set of target.HazardKind.
type kindSet uint32

// hazardOp is what is known of an op, by its ID.
type hazardOp struct {
	produces, consumes kindSet
	nops               uint8 // wait states needed before it
	depctr             uint16
	stamp              uint32 // index in the list being merged, see enter
}

type hazards struct {
	ctx        *Ctx
	rows       [target.NumHazards]*target.Hazard
	kinds      kindSet
	ops        []hazardOp
	out        [][]recent // by block
	list       []recent
	clause     replay
	afterFirst bool     // the instruction before is the first half of a pair
	read       []uint64 // by block: pairs of scalar registers that a VALU instruction may have read
}

// recent is an instruction that may still be the producer of a hazard, and how
// many wait states, VALU, transcendental and SALU instructions are behind it.
type recent struct {
	op                         *ir.Op
	states, valu, trans, salu  uint8
	flushedVALU, flushedScalar bool // its results have been waited for
}

func (h *hazards) has(k target.HazardKind) bool { return h.kinds>>k&1 != 0 }

// solve finds what every op needs before it. Needs only grow, distances with
// them, so that this ends.
func (h *hazards) solve(f *ir.Func) {
	h.out = make([][]recent, f.NumBlockIDs())
	done := make([]bool, f.NumBlockIDs())
	for changed := true; changed; {
		changed = false
		h.clause, h.afterFirst = replay{}, false
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			h.enter(b)
			for op := b.First(); op != nil; op = op.Next() {
				if amdgpu.Encoded(op) {
					h.step(op)
				}
			}
			if !done[b.ID] || !sameRecent(h.out[b.ID], h.list) {
				done[b.ID] = true
				h.out[b.ID] = append(h.out[b.ID][:0], h.list...)
				changed = true
			}
		}
	}
}

// enter makes list what may be recent at b's head: of an op that comes along
// several edges, the shortest distances.
func (h *hazards) enter(b *ir.Block) {
	h.list = h.list[:0]
	for e := b.FirstPred(); e != nil; e = e.NextPred() {
		for _, r := range h.out[e.From().ID] {
			at := &h.ops[r.op.ID].stamp
			if int(*at) < len(h.list) && h.list[*at].op == r.op {
				have := &h.list[*at]
				have.states, have.valu = min(have.states, r.states), min(have.valu, r.valu)
				have.trans, have.salu = min(have.trans, r.trans), min(have.salu, r.salu)
				have.flushedVALU = have.flushedVALU && r.flushedVALU
				have.flushedScalar = have.flushedScalar && r.flushedScalar
				continue
			}
			*at = uint32(len(h.list))
			h.list = append(h.list, r)
		}
	}
}

func sameRecent(a, b []recent) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// step notes what op needs and passes it.
func (h *hazards) step(op *ir.Op) {
	o := &h.ops[op.ID]
	second := h.afterFirst
	h.afterFirst = amdgpu.DualFirst(op)
	if o.consumes != 0 && !second {
		for i := range h.list {
			h.check(o, op, &h.list[i])
		}
	}
	if h.afterFirst { // nothing goes between: what the second needs, the pair does
		b := amdgpu.DualSecond(op)
		for i := range h.list {
			h.checkPair(o, b, &h.list[i])
		}
	}
	if h.has(target.ReplayClause) {
		if o.nops == 0 && h.clause.breaks(op) {
			o.nops = 1
		}
		if !fallsThrough(op) {
			h.clause.add(op, o.nops > 0)
		}
	}
	if o.nops > 0 {
		h.advance(nil, int(o.nops))
	}
	if o.depctr != 0 {
		h.flush(o.depctr)
		h.advance(nil, 1)
	}
	if op.Code == amdgpu.SWaitcntDepctr {
		h.flush(uint16(amdgpu.FImm.Get(op.Props)))
	}
	states := 1
	switch op.Code {
	case amdgpu.SNop:
		states += int(amdgpu.FImm.Get(op.Props))
	case amdgpu.PSymaddr:
		states = 3
	}
	if fallsThrough(op) || h.afterFirst {
		states = 0
	}
	h.advance(op, states)
	if o.produces != 0 {
		h.list = append(h.list, recent{op: op})
	}
}

// fallsThrough reports the end of a block that is no instruction.
func fallsThrough(op *ir.Op) bool { return op.Code == amdgpu.TFall }

// check adds to o, the needs of op, what the pair of r and op demands.
func (h *hazards) check(o *hazardOp, op *ir.Op, r *recent) { h.checkKinds(o, o.consumes, op, r) }

// checkPair adds to o, the needs of a dual-issue instruction, those of its
// second half.
func (h *hazards) checkPair(o *hazardOp, second *ir.Op, r *recent) {
	h.checkKinds(o, h.ops[second.ID].consumes, second, r)
}

func (h *hazards) checkKinds(o *hazardOp, consumes kindSet, op *ir.Op, r *recent) {
	for both := h.ops[r.op.ID].produces & consumes; both != 0; both &= both - 1 {
		k := target.HazardKind(bits.TrailingZeros32(uint32(both)))
		row := h.rows[k]
		switch k {
		case target.TransUse:
			if !r.flushedVALU && int(r.valu) < row.Wait && int(r.trans) < row.Trans && hazardPair(k, r.op, op) {
				o.depctr = target.DepctrVaVdst
			}
		case target.SALUAfterVALURead:
			if !r.flushedScalar && int(r.salu) < row.Wait && hazardPair(k, r.op, op) {
				o.depctr = target.DepctrSaSdst
			}
		default:
			if need := row.Wait - int(r.states); need > int(o.nops) && hazardPair(k, r.op, op) {
				o.nops = uint8(need)
			}
		}
	}
}

// maxDistance is beyond every row's Wait.
const maxDistance = 15

// advance lets states wait states pass, and op if it is an instruction.
func (h *hazards) advance(op *ir.Op, states int) {
	var valu, trans, salu uint8
	drained := false
	if op != nil {
		row := amdgpu.RowOf(op.Code)
		switch {
		case amdgpu.DualFirst(op): // counted with its second half
		case row.VALU():
			valu = 1
			if row.Has(amdgpu.Trans) {
				trans = 1
			}
		case row.SALU():
			salu = 1
		case row.Family >= amdgpu.DS && row.Family <= amdgpu.Scratch:
			drained = true // they are issued when no VALU result is outstanding
		}
	}
	keep := h.list[:0]
	for _, r := range h.list {
		r.states = uint8(min(int(r.states)+states, maxDistance))
		r.valu, r.trans = min(r.valu+valu, maxDistance), min(r.trans+trans, maxDistance)
		if salu > 0 && !readsResultOf(op, r.op) {
			r.salu = min(r.salu+1, maxDistance)
		}
		r.flushedVALU = r.flushedVALU || drained
		if h.alive(&r) {
			keep = append(keep, r)
		}
	}
	h.list = keep
}

// alive reports whether r can be part of a hazard from here on.
func (h *hazards) alive(r *recent) bool {
	for k := h.ops[r.op.ID].produces; k != 0; k &= k - 1 {
		kind := target.HazardKind(bits.TrailingZeros32(uint32(k)))
		row := h.rows[kind]
		var alive bool
		switch kind {
		case target.TransUse:
			alive = !r.flushedVALU && int(r.valu) < row.Wait && int(r.trans) < row.Trans
		case target.SALUAfterVALURead:
			alive = !r.flushedScalar && int(r.salu) < row.Wait
		default:
			alive = int(r.states) < row.Wait
		}
		if alive {
			return true
		}
	}
	return false
}

func (h *hazards) flush(depctr uint16) {
	for i := range h.list {
		r := &h.list[i]
		r.flushedVALU = r.flushedVALU || depctr == target.DepctrVaVdst
		r.flushedScalar = r.flushedScalar || depctr == target.DepctrSaSdst
	}
}

// insert puts the nops and waits in.
func (h *hazards) insert(f *ir.Func) {
	var bl ir.Builder
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if !amdgpu.Encoded(op) || int(op.ID) >= len(h.ops) {
				continue
			}
			o := &h.ops[op.ID]
			bl.Before(op)
			bl.Loc = op.Loc
			for n := int(o.nops); n > 0; n -= 8 {
				bl.Op(amdgpu.SNop, amdgpu.FImm.Set(0, uint64(min(n, 8)-1)))
			}
			if o.depctr != 0 {
				bl.Op(amdgpu.SWaitcntDepctr, amdgpu.FImm.Set(0, uint64(o.depctr)))
			}
		}
	}
}
