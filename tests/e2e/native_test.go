package e2e

import (
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/emu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/host"
	"pisac/driver/launch"
	"pisac/ir"
	"pisac/lowering/isel"
	"pisac/passes"
	"pisac/passes/machine"
)

// nativeFull has every program compiled in every way, and run under more seeds.
var nativeFull = flag.Bool("native", false, "compile every program natively for every chip and level, and run it under several seeds")

// nativeCode is what the native backend makes of a module.
type nativeCode struct {
	*ir.Module
	mode    target.Mode
	kernels map[string]*machine.Ctx
	errors  ir.Diags // refusals
}

// inlining is what the driver runs before instruction selection.
func inlining(t testing.TB, m *ir.Module, o int) passes.Pipeline {
	text := "inline{size=1048576 growth=1048576}"
	if o > 0 {
		text += ",simplifycfg{if=inline},sroa{if=inline},canonicalize{if=inline}"
	}
	var ds ir.Diags
	pl := passes.ParsePipeline(m.Sources.Add("inlining", []byte(text)), &ds)
	require.False(t, ds.HasErrors())
	return pl
}

// compileNative compiles p for a chip at -O level o; p's module is used up. set,
// if not nil, changes what a kernel is compiled with. The final code is held to
// the verifiers of the IR, of register allocation and of waits.
func compileNative(t testing.TB, p program, chip string, o int, set func(*machine.Ctx)) *nativeCode {
	return compileMode(t, p, target.ByName(chip).Modes()[0], o, set)
}

func compileMode(t testing.TB, p program, mode target.Mode, o int, set func(*machine.Ctx)) *nativeCode {
	c := &nativeCode{Module: p.module, mode: mode, kernels: map[string]*machine.Ctx{}}
	pr := passes.Runner{Target: c.mode.Target, Workers: 1}
	require.NoError(t, pr.Run(c.Module, slices.Concat(passes.Default(o), inlining(t, c.Module, o))), p.name)
	for _, f := range c.Funcs {
		if f.Kind != ir.FuncKernel || f.IsDecl() {
			continue
		}
		ctx := &machine.Ctx{Target: c.mode.Target, Mode: c.mode, Diags: &c.errors, OptLevel: o, Verify: true}
		if set != nil {
			set(ctx)
		}
		c.kernels[f.Name] = ctx
		if !isel.Select(ctx, f, isel.Options{}) {
			continue
		}
		errors := c.errors.Errors()
		machine.Run(ctx, f, nil)
		if c.errors.Errors() > errors {
			continue
		}
		for _, bad := range machine.VerifyWaits(ctx, f) {
			t.Errorf("%s %s -O%d: %s", p.name, mode.Name, o, bad.Text)
		}
	}
	if !c.errors.HasErrors() {
		var ds ir.Diags
		ir.Verify(c.Module, &ds)
		require.False(t, ds.HasErrors(), "%s %s -O%d: %s", p.name, mode.Name, o, diags(c.Sources, ds.List))
	}
	return c
}

// request is the emulator's form of a launch, with buffers of its own.
func (c *nativeCode) request(l *launch.Launch) *emu.Launch {
	r := &emu.Launch{Kernel: l.Kernel, Global: l.Global, Local: l.Local, Offset: l.Offset, Dims: l.Dims, MaxSteps: 1 << 24}
	for _, a := range l.Args {
		r.Args = append(r.Args, host.Arg{Kind: host.ArgKind(a.Kind), Data: append([]byte{}, a.Data...), Size: a.Size})
	}
	for _, f := range c.Funcs {
		if f.Name == l.Kernel || l.Kernel == "" && f.Kind == ir.FuncKernel {
			_, _, scratch := machine.SpillCounts(f)
			r.ScratchBytes = uint64(scratch)
		}
	}
	return r
}

// run executes the code of p's kernel and returns what differs from the
// expectations; set changes the launch first.
func (c *nativeCode) run(p program, set func(*emu.Launch)) string {
	r := c.request(p.launch)
	if set != nil {
		set(r)
	}
	var ds ir.Diags
	if emu.Run(c.Module, c.mode, r, &ds); ds.HasErrors() {
		return diags(c.Sources, ds.List)
	}
	var b strings.Builder
	for i := range p.launch.Expect {
		e := &p.launch.Expect[i]
		list, total := e.Compare(r.Args[e.Arg].Data, 4)
		for _, d := range list {
			b.WriteString(d.String() + "\n")
		}
		if total > len(list) {
			fmt.Fprintf(&b, "%d more\n", total-len(list))
		}
	}
	return b.String()
}

// nativeWay is a way to compile.
type nativeWay struct {
	chip string
	o    int
}

func (w nativeWay) String() string { return fmt.Sprintf("%s-O%d", w.chip, w.o) }

var nativeWays = []nativeWay{{"gfx1100", 0}, {"gfx1100", 2}, {"gfx942", 0}, {"gfx942", 2}, {"gfx90a", 0}, {"gfx90a", 2}, {"gfx1201", 0}, {"gfx1201", 2}}

// nativeRefusals is everything in the corpus that the native backend refuses: a
// launch not listed must compile, one listed must be refused with that code.
var nativeRefusals = []struct {
	code string
	why  string
	ways func(w nativeWay) bool
	name *regexp.Regexp
}{
	{"AMD-E010", "no chip has 128-bit atomic instructions", func(nativeWay) bool { return true },
		regexp.MustCompile(`^(iatom_generic_shared_xchg_128b|iatom_shared_cas_128b|ldst_atomic_global_128b)$`)},
	{"AMD-E021", "calls through pointers need calls", func(nativeWay) bool { return true },
		regexp.MustCompile(`^cf_call_pointer_(cond|uniform)$`)},
	{"AMD-E005", "scratch memory that needs a descriptor is not set up", func(w nativeWay) bool { return w.chip == "gfx90a" && w.o == 0 },
		regexp.MustCompile(`^(funcall|09_private_locals|addrcast_isaddr|(amb_)?ldst_(gen_)?private_.*)$`)},
	{"AMD-E005", "… where optimisation leaves private variables", func(w nativeWay) bool { return w.chip == "gfx90a" && w.o == 2 },
		regexp.MustCompile(`^(funcall|09_private_locals|addrcast_isaddr|(amb_)?ldst_gen_private_.*)$`)},
}

// refusal is the code with which a program must be refused; empty if it must not.
func refusal(name string, w nativeWay) string {
	for i := range nativeRefusals {
		if r := &nativeRefusals[i]; r.ways(w) && r.name.MatchString(name) {
			return r.code
		}
	}
	return ""
}

// TestNative compiles the corpus with the native backend and executes the
// machine code. Buffers are as expected, or the program is refused as
// nativeRefusals says; also where waves advance in other orders, and where the
// hardware's approximations are off by what the documents allow. Kernels and
// modules in LLVM's manner are compiled in every way, conformance cases in one
// of them in turn, unless -native is given.
func TestNative(t *testing.T) {
	seeds := *seeds
	if *nativeFull {
		seeds = max(seeds, 2)
	}
	for k, w := range nativeWays {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			for _, dir := range []string{"kernels", "llvm-style", "conformance"} {
				for i, file := range launchFiles(t, dir) {
					code := refusal(strings.TrimSuffix(filepath.Base(file), ".json"), w)
					if !*nativeFull && dir == "conformance" && i%len(nativeWays) != k && code == "" {
						continue
					}
					p := load(t, file)
					c := compileNative(t, p, w.chip, w.o, nil)
					if code != "" || c.errors.HasErrors() {
						requireRefused(t, p, c, code)
						continue
					}
					for seed := range uint64(seeds) {
						assert.Empty(t, c.run(p, func(l *emu.Launch) { l.Seed = seed }), "%s, seed %d", p.name, seed)
						assert.Empty(t, c.run(p, func(l *emu.Launch) { l.Seed, l.Approx = seed, seed+1 }), "%s, approximations off, seed %d", p.name, seed)
					}
				}
			}
		})
	}
}

// requireRefused: every error of c has the code and a place.
func requireRefused(t *testing.T, p program, c *nativeCode, code string) {
	text := diags(c.Sources, c.errors.List)
	if !assert.NotEmpty(t, code, "%s is refused:\n%s", p.name, text) || !assert.True(t, c.errors.HasErrors(), "%s is not refused", p.name) {
		return
	}
	for _, d := range c.errors.List {
		assert.Equal(t, code, d.Code, "%s:\n%s", p.name, text)
		assert.NotZero(t, c.Sources.Position(d.Loc).Line, "%s: no place: %s", p.name, d.Text)
	}
}

// launchFiles are those of a folder.
func launchFiles(t *testing.T, dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	return files
}

// TestNativeRefusalsMatch: every line of nativeRefusals is about something.
func TestNativeRefusalsMatch(t *testing.T) {
	for i := range nativeRefusals {
		r := &nativeRefusals[i]
		assert.True(t, slices.ContainsFunc(slices.Concat(launchFiles(t, "kernels"), launchFiles(t, "llvm-style"), launchFiles(t, "conformance")), func(file string) bool {
			return r.name.MatchString(strings.TrimSuffix(filepath.Base(file), ".json"))
		}), "%s: %v", r.code, r.name)
		assert.True(t, slices.ContainsFunc(nativeWays, r.ways), r.code)
	}
}

// memoryKernels are the kernels whose results rest on the memory model, and
// those that wait for one another.
var memoryKernels = []string{"msgpass", "spinlock", "lookback_scan", "fences", "histogram", "dot_wg", "bitonic", "matmul_tiled", "counter", "counter2", "casmax_f", "sg_reduce"}

// TestNativeWeakMemory runs kernels on memory that delays accesses, reorders
// them between queues and caches them incoherently, as far as the hardware's
// documents let it.
func TestNativeWeakMemory(t *testing.T) {
	seeds := uint64(6)
	if *nativeFull {
		seeds = 25
	}
	for _, w := range nativeWays {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			var list []program
			for _, name := range memoryKernels {
				list = append(list, load(t, "kernels/"+name+".json"))
			}
			list = append(list, load(t, "llvm-style/10_shared_barrier.json"), load(t, "llvm-style/11_atomics.json"), load(t, "llvm-style/09_private_locals.json"))
			for _, p := range list {
				if refusal(p.name, w) != "" {
					continue
				}
				c := compileNative(t, p, w.chip, w.o, nil)
				require.False(t, c.errors.HasErrors(), "%s: %s", p.name, diags(c.Sources, c.errors.List))
				for seed := range seeds {
					assert.Empty(t, c.run(p, func(l *emu.Launch) { l.Seed, l.Memory = seed, emu.Weak }), "%s, seed %d", p.name, seed)
				}
			}
		})
	}
}
