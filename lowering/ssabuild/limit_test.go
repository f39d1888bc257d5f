package ssabuild

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
)

// tangled is n branches whose joins lie behind all of them, so that n
// registers meet at n joins.
func tangled(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".version 0.1;\n.target 100;\n.function .32b @f(.reg .32b %%x) {\n  .reg .32b %%r<0~%d>;\n  .pred %%p;\n", n)
	for i := range n {
		fmt.Fprintf(&b, "  mov.32b %%r%d, 0;\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "  iadd.32b %%r%d, %%x, 1;\n  ucmp.lt.32b %%p, %%x, %d;\n  goto.cond %%p, L%d;\n", i, i, i)
	}
	for i := n - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "L%d:\n  iadd.32b %%x, %%x, 1;\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "  iadd.32b %%x, %%x, %%r%d;\n", i)
	}
	b.WriteString("  return %x;\n}\n.kernel @after() { barrier.workgroup; }\n")
	return b.String()
}

func TestTooTangled(t *testing.T) {
	defer func(old int) { maxEdgeArgs = old }(maxEdgeArgs)
	const n = 30
	text := tangled(n)
	// %r_i has its new value at join j >= i coming from branch j, and %x is
	// changed at each join: at join L_j, two edges pass %r_(j+1) … %r_(n-1) and %x.
	needed := 0
	for j := range n - 1 {
		needed += 2 * (n - 1 - j + 1)
	}
	for _, limit := range []int{needed, needed - 1} {
		maxEdgeArgs = limit
		var src ir.Sources
		var ds ir.Diags
		f := asm.Parse(src.Add("t.pisa", []byte(text)), asm.Options{}, &ds)
		prog := asm.Link([]*asm.File{f}, &ds)
		require.False(t, ds.HasErrors())
		m := Build(dialects.All(), &src, prog, &ds)
		if limit == needed {
			require.False(t, ds.HasErrors())
			require.True(t, ir.Verify(m, &ds))
			args := 0
			for b := m.Funcs[0].FirstBlock(); b != nil; b = b.Next() {
				for e := b.FirstPred(); e != nil; e = e.NextPred() {
					args += e.NumArgs()
				}
			}
			require.Equal(t, needed, args)
			continue
		}
		require.Len(t, ds.List, 1)
		require.Equal(t, codeTangled, ds.List[0].Code)
		require.Equal(t, 3, src.Position(ds.List[0].Loc).Line)
	}
}
