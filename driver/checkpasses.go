package driver

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"pisac/dialects/pisa/interp"
	"pisac/driver/launch"
	"pisac/ir"
	"pisac/passes"
)

// checkSeeds is in how many orders the kernel runs after each pass.
const checkSeeds = 3

// passCheck is pisac run --check-passes: the kernel's results before the
// passes, and which bytes of them are the same in every order of execution.
type passCheck struct {
	o      *runOptions
	l      *launch.Launch
	before [checkSeeds][][]byte // by seed, by argument
	stable [][]bool             // by argument: whether the byte is compared
	loose  int                  // bytes that are not
}

// checkPasses runs the pipeline on m pass by pass, and the kernel after each
// that changed something. The code is exitBug if a pass is at fault.
func (o *runOptions) checkPasses(c *compile, m *ir.Module, l *launch.Launch, stderr io.Writer) int {
	if o.Passes == "" && o.OptLevel == 0 {
		o.OptLevel = 2
	}
	pl := o.pipeline(c)
	if c.ds.HasErrors() {
		return exitInput
	}
	k := &passCheck{o: o, l: l}
	if ds := k.reference(m); ds != nil {
		c.ds.Append(ds)
		return exitInput
	}
	if k.loose > 0 {
		fmt.Fprintf(stderr, "pisac: note: %d bytes of the results depend on the order of execution; they are not compared\n", k.loose)
	}
	changes, changed, code := 0, false, exitOK
	text := ir.AppendText(nil, m)
	r := c.runner(passes.PISA)
	r.Workers = 1
	r.After = func(_ io.Writer, _ int, _ *passes.Step, _ *ir.Module, _ *ir.Func, ch bool) { changed = changed || ch }
	r.Stepped = func(i int) bool {
		if !changed {
			return true
		}
		changes++
		for s := range checkSeeds {
			if diff := k.differs(m, s); diff != "" {
				fmt.Fprintf(stderr, "pisac: pass %s (number %d of the pipeline) changes a result, with --seed=%d:\n%s", pl[i].String(), i+1, k.seed(s), diff)
				k.rewrite(c, text, pl, i, s, stderr)
				code = exitBug
				return false
			}
		}
		changed, text = false, ir.AppendText(text[:0], m)
		return true
	}
	if err := r.Run(m, pl); err != nil {
		c.bug = err
		return exitOK // the caller reports it
	}
	if code != exitOK {
		return code
	}
	fmt.Fprintf(stderr, "pisac: %d passes, %d of which changed the IR, leave the results as they are\n", len(pl), changes)
	return exitOK
}

func (k *passCheck) seed(s int) uint64 { return k.o.Seed + uint64(s) }

// run runs the kernel of m; nil and why if it does not come to its end.
func (k *passCheck) run(m *ir.Module, s int) ([][]byte, *ir.Diags) {
	req := interpLaunch(k.l, k.o, m)
	req.Seed = k.seed(s)
	ds := &ir.Diags{}
	if interp.Run(m, req, ds) == nil || ds.HasErrors() {
		return nil, ds
	}
	bufs := make([][]byte, len(req.Args))
	for i := range req.Args {
		if k.l.Args[i].Kind == launch.Buffer {
			bufs[i] = req.Args[i].Data
		}
	}
	return bufs, nil
}

// reference runs m as it was written. The result is why that cannot be done.
func (k *passCheck) reference(m *ir.Module) *ir.Diags {
	for s := range checkSeeds {
		bufs, ds := k.run(m, s)
		if ds != nil {
			return ds
		}
		k.before[s] = bufs
	}
	k.stable = make([][]bool, len(k.before[0]))
	for i, first := range k.before[0] {
		k.stable[i] = make([]bool, len(first))
		for at := range first {
			same := true
			for s := range checkSeeds {
				same = same && k.before[s][i][at] == first[at]
			}
			if k.stable[i][at] = same; !same {
				k.loose++
			}
		}
	}
	return nil
}

// differs is how the results of m differ from the reference, a line for each
// element; empty if they do not.
func (k *passCheck) differs(m *ir.Module, s int) string {
	bufs, ds := k.run(m, s)
	if ds != nil {
		text := "the run does not come to its end"
		if len(ds.List) > 0 {
			text = ds.List[0].Text
		}
		return "  " + text + "\n"
	}
	var b []byte
	total := 0
	for i, was := range k.before[s] {
		now := bufs[i]
		if bytes.Equal(was, now) {
			continue
		}
		t := k.l.Args[i].Type
		for e := range len(now) / t.Size {
			if !k.changed(i, e*t.Size, (e+1)*t.Size, was, now) {
				continue
			}
			if total++; total <= maxDifferences {
				b = fmt.Appendf(b, "  arg%d[%d]: ", i, e)
				b = append(t.AppendText(b, t.Get(now, e)), ", was "...)
				b = append(t.AppendText(b, t.Get(was, e)), '\n')
			}
		}
	}
	if total > maxDifferences {
		b = fmt.Appendf(b, "  and %d more elements\n", total-maxDifferences)
	}
	return string(b)
}

func (k *passCheck) changed(arg, from, to int, was, now []byte) bool {
	for at := from; at < to; at++ {
		if was[at] != now[at] && k.stable[arg][at] {
			return true
		}
	}
	return false
}

// rewrite finds the first rewrite of step i that changes a result, and shows
// what it does. text is the module before the step.
func (k *passCheck) rewrite(c *compile, text []byte, pl passes.Pipeline, i, s int, stderr io.Writer) {
	var log strings.Builder
	count := 0
	try := func(limit int) *ir.Module {
		m := reparse(text)
		r := c.runner(pl[:i].After(passes.PISA))
		log.Reset()
		r.BisectLog, r.BisectLimit = &log, limit
		if m == nil || r.Run(m, pl[i:i+1]) != nil {
			return nil
		}
		count = r.Counted
		return m
	}
	if m := try(-1); m == nil || k.differs(m, s) == "" {
		return
	}
	first := 1 + sort.Search(count, func(n int) bool {
		m := try(n + 1)
		return m != nil && k.differs(m, s) != ""
	})
	before, after := try(first-1), try(first)
	if before == nil || after == nil {
		return
	}
	fmt.Fprintf(stderr, "what does it is number %d of the pass's own --opt-bisect-limit%s:\n", first, where(log.String(), first))
	for n, f := range after.Funcs {
		if f.IsDecl() || n >= len(before.Funcs) || before.Funcs[n].IsDecl() {
			continue
		}
		if a, b := stableText(before.Funcs[n]), stableText(f); a != b {
			fmt.Fprint(stderr, unified("before", "after", a, b))
		}
	}
}

var bisectLine = regexp.MustCompile(`(?m)^BISECT: \w+ pass \((\d+)\) \S+ on function \((.*)\)$`)

// where is the function that was compiled when n was counted.
func where(log string, n int) string {
	name := ""
	for _, m := range bisectLine.FindAllStringSubmatch(log, -1) {
		if at, err := strconv.Atoi(m[1]); err == nil && at <= n {
			name = ", in @" + m[2]
		}
	}
	return name
}
