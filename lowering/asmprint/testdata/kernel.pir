module version 1.0
var @table const size 16 align 4 = { bytes 0x01000000020000000300000004000000 }
var @counter global size 4 align 4 export
var @init global size 24 align 8 export section "my data" = { bytes 0x0102030405, zero 3, sym @table + 4, zero 8 }
var @"odd name" global size 2 align 1 = { bytes 0xffff }
var @elsewhere global size 4 align 4 import
kernel @k(param %p size 8 align 8 space global, param %n size 4 align 4, param %s size 4 align 4 space shared ptr_align 64, param %y size 8 align 8) {
  var @S shared size 100 align 4
  var @B shared size 4 align 256
  var @loc const size 8 align 8 = { sym @counter }
^bb0:
  %c1 = builtin.const 1 : 32b
  %c7 = builtin.const 0x12345678 : 32b
  %0 = amdgpu.p_livein.kernarg : s2@s0
  %1 = amdgpu.p_livein.workgroup_id_x : s1@s15
  %2 = amdgpu.p_livein.workitem_id : v1@v0
  %3 = amdgpu.s_load_b64 %0 : s2@s2
  %4, %5 = amdgpu.p_symaddr @"odd name" : s2@s4, scc@scc
  amdgpu.s_waitcnt.lgkmcnt0
  %6 = amdgpu.v_lshlrev_b32 %c1, %2 : v1@v1
  %7 = amdgpu.v_cmp_gt_u32 %c7, %6 : s1@vcc
  amdgpu.s_cbranch_vccz %7, ^bb2, ^bb1
^bb1:
  amdgpu.global_store_b32.saddr.offset16 %6, %3, %2
  amdgpu.s_branch ^bb2
^bb2:
  amdgpu.s_endpgm
}
