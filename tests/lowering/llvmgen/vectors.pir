// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s | FileCheck %s
// Elements of vectors, and the ops that no other file here shows.
module version 1.0

// CHECK-LABEL: @elements(
function @elements(v4.32b, 32b, 32b) -> v4.32b export {
^bb0(%v: v4.32b, %x: 32b, %i: 32b):
  // CHECK: %[[A:[0-9]+]] = extractelement <4 x i32> %0, i32 2
  %0 = pisa.extract.2.32b %v : 32b
  // CHECK-NEXT: %[[B:[0-9]+]] = insertelement <4 x i32> %0, i32 %[[A]], i32 1
  %1 = pisa.insert.1.32b %v, %0 : v4.32b
  // CHECK-NEXT: %[[C:[0-9]+]] = extractelement <4 x i32> %[[B]], i32 %2
  %2 = pisa.extract.dynamic.v4.32b %1, %i : 32b
  // CHECK-NEXT: %[[D:[0-9]+]] = insertelement <4 x i32> %[[B]], i32 %[[C]], i32 %2
  // CHECK-NEXT: ret <4 x i32> %[[D]]
  %3 = pisa.insert.dynamic.v4.32b %1, %2, %i : v4.32b
  builtin.return %3
}

// CHECK-LABEL: @bits(
function @bits(v2.16b) -> 32b export {
^bb0(%v: v2.16b):
  // CHECK: bitcast <2 x i16> %0 to i32
  %0 = pisa.bitcast %v : 32b
  builtin.return %0
}

// CHECK-LABEL: @products(
function @products(32b, 32b, 32b) -> 32b export {
^bb0(%a: 32b, %b: 32b, %c: 32b):
  // CHECK: %[[M:[0-9]+]] = mul i32 %0, %1
  // CHECK-NEXT: %[[N:[0-9]+]] = mul i32 %[[M]], %1
  // CHECK-NEXT: add i32 %[[N]], %2
  %0 = pisa.umul.32b %a, %b : 32b
  %1 = pisa.smad.32b %0, %b, %c : 32b
  builtin.return %1
}

// CHECK-LABEL: @greater(
function @greater(32b, 32b) -> 32b export {
^bb0(%a: 32b, %b: 32b):
  // No llvm.maxnum: NaNs and zeros as PISA has them.
  // CHECK-NOT: @llvm
  // CHECK: fcmp uno float
  // CHECK-NEXT: fcmp uno float
  // CHECK-NEXT: fcmp ogt float
  // CHECK: ret i32
  %0 = pisa.fmax.f %a, %b : 32b
  builtin.return %0
}

// CHECK-LABEL: @largest(
function @largest(32b, 32b) -> 32b export {
^bb0(%a: 32b, %m: 32b):
  // The lanes of the mask that are active, then five steps.
  // CHECK: call i32 @llvm.amdgcn.ballot.i32(i1 true)
  // CHECK-COUNT-5: call i32 @llvm.amdgcn.ds.bpermute(
  // CHECK-NOT: ds.bpermute
  // CHECK: ret i32
  %0 = pisa.fred.max.f %a, %a, %m : 32b
  builtin.return %0
}

// CHECK-LABEL: @never(
function @never(pred) export {
^bb0(%p: pred):
  // CHECK: br i1 %0, label %bb1, label %bb2
  builtin.cond_br %p, ^bb1, ^bb2
^bb1:
  builtin.return
// CHECK: bb2:
// CHECK-NEXT: unreachable
^bb2:
  builtin.unreachable
}
