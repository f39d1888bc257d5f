package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/emu"
	"pisac/dialects/host"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
	"pisac/passes/litmus"
)

// nativeLitmus is how many random programs TestNativeLitmusRandom checks.
var nativeLitmus = flag.Int("native-litmus", 60, "random litmus programs to compile natively and hold to the memory model")

// together reports that a test needs more of the threads of a wave than that
// they run: barriers that some reach on other ways, or that one waits for
// another.
func (l *litmusTest) together() bool {
	for _, th := range l.Threads {
		code := strings.Join(th.Code, "\n")
		if th.Host || strings.Contains(code, "barrier") || strings.Contains(code, "L:") {
			return true
		}
	}
	return false
}

// zeroed has the kernel clear shared memory first, which starts as garbage.
func (l *litmusTest) zeroed(source string) string {
	head := ""
	for _, n := range slices.Sorted(maps.Keys(l.Vars)) {
		if l.Vars[n].Space == "shared" {
			head += fmt.Sprintf("st.shared.32b [@%s], %%zero; st.shared.32b [@%s + 4], %%zero;\n", n, n)
		}
	}
	if head == "" {
		return source
	}
	const first = "ucmp.ne.32b %go, %grp, "
	return strings.Replace(source, first, ".reg .32b %zero; mov.32b %zero, 0;\n"+head+"barrier.workgroup;\n"+first, 1)
}

var (
	ordered    = regexp.MustCompile(`\.(acquire|release|acq_rel|seq_cst)\b`)
	acrossGPUs = regexp.MustCompile(`\.(acquire|release|acq_rel|seq_cst)\.(system|workgroup)\b`)
)

// anywhere reports a test whose work-groups may be on several GPUs: it orders
// nothing at the scope of one. Relaxed accesses are of system scope.
func (l *litmusTest) anywhere() bool {
	for _, th := range l.Threads {
		code := strings.Join(th.Code, "\n")
		if len(ordered.FindAllString(code, -1)) != len(acrossGPUs.FindAllString(code, -1)) {
			return false
		}
	}
	return true
}

// runNative executes the code of a test on weak memory and gives each outcome
// to see.
func (l *litmusTest) runNative(t *testing.T, w nativeWay, source string, groups, local int, seeds uint64, see func(seed uint64, after *interp.Launch)) {
	c := compileNative(t, program{name: l.Name, module: build(t, l.Name, l.zeroed(source))}, w.chip, w.o, nil)
	require.False(t, c.errors.HasErrors(), "%s %s", l.Name, diags(c.Sources, c.errors.List))
	for seed := range seeds {
		req := l.request(groups, local, seed)
		r := &emu.Launch{Global: req.Global, Local: req.Local, Seed: seed, Memory: emu.Weak, MaxSteps: 1 << 20, Agents: 1}
		if l.anywhere() {
			r.Agents += int(seed % 2)
		}
		for _, a := range req.Args {
			r.Args = append(r.Args, host.Arg{Data: a.Data})
		}
		var ds ir.Diags
		emu.Run(c.Module, c.mode, r, &ds)
		require.False(t, ds.HasErrors(), "%s %s seed %d: %s\n%s", l.Name, w, seed, diags(c.Sources, ds.List), source)
		for i := range req.Args {
			req.Args[i].Data = r.Args[i].Data
		}
		see(seed, req)
	}
}

// TestNativeLitmus: on no chip does any run reach what the memory model
// forbids.
func TestNativeLitmus(t *testing.T) {
	files, err := filepath.Glob("../../passes/litmus/testdata/litmus/*.json")
	require.NoError(t, err)
	seeds, ran, forbidden, anywhere := uint64(12), 0, 0, 0
	if *nativeFull {
		seeds = 24
	}
	for i, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		var l litmusTest
		require.NoError(t, json.Unmarshal(text, &l))
		if l.Verdict == "racy" || l.together() {
			continue
		}
		ran++
		source, groups, local, vars, outs := l.kernel()
		for k, w := range nativeWays {
			if !*nativeFull && k != i%len(nativeWays) {
				continue
			}
			l.runNative(t, w, source, groups, local, seeds, func(seed uint64, after *interp.Launch) {
				require.False(t, l.Verdict == "forbidden" && l.reaches(after.Args[0].Data, after.Args[1].Data, vars, outs), "%s: %s seed %d reaches %v\n%s", l.Name, w, seed, l.Outcome, source)
			})
		}
		if l.Verdict == "forbidden" {
			forbidden++
			if l.anywhere() {
				anywhere++
			}
		}
	}
	t.Logf("%d tests, %d of something forbidden, %d of these on two GPUs too", ran, forbidden, anywhere)
	require.Greater(t, forbidden, 50)
}

// TestNativeLitmusRandom: a random race-free program ends in a state that the
// memory model allows.
func TestNativeLitmusRandom(t *testing.T) {
	g := litmusWriter{r: rand.New(rand.NewPCG(2, uint64(*nativeLitmus)))}
	var c litmus.Checker
	seeds := uint64(12)
	for n := 0; n < *nativeLitmus; {
		text := g.test()
		var l litmusTest
		require.NoError(t, json.Unmarshal(text, &l))
		if l.together() {
			continue
		}
		p, _, err := litmus.ReadJSON(text)
		require.NoError(t, err, "%s", text)
		r, err := c.Check(p, litmus.Options{})
		require.NoError(t, err, "%s", text)
		if r.Race != nil {
			continue
		}
		n++
		states := map[string]bool{}
		for _, s := range r.States {
			states[stateKey(r.Names, func(i int, _ string) uint64 { return s.Values[i] })] = true
		}
		source, groups, local, vars, outs := l.kernel()
		for k, w := range nativeWays {
			if !*nativeFull && k != n%len(nativeWays) {
				continue
			}
			l.runNative(t, w, source, groups, local, seeds, func(seed uint64, after *interp.Launch) {
				key := stateKey(r.Names, func(_ int, n string) uint64 { return outcomeOf(n, after, vars, outs) })
				require.True(t, states[key], "%s seed %d reaches %s, which the model does not allow: %v\n%s", w, seed, key, states, source)
			})
		}
	}
}
