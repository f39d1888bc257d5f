// RUN: pisac --passes=fence-elide --emit=ir %s -o - | FileCheck %s
// A seq_cst access is no seq_cst fence.

module version 1.0 target 100

var @s global size 4 align 4

function @ext() import

// F14.st.sc;sc
// CHECK-LABEL: kernel @F14(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.seq_cst.gpu.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.seq_cst.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @F14(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.st.global.seq_cst.gpu.32b [%y], %one
  pisa.fence.global.seq_cst.gpu
  %v4 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// F14b.sc;ld.sc
// CHECK-LABEL: kernel @F14b(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.seq_cst.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.seq_cst.gpu.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @F14b(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.global.seq_cst.gpu
  %v3 = pisa.ld.global.seq_cst.gpu.32b [%y] : 32b
  %v4 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// F14c.st.sc;sc;ld.sc
// CHECK-LABEL: kernel @F14c(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.seq_cst.gpu.32b
// CHECK-NEXT:{{.*}} pisa.fence.global.seq_cst.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.seq_cst.gpu.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @F14c(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.st.global.seq_cst.gpu.32b [%y], %one
  pisa.fence.global.seq_cst.gpu
  %v4 = pisa.ld.global.seq_cst.gpu.32b [%z] : 32b
  %v5 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}
