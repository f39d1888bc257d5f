// RUN: pisac --passes=memorder-strengthen{fences=always} --emit=ir %s -o - | FileCheck %s
// What a caller has read, or will write, needs the fence.

module version 1.0 target 100

var @s global size 4 align 4

function @ext() import

// S01: as S01b, but the caller
// CHECK-LABEL: function @S01(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
function @S01(64b, 64b) {
^bb0(%y: 64b, %z: 64b):
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.fence.acquire.gpu
  %v3 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// S02: as S02b, but the caller
// CHECK-LABEL: function @S02(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
function @S02(64b, 64b) {
^bb0(%y: 64b, %z: 64b):
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.return
}

// S01b: between fences of the function
// CHECK-LABEL: function @S01b(
// CHECK:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.acquire.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
function @S01b(64b, 64b) {
^bb0(%y: 64b, %z: 64b):
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.fence.acquire.gpu
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.fence.acquire.gpu
  %v4 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}
