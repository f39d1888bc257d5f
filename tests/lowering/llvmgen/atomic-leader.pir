// RUN: pisac -O0 --emit=llvm --mcpu=gfx942 -o - %s | FileCheck %s
// RUN: pisac -O1 --emit=asm --mcpu=gfx942 -o - %s | FileCheck %s --check-prefix=ASM
// RUN: pisac -O1 --emit=asm --mcpu=gfx1100 -o - %s | FileCheck %s --check-prefix=ASM
// An operation that one lane does for its sub-group has an address that LLVM
// takes for divergent: its atomic optimiser would aggregate again, with a loop
// over the lanes where the operand differs for it.
module version 1.0

// CHECK-LABEL: @leader(
// CHECK: %[[P:[0-9]+]] = call ptr addrspace(1) asm "", "=v,0"(ptr addrspace(1) %{{[0-9]+}})
// CHECK-NEXT: atomicrmw add ptr addrspace(1) %[[P]],
// ASM-LABEL: leader:
// ASM-NOT: v_readlane
// ASM: global_atomic_add
// ASM-NOT: v_readlane
// ASM: s_endpgm
kernel @leader(param %p size 8 align 8 space global ptr_align 4) {
^bb0:
  %0 = pisa.ld.param.64b %p : 64b
  %1 = pisa.sreg.activemask : 32b
  %2 = pisa.redfirstidx.32b %1 : 32b
  %3 = pisa.sreg.laneid : 32b
  %4 = pisa.cbit.32b %1 : 32b
  %5 = pisa.ucmp.eq.32b %3, %2 : pred
  builtin.cond_br %5, ^bb1, ^bb2
^bb1:
  %6 = pisa.iatom.global.relaxed.system.add.32b [%0], %4 : 32b
  builtin.br ^bb2
^bb2:
  builtin.return
}

// The highest lane, which has scanned the others.
// CHECK-LABEL: @last(
// CHECK: asm "", "=v,0"
// CHECK-NEXT: atomicrmw add
kernel @last(param %p size 8 align 8 space global ptr_align 4) {
^bb0:
  %0 = pisa.ld.param.64b %p : 64b
  %1 = pisa.sreg.activemask : 32b
  %2 = pisa.fbh.32b %1 : 32b
  %3 = builtin.const 0x1f : 32b
  %4 = pisa.isub.32b %3, %2 : 32b
  %5 = pisa.sreg.laneid : 32b
  %6 = pisa.ucmp.eq.32b %5, %4 : pred
  builtin.cond_br %6, ^bb1, ^bb2
^bb1:
  %7 = pisa.iatom.global.relaxed.system.add.32b [%0], %4 : 32b
  builtin.br ^bb2
^bb2:
  builtin.return
}

// The others, when the leader does not, are many.
// CHECK-LABEL: @others(
// CHECK-NOT: asm
// CHECK: atomicrmw add
kernel @others(param %p size 8 align 8 space global ptr_align 4) {
^bb0:
  %0 = pisa.ld.param.64b %p : 64b
  %1 = pisa.sreg.activemask : 32b
  %2 = pisa.redfirstidx.32b %1 : 32b
  %3 = pisa.sreg.laneid : 32b
  %5 = pisa.ucmp.eq.32b %3, %2 : pred
  builtin.cond_br %5, ^bb2, ^bb1
^bb1:
  %6 = pisa.iatom.global.relaxed.system.add.32b [%0], %2 : 32b
  builtin.br ^bb2
^bb2:
  builtin.return
}
