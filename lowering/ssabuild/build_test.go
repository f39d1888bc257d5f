package ssabuild_test

import (
	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
	"pisac/lowering/ssabuild"
)

// build assembles texts, which must be free of errors, and builds their IR,
// which must verify.
func build(t require.TestingT, text string) (*ir.Module, []*asm.File) {
	var src ir.Sources
	var ds ir.Diags
	f := asm.Parse(src.Add("test.pisa", []byte(text)), asm.Options{}, &ds)
	for _, d := range ds.List {
		require.NotEqual(t, ir.Error, d.Severity, "%v: %s\n%s", src.Position(d.Loc), d.Text, text)
	}
	m := ssabuild.Build(dialects.All(), &src, asm.Link([]*asm.File{f}, &ds), &ds)
	ir.Verify(m, &ds)
	for _, d := range ds.List {
		require.NotEqual(t, ir.Error, d.Severity, "%s\n%s\n%s", d.Text, text, ir.AppendText(nil, m))
	}
	return m, []*asm.File{f}
}
