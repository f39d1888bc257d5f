// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s | FileCheck %s
// .ftz is of one op: the same block computes with and without, and no mode of
// the function changes. Operands and result are flushed, keeping their sign.
module version 1.0

// CHECK-LABEL: @f(
// CHECK-NOT: denormal-fp-math
function @f(32b, 32b) -> 32b export {
^bb0(%a: 32b, %b: 32b):
  // CHECK: %[[X:[0-9]+]] = bitcast i32 %0 to float
  // CHECK-NEXT: %[[Y:[0-9]+]] = bitcast i32 %1 to float
  // CHECK-NEXT: fmul float %[[X]], %[[Y]]
  %0 = pisa.fmul.f %a, %b : 32b
  // CHECK-COUNT-3: and i32 %{{[0-9]+}}, -2147483648
  %1 = pisa.fmul.ftz.f %a, %b : 32b
  %2 = pisa.xor.32b %0, %1 : 32b
  builtin.return %2
}
// CHECK-NOT: denormal-fp-math
