package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/emu"
	"pisac/ir"
	"pisac/passes/machine"
)

// registerLimits are how many vector and scalar registers allocation may use
// in TestNativeSpills; 0: all. Waves of gfx1100 start with 16 scalar registers
// that hold something.
var registerLimits = map[string][]struct{ vgprs, sgprs int }{
	"gfx1100": {{0, 18}, {8, 0}, {10, 20}},
	"gfx942":  {{0, 16}, {8, 0}, {10, 10}},
}

// TestNativeSpills compiles the corpus with few registers: values go to scratch
// memory and to lanes of vector registers, and the buffers are as expected. A
// program that does not fit is refused, not wrong.
func TestNativeSpills(t *testing.T) {
	for k, w := range nativeWays[:4] {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			runs, refused, vectors, scalars := 0, 0, 0, 0
			for _, dir := range []string{"kernels", "llvm-style", "conformance"} {
				for i, file := range launchFiles(t, dir) {
					if !*nativeFull && dir == "conformance" && i%40 != k*10 {
						continue
					}
					for n, limit := range registerLimits[w.chip] {
						if dir == "conformance" && n != i/40%3 {
							continue
						}
						p := load(t, file)
						if refusal(p.name, w) != "" {
							continue
						}
						c := compileNative(t, p, w.chip, w.o, func(ctx *machine.Ctx) { ctx.VGPRs, ctx.SGPRs = limit.vgprs, limit.sgprs })
						if c.errors.HasErrors() {
							refused++
							assert.Equal(t, "AMD-E034", c.errors.List[0].Code, "%s %v: %s", p.name, limit, diags(c.Sources, c.errors.List))
							continue
						}
						for _, f := range c.Funcs {
							if f.Kind == ir.FuncKernel {
								v, s, _ := machine.SpillCounts(f)
								vectors, scalars = vectors+v, scalars+s
							}
						}
						runs++
						assert.Empty(t, c.run(p, func(l *emu.Launch) { l.Seed, l.Memory = uint64(n), emu.Weak }), "%s %v", p.name, limit)
					}
				}
			}
			t.Logf("%d launches, %d do not fit; %d vector and %d scalar registers spilled", runs, refused, vectors, scalars)
			require.Greater(t, runs, refused)
			require.Greater(t, vectors, 20)
			require.Greater(t, scalars, 10)
		})
	}
}
