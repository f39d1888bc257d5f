package passes

import (
	"testing"

	"pgregory.net/rapid"

	"pisac/dialects/amdgpu/target"
	"pisac/ir"
	"pisac/tests/randir"
)

// equivalent runs random functions before and after passes.
func equivalent(t *testing.T, passes string) {
	t.Helper()
	pl := pipeline(t, passes)
	changed := 0
	rapid.Check(t, func(t *rapid.T) {
		m := randir.Module(t)
		f := m.Func("f")
		text := ir.AppendText(nil, m)
		var inputs [4][]uint64
		var want [4]string
		var ended [4]bool
		for i := range inputs {
			inputs[i] = []uint64{rapid.Uint64().Draw(t, "a") & 0xffffffff, uint64(rapid.Uint32Range(0, 40).Draw(t, "b")), rapid.Uint64().Draw(t, "c"), 0x10000}
			want[i], ended[i] = (&randir.Machine{Fuel: 1500}).Run(f, inputs[i]...)
		}
		r := Runner{VerifyEach: true, Target: target.Default()}
		if err := r.Run(m, pl); err != nil {
			e := err.(*PassError)
			t.Fatalf("%v\n%s\nbefore:\n%s\nafter:\n%s", err, e.Stack, text, ir.AppendText(nil, m))
		}
		if after := ir.AppendText(nil, m); string(after) != string(text) {
			changed++
		}
		for i := range inputs {
			if !ended[i] {
				continue
			}
			if got, ok := (&randir.Machine{Fuel: 8000}).Run(f, inputs[i]...); !ok || got != want[i] {
				t.Fatalf("%x gives %s, not %s, before:\n%s\nafter:\n%s", inputs[i], got, want[i], text, ir.AppendText(nil, m))
			}
		}
	})
	if changed == 0 {
		t.Errorf("%s changed nothing", passes)
	}
}

// sameLanes runs random kernels as sub-groups of four lanes before and after
// passes: %activemask and what else depends on the active lanes must be the
// same where lanes meet again at post-dominators. Kernels that tell whether
// lanes met earlier are left out.
func sameLanes(t *testing.T, passes string) {
	t.Helper()
	pl := pipeline(t, passes)
	changed, ended := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m := randir.Lanes(t)
		k := m.Func("k")
		text := ir.AppendText(nil, m)
		input := []uint64{uint64(rapid.Uint32Range(0, 5).Draw(t, "a")), uint64(rapid.Uint32Range(0, 5).Draw(t, "b")), rapid.Uint64().Draw(t, "c"), 0x10000}
		want, ok, determined := randir.Together(k, 4, 400, input...)
		r := Runner{VerifyEach: true, Target: target.Default()}
		if err := r.Run(m, pl); err != nil {
			t.Fatalf("%v\nbefore:\n%s", err, text)
		}
		if after := ir.AppendText(nil, m); string(after) != string(text) {
			changed++
		}
		if !ok || !determined {
			return
		}
		ended++
		if got, ok, _ := randir.Together(k, 4, 4000, input...); !ok || got != want {
			t.Fatalf("%x gives %s, not %s, before:\n%s\nafter:\n%s", input, got, want, text, ir.AppendText(nil, m))
		}
	})
	if changed == 0 || ended == 0 {
		t.Errorf("%s changed %d kernels, %d ended", passes, changed, ended)
	}
}

func TestActiveLanes(t *testing.T) {
	for _, passes := range []string{
		"simplifycfg", "simplifycfg{returns=1}", "sccp,simplifycfg", "cse", "loop-simplify", "loop-simplify,licm",
		"inline", "sink", "loop-simplify,unroll", "loop-simplify,strength-reduce", Default(1).String(), Default(2).String(), Default(3).String(),
	} {
		t.Run(passes, func(t *testing.T) { sameLanes(t, passes) })
	}
}
