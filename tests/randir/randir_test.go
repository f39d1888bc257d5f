package randir

import (
	"testing"

	"pgregory.net/rapid"

	"pisac/ir"
)

// Modules are valid, and many of their runs end and leave traces.
func TestModules(t *testing.T) {
	ended, wrote := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m := Module(t)
		var ds ir.Diags
		if !ir.Verify(m, &ds) {
			t.Fatalf("%v\n%s", ds.List, ir.AppendText(nil, m))
		}
		x := Machine{Fuel: 2000}
		did, ok := x.Run(m.Func("f"), 1, 2, 3, 0x10000)
		if again, _ := (&Machine{Fuel: 2000}).Run(m.Func("f"), 1, 2, 3, 0x10000); again != did {
			t.Fatalf("%s, then %s", did, again)
		}
		if ok {
			ended++
		}
		if len(x.mem) > 0 {
			wrote++
		}
	})
	if ended < 30 || wrote < 20 {
		t.Fatalf("%d runs ended, %d wrote", ended, wrote)
	}
}
