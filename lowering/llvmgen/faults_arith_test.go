package llvmgen

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDivisionIsNotShrunk holds off LLVM 19's 24-bit division of 32- and 64-bit
// numbers that are sign-extended from 16 bits (docs/llvm-faults.md A1). That
// needs no integer multiplication; right code does.
func TestDivisionIsNotShrunk(t *testing.T) {
	text := ""
	for _, op := range []string{"udiv", "sdiv"} {
		for _, out := range []string{"quo", "rem"} {
			for _, bits := range []string{"32b", "64b"} {
				text += "function @" + op + out + bits + "(16b, 16b) -> " + bits + " export {\n^bb0(%v: 16b, %w: 16b):\n" +
					"%x = pisa.sext." + bits + ".16b %v : " + bits + "\n" +
					"%y = pisa.sext." + bits + ".16b %w : " + bits + "\n" +
					"%r = pisa." + op + "." + out + "." + bits + " %x, %y : " + bits + "\nbuiltin.return %r\n}\n"
			}
		}
	}
	everywhere(t, text, Options{}, func(t *testing.T, mcpu, level, _, asm string) {
		for _, name := range []string{"udivquo32b", "udivrem32b", "udivquo64b", "udivrem64b", "sdivquo32b", "sdivrem32b", "sdivquo64b", "sdivrem64b"} {
			require.True(t, hasOpcode(body(t, asm, name), "v_mul_hi_u32|s_mul_hi_u32|v_mad_u64_u32"), "%s %s %s", mcpu, level, name)
		}
	})
}

// TestHalfDivisionIsExact: LLVM 19 divides halves by an approximate reciprocal
// of one, rounded twice; the code here divides floats exactly (A2).
func TestHalfDivisionIsExact(t *testing.T) {
	text := "function @f(16b, 16b) -> 16b export {\n^bb0(%v: 16b, %w: 16b):\n%r = pisa.fdiv.fast.hf %v, %w : 16b\nbuiltin.return %r\n}\n"
	everywhere(t, text, Options{}, func(t *testing.T, mcpu, level, _, asm string) {
		insts := body(t, asm, "f")
		require.True(t, hasOpcode(insts, "v_div_fmas_f32"), "%s %s", mcpu, level)
		require.False(t, hasOpcode(insts, "v_div_fixup_f16"), "%s %s", mcpu, level)
	})
}

// TestFloatMode: kernels keep denormals and round to nearest even (PISA 3.2, 3.3).
func TestFloatMode(t *testing.T) {
	everywhere(t, "kernel @k() {\n^bb0:\nbuiltin.return\n}\n", Options{}, func(t *testing.T, mcpu, level, _, asm string) {
		for _, want := range []string{
			".amdhsa_float_round_mode_32 0", ".amdhsa_float_round_mode_16_64 0",
			".amdhsa_float_denorm_mode_32 3", ".amdhsa_float_denorm_mode_16_64 3",
		} {
			require.Contains(t, asm, want, "%s %s", mcpu, level)
		}
	})
}
