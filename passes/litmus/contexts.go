package litmus

import (
	"fmt"
	"strings"
)

// Contexts is a family of small programs around a fragment: one work-item runs
// prefix, fragment, suffix; beside it runs one work-item of at most MaxOne
// items of One, or two of one to MaxTwo items of Two each. An item is a list
// of PISA instructions; `guard %r` ends the work-item if %r is 0. The values
// 9 and 10 stored by an item stand for a value that nothing else stores.
type Contexts struct {
	Prefix [][]string `json:"prefix"`
	Suffix [][]string `json:"suffix"`
	One    [][]string `json:"context1"`
	Two    [][]string `json:"context2"`
	Max    [2]int     `json:"max_items"`
	// Places are work-groups of the work-items, for two and for three.
	Places [][]int `json:"places"`
}

// Tally is the outcome of a comparison over contexts.
type Tally struct {
	Programs int
	RaceFree int // whose source has no race; the others say nothing
	Found    *Counterexample
}

// Counterexample is a program in which a transformation shows.
type Counterexample struct {
	Model    Model
	Race     bool // the transformed program has a race
	Before   [][]string
	After    [][]string
	Groups   []int
	NewState string
}

func (c *Counterexample) String() string {
	var b strings.Builder
	what := "the transformation adds " + c.NewState
	if c.Race {
		what = "the transformed program has a data race"
	}
	fmt.Fprintf(&b, "under %s, %s\n", c.Model, what)
	for t := range c.Before {
		fmt.Fprintf(&b, "work-item %d of work-group %d:\n", t, c.Groups[t])
		for _, l := range c.Before[t] {
			fmt.Fprintf(&b, "    %s\n", l)
		}
	}
	b.WriteString("instead of the first work-item:\n")
	for _, l := range c.After[0] {
		fmt.Fprintf(&b, "    %s\n", l)
	}
	return b.String()
}

// Size is the number of programs.
func (ctx *Contexts) Size() int {
	n := 0
	for _, place := range ctx.Places {
		switch len(place) {
		case 2:
			n += sequenceCount(ctx.Max[0], len(ctx.One))
		case 3:
			if ctx.Max[1] > 0 {
				two := sequenceCount(ctx.Max[1], len(ctx.Two)) - 1
				n += two * two
			}
		}
	}
	return n * len(ctx.Prefix) * len(ctx.Suffix)
}

// sequenceCount is the number of sequences of at most n of voc items.
func sequenceCount(n, voc int) int {
	total, power := 1, 1
	for range n {
		power *= voc
		total += power
	}
	return total
}

// piece is an item read once: guards jump to the end of the work-item.
type piece struct {
	text []string
	code []Instr
}

// CompareOptions of Contexts.Compare.
type CompareOptions struct {
	Model Model
	// Stride takes one program of that many, beginning with the Phase-th.
	Stride, Phase int
	// NoExit leaves out contexts in which a work-item meets another number of
	// barriers than the fragment, or may end before its last barrier.
	NoExit bool
}

// comparison is the state of one Compare.
type comparison struct {
	ctx      *Contexts
	opt      CompareOptions
	before   []piece // by prefix and suffix
	after    []piece
	one      [][]piece // by position in the work-item
	two      [2][][]piece
	p, q     Program
	c1, c2   Checker
	tally    Tally
	err      error
	seen     int
	barriers int // of the fragment
}

// Compare looks for a context in which after, instead of before, has a final
// state or a race that before has not.
func (ctx *Contexts) Compare(before, after []string, opt CompareOptions) (Tally, error) {
	k := &comparison{ctx: ctx, opt: opt}
	if err := k.read(before, after); err != nil {
		return Tally{}, err
	}
	k.run()
	return k.tally, k.err
}

// run goes through all contexts until one shows a difference.
func (k *comparison) run() {
	for _, place := range k.ctx.Places {
		switch len(place) {
		case 2:
			k.sequences(place)
		case 3:
			if k.ctx.Max[1] > 0 {
				k.pairs(place)
			}
		}
		if k.err != nil || k.tally.Found != nil {
			break
		}
	}
}

// read reads all items, the work-items' registers in one table each.
func (k *comparison) read(before, after []string) error {
	p := &k.p
	p.Threads = make([]Thread, 3)
	vars := k.ctx.declare(p, before, after)
	r := newLineReader(vars, &p.Threads[0])
	var pre, suf []piece
	for _, it := range k.ctx.Prefix {
		pre = append(pre, k.piece(r, it, "9", "10"))
	}
	for _, it := range k.ctx.Suffix {
		suf = append(suf, k.piece(r, it, "9", "10"))
	}
	b, a := k.piece(r, before, "9", "10"), k.piece(r, after, "9", "10")
	k.cross(pre, suf, &b, &a)
	k.countBarriers(b.code)
	k.others(vars)
	k.watch(b.code, 0)
	for i := range pre {
		k.watch(pre[i].code, 0)
	}
	for i := range suf {
		k.watch(suf[i].code, 0)
	}
	k.q = k.p
	k.q.Threads = append([]Thread(nil), p.Threads...)
	return k.err
}

// declare finds the variables of all items and of fragments: 4 bytes, or 8 if
// something accesses the second half, of shared memory where an access says so.
func (ctx *Contexts) declare(p *Program, fragments ...[]string) map[string]int32 {
	var all [][]string
	all = append(append(append(append(all, ctx.Prefix...), ctx.Suffix...), ctx.One...), ctx.Two...)
	vars := map[string]int32{}
	for _, item := range append(all, fragments...) {
		for _, l := range item {
			i := strings.IndexByte(l, '@')
			if i < 0 {
				continue
			}
			name := l[i+1:]
			name = name[:strings.IndexAny(name+" ", "] +,;")]
			v, ok := vars[name]
			if !ok {
				v = int32(len(p.Vars))
				vars[name] = v
				va := Var{Name: name, Size: 4, Width: 4}
				if strings.Contains(l, ".shared.") {
					va.Space = Shared
				}
				p.Vars = append(p.Vars, va)
			}
			if strings.Contains(l, "+ 4]") || strings.Contains(l, ".v2.") {
				p.Vars[v].Size = 8
			}
		}
	}
	return vars
}

func (k *comparison) countBarriers(code []Instr) {
	for i := range code {
		if code[i].Op == OpBarrier {
			k.barriers++
		}
	}
}

// firstValue is what the first item of a context stores.
const firstValue = 11

// others reads the vocabularies of the other work-items of k.p, and observes
// their registers.
func (k *comparison) others(vars map[string]int32) {
	p := &k.p
	k.one = make([][]piece, k.ctx.Max[0])
	r1 := newLineReader(vars, &p.Threads[1])
	for i := range k.one {
		k.one[i] = k.items(r1, k.ctx.One, i, firstValue+i)
	}
	r2 := newLineReader(vars, &p.Threads[2])
	for t, rr := range [2]*lineReader{r1, r2} {
		k.two[t] = make([][]piece, k.ctx.Max[1])
		for i := range k.two[t] {
			k.two[t][i] = k.items(rr, k.ctx.Two, i, firstValue+t*k.ctx.Max[1]+i)
		}
	}
	for t := 1; t < 3; t++ {
		for i, n := range p.Threads[t].Slots {
			if strings.HasPrefix(n, "%c") {
				p.Regs = append(p.Regs, Observed{Name: fmt.Sprintf("%d:%s", t, n), Thread: t, Slot: int32(i), Hidden: -1})
			}
		}
	}
}

// watch observes the registers that loads and RMWs of code write.
func (k *comparison) watch(code []Instr, t int) {
	p := &k.p
	for i := range code {
		in := &code[i]
		if in.Op != OpLoad && in.Op != OpRMW || in.Dst < 0 {
			continue
		}
	lanes:
		for l := range int32(in.Lanes) {
			name := p.Threads[t].Slots[in.Dst+l]
			if strings.HasPrefix(name, "%dead") {
				continue
			}
			for o := range p.Regs {
				if p.Regs[o].Thread == t && p.Regs[o].Slot == in.Dst+l {
					continue lanes
				}
			}
			p.Regs = append(p.Regs, Observed{Name: fmt.Sprintf("%d:%s", t, name), Thread: t, Slot: in.Dst + l, Hidden: -1})
		}
	}
}

// items reads a vocabulary for position i of a work-item: its own registers
// and its own value.
func (k *comparison) items(r *lineReader, voc [][]string, i, value int) []piece {
	out := make([]piece, len(voc))
	for j, it := range voc {
		lines := make([]string, len(it))
		for n, l := range it {
			lines[n] = strings.ReplaceAll(l, "%c0", fmt.Sprintf("%%c%d", i))
		}
		out[j] = k.piece(r, lines, fmt.Sprint(value), fmt.Sprint(value))
	}
	return out
}

// piece reads the lines of an item; stored values 9 and 10 are replaced.
func (k *comparison) piece(r *lineReader, lines []string, nine, ten string) piece {
	out := piece{}
	start := len(r.thread.Code)
	for _, l := range lines {
		if strings.HasPrefix(l, "st.") {
			l = strings.Replace(strings.Replace(l, "], 9;", "], "+nine+";", 1), "], 10;", "], "+ten+";", 1)
		}
		out.text = append(out.text, l)
		var err error
		if reg, ok := strings.CutPrefix(l, "guard "); ok {
			reg = strings.TrimSuffix(reg, ";")
			if err = r.add("ucmp.ne.32b %guard, " + reg + ", 0;"); err == nil {
				err = r.add("goto.cond !%guard, END;")
			}
		} else {
			err = r.add(l)
		}
		if err != nil && k.err == nil {
			k.err = err
		}
	}
	out.code = append([]Instr(nil), r.thread.Code[start:]...)
	r.thread.Code, r.targets = r.thread.Code[:start], r.targets[:start]
	return out
}

// cross composes the first work-item for every prefix and suffix.
func (k *comparison) cross(pre, suf []piece, b, a *piece) {
	for i := range pre {
		for j := range suf {
			k.before = append(k.before, join(&pre[i], b, &suf[j]))
			k.after = append(k.after, join(&pre[i], a, &suf[j]))
		}
	}
}

// join makes the code of a work-item; guards jump behind it.
func join(parts ...*piece) piece {
	var out piece
	for _, p := range parts {
		out.text = append(out.text, p.text...)
		out.code = append(out.code, p.code...)
	}
	for i := range out.code {
		if out.code[i].Op == OpBranch {
			out.code[i].Target = int32(len(out.code))
		}
	}
	return out
}

// sequences runs every sequence of at most Max[0] items beside the fragment.
func (k *comparison) sequences(place []int) {
	n, voc := k.ctx.Max[0], len(k.ctx.One)
	var idx []int
	for {
		if k.selected() {
			k.beside(place, 2, sequence(k.one, idx))
		}
		if k.err != nil || k.tally.Found != nil {
			return
		}
		if idx = nextSequence(idx, n, voc); idx == nil {
			return
		}
	}
}

// nextSequence counts through the sequences of up to n of voc items: shorter
// ones first.
func nextSequence(idx []int, n, voc int) []int {
	for i := len(idx) - 1; i >= 0; i-- {
		if idx[i]++; idx[i] < voc {
			return idx
		}
		idx[i] = 0
	}
	if len(idx) == n || voc == 0 {
		return nil
	}
	return append(idx, 0)
}

// sequence makes a work-item of the items idx.
func sequence(pos [][]piece, idx []int) piece {
	parts := make([]*piece, len(idx))
	for i, j := range idx {
		parts[i] = &pos[i][j]
	}
	return join(parts...)
}

// pairs runs every pair of work-items of one to Max[1] items.
func (k *comparison) pairs(place []int) {
	var first, second []piece
	for t, out := range [2]*[]piece{&first, &second} {
		for idx := nextSequence(nil, k.ctx.Max[1], len(k.ctx.Two)); idx != nil; idx = nextSequence(idx, k.ctx.Max[1], len(k.ctx.Two)) {
			*out = append(*out, sequence(k.two[t], idx))
		}
	}
	for i := range first {
		for j := range second {
			if k.selected() {
				k.beside(place, 3, first[i], second[j])
			}
			if k.err != nil || k.tally.Found != nil {
				return
			}
		}
	}
}

// meetsBarriers reports whether code always comes to exactly n barriers.
func meetsBarriers(code []Instr, n int) bool {
	guarded := false
	for i := range code {
		switch code[i].Op {
		case OpBranch:
			guarded = true
		case OpBarrier:
			if n--; guarded {
				return false
			}
		}
	}
	return n == 0
}

// selected reports whether the stride hits one of the next programs, those of
// all prefixes and suffixes; else they count as seen.
func (k *comparison) selected() bool {
	n := len(k.before)
	if s := k.opt.Stride; s > 1 {
		if next := k.seen + 1; next+(k.opt.Phase-next%s+s)%s > k.seen+n {
			k.seen += n
			return false
		}
	}
	return true
}

// beside checks the fragment with every prefix and suffix beside others.
func (k *comparison) beside(place []int, n int, others ...piece) {
	if k.opt.NoExit {
		for i := range others {
			if !meetsBarriers(others[i].code, k.barriers) {
				return
			}
		}
	}
	fresh := true
	for i := range k.before {
		k.seen++
		if k.opt.Stride > 1 && k.seen%k.opt.Stride != k.opt.Phase {
			continue
		}
		if fresh {
			k.place(&k.p, place, n, others)
			k.place(&k.q, place, n, others)
			fresh = false
		}
		k.p.Threads[0].Code, k.q.Threads[0].Code = k.before[i].code, k.after[i].code
		k.check(i, place, others)
		if k.err != nil || k.tally.Found != nil {
			return
		}
	}
}

func (k *comparison) place(p *Program, place []int, n int, others []piece) {
	p.Threads = p.Threads[:3]
	for t := range n {
		p.Threads[t].WG, p.Threads[t].SG = place[t], t
		if t > 0 {
			p.Threads[t].Code = others[t-1].code
		}
	}
	for t := n; t < 3; t++ {
		p.Threads[t].Code, p.Threads[t].WG, p.Threads[t].SG = nil, MaxWorkItems-1, t
	}
	k.err = p.layOut()
}

// check checks one program.
func (k *comparison) check(i int, place []int, others []piece) {
	k.tally.Programs++
	opt := Options{Model: k.opt.Model, StopAtRace: true}
	if k.err = k.c1.x.run(&k.p, opt); k.err != nil || k.c1.x.race != nil {
		return
	}
	k.tally.RaceFree++
	if k.err = k.c2.x.run(&k.q, opt); k.err != nil {
		return
	}
	a, b := &k.c2.x.states, &k.c1.x.states
	bad := -1
	for s := 0; s < a.len() && bad < 0; s++ {
		if f, _ := b.find(a.at(s)); f < 0 {
			bad = s
		}
	}
	if bad < 0 && k.c2.x.race == nil {
		return
	}
	ce := &Counterexample{Model: k.opt.Model, Race: k.c2.x.race != nil, Groups: place}
	ce.Before = append(ce.Before, k.before[i].text)
	ce.After = append(ce.After, k.after[i].text)
	for _, o := range others {
		ce.Before = append(ce.Before, o.text)
		ce.After = append(ce.After, o.text)
	}
	if !ce.Race {
		ce.NewState = k.q.stateText(a.at(bad))
	}
	k.tally.Found = ce
}

// stateText is a final state as text, registers that were never written left
// out.
func (p *Program) stateText(w []uint64) string {
	var b strings.Builder
	for i := range p.Regs {
		if w[0]>>i&1 == 0 {
			fmt.Fprintf(&b, "%s=%d ", p.Regs[i].Name, w[i+1])
		}
	}
	for i := range p.Cells {
		fmt.Fprintf(&b, "%s=%d ", p.Cells[i].Name, w[1+len(p.Regs)+i])
	}
	return strings.TrimSpace(b.String())
}
