package e2e

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/host"
	"pisac/dialects/pisa/asm"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
	"pisac/lowering/ssabuild"
)

// TestAcceptedModulesRun: every kernel of the assembler's corpus of valid
// modules runs, or fails with a located error, whatever its arguments.
func TestAcceptedModulesRun(t *testing.T) {
	text, err := os.ReadFile("../../dialects/pisa/asm/testdata/accept.json")
	require.NoError(t, err)
	var cases []struct{ Name, PISA, Note string }
	require.NoError(t, json.Unmarshal(text, &cases))
	ran, ended := 0, 0
	for _, c := range cases {
		src := &ir.Sources{}
		var ds ir.Diags
		prog := asm.Link([]*asm.File{asm.Parse(src.Add(c.Name, []byte(c.PISA)), asm.Options{}, &ds)}, &ds)
		require.False(t, ds.HasErrors(), "%s: %s", c.Name, diags(src, ds.List))
		m := ssabuild.Build(dialects.All(), src, prog, &ds)
		for _, f := range m.Funcs {
			if f.Kind != ir.FuncKernel {
				continue
			}
			for seed := range uint64(3) {
				l := &interp.Launch{Kernel: f.Name, Global: [3]uint64{48, 1, 1}, Local: [3]uint64{40, 1, 1}, Seed: seed, MaxSteps: 100000, CheckRaces: seed == 2, WarnUnwritten: true}
				if r := f.ReqdWorkGroupSize; r != [3]uint32{} {
					l.Local = [3]uint64{uint64(r[0]), uint64(r[1]), uint64(r[2])}
				}
				for _, p := range f.Params {
					a := host.Arg{Kind: host.ArgScalar, Data: make([]byte, p.Size)}
					switch {
					case p.Space == ir.SpaceShared:
						a = host.Arg{Kind: host.ArgShared, Size: 1024}
					case p.Size == 8:
						a = host.Arg{Data: make([]byte, 4096)}
					}
					l.Args = append(l.Args, a)
				}
				var ds ir.Diags
				st := interp.Run(m, l, &ds)
				ran++
				if st != nil {
					ended++
				} else {
					require.True(t, ds.HasErrors(), c.Name)
				}
			}
		}
	}
	t.Logf("%d runs, %d without an error", ran, ended)
	require.Greater(t, ended*2, ran)
}
