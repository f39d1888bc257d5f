package machine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/ir"
)

func TestPeephole(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"moves to themselves", `
  %a = amdgpu.v_mov_b32 %t : v1@v0
  %b = amdgpu.v_mov_b32 %t : v1@v1
  %c = amdgpu.s_mov_b64 %k : s2@s0
  amdgpu.s_endpgm`, `
  v_mov_b32 v1 v0
  s_endpgm`},
		{"a branch over a branch", `
  %c0 = builtin.const 0x0 : 32b
  amdgpu.s_branch ^bb1
^bb1:
  %s = amdgpu.s_cmp_eq_u32 %c0, %c0 : scc@scc
  amdgpu.s_cbranch_scc0 %s, ^bb3, ^bb2
^bb2:
  amdgpu.s_branch ^bb1
^bb3:
  amdgpu.s_endpgm`, `
  s_branch ^1
  1:
  s_cmp_eq_u32 scc 0 0
  s_cbranch_scc1 scc ^1 ^2
  2:
  s_endpgm`},
		{"two branches on exec", `
  amdgpu.s_branch ^bb1
^bb1:
  amdgpu.s_cbranch_execz ^bb3, ^bb2
^bb2:
  amdgpu.s_cbranch_execnz ^bb1, ^bb3
^bb3:
  amdgpu.s_endpgm`, `
  s_branch ^1
  1:
  s_cbranch_execnz ^1 ^2
  2:
  s_endpgm`},
		{"not over an instruction", `
  amdgpu.s_branch ^bb1
^bb1:
  amdgpu.s_cbranch_execz ^bb3, ^bb2
^bb2:
  %a = amdgpu.v_mov_b32 %t : v1@v1
  amdgpu.s_cbranch_execnz ^bb1, ^bb3
^bb3:
  amdgpu.s_endpgm`, `
  s_branch ^1
  1:
  s_cbranch_execz ^3 ^2
  2:
  v_mov_b32 v1 v0
  s_cbranch_execnz ^1 ^3
  3:
  s_endpgm`},
		{"masks that nothing executes under", `
  %m = amdgpu.p_undef : s1@s4
  %a = amdgpu.s_mov_b32 %m : s1@exec
  %b = amdgpu.s_mov_b32 %k1 : s1@exec
  %c = amdgpu.v_mov_b32 %t : v1@v1
  %d = amdgpu.s_mov_b32 %m : s1@exec
  %e, %f = amdgpu.s_and_saveexec_b32 %m : s1@s5, scc@scc
  %g = amdgpu.s_mov_b32 %m : s1@exec
  amdgpu.s_endpgm`, `
  s_mov_b32 exec s6
  v_mov_b32 v1 v0
  s_mov_b32 exec s4
  s_and_saveexec_b32 s5 scc s4
  s_mov_b32 exec s4
  s_endpgm`},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			c, f := parseBody(t, "gfx1100", waitHead+"  %k1 = amdgpu.p_undef : s1@s6\n"+x.body)
			Peephole(c, f)
			var ds ir.Diags
			require.True(t, ir.Verify(f.Module(), &ds), "%v", ds.List)
			require.Equal(t, lines(x.want), listing(c, f))
		})
	}
}
