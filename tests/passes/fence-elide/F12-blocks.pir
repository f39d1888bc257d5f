// RUN: pisac --passes=fence-elide --emit=ir %s -o - | FileCheck %s
// RUN: pisac --passes=fence-elide{motion=0} --emit=ir %s -o - | FileCheck %s --check-prefix=STAY
// Fences move onto the ways that need them: out of loops, into arms. No way gets another fence.

module version 1.0 target 100

// F12f: the loop's own way round needs no acquire; the first entry does.
// CHECK-LABEL: kernel @F12f_loop(
// CHECK: pisa.ld.global.relaxed
// CHECK: pisa.fence.global.acquire.gpu
// CHECK-NEXT: builtin.br ^bb1
// CHECK: ^bb1{{.*}}preds
// CHECK-NOT: pisa.fence
// STAY-LABEL: kernel @F12f_loop(
// STAY: ^bb1{{.*}}preds
// STAY: pisa.fence.global.acquire.gpu
kernel @F12f_loop(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %n = pisa.ld.param.32b %c : 32b
  %f = pisa.ld.global.relaxed.system.32b [%y] : 32b
  builtin.br ^loop(%f)
^loop(%i: 32b):
  pisa.fence.global.acquire.gpu
  %x = pisa.ld.global.32b [%y] : 32b
  %j = pisa.iadd.32b %i, %x : 32b
  pisa.st.global.32b [%y], %j
  %p = pisa.ucmp.lt.32b %j, %n : pred
  builtin.cond_br %p, ^loop(%j), ^out
^out:
  builtin.return
}

// F12: nothing in the loop publishes; what follows it does.
// CHECK-LABEL: kernel @F12_loop(
// CHECK: ^bb1{{.*}}preds
// CHECK-NOT: pisa.fence
// CHECK: builtin.cond_br
// CHECK: pisa.fence.global.release.gpu
// CHECK-NEXT: pisa.st.global.relaxed
kernel @F12_loop(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %n = pisa.ld.param.32b %c : 32b
  builtin.br ^loop(%n)
^loop(%i: 32b):
  %x = pisa.ld.global.32b [%y] : 32b
  %j = pisa.iadd.32b %i, %x : 32b
  pisa.st.global.32b [%y], %j
  pisa.fence.global.release.gpu
  %p = pisa.ucmp.lt.32b %j, %n : pred
  builtin.cond_br %p, ^loop(%j), ^out
^out:
  pisa.st.global.relaxed.system.32b [%z], %n
  builtin.return
}

// A loop that publishes, or reads a flag, in each round keeps its fences.
// CHECK-LABEL: kernel @F12c_loop(
// CHECK: ^bb1{{.*}}preds
// CHECK: pisa.fence.global.acquire.gpu
// CHECK: pisa.fence.global.release.gpu
// CHECK: builtin.cond_br
kernel @F12c_loop(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = pisa.ld.param.64b %b : 64b
  %n = pisa.ld.param.32b %c : 32b
  builtin.br ^loop(%n)
^loop(%i: 32b):
  %f = pisa.ld.global.relaxed.system.32b [%z] : 32b
  pisa.fence.global.acquire.gpu
  %x = pisa.ld.global.32b [%y] : 32b
  %j = pisa.iadd.32b %i, %x : 32b
  pisa.st.global.32b [%y], %j
  pisa.fence.global.release.gpu
  pisa.st.global.relaxed.system.32b [%z], %n
  %p = pisa.ucmp.lt.32b %j, %n : pred
  builtin.cond_br %p, ^loop(%j), ^out
^out:
  builtin.return
}

// One arm has acquired already: the fence behind moves into the other.
// CHECK-LABEL: kernel @F12f_arms(
// CHECK: builtin.cond_br
// CHECK: pisa.fence.global.acquire.gpu
// CHECK: pisa.fence.global.acquire.gpu
// CHECK: ^bb3{{.*}}preds
// CHECK-NOT: pisa.fence
// CHECK: builtin.return
kernel @F12f_arms(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %n = pisa.ld.param.32b %c : 32b
  %f = pisa.ld.global.relaxed.system.32b [%y] : 32b
  %p = pisa.ucmp.lt.32b %f, %n : pred
  builtin.cond_br %p, ^l, ^r
^l:
  pisa.fence.global.acquire.gpu
  %x = pisa.ld.global.32b [%y] : 32b
  builtin.br ^out
^r:
  pisa.st.global.32b [%y], %n
  builtin.br ^out
^out:
  pisa.fence.global.acquire.gpu
  %u = pisa.ld.global.32b [%y] : 32b
  builtin.return
}

// No arm has: it stays, as two fences are no gain.
// CHECK-LABEL: kernel @F12f_none(
// CHECK: ^bb3{{.*}}preds
// CHECK-NEXT: pisa.fence.global.acquire.gpu
kernel @F12f_none(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %n = pisa.ld.param.32b %c : 32b
  %f = pisa.ld.global.relaxed.system.32b [%y] : 32b
  %p = pisa.ucmp.lt.32b %f, %n : pred
  builtin.cond_br %p, ^l, ^r
^l:
  %x = pisa.ld.global.32b [%y] : 32b
  builtin.br ^out
^r:
  pisa.st.global.32b [%y], %n
  builtin.br ^out
^out:
  pisa.fence.global.acquire.gpu
  %u = pisa.ld.global.32b [%y] : 32b
  builtin.return
}
