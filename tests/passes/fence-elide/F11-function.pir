// RUN: pisac --passes=fence-elide --emit=ir %s -o - | FileCheck %s
// The beginning and end of a function are not those of a kernel.

module version 1.0 target 100

var @s global size 4 align 4

function @ext() import

// F11.entry.acq
// CHECK-LABEL: function @F11(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
function @F11(64b, 64b) {
^bb0(%y: 64b, %z: 64b):
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.acquire.gpu
  %v3 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// F11b.entry.rel
// CHECK-LABEL: function @F11b(
// CHECK:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
function @F11b(64b, 64b) {
^bb0(%y: 64b, %z: 64b):
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.fence.release.gpu
  %v2 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// F11c.entry.sc
// CHECK-LABEL: function @F11c(
// CHECK:{{.*}} pisa.fence.seq_cst.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
function @F11c(64b, 64b) {
^bb0(%y: 64b, %z: 64b):
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.fence.seq_cst.gpu
  %v2 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// F11e.exit.rel
// CHECK-LABEL: function @F11e(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT: builtin.return
function @F11e(64b, 64b) {
^bb0(%y: 64b, %z: 64b):
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  builtin.return
}

// F11f.exit.acq
// CHECK-LABEL: function @F11f(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT: builtin.return
function @F11f(64b, 64b) {
^bb0(%y: 64b, %z: 64b):
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.fence.acquire.gpu
  builtin.return
}

// F11g.exit.sc
// CHECK-LABEL: function @F11g(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.seq_cst.gpu{{$}}
// CHECK-NEXT: builtin.return
function @F11g(64b, 64b) {
^bb0(%y: 64b, %z: 64b):
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.seq_cst.gpu
  builtin.return
}

// what covers is within
// CHECK-LABEL: function @F08b(
// CHECK:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.acquire.gpu.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
function @F08b(64b, 64b) {
^bb0(%y: 64b, %z: 64b):
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.fence.acquire.gpu
  %v2 = pisa.ld.global.acquire.gpu.32b [%y] : 32b
  pisa.fence.acquire.gpu
  %v4 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}
