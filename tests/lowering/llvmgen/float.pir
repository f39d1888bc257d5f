// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s | FileCheck %s
module version 1.0

// To nearest even: LLVM's own operations.
// CHECK-LABEL: @nearest(
function @nearest(32b, 32b, 32b) -> 32b export {
^bb0(%a: 32b, %b: 32b, %c: 32b):
  // CHECK: fadd float
  %0 = pisa.fadd.f %a, %b : 32b
  // A difference is the sum with the opposite.
  // CHECK: xor i32 %1, -2147483648
  // CHECK: fadd float
  %1 = pisa.fsub.f %0, %b : 32b
  // CHECK: fmul float
  %2 = pisa.fmul.f %1, %b : 32b
  // CHECK: call float @llvm.fma.f32(
  %3 = pisa.fmad.f %2, %b, %c : 32b
  // CHECK: fdiv float
  %4 = pisa.fdiv.f %3, %b : 32b
  // CHECK: call float @llvm.sqrt.f32(
  %5 = pisa.fsqrt.f %4 : 32b
  builtin.return %5
}

// A bf is the upper half of a float, rounded back by integer operations.
// CHECK-LABEL: @brain(
function @brain(16b, 16b) -> 16b export {
^bb0(%a: 16b, %b: 16b):
  // CHECK: zext i16 %0 to i32
  // CHECK-NEXT: shl i32 %{{[0-9]+}}, 16
  // CHECK: %[[S:[0-9]+]] = fadd float
  // CHECK-NEXT: %[[B:[0-9]+]] = bitcast float %[[S]] to i32
  // CHECK-NEXT: %[[H:[0-9]+]] = lshr i32 %[[B]], 16
  // CHECK-NEXT: %[[C:[0-9]+]] = add i32 %[[B]], 32767
  // CHECK-NEXT: %[[O:[0-9]+]] = and i32 %[[H]], 1
  // CHECK-NEXT: %[[D:[0-9]+]] = add i32 %[[C]], %[[O]]
  // CHECK-NEXT: lshr i32 %[[D]], 16
  // CHECK-NEXT: fcmp uno float %[[S]], %[[S]]
  %0 = pisa.fadd.bf %a, %b : 16b
  builtin.return %0
}

// CHECK-LABEL: @packed(
function @packed(v2.16b, v2.16b, v2.16b) -> v2.16b export {
^bb0(%a: v2.16b, %b: v2.16b, %c: v2.16b):
  // CHECK: call <2 x half> @llvm.fma.v2f16(
  %0 = pisa.fmad.hfx2 %a, %b, %c : v2.16b
  // CHECK: fadd <2 x float>
  %1 = pisa.fadd.bfx2 %0, %b : v2.16b
  // Three bf need more than a float: one element at a time.
  // CHECK-COUNT-2: call i16 @pisa.fmad.re.bf(
  %2 = pisa.fmad.bfx2 %1, %b, %c : v2.16b
  builtin.return %2
}

// Halves are divided as floats.
// CHECK-LABEL: @half(
function @half(16b, 16b) -> 16b export {
^bb0(%a: 16b, %b: 16b):
  // CHECK: fdiv float
  // CHECK-NEXT: fptrunc float %{{[0-9]+}} to half
  %0 = pisa.fdiv.fast.hf %a, %b : 16b
  builtin.return %0
}

// Denormal sources and results are zeros of their sign.
// CHECK-LABEL: @flush(
function @flush(64b) -> 64b export {
^bb0(%a: 64b):
  // CHECK: %[[E:[0-9]+]] = and i64 %0, 9218868437227405312
  // CHECK-NEXT: %[[Z:[0-9]+]] = icmp eq i64 %[[E]], 0
  // CHECK-NEXT: %[[S:[0-9]+]] = and i64 %0, -9223372036854775808
  // CHECK-NEXT: select i1 %[[Z]], i64 %[[S]], i64 %0
  // CHECK: call double @llvm.sqrt.f64(
  // CHECK: select i1
  %0 = pisa.fsqrt.ftz.df %a : 64b
  builtin.return %0
}

// CHECK-LABEL: @clamp(
function @clamp(32b, 32b) -> 32b export {
^bb0(%a: 32b, %b: 32b):
  // CHECK: fadd float
  // CHECK: call i32 @llvm.smin.i32(i32 %[[R:[0-9]+]], i32 1065353216)
  // CHECK-NEXT: call i32 @llvm.smax.i32(i32 %{{[0-9]+}}, i32 0)
  // CHECK: icmp ugt i32 %{{[0-9]+}}, 2139095040
  // CHECK-NEXT: select i1 %{{[0-9]+}}, i32 0,
  %0 = pisa.fadd.dsat.f %a, %b : 32b
  builtin.return %0
}

// fneg flips the sign of anything; fabs makes a NaN quiet.
// CHECK-LABEL: @signs(
function @signs(16b) -> 16b export {
^bb0(%a: 16b):
  // CHECK: %[[N:[0-9]+]] = xor i16 %0, -32768
  %0 = pisa.fneg.hf %a : 16b
  // CHECK-NEXT: %[[M:[0-9]+]] = and i16 %[[N]], 32767
  // CHECK-NEXT: %[[C:[0-9]+]] = icmp ugt i16 %[[M]], 31744
  // CHECK-NEXT: %[[Q:[0-9]+]] = or i16 %[[M]], 512
  // CHECK-NEXT: select i1 %[[C]], i16 %[[Q]], i16 %[[M]]
  %1 = pisa.fabs.hf %0 : 16b
  builtin.return %1
}

// A number beats a NaN, -0 is less than +0.
// CHECK-LABEL: @smaller(
function @smaller(32b, 32b) -> 32b export {
^bb0(%a: 32b, %b: 32b):
  // CHECK-NOT: @llvm.minnum
  // CHECK: %[[L:[0-9]+]] = fcmp olt float %[[X:[0-9]+]], %[[Y:[0-9]+]]
  // CHECK: select i1 %{{[0-9]+}}, i32 %0, i32 %1
  // CHECK: fcmp oeq float %[[X]], %[[Y]]
  // CHECK-NEXT: or i32 %0, %1
  %0 = pisa.fmin.f %a, %b : 32b
  builtin.return %0
}

// Functions without a rounding of their own are in the module once.
// CHECK-LABEL: @functions(
function @functions(32b, 16b) -> 32b export {
^bb0(%a: 32b, %h: 16b):
  // CHECK: call float @pisa.fsin(
  %0 = pisa.fsin.f %a : 32b
  // CHECK: call float @pisa.fsin(
  %1 = pisa.fsin.f %0 : 32b
  // CHECK: call float @pisa.fcos(
  %2 = pisa.fcos.f %1 : 32b
  // CHECK: call float @pisa.fexp2(
  %3 = pisa.fexp2.f %2 : 32b
  // CHECK: call float @pisa.flog2(
  %4 = pisa.flog2.f %3 : 32b
  // CHECK: call float @pisa.ftanh.hf(
  // CHECK-NEXT: fptrunc float
  %5 = pisa.ftanh.hf %h : 16b
  // CHECK: fdiv float
  %6 = pisa.frcp.f %4 : 32b
  // CHECK: call float @llvm.sqrt.f32(
  %7 = pisa.frsqrt.fast.f %6 : 32b
  // CHECK: call float @llvm.floor.f32(
  %8 = pisa.frc.f %7 : 32b
  builtin.return %8
}

// CHECK-COUNT-1: define internal float @pisa.fsin(float %0) alwaysinline
// CHECK-NOT: define internal float @pisa.fsin(
