package isel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
	"pisac/lowering/ssabuild"
	"pisac/passes/machine"
)

// compileText brings PISA text to the amdgpu dialect.
func compileText(t *testing.T, name, text, chip string) (*ir.Module, *ir.Diags) {
	t.Helper()
	src := &ir.Sources{}
	var ds ir.Diags
	var m *ir.Module
	if strings.HasSuffix(name, ".pir") {
		m = ir.Parse(src, src.Add(name, []byte(text)), dialects.All(), &ds)
	} else {
		f := asm.Parse(src.Add(name, []byte(text)), asm.Options{}, &ds)
		require.False(t, ds.HasErrors(), "%v", ds.List)
		m = ssabuild.Build(dialects.All(), src, asm.Link([]*asm.File{f}, &ds), &ds)
	}
	require.False(t, ds.HasErrors(), "%v", ds.List)
	for _, fn := range m.Funcs {
		if fn.Kind != ir.FuncKernel {
			continue
		}
		tt := target.ByName(chip)
		c := &machine.Ctx{Target: tt, Mode: tt.Modes()[0], Diags: &ds}
		Select(c, fn, Options{})
	}
	return m, &ds
}

func TestDump(t *testing.T) {
	files, _ := filepath.Glob(os.Getenv("ISEL_DUMP"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		chip := "gfx1100"
		if strings.Contains(f, "gfx942") {
			chip = "gfx942"
		}
		m, ds := compileText(t, f, string(b), chip)
		var out strings.Builder
		out.Write(ir.AppendText(nil, m))
		t.Log(f, ds.List, "\n"+out.String())
		ir.Verify(m, ds)
		t.Log(ds.List)
	}
}
