// RUN: pisac -O0 --emit=check --verify-diagnostics %s
// Every op with a qualifier that its row does not have, or without one that it needs.
module version 1.0

function @dp4a_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.dp4a needs the qualifier .signedness: one of .ss .su .us .uu}}
  %9 = pisa.dp4a.bogus
  builtin.return
}

function @iabs_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.iabs needs the qualifier .type: one of .16b .32b .64b}}
  %9 = pisa.iabs.bogus
  builtin.return
}

function @iadd_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.iadd needs the qualifier .type: one of .16b .32b .64b .8bx4 .16bx2}}
  %9 = pisa.iadd.bogus
  builtin.return
}

function @ineg_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.ineg needs the qualifier .type: one of .16b .32b .64b}}
  %9 = pisa.ineg.bogus
  builtin.return
}

function @isub_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.isub needs the qualifier .type: one of .16b .32b .64b .16bx2}}
  %9 = pisa.isub.bogus
  builtin.return
}

function @sdiv_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.sdiv needs the qualifier .type: one of .16b .32b .64b}}
  %9 = pisa.sdiv.bogus
  builtin.return
}

function @smad_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.smad needs the qualifier .type: one of .16b .32b .64b .16bx2}}
  %9 = pisa.smad.bogus
  builtin.return
}

function @smax_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.smax needs the qualifier .type: one of .16b .32b .64b .8bx4 .16bx2}}
  %9 = pisa.smax.bogus
  builtin.return
}

function @smin_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.smin needs the qualifier .type: one of .16b .32b .64b .8bx4 .16bx2}}
  %9 = pisa.smin.bogus
  builtin.return
}

function @smul_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.smul needs the qualifier .type: one of .16b .32b .64b .16bx2}}
  %9 = pisa.smul.bogus
  builtin.return
}

function @uaddc_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.uaddc needs the qualifier .type: one of .32b}}
  %9 = pisa.uaddc.bogus
  builtin.return
}

function @usubb_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.usubb needs the qualifier .type: one of .32b}}
  %9 = pisa.usubb.bogus
  builtin.return
}

function @udiv_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.udiv needs the qualifier .type: one of .16b .32b .64b}}
  %9 = pisa.udiv.bogus
  builtin.return
}

function @umad_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.umad needs the qualifier .type: one of .16b .32b .64b}}
  %9 = pisa.umad.bogus
  builtin.return
}

function @umax_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.umax needs the qualifier .type: one of .16b .32b .64b .16bx2}}
  %9 = pisa.umax.bogus
  builtin.return
}

function @umin_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.umin needs the qualifier .type: one of .16b .32b .64b .16bx2}}
  %9 = pisa.umin.bogus
  builtin.return
}

function @umul_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.umul needs the qualifier .type: one of .16b .32b .64b}}
  %9 = pisa.umul.bogus
  builtin.return
}

function @fabs_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fabs needs the qualifier .type: one of .hf .bf .f .df .hfx2 .bfx2}}
  %9 = pisa.fabs.bogus
  builtin.return
}

function @fadd_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fadd needs the qualifier .type: one of .hf .bf .f .df .hfx2 .bfx2}}
  %9 = pisa.fadd.bogus
  builtin.return
}

function @fcos_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fcos needs the qualifier .type: one of .hf .bf .f .hfx2 .bfx2}}
  %9 = pisa.fcos.bogus
  builtin.return
}

function @fdiv_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fdiv needs the qualifier .type: one of .hf .bf .f .df}}
  %9 = pisa.fdiv.bogus
  builtin.return
}

function @fexp2_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fexp2 needs the qualifier .type: one of .hf .bf .f .hfx2 .bfx2}}
  %9 = pisa.fexp2.bogus
  builtin.return
}

function @flog2_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.flog2 needs the qualifier .type: one of .hf .bf .f .hfx2 .bfx2}}
  %9 = pisa.flog2.bogus
  builtin.return
}

function @fmad_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fmad needs the qualifier .type: one of .hf .bf .f .df .hfx2 .bfx2}}
  %9 = pisa.fmad.bogus
  builtin.return
}

function @fmax_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fmax needs the qualifier .type: one of .hf .bf .f .df .hfx2 .bfx2}}
  %9 = pisa.fmax.bogus
  builtin.return
}

function @fmin_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fmin needs the qualifier .type: one of .hf .bf .f .df .hfx2 .bfx2}}
  %9 = pisa.fmin.bogus
  builtin.return
}

function @fmul_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fmul needs the qualifier .type: one of .hf .bf .f .df .hfx2 .bfx2}}
  %9 = pisa.fmul.bogus
  builtin.return
}

function @fneg_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fneg needs the qualifier .type: one of .hf .bf .f .df .hfx2 .bfx2}}
  %9 = pisa.fneg.bogus
  builtin.return
}

function @frc_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.frc needs the qualifier .type: one of .f}}
  %9 = pisa.frc.bogus
  builtin.return
}

function @frcp_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.frcp needs the qualifier .type: one of .hf .bf .f .hfx2 .bfx2}}
  %9 = pisa.frcp.bogus
  builtin.return
}

function @frsqrt_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.frsqrt needs the qualifier .fast: one of .fast}}
  %9 = pisa.frsqrt.bogus
  builtin.return
}

function @fsin_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fsin needs the qualifier .type: one of .hf .bf .f .hfx2 .bfx2}}
  %9 = pisa.fsin.bogus
  builtin.return
}

function @fsqrt_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fsqrt needs the qualifier .type: one of .hf .bf .f .df .hfx2 .bfx2}}
  %9 = pisa.fsqrt.bogus
  builtin.return
}

function @fsub_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fsub needs the qualifier .type: one of .hf .bf .f .df .hfx2 .bfx2}}
  %9 = pisa.fsub.bogus
  builtin.return
}

function @ftanh_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.ftanh needs the qualifier .type: one of .hf .bf .f .hfx2 .bfx2}}
  %9 = pisa.ftanh.bogus
  builtin.return
}

function @and_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.and needs the qualifier .type: one of .16b .32b .64b}}
  %9 = pisa.and.bogus
  builtin.return
}

function @asr_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.asr needs the qualifier .type: one of .16b .32b .64b .16bx2}}
  %9 = pisa.asr.bogus
  builtin.return
}

function @bfi_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.bfi needs the qualifier .type: one of .32b}}
  %9 = pisa.bfi.bogus
  builtin.return
}

function @bfn_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.bfn needs the qualifier .operation}}
  %9 = pisa.bfn.bogus
  builtin.return
}

function @bfrev_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.bfrev needs the qualifier .type: one of .32b}}
  %9 = pisa.bfrev.bogus
  builtin.return
}

function @cbit_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.cbit needs the qualifier .type: one of .16b .32b}}
  %9 = pisa.cbit.bogus
  builtin.return
}

function @fbh_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fbh needs the qualifier .type: one of .16b .32b}}
  %9 = pisa.fbh.bogus
  builtin.return
}

function @fbl_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fbl needs the qualifier .type: one of .16b .32b}}
  %9 = pisa.fbl.bogus
  builtin.return
}

function @not_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.not needs the qualifier .type: one of .16b .32b .64b}}
  %9 = pisa.not.bogus
  builtin.return
}

function @or_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.or needs the qualifier .type: one of .16b .32b .64b}}
  %9 = pisa.or.bogus
  builtin.return
}

function @sbfe_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.sbfe needs the qualifier .type: one of .32b}}
  %9 = pisa.sbfe.bogus
  builtin.return
}

function @shr_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.shr needs the qualifier .type: one of .16b .32b .64b .16bx2}}
  %9 = pisa.shr.bogus
  builtin.return
}

function @shl_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.shl needs the qualifier .type: one of .16b .32b .64b .16bx2}}
  %9 = pisa.shl.bogus
  builtin.return
}

function @shf_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.shf needs the qualifier .dir: one of .l .r}}
  %9 = pisa.shf.bogus
  builtin.return
}

function @ubfe_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.ubfe needs the qualifier .type: one of .32b}}
  %9 = pisa.ubfe.bogus
  builtin.return
}

function @xor_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.xor needs the qualifier .type: one of .16b .32b .64b}}
  %9 = pisa.xor.bogus
  builtin.return
}

function @addrcast_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.addrcast needs the qualifier .to: one of .generic .global .shared .private}}
  %9 = pisa.addrcast.bogus
  builtin.return
}

function @extract_dynamic_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.extract.dynamic needs the qualifier .vec: one of .v2 .v3 .v4 .v5 .v6 .v7 .v8 .v16 .v32 .v64}}
  %9 = pisa.extract.dynamic.bogus
  builtin.return
}

function @extract_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.extract needs the qualifier .index}}
  %9 = pisa.extract.bogus
  builtin.return
}

function @f2i_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.f2i needs the qualifier .to: one of .u8 .s8 .u16 .s16 .u32 .s32 .u64 .s64}}
  %9 = pisa.f2i.bogus
  builtin.return
}

function @fext_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fext needs the qualifier .to: one of .f .df}}
  %9 = pisa.fext.bogus
  builtin.return
}

function @frnd_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.frnd needs the qualifier .rndmode: one of .re .rd .ru .rz .rna}}
  %9 = pisa.frnd.bogus
  builtin.return
}

function @ftrunc_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.ftrunc needs the qualifier .to: one of .hf .bf .f}}
  %9 = pisa.ftrunc.bogus
  builtin.return
}

function @ftrunc2_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.ftrunc2 needs the qualifier .to: one of .hfx2 .bfx2}}
  %9 = pisa.ftrunc2.bogus
  builtin.return
}

function @i2f_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.i2f needs the qualifier .to: one of .hf .bf .f .df}}
  %9 = pisa.i2f.bogus
  builtin.return
}

function @insert_dynamic_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.insert.dynamic needs the qualifier .vec: one of .v2 .v3 .v4 .v5 .v6 .v7 .v8 .v16 .v32 .v64}}
  %9 = pisa.insert.dynamic.bogus
  builtin.return
}

function @insert_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.insert needs the qualifier .index}}
  %9 = pisa.insert.bogus
  builtin.return
}

function @isaddr_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.isaddr needs the qualifier .addrspace: one of .global .shared .private}}
  %9 = pisa.isaddr.bogus
  builtin.return
}

function @pf2i_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.pf2i needs the qualifier .to: one of .u16x2 .s16x2}}
  %9 = pisa.pf2i.bogus
  builtin.return
}

function @sext_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.sext needs the qualifier .to: one of .16b .32b .64b}}
  %9 = pisa.sext.bogus
  builtin.return
}

function @trunc_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.trunc needs the qualifier .to: one of .8b .16b .32b}}
  %9 = pisa.trunc.bogus
  builtin.return
}

function @zext_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.zext needs the qualifier .to: one of .16b .32b .64b}}
  %9 = pisa.zext.bogus
  builtin.return
}

function @bitcast_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.bitcast does not have the qualifier .bogus here}}
  %9 = pisa.bitcast.bogus
  builtin.return
}

function @scmp_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.scmp needs the qualifier .cop: one of .eq .ne .gt .ge .lt .le}}
  %9 = pisa.scmp.bogus
  builtin.return
}

function @ucmp_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.ucmp needs the qualifier .cop: one of .eq .ne .gt .ge .lt .le}}
  %9 = pisa.ucmp.bogus
  builtin.return
}

function @fcmp_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fcmp needs the qualifier .cop: one of .eq .ne .gt .ge .lt .le}}
  %9 = pisa.fcmp.bogus
  builtin.return
}

function @sel_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.sel needs the qualifier .type: one of .16b .32b .64b .hf .bf .f .df}}
  %9 = pisa.sel.bogus
  builtin.return
}

function @fred_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fred needs the qualifier .op: one of .absmax .min .max}}
  %9 = pisa.fred.bogus
  builtin.return
}

function @ired_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.ired needs the qualifier .op: one of .sum .smin .smax .umin .umax .and .or .xor .absmax}}
  %9 = pisa.ired.bogus
  builtin.return
}

function @redfirstidx_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.redfirstidx needs the qualifier .type: one of .32b}}
  %9 = pisa.redfirstidx.bogus
  builtin.return
}

function @shfl_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.shfl needs the qualifier .op: one of .up .dn .xor .idx}}
  %9 = pisa.shfl.bogus
  builtin.return
}

function @fatom_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fatom needs the qualifier .addrspace: one of .generic .global .shared}}
  %9 = pisa.fatom.bogus
  builtin.return
}

function @iatom_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.iatom needs the qualifier .addrspace: one of .generic .global .shared}}
  %9 = pisa.iatom.bogus
  builtin.return
}

function @ld_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.ld needs the qualifier .type: one of .8b .16b .32b .64b .128b}}
  %9 = pisa.ld.bogus
  builtin.return
}

function @st_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.st needs the qualifier .type: one of .8b .16b .32b .64b .128b}}
  pisa.st.bogus
  builtin.return
}

function @barrier_workgroup_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.barrier.workgroup does not have the qualifier .bogus here}}
  pisa.barrier.workgroup.bogus
  builtin.return
}

function @fence_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.fence does not have the qualifier .bogus here}}
  pisa.fence.bogus
  builtin.return
}

function @sreg_qualifier() {
^bb0:
  // expected-error@+1 {{pisa.sreg needs the qualifier .register: one of .activemask .enqueuedlocalsize .globaloffset .globalsize .groupcount .groupid .laneid .localid .localsize .printfbuffer .subgroupsize .workdim}}
  %9 = pisa.sreg.bogus
  builtin.return
}

kernel @symbols(param %n size 4 align 4) {
  var @S shared size 64 align 16
^bb0:
  // expected-error@+1 {{undefined symbol @none}}
  %0 = pisa.addrof.32b @none : 32b
  // expected-error@+1 {{undefined parameter %m}}
  %1 = pisa.ld.param.32b %m : 32b
  // expected-error@+1 {{pisa.addrof needs the qualifier .type: one of .32b .64b}}
  %2 = pisa.addrof @S : 32b
  // expected-error@+1 {{pisa.ld.param needs the qualifier .type: one of .8b .16b .32b .64b}}
  %3 = pisa.ld.param %n : 32b
  builtin.return
}
