// --passes runs what it names, in that order; -O0 and an empty --passes
// nothing.
// RUN: pisac --passes=canonicalize,dce --emit=ir -o - %s | FileCheck %s --check-prefix=BOTH
// RUN: pisac --passes="dce , canonicalize" --emit=ir -o - %s | FileCheck %s --check-prefix=BOTH
// RUN: pisac --passes=dce --emit=ir -o - %s | FileCheck %s --check-prefix=DCE
// RUN: pisac --passes= --emit=ir -o - %s | FileCheck %s --check-prefix=NONE
// RUN: pisac -O0 --emit=ir -o - %s | FileCheck %s --check-prefix=NONE
// RUN: pisac --passes=canonicalize,dce --emit=llvm -o - %s | FileCheck %s --check-prefix=LLVM
// --emit=check looks at the input only, unless passes are named or watched.
// RUN: pisac --emit=check --time-passes %s 2>&1 | FileCheck %s --check-prefix=NOPASS
// RUN: pisac --emit=check --print-ir-after-all %s 2>&1 | FileCheck %s --check-prefix=CHECK
// RUN: pisac --emit=check --passes=dce --print-ir-after-all %s 2>&1 | FileCheck %s --check-prefix=CHECK
// The listing, in two spellings.
// RUN: pisac --list-passes > %t.1
// RUN: pisac list passes > %t.2
// RUN: diff %t.1 %t.2
// RUN: FileCheck %s --check-prefix=LIST --input-file=%t.1
// RUN: pisac list rules | FileCheck %s --check-prefix=RULES
module version 1.0 target 100

// BOTH:      kernel @k
// BOTH-NOT:  pisa.umul
// BOTH-NOT:  pisa.iadd
// BOTH:      builtin.return
// DCE:       kernel @k
// DCE-NOT:   pisa.umul
// DCE:       [[Z:%[0-9]+]] = builtin.const 0x0 : 32b
// DCE:       = pisa.iadd.32b {{%[0-9]+}}, [[Z]] : 32b
// NONE:      kernel @k
// NONE:      = pisa.umul.32b
// NONE:      = pisa.iadd.32b
// LLVM:      define {{.*}}@k(
// LLVM-NOT:  = mul
// NOPASS-NOT: passes
// NOPASS:     front end
// NOPASS-NOT: passes
// CHECK:     IR Dump After Dce (dce)
// LIST:      {{^}}canonicalize {{ *}}Fold constants
// LIST:      {{^}}dce {{ *}}Remove code without effect
// LIST:      {{^}}  arms= {{.*}}; default 3)
// LIST:      {{^}}-O1  simplifycfg {{ *}}long blocks
// LIST:      {{^}}-O0:{{ *$}}
// LIST:      {{^}}-O3:
// RULES:     {{^}}pisa.iadd {{.*}}=>
kernel @k(param %p size 8 align 8 space global) {
^bb0:
  %a = pisa.ld.param.64b %p : 64b
  %x = pisa.ld.global.32b [%a] : 32b
  %z = builtin.const 0x0 : 32b
  %d = pisa.umul.32b %x, %x : 32b
  %s = pisa.iadd.32b %x, %z : 32b
  pisa.st.global.32b [%a], %s
  builtin.return
}
