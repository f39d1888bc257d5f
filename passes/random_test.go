package passes

import (
	"testing"

	"pgregory.net/rapid"

	"pisac/dialects/amdgpu/target"
	"pisac/ir"
	"pisac/tests/randir"
)

// TestRandomFunctions runs each pass, alone and behind what it needs, and each
// pipeline, on random functions: what a function returns and what memory holds
// then must be the same as before.
func TestRandomFunctions(t *testing.T) {
	for _, p := range All() {
		var pl Pipeline
		for _, q := range All() {
			if p.Needs&^PISA&q.Gives != 0 {
				pl = append(pl, NewStep(q))
			}
		}
		t.Run(p.Name, func(t *testing.T) { keepsResults(t, append(pl, NewStep(p))) })
	}
	for o := 1; o <= 3; o++ {
		t.Run(string(rune('0'+o)), func(t *testing.T) { keepsResults(t, Default(o)) })
	}
}

func keepsResults(t *testing.T, pl Pipeline) {
	rapid.Check(t, func(t *rapid.T) {
		m := randir.Module(t)
		before := string(ir.AppendText(nil, m))
		word := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 40))
		type result struct {
			args []uint64
			did  string
		}
		var want []result
		for range 3 {
			args := []uint64{word.Draw(t, "a") & 0xffffffff, word.Draw(t, "b") & 0xffffffff, word.Draw(t, "c"), 0x1000}
			machine := randir.Machine{Fuel: 4000}
			if did, ok := machine.Run(m.Func("f"), args...); ok {
				want = append(want, result{args, did})
			}
		}
		r := Runner{VerifyEach: true, Target: target.Default(), Workers: 1}
		if err := r.Run(m, pl); err != nil {
			t.Fatalf("%v\n%s", err, before)
		}
		for _, w := range want {
			machine := randir.Machine{Fuel: 40000}
			got, ok := machine.Run(m.Func("f"), w.args...)
			if !ok || got != w.did {
				t.Fatalf("%s on %#x: %s, not %s\n%s\n%s", pl, w.args, got, w.did, before, ir.AppendText(nil, m))
			}
		}
	})
}
