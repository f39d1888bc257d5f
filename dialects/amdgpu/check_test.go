package amdgpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// check is what Check says about the ops of one block.
func check(t *testing.T, chip, ops string) string {
	t.Helper()
	src, ds := &ir.Sources{}, ir.Diags{}
	text := "module version 1.0\nkernel @k() {\n^bb0:\n" + ops + "\n  amdgpu.s_endpgm\n}\n"
	m := ir.Parse(src, src.Add("t.pir", []byte(text)), dialects.All(), &ds)
	require.False(t, ds.HasErrors(), "%v in %s", ds.List, ops)
	ir.Verify(m, &ds)
	require.False(t, ds.HasErrors(), "%v in %s", ds.List, ops)
	err := amdgpu.Check(target.ByName(chip), m.Funcs[0])
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestCheckRegisters is about registers and masks, which no assembler is asked
// about; what it can be asked, lowering/asmprint's TestInstructions asks.
func TestCheckRegisters(t *testing.T) {
	for _, c := range []struct{ chip, ops, want string }{
		{"gfx1100", "%0 = amdgpu.p_undef : v1@v1\n %2 = amdgpu.p_undef : v2@v5\n %1 = amdgpu.v_lshlrev_b64 %0, %2 : v2@v3", ""},
		{"gfx942", "%0 = amdgpu.p_undef : v1@v1\n %2 = amdgpu.p_undef : v2@v5\n %1 = amdgpu.v_lshlrev_b64 %0, %2 : v2@v4", "a vector tuple begins at v5"},
		{"gfx942", "%0 = amdgpu.p_undef : v1@v1\n %2 = amdgpu.p_undef : v2@v6\n %1 = amdgpu.v_lshlrev_b64 %0, %2 : v2@v4", ""},
		{"gfx942", "%0 = amdgpu.p_undef : v1@v1\n %2 = amdgpu.p_undef : v2\n %1 = amdgpu.v_lshlrev_b64 %0, %2 : v2", ""}, // not allocated yet
		{"gfx1100", "%0 = amdgpu.p_undef : s2@s3\n %1 = amdgpu.s_load_b32 %0 : s1@s0", "a tuple of 2 begins at s3"},
		{"gfx1100", "%0 = amdgpu.p_undef : s2@s4\n %1 = amdgpu.s_load_b128 %0 : s4@s6", "a tuple of 4 begins at s6"},
		{"gfx1100", "%0 = amdgpu.p_undef : s2@s104\n %1 = amdgpu.s_load_b32 %0 : s1@s105", ""},
		{"gfx942", "%0 = amdgpu.p_undef : s2@s100\n %1 = amdgpu.s_load_b32 %0 : s1@s103", "s103 is beyond the scalar registers"},
		{"gfx942", "%0 = amdgpu.p_undef : s1@null\n %1 = amdgpu.s_mov_b32 %0 : s1@s3", "no register null"},
		{"gfx1100", "%0 = amdgpu.p_undef : v1@v1\n %1 = amdgpu.v_cmp_eq_u32 %0, %0 : s2@s4", "result 0 is a mask of 64 lanes"},
		{"gfx942", "%0 = amdgpu.p_undef : v1@v1\n %1 = amdgpu.v_cmp_eq_u32 %0, %0 : s1@s4", "result 0 is a mask of 32 lanes"},
		{"gfx942", "%0 = amdgpu.p_undef : v1@v1\n %1 = amdgpu.v_cmp_eq_u32 %0, %0 : s2@vcc", ""},
		{"gfx942", "%0 = amdgpu.p_undef : v1@v1\n %m = amdgpu.p_undef : s2@s4\n %1 = amdgpu.v_div_fmas_f32 %0, %0, %0, %m : v1@v2", "the mask is not in vcc"},
		{"gfx942", "%0 = amdgpu.p_undef : v1@v1\n %m = amdgpu.p_undef : s2@vcc\n %1 = amdgpu.v_div_fmas_f32 %0, %0, %0, %m : v1@v2", ""},
		{"gfx942", "%c = builtin.const 3 : 32b\n%0 = amdgpu.p_undef : v1@v1\n %s = amdgpu.p_undef : s1@s1\n %1 = amdgpu.v_writelane_b32 %s, %c, %0 : v1@v2", "not in the register of the last operand"},
		{"gfx942", "%0 = amdgpu.p_undef : v2@v2\n %1 = amdgpu.global_load_b32.glc %0 : v1@v1", "no such cache policy"},
		{"gfx942", "%0 = amdgpu.p_undef : v2@v2\n %v = amdgpu.p_undef : v1@v4\n %1 = amdgpu.global_atomic_add_u32 %0, %v : v1@v1", "exactly if its cache policy says so"},
		{"gfx942", "amdgpu.s_barrier_signal", "the chip has no such instruction"},
		{"gfx942", "amdgpu.s_waitcnt.lgkmcnt20", "lgkmcnt counts to 15"},
		{"gfx1100", "amdgpu.s_waitcnt.lgkmcnt20", ""},
		// A literal on GFX9 needs the 32-bit encoding, and that vcc.
		{"gfx942", "%c = builtin.const 0x12345 : 32b\n%0 = amdgpu.p_undef : v1@v1\n %1 = amdgpu.v_cmp_eq_u32 %c, %0 : s2@s4", "a literal needs the 32-bit encoding"},
		{"gfx942", "%c = builtin.const 0x12345 : 32b\n%0 = amdgpu.p_undef : v1@v1\n %1 = amdgpu.v_cmp_eq_u32 %c, %0 : s2@vcc", ""},
		{"gfx942", "%c = builtin.const 0x12345 : 32b\n%0 = amdgpu.p_undef : v1@v1\n %1 = amdgpu.v_mul_lo_u32 %c, %0 : v1@v2", "operand 0 cannot be a literal"},
		{"gfx1100", "%c = builtin.const 0x12345 : 32b\n%0 = amdgpu.p_undef : v1@v1\n %1 = amdgpu.v_mul_lo_u32 %c, %0 : v1@v2", ""},
		// The constant bus.
		{"gfx942", "%a = amdgpu.p_undef : s1@s1\n%b = amdgpu.p_undef : s1@s2\n %1 = amdgpu.v_mul_lo_u32 %a, %b : v1@v2", "reads 2 scalar operands, the limit is 1"},
		{"gfx942", "%a = amdgpu.p_undef : s1@s1\n%b = amdgpu.p_undef : s1@s1\n %1 = amdgpu.v_mul_lo_u32 %a, %b : v1@v2", ""},
		{"gfx1100", "%a = amdgpu.p_undef : s1@s1\n%b = amdgpu.p_undef : s1@s2\n %1 = amdgpu.v_mul_lo_u32 %a, %b : v1@v2", ""},
	} {
		switch got := check(t, c.chip, c.ops); {
		case c.want == "":
			require.Empty(t, got, "%s: %s", c.chip, c.ops)
		default:
			require.Contains(t, got, c.want, "%s: %s", c.chip, c.ops)
		}
	}
}

// TestLDSLayout: the largest alignments first, sizes padded.
func TestLDSLayout(t *testing.T) {
	m := ir.NewModule(dialects.All(), nil)
	f := m.NewFunc("k", ir.FuncKernel)
	for _, v := range []struct {
		size  uint64
		align uint32
		space ir.Space
	}{{100, 4, ir.SpaceShared}, {1, 1, ir.SpacePrivate}, {5, 256, ir.SpaceShared}, {16, 32, ir.SpaceShared}, {1, 1, ir.SpaceShared}} {
		x := m.NewVar("v", v.space, f)
		x.Size, x.Align = v.size, v.align
	}
	offs, total := amdgpu.LDSLayout(f)
	require.Equal(t, []uint64{288, 0, 0, 256, 400}, offs)
	require.Equal(t, uint64(416), total)
	f.Vars[0].Size = ^uint64(0)
	_, total = amdgpu.LDSLayout(f)
	require.Greater(t, total, uint64(1)<<40)
}

// TestLiveInRegs: where AMDGPUUsage says that they are, and what LLVM makes of
// that on chips that initialise 16 registers.
func TestLiveInRegs(t *testing.T) {
	set := func(list ...amdgpu.LiveIn) (s amdgpu.LiveSet) {
		for _, l := range list {
			s |= 1 << l
		}
		return s
	}
	k, x, y, z, d, items := amdgpu.LiveKernarg, amdgpu.LiveGroupX, amdgpu.LiveGroupY, amdgpu.LiveGroupZ, amdgpu.LiveDispatch, amdgpu.LiveItems
	for _, c := range []struct {
		chip string
		set  amdgpu.LiveSet
		of   amdgpu.LiveIn
		reg  string
		user int
	}{
		{"gfx1100", set(k, x), x, "s15", 15}, {"gfx1100", set(k, x, y), x, "s14", 14}, {"gfx1100", set(k, x, y, z), z, "s15", 13},
		{"gfx1100", set(k), k, "s0", 16}, {"gfx942", set(k, x, z), z, "s3", 2}, {"gfx942", set(k, d, x), k, "s2", 4},
		{"gfx942", set(k, d, x), x, "s4", 4}, {"gfx1201", set(k, x), x, "ttmp9", 2}, {"gfx1201", set(k, z), z, "ttmp7", 2}, {"gfx942", set(items), items, "v0", 0},
	} {
		regs, user := amdgpu.LiveInRegs(target.ByName(c.chip), c.set)
		require.Equal(t, c.reg, regs[c.of].String(), "%s %v", c.chip, c.of)
		require.Equal(t, c.user, user)
	}
}
