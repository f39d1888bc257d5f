// RUN: pisac -O0 --emit=llvm --mcpu=gfx942 -o - %s | FileCheck %s
module version 1.0

// CHECK: @tab = internal addrspace(4) constant <{ [4 x i8], i64, i64 }> <{ [4 x i8] c"a\00\FF\22", i64 ptrtoint (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @buf, i64 4) to i64), i64 ptrtoint (ptr @f to i64) }>, align 16
var @tab const size 20 align 8 = { bytes 0x6100ff22, sym @buf + 4, sym @f }
// CHECK: @buf = protected addrspace(1) global [8 x i8] zeroinitializer, align 64
var @buf global size 8 align 64 export
// CHECK: @big = internal addrspace(1) global <{ [2 x i8], [1000000 x i8] }> <{ [2 x i8] c"\01\02", [1000000 x i8] zeroinitializer }>, section "mine", align 16
var @big global size 1000002 align 1 section "mine" = { bytes 0x0102, zero 1000000 }
// CHECK: @there = external addrspace(1) global [4 x i8], align 16
var @there global size 4 align 4 import
// CHECK: @"\01llvm.used" = internal addrspace(1) global [1 x i8] c"\07", align 16
var @llvm.used global size 1 align 1 = { bytes 0x07 }
// Shared memory is padded: a load may be wider than the variable.
// CHECK: @f.s = internal addrspace(3) global [16 x i8] poison, align 16
// CHECK: @f.tab = internal addrspace(4) constant [4 x i8] c"\01\00\00\00", align 16

// CHECK: define hidden i32 @f(i32 %0) #0 {
function @f(32b) -> 32b {
  var @s shared size 5 align 1
  var @p private size 20 align 32
  var @tab const size 4 align 4 = { bytes 0x01000000 }
^bb0(%x: 32b):
  // CHECK-NEXT: entry:
  // CHECK-NEXT: %[[P:[0-9]+]] = alloca [5 x i32], align 32, addrspace(5)
  // CHECK: store i32 %0, ptr addrspace(3) @f.s, align 4
  %0 = pisa.addrof.32b @s : 32b
  pisa.st.shared.32b [%0], %x
  // A variable's address stays a pointer, with its offset.
  // CHECK: %[[E:[0-9]+]] = getelementptr i8, ptr addrspace(5) %[[P]], i32 8
  // CHECK-NEXT: store i32 %0, ptr addrspace(5) %[[E]], align 4
  %1 = pisa.addrof.32b @p : 32b
  %8 = builtin.const 8 : 32b
  pisa.st.private.32b [%1 + %8], %x
  // CHECK: load i32, ptr addrspace(4) @f.tab, align 4
  %2 = pisa.addrof.64b @tab : 64b
  %3 = pisa.ld.const.32b [%2] : 32b
  // CHECK: load i32, ptr addrspace(4) @tab, align 4
  %4 = pisa.addrof.64b @@tab : 64b
  %5 = pisa.ld.const.32b [%4] : 32b
  // Where a number is asked for, it is made there.
  // CHECK: ptrtoint ptr addrspace(5) %[[P]] to i32
  // CHECK: ret i32
  %6 = pisa.iadd.32b %1, %3 : 32b
  builtin.return %6
}
