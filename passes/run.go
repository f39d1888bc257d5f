package passes

import (
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"pisac/dialects/amdgpu/target"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Runner executes a pipeline. Its exported fields are set before Run.
type Runner struct {
	Target     *target.Target
	VerifyEach bool
	// Before and After are called around each pass, of the function at hand or
	// of the module (f nil); what they write to out is merged in function
	// order. i is the step's index.
	Before func(out io.Writer, i int, s *Step, m *ir.Module, f *ir.Func)
	After  func(out io.Writer, i int, s *Step, m *ir.Module, f *ir.Func, changed bool)
	// Check is asked after each pass what is wrong with the function or module;
	// an answer ends the run as a fault of the pass.
	Check func(s *Step, m *ir.Module, f *ir.Func) string
	// GivenUp says that a step has refused a function, with errors of its
	// own: no step follows, and its IR is not looked at any more.
	GivenUp func(f *ir.Func) bool
	// Stepped, if set, makes all functions pass a step before any goes on to
	// the next, and is asked behind each step whether to go on.
	Stepped func(i int) bool
	// FastFPAtomics allows passes to change the order in which floats are added
	// to memory.
	FastFPAtomics bool
	// Have is what the module is known to be beside PISA.
	Have State
	// Out takes what Before and After wrote; nil if both are.
	Out io.Writer
	// Remarks selects the passes whose remarks are kept; nil: none.
	Remarks *regexp.Regexp
	// Timing makes Times be filled.
	Timing bool
	// BisectLog is set to count passes and rewrites; BisectLimit is the last
	// that is done, -1 for all.
	BisectLog   io.Writer
	BisectLimit int
	// Workers is how many functions are compiled at a time; 0: GOMAXPROCS.
	Workers int

	// After Run: the remarks in function order, times and statistics by step.
	List  []Remark
	Times []time.Duration
	Stats [][]int64 // by step, by index into Pass.Stats
	// Counted is how many passes and rewrites were asked for; only counted if
	// BisectLog is set.
	Counted int

	bisect  *bisect
	units   map[*ir.Func]*unit
	module  *unit
	touched bool // the module pass at hand says which functions it changes
}

// unit is what belongs to one function, or to the module: caches and output
// that is merged in order.
type unit struct {
	f       *ir.Func
	cache   *analysis.Cache
	ctx     Ctx // of the step at hand
	remarks []Remark
	out     buffer
	stats   [][]int64
	err     *PassError
	changed []*Pass // passes that changed it
}

// changedBy notes that p changed the unit.
func (u *unit) changedBy(p *Pass) {
	if !slices.Contains(u.changed, p) {
		u.changed = append(u.changed, p)
	}
}

type buffer []byte

func (b *buffer) Write(p []byte) (int, error) { *b = append(*b, p...); return len(p), nil }

// PassError is a fault of the compiler in a pass.
type PassError struct {
	Step  int
	Pass  string
	Func  string // empty for a module pass
	Text  string
	Stack string // of a panic
	Diags []ir.Diag
}

func (e *PassError) Error() string {
	where := ""
	if e.Func != "" {
		where = " on @" + e.Func
	}
	return fmt.Sprintf("pass %s%s: %s", e.Pass, where, e.Text)
}

// Run executes pl on m. The error is a PassError, or that of Pipeline.Check.
func (r *Runner) Run(m *ir.Module, pl Pipeline) error {
	if err := pl.Check(PISA | r.Have); err != nil {
		return err
	}
	r.Times = make([]time.Duration, len(pl))
	r.Stats = newStats(pl)
	r.units = map[*ir.Func]*unit{}
	r.module = &unit{cache: analysis.New(nil), stats: newStats(pl)}
	defer r.release()
	if r.BisectLog != nil {
		r.bisect = &bisect{limit: r.BisectLimit, log: r.BisectLog}
		defer func() { r.Counted = r.bisect.n }()
	}
	for i := 0; i < len(pl); {
		if pl[i].Pass.Module != nil {
			r.runModule(m, pl, i)
			if r.module.err != nil {
				return r.module.err
			}
			if r.Stepped != nil && !r.Stepped(i) {
				return nil
			}
			i++
			continue
		}
		end := i + 1
		for r.Stepped == nil && end < len(pl) && pl[end].Pass.Func != nil {
			end++
		}
		if err := r.runFuncs(m, pl, i, end); err != nil {
			return err
		}
		if r.Stepped != nil && !r.Stepped(i) {
			return nil
		}
		i = end
	}
	return nil
}

// has reports whether p is a step of pl.
func (pl Pipeline) has(p *Pass) bool {
	return slices.ContainsFunc(pl, func(s Step) bool { return s.Pass == p })
}

func newStats(pl Pipeline) [][]int64 {
	n := 0
	for i := range pl {
		n += len(pl[i].Pass.Stats)
	}
	s, all := make([][]int64, len(pl)), make([]int64, n)
	for i := range pl {
		k := len(pl[i].Pass.Stats)
		s[i], all = all[:k:k], all[k:]
	}
	return s
}

// release gives up the analyses; a pass that failed may still be in the midst of
// one.
func (r *Runner) release() {
	for _, u := range r.units {
		if u.err == nil {
			u.cache.Release()
		}
		u.cache = nil
	}
	if r.module.err == nil {
		r.module.cache.Release()
	}
}

func (r *Runner) unitOf(f *ir.Func) *unit {
	u := r.units[f]
	if u == nil {
		u = &unit{f: f, cache: analysis.New(f)}
		r.units[f] = u
	}
	return u
}

// runFuncs runs steps [from, to) on each function with a body.
func (r *Runner) runFuncs(m *ir.Module, pl Pipeline, from, to int) error {
	var units []*unit
	for _, f := range m.Funcs {
		if !f.IsDecl() {
			u := r.unitOf(f)
			if u.stats == nil {
				u.stats = newStats(pl)
			}
			units = append(units, u)
		}
	}
	workers := r.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if r.bisect != nil {
		workers = 1
	}
	if workers = min(workers, len(units)); workers <= 1 {
		for _, u := range units {
			r.runUnit(u, m, pl, from, to)
		}
	} else {
		var next atomic.Int64
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for k := next.Add(1) - 1; int(k) < len(units); k = next.Add(1) - 1 {
					r.runUnit(units[k], m, pl, from, to)
				}
			})
		}
		wg.Wait()
	}
	for _, u := range units {
		r.merge(u)
		if u.err != nil {
			return u.err
		}
	}
	return nil
}

// merge takes over what a unit collected.
func (r *Runner) merge(u *unit) {
	r.List = append(r.List, u.remarks...)
	u.remarks = nil
	for i := range u.stats {
		for k, n := range u.stats[i] {
			r.Stats[i][k] += n
			u.stats[i][k] = 0
		}
	}
	if r.Out != nil && len(u.out) > 0 {
		r.Out.Write(u.out)
	}
	u.out = nil
}

func (r *Runner) runUnit(u *unit, m *ir.Module, pl Pipeline, from, to int) {
	for i := from; i < to && u.err == nil; i++ {
		s := &pl[i]
		if r.GivenUp != nil && r.GivenUp(u.f) {
			return
		}
		if s.If != nil && pl[:i].has(s.If) && !slices.Contains(u.changed, s.If) {
			continue
		}
		if r.bisect != nil && !s.Required && !r.bisect.pass(s.Pass.Name, u.f.Name) {
			continue
		}
		r.step(u, m, i, s, func(c *Ctx) bool { return s.Pass.Func(c, u.f) })
	}
}

func (r *Runner) runModule(m *ir.Module, pl Pipeline, i int) {
	s := &pl[i]
	if r.bisect != nil && !s.Required && !r.bisect.pass(s.Pass.Name, "") {
		return
	}
	r.touched = false
	r.step(r.module, m, i, s, func(c *Ctx) bool {
		changed := s.Pass.Module(c, m)
		if changed {
			for _, u := range r.units {
				u.cache.Invalidate(s.Pass.Keeps)
			}
			if !r.touched {
				for _, f := range m.Funcs {
					r.unitOf(f).changedBy(s.Pass)
				}
			}
		}
		return changed
	})
	r.merge(r.module)
}

// step runs one pass on a function or the module, with everything around it.
// Its recover is the one that turns a panic of a pass into a PassError.
func (r *Runner) step(u *unit, m *ir.Module, i int, s *Step, run func(*Ctx) bool) {
	fail := func(text, stack string, ds []ir.Diag) {
		u.err = &PassError{Step: i, Pass: s.Pass.Name, Text: text, Stack: stack, Diags: ds}
		if u.f != nil {
			u.err.Func = u.f.Name
		}
	}
	defer func() {
		if x := recover(); x != nil {
			fail(fmt.Sprint(x), string(debug.Stack()), nil)
		}
	}()
	if r.Before != nil {
		r.Before(&u.out, i, s, m, u.f)
	}
	start := time.Time{}
	if r.Timing {
		start = time.Now()
	}
	c := &u.ctx
	*c = Ctx{Cache: u.cache, Target: r.Target, pass: s.Pass, options: s.Options, stats: u.stats[i], run: r, unit: u, required: s.Required}
	changed := run(c)
	if changed {
		u.cache.Invalidate(s.Pass.Keeps)
		u.changedBy(s.Pass)
	}
	if r.Timing {
		atomic.AddInt64((*int64)(&r.Times[i]), int64(time.Since(start)))
	}
	if r.After != nil {
		r.After(&u.out, i, s, m, u.f, changed)
	}
	if u.f != nil && r.GivenUp != nil && r.GivenUp(u.f) {
		return
	}
	if r.VerifyEach {
		ds := ir.Diags{}
		ok := true
		if u.f != nil {
			ok = ir.VerifyFunc(u.f, &ds)
		} else {
			ok = ir.Verify(m, &ds)
		}
		if !ok {
			fail("the IR is broken behind it: "+ds.List[0].Text, "", ds.List)
			return
		}
	}
	if r.Check != nil {
		if text := r.Check(s, m, u.f); text != "" {
			fail(text, "", nil)
		}
	}
}

func (r *Runner) wantsRemark(p *Pass) bool {
	return r.Remarks != nil && r.Remarks.MatchString(p.Name)
}

// mustStep parses a step of the built-in table.
func mustStep(text string) Step {
	src, ds := &ir.Sources{}, ir.Diags{}
	pl := ParsePipeline(src.Add("", []byte(text)), &ds)
	if pl == nil || len(pl) != 1 {
		panic("passes: bad step " + text)
	}
	return pl[0]
}
