// RUN: pisac -O0 --emit=ir -o - %s | FileCheck %s
// RUN: pisac -O0 --emit=ir -o %t.pir %s
// RUN: pisac -O0 --emit=ir -o - %t.pir | cmp - %t.pir
// Memory, synchronisation and cross-lane ops, each in several forms.
module version 1.0

// CHECK-LABEL: function @fred(
function @fred(v2.16b, v2.16b, 32b, 32b, 32b, 16b, 16b) {
^bb0(%0: v2.16b, %1: v2.16b, %2: 32b, %3: 32b, %4: 32b, %5: 16b, %6: 16b):
  // CHECK:      %7 = pisa.fred.absmax.bfx2 %0, %1, %2 : v2.16b{{$}}
  %7 = pisa.fred.absmax.bfx2 %0, %1, %2 : v2.16b
  // CHECK-NEXT: %8 = pisa.fred.absmax.hfx2 %0, %1, %2 : v2.16b{{$}}
  %8 = pisa.fred.absmax.hfx2 %0, %1, %2 : v2.16b
  // CHECK-NEXT: %9 = pisa.fred.max.f %2, %3, %4 : 32b{{$}}
  %9 = pisa.fred.max.f %2, %3, %4 : 32b
  // CHECK-NEXT: %10 = pisa.fred.max.nanp.bf %5, %6, %2 : 16b{{$}}
  %10 = pisa.fred.max.nanp.bf %5, %6, %2 : 16b
  // CHECK-NEXT: %11 = pisa.fred.min.bf %5, %6, %2 : 16b{{$}}
  %11 = pisa.fred.min.bf %5, %6, %2 : 16b
  // CHECK-NEXT: %12 = pisa.fred.min.hf %5, %6, %2 : 16b{{$}}
  %12 = pisa.fred.min.hf %5, %6, %2 : 16b
  builtin.return
}

// CHECK-LABEL: function @ired(
function @ired(16b, 16b, 32b, 32b, 32b) {
^bb0(%0: 16b, %1: 16b, %2: 32b, %3: 32b, %4: 32b):
  // CHECK:      %5 = pisa.ired.absmax.16b %0, %1, %2 : 16b{{$}}
  %5 = pisa.ired.absmax.16b %0, %1, %2 : 16b
  // CHECK-NEXT: %6 = pisa.ired.and.16b %0, %1, %2 : 16b{{$}}
  %6 = pisa.ired.and.16b %0, %1, %2 : 16b
  // CHECK-NEXT: %7 = pisa.ired.or.32b %2, %3, %4 : 32b{{$}}
  %7 = pisa.ired.or.32b %2, %3, %4 : 32b
  // CHECK-NEXT: %8 = pisa.ired.smax.32b %2, %3, %4 : 32b{{$}}
  %8 = pisa.ired.smax.32b %2, %3, %4 : 32b
  // CHECK-NEXT: %9 = pisa.ired.sum.16b %0, %1, %2 : 16b{{$}}
  %9 = pisa.ired.sum.16b %0, %1, %2 : 16b
  // CHECK-NEXT: %10 = pisa.ired.umax.16b %0, %1, %2 : 16b{{$}}
  %10 = pisa.ired.umax.16b %0, %1, %2 : 16b
  builtin.return
}

// CHECK-LABEL: function @redfirstidx(
function @redfirstidx(32b) {
^bb0(%0: 32b):
  // CHECK:      %1 = pisa.redfirstidx.32b %0 : 32b{{$}}
  %1 = pisa.redfirstidx.32b %0 : 32b
  builtin.return
}

// CHECK-LABEL: function @shfl(
function @shfl(32b, 32b, 32b, 32b) {
^bb0(%0: 32b, %1: 32b, %2: 32b, %3: 32b):
  // CHECK:      %4 = pisa.shfl.dn.32b %0, %1, %2, %3 : 32b{{$}}
  %4 = pisa.shfl.dn.32b %0, %1, %2, %3 : 32b
  // CHECK-NEXT: %5 = pisa.shfl.dn.sg.32b %0, %1, %2, %3 : 32b{{$}}
  %5 = pisa.shfl.dn.sg.32b %0, %1, %2, %3 : 32b
  // CHECK-NEXT: %6 = pisa.shfl.idx.32b %0, %1, %2, %3 : 32b{{$}}
  %6 = pisa.shfl.idx.32b %0, %1, %2, %3 : 32b
  // CHECK-NEXT: %7 = pisa.shfl.up.32b %0, %1, %2, %3 : 32b{{$}}
  %7 = pisa.shfl.up.32b %0, %1, %2, %3 : 32b
  // CHECK-NEXT: %8 = pisa.shfl.up.sg.32b %0, %1, %2, %3 : 32b{{$}}
  %8 = pisa.shfl.up.sg.32b %0, %1, %2, %3 : 32b
  // CHECK-NEXT: %9 = pisa.shfl.xor.32b %0, %1, %2, %3 : 32b{{$}}
  %9 = pisa.shfl.xor.32b %0, %1, %2, %3 : 32b
  // CHECK-NEXT: %10 = pisa.shfl.xor.sg.32b %0, %1, %2, %3 : 32b{{$}}
  %10 = pisa.shfl.xor.sg.32b %0, %1, %2, %3 : 32b
  builtin.return
}

// CHECK-LABEL: function @fatom(
function @fatom(64b, 32b, 16b, 32b) {
^bb0(%0: 64b, %1: 32b, %2: 16b, %3: 32b):
  // CHECK:      %4 = pisa.fatom.global.system.add.f [%0], %1 : 32b{{$}}
  %4 = pisa.fatom.global.system.add.f [%0], %1 : 32b
  // CHECK-NEXT: %5 = pisa.fatom.generic.system.sub.f [%0], %1 : 32b{{$}}
  %5 = pisa.fatom.generic.system.sub.f [%0], %1 : 32b
  // CHECK-NEXT: %6 = pisa.fatom.generic.system.max.f [%0], %1 : 32b{{$}}
  %6 = pisa.fatom.generic.system.max.f [%0], %1 : 32b
  // CHECK-NEXT: %7 = pisa.fatom.global.acq_rel.system.L2wb.add.f [%0], %1 : 32b{{$}}
  %7 = pisa.fatom.global.acq_rel.system.L2wb.add.f [%0], %1 : 32b
  // CHECK-NEXT: %8 = pisa.fatom.global.system.min.bf [%0], %2 : 16b{{$}}
  %8 = pisa.fatom.global.system.min.bf [%0], %2 : 16b
  // CHECK-NEXT: %9 = pisa.fatom.shared.system.min.f [%1], %3 : 32b{{$}}
  %9 = pisa.fatom.shared.system.min.f [%1], %3 : 32b
  builtin.return
}

// CHECK-LABEL: function @iatom(
function @iatom(64b, 32b, 16b, 128b, 128b) {
^bb0(%0: 64b, %1: 32b, %2: 16b, %3: 128b, %4: 128b):
  // CHECK:      %5 = pisa.iatom.global.system.add.32b [%0], %1 : 32b{{$}}
  %5 = pisa.iatom.global.system.add.32b [%0], %1 : 32b
  // CHECK-NEXT: %6 = pisa.iatom.generic.system.dec.32b [%0] : 32b{{$}}
  %6 = pisa.iatom.generic.system.dec.32b [%0] : 32b
  // CHECK-NEXT: %7 = pisa.iatom.generic.system.umin.16b [%0], %2 : 16b{{$}}
  %7 = pisa.iatom.generic.system.umin.16b [%0], %2 : 16b
  // CHECK-NEXT: %8 = pisa.iatom.global.system.incwrap.32b [%0], %1 : 32b{{$}}
  %8 = pisa.iatom.global.system.incwrap.32b [%0], %1 : 32b
  // CHECK-NEXT: %9 = pisa.iatom.shared.system.cas.128b [%1], %3, %4 : 128b{{$}}
  %9 = pisa.iatom.shared.system.cas.128b [%1], %3, %4 : 128b
  // CHECK-NEXT: %10 = pisa.iatom.shared.system.xchg.128b [%1], %3 : 128b{{$}}
  %10 = pisa.iatom.shared.system.xchg.128b [%1], %3 : 128b
  builtin.return
}

// CHECK-LABEL: function @ld(
function @ld(64b, 64b, 32b, 32b) {
^bb0(%0: 64b, %1: 64b, %2: 32b, %3: 32b):
  // CHECK:      %4 = pisa.ld.global.32b [%0] : 32b{{$}}
  %4 = pisa.ld.global.32b [%0] : 32b
  // CHECK-NEXT: %5 = pisa.ld.const.32b [%0] : 32b{{$}}
  %5 = pisa.ld.const.32b [%0] : 32b
  // CHECK-NEXT: %6 = pisa.ld.const.8b [%0 + %1] : 8b{{$}}
  %6 = pisa.ld.const.8b [%0 + %1] : 8b
  // CHECK-NEXT: %7 = pisa.ld.global.seq_cst.gpu.64b [%0] : 64b{{$}}
  %7 = pisa.ld.global.seq_cst.gpu.64b [%0] : 64b
  // CHECK-NEXT: %8 = pisa.ld.32b [%0 + %1] : 32b{{$}}
  %8 = pisa.ld.32b [%0 + %1] : 32b
  // CHECK-NEXT: %9 = pisa.ld.private.v4.64b [%2 + %3] : v4.64b{{$}}
  %9 = pisa.ld.private.v4.64b [%2 + %3] : v4.64b
  // CHECK-NEXT: %10 = pisa.ld.global.v4.32b [%0 + %1] : v4.32b{{$}}
  %10 = pisa.ld.global.v4.32b [%0 + %1] : v4.32b
  builtin.return
}

// CHECK-LABEL: function @st(
function @st(64b, 32b, 128b, 64b, v2.64b, 32b, v3.32b, v4.32b) {
^bb0(%0: 64b, %1: 32b, %2: 128b, %3: 64b, %4: v2.64b, %5: 32b, %6: v3.32b, %7: v4.32b):
  // CHECK:      pisa.st.global.32b [%0], %1{{$}}
  pisa.st.global.32b [%0], %1
  // CHECK-NEXT: pisa.st.global.relaxed.system.128b [%0], %2{{$}}
  pisa.st.global.relaxed.system.128b [%0], %2
  // CHECK-NEXT: pisa.st.global.relaxed.system.64b [%0], %3{{$}}
  pisa.st.global.relaxed.system.64b [%0], %3
  // CHECK-NEXT: pisa.st.v2.64b [%0 + %3], %4{{$}}
  pisa.st.v2.64b [%0 + %3], %4
  // CHECK-NEXT: pisa.st.private.v3.32b [%1 + %5], %6{{$}}
  pisa.st.private.v3.32b [%1 + %5], %6
  // CHECK-NEXT: pisa.st.global.L1wt.L2uc.L3uc.32b [%0 + %3], %1{{$}}
  pisa.st.global.L1wt.L2uc.L3uc.32b [%0 + %3], %1
  // CHECK-NEXT: pisa.st.global.v4.32b [%0 + %3], %7{{$}}
  pisa.st.global.v4.32b [%0 + %3], %7
  builtin.return
}

// CHECK-LABEL: function @barrier_workgroup(
function @barrier_workgroup() {
^bb0:
  // CHECK:      pisa.barrier.workgroup{{$}}
  pisa.barrier.workgroup
  builtin.return
}

// CHECK-LABEL: function @fence(
function @fence() {
^bb0:
  // CHECK:      pisa.fence.workgroup{{$}}
  pisa.fence.workgroup
  // CHECK-NEXT: pisa.fence.shared.workgroup{{$}}
  pisa.fence.shared.workgroup
  // CHECK-NEXT: pisa.fence.acquire.gpu{{$}}
  pisa.fence.acquire.gpu
  // CHECK-NEXT: pisa.fence.global.system{{$}}
  pisa.fence.global.system
  // CHECK-NEXT: pisa.fence.subgroup{{$}}
  pisa.fence.subgroup
  // CHECK-NEXT: pisa.fence.shared.seq_cst.workgroup{{$}}
  pisa.fence.shared.seq_cst.workgroup
  // CHECK-NEXT: pisa.fence.shared.acquire.workgroup{{$}}
  pisa.fence.shared.acquire.workgroup
  builtin.return
}

// CHECK-LABEL: function @sreg(
function @sreg() {
^bb0:
  // CHECK:      %0 = pisa.sreg.groupid.x : 32b{{$}}
  %0 = pisa.sreg.groupid.x : 32b
  // CHECK-NEXT: %1 = pisa.sreg.localid.x : 32b{{$}}
  %1 = pisa.sreg.localid.x : 32b
  // CHECK-NEXT: %2 = pisa.sreg.subgroupsize : 32b{{$}}
  %2 = pisa.sreg.subgroupsize : 32b
  // CHECK-NEXT: %3 = pisa.sreg.groupcount.y : 32b{{$}}
  %3 = pisa.sreg.groupcount.y : 32b
  // CHECK-NEXT: %4 = pisa.sreg.enqueuedlocalsize.y : 32b{{$}}
  %4 = pisa.sreg.enqueuedlocalsize.y : 32b
  // CHECK-NEXT: %5 = pisa.sreg.localid.z : 32b{{$}}
  %5 = pisa.sreg.localid.z : 32b
  // CHECK-NEXT: %6 = pisa.sreg.printfbuffer : 64b{{$}}
  %6 = pisa.sreg.printfbuffer : 64b
  builtin.return
}
