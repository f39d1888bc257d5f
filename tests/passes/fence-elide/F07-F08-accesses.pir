// RUN: pisac --passes=fence-elide --emit=ir %s -o - | FileCheck %s
// Fences that ordered accesses cover, and those that they do not.

module version 1.0 target 100

var @s global size 4 align 4

function @ext() import

// F07.rel;st.rel: the fence also covers a later relaxed store
// CHECK-LABEL: kernel @F07(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.release.gpu.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F07(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.global.release.gpu
  pisa.st.global.release.gpu.32b [%y], %one
  pisa.st.global.relaxed.system.32b [%z], %one
  builtin.return
}

// F07b.rel;st.rel->st.rel/pre
// CHECK-LABEL: kernel @F07b(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.release.gpu.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @F07b(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.global.release.gpu
  pisa.st.global.release.gpu.32b [%y], %one
  %v4 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// F07b: up to the next release fence
// CHECK-LABEL: kernel @F07b_fence(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.release.gpu.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F07b_fence(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.global.release.gpu
  pisa.st.global.release.gpu.32b [%y], %one
  pisa.fence.global.release.gpu
  pisa.st.global.relaxed.system.32b [%z], %one
  builtin.return
}

// F07b: not up to a narrower one
// CHECK-LABEL: kernel @F07b_narrow(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.release.gpu.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.release.workgroup{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F07b_narrow(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.global.release.gpu
  pisa.st.global.release.gpu.32b [%y], %one
  pisa.fence.global.release.workgroup
  pisa.st.global.relaxed.system.32b [%z], %one
  builtin.return
}

// F07c: the store is narrower than the fence
// CHECK-LABEL: kernel @F07c(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.release.workgroup.32b
// CHECK-NEXT: builtin.return
kernel @F07c(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.global.release.gpu
  pisa.st.global.release.workgroup.32b [%y], %one
  builtin.return
}

// F07d.rel;atom.rel->atom.rel/pre
// CHECK-LABEL: kernel @F07d(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.iatom.global.release.gpu.add.32b
// CHECK-NEXT: builtin.return
kernel @F07d(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.global.release.gpu
  %v3 = pisa.iatom.global.release.gpu.add.32b [%y], %one : 32b
  builtin.return
}

// F08.ld.acq;acq: the fence also covers an earlier relaxed read
// CHECK-LABEL: kernel @F08(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.acquire.gpu.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @F08(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%z] : 32b
  %v2 = pisa.ld.global.acquire.gpu.32b [%y] : 32b
  pisa.fence.global.acquire.gpu
  %v4 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// F08b.ld.acq;acq->ld.acq/pre
// CHECK-LABEL: kernel @F08b(
// CHECK:{{.*}} pisa.ld.global.acquire.gpu.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @F08b(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.acquire.gpu.32b [%y] : 32b
  pisa.fence.global.acquire.gpu
  %v3 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// F08b: the load is narrower than the fence
// CHECK-LABEL: kernel @F08b_narrow(
// CHECK:{{.*}} pisa.ld.global.acquire.workgroup.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @F08b_narrow(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.acquire.workgroup.32b [%y] : 32b
  pisa.fence.global.acquire.gpu
  %v3 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// F08c.atom.acq;acq->atom.acq/pre
// CHECK-LABEL: kernel @F08c(
// CHECK:{{.*}} pisa.iatom.global.acquire.gpu.add.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @F08c(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.iatom.global.acquire.gpu.add.32b [%y], %one : 32b
  pisa.fence.global.acquire.gpu
  %v3 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// an acq_rel fence keeps the half that is alive
// CHECK-LABEL: kernel @half(
// CHECK:{{.*}} pisa.ld.global.acquire.gpu.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @half(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.acquire.gpu.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.global.gpu
  pisa.st.global.relaxed.system.32b [%z], %one
  builtin.return
}
