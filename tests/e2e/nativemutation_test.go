package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/emu"
	"pisac/ir"
	"pisac/lowering/asmprint"
	"pisac/passes/machine"
)

// mutationSeeds is how many runs on weak memory a mutant has to survive.
const mutationSeeds = 24

// mutant is the code of a kernel without one instruction of mutable.
type mutant struct {
	*nativeCode
	f    *ir.Func
	text string // of the instruction
}

// mutate compiles p and erases instruction i of those that are mutable; ok is
// false if there are not so many.
func mutate(t *testing.T, p program, w nativeWay, i int) (m mutant, ok bool) {
	m.nativeCode = compileNative(t, p, w.chip, w.o, nil)
	require.False(t, m.errors.HasErrors(), "%s: %s", p.name, diags(m.Sources, m.errors.List))
	for _, m.f = range m.Funcs {
		if m.kernels[m.f.Name] != nil && (m.f.Name == p.launch.Kernel || p.launch.Kernel == "") {
			break
		}
	}
	ops := mutable(m.f)
	if i >= len(ops) {
		return m, false
	}
	m.text = strings.TrimSpace(string(asmprint.AppendInst(nil, m.mode.Target, ops[i])))
	ops[i].Erase()
	return m, true
}

// goesWrong runs the mutant on weak memory and reports whether any run did not
// end as it should.
func (m *mutant) goesWrong(p program) bool {
	for seed := range uint64(mutationSeeds) {
		if m.run(p, func(l *emu.Launch) { l.Seed, l.Memory, l.MaxSteps = seed, emu.Weak, 1<<20 }) != "" {
			return true
		}
	}
	return false
}

// TestNativeMutations erases each wait, cache operation and barrier in turn
// from the code of the kernels that rest on the memory model. The verifier of
// waits or the emulator notices at least 95 % of it. By default the emulator
// only runs what the verifier does not notice; with -native it runs everything,
// and the rates of both stand in the log.
func TestNativeMutations(t *testing.T) {
	type tally struct{ mutants, verifier, emulator, either int }
	var all tally
	for i, w := range nativeWays {
		if !*nativeFull && (w.o == 0 || i >= 4) {
			continue
		}
		var sum tally
		var survivors []string
		for _, name := range memoryKernels {
			for i := 0; ; i++ {
				p := load(t, "kernels/"+name+".json")
				m, ok := mutate(t, p, w, i)
				if !ok {
					break
				}
				seen := len(machine.VerifyWaits(m.kernels[m.f.Name], m.f)) > 0
				wrong := (*nativeFull || !seen) && m.goesWrong(p)
				sum.mutants++
				count := func(n *int, is bool) {
					if is {
						*n++
					}
				}
				count(&sum.verifier, seen)
				count(&sum.emulator, wrong)
				count(&sum.either, seen || wrong)
				if !seen && !wrong {
					survivors = append(survivors, fmt.Sprintf("%s %d: %s", name, i, m.text))
				}
			}
		}
		t.Logf("%s: %d mutants, the verifier notices %d, the emulator %d, one of them %d; not missed:\n%s", w, sum.mutants, sum.verifier, sum.emulator, sum.either, strings.Join(survivors, "\n"))
		all.mutants += sum.mutants
		all.verifier += sum.verifier
		all.emulator += sum.emulator
		all.either += sum.either
	}
	rate := func(n int) float64 { return 100 * float64(n) / float64(all.mutants) }
	t.Logf("kill rate: %.1f %% of %d; by the verifier %.1f %%", rate(all.either), all.mutants, rate(all.verifier))
	require.Greater(t, all.mutants, 100)
	require.GreaterOrEqual(t, rate(all.either), 95.0)
	if *nativeFull {
		t.Logf("by the emulator %.1f %%", rate(all.emulator))
		require.GreaterOrEqual(t, rate(all.emulator), 50.0)
	}
}
