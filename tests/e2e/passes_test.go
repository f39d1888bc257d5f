package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
	"pisac/passes"
)

// checkPasses makes every pass alone run over the whole corpus; by default the
// conformance cases are sampled for it.
var checkPasses = flag.Bool("check-passes", false, "run each pass over every conformance case, under several scheduling orders")

// sample is the share of conformance cases that each pass alone is tried on.
const sample = 6

// reference is a program with what it computes unoptimised.
type reference struct {
	program
	text    []byte   // of its module
	buffers [][]byte // by argument, nil of scalars
	fixed   bool     // the order of work-items makes no difference
}

// references runs the corpus unoptimised, under the first scheduling order.
func references(t *testing.T) (all []reference) {
	for _, dir := range []string{"kernels", "llvm-style", "conformance"} {
		for _, p := range programs(t, dir) {
			r := reference{program: p, text: ir.AppendText(nil, p.module)}
			l := request(p.launch)
			var ds ir.Diags
			st := interp.Run(p.module, l, &ds)
			require.False(t, ds.HasErrors(), "%s: %s", p.name, diags(p.module.Sources, ds.List))
			r.fixed = len(st.Atomics) == 0
			for _, a := range l.Args {
				r.buffers = append(r.buffers, a.Data)
			}
			all = append(all, r)
		}
	}
	return all
}

// parsed returns a copy of the program's module.
func (r *reference) parsed(t *testing.T) *ir.Module {
	src, ds := &ir.Sources{}, ir.Diags{}
	m := ir.Parse(src, src.Add(r.name+".pir", r.text), dialects.All(), &ds)
	require.False(t, ds.HasErrors(), "%s: %s", r.name, diags(src, ds.List))
	return m
}

// at returns the program's module as -O level o makes it; a copy unless o is 0.
func (p *program) at(t *testing.T, o int) *ir.Module {
	if o == 0 {
		return p.module
	}
	r := reference{program: *p, text: ir.AppendText(nil, p.module)}
	m := r.parsed(t)
	pr := passes.Runner{Target: target.Default(), Workers: 1}
	require.NoError(t, pr.Run(m, passes.Default(o)))
	return m
}

// check runs a pipeline on a copy of the program, executes it, and returns
// what is wrong: a fault of a pass, a result other than the expected one, or
// one other than before the passes.
func (r *reference) check(t *testing.T, pl passes.Pipeline, seed uint64) string {
	m := r.parsed(t)
	pr := passes.Runner{VerifyEach: true, Target: target.Default(), Workers: 1}
	if err := pr.Run(m, pl); err != nil {
		return err.Error()
	}
	var got *interp.Launch
	p := r.program
	p.module = m
	bad := run(p, func(l *interp.Launch) { l.Seed, got = seed, l })
	if bad != "" || !r.fixed {
		return bad
	}
	for i := range got.Args {
		if !bytes.Equal(r.buffers[i], got.Args[i].Data) {
			return fmt.Sprintf("argument %d differs from before the passes", i)
		}
	}
	return ""
}

// guilty names the first pass of pl after which the program is wrong.
func (r *reference) guilty(t *testing.T, pl passes.Pipeline, seed uint64) string {
	for n := range pl {
		if r.check(t, pl[:n+1], seed) != "" {
			return fmt.Sprintf("the first pass at fault is number %d, %s", n+1, pl[n].String())
		}
	}
	return "no prefix of the pipeline is wrong"
}

func (r *reference) require(t *testing.T, pl passes.Pipeline, seeds int) {
	for seed := range uint64(seeds) {
		if bad := r.check(t, pl, seed); bad != "" {
			t.Errorf("%s, seed %d, %s: %s\n%s", r.name, seed, pl, bad, r.guilty(t, pl, seed))
		}
	}
}

// alone is the pipeline of p and of what p needs to have run.
func alone(p *passes.Pass) passes.Pipeline {
	var pl passes.Pipeline
	have := passes.PISA
	for _, q := range passes.All() {
		if q.Gives&p.Needs&^have != 0 {
			pl = append(pl, passes.NewStep(q))
			have |= q.Gives
		}
	}
	return append(pl, passes.NewStep(p))
}

// TestPassesKeepResults executes programs before and after each pass alone and
// each -O pipeline: the buffers must be the same, and as expected.
func TestPassesKeepResults(t *testing.T) {
	all := references(t)
	seeds := *seeds
	if *checkPasses {
		seeds = max(seeds, 4)
	}
	for _, p := range passes.All() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			pl := alone(p)
			for i := range all {
				if *checkPasses || i < 31 || i%sample == len(p.Name)%sample {
					all[i].require(t, pl, seeds)
				}
			}
		})
	}
	for o := 1; o <= 3; o++ {
		t.Run(fmt.Sprintf("O%d", o), func(t *testing.T) {
			t.Parallel()
			pl := passes.Default(o)
			for i := range all {
				all[i].require(t, pl, seeds)
			}
		})
	}
}
