// RUN: pisac --passes=vectorize-memory --emit=ir %s -o - | FileCheck %s
// What is merged, and where: the sound rules by their ids (first: at the first
// of the accesses, the second moving up; last: at the last, the first moving
// down; the other place is forbidden by other means), then alignment, splits,
// spaces, structures.

module version 1.0 target 100

var @x global size 64 align 4
var @y global size 4 align 4
var @z global size 4 align 4
var @u global size 64 align 4
var @b8 global size 64 align 32
var @un global size 64 align 1
var @c const size 16 align 4 = { zero 16 }
function @callee() import

// CHECK-LABEL: function @V01.ld.ld(
// CHECK: [[V:%.*]] = pisa.ld.global.v2.32b [{{%.*}}] : v2.32b
// CHECK-NEXT: [[A:%.*]] = pisa.extract.0.32b [[V]]
// CHECK-NEXT: [[B:%.*]] = pisa.extract.1.32b [[V]]
// CHECK-NEXT: pisa.isub.32b [[A]], [[B]]
function @V01.ld.ld(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V01b.st.st(
// CHECK-NEXT: ^bb0([[A:%.*]]: 32b, [[B:%.*]]: 32b):
// CHECK: [[Z:%.*]] = builtin.const 0x0 : v2.32b
// CHECK-NEXT: [[V:%.*]] = pisa.insert.0.32b [[Z]], [[A]]
// CHECK-NEXT: [[W:%.*]] = pisa.insert.1.32b [[V]], [[B]]
// CHECK-NEXT: pisa.st.global.v2.32b [{{%.*}}], [[W]]
function @V01b.st.st(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.st.global.32b [%x + %4], %b
  builtin.return %a
}

// CHECK-LABEL: function @V02.ld.ld.rlx.ld.first(
// CHECK: pisa.ld.global.v2.32b
// CHECK: pisa.ld.global.relaxed.system.32b
function @V02.ld.ld.rlx.ld.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  %m = pisa.ld.global.relaxed.system.32b [%z] : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %use, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V02.ld.ld.rlx.ld.last(
// CHECK: pisa.ld.global.relaxed.system.32b
// CHECK: pisa.ld.global.v2.32b
function @V02.ld.ld.rlx.ld.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  %m = pisa.ld.global.relaxed.system.32b [%z] : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V02.ld.st.rlx.ld.first(
// CHECK: pisa.ld.global.v2.32b
// CHECK: pisa.st.global.relaxed.system.32b
function @V02.ld.st.rlx.ld.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  pisa.st.global.relaxed.system.32b [%z], %a
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %use, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V02.ld.st.rlx.ld.last(
// CHECK: pisa.st.global.relaxed.system.32b
// CHECK: pisa.ld.global.v2.32b
function @V02.ld.st.rlx.ld.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  pisa.st.global.relaxed.system.32b [%z], %a
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V02.ld.atom.rlx.ld.first(
// CHECK: pisa.ld.global.v2.32b
// CHECK: pisa.iatom.global.system.add.32b
function @V02.ld.atom.rlx.ld.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  %m = pisa.iatom.global.relaxed.system.add.32b [%z], %a : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %use, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V02.ld.atom.rlx.ld.last(
// CHECK: pisa.iatom.global.system.add.32b
// CHECK: pisa.ld.global.v2.32b
function @V02.ld.atom.rlx.ld.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  %m = pisa.iatom.global.relaxed.system.add.32b [%z], %a : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V02.ld.ld.acq.ld.last(
// CHECK: pisa.ld.global.acquire.gpu.32b
// CHECK: pisa.ld.global.v2.32b
function @V02.ld.ld.acq.ld.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  %m = pisa.ld.global.acquire.gpu.32b [%y] : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V02.ld.F.acq.ld.last(
// CHECK: pisa.fence.acquire.gpu
// CHECK: pisa.ld.global.v2.32b
function @V02.ld.F.acq.ld.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  pisa.fence.acquire.gpu
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V02.ld.atom.acq.ld.last(
// CHECK: pisa.iatom.global.acquire.gpu.cas.32b
// CHECK: pisa.ld.global.v2.32b
function @V02.ld.atom.acq.ld.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  %m = pisa.iatom.global.acquire.gpu.cas.32b [%y], %a, %b : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V02.ld.st.rel.ld.first(
// CHECK: pisa.ld.global.v2.32b
// CHECK: pisa.st.global.release.gpu.32b
function @V02.ld.st.rel.ld.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  pisa.st.global.release.gpu.32b [%y], %a
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %use, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V02.ld.F.rel.ld.first(
// CHECK: pisa.ld.global.v2.32b
// CHECK: pisa.fence.release.gpu
function @V02.ld.F.rel.ld.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  pisa.fence.release.gpu
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %use, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V02.ld.atom.rel.ld.first(
// CHECK: pisa.ld.global.v2.32b
// CHECK: pisa.iatom.global.release.gpu.add.32b
function @V02.ld.atom.rel.ld.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  %m = pisa.iatom.global.release.gpu.add.32b [%y], %a : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %use, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @V02.st.ld.rlx.st.first(
// CHECK: pisa.st.global.v2.32b
// CHECK: pisa.ld.global.relaxed.system.32b
function @V02.st.ld.rlx.st.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %m = pisa.ld.global.relaxed.system.32b [%z] : 32b
  %w = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  builtin.return %w
}

// CHECK-LABEL: function @V02.st.ld.rlx.st.last(
// CHECK: pisa.ld.global.relaxed.system.32b
// CHECK: pisa.st.global.v2.32b
function @V02.st.ld.rlx.st.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %m = pisa.ld.global.relaxed.system.32b [%z] : 32b
  %w = pisa.ld.global.32b [%u] : 32b
  pisa.st.global.32b [%x + %4], %w
  builtin.return %a
}

// CHECK-LABEL: function @V02.st.st.rlx.st.first(
// CHECK: pisa.st.global.v2.32b
// CHECK: pisa.st.global.relaxed.system.32b
function @V02.st.st.rlx.st.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.st.global.relaxed.system.32b [%z], %a
  %w = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  builtin.return %w
}

// CHECK-LABEL: function @V02.st.st.rlx.st.last(
// CHECK: pisa.st.global.relaxed.system.32b
// CHECK: pisa.st.global.v2.32b
function @V02.st.st.rlx.st.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.st.global.relaxed.system.32b [%z], %a
  %w = pisa.ld.global.32b [%u] : 32b
  pisa.st.global.32b [%x + %4], %w
  builtin.return %a
}

// CHECK-LABEL: function @V02.st.atom.rlx.st.first(
// CHECK: pisa.st.global.v2.32b
// CHECK: pisa.iatom.global.system.add.32b
function @V02.st.atom.rlx.st.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %m = pisa.iatom.global.relaxed.system.add.32b [%z], %a : 32b
  %w = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  builtin.return %w
}

// CHECK-LABEL: function @V02.st.atom.rlx.st.last(
// CHECK: pisa.iatom.global.system.add.32b
// CHECK: pisa.st.global.v2.32b
function @V02.st.atom.rlx.st.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %m = pisa.iatom.global.relaxed.system.add.32b [%z], %a : 32b
  %w = pisa.ld.global.32b [%u] : 32b
  pisa.st.global.32b [%x + %4], %w
  builtin.return %a
}

// CHECK-LABEL: function @V02.st.ld.acq.st.last(
// CHECK: pisa.ld.global.acquire.gpu.32b
// CHECK: pisa.st.global.v2.32b
function @V02.st.ld.acq.st.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %m = pisa.ld.global.acquire.gpu.32b [%y] : 32b
  %w = pisa.ld.global.32b [%u] : 32b
  pisa.st.global.32b [%x + %4], %w
  builtin.return %a
}

// CHECK-LABEL: function @V02.st.F.acq.st.last(
// CHECK: pisa.fence.acquire.gpu
// CHECK: pisa.st.global.v2.32b
function @V02.st.F.acq.st.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.fence.acquire.gpu
  %w = pisa.ld.global.32b [%u] : 32b
  pisa.st.global.32b [%x + %4], %w
  builtin.return %a
}

// CHECK-LABEL: function @V02.st.atom.acq.st.last(
// CHECK: pisa.iatom.global.acquire.gpu.cas.32b
// CHECK: pisa.st.global.v2.32b
function @V02.st.atom.acq.st.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %m = pisa.iatom.global.acquire.gpu.cas.32b [%y], %a, %b : 32b
  %w = pisa.ld.global.32b [%u] : 32b
  pisa.st.global.32b [%x + %4], %w
  builtin.return %a
}

// CHECK-LABEL: function @V02.st.st.rel.st.first(
// CHECK: pisa.st.global.v2.32b
// CHECK: pisa.st.global.release.gpu.32b
function @V02.st.st.rel.st.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.st.global.release.gpu.32b [%y], %a
  %w = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  builtin.return %w
}

// CHECK-LABEL: function @V02.st.F.rel.st.first(
// CHECK: pisa.st.global.v2.32b
// CHECK: pisa.fence.release.gpu
function @V02.st.F.rel.st.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.fence.release.gpu
  %w = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  builtin.return %w
}

// CHECK-LABEL: function @V02.st.atom.rel.st.first(
// CHECK: pisa.st.global.v2.32b
// CHECK: pisa.iatom.global.release.gpu.add.32b
function @V02.st.atom.rel.st.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %m = pisa.iatom.global.release.gpu.add.32b [%y], %a : 32b
  %w = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  builtin.return %w
}

// CHECK-LABEL: function @index.or(
// CHECK: pisa.ld.global.v2.32b
// CHECK-NOT: pisa.ld
// CHECK: builtin.return
function @index.or(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %one = builtin.const 1 : 32b
  %q = pisa.umul.32b %a, %4 : 32b
  %w = pisa.or.32b %q, %one : 32b
  %e0 = pisa.zext.64b.32b %q : 64b
  %e1 = pisa.zext.64b.32b %w : 64b
  %two = builtin.const 2 : 32b
  %s0 = pisa.shl.64b %e0, %two : 64b
  %s1 = pisa.shl.64b %e1, %two : 64b
  %p0 = pisa.iadd.64b %x, %s0 : 64b
  %p1 = pisa.iadd.64b %x, %s1 : 64b
  %1 = pisa.ld.global.32b [%p0] : 32b
  %2 = pisa.ld.global.32b [%p1] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @index.or.bytes(
// CHECK: pisa.ld.global.v2.32b
// CHECK-NOT: pisa.ld
// CHECK: builtin.return
function @index.or.bytes(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %fo = builtin.const 4 : 64b
  %ei = builtin.const 8 : 64b
  %e0 = pisa.zext.64b.32b %a : 64b
  %s0 = pisa.umul.64b %e0, %ei : 64b
  %p0 = pisa.iadd.64b %x, %s0 : 64b
  %s1 = pisa.or.64b %s0, %fo : 64b
  %p1 = pisa.iadd.64b %x, %s1 : 64b
  %1 = pisa.ld.global.32b [%p0] : 32b
  %2 = pisa.ld.global.32b [%p1] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @index.no.wrap.zext(
// CHECK: pisa.ld.global.v2.32b
// CHECK-NOT: pisa.ld
// CHECK: builtin.return
function @index.no.wrap.zext(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %one = builtin.const 1 : 32b
  %q = pisa.umul.32b %a, %4 : 32b
  %w = pisa.umad.32b %a, %4, %one : 32b
  %e0 = pisa.zext.64b.32b %q : 64b
  %e1 = pisa.zext.64b.32b %w : 64b
  %two = builtin.const 2 : 32b
  %s0 = pisa.shl.64b %e0, %two : 64b
  %s1 = pisa.shl.64b %e1, %two : 64b
  %p0 = pisa.iadd.64b %x, %s0 : 64b
  %p1 = pisa.iadd.64b %x, %s1 : 64b
  %1 = pisa.ld.global.32b [%p0] : 32b
  %2 = pisa.ld.global.32b [%p1] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @index.no.wrap.sext(
// CHECK: pisa.ld.global.v2.32b
// CHECK-NOT: pisa.ld
// CHECK: builtin.return
function @index.no.wrap.sext(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %one = builtin.const 1 : 32b
  %q = pisa.umul.32b %a, %4 : 32b
  %w = pisa.umad.32b %a, %4, %one : 32b
  %e0 = pisa.sext.64b.32b %q : 64b
  %e1 = pisa.sext.64b.32b %w : 64b
  %two = builtin.const 2 : 32b
  %s0 = pisa.shl.64b %e0, %two : 64b
  %s1 = pisa.shl.64b %e1, %two : 64b
  %p0 = pisa.iadd.64b %x, %s0 : 64b
  %p1 = pisa.iadd.64b %x, %s1 : 64b
  %1 = pisa.ld.global.32b [%p0] : 32b
  %2 = pisa.ld.global.32b [%p1] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @bytes.aligned(
// CHECK: pisa.ld.shared.v4.8b [{{.*}}] : v4.8b
function @bytes.aligned(32b, 32b) -> 32b {
  var @s shared size 16 align 4
^bb0(%a: 32b, %b: 32b):
  %q = pisa.addrof.32b @s : 32b
  %4 = builtin.const 4 : 32b
  %o0 = builtin.const 4 : 32b
  %l0 = pisa.ld.shared.8b [%q + %o0] : 8b
  %o1 = builtin.const 5 : 32b
  %l1 = pisa.ld.shared.8b [%q + %o1] : 8b
  %o2 = builtin.const 6 : 32b
  %l2 = pisa.ld.shared.8b [%q + %o2] : 8b
  %o3 = builtin.const 7 : 32b
  %l3 = pisa.ld.shared.8b [%q + %o3] : 8b
  %s0 = pisa.zext.32b.8b %l0 : 32b
  %s1 = pisa.zext.32b.8b %l1 : 32b
  %t1 = pisa.umad.32b %s0, %4, %s1 : 32b
  %s2 = pisa.zext.32b.8b %l2 : 32b
  %t2 = pisa.umad.32b %t1, %4, %s2 : 32b
  %s3 = pisa.zext.32b.8b %l3 : 32b
  %t3 = pisa.umad.32b %t2, %4, %s3 : 32b
  builtin.return %t3
}

// CHECK-LABEL: function @bytes.halfaligned(
// CHECK-NOT: v4
// CHECK: pisa.ld.shared.v2.8b
// CHECK-NOT: v4
// CHECK: pisa.ld.shared.v2.8b
// CHECK-NOT: v4
// CHECK: builtin.return
function @bytes.halfaligned(32b, 32b) -> 32b {
  var @s shared size 16 align 4
^bb0(%a: 32b, %b: 32b):
  %q = pisa.addrof.32b @s : 32b
  %4 = builtin.const 4 : 32b
  %o0 = builtin.const 2 : 32b
  %l0 = pisa.ld.shared.8b [%q + %o0] : 8b
  %o1 = builtin.const 3 : 32b
  %l1 = pisa.ld.shared.8b [%q + %o1] : 8b
  %o2 = builtin.const 4 : 32b
  %l2 = pisa.ld.shared.8b [%q + %o2] : 8b
  %o3 = builtin.const 5 : 32b
  %l3 = pisa.ld.shared.8b [%q + %o3] : 8b
  %s0 = pisa.zext.32b.8b %l0 : 32b
  %s1 = pisa.zext.32b.8b %l1 : 32b
  %t1 = pisa.umad.32b %s0, %4, %s1 : 32b
  %s2 = pisa.zext.32b.8b %l2 : 32b
  %t2 = pisa.umad.32b %t1, %4, %s2 : 32b
  %s3 = pisa.zext.32b.8b %l3 : 32b
  %t3 = pisa.umad.32b %t2, %4, %s3 : 32b
  builtin.return %t3
}

// CHECK-LABEL: function @order.any(
// CHECK: [[X:%.*]] = pisa.addrof.64b @x
// CHECK: pisa.ld.global.v4.32b [{{%[0-9]+}}] : v4.32b
function @order.any(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %o0 = builtin.const 4 : 32b
  %l0 = pisa.ld.global.32b [%x + %o0] : 32b
  %o1 = builtin.const 0 : 32b
  %l1 = pisa.ld.global.32b [%x + %o1] : 32b
  %o2 = builtin.const 8 : 32b
  %l2 = pisa.ld.global.32b [%x + %o2] : 32b
  %o3 = builtin.const 12 : 32b
  %l3 = pisa.ld.global.32b [%x + %o3] : 32b
  %t1 = pisa.umad.32b %l0, %4, %l1 : 32b
  %t2 = pisa.umad.32b %t1, %4, %l2 : 32b
  %t3 = pisa.umad.32b %t2, %4, %l3 : 32b
  builtin.return %t3
}

// CHECK-LABEL: function @order.lowest(
// CHECK-NOT: v4
// CHECK: pisa.ld.global.8b
// CHECK: pisa.ld.global.v2.8b
// CHECK: pisa.ld.global.8b
// CHECK-NOT: pisa.ld
// CHECK: builtin.return
function @order.lowest(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %o = pisa.addrof.64b @b8 : 64b
  %o0 = builtin.const 1 : 32b
  %l0 = pisa.ld.global.8b [%o + %o0] : 8b
  %o1 = builtin.const 2 : 32b
  %l1 = pisa.ld.global.8b [%o + %o1] : 8b
  %o2 = builtin.const 3 : 32b
  %l2 = pisa.ld.global.8b [%o + %o2] : 8b
  %o3 = builtin.const 4 : 32b
  %l3 = pisa.ld.global.8b [%o + %o3] : 8b
  %s0 = pisa.zext.32b.8b %l0 : 32b
  %s1 = pisa.zext.32b.8b %l1 : 32b
  %t1 = pisa.umad.32b %s0, %4, %s1 : 32b
  %s2 = pisa.zext.32b.8b %l2 : 32b
  %t2 = pisa.umad.32b %t1, %4, %s2 : 32b
  %s3 = pisa.zext.32b.8b %l3 : 32b
  %t3 = pisa.umad.32b %t2, %4, %s3 : 32b
  builtin.return %t3
}

// CHECK-LABEL: function @split(
// CHECK: pisa.ld.global.16b
// CHECK: [[V:%.*]] = pisa.ld.global.v2.32b
// CHECK-NOT: pisa.ld
// CHECK: builtin.return
function @split(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %o = pisa.addrof.64b @b8 : 64b
  %o0 = builtin.const 10 : 32b
  %l0 = pisa.ld.global.16b [%o + %o0] : 16b
  %o1 = builtin.const 12 : 32b
  %l1 = pisa.ld.global.16b [%o + %o1] : 16b
  %o2 = builtin.const 14 : 32b
  %l2 = pisa.ld.global.16b [%o + %o2] : 16b
  %o3 = builtin.const 16 : 32b
  %l3 = pisa.ld.global.16b [%o + %o3] : 16b
  %o4 = builtin.const 18 : 32b
  %l4 = pisa.ld.global.16b [%o + %o4] : 16b
  %s0 = pisa.zext.32b.16b %l0 : 32b
  %s1 = pisa.zext.32b.16b %l1 : 32b
  %t1 = pisa.umad.32b %s0, %4, %s1 : 32b
  %s2 = pisa.zext.32b.16b %l2 : 32b
  %t2 = pisa.umad.32b %t1, %4, %s2 : 32b
  %s3 = pisa.zext.32b.16b %l3 : 32b
  %t3 = pisa.umad.32b %t2, %4, %s3 : 32b
  %s4 = pisa.zext.32b.16b %l4 : 32b
  %t4 = pisa.umad.32b %t3, %4, %s4 : 32b
  builtin.return %t4
}

// CHECK-LABEL: function @split.words(
// CHECK: pisa.ld.global.v4.32b
// CHECK: pisa.ld.global.v3.32b
// CHECK-NOT: pisa.ld
// CHECK: builtin.return
function @split.words(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %o0 = builtin.const 0 : 32b
  %l0 = pisa.ld.global.32b [%x + %o0] : 32b
  %o1 = builtin.const 4 : 32b
  %l1 = pisa.ld.global.32b [%x + %o1] : 32b
  %o2 = builtin.const 8 : 32b
  %l2 = pisa.ld.global.32b [%x + %o2] : 32b
  %o3 = builtin.const 12 : 32b
  %l3 = pisa.ld.global.32b [%x + %o3] : 32b
  %o4 = builtin.const 16 : 32b
  %l4 = pisa.ld.global.32b [%x + %o4] : 32b
  %o5 = builtin.const 20 : 32b
  %l5 = pisa.ld.global.32b [%x + %o5] : 32b
  %o6 = builtin.const 24 : 32b
  %l6 = pisa.ld.global.32b [%x + %o6] : 32b
  %t1 = pisa.umad.32b %l0, %4, %l1 : 32b
  %t2 = pisa.umad.32b %t1, %4, %l2 : 32b
  %t3 = pisa.umad.32b %t2, %4, %l3 : 32b
  %t4 = pisa.umad.32b %t3, %4, %l4 : 32b
  %t5 = pisa.umad.32b %t4, %4, %l5 : 32b
  %t6 = pisa.umad.32b %t5, %4, %l6 : 32b
  builtin.return %t6
}

// CHECK-LABEL: function @eight(
// CHECK: pisa.ld.global.v8.32b
// CHECK-NOT: pisa.ld
// CHECK: builtin.return
function @eight(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %o0 = builtin.const 0 : 32b
  %l0 = pisa.ld.global.32b [%x + %o0] : 32b
  %o1 = builtin.const 4 : 32b
  %l1 = pisa.ld.global.32b [%x + %o1] : 32b
  %o2 = builtin.const 8 : 32b
  %l2 = pisa.ld.global.32b [%x + %o2] : 32b
  %o3 = builtin.const 12 : 32b
  %l3 = pisa.ld.global.32b [%x + %o3] : 32b
  %o4 = builtin.const 16 : 32b
  %l4 = pisa.ld.global.32b [%x + %o4] : 32b
  %o5 = builtin.const 20 : 32b
  %l5 = pisa.ld.global.32b [%x + %o5] : 32b
  %o6 = builtin.const 24 : 32b
  %l6 = pisa.ld.global.32b [%x + %o6] : 32b
  %o7 = builtin.const 28 : 32b
  %l7 = pisa.ld.global.32b [%x + %o7] : 32b
  %t1 = pisa.umad.32b %l0, %4, %l1 : 32b
  %t2 = pisa.umad.32b %t1, %4, %l2 : 32b
  %t3 = pisa.umad.32b %t2, %4, %l3 : 32b
  %t4 = pisa.umad.32b %t3, %4, %l4 : 32b
  %t5 = pisa.umad.32b %t4, %4, %l5 : 32b
  %t6 = pisa.umad.32b %t5, %4, %l6 : 32b
  %t7 = pisa.umad.32b %t6, %4, %l7 : 32b
  builtin.return %t7
}

// CHECK-LABEL: function @relaxed.elsewhere(
// CHECK: pisa.ld.global.v2.32b
// CHECK: pisa.fatom
function @relaxed.elsewhere(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  %m = pisa.fatom.global.relaxed.system.add.f [%z], %use : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @private.barrier(
// CHECK: barrier
// CHECK: pisa.st.private.v2.32b
function @private.barrier(32b, 32b) -> 32b {
  var @p private size 8 align 4
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %p = pisa.addrof.32b @p : 32b
  pisa.st.private.32b [%p], %a
  pisa.barrier.workgroup
  pisa.st.private.32b [%p + %4], %b
  builtin.return %a
}

// CHECK-LABEL: function @const.call(
// CHECK: pisa.ld.const.v2.32b
// CHECK: builtin.call
function @const.call(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %p = pisa.addrof.64b @c : 64b
  %1 = pisa.ld.const.32b [%p] : 32b
  builtin.call @callee()
  %2 = pisa.ld.const.32b [%p + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @cache.same(
// CHECK: pisa.ld.global.L1uc.L2c.L3c.v2.32b
function @cache.same(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.L1uc.L2c.L3c.32b [%x] : 32b
  %2 = pisa.ld.global.L1uc.L2c.L3c.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @cycle.zero(
// CHECK: builtin.return
function @cycle.zero(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %n = builtin.const 0 : 32b
  %w = pisa.umul.32b %1, %n : 32b
  %e = pisa.zext.64b.32b %w : 64b
  %q = pisa.iadd.64b %x, %e : 64b
  %2 = pisa.ld.global.32b [%q + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK-LABEL: function @struct.copy(
// CHECK: [[V:%.*]] = pisa.ld.global.v4.32b
// CHECK-NOT: pisa.{{ld|st}}
// CHECK: pisa.st.global.v4.32b [{{%.*}}], [[V]]
// CHECK-NOT: pisa.st
// CHECK: builtin.return
function @struct.copy(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %c8 = builtin.const 8 : 64b
  %o = pisa.addrof.64b @b8 : 64b
  %o1 = builtin.const 1 : 32b
  %o2 = builtin.const 2 : 32b
  %o8 = builtin.const 8 : 32b
  %f0 = pisa.ld.global.8b [%o] : 8b
  %f1 = pisa.ld.global.8b [%o + %o1] : 8b
  %f2 = pisa.ld.global.16b [%o + %o2] : 16b
  %f3 = pisa.ld.global.32b [%o + %4] : 32b
  %f4 = pisa.ld.global.64b [%o + %o8] : 64b
  %u8 = pisa.iadd.64b %u, %c8 : 64b
  pisa.st.global.8b [%u], %f0
  pisa.st.global.8b [%u + %o1], %f1
  pisa.st.global.16b [%u + %o2], %f2
  pisa.st.global.32b [%u + %4], %f3
  pisa.st.global.64b [%u8], %f4
  builtin.return %f3
}

// CHECK-LABEL: function @struct.build(
// CHECK: pisa.st.global.v2.32b
// CHECK-NOT: pisa.st
// CHECK: builtin.return
function @struct.build(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %o1 = builtin.const 2 : 32b
  %h = pisa.trunc.16b.32b %a : 16b
  %k = pisa.trunc.16b.32b %b : 16b
  pisa.st.global.16b [%u], %h
  pisa.st.global.16b [%u + %o1], %k
  pisa.st.global.32b [%u + %4], %a
  builtin.return %a
}

// CHECK-LABEL: kernel @param(
// CHECK: pisa.ld.param.v4.32b %s, {{%.*}} : v4.32b
// CHECK-NOT: pisa.ld.param.{{[0-9]}}
// CHECK: pisa.st.global.v4.32b
kernel @param(param %s size 24 align 8) {
^bb0:
  %x = pisa.addrof.64b @x : 64b
  %8 = builtin.const 8 : 32b
  %12 = builtin.const 12 : 32b
  %16 = builtin.const 16 : 32b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.param.32b %s, %8 : 32b
  pisa.barrier.workgroup
  %2 = pisa.ld.param.32b %s, %12 : 32b
  %3 = pisa.ld.param.64b %s, %16 : 64b
  pisa.st.global.64b [%x + %8], %3
  pisa.st.global.32b [%x], %1
  pisa.st.global.32b [%x + %4], %2
  builtin.return
}
