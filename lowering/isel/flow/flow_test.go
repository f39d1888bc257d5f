package flow

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// node is a block of a random graph: where it branches to (none: it returns),
// whether lanes agree about it, and how many arguments it takes.
type node struct {
	to        []int
	divergent bool
	args      int
	blank     bool // nothing but a jump
}

// build makes a kernel of a graph. Block i begins with the marker constant i;
// its branch is on one of two values of the entry block, which stand for any
// condition. An edge passes its source's number, if that is even added to what
// the source was passed; that of a blank block passes 0.
func build(g []node) (f *ir.Func, uniform, divergent *ir.Value) {
	m := ir.NewModule(dialects.All(), &ir.Sources{})
	f = m.NewFunc("k", ir.FuncKernel)
	f.Params = []ir.Param{{Name: "n", Size: 4, Align: 4}}
	entry := f.NewBlock()
	var bl ir.Builder
	bl.AtEnd(entry)
	w := pisa.FType.Put(uint64(pisa.T32b))
	n := bl.ValueAux(pisa.LdParam, w, 1, ir.B32)
	zero := builtin.ConstInt(&bl, ir.B32, 0)
	lane := bl.Value(pisa.ReadSReg, pisa.FOp.Put(uint64(pisa.SLaneID)), ir.B32)
	lt := w | pisa.FOp.Put(uint64(pisa.LT))
	uniform = bl.Value(pisa.UCmp, lt, ir.Pred, zero, n)
	divergent = bl.Value(pisa.UCmp, lt, ir.Pred, lane, n)
	blocks := make([]*ir.Block, len(g))
	for i := range g {
		blocks[i] = f.NewBlock()
		for range g[i].args {
			blocks[i].AddArg(ir.B32)
		}
	}
	pass := func(to int, v *ir.Value) ir.Target {
		t := ir.Target{To: blocks[to]}
		for range g[to].args {
			t.Args = append(t.Args, v)
		}
		return t
	}
	t := pass(0, zero)
	builtin.Jump(&bl, t.To, t.Args...)
	for i := range g {
		bl.AtEnd(blocks[i])
		if g[i].blank {
			t := pass(g[i].to[0], zero)
			builtin.Jump(&bl, t.To, t.Args...)
			continue
		}
		v := builtin.ConstInt(&bl, ir.B32, uint64(i))
		for _, a := range blocks[i].Args() {
			bl.Value(pisa.IAdd, w, ir.B32, a, zero) // for the trace
		}
		if i%2 == 0 && g[i].args > 0 {
			v = bl.Value(pisa.IAdd, w, ir.B32, blocks[i].Arg(0), v)
		}
		switch len(g[i].to) {
		case 0:
			builtin.Ret(&bl, nil)
		case 1:
			t := pass(g[i].to[0], v)
			builtin.Jump(&bl, t.To, t.Args...)
		default:
			c := uniform
			if g[i].divergent {
				c = divergent
			}
			builtin.Branch(&bl, c, pass(g[i].to[0], v), pass(g[i].to[1], v))
		}
	}
	return f, uniform, divergent
}

// drawGraph draws a graph: random edges, or edges that lead near.
func drawGraph(t *rapid.T) []node {
	n := rapid.IntRange(1, 14).Draw(t, "n")
	near := rapid.IntRange(1, n).Draw(t, "near")
	g := make([]node, n)
	for i := range g {
		for range rapid.SampledFrom([]int{0, 1, 1, 2, 2, 2, 2}).Draw(t, "succs") {
			at := i + rapid.IntRange(-near, near).Draw(t, "to")
			g[i].to = append(g[i].to, (at+n)%n)
		}
		g[i].divergent = rapid.IntRange(0, 3).Draw(t, "divergent") > 0
		g[i].args = rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "args")
		if len(g[i].to) == 1 && rapid.IntRange(0, 2).Draw(t, "blank") == 0 {
			g[i].blank, g[i].args = true, 0
		}
	}
	return g
}

func plan(t require.TestingT, f *ir.Func, wave string) *Plan {
	p := New(f, analysis.New(f), target.ByName(wave))
	var ds ir.Diags
	require.True(t, ir.Verify(f.Module(), &ds), "%v", ds.List)
	return p
}

// The promises of the package doc.
func TestShape(t *testing.T) {
	irreducible := 0
	rapid.Check(t, func(t *rapid.T) {
		f, _, _ := build(drawGraph(t))
		before := analysis.New(f)
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			if before.Dom().Reachable(b) && before.Loops().Region(b) >= 0 {
				irreducible++
				break
			}
		}
		p := plan(t, f, "gfx1100")
		checkShape(t, f, p)
	})
	if irreducible < 3 {
		t.Fatalf("%d irreducible graphs", irreducible)
	}
}

func checkShape(t require.TestingT, f *ir.Func, p *Plan) {
	var order []*ir.Block
	pos := map[*ir.Block]int{}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		pos[b] = len(order)
		order = append(order, b)
	}
	loopOf := map[*ir.Block]*ir.Block{} // header: latch
	for i, b := range order {
		if b.NumSuccs() == 0 {
			require.Equal(t, len(order)-1, i, "a block that returns is not the last")
			require.Equal(t, Ret, p.Kind(b))
		}
		for k := range b.NumSuccs() {
			to := b.Succ(k)
			if b.NumSuccs() > 1 {
				require.Zero(t, b.Last().Succ(k).NumArgs())
			}
			if pos[to] <= i {
				require.Equal(t, 1, b.NumSuccs())
				require.Nil(t, loopOf[to])
				loopOf[to] = b
				require.Contains(t, []Kind{Jump, Loop}, p.Kind(b))
			}
		}
	}
	for _, b := range order { // entries of loops
		for k := range b.NumSuccs() {
			to := b.Succ(k)
			for h, latch := range loopOf {
				if in := pos[to] >= pos[h] && pos[to] <= pos[latch]; in && pos[b] < pos[h] {
					require.Equal(t, h, to)
					require.Equal(t, pos[h]-1, pos[b])
					require.Equal(t, 1, b.NumSuccs())
				}
			}
		}
	}
}

// largeGraph is a graph of about n blocks that a careless walk takes quadratic
// time for.
func largeGraph(shape string, n int) []node {
	g := make([]node, n)
	for i := range g {
		switch shape {
		case "nest": // of loops
			g[i] = node{to: []int{i + 1}}
			if i >= n/2 {
				g[i] = node{to: []int{n - 1 - i, i + 1}, divergent: true}
			}
		case "ladder": // of irreducible regions
			g[i] = node{to: []int{min(i+2, n-1), max(i-1, 0)}, divergent: true}
		case "random":
			g[i] = node{to: []int{int(uint32(i)*2654435761>>3) % n, i + 1}, divergent: true}
		case "chain": // of ways to the end
			g[i] = node{to: []int{i + 1, n - 1}, divergent: i%2 == 0}
		}
	}
	g[n-1] = node{}
	return g
}

func planTime(shape string, n int) time.Duration {
	best := time.Duration(1 << 62)
	for range 3 {
		f, _, _ := build(largeGraph(shape, n))
		start := time.Now()
		New(f, analysis.New(f), target.ByName("gfx942"))
		best = min(best, time.Since(start))
	}
	return best
}

// TestLinear: four times the blocks take about four times as long, not sixteen.
func TestLinear(t *testing.T) {
	for _, shape := range []string{"nest", "ladder", "random", "chain"} {
		var few, many time.Duration
		for range 4 {
			if few, many = planTime(shape, 1500), planTime(shape, 6000); many < 9*few {
				break
			}
		}
		assert.Less(t, many, 9*few, shape)
	}
}
