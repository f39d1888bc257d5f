package machine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/ir"
)

// allocate runs the allocator and SSADestroy on a body and returns the
// instructions.
func allocate(t testing.TB, chip, body string) string {
	t.Helper()
	c, f := parseBody(t, chip, body)
	Regalloc(c, f)
	require.Empty(t, c.Diags.List)
	SSADestroy(c, f)
	var ds ir.Diags
	require.True(t, ir.Verify(f.Module(), &ds), "%v", ds.List)
	return listing(c, f)
}

func TestRegallocStraight(t *testing.T) {
	assert.Equal(t, `s_load_b64 s2+2 s0+2
s_load_b64 s0+2 s0+2
v_lshlrev_b32 v0 2 v0
global_load_b32 v1 v0 s2+2
global_load_b32 v2 v0 s0+2
v_add_f32 v3 v1 v2
v_mul_f32 v1 v1 v2
v_cmp_lt_f32 vcc v3 v1
v_cndmask_b32 v4 v3 v1 vcc
global_store_b64 v0 s0+2 v3+2
`, allocate(t, "gfx1100", `
^bb0:
  %k = amdgpu.p_livein.kernarg : s2@s0
  %x = amdgpu.p_livein.workgroup_id_x : s1@s2
  %id = amdgpu.p_livein.workitem_id : v1@v0
  %c1 = builtin.const 2 : 32b
  %a = amdgpu.s_load_b64 %k : s2
  %b = amdgpu.s_load_b64.offset8 %k : s2
  %o = amdgpu.v_lshlrev_b32 %c1, %id : v1
  %v = amdgpu.global_load_b32.saddr %o, %a : v1
  %w = amdgpu.global_load_b32.saddr %o, %b : v1
  %s = amdgpu.v_add_f32 %v, %w : v1
  %s2 = amdgpu.v_mul_f32 %v, %w : v1
  %m = amdgpu.v_cmp_lt_f32 %s, %s2 : s1
  %q = amdgpu.v_cndmask_b32 %s, %s2, %m : v1
  %t = amdgpu.p_build %s, %q : v2
  amdgpu.global_store_b64.saddr %o, %b, %t
  amdgpu.t_ret
`))
}
