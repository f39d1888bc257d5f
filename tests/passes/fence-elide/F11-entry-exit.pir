// RUN: pisac --passes=fence-elide --emit=ir %s -o - | FileCheck %s
// Fences at the beginning and end of a kernel.

module version 1.0 target 100

var @s global size 4 align 4

function @ext() import

// F11.entry.acq: no atomic read before
// CHECK-LABEL: kernel @F11(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F11(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.acquire.gpu
  %v3 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v5 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F11b.entry.rel: no access before
// CHECK-LABEL: kernel @F11b(
// CHECK:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F11b(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.fence.release.gpu
  %v2 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v4 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F11c.entry.sc: no access before
// CHECK-LABEL: kernel @F11c(
// CHECK:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F11c(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.fence.seq_cst.gpu
  %v2 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v4 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F11d.entry.sc-after-st
// CHECK-LABEL: kernel @F11d(
// CHECK:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.seq_cst.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F11d(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  pisa.fence.global.seq_cst.gpu
  %v3 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v5 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F11e.exit.rel: no atomic write behind
// CHECK-LABEL: kernel @F11e(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @F11e(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  %v4 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// F11f.exit.acq: no access behind
// CHECK-LABEL: kernel @F11f(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT: builtin.return
kernel @F11f(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.acquire.gpu
  builtin.return
}

// F11g.exit.sc: no access behind
// CHECK-LABEL: kernel @F11g(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT: builtin.return
kernel @F11g(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.seq_cst.gpu
  builtin.return
}

// F11h.exit.acq-before-weak
// CHECK-LABEL: kernel @F11h(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @F11h(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.fence.global.acquire.gpu
  %v3 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}
