// RUN: pisac --passes=atomic-coalesce --remarks --emit=ir %s -o - 2>&1 | FileCheck %s
// Operations that no lane may do for others, with the reason.

module version 1.0 target 100

// CHECK-DAG: iatom.relaxed{{.*}} not aggregated: the address may differ from lane to lane (in @divergent)
kernel @divergent(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %l = pisa.sreg.laneid : 32b
  %o = pisa.zext.64b.32b %l : 64b
  %r = pisa.iatom.global.system.add.32b [%p + %o], %v : 32b
  builtin.return
}

// The result of an atomic operation differs from lane to lane.
// CHECK-DAG: iatom.relaxed{{.*}} not aggregated: the address may differ from lane to lane (in @of_atomic)
kernel @of_atomic(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %l = pisa.iatom.global.system.xchg.32b [%p], %v : 32b
  %o = pisa.zext.64b.32b %l : 64b
  %r = pisa.iatom.global.system.add.32b [%p + %o], %v : 32b
  builtin.return
}

// CHECK-DAG: iatom.release.gpu{{.*}} not aggregated: its order is that of each lane (AGG) (in @ordered)
kernel @ordered(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.iatom.global.release.gpu.add.32b [%p], %v : 32b
  builtin.return
}

// CHECK-DAG: not aggregated: a release may precede it, which only its own lane's operation publishes (AGG) (in @release_before)
kernel @release_before(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  pisa.fence.release.gpu
  builtin.br ^next
^next:
  %r = pisa.iatom.global.system.add.32b [%p], %v : 32b
  builtin.return
}

// CHECK-DAG: not aggregated: an acquire may follow it, which only its own lane's operation serves (AGG) (in @acquire_after)
kernel @acquire_after(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.iatom.global.system.add.32b [%p], %v : 32b
  builtin.br ^next
^next:
  pisa.fence.acquire.gpu
  %x = pisa.ld.global.32b [%p] : 32b
  builtin.return
}

// CHECK-DAG: not aggregated: a call may order accesses (in @call)
function @ext() import
kernel @call(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.iatom.global.system.add.32b [%p], %v : 32b
  builtin.call @ext()
  builtin.return
}

// CHECK-DAG: not aggregated: few lanes can be active (in @few)
kernel @few(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %l = pisa.sreg.laneid : 32b
  %k = pisa.ucmp.eq.32b %l, %v : pred
  builtin.cond_br %k, ^do, ^out
^do:
  %r = pisa.iatom.global.system.add.32b [%p], %v : 32b
  builtin.br ^out
^out:
  builtin.return
}

// CHECK-DAG: ld.relaxed{{.*}} may touch the same location (in @same_location)
kernel @same_location(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %q = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.iatom.global.system.add.32b [%p], %v : 32b
  %x = pisa.ld.global.relaxed.system.32b [%q] : 32b
  builtin.return
}

// CHECK-DAG: not aggregated: in a loop, one lane's operation may be done by different leaders, out of the order that its results show (in @loop)
kernel @loop(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  builtin.br ^loop
^loop:
  %r = pisa.iatom.global.system.add.32b [%p], %v : 32b
  %k = pisa.ucmp.lt.32b %r, %v : pred
  builtin.cond_br %k, ^loop, ^out
^out:
  builtin.return
}

// CHECK-DAG: fatom.relaxed{{.*}} not aggregated: sums of floats depend on the order of the lanes (--fp-atomics=fast) (in @float)
kernel @float(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.fatom.global.system.add.f [%p], %v : 32b
  builtin.return
}

// CHECK-DAG: not aggregated: the operation is none that lanes can combine (in @xchg)
kernel @xchg(param %a size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.iatom.global.system.xchg.32b [%p], %v : 32b
  builtin.return
}

// CHECK-DAG: not aggregated: few lanes can be active (in @small_group)
kernel @small_group(param %a size 8 align 8 space global) reqd_work_group_size(3, 1, 1) {
^bb0:
  %p = pisa.ld.param.64b %a : 64b
  %v = builtin.const 0x1 : 16b
  %r = pisa.iatom.global.system.add.16b [%p], %v : 16b
  builtin.return
}

// A function may be called by lanes that are ordered around the call: nothing.
// CHECK-LABEL: function @function(
// CHECK-NOT: ired
// CHECK: builtin.return
function @function(64b, 32b) {
^bb0(%p: 64b, %v: 32b):
  %r = pisa.iatom.global.system.add.32b [%p], %v : 32b
  builtin.return
}
