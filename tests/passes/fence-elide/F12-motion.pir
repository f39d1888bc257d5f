// RUN: pisac --passes=fence-elide{merge=always} --emit=ir %s -o - | FileCheck %s
// Fences move to meet.

module version 1.0 target 100

var @s global size 4 align 4

function @ext() import

// F12.sink rel below st.weak: to an acquire
// CHECK-LABEL: kernel @F12(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F12(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  pisa.st.global.32b [%z], %one
  pisa.fence.acquire.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F12b.sink rel below ld.rlx
// CHECK-LABEL: kernel @F12b(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.fence.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F12b(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  %v4 = pisa.ld.global.relaxed.system.32b [%z] : 32b
  pisa.fence.acquire.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F12c: no release below st.rlx, but an acquire above it (F12g)
// CHECK-LABEL: kernel @F12c(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F12c(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  pisa.st.global.relaxed.system.32b [%z], %one
  pisa.fence.acquire.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F12h, F12c: neither passes a read-modify-write
// CHECK-LABEL: kernel @F12h(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.iatom.global.system.add.32b
// CHECK-NEXT:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F12h(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  %v4 = pisa.iatom.global.system.add.32b [%z], %one : 32b
  pisa.fence.acquire.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// loads before stores: they meet between
// CHECK-LABEL: kernel @F12_both(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.fence.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F12_both(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  %v4 = pisa.ld.global.relaxed.system.32b [%z] : 32b
  pisa.st.global.relaxed.system.32b [%z], %one
  pisa.fence.acquire.gpu
  %v7 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v9 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// stores before loads: they cannot
// CHECK-LABEL: kernel @F12_neither(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F12_neither(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  pisa.st.global.relaxed.system.32b [%z], %one
  %v5 = pisa.ld.global.relaxed.system.32b [%z] : 32b
  pisa.fence.acquire.gpu
  %v7 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v9 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F12d, F12i: acquire and release do not move towards each other the other way
// CHECK-LABEL: kernel @F12d(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F12d(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.acquire.gpu
  %v4 = pisa.ld.global.32b [%z] : 32b
  pisa.fence.release.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}
