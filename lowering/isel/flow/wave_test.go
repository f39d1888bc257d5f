package flow

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
	"pisac/passes/machine"
)

// The plan and the execution masks made of it, held to what each lane does for
// itself: a wave runs the linear code with random branches, and every lane must
// have visited the blocks of its own path, with its own arguments.

// lowered is a kernel of the amdgpu dialect made of a planned one.
type lowered struct {
	f       *ir.Func
	marker  map[*ir.Op]int         // s_nop or s_sleep: which block of the graph
	outcome map[*ir.Op]bool        // p_undef: a condition; whether it is uniform
	node    map[*ir.Op]int         // p_undef: of which block of the graph
	args    map[*ir.Op][]*ir.Value // of a marker: arguments of the block
}

// lower makes markers of the blocks, and unknown masks and bits of conditions.
func lower(p *Plan, uniform, divergent *ir.Value, wave int) *lowered {
	l := &lowered{marker: map[*ir.Op]int{}, outcome: map[*ir.Op]bool{}, node: map[*ir.Op]int{}, args: map[*ir.Op][]*ir.Value{}}
	src := p.f
	m := ir.NewModule(src.Module().Reg, &ir.Sources{})
	l.f = m.NewFunc("k", ir.FuncKernel)
	mask := ir.Regs(ir.SGPR, wave/32)
	blocks := map[*ir.Block]*ir.Block{}
	vector, scalar := map[*ir.Value]*ir.Value{}, map[*ir.Value]*ir.Value{}
	for b := src.FirstBlock(); b != nil; b = b.Next() {
		nb := l.f.NewBlock()
		blocks[b] = nb
		var bl ir.Builder
		bl.AtEnd(nb)
		for _, v := range b.Args() {
			if p.ScalarArgs(b) && !p.uni.Divergent(v) {
				scalar[v] = nb.AddArg(ir.Regs(ir.SGPR, 1))
				vector[v] = bl.Value(amdgpu.VMovB32, 0, ir.Regs(ir.VGPR, 1), scalar[v])
			} else {
				vector[v] = nb.AddArg(ir.Regs(ir.VGPR, 1))
			}
		}
	}
	for b := src.FirstBlock(); b != nil; b = b.Next() {
		nb := blocks[b]
		var bl ir.Builder
		bl.AtEnd(nb)
		first := b != src.Entry()
		var marker *ir.Op
		for op := b.First(); op != b.Last(); op = op.Next() {
			switch op.Code {
			case builtin.Const:
				k := builtin.ConstInt(&bl, ir.B32, op.Props)
				scalar[op.Result(0)] = k
				vector[op.Result(0)] = bl.Value(amdgpu.VMovB32, 0, ir.Regs(ir.VGPR, 1), k)
				if first {
					code := amdgpu.SNop
					if op.Props%3 == 0 {
						code = amdgpu.SSleep // must not be executed without lanes
					}
					marker = bl.Op(code, amdgpu.FImm.Put(op.Props))
					l.marker[marker] = int(op.Props)
				}
			case pisa.IAdd:
				vector[op.Result(0)] = bl.Value(amdgpu.VAddNcU32, 0, ir.Regs(ir.VGPR, 1), vector[op.Operand(0)], vector[op.Operand(1)])
				if op.Operand(1).Block() == src.Entry() {
					l.args[marker] = append(l.args[marker], vector[op.Result(0)])
				}
			}
			first = false
		}
		if marker != nil {
			marker.MoveToEnd(nb)
		}
		pass := func(k int) ir.Target {
			e := b.Last().Succ(k)
			t := ir.Target{To: blocks[e.To()]}
			for i, a := range e.Args() {
				v := vector[a.Value()]
				if t.To.Arg(i).Type.Class() == ir.SGPR {
					if p.uni.UseDivergent(&e.Args()[i]) {
						panic("a divergent value for a uniform argument")
					}
					if s := scalar[a.Value()]; s != nil {
						v = s
						if s.Type.Class() == ir.NoClass {
							v = bl.Value(amdgpu.SMovB32, 0, ir.Regs(ir.SGPR, 1), s)
						}
					} else {
						v = bl.Value(amdgpu.VReadfirstlaneB32, 0, ir.Regs(ir.SGPR, 1), v)
					}
				}
				t.Args = append(t.Args, v)
			}
			return t
		}
		t := b.Last()
		code := map[Kind]ir.Code{Jump: amdgpu.TJump, Cond: amdgpu.TCond, Diverge: amdgpu.TDiverge, Fall: amdgpu.TFall, Loop: amdgpu.TLoop, Ret: amdgpu.TRet}[p.Kind(b)]
		switch t.NumSuccs() {
		case 0:
			bl.Op(amdgpu.TRet, 0)
		case 1:
			bl.Branch(code, 0, nil, pass(0))
		default:
			var c *ir.Value
			ty := mask
			if code == amdgpu.TCond {
				ty = ir.SCCBit
			}
			switch x := t.Operand(0); x {
			case uniform, divergent:
				c = bl.Value(amdgpu.PUndef, 0, ty)
				l.outcome[c.Op()] = x == uniform
				l.node[c.Op()] = l.marker[marker]
			default: // which entry of an irreducible region
				op := x.Op()
				n := builtin.ConstInt(&bl, ir.B32, op.Operand(1).Op().Props)
				a := vector[op.Operand(0)]
				if code == amdgpu.TCond {
					s := bl.Value(amdgpu.VReadfirstlaneB32, 0, ir.Regs(ir.SGPR, 1), a)
					c = bl.Value(amdgpu.SCmpEqU32, 0, ty, s, n)
				} else {
					c = bl.Value(amdgpu.Cmp(amdgpu.EQ, amdgpu.CmpU32), 0, ty, n, a)
				}
			}
			bl.Branch(code, 0, []*ir.Value{c}, pass(0), pass(1))
		}
	}
	return l
}

// visit is what a lane sees of a block.
type visit struct {
	node int
	args string
}

// wave executes the kernel.
type wave struct {
	t     *rapid.T
	l     *lowered
	size  int
	all   uint64
	exec  uint64
	scc   bool
	regs  map[ir.Reg]uint64
	s     map[*ir.Value]uint64
	v     map[*ir.Value]*[64]uint32
	rng   *rand.Rand
	seed  uint64
	fuel  int
	count int // instructions

	trace     [64][]visit
	visits    [64]map[int]int
	decisions [64]map[int][]bool // of uniform branches
	events    [64][]int          // by visit: when
	now       int
}

func decide(seed uint64, lane, node, visit int) bool {
	r := rand.New(rand.NewPCG(seed, uint64(lane)<<40|uint64(node)<<20|uint64(visit)))
	return r.IntN(2) == 0
}

func (w *wave) scalar(v *ir.Value) uint64 {
	if c, ok := amdgpu.IsImm(v); ok {
		return c
	}
	if v.Op() != nil && v.Op().Code == amdgpu.PExec {
		return w.exec
	}
	if v.Reg != ir.NoReg {
		return w.regs[v.Reg]
	}
	return w.s[v]
}

func (w *wave) setScalar(v *ir.Value, x uint64) {
	if v.Type.Class() == ir.SCC {
		w.scc = x != 0
	}
	if w.size == 32 {
		x &= 1<<32 - 1
	}
	switch v.Reg {
	case ir.NoReg:
		w.s[v] = x
	case ir.RegExec:
		w.exec = x
	default:
		w.regs[v.Reg] = x
	}
}

func (w *wave) vector(v *ir.Value) *[64]uint32 {
	if w.v[v] == nil {
		w.v[v] = new([64]uint32)
	}
	return w.v[v]
}

func (w *wave) lane(v *ir.Value, l int) uint32 {
	if v.Type.Class() == ir.VGPR {
		return w.vector(v)[l]
	}
	return uint32(w.scalar(v))
}

func (w *wave) lanes(f func(l int)) {
	for m := w.exec; m != 0; m &= m - 1 {
		f(bits.TrailingZeros64(m))
	}
}

func (w *wave) garbage() uint64 { return w.rng.Uint64() & w.all }

func (w *wave) run() bool {
	b := w.l.f.Entry()
	for b != nil {
		b = w.block(b)
		if w.fuel < 0 {
			return false
		}
	}
	return true
}

func (w *wave) block(b *ir.Block) *ir.Block {
	for op := b.First(); ; op = op.Next() {
		w.fuel--
		if op.Code != builtin.Const && amdgpu.RowOf(op.Code).Family != amdgpu.Pseudo {
			w.count++
		}
		switch op.Code {
		case amdgpu.PSkip:
			if w.exec == 0 {
				for n := op.Field(amdgpu.FSkip); n > 0; n-- {
					b = b.Next()
				}
				return b
			}
		case amdgpu.TRet:
			return nil
		case amdgpu.TJump:
			w.pass(op)
			return b.Succ(0)
		case amdgpu.TFall:
			w.pass(op)
			return b.Next()
		case amdgpu.TLoop:
			w.pass(op)
			if w.exec != 0 {
				return b.Succ(0)
			}
			return b.Next()
		case amdgpu.TCond:
			if w.s[op.Operand(0)] != 0 {
				return b.Succ(0)
			}
			return b.Succ(1)
		case amdgpu.TDiverge:
			return b.Next()
		// Behind layout.
		case amdgpu.SEndpgm:
			return nil
		case amdgpu.SBranch:
			return b.Succ(0)
		case amdgpu.SCbranchExecz, amdgpu.SCbranchExecnz, amdgpu.SCbranchScc0, amdgpu.SCbranchScc1:
			yes := w.exec != 0
			if op.NumPlainOperands() > 0 {
				yes = w.s[op.Operand(0)] != 0
			}
			if yes == (op.Code == amdgpu.SCbranchExecnz || op.Code == amdgpu.SCbranchScc1) {
				return b.Succ(0)
			}
			if b.Succ(1) != b.Next() {
				w.t.Fatalf("a conditional branch does not go on to the next block")
			}
			return b.Next()
		default:
			w.op(b, op)
		}
	}
}

func (w *wave) pass(t *ir.Op) {
	e := t.Succ(0)
	type copied struct {
		s uint64
		v [64]uint32
	}
	var in []copied
	for i := range e.NumArgs() {
		var c copied
		c.s = uint64(uint32(w.scalarOrZero(e.Arg(i))))
		for l := range 64 {
			c.v[l] = w.lane(e.Arg(i), l)
		}
		in = append(in, c)
	}
	for i, a := range e.To().Args() {
		if a.Type.Class() == ir.SGPR {
			w.s[a] = in[i].s
			continue
		}
		to := w.vector(a)
		w.lanes(func(l int) { to[l] = in[i].v[l] })
	}
}

func (w *wave) scalarOrZero(v *ir.Value) uint64 {
	if v.Type.Class() == ir.VGPR {
		return 0
	}
	return w.scalar(v)
}

func (w *wave) op(b *ir.Block, op *ir.Op) {
	a := func(i int) uint64 { return w.scalar(op.Operand(i)) }
	set := func(x uint64) {
		w.setScalar(op.Result(0), x)
		if op.NumResults() > 1 {
			w.setScalar(op.Result(1), x&w.all)
		}
	}
	switch op.Code {
	case builtin.Const, amdgpu.PExec:
	case amdgpu.SMovB32, amdgpu.SMovB64:
		set(a(0))
	case amdgpu.SAndB32, amdgpu.SAndB64:
		set(a(0) & a(1))
	case amdgpu.SAndNot1B32, amdgpu.SAndNot1B64:
		set(a(0) &^ a(1))
	case amdgpu.SOrB32, amdgpu.SOrB64:
		set(a(0) | a(1))
	case amdgpu.SCselectB32, amdgpu.SCselectB64:
		if w.s[op.Operand(2)] != 0 {
			set(a(0))
		} else {
			set(a(1))
		}
	case amdgpu.SAndSaveexecB32, amdgpu.SAndSaveexecB64:
		old := w.exec
		w.exec = old & a(0)
		w.setScalar(op.Result(0), old)
	case amdgpu.SAndNot0SaveexecB32, amdgpu.SAndNot0SaveexecB64:
		old := w.exec
		w.exec = old &^ a(0)
		w.setScalar(op.Result(0), old)
	case amdgpu.SNop, amdgpu.SSleep:
		if op.Code == amdgpu.SSleep && w.exec == 0 {
			w.t.Fatalf("block %d is executed without lanes in\n%s", b.ID, ir.AppendFunc(nil, w.l.f))
		}
		w.now++
		w.lanes(func(l int) {
			n := w.l.marker[op]
			args := ""
			for _, v := range w.l.args[op] {
				args += fmt.Sprint(" ", w.lane(v, l))
			}
			w.trace[l] = append(w.trace[l], visit{n, args})
			w.visits[l][n]++
			w.events[l] = append(w.events[l], w.now)
		})
	case amdgpu.PUndef:
		n := w.l.node[op]
		if w.l.outcome[op] {
			yes := w.rng.IntN(2) == 0
			w.lanes(func(l int) { w.decisions[l][n] = append(w.decisions[l][n], yes) })
			x := uint64(0)
			if yes {
				x = w.exec
				if w.exec == 0 || op.Result(0).Type == ir.SCCBit {
					x = 1
				}
			}
			if op.Result(0).Type != ir.SCCBit {
				x |= w.garbage() &^ w.exec
			}
			w.s[op.Result(0)] = x
			break
		}
		x := w.garbage() &^ w.exec
		w.lanes(func(l int) {
			if decide(w.seed, l, n, w.visits[l][n]) {
				x |= 1 << l
			}
		})
		w.s[op.Result(0)] = x
	case amdgpu.VMovB32:
		to := w.vector(op.Result(0))
		w.lanes(func(l int) { to[l] = w.lane(op.Operand(0), l) })
	case amdgpu.VAddNcU32:
		to := w.vector(op.Result(0))
		w.lanes(func(l int) { to[l] = w.lane(op.Operand(0), l) + w.lane(op.Operand(1), l) })
	case amdgpu.VReadfirstlaneB32:
		l := 0
		if w.exec != 0 {
			l = bits.TrailingZeros64(w.exec)
		}
		w.s[op.Result(0)] = uint64(w.vector(op.Operand(0))[l])
	case amdgpu.SCmpEqU32:
		w.s[op.Result(0)] = 0
		if uint32(a(0)) == uint32(a(1)) {
			w.s[op.Result(0)] = 1
		}
	case amdgpu.Cmp(amdgpu.EQ, amdgpu.CmpU32):
		x := uint64(0)
		w.lanes(func(l int) {
			if w.lane(op.Operand(0), l) == w.lane(op.Operand(1), l) {
				x |= 1 << l
			}
		})
		w.s[op.Result(0)] = x
	default:
		w.t.Fatalf("no %s", op.Def().Name)
	}
}

// alone is what lane l does by itself, at most n visits.
func (w *wave) alone(g []node, l, n int) []visit {
	var out []visit
	visits := map[int]int{}
	taken := map[int]int{}
	at, passed := 0, uint32(0)
	for len(out) < n {
		x := g[at]
		v := uint32(at)
		if !x.blank {
			args := ""
			for range x.args {
				args += fmt.Sprint(" ", passed)
			}
			out = append(out, visit{at, args})
			visits[at]++
		}
		if at%2 == 0 && x.args > 0 {
			v += passed
		}
		if x.blank {
			v = 0
		}
		k := 0
		switch len(x.to) {
		case 0:
			return out
		case 2:
			yes := decide(w.seed, l, at, visits[at])
			if !x.divergent {
				d := w.decisions[l][at]
				if taken[at] < len(d) {
					yes = d[taken[at]]
				}
				taken[at]++
			}
			if !yes {
				k = 1
			}
		}
		at, passed = x.to[k], v
	}
	return out
}

// runWave draws a graph, plans it, and compares.
func runWave(t *rapid.T, chip string, laidOut bool) (irreducible bool, done bool) {
	g := drawGraph(t)
	for i := range g {
		if laidOut { // arguments would need registers
			g[i].args = 0
		}
	}
	f, uniform, divergent := build(g)
	cache := analysis.New(f)
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		irreducible = irreducible || cache.Dom().Reachable(b) && cache.Loops().Region(b) >= 0
	}
	meet := meetings(f, cache)
	tgt := target.ByName(chip)
	before := string(ir.AppendFunc(nil, f))
	p := plan(t, f, chip)
	l := lower(p, uniform, divergent, tgt.Wave)
	var ds ir.Diags
	require.True(t, ir.Verify(l.f.Module(), &ds), "%v", ds.List)
	linear := string(ir.AppendFunc(nil, l.f))
	machine.Exec(&machine.Ctx{Target: tgt, Diags: &ds}, l.f)
	require.Empty(t, ds.List)
	require.True(t, ir.Verify(l.f.Module(), &ds), "%v", ds.List)
	if laidOut && !irreducible {
		machine.Layout(&machine.Ctx{Target: tgt, Diags: &ds}, l.f)
		require.True(t, ir.Verify(l.f.Module(), &ds), "%v", ds.List)
	}
	w := &wave{t: t, l: l, size: tgt.Wave, regs: map[ir.Reg]uint64{}, s: map[*ir.Value]uint64{}, v: map[*ir.Value]*[64]uint32{}, fuel: 4000}
	w.all = 1<<tgt.Wave - 1
	w.seed = rapid.Uint64().Draw(t, "seed")
	w.rng = rand.New(rand.NewPCG(w.seed, 1))
	w.exec = w.garbage()
	if w.exec == 0 || rapid.Bool().Draw(t, "full") {
		w.exec = w.all
	}
	started := w.exec
	for i := range 64 {
		w.visits[i], w.decisions[i] = map[int]int{}, map[int][]bool{}
	}
	done = w.run()
	for i := range 64 {
		if started>>i&1 == 0 {
			require.Empty(t, w.trace[i])
			continue
		}
		n := len(w.trace[i])
		if done {
			n++
		}
		want := w.alone(g, i, n)
		if !slices.Equal(w.trace[i], want) {
			t.Fatalf("lane %d of %s goes %v, not %v, in\n%s\n%s\n%s", i, chip, w.trace[i], want, before, linear, ir.AppendFunc(nil, l.f))
		}
	}
	if done && !irreducible {
		w.converges(t, meet, started, func() string { return before + string(ir.AppendFunc(nil, l.f)) })
	}
	return irreducible, done
}

// meetings is where the lanes that part at a block's branch meet again, for
// blocks for which they do so without beginning another iteration of a loop.
func meetings(f *ir.Func, cache *analysis.Cache) map[int]int {
	mark := map[*ir.Block]int{}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		if o := b.First(); b != f.Entry() && o.Code == builtin.Const {
			mark[b] = int(o.Props)
		}
	}
	out := map[int]int{}
	for b := range mark {
		j := cache.PostDom().Ipdom(b)
		if !cache.Dom().Reachable(b) || b.NumSuccs() < 2 || j == nil {
			continue
		}
		if _, ok := mark[j]; !ok {
			continue
		}
		again := false
		seen := map[*ir.Block]bool{j: true}
		work := []*ir.Block{b}
		for len(work) > 0 {
			x := work[len(work)-1]
			work = work[:len(work)-1]
			for i := range x.NumSuccs() {
				s := x.Succ(i)
				for lp := cache.Loops().Of(b); lp != nil; lp = lp.Parent {
					again = again || lp.Contains(j) && (lp.Header == s || lp.Header == j)
				}
				if !seen[s] {
					seen[s] = true
					work = append(work, s)
				}
			}
		}
		if !again {
			out[mark[b]] = mark[j]
		}
	}
	return out
}

// converges checks that lanes which were together at a branch are together
// where they meet again.
func (w *wave) converges(t *rapid.T, meet map[int]int, started uint64, show func() string) {
	together := map[[2]int]int{} // event of the branch, and where lanes meet: event there
	for l := range 64 {
		if started>>l&1 == 0 {
			continue
		}
		last := map[int]int{} // by node: the event of the visit at hand, walking back
		for i := len(w.trace[l]) - 1; i >= 0; i-- {
			n := w.trace[l][i].node
			if j, ok := meet[n]; ok {
				if at, ok := last[j]; ok {
					key := [2]int{w.events[l][i], j}
					if other, ok := together[key]; ok && other != at {
						t.Fatalf("lanes that part in %d do not meet in %d\n%s", n, j, show())
					}
					together[key] = at
				}
			}
			last[n] = w.events[l][i]
		}
	}
}

func TestWaves(t *testing.T) {
	irreducible, finished, all := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for _, chip := range []string{"gfx1100", "gfx942"} {
			i, done := runWave(t, chip, rapid.Bool().Draw(t, "layout"))
			all++
			if i {
				irreducible++
			}
			if done {
				finished++
			}
		}
	})
	t.Logf("%d runs, %d finished, %d irreducible", all, finished, irreducible)
	if finished < all/4 {
		t.Errorf("only %d of %d runs finished", finished, all)
	}
}
