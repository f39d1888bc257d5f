// RUN: pisac --passes=fence-elide --emit=ir %s -o - | FileCheck %s
// Where the kernel has no shared memory, and one half nothing to order, the shared space goes.

module version 1.0 target 100

var @s global size 4 align 4

function @ext() import

// F06b: no atomic read before
// CHECK-LABEL: kernel @F06b_no_read(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F06b_no_read(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// F06b: no atomic write behind
// CHECK-LABEL: kernel @F06b_no_write(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @F06b_no_write(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.fence.acquire.gpu
  %v3 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// F06b: a relay through other work-groups needs it
// CHECK-LABEL: kernel @F06b_both(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F06b_both(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.gpu
  %v4 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v6 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F06b: the kernel has shared memory
// CHECK-LABEL: kernel @F06b_used(
// CHECK:{{.*}} pisa.ld.shared.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F06b_used(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.shared.32b [%sh] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}
