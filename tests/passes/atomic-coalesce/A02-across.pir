// RUN: pisac --passes=atomic-coalesce{aggregate=0} --emit=ir %s -o - | FileCheck %s
// Which accesses to other locations relaxed additions meet across, and on which side.

module version 1.0 target 100

// A02.add;ld.weak x;add
// CHECK-LABEL: kernel @A02_ld_weak(
// CHECK: pisa.ld.param.32b
// CHECK-NOT: iatom
// CHECK: pisa.ld.global.32b
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_ld_weak(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %l = pisa.ld.global.32b [%y + %k] : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// A02.add;st.weak x;add
// CHECK-LABEL: kernel @A02_st_weak(
// CHECK: pisa.ld.param.32b
// CHECK-NOT: iatom
// CHECK: pisa.st.global.32b
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_st_weak(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  pisa.st.global.32b [%y + %k], %v
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// A02.add;ld.rlx z;add->down, not up
// CHECK-LABEL: kernel @A02_ld_rlx(
// CHECK: pisa.ld.param.32b
// CHECK-NOT: iatom
// CHECK: pisa.ld.global.relaxed
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_ld_rlx(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %l = pisa.ld.global.relaxed.system.32b [%y + %k] : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// A02.add;st.rlx z;add->up, not down
// CHECK-LABEL: kernel @A02_st_rlx(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: pisa.st.global.relaxed
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_st_rlx(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  pisa.st.global.relaxed.system.32b [%y + %k], %v
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// A02.add;ld.acq z;add->down, not up
// CHECK-LABEL: kernel @A02_ld_acq(
// CHECK: pisa.ld.param.32b
// CHECK-NOT: iatom
// CHECK: pisa.ld.global.acquire
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_ld_acq(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %l = pisa.ld.global.acquire.gpu.32b [%y + %k] : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// A02.add;st.rel z;add->up, not down
// CHECK-LABEL: kernel @A02_st_rel(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: pisa.st.global.release
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_st_rel(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  pisa.st.global.release.gpu.32b [%y + %k], %v
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// a load that forbids one side and a store that forbids the other
// CHECK-LABEL: kernel @A02_both(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.ld.global.relaxed
// CHECK: pisa.st.global.relaxed
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_both(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %l = pisa.ld.global.relaxed.system.32b [%y + %k] : 32b
  pisa.st.global.relaxed.system.32b [%y + %k], %v
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// A02.add;F.acq;add
// CHECK-LABEL: kernel @A02_fence_acq(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.fence.acquire.gpu
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_fence_acq(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  pisa.fence.acquire.gpu
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// A02.add;F.rel;add
// CHECK-LABEL: kernel @A02_fence_rel(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.fence.release.gpu
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_fence_rel(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  pisa.fence.release.gpu
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// a barrier is a fence
// CHECK-LABEL: kernel @A02_barrier(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.barrier.workgroup
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_barrier(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  pisa.barrier.workgroup
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// a seq_cst access
// CHECK-LABEL: kernel @A02_sc(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.st.global.seq_cst
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_sc(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  pisa.st.global.seq_cst.gpu.32b [%y + %k], %v
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// a weak access that may touch the location
// CHECK-LABEL: kernel @A02_alias(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.ld.global.32b
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_alias(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %l = pisa.ld.global.32b [%o] : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// only relaxed additions: the second acquires
// CHECK-LABEL: kernel @A02_acquire(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.st.global.32b
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_acquire(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  pisa.st.global.32b [%y + %k], %v
  %q = pisa.iatom.global.acquire.gpu.add.32b [%y], %v : 32b
  builtin.return
}

// only relaxed additions: the first releases
// CHECK-LABEL: kernel @A02_release(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.ld.global.32b
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_release(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.release.gpu.add.32b [%y], %v : 32b
  %l = pisa.ld.global.32b [%y + %k] : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// only additions
// CHECK-LABEL: kernel @A02_or(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.ld.global.32b
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_or(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.or.32b [%y], %v : 32b
  %l = pisa.ld.global.32b [%y + %k] : 32b
  %q = pisa.iatom.global.system.or.32b [%y], %v : 32b
  builtin.return
}

// the first result is used between, and the second operand comes later
// CHECK-LABEL: kernel @A02_used(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.st.global.32b
// CHECK: pisa.ld.global.32b
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_used(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  pisa.st.global.32b [%y + %k], %r
  %l = pisa.ld.global.32b [%y + %k] : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %l : 32b
  builtin.return
}

// the first result is used between: the second comes up
// CHECK-LABEL: kernel @A02_used_up(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: pisa.st.global.32b
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A02_used_up(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  pisa.st.global.32b [%y + %k], %r
  %q = pisa.iatom.global.system.add.32b [%y], %v : 32b
  builtin.return
}

// the second operand is the first result
// CHECK-LABEL: kernel @A01_depends(
// CHECK: pisa.ld.param.32b
// CHECK: pisa.iatom.global
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: builtin.return
kernel @A01_depends(param %a size 8 align 8 space global, param %b size 8 align 8 space global, param %c size 4 align 4) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %o = pisa.ld.param.64b %b : 64b
  %v = pisa.ld.param.32b %c : 32b
  %k = builtin.const 0x40 : 64b
  %r = pisa.iatom.global.system.add.32b [%y], %v : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %r : 32b
  builtin.return
}

// A02.add;st.rlx z;add->up, a constant operand comes along
// CHECK-LABEL: kernel @A02_constant(
// CHECK: builtin.const 0x2
// CHECK: pisa.iatom.global
// CHECK-NOT: iatom
// CHECK: pisa.st.global.relaxed
// CHECK: builtin.return
kernel @A02_constant(param %a size 8 align 8 space global) {
^bb0:
  %y = pisa.ld.param.64b %a : 64b
  %z = builtin.const 0x40 : 64b
  %c1 = builtin.const 0x1 : 32b
  %r = pisa.iatom.global.system.add.32b [%y], %c1 : 32b
  pisa.st.global.relaxed.system.32b [%y + %z], %r
  %c2 = builtin.const 0x2 : 32b
  %q = pisa.iatom.global.system.add.32b [%y], %c2 : 32b
  pisa.st.global.32b [%y + %z], %q
  builtin.return
}
