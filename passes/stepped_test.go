package passes

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// TestStepped: all functions are through a step before Stepped is called, and
// conditions of steps hold across.
func TestStepped(t *testing.T) {
	const text = `function @f(32b) -> 32b export {
^bb0(%x: 32b):
  %y = pisa.iadd.32b %x, %x : 32b
  builtin.return %x
}

function @g(32b) -> 32b export {
^bb0(%x: 32b):
  builtin.return %x
}
`
	for _, c := range []struct {
		stop int
		want []string
	}{
		{-1, []string{"dce f true", "dce g false", "0", "sccp f false", "1", "inline  false", "2", "dce f false", "dce g false", "3"}},
		{1, []string{"dce f true", "dce g false", "0", "sccp f false", "1"}},
		{2, []string{"dce f true", "dce g false", "0", "sccp f false", "1", "inline  false", "2"}},
	} {
		var got []string
		r := Runner{Target: target.Default(), Workers: 1,
			After: func(_ io.Writer, _ int, s *Step, _ *ir.Module, f *ir.Func, changed bool) {
				name := ""
				if f != nil {
					name = f.Name
				}
				got = append(got, fmt.Sprint(s.Pass.Name, " ", name, " ", changed))
			},
			Stepped: func(i int) bool { got = append(got, fmt.Sprint(i)); return i != c.stop },
		}
		require.NoError(t, r.Run(parse(t, text), pipeline(t, "dce,sccp{if=dce},inline,dce")))
		require.Equal(t, c.want, got)
	}
}
