// RUN: pisac --passes=atomic-coalesce{aggregate=0} --emit=ir %s -o - | FileCheck %s
// What stays as it is.

module version 1.0 target 100

// operations that do not combine
// CHECK-LABEL: kernel @mixed(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @mixed(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.or.32b [%y], %v : 32b
  builtin.return
}

// minimum and maximum
// CHECK-LABEL: kernel @minmax(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @minmax(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.umin.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.umax.32b [%y], %v : 32b
  builtin.return
}

// signed and unsigned minimum
// CHECK-LABEL: kernel @signs(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @signs(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.umin.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.smin.32b [%y], %v : 32b
  builtin.return
}

// incwrap
// CHECK-LABEL: kernel @wrap(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @wrap(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.incwrap.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.incwrap.32b [%y], %v : 32b
  builtin.return
}

// cas
// CHECK-LABEL: kernel @cas(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @cas(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.iatom.global.system.cas.32b [%y], %v, %v : 32b
  %q = pisa.iatom.global.system.cas.32b [%y], %v, %v : 32b
  builtin.return
}

// A03d, A03e: adding 0 is no load
// CHECK-LABEL: kernel @A03d(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A03d(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %n = builtin.const 0x0 : 32b
  %r = pisa.iatom.global.system.add.32b [%y], %n : 32b
  pisa.st.private.32b [%v], %r
  builtin.return
}

// A06, A06b: an exchange without use is no store
// CHECK-LABEL: kernel @A06b(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A06b(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.iatom.global.system.xchg.32b [%y], %v : 32b
  builtin.return
}

// cache hints differ
// CHECK-LABEL: kernel @cache(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @cache(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %r = pisa.iatom.global.system.uc.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// other widths
// CHECK-LABEL: kernel @width(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @width(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %v = pisa.ld.param.32b %c : 32b
  %d = pisa.zext.64b.32b %v : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.add.64b [%y], %d : 64b
  builtin.return
}
