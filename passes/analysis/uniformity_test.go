package analysis

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"pisac/dialects/builtin"
	"pisac/ir"
	"pisac/tests/randir"
)

// simt runs lanes together as the analysis supposes: they part at a branch,
// each part runs to the post-dominator, there they go on together.
type simt struct {
	t     *rapid.T
	u     *Uniformity
	all   int
	gone  int // lanes that have returned
	fuel  int
	split bool
}

func (s *simt) run(lanes []*randir.Frame, b, stop *ir.Block) (arrived []*randir.Frame) {
	for b != stop {
		s.check(lanes, b)
		for op := b.First(); op != b.Last(); op = op.Next() {
			if s.fuel--; s.fuel < 0 {
				return nil
			}
			for _, l := range lanes {
				if !l.Exec(op) {
					s.fuel = -1
				}
			}
			for i := range op.NumOperands() {
				s.agree(lanes, op.Operand(i), s.u.UseDivergent(&op.Operands()[i]), "use by an op of", b)
			}
			for i := range op.NumResults() {
				s.agree(lanes, op.Result(i), s.u.Divergent(op.Result(i)), "result in", b)
			}
		}
		if s.fuel -= 1; s.fuel < 0 {
			return nil
		}
		t := b.Last()
		switch t.Code {
		case builtin.Return:
			s.gone += len(lanes)
			return nil
		case builtin.Br:
			for _, l := range lanes {
				l.Follow(t.Succ(0))
			}
			b = b.Succ(0)
		default:
			var part [2][]*randir.Frame
			for _, l := range lanes {
				k := 1
				if l.Value(t.Operand(0)) != 0 {
					k = 0
				}
				l.Follow(t.Succ(k))
				part[k] = append(part[k], l)
			}
			if len(part[0]) == 0 || len(part[1]) == 0 || b.Succ(0) == b.Succ(1) {
				b = b.Succ(0)
				if len(part[0]) == 0 {
					b = t.Succ(1).To()
				}
				break
			}
			if !s.u.Branch(b) {
				s.t.Fatalf("lanes part in block %d of\n%s", b.ID, ir.AppendFunc(nil, b.Func()))
			}
			s.split = true
			end := s.u.post.Ipdom(b)
			met := s.run(part[0], b.Succ(0), end)
			met = append(met, s.run(part[1], b.Succ(1), end)...)
			if end == nil || len(met) == 0 || s.fuel < 0 {
				return nil
			}
			lanes, b = met, end
		}
	}
	return lanes
}

func (s *simt) check(lanes []*randir.Frame, b *ir.Block) {
	if len(lanes)+s.gone < s.all && !s.u.Partial(b) {
		s.t.Fatalf("block %d is entered by %d lanes in\n%s", b.ID, len(lanes), ir.AppendFunc(nil, b.Func()))
	}
	for _, v := range b.Args() {
		s.agree(lanes, v, s.u.Divergent(v), "argument of", b)
	}
}

func (s *simt) agree(lanes []*randir.Frame, v *ir.Value, divergent bool, what string, b *ir.Block) {
	if divergent {
		return
	}
	for _, l := range lanes {
		if l.Value(v) != lanes[0].Value(v) {
			s.t.Fatalf("value %d, %s block %d, is %#x and %#x in\n%s", v.ID, what, b.ID, lanes[0].Value(v), l.Value(v), ir.AppendFunc(nil, b.Func()))
		}
	}
}

func TestUniformity(t *testing.T) {
	splits, uniform := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		f := randir.Kernel(t).Func("k")
		u := New(f).Uniformity(SubgroupLevel)
		s := &simt{t: t, u: u, all: 4, fuel: 600}
		s.run(randir.Group(f, 4, uint64(rapid.Uint32Range(0, 5).Draw(t, "a")), 3, rapid.Uint64().Draw(t, "c"), 0x10000), f.Entry(), nil)
		if s.split {
			splits++
		}
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			for _, v := range b.Args() {
				if !u.Divergent(v) {
					uniform++
				}
			}
		}
	})
	if splits < 10 || uniform < 20 {
		t.Fatalf("%d runs with divergence, %d uniform arguments", splits, uniform)
	}
}

// A guard, a counted loop under it, and a loop that lanes leave one by one.
func TestUniformityPrecision(t *testing.T) {
	f := parse(t, `kernel @k(param %n size 4 align 4) {
^bb0:
  %n = pisa.ld.param.32b %n : 32b
  %0 = builtin.const 0x0 : 32b
  %1 = builtin.const 0x1 : 32b
  %l = pisa.sreg.laneid : 32b
  %c = pisa.ucmp.lt.32b %l, %n : pred
  builtin.cond_br %c, ^loop(%0), ^end
^loop(%i: 32b):
  %j = pisa.iadd.32b %i, %1 : 32b
  %d = pisa.ucmp.lt.32b %j, %n : pred
  builtin.cond_br %d, ^loop(%j), ^next
^next:
  builtin.br ^odd(%0)
^odd(%k: 32b):
  %m = pisa.iadd.32b %k, %1 : 32b
  %e = pisa.ucmp.lt.32b %m, %l : pred
  builtin.cond_br %e, ^odd(%m), ^out
^out:
  %o = pisa.iadd.32b %m, %j : 32b
  builtin.br ^end
^end:
  builtin.return
}
`).Funcs[0]
	u := New(f).Uniformity(SubgroupLevel)
	var got []bool
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for _, v := range b.Args() {
			got = append(got, u.Divergent(v))
		}
		for op := b.First(); op != nil; op = op.Next() {
			if op.NumResults() > 0 {
				got = append(got, u.Divergent(op.Result(0)))
			}
		}
	}
	//                n      0      1      l     c     i      j      d      k      m      e     o
	want := []bool{false, false, false, true, true, false, false, false, false, false, true, true}
	assert.Equal(t, want, got)
	assert.False(t, u.Partial(f.LastBlock()))
	assert.True(t, u.Partial(f.LastBlock().Prev()))
}

// Nests and chains of divergent branches take linear time.
func TestUniformityLarge(t *testing.T) {
	const n = 20_000
	succs := make([][]int, 2*n+1)
	for i := range n {
		succs[i] = []int{i + 1}
		succs[n+i] = []int{n - 1 - i, n + i + 1}
	}
	f, blocks := graph(succs)
	assert.True(t, New(f).Uniformity(Wave64Level).Branch(blocks[n]))
}

// Lanes leave a loop in different iterations, by two edges that meet. Each
// branch on %u is uniform, but not for lanes that come to it at different times.
func TestUniformityLeftByTwoEdges(t *testing.T) {
	f := parse(t, `kernel @k(param %n size 4 align 4) {
^bb0:
  %n = pisa.ld.param.32b %n : 32b
  %0 = builtin.const 0x0 : 32b
  %1 = builtin.const 0x1 : 32b
  %l = pisa.sreg.laneid : 32b
  %c = pisa.ucmp.lt.32b %l, %n : pred
  builtin.br ^loop(%0)
^loop(%i: 32b):
  %j = pisa.iadd.32b %i, %1 : 32b
  builtin.cond_br %c, ^loop(%j), ^test
^test:
  %u = pisa.ucmp.lt.32b %j, %n : pred
  builtin.cond_br %u, ^end(%0), ^more
^more:
  builtin.cond_br %u, ^loop(%j), ^end(%1)
^end(%x: 32b):
  builtin.return
}
`).Funcs[0]
	u := New(f).Uniformity(SubgroupLevel)
	assert.True(t, u.Divergent(f.LastBlock().Arg(0)))
}

// Some lanes go on to where all would meet, others go round first: at the
// loop's beginning they are together, with different arguments.
func TestUniformityGoRound(t *testing.T) {
	f := parse(t, `kernel @k(param %n size 4 align 4) {
^bb0:
  %n = pisa.ld.param.32b %n : 32b
  %0 = builtin.const 0x0 : 32b
  %1 = builtin.const 0x1 : 32b
  %l = pisa.sreg.laneid : 32b
  %c = pisa.ucmp.lt.32b %l, %n : pred
  %u = pisa.ucmp.lt.32b %1, %n : pred
  builtin.br ^loop(%0)
^loop(%i: 32b):
  builtin.cond_br %c, ^meet, ^again(%0)
^meet:
  builtin.cond_br %u, ^out, ^again(%1)
^again(%j: 32b):
  builtin.br ^loop(%j)
^out:
  builtin.return
}
`).Funcs[0]
	u := New(f).Uniformity(SubgroupLevel)
	loop := f.Entry().Next()
	assert.True(t, u.Divergent(loop.Arg(0)))
	assert.False(t, u.Divergent(f.Entry().First().Result(0)))
}
