	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.protected	k
	.globl	k
	.p2align	8
	.type	k,@function
k:
	s_load_b64 s[2:3], s[0:1], null
	s_getpc_b64 s[4:5]
	s_add_u32 s4, s4, "odd name"@rel32@lo+4
	s_addc_u32 s5, s5, "odd name"@rel32@hi+12
	s_waitcnt lgkmcnt(0)
	v_lshlrev_b32 v1, 1, v0
	v_cmp_gt_u32 vcc_lo, 0x12345678, v1
	s_cbranch_vccz .LBB6_1
.LBB6_2:
	global_store_b32 v1, v0, s[2:3] offset:16
	s_branch .LBB6_1
.LBB6_1:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 368
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 280
		.amdhsa_user_sgpr_count 15
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 2
		.amdhsa_next_free_sgpr 6
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 0
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.p2alignl 7, 3214868480
	.fill 96, 4, 3214868480
	.type	table,@object
	.section	.rodata,"a",@progbits
	.p2align	4, 0x0
table:
	.long	0x1, 0x2, 0x3, 0x4
	.size	table, 16
	.type	counter,@object
	.section	.bss,"aw",@nobits
	.protected	counter
	.globl	counter
	.p2align	4, 0x0
counter:
	.zero	4
	.size	counter, 4
	.type	init,@object
	.section	"my data","aw",@progbits
	.protected	init
	.globl	init
	.p2align	4, 0x0
init:
	.long	0x4030201
	.byte	0x5
	.zero	3
	.quad	table+4
	.zero	8
	.size	init, 24
	.type	"odd name",@object
	.section	.data,"aw",@progbits
	.p2align	4, 0x0
"odd name":
	.byte	0xff
	.byte	0xff
	.size	"odd name", 2
	.type	k.loc,@object
	.section	.data.rel.ro,"aw",@progbits
	.p2align	4, 0x0
k.loc:
	.quad	counter
	.size	k.loc, 8
	.section	".note.GNU-stack","",@progbits
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args: 
      - .address_space: global
        .name: !str "p"
        .offset: 0
        .size: 8
        .value_kind: global_buffer
      - .name: !str "n"
        .offset: 8
        .size: 4
        .value_kind: by_value
      - .address_space: local
        .name: !str "s"
        .offset: 12
        .pointee_align: 64
        .size: 4
        .value_kind: dynamic_shared_pointer
      - .name: !str "y"
        .offset: 16
        .size: 8
        .value_kind: by_value
      - .offset: 24
        .size: 4
        .value_kind: hidden_block_count_x
      - .offset: 38
        .size: 2
        .value_kind: hidden_group_size_y
      - .offset: 96
        .size: 8
        .value_kind: hidden_printf_buffer
    .group_segment_fixed_size: 368
    .kernarg_segment_align: 8
    .kernarg_segment_size: 280
    .max_flat_workgroup_size: 1024
    .name: !str "k"
    .private_segment_fixed_size: 0
    .sgpr_count: 8
    .sgpr_spill_count: 0
    .symbol: k.kd
    .uses_dynamic_stack: false
    .vgpr_count: 2
    .vgpr_spill_count: 0
    .wavefront_size: 32
    .workgroup_processor_mode: 1
amdhsa.target:   amdgcn-amd-amdhsa--gfx1100
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
