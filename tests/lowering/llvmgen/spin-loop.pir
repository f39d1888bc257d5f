// RUN: pisac -O0 --emit=llvm --mcpu=gfx942 -o - %s 2>&1 | FileCheck %s --check-prefix=WAVE64
// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s 2>&1 | FileCheck %s --check-prefix=WAVE32
// Two sub-groups of a wave share a program counter.
module version 1.0

// WAVE32-NOT: warning
function @f(64b) export {
^bb0(%p: 64b):
  %z = builtin.const 0 : 32b
  builtin.br ^bb1
^bb1:
  // WAVE64: spin-loop.pir:[[@LINE+1]]:{{[0-9]+}}: warning: this loop may wait forever for a work-item of the other sub-group
  %v = pisa.ld.global.acquire.gpu.32b [%p] : 32b
  %c = pisa.ucmp.eq.32b %v, %z : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb2:
  builtin.return
}
