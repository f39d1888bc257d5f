// RUN: pisac -O0 --emit=llvm --mcpu=gfx90a -o - %s | FileCheck %s
// Address spaces, alignment (of an element, or of the vector where elements are
// narrower than 32 bits) and signed offsets.
module version 1.0

// CHECK-LABEL: @spaces(
function @spaces(64b, 32b, 64b, 32b) export {
^bb0(%g: 64b, %s: 32b, %o: 64b, %o32: 32b):
  // CHECK: %[[P:[0-9]+]] = inttoptr i64 %0 to ptr addrspace(1)
  // CHECK-NEXT: load i32, ptr addrspace(1) %[[P]], align 4
  %0 = pisa.ld.global.32b [%g] : 32b
  // CHECK: inttoptr i32 %1 to ptr addrspace(3)
  // CHECK: load i64, ptr addrspace(3) %{{[0-9]+}}, align 8
  %1 = pisa.ld.shared.64b [%s] : 64b
  // CHECK: load i8, ptr addrspace(5) %{{[0-9]+}}, align 1
  %2 = pisa.ld.private.8b [%s] : 8b
  // CHECK: load i16, ptr addrspace(4) %{{[0-9]+}}, align 2
  %3 = pisa.ld.const.16b [%g] : 16b
  // CHECK: store i32 %{{[0-9]+}}, ptr %{{[0-9]+}}, align 4
  pisa.st.32b [%g], %0
  // CHECK: %[[Q:[0-9]+]] = inttoptr i64 %0 to ptr addrspace(1)
  // CHECK-NEXT: %[[D:[0-9]+]] = getelementptr i8, ptr addrspace(1) %[[Q]], i64 -8
  // CHECK-NEXT: load i32, ptr addrspace(1) %[[D]], align 4
  %m8 = builtin.const -8 : 64b
  %4 = pisa.ld.global.32b [%g + %m8] : 32b
  // A 32-bit offset on a 64-bit base is sign-extended, which is what
  // getelementptr does to its index.
  // CHECK: getelementptr i8, ptr addrspace(1) %{{[0-9]+}}, i32 %3
  %5 = pisa.ld.global.32b [%g + %o32] : 32b
  builtin.return
}

// CHECK-LABEL: @vectors(
function @vectors(64b) export {
^bb0(%g: 64b):
  // CHECK: load <2 x i8>, ptr addrspace(1) %{{[0-9]+}}, align 2
  %0 = pisa.ld.global.v2.8b [%g] : v2.8b
  // CHECK: load <4 x i16>, ptr addrspace(1) %{{[0-9]+}}, align 8
  %1 = pisa.ld.global.v4.16b [%g] : v4.16b
  // CHECK: load <3 x i32>, ptr addrspace(1) %{{[0-9]+}}, align 4
  %2 = pisa.ld.global.v3.32b [%g] : v3.32b
  // CHECK: load <8 x i32>, ptr addrspace(1) %{{[0-9]+}}, align 4
  %3 = pisa.ld.global.v8.32b [%g] : v8.32b
  // CHECK: store <3 x i64> %{{[0-9]+}}, ptr addrspace(1) %{{[0-9]+}}, align 8
  %4 = pisa.ld.global.v3.64b [%g] : v3.64b
  pisa.st.global.v3.64b [%g], %4
  builtin.return
}

// CHECK-LABEL: @generic(
function @generic(64b, 32b) -> 32b export {
^bb0(%g: 64b, %s: 32b):
  // CHECK: %[[S:[0-9]+]] = inttoptr i32 %1 to ptr addrspace(3)
  // CHECK-NEXT: %[[F:[0-9]+]] = addrspacecast ptr addrspace(3) %[[S]] to ptr
  // CHECK-NEXT: %[[X:[0-9]+]] = load i32, ptr %[[F]], align 4
  %0 = pisa.addrcast.generic.shared %s : 64b
  %1 = pisa.ld.generic.32b [%0] : 32b
  // Global addresses are generic ones.
  // CHECK-NEXT: %[[G:[0-9]+]] = inttoptr i64 %0 to ptr
  // CHECK-NEXT: store i32 %[[X]], ptr %[[G]], align 4
  %2 = pisa.addrcast.generic.global %g : 64b
  pisa.st.generic.32b [%2], %1
  // CHECK: %[[IS:[0-9]+]] = call i1 @llvm.amdgcn.is.shared(ptr %{{[0-9]+}})
  // CHECK-NEXT: sext i1 %[[IS]] to i32
  %3 = pisa.isaddr.shared %2 : 32b
  // CHECK: call i1 @llvm.amdgcn.is.shared
  // CHECK: call i1 @llvm.amdgcn.is.private
  // CHECK: or i1
  // CHECK-NEXT: xor i1 %{{[0-9]+}}, true
  %4 = pisa.isaddr.global %2 : 32b
  builtin.return %4
}
