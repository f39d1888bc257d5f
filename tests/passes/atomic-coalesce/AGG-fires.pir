// RUN: pisac --passes=atomic-coalesce --fp-atomics=fast --remarks --emit=ir %s -o - 2>&1 | FileCheck %s
// RUN: pisac --passes=atomic-coalesce{scan=0} --fp-atomics=fast --remarks --emit=ir %s -o - 2>&1 | FileCheck %s --check-prefix=NOSCAN
// AGG: lanes of a sub-group do one operation together.

module version 1.0 target 100

// An operand that is the same for all is counted, nothing is exchanged.
// CHECK-LABEL: kernel @uniform(
// CHECK: [[P:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[M:%[0-9]+]] = pisa.sreg.activemask : 32b
// CHECK-NEXT: [[L:%[0-9]+]] = pisa.sreg.laneid : 32b
// CHECK-NEXT: [[F:%[0-9]+]] = pisa.redfirstidx.32b [[M]] : 32b
// CHECK-NEXT: [[N:%[0-9]+]] = pisa.cbit.32b [[M]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.umul.32b [[V]], [[N]] : 32b
// CHECK-NEXT: [[C:%[0-9]+]] = pisa.ucmp.eq.32b [[L]], [[F]] : pred
// CHECK-NEXT: builtin.cond_br [[C]], ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: pisa.iatom.global.system.add.32b {{\[}}[[P]]], [[S]] : 32b
// CHECK-NEXT: builtin.br ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: builtin.return
kernel @uniform(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.iatom.global.system.add.32b [%p], %v : 32b
  builtin.return
}

// inc is add by the number of lanes.
// CHECK-LABEL: kernel @inc(
// CHECK: [[N:%[0-9]+]] = pisa.cbit.32b
// CHECK: pisa.iatom.global.system.add.32b [{{%[0-9]+}}],
kernel @inc(param %a size 8 align 8 space global) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %r = pisa.iatom.global.system.inc.32b [%p] : 32b
  builtin.return
}

// Operands that differ are reduced.
// CHECK-LABEL: kernel @differs(
// CHECK: [[L:%[0-9]+]] = pisa.sreg.laneid : 32b
// CHECK: [[S:%[0-9]+]] = pisa.ired.umax.32b [[L]], [[L]], {{%[0-9]+}} : 32b
// CHECK: pisa.iatom.global.system.umax.32b [{{%[0-9]+}}], [[S]] : 32b
kernel @differs(param %a size 8 align 8 space global) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %l = pisa.sreg.laneid : 32b
  %r = pisa.iatom.global.system.umax.32b [%p], %l : 32b
  builtin.return
}

// Results by a scan; the highest lane sees all.
// CHECK-LABEL: kernel @used(
// CHECK-COUNT-10: pisa.shfl.idx.32b
// CHECK: pisa.fbh.32b
// CHECK-NOT: pisa.redfirstidx
// CHECK-NOT: pisa.ired
// CHECK: pisa.iatom
// CHECK: ^bb2
// CHECK: pisa.shfl.idx.32b
// NOSCAN: iatom.relaxed{{.*}} not aggregated: lanes would have to scan those before them (scan=0) (in @used)
kernel @used(param %a size 8 align 8 space global) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %l = pisa.sreg.laneid : 32b
  %r = pisa.iatom.global.system.add.32b [%p], %l : 32b
  pisa.st.private.32b [%l], %r
  builtin.return
}

// 16 bits have a reduction.
// CHECK-LABEL: kernel @narrow(
// CHECK: pisa.ired.sum.16b
// CHECK: pisa.iatom.global.system.add.16b
kernel @narrow(param %a size 8 align 8 space global) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %l = pisa.sreg.laneid : 32b
  %n = pisa.trunc.16b.32b %l : 16b
  %r = pisa.iatom.global.system.add.16b [%p], %n : 16b
  builtin.return
}

// Sums of 64 bits are three of 27 bits, so that no carry is lost.
// CHECK-LABEL: kernel @wide(
// CHECK-COUNT-3: pisa.ired.sum.32b
// CHECK-NOT: pisa.ired
// CHECK: pisa.iatom.global.system.sub.64b
kernel @wide(param %a size 8 align 8 space global) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %l = pisa.sreg.laneid : 32b
  %w = pisa.zext.64b.32b %l : 64b
  %r = pisa.iatom.global.system.sub.64b [%p], %w : 64b
  builtin.return
}

// The least signed number has the least high half, of those the least low half.
// CHECK-LABEL: kernel @wide_min(
// CHECK: pisa.ired.smin.32b
// CHECK: pisa.ired.umin.32b
// CHECK-NOT: pisa.ired
// CHECK: pisa.iatom.global.system.smin.64b
kernel @wide_min(param %a size 8 align 8 space global) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %l = pisa.sreg.laneid : 32b
  %w = pisa.zext.64b.32b %l : 64b
  %r = pisa.iatom.global.system.smin.64b [%p], %w : 64b
  builtin.return
}

// CHECK-LABEL: kernel @float_min(
// CHECK: pisa.fred.min.f
// CHECK: pisa.fatom.global.system.min.f
kernel @float_min(param %a size 8 align 8 space global) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %l = pisa.sreg.laneid : 32b
  %r = pisa.fatom.global.system.min.f [%p], %l : 32b
  builtin.return
}

// There is no fred.sum: a scan.
// CHECK-LABEL: kernel @float_sum(
// CHECK-COUNT-5: pisa.fadd.f
// CHECK: pisa.fatom.global.system.sub.f
// NOSCAN: fatom.relaxed{{.*}} not aggregated: lanes would have to scan those before them (scan=0) (in @float_sum)
kernel @float_sum(param %a size 8 align 8 space global) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %l = pisa.sreg.laneid : 32b
  %r = pisa.fatom.global.system.sub.f [%p], %l : 32b
  builtin.return
}

// CHECK-LABEL: kernel @float_uniform(
// CHECK: [[N:%[0-9]+]] = pisa.cbit.32b
// CHECK-NEXT: [[F:%[0-9]+]] = pisa.i2f.f.u32 [[N]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.fmul.f {{%[0-9]+}}, [[F]] : 32b
// CHECK: pisa.fatom.global.system.add.f [{{%[0-9]+}}], [[S]] : 32b
kernel @float_uniform(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.fatom.global.system.add.f [%p], %v : 32b
  builtin.return
}

// Sums that lanes see come in an order.
// NOSCAN: fatom.relaxed{{.*}} not aggregated: each lane's result is a sum of floats in the order of the lanes (in @float_used)
// CHECK-LABEL: kernel @float_used(
// CHECK-NOT: fadd
// CHECK: builtin.return
kernel @float_used(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.fatom.global.system.add.f [%p], %v : 32b
  pisa.st.private.32b [%v], %r
  builtin.return
}
