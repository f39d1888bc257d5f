// RUN: rm -rf %t && pisac --passes=canonicalize,dce,dce --emit=ir -o %t.out --print-ir-dir=%t %s 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=FIRST --input-file=%t/k/000-canonicalize.pir
// RUN: FileCheck %s --check-prefix=SECOND --input-file=%t/k/001-dce.pir
// RUN: FileCheck %s --check-prefix=HELPER --input-file=%t/a%20b/000-canonicalize.pir
// RUN: cat %t/k/002-dce.pir

// A file is a module by itself, with declarations of what the function names.
// RUN: pisac --emit=llvm -o - %t/k/002-dce.pir | FileCheck %s --check-prefix=LLVM

// What is dumped is chosen as for stderr.
// RUN: rm -rf %t && pisac --passes=canonicalize,dce --emit=ir -o %t.out --print-ir-dir=%t --print-ir-before=dce --print-ir-diff --filter-func=k %s
// RUN: FileCheck %s --check-prefix=DIFF --input-file=%t/k/000-canonicalize.diff
// RUN: FileCheck %s --check-prefix=BEFORE --input-file=%t/k/001-before-dce.pir
// RUN: not cat %t/a%20b/000-canonicalize.diff
// RUN: not cat %t/k/002-dce.diff

// A directory that cannot be made is the user's mistake, said once.
// RUN: not pisac --passes=canonicalize,dce --emit=ir -o %t.out --print-ir-dir=%s/x %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not pisac --passes=dce --emit=ir -o %t.out --print-ir-dir=%t --split-input-file %s 2>&1 | FileCheck %s --check-prefix=SPLIT
module version 1.0 target 100

// FIRST: // -----// IR Dump After Canonicalize (canonicalize) //----- //
// FIRST: module version 1.0 target 100
// FIRST: function @"a b"(32b) -> 32b import
// FIRST: kernel @k(
// FIRST-NOT: function
// SECOND: IR Dump After Dce (dce)
// HELPER: function @"a b"(32b) -> 32b {
// LLVM: declare {{.*}}a b
// LLVM: define {{.*}}@k(
// DIFF: -  %{{.*}} = pisa.umul.32b
// BEFORE: IR Dump Before Dce (dce)
// BAD: error: --print-ir-dir: {{.*}}not a directory [PISAC-E011]
// BAD-NOT: error
// SPLIT: --print-ir-dir takes one module
kernel @k(param %p size 8 align 8 space global) {
^bb0:
  %a = pisa.ld.param.64b %p : 64b
  %x = pisa.ld.global.32b [%a] : 32b
  %d = pisa.umul.32b %x, %x : 32b
  %y = builtin.call @"a b"(%x) : 32b
  pisa.st.global.32b [%a], %y
  builtin.return
}

function @"a b"(32b) -> 32b {
^bb0(%x: 32b):
  builtin.return %x
}
