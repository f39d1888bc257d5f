package machine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/ir"
)

// machineGen makes random functions as they are in front of Regalloc.
type machineGen struct {
	r      *rand.Rand
	t      *target.Target
	f      *ir.Func
	bl     ir.Builder
	vals   []*ir.Value // in scope, of a class
	scc    []*ir.Value
	left   int  // ops to make
	inside int  // regions around
	wide   bool // many values are live at a time
}

func (g *machineGen) n(n int) int { return g.r.IntN(n) }

func (g *machineGen) add(v *ir.Value) *ir.Value {
	if v.Type.Class() == ir.SCC {
		g.scc = append(g.scc, v)
	} else {
		g.vals = append(g.vals, v)
	}
	return v
}

func regs(c ir.RegClass, n int) ir.Type { return ir.Regs(c, n) }

// pick is a value in scope of type t; one is made if there is none.
func (g *machineGen) pick(t ir.Type) *ir.Value {
	for range 12 {
		if len(g.vals) == 0 {
			break
		}
		i := g.n(len(g.vals))
		if !g.wide && len(g.vals) > 8 {
			i = len(g.vals) - 1 - g.n(8)
		}
		if g.vals[i].Type == t {
			return g.vals[i]
		}
	}
	for i := len(g.vals) - 1; i >= 0; i-- {
		if g.vals[i].Type == t {
			return g.vals[i]
		}
	}
	n, c := t.Lanes(), t.Class()
	if n == 1 {
		code := amdgpu.SMovB32
		if c == ir.VGPR {
			code = amdgpu.VMovB32
		}
		return g.add(g.bl.Value(code, 0, t, g.imm()))
	}
	var parts []*ir.Value
	for range n {
		parts = append(parts, g.pick(regs(c, 1)))
	}
	return g.add(g.bl.Value(amdgpu.PBuild, 0, t, parts...))
}

func (g *machineGen) imm() *ir.Value { return builtin.ConstInt(&g.bl, ir.B32, g.r.Uint64()%64) }

func (g *machineGen) v(n int) *ir.Value { return g.pick(regs(ir.VGPR, n)) }
func (g *machineGen) s(n int) *ir.Value { return g.pick(regs(ir.SGPR, n)) }

func (g *machineGen) maskType() ir.Type { return regs(ir.SGPR, g.t.Wave/32) }

func (g *machineGen) mask() *ir.Value {
	return g.add(g.bl.Value(amdgpu.Cmp(amdgpu.LT, amdgpu.CmpU32), 0, g.maskType(), g.v(1), g.v(1)))
}

func (g *machineGen) cond() *ir.Value {
	if len(g.scc) > 0 && g.n(2) == 0 {
		k := len(g.scc)
		if !g.wide {
			k = min(k, 8)
		}
		return g.scc[len(g.scc)-1-g.n(k)]
	}
	return g.add(g.bl.Value(amdgpu.SCmpLtU32, 0, ir.SCCBit, g.s(1), g.s(1)))
}

// op makes one instruction.
func (g *machineGen) op() {
	g.left--
	V, S := func(n int) ir.Type { return regs(ir.VGPR, n) }, func(n int) ir.Type { return regs(ir.SGPR, n) }
	bl := &g.bl
	all := func(o *ir.Op) {
		for i := range o.NumResults() {
			g.add(o.Result(i))
		}
	}
	switch g.n(26) {
	case 0, 1:
		g.add(bl.Value(amdgpu.VAddNcU32, 0, V(1), g.v(1), g.v(1)))
	case 2:
		g.add(bl.Value(amdgpu.VFmaF32, 0, V(1), g.v(1), g.s(1), g.v(1)))
	case 3:
		g.add(bl.Value(amdgpu.Mem(amdgpu.Global, amdgpu.LoadB64), amdgpu.FSaddr.Put(1), V(2), g.v(1), g.s(2)))
	case 4:
		g.add(bl.Value(amdgpu.Mem(amdgpu.Global, amdgpu.LoadB128), 0, V(4), g.v(2)))
	case 5, 6:
		n := []int{2, 2, 3, 4, 8}[g.n(5)]
		var parts []*ir.Value
		for k := 0; k < n; {
			switch g.n(8) {
			case 0:
				parts, k = append(parts, g.imm()), k+1
			case 1:
				if k+2 <= n {
					parts, k = append(parts, g.v(2)), k+2
				}
			case 2:
				parts, k = append(parts, g.s(1)), k+1
			default:
				parts, k = append(parts, g.v(1)), k+1
			}
		}
		g.add(bl.Value(amdgpu.PBuild, 0, V(n), parts...))
	case 7, 8:
		n := []int{2, 3, 4, 4, 8}[g.n(5)]
		k := 1
		if n > 3 && g.n(3) == 0 {
			k = 2
		}
		g.add(bl.Value(amdgpu.PExtract, amdgpu.FIndex.Put(uint64(g.n(n-k+1))), V(k), g.v(n)))
	case 9:
		switch g.n(6) {
		case 4, 5: // a tuple with its parts in another order
			c := ir.VGPR
			if g.n(3) == 0 {
				c = ir.SGPR
			}
			t, parts := g.pick(regs(c, 4)), []*ir.Value(nil)
			for _, i := range g.r.Perm(4) {
				parts = append(parts, bl.Value(amdgpu.PExtract, amdgpu.FIndex.Put(uint64(i)), regs(c, 1), t))
			}
			g.add(bl.Value(amdgpu.PBuild, 0, t.Type, parts...))
		case 0:
			g.add(bl.Value(amdgpu.PCopy, 0, V(1), g.s(1)))
		case 1:
			g.add(bl.Value(amdgpu.PCopy, 0, S(2), g.s(2)))
		case 2:
			g.add(bl.Value(amdgpu.PCopy, 0, V(2), g.v(2)))
		case 3:
			g.add(bl.Value(amdgpu.PCopy, 0, V(1), g.v(1)))
		}
	case 10:
		all(bl.OpResults(amdgpu.VMadU64U32, 0, 0, []ir.Type{V(2), g.maskType()}, g.v(1), g.s(1), g.v(2)))
	case 11:
		g.mask()
	case 12:
		g.add(bl.Value(amdgpu.VCndmaskB32, 0, V(1), g.v(1), g.v(1), g.pick(g.maskType())))
	case 13:
		o := bl.OpResults(amdgpu.VAddCoU32, 0, 0, []ir.Type{V(1), g.maskType()}, g.v(1), g.v(1))
		all(o)
		all(bl.OpResults(amdgpu.VAddCoCiU32, 0, 0, []ir.Type{V(1), g.maskType()}, g.v(1), g.v(1), o.Result(1)))
	case 14:
		g.add(bl.Value(amdgpu.VDivFmasF32, 0, V(1), g.v(1), g.v(1), g.v(1), g.mask()))
	case 15:
		if g.inside > 1 {
			return // writes a register of a lane that may be elsewhere
		}
		g.add(bl.Value(amdgpu.VWritelaneB32, 0, V(1), g.s(1), g.imm(), g.v(1)))
	case 16, 17:
		all(bl.OpResults(amdgpu.SAddU32, 0, 0, []ir.Type{S(1), ir.SCCBit}, g.s(1), g.s(1)))
	case 18:
		if g.n(2) == 0 {
			all(bl.OpResults(amdgpu.SAndB32, 0, 0, []ir.Type{S(1), ir.SCCBit}, g.s(1), g.s(1)))
		}
		g.add(bl.Value(amdgpu.SCselectB32, 0, S(1), g.s(1), g.s(1), g.cond()))
	case 19:
		g.add(bl.Value(amdgpu.SLoadB128, 0, S(4), g.s(2)))
	case 20:
		n := []int{2, 4}[g.n(2)]
		g.add(bl.Value(amdgpu.PExtract, amdgpu.FIndex.Put(uint64(g.n(n))), S(1), g.s(n)))
	case 21:
		g.add(bl.Value(amdgpu.PBuild, 0, S(2), g.s(1), g.s(1)))
	case 22:
		if g.n(3) == 0 {
			e := g.add(bl.Value(amdgpu.PExec, 0, g.maskType()))
			g.add(bl.Value(amdgpu.PExtract, 0, S(1), e))
			return
		}
		g.add(bl.Value(amdgpu.VReadfirstlaneB32, 0, S(1), g.v(1)))
	case 23:
		bl.Op(amdgpu.Mem(amdgpu.Global, amdgpu.StoreB64), amdgpu.FSaddr.Put(1), g.v(1), g.s(2), g.v(2))
	case 24:
		bl.Op(amdgpu.Mem(amdgpu.Global, amdgpu.StoreB32), 0, g.v(2), g.v(1))
	case 25:
		bl.Op(amdgpu.Mem(amdgpu.Global, amdgpu.StoreB128), 0, g.v(2), g.v(4))
	}
}

func (g *machineGen) block() *ir.Block { return g.f.NewBlock() }

// region fills blocks from the builder's place on; what is in scope before is
// in scope behind, with what the caller adds.
func (g *machineGen) region(depth int) {
	g.inside++
	defer func() { g.inside-- }()
	for k := 1 + g.n(8); k > 0 && g.left > 0; k-- {
		if depth == 0 || g.n(4) > 0 {
			for range 1 + g.n(5) {
				g.op()
			}
			continue
		}
		switch g.n(4) {
		case 0:
			g.diverge(depth - 1)
		case 1:
			g.uniform(depth - 1)
		case 2:
			g.loop(depth-1, true)
		case 3:
			g.loop(depth-1, false)
		}
	}
}

type scope struct{ vals, scc int }

func (g *machineGen) save() scope     { return scope{len(g.vals), len(g.scc)} }
func (g *machineGen) restore(s scope) { g.vals, g.scc = g.vals[:s.vals], g.scc[:s.scc] }

// argTypes are types for the arguments of a block.
func (g *machineGen) argTypes(scalar bool) (ts []ir.Type) {
	for range g.n(4) {
		c := ir.VGPR
		if scalar && g.n(2) == 0 {
			c = ir.SGPR
		}
		ts = append(ts, regs(c, []int{1, 1, 2, 4}[g.n(4)]))
	}
	return ts
}

func (g *machineGen) passed(ts []ir.Type) (vs []*ir.Value) {
	for _, t := range ts {
		vs = append(vs, g.pick(t))
	}
	return vs
}

func (g *machineGen) jump(code ir.Code, to *ir.Block, ts []ir.Type) {
	vs := g.passed(ts)
	g.bl.Branch(code, 0, nil, ir.Target{To: to, Args: vs})
}

func (g *machineGen) start(b *ir.Block, ts []ir.Type) {
	for _, t := range ts {
		g.vals = append(g.vals, b.AddArg(t))
	}
	g.bl.AtEnd(b)
}

// skipped puts a p_skip at the beginning of the blocks from b to the last one,
// which is the one before the next to be made.
func skipped(b, next *ir.Block) {
	n := uint64(0)
	for x := b; x != next; x = x.Next() {
		n++
	}
	var bl ir.Builder
	bl.Before(b.First())
	bl.Op(amdgpu.PSkip, amdgpu.FSkip.Put(n))
}

// arms makes two regions that meet in a block with arguments.
func (g *machineGen) arms(depth int, yes, no *ir.Block, diverge bool) {
	join := g.block()
	ts := g.argTypes(!diverge)
	last := amdgpu.TJump
	if diverge {
		last = amdgpu.TFall
	}
	at := g.save()
	blocks := [2]*ir.Block{yes, no}
	for k, b := range blocks {
		// Blocks come in the order of their making: yes … no … join.
		b.MoveAfter(g.f.LastBlock())
		g.start(b, nil)
		if g.n(6) > 0 {
			g.region(depth)
		}
		g.jump(last, join, ts)
		g.restore(at)
		_ = k
	}
	join.MoveAfter(g.f.LastBlock())
	if diverge {
		skipped(yes, no)
		skipped(no, join)
	}
	g.start(join, ts)
}

func (g *machineGen) diverge(depth int) {
	m := g.mask()
	yes, no := g.block(), g.block()
	g.bl.Branch(amdgpu.TDiverge, 0, []*ir.Value{m}, ir.Target{To: yes}, ir.Target{To: no})
	g.arms(depth, yes, no, true)
}

func (g *machineGen) uniform(depth int) {
	c := g.cond()
	yes, no := g.block(), g.block()
	g.bl.Branch(amdgpu.TCond, 0, []*ir.Value{c}, ir.Target{To: yes}, ir.Target{To: no})
	g.arms(depth, yes, no, false)
}

func (g *machineGen) loop(depth int, diverge bool) {
	ts := g.argTypes(!diverge)
	head := g.block()
	g.jump(amdgpu.TJump, head, ts)
	g.start(head, ts)
	at := g.save()
	g.region(depth)
	code, back := amdgpu.TCond, amdgpu.TJump
	var c *ir.Value
	if diverge {
		c = g.mask()
		code, back = amdgpu.TDiverge, amdgpu.TLoop
	} else {
		c = g.add(g.bl.Value(amdgpu.SCmpLtU32, 0, ir.SCCBit, g.s(1), g.s(1)))
	}
	latch, exit := g.block(), g.block()
	g.bl.Branch(code, 0, []*ir.Value{c}, ir.Target{To: latch}, ir.Target{To: exit})
	inside := g.save()
	latch.MoveAfter(g.f.LastBlock())
	g.start(latch, nil)
	for range g.n(3) {
		g.op()
	}
	g.jump(back, head, ts)
	g.restore(inside)
	exit.MoveAfter(g.f.LastBlock())
	g.start(exit, nil)
	if diverge {
		// What is uniform in a loop that lanes leave one by one is not so outside.
		g.scc = g.scc[:at.scc]
		k := at.vals
		for _, v := range g.vals[at.vals:] {
			if v.Type.Class() == ir.VGPR {
				g.vals[k] = v
				k++
			}
		}
		g.vals = g.vals[:k]
	}
}

func newMachineGen(seed uint64, m *ir.Module, t *target.Target) *machineGen {
	g := &machineGen{r: rand.New(rand.NewPCG(seed, 1)), t: t, f: m.NewFunc("k", ir.FuncKernel)}
	g.start(g.block(), nil)
	return g
}

// liveIns begins the entry block.
func (g *machineGen) liveIns() {
	for _, l := range []struct {
		kind amdgpu.LiveIn
		t    ir.Type
		r    ir.Reg
	}{{amdgpu.LiveKernarg, regs(ir.SGPR, 2), ir.SReg(0)}, {amdgpu.LiveGroupX, regs(ir.SGPR, 1), ir.SReg(2)}, {amdgpu.LiveItems, regs(ir.VGPR, 1), ir.VReg(0)}} {
		v := g.add(g.bl.Value(amdgpu.PLivein, amdgpu.FKind.Put(uint64(l.kind)), l.t))
		v.Reg = l.r
	}
}

// randomMachine is a function of about ops instructions for the chip.
func randomMachine(seed uint64, chip string, ops int, wide bool) *ir.Func {
	g := newMachineGen(seed, ir.NewModule(dialects.All(), nil), target.ByName(chip))
	g.left, g.wide = ops, wide
	g.liveIns()
	for g.left > 0 {
		g.region(3)
	}
	for range 5 {
		g.bl.Op(amdgpu.Mem(amdgpu.Global, amdgpu.StoreB128), 0, g.v(2), g.v(4))
		g.bl.Op(amdgpu.Mem(amdgpu.Global, amdgpu.StoreB64), amdgpu.FSaddr.Put(1), g.v(1), g.s(2), g.v(2))
	}
	g.bl.Op(amdgpu.TRet, 0)
	return g.f
}

// testMachine allocates a random function and compares what it does before and
// after.
func testMachine(t testing.TB, seed uint64, chip string, ops int, wide bool, vgprs, sgprs int) {
	f := randomMachine(seed, chip, ops, wide)
	var ds ir.Diags
	require.True(t, ir.Verify(f.Module(), &ds), "%v", ds.List)
	sameBehaviour(t, fmt.Sprintf("seed %d %s %d", seed, chip, ops), chip, f, vgprs, sgprs)
}

func sameBehaviour(t testing.TB, name, chip string, f *ir.Func, vgprs, sgprs int) {
	before := string(ir.AppendFunc(nil, f))
	tt := target.ByName(chip)
	sim := newWaveSim(5, false)
	if !sim.run(f) {
		return
	}
	c := &Ctx{Target: tt, Mode: tt.Modes()[0], Diags: &ir.Diags{}, OptLevel: 2, VGPRs: vgprs, SGPRs: sgprs, Verify: true}
	Regalloc(c, f)
	require.Empty(t, c.Diags.List, "%s\n%s", name, before)
	SSADestroy(c, f)
	var ds ir.Diags
	require.True(t, ir.Verify(f.Module(), &ds), "%v", ds.List)
	got := newWaveSim(5, true)
	if !got.run(f) || !equalTraces(sim.trace, got.trace) {
		t.Fatalf("%s: the function does something else\n%s\nbehind\n%s", name, before, ir.AppendFunc(nil, f))
	}
}

func equalTraces(a, b []uint64) bool {
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

func TestRegallocRandom(t *testing.T) {
	for _, chip := range []string{"gfx1100", "gfx942"} {
		for seed := range uint64(40) {
			testMachine(t, seed, chip, 5+int(seed)%120, seed%3 == 0, 0, 0)
		}
	}
}

// Few registers: values are spilled.
func TestSpillRandom(t *testing.T) {
	for _, chip := range []string{"gfx1100", "gfx942"} {
		for seed := range uint64(40) {
			testMachine(t, seed, chip, 20+int(seed)%150, seed%2 == 0, 24, 24)
		}
	}
}
