// RUN: pisac --passes=atomic-coalesce{aggregate=0} --emit=ir %s -o - | FileCheck %s
// Adjacent additions become one.

module version 1.0 target 100

// A01: orders and scopes join
// CHECK-LABEL: kernel @A01_rlx_rlx(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.iadd.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.add.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.iadd.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_rlx_rlx(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A01: orders and scopes join
// CHECK-LABEL: kernel @A01_acquire_acquire(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.iadd.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.acquire.gpu.add.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.iadd.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_acquire_acquire(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.acquire.gpu.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.acquire.gpu.add.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A01: orders and scopes join
// CHECK-LABEL: kernel @A01_release_release(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.iadd.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.release.gpu.add.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.iadd.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_release_release(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.release.gpu.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.release.gpu.add.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A01: orders and scopes join
// CHECK-LABEL: kernel @A01_acq_rel_acq_rel(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.iadd.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.acq_rel.gpu.add.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.iadd.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_acq_rel_acq_rel(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.acq_rel.gpu.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.acq_rel.gpu.add.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A01: orders and scopes join
// CHECK-LABEL: kernel @A01_rlx_acquire(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.iadd.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.acquire.system.add.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.iadd.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_rlx_acquire(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.acquire.gpu.add.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A01: orders and scopes join
// CHECK-LABEL: kernel @A01_acquire_rlx(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.iadd.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.acquire.system.add.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.iadd.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_acquire_rlx(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.acquire.gpu.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A01: orders and scopes join
// CHECK-LABEL: kernel @A01_rlx_release(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.iadd.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.release.system.add.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.iadd.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_rlx_release(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.release.gpu.add.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A01: orders and scopes join
// CHECK-LABEL: kernel @A01_release_rlx(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.iadd.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.release.system.add.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.iadd.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_release_rlx(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.release.gpu.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A01: orders and scopes join
// CHECK-LABEL: kernel @A01_acquire_release(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.iadd.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.acq_rel.gpu.add.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.iadd.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_acquire_release(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.acquire.gpu.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.release.gpu.add.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A01: orders and scopes join
// CHECK-LABEL: kernel @A01_release_acquire(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.iadd.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.acq_rel.gpu.add.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.iadd.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_release_acquire(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.release.gpu.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.acquire.workgroup.add.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}
