// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s | FileCheck %s
// Each parameter is a byref pointer into the argument segment: LLVM then lays
// it out at the next multiple of the parameter's own alignment, as PISA does.
module version 1.0

// CHECK: define protected amdgpu_kernel void @k(
// CHECK-SAME: ptr addrspace(4) byref([4 x i8]) align 8 %n,
// CHECK-SAME: ptr addrspace(4) byref(ptr addrspace(1)) align 8 %p,
// CHECK-SAME: ptr addrspace(4) byref([2 x i8]) align 2 %h,
// CHECK-SAME: ptr addrspace(4) byref(ptr addrspace(4)) align 8 %c,
// CHECK-SAME: ptr addrspace(3) align 16 %s,
// CHECK-SAME: ptr addrspace(4) byref(ptr addrspace(3)) align 8 %t)
// CHECK-SAME: #0 "amdgpu-flat-work-group-size"="1,128" !reqd_work_group_size !{i32 64, i32 2, i32 1} !vec_type_hint !{<4 x float> undef, i32 1}
kernel @k(param %n size 4 align 8, param %p size 8 align 8 space global, param %h size 2 align 2, param %c size 8 align 8 space const, param %s size 4 align 4 space shared ptr_align 16, param %t size 4 align 8 space shared) reqd_work_group_size(64, 2, 1) vec_type_hint "float4" {
^bb0:
  // CHECK: call ptr addrspace(4) @llvm.amdgcn.kernarg.segment.ptr()
  // CHECK-NEXT: getelementptr i8, ptr addrspace(4) %{{[0-9]+}}, i64 32
  // CHECK: load i32, ptr addrspace(4) %n, align 4, !invariant.load !{}
  %0 = pisa.ld.param.32b %n : 32b
  // CHECK: %[[OFF:[0-9]+]] = getelementptr i8, ptr addrspace(4) %p, i32 -4
  // CHECK: load <2 x i8>, ptr addrspace(4) %[[OFF]], align 2
  %1 = builtin.const -4 : 32b
  %2 = pisa.ld.param.v2.8b %p, %1 : v2.8b
  // CHECK: load i32, ptr addrspace(4) %{{[0-9]+}}, align 4
  %3 = pisa.ld.param.32b %s : 32b
  // CHECK: load i32, ptr addrspace(4) %t, align 4
  %4 = pisa.ld.param.32b %t : 32b
  builtin.return
}

// CHECK: attributes #0 = { convergent nounwind
// CHECK-SAME: "uniform-work-group-size"="false"
// CHECK-SAME: "target-cpu"="gfx1100"
// CHECK-SAME: "amdgpu-no-workitem-id-x"
// CHECK-SAME: "amdgpu-no-implicitarg-ptr"
// CHECK: !llvm.module.flags = !{![[F:[0-9]+]]}
// CHECK: ![[F]] = !{i32 1, !"amdhsa_code_object_version", i32 500}
