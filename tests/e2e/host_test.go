package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/driver/launch"
	"pisac/ir"
	"pisac/lowering/llvmgen"
	"pisac/tests/e2e/host"
)

// hostLaunch is p as the host's runtime wants it.
func hostLaunch(p *program, kernel int) host.Launch {
	l := p.launch
	f := p.module.Func(l.Kernel)
	offs, size := llvmgen.ParamOffsets(f.Params)
	h := host.Launch{Kernel: kernel, Global: l.Global, Local: l.Local, Offset: l.Offset, Dims: l.Dims, Block: make([]byte, size), Offsets: offs}
	for d := range 3 {
		h.Global[d], h.Local[d] = max(h.Global[d], 1), max(h.Local[d], 1)
		if h.Dims <= d && h.Global[d] > 1 && l.Dims == 0 {
			h.Dims = d + 1
		}
	}
	h.Dims = max(h.Dims, 1)
	for i, a := range l.Args {
		switch a.Kind {
		case launch.Scalar:
			copy(h.Block[offs[i]:], a.Data)
		case launch.Shared:
			h.Buffers = append(h.Buffers, host.Buffer{At: offs[i], Shared: true, Data: make([]byte, a.Size)})
		default:
			h.Buffers = append(h.Buffers, host.Buffer{At: offs[i], Data: a.Data})
		}
	}
	return h
}

// impossible names the programs that AMD hardware cannot run: 128-bit atomics.
var impossible = map[string]bool{
	"iatom_generic_shared_xchg_128b": true,
	"iatom_shared_cas_128b":          true,
	"ldst_atomic_global_128b":        true,
}

// TestLLVMOnHost executes the LLVM IR of every program of the corpus on the
// host, as waves of 32 and of 64, once of the IR of -O2, and once after LLVM's
// optimiser, which would make use of any undefined behaviour in it.
func TestLLVMOnHost(t *testing.T) {
	tools, ok := host.FindTools()
	if !ok {
		t.Skip("LLVM 19 is not installed")
	}
	var all []program
	for _, dir := range []string{"conformance", "kernels", "llvm-style"} {
		all = append(all, programs(t, dir)...)
	}
	for _, run := range []struct {
		mcpu     string
		level    int // of pisac
		optimize bool
		want     int // programs at least
	}{{"gfx1100", 0, false, 645}, {"gfx942", 0, false, 645}, {"gfx942", 2, false, 645}, {"gfx1100", 0, true, 480}} {
		t.Run(fmt.Sprintf("%s O%d optimize=%t", run.mcpu, run.level, run.optimize), func(t *testing.T) {
			t.Parallel()
			chip := target.ByName(run.mcpu)
			var kernels []host.Kernel
			var launches []host.Launch
			var ran []*program
			for i := range all {
				p := &all[i]
				var ds ir.Diags
				m := llvmgen.Emit(p.at(t, run.level), chip, llvmgen.Options{}, &ds)
				if impossible[p.name] {
					require.True(t, ds.HasErrors(), "%s is compiled", p.name)
					continue
				}
				require.False(t, ds.HasErrors(), "%s: %s", p.name, diags(p.module.Sources, ds.List))
				text := m.String()
				if run.optimize && host.JoinsLanes(text) {
					continue
				}
				launches = append(launches, hostLaunch(p, len(kernels)))
				kernels = append(kernels, host.Kernel{Module: text, Name: p.launch.Kernel})
				ran = append(ran, p)
			}
			prog, err := host.Build(tools, t.TempDir(), chip.Wave, run.optimize, kernels)
			require.NoError(t, err)
			results, err := prog.Run(launches)
			require.NoError(t, err)
			for i, p := range ran {
				if results[i].Failure != "" {
					t.Errorf("%s: %s", p.name, results[i].Failure)
					continue
				}
				// Buffers stand in the order of the arguments that are pointers.
				at := map[int]int{}
				for k, a := range p.launch.Args {
					if a.Kind != launch.Scalar {
						at[k] = len(at)
					}
				}
				for k := range p.launch.Expect {
					e := &p.launch.Expect[k]
					if list, total := e.Compare(results[i].Buffers[at[e.Arg]], 2); total > 0 {
						t.Errorf("%s: %d differ: %s", p.name, total, list[0])
					}
				}
			}
			require.GreaterOrEqual(t, len(ran), run.want)
			t.Logf("%d programs", len(ran))
		})
	}
}
