// RUN: pisac -O0 --emit=llvm --mcpu=gfx942 -o - %s | FileCheck %s --check-prefixes=CHECK,GFX9,MMRA
// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s | FileCheck %s --check-prefixes=CHECK,GFX11,MMRA
// RUN: pisac -O0 --emit=llvm --mcpu=gfx1201 -o - %s | FileCheck %s --check-prefixes=CHECK,GFX12
module version 1.0

// CHECK-LABEL: @loads(
function @loads(64b) export {
^bb0(%p: 64b):
  // CHECK: load atomic i32, ptr addrspace(1) %{{[0-9]+}} monotonic, align 4
  %0 = pisa.ld.global.relaxed.system.32b [%p] : 32b
  // GFX9: load atomic i32, ptr addrspace(1) %{{[0-9]+}} syncscope("workgroup") monotonic, align 4
  // GFX11: load atomic i32, ptr addrspace(1) %{{[0-9]+}} syncscope("workgroup") acquire, align 4
  // GFX12: load atomic i32, ptr addrspace(1) %{{[0-9]+}} syncscope("workgroup") acquire, align 4
  // On gfx9 LLVM lets an LDS access overtake the load: wait first.
  // GFX9-NEXT: call void asm sideeffect "", "~{memory}"()
  // GFX9-NEXT: call void @llvm.amdgcn.s.waitcnt(i32 112)
  // GFX9-NEXT: fence syncscope("workgroup") acquire
  // CHECK-NEXT: asm sideeffect "", "~{memory}"
  %1 = pisa.ld.global.acquire.workgroup.32b [%p] : 32b
  // GFX12: call void asm sideeffect "s_wait_loadcnt_dscnt 0x0\0As_wait_storecnt 0x0", "~{memory}"()
  // GFX11: call void asm sideeffect "s_waitcnt vmcnt(0) lgkmcnt(0)\0As_waitcnt_vscnt null, 0x0", "~{memory}"()
  // CHECK: load atomic i32, ptr %{{[0-9]+}} syncscope("agent") acquire, align 4
  // CHECK-NEXT: asm sideeffect "", "~{memory}"
  %2 = pisa.ld.generic.seq_cst.gpu.32b [%p] : 32b
  // CHECK: fence release
  // GFX9-NEXT: call void @llvm.amdgcn.s.waitcnt(i32 112)
  // GFX9-NEXT: asm sideeffect "", "~{memory}"()
  // GFX12-NEXT: asm sideeffect "s_wait
  // CHECK: store atomic i64 0, ptr addrspace(1) %{{[0-9]+}} monotonic, align 8
  %z = builtin.const 0 : 64b
  pisa.st.global.seq_cst.system.64b [%p], %z
  builtin.return
}

// CHECK-LABEL: @fences(
function @fences() export {
^bb0:
  // The address spaces of a fence of global memory are all: LLVM would not wait
  // for a flag in shared memory.
  // CHECK: fence syncscope("agent") release{{$}}
  // GFX9-NEXT: @llvm.amdgcn.s.waitcnt(i32 112)
  // GFX9-NEXT: asm sideeffect "", "~{memory}"
  // GFX12-NEXT: asm sideeffect "s_wait
  // GFX11-NEXT: asm sideeffect "", "~{memory}"
  // CHECK: fence syncscope("agent") acquire{{$}}
  pisa.fence.seq_cst.gpu
  // CHECK: fence release{{$}}
  // GFX9-NEXT: @llvm.amdgcn.s.waitcnt(i32 112)
  // GFX12-NEXT: asm sideeffect "s_wait
  pisa.fence.global.release.system
  // MMRA: fence syncscope("workgroup") release, !mmra !{!"amdgpu-as", !"local"}
  // GFX9-NEXT: @llvm.amdgcn.s.waitcnt(i32 49279)
  // GFX11-NEXT: @llvm.amdgcn.s.waitcnt(i32 64519)
  // MMRA-NEXT: asm sideeffect "", "~{memory}"
  // MMRA-NEXT: asm sideeffect "", "~{memory}"
  // GFX9-NEXT: @llvm.amdgcn.s.waitcnt(i32 112)
  // GFX11-NEXT: asm sideeffect "s_waitcnt vmcnt(0) lgkmcnt(0)\0As_waitcnt_vscnt null, 0x0"
  // MMRA-NEXT: fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-as", !"local"}
  // LLVM 19 emits nothing for a release of LDS alone.
  // GFX12: fence syncscope("workgroup") release{{$}}
  // GFX12-NEXT: asm sideeffect "s_wait_dscnt 0x0"
  // GFX12: asm sideeffect "s_wait_loadcnt_dscnt 0x0\0As_wait_storecnt 0x0"
  // GFX12-NEXT: fence syncscope("workgroup") acquire{{$}}
  pisa.fence.shared.acq_rel.gpu
  // CHECK: fence syncscope("wavefront") seq_cst
  // CHECK-NEXT: fence syncscope("workgroup") release
  pisa.fence.subgroup
  // GFX9-NEXT: @llvm.amdgcn.s.waitcnt(i32 112)
  // GFX12-NEXT: asm sideeffect "s_wait
  // CHECK: call void @llvm.amdgcn.s.barrier()
  // CHECK-NEXT: fence syncscope("workgroup") acquire{{$}}
  // CHECK-NEXT: asm sideeffect "", "~{memory}"
  // CHECK-NEXT: ret void
  pisa.barrier.workgroup
  builtin.return
}
