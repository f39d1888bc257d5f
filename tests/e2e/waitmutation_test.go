package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
	"pisac/lowering/isel"
	"pisac/passes"
	"pisac/passes/machine"
)

// finalKernel is a kernel's final machine code with what it was compiled with.
type finalKernel struct {
	*machine.Ctx
	*ir.Func
}

// finalCode compiles source for a mode and returns the kernels that the native
// backend does not refuse.
func finalCode(t testing.TB, name, source string, mode target.Mode) (kernels []finalKernel) {
	m := build(t, name, source)
	pl := passes.Default(2)
	pl = append(pl[:len(pl):len(pl)], passes.ParsePipeline(m.Sources.Add("inline", []byte("inline{size=1048576 growth=1048576}")), &ir.Diags{})...)
	require.NoError(t, (&passes.Runner{Target: mode.Target, Workers: 1}).Run(m, pl), name)
	for _, f := range m.Funcs {
		if f.Kind != ir.FuncKernel || f.IsDecl() {
			continue
		}
		c := &machine.Ctx{Target: mode.Target, Mode: mode, Diags: &ir.Diags{}, OptLevel: 2}
		if isel.Select(c, f, isel.Options{}); c.Diags.HasErrors() {
			continue
		}
		if machine.Run(c, f, nil); !c.Diags.HasErrors() {
			kernels = append(kernels, finalKernel{c, f})
		}
	}
	return kernels
}

// mutable are the instructions of f whose absence the verifier must notice:
// waits, cache control and barriers.
func mutable(f *ir.Func) (ops []*ir.Op) {
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if !amdgpu.IsMachine(op.Code) {
				continue
			}
			switch r := amdgpu.RowOf(op.Code); {
			case amdgpu.Waits(op), r.Family == amdgpu.MUBUF,
				op.Code == amdgpu.SBarrier, op.Code == amdgpu.SBarrierSignal, op.Code == amdgpu.SBarrierWait:
				ops = append(ops, op)
			}
		}
	}
	return ops
}

// memoryTexts are the programs that use the memory model: those kernels of the
// corpus, and the specification's examples.
func memoryTexts(t testing.TB) (files []string) {
	for _, pattern := range []string{"kernels/*.pisa", "llvm-style/*.pisa", "../pisa/spec-synchronization.pisa", "../pisa/spec-memory.pisa"} {
		list, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range list {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, w := range []string{"fence", "barrier", ".acquire", ".release", ".acq_rel", ".seq_cst"} {
				if strings.Contains(string(text), w) {
					files = append(files, file)
					break
				}
			}
		}
	}
	return files
}

// TestEveryWaitIsNeeded erases each wait, cache operation and barrier of the
// code of memory-model programs in turn: the verifier of waits notices at least
// 95 % of it, and finds nothing in the code as it is. What it cannot notice is
// a wait beside another one of at least its strength.
func TestEveryWaitIsNeeded(t *testing.T) {
	mutants, killed := 0, 0
	for _, file := range memoryTexts(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, chip := range []string{"gfx1100", "gfx942"} {
			for _, mode := range target.ByName(chip).Modes() {
				whole := finalCode(t, file, string(text), mode)
				for k := range whole {
					for _, p := range machine.VerifyWaits(whole[k].Ctx, whole[k].Func) {
						t.Errorf("%s %s: %s", file, mode.Name, p.Text)
					}
					for i := range mutable(whole[k].Func) {
						c := finalCode(t, file, string(text), mode)[k]
						op := mutable(c.Func)[i]
						name := amdgpu.RowOf(op.Code).Name
						op.Erase()
						mutants++
						if len(machine.VerifyWaits(c.Ctx, c.Func)) > 0 {
							killed++
						} else {
							t.Logf("%s %s @%s: %s %d is not missed", file, mode.Name, c.Func.Name, name, i)
						}
					}
				}
			}
		}
	}
	t.Logf("%d of %d mutants noticed: %.1f %%", killed, mutants, 100*float64(killed)/float64(mutants))
	require.Greater(t, mutants, 200)
	require.GreaterOrEqual(t, 100*killed, 95*mutants)
}
