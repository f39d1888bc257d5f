package interp

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"pisac/dialects/builtin"
	"pisac/dialects/host"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// engine is one run.
type engine struct {
	launch   *Launch
	prog     *program
	mem      *host.Memory
	kernel   *function
	params   []byte
	paramOff []uint64
	host.Range
	privShift uint
	maxSteps  uint64
	maxDepth  int
	races     *races
	codeFuncs []*function // by address
	globalLen uint64      // bytes of variables so far
	sharedLen uint64
	tooLarge  *fault // the first variable that does not fit

	next     atomic.Uint64 // work-group to start
	firstBad atomic.Uint64 // lowest work-group with a fault
	mu       sync.Mutex
	fault    *fault
	left     []*group // stuck when all groups had been started
}

// worker is what one goroutine needs.
type worker struct {
	eng      *engine
	version  uint64 // changes with every change of memory
	steps    uint64
	counts   []counter
	caches   []*host.Object // last object by memory instruction
	rng      rng
	trace    bool
	warned   map[*ir.Op]*fault
	fault    *fault
	barriers uint64
	calls    uint64
	freeGrps []*group
	names    map[*function]*ir.Names // trace
}

type counter struct{ issued, items uint64 }

// enter counts a block's execution.
func (w *worker) enter(b *block, mask uint32, first bool) {
	if !first {
		w.steps++ // progress, though the block was counted before
		return
	}
	n := uint64(bits.OnesCount32(mask))
	c := &w.counts[b.count]
	c.issued++
	c.items += n
	w.steps += n * b.ops
}

// rng is splitmix64; off without a seed.
type rng struct {
	on    bool
	state uint64
}

func (r *rng) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (r *rng) shuffle(s []int) {
	for i := len(s) - 1; i > 0; i-- {
		j := int(r.next() % uint64(i+1))
		s[i], s[j] = s[j], s[i]
	}
}

// Run executes a kernel of m. Errors and warnings go to ds; the result is nil
// if there was an error. Buffers of l change in place.
func Run(m *ir.Module, l *Launch, ds *ir.Diags) *Stats {
	eng := &engine{launch: l, maxSteps: l.MaxSteps, maxDepth: l.MaxDepth, mem: host.NewMemory(globalBase)}
	if eng.maxSteps == 0 {
		eng.maxSteps = DefaultMaxSteps
	}
	if eng.maxDepth == 0 {
		eng.maxDepth = DefaultMaxDepth
	}
	eng.firstBad.Store(^uint64(0))
	if bad := eng.prepare(m); bad != nil {
		ds.Add(bad.diag())
		return nil
	}
	workers := eng.execute()
	eng.warnings(workers, ds)
	if eng.fault != nil {
		ds.Add(eng.fault.diag())
		return nil
	}
	return eng.stats(workers)
}

func badLaunch(loc ir.Loc, format string, args ...any) *fault {
	return &fault{kind: BadLaunch, loc: loc, text: fmt.Sprintf(format, args...)}
}

// prepare decodes the program, maps memory and fills the parameters.
func (eng *engine) prepare(m *ir.Module) *fault {
	k, bad := host.FindKernel(m, eng.launch.Kernel)
	if bad != nil {
		return badLaunch(bad.Loc, "%s", bad.Text)
	}
	l := eng.launch
	if eng.Range, bad = host.NewRange(k, l.Global, l.Local, l.Dims, host.Limits{Group: maxLocal, Global: 1 << 32}); bad != nil {
		return badLaunch(bad.Loc, "%s", bad.Text)
	}
	p := &program{mod: m, funcs: map[*ir.Func]*function{}}
	eng.prog = p
	for _, v := range m.Vars {
		if v.Linkage == ir.LinkImport {
			return badLaunch(v.Loc, "variable @%s is imported but no module defines it", v.Name)
		}
		if eng.fits(v) {
			eng.mem.AddVar(v)
		}
	}
	eng.reach(k)
	if eng.tooLarge != nil {
		return eng.tooLarge
	}
	for _, f := range p.list {
		if f.fn.Kind == ir.FuncDevice {
			f.code = codeBase + codeStep*uint64(len(eng.codeFuncs))
			eng.codeFuncs = append(eng.codeFuncs, f)
		}
	}
	eng.kernel = p.funcs[k]
	if bad := eng.arguments(k); bad != nil {
		return bad
	}
	if l := eng.launch; l.CheckRaces {
		eng.races = newRaces(eng)
	}
	for _, f := range p.list {
		f.build(eng)
	}
	if len(eng.kernel.blocks) == 0 {
		return badLaunch(k.Loc, "kernel @%s has no body", k.Name)
	}
	items := eng.Local[0] * eng.Local[1] * eng.Local[2]
	eng.privShift = min(24, uint(32-bits.Len64(items)))
	eng.mem.Initialise(eng.symbol)
	return nil
}

// maxLocal bounds a work-group, as the hosts do (LLVM assumes 65536).
const maxLocal = 1 << 16

// reach decodes the kernel and the functions that it can call.
func (eng *engine) reach(k *ir.Func) {
	p := eng.prog
	p.decode(eng, k)
	taken := false // the address of some function may be called
	for i := 0; i < len(p.list); i++ {
		fn := p.list[i].fn
		for b := fn.FirstBlock(); b != nil; b = b.Next() {
			for o := b.First(); o != nil; o = o.Next() {
				switch o.Code {
				case builtin.Call:
					p.decode(eng, p.mod.Symbol(o.Aux).Func)
				case builtin.CallIndirect:
					taken = true
				case pisa.AddrOf:
					taken = taken || p.mod.Symbol(o.Aux).Func != nil
				case pisa.Ld, pisa.St, pisa.IAtom, pisa.FAtom:
					if pisa.OrderOf(o.Props) != pisa.Weak && pisa.SpaceOf(o.Props) != ir.SpaceShared {
						p.crossing = true
					}
				}
			}
		}
		if taken && i == len(p.list)-1 {
			taken = false
			for _, f := range p.mod.Funcs {
				if f.Kind == ir.FuncDevice {
					p.decode(eng, f)
				}
			}
		}
	}
}

// functionAt returns the function at a code address, nil if there is none.
func (eng *engine) functionAt(addr uint64) *function {
	i := (addr - codeBase) / codeStep
	if addr < codeBase || (addr-codeBase)%codeStep != 0 || i >= uint64(len(eng.codeFuncs)) {
		return nil
	}
	return eng.codeFuncs[i]
}

// symbol returns the address that a symbol has in an initialiser or in addrof.
func (eng *engine) symbol(a ir.Aux) (uint64, bool) {
	s := eng.prog.mod.Symbol(a)
	if s.Func != nil {
		if f := eng.prog.funcs[s.Func]; f != nil {
			return f.code, true
		}
		// Not reachable by any call: an address that is no function's here.
		return codeBase + codeStep*uint64(len(eng.codeFuncs)), true
	}
	if al := eng.mem.Vars[s.Var]; al != nil {
		return al.Base, true
	}
	return 0, false
}

// paramSlack is how far beyond the last parameter a load may reach: LLVM reads
// small parameters wider than they are declared.
const paramSlack = 64

// arguments maps buffers and lays out the parameter block.
func (eng *engine) arguments(k *ir.Func) *fault {
	l := eng.launch
	if len(l.Args) != len(k.Params) {
		return badLaunch(k.Loc, "kernel @%s takes %d arguments, %d are given", k.Name, len(k.Params), len(l.Args))
	}
	for i := range k.Params {
		p, a := &k.Params[i], &l.Args[i]
		align := uint64(max(p.Align, 1))
		off := (uint64(len(eng.params)) + align - 1) &^ (align - 1)
		eng.paramOff = append(eng.paramOff, off)
		eng.params = append(eng.params, make([]byte, off+uint64(p.Size)+8-uint64(len(eng.params)))...)
		field := eng.params[off : off+uint64(p.Size)]
		switch a.Kind {
		case host.ArgBuffer:
			if p.Size != 8 {
				return badLaunch(p.Loc, "parameter %%%s has %d bytes: a buffer needs 8", p.Name, p.Size)
			}
			al := eng.mem.Add(a.Data, 256, fmt.Sprintf("argument %d", i))
			binary.LittleEndian.PutUint64(field, al.Base)
		case host.ArgShared:
			if a.Size > maxShared || eng.prog.sharedLen+a.Size > maxShared {
				return badLaunch(p.Loc, "argument %d: a run has at most %d bytes of shared memory", i, maxShared)
			}
			if p.Size != 4 {
				return badLaunch(p.Loc, "parameter %%%s has %d bytes: a pointer to shared memory needs 4", p.Name, p.Size)
			}
			o := eng.prog.placeShared(nil, a.Size, max(p.PtrAlign, 16), fmt.Sprintf("argument %d", i))
			binary.LittleEndian.PutUint32(field, uint32(o.off))
		default:
			if len(a.Data) != len(field) {
				return badLaunch(p.Loc, "argument %d has %d bytes, parameter %%%s %d", i, len(a.Data), p.Name, p.Size)
			}
			copy(field, a.Data)
		}
	}
	eng.params = append(eng.params, make([]byte, paramSlack)...)
	return nil
}

// execute runs all work-groups.
func (eng *engine) execute() []*worker {
	n := eng.launch.Workers
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	// Groups that synchronise with each other, and checks that compare them,
	// run on one goroutine: then the seed decides everything.
	if eng.prog.crossing || eng.races != nil || eng.launch.Trace != nil {
		n = 1
	}
	n = int(min(uint64(n), eng.Groups))
	workers := make([]*worker, n)
	for i := range workers {
		w := &worker{eng: eng, version: 1, counts: make([]counter, eng.prog.nblocks), caches: make([]*host.Object, eng.prog.nmem), warned: map[*ir.Op]*fault{}, names: map[*function]*ir.Names{}, trace: eng.launch.Trace != nil}
		w.rng = rng{on: eng.launch.Seed != 0, state: eng.launch.Seed}
		workers[i] = w
	}
	if n == 1 {
		workers[0].work(eng.Groups)
	} else {
		var wg sync.WaitGroup
		var bug atomic.Value // a panic is a fault of ours: it goes to the caller
		for _, w := range workers {
			wg.Add(1)
			go func() {
				defer func() {
					if x := recover(); x != nil {
						bug.Store(fmt.Sprintf("%v\n%s", x, debug.Stack()))
					}
					wg.Done()
				}()
				w.work(eng.Groups)
			}()
		}
		wg.Wait()
		if x := bug.Load(); x != nil {
			panic(x)
		}
	}
	if len(eng.left) > 0 && eng.fault == nil {
		w := workers[0]
		w.version++
		w.finish(eng.left)
	}
	return workers
}

// report keeps the fault of the lowest work-group.
func (eng *engine) report(f *fault) {
	eng.mu.Lock()
	defer eng.mu.Unlock()
	if eng.fault == nil || f.group < eng.fault.group {
		eng.fault = f
		eng.firstBad.Store(f.group)
	}
}

func (w *worker) start(linear uint64) *group {
	g := &group{eng: w.eng, w: w}
	if n := len(w.freeGrps); n > 0 {
		g, w.freeGrps = w.freeGrps[n-1], w.freeGrps[:n-1]
	}
	g.reset(linear)
	return g
}

// Rounds of turns that a group gets before the next one of those in progress,
// and turns after which another is started beside groups that do not end.
const (
	roundsPerGroup = 16
	patience       = 8
)

// work runs groups until none is left to start.
func (w *worker) work(total uint64) {
	eng := w.eng
	var active []*group
	most := 1
	if w.rng.on {
		most += int(w.rng.next() % 4)
	}
	waited := 0
	for {
		for len(active) < most {
			i := eng.next.Add(1) - 1
			if i >= total || i > eng.firstBad.Load() {
				break
			}
			active = append(active, w.start(w.permute(i, total)))
		}
		if len(active) == 0 {
			return
		}
		g, at := w.choose(active)
		if g == nil {
			// All are stuck. One not yet started may free them, or lanes
			// of theirs that wait at a join.
			more := eng.next.Load() < total
			switch {
			case more && len(active) < maxResident:
				most++
			case forceAny(active):
			case more:
				most++
			default:
				w.stuck(active)
				return
			}
			continue
		}
		rounds := roundsPerGroup
		if w.rng.on {
			rounds = 1 + int(w.rng.next()%8)
		}
		switch g.run(rounds) {
		case outDone:
			active = append(active[:at], active[at+1:]...)
			w.freeGrps = append(w.freeGrps, g)
			waited = 0
			if eng.races != nil {
				delete(eng.races.state, g.linear)
			}
		case outFault:
			eng.report(w.fault)
			return
		case outMore:
			if waited += rounds; waited > patience*roundsPerGroup*most && eng.next.Load() < total {
				most++ // it may wait for a later one in a way we do not see
				waited = 0
			}
		}
	}
}

// maxResident is how many work-groups are started to free those that spin
// before lanes are let past their joins.
const maxResident = 64

func forceAny(gs []*group) bool {
	for _, g := range gs {
		if g.force() {
			return true
		}
	}
	return false
}

// permute is the order in which groups start: as numbered, or shuffled in
// windows by the seed.
func (w *worker) permute(i, total uint64) uint64 {
	if !w.rng.on || w.eng.launch.Seed%2 == 0 {
		return i
	}
	return total - 1 - i
}

// choose picks a group that is not stuck.
func (w *worker) choose(active []*group) (*group, int) {
	k := 0
	if w.rng.on {
		k = int(w.rng.next() % uint64(len(active)))
	} else if len(active) > 1 {
		w.rng.state++
		k = int(w.rng.state % uint64(len(active)))
	}
	for i := range active {
		j := (k + i) % len(active)
		if g := active[j]; g.stuckAt != w.version {
			return g, j
		}
	}
	return nil, 0
}

// stuck is called when the worker's groups cannot advance and none is left to
// start. With several workers, others may still change memory.
func (w *worker) stuck(gs []*group) {
	eng := w.eng
	if eng.prog.crossing || eng.launch.Workers == 1 {
		eng.report(deadlock(gs))
		return
	}
	eng.mu.Lock()
	defer eng.mu.Unlock()
	eng.left = append(eng.left, gs...)
}

// finish runs groups that waited for those of other workers.
func (w *worker) finish(gs []*group) {
	for _, g := range gs {
		g.w, g.stuckAt = w, 0
		for _, s := range g.sgs {
			for i := range s.frags {
				s.frags[i].parkedAt, s.frags[i].samples = 0, 0
			}
		}
	}
	for len(gs) > 0 {
		g, at := w.choose(gs)
		if g == nil {
			if forceAny(gs) {
				continue
			}
			w.eng.report(deadlock(gs))
			return
		}
		switch g.run(roundsPerGroup) {
		case outDone:
			gs = append(gs[:at], gs[at+1:]...)
		case outFault:
			w.eng.report(w.fault)
			return
		}
	}
}
