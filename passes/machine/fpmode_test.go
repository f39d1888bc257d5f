package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
	"pisac/ir"
)

const modesBody = `^bb0:
%c = builtin.const 1065353216 : 32b
%x = amdgpu.p_undef : v1
%a = amdgpu.v_add_f32 %c, %x : v1
%b = amdgpu.v_add_f32.round3 %c, %a : v1
%d = amdgpu.v_mul_f32.round3 %b, %b : v1
%e = amdgpu.v_and_b32 %b, %d : v1
%g = amdgpu.v_fma_f32.round2.flush1 %b, %d, %e : v1
%h = amdgpu.v_add_f64.flush1 %p, %p : v2
amdgpu.t_ret`

// TestFPMode: runs of one mode share a switch, integers have none, and the
// last block need not end in the default mode.
func TestFPMode(t *testing.T) {
	body := strings.Replace(modesBody, "^bb0:", "^bb0:\n%p = amdgpu.p_undef : v2", 1)
	for _, c := range []struct {
		chip string
		want []string
	}{
		{"gfx1100", []string{"v_add_f32", "s_round_mode 15", "v_add_f32", "v_mul_f32", "v_and_b32",
			"s_round_mode 10", "s_denorm_mode 10", "v_fma_f32", "s_round_mode 0", "v_add_f64"}},
		{"gfx942", []string{"v_add_f32", "s_setreg_imm32_b32 14337 255", "v_add_f32", "v_mul_f32", "v_and_b32",
			"s_setreg_imm32_b32 14337 170", "v_fma_f32", "s_setreg_imm32_b32 14337 160", "v_add_f64"}},
	} {
		ctx, f := parseBody(t, c.chip, body)
		FPMode(ctx, f)
		var ds ir.Diags
		ir.Verify(f.Module(), &ds)
		require.Empty(t, ds.List)
		var got []string
		for op := f.Entry().First(); op != nil; op = op.Next() {
			name := strings.TrimPrefix(op.Def().Name, "amdgpu.")
			switch {
			case strings.HasPrefix(name, "s_"):
				got = append(got, strings.TrimSpace(name+modeText(op)))
			case strings.HasPrefix(name, "v_"):
				require.Zero(t, modeWanted(op), name)
				got = append(got, name)
			}
		}
		require.Equal(t, c.want, got, c.chip)
	}
}

func modeText(op *ir.Op) string {
	s := fmt.Sprintf(" %d", amdgpu.FImm.Get(op.Props))
	if op.NumOperands() == 1 {
		v, _ := amdgpu.IsImm(op.Operand(0))
		s += fmt.Sprintf(" %d", v)
	}
	return s
}
