package passes

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

func parse(t testing.TB, text string) *ir.Module {
	src, ds := &ir.Sources{}, ir.Diags{}
	m := ir.Parse(src, src.Add("t.pir", []byte("module version 1.0 target 100\n\n"+text)), dialects.All(), &ds)
	require.Empty(t, ds.List, text)
	require.True(t, ir.Verify(m, &ds), "%v", ds.List)
	return m
}

func pipeline(t testing.TB, text string) Pipeline {
	src, ds := &ir.Sources{}, ir.Diags{}
	pl := ParsePipeline(src.Add("--passes", []byte(text)), &ds)
	require.Empty(t, ds.List)
	return pl
}

// optimize runs passes on the IR text and returns the IR text.
func optimize(t testing.TB, passes, text string) string {
	m := parse(t, text)
	r := Runner{VerifyEach: true, Target: target.Default()}
	require.NoError(t, r.Run(m, pipeline(t, passes)))
	return string(ir.AppendText(nil, m))
}

// same asserts that IR texts are equal up to the names of values and blocks.
func same(t testing.TB, want, got string) {
	t.Helper()
	m := parse(t, want)
	assert.Equal(t, string(ir.AppendText(nil, m)), got)
}

// everyLimit runs passes with each bisection limit and sees valid IR; the
// pass must say whether it changed anything.
func everyLimit(t testing.TB, passes, text string) {
	before := string(ir.AppendText(nil, parse(t, text)))
	for limit := range 200 {
		m := parse(t, text)
		last := before
		r := Runner{VerifyEach: true, Target: target.Default(), BisectLog: io.Discard, BisectLimit: limit,
			After: func(_ io.Writer, _ int, s *Step, m *ir.Module, _ *ir.Func, changed bool) {
				now := string(ir.AppendText(nil, m))
				assert.Equal(t, now != last, changed, "limit %d: %s said changed=%v", limit, s.Pass.Name, changed)
				last = now
			}}
		require.NoError(t, r.Run(m, pipeline(t, passes)), "limit %d", limit)
		if r.bisect.n <= limit {
			return
		}
	}
	t.Errorf("more than 200 rewrites")
}

// A step with if= runs on functions that the pass named has changed, and on
// all where that pass is not in the pipeline before.
func TestStepIf(t *testing.T) {
	const in = `function @g(32b) -> 32b export {
^bb0(%x: 32b):
  %d = pisa.umul.32b %x, %x : 32b
  builtin.return %x
}

function @f(32b) -> 32b export {
^bb0(%x: 32b):
  %y = builtin.call @g(%x) : 32b
  %d = pisa.umul.32b %x, %x : 32b
  builtin.return %y
}
`
	dead := func(pl string) (n int) { return strings.Count(optimize(t, pl, in), "umul") }
	assert.Equal(t, 0, dead("dce{if=inline}"))
	assert.Equal(t, 1, dead("inline,dce{if=inline}")) // @g has not changed
	assert.Equal(t, 0, dead("inline,dce{if=cse}"))
	assert.Equal(t, 3, dead("cse,inline,dce{if=cse}"))
	assert.Equal(t, "inline,dce{if=inline}", pipeline(t, "inline,dce{ if=inline }").String())
	src, ds := &ir.Sources{}, ir.Diags{}
	assert.Nil(t, ParsePipeline(src.Add("--passes", []byte("dce{if=inlin}")), &ds))
	assert.Equal(t, "'inlin' is not a pass; did you mean 'inline'?", ds.List[0].Text)
}
