// RUN: pisac --verify-each --passes=vectorize-memory --emit=ir %s -o - | FileCheck %s
// RUN: pisac --verify-each --passes=vectorize-memory,vectorize-memory --emit=ir %s -o - | FileCheck %s
// Accesses of blocks of which each is executed if and only if the others are.

module version 1.0 target 100

var @x global size 64 align 16
var @y global size 4 align 4

// Loads meet at the first, stores at the last, across arms that touch other bytes.
// CHECK-LABEL: function @diamond(
// CHECK: ^bb0(
// CHECK: pisa.ld.global.v2.32b
// CHECK: ^bb1:
// CHECK-NOT: pisa.{{ld|st}}.global
// CHECK: ^bb2:
// CHECK: pisa.st.global.32b [%{{[0-9]+}}], %
// CHECK: ^bb3:
// CHECK-NOT: pisa.ld
// CHECK: pisa.st.global.v2.32b
// CHECK: builtin.return
function @diamond(64b, pred, 32b) -> 32b {
^bb0(%p: 64b, %c: pred, %a: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 32b
  %12 = builtin.const 12 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %8], %a
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  builtin.br ^bb3
^bb2:
  pisa.st.global.32b [%y], %1
  builtin.br ^bb3
^bb3:
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  pisa.st.global.32b [%x + %12], %1
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// What lies between may have branches of its own, and the accesses of an arm
// meet among themselves.
// CHECK-LABEL: function @nested(
// CHECK: pisa.ld.global.v4.32b
// CHECK: pisa.st.shared.v2.32b
// CHECK-NOT: pisa.ld
// CHECK: builtin.return
function @nested(pred, pred, 32b) -> 32b {
  var @s shared size 8 align 8
^bb0(%c: pred, %d: pred, %a: 32b):
  %x = pisa.addrof.64b @x : 64b
  %s = pisa.addrof.32b @s : 32b
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 32b
  %12 = builtin.const 12 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  builtin.cond_br %c, ^bb1, ^bb5
^bb1:
  pisa.st.shared.32b [%s], %a
  builtin.cond_br %d, ^bb2, ^bb3
^bb2:
  %i = pisa.iatom.shared.relaxed.system.add.32b [%s], %a : 32b
  builtin.br ^bb4
^bb3:
  builtin.br ^bb4
^bb4:
  pisa.st.shared.32b [%s + %4], %a
  builtin.br ^bb5
^bb5:
  %2 = pisa.ld.global.v2.32b [%x + %8] : v2.32b
  %k = pisa.extract.0.32b %2 : 32b
  builtin.cond_br %d, ^bb6, ^bb7
^bb6:
  builtin.br ^bb7
^bb7:
  %3 = pisa.ld.global.32b [%x + %4] : 32b
  %4a = pisa.isub.32b %1, %3 : 32b
  %5 = pisa.isub.32b %4a, %k : 32b
  builtin.return %5
}
// The first store of the arm of @nested stays: the atomic operation touches it.

// An acquire between lets loads move down, a release lets stores move up.
// CHECK-LABEL: function @acquire(
// CHECK-NOT: pisa.ld
// CHECK: ^bb2:
// CHECK: pisa.ld.global.v2.32b
// CHECK: builtin.return
function @acquire(pred, 32b) -> 32b {
^bb0(%c: pred, %a: 32b):
  %x = pisa.addrof.64b @x : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  pisa.fence.acquire.gpu
  builtin.br ^bb2
^bb2:
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @release(
// CHECK: pisa.st.global.v2.32b
// CHECK: builtin.cond_br
// CHECK-NOT: pisa.st.global.{{32b|v}}
// CHECK: builtin.return
function @release(pred, 32b) -> 32b {
^bb0(%c: pred, %a: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  pisa.st.global.release.gpu.32b [%y], %a
  builtin.br ^bb2
^bb2:
  pisa.st.global.32b [%x + %4], %a
  builtin.return %a
}

// In a loop, but not out of it.
// CHECK-LABEL: function @in.loop(
// CHECK: ^bb1:
// CHECK: pisa.ld.global.v2.32b
// CHECK-NOT: pisa.ld
// CHECK: builtin.return
function @in.loop(pred, 32b) -> 32b {
^bb0(%c: pred, %n: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %4 = builtin.const 4 : 32b
  builtin.br ^bb1
^bb1:
  %1 = pisa.ld.global.32b [%x] : 32b
  builtin.cond_br %c, ^bb2, ^bb3
^bb2:
  pisa.st.global.32b [%y], %1
  builtin.br ^bb3
^bb3:
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %q = pisa.ucmp.ne.32b %1, %2 : pred
  builtin.cond_br %q, ^bb1, ^bb4
^bb4:
  builtin.return %1
}

// Parameters are there everywhere.
// CHECK-LABEL: kernel @param(
// CHECK: pisa.ld.param.v2.32b
// CHECK-NOT: pisa.ld.param
// CHECK: builtin.return
kernel @param(param %s size 8 align 8) {
^bb0:
  %x = pisa.addrof.64b @x : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.param.32b %s : 32b
  %c = pisa.ucmp.eq.32b %1, %4 : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  pisa.barrier.workgroup
  builtin.br ^bb2
^bb2:
  %2 = pisa.ld.param.32b %s, %4 : 32b
  pisa.st.global.32b [%x], %1
  pisa.st.global.32b [%x + %4], %2
  builtin.return
}
