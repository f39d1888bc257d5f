// RUN: pisac --mcpu=gfx942 --emit=llvm %s -o - | FileCheck %s --check-prefixes=CHECK,SHIFT
// RUN: pisac --mcpu=gfx1100 --emit=llvm %s -o - | FileCheck %s --check-prefixes=CHECK,MUL
// A full product by a power of two is a shift where v_lshl_add_u64 adds shifted
// values, and a product, for v_mad_u64_u32, elsewhere. A signed factor of 2^31 is
// negative.

module version 1.0 target 100

// CHECK-LABEL: @f(
// SHIFT: %[[X:.*]] = zext i32 %{{.*}} to i64
// SHIFT: shl i64 %[[X]], 2
// SHIFT: %[[Y:.*]] = sext i32 %{{.*}} to i64
// SHIFT: shl i64 %[[Y]], 3
// MUL: mul i64
// MUL: mul i64
// CHECK: mul i64
// CHECK: mul i64
// CHECK-NOT: mul i64
// CHECK: ret i64
function @f(32b) -> 64b export {
^bb0(%x: 32b):
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 32b
  %6 = builtin.const 6 : 32b
  %m = builtin.const 0x80000000 : 32b
  %a = pisa.umul.full.32b %x, %4 : 64b
  %b = pisa.smad.full.32b %x, %8, %a : 64b
  %c = pisa.umad.full.32b %x, %6, %b : 64b
  %d = pisa.smad.full.32b %x, %m, %c : 64b
  builtin.return %d
}
