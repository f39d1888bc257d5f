package bench

import (
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
	"pisac/lowering/ssabuild"
)

// TestMain collects garbage as seldom as the command does.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// frontEnd is what is measured: text to verified IR.
func frontEnd(tb testing.TB, text []byte) {
	var src ir.Sources
	var ds ir.Diags
	f := asm.Parse(src.Add("bench.pisa", text), asm.Options{}, &ds)
	if ds.HasErrors() {
		tb.Fatalf("%v: %s", src.Position(ds.List[0].Loc), ds.List[0].Text)
	}
	m := ssabuild.Build(dialects.All(), &src, asm.Link([]*asm.File{f}, &ds), &ds)
	if ds.HasErrors() || !ir.Verify(m, &ds) {
		tb.Fatalf("%v: %s", src.Position(ds.List[0].Loc), ds.List[0].Text)
	}
}

// cpuTime is the processor time that this process has used, which other work
// on the machine disturbs less than time that passes.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkFrontEnd gives instructions a second of processor time, that of the
// garbage collector included, and allocations an instruction.
func BenchmarkFrontEnd(b *testing.B) {
	for _, s := range Shapes {
		b.Run(s.Name, func(b *testing.B) {
			text, instrs := s.Make(s.Size)
			b.SetBytes(int64(len(text)))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			runs, start := 0, cpuTime()
			for b.Loop() {
				frontEnd(b, text)
				runs++
			}
			runtime.ReadMemStats(&after)
			n := float64(instrs) * float64(runs)
			b.ReportMetric(n/(cpuTime()-start).Seconds(), "instr/cpu-s")
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/n, "allocs/instr")
		})
	}
}

// BenchmarkGrowth gives how much longer ten times the text takes: 10 where
// time is in proportion.
func BenchmarkGrowth(b *testing.B) {
	for _, s := range Shapes {
		b.Run(s.Name, func(b *testing.B) {
			small, _ := s.Make(s.Size / 10)
			big, _ := s.Make(s.Size)
			// The shortest of several runs, for the machine has other work too.
			tSmall, tBig := time.Hour, time.Hour
			for b.Loop() {
				for range 3 {
					tSmall = min(tSmall, timed(b, small))
				}
				tBig = min(tBig, timed(b, big))
			}
			b.ReportMetric(float64(tBig)/float64(tSmall), "times")
		})
	}
}

func timed(tb testing.TB, text []byte) time.Duration {
	runtime.GC()
	start := cpuTime()
	frontEnd(tb, text)
	return cpuTime() - start
}

// TestAllocations counts, for it does not depend on the machine's other work.
func TestAllocations(t *testing.T) {
	for _, s := range Shapes {
		text, instrs := s.Make(s.Size / 20)
		allocs := testing.AllocsPerRun(1, func() { frontEnd(t, text) })
		require.LessOrEqual(t, allocs/float64(instrs), 1.0, s.Name) // the target is 3
	}
}

// TestGrowth fails where time grows out of all proportion: a quadratic step
// takes a hundred times as long for ten times the text.
func TestGrowth(t *testing.T) {
	for _, s := range Shapes {
		small, _ := s.Make(s.Size / 40)
		big, _ := s.Make(s.Size / 4)
		frontEnd(t, small)
		ratio := 1000.0
		for range 5 {
			ratio = min(ratio, float64(timed(t, big))/float64(timed(t, small)))
			if ratio < 25 {
				break
			}
		}
		require.Less(t, ratio, 40.0, s.Name)
	}
}
