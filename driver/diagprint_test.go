package driver

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/ir"
)

func TestColour(t *testing.T) {
	shown := func(o Options) string {
		var src ir.Sources
		var out bytes.Buffer
		f := src.Add("f", []byte("ab\n"))
		newDiagPrinter(&o, &out).all(&src, []ir.Diag{{Loc: f.Loc(0), Text: "t", Code: "C"}})
		return out.String()
	}
	require.Contains(t, shown(Options{Color: "always"}), "\x1b[1;31merror: \x1b[0m")
	for _, c := range []string{"auto", "never"} { // a buffer is no terminal
		require.Equal(t, "f:1:1: error: t [C]\nab\n^\n", shown(Options{Color: c}))
	}
}
