package machine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClause(t *testing.T) {
	c, f := parseBody(t, "gfx1100", waitHead+`
  %a = amdgpu.s_load_b32 %k : s1@s4
  %b = amdgpu.s_load_b64.offset8 %k : s2@s6
  %x = amdgpu.global_load_b32.saddr %t, %k : v1@v1
  %y = amdgpu.global_load_b32.saddr.offset4 %t, %k : v1@v2
  %z = amdgpu.scratch_load_b32 %t : v1@v3
  %l = amdgpu.ds_load_b32 %t : v1@v4
  %m = amdgpu.ds_load_b32 %t : v1@v5
  amdgpu.global_store_b32.saddr %t, %k, %t
  %o = amdgpu.global_load_b32.saddr.offset4 %t, %k : v1@v2
  %q = amdgpu.global_atomic_add_u32.saddr.glc %t, %k, %t : v1@v6
  %r = amdgpu.global_atomic_add_u32.saddr.glc %t, %k, %t : v1@v7
  amdgpu.global_store_b32.saddr %t, %k, %t
  amdgpu.global_store_b32.saddr %t, %k, %t
  amdgpu.s_endpgm`)
	Clause(c, f)
	require.Equal(t, lines(`
  s_clause 0x1
  s_load_b32 s4 s0+2
  s_load_b64 s6+2 s0+2
  s_clause 0x2
  global_load_b32 v1 v0 s0+2
  global_load_b32 v2 v0 s0+2
  scratch_load_b32 v3 v0
  ds_load_b32 v4 v0
  ds_load_b32 v5 v0
  global_store_b32 v0 s0+2 v0
  global_load_b32 v2 v0 s0+2
  global_atomic_add_u32 v6 v0 s0+2 v0
  global_atomic_add_u32 v7 v0 s0+2 v0
  s_clause 0x1
  global_store_b32 v0 s0+2 v0
  global_store_b32 v0 s0+2 v0
  s_endpgm`), listing(c, f))
}
