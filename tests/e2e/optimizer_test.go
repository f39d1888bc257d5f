package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
	"pisac/lowering/llvmgen"
	"pisac/passes"
	"pisac/tests/e2e/host"
)

var update = flag.Bool("update", false, "rewrite the figures in docs/optimizer.md and docs/memory-passes.md")

const (
	levels      = 4 // -O0 to -O3
	maxExecuted = 0.85
)

// longer names the kernels whose code at -O2 may be longer than at -O0, and why.
var longer = map[string]string{
	"consttab":      "its loop of 8 turns is unrolled",
	"dot_wg":        "its loop of 7 turns is unrolled",
	"funcall":       "@digits' loops of 8 turns are unrolled, and it is inlined",
	"lookback_scan": "its loop of 6 turns is unrolled",
}

// aggregated names the kernels that may execute more at -O2 than at -O0, and be
// longer in machine code, and why: they trade instructions of every lane, which
// lanes of a sub-group execute together, for atomic operations, which memory
// executes one after another. They must execute fewer of these.
var aggregated = map[string]string{
	"counter":  "one lane adds for its sub-group; all elect it and count themselves",
	"counter2": "one lane adds for its sub-group to either counter; the sum of what lanes add is a reduction",
}

// figures of one kernel.
type figures struct {
	name     string
	ops      [levels]int
	executed [levels]uint64
	atomics  [levels]uint64         // executed
	static   map[string][levels]int // by chip; only -O0 and -O2
}

var optimizerChips = []string{"gfx1100", "gfx942"}

// measure compiles a kernel at each level, counts its ops and what the
// interpreter executes.
func measure(t *testing.T, p program) (f figures, modules [levels]*ir.Module) {
	f.name = p.name
	r := reference{program: p, text: ir.AppendText(nil, p.module)}
	for o := range levels {
		m := r.parsed(t)
		pr := passes.Runner{Target: target.Default(), Workers: 1}
		require.NoError(t, pr.Run(m, passes.Default(o)))
		var ds ir.Diags
		l := request(p.launch)
		l.Workers = 1
		st := interp.Run(m, l, &ds)
		require.False(t, ds.HasErrors(), "%s: %s", p.name, diags(m.Sources, ds.List))
		f.ops[o], f.executed[o], modules[o] = countOps(m), st.Instructions, m
		for _, n := range st.Atomics {
			f.atomics[o] += n
		}
	}
	return f, modules
}

// countOps is the ops of a module but for what is no instruction: constants and
// the names of parts of registers, as the interpreter counts.
func countOps(m *ir.Module) (n int) {
	for _, f := range m.Funcs {
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			for op := b.First(); op != nil; op = op.Next() {
				switch op.Code {
				case builtin.Const, pisa.Extract, pisa.Insert, pisa.Bitcast:
				default:
					n++
				}
			}
		}
	}
	return n
}

// TestOptimizer holds what the pipelines gain on the kernels, and
// docs/optimizer.md, which shows it. What llc makes of the IR is looked at only
// if LLVM 19 is there.
func TestOptimizer(t *testing.T) {
	tools, _ := host.FindTools()
	var all []figures
	var modules [][levels]*ir.Module
	for _, p := range programs(t, "kernels") {
		f, m := measure(t, p)
		f.static = map[string][levels]int{}
		all, modules = append(all, f), append(modules, m)
	}
	if tools.LLC != "" {
		countStatic(t, tools.LLC, all, modules)
	}
	sum := 0.0
	for _, f := range all {
		sum += math.Log(float64(f.executed[2]) / float64(f.executed[0]))
		assert.LessOrEqual(t, f.atomics[2], f.atomics[0], "%s executes more atomic operations at -O2 than at -O0", f.name)
		if aggregated[f.name] != "" {
			assert.LessOrEqual(t, 16*f.atomics[2], f.atomics[0], "%s: atomic operations of at least 16 lanes become one", f.name)
		} else {
			assert.LessOrEqual(t, f.executed[2], f.executed[0], "%s executes more at -O2 than at -O0", f.name)
		}
		for _, chip := range optimizerChips {
			if s := f.static[chip]; longer[f.name] == "" && aggregated[f.name] == "" {
				assert.LessOrEqual(t, s[2], s[0], "%s has more instructions on %s from the IR of -O2 than from that of -O0", f.name, chip)
			}
		}
	}
	assert.LessOrEqual(t, math.Exp(sum/float64(len(all))), maxExecuted, "geometric mean of what is executed at -O2 to -O0")
	if tools.LLC == "" {
		t.Log("without LLVM 19, docs/optimizer.md is not compared")
		return
	}
	const file = "../../docs/optimizer.md"
	text := document(all)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), text, "run go test ./tests/e2e -run TestOptimizer -update")
}

// countStatic fills in what llc makes of each kernel, two at a time.
func countStatic(t *testing.T, llc string, all []figures, modules [][levels]*ir.Module) {
	jobs := make(chan func())
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 2 {
		wg.Go(func() {
			for j := range jobs {
				j()
			}
		})
	}
	dir := t.TempDir()
	for i, f := range all {
		for _, chip := range optimizerChips {
			for _, o := range []int{0, 2} {
				m := modules[i][o]
				var ds ir.Diags
				text := llvmgen.Emit(m, target.ByName(chip), llvmgen.Options{}, &ds).String()
				require.False(t, ds.HasErrors(), "%s: %s", f.name, diags(m.Sources, ds.List))
				jobs <- func() {
					n := instructions(t, llc, chip, filepath.Join(dir, fmt.Sprintf("%s.%s.%d.ll", f.name, chip, o)), text)
					mu.Lock()
					defer mu.Unlock()
					s := f.static[chip]
					s[o] = n
					f.static[chip] = s
				}
			}
		}
	}
	close(jobs)
	wg.Wait()
}

// instructions compiles LLVM IR and counts the instructions of the assembly,
// but for no-ops, which llc puts between what happens to have one register.
func instructions(t *testing.T, llc, chip, file, text string) (n int) {
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Error(err)
		return 0
	}
	out, err := exec.Command(llc, "-O3", "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+chip, "-o", "-", file).Output()
	if err != nil {
		t.Errorf("llc %s: %v", file, err)
	}
	for line := range bytes.Lines(out) {
		if len(line) > 1 && line[0] == '\t' && line[1] >= 'a' && line[1] <= 'z' && !bytes.HasPrefix(line, []byte("\ts_nop")) {
			n++
		}
	}
	return n
}

// document is docs/optimizer.md.
func document(all []figures) string {
	var b strings.Builder
	b.WriteString(optimizerHead)
	b.WriteString("| kernel | ops -O0 | -O1 | -O2 | -O3 | executed -O0 | -O1 | -O2 | -O3 | -O2 : -O0 |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	var mean [levels]float64
	for _, f := range all {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %s |\n", f.name, f.ops[0], f.ops[1], f.ops[2], f.ops[3],
			f.executed[0], f.executed[1], f.executed[2], f.executed[3], percent(float64(f.executed[2])/float64(f.executed[0])))
		for o := range levels {
			mean[o] += math.Log(float64(f.executed[o])/float64(f.executed[0])) / float64(len(all))
		}
	}
	fmt.Fprintf(&b, "\nGeometric mean of what is executed, of -O0: -O1 %s, -O2 %s, -O3 %s.\n", percent(math.Exp(mean[1])), percent(math.Exp(mean[2])), percent(math.Exp(mean[3])))
	b.WriteString(optimizerLLVM)
	b.WriteString("| kernel | gfx1100 from -O0 | from -O2 | gfx942 from -O0 | from -O2 |\n|---|--:|--:|--:|--:|\n")
	for _, f := range all {
		fmt.Fprintf(&b, "| %s |", f.name)
		for _, chip := range optimizerChips {
			fmt.Fprintf(&b, " %d | %d |", f.static[chip][0], f.static[chip][2])
		}
		b.WriteString("\n")
	}
	b.WriteString("\n## Fewer atomic operations for more instructions\n")
	for _, f := range all {
		if why := aggregated[f.name]; why != "" {
			fmt.Fprintf(&b, "\n%s: %s. Atomic operations executed: %d at -O0, %d at -O2.\n", f.name, why, f.atomics[0], f.atomics[2])
		}
	}
	b.WriteString("\n## Longer at -O2\n")
	for _, f := range all {
		if why := longer[f.name]; why != "" {
			fmt.Fprintf(&b, "\n%s: %s.\n", f.name, why)
		}
	}
	return b.String()
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

const optimizerHead = `# What the optimiser gains

Written by ` + "`go test ./tests/e2e -run TestOptimizer -update`" + `; the same test fails if a kernel of
tests/e2e/kernels executes more at -O2 than at -O0 and is not named below as one that does fewer atomic operations
instead, if one not named at the end becomes longer in machine code, or if the geometric mean of what is executed
is above 85 %.

Ops are those of the pisa dialect in the whole module. Executed are the instructions that the reference
interpreter executes for all work-items of the kernel's launch file, under the first scheduling order
(` + "`pisac run --stats`" + `). Constants are counted in neither, nor are extract and insert at a constant index and
bitcast, which name parts of registers.

`

const optimizerLLVM = `
## Through LLVM

Instructions in the assembly that llc of LLVM 19 with -O3 makes from the LLVM IR of the module at -O0 and
at -O2, s_nop not counted. LLVM's own optimiser (opt) is not run.

`
