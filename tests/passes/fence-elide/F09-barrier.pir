// RUN: pisac --passes=fence-elide --emit=ir %s -o - | FileCheck %s
// Fences beside a barrier that every work-item of the group comes to.

module version 1.0 target 100

var @s global size 4 align 4

function @ext() import

// F09.release.wg;bar->bar
// CHECK-LABEL: kernel @F09_release(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09_release(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.workgroup
  pisa.barrier.workgroup
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// F09b.bar;release.wg->bar
// CHECK-LABEL: kernel @F09b_release(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09b_release(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.barrier.workgroup
  pisa.fence.release.workgroup
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// F09n.acquire.wg;bar->bar/noexit
// CHECK-LABEL: kernel @F09n_acquire(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09n_acquire(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.acquire.workgroup
  pisa.barrier.workgroup
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// F09m.bar;acquire.wg->bar/noexit
// CHECK-LABEL: kernel @F09m_acquire(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09m_acquire(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.barrier.workgroup
  pisa.fence.acquire.workgroup
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// F09n.acq_rel.wg;bar->bar/noexit
// CHECK-LABEL: kernel @F09n_acq_rel(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09n_acq_rel(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.workgroup
  pisa.barrier.workgroup
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// F09m.bar;acq_rel.wg->bar/noexit
// CHECK-LABEL: kernel @F09m_acq_rel(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09m_acq_rel(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.barrier.workgroup
  pisa.fence.workgroup
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// F09n.seq_cst.wg;bar->bar/noexit
// CHECK-LABEL: kernel @F09n_seq_cst(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09n_seq_cst(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.seq_cst.workgroup
  pisa.barrier.workgroup
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// F09m.bar;seq_cst.wg->bar/noexit
// CHECK-LABEL: kernel @F09m_seq_cst(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09m_seq_cst(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.barrier.workgroup
  pisa.fence.seq_cst.workgroup
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// F09g.rel.gpu;bar: wider than the barrier
// CHECK-LABEL: kernel @F09g(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09g(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  pisa.barrier.workgroup
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// F09h.bar;acq.gpu
// CHECK-LABEL: kernel @F09h(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09h(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.barrier.workgroup
  pisa.fence.acquire.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// F09j: a gpu release is not hoisted above a barrier
// CHECK-LABEL: kernel @F09j(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09j(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.barrier.workgroup
  pisa.fence.release.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// a wider seq_cst fence
// CHECK-LABEL: kernel @F09_seq_cst_gpu(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.fence.seq_cst.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09_seq_cst_gpu(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.barrier.workgroup
  pisa.fence.seq_cst.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// an access between
// CHECK-LABEL: kernel @F09_access(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.barrier.workgroup
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.workgroup{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F09_access(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.barrier.workgroup
  pisa.st.global.32b [%x], %one
  pisa.fence.release.workgroup
  %v7 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}
