// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s | FileCheck %s
module version 1.0

// CHECK-LABEL: @wrap(
function @wrap(32b, 32b) -> 32b export {
^bb0(%a: 32b, %b: 32b):
  // CHECK: %[[A:[0-9]+]] = add i32 %0, %1
  %0 = pisa.iadd.32b %a, %b : 32b
  // CHECK-NEXT: %[[S:[0-9]+]] = sub i32 %[[A]], %1
  %1 = pisa.isub.32b %0, %b : 32b
  // CHECK-NEXT: %[[M:[0-9]+]] = mul i32 %[[S]], %1
  %2 = pisa.smul.32b %1, %b : 32b
  // CHECK-NEXT: %[[P:[0-9]+]] = mul i32 %[[M]], %1
  // CHECK-NEXT: %[[Q:[0-9]+]] = add i32 %[[P]], %0
  %3 = pisa.umad.32b %2, %b, %a : 32b
  // The most negative integer is its own absolute value.
  // CHECK-NEXT: %[[B:[0-9]+]] = call i32 @llvm.abs.i32(i32 %[[Q]], i1 false)
  %4 = pisa.iabs.32b %3 : 32b
  // CHECK-NEXT: %[[N:[0-9]+]] = sub i32 0, %[[B]]
  %5 = pisa.ineg.32b %4 : 32b
  // CHECK-NEXT: ret i32 %[[N]]
  builtin.return %5
}

// CHECK-LABEL: @clamped(
function @clamped(64b, v4.8b, v4.8b, v2.16b, v2.16b) -> v2.16b export {
^bb0(%x: 64b, %a: v4.8b, %b: v4.8b, %c: v2.16b, %d: v2.16b):
  // CHECK: call i64 @llvm.sadd.sat.i64(i64 %0, i64 %0)
  %0 = pisa.iadd.dsat.64b %x, %x : 64b
  // CHECK-NEXT: call <4 x i8> @llvm.sadd.sat.v4i8(<4 x i8> %1, <4 x i8> %2)
  %1 = pisa.iadd.dsat.8bx4 %a, %b : v4.8b
  // CHECK-NEXT: call <2 x i16> @llvm.ssub.sat.v2i16(<2 x i16> %3, <2 x i16> %4)
  %2 = pisa.isub.dsat.16bx2 %c, %d : v2.16b
  builtin.return %2
}

// CHECK-LABEL: @order(
function @order(32b, v4.8b, v2.16b) -> 32b export {
^bb0(%a: 32b, %b: v4.8b, %c: v2.16b):
  // CHECK: call i32 @llvm.smin.i32(
  %0 = pisa.smin.32b %a, %a : 32b
  // CHECK: call <4 x i8> @llvm.smax.v4i8(
  %1 = pisa.smax.8bx4 %b, %b : v4.8b
  // CHECK: call <2 x i16> @llvm.umin.v2i16(
  %2 = pisa.umin.16bx2 %c, %c : v2.16b
  // CHECK: call i32 @llvm.umax.i32(
  %3 = pisa.umax.32b %0, %a : 32b
  builtin.return %3
}

// Widening products.
// CHECK-LABEL: @full(
function @full(16b, 32b, 64b) -> 64b export {
^bb0(%h: 16b, %a: 32b, %c: 64b):
  // CHECK: %[[X:[0-9]+]] = sext i16 %0 to i32
  // CHECK-NEXT: %[[Y:[0-9]+]] = sext i16 %0 to i32
  // CHECK-NEXT: %[[P:[0-9]+]] = mul i32 %[[X]], %[[Y]]
  %0 = pisa.smul.full.16b %h, %h : 32b
  // CHECK-NEXT: %[[U:[0-9]+]] = zext i32 %[[P]] to i64
  // CHECK-NEXT: %[[V:[0-9]+]] = zext i32 %1 to i64
  // CHECK-NEXT: %[[W:[0-9]+]] = mul i64 %[[U]], %[[V]]
  // CHECK-NEXT: %[[R:[0-9]+]] = add i64 %[[W]], %2
  %1 = pisa.umad.full.32b %0, %a, %c : 64b
  // CHECK-NEXT: ret i64 %[[R]]
  builtin.return %1
}

// Division by zero gives all ones and does not reach LLVM. LLVM does not learn
// where a dividend of 32 or 64 bits comes from.
// CHECK-LABEL: @unsigned(
function @unsigned(32b, 32b) -> 32b export {
^bb0(%a: 32b, %b: 32b):
  // CHECK: %[[A:[0-9]+]] = call i32 asm "", "=v,0"(i32 %0)
  // CHECK-NEXT: %[[Z:[0-9]+]] = icmp eq i32 %1, 0
  // CHECK-NEXT: %[[D:[0-9]+]] = select i1 %[[Z]], i32 1, i32 %1
  // CHECK-NEXT: %[[Q:[0-9]+]] = udiv i32 %[[A]], %[[D]]
  // CHECK-NEXT: %[[R:[0-9]+]] = select i1 %[[Z]], i32 -1, i32 %[[Q]]
  // CHECK-NEXT: ret i32 %[[R]]
  %0 = pisa.udiv.32b %a, %b : 32b
  builtin.return %0
}

// Division by -1 is a negation: MIN/-1 is MIN.
// CHECK-LABEL: @signed(
function @signed(64b, 64b) -> 64b export {
^bb0(%a: 64b, %b: 64b):
  // CHECK: %[[A:[0-9]+]] = call i64 asm "", "=v,0"(i64 %0)
  // CHECK-NEXT: %[[Z:[0-9]+]] = icmp eq i64 %1, 0
  // CHECK-NEXT: %[[D:[0-9]+]] = select i1 %[[Z]], i64 1, i64 %1
  // CHECK-NEXT: %[[M:[0-9]+]] = icmp eq i64 %1, -1
  // CHECK-NEXT: %[[E:[0-9]+]] = select i1 %[[M]], i64 1, i64 %[[D]]
  // CHECK-NEXT: %[[N:[0-9]+]] = sub i64 0, %[[A]]
  // CHECK-NEXT: %[[Q:[0-9]+]] = sdiv i64 %[[A]], %[[E]]
  // CHECK-NEXT: %[[R:[0-9]+]] = select i1 %[[M]], i64 %[[N]], i64 %[[Q]]
  // CHECK-NEXT: select i1 %[[Z]], i64 -1, i64 %[[R]]
  %0 = pisa.sdiv.64b %a, %b : 64b
  builtin.return %0
}

// CHECK-LABEL: @narrow(
function @narrow(16b, 16b) -> 16b export {
^bb0(%a: 16b, %b: 16b):
  // CHECK: %[[X:[0-9]+]] = sext i16 %0 to i32
  // CHECK-NOT: asm
  // CHECK: srem i32 %[[X]], %{{[0-9]+}}
  // CHECK: trunc i32 %{{[0-9]+}} to i16
  %0 = pisa.sdiv.rem.16b %a, %b : 16b
  builtin.return %0
}

// CHECK-LABEL: @carry(
function @carry(32b, 32b, pred) -> 32b export {
^bb0(%a: 32b, %b: 32b, %p: pred):
  // CHECK: %[[S:[0-9]+]] = add i32 %0, %1
  // CHECK-NEXT: %[[C:[0-9]+]] = icmp ult i32 %[[S]], %0
  // CHECK-NEXT: %[[I:[0-9]+]] = zext i1 %2 to i32
  // CHECK-NEXT: %[[T:[0-9]+]] = add i32 %[[S]], %[[I]]
  // CHECK-NEXT: %[[D:[0-9]+]] = icmp ult i32 %[[T]], %[[S]]
  // CHECK-NEXT: %[[O:[0-9]+]] = or i1 %[[C]], %[[D]]
  %0, %c = pisa.uaddc.ci.co.32b %a, %b, %p : 32b, pred
  // CHECK-NEXT: %[[U:[0-9]+]] = sub i32 %[[T]], %1
  // CHECK-NEXT: icmp ult i32 %[[T]], %1
  // CHECK-NEXT: zext i1 %[[O]] to i32
  %1 = pisa.usubb.ci.32b %0, %b, %c : 32b
  builtin.return %1
}

// Bytes of src1 signed, of src2 unsigned; only the last addition clamps.
// CHECK-LABEL: @dot(
function @dot(32b, 32b, 32b) -> 32b export {
^bb0(%acc: 32b, %a: 32b, %b: 32b):
  // CHECK-COUNT-4: sext i8 %{{[0-9]+}} to i32
  // CHECK: call i32 @llvm.sadd.sat.i32(i32 %0, i32 %{{[0-9]+}})
  %0 = pisa.dp4a.su.dsat.32b %acc, %a, %b : 32b
  builtin.return %0
}
