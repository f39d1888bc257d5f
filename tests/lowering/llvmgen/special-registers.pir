// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s | FileCheck %s --check-prefixes=CHECK,W32
// RUN: pisac -O0 --emit=llvm --mcpu=gfx942 -o - %s | FileCheck %s --check-prefixes=CHECK,W64
module version 1.0

// CHECK-LABEL: @ids(
function @ids() export {
^bb0:
  // CHECK: call i32 @llvm.amdgcn.workitem.id.x()
  // CHECK: call i32 @llvm.amdgcn.workgroup.id.z()
  %0 = pisa.sreg.localid.x : 32b
  %1 = pisa.sreg.groupid.z : 32b
  builtin.return
}

// A wave of 64 lanes holds two sub-groups: its upper half counts from 0 again.
// CHECK-LABEL: @lanes(
function @lanes() -> 32b export {
^bb0:
  // W32: %[[L:[0-9]+]] = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  // W32-NEXT: %[[M:[0-9]+]] = call i32 @llvm.amdgcn.ballot.i32(i1 true)
  // W64: %[[LO:[0-9]+]] = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  // W64-NEXT: %[[W:[0-9]+]] = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %[[LO]])
  // W64-NEXT: and i32 %[[W]], 31
  // W64: %[[W2:[0-9]+]] = call i32 @llvm.amdgcn.mbcnt.hi
  // W64-NEXT: %[[HALF:[0-9]+]] = and i32 %[[W2]], 32
  // W64-NEXT: %[[B:[0-9]+]] = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  // W64-NEXT: %[[SH:[0-9]+]] = zext i32 %[[HALF]] to i64
  // W64-NEXT: %[[S:[0-9]+]] = lshr i64 %[[B]], %[[SH]]
  // W64-NEXT: trunc i64 %[[S]] to i32
  %0 = pisa.sreg.laneid : 32b
  %1 = pisa.sreg.activemask : 32b
  // CHECK: ret i32 32
  %2 = pisa.sreg.subgroupsize : 32b
  builtin.return %2
}

// CHECK-LABEL: @hidden(
function @hidden() export {
^bb0:
  // group size: i16 at 12
  // CHECK: getelementptr i8, ptr addrspace(4) %{{[0-9]+}}, i64 12
  // CHECK-NEXT: %[[E:[0-9]+]] = load i16, ptr addrspace(4) %{{[0-9]+}}, align 2
  // CHECK-NEXT: zext i16 %[[E]] to i32
  %0 = pisa.sreg.enqueuedlocalsize.x : 32b
  // the last work-group of a dimension has the remainder's size
  // CHECK: %[[ID:[0-9]+]] = call i32 @llvm.amdgcn.workgroup.id.x()
  // CHECK: i64 0
  // CHECK: %[[COUNT:[0-9]+]] = load i32
  // CHECK: %[[WHOLE:[0-9]+]] = icmp ult i32 %[[ID]], %[[COUNT]]
  // CHECK: i64 12
  // CHECK: %[[SIZE:[0-9]+]] = load i16
  // CHECK: i64 18
  // CHECK: %[[REST:[0-9]+]] = load i16
  // CHECK: select i1 %[[WHOLE]], i16 %[[SIZE]], i16 %[[REST]]
  %1 = pisa.sreg.localsize.x : 32b
  // CHECK: %[[REST:[0-9]+]] = load i16
  // CHECK: %[[MORE:[0-9]+]] = icmp ne i16 %[[REST]], 0
  // CHECK: zext i1 %[[MORE]] to i32
  %2 = pisa.sreg.groupcount.x : 32b
  // CHECK: mul i64
  // CHECK-NEXT: add i64
  %3 = pisa.sreg.globalsize.x : 64b
  // CHECK: i64 56
  // CHECK-NEXT: load i64
  %4 = pisa.sreg.globaloffset.z : 64b
  // CHECK: i64 64
  // CHECK-NEXT: load i16
  %5 = pisa.sreg.workdim : 32b
  // CHECK: i64 72
  // CHECK-NEXT: load i64
  %6 = pisa.sreg.printfbuffer : 64b
  builtin.return
}
// CHECK: !llvm.printf.fmts = !{}
