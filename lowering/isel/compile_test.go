package isel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
	"pisac/lowering/ssabuild"
	"pisac/passes/machine"
)

// compileText brings the kernels of PISA text to the amdgpu dialect.
func compileText(t *testing.T, name, text, chip string) (*ir.Module, *ir.Diags) {
	t.Helper()
	src := &ir.Sources{}
	var ds ir.Diags
	f := asm.Parse(src.Add(name, []byte(text)), asm.Options{}, &ds)
	require.False(t, ds.HasErrors(), "%v", ds.List)
	m := ssabuild.Build(dialects.All(), src, asm.Link([]*asm.File{f}, &ds), &ds)
	require.False(t, ds.HasErrors(), "%v", ds.List)
	tt := target.ByName(chip)
	for _, fn := range m.Funcs {
		if fn.Kind == ir.FuncKernel {
			Select(&machine.Ctx{Target: tt, Mode: tt.Modes()[0], Diags: &ds}, fn, Options{})
		}
	}
	return m, &ds
}
