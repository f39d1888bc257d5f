package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
)

func TestLDSPair(t *testing.T) {
	c, f := parseBody(t, "gfx1100", waitHead+`
  %a = amdgpu.ds_load_b32 %t : v1
  %b = amdgpu.ds_load_b32.offset256 %t : v1
  %c = amdgpu.v_add_nc_u32 %a, %b : v1
  %d = amdgpu.ds_load_b32.offset1024 %t : v1
  %e = amdgpu.ds_load_b32.offset512 %t : v1
  %g = amdgpu.ds_load_b32.offset6 %t : v1
  %h = amdgpu.ds_load_b64.offset8 %t : v2
  %i = amdgpu.ds_load_b64.offset2040 %t : v2
  amdgpu.ds_store_b32 %t, %c
  amdgpu.ds_store_b32.offset1024 %t, %d
  %j = amdgpu.ds_load_b32.offset12 %t : v1
  amdgpu.ds_store_b32.offset4 %t, %e
  %k2 = amdgpu.ds_load_b32.offset16 %t : v1
  amdgpu.ds_store_b32.offset8 %t, %e
  amdgpu.ds_store_b32.offset8 %t, %g
  amdgpu.s_waitcnt.lgkmcnt0
  amdgpu.ds_store_b32.offset12 %t, %j
  amdgpu.t_ret`)
	LDSPair(c, f)
	var got []string
	for op := f.Entry().First(); op != nil; op = op.Next() {
		if amdgpu.IsMachine(op.Code) && amdgpu.RowOf(op.Code).Family == amdgpu.DS {
			r := amdgpu.RowOf(op.Code)
			if r.TwoAddresses() {
				got = append(got, fmt.Sprint(r.Name, " ", amdgpu.FOffset0.Get(op.Props), " ", amdgpu.FOffset1.Get(op.Props)))
			} else {
				got = append(got, fmt.Sprint(r.Name, " ", amdgpu.FOffset.Get(op.Props)))
			}
		}
	}
	require.Equal(t, lines(`
  ds_load_2addr_b32 0 64
  ds_load_2addr_stride64_b32 4 2
  ds_load_b32 6
  ds_load_2addr_b64 1 255
  ds_store_2addr_stride64_b32 0 4
  ds_load_b32 12
  ds_store_b32 4
  ds_load_b32 16
  ds_store_b32 8
  ds_store_b32 8
  ds_store_b32 12`), strings.Join(got, "\n")+"\n")
}
