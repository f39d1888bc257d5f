// RUN: pisac --passes=atomic-coalesce{aggregate=0} --emit=ir %s -o - | FileCheck %s
// Operations that combine with their like.

module version 1.0 target 100

// A01: x - v - w
// CHECK-LABEL: kernel @A01_sub_sub(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.iadd.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.sub.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.isub.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_sub_sub(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.sub.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.sub.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A01: x - v + w
// CHECK-LABEL: kernel @A01_sub_add(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.isub.32b [[W]], [[V]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.add.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.isub.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_sub_add(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.sub.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A01: x + v - w
// CHECK-LABEL: kernel @A01_add_sub(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.isub.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.add.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.iadd.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A01_add_sub(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.sub.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A03, A03b
// CHECK-LABEL: kernel @A03_and(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.and.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.and.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.and.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A03_and(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.and.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.and.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A03, A03b
// CHECK-LABEL: kernel @A03_or(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.or.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.or.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.or.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A03_or(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.or.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.or.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A03, A03b
// CHECK-LABEL: kernel @A03_xor(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.xor.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.xor.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.xor.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A03_xor(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.xor.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.xor.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A03, A03b
// CHECK-LABEL: kernel @A03_smin(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.smin.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.smin.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.smin.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A03_smin(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.smin.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.smin.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A03, A03b
// CHECK-LABEL: kernel @A03_smax(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.smax.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.smax.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.smax.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A03_smax(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.smax.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.smax.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A03, A03b
// CHECK-LABEL: kernel @A03_umin(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.umin.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.umin.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.umin.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A03_umin(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.umin.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.umin.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A03, A03b
// CHECK-LABEL: kernel @A03_umax(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[S:%[0-9]+]] = pisa.umax.32b [[V]], [[W]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.umax.32b {{\[}}[[Y]]], [[S]] : 32b
// CHECK-NEXT: [[Q:%[0-9]+]] = pisa.umax.32b [[R]], [[V]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[Q]]
// CHECK-NEXT: builtin.return
kernel @A03_umax(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.umax.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.umax.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}

// A03c: the last wins, the second result is the first operand
// CHECK-LABEL: kernel @A03c_xchg(
// CHECK: ^bb0:
// CHECK-NEXT: [[Y:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// CHECK-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// CHECK-NEXT: [[W:%[0-9]+]] = pisa.not.32b [[V]] : 32b
// CHECK-NEXT: [[R:%[0-9]+]] = pisa.iatom.global.system.xchg.32b {{\[}}[[Y]]], [[W]] : 32b
// CHECK-NEXT: [[Z:%[0-9]+]] = builtin.const 0x40 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z]]], [[R]]
// CHECK-NEXT: [[Z2:%[0-9]+]] = builtin.const 0x44 : 64b
// CHECK-NEXT: pisa.st.global.32b {{\[}}[[Y]] + [[Z2]]], [[V]]
// CHECK-NEXT: builtin.return
kernel @A03c_xchg(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.not.32b %v : 32b
  %r = pisa.iatom.global.system.xchg.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.xchg.32b [%y], %w : 32b
  %z = builtin.const 0x40 : 64b
  pisa.st.global.32b [%y + %z], %r
  %z2 = builtin.const 0x44 : 64b
  pisa.st.global.32b [%y + %z2], %q
  builtin.return
}
