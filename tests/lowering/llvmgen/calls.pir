// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s | FileCheck %s
module version 1.0

// CHECK: define protected <3 x i64> @f(i8 %0, i128 %1, <64 x i32> %2) #0 {
function @f(8b, 128b, v64.32b) -> v3.64b export {
^bb0(%a: 8b, %b: 128b, %c: v64.32b):
  // CHECK: call <3 x i64> @f(i8 %0, i128 %1, <64 x i32> %2)
  %0 = builtin.call @f(%a, %b, %c) : v3.64b
  builtin.return %0
}
// CHECK: declare void @elsewhere(i32 %0) #0
function @elsewhere(32b) import
// CHECK: define hidden void @g(i64 %0, i32 %1) #0 {
function @g(64b, 32b) {
^bb0(%p: 64b, %x: 32b):
  // CHECK: call void @elsewhere(i32 %1)
  builtin.call @elsewhere(%x)
  // The target may differ between work-items: LLVM loops over the targets.
  // CHECK: %[[P:[0-9]+]] = inttoptr i64 %0 to ptr
  // CHECK-NEXT: call i32 %[[P]](i32 %1) convergent nounwind
  %0 = builtin.call_indirect %p(%x) : 32b
  builtin.return
}
