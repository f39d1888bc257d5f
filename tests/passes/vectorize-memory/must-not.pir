// RUN: pisac --passes=vectorize-memory --emit=ir %s -o - > %t.after
// RUN: pisac --passes= --emit=ir %s -o - > %t.before
// RUN: diff %t.before %t.after
// RUN: pisac --passes=vectorize-memory --emit=ir --remarks=vectorize-memory %s -o /dev/null 2>&1 | FileCheck %s
// What is not merged: the unsound rules V02 to V04b by their ids (PISA memory
// model; a V02 of one place forbids the other place by other means), and what
// alignment, cache controls, aliasing and dependences forbid.

module version 1.0 target 100

var @x global size 64 align 4
var @y global size 4 align 4
var @z global size 4 align 4
var @u global size 64 align 4
var @b8 global size 64 align 32
var @un global size 64 align 1
var @c const size 16 align 4 = { zero 16 }
function @callee() import

// CHECK: not merged with the access beside it: {{.*}}no access moves up across ld.acq{{.*}}@V02.ld.ld.acq.ld.first)
function @V02.ld.ld.acq.ld.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  %m = pisa.ld.global.acquire.gpu.32b [%y] : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %use, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across F.acq{{.*}}@V02.ld.F.acq.ld.first)
function @V02.ld.F.acq.ld.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  pisa.fence.acquire.gpu
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %use, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across atom.acq{{.*}}@V02.ld.atom.acq.ld.first)
function @V02.ld.atom.acq.ld.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  %m = pisa.iatom.global.acquire.gpu.cas.32b [%y], %a, %b : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %use, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves down across st.rel{{.*}}@V02.ld.st.rel.ld.last)
function @V02.ld.st.rel.ld.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  pisa.st.global.release.gpu.32b [%y], %a
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves down across F.rel{{.*}}@V02.ld.F.rel.ld.last)
function @V02.ld.F.rel.ld.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  pisa.fence.release.gpu
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves down across atom.rel{{.*}}@V02.ld.atom.rel.ld.last)
function @V02.ld.atom.rel.ld.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  %m = pisa.iatom.global.release.gpu.add.32b [%y], %a : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.ld.atom.ar.ld)
function @V02.ld.atom.ar.ld(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %m = pisa.iatom.global.acq_rel.gpu.add.32b [%y], %a : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.ld.F.acq_rel.ld)
function @V02.ld.F.acq_rel.ld(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.fence.acq_rel.gpu
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.ld.bar.ld)
function @V02.ld.bar.ld(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.barrier.workgroup
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.ld.F.sc.ld)
function @V02.ld.F.sc.ld(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.fence.seq_cst.gpu
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.ld.ld.sc.ld)
function @V02.ld.ld.sc.ld(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %m = pisa.ld.global.seq_cst.gpu.32b [%y] : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.ld.st.sc.ld)
function @V02.ld.st.sc.ld(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.seq_cst.gpu.32b [%y], %a
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.ld.F.subgroup.ld)
function @V02.ld.F.subgroup.ld(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.fence.subgroup
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}a call stands between{{.*}}@V02.ld.call.ld)
function @V02.ld.call.ld(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  builtin.call @callee()
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across ld.acq{{.*}}@V02.st.ld.acq.st.first)
function @V02.st.ld.acq.st.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %m = pisa.ld.global.acquire.gpu.32b [%y] : 32b
  %w = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  builtin.return %w
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across F.acq{{.*}}@V02.st.F.acq.st.first)
function @V02.st.F.acq.st.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.fence.acquire.gpu
  %w = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  builtin.return %w
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across atom.acq{{.*}}@V02.st.atom.acq.st.first)
function @V02.st.atom.acq.st.first(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %m = pisa.iatom.global.acquire.gpu.cas.32b [%y], %a, %b : 32b
  %w = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %b
  builtin.return %w
}

// CHECK: not merged with the access beside it: {{.*}}no access moves down across st.rel{{.*}}@V02.st.st.rel.st.last)
function @V02.st.st.rel.st.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.st.global.release.gpu.32b [%y], %a
  %w = pisa.ld.global.32b [%u] : 32b
  pisa.st.global.32b [%x + %4], %w
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}no access moves down across F.rel{{.*}}@V02.st.F.rel.st.last)
function @V02.st.F.rel.st.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.fence.release.gpu
  %w = pisa.ld.global.32b [%u] : 32b
  pisa.st.global.32b [%x + %4], %w
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}no access moves down across atom.rel{{.*}}@V02.st.atom.rel.st.last)
function @V02.st.atom.rel.st.last(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %m = pisa.iatom.global.release.gpu.add.32b [%y], %a : 32b
  %w = pisa.ld.global.32b [%u] : 32b
  pisa.st.global.32b [%x + %4], %w
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.st.atom.ar.st)
function @V02.st.atom.ar.st(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %m = pisa.iatom.global.acq_rel.gpu.add.32b [%y], %a : 32b
  pisa.st.global.32b [%x + %4], %b
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.st.F.acq_rel.st)
function @V02.st.F.acq_rel.st(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.fence.acq_rel.gpu
  pisa.st.global.32b [%x + %4], %b
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.st.bar.st)
function @V02.st.bar.st(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.barrier.workgroup
  pisa.st.global.32b [%x + %4], %b
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.st.F.sc.st)
function @V02.st.F.sc.st(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.fence.seq_cst.gpu
  pisa.st.global.32b [%x + %4], %b
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.st.ld.sc.st)
function @V02.st.ld.sc.st(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %m = pisa.ld.global.seq_cst.gpu.32b [%y] : 32b
  pisa.st.global.32b [%x + %4], %b
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.st.st.sc.st)
function @V02.st.st.sc.st(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.st.global.seq_cst.gpu.32b [%y], %a
  pisa.st.global.32b [%x + %4], %b
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}no access moves up across{{.*}}@V02.st.F.subgroup.st)
function @V02.st.F.subgroup.st(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.fence.subgroup
  pisa.st.global.32b [%x + %4], %b
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}a call stands between{{.*}}@V02.st.call.st)
function @V02.st.call.st(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  builtin.call @callee()
  pisa.st.global.32b [%x + %4], %b
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}an atomic access stays by itself {{[(]}}rule V03{{[)]}}{{.*}}@V03.ld.rlx.x2)
function @V03.ld.rlx.x2(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.relaxed.system.32b [%x] : 32b
  %2 = pisa.ld.global.relaxed.system.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}an atomic access stays by itself {{[(]}}rule V03{{[)]}}{{.*}}@V03.weak.rlx)
function @V03.weak.rlx(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %2 = pisa.ld.global.relaxed.system.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}an atomic access stays by itself {{[(]}}rule V03{{[)]}}{{.*}}@V03b.st.rlx.x2)
function @V03b.st.rlx.x2(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.relaxed.system.32b [%x], %a
  pisa.st.global.relaxed.system.32b [%x + %4], %b
  builtin.return %a
}

function @V04.gap.ld(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %2 = pisa.ld.global.32b [%x + %8] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

function @V04b.gap.st(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 32b
  pisa.st.global.32b [%x], %a
  pisa.st.global.32b [%x + %8], %b
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}no access of 2 bytes has the alignment, known to be 1{{.*}}@align.byte)
function @align.byte(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %o = pisa.addrof.64b @un : 64b
  %1 = builtin.const 1 : 32b
  %2 = pisa.ld.global.8b [%o] : 8b
  %3 = pisa.ld.global.8b [%o + %1] : 8b
  %5 = pisa.zext.32b.8b %2 : 32b
  %6 = pisa.zext.32b.8b %3 : 32b
  %7 = pisa.isub.32b %5, %6 : 32b
  builtin.return %7
}

// CHECK: not merged with the access beside it: {{.*}}no access of 4 bytes has the alignment, known to be 2{{.*}}@align.half)
function @align.half(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %t2 = builtin.const 2 : 32b
  %2 = pisa.ld.global.16b [%x + %t2] : 16b
  %3 = pisa.ld.global.16b [%x + %4] : 16b
  %5 = pisa.zext.32b.16b %2 : 32b
  %6 = pisa.zext.32b.16b %3 : 32b
  %7 = pisa.isub.32b %5, %6 : 32b
  builtin.return %7
}

// CHECK: not merged with the access beside it: {{.*}}the access is not aligned to its own size{{.*}}@align.undefined)
function @align.undefined(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %o = pisa.addrof.64b @b8 : 64b
  %1 = pisa.ld.global.32b [%o] : 32b
  %2 = pisa.ld.global.64b [%o + %4] : 64b
  %3 = pisa.trunc.32b.64b %2 : 32b
  %5 = pisa.isub.32b %1, %3 : 32b
  builtin.return %5
}

// CHECK: not merged with the access beside it: {{.*}}the cache controls differ{{.*}}@cache.ld)
function @cache.ld(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.L1uc.L2c.L3c.32b [%x] : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}the cache controls differ{{.*}}@cache.st)
function @cache.st(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  pisa.st.global.L1wb.L2uc.L3uc.32b [%x + %4], %b
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}the same bytes may be accessed between by pisa.st{{.*}}@alias.ld)
function @alias.ld(32b, 32b, 64b) -> 32b {
^bb0(%a: 32b, %b: 32b, %p: 64b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  pisa.st.global.32b [%p], %use
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}the same bytes may be accessed between by pisa.ld{{.*}}@alias.st)
function @alias.st(32b, 32b, 64b) -> 32b {
^bb0(%a: 32b, %b: 32b, %p: 64b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %1 = pisa.ld.global.32b [%p] : 32b
  pisa.st.global.32b [%x + %4], %1
  builtin.return %1
}

// CHECK: not merged with the access beside it: {{.*}}the same bytes may be accessed between by pisa.iatom{{.*}}@alias.relaxed)
function @alias.relaxed(32b, 32b, 64b) -> 32b {
^bb0(%a: 32b, %b: 32b, %p: 64b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  %m = pisa.iatom.global.relaxed.system.add.32b [%p], %use : 32b
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

function @cycle.address(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %2 = pisa.ld.global.32b [%x + %1] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}a value loaded is used before the others can be loaded{{.*}}@used.before)
function @used.before(32b, 32b, 64b) -> 32b {
^bb0(%a: 32b, %b: 32b, %p: 64b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%p], %1
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}the same bytes may be accessed between by pisa.ld{{.*}}@value.later)
function @value.later(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  %w = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.32b [%x + %4], %w
  builtin.return %a
}

// CHECK: not merged with the access beside it: {{.*}}a call stands between{{.*}}@private.call)
function @private.call(32b, 32b) -> 32b {
  var @p private size 8 align 4
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %p = pisa.addrof.32b @p : 32b
  pisa.st.private.32b [%p], %a
  builtin.call @callee()
  pisa.st.private.32b [%p + %4], %b
  builtin.return %a
}

function @index.or.overlaps(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %h = builtin.const 8 : 64b
  %fo = builtin.const 4 : 64b
  %e0 = pisa.zext.64b.32b %a : 64b
  %s0 = pisa.umul.64b %e0, %fo : 64b
  %p0 = pisa.iadd.64b %x, %s0 : 64b
  %s1 = pisa.or.64b %s0, %fo : 64b
  %p1 = pisa.iadd.64b %x, %s1 : 64b
  %1 = pisa.ld.global.32b [%p0] : 32b
  %2 = pisa.ld.global.32b [%p1] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

function @index.wraps.zext(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %one = builtin.const 1 : 32b
  %w = pisa.iadd.32b %a, %one : 32b
  %e0 = pisa.zext.64b.32b %a : 64b
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

function @index.wraps.sext(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %one = builtin.const 1 : 32b
  %w = pisa.iadd.32b %a, %one : 32b
  %e0 = pisa.sext.64b.32b %a : 64b
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

function @index.of.other.sign(32b, 32b) -> 32b {
^bb0(%a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %z = pisa.addrof.64b @z : 64b
  %u = pisa.addrof.64b @u : 64b
  %4 = builtin.const 4 : 32b
  %one = builtin.const 1 : 32b
  %q = pisa.umul.32b %a, %4 : 32b
  %w = pisa.iadd.32b %q, %one : 32b
  %e0 = pisa.zext.64b.32b %q : 64b
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

// Blocks that are not executed together.

function @blocks.exit(pred, 32b) -> 32b {
^bb0(%c: pred, %a: 32b):
  %x = pisa.addrof.64b @x : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  builtin.return %a
^bb2:
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

function @blocks.arm(pred, 32b) -> 32b {
^bb0(%c: pred, %a: 32b):
  %x = pisa.addrof.64b @x : 64b
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 32b
  %12 = builtin.const 12 : 32b
  pisa.st.global.32b [%x + %8], %a
  %1 = pisa.ld.global.32b [%x] : 32b
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  pisa.st.global.32b [%x + %12], %2
  builtin.br ^bb2
^bb2:
  builtin.return %1
}

// The store of the loop's last turn, and those of the turns before.
function @blocks.loop(64b, pred, 32b) {
^bb0(%p: 64b, %c: pred, %a: 32b):
  %4 = builtin.const 4 : 64b
  %8 = builtin.const 8 : 64b
  builtin.br ^bb1(%p)
^bb1(%q: 64b):
  pisa.st.global.32b [%q], %a
  %r = pisa.iadd.64b %q, %8 : 64b
  %d = pisa.ucmp.eq.64b %r, %p : pred
  builtin.cond_br %d, ^bb1(%r), ^bb2
^bb2:
  pisa.st.global.32b [%q + %4], %a
  builtin.return
}

function @blocks.entry(pred, pred, 32b) -> 32b {
^bb0(%c: pred, %d: pred, %a: 32b):
  %x = pisa.addrof.64b @x : 64b
  %4 = builtin.const 4 : 32b
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  pisa.st.global.32b [%x], %a
  builtin.br ^bb3
^bb2:
  builtin.cond_br %d, ^bb3, ^bb4
^bb3:
  pisa.st.global.32b [%x + %4], %a
  builtin.return %a
^bb4:
  builtin.return %a
}

function @blocks.loop.between(pred, 32b) -> 32b {
^bb0(%c: pred, %a: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  builtin.br ^bb1
^bb1:
  %m = pisa.ld.global.relaxed.system.32b [%y] : 32b
  %q = pisa.ucmp.ne.32b %m, %a : pred
  builtin.cond_br %q, ^bb1, ^bb2
^bb2:
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}

// Between blocks the crossing table holds as within one.

// CHECK: not merged with the access beside it: {{.*}}no access moves up across F.acq{{.*}}@blocks.acquire)
function @blocks.acquire(pred, 32b) -> 32b {
^bb0(%c: pred, %a: 32b):
  %x = pisa.addrof.64b @x : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  %use = pisa.iadd.32b %1, %a : 32b
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  pisa.fence.acquire.gpu
  builtin.br ^bb2
^bb2:
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %use, %2 : 32b
  builtin.return %3
}

// CHECK: not merged with the access beside it: {{.*}}no access moves down across st.rel{{.*}}@blocks.release)
function @blocks.release(pred, 32b, 32b) -> 32b {
^bb0(%c: pred, %a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %y = pisa.addrof.64b @y : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  pisa.st.global.release.gpu.32b [%y], %a
  builtin.br ^bb2
^bb2:
  %d = pisa.iadd.32b %a, %b : 32b
  pisa.st.global.32b [%x + %4], %d
  builtin.return %d
}

function @blocks.used(pred, 32b) -> 32b {
^bb0(%c: pred, %a: 32b):
  %x = pisa.addrof.64b @x : 64b
  %4 = builtin.const 4 : 32b
  %1 = pisa.ld.global.32b [%x] : 32b
  builtin.cond_br %c, ^bb1, ^bb2(%1)
^bb1:
  pisa.st.global.32b [%x + %4], %a
  builtin.br ^bb2(%a)
^bb2(%v: 32b):
  %2 = pisa.ld.global.32b [%x + %4] : 32b
  %3 = pisa.isub.32b %v, %2 : 32b
  builtin.return %3
}

// What is stored is chosen by the arms.
function @blocks.value(pred, 32b, 32b) -> 32b {
^bb0(%c: pred, %a: 32b, %b: 32b):
  %x = pisa.addrof.64b @x : 64b
  %4 = builtin.const 4 : 32b
  pisa.st.global.32b [%x], %a
  builtin.cond_br %c, ^bb1, ^bb2(%a)
^bb1:
  %m = pisa.ld.global.32b [%x] : 32b
  builtin.br ^bb2(%m)
^bb2(%v: 32b):
  pisa.st.global.32b [%x + %4], %v
  builtin.return %v
}
