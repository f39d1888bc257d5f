// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s | FileCheck %s
// RUN: pisac --backend=llvm --emit=asm -O3 --mcpu=gfx1100 -o - %s | FileCheck %s --check-prefix=ASM
// REQUIRES: llvm-19
module version 1.0

// The mode register stays as it is, and what is called is inlined.
// ASM-NOT: s_round_mode
// ASM-NOT: s_setreg
// ASM-NOT: s_swappc

// CHECK-LABEL: @modes(
function @modes(32b, 32b, 64b) -> 64b export {
^bb0(%a: 32b, %b: 32b, %c: 64b):
  // CHECK: call i32 @pisa.fadd.rz.f(
  %0 = pisa.fadd.rz.f %a, %b : 32b
  // CHECK: call i32 @pisa.fmul.rna.f(
  %1 = pisa.fmul.rna.f %0, %b : 32b
  // CHECK: call i32 @pisa.fdiv.rd.f(
  %2 = pisa.fdiv.rd.f %1, %b : 32b
  // CHECK: call i32 @pisa.fsqrt.ru.f(
  %3 = pisa.fsqrt.ru.f %2 : 32b
  // CHECK: call i64 @pisa.fmad.rz.df(
  %4 = pisa.fmad.rz.df %c, %c, %c : 64b
  builtin.return %4
}

// The error of a sum is a float, and says where to go from the nearest one.
// CHECK: define internal i32 @pisa.fadd.rz.f(i32 %0, i32 %1) alwaysinline
// CHECK: %[[S:[0-9]+]] = fadd float %[[HI:[0-9]+]], %[[LO:[0-9]+]]
// CHECK-NEXT: %[[D:[0-9]+]] = fsub float %[[S]], %[[HI]]
// CHECK-NEXT: %[[E:[0-9]+]] = fsub float %[[LO]], %[[D]]
// CHECK: fcmp one float %[[E]], 0x0000000000000000

// A product of two floats is exact in a double.
// CHECK: define internal i32 @pisa.fmul.rna.f(
// CHECK: fmul double
// CHECK: fptrunc double
