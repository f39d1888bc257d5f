// RUN: pisac --passes=fence-elide{merge=never} --emit=ir %s -o - | FileCheck %s
// Fences with accesses between.

module version 1.0 target 100

var @s global size 4 align 4

function @ext() import

// F10.rel;ld.weak;rel: not the later
// CHECK-LABEL: kernel @F10(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F10(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  %v4 = pisa.ld.global.32b [%z] : 32b
  pisa.fence.release.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F10c.rel;st.weak;rel->keep last
// CHECK-LABEL: kernel @F10c(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F10c(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
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
  pisa.fence.release.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F10d.rel;st.rlx;rel: an atomic write between
// CHECK-LABEL: kernel @F10d(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F10d(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
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
  pisa.fence.release.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F10e.acq;st.rlx;acq->keep first
// CHECK-LABEL: kernel @F10e(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F10e(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.acquire.gpu
  pisa.st.global.relaxed.system.32b [%z], %one
  pisa.fence.acquire.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F10f.acq;ld.weak;acq->keep first
// CHECK-LABEL: kernel @F10f(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F10f(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
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
  pisa.fence.acquire.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F10g.acq;ld.rlx;acq: an atomic read between
// CHECK-LABEL: kernel @F10g(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F10g(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.acquire.gpu
  %v4 = pisa.ld.global.relaxed.system.32b [%z] : 32b
  pisa.fence.acquire.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// F10i.sc;st.weak;sc: neither
// CHECK-LABEL: kernel @F10i(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.seq_cst.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.seq_cst.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F10i(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.seq_cst.gpu
  pisa.st.global.32b [%z], %one
  pisa.fence.seq_cst.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// a call between
// CHECK-LABEL: kernel @F10_call(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} builtin.call @ext
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F10_call(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  builtin.call @ext()
  pisa.fence.release.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// release;acquire;release is not release;acquire (F02d)
// CHECK-LABEL: kernel @F10_between(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.acquire.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F10_between(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  pisa.fence.acquire.gpu
  pisa.fence.release.gpu
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}

// the wider fence in front of a narrower one
// CHECK-LABEL: kernel @F10_wider(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.workgroup{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT: builtin.return
kernel @F10_wider(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
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
  pisa.fence.release.workgroup
  %v6 = pisa.ld.global.32b [%x] : 32b
  pisa.st.global.relaxed.system.32b [%y], %one
  %v8 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.return
}
