package analysis

import (
	"math/bits"

	"pisac/ir"
)

// Fact is what is known of a scalar of at most 64 bits, or of a predicate: bits
// that are always zero or one, and bounds of it as an unsigned and as a signed
// number. Bits above the width are zero and said to be.
type Fact struct {
	Zero, One  uint64
	UMin, UMax uint64
	SMin, SMax int64
}

// Bits is facts about every value of a function. The bounds of loop counters
// are widened, then narrowed by the conditions of branches.
type Bits struct {
	facts []Fact  // by Value.ID
	count []uint8 // by Value.ID: how often it changed
	seen  []bool  // by Value.ID
	work  []*ir.Value
	in    []bool // by Value.ID: is in work
	fresh []bool // by Value.ID: has become stronger
	eval  evaluator
}

const (
	// growths is how often a fact may become weaker until nothing is known.
	growths = 6
	// guardSteps is how many conditions around a block are looked at.
	guardSteps = 6
	narrowings = 2
)

func mask(w uint) uint64 {
	if w >= 64 {
		return ^uint64(0)
	}
	return 1<<w - 1
}

func signExtend(w uint, a uint64) int64 { return int64(a<<(64-w)) >> (64 - w) }

// width returns the bits that facts of t speak of; 0 if of none.
func width(t ir.Type) uint {
	if t.IsVector() || t.TotalBits() > 64 {
		return 0
	}
	return uint(t.TotalBits())
}

// Anything is the fact of a value of w bits of which nothing is known.
func Anything(w uint) Fact {
	if w == 0 {
		return Fact{UMax: ^uint64(0), SMin: -1 << 63, SMax: 1<<63 - 1}
	}
	m := mask(w)
	return Fact{Zero: ^m, UMax: m, SMin: -1 << (w - 1), SMax: int64(m >> 1)}
}

// Exactly is the fact of the constant v of w bits.
func Exactly(w uint, v uint64) Fact {
	s := signExtend(w, v)
	return Fact{Zero: ^v, One: v, UMin: v, UMax: v, SMin: s, SMax: s}
}

// Const returns the value if there is only one.
func (f *Fact) Const() (uint64, bool) { return f.UMin, f.UMin == f.UMax }

// TrailingZeros returns how many low bits are known to be zero.
func (f *Fact) TrailingZeros() uint { return uint(bits.TrailingZeros64(^f.Zero)) }

// NonNegative reports that a sign bit is not set.
func (f *Fact) NonNegative() bool { return f.SMin >= 0 }

// reduce makes the parts of f agree. A contradiction, which only dead code
// has, gives no knowledge.
func (f Fact) reduce(w uint) Fact {
	m := mask(w)
	sign := uint64(1) << (w - 1)
	for range 2 {
		f.Zero |= ^m
		f.UMin, f.UMax = max(f.UMin, f.One), min(f.UMax, ^f.Zero&m)
		// Signed bounds of one sign are unsigned bounds too, and back.
		if f.SMin >= 0 || f.SMax < 0 {
			f.UMin, f.UMax = max(f.UMin, uint64(f.SMin)&m), min(f.UMax, uint64(f.SMax)&m)
		}
		if f.UMin >= sign || f.UMax < sign {
			f.SMin, f.SMax = max(f.SMin, signExtend(w, f.UMin)), min(f.SMax, signExtend(w, f.UMax))
		}
		if f.Zero&sign != 0 {
			f.SMin = max(f.SMin, 0)
		} else if f.One&sign != 0 {
			f.SMax = min(f.SMax, -1)
		}
		if f.UMin > f.UMax || f.SMin > f.SMax || f.Zero&f.One != 0 {
			return Anything(w)
		}
		// The bits above the first difference of the bounds are known.
		same := ^mask(uint(bits.Len64(f.UMin^f.UMax))) & m
		f.One |= f.UMin & same
		f.Zero |= ^f.UMin & same
	}
	if f.Zero&f.One != 0 || f.UMin > f.UMax || f.SMin > f.SMax {
		return Anything(w)
	}
	return f
}

// join is what holds of values of which f or g holds.
func (f Fact) join(g Fact) Fact {
	return Fact{f.Zero & g.Zero, f.One & g.One, min(f.UMin, g.UMin), max(f.UMax, g.UMax), min(f.SMin, g.SMin), max(f.SMax, g.SMax)}
}

// meet is what holds of values of which both hold.
func (f Fact) meet(g Fact, w uint) Fact {
	return Fact{f.Zero | g.Zero, f.One | g.One, max(f.UMin, g.UMin), min(f.UMax, g.UMax), max(f.SMin, g.SMin), min(f.SMax, g.SMax)}.reduce(w)
}

// Holds reports whether f is true of v.
func (f *Fact) Holds(w uint, v uint64) bool {
	s := signExtend(w, v)
	return v&f.Zero == 0 && v&f.One == f.One && f.UMin <= v && v <= f.UMax && f.SMin <= s && s <= f.SMax
}

func (b *Bits) compute(f *ir.Func, dom *ir.Dom) {
	n := f.NumValues()
	b.facts = append(b.facts[:0], make([]Fact, n)...)
	b.count = append(b.count[:0], make([]uint8, n)...)
	b.seen = append(b.seen[:0], make([]bool, n)...)
	b.in = append(b.in[:0], make([]bool, n)...)
	b.eval = evaluator{bits: b, fn: f, dom: dom}
	b.eval.findGuards()
	for blk := f.FirstBlock(); blk != nil; blk = blk.Next() {
		if !dom.Reachable(blk) {
			b.unreachable(blk)
		}
	}
	for _, blk := range dom.RPO() {
		for _, v := range blk.Args() {
			b.grow(v)
		}
		for op := blk.First(); op != nil; op = op.Next() {
			for i := range op.NumResults() {
				b.grow(op.Result(i))
			}
		}
	}
	// Of a value's first fact only arguments that a back edge feeds have not
	// heard.
	for _, blk := range dom.RPO() {
		for i := range blk.NumSuccs() {
			if e := blk.Last().Succ(i); b.eval.pos[e.To().ID] <= b.eval.pos[blk.ID] {
				for k := range e.NumArgs() {
					b.feed(e, k)
				}
			}
		}
	}
	widened := len(b.work) > 0
	for len(b.work) > 0 {
		v := b.work[len(b.work)-1]
		b.work = b.work[:len(b.work)-1]
		b.in[v.ID] = false
		for u := v.FirstUse(); u != nil; u = u.NextUse() {
			b.revisit(u)
		}
	}
	// Every fact is now implied by those of the operands: from here any fact
	// may be replaced by a stronger one that follows from the others.
	b.eval.narrow = true
	b.fresh = append(b.fresh[:0], make([]bool, n)...)
	sweeps := narrowings
	if !widened {
		sweeps = 1
		if !b.eval.guards {
			sweeps = 0
		}
	}
	for range sweeps {
		for _, blk := range dom.RPO() {
			for _, v := range blk.Args() {
				b.shrink(v)
			}
			for op := blk.First(); op != nil; op = op.Next() {
				if b.mayShrink(op) {
					for i := range op.NumResults() {
						b.shrink(op.Result(i))
					}
				}
			}
		}
	}
}

// mayShrink reports that an operand of op has a stronger fact than before, or
// that a condition may say more of one.
func (b *Bits) mayShrink(op *ir.Op) bool {
	for i := range op.NumPlainOperands() {
		if id := op.Operand(i).ID; b.fresh[id] || b.eval.compared[id] {
			return op.NumResults() > 0
		}
	}
	return false
}

func (b *Bits) unreachable(blk *ir.Block) {
	for _, v := range blk.Args() {
		b.facts[v.ID], b.seen[v.ID] = Anything(width(v.Type)), true
	}
	for op := blk.First(); op != nil; op = op.Next() {
		for i := range op.NumResults() {
			v := op.Result(i)
			b.facts[v.ID], b.seen[v.ID] = Anything(width(v.Type)), true
		}
	}
}

// revisit evaluates again what operand u feeds.
func (b *Bits) revisit(u *ir.Operand) {
	op := u.User()
	for i := range op.NumResults() {
		if b.seen[op.Result(i).ID] {
			b.grow(op.Result(i))
		}
	}
	for i := range op.NumSuccs() {
		e := op.Succ(i)
		for k := range e.Args() {
			if &e.Args()[k] == u {
				b.feed(e, k)
			}
		}
	}
}

// feed weakens the fact of the argument that e passes value k for.
func (b *Bits) feed(e *ir.Edge, k int) {
	v := e.To().Arg(k)
	if b.seen[v.ID] && width(v.Type) > 0 && b.eval.dom.Reachable(e.From()) {
		b.weaken(v, b.facts[e.Arg(k).ID])
	}
}

// grow evaluates v and weakens its fact by the answer.
func (b *Bits) grow(v *ir.Value) { b.weaken(v, b.eval.value(v)) }

func (b *Bits) weaken(v *ir.Value, now Fact) {
	w := width(v.Type)
	old := &b.facts[v.ID]
	if !b.seen[v.ID] {
		*old, b.seen[v.ID] = now, true
		return
	}
	if now = now.join(*old); now == *old {
		return
	}
	if b.count[v.ID]++; b.count[v.ID] > growths {
		now = Anything(w)
	}
	*old = now
	if !b.in[v.ID] {
		b.in[v.ID] = true
		b.work = append(b.work, v)
	}
}

func (b *Bits) shrink(v *ir.Value) {
	if w := width(v.Type); w > 0 {
		if f := b.facts[v.ID].meet(b.eval.value(v), w); f != b.facts[v.ID] {
			b.facts[v.ID], b.fresh[v.ID] = f, true
		}
	}
}

// Of returns what is known of v wherever it is used.
func (b *Bits) Of(v *ir.Value) Fact {
	if int(v.ID) >= len(b.facts) || !b.seen[v.ID] { // made since
		return Anything(width(v.Type))
	}
	return b.facts[v.ID]
}

// At returns what is known of v in block blk, where the conditions of branches
// around it hold.
func (b *Bits) At(v *ir.Value, blk *ir.Block) Fact {
	f := b.Of(v)
	if w := width(v.Type); w > 0 && int(blk.ID) < len(b.eval.guard) {
		return b.eval.guarded(v, f, w, blk)
	}
	return f
}
