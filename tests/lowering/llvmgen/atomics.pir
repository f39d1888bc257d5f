// RUN: pisac -O0 --emit=llvm --mcpu=gfx942 -o - %s | FileCheck %s --check-prefixes=CHECK,GFX942
// RUN: pisac -O0 --emit=llvm --mcpu=gfx1100 -o - %s | FileCheck %s --check-prefixes=CHECK,GFX1100
module version 1.0

// An ordered operation is a relaxed one between fences, each with its wait.
// CHECK-LABEL: @ordered(
function @ordered(64b, 32b) -> 32b export {
^bb0(%p: 64b, %x: 32b):
  // CHECK: fence syncscope("agent") release
  // GFX942-NEXT: call void @llvm.amdgcn.s.waitcnt(i32 112)
  // CHECK-NEXT: call void asm sideeffect "", "~{memory}"()
  // CHECK-NEXT: %[[OLD:[0-9]+]] = atomicrmw add ptr addrspace(1) %{{[0-9]+}}, i32 %1 syncscope("agent") monotonic, align 4
  // CHECK-NEXT: fence syncscope("agent") acquire
  // CHECK-NEXT: call void asm sideeffect "", "~{memory}"()
  // CHECK-NEXT: ret i32 %[[OLD]]
  %0 = pisa.iatom.global.acq_rel.gpu.add.32b [%p], %x : 32b
  builtin.return %0
}

// CHECK-LABEL: @kinds(
function @kinds(64b, 64b, 64b) export {
^bb0(%p: 64b, %x: 64b, %y: 64b):
  // CHECK: atomicrmw add ptr addrspace(1) %{{[0-9]+}}, i64 1 monotonic, align 8
  %0 = pisa.iatom.global.relaxed.system.inc.64b [%p] : 64b
  // CHECK: atomicrmw add ptr addrspace(1) %{{[0-9]+}}, i64 -1 monotonic, align 8
  %1 = pisa.iatom.global.relaxed.system.dec.64b [%p] : 64b
  // CHECK: atomicrmw uinc_wrap ptr addrspace(1) %{{[0-9]+}}, i64 %1 syncscope("agent") monotonic
  %2 = pisa.iatom.global.relaxed.gpu.incwrap.64b [%p], %x : 64b
  // CHECK: atomicrmw udec_wrap
  %3 = pisa.iatom.global.relaxed.gpu.decwrap.64b [%p], %x : 64b
  // CHECK: cmpxchg ptr %{{[0-9]+}}, i64 %1, i64 %2 syncscope("agent") monotonic monotonic, align 8
  %4 = pisa.iatom.generic.relaxed.gpu.cas.64b [%p], %x, %y : 64b
  // Shared memory is visible in the work-group only.
  // CHECK: atomicrmw umax ptr addrspace(3) %{{[0-9]+}}, i32 %{{[0-9]+}} syncscope("workgroup") monotonic
  %s = pisa.trunc.32b.64b %p : 32b
  %5 = pisa.iatom.shared.relaxed.system.umax.32b [%s], %s : 32b
  builtin.return
}

// PCIe carries no xor: at system scope it is a loop, with the fences outside.
// CHECK-LABEL: @system(
function @system(64b, 32b) -> 32b export {
^bb0(%p: 64b, %x: 32b):
  // CHECK: fence release
  // CHECK: %[[INIT:[0-9]+]] = load atomic i32, ptr addrspace(1) %[[P:[0-9]+]] monotonic, align 4
  // CHECK-NEXT: br label %[[HEAD:[0-9]+]]
  // CHECK: [[HEAD]]:
  // CHECK-NEXT: %[[OLD:[0-9]+]] = phi i32 [ %[[INIT]], %bb0 ], [ %[[SEEN:[0-9]+]], %[[HEAD]] ]
  // CHECK-NEXT: %[[NEW:[0-9]+]] = xor i32 %[[OLD]], %1
  // CHECK-NEXT: %[[R:[0-9]+]] = cmpxchg ptr addrspace(1) %[[P]], i32 %[[OLD]], i32 %[[NEW]] monotonic monotonic, align 4
  // CHECK-NEXT: %[[SEEN]] = extractvalue { i32, i1 } %[[R]], 0
  // CHECK-NEXT: %[[OK:[0-9]+]] = extractvalue { i32, i1 } %[[R]], 1
  // CHECK-NEXT: br i1 %[[OK]], label %[[DONE:[0-9]+]], label %[[HEAD]]
  // CHECK: [[DONE]]:
  // CHECK-NEXT: fence acquire
  // CHECK: ret i32 %[[OLD]]
  %0 = pisa.iatom.global.acq_rel.system.xor.32b [%p], %x : 32b
  builtin.return %0
}

// 16 bits: a loop on the word that holds them.
// CHECK-LABEL: @narrow(
function @narrow(32b, 16b) -> 16b export {
^bb0(%p: 32b, %x: 16b):
  // CHECK: and i32 %{{[0-9]+}}, 2
  // CHECK: shl i32 65535,
  // CHECK: and i32 %{{[0-9]+}}, -4
  // CHECK: cmpxchg ptr addrspace(3) %{{[0-9]+}}, i32 %{{[0-9]+}}, i32 %{{[0-9]+}} syncscope("workgroup") monotonic monotonic, align 4
  // CHECK: trunc i32 %{{[0-9]+}} to i16
  // CHECK-NEXT: ret i16
  %0 = pisa.iatom.shared.relaxed.gpu.smax.16b [%p], %x : 16b
  builtin.return %0
}

// CHECK-LABEL: @float(
function @float(64b, 32b, 32b) -> 32b export {
^bb0(%p: 64b, %x: 32b, %y: 32b):
  // gfx1100's add may flush denormals.
  // GFX942: %[[LANES:[0-9]+]] = call ptr addrspace(1) asm "", "=v,0"(ptr addrspace(1) %{{[0-9]+}})
  // GFX942: atomicrmw fadd ptr addrspace(1) %[[LANES]], float %{{[0-9]+}} syncscope("agent") monotonic, align 4
  // GFX1100: fadd float
  // GFX1100: cmpxchg
  %0 = pisa.fatom.global.relaxed.gpu.add.f [%p], %x : 32b
  // A compare-and-swap of floats compares as floats do.
  // CHECK: icmp eq i32 %{{[0-9]+}}, %1
  // CHECK: icmp ugt i32 %{{[0-9]+}}, 2139095040
  // CHECK: br i1 %{{[0-9]+}}, label %{{[0-9]+}}, label %{{[0-9]+}}
  // CHECK: cmpxchg ptr addrspace(1) %{{[0-9]+}}, i32 %{{[0-9]+}}, i32 %2
  %1 = pisa.fatom.global.relaxed.gpu.cas.f [%p], %x, %y : 32b
  builtin.return %1
}
