// RUN: not pisac -O0 --emit=llvm --mcpu=gfx942 -o - %s 2>&1 | FileCheck %s
module version 1.0

function @f(64b, 128b) -> 128b export {
^bb0(%p: 64b, %x: 128b):
  // CHECK: refused.pir:[[@LINE+1]]:{{[0-9]+}}: error: gfx942 has no 128-bit atomic instruction
  %0 = pisa.iatom.global.relaxed.system.xchg.128b [%p], %x : 128b
  // CHECK: refused.pir:[[@LINE+1]]:{{[0-9]+}}: error: gfx942 has no 128-bit atomic instruction
  pisa.st.global.release.gpu.128b [%p], %x
  builtin.return %0
}
// CHECK: refused.pir:[[@LINE+1]]:{{[0-9]+}}: error: a work-group of 1024×2×1 work-items is impossible on gfx942
kernel @k() reqd_work_group_size(1024, 2, 1) {
^bb0:
  builtin.return
}
