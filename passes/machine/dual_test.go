package machine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

func TestDual(t *testing.T) {
	c, f := parseBody(t, "gfx1100", waitHead+`
  %k1 = amdgpu.p_undef : s1@s6
  %v = amdgpu.p_undef : v1@v5
  %w = amdgpu.p_undef : v1@v6
  %a = amdgpu.v_mul_f32 %v, %w : v1@v1
  %s, %c = amdgpu.s_add_u32 %k1, %k1 : s1@s8, scc@scc
  %b = amdgpu.v_add_f32 %w, %v : v1@v2
  %d = amdgpu.v_add_nc_u32 %a, %b : v1@v3
  %c7 = builtin.const 0x7 : 32b
  %e = amdgpu.v_mov_b32 %c7 : v1@v4
  %g = amdgpu.v_and_b32 %k1, %t : v1@v1
  %h = amdgpu.v_sqrt_f32 %v : v1@v7
  %i = amdgpu.v_mov_b32 %h : v1@v8
  amdgpu.s_waitcnt.vmcnt0
  %j = amdgpu.v_mov_b32 %v : v1@v9
  amdgpu.s_endpgm`)
	Dual(c, f)
	var ds ir.Diags
	require.True(t, ir.Verify(f.Module(), &ds), "%v", ds.List)
	// What the second half needs is before the pair; a pair counts once.
	Hazards(c, f)
	Delay(c, f)
	require.Equal(t, lines(`
  v_mul_f32.dual v1 v5 v6
  v_add_f32 v2 v6 v5
  s_add_u32 s8 scc s6 s6
  s_delay_alu 0x1
  v_add_nc_u32.dual v3 v1 v2
  v_mov_b32 v4 7
  v_and_b32 v1 s6 v0
  v_sqrt_f32 v7 v5
  s_waitcnt_depctr 0xfff
  v_mov_b32 v8 v7
  s_waitcnt load(0)
  v_mov_b32 v9 v5
  s_endpgm`), listing(c, f))
}

// Random functions do the same before and behind.
func TestDualRandom(t *testing.T) {
	pairs := 0
	for seed := range uint64(40) {
		f := randomMachine(seed, "gfx1100", 20+int(seed)*3, seed%3 == 0)
		tt := target.ByName("gfx1100")
		c := &Ctx{Target: tt, Mode: tt.Modes()[0], Diags: &ir.Diags{}, OptLevel: 2}
		Regalloc(c, f)
		SSADestroy(c, f)
		sim := newWaveSim(5, true)
		if !sim.run(f) {
			continue
		}
		order := map[*ir.Op]*ir.Value{}
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			for op := b.First(); op != nil; op = op.Next() {
				if op.NumPlainOperands() > 1 {
					order[op] = op.Operand(0)
				}
			}
		}
		Dual(c, f)
		var duals []*ir.Op
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			for op := b.First(); op != nil; op = op.Next() {
				if amdgpu.DualFirst(op) {
					require.True(t, amdgpu.CanDual(tt, op, amdgpu.DualSecond(op)))
					duals = append(duals, op)
				}
			}
		}
		pairs += len(duals)
		// The simulator makes a hash of properties and of operands in order.
		for _, op := range duals {
			op.SetField(amdgpu.FDual, 0)
		}
		for op, first := range order {
			if op.Operand(0) != first {
				require.True(t, swapOperands(op))
			}
		}
		got := newWaveSim(5, true)
		require.True(t, got.run(f))
		require.Equal(t, sim.trace, got.trace, "seed %d", seed)
	}
	require.Greater(t, pairs, 40)
}
