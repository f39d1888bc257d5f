// Final machine code becomes assembly: symbols that need quotes, sections,
// addresses in initialisers, shared variables by alignment, descriptor, metadata.
// RUN: pisac -O0 --start-after=hazards --emit=asm -o - %s | FileCheck %s

// CHECK: .amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
// CHECK: k:
// CHECK-NEXT: s_load_b64 s[2:3], s[0:1], null
// CHECK-NEXT: s_getpc_b64 s[4:5]
// CHECK-NEXT: s_add_u32 s4, s4, "odd name"@rel32@lo+4
// CHECK-NEXT: s_addc_u32 s5, s5, "odd name"@rel32@hi+12
// CHECK-NEXT: s_waitcnt lgkmcnt(0)
// CHECK-NEXT: v_lshlrev_b32 v1, 1, v0
// CHECK-NEXT: v_cmp_gt_u32 vcc_lo, 0x12345678, v1
// CHECK-NEXT: s_cbranch_vccz [[END:.LBB[0-9]+_[0-9]+]]
// CHECK-NEXT: .LBB
// CHECK-NEXT: global_store_b32 v1, v0, s[2:3] offset:16
// CHECK-NEXT: s_branch [[END]]
// CHECK-NEXT: [[END]]:
// CHECK-NEXT: s_endpgm
// CHECK: .amdhsa_group_segment_fixed_size 368
// CHECK: .amdhsa_kernarg_size 24
// CHECK: .amdhsa_user_sgpr_count 15
// CHECK: .amdhsa_next_free_vgpr 2
// CHECK: .amdhsa_next_free_sgpr 6
// CHECK: .amdhsa_reserve_vcc 1
// CHECK: counter:
// CHECK-NEXT: .zero	4
// CHECK: .section	"my data","aw",@progbits
// CHECK: init:
// CHECK-NEXT: .long	0x4030201
// CHECK-NEXT: .byte	0x5
// CHECK-NEXT: .zero	3
// CHECK-NEXT: .quad	table+4
// CHECK-NEXT: .zero	8
// CHECK-NOT: elsewhere
// CHECK: .section	.data.rel.ro,"aw",@progbits
// CHECK: .value_kind: dynamic_shared_pointer
// CHECK: .symbol: k.kd
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
