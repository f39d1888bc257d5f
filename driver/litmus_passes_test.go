package driver

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes"
	"pisac/passes/litmus"
)

var (
	litmusPass   = flag.String("litmus.pass", "", "judge only this pipeline")
	litmusStride = flag.Int("litmus.stride", 0, "judge passes in one of this many contexts; 1: all; 0: a small sample")
)

// judge returns what compiles a litmus test and runs a pipeline on a copy.
func judge(t *testing.T, pipeline string) litmus.Transform {
	return func(text []byte) (before, after *ir.Module, s *litmus.Spec, err error) {
		o := &litmusOptions{RelaxedScope: "system"}
		c := &compile{o: &Options{Emit: EmitIR, VerifyEach: true}, src: &ir.Sources{}}
		test, err := o.read(c, Input{Name: "fragment.pisa", Text: text, FirstLine: 1})
		if err == nil && c.ds.HasErrors() {
			err = fmt.Errorf("%s", c.ds.List[0].Text)
		}
		if err != nil {
			return nil, nil, nil, err
		}
		before, s = test.module()
		after, _ = test.module()
		pl := passes.ParsePipeline(c.src.Add("--passes", []byte(pipeline)), &c.ds)
		require.False(t, c.ds.HasErrors(), pipeline)
		r := passes.Runner{Target: target.Default(), VerifyEach: true}
		return before, after, s, r.Run(after, pl)
	}
}

// fragments are the sources of the catalogue of transformations, each once,
// with the contexts in which that catalogue was checked.
func fragments(t *testing.T) (out []struct {
	Before     []string
	Vocabulary litmus.Contexts
}) {
	data, err := os.ReadFile("../passes/litmus/testdata/transforms.json")
	require.NoError(t, err)
	var f struct {
		Transforms []struct {
			Before     []string
			Vocabulary litmus.Contexts
		}
	}
	require.NoError(t, json.Unmarshal(data, &f))
	seen := map[string]bool{}
	for _, tr := range f.Transforms {
		if k := strings.Join(tr.Before, "\n"); !seen[k] {
			seen[k] = true
			out = append(out, tr)
		}
	}
	return out
}

// TestPassesInContexts lets each pass, and the pipelines, loose on the
// fragments; nothing may be added to what they mean, in any context, under the
// default model and under the weakest. -litmus.pass and -litmus.stride choose.
func TestPassesInContexts(t *testing.T) {
	pipelines := []string{*litmusPass}
	if *litmusPass == "" {
		pipelines = pipelines[:0]
		for _, p := range passes.All() {
			if p.Needs&^passes.PISA == 0 {
				pipelines = append(pipelines, p.Name)
			}
		}
		for o := 1; o <= 3; o++ {
			if pl := passes.Default(o); len(pl) > 0 {
				pipelines = append(pipelines, pl.String())
			}
		}
	}
	models := []litmus.Model{{}, {ReleaseSeq: litmus.CXX20, ThinAir: litmus.Dependencies, Lenient: true}}
	frags := fragments(t)
	for pi, pipeline := range pipelines {
		programs := 0
		for fi, f := range frags {
			opt := litmus.CompareOptions{Stride: *litmusStride, Model: models[(pi+fi)%2]}
			if opt.Stride == 0 {
				if (fi+pi)%8 != 0 && *litmusPass == "" {
					continue
				}
				opt.Stride = 97
			}
			opt.Phase = (fi + pi) % opt.Stride
			tally, err := f.Vocabulary.ComparePass(f.Before, judge(t, pipeline), opt)
			require.NoError(t, err, "%s on %v", pipeline, f.Before)
			require.Nil(t, tally.Found, "%s on %v: %v", pipeline, f.Before, tally.Found)
			programs += tally.Programs
		}
		t.Logf("%-60.60s %d programs", pipeline, programs)
	}
}

// A pass that drops fences, or weakens them to their release half, is found
// out.
func TestUnsoundPassInContexts(t *testing.T) {
	for _, change := range []func(*ir.Op){
		func(o *ir.Op) { o.Erase() },
		func(o *ir.Op) { o.SetField(pisa.FOrder, uint64(pisa.Release)) },
	} {
		found := false
		for _, f := range fragments(t) {
			if len(f.Before) != 1 || f.Before[0] != "fence.acq_rel.gpu;" {
				continue
			}
			f.Vocabulary.Prefix = [][]string{{"ld.global.relaxed.32b %p0, [@z];"}}
			f.Vocabulary.Suffix = [][]string{{"st.global.relaxed.32b [@z], 10;"}}
			tally, err := f.Vocabulary.ComparePass(f.Before, func(text []byte) (*ir.Module, *ir.Module, *litmus.Spec, error) {
				before, after, s, err := judge(t, "dce")(text)
				if err != nil {
					return nil, nil, nil, err
				}
				for b := after.Func("t0").FirstBlock(); b != nil; b = b.Next() {
					for o := b.First(); o != nil; {
						next := o.Next()
						if o.Code == pisa.Fence && pisa.OrderOf(o.Props) == pisa.AcqRel {
							change(o)
						}
						o = next
					}
				}
				return before, after, s, nil
			}, litmus.CompareOptions{})
			require.NoError(t, err)
			found = found || tally.Found != nil
		}
		require.True(t, found)
	}
}
