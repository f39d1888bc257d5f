package passes

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
)

// threadTime is the processor time of this thread, which other programs do not
// change.
func threadTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_THREAD, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Blocks of many accesses take time in proportion to their number, whether they
// can be merged, may alias each other, or are of the same bytes.
func TestVectorizeMemoryIsLinear(t *testing.T) {
	long := func(n int, line func(i int) string) string {
		var b strings.Builder
		b.WriteString("function @f(64b, 64b, 32b) {\n^bb0(%p: 64b, %q: 64b, %x: 32b):\n  %4 = builtin.const 4 : 32b\n")
		for i := range n {
			fmt.Fprintf(&b, "  %%o%d = builtin.const %d : 32b\n%s", i, 4*i, line(i))
		}
		b.WriteString("  builtin.return\n}\n")
		return b.String()
	}
	for name, line := range map[string]func(i int) string{
		"stores": func(i int) string { return fmt.Sprintf("  pisa.st.global.32b [%%p + %%o%d], %%x\n", i) },
		"copy": func(i int) string {
			return fmt.Sprintf("  %%v%d = pisa.ld.global.32b [%%p + %%o%d] : 32b\n  pisa.st.global.32b [%%q + %%o%d], %%v%d\n", i, i, i, i)
		},
		"loads and stores apart": func(i int) string {
			return fmt.Sprintf("  %%v%d = pisa.ld.global.32b [%%p + %%o%d] : 32b\n  pisa.st.shared.32b [%%o%d], %%x\n", i, i, i)
		},
		"same bytes": func(i int) string { return fmt.Sprintf("  %%v%d = pisa.ld.global.32b [%%p] : 32b\n", i) },
	} {
		took := func(n int) time.Duration {
			m := parse(t, long(n, line))
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			start := threadTime(t)
			require.NoError(t, (&Runner{Target: target.Default()}).Run(m, pipeline(t, "vectorize-memory")))
			return threadTime(t) - start
		}
		small, large := min(took(500), took(500)), min(took(4000), took(4000))
		assert.Less(t, large, 40*small+100*time.Millisecond, "%s: %v for 500, %v for 4000", name, small, large)
	}
}
