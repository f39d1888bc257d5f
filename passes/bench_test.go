package passes

import (
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"testing"
	"time"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// shape is a kind of function that has made optimisers slow.
type shape struct {
	name string
	size int
	make func(n int) *ir.Module
}

var shapes = []shape{
	{"block", 1_000_000, blockShape},
	{"loads", 1_000_000, loadsShape},
	{"chain", 15_000, chainShape},
	{"labels", 100_000, labelsShape},
	{"loops", 20_000, loopsShape},
	{"nest", 2_000, nestShape},
	{"switch", 30_000, switchShape},
	{"functions", 20_000, functionsShape},
}

// maker builds straight code of the usual mixture.
type maker struct {
	bl   ir.Builder
	f    *ir.Func
	x, y *ir.Value // 32-bit values at hand
	base *ir.Value // address
	n    int
}

func newMaker(m *ir.Module, name string) *maker {
	f := m.NewFunc(name, ir.FuncDevice)
	f.Sig, f.Ret, f.Linkage = []ir.Type{ir.B32, ir.B64}, ir.B32, ir.LinkExport
	k := &maker{f: f}
	b := f.NewBlock()
	k.x, k.base = b.AddArg(ir.B32), b.AddArg(ir.B64)
	k.y = k.x
	k.bl.AtEnd(b)
	return k
}

func emptyModule() *ir.Module { return ir.NewModule(dialects.All(), &ir.Sources{}) }

const p32 = uint64(pisa.T32b)

// add appends ops that need what came before: nothing folds away.
func (k *maker) add(ops int) {
	p := pisa.FType.Put(p32)
	for i := 0; i < ops; i += 8 {
		k.n++
		c := builtin.ConstInt(&k.bl, ir.B32, uint64(k.n%97))
		a := k.bl.Value(pisa.IAdd, p, ir.B32, k.x, c)
		b := k.bl.Value(pisa.Xor, p, ir.B32, a, k.y)
		q := k.bl.Value(pisa.UCmp, p|pisa.FOp.Put(uint64(pisa.LT)), ir.Pred, a, b)
		s := k.bl.Value(pisa.Sel, p, ir.B32, a, b, q)
		d := k.bl.Value(pisa.UMul, p, ir.B32, s, b)
		e := k.bl.Value(pisa.FMad, pisa.FType.Put(uint64(pisa.F)), ir.B32, d, s, a)
		k.y, k.x = k.bl.Value(pisa.IAdd, p, ir.B32, e, d), s
	}
}

// access appends a load or a store at an offset.
func (k *maker) access(off uint64, store bool) {
	o := builtin.ConstInt(&k.bl, ir.B64, off)
	addr := k.bl.Value(pisa.IAdd, pisa.FType.Put(uint64(pisa.T64b)), ir.B64, k.base, o)
	p := pisa.FType.Put(p32) | pisa.FSpace.Put(uint64(ir.SpaceGlobal))
	if store {
		k.bl.Op(pisa.St, p, addr, k.x)
	} else {
		k.x = k.bl.Value(pisa.Ld, p, ir.B32, addr)
	}
}

// below appends x < n.
func (k *maker) below(x *ir.Value, n uint64, c pisa.Cmp) *ir.Value {
	p := pisa.FType.Put(p32) | pisa.FOp.Put(uint64(c))
	return k.bl.Value(pisa.UCmp, p, ir.Pred, x, builtin.ConstInt(&k.bl, ir.B32, n))
}

func (k *maker) done() {
	p := pisa.FType.Put(p32)
	builtin.Ret(&k.bl, k.bl.Value(pisa.Xor, p, ir.B32, k.x, k.y))
}

func blockShape(n int) *ir.Module {
	m := emptyModule()
	k := newMaker(m, "f")
	k.add(n)
	k.done()
	return m
}

// loadsShape is one block of loads and stores at a few thousand addresses.
func loadsShape(n int) *ir.Module {
	m := emptyModule()
	k := newMaker(m, "f")
	for i := 0; i < n; i += 11 {
		k.access(uint64(i%4093)*4, i%3 == 0)
		k.add(8)
	}
	k.done()
	return m
}

// chainShape is n blocks, one behind the other, each of which may leave.
func chainShape(n int) *ir.Module {
	m := emptyModule()
	k := newMaker(m, "f")
	out := k.f.NewBlock()
	r := out.AddArg(ir.B32)
	for i := range n {
		k.access(uint64(i)*4, true)
		k.add(8)
		next := k.f.NewBlockBefore(out)
		builtin.Branch(&k.bl, k.below(k.x, uint64(i), pisa.LT), ir.Target{To: out, Args: []*ir.Value{k.y}}, ir.Target{To: next})
		k.bl.AtEnd(next)
	}
	k.done()
	k.bl.AtEnd(out)
	builtin.Ret(&k.bl, r)
	return m
}

// labelsShape is n conditional stores.
func labelsShape(n int) *ir.Module {
	m := emptyModule()
	k := newMaker(m, "f")
	for i := range n {
		arm, next := k.f.NewBlock(), k.f.NewBlock()
		builtin.Branch(&k.bl, k.below(k.x, uint64(i), pisa.GT), ir.Target{To: arm}, ir.Target{To: next})
		k.bl.AtEnd(arm)
		k.access(uint64(i%64)*4, true)
		builtin.Jump(&k.bl, next)
		k.bl.AtEnd(next)
		k.y = k.bl.Value(pisa.Xor, pisa.FType.Put(p32), ir.B32, k.y, k.x)
		k.x = k.bl.Value(pisa.UMul, pisa.FType.Put(p32), ir.B32, k.y, k.x)
	}
	k.done()
	return m
}

// loop wraps what body appends into a loop of unknown length.
func (k *maker) loop(body func()) {
	head, out := k.f.NewBlock(), k.f.NewBlock()
	i := head.AddArg(ir.B32)
	builtin.Jump(&k.bl, head, k.x)
	x, y := k.x, k.y
	k.bl.AtEnd(head)
	k.x = k.bl.Value(pisa.Xor, pisa.FType.Put(p32), ir.B32, x, i)
	body()
	next := k.bl.Value(pisa.IAdd, pisa.FType.Put(p32), ir.B32, i, builtin.ConstInt(&k.bl, ir.B32, 3))
	cond := k.bl.Value(pisa.UCmp, pisa.FType.Put(p32)|pisa.FOp.Put(uint64(pisa.LT)), ir.Pred, next, y)
	builtin.Branch(&k.bl, cond, ir.Target{To: head, Args: []*ir.Value{next}}, ir.Target{To: out})
	k.bl.AtEnd(out)
	// out stands behind the body in layout
	out.MoveAfter(k.f.LastBlock())
}

func loopsShape(n int) *ir.Module {
	m := emptyModule()
	k := newMaker(m, "f")
	for i := range n {
		k.loop(func() { k.access(uint64(i%64)*4, i%2 == 0); k.add(8) })
	}
	k.done()
	return m
}

func nestShape(n int) *ir.Module {
	m := emptyModule()
	k := newMaker(m, "f")
	var in func(int)
	in = func(d int) {
		if d > 0 {
			k.loop(func() { k.access(uint64(d%64)*4, false); in(d - 1); k.add(8) })
		}
	}
	in(n)
	k.done()
	return m
}

// switchShape compares one value with n constants.
func switchShape(n int) *ir.Module {
	m := emptyModule()
	k := newMaker(m, "f")
	x := k.x
	out := k.f.NewBlock()
	r := out.AddArg(ir.B32)
	for i := range n {
		arm, next := k.f.NewBlock(), k.f.NewBlock()
		builtin.Branch(&k.bl, k.below(x, uint64(i), pisa.EQ), ir.Target{To: arm}, ir.Target{To: next})
		k.bl.AtEnd(arm)
		v := k.bl.Value(pisa.UMul, pisa.FType.Put(p32), ir.B32, x, k.y)
		k.bl.Op(pisa.St, pisa.FType.Put(p32)|pisa.FSpace.Put(uint64(ir.SpaceGlobal)), k.base, v)
		builtin.Jump(&k.bl, out, v)
		k.bl.AtEnd(next)
	}
	k.done()
	k.bl.AtEnd(out)
	builtin.Ret(&k.bl, r)
	return m
}

func functionsShape(n int) *ir.Module {
	m := emptyModule()
	for i := range n {
		k := newMaker(m, "f"+strconv.Itoa(i))
		k.access(4, i%2 == 0)
		k.add(24)
		k.done()
	}
	return m
}

func countOps(m *ir.Module) (n int) {
	for _, f := range m.Funcs {
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			for op := b.First(); op != nil; op = op.Next() {
				n++
			}
		}
	}
	return n
}

// cpuTime is the processor time that the process has used, so that other
// processes do not matter.
func cpuTime() time.Duration {
	var ru syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

// runO2 optimises m on one core and returns the processor time, the garbage
// collector's included, which runs as seldom as in the command.
func runO2(t testing.TB, m *ir.Module) time.Duration {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	r := Runner{Target: target.Default(), Workers: 1}
	runtime.GC()
	start := cpuTime()
	if err := r.Run(m, Default(2)); err != nil {
		t.Fatal(err, err.(*PassError).Stack)
	}
	return cpuTime() - start
}

// BenchmarkO2 reports ops per second of processor time.
func BenchmarkO2(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			ops, cpu := 0, time.Duration(0)
			b.ReportAllocs()
			b.StopTimer()
			for range b.N {
				m := s.make(s.size)
				ops += countOps(m)
				b.StartTimer()
				cpu += runO2(b, m)
				b.StopTimer()
			}
			b.ReportMetric(float64(ops)/cpu.Seconds(), "ops/s")
		})
	}
}

// TestLinear: ten times the size, at most 25 times the processor time, with a
// grace for what is too short to measure.
func TestLinear(t *testing.T) {
	for _, s := range shapes {
		small, large := runO2(t, s.make(s.size/200)), runO2(t, s.make(s.size/20))
		if large > 25*small+250*time.Millisecond {
			t.Errorf("%s: %v for size %d, %v for ten times as much", s.name, small, s.size/200, large)
		}
	}
}

// TestMemory holds the allocations of -O2 on a large block below 1 KB an op,
// and their number to a small share of the ops.
func TestMemory(t *testing.T) {
	m := blockShape(100_000)
	ops := float64(countOps(m))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	runO2(t, m)
	runtime.ReadMemStats(&after)
	if b := float64(after.TotalAlloc-before.TotalAlloc) / ops; b > 1024 {
		t.Errorf("%.0f bytes allocated for each op", b)
	}
	if n := float64(after.Mallocs-before.Mallocs) / ops; n > 0.1 {
		t.Errorf("%.2f allocations for each op", n)
	}
}
