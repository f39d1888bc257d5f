// RUN: pisac --passes=atomic-coalesce{aggregate=0} --fp-atomics=fast --emit=ir %s -o - | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: pisac --passes=atomic-coalesce{aggregate=0} --emit=ir %s -o - | FileCheck %s --check-prefixes=CHECK,STRICT
// Floats merge like integers, but only where the order of additions may change.

module version 1.0 target 100

// x + v - w is x + (v - w); the second result is the first plus v.
// CHECK-LABEL: kernel @sum(
// STRICT: pisa.fatom.global.system.add.f
// STRICT: pisa.fatom.global.system.sub.f
// FAST: [[P:%[0-9]+]] = pisa.ld.param.64b %a : 64b
// FAST-NEXT: [[V:%[0-9]+]] = pisa.ld.param.32b %c : 32b
// FAST-NEXT: [[W:%[0-9]+]] = pisa.ld.param.32b %d : 32b
// FAST-NEXT: [[D:%[0-9]+]] = pisa.fsub.f [[V]], [[W]] : 32b
// FAST-NEXT: [[R:%[0-9]+]] = pisa.fatom.global.system.add.f {{\[}}[[P]]], [[D]] : 32b
// FAST-NEXT: [[S:%[0-9]+]] = pisa.fadd.f [[R]], [[V]] : 32b
// FAST-NEXT: pisa.st.private.32b {{\[}}[[V]]], [[S]]
// CHECK: builtin.return
kernel @sum(param %a size 8 align 8 space global, param %c size 4 align 4, param %d size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %w = pisa.ld.param.32b %d : 32b
  %r = pisa.fatom.global.system.add.f [%p], %v : 32b
  %s = pisa.fatom.global.system.sub.f [%p], %w : 32b
  pisa.st.private.32b [%v], %s
  builtin.return
}

// CHECK-LABEL: kernel @minimum(
// STRICT: pisa.fatom.global.system.min.hf
// STRICT: pisa.fatom.global.system.min.hf
// FAST: [[M:%[0-9]+]] = pisa.fmin.hf
// FAST-NEXT: pisa.fatom.global.system.min.hf [{{%[0-9]+}}], [[M]] : 16b
// FAST-NOT: fatom
// CHECK: builtin.return
kernel @minimum(param %a size 8 align 8 space global, param %c size 2 align 2, param %d size 2 align 2) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.16b %c : 16b
  %w = pisa.ld.param.16b %d : 16b
  %r = pisa.fatom.global.system.min.hf [%p], %v : 16b
  %s = pisa.fatom.global.system.min.hf [%p], %w : 16b
  builtin.return
}

// Operations of different kinds, and of numbers and bits, do not combine.
// CHECK-LABEL: kernel @mixed(
// CHECK: pisa.fatom.global.system.min.f
// CHECK: pisa.fatom.global.system.max.f
// CHECK: pisa.iatom.global.system.add.32b
// CHECK: pisa.fatom.global.system.cas.f
// CHECK: pisa.fatom.global.system.cas.f
// CHECK: builtin.return
kernel @mixed(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.fatom.global.system.min.f [%p], %v : 32b
  %s = pisa.fatom.global.system.max.f [%p], %v : 32b
  %t = pisa.iatom.global.system.add.32b [%p], %v : 32b
  %u = pisa.fatom.global.system.cas.f [%p], %v, %v : 32b
  %x = pisa.fatom.global.system.cas.f [%p], %v, %v : 32b
  builtin.return
}

// Loads and stores beside them stay.
// CHECK-LABEL: kernel @beside(
// CHECK: pisa.st.global.relaxed
// CHECK: pisa.fatom
// CHECK: pisa.ld.global.relaxed
// CHECK: builtin.return
kernel @beside(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  pisa.st.global.relaxed.system.32b [%p], %v
  %r = pisa.fatom.global.system.add.f [%p], %v : 32b
  %s = pisa.ld.global.relaxed.system.32b [%p] : 32b
  pisa.st.private.32b [%v], %s
  builtin.return
}
