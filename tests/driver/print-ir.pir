// Dumps go to stderr, under MLIR's banner, in the order of the functions.
// RUN: pisac --passes=canonicalize,dce --emit=ir -o %t.out --print-ir-after-all %s 2> %t.all
// RUN: FileCheck %s --check-prefix=ALL --input-file=%t.all
// RUN: pisac --passes=canonicalize,dce --emit=ir -o %t.out --print-ir-after %s 2> %t.after
// RUN: diff %t.all %t.after
// RUN: pisac --passes=canonicalize,dce --emit=ir -o %t.out --print-ir-after=dce,canonicalize %s 2> %t.named
// RUN: diff %t.all %t.named
// RUN: pisac --passes=canonicalize,dce --emit=ir -o - --print-ir-after=dce %s 2>&1 >%t.out | FileCheck %s --check-prefix=DCE
// RUN: pisac --passes=canonicalize,dce --emit=ir -o - --print-ir-before=dce --filter-func=f %s 2>&1 >%t.out | FileCheck %s --check-prefix=BEFORE
// RUN: pisac --passes=canonicalize,dce --emit=ir -o - --print-ir-before %s 2>&1 >%t.out | grep "IR Dump Before" | count 4
// Several flags of one kind add up.
// RUN: pisac --passes=canonicalize,dce --emit=ir -o - --print-ir-after=dce --print-ir-after=canonicalize %s 2>&1 >%t.out | diff %t.all -

// What did not change is not shown.
// RUN: pisac --passes=dce,canonicalize,dce --emit=ir -o %t.out --print-ir-after-change %s 2>&1 | FileCheck %s --check-prefix=CHANGE

// Differences name values by id, so that the rest stays as it was.
// RUN: pisac --passes=canonicalize,dce --emit=ir -o %t.out --print-ir-diff %s 2>&1 | FileCheck %s --check-prefix=DIFF --match-full-lines
// RUN: pisac --passes=canonicalize,dce --emit=ir -o %t.out --print-ir-diff --color=always %s 2>&1 | FileCheck %s --check-prefix=COLOR

// --filter-func is a regular expression.
// RUN: pisac --passes=canonicalize --emit=ir -o %t.out --print-ir-after-all --filter-func=^g$ %s 2>&1 | FileCheck %s --check-prefix=G
module version 1.0 target 100

// ALL:       // -----// IR Dump After Canonicalize (canonicalize) //----- //
// ALL-NEXT:  function @f(32b) -> 32b {
// ALL-NEXT:  ^bb0(%0: 32b):
// ALL-NEXT:    %1 = builtin.const 0x0 : 32b
// ALL-NEXT:    builtin.br ^bb1(%1, %0)
// ALL:       // -----// IR Dump After Dce (dce) //----- //
// ALL-NEXT:  function @f(32b) -> 32b {
// ALL:         builtin.br ^bb1(%1)
// ALL:       // -----// IR Dump After Canonicalize (canonicalize) //----- //
// ALL-NEXT:  function @g(32b) -> 32b {
// ALL:       // -----// IR Dump After Dce (dce) //----- //
// ALL-NEXT:  function @g(32b) -> 32b {
// ALL-NOT:   IR Dump

// DCE-NOT:   canonicalize
// DCE:       IR Dump After Dce (dce)
// DCE:       IR Dump After Dce (dce)

// BEFORE:    // -----// IR Dump Before Dce (dce) //----- //
// BEFORE-NEXT: function @f(
// BEFORE:      builtin.br ^bb1(%1, %0)
// BEFORE-NOT: function @g

// CHANGE:     IR Dump After Dce (dce)
// CHANGE-NEXT: function @f(
// CHANGE:     builtin.return
// CHANGE-NOT: IR Dump
// CHANGE-NOT: @g

// DIFF:      // -----// IR Dump After Canonicalize (canonicalize) //----- //
// DIFF-NEXT: --- before canonicalize
// DIFF-NEXT: +++ after canonicalize
// DIFF-NEXT: @@ -1,7 +1,6 @@
// DIFF-NEXT:  function @f(32b) -> 32b {
// DIFF-NEXT:  ^bb0(%0: 32b):
// DIFF-NEXT:    %1 = builtin.const 0x0 : 32b
// DIFF-NEXT: -  %2 = pisa.umul.32b %0, %0 : 32b
// DIFF-NEXT:    builtin.br ^bb1(%1, %0)
// DIFF-NEXT:  ^bb1(%3: 32b, %4: 32b):  // preds: ^bb0, ^bb1
// DIFF-NEXT:    %5 = pisa.iadd.32b %3, %0 : 32b
// DIFF-EMPTY:
// DIFF-NEXT: // -----// IR Dump After Dce (dce) //----- //
// DIFF-NEXT: --- before dce
// DIFF-NOT:  {{.*}}@g{{.*}}

// COLOR: {{^}}[[ESC:.]][31m-  %2 = pisa.umul.32b %0, %0 : 32b[[ESC]][0m{{$}}
// COLOR: {{^}}[[ESC]][32m+  builtin.br ^bb1(%1)[[ESC]][0m{{$}}

// G-NOT: @f
// G:     function @g
// G-NOT: @f
function @f(32b) -> 32b {
^bb0(%x: 32b):
  %0 = builtin.const 0x0 : 32b
  %d = pisa.umul.32b %x, %x : 32b
  builtin.br ^bb1(%0, %x)
^bb1(%i: 32b, %dead: 32b):
  %n = pisa.iadd.32b %i, %x : 32b
  %m = pisa.umul.32b %dead, %n : 32b
  %c = pisa.ucmp.lt.32b %n, %x : pred
  builtin.cond_br %c, ^bb1(%n, %m), ^bb2
^bb2:
  builtin.return %n
}

function @g(32b) -> 32b {
^bb0(%x: 32b):
  builtin.return %x
}
