// RUN: pisac --passes=sroa,store-forward,dead-store --remarks --emit=ir %s -o %t 2>&1 | FileCheck %s
// What was done, and what was not and why.

module version 1.0 target 100

function @f(32b, 32b, pred) -> 32b {
  var @gone private size 4 align 4
  var @stays private size 16 align 4
^bb0(%x: 32b, %s: 32b, %p: pred):
  %g = pisa.addrof.32b @gone : 32b
  pisa.st.private.32b [%g], %x
  %v = pisa.addrof.32b @stays : 32b
  %w = pisa.iadd.32b %v, %x : 32b
  pisa.st.private.32b [%w], %x
  pisa.st.private.32b [%w], %s
  %l = pisa.ld.private.32b [%w] : 32b
  pisa.st.shared.32b [%s], %l
  pisa.barrier.workgroup
  %k = pisa.ld.shared.32b [%s] : 32b
  builtin.return %k
}

// CHECK-DAG: remark: private variable @gone of 4 bytes became values (in @f) [sroa:Promoted]
// CHECK-DAG: remark: missed: private variable @stays stays in memory: it is accessed at an offset that is not constant (in @f) [sroa:NotPromoted]
// CHECK-DAG: remark: the bytes were stored before (in @f) [store-forward:StoreForwarded]
// CHECK-DAG: remark: missed: the bytes are known before pisa.barrier.workgroup, which may change them (in @f) [store-forward:NotForwarded]
// CHECK-DAG: remark: {{.*}} (in @f) [dead-store:DeadStore]
