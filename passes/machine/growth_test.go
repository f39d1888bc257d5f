package machine

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// cpuTime is the processor time that this process has used: time that passes
// depends on the machine's other work.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// requireLinear holds work for eight times the size to less than thrice as many
// times the processor time, which a quadratic step exceeds; prepare makes the
// input, which is not timed. What disturbs a measurement makes it longer: the
// shortest of several count.
func requireLinear(t *testing.T, size int, prepare func(n int) (work func())) {
	t.Helper()
	timed := func(n int) time.Duration {
		work := prepare(n)
		runtime.GC()
		start := cpuTime()
		work()
		return cpuTime() - start
	}
	timed(size)
	small, large := time.Hour, time.Hour
	for range 5 {
		small, large = min(small, timed(size)), min(large, timed(8*size))
		if large < 24*small {
			return
		}
	}
	require.Less(t, large, 24*small, "%d: %v, %d: %v", size, small, 8*size, large)
}
