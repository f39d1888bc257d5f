package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// lines trims a listing written in a test.
func lines(s string) string {
	var out []string
	for _, l := range strings.Split(s, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

const waitHead = `^bb0:
  %k = amdgpu.p_livein.kernarg : s2@s0
  %t = amdgpu.p_livein.workitem_id : v1@v0
`

func TestWaitcnt(t *testing.T) {
	cases := []struct{ name, chip, body, want string }{
		{"loads complete in order", "gfx1100", `
  %a = amdgpu.global_load_b32.saddr %t, %k : v1@v1
  %b = amdgpu.global_load_b32.saddr.offset4 %t, %k : v1@v2
  %c = amdgpu.v_add_nc_u32 %a, %t : v1@v3
  %d = amdgpu.v_add_nc_u32 %b, %c : v1@v3
  amdgpu.global_store_b32.saddr %t, %k, %d
  amdgpu.s_endpgm`, `
  global_load_b32 v1 v0 s0+2
  global_load_b32 v2 v0 s0+2
  s_waitcnt load(1)
  v_add_nc_u32 v3 v1 v0
  s_waitcnt load(0)
  v_add_nc_u32 v3 v2 v3
  global_store_b32 v0 s0+2 v3
  s_endpgm`},
		{"stores count with loads on gfx9", "gfx942", `
  %a = amdgpu.global_load_b32.saddr %t, %k : v1@v1
  amdgpu.global_store_b32.saddr %t, %k, %t
  %c = amdgpu.v_add_nc_u32 %a, %t : v1@v3
  amdgpu.s_endpgm`, `
  global_load_dword v1 v0 s0+2
  global_store_dword v0 s0+2 v0
  s_waitcnt load(1)
  v_add_u32 v3 v1 v0
  s_endpgm`},
		{"stores do not on gfx11", "gfx1100", `
  %a = amdgpu.global_load_b32.saddr %t, %k : v1@v1
  amdgpu.global_store_b32.saddr %t, %k, %t
  %c = amdgpu.v_add_nc_u32 %a, %t : v1@v3
  amdgpu.s_endpgm`, `
  global_load_b32 v1 v0 s0+2
  global_store_b32 v0 s0+2 v0
  s_waitcnt load(0)
  v_add_nc_u32 v3 v1 v0
  s_endpgm`},
		{"scalar loads come in any order", "gfx942", `
  %a = amdgpu.s_load_b32 %k : s1@s4
  %b = amdgpu.s_load_b32.offset4 %k : s1@s5
  %l = amdgpu.ds_load_b32 %t : v1@v1
  %c = amdgpu.v_add_nc_u32 %a, %t : v1@v3
  %d = amdgpu.v_add_nc_u32 %b, %l : v1@v3
  amdgpu.s_endpgm`, `
  s_load_dword s4 s0+2
  s_load_dword s5 s0+2
  ds_read_b32 v1 v0
  s_waitcnt lds(0)
  v_add_u32 v3 s4 v0
  v_add_u32 v3 s5 v1
  s_endpgm`},
		{"scalar loads have their own counter on gfx12", "gfx1201", `
  %a = amdgpu.s_load_b32 %k : s1@s4
  %l = amdgpu.ds_load_b32 %t : v1@v1
  %g = amdgpu.global_load_b32.saddr %t, %k : v1@v2
  %m = amdgpu.ds_load_b32 %t : v1@v5
  %c = amdgpu.v_add3_u32 %a, %t, %t : v1@v3
  %d = amdgpu.v_add3_u32 %g, %l, %c : v1@v3
  amdgpu.s_endpgm`, `
  s_load_b32 s4 s0+2
  ds_load_b32 v1 v0
  global_load_b32 v2 v0 s0+2
  ds_load_b32 v5 v0
  s_wait_kmcnt scalar(0)
  v_add3_u32 v3 s4 v0 v0
  s_wait_loadcnt_dscnt load(0) lds(1)
  v_add3_u32 v3 v2 v1 v3
  s_endpgm`},
		{"a flat load waits for everything on gfx9", "gfx942", `
  %p = amdgpu.p_undef : v2@v8
  %g = amdgpu.global_load_b32.saddr %t, %k : v1@v2
  %a = amdgpu.flat_load_b32 %p : v1@v1
  %h = amdgpu.global_load_b32.saddr %t, %k : v1@v3
  %c = amdgpu.v_add_nc_u32 %g, %t : v1@v4
  %d = amdgpu.v_add_nc_u32 %a, %t : v1@v4
  amdgpu.s_endpgm`, `
  global_load_dword v2 v0 s0+2
  flat_load_dword v1 v8+2
  global_load_dword v3 v0 s0+2
  s_waitcnt load(0)
  v_add_u32 v4 v2 v0
  s_waitcnt lds(0)
  v_add_u32 v4 v1 v0
  s_endpgm`},
		{"flat loads are in order on gfx11", "gfx1100", `
  %p = amdgpu.p_undef : v2@v8
  %g = amdgpu.global_load_b32.saddr %t, %k : v1@v2
  %a = amdgpu.flat_load_b32 %p : v1@v1
  %h = amdgpu.global_load_b32.saddr %t, %k : v1@v3
  %c = amdgpu.v_add_nc_u32 %g, %t : v1@v4
  %d = amdgpu.v_add_nc_u32 %a, %t : v1@v4
  amdgpu.s_endpgm`, `
  global_load_b32 v2 v0 s0+2
  flat_load_b32 v1 v8+2
  global_load_b32 v3 v0 s0+2
  s_waitcnt load(2)
  v_add_nc_u32 v4 v2 v0
  s_waitcnt load(1) lds(0)
  v_add_nc_u32 v4 v1 v0
  s_endpgm`},
		{"what a load will write is not written", "gfx1100", `
  %a = amdgpu.global_load_b64.saddr %t, %k : v2@v2
  %b = amdgpu.v_mov_b32 %t : v1@v3
  amdgpu.global_store_b32.saddr %t, %k, %b
  %c = amdgpu.v_mov_b32 %k : v1@v3
  amdgpu.s_endpgm`, `
  global_load_b64 v2+2 v0 s0+2
  s_waitcnt load(0)
  v_mov_b32 v3 v0
  global_store_b32 v0 s0+2 v3
  v_mov_b32 v3 s0+2
  s_endpgm`},
		{"a wait of the memory model is made stronger", "gfx1100", `
  %a = amdgpu.global_load_b32.saddr %t, %k : v1@v1
  %l = amdgpu.ds_load_b32 %t : v1@v2
  amdgpu.s_waitcnt.lgkmcnt0
  amdgpu.s_waitcnt_vscnt.imm0
  %c = amdgpu.v_add_nc_u32 %a, %l : v1@v3
  amdgpu.s_waitcnt.vmcnt0.lgkmcnt0
  amdgpu.s_barrier
  amdgpu.s_endpgm`, `
  global_load_b32 v1 v0 s0+2
  ds_load_b32 v2 v0
  s_waitcnt load(0) lds(0)
  s_waitcnt_vscnt store(0)
  v_add_nc_u32 v3 v1 v2
  s_waitcnt load(0) lds(0)
  s_barrier
  s_endpgm`},
		{"adjacent waits are merged", "gfx1100", `
  amdgpu.s_waitcnt.vmcnt0
  amdgpu.s_waitcnt_vscnt.imm0
  amdgpu.s_waitcnt.lgkmcnt0
  amdgpu.s_waitcnt_vscnt.imm0
  amdgpu.buffer_gl0_inv
  amdgpu.s_waitcnt.vmcnt0
  amdgpu.s_endpgm`, `
  s_waitcnt load(0) lds(0)
  s_waitcnt_vscnt store(0)
  buffer_gl0_inv
  s_waitcnt load(0)
  s_endpgm`},
		{"both paths", "gfx1100", `
  %c0 = builtin.const 0x0 : 32b
  %a = amdgpu.global_load_b32.saddr %t, %k : v1@v1
  %c = amdgpu.s_cmp_eq_u32 %c0, %c0 : scc@scc
  amdgpu.s_cbranch_scc1 %c, ^bb2, ^bb1
^bb1:
  %b = amdgpu.global_load_b32.saddr %t, %k : v1@v2
  %l = amdgpu.global_load_b32.saddr %t, %k : v1@v3
  amdgpu.s_branch ^bb2
^bb2:
  %d = amdgpu.v_add_nc_u32 %a, %t : v1@v4
  %e = amdgpu.v_mov_b32 %t : v1@v2
  amdgpu.s_endpgm`, `
  global_load_b32 v1 v0 s0+2
  s_cmp_eq_u32 scc 0 0
  s_cbranch_scc1 scc ^2 ^1
  1:
  global_load_b32 v2 v0 s0+2
  global_load_b32 v3 v0 s0+2
  s_branch ^2
  2:
  s_waitcnt load(0)
  v_add_nc_u32 v4 v1 v0
  v_mov_b32 v2 v0
  s_endpgm`},
		{"around a loop", "gfx1100", `
  %c0 = builtin.const 0x0 : 32b
  %a = amdgpu.global_load_b32.saddr %t, %k : v1@v1
  amdgpu.s_branch ^bb1
^bb1:
  %n = amdgpu.global_load_b32.saddr %t, %k : v1@v2
  %d = amdgpu.v_add_nc_u32 %a, %t : v1@v4
  %m = amdgpu.v_mov_b32 %n : v1@v1
  %p = amdgpu.global_load_b32.saddr %t, %k : v1@v1
  %c = amdgpu.s_cmp_eq_u32 %c0, %c0 : scc@scc
  amdgpu.s_cbranch_scc1 %c, ^bb1, ^bb2
^bb2:
  amdgpu.s_endpgm`, `
  global_load_b32 v1 v0 s0+2
  s_branch ^1
  1:
  global_load_b32 v2 v0 s0+2
  s_waitcnt load(1)
  v_add_nc_u32 v4 v1 v0
  s_waitcnt load(0)
  v_mov_b32 v1 v2
  global_load_b32 v1 v0 s0+2
  s_cmp_eq_u32 scc 0 0
  s_cbranch_scc1 scc ^1 ^2
  2:
  s_endpgm`},
		{"the limit of the counter", "gfx942", manyLDS(20) + `
  %c = amdgpu.v_mov_b32 %l0 : v1@v60
  %d = amdgpu.v_mov_b32 %l8 : v1@v60
  amdgpu.s_endpgm`, manyLDSLines(20) + `
  s_waitcnt lds(14)
  v_mov_b32 v60 v1
  s_waitcnt lds(11)
  v_mov_b32 v60 v9
  s_endpgm`},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			c, f := parseBody(t, x.chip, waitHead+x.body)
			Waitcnt(c, f)
			require.Equal(t, lines(x.want), listing(c, f))
		})
	}
}

func manyLDS(n int) (s string) {
	for i := range n {
		s += fmt.Sprintf("  %%l%d = amdgpu.ds_load_b32 %%t : v1@v%d\n", i, i+1)
	}
	return s
}

func manyLDSLines(n int) (s string) {
	for i := range n {
		s += fmt.Sprintf("ds_read_b32 v%d v0\n", i+1)
	}
	return s
}

// What an erased wait stood for in a sequence is then its replacement.
func TestWaitcntKeepsSequences(t *testing.T) {
	c, f := parseBody(t, "gfx1100", waitHead+`
  amdgpu.s_waitcnt.vmcnt0
  amdgpu.s_waitcnt.lgkmcnt0
  amdgpu.s_endpgm`)
	first := f.Entry().First().Next().Next()
	c.Sequences = []Sequence{{Ops: []*ir.Op{first}}, {Ops: []*ir.Op{first.Next()}}}
	Waitcnt(c, f)
	require.Equal(t, []*ir.Op{first}, c.Sequences[1].Ops)
	w, _ := amdgpu.WaitOf(first)
	require.Equal(t, amdgpu.WaitFor{0, -1, 0, -1}, w)
}

// Time grows with the length of the function, in one block and in many.
func TestWaitcntIsLinear(t *testing.T) {
	requireLinear(t, 500, func(n int) func() {
		var sb strings.Builder
		sb.WriteString(waitHead + "  amdgpu.s_branch ^bb1\n")
		for i := range n {
			next := i + 2
			fmt.Fprintf(&sb, "^bb%d:\n  %%c%d = builtin.const 0x0 : 32b\n", i+1, i)
			for k := range 4 {
				fmt.Fprintf(&sb, "  %%a%d_%d = amdgpu.global_load_b32.saddr %%t, %%k : v1@v%d\n", i, k, 1+(i*4+k)%200)
			}
			back := max(1, i-3)
			fmt.Fprintf(&sb, "  %%s%d = amdgpu.s_cmp_eq_u32 %%c%d, %%c%d : scc@scc\n  amdgpu.s_cbranch_scc1 %%s%d, ^bb%d, ^bb%d\n", i, i, i, i, back, next)
		}
		fmt.Fprintf(&sb, "^bb%d:\n  amdgpu.s_endpgm\n", n+1)
		c, f := parseBody(t, "gfx1100", sb.String())
		return func() { Waitcnt(c, f) }
	})
}
