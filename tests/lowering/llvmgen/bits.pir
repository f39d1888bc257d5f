// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s | FileCheck %s
module version 1.0

// Bits 5 to 0 of a shift amount count. A shift by the width or more gives zeros,
// or signs, and does not reach LLVM.
// CHECK-LABEL: @shifts(
function @shifts(32b, 64b, 32b) -> 64b export {
^bb0(%a: 32b, %x: 64b, %n: 32b):
  // CHECK: %[[C:[0-9]+]] = and i32 %2, 63
  // CHECK-NEXT: %[[I:[0-9]+]] = icmp ult i32 %[[C]], 32
  // CHECK-NEXT: %[[M:[0-9]+]] = and i32 %[[C]], 31
  // CHECK-NEXT: %[[S:[0-9]+]] = shl i32 %0, %[[M]]
  // CHECK-NEXT: %[[R:[0-9]+]] = select i1 %[[I]], i32 %[[S]], i32 0
  %0 = pisa.shl.32b %a, %n : 32b
  // CHECK-NEXT: %[[D:[0-9]+]] = and i32 %2, 63
  // CHECK-NEXT: %[[L:[0-9]+]] = call i32 @llvm.umin.i32(i32 %[[D]], i32 31)
  // CHECK-NEXT: ashr i32 %[[R]], %[[L]]
  %1 = pisa.asr.32b %0, %n : 32b
  // CHECK-NEXT: %[[E:[0-9]+]] = and i32 %2, 63
  // CHECK-NEXT: %[[F:[0-9]+]] = zext i32 %[[E]] to i64
  // CHECK-NEXT: lshr i64 %1, %[[F]]
  %2 = pisa.shr.64b %x, %n : 64b
  builtin.return %2
}

// The high element is shifted by bits 21 to 16.
// CHECK-LABEL: @packed(
function @packed(v2.16b, 32b) -> v2.16b export {
^bb0(%a: v2.16b, %n: 32b):
  // CHECK: %[[LO:[0-9]+]] = extractelement <2 x i16> %0, i32 0
  // CHECK: shl i16 %[[LO]]
  // CHECK: %[[HI:[0-9]+]] = extractelement <2 x i16> %0, i32 1
  // CHECK-NEXT: %[[N:[0-9]+]] = lshr i32 %1, 16
  // CHECK-NEXT: and i32 %[[N]], 63
  // CHECK: shl i16 %[[HI]]
  %0 = pisa.shl.16bx2 %a, %n : v2.16b
  builtin.return %0
}

// CHECK-LABEL: @fields(
function @fields(32b, 32b, 32b) -> 32b export {
^bb0(%a: 32b, %w: 32b, %o: 32b):
  // CHECK: %[[O:[0-9]+]] = and i32 %2, 31
  // CHECK-NEXT: %[[W:[0-9]+]] = and i32 %1, 63
  // CHECK-NEXT: %[[R:[0-9]+]] = sub i32 32, %[[O]]
  // CHECK-NEXT: call i32 @llvm.umin.i32(i32 %[[W]], i32 %[[R]])
  // CHECK: lshr i32 %0, %[[O]]
  %0 = pisa.ubfe.32b %a, %w, %o : 32b
  // CHECK: ashr i32
  %1 = pisa.sbfe.32b %0, %w, %o : 32b
  // CHECK: %[[M:[0-9]+]] = shl i32 %{{[0-9]+}}, %[[P:[0-9]+]]
  // CHECK-NEXT: %[[N:[0-9]+]] = xor i32 %[[M]], -1
  // CHECK-NEXT: %[[K:[0-9]+]] = and i32 %{{[0-9]+}}, %[[N]]
  // CHECK-NEXT: %[[I:[0-9]+]] = shl i32 %0, %[[P]]
  // CHECK-NEXT: %[[J:[0-9]+]] = and i32 %[[I]], %[[M]]
  // CHECK-NEXT: or i32 %[[K]], %[[J]]
  %2 = pisa.bfi.32b %1, %a, %w, %o : 32b
  builtin.return %2
}

// The truth table is indexed by s0 | s1<<1 | s2<<2.
// CHECK-LABEL: @table(
function @table(32b, 32b, 32b) -> 32b export {
^bb0(%a: 32b, %b: 32b, %c: 32b):
  // CHECK: %[[X:[0-9]+]] = xor i32 %1, %0
  // CHECK-NEXT: %[[Y:[0-9]+]] = xor i32 %2, %[[X]]
  %0 = pisa.bfn.0x96.32b %a, %b, %c : 32b
  // CHECK-NEXT: %[[D:[0-9]+]] = and i32 %1, %[[Y]]
  // CHECK-NEXT: %[[E:[0-9]+]] = and i32 %2, %[[D]]
  %1 = pisa.bfn.0x80.32b %0, %b, %c : 32b
  // CHECK-NEXT: ret i32 %[[E]]
  builtin.return %1
}

// CHECK-LABEL: @counts(
function @counts(32b, 16b, 32b, 32b) -> 32b export {
^bb0(%a: 32b, %h: 16b, %b: 32b, %n: 32b):
  // CHECK: %[[F:[0-9]+]] = call i32 @llvm.ctlz.i32(i32 %0, i1 false)
  // CHECK-NEXT: %[[Z:[0-9]+]] = icmp eq i32 %0, 0
  // CHECK-NEXT: select i1 %[[Z]], i32 -1, i32 %[[F]]
  %0 = pisa.fbh.32b %a : 32b
  // CHECK: call i16 @llvm.cttz.i16(i16 %1, i1 false)
  // CHECK: select i1 %{{[0-9]+}}, i16 -1
  %1 = pisa.fbl.16b %h : 16b
  // CHECK: call i16 @llvm.ctpop.i16(
  %2 = pisa.cbit.16b %1 : 16b
  // CHECK: call i32 @llvm.bitreverse.i32(
  %3 = pisa.bfrev.32b %a : 32b
  // CHECK: call i32 @llvm.fshl.i32(i32 %{{[0-9]+}}, i32 %2, i32 %3)
  %4 = pisa.shf.l.32b %3, %b, %n : 32b
  // CHECK: call i32 @llvm.fshr.i32(i32 %{{[0-9]+}}, i32 %2, i32 %3)
  %5 = pisa.shf.r.32b %4, %b, %n : 32b
  builtin.return %5
}

// CHECK-LABEL: @logic(
function @logic(64b, 64b) -> 64b export {
^bb0(%a: 64b, %b: 64b):
  // CHECK: and i64 %0, %1
  // CHECK-NEXT: or i64
  // CHECK-NEXT: xor i64
  // CHECK-NEXT: xor i64 %{{[0-9]+}}, -1
  %0 = pisa.and.64b %a, %b : 64b
  %1 = pisa.or.64b %0, %b : 64b
  %2 = pisa.xor.64b %1, %a : 64b
  %3 = pisa.not.64b %2 : 64b
  builtin.return %3
}
