// RUN: pisac -O0 --emit=ir -o - %s | FileCheck %s
// RUN: pisac -O0 --emit=ir -o %t.1.pir %s
// RUN: pisac -O0 --emit=ir -o %t.2.pir %t.1.pir
// RUN: diff %t.1.pir %t.2.pir
// What stands at module scope.

// CHECK: {{^}}module version 0.1 target 100ca{{$}}
module version 0.1 target 100ca

// CHECK-EMPTY:
// CHECK-NEXT: var @tab const size 22 align 8 export = { bytes 0x0102, zero 4, sym @tab + 4, sym @f - 8 }
// CHECK-NEXT: var @g global size 4 align 4 section ".mine" host_access "rw" = { zero 4 }
// CHECK-NEXT: var @elsewhere global size 100 align 1 import
// CHECK-NEXT: var @"operator+\22" global size 0 align 1 = { }
var @tab const export align 8 size 22 = { bytes 0x0102, zero 4,
  sym @tab + 4, sym @f - 8 }
var @g global host_access "rw" section ".mine" align 4 size 4 = { zero 4 }
var @elsewhere global size 100 align 1 import
var @"operator\2b\22" global size 0 align 1 = {}

// CHECK: kernel @k(param %a size 8 align 8 space global ptr_align 4, param %b size 3 align 1) reqd_work_group_size(64, 2, 1) vec_type_hint "int4" {
// CHECK-NEXT: var @g shared size 1024 align 16
// CHECK-NEXT: var @c const size 8 align 8 = { sym @@g }
kernel @k(param %a ptr_align 4 space global size 8, param %b size 3 align 1) vec_type_hint "int4" reqd_work_group_size(64, 2, 1) {
  var @g shared size 1024 align 16
  var @c const size 8 align 8 = { sym @@g }
^b:
  // The local variable hides the module's, which @@ still names.
  // CHECK: %0 = pisa.addrof.32b @g : 32b
  // CHECK: %1 = pisa.addrof.64b @@g : 64b
  // CHECK: %2 = pisa.addrof.64b @"operator+\22" : 64b
  %0 = pisa.addrof.32b @g : 32b
  %1 = pisa.addrof.64b @@g : 64b
  %2 = pisa.addrof.64b @"operator+\22" : 64b
  builtin.return
}

// CHECK: function @f(v4.32b %"a b", pred) -> 128b import{{$}}
// CHECK: function @h() export {
function @f(v4.32b %"a b", pred) -> 128b import
function @h() export {
^b:
  builtin.return
}
