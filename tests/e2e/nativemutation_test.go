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

// tally counts mutants, and those that the verifier of waits, the emulator, or
// either notices.
type tally struct {
	mutants, verifier, emulator, either int
	survivors                           []string
}

// mutants tries all mutants of the kernels compiled in way w. If emulate is not
// set, the emulator only runs what the verifier does not notice.
func mutants(t *testing.T, w nativeWay, emulate bool) (sum tally) {
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	for _, name := range memoryKernels {
		for i := 0; ; i++ {
			p := load(t, "kernels/"+name+".json")
			m, ok := mutate(t, p, w, i)
			if !ok {
				break
			}
			seen := len(machine.VerifyWaits(m.kernels[m.f.Name], m.f)) > 0
			wrong := (emulate || !seen) && m.goesWrong(p)
			sum.mutants++
			count(&sum.verifier, seen)
			count(&sum.emulator, wrong)
			count(&sum.either, seen || wrong)
			if !seen && !wrong {
				sum.survivors = append(sum.survivors, fmt.Sprintf("%s %d: %s", name, i, m.text))
			}
		}
	}
	return sum
}

// TestNativeMutations erases each wait, cache operation and barrier in turn
// from the code of the kernels that rest on the memory model. The verifier of
// waits or the emulator notices at least 95 % of it. With -native the emulator
// alone is tried on all mutants of two ways, too, and must notice half: a
// missing wait need not go wrong in these launches.
func TestNativeMutations(t *testing.T) {
	sums := make([]tally, len(nativeWays))
	t.Run("ways", func(t *testing.T) {
		for i, w := range nativeWays {
			if *nativeFull || w.o == 2 && i < 4 {
				t.Run(w.String(), func(t *testing.T) {
					t.Parallel()
					sums[i] = mutants(t, w, *nativeFull && w.o == 2 && i < 4)
				})
			}
		}
	})
	var all, emulated tally
	for i, w := range nativeWays {
		s := &sums[i]
		all.mutants += s.mutants
		all.verifier += s.verifier
		all.either += s.either
		if s.emulator > 0 {
			emulated.mutants += s.mutants
			emulated.emulator += s.emulator
		}
		if s.survivors != nil {
			t.Logf("%s: not missed:\n%s", w, strings.Join(s.survivors, "\n"))
		}
	}
	rate := func(n, of int) float64 { return 100 * float64(n) / float64(of) }
	t.Logf("kill rate: %.1f %% of %d mutants; by the verifier alone %.1f %%", rate(all.either, all.mutants), all.mutants, rate(all.verifier, all.mutants))
	require.Greater(t, all.mutants, 100)
	require.GreaterOrEqual(t, rate(all.either, all.mutants), 95.0)
	if *nativeFull {
		t.Logf("by the emulator alone %.1f %% of %d", rate(emulated.emulator, emulated.mutants), emulated.mutants)
		require.GreaterOrEqual(t, rate(emulated.emulator, emulated.mutants), 50.0)
	}
}
