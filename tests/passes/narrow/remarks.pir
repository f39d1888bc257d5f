// RUN: pisac --passes=narrow,reassociate,canonicalize,fuse --remarks --emit=ir %s -o %t 2>&1 | FileCheck %s
// What narrow, reassociate and fuse say of what they did.

module version 1.0 target 100

function @f(64b, 32b, 32b, pred) -> 32b {
^bb0(%p: 64b, %x: 32b, %y: 32b, %c: pred):
  %3 = builtin.const 3 : 32b
  %7 = builtin.const 7 : 64b
  %e = pisa.zext.64b.32b %x : 64b
  %lt = pisa.ucmp.lt.64b %e, %7 : pred
  %a = pisa.iadd.32b %x, %3 : 32b
  %b = pisa.iadd.32b %a, %y : 32b
  %i = pisa.zext.64b.32b %b : 64b
  %s = pisa.shl.64b %i, %3 : 64b
  %q = pisa.iadd.64b %p, %s : 64b
  %v = pisa.ld.global.32b [%q] : 32b
  %r = pisa.sel.32b %v, %x, %lt : 32b
  builtin.return %r
}

// CHECK-DAG: remark: pisa.ucmp of pred: operands or result fit 32 bits (in @f) [narrow:Narrowed]
// CHECK-DAG: remark: a sum of 3 terms is ordered by where they change (in @f) [reassociate:Reordered]
// CHECK-DAG: remark: pisa.iadd becomes base and offset of its accesses (in @f) [fuse:SumInAddress]
// CHECK-DAG: remark: pisa.zext becomes the product of full width that it is scaled to (in @f) [fuse:FullProduct]
