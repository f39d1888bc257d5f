// RUN: pisac -O0 --emit=llvm --mcpu=gfx942 -o - %s | FileCheck %s
// Full products by constants: a shift for a power of two where the hardware
// adds a shifted value, else a product. Zero is no power of two, and the sign
// bit of a signed factor is no factor 2^31.
module version 1.0

// CHECK-LABEL: @products(
function @products(32b) -> 64b export {
^bb0(%a: 32b):
  %zero = builtin.const 0 : 32b
  %one = builtin.const 1 : 32b
  %eight = builtin.const 8 : 32b
  %top = builtin.const 0x80000000 : 32b
  // CHECK: mul i64 %{{[0-9]+}}, %{{[0-9]+}}
  %0 = pisa.umul.full.32b %a, %zero : 64b
  // CHECK: shl i64 %{{[0-9]+}}, 0
  %1 = pisa.umul.full.32b %a, %one : 64b
  // CHECK: shl i64 %{{[0-9]+}}, 3
  %2 = pisa.smul.full.32b %a, %eight : 64b
  // CHECK: mul i64 %{{[0-9]+}}, %{{[0-9]+}}
  %3 = pisa.umul.full.32b %a, %top : 64b
  // CHECK: mul i64 %{{[0-9]+}}, %{{[0-9]+}}
  %4 = pisa.smul.full.32b %a, %top : 64b
  builtin.return %4
}
