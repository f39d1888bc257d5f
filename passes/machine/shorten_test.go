package machine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
)

// TestShorten: the addend must be the result's register, the second factor a
// vector register, and the chip must have the instruction.
func TestShorten(t *testing.T) {
	const body = `^bb0:
%s = amdgpu.p_undef : s1@s0
%a = amdgpu.p_undef : v1@v0
%b = amdgpu.p_undef : v1@v1
%d = amdgpu.v_fma_f32 %a, %b, %a : v1@v0
%e = amdgpu.v_fma_f32 %b, %s, %d : v1@v0
%g = amdgpu.v_fma_f32 %e, %b, %e : v1@v2
%h = amdgpu.v_fma_f32.neg1 %g, %b, %g : v1@v2
%i = amdgpu.v_fma_f32 %s, %s, %h : v1@v2
%j = amdgpu.v_fma_f16 %b, %b, %i : v1@v2
amdgpu.s_endpgm`
	for chip, want := range map[string][]string{
		"gfx1100": {"v_fmac_f32", "v_fmac_f32", "v_fma_f32", "v_fma_f32", "v_fma_f32", "v_fmac_f16"},
		"gfx942":  {"v_fmac_f32", "v_fmac_f32", "v_fma_f32", "v_fma_f32", "v_fma_f32", "v_fma_f16"},
	} {
		c, f := parseBody(t, chip, body)
		Shorten(c, f)
		var got []string
		for op := f.Entry().First(); op != nil; op = op.Next() {
			if amdgpu.Encoded(op) && amdgpu.RowOf(op.Code).VALU() {
				require.Equal(t, "", amdgpu.CheckOp(c.Target, op), op.Def().Name)
				got = append(got, amdgpu.RowOf(op.Code).Name)
			}
		}
		require.Equal(t, want, got, chip)
	}
}
