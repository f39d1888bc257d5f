package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"pisac/driver"
)

var chips = []string{"gfx1100", "gfx942"}

// kernel is an input of the corpus.
type kernel struct {
	name, path string
	text       []byte
}

// corpus reads the kernels of the end-to-end tests.
func corpus(tb testing.TB) (list []kernel) {
	files, err := filepath.Glob("../e2e/kernels/*.pisa")
	require.NoError(tb, err)
	require.NotEmpty(tb, files)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(tb, err)
		list = append(list, kernel{strings.TrimSuffix(filepath.Base(f), ".pisa"), f, text})
	}
	return list
}

// native compiles text to assembly at -O2, or says why it is refused.
func native(name string, text []byte, chip string) (out []byte, refused string) {
	return compiled(name, text, driver.Options{OptLevel: 2, MCPU: chip, Backend: "native", Emit: driver.EmitAsm})
}

func compiled(name string, text []byte, o driver.Options) (out []byte, refused string) {
	r := driver.Compile([]driver.Input{{Name: name, Text: text, FirstLine: 1}}, &o)
	switch {
	case r.Bug != nil:
		bug, _, _ := strings.Cut(r.Bug.Error(), "\n")
		return nil, "bug: " + bug
	case !r.OK:
		return nil, r.Diags[0].Text
	}
	return r.Output, ""
}

// geomean is the geometric mean of what was added.
type geomean struct {
	logs float64
	n    int
}

func (g *geomean) add(x float64) { g.logs += math.Log(x); g.n++ }

func (g *geomean) value() float64 { return math.Exp(g.logs / float64(max(g.n, 1))) }

// BenchmarkNative prints, by kernel, the mean time from text to assembly in
// this process at -O2, and reports the geometric mean: processor time, garbage
// collection included. The target is half a millisecond.
func BenchmarkNative(b *testing.B) {
	for _, chip := range chips {
		b.Run(chip, func(b *testing.B) {
			b.ReportAllocs()
			kernels := corpus(b)
			times := make([]time.Duration, len(kernels))
			refused := make([]string, len(kernels))
			for i, k := range kernels {
				_, refused[i] = native(k.path, k.text, chip)
			}
			runtime.GC()
			rounds := 0
			for b.Loop() {
				for i, k := range kernels {
					if refused[i] == "" {
						start := cpuTime()
						native(k.path, k.text, chip)
						times[i] += cpuTime() - start
					}
				}
				rounds++
			}
			var mean geomean
			text := table(func(row func(...any)) {
				row("kernel", "ms")
				for i, k := range kernels {
					if refused[i] != "" {
						row(k.name, refused[i])
						continue
					}
					ms := times[i].Seconds() * 1e3 / float64(rounds)
					mean.add(ms)
					row(k.name, fmt.Sprintf("%.3f", ms))
				}
			})
			b.Logf("%s, means of %d runs\n%s", chip, rounds, text)
			b.ReportMetric(mean.value(), "geomean-ms")
		})
	}
}

// table aligns what rows gives.
func table(rows func(row func(...any))) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	rows(func(cells ...any) {
		for _, c := range cells {
			fmt.Fprintf(w, "%v\t", c)
		}
		fmt.Fprintln(w)
	})
	w.Flush()
	return text.String()
}

// process runs a program to its end and returns the processor time and the
// time that it took.
func process(tb testing.TB, stdin []byte, path string, args ...string) (cpu, wall time.Duration) {
	cmd := exec.Command(path, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	start := time.Now()
	require.NoError(tb, cmd.Run(), "%s %v: %s", path, args, &errs)
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(start)
}

// BenchmarkProcess compares whole processes, text to assembly: pisac with its
// own backend, and llc -O3 on the LLVM IR that pisac makes of the same kernel.
// They run in turn, so that other work on the machine disturbs both alike. The
// target is a twentieth of the time.
func BenchmarkProcess(b *testing.B) {
	llc := "/usr/lib/llvm-19/bin/llc"
	if _, err := os.Stat(llc); err != nil {
		b.Skip("no llc of LLVM 19: ", err)
	}
	dir := b.TempDir()
	pisac := filepath.Join(dir, "pisac")
	build := exec.Command("go", "build", "-o", pisac, "pisac/driver/pisac")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // a static program: no time goes into dynamic linking
	out, err := build.CombinedOutput()
	require.NoError(b, err, "%s", out)
	for _, chip := range chips {
		b.Run(chip, func(b *testing.B) {
			var list []kernel
			var irs [][]byte
			for _, k := range corpus(b) {
				if _, refused := native(k.path, k.text, chip); refused != "" {
					b.Logf("%s: %s", k.name, refused)
					continue
				}
				ll, err := exec.Command(pisac, "--emit=llvm", "-O2", "--mcpu="+chip, "-o", "-", k.path).Output()
				require.NoError(b, err, k.name)
				list, irs = append(list, k), append(irs, ll)
			}
			type side struct{ cpu, wall time.Duration }
			ours, theirs := make([]side, len(list)), make([]side, len(list))
			asm := filepath.Join(dir, "out.s")
			rounds := 0
			for b.Loop() {
				for i, k := range list {
					cpu, wall := process(b, k.text, pisac, "--backend=native", "--emit=asm", "-O2", "--mcpu="+chip, "-o", asm, "-")
					ours[i].cpu, ours[i].wall = ours[i].cpu+cpu, ours[i].wall+wall
					cpu, wall = process(b, irs[i], llc, "-O3", "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+chip, "-o", asm, "-")
					theirs[i].cpu, theirs[i].wall = theirs[i].cpu+cpu, theirs[i].wall+wall
				}
				rounds++
			}
			var ratio, wallRatio geomean
			ms := func(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()*1e3/float64(rounds)) }
			text := table(func(row func(...any)) {
				row("kernel", "pisac cpu ms", "llc cpu ms", "ratio", "pisac ms", "llc ms", "ratio")
				for i, k := range list {
					r, w := theirs[i].cpu.Seconds()/ours[i].cpu.Seconds(), theirs[i].wall.Seconds()/ours[i].wall.Seconds()
					ratio.add(r)
					wallRatio.add(w)
					row(k.name, ms(ours[i].cpu), ms(theirs[i].cpu), fmt.Sprintf("%.1f", r), ms(ours[i].wall), ms(theirs[i].wall), fmt.Sprintf("%.1f", w))
				}
			})
			b.Logf("%s, means of %d runs\n%s", chip, rounds, text)
			b.ReportMetric(ratio.value(), "llc/pisac-cpu")
			b.ReportMetric(wallRatio.value(), "llc/pisac-wall")
		})
	}
}

// passTimes compiles text and returns how long each step took; total is
// processor time.
func passTimes(tb testing.TB, text []byte, chip string) (names []string, times map[string]float64) {
	runtime.GC()
	var log bytes.Buffer
	o := driver.Options{OptLevel: 2, MCPU: chip, Backend: "native", Emit: driver.EmitAsm, Log: &log}
	o.TimePasses = driver.OptionalValue{Given: true, Text: "json"}
	start := cpuTime()
	_, refused := compiled("bench.pisa", text, o)
	cpu := cpuTime() - start
	require.Empty(tb, refused)
	var lines []struct {
		Name string
		Wall float64
	}
	require.NoError(tb, json.Unmarshal(log.Bytes(), &lines))
	times = map[string]float64{}
	for _, l := range lines {
		names = append(names, l.Name)
		times[l.Name] = l.Wall
	}
	times["total"] = cpu.Seconds()
	return names, times
}

// BenchmarkNativeGrowth gives, by step, the time for 100,000 instructions and
// how many times that for 10,000 it is: 10 where time is in proportion.
func BenchmarkNativeGrowth(b *testing.B) {
	for _, chip := range chips {
		for _, s := range KernelShapes {
			b.Run(chip+"/"+s.Name, func(b *testing.B) {
				small, _ := s.Make(s.Size / 10)
				big, instrs := s.Make(s.Size)
				var names []string
				tSmall, tBig := map[string]float64{}, map[string]float64{}
				least := func(m, of map[string]float64) {
					for name, t := range of {
						if old, ok := m[name]; !ok || t < old {
							m[name] = t
						}
					}
				}
				for b.Loop() {
					for range 3 {
						_, t := passTimes(b, small, chip)
						least(tSmall, t)
					}
					var t map[string]float64
					names, t = passTimes(b, big, chip)
					least(tBig, t)
				}
				text := table(func(row func(...any)) {
					row("step", "ms", "growth")
					for _, n := range names {
						if tBig[n] > 0.004 {
							row(n, fmt.Sprintf("%.1f", tBig[n]*1e3), fmt.Sprintf("%.1f", tBig[n]/tSmall[n]))
						}
					}
				})
				b.Logf("%d instructions\n%s", instrs, text)
				b.ReportMetric(tBig["total"]/tSmall["total"], "times")
				b.ReportMetric(float64(instrs)/tBig["total"], "instr/s")
			})
		}
	}
}

// TestMemoryKept: compiles leave memory to those that follow, and nothing else:
// the text is the same whatever was compiled before.
func TestMemoryKept(t *testing.T) {
	kernels := corpus(t)
	big, _ := divergent(2000)
	for _, chip := range chips {
		var first [][]byte
		for _, k := range kernels {
			runtime.GC() // which empties the pools
			runtime.GC()
			out, _ := native(k.path, k.text, chip)
			first = append(first, out)
		}
		native("big.pisa", big, chip)
		for i := len(kernels) - 1; i >= 0; i-- {
			again, _ := native(kernels[i].path, kernels[i].text, chip)
			require.Equal(t, string(first[i]), string(again), kernels[i].name)
		}
	}
}
