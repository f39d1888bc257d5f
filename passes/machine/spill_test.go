package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/ir"
)

// spilled allocates body with few registers and counts the instructions by name.
func spilled(t *testing.T, chip, body string, vgprs, sgprs int) (*Ctx, *ir.Func, map[string]int) {
	c, f := parseBody(t, chip, body)
	c.VGPRs, c.SGPRs, c.Verify = vgprs, sgprs, true
	Regalloc(c, f)
	n := map[string]int{}
	if c.Diags.HasErrors() {
		return c, f, n
	}
	SSADestroy(c, f)
	var ds ir.Diags
	require.True(t, ir.Verify(f.Module(), &ds), "%v", ds.List)
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			n[strings.TrimPrefix(op.Def().Name, "amdgpu.")]++
			for i := range op.NumResults() {
				r := op.Result(i)
				if r.Reg.IsV() {
					require.LessOrEqual(t, r.Reg.Index()+r.Type.Lanes(), vgprs)
				} else if r.Reg != ir.NoReg && r.Reg < ir.RegVCC {
					require.LessOrEqual(t, r.Reg.Index()+r.Type.Lanes(), sgprs)
				}
			}
		}
	}
	return c, f, n
}

// many is n values made by line, with %d for their number, then all stored.
func many(n int, line, store string) string {
	var sb strings.Builder
	sb.WriteString(entry)
	for i := range n {
		fmt.Fprintf(&sb, strings.ReplaceAll(line, "%d", "%[1]d")+"\n", i)
	}
	for i := range n {
		fmt.Fprintf(&sb, strings.ReplaceAll(store, "%d", "%[1]d")+"\n", i)
	}
	return sb.String() + "  amdgpu.t_ret"
}

const storeIt = "  amdgpu.ds_store_b32 %%id, %%a%d"

func TestSpillVectors(t *testing.T) {
	for _, chip := range []string{"gfx1100", "gfx942"} {
		_, f, n := spilled(t, chip, many(20, "  %%a%d = amdgpu.ds_load_b32.offset%d %%id : v1", storeIt), 12, 102)
		v, s, bytes := SpillCounts(f)
		// %id and 11 values fit; a load needs one more.
		assert.GreaterOrEqual(t, v, 9)
		assert.LessOrEqual(t, v, 12)
		assert.Equal(t, n["scratch_store_b32"], v)
		assert.Equal(t, n["scratch_load_b32"], v)
		assert.Equal(t, 4*v, bytes)
		assert.Zero(t, s)

		_, f, n = spilled(t, chip, many(8, "  %%a%d = amdgpu.ds_load_b128.offset%d %%id : v4", "  amdgpu.ds_store_b128 %%id, %%a%d"), 17, 102)
		v, _, _ = SpillCounts(f)
		assert.GreaterOrEqual(t, v, 4*4)
		assert.Equal(t, n["scratch_store_b128"], v/4)
		assert.Equal(t, n["scratch_load_b128"], v/4)
	}
}

func TestSpillScalars(t *testing.T) {
	for _, chip := range []string{"gfx1100", "gfx942"} {
		_, f, n := spilled(t, chip, many(40, "  %%a%d = amdgpu.s_load_b32.offset%d %%k : s1",
			"  %%v%d = amdgpu.p_copy %%a%d : v1\n  amdgpu.ds_store_b32 %%id, %%v%d"), 8, 16)
		v, s, bytes := SpillCounts(f)
		assert.Zero(t, v)
		assert.Zero(t, bytes)
		assert.GreaterOrEqual(t, s, 40-16)
		assert.Equal(t, s, n["v_writelane_b32"])
		assert.Equal(t, s, n["v_readlane_b32"])
		assert.Zero(t, n["scratch_store_b32"])
	}
}

// Constants are made again.
func TestSpillConstants(t *testing.T) {
	_, f, n := spilled(t, "gfx1100", many(20, "  %%c%d = builtin.const 1000%d : 32b\n  %%a%d = amdgpu.v_mov_b32 %%c%d : v1", storeIt), 8, 102)
	v, s, _ := SpillCounts(f)
	assert.Zero(t, v+s)
	assert.Equal(t, 20, n["v_mov_b32"])
}

// A place beyond the reach of an instruction's offset has its address in m0.
func TestSpillFar(t *testing.T) {
	_, f, n := spilled(t, "gfx1100", many(1100, "  %%a%d = amdgpu.ds_load_b32 %%id : v1", storeIt), 16, 102)
	v, _, bytes := SpillCounts(f)
	assert.Greater(t, bytes, 4096)
	assert.Equal(t, v, n["scratch_store_b32"])
	assert.Equal(t, 2*(v-1024), n["s_mov_b32"])
}

func TestSpillRefused(t *testing.T) {
	body := many(20, "  %%a%d = amdgpu.ds_load_b32.offset%d %%id : v1", storeIt)
	for _, c := range []struct {
		chip  string
		vgprs int
		want  string
	}{{"gfx90a", 12, "spilling to scratch memory is not supported"}, {"gfx1100", 1, "needs more registers"}} {
		ctx, _, _ := spilled(t, c.chip, body, c.vgprs, 102)
		require.Len(t, ctx.Diags.List, 1)
		assert.Contains(t, ctx.Diags.List[0].Text, c.want)
	}
}

// Parts of a spilled tuple change places in memory at once.
func TestSpillPermuted(t *testing.T) {
	body := entry + `
  %t = amdgpu.ds_load_b128 %id : v4
  %a = amdgpu.p_extract %t : v1
  %b = amdgpu.p_extract.index1 %t : v1
  %c = amdgpu.p_extract.index2 %t : v1
  %d = amdgpu.p_extract.index3 %t : v1
  %u = amdgpu.p_build %a, %c, %d, %b : v4
  %e = amdgpu.ds_load_b128.offset16 %id : v4
  %f = amdgpu.ds_load_b128.offset32 %id : v4
  %g = amdgpu.ds_load_b128.offset48 %id : v4
  %p = amdgpu.p_build %id, %id : v2
  amdgpu.global_store_b128 %p, %e
  amdgpu.global_store_b128 %p, %f
  amdgpu.global_store_b128 %p, %g
  amdgpu.global_store_b128 %p, %e
  amdgpu.global_store_b128 %p, %f
  amdgpu.global_store_b128 %p, %g
  amdgpu.global_store_b128 %p, %u
  amdgpu.t_ret`
	for vgprs := 8; vgprs < 24; vgprs++ {
		_, f := parseBody(t, "gfx1100", body)
		sameBehaviour(t, fmt.Sprint(vgprs), "gfx1100", f, vgprs, 102)
	}
}
