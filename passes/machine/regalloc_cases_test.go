package machine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/ir"
)

// entry is the beginning of the bodies below: %k, %x, %id, %o are live in or
// computed, %z is an immediate.
const entry = `
^bb0:
  %k = amdgpu.p_livein.kernarg : s2@s0
  %x = amdgpu.p_livein.workgroup_id_x : s1@s2
  %id = amdgpu.p_livein.workitem_id : v1@v0
  %z = builtin.const 0 : 32b
  %one = builtin.const 1 : 32b
  %z64 = builtin.const 0 : 64b
`

// Copies that coalescing removes, and moves that must stay.
func TestRegallocCases(t *testing.T) {
	for _, c := range []struct{ name, chip, body, want string }{
		{"parts of a loaded tuple are not copied", "gfx1100", `
  %p = amdgpu.p_build %id, %z : v2
  %t = amdgpu.global_load_b128 %p : v4
  %a = amdgpu.p_extract %t : v1
  %b = amdgpu.p_extract.index3 %t : v1
  %s = amdgpu.v_add_nc_u32 %a, %b : v1
  amdgpu.global_store_b32 %p, %s
  amdgpu.t_ret`, `
v_mov_b32 v1 0
global_load_b128 v2+4 v0+2
v_add_nc_u32 v2 v2 v5
global_store_b32 v0+2 v2`},
		{"a tuple is made where its parts are computed", "gfx942", `
  %a = amdgpu.v_add_nc_u32 %id, %one : v1
  %b = amdgpu.v_sub_nc_u32 %id, %one : v1
  %t = amdgpu.p_build %a, %b : v2
  amdgpu.ds_store_b64 %id, %t
  amdgpu.t_ret`, `
v_add_u32 v2 v0 1
v_sub_u32 v3 v0 1
ds_write_b64 v0 v2+2`},
		{"a value that is in two tuples is copied to one", "gfx942", `
  %a = amdgpu.v_add_nc_u32 %id, %one : v1
  %t = amdgpu.p_build %a, %id : v2
  %u = amdgpu.p_build %id, %a : v2
  amdgpu.ds_store_b64 %id, %t
  amdgpu.ds_store_b64 %id, %u
  amdgpu.t_ret`, `
v_add_u32 v2 v0 1
v_mov_b32 v3 v0
v_mov_b32 v1 v2
ds_write_b64 v0 v2+2
ds_write_b64 v0 v0+2`},
		{"64-bit moves where the chip has them", "gfx942", `
  %a = amdgpu.s_load_b64 %k : s2
  %v = amdgpu.p_copy %a : v2
  %w = amdgpu.p_copy %v : v2
  amdgpu.ds_store_b64 %id, %v
  %u = amdgpu.v_lshl_add_u64 %w, %z, %v : v2
  amdgpu.ds_store_b64 %id, %u
  amdgpu.t_ret`, `
s_load_dwordx2 s2+2 s0+2
v_mov_b64 v2+2 s2+2
ds_write_b64 v0 v2+2
v_lshl_add_u64 v2+2 v2+2 0 v2+2
ds_write_b64 v0 v2+2`},
		{"a mask goes where v_div_fmas has it", "gfx1100", `
  %s, %m = amdgpu.v_div_scale_f32 %id, %id, %id : v1, s1
  %r = amdgpu.v_div_fmas_f32 %s, %s, %s, %m : v1
  amdgpu.ds_store_b32 %id, %r
  amdgpu.t_ret`, `
v_div_scale_f32 v1 vcc v0 v0 v0
v_div_fmas_f32 v1 v1 v1 v1 vcc
ds_store_b32 v0 v1`},
		{"a mask that lives on is copied for it", "gfx1100", `
  %s, %m = amdgpu.v_div_scale_f32 %id, %id, %id : v1, s1
  %c = amdgpu.v_cmp_lt_f32 %s, %id : s1
  %r = amdgpu.v_div_fmas_f32 %s, %s, %s, %c : v1
  %q = amdgpu.v_div_fmas_f32 %r, %s, %s, %m : v1
  amdgpu.ds_store_b32 %id, %q
  amdgpu.t_ret`, `
v_div_scale_f32 v1 s0 v0 v0 v0
v_cmp_lt_f32 vcc v1 v0
v_div_fmas_f32 v2 v1 v1 v1 vcc
s_mov_b32 vcc s0
v_div_fmas_f32 v1 v2 v1 v1 vcc
ds_store_b32 v0 v1`},
		{"an unread carry costs no register", "gfx1100", `
  %p = amdgpu.p_build %id, %id : v2
  %t, %m = amdgpu.v_mad_u64_u32 %id, %x, %p : v2, s1
  amdgpu.ds_store_b64 %id, %t
  amdgpu.t_ret`, `
v_mov_b32 v1 v0
v_mad_u64_u32 v2+2 null v0 s2 v0+2
ds_store_b64 v0 v2+2`},
		{"a tied operand that lives on is copied", "gfx1100", `
  %w = amdgpu.v_writelane_b32 %x, %one, %id : v1
  %s = amdgpu.v_add_nc_u32 %w, %id : v1
  amdgpu.ds_store_b32 %id, %s
  amdgpu.t_ret`, `
v_mov_b32 v1 v0
v_writelane_b32 v1 s2 1 v1
v_add_nc_u32 v1 v1 v0
ds_store_b32 v0 v1`},
		{"scc is made again", "gfx1100", `
  %c = amdgpu.s_cmp_lt_u32 %x, %one : scc
  %s, %d = amdgpu.s_add_u32 %x, %x : s1, scc
  %e = amdgpu.s_cselect_b32 %s, %x, %c : s1
  %f, %g = amdgpu.s_addc_u32 %e, %x, %d : s1, scc
  %v = amdgpu.p_copy %f : v1
  amdgpu.ds_store_b32 %id, %v
  amdgpu.t_ret`, `
s_add_u32 s0 scc s2 s2
s_cselect_b32 s1 1 0 scc
s_cmp_lt_u32 scc s2 1
s_cselect_b32 s0 s0 s2 scc
s_cmp_lg_u32 scc s1 0
s_addc_u32 s0 scc s0 s2 scc
v_mov_b32 v1 s0
ds_store_b32 v0 v1`},
		{"exec is read where it is", "gfx942", `
  %e = amdgpu.p_exec : s2
  %lo = amdgpu.p_extract %e : s1
  %hi = amdgpu.p_extract.index1 %e : s1
  %a = amdgpu.v_mbcnt_lo_u32_b32 %lo, %z : v1
  %b = amdgpu.v_mbcnt_hi_u32_b32 %hi, %a : v1
  amdgpu.ds_store_b32 %id, %b
  amdgpu.t_ret`, `
v_mbcnt_lo_u32_b32 v1 exec 0
v_mbcnt_hi_u32_b32 v1 exec_hi v1
ds_write_b32 v0 v1`},
		{"arguments of a join are computed in place", "gfx1100", `
  %c = amdgpu.v_cmp_lt_u32 %id, %x : s1
  amdgpu.t_diverge %c, ^yes, ^no
^yes:
  %a = amdgpu.v_add_nc_u32 %id, %one : v1
  amdgpu.t_fall ^join(%a)
^no:
  %b = amdgpu.v_sub_nc_u32 %id, %one : v1
  amdgpu.t_fall ^join(%b)
^join(%j: v1):
  amdgpu.ds_store_b32 %j, %j
  amdgpu.t_ret`, `
v_cmp_lt_u32 vcc v0 s2
1:
v_add_nc_u32 v0 v0 1
2:
v_sub_nc_u32 v0 v0 1
3:
ds_store_b32 v0 v0`},
		{"values that change places in a loop are exchanged", "gfx1100", `
  %a = amdgpu.v_add_nc_u32 %id, %one : v1
  %s = amdgpu.s_load_b32 %k : s1
  amdgpu.t_jump ^head(%id, %a, %s, %x)
^head(%p: v1, %q: v1, %r: s1, %t: s1):
  amdgpu.ds_store_b32 %p, %q
  %c = amdgpu.s_cmp_lt_u32 %r, %t : scc
  amdgpu.t_cond %c, ^latch, ^exit
^latch:
  amdgpu.t_jump ^head(%q, %p, %t, %r)
^exit:
  amdgpu.t_ret`, `
v_add_nc_u32 v1 v0 1
s_load_b32 s0 s0+2
1:
ds_store_b32 v0 v1
s_cmp_lt_u32 scc s0 s2
2:
v_xor_b32 v0 v0 v1
v_xor_b32 v1 v0 v1
v_xor_b32 v0 v0 v1
s_mov_b32 m0 s0
s_mov_b32 s0 s2
s_mov_b32 s2 m0
3:`},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, strings.TrimPrefix(c.want, "\n")+"\n", allocate(t, c.chip, entry+c.body))
		})
	}
}

// On gfx1201 the work-group ids y and z are halves of one register.
func TestRegallocSharedLiveIn(t *testing.T) {
	c, f := parseBody(t, "gfx1201", `
^bb0:
  %y = amdgpu.p_livein.workgroup_id_y : s1@ttmp7
  %z = amdgpu.p_livein.workgroup_id_z : s1@ttmp7
  %id = amdgpu.p_livein.workitem_id : v1@v0
  %h = builtin.const 16 : 32b
  %a, %p = amdgpu.s_lshr_b32 %z, %h : s1, scc
  %b, %q = amdgpu.s_and_b32 %y, %a : s1, scc
  %v = amdgpu.p_copy %b : v1
  amdgpu.ds_store_b32 %id, %v
  amdgpu.t_ret`)
	c.Verify = true
	Regalloc(c, f)
	SSADestroy(c, f)
	assert.Equal(t, `s_lshr_b32 s0 scc ttmp7 16
s_and_b32 s0 scc ttmp7 s0
v_mov_b32 v1 s0
ds_store_b32 v0 v1
`, listing(c, f))
}

// Moves that wait for others, in any order.
func TestSSADestroyMoves(t *testing.T) {
	for _, c := range []struct{ chip, args, want string }{
		// The block's arguments are in s4, s5 and so on, in order.
		{"gfx1100", "%s6, %s7", "s_mov_b64 s4+2 s6+2"},
		{"gfx1100", "%s5, %s6", "s_mov_b32 s4 s5|s_mov_b32 s5 s6"},
		{"gfx1100", "%s3, %s4", "s_mov_b32 s5 s4|s_mov_b32 s4 s3"},
		{"gfx1100", "%s5, %s4", "s_mov_b32 m0 s4|s_mov_b32 s4 s5|s_mov_b32 s5 m0"},
		{"gfx1100", "%s4, %s4", "s_mov_b32 s5 s4"},
		{"gfx1100", "%s4, %s5", ""},
		{"gfx1100", "%s6, %s7, %s4, %s5", "s_mov_b32 m0 s4|s_mov_b32 s4 s6|s_mov_b32 s6 m0|s_mov_b32 m0 s5|s_mov_b32 s5 s7|s_mov_b32 s7 m0"},
		{"gfx1100", "%v9, %v8", "v_xor_b32 v8 v8 v9|v_xor_b32 v9 v8 v9|v_xor_b32 v8 v8 v9"},
		{"gfx1100", "%v9, %v10, %v8", "v_xor_b32 v8 v8 v9|v_xor_b32 v9 v8 v9|v_xor_b32 v8 v8 v9|v_xor_b32 v9 v9 v10|v_xor_b32 v10 v9 v10|v_xor_b32 v9 v9 v10"},
		{"gfx1100", "%v10, %v11", "v_mov_b32 v8 v10|v_mov_b32 v9 v11"},
		{"gfx942", "%v10, %v11", "v_mov_b64 v8+2 v10+2"},
		{"gfx942", "%v11, %v12", "v_mov_b32 v8 v11|v_mov_b32 v9 v12"},
	} {
		var values, args []string
		class, first, passed := "s", 4, strings.Split(c.args, ", ")
		if strings.Contains(c.args, "%v") {
			class, first = "v", 8
		}
		for i, x := range passed {
			args = append(args, fmt.Sprintf("%%a%d: %s1@%s%d", i, class, class, first+i))
			if v := fmt.Sprintf("  %s = amdgpu.p_reg : %s1@%s", x, class, x[1:]); !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		body := entry + strings.Join(values, "\n") + "\n  amdgpu.t_jump ^next(" + strings.Join(passed, ", ") + ")\n^next(" + strings.Join(args, ", ") + "):\n"
		for i := range args {
			body += fmt.Sprintf("  %%u%d = amdgpu.p_copy %%a%d : %s1@%s%d\n", i, i, class, class, first+i)
		}
		ctx, f := parseBody(t, c.chip, body+"  amdgpu.t_ret")
		SSADestroy(ctx, f)
		var ds ir.Diags
		require.True(t, ir.Verify(f.Module(), &ds), "%v", ds.List)
		got, _, _ := strings.Cut(listing(ctx, f), "1:\n")
		assert.Equal(t, c.want, strings.ReplaceAll(strings.TrimSuffix(got, "\n"), "\n", "|"), "%s %s", c.chip, c.args)
	}
}

// Constants in tuples are moved in one where an inline constant does.
func TestSSADestroyConstants(t *testing.T) {
	for _, c := range []struct{ chip, build, want string }{
		{"gfx1100", "%z, %z : s2@s4", "s_mov_b64 s4+2 0"},
		{"gfx1100", "%one, %z : s2@s4", "s_mov_b64 s4+2 1"},
		{"gfx1100", "%m, %m : s2@s4", "s_mov_b64 s4+2 -1"},
		{"gfx1100", "%z, %one : s2@s4", "s_mov_b32 s4 0|s_mov_b32 s5 1"},
		{"gfx1100", "%x, %z, %z, %z : s4@s4", "s_mov_b32 s4 s2|s_mov_b32 s5 0|s_mov_b64 s6+2 0"},
		{"gfx1100", "%one, %z : v2@v4", "v_mov_b32 v4 1|v_mov_b32 v5 0"},
		{"gfx942", "%one, %z : v2@v4", "v_mov_b64 v4+2 1"},
		{"gfx942", "%x, %z : v2@v4", "v_mov_b32 v4 s2|v_mov_b32 v5 0"},
	} {
		ctx, f := parseBody(t, c.chip, entry+"  %m = builtin.const -1 : 32b\n  %b = amdgpu.p_build "+c.build+"\n  %u = amdgpu.p_copy %b"+c.build[strings.Index(c.build, " :"):]+"\n  amdgpu.t_ret")
		SSADestroy(ctx, f)
		got := strings.ReplaceAll(listing(ctx, f), "18446744073709551615", "-1")
		assert.Equal(t, c.want, strings.ReplaceAll(strings.TrimSuffix(got, "\n"), "\n", "|"), "%s %s", c.chip, c.build)
	}
}
