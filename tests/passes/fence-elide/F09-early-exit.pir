// RUN: pisac --passes=fence-elide --emit=ir %s -o - | FileCheck %s
// A barrier that some work-items do not come to covers no acquire (F09), but a release.

module version 1.0 target 100

// CHECK-LABEL: kernel @F09_acq_rel(
// CHECK: pisa.fence.global.acquire.workgroup
// CHECK-NEXT: pisa.barrier.workgroup
// CHECK-NOT: pisa.fence
// CHECK: pisa.barrier.workgroup
// CHECK-NEXT: pisa.fence.global.workgroup
kernel @F09_acq_rel(param %a size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %f = pisa.ld.global.relaxed.system.32b [%y] : 32b
  %n = builtin.const 0x40 : 32b
  %p = pisa.ucmp.lt.32b %f, %n : pred
  builtin.cond_br %p, ^go, ^leave
^leave:
  builtin.return
^go:
  %g = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.fence.global.workgroup
  pisa.barrier.workgroup
  pisa.fence.global.workgroup
  %x = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.barrier.workgroup
  pisa.fence.global.workgroup
  %z = pisa.ld.global.32b [%y] : 32b
  pisa.st.global.relaxed.system.32b [%y], %z
  builtin.return
}

// A later barrier that all come to vouches for the earlier one.
// CHECK-LABEL: kernel @F09n_later(
// CHECK-NOT: pisa.fence
// CHECK: builtin.return
kernel @F09n_later(param %a size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %f = pisa.ld.global.relaxed.system.32b [%y] : 32b
  %n = builtin.const 0x40 : 32b
  %p = pisa.ucmp.lt.32b %f, %n : pred
  builtin.cond_br %p, ^go, ^leave
^leave:
  builtin.br ^end
^go:
  pisa.fence.global.acquire.workgroup
  pisa.barrier.workgroup
  %x = pisa.ld.global.32b [%y] : 32b
  builtin.br ^end
^end:
  pisa.barrier.workgroup
  pisa.fence.global.acquire.workgroup
  %u = pisa.ld.global.32b [%y] : 32b
  builtin.return
}

// A fence in a function: its caller may end work-items.
// CHECK-LABEL: function @F09n_function(
// CHECK: pisa.fence.global.acquire.workgroup
function @F09n_function(64b) {
^bb0(%y: 64b):
  %f = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.fence.global.acquire.workgroup
  pisa.barrier.workgroup
  %x = pisa.ld.global.32b [%y] : 32b
  builtin.return
}
