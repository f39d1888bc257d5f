// RUN: pisac --passes=memorder-strengthen{fences=always} --emit=ir %s -o - | FileCheck %s
// All accesses that a fence orders become ordered, at the join of the scopes.

module version 1.0 target 100

var @s global size 4 align 4

function @ext() import

// S01.ld.rlx;acq: an earlier relaxed read becomes an acquire too (S01e)
// CHECK-LABEL: kernel @S01(
// CHECK:{{.*}} pisa.ld.global.acquire.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.acquire.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @S01(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%z] : 32b
  %v2 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.fence.acquire.gpu
  %v4 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// S01b.ld.rlx;acq->ld.acq/pre
// CHECK-LABEL: kernel @S01b(
// CHECK:{{.*}} pisa.ld.global.acquire.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @S01b(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
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

// S01c: the scope of a relaxed access is not narrowed
// CHECK-LABEL: kernel @S01c(
// CHECK:{{.*}} pisa.ld.global.acquire.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @S01c(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.fence.acquire.workgroup
  %v3 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// S01f.global acq fence + own
// CHECK-LABEL: kernel @S01f(
// CHECK:{{.*}} pisa.ld.global.acquire.system.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @S01f(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
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

// S02b.rel;st.rlx->st.rel/pre
// CHECK-LABEL: kernel @S02b(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.release.system.32b
// CHECK-NEXT: builtin.return
kernel @S02b(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
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

// S02d.rel;st;st->both rel
// CHECK-LABEL: kernel @S02d(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.release.system.32b
// CHECK-NEXT:{{.*}} pisa.st.global.release.system.32b
// CHECK-NEXT: builtin.return
kernel @S02d(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  pisa.st.global.relaxed.system.32b [%y], %one
  pisa.st.global.relaxed.system.32b [%z], %one
  builtin.return
}

// S02b: up to the next release fence that includes it
// CHECK-LABEL: kernel @S02b_fence(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.st.global.release.system.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} builtin.call @ext
// CHECK-NEXT: builtin.return
kernel @S02b_fence(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.global.release.gpu
  pisa.st.global.relaxed.system.32b [%y], %one
  pisa.fence.release.gpu
  builtin.call @ext()
  builtin.return
}

// a call behind it may write
// CHECK-LABEL: kernel @S02_call(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.fence.release.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.st.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} builtin.call @ext
// CHECK-NEXT: builtin.return
kernel @S02_call(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  pisa.st.global.relaxed.system.32b [%y], %one
  builtin.call @ext()
  builtin.return
}

// S04.atom.rlx;acq->atom.acq/pre
// CHECK-LABEL: kernel @S04(
// CHECK:{{.*}} pisa.iatom.global.acquire.system.add.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @S04(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.iatom.global.system.add.32b [%y], %one : 32b
  pisa.fence.acquire.gpu
  %v3 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// S04b.rel;atom.rlx;acq->acq_rel/pre
// CHECK-LABEL: kernel @S04b(
// CHECK:{{.*}} pisa.st.global.32b
// CHECK-NEXT:{{.*}} pisa.iatom.global.acq_rel.system.add.32b
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @S04b(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  pisa.st.global.32b [%x], %one
  pisa.fence.release.gpu
  %v3 = pisa.iatom.global.system.add.32b [%y], %one : 32b
  pisa.fence.acquire.gpu
  %v5 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}

// seq_cst has no form among accesses
// CHECK-LABEL: kernel @F05e(
// CHECK:{{.*}} pisa.ld.global.relaxed.system.32b
// CHECK-NEXT:{{.*}} pisa.fence.seq_cst.gpu{{$}}
// CHECK-NEXT:{{.*}} pisa.ld.global.32b
// CHECK-NEXT: builtin.return
kernel @F05e(param %a size 8 align 8 space global, param %b size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %x = pisa.addrof.64b @s : 64b
  %one = builtin.const 0x1 : 32b
  %sh = builtin.const 0x0 : 32b
  %v1 = pisa.ld.global.relaxed.system.32b [%y] : 32b
  pisa.fence.seq_cst.gpu
  %v3 = pisa.ld.global.32b [%x] : 32b
  builtin.return
}
