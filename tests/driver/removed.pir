// A function that a pass removes ends in the dumps as well.
// RUN: pisac --passes=inline --emit=ir -o %t.out --print-ir-diff --dump-html=%t.html %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=HTML --input-file=%t.html
// RUN: pisac --passes=inline,dce --emit=ir -o %t.out --print-ir-after-all --filter-func=g %s 2>&1 | count 0
module version 1.0 target 100

// CHECK:      IR Dump After Inline (inline)
// CHECK:      {{^}}-function @g(32b) -> 32b {
// CHECK-NOT:  {{^}}+
// HTML:       <section id="f1">
// HTML:       @g: 2 ops, 1 blocks
// HTML:       @g was removed
kernel @k(param %p size 8 align 8 space global) {
^bb0:
  %a = pisa.ld.param.64b %p : 64b
  %x = pisa.ld.global.32b [%a] : 32b
  %y = builtin.call @g(%x) : 32b
  pisa.st.global.32b [%a], %y
  builtin.return
}

function @g(32b) -> 32b {
^bb0(%x: 32b):
  %y = pisa.iadd.32b %x, %x : 32b
  builtin.return %y
}
