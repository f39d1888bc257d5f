// RUN: pisac -O0 --emit=llvm --mcpu=gfx1201 -o - %s | FileCheck %s
module version 1.0

// CHECK-LABEL: @shfl(
function @shfl(32b, 32b, 32b, 32b) -> 32b export {
^bb0(%d: 32b, %x: 32b, %c: 32b, %m: 32b):
  // CHECK: %[[LANE:[0-9]+]] = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  // CHECK-NEXT: %[[ACT:[0-9]+]] = call i32 @llvm.amdgcn.ballot.i32(i1 true)
  // CHECK-NEXT: %[[PART:[0-9]+]] = and i32 %3, %[[ACT]]
  // CHECK: %[[FROM:[0-9]+]] = xor i32 %[[LANE]], %{{[0-9]+}}
  // CHECK: icmp sle i32 %[[FROM]],
  // CHECK: %[[SRC:[0-9]+]] = select i1 %{{[0-9]+}}, i32 %[[FROM]], i32 %[[LANE]]
  // CHECK-NEXT: %[[BYTE:[0-9]+]] = shl i32 %[[SRC]], 2
  // CHECK-NEXT: %[[Y:[0-9]+]] = call i32 @llvm.amdgcn.ds.bpermute(i32 %[[BYTE]], i32 %1)
  // CHECK: lshr i32 %[[PART]], %[[LANE]]
  // CHECK: select i1 %{{[0-9]+}}, i32 %[[Y]], i32 %0
  %0 = pisa.shfl.xor.32b %d, %x, %c, %m : 32b
  builtin.return %0
}

// A constant within the row is one move, which keeps the lane's own value where
// the other is not active; 16 is in the other row.
// CHECK-LABEL: @xor(
function @xor(32b, 32b) -> 32b export {
^bb0(%d: 32b, %x: 32b):
  %m = builtin.const 0xffffffff : 32b
  %four = builtin.const 4 : 32b
  %sixteen = builtin.const 16 : 32b
  // CHECK: %[[Y:[0-9]+]] = call i32 @llvm.amdgcn.update.dpp.i32(i32 %1, i32 %1, i32 356, i32 15, i32 15, i1 false)
  %0 = pisa.shfl.xor.32b %d, %x, %four, %m : 32b
  // CHECK: call i32 @llvm.amdgcn.ds.bpermute(i32 %{{[0-9]+}}, i32 %[[Y]])
  %1 = pisa.shfl.xor.32b %d, %0, %sixteen, %m : 32b
  builtin.return %1
}

// Each lane adds up its row, with nothing from lanes that are outside or not
// active; then the rows.
// CHECK-LABEL: @sum(
function @sum(32b, 32b, 32b) -> 32b export {
^bb0(%d: 32b, %x: 32b, %m: 32b):
  // CHECK: %[[IN:[0-9]+]] = select i1 %{{[0-9]+}}, i32 %1, i32 0
  // CHECK-NEXT: call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %[[IN]], i32 336, i32 15, i32 15, i1 false)
  // CHECK-COUNT-15: call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %[[IN]], i32 3
  // CHECK-COUNT-2: call i32 @llvm.amdgcn.readlane.i32(
  // CHECK-NOT: call i32 @llvm.amdgcn.ds.bpermute
  // CHECK: ret i32
  %0 = pisa.ired.sum.32b %d, %x, %m : 32b
  builtin.return %0
}

// CHECK-LABEL: @first(
function @first(32b) -> 32b export {
^bb0(%m: 32b):
  // CHECK: %[[M:[0-9]+]] = and i32 %0, %{{[0-9]+}}
  // CHECK-NEXT: call i32 @llvm.cttz.i32(i32 %[[M]], i1 false)
  %0 = pisa.redfirstidx.32b %m : 32b
  builtin.return %0
}
