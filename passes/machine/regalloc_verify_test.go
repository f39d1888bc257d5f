package machine

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// What moving one value to the next register changes in the function's
// behaviour, the verifier notices.
func TestVerifyRegistersNotices(t *testing.T) {
	noticed, changed := 0, 0
	for seed := range uint64(12) {
		f := randomMachine(seed, "gfx1100", 60, seed%2 == 0)
		before := newWaveSim(5, false)
		if !before.run(f) {
			continue
		}
		c := &Ctx{Target: target.Default(), Mode: target.Default().Modes()[0], Diags: &ir.Diags{}}
		ra := &allocator{c: c, f: f}
		ra.limits()
		saveSCC(f)
		ra.prepare()
		ra.number()
		ra.liveness()
		ra.coalesce(0)
		if ra.colour() != ir.NoClass {
			continue
		}
		ra.assign()
		preset := func(v *ir.Value) bool { return ra.unit[v.ID] < 0 }
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			for op := b.First(); op != nil; op = op.Next() {
				for i := range op.NumResults() {
					v := op.Result(i)
					if v.Reg == ir.NoReg || v.Reg >= ir.RegVCC && !v.Reg.IsV() || isLiveIn(v) {
						continue
					}
					v.Reg++
					wrong := verifyRegisters(f, preset, ra.earlyClobber)
					after := newWaveSim(5, true)
					if !after.run(f) || !equalTraces(before.trace, after.trace) {
						changed++
						if wrong != "" {
							noticed++
						} else {
							t.Logf("seed %d: %s result %d in %v", seed, op.Def().Name, i, v.Reg)
						}
					}
					v.Reg--
				}
			}
		}
	}
	t.Logf("%d of %d", noticed, changed)
	assert.Equal(t, changed, noticed)
	assert.Greater(t, changed, 30)
}

// One register may hold two copies of one constant, not of two.
func TestVerifyRegistersConstants(t *testing.T) {
	for second, want := range map[string]string{"%c": "", "%d": "amdgpu.v_add_f32: v1 must hold value 3 and value 2"} {
		_, f := parseBody(t, "gfx1100", `
^bb0:
  %k = amdgpu.p_livein.kernarg : s2@s0
  %id = amdgpu.p_livein.workitem_id : v1@v0
  %c = builtin.const 7 : 32b
  %d = builtin.const 8 : 32b
  %a = amdgpu.v_mov_b32 %c : v1@v1
  %b = amdgpu.v_mov_b32 `+second+` : v1@v1
  %s = amdgpu.v_add_f32 %a, %b : v1@v2
  amdgpu.global_store_b32.saddr %id, %k, %s
  amdgpu.t_ret
`)
		preset := func(v *ir.Value) bool { return v.Reg == ir.NoReg || isLiveIn(v) }
		assert.Equal(t, want, verifyRegisters(f, preset, func(*ir.Op) bool { return false }))
	}
}
