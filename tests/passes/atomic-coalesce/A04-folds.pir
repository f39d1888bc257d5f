// RUN: pisac --passes=atomic-coalesce{aggregate=0} --emit=ir %s -o - | FileCheck %s
// A store before, and a load beside, an operation.

module version 1.0 target 100

// A04.st.rlx;add->st
// CHECK-LABEL: kernel @A04(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.iadd.32b [[V]], [[W]] : 32b
// CHECK-NEXT: pisa.st.global.relaxed.system.32b {{\[}}[[Y]]], [[S]]
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[V]]
// CHECK-NEXT: builtin.return
kernel @A04(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  pisa.st.global.relaxed.system.32b [%y], %v
  %q = pisa.iatom.global.system.add.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %q
  builtin.return
}

// A04b.add;ld.rlx->fwd
// CHECK-LABEL: kernel @A04b(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.sub.32b {{\[}}[[Y]]], [[V]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.isub.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A04b(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.iatom.global.system.sub.32b [%y], %v : 32b
  %q = pisa.ld.global.relaxed.system.32b [%y] : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A04c.ld.rlx;add->add
// CHECK-LABEL: kernel @A04c(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.add.32b {{\[}}[[Y]]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[R]]
// CHECK-NEXT: builtin.return
kernel @A04c(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.ld.global.relaxed.system.32b [%y] : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// only relaxed loads
// CHECK-LABEL: kernel @A04c_acquire(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.ld.global.acquire.gpu.32b {{\[}}[[Y]]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.iatom.global.system.add.32b {{\[}}[[Y]]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A04c_acquire(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.ld.global.acquire.gpu.32b [%y] : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// only relaxed stores
// CHECK-LABEL: kernel @A04_release(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: pisa.st.global.release.gpu.32b {{\[}}[[Y]]], [[V]]
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.add.32b {{\[}}[[Y]]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: builtin.return
kernel @A04_release(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  pisa.st.global.release.gpu.32b [%y], %v
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  builtin.return
}
