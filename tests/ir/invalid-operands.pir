// RUN: pisac -O0 --emit=check --verify-diagnostics %s
// Every op with operands, each operand in turn of a type that the row does not allow (I9).
module version 1.0

function @dp4a_0(pred, 32b, 32b) {
^bb0(%0: pred, %1: 32b, %2: 32b):
  // expected-error@+1 {{I9: pisa.dp4a: src0 is pred, must be 32b}}
  %3 = pisa.dp4a.ss.32b %0, %1, %2 : 32b
  builtin.return
}

function @dp4a_1(32b, pred, 32b) {
^bb0(%0: 32b, %1: pred, %2: 32b):
  // expected-error@+1 {{I9: pisa.dp4a: src1 is pred, must be 32b}}
  %3 = pisa.dp4a.ss.32b %0, %1, %2 : 32b
  builtin.return
}

function @dp4a_2(32b, 32b, pred) {
^bb0(%0: 32b, %1: 32b, %2: pred):
  // expected-error@+1 {{I9: pisa.dp4a: src2 is pred, must be 32b}}
  %3 = pisa.dp4a.ss.32b %0, %1, %2 : 32b
  builtin.return
}

function @iabs_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.iabs: src0 is pred, must be 64b}}
  %1 = pisa.iabs.64b %0 : 64b
  builtin.return
}

function @iadd_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.iadd: src0 is pred, must be 32b}}
  %2 = pisa.iadd.32b %0, %1 : 32b
  builtin.return
}

function @iadd_1(32b, pred) {
^bb0(%0: 32b, %1: pred):
  // expected-error@+1 {{I9: pisa.iadd: src1 is pred, must be 32b}}
  %2 = pisa.iadd.32b %0, %1 : 32b
  builtin.return
}

function @ineg_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.ineg: src0 is pred, must be 16b}}
  %1 = pisa.ineg.16b %0 : 16b
  builtin.return
}

function @isub_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.isub: src0 is pred, must be 32b}}
  %2 = pisa.isub.32b %0, %1 : 32b
  builtin.return
}

function @isub_1(32b, pred) {
^bb0(%0: 32b, %1: pred):
  // expected-error@+1 {{I9: pisa.isub: src1 is pred, must be 32b}}
  %2 = pisa.isub.32b %0, %1 : 32b
  builtin.return
}

function @sdiv_0(pred, 16b) {
^bb0(%0: pred, %1: 16b):
  // expected-error@+1 {{I9: pisa.sdiv: src0 is pred, must be 16b}}
  %2 = pisa.sdiv.16b %0, %1 : 16b
  builtin.return
}

function @sdiv_1(16b, pred) {
^bb0(%0: 16b, %1: pred):
  // expected-error@+1 {{I9: pisa.sdiv: src1 is pred, must be 16b}}
  %2 = pisa.sdiv.16b %0, %1 : 16b
  builtin.return
}

function @smad_0(pred, 32b, 32b) {
^bb0(%0: pred, %1: 32b, %2: 32b):
  // expected-error@+1 {{I9: pisa.smad: src0 is pred, must be 32b}}
  %3 = pisa.smad.32b %0, %1, %2 : 32b
  builtin.return
}

function @smad_1(32b, pred, 32b) {
^bb0(%0: 32b, %1: pred, %2: 32b):
  // expected-error@+1 {{I9: pisa.smad: src1 is pred, must be 32b}}
  %3 = pisa.smad.32b %0, %1, %2 : 32b
  builtin.return
}

function @smad_2(32b, 32b, pred) {
^bb0(%0: 32b, %1: 32b, %2: pred):
  // expected-error@+1 {{I9: pisa.smad: src2 is pred, must be 32b}}
  %3 = pisa.smad.32b %0, %1, %2 : 32b
  builtin.return
}

function @smax_0(pred, 16b) {
^bb0(%0: pred, %1: 16b):
  // expected-error@+1 {{I9: pisa.smax: src0 is pred, must be 16b}}
  %2 = pisa.smax.16b %0, %1 : 16b
  builtin.return
}

function @smax_1(16b, pred) {
^bb0(%0: 16b, %1: pred):
  // expected-error@+1 {{I9: pisa.smax: src1 is pred, must be 16b}}
  %2 = pisa.smax.16b %0, %1 : 16b
  builtin.return
}

function @smin_0(pred, v2.16b) {
^bb0(%0: pred, %1: v2.16b):
  // expected-error@+1 {{I9: pisa.smin: src0 is pred, must be v2.16b}}
  %2 = pisa.smin.16bx2 %0, %1 : v2.16b
  builtin.return
}

function @smin_1(v2.16b, pred) {
^bb0(%0: v2.16b, %1: pred):
  // expected-error@+1 {{I9: pisa.smin: src1 is pred, must be v2.16b}}
  %2 = pisa.smin.16bx2 %0, %1 : v2.16b
  builtin.return
}

function @smul_0(pred, v2.16b) {
^bb0(%0: pred, %1: v2.16b):
  // expected-error@+1 {{I9: pisa.smul: src0 is pred, must be v2.16b}}
  %2 = pisa.smul.16bx2 %0, %1 : v2.16b
  builtin.return
}

function @smul_1(v2.16b, pred) {
^bb0(%0: v2.16b, %1: pred):
  // expected-error@+1 {{I9: pisa.smul: src1 is pred, must be v2.16b}}
  %2 = pisa.smul.16bx2 %0, %1 : v2.16b
  builtin.return
}

function @uaddc_0(pred, 32b, pred) {
^bb0(%0: pred, %1: 32b, %2: pred):
  // expected-error@+1 {{I9: pisa.uaddc: src0 is pred, must be 32b}}
  %3, %4 = pisa.uaddc.ci.co.32b %0, %1, %2 : 32b, pred
  builtin.return
}

function @uaddc_1(32b, pred, pred) {
^bb0(%0: 32b, %1: pred, %2: pred):
  // expected-error@+1 {{I9: pisa.uaddc: src1 is pred, must be 32b}}
  %3, %4 = pisa.uaddc.ci.co.32b %0, %1, %2 : 32b, pred
  builtin.return
}

function @uaddc_2(32b, 32b, 32b) {
^bb0(%0: 32b, %1: 32b, %2: 32b):
  // expected-error@+1 {{I9: pisa.uaddc: carry-in is 32b, must be pred}}
  %3, %4 = pisa.uaddc.ci.co.32b %0, %1, %2 : 32b, pred
  builtin.return
}

function @usubb_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.usubb: src0 is pred, must be 32b}}
  %2, %3 = pisa.usubb.co.32b %0, %1 : 32b, pred
  builtin.return
}

function @usubb_1(32b, pred) {
^bb0(%0: 32b, %1: pred):
  // expected-error@+1 {{I9: pisa.usubb: src1 is pred, must be 32b}}
  %2, %3 = pisa.usubb.co.32b %0, %1 : 32b, pred
  builtin.return
}

function @udiv_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.udiv: src0 is pred, must be 32b}}
  %2 = pisa.udiv.rem.32b %0, %1 : 32b
  builtin.return
}

function @udiv_1(32b, pred) {
^bb0(%0: 32b, %1: pred):
  // expected-error@+1 {{I9: pisa.udiv: src1 is pred, must be 32b}}
  %2 = pisa.udiv.rem.32b %0, %1 : 32b
  builtin.return
}

function @umad_0(pred, 32b, 32b) {
^bb0(%0: pred, %1: 32b, %2: 32b):
  // expected-error@+1 {{I9: pisa.umad: src0 is pred, must be 32b}}
  %3 = pisa.umad.32b %0, %1, %2 : 32b
  builtin.return
}

function @umad_1(32b, pred, 32b) {
^bb0(%0: 32b, %1: pred, %2: 32b):
  // expected-error@+1 {{I9: pisa.umad: src1 is pred, must be 32b}}
  %3 = pisa.umad.32b %0, %1, %2 : 32b
  builtin.return
}

function @umad_2(32b, 32b, pred) {
^bb0(%0: 32b, %1: 32b, %2: pred):
  // expected-error@+1 {{I9: pisa.umad: src2 is pred, must be 32b}}
  %3 = pisa.umad.32b %0, %1, %2 : 32b
  builtin.return
}

function @umax_0(pred, v2.16b) {
^bb0(%0: pred, %1: v2.16b):
  // expected-error@+1 {{I9: pisa.umax: src0 is pred, must be v2.16b}}
  %2 = pisa.umax.16bx2 %0, %1 : v2.16b
  builtin.return
}

function @umax_1(v2.16b, pred) {
^bb0(%0: v2.16b, %1: pred):
  // expected-error@+1 {{I9: pisa.umax: src1 is pred, must be v2.16b}}
  %2 = pisa.umax.16bx2 %0, %1 : v2.16b
  builtin.return
}

function @umin_0(pred, v2.16b) {
^bb0(%0: pred, %1: v2.16b):
  // expected-error@+1 {{I9: pisa.umin: src0 is pred, must be v2.16b}}
  %2 = pisa.umin.16bx2 %0, %1 : v2.16b
  builtin.return
}

function @umin_1(v2.16b, pred) {
^bb0(%0: v2.16b, %1: pred):
  // expected-error@+1 {{I9: pisa.umin: src1 is pred, must be v2.16b}}
  %2 = pisa.umin.16bx2 %0, %1 : v2.16b
  builtin.return
}

function @umul_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.umul: src0 is pred, must be 32b}}
  %2 = pisa.umul.32b %0, %1 : 32b
  builtin.return
}

function @umul_1(32b, pred) {
^bb0(%0: 32b, %1: pred):
  // expected-error@+1 {{I9: pisa.umul: src1 is pred, must be 32b}}
  %2 = pisa.umul.32b %0, %1 : 32b
  builtin.return
}

function @fabs_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.fabs: src0 is pred, must be 32b}}
  %1 = pisa.fabs.f %0 : 32b
  builtin.return
}

function @fadd_0(pred, 64b) {
^bb0(%0: pred, %1: 64b):
  // expected-error@+1 {{I9: pisa.fadd: src0 is pred, must be 64b}}
  %2 = pisa.fadd.df %0, %1 : 64b
  builtin.return
}

function @fadd_1(64b, pred) {
^bb0(%0: 64b, %1: pred):
  // expected-error@+1 {{I9: pisa.fadd: src1 is pred, must be 64b}}
  %2 = pisa.fadd.df %0, %1 : 64b
  builtin.return
}

function @fcos_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.fcos: src0 is pred, must be 16b}}
  %1 = pisa.fcos.bf %0 : 16b
  builtin.return
}

function @fdiv_0(pred, 64b) {
^bb0(%0: pred, %1: 64b):
  // expected-error@+1 {{I9: pisa.fdiv: src0 is pred, must be 64b}}
  %2 = pisa.fdiv.fast.df %0, %1 : 64b
  builtin.return
}

function @fdiv_1(64b, pred) {
^bb0(%0: 64b, %1: pred):
  // expected-error@+1 {{I9: pisa.fdiv: src1 is pred, must be 64b}}
  %2 = pisa.fdiv.fast.df %0, %1 : 64b
  builtin.return
}

function @fexp2_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.fexp2: src0 is pred, must be 32b}}
  %1 = pisa.fexp2.f %0 : 32b
  builtin.return
}

function @flog2_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.flog2: src0 is pred, must be 16b}}
  %1 = pisa.flog2.bf %0 : 16b
  builtin.return
}

function @fmad_0(pred, 16b, 16b) {
^bb0(%0: pred, %1: 16b, %2: 16b):
  // expected-error@+1 {{I9: pisa.fmad: src0 is pred, must be 16b}}
  %3 = pisa.fmad.bf %0, %1, %2 : 16b
  builtin.return
}

function @fmad_1(16b, pred, 16b) {
^bb0(%0: 16b, %1: pred, %2: 16b):
  // expected-error@+1 {{I9: pisa.fmad: src1 is pred, must be 16b}}
  %3 = pisa.fmad.bf %0, %1, %2 : 16b
  builtin.return
}

function @fmad_2(16b, 16b, pred) {
^bb0(%0: 16b, %1: 16b, %2: pred):
  // expected-error@+1 {{I9: pisa.fmad: src2 is pred, must be 16b}}
  %3 = pisa.fmad.bf %0, %1, %2 : 16b
  builtin.return
}

function @fmax_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.fmax: src0 is pred, must be 32b}}
  %2 = pisa.fmax.f %0, %1 : 32b
  builtin.return
}

function @fmax_1(32b, pred) {
^bb0(%0: 32b, %1: pred):
  // expected-error@+1 {{I9: pisa.fmax: src1 is pred, must be 32b}}
  %2 = pisa.fmax.f %0, %1 : 32b
  builtin.return
}

function @fmin_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.fmin: src0 is pred, must be 32b}}
  %2 = pisa.fmin.f %0, %1 : 32b
  builtin.return
}

function @fmin_1(32b, pred) {
^bb0(%0: 32b, %1: pred):
  // expected-error@+1 {{I9: pisa.fmin: src1 is pred, must be 32b}}
  %2 = pisa.fmin.f %0, %1 : 32b
  builtin.return
}

function @fmul_0(pred, 16b) {
^bb0(%0: pred, %1: 16b):
  // expected-error@+1 {{I9: pisa.fmul: src0 is pred, must be 16b}}
  %2 = pisa.fmul.full.rna.hf %0, %1 : 32b
  builtin.return
}

function @fmul_1(16b, pred) {
^bb0(%0: 16b, %1: pred):
  // expected-error@+1 {{I9: pisa.fmul: src1 is pred, must be 16b}}
  %2 = pisa.fmul.full.rna.hf %0, %1 : 32b
  builtin.return
}

function @fneg_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.fneg: src0 is pred, must be v2.16b}}
  %1 = pisa.fneg.bfx2 %0 : v2.16b
  builtin.return
}

function @frc_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.frc: src0 is pred, must be 32b}}
  %1 = pisa.frc.f %0 : 32b
  builtin.return
}

function @frcp_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.frcp: src0 is pred, must be 16b}}
  %1 = pisa.frcp.bf %0 : 16b
  builtin.return
}

function @frsqrt_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.frsqrt: src0 is pred, must be v2.16b}}
  %1 = pisa.frsqrt.fast.bfx2 %0 : v2.16b
  builtin.return
}

function @fsin_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.fsin: src0 is pred, must be 16b}}
  %1 = pisa.fsin.bf %0 : 16b
  builtin.return
}

function @fsqrt_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.fsqrt: src0 is pred, must be v2.16b}}
  %1 = pisa.fsqrt.fast.bfx2 %0 : v2.16b
  builtin.return
}

function @fsub_0(pred, v2.16b) {
^bb0(%0: pred, %1: v2.16b):
  // expected-error@+1 {{I9: pisa.fsub: src0 is pred, must be v2.16b}}
  %2 = pisa.fsub.ftz.bfx2 %0, %1 : v2.16b
  builtin.return
}

function @fsub_1(v2.16b, pred) {
^bb0(%0: v2.16b, %1: pred):
  // expected-error@+1 {{I9: pisa.fsub: src1 is pred, must be v2.16b}}
  %2 = pisa.fsub.ftz.bfx2 %0, %1 : v2.16b
  builtin.return
}

function @ftanh_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.ftanh: src0 is pred, must be 16b}}
  %1 = pisa.ftanh.bf %0 : 16b
  builtin.return
}

function @and_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.and: src0 is pred, must be 32b}}
  %2 = pisa.and.32b %0, %1 : 32b
  builtin.return
}

function @and_1(32b, pred) {
^bb0(%0: 32b, %1: pred):
  // expected-error@+1 {{I9: pisa.and: src1 is pred, must be 32b}}
  %2 = pisa.and.32b %0, %1 : 32b
  builtin.return
}

function @asr_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.asr: src0 is pred, must be 16b}}
  %2 = pisa.asr.16b %0, %1 : 16b
  builtin.return
}

function @asr_1(16b, pred) {
^bb0(%0: 16b, %1: pred):
  // expected-error@+1 {{I9: pisa.asr: src1 is pred, must be 32b}}
  %2 = pisa.asr.16b %0, %1 : 16b
  builtin.return
}

function @bfi_0(pred, 32b, 32b, 32b) {
^bb0(%0: pred, %1: 32b, %2: 32b, %3: 32b):
  // expected-error@+1 {{I9: pisa.bfi: src0 is pred, must be 32b}}
  %4 = pisa.bfi.32b %0, %1, %2, %3 : 32b
  builtin.return
}

function @bfi_1(32b, pred, 32b, 32b) {
^bb0(%0: 32b, %1: pred, %2: 32b, %3: 32b):
  // expected-error@+1 {{I9: pisa.bfi: src1 is pred, must be 32b}}
  %4 = pisa.bfi.32b %0, %1, %2, %3 : 32b
  builtin.return
}

function @bfi_2(32b, 32b, pred, 32b) {
^bb0(%0: 32b, %1: 32b, %2: pred, %3: 32b):
  // expected-error@+1 {{I9: pisa.bfi: src2 is pred, must be 32b}}
  %4 = pisa.bfi.32b %0, %1, %2, %3 : 32b
  builtin.return
}

function @bfi_3(32b, 32b, 32b, pred) {
^bb0(%0: 32b, %1: 32b, %2: 32b, %3: pred):
  // expected-error@+1 {{I9: pisa.bfi: src3 is pred, must be 32b}}
  %4 = pisa.bfi.32b %0, %1, %2, %3 : 32b
  builtin.return
}

function @bfn_0(pred, 32b, 32b) {
^bb0(%0: pred, %1: 32b, %2: 32b):
  // expected-error@+1 {{I9: pisa.bfn: src0 is pred, must be 32b}}
  %3 = pisa.bfn.0x40.32b %0, %1, %2 : 32b
  builtin.return
}

function @bfn_1(32b, pred, 32b) {
^bb0(%0: 32b, %1: pred, %2: 32b):
  // expected-error@+1 {{I9: pisa.bfn: src1 is pred, must be 32b}}
  %3 = pisa.bfn.0x40.32b %0, %1, %2 : 32b
  builtin.return
}

function @bfn_2(32b, 32b, pred) {
^bb0(%0: 32b, %1: 32b, %2: pred):
  // expected-error@+1 {{I9: pisa.bfn: src2 is pred, must be 32b}}
  %3 = pisa.bfn.0x40.32b %0, %1, %2 : 32b
  builtin.return
}

function @bfrev_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.bfrev: src0 is pred, must be 32b}}
  %1 = pisa.bfrev.32b %0 : 32b
  builtin.return
}

function @cbit_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.cbit: src0 is pred, must be 16b}}
  %1 = pisa.cbit.16b %0 : 16b
  builtin.return
}

function @fbh_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.fbh: src0 is pred, must be 32b}}
  %1 = pisa.fbh.32b %0 : 32b
  builtin.return
}

function @fbl_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.fbl: src0 is pred, must be 32b}}
  %1 = pisa.fbl.32b %0 : 32b
  builtin.return
}

function @not_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.not: src0 is pred, must be 32b}}
  %1 = pisa.not.32b %0 : 32b
  builtin.return
}

function @or_0(pred, 64b) {
^bb0(%0: pred, %1: 64b):
  // expected-error@+1 {{I9: pisa.or: src0 is pred, must be 64b}}
  %2 = pisa.or.64b %0, %1 : 64b
  builtin.return
}

function @or_1(64b, pred) {
^bb0(%0: 64b, %1: pred):
  // expected-error@+1 {{I9: pisa.or: src1 is pred, must be 64b}}
  %2 = pisa.or.64b %0, %1 : 64b
  builtin.return
}

function @sbfe_0(pred, 32b, 32b) {
^bb0(%0: pred, %1: 32b, %2: 32b):
  // expected-error@+1 {{I9: pisa.sbfe: src0 is pred, must be 32b}}
  %3 = pisa.sbfe.32b %0, %1, %2 : 32b
  builtin.return
}

function @sbfe_1(32b, pred, 32b) {
^bb0(%0: 32b, %1: pred, %2: 32b):
  // expected-error@+1 {{I9: pisa.sbfe: src1 is pred, must be 32b}}
  %3 = pisa.sbfe.32b %0, %1, %2 : 32b
  builtin.return
}

function @sbfe_2(32b, 32b, pred) {
^bb0(%0: 32b, %1: 32b, %2: pred):
  // expected-error@+1 {{I9: pisa.sbfe: src2 is pred, must be 32b}}
  %3 = pisa.sbfe.32b %0, %1, %2 : 32b
  builtin.return
}

function @shr_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.shr: src0 is pred, must be 32b}}
  %2 = pisa.shr.32b %0, %1 : 32b
  builtin.return
}

function @shr_1(32b, pred) {
^bb0(%0: 32b, %1: pred):
  // expected-error@+1 {{I9: pisa.shr: src1 is pred, must be 32b}}
  %2 = pisa.shr.32b %0, %1 : 32b
  builtin.return
}

function @shl_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.shl: src0 is pred, must be 64b}}
  %2 = pisa.shl.64b %0, %1 : 64b
  builtin.return
}

function @shl_1(64b, pred) {
^bb0(%0: 64b, %1: pred):
  // expected-error@+1 {{I9: pisa.shl: src1 is pred, must be 32b}}
  %2 = pisa.shl.64b %0, %1 : 64b
  builtin.return
}

function @shf_0(pred, 32b, 32b) {
^bb0(%0: pred, %1: 32b, %2: 32b):
  // expected-error@+1 {{I9: pisa.shf: src0 is pred, must be 32b}}
  %3 = pisa.shf.l.32b %0, %1, %2 : 32b
  builtin.return
}

function @shf_1(32b, pred, 32b) {
^bb0(%0: 32b, %1: pred, %2: 32b):
  // expected-error@+1 {{I9: pisa.shf: src1 is pred, must be 32b}}
  %3 = pisa.shf.l.32b %0, %1, %2 : 32b
  builtin.return
}

function @shf_2(32b, 32b, pred) {
^bb0(%0: 32b, %1: 32b, %2: pred):
  // expected-error@+1 {{I9: pisa.shf: src2 is pred, must be 32b}}
  %3 = pisa.shf.l.32b %0, %1, %2 : 32b
  builtin.return
}

function @ubfe_0(pred, 32b, 32b) {
^bb0(%0: pred, %1: 32b, %2: 32b):
  // expected-error@+1 {{I9: pisa.ubfe: src0 is pred, must be 32b}}
  %3 = pisa.ubfe.32b %0, %1, %2 : 32b
  builtin.return
}

function @ubfe_1(32b, pred, 32b) {
^bb0(%0: 32b, %1: pred, %2: 32b):
  // expected-error@+1 {{I9: pisa.ubfe: src1 is pred, must be 32b}}
  %3 = pisa.ubfe.32b %0, %1, %2 : 32b
  builtin.return
}

function @ubfe_2(32b, 32b, pred) {
^bb0(%0: 32b, %1: 32b, %2: pred):
  // expected-error@+1 {{I9: pisa.ubfe: src2 is pred, must be 32b}}
  %3 = pisa.ubfe.32b %0, %1, %2 : 32b
  builtin.return
}

function @xor_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.xor: src0 is pred, must be 32b}}
  %2 = pisa.xor.32b %0, %1 : 32b
  builtin.return
}

function @xor_1(32b, pred) {
^bb0(%0: 32b, %1: pred):
  // expected-error@+1 {{I9: pisa.xor: src1 is pred, must be 32b}}
  %2 = pisa.xor.32b %0, %1 : 32b
  builtin.return
}

function @addrcast_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.addrcast: src0 is pred, must be 32b}}
  %1 = pisa.addrcast.generic.shared %0 : 64b
  builtin.return
}

function @extract_dynamic_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.extract.dynamic: src0 is pred, must be v32.32b}}
  %2 = pisa.extract.dynamic.v32.32b %0, %1 : 32b
  builtin.return
}

function @extract_dynamic_1(v32.32b, pred) {
^bb0(%0: v32.32b, %1: pred):
  // expected-error@+1 {{I9: pisa.extract.dynamic: index is pred, must be 32b}}
  %2 = pisa.extract.dynamic.v32.32b %0, %1 : 32b
  builtin.return
}

function @extract_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.extract: src0 cannot be pred}}
  %1 = pisa.extract.0.32b %0 : 32b
  builtin.return
}

function @f2i_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.f2i: src0 is pred, must be 64b}}
  %1 = pisa.f2i.s16.df %0 : 16b
  builtin.return
}

function @fext_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.fext: src0 is pred, must be 32b}}
  %1 = pisa.fext.df.f %0 : 64b
  builtin.return
}

function @frnd_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.frnd: src0 is pred, must be 64b}}
  %1 = pisa.frnd.rd.df %0 : 64b
  builtin.return
}

function @ftrunc_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.ftrunc: src0 is pred, must be 64b}}
  %1 = pisa.ftrunc.bf.df %0 : 16b
  builtin.return
}

function @ftrunc2_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.ftrunc2: src0 is pred, must be 32b}}
  %2 = pisa.ftrunc2.bfx2.ftz %0, %1 : v2.16b
  builtin.return
}

function @ftrunc2_1(32b, pred) {
^bb0(%0: 32b, %1: pred):
  // expected-error@+1 {{I9: pisa.ftrunc2: src1 is pred, must be 32b}}
  %2 = pisa.ftrunc2.bfx2.ftz %0, %1 : v2.16b
  builtin.return
}

function @i2f_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.i2f: src0 is pred, must be 32b}}
  %1 = pisa.i2f.f.u32 %0 : 32b
  builtin.return
}

function @insert_dynamic_0(pred, 32b, 32b) {
^bb0(%0: pred, %1: 32b, %2: 32b):
  // expected-error@+1 {{I9: pisa.insert.dynamic: the old value and the result must be of one type}}
  %3 = pisa.insert.dynamic.v4.32b %0, %1, %2 : v4.32b
  builtin.return
}

function @insert_dynamic_1(v4.32b, pred, 32b) {
^bb0(%0: v4.32b, %1: pred, %2: 32b):
  // expected-error@+1 {{I9: pisa.insert.dynamic: src0 is pred, must be 32b}}
  %3 = pisa.insert.dynamic.v4.32b %0, %1, %2 : v4.32b
  builtin.return
}

function @insert_dynamic_2(v4.32b, 32b, pred) {
^bb0(%0: v4.32b, %1: 32b, %2: pred):
  // expected-error@+1 {{I9: pisa.insert.dynamic: index is pred, must be 32b}}
  %3 = pisa.insert.dynamic.v4.32b %0, %1, %2 : v4.32b
  builtin.return
}

function @insert_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.insert: the old value and the result must be of one type}}
  %2 = pisa.insert.0.32b %0, %1 : v2.32b
  builtin.return
}

function @insert_1(v2.32b, pred) {
^bb0(%0: v2.32b, %1: pred):
  // expected-error@+1 {{I9: pisa.insert: src0 is pred, must be 32b}}
  %2 = pisa.insert.0.32b %0, %1 : v2.32b
  builtin.return
}

function @isaddr_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.isaddr: src0 is pred, must be 64b}}
  %1 = pisa.isaddr.private %0 : 32b
  builtin.return
}

function @pf2i_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.pf2i: src0 is pred, must be v2.16b}}
  %1 = pisa.pf2i.s16x2.bfx2 %0 : v2.16b
  builtin.return
}

function @sext_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.sext: src0 is pred, must be 8b}}
  %1 = pisa.sext.32b.8b %0 : 32b
  builtin.return
}

function @trunc_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.trunc: src0 is pred, must be 32b}}
  %1 = pisa.trunc.16b.32b %0 : 16b
  builtin.return
}

function @zext_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.zext: src0 is pred, must be 32b}}
  %1 = pisa.zext.64b.32b %0 : 64b
  builtin.return
}

function @bitcast_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.bitcast: source and result must have equally many bits}}
  %1 = pisa.bitcast %0 : v4.32b
  builtin.return
}

function @scmp_0(pred, 64b) {
^bb0(%0: pred, %1: 64b):
  // expected-error@+1 {{I9: pisa.scmp: pred is 32b, must be pred}}
  %2 = pisa.scmp.eq.64b %0, %1 : 32b
  builtin.return
}

function @scmp_1(64b, pred) {
^bb0(%0: 64b, %1: pred):
  // expected-error@+1 {{I9: pisa.scmp: pred is 32b, must be pred}}
  %2 = pisa.scmp.eq.64b %0, %1 : 32b
  builtin.return
}

function @ucmp_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.ucmp: src0 is pred, must be 32b}}
  %2 = pisa.ucmp.eq.32b %0, %1 : pred
  builtin.return
}

function @ucmp_1(32b, pred) {
^bb0(%0: 32b, %1: pred):
  // expected-error@+1 {{I9: pisa.ucmp: src1 is pred, must be 32b}}
  %2 = pisa.ucmp.eq.32b %0, %1 : pred
  builtin.return
}

function @fcmp_0(pred, 64b) {
^bb0(%0: pred, %1: 64b):
  // expected-error@+1 {{I9: pisa.fcmp: src0 is pred, must be 64b}}
  %2 = pisa.fcmp.eq.df %0, %1 : pred
  builtin.return
}

function @fcmp_1(64b, pred) {
^bb0(%0: 64b, %1: pred):
  // expected-error@+1 {{I9: pisa.fcmp: src1 is pred, must be 64b}}
  %2 = pisa.fcmp.eq.df %0, %1 : pred
  builtin.return
}

function @sel_0(pred, 32b, pred) {
^bb0(%0: pred, %1: 32b, %2: pred):
  // expected-error@+1 {{I9: pisa.sel: src0 is pred, must be 32b}}
  %3 = pisa.sel.32b %0, %1, %2 : 32b
  builtin.return
}

function @sel_1(32b, pred, pred) {
^bb0(%0: 32b, %1: pred, %2: pred):
  // expected-error@+1 {{I9: pisa.sel: src1 is pred, must be 32b}}
  %3 = pisa.sel.32b %0, %1, %2 : 32b
  builtin.return
}

function @fred_0(pred, v2.16b, 32b) {
^bb0(%0: pred, %1: v2.16b, %2: 32b):
  // expected-error@+1 {{I9: pisa.fred: the old value and the result must be of one type}}
  %3 = pisa.fred.absmax.bfx2 %0, %1, %2 : v2.16b
  builtin.return
}

function @fred_1(v2.16b, pred, 32b) {
^bb0(%0: v2.16b, %1: pred, %2: 32b):
  // expected-error@+1 {{I9: pisa.fred: src0 is pred, must be v2.16b}}
  %3 = pisa.fred.absmax.bfx2 %0, %1, %2 : v2.16b
  builtin.return
}

function @fred_2(v2.16b, v2.16b, pred) {
^bb0(%0: v2.16b, %1: v2.16b, %2: pred):
  // expected-error@+1 {{I9: pisa.fred: src1 is pred, must be 32b}}
  %3 = pisa.fred.absmax.bfx2 %0, %1, %2 : v2.16b
  builtin.return
}

function @ired_0(pred, 16b, 32b) {
^bb0(%0: pred, %1: 16b, %2: 32b):
  // expected-error@+1 {{I9: pisa.ired: the old value and the result must be of one type}}
  %3 = pisa.ired.absmax.16b %0, %1, %2 : 16b
  builtin.return
}

function @ired_1(16b, pred, 32b) {
^bb0(%0: 16b, %1: pred, %2: 32b):
  // expected-error@+1 {{I9: pisa.ired: src0 is pred, must be 16b}}
  %3 = pisa.ired.absmax.16b %0, %1, %2 : 16b
  builtin.return
}

function @ired_2(16b, 16b, pred) {
^bb0(%0: 16b, %1: 16b, %2: pred):
  // expected-error@+1 {{I9: pisa.ired: src1 is pred, must be 32b}}
  %3 = pisa.ired.absmax.16b %0, %1, %2 : 16b
  builtin.return
}

function @redfirstidx_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.redfirstidx: src0 is pred, must be 32b}}
  %1 = pisa.redfirstidx.32b %0 : 32b
  builtin.return
}

function @shfl_0(pred, 32b, 32b, 32b) {
^bb0(%0: pred, %1: 32b, %2: 32b, %3: 32b):
  // expected-error@+1 {{I9: pisa.shfl: the old value and the result must be of one type}}
  %4 = pisa.shfl.dn.32b %0, %1, %2, %3 : 32b
  builtin.return
}

function @shfl_1(32b, pred, 32b, 32b) {
^bb0(%0: 32b, %1: pred, %2: 32b, %3: 32b):
  // expected-error@+1 {{I9: pisa.shfl: src0 is pred, must be 32b}}
  %4 = pisa.shfl.dn.32b %0, %1, %2, %3 : 32b
  builtin.return
}

function @shfl_2(32b, 32b, pred, 32b) {
^bb0(%0: 32b, %1: 32b, %2: pred, %3: 32b):
  // expected-error@+1 {{I9: pisa.shfl: src1 is pred, must be 32b}}
  %4 = pisa.shfl.dn.32b %0, %1, %2, %3 : 32b
  builtin.return
}

function @shfl_3(32b, 32b, 32b, pred) {
^bb0(%0: 32b, %1: 32b, %2: 32b, %3: pred):
  // expected-error@+1 {{I9: pisa.shfl: src2 is pred, must be 32b}}
  %4 = pisa.shfl.dn.32b %0, %1, %2, %3 : 32b
  builtin.return
}

function @fatom_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.fatom: addr is pred, must be 64b}}
  %2 = pisa.fatom.global.system.add.f [%0], %1 : 32b
  builtin.return
}

function @fatom_1(64b, pred) {
^bb0(%0: 64b, %1: pred):
  // expected-error@+1 {{I9: pisa.fatom: src0 is pred, must be 32b}}
  %2 = pisa.fatom.global.system.add.f [%0], %1 : 32b
  builtin.return
}

function @iatom_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.iatom: addr is pred, must be 64b}}
  %2 = pisa.iatom.global.system.add.32b [%0], %1 : 32b
  builtin.return
}

function @iatom_1(64b, pred) {
^bb0(%0: 64b, %1: pred):
  // expected-error@+1 {{I9: pisa.iatom: src0 is pred, must be 32b}}
  %2 = pisa.iatom.global.system.add.32b [%0], %1 : 32b
  builtin.return
}

function @ld_0(pred) {
^bb0(%0: pred):
  // expected-error@+1 {{I9: pisa.ld: addr is pred, must be 64b}}
  %1 = pisa.ld.global.32b [%0] : 32b
  builtin.return
}

function @st_0(pred, 32b) {
^bb0(%0: pred, %1: 32b):
  // expected-error@+1 {{I9: pisa.st: addr is pred, must be 64b}}
  pisa.st.global.32b [%0], %1
  builtin.return
}

function @st_1(64b, pred) {
^bb0(%0: 64b, %1: pred):
  // expected-error@+1 {{I9: pisa.st: src0 is pred, must be 32b}}
  pisa.st.global.32b [%0], %1
  builtin.return
}
