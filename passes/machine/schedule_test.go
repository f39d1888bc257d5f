package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Random functions do the same before and behind; the pressure stays within
// what the pass promises (that is checked by TestSchedulePressure).
func TestScheduleRandom(t *testing.T) {
	moved := 0
	for _, chip := range []string{"gfx1100", "gfx942"} {
		for seed := range uint64(40) {
			f := randomMachine(seed, chip, 5+int(seed)%120, seed%3 == 0)
			before := string(ir.AppendFunc(nil, f))
			sim := newWaveSim(5, false)
			if !sim.run(f) {
				continue
			}
			tt := target.ByName(chip)
			c := &Ctx{Target: tt, Mode: tt.Modes()[0], Diags: &ir.Diags{}, OptLevel: 2}
			Schedule(c, f)
			var ds ir.Diags
			require.True(t, ir.Verify(f.Module(), &ds), "%v", ds.List)
			if string(ir.AppendFunc(nil, f)) != before {
				moved++
			}
			got := newWaveSim(5, false)
			require.True(t, got.run(f))
			require.Equal(t, sim.trace, got.trace, "seed %d %s\n%s\nbehind\n%s", seed, chip, before, ir.AppendFunc(nil, f))
		}
	}
	require.Greater(t, moved, 25)
}

func TestSchedule(t *testing.T) {
	cases := []struct{ name, chip, body, want string }{
		{"loads come early and together", "gfx1100", `
  %a = amdgpu.global_load_b32.saddr %t, %k : v1
  %x = amdgpu.v_add_nc_u32 %a, %t : v1
  %o = amdgpu.v_lshlrev_b32 %c2, %t : v1
  %b = amdgpu.global_load_b32.saddr %o, %k : v1
  %y = amdgpu.v_add_nc_u32 %b, %x : v1
  amdgpu.global_store_b32.saddr %t, %k, %y
  amdgpu.t_ret`, `
  v_lshlrev_b32 o c2 t
  global_load_b32 a t k
  global_load_b32 b o k
  v_add_nc_u32 x a t
  v_add_nc_u32 y b x
  global_store_b32 t k y
  t_ret`},
		{"scc and its readers stay together", "gfx942", `
  %s = amdgpu.p_undef : s1
  %l, %c = amdgpu.s_add_u32 %s, %s : s1, scc
  %a = amdgpu.global_load_b32.saddr %t, %k : v1
  %h, %c3 = amdgpu.s_addc_u32 %s, %s, %c : s1, scc
  %m, %c4 = amdgpu.s_and_b32 %l, %h : s1, scc
  %y = amdgpu.v_add_nc_u32 %m, %a : v1
  amdgpu.global_store_b32.saddr %t, %k, %y
  amdgpu.t_ret`, `
  global_load_b32 a t k
  s_add_u32 l c s s
  s_addc_u32 h c3 s s c
  s_and_b32 m c4 l h
  v_add_nc_u32 y m a
  global_store_b32 t k y
  t_ret`},
		{"not above a store that may write what is loaded", "gfx1100", `
  %x = amdgpu.v_add_nc_u32 %t, %t : v1
  amdgpu.global_store_b32.saddr %t, %k, %x
  %a = amdgpu.global_load_b32.saddr %x, %k : v1
  %b = amdgpu.global_load_b32.saddr.offset4 %t, %k : v1
  %d = amdgpu.ds_load_b32 %t : v1
  %y = amdgpu.v_add3_u32 %b, %a, %d : v1
  amdgpu.global_store_b32.saddr %t, %k, %y
  amdgpu.t_ret`, `
  v_add_nc_u32 x t t
  global_load_b32 b t k
  ds_load_b32 d t
  global_store_b32 t k x
  global_load_b32 a x k
  v_add3_u32 y b a d
  global_store_b32 t k y
  t_ret`},
		{"not across a wait of the memory model", "gfx1100", `
  %x = amdgpu.v_add_nc_u32 %t, %t : v1
  amdgpu.s_waitcnt.vmcnt0
  %a = amdgpu.global_load_b32.saddr %t, %k : v1
  %y = amdgpu.v_add_nc_u32 %x, %a : v1
  amdgpu.global_store_b32.saddr %t, %k, %y
  amdgpu.t_ret`, `
  v_add_nc_u32 x t t
  s_waitcnt load(0)
  global_load_b32 a t k
  v_add_nc_u32 y x a
  global_store_b32 t k y
  t_ret`},
		{"a mask is not read at once on gfx942", "gfx942", `
  %m = amdgpu.v_cmp_eq_u32 %t, %t : s2
  %x = amdgpu.v_cndmask_b32 %t, %t, %m : v1
  %y = amdgpu.v_add_nc_u32 %t, %t : v1
  %z = amdgpu.v_xor_b32 %t, %t : v1
  %w = amdgpu.v_add3_u32 %x, %y, %z : v1
  amdgpu.global_store_b32.saddr %t, %k, %w
  amdgpu.t_ret`, `
  v_cmp_eq_u32 m t t
  v_add_nc_u32 y t t
  v_xor_b32 z t t
  v_cndmask_b32 x t t m
  v_add3_u32 w x y z
  global_store_b32 t k w
  t_ret`},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			body := waitHead + "  %c2 = builtin.const 0x2 : 32b\n" + x.body
			c, f := parseBody(t, x.chip, body)
			names := valueNames(f, body)
			Schedule(c, f)
			require.Equal(t, lines(x.want), namedListing(c, f, names))
		})
	}
}

// valueNames are the names that the text of a function gave to its results.
func valueNames(f *ir.Func, body string) map[*ir.Value]string {
	names := map[*ir.Value]string{}
	op := f.Entry().First()
	for _, l := range strings.Split(body, "\n") {
		l = strings.TrimSpace(l)
		if l == "" || l[0] == '^' {
			continue
		}
		results, _, _ := strings.Cut(l, " = ")
		for i := range op.NumResults() {
			names[op.Result(i)] = strings.TrimPrefix(strings.Split(results, ", ")[i], "%")
		}
		op = op.Next()
	}
	return names
}

// namedListing is the instructions of f with these names.
func namedListing(c *Ctx, f *ir.Func, names map[*ir.Value]string) string {
	var sb strings.Builder
	for op := f.Entry().First(); op != nil; op = op.Next() {
		if !amdgpu.IsMachine(op.Code) || op.Code == amdgpu.PLivein || op.Code == amdgpu.PUndef {
			continue
		}
		if amdgpu.Waits(op) {
			sb.WriteString(instruction(c, op, nil) + "\n")
			continue
		}
		sb.WriteString(amdgpu.RowOf(op.Code).Name)
		for i := range op.NumResults() {
			sb.WriteString(" " + names[op.Result(i)])
		}
		for i := range op.NumOperands() {
			sb.WriteString(" " + names[op.Operand(i)])
		}
		sb.WriteString("\n")
	}
	return sb.String()
}

// Where registers are short, few are live.
func TestSchedulePressure(t *testing.T) {
	var sb strings.Builder
	sb.WriteString(waitHead)
	n := 200
	for i := range n {
		fmt.Fprintf(&sb, "  %%a%d = amdgpu.global_load_b32.saddr.offset%d %%t, %%k : v1\n", i, 4*i)
		fmt.Fprintf(&sb, "  %%x%d = amdgpu.v_add_nc_u32 %%a%d, %s : v1\n", i, i, map[bool]string{true: "%t", false: fmt.Sprintf("%%x%d", i-1)}[i == 0])
	}
	fmt.Fprintf(&sb, "  amdgpu.global_store_b32.saddr %%t, %%k, %%x%d\n  amdgpu.t_ret\n", n-1)
	c, f := parseBody(t, "gfx1100", sb.String())
	Schedule(c, f)
	live, most, ahead := 0, 0, 0
	left := map[*ir.Value]int{}
	for op := f.Entry().First(); op != nil; op = op.Next() {
		for i := range op.NumOperands() {
			for u := op.Operand(i).FirstUse(); u != nil && left[op.Operand(i)] == 0; u = u.NextUse() {
				left[op.Operand(i)]--
			}
		}
		if op.Code == amdgpu.Mem(amdgpu.Global, amdgpu.LoadB32) {
			live++
		} else if op.Code == amdgpu.VAddNcU32 {
			live--
			ahead = max(ahead, live)
		}
		most = max(most, live)
	}
	require.LessOrEqual(t, most, 96)
	require.Greater(t, ahead, 40) // and yet loads are ahead of their uses
}

func TestScheduleIsLinear(t *testing.T) {
	requireLinear(t, 4000, func(n int) func() {
		f, tt := straightLine(n, true), target.ByName("gfx1100")
		c := &Ctx{Target: tt, Mode: tt.Modes()[0], Diags: &ir.Diags{}, OptLevel: 2}
		return func() { Schedule(c, f) }
	})
}
