// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s | FileCheck %s
module version 1.0

// CHECK-LABEL: @to_integer(
function @to_integer(32b, 16b) -> 8b export {
^bb0(%a: 32b, %h: 16b):
  // CHECK: %[[R:[0-9]+]] = call float @llvm.roundeven.f32(
  // CHECK-NEXT: %[[I:[0-9]+]] = call i32 @llvm.fptosi.sat.i32.f32(float %[[R]])
  // CHECK-NEXT: %[[L:[0-9]+]] = call i32 @llvm.smin.i32(i32 %[[I]], i32 127)
  // CHECK-NEXT: %[[M:[0-9]+]] = call i32 @llvm.smax.i32(i32 %[[L]], i32 -128)
  // CHECK-NEXT: trunc i32 %[[M]] to i8
  %0 = pisa.f2i.s8.f.re %a : 8b
  // The default is toward zero.
  // CHECK: fpext half
  // CHECK-NEXT: call i64 @llvm.fptoui.sat.i64.f32(
  %1 = pisa.f2i.u64.hf %h : 64b
  builtin.return %0
}

// CHECK-LABEL: @from_integer(
function @from_integer(64b, 32b, 8b) -> 64b export {
^bb0(%a: 64b, %b: 32b, %c: 8b):
  // CHECK: call i16 @pisa.i2f.rd.bf.u64(i64 %0)
  %0 = pisa.i2f.bf.u64.rd %a : 16b
  // CHECK: sitofp i32 %1 to float
  %1 = pisa.i2f.f.s32 %b : 32b
  // CHECK: zext i8 %2 to i32
  // CHECK: uitofp i32 %{{[0-9]+}} to double
  %2 = pisa.i2f.df.u8 %c : 64b
  builtin.return %2
}

// CHECK-LABEL: @formats(
function @formats(16b, 32b, 64b) -> 64b export {
^bb0(%h: 16b, %a: 32b, %d: 64b):
  // CHECK: fpext half %{{[0-9]+}} to double
  %0 = pisa.fext.df.hf %h : 64b
  // CHECK: shl i32 %{{[0-9]+}}, 16
  %1 = pisa.fext.f.bf %h : 32b
  // CHECK: fptrunc float %{{[0-9]+}} to half
  %2 = pisa.ftrunc.hf.f %a : 16b
  // Toward zero: one step back where the nearest is further away.
  // CHECK: %[[R:[0-9]+]] = fptrunc float %[[X:[0-9]+]] to half
  // CHECK: fcmp ogt float
  // CHECK-NEXT: sub i16
  // Infinities become the greatest finite number.
  // CHECK: icmp eq i16 %{{[0-9]+}}, 31744
  %3 = pisa.ftrunc.hf.f.rz.dsat %a : 16b
  // From double to half by way of a float that is rounded to odd.
  // CHECK: fptrunc double %{{[0-9]+}} to float
  // CHECK: fcmp one double
  // CHECK: fptrunc float %{{[0-9]+}} to half
  %4 = pisa.ftrunc.hf.df %d : 16b
  // CHECK: call double @llvm.floor.f64(
  %5 = pisa.frnd.rd.df %d : 64b
  // CHECK: fptrunc float
  // CHECK: fptrunc float
  // CHECK: insertelement <2 x i16>
  %6 = pisa.ftrunc2.hfx2 %a, %a : v2.16b
  // CHECK-COUNT-2: call i32 @llvm.fptosi.sat.i32.f32(
  %7 = pisa.pf2i.s16x2.hfx2 %6 : v2.16b
  builtin.return %5
}

// CHECK-LABEL: @integers(
function @integers(8b, 64b) -> 64b export {
^bb0(%a: 8b, %b: 64b):
  // CHECK: sext i8 %0 to i64
  %0 = pisa.sext.64b.8b %a : 64b
  // CHECK: zext i8 %0 to i16
  %1 = pisa.zext.16b.8b %a : 16b
  // CHECK: trunc i64 %1 to i8
  %2 = pisa.trunc.8b.64b %b : 8b
  builtin.return %0
}

// CHECK-LABEL: @compare(
function @compare(32b, 32b, 16b, v2.16b, pred) -> 32b export {
^bb0(%a: 32b, %b: 32b, %h: 16b, %v: v2.16b, %p: pred):
  // CHECK: icmp slt i32 %0, %1
  %q = pisa.scmp.lt.32b %a, %b : pred
  // With a NaN only ne holds.
  // CHECK: fcmp une float
  // CHECK-NEXT: sext i1 %{{[0-9]+}} to i32
  %0 = pisa.fcmp.ne.f %a, %b : 32b
  // CHECK: fcmp ole half
  %1 = pisa.fcmp.le.hf %h, %h : pred
  // CHECK: %[[C:[0-9]+]] = icmp uge <2 x i16> %3, %3
  // CHECK-NEXT: sext <2 x i1> %[[C]] to <2 x i16>
  %2 = pisa.ucmp.ge.16bx2 %v, %v : v2.16b
  // CHECK: select i1 %4, i32 %0, i32 %1
  %3 = pisa.sel.32b %a, %b, %p : 32b
  // CHECK: %[[N:[0-9]+]] = icmp ne i32 %{{[0-9]+}}, 0
  // CHECK-NEXT: select i1 %[[N]], i32
  %4 = pisa.sel.32b %3, %b, %0 : 32b
  builtin.return %4
}
